"""Why a model has no answer, and why a choice must or cannot be in one: what the engine finds, in the model's names.

These are tried in turn, until one of them gives an explanation:

1. an item that no choice can satisfy (W203);
2. a counting argument: two rules that cannot be met together, whatever is chosen;
3. an answer: then there is nothing to explain, or, if the model promises to be unique, a second answer is sought;
4. a counting argument with weights, such as a parity or a colouring, that needs no givens;
5. a minimal set of items and givens that contradict each other, sought among all of them, and once more among those of
   a minimal set of rules (whole statements); the smaller set is reported. Then the givens are found of which each one,
   if it alone is left out, leaves an answer; if there is none, the rules of which that is true.

For a choice: is there an answer with it, and one without it? If not, a minimal set that excludes or forces it.

Answers are those of the rules: `minimize` and `up to` play no part, except when two answers are sought for a model that
should have one. There is one budget for everything (`limit_time`, `limit_nodes`), and one for each search.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any

import attrs
from attrs import field

from covr.compiler.lower.lowered import AgreeItems
from covr.compiler.lower.rules import RuleItems
from covr.dsl.source import Span
from covr.engine.base.heed import Stopped, heeding
from covr.engine.proofs.certificate import Balance, Counting, balance, counting
from covr.engine.proofs.conflict import Conflict, ConflictBudget, ConflictVerdict, Relaxing, Unit
from covr.explain.find_choice import Asked, find_choice
from covr.explain.item_names import item_name
from covr.frozen import frozen
from covr.questions.answer import Answer
from covr.questions.options import Options
from covr.questions.run import Run

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.compiler.lower.lowered import ItemOrigin
    from covr.dsl.diagnostics import Diagnostic
    from covr.engine import Problem

SECONDS = 30.0  # how many seconds an explanation may take if no limit is given
MOST_TRIED = 300  # how many givens are left out one by one, at most

IMPOSSIBLE, COUNTED, CONFLICT = "impossible", "counted", "conflict"  # why there is no answer
ANSWERED, UNIQUE, SEVERAL = "answered", "unique", "several"  # nothing is wrong, or the rules allow too much
FORCED, EXCLUDED, FREE, REMOVED = "forced", "excluded", "free", "removed"  # of a choice
UNKNOWN = "unknown"


@frozen
class Member:
    """A member of a contradiction: a rule's item, a given choice or a whole statement.

    kind: `rule`, `given` or `statement`.  name: in the model's words.  span: the statement it comes from."""

    kind: str
    name: str
    span: Span = field(repr=False)

    @property
    def place(self) -> str:
        """The file and the line; for a matrix only the file."""
        line = self.line
        return self.span.source.name if line is None else f"{self.span.source.name}:{line}"

    @property
    def line(self) -> int | None:
        """The line of the statement, from 1; None for a matrix."""
        return self.span.place[0] if self.span.source.text else None


@frozen
class Proof:
    """A counting argument. found: its numbers. groups: for a Counting, the two statements (`by`, `of`).

    parts: for a Balance, each weight with its members. board: the weights of items that are squares of a board.
    """

    found: Counting | Balance
    groups: tuple[Member, ...] = ()
    parts: tuple[tuple[int, tuple[Member, ...]], ...] = field(default=(), repr=False)
    board: dict[tuple[int, int], int] = field(factory=dict, repr=False)


@frozen(kw_only=True)
class Why:
    """An explanation. `print` shows it in words.

    verdict: one of the words above.  choice: what was asked about, as covr prints it; given: whether it is given.
    members: what contradicts each other, or forces or excludes the choice.  minimal: whether it is proved that none of
    the members can be left out.
    cures: givens (or whole rules, if there is no such given) of which each one, if it alone is left out, leaves an
    answer.
    diagnostic: for `impossible`.  proof: for `counted`.  removed: for `removed`, the statement that removes the choice.
    answers: one for `answered`; two for `several`; for `free`, one with the choice and one without it.
    stopped: whether a budget ran out, or Ctrl-C was pressed, before everything was tried.
    """

    compiled: Compiled = field(repr=False)
    verdict: str
    choice: str | None = None
    given: bool = False
    members: tuple[Member, ...] = ()
    minimal: bool = True
    cures: tuple[Member, ...] = ()
    diagnostic: Diagnostic | None = None
    proof: Proof | None = None
    removed: Member | None = None
    answers: tuple[Answer, ...] = ()
    stopped: bool = False

    def __str__(self) -> str:
        from covr.explain.why_text import as_text

        return as_text(self)


