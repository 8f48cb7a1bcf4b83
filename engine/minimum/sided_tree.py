"""Branch and bound over linear programs for problems with sides: the tree of mixed_tree.py with two additions.

- **Rows.** The linear program holds the totals (sided_rows.py). Where a node's solution breaks a row that a connection
  or a loop implies (sided_cuts.py), the row is added, and the node is solved again from the basis that was reached.
- **A watch.** The kernel for sides (kernels/sides/_sides.py) is told every decision and every option that the tree
  settles, and what follows from them by gaps in totals, by floods and by ends of paths is settled in the tree. So the
  two together know all that either of them knows, and a node whose options are all settled is an answer or none.

What did not pay: letting the watch look at costs, too, which took a millisecond a node where totals are long and ended
few nodes; dropping added rows that do not hold the solution any more, after which they were found anew, again and again
(the network of 7 by 7 was not proved in 8 s instead of 2); adding rows that are missed by a twentieth instead of a
fifth (half as long again). Not tried: rows for several parts at once, which would raise the bound of networks, whose
root is a tenth below the minimum.

Rows are added at most `ROUNDS` times at a node, at the root `ROOT_ROUNDS` times, and no more than `ROWS` in all. What
they add to the sums of prices is limited (mixed_core.py), so no bound can overflow.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from attrs import evolve

from covr.engine.check import check
from covr.engine.kernels.loading import load
from covr.engine.minimum.mixed_core import COARSEST, HeavyRow, MixedCore, most_of, sided_core
from covr.engine.minimum.mixed_tree import BoundTree, _decisions, kernel_of
from covr.engine.minimum.sided_cuts import cuts_of
from covr.engine.minimum.sided_rows import total_rows
from covr.engine.prepare.sides import implied, side_arrays, side_names
from covr.engine.problem import MAX_COST, Problem
from covr.engine.witness import hold_rows, hold_watch, watch_sides

ROUNDS, ROOT_ROUNDS = 4, 100  # times that rows are added at one node, and at the root
ROWS = 1000  # rows that are added in all, at most
LARGEST = 2000  # rows of a linear program, at most
NEWS = 2  # work, per option and member of one, that telling the watch counts as
SEEK = 200  # work, per option, that a search for broken rows counts as


class Watched:
    """A kernel of linear programs that shares all decisions with a kernel for sides. Its methods are those of the
    former; only those that decide something differ."""

    def __init__(self, kernel: Any, watch: Any, core: MixedCore, heard: int, cost: int) -> None:
        """watch: the kernel for sides, at its root.  heard: how many of its decisions the core was made with.
        cost: the work that telling it once counts as."""
        self._kernel, self._watch = kernel, watch
        self._numbers = core.numbers
        self._places = {o: k for k, o in enumerate(core.numbers)}
        self._seen, self._heard = kernel.standing(), heard
        self._marks = [(self._seen, heard)]
        self._core, self._cost, self._told = core, cost, 0
        self._before = watch.labour()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._kernel, name)

    def spent(self) -> int:
        """The work done so far, the watch's included."""
        return int(self._kernel.spent()) + self._told + int(self._watch.labour() - self._before)

    def propagate(self) -> bool:
        """Settle what all bounds force; returns whether an answer is possible. Call it once, first."""
        return bool(self._kernel.propagate()) and self._agree()

    def take(self, option: int) -> bool:
        """Take an option; returns whether an answer is still possible."""
        return bool(self._kernel.take(option)) and self._agree()

    def drop(self, option: int) -> bool:
        """Drop an option; returns whether an answer is still possible."""
        return bool(self._kernel.drop(option)) and self._agree()

    def together(self, one: int, other: int) -> bool:
        """Drop the options that hold just one of two items; returns whether an answer is still possible."""
        return bool(self._kernel.together(one, other)) and self._agree()

    def apart(self, one: int, other: int) -> bool:
        """Drop the options that hold both items; returns whether an answer is still possible."""
        return bool(self._kernel.apart(one, other)) and self._agree()

    def agree(self) -> bool:
        """Exchange what is new; returns whether an answer is still possible."""
        return self._kernel.standing() == self._seen or self._agree()

    def undo(self, size: int) -> None:
        """Free the options settled after the first `size`, in both kernels."""
        self._kernel.undo(size)
        while self._marks[-1][0] > size:
            self._marks.pop()
        self._seen, self._heard = self._marks[-1]
        self._watch.reopen(self._heard)

    def _agree(self) -> bool:
        kernel, watch = self._kernel, self._watch
        while True:
            news = [(self._numbers[o], taken) for o, taken in kernel.settled(self._seen)]
            self._seen = kernel.standing()
            self._told += self._cost
            held = watch.follow(news)
            if self._core.witness is not None:
                kernel.hold_watch(watch)
            if not held:
                return False
            heard = watch.decided(self._heard)
            self._heard = watch.standing()
            for o, taken in heard:
                place = self._places.get(o)
                if place is None:
                    if taken:
                        return False
                elif not (kernel.take(place) if taken else kernel.drop(place)):
                    return False
            if kernel.standing() == self._seen:
                self._marks.append((self._seen, self._heard))
                return True


