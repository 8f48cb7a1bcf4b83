"""A problem as an OPB file: rows over variables that are 0 or 1, a sum to be minimised, and comments.

    * #variable= 3 #constraint= 2
    * x1 = queen(1, 1)
    min: +2 x1 +1 x2 ;
    +1 x1 +1 x2 >= 1 ;
    +1 x2 +1 x3 = 1 ;

A row `=` counts as two rows, `>=` and `<=` in this order; a row may also be written with `<=`. Comments `* x1 = name`
give variables names for messages.

Source: O. Roussel and V. Manquinho, "Input/output format and solver requirements for the competitions of pseudo-Boolean
solvers" (2012).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from attrs import field, frozen

LITERAL = re.compile(r"~?x([1-9]\d{0,8})")
NUMBER = re.compile(r"[+-]?\d{1,30}")
MOST_VARIABLES = 10_000_000  # each has a few words in the checker, whether a row names it or not
RELATIONS = (">=", "<=", "=")
OPPOSITE = "* the sum is the opposite of what is maximised"
MOST = 2**62  # what the coefficients of a row may add up to, signs left out, with its degree


class BadProof(Exception):
    """A file that does not show what it should. line: counted from 1; what: a sentence."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(what)
        self.line, self.what = line, what


@frozen
class PbRow:
    """sum of coefficient · literal >= degree, coefficients above 0, no variable twice. terms: literal → coefficient;
    literal 2v is variable v, counted from 0, and 2v + 1 its opposite."""

    terms: Mapping[int, int]
    degree: int


@frozen
class Opb:
    """A problem. costs: variable → what it costs, to be minimised; None if nothing is. names: variable → its name.
    opposite: whether a comment says that the costs are those of something that is maximised, with the other sign."""

    variables: int
    rows: tuple[PbRow, ...]
    costs: Mapping[int, int] | None
    names: Mapping[int, str] = field(repr=False)
    opposite: bool = False


def read_opb(lines: Iterable[str]) -> Opb:
    """The problem of a file. Raises BadProof. Time linear in its length."""
    variables, rows, names, opposite = 0, list[PbRow](), dict[int, str](), False
    costs: dict[int, int] | None = None
    for number, line in enumerate(lines, 1):
        if line.startswith("*"):
            counted = re.match(r"\* #variable= (\d{1,9}) ", line) if number == 1 else None
            variables = int(counted[1]) if counted is not None else variables
            opposite |= line.rstrip() == OPPOSITE
            said = re.match(r"\* x([1-9]\d{0,8}) = (.*)", line)
            if said is not None:
                names[int(said[1]) - 1] = said[2].strip()
            continue
        words = line.replace(";", " ; ").split()
        if not words:
            continue
        if words[-1] != ";" or ";" in words[:-1]:
            raise BadProof(number, "a row does not end with `;`")
        if words[0] == "min:":
            if costs is not None or rows:
                raise BadProof(number, "what is minimised must be said once, before all rows")
            terms, rest = read_terms(words[1:-1], number)
            if rest:
                raise BadProof(number, f"`{rest[0]}` is no term of what is minimised")
            if any(literal & 1 for _, literal in terms):
                raise BadProof(number, "what is minimised must be written without `~`")
            costs = dict(_by_variable(terms))
        else:
            rows += read_rows(words[:-1], number)
    named = {literal // 2 for row in rows for literal in row.terms}.union(costs or (), names)
    variables = max(variables, max(named, default=-1) + 1)
    if variables > MOST_VARIABLES:
        raise BadProof(1, f"the problem has {variables} variables; the checker reads at most {MOST_VARIABLES}")
    return Opb(variables, tuple(rows), costs, names, opposite)


def read_rows(words: list[str], number: int) -> list[PbRow]:
    """The rows that `terms >= n`, `terms <= n` or `terms = n` says: one or two. Raises BadProof."""
    terms, rest = read_terms(words, number)
    if len(rest) != 2 or rest[0] not in RELATIONS or not NUMBER.fullmatch(rest[1]):
        raise BadProof(number, f"`{' '.join(rest)[:40]}` should be `>=`, `<=` or `=` and a number")
    degree = int(rest[1])
    rows = [] if rest[0] == "<=" else [normal(terms, degree)]
    if rest[0] != ">=":
        rows.append(normal([(-c, literal) for c, literal in terms], -degree))
    for row in rows:
        if sum(row.terms.values()) + abs(row.degree) >= MOST:
            raise BadProof(number, "the numbers of a row add up to 2^62 or more")
    return rows


def read_terms(words: list[str], number: int) -> tuple[list[tuple[int, int]], list[str]]:
    """The terms (coefficient, literal) that words begin with, and the words that are left. Raises BadProof."""
    terms: list[tuple[int, int]] = []
    for k in range(0, len(words), 2):
        if words[k] in RELATIONS or not NUMBER.fullmatch(words[k]):
            return terms, words[k:]
        if k + 1 == len(words):
            raise BadProof(number, f"the coefficient {words[k]} has no variable")
        terms.append((int(words[k]), read_literal(words[k + 1], number)))
    return terms, []


def read_literal(word: str, number: int) -> int:
    """The literal of `x3` or `~x3`. Raises BadProof."""
    found = LITERAL.fullmatch(word)
    if found is None:
        raise BadProof(number, f"`{word[:40]}` is no variable; they are x1, x2, … and their opposites ~x1, ~x2, …")
    return 2 * (int(found[1]) - 1) + (word[0] == "~")


def normal(terms: Iterable[tuple[int, int]], degree: int) -> PbRow:
    """A row with coefficients above 0 and no variable twice: -c · x is c · ~x - c."""
    kept: dict[int, int] = {}
    for variable, c in _by_variable(terms, fixed := [0]):
        kept[2 * variable + (c < 0)] = abs(c)
        degree += abs(c) if c < 0 else 0
    return PbRow(kept, degree - fixed[0])


def _by_variable(terms: Iterable[tuple[int, int]], fixed: list[int] | None = None) -> Iterator[tuple[int, int]]:
    """Per variable, its coefficient, if it is not 0. fixed: is increased by what opposites add whatever they are."""
    sums: dict[int, int] = {}
    for c, literal in terms:
        if literal & 1:
            sums[literal // 2] = sums.get(literal // 2, 0) - c
            if fixed is not None:
                fixed[0] += c
        else:
            sums[literal // 2] = sums.get(literal // 2, 0) + c
    return ((v, c) for v, c in sums.items() if c)
