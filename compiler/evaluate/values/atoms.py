"""Values without parts: true and false, and texts that know more than their letters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from covr.dsl.source import Source

if TYPE_CHECKING:
    from covr.compiler.evaluate.values.sets import Set


class Truth:
    """true or false. Only TRUE and FALSE exist."""

    __slots__ = ("holds",)

    def __init__(self, holds: bool) -> None:
        self.holds = holds

    def __bool__(self) -> bool:
        return self.holds

    def __repr__(self) -> str:
        return "TRUE" if self.holds else "FALSE"

    def __lt__(self, other: object) -> bool:
        return other.holds > self.holds if isinstance(other, Truth) else NotImplemented

    def order_key(self) -> tuple[Any, ...]:
        """Where it stands among all values (order.py)."""
        return 0, self.holds

    def __reduce__(self) -> tuple[Any, ...]:
        return truth, (self.holds,)


TRUE: Final = Truth(True)
FALSE: Final = Truth(False)


def truth(holds: object) -> Truth:
    """The value for a Python condition."""
    return TRUE if holds else FALSE


class Piece(str):
    """A piece of `pieces` or `solids`: the text of its letter, which also knows its cells.

    It equals and hashes as its letter, so `p = "A"` holds and `put("A", s)` names the same choice as `put(p, s)`.
    """

    __slots__ = ("cells",)

    cells: Set

    def __new__(cls, letter: str, cells: Set) -> Piece:
        piece = super().__new__(cls, letter)
        piece.cells = cells
        return piece

    def __reduce__(self) -> tuple[Any, ...]:
        return Piece, (str(self), self.cells)


class FileText(str):
    """The value of `file("…")`: text that knows its Source, so that a reader can show the place of a fault.

    starts: of a section of it, the offset in the source at which each of its lines begins; None for the whole.
    """

    __slots__ = ("source", "starts")

    source: Source
    starts: tuple[int, ...] | None

    def __new__(cls, source: Source, lines: Sequence[str] | None = None, starts: Sequence[int] = ()) -> FileText:
        made = super().__new__(cls, source.text if lines is None else "\n".join(lines))
        made.source = source
        made.starts = None if lines is None else tuple(starts)
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        if self.starts is None:
            return FileText, (self.source,)
        return FileText, (self.source, str(self).split("\n"), self.starts)
