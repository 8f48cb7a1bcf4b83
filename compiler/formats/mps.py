"""MPS, and the linear programs over 0 and 1 that are read from it and from LP."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import ceil, floor, lcm

from covr.compiler.formats.draft import LIMITS, Draft, FormatFault, brief, maximised, most_entries, note
from covr.compiler.formats.linear import Linear
from covr.engine import MAX_COST, Problem
from covr.engine.problem import MOST_TOTAL, Total

# --- zero one --------------------------------------------------------------------------------------------------------
# A linear program over variables that are 0 or 1, while it is read from LP or MPS, and the problem that it is.
#
# A column is an option, and a row what the columns taken must add up to. Where all coefficients of a row are equal, or
# where it says no more than "at least one" or "at most one", it is an item; other rows are totals. What is fixed at 1
# is given, and what is fixed at 0 is left out, as are rows that exclude nothing. Numbers are read as decimal fractions
# and not as floats: a row is multiplied until its coefficients are whole, and so are the costs, which a remark says.
#
# A row that holds only where a column has one of its values (an indicator row) gets that column as a term, with the
# coefficient that takes all force from the row where the column has the other value.
#
# A column that may be anything but 0 or 1 is refused by its name, at the place where the file names it first.


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
            raise self.fault(line, name, f"the row `{brief(name)}` is named twice")
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
        """The problem; costs are to be minimised, and `maximised` is noted where the file maximises. Raises FormatFault
        for the first column that is not 0 or 1, and for numbers that are too large. Linear time."""
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
                what = f"the column `{brief(name)}` {wrong}; covr reads columns that are 0 or 1"
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
            what = f"the coefficients of the row `{brief(name)}` are too large, or have too many digits"
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
        some = ", ".join(brief(name) for name in names[:5]) + (", …" if len(names) > 5 else "")
        said = f"1 {what} {one} and is" if len(names) == 1 else f"{len(names)} {what}s {several} and are"
        note(f"{said} left out: {some}")


def _shown(number: Number) -> str:
    return str(number) if number.denominator == 1 else f"{float(number):g}"


# --- mps -------------------------------------------------------------------------------------------------------------
# MPS, which every solver of linear programs reads and writes, where its columns are 0 or 1. Costs are minimised.
#
# Rows of every kind are read, with RHS and RANGES; LAZYCONS are rows, and INDICATORS say where one holds. The objective
# is the row of the kind N that OBJNAME names, or the first; others are ignored. Its right-hand side is minus a
# constant, as in HiGHS, SCIP and OR-Tools. As in HiGHS and CPLEX, a column between the markers INTORG and INTEND that
# has no bounds is 0 or 1; one that is continuous may be fixed at one of these. From a `$` that begins a word, and no
# name, the rest of a line is a comment. Files in free and in fixed columns are read, as long as no name holds a space.
# Sections for anything but rows and columns (SOS, quadratic terms) are refused by their names, as is a file that does
# not end with ENDATA: it may have been cut.
#
# What is written stands in fixed columns, which CBC, GLPK and lp_solve ask for.


BOUNDS = {"UP", "UI", "LO", "LI", "FX", "BV", "FR", "MI", "PL"}
LONGEST_FIELD = 12  # characters of a number in fixed MPS
MARKER = "    {:<8}  'MARKER'                 {}\n"
VALUELESS = {"BV", "FR", "MI", "PL"}
SENSES = {"MAX": True, "MAXIMIZE": True, "MAXIMISE": True, "MIN": False, "MINIMIZE": False, "MINIMISE": False}


def read_mps(text: str) -> Problem:
    """The problem of an MPS file; options are named by its columns, items and totals by its rows. Time linear in the
    text. Raises FormatFault, a ValueError, with the place of the first wrong word, or of the first column that is not 0
    or 1."""
    return _MpsReader(text.split("\n")).problem()


class _MpsReader:
    """Reads line by line. kinds: of the rows, by their names; those of the objective and of ignored rows are N."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.program = ZeroOne(lines)
        self.kinds: dict[str, str] = {}
        self.goal: str | None = None  # the row that OBJNAME names
        self.goal_line = 0
        self.objective: str | None = None
        self.rhs: dict[str, Number] = {}
        self.ranges: dict[str, Number] = {}
        self.sets: dict[str, str] = {}  # the set of right-hand sides, ranges and bounds that the file names first
        self.is_whole = False
        self.last = ""  # the column of the line before
        self.entered: set[str] = set()  # the rows in which it stands
        self.bounded: set[int] = set()
        self.line = 0

    def problem(self) -> Problem:
        sections: dict[str, Callable[[list[str]], None]] = {
            "ROWS": self.a_row,
            "LAZYCONS": self.a_row,
            "COLUMNS": self.a_column,
            "RHS": self.a_side,
            "RANGES": self.a_range,
            "BOUNDS": self.a_bound,
            "INDICATORS": self.an_indicator,
            "OBJSENSE": self.a_sense,
            "OBJNAME": self.a_goal,
        }
        take: Callable[[list[str]], None] | None = None
        for number, line in enumerate(self.lines, 1):
            self.line = number
            if line.startswith("*") or not line.strip():
                continue
            words = line.split()
            if line[0].isspace():
                if take is None:
                    raise self.fault(words[0], "this stands in no section")
                # A row is named by the second word of a line, and a column by the first: there `$` may begin a name.
                take(self.without_comment(words, 2 if take == self.a_row else 1))
                continue
            section = words[0].upper()
            if section == "ENDATA":
                return self.finished()
            take = sections.get(section)
            if section in ("OBJSENSE", "OBJNAME") and len(words) > 1:
                sections[section](words[1:])
            elif take is None and section != "NAME":
                raise self.fault(words[0], f"covr reads no section `{brief(words[0])}` of MPS")
        self.line = max(len(self.lines) - (not self.lines[-1].strip()), 1)
        raise FormatFault(self.line, "the file ends before ENDATA")

    def fault(self, word: str, what: str) -> FormatFault:
        return self.program.fault(self.line, word, what)

    def a_row(self, words: list[str]) -> None:
        kind = words[0].upper()
        if len(words) != 2 or kind not in ("N", "E", "L", "G"):
            raise self.fault(words[0], "a row is N, E, L or G, and a name without spaces")
        if words[1] in self.kinds:
            raise self.fault(words[1], f"the row `{brief(words[1])}` is named twice")
        self.kinds[words[1]] = kind
        if kind != "N":
            self.program.row(words[1], self.line)
        elif self.objective is None and self.goal in (None, words[1]):
            self.objective = words[1]

    def a_column(self, words: list[str]) -> None:
        if len(words) == 3 and words[1].strip("'\"").upper() == "MARKER":
            marker = words[2].strip("'\"").upper()
            if marker not in ("INTORG", "INTEND"):
                raise self.fault(words[2], f"covr reads no marker {brief(words[2])}")
            self.is_whole = marker == "INTORG"
            return
        name = words[0]
        if name != self.last:
            if name in self.program.columns:
                raise self.fault(name, f"the column `{brief(name)}` began on an earlier line, and another one followed")
            self.program.whole[self.program.column(name, self.line)] = self.is_whole
            self.last, self.entered = name, set()
        column = self.program.columns[name]
        for row, value in self.pairs(words[1:]):
            if row in self.entered:
                raise self.fault(row, f"the column `{brief(name)}` is in the row `{brief(row)}` twice")
            self.entered.add(row)
            if row == self.objective:
                self.program.costs[column] = value
            elif self.kinds[row] != "N":
                self.program.term(self.program.rows[row], column, value, self.line)

    def a_side(self, words: list[str]) -> None:
        for row, value in self.pairs(self.without_set("right-hand sides", words, len(words) % 2)):
            if row == self.objective:
                self.program.constant = -value
            self.rhs[row] = value

    def a_range(self, words: list[str]) -> None:
        for row, value in self.pairs(self.without_set("ranges", words, len(words) % 2)):
            self.ranges[row] = value

    def a_bound(self, words: list[str]) -> None:
        kind = words[0].upper()
        if kind not in BOUNDS:
            raise self.fault(words[0], f"covr reads no bound `{brief(words[0])}`; it reads {', '.join(sorted(BOUNDS))}")
        few = 1 if kind in VALUELESS else 2
        rest = words[1:]
        # BV, FR, MI and PL may have a value all the same, which means nothing.
        if kind in VALUELESS and len(rest) == 3:
            rest.pop()
        rest = self.without_set("bounds", rest, len(rest) == few + 1)
        if len(rest) != few:
            raise self.fault(words[0], "a bound is its kind, perhaps the name of a set, a column, and a value")
        column = self.program.columns.get(rest[0])
        if column is None:
            raise self.fault(rest[0], f"there is no column `{brief(rest[0])}`")
        value: Number = 0 if kind in VALUELESS else self.number(rest[1])
        if kind == "BV" or kind in ("UI", "LI"):
            self.program.whole[column] = 1
        self.bounded.add(column)
        self.limit(column, kind, value)

    def limit(self, column: int, kind: str, value: Number) -> None:
        """Set the bounds of a column."""
        floor, ceiling = self.program.floor, self.program.ceiling
        if kind in ("LO", "LI", "FX"):
            floor[column] = value
        if kind in ("UP", "UI", "FX"):
            ceiling[column] = value
        if kind in ("FR", "MI"):
            floor[column] = -INFINITE
        if kind in ("FR", "PL"):
            ceiling[column] = None
        if kind == "BV":
            floor[column], ceiling[column] = 0, 1

    def a_sense(self, words: list[str]) -> None:
        if words[0].upper() not in SENSES:
            raise self.fault(words[0], "the sense of the objective is MIN or MAX")
        self.program.maximises = SENSES[words[0].upper()]

    def a_goal(self, words: list[str]) -> None:
        if self.kinds:
            raise self.fault(words[0], "OBJNAME stands before ROWS")
        self.goal, self.goal_line = words[0], self.line

    def an_indicator(self, words: list[str]) -> None:
        if words[0].upper() != "IF" or len(words) != 4 or words[3] not in ("0", "1"):
            raise self.fault(words[0], "an indicator is IF, a row, a column, and 0 or 1")
        row, column = self.program.rows.get(words[1]), self.program.columns.get(words[2])
        if row is None or column is None:
            what, word = ("row", words[1]) if row is None else ("column", words[2])
            raise self.fault(word, f"there is no {what} `{brief(word)}`")
        self.program.indicators[row] = (column, int(words[3]))

    def without_comment(self, words: list[str], first: int) -> list[str]:
        """The words of a line up to a comment: from the word `first` on, one that begins with `$` and is no name."""
        for k, word in enumerate(words[first:], first):
            if word.startswith("$") and word not in self.kinds and word not in self.program.columns:
                return words[:k]
        return words

    def without_set(self, what: str, words: list[str], named: bool | int) -> list[str]:
        """The words after the name of a set, if there is one. Raises FormatFault for a second set."""
        if not named:
            return words
        if self.sets.setdefault(what, words[0]) != words[0]:
            raise self.fault(words[0], f"this is a second set of {what}; covr reads files with one")
        return words[1:]

    def pairs(self, words: list[str]) -> Iterator[tuple[str, Number]]:
        """Rows and values, one after the other."""
        if len(words) % 2 or not words:
            raise self.fault(
                words[0] if words else "", "here stand pairs of a row and a value; no name may hold a space"
            )
        for row, value in zip(words[::2], words[1::2], strict=True):
            if row not in self.kinds:
                raise self.fault(row, f"there is no row `{brief(row)}`")
            yield row, self.number(value)

    def number(self, word: str) -> Number:
        value = parse_bound(word)
        if value is None:
            raise self.fault(word, f"`{brief(word)}` is not a number, or has too many digits")
        return value

    def finished(self) -> Problem:
        """The problem, once every section was read."""
        program = self.program
        if self.goal is not None and self.objective is None:
            raise program.fault(self.goal_line, self.goal, f"there is no row N named `{brief(self.goal)}`")
        for c, is_whole in enumerate(program.whole):
            if program.floor[c] is None:
                program.floor[c] = 0
            if is_whole and c not in self.bounded:
                program.ceiling[c] = 1
        for name, r in program.rows.items():
            kind, span = self.kinds[name], self.ranges.get(name)
            side: Number = self.rhs.get(name, 0)
            low: Number | None = None if kind == "L" else side
            high: Number | None = None if kind == "G" else side
            if span is not None:
                width: Number = -span if span < 0 else span
                if kind == "L" or (kind == "E" and span < 0):
                    low = side - width
                else:
                    high = side + width
            program.low[r], program.high[r] = low, high
        return program.problem()


