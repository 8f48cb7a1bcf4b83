"""Unit propagation over rows `sum of coefficient · literal >= degree`: the one inference of a checker of proofs.

Reverse unit propagation: a row follows from others if its opposite, with them, leads to a contradiction by unit
propagation alone. A row's slack is the sum of the coefficients of all literals that are not false, less the degree. A
literal whose coefficient is above the slack must be true; a slack below 0 is a contradiction.

Literals are numbers: 2v is variable v, 2v + 1 its opposite. Coefficients above the degree count as the degree. A
*clause* is a row of which one literal is enough: it counts no slack, but looks at two of its literals, its first two
entries; a look moves on when its literal becomes false. The file is Python, and is also compiled, which makes it many
times faster.

    value                       per literal: 1 if it is true, -1 if it is false, 0 if it is open
    trail, size                 the literals that are true, in order
    counted                     so many literals of the trail are counted in the slacks
    literals, weights, row      per entry: an entry is one literal of one row
    head, after, before         per literal, the list of its entries: the first; per entry, its neighbours; -1: none.
                                Of a clause, only the first two entries are in such lists
    start, length               per row: its entries, the largest coefficients first
    slack, heaviest             per row: its slack now, and its largest coefficient; both are 0 for a clause

Rows are named from outside by any number; inside, the place of a row that was dropped is used again.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any

try:
    import cython
except ImportError:

    class cython:
        """Stands in for Cython where it is not installed and this file runs interpreted: it does nothing."""

        compiled = False
        cclass = cfunc = final = inline = staticmethod(lambda thing: thing)


def _longer(old: Any, kind: str, size: int) -> Any:
    """A copy of an array with room for more."""
    new = array(kind, bytes(array(kind).itemsize * size))
    memoryview(new)[: len(old)] = memoryview(old)
    return new


@cython.final
@cython.cclass
class Units:
    """The rows that stand, and what follows from them and some literals that are assumed."""

    value: cython.int[::1]
    trail: cython.int[::1]
    head: cython.int[::1]
    literals: cython.int[::1]
    row: cython.int[::1]
    after: cython.int[::1]
    before: cython.int[::1]
    weights: cython.longlong[::1]
    start: cython.int[::1]
    length: cython.int[::1]
    slack: cython.longlong[::1]
    heaviest: cython.longlong[::1]
    variables: cython.int
    size: cython.int
    counted: cython.int
    rows: cython.int  # places of rows that were ever used
    entries: cython.int  # places of entries that were ever used
    places: dict  # a row's number → its place
    free_rows: list  # places of rows that were dropped
    free_entries: dict  # how many entries → where so many places are free
    pressing: set  # places of rows that force something by themselves
    never: set  # numbers of rows that nothing meets
    always: set  # numbers of rows that everything meets

    def __init__(self, variables: int) -> None:
        """variables: numbered from 0."""
        self.variables = variables
        self.value = array("i", bytes(8 * variables + 4))
        self.trail = array("i", bytes(4 * variables + 4))
        self.head = array("i", [-1] * (2 * variables + 1))
        self.literals = array("i", bytes(4 * 64))
        self.row = array("i", bytes(4 * 64))
        self.after = array("i", bytes(4 * 64))
        self.before = array("i", bytes(4 * 64))
        self.weights = array("q", bytes(8 * 64))
        self.start = array("i", bytes(4 * 64))
        self.length = array("i", bytes(4 * 64))
        self.slack = array("q", bytes(8 * 64))
        self.heaviest = array("q", bytes(8 * 64))
        self.size = self.counted = self.rows = self.entries = 0
        self.places = {}
        self.free_rows = []
        self.free_entries = {}
        self.pressing = set()
        self.never = set()
        self.always = set()

    def contradictory(self) -> set[int]:
        """The numbers of the rows that stand and that nothing meets."""
        found: set[int] = self.never
        return found

    def add(self, number: int, literals: Sequence[int], coefficients: Sequence[int], degree: int) -> None:
        """Let a row stand. number: which no row that stands has.  coefficients: above 0; no variable twice."""
        at: cython.int
        place: cython.int
        literal: cython.int
        total = sum(coefficients)
        if degree <= 0:
            self.always.add(number)
            return
        if total < degree:
            self.never.add(number)
            return
        if degree == 1:
            terms = [(-1, literal) for literal in literals]
        else:
            terms = sorted([(-min(c, degree), literal) for literal, c in zip(literals, coefficients, strict=True)])
        place = self._place()
        self.places[number] = place
        at = self._room(len(terms))
        self.start[place] = at
        self.length[place] = len(terms)
        linked: cython.int = at + len(terms)
        if len(terms) > 1 and min(coefficients) >= degree:
            self.slack[place] = self.heaviest[place] = 0
            linked = at + 2
        else:
            self.slack[place] = -sum([c for c, _ in terms]) - degree
            self.heaviest[place] = -terms[0][0]
            if self.slack[place] < self.heaviest[place]:
                self.pressing.add(place)
        for c, literal in terms:
            self.literals[at] = literal
            self.weights[at] = -c
            self.row[at] = place
            if at < linked:
                self._link(at)
            at += 1

    def drop(self, number: int) -> None:
        """Let a row stand no longer."""
        at: cython.int
        place: cython.int
        if number not in self.places:
            self.never.discard(number)
            self.always.discard(number)
            return
        place = self.places.pop(number)
        self.pressing.discard(place)
        for at in range(self.start[place], self.start[place] + (self.length[place] if self.heaviest[place] else 2)):
            self._unlink(at)
        self.free_rows.append(place)
        self.free_entries.setdefault(_rounded(self.length[place]), []).append(self.start[place])

    def contradicts(self, assumed: Sequence[int]) -> bool:
        """Whether the rows and these literals lead to a contradiction."""
        right: bool = self._assume(assumed)
        self._forget()
        return not right

    def follows(self, assumed: Sequence[int]) -> list[int] | None:
        """The literals that follow from the rows and these literals, with them; None at a contradiction."""
        right = self._assume(assumed)
        found = list(self.trail[: self.size])
        self._forget()
        return found if right else None

    @cython.cfunc
    def _link(self, at: cython.int) -> cython.void:
        """Put an entry into the list of its literal."""
        literal: cython.int = self.literals[at]
        self.before[at] = -1
        self.after[at] = self.head[literal]
        if self.head[literal] >= 0:
            self.before[self.head[literal]] = at
        self.head[literal] = at

    @cython.cfunc
    def _unlink(self, at: cython.int) -> cython.void:
        """Take an entry out of the list of its literal."""
        if self.before[at] < 0:
            self.head[self.literals[at]] = self.after[at]
        else:
            self.after[self.before[at]] = self.after[at]
        if self.after[at] >= 0:
            self.before[self.after[at]] = self.before[at]

    @cython.cfunc
    def _place(self) -> cython.int:
        """A place for a row."""
        if self.free_rows:
            return self.free_rows.pop()
        if self.rows == len(self.start):
            self.start = _longer(self.start, "i", 2 * self.rows)
            self.length = _longer(self.length, "i", 2 * self.rows)
            self.slack = _longer(self.slack, "q", 2 * self.rows)
            self.heaviest = _longer(self.heaviest, "q", 2 * self.rows)
        self.rows += 1
        return self.rows - 1

    @cython.cfunc
    def _room(self, size: cython.int) -> cython.int:
        """Where there are places for so many entries."""
        most: cython.int = _rounded(size)
        long: cython.int
        free = self.free_entries.get(most)
        if free:
            return free.pop()
        if self.entries + most > len(self.literals):
            long = 2 * (self.entries + most)
            self.literals = _longer(self.literals, "i", long)
            self.row = _longer(self.row, "i", long)
            self.after = _longer(self.after, "i", long)
            self.before = _longer(self.before, "i", long)
            self.weights = _longer(self.weights, "q", long)
        self.entries += most
        return self.entries - most

    @cython.cfunc
    def _assume(self, assumed) -> cython.bint:
        literal: cython.int
        place: cython.int
        if self.never:
            return False
        for literal in assumed:
            if not self._set(literal):
                return False
        for place in self.pressing:
            if not self._settle(place):
                return False
        return self._propagate()

    @cython.cfunc
    def _set(self, literal: cython.int) -> cython.bint:
        """Let a literal be true. False if it is false."""
        if self.value[literal] == 0:
            self.value[literal] = 1
            self.value[literal ^ 1] = -1
            self.trail[self.size] = literal
            self.size += 1
        return self.value[literal] > 0

    @cython.cfunc
    def _settle(self, place: cython.int) -> cython.bint:
        """Set what a row forces. False if it can't be met."""
        at: cython.int = self.start[place]
        end: cython.int = at + self.length[place]
        room: cython.longlong = self.slack[place]
        if room < 0:
            return False
        while at < end and self.weights[at] > room:
            if self.value[self.literals[at]] == 0:
                self._set(self.literals[at])
            at += 1
        return True

    @cython.cfunc
    def _propagate(self) -> cython.bint:
        """Set all that follows. False at a contradiction."""
        literal: cython.int
        at: cython.int
        place: cython.int
        following: cython.int
        right: cython.bint
        while self.counted < self.size:
            literal = self.trail[self.counted] ^ 1  # which is false
            self.counted += 1
            right = True
            at = self.head[literal]
            while at >= 0:
                place = self.row[at]
                if self.heaviest[place] > 0:
                    self.slack[place] -= self.weights[at]
                    if self.slack[place] < 0:
                        right = False
                at = self.after[at]
            if not right:
                return False
            at = self.head[literal]
            while at >= 0:
                place = self.row[at]
                following = self.after[at]
                if self.heaviest[place] == 0:
                    if not self._look(at, place):
                        return False
                elif self.slack[place] < self.heaviest[place]:
                    self._settle(place)
                at = following
        return True

    @cython.cfunc
    def _look(self, at: cython.int, place: cython.int) -> cython.bint:
        """Have a clause look at another literal than that of an entry, which is false. False at a contradiction."""
        k: cython.int
        literal: cython.int = self.literals[at]
        other: cython.int = self.literals[2 * self.start[place] + 1 - at]
        if self.value[other] > 0:
            return True
        for k in range(self.start[place] + 2, self.start[place] + self.length[place]):
            if self.value[self.literals[k]] >= 0:
                self._unlink(at)
                self.literals[at] = self.literals[k]
                self.literals[k] = literal
                self._link(at)
                return True
        return self._set(other)

    @cython.cfunc
    def _forget(self):
        """Take everything back that was assumed, and what followed."""
        k: cython.int
        at: cython.int
        literal: cython.int
        for k in range(self.size):
            literal = self.trail[k]
            self.value[literal] = 0
            self.value[literal ^ 1] = 0
            if k < self.counted:
                at = self.head[literal ^ 1]
                while at >= 0:
                    if self.heaviest[self.row[at]] > 0:
                        self.slack[self.row[at]] += self.weights[at]
                    at = self.after[at]
        self.size = self.counted = 0


def _rounded(size: int) -> int:
    """A size that has at most four binary digits other than 0, at least as large: few sizes, and little waste."""
    step = 1 << max(size.bit_length() - 4, 0)
    return -(-size // step) * step
