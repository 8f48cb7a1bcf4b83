"""The LP format of CPLEX, which HiGHS, SCIP, Gurobi and GLPK read and write, where its columns are 0 or 1.

    Minimize
     cost: 3 x + 2 y - z
    Subject To
     c1: x + y >= 1
     c2: 0 <= x - z <= 1
     c3: x = 1 -> y + z >= 1
    Binary
     x y z
    End

A row may stand between two bounds, have a number to its left, or hold only where a column is 0 or 1 (`->`). Columns are
0 or 1 if they stand under `Binary`, under `General` with such bounds, or if they are fixed at one of these numbers.
Lazy constraints are rows. Costs are minimised. Sections for anything but rows and columns (SOS, semi-continuous
columns, user cuts) are refused by their names unless they are empty, as HiGHS writes them, and products at their
places. `End` may be missing, which is remarked because the file may have been cut; without a row it is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from covr.compiler.formats.draft import FormatFault, Word, brief, note
from covr.compiler.formats.linear import Linear, total
from covr.compiler.formats.mps import INFINITE, INFINITY, Number, ZeroOne, parse
from covr.engine import Problem

# A word that begins a section stands at the beginning of a line, and is no name of a row.
SECTIONS = {
    "minimize": r"min(?:imi[sz]e|imum)?",
    "maximize": r"max(?:imi[sz]e|imum)?",
    "rows": r"subject\s+to|such\s+that|st\.?|s\.t\.|lazy\s+constraints",
    "bounds": r"bounds?",
    "binary": r"binar(?:y|ies)|bin",
    "general": r"generals?|gen|integers?|int",
    "end": r"end",
    "refused": r"semi-continuous|semis?|semi|sos[12]?|pwlobj|scenario|multi-objectives?"
    r"|user\s*cuts|user\s+cuts|general\s+constraints?|gencons?",
}
# The longest comes first: `General Constraints` is no `General`.
SECTION = re.compile(
    r"\s*(?:" + "|".join(f"(?P<{name}>{words})" for name, words in reversed(SECTIONS.items())) + r")(?=\s|$)(?!\s*:)",
    re.IGNORECASE,
)
NAME = r"""[A-Za-z_!"#$%&(),.;?@'`{}|~/]"""
TOKEN = re.compile(
    rf"(?P<arrow>->)|(?P<relation>[<>]=?|=[<>]?)|(?P<sign>[-+](?!>))|(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)"
    rf"|(?P<name>{NAME}[^\s+\-*^<>=:\\]*)(?P<label>\s*:(?!:))?|(?P<other>\S)",
    re.ASCII,
)
SWAPPED = {"<": ">", ">": "<", "=": "="}


def read_lp(text: str) -> Problem:
    """The problem of an LP file; options are named by its columns, items and totals by its rows. Time linear in the
    text. Raises FormatFault, a ValueError, with the place of the first wrong word, or of the first column that is not 0
    or 1."""
    return _LpReader(text.split("\n")).problem()


Token = tuple[str, Word]  # its kind: a group of TOKEN, `label`, or `section`
AFTER_ALL: Token = ("section", Word("", 1, 1))  # what stands after the last line


class _LpReader:
    """Reads token by token, and knows the one that comes next."""

    def __init__(self, lines: list[str]) -> None:
        self.program = ZeroOne(lines)
        self.tokens = _tokens(lines)
        self.kind, self.word = "", Word("", 1, 1)
        self.bounded: set[int] = set()
        self.seen: set[str] = set()
        self.named = 0

    def problem(self) -> Problem:
        self.advance()
        if self.kind != "section" or self.word.text not in ("minimize", "maximize"):
            raise self.word.fault("an LP file begins with Minimize or Maximize")
        while self.word.text not in ("end", ""):
            name = self.word.text
            if name in self.seen and name in ("minimize", "maximize"):
                raise self.word.fault("this is a second goal")
            self.seen.add("minimize" if name == "maximize" else name)
            self.program.maximises = self.program.maximises or name == "maximize"
            section = self.word
            self.advance()
            if name == "refused" and self.kind != "section":
                raise section.fault("covr reads no such section of LP")
            while self.kind != "section":
                if name in ("minimize", "maximize"):
                    self.objective()
                elif name == "rows":
                    self.row()
                elif name == "bounds":
                    self.bound()
                else:
                    self.members(name)
        if self.word.text != "end":
            if "rows" not in self.seen:
                raise FormatFault(max(len(self.program.lines), 1), "the file ends before Subject To")
            note("the file ends without End: if it was cut off, something is missing")
        for c in range(len(self.program.whole)):
            if self.program.floor[c] is None:
                self.program.floor[c] = 0
        return self.program.problem()

    def advance(self) -> None:
        self.kind, self.word = next(self.tokens, AFTER_ALL)

    def objective(self) -> None:
        if self.kind == "label":
            self.advance()
        terms, constant = self.expression()
        for c, f in terms:
            self.program.costs[c] = self.program.costs.get(c, 0) + f
        self.program.constant += constant
        if self.kind != "section":
            raise self.word.fault(f"`{brief(self.word.text)}` can't stand in the objective")

    def row(self) -> None:
        """`name: expression relation number`, or the number to the left, or on both sides; perhaps after `x = 1 ->`."""
        self.named += 1
        name, first = f"c{self.named}", self.word
        if self.kind == "label":
            name = self.word.text
            self.advance()
        terms, constant, low, high = self.comparison()
        indicator = None
        if self.kind == "arrow":
            indicator = self.indicator(terms, constant, low, high)
            terms, constant, low, high = self.comparison()
        if not terms:
            raise first.fault("a row needs a column")
        if constant:
            low, high = (None if side is None else side - constant for side in (low, high))
        number = self.program.row(self.program.free_name(name), first.line, low, high)
        if indicator is not None:
            self.program.indicators[number] = indicator
        for c, f in terms:
            self.program.term(number, c, f, first.line)

    def comparison(self) -> tuple[list[tuple[int, Number]], Number, Number | None, Number | None]:
        """The terms and constants between the bounds of a row, and these bounds."""
        low: Number | None = None
        high: Number | None = None
        terms, constant = self.expression()
        relation = self.relation()
        if not terms:
            low, high = _narrowed(SWAPPED[relation], constant, low, high)
            terms, constant = self.expression()
            relation = self.relation() if self.kind == "relation" else ""
        if relation:
            low, high = _narrowed(relation, self.side(), low, high)
        return terms, constant, low, high

    def indicator(
        self, terms: list[tuple[int, Number]], constant: Number, low: Number | None, high: Number | None
    ) -> tuple[int, int]:
        """The column and its value to the left of an arrow."""
        if constant or low != high or low not in (0, 1) or [f for _, f in terms] != [1]:
            raise self.word.fault("to the left of `->` stands a column, and that it is 0 or 1: `x = 1 -> y + z >= 1`")
        self.advance()
        return terms[0][0], int(low)

    def expression(self) -> tuple[list[tuple[int, Number]], Number]:
        """Terms and constants, with signs between them. A sum may be empty, as an objective is."""
        terms: list[tuple[int, Number]] = []
        constant: Number = 0
        begun = False
        while self.kind in ("sign", "number", "name"):
            if begun and self.kind != "sign":
                break
            begun = True
            factor: Number = self.signs()
            scaled = self.kind == "number"
            if scaled:
                factor *= self.number()
            if self.kind == "name" and not (scaled and self.is_infinity()):
                terms.append((self.program.column(self.word.text, self.word.line), factor))
                self.advance()
            elif scaled:
                constant += factor
            else:
                raise self.word.fault("a number or a name is missing here")
        if self.kind == "other":
            help = " products and powers are not linear" if self.word.text in "*^[]" else ""
            raise self.word.fault(f"covr can't read `{self.word.text}` here;{help}".rstrip(";"))
        return terms, constant

    def signs(self) -> int:
        factor = 1
        while self.kind == "sign":
            factor = -factor if self.word.text == "-" else factor
            self.advance()
        return factor

    def number(self) -> Number:
        value = parse(self.word.text)
        if value is None:
            raise self.word.fault(f"`{brief(self.word.text)}` has too many digits")
        self.advance()
        return value

    def is_infinity(self) -> bool:
        return INFINITY.fullmatch(self.word.text) is not None

    def relation(self) -> str:
        """`<`, `>` or `=`."""
        if self.kind != "relation":
            raise self.word.fault("`<=`, `>=` or `=` is missing here")
        found = self.word.text
        self.advance()
        return "<" if "<" in found else ">" if ">" in found else "="

    def side(self) -> Number:
        """A number to the right of a relation, with which the line ends, or `inf`."""
        factor = self.signs()
        if self.kind == "name" and self.is_infinity():
            self.advance()
            return factor * INFINITE
        if self.kind != "number":
            raise self.word.fault("a number is missing here: columns stand to the left")
        line = self.word.line
        value = factor * self.number()
        if self.kind in ("name", "number", "sign", "other") and self.word.line == line:
            raise self.word.fault("a number ends a row: columns stand to the left")
        return value

    def bound(self) -> None:
        """`name free`, `name relation number`, `number relation name`, or a number on both sides."""
        low: Number | None = None
        high: Number | None = None
        first = self.word
        relation = ""
        if self.kind != "name" or self.is_infinity():
            value = self.left_side()
            low, high = _narrowed(SWAPPED[self.relation()], value, low, high)
            relation = "done"
        if self.kind != "name":
            raise self.word.fault("a bound needs a column")
        column = self.program.column(self.word.text, self.word.line)
        self.advance()
        if self.kind == "name" and self.word.text.lower() == "free" and not relation:
            self.advance()
            low = -INFINITE
        elif self.kind == "relation":
            low, high = _narrowed(self.relation(), self.side(), low, high)
        elif not relation:
            raise first.fault("a bound is a column, `<=`, `>=` or `=`, and a number; or a column and `free`")
        if low is not None:
            self.program.floor[column] = low
        if high is not None:
            self.program.ceiling[column] = high

    def left_side(self) -> Number:
        factor = self.signs()
        if self.kind == "name" and self.is_infinity():
            self.advance()
            return factor * INFINITE
        if self.kind != "number":
            raise self.word.fault("a number or a column is missing here")
        return factor * self.number()

    def members(self, section: str) -> None:
        """A column that is a whole number, or one that is 0 or 1."""
        if self.kind != "name":
            raise self.word.fault("here stand names of columns")
        column = self.program.column(self.word.text, self.word.line)
        self.program.whole[column] = 1
        if section == "binary":
            floor, ceiling = self.program.floor[column], self.program.ceiling[column]
            self.program.floor[column] = 0 if floor is None else max(floor, 0)
            self.program.ceiling[column] = 1 if ceiling is None else min(ceiling, 1)
        self.advance()


def _narrowed(
    relation: str, side: Number, low: Number | None, high: Number | None
) -> tuple[Number | None, Number | None]:
    """Bounds, of which `relation` and a number set one or both."""
    return (low if relation == "<" else side), (high if relation == ">" else side)


def _tokens(lines: list[str]) -> Iterator[Token]:
    """The tokens of all lines, without comments. A section is its name in SECTIONS."""
    for number, line in enumerate(lines, 1):
        line = line.partition("\\")[0]
        begin = 0
        section = SECTION.match(line)
        if section is not None and section.lastgroup is not None:
            at = section.start(section.lastgroup)
            yield "section", Word(section.lastgroup, number, at + 1)
            begin = section.end()
        for match in TOKEN.finditer(line, begin):
            kind = "label" if match["label"] else str(match.lastgroup)
            yield kind, Word(match["name"] or match.group(), number, match.start() + 1)


def write_lp(problem: Problem) -> Iterator[str]:
    """The lines of an LP file."""
    linear = Linear(problem)
    for line in linear.legend():
        yield f"\\ {line}\n"
    costs = [(c, o) for o, c in enumerate(linear.costs) if c]
    # SCIP refuses a column that stands under Binary alone.
    named = {v for row in linear.rows() for _, v in row.terms} | {o for _, o in costs}
    costs += [(0, v) for v in range(linear.variables) if v not in named]
    yield f"Minimize\n obj: {total(costs)}\nSubject To\n"
    number = 0
    for row in linear.rows():
        text = total(row.terms)
        sides = [("=", row.low)] if row.low == row.high else [(">=", row.low), ("<=", row.high)]
        for sign, side in sides:
            if side is not None:
                number += 1
                yield f" c{number}: {text} {sign} {side}\n"
    if not number:
        yield " c1: x1 >= 0\n"
    yield "Binary\n"
    for v in range(linear.variables):
        yield f" x{v + 1}\n"
    yield "End\n"
