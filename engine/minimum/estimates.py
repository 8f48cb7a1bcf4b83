"""The hook for admissible estimates, and those that come with covr."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from numbers import Real
from typing import Any, Protocol

from covr.engine.base.limits import whole
from covr.engine.problem import Problem
from covr.frozen import frozen

# --- view ------------------------------------------------------------------------------------------------------------
# What an estimate sees of a search node.


class View(Protocol):
    """The residual problem at a node. It is the search's own state: valid only during the call, and not to be kept.

    Item and option numbers are those of `problem`, the matrix that is being searched. This is the caller's problem,
    except that a seed renumbers it, and that costs may be shifted by constants (see `engine/prepare/ceiling.py`).
    A *live* option has been neither taken nor excluded and conflicts with nothing taken.
    An item that is met needs 0 and has no options. Numbers of items or options that the problem does not have,
    including negative ones, raise IndexError; reading a view while its search goes on in another thread raises
    RuntimeError.
    """

    @property
    def problem(self) -> Problem:
        """The matrix that is being searched."""

    @property
    def paid(self) -> int:
        """The cost of all options taken so far."""

    @property
    def depth(self) -> int:
        """How many options were taken so far, not counting given ones."""

    @property
    def credit(self) -> int:
        """The sum of the negative costs of live options, at most 0. The cost of a completion is never less."""

    def uncovered(self) -> Sequence[int]:
        """The items that need more options, increasing."""

    def need(self, item: int) -> int:
        """How many more options must hold the item; at least 1 for uncovered items."""

    def options(self, item: int) -> Sequence[int]:
        """The live options of an uncovered item, increasing."""

    def reach(self, option: int) -> Sequence[int]:
        """The uncovered items that a live option holds, increasing."""

    def cost(self, option: int) -> int:
        """The cost of the option."""


# --- registry --------------------------------------------------------------------------------------------------------
# The hook for estimates in a search for a minimum.
#
# **The contract.** `bound(view, cutoff)` returns a lower bound on the cost of all completions of the node: whatever set
# of live options is taken from here so that every item is met, the sum of their costs (including negative ones, see
# `View.credit`) is at least this number. `cutoff` is the cost at which a completion is no longer of interest: the node
# is abandoned if the bound is `cutoff` or more, so an estimate may stop as soon as its bound has reached that. `cutoff`
# is None while no answer is known. The bound is trusted: too large a number loses answers. A fraction is rounded up,
# because costs are whole; infinity means that the node has no completion.
#
# Instead of a number, it may return a `Bound`, which can also name prices and options. From prices, the engine computes
# a bound itself, so that wrong prices can only make it weak. Options may be named that no better completion takes, or
# that every better completion takes.
#
# None, text, nan and minus infinity are refused with a ValueError that names the estimate: they are always mistakes,
# which would be hidden if they were read as "nothing is known". `View.credit` is a bound that always holds.
#
# Several estimates form a cascade, cheapest first; each is called only if those before it have not ended the node.


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


# --- relaxed ---------------------------------------------------------------------------------------------------------
# What estimates with prices share: the rows of a node, and the value of prices.
#
# **Lagrange's bound.** Drop the condition that needs must be met, and charge a price y[i] >= 0 instead for every unit
# of need that is not met. A completion then costs at least
#
#     L(y) = sum of need[i] y[i]  +  sum of min(0, rc[o]),    rc[o] = cost[o] - sum of y[i] over the items of o,
#
# because for a completion x: cost x >= cost x + sum of y[i] (need[i] - how many of x hold i) >= L(y), term by term.
# Upper bounds and colours only exclude completions, so this holds for any problem; negative costs are part of min(0,
# rc). If an item takes exactly as many options as it needs, its price is multiplied by 0, so that price may be
# negative.
#
# **In whole numbers.** Any prices give a bound, so it does no harm that they are found in floats, which lose digits.
# But their value must be exact: prices are rounded down to multiples of 2**-SCALE, and L is computed from these in
# whole numbers of any size and rounded up once. So the bound is proved for all allowed costs, without any allowance for
# rounding errors.


SCALE = 30  # binary places that are kept of a price


@frozen
class RelaxedRows:
    """A node in plain lists. items: the uncovered items.  needs: the need of each.  options: the live options that hold
    any of them.  costs: the cost of each.  reach: per option, its items, as positions in `items`.  rest: the sum of the
    negative costs of live options that hold none of the items."""

    items: list[int]
    needs: list[int]
    options: list[int]
    costs: list[int]
    reach: list[list[int]]
    rest: int

    @classmethod
    def of(cls, view: View) -> RelaxedRows:
        """The rows of the node that a view shows. Time O(length of the live options)."""
        items = list(view.uncovered())
        place = {i: k for k, i in enumerate(items)}
        options = sorted({o for i in items for o in view.options(i)})
        costs = [view.cost(o) for o in options]
        return cls(
            items,
            [view.need(i) for i in items],
            options,
            costs,
            [[place[i] for i in view.reach(o)] for o in options],
            view.credit - sum(min(c, 0) for c in costs),
        )

    @property
    def starved(self) -> bool:
        """Whether an item has fewer options than it needs, so that there is no completion."""
        count = [0] * len(self.items)
        for reach in self.reach:
            for k in reach:
                count[k] += 1
        return any(c < need for c, need in zip(count, self.needs, strict=True))

    def reduced(self, prices: Sequence[float]) -> list[float]:
        """The reduced costs: each option's cost minus the prices of its items."""
        return [cost - sum(prices[k] for k in reach) for cost, reach in zip(self.costs, self.reach, strict=True)]

    def value(self, prices: Sequence[float]) -> int:
        """L(y) rounded up, exact for the rounded prices. A price may be negative only if its item takes exactly as many
        options as it needs. Time O(length of the live options)."""
        most = (sum(map(abs, self.costs)) + 1) << SCALE
        units = [max(min(_units(y, most), most), -most) for y in prices]
        total = self.rest << SCALE
        total += sum([need * y for need, y in zip(self.needs, units, strict=True)])
        for cost, reach in zip(self.costs, self.reach, strict=True):
            rc = (cost << SCALE) - sum([units[k] for k in reach])
            if rc < 0:
                total += rc
        return -(-total >> SCALE)


