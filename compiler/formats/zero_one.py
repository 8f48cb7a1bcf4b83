"""A linear program over variables that are 0 or 1, while it is read from LP or MPS, and the problem that it is.

A column is an option, and a row what the columns taken must add up to. Where all coefficients of a row are equal, or
where it says no more than "at least one" or "at most one", it is an item; other rows are totals. What is fixed at 1 is
given, and what is fixed at 0 is left out, as are rows that exclude nothing. Numbers are read as decimal fractions and
not as floats: a row is multiplied until its coefficients are whole, and so are the costs, which a remark says.

A row that holds only where a column has one of its values (an indicator row) gets that column as a term, with the
coefficient that takes all force from the row where the column has the other value.

A column that may be anything but 0 or 1 is refused by its name, at the place where the file names it first.
"""

from __future__ import annotations

import re
from fractions import Fraction
from math import ceil, floor, lcm

from covr.compiler.formats.draft import LIMITS, Draft, most_entries
from covr.compiler.formats.fault import FormatFault
from covr.compiler.formats.placed_words import shorten
from covr.compiler.formats.remarks import maximised, note
from covr.engine import MAX_COST, Problem
from covr.engine.sides import MOST_TOTAL, Total

Number = int | Fraction
INFINITE = 10**20  # a bound or a right-hand side of at least this is none, as HiGHS and CPLEX have it
LONGEST = 40  # characters of a number
LONGEST_SOUGHT = 1000  # characters of a word that is told from a part of a longer one where a fault is shown
MOST_EXPONENT = 30  # of ten; with it a number has at most 70 digits
NUMBER = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE]([-+]?\d{1,6}))?", re.ASCII)
WHOLE = re.compile(r"[-+]?\d{1,18}", re.ASCII)
INFINITY = re.compile(r"([-+]?)inf(?:inity)?", re.IGNORECASE)


def parse(word: str) -> Number | None:
    """A number as it is written; None if it is none, or longer than any that is meant."""
    if WHOLE.fullmatch(word):
        return int(word)
    found = NUMBER.fullmatch(word) if len(word) <= LONGEST else None
    if found is None:
        return None
    exponent = int(found[1] or 0)
    if abs(exponent) > MOST_EXPONENT:
        # 1e100 stands for "no bound"; 1e-100 is what rounding left of 0.
        return (-INFINITE if word.startswith("-") else INFINITE) if exponent > 0 else 0
    value = Fraction(word)
    return value.numerator if value.denominator == 1 else value


def parse_bound(word: str) -> Number | None:
    """A number, or `inf`."""
    found = INFINITY.fullmatch(word)
    return parse(word) if found is None else -INFINITE if found[1] == "-" else INFINITE


