"""MPS, which every solver of linear programs reads and writes, where its columns are 0 or 1. Costs are minimised.

Rows of every kind are read, with RHS and RANGES; LAZYCONS are rows, and INDICATORS say where one holds. The objective
is the row of the kind N that OBJNAME names, or the first; others are ignored. Its right-hand side is minus a constant,
as in HiGHS, SCIP and OR-Tools. As in HiGHS and CPLEX, a column between the markers INTORG and INTEND that has no bounds
is 0 or 1; one that is continuous may be fixed at one of these. From a `$` that begins a word, and no name, the rest of
a line is a comment. Files in free and in fixed columns are read, as long as no name holds a space. Sections for
anything but rows and columns (SOS, quadratic terms) are refused by their names, as is a file that does not end with
ENDATA: it may have been cut.

What is written stands in fixed columns, which CBC, GLPK and lp_solve ask for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from covr.compiler.formats.fault import FormatFault
from covr.compiler.formats.linear import Linear
from covr.compiler.formats.placed_words import shorten
from covr.compiler.formats.remarks import note
from covr.compiler.formats.zero_one import INFINITE, Number, ZeroOne, parse_bound
from covr.engine import Problem

BOUNDS = {"UP", "UI", "LO", "LI", "FX", "BV", "FR", "MI", "PL"}
LONGEST_FIELD = 12  # characters of a number in fixed MPS
MARKER = "    {:<8}  'MARKER'                 {}\n"
VALUELESS = {"BV", "FR", "MI", "PL"}
SENSES = {"MAX": True, "MAXIMIZE": True, "MAXIMISE": True, "MIN": False, "MINIMIZE": False, "MINIMISE": False}


def read_mps(text: str) -> Problem:
    """The problem of an MPS file; options are named by its columns, items and totals by its rows. Time linear in the
    text.

    Raises FormatFault, a ValueError, with the place of the first wrong word, or of the first column that is not 0 or 1.
    """
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
                raise self.fault(words[0], f"covr reads no section `{shorten(words[0])}` of MPS")
        self.line = max(len(self.lines) - (not self.lines[-1].strip()), 1)
        raise FormatFault(self.line, "the file ends before ENDATA")

    def fault(self, word: str, what: str) -> FormatFault:
        return self.program.fault(self.line, word, what)

    def a_row(self, words: list[str]) -> None:
        kind = words[0].upper()
        if len(words) != 2 or kind not in ("N", "E", "L", "G"):
            raise self.fault(words[0], "a row is N, E, L or G, and a name without spaces")
        if words[1] in self.kinds:
            raise self.fault(words[1], f"the row `{shorten(words[1])}` is named twice")
        self.kinds[words[1]] = kind
        if kind != "N":
            self.program.row(words[1], self.line)
        elif self.objective is None and self.goal in (None, words[1]):
            self.objective = words[1]

    def a_column(self, words: list[str]) -> None:
        if len(words) == 3 and words[1].strip("'\"").upper() == "MARKER":
            marker = words[2].strip("'\"").upper()
            if marker not in ("INTORG", "INTEND"):
                raise self.fault(words[2], f"covr reads no marker {shorten(words[2])}")
            self.is_whole = marker == "INTORG"
            return
        name = words[0]
        if name != self.last:
            if name in self.program.columns:
                raise self.fault(
                    name, f"the column `{shorten(name)}` began on an earlier line, and another one followed"
                )
            self.program.whole[self.program.column(name, self.line)] = self.is_whole
            self.last, self.entered = name, set()
        column = self.program.columns[name]
        for row, value in self.pairs(words[1:]):
            if row in self.entered:
                raise self.fault(row, f"the column `{shorten(name)}` is in the row `{shorten(row)}` twice")
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
            raise self.fault(
                words[0], f"covr reads no bound `{shorten(words[0])}`; it reads {', '.join(sorted(BOUNDS))}"
            )
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
            raise self.fault(rest[0], f"there is no column `{shorten(rest[0])}`")
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
            raise self.fault(word, f"there is no {what} `{shorten(word)}`")
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
                raise self.fault(row, f"there is no row `{shorten(row)}`")
            yield row, self.number(value)

    def number(self, word: str) -> Number:
        value = parse_bound(word)
        if value is None:
            raise self.fault(word, f"`{shorten(word)}` is not a number, or has too many digits")
        return value

    def finished(self) -> Problem:
        """The problem, once every section was read."""
        program = self.program
        if self.goal is not None and self.objective is None:
            raise program.fault(self.goal_line, self.goal, f"there is no row N named `{shorten(self.goal)}`")
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
