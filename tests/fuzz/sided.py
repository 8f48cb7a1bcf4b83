"""Random problems with sides against brute force: `python -m tests.fuzz.sided --problems 100000 --seed 1`.

Every problem (tests/engine/sided.py) is small enough for every set of its options to be tried. It is then listed, in
the documented order and shuffled, counted, asked for a minimum and for the answers up to some cost; from time to time
it is also asked interpreted, of the oracle, by clauses, in parts, stopped and continued, and beside others so that
there are more than 64 options. Every second problem is asked for the answers that differ in some options
(`Problem.projection`), counted with a memo by turns where there is one. Problem k of a seed is the same wherever a run
begins. Prints the figures, and what is wrong.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from math import prod

from attrs import evolve

from covr.engine import Limits, Problem, Settings, Status, Total, cost, count, search
from covr.engine.base.alone import Unsuited
from covr.engine.outside.clingo import INSTALLED
from covr.engine.pieces.parallel import SidedSplitter
from covr.engine.pieces.split import Prefix
from covr.engine.settings import CountPace, Pace
from tests.engine.problems import brute
from tests.engine.sided import side_by_side, sided

ENOUGH = 5  # faults, after which no more are looked for
OFTEN = 500  # problems between two figures
BESIDE = 12  # problems that are put side by side
OUTSIDE = [name for name, module in (("highs", "highspy"),) if find_spec(module)]
LARGEST = 20_000  # answers that these may have to be listed


class Wrong(Exception):
    """What is wrong with a problem, in words."""


EAGER = Pace(least=1, counts=CountPace(parts=2))  # the memo has its turn after two nodes


def ask(problem: Problem, rng: random.Random) -> list[tuple[int, ...]]:
    """Ask a problem in all ways; returns its answers. Raises Wrong, or whatever the engine raises."""
    answers = sorted(brute(problem))
    seed = rng.randrange(1000)
    settings = [Settings(), Settings(engine="sides", seed=seed)]
    if rng.random() < 0.05:
        settings += [Settings(engine="sides", interpreted=True), Settings(engine="reference")]
    for how in settings:
        run = search(problem, settings=how)
        agree(sorted(run), answers, f"list {how.engine} {how.seed} {how.interpreted}")
        agree(run.status, Status.EXHAUSTED, "status")
    agree(count(problem).value, len(answers), "count")
    if INSTALLED and rng.random() < 0.2:
        _by_clingo(problem, answers, rng.choice((None, seed)))
    if rng.random() < 0.2:
        _in_parts(problem, answers, rng.randint(2, 9))
    _stopped(problem, answers, rng)
    _minimum(problem, answers, seed, rng)
    if problem.costs and answers:
        ceiling = rng.choice([cost(problem, a) for a in answers]) - rng.choice((0, 0, 1))
        cheap = [a for a in answers if cost(problem, a) <= ceiling]
        agree(sorted(search(problem, settings=Settings(ceiling=ceiling))), cheap, f"ceiling {ceiling}")
    if rng.random() < 0.5:
        by_some(problem, answers, rng)
    return answers


def by_some(problem: Problem, answers: list[tuple[int, ...]], rng: random.Random) -> None:
    """Ask for the answers that differ in some options; now and then of the items alone, for which a count has a memo.
    answers: all of the problem's. Raises Wrong, or whatever the engine raises."""
    share = rng.choice((0.0, 0.2, 0.5, 0.8, 1.0))
    problem = evolve(problem, projection=tuple(o for o in range(problem.options) if rng.random() < share))
    if rng.random() < 0.4:
        problem = evolve(problem, sides=())
        answers = brute(problem.by_all())
    parts = sorted({problem.projected(a) for a in answers})
    settings = [Settings(), Settings(engine="sides", seed=rng.randrange(1000))]
    if rng.random() < 0.05:
        settings += [Settings(engine="sides", interpreted=True), Settings(engine="reference")]
    for how in settings:
        found = list(search(problem, settings=how))
        agree(sorted(map(problem.projected, found)), parts, f"list by some {how.engine} {how.seed} {how.interpreted}")
        agree(set(found) <= set(answers), True, "answers by some are answers")
    room = rng.choice((0, 1000, 1 << 20))
    agree(
        count(problem, settings=Settings(memory=room, pace=EAGER)).value, len(parts), f"count by some in {room} bytes"
    )
    most = rng.randint(1, 3)
    agree(
        count(problem, Limits(answers=most), Settings(pace=EAGER)).value, min(most, len(parts)), "limited count by some"
    )
    if INSTALLED and rng.random() < 0.2:
        found = list(search(problem, settings=Settings(engine="clingo")))
        agree(sorted(map(problem.projected, found)), parts, "list by some clingo")
    if problem.costs and answers:
        ceiling = rng.choice([cost(problem, a) for a in answers])
        cheap = sorted({problem.projected(a) for a in answers if cost(problem, a) <= ceiling})
        found = list(search(problem, settings=Settings(ceiling=ceiling)))
        agree(sorted(map(problem.projected, found)), cheap, f"by some under a ceiling {ceiling}")