class ZeroOne:
    """The rows and columns of a program while it is read.

    lines: the lines of the file, in which places are looked up.  columns, rows: names → numbers.  whole: for each
    column whether it is a whole number.  floor, ceiling: its bounds, None where the file has none.  low, high: of each
    row.  members, factors: of each row, parallel: its columns and their coefficients.  indicators: row → a column and
    its value where the row holds, if it need not hold elsewhere.  costs: of the columns that cost something.
    constant: of the objective.  maximises: whether the objective is to be as large as possible.
    """

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.columns: dict[str, int] = {}
        self.rows: dict[str, int] = {}
        self.whole = bytearray()
        self.floor: list[Number | None] = []
        self.ceiling: list[Number | None] = []
        self.low: list[Number | None] = []
        self.high: list[Number | None] = []
        self.members: list[list[int]] = []
        self.factors: list[list[Number]] = []
        self.indicators: dict[int, tuple[int, int]] = {}
        self.costs: dict[int, Number] = {}
        self.constant: Number = 0
        self.maximises = False
        self._column_lines: list[int] = []
        self._row_lines: list[int] = []
        self._entries = 0

    def fault(self, line: int, word: str, what: str) -> FormatFault:
        """A fault at a word of a line, or at its beginning if the word is not there."""
        text = self.lines[line - 1] if line <= len(self.lines) else ""
        # To compile a pattern of a megabyte takes seconds.
        found = re.search(rf"(?<![\w.]){re.escape(word)}(?![\w.])", text) if len(word) <= LONGEST_SOUGHT else None
        at = text.find(word) if found is None else found.start()
        return FormatFault(line, what, max(at, 0) + 1, len(word) if at >= 0 else 1)

    def column(self, name: str, line: int) -> int:
        """The number of a column, which is added if it is new. Raises FormatFault if there are too many."""
        number = self.columns.setdefault(name, len(self.whole))
        if number == len(self.whole):
            if number >= LIMITS.options:
                raise self.fault(line, name, f"there are more than {LIMITS.options} columns")
            self.whole.append(0)
            self.floor.append(None)
            self.ceiling.append(None)
            self._column_lines.append(line)
        return number

    def row(self, name: str, line: int, low: Number | None = None, high: Number | None = None) -> int:
        """Add a row and return its number. Raises FormatFault if there is one of this name, or too many."""
        if name in self.rows:
            raise self.fault(line, name, f"the row `{shorten(name)}` is named twice")
        number = self.rows[name] = len(self.members)
        if number >= LIMITS.items:
            raise self.fault(line, name, f"there are more than {LIMITS.items} rows")
        self.low.append(low)
        self.high.append(high)
        self.members.append([])
        self.factors.append([])
        self._row_lines.append(line)
        return number

    def term(self, row: int, column: int, factor: Number, line: int) -> None:
        """Add a term to a row. Raises FormatFault if all rows together hold too many."""
        self._entries += 1
        if self._entries > most_entries():
            raise FormatFault(line, f"the rows hold more than {most_entries()} terms together")
        self.members[row].append(column)
        self.factors[row].append(factor)

    def problem(self) -> Problem:
        """The problem; costs are to be minimised, and `maximised` is noted where the file maximises.

        Raises FormatFault for the first column that is not 0 or 1, and for numbers that are too large. Linear time.
        """
        fixed = self._fixed()
        named = list(self.rows)
        for r, (column, where) in self.indicators.items():
            self._bind(r, named[r], column, where)
        draft = Draft()
        held: list[list[tuple[int, int]]] = [[] for _ in fixed]
        numbers, count = [], 0  # for each column its option; a column that is fixed at 0 is none
        for value in fixed:
            numbers.append(count)
            count += value != 0
        sides: list[Total] = []
        idle: list[str] = []
        for name, r in self.rows.items():
            terms = [(c, f) for c, f in zip(self.members[r], self.factors[r], strict=True) if f and fixed[c] != 0]
            low, high, whole = self._scaled(r, name, terms)
            most, least = sum(f for _, f in whole if f > 0), sum(f for _, f in whole if f < 0)
            low = None if low is not None and low <= least else low
            high = None if high is not None and high >= most else high
            if low is None and high is None:
                idle.append(name)
                continue
            bounds = _as_item([f for _, f in whole], low, high)
            if bounds is not None:
                item = draft.item(name, bounds[0], max(count, 1) if bounds[1] is None else bounds[1])
                for c, _ in whole:
                    held[c].append((item, 0))
                continue
            span = (least if low is None else low, most if high is None else high)
            sides.append(Total(tuple((numbers[c], f) for c, f in whole), (span,) if span[0] <= span[1] else (), name))
        costs = self._whole_costs()
        for name, c in self.columns.items():
            if fixed[c] != 0:
                if fixed[c] == 1:
                    draft.given.append(draft.options)
                draft.option(name, held[c], costs.get(c, 0))
        _tell("row", "excludes nothing", "exclude nothing", idle)
        _tell("column", "is fixed at 0", "are fixed at 0", [n for n, c in self.columns.items() if fixed[c] == 0])
        draft.goal = bool(costs)
        return draft.problem(sides)

    def free_name(self, name: str) -> str:
        """The name for a row, or if there is one, the name with a number."""
        return next(
            n for k in range(1, len(self.rows) + 2) if (n := name if k == 1 else f"{name} ({k})") not in self.rows
        )

    def _bind(self, r: int, name: str, column: int, value: int) -> None:
        """Make a row hold where a column has a value, and say nothing where it has the other. A row with two bounds
        becomes two."""
        terms = list(zip(self.members[r], self.factors[r], strict=True))
        low, high = self.low[r], self.high[r]
        least, most = sum(f for _, f in terms if f < 0), sum(f for _, f in terms if f > 0)
        self.low[r] = self.high[r] = None
        rows = iter((r,))
        sides: tuple[tuple[Number | None, Number, bool], ...] = ((low, least, True), (high, most, False))
        for side, idle, is_low in sides:
            if side is None or not -INFINITE < side < INFINITE or (side <= idle if is_low else side >= idle):
                continue
            at = next(rows, None)
            if at is None:
                at = self.row(self.free_name(name), self._row_lines[r])
                for c, f in terms:
                    self.term(at, c, f, self._row_lines[r])
            self.term(at, column, idle - side if value else side - idle, self._row_lines[r])
            (self.low if is_low else self.high)[at] = idle if value else side

    def _fixed(self) -> list[int | None]:
        """For each column the value at which it is fixed; None if it may be 0 or 1."""
        found: list[int | None] = []
        for name, c in self.columns.items():
            floor_, ceiling = self.floor[c], self.ceiling[c]
            low = -INFINITE if floor_ is None else ceil(floor_)
            high = INFINITE if ceiling is None else floor(ceiling)
            wrong = None
            if not self.whole[c] and not (floor_ == ceiling and floor_ in (0, 1)):
                wrong = "is continuous"
            elif low > high:
                wrong = "can have no value: its lower bound is above its upper one"
            elif low < 0 or high > 1:
                span = f"{'-infinity' if low <= -INFINITE else low} to {'infinity' if high >= INFINITE else high}"
                wrong = f"is a whole number from {span}"
            if wrong is not None:
                what = f"the column `{shorten(name)}` {wrong}; covr reads columns that are 0 or 1"
                raise self.fault(self._column_lines[c], name, what)
            found.append(low if low == high else None)
        return found

    def _scaled(
        self, r: int, name: str, terms: list[tuple[int, Number]]
    ) -> tuple[int | None, int | None, list[tuple[int, int]]]:
        """The bounds and terms of a row in whole numbers, by columns: repeated ones are added up."""
        sums: dict[int, Number] = {}
        for c, f in terms:
            sums[c] = sums[c] + f if c in sums else f
        scale = lcm(*{f.denominator for f in sums.values()})
        whole = [(c, int(sums[c] * scale)) for c in sorted(sums) if sums[c]]
        if sum(abs(f) for _, f in whole) >= MOST_TOTAL:
            what = f"the coefficients of the row `{shorten(name)}` are too large, or have too many digits"
            raise self.fault(self._row_lines[r], name, what)
        low, high = self.low[r], self.high[r]
        return (
            None if low is None or low <= -INFINITE else ceil(low * scale),
            None if high is None or high >= INFINITE else floor(high * scale),
            whole,
        )

    def _whole_costs(self) -> dict[int, int]:
        """The costs of the columns in whole numbers, to be minimised."""
        scale = lcm(*{f.denominator for f in self.costs.values()})
        found = {c: int(f * scale) for c, f in self.costs.items() if f}
        if (spent := sum(map(abs, found.values()))) >= MAX_COST:
            raise FormatFault(1, f"the costs add up to {spent} in whole numbers, and must stay below {MAX_COST}")
        if not found:
            return {}
        if scale != 1:
            note(f"the values are {scale} times those of the objective, so that they are whole")
        if self.constant:
            note(f"the objective's constant {_shown(self.constant)} is left out of the values")
        if self.maximises:
            maximised()
            return {c: -f for c, f in found.items()}
        return found