class Inquiry:
    """A question "why". `interrupt` may be called from a signal handler; `explain` then returns what is known."""

    def __init__(self, compiled: Compiled, options: Options, choice: str | None = None) -> None:
        """choice: as text, or None. Raises ModelErrors if the text names no choice."""
        self.compiled = compiled
        self.problem: Problem = compiled.problem
        self.asked = None if choice is None else find_choice(compiled, choice)
        self.options = options if options.limit_time is not None else attrs.evolve(options, limit_time=SECONDS)
        self.budget = ConflictBudget(self.options.limits().seconds, self.options.limit_nodes)
        self._run: Run | None = None

    def interrupt(self) -> None:
        """Ask to stop; may be called from any thread. What is known by then is the result."""
        self.budget.interrupt()
        if self._run is not None:
            self._run.interrupt()

    def explain(self) -> Why:
        """The explanation. Time: bounded by the options, apart from what is linear in the size of the matrix."""
        try:
            with heeding(self.budget.stop):
                return self._of_model() if self.asked is None else self._of_choice(self.asked)
        except Stopped:
            return self._why(UNKNOWN, choice=None if self.asked is None else self.asked.name, stopped=True)

    # --- a model ---

    def _of_model(self) -> Why:
        quick = self._at_once()
        if quick is not None:
            return quick
        relaxing = Relaxing(self.problem, self.budget)
        verdict = relaxing.solve(relaxing.everything)
        if verdict.answer is not None:
            return self._answered(verdict.answer)
        proof = self._weights(relaxing)
        if proof is not None:
            return self._why(COUNTED, proof=proof)
        if verdict.open:
            return self._why(UNKNOWN)
        conflict = self._conflict(relaxing)
        cures = self._cures(relaxing, conflict)
        return self._why(CONFLICT, members=self._members(conflict), minimal=conflict.minimal, cures=cures)

    def _at_once(self) -> Why | None:
        """What can be explained without a search."""
        if self.compiled.impossible is not None:
            return self._why(IMPOSSIBLE, diagnostic=self.compiled.impossible)
        blocks = [tuple(i for i in b if i < self.problem.items) for b in self._blocks if b[0] < self.problem.items]
        if not self._is_matrix:
            blocks = [b for b in blocks if not isinstance(self._source(b), AgreeItems)]
        found = counting(self.problem, blocks)
        if found is None:
            return None
        groups = (self._statement(blocks[found.by][0]), self._statement(blocks[found.of][0]))
        return self._why(COUNTED, proof=Proof(found, groups))

    def _answered(self, answer: tuple[int, ...]) -> Why:
        promised = any(e.kind == "unique" and not e.settings for e in self.compiled.expectations)
        if not promised:
            return self._why(ANSWERED, answers=(Answer(self.compiled, answer),))
        self._run = Run(self.compiled, attrs.evolve(self.options.alone(), limit_time=self._seconds_left()))
        if self.budget.interrupted:
            self._run.interrupt()
        found = tuple(Answer(self.compiled, a) for a in islice(self._run.answers(), 2))
        if len(found) == 2:
            return self._why(SEVERAL, answers=found)
        complete = self._run.complete
        answers = found or (Answer(self.compiled, answer),)
        return self._why(UNIQUE if complete else ANSWERED, answers=answers, stopped=not complete)

    def _weights(self, relaxing: Relaxing) -> Proof | None:
        """A counting argument with weights. None is sought if the rules without the givens have an answer."""
        if self.problem.given and relaxing.solve(range(self.problem.items)).answer is not None:
            return None
        found = balance(self.problem)
        if found is None:
            return None
        parts = [
            (w, tuple(self.member(i) for i, x in sorted(found.weights.items()) if x == w))
            for w in sorted(set(found.weights.values()), reverse=True)
        ]
        return Proof(found, parts=tuple(parts), board=self._board(found))

    def _board(self, found: Balance) -> dict[tuple[int, int], int]:
        """The weights of the items that stand for squares: those of the only rule whose keys are pairs of numbers."""
        boards: dict[int, dict[tuple[int, int], int]] = {}
        for item, origin in enumerate(self.compiled.lowered.origins):
            if not isinstance(origin.source, RuleItems):
                continue
            key = origin.source.keys[origin.at]
            square = key[0] if len(key) == 1 and type(key[0]) is tuple else key
            if len(square) == 2 and all(type(x) is int for x in square):
                boards.setdefault(id(origin.source), {})[square] = found.weights.get(item, 0)
        used = [b for b in boards.values() if sum(w != 0 for w in b.values()) > 2]
        return used[0] if len(used) == 1 else {}

    # --- a choice ---

    def _of_choice(self, asked: Asked) -> Why:
        if asked.removed is not None:
            removed = Member("statement", asked.removed.one_line, asked.removed)
            return self._why(REMOVED, choice=asked.name, removed=removed)
        option = asked.option
        assert option is not None
        given = option in self.problem.given
        rest = tuple(o for o in self.problem.given if o != option)
        problem = attrs.evolve(self.problem, given=rest) if given else self.problem
        inside = Relaxing(problem, self.budget, taken=(option,))
        outside = Relaxing(problem, self.budget, left_out=(option,))
        with_it, without = inside.solve(inside.everything), outside.solve(outside.everything)
        if with_it.none and without.none:
            return self._of_model()
        if with_it.open or without.open:
            found = [v.answer for v in (with_it, without) if v.answer is not None]
            answers = tuple(Answer(self.compiled, a) for a in found)
            return self._why(UNKNOWN, choice=asked.name, given=given, answers=answers)
        if with_it.answer is not None and without.answer is not None:
            answers = (Answer(self.compiled, with_it.answer), Answer(self.compiled, without.answer))
            return self._why(FREE, choice=asked.name, given=given, answers=answers)
        relaxing, verdict = (inside, EXCLUDED) if with_it.none else (outside, FORCED)
        conflict = self._conflict(relaxing)
        members = self._members(conflict)
        return self._why(verdict, choice=asked.name, given=given, members=members, minimal=conflict.minimal)

    # --- conflicts ---

    def _conflict(self, relaxing: Relaxing) -> Conflict:
        """The smaller of two minimal sets: one among all constraints, one among those of a minimal set of rules."""
        single = relaxing.shrink([(c,) for c in relaxing.everything])
        if len(single.units) <= 3 or self.budget.spent:
            return single
        rules = relaxing.shrink(self._statements(relaxing.everything), orders=1)
        narrowed = relaxing.shrink([(c,) for c in rules.constraints])
        return min(narrowed, single, key=lambda c: (not c.minimal, len(c.units)))

    def _cures(self, relaxing: Relaxing, conflict: Conflict) -> tuple[Member, ...]:
        """The givens or, if there are none, the rules of which each one, if it alone is left out, leaves an answer.

        Only those in the conflict have to be tried.
        """

        def leaves(constraints: Iterable[int]) -> bool:
            dropped = set(constraints)
            verdict: ConflictVerdict = relaxing.solve(c for c in relaxing.everything if c not in dropped)
            return verdict.answer is not None

        members = conflict.constraints
        givens = [c for c in members if self._is_given(c)][:MOST_TRIED]
        found = [self.member(c) for c in givens if leaves((c,))]
        if found or len(members) == len(relaxing.everything):
            return tuple(found)
        statements = [u for u in self._statements(relaxing.everything) if not self._is_given(u[0])]
        if len(statements) < 2:
            return ()
        touched = [u for u in statements if not set(u).isdisjoint(members)]
        return tuple(self._statement(u[0]) for u in touched if leaves(u))

    def _statements(self, constraints: Iterable[int]) -> list[Unit]:
        """Constraints as the statements they come from."""
        kept = set(constraints)
        blocks = [tuple(c for c in block if c in kept) for block in self._blocks]
        spans: dict[tuple[int, int], list[int]] = {}
        for option, (_, span) in [] if self._is_matrix else self._givens.items():
            if self.problem.items + option in kept:
                spans.setdefault((span.start, span.end), []).append(self.problem.items + option)
        alone = [(c,) for c in kept if self._is_given(c)] if self._is_matrix else []
        return [u for u in (*blocks, *map(tuple, spans.values()), *alone) if u]

    # --- names ---

    @cached_property
    def _blocks(self) -> list[tuple[int, ...]]:
        """The items and sides of each statement, in source order; for a matrix, each by itself."""
        sides = range(self._first_side, self._first_side + len(self.problem.sides))
        if self._is_matrix:
            return [(c,) for c in (*range(self.problem.items), *sides)]
        blocks: dict[int, list[int]] = {}
        for item, origin in enumerate(self.compiled.lowered.origins):
            blocks.setdefault(id(origin.source), []).append(item)
        for side, origin in zip(sides, self.compiled.lowered.side_origins, strict=True):
            blocks.setdefault(id(origin.source), []).append(side)
        return sorted(map(tuple, blocks.values()), key=lambda b: self._span(b[0]).start)

    @cached_property
    def _givens(self) -> dict[int, tuple[str, Span]]:
        """For each given option, its name and its place."""
        named: dict[int, tuple[str, Span]] = {}
        if self._is_matrix:
            return {o: (self.problem.option_names[o], self._nowhere) for o in self.problem.given}
        for given in self.compiled.givens:
            named.setdefault(self.compiled.lowered.choice_options[given.number], (given.name, given.span))
        return named

    @property
    def _is_matrix(self) -> bool:
        """Whether there is no model: items and options have names, and no statements."""
        lowered = self.compiled.lowered
        return len(lowered.origins) < self.problem.items or len(lowered.side_origins) < len(self.problem.sides)

    @property
    def _first_side(self) -> int:
        """The constraint that is the first side."""
        return self.problem.items + self.problem.options

    def _is_given(self, constraint: int) -> bool:
        return self.problem.items <= constraint < self._first_side

    @property
    def _nowhere(self) -> Span:
        return Span(self.compiled.model.source, 0, 0)

    def _origin(self, constraint: int) -> ItemOrigin:
        """Where an item or a side comes from."""
        lowered = self.compiled.lowered
        if constraint < self.problem.items:
            return lowered.origins[constraint]
        return lowered.side_origins[constraint - self._first_side]

    def _source(self, constraints: Sequence[int]) -> object:
        return self._origin(constraints[0]).source

    def _span(self, constraint: int) -> Span:
        return self._nowhere if self._is_matrix else self._origin(constraint).statement.span

    def relaxing(self, problem: Problem) -> Relaxing:
        """A problem made of this one, with some of its constraints, under the budget of this question."""
        return Relaxing(problem, self.budget)

    def member(self, constraint: int) -> Member:
        """A constraint in the model's names."""
        if constraint < self.problem.items:
            return Member("rule", item_name(self.compiled, constraint), self._span(constraint))
        if constraint >= self._first_side:
            return Member("rule", self.problem.sides[constraint - self._first_side].name, self._span(constraint))
        return Member("given", *self._givens[constraint - self.problem.items])

    def _statement(self, constraint: int) -> Member:
        span = self._span(constraint)
        if self._is_matrix:
            return attrs.evolve(self.member(constraint), span=span)
        return Member("statement", span.one_line, span)

    def _members(self, conflict: Conflict) -> tuple[Member, ...]:
        return tuple(self.member(c) for c in conflict.constraints)

    def _seconds_left(self) -> float:
        left = self.budget.clock.left
        assert left is not None, "an explanation has a limit of time"
        return left

    def _why(self, verdict: str, *, stopped: bool = False, **fields: Any) -> Why:
        stopped = stopped or self.budget.spent
        return Why(compiled=self.compiled, verdict=verdict, stopped=stopped, **fields)


def explain(compiled: Compiled, choice: str | None = None, options: Options = Options()) -> Why:  # noqa: B008
    """Why a model has no answer, or why a choice must or cannot be in one. Raises ModelErrors if there is no such
    choice."""
    return Inquiry(compiled, options, choice).explain()
