"""What the table says of a kind: its model, its addresses and files, what its choices are on a board."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache, cached_property
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import attrs

from covr.links import kinds as package
from covr.links.address_parts import AddressPart
from covr.links.codes import shortened
from covr.links.file_parts import FilePart
from covr.links.inverse import grid, rooms
from covr.links.places import Board, Layer, LinkFault, Place, Value, Variant

# --- What the table says of one kind: its model, how its addresses and files are written, and what is an answer -------


Params = Mapping[str, Any]
# A choice's arguments, as Python values → the places where it shows something, and what.
Shows = Callable[..., Iterable[tuple[Place, Value]]]


def clues_alone(board: Board) -> Params:
    """Params: a clue for each cell."""
    return {"clue": grid(board)}


def clues_in_rooms(board: Board) -> Params:
    """Params: the room of each cell, and a clue for it."""
    return {"room": rooms(board), "clue": grid(board)}


@attrs.frozen(slots=False)
class OnBoard:
    """What the choices of one family are on a board.

    layer: of the answer.  family: of the model's choices.  places: a choice's arguments → (place, value) pairs.
    """

    layer: str
    family: str
    places: Shows


@attrs.frozen(slots=False)
class Kind:
    """A kind of puzzle that links can hold.

    name, aliases: as links call it.  model: the gallery's model, without its folder; mostly called like the kind.
    address: the parts of an address after the size.  file: the parts of a file after the size.
    older: the parts of a file of an older version, where `file` is version 3.1, or the `version` below.
    version: the number after `pzprv3.` in files that are written, where it is another one.
    params: a board → the values of the model's params: rows of cells for a grid, None for a blank. Mostly `clue` alone.
    answer: what the model's choices are on a board; a function of the board, where that depends on its clues.
    notes: the layers of the answer that follow from the others: what a solver wrote there must be right, and the rest
    may be left out.
    flags: the letters that may stand before the size, and that change nothing: how a site draws the puzzle.
    always: those of them that a link has which covr writes, because the site takes it for another kind without.
    meant: such letters that change the rules, each with what they mean; `params` reads them from `board.flag`.
    refused: such letters for which there is no model, each with what they mean.
    back: the layers from the params, for a row where a place has no entry of its own (inverse.py finds the others).
    square: a file tells one size, because the board is a square.
    """

    name: str
    address: tuple[AddressPart, ...]
    file: tuple[FilePart, ...]
    answer: tuple[OnBoard, ...] | Callable[[Board], tuple[OnBoard, ...]]
    model: str = attrs.field(default=attrs.Factory(lambda kind: kind.name, takes_self=True))
    params: Callable[[Board], Params] = clues_alone
    notes: frozenset[str] = frozenset()
    aliases: tuple[str, ...] = ()
    older: tuple[FilePart, ...] = ()
    version: int = 0
    flags: str = ""
    always: str = ""
    meant: Mapping[str, str] = {}
    refused: Mapping[str, str] = {}
    back: Callable[[Params], Mapping[str, Layer]] | None = None
    square: bool = False

    def named(self, name: str, model: str = "", aliases: tuple[str, ...] = (), **changed: Any) -> Kind:
        """A kind that links write in the same way, but for what is changed here."""
        return attrs.evolve(self, name=name, model=model or name, aliases=aliases, **changed)

    def check_flag(self, flag: str) -> None:
        """Raise LinkFault for letters before the size that are not known, and Variant for those without a model."""
        for letter in flag:
            if letter in self.refused:
                raise Variant(f"its `{letter}` means that {self.refused[letter]}, and the model has no such rule")
            if letter not in self.flags and letter not in self.meant:
                raise LinkFault(f"its `{letter}` has no meaning that is known")

    @cached_property
    def question(self) -> frozenset[str]:
        """The layers of the puzzle itself: those that its address has."""
        return frozenset(layer for part in self.address for layer in part.layers)


# --- What the choices of a model are on a board of its kind: parts of the table, one for each usual family ------------


def shaded(family: str = "shade", layer: str = "shaded") -> OnBoard:
    """`shade(r, c)`: a cell with a mark."""
    return OnBoard(layer, family, lambda r, c: [((r, c), 1)])


def shaded_at(family: str = "shade", layer: str = "shaded") -> OnBoard:
    """`shade(x)`: a cell with a mark, where the model's key is the cell."""
    return OnBoard(layer, family, lambda x: [(x, 1)])


