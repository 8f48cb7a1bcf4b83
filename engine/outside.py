"""An outside opinion: the same problem, solved by HiGHS or by OR-tools' CP-SAT.

Every option becomes a 0/1 variable, every item two bounds on the sum of its options, and a coloured item one 0/1
variable per colour, of which at most one is set, each option of it implying its own. The engines stream one answer,
the cheapest; they are there to check ours, and for the problems where they are faster.

Slices: a node is one call with a limit of time that doubles, since neither can stand still; HiGHS goes on where it
was, CP-SAT begins anew with what it found. The extras are `covr[lp]` (highspy) and `covr[cpsat]` (ortools).

**Costs.** HiGHS counts in doubles, and takes what is within its tolerances for whole and for met. A solution that is
off by 10**-TOLERANCE everywhere can seem cheaper than any true one by that share of the sum of all costs; so, once
costs are divided by their greatest common divisor, their sum must stay below LARGEST, where that share is a tenth of
the least difference between two costs. Larger costs are refused: nothing that is said to be proved rests on digits that
a double does not have. What HiGHS calls the best is added up again in whole numbers, and refused as well where that is
not the value HiGHS has for it. CP-SAT counts in whole numbers of 64 bits, but for its gaps, which are therefore set to
0, and for the bound it tells, of which as much is taken as a double is sure of.
"""

from __future__ import annotations

import math
from math import gcd

from attrs import frozen

from covr.engine.extras import Unsuited, wanted
from covr.engine.kernels import DONE, FOUND, SLICE
from covr.engine.problem import Problem

OUTSIDE = {"highs": "HiGHS, as a mixed-integer program", "cpsat": "CP-SAT of OR-tools"}
FIRST_SECONDS = 0.05
TOLERANCE = 10  # digits behind the point; the finest that HiGHS takes
LARGEST = 10**9  # costs that HiGHS is given add up to less, divided by their greatest common divisor
FINE = 10**5  # up to here HiGHS's own tolerances do, which are up to 10**-6
SURE = 2**53  # up to here doubles hold every whole number


@frozen
class Row:
    """low <= sum of weight·variable <= high; None is no bound."""

    low: int | None
    high: int | None
    terms: tuple[tuple[int, int], ...]  # variable, weight


def rows(problem: Problem) -> tuple[int, list[Row]]:
    """How many variables, of which the options come first, and the rows."""
    n = problem.options
    members: list[list[tuple[int, int]]] = [[] for _ in range(problem.items)]
    for o in range(n):
        for i, colour in zip(problem.option(o), problem.option_colours(o), strict=True):
            members[i].append((o, colour))
    found: list[Row] = []
    variables = n
    for i, held in enumerate(members):
        low, high = min(problem.low[i], len(held) + 1), problem.high[i]
        if not any(colour for _, colour in held):
            if low > 0 or high < len(held):
                terms = tuple((o, 1) for o, _ in held)
                found.append(Row(low if low > 0 else None, high if high < len(held) else None, terms))
            continue
        shown = {colour: variables + k for k, colour in enumerate(sorted({c for _, c in held if c}))}
        variables += len(shown)
        plain = tuple((o, 1) for o, colour in held if not colour)
        found.append(Row(None, 1, (*plain, *((v, 1) for v in shown.values()))))
        found += [Row(0, None, ((shown[colour], 1), (o, -1))) for o, colour in held if colour]
    found += [Row(1, None, ((o, 1),)) for o in problem.given]
    return variables, found


class Outside:
    """A kernel (see kernels.py) that asks HiGHS or CP-SAT for a cheapest answer."""

    def __init__(self, solver: str, problem: Problem, ceiling: int | None):
        """solver: 'highs' or 'cpsat'. Raises Unsuited where its package is not installed, or costs are too large."""
        costs = list(problem.costs) or [0] * problem.options
        variables, found = rows(problem)
        make = Highs if solver == "highs" else CpSat
        self._costs, self._ceiling = costs, ceiling
        self._solver: Highs | CpSat = make(costs + [0] * (variables - len(costs)), found)
        self._size = problem.options
        self._given = set(problem.given)
        self._seconds = FIRST_SECONDS
        self._done = False
        self._answer: list[int] = []
        self.nodes = self.updates = self.answers = 0
        self.code = -1

    def run(self, nodes: int, answers: int) -> int:
        """Go on for `nodes` calls, each twice as long as the one before."""
        self.code = -1
        self.code = self._run(nodes, self.answers + answers)
        return self.code

    def _run(self, nodes: int, until: int) -> int:
        for _ in range(nodes):
            if self._done:
                return DONE
            self.nodes += 1
            self._done = self._solver.run(self._seconds)
            self._seconds *= 2
            if self._done and self._solver.values is not None:
                taken = [o for o in range(self._size) if self._solver.values[o]]
                if self._ceiling is not None and sum(self._costs[o] for o in taken) > self._ceiling:
                    return DONE
                self._answer = [o for o in taken if o not in self._given]
                self.answers += 1
                if self.answers >= until:
                    return FOUND
        return DONE if self._done else SLICE

    def answer(self) -> list[int]:
        """The options of the answer, without given ones."""
        return self._answer

    def lower(self, ceiling: int) -> None:
        """From now on, only answers of at most this cost."""
        self._ceiling = ceiling if self._ceiling is None else min(self._ceiling, ceiling)

    def bound(self) -> int | None:
        """The proved lower bound, as far as the solver tells."""
        return self._solver.bound


