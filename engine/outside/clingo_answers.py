"""Single answers by clingo that take one of some options, or that lack one of them.

This is how brave and cautious consequences are found: an answer with an option that no answer has had so far, again and
again until there is none; then an answer without one of the options that all have had. clingo has modes of its own for
that (`--enum-mode`). They tell only what the answers come to, and not the answers, which could not be checked then.
Here each question is an atom that is assumed, and everything that was learned is kept from one to the next.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from covr.engine.check import check
from covr.engine.outside.clingo import WAIT, control_of, spent
from covr.engine.outside.clingo_rules import Rules
from covr.engine.problem import Problem


class ClingoAnswers:
    """Asks for one answer after another. nodes: conflicts and questions so far."""

    def __init__(self, problem: Problem, stopped: Callable[[], bool]) -> None:
        """stopped: whether nothing more is wanted; looked at while clingo searches. Raises Unsuited as `Rules`, and
        Stopped as heed.py says."""
        self.problem, self._stopped = problem, stopped
        self.nodes = 0
        self._control = control_of(["1"])
        with self._control.backend() as backend:
            self._atoms = Rules(problem, backend).atoms

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
        assumed = []
        with self._control.backend() as backend:
            if forbidden:
                question = backend.add_atom()
                backend.add_rule([question], [], True)
                backend.add_rule([], [question, *forbidden])
                assumed = [question]
        found = self._solve(assumed)
        if assumed:
            with self._control.backend() as backend:
                backend.add_rule([], assumed)
        return found

    def _solve(self, assumed: list[int]) -> tuple[int, ...] | None:
        found = None
        with self._control.solve(assumptions=assumed, yield_=True, async_=True) as call:
            call.resume()
            while not call.wait(WAIT):
                if self._stopped():
                    call.cancel()
                    return None
            model = call.model()
            if model is not None:
                found = tuple(o for o, atom in enumerate(self._atoms) if model.is_true(atom))
        self.nodes += 1 + spent(self._control, "conflicts")
        if found is not None:
            wrong = check(self.problem, found)
            assert wrong is None, wrong
        return found