def _units(price: float, most: int) -> int:
    """A price in units of 2**-SCALE, rounded down; `most` if it is infinite, 0 if it is nan."""
    if price != price:
        return 0
    if math.isinf(price):
        return most if price > 0 else -most
    top, bottom = price.as_integer_ratio()
    return (top << SCALE) // bottom


def is_exact(view: View, item: int) -> bool:
    """Whether an uncovered item takes exactly as many options as it needs."""
    return view.problem.low[item] == view.problem.high[item]


def value(view: View, prices: Mapping[int, float]) -> int:
    """L(y) at a node, exact and rounded up. prices: by item number, 0 for items not named; negative prices count as 0
    unless the item is exact (`is_exact`)."""
    rows = RelaxedRows.of(view)
    return rows.value([y if is_exact(view, i) else max(y, 0) for i in rows.items for y in (prices.get(i, 0),)])


# --- none ------------------------------------------------------------------------------------------------------------
# No estimate: counts only the costs of the options taken, and all negative costs that could still be added.


def none(view: View, cutoff: int | None) -> int:
    """The sum of all negative costs of live options: no completion costs less. Time O(1)."""
    return view.credit


# --- price -----------------------------------------------------------------------------------------------------------
# Each uncovered item pays the least share of an option's cost.
#
# An option shares its cost evenly among the uncovered items it reaches; an item pays, for every unit of its need, the
# least share among its live options. No option is overpaid, so the prices are feasible for the dual of the linear
# program, and on regular problems (every option reaches as many items, every item is in as many options) they are its
# optimum. As cheap as `classic` and nearly always better.
#
# Source: the bound for unicost problems is well known ("every option covers at most k items"); with shares per item it
# is the first step of the dual greedy of Caprara, Fischetti and Toth (1999). Negative costs count as 0 here, and their
# sum is added at the end.


