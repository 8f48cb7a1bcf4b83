"""A bound for programs of any size: the prices of rows, as a method that takes turns with searches (mixed.py).

Our own linear programs hold 2000 rows, and HiGHS may be missing, or take minutes for its first linear program. This
comes before them: some hundred steps along subgradients (kernels/mixed/_row_prices.py), each as long as reading the
rows. The prices are rounded, and what they prove is worked out in whole numbers (rounded_duals.py). Where the bound
exceeds whatever an answer may cost, there is none: so rotas are refused whose numbers don't add up.

Bounds are worked out after `FIRST` steps, and then whenever the number of steps has doubled. It ends where a doubling
has raised the bound by less than a `LITTLE`th.

Measured in CPU seconds of its own steps: packing 50 000 options of 5 on 5000 items: at least -96 586 after 0.1, -92 543
after 0.5, where the linear program's value is -91 961, which takes HiGHS 70 s; before, the bound was the sum of all
costs, -2 513 986. A rota of 40 people: 1116 after 0.02 (1122); of 60 people, impossible: refused after 0.1; of 20:
after 0.01.

What is left above a packing is the gap of the linear program itself. Of the packing of `python -m benchmarks large`,
the best known is -77 143 and the bound -92 498, where HiGHS, stopped after 26 to 38 s of CPU, stood at -92 445 (PDLP)
and -92 428 (interior point), duals and primals within 0.01 % of each other; its dual simplex method stood at -131 680.

HiGHS is given the same rows (`program`), as a copy takes 16 bytes for each entry; they are dropped once this is over.
"""

from __future__ import annotations

from covr.engine.base.heed import heeded, look
from covr.engine.kernels.header import DONE, SLICE
from covr.engine.kernels.loading import load
from covr.engine.method import Method
from covr.engine.minimum.rounded_duals import rounded_bound
from covr.engine.outside.solver_rows import SolverRow, rows
from covr.engine.problem import Problem
from covr.engine.sides import only_totals

NAME = "prices of rows"
FIRST = 100  # steps before the first bound
BEGIN = 50_000_000  # work in its first turn, at most, after the first bound: 50 ms;
RISING = 1_000_000_000  # the same while each doubling raises it by more than the one before: there may be no answer
MOST = 20_000  # steps in all
LITTLE = 10_000  # see above
PER_ENTRY = 5  # work of a step, in nanoseconds per entry of the rows
EXACT = 400  # the same for a bound in whole numbers
GRANT = 10_000_000  # work in a node: about 10 ms
ENDLESS = 1e30  # what stands for a bound that a row does not have


def available(problem: Problem, interpreted: bool) -> bool:
    """Whether there are prices for a problem: it has costs, and rows say all that it asks. Interpreted steps take too
    long. Linear time."""
    return any(problem.costs) and only_totals(problem.sides) and load("_row_prices", interpreted).COMPILED


def method(kernel: RowPriceKernel) -> Method:
    """The kernel as a method."""
    return Method(
        NAME, kernel, kernel.run, tuple, lambda: kernel.bound, lower=kernel.lower, looks=True,
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
        self._most = sum([cost for cost in heeded(problem.costs) if cost > 0])
        self.lower(self._most if ceiling is None else ceiling)
        starts, members, factors = [0], [], []
        for row in heeded(self._rows):
            members += [v for v, _ in row.terms]
            factors += [1.0 if w == 1 else float(w) for _, w in row.terms]
            starts.append(len(members))
        look()
        low = [-ENDLESS if row.low is None else float(row.low) for row in heeded(self._rows)]
        high = [ENDLESS if row.high is None else float(row.high) for row in heeded(self._rows)]
        size = max(map(abs, self._costs))
        costs = [cost / size for cost in heeded(self._costs)]  # whose squares no double is too small for
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
        for i in heeded(problem.members):
            counts[i] += 1
        return [
            self._size * next(prices) if problem.low[i] > 0 or problem.high[i] < counts[i] else 0.0
            for i in heeded(range(problem.items))
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
        steps = min(max(GRANT // (PER_ENTRY * self._entries + 1), 1), self._next - prices.taken())
        prices.run(max(steps, 1))
        self.work += max(steps, 1) * PER_ENTRY * self._entries
        look()
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
        self.over = little or self._prices.taken() >= MOST
        if self.over:
            self._rows = []  # they take as much memory as all the rest, and HiGHS may need that
