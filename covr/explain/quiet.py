"""What is known of helpers by moves that were not told, and the rules by which it is known."""

from __future__ import annotations

from collections.abc import Iterable, Set
from typing import TYPE_CHECKING

from covr.engine.proofs.ground import struck
from covr.engine.proofs.way import Reason
from covr.engine.sides import Connection, Total
from covr.explain.member import Member
from covr.frozen import frozen

if TYPE_CHECKING:
    from covr.engine.problem import Problem


@frozen
class QuietMove:
    """A move that was not told. rules: of its reason.  values: of what it says.  facts: options known by moves that
    were not told either, on which it rests."""

    rules: tuple[Member, ...]
    values: dict[int, bool]
    facts: frozenset[int]


class Quiet:
    """Values of options that no move has told of."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self.values: dict[int, bool] = {}
        self._moves: dict[int, QuietMove] = {}  # in the order in which they were made

    def learn(self, move: Reason, rules: tuple[Member, ...], facts: Iterable[int], known: Set[int]) -> None:
        """Keep what a move says, and what is out for free after it. known: the options whose values were known."""
        free = struck(self._problem, move.taken) - known if move.taken else set()
        values = {**dict.fromkeys(move.taken, True), **dict.fromkeys(move.out, False)}
        made = QuietMove(rules, values, frozenset(facts))
        for o in {**values, **dict.fromkeys(sorted(free))}:
            self._moves.setdefault(o, made)
            self.values.setdefault(o, values.get(o, False))

    def within(self, conditions: Iterable[int]) -> dict[int, bool]:
        """The values of those that these conditions concern."""
        if not self.values:
            return {}
        here = {o for c in conditions for o in concerned(self._problem, c)}
        return {o: self.values[o] for o in sorted(here & self.values.keys())}

    def moves_to(self, options: Iterable[int]) -> tuple[QuietMove, ...]:
        """The moves by which some options are known, and those on which these rest, in order."""
        needed: set[int] = set()
        todo = set(options)
        while todo:
            o = todo.pop()
            if o in self._moves and o not in needed:
                needed.add(o)
                todo |= self._moves[o].facts
        once = {id(move): move for o, move in self._moves.items() if o in needed}
        return tuple(once.values())

    def tell(self, moves: Iterable[QuietMove]) -> None:
        """Forget moves that have been told now."""
        gone = {id(move) for move in moves}
        for o in [o for o, move in self._moves.items() if id(move) in gone]:
            del self._moves[o], self.values[o]


def concerned(problem: Problem, condition: int) -> Iterable[int]:
    """All options that an item or a side is about."""
    if condition < problem.items:
        return problem.holders[condition]
    side = problem.sides[condition - problem.items]
    if isinstance(side, Total):
        return (o for o, _ in side.terms)
    return (o for o, _ in side.places) if isinstance(side, Connection) else (o for o, _, _ in side.ends)
