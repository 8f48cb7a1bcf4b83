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

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any

import attrs
from attrs import field

from covr.compiler.clues import clue_statements_of
from covr.compiler.evaluate.names import free_names
from covr.compiler.evaluate.values import show_value
from covr.compiler.lower.lowered import AgreeItems
from covr.compiler.lower.rules import RuleItems
from covr.dsl.source import Span
from covr.engine.base.heed import Stopped, heeding
from covr.engine.proofs.certificate import Balance, Counting, balance, counting
from covr.engine.proofs.conflict import ORDERS, SECOND, Conflict, ConflictBudget, ConflictVerdict, Relaxing, Unit
from covr.explain.find_choice import Asked, find_choice
from covr.explain.item_names import key_words
from covr.explain.member import Member
from covr.explain.wording import at, labelled_spans, said
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
MOST_SHORT = 3  # a reason of so many lines is short enough
MOST_TRIED = 300  # how many givens are left out one by one, at most

IMPOSSIBLE, COUNTED, CONFLICT = "impossible", "counted", "conflict"  # why there is no answer
ANSWERED, UNIQUE, SEVERAL = "answered", "unique", "several"  # nothing is wrong, or the rules allow too much
FORCED, EXCLUDED, FREE, REMOVED = "forced", "excluded", "free", "removed"  # of a choice
UNKNOWN = "unknown"


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
    cures: givens (or rules that tell a clue, or whole rules, if there is no such given) of which each one, if it alone
    is left out, leaves an answer.
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

    @property
    def told(self) -> tuple[Member, ...]:
        """The members that are put in words: without rules that have no label where others have one, and one for all
        that say the same."""
        return said(self.compiled, self.members)

    def __str__(self) -> str:
        from covr.explain.why_text import as_text

        return as_text(self)


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
        conflict = self._conflict(relaxing, verdict, choice=asked.name, given=given)
        members = self._members(conflict)
        return self._why(verdict, choice=asked.name, given=given, members=members, minimal=conflict.minimal)

    # --- conflicts ---

    def _conflict(self, relaxing: Relaxing, verdict: str, **fields: Any) -> Conflict:
        """The shortest of several minimal sets, in words and then in all.

        The rules that are said are shrunk first, all of the others beside them, and then these: so as few as possible
        are said. Where all are said, the smaller of two sets is taken: one among all constraints, one among those of a
        minimal set of rules.
        """
        hearing = Hearing(self, verdict, fields)
        said, quiet = self._said(relaxing.everything)
        best: Conflict | None = None
        for one in self._said_conflicts(relaxing, hearing, said, quiet) if quiet else self._sets(relaxing, hearing):
            if best is None or self._rank(one) < self._rank(best):
                best = one
                hearing.end(one)
            if self.budget.spent or self._rank(best)[1] <= MOST_SHORT:
                break
        assert best is not None
        return best

    def _sets(self, relaxing: Relaxing, hearing: Hearing) -> Iterator[Conflict]:
        """Minimal sets where every rule is said."""
        hearing.listen(relaxing, ())
        single = relaxing.shrink([(c,) for c in relaxing.everything])
        yield single
        rules = relaxing.shrink(self._statements(relaxing.everything), orders=1)
        yield relaxing.shrink([(c,) for c in rules.constraints])

    def _said_conflicts(
        self, relaxing: Relaxing, hearing: Hearing, said: list[Unit], quiet: Unit
    ) -> Iterator[Conflict]:
        """Minimal sets in which few rules are said. said: the constraints of those, by what is said.  quiet: the
        others."""
        for order in range(ORDERS):
            hearing.listen(relaxing, quiet)
            few = relaxing.shrink(said, orders=1, beside=quiet, first=order)
            hearing.listen(relaxing, ())
            yield relaxing.shrink([(c,) for c in (*few.constraints, *quiet)], orders=1, first=order)

    def _said(self, constraints: Iterable[int]) -> tuple[list[Unit], Unit]:
        """The constraints that are said if a reason rests on them, those with the same name together; and the rules
        without a label, if there are others."""
        spans = labelled_spans(self.compiled)
        units: dict[tuple[str, str], list[int]] = {}
        quiet = []
        for c in constraints:
            member = self.member(c)
            if member.kind == "given" or at(member.span) in spans:
                units.setdefault((member.kind, member.name), []).append(c)
            else:
                quiet.append(c)
        if all(kind == "given" for kind, _ in units):
            return [], ()
        return [tuple(unit) for unit in units.values()], tuple(quiet)

    def _rank(self, conflict: Conflict) -> tuple[bool, int, int]:
        """Sets are preferred if they are minimal, then if they take few lines, then if they are small."""
        words = len(said(self.compiled, tuple(map(self.member, conflict.constraints))))
        return not conflict.minimal, words, len(conflict.units)

    def hear(self, verdict: str, constraints: Sequence[int], minimal: bool, fields: dict[str, Any]) -> None:
        """Tell of a reason while shorter ones are looked for."""
        if self.found is not None:
            self.found(self._why(verdict, members=tuple(map(self.member, constraints)), minimal=minimal, **fields))

    def _cures(self, relaxing: Relaxing, conflict: Conflict) -> tuple[Member, ...]:
        """The givens or, if there are none, the clues or whole rules of which each one, if it alone is left out,
        leaves an answer.

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
        one_by_one = [unit for unit in self._clues(members) if leaves(unit)]
        if one_by_one:
            return tuple(self.member(unit[0]) for unit in one_by_one)
        statements = [u for u in self._statements(relaxing.everything) if not self._is_given(u[0])]
        if len(statements) < 2:
            return ()
        touched = [u for u in statements if not set(u).isdisjoint(members)]
        return tuple(self._statement(u[0]) for u in touched if leaves(u))

    def _clues(self, constraints: Iterable[int]) -> list[Unit]:
        """The rules that hold a clue each, with those of the same name together."""
        rules: dict[str, list[int]] = {}
        for c in constraints:
            if not self._is_matrix and not self._is_given(c) and self._is_of_clue(c):
                rules.setdefault(self.member(c).name, []).append(c)
        return [tuple(unit) for unit in list(rules.values())[:MOST_TRIED]]

    def _is_of_clue(self, constraint: int) -> bool:
        """Whether a rule's label tells the clue in a param of which a `clue` statement speaks."""
        label = getattr(self._origin(constraint).statement, "label", None)
        parts = () if label is None else (part for part in label.parts if not isinstance(part, str))
        return any(not self._told_params.isdisjoint(free_names(part)) for part in parts)

    @cached_property
    def _told_params(self) -> frozenset[str]:
        """The params of which `clue` statements say what stands there."""
        return frozenset(statement.param.id for statement in clue_statements_of(self.compiled))

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
        if self._is_given(constraint):
            return Member("given", *self._givens[constraint - self.problem.items])
        side = constraint - self._first_side
        name = self.problem.item_names[constraint] if side < 0 else str(self.problem.sides[side].name)
        span = self._span(constraint)
        if self._is_matrix:
            return Member("rule", name, span)
        origin = self._origin(constraint)
        key = key_words(origin) if side < 0 else ""
        if key:
            return Member("rule", f"{name} ({key})", span, name, key)
        if isinstance(origin.source, AgreeItems):
            key = show_value(origin.source.keys[origin.at])
            return Member("rule", name, span, name.removesuffix(f" on {key}"), key)
        return Member("rule", name, span)

    def _statement(self, constraint: int) -> Member:
        span = self._span(constraint)
        if self._is_matrix:
            return attrs.evolve(self.member(constraint), span=span)
        return Member("statement", span.one_line, span)

    def _members(self, conflict: Conflict) -> tuple[Member, ...]:
        return tuple(map(self.member, conflict.constraints))

    def _seconds_left(self) -> float:
        left = self.budget.clock.left
        assert left is not None, "an explanation has a limit of time"
        return left

    def _why(self, verdict: str, *, stopped: bool = False, **fields: Any) -> Why:
        stopped = stopped or self.budget.spent
        return Why(compiled=self.compiled, verdict=verdict, stopped=stopped, **fields)


