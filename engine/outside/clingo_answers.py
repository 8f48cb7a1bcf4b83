"""Questions asked again and again of one clingo, under some of many conditions."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any

from attrs import field

from covr.engine.base.alone import wanted
from covr.engine.base.limits import LOOK, with_limit_checks
from covr.engine.check import check
from covr.engine.outside.clingo import SEEDS, control_of, spent
from covr.engine.outside.clingo_rules import NumberSets, Rules
from covr.engine.outside.clingo_shares import RuleWriter, new_atoms, true_atoms
from covr.engine.problem import Problem, Side, Total
from covr.frozen import frozen

# --- clingo answers --------------------------------------------------------------------------------------------------
# Single answers by clingo that take one of some options, or that lack one of them.
#
# This is how brave and cautious consequences are found: an answer with an option that no answer has had so far, again
# and again until there is none; then an answer without one of the options that all have had. clingo has modes of its
# own for that (`--enum-mode`). They tell only what the answers come to, and not the answers, which could not be checked
# then. Here each question is an atom that is assumed, and everything that was learned is kept from one to the next.


class Asking:
    """One clingo that is asked for one answer after another, each under other assumptions. nodes: conflicts and
    questions so far."""

    def __init__(self, stopped: Callable[[], bool]) -> None:
        """stopped: whether nothing more is wanted; looked at while clingo searches."""
        self.nodes = 0
        self._stopped = stopped
        self._control = control_of(["1"])
        self._new = new_atoms()
        self._atoms: Sequence[int] = ()  # of the options

    @contextmanager
    def _one_of(self, literals: Sequence[int]) -> Iterator[list[int]]:
        """Within this context, what is to be assumed so that these literals are not all true; nothing for none of
        them."""
        assumed: list[int] = []
        if literals:
            with self._control.backend() as backend:
                assumed = [self._new()]
                backend.add_rule(assumed, [], True)
                backend.add_rule([], [*assumed, *literals])
        yield assumed
        if assumed:
            with self._control.backend() as backend:
                backend.add_rule([], assumed)

    def _came(self, call: Any) -> bool:
        """Wait until a search has come to something. False if it was stopped before: then it is over."""
        while not call.wait(LOOK):
            if self._stopped():
                call.cancel()
                return False
        return True

    def _found(
        self,
        assumed: Sequence[int],
        ended: Callable[[Sequence[int]], None] = lambda core: None,
        atoms: Sequence[int] | None = None,
    ) -> tuple[int, ...] | None:
        """Those of some atoms, by their positions, that an answer has: of the options, if none are named. None if there
        is no answer, or if it was stopped. ended: told what was assumed and needed, if it is certain that there is
        none."""
        found = None
        with self._control.solve(assumptions=[*assumed], yield_=True, async_=True) as call:
            call.resume()
            if not self._came(call):
                return None
            model = call.model()
            if model is not None:
                read = self._atoms if atoms is None else atoms
                found = tuple(true_atoms(model, array("i", read)))
            elif call.get().unsatisfiable:
                ended(call.core())
        self.nodes += 1 + spent(self._control, "conflicts")
        return found


class ClingoAnswers(Asking):
    """Asks for one answer after another."""

    def __init__(self, problem: Problem, stopped: Callable[[], bool]) -> None:
        """stopped: as of `Asking`. Raises Unsuited as `Rules`, and LimitReached as limits.py says."""
        super().__init__(stopped)
        self.problem = problem
        with self._control.backend() as backend:
            self._atoms = Rules(problem, self._control, backend, self._new).atoms

    def any(self) -> tuple[int, ...] | None:
        """An answer; None if there is none, or if it was stopped, which `stopped` tells."""
        return self._ask([])

    def with_one_of(self, options: Sequence[int]) -> tuple[int, ...] | None:
        """An answer that takes one of these; None as in `any`."""
        return self._ask([-self._atoms[o] for o in options])

    def without_one_of(self, options: Sequence[int]) -> tuple[int, ...] | None:
        """An answer that lacks one of these; None as in `any`."""
        return self._ask([self._atoms[o] for o in options])

    def _ask(self, forbidden: list[int]) -> tuple[int, ...] | None:
        """An answer in which these literals are not all true."""
        with self._one_of(forbidden) as assumed:
            found = self._found(assumed)
        if found is not None:
            wrong = check(self.problem, found)
            assert wrong is None, wrong
        return found


# --- clingo switched -------------------------------------------------------------------------------------------------
# Whether an answer is the only one under some of many conditions, asked again and again of one clingo.
#
# Each condition hangs on switches, and a question says which of these are on. What was learned is kept from one
# question to the next, and where there is no other answer, clingo tells which of the switches it took to find that out:
# the others need not be on. Switches that a question does not name may be either way, which is the weakest that can be
# said of them.
#
# Source: Eén and Sörensson, "Temporal induction by incremental SAT solving", ENTCS 89, 2003, for assumptions; Andres,
# Kaufmann, Matheis and Schaub (see clingo.py) for cores of them.


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
        than `answer`.  stopped: as of `Asking`. Raises Unsuited and LimitReached as `Rules` does."""
        super().__init__(stopped)
        self.settled = False
        self.core: tuple[Switch, ...] = ()
        with self._control.backend() as backend:
            rules = Rules(problem, self._control, backend, self._new)
            self._atoms = rules.atoms
            count = max((abs(s) for one in switched for s in one.when), default=0)
            self._switches = [self._new() for _ in with_limit_checks(range(count))]
            if count:
                backend.add_rule(self._switches, [], True)
            for one in with_limit_checks(switched):
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


