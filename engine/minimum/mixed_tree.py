"""Branch and bound over linear programs: which nodes are open, and how they branch.

A node is a list of decisions. The kernel (_mixed.py) works out what they leave, solves its linear program starting from
the previous one, proves a bound, and settles the options that the bound proves too dear. A node that is still open
branches in two:

- on two exact items, if the values of the options that hold both add up to more than 0 and less than 1: either every
  option taken holds both of them or neither, or none holds both (Ryan and Foster 1981). Of all such pairs, the one
  whose sum is largest is used;
- otherwise on the option whose value is nearest to 1: it is taken, or dropped.

The first branch is followed at once, the other waits. When a path ends, the search goes on with the open node of the
least bound (rounded up to a whole cost), and of several such nodes with the deepest. So the bound rises; where all
bounds are equal this is a depth-first search. Once `OPEN` nodes are open, further nodes go to a stack that is emptied
first, so that their number hardly grows.

Source: Ryan and Foster, "An integer programming approach to scheduling", 1981; Barnhart and others, "Branch-and-price",
1998.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from typing import Any

from covr.engine.kernels.header import HUGE
from covr.engine.kernels.header import MIXED_BEYOND as BEYOND
from covr.engine.kernels.header import MIXED_WAIT as WAIT
from covr.engine.minimum.mixed_core import WHOLE, MixedCore
from covr.engine.witness import HeldNode, Lost
from covr.frozen import frozen

SLICE = 200_000  # work of the kernel in one call: less than a millisecond, or some dozen where it is interpreted
PAIR, NODE = 100, 20_000  # work that looking at a pair of items counts as, and that branching at a node counts as
OPEN = 100_000  # nodes in the heap of open ones, at most; a few hundred bytes each

Decision = tuple[str, int, int]  # "take" or "drop" and an option, or "join" or "part" and two items
Path = tuple[Any, Decision] | None  # the path before, and the last decision
Node = tuple[int, int, int, Path]  # bound as a cost in the core, minus the depth, minus a running number, the path


@frozen(eq=False)
class Root:
    """What the first linear program proves.

    bound: in units.  reduced: for each option of the core its reduced cost, in units; meaningless for an option that
    is neither taken nor free.  taken: options already settled as taken.  free: options that may still be taken.
    prices: per row, in units.
    """

    bound: int
    reduced: Sequence[int]
    taken: Sequence[int]
    free: Sequence[int]
    prices: Sequence[int]


class BoundTree:
    """The search. Every call of `step` does one slice of work, and sets `found` where it finds a better answer."""

    def __init__(self, core: MixedCore, module: Any, ceiling: int, looks: Any = None) -> None:
        """core: what is left of the problem.  module: the one that holds the kernel.  ceiling: the most an answer may
        cost in the core.  looks: tells the kernel whether to stop in the middle of a step (_looks.py); None for no."""
        self._core = core
        self.ceiling = ceiling
        self.found: list[int] | None = None  # a better answer, in the core's numbers
        self.done = not core.feasible
        self._kernel: Any = None
        self._open: list[Node] = []  # a heap
        self._next_ones: list[Node] = []  # a stack of nodes that come before those of the heap
        self._count = 0
        self._aside = 0  # work done outside the kernel
        self._path: Path = None
        self._depth = 0
        self._bound: int | None = None  # bound of the current node, as a cost in the core
        self._base = 0  # how many options are settled for good
        self._settled: int | None = None  # the ceiling for which they were settled
        self.root: Root | None = None  # what was proved at the root
        if not self.done:
            self._kernel = self._made(module, looks)
            self.done = not self._kernel.propagate()
            self._base = self._kernel.standing()

    def _made(self, module: Any, looks: Any) -> Any:
        """A kernel for the core; the arguments are those of the class."""
        kernel = kernel_of(self._core, module, self.ceiling)
        if looks is not None:
            kernel.heed(looks)
        return kernel

    @property
    def work(self) -> int:
        """The work the kernel has counted, and an estimate in the same units of what is done in Python."""
        return self._aside + (self._kernel.spent() if self._kernel is not None else 0)

    @property
    def pivots(self) -> int:
        """Steps of the simplex method so far."""
        return self._kernel.pivots() if self._kernel is not None else 0

    @property
    def fixings(self) -> int:
        """How many options have been settled by their reduced costs so far, at all nodes together."""
        return self._kernel.fixings() if self._kernel is not None else 0

    @property
    def bound(self) -> int | None:
        """The least any answer up to the ceiling costs in the core; None while nothing is known."""
        if self._bound is None:
            return None
        return min([self._bound, *(node[0] for node in (*self._open[:1], *self._next_ones))])

    @property
    def first(self) -> int | None:
        """The bound that the root's linear program gave, in the core; None before that."""
        return None if self.root is None else self._core.least(self.root.bound)

    @property
    def core(self) -> MixedCore:
        """What is searched, with the rows that were added."""
        return self._core

    @property
    def is_past_root(self) -> bool:
        """Whether the search has branched, or ended, so that nothing more will be proved at its root."""
        return self.done or self._count > 0

    def lower(self, ceiling: int) -> None:
        """Find only answers of at most this cost in the core from now on."""
        if ceiling < self.ceiling:
            self.ceiling = ceiling
            if self._kernel is not None:
                self._kernel.lower(self._core.barrier(ceiling))

    def step(self) -> None:
        """Go on with the current node for one slice."""
        kernel = self._kernel
        before = kernel.standing()
        code = kernel.solve(SLICE)
        if code == WAIT:
            return
        value = kernel.bound()
        if value == HUGE:
            self._next()
            return
        least = self._core.least(value)
        self._bound = least if self._bound is None else max(self._bound, least)
        if self.root is None:
            self.root = Root(value, kernel.reduced(), kernel.taken(), kernel.frees_left(), kernel.prices())
        if kernel.standing() != before or (code == BEYOND and kernel.further()):
            return
        values = kernel.fractions()
        if all(x > 1 - WHOLE for _, x in values) and self._offer([*kernel.taken(), *(o for o, _ in values)]):
            return
        if not self._tightened(values):
            self._branch(values)

    def _offer(self, options: list[int]) -> bool:
        """Offer a set of options as an answer. Returns whether it is one and cheap enough; then it is `found`."""
        options = sorted(options)
        cost = sum(self._core.costs[o] for o in options)
        if cost > self.ceiling or not self._is_answer(options):
            return False
        self.found = options
        self.lower(cost - 1)
        return True

    def _is_answer(self, options: list[int]) -> bool:
        """Whether the options are an answer."""
        return is_answer(self._core, options)

    def _tightened(self, values: list[tuple[int, float]]) -> bool:
        """Whether rows were added that exclude what the linear program proposes, so that it is to be solved again."""
        return False

    def _branch(self, values: list[tuple[int, float]]) -> None:
        """Branch at the current node, and follow one branch. values: the options of the linear program, with their
        values."""
        kernel = self._kernel
        self._aside += NODE
        pair = self._pair(values)
        first: Decision
        second: Decision
        if pair is not None:
            first, second = ("join", *pair), ("part", *pair)
        else:
            loose = [(x, -o) for o, x in values if x <= 1 - WHOLE] or [(x, -o) for o, x in values]
            if loose:
                option = -max(loose)[1]
            else:
                rest = kernel.frees_left()
                if not rest:
                    self._offer(kernel.taken())
                    self._next()
                    return
                option = rest[0]
            first, second = ("take", option, 0), ("drop", option, 0)
            if not loose:
                first, second = second, first
        assert self._bound is not None
        self._count += 1
        node = (self._bound, -self._depth - 1, -self._count, (self._path, second))
        if len(self._open) < OPEN:
            heappush(self._open, node)
        else:
            self._next_ones.append(node)
        self._path, self._depth = (self._path, first), self._depth + 1
        if not self._decide(first):
            self._next()

    def _pair(self, values: list[tuple[int, float]]) -> tuple[int, int] | None:
        """The two exact items for which the values of the options that hold both add up to the most below 1."""
        core = self._core
        sums: dict[tuple[int, int], float] = {}
        for o, x in values:
            if x > 1 - WHOLE:
                continue
            exact = [i for i in core.options[o] if i < core.rows and core.lows[i] == core.highs[i] == 1]
            self._aside += PAIR * len(exact) ** 2 // 2
            for at, i in enumerate(exact):
                for k in exact[at + 1 :]:
                    sums[i, k] = sums.get((i, k), 0.0) + x
        best, found = 1e-6, None
        for pair, x in sums.items():
            if x <= 1 - WHOLE and x > best + 1e-9:
                best, found = x, pair
        return found

    def _decide(self, decision: Decision) -> bool:
        what, one, other = decision
        kernel = self._kernel
        if what == "take":
            return bool(kernel.take(one))
        if what == "drop":
            return bool(kernel.drop(one))
        return bool(kernel.together(one, other) if what == "join" else kernel.apart(one, other))

    def _next(self) -> None:
        """Make the best of the open nodes the current one."""
        kernel = self._kernel
        if self._core.witness is not None:
            self._hold_closed()
        while self._open or self._next_ones:
            near = bool(self._next_ones)
            bound, depth, _, path = self._next_ones.pop() if near else heappop(self._open)
            if bound > self.ceiling:
                if near:
                    continue
                break
            self._bound, self._path, self._depth = bound, path, -depth
            kernel.undo(self._base)
            if not self._settle():
                break
            if all(self._decide(decision) for decision in _decisions(path)):
                return
        self._open.clear()
        self.done = True

    def _settle(self) -> bool:
        """Settle for good the options that the root's reduced costs decide under the present ceiling. Returns False
        where that leaves no answer."""
        if self.root is None or self.ceiling == self._settled:
            return True
        self._settled = self.ceiling
        kernel, costs = self._kernel, self.root.reduced
        gap = self._core.barrier(self.ceiling) - self.root.bound
        for o in kernel.frees_left():
            if self._core.witness is not None and abs(costs[o]) >= gap:
                kernel.hold(o, costs[o] < 0, "linear programs, a fixing by the root's reduced costs")
            if costs[o] >= gap:
                if not kernel.drop(o):
                    return False
            elif -costs[o] >= gap and not kernel.take(o):
                return False
        self._base = kernel.standing()
        return True

    def _hold_closed(self) -> None:
        """The node that is closed must not be one above the witness, unless an answer as cheap was found."""
        core, decisions = self._core, _decisions(self._path)
        if core.worth <= self.ceiling and all(map(self._kernel.agrees, decisions)):
            raise Lost(f"linear programs: the node {decisions} is closed")


def kernel_of(core: MixedCore, module: Any, ceiling: int) -> Any:
    """The kernel of a core. module: the one that holds it.  ceiling: as for `BoundTree`."""
    kernel = module.MixedKernel(
        core.lows, core.highs, core.rows, core.options, core.shades, core.costs, core.unit, core.most,
        core.barrier(ceiling), core.heavy,
    )  # fmt: skip
    return kernel if core.witness is None else HeldNode(kernel, core, core.barrier(ceiling))


def _decisions(path: Path) -> list[Decision]:
    """The decisions of a path, from the root on."""
    found = []
    while path is not None:
        path, decision = path
        found.append(decision)
    return found[::-1]


def is_answer(core: MixedCore, options: list[int]) -> bool:
    """Whether the options meet every item of the core."""
    counts = [0] * len(core.lows)
    shown: dict[int, int] = {}
    for o in options:
        for k, i in enumerate(core.options[o]):
            if i < core.rows:
                counts[i] += 1
                continue
            shade = core.shades[o][k] if core.shades is not None else 0
            if i in shown and (shade == 0 or shown[i] != shade):
                return False
            shown[i] = shade
    return all(core.lows[i] <= counts[i] <= core.highs[i] for i in range(core.rows))
