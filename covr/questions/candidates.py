"""What can still go where: for every choice of a model, whether it is in all answers, in some or in none.

The engine decides this for options (engine/puzzles/candidates.py); here the results become choices, and pictures with
pencil marks. Models of whose answers only some count are refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from attrs import evolve, field

from covr.compiler.display.prints import LINES, Mark, Picture
from covr.compiler.display.show import alike, exclude_each_other
from covr.engine.base.limits import Status
from covr.engine.puzzles.candidates import Candidates, CandidateSearch, Presence
from covr.frozen import frozen
from covr.questions.answer import Boards, choice_fields
from covr.questions.options import Options
from covr.questions.run import Progress, refuse_some_answers

if TYPE_CHECKING:
    from covr.compiler import Choice, Compiled


@frozen
class Candidate:
    """A choice, and what is known about it.
    verdict: whether `all`, `some` or `none` of the answers hold it; `open` if a limit was hit before that was known.
    count: how many answers hold it; None if counting was not asked for, or was not finished.
    given: whether the model gives it."""

    choice: Choice
    verdict: str
    count: int | None
    given: bool

    def __str__(self) -> str:
        return str(self.choice)

    def as_fields(self) -> dict[str, Any]:
        """For `json`: the choice, and what is known about it."""
        known = {"verdict": self.verdict, "count": self.count, "given": self.given}
        return {**choice_fields(self.choice), "text": str(self), **known}


@frozen
class CandidateTable(Boards):
    """The candidates of a model.
    cap: the number at which counting stopped; None if every count is exact, or none was asked for.
    total: how many answers there are; None unless all were seen.
    solvable: whether there is an answer; None if a limit was hit before that was known.
    complete: whether everything that was asked for is known."""

    compiled: Compiled = field(repr=False, eq=False)
    candidates: tuple[Candidate, ...]
    cap: int | None
    total: int | None
    solvable: bool | None
    complete: bool

    def __iter__(self) -> Iterator[Candidate]:
        return iter(self.candidates)

    def __len__(self) -> int:
        return len(self.candidates)

    def __getitem__(self, choice: str) -> Candidate:
        """The candidate of that name, as covr prints it: `table["place(1, 2, 3)"]`. Raises KeyError."""
        for candidate in self.candidates:
            if str(candidate.choice) == choice:
                return candidate
        raise KeyError(choice)

    def of(self, verdict: str) -> tuple[Candidate, ...]:
        """The candidates with that verdict, in documented order."""
        return tuple(c for c in self.candidates if c.verdict == verdict)

    def pictures(self) -> tuple[Picture, ...]:
        possible = {c.choice.number: c for c in self.candidates if c.verdict in ("all", "some")}
        pictures = self.compiled.pictures(tuple(possible)) if possible else ()
        return tuple(_pencilled(self, p, possible) for p in pictures if p.axes and p.low)

    def as_text(self) -> str:
        """What `covr candidates` prints, without colours."""
        from covr.draw.text import as_text

        if self.solvable is False:
            return "no solution"
        return as_text(self.pictures()) or "\n".join(lines(self))

    __str__ = as_text


class CandidateRun:
    """One question about candidates. Call `table` once; after a limit or Ctrl-C it returns what is known by then."""

    others: tuple[str, ...] = ()  # external solvers to suggest: none for this question

    def __init__(self, compiled: Compiled, options: Options = Options(), cap: int | None = None) -> None:  # noqa: B008
        """cap: also count the answers that hold each choice, up to this number; None: do not count.
        Raises ModelErrors E510 for a model with a goal, `up to` or `answers by`, E505 for an engine that can't answer
        this."""
        refuse_some_answers(compiled, "candidates")
        options.ask(False, counting=True)
        self.compiled, self.options = compiled, options
        self.search = CandidateSearch(compiled.problem, cap=cap, limits=options.limits(), settings=options.settings())

    def table(self) -> CandidateTable:
        """Every choice of the model, in documented order."""
        found = self.search.run()
        given = frozenset(self.compiled.problem.given)
        return CandidateTable(
            compiled=self.compiled,
            candidates=tuple(
                Candidate(self.compiled.choice(o), found.verdicts[o].value, _count(found, o), o in given)
                for o in range(self.compiled.problem.options)
            ),
            cap=found.cap,
            total=found.total,
            solvable=found.solvable,
            complete=found.complete,
        )

    @property
    def status(self) -> Status:
        """`running`, `exhausted` (everything is known), `limit` or `interrupted`."""
        return self.search.status

    def interrupt(self) -> None:
        self.search.interrupt()

    def progress(self) -> Progress:
        search = self.search
        share = search.settled / max(search.problem.options, 1)
        return Progress(share, search.counters.nodes, search.counters.answers, None, None)


def _count(found: Candidates, option: int) -> int | None:
    if found.counts is None or found.counts[option] < 0:
        return None
    return found.counts[option]


def _pencilled(table: CandidateTable, picture: Picture, possible: dict[int, Candidate]) -> Picture:
    marks = [m for m in picture.marks if m.option >= 0 and m.option not in possible]
    shown = [m for m in picture.marks if m.option in possible]
    marks += [evolve(m, faint=possible[m.option].verdict != Presence.ALL.value) for m in shown if m.look in LINES]
    for here in alike(m for m in shown if m.look not in LINES):
        marks.append(_mark(table, here, [possible[m.option] for m in here]))
    # A mark that no choice makes (such as the sign for an empty place) stays only where no candidate is shown.
    taken = {mark.at for mark in marks}
    marks += [mark for mark in picture.marks if mark.option < 0 and (mark.given or mark.at not in taken)]
    marks.sort(key=lambda mark: mark.at)
    return evolve(picture, marks=tuple(marks), outline=False, tiles=False, pencil=True)


def _mark(table: CandidateTable, here: Sequence[Mark], candidates: Sequence[Candidate]) -> Mark:
    """The mark of candidates with the same text and place, with the number of the answers that show it as a note,
    unless the number reached the cap or is not known."""
    faint = all(c.verdict != Presence.ALL.value for c in candidates)
    sure = next((m for m, c in zip(here, candidates, strict=True) if c.verdict == Presence.ALL.value), here[0])
    counts = [c.count for c in candidates]
    exact = [n for n in counts if n is not None and n != table.cap]
    known = len(exact) == len(counts) and exclude_each_other(table.compiled.problem, [m.option for m in here])
    note = str(sum(exact)) if known else ""
    return evolve(sure, faint=faint, note=note)


def lines(table: CandidateTable) -> list[str]:
    """One line for each possible choice, for models without a board: `all`, `some`, or how many answers hold it."""
    found = []
    for candidate in table:
        if candidate.verdict in ("all", "some"):
            head = f"{candidate.verdict:<5}" if candidate.count is None else f"{candidate.count:>7}  "
            found.append(f"{head}{candidate}")
    return found or ["(nothing is possible)"]
