"""Hints: the next step that a person would make, or all steps to the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from typing import TYPE_CHECKING, Any

from attrs import evolve, field

from covr.compiler.display.prints import LINES, Mark, Picture
from covr.compiler.display.show import alike
from covr.engine.base.limits import Deadline, Status
from covr.engine.dispatch import search
from covr.engine.proofs.way import Reason, Steps, WayStep
from covr.engine.puzzles.candidates import Candidates, CandidateSearch, Presence
from covr.engine.puzzles.puzzle_attempts import figure_of
from covr.explain.because import (
    AheadText,
    Because,
    HelperMoves,
    LookAhead,
    LookAheadPart,
    ReasonNames,
    ahead_text,
    ahead_with_helpers,
    members_of,
    parts_of,
)
from covr.explain.choice_words import ChoiceWords
from covr.explain.why_text import helpers, shown_names, without_helpers
from covr.frozen import frozen
from covr.questions.answer import Boards
from covr.questions.options import Options
from covr.questions.run import Progress, refuse_some_answers
from covr.text import quantity

if TYPE_CHECKING:
    from covr.compiler import Choice, Compiled
    from covr.explain.why_text import Member


@frozen
class Grade:
    """How hard a path is.
    hardest: the size of its hardest step; 0 if no step was needed.  steps: per size, how many there are.
    proved: whether every step is proved to have a smallest reason.
    figure: `hardest + e / (e + 100)`, rounded to two decimals, where the effort e is the sum of size - 1 over all
    steps."""

    hardest: int
    steps: dict[int, int]
    proved: bool
    figure: float

    def __str__(self) -> str:
        sizes = ", ".join(f"{count} of size {size}" for size, count in self.steps.items()) or "none"
        return f"grade {self.figure:.2f}: {sum(self.steps.values())} steps, {sizes}"


def grade_of(hints: Iterable[Hint]) -> Grade:
    """The grade of a path."""
    hints = tuple(hints)
    steps = dict(sorted(Counter(hint.size for hint in hints).items()))
    return Grade(max(steps, default=0), steps, all(h.proved for h in hints), figure_of(h.size for h in hints))


# --- hint text -------------------------------------------------------------------------------------------------------
# A reason of few rules is shown as they are; one that a person could not follow so, as a look ahead: suppose the
# opposite, and say what each rule would give, until one breaks. Of what takes too many steps, or cases, it is said how
# much it takes.


FEW = 3  # rules that are named beside a look ahead
MOST_NAMED = 5  # rules that are named where there is none
MOST_PARTS = 8  # steps of a look ahead that are listed
MOST_CHOICES = 3  # choices that a step of a look ahead names
MOST_MOVED = 16  # choices of a move that are all named


def step_lines(hint: Hint) -> Iterator[str]:
    """A whole step, with all of its reasons."""
    unsure = "" if hint.proved else ", and no smaller reason was proved within the limit"
    yield f"step {hint.number}: {quantity(hint.size, 'rule')}{unsure}"
    for because in hint.reasons:
        if because.taken:
            yield f"  {hint.words.conclusion(_few(because.taken), ())}"
        if because.out:
            yield f"  {hint.words.conclusion((), _few(because.out))}"
        for rule in because.rules:
            yield f"    {rule.name}{_otherwise(because)}"
        yield from _full(hint.compiled, because, "    ")


def move_lines(hint: Hint, more: int) -> Iterator[str]:
    """A move. more: how many others follow from as few rules each."""
    (because,) = hint.reasons
    yield f"move {hint.number}: {hint.words.conclusion(*map(_few, _drawn(hint.compiled, because)))}"
    rules = shown_names(hint.compiled, (*because.rules, *because.before))
    text = None if because.ahead is None else ahead_text(hint.compiled, because.ahead)
    most = MOST_NAMED if text is None or not text.parts else FEW
    if because.ahead is not None and text is not None and not text.parts and len(rules) > most:
        text, most = ahead_with_helpers(hint.compiled, because.ahead), FEW
    if len(rules) <= most:
        for n, name in enumerate(rules):
            yield f"  {'and ' if n else ''}because {name}{'' if n else _otherwise(because)}"
    steps = -1 if text is None else len(text.facts) + len(text.parts)
    if because.ahead is not None and text is not None and 0 < steps <= MOST_PARTS:
        yield from _look(hint, because, because.ahead, text)
    elif len(rules) > most:
        yield f"  because of {len(rules)} rules together: {_takes(steps)}"
    yield from _full(hint.compiled, because, "  ")
    rules_each = "one rule" if hint.size == 1 else f"{hint.size} rules"
    if more == 1:
        yield f"  1 other move follows from {rules_each}"
    elif more:
        yield f"  {more} other moves follow from {rules_each} each"


def _full(compiled: Compiled, because: Because, indent: str) -> Iterator[str]:
    """The rules by which taken choices leave no room for others; without a label only if none of the reason has one."""
    own, full = ({rule.name for rule in rules} for rules in (because.rules, because.full))
    names = [name for name in shown_names(compiled, (*because.rules, *because.full)) if name in full - own]
    if names:
        more = f"; and {quantity(len(names) - MOST_NAMED, 'more rule')}" if len(names) > MOST_NAMED else ""
        yield f"{indent}where others are ruled out by {'; '.join(names[:MOST_NAMED])}{more}"


def _drawn(compiled: Compiled, because: Because) -> tuple[tuple[Choice, ...], tuple[Choice, ...]]:
    """What a move takes and rules out, without helpers, if it says something of other choices."""
    taken, out = (without_helpers(compiled, some) for some in (because.taken, because.out))
    return (taken, out) if taken or out else (because.taken, because.out)


def _look(hint: Hint, because: Because, ahead: LookAhead, text: AheadText) -> Iterator[str]:
    others = sum(map(len, _drawn(hint.compiled, because))) - 1
    for part in text.facts:
        yield f"  first, {_part(hint.words, part)}"
    if not text.parts:
        yield f"  because {_names(text.broken)}"
        return
    yield f"  {hint.words.supposed(ahead.supposed, ahead.taken)}:"
    for part in text.parts:
        yield f"    {_part(hint.words, part)}"
    yield f"    but then this fails: {_names(text.broken)}"
    if others:
        yield f"  the same goes for the other{'' if others == 1 else 's'}"


def _part(words: ChoiceWords, part: LookAheadPart) -> str:
    return f"{words.conclusion(_first(part.taken), _first(part.out))}: {_names(part.rules)}"


def _names(rules: Sequence[Member]) -> str:
    names = list(dict.fromkeys(rule.name for rule in rules))
    more = f"; and {quantity(len(names) - FEW, 'more rule')}" if len(names) > FEW else ""
    return "; ".join(names[-FEW:]) + more


def _few(choices: tuple[Choice, ...]) -> tuple[Choice | str, ...]:
    """The choices of a move; of very many the first, and how many more there are. The picture shows them all."""
    if len(choices) <= MOST_MOVED:
        return choices
    return (*choices[: MOST_CHOICES + 1], f"and {len(choices) - MOST_CHOICES - 1} more")


def _first(choices: tuple[Choice, ...]) -> tuple[Choice | str, ...]:
    if len(choices) <= MOST_CHOICES + 1:
        return choices
    return (*choices[:MOST_CHOICES], f"{len(choices) - MOST_CHOICES} more")


def _takes(steps: int) -> str:
    if steps < 0:
        return "it takes trying out cases, more than a look ahead"
    return f"it takes a look {quantity(steps, 'step')} ahead"


def _otherwise(because: Because) -> str:
    return f": {because.otherwise}" if because.otherwise else ""


# --- hint ------------------------------------------------------------------------------------------------------------


MOST_DRAWN = 8  # rules of a reason whose open choices are marked in a picture; those of more are most of the board


@frozen
class Hint(Boards):
    """A step towards the answer.
    number: from 1.  size: how many rules each reason has.  reasons: one, or several if the size is 1.
    proved: whether it is proved that nothing new follows from fewer rules.
    struck: choices that are ruled out for free after the step, because no room is left for them.
    more: of a move, how many others follow from as few rules each; None for a whole step."""

    compiled: Compiled = field(repr=False, eq=False)
    words: ChoiceWords = field(repr=False, eq=False)
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
        """The boards with what was known before, and the reasons and conclusions marked; empty for a model that shows
        lists."""
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
            if because.ahead is not None:
                roles.update(
                    (choice.number, "reason") for part in because.ahead.parts for choice in part.taken + part.out
                )
        for reason in self.step.reasons if 1 < self.size <= MOST_DRAWN and not self._followed else ():
            for c in reason.conditions:
                members = members_of(self.compiled, c) or ()
                roles.update((o, "reason") for o in members if o not in self.step.before_out)
        for because in self.reasons:
            roles.update((choice.number, "out") for choice in because.out)
            roles.update((choice.number, "taken") for choice in because.taken)
        return roles

    @property
    def _followed(self) -> bool:
        return any(because.ahead is not None for because in self.reasons)

    def as_text(self) -> str:
        """What `covr hint` prints, without colours."""
        from covr.draw.text import as_text

        return "\n".join(filter(None, (*self.lines(), as_text(self.pictures()))))

    __str__ = as_text

    def as_fields(self) -> dict[str, Any]:
        """For `json`: its reasons, what is ruled out after it, and its text."""
        return {
            "number": self.number,
            "size": self.size,
            "proved": self.proved,
            "reasons": [{**b.as_fields(), "said": self.words.conclusion(b.taken, b.out)} for b in self.reasons],
            "struck": list(map(str, self.struck)),
            "more": self.more,
            "text": "\n".join(self.lines()),
        }

    def lines(self) -> Iterator[str]:
        """The step, or the move, in words."""
        return step_lines(self) if self.more is None else move_lines(self, self.more)


def _mark(here: Sequence[Mark], roles: Mapping[int, str], known: Set[int]) -> Mark:
    """The mark of choices that show the same text at the same place. It is ruled out only if all of them are."""
    theirs = [roles.get(mark.option, "") for mark in here]
    others = [role for role in theirs if role != "out"]
    role = "taken" if "taken" in others else max(others, default="out")
    sure = next((mark for mark in here if mark.option in known), None)
    return evolve(sure or here[0], faint=sure is None, role=role)


# --- hints -----------------------------------------------------------------------------------------------------------
# A *move* is the part of a step that somebody makes at once: a choice that is taken, or what one reason rules out. A
# family that no `show` draws is a *helper*, if some other is drawn: a move about helpers alone is not shown, but its
# rules are, with the first move that rests on them. Models of whose answers only some count are refused.


@frozen
class HintPath:
    """The steps from what is given to all that follows.
    hints: the steps, in order; the first only, if no more were asked for.
    solvable: whether there is an answer; None if a limit was hit before that was known.
    open: the choices that are in some answers and not in others.
    complete: whether everything that was asked for was found.  whole: whether the path leads to the end."""

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

    def grade_fields(self) -> dict[str, Any]:
        """The grade for `json`, and whether it is that of the whole path."""
        grade = self.grade
        return {
            "grade": grade.figure if self.solvable else None,
            "hardest": grade.hardest,
            "sizes": {str(size): count for size, count in grade.steps.items()},
            "proved": grade.proved,
            "solvable": self.solvable,
            "open": len(self.open),
            "whole": self.whole,
        }

    def as_text(self) -> str:
        """The steps, with their pictures."""
        return "no solution" if self.solvable is False else "\n\n".join(map(str, self.hints)) or "nothing follows"

    __str__ = as_text


class HintRun:
    """One question about hints. Iterate `hints` to get the steps as they are found, then read `path`; or call `find`.
    A limit or Ctrl-C ends the steps early. interrupted: whether it was Ctrl-C."""

    others: tuple[str, ...] = ()  # external solvers to suggest: none for this question

    def __init__(self, compiled: Compiled, options: Options = Options()) -> None:  # noqa: B008
        """Raises ModelErrors E510 for a model with a goal, `up to` or `answers by`, and E505 for an unfit engine."""
        refuse_some_answers(compiled, "hints")
        options.ask(False, counting=True)
        self.compiled, self.options = compiled, options
        self.clock = Deadline(options.limits().seconds)
        self.search = CandidateSearch(compiled.problem, limits=options.limits(), settings=options.settings())
        self.steps: Steps | None = None
        self._found: Candidates | None = None
        self._hints: list[Hint] = []
        self._names = ReasonNames(compiled)
        self._quiet = HelperMoves(compiled.problem)
        self._helpers = helpers(compiled)
        self._words = ChoiceWords(compiled)
        self.interrupted = False

    def interrupt(self) -> None:
        """Ask to stop; may be called from any thread."""
        self.interrupted = True
        self.search.interrupt()

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
        """The moves of each step, those of fewest rules first, without those that say something of helpers alone."""
        number = 0
        for hint in self.hints():
            reasons = sorted(zip(hint.step.reasons, hint.reasons, strict=True), key=self._rank)
            shown = [because for reason, _ in reasons for because in self._moves_of(reason, hint.step)]
            for n, one in enumerate(shown):
                number += 1
                yield evolve(hint, number=number, reasons=(one,), struck=(), more=len(shown) - n - 1)

    def _rank(self, told: tuple[Reason, Because]) -> tuple[bool, int, int]:
        """By how many rules and givens a reason needs; those about helpers alone come last: none rests on them."""
        reason, because = told
        facts = self._quiet.within((*reason.conditions, *because.full_items))
        before = sum(len(move.rules) for move in self._quiet.moves_to(facts))
        quiet = self._helpers.issuperset((*reason.taken, *reason.out))
        return quiet, before + len(because.full), len(because.known)

    def _moves_of(self, reason: Reason, step: WayStep) -> Iterator[Because]:
        quiet = self._quiet
        facts = quiet.within(reason.conditions)
        for part in parts_of(reason):
            chain = self._names.chain(part, step, facts, quiet.values)
            because = self._names.because(part, step)
            used = frozenset(facts) if chain is None else chain.facts
            used |= quiet.within(because.full_items).keys()
            if self._helpers.issuperset((*part.taken, *part.out)):
                quiet.learn(part, (*because.full, *because.rules), used, step.before_taken | step.before_out)
                continue
            moves = quiet.moves_to(used)
            rules = tuple(dict.fromkeys((*because.rules, *(rule for move in moves for rule in move.rules))))
            followed = chain is not None and (len(rules) > FEW or self._names.is_winding(reason))
            ahead = self._names.ahead(chain, moves) if chain is not None and followed else None
            yield evolve(because, before=rules[len(because.rules) :], ahead=ahead)
            quiet.forget(moves)

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
        reasons = tuple(self._names.because(reason, step) for reason in step.reasons)
        self._names.learn(step)
        return Hint(
            compiled=self.compiled,
            words=self._words,
            step=step,
            number=len(self._hints) + 1,
            size=step.size,
            proved=step.proved,
            reasons=reasons,
            struck=tuple(map(self.compiled.choice, step.struck)),
        )
