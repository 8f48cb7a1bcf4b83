"""A lower bound that rises: the search for covers asked again and again whether there is one below a low cutoff.

Branch and bound in depth (kernels/cover/_cover.py) proves nothing before its end except the bound of its root. With a
lower cutoff it comes to an end much sooner, because nodes are pruned, and options excluded, by how far their bound is
from the cutoff. So each round looks only for covers that cost no more than a target, which is a little above what is
proved. If there is none, the bound rises. Rounds get as much time as the search with the true cutoff, once that has
taken longer than `ROUNDS_BEGIN` (cover.py); they end when what is left to be refuted is what that search is about to
refute.

After a round that took less than `QUICK` times the work of the one before, steps become longer, after one that took
`SLOW` times as much, shorter; one that takes `HASTY` times as much is begun again with a shorter step. The same is done
for pairs (kernels/cover/_vertex_cover.py).

Source: destructive lower bounds, Klein and Scholl (1999), "Computing lower bounds by destructive improvement". Measured
in CPU seconds of rounds alone: Steiner triples (stn81) have a bound of 51 after 9 s, where linear programs reach 28;
scpcyc06 55 after 5 s (49), scpnre1 26 after 4 s (24), scp41u 35 after 3 s (34 after 16 s).
"""

from __future__ import annotations

from typing import Any

from covr.engine.kernels.header import ASK, DONE, FOUND
from covr.engine.minimum.core import Core
from covr.engine.minimum.symmetry import Orbits
from covr.engine.witness import watch_core

QUICK, SLOW, HASTY = 2, 4, 8
BRIEF = 2_000_000  # updates; rounds that took fewer count as if they had taken these
LOWER = 4  # by what the step of a hasty round is divided
SLICE_NODES = 100  # nodes in a slice, after which it is looked how much work the round has taken


class Rounds:
    """The rounds for one core. Costs are those of the core."""

    def __init__(self, core: Core, module: Any, native: int, hope: int, symmetries: Orbits, looks: Any) -> None:
        """module: the one that holds the kernel of the tree.  native, hope: the estimates, and how `set_hope` sets
        them.  symmetries: finds orbits.  looks: tells whether to stop (_looks.py)."""
        self.proved = 0  # no cover costs less
        self.found: tuple[int, list[int]] | None = None  # the cost and the options of a cover that is not told yet
        self._core, self._module, self._native, self._hope = core, module, native, hope
        self._symmetries = symmetries
        self._looks = looks
        self._tree: Any = None
        self._nodes = self._updates = 0  # those of earlier rounds
        self._stride = 1  # how far the target is above what is proved, plus 1
        self._before = 0  # updates of the round before
        self._slice = 0  # nodes that are left of a slice

    @property
    def nodes(self) -> int:
        """Nodes of all rounds."""
        return self._nodes + (self._tree.nodes if self._tree is not None else 0)

    @property
    def updates(self) -> int:
        """Updates of all rounds."""
        return self._updates + (self._tree.updates if self._tree is not None else 0)

    @property
    def is_midway(self) -> bool:
        """Whether a slice is not at its end. Turns are changed between slices only, so that pauses change nothing."""
        return self._slice > 0

    def idle(self, cutoff: int) -> bool:
        """Whether nothing is left to do: covers that cost less than the cutoff are looked for elsewhere."""
        return self.proved >= cutoff - 1

    def step(self, nodes: int, cutoff: int) -> None:
        """Search so many nodes, at most, for covers below the target; the target is below the cutoff. May set `found`.

        Raises the exception by which `looks` stopped it; the next call goes on from there."""
        tree = self._tree
        if tree is None:
            self._begin(min(self.proved + self._stride, cutoff - 1))
            return
        limit, before = tree.limit(), tree.nodes
        if self._slice <= 0:
            self._slice = SLICE_NODES
        try:
            code = tree.run(min(nodes, self._slice), 1)
        except BaseException:
            self._note(limit)
            raise
        finally:
            self._slice -= tree.nodes - before
        if code == FOUND:
            self._note(limit)
        elif code == DONE:
            self._end(tree.limit())
        elif code == ASK:
            assert tree.wants_orbit()
            self._symmetries.answer(tree, self._core.numbers, self.updates)
        hasty = self._tree is not None and self._slice <= 0 and self._tree.updates > HASTY * self._before
        if self._stride > 1 and hasty:
            self._stride = max(self._stride // LOWER, 1)
            self._close()

    def _begin(self, cutoff: int) -> None:
        """Begin a round for covers that cost less than the cutoff."""
        rest = self._core
        tree = self._module.Cover(rest.needs, rest.options, rest.costs, cutoff, self._native, self._looks)
        tree.set_symmetric(self._symmetries.interval)
        tree.set_hope(self._hope)
        if rest.witness is not None:
            watch_core(tree, rest, "the rounds")
        self._tree = tree
        if tree.reduce():
            return
        taken, paid = tree.taken(0)
        if not tree.ended() and paid < cutoff:
            self.found = (paid, taken)
            self._end(paid)
        else:
            self._end(cutoff)

    def _note(self, limit: int) -> None:
        """Keep the tree's cover, if it has found one since its cutoff was `limit`."""
        if self._tree.limit() < limit:
            self.found = (self._tree.limit(), self._tree.answer())

    def _end(self, proved: int) -> None:
        """A round is over: no cover costs less than `proved`."""
        took = max(self._tree.updates, BRIEF)
        self.proved = max(self.proved, proved)
        if self._before > 0:
            if took < QUICK * self._before:
                self._stride *= 2
            elif took > SLOW * self._before:
                self._stride = max(self._stride // 2, 1)
        self._before = took
        self._close()

    def _close(self) -> None:
        """Forget the tree."""
        self._nodes, self._updates = self.nodes, self.updates
        self._tree, self._slice = None, 0
