"""The minimum as an integer program: HiGHS in turns, row prices, and duals rounded safely."""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING

from covr.engine.base.alone import ONE_THREAD
from covr.engine.base.limits import HEAVY, check_limits, with_limit_checks
from covr.engine.check import cost
from covr.engine.checks import Checks, Mistake
from covr.engine.kernels.header import DONE, FOUND, SLICE
from covr.engine.kernels.loading import load
from covr.engine.minimum.estimates import SCALE
from covr.engine.minimum.mixed_core import WHOLE
from covr.engine.outside.solvers import SolverRow, rows
from covr.engine.problem import Problem, only_totals
from covr.engine.turns import ENTRY, Method
from covr.engine.witness import hold_rows

if TYPE_CHECKING:
    from covr.engine.outside.highs_turns import PausedHighs
    from covr.engine.outside.process import SolverProcess

# --- rounded duals ---------------------------------------------------------------------------------------------------
# Bounds and proofs from a linear program's duals, rounded to whole numbers: no rounding error can make them wrong.
#
# For any price y of each row, an answer costs at least
#
#     sum of y[r] · (the low bound of r if y[r] > 0, else its high bound)  +  sum of min(0, reduced cost of v),
#
# where the reduced cost of a variable is its cost minus the prices of the rows that it is in, each times its factor
# there (Lagrange's bound; see minimum/estimates.py, which has the same for items that need options). That holds for any
# prices whatever, so they may come from a solver that computes in floats: they are rounded to multiples of 2**-SCALE,
# and the sum is exact. With all costs 0, a bound above 0 proves that there is no answer at all (Farkas).


MOST = 2.0**200  # prices that are not smaller, or no numbers at all, count as 0


def rounded_bound(costs: Sequence[int], rows: Sequence[SolverRow], prices: Sequence[float]) -> int:
    """The bound, rounded up. costs: of the variables, each of which is 0 or 1.  prices: per row; one with the wrong
    sign for a row without a low or a high bound counts as 0. Time linear in the length of the rows."""
    total = 0
    reduced = [cost << SCALE for cost in with_limit_checks(costs)]
    for row, price in with_limit_checks(list(zip(rows, prices, strict=True)), HEAVY):
        y = int(price * (1 << SCALE)) if abs(price) < MOST else 0
        side = row.low if y > 0 else row.high
        if y == 0 or side is None:
            continue
        total += y * side
        for v, factor in row.terms:
            reduced[v] -= y * factor
    total += sum([rc for rc in with_limit_checks(reduced) if rc < 0])
    return -(-total >> SCALE)


def refutes(variables: int, rows: Sequence[SolverRow], ray: Sequence[float]) -> bool:
    """Whether prices prove that no values of 0 and 1 meet all rows. ray: of either sign, as solvers differ in it."""
    size = max([abs(y) for y in ray if abs(y) < MOST], default=0.0)
    if size == 0:
        return False
    free = [0] * variables
    return any(rounded_bound(free, rows, [sign * y / size for y in ray]) > 0 for sign in (1, -1))


# --- row prices ------------------------------------------------------------------------------------------------------
# A bound for programs of any size: the prices of rows, as a method that takes turns with searches (mixed.py).
#
# Our own linear programs hold 2000 rows, and HiGHS may be missing, or take minutes for its first linear program. This
# comes before them: some hundred steps along subgradients (kernels/mixed/_row_prices.py), each as long as reading the
# rows. The prices are rounded, and what they prove is worked out in whole numbers (integer_program.py). Where the bound
# exceeds whatever an answer may cost, there is none: so rotas are refused whose numbers don't add up.
#
# Bounds are worked out after `FIRST` steps, and then whenever the number of steps has doubled. It ends where a doubling
# has raised the bound by less than a `LITTLE`th.
#
# Measured in CPU seconds of its own steps: packing 50 000 options of 5 on 5000 items: at least -96 586 after 0.1, -92
# 543 after 0.5, where the linear program's value is -91 961, which takes HiGHS 70 s; before, the bound was the sum of
# all costs, -2 513 986. A rota of 40 people: 1116 after 0.02 (1122); of 60 people, impossible: refused after 0.1; of
# 20: after 0.01.
#
# What is left above a packing is the gap of the linear program itself. Of the packing of `python -m benchmarks large`,
# the best known is -77 143 and the bound -92 498, where HiGHS, stopped after 26 to 38 s of CPU, stood at -92 445 (PDLP)
# and -92 428 (interior point), duals and primals within 0.01 % of each other; its dual simplex method stood at -131
# 680.
#
# HiGHS is given the same rows (`program`), as a copy takes 16 bytes for each entry; they are dropped once this is over.


