"""Single answers by clingo that take one of some options, or that lack one of them.

This is how brave and cautious consequences are found: an answer with an option that no answer has had so far, again and
again until there is none; then an answer without one of the options that all have had. clingo has modes of its own for
that (`--enum-mode`). They tell only what the answers come to, and not the answers, which could not be checked then.
Here each question is an atom that is assumed, and everything that was learned is kept from one to the next.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from covr.engine.check import check
from covr.engine.outside.clingo import WAIT, control_of, spent
from covr.engine.outside.clingo_calls import true_atoms
from covr.engine.outside.clingo_rules import Rules
from covr.engine.outside.clingo_writer import new_atoms
from covr.engine.problem import Problem


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
        while not call.wait(WAIT):
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
        """stopped: as of `Asking`. Raises Unsuited as `Rules`, and Stopped as heed.py says."""
        super().__init__(stopped)
        self.problem = problem
        with self._control.backend() as backend:
            self._atoms = Rules(problem, backend, self._new).atoms

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
