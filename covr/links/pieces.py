"""The pieces that a puzzle asks for: a well-known set by its letter, or how many and which.

In a layer of its own, at the place (), as a tuple of pieces. A piece is written as its width, its height, and its
squares row by row, five to a letter: `23bg` is two wide, three high, and `01 01 11` or its like.
"""

from __future__ import annotations

from collections.abc import Mapping

from covr.frozen import frozen
from covr.links.board import Board, BoardDraft, Cell, LinkFault
from covr.links.codes import BITS, DIGITS, Letters, shortened
from covr.links.file_parts import FileLines, whole_number
from covr.links.values import LETTERS

Set = tuple[str, ...]

TETROMINOES: Set = ("14u", "23bg", "22u", "23f", "23eg")
PENTOMINOES: Set = (
    "337k", "15v", "24as", "24bo", "23fg", "337i", "23rg", "334u", "335s", "33bk", "24bk", "337o",
)  # fmt: skip
FLEET = ("11g", "21o", "31s", "41u", "51v")  # a ship of one square, of two, …


def fleet(*counts: int) -> Set:
    """So many ships of one square, of two, …."""
    return tuple([ship for ship, count in zip(FLEET, counts, strict=False) for _ in range(count)])


SETS: Mapping[str, Set] = {
    "p": PENTOMINOES,
    "t": TETROMINOES,
    "d": tuple([piece for piece in TETROMINOES for _ in range(2)]),
    "z": (),
}
FLEETS: Mapping[str, Set] = {**SETS, "c": fleet(3, 2, 1), "d": fleet(4, 3, 2, 1), "e": fleet(5, 4, 3, 2, 1)}

MOST_PIECES = 1000
LONGEST_PIECE = 40  # letters


@frozen
class Bank:
    """The pieces, in an address after a slash and in a file on lines. sets: the well-known sets by their letters.
    usual: that of an address that says nothing after the size; there are none in one that only says nothing of them."""

    sets: Mapping[str, Set] = SETS
    usual: str = "p"
    layer: str = "pieces"

    @property
    def layers(self) -> tuple[str, ...]:
        """Its layer."""
        return (self.layer,)

    def _named(self, letter: str) -> Set:
        if letter not in self.sets:
            raise LinkFault(f"there is no set of pieces `{shortened(letter)}`")
        return self.sets[letter]

    def _head(self, pieces: Set) -> str:
        """The letter of the set, or how many pieces there are."""
        known = [letter for letter, named in self.sets.items() if sorted(named) == sorted(pieces)]
        return known[0] if known else str(len(pieces))

    def read(self, letters: Letters, draft: BoardDraft) -> None:
        """Read the pieces of an address."""
        if letters.ended():
            draft.layer(self.layer)[()] = () if letters.text else self._named(self.usual)
            return
        if letters.take() != "/":
            raise letters.unknown(letters.at - 1, letters.text[letters.at - 1 :])
        if letters.peek() == "/":
            letters.take()
            pieces = self._named(letters.take())
        else:
            pieces = tuple([letters.until("/") for _ in range(_count(letters.until("/")))])
        draft.layer(self.layer)[()] = checked(pieces)

    def write(self, board: Board) -> str:
        """The pieces in an address."""
        pieces = pieces_of(board, self.layer)
        head = self._head(pieces)
        return f"//{head}" if head in self.sets else "/" + "/".join((head, *pieces))


@frozen
class BankLines:
    """The pieces in a file. used: the line that says which of them the solver has ticked off, written as none."""

    bank: Bank

    @property
    def layers(self) -> tuple[str, ...]:
        """Its layer."""
        return self.bank.layers

    def read(self, lines: FileLines, draft: BoardDraft) -> None:
        """Read the pieces."""
        head = lines.take()
        if whole_number(head) is None:
            pieces = self.bank._named(head)
        else:
            pieces = tuple([lines.take() for _ in range(_count(head))])
        draft.layer(self.bank.layer)[()] = checked(pieces)

    def write(self, board: Board) -> list[str]:
        """The pieces."""
        pieces = pieces_of(board, self.bank.layer)
        head = self.bank._head(pieces)
        return [head] if head in self.bank.sets else [head, *pieces]


@frozen
class TickedLine:
    """The line that says which pieces the solver has ticked off: nothing is kept of it."""

    layer: str = "pieces"

    @property
    def layers(self) -> tuple[str, ...]:
        """None."""
        return ()

    def read(self, lines: FileLines, draft: BoardDraft) -> None:
        """Pass over the line."""
        lines.take()

    def write(self, board: Board) -> list[str]:
        """A line that says: none."""
        return [" ".join("0" for _ in pieces_of(board, self.layer))]


def _count(text: str) -> int:
    count = whole_number(text)
    if count is None or count > MOST_PIECES:
        raise LinkFault(f"`{shortened(text)}` is no number of pieces")
    return count


def checked(pieces: Set) -> Set:
    """The pieces, if each is one. Raises LinkFault."""
    for piece in pieces:
        cells_of(piece)
    return pieces


def pieces_of(board: Board, layer: str = "pieces") -> Set:
    """The pieces of a board."""
    found = board.layer(layer).get((), ())
    assert isinstance(found, tuple)
    return found


def drawn_pieces(board: Board) -> str:
    """The pieces as a picture, each with a letter of its own. Raises LinkFault where there are none, or too many."""
    found = pieces_of(board)
    if not 0 < len(found) <= len(LETTERS):
        raise LinkFault(f"it has {len(found)} pieces, and the model takes 1 to {len(LETTERS)}")
    pictures = []
    for letter, piece in zip(LETTERS, found, strict=False):
        squares = cells_of(piece)
        high, wide = max(r for r, _ in squares), max(c for _, c in squares)
        rows = ["".join([letter if (r, c) in squares else "." for c in range(1, wide + 1)]) for r in range(1, high + 1)]
        pictures.append("\n".join(rows))
    return "\n".join(pictures)


def cells_of(piece: str) -> frozenset[Cell]:
    """The cells of a piece, from (1, 1). Raises LinkFault if it is none."""
    if len(piece) < 3 or len(piece) > LONGEST_PIECE or any(letter not in DIGITS for letter in piece):
        raise LinkFault(f"`{shortened(piece)}` is no piece")
    wide, high = int(piece[0], 36), int(piece[1], 36)
    letters = Letters(piece[2:].ljust(-(-wide * high // 5), "0"))  # blanks at the end may be left out
    row = BITS.read(letters, wide * high)
    found = frozenset((at // wide + 1, at % wide + 1) for at, value in enumerate(row) if value is not None)
    if not found or not letters.over:
        raise LinkFault(f"`{piece}` is no piece")
    return found
