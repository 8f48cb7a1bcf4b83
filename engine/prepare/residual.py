"""What is left of a problem once its given options are taken."""

from __future__ import annotations

from collections.abc import Sequence

from covr.engine.base.heed import heeded
from covr.engine.problem import Problem
from covr.engine.sides import refuse_sides
from covr.frozen import frozen


@frozen
class Residual:
    """Where the search begins. Numbers are those of the problem.

    need: per item, how many more options it must have (0 when met). Capped at one more than the number of options, so
        that kernels can use 32 bits.
    room: per item, how many more options it may have; capped at the number of options.
    fixed: per item, the colour that given options show there, or 0.
    live: per option, 1 if it may still be taken, else 0.
    feasible: False if there is no answer because given options conflict or an item needs more than it may have.
    """

    need: Sequence[int]
    room: Sequence[int]
    fixed: Sequence[int]
    live: bytearray
    feasible: bool


def take_given(problem: Problem) -> Residual:
    """Take the given options, and drop the options that they exclude. Time linear in the total length of the options.

    Raises Unsuited if the problem has sides, because the searches that begin here know only items.
    """
    refuse_sides(problem, "a search that knows items only")
    n = problem.options
    need = [min(lo, n + 1) for lo in heeded(problem.low)]
    room = [min(h, n) for h in heeded(problem.high)]
    fixed = [0] * problem.items
    feasible = all(lo <= h for lo, h in heeded(zip(problem.low, problem.high, strict=True)))
    for o in heeded(problem.given):
        if not _fits(problem, o, room, fixed):
            feasible = False
            break
        for i, colour in zip(problem.option(o), problem.option_colours(o), strict=True):
            need[i] = max(need[i] - 1, 0)
            if colour:
                fixed[i] = colour
            else:
                room[i] -= 1
    if not problem.given and all(r > 0 for r in room):
        return Residual(need, room, fixed, bytearray(b"\1") * n, feasible)
    live = bytearray(n)
    given = set(problem.given)
    full = [r <= 0 or shown > 0 for r, shown in heeded(zip(room, fixed, strict=True))]
    starts, members = problem.starts, problem.members
    for o in heeded(range(n)):
        if True in map(full.__getitem__, members[starts[o] : starts[o + 1]]):
            live[o] = bool(problem.colours) and o not in given and _fits(problem, o, room, fixed)
        else:
            live[o] = o not in given
    return Residual(need, room, fixed, live, feasible)


def _fits(problem: Problem, o: int, room: Sequence[int], fixed: Sequence[int]) -> bool:
    if not problem.colours:
        return all(room[i] > 0 for i in problem.option(o))
    return all(
        (room[i] > 0 and fixed[i] in (0, colour)) if colour else (room[i] > 0 and not fixed[i])
        for i, colour in zip(problem.option(o), problem.option_colours(o), strict=True)
    )