def price(view: View, cutoff: int | None) -> float:
    """The bound described above. Time O(length of the live options)."""
    rows = RelaxedRows.of(view)
    if rows.starved:
        return float("inf")
    return rows.value(least_shares(rows))


def least_shares(rows: RelaxedRows) -> list[float]:
    """The prices, in the order of `rows.items`."""
    prices = [float("inf")] * len(rows.items)
    for cost, reach in zip(rows.costs, rows.reach, strict=True):
        for k in reach:
            prices[k] = min(prices[k], max(cost, 0) / len(reach))
    return prices


# --- dual ------------------------------------------------------------------------------------------------------------
# Dual ascent: prices are raised one by one, as far as no option is overpaid.
#
# Begins with the prices of `price`. Then the price of each item, those with the fewest options first, is raised by the
# least amount by which one of its options is still underpaid. One pass is enough: a second one could not raise any
# price.
#
# Source: the dual ascent of Bilde and Krarup (1977) and Erlenkotter (1978) for plant location, for set covering in
# Fisher and Kedia (1990), "Optimal solution of set covering/partitioning problems using dual heuristics".


def dual(view: View, cutoff: int | None) -> float:
    """The bound described above. Time O(length of the live options)."""
    rows = RelaxedRows.of(view)
    if rows.starved:
        return float("inf")
    return rows.value(ascend(rows))


def ascend(rows: RelaxedRows) -> list[float]:
    """The prices, in the order of `rows.items`."""
    prices = least_shares(rows)
    left = [max(rc, 0.0) if cost >= 0 else 0.0 for rc, cost in zip(rows.reduced(prices), rows.costs, strict=True)]
    holders: list[list[int]] = [[] for _ in rows.items]
    for o, reach in enumerate(rows.reach):
        for k in reach:
            holders[k].append(o)
    for k in sorted(range(len(prices)), key=lambda k: len(holders[k])):
        rise = min(left[o] for o in holders[k])
        prices[k] += rise
        for o in holders[k]:
            left[o] -= rise
    return prices


# --- lagrange --------------------------------------------------------------------------------------------------------
# Lagrange's bound at prices that follow subgradients.
#
# Begins with the prices of `dual`. Each step changes every price in proportion to what its item lacks when all options
# of negative reduced cost are taken; the length of the step would reach the cutoff if the bound were linear. After 8
# steps in a row without progress, the length is halved, and the search continues from the best prices; it ends after 40
# steps, or when steps become tiny. The bound is that of the linear program to within a few thousandths, at a small part
# of the time.
#
# The kernel has the same loop in compiled form, keeps the prices from parent to child, and excludes and forces options
# by their reduced costs; this is its plain twin.
#
# Source: Held, Wolfe and Crowder (1974) for the steps; Beasley (1987) for set covering. Tried and not worth it: 12
# steps (50 times the nodes on Steiner 27), deflected subgradients, stopping early when the bound looks out of reach.


STEPS = 40  # subgradient steps at most
PATIENCE = 8  # steps without progress, after which the length of a step is halved


def lagrange(view: View, cutoff: int | None) -> float:
    """The bound described above. Time O(STEPS · length of the live options)."""
    rows = RelaxedRows.of(view)
    if rows.starved:
        return float("inf")
    target = cutoff if cutoff is not None else sum(max(c, 0) for c in rows.costs) + 1
    return rows.value(climb(rows, ascend(rows), target)[1])


