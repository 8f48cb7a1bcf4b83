"""An outside opinion: the same problem, solved by HiGHS or by OR-tools' CP-SAT.

Every option becomes a 0/1 variable, every item two bounds on the sum of its options, and a coloured item one 0/1
variable per colour, of which at most one is set, each option of it implying its own. A total is a row with its numbers.
The engines stream ever cheaper answers, as they find them; they are there to check ours, and for the problems where
they are faster.

Neither solver can be paused, and both have phases in which they don't react. So a solver runs in a thread of its own
(`Running`) and reports what it finds; a slice waits for a report, at most `TURN` seconds, and counts as a node. Limits
and Ctrl-C are checked between two slices, whatever the solver does. A solver that is no longer needed is asked to
stop, and not waited for. The extras are `covr[lp]` (highspy) and `covr[cpsat]` (ortools).

**Costs.** HiGHS counts in doubles, and takes what is within its tolerances for whole and for met. A solution that is
off by 10**-TOLERANCE everywhere can seem cheaper than any true one by that share of the sum of all costs; so, once
costs are divided by their greatest common divisor, their sum must stay below LARGEST, where that share is a tenth of
the least difference between two costs. Larger costs are refused: nothing that is said to be proved rests on digits that
a double does not have. What HiGHS calls the best is added up again in whole numbers, and refused as well where that is
not the value HiGHS has for it. CP-SAT counts in whole numbers of 64 bits, but for its gaps, which are therefore set to
0, and for the bound it tells, of which as much is taken as a double is sure of.
"""

from __future__ import annotations

import atexit
import math
import weakref
from collections import deque
from math import gcd
from threading import Event, Thread
from time import monotonic
from typing import Any, Protocol

from attrs import frozen

from covr.engine.extras import Unsuited, wanted
from covr.engine.kernels.codes import DONE, FOUND, SLICE
from covr.engine.problem import Problem
from covr.engine.sides import Total

OUTSIDE = {"highs": "HiGHS, as a mixed-integer program", "cpsat": "CP-SAT of OR-tools"}
TURN = 0.02  # seconds that a slice waits for a report of the solver
ROUNDING = 1e-6  # the share of itself by which a solver's bound may be too high
PATIENCE = 0.5  # seconds that the command waits, when it ends, for solvers to stop
LONG_PATIENCE = 10.0  # seconds that any other process waits: HiGHS may not react for three
TOLERANCE = 10  # decimal places of the tolerances; the finest that HiGHS accepts
LARGEST = 10**9  # sum of costs, divided by their greatest common divisor; HiGHS is given less than this
FINE = 10**5  # sum of costs, up to which HiGHS's own tolerances of up to 10**-6 are fine enough


@frozen
class SolverRow:
    """low <= sum of weight·variable <= high; None is no bound."""

    low: int | None
    high: int | None
    terms: tuple[tuple[int, int], ...]  # variable, weight


def rows(problem: Problem) -> tuple[int, list[SolverRow]]:
    """How many variables, of which the options come first, and the rows."""
    found: list[SolverRow] = []
    variables = problem.options
    for i in range(problem.items):
        held = list(problem.column(i))
        low, high = min(problem.low[i], len(held) + 1), problem.high[i]
        if not any(colour for _, colour in held):
            if low > 0 or high < len(held):
                terms = tuple((o, 1) for o, _ in held)
                found.append(SolverRow(low if low > 0 else None, high if high < len(held) else None, terms))
            continue
        shown = {colour: variables + k for k, colour in enumerate(sorted({c for _, c in held if c}))}
        variables += len(shown)
        plain = tuple((o, 1) for o, colour in held if not colour)
        found.append(SolverRow(None, 1, (*plain, *((v, 1) for v in shown.values()))))
        found += [SolverRow(0, None, ((shown[colour], 1), (o, -1))) for o, colour in held if colour]
    found += [SolverRow(1, None, ((o, 1),)) for o in problem.given]
    for side in problem.sides:
        if not isinstance(side, Total):
            raise Unsuited("the engines `highs` and `cpsat` take totals, but no connections and no loops; use `sides`")
        variables = _total_rows(side, variables, found)
    return variables, found


