"""What is still open in a problem of which a part is known: the open options, and the conditions on them.

A *condition* is an item, numbered as the item, or a side, numbered `items + k` for side k. What is known (options that
are taken, options that are out) is subtracted from the conditions: an item of bounds 1, 1 that one known option holds
needs no further one. A condition that says nothing more about the open options is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Set

from covr.engine.problem import Problem
from covr.engine.proofs.shapes import CircuitShape, ConnectionShape, ShapeRule
from covr.engine.sides import Connection, Total

SUMS = 1 << 26  # bits that may be shifted to find all values that a total forces by itself; about 10 milliseconds

Sums = tuple[tuple[int, int], ...]


class Ground:
    """The open part of a problem.

    members: per condition that still matters, the open options in it, increasing.  of: per open option, the conditions
    that it is in.  low, high: per item of these, how many of its members are still needed, and allowed.
    shades: per item with colours, the colour of each member.  terms, sums: per total, what each member counts for, and
    the sums that are still allowed.  spans: per total, the least and the greatest sum of its members.
    sizes: per total, how much each member counts without its sign, and the member, the greatest first.
    shapes: per connection and circuit, what it still demands.
    """

    def __init__(self, problem: Problem, taken: Set[int], out: Set[int]) -> None:
        """problem: validated.  taken, out: what is known; it contradicts no condition by itself.
        Time linear in the problem."""
        self.items = problem.items
        self.members: dict[int, tuple[int, ...]] = {}
        self.of: dict[int, list[int]] = {}
        self.low: dict[int, int] = {}
        self.high: dict[int, int] = {}
        self.shades: dict[int, dict[int, int]] = {}
        self.terms: dict[int, dict[int, int]] = {}
        self.sums: dict[int, Sums] = {}
        self.spans: dict[int, tuple[int, int]] = {}
        self.sizes: dict[int, list[tuple[int, int]]] = {}
        self.shapes: dict[int, ShapeRule] = {}
        self.open = [o for o in range(problem.options) if o not in taken and o not in out]
        still = set(self.open)
        for i in range(problem.items):
            self._item(problem, i, taken, still)
        for k, side in enumerate(problem.sides):
            if isinstance(side, Total):
                self._total(problem.items + k, side, taken, still)
                continue
            kind = ConnectionShape if isinstance(side, Connection) else CircuitShape
            shape: ShapeRule = kind(side, taken, still)  # type: ignore[arg-type]
            if shape.members:
                self.shapes[problem.items + k], self.members[problem.items + k] = shape, shape.members
        for o in self.open:
            self.of[o] = []
        for c, here in self.members.items():
            for o in here:
                self.of[o].append(c)

    def _item(self, problem: Problem, i: int, taken: Set[int], still: Set[int]) -> None:
        here = tuple(o for o in problem.holders[i] if o in still)
        if not here:
            return
        shades = {o: colour for o, colour in problem.column(i) if colour} if problem.colours else {}
        held = [o for o in problem.holders[i] if o in taken]
        if shades:
            if any(shades.get(o) for o in held):
                here = tuple(o for o in here if shades.get(o) != shades.get(held[0]))
                if not here:
                    return
                self.low[i], self.high[i] = 0, 0
            else:
                self.low[i], self.high[i] = 0, 1 - len(held)
                if not held and len({shades.get(o, -o - 1) for o in here}) == 1:
                    return
                if not held:
                    self.shades[i] = {o: shades.get(o, 0) for o in here}
        else:
            low, high = max(problem.low[i] - len(held), 0), problem.high[i] - len(held)
            if not low and high >= len(here):
                return
            self.low[i], self.high[i] = low, high
        self.members[i] = here

    def _total(self, c: int, total: Total, taken: Set[int], still: Set[int]) -> None:
        terms = {o: n for o, n in total.terms if o in still}
        if not terms:
            return
        sofar = sum(n for o, n in total.terms if o in taken)
        sums = tuple((low - sofar, high - sofar) for low, high in total.sums)
        least, most = sum(min(n, 0) for n in terms.values()), sum(max(n, 0) for n in terms.values())
        if any(low <= least and most <= high for low, high in sums):
            return
        self.members[c], self.terms[c], self.sums[c] = tuple(terms), terms, sums
        self.spans[c] = least, most
        self.sizes[c] = sorted(((abs(n), o) for o, n in terms.items()), key=lambda member: -member[0])

    def clash(self, i: int, one: int, other: int) -> bool:
        """Whether an item with colours keeps two of its members from being taken together."""
        shades = self.shades[i]
        return not shades[one] or shades[one] != shades[other]

    def spanned(self, c: int, span: tuple[int, int], option: int, taken: bool) -> tuple[int, int]:
        """The least and the greatest sum of a total, after one more of its members has a value."""
        n = self.terms[c][option]
        least, most = span
        if taken == (n > 0):
            return least + abs(n), most
        return least, most - abs(n)

    def allowed(self, c: int, span: tuple[int, int]) -> tuple[int, int] | None:
        """The least and the greatest number that a total still allows its sum to be, or may at the ends of a range that
        meets this one; None if it allows none from the least to the greatest sum of its members."""
        least, most = span
        able = [(low, high) for low, high in self.sums[c] if low <= most and least <= high]
        return (able[0][0], able[-1][1]) if able else None

    def narrowed(self, c: int, span: tuple[int, int], value: dict[int, bool]) -> list[tuple[int, bool]] | None:
        """The values of further members of a total that follow from the least and the greatest sum of its members;
        None if it can't be met. value: the members with a value, some of which may not have entered the sums yet.
        Takes time for the members whose values follow, mostly none."""
        allowed = self.allowed(c, span)
        if allowed is None:
            return None
        up, down = span[1] - allowed[0], allowed[1] - span[0]  # what counts more must count for all, or for nothing
        terms, found = self.terms[c], []
        for size, o in self.sizes[c]:
            if size <= up and size <= down:
                break
            if o not in value:
                found.append((o, (terms[o] > 0) == (size > up)))
        return found

    def settles(self, c: int, span: tuple[int, int], option: int | None) -> bool:
        """Whether a total gives a member its value, or can't be met (None), by the sums of its members alone."""
        allowed = self.allowed(c, span)
        if allowed is None or option is None:
            return allowed is None
        size = abs(self.terms[c][option])
        return span[1] - size < allowed[0] or span[0] + size > allowed[1]

    def forced_by_total(self, c: int) -> list[tuple[int, bool]] | None:
        """Every value that a total alone forces: each sum of its other members that can occur is tried. None if there
        are too many sums (see `SUMS`)."""
        terms, sums = self.terms[c], self.sums[c]
        least = sum(min(n, 0) for n in terms.values())
        width = sum(map(abs, terms.values())) + 1
        if width * len(terms) ** 2 > SUMS:
            return None
        wanted = 0  # bit s - least: whether the sum s is allowed; so are the bits of all sets of sums below
        for low, high in sums:
            low, high = max(low - least, 0), min(high - least, width - 1)
            wanted |= (1 << max(high + 1, low)) - (1 << low)
        found = []
        for o, n in terms.items():
            able = 1 << -least
            for other, m in terms.items():
                if other != o:
                    able |= able << m if m > 0 else able >> -m
            without, with_it = able & wanted, (able << n if n > 0 else able >> -n) & wanted
            if not without or not with_it:
                found.append((o, not without))
        return found

    def violated(self, c: int, taken: Set[int]) -> bool:
        """Whether a condition is not met if exactly these of its members are taken."""
        if c in self.shapes:
            return self.shapes[c].violated(taken)
        here = [o for o in self.members[c] if o in taken]
        if c in self.terms:
            total = sum(self.terms[c][o] for o in here)
            return not any(low <= total <= high for low, high in self.sums[c])
        if c in self.shades:
            return len(here) > 1 and any(self.clash(c, here[0], o) for o in here[1:])
        return not self.low[c] <= len(here) <= self.high[c]


