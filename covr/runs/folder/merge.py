"""The results of a folder go back into the run that it was made of. It can be done at any time, and again.

The run's own ledger (engine/pieces/ledger.py) is asked for its open pieces, and each is settled with its result, if the
folder has one. A piece that is settled already is not asked for, so that each counts once, whoever answered it.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from pathlib import Path

from attrs import define, field

from covr.engine.check import check, cost
from covr.engine.pieces.ledger import DIGITS, Ledger, Task
from covr.engine.pieces.packing import unpack
from covr.engine.pieces.piece_values import PieceResult
from covr.engine.problem import Problem
from covr.faults import usage_error
from covr.runs.folder import results
from covr.runs.folder.bests import Bests
from covr.runs.folder.head import ASIDE, Head, mark_of
from covr.runs.question import model_of, question_of
from covr.runs.record import RunRecord, open_record

MANY = 200  # results between two writes: so many lists of answers are in memory


@define
class Merged:
    """What became of a merge. added: pieces that this merge settled.  missing: names of pieces without a result.
    elsewhere: how many of these are no part of the folder, since the run was cut in another way after it was made.
    damaged: files that are not what was written, and were put aside as `FILE.damaged`.  complete: whether nothing is
    missing of the stage that the folder is about."""

    added: int = 0
    missing: list[str] = field(factory=list)
    elsewhere: int = 0
    damaged: list[str] = field(factory=list)
    complete: bool = False


def merge(head: Head, file: Path) -> Merged:
    """Settle the pieces of a run with the results of a folder.

    For a minimum, the model is compiled, and better answers are checked. Raises ModelErrors E713 if the folder is of
    another run, and those of a run file (E701 to E709).
    """
    record = open_record(file)
    try:
        _same(head, record, file)
        merged = Merged()
        record.begin()
        ledger = record.stage(head.stage, head.minimum).ledger()
        before = ledger.totals.seconds
        problem = model_of(file, record.contents).problem if head.minimum else None
        _add(head, ledger, merged, problem)
        record.spent(ledger.totals.seconds - before)
        merged.complete = ledger.over
        record.end(_status(record, head, ledger))
        return merged
    finally:
        record.close()


def _same(head: Head, record: RunRecord, file: Path) -> None:
    contents = record.contents
    same = head.stage in contents.pieces and question_of(contents) == question_of(head.contents)
    if not same or mark_of(contents, head.stage, head.goal, head.ceiling) != head.mark:
        raise usage_error(
            "E713", f"the pieces in `{head.folder}` are not of `{file}`",
            help="name the run of which `covr split` made them; nothing was changed",
        )  # fmt: skip


def _status(record: RunRecord, head: Head, ledger: Ledger) -> str:
    """How the run stands after a merge. After the best value may come the answers that have it."""
    asked = question_of(record.contents)
    if head.stage < max(record.contents.pieces):  # the run has gone on since
        return record.contents.seal.status
    more = head.minimum and ledger.answer is not None and (asked.listed or asked.command == "count")
    return "exhausted" if ledger.over and not more else "interrupted"


def _add(head: Head, ledger: Ledger, merged: Merged, problem: Problem | None) -> None:
    """problem: for a minimum, what better answers are checked against."""
    if problem is not None:
        bests = Bests(head, problem)
        bests.look(at_once=True)
        merged.damaged += map(_aside, sorted(bests.damaged))
        if bests.cost is not None and bests.answer is not None:
            ledger.improve(bests.cost, bests.answer)
    names = {task.name for task in head.tasks}
    waiting = 0
    while (task := ledger.take()) is not None:
        try:
            outcome = results.read(head, task, whole=True)
            if outcome is not None:
                _check_count(head, task, outcome.result)
            if outcome is not None and problem is not None:
                _check(head, task, outcome.result, ledger, problem)
        except results.DamagedResult as fault:
            merged.damaged.append(_aside(fault.file))
            outcome = None
        if outcome is None:
            merged.missing.append(task.name)
            merged.elsewhere += root_of(task.name, names) is None
            continue
        ledger.settle(task.name, outcome.result)
        merged.added += 1
        waiting += 1
        if waiting == MANY:
            ledger.flush()
            waiting = 0
    ledger.flush()


def _check_count(head: Head, task: Task, result: PieceResult) -> None:
    """Raises DamagedResult if a result does not have the answers that it counts: the run would be damaged by it."""
    try:
        listed = None if result.answers is None else sum(1 for _ in unpack(result.answers))
    except ValueError as error:
        raise results.DamagedResult(results.path_of(head, task), str(error)) from None
    wanted = result.count if head.goal == "list" and result.done else None
    if listed != wanted or (result.count and (head.minimum or not result.done)):
        raise results.DamagedResult(results.path_of(head, task), "it does not have the answers that it counts")


def _check(head: Head, task: Task, result: PieceResult, ledger: Ledger, problem: Problem) -> None:
    """Raises DamagedResult if a result has a better answer that is none."""
    best = ledger.totals.best
    if result.best is None or (best is not None and result.best >= best):
        return
    answer = result.answer or ()
    if check(problem, answer) is not None or cost(problem, answer) != result.best:
        raise results.DamagedResult(results.path_of(head, task), "its best answer is none")


def roots_of(head: Head, missing: Iterable[str]) -> list[int]:
    """The numbers, from 1, of the pieces of a folder of which these are parts."""
    numbers = {task.name: number for number, task in enumerate(head.tasks, 1)}
    return sorted({numbers[root] for name in missing if (root := root_of(name, numbers)) is not None})


def root_of(name: str, names: Container[str]) -> str | None:
    """The piece of a folder that this one is a part of; None if it is a part of none."""
    for end in range(0, len(name) + 1, DIGITS):
        if name[:end] in names:
            return name[:end]
    return None


def _aside(file: Path) -> str:
    """Put a damaged file aside, so that its piece is answered again."""
    file.replace(file.with_name(file.name + ASIDE))
    return str(file)