class Highs:
    """The mixed-integer solver HiGHS. values: of the variables at the optimum, None where there is none."""

    def __init__(self, costs: list[int], found: list[Row]):
        """Raises Unsuited where the costs are more than can be counted in doubles."""
        highspy = wanted("highspy", "lp", "the engine `highs`")
        unit = gcd(*costs) or 1
        self._costs = costs = [c // unit for c in costs]
        total = sum(map(abs, costs))
        if total >= LARGEST:
            divided = f" when divided by {unit}" if unit > 1 else ""
            raise Unsuited(
                f"the engine `highs` counts in floats: the costs add up to {total}{divided}, signs left out, and must "
                f"stay below {LARGEST}; the engine `auto` counts in whole numbers"
            )
        self.values: list[bool] | None = None
        self.bound: int | None = None
        self._highspy = highspy
        self._solver = solver = highspy.Highs()
        solver.setOptionValue("output_flag", False)
        solver.setOptionValue("threads", 1)
        solver.setOptionValue("mip_rel_gap", 0.0)
        solver.setOptionValue("mip_abs_gap", 0.5)
        if total > FINE:
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
        starts, places, weights = [0], [], []
        for row in found:
            places += [v for v, _ in row.terms]
            weights += [float(w) for _, w in row.terms]
            starts.append(len(places))
        program.a_matrix_.start_, program.a_matrix_.index_, program.a_matrix_.value_ = starts, places, weights
        self._empty = n == 0
        self._found = found
        if not self._empty:
            solver.passModel(program)

    def run(self, seconds: float) -> bool:
        """Go on for so long; returns whether the end is reached."""
        if self._empty:
            self.values = [] if all((row.low or 0) <= 0 and (row.high or 0) >= 0 for row in self._found) else None
            return True
        self._solver.setOptionValue("time_limit", self._solver.getRunTime() + seconds)
        self._solver.run()
        status = self._solver.getModelStatus()
        kinds = self._highspy.HighsModelStatus
        if status == kinds.kTimeLimit:
            return False
        if status == kinds.kOptimal:
            self.values = [value > 0.5 for value in self._solver.getSolution().col_value]
            said = self._solver.getInfo().objective_function_value
            true = sum([c for c, taken in zip(self._costs, self.values, strict=True) if taken])
            if not abs(said - true) < 0.5:
                raise Unsuited(f"HiGHS's best answer costs {true}, and not {said}, as HiGHS has it: it is no proof")
        elif status not in (kinds.kInfeasible, kinds.kUnboundedOrInfeasible):
            raise Unsuited(f"HiGHS gave up: {self._solver.modelStatusToString(status)}")
        return True


class CpSat:
    """OR-tools' CP-SAT, with one worker and all rows in its linear program (its default is slower on covers)."""

    def __init__(self, costs: list[int], found: list[Row]):
        self._cp = cp = wanted("ortools.sat.python.cp_model", "cpsat", "the engine `cpsat`")
        self.values: list[bool] | None = None
        self.bound: int | None = None
        self._model = model = cp.CpModel()
        self._variables = [model.new_bool_var(str(k)) for k in range(len(costs))]
        for row in found:
            total = cp.LinearExpr.weighted_sum([self._variables[v] for v, _ in row.terms], [w for _, w in row.terms])
            low = cp.INT_MIN if row.low is None else row.low
            high = cp.INT_MAX if row.high is None else row.high
            model.add_linear_constraint(total, low, high)
        model.minimize(cp.LinearExpr.weighted_sum(self._variables, costs))

    def run(self, seconds: float) -> bool:
        """Begin anew for so long, with the best so far as a hint; returns whether the end is reached."""
        solver = self._cp.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.linearization_level = 2
        solver.parameters.max_time_in_seconds = seconds
        solver.parameters.absolute_gap_limit = solver.parameters.relative_gap_limit = 0.0
        status = solver.solve(self._model)
        if status == self._cp.INFEASIBLE:
            return True
        if status == self._cp.MODEL_INVALID:
            raise Unsuited("CP-SAT can't take this model: " + self._model.validate())
        if status in (self._cp.OPTIMAL, self._cp.FEASIBLE):
            values = [solver.boolean_value(v) for v in self._variables]
            if status == self._cp.OPTIMAL:
                self.values = values
                return True
            self._model.clear_hints()
            for variable, value in zip(self._variables, values, strict=True):
                self._model.add_hint(variable, value)
        self.bound = _sure(solver.best_objective_bound)
        return False


def _sure(bound: float) -> int | None:
    """The whole number that a double stands for, or, where it may stand for several, one below all of them."""
    if not math.isfinite(bound):
        return None
    return math.ceil(bound - 1e-6) if abs(bound) < SURE else math.floor(math.nextafter(bound, -math.inf))
