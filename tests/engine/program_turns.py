"""A program: solve problems with HiGHS in turns, and print where it goes wrong.

It runs in a process of its own, since highspy and ortools can't be loaded into one. First small random problems, which
are answered by HiGHS alone, whatever turns it is granted, and by all methods together; then rotas, too large for our
own linear programs, with the same nodes each time; then one that only ends by a limit. As in a browser, if its second
argument is `emscripten`: HiGHS has no thread then, and begins anew in each turn.
"""

from __future__ import annotations

import random
import sys

from covr.engine import Limits, Problem, Settings, Status, build, check, cost, search
from covr.engine.kernels.header import DONE, FOUND
from covr.engine.minimum import integer_program
from covr.engine.minimum.integer_program import ProgramKernel
from covr.engine.problem import only_totals
from covr.engine.settings import MixedPace, Pace
from tests.engine.outside_opinion import covering
from tests.engine.outside_opinion import mixed as random_problem
from tests.engine.problems import least
from tests.engine.sided import sided


def rota(people: int, days: int, need: tuple[int, int], work: tuple[int, int]) -> Problem:
    """Three shifts a day, at most one for each, and none after a late one but another late one."""
    shifts = [(p, d, s) for p in range(people) for d in range(days) for s in range(3)]
    bounds = [need] * (3 * days) + [work] * people
    place = {("at", d, s): 3 * d + s for d in range(days) for s in range(3)}
    place |= {("of", p): 3 * days + p for p in range(people)}
    for p in range(people):
        for d in range(days):
            place["day", p, d] = len(bounds)
            place["rest", p, d] = len(bounds) + 1
            bounds += [(0, 1), (0, 1)]
    options = []
    for p, d, s in shifts:
        held = [place["at", d, s], place["of", p], place["day", p, d]]
        if s == 2:
            held.append(place["rest", p, d])
        elif d > 0:
            held.append(place["rest", p, d - 1])
        options.append(held)
    return build(bounds, options, costs=[(p * 7 + d * 5 + s * 11 + 23) % 13 for p, d, s in shifts])


def alone(problem: Problem, grant: int) -> int | None:
    """The minimum as HiGHS finds it, in turns of so much work."""
    integer_program.GRANT = grant
    best: list[int] = []
    kernel = ProgramKernel(problem, lambda: best[-1] if best else None, None)
    while (code := kernel.run(3, 1)) != DONE:
        assert kernel.believed, problem
        if code == FOUND:
            answer = tuple(sorted([*kernel.answer(), *problem.given]))
            assert check(problem, answer) is None, problem
            best.append(cost(problem, answer))
            kernel.lower(best[-1] - 1)
        assert kernel.bound is None or not best or kernel.bound <= best[-1], problem
    return best[-1] if best else None


def together(problem: Problem) -> int | None:
    """The minimum as all methods find it, with HiGHS from the beginning."""
    run = search(problem, goal="minimum", settings=Settings(jobs=1, pace=Pace(mixed=MixedPace(late=0))))
    for _ in run:
        pass
    assert run.status is Status.EXHAUSTED and run.bound == run.best
    return run.best


def partition(draw: random.Random, options: int) -> Problem:
    """Tours of 30 items, which cost about as much as they are long; some are given, doubled or hold nothing."""
    order = list(range(30))
    sets: list[list[int]] = [[]]
    for _ in range(4):
        draw.shuffle(order)
        sets += [sorted(order[k : k + 5]) for k in range(0, 30, 5)]
    sets.append(sets[-1])
    sets += [sorted(draw.sample(range(30), draw.randint(2, 6))) for _ in range(options - len(sets))]
    costs = [draw.randint(5, 20) * len(held) + draw.randint(0, 30) for held in sets]
    return build([(1, 1)] * 30, sets, costs=costs, given=draw.choice([[], [draw.randint(1, 24)]]))


def packing(draw: random.Random) -> Problem:
    """Gains, of which each item has room for two. Most values of the linear program are whole, and some are not."""
    options = draw.randint(30, 120)
    held: list[list[int]] = [[] for _ in range(options)]
    items = draw.randint(10, 40)
    for i in range(items):
        for o in draw.sample(range(options), draw.randint(3, 12)):
            held[o].append(i)
    return build([(0, 2)] * items, held, costs=[-draw.randint(5, 60) for _ in held])


def reports() -> None:
    """HiGHS's bounds while it searches, which may be those of a smaller program that it tries on the way."""
    for seed in range(40):
        problem = packing(random.Random(seed))
        true = alone(problem, 10**3)
        kernel = ProgramKernel(problem, lambda: None, None)
        while kernel.run(1, 1) != DONE:
            if true is None or (kernel.bound is not None and kernel.bound > true):
                print("a bound above the minimum", seed, kernel.bound, true)


def main(count: int) -> None:
    draw = random.Random(7)
    done = 0
    while done < count:
        problem = draw.choice([random_problem, random_problem, covering, sided])(draw)
        if not integer_program.available(problem) or sum(map(abs, problem.costs)) > 10**6:
            continue
        done += 1
        true = least(problem) if problem.options < 12 else together(problem)
        try:
            if (found := alone(problem, draw.choice([1, 10**4, 10**7]))) != true:
                print("alone", found, true, problem)
        except ValueError:  # totals that HiGHS can't count
            continue
        if only_totals(problem.sides) and together(problem) != true:
            print("together", true, problem)
    reports()
    integer_program.GRANT = 10**7
    large = rota(40, 28, (8, 12), (18, 22))
    told = []
    for _ in range(2):
        run = search(large, goal="minimum", settings=Settings(jobs=1))
        told.append([*run, run.best, run.bound, run.status, run.counters])
    if told[0] != told[1] or run.status is not Status.EXHAUSTED or (run.best, run.bound) != (1122, 1122):
        print("the rota", [one[-4:] for one in told])
    never = rota(60, 28, (8, 12), (18, 22))
    run = search(never, goal="minimum", limits=Limits(nodes=100), settings=Settings(jobs=1))
    if list(run) or run.status is not Status.EXHAUSTED:
        print("the rota that is impossible", run.status, run.counters)
    run = search(large, goal="minimum", limits=Limits(nodes=1), settings=Settings(jobs=1))
    if list(run) or run.status is not Status.LIMIT or run.counters.nodes != 1:
        print("a limit of one node", run.status, run.counters)
    print("compared", done)


if __name__ == "__main__":
    sys.platform = sys.argv[2] if sys.argv[2:] else sys.platform
    main(int(sys.argv[1]))
