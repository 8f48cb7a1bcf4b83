"""Checks whether a set of options is an answer. Shares no code with any search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set

from covr.engine.problem import MAX_COST, AreaDemand, Areas, Circuit, Connection, Forest, Problem, Side, Total


def check(problem: Problem, answer: Sequence[int]) -> str | None:
    """None if `answer` is an answer of the problem; otherwise a sentence that names the first requirement it breaks.

    answer: option numbers, increasing. Time linear in the length of its options and the number of items.
    """
    if list(answer) != sorted(set(answer)):
        return "the options are not in increasing order without repetition"
    if answer and not 0 <= answer[0] <= answer[-1] < problem.options:
        return "there is no option of that number"
    missing = set(problem.given) - set(answer)
    if missing:
        name = _name(problem.option_names, min(missing), "option")
        return f"{name} is given, but not taken"
    plain: Counter[int] = Counter()
    shown: dict[int, int] = {}
    for o in answer:
        for i, colour in zip(problem.option(o), problem.option_colours(o), strict=True):
            if colour == 0:
                plain[i] += 1
            elif shown.setdefault(i, colour) != colour:
                return f"{_name(problem.item_names, i, 'item')} shows two colours"
    for i, (low, high) in enumerate(zip(problem.low, problem.high, strict=True)):
        times = plain[i] + (i in shown)
        if not low <= times <= high:
            wanted = f"{low} to {high}" if high < MAX_COST else f"at least {low}"
            return f"{_name(problem.item_names, i, 'item')} is met {times} times, not {wanted}"
    return check_sides(problem, answer)


def check_sides(problem: Problem, answer: Sequence[int]) -> str | None:
    """None when the options of `answer` meet every side of the problem, else a sentence with the first that is broken.

    Time linear in the length of the sides.
    """
    taken = set(answer)
    known: dict[tuple[object, ...], dict[int, int]] = {}
    for side in problem.sides:
        wrong = broken(side, taken, known)
        if wrong is not None:
            return f"`{side.name}`: {wrong}" if side.name else wrong
    return None


def broken(side: Side, taken: Set[int], known: dict[tuple[object, ...], dict[int, int]] | None = None) -> str | None:
    """None when these options meet a side, else what is wrong. known: the areas of the same options in other sides."""
    if isinstance(side, Total):
        total = sum([c for o, c in side.terms if o in taken])
        for low, high in side.sums:
            if low <= total <= high:
                return None
        return f"the total is {total}, which is none of those allowed"
    if isinstance(side, Connection):
        places = {v for o, v in side.places if o in taken}
        if len(places) < 2:
            return None
        graph = [(u, v) for u, v in side.edges if u in places and v in places]
        whole = len(_reached(_near(graph), min(places))) == len(places)
        return None if whole else "what is taken does not hang together"
    if isinstance(side, Areas):
        return _broken_areas(side, taken, {} if known is None else known)
    if isinstance(side, Forest):
        places = {v for o, v in side.places if o in taken}
        graph = [(u, v) for u, v in side.edges if u in places and v in places]
        return "what is taken has a ring" if _has_ring(graph) else None
    assert isinstance(side, Circuit)
    graph = [(u, v) for o, u, v in side.ends if o in taken]
    met = Counter(v for edge in graph for v in edge)
    if not graph:
        return "nothing is taken that could be a loop"
    if any(times != 2 for times in met.values()):
        vertex = min(v for v, times in met.items() if times != 2)
        return f"the vertex {vertex} is met {met[vertex]} times, not twice"
    return None if len(_reached(_near(graph), min(met))) == len(met) else "there is more than one loop"


def _has_ring(edges: Sequence[tuple[int, int]]) -> bool:
    """Whether some of these edges, none of which stands twice, form a ring."""
    part = {v: {v} for edge in edges for v in edge}
    for u, v in edges:
        if part[u] is part[v]:
            return True
        few, many = sorted((part[u], part[v]), key=len)
        many |= few
        part.update(dict.fromkeys(few, many))
    return False


def _broken_areas(side: Areas, taken: Set[int], known: dict[tuple[object, ...], dict[int, int]]) -> str | None:
    met = frozenset([v for o, v in side.places if o in taken]).union(side.always)
    closed = frozenset([(u, v) for o, u, v in side.cuts if o in taken])
    area = known.setdefault((id(side.edges), met, closed), {})  # per vertex that is met, the least one of its area
    if not area:
        near = _near([(u, v) for u, v in side.edges if u in met and v in met and (u, v) not in closed])
        for v in sorted(met):
            if v not in area:
                area.update(dict.fromkeys(_reached(near, v), v))
    for u, v in sorted(closed):
        if u in met and v in met and area[u] == area[v]:
            return f"a wall stands within an area, between the vertices {u} and {v}"
    for demand in side.demands:
        for total in _area_sums(demand, taken, area):
            if not any(low <= total <= high for low, high in demand.sums):
                return f"the total of an area is {total}, which is none of those allowed"
    return None


def _area_sums(demand: AreaDemand, taken: Set[int], area: dict[int, int]) -> list[int]:
    """The sums that a demand is about. area: as in `_broken_areas`."""
    sums = dict.fromkeys(area.values(), 0)
    for o, v, weight in demand.terms:
        if o in taken and v in area:
            sums[area[v]] += weight
    if demand.anchors is None:
        return list(sums.values())
    held = {area[v] for v in demand.anchors if v in area}
    return [] if demand.waived and not held else [sum([sums[a] for a in held])]


def _near(graph: Sequence[tuple[int, int]]) -> dict[int, list[int]]:
    """Per vertex that has any, its neighbours."""
    near: dict[int, list[int]] = {}
    for u, v in graph:
        near.setdefault(u, []).append(v)
        near.setdefault(v, []).append(u)
    return near


def _reached(near: Mapping[int, Sequence[int]], start: int) -> set[int]:
    """The vertices that can be reached."""
    todo = [start]
    seen = {start}
    while todo:
        for v in near.get(todo.pop(), ()):
            if v not in seen:
                seen.add(v)
                todo.append(v)
    return seen


def cost(problem: Problem, answer: Sequence[int]) -> int:
    """The sum of the costs of an answer's options."""
    return sum(map(problem.costs.__getitem__, answer)) if problem.costs else 0


def _name(names: Sequence[str], number: int, kind: str) -> str:
    return f"`{names[number]}`" if names else f"{kind} {number}"
