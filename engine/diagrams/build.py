"""Makes the diagram of a problem: see kernels/frontiers/_diagram.py for how, and prepare/diagram.py for the order; with
side conditions, counting/side_sweep.py."""

from __future__ import annotations

from array import array

from covr.engine.base.heed import look
from covr.engine.counting.packed_sweep import PackedSweep, sweep_of
from covr.engine.counting.side_sweep import HEED, SideSweep
from covr.engine.diagrams.diagram import Diagram, Nodes
from covr.engine.kernels.loading import load
from covr.engine.prepare.diagram import prepare
from covr.engine.problem import Problem

SLICE = 100_000  # options taken between two looks at the limits, some hundredths of a second
INTERPRETED_SLICE = 1_000  # the same where kernels are not compiled
NODE = 150  # bytes for each node of the diagram, about, that counting takes next to building


class TooLarge(Exception):
    """The diagram does not fit in memory. nodes: how many there were.  wanted, most: bytes."""

    def __init__(self, nodes: int, wanted: int, most: int) -> None:
        super().__init__(f"the diagram has more than {nodes} nodes; {wanted} bytes were wanted, {most} are allowed")
        self.nodes, self.wanted, self.most = nodes, wanted, most


class DiagramBuilder:
    """A diagram that is being built. nodes: how many it has so far; may be read from any thread."""

    def __init__(self, problem: Problem, most: int, interpreted: bool = False) -> None:
        """most: bytes that building may take.  interpreted: do not use the compiled kernel.

        Raises Unsuited for a problem in which only some options tell answers apart. May raise Stopped (heed.py)."""
        self._problem, self._most = problem, most
        self._sweep = sweep_of(problem, True, most) if problem.sides else None
        self._done_with: Diagram | None = None
        if self._sweep is not None:
            return
        self._input = prepare(problem)
        module = load("_diagram", interpreted)
        self._full, self._done = module.FULL, module.DONE
        self._slice = SLICE if module.COMPILED else INTERPRETED_SLICE
        given = self._input
        self._kernel = (
            module.Builder(len(given.numbers), given.width, given.tests, given.fields, given.ends, given.blocks, most)
            if given.feasible
            else None
        )

    @property
    def nodes(self) -> int:
        if self._sweep is not None:
            return self._sweep.states
        return 0 if self._kernel is None else int(self._kernel.size) - 2

    def run(self) -> Diagram:
        """Build it. Raises TooLarge if it does not fit, and Stopped where whoever is heeded asks for it."""
        while True:
            done = self.step(1)
            if done is not None:
                return done

    def step(self, slices: int) -> Diagram | None:
        """Go on building for so many slices: the diagram, if it is ready by then. Raises as `run` does."""
        if self._sweep is not None and self._done_with is None:
            return self._swept(self._sweep, slices)
        if self._done_with is None and self._kernel is not None:
            code = -1
            for _ in range(slices):
                look()
                code = self._kernel.run(self._slice)
                if code == self._full:
                    raise TooLarge(self.nodes, int(self._kernel.wanted), self._most)
                if code == self._done:
                    break
            else:
                return None
        if self._done_with is None:
            self._done_with = self._made()
        return self._done_with

    def _swept(self, sweep: PackedSweep | SideSweep, slices: int) -> Diagram | None:
        """As `step`, for a problem with sides."""
        for _ in range(slices):
            look()
            over = sweep.run(HEED)
            if sweep.wanted > self._most:
                raise TooLarge(self.nodes, sweep.wanted, self._most)
            if over:
                self._done_with = _reduced(self._problem, sweep)
                break
        return self._done_with

    def _made(self) -> Diagram:
        """The diagram that the kernel has built."""
        problem, order = self._problem, (*self._problem.given, *self._input.numbers)
        if self._kernel is None:
            ends = array("i", [len(order), len(order)])
            return Diagram(problem.options, order, ends, array("i", [0, 0]), array("i", [0, 0]), 0)
        level, low, high = self._kernel.nodes()
        root = int(self._kernel.root)
        self._kernel = None
        first = len(problem.given)
        if first:
            level = array("i", [v + first for v in level])
            if root:
                for v in range(first - 1, -1, -1):
                    level.append(v)
                    low.append(0)
                    high.append(root)
                    root = len(level) - 1
        return Diagram(problem.options, order, level, low, high, root)


def _reduced(problem: Problem, sweep: PackedSweep | SideSweep) -> Diagram:
    """The diagram of a sweep that has reached its end, from the bottom up. Linear in its states."""
    nodes = Nodes(len(sweep.order))
    lows, highs = sweep.arcs()
    below = array("i", [1])  # the nodes of the states of the layer below; at the bottom all states are one
    for level in range(len(lows) - 1, -1, -1):
        look()
        made = array("i", [0]) * len(lows[level])
        for k, (low, high) in enumerate(zip(lows.pop(), highs.pop(), strict=True)):
            made[k] = nodes.make(level, below[low] if low >= 0 else 0, below[high] if high >= 0 else 0)
        below = made
    root = below[0] if lows or sweep.is_possible else 0
    return Diagram(problem.options, tuple(sweep.order), nodes.level, nodes.low, nodes.high, root)


def build_diagram(problem: Problem, most: int, interpreted: bool = False) -> Diagram:
    """The diagram of a problem: see DiagramBuilder."""
    return DiagramBuilder(problem, most, interpreted).run()
