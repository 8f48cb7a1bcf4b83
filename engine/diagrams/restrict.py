"""Only the answers that take some options and leave others."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate

from covr.engine.base.heed import heeded
from covr.engine.diagrams.diagram import Diagram, Nodes, reachable


def restrict(diagram: Diagram, wanted: Iterable[int] = (), unwanted: Iterable[int] = ()) -> Diagram:
    """The diagram of the answers with all the wanted options and none of the unwanted ones, in the same order.

    Time linear in the number of nodes. A path that skips a wanted option does not take it; so an edge that passes over
    the level of one is dropped, as is the edge of a node to `low` where its own option is wanted."""
    with_, without = set(wanted), set(unwanted)
    bottom = len(diagram.order)
    must = [o in with_ for o in diagram.order]
    mustnt = [o in without for o in diagram.order]
    before = list(accumulate(must, initial=0))  # per level, how many wanted options lie above it
    nodes = Nodes(bottom)
    level, low, high = diagram.level, diagram.low, diagram.high
    if with_ & without or not with_ <= set(diagram.order):
        return Diagram(diagram.options, diagram.order, nodes.level, nodes.low, nodes.high, 0)
    new = [0] * len(level)
    new[1] = 1
    seen = reachable(diagram)
    for k in heeded(range(2, len(level))):
        if not seen[k]:
            continue
        here = level[k]
        below, above = low[k], high[k]
        left = new[below] if not must[here] and before[level[below]] == before[here + 1] else 0
        taken = new[above] if not mustnt[here] and before[level[above]] == before[here + 1] else 0
        new[k] = nodes.make(here, left, taken)
    root = new[diagram.root] if before[level[diagram.root]] == 0 else 0
    return Diagram(diagram.options, diagram.order, nodes.level, nodes.low, nodes.high, root)
