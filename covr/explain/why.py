"""Why a model has no answer, and why a choice must or can't be in one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import attrs

from covr.compiler.clues import clue_statements_of
from covr.compiler.evaluate.expressions import free_names
from covr.compiler.evaluate.values import show_value
from covr.compiler.lower.lowered import AgreeItems
from covr.compiler.lower.rules import RuleItems
from covr.dsl.diagnostics import Span
from covr.engine.base.limits import LimitReached, limits_checked_by
from covr.engine.proofs.certificate import Balance, balance, counting
from covr.engine.proofs.conflict import ORDERS, SECOND, Conflict, ConflictBudget, ConflictVerdict, Relaxing, Unit
from covr.explain import why_text
from covr.explain.choice_words import Asked, find_choice
from covr.questions.answer import Answer
from covr.questions.options import Options
from covr.questions.run import Run

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.compiler.lower.lowered import ItemOrigin
    from covr.engine import Problem


def item_name(compiled: Compiled, item: int) -> str:
    """The item's label; if it is the same for every item of the rule, the item's keys follow it."""
    name = compiled.problem.item_names[item]
    if not compiled.lowered.origins:  # a matrix from a file
        return name
    return name + own_keys(compiled.lowered.origins[item])


def own_keys(origin: ItemOrigin) -> str:
    """What follows the name of an item or side condition of a rule whose label is the same for all: its keys."""
    key = key_words(origin)
    return f" ({key})" if key else ""


def key_words(origin: ItemOrigin) -> str:
    """The keys of an item or side condition of a rule whose label is the same for all; empty for any other."""
    from covr.compiler.evaluate.values import show_value
    from covr.compiler.lower.rules import RuleItems

    source = origin.source
    if not isinstance(source, RuleItems) or source.rule.label is None or not source.keys[origin.at]:
        return ""
    if not all(isinstance(part, str) for part in source.rule.label.parts):
        return ""
    plan = source.key_plan
    keys = [plan.computed[n].span.one_line if n in plan.computed else n for n in plan.names]
    values = zip(keys, source.keys[origin.at], strict=True)
    return ", ".join(f"{key} = {show_value(value)}" for key, value in values)


# --- constraints -----------------------------------------------------------------------------------------------------
# A constraint is a rule's item (numbered as the item), a given choice (`items + option`) or a side (after these), as in
# engine/proofs/conflict.py.


class Constraints:
    """Names and groups of the constraints of a problem."""

    def __init__(self, compiled: Compiled, problem: Problem) -> None:
        self.compiled, self.problem = compiled, problem

    def labelled(self, constraints: Iterable[int]) -> tuple[list[Unit], Unit]:
        """The constraints that are said if a reason rests on them, those with the same name together; and the rules
        without a label, if there are others."""
        spans = why_text.labelled_spans(self.compiled)
        units: dict[tuple[str, str], list[int]] = {}
        quiet = []
        for c in constraints:
            member = self.member(c)
            if member.kind == "given" or why_text.at(member.span) in spans:
                units.setdefault((member.kind, member.name), []).append(c)
            else:
                quiet.append(c)
        if all(kind == "given" for kind, _ in units):
            return [], ()
        return [tuple(unit) for unit in units.values()], tuple(quiet)

    def clues(self, constraints: Iterable[int]) -> list[Unit]:
        """The rules that hold a clue each, with those of the same name together."""
        rules: dict[str, list[int]] = {}
        for c in constraints:
            if not self.is_matrix and not self.is_given(c) and self._is_of_clue(c):
                rules.setdefault(self.member(c).name, []).append(c)
        return [tuple(unit) for unit in rules.values()]

    def clues_first(self, constraints: Sequence[int]) -> tuple[list[Unit], Unit]:
        """The rules that hold a clue each, and all others; none of either if there is no such rule."""
        clues = self.clues(constraints)
        taken = {c for unit in clues for c in unit}
        return clues, tuple(c for c in constraints if c not in taken) if clues else ()

    def _is_of_clue(self, constraint: int) -> bool:
        """Whether a rule's label tells the clue in a param of which a `clue` statement speaks."""
        label = getattr(self._origin(constraint).statement, "label", None)
        parts = () if label is None else (part for part in label.parts if not isinstance(part, str))
        return any(not self._clue_params.isdisjoint(free_names(part)) for part in parts)

    @cached_property
    def _clue_params(self) -> frozenset[str]:
        """The params of which `clue` statements say what stands there."""
        return frozenset(statement.param.id for statement in clue_statements_of(self.compiled))

    def statements(self, constraints: Iterable[int]) -> list[Unit]:
        """Constraints as the statements they come from."""
        kept = set(constraints)
        blocks = [tuple(c for c in block if c in kept) for block in self.blocks]
        spans: dict[tuple[int, int], list[int]] = {}
        for option, (_, span) in [] if self.is_matrix else self._givens.items():
            if self.problem.items + option in kept:
                spans.setdefault((span.start, span.end), []).append(self.problem.items + option)
        alone = [(c,) for c in kept if self.is_given(c)] if self.is_matrix else []
        return [u for u in (*blocks, *map(tuple, spans.values()), *alone) if u]

    @cached_property
    def blocks(self) -> list[tuple[int, ...]]:
        """The items and sides of each statement, in source order; for a matrix, each by itself."""
        sides = range(self.first_side, self.first_side + len(self.problem.sides))
        if self.is_matrix:
            return [(c,) for c in (*range(self.problem.items), *sides)]
        blocks: dict[int, list[int]] = {}
        for item, origin in enumerate(self.compiled.lowered.origins):
            blocks.setdefault(id(origin.source), []).append(item)
        for side, origin in zip(sides, self.compiled.lowered.side_origins, strict=True):
            blocks.setdefault(id(origin.source), []).append(side)
        return sorted(map(tuple, blocks.values()), key=lambda b: self._span(b[0]).start)

    @cached_property
    def _givens(self) -> dict[int, tuple[str, Span]]:
        named: dict[int, tuple[str, Span]] = {}
        if self.is_matrix:
            return {o: (self.problem.option_names[o], self._nowhere) for o in self.problem.given}
        for given in self.compiled.givens:
            named.setdefault(self.compiled.lowered.choice_options[given.number], (given.name, given.span))
        return named

    @property
    def is_matrix(self) -> bool:
        """Whether there is no model: items and options have names, and no statements."""
        lowered = self.compiled.lowered
        return len(lowered.origins) < self.problem.items or len(lowered.side_origins) < len(self.problem.sides)

    @property
    def first_side(self) -> int:
        """The constraint that is the first side."""
        return self.problem.items + self.problem.options

    def is_given(self, constraint: int) -> bool:
        """Whether a constraint is a given choice."""
        return self.problem.items <= constraint < self.first_side

    @property
    def _nowhere(self) -> Span:
        return Span(self.compiled.model.source, 0, 0)

    def _origin(self, constraint: int) -> ItemOrigin:
        lowered = self.compiled.lowered
        if constraint < self.problem.items:
            return lowered.origins[constraint]
        return lowered.side_origins[constraint - self.first_side]

    def source(self, constraints: Sequence[int]) -> object:
        """What makes the items of one statement."""
        return self._origin(constraints[0]).source

    def _span(self, constraint: int) -> Span:
        return self._nowhere if self.is_matrix else self._origin(constraint).statement.span

    def member(self, constraint: int) -> why_text.Member:
        """A constraint in the model's names."""
        if self.is_given(constraint):
            return why_text.Member("given", *self._givens[constraint - self.problem.items])
        side = constraint - self.first_side
        name = self.problem.item_names[constraint] if side < 0 else str(self.problem.sides[side].name)
        span = self._span(constraint)
        if self.is_matrix:
            return why_text.Member("rule", name, span)
        origin = self._origin(constraint)
        key = key_words(origin) if side < 0 else ""
        if key:
            return why_text.Member("rule", f"{name} ({key})", span, name, key)
        if isinstance(origin.source, AgreeItems):
            key = show_value(origin.source.keys[origin.at])
            return why_text.Member("rule", name, span, name.removesuffix(f" on {key}"), key)
        return why_text.Member("rule", name, span)

    def statement(self, constraint: int) -> why_text.Member:
        """The statement that a constraint comes from."""
        span = self._span(constraint)
        if self.is_matrix:
            return attrs.evolve(self.member(constraint), span=span)
        return why_text.Member("statement", span.one_line, span)


