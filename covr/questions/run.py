"""A question about a model or a matrix: its searches, and what they have found."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from covr.dsl.diagnostics import Diagnostic, ModelErrors, Span
from covr.dsl.syntax import AnswersBy, Choose, Optimize
from covr.engine import Counters, Limits, Problem, Search, Settings, Status, search
from covr.engine.base.limits import LimitReached, Met, limits_checked_by
from covr.engine.checks import Checks
from covr.engine.dispatch import Plan, StoppedInPreparation, plan_of, plan_of_classes, search_classes
from covr.engine.plan import OUTSIDE, TELLING, holds_sides
from covr.engine.portfolio import CLINGO
from covr.engine.problem import only_totals
from covr.faults import usage_error
from covr.frozen import evolve, frozen
from covr.questions.options import LISTING, NEEDS, Options

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.compiler.evaluate.operators import Notes
    from covr.compiler.lower.lowered import StageValue
    from covr.compiler.lower.symmetry import Symmetry
    from covr.questions.verify import Verification, Verified


class Subject(Protocol):
    """All that a `Run` needs to know about its subject. `Compiled` implements this, and so does `covr.Problem`.
    problem: the matrix that is searched; its costs are to be minimised, whatever the goal is.
    goal: `minimize`, `maximize` or None.
    symmetry: the group under which answers count as one; None if every answer counts by itself."""

    @property
    def problem(self) -> Problem: ...
    @property
    def goal(self) -> str | None: ...
    @property
    def symmetry(self) -> Symmetry | None: ...

    def objective(self, answer: Sequence[int], /) -> int | None:
        """The goal's value for an answer, in option numbers; None without a goal."""

    def stages(self, cost: int, bound: int | None = None, /) -> tuple[StageValue, ...]:
        """The value of each of several goals in order, with what is proved of it; nothing for one goal. cost, bound: as
        the engine counts them."""

    def value_of(self, cost: int, /) -> int:
        """A cost of the engine as a value of the goal; `maximize` has the opposite sign."""


# --- found -----------------------------------------------------------------------------------------------------------


OptionNumbers = tuple[int, ...]


@frozen
class Best:
    """The best answer found.
    value: the goal's value, None without a goal.  bound: a value that no answer can beat, as far as is proved.
    proved: whether `value` is the best.  stages: the value of each of several goals in order, with what is proved of
    it."""

    answer: OptionNumbers
    value: int | None
    bound: int | None
    proved: bool
    stages: tuple[StageValue, ...] = ()


@frozen
class Count:
    """The result of a count. value: how many answers were counted: all of them if `complete`, else a lower bound."""

    value: int
    complete: bool


@frozen
class Progress:
    """How far a run has come.
    fraction: the share of the tree of its current search, from 0 to 1; None if the engine can't tell.
    nodes, answers: of all its searches; of a run that makes puzzles, `answers` are these, and `tried` the attempts.
    best, bound: for a model with a goal, as far as known.  stages: as in `Best`.
    steps: of a path of hints, so far.  doing: what is tried now, in words."""

    fraction: float | None
    nodes: int
    answers: int
    best: int | None
    bound: int | None
    tried: int | None = None
    steps: int | None = None
    stages: tuple[StageValue, ...] = ()
    doing: str = ""


# --- sided -----------------------------------------------------------------------------------------------------------


def refuse_projection(compiled: Compiled, who: str) -> None:
    """Raises ModelErrors (E505) for a model with `answers by`, or a matrix made of one. who: the beginning of a
    sentence."""
    if compiled.problem.projection is not None:
        help = "`covr solve`, `covr count`, `covr sample` and `covr test` count answers by families"
        message = f"{who} can't tell answers apart by some families"
        raise ModelErrors([Diagnostic("E505", message, _place(compiled), help)])


def _place(compiled: Compiled) -> Span | None:
    """Where a model says `answers by`; None for a matrix, which has no statements."""
    by = compiled.model.all(AnswersBy)
    return by[0].span if by else None


