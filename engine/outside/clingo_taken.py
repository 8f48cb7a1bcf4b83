"""Which options the answers of a problem take, under some of many conditions, asked again and again of one clingo.

That is its mode for brave consequences: each answer that it goes on to takes an option that none before it took, until
there is none, and what was learned is kept from one question to the next. The answers themselves are not seen and not
checked, so this serves to choose by, and proves nothing. After each answer clingo begins anew, so that the next one has
more that is new.

Measured, CPU, the first 100 questions of a search for a kakuro of 8 × 8 squares with all its clues, on three layouts:
1.2, 2.8 and 4.6 s without beginning anew, after 1860, 2760 and 3560 answers; 0.8, 1.8 and 2.8 with it, after 720, 1090
and 1460. Totals of different numbers as sets of numbers (clingo_sets.py): 150 questions 1.4, 4.5 and 4.9 s instead of
3.8, 12.0 and 8.8 by weight rules, still without beginning anew. Random signs, signs that rather take, kept signs and a
few random choices change nothing beyond noise; other heuristics take 1.2 to 2 times as long.

Source: Gebser, Kaufmann and Schaub (see clingo.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from covr.engine.base.extras import wanted
from covr.engine.base.heed import heeded
from covr.engine.outside.clingo import SEEDS, spent
from covr.engine.outside.clingo_answers import Asking, ClingoAnswers
from covr.engine.outside.clingo_rules import Rules
from covr.engine.outside.clingo_sets import NumberSets
from covr.engine.outside.clingo_switched import Switch, SwitchedItem, Untaken, put
from covr.engine.outside.clingo_writer import RuleWriter
from covr.engine.problem import Problem
from covr.engine.sides import Side, Total


class TakenOptions(Asking):
    """Finds the options that some answer takes."""

    def __init__(self, problem: Problem, telling: int, stopped: Callable[[], bool]) -> None:
        """problem: what holds always.  telling: the options below this number are asked about.  stopped: as of
        `Asking`. Raises Unsuited and Stopped as `Rules` does."""
        super().__init__(stopped)
        self._problem = problem
        self.settled = False
        self._switches: list[int] = []
        clingo = wanted("clingo", "clingo", "the engine `clingo`")
        with self._control.backend() as backend:
            for o in heeded(range(telling)):  # clingo counts what has a name; these are its first atoms
                atom = backend.add_atom(clingo.Function("o", [clingo.Number(o)]))
                assert atom == o + 1, "options are the first atoms"
            self._written = Rules(problem, backend, self._new).atoms
        self._sets = NumberSets(problem, self._written)
        self._control.configuration.solve.models = "0"
        self._control.configuration.solve.enum_mode = "brave"
        for solver in self._control.configuration.solver:
            solver.restart_on_model = "1"

    def switches(self, what: Sequence[SwitchedItem | Side | Untaken]) -> list[Switch]:
        """A new switch for each of these, which hold where it is on."""
        made = []
        with self._control.backend() as backend:
            rules = Rules.more(self._problem, backend, self._new, self._written)
            write = RuleWriter(backend, self._new)
            for one in heeded(what):
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


__all__ = ["NearAnswers", "TakenOptions"]
