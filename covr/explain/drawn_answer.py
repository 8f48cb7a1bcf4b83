"""Whether what is drawn on the board of a link or file is right, wrong or unfinished, and what it breaks.

Something is wrong if no answer has all that is drawn. Then a smallest set of marks, rules and givens is sought that
contradict each other, as for `covr why`. What is part of an answer is unfinished.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from covr.explain.why import Inquiry
from covr.explain.why_text import Member
from covr.frozen import frozen
from covr.links.answers import DrawnRules, Mark, drawn_on, drawn_rules
from covr.questions.options import Options

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.links.places import Board, Place
    from covr.links.table import Kind

RIGHT, WRONG, UNFINISHED, UNKNOWN = "right", "wrong", "unfinished", "unknown"
MOST_PLACES = 8  # places that one line names
MOST_RULES = 6  # rules that one line names


@frozen
class Judgement:
    """What is known of a drawn answer. `print` says it in a line.
    verdict: one of the words above.  marks: of a wrong answer, those that can't be there together.
    members: the rules and givens that they break.  minimal: whether it is proved that none of both can be left out.
    drawn: how many marks there are."""

    verdict: str
    marks: tuple[Mark, ...] = ()
    members: tuple[Member, ...] = ()
    minimal: bool = True
    drawn: int = 0

    @property
    def places(self) -> tuple[str, ...]:
        """The places of the marks, such as `r3c4`."""
        return tuple(dict.fromkeys(place_name(place) for _, place, _ in self.marks))

    @property
    def rules(self) -> tuple[str, ...]:
        """What they break, in the model's words."""
        return tuple(dict.fromkeys(member.name for member in self.members))

    def __str__(self) -> str:
        if self.verdict == UNFINISHED:
            return "unfinished: what is drawn is part of an answer" if self.drawn else "unfinished: nothing is drawn"
        if self.verdict == UNKNOWN:
            return "not known: a limit was hit"
        if self.verdict == RIGHT:
            return "right"
        if not self.rules:
            return f"wrong: {_listed(self.places, MOST_PLACES, ', ')}: this can't be drawn there"
        said = _listed(self.rules, MOST_RULES, "; ")
        return f"wrong: {_listed(self.places, MOST_PLACES, ', ')}: {said}" if self.marks else f"wrong: {said}"


def judge(compiled: Compiled, board: Board, kind: Kind, options: Options = Options()) -> Judgement:  # noqa: B008
    """What is drawn on a board, held against the rules. compiled: the model of its kind with the board's params.
    Time: bounded by the options, 30 seconds if they do not say."""
    many = len(drawn_on(board, kind))
    rules = drawn_rules(compiled, board, kind)
    if rules.lost:
        return Judgement(WRONG, rules.lost[:1], drawn=many)
    inquiry = Inquiry(compiled, options)
    at_once = _at_once(rules)
    if at_once is not None:
        item, marks, given = at_once
        first = compiled.problem.items
        members = (inquiry.member(item), *(inquiry.member(first + option) for option in given))
        return Judgement(WRONG, marks, members, drawn=many)
    relaxing = inquiry.relaxing(rules.problem)
    verdict = relaxing.solve(relaxing.everything)
    if verdict.none:
        conflict = relaxing.shrink([(c,) for c in relaxing.everything])
        first = len(rules.marks)
        marks = tuple(rules.marks[c] for c in conflict.constraints if c < first)
        members = tuple(inquiry.member(c - first) for c in conflict.constraints if c >= first)
        return Judgement(WRONG, marks, members, conflict.minimal, many)
    if verdict.open:
        return Judgement(UNKNOWN, drawn=many)
    if set(rules.problem.given).intersection(rules.others):
        return Judgement(UNFINISHED, drawn=many)
    whole = inquiry.relaxing(rules.whole)
    finished = whole.solve(whole.everything)
    return Judgement(RIGHT if finished.answer is not None else UNKNOWN if finished.open else UNFINISHED, drawn=many)


def _at_once(rules: DrawnRules) -> tuple[int, tuple[Mark, ...], tuple[int, ...]] | None:
    """A rule that holds more than it may, by what is drawn and given alone: the model's item, the marks in it, and the
    given options in it. None if there is no such rule."""
    problem, first = rules.problem, len(rules.marks)
    drawn = {makers[0]: mark for mark, makers in zip(rules.marks, problem.holders, strict=False) if len(makers) == 1}
    taken = sorted({*drawn, *problem.given}, key=lambda option: (option in problem.given, option))
    held: dict[int, list[int]] = {}
    for option in taken:
        for item, colour in zip(problem.option(option), problem.option_colours(option), strict=True):
            if item < first or colour:
                continue
            row = held.setdefault(item, [])
            row.append(option)
            if len(row) > problem.high[item]:
                given = set(problem.given)
                marks = tuple(drawn[o] for o in row if o not in given)
                return item - first, marks, tuple(o for o in row if o in given)
    return None


def place_name(place: Place) -> str:
    """A place in words: `r3c4`, `r3c4-r3c5` for a line or border between two cells."""
    if place and isinstance(place[0], tuple):
        return "-".join(map(place_name, place))
    return "r{}c{}".format(*place) if len(place) == 2 else "the board"


def _listed(names: tuple[str, ...], most: int, between: str) -> str:
    more = len(names) - most
    return between.join(names[:most]) + (f" and {more} more" if more > 0 else "")
