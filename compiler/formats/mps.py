"""Free MPS, which every solver of linear programs reads. Costs are minimised."""

from __future__ import annotations

from collections.abc import Iterator

from covr.compiler.formats.linear import Linear
from covr.engine import Problem


def write_mps(problem: Problem) -> Iterator[str]:
    """The lines of an MPS file. The format lists the matrix by columns, so it is transposed in memory first."""
    linear = Linear(problem)
    for line in linear.legend():
        yield f"* {line}\n"
    yield "NAME covr\nROWS\n N obj\n"
    columns: list[list[tuple[str, int]]] = [[] for _ in range(linear.variables)]
    for o, cost in enumerate(linear.costs):
        if cost:
            columns[o].append(("obj", cost))
    sides: list[str] = []
    number = 0
    for row in linear.rows():
        kinds = [("E", row.low)] if row.low == row.high else [("G", row.low), ("L", row.high)]
        for kind, side in kinds:
            if side is None:
                continue
            number += 1
            yield f" {kind} c{number}\n"
            for factor, v in row.terms:
                columns[v].append((f"c{number}", factor))
            if side:
                sides.append(f" RHS c{number} {side}\n")
    if not number:
        yield " G c1\n"
        columns[0].append(("c1", 1))
    yield "COLUMNS\n MARK0 'MARKER' 'INTORG'\n"
    for v, column in enumerate(columns):
        for name, factor in column or [("obj", 0)]:
            yield f" x{v + 1} {name} {factor}\n"
    yield " MARK1 'MARKER' 'INTEND'\nRHS\n"
    yield from sides
    yield "BOUNDS\n"
    for v in range(linear.variables):
        yield f" BV BND x{v + 1}\n"
    yield "ENDATA\n"