def refuse_engine(subject: Subject, engine: str, goal: str) -> None:
    """Raises ModelErrors (E505) if an engine is asked for that can't hold the side conditions of a model or, where goal
    is `all`, tell its answers apart. Problems that the caller brings are left to the engine."""
    from covr.compiler.compiled import Compiled

    if isinstance(subject, Compiled) and engine != "clingo":
        if not holds_sides(engine, goal):
            refuse_sided(subject, f"{'without a goal, ' if engine == 'mixed' else ''}the engine `{engine}`")
        if goal == "all" and engine not in TELLING:
            refuse_projection(subject, f"the engine `{engine}`")


def listing_engine(subject: Subject, engine: str) -> str:
    """The engine that lists or counts answers where this one is asked for: of a model with a goal, engines that can
    only find a best value do just that."""
    only_best = engine in NEEDS or (engine == "mixed" and subject.problem.sides)
    return "auto" if subject.goal is not None and only_best else engine


def refuse_narrowed(compiled: Compiled, goal: str, classes: str, agreeing: str) -> None:
    """Raises ModelErrors (E510) for a model with a goal, `up to` or `answers by`, of whose answers only some count.
    goal, classes, agreeing: why each of them does not fit the question, as the end of a sentence."""
    if compiled.goal is not None:
        word = "prefer" if _only_wishes(compiled) else compiled.goal
        help = f"leave out `{word}`; an `exactly` or `at most` rule can say how good answers are to be"
        raise usage_error("E510", f"the model has `{word}`, and {goal}", help=help)
    if compiled.has_symmetry:
        raise usage_error("E510", f"the model says `up to`, and {classes}", help="leave out `up to`")
    if compiled.problem.projection is not None:
        message = f"the model says `answers by`, and {agreeing}"
        raise ModelErrors([Diagnostic("E510", message, _place(compiled), "leave out `answers by`")])


def _only_wishes(compiled: Compiled) -> bool:
    return bool(compiled.lowered.wishes) and not compiled.model.all(Optimize)


def refuse_some_answers(compiled: Compiled, what: str) -> None:
    """`refuse_narrowed` for a question about all answers. what: the results that are about them, in the plural."""
    about = f"{what} are about all answers, not about"
    refuse_narrowed(
        compiled, f"{about} the best ones", f"{about} one of each class", f"{about} one of those that agree"
    )


def refuse_sided(compiled: Compiled, who: str) -> None:
    """Raises ModelErrors (E505) for a model with side conditions, at the first statement that makes one. who: what
    can't handle them, as the beginning of a sentence. A matrix whose sides come from no statements is left to the
    engine."""
    origins = compiled.lowered.side_origins
    if not compiled.problem.sides or not origins:
        return
    span = origins[0].statement.span
    help = "the engine `sides` searches it: `covr solve`, `covr count`, `covr why`"
    raise ModelErrors([Diagnostic("E505", f"{who} can't hold what this statement says", span, help)])


def refuse_nothing(compiled: Compiled) -> None:
    """Raises ModelErrors E523 for a model that has nothing to choose and nothing that is wanted."""
    if compiled.is_matrix:
        return
    statements = compiled.model.statements
    first = next((st for st in statements if isinstance(st, Choose)), None)
    if first is None:
        help = "say what may be chosen: `choose f(x) for x in SET`"
        if not statements and not compiled.model.definitions:
            help = "`covr new FILE` writes a model to begin with"
        raise ModelErrors([Diagnostic("E523", f"`{compiled.model.source.name}` has nothing to choose", None, help)])
    lowered = compiled.lowered
    if lowered.own or compiled.problem.items or compiled.problem.sides:
        return
    help = "the sets of its indices are empty, or its condition never holds: is a param too small, or data missing?"
    raise ModelErrors(
        [Diagnostic("E523", "there is nothing to choose here, and no rule wants anything", first.span, help)]
    )


# --- run -------------------------------------------------------------------------------------------------------------
# The engine knows only matrices, costs and ceilings. What "every answer" means for a model is decided here:
#
# - with `up to`, only the smallest of the answers that count as one is an answer;
# - with `answers by`, one of the answers that agree is an answer; the engine sees to that (`Problem.projection`);
# - with `minimize` or `maximize`, the answers are the best ones: a first search finds and proves the best value, a
#   second lists the answers that have it.


