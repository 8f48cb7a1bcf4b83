"""Least cuts between two vertices of a small graph with capacities, by augmenting along shortest paths.

Source: Dinitz, "Algorithm for solution of a problem of maximum flow in networks with power estimation", 1970.
"""

from __future__ import annotations

from collections.abc import Sequence

TINY = 1e-9  # a capacity below this is none


class Network:
    """Directed arcs with capacities. Vertices are numbered from 0."""

    def __init__(self, vertices: int) -> None:
        self.arcs: list[list[int]] = [[] for _ in range(vertices)]  # per vertex, its arcs; arc k ^ 1 is the way back
        self.head: list[int] = []
        self.room: list[float] = []

    def add(self, u: int, v: int, there: float, back: float = 0.0) -> None:
        """Join two vertices by an arc, with these capacities there and back."""
        self.arcs[u].append(len(self.head))
        self.arcs[v].append(len(self.head) + 1)
        self.head += [v, u]
        self.room += [there, back]

    def cut(self, source: int, sink: int, enough: float) -> tuple[float, list[bool]]:
        """The greatest flow, or any that is `enough`, and whether each vertex is on the source's side of the least cut.
        The capacities stay as they are. Time O(vertices² · arcs), and far less as a rule."""
        room, flow = self.room[:], 0.0
        while True:
            level = self._levels(room, source)
            if level[sink] < 0 or flow >= enough:
                return flow, [depth >= 0 for depth in level]
            flow += self._push(room, level, source, sink)

    def _levels(self, room: Sequence[float], source: int) -> list[int]:
        level = [-1] * len(self.arcs)
        level[source] = 0
        queue = [source]
        for u in queue:
            for k in self.arcs[u]:
                v = self.head[k]
                if level[v] < 0 and room[k] > TINY:
                    level[v] = level[u] + 1
                    queue.append(v)
        return level

    def _push(self, room: list[float], level: Sequence[int], source: int, sink: int) -> float:
        """Push along shortest paths until there is none of this length; returns how much."""
        at = [0] * len(self.arcs)
        path: list[int] = []
        u, pushed = source, 0.0
        while True:
            if u == sink:
                least = min(room[k] for k in path)
                pushed += least
                for k in path:
                    room[k] -= least
                    room[k ^ 1] += least
                path, u = [], source
                continue
            while at[u] < len(self.arcs[u]):
                k = self.arcs[u][at[u]]
                if room[k] > TINY and level[self.head[k]] == level[u] + 1:
                    break
                at[u] += 1
            else:
                if not path:
                    return pushed
                u = self.head[path.pop() ^ 1]
                at[u] += 1
                continue
            path.append(k)
            u = self.head[k]
