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

from collections.abc import Callable, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

import attrs

from covr.compiler.lower.lowered import AgreeItems
from covr.compiler.lower.rules import RuleItems
from covr.engine.base.heed import Stopped, heeding
from covr.engine.proofs.certificate import Balance, balance, counting
from covr.engine.proofs.conflict import Conflict, ConflictBudget, Relaxing
from covr.explain.constraints import Constraints
from covr.explain.explanation import (
    ANSWERED,
    CONFLICT,
    COUNTED,
    EXCLUDED,
    FORCED,
    FREE,
    IMPOSSIBLE,
    REMOVED,
    SEVERAL,
    UNIQUE,
    UNKNOWN,
    Proof,
    Why,
)
from covr.explain.find_choice import Asked, find_choice
from covr.explain.member import Member
from covr.explain.short_reason import ShortReason, cures_of
from covr.questions.answer import Answer
from covr.questions.options import Options
from covr.questions.run import Run

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.engine import Problem

SECONDS = 30.0  # how many seconds an explanation may take if no limit is given


class Inquiry:
    """A question "why". `interrupt` may be called from a signal handler; `explain` then returns what is known."""

    def __init__(
        self,
        compiled: Compiled,
        options: Options,
        choice: str | None = None,
        found: Callable[[Why], None] | None = None,
    ) -> None:
        """choice: as text, or None.  found: is called with the shortest reason so far, once a second's work is done and
        shorter ones are still looked for, and then with each that is shorter. Raises ModelErrors if the text names no
        choice."""
        self.compiled = compiled
        self.found = found
        self.problem: Problem = compiled.rules_alone
        self.constraints = Constraints(compiled, self.problem)
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
        conflict = self._conflict(relaxing, CONFLICT)
        cures = cures_of(self.constraints, relaxing, conflict)
        return self._why(CONFLICT, members=self._members(conflict), minimal=conflict.minimal, cures=cures)

    def _at_once(self) -> Why | None:
        """What can be explained without a search."""
        if self.compiled.impossible is not None:
            return self._why(IMPOSSIBLE, diagnostic=self.compiled.impossible)
        items = self.problem.items
        blocks = [tuple(i for i in b if i < items) for b in self.constraints.blocks if b[0] < items]
        if not self.constraints.is_matrix:
            blocks = [b for b in blocks if not isinstance(self.constraints.source(b), AgreeItems)]
        found = counting(self.problem, blocks)
        if found is None:
            return None
        groups = (self.constraints.statement(blocks[found.by][0]), self.constraints.statement(blocks[found.of][0]))
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
        sums = any(i >= self.problem.items for i in found.weights)
        return Proof(found, parts=tuple(parts), board=self._board(found), sums=sums)

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
        conflict = self._conflict(relaxing, verdict, choice=asked.name, given=given)
        members = self._members(conflict)
        return self._why(verdict, choice=asked.name, given=given, members=members, minimal=conflict.minimal)

    # --- conflicts ---

    def _conflict(self, relaxing: Relaxing, verdict: str, **fields: Any) -> Conflict:
        def heard(constraints: Sequence[int], minimal: bool) -> None:
            if self.found is not None:
                members = tuple(map(self.member, constraints))
                self.found(self._why(verdict, members=members, minimal=minimal, **fields))

        return ShortReason(self.constraints, relaxing, heard).find()

    def relaxing(self, problem: Problem) -> Relaxing:
        """A problem made of this one, with some of its constraints, under the budget of this question."""
        return Relaxing(problem, self.budget)

    def member(self, constraint: int) -> Member:
        """A constraint in the model's names."""
        return self.constraints.member(constraint)

    def _members(self, conflict: Conflict) -> tuple[Member, ...]:
        return tuple(map(self.member, conflict.constraints))

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
