"""What a linear program proves of all answers up to a ceiling (single.py).

Its prices bound every node of Dancing Links: an answer costs at least what the items' needs and rooms are worth, and
the reduced costs of its options on top. What the prices prove of single options and items may leave only answers that
are cheap enough: then they are counted as if nothing had a cost, with a memo, and none is met. All of it is worked out
in whole numbers, from prices of which nothing is assumed.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from covr.engine.base.limits import check_limits, with_limit_checks
from covr.engine.kernels.header import SCALE
from covr.engine.kernels.loading import load
from covr.engine.minimum.mixed_core import COARSEST, MOST_ROWS, WIDEST, sided_core
from covr.engine.minimum.mixed_tree import BoundTree
from covr.engine.prepare.masks import Residual
from covr.engine.problem import MOST_TOTAL, Problem, Total, build
from covr.frozen import frozen

LARGEST = 1 << 30  # units of cost: prices are used only if the costs add up to less
ROOM = 1 << 61  # units of 2**-SCALE of cost: no sum of prices in the kernel may reach this
DEAR = 1 << 56  # units of a price: the reduced cost of an option that no answer takes; more than all costs together


@frozen(eq=False)
class RootPrices:
    """What a linear program says about the answers of a pure problem up to a ceiling, all in units of 2**-SCALE.

    items: a price for each item, of either sign: that of its lower bound above 0, of its upper bound below.  more: per
    option, what rows that are no items pay for it; at least 1 option has one.  base: what these rows add to the bound.
    loose: how much of the base an answer may leave unused.  feasible: False where no answer is cheap enough.
    """

    items: Sequence[int]
    more: Sequence[int]
    base: int = 0
    loose: int = 0
    feasible: bool = True


def fits_program(problem: Problem) -> bool:
    """Whether prices are looked for: costs that add up to little enough, and a program that is not too large."""
    return 0 < sum(map(abs, with_limit_checks(problem.costs))) < LARGEST and problem.options * problem.items <= WIDEST


def root_prices(problem: Problem, residual: Residual, ceiling: int, interpreted: bool = False) -> RootPrices | None:
    """The prices of the linear program of a pure problem for which `fits_program` holds; None if they are of no use.

    residual: of the problem.  ceiling: what an answer may cost. Takes as long as solving the program.
    """
    core = sided_core(problem, (), ())
    if core.unit < COARSEST or core.rows > MOST_ROWS:
        return None
    tree = BoundTree(
        core, load("_mixed", interpreted), core.ceiling(ceiling), load("_looks", interpreted).Looks(check_limits)
    )
    while tree.root is None and not tree.done:
        tree.step()
    if tree.root is None:
        return RootPrices((0,) * problem.items, (0,) * problem.options, feasible=False)
    items, more = [0] * problem.items, [0] * problem.options
    base = 0
    strange: dict[int, int] = {}  # the prices of rows that are no items
    for row, price in enumerate(tree.root.prices):
        price = (price * core.gcd << SCALE) // core.unit
        source = core.sources[row]
        if source is not None:
            items[source[price < 0]] += price
        elif price:
            strange[row] = price
            base += price * (core.highs[row] if price < 0 else core.lows[row])
    for k, o in enumerate(with_limit_checks(core.numbers)):
        more[o] = sum([strange[i] for i in core.options[k] if i in strange])
    alive = {core.numbers[k] for k in [*tree.root.taken, *tree.root.free]}
    found = RootPrices(items, more, base, sum(map(abs, strange.values())))
    extra = _reduced(problem, residual, found)
    for o in with_limit_checks(range(problem.options)):
        if residual.live[o] and o not in alive:
            more[o] += extra[o] - DEAR
    own = effective(problem, residual, found)
    parts = _worths(residual, own)
    least = base + sum(parts) + sum([min(extra[o], 0) for o in with_limit_checks(alive)])
    most = abs(base) + sum(map(abs, parts)) + sum([abs(extra[o]) for o in with_limit_checks(alive)])
    return found if most < ROOM // 2 and least > -DEAR // 4 else None


def _reduced(problem: Problem, residual: Residual, prices: RootPrices) -> list[int]:
    """The reduced costs of the live options; of others, 0."""
    own = effective(problem, residual, prices)
    shade = problem.colours or None
    found = [0] * problem.options
    starts, members = problem.starts, problem.members
    for o in with_limit_checks(range(problem.options)):
        if residual.live[o]:
            held = range(starts[o], starts[o + 1])
            paid = sum([own[members[k]] for k in held if shade is None or not shade[k]])
            found[o] = (problem.costs[o] << SCALE) - paid - prices.more[o]
    return found


def _worths(residual: Residual, own: Sequence[int]) -> list[int]:
    """What each item adds to the bound. own: its price, as `effective` gives it."""
    return [
        price * (residual.need[i] if price > 0 else residual.room[i]) for i, price in enumerate(with_limit_checks(own))
    ]


def effective(problem: Problem, residual: Residual, prices: RootPrices) -> list[int]:
    """The prices of the items, 0 where the bound that they pay for says nothing."""
    held = [0] * problem.items
    for o in with_limit_checks(range(problem.options)):
        if residual.live[o]:
            for i in problem.option(o):
                held[i] += 1
    return [
        price if (residual.need[i] > 0 if price > 0 else residual.room[i] < held[i]) else 0
        for i, price in enumerate(with_limit_checks(prices.items))
    ]


def cheap_enough(problem: Problem, residual: Residual, prices: RootPrices, ceiling: int) -> Problem | None:
    """A problem without costs that has as many answers as this one has up to the ceiling; None where the prices do not
    show that there is one: without the options, and the numbers of options, that they prove too dear, every answer is
    cheap enough.

    problem, residual, prices: as for `root_prices`. Linear time.
    """
    if not prices.feasible or not residual.feasible:
        return None
    own, extra = effective(problem, residual, prices), _reduced(problem, residual, prices)
    live = [o for o in with_limit_checks(range(problem.options)) if residual.live[o]]
    worth = prices.base + sum(
        [p * (residual.need[i] if p > 0 else residual.room[i]) for i, p in enumerate(with_limit_checks(own))]
    )
    paid = sum([problem.costs[o] for o in problem.given])
    gap = (ceiling - paid << SCALE) - worth - sum([min(extra[o], 0) for o in live])
    if gap < 0:
        return None
    kept = sorted([*problem.given, *(o for o in live if extra[o] <= gap)])
    held, before = [0] * problem.items, [0] * problem.items
    for o in with_limit_checks(kept):
        for i in problem.option(o):
            held[i] += 1
    for o in problem.given:
        for i in problem.option(o):
            before[i] += 1
    low, high = list(problem.low), list(problem.high)
    spread = prices.loose + sum([abs(extra[o]) for o in live if extra[o] <= gap])
    for i, price in enumerate(with_limit_checks(own)):
        if price > 0:
            high[i] = min(high[i], before[i] + residual.need[i] + gap // price)
            spread += price * max(min(high[i], held[i]) - before[i] - residual.need[i], 0)
        elif price < 0:
            low[i] = max(low[i], before[i] + residual.room[i] - gap // -price)
            spread -= price * max(before[i] + residual.room[i] - low[i], 0)
    if spread >= gap + (1 << SCALE):
        return None
    order = sorted(range(problem.items), key=lambda i: low[i] == 0)
    place = {i: k for k, i in enumerate(order)}
    pairs = [zip(problem.option(o), problem.option_colours(o), strict=True) for o in with_limit_checks(kept)]
    given = set(problem.given)
    return build(
        [(low[i], high[i]) for i in order],
        [[(place[i], colour) for i, colour in option] for option in with_limit_checks(pairs)],
        given=[k for k, o in enumerate(kept) if o in given],
    )


def too_dear(problem: Problem, ceiling: int, interpreted: bool = False) -> Total | None:
    """A total that every answer of any problem keeps that costs at most `ceiling`: its terms are the reduced costs of
    the linear program at the root, which holds what the sides imply; None where there is none.

    Takes as long as solving the program, with the rows that are added to it.
    """
    from covr.engine.minimum.sided_tree import plant

    if not 0 < sum(map(abs, with_limit_checks(problem.costs))) < LARGEST or problem.options * problem.items > WIDEST:
        return None
    looks = load("_looks", interpreted).Looks(check_limits)
    planted = plant(evolve(problem.by_all(), witness=None), ceiling, interpreted, looks)
    if planted is None:
        return None
    _, tree = planted
    while not tree.is_past_root and tree.found is None:
        tree.step()
    core, root = tree.core, tree.root
    gap = -1 if root is None else core.barrier(core.ceiling(ceiling)) - 1 - root.bound
    if root is None or gap < 0:
        return Total((), ())
    # What an option costs beside the bound if it is taken, or, below 0, if it is not; no answer pays more than the gap.
    paid = dict.fromkeys(range(problem.options), gap + 1)
    paid.update(dict.fromkeys(problem.given, 0))
    paid.update(dict.fromkeys(tree.also, -gap - 1))
    for k in root.taken:
        paid[core.numbers[k]] = -gap - 1
    for k in root.free:
        paid[core.numbers[k]] = max(min(root.reduced[k], gap + 1), -gap - 1)
    most = sum(map(abs, with_limit_checks(paid.values())))
    fewer = max(most.bit_length() - MOST_TOTAL.bit_length() + 1, 0)  # binary digits that there is no room for
    whole = {o: (abs(price) >> fewer) * (1 if price > 0 else -1) for o, price in with_limit_checks(paid.items())}
    spared = sum([-price for price in whole.values() if price < 0])
    return Total(tuple([(o, price) for o, price in whole.items() if price]), ((-spared, (gap >> fewer) - spared),))
