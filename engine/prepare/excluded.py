"""Options that no answer takes, because they conflict with every way of meeting some item.

If every option that could meet an item conflicts with an option o, then no answer takes o. What is dropped leaves other
items with fewer options, so this is repeated until nothing changes. In a nonogram, a block that covers a square
wherever it begins excludes white there, and that leaves fewer places for the blocks of the column: most nonograms are
decided without a search.

Sets of options are whole numbers, one bit for each option. Source: Knuth, TAOCP 7.2.2.1, drops options that would leave
an item without any before a search begins; sets of conflicts instead of his lists are ours.
"""

from __future__ import annotations

from covr.engine.base.heed import heeded, look
from covr.engine.prepare.bitsets import bit_set, some_members_of
from covr.engine.prepare.masks import WORD
from covr.engine.prepare.option_sets import holder_sets, shade_sets
from covr.engine.prepare.residual import take_given
from covr.engine.problem import Problem

MOST_WORK = 4_000_000  # words of 64 options that are intersected, which takes some hundredths of a second
MOST_OPTIONS = 8_000  # of a problem for which this is tried: the sets of conflicts then take up to 8 MB


def excluded(problem: Problem) -> tuple[int, ...] | None:
    """The options, increasing, that no answer takes because of what the given options and the items leave; those that
    conflict with given options are left out. None if an item can't be met, so that there is no answer.

    problem: without sides. What takes too long is left undone, and the same problem always gives the same result.
    """
    n = problem.options
    if n > MOST_OPTIONS:
        return ()
    left = take_given(problem)
    if not left.feasible:
        return None
    begun = alive = bit_set([o for o in range(n) if left.live[o]])
    holders = holder_sets(problem)
    conflicts = _conflicts(problem, holders)
    words = n // WORD + 1
    work = 0
    todo = [i for i in range(problem.primary) if left.need[i] > 0]
    while todo:
        dead = 0
        for i in todo:
            look()
            ways = some_members_of(holders[i] & alive)
            if not ways:
                return None
            every = alive
            for o in ways:
                every &= conflicts[o]
                work += words
                if not every:
                    break
            dead |= every
        if not dead or work > MOST_WORK:
            alive &= ~dead
            break
        alive &= ~dead
        touched = {i for o in some_members_of(dead) for i in problem.option(o)}
        todo = [i for i in sorted(touched) if i < problem.primary and left.need[i] > 0]
    return tuple(some_members_of(begun & ~alive))


def decides(problem: Problem, dead: tuple[int, ...]) -> bool:
    """Whether at most one answer is left without these options: every option that is left is the only one of some item.

    problem: without sides. Linear time.
    """
    left = take_given(problem)
    gone = set(dead)
    ways = [0] * problem.items
    kept = [o for o in heeded(range(problem.options)) if left.live[o] and o not in gone]
    for o in kept:
        for i in problem.option(o):
            ways[i] += 1
    return all(any(left.need[i] > 0 and ways[i] == 1 for i in problem.option(o)) for o in kept)


def _conflicts(problem: Problem, holders: list[int]) -> list[int]:
    """Per option, the set of the others that no answer takes together with it: they share an item that may have one
    option only. Options that show the same colour at an item share it."""
    shades = shade_sets(problem)
    found = []
    for o in heeded(range(problem.options), 64):
        both = 0
        for i, colour in zip(problem.option(o), problem.option_colours(o), strict=True):
            if colour:
                both |= holders[i] & ~shades[i][colour]
            elif problem.high[i] == 1:
                both |= holders[i]
        found.append(both & ~(1 << o))
    return found


__all__ = ["decides", "excluded"]
