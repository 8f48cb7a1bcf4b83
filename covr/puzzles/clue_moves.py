"""From an answer of a model without its clues to others nearby, whose clues leave less and less open.

Where many answers have the same clues, few choices are the same in all. So an answer is judged by how many choices are
*open*: taken by some answer with the same clues. A few choices near each other, mostly open ones, are drawn anew; if
not more is open then, the search goes on from there, and now and then if a little more is.

Where too much is open to count, moves go by the clues first: answers whose clues are far from the average are rare.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import sqrt
from random import Random
from typing import TYPE_CHECKING

from covr.engine.outside.clingo_answers import NearAnswers
from covr.engine.problem import Problem, Total
from covr.engine.search import Answer
from covr.puzzles.clue_question import OpenChoices

if TYPE_CHECKING:
    from covr.compiler.evaluate.values import Value
    from covr.puzzles.clue_rows import ChoiceNumbers
    from covr.puzzles.clue_switches import SwitchedRules

ClueValues = Sequence["Value | None"]
FEW = 4  # choices that are drawn anew beside one, at most, while other answers are found so
OPEN_FIRST = 0.8  # how often the first of them is one that is not the same in all answers
WIDE = 2  # for each choice of an answer, open choices from which on moves go by clues alone at first
SEEN = 30  # answers that tell what clues are on average
FARTHER = 300  # moves that go by clues alone
NARROWEST = 0.3  # the least that is taken for the deviation of a clue
STUCK = 8  # moves in vain for each choice more that may be open
SLACK = 0.15  # how often more may be open
DRAWING = 2000  # nodes of a search for a nearby answer
OPENING = 20_000  # nodes for what an answer leaves open, after which what was found counts


class ClueMoves:
    """Looks for an answer that its clues leave the only one.
    problem: the blank model.  rules: those of the clues of an answer.  names: whose first model is the blank one.
    told: the clues of an answer."""

    def __init__(
        self,
        problem: Problem,
        rules: Callable[[ClueValues], SwitchedRules | None],
        names: ChoiceNumbers,
        told: Callable[[Answer], ClueValues],
        stopped: Callable[[], bool],
    ) -> None:
        self._problem, self._rules, self._told, self._stopped = problem, rules, told, stopped
        self._names = names
        self._near = NearAnswers(problem, stopped)
        self._open: OpenChoices | None = None
        self._ended = 0  # nodes of those of which rules changed
        self._totals: dict[int, list[int]] = {}  # per option, the sides in which it counts
        self._counted = [[o for o, _ in side.terms] for side in problem.sides if isinstance(side, Total)]
        for at, options in enumerate(self._counted):
            for o in options:
                self._totals.setdefault(o, []).append(at)

    @property
    def nodes(self) -> int:
        """Conflicts and questions so far."""
        return self._ended + self._near.nodes + (0 if self._open is None else self._open.nodes)

    def open(self, answer: Answer, most: int | None = None) -> frozenset[int] | None:
        """What the clues of an answer leave open; None if that is more than `most`, or not known."""
        told = self._told(answer)
        rules = self._rules(told)
        if rules is None:
            return None
        if self._open is None or not self._open.suits(rules):
            self._ended += 0 if self._open is None else self._open.nodes
            self._open = OpenChoices(rules, self._names, self._stopped)
        clues = frozenset(at for at, value in enumerate(told) if value is not None)
        return self._open.of(rules, clues, answer, most, OPENING)

    @property
    def _settled(self) -> bool:
        return self._open is not None and self._open.settled

    def only(self, answer: Answer, rng: Random, moves: int) -> Answer:
        """An answer, at most so many moves away, that its clues leave the only one as far as the rules tell, or with
        which less is open. The longer nothing is won, the more may be open after a move."""
        found = self.open(answer)
        if found is not None and len(found) > WIDE * len(answer):
            answer = self._farther(answer, rng)
            found = self.open(answer)
        sure = self._settled
        reach, vain = FEW, 0
        for _ in range(moves):
            if found is None or (not found and sure) or self._stopped():
                break
            other = self._moved(answer, self._open_choices(answer, found), reach, rng)
            if other is None:
                reach += 1
                continue
            reach = max(reach - 1, FEW)
            vain += 1
            slack = rng.randint(0, vain // STUCK) if rng.random() < SLACK else 0
            left = self.open(other, len(found) + slack if sure else None)
            if left is not None and (self._settled, -len(left)) >= (sure, -len(found) - slack):
                vain = 0 if len(left) < len(found) else vain
                answer, found, sure = other, left, self._settled
        return answer

    def _farther(self, answer: Answer, rng: Random) -> Answer:
        drawn = [self._near.draw((), (), rng, DRAWING) for _ in range(SEEN)]
        usual = _usual([self._told(other) for other in (answer, *drawn) if other is not None])
        far = _far(usual, self._told(answer))
        for _ in range(FARTHER if usual else 0):
            other = self._moved(answer, (), FEW, rng)
            if other is not None and (reached := _far(usual, self._told(other))) >= far:
                answer, far = other, reached
            if self._stopped():
                break
        return answer

    def _moved(self, answer: Answer, doubted: Sequence[int], reach: int, rng: Random) -> Answer | None:
        first = rng.choice(doubted if doubted and rng.random() < OPEN_FIRST else answer)
        free = {first, *self._beside(first, set(answer), rng.randint(0, reach), rng)}
        return self._near.draw([o for o in answer if o not in free], answer, rng, DRAWING)

    def _beside(self, first: int, own: set[int], number: int, rng: Random) -> list[int]:
        """So many choices of an answer that share a rule with an option that shares one with this one."""
        ring = self._sharing(first)
        near = sorted({o for other in ring for o in self._sharing(other)} & own - {first})
        return rng.sample(near, min(number, len(near)))

    def _sharing(self, option: int) -> set[int]:
        problem = self._problem
        found = {o for i in problem.option(option) for o in problem.holders[i]}
        for at in self._totals.get(option, ()):
            found.update(self._counted[at])
        return found

    def _open_choices(self, answer: Answer, found: frozenset[int]) -> list[int]:
        """The choices that are not the same in all answers, as far as items tell."""
        problem = self._problem
        items = {i for o in found for i in problem.option(o)}
        sure = [o for o in answer if any(i in items and problem.low[i] for i in problem.option(o))]
        return sure or [o for o in answer if any(i in items for i in problem.option(o))]


def _usual(told: Sequence[ClueValues]) -> dict[int, tuple[float, float]]:
    """The mean and deviation of the clues that are numbers, per spot."""
    found = {}
    for at, column in enumerate(zip(*told, strict=True)):
        numbers = [value for value in column if type(value) is int]
        if numbers and len(numbers) == len(column):
            mean = sum(numbers) / len(numbers)
            deviation = sqrt(sum((value - mean) ** 2 for value in numbers) / len(numbers))
            found[at] = mean, max(deviation, NARROWEST)
    return found


def _far(usual: Mapping[int, tuple[float, float]], told: ClueValues) -> float:
    """How far clues lie from their means: the sum of the squares, in deviations."""
    far = 0.0
    for at, (mean, deviation) in usual.items():
        value = told[at]
        if type(value) is int:
            far += ((value - mean) / deviation) ** 2
    return far


__all__ = ["ClueMoves"]
