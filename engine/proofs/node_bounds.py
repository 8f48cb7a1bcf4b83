"""Bounds at the nodes of a proof's search: where they are looked for, and what they say as a line of the proof.

The row at the root (priced_row.py) takes part in propagation everywhere, but its prices are those of the whole problem.
Further down others are better. Looking for them takes longer than a node does, so that it must pay: after a look in
vain, twice as many nodes pass until the next, and half as many after one that closed its node or settled much.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from covr.engine.kernels.loading import load
from covr.frozen import frozen

if TYPE_CHECKING:
    from covr.engine.proofs.logged import PseudoBoolean
    from covr.engine.proofs.priced_row import PricedRow

STEPS = 60  # along subgradients, per look
LONGEST = 128  # nodes between two looks at most
SHARE = 16  # a row that settles fewer than one in so many open variables isn't worth its line


@frozen
class NodeBound:
    """What follows at a node. line: the `pol` line, over the row of the best answer.  literals: what it settles: 2v for
    variable v being 1, 2v + 1 for 0; None if the node can be closed."""

    line: str
    literals: tuple[int, ...] | None


class NodeBounds:
    """Looks for bounds at nodes. `pause`: how many nodes should pass until the next look."""

    def __init__(self, problem: PseudoBoolean, priced: PricedRow, silent: bool = False) -> None:
        """silent: write no lines."""
        starts, members, factors = [0], list[int](), list[int]()
        for terms, _ in problem.rows:
            members += [v for _, v in terms]
            factors += [c for c, _ in terms]
            starts.append(len(members))
        prices = [0.0] * len(problem.rows)
        for r, price in priced.prices:
            prices[r] = price / priced.scale
        costs = [*problem.costs, *[0] * (problem.variables - len(problem.costs))]
        degrees = [degree for _, degree in problem.rows]
        self._kernel: Any = load("_node_prices").NodePrices(
            costs, starts, members, factors, degrees, prices, priced.scale
        )
        self.pause = 1
        self._silent = silent
        self._adding = [f" {r + 1} %d * +" for r in range(len(problem.rows))]  # twice as fast as one string per price

    @property
    def steps(self) -> int:
        """How many steps were taken."""
        return int(self._kernel.work)

    def look(self, values: Sequence[int], most: int, row: int) -> NodeBound | None:
        """What follows at a node, if answers may cost `most` at most; None if nothing or little does. values: per
        variable, 1, -1 for 0, or 0 if it is open.  row: the number of the row `costs <= most`."""
        told = self._kernel.look(values, most, STEPS)
        if told is None or (told[2] is not None and len(told[2]) * SHARE < values.count(0)):
            self.pause = min(2 * self.pause, LONGEST)
            return None
        self.pause = max(self.pause // 2, 1)
        scale, prices, literals = told
        line = ""
        if not self._silent:
            added = "".join([self._adding[r] for r, _ in prices]) % tuple([y for _, y in prices])
            line = f"pol {row} {scale} *{added};\n"
        return NodeBound(line, literals if literals is None else tuple(literals))
