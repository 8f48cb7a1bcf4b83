"""One run of one solver: `PYTHON _work_peers.py SOLVER INSTANCE SECONDS` writes a JSON object.

SOLVER: `covr`; `cpsat`, which has a program of its own (_work_cpsat.py), one goal after the other; or `highs`, which is
given covr's matrix. INSTANCE: a name of _work_instances.py. Timed is the CPU time of all threads, by one thread each:
`seconds` from the tables to the end, `search` without compiling or building; importing is part of neither, as each
solver has solved a small plan before. Every answer is checked against covr's model.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable
from typing import Any

from attrs import evolve

from benchmarks._best_peers import BUSY
from benchmarks._work_instances import INSTANCES, SMALL, WorkInstance
from benchmarks._work_program import Taken
from covr.compiler import Choice, Compiled
from covr.engine import Limits, Problem, Settings, Status, check, cost, search
from covr.questions.answer import plain

ENGINES = {"covr": "auto", "highs": "highs"}
Told = tuple[tuple[int, ...], bool, float]  # options, whether they are proved to be the best, CPU seconds of the search


def by_covr(solver: str, instance: WorkInstance, seconds: float) -> Told:
    """Compile covr's model, and search its matrix."""
    problem = instance.load().compiled.problem
    begin = time.process_time()
    run = search(
        problem,
        goal="minimum",
        limits=Limits(seconds=seconds * BUSY),
        settings=Settings(engine=ENGINES[solver], jobs=1),
    )
    found: tuple[int, ...] = ()
    while run.status is Status.RUNNING and time.process_time() < begin + seconds:
        run.step_once(5000)
        found = min([found, *run.waiting()] if found else run.waiting(), key=lambda a: cost(problem, a), default=())
    run.halt()
    return found, run.status is Status.EXHAUSTED, time.process_time() - begin


def by_cpsat(instance: WorkInstance, seconds: float) -> tuple[tuple[int, ...], bool, list[Taken], float]:
    """Build the program, and solve it."""
    program = instance.program()
    begin = time.process_time()
    values, proved, taken = program.best(2 * seconds)  # of the clock, as others may be at work
    spent = time.process_time() - begin
    return values, proved and spent <= seconds, taken, spent


def whole(compiled: Compiled, taken: Iterable[Taken]) -> tuple[int, ...]:
    """An answer that is told by its choices, as options: with those that tell how far a wish is broken, which follow
    from the others. Empty, if it is none of covr's model."""
    problem = compiled.problem
    real = {_key(compiled.choice(o)): o for o in range(problem.options) if not compiled.is_own(o)}
    wanted = set(taken)
    if not wanted <= real.keys():
        return ()
    options = {real[choice] for choice in wanted}
    if len(real) == problem.options:
        return tuple(sorted(options))
    given = evolve(problem, given=tuple(sorted({*problem.given, *options})), costs=())
    found = next(iter(search(given, limits=Limits(answers=1, seconds=60.0))), ())
    return found if {o for o in found if not compiled.is_own(o)} == options else ()


def _key(choice: Choice) -> Taken:
    def value(of: Any) -> Any:
        return tuple(of.values()) if isinstance(of, dict) else of

    return (choice.family, *(value(plain(one)) for one in choice.args))


def sound(problem: Problem, answer: tuple[int, ...]) -> bool:
    """Whether there is no answer to look at, or it is one."""
    return not answer or check(problem, answer) is None


def run_of(solver: str, instance: WorkInstance, seconds: float) -> dict[str, Any]:
    """What a solver finds within so many CPU seconds."""
    begin = time.process_time()
    right = True
    if solver == "cpsat":
        values, proved, taken, searched = by_cpsat(instance, seconds)
        spent = time.process_time() - begin
        compiled = instance.load().compiled
        answer = whole(compiled, taken)
        told = compiled.stages(cost(compiled.problem, answer)) if answer else ()
        if answer:
            own = tuple(stage.value for stage in told) or (compiled.objective(answer),)
            right = own[: len(values)] == values
        else:
            right = not taken
    else:
        answer, proved, searched = by_covr(solver, instance, seconds)
        spent = time.process_time() - begin
        compiled = instance.load().compiled
    return {
        "found": cost(compiled.problem, answer) if answer else None,
        "proved": proved,
        "sound": right and sound(compiled.problem, answer),
        "seconds": spent,
        "search": searched,
    }


def main() -> None:
    solver, name, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
    for small in SMALL:
        run_of(solver, small, 5.0)
    known = {**INSTANCES, **{small.said: small for small in SMALL}}
    print(json.dumps(run_of(solver, known[name], seconds)))


if __name__ == "__main__":
    main()
