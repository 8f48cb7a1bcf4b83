"""Renumbers a problem, by a seed or by cost, and tells how to give answers their old numbers back."""

from __future__ import annotations

import random
from collections.abc import Sequence

from covr.engine.base.heed import heeded, look
from covr.engine.problem import Problem
from covr.engine.sides import renumbered_sides
from covr.engine.witness import carried
from covr.frozen import evolve


def shuffle(problem: Problem, seed: int) -> tuple[Problem, list[int]]:
    """The same problem with options and items in a random order, and for each new option its old number.

    Searches break ties between items by number, so renumbering the items (primary ones stay first) shuffles ties too.
    The order depends only on the seed and on the numbers of options, primary and secondary items. Takes time linear in
    the total length of the options.
    """
    rng = random.Random(seed)
    old_option = list(range(problem.options))
    _shuffle(old_option, rng)
    primary, secondary = list(range(problem.primary)), list(range(problem.primary, problem.items))
    _shuffle(primary, rng)
    _shuffle(secondary, rng)
    return rearranged(problem, old_option, primary + secondary), old_option


def _shuffle(numbers: list[int], rng: random.Random) -> None:
    """`rng.shuffle`, with looks at the limits: the same order, from the same random bits."""
    draw = rng.getrandbits
    for i in heeded(range(len(numbers) - 1, 0, -1)):
        bits = (i + 1).bit_length()
        k = draw(bits)
        while k > i:
            k = draw(bits)
        numbers[i], numbers[k] = numbers[k], numbers[i]


def cheapest_first(problem: Problem) -> tuple[Problem, list[int]]:
    """The same problem with cheaper options first, and for each new option its old number.

    Items keep their numbers, and options that cost the same keep their order. Takes time linear in the total length of
    the options, besides sorting.
    """
    order = list(range(problem.options))
    if problem.costs:
        order.sort(key=problem.costs.__getitem__)
        look()
    return rearranged(problem, order, range(problem.items)), order


def rearranged(problem: Problem, old_option: Sequence[int], old_item: Sequence[int]) -> Problem:
    """The same problem with options and items in another order.

    old_option, old_item: for each new number, the old one; primary items must stay first. Takes time linear in the
    total length of the options, besides sorting within each option.
    """
    new_item = _inverse(old_item)
    new_option = _inverse(old_option)
    first, starts = problem.starts, [0]
    members: list[int] = []
    colours: list[int] = []
    renumbered = [new_item[i] for i in heeded(problem.members)]
    if problem.colours:
        for o in heeded(old_option):
            shown = slice(first[o], first[o + 1])
            run = sorted(zip(renumbered[shown], problem.colours[shown], strict=True))
            members += [i for i, _ in run]
            colours += [c for _, c in run]
            starts.append(len(members))
    else:
        for o in heeded(old_option):
            members += sorted(renumbered[first[o] : first[o + 1]])
            starts.append(len(members))
    made = Problem(
        low=tuple([problem.low[i] for i in heeded(old_item)]),
        high=tuple([problem.high[i] for i in heeded(old_item)]),
        primary=problem.primary,
        starts=starts,
        members=members,
        colours=colours if problem.colours else (),
        costs=[problem.costs[o] for o in heeded(old_option)] if problem.costs else (),
        given=tuple(sorted(new_option[o] for o in problem.given)),
        sides=renumbered_sides(problem.sides, new_option),
        projection=None if problem.projection is None else tuple(sorted(new_option[o] for o in problem.projection)),
    )
    return made if problem.witness is None else evolve(made, witness=carried(problem, old_option))


def renumbered(images: Sequence[int], numbers: Sequence[int]) -> list[int]:
    """A map of options in the numbers of a rearranged problem.

    images: per old option, its image by old number, or -1 for none.  numbers: per new option, its old number.
    """
    new = _inverse(numbers)
    return [new[images[old]] if images[old] >= 0 else -1 for old in numbers]


def _inverse(order: Sequence[int]) -> list[int]:
    result = [0] * len(order)
    for new, old in enumerate(heeded(order)):
        result[old] = new
    return result