class CuttingTree(BoundTree):
    """The search; see the module."""

    def __init__(self, core: MixedCore, module: Any, ceiling: int, looks: Any, problem: Problem, watch: Any) -> None:
        """core, module, ceiling, looks: as for `BoundTree`.  problem: the whole problem.  watch: the kernel for sides,
        at its root; the core was made with what it has decided there. It knows nothing of costs."""
        self._problem, self._watch, self._heard = problem, watch, watch.standing()
        self._module, self._looks = module, looks
        root = watch.decided(0)
        self._taken = {o for o, taken in root if taken}
        self._out = {o for o, taken in root if not taken}
        given = set(problem.given)
        self.also = sorted(self._taken - given)
        self._cuts = cuts_of(problem, self._taken, self._out)
        self._added = 0  # rows
        self._rounds = 0  # at this node
        self._node: Any = None
        super().__init__(core, module, ceiling, looks)

    def _made(self, module: Any, looks: Any) -> Any:
        kernel = super()._made(module, looks)
        return Watched(
            kernel, self._watch, self._core, self._heard, NEWS * (len(self._problem.members) + self._problem.options)
        )

    def step(self) -> None:
        """Go on with the current node for one slice."""
        super().step()
        # What the bound settled is news for the watch. It may settle more; then the node is solved again.
        if not self.done and not self._kernel.agree():
            self._next()

    def _is_answer(self, options: list[int]) -> bool:
        return check(self._problem, self._whole(options)) is None

    def _whole(self, options: Iterable[int]) -> list[int]:
        """The options of an answer, in the problem's numbers."""
        return sorted([*self._taken, *(self._core.numbers[o] for o in options)])

    def _tightened(self, values: list[tuple[int, float]]) -> bool:
        if not self._cuts or self._added >= ROWS:
            return False
        if self._node is not self._path:
            self._node, self._rounds = self._path, 0
        if self._rounds >= (ROUNDS if self._path is not None else ROOT_ROUNDS):
            return False
        self._rounds += 1
        self._aside += SEEK * self._problem.options
        x = [0.0] * self._problem.options
        for o in self._whole(self._kernel.taken()):
            x[o] = 1.0
        for k, value in values:
            x[self._core.numbers[k]] = value
        rows = [own for cuts in self._cuts for row in cuts(x) if (own := self._in_core(row)) is not None]
        rows = rows[: ROWS - self._added]
        if self._core.witness is not None:
            hold_rows(rows, self._core.witness, "linear programs, a row of a connection or loop")
        return bool(rows) and self._add(rows)

    def _in_core(self, row: HeavyRow) -> HeavyRow | None:
        """A row "at least" in the core's numbers; None if it holds whatever is taken."""
        place = self._kernel._places
        low = row.low - sum(w for o, w in row.terms if o in self._taken)
        terms = sorted((place[o], w) for o, w in row.terms if o in place)
        least = sum(min(w, 0) for _, w in terms)
        return HeavyRow(low, row.high, terms) if terms and low > least else None

    def _add(self, rows: Sequence[HeavyRow]) -> bool:
        """Go on at this node with these rows, too. Returns False if there is no room for them."""
        core = self._core
        heavy = [*core.heavy, *rows]
        most = most_of(core.costs, core.highs, core.options, heavy, core.unit)
        if most == 0 or core.rows + len(heavy) > LARGEST:
            self._cuts = []
            return False
        self._added += len(rows)
        self._core = evolve(core, heavy=heavy, most=most)
        old = self._kernel
        kernel = kernel_of(self._core, self._module, self.ceiling)
        if self._looks is not None:
            kernel.heed(self._looks)
        kernel.adopt(old._kernel)
        settled = old.settled(0)[: self._base]
        self._watch.reopen(self._heard)
        self._aside += old.spent()
        if self._path is None:
            self.root = None  # what the root proves will be known when it is solved again
        self._kernel = Watched(kernel, self._watch, self._core, self._heard, old._cost)
        held = self._kernel.propagate() and all(
            self._kernel.take(o) if taken else self._kernel.drop(o) for o, taken in settled
        )
        if not held:
            self._open.clear()
            self._next_ones.clear()
            self.done = True
            return True
        self._base = self._kernel.standing()
        if not all(self._decide(decision) for decision in _decisions(self._path)):
            self._next()
        return True


def plant(problem: Problem, ceiling: int | None, interpreted: bool, looks: Any) -> tuple[MixedCore, CuttingTree] | None:
    """The core of a problem with sides, and a tree for it; None if the linear program would be too large, or its costs.

    ceiling: the most that an answer may cost in the problem; None for no limit.
    """
    watch = load("_sides", interpreted).Sides(problem, side_arrays(problem), False, False, MAX_COST)
    if problem.witness is not None:
        watch_sides(watch, problem, side_names(problem))
    feasible = watch.restart()
    needs = implied(problem)
    while True:
        decided = watch.decided(0) if feasible else []
        taken, out = {o for o, way in decided if way}, {o for o, way in decided if not way}
        pure = evolve(problem, sides=(), given=tuple(sorted(taken | set(problem.given))))
        needed = [-1 if p in taken else p for p in needs]
        rows = list(total_rows(problem.sides, taken, out, needed))
        if problem.witness is not None:
            hold_watch(watch)
            hold_rows(rows, problem.witness, "linear programs, a row of the totals")
        core = sided_core(pure, out, rows)
        if core.unit < COARSEST or core.rows + len(core.heavy) > LARGEST:
            return None
        # Rows may show that an option is in no answer, and more may follow from that.
        known = taken | out | set(core.numbers)
        gone = [(o, False) for o in range(problem.options) if o not in known]
        if not feasible or not gone:
            break
        feasible = watch.follow(gone)
    core = evolve(core, feasible=core.feasible and feasible)
    top = core.dearest if ceiling is None else core.ceiling(ceiling)
    return core, CuttingTree(core, load("_mixed", interpreted), top, looks, problem, watch)
