"""Draws random answers of a problem again and again, uniformly where that takes little work.

- If the answers can be counted with a memo within `COUNTING` nodes, each has exactly the same chance (sample.py).
- If they can be listed within `COUNTING` nodes, and there are at most `LISTED`, so, too.
- Otherwise it is the first answer of a search whose ways are shuffled, in the batch kernel where that suits, begun anew
  if it takes long. If none comes soon, an answer is built up: options in random order are taken where an answer with
  them remains, until only one does; several are tried at once, and fewer where no answer has them all. All such answers
  are random but not uniform.

All limits are numbers of nodes, so the same random numbers draw the same answers on every machine. (sampling.py in
covr/questions draws a sample for its own sake, and spends up to a minute to make it uniform.)
"""

from __future__ import annotations

from contextlib import suppress
from random import Random

from attrs import evolve

from covr.engine.base.extras import Unsuited
from covr.engine.base.heed import Stopped
from covr.engine.base.limits import Limits
from covr.engine.base.status import Status
from covr.engine.dispatch import search
from covr.engine.puzzles.clues import Uniqueness
from covr.engine.puzzles.learned_clues import learns
from covr.engine.sampling.sample import Drawer, suits
from covr.engine.search import Answer
from covr.engine.sides import Connection, Side, Total

COUNTING = 20_000  # nodes that counting all answers may take, and again listing them
LISTED = 10_000  # answers that are kept in a list, at most
CHECKED = 5_000_000  # terms of side conditions, in all, that answers for that list are checked against
MEMO = 64 << 20  # bytes for the memo of the count
TOGETHER = 8  # options that are tried at once
VAIN = 40  # options in a row that no answer has beside those taken; then the first answer of a search is as good

MEMO_WAY, LIST_WAY, BUILT_WAY = "memo", "listed", "built"


class RandomAnswers:
    """Random answers of the problem that `asked` is about. For one thread at a time.

    way: `memo`, `listed` or `built`; None until the first answer is drawn.
    """

    def __init__(self, asked: Uniqueness, counting: int | None = None, listed: int | None = None) -> None:
        """counting, listed: what is tried for answers that are drawn uniformly; None: `COUNTING`, and `LISTED`."""
        self._asked = asked
        self._counting = COUNTING if counting is None else counting
        self._most = LISTED if listed is None else listed
        self._problem = asked.problem
        self._drawer: Drawer | None = None
        self._list: list[Answer] = []
        self.way: str | None = None
        self._barred: dict[int, frozenset[int]] = {}

    @property
    def uniform(self) -> bool:
        """Whether every answer has exactly the same chance."""
        return self.way in (MEMO_WAY, LIST_WAY)

    def draw(self, rng: Random) -> Answer | None:
        """A random answer; None if there is none. Raises Stopped."""
        self.choose_way()
        if self._drawer is not None:
            return self._drawer.draw(rng) if self._drawer.total() else None
        if self.way == LIST_WAY:
            return self._list[rng.randrange(len(self._list))] if self._list else None
        return self._built(rng) if self._asked.native else self._shuffled(rng)

    def choose_way(self) -> None:
        """Find out in which way answers are drawn, if that is not known yet. Raises Stopped."""
        if self.way is not None:
            return
        asked = self._asked
        if suits(self._problem):
            drawer = Drawer(self._problem, evolve(asked.settings, memory=min(asked.settings.memory, MEMO)))
            before = drawer.counters.nodes
            try:
                drawer.total(Limits(nodes=asked.at_most(self._counting), seconds=asked.clock.left))
                self._drawer, self.way = drawer, MEMO_WAY
                return
            except Stopped:
                asked.heed()
            finally:
                asked.nodes += drawer.counters.nodes - before
        most = min(self._most, CHECKED // (1 + sum(_length(side) for side in self._problem.sides)))
        limits = Limits(answers=most + 1, nodes=asked.at_most(self._counting), seconds=asked.clock.left)
        run = search(self._problem, limits=limits, settings=evolve(asked.settings, seed=None))
        with asked.watching(run):
            found = list(run)
        if run.status is Status.EXHAUSTED:
            self._list, self.way = found, LIST_WAY
        else:
            asked.heed()
            self.way = BUILT_WAY

    def _built(self, rng: Random) -> Answer | None:
        drawn = self._asked.random(rng)
        if drawn is not None:
            return drawn
        found = self._asked.answers(())
        order = _Shuffled(self._problem.options, rng)
        taken: list[int] = []
        out: set[int] = set()  # options that can't be taken beside those taken, because they share an item with one
        together, vain = TOGETHER, 0
        waiting: list[list[int]] = []  # options to try at once, the next ones last
        while found is not None and len(found) > 1 and vain < VAIN:
            tried = waiting.pop() if waiting else self._compatible(order, out, together)
            if not tried:
                break
            left = self._asked.answers([*taken, *tried], quick=True)
            if left:
                found = left
                taken += tried
                vain = 0
                for o in tried:
                    out |= self._rivals(o)
                if not waiting:
                    together = min(2 * together, TOGETHER)
            elif len(tried) > 1:
                half = len(tried) // 2
                waiting += [tried[half:], tried[:half]]
                together = max(together // 2, 1)
            else:
                vain += 1
        return found[rng.randrange(len(found))] if found else None

    def _compatible(self, order: _Shuffled, out: set[int], most: int) -> list[int]:
        """The next options of the order, at most so many, that can be taken beside each other and those taken."""
        found: list[int] = []
        barred: set[int] = set()
        while len(found) < most and (o := order.next()) is not None:
            if o not in out and o not in barred:
                found.append(o)
                barred |= self._rivals(o)
        return found

    def _rivals(self, option: int) -> frozenset[int]:
        """The options that share an item that holds one option at most, the option itself included; with colours, they
        may show the same one, so none are ruled out there."""
        problem = self._problem
        found = self._barred.get(option)
        if found is None:
            shared = () if problem.colours else problem.option(option)
            items = [i for i in shared if problem.high[i] == 1]
            found = frozenset([option]).union(*(problem.holders[i] for i in items))
            self._barred[option] = found
        return found

    def _shuffled(self, rng: Random) -> Answer | None:
        asked = self._asked
        seed = rng.getrandbits(32)
        limits = Limits(answers=1, nodes=asked.nodes_left, seconds=asked.clock.left, memory=asked.limits.memory)
        run = None
        if learns(asked):
            with suppress(Unsuited):
                run = search(self._problem, limits=limits, settings=evolve(asked.settings, seed=seed, engine="clingo"))
        if run is None:
            run = search(self._problem, limits=limits, settings=evolve(asked.settings, seed=seed))
        with asked.watching(run):
            found = next(run, None)
        if found is None and run.status is not Status.EXHAUSTED:
            asked.heed()
            raise Stopped(Status.LIMIT)
        return found


def _length(side: Side) -> int:
    """How many terms, or places, are looked at to check a side."""
    return len(side.terms if isinstance(side, Total) else side.places if isinstance(side, Connection) else side.ends)


class _Shuffled:
    """The numbers from 0 to n - 1 in random order. Only those that are asked for cost anything."""

    def __init__(self, n: int, rng: Random) -> None:
        self._numbers, self._rng, self._at = list(range(n)), rng, 0

    def next(self) -> int | None:
        """The next number; None after the last."""
        numbers, at = self._numbers, self._at
        if at == len(numbers):
            return None
        other = self._rng.randrange(at, len(numbers))
        numbers[at], numbers[other] = numbers[other], numbers[at]
        self._at += 1
        return numbers[at]
