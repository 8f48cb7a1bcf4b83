"""Choices that show the same text at the same place, such as all ways to put a domino there, are one pencil mark."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from covr.compiler.display.picture import Mark
from covr.engine.problem import Problem


def alike(marks: Iterable[Mark]) -> list[list[Mark]]:
    """The marks that choices make, those with the same text at the same place together, in the order of the first."""
    found: dict[tuple[tuple[int, ...], str], list[Mark]] = {}
    for mark in marks:
        if mark.option >= 0:
            found.setdefault((mark.at, mark.text), []).append(mark)
    return list(found.values())


def exclude_each_other(problem: Problem, options: Sequence[int]) -> bool:
    """Whether an item that all of these options hold lets an answer take only one of them. If not, they may still
    exclude each other for other reasons."""
    if len(options) < 2:
        return True
    shared = set(problem.option(options[0])).intersection(*(problem.option(o) for o in options[1:]))
    return not problem.colours and any(problem.high[i] == 1 for i in shared)
