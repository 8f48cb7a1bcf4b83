"""Minimum cover: the reductions before the search, local search and the search tree, together as one kernel.

A covering problem (`Problem.is_cover`) is first reduced to its core (core.py). Then

    begin     the root is reduced, and a greedy cover is made
    descend   a spell of local search on what is left (_descent.py)
    settle    the root is bounded, and options are excluded and forced, until nothing changes
    narrow    if the problem is not solved yet, what is left becomes a core, with implied items (asked.py)
    search    branch and bound (_cover.py), with another spell of local search whenever the tree has done as much work
              as all local search so far; from 1000 nodes on, whenever the number of nodes has doubled. If what was left
              is a graph, a search of its own (core.py) gets most of the time
    mirror    where there are many symmetries, the tree takes turns with a search that branches on orbits (orbital.py)

Where there are many more options than items, and the tree has done `CORES_AFTER` updates without an end, local search
goes on in cores of good options (core_descent.py), and for some twenty seconds takes most of the time: bounds of such
problems rise so slowly that at first only better covers help.

So easy problems are solved before local search has taken much time, and for hard ones good covers are known before the
tree is large. Every better cover is reported as an answer. A spell of local search counts as one node.

These searches have their turns here and not by a table (turns.py). Tree, local search and core are one search with one
cutoff, and the others begin from what it makes of the root. As methods of a table each needs the interface of a kernel
and two translations of cutoffs and covers: written out, that made cover.py, core.py together 89
lines longer.

On 10⁵ options any of these stages may take seconds, so each checks the limits while it works (limits.py, _looks.py),
and may raise LimitReached. A cover that was found by then is reported first.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd
from typing import Any

from attrs import evolve

from covr.engine.base.limits import check_limits
from covr.engine.kernels.header import ASK, CLASSIC, DONE, DUAL, FOUND, LAGRANGE, PRICE, PYTHON, SLICE
from covr.engine.kernels.loading import load
from covr.engine.minimum.asked import triangles
from covr.engine.minimum.core import HOPE, LARGEST, CoverView, Orbits, VertexCoverSearch, core, graph, narrow
from covr.engine.minimum.core import MOST_VERTICES as MOST
from covr.engine.minimum.estimates import ESTIMATES, Estimate, hear
from covr.engine.minimum.orbital import Orbital, OrbitalStart
from covr.engine.problem import Problem
from covr.engine.witness import hold_end, watch_core, worth

FAR = LARGEST + 1  # units of cost in a core: more than any cover of a core costs
# The work of local search is measured in entries visited (_descent.py), that of the tree in updates.
FULL_SPELL, PER_MEMBER = 150_000, 100  # entries in a full spell of local search: FULL_SPELL + PER_MEMBER · members
FIRST_SPELL = 16  # how many times shorter than a full spell the first one is
DEARER = 6  # updates of the tree that take as long as one entry of local search
SHARE = 20  # local search may do a full spell, plus the tree's work divided by this
OFTEN, MANY = 8, 1000  # nodes between two checks whether a spell is due: before the first full spell, and after it
STUBBORN = 2  # local search goes on for this many times the work that its last success took
WIDE = 8  # options per item from which on local search goes on in cores
CORES_AFTER = 400_000_000  # updates of the tree before local search goes on in cores (core_descent.py): about a second
CORES = 3  # from then on it does this many times the work of the tree;
CORES_LONG, CORES_LEFT = 2_000_000_000, 4  # after so many more updates, the work of the tree divided by this,
CHUNK = 20_000_000  # and at least so many entries at a time, some dozen milliseconds
VERTICES_SHARE = 7  # the search for vertex covers gets this many times as long as the tree and local search together,
# and as many entries at a time

NATIVE = {
    "auto": PRICE | DUAL | LAGRANGE,
    "none": 0,
    "classic": CLASSIC,
    "price": PRICE,
    "dual": PRICE | DUAL,
    "lagrange": PRICE | DUAL | LAGRANGE,
}


class Covering:
    """A kernel (see loading.py) that runs these stages."""

    def __init__(
        self,
        problem: Problem,
        ceiling: int | None,
        estimates: Sequence[Estimate],
        interpreted: bool = False,
        maps: Sequence[Sequence[int]] = (),
    ):
        """problem: `is_suited`.  ceiling: the most a cover may cost.  estimates: a cascade.  maps: of options; they may
        be symmetries."""
        self.answers = 0
        self.code = -1
        self._module = load("_cover", interpreted)
        self._descents = load("_descent", interpreted)
        self._looks = load("_looks", interpreted).Looks(check_limits)
        self._core = core(problem)
        self._problem = problem
        self._ceiling = ceiling
        self._native = 0
        self._asked = []
        self._sparing = any(e.name == "auto" for e in estimates)
        for estimate in estimates:
            if estimate.name in NATIVE and estimate.bound is ESTIMATES[estimate.name].bound:
                self._native |= NATIVE[estimate.name]
            else:
                self._native |= PYTHON
                self._asked.append(estimate)
        speed = "compiled" if self._module.COMPILED else "interpreted"
        self.name = f"branch and bound for covers ({speed}), estimate " + ", ".join(e.name for e in estimates)
        self._spells = 0
        self._stage = self._begin
        self._best: list[int] = []
        self._fresh = False
        self._done = False
        self._forced: list[int] = []  # options that the first reductions force
        self._paid = 0
        self._local: list[int] = []  # the numbers of the options that these reductions leave
        self._tree: Any = None
        self._descent: Any = None
        self._ground: tuple[Sequence[int], Sequence[Sequence[int]], Sequence[int]] = ((), (), ())  # what it searches
        self._wide = len(self._core.options) >= WIDE * len(self._core.needs)
        self._cored = False  # whether it searches cores
        self._core_work = 0  # what it has done in cores
        self._least: int | None = None  # the bound of trees that were abandoned
        self._past_nodes = self._past_updates = 0  # the work in those trees
        # The work of local search, in entries:
        self._rest = 0  # what it may still do in this turn
        self._spell = 0  # what it may do before it can be interrupted
        self._began = 0  # what it had done when this spell began
        self._counted = 0  # what it has done in all
        self._next = 0  # the number of nodes at which it may begin again
        self._settled = False
        self._vertices: VertexCoverSearch | None = None
        self._vertices_end = 0  # its work at the end of its slice
        self._maps = maps
        self._interpreted = interpreted
        self._symmetries = Orbits(maps)
        self._start = OrbitalStart()
        self._orbital: Orbital | None = None  # the search by orbits, once there is one
        self._due = 0  # the number of nodes of the tree at which the searches beside it may have their turns

    @property
    def nodes(self) -> int:
        """The nodes of the tree and of the searches beside it, plus one for every spell of local search."""
        own = self._spells + self._past_nodes + (self._tree.nodes if self._tree is not None else 0)
        beside = (self._vertices, self._orbital)
        return own + sum(search.nodes for search in beside if search is not None)

    @property
    def labour(self) -> int:
        """The updates of all trees, and the entries that local search has read in cores."""
        return self.updates + self._core_work

    @property
    def updates(self) -> int:
        """The updates of all trees so far (_cover_levels.py), and the work of the searches beside them."""
        beside = sum(search.work for search in (self._vertices, self._orbital) if search is not None)
        return self._updates + beside

    @property
    def _updates(self) -> int:
        return self._past_updates + (self._tree.updates if self._tree is not None else 0)

    def run(self, nodes: int, answers: int) -> int:
        """Search for at most `nodes` more nodes and `answers` more answers; returns SLICE, FOUND or DONE.

        Raises LimitReached, or what Ctrl-C raises, in the middle of a slice; if there is a better cover, `code` is
        FOUND.
        """
        self.code = -1
        try:
            self.code = self._run(self.nodes + nodes, self.answers + answers)
        finally:
            if self._fresh:
                self._fresh = False
                self.answers += 1
                self.code = FOUND
        return self.code

    def answer(self) -> list[int]:
        """The options of the best cover, without given ones."""
        return list(self._best)

    def lower(self, ceiling: int) -> None:
        """From now on, look only for covers of at most this cost. Call it between slices only."""
        self._ceiling = ceiling if self._ceiling is None else min(self._ceiling, ceiling)
        if self._tree is not None:
            self._tree.lower(min(max(self._core.cutoff(ceiling), 0), self._tree.limit()))
            self._agree()

    def bound(self) -> int | None:
        """The proved lower bound; None before the first node, or if there is no cover."""
        if self._tree is None or not self._core.feasible:
            return None
        least = int(self._tree.bound())
        if self._orbital is not None:
            least = max(least, self._orbital.bound())
        bound = self._core.base + self._core.unit * least
        if self._vertices is not None:
            bound = max(bound, self._vertices.bound())
        return bound if self._least is None else max(bound, self._least)

    def _run(self, end: int, until: int) -> int:
        while not self._done:
            if self.nodes >= end:
                return SLICE
            self._stage(end)
            if self._fresh:
                self._fresh = False
                self.answers += 1
                if self.answers >= until:
                    return FOUND
        return DONE

    def _begin(self, end: int) -> None:
        """Reduce the root, and make a first cover."""
        self._spells += 1
        cutoff = sum(self._core.costs) + 1
        if self._ceiling is not None:
            cutoff = min(cutoff, self._core.cutoff(self._ceiling))
        if not self._core.feasible or cutoff <= 0:
            self._done = True
            return
        if self._plant(cutoff):
            _, needs, numbers, costs, options = self._tree.local(0)
            self._look_about(needs, numbers, costs, options)
            self._spell = FULL_SPELL + PER_MEMBER * sum(map(len, options))
            self._rest = self._spell // FIRST_SPELL
            self._stage = self._descend

    def _plant(self, cutoff: int) -> bool:
        """Make a tree for the core and reduce its root; returns whether anything is left to do."""
        rest = self._core
        tree = self._tree = self._module.Cover(rest.needs, rest.options, rest.costs, cutoff, self._native, self._looks)
        tree.set_symmetric(self._symmetries.interval)
        tree.set_hope(HOPE if self._sparing else FAR)
        if rest.witness is not None:
            watch_core(tree, rest, "the search for covers")
        if tree.reduce():
            return True
        self._done = True
        taken, paid = tree.taken(0)
        if not tree.ended() and paid < cutoff:
            tree.lower(paid)
            self._found(taken)
        return False

    def _look_about(
        self, needs: Sequence[int], numbers: list[int], costs: Sequence[int], options: Sequence[Sequence[int]]
    ) -> None:
        """Prepare a local search of what is left at the root, beginning with a greedy cover. numbers: per option, its
        number in the core."""
        self._forced, self._paid = self._tree.taken(0)
        self._local = numbers
        self._descent = self._descents.Descent(needs, options, costs, looks=self._looks)
        self._descent.greedy()
        self._cored = False
        if self._wide:
            self._ground = needs, options, costs
        self._began = 0
        self._offer()

    def _descend(self, end: int) -> None:
        """A spell of local search."""
        self._spells += 1
        descent = self._descent
        spell = min(self._rest, self._spell)
        self._rest -= spell
        before = descent.spent()
        try:
            better = descent.run(spell, self._tree.bound() - self._paid)
        except BaseException:
            self._offer()
            raise
        self._counted += descent.spent() - before
        if self._cored:
            self._core_work += descent.spent() - before
        if better:
            used = descent.spent() - self._began
            self._rest = max(self._rest, STUBBORN * used)
            self._offer()
        if self._tree.bound() >= self._tree.limit():
            self._done = True
        elif self._rest <= 0:
            self._stage = self._search if self._settled else self._settle

    def _settle(self, end: int) -> None:
        """Bound the root once, and exclude and force options."""
        self._step(1)
        if self._tree.height() > 0 and not self._done:
            self._settled = True
            self._stage = self._search
            self._begin_vertices()
            self._narrow()
            self._next = self._tree.nodes + OFTEN

    def _begin_vertices(self) -> None:
        """Begin a search for vertex covers, if what is left at the root is a graph."""
        if not self._sparing or len(self._local) > MOST:
            return
        _, needs, numbers, costs, options = self._tree.local(0)
        found = graph(needs, options, costs)
        if found is not None:
            found = evolve(found, numbers=[numbers[o] for o in found.numbers])
            module, bound = load("_vertex_cover", self._interpreted), self.bound()
            assert bound is not None
            self._vertices = VertexCoverSearch(found, self._core, self._tree.taken(0)[0], module, bound, self._looks)

    def _search_vertices(self, end: int) -> bool:
        """Go on with the search for vertex covers, if it is its turn. Returns whether it was."""
        vertices, tree = self._vertices, self._tree
        if vertices is None:
            return False
        if vertices.work >= self._vertices_end:
            if vertices.work > VERTICES_SHARE * (self._updates + DEARER * self._counted):
                return False
            self._vertices_end = vertices.work + CHUNK
        vertices.lower(self._core.base + self._core.unit * tree.limit())
        code = vertices.run(self._vertices_end - vertices.work, end - self.nodes)
        if code == FOUND:
            tree.lower((vertices.value() - self._core.base) // self._core.unit)
            self._keep(vertices.answer())
        elif code == DONE:
            self._hold("the search for vertex covers", True, None)
            self._done = True
        self._hold("the search for vertex covers", False, vertices.bound())
        return True

    def _hold(self, by: str, ended: bool, bound: int | None) -> None:
        """A part of the search has ended, or proved a bound; it must not have passed the witness over."""
        least = worth(self._problem)
        if least is not None:
            known = self._core.base + self._core.unit * (self._tree.limit() - 1)
            hold_end(by, ended, bound, least, known, self._ceiling)

    def _narrow(self) -> None:
        """Make a core of what is left at the root, if something is to be gained by that."""
        tree = self._tree
        items, needs, numbers, costs, options = tree.local(0)
        implied = triangles(needs, options)
        if implied or gcd(*costs) > 1:
            above = self._core.base + self._core.unit * tree.limit()
            self._least = self.bound()
            self._past_nodes += tree.nodes
            self._past_updates += tree.updates
            self._core = narrow(self._core, tree.taken(0)[0], items, needs, numbers, options, implied)
            if not self._plant(self._core.cutoff(above - 1)):
                return
            self._look_about(needs, list(range(len(numbers))), self._core.costs, options)

    def _search(self, end: int) -> None:
        """Search a slice of the tree, or of whichever search beside it has its turn."""
        tree = self._tree
        if self._sparing and tree.nodes >= self._due:
            if self._search_vertices(end) or self._mirror(end):
                return
            self._due = tree.nodes + OFTEN  # wherever pauses fall, so that they change nothing
        cored = self._wide and self._updates >= CORES_AFTER
        most = OFTEN if cored else self._next - tree.nodes
        if self._wide:
            most = min(most, OFTEN - tree.nodes % OFTEN)
        if self._sparing:
            most = min(most, self._due - tree.nodes)
        self._step(min(end - self.nodes, most))
        if self._done:
            return
        if self._wide and self._updates >= CORES_AFTER:
            work = self._updates - CORES_AFTER
            due = CORES * min(work, CORES_LONG) + max(work - CORES_LONG, 0) // CORES_LEFT - self._core_work
            if tree.nodes % OFTEN or due <= 0:
                return  # whatever pauses there are, cores have their turns at the same nodes
            self._enter_cores()
            self._rest = max(due, CHUNK)
        elif tree.nodes < self._next:
            return
        elif self._counted < self._spell:
            self._next += OFTEN
            if tree.updates < DEARER * self._counted:
                return
            self._rest = self._counted
        else:
            self._next = max(2 * self._next, MANY)
            self._rest = self._spell + tree.updates // SHARE
        self._began = self._descent.spent()
        self._stage = self._descend

    def _enter_cores(self) -> None:
        """Let local search go on in cores from now on."""
        if not self._cored:
            from covr.engine.minimum.core_descent import CoreDescent

            needs, options, costs = self._ground
            self._descent = CoreDescent(needs, options, costs, self._near_best(), self._interpreted, self._looks)
            self._cored = True

    def _near_best(self) -> list[int]:
        """The cover that local search goes on from, in its numbers: the best one, if it is a cover of what is left at
        the root, or the best of local search."""
        needs, options, costs = self._ground
        mine = self._descent.answer()
        known = {*self._best}
        best = [k for k, o in enumerate(self._local) if self._core.numbers[o] in known]
        left = list(needs)
        for o in best:
            for i in options[o]:
                left[i] -= 1
        fits = max(left, default=0) <= 0 and sum(costs[o] for o in best) < sum(costs[o] for o in mine)
        return best if fits else mine

    def _step(self, nodes: int) -> None:
        """Search at most so many nodes of the tree, up to a better cover or a question from the tree."""
        limit = self._tree.limit()
        try:
            code = self._tree.run(nodes, 1)
        except BaseException:
            if self._tree.limit() < limit:
                self._found(self._tree.answer())
            raise
        if code == FOUND:
            self._found(self._tree.answer())
        elif code == DONE:
            self._done = True
        elif code == ASK:
            self._answer()

    def _mirror(self, end: int) -> bool:
        """Search a slice by orbits, if it is time for that. Returns whether it was."""
        tree = self._tree
        if self._orbital is None:
            self._orbital = self._start.made(
                self._core, tree.limit(), tree.updates, self._module, self._looks, self._maps
            )
        orbital = self._orbital
        if orbital is None or not orbital.is_due(tree.updates, tree.bound()):
            return False
        try:
            orbital.step(end - self.nodes)
        finally:
            if orbital.found is not None:
                self._found(orbital.found)
                orbital.found = None
        self._hold("the search by orbits", orbital.done, self._core.base + self._core.unit * orbital.bound())
        self._done = orbital.done
        return True

    def _agree(self) -> None:
        """Let the tree and the search by orbits look only for covers better than those that either of them knows."""
        if self._orbital is not None:
            self._orbital.lower(int(self._tree.limit()))
            self._tree.lower(self._orbital.cutoff)

    def _answer(self) -> None:
        """Answer a question from the tree: which options are equivalent to the one that was tried, or what a Python
        estimate returns."""
        tree = self._tree
        if tree.wants_orbit():
            self._symmetries.answer(tree, self._core.numbers, self.updates)
        else:
            self._estimate()

    def _estimate(self) -> None:
        """Call the Python estimates in turn; prices, `exclude` and `force` are taken from the last one that names
        any."""
        tree, rest = self._tree, self._core
        view = CoverView(self._problem, tree, rest)
        lower, prices, gone, sure = 0, None, set(), set()
        for estimate in self._asked:
            said = hear(estimate, estimate.bound(view, view.cutoff), self._problem.options)
            prices = said.prices if said.prices is not None else prices
            gone |= set(said.exclude)
            sure |= set(said.force)
            lower = max(lower, FAR if said.lower is None else min(-(-said.lower // rest.unit), FAR))
            if lower * rest.unit >= view.cutoff:
                break
        place = view.place
        tree.tell(
            lower,
            None if prices is None else [prices.get(i, 0) / rest.unit for i in view.rows],
            [place[o] for o in gone if o in place],
            [place[o] for o in sure if o in place],
        )

    def _offer(self) -> None:
        """Report the best cover of local search if it is better than all covers before."""
        cost = self._paid + self._descent.value()
        if cost < self._tree.limit():
            self._tree.lower(cost)
            self._found([*self._forced, *(self._local[o] for o in self._descent.answer())])

    def _found(self, options: list[int]) -> None:
        """Keep a better cover. options: in the core's numbers."""
        self._keep([*self._core.taken, *(self._core.numbers[o] for o in options)])

    def _keep(self, chosen: list[int]) -> None:
        """Keep a better cover. chosen: in the problem's numbers."""
        self._agree()
        given = set(self._problem.given)
        self._best = [o for o in self._spare(chosen) if o not in given]
        self._fresh = True

    def _spare(self, chosen: list[int]) -> list[int]:
        """The cover without options that cost nothing and are not needed."""
        problem = self._problem
        spare = [o for o in self._core.taken if problem.costs[o] == 0 and o not in problem.given]
        if not spare:
            return chosen
        over = [-low for low in problem.low]
        for o in chosen:
            for i in problem.option(o):
                over[i] += 1
        gone = set()
        for o in reversed(spare):
            if all(over[i] > 0 or i >= problem.primary for i in problem.option(o)):
                gone.add(o)
                for i in problem.option(o):
                    over[i] -= 1
        return [o for o in chosen if o not in gone]


def rest_of(problem: Problem) -> Problem:
    """The covering problem whose covers are what the answers of a packing leave out. problem: it `joins_pairs`."""
    kept = problem.witness
    return evolve(
        problem,
        low=(1,) * problem.items,
        high=(problem.options,) * problem.items,
        primary=problem.items,
        costs=tuple([-cost for cost in problem.costs]),
        witness=None if kept is None else tuple(o for o in range(problem.options) if o not in frozenset(kept)),
    )