# --- clingo taken ----------------------------------------------------------------------------------------------------
# Which options the answers of a problem take, under some of many conditions, asked again and again of one clingo.
#
# That is its mode for brave consequences: each answer that it goes on to takes an option that none before it took,
# until there is none, and what was learned is kept from one question to the next. The answers themselves are not seen
# and not checked, so this serves to choose by, and proves nothing. After each answer clingo begins anew, so that the
# next one has more that is new.
#
# Source: Gebser, Kaufmann and Schaub (see clingo.py).


class TakenOptions(Asking):
    """Finds the options that some answer takes."""

    def __init__(self, problem: Problem, telling: int, stopped: Callable[[], bool]) -> None:
        """problem: what holds always.  telling: the options below this number are asked about.  stopped: as of
        `Asking`. Raises Unsuited and LimitReached as `Rules` does."""
        super().__init__(stopped)
        self._problem = problem
        self.settled = False
        self._switches: list[int] = []
        clingo = wanted("clingo", "clingo", "the engine `clingo`")
        with self._control.backend() as backend:
            for o in with_limit_checks(range(telling)):  # clingo counts what has a name; these are its first atoms
                atom = backend.add_atom(clingo.Function("o", [clingo.Number(o)]))
                assert atom == o + 1, "options are the first atoms"
            self._written = Rules(problem, self._control, backend, self._new).atoms
        self._sets = NumberSets(problem, self._written)
        self._control.configuration.solve.models = "0"
        self._control.configuration.solve.enum_mode = "brave"
        for solver in self._control.configuration.solver:
            solver.restart_on_model = "1"

    def switches(self, what: Sequence[SwitchedItem | Side | Untaken]) -> list[Switch]:
        """A new switch for each of these, which hold where it is on."""
        made = []
        with self._control.backend() as backend:
            rules = Rules.more(self._problem, self._control, backend, self._new, self._written)
            write = RuleWriter(backend, self._new)
            for one in with_limit_checks(what):
                atom = self._new()
                backend.add_rule([atom], [], True)
                sums = self._sets.sums(one, write) if isinstance(one, Total) else None
                with rules.only_if([atom]), write.only_if([atom]):
                    if isinstance(one, Total) and sums is not None:
                        NumberSets.within(sums, one.sums, write)
                    else:
                        put(one, rules)
                self._switches.append(atom)
                made.append(len(self._switches))
        return made

    def ask(
        self, on: Sequence[Switch], known: Sequence[int], most: int | None, nodes: int | None
    ) -> frozenset[int] | None:
        """The options that some answer takes with these switches on, or those found with these nodes; None if they are
        more than `most`, if `known` is no answer, or if it was stopped. `settled` tells whether they are all.

        known: an answer, with which clingo begins: without it, the first answer is sometimes as hard to find as all."""
        self._control.configuration.solve.solve_limit = "umax,umax" if nodes is None else f"{max(nodes, 1)},umax"
        assumed = [self._switches[s - 1] for s in on]
        found = self._union([*assumed, *[self._written[o] for o in known]], None)
        return self._union(assumed, most) if found is not None else None

    def _union(self, assumed: Sequence[int], most: int | None) -> frozenset[int] | None:
        self.settled = False
        found: frozenset[int] | None = None
        with self._control.solve(assumptions=assumed, yield_=True, async_=True) as call:
            while True:
                call.resume()
                if not self._came(call):
                    return None
                model = call.model()
                if model is None:
                    self.settled = call.get().exhausted
                    break
                symbols = model.symbols(shown=True)
                if most is not None and len(symbols) > most:
                    call.cancel()
                    found = None
                    break
                found = frozenset([symbol.arguments[0].number for symbol in symbols])
        self.nodes += 1 + spent(self._control, "conflicts")
        return found


class NearAnswers(ClingoAnswers):
    """Random answers of a problem that take given options. They depend on those that were drawn before."""

    def draw(self, kept: Sequence[int], other: Sequence[int], rng: Random, nodes: int) -> tuple[int, ...] | None:
        """An answer that takes the options in `kept`, and not all of those in `other`, if there are any; None if there
        is none, if these nodes did not suffice, or if it was stopped."""
        control = self._control
        for solver in control.configuration.solver:
            solver.seed, solver.rand_freq, solver.sign_def = str(rng.randrange(SEEDS)), "1.0", "rnd"
            solver.save_progress = "0"
        control.configuration.solve.solve_limit = f"{max(nodes, 1)},umax"
        with self._one_of([self._atoms[o] for o in other]) as question:
            return self._found([*question, *[self._atoms[o] for o in kept]])
