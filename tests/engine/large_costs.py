"""A program that asks every engine, with every estimate and ceiling, about random problems whose costs reach the limit.

    python -m tests.engine.large_costs 100000 1     # how many, seed

What is right is worked out by brute force in Python's whole numbers. Costs lie where doubles and 32 or 64 bits end:
about 2^30, 2^31, 2^32, 2^53, 2^54 and 2^60, and at the most that a problem may have; with common divisors and without,
small differences between large costs, both signs, and small ones among large. Every twentieth is a covering problem too
large for brute force, with costs that add up to what the covering engine may take: there Dancing Links with `classic`
say what is right. It prints what is wrong, and how many were tried.

    python -m tests.engine.large_costs 1000 1 highs     # the same of HiGHS or CP-SAT, where they do not refuse
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator

from attrs import evolve

from covr.engine import MAX_COST, Problem, Settings, Status, build, cost, search
from covr.engine.base.alone import Unsuited
from covr.engine.check_estimate import check_estimate
from covr.engine.minimum.estimates import find_estimate
from tests.engine.engines import by
from tests.engine.outside_opinion import covering
from tests.engine.problems import brute

BOUNDS = {
    "cover": [(1, 99), (1, 99), (2, 99), (0, 99)],
    "exact": [(1, 1), (1, 1), (0, 1)],
    "counts": [(1, 1), (2, 2), (3, 3), (0, 2)],
    "mixed": [(1, 1), (0, 1), (1, 9), (2, 3), (0, 2), (1, 2), (2, 2)],
}
AROUND = [2**16, 2**26, 2**30, 2**31, 2**32, 2**53, 2**54, 2**58, 2**60]
ESTIMATES = ["auto", "none", "classic", "price", "dual", "lagrange", "price,dual,lagrange"]


def costs(draw: random.Random, count: int) -> list[int]:
    """Costs for so many options, as large as a problem may have them."""
    size = draw.choice(AROUND)
    sign = draw.choice([(1,), (1,), (-1,), (1, -1)])
    near = draw.choice([1, 3, 3, 1000])
    unit = draw.choice([1, 1, 3, 2**20])
    small = draw.choice([0.0, 0.0, 0.5])
    found = [
        draw.choice(sign) * (draw.randint(0, 9) if draw.random() < small else size + unit * draw.randint(-near, near))
        for _ in range(count)
    ]
    if draw.random() < 0.2 and count:  # exactly at the limit
        found[0] = MAX_COST - 1 - sum(map(abs, found[1:]))
    while sum(map(abs, found)) >= MAX_COST:
        found = [c // 2 for c in found]
    return found


def large(draw: random.Random) -> Problem:
    """A random problem of up to 6 items and 8 options."""
    bounds = sorted(draw.choices(BOUNDS[draw.choice(list(BOUNDS))], k=draw.randint(1, 6)), key=lambda b: b[0] == 0)
    count = draw.randint(1, 8)
    held = [draw.sample(range(len(bounds)), draw.randint(1, min(4, len(bounds)))) for _ in range(count)]
    tinted = draw.random() < 0.2
    options = [[(i, draw.randint(0, 2) if tinted and bounds[i] == (0, 1) else 0) for i in run] for run in held]
    given = [draw.randrange(count)] if draw.random() < 0.1 else []
    return build(bounds, options, costs=costs(draw, count), given=given)


def ways(draw: random.Random, every: bool) -> Iterator[Settings]:
    """Engines and estimates: all of them, or a few at random."""
    pairs = [(engine, estimate) for engine in ("auto", "links", "cover") for estimate in ESTIMATES]
    pairs += [("interpreted", "auto"), ("interpreted", "lagrange"), ("reference", "auto")]
    chosen = pairs if every else draw.sample(pairs, 4)
    for engine, estimate in chosen:
        yield by(engine, estimate=estimate, seed=draw.choice([None, None, 1]))


def wrong(problem: Problem, draw: random.Random, every: bool = False) -> Iterator[str]:
    """What any of them gets wrong, in words."""
    answers = brute(problem)
    value = {a: cost(problem, a) for a in answers}
    least = min(value.values(), default=None)
    ceilings = [draw.choice(list(value.values())) + draw.choice([-1, 0, 0, 1])] if value else [draw.choice(AROUND)]
    if least is not None:
        ceilings += [least, least - 1]
    for settings in ways(draw, every):
        name = f"{settings.engine} {settings.estimate} seed {settings.seed}"
        run = search(problem, goal="minimum", settings=settings)
        found = list(run)
        if run.status is not Status.EXHAUSTED or (run.best, run.bound) != (least, least):
            yield f"{name}: minimum {run.best}, bound {run.bound}, not {least}"
        if any(a not in value for a in found) or (found and value[found[-1]] != least):
            yield f"{name}: {found} for a minimum"
        stopped = search(problem, goal="minimum", settings=settings)
        stopped.step(draw.randint(1, 6))
        if least is not None and stopped.bound is not None and stopped.bound > least:
            yield f"{name}: bound {stopped.bound}, but {least} is possible"
        for ceiling in ceilings:
            limited = search(
                problem,
                settings=evolve(settings, ceiling=ceiling),
            )
            listed = list(limited)
            if sorted(listed) != sorted(a for a in answers if value[a] <= ceiling):
                yield f"{name}: {len(listed)} answers up to {ceiling}"


def wider(draw: random.Random) -> Iterator[str]:
    """What the covering engine gets wrong of a problem with as large costs as it takes."""
    small = covering(draw)
    most = (2**31 - 1) // small.options
    problem = evolve(small, costs=tuple(most - draw.randint(0, draw.choice([9, most // 4])) for _ in small.costs))
    plain = search(problem, goal="minimum", settings=Settings(engine="links", estimate="classic"))
    list(plain)
    for estimate in ("price", "dual", "lagrange", "auto"):
        run = search(problem, goal="minimum", settings=Settings(engine="cover", estimate=estimate))
        list(run)
        if (run.best, run.bound) != (plain.best, plain.bound):
            yield f"cover {estimate}: minimum {run.best}, bound {run.bound}, not {plain.best}: {problem}"


def outside(problem: Problem, engine: str) -> Iterator[str]:
    """What HiGHS or CP-SAT gets wrong, where it does not refuse the costs."""
    least = min((cost(problem, a) for a in brute(problem)), default=None)
    try:
        run = search(problem, goal="minimum", settings=by(engine))
        list(run)
    except Unsuited:
        return
    if run.best != least:
        yield f"{engine}: minimum {run.best}, not {least}"


def main(count: int, seed: int, engine: str | None = None) -> int:
    """Try so many; returns how many were wrong. Says on standard error how far it is."""
    draw, faults = random.Random(seed), 0
    for k in range(count):
        if k % 5000 == 0 and k:
            print(f"tried {k}, wrong {faults}", file=sys.stderr, flush=True)
        problem = large(draw)
        for what in outside(problem, engine) if engine else wrong(problem, draw):
            faults += 1
            print(k, what, problem)
        for what in wider(draw) if not engine and k % 20 == 0 else ():
            faults += 1
            print(k, what)
        if not engine and k % 50 == 0:
            name = draw.choice(ESTIMATES[:-1])
            fault = check_estimate(find_estimate(name).bound, problem, rounds=2, seed=k)
            if fault is not None:
                faults += 1
                print(k, name, fault)
    print(f"tried {count}, wrong {faults}")
    return faults


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else None) > 0)
