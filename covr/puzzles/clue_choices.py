"""Which choices may be the clues of a puzzle, and which are given together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from covr.compiler.display.show import option_marks
from covr.dsl.scope import walk
from covr.dsl.syntax import Given, Name, Number, Param
from covr.engine.puzzles.puzzle_attempts import UnitPattern
from covr.faults import usage_error

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.compiler.display.prints import Picture

# --- clue choices ----------------------------------------------------------------------------------------------------
# A `given` that reads a param which nothing else reads, such as the `clue` of a sudoku, says by that which family the
# clues are of. The choices that such data give are dropped; everything else stays. A model with one family needs no
# such data.


def clue_statements(compiled: Compiled, family: str | None = None) -> list[tuple[Given, frozenset[str]]]:
    """The `given` statements (of one family) that read params which nothing else reads, with these params."""
    params = {d.name.id for d in compiled.model.definitions if isinstance(d, Param)}
    found = []
    for statement in compiled.model.statements:
        if isinstance(statement, Given) and family in (None, statement.family.id):
            names = {node.id for node in walk(statement) if isinstance(node, Name)}
            read = names.union(*(compiled.scope.depends(name) for name in names)) & params
            own = frozenset(name for name in read if compiled.only_givens_use(frozenset([name])))
            if own:
                found.append((statement, own))
    return found


def clue_family(compiled: Compiled) -> str:
    """The family that the model's data give clues of. Raises ModelErrors E515 if that is not clear."""
    named = list(dict.fromkeys(s.family.id for s, _ in clue_statements(compiled)))
    families = named or list(compiled.lowered.families)
    if len(families) == 1:
        return families[0]
    help = f"name one with --clues: {', '.join(f'`{name}`' for name in families)}" if families else ""
    if not named:
        help += rules_of(compiled)
    if named:
        raise usage_error("E515", "the model's data give clues of several families", help=help)
    raise usage_error("E515", "the model doesn't say which family its clues are of", help=help)


def rules_of(compiled: Compiled) -> str:
    """The end of a sentence of help: which params hold no clues, because rules read them; "" if there are none.
    Numbers, such as the side of a board, are not named."""
    params = [d for d in compiled.model.definitions if isinstance(d, Param)]
    names = [d.name.id for d in params if not isinstance(d.value, Number)]
    rules = [name for name in names if not compiled.only_givens_use(frozenset([name]))]
    if not rules:
        return ""
    listed = ", ".join(f"`{name}`" for name in rules)
    return f"; {listed} {'is' if len(rules) == 1 else 'are'} part of the rules here, and no clues of them can be made"


def kept_givens(compiled: Compiled, family: str) -> tuple[int, ...]:
    """The given options that stay: all but those that data for clues of this family give."""
    spans = {id(s.span) for s, _ in clue_statements(compiled, family)}
    options = compiled.lowered.choice_options
    dropped = {options[g.number] for g in compiled.givens if id(g.span) in spans}
    needed = {options[g.number] for g in compiled.givens if id(g.span) not in spans}
    return tuple(o for o in compiled.problem.given if o in needed or o not in dropped)


# --- patterns --------------------------------------------------------------------------------------------------------
# A symmetry is that of a board with two coordinates, or of the layers of one with three. The partners of a choice are
# those drawn at the images of its places; one with an image where no clue could stand is in no symmetric pattern.


Place = tuple[int, ...]
Image = Callable[[int, int, int, int], tuple[int, int]]

# For each name, the maps that generate it. Row and column count from 0; h and w are the last row and column.
SYMMETRIES: Mapping[str, tuple[Image, ...]] = {
    "rotate": (lambda r, c, h, w: (h - r, w - c),),
    "quarter": (lambda r, c, h, w: (c, h - r),),
    "mirror": (lambda r, c, h, w: (r, w - c),),
    "flip": (lambda r, c, h, w: (h - r, c),),
    "cross": (lambda r, c, h, w: (r, w - c), lambda r, c, h, w: (h - r, c)),
    "diagonal": (lambda r, c, h, w: (c, r),),
    "antidiagonal": (lambda r, c, h, w: (w - c, h - r),),
    "full": (lambda r, c, h, w: (c, h - r), lambda r, c, h, w: (r, w - c)),
}
TURNED = frozenset({"quarter", "diagonal", "antidiagonal", "full"})  # those that exchange rows and columns


def clue_pattern(compiled: Compiled, name: str, options: Sequence[int]) -> UnitPattern:
    """Which of these options are given together. name: one of SYMMETRIES.
    Raises ModelErrors E515 for an unknown symmetry, or if there is no single board that has it."""
    if name not in SYMMETRIES:
        raise usage_error("E515", f"there is no symmetry `{name}`", word=name, known=list(SYMMETRIES))
    boards = [p for p in compiled.pictures(()) if p.axes]
    if len(boards) != 1 or boards[0].axes < 2 or not boards[0].low:
        help = "leave out --symmetry, or add a `show … at` that draws one board"
        raise usage_error("E515", "the model has no single board that could be symmetric", help=help)
    board = boards[0]
    if board.lattice is not None:
        raise usage_error("E515", "symmetric patterns are for boards of squares", help="leave out --symmetry")
    number: dict[Place, int] = {}
    stands: dict[int, tuple[int, ...]] = {}
    images: dict[int, tuple[int, ...]] = {}
    if not _is_symmetric(board, name):
        raise usage_error("E515", f"the board does not have the symmetry `{name}`")
    for o in options:
        places = [at for at, _ in option_marks(compiled.drawings, compiled.lowered.option_choices[o])]
        mapped = [_image(board, image, place) for image in SYMMETRIES[name] for place in places]
        stands[o] = tuple(number.setdefault(place, len(number)) for place in places)
        images[o] = tuple(number.setdefault(place, len(number)) for place in mapped)
    return UnitPattern(stands, images)


def _image(board: Picture, image: Image, place: Place) -> Place:
    (top, left), (bottom, right) = board.low[-2:], board.high[-2:]
    r, c = image(place[-2] - top, place[-1] - left, bottom - top, right - left)
    return (*place[:-2], r + top, c + left)


def _is_symmetric(board: Picture, name: str) -> bool:
    (top, left), (bottom, right) = board.low[-2:], board.high[-2:]
    if name in TURNED and bottom - top != right - left:
        return False
    places = set(board.places)
    return all(_image(board, each, place) in places for each in SYMMETRIES[name] for place in places)