def _by_clingo(problem: Problem, answers: list[tuple[int, ...]], seed: int | None) -> None:
    try:
        agree(sorted(search(problem, settings=Settings(engine="clingo", seed=seed))), answers, "list clingo")
    except Unsuited:
        agree(any(isinstance(side, Total) for side in problem.sides), True, "refused by clingo")


def _in_parts(problem: Problem, answers: list[tuple[int, ...]], parts: int) -> None:
    splitter = SidedSplitter(problem)
    rests = [splitter.rest(prefix) for prefix in splitter.cut(Prefix(), parts).prefixes]
    found = [a for rest in rests for a in sorted(map(rest.whole, search(rest.problem)), key=splitter.key)]
    agree(found, sorted(answers, key=splitter.key), "list in parts")


def _stopped(problem: Problem, answers: list[tuple[int, ...]], rng: random.Random) -> None:
    nodes = rng.randint(0, 12)
    run = search(problem, limits=Limits(nodes=nodes))
    found = list(run)
    agree(len(set(found)), len(found), "answers at a limit of nodes, each once")
    agree(set(found) <= set(answers), True, "answers at a limit of nodes")
    agree(run.status in (Status.LIMIT, Status.EXHAUSTED) and run.counters.nodes <= nodes, True, "limit of nodes")
    most = rng.randint(1, 3)
    agree(len(list(search(problem, limits=Limits(answers=most)))), min(most, len(answers)), "limit of answers")


def _minimum(problem: Problem, answers: list[tuple[int, ...]], seed: int, rng: random.Random) -> None:
    least = min((cost(problem, a) for a in answers), default=None)
    engines = ["auto", "sides", "mixed"]
    if rng.random() < 0.02:
        engines += ["reference", *OUTSIDE]
    for engine in engines:
        try:
            run = search(problem, goal="minimum", settings=Settings(engine=engine, seed=rng.choice((None, seed))))
        except Unsuited:
            agree(engine in OUTSIDE, True, f"refused by {engine}")
            continue
        _bounds(problem, least, engine)
        costs = [cost(problem, a) for a in run]
        agree(costs[-1] if costs else None, least, f"minimum {engine}")
        agree(run.bound, least, f"bound {engine}")
        agree(costs, sorted(set(costs), reverse=True), "ever cheaper")


def _bounds(problem: Problem, least: int | None, engine: str) -> None:
    """Whatever bound is reported on the way, no answer is cheaper."""
    if engine not in ("auto", "sides", "mixed"):
        return
    run = search(problem, goal="minimum", settings=Settings(engine=engine))
    while run.step(1):
        agree(run.bound is None or least is None or run.bound <= least, True, f"bound {run.bound} of {least}, {engine}")


def agree(found: object, known: object, what: str) -> None:
    """Raises Wrong where two things differ that should not."""
    if found != known:
        raise Wrong(f"{what}: {str(found)[:400]}, not {str(known)[:400]}")


def beside(problems: Sequence[Problem], counts: Sequence[int]) -> None:
    """Problems side by side have the product of their numbers of answers. Raises Wrong."""
    if all(counts) and prod(counts) <= LARGEST:
        found = list(search(side_by_side(problems), limits=Limits(nodes=20 * LARGEST)))
        agree(len(set(found)), prod(counts), "side by side")


def many(
    problems: int,
    seed: int,
    start: int = 0,
    seconds: float = 3600,
    talk: bool = False,
    make: Callable[[random.Random], Problem] = sided,
    ask: Callable[[Problem, random.Random], Sequence[tuple[int, ...]]] = ask,
) -> list[str]:
    """Ask problems `start` to `start + problems` of a seed, for so many seconds at most; returns what is wrong."""
    begun = time.monotonic()
    faults: list[str] = []
    some: list[Problem] = []
    counts: list[int] = []
    asked = total = 0
    for k in range(start, start + problems):
        rng = random.Random(f"{seed}/{k}")
        problem = make(rng)
        try:
            asked += 1
            found = len(ask(problem, rng))
            total += found
            if 0 < found < 4:
                some.append(problem)
                counts.append(found)
            if len(some) == BESIDE:
                beside(some, counts)
                some, counts = [], []
        except Exception as fault:
            faults.append(f"problem {k} of seed {seed}: {type(fault).__name__}: {fault}\n{problem}")
            if talk:
                print(faults[-1], flush=True)
        if k % OFTEN == 0 and talk:
            print(f"{time.monotonic() - begun:.0f} s, {k}: {total} answers, {len(faults)} faults", flush=True)
        if len(faults) >= ENOUGH or time.monotonic() - begun > seconds:
            break
    if talk:
        print(f"seed {seed}: {asked} problems from {start}, {total} answers, {len(faults)} faults", flush=True)
    return faults


def asked_for() -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--problems", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=int, default=0, help="the number of the first problem")
    parser.add_argument("--seconds", type=float, default=3600, help="at most")
    return parser.parse_args()


def main() -> None:
    words = asked_for()
    many(words.problems, words.seed, words.start, words.seconds, talk=True)


if __name__ == "__main__":
    main()
