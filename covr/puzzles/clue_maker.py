"""Attempts at puzzles whose clues are data that rules read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from math import log2, sqrt
from random import Random
from typing import TYPE_CHECKING, Any

from attrs import evolve, field

from covr.compiler import Choice, Compiled
from covr.compiler.clues import ClueReader, ClueSpot, clue_spots, with_clues, without_clues
from covr.compiler.compiled import compile_model
from covr.compiler.evaluate.limits import CompileLimits
from covr.compiler.evaluate.values import Map, Value, abbreviate
from covr.engine.base.alone import Unsuited
from covr.engine.base.limits import Limits, Status, limits_checked_by
from covr.engine.dispatch import search
from covr.engine.outside import clingo
from covr.engine.outside.clingo_answers import NearAnswers
from covr.engine.problem import Problem, Total
from covr.engine.puzzles.clues import RandomAnswers, Uniqueness, Unit, flat
from covr.engine.puzzles.puzzle_attempts import Attempt, AttemptOutcome, UnitPattern, grade_within
from covr.engine.search import Answer as OptionNumbers
from covr.engine.settings import Settings
from covr.faults import usage_error
from covr.frozen import frozen
from covr.puzzles.clue_question import Apart, ClueQuestion, ClueRivals, FewestDataClues, OpenChoices, bare
from covr.puzzles.clue_rules import TAUGHT, ClueRules, GuessedRules
from covr.puzzles.clue_switches import ClueSwitches, SwitchedRules
from covr.puzzles.made_puzzle import SYMMETRIES, TURNED, MadePuzzle, Wish, recorded
from covr.questions.answer import Answer

if TYPE_CHECKING:
    from covr.dsl.syntax import CheckedModel
    from covr.puzzles.clue_rows import ChoiceNumbers

# --- moves ------------------------------------------------------------------------------------------------------------
# From an answer of a model without its clues to others nearby, whose clues leave less and less open.
#
# Where many answers have the same clues, few choices are the same in all. So an answer is judged by how many choices
# are *open*: taken by some answer with the same clues. A few choices near each other, mostly open ones, are drawn anew;
# if not more is open then, the search goes on from there, and now and then if a little more is.
#
# Where too much is open to count, moves go by the clues first: answers whose clues are far from the average are rare.


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
    clue_values: the clues of an answer."""

    def __init__(
        self,
        problem: Problem,
        rules: Callable[[ClueValues], SwitchedRules | None],
        names: ChoiceNumbers,
        clue_values: Callable[[OptionNumbers], ClueValues],
        stopped: Callable[[], bool],
    ) -> None:
        self._problem, self._rules, self._values_of, self._stopped = problem, rules, clue_values, stopped
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

    def open(self, answer: OptionNumbers, most: int | None = None) -> frozenset[int] | None:
        """What the clues of an answer leave open; None if that is more than `most`, or not known."""
        clue_values = self._values_of(answer)
        rules = self._rules(clue_values)
        if rules is None:
            return None
        if self._open is None or not self._open.suits(rules):
            self._ended += 0 if self._open is None else self._open.nodes
            self._open = OpenChoices(rules, self._names, self._stopped)
        clues = frozenset(at for at, value in enumerate(clue_values) if value is not None)
        return self._open.of(rules, clues, answer, most, OPENING)

    @property
    def _settled(self) -> bool:
        return self._open is not None and self._open.settled

    def only(self, answer: OptionNumbers, rng: Random, moves: int) -> OptionNumbers:
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

    def _farther(self, answer: OptionNumbers, rng: Random) -> OptionNumbers:
        drawn = [self._near.draw((), (), rng, DRAWING) for _ in range(SEEN)]
        usual = _usual([self._values_of(other) for other in (answer, *drawn) if other is not None])
        far = _far(usual, self._values_of(answer))
        for _ in range(FARTHER if usual else 0):
            other = self._moved(answer, (), FEW, rng)
            if other is not None and (reached := _far(usual, self._values_of(other))) >= far:
                answer, far = other, reached
            if self._stopped():
                break
        return answer

    def _moved(self, answer: OptionNumbers, doubted: Sequence[int], reach: int, rng: Random) -> OptionNumbers | None:
        if not answer:  # nothing stands anywhere, so that nothing can move
            return None
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

    def _open_choices(self, answer: OptionNumbers, found: frozenset[int]) -> list[int]:
        """The choices that are not the same in all answers, as far as items tell."""
        problem = self._problem
        items = {i for o in found for i in problem.option(o)}
        sure = [o for o in answer if any(i in items and problem.low[i] for i in problem.option(o))]
        return sure or [o for o in answer if any(i in items for i in problem.option(o))]


