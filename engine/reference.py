"""The oracle: Algorithm X on plain tuples, with everything recomputed at every node.

It is slow on purpose: it undoes no state and keeps no counts, so that there is little to get wrong. Every other engine
must give the same answers in the same order. It ignores estimates: its only lower bound is the cost of the options
taken plus every negative cost that could still be added. Sides (problem.py) are checked only when an answer is
complete, and of answers that count as one (`Problem.projection`) the first is returned.

Source: Knuth, TAOCP 7.2.2.1, Algorithms X, C and M. We differ from M in one point: once an option has been tried, it is
excluded for its later siblings, so that no set of options is found twice.
"""

from __future__ import annotations

from collections.abc import Iterator

from covr.engine.problem import Areas, Connection, Problem, Side, Total

Answer = tuple[int, ...]


def explore(problem: Problem, goal: str = "all", ceiling: int | None = None) -> Iterator[Answer | None]:
    """Walk the search tree. Yields None at every node, and each answer as it is found.

    goal: 'all' yields every answer, 'minimum' only those cheaper than all before.  ceiling: the most that an answer may
    cost. Time per node: the length of the live options times the number of options taken.
    """
    items = [dict(zip(problem.option(o), problem.option_colours(o), strict=True)) for o in range(problem.options)]
    costs = problem.costs or [0] * problem.options
    best = ceiling + 1 if ceiling is not None else None  # answers must cost less than this

    def allowed(o: int, taken: Answer) -> bool:
        for i, colour in items[o].items():
            holders = [items[t][i] for t in taken if i in items[t]]
            if colour == 0 and len(holders) >= problem.high[i]:
                return False
            if colour != 0 and any(held != colour for held in holders):
                return False
        return True

    def branch(taken: Answer, live: Answer) -> Iterator[Answer | None]:
        nonlocal best
        yield None
        paid = sum(costs[o] for o in taken)
        if best is not None and paid + sum(min(costs[o], 0) for o in live) >= best:
            return
        need = {i: problem.low[i] - sum(i in items[o] for o in taken) for i in range(problem.primary)}
        unmet = {i: need[i] for i in need if need[i] > 0}
        if unmet:
            ways = {i: sum(i in items[o] for o in live) - need[i] + 1 for i in unmet}
            item = min(unmet, key=lambda i: (ways[i], i))
            if ways[item] < 1:
                return
            row = [o for o in live if item in items[o]]
            row = row[: ways[item]]  # beginning with a later option would leave too few for the item
        else:  # sides may need an option that nothing else asks for
            row = [o for o in live if goal == "all" or costs[o] < 0 or problem.sides]
        for o in row:
            live = tuple(x for x in live if x != o)  # excluded for its later siblings
            now = (*taken, o)
            yield from branch(now, tuple(x for x in live if allowed(x, now)))
        if not unmet and (best is None or paid < best) and all(holds(side, taken) for side in problem.sides):
            if goal == "minimum":
                best = paid
            answer = tuple(sorted(taken))
            if goal == "minimum" or problem.projection is None or problem.projected(answer) not in seen:
                seen.add(problem.projected(answer))
                yield answer

    start: Answer = ()
    seen: set[Answer] = set()  # what the answers so far take of the options that tell answers apart
    for o in problem.given:
        if not allowed(o, start):
            return
        start = (*start, o)
    yield from branch(start, tuple(o for o in range(problem.options) if o not in start and allowed(o, start)))


def answers(problem: Problem, goal: str = "all", ceiling: int | None = None) -> Iterator[Answer]:
    """Only the answers of `explore`, in the documented order."""
    return (a for a in explore(problem, goal, ceiling) if a is not None)


def holds(side: Side, taken: Answer) -> bool:
    """Whether a set of options meets a side, by its definition."""
    if isinstance(side, Total):
        total = sum(c for o, c in side.terms if o in taken)
        return any(low <= total <= high for low, high in side.sums)
    if isinstance(side, Connection):
        standing = {v for o, v in side.places if o in taken}
        return len(_blocks(standing, [e for e in side.edges if standing.issuperset(e)])) <= 1
    if isinstance(side, Areas):
        return _areas_hold(side, taken)
    joined = [(u, v) for o, u, v in side.ends if o in taken]
    met = [v for edge in joined for v in edge]
    return len(_blocks(set(met), joined)) == 1 and all(met.count(v) == 2 for v in met)


def _areas_hold(side: Areas, taken: Answer) -> bool:
    walls = {frozenset((u, v)) for o, u, v in side.cuts if o in taken}
    standing = {*side.always, *(v for o, v in side.places if o in taken)}
    areas = _blocks(standing, [e for e in side.edges if standing.issuperset(e) and frozenset(e) not in walls])
    if any(wall <= area for wall in walls for area in areas):
        return False
    for demand in side.demands:
        parts = areas
        if demand.anchors is not None:
            touched = [area for area in areas if not area.isdisjoint(demand.anchors)]
            parts = set() if demand.waived and not touched else {frozenset().union(*touched)}
        for part in parts:
            total = sum(weight for o, v, weight in demand.terms if o in taken and v in part)
            if not any(low <= total <= high for low, high in demand.sums):
                return False
    return True


def _blocks(vertices: set[int], edges: list[tuple[int, int]]) -> set[frozenset[int]]:
    """The connected pieces of a graph: every edge joins two of them."""
    block = {v: frozenset({v}) for v in vertices}
    for u, v in edges:
        for x in (joined := block[u] | block[v]):
            block[x] = joined
    return set(block.values())