class Run:
    """One question and the searches that answer it, which share one set of limits.
    Call only one of `first`, `answers` and `count`, once; `interrupt` and `progress` from any thread.
    subject: what the question is about.
    status: `running`; `solved` (enough answers found), `exhausted` (all found), `limit` or `interrupted`.
    best: for a model with a goal, the best answer so far.  file: where the run is kept, if it is (covr/runs).
    verified: with the option `verify`, how the result was verified; None until there is a result."""

    file: str | None = None

    def __init__(self, subject: Subject, options: Options) -> None:
        self.subject = subject
        self.options = options
        self.best: Best | None = None
        self.bound: int | None = None
        self.verified: Verified | None = None
        self._verification: Verification | None = None
        self._searches: list[Search] = []
        self._checks = Checks(subject.problem)  # for answers that are made here from other answers
        self._stop = False
        self._preparing = 0.0  # seconds spent on what the symmetries generate
        self._enough = False  # whether enough answers that represent their classes were found
        self._limits_answers = False  # whether `limit_answers` is what limits their number
        options.settings()  # so that a wrong name is reported before anything is searched
        options.ask(subject.goal is not None)
        refuse_engine(subject, options.engine, "all" if subject.goal is None else "minimum")

    # --- where it stands ---

    @property
    def status(self) -> Status:
        """The status of the question, which is mostly that of its last search."""
        if self._enough:
            return Status.SOLVED
        return self._searches[-1].status if self._searches else Status.RUNNING

    @property
    def complete(self) -> bool:
        return self.status is Status.EXHAUSTED

    @property
    def counters(self) -> Counters:
        """The work of all searches of this question."""
        every = [s.counters for s in self._searches]
        return Counters(
            nodes=sum(c.nodes for c in every),
            updates=sum(c.updates for c in every),
            answers=sum(c.answers for c in every),
        )

    @property
    def seconds(self) -> float:
        """Seconds spent inside the searches, and on what they begin with."""
        return self._preparing + sum(s.seconds for s in self._searches)

    @property
    def session_nodes(self) -> int:
        """The number of nodes that counts against `limit_nodes`."""
        return sum(s.nodes for s in self._searches)  # unlike these, answers of a memo may take a second to add up

    @property
    def reached(self) -> str | None:
        last, options = self._searches[-1] if self._searches else None, self.options
        if last is None or self.status not in (Status.LIMIT, Status.SOLVED):
            return None
        if self.status is Status.SOLVED:
            return "answers" if self._limits_answers else None
        if last.out_of_memory:
            return "memory"
        return "nodes" if options.limit_nodes is not None and self.session_nodes >= options.limit_nodes else "time"

    @property
    def fraction(self) -> float | None:
        last = self._searches[-1] if self._searches else None
        return None if last is None or last.goal == "minimum" else last.fraction

    @property
    def others(self) -> tuple[str, ...]:
        """External solvers that `--engine` could name for the minimum that is searched for, or `clingo` if a first
        answer would use it, were it installed. Empty if one is searching, if none may, or if no such search runs."""
        last = self._searches[-1] if self._searches else None
        if last is None or last.status is not Status.RUNNING or self.file is not None:
            return ()
        if last.goal != "minimum":
            return ("clingo",) if self.lacks_clingo else ()
        if self.options.engine in OUTSIDE or not only_totals(last.problem.sides):
            return ()
        from covr.engine.outside.solvers import countable

        hidden = last.outside if countable(self.subject.problem) else ("highs", *last.outside)
        return tuple(name for name in OUTSIDE if name not in hidden)

    @property
    def lacks_clingo(self) -> bool:
        """Whether the last search was for a first answer or two, and would use clingo if it were installed."""
        if not self._searches or all(row.name != CLINGO for row in self._searches[-1].timetable):
            return False
        from covr.engine.outside import clingo

        return not clingo.INSTALLED

    @property
    def engine(self) -> str:
        """The engine that answers, in words."""
        return self._searches[-1].engine if self._searches else ""

    @property
    def methods(self) -> Sequence[tuple[str, int, int]]:
        """The methods that had turns in the last search: names, work, answers found. Empty if only one searched."""
        return self._searches[-1].account if self._searches else ()

    def progress(self) -> Progress:
        counters = self.counters
        best, bound, last = self.best, self.bound, self._searches[-1] if self._searches else None
        if bound is None and last is not None and last.goal == "minimum" and last.bound is not None:
            bound = self.subject.value_of(last.bound)
        return Progress(
            fraction=self.fraction,
            nodes=counters.nodes,
            answers=counters.answers,
            best=None if best is None else best.value,
            bound=bound,
            stages=self._stages_now(),
        )

    def _stages_now(self) -> tuple[StageValue, ...]:
        """The values of goals in order, with what is proved at this moment."""
        best, last = self.best, self._searches[-1] if self._searches else None
        if best is None or not best.stages or best.proved or last is None or last.goal != "minimum":
            return () if best is None else best.stages
        return self.subject.stages(self._cost(best.answer), last.bound)

    def interrupt(self) -> None:
        self._stop = True
        for one in self._searches:
            one.interrupt()
        if self._verification is not None:
            self._verification.interrupt()

    @property
    def told_to_stop(self) -> bool:
        """Whether it was asked to stop, also when there was nothing left to do."""
        return self._stop

    def spend(self, seconds: float) -> None:
        """Add time that the caller spent on an answer to the time of the search, if the limit is to cover both."""
        if self._searches:
            self._searches[-1].clock.spend(seconds)

    # --- questions ---

    def first(self, improved: Callable[[Best], None] | None = None) -> OptionNumbers | None:
        """The first answer, or the best one if the model has a goal; None if none was found, which `complete` may
        prove.
        improved: called with every better answer as it is found."""
        if not self._ready():
            return None
        if self.subject.goal is not None:
            best = self._optimise(improved)
            self._verify_best()
            return None if best is None else best.answer
        for answer in self._search("all", answers=1):
            self._verify_number(1)
            return self._canonical(answer)
        self._verify_number(0)
        return None

    def answers(
        self, improved: Callable[[Best], None] | None = None, limit: int | None = None
    ) -> Iterator[OptionNumbers]:
        """Every answer, or every best one if the model has a goal, in the order of the search; at most `limit`.
        If a limit leaves the best value unproved, only the best answer found is returned, and `complete` is false."""
        ceiling = None
        if not self._ready():
            return
        if self.subject.goal is not None:
            best = self._optimise(improved)
            self._verify_best()
            if best is None:
                return
            if not best.proved:
                yield best.answer
                return
            ceiling = self._cost(best.answer)
        number = 0
        for answer in self._listed(ceiling, limit):
            number += 1
            yield answer
        self._verify_number(number, ceiling)

    def count(self) -> Count:
        """How many answers there are; they are listed only if they can't be counted otherwise."""
        self.options.ask(self.subject.goal is not None, counting=True)
        if not self._ready():
            return Count(0, False)
        symmetry = self.subject.symmetry
        if symmetry is not None:
            classes = None
            if symmetry.faithful and self.subject.goal is None:
                classes = self._search_classes(symmetry, None, self._at_most())
            if classes is None:
                return Count(sum(1 for _ in self.answers()), self.complete)
            value = classes.count()
            self._verify_number(value, listed=False)
            return Count(value, self.complete)
        return self._counted()

    # --- searching ---

    def _ready(self) -> bool:
        """Work out the group that the symmetries generate, within the limits. False where one of them is reached."""
        limits = self.options.limits(self.seconds)
        met = Met(limits)
        try:
            with limits_checked_by(self._asked_to_stop), limits_checked_by(met):
                _ = self.subject.symmetry
        except LimitReached as stopped:
            ended = StoppedInPreparation(self.subject.problem, "all", limits, self.options.settings(), stopped.status)
            ended.out_of_memory = met.out_of_memory
            self._searches.append(ended)
            return False
        finally:
            self._preparing += met.clock.spent
        return True

    def _listed(self, ceiling: int | None, limit: int | None) -> Iterator[OptionNumbers]:
        """Search for answers, which cost at most `ceiling` if that is given; with a symmetry, one of each class."""
        symmetry = self.subject.symmetry
        if symmetry is None:
            return self._search("all", ceiling, self._at_most(limit))
        return self._canonical_ones(symmetry, ceiling, self._at_most(limit))

    def _counted(self) -> Count:
        """Count the answers, or the best ones if the model has a goal, without listing them."""
        ceiling = None
        if self.subject.goal is not None:
            best = self._optimise(None)
            self._verify_best()
            if best is None or not best.proved:
                return Count(0, best is None and self.complete)
            ceiling = self._cost(best.answer)
        value = self._counting(ceiling).count()
        self._verify_number(value, ceiling, listed=False)
        return Count(value, self.complete)

    def _counting(self, ceiling: int | None) -> Search:
        return self._search("all", ceiling, self._at_most())

    def _search(self, goal: str, ceiling: int | None = None, answers: int | None = None) -> Search:
        """Start a search with what is left of the limits. answers: how many are enough."""
        nodes = self.session_nodes
        limits = evolve(self.options.limits(self.seconds, nodes), answers=answers)
        with limits_checked_by(self._asked_to_stop):  # while the search is prepared, only this can stop it
            settings = self.settings(goal, ceiling)
            refuse_engine(self.subject, settings.engine, goal)
            started = search(self.subject.problem, goal=goal, limits=limits, settings=settings)
        self._searches.append(started)
        if self._stop:
            started.interrupt()
        return started

    def _asked_to_stop(self) -> Status | None:
        return Status.INTERRUPTED if self._stop else None

    def settings(self, goal: str, ceiling: int | None = None) -> Settings:
        """The settings of a search; for a minimum with the symmetries that the model declares."""
        settings = self.options.settings(ceiling)
        if goal != "minimum":
            settings = evolve(settings, engine=listing_engine(self.subject, settings.engine))
        if goal != "minimum" or self.subject.symmetry is None:
            return settings
        return evolve(settings, symmetries=self.subject.symmetry.maps)

    def _at_most(self, limit: int | None = None) -> int | None:
        most = self.options.limit_answers
        self._limits_answers = most is not None and (limit is None or most < limit)
        return most if self._limits_answers else limit

    def _canonical_ones(self, symmetry: Symmetry, ceiling: int | None, limit: int | None) -> Iterator[OptionNumbers]:
        if limit == 0:
            return
        started = self._search_classes(symmetry, ceiling)
        found: Iterator[OptionNumbers] = started or self._search("all", ceiling)
        if started is None or not symmetry.faithful:
            found = filter(symmetry.is_canonical, found)
        for number, answer in enumerate(found, 1):
            self._enough = number == limit
            yield answer
            if self._enough:
                return

    def _search_classes(self, symmetry: Symmetry, ceiling: int | None, answers: int | None = None) -> Search | None:
        """Start a search for one answer of each class; None where all answers must be searched and then filtered."""
        nodes = self.session_nodes
        limits = evolve(self.options.limits(self.seconds, nodes), answers=answers)
        with limits_checked_by(self._asked_to_stop):
            settings = self.settings("all", ceiling)
            started = search_classes(self.subject.problem, symmetry.group(), limits=limits, settings=settings)
        if started is not None:
            self._searches.append(started)
            if self._stop:
                started.interrupt()
        return started

    def _optimise(self, improved: Callable[[Best], None] | None) -> Best | None:
        """Find the best answer. Sets `best` and `bound` as it goes."""
        found = self._search("minimum")
        last: OptionNumbers | None = None
        try:
            for answer in found:
                last = answer
                self.best = self._best(answer, None, False)
                if improved is not None:
                    improved(self.best)
        finally:
            found.halt()
        proved = found.status is Status.EXHAUSTED
        self.bound = None if found.bound is None else self.subject.value_of(found.bound)
        if last is not None:
            answer = self._canonical(last)
            self.best = self._best(answer, found.bound, proved)
        return self.best

    def _best(self, answer: OptionNumbers, bound: int | None, proved: bool) -> Best:
        subject = self.subject
        spent = self._cost(answer)
        known = None if bound is None else subject.value_of(bound)
        stages = subject.stages(spent, spent if proved else bound)
        return Best(answer, subject.objective(answer), known, proved, stages)

    # --- verifying ---

    def _verify_number(self, value: int, ceiling: int | None = None, listed: bool = True) -> None:
        """Verify the number of answers, if all were found; those that were listed have been checked anyway."""
        if not self.options.verify or (self.verified is not None and not self.verified.done):
            return
        from covr.questions.verify import LOOKED_AT, Verified

        first = self._searches[-1]
        if first.status is not Status.EXHAUSTED:
            self.verified = Verified(True, LOOKED_AT) if value and listed else None
            return
        self.verified = self._again().number(first, value, ceiling, self.subject.symmetry)

    def _verify_best(self) -> None:
        first = self._searches[-1]
        if not self.options.verify or first.status is not Status.EXHAUSTED:
            return
        self.verified = self._again().best(first, None if self.best is None else self._cost(self.best.answer))

    def _again(self) -> Verification:
        from covr.questions.verify import Verification

        nodes = self.session_nodes

        def left(seconds: float, more: int) -> Limits:
            return self.options.limits(self.seconds + seconds, nodes + more)

        self._verification = Verification(self.subject.problem, self.options, left)
        if self._stop:
            self._verification.interrupt()
        return self._verification

    def _canonical(self, answer: OptionNumbers) -> OptionNumbers:
        """The member of the answer's class that represents the class. Checked, since no search need have found it."""
        symmetry = self.subject.symmetry
        if symmetry is None:
            return answer
        canonical: OptionNumbers = symmetry.canonical(answer)
        self._checks([canonical])
        return canonical

    def _cost(self, answer: OptionNumbers) -> int:
        costs = self.subject.problem.costs
        return sum(costs[o] for o in answer) if costs else 0


