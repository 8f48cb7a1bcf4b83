"""Checks whether a set of options is an answer. Shares no code with any search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from covr.engine.problem import MAX_COST, Problem


def check(problem: Problem, answer: Sequence[int]) -> str | None:
    """None if `answer` is an answer of the problem; otherwise a sentence that names the first requirement it breaks.

    answer: option numbers, increasing. Time linear in the length of its options and the number of items.
    """
    if list(answer) != sorted(set(answer)):
        return "the options are not in increasing order without repetition"
    if answer and not 0 <= answer[0] <= answer[-1] < problem.options:
        return "there is no option of that number"
    missing = set(problem.given) - set(answer)
    if missing:
        name = _name(problem.option_names, min(missing), "option")
        return f"{name} is given, but not taken"
    plain: Counter[int] = Counter()
    shown: dict[int, int] = {}
    for o in answer:
        for i, colour in zip(problem.option(o), problem.option_colours(o), strict=True):
            if colour == 0:
                plain[i] += 1
            elif shown.setdefault(i, colour) != colour:
                return f"{_name(problem.item_names, i, 'item')} shows two colours"
    for i, (low, high) in enumerate(zip(problem.low, problem.high, strict=True)):
        times = plain[i] + (i in shown)
        if not low <= times <= high:
            wanted = f"{low} to {high}" if high < MAX_COST else f"at least {low}"
            return f"{_name(problem.item_names, i, 'item')} is met {times} times, not {wanted}"
    return None


def cost(problem: Problem, answer: Sequence[int]) -> int:
    """The sum of the costs of an answer's options."""
    return sum(problem.costs[o] for o in answer) if problem.costs else 0


def _name(names: Sequence[str], number: int, kind: str) -> str:
    return f"`{names[number]}`" if names else f"{kind} {number}"
