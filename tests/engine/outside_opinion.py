"""A program that solves random mixed problems with covr's engines and with another solver, and prints where they
differ.

It runs in a process of its own, since highspy and ortools can't be loaded into one. The mixed problems are small enough
for brute force and have every kind of bounds, colours, given options, and costs of both signs. Every third one is a
covering problem, too large for brute force, for the engine that takes only those: with needs above 1, too.
"""

from __future__ import annotations

import random
import sys

from covr.engine import Problem, Settings, Status, build, check, search
from tests.engine.problems import assignment, coloured_path, domination

BOUNDS = [(1, 1), (0, 1), (1, 9), (2, 3), (0, 2), (0, 0), (1, 2), (2, 99), (3, 2)]


def mixed(draw: random.Random) -> Problem:
    """A random problem of up to 6 items and 9 options."""
    bounds = sorted(draw.choices(BOUNDS, k=draw.randint(1, 6)), key=lambda b: b[0] == 0)
    options = []
    for _ in range(draw.randint(0, 9)):
        held = draw.sample(range(len(bounds)), draw.randint(0, min(4, len(bounds))))
        options.append([(i, draw.randint(0, 2) if bounds[i] == (0, 1) else 0) for i in held])
    low, high = draw.choice([(1, 1), (0, 4), (-3, 4), (-5, -1)])
    given = draw.sample(range(len(options)), draw.choice([0, 0, min(1, len(options))]))
    return build(bounds, options, costs=[draw.randint(low, high) for _ in options], given=given)


def covering(draw: random.Random) -> Problem:
    """A random covering problem of up to 26 items and 40 options."""
    items, options = draw.randint(8, 26), draw.randint(10, 40)
    held = [draw.sample(range(items), draw.randint(1, 6)) for _ in range(options)]
    low, high = draw.choice([(1, 1), (1, 9), (0, 5), (-2, 7), (6, 6)])
    given = draw.sample(range(options), draw.choice([0, 0, 2]))
    bounds = [(draw.choice([1, 1, 1, 2, 3]), 99) for _ in range(items)]
    return build(bounds, held, costs=[draw.randint(low, high) for _ in held], given=given)


def differ(problem: Problem, engine: str, ceiling: int | None) -> bool:
    """Whether the engine finds another minimum than ours, or what is no answer."""
    ours = search(problem, goal="minimum", settings=Settings(ceiling=ceiling))
    theirs = search(problem, goal="minimum", settings=Settings(engine=engine, ceiling=ceiling))
    list(ours)
    answers = list(theirs)
    return (
        any(check(problem, a) is not None for a in answers)
        or theirs.status is not Status.EXHAUSTED
        or (ours.best, ours.bound) != (theirs.best, theirs.bound)
    )


def main(engine: str, count: int) -> None:
    known = [domination(6), assignment([[-3, -7, -5], [-6, -9, -1], [-4, -4, -8]]), coloured_path(3, 2)]
    draw = random.Random(1)
    for problem in [*known, *((mixed, mixed, covering)[k % 3](draw) for k in range(count))]:
        if differ(problem, engine, draw.choice([None, None, draw.randint(-6, 6)])):
            print(problem)
    print("compared", len(known) + count)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
