"""Holds each line of a proof to what it may say, and tells what the whole proof shows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import cast

from attrs import evolve, field, frozen

from covr.verify._units import Units

# --- opb -------------------------------------------------------------------------------------------------------------
# A problem as an OPB file: rows over variables that are 0 or 1, a sum to be minimised, and comments.
#
#     * #variable= 3 #constraint= 2
#     * x1 = queen(1, 1)
#     min: +2 x1 +1 x2 ;
#     +1 x1 +1 x2 >= 1 ;
#     +1 x2 +1 x3 = 1 ;
#
# A row `=` counts as two rows, `>=` and `<=` in this order; a row may also be written with `<=`. Comments `* x1 = name`
# give variables names for messages. Where the sum stands for several goals in order, a comment says what each is:
#
#     * goal 1, minimised, 31 times: +1 x1 +2 x2
#     * goal 2, maximised, 1 times: +4 x1 -9 x2 plus 3
#     min: +27 x1 +71 x2 ;
#
# These are not merely told: they must add up to the sum, and each must be worth more than all after it can change.
#
# Source: O. Roussel and V. Manquinho, "Input/output format and solver requirements for the competitions of
# pseudo-Boolean solvers" (2012).


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
    """sum of coefficient · literal >= degree, coefficients above 0, no variable twice.
    terms: literal → coefficient; literal 2v is variable v, counted from 0, and 2v + 1 its opposite."""

    terms: Mapping[int, int]
    degree: int


@frozen
class PbGoal:
    """One of several goals in order, which the sum that is minimised adds up.
    weight: how often the sum has it; below 0 if it is maximised.  terms: variable → coefficient.
    plus: what its value has beside them.  line: of the comment that says so."""

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


# --- proof -----------------------------------------------------------------------------------------------------------
# The lines of a proof, in the format of VeriPB, versions 2.0 and 3.0.
#
#     pseudo-Boolean proof version 3.0
#     f 20;                        the problem's rows are the rows 1 to 20 of the proof
#     rup +1 ~x3 +1 ~x7 >= 1 ;     a row that follows by unit propagation (_units.py)
#     pol 3 2 * 4 + 5 d;           a row that follows by arithmetic: 2 times row 3 plus row 4, divided by 5
#     sol x1 x5;                   an answer
#     solx x1 x5;                  an answer; from here on it is excluded
#     soli x1 x5;                  an answer; from here on only cheaper ones are meant
#     del id 21 22;                rows that are not used again;  del range 21 23;  the same
#     output NONE;
#     conclusion UNSAT : 23;       what was shown: see below
#     end pseudo-Boolean proof;
#
# Each of the lines rup, pol, solx and soli makes one row, numbered on; `@name` before it gives the row a name, too. In
# 3.0 a line ends with `;`, wherever it is broken, and `%` begins a comment. In 2.0 it ends where the line of the file
# does, what follows a `;` is a hint, and `*` begins a comment.
#
# Source: J. Nordström and others, VeriPB's documentation of its proof format.


HEADER = "pseudo-Boolean proof version 3.0"
OLDER = "pseudo-Boolean proof version 2.0"
END = ["end", "pseudo-Boolean", "proof"]


@frozen
class ProofLine:
    """A line: its number, counted from 1, its rule, the words after it without the last `;`, and the name of the row
    that it makes, with its `@`; or nothing."""

    line: int
    rule: str
    words: list[str]
    label: str = ""


def read_steps(lines: Iterable[str]) -> Iterator[ProofLine]:
    """The lines of a proof, one after another, up to its end. Raises BadProof, also for a proof that does not begin or
    end as one does."""
    numbered = enumerate(lines, 1)
    number, first = next(numbered, (0, ""))
    header = first.strip().rstrip(";").strip()
    if number and header not in (HEADER, OLDER):
        raise BadProof(1, f"a proof begins with the line `{HEADER}`")
    for number, words in _older(numbered) if header == OLDER else _newer(numbered):
        label = words.pop(0) if words[0].startswith("@") else ""
        if words == END:
            return
        if not words:
            raise BadProof(number, "a name is no line")
        yield ProofLine(number, words[0], words[1:], label)
    raise BadProof(number + 1, "the proof is unfinished: its last line, `end pseudo-Boolean proof`, is missing")


def _older(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, list[str]]]:
    """The words of a proof's lines in version 2.0, with the number of the file's line."""
    for number, line in lines:
        words = line.split(";", 1)[0].split()
        if words and words[0][0] not in "*%":
            yield number, words


def _newer(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, list[str]]]:
    open_words, begin = list[str](), 0
    for number, line in lines:
        if "%" in line:
            line = line[: line.index("%")]
        if not open_words and line.startswith("*"):
            continue
        *ended, rest = line.split(";")
        for part in ended:
            words = part.split()
            if open_words or words:
                yield begin if open_words else number, open_words + words
                open_words = []
        words = rest.split()
        if words:
            begin = begin if open_words else number
            open_words += words
    if open_words:
        raise BadProof(begin, "a line does not end with `;`")


# --- checker ---------------------------------------------------------------------------------------------------------
# Holds each line of a proof to what it may say, and tells what the whole proof shows.
#
# What a reader must believe is in this file and in three others of this folder. A line that makes a row is checked
# before the row stands:
#
# - `rup`: the opposite of the row, with the rows that stand, leads to a contradiction by unit propagation.
# - `pol`: the row is computed here, from rows that stand.
# - `solx` and `soli`: the literals, with what follows from them, settle every variable, and every row of the *problem*
#   holds. The row that `solx` makes excludes the literals of the line, and so no other answer that is left. It can't be
#   deleted, so that no answer counts twice.
#
# A proof may conclude
#
#     UNSAT                     there is no answer: the rows contradict each other, by unit propagation, and no answer
#                               was shown
#     SAT                       there is one
#     ENUMERATION_COMPLETE n    there are n: so many were shown by `solx`, and the rest is contradictory in the same way
#     ENUMERATION_PARTIAL n     there are at least n
#     BOUNDS least most         the sum to be minimised is at least `least`, and an answer of a `soli` has `most`
#     NONE                      nothing
#
# A contradiction says only what the rows of the answers left to be meant: after `solx`, that there is no *other*
# answer, and after `soli`, that there is none that is *cheaper*. So a number is concluded from no `soli`, and bounds
# from no `solx`.


TEMPORARY = 0  # the number of a row that stands only while another is checked


@frozen
class ProofResult:
    """What a proof shows. kind: `unsat`, `sat`, `all`, `bounds` or `nothing`.  answers: how many were shown.  least,
    most: for `bounds`, what is proved of the minimum; None: nothing.  steps: how many lines were checked.  true: the
    variables that are 1 in the cheapest answer of a `soli`, or in the answer that was shown last."""

    kind: str
    answers: int = 0
    least: int | None = None
    most: int | None = None
    steps: int = 0
    true: tuple[int, ...] = ()


def verify(problem: Opb, lines: Iterable[str]) -> ProofResult:
    """What the proof shows of the problem. Raises BadProof for the first line that does not follow, or for a proof that
    has no end."""
    checker = ProofChecker(problem)
    shown = None
    for step in read_steps(lines):
        if shown is not None:
            raise BadProof(step.line, "nothing may follow the conclusion")
        shown = checker.check(step)
    if shown is None:
        raise BadProof(0, "the proof has no conclusion")
    return evolve(shown, true=checker.true, steps=checker.steps)


class ProofChecker:
    """The rows that stand, and how many answers were shown."""

    def __init__(self, problem: Opb) -> None:
        self.problem = problem
        self.rows: dict[int, PbRow] = {}
        self.units = Units(problem.variables)
        self.last = 0  # the number of the row that was made last
        self.labels: dict[str, int] = {}  # the names of rows
        self.loaded = False
        self.steps = 0
        self.excluded: set[int] = set()  # the rows that exclude answers
        self.true: tuple[int, ...] = ()  # the variables that are 1 in the last answer, or in that of `least_known`
        self.least_known: int | None = None  # the cost of the cheapest answer of a `soli`
        self.one_shown = False  # by a line `sol`, which makes no row

    def check(self, step: ProofLine) -> ProofResult | None:
        """Check a line; what the proof shows, if it was the conclusion."""
        self.steps += 1
        if step.rule == "f" or not self.loaded:
            self._load(step)
        before = self.last
        if step.rule in ("rup", "u"):
            self._rup(step)
        elif step.rule in ("pol", "p"):
            self._make(Arithmetic(self, step).row(), step)
        elif step.rule in ("sol", "solx", "soli", "o", "v"):
            self._answer(step, "soli" if step.rule == "o" else step.rule)
        elif step.rule in ("del", "deld", "delc"):
            self._delete(step)
        elif step.rule == "conclusion":
            return self._conclusion(step)
        elif step.rule != "f" and (step.rule != "output" or step.words != ["NONE"]):
            raise BadProof(step.line, f"`{step.rule[:40]}` is no rule that this checker knows")
        if step.label:
            if self.last != before + 1 or step.rule == "f":
                raise BadProof(step.line, f"`{step.label[:40]}` names a line that makes no row")
            self.labels[step.label] = self.last
        return None

    def number(self, word: str, step: ProofLine) -> int:
        """A word as a whole number."""
        if not NUMBER.fullmatch(word):
            raise BadProof(step.line, f"`{word[:40]}` is no whole number")
        return int(word)

    def row(self, word: str, step: ProofLine) -> int:
        """The number of a row that stands; a negative word counts back from the last row."""
        named = self.labels.get(word, 0) if word.startswith("@") else self.number(word, step)
        named = self.last + 1 + named if named < 0 else named
        if named not in self.rows:
            raise BadProof(step.line, f"there is no row {word[:40]}, or it was deleted")
        return named

    def _load(self, step: ProofLine) -> None:
        """Let the problem's rows stand: at a line `f`, which says how many there are, or else before the first line."""
        rows = self.problem.rows
        said = step.words[:1] if step.rule == "f" else []
        if self.loaded or any(self.number(word, step) != len(rows) for word in said):
            raise BadProof(step.line, f"the problem has {len(rows)} rows, and is loaded once, by `f {len(rows)}`")
        self.loaded = True
        for row in rows:
            self._make(row, step)

    def _make(self, row: PbRow, step: ProofLine) -> None:
        if sum(row.terms.values()) + abs(row.degree) >= MOST:
            raise BadProof(step.line, "the numbers of the row add up to 2^62 or more")
        if any(literal // 2 >= self.problem.variables for literal in row.terms):
            raise BadProof(step.line, "the row has a variable that the problem has not")
        self.last += 1
        self.rows[self.last] = PbRow(row.terms, row.degree)  # no MadeRow, which the next line would change
        self.units.add(self.last, list(row.terms), list(row.terms.values()), row.degree)

    def _rup(self, step: ProofLine) -> None:
        words = step.words[: step.words.index(":")] if ":" in step.words else step.words  # hints are not needed
        rows = read_rows(words, step.line)
        if len(rows) != 1:
            raise BadProof(step.line, "a row of a proof is written with `>=` or `<=`")
        row = rows[0]
        if any(literal // 2 >= self.problem.variables for literal in row.terms):
            raise BadProof(step.line, "the row has a variable that the problem has not")
        if not self._follows(row):
            raise BadProof(step.line, f"`{' '.join(words)[:80]}` does not follow by unit propagation")
        self._make(row, step)

    def _follows(self, row: PbRow) -> bool:
        """Whether the opposite of a row leads to a contradiction: for a clause, all of its literals are false; for any
        other, the literals that are false weigh more than the total less the degree."""
        if row.degree <= 0:
            return True
        opposites = [literal ^ 1 for literal in row.terms]
        if all(c >= row.degree for c in row.terms.values()):
            return self.units.contradicts(opposites)
        weights = list(row.terms.values())
        self.units.add(TEMPORARY, opposites, weights, sum(weights) - row.degree + 1)
        wrong = self.units.contradicts(())
        self.units.drop(TEMPORARY)
        return wrong

    def _answer(self, step: ProofLine, rule: str) -> None:
        cheaper = rule == "soli"
        named = [read_literal(word, step.line) for word in step.words]
        if any(literal // 2 >= self.problem.variables for literal in named):
            raise BadProof(step.line, "the answer has a variable that the problem has not")
        if cheaper and self.problem.costs is None:
            raise BadProof(step.line, "`soli` is for problems in which something is minimised")
        if rule != "sol" and (self.excluded if cheaper else self.least_known is not None):
            raise BadProof(step.line, "a proof has `solx` or `soli`, not both")
        found = self.units.follows(named)
        if found is None:
            raise BadProof(step.line, "this is no answer, or one that is excluded already")
        if len(found) < self.problem.variables:
            raise BadProof(step.line, "the answer leaves a variable open")
        true = set(found)
        for k, row in enumerate(self.problem.rows, 1):  # those that stand hold: nothing is open, and none contradicts
            if k not in self.rows and sum(c for literal, c in row.terms.items() if literal in true) < row.degree:
                raise BadProof(step.line, f"this is no answer: it breaks row {k} of the problem")
        ones = tuple(sorted(literal // 2 for literal in true if not literal & 1))
        if cheaper:
            self._cheaper(true, ones, step)
            return
        if self.least_known is None:
            self.true = ones
        if rule == "sol":
            self.one_shown = True
            return
        self._make(PbRow(dict.fromkeys([literal ^ 1 for literal in sorted({*named})], 1), 1), step)
        self.excluded.add(self.last)

    def _cheaper(self, true: set[int], ones: tuple[int, ...], step: ProofLine) -> None:
        costs = self.problem.costs or {}
        cost = sum(c for v, c in costs.items() if 2 * v in true)
        if self.least_known is None or cost < self.least_known:
            self.least_known, self.true = cost, ones
        terms = {2 * v + (c > 0): abs(c) for v, c in costs.items()}
        self._make(PbRow(terms, 1 - cost + sum(c for c in costs.values() if c > 0)), step)

    def _delete(self, step: ProofLine) -> None:
        how, words = (step.words or [""])[0], step.words[1:]
        if step.rule != "del":
            how, words = "id", step.words
        if how == "range" and len(words) == 2:
            first, end = (self.number(word, step) for word in words)
            rows = [row for row in range(max(first, 1), min(end, self.last + 1)) if row in self.rows]
        elif how == "id":
            rows = [self.row(word, step) for word in words]
        else:
            raise BadProof(step.line, "rows are deleted by `del id 1 2 …` or `del range 1 3`")
        for row in rows:
            if row in self.excluded:
                raise BadProof(step.line, f"row {row} excludes an answer, and can't be deleted")
            if row in self.rows:
                del self.rows[row]
                self.units.drop(row)

    def _conclusion(self, step: ProofLine) -> ProofResult:
        words = step.words[: step.words.index(":")] if ":" in step.words else step.words
        hint = step.words[len(words) + 1 :]
        if words[:1] == ["BOUNDS"] and len(words) == 2 and len(hint) > 1:  # BOUNDS 5 : 20 7 : x1 ~x2
            words, hint = [*words, hint[1]], hint[:1]
        if words[:1] == ["SAT"]:
            if hint:
                self._answer(evolve(step, words=hint), "sol")
            hint = []
        for word in hint:
            if self.row(word, step) not in self.units.contradictory():
                raise BadProof(step.line, f"row {word[:40]} is no contradiction")
        shown_one = bool(self.excluded) or self.one_shown or self.least_known is not None
        match words:
            case ["NONE"]:
                return ProofResult("nothing", len(self.excluded))
            case ["SAT"]:
                if not shown_one:
                    raise BadProof(step.line, "no answer was shown")
                return ProofResult("sat", max(len(self.excluded), 1))
            case ["UNSAT"]:
                if shown_one:
                    raise BadProof(step.line, "an answer was shown, so there is one")
                self._contradictory(step)
                return ProofResult("unsat")
            case ["ENUMERATION_COMPLETE" | "ENUMERATION_PARTIAL" as kind, count]:
                if self.least_known is not None:
                    what = "answers were shown by `soli`, which leaves out the others that are no cheaper"
                    raise BadProof(step.line, f"{what}: nothing is known of their number")
                if self.number(count, step) != len(self.excluded):
                    raise BadProof(step.line, f"{len(self.excluded)} answers were shown, not {count[:40]}")
                if kind == "ENUMERATION_PARTIAL":
                    return ProofResult("sat" if self.excluded else "nothing", len(self.excluded))
                self._contradictory(step)
                return ProofResult("all", len(self.excluded))
            case ["BOUNDS", least, most]:
                return self._bounds(least, most, step)
        raise BadProof(step.line, f"`{' '.join(words)[:40]}` is no conclusion that this checker knows")

    def _bounds(self, least: str, most: str, step: ProofLine) -> ProofResult:
        """A contradiction means that nothing is cheaper than the cheapest answer that was shown."""
        if self.problem.costs is None:
            raise BadProof(step.line, "nothing is minimised, so there are no bounds")
        if self.excluded:
            raise BadProof(step.line, "answers were excluded by `solx`, so nothing is known of the least value")
        upper = None if most == "INF" else self.number(most, step)
        if upper is not None and (self.least_known is None or self.least_known > upper):
            raise BadProof(step.line, f"no answer was shown that has {most}")
        if least == "INF":
            if self.least_known is not None or self.one_shown:
                raise BadProof(step.line, "an answer was shown, so there is a minimum")
            self._contradictory(step)
            return ProofResult("unsat")
        lower = self.number(least, step)
        if self.least_known is not None and lower > self.least_known:
            raise BadProof(step.line, f"an answer was shown that has {self.least_known}, less than {least}")
        smallest = sum(c for c in self.problem.costs.values() if c < 0)  # which needs no proof
        if lower > smallest:
            self._contradictory(step)
        return ProofResult("bounds", int(self.least_known is not None), lower, upper)

    def _contradictory(self, step: ProofLine) -> None:
        if not self.units.contradicts(()):
            raise BadProof(step.line, "no contradiction was derived")


class MadeRow(PbRow):
    """A row that a `pol` line is about to make; nothing else holds its terms, so that the line may change them."""


class Arithmetic:
    """What a `pol` line computes: words in reverse Polish order, over a stack of rows and numbers."""

    def __init__(self, checker: ProofChecker, step: ProofLine) -> None:
        self.checker, self.step = checker, step

    def row(self) -> PbRow:
        """The row that is left at the end."""
        stack: list[PbRow | str] = []
        for word in self.step.words:
            if word == "+":
                second, first = self._pop(stack), self._pop(stack)
                stack.append(_sum(first, second))
            elif word in ("*", "d"):
                factor = self._factor(stack)
                stack.append(self._scaled(self._pop(stack), word, factor))
            elif word == "s":
                stack.append(_saturated(self._pop(stack)))
            elif word == "w":
                variable = self._pop(stack)
                stack.append(_weakened(self._pop(stack), variable))
            else:
                stack.append(word)
        last = self._pop(stack)
        if stack:
            raise BadProof(self.step.line, "more than one row is left at the end")
        return last

    def _pop(self, stack: list[PbRow | str]) -> PbRow:
        """The last entry as a row: a word names a row that stands, or a literal, which is at least 0."""
        if not stack:
            raise BadProof(self.step.line, "a row is missing")
        top = stack.pop()
        if isinstance(top, PbRow):
            return top
        if top.lstrip("~").startswith("x"):
            return PbRow({read_literal(top, self.step.line): 1}, 0)
        return self.checker.rows[self.checker.row(top, self.step)]

    def _factor(self, stack: list[PbRow | str]) -> int:
        top = stack.pop() if stack else ""
        if not isinstance(top, str) or self.checker.number(top, self.step) <= 0:
            raise BadProof(self.step.line, "`*` and `d` need a whole number above 0 before them")
        return int(top)

    def _scaled(self, row: PbRow, word: str, factor: int) -> PbRow:
        """A row times a number, or divided by it, everything rounded up."""
        if word == "*":
            return MadeRow({literal: c * factor for literal, c in row.terms.items()}, row.degree * factor)
        return MadeRow({literal: -(-c // factor) for literal, c in row.terms.items()}, -(-row.degree // factor))


def _saturated(row: PbRow) -> PbRow:
    """The row with no coefficient above its degree, which says the same."""
    least = max(row.degree, 0)
    return MadeRow({literal: min(c, least) for literal, c in row.terms.items() if least}, row.degree)


def _weakened(row: PbRow, variable: PbRow) -> PbRow:
    """The row without a variable, whatever it is: its coefficient is taken off the degree."""
    gone = [literal ^ k for literal in variable.terms for k in (0, 1) if variable.degree == 0]
    terms = {literal: c for literal, c in row.terms.items() if literal not in gone}
    return MadeRow(terms, row.degree - sum(row.terms.get(literal, 0) for literal in gone))


def _sum(first: PbRow, second: PbRow) -> PbRow:
    """The sum of two rows, in which a literal and its opposite cancel: x + ~x is 1. A first row that the line has made
    is not needed again, and changes; a line that adds hundreds would take a second otherwise."""
    terms = cast(dict[int, int], first.terms) if isinstance(first, MadeRow) else dict(first.terms)
    degree = first.degree + second.degree
    for literal, c in second.terms.items():
        against = terms.get(literal ^ 1)
        if against is None:
            terms[literal] = terms.get(literal, 0) + c
        elif against > c:
            degree -= c
            terms[literal ^ 1] = against - c
        else:
            degree -= against
            del terms[literal ^ 1]
            if c > against:
                terms[literal] = c - against
    return MadeRow(terms, degree)