def climb(rows: RelaxedRows, prices: list[float], target: float, steps: int = STEPS) -> tuple[float, list[float]]:
    """The best value found in a climb from these prices, and the prices that give it."""
    best, kept, bad, pace = -float("inf"), prices, 0, 1.0
    for _ in range(steps):
        reduced = rows.reduced(prices)
        lack = list(rows.needs)
        total = float(rows.rest) + sum(need * y for need, y in zip(lack, prices, strict=True))
        for rc, reach in zip(reduced, rows.reach, strict=True):
            if rc < 0:
                total += rc
                for k in reach:
                    lack[k] -= 1
        bad = 0 if total > best + abs(best) * 1e-4 or best == -float("inf") else bad + 1
        if total > best:
            best, kept = total, prices
        norm = sum(g * g for g, y in zip(lack, prices, strict=True) if g > 0 or y > 0)
        if best >= target or norm == 0:
            break
        if bad >= PATIENCE:
            pace, bad, prices = pace / 2, 0, kept
            if pace < 0.004:
                break
        step = pace * max(1.02 * target - total, 0.5) / norm
        prices = [max(y + step * g, 0.0) for y, g in zip(prices, lack, strict=True)]
    return best, kept


# --- classic ---------------------------------------------------------------------------------------------------------
# The strike-out count known from the literature.
#
# Take an uncovered item, count the least that it must cost by itself, strike every item that any of its live options
# holds, and repeat with the items that are not struck. Counted items share no live option, so no option is counted
# twice.
#
# What keeps it admissible beyond unit costs and a need of one:
# - an item that needs k more options takes at least k of its live ones, and counts k times the cheapest of them;
# - a negative cost counts as 0 there, and the sum of all negative live costs is added once at the end: the positive
#   costs of a completion are at least what was counted, and its negative costs are at best all there are;
# - upper bounds and colours only exclude completions, so they need no special care.
#
# Source: the "h function" of published repeat-cover solvers (DLX with IDA*); items are taken in increasing
# number. The kernel has the same loop in compiled form; this is its twin and oracle.


def classic(view: View, cutoff: int | None) -> float:
    """The count described above. Time O(length of the live options of the counted items)."""
    total: float = view.credit
    struck: set[int] = set()
    for i in view.uncovered():
        if i in struck:
            continue
        options = view.options(i)
        if not options:
            return float("inf")
        total += view.need(i) * min(max(view.cost(o), 0) for o in options)
        for o in options:
            struck.update(view.reach(o))
    return total


# --- auto ------------------------------------------------------------------------------------------------------------
# The estimate that is used by default: the engine's own choice.
#
# For covering problems the kernel runs `price`, `dual` and `lagrange` as a cascade. The climb of `lagrange` is made
# only if, judging by the gains of recent climbs, it is likely to end the node; every 16th climb is made in any case, to
# keep that judgement up to date. So each node decides, without a clock, which estimate pays: near the root none of them
# ends a node, deep in the tree `price` is enough, and in between `lagrange` is worth its time. The alternative would be
# to try the three on a few thousand nodes and keep the best (docs/engines.md); if it always chose right it would gain
# 7 % on average, but most problems end before that. Choosing by the mean work below nodes with and without a climb was
# slower by an eighth.
#
# After about a second, a tree of linear programs gets a small part of the time, for a bound that rises (mixed.py).
#
# For other problems that tree comes first (mixed.py). Beside it, `classic` runs in compiled form at the nodes of
# Dancing Links. In Python, `auto` is this function, which is `dual`, because that takes as little time as an estimate
# in Python can.


def auto(view: View, cutoff: int | None) -> float:
    """The bound of `dual`."""
    return dual(view, cutoff)


# --- estimates -------------------------------------------------------------------------------------------------------
# A view of a search node comes in; a lower bound on the cost of its completions goes out.


register("auto", auto, "those of price, dual and lagrange that pay here", 0)
register("none", none, "what negative costs could still bring; nothing else", 0)
register("classic", classic, "strike-out count of items that share no option", 1)
register("price", price, "each item pays the least share of an option's cost", 2)
register("dual", dual, "prices raised one by one while no option is overpaid", 3)
register("lagrange", lagrange, "prices that follow subgradients to convergence", 4)
