"""The rows of a matrix hold what was entered for whole families and choice by choice."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from types import SimpleNamespace
from typing import Any

from covr.compiler.lower.keys import FamilyRows
from covr.compiler.lower.matrix import entries_of


def drawn(rng: Random) -> tuple[Any, list[Any], list[list[int]], list[list[tuple[int, int]]]]:
    """A draft, its families, the numbers of the items of its blocks, and what each option should hold: its items with
    their colours. Some items have no number, and some choices are dropped."""
    sizes = [rng.randint(1, 4) for _ in range(rng.randint(1, 4))]
    numbers = list(range(sum(sizes)))
    if rng.random() < 0.5:
        rng.shuffle(numbers)
    numbering = [[numbers.pop() if rng.random() < 0.8 else -1 for _ in range(size)] for size in sizes]
    coloured = rng.random() < 0.4
    families, rows, whole, held, first = [], {}, {}, [], 0
    for name in "ab"[: rng.randint(1, 2)]:
        count = rng.randint(1, 5)
        families.append(SimpleNamespace(name=name, first=first, choices=range(count)))
        whole[name] = {}
        own: list[list[tuple[int, int]]] = [[] for _ in range(count)]
        for block, size in enumerate(sizes):
            each = [sorted(rng.sample(range(size), rng.randint(0, size))) for _ in range(count)]
            shades = [[rng.choice((0, 1, 2)) if coloured else 0 for _ in row] for row in each]
            if rng.random() < 0.7:
                whole[name][block] = FamilyRows(each, None, shades if coloured and rng.random() < 0.8 else None)
                shades = shades if whole[name][block].colours is not None else [[0] * len(row) for row in each]
            else:
                for at, row in enumerate(each):
                    entries = [(block, item, shade) for item, shade in zip(row, shades[at], strict=True)]
                    rows.setdefault(first + at, []).extend(entries)
            for at, row in enumerate(each):
                placed = [(numbering[block][item], shade) for item, shade in zip(row, shades[at], strict=True)]
                own[at] += [entry for entry in placed if entry[0] >= 0]
        held += own
        first += count
    dropped = {choice: None for choice in range(first) if rng.random() < 0.1}
    draft = SimpleNamespace(rows=rows, whole=whole, dropped=dropped)
    return draft, families, numbering, [sorted(own) for choice, own in enumerate(held) if choice not in dropped]


def test_options_hold_what_was_entered() -> None:
    scattered = coloured = 0
    for seed in range(600):
        draft, families, numbering, expected = drawn(Random(seed))
        starts, members, colours = entries_of(draft, families, numbering)
        shades = colours or [0] * len(members)
        pairs = list(zip(members, shades, strict=True))
        assert [pairs[a:b] for a, b in pairwise(starts)] == expected, seed
        scattered += bool(draft.rows)
        coloured += bool(colours)
    assert min(scattered, coloured) > 100