def _usual(clue_values: Sequence[ClueValues]) -> dict[int, tuple[float, float]]:
    """The mean and deviation of the clues that are numbers, per spot."""
    found = {}
    for at, column in enumerate(zip(*clue_values, strict=True)):
        numbers = [value for value in column if type(value) is int]
        if numbers and len(numbers) == len(column):
            mean = sum(numbers) / len(numbers)
            deviation = sqrt(sum((value - mean) ** 2 for value in numbers) / len(numbers))
            found[at] = mean, max(deviation, NARROWEST)
    return found


def _far(usual: Mapping[int, tuple[float, float]], clue_values: ClueValues) -> float:
    """How far clues lie from their means: the sum of the squares, in deviations."""
    far = 0.0
    for at, (mean, deviation) in usual.items():
        value = clue_values[at]
        if type(value) is int:
            far += ((value - mean) / deviation) ** 2
    return far


__all__ = ["ClueMoves"]


# --- maker ------------------------------------------------------------------------------------------------------------


def data_puzzle(maker: ClueMaker, attempt: Attempt, named: bool) -> MadePuzzle:
    """The puzzle of an attempt, whose clues are data that rules read. named: as `recorded` takes it."""
    puzzle = maker.with_clues(attempt.answer, attempt.clues)
    clue_values = maker.reader.clue_values(attempt.answer)
    (answer,) = search(puzzle.problem, limits=Limits(answers=2))
    clues = []
    for at in attempt.clues:
        spot = maker.spots[at]
        where = spot.key if isinstance(spot.key, tuple) else (spot.key,)
        clues.append(Choice(spot.param, (*where, clue_values[at]), at))
    made = MadePuzzle(
        compiled=puzzle,
        clues=tuple(clues),
        answer=Answer(puzzle, answer),
        line="",
        record="",
        minimal=attempt.minimal,
        bound=attempt.bound,
        grade=attempt.grade,
    )
    told_made = recorded(made, dict.fromkeys(spot.param for spot in maker.spots), named)
    if not told_made.readable:
        names = " and ".join(f"`{name}`" for name in dict.fromkeys(spot.param for spot in maker.spots))
        text = abbreviate(told_made.record)
        raise usage_error(
            "E445",
            f"the clues of a puzzle can't be written so that {names} would be read back: {text}",
            help="let the `clue` say other words, without signs that have a meaning in such data",
        )
    return told_made


# --- spot patterns ---------------------------------------------------------------------------------------------------


def spot_units(compiled: Compiled, spots: Sequence[ClueSpot], clues: Sequence[int], name: str) -> list[Unit]:
    """The clues (numbers of spots) that are given together under a symmetry; those that lack a partner are left out.
    name: one of SYMMETRIES. Raises ModelErrors E515 for an unknown one, or if the clues do not stand in grids that have
    it."""
    if name not in SYMMETRIES:
        raise usage_error("E515", f"there is no symmetry `{name}`", word=name, known=list(SYMMETRIES))
    numbers: dict[tuple[str, object], int] = {(spot.param, spot.key): at for at, spot in enumerate(spots)}
    stands: dict[int, tuple[int, ...]] = {}
    images: dict[int, tuple[int, ...]] = {}
    for at in clues:
        spot = spots[at]
        table = compiled.scope.value(spot.param)
        shape = table.shape if isinstance(table, Map) else None
        if shape is None or not (isinstance(spot.key, tuple) and len(spot.key) == 2):
            help = "leave out --symmetry"
            raise usage_error("E515", f"the clues of `{spot.param}` do not stand in a grid of squares", help=help)
        if name in TURNED and shape[0] != shape[1]:
            raise usage_error("E515", f"the board does not have the symmetry `{name}`")
        (r, c), (h, w) = spot.key, shape
        found = []
        for image in SYMMETRIES[name]:
            i, j = image(r - 1, c - 1, h - 1, w - 1)
            found.append(numbers.get((spot.param, (i + 1, j + 1)), -1))
        stands[at] = (at,)
        images[at] = tuple(found)
    return UnitPattern(stands, images).units(clues)