def _total_rows(total: Total, variables: int, found: list[SolverRow]) -> int:
    """Add the rows of a total; returns how many variables there are with its own: where the sums are several ranges,
    one for each of these, of which one is 1."""
    least, most = (sum(c for _, c in total.terms if c * sign > 0) for sign in (-1, 1))
    ranges = [(max(low, least), min(high, most)) for low, high in total.sums if low <= most and high >= least]
    if not ranges:
        found.append(SolverRow(1, None, ()))
    elif len(ranges) == 1:
        found.append(SolverRow(*ranges[0], total.terms))
    else:
        chosen = range(variables, variables + len(ranges))
        found.append(SolverRow(1, 1, tuple((v, 1) for v in chosen)))
        lows, highs = (tuple((v, -ends[k]) for v, ends in zip(chosen, ranges, strict=True) if ends[k]) for k in (0, 1))
        found += [SolverRow(0, None, (*total.terms, *lows)), SolverRow(None, 0, (*total.terms, *highs))]
        variables += len(ranges)
    return variables


class Outside:
    """A kernel (see loading.py) that asks HiGHS or CP-SAT for a cheapest answer."""

    def __init__(self, solver: str, problem: Problem, ceiling: int | None):
        """solver: 'highs' or 'cpsat'. Raises Unsuited where its package is not installed, or costs are too large, and
        for connections and loops."""
        costs = list(problem.costs) or [0] * problem.options
        variables, found = rows(problem)
        make = Highs if solver == "highs" else CpSat
        self._costs, self._ceiling = costs, ceiling
        self._solver: Highs | CpSat = make(costs + [0] * (variables - len(costs)), found)
        self._running: Running | None = None
        self._size = problem.options
        self._given = set(problem.given)
        self._answer: list[int] = []
        self._cost: int | None = None  # of the cheapest answer so far
        self.nodes = self.updates = self.answers = 0
        self.code = -1

    def run(self, nodes: int, answers: int) -> int:
        """Wait once for a report; returns SLICE, FOUND or DONE. Raises ValueError if the solver gives up."""
        self.code = -1
        self.code = self._run(nodes)
        return self.code

    def _run(self, nodes: int) -> int:
        if nodes <= 0:
            return SLICE
        if self._running is None:
            self._running = Running(self._solver)
            weakref.finalize(self, self._running.stop)
        self.nodes += 1
        told = self._running.told
        told.wait(TURN)
        over = told.over  # before the last answers are looked at, which come first
        while told.found:
            if self._is_cheaper(told.found.popleft()):
                self.answers += 1
                return FOUND
        if told.fault is not None:
            raise told.fault
        return DONE if over else SLICE

    def _is_cheaper(self, values: list[bool]) -> bool:
        """Keep the answer that the variables say, if it is one that is looked for."""
        taken = [o for o in range(self._size) if values[o]]
        paid = sum(self._costs[o] for o in taken)
        if (self._ceiling is not None and paid > self._ceiling) or (self._cost is not None and paid >= self._cost):
            return False
        self._answer, self._cost = [o for o in taken if o not in self._given], paid
        return True

    def stop(self) -> None:
        """Ask the solver to stop, since its answers are no longer wanted."""
        if self._running is not None:
            self._running.stop()

    def answer(self) -> list[int]:
        """The options of the answer, without given ones."""
        return self._answer

    def lower(self, ceiling: int) -> None:
        """From now on, only answers of at most this cost."""
        self._ceiling = ceiling if self._ceiling is None else min(self._ceiling, ceiling)

    def bound(self) -> int | None:
        """The proved lower bound, as far as the solver tells."""
        told = None if self._running is None else self._running.told.bound
        return None if told is None else told * self._solver.unit


class Told:
    """What a solver has reported from its thread.

    found: cheaper and cheaper answers, each as the values of the variables.  bound: no answer costs less than this.
    over: whether the solver has ended.  fault: the exception that ended it.  stopped: whether it should end.
    """

    def __init__(self) -> None:
        self.found: deque[list[bool]] = deque()
        self.bound: int | None = None
        self.over = self.stopped = False
        self.fault: Exception | None = None
        self._news = Event()

    def better(self, values: list[bool]) -> None:
        """The solver has found a cheaper answer. values: of the variables."""
        self.found.append(values)
        self._news.set()

    def at_least(self, bound: float) -> None:
        """The solver's lower bound; its rounding is allowed for."""
        if math.isfinite(bound):
            whole = math.ceil(bound - ROUNDING * max(1.0, abs(bound)))
            self.bound = whole if self.bound is None else max(self.bound, whole)

    def end(self, fault: Exception | None = None) -> None:
        """The solver has ended. fault: the exception that ended it, if any."""
        self.fault, self.over = fault, True
        self._news.set()

    def wait(self, seconds: float) -> None:
        """Wait until there is something new, or for at most so many seconds."""
        if not self.found and not self.over:
            self._news.wait(seconds)
            self._news.clear()


