"""The hook for estimates in a search for a minimum.

**The contract.** `bound(view, cutoff)` returns a lower bound on the cost of all completions of the node: whatever set
of live options is taken from here so that every item is met, the sum of their costs (including negative ones, see
`View.credit`) is at least this number. `cutoff` is the cost at which a completion is no longer of interest: the node is
abandoned if the bound is `cutoff` or more, so an estimate may stop as soon as its bound has reached that. `cutoff` is
None while no answer is known. The bound is trusted: too large a number loses answers. A fraction is rounded up, because
costs are whole; infinity means that the node has no completion.

Instead of a number, it may return a `Bound`, which can also name prices and options. From prices, the engine computes a
bound itself, so that wrong prices can only make it weak. Options may be named that no better completion takes, or that
every better completion takes.

None, text, nan and minus infinity are refused with a ValueError that names the estimate: they are always mistakes,
which would be hidden if they were read as "nothing is known". `View.credit` is a bound that always holds.

Several estimates form a cascade, cheapest first; each is called only if those before it have not ended the node.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping
from numbers import Real
from typing import Any

from covr.engine.base.whole import whole
from covr.frozen import frozen


@frozen
class Bound:
    """What an estimate may return instead of a number.

    lower: the lower bound; trusted.  prices: per item (0 for items not named), at least 0, or of any sign if the item's
    low and high are equal. Whatever they are, the engine uses the bound: sum of need · price + sum over options of
    min(0, cost - prices of its items).
    exclude, force: options that no completion that costs less than the cutoff takes, or that every such completion
    takes; trusted. They are used only in searches for a minimum; a list of every answer up to a ceiling uses only the
    bound, to keep its documented order. Options that are not live are ignored, and so are those that no uncovered item
    needs, unless their cost is negative.
    """

    lower: float
    prices: Mapping[int, float] | None = None
    exclude: Collection[int] = ()
    force: Collection[int] = ()


EstimateFunction = Callable[[Any, "int | None"], "float | Bound"]


@frozen
class Estimate:
    """An estimate that can be chosen by name.

    name: as in `Settings.estimate` and `--estimate`.  bound: see the contract.  about: one line for users.
    rank: its place in a cascade, lowest first; estimates written in Python come last.
    """

    name: str
    bound: EstimateFunction
    about: str = ""
    rank: int = 100


ESTIMATES: dict[str, Estimate] = {}


@frozen
class Heard:
    """What an estimate returned, checked and converted to Python's own numbers.

    lower: rounded up; None if there is no completion.  prices: not negative, finite; None if none were named.
    exclude, force: options of the problem.
    """

    lower: int | None
    prices: Mapping[int, float] | None
    exclude: Collection[int]
    force: Collection[int]


HIGHEST = 2.0**100  # units of cost: more than any cost; larger prices are reduced to this


def hear(estimate: Estimate, said: object, options: int) -> Heard:
    """Check and convert what an estimate returned. Raises ValueError, which names the estimate, for values of a wrong
    kind.

    options: how many options the problem has; other numbers are left out.
    """
    bound = said if isinstance(said, Bound) else Bound(said)  # type: ignore[arg-type]
    lower = _number(estimate, bound.lower, "its bound")
    if lower == -math.inf:
        raise ValueError(f"the estimate {estimate.name} says -inf, which is no bound: view.credit always holds")
    return Heard(
        None if lower == math.inf else math.ceil(lower),
        None if bound.prices is None else _prices(estimate, bound.prices),
        _options(estimate, bound.exclude, "exclude", options),
        _options(estimate, bound.force, "force", options),
    )


def _prices(estimate: Estimate, prices: object) -> dict[int, float]:
    if not isinstance(prices, Mapping):
        raise ValueError(f"the estimate {estimate.name} has prices that are no mapping of items, but {prices!r:.60}")
    found = {}
    for item, said in prices.items():
        price = _number(estimate, said, f"its price of item {item!r:.60}")
        found[whole(item, f"an item with a price in the estimate {estimate.name}")] = (
            HIGHEST if price >= HIGHEST else max(float(price), -float(HIGHEST))
        )
    return found


def _options(estimate: Estimate, said: object, field: str, options: int) -> list[int]:
    if not isinstance(said, Iterable) or isinstance(said, str | bytes):
        raise ValueError(f"the estimate {estimate.name} has no options in `{field}`, but {said!r:.60}")
    numbers = [whole(o, f"an option in `{field}` of the estimate {estimate.name}") for o in said]
    return [o for o in dict.fromkeys(numbers) if 0 <= o < options]


def _number(estimate: Estimate, said: object, what: str) -> Any:
    """A real number: an int, a float or a fraction, or one of numpy's."""
    if isinstance(said, bool) or not isinstance(said, Real) or said != said:
        raise ValueError(f"the estimate {estimate.name} is not a number: {what} is {said!r:.60}")
    try:
        return whole(said, what)
    except ValueError:
        return said


def register(name: str, bound: EstimateFunction, about: str = "", rank: int = 100) -> Estimate:
    """Register an estimate under a name. Raises ValueError if another function has that name."""
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
