"""The pruning hook of minimum cover.

**The contract.** `bound(view, cutoff)` returns a number that no completion of the node undercuts: whatever
set of live options is taken from here so that every item is met, the sum of its costs — negative ones
included, see `View.credit` — is at least that number. `cutoff` is what is left to spend: the node is given up
when the bound is `cutoff` or more, so an estimate may stop as soon as it has reached it (it is None while
nothing is known). The bound
is trusted: too large a number loses answers. A fraction is rounded up, since costs are whole; infinity says
that the node has no completion.

Instead of a number it may return a `Bound`, which also names prices, from which the engine works out a bound itself,
so that wrong ones can only be weak; and options that no better completion has, or that every better one has.

Several estimates form a cascade, cheapest first; one is called only where those before it have not ended the node.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from attrs import frozen


@frozen
class Bound:
    """What an estimate may say.

    lower: as the number alone; trusted.  prices: per item (those not named: 0), at least 0; the engine bounds by
    sum of need·price + sum over options of min(0, cost - prices of its items), whatever they are.
    exclude, force: options that no completion, or every completion, that costs less than the cutoff takes; trusted.
    Heard in searches for a minimum; a list of every answer up to a ceiling keeps its documented order, and hears the
    bound alone. Live options count; one that no uncovered item wants is heard where its cost is negative.
    """

    lower: float
    prices: Mapping[int, float] | None = None
    exclude: Collection[int] = ()
    force: Collection[int] = ()


EstimateFunction = Callable[[Any, "int | None"], "float | Bound"]


@frozen
class Estimate:
    """name: as `Settings.estimate` and `--estimate` say it.  bound: see the contract.  about: one line for
    people.  rank: its place in a cascade; those of Python come last."""

    name: str
    bound: EstimateFunction
    about: str = ""
    rank: int = 100


ESTIMATES: dict[str, Estimate] = {}


def register(name: str, bound: EstimateFunction, about: str = "", rank: int = 100) -> Estimate:
    """Make an estimate known by name. Raises ValueError where the name is taken by another function."""
    if name in ESTIMATES and ESTIMATES[name].bound is not bound:
        raise ValueError(f"there is already an estimate `{name}`")
    ESTIMATES[name] = Estimate(name, bound, about, rank)
    return ESTIMATES[name]


def find_estimate(estimate: str | EstimateFunction) -> Estimate:
    """The estimate of that name, or one made from a callable. Raises ValueError for an unknown name."""
    if callable(estimate):
        return Estimate(getattr(estimate, "__name__", "callable"), estimate)
    if estimate not in ESTIMATES:
        raise ValueError(f"there is no estimate `{estimate}`; there are {', '.join(ESTIMATES)}")
    return ESTIMATES[estimate]


def find_cascade(estimate: str | EstimateFunction) -> tuple[Estimate, ...]:
    """The estimates that a text names, separated by commas, cheapest first; or the one made from a callable.

    Raises ValueError for an unknown name.
    """
    if not isinstance(estimate, str):
        return (find_estimate(estimate),)
    names = dict.fromkeys(name.strip() for name in estimate.split(","))
    return tuple(sorted((find_estimate(name) for name in names), key=lambda e: e.rank))