def _as_item(factors: list[int], low: int | None, high: int | None) -> tuple[int, int | None] | None:
    """The bounds of the item that says what a row says, None for no upper one; None if the row is no item. low, high:
    those bounds of the row that exclude something."""
    if not factors:  # nothing adds up to something else than 0
        return (1, None)
    if len(set(factors)) == 1:
        factor = factors[0]
        if factor < 0:
            factor, low, high = -factor, None if high is None else -high, None if low is None else -low
        least = 0 if low is None else max(-(-low // factor), 0)
        most = None if high is None else high // factor
        return (1, 0) if most is not None and (most < 0 or least > most) else (least, most)
    smallest, second, largest = *sorted(factors)[:2], max(factors)
    if smallest > 0 and high is None and low is not None and low <= smallest:
        return (1, None)
    if smallest > 0 and low is None and high is not None and largest <= high < smallest + second:
        return (0, 1)
    return None


def _tell(what: str, one: str, several: str, names: list[str]) -> None:
    if names:
        some = ", ".join(shorten(name) for name in names[:5]) + (", …" if len(names) > 5 else "")
        said = f"1 {what} {one} and is" if len(names) == 1 else f"{len(names)} {what}s {several} and are"
        note(f"{said} left out: {some}")


def _shown(number: Number) -> str:
    return str(number) if number.denominator == 1 else f"{float(number):g}"
