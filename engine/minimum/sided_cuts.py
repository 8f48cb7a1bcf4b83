"""Rows that hold because something is connected or forms a loop, found where a linear program breaks them.

**Connections.** Let the taken options certainly stand at one of the vertices A, and also at one of the vertices B: all
options of an item that needs one stand there, or an option that every answer takes. If all ways from A to B lead
through the vertices S, which may contain vertices of A and B, then an option at S must be taken: the options that stand
at S add up to at least 1. In place of B there may be any option o, and then they add up to at least x[o]; if nothing is
certain, some option r is put in place of A, and it is x[o] + x[r] - 1. The S that a solution of the linear program
breaks most is a least cut in the graph whose vertices have the values of their options as capacities.

**Circuits.** A loop that visits a vertex in a set S and one outside crosses its boundary at least twice: the lines
between S and the rest add up to at least 2 if vertices on both sides are certainly visited; to 2 x[o] or 2 (x[o] + x[r]
- 1) as above if that is only so when o and r are taken. Besides, two lines meet at a vertex at most, and a line is
never alone there.

Rows that values miss by less than `LEAST` are let be. Everything here is proved from the meaning of the statement
alone, so rows stay valid wherever the search goes.

Source: cuts for loops are those of Dantzig, Fulkerson and Johnson, "Solution of a large-scale traveling-salesman
problem", 1954; cuts for connections the node separators of Fischetti and others, "Thinning out Steiner trees", 2017.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from covr.engine.base.heed import heeded
from covr.engine.kernels.header import MIXED_UNBOUNDED as UNBOUNDED
from covr.engine.kernels.loading import load
from covr.engine.minimum.mixed_core import HeavyRow
from covr.engine.problem import Problem
from covr.engine.sides import Circuit, Connection

LEAST = 0.2  # by how much a row must be broken to be worth adding
MOST = 15  # rows that one connection or loop adds at once
PAIRS = 60  # options, at most, that stand in for a certain vertex in one round
ENDLESS = 1e9

Values = Sequence[float]  # per option of the problem, its value in the linear program
Cuts = Callable[[Values], Iterator[HeavyRow]]
Weights = dict[int, int]  # per option, its coefficient


def certain(problem: Problem, taken: Collection[int], out: Collection[int]) -> list[list[int]]:
    """Sets of options of which every answer takes at least one: single ones, and those of items that need one."""
    found = [[o] for o in sorted(taken)]
    for i in heeded(range(problem.primary)):
        held = problem.holders[i]
        if not any(o in taken for o in held):
            found.append([o for o in held if o not in out])
    return found


def cuts_of(problem: Problem, taken: Collection[int], out: Collection[int]) -> list[Cuts]:
    """What finds the broken rows of each connection and each circuit.

    taken, out: options that all answers take, or none. The rows are in the problem's numbers, taken options included.
    """
    sets = certain(problem, taken, out)
    found: list[Cuts] = []
    for side in problem.sides:
        if isinstance(side, Connection):
            found.append(ConnectionCuts(side, sets, taken, out))
        elif isinstance(side, Circuit):
            found.append(CircuitCuts(side, sets, out))
    return found


def _row(low: int, weights: Weights) -> HeavyRow:
    return HeavyRow(low, UNBOUNDED, sorted((o, w) for o, w in weights.items() if w))


def _missing(low: int, weights: Weights, x: Values) -> float:
    """By how much values miss a row "at least low"."""
    return low - sum(w * x[o] for o, w in weights.items())


def _better(rows: Iterable[tuple[float, int, Weights]]) -> Iterator[HeavyRow]:
    """The most broken of some rows, each once."""
    seen: set[tuple[int, tuple[tuple[int, int], ...]]] = set()
    for _, low, weights in sorted(rows, key=lambda row: -row[0])[: 2 * MOST]:
        row = _row(low, weights)
        if (key := (low, tuple(row.terms))) not in seen and len(seen) < MOST:
            seen.add(key)
            yield row


class ConnectionCuts:
    """The cuts of one connection."""

    def __init__(
        self, side: Connection, sets: Sequence[Sequence[int]], taken: Collection[int], out: Collection[int]
    ) -> None:
        """sets: those of `certain`."""
        self.stands: dict[int, list[int]] = {}  # per vertex, the options that can stand there
        self.places: dict[int, list[int]] = {}
        for o, v in heeded(sorted(set(side.places))):
            if o not in out:
                self.stands.setdefault(v, []).append(o)
                self.places.setdefault(o, []).append(v)
        self.number = {v: k for k, v in enumerate(self.stands)}
        edges = [(self.number[u], self.number[v]) for u, v in side.edges if u in self.number and v in self.number]
        # A vertex is a line from 2k to 2k + 1, and an edge two lines between the ends of one and the begins of another.
        between = [end for u, v in edges for end in ((2 * u + 1, 2 * v), (2 * v + 1, 2 * u))]
        self.tails = [*range(0, 2 * len(self.stands), 2), *(u for u, _ in between)]
        self.heads = [*range(1, 2 * len(self.stands), 2), *(v for _, v in between)]
        self.sure = {v for o in taken for v in self.places.get(o, ())}
        whole = [held for held in sets if held and all(o in self.places for o in held)]
        self.anchors = [sorted({self.places[o][0] for o in held}) for held in whole]

    def __call__(self, x: Values) -> Iterator[HeavyRow]:
        """The rows that the values break."""
        rooms = [ENDLESS if v in self.sure else sum(x[o] for o in held) for v, held in self.stands.items()]
        taken = sorted((o for o in self.places if x[o] > LEAST), key=lambda o: (-x[o], o))
        if self.anchors:
            root, first = self.anchors[0], None
            goals: list[tuple[Sequence[int], int | None]] = [(anchor, None) for anchor in self.anchors[1:]]
        elif taken:
            root, first, goals = self.places[taken[0]], taken[0], []
        else:
            return
        rows = list(self._broken(root, first, goals, rooms, x))
        if not rows:
            more = [(self.places[o], o) for o in taken if o != first]
            rows = list(self._broken(root, first, more[:PAIRS], rooms, x))
        yield from _better(rows)

    def _broken(
        self,
        root: Sequence[int],
        first: int | None,
        goals: Iterable[tuple[Sequence[int], int | None]],
        rooms: Sequence[float],
        x: Values,
    ) -> Iterator[tuple[float, int, Weights]]:
        """Broken rows between the root and each of some goals, each with by how much it is broken.

        first: the option that stands at the root if that is not certain.  goals: vertices, and the option that stands
        there if that is not certain.
        """
        count = len(rooms)
        source, sink = 2 * count, 2 * count + 1
        flows = load("_flow")
        for vertices, option in heeded(goals, 1):
            free = {self.number[v] for o in (first, option) if o is not None for v in self.places[o]}
            needs = (1.0 if option is None else x[option]) + (0.0 if first is None else x[first] - 1.0)
            if needs <= LEAST:
                continue
            begins, ends = [2 * self.number[v] for v in root], [2 * self.number[v] + 1 for v in vertices]
            tails = [*self.tails, *[source] * len(begins), *ends]
            heads = [*self.heads, *begins, *[sink] * len(ends)]
            there = [ENDLESS if k in free else room for k, room in enumerate(rooms)]
            there += [ENDLESS] * (len(tails) - count)
            net = flows.Flow(2 * count + 2, tails, heads, there, [0.0] * len(tails))
            flow, near = net.cut(source, sink, needs)
            if flow >= needs - LEAST:
                continue
            weights: Weights = {}
            for v, k in self.number.items():
                if near[2 * k] and not near[2 * k + 1]:
                    weights.update(dict.fromkeys(self.stands[v], 1))
            low = 1
            for o in (first, option):
                if o is not None:
                    weights[o] = weights.get(o, 0) - 1
            low -= (first is not None) + (option is not None)
            missing = _missing(low, weights, x)
            if missing > LEAST:
                yield missing, low, weights


class CircuitCuts:
    """The cuts of one circuit."""

    def __init__(self, side: Circuit, sets: Sequence[Sequence[int]], out: Collection[int]) -> None:
        """sets: those of `certain`."""
        self.ends = {o: (u, v) for o, u, v in side.ends if o not in out}
        corners = sorted({v for pair in self.ends.values() for v in pair})
        self.number = {v: k for k, v in enumerate(corners)}
        self.lines: list[list[int]] = [[] for _ in corners]
        for o, pair in self.ends.items():
            for v in set(pair):
                self.lines[self.number[v]].append(o)
        met = [
            set.intersection(*(set(self.ends[o]) for o in held))
            for held in sets
            if held and set(held) <= self.ends.keys()
        ]
        self.visited = sorted({self.number[v] for shared in met for v in shared})

    def __call__(self, x: Values) -> Iterator[HeavyRow]:
        """The rows that the values break."""
        rows = list(self._lonely(x))
        if not rows:
            rows = list(self._split(x))
        yield from _better(rows)

    def _times(self, o: int) -> int:
        """How often a line meets its first end."""
        u, v = self.ends[o]
        return 2 if u == v else 1

    def _lonely(self, x: Values) -> Iterator[tuple[float, int, Weights]]:
        """Broken rows of single vertices, and the one that says that there is a loop at all."""
        every = dict.fromkeys(self.ends, 1)
        if _missing(1, every, x) > LEAST:
            yield _missing(1, every, x), 1, every
        for lines in heeded(self.lines, 16):
            weights = {o: self._times(o) for o in lines}
            there = sum(w * x[o] for o, w in weights.items())
            if there > 2 + LEAST:
                yield there - 2, -2, {o: -w for o, w in weights.items()}
            for o, w in weights.items():
                if w == 1 and 2 * x[o] > there + LEAST:
                    yield 2 * x[o] - there, 0, {**weights, o: -1}

    def _split(self, x: Values) -> Iterator[tuple[float, int, Weights]]:
        """Broken rows of sets of vertices."""
        live = [o for o in self.ends if x[o] > 1e-6 and self.ends[o][0] != self.ends[o][1]]
        loops = [o for o in self.ends if x[o] > 1e-6 and self.ends[o][0] == self.ends[o][1]]
        if not live and not loops:
            return
        tails, heads = ([self.number[self.ends[o][end]] for o in live] for end in (0, 1))
        rooms = [x[o] for o in live]
        net = load("_flow").Flow(len(self.number), tails, heads, rooms, rooms)
        first: int | None = None
        if self.visited:
            root = self.visited[0]
        else:
            first = max([*live, *loops], key=lambda o: (x[o], -o))
            root = self.number[self.ends[first][0]]
        done: set[int] = {root}
        sure = set(self.visited)
        for a, lines in heeded(sorted(enumerate(self.lines), key=lambda pair: pair[0] not in sure), 1):
            if a in done or not lines:
                continue
            option = None if a in sure else max(lines, key=lambda o: (x[o], -o))
            needs = 2.0 if option is None else 2 * x[option]
            if first is not None:
                needs += 2 * x[first] - 2
            if needs <= LEAST:
                continue
            flow, near = net.cut(root, a, needs)
            if flow >= needs - LEAST:
                continue
            done.update(k for k in range(len(near)) if not near[k])
            weights = {o: 1 for o, (u, v) in self.ends.items() if near[self.number[u]] != near[self.number[v]]}
            low = 2
            for one in (first, option):
                if one is not None:
                    weights[one] = weights.get(one, 0) - 2
            low -= 2 * ((first is not None) + (option is not None))
            missing = _missing(low, weights, x)
            if missing > LEAST:
                yield missing, low, weights