def struck(problem: Problem, taken: Iterable[int]) -> set[int]:
    """The options that single items exclude because the taken options in them leave no room for another."""
    held = set(taken)
    return set().union(*struck_by_item(problem, held).values())


def struck_by_item(problem: Problem, taken: Set[int]) -> dict[int, set[int]]:
    """The same for each item that excludes some."""
    found: dict[int, set[int]] = {}
    empty = {i for i in range(problem.items) if not problem.high[i]}
    for i in {i for o in taken for i in problem.option(o)} | empty:
        here = [o for o in problem.holders[i] if o in taken]
        if len(here) < problem.high[i]:
            continue
        shades = dict(problem.column(i)) if problem.colours else {}
        shade = shades.get(here[0], 0) if here else 0
        gone = {o for o in problem.holders[i] if not shade or shades[o] != shade} - taken
        if gone:
            found[i] = gone
    return found


def strikers(problem: Problem, taken: Set[int], out: Iterable[int]) -> tuple[int, ...]:
    """Few taken options that strike those of the options `out` that any strike: greedily those that strike most."""
    causes: dict[int, set[int]] = {}  # taken option → options that it strikes
    for o in out:
        for i in problem.option(o):
            held = [t for t in problem.holders[i] if t in taken]
            if held and len(held) >= problem.high[i]:
                for t in held:
                    causes.setdefault(t, set()).add(o)
    found = []
    left = set().union(*causes.values())
    while left:
        best = min(causes, key=lambda t: (-len(causes[t] & left), t))
        found.append(best)
        left -= causes[best]
    return tuple(sorted(found))
