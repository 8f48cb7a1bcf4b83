"""Gives the methods of a best value their turns, by what each gained lately for its work.

Some rows have one turn each at the beginning. After these, the next turn always goes to the method that would have the
least work by its end, divided by its weight. A turn is as long as half of what the method did before, so what was in
vain at last is a third of its work at most, and a method that begins late catches up in few turns.

The weight is the row's own (`Entrant.work`, a prior), times a factor: twice as much after each turn that gained, half
as much after each that did not. A turn gains if it brings a first answer, closes some of the gap between the bound and
the best answer, or does some of the method's own way (`Entrant.share`). Who is furthest on its way has the greatest.

- A method that gains nothing sleeps longer and longer, as its turns do. It never starves: its weight stays above 0.
- A turn that took longer than it was granted is paid for: the others come before the next one.
- A method that takes long to prepare waits until all the others have done as much work (`Entrant.begins`).

All of it is counted in work (turns.py), so a question has the same turns on every machine, wherever pauses fall.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from covr.engine.settings import USUAL_PACE, Pace
from covr.engine.turns import CheapestTurns, Entrant, Timetable

GAIN = 0.05  # share of the gap by which an answer is better, or of a method's own way; less is no reason to prefer it
RISE = 0.01  # the same for the bound, which is harder to raise
PAST = 2  # a turn is this part of all that the method has done before
FAVOUR = 8  # the greatest factor of a weight, and the inverse of the least


class GainTurns(CheapestTurns):
    """Turns of methods that look for ever cheaper answers."""

    def __init__(
        self, table: Timetable, paid: Callable[[tuple[int, ...]], int], ceiling: int | None, pace: Pace = USUAL_PACE
    ) -> None:
        super().__init__(table, paid, ceiling, pace)
        self._opened = 0  # turns of the head that are over or passed by
        self._spent: dict[str, int] = {}  # work per row
        self._factors: dict[str, float] = {}
        self._standing: tuple[int | None, int | None, float] = (None, None, 0.0)  # best cost, bound and share before

    def factor(self, name: str) -> float:
        """The factor of a row's weight that its last turns have earned."""
        return self._factors.get(name, 1.0)

    def _next(self) -> None:
        super()._next()
        assert self._row is not None
        self._standing = (self._cost, self._bound, self._row.share())

    def _due(self) -> Iterator[tuple[Entrant, float]]:
        while self._opened < len(self.table.head):
            self._opened += 1
            row = self.table.head[self._opened - 1]
            yield row, row.turn
        rows = self.table.rounds
        furthest = max(rows, key=lambda row: row.share())
        choices = []
        for place, row in enumerate(rows):
            spent = self._spent.get(row.name, 0)
            factor = FAVOUR if row is furthest and row.share() > GAIN else self.factor(row.name)
            work = max(row.turn, spent // PAST)
            early = row.begins() > self.work  # such rows come only if no other has a turn
            choices.append((early, (spent + work) / (max(row.turn, 1) * factor), place, row, work))
        for _, _, _, row, work in sorted(choices, key=lambda choice: choice[:3]):
            yield row, work

    def _settle(self, row: Entrant) -> None:
        """Count a turn that is over, and set the weight by what it gained."""
        super()._settle(row)
        assert self.now is not None
        name = row.name
        self._spent[name] = self._spent.get(name, 0) + self.now.work - self.began
        factor = self.factor(name)
        self._factors[name] = (
            min(max(2 * factor, 1), row.most) if self._gains(row) else max(min(factor / 2, 1), 1 / FAVOUR)
        )

    def _gains(self, row: Entrant) -> bool:
        """Whether the turn that is over gained something."""
        best, bound, share = self._standing
        if best is None or bound is None or self._cost is None or self._bound is None:
            return (best, bound) != (self._cost, self._bound) or row.share() - share > GAIN
        gap = best - bound
        better, higher = best - self._cost > GAIN * gap, self._bound - bound > RISE * gap
        return better or higher or row.share() - share > GAIN
