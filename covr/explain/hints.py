"""Hints: the next step that a person would make, or all steps to the end, in the rules' own labels; and a grade.

The engine finds the steps (engine/proofs/way.py). Here their conditions become rules with their labels, and each step
a picture, in which the places of the reason and the conclusions are marked.

A *move* is the part of a step that somebody makes at once: one choice that is taken, or what one reason rules out. A
family that no `show` draws is a *helper*, as long as some other is drawn: a move that says something of helpers alone
is not told, but its rules are, with the first move that rests on them.

A hint is about all answers. So the same models are refused as for candidates: those with a goal, `up to` or `answers
by`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cached_property
from typing import TYPE_CHECKING

from attrs import evolve, field

from covr.compiler.display.alike import alike
from covr.compiler.display.picture import LINES, Mark, Picture
from covr.dsl.source import Span
from covr.engine.base.deadline import Deadline
from covr.engine.base.status import Status
from covr.engine.dispatch import search
from covr.engine.proofs.ground import Ground, strikers
from covr.engine.proofs.shapes import CLOSED_OFF, CUT_OFF, DEAD_END, ELSEWHERE, FORK, TOO_EARLY, UNSAID
from covr.engine.proofs.way import Reason, Steps, WayStep
from covr.engine.puzzles.candidates import Candidates, CandidateSearch, Presence
from covr.engine.puzzles.hint_grade import figure_of
from covr.engine.sides import Total
from covr.explain.item_names import item_name
from covr.explain.why import Member
from covr.explain.wording import helpers, said_names
from covr.frozen import frozen
from covr.questions.found import Progress
from covr.questions.options import Options
from covr.questions.sided import refuse_some_answers

if TYPE_CHECKING:
    from covr.compiler import Choice, Compiled


# What would go wrong otherwise, where the reason is a connection or a loop alone.
OTHERWISE = {
    CLOSED_OFF: "otherwise this part would be closed off",
    CUT_OFF: "it would be cut off from the rest",
    DEAD_END: "otherwise a line would end there",
    TOO_EARLY: "otherwise the loop would close while more lies outside of it",
    FORK: "otherwise lines would meet where the loop already passes",
    ELSEWHERE: "the loop can't come there and back",
    UNSAID: "",
}


@frozen
class Because:
    """A reason, and what follows from it.

    rules: none of which can be left out.  known: taken choices that the argument rests on.
    taken, out: the choices that are in every answer, and in none.  otherwise: what would go wrong if a conclusion did
    not hold, where that can be said in a few words.  before: the rules of moves about helpers that it rests on."""

    rules: tuple[Member, ...]
    known: tuple[Choice, ...]
    taken: tuple[Choice, ...]
    out: tuple[Choice, ...]
    otherwise: str = ""
    before: tuple[Member, ...] = ()

    def __str__(self) -> str:
        said = [f"take {', '.join(map(str, self.taken))}"] if self.taken else []
        said += [f"rule out {', '.join(map(str, self.out))}"] if self.out else []
        return f"{'; '.join(said)}: {', '.join(rule.name for rule in self.rules)}"


@frozen
class Hint:
    """A step towards the answer.

    number: from 1.  size: how many rules each reason has.  reasons: one, or several if the size is 1.
    proved: whether it is proved that nothing new follows from fewer rules.
    struck: choices that are ruled out for free after the step, because no room is left for them.
    more: of a move, how many others follow from as few rules each; None for a whole step.
    """

    compiled: Compiled = field(repr=False, eq=False)
    step: WayStep = field(repr=False)
    number: int
    size: int
    proved: bool
    reasons: tuple[Because, ...]
    struck: tuple[Choice, ...]
    more: int | None = None

    @property
    def taken(self) -> tuple[Choice, ...]:
        """The choices that the step takes, reason by reason."""
        return tuple(choice for because in self.reasons for choice in because.taken)

    @property
    def out(self) -> tuple[Choice, ...]:
        """The choices that the step rules out, reason by reason."""
        return tuple(choice for because in self.reasons for choice in because.out)

    def pictures(self) -> tuple[Picture, ...]:
        """The boards of the model with what was known before, and the places of the reasons and of the conclusions
        marked; empty for a model that shows its answers as lists."""
        roles = self._roles
        known = self.step.before_taken
        shown = self.compiled.pictures(tuple(sorted(known | roles.keys())))
        found = []
        for picture in shown:
            if picture.axes and picture.low:
                lines = [m for m in picture.marks if m.look in LINES]
                marks = [_mark(here, roles, known) for here in alike([m for m in picture.marks if m.look not in LINES])]
                marks += [_mark([m], roles, known) for m in lines if m.option >= 0]
                busy = {m.at for m in marks}
                marks += [m for m in picture.marks if m.option < 0 and (m.given or m.at not in busy)]
                marks.sort(key=lambda m: m.at)
                found.append(evolve(picture, marks=tuple(marks), outline=False, tiles=False, pencil=True))
        return tuple(found)

    @cached_property
    def _roles(self) -> dict[int, str]:
        """Option → what it is in the picture: part of a reason, or a conclusion."""
        roles: dict[int, str] = {}
        for because in self.reasons:
            roles.update((choice.number, "reason") for choice in because.known)
        for reason in self.step.reasons if 1 < self.size <= MOST_DRAWN else ():
            for c in reason.conditions:
                members = _members(self.compiled, c) or ()
                roles.update((o, "reason") for o in members if o not in self.step.before_out)
        for because in self.reasons:
            roles.update((choice.number, "out") for choice in because.out)
            roles.update((choice.number, "taken") for choice in because.taken)
        return roles

    def as_text(self) -> str:
        """What `covr hint` prints, without colours."""
        from covr.draw.text import as_text

        return "\n".join(filter(None, (*self.lines(), as_text(self.pictures()))))

    __str__ = as_text

    def lines(self) -> Iterator[str]:
        """The step, or the move, in words."""
        if self.more is not None:
            yield from self._move_lines(self.more)
            return
        rules = f"{self.size} rule{'' if self.size == 1 else 's'}"
        unsure = "" if self.proved else ", and no smaller reason was proved within the limit"
        yield f"step {self.number}: {rules}{unsure}"
        for because in self.reasons:
            if because.taken:
                yield f"  take {', '.join(map(str, because.taken))}"
            if because.out:
                yield f"  rule out {', '.join(map(str, because.out))}"
            for rule in because.rules:
                yield f"    {rule.name}{_because(because)}"

    def _move_lines(self, more: int) -> Iterator[str]:
        (because,) = self.reasons
        said = [f"take {', '.join(map(str, because.taken))}"] if because.taken else []
        said += [f"rule out {', '.join(map(str, because.out))}"] if because.out else []
        yield f"move {self.number}: {'; '.join(said)}"
        rules = said_names(self.compiled, (*because.rules, *because.before))
        for n, name in enumerate(rules[:MOST_NAMED]):
            yield f"  {'and ' if n else ''}because {name}{'' if n else _because(because)}"
        if len(rules) > MOST_NAMED:
            yield f"  and {len(rules) - MOST_NAMED} more rule{'' if len(rules) == MOST_NAMED + 1 else 's'}"
        if not self.proved:
            yield "  (no shorter reason was proved within the limit)"
        rules_each = "one rule" if self.size == 1 else f"{self.size} rules"
        if more == 1:
            yield f"  1 other move follows from {rules_each}"
        elif more:
            yield f"  {more} other moves follow from {rules_each} each"

    def svg(self, theme: str = "light") -> str:
        """The boards as an SVG document."""
        from covr.draw.svg import Shown, draw_svg

        return draw_svg([Shown(self.pictures())], self.compiled.title, theme)

    def _repr_svg_(self) -> str | None:
        """For notebooks; None where the model has no board."""
        return self.svg() if self.pictures() else None


@frozen
class Grade:
    """How hard a path is.

    hardest: the size of its hardest step; 0 if no step was needed.  steps: per size, how many there are.
    proved: whether every step is proved to have a smallest reason.
    figure: `hardest + e / (e + 100)`, rounded to two decimals, where the effort e is the sum of size - 1 over all
    steps: puzzles are ordered by their hardest step first, and then by how much there is to do.
    """

    hardest: int
    steps: dict[int, int]
    proved: bool
    figure: float

    def __str__(self) -> str:
        sizes = ", ".join(f"{count} of size {size}" for size, count in self.steps.items()) or "none"
        return f"grade {self.figure:.2f}: {sum(self.steps.values())} steps, {sizes}"


def grade_of(hints: tuple[Hint, ...]) -> Grade:
    """The grade of a path."""
    steps = dict(sorted(Counter(hint.size for hint in hints).items()))
    return Grade(max(steps, default=0), steps, all(h.proved for h in hints), figure_of(h.size for h in hints))


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
        self._quiet: dict[int, tuple[Member, ...]] = {}  # choice of a helper → the rules by which it is known
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
            told: list[Because] = []
            for reason in hint.step.reasons:
                before = self._rests_on(reason)
                for part in _parts(reason):
                    because = self._because(part, hint.step)
                    rules = tuple(dict.fromkeys((*because.rules, *before)))
                    if self._helpers.issuperset((*part.taken, *part.out)):
                        self._quiet.update(dict.fromkeys((*part.taken, *part.out), rules))
                    else:
                        told.append(evolve(because, before=rules[len(because.rules) :]))
            for n, one in enumerate(told):
                number += 1
                yield evolve(hint, number=number, reasons=(one,), struck=(), more=len(told) - n - 1)

    def _rests_on(self, reason: Reason) -> tuple[Member, ...]:
        """The rules of the moves about helpers that a reason rests on."""
        if not self._quiet:
            return ()
        members = {o for c in reason.conditions for o in _members(self.compiled, c) or ()}
        return tuple(dict.fromkeys(rule for o in sorted(members & self._quiet.keys()) for rule in self._quiet[o]))

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
        return Hint(
            compiled=self.compiled,
            step=step,
            number=len(self._hints) + 1,
            size=step.size,
            proved=step.proved,
            reasons=tuple(self._because(reason, step) for reason in step.reasons),
            struck=tuple(map(self.compiled.choice, step.struck)),
        )

    def _because(self, reason: Reason, step: WayStep) -> Because:
        problem, choice = self.compiled.problem, self.compiled.choice
        members = {o for c in reason.conditions for o in _members(self.compiled, c) or ()}
        known = set(strikers(problem, step.before_taken, sorted(members & step.before_out)))
        known |= members & step.before_taken
        because = Because(
            rules=tuple(_rule(self.compiled, c) for c in reason.conditions),
            known=tuple(map(choice, sorted(known))),
            taken=tuple(map(choice, reason.taken)),
            out=tuple(map(choice, reason.out)),
        )
        return self._shaped(because, reason, step)

    def _shaped(self, because: Because, reason: Reason, step: WayStep) -> Because:
        """The same, with what a connection or a loop would do otherwise, if that alone is the reason."""
        if len(reason.conditions) > 1 or _members(self.compiled, reason.conditions[0]) is not None:
            return because
        ground = Ground(self.compiled.problem, step.before_taken, step.before_out)
        shape = ground.shapes[reason.conditions[0]]
        seen = [shape.why(o, o in reason.taken) for o in (*reason.taken, *reason.out)]
        kinds = {kind for kind, _ in seen}
        known = sorted({o for _, shown in seen for o in shown})
        words = OTHERWISE[kinds.pop()] if len(kinds) == 1 else ""
        return evolve(because, known=tuple(map(self.compiled.choice, known)), otherwise=words)


MOST_DRAWN = 8  # rules of a reason whose open choices are marked in a picture; those of more are most of the board
MOST_NAMED = 4  # rules of a move that are named


def _because(because: Because) -> str:
    return f": {because.otherwise}" if because.otherwise else ""


def _parts(reason: Reason) -> Iterator[Reason]:
    """A reason as moves: each choice that is taken, then all that are out together."""
    for o in reason.taken:
        yield evolve(reason, taken=(o,), out=())
    if reason.out:
        yield evolve(reason, taken=())


def _members(compiled: Compiled, condition: int) -> tuple[int, ...] | None:
    """The options in an item or a total; None for a connection or a loop, which may concern all of them."""
    problem = compiled.problem
    if condition < problem.items:
        return problem.holders[condition]
    side = problem.sides[condition - problem.items]
    return tuple(o for o, _ in side.terms) if isinstance(side, Total) else None


def _rule(compiled: Compiled, condition: int) -> Member:
    """An item or a total as a rule with its label."""
    problem, lowered = compiled.problem, compiled.lowered
    at = condition - problem.items
    name = problem.sides[at].name if at >= 0 else item_name(compiled, condition)
    origins = lowered.side_origins if at >= 0 else lowered.origins
    number = at if at >= 0 else condition
    if number >= len(origins):
        return Member("rule", name, Span(compiled.model.source, 0, 0))
    return Member("rule", name, origins[number].statement.span)


def _mark(here: Sequence[Mark], roles: Mapping[int, str], known: Set[int]) -> Mark:
    """The mark of choices that show the same text at the same place. It is ruled out only if all of them are."""
    theirs = [roles.get(mark.option, "") for mark in here]
    others = [role for role in theirs if role != "out"]
    role = "taken" if "taken" in others else max(others, default="out")
    sure = next((mark for mark in here if mark.option in known), None)
    return evolve(sure or here[0], faint=sure is None, role=role)
