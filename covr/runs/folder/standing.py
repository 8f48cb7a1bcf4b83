"""How far a folder of pieces is, read while others work on it."""

from __future__ import annotations

from typing import Any

from covr.compiler.lower.stages import StageValue
from covr.frozen import frozen
from covr.runs.folder import claims, results
from covr.runs.folder.bests import Bests
from covr.runs.folder.head import Head
from covr.runs.question import RecordedQuestion, goals_of, name_of, question_of, stages_told, value_of


@frozen
class FolderStanding:
    """The progress of a folder.

    number: of pieces that it began with.  done, cut: how many are done, and how many were cut since, all parts counted.
    working: who is at work.  free: pieces at which nobody is.  over: how many of the first ones are done as a whole.
    lost: how often a process was lost with a piece that is still open.  fraction: how much of its tree is done, from 0
    to 1.  answers: counted or listed; None for a minimum.  best: as a value of the goal.  goals, stages: how many goals
    there are in order, and of several the value of each in the best answer, proved once all pieces are done.
    nodes, wasted, seconds: the work.  missing: numbers of the first pieces that are not done as a whole.
    damaged: files.
    """

    question: RecordedQuestion
    model: str
    stage: str
    number: int
    over: int
    done: int
    cut: int
    working: tuple[str, ...]
    free: int
    lost: int
    fraction: float
    answers: int | None
    best: int | None
    goals: int
    stages: tuple[StageValue, ...]
    nodes: int
    wasted: int
    seconds: float
    missing: tuple[int, ...]
    damaged: tuple[str, ...]


def folder_standing(head: Head) -> FolderStanding:
    """How far a folder is. Reads all of its results."""

    held = claims.Claims(head.folder)
    done = cut = count = nodes = wasted = lost = free = 0
    seconds = rest = 0.0
    missing, damaged, working = [], [], []
    for number, root in enumerate(head.tasks, 1):
        pending, is_open = [root], False
        while pending:
            task = pending.pop()
            try:
                outcome = results.read(head, task, whole=True)
            except results.DamagedResult as fault:
                damaged.append(str(fault))
                outcome = None
            if outcome is None:
                is_open = True
                rest += task.weight
                holder = held.get(head.key(task))
                lost += 0 if holder is None else holder.lost + (not holder.alive)
                if holder is not None and holder.alive:
                    working.append(holder.who)
                else:
                    free += 1
                continue
            result = outcome.result
            done, cut, count = done + result.done, cut + (not result.done), count + result.count
            nodes, wasted, seconds = nodes + result.nodes, wasted + result.wasted, seconds + result.seconds
            pending += outcome.children
        if is_open:
            missing.append(number)
    bests = Bests(head, None)
    if head.minimum:
        bests.look(at_once=True)
        damaged += [f"`{file}` is damaged" for file in sorted(bests.damaged)]
    whole = sum(task.weight for task in head.tasks)
    question = question_of(head.contents)
    return FolderStanding(
        question=question,
        model=name_of(head.contents),
        stage="minimum" if head.minimum else ("count" if question.command == "count" else "list"),
        number=len(head.tasks),
        over=len(head.tasks) - len(missing),
        done=done,
        cut=cut,
        working=tuple(working),
        free=free,
        lost=lost,
        fraction=1.0 if not missing else max(min(1 - rest / whole, 1.0), 0.0) if whole else 0.0,
        answers=None if head.minimum else count,
        best=None if bests.cost is None else value_of(head.contents.about, bests.cost),
        goals=goals_of(head.contents.about) if head.minimum else 0,
        stages=stages_told(head.contents.about, bests.cost, None if missing else bests.cost),
        nodes=nodes,
        wasted=wasted,
        seconds=seconds,
        missing=tuple(missing),
        damaged=tuple(damaged),
    )


def as_json(standing: FolderStanding) -> dict[str, Any]:
    """The fields of `covr status FOLDER --json`."""
    from covr.output.stream import goal_fields

    return {
        "command": standing.question.words,
        "model": standing.model,
        "stage": standing.stage,
        "fraction": round(standing.fraction, 9),
        "answers": standing.answers,
        "best": standing.best,
        **goal_fields(standing.stages),
        "pieces": {
            "number": standing.number, "over": standing.over, "done": standing.done, "cut": standing.cut,
            "free": standing.free, "lost": standing.lost,
        },
        "working": list(standing.working),
        "missing": list(standing.missing),
        "damaged": list(standing.damaged),
        "nodes": standing.nodes,
        "wasted": standing.wasted,
        "seconds": round(standing.seconds, 3),
    }  # fmt: skip


def ranges(numbers: tuple[int, ...] | list[int]) -> str:
    """Increasing numbers as a list of ranges, such as `3,8-12`, which `sbatch --array` reads as well."""
    found: list[list[int]] = []
    for number in numbers:
        if found and number == found[-1][1] + 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return ",".join(f"{a}" if a == b else f"{a}-{b}" for a, b in found)