def write_mps(problem: Problem) -> Iterator[str]:
    """The lines of an MPS file, in the columns of fixed MPS. The format lists the matrix by columns, so it is
    transposed in memory first. A remark says where a number is longer than its field:
    only readers of free MPS take that."""
    linear = Linear(problem)
    for line in linear.legend():
        yield f"* {line}\n"
    yield "NAME          covr\nROWS\n N  obj\n"
    columns: list[list[tuple[str, int]]] = [[] for _ in range(linear.variables)]
    for o, cost in enumerate(linear.costs):
        if cost:
            columns[o].append(("obj", cost))
    sides: list[str] = []
    number = 0
    longest = 0
    for row in linear.rows():
        kinds = [("E", row.low)] if row.low == row.high else [("G", row.low), ("L", row.high)]
        for kind, side in kinds:
            if side is None:
                continue
            number += 1
            yield f" {kind}  c{number}\n"
            for factor, v in row.terms:
                columns[v].append((f"c{number}", factor))
            if side:
                sides.append(_fields("RHS", f"c{number}", str(side)))
                longest = max(longest, len(str(side)))
    if not number:
        yield " G  c1\n"
        columns[0].append(("c1", 1))
    yield "COLUMNS\n" + MARKER.format("MARK0", "'INTORG'")
    for v, column in enumerate(columns):
        for name, factor in column or [("obj", 0)]:
            yield _fields(f"x{v + 1}", name, str(factor))
            longest = max(longest, len(str(factor)))
    yield MARKER.format("MARK1", "'INTEND'") + "RHS\n"
    yield from sides
    yield "BOUNDS\n"
    for v in range(linear.variables):
        yield f" BV BND       x{v + 1}\n"
    yield "ENDATA\n"
    if longest > LONGEST_FIELD:
        note(f"a number has {longest} digits: programs that read fixed MPS know {LONGEST_FIELD}")


def _fields(first: str, second: str, value: str) -> str:
    """A line whose fields stand in the columns 5-12, 15-22 and 25-36 of fixed MPS."""
    return f"    {first:<8}  {second:<8}  {value:>12}\n"