class Hearing:
    """What is told of a reason while it is looked for: nothing before a second's work is done."""

    def __init__(self, inquiry: Inquiry, verdict: str, fields: dict[str, Any]) -> None:
        self._inquiry, self._verdict, self._fields = inquiry, verdict, fields
        self._told = False

    def listen(self, relaxing: Relaxing, beside: Unit) -> None:
        """Hear of the sets to which constraints are shrunk, to each of which others belong."""

        def heard(units: Sequence[Unit]) -> None:
            if not self._told and self._inquiry.budget.work >= SECOND:
                self._tell(sorted({c for unit in (*units, beside) for c in unit}), False)

        relaxing.heard = heard

    def end(self, conflict: Conflict) -> None:
        """A set is found that is the shortest so far, and there may be others."""
        if self._inquiry.budget.work >= SECOND:
            self._tell(conflict.constraints, conflict.minimal)

    def _tell(self, constraints: Sequence[int], minimal: bool) -> None:
        self._told = True
        self._inquiry.hear(self._verdict, constraints, minimal, self._fields)


def explain(compiled: Compiled, choice: str | None = None, options: Options = Options()) -> Why:  # noqa: B008
    """Why a model has no answer, or why a choice must or cannot be in one. Raises ModelErrors if there is no such
    choice."""
    return Inquiry(compiled, options, choice).explain()
