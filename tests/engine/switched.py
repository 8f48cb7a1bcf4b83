"""Random conditions on switches, and whether they hold, by counting."""

from __future__ import annotations

from itertools import combinations
from random import Random

from covr.engine.check import check
from covr.engine.outside.clingo_answers import Switched, SwitchedItem, Untaken
from covr.engine.problem import Connection, Problem, Total


def random_switched(rng: Random, options: int, switches: int) -> list[Switched]:
    found = []
    for _ in range(rng.randint(1, 5)):
        when = tuple(
            rng.choice((1, -1)) * s for s in rng.sample(range(1, switches + 1), rng.randint(1, min(2, switches)))
        )
        own = sorted(rng.sample(range(options), rng.randint(0, options)))
        kind = rng.randrange(4)
        what: SwitchedItem | Total | Connection | Untaken
        if kind == 0:
            low = rng.randint(0, 2)
            what = SwitchedItem(low, max(low, 1) + rng.randint(0, 2), tuple((o, 0) for o in own))
        elif kind == 1:
            low = rng.randint(-2, 3)
            what = Total(tuple((o, rng.choice((-2, -1, 1, 2, 3))) for o in own), ((low, low + rng.randint(0, 2)),))
        elif kind == 2:
            edges = tuple(pair for pair in combinations(range(options), 2) if rng.random() < 0.4)
            what = Connection(tuple((o, o) for o in own), edges)
        else:
            what = Untaken(rng.randrange(options))
        found.append(Switched(when, what))
    return found


def holds(what: SwitchedItem | Total | Connection | Untaken, taken: tuple[int, ...]) -> bool:
    """By counting, which shares nothing with the engine."""
    own = set(taken)
    if isinstance(what, Untaken):
        return what.option not in own
    if isinstance(what, SwitchedItem):
        return what.low <= sum(o in own for o, _ in what.column) <= what.high
    if isinstance(what, Total):
        added = sum(c for o, c in what.terms if o in own)
        return any(low <= added <= high for low, high in what.sums)
    places = {v for o, v in what.places if o in own}
    if not places:
        return True
    reached, todo = set(), [min(places)]
    while todo:
        v = todo.pop()
        if v not in reached:
            reached.add(v)
            todo += [b if a == v else a for a, b in what.edges if v in (a, b) and {a, b} <= places]
    return reached == places


def allowed(problem: Problem, switched: list[Switched], switches: int, on: set[int], taken: tuple[int, ...]) -> bool:
    """Whether the other switches can be such that all holds."""
    if check(problem, taken) is not None:
        return False
    free = [s for s in range(1, switches + 1) if s not in on]
    for n in range(len(free) + 1):
        for more in combinations(free, n):
            now = on | set(more)
            if all(holds(one.what, taken) for one in switched if all((s > 0) == (abs(s) in now) for s in one.when)):
                return True
    return False
