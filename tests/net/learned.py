"""`python -m tests.net.learned COUNT [SEED]`: draws so many problems with connections, loops, totals and `if`, asks
clingo about each, and shows each that goes wrong. Half of them are models, half are matrices with sides."""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

from attrs import evolve

import covr
from covr.dsl.diagnostics import ModelErrors
from covr.engine import Problem, Settings, Status, Total, cost, search
from covr.engine.base.alone import Unsuited
from covr.engine.minimum import mixed
from covr.engine.outside import clingo as clingo_turns
from covr.engine.outside.clingo import ClingoSearch
from covr.engine.puzzles import candidates
from covr.engine.puzzles.candidates import Presence
from covr.engine.settings import MixedPace, Pace
from covr.engine.turns import Entrant
from tests.engine.problems import brute
from tests.engine.sided import sided
from tests.net.drawn import draw
from tests.net.scene import Wrong, answer_of, same

SIDED = ("connected", "along", "loop", "total", "needs", "excludes")
CLINGO = Settings(engine="clingo")
SHORT = Pace(least=1, mixed=MixedPace(few_sided=1))  # turns as short as can be


def wrong_model(seed: int) -> str:
    """What clingo says wrong of a random model; empty where nothing is."""
    rng = random.Random(f"learned {seed}")
    drawn = draw(seed, rng.sample(SIDED, rng.randint(1, 3)))
    try:
        model = covr.loads(drawn.text())
    except ModelErrors as errors:
        codes = {d.code for d in errors.diagnostics}
        return "" if codes & drawn.refusals else f"refused: {errors}"
    try:
        found = [answer_of(a) for a in model.solutions(engine="clingo")]
        same(Counter(map(drawn.key, found)), Counter(drawn.keys), "solutions")
        same(set(found) <= drawn.wanted, True, "all are answers")
        few = [answer_of(a) for a in model.solutions(2, engine="clingo")]
        same(len(set(map(drawn.key, few))), min(2, len(drawn.keys)), "two answers")
        answer = model.solve(engine="clingo")
        same(answer is not None, bool(drawn.wanted), "solve")
        if answer is not None:
            same((answer.cost, answer.proved), (drawn.best, True), "the best value")
    except Wrong as wrong:
        return f"{wrong}\n{drawn.text()}"
    except Unsuited:
        pass
    return ""


def _checked(problem: Problem, rng: random.Random) -> None:
    answers = sorted(brute(problem))
    settings = evolve(CLINGO, seed=rng.choice((None, None, rng.randrange(99))))
    run = search(problem, settings=settings)
    same((sorted(run), run.status), (answers, Status.EXHAUSTED), "answers")
    told = evolve(problem, projection=tuple(o for o in range(problem.options) if rng.random() < 0.5))
    parts = sorted({told.projected(a) for a in answers})
    same(sorted(map(told.projected, search(told, settings=settings))), parts, "answers that differ in some options")
    least = min((cost(problem, a) for a in answers), default=None)
    best = search(problem, goal="minimum", settings=settings)
    list(best)
    same((best.best, best.bound, best.status), (least, least, Status.EXHAUSTED), "the least cost")
    candidates.BRIEF = rng.choice((1, 1, 5))
    found = candidates.CandidateSearch(problem).run()
    times = [sum(o in a for a in answers) for o in range(problem.options)]
    right = [Presence.NONE if not t else Presence.ALL if t == len(answers) else Presence.SOME for t in times]
    same(([*found.verdicts], found.complete, found.solvable), (right, True, bool(answers)), "candidates")


def check_best(problem: Problem, rng: random.Random) -> None:
    """clingo proves the least of random costs by short calls, alone and by turns with the other methods. The bound that
    it tells meanwhile holds, and each answer is cheaper than those before."""
    problem = evolve(problem, costs=tuple(rng.choice((-3, -1, 0, 1, 1, 2, 5)) for _ in range(problem.options)))
    paid = [cost(problem, a) for a in brute(problem)]
    ceiling = rng.choice((None, None, rng.randint(-8, 12)))
    alone = ClingoSearch(problem, "minimum", settings=evolve(CLINGO, ceiling=ceiling, seed=rng.choice((None, 3))))
    alone.called = rng.choice((5, 50, None))
    found: list[int] = []
    while alone.step(rng.choice((5, 50, 1000))):
        for answer in alone.waiting():
            found.append(cost(problem, answer))
            if rng.random() < 0.3:
                ceiling = found[-1] - rng.randint(1, 3)
                alone.lower_ceiling(ceiling)
        known = [*paid, *([] if ceiling is None else [ceiling + 1])]
        same(alone.bound is None or not known or alone.bound <= min(known), True, "clingo's bound")
    found += [cost(problem, a) for a in alone.waiting()]
    least = min((c for c in paid if ceiling is None or c <= ceiling), default=None)
    same(alone.status, Status.EXHAUSTED, "clingo's status")
    same(found, sorted(set(found), reverse=True), "ever cheaper answers")
    same(least is None or min(found, default=None) == least, True, "the least cost by clingo")
    with at_once(rng.choice((1, 50)), rng.random() < 0.7):
        run = search(problem, goal="minimum", settings=Settings(jobs=1, pace=SHORT))
        answers = [cost(problem, a) for a in run]
    least = min(paid, default=None)
    same((run.best, run.bound, run.status), (least, least, Status.EXHAUSTED), "the least cost by turns")
    same(answers, sorted(set(answers), reverse=True), "ever cheaper answers by turns")


@contextmanager
def at_once(called: int, first: bool) -> Iterator[None]:
    """A context in which clingo has turns for a minimum from the beginning. called: conflicts of a call.  first: if so,
    before all others, which end most small problems in their first turns."""
    table = mixed.Mixed._table

    def reordered(self: Any, *asked: Any) -> Sequence[Entrant]:
        return sorted(table(self, *asked), key=lambda row: row.name != "clingo")

    new: dict[tuple[Any, str], Any] = {(clingo_turns, "CALLED"): called}
    if first:
        new[mixed.Mixed, "_table"] = reordered
    with ExitStack() as stack:
        for (where, name), value in new.items():
            stack.callback(setattr, where, name, getattr(where, name))
            setattr(where, name, value)
        yield


def wrong_matrix(seed: int) -> str:
    """What clingo says wrong of a random matrix with sides; empty where nothing is."""
    rng = random.Random(f"matrix {seed}")
    problem = sided(rng, most=rng.choice((6, 9)))
    try:
        _checked(problem, rng)
        check_best(problem, rng)
    except Wrong as wrong:
        return f"{wrong}\n{problem}"
    except Unsuited:
        if not any(isinstance(one, Total) for one in problem.sides) and not any(problem.costs):
            return f"refused\n{problem}"
    return ""


def main() -> None:
    """Draw, and say what is wrong."""
    count, seed = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0
    faults = 0
    for at in range(seed, seed + count):
        wrong = wrong_matrix(at) if at % 2 else wrong_model(at)
        if wrong:
            faults += 1
            print(f"--- seed {at}: {wrong}", flush=True)
        if (at - seed) % 1000 == 999:
            print(f"{at + 1 - seed} problems, {faults} faults", flush=True)
    sys.exit(faults > 0)


if __name__ == "__main__":
    main()
