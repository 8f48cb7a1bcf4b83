"""Which options of a covering problem are equivalent: an orbit of the group that maps the problem to itself.

The group is that of the graph of items and options, where an option's cost and an item's need are its colour. It
is found by nauty through the package pynauty, the extra `covr[sym]`; without it nothing is equivalent.

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
