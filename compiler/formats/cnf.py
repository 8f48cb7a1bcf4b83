"""DIMACS CNF for SAT solvers, and WCNF for MaxSAT where costs matter.

An `at least one` becomes a clause; an `at most one` with few members becomes a clause for each pair of them. Everything
else is counted by variables that say "at least k of the first j". Each of them is equivalent to what it says, and not
only implied by it, so a formula has exactly as many models as the problem has answers. A CNF mentions costs only in
comments.

Source: C. Sinz, "Towards an optimal CNF encoding of Boolean cardinality constraints" (2005), made two-sided.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from covr.compiler.formats.fault import Unwritable
from covr.compiler.formats.linear import Linear, Row
from covr.engine import Problem

PAIRS = 6  # up to so many members, an `at most one` is written as a clause for each pair
MOST_CLAUSES = 50_000_000

Clause = tuple[int, ...]


def write_cnf(problem: Problem) -> Iterator[str]:
    """The lines of a CNF file. The first one says how many follow, so the clauses are generated twice.

    Raises Unwritable if there would be too many clauses.
    """
    linear = Linear(problem)
    variables, clauses = _measure(linear)
    for line in linear.legend():
        yield f"c {line}\n"
    for o, cost in enumerate(linear.costs):
        yield f"c cost {cost} x{o + 1}\n"
    yield f"p cnf {variables} {clauses}\n"
    for clause in _Encoding(linear).clauses():
        yield " ".join(map(str, clause)) + " 0\n"


def write_wcnf(problem: Problem) -> Iterator[str]:
    """The lines of a WCNF file in the format of the MaxSAT evaluations since 2022: `h` stands before a clause that must
    hold, and a cost before one that should. The least total is `offset` below the least cost of an answer; a comment
    gives the offset."""
    linear = Linear(problem)
    _measure(linear)
    for line in linear.legend():
        yield f"c {line}\n"
    yield f"c offset {sum(c for c in linear.costs if c < 0)}\n"
    for clause in _Encoding(linear).clauses():
        yield f"h {' '.join(map(str, clause))} 0\n"
    for o, cost in enumerate(linear.costs):
        if cost:
            yield f"{abs(cost)} {-(o + 1) if cost > 0 else o + 1} 0\n"


def _measure(linear: Linear) -> tuple[int, int]:
    encoding = _Encoding(linear)
    count = 0
    for _ in encoding.clauses():
        count += 1
        if count > MOST_CLAUSES:
            raise Unwritable(f"the formula has more than {MOST_CLAUSES} clauses")
    return encoding.variables, count


class _Encoding:
    """Clauses over the variables of a Linear, numbered from 1, and over variables that count. variables: how many."""

    def __init__(self, linear: Linear) -> None:
        self.linear = linear
        self.variables = linear.variables

    def clauses(self) -> Iterator[Clause]:
        for row in self.linear.rows():
            yield from self._row(row)

    def _row(self, row: Row) -> Iterator[Clause]:
        """The clauses of a row whose factors are all 1, or are 1 and -1 with low = 0, which is an implication."""
        if any(factor < 0 for factor, _ in row.terms):
            if sum(factor < 0 for factor, _ in row.terms) > 1 or (row.low, row.high) != (0, None):
                raise AssertionError("a row that is no implication")
            yield tuple(v + 1 if factor > 0 else -(v + 1) for factor, v in row.terms)
            return
        members = [v + 1 for _, v in row.terms]
        n = len(members)
        low = max(row.low or 0, 0)
        high = n if row.high is None else row.high
        if low > high or low > n:
            yield (members[0],)
            yield (-members[0],)
            return
        if high == 0:
            yield from ((-x,) for x in members)
            return
        if low == n:
            yield from ((x,) for x in members)
            return
        if low <= 1 and (high >= n or high == 1):
            if low == 1:
                yield tuple(members)
            if high == 1 and n <= PAIRS:
                yield from ((-a, -b) for k, a in enumerate(members) for b in members[k + 1 :])
            elif high == 1:
                yield from self._counted(members, 0, 1)
            return
        yield from self._counted(members, low, high)

    def _counted(self, members: Sequence[int], low: int, high: int) -> Iterator[Clause]:
        """Clauses for "low to high of the members". before[k]: the variable for "at least k + 1 of those before"."""
        n = len(members)
        most = high if high < n else low
        before: list[int] = []
        for j, x in enumerate(members):
            if high < n and len(before) == high:
                yield (-x, -before[high - 1])
            if j == n - 1 and not low:
                return
            now: list[int] = []
            for k in range(min(j + 1, most)):
                self.variables += 1
                now.append(self.variables)
                yield from _at_least(now[k], x, before, k)
            before = now
        yield (before[low - 1],)


def _at_least(number: int, x: int, before: Sequence[int], k: int) -> Iterator[Clause]:
    """Clauses for number <-> "k + 1 of those before, or k of them and x", without parts that are impossible."""
    enough = before[k] if k < len(before) else None  # at least k + 1 of those before; None: never
    almost = before[k - 1] if k else None  # at least k of them; None: always
    yield (number, -x) if almost is None else (number, -x, -almost)
    if enough is None:
        yield (-number, x)
        if almost is not None:
            yield (-number, almost)
        return
    yield (number, -enough)
    yield (-number, enough, x)
    if almost is not None:
        yield (-number, almost)
