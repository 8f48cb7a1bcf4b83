"""Whether an answer is the only one under some of many conditions, asked again and again of one clingo.

Each condition hangs on switches, and a question says which of these are on. What was learned is kept from one question
to the next, and where there is no other answer, clingo tells which of the switches it took to find that out: the others
need not be on. Switches that a question does not name may be either way, which is the weakest that can be said of them.

Source: Eén and Sörensson, "Temporal induction by incremental SAT solving", ENTCS 89, 2003, for assumptions; Andres,
Kaufmann, Matheis and Schaub (see clingo.py) for cores of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import field

from covr.engine.base.heed import heeded
from covr.engine.outside.clingo_answers import Asking
from covr.engine.outside.clingo_rules import Rules
from covr.engine.problem import Problem
from covr.engine.sides import Side
from covr.frozen import frozen

Switch = int  # a switch is on; minus that: it is off. Switches are numbered from 1


@frozen
class SwitchedItem:
    """An item as in a Problem. column: its options, each with its colour."""

    low: int
    high: int
    column: tuple[tuple[int, int], ...] = field(repr=False)


def taken(option: int) -> SwitchedItem:
    """That an option is taken."""
    return SwitchedItem(1, 1, ((option, 0),))


@frozen
class Untaken:
    """An option may not be taken."""

    option: int


def put(what: SwitchedItem | Side | Untaken, rules: Rules) -> None:
    """Write one of these as rules. Raises Unsuited as `Rules.side`."""
    if isinstance(what, SwitchedItem):
        rules.item(what.low, what.high, what.column)
    elif isinstance(what, Untaken):
        rules.untaken(what.option)
    else:
        rules.side(what)


@frozen
class Switched:
    """What holds where all of these switches are so."""

    when: tuple[Switch, ...]
    what: SwitchedItem | Side | Untaken


class OtherAnswers(Asking):
    """Looks for answers of a problem other than a known one, if one is known.

    core: the switches that the last question needed, if it found no answer."""

    def __init__(
        self,
        problem: Problem,
        switched: Sequence[Switched],
        answer: Sequence[int] | None,
        telling: Sequence[int],
        stopped: Callable[[], bool],
    ) -> None:
        """problem: what holds whatever the switches are.  telling: the options of which another answer has others taken
        than `answer`.  stopped: as of `Asking`. Raises Unsuited and Stopped as `Rules` does."""
        super().__init__(stopped)
        self.settled = False
        self.core: tuple[Switch, ...] = ()
        with self._control.backend() as backend:
            rules = Rules(problem, backend, self._new)
            self._atoms = rules.atoms
            count = max((abs(s) for one in switched for s in one.when), default=0)
            self._switches = [self._new() for _ in heeded(range(count))]
            if count:
                backend.add_rule(self._switches, [], True)
            for one in heeded(switched):
                with rules.only_if([self._literal(s) for s in one.when]):
                    put(one.what, rules)
            if answer is None:
                return
            own = set(answer)
            backend.add_rule([], [self._atoms[o] if o in own else -self._atoms[o] for o in telling])

    def _literal(self, switch: Switch) -> int:
        atom: int = self._switches[abs(switch) - 1]
        return atom if switch > 0 else -atom

    def ask(self, on: Sequence[int], nodes: int | None, lacking: Sequence[int] = ()) -> tuple[int, ...] | None:
        """Another answer with these switches on, and, if there are any options in `lacking`, without one of them. None
        if there is none, or if it was stopped or these nodes did not suffice, which `settled` tells."""
        with self._one_of([self._atoms[o] for o in lacking]) as question:
            return self._under(on, nodes, question)

    def has(self, on: Sequence[int], nodes: int | None) -> bool:
        """Whether there is another answer with these switches on, as far as `settled` tells. Which one is not read, and
        that takes a third of the time where there are thousands of options."""
        return self._under(on, nodes, (), ()) is not None

    def _under(
        self, on: Sequence[int], nodes: int | None, question: Sequence[int], atoms: Sequence[int] | None = None
    ) -> tuple[int, ...] | None:
        """What `_found` gives with these switches on and this assumed."""
        self.settled = False
        self._control.configuration.solve.solve_limit = "umax,umax" if nodes is None else f"{max(nodes, 1)},umax"
        known = {self._switches[s - 1]: s for s in on if s <= len(self._switches)}

        def ended(core: Sequence[int]) -> None:
            self.core = tuple(sorted(known[atom] for atom in core if atom in known))
            self.settled = True

        found = self._found([*known, *question], ended, atoms)
        self.settled = self.settled or found is not None
        return found


__all__ = ["OtherAnswers", "Switch", "Switched", "SwitchedItem", "Untaken", "put", "taken"]