# --- short reason ----------------------------------------------------------------------------------------------------


MOST_SHORT = 3  # a reason of so many lines is short enough
MOST_ORDERS = 16  # that are tried while a second's work is not done; ORDERS are tried in any case
MOST_TRIED = 300  # how many givens are left out one by one, at most

Report = Callable[[Sequence[int], bool], None]  # constraints, and whether they are minimal


class ShortReason:
    """Looks for a reason among the constraints of a problem that has no answer."""

    def __init__(self, constraints: Constraints, relaxing: Relaxing, report: Report) -> None:
        """report: called with the shortest reason so far, once a second's work is done."""
        self._constraints, self._relaxing, self._budget = constraints, relaxing, relaxing.budget
        self._found = report
        self._reported = False

    def find(self) -> Conflict:
        """The shortest of several minimal sets, in words and then in all. The rules that are said are shrunk first,
        beside all others, and then these. Where all are said, those that hold a clue come first; without any, the
        smaller of two sets is taken."""
        first, rest = self._constraints.labelled(self._relaxing.everything)
        quiet = bool(rest)
        if not quiet:
            first, rest = self._constraints.clues_first(self._relaxing.everything)
        best: Conflict | None = None
        for one in self._in_two_steps(first, rest, quiet) if rest else self._sets():
            if best is None or self._rank(one) < self._rank(best):
                best = one
                if self._budget.work >= SECOND:
                    self._report(one.constraints, one.minimal)
            if self._budget.spent or self._rank(best)[1] <= MOST_SHORT:
                break
        assert best is not None
        return best

    def _sets(self) -> Iterator[Conflict]:
        relaxing = self._relaxing
        self._listen(())
        yield relaxing.shrink([(c,) for c in relaxing.everything])
        rules = relaxing.shrink(self._constraints.statements(relaxing.everything), orders=1)
        yield relaxing.shrink([(c,) for c in rules.constraints])

    def _in_two_steps(self, first: list[Unit], rest: Unit, quiet: bool) -> Iterator[Conflict]:
        """Minimal sets in which few of the first constraints are, in several orders.
        first: in units, each said in one line.  rest: the others.  quiet: whether they are not said; then an order that
        needs as
        many of the first as another did ends there."""
        fewest: int | None = None
        for order in range(MOST_ORDERS):
            if order >= ORDERS and self._budget.work >= SECOND:
                break
            self._listen(rest)
            few = self._relaxing.shrink(first, orders=1, beside=rest, first=order)
            if fewest is not None and len(few.units) >= fewest + (not quiet):
                continue
            self._listen(())
            found = self._relaxing.shrink([(c,) for c in (*few.constraints, *rest)], orders=1, first=order)
            if found.minimal and (fewest is None or len(few.units) < fewest):
                fewest = len(few.units)
            yield found

    def _rank(self, conflict: Conflict) -> tuple[bool, int, int]:
        """Sets are preferred if they are minimal, then if they take few lines, then if they are small."""
        words = len(
            why_text.shown_of(self._constraints.compiled, tuple(map(self._constraints.member, conflict.constraints)))
        )
        return not conflict.minimal, words, len(conflict.units)

    def _listen(self, beside: Unit) -> None:
        """Hear of the sets to which constraints are shrunk, to each of which others belong."""

        def receive(units: Sequence[Unit]) -> None:
            if not self._reported and self._budget.work >= SECOND:
                self._report(sorted({c for unit in (*units, beside) for c in unit}), False)

        self._relaxing.on_smaller = receive

    def _report(self, constraints: Sequence[int], minimal: bool) -> None:
        self._reported = True
        self._found(constraints, minimal)


