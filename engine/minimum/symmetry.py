"""Which options of a covering problem are equivalent: an orbit of the group that maps the problem to itself.

The group is that of the graph of items and options, where an option's cost and an item's need are its colour. It
is found by nauty through the package pynauty, the extra `covr[sym]`. Without it the maps that a model declares
(`up to`) are tried: one that carries what is left at a node to itself, which is looked at there, makes an option
equivalent to its image, so that a map that is no symmetry, or not here, can do no harm. nauty finds all of those maps
and more: with it, declared ones are not asked for.

Source: orbital branching, Ostrowski, Linderoth, Rossi and Smriglio (2011): when an option was tried and nothing
better found, no option of its orbit — in the problem that was left where it was tried — can do better. We ask only
after many nodes were spent below an option, so that detection never costs more than it can save.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from functools import cache
from typing import Any


@cache
def _nauty() -> Any:
    try:
        return importlib.import_module("pynauty")
    except ImportError:
        return None


def can_detect() -> bool:
    """Whether pynauty is installed."""
    return _nauty() is not None


def orbit(needs: Sequence[int], options: Sequence[Sequence[int]], costs: Sequence[int], option: int) -> list[int]:
    """The options equivalent to the given one, itself included, increasing.

    needs: per item.  options: their items.  costs: per option. Time that of nauty: next to nothing for most.
    """
    nauty = _nauty()
    if nauty is None:
        return [option]
    m, n = len(needs), len(options)
    kinds: dict[tuple[int, int], set[int]] = {}
    for i, need in enumerate(needs):
        kinds.setdefault((0, need), set()).add(i)
    for o, cost in enumerate(costs):
        kinds.setdefault((1, cost), set()).add(m + o)
    graph = nauty.Graph(
        m + n,
        adjacency_dict={m + o: list(held) for o, held in enumerate(options)},
        vertex_coloring=[kinds[kind] for kind in sorted(kinds)],
    )
    orbits = nauty.autgrp(graph)[3]
    return [o for o in range(n) if orbits[m + o] == orbits[m + option]]


def declared_orbit(
    needs: Sequence[int],
    options: Sequence[Sequence[int]],
    costs: Sequence[int],
    option: int,
    numbers: Sequence[int],
    maps: Sequence[Sequence[int]],
) -> list[int]:
    """As `orbit`, by those of the maps that carry this problem to itself.

    numbers: what the options are called in the maps, each of which sends a number to a number, or below 0 to nothing.
    Time O(length of the options), times the number of maps that keep all options among themselves.
    """
    place = {number: o for o, number in enumerate(numbers)}
    same = {option}
    frontier = [option]
    images: list[list[int]] = []
    for one in maps:
        moved = [place.get(one[number], -1) for number in numbers]
        if -1 not in moved and _carries(needs, options, costs, moved):
            images.append(moved)
    while frontier:
        o = frontier.pop()
        for moved in images:
            if moved[o] not in same:
                same.add(moved[o])
                frontier.append(moved[o])
    return sorted(same)


def _carries(
    needs: Sequence[int], options: Sequence[Sequence[int]], costs: Sequence[int], moved: Sequence[int]
) -> bool:
    """Whether a permutation of options keeps costs, and sends the options of every item to those of one that needs as
    many."""
    if any(costs[o] != costs[image] for o, image in enumerate(moved)):
        return False
    before: list[list[int]] = [[] for _ in needs]
    after: list[list[int]] = [[] for _ in needs]
    for o, held in enumerate(options):
        for i in held:
            before[i].append(o)
            after[i].append(moved[o])
    return sorted((need, run) for need, run in zip(needs, before, strict=True)) == sorted(
        (need, sorted(run)) for need, run in zip(needs, after, strict=True)
    )
