"""Conditions on switches: another answer is found, or none is, as trying all sets of options tells; and what is named
as enough for that is enough."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from covr.engine.check import check
from covr.engine.outside.clingo_switched import OtherAnswers, Switched, SwitchedItem, Untaken
from covr.engine.problem import Problem, build
from covr.engine.sides import Connection, Total
from tests.each import each

pytest.importorskip("clingo", reason="switches are those of clingo")


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


@each("seed", range(120))
def test_other_answers_are_those_of_all_sets_of_options(seed: int) -> None:
    rng = Random(seed)
    options, switches = rng.randint(1, 6), rng.randint(1, 4)
    bounds = [(0, rng.randint(1, 3)) for _ in range(rng.randint(0, 3))]
    problem = build(bounds, [[i for i in range(len(bounds)) if rng.random() < 0.5] for _ in range(options)])
    switched = random_switched(rng, options, switches)
    sets = [taken for n in range(options + 1) for taken in combinations(range(options), n)]
    answer = rng.choice(sets)
    telling = sorted(rng.sample(range(options), rng.randint(1, options)))
    asked = OtherAnswers(problem, switched, answer, telling, lambda: False)

    def others(on: set[int], lacking: list[int]) -> set[tuple[int, ...]]:
        return {
            taken
            for taken in sets
            if set(taken) & set(telling) != set(answer) & set(telling)
            and (not lacking or not set(lacking) <= set(taken))
            and allowed(problem, switched, switches, on, taken)
        }

    for _ in range(6):
        on = set(rng.sample(range(1, switches + 1), rng.randint(0, switches)))
        lacking = sorted(rng.sample(range(options), rng.randint(1, options))) if rng.random() < 0.3 else []
        wanted = others(on, lacking)
        found = asked.ask(sorted(on), None, lacking)
        assert asked.settled
        if found is None:
            assert not wanted
            assert set(asked.core) <= on
            assert not others(set(asked.core), lacking)
        else:
            assert found in wanted
        assert asked.has(sorted(on), None) == bool(others(on, []))
        assert asked.settled