def cures_of(constraints: Constraints, relaxing: Relaxing, conflict: Conflict) -> tuple[why_text.Member, ...]:
    """The givens or, if there are none, the clues or whole rules of which each, if it alone is left out, leaves an
    answer."""

    def leaves(some: Iterable[int]) -> bool:
        dropped = set(some)
        verdict: ConflictVerdict = relaxing.solve(c for c in relaxing.everything if c not in dropped)
        return verdict.answer is not None

    members = conflict.constraints
    givens = [c for c in members if constraints.is_given(c)][:MOST_TRIED]
    found = [constraints.member(c) for c in givens if leaves((c,))]
    if found or len(members) == len(relaxing.everything):
        return tuple(found)
    one_by_one = [unit for unit in constraints.clues(members)[:MOST_TRIED] if leaves(unit)]
    if one_by_one:
        return tuple(constraints.member(unit[0]) for unit in one_by_one)
    statements = [u for u in constraints.statements(relaxing.everything) if not constraints.is_given(u[0])]
    if len(statements) < 2:
        return ()
    touched = [u for u in statements if not set(u).isdisjoint(members)]
    return tuple(constraints.statement(u[0]) for u in touched if leaves(u))


# --- why -------------------------------------------------------------------------------------------------------------
# These are tried in turn, until one of them gives an explanation:
#
# 1. an item that no choice can satisfy (W203);
# 2. a counting argument: two rules that cannot be met together, whatever is chosen;
# 3. an answer: then there is nothing to explain, or, if the model promises to be unique, a second answer is sought;
# 4. a counting argument with weights, such as a parity or a colouring, that needs no givens;
# 5. a minimal set of items and givens that contradict each other, among all of them and among those of a minimal set of
# statements; the smaller is reported, with the givens, or else the rules, without any one of which there is an answer.
#
# For a choice: is there an answer with it, and one without it? If not, a minimal set that excludes or forces it.
# Answers are those of the rules: `minimize` and `up to` play no part, except when two answers are sought.


