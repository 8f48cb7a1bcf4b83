"""Which options are in every answer, in some answers, or in none; and in how many.

There are two questions about each option: is there an answer with it, and is there one without it? Hardly any of them
needs a search of its own. Every answer found shows that each of its options is possible, and that each other option is
not in every answer. So the options are asked about in shuffled order, and those that an earlier answer has settled are
skipped: an empty sudoku of 729 options takes about a hundred searches.

Where there are few answers, listing them all settles everything at once: for a puzzle with one answer, after a few
nodes; for pentominoes, in less time than a tenth of the questions would take. Which way is shorter is not known
beforehand, so both take turns of equal length, in nodes, that grow by the factor `LARGER`. Each time listing starts
anew, whereas questions go on with the options that are still open. Together they take at most about three times as long
as the shorter way would take alone.

An option that holds an item with bounds 1, 1 is in every answer exactly if no other holder of the item is possible,
which is known by then. Only for options without such an item is the problem searched once without the option, to see
whether an answer remains.

Where places or lines are to hang together, asking takes long, since each search learns nothing from the others. There
clingo answers what is still open after short turns (outside/clingo_answers.py), if it is installed: each answer has an
option that none had before, until there is none such; then each lacks an option that all had.

With a cap, an option is settled once that many different answers that hold it were seen, or once it is known that there
are fewer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from random import Random
from threading import Event
from typing import TYPE_CHECKING

from attrs import evolve

from covr.engine.base.alone import Unsuited, begin_timer
from covr.engine.base.limits import (
    BRIEF,
    QUICK,
    Counters,
    Deadline,
    LimitReached,
    Limits,
    Met,
    Status,
    limits_checked_by,
    whole,
)
from covr.engine.batch import UNKNOWN, BatchTemplate
from covr.engine.diagrams.diagram import DiagramBuilder, TooLarge, room
from covr.engine.dispatch import search
from covr.engine.problem import Problem, Total, only_totals, refuse_projection
from covr.engine.search import DEFAULTS, NO_LIMITS
from covr.engine.settings import Settings
from covr.frozen import frozen

if TYPE_CHECKING:
    from covr.engine.outside.clingo_answers import ClingoAnswers

LARGER = 8  # how many times as long the next turn is, and how many times as many answers it may list
FIRST_LISTED = 32  # answers listed in the first turn, at most
MOST_LISTED = 1_000_000  # answers listed in any turn, at most
MOST_KEPT = 100_000  # answers kept to recognise repeats, at most; an answer that can't be kept is not counted at all
MOST_AT_ONCE = 64  # questions put to the kernel in one call, at most


class Presence(Enum):
    """In how many answers an option is."""

    ALL = "all"
    SOME = "some"
    NONE = "none"
    OPEN = "open"  # a limit was met before it was known


@frozen
class Candidates:
    """What is known about the options of a problem.

    verdicts: per option. Where a limit was met, an option is `SOME` if it is known to be possible but not whether it is
    in every answer; `complete` is False then.
    counts: per option, how many answers hold it, at most `cap`; -1 where that is not known. None without a cap.
    total: how many answers there are, or None if that is not known exactly. If it is, every count is exact, whatever
    the cap.
    cap: the number at which counting stopped; None where it did not.
    complete: whether everything that was asked for is known.  solvable: whether there is an answer; None if unknown.
    """

    verdicts: tuple[Presence, ...]
    counts: tuple[int, ...] | None
    total: int | None
    cap: int | None
    complete: bool
    solvable: bool | None


class CandidateSearch:
    """A search for candidates that can be stopped, and followed while it runs.

    questions: how many questions were put to an engine.  nodes: the nodes of all searches so far.
    """

    def __init__(
        self, problem: Problem, *, cap: int | None = None, limits: Limits = NO_LIMITS, settings: Settings = DEFAULTS
    ) -> None:
        """problem: validated; its costs do not matter.  cap: count the answers that hold each option, up to this
        number; None: do not count.  limits: for all questions together; a limit on answers is ignored.

        Raises ValueError for a cap that is not a whole number of at least 1, and Unsuited if only some options tell
        answers apart."""
        refuse_projection(problem, "a search for candidates")
        self.problem = evolve(problem, costs=())
        self.cap = None if cap is None else whole(cap, "cap", 1)
        self.limits, self.settings = limits, settings
        self.status = Status.RUNNING
        self.questions = self.nodes = 0
        self.clock = Deadline(limits.seconds)
        self._met = Met(limits, self.clock)
        self._stop = Event()
        self._enough = self.cap or 1  # answers after which an option is settled
        self._tally = [0] * problem.options  # per option, how many of the answers seen hold it
        self._settled = [False] * problem.options
        self._seen: set[tuple[int, ...]] = set()
        self._common: set[int] | None = None  # options that all answers seen hold; None before the first answer
        self._total: int | None = None
        self._template: BatchTemplate | None = None  # the solver of all questions; None before the first
        self._builder: DiagramBuilder | None = None  # of a diagram, from the second turn on
        self._diagrams = (
            self.cap is not None and settings.engine == "auto" and limits.nodes is None and self.problem.is_pure
        )
        self._learns = (
            self.cap is None and settings.engine == "auto" and limits.nodes is None and not settings.interpreted
            and not only_totals(self.problem.sides)
        )  # fmt: skip
        self._forces = False  # whether every option of `_common` is known to be in all answers

    def interrupt(self) -> None:
        self.status = Status.INTERRUPTED
        self._stop.set()

    @property
    def settled(self) -> int:
        """For how many options it is known how many answers hold them, up to the cap."""
        return sum(self._settled)

    @property
    def counters(self) -> Counters:
        """The work so far; the answers are those seen so far, each once."""
        return Counters(nodes=self.nodes, answers=len(self._seen))

    def run(self) -> Candidates:
        """Do the whole search. If a limit or an interrupt ends it, what is known by then is returned."""
        timer = None
        if self.limits.seconds is not None:
            timer = begin_timer(self.limits.seconds, self._stop.set)
        try:
            with self.clock:
                return self._run()
        finally:
            if timer is not None:
                timer.cancel()

    def _run(self) -> Candidates:
        self._take_turns()
        known = self._total is not None or self._forces
        forced, unknown = (self._common or set(), set()) if known else self._forced()
        complete = self._total is not None or (not unknown and all(self._settled) and self._common is not None)
        if self.status is Status.RUNNING:
            self.status = Status.EXHAUSTED if complete else Status.LIMIT
        return Candidates(
            verdicts=tuple(self._verdict(o, o in forced) for o in range(self.problem.options)),
            counts=tuple(map(self._count, range(self.problem.options))) if self.cap else None,
            total=self._total,
            cap=None if self._total is not None else self.cap,
            complete=complete,
            solvable=True if self._common is not None else False if self._total == 0 else None,
        )

    def _verdict(self, o: int, forced: bool) -> Presence:
        if self._tally[o]:
            return Presence.ALL if forced else Presence.SOME
        return Presence.NONE if self._settled[o] else Presence.OPEN

    def _count(self, o: int) -> int:
        """How many answers hold an option; -1 if that is not known."""
        if not self._settled[o]:
            return -1
        return self._tally[o] if self._total is not None else min(self._tally[o], self._enough)

    # --- limits ---

    def _over(self) -> bool:
        """Whether nothing more may be asked."""
        return self._stop.is_set() or self._left() == 0 or self._met() is not None

    def _left(self) -> int | None:
        """How many nodes may still be spent; None for no limit."""
        return None if self.limits.nodes is None else max(self.limits.nodes - self.nodes, 0)

    def _at_most(self, nodes: int) -> int:
        left = self._left()
        return nodes if left is None else min(nodes, left)

    # --- two ways that take turns ---

    def _take_turns(self) -> None:
        order = list(range(self.problem.options))
        Random(self.settings.seed or 0).shuffle(order)
        turn, listed = QUICK, FIRST_LISTED
        if self._learns:
            from covr.engine.outside import clingo

            if clingo.INSTALLED:
                turn = BRIEF
        while not self._over():
            if self._list(turn, listed):
                return
            order = self._ask(order, turn)
            if not order and self._common is not None:
                return
            if turn == BRIEF and self._all_learned():
                return
            if self._diagrams and self._count_all(turn // QUICK):
                return
            turn, listed = turn * LARGER, min(listed * LARGER, MOST_LISTED)

    def _list(self, nodes: int, most: int) -> bool:
        """List answers from the beginning. Returns whether all were listed; if so, every option is settled."""
        limits = Limits(answers=most, nodes=self._at_most(nodes), seconds=self.clock.left, memory=self.limits.memory)
        tally = [0] * self.problem.options
        common: set[int] | None = None
        total = 0
        run = search(self.problem, limits=limits, settings=self.settings)
        for answer in run:
            total += 1
            for o in answer:
                tally[o] += 1
            common = set(answer) if common is None else common.intersection(answer) if common else common
            self._learn(answer)
            if self._stop.is_set():
                run.interrupt()
        self.nodes += run.counters.nodes
        if run.status is not Status.EXHAUSTED:
            return False
        self._tally, self._common, self._total = tally, common, total
        self._settled = [True] * self.problem.options
        return True

    def _count_all(self, slices: int) -> bool:
        """Go on building the diagram of all answers. Returns whether it is ready; if so, every option is settled, and
        its count is exact. If it does not fit in memory, it is not tried again."""
        try:
            with limits_checked_by(lambda: Status.LIMIT if self._over() else None):
                if self._builder is None:
                    self._builder = DiagramBuilder(self.problem, room(self.settings))
                before = self._builder.nodes
                diagram = self._builder.step(slices)
                self.nodes += max(self._builder.nodes - before, 0)
                if diagram is None:
                    return False
                tally, total = diagram.per_option(), diagram.count
        except LimitReached:
            return False
        except TooLarge:
            self._diagrams, self._builder = False, None
            return False
        self._tally, self._total = tally, total
        self._common = {o for o, times in enumerate(tally) if times == total} if total else None
        self._settled = [True] * self.problem.options
        return True

    def _all_learned(self) -> bool:
        """Ask clingo about all options that are still open. Returns whether every option is settled."""
        from covr.engine.outside.clingo_answers import ClingoAnswers

        try:
            with limits_checked_by(lambda: Status.LIMIT if self._over() else None):
                solver = ClingoAnswers(self.problem, self._over)
        except (LimitReached, Unsuited):
            return False
        try:
            return self._learn_from(solver)
        finally:
            self.nodes += solver.nodes

    def _learn_from(self, solver: ClingoAnswers) -> bool:
        """As `_all_learned`."""
        if self._common is None:
            answer = self._asked(solver.any)
            if answer is None:
                self._total = None if self._over() else 0
                self._settled = [self._total == 0] * self.problem.options
                return self._total == 0
        while open_ := [o for o, settled in enumerate(self._settled) if not settled]:
            answer = self._asked(lambda: solver.with_one_of(open_))
            if answer is None:
                if self._over():
                    return False
                for o in open_:
                    self._settled[o] = True
        given = self.problem.given
        while shared := sorted((self._common or set()).difference(given)):
            if self._asked(lambda: solver.without_one_of(shared)) is None:
                if self._over():
                    return False
                break
        self._forces = True
        return True

    def _asked(self, question: Callable[[], tuple[int, ...] | None]) -> tuple[int, ...] | None:
        self.questions += 1
        answer = None if self._over() else question()
        if answer is not None:
            self._learn(answer)
            for o in answer:  # also of an answer that can't be kept
                self._tally[o], self._settled[o] = max(self._tally[o], 1), True
        return answer

    def _ask(self, order: list[int], turn: int) -> list[int]:
        """Ask about these options until the nodes of the turn are spent. Returns the options that are still open."""
        spent, at, at_once = self.nodes + turn, 0, 1
        open_: list[int] = []
        while at < len(order) and self.nodes < spent and not self._over():
            asked: list[int] = []
            while at < len(order) and len(asked) < at_once:
                if not self._settled[order[at]]:
                    asked.append(order[at])
                at += 1
            found = self._answers(asked, turn)
            fruitful = False
            for o, answers in zip(asked, found, strict=True):
                if answers is None:
                    open_.append(o)
                    continue
                fruitful = fruitful or bool(answers)
                for answer in answers:
                    self._learn(answer)
                self._settled[o] = True
                if len(answers) < self._enough:
                    self._tally[o] = len(answers)
            # An answer may settle options that would be asked about in the same call; without answers, asking about
            # many at once wastes nothing.
            at_once = 1 if fruitful else min(2 * at_once, MOST_AT_ONCE)
        return [o for o in open_ + order[at:] if not self._settled[o]]

    def _learn(self, answer: tuple[int, ...]) -> None:
        """Note what an answer shows."""
        if self._common is None:
            self._common = set(answer)
        elif self._common:
            self._common.intersection_update(answer)
        if answer in self._seen or len(self._seen) >= MOST_KEPT:
            return
        self._seen.add(answer)
        for o in answer:
            self._tally[o] += 1
            if self._tally[o] >= self._enough:
                self._settled[o] = True

    # --- questions ---

    def _answers(self, asked: Sequence[int], nodes: int) -> list[list[tuple[int, ...]] | None]:
        """For each option, as many answers that hold it as are enough, or all there are; None where the nodes that a
        question may take, or a limit, did not suffice."""
        self.questions += len(asked)
        if self.settings.engine not in ("auto", "bits") or self.limits.nodes is not None:
            return [self._searched(self._given(o), nodes) for o in asked]
        template = self._template
        if template is None:
            template = self._template = BatchTemplate(self.problem, limit=self._enough)
        if not template.native:
            return [self._searched(self._given(o), nodes) for o in asked]
        result = template.solve([(o,) for o in asked], self._stop, nodes)
        self.nodes += result.nodes
        found: list[list[tuple[int, ...]] | None] = [
            None if count == UNKNOWN else answers for count, answers in zip(result.counts, result, strict=True)
        ]
        return found + [None] * (len(asked) - len(found))

    def _given(self, option: int) -> Problem:
        return evolve(self.problem, given=tuple(sorted({*self.problem.given, option})))

    def _searched(self, problem: Problem, nodes: int) -> list[tuple[int, ...]] | None:
        """Answers of one problem by a search of its own: as many as are enough, or all; None as in `_answers`."""
        if self._over():
            return None
        limits = Limits(
            answers=self._enough, nodes=self._at_most(nodes), seconds=self.clock.left, memory=self.limits.memory
        )
        # Each question is searched in another order, so that the answers differ and settle more.
        settings = evolve(self.settings, seed=(self.settings.seed or 0) + self.questions)
        run = search(problem, limits=limits, settings=settings)
        found = []
        for answer in run:
            found.append(answer)
            if self._stop.is_set():
                run.interrupt()
        self.nodes += run.counters.nodes + (BRIEF if self.limits.nodes is None else 0)
        return found if run.status in (Status.EXHAUSTED, Status.SOLVED) else None

    # --- is it necessary? ---

    def _forced(self) -> tuple[set[int], set[int]]:
        """The options that every answer is known to hold, and those for which that is still unknown."""
        given = set(self.problem.given)
        forced: set[int] = set()
        unknown: set[int] = set()
        for o in sorted(self._common or ()):
            if o not in (self._common or ()):
                continue  # an answer without it was found in the meantime
            needed = True if o in given or self._alone(o) else self._needed(o)
            if needed:
                forced.add(o)
            elif needed is None:
                unknown.add(o)
        return forced, unknown

    def _alone(self, o: int) -> bool:
        """Whether o holds an item that needs exactly one option and has no other possible holder."""
        low, high = self.problem.low, self.problem.high
        return any(
            all(self._settled[other] and not self._tally[other] for other in self.problem.holders[i] if other != o)
            for i in self.problem.option(o)
            if low[i] == high[i] == 1
        )

    def _needed(self, o: int) -> bool | None:
        """Whether there is no answer without o; None where a limit was met before that was known."""
        left, numbers = without(self.problem, o)
        nodes = QUICK
        while not self._over():
            self.questions += 1
            found = self._searched(left, nodes)
            if found is not None:
                for answer in found:
                    self._learn(tuple(numbers[p] for p in answer))
                return not found
            nodes *= LARGER
        return None


def without(problem: Problem, option: int) -> tuple[Problem, list[int]]:
    """The problem without one of its options, which must not be given; and for each option that stays, its number in
    the old problem.

    If the problem has side conditions, the option stays, and a further side condition forbids it."""
    if not problem.is_pure:
        forbidden = Total(((option, 1),), ((0, 0),), "")
        return evolve(problem, costs=(), sides=(*problem.sides, forbidden)), list(range(problem.options))
    numbers = [o for o in range(problem.options) if o != option]
    begin, end = problem.starts[option], problem.starts[option + 1]
    width = end - begin
    starts = [*problem.starts[: option + 1], *(at - width for at in problem.starts[option + 2 :])]
    at = dict(zip(numbers, range(len(numbers)), strict=True)) if problem.given else {}
    left = Problem(
        low=problem.low,
        high=problem.high,
        primary=problem.primary,
        starts=starts,
        members=[*problem.members[:begin], *problem.members[end:]],
        colours=[*problem.colours[:begin], *problem.colours[end:]] if problem.colours else (),
        given=tuple(at[o] for o in problem.given),
    )
    return left, numbers
