"""A problem as linear constraints over 0/1 variables, from which LP, MPS, OPB, CNF and MiniZinc are written.

There is a variable for each option, numbered from 0; then one for each colour that several options show in the same
item. It is 1 if and only if one of these options is taken, so that there are as many solutions as answers. A total is a
row with its coefficients; a total that may lie in several ranges has a variable for each range, which is 1 if and only
if the sum lies there. A problem without options has one variable that is 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from covr.compiler.formats.fault import Unwritable
from covr.engine import Problem
from covr.engine.sides import Circuit, Total
from covr.frozen import frozen

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
        """Time linear in the length of the options. Raises Unwritable for a connection or a loop, which no rows say."""
        for side in problem.sides:
            if not isinstance(side, Total):
                kind = "loop" if isinstance(side, Circuit) else "connection"
                raise Unwritable(f'linear constraints cannot say the {kind} "{side.name}"')
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
        """The sum lies in the one range, or in that whose variable is 1.

        With several ranges, the rows count from the least and the most that the sum can be, so that no coefficient of a
        range is below 0: once the sum is settled, unit propagation excludes each range that it misses.
        """
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
        """What nothing meets."""
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
