"""The core of a covering problem: what is left after the obvious reductions, with options that all cost something.

Options of negative cost are in every cheapest cover, and options that cost nothing are taken if they help. Costs are
divided by their greatest common divisor, so that a bound that is rounded up is closer to a possible sum of costs.
Later, when the search has forced and excluded options at its root, what is left is made a core again (`narrow`),
perhaps with a larger divisor, and with items that the others imply.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd

from covr.engine.base.heed import heeded, look
from covr.engine.prepare.residual import take_given
from covr.engine.problem import Problem
from covr.engine.witness import Lost, exchanged
from covr.frozen import evolve, frozen

LARGEST = 2**31 - 1  # the largest sum of a core's costs; above it, sums of doubles would not be valid bounds
IMPLIED = -1  # the number of an item that the problem does not have, but others imply


@frozen
class Core:
    """The core of a covering problem.

    items, needs: per item its number in the problem (or IMPLIED), and its need, at least 1.
    options: per option its items in the core, increasing.  costs: per option, from 1, without a common divisor.
    numbers: per option its number in the problem.
    taken: options of the problem that are part of every cover, in addition to those of the core.  depth: how many of
    these the search itself has taken.
    base, unit: a cover that costs c in the core costs base + unit · c in the problem.
    feasible: whether there is any cover.
    witness: see `Problem`; in the core's numbers.
    """

    items: Sequence[int]
    needs: Sequence[int]
    options: Sequence[Sequence[int]]
    costs: Sequence[int]
    numbers: Sequence[int]
    taken: Sequence[int]
    depth: int
    base: int
    unit: int
    feasible: bool
    witness: frozenset[int] | None = None

    @property
    def worth(self) -> int:
        """What the witness costs in the core."""
        return sum(self.costs[o] for o in self.witness or ())

    def cutoff(self, ceiling: int) -> int:
        """The cutoff for covers of the core whose cost in the problem is at most the ceiling."""
        return (ceiling - self.base) // self.unit + 1

    @property
    def members(self) -> int:
        """The total length of the options: the sum of how many items each holds."""
        return sum(map(len, self.options))


def core(problem: Problem) -> Core:
    """The core of a problem: takes the given options, those of negative cost, and those that cost nothing and help.
    Linear time."""
    residual = take_given(problem)
    need = list(residual.need)
    costs = problem.costs or [0] * problem.options
    taken = list(problem.given)
    free = [o for o in heeded(range(problem.options)) if residual.live[o]]
    gains = [o for o in heeded(free) if costs[o] < 0]
    for o in heeded([*gains, *(o for o in heeded(free) if costs[o] == 0)]):
        if costs[o] < 0 or any(need[i] > 0 for i in problem.option(o)):
            taken.append(o)
            for i in problem.option(o):
                need[i] -= 1
    lacking = [i for i in heeded(range(problem.primary)) if need[i] > 0]
    number = {i: k for k, i in enumerate(heeded(lacking))}
    starts, members = problem.starts, problem.members
    is_whole = len(lacking) == problem.items  # the items keep their numbers
    options, numbers, holders = [], [], [0] * len(lacking)
    for o in heeded(free):
        if costs[o] <= 0:
            continue
        mine = members[starts[o] : starts[o + 1]]
        # Tuples, because the garbage collector forgets them; to go through 10⁵ lists takes it a tenth of a second.
        held = tuple(mine) if is_whole else tuple([number[i] for i in mine if i in number])
        if held:
            options.append(held)
            numbers.append(o)
            for i in held:
                holders[i] += 1
    needs = [need[i] for i in heeded(lacking)]
    unit = gcd(*(costs[o] for o in heeded(numbers))) or 1
    made = Core(
        lacking,
        needs,
        options,
        [costs[o] // unit for o in heeded(numbers)],
        numbers,
        taken,
        0,
        sum(costs[o] for o in heeded(taken)),
        unit,
        residual.feasible and all(h >= k for h, k in heeded(zip(holders, needs, strict=True))),
    )
    if problem.witness is None:
        return made
    # Options that cost nothing may be exchanged for others that do.
    place = {o: k for k, o in enumerate(numbers)}
    own = frozenset(place[o] for o in problem.witness if o in place)
    exchanged(problem, {*taken, *(numbers[k] for k in own)}, "the core of a cover")
    return evolve(made, witness=own)


def narrow(
    whole: Core,
    taken: Sequence[int],
    items: Sequence[int],
    needs: Sequence[int],
    numbers: Sequence[int],
    options: Sequence[Sequence[int]],
    implied: Sequence[tuple[int, Sequence[int]]] = (),
) -> Core:
    """What is left of a core when some of its options are taken and only some others stay.

    taken, items, numbers: in numbers of `whole`.  needs, options: of what is left; options in places of `items`.
    implied: further items, each a need and the options (places of `numbers`) that hold it.
    """
    held = [list(option) for option in heeded(options)]
    for k, (_, holders) in enumerate(implied, len(items)):
        for o in heeded(holders):
            held[o].append(k)
    costs = [whole.costs[o] for o in heeded(numbers)]
    unit = gcd(*costs) or 1
    look()
    made = Core(
        [*(whole.items[i] for i in heeded(items)), *(IMPLIED for _ in implied)],
        [*needs, *(need for need, _ in implied)],
        [tuple(option) for option in heeded(held)],
        [cost // unit for cost in heeded(costs)],
        [whole.numbers[o] for o in heeded(numbers)],
        [*whole.taken, *(whole.numbers[o] for o in heeded(taken))],
        whole.depth + len(taken),
        whole.base + whole.unit * sum(whole.costs[o] for o in taken),
        whole.unit * unit,
        True,
    )
    return made if whole.witness is None else evolve(made, witness=_left(whole, made, needs, options, taken, implied))


def _left(
    whole: Core,
    made: Core,
    needs: Sequence[int],
    options: Sequence[Sequence[int]],
    taken: Sequence[int],
    implied: Sequence[tuple[int, Sequence[int]]],
) -> frozenset[int] | None:
    """The witness in a narrower core; None if it is not in there: the tree that made it has exchanged it (and was held
    to that), or has found a cover as cheap. Raises Lost if an implied item excludes it."""
    known = {whole.numbers[o] for o in whole.witness or ()}
    own = frozenset(k for k, o in enumerate(made.numbers) if o in known)
    left = list(needs)
    for k in own:
        for i in options[k]:
            left[i] -= 1
    if any(need > 0 for need in left) or not {whole.numbers[o] for o in taken} <= known:
        return None
    for need, holders in implied:
        if len(own & set(holders)) < need:
            raise Lost(f"triangles: {need} of the options {[made.numbers[o] for o in holders]}")
    return own


def is_suited(problem: Problem) -> bool:
    """Whether the covering engine may be used: for covering problems with some cost that is not 0, and a sum of costs
    that doubles can hold exactly."""
    if not problem.is_cover or not any(c > 0 for c in heeded(problem.costs)):
        return False
    return sum(c for c in heeded(problem.costs) if c > 0) // (gcd(*problem.costs) or 1) <= LARGEST