# --- clue maker ------------------------------------------------------------------------------------------------------
# An attempt takes an answer of the model without its clues, all the clues that it would have, and as few of them as
# leave it the only one. Whether some clues are enough is asked of the model itself, compiled with just these clues: so
# the puzzle has one answer, and loses that when any clue goes, whatever a clue does to the model. Another answer is a
# *rival* of every set of clues that are the same there; rivals are kept, and settle most questions before the model is
# compiled.
#
# If clingo is installed, the rules of each clue are switched in one clingo instead (clue_switches.py, clue_rules.py).
# Errors of that are found by asking the compiled model whether all clues are enough, and again about the puzzle.
#
# If even all clues leave a rival, moves to answers nearby lead to one whose clues leave less open (`ClueMoves`). Where
# they lead nowhere, or without clingo, another answer is drawn that has what the answer and its rivals share, or most
# of it.


COUNTING = 2000  # nodes for counting, or listing, the answers of the blank model, where clingo draws them otherwise
LISTED = 500  # answers in that list, at most
NARROW = 8  # changes of a few choices in a row that lead nowhere, after which no more are tried
DRAWN = 3  # answers of which one is chosen
MOVES = 400  # from an answer, to mend it
MENDED = 60  # how often an answer is mended before another one is drawn
LOOSE = 0.1  # the share of what an answer and its rival have in common that is drawn anew as well, at first
MEND_NODES = 2000  # nodes of a search for a mended answer


