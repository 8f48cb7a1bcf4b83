"""The parts of an address after the size: each reads its letters into a draft, and writes them from a board.

An address is described by a row of parts: `(On(borders, BITS, "border"), On(rooms, NUMBERS, "clue"))`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from covr.frozen import frozen
from covr.links.board import Board, BoardDraft, LinkFault, Place, Value
from covr.links.codes import Letters, RowCode, shortened
from covr.links.places import PARTED, Places, at_home, rooms


class AddressPart(Protocol):
    """A part of an address. layers: what it can read."""

    @property
    def layers(self) -> tuple[str, ...]: ...

    def read(self, letters: Letters, draft: BoardDraft) -> None:
        """Take the part's letters, and enter what they say."""

    def write(self, board: Board) -> str:
        """The letters for a board."""


@frozen
class On:
    """The values of one layer at some places, in one code.

    words: what the numbers 1, 2, … mean, where the layer holds words.
    optional: the part is left out where nothing is in it.  lenient: it may be left out when it is read.
    missing: what stands where an address that ends too early tells nothing.
    """

    places: Places
    code: RowCode
    layer: str
    words: tuple[str, ...] = ()
    optional: bool = False
    lenient: bool = False
    missing: Value | None = None

    @property
    def layers(self) -> tuple[str, ...]:
        """Its layer."""
        return (self.layer,)

    def read(self, letters: Letters, draft: BoardDraft) -> None:
        """Read the part into the draft."""
        if (self.optional or self.lenient) and (letters.over or letters.peek() == "/"):
            return
        layer = draft.layer(self.layer)
        for part in PARTED.get(self.places, (self.places,)):
            self._read(letters, part(draft), layer)

    def _read(self, letters: Letters, places: Sequence[Place], layer: dict[Place, Value]) -> None:
        values = self.code.read(letters, len(places))
        values[letters.told :] = [self.missing] * (len(places) - letters.told)
        for place, value in zip(places, values, strict=True):
            if value is None:
                continue
            if self.words:
                if not isinstance(value, int) or not 0 < value <= len(self.words):
                    raise LinkFault(f"{value} has no meaning there")
                value = self.words[value - 1]
            layer[place] = value

    def write(self, board: Board) -> str:
        """The part of the address of a board."""
        layer = board.layer(self.layer)
        if self.places is rooms:
            layer = at_home(board, layer)
        if self.optional and not layer:
            return ""
        text = ""
        for part in PARTED.get(self.places, (self.places,)):
            values = [layer.get(place) for place in part(board)]
            if self.words:
                values = [None if value is None else self.words.index(str(value)) + 1 for value in values]
            text += self.code.write(values)
        return text


@frozen
class Together:
    """Parts at the end of an address that are left out together, where nothing is in any of them."""

    parts: tuple[On, ...]

    @property
    def layers(self) -> tuple[str, ...]:
        """The layers of all."""
        return tuple([layer for part in self.parts for layer in part.layers])

    def read(self, letters: Letters, draft: BoardDraft) -> None:
        """Read them all, or none."""
        if not letters.over:
            for part in self.parts:
                part.read(letters, draft)

    def write(self, board: Board) -> str:
        """All of them, or none."""
        return "".join([part.write(board) for part in self.parts]) if any(map(board.layer, self.layers)) else ""


@frozen
class CountBefore:
    """What stands before the next `/`: a number, such as that of the stars, in a layer of its own, at the place ()."""

    layer: str

    @property
    def layers(self) -> tuple[str, ...]:
        """Its layer."""
        return (self.layer,)

    def read(self, letters: Letters, draft: BoardDraft) -> None:
        """Read the number."""
        text = letters.until("/")
        if not text.isascii() or not text.isdigit() or len(text) > 6:
            raise LinkFault(f"`{shortened(text, 20)}` is no number" if text else "it ends before the board")
        draft.layer(self.layer)[()] = int(text)

    def write(self, board: Board) -> str:
        """The number, and the `/` after it."""
        return f"{board.layer(self.layer).get((), 0)}/"


@frozen
class Slash:
    """A `/` between two parts, which says nothing."""

    @property
    def layers(self) -> tuple[str, ...]:
        """None."""
        return ()

    def read(self, letters: Letters, draft: BoardDraft) -> None:
        """Read the `/`."""
        if letters.ended():
            return
        start, letter = letters.at, letters.take()
        if letter != "/":
            raise letters.unknown(start, letter)

    def write(self, board: Board) -> str:
        """The `/`."""
        return "/"
