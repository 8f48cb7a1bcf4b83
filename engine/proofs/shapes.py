"""What a connection, a circuit or areas still demand of the options that are open, and what follows from it alone.

A person sees two things in such a rule: *cuts* (without this square that part would be closed off) and *dead ends* (a
line that enters here can't go on). Both are questions about the graph of what is still possible:

- **Connection.** What can't be reached from a vertex that is occupied stays empty. A vertex whose loss would separate
  two occupied ones is occupied.
- **Circuit.** A vertex that the loop passes has two lines, any other none. The loop lies in one *block* of the graph, a
  part that no single vertex cuts, so lines in other blocks are left; and a line that closes the loop while others lie
  outside of it is left, too.
- **Areas.** What is taken for certain and what is still possible bound the sum of each area. An option near what is
  taken has a value if the sums can't be as they should with the other one.

- **Forest.** What touches two places that hang together already would close a ring, and stays empty.

    members     the open options that the rule can concern, increasing
    forces      the values that follow from some values of members; None if the rule can't be met then
    cost        units of work (decide.py) that a call of `forces` takes
    complete    whether `forces` finds all that follows from the rule alone, for values that are empty
    why         what would go wrong if an option had the other value, as one of the numbers below; and the taken options
                that show it

That a loop crosses each cut an even number of times gave values as well, where an open option was a bridge of the open
ones; hints of slitherlinks rested on as many rules with it, so it is left out.

Where an option stands at several vertices, or several stand at one, less may be found than follows; never more. Source:
cut vertices and blocks by depth-first search, Hopcroft and Tarjan, CACM 16 (1973).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from typing import Protocol

from attrs import define, field

from covr.engine.problem import AreaDemand, Areas, Circuit, Connection, Forest, options_of
from covr.frozen import frozen

Values = Mapping[int, bool]
Found = list[tuple[int, bool]]

# What would go wrong: a part is closed off, or was never reached; a line ends, closes too early, meets another, or lies
# where the loop can't come; a ring closes; or there is no word for it, because it takes more than one look.
CLOSED_OFF, CUT_OFF, DEAD_END, TOO_EARLY, FORK, ELSEWHERE, RING, UNSAID = range(8)


class ShapeRule(Protocol):
    """A connection, a circuit or areas, of which a part is known: see above."""

    members: tuple[int, ...]
    cost: int
    complete: bool

    def forces(self, value: Values, only: int | None = None) -> Found | None:
        """The values that follow from some values of members; None if the rule can't be met then. only: the one option
        whose value matters, so that others may be missing."""

    def violated(self, taken: Set[int]) -> bool:
        """Whether the rule is not met if exactly these of the members are taken."""

    def why(self, option: int, taken: bool) -> tuple[int, tuple[int, ...]]:
        """What goes wrong if an option had not this value; UNSAID unless `forces` finds the value of what is known."""


class ConnectionShape:
    """A connection: see `ShapeRule`."""

    def __init__(self, side: Connection, taken: Set[int], still: Set[int]) -> None:
        """taken: the options that are known to be taken.  still: those that are open."""
        self._at: dict[int, list[int]] = {}  # open option → its vertices
        self._here: dict[int, list[int]] = {}  # vertex → the open options that stand there
        self._fixed: dict[int, int] = {}  # occupied vertex → a taken option that stands there
        for o, v in side.places:
            if o in taken:
                self._fixed[v] = o
            elif o in still:
                self._at.setdefault(o, []).append(v)
                self._here.setdefault(v, []).append(o)
        able = self._fixed.keys() | self._here.keys()
        self._beside: dict[int, list[int]] = {v: [] for v in sorted(able)}
        for u, v in side.edges:
            if u in able and v in able:
                self._beside[u].append(v)
                self._beside[v].append(u)
        self.members = tuple(sorted(self._at))
        self.cost = 1 + len(able) // 2
        alone = all(len(here) == 1 for v, here in self._here.items() if v not in self._fixed)
        self.complete = alone and all(len(at) == 1 for at in self._at.values())

    def forces(self, value: Values, only: int | None = None) -> Found | None:
        able, on = self._state(value)
        root = next((v for v in self._beside if v in on), None)
        if root is None:
            return []
        order, above, low, number = _searched(self._beside, able, root)
        if len(on) > sum(v in number for v in on):
            return None
        found = [(o, False) for o, at in self._at.items() if o not in value and any(v not in number for v in at)]
        # How many occupied vertices are below each one, itself included, in the tree of the search.
        below = {v: int(v in on) for v in order}
        for v in reversed(order):
            up = above[v]
            if v == root:
                continue
            below[up] += below[v]
            if up != root and up not in on and below[v] and low[v] >= number[up]:
                one = self._only(up, value)
                if one is not None and one not in value:
                    found.append((one, True))
        return list(dict.fromkeys(found))

    def violated(self, taken: Set[int]) -> bool:
        on = set(self._fixed).union(*(self._at[o] for o in taken if o in self._at))
        root = next(iter(on), None)
        return root is not None and len(_searched(self._beside, on, root)[0]) < len(on)

    def why(self, option: int, taken: bool) -> tuple[int, tuple[int, ...]]:
        """As of `ShapeRule`. Of an option that must be taken, the smallest part that is closed off without it."""
        if (option, taken) not in (self.forces({}) or ()):
            return UNSAID, ()
        if not taken:
            return CUT_OFF, ()
        able, on = self._state({option: False})
        parts = []
        left = dict.fromkeys(on)
        while left:
            order = _searched(self._beside, able, next(iter(left)))[0]
            parts.append(tuple(sorted(self._fixed[v] for v in order if v in self._fixed)))
            left = {v: None for v in left if v not in order}
        return CLOSED_OFF, min(parts, key=lambda part: (len(part), part))

    def _state(self, value: Values) -> tuple[set[int], set[int]]:
        """The vertices that can be occupied, and those that are."""
        able, on = set(self._fixed), set(self._fixed)
        for v, here in self._here.items():
            for o in here:
                if value.get(o, True):
                    able.add(v)
                    if o in value:
                        on.add(v)
        return able, on

    def _only(self, v: int, value: Values) -> int | None:
        """The only option that can stand at a vertex; None if several can."""
        able = [o for o in self._here.get(v, ()) if value.get(o, True)]
        return able[0] if len(able) == 1 else None


class ForestShape:
    """A forest: see `ShapeRule`."""

    complete = False

    def __init__(self, side: Forest, taken: Set[int], still: Set[int]) -> None:
        """As of `ConnectionShape`."""
        self._at: dict[int, set[int]] = {}
        self._sure = {o for o, _ in side.places if o in taken}
        for o, v in side.places:
            if o in taken or o in still:
                self._at.setdefault(o, set()).add(v)
        able = set().union(*self._at.values()) if self._at else set()
        self._beside: dict[int, list[int]] = {v: [] for v in able}
        for u, v in side.edges:
            if u in able and v in able:
                self._beside[u].append(v)
                self._beside[v].append(u)
        self.members = tuple(sorted(self._at.keys() - self._sure))
        self.cost = 1 + len(able) + len(self._at)

    def forces(self, value: Values, only: int | None = None) -> Found | None:
        """As of `ShapeRule`."""
        on: set[int] = set()
        part = _Parts()
        for o in sorted(self._sure | {o for o, v in value.items() if v and o in self._at}):
            if self._closes(o, on, part):
                return None
            on |= self._at[o]
        return [(o, False) for o in self.members if o not in value and self._closes(o, on, part.copy())]

    def violated(self, taken: Set[int]) -> bool:
        """As of `ShapeRule`."""
        return self.forces(dict.fromkeys(taken, True)) is None

    def why(self, option: int, taken: bool) -> tuple[int, tuple[int, ...]]:
        """As of `ShapeRule`: the taken options that hang together with it."""
        if (option, taken) not in (self.forces({}) or ()):
            return UNSAID, ()
        on = set().union(*(self._at[o] for o in self._sure)) | self._at[option]
        near = set(_searched(self._beside, on, min(self._at[option]))[0])
        return RING, tuple(sorted(o for o in self._sure if self._at[o] & near))

    def _closes(self, option: int, on: Set[int], part: _Parts) -> bool:
        """Whether an option closes a ring with the vertices that are occupied; its edges are added to the parts."""
        new = self._at[option] - on
        edges = {(min(v, w), max(v, w)) for v in new for w in self._beside[v] if w in on or w in new}
        return not all(part.join(u, v) for u, v in edges)


class CircuitShape:
    """A circuit: see `ShapeRule`."""

    complete = False

    def __init__(self, side: Circuit, taken: Set[int], still: Set[int]) -> None:
        """As of `ConnectionShape`."""
        self._ends = {o: (u, v) for o, u, v in side.ends if o in taken or o in still}
        self._sure = {o for o in self._ends if o in taken}
        self._at: dict[int, list[int]] = {}
        for o, (u, v) in self._ends.items():
            for w in {u, v}:
                self._at.setdefault(w, []).append(o)
        self.members = tuple(sorted(self._ends.keys() - self._sure))
        self.cost = 1 + 2 * len(self._ends)

    def forces(self, value: Values, only: int | None = None) -> Found | None:
        taken = self._sure | {o for o, v in value.items() if v and o in self._ends}
        able = {o for o in self._ends if o in taken or o not in value}
        reasons = self._reasons(taken, able)
        return None if reasons is None else [(o, v) for o, (v, _) in reasons.items()]

    def violated(self, taken: Set[int]) -> bool:
        every = self._sure | (taken & self._ends.keys())
        reasons = self._reasons(every, every)
        return reasons is None or not every

    def why(self, option: int, taken: bool) -> tuple[int, tuple[int, ...]]:
        value, kind = (self._reasons(self._sure, set(self._ends)) or {}).get(option, (not taken, UNSAID))
        if value != taken:
            return UNSAID, ()
        near = {o for w in self._ends[option] for o in self._at[w] if o in self._sure}
        if kind == TOO_EARLY:
            near = set(self._path(option))
        return kind, tuple(sorted(near))

    def _reasons(self, taken: Set[int], able: Set[int]) -> dict[int, tuple[bool, int]] | None:
        """The values that follow, each with what is wrong with the other one; None if there is no loop."""
        found: dict[int, tuple[bool, int]] = {}
        for here in self._at.values():
            there = [o for o in here if o in able]
            on = sum(1 + self._is_round(o) for o in there if o in taken)
            open_ones = [o for o in there if o not in taken]
            if on > 2 or (on == 1 and not open_ones):
                return None
            if on == 2 or (on == 1 and any(map(self._is_round, open_ones))):
                found.update((o, (False, FORK)) for o in open_ones if on == 2 or self._is_round(o))
            elif on == 1 and len(open_ones) == 1:
                found[open_ones[0]] = True, DEAD_END
            elif not on and len(open_ones) == 1 and not self._is_round(open_ones[0]):
                found[open_ones[0]] = False, DEAD_END
        block = self._blocks(able)
        theirs = {block.get(o) for o in taken}
        if None in theirs or len(theirs) > 1 or not block:
            return None
        for o in able - taken:
            if o not in block or (theirs and block[o] not in theirs):
                found.setdefault(o, (False, DEAD_END if o not in block else ELSEWHERE))
        return self._closing(taken, able, found)

    def _closing(
        self, taken: Set[int], able: Set[int], found: dict[int, tuple[bool, int]]
    ) -> dict[int, tuple[bool, int]] | None:
        """Add what follows because there is one loop: nothing is closed while there is more outside of it."""
        part = _Parts()
        closed = None
        for o in sorted(taken):
            u, v = self._ends[o]
            if not part.join(u, v):
                closed = part.of(u)
        parts = {part.of(self._ends[o][0]) for o in taken}
        if closed is not None:
            if len({part.of(self._ends[o][0]) for o in taken}) > 1:
                return None
            found.update((o, (False, TOO_EARLY)) for o in able - taken)
        elif len(parts) > 1:
            for o in able - taken:
                u, v = self._ends[o]
                if part.of(u) == part.of(v) and (part.of(u) in parts or u == v):
                    found[o] = False, TOO_EARLY
        elif parts:
            found.update((o, (False, TOO_EARLY)) for o in able - taken if self._is_round(o))
        return found

    def _is_round(self, o: int) -> bool:
        return self._ends[o][0] == self._ends[o][1]

    def _blocks(self, able: Set[int]) -> dict[int, int]:
        """The number of the block in which each option lies, if the loop can lie in that block: not for a block of a
        single option that is no loop by itself."""
        found: dict[int, int] = {}
        seen: dict[int, int] = {}
        count = 0
        for root in self._at:
            if root in seen:
                continue
            seen[root] = len(seen)
            low = dict(seen)
            stack: list[int] = []  # options
            trail: list[tuple[int, int, Iterator[int]]] = [(root, -1, iter(self._at[root]))]
            while trail:
                v, came, options = trail[-1]
                for o in options:
                    if o not in able or o == came:
                        continue
                    a, b = self._ends[o]
                    w = b if a == v else a
                    if w == v:
                        found[o] = count
                        count += 1
                    elif w not in seen:
                        seen[w] = low[w] = len(seen)
                        stack.append(o)
                        trail.append((w, o, iter(self._at[w])))
                        break
                    elif seen[w] < seen[v]:
                        stack.append(o)
                        low[v] = min(low[v], seen[w])
                else:
                    trail.pop()
                    if not trail:
                        break
                    up = trail[-1][0]
                    low[up] = min(low[up], low[v])
                    if low[v] >= seen[up]:
                        block = stack[stack.index(came) :]
                        del stack[len(stack) - len(block) :]
                        if len(block) > 1:
                            found.update(dict.fromkeys(block, count))
                            count += 1
        return found

    def _path(self, option: int) -> Iterator[int]:
        """The taken options that `option` would close to a loop."""
        part = _Parts()
        for o in self._sure:
            part.join(*self._ends[o])
        own = part.of(self._ends[option][0])
        return (o for o in self._sure if part.of(self._ends[o][0]) == own)


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
        roots = change.roots.union([now.core[v] for v in moved])
        if not roots:
            return True
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
        around = {now.hull[v] for v in roots | moved}
        around = {h for h in around if (sums.low.get(h), sums.high.get(h)) != (before.low.get(h), before.high.get(h))}
        groups = roots.union([r for r in sums.sure if now.hull[r] in around] if around else ())
        return self._fits(now, self._side.demands[k], sums, groups, change)

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
            if not any(a <= most and least <= b for a, b in one.sums):
                return False
        return True


@define
class _Sums:
    """Bounds of what areas add up to.

    sure: per least area, by its vertex of `_Pieces.core`, what is certain.  low, high: per greatest area, the least and
    the most.
    """

    sure: dict[int, int] = field(factory=dict)
    low: dict[int, int] = field(factory=dict)
    high: dict[int, int] = field(factory=dict)

    def add(self, hull: int, weight: int, sign: int = 1) -> None:
        """A weight may count in a greatest area. sign: -1 to take that back."""
        self.low[hull] = self.low.get(hull, 0) + sign * min(weight, 0)
        self.high[hull] = self.high.get(hull, 0) + sign * max(weight, 0)


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
        core, hull = _Parts(), _Parts()
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
        joined = _Parts()
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
            order, above, low, number = _searched(beside, beside.keys(), root)
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
    joined: _Parts = field(factory=lambda: _Parts())
    roots: Set[int] = frozenset()
    walled: bool = False
    anew: _Pieces | None = None


Boards = dict[tuple[object, ...], _Board]


class _Parts:
    """Vertices that are joined (union and find)."""

    def __init__(self) -> None:
        self._up: dict[int, int] = {}

    def copy(self) -> _Parts:
        """The same parts, which may be joined apart from these."""
        other = _Parts()
        other._up = {**self._up}
        return other

    def of(self, v: int) -> int:
        """The vertex that stands for all that are joined to this one."""
        while (up := self._up.get(v, v)) != v:
            self._up[v] = self._up.get(up, up)
            v = up
        return v

    def every(self) -> set[int]:
        """All vertices that were joined."""
        return {*self._up, *self._up.values()}

    def join(self, u: int, v: int) -> bool:
        """Join two vertices; False if they were joined before."""
        u, v = self.of(u), self.of(v)
        self._up[u] = v
        return u != v


def _searched(
    beside: Mapping[int, Sequence[int]], able: Set[int], root: int
) -> tuple[list[int], dict[int, int], dict[int, int], dict[int, int]]:
    """A depth-first search in the vertices `able`: they in the order in which they are met, the one above each, the
    lowest number that is reached from below each, and the number of each."""
    number, low, above = {root: 0}, {root: 0}, {root: root}
    order = [root]
    trail = [(root, iter(beside[root]))]
    while trail:
        v, rest = trail[-1]
        for w in rest:
            if w not in able:
                continue
            if w not in number:
                number[w] = low[w] = len(number)
                above[w] = v
                order.append(w)
                trail.append((w, iter(beside[w])))
                break
            if w != above[v]:
                low[v] = min(low[v], number[w])
        else:
            trail.pop()
            if v != root:
                low[above[v]] = min(low[above[v]], low[v])
    return order, above, low, number
