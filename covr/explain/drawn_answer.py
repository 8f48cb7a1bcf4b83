"""Answers as a board of a link or file shows them, and whether what is drawn there is right, wrong or unfinished.

A solver's notes, crosses and dots are ignored.

Something is wrong if no answer has all that is drawn. Then a smallest set of marks, rules and givens is sought that
contradict each other, as for `covr why`. What is part of an answer is unfinished.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import attrs

from covr.engine import Problem, search
from covr.explain.why import Inquiry
from covr.explain.why_text import Member
from covr.frozen import frozen
from covr.links.places import Board, Layer, Place, Value
from covr.links.table import Kind, OnBoard
from covr.questions.answer import plain
from covr.questions.options import Options

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.links.places import Board, Place
    from covr.links.table import Kind

Mark = tuple[str, Place, Value]  # layer, place and value
Drawn = frozenset[Mark]  # what is drawn


def drawn_on(board: Board, kind: Kind) -> Drawn:
    """The answer that a board shows, finished or not. What the puzzle itself says is no part of it."""
    return frozenset(
        (name, place, value)
        for name in {shown.layer for shown in shown_by(board, kind)}
        for place, value in board.layer(name).items()
    )


def shown_by(board: Board, kind: Kind) -> Sequence[OnBoard]:
    """What the choices of a model are on this board."""
    return kind.answer(board) if callable(kind.answer) else kind.answer


def drawn_by(compiled: Compiled, answer: Sequence[int], board: Board, kind: Kind) -> Drawn:
    """What an answer of the model draws on the board of its puzzle. answer: the numbers of its options."""
    shown = shown_by(board, kind)
    return frozenset(mark for option in answer for mark in _marks(compiled, option, shown))


def answer_layers(drawn: Drawn) -> Mapping[str, Layer]:
    """What is drawn, by layers, as a board holds it."""
    layers: dict[str, dict[Place, Value]] = {}
    for name, place, value in drawn:
        layers.setdefault(name, {})[place] = value
    return layers


@frozen
class DrawnRules:
    """The problem of a model with what is drawn as further items.

    problem: its first items, one for each of `marks`, ask for an option that draws it; the model's own come after.
    others: the options that draw something else.  lost: what no option draws; it has no item.
    """

    problem: Problem
    marks: tuple[Mark, ...]
    others: tuple[int, ...]
    lost: tuple[Mark, ...]

    @property
    def whole(self) -> Problem:
        """The problem whose answers draw all of it, and nothing else. Not for boards on which something is lost."""
        from covr.engine.pieces.split import Prefix, subproblem

        return subproblem(self.problem, Prefix((), self.others))


def drawn_rules(compiled: Compiled, board: Board, kind: Kind) -> DrawnRules:
    """What is drawn on a board, as rules for its model. compiled: the model with the board's params. Linear time."""
    wanted = drawn_on(board, kind)
    shown = shown_by(board, kind)
    written = {(layer, place) for layer, place, _ in wanted}
    makers: dict[Mark, list[int]] = {mark: [] for mark in sorted(wanted, key=_by_place)}
    others = []
    for option in range(compiled.problem.options):
        made = frozenset(_marks(compiled, option, shown))
        if any(mark[0] not in kind.notes or mark[:2] in written for mark in made - wanted):
            others.append(option)
        for mark in made & wanted:
            makers[mark].append(option)
    lost = tuple(mark for mark, found in makers.items() if not found)
    marks = tuple(mark for mark, found in makers.items() if found)
    problem = _with_items(compiled.problem, [makers[mark] for mark in marks])
    return DrawnRules(problem, marks, tuple(others), lost)


def is_answer(compiled: Compiled, board: Board, kind: Kind) -> bool:
    """Whether what is drawn on a board is an answer of its puzzle. compiled: the model with the board's params."""
    rules = drawn_rules(compiled, board, kind)
    if rules.lost or set(rules.problem.given).intersection(rules.others):
        return False
    return next(search(rules.whole), None) is not None


def _with_items(problem: Problem, holders: Sequence[Sequence[int]]) -> Problem:
    """The problem with items before its own, each of which at least one of some options must hold."""
    more = len(holders)
    held: list[list[int]] = [[] for _ in range(problem.options)]
    for item, options in enumerate(holders):
        for option in options:
            held[option].append(item)
    starts, members, colours = [0], [], []
    for option, new in enumerate(held):
        members += [*new, *(item + more for item in problem.option(option))]
        colours += [*(0 for _ in new), *problem.option_colours(option)]
        starts.append(len(members))
    return attrs.evolve(
        problem.by_all(),
        low=(*(1 for _ in holders), *problem.low),
        high=(*(len(options) for options in holders), *problem.high),
        primary=problem.primary + more,
        starts=starts,
        members=members,
        colours=colours if any(colours) else (),
        item_names=(),
    )


def _by_place(mark: Mark) -> tuple[str, str, str]:
    return mark[0], str(mark[1]), str(mark[2])


def _marks(compiled: Compiled, option: int, shown: Sequence[OnBoard]) -> Iterator[Mark]:
    choice = compiled.choice(option)
    for each in shown:
        if each.family == choice.family:
            for place, value in each.places(*map(plain, choice.args)):
                yield (each.layer, place, value)


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
