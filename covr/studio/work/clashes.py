"""What is wrong with choices that are pencilled in: the rules that they break, or that can't be kept any more.

Nothing is searched, so it is there at once, and says nothing of what follows only after some thought: that is what
`check` is for. A rule is broken if too many of its choices are taken, and out of reach if those that are left are too
few. A choice is left if it is neither taken nor crossed out nor excluded by what is taken.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from covr.engine.problem import Problem
from covr.engine.sides import Circuit, Connection, Side, Total
from covr.frozen import frozen


@frozen
class Clash:
    """A rule, what is wrong with it, and the options that are taken and make it so. broken: whether it is broken by
    these alone, and not only out of reach."""

    rule: str
    how: str
    options: tuple[int, ...]
    broken: bool = False


def clashes(problem: Problem, taken: Iterable[int], out: Iterable[int]) -> list[Clash]:
    """What is wrong, in the order of the items and sides. taken: with what is given. Time linear in the problem."""
    chosen = frozenset(taken)
    crossed = frozenset(out)
    colour: dict[int, int] = {}
    met: Counter[int] = Counter()  # a colour counts once, however many options show it
    found: list[Clash] = []
    odd: set[int] = set()
    for o in sorted(chosen):
        for i, shade in zip(problem.option(o), problem.option_colours(o), strict=True):
            if shade == 0 or i not in colour:
                met[i] += 1
            if shade and colour.setdefault(i, shade) != shade:
                odd.add(i)
    full = {i for i, times in met.items() if times >= problem.high[i]}
    left = [o for o in range(problem.options) if o not in crossed and (o in chosen or _fits(problem, o, full, colour))]
    spare: Counter[int] = Counter(i for o in left if o not in chosen for i in problem.option(o))
    for i in range(problem.items):
        own = tuple(o for o in problem.holders[i] if o in chosen) if met[i] else ()
        if i in odd:
            found.append(Clash(_name(problem, i), "two of these do not agree", own, True))
        elif met[i] > problem.high[i]:
            found.append(Clash(_name(problem, i), "too many", own, True))
        elif met[i] + spare[i] < problem.low[i]:
            found.append(Clash(_name(problem, i), "nothing that is left can keep it", own))
    remaining = frozenset(left)
    for side in problem.sides:
        found.extend(_of_side(side, chosen, remaining))
    return found


def _fits(problem: Problem, o: int, full: set[int], colour: dict[int, int]) -> bool:
    """Whether an option can be taken beside those that are."""
    for i, shade in zip(problem.option(o), problem.option_colours(o), strict=True):
        if shade and i in colour:
            if colour[i] != shade:
                return False
        elif i in full:
            return False
    return True


def _name(problem: Problem, item: int) -> str:
    return problem.item_names[item] if problem.item_names else f"item {item}"


def _of_side(side: Side, taken: frozenset[int], left: frozenset[int]) -> Iterator[Clash]:
    if isinstance(side, Total):
        sure = sum(c for o, c in side.terms if o in taken)
        low = sure + sum(c for o, c in side.terms if c < 0 and o in left and o not in taken)
        high = sure + sum(c for o, c in side.terms if c > 0 and o in left and o not in taken)
        if not any(a <= high and low <= b for a, b in side.sums):
            yield Clash(side.name, "the sum can't be reached", tuple(o for o, _ in side.terms if o in taken))
    elif isinstance(side, Connection):
        yield from _apart(side, taken, left)
    elif isinstance(side, Circuit):
        yield from _no_loop(side, taken)


def _apart(side: Connection, taken: frozenset[int], left: frozenset[int]) -> Iterator[Clash]:
    """Places that are taken, and that nothing which is left can connect."""
    open_places = {v for o, v in side.places if o in left}
    group = _groups((u, v) for u, v in side.edges if u in open_places and v in open_places)
    needed = [(o, v) for o, v in side.places if o in taken]
    if len({group.get(v, v) for _, v in needed}) > 1:
        yield Clash(side.name, "this can't hang together", tuple(dict.fromkeys(o for o, _ in needed)))


def _no_loop(side: Circuit, taken: frozenset[int]) -> Iterator[Clash]:
    """A vertex that is met three times, or a loop beside which something else is taken."""
    edges = [(o, u, v) for o, u, v in side.ends if o in taken]
    met = Counter(x for _, u, v in edges for x in (u, v))
    crowded = {x for x, times in met.items() if times > 2}
    if crowded:
        yield Clash(side.name, "it branches", tuple(o for o, u, v in edges if u in crowded or v in crowded), True)
        return
    group = _groups((u, v) for _, u, v in edges)
    size = Counter(group.get(u, u) for _, u, _ in edges)
    closed = {g for g in size if all(met[x] == 2 for x in met if group.get(x, x) == g)}
    if closed and len(size) > 1:
        inside = tuple(o for o, u, _ in edges if group.get(u, u) in closed)
        yield Clash(side.name, "a loop is closed, and there is more beside it", inside, True)


def _groups(edges: Iterable[tuple[int, int]]) -> dict[int, int]:
    """For each vertex of some edges, one vertex of its connected piece, the same for all of it."""
    parent: dict[int, int] = {}

    def root(x: int) -> int:
        while parent.setdefault(x, x) != x:
            parent[x] = parent[parent[x]]
            x = parent[x]
        return x

    for u, v in edges:
        parent[root(u)] = root(v)
    return {x: root(x) for x in list(parent)}


def foremost(found: Sequence[Clash]) -> Sequence[Clash]:
    """What is worth telling: rules that are broken, if there are any, and otherwise all."""
    return [clash for clash in found if clash.broken] or found