ROW_PRICES = "prices of rows"
FIRST = 100  # steps before the first bound
BEGIN = 50_000_000  # work in its first turn, at most, after the first bound: 50 ms;
RISING = 1_000_000_000  # the same while each doubling raises it by more than the one before: there may be no answer
MOST_STEPS = 20_000  # steps in all
LITTLE = 10_000  # see above
EXACT = 400  # the same for a bound in whole numbers
GRANT = 10_000_000  # work in a node: about 10 ms
ENDLESS = 1e30  # what stands for a bound that a row does not have


def can_price_rows(problem: Problem, interpreted: bool) -> bool:
    """Whether there are prices for a problem: it has costs, and rows say all that it asks. Interpreted steps take too
    long. Linear time."""
    return any(problem.costs) and only_totals(problem.sides) and load("_row_prices", interpreted).COMPILED


def row_price_method(kernel: RowPriceKernel) -> Method:
    """The kernel as a method."""
    return Method(
        ROW_PRICES, kernel, kernel.run, tuple, lambda: kernel.bound, lower=kernel.lower, looks=True,
        even=False, works=lambda: kernel.work, slice=lambda: 1,
    )  # fmt: skip


class RowPriceKernel:
    """A kernel (see loading.py) that finds no answers, but a bound. A node is about `GRANT` work.

    bound: the proved lower bound; None while unknown.  over: whether it has come to its end.
    """

    def __init__(self, problem: Problem, ceiling: int | None, interpreted: bool = False) -> None:
        """problem: one for which `available` holds.  ceiling: the most that an answer may cost. Time and memory linear
        in the entries of the rows."""
        self._problem = problem
        self._variables, self._rows = rows(problem)
        self._costs = [*problem.costs, *[0] * (self._variables - problem.options)]
        self._most = sum([cost for cost in with_limit_checks(problem.costs) if cost > 0])
        self.lower(self._most if ceiling is None else ceiling)
        starts, members, factors = [0], [], []
        for row in with_limit_checks(self._rows):
            members += [v for v, _ in row.terms]
            factors += [1.0 if w == 1 else float(w) for _, w in row.terms]
            starts.append(len(members))
        check_limits()
        low = [-ENDLESS if row.low is None else float(row.low) for row in with_limit_checks(self._rows)]
        high = [ENDLESS if row.high is None else float(row.high) for row in with_limit_checks(self._rows)]
        size = max(map(abs, self._costs))
        costs = [cost / size for cost in with_limit_checks(self._costs)]  # whose squares no double is too small for
        self._prices = load("_row_prices", interpreted).RowPrices(costs, starts, members, factors, low, high)
        self._size = size
        self._entries = len(members) + self._variables + len(self._rows)
        self._next = FIRST  # the number of steps after which a bound is worked out
        self._before: int | None = None
        self._rose: int | None = None  # by how much the last doubling raised the bound
        self._rises = False  # whether that was more than by the one before
        self.over = False
        self.bound: int | None = None
        self.work = self.nodes = self.updates = self.answers = 0
        self.code = -1

    def begins(self) -> bool:
        """Whether it is still in its first turn."""
        return not self.over and (self.bound is None or self.work < (RISING if self._rises else BEGIN))

    def run(self, nodes: int, answers: int) -> int:
        """Go on for at most so many nodes. DONE: no answer is cheap enough."""
        end = self.nodes + nodes
        self.code = DONE if self._proves() else SLICE
        while self.code == SLICE and self.nodes < end:
            self.nodes += 1
            if not self.over:
                self._go_on()
            self.code = DONE if self._proves() else SLICE
        return self.code

    def answer(self) -> list[int]:
        """Nothing: it finds no answers."""
        return []

    def per_item(self) -> list[float]:
        """The best prices, per item of a problem without colours: that of its row, or 0 where it has none."""
        problem, prices = self._problem, iter(self._prices.prices())
        counts = [0] * problem.items
        for i in with_limit_checks(problem.members):
            counts[i] += 1
        return [
            self._size * next(prices) if problem.low[i] > 0 or problem.high[i] < counts[i] else 0.0
            for i in with_limit_checks(range(problem.items))
        ]

    def program(self) -> tuple[int, list[SolverRow]] | None:
        """The number of variables and the rows, which HiGHS may be given, too; None once they were dropped."""
        return None if self.over else (self._variables, self._rows)

    def lower(self, ceiling: int) -> None:
        """From now on, only answers of at most this cost are wanted."""
        self._most = min(self._most, ceiling)

    def _proves(self) -> bool:
        """Whether no answer costs as little as is wanted."""
        return self.bound is not None and self.bound > self._most

    def _go_on(self) -> None:
        prices = self._prices
        steps = min(max(GRANT // (ENTRY * self._entries + 1), 1), self._next - prices.taken())
        prices.run(max(steps, 1))
        self.work += max(steps, 1) * ENTRY * self._entries
        check_limits()
        if prices.taken() >= self._next or (self.bound is not None and prices.reached() * self._size > self._most + 1):
            self._next = 2 * max(prices.taken(), self._next)
            self._prove()

    def _prove(self) -> None:
        """Work out what the prices prove."""
        found = rounded_bound(self._costs, self._rows, [self._size * y for y in self._prices.prices()])
        self.work += EXACT * self._entries
        rose = None if self._before is None else found - self._before
        little = rose is not None and rose <= abs(found) // LITTLE
        self._rises = rose is not None and (self._rose is None or rose > self._rose)
        self._before, self._rose = found, rose
        self.bound = found if self.bound is None else max(self.bound, found)
        self.over = little or self._prices.taken() >= MOST_STEPS
        if self.over:
            self._rows = []  # they take as much memory as all the rest, and HiGHS may need that


# --- integer program -------------------------------------------------------------------------------------------------
# The minimum as an integer program: HiGHS as a method that takes turns with our own searches (mixed.py).
#
# This is for what our own tree of linear programs (mixed_tree.py) can't hold, because the inverse of its basis grows
# with the square of the rows, and for what it has not finished after some time. HiGHS is installed with covr on most
# platforms, and the playground fetches it; where it is not, there is no such method, and nothing else changes.
#
# 1. **The linear program alone.** Its prices, rounded to whole numbers, give a bound that is exact whatever rounding
#    errors HiGHS has made (integer_program.py). Where its values are whole, they are an answer, which usually costs as
#    much as the bound: then the question ends. Where it has no solution, its prices prove that there is no answer.
# 2. **HiGHS's search.** Its answers are checked like all others. Its bounds and its end are believed within the margins
#    of solvers.py, until they contradict a known answer; from then on nothing it says is believed.
#
# On another processor HiGHS runs in a process beside all this (outside/process.py): the second part alone, which is
# asked for no work and has a turn whenever it has reported something.
#
# Measured, CPU seconds of `covr solve --jobs 1`, half of which is reading the model: rotas of 40 people on 28 days
# (2324 rows, 3360 options): 1.3 (before: 1181, at least 664, after 30 s), of which HiGHS takes 0.05; of 60 people,
# which is impossible: 1.3 (before: nothing in 40 s); of 200 people: 1.5.


if TYPE_CHECKING:
    Make = Callable[[list[int], list[SolverRow]], PausedHighs | SolverProcess]

NAME = "HiGHS, as a mixed-integer program"


def available(problem: Problem) -> bool:
    """Whether HiGHS is installed, knows everything that the problem has, and can count its costs. Linear time."""
    if not any(problem.costs) or not only_totals(problem.sides) or find_spec("highspy") is None:
        return False
    from covr.engine.outside.solvers import countable

    return countable(problem)


def paused(costs: list[int], rows: list[SolverRow]) -> PausedHighs:
    """HiGHS for a program, before its first turn. Raises as `ProgramKernel`."""
    from covr.engine.outside.highs_turns import PausedHighs, RestartedHighs

    return (RestartedHighs if sys.platform in ONE_THREAD else PausedHighs)(costs, rows)


def method(kernel: ProgramKernel, whole: Callable[[Sequence[int]], tuple[int, ...]], name: str = NAME) -> Method:
    """The kernel as a method. whole: turns options of the problem into an answer in the caller's numbers."""
    return Method(
        name, kernel, kernel.run, lambda: whole(kernel.answer()), kernel.proved, lower=kernel.lower, looks=True,
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
        from covr.engine.outside.solvers import rows

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

    @property
    def has_news(self) -> bool:
        """Whether HiGHS runs in a process and has reported something that was not read."""
        return self.believed and self._highs.news

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
            self.code = self._receive()
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
        return [o for o in with_limit_checks(self._answer) if o not in given]

    def _receive(self) -> int:
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

    def proved(self) -> int | None:
        """The proved lower bound, as `bound`, unless a known answer contradicts it."""
        best = self._known()
        if self.believed and self.bound is not None and best is not None and self.bound > best:
            self._disbelieve()
        return self.bound

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
            costs = [c // unit for c in with_limit_checks(self._costs)]
            self._exact = self.bound = unit * rounded_bound(costs, self._rows, found.prices)
        if found.values and all(min(x, 1 - x) < WHOLE for x in with_limit_checks(found.values)):
            taken = [o for o, x in enumerate(with_limit_checks(found.values[: self._problem.options])) if x > 0.5]
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
