"""A problem as constraints over variables that are 0 or 1: CNF, WCNF, OPB, MiniZinc."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from covr.compiler.formats.draft import Unwritable
from covr.compiler.lower.lowered import Stage, taken_apart
from covr.engine import Problem
from covr.engine.problem import Total, word_for
from covr.frozen import frozen

if TYPE_CHECKING:
    from covr.engine.proofs.logged import PseudoBoolean

# --- linear ----------------------------------------------------------------------------------------------------------
# A problem as linear constraints over 0/1 variables, from which LP, MPS, OPB, CNF and MiniZinc are written.
#
# There is a variable for each option, numbered from 0; then one for each colour that several options show in the same
# item. It is 1 if and only if one of these options is taken, so that there are as many solutions as answers. A total is
# a row with its coefficients; a total that may lie in several ranges has a variable for each range, which is 1 if and
# only if the sum lies there. A problem without options has one variable that is 0.


Term = tuple[int, int]


@frozen
class Row:
    """low <= sum of factor · variable over `terms` <= high; None: not bounded. Terms are (factor, variable)."""

    terms: Sequence[Term]
    low: int | None = None
    high: int | None = None


class Linear:
    """The variables and rows of a problem.

    variables: how many there are.  costs: for each option, to be minimised; or empty.  never: a variable that is
    always 0, or None.
    """

    def __init__(self, problem: Problem) -> None:
        """Time linear in the length of the options. Raises Unwritable for a side condition other than a total:
        rows can't express it."""
        for side in problem.sides:
            if not isinstance(side, Total):
                raise Unwritable(f'linear constraints cannot say the {word_for(side)} "{side.name}"')
        self.problem = problem
        self.costs = problem.costs
        held = [list(problem.column(i)) for i in range(problem.items)]
        self._held = held
        self._shades: list[dict[int, list[int]]] = []
        self.variables = problem.options
        self._numbers: dict[tuple[int, int], int] = {}
        for i, options in enumerate(held):
            shades: dict[int, list[int]] = {}
            for o, c in options:
                if c:
                    shades.setdefault(c, []).append(o)
            for c, group in shades.items():
                if len(group) > 1:
                    self._numbers[i, c] = self.variables
                    self.variables += 1
            self._shades.append(shades)
        self._ranges: list[list[int]] = []
        for side in problem.sides:
            count = len(side.sums) if isinstance(side, Total) and len(side.sums) > 1 else 0
            self._ranges.append(list(range(self.variables, self.variables + count)))
            self.variables += count
        self.never: int | None = None
        totals = [side for side in problem.sides if isinstance(side, Total)]
        empty = any(not any(low <= 0 <= high for low, high in side.sums) for side in totals if not side.terms)
        empty = empty or any(not side.sums for side in totals)
        if empty or not problem.options or any(not h and lo > 0 for h, lo in zip(held, problem.low, strict=True)):
            self.never = self.variables
            self.variables += 1

    def rows(self) -> Iterator[Row]:
        """Every constraint, item by item, and then a constraint for each given option."""
        problem = self.problem
        for i, held in enumerate(self._held):
            if self._shades[i]:
                yield from self._colours(i)
                continue
            low = problem.low[i] if problem.low[i] > 0 else None
            high = problem.high[i] if problem.high[i] < len(held) else None
            if held:
                if low is not None or high is not None:
                    yield Row([(1, o) for o, _ in held], low, high)
            elif low is not None and self.never is not None:
                yield Row([(1, self.never)], low)
        for side, ranges in zip(problem.sides, self._ranges, strict=True):
            if isinstance(side, Total):
                yield from self._total(side, ranges)
        for o in problem.given:
            yield Row([(1, o)], 1, 1)
        if self.never is not None:
            yield Row([(1, self.never)], 0, 0)

    def _total(self, side: Total, ranges: Sequence[int]) -> Iterator[Row]:
        """The sum lies in the one range, or in that whose variable is 1. With several ranges, the rows count from the
        least and the most that the sum can be, so that no coefficient of a range is below 0: once the sum is settled,
        unit propagation excludes each range that it misses."""
        terms = [(c, o) for o, c in side.terms]
        least, most = sum(c for c, _ in terms if c < 0), sum(c for c, _ in terms if c > 0)
        if ranges:
            yield Row([(1, v) for v in ranges], 1, 1)
            lows = [(least - low, v) for (low, _), v in zip(side.sums, ranges, strict=True) if low > least]
            highs = [(most - high, v) for (_, high), v in zip(side.sums, ranges, strict=True) if high < most]
            yield Row([*terms, *lows], least)
            yield Row([*terms, *highs], None, most)
        elif side.sums:
            ((low, high),) = side.sums
            bounds = (low if low > least else None, high if high < most else None)
            if terms and bounds != (None, None):
                yield Row(terms, *bounds)
            elif not terms and not low <= 0 <= high:
                yield from self._broken()
        else:
            yield from self._broken()

    def _broken(self) -> Iterator[Row]:
        """A constraint that nothing satisfies."""
        if self.never is not None:
            yield Row([(1, self.never)], 1)

    def _colours(self, i: int) -> Iterator[Row]:
        """The rows of an item with colours: at most one colour, or one option without a colour, is taken; and each
        colour's variable is equivalent to its options."""
        terms = [(1, o) for o, c in self._held[i] if not c]
        for c, group in self._shades[i].items():
            shown = self._numbers.get((i, c), group[0])
            terms.append((1, shown))
            if len(group) > 1:
                for o in group:
                    yield Row([(1, shown), (-1, o)], 0)
                yield Row([*((1, o) for o in group), (-1, shown)], 0)
        if len(terms) > 1:
            yield Row(terms, None, 1)

    def legend(self) -> Iterator[str]:
        """A line for each variable, which says what it stands for."""
        names = self.problem.option_names
        for o in range(self.problem.options):
            yield f"x{o + 1}" + (f" = {_line(names[o])}" if names else "")
        for (i, c), number in self._numbers.items():
            item = _line(self.problem.item_names[i]) if self.problem.item_names else f"item {i + 1}"
            yield f"x{number + 1} = colour {c} in {item}"
        for side, ranges in zip(self.problem.sides, self._ranges, strict=True):
            for (low, high), number in zip(side.sums if isinstance(side, Total) else (), ranges, strict=False):
                span = str(low) if low == high else f"{low} to {high}"
                yield f"x{number + 1} = {_line(side.name)}: {span}"


