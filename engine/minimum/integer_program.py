"""The minimum as an integer program: HiGHS as a method that takes turns with our own searches (mixed.py).

This is for what our own tree of linear programs (mixed_tree.py) can't hold, because the inverse of its basis grows with
the square of the rows, and for what it has not finished after some time. HiGHS is installed with covr on most
platforms; where it is not, as in Pyodide, there is no such method, and nothing else changes.

1. **The linear program alone.** Its prices, rounded to whole numbers, give a bound that is exact whatever rounding
   errors HiGHS has made (rounded_duals.py). Where its values are whole, they are an answer, which usually costs as much
   as the bound: then the question ends. Where it has no solution, its prices prove that there is no answer.
2. **HiGHS's search.** Its answers are checked like all others. Its bounds and its end are believed within the margins
   of highs.py, like those of the process beside us (beside.py), until they contradict a known answer; from then on
   nothing it says is believed.

Measured, CPU seconds of `covr solve --jobs 1`, half of which is reading the model: rotas of 40 people on 28 days (2324
rows, 3360 options): 1.3 (before: 1181, at least 664, after 30 s), of which HiGHS takes 0.05; of 60 people, which is
impossible: 1.3 (before: nothing in 40 s); of 200 people: 1.5.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING

from covr.engine.base.heed import heeded
from covr.engine.check import cost
from covr.engine.checks import Checks, Mistake
from covr.engine.kernels.header import DONE, FOUND, SLICE
from covr.engine.method import Method
from covr.engine.minimum.rounded_duals import refutes, rounded_bound
from covr.engine.problem import Problem
from covr.engine.sides import only_totals
from covr.engine.witness import hold_rows

if TYPE_CHECKING:
    from covr.engine.outside.highs_turns import PausedHighs
    from covr.engine.outside.solver_rows import SolverRow

    Make = Callable[[list[int], list[SolverRow]], PausedHighs]

NAME = "HiGHS, as a mixed-integer program"
GRANT = 10_000_000  # work in a node: about 10 ms
WHOLE = 1e-6  # how far a value of the linear program may be from 0 or 1 to be read as such; the answer is then checked


def available(problem: Problem) -> bool:
    """Whether HiGHS is installed, knows everything that the problem has, and can count its costs. Linear time."""
    if not any(problem.costs) or not only_totals(problem.sides) or find_spec("highspy") is None:
        return False
    from covr.engine.outside.highs import countable

    return countable(problem)


def paused(costs: list[int], rows: list[SolverRow]) -> PausedHighs:
    """HiGHS for a program, before its first turn. Raises as `ProgramKernel`."""
    from covr.engine.outside.highs_turns import PausedHighs

    return PausedHighs(costs, rows)


def method(kernel: ProgramKernel, whole: Callable[[Sequence[int]], tuple[int, ...]]) -> Method:
    """The kernel as a method. whole: turns options of the problem into an answer in the caller's numbers."""
    return Method(
        NAME, kernel, kernel.run, lambda: whole(kernel.answer()), lambda: kernel.bound, lower=kernel.lower, looks=True,
        even=False, works=lambda: kernel.work, slice=lambda: 1, stop=kernel.stop,
    )  # fmt: skip


