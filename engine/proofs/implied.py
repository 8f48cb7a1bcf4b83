"""Conditions that a circuit implies: a total says of a vertex that none or two of its options are taken.

A model may say so of each vertex beside the loop itself, so that searches see more. A person who argues with the loop
has said it already, so where both would be in a reason, the loop is enough.
"""

from __future__ import annotations

from covr.engine.problem import Problem
from covr.engine.sides import Circuit, Total


def implied_by_circuits(problem: Problem) -> dict[int, int]:
    """Totals (as `items + k`) that a circuit implies, and that circuit. Time linear in the sides."""
    found: dict[int, int] = {}
    at: dict[frozenset[int], int] = {}  # the options at a vertex → the circuit
    for k, side in enumerate(problem.sides):
        if isinstance(side, Circuit):
            here: dict[int, set[int]] = {}
            for o, u, v in side.ends:
                for w in (u, v):
                    here.setdefault(w, set()).add(o)
            rounds = {u for _, u, v in side.ends if u == v}
            at.update((frozenset(options), problem.items + k) for w, options in here.items() if w not in rounds)
    for k, side in enumerate(problem.sides if at else ()):
        if isinstance(side, Total) and all(n == 1 for _, n in side.terms):
            circuit = at.get(frozenset(o for o, _ in side.terms))
            if circuit is not None and all(any(low <= n <= high for low, high in side.sums) for n in (0, 2)):
                found[problem.items + k] = circuit
    return found