def _line(text: str) -> str:
    """A name on one line and in ASCII, because old programs read the comments, too."""
    return " ".join(text.split()).encode("ascii", "replace").decode()


def total(terms: Sequence[Term], sign: str = " ") -> str:
    """A sum such as `3 x1 + x2 - x7`, with a line for every ten terms."""
    lines = []
    for k in range(0, len(terms), 10):
        lines.append("".join(f" {'-' if f < 0 else '+'}{_factor(f)} x{v + 1}" for f, v in terms[k : k + 10]))
    return ("\n" + sign).join(lines).strip() or "0 x1"


def _factor(factor: int) -> str:
    return "" if abs(factor) == 1 else f" {abs(factor)}"


# --- cnf -------------------------------------------------------------------------------------------------------------
# DIMACS CNF for SAT solvers, and WCNF for MaxSAT where costs matter.
#
# An `at least one` becomes a clause; an `at most one` with few members becomes a clause for each pair of them.
# Everything else is counted by variables that say "at least k of the first j". Each of them is equivalent to what it
# says, and not only implied by it, so a formula has exactly as many models as the problem has answers. A CNF mentions
# costs only in comments.
#
# Source: C. Sinz, "Towards an optimal CNF encoding of Boolean cardinality constraints" (2005), made two-sided.


PAIRS = 6  # up to so many members, an `at most one` is written as a clause for each pair
MOST_CLAUSES = 50_000_000

Clause = tuple[int, ...]


def write_cnf(problem: Problem) -> Iterator[str]:
    """The lines of a CNF file. The first one says how many follow, so the clauses are generated twice. Raises
    Unwritable if there would be too many clauses."""
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


# --- minizinc --------------------------------------------------------------------------------------------------------
# A MiniZinc model: `covr convert MODEL out.mzn && minizinc -a out.mzn`. Costs are minimised.
#
# The model prints the numbers of the options taken, counted from 1, as a set.