class ProgramKernel:
    """A kernel (see loading.py) that grants HiGHS work: `GRANT` is a node.

    bound: the proved lower bound; None while unknown.  believed: whether HiGHS has contradicted nothing so far.
    """

    def __init__(
        self,
        problem: Problem,
        known: Callable[[], int | None],
        ceiling: int | None,
        make: Make = paused,
        program: tuple[int, list[SolverRow]] | None = None,
    ) -> None:
        """problem: one for which `available` holds.  known: the cost of the best answer that any method has found.
        ceiling: the most that an answer may cost.  make: makes HiGHS.  program: what `rows` makes of the problem, if
        that is there already. Raises Unsuited where HiGHS can't be loaded, or can't count what the totals add up
        to."""
        from covr.engine.outside.solver_rows import rows

        self._problem, self._known, self._ceiling = problem, known, ceiling
        variables, self._rows = rows(problem) if program is None else program
        if problem.witness is not None and variables == problem.options:
            hold_rows(self._rows, problem.witness, f"{NAME}, what it is given")
        self._costs = [*problem.costs, *[0] * (variables - problem.options)]
        self._checks = Checks(problem)
        self._highs = make(self._costs, self._rows)
        weakref.finalize(self, self._highs.stop)
        self._read = False  # whether the linear program's end was read
        self._done = False
        self._exact: int | None = None  # the bound that no error of HiGHS can make wrong
        self._best: int | None = None  # the cost of the cheapest answer that HiGHS has found
        self._answer: tuple[int, ...] = ()
        self.believed = True
        self.bound: int | None = None
        self.nodes = self.updates = self.answers = 0
        self.code = -1

    def starts(self, work: int) -> bool:
        """Whether it is still at the linear program alone, and has done less than so much work."""
        return self.believed and not self._read and self.work < work

    @property
    def work(self) -> int:
        """The work so far, in nanoseconds; a node counts as some even if HiGHS has done none."""
        return self._highs.work + self.nodes

    def run(self, nodes: int, answers: int) -> int:
        """Go on for at most so many nodes, up to an answer."""
        end = self.nodes + nodes
        self.code = DONE if self._done else SLICE
        while self.code == SLICE and self.nodes < end and self.believed:
            self.nodes += 1
            self._highs.grant(GRANT)
            self._highs.wait()
            self.code = self._hear()
        return self.code

    def stop(self) -> None:
        """Ask HiGHS to stop: nothing more is wanted of it."""
        self._highs.stop()

    def lower(self, ceiling: int) -> None:
        """From now on, take only answers of at most this cost."""
        self._ceiling = ceiling if self._ceiling is None else min(self._ceiling, ceiling)

    def answer(self) -> list[int]:
        """The last answer, without given options."""
        given = set(self._problem.given)
        return [o for o in heeded(self._answer) if o not in given]

    def _hear(self) -> int:
        """Read what HiGHS has come to."""
        if not self._read and self._highs.relaxed is not None:
            self._read = True
            code = self._read_relaxed()
            self._rows = []  # HiGHS has a copy of its own
            if code != SLICE:
                return code
        report = self._highs.report
        assert report is not None
        over = report.over  # read before the answers: all of them are reported before the end
        while report.found:
            if self._take([o for o, taken in enumerate(report.found.popleft()[: self._problem.options]) if taken]):
                return FOUND
            if not self.believed:
                return SLICE
        if over and report.fault is not None:
            self._disbelieve()  # it gave up, as it does where rounding errors show
            return SLICE
        proved = self._best if over else (None if report.bound is None else report.bound * self._highs.unit)
        best = self._known()
        if best is not None and ((over and proved is None) or (proved is not None and proved > best)):
            self._disbelieve()
            return SLICE
        if proved is not None and (self.bound is None or proved > self.bound):
            self.bound = proved
        self._done = over
        return DONE if over else SLICE

    def _read_relaxed(self) -> int:
        """The end of the linear program: an exact bound, perhaps an answer, or the proof that there is none."""
        found = self._highs.relaxed
        assert found is not None
        if found.ray and refutes(len(self._costs), self._rows, found.ray):
            self._done = True
            self.stop()
            return DONE
        if found.prices:
            unit = self._highs.unit
            costs = [c // unit for c in heeded(self._costs)]
            self._exact = self.bound = unit * rounded_bound(costs, self._rows, found.prices)
        if found.values and all(min(x, 1 - x) < WHOLE for x in heeded(found.values)):
            taken = [o for o, x in enumerate(heeded(found.values[: self._problem.options])) if x > 0.5]
            if self._is_answer(tuple(taken)) and self._take(taken):
                return FOUND
        return SLICE

    def _take(self, options: list[int]) -> bool:
        """Keep an answer if it is one and cheap enough. Returns whether it is."""
        answer = tuple(options)
        if not self._is_answer(answer):
            self._disbelieve()
            return False
        paid = cost(self._problem, answer)
        if self._exact is not None and paid < self._exact:
            raise AssertionError("an answer costs less than the exact bound")
        self._best = paid if self._best is None else min(paid, self._best)
        best = self._known()
        if (best is not None and paid >= best) or (self._ceiling is not None and paid > self._ceiling):
            return False
        self._answer = answer
        self.answers += 1
        return True

    def _is_answer(self, options: tuple[int, ...]) -> bool:
        """Whether options are an answer, by the checker that is compiled where they are many."""
        try:
            self._checks([options])
        except Mistake:
            return False
        return True

    def _disbelieve(self) -> None:
        """Forget what HiGHS has proved, except by whole numbers, and ask it for nothing more."""
        self.believed = False
        self.bound = self._exact
        self.stop()