class Solver(Protocol):
    """What `Running` runs."""

    def solve(self, told: Told) -> None:
        """Search to the end, or until `told.stopped` is heard."""

    def cancel(self) -> None:
        """Ask to stop, from another thread. Has no effect if the search has not begun yet."""


class Running:
    """A solver at work in a thread of its own."""

    def __init__(self, solver: Solver) -> None:
        self.told = Told()
        self._solver = solver
        self._thread = Thread(target=self._work, name="covr-outside", daemon=True)
        _AT_WORK.add(self)
        self._thread.start()

    def stop(self) -> None:
        """Ask it to stop, without waiting until it has heard."""
        self.told.stopped = True
        if self._thread.is_alive():
            self._solver.cancel()

    def ends(self, moment: float) -> bool:
        """Wait for it to end until `moment`, on the clock `monotonic`, in seconds. Returns whether it has ended."""
        while self._thread.is_alive() and monotonic() < moment:
            self.stop()
            self._thread.join(TURN)
        return not self._thread.is_alive()

    def _work(self) -> None:
        try:
            self._solver.solve(self.told)
            self.told.end()
        except Exception as fault:  # it goes on where the news are read
            self.told.end(fault)
        finally:
            _AT_WORK.discard(self)


# Those that are at work, whether or not anybody waits for them.
_AT_WORK: set[Running] = set()


def all_end(seconds: float = PATIENCE) -> bool:
    """Ask every solver to stop. Returns whether all did within so many seconds.

    While a solver does not react, the process must end by `os._exit`, as the command does: an ordinary exit would
    destroy objects of Python and C++ that the solver is still using.
    """
    until = monotonic() + seconds
    deaf = [running for running in tuple(_AT_WORK) if not running.ends(until)]
    return not deaf


atexit.register(all_end, LONG_PATIENCE)


