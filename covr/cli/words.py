"""Verdicts as sentences, and the exit codes that go with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covr.cli.exits import FOUND, INTERRUPTED, NONE, UNKNOWN

if TYPE_CHECKING:
    from covr.run import Best, Run


def solutions(count: int) -> str:
    return f"{count} solution{'' if count == 1 else 's'}"


def optimum(best: Best, goal: str) -> str:
    """`minimum 5, proved`, or `best 7, at least 5` where a limit was hit."""
    if best.proved:
        return f"{'minimum' if goal == 'minimize' else 'maximum'} {best.value}, proved"
    if best.bound is None:
        return f"best {best.value}, not proved"
    return f"best {best.value}, at {'least' if goal == 'minimize' else 'most'} {best.bound}"


def stopped(run: Run) -> str:
    """Why a search ended before it was through."""
    if run.status == "interrupted":
        return "interrupted"
    options = run.options
    if options.limit_nodes is not None and run.counters.nodes >= options.limit_nodes:
        return f"stopped after {run.counters.nodes} nodes"
    return f"stopped after {options.limit_time:g} s"


def exit_code(run: Run, shown: int, whole: bool) -> int:
    """shown: answers found.  whole: whether the question was about all answers, and so is open until all are seen."""
    if run.status == "interrupted":
        return INTERRUPTED
    if run.complete:
        return FOUND if shown else NONE
    if run.status == "limit" and (whole or not shown):
        return UNKNOWN
    return FOUND
