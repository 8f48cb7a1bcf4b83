"""The questions that have answers: each function compares one with brute force."""

from __future__ import annotations

import json
from collections import Counter

from covr.dsl.diagnostics import ModelErrors
from covr.engine import ENGINES, search
from covr.engine.base.alone import Unsuited
from covr.engine.settings import Settings
from tests.net.scene import Scene, Wrong, answer_of, same

THREADS = 10  # one draw in so many is asked with two threads


def _check(scene: Scene, found: list[object], what: str, whole: bool = True) -> None:
    """Each class once, all of them or some of them, and each by the member that the language names."""
    drawn = scene.drawn
    answers = [answer_of(a) for a in found]  # type: ignore[arg-type]
    for answer in answers:
        if answer not in drawn.wanted:
            raise Wrong(f"{what}: {sorted(answer, key=str)} is no answer")
        if drawn.draft.maps:
            same(sorted(answer, key=str), sorted(drawn.key(answer), key=str), f"{what}: the smallest of its class")
    keys = Counter(map(drawn.key, answers))
    if whole:
        same(keys, Counter(drawn.keys), what)
    elif any(n > 1 for n in keys.values()):
        raise Wrong(f"{what}: an answer comes twice")


def listed(scene: Scene) -> None:
    _check(scene, list(scene.model.solutions()), "solutions")


def counted(scene: Scene) -> None:
    same(scene.model.count(), len(scene.drawn.keys), "count")


def counted_without_threads(scene: Scene) -> None:
    same(scene.model.count(jobs=1), len(scene.drawn.keys), "count, one thread")
    if scene.rng.randrange(THREADS) == 0:
        same(scene.model.count(jobs=2), len(scene.drawn.keys), "count, two threads")
        _check(scene, list(scene.model.solutions(jobs=2)), "solutions, two threads")


def solved(scene: Scene) -> None:
    answer = scene.model.solve()
    same(answer is not None, bool(scene.drawn.wanted), "solve")
    if answer is not None:
        _check(scene, [answer], "solve", whole=False)
        drawn = scene.drawn
        same((answer.cost, answer.proved), (drawn.best, True), "the value of the best answer, and its proof")
        own = answer_of(answer)
        if drawn.draft.then:
            same(answer.costs, drawn.values(own), "the values of goals in order")
        same(sum(wish.cost for wish in answer.broken), sum(pays(own) for pays in drawn.draft.wishes), "what is broken")


def nearest(scene: Scene) -> None:
    """As little as possible differs from an earlier answer, which need not keep the rules of this model."""
    drawn = scene.drawn
    possible = sorted(frozenset().union(*drawn.every), key=str)
    if not possible:
        return  # an earlier answer of which nothing is left is refused
    every = drawn.draft.choices
    earlier = frozenset([scene.rng.choice(possible), *scene.rng.sample(every, scene.rng.randint(0, len(every)))])
    gone = [("b", 9)] if scene.rng.random() < 0.3 else []
    answer = scene.model.solve(near=[*((family, *args) for family, args in earlier), *gone])
    same(answer is not None, bool(drawn.wanted), "solve near an earlier answer")
    if answer is not None:
        own = answer_of(answer)
        same((own in drawn.wanted, answer.proved), (True, True), "the nearest answer is one of the best, and proved")
        fewest = min(len(other ^ earlier) for other in drawn.wanted)
        same(len(own ^ earlier), fewest, "changes from the earlier answer")
        assert answer.changed is not None
        same(sum(map(len, answer.changed)), fewest + len(gone), "changes that are told")


def some(scene: Scene) -> None:
    found = list(scene.model.solutions(2))
    same(len(found), min(2, len(scene.drawn.keys)), "two answers")
    _check(scene, found, "two answers", whole=False)
    same(scene.model.unique(), len(scene.drawn.keys) == 1, "unique")


def seeded(scene: Scene) -> None:
    _check(scene, list(scene.model.solutions(seed=scene.rng.randrange(99))), "solutions, with a seed")


