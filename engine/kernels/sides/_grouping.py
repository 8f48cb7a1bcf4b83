"""Divides the options of totals into groups; prepare/sides.py says which, and why."""

from __future__ import annotations

from math import gcd

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.shared.arrays import _ints, _zero_bytes, _zero_ints
else:
    from covr.engine.kernels.shared.arrays import _ints, _zero_bytes, _zero_ints

COMPILED = cython.compiled


@cython.cclass
class Grouping:
    """The items of a problem, as far as they tell which options exclude each other. Coefficients are Python objects."""

    hold: list
    starts: cython.p_int
    members: cython.p_int
    plain: cython.p_schar
    single: cython.p_schar
    must: cython.p_schar
    sizes: cython.p_int
    left: cython.p_int
    stamp: cython.int

    def __init__(self, low, high, starts, members, colours, sizes) -> None:
        """low, high, starts, members, colours: of the problem.  sizes: per item, how many options hold it."""
        i: cython.Py_ssize_t
        self.hold = []
        self.starts = _ints(starts, self.hold)
        self.members = _ints(members, self.hold)
        self.sizes = _ints(sizes, self.hold)
        self.left = _zero_ints(len(starts), self.hold)
        self.single = _zero_bytes(len(low), self.hold)
        self.must = _zero_bytes(len(low), self.hold)
        self.plain = _zero_bytes(len(members), self.hold)
        self.stamp = 0
        for i in range(len(low)):
            self.single[i] = high[i] == 1
            self.must[i] = low[i] == 1
        for i in range(len(members)):
            self.plain[i] = not colours or not colours[i]

    def alone(self, options: list) -> dict:
        """Per item that may have only one option, those of these options that hold it without a colour."""
        found: dict = {}
        p: cython.int
        i: cython.int
        o: cython.int
        for o in options:
            for p in range(self.starts[o], self.starts[o + 1]):
                i = self.members[p]
                if self.single[i] and self.plain[p]:
                    if i in found:
                        found[i].append(o)
                    else:
                        found[i] = [o]
        return found

    def exact(self, alone: dict) -> list:
        """Disjoint items that must have exactly one option and have all theirs in the total, with those that have the
        most options first. alone: as made by the method."""
        i: cython.int
        o: cython.int
        free: cython.bint
        held: list
        whole: list = []
        found: list = []
        for i, held in alone.items():
            if self.must[i] and self.sizes[i] == len(held):
                whole.append((-len(held), i))
        whole.sort()
        self.stamp += 1
        for _, i in whole:
            held = alone[i]
            free = True
            for o in held:
                if self.left[o] == self.stamp:
                    free = False
                    break
            if free:
                found.append(i)
                for o in held:
                    self.left[o] = self.stamp
        return found

    def groups(self, options: list, alone: dict, first: list) -> list:
        """Disjoint groups of options, each with its item (-1 for a single option). first: items whose groups come
        first."""
        i: cython.int
        o: cython.int
        at: cython.Py_ssize_t = 0
        held: list
        found: list = []
        others: list = []
        early: set = set(first)
        for i, held in alone.items():
            if len(held) > 1 and i not in early:
                others.append((-len(held), i))
        others.sort()
        self.stamp += 1
        for o in options:
            self.left[o] = self.stamp
        order: list = first + [i for _, i in others]
        for at in range(len(order)):
            i = order[at]
            held = []
            for o in alone[i]:
                if self.left[o] == self.stamp:
                    held.append(o)
            if len(held) > 1 or (held and at < len(first)):
                found.append((i, held))
                for o in held:
                    self.left[o] = 0
        for o in options:
            if self.left[o] == self.stamp:
                found.append((-1, [o]))
        return found

    def values(self, terms: dict, groups: list) -> tuple:
        """What groups add: for each the values, as pairs of a number and the options that add it, what it adds if none
        is taken, and its item, or -1; then by what their sum is raised, and by what it is divided.  terms: per option,
        its coefficient."""
        i: cython.int
        o: cython.int
        whole: cython.bint
        held: list
        numbers: list
        lifts: list = []
        made: list = []
        own: dict
        base = 0
        unit = 0
        for i, held in groups:
            numbers = [terms[o] for o in held]
            whole = i >= 0 and self.must[i] and self.sizes[i] == len(held)
            lift = -min(numbers)
            if not whole and lift < 0:
                lift = 0
            lifts.append(lift)
            base += lift
            if unit != 1:
                unit = gcd(unit, *[c + lift for c in numbers], 0 if whole else lift)
        unit = unit or 1
        for (i, held), lift in zip(groups, lifts):  # noqa: B905
            own = {}
            for o in held:
                value = (terms[o] + lift) // unit
                if value in own:
                    own[value].append(o)
                else:
                    own[value] = [o]
            empty = lift // unit if lift > 0 else 0
            made.append((tuple([(v, tuple(own[v])) for v in sorted(own)]), empty, i if i >= 0 and self.must[i] else -1))
        return made, base, unit
