"""The linear program's bound, by HiGHS through highspy (the extra `covr[lp]`).

What is left at the node is solved as a linear program, with options between 0 and 1. Only the program's prices are
used: the engine computes the bound that they give, so that HiGHS's tolerances can't lose an answer. This pays if costs
differ widely and every node saved matters; a node costs a hundred times one of `lagrange`.

An integral solution of the program is not used as a cover here. An attempt to do so after options had been forced
counted their cost twice, and gave plausible but wrong optima.
"""

from __future__ import annotations

from covr.engine.base.extras import wanted
from covr.engine.minimum.estimates.registry import Bound
from covr.engine.minimum.estimates.relaxed import RelaxedRows, is_exact
from covr.engine.minimum.estimates.view import View


def lp(view: View, cutoff: int | None) -> float | Bound:
    """The prices of the linear program at the node. Raises ValueError if highspy is not installed."""
    highspy = wanted("highspy", "lp", "the estimate `lp`")
    rows = RelaxedRows.of(view)
    if rows.starved:
        return float("inf")
    if not rows.items:
        return view.credit
    program = highspy.HighsLp()
    program.num_col_, program.num_row_ = len(rows.options), len(rows.items)
    program.col_cost_ = [float(c) for c in rows.costs]
    program.col_lower_, program.col_upper_ = [0.0] * len(rows.options), [1.0] * len(rows.options)
    program.row_lower_ = [float(need) for need in rows.needs]
    exact = [is_exact(view, i) for i in rows.items]
    endless = highspy.kHighsInf
    program.row_upper_ = [float(need) if same else endless for need, same in zip(rows.needs, exact, strict=True)]
    program.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    starts, places = [0], []
    for reach in rows.reach:
        places += reach
        starts.append(len(places))
    program.a_matrix_.start_, program.a_matrix_.index_ = starts, places
    program.a_matrix_.value_ = [1.0] * len(places)
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.passModel(program)
    solver.run()
    if solver.getModelStatus() == highspy.HighsModelStatus.kInfeasible:
        return Bound(view.credit)  # infeasible, so there are no prices; the search itself will find out
    prices = solver.getSolution().row_dual  # empty if HiGHS gave up
    found = zip(rows.items, prices, exact, strict=False)
    return Bound(view.credit, {i: float(y) for i, y, same in found if same or y > 0})
