"""Unit propagation over rows `sum of coefficient · literal >= degree`: the one inference of a checker of proofs.

Reverse unit propagation: a row follows from others if its opposite, with them, leads to a contradiction by unit
propagation alone. A row's slack is the sum of the coefficients of all literals that are not false, less the degree. A
literal whose coefficient is above the slack must be true; a slack below 0 is a contradiction.

Rows are kept in two ways: a clause (one literal is enough) looks at two of its literals only, any other row counts its
slack. Literals are numbers: 2v is variable v, 2v + 1 its opposite.
"""

from __future__ import annotations

from collections.abc import Sequence


class Units:
    """The rows that stand, and what follows from them and some literals that are assumed."""

    def __init__(self, variables: int) -> None:
        """variables: numbered from 0."""
        self.variables = variables
        self.value = [0] * (2 * variables)  # per literal: 1 true, -1 false, 0 open
        self.trail: list[int] = []
        self.counted = 0  # literals of the trail that the slacks know of
        self.clauses: dict[int, list[int]] = {}  # row → its literals, of which the first two are watched
        self.watches: list[list[int]] = [[] for _ in range(2 * variables)]  # per literal: the clauses that watch it
        self.single: dict[int, int] = {}  # row → the one literal that it holds
        self.sums: dict[int, tuple[list[int], list[int]]] = {}  # row → literals and coefficients
        self.slack: dict[int, int] = {}
        self.heaviest: dict[int, int] = {}
        self.pressing: set[int] = set()  # rows that force something by themselves
        self.holding: list[list[tuple[int, int]]] = [
            [] for _ in range(2 * variables)
        ]  # per literal: (row, coefficient)
        self.never: set[int] = set()  # rows that nothing meets
        self.always: set[int] = set()  # rows that everything meets

    def add(self, row: int, literals: Sequence[int], coefficients: Sequence[int], degree: int) -> None:
        """Let a row stand. coefficients: above 0; no variable twice."""
        total = sum(coefficients)
        if degree <= 0:
            self.always.add(row)
        elif total < degree:
            self.never.add(row)
        elif min(coefficients) >= degree:
            if len(literals) == 1:
                self.single[row] = literals[0]
                return
            self.clauses[row] = list(literals)
            self.watches[literals[0]].append(row)
            self.watches[literals[1]].append(row)
        else:
            capped = [min(c, degree) for c in coefficients]
            self.sums[row] = list(literals), capped
            self.slack[row] = sum(capped) - degree
            self.heaviest[row] = max(capped)
            if self.slack[row] < self.heaviest[row]:
                self.pressing.add(row)
            for literal, c in zip(literals, capped, strict=True):
                self.holding[literal].append((row, c))

    def drop(self, row: int) -> None:
        """Let a row stand no longer. Time linear in the rows that share its literals."""
        if row in self.clauses:
            for literal in self.clauses.pop(row)[:2]:
                self.watches[literal].remove(row)
        elif row in self.sums:
            for literal in self.sums.pop(row)[0]:
                self.holding[literal] = [entry for entry in self.holding[literal] if entry[0] != row]
            del self.slack[row], self.heaviest[row]
            self.pressing.discard(row)
        else:
            self.single.pop(row, None)
            self.never.discard(row)
            self.always.discard(row)

    def contradicts(self, assumed: Sequence[int]) -> bool:
        """Whether the rows and these literals lead to a contradiction."""
        right = self._assume(assumed)
        self._forget()
        return not right

    def follows(self, assumed: Sequence[int]) -> list[int] | None:
        """The literals that follow from the rows and these literals, with them; None at a contradiction."""
        right = self._assume(assumed)
        found = self.trail.copy()
        self._forget()
        return found if right else None

    def _assume(self, assumed: Sequence[int]) -> bool:
        if self.never:
            return False
        for literal in (*assumed, *self.single.values()):
            if not self._set(literal):
                return False
        return all(map(self._settle, self.pressing)) and self._propagate()

    def _set(self, literal: int) -> bool:
        if self.value[literal] == 0:
            self.value[literal] = 1
            self.value[literal ^ 1] = -1
            self.trail.append(literal)
        return self.value[literal] > 0

    def _propagate(self) -> bool:
        k = 0
        while k < len(self.trail):
            literal = self.trail[k] ^ 1  # which is false
            k += 1
            self.counted = k
            right = True
            for row, c in self.holding[literal]:
                self.slack[row] -= c
                right = right and self.slack[row] >= 0
            if not right or not self._heard(literal):
                return False
            for row, _ in self.holding[literal]:
                if self.slack[row] < self.heaviest[row] and not self._settle(row):
                    return False
        return True

    def _settle(self, row: int) -> bool:
        """Set what a row forces. False if it can't be met."""
        room = self.slack[row]
        if room < 0:
            return False
        for literal, c in zip(*self.sums[row], strict=True):
            if c > room and self.value[literal] == 0:
                self._set(literal)
        return True

    def _heard(self, literal: int) -> bool:
        """Tell the clauses that watch a literal that it is false. False at a contradiction."""
        watching = self.watches[literal]
        kept: list[int] = []
        for at, row in enumerate(watching):
            clause = self.clauses[row]
            if clause[0] == literal:
                clause[0], clause[1] = clause[1], literal
            other = clause[0]
            if self.value[other] > 0:
                kept.append(row)
                continue
            for k in range(2, len(clause)):
                if self.value[clause[k]] >= 0:
                    clause[1], clause[k] = clause[k], literal
                    self.watches[clause[1]].append(row)
                    break
            else:
                kept.append(row)
                if not self._set(other):
                    kept += watching[at + 1 :]
                    self.watches[literal] = kept
                    return False
        self.watches[literal] = kept
        return True

    def _forget(self) -> None:
        """Take everything back that was assumed, and what followed."""
        for k, literal in enumerate(self.trail):
            self.value[literal] = self.value[literal ^ 1] = 0
            if k < self.counted:
                for row, c in self.holding[literal ^ 1]:
                    self.slack[row] += c
        self.trail.clear()
        self.counted = 0
