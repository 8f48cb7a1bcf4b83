"""A problem as an OPB file: rows over variables that are 0 or 1, a sum to be minimised, and comments.

    * #variable= 3 #constraint= 2
    * x1 = queen(1, 1)
    min: +2 x1 +1 x2 ;
    +1 x1 +1 x2 >= 1 ;
    +1 x2 +1 x3 = 1 ;

A row `=` counts as two rows, `>=` and `<=` in this order; a row may also be written with `<=`. Comments `* x1 = name`
give variables names for messages. Where the sum stands for several goals in order, a comment says what each is:

    * goal 1, minimised, 31 times: +1 x1 +2 x2
    * goal 2, maximised, 1 times: +4 x1 -9 x2 plus 3
    min: +27 x1 +71 x2 ;

These are not merely told: they must add up to the sum, and each must be worth more than all after it can change.

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
GOAL = re.compile(r"\* goal \d+, (minimised|maximised), (\d{1,30}) times:(.*)")
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
class PbGoal:
    """One of several goals in order, which the sum that is minimised adds up. weight: how often the sum has it; below 0
    if it is maximised.  terms: variable → coefficient.  plus: what its value has beside them.  line: of the comment
    that says so."""

    weight: int
    terms: Mapping[int, int]
    plus: int
    line: int

    @property
    def spread(self) -> int:
        """By how much the sum can differ through this goal, whatever the variables are."""
        return abs(self.weight) * sum(map(abs, self.terms.values()))

    def value(self, true: Iterable[int]) -> int:
        """Its value where these variables are 1."""
        return self.plus + sum(self.terms.get(v, 0) for v in true)


@frozen
class Opb:
    """A problem. costs: variable → what it costs, to be minimised; None if nothing is. names: variable → its name.
    opposite: whether a comment says that the costs are those of something that is maximised, with the other sign.
    goals: what the costs add up, if comments say so: the least sum is best for the first goal; then, among the best
    for that, for the second; and so on."""

    variables: int
    rows: tuple[PbRow, ...]
    costs: Mapping[int, int] | None
    names: Mapping[int, str] = field(repr=False)
    opposite: bool = False
    goals: tuple[PbGoal, ...] = ()


def read_opb(lines: Iterable[str]) -> Opb:
    """The problem of a file. Raises BadProof. Time linear in its length."""
    variables, rows, names, opposite, goals = 0, list[PbRow](), dict[int, str](), False, list[PbGoal]()
    costs: dict[int, int] | None = None
    for number, line in enumerate(lines, 1):
        if line.startswith("*"):
            counted = re.match(r"\* #variable= (\d{1,9}) ", line) if number == 1 else None
            variables = int(counted[1]) if counted is not None else variables
            opposite |= line.rstrip() == OPPOSITE
            said = re.match(r"\* x([1-9]\d{0,8}) = (.*)", line)
            if said is not None:
                names[int(said[1]) - 1] = said[2].strip()
            goal = GOAL.match(line)
            if goal is not None:
                goals.append(_goal(int(goal[2]), goal[1] == "maximised", goal[3].split(), number))
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
    _check_goals(goals, costs)
    return Opb(variables, tuple(rows), costs, names, opposite, tuple(goals))


def _goal(weight: int, is_maximised: bool, words: list[str], number: int) -> PbGoal:
    """The goal of a comment: `terms`, or `terms plus n`. Raises BadProof."""
    terms, rest = read_terms(words, number)
    fixed = [0]
    sums = dict(_by_variable(terms, fixed))
    if rest and (len(rest) != 2 or rest[0] != "plus" or not NUMBER.fullmatch(rest[1])):
        raise BadProof(number, f"`{' '.join(rest)[:40]}` is no term of a goal")
    return PbGoal(-weight if is_maximised else weight, sums, fixed[0] + (int(rest[1]) if rest else 0), number)


def _check_goals(goals: list[PbGoal], costs: Mapping[int, int] | None) -> None:
    """Raise BadProof unless the goals add up to the costs, and each is worth more than all after it can change."""
    together: dict[int, int] = {}
    later = 0
    for goal in reversed(goals):
        for v, c in goal.terms.items():
            together[v] = together.get(v, 0) + goal.weight * c
        if abs(goal.weight) <= later:
            raise BadProof(goal.line, "the goal is not worth more than all goals after it together")
        later += goal.spread
    if goals and {v: c for v, c in together.items() if c} != (costs or {}):
        raise BadProof(goals[0].line, "the goals do not add up to the sum that is minimised")


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