# --- what can be said of a question without answering it: plans and warnings ------------------------------------------
QUESTIONS = ("solve", "all", "count")


def plans(subject: Subject, options: Options, questions: Sequence[str] = ()) -> Iterator[tuple[str, str, Plan]]:
    """For each question its name, what it asks for, and its plan. questions: of `QUESTIONS`; none for all whose plans
    differ. Raises ModelErrors E505 for an engine that can't answer one of them."""
    run = Run(subject, options)
    alike = subject.goal is not None or subject.symmetry is not None or options.engine == LISTING
    for question in questions or (QUESTIONS[:2] if alike else QUESTIONS):
        options.ask(subject.goal is not None, counting=question == "count")
        yield question, *_planned(run, question)


def _planned(run: Run, question: str) -> tuple[str, Plan]:
    subject, limits = run.subject, evolve(run.options.limits(), answers=run.options.limit_answers)
    problem, best = subject.problem, subject.goal is not None
    if question == "solve":
        goal, answers, asked = ("minimum", None, "the best value") if best else ("all", 1, "a first answer")
        return asked, plan_of(problem, goal, evolve(limits, answers=answers), run.settings(goal))
    # Any ceiling will do: the best value is not known yet, and does not matter to the plan.
    settings, known = run.settings("all", 0 if best else None), ", once the best value is known" * best
    if subject.symmetry is not None:
        begun = search_classes(problem, subject.symmetry.group(), limits=limits, settings=settings)
        return "one answer of each class" + known, plan_of_classes(problem, begun, settings)
    counting = question == "count"
    asked = (
        f"how many {'best answers ' * best}there are" if counting else "every best answer" if best else "every answer"
    )
    return asked + known, plan_of(problem, "all", limits, settings, counting)