def numbers(family: str = "place", layer: str = "number") -> OnBoard:
    """`place(r, c, d)`: a cell with a number."""
    return OnBoard(layer, family, lambda r, c, d: [((r, c), d)])


def unprinted(*shown: OnBoard) -> Callable[[Board], tuple[OnBoard, ...]]:
    """The same, but for the cells that the puzzle's `clue` says already."""

    def of(board: Board) -> tuple[OnBoard, ...]:
        printed = board.layer("clue")

        def beside(places: Shows) -> Shows:
            return lambda *choice: [(place, value) for place, value in places(*choice) if place not in printed]

        return tuple([OnBoard(one.layer, one.family, beside(one.places)) for one in shown])

    return of


def drawn(family: str = "draw", layer: str = "line") -> OnBoard:
    """`draw({x, y})`: a line between the middles of two cells that touch; what else the choice says does not matter."""
    return OnBoard(layer, family, lambda ends, *_: [(tuple(sorted(ends)), 1)])


def edges(family: str = "draw", layer: str = "line") -> OnBoard:
    """`draw({x, y})`: a line between two corners: the border between two cells."""
    return OnBoard(layer, family, lambda ends: [(border_at(*sorted(ends)), 1)])


def border_at(a: Place, b: Place) -> Place:
    """The border that runs from one corner to the next, as the pair of cells on its sides."""
    (r, c), (i, _) = a, b
    return ((r - 1, c), (r, c)) if r == i else ((r, c - 1), (r, c))


def stretch(r: int, c: int, down: int, across: int, size: int) -> Iterator[tuple[Place, Value]]:
    """So many shaded cells in a line."""
    for k in range(size):
        yield (r + down * k, c + across * k), 1


def walls(family: str = "wall") -> tuple[OnBoard, ...]:
    """`wall({x, y})`: the border between two cells of unlike regions."""
    return (OnBoard("edge", family, lambda cells: [(tuple(sorted(cells)), 1)]),)


def outlined(
    family: str = "lay",
    holes: Callable[[Board], Collection[Place]] = lambda board: (),
    printed: str = "border",
    first: int = 1,
) -> Callable[[Board], tuple[OnBoard, ...]]:
    """`lay(s, …)`: the borders around a region, but for those of the board, of holes, and printed ones. first: the
    model's first row and column."""

    def shown(board: Board) -> tuple[OnBoard, ...]:
        none, lines = holes(board), board.layer(printed)
        inside = {(r, c) for r in range(1, board.height + 1) for c in range(1, board.width + 1)} - set(none)

        def rim(region: Iterable[Place], *_: Value) -> Iterator[tuple[Place, Value]]:
            found = {(r - first + 1, c - first + 1) for r, c in region}
            for r, c in found:
                for other in ((r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c)):
                    pair = tuple(sorted(((r, c), other)))
                    if other in inside - found and pair not in lines:
                        yield pair, 1

        return (OnBoard("edge", family, rim),)

    return shown


# --- The kinds of all genres by the names that links use, and what to say of a name that is none of them --------------


@cache
def kinds() -> Mapping[str, Kind]:
    """Every kind by its name, sorted: all that the files of the folder kinds define."""
    names = [module.name for module in iter_modules(package.__path__)]
    genres = [import_module(f"{package.__name__}.{name}") for name in sorted(names)]
    found = {kind.name: kind for genre in genres for kind in vars(genre).values() if isinstance(kind, Kind)}
    return dict(sorted(found.items()))


@cache
def _known() -> Mapping[str, Kind]:
    """Every kind by its names and by the name of its model."""
    known = {kind.model: kind for kind in reversed(list(kinds().values()))}
    known.update({alias: kind for kind in kinds().values() for alias in kind.aliases})
    return {**known, **kinds()}


def find_kind(name: str) -> Kind:
    """The kind that links call so. Raises UnknownKind."""
    if name not in _known():
        raise UnknownKind(name)
    return _known()[name]


class UnknownKind(LinkFault):
    """A kind of which there is no model. help: a line of advice."""

    def __init__(self, name: str) -> None:
        from covr.dsl import suggest

        super().__init__(f"there is no model of the kind `{shortened(name)}`")
        close = suggest(name[:60], list(_known()))
        self.help = f"did you mean `{close}`?" if close else f"the kinds are {', '.join(kinds())}"
