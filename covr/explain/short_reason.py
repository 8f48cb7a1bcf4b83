"""The shortest reason that is found, and what would cure it: minimal sets of constraints, in an author's words.

What is told while shorter ones are looked for is heard of here, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from covr.engine.proofs.conflict import ORDERS, SECOND, Conflict, ConflictVerdict, Relaxing, Unit
from covr.explain.constraints import Constraints
from covr.explain.member import Member
from covr.explain.wording import said

MOST_SHORT = 3  # a reason of so many lines is short enough
MOST_ORDERS = 16  # that are tried while a second's work is not done; ORDERS are tried in any case
MOST_TRIED = 300  # how many givens are left out one by one, at most

Heard = Callable[[Sequence[int], bool], None]  # constraints, and whether they are minimal


class ShortReason:
    """Looks for a reason among the constraints of a problem that has no answer."""

    def __init__(self, constraints: Constraints, relaxing: Relaxing, heard: Heard) -> None:
        """heard: is told of the shortest reason so far, once a second's work is done."""
        self._constraints, self._relaxing, self._budget = constraints, relaxing, relaxing.budget
        self._heard = heard
        self._told = False

    def find(self) -> Conflict:
        """The shortest of several minimal sets, in words and then in all.

        The rules that are said are shrunk first, all of the others beside them, and then these: so as few as possible
        are said. Where all are said, those that hold a clue come first. Without any, the smaller of two sets is taken:
        one among all constraints, one among those of a minimal set of rules.
        """
        first, rest = self._constraints.said(self._relaxing.everything)
        quiet = bool(rest)
        if not quiet:
            first, rest = self._constraints.clues_first(self._relaxing.everything)
        best: Conflict | None = None
        for one in self._in_two_steps(first, rest, quiet) if rest else self._sets():
            if best is None or self._rank(one) < self._rank(best):
                best = one
                if self._budget.work >= SECOND:
                    self._tell(one.constraints, one.minimal)
            if self._budget.spent or self._rank(best)[1] <= MOST_SHORT:
                break
        assert best is not None
        return best

    def _sets(self) -> Iterator[Conflict]:
        """Minimal sets where every rule is said."""
        relaxing = self._relaxing
        self._listen(())
        yield relaxing.shrink([(c,) for c in relaxing.everything])
        rules = relaxing.shrink(self._constraints.statements(relaxing.everything), orders=1)
        yield relaxing.shrink([(c,) for c in rules.constraints])

    def _in_two_steps(self, first: list[Unit], rest: Unit, quiet: bool) -> Iterator[Conflict]:
        """Minimal sets in which few of the first constraints are, in several orders. first: in units, each of which is
        said in one line.  rest: the others.  quiet: whether they are not said. Then an order that needs as many of the
        first as another did ends there."""
        fewest: int | None = None
        for order in range(MOST_ORDERS):
            if order >= ORDERS and self._budget.work >= SECOND:
                break
            self._listen(rest)
            few = self._relaxing.shrink(first, orders=1, beside=rest, first=order)
            if fewest is not None and len(few.units) >= fewest + (not quiet):
                continue
            self._listen(())
            found = self._relaxing.shrink([(c,) for c in (*few.constraints, *rest)], orders=1, first=order)
            if found.minimal and (fewest is None or len(few.units) < fewest):
                fewest = len(few.units)
            yield found

    def _rank(self, conflict: Conflict) -> tuple[bool, int, int]:
        """Sets are preferred if they are minimal, then if they take few lines, then if they are small."""
        words = len(said(self._constraints.compiled, tuple(map(self._constraints.member, conflict.constraints))))
        return not conflict.minimal, words, len(conflict.units)

    def _listen(self, beside: Unit) -> None:
        """Hear of the sets to which constraints are shrunk, to each of which others belong."""

        def heard(units: Sequence[Unit]) -> None:
            if not self._told and self._budget.work >= SECOND:
                self._tell(sorted({c for unit in (*units, beside) for c in unit}), False)

        self._relaxing.heard = heard

    def _tell(self, constraints: Sequence[int], minimal: bool) -> None:
        self._told = True
        self._heard(constraints, minimal)


def cures_of(constraints: Constraints, relaxing: Relaxing, conflict: Conflict) -> tuple[Member, ...]:
    """The givens or, if there are none, the clues or whole rules of which each one, if it alone is left out,
    leaves an answer.

    Only those in the conflict have to be tried.
    """

    def leaves(some: Iterable[int]) -> bool:
        dropped = set(some)
        verdict: ConflictVerdict = relaxing.solve(c for c in relaxing.everything if c not in dropped)
        return verdict.answer is not None

    members = conflict.constraints
    givens = [c for c in members if constraints.is_given(c)][:MOST_TRIED]
    found = [constraints.member(c) for c in givens if leaves((c,))]
    if found or len(members) == len(relaxing.everything):
        return tuple(found)
    one_by_one = [unit for unit in constraints.clues(members)[:MOST_TRIED] if leaves(unit)]
    if one_by_one:
        return tuple(constraints.member(unit[0]) for unit in one_by_one)
    statements = [u for u in constraints.statements(relaxing.everything) if not constraints.is_given(u[0])]
    if len(statements) < 2:
        return ()
    touched = [u for u in statements if not set(u).isdisjoint(members)]
    return tuple(constraints.statement(u[0]) for u in touched if leaves(u))
