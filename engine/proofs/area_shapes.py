"""What areas still demand of the options that are open, and what follows from it alone.

What is taken for certain and what is still possible bound the sum of each area. An option near what is taken has a
value if the sums can't be as they should with the other one. Each value changes a board a little, so the pieces of the
board are found once, and only the sums of what it joins, adds or takes away are compared anew. Rules about the same
areas share their board.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property

from attrs import define, field

from covr.engine.problem import AreaDemand, Areas, UnionFind, options_of
from covr.engine.proofs.shapes import UNSAID, Found, Values, searched
from covr.frozen import frozen

Edge = tuple[int, int]


class AreasShape:
    """Areas: see `ShapeRule`."""

    complete = False

    def __init__(self, side: Areas, taken: Set[int], still: Set[int], boards: Boards | None = None) -> None:
        """As of `ConnectionShape`. boards: those of other areas with the same options taken and open."""
        self._side, self._sure = side, taken
        self.members = tuple(sorted(set(options_of(side)) & still))
        key = side.places, id(side.edges), side.always, side.cuts
        self._board = _Board(side, taken, still) if boards is None or key not in boards else boards[key]
        if boards is not None:
            boards[key] = self._board
        self._terms: list[dict[int, list[tuple[int, int]]]] = [{} for _ in side.demands]  # vertex → (option, weight)
        self._counts: list[dict[int, list[int]]] = [{} for _ in side.demands]  # option → the vertices where it counts
        for one, terms, counts in zip(side.demands, self._terms, self._counts, strict=True):
            for o, v, weight in one.terms:
                if o in taken or o in still:
                    terms.setdefault(v, []).append((o, weight))
                    counts.setdefault(o, []).append(v)
        size = len(side.edges) + len(side.places) + sum([len(one.terms) for one in side.demands])
        self.cost = 1 + size + len(self.members)

    def forces(self, value: Values, only: int | None = None) -> Found | None:
        """As of `ShapeRule`."""
        now = self._board.pieces(value)
        sums = self._sums(now, value)
        if not self._possible(now, sums):
            return None
        found = []
        for o in self.members if only is None else (only,):
            if o not in value and not now.near.isdisjoint(self._about(o)):
                ways = (True, False)
                found += [(o, way) for way in ways if not self._allows(now, sums, {**value, o: not way}, o)][:1]
        return found

    def violated(self, taken: Set[int]) -> bool:
        """As of `ShapeRule`."""
        return not self.possible({o: o in taken for o in self.members})

    def why(self, option: int, taken: bool) -> tuple[int, tuple[int, ...]]:
        """As of `ShapeRule`: there is no word for it."""
        return UNSAID, ()

    def possible(self, value: Values) -> bool:
        """Whether bounds of the sums allow these values of members. Exact if all members have one. Linear time."""
        now = self._board.pieces(value)
        return self._possible(now, self._sums(now, value))

    def _about(self, o: int) -> Iterator[int]:
        """The vertices that an option is about."""
        yield from self._board.spots.get(o, ())
        for edge in self._board.walls.get(o, ()):
            yield from edge
        for counts in self._counts:
            yield from counts.get(o, ())

    def _sums(self, now: _Pieces, value: Values) -> list[_Sums]:
        """The bounds of each demand."""
        every = []
        for terms in self._terms:
            sums = _Sums({now.core[v]: 0 for v, on in now.spot.items() if on})
            for v, here in terms.items():
                for o, weight in here:
                    self._count(now, sums, v, now.spot.get(v, False), self._value(o, value), weight)
            for v, total in sums.sure.items():
                sums.add(now.hull[v], total)
            every.append(sums)
        return every

    def _value(self, o: int, value: Values) -> bool | None:
        return True if o in self._sure else value.get(o)

    def _count(
        self, now: _Pieces, sums: _Sums, v: int, met: bool | None, on: bool | None, weight: int, sign: int = 1
    ) -> None:
        """An option counts at a vertex. sign: -1 to take that back."""
        if met and on:
            sums.sure[now.core[v]] += sign * weight
        elif met is not False and on is not False:
            sums.add(now.hull[v], weight, sign)

    def _possible(self, now: _Pieces, every: Sequence[_Sums]) -> bool:
        """Whether no wall is within an area, and each demand allows a sum that its areas may have."""
        if now.walled:
            return False
        demands = zip(self._side.demands, every, strict=True)
        return all(self._fits(now, one, sums, sums.sure, _Change()) for one, sums in demands)

    def _allows(self, now: _Pieces, every: Sequence[_Sums], then: Values, option: int) -> bool:
        """The same after `option` has got a value, too. then: the values with it."""
        change = now.change(option, then[option])
        if change.anew is not None:
            return self._possible(change.anew, self._sums(change.anew, then))
        return not change.walled and all(self._keeps(now, k, every[k], option, then, change) for k in range(len(every)))

    def _keeps(self, now: _Pieces, k: int, before: _Sums, option: int, then: Values, change: _Change) -> bool:
        """Whether a demand allows some sum after a change in which no greatest area falls apart."""
        moved = {*change.spots, *[v for v in self._counts[k].get(option, ()) if v in now.spot]}
        roots = change.roots | {now.core[v] for v in moved}
        if not roots:
            return True
        changed = frozenset(roots)
        added = dict.fromkeys([v for v, on in change.spots.items() if on], 0)
        sums = _Sums({**before.sure, **added}, {**before.low}, {**before.high})
        roots &= sums.sure.keys()
        for r in roots:
            sums.add(now.hull[r], sums.sure[r], -1)
        for v in moved:
            for o, weight in self._terms[k].get(v, ()):
                old = self._value(o, then) if o != option else None
                self._count(now, sums, v, now.spot[v], old, weight, -1)
                self._count(now, sums, v, now.met(v, change.spots), self._value(o, then), weight)
        for r in roots:
            if change.joined.of(r) != r:
                sums.sure[change.joined.of(r)] += sums.sure.pop(r)
        roots &= sums.sure.keys()
        for r in roots:
            sums.add(now.hull[r], sums.sure[r])
        one = self._side.demands[k]
        around = {now.hull[v] for v in roots | moved} if one.anchors is None else ()
        for h in around:
            bounds = sums.low.get(h, 0), sums.high.get(h, 0)
            same = bounds == (before.low.get(h, 0), before.high.get(h, 0))
            if not same and not changed.issuperset(before.lacking(now, one, h, bounds)):
                return False
        return self._fits(now, one, sums, roots, change)

    def _fits(self, now: _Pieces, one: AreaDemand, sums: _Sums, roots: Iterable[int], change: _Change) -> bool:
        """Whether a demand allows some sum that these pieces may have, or what its anchors hold."""
        groups = [[r] for r in roots]
        if one.anchors is not None:
            able = [v for v in one.anchors if now.met(v, change.spots) is not False]
            groups = [[*{change.joined.of(now.core[v]) for v in able if now.met(v, change.spots)}]]
            if one.waived and not groups[0]:
                return True
        for group in groups:
            around = {now.hull[v] for v in (group if one.anchors is None else able)}
            least = sum([sums.low.get(h, 0) for h in around]) + sum([max(sums.sure[r], 0) for r in group])
            most = sum([sums.high.get(h, 0) for h in around]) + sum([min(sums.sure[r], 0) for r in group])
            if not _meets(one, least, most):
                return False
        return True


def _meets(one: AreaDemand, least: int, most: int) -> bool:
    """Whether a demand allows a sum between these."""
    return any(a <= most and least <= b for a, b in one.sums)


@define
class _Sums:
    """Bounds of what areas add up to.

    sure: per least area, by its vertex of `_Pieces.core`, what is certain.  low, high: per greatest area, the least and
    the most.
    """

    sure: dict[int, int] = field(factory=dict)
    low: dict[int, int] = field(factory=dict)
    high: dict[int, int] = field(factory=dict)
    _lacking: dict[tuple[int, tuple[int, int]], list[int]] = field(factory=dict)

    def add(self, hull: int, weight: int, sign: int = 1) -> None:
        """A weight may count in a greatest area. sign: -1 to take that back."""
        self.low[hull] = self.low.get(hull, 0) + sign * min(weight, 0)
        self.high[hull] = self.high.get(hull, 0) + sign * max(weight, 0)

    def lacking(self, now: _Pieces, one: AreaDemand, hull: int, bounds: tuple[int, int]) -> list[int]:
        """The least areas of a greatest one that have no sum which a demand allows, were its bounds these."""
        found = self._lacking.get((hull, bounds))
        if found is None:
            low, high = bounds
            here = [(r, n) for r, n in self.sure.items() if now.hull[r] == hull]
            found = [r for r, n in here if not _meets(one, low + max(n, 0), high + min(n, 0))]
            self._lacking[hull, bounds] = found
        return found


class _Board:
    """Where options stand and what they cut, for all areas of the same places, edges and walls.

    stand, cut: per vertex and per edge, the options there.  spots, walls: the vertices and edges of each option.
    beside: per vertex, its edges.
    """

    def __init__(self, side: Areas, taken: Set[int], still: Set[int]) -> None:
        """As of `AreasShape`."""
        self._sure, self._always = taken, set(side.always)
        self.stand: dict[int, list[int]] = {v: [] for v in side.always}
        self.cut: dict[Edge, list[int]] = {edge: [] for edge in side.edges}
        self.spots: dict[int, list[int]] = {}
        self.walls: dict[int, list[Edge]] = {}
        self.beside: dict[int, list[Edge]] = {}
        for o, v in side.places:
            if o in taken or o in still:
                self.stand.setdefault(v, []).append(o)
                self.spots.setdefault(o, []).append(v)
        for o, u, v in side.cuts:
            if o in taken or o in still:
                self.cut[u, v].append(o)
                self.walls.setdefault(o, []).append((u, v))
        for edge in side.edges:
            for v in edge:
                self.beside.setdefault(v, []).append(edge)
        self._last = _Pieces(self, {})

    def pieces(self, value: Values) -> _Pieces:
        """What hangs together; the pieces of the last call are kept, for the next rule about the same areas."""
        own = {o: on for o, on in value.items() if o in self.spots or o in self.walls}
        if own != self._last.value:
            self._last = _Pieces(self, own)
        return self._last

    def spot(self, v: int, value: Values) -> bool | None:
        """Whether a vertex is met; None if it may be."""
        return v in self._always or self.some(self.stand.get(v, ()), value)

    def some(self, options: Sequence[int], value: Values) -> bool | None:
        """Whether one of these is taken; None if one may be."""
        found: bool | None = False
        for o in options:
            on = True if o in self._sure else value.get(o)
            if on:
                return True
            if on is None:
                found = None
        return found


class _Pieces:
    """What hangs together under some values: the pieces of what is met, the *least* areas, and of what may be.

    spot: per vertex that can be met, whether it is, None if it may be.  wall: per edge, the same of being cut.  core,
    hull: per vertex, one that stands for its least and its greatest area.  near: vertices that are met, or next to one.
    parted: per least area, those behind a wall that is taken.  walled: whether such a wall is within one.
    """

    def __init__(self, board: _Board, value: Values) -> None:
        """Linear time."""
        self._board, self.value = board, value
        every = {v: board.spot(v, value) for v in board.stand}
        self.spot = {v: on for v, on in every.items() if on is not False}
        self.wall = {edge: board.some(options, value) for edge, options in board.cut.items()}
        core, hull = UnionFind(), UnionFind()
        for (u, v), cut in self.wall.items():
            if u in self.spot and v in self.spot and not cut:
                hull.join(u, v)
                if cut is False and self.spot[u] and self.spot[v]:
                    core.join(u, v)
        self.core = {v: core.of(v) for v in self.spot}
        self.hull = {v: hull.of(v) for v in self.spot}
        met = [v for v, on in self.spot.items() if on]
        self.near = {*met, *[w for v in met for edge in board.beside.get(v, ()) for w in edge]}
        self.parted: dict[int, set[int]] = {}
        for (u, v), cut in self.wall.items():
            if cut and u in self.spot and v in self.spot:
                self.parted.setdefault(self.core[u], set()).add(self.core[v])
                self.parted.setdefault(self.core[v], set()).add(self.core[u])
        self.walled = any(self.spot[v] and v in beyond for v, beyond in self.parted.items())
        self._changes: dict[tuple[int, bool], _Change] = {}

    def change(self, option: int, taken: bool) -> _Change:
        """What changes after one more option has a value."""
        known = self._changes.get((option, taken))
        if known is None:
            known = self._changes[option, taken] = self._changed(option, taken)
        return known

    def _changed(self, option: int, taken: bool) -> _Change:
        board, then = self._board, {**self.value, option: taken}
        spots = {v: board.spot(v, then) for v in board.spots.get(option, ()) if v in self.spot}
        spots = {v: on for v, on in spots.items() if on != self.spot[v]}
        walls = {edge: board.some(board.cut[edge], then) for edge in board.walls.get(option, ())}
        walls = {edge: cut for edge, cut in walls.items() if cut != self.wall[edge]}
        built = [edge for edge, cut in walls.items() if cut]
        lost = [*[v for v, on in spots.items() if not on], *built]
        if len(lost) > 1 or not self._thin.isdisjoint(lost):
            return _Change(anew=_Pieces(board, then))
        joined = UnionFind()
        opened = [edge for at, on in spots.items() if on for edge in board.beside.get(at, ())]
        for u, v in [*walls, *opened]:
            cut = walls[u, v] if (u, v) in walls else self.wall[u, v]
            if cut is False and self.met(u, spots) and self.met(v, spots):
                joined.join(self.core[u], self.core[v])
        roots = joined.every()
        walled = any(joined.of(r) == joined.of(other) for r in roots for other in self.parted.get(r, ()))
        for u, v in built:
            if self.met(u, spots) and self.met(v, spots):
                walled |= joined.of(self.core[u]) == joined.of(self.core[v])
        return _Change(spots, joined, roots, walled)

    def met(self, v: int, spots: Mapping[int, bool | None]) -> bool | None:
        """Whether a vertex is met after some have changed; None if it may be."""
        return spots[v] if v in spots else self.spot.get(v, False)

    @cached_property
    def _thin(self) -> set[int | Edge]:
        """The vertices and the edges without which a greatest area falls apart."""
        beside: dict[int, list[int]] = {v: [] for v in self.spot}
        for (u, v), cut in self.wall.items():
            if u in beside and v in beside and not cut:
                beside[u].append(v)
                beside[v].append(u)
        thin: set[int | Edge] = set()
        for root in set(self.hull.values()):
            order, above, low, number = searched(beside, beside.keys(), root)
            for v in order[1:]:
                if above[v] != root and low[v] >= number[above[v]]:
                    thin.add(above[v])
                if low[v] > number[above[v]]:
                    thin.update(((v, above[v]), (above[v], v)))
            if sum([above[v] == root for v in order[1:]]) > 1:
                thin.add(root)
        return thin


@frozen
class _Change:
    """What a value changes. anew: the pieces after it, if something may fall apart; nothing else is said then.

    spots: per vertex, as in `_Pieces`.  joined: which least areas become one.  roots: all of these.  walled: as there.
    """

    spots: Mapping[int, bool | None] = field(factory=dict)
    joined: UnionFind = field(factory=UnionFind)
    roots: Set[int] = frozenset()
    walled: bool = False
    anew: _Pieces | None = None


Boards = dict[tuple[object, ...], _Board]