def write_minizinc(problem: Problem) -> Iterator[str]:
    """The lines of a MiniZinc model."""
    linear = Linear(problem)
    for line in linear.legend():
        yield f"% {line}\n"
    yield f"array [1..{linear.variables}] of var 0..1: x;\n"
    for row in linear.rows():
        text = _sum(row.terms)
        sides = [("=", row.low)] if row.low == row.high else [(">=", row.low), ("<=", row.high)]
        for sign, side in sides:
            if side is not None:
                yield f"constraint {text} {sign} {side};\n"
    costs = [(c, o) for o, c in enumerate(linear.costs) if c]
    if linear.costs:
        yield f"var int: cost = {_sum(costs) if costs else '0'};\nsolve minimize cost;\n"
    else:
        yield "solve satisfy;\n"
    chosen = f"\\({{i | i in 1..{problem.options} where fix(x[i]) = 1}})"
    yield f'output ["{chosen}' + ('", " cost ", show(cost)];\n' if linear.costs else '"];\n')


def _sum(terms: Sequence[Term]) -> str:
    return "sum([" + ", ".join(f"x[{v + 1}]" if f == 1 else f"{f} * x[{v + 1}]" for f, v in terms) + "])"


# --- opb -------------------------------------------------------------------------------------------------------------
# OPB, the format of pseudo-Boolean solvers, and the same rows for proofs about them. Costs are minimised.
#
# A variable that no row needs has one that says nothing, `x >= 0`, so that every program that reads the file knows of
# it.
#
# Source: O. Roussel and V. Manquinho, "Input/output format and solver requirements for the competitions of
# pseudo-Boolean solvers" (2012).


OPPOSITE = "* the sum is the opposite of what is maximised\n"  # covr/verify/checker.py reads it, and the lines of goals


def write_opb(problem: Problem, opposite: bool = False, stages: Sequence[Stage] = ()) -> Iterator[str]:
    """The lines of an OPB file. opposite: whether the costs were to be maximised, with the other sign.  stages: the
    goals, if the costs are those of several in order. Comments say so. The first line says how many follow, so the
    constraints are generated twice."""
    linear = Linear(problem)
    yield f"* #variable= {linear.variables} #constraint= {sum(1 for _ in _constraints(linear))}\n"
    for line in linear.legend():
        yield f"* {line}\n"
    if linear.costs:
        yield from _goals(linear.costs, stages)
        if opposite and not stages:
            yield OPPOSITE
        yield f"min: {_opb_sum([(c, o) for o, c in enumerate(linear.costs) if c] or [(0, 0)])} ;\n"
    yield from _constraints(linear)


def _goals(costs: Sequence[int], stages: Sequence[Stage]) -> Iterator[str]:
    """A comment for each goal: its factor in the sum, and its own sum. The factors keep goals apart, so the cost of an
    option splits into its costs for each goal."""
    own = [taken_apart(stages, c) for c in costs] if stages else []
    for k, stage in enumerate(stages):
        kind = "maximised" if stage.kind == "maximize" else "minimised"
        sign = -1 if stage.kind == "maximize" else 1
        terms = _opb_sum([(sign * apart[k], o) for o, apart in enumerate(own) if apart[k]])
        plus = f" plus {stage.offset}" if stage.offset else ""
        yield f"* goal {k + 1}, {kind}, {stage.weight} times: {terms}{plus}\n"


def pseudo_boolean(problem: Problem) -> PseudoBoolean:
    """The rows of that file, in its order; an equation is two. Raises Unwritable as `write_opb` does."""
    from covr.engine.proofs.logged import PseudoBoolean

    linear = Linear(problem)
    rows: list[tuple[Sequence[Term], int]] = []
    for row in _rows(linear):
        if row.low is not None:
            rows.append((row.terms, row.low))
        if row.high is not None:
            rows.append(([(-f, v) for f, v in row.terms], -row.high))
    return PseudoBoolean(linear.variables, problem.options, rows, linear.costs)


def _rows(linear: Linear) -> Iterator[Row]:
    named = bytearray(linear.variables)
    for row in linear.rows():
        for _, v in row.terms:
            named[v] = 1
        yield row
    yield from (Row([(1, v)], 0) for v, there in enumerate(named) if not there)


def _constraints(linear: Linear) -> Iterator[str]:
    for row in _rows(linear):
        if row.low == row.high:
            yield f"{_opb_sum(row.terms)} = {row.low} ;\n"
            continue
        if row.low is not None:
            yield f"{_opb_sum(row.terms)} >= {row.low} ;\n"
        if row.high is not None:
            yield f"{_opb_sum([(-f, v) for f, v in row.terms])} >= {-row.high} ;\n"


def _opb_sum(terms: Sequence[Term]) -> str:
    return " ".join(f"{f:+d} x{v + 1}" for f, v in terms)