SECONDS = 30.0  # how many seconds an explanation may take if no limit is given


class Inquiry:
    """A question "why". After `interrupt`, which may be called from any thread, `explain` returns what is known."""

    def __init__(
        self,
        compiled: Compiled,
        options: Options,
        choice: str | None = None,
        found: Callable[[why_text.Why], None] | None = None,
    ) -> None:
        """choice: as text, or None.  found: called with the shortest reason so far, once a second's work is done and
        shorter ones
        are still looked for. Raises ModelErrors if the text names no choice."""
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

    def explain(self) -> why_text.Why:
        """The explanation. Time: bounded by the options, apart from what is linear in the size of the matrix."""
        try:
            with limits_checked_by(self.budget.stop):
                return self._of_model() if self.asked is None else self._of_choice(self.asked)
        except LimitReached:
            return self._why(why_text.UNKNOWN, choice=None if self.asked is None else self.asked.name, stopped=True)

    # --- a model ---

    def _of_model(self) -> why_text.Why:
        quick = self._at_once()
        if quick is not None:
            return quick
        relaxing = Relaxing(self.problem, self.budget)
        verdict = relaxing.solve(relaxing.everything)
        if verdict.answer is not None:
            return self._answered(verdict.answer)
        proof = self._weights(relaxing)
        if proof is not None:
            return self._why(why_text.COUNTED, proof=proof)
        if verdict.open:
            return self._why(why_text.UNKNOWN)
        conflict = self._conflict(relaxing, why_text.CONFLICT)
        cures = cures_of(self.constraints, relaxing, conflict)
        return self._why(why_text.CONFLICT, members=self._members(conflict), minimal=conflict.minimal, cures=cures)

    def _at_once(self) -> why_text.Why | None:
        if self.compiled.impossible is not None:
            return self._why(why_text.IMPOSSIBLE, diagnostic=self.compiled.impossible)
        items = self.problem.items
        blocks = [tuple(i for i in b if i < items) for b in self.constraints.blocks if b[0] < items]
        if not self.constraints.is_matrix:
            blocks = [b for b in blocks if not isinstance(self.constraints.source(b), AgreeItems)]
        found = counting(self.problem, blocks)
        if found is None:
            return None
        groups = (self.constraints.statement(blocks[found.by][0]), self.constraints.statement(blocks[found.of][0]))
        return self._why(why_text.COUNTED, proof=why_text.Proof(found, groups))

    def _answered(self, answer: tuple[int, ...]) -> why_text.Why:
        promised = any(e.kind == "unique" and not e.settings for e in self.compiled.expectations)
        if not promised:
            return self._why(why_text.ANSWERED, answers=(Answer(self.compiled, answer),))
        self._run = Run(self.compiled, attrs.evolve(self.options.alone(), limit_time=self._seconds_left()))
        if self.budget.interrupted:
            self._run.interrupt()
        found = tuple(Answer(self.compiled, a) for a in self._run.answers(limit=2))
        if len(found) == 2:
            return self._why(why_text.SEVERAL, answers=found)
        complete = self._run.complete
        answers = found or (Answer(self.compiled, answer),)
        return self._why(why_text.UNIQUE if complete else why_text.ANSWERED, answers=answers, stopped=not complete)

    def _weights(self, relaxing: Relaxing) -> why_text.Proof | None:
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
        return why_text.Proof(found, parts=tuple(parts), board=self._board(found), sums=sums)

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

    def _of_choice(self, asked: Asked) -> why_text.Why:
        if asked.removed is not None:
            removed = why_text.Member("statement", asked.removed.one_line, asked.removed)
            return self._why(why_text.REMOVED, choice=asked.name, removed=removed)
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
            return self._why(why_text.UNKNOWN, choice=asked.name, given=given, answers=answers)
        if with_it.answer is not None and without.answer is not None:
            answers = (Answer(self.compiled, with_it.answer), Answer(self.compiled, without.answer))
            return self._why(why_text.FREE, choice=asked.name, given=given, answers=answers)
        relaxing, verdict = (inside, why_text.EXCLUDED) if with_it.none else (outside, why_text.FORCED)
        conflict = self._conflict(relaxing, verdict, choice=asked.name, given=given)
        members = self._members(conflict)
        return self._why(verdict, choice=asked.name, given=given, members=members, minimal=conflict.minimal)

    # --- conflicts ---

    def _conflict(self, relaxing: Relaxing, verdict: str, **fields: Any) -> Conflict:
        def receive(constraints: Sequence[int], minimal: bool) -> None:
            if self.found is not None:
                members = tuple(map(self.member, constraints))
                self.found(self._why(verdict, members=members, minimal=minimal, **fields))

        return ShortReason(self.constraints, relaxing, receive).find()

    def relaxing(self, problem: Problem) -> Relaxing:
        """A problem made of this one, with some of its constraints, under the budget of this question."""
        return Relaxing(problem, self.budget)

    def member(self, constraint: int) -> why_text.Member:
        """A constraint in the model's names."""
        return self.constraints.member(constraint)

    def _members(self, conflict: Conflict) -> tuple[why_text.Member, ...]:
        return tuple(map(self.member, conflict.constraints))

    def _seconds_left(self) -> float:
        left = self.budget.clock.left
        assert left is not None, "an explanation has a limit of time"
        return left

    def _why(self, verdict: str, *, stopped: bool = False, **fields: Any) -> why_text.Why:
        stopped = stopped or self.budget.spent
        return why_text.Why(compiled=self.compiled, verdict=verdict, stopped=stopped, **fields)


def explain(compiled: Compiled, choice: str | None = None, options: Options = Options()) -> why_text.Why:  # noqa: B008
    """Why a model has no answer, or why a choice must or cannot be in one. Raises ModelErrors for an unknown choice."""
    return Inquiry(compiled, options, choice).explain()