class ClueMaker:
    """Makes attempts, as `PuzzleMaker` does; the clues of an attempt are the numbers of its spots.
    asked: holds the limits and the clock, and counts nodes and questions.  blank: the model without clues.
    fewest: the search for the fewest clues that is running, or None.  doing: what is tried now, in words."""

    def __init__(self, compiled: Compiled, limits: Limits, settings: Settings, seed: int, wish: Wish) -> None:
        """Raises ModelErrors for a model whose clues can't be told, and E515 for what can't be wished for."""
        self.compiled, self.seed, self.wish = compiled, seed, wish
        self.fewest: FewestDataClues | None = None
        self.doing = ""
        self.spots: tuple[ClueSpot, ...] = clue_spots(compiled)
        if not self.spots:
            raise usage_error("E515", "no puzzle can be made: no `clue` of the model names a place")
        self.blank = compiled.with_data(without_clues(compiled, self.spots))
        self.reader = ClueReader(self.blank, self.spots)
        self.asked = Uniqueness(bare(self.blank.problem), limits, settings)
        self._learns = clingo.INSTALLED and settings.engine == "auto" and not settings.interpreted
        self._first_of: dict[
            int, tuple[OptionNumbers | None, Any]
        ] = {}  # what attempts begin with, and their random numbers
        self._rules: ClueRules | None = None
        if self._learns:
            self._rules = ClueRules(
                lambda: ClueSwitches(self.spots, self.blank, self._compiled),
                self._first_clues,
                lambda: self.asked.stopping,
            )
        self.source = RandomAnswers(self.asked, *((COUNTING, LISTED) if self._learns else ()))

    def _compiled(self, clue_values: Sequence[Value | None]) -> Compiled:
        self.asked.check_limits()
        return self.compiled.with_data(with_clues(self.compiled, self.spots, clue_values))

    def rivals(self, answer: OptionNumbers, clue_values: Sequence[Value | None]) -> ClueRivals | None:
        """Rivals of an answer with these clues, by switches; None if there are none. Raises LimitReached."""
        return None if self._rules is None else self._rules.rivals(answer, clue_values)

    @property
    def throws(self) -> bool:
        """Whether an attempt may make a puzzle that is not as ordered."""
        return self.wish.at_most is not None or self.wish.grade is not None

    def interrupt(self) -> None:
        self.asked.interrupt()

    def attempt(self, number: int) -> Attempt:
        """Make the attempt of that number. Raises LimitReached, except in the search for the fewest clues: then the
        best set so far is the puzzle."""
        nodes, questions = self.asked.nodes, self.asked.questions
        with self.asked, limits_checked_by(self.asked.stop):
            if self._rules is not None:
                self._rules.begin(number)
            made = self._attempt(number)
        return evolve(
            made,
            nodes=self.asked.nodes - nodes,
            questions=self.asked.questions - questions,
        )

    def _begun(self, number: int) -> tuple[OptionNumbers | None, Random]:
        """The answer that an attempt begins with, and its random numbers after that. Raises LimitReached."""
        rng = Random(f"{self.seed}/{number}")
        known = self._first_of.get(number)
        if known is None:
            answer = self._drawn(rng)
            if number < TAUGHT:
                self._first_of[number] = answer, rng.getstate()
            return answer, rng
        rng.setstate(known[1])
        return known[0], rng

    def _first_clues(self, number: int) -> Sequence[Value | None] | None:
        answer, _ = self._begun(number)
        return None if answer is None else self.reader.clue_values(answer)

    def with_clues(self, answer: OptionNumbers, clues: Sequence[int]) -> Compiled:
        """The model with these clues of an answer of the blank model as its data."""
        return self.with_some(self.reader.clue_values(answer), clues)

    def with_some(self, clue_values: Sequence[Value | None], clues: Sequence[int]) -> Compiled:
        """The model with those of the told clues that stand at these spots as its data."""
        given = set(clues)
        some = [value if at in given else None for at, value in enumerate(clue_values)]
        return self.compiled.with_data(with_clues(self.compiled, self.spots, some))

    def contradicted(self, answer: OptionNumbers) -> bool:
        """Whether the model with all clues of an answer of the blank model has no answer."""
        whole = self.with_clues(answer, range(len(self.spots)))
        run = search(bare(whole.problem), limits=Limits(answers=1, nodes=MEND_NODES), settings=self.asked.settings)
        return next(run, None) is None and run.status is Status.EXHAUSTED

    def values(self, attempt: Attempt) -> list[Value | None]:
        """What the clues of an attempt say."""
        clue_values = self.reader.clue_values(attempt.answer)
        return [clue_values[at] for at in attempt.clues]

    def _attempt(self, number: int) -> Attempt:
        self.doing = "drawing an answer"
        answer, rng = self._begun(number)
        if answer is None:
            return Attempt(number, AttemptOutcome.NOTHING)
        question, mended = self._fit(answer, rng)
        if question is None:
            return Attempt(number, AttemptOutcome.AMBIGUOUS, answer)
        self.doing = "leaving out clues"
        units = self._units(question.clue_values)
        rng.shuffle(units)
        bound, minimal, status = None, True, Status.SOLVED
        if self.wish.fewest:
            self.fewest = FewestDataClues(self.asked, question, units, rng)
            found = self.fewest.run()
            self.fewest = None
            kept, bound, minimal = flat(found.units), found.bound, found.minimal
            if not found.proved:
                status = found.status
        else:
            kept = question.thinned(units)
        if self.wish.minimal and self.wish.symmetry is not None:
            tight = not any(question.only([other for other in kept if other != at]) for at in kept)
        else:
            tight = True
        made = Attempt(
            number,
            AttemptOutcome.MADE,
            question.answer,
            tuple(sorted(kept)),
            bound=bound,
            minimal=minimal,
            status=status,
            uniform=self.source.uniform and not mended,
        )
        return self._judged(made, question, tight)

    def _drawn(self, rng: Random) -> OptionNumbers | None:
        """A random answer of the blank model: drawn uniformly where that takes little work, else by clingo, which takes
        or leaves each choice at random; of several, the one whose clues vary most."""
        self.source.choose_way()
        if self.source.uniform or not self._learns:
            return self.source.draw(rng)
        asked = self.asked
        drawn = [asked.first_at_random(asked.problem, rng, None, self._learns) for _ in range(DRAWN)]
        return max((answer for answer in drawn if answer is not None), key=self._variety, default=None)

    def _variety(self, answer: OptionNumbers) -> float:
        """How much the clues of an answer tell, in bits for each spot: little of a loop around one square."""
        times = Counter(self.reader.clue_values(answer))
        whole = sum(times.values())
        return sum(n / whole * log2(whole / n) for n in times.values())

    def _fit(self, answer: OptionNumbers, rng: Random) -> tuple[ClueQuestion | None, int]:
        """A question whose answer, this one or a changed one, all its clues leave the only one, and how often it was
        changed; None if there is none soon."""
        self.doing = "asking whether all clues of an answer are enough"
        question = ClueQuestion(self, answer)
        apart = self._apart(question)
        if apart and self.contradicted(answer):
            return None, 0
        moved = apart and self._moved(answer, rng)
        if moved and moved != answer:
            question = ClueQuestion(self, moved)
            apart = self._apart(question)
            if not apart:
                return question, 1
        best, vain = question, 0
        narrow = NARROW  # how often only a little may still be changed without getting anywhere
        for mended in range(MENDED):
            if not apart:
                return best, mended
            self.doing = f"changing an answer whose clues are not enough ({mended + 1} of at most {MENDED} times)"
            shared = set(apart.common)
            few = narrow and rng.random() < 0.5
            if few:
                apart_ones = [o for o in best.answer if o not in shared]
                free = set(rng.sample(apart_ones, min(rng.randint(1, 3), len(apart_ones))))
                kept = [o for o in best.answer if o not in free]
            else:
                loose = LOOSE * (1 + vain)
                kept = [o for o in best.answer if o in shared and rng.random() >= loose]
            given = {*self.blank.problem.given, *kept}
            narrowed = evolve(self.asked.problem, given=tuple(sorted(given)))
            other = self.asked.first_at_random(narrowed, rng, MEND_NODES, self._learns)
            if other is None or other == best.answer:
                narrow -= bool(few)
                vain += not few
                continue
            tried = ClueQuestion(self, other)
            found = self._apart(tried)
            if not found or found.size <= apart.size + (0 if few else rng.randrange(3)):
                better = not found or found.size < apart.size
                if few and better:
                    narrow = NARROW
                vain = 0 if better else vain + 1
                best, apart = tried, found
            else:
                vain += not few
        return (best, MENDED) if not apart else (None, MENDED)

    def _moved(self, answer: OptionNumbers, rng: Random) -> OptionNumbers:
        """Where moves from an answer lead, to one with fewer rivals or none (`ClueMoves`)."""
        asked, rules = self.asked, self._rules
        if rules is None or rules.names is None:
            return answer
        left = asked.nodes_left

        def stopped() -> bool:
            return asked.stopping or (left is not None and moves.nodes >= left)

        try:
            guessed = GuessedRules(rules.of)
            moves = ClueMoves(asked.problem, guessed.of, rules.names, self.reader.clue_values, stopped)
            found = moves.only(answer, rng, MOVES)
        except Unsuited:
            return answer
        asked.nodes += moves.nodes
        asked.check_limits()
        return found

    def _apart(self, question: ClueQuestion) -> Apart | None:
        units = flat(self._units(question.clue_values))
        if question.rivals is not None:
            found = question.apart_switched(units)
            if found is not None or question.enough(units):
                return found
            question.rivals = None  # the compiled model says otherwise, and it is right
        return None if question.enough(units) else question.apart(units)

    @cached_property
    def unpaired(self) -> int:
        """How many places of clues have no partner under the symmetry. Raises ModelErrors E515, also if that is all of
        them."""
        if self.wish.symmetry is None:
            return 0
        every = range(len(self.spots))
        lacking = len(every) - len(flat(spot_units(self.compiled, self.spots, every, self.wish.symmetry)))
        if lacking == len(every) > 0:
            what = f"no place where a clue may stand has a partner under `{self.wish.symmetry}`"
            raise usage_error("E515", what, help="leave out --symmetry")
        return lacking

    def _units(self, clue_values: Sequence[Value | None]) -> list[Unit]:
        clues = [at for at, value in enumerate(clue_values) if value is not None]
        if self.wish.symmetry is None:
            return [(at,) for at in clues]
        return spot_units(self.compiled, self.spots, clues, self.wish.symmetry)

    def _judged(self, made: Attempt, question: ClueQuestion, tight: bool) -> Attempt:
        wish = self.wish
        if not tight or (wish.at_most is not None and len(made.clues) > wish.at_most):
            return evolve(made, outcome=AttemptOutcome.REJECTED)
        if wish.grade is not None:
            problem = question.problem(made.clues)
            (answer,) = question.answers(problem)
            low, high = wish.grade
            grade = grade_within(problem, answer, low, high, lambda: self.asked.stopping)
            self.asked.check_limits()
            return evolve(made, outcome=AttemptOutcome.REJECTED) if grade is None else evolve(made, grade=grade)
        return made


@frozen
class ClueOrder:
    """What puzzles are to be like, as other processes get it, which compile the model themselves. It can be pickled.
    model: the statements, with those of its libraries.  data: the values of all params, so that no file is read again.
    wish: without the user's test of each puzzle."""

    model: CheckedModel = field(repr=False)
    data: Mapping[str, Value] = field(repr=False)
    compiling: CompileLimits
    seed: int
    wish: Wish

    def maker(self, limits: Limits, settings: Settings) -> ClueMaker:
        """What makes attempts at such puzzles. Takes the time of compiling the model twice, once without clues."""
        compiled = compile_model(self.model, self.data, limits=self.compiling)
        return ClueMaker(compiled, limits, settings, self.seed, self.wish)


def clue_order(compiled: Compiled, seed: int, wish: Wish) -> ClueOrder:
    """The order of puzzles of a compiled model."""
    data = {name: value for name, _, _, value in compiled.parameters}
    return ClueOrder(compiled.model, data, compiled.scope.limits, seed, evolve(wish, fits=None))
