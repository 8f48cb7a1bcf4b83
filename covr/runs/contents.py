"""What a run file holds, as frozen values: its seal, the rows of its pieces, its better answers; and all of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import evolve

from covr.engine.pieces.ledger import DIGITS, MOST_CHILDREN, Settled, Task, Totals
from covr.engine.pieces.piece_values import PieceResult
from covr.engine.pieces.split import Prefix
from covr.frozen import frozen
from covr.runs import schema

OptionNumbers = tuple[int, ...]
HEX = "0123456789abcdef"  # the digits of the names of pieces


@frozen
class Seal:
    """The seal of the last transaction: the seconds of all sessions together, the number of sessions, the time of the
    transaction (in seconds since 1970), and the status: `running`, or how the run ended."""

    rows: int
    total: int
    seconds: float
    sessions: int
    written: float
    status: str

    def row(self) -> tuple[Any, ...]:
        """The values for the table, in the order of its columns, with their digest."""
        fields = (self.rows, self.total.to_bytes(16, "little"), self.seconds, self.sessions, self.written, self.status)
        return (1, *fields, schema.digest("seal", *fields))


@frozen
class FoundBest:
    """A better answer, and after how many seconds of the run it was found."""

    cost: int
    answer: OptionNumbers
    seconds: float


@frozen
class PieceRow:
    """A row of the table `pieces`."""

    stage: int
    name: str
    prefix: bytes
    weight: float
    state: int
    bound: int | None
    count: int
    children: int
    nodes: int
    updates: int
    wasted: int
    seconds: float
    digest: bytes

    def row(self) -> tuple[Any, ...]:
        """The values for the table, in the order of its columns, with their digest."""
        fields = (
            self.stage, self.name, self.prefix, self.weight, self.state, self.bound, str(self.count), self.children,
            self.nodes, self.updates, self.wasted, self.seconds, self.digest,
        )  # fmt: skip
        return (*fields, schema.digest("pieces", *fields))

    @property
    def fault(self) -> str | None:
        """What is wrong with the row; None for one that covr writes. For rows that were read, whose fields are of the
        right kinds."""
        if self.count < 0:
            return "a piece has a count below 0"
        known = self.state in (schema.OPEN, schema.DONE, schema.CUT)
        if not known or (self.state == schema.CUT) != bool(self.children):
            return "a piece is neither open nor done nor cut"
        if self.children > MOST_CHILDREN or len(self.name) % DIGITS or not set(self.name) <= set(HEX):
            return "a piece has a name that no piece has"
        return None

    def task(self) -> Task:
        """An open piece as a task. Raises ValueError if its prefix is damaged."""
        return Task(self.name, schema.prefix_of(self.prefix), self.weight, self.bound)

    @property
    def is_open(self) -> bool:
        """Whether the piece is still to be searched."""
        return self.state == schema.OPEN

    @classmethod
    def of(cls, stage: int, task: Task, change: Settled | None = None) -> PieceRow:
        """The row of an open task, or of a settled one with its result. A piece that is not open has no prefix."""
        if change is None:
            prefix = schema.prefix_bytes(task.prefix)
            return cls(stage, task.name, prefix, task.weight, schema.OPEN, task.bound, 0, 0, 0, 0, 0, 0.0, b"")
        r = change.result
        return cls(
            stage, task.name, b"", task.weight, schema.CUT if change.children else schema.DONE, r.bound, r.count,
            len(change.children), r.nodes, r.updates, r.wasted, r.seconds,
            b"" if r.answers is None else schema.data_digest(r.answers),
        )  # fmt: skip


def tree_fault(pieces: Sequence[PieceRow]) -> str | None:
    """What is wrong with the pieces of a stage as a tree; None if each but the first is a part of one that was cut, and
    no part is missing."""
    wrong = "its pieces do not fit together"
    if sum(piece.children for piece in pieces) != len(pieces) - 1:
        return wrong
    there = {piece.name for piece in pieces}
    parts = {f"{p.name}{k:0{DIGITS}x}" for p in pieces for k in range(p.children)} | {""}
    return None if there == parts else wrong


@frozen
class Contents:
    """Everything in a run file except the answers. pieces: per stage, the rows of the table `pieces`."""

    about: Mapping[str, str]
    files: Mapping[str, bytes]
    pieces: Mapping[int, Sequence[PieceRow]]
    best: Mapping[int, Sequence[FoundBest]]
    seal: Seal

    def totals(self, stage: int) -> Totals:
        """The totals of the pieces of a stage."""
        totals = Totals()
        pieces = self.pieces.get(stage, ())
        kept: dict[str, float] = {}  # per piece that is cut, the weight of its children
        for piece in pieces:
            if piece.name:
                kept[piece.name[:-DIGITS]] = kept.get(piece.name[:-DIGITS], 0.0) + piece.weight
        for piece in pieces:
            if piece.state == schema.OPEN:
                continue
            shares = (kept.get(piece.name, 0.0) / piece.weight,) if piece.state == schema.CUT and piece.weight else ()
            result = PieceResult(
                piece.state == schema.DONE, count=piece.count, bound=piece.bound, nodes=piece.nodes,
                updates=piece.updates, wasted=piece.wasted, seconds=piece.seconds, weights=shares,
            )  # fmt: skip
            totals = totals.plus(Task(piece.name, Prefix(), piece.weight), result)
        found = self.best.get(stage)
        return evolve(totals, best=found[-1].cost) if found else totals
