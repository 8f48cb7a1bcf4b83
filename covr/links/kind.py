"""What the table says of one kind: its model, how its addresses and files are written, and what is an answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any

import attrs

from covr.links.address_parts import AddressPart
from covr.links.board import Board, Layer, LinkFault, Place, Value, Variant
from covr.links.file_parts import FilePart

Params = Mapping[str, Any]
# A choice's arguments, as Python values → the places where it shows something, and what.
Shows = Callable[..., Iterable[tuple[Place, Value]]]


@attrs.frozen(slots=False)
class OnBoard:
    """What the choices of one family are on a board: the places in a layer that each of them fills.

    layer: of the answer.  family: of the model's choices.  places: the choice's arguments → (place, value) pairs.
    """

    layer: str
    family: str
    places: Shows


@attrs.frozen(slots=False)
class Kind:
    """A kind of puzzle that links can hold.

    name, aliases: as links call it.  model: the gallery's model, without its folder.
    address: the parts of an address after the size.  file: the parts of a file after the size.
    older: the parts of a file of an older version, where `file` is version 3.1, or the `version` below.
    version: the number after `pzprv3.` in files that are written, where it is another one.
    params: a board → the values of the model's params: rows of cells for a grid, None for a blank.
    answer: what the model's choices are on a board; a function of the board, where that depends on its clues.
    notes: the layers of the answer that follow from the others: what a solver wrote there must be right, and the rest
    may be left out.
    flags: the letters that may stand before the size, and that change nothing: how a site draws the puzzle.
    meant: such letters that change the rules, each with what they mean; `params` reads them from `board.flag`.
    refused: such letters for which there is no model, each with what they mean.
    back: the layers from the params, for a row where a place has no entry of its own (inverse.py finds the others).
    square: a file tells one size, because the board is a square.
    """

    name: str
    model: str
    address: tuple[AddressPart, ...]
    file: tuple[FilePart, ...]
    params: Callable[[Board], Params]
    answer: tuple[OnBoard, ...] | Callable[[Board], tuple[OnBoard, ...]]
    notes: frozenset[str] = frozenset()
    aliases: tuple[str, ...] = ()
    older: tuple[FilePart, ...] = ()
    version: int = 0
    flags: str = ""
    meant: Mapping[str, str] = {}
    refused: Mapping[str, str] = {}
    back: Callable[[Params], Mapping[str, Layer]] | None = None
    square: bool = False

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
