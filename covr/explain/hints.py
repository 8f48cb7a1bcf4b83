"""Hints: the next step that a person would make, or all steps to the end, in the rules' own labels; and a grade.

The engine finds the steps (engine/proofs/way.py). Here their conditions become rules with their labels, and each step
a picture, in which the places of the reason and the conclusions are marked.

A *move* is the part of a step that somebody makes at once: one choice that is taken, or what one reason rules out. A
family that no `show` draws is a *helper*, as long as some other is drawn: a move that says something of helpers alone
is not told, but its rules are, with the first move that rests on them. Of a move that rests on several rules it is told
how it is followed, one rule after the other, where that is possible (engine/proofs/chain.py).

A hint is about all answers. So the same models are refused as for candidates: those with a goal, `up to` or `answers
by`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from attrs import evolve, field

from covr.engine.base.deadline import Deadline
from covr.engine.base.status import Status
from covr.engine.dispatch import search
from covr.engine.proofs.way import Reason, Steps, WayStep
from covr.engine.puzzles.candidates import Candidates, CandidateSearch, Presence
from covr.explain.because import Because, ReasonTeller, parts_of
from covr.explain.hint import Hint
from covr.explain.hint_grade import Grade, grade_of
from covr.explain.hint_text import FEW
from covr.explain.quiet import Quiet
from covr.explain.wording import helpers
from covr.frozen import frozen
from covr.questions.found import Progress
from covr.questions.options import Options
from covr.questions.sided import refuse_some_answers

if TYPE_CHECKING:
    from covr.compiler import Choice, Compiled


@frozen
class HintPath:
    """The steps from what is given to all that follows.

    hints: the steps, in order; the first only, if no more were asked for.
    solvable: whether there is an answer; None if a limit was hit before that was known.
    open: the choices that are in some answers and not in others: with none, there is exactly one answer.
    complete: whether everything that was asked for was found.  whole: whether the path leads to the end.
    """

    compiled: Compiled = field(repr=False, eq=False)
    hints: tuple[Hint, ...]
    solvable: bool | None
    open: tuple[Choice, ...]
    complete: bool
    whole: bool

    def __iter__(self) -> Iterator[Hint]:
        return iter(self.hints)

    def __len__(self) -> int:
        return len(self.hints)

    @property
    def grade(self) -> Grade:
        """The grade of these steps."""
        return grade_of(self.hints)

    def as_text(self) -> str:
        """The steps, with their pictures."""
        return "no solution" if self.solvable is False else "\n\n".join(map(str, self.hints)) or "nothing follows"

    __str__ = as_text


class HintRun:
    """One question about hints. Iterate `hints` to get the steps as they are found, then read `path`; or call `find`.

    A limit or Ctrl-C ends the steps early. interrupted: whether it was Ctrl-C."""

    def __init__(self, compiled: Compiled, options: Options = Options()) -> None:  # noqa: B008
        """Raises ModelErrors E510 for a model with a goal, `up to` or `answers by`, and E505 for an engine that can't
        answer this."""
        refuse_some_answers(compiled, "hints")
        options.ask(False, counting=True)
        self.compiled, self.options = compiled, options
        self.clock = Deadline(options.limits().seconds)
        self.search = CandidateSearch(compiled.problem, limits=options.limits(), settings=options.settings())
        self.steps: Steps | None = None
        self._found: Candidates | None = None
        self._hints: list[Hint] = []
        self._teller = ReasonTeller(compiled)
        self._quiet = Quiet(compiled.problem)
        self._helpers = helpers(compiled)
        self.interrupted = False

    def interrupt(self) -> None:
        """Ask to stop; may be called from any thread."""
        self.interrupted = True
        self.search.interrupt()

    @property
    def others(self) -> tuple[str, ...]:
        """External solvers to suggest to the user; there are none for this question."""
        return ()

    def progress(self) -> Progress:
        """The share of what follows that is known, and the steps so far; may be called from any thread."""
        steps, nodes = self.steps, self.search.nodes
        if steps is None:
            return Progress(0.0, nodes, 0, None, None, steps=0)
        known = len(steps.taken) + len(steps.out)
        return Progress(
            min(known / max(len(steps.targets), 1), 1.0), nodes + steps.work, 0, None, None, steps=len(self._hints)
        )

    @property
    def status(self) -> Status:
        """`running`, `exhausted` (the path is whole), `limit` or `interrupted`."""
        if self.interrupted:
            return Status.INTERRUPTED
        return Status.EXHAUSTED if self.path(False).whole else Status.LIMIT

    def find(self, whole: bool = True) -> HintPath:
        """The path; or, if not `whole`, its first step."""
        for _ in self.hints():
            if not whole:
                break
        return self.path(whole)

    def hints(self) -> Iterator[Hint]:
        """The steps, as they are found."""
        with self.clock:
            self._found = found = self.search.run()
        answer = self._answer() if found.solvable else None
        if answer is None:
            return
        forced, excluded = ({o for o, v in enumerate(found.verdicts) if v is w} for w in (Presence.ALL, Presence.NONE))
        self.steps = Steps(self.compiled.problem, answer, forced, excluded, stopped=self._stopped)
        steps = iter(self.steps)
        while True:
            with self.clock:
                step = next(steps, None)
            if step is None:
                return
            self._hints.append(self._hint(step))
            yield self._hints[-1]

    def moves(self) -> Iterator[Hint]:
        """The moves of each step, one after the other, without those that say something of helpers alone."""
        number = 0
        for hint in self.hints():
            told = [because for reason in hint.step.reasons for because in self._moves_of(reason, hint.step)]
            for n, one in enumerate(told):
                number += 1
                yield evolve(hint, number=number, reasons=(one,), struck=(), more=len(told) - n - 1)

    def _moves_of(self, reason: Reason, step: WayStep) -> Iterator[Because]:
        """The parts of a reason that are told."""
        quiet = self._quiet
        facts = quiet.within(reason.conditions)
        for part in parts_of(reason):
            chain = self._teller.chain(part, step, facts, quiet.values)
            because = self._teller.because(part, step)
            used = frozenset(facts) if chain is None else chain.facts
            used |= quiet.within(because.full_items).keys()
            if self._helpers.issuperset((*part.taken, *part.out)):
                quiet.learn(part, (*because.full, *because.rules), used, step.before_taken | step.before_out)
                continue
            untold = quiet.moves_to(used)
            rules = tuple(dict.fromkeys((*because.rules, *(rule for move in untold for rule in move.rules))))
            followed = chain is not None and (len(rules) > FEW or self._teller.is_winding(reason))
            ahead = self._teller.ahead(chain, untold) if chain is not None and followed else None
            yield evolve(because, before=rules[len(because.rules) :], ahead=ahead)
            quiet.tell(untold)

    def path(self, whole: bool = True) -> HintPath:
        """What was found so far. whole: whether the whole path was asked for."""
        found = self._found
        assert found is not None, "the steps are looked for first"
        ended = found.solvable is False or (found.complete and self.steps is not None and self.steps.finished)
        some = tuple(
            self.compiled.choice(o) for o, v in enumerate(found.verdicts) if v in (Presence.SOME, Presence.OPEN)
        )
        return HintPath(
            compiled=self.compiled,
            hints=tuple(self._hints),
            solvable=found.solvable,
            open=some,
            complete=ended or (not whole and bool(self._hints)),
            whole=ended,
        )

    def _stopped(self) -> bool:
        return self.interrupted or self.clock.over

    def _answer(self) -> tuple[int, ...] | None:
        limits = evolve(self.options.limits(), answers=None, seconds=self.clock.left)
        with self.clock:
            return next(search(self.compiled.problem, limits=limits, settings=self.options.settings()), None)

    def _hint(self, step: WayStep) -> Hint:
        reasons = tuple(self._teller.because(reason, step) for reason in step.reasons)
        self._teller.tell(step)
        return Hint(
            compiled=self.compiled,
            step=step,
            number=len(self._hints) + 1,
            size=step.size,
            proved=step.proved,
            reasons=reasons,
            struck=tuple(map(self.compiled.choice, step.struck)),
        )
