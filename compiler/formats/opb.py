"""OPB, the format of pseudo-Boolean solvers, and the same rows for proofs about them. Costs are minimised.

A variable that no row needs has one that says nothing, `x >= 0`, so that every program that reads the file knows of it.

Source: O. Roussel and V. Manquinho, "Input/output format and solver requirements for the competitions of
pseudo-Boolean solvers" (2012).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from covr.compiler.formats.linear import Linear, Row, Term
from covr.compiler.lower.stages import Stage, taken_apart
from covr.engine import Problem

if TYPE_CHECKING:
    from covr.engine.proofs.logged import PseudoBoolean


OPPOSITE = "* the sum is the opposite of what is maximised\n"  # covr/verify/opb.py reads it, and the lines of goals


def write_opb(problem: Problem, opposite: bool = False, stages: Sequence[Stage] = ()) -> Iterator[str]:
    """The lines of an OPB file. opposite: whether the costs were to be maximised, with the other sign.  stages: the
    goals, if the costs are those of several in order. Comments say so. The first line says how many follow, so the
    constraints are generated twice."""
    linear = Linear(problem)
    yield f"* #variable= {linear.variables} #constraint= {sum(1 for _ in _constraints(linear))}\n"
    for line in linear.legend():
        yield f"* {line}\n"
    if linear.costs:
        yield from _goals(linear.costs, stages)
        if opposite and not stages:
            yield OPPOSITE
        yield f"min: {_sum([(c, o) for o, c in enumerate(linear.costs) if c] or [(0, 0)])} ;\n"
    yield from _constraints(linear)


def _goals(costs: Sequence[int], stages: Sequence[Stage]) -> Iterator[str]:
    """A comment for each goal: what the sum has of it, and its own sum. The costs of an option, taken apart, are those
    that it has for each goal, as they lie between the same bounds as those of answers."""
    own = [taken_apart(stages, c) for c in costs] if stages else []
    for k, stage in enumerate(stages):
        kind = "maximised" if stage.kind == "maximize" else "minimised"
        sign = -1 if stage.kind == "maximize" else 1
        terms = _sum([(sign * apart[k], o) for o, apart in enumerate(own) if apart[k]])
        plus = f" plus {stage.offset}" if stage.offset else ""
        yield f"* goal {k + 1}, {kind}, {stage.weight} times: {terms}{plus}\n"


def pseudo_boolean(problem: Problem) -> PseudoBoolean:
    """The rows of that file, in its order; an equation is two. Raises Unwritable as `write_opb` does."""
    from covr.engine.proofs.logged import PseudoBoolean

    linear = Linear(problem)
    rows: list[tuple[Sequence[Term], int]] = []
    for row in _rows(linear):
        if row.low is not None:
            rows.append((row.terms, row.low))
        if row.high is not None:
            rows.append(([(-f, v) for f, v in row.terms], -row.high))
    return PseudoBoolean(linear.variables, problem.options, rows, linear.costs)


def _rows(linear: Linear) -> Iterator[Row]:
    named = bytearray(linear.variables)
    for row in linear.rows():
        for _, v in row.terms:
            named[v] = 1
        yield row
    yield from (Row([(1, v)], 0) for v, there in enumerate(named) if not there)


def _constraints(linear: Linear) -> Iterator[str]:
    for row in _rows(linear):
        if row.low == row.high:
            yield f"{_sum(row.terms)} = {row.low} ;\n"
            continue
        if row.low is not None:
            yield f"{_sum(row.terms)} >= {row.low} ;\n"
        if row.high is not None:
            yield f"{_sum([(-f, v) for f, v in row.terms])} >= {-row.high} ;\n"


def _sum(terms: Sequence[Term]) -> str:
    return " ".join(f"{f:+d} x{v + 1}" for f, v in terms)