class Highs:
    """The mixed-integer solver HiGHS. unit: what its costs are divided by."""

    def __init__(self, costs: list[int], found: list[SolverRow]):
        """Raises Unsuited where the costs are more than can be counted in doubles."""
        highspy = wanted("highspy", "lp", "the engine `highs`")
        self.unit = unit = gcd(*costs) or 1
        self._costs = costs = [c // unit for c in costs]
        total = sum(map(abs, costs))
        if total >= LARGEST:
            divided = f" when divided by {unit}" if unit > 1 else ""
            raise Unsuited(
                f"the engine `highs` counts in floats: the costs add up to {total}{divided}, signs left out, and must "
                f"stay below {LARGEST}; the engine `auto` counts in whole numbers"
            )
        weights = [[abs(w) for _, w in row.terms] for row in found]
        weight = max([sum(ws) for ws in weights if max(ws, default=1) > 1], default=0)  # of totals
        if weight >= LARGEST:
            raise Unsuited(
                f"the engine `highs` counts in floats: the numbers of a total add up to {weight}, signs left out, and "
                f"must stay below {LARGEST}; the engine `auto` counts in whole numbers"
            )
        self._highspy = highspy
        self._solver = solver = highspy.Highs()
        solver.setOptionValue("output_flag", False)
        solver.setOptionValue("threads", 1)
        solver.setOptionValue("mip_rel_gap", 0.0)
        solver.setOptionValue("mip_abs_gap", 0.5)
        if max(total, weight) > FINE:
            for name in ("mip_feasibility_tolerance", "primal_feasibility_tolerance", "dual_feasibility_tolerance"):
                solver.setOptionValue(name, 10.0**-TOLERANCE)
        program = highspy.HighsLp()
        n = len(costs)
        program.num_col_, program.num_row_ = n, len(found)
        program.col_cost_ = [float(c) for c in costs]
        program.col_lower_, program.col_upper_ = [0.0] * n, [1.0] * n
        program.integrality_ = [highspy.HighsVarType.kInteger] * n
        endless = highspy.kHighsInf
        program.row_lower_ = [-endless if row.low is None else float(row.low) for row in found]
        program.row_upper_ = [endless if row.high is None else float(row.high) for row in found]
        program.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        starts, places, factors = [0], [], []
        for row in found:
            places += [v for v, _ in row.terms]
            factors += [float(w) for _, w in row.terms]
            starts.append(len(places))
        program.a_matrix_.start_, program.a_matrix_.index_, program.a_matrix_.value_ = starts, places, factors
        self._empty = n == 0
        self._found = found
        if not self._empty:
            solver.passModel(program)

    def solve(self, told: Told) -> None:
        if self._empty:
            if all((row.low or 0) <= 0 and (row.high is None or row.high >= 0) for row in self._found):
                told.better([])
            return
        solver, kinds = self._solver, self._highspy.HighsModelStatus

        def listen(event: Any) -> None:
            if told.stopped:
                event.interrupt()

        def hear(event: Any) -> None:
            told.at_least(event.data_out.mip_dual_bound)
            listen(event)

        def improve(event: Any) -> None:
            told.better([value > 0.5 for value in event.data_out.mip_solution])

        solver.cbMipInterrupt += hear
        solver.cbSimplexInterrupt += listen
        solver.cbIpmInterrupt += listen
        solver.cbMipImprovingSolution += improve
        solver.run()
        status = solver.getModelStatus()
        self._highspy.Highs.resetGlobalScheduler(False)
        if status == kinds.kOptimal:
            values = [value > 0.5 for value in solver.getSolution().col_value]
            said = solver.getInfo().objective_function_value
            true = sum([c for c, taken in zip(self._costs, values, strict=True) if taken])
            if not abs(said - true) < 0.5:
                raise Unsuited(f"HiGHS's best answer costs {true}, and not {said}, as HiGHS has it: it is no proof")
            told.better(values)
        elif status not in (kinds.kInfeasible, kinds.kUnboundedOrInfeasible, kinds.kInterrupt):
            raise Unsuited(f"HiGHS gave up: {solver.modelStatusToString(status)}")

    def cancel(self) -> None:
        """It asks whether it is to stop by itself."""


class CpSat:
    """OR-tools' CP-SAT, with one worker and all rows in its linear program (its default is slower on covers)."""

    unit = 1

    def __init__(self, costs: list[int], found: list[SolverRow]):
        self._cp = cp = wanted("ortools.sat.python.cp_model", "cpsat", "the engine `cpsat`")
        self._solver = cp.CpSolver()
        self._model = model = cp.CpModel()
        self._variables = [model.new_bool_var(str(k)) for k in range(len(costs))]
        for row in found:
            total = cp.LinearExpr.weighted_sum([self._variables[v] for v, _ in row.terms], [w for _, w in row.terms])
            low = cp.INT_MIN if row.low is None else row.low
            high = cp.INT_MAX if row.high is None else row.high
            model.add_linear_constraint(total, low, high)
        model.minimize(cp.LinearExpr.weighted_sum(self._variables, costs))

    def solve(self, told: Told) -> None:
        cp, solver, variables = self._cp, self._solver, self._variables
        solver.parameters.num_workers = 1
        solver.parameters.linearization_level = 2
        solver.parameters.absolute_gap_limit = solver.parameters.relative_gap_limit = 0.0

        def hear(bound: float) -> None:
            told.at_least(bound)
            if told.stopped:
                solver.stop_search()

        class Improve(cp.CpSolverSolutionCallback):  # type: ignore[misc, name-defined, unused-ignore]
            def on_solution_callback(self) -> None:
                told.better([self.boolean_value(v) for v in variables])
                hear(self.best_objective_bound)

        solver.best_bound_callback = hear
        if told.stopped:
            return
        status = solver.solve(self._model, Improve())
        if status == cp.MODEL_INVALID:
            raise Unsuited("CP-SAT can't take this model: " + self._model.validate())
        if status in (cp.OPTIMAL, cp.FEASIBLE):
            told.better([solver.boolean_value(v) for v in variables])

    def cancel(self) -> None:
        """Not heard where it has not begun."""
        self._solver.stop_search()