# --- remarks ---------------------------------------------------------------------------------------------------------


def remarks(compiled: Compiled, noted: Notes | None = None) -> list[Diagnostic]:
    """Every warning about a model, and the faults of what is else evaluated only for an answer.
    noted: what was noted of its comparisons."""
    from covr.compiler.clues import ClueReader, clue_spots
    from covr.compiler.review.review import review

    if compiled.is_matrix:
        return [] if compiled.impossible is None else [compiled.impossible]
    faults: list[Diagnostic] = []
    for part in ("title", "symmetry", "expectations", "drawings"):
        with collecting(faults):
            getattr(compiled, part)
    with collecting(faults):
        compiled.try_drawings()
    with collecting(faults):
        ClueReader(compiled, clue_spots(compiled))
    return sorted(dict.fromkeys(faults), key=Diagnostic.order) or list(review(compiled, noted))


def reasons(compiled: Compiled) -> list[Diagnostic]:
    """What is said beside "no solution" without a search: the item that nothing can satisfy, or else the choices that
    an `if … then` excludes by itself."""
    if compiled.impossible is not None:
        return [compiled.impossible]
    return [d for d in compiled.warnings if d.code == "W210"]


@contextmanager
def collecting(faults: list[Diagnostic]) -> Iterator[None]:
    """Adds the faults that are raised inside to `faults`."""
    try:
        yield
    except ModelErrors as errors:
        faults += errors.diagnostics
