"""Random problems asked of clingo, against brute force: `python -m tests.fuzz.by_clingo --problems 100000 --seed 1`.

Every problem is small enough for every set of its options to be tried. It is listed, in one call and in short ones, by
some of its options and under a ceiling; asked for a minimum in short calls, for answers that take or lack one of some
options, and, under conditions that are switched on and off, for other answers and for what some answer takes. Prints as
tests/fuzz/sided.py does.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from attrs import evolve

from covr.engine import Limits, Problem, Settings, Status, cost, search
from covr.engine.base.alone import Unsuited
from covr.engine.outside.clingo import ClingoSearch
from covr.engine.outside.clingo_answers import ClingoAnswers, OtherAnswers, TakenOptions
from tests.engine.clingo_problems import balanced, cars, paths
from tests.engine.problems import brute
from tests.engine.sided import sided
from tests.engine.switched import allowed, holds, random_switched
from tests.fuzz.sided import agree, asked_for, many

Answers = Sequence[tuple[int, ...]]
MAKERS = (sided, sided, sided, paths, balanced, lambda rng: cars(rng, rng.randint(3, 5), 2))
SWITCHES = 4
SWITCHED = 8  # options, at most, under conditions that are switched


def made(rng: random.Random) -> Problem:
    """A problem of one of the shapes for which clingo is told more than the problem."""
    return rng.choice(MAKERS)(rng)


def ask(problem: Problem, rng: random.Random) -> Answers:
    """Ask a problem in all ways; returns its answers, or none if a total is too large for clingo. Raises Wrong, or
    whatever the engine raises."""
    how = Settings(engine="clingo", seed=rng.choice((None, rng.randrange(1000))))
    try:
        run = search(problem, settings=how)
    except Unsuited:
        return []
    answers = sorted(brute(problem))
    agree(sorted(run), answers, f"list {how.seed}")
    agree(run.status, Status.EXHAUSTED, "status")
    rng.choice((_slices, _by_some, _limited))(problem, answers, how, rng)
    if problem.costs:
        _ceiling(problem, answers, how, rng)
        _minimum(problem, answers, how, rng)
    _single(problem, answers, rng)
    if problem.options <= SWITCHED:
        rng.choice((_others, _taken))(problem, answers, rng)
    return answers


def _slices(problem: Problem, answers: Answers, how: Settings, rng: random.Random) -> None:
    run = ClingoSearch(problem, settings=how)
    run.called = rng.choice((None, 1, 3))
    found: list[tuple[int, ...]] = []
    while run.status is Status.RUNNING:
        run.step_once(rng.choice((1, 2, 5)))
        found += run.waiting()
    agree(sorted(found), answers, "list in slices")


def _by_some(problem: Problem, answers: Answers, how: Settings, rng: random.Random) -> None:
    share = rng.choice((0.0, 0.3, 0.7, 1.0))
    problem = evolve(problem, projection=tuple(o for o in range(problem.options) if rng.random() < share))
    parts = sorted({problem.projected(a) for a in answers})
    found = list(search(problem, settings=how))
    agree(sorted(map(problem.projected, found)), parts, "list by some")
    agree(set(found) <= set(answers), True, "answers by some are answers")


def _limited(problem: Problem, answers: Answers, how: Settings, rng: random.Random) -> None:
    most = rng.randint(1, 3)
    found = list(search(problem, limits=Limits(answers=most), settings=how))
    agree(len(set(found)), min(most, len(answers)), "limit of answers")
    run = search(problem, limits=Limits(nodes=rng.randint(0, 5)), settings=how)
    agree(set(run) <= set(answers), True, "answers at a limit of nodes")
    agree(run.status in (Status.LIMIT, Status.EXHAUSTED), True, "status at a limit of nodes")


def _ceiling(problem: Problem, answers: Answers, how: Settings, rng: random.Random) -> None:
    if answers:
        most = cost(problem, rng.choice(answers)) - rng.choice((0, 0, 1))
        cheap = [a for a in answers if cost(problem, a) <= most]
        agree(sorted(search(problem, settings=evolve(how, ceiling=most))), cheap, f"ceiling {most}")


def _minimum(problem: Problem, answers: Answers, how: Settings, rng: random.Random) -> None:
    least = min((cost(problem, a) for a in answers), default=None)
    if least is not None and rng.random() < 0.3:
        how = evolve(how, ceiling=least + rng.choice((-1, 0, 0, 1, 5)))
        least = None if how.ceiling is not None and least > how.ceiling else least
    run = ClingoSearch(problem, "minimum", settings=how)
    run.called = rng.choice((None, None, 1, 4))
    found: list[tuple[int, ...]] = []
    while run.step(rng.choice((1, 3, 1000))):
        agree(run.bound is None or least is None or run.bound <= least, True, f"bound {run.bound} of {least}")
        found += run.waiting()
    found += run.waiting()
    paid = [cost(problem, a) for a in found]
    agree(paid[-1] if paid else None, least, "minimum")
    agree(run.status, Status.EXHAUSTED, "status of a minimum")
    agree(paid, sorted(set(paid), reverse=True), "ever cheaper")
    agree(set(found) <= set(answers), True, "cheaper answers are answers")


def _single(problem: Problem, answers: Answers, rng: random.Random) -> None:
    asked = ClingoAnswers(problem, lambda: False)
    for _ in range(3):
        own = rng.sample(range(problem.options), rng.randint(1, problem.options))
        having = {a for a in answers if set(own) & set(a)}
        lacking = {a for a in answers if set(own) - set(a)}
        for found, wanted in ((asked.with_one_of(own), having), (asked.without_one_of(own), lacking)):
            agree(found in wanted if wanted else found, bool(wanted) or None, f"one of {own}")
    found = asked.any()
    agree(found in answers if answers else found, bool(answers) or None, "any")


def _others(problem: Problem, answers: Answers, rng: random.Random) -> None:
    switched = random_switched(rng, problem.options, SWITCHES)
    known = rng.choice(answers) if answers and rng.random() < 0.8 else None
    telling = sorted(rng.sample(range(problem.options), rng.randint(1, problem.options)))
    asked = OtherAnswers(problem, switched, known, telling, lambda: False)

    def others(on: set[int]) -> set[tuple[int, ...]]:
        kept = [a for a in answers if known is None or (set(a) ^ set(known)) & set(telling)]
        return {a for a in kept if allowed(problem, switched, SWITCHES, on, a)}

    for _ in range(4):
        on = set(rng.sample(range(1, SWITCHES + 1), rng.randint(0, SWITCHES)))
        on &= set(range(1, max((abs(s) for one in switched for s in one.when), default=0) + 1))
        wanted = others(on)
        found = asked.ask(sorted(on), None)
        agree(found in wanted if wanted else found, bool(wanted) or None, f"other answers with {on}")
        if not wanted:
            agree(set(asked.core) <= on and not others(set(asked.core)), True, f"the core {asked.core} of {on}")


def _taken(problem: Problem, answers: Answers, rng: random.Random) -> None:
    conditions = random_switched(rng, problem.options, SWITCHES)
    asked = TakenOptions(problem, problem.options, lambda: False)
    switches = asked.switches([one.what for one in conditions])
    for _ in range(3):
        on = [k for k in range(len(conditions)) if rng.random() < 0.5]
        expected = [a for a in answers if all(holds(conditions[k].what, a) for k in on)]
        known = rng.choice(expected) if expected else ()
        union = frozenset(o for a in expected for o in a)
        found = asked.ask([switches[k] for k in on], known, None, None)
        agree(found, union if expected else None, f"taken by some with {on}")


def main() -> None:
    words = asked_for()
    many(words.problems, words.seed, words.start, words.seconds, True, made, ask)


if __name__ == "__main__":
    main()
