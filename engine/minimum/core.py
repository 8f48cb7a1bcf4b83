"""The core of a covering problem: reductions, equivalent options, and what searches begin from."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from heapq import heapify, heappop, heappush
from math import gcd
from typing import Any

from covr.engine.base.limits import ENDLESS, check_limits, with_limit_checks
from covr.engine.prepare.masks import take_given
from covr.engine.problem import Problem
from covr.engine.symmetries import MOST_EDGES, Move, explore, graph_of_cover, orbit_of
from covr.engine.witness import Lost, exchanged
from covr.frozen import evolve, frozen

# --- core ------------------------------------------------------------------------------------------------------------
# The core of a covering problem: what is left after the obvious reductions, with options that all cost something.
#
# Options of negative cost are in every cheapest cover, and options that cost nothing are taken if they help. Costs are
# divided by their greatest common divisor, so that a bound that is rounded up is closer to a possible sum of costs.
# Later, when the search has forced and excluded options at its root, what is left is made a core again (`narrow`),
# perhaps with a larger divisor, and with items that the others imply.


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

    def outside(self, options: Sequence[int]) -> list[int]:
        """A cover in the problem's numbers."""
        return [*self.taken, *(self.numbers[o] for o in options)]

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
    free = [o for o in with_limit_checks(range(problem.options)) if residual.live[o]]
    gains = [o for o in with_limit_checks(free) if costs[o] < 0]
    for o in with_limit_checks([*gains, *(o for o in with_limit_checks(free) if costs[o] == 0)]):
        if costs[o] < 0 or any(need[i] > 0 for i in problem.option(o)):
            taken.append(o)
            for i in problem.option(o):
                need[i] -= 1
    lacking = [i for i in with_limit_checks(range(problem.primary)) if need[i] > 0]
    number = {i: k for k, i in enumerate(with_limit_checks(lacking))}
    starts, members = problem.starts, problem.members
    is_whole = len(lacking) == problem.items  # the items keep their numbers
    options, numbers, holders = [], [], [0] * len(lacking)
    for o in with_limit_checks(free):
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
    needs = [need[i] for i in with_limit_checks(lacking)]
    unit = gcd(*(costs[o] for o in with_limit_checks(numbers))) or 1
    made = Core(
        lacking,
        needs,
        options,
        [costs[o] // unit for o in with_limit_checks(numbers)],
        numbers,
        taken,
        0,
        sum(costs[o] for o in with_limit_checks(taken)),
        unit,
        residual.feasible and all(h >= k for h, k in with_limit_checks(zip(holders, needs, strict=True))),
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
    held = [list(option) for option in with_limit_checks(options)]
    for k, (_, holders) in enumerate(implied, len(items)):
        for o in with_limit_checks(holders):
            held[o].append(k)
    costs = [whole.costs[o] for o in with_limit_checks(numbers)]
    unit = gcd(*costs) or 1
    check_limits()
    made = Core(
        [*(whole.items[i] for i in with_limit_checks(items)), *(IMPLIED for _ in implied)],
        [*needs, *(need for need, _ in implied)],
        [tuple(option) for option in with_limit_checks(held)],
        [cost // unit for cost in with_limit_checks(costs)],
        [whole.numbers[o] for o in with_limit_checks(numbers)],
        [*whole.taken, *(whole.numbers[o] for o in with_limit_checks(taken))],
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
    """Whether the covering engine may be used: for covering problems, and what packings of pairs leave out, with some
    cost that is not 0, and a sum of costs that doubles can hold exactly."""
    pairs = problem.joins_pairs
    if not pairs and not problem.is_cover:
        return False
    paid = sum([c for c in with_limit_checks([-c for c in problem.costs] if pairs else problem.costs) if c > 0])
    return paid > 0 and paid // gcd(*problem.costs) <= LARGEST


# --- cover view ------------------------------------------------------------------------------------------------------
# The view (minimum/estimates.py) of a node of the covering tree, in the numbers and costs of the problem.


class CoverView:
    """A copy of the tree's top level. Options that cost nothing were taken; none has a negative cost."""

    credit = 0

    def __init__(self, problem: Problem, tree: Any, core: Core):
        """core: the core that the tree searches."""
        self.problem = problem
        items, options, base, unit = core.items, core.numbers, core.base, core.unit
        local_items, needs, local_options, costs, held = tree.local()
        taken, paid = tree.taken()
        self.paid, self.depth = base + unit * paid, core.depth + len(taken)
        self.cutoff = unit * (tree.limit() - paid)
        self.rows = [items[i] for i in local_items]  # all of the tree's items at the node, implied ones as IMPLIED
        self._needs: dict[int, int] = {i: need for i, need in zip(self.rows, needs, strict=True) if i != IMPLIED}
        self._costs: dict[int, int] = {options[o]: unit * cost for o, cost in zip(local_options, costs, strict=True)}
        self._reach = {
            options[o]: [self.rows[i] for i in run if self.rows[i] != IMPLIED]
            for o, run in zip(local_options, held, strict=True)
        }
        self.place = {options[o]: o for o in local_options}  # the tree's number of a live option

    @cached_property
    def _holders(self) -> dict[int, list[int]]:
        holders: dict[int, list[int]] = {i: [] for i in self._needs}
        for o, reach in self._reach.items():
            for i in reach:
                holders[i].append(o)
        return holders

    def uncovered(self) -> list[int]:
        return list(self._needs)

    def need(self, item: int) -> int:
        return self._needs.get(self._item(item), 0)

    def options(self, item: int) -> list[int]:
        return list(self._holders.get(self._item(item), ()))

    def reach(self, option: int) -> list[int]:
        if self._option(option) in self._reach:
            return list(self._reach[option])
        return [i for i in self.problem.option(option) if i in self._needs]

    def cost(self, option: int) -> int:
        found = self._costs.get(self._option(option))
        return self.problem.costs[option] if found is None else found

    def _item(self, item: int) -> int:
        if not 0 <= item < self.problem.items:
            raise IndexError(f"there is no item {item}: they are 0 to {self.problem.items - 1}")
        return item

    def _option(self, option: int) -> int:
        if not 0 <= option < self.problem.options:
            raise IndexError(f"there is no option {option}: they are 0 to {self.problem.options - 1}")
        return option


# --- symmetry --------------------------------------------------------------------------------------------------------
# Which options of a covering problem are equivalent: orbits of the group that maps the problem to itself.
#
# The group is that of the graph of items and options, in which an option is coloured by its cost and an item by its
# need. We find it ourselves (engine/symmetries) and spend at most a fifth of the search's work on it. If that is not
# enough to find it all, the group and its orbits are smaller, which does no harm. The maps that a model declares (`up
# to`) are then used as well: a map that carries what is left at a node to itself, which is checked there, makes an
# option equivalent to its image. Where the whole group was found they can add nothing, and are not used.
#
# Source: orbital branching, Ostrowski, Linderoth, Rossi and Smriglio (2011): if an option was tried and nothing better
# was found, then no option of its orbit, in the problem that was left where it was tried, can do better. Orbits are
# computed only after many nodes were spent below an option, so that this never costs more than it can save.


# The work of a search is counted in updates of its tree; that of finding symmetries, in edges of the graph visited.
SHARE = 5  # updates of the search that pay for visiting one edge, after `MOST_EDGES` that are free. After so many
# times more, symmetries at the root are looked for again, if some may have been missed (orbital.py).
BUILT = 20  # visits of an edge that take as long as making one in Python
LEAST = 50  # updates of the tree below an option, per member of its level, until its orbit is computed, at the least:
# at the start; after orbits of one option it is twice as much, up to `MOST`, and after others a fourth
MOST = 1 << 40
HOPE = 4  # searches climb if at most this many times a climb's usual gain would end the node


class Orbits:
    """Finds orbits for a search whenever it asks, and keeps to its share of the work."""

    def __init__(self, maps: Sequence[Sequence[int]] = ()) -> None:
        """maps: those that the model declares, as for `declared_moves`."""
        self.spent = 0
        self.interval = LEAST  # what a tree's `set_symmetric` is to be told
        self._maps = maps

    def answer(self, tree: Any, numbers: Sequence[int], updates: int) -> None:
        """Tell a tree (kernels/cover/_cover.py) that asks for it which options are equivalent to the one it tried, and
        when to ask again. numbers: per option of the tree's problem, its number in the maps.  updates: as for `of`."""
        _, needs, own, costs, options = tree.local()
        same = self.of(needs, options, costs, tree.branched(), [numbers[o] for o in own], updates)
        self.interval = min(2 * self.interval, MOST) if len(same) == 1 else max(self.interval // 4, LEAST)
        tree.set_symmetric(self.interval)
        tree.exclude(same)

    def of(
        self,
        needs: Sequence[int],
        options: Sequence[Sequence[int]],
        costs: Sequence[int],
        option: int,
        numbers: Sequence[int],
        updates: int,
    ) -> list[int]:
        """The options that were found to be equivalent to the given one, itself included, increasing.

        needs: per item.  options: their items.  costs: per option.  numbers: per option, its number in the maps.
        updates: the updates that the search has done so far.
        """
        build = BUILT * sum(map(len, options))
        left = MOST_EDGES + updates // SHARE - self.spent - build
        if left <= 0:
            return [option]
        moves, complete, work = _moves(needs, options, costs, left)
        self.spent += build + work
        if not complete and self._maps:
            self.spent += build * len(self._maps)
            moves = [*moves, *declared_moves(needs, options, costs, numbers, self._maps)]
        return orbit_of(moves, len(options), option)


def orbit(
    needs: Sequence[int], options: Sequence[Sequence[int]], costs: Sequence[int], option: int, work: int = ENDLESS
) -> list[int]:
    """The options that this much work (edges visited) finds to be equivalent to the given one, itself included,
    increasing."""
    return orbit_of(_moves(needs, options, costs, work)[0], len(options), option)


def _moves(
    needs: Sequence[int], options: Sequence[Sequence[int]], costs: Sequence[int], work: int
) -> tuple[Sequence[Move], bool, int]:
    """Generators of the group, whether they generate all of it, and the work done."""
    found = explore(graph_of_cover(needs, options, costs), len(options), work)
    return found.moves, found.complete, found.work


def declared_moves(
    needs: Sequence[int],
    options: Sequence[Sequence[int]],
    costs: Sequence[int],
    numbers: Sequence[int],
    maps: Sequence[Sequence[int]],
) -> list[Move]:
    """Those of the maps that carry this problem to itself.

    numbers: per option, its number in the maps.  maps: each maps a number to a number; a negative one means no image.
    Time O(length of the options), times the number of maps that keep all options among themselves.
    """
    place = {number: o for o, number in enumerate(numbers)}
    found: list[Move] = []
    for one in maps:
        moved = [place.get(one[number], -1) for number in numbers]
        if -1 not in moved and _carries(needs, options, costs, moved):
            found.append((range(len(moved)), moved))
    return found


def _carries(
    needs: Sequence[int], options: Sequence[Sequence[int]], costs: Sequence[int], moved: Sequence[int]
) -> bool:
    """Whether a permutation of the options preserves costs, and maps the options of every item to those of an item with
    the same need."""
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


# --- vertex cover ----------------------------------------------------------------------------------------------------
# Covers where every item is held by two options: what the kernel for them (kernels/cover/_vertex_cover.py) is given.
#
# What is left of a covering problem at its root is a graph if every item needs one option and has two: a vertex cover,
# for example. Options get new numbers for the kernel, which branches on the last ones first: the option that shares
# items with the most others is the last, and so on among the rest. On PACE's vertex covers the other way round takes 20
# times as many nodes.
#
# Measured, CPU seconds, beside the search for covers with Lagrangean bounds: 200 vertices of degree 3: 1.5 (not proved
# in 3.4); 120 of degree 5: 0.04 (2.9), of degree 8: 0.3 (not in 5); 200 vertices, half of all edges: 0.09 (2.9); kings
# on a 9 by 9 torus: 0.06 (0.3); 300 vertices in the plane: 0.3 (not in 5). Nothing was found on which it is slower.


MOST_VERTICES = 2000  # options, at most; the kernel's arrays take 6 · options² bytes


@frozen(eq=False)
class PairGraph:
    """Options as the kernel for vertex covers numbers them.

    numbers: per option, its number in the problem that it comes from.  costs: per option.  neighbours: per option,
    those that share an item with it, increasing.
    """

    numbers: Sequence[int]
    costs: Sequence[int]
    neighbours: Sequence[Sequence[int]]


class VertexCoverSearch:
    """The kernel's search of what is left of a core, with its costs and covers in the core's problem."""

    def __init__(self, graph: PairGraph, core: Core, taken: Sequence[int], module: Any, bound: int, looks: Any) -> None:
        """core: what `graph` is left of; it has its numbers.  taken: options of the core that are taken already.
        module: the one that holds the kernel.  bound: a lower bound for covers of the core's problem.  looks: tells
        whether to stop (_looks.py)."""
        self._unit = gcd(*graph.costs) or 1
        costs = [cost // self._unit for cost in graph.costs]
        self._base = core.base + core.unit * sum(core.costs[o] for o in taken)
        self._unit *= core.unit
        self._taken = core.outside(taken)
        self._numbers = [core.numbers[o] for o in graph.numbers]
        self._kernel = module.VertexCover(costs, graph.neighbours, self._inside(bound), sum(costs) + 1, looks)
        self.answers = 0
        self.code = -1

    def _inside(self, cost: int) -> int:
        """A cost in the problem as one in the kernel, rounded up."""
        return -((self._base - cost) // self._unit)

    @property
    def nodes(self) -> int:
        """How many nodes were visited so far."""
        return int(self._kernel.nodes)

    @property
    def work(self) -> int:
        """How many array entries were read so far: about as many as updates of the search for covers take as long."""
        return int(self._kernel.spent())

    updates = work

    def bound(self) -> int:
        """The proved lower bound for covers of the problem; at most what `lower` was last told."""
        return self._base + self._unit * int(self._kernel.bound())

    def lower(self, cutoff: int) -> None:
        """From now on, look only for covers that cost less than this in the problem."""
        self._kernel.lower(self._inside(cutoff))

    def run(self, nodes: int, answers: int) -> int:
        """Go on for at most so many nodes, up to a better cover."""
        limit, self.code = self._kernel.limit(), -1
        try:
            self.code = int(self._kernel.run(ENDLESS, nodes))
        finally:
            self.answers += self._kernel.limit() < limit
        return self.code

    def answer(self) -> list[int]:
        """The options of the last cover, in the problem's numbers."""
        return [*self._taken, *(self._numbers[o] for o in self._kernel.answer())]

    def value(self) -> int:
        """What that cover costs in the problem: the cutoff after it was found."""
        return self._base + self._unit * int(self._kernel.limit())


def graph(needs: Sequence[int], options: Sequence[Sequence[int]], costs: Sequence[int]) -> PairGraph | None:
    """The graph of a covering problem in which no option holds all of another's items; None where it is none, or too
    large. Time O((length of the options) · log options)."""
    n = len(options)
    if n > MOST_VERTICES or sum(map(len, options)) != 2 * len(needs) or any(need != 1 for need in needs):
        return None
    holders: list[list[int]] = [[] for _ in needs]
    for o, option in enumerate(with_limit_checks(options)):
        for i in option:
            holders[i].append(o)
    if any(len(row) != 2 for row in holders):
        return None
    near: list[set[int]] = [set() for _ in options]
    for a, b in with_limit_checks(holders):
        near[a].add(b)
        near[b].add(a)
    order = ordered(near)
    place = [0] * n
    for k, o in enumerate(order):
        place[o] = k
    return PairGraph(
        order, [costs[o] for o in order], [sorted(place[other] for other in near[o]) for o in with_limit_checks(order)]
    )


def ordered(near: Sequence[set[int]]) -> list[int]:
    """The options, each with no more neighbours among those before it than the option after it has. Ties go to the
    lowest number first, which comes last."""
    degree = [len(row) for row in near]
    heap = [(-count, o) for o, count in enumerate(degree)]
    heapify(heap)
    order: list[int] = []
    done = [False] * len(near)
    for _ in with_limit_checks(range(len(near) + sum(degree) // 2)):
        count, o = heappop(heap)
        if done[o] or -count != degree[o]:
            continue
        done[o] = True
        order.append(o)
        for other in near[o]:
            if not done[other]:
                degree[other] -= 1
                heappush(heap, (-degree[other], other))
    return order[::-1]