def verified(scene: Scene) -> None:
    same(scene.model.count(verify=True), len(scene.drawn.keys), "count, verified")


def engines(scene: Scene) -> None:
    """Every engine answers rightly, or refuses."""
    for name in ENGINES:
        try:
            found = list(scene.model.solutions(engine=name))
        except Unsuited:
            continue
        except ModelErrors as error:
            if {d.code for d in error.diagnostics} != {"E505"}:
                raise
            continue
        _check(scene, found, f"solutions, engine {name}")
        try:
            same(scene.model.count(engine=name), len(scene.drawn.keys), f"count, engine {name}")
        except ModelErrors as error:
            if {d.code for d in error.diagnostics} != {"E505"}:
                raise


def in_order(scene: Scene) -> None:
    """The order of answers is that of the oracle, unless there are side conditions or `answers by`."""
    problem = scene.model.problem
    if not problem.sides and problem.projection is None:
        by_reference = list(search(problem, settings=Settings(engine="reference")))
        same(list(search(problem)), by_reference, "the order of all answers of the matrix")


def commanded(scene: Scene) -> None:
    """`covr solve`, `count` and `--unique` in words and as objects."""
    drawn = scene.drawn
    count = len(drawn.keys)
    said = scene.covr("count", scene.path)
    same((said.exit_code, said.stdout), (0 if count else 1, f"{count}\n"), "covr count")
    same(scene.covr("solve", scene.path).exit_code, 0 if count else 1, "the exit code of covr solve")
    same(scene.covr("solve", scene.path, "--unique").exit_code, 0 if count == 1 else 1, "covr solve --unique")
    lines = scene.covr("solve", scene.path, "--all", "--json").stdout.splitlines()
    objects = [json.loads(line) for line in lines]
    same(sum(o["type"] == "solution" and o["proved"] for o in objects), count, "covr solve --all --json")
    same((objects[-1]["answers"], objects[-1]["complete"]), (count, True), "the end object")
    same(objects[-1]["cost"], drawn.best, "the cost of the end object")


def kept_in_a_file(scene: Scene) -> None:
    """Runs that are kept in files."""
    drawn = scene.drawn
    said = scene.covr("count", scene.path, "--run", str(scene.folder / "count.run"))
    if drawn.draft.by is not None:
        same(said.exit_code, 2, "--run refuses `answers by`")
        return
    same((said.exit_code, said.stdout), (0 if drawn.keys else 1, f"{len(drawn.keys)}\n"), "covr count --run")
    path = str(scene.folder / "solve.run")
    said = scene.covr("solve", scene.path, "--all", "--format", "line", "--run", path)
    same((said.exit_code, len(said.stdout.splitlines())), (0 if drawn.keys else 1, len(drawn.keys)), "--run")
    same(scene.covr("status", path).exit_code in (0, 1), True, "covr status")


def tested(scene: Scene) -> None:
    """`covr test` keeps a model to its promises."""
    kept = all(is_kept for _, is_kept in scene.drawn.promises)
    if scene.drawn.promises:
        same(scene.covr("test", scene.path).exit_code, 0 if kept else 1, "covr test")


def sampled(scene: Scene) -> None:
    """Samples are answers, and all of them are drawn where enough are."""
    drawn = scene.drawn
    sample = scene.model.sample(5, seed=3)
    same(len(sample), 5 if drawn.keys else 0, "how many were drawn")
    for answer in sample:
        if answer_of(answer) not in drawn.wanted:
            raise Wrong("a sample is no answer")
    if len(drawn.keys) < 60:
        distinct = [drawn.key(answer_of(a)) for a in scene.model.sample(len(drawn.keys) + 3, distinct=True, seed=4)]
        same(Counter(distinct), Counter(drawn.keys), "a sample of all, each once")
    scene.covr("sample", scene.path, "-n", "2", "--seed", "1")
