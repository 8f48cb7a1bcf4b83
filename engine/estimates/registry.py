"""The pruning hook of minimum cover.

**The contract.** `bound(view, cutoff)` returns a number that no completion of the node undercuts: whatever
set of live options is taken from here so that every item is met, the sum of its costs — negative ones
included, see `View.credit` — is at least that number. `cutoff` is what is left to spend: the node is given up
when the bound is `cutoff` or more, so an estimate may stop as soon as it has reached it (it is None while
nothing is known). The bound
is trusted: too large a number loses answers. A fraction is rounded up, since costs are whole; infinity says
that the node has no completion.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import frozen

EstimateFunction = Callable[[Any, "int | None"], float]


@frozen
class Estimate:
    """name: as `Settings.estimate` and `--estimate` say it.  bound: see the contract.  about: one line for
    people."""

    name: str
    bound: EstimateFunction
    about: str = ""


ESTIMATES: dict[str, Estimate] = {}


def register(name: str, bound: EstimateFunction, about: str = "") -> Estimate:
    """Make an estimate known by name. Raises ValueError where the name is taken by another function."""
    if name in ESTIMATES and ESTIMATES[name].bound is not bound:
        raise ValueError(f"there is already an estimate `{name}`")
    ESTIMATES[name] = Estimate(name, bound, about)
    return ESTIMATES[name]


def find_estimate(estimate: str | EstimateFunction) -> Estimate:
    """The estimate of that name, or one made from a callable. Raises ValueError for an unknown name."""
    if callable(estimate):
        return Estimate(getattr(estimate, "__name__", "callable"), estimate)
    if estimate not in ESTIMATES:
        raise ValueError(f"there is no estimate `{estimate}`; there are {', '.join(ESTIMATES)}")
    return ESTIMATES[estimate]
