"""What a connection, a circuit or areas still demand of the options that are open, and what follows from it alone.

A person sees two things in such a rule: *cuts* (without this square that part would be closed off) and *dead ends* (a
line that enters here can't go on). Both are questions about the graph of what is still possible:

- **Connection.** What can't be reached from a vertex that is occupied stays empty. A vertex whose loss would separate
  two occupied ones is occupied.
- **Circuit.** A vertex that the loop passes has two lines, any other none. The loop lies in one *block* of the graph, a
  part that no single vertex cuts, so lines in other blocks are left; and a line that closes the loop while others lie
  outside of it is left, too.
- **Areas**: see area_shapes.py.
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

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Protocol

from covr.engine.problem import Circuit, Connection, Forest, UnionFind

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
        order, above, low, number = searched(self._beside, able, root)
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
        return root is not None and len(searched(self._beside, on, root)[0]) < len(on)

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
            order = searched(self._beside, able, next(iter(left)))[0]
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
        part = UnionFind()
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
        near = set(searched(self._beside, on, min(self._at[option]))[0])
        return RING, tuple(sorted(o for o in self._sure if self._at[o] & near))

    def _closes(self, option: int, on: Set[int], part: UnionFind) -> bool:
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
        part = UnionFind()
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
        part = UnionFind()
        for o in self._sure:
            part.join(*self._ends[o])
        own = part.of(self._ends[option][0])
        return (o for o in self._sure if part.of(self._ends[o][0]) == own)


def searched(
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
