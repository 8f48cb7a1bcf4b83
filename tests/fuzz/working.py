"""Models of working size, against HiGHS alone: `python -m tests.fuzz.working --minutes 60`.

Draws models of thirteen families (families.py), some with random `given` and `forbid`, and asks each for its minimum by
every engine that takes it, on one and two threads, with limits of 1 and 5 s, and as a run in a file that is stopped and
continued. What HiGHS alone says in a process of its own (by_highs.py) is the witness that every step of each search is
held to (engine/witness.py). Values agree with it, or both stand open with bounds that do not cross; and a limit of time
is kept to within `LATE` seconds of clock and CPU.

`--family F --seed S` asks one model again. Prints what is wrong as it comes, and a table by family in the end.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from attrs import define, evolve, field

from covr.api.model import loads
from covr.engine import Limits, Problem, Settings, Status, check, cost, search
from covr.engine.minimum.core import is_suited
from covr.engine.problem import only_totals
from covr.engine.witness import Lost
from tests.fuzz.by_highs import Known, ask
from tests.fuzz.families import FAMILIES, MOST, text_of

LATE = 0.5  # seconds of clock, and of CPU on each thread, that a limit may be missed by
PATIENCE = 60.0  # seconds beyond its limit after which a search is ended and called stuck
LONG = 30.0  # seconds that `auto` is given once for each model: what is proved late may be wrong, too
SHARE = 0.1  # of the best answer's choices that are given, and of the others that are forbidden
ENGINES = ("auto", "sides", "mixed", "cover", "highs", "cpsat", "clingo", "links")
NEEDS = {"cpsat": "ortools", "highs": "highspy", "clingo": "clingo"}


@define
class Tally:
    """By family: models, questions, questions answered with a proof, and what was wrong with them."""

    models: Counter[str] = field(factory=Counter)
    known: Counter[str] = field(factory=Counter)
    asked: Counter[str] = field(factory=Counter)
    proved: Counter[str] = field(factory=Counter)
    wrong: Counter[str] = field(factory=Counter)
    late: Counter[str] = field(factory=Counter)
    findings: list[str] = field(factory=list)

    def tell(self, family: str, place: str, what: str, late: bool = False) -> None:
        """Note and print a finding."""
        (self.late if late else self.wrong)[family] += 1
        self.findings.append(f"{place}: {what}")
        print(f"{'late' if late else 'WRONG'}: {place}: {what}", flush=True)

    @property
    def table(self) -> str:
        """The counts by family."""
        columns = (self.models, self.known, self.asked, self.proved, self.wrong, self.late)
        heads = ("family", "models", "known", "asked", "proved", "wrong", "late")
        lines = [heads, *((name, *(str(column[name]) for column in columns)) for name in FAMILIES)]
        lines.append(("all", *(str(column.total()) for column in columns)))
        return "\n".join(f"{line[0]:12}" + "".join(f"{cell:>8}" for cell in line[1:]) for line in lines)


@define
class Outcome:
    """How a search ended. costs: of its answers.  fault: what it raised, or what is wrong with an answer."""

    costs: list[int]
    bound: int | None
    status: str
    clock: float
    cpu: float
    fault: str | None = None


def engines_of(problem: Problem) -> list[str]:
    """The engines that take the problem, as far as they are installed."""
    here = [name for name in ENGINES if name not in NEEDS or find_spec(NEEDS[name])]
    if problem.sides:
        here = [name for name in here if name not in ("cover", "links")]
        if not only_totals(problem.sides):
            here = [name for name in here if name not in ("highs", "cpsat")]
    else:
        here = [name for name in here if name != "sides" and (name != "cover" or is_suited(problem))]
    return here if any(problem.costs) else [name for name in here if name != "mixed"]


def ask_once(problem: Problem, settings: Settings, seconds: float) -> Outcome:
    """Ask for the minimum here and now."""
    start, before = time.monotonic(), _cpu()
    costs: list[int] = []
    bound, status, fault = None, "", None
    try:
        run = search(problem, goal="minimum", settings=settings, limits=Limits(seconds=seconds))
        for answer in run:
            wrong = check(problem, answer)
            if wrong is not None:
                fault = f"no answer: {wrong}"
            costs.append(cost(problem, answer))
        bound, status = run.bound, run.status.name
        run.halt()
    except Lost as lost:
        fault = f"Lost: {lost}"
    except Exception as error:
        fault = f"{type(error).__name__}: {error}"
    return Outcome(costs, bound, status, time.monotonic() - start, _cpu() - before, fault)


def _cpu() -> float:
    """Seconds of CPU of this process and of those that it has waited for."""
    own, others = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime


def _child(pipe: Any, problem: Problem, settings: Settings, seconds: float) -> None:
    pipe.send(ask_once(problem, settings, seconds))
    pipe.close()


def ask_apart(problem: Problem, settings: Settings, seconds: float) -> Outcome:
    """The same in a process of its own, which is ended where it does not end."""
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    child = context.Process(target=_child, args=(there, problem, settings, seconds), daemon=False)
    child.start()
    there.close()
    try:
        if here.poll(seconds + PATIENCE):
            outcome: Outcome = here.recv()
            child.join(PATIENCE)
            return outcome
        return Outcome([], None, "", seconds + PATIENCE, 0.0, f"stuck for {PATIENCE:g} s beyond its limit")
    except EOFError:
        return Outcome([], None, "", 0.0, 0.0, "the process ended without a word")
    finally:
        if child.is_alive():
            child.kill()


def disagreement(out: Outcome, known: Known | None) -> str | None:
    """What is wrong with an outcome, by itself and by what is known."""
    if out.fault is not None:
        return out.fault
    best = out.costs[-1] if out.costs else None
    ended = out.status == Status.EXHAUSTED.name
    if any(b >= a for a, b in zip(out.costs, out.costs[1:], strict=False)):
        return f"its answers do not become cheaper: {out.costs}"
    if best is not None and out.bound is not None and out.bound > best:
        return f"its bound {out.bound} is above its answer {best}"
    if known is None:
        return None
    if known.proved and ended and best != known.best:
        return f"minimum {best}, proved; HiGHS: {known.best}"
    missed = ended and (best is None or (known.best is not None and best > known.best))
    if known.best is not None and (missed or (out.bound is not None and out.bound > known.best)):
        return f"minimum {best}, at least {out.bound}, {out.status}; HiGHS has an answer of {known.best}"
    if known.bound is not None and best is not None and best < known.bound:
        return f"an answer of {best}; HiGHS: at least {known.bound}"
    if known.proved and known.best is None and out.costs:
        return f"an answer of {best}; HiGHS: there is none"
    return None


def lateness(out: Outcome, jobs: int | None, seconds: float) -> str | None:
    """By how much a limit was missed, if that is too much."""
    threads = 2 if jobs is None else jobs
    if out.cpu > threads * seconds + LATE or out.clock > seconds + LATE:
        busy = ", mostly waiting: is the machine busy?" if out.cpu < out.clock / 2 else ""
        return f"{out.clock:.2f} s of clock and {out.cpu:.2f} s of CPU under a limit of {seconds:g} s{busy}"
    return None


def narrowed(text: str, problem: Problem, known: Known, rng: random.Random) -> str:
    """The model with choices of the best answer given and others forbidden: of those that the model names. Now and then
    any choice is forbidden, whatever the best answer does."""
    families = {line.split("(")[0].removeprefix("choose ").strip() for line in text.splitlines() if "choose " in line}
    best = set(known.answer)
    lines = []
    for o, name in enumerate(problem.option_names):
        if str(name).partition("(")[0] in families and rng.random() < SHARE:
            if o in best:
                lines.append(f"given {name}")
            elif rng.random() < 0.9 or not best:
                lines.append(f"forbid {name}")
    if rng.random() < 0.3 and best:
        name = problem.option_names[rng.choice(sorted(best))]
        if str(name).partition("(")[0] in families and f"given {name}" not in lines:
            lines.append(f"forbid {name}")
    return text + "\n".join(lines) + "\n"


def try_model(
    family: str, seed: int, tally: Tally, most: int = MOST, limits: Sequence[float] = (1, 5), kept: bool = True,
    patience: float = 20.0, every: bool = False, few: bool = False,
) -> None:  # fmt: skip
    """Ask a model in some ways: all engines with one limit each, and one kept run.

    every: with all limits and numbers of threads.  patience: seconds for HiGHS.  few: only `auto` and one other engine.
    """
    rng = random.Random(f"asked/{family}/{seed}")
    text = text_of(family, seed, most)
    place = f"--family {family} --seed {seed}"
    problem = loads(text).problem
    known = ask(problem, patience)
    if known is not None and rng.random() < 0.4:
        text = narrowed(text, problem, known, rng)
        problem = loads(text).problem
        known = ask(problem, patience)
    tally.models[family] += 1
    tally.known[family] += known is not None and known.proved
    if known is not None and known.best is not None:
        wrong = check(problem, known.answer)
        if wrong is not None:
            tally.tell(family, place, f"HiGHS's answer is none: {wrong}")
            return
    if known is not None and known.proved and known.best is not None:
        problem = evolve(problem, witness=known.answer)
    engines = engines_of(problem)
    if few:
        engines = ["auto", rng.choice(engines[1:])]
    ways = list(_ways(engines, rng, limits, every))
    if not few:
        ways.append(("auto", rng.choice((1, 1, 2, None)), LONG))
    for engine, jobs, seconds in ways:
        seed_of = rng.choice((None, None, None, 1)) if engine in ("auto", "sides", "links", "mixed") else None
        out = ask_apart(problem, Settings(engine=engine, jobs=jobs, seed=seed_of), seconds)
        tally.asked[family] += 1
        tally.proved[family] += out.status == Status.EXHAUSTED.name
        named = f"{place}: engine {engine}, {jobs} threads, seed {seed_of}, limit {seconds:g}"
        wrong = disagreement(out, known)
        if wrong is not None:
            tally.tell(family, named, wrong)
        late = lateness(out, jobs, seconds)
        if late is not None:
            tally.tell(family, named, late, late=True)
    if kept and "prefer " not in text and "\nthen " not in text:  # else covr tells values that HiGHS does not know of
        tally.asked[family] += 1
        for what in _kept(text, known, rng):
            tally.tell(family, f"{place}: a kept run", what)


def _ways(
    engines: Sequence[str], rng: random.Random, limits: Sequence[float], every: bool
) -> Iterator[tuple[str, int | None, float]]:
    """Engines, numbers of threads, and limits: `auto` on one thread and on more, each other engine once."""
    for engine in engines:
        for seconds in limits if every else (rng.choice(limits),):
            jobs: tuple[int | None, ...] = (1, 2, None)
            if not every:
                jobs = (1, rng.choice((2, None))) if engine == "auto" else (rng.choice((1, 2)),)
            for threads in jobs:
                yield engine, threads, seconds


def _kept(text: str, known: Known | None, rng: random.Random) -> Iterator[str]:
    """What is wrong with a run in a file, stopped once or twice and continued."""
    sign = -1 if "maximize" in text else 1
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder, "model.cover")
        model.write_text(text, encoding="utf-8")
        words = [sys.executable, "-m", "covr", "solve", str(model), "--run", str(Path(folder, "run.covr")), "--json"]
        words += ["--jobs", str(rng.choice((1, 2)))]
        for seconds in (1, 2, 4):
            try:
                run = subprocess.run(
                    [*words, "--limit-time", str(seconds)], capture_output=True, text=True, timeout=seconds + PATIENCE
                )
            except subprocess.TimeoutExpired:
                yield f"stuck for {PATIENCE:g} s beyond its limit of {seconds} s"
                return
            ends = [told for told in map(json.loads, run.stdout.splitlines()) if told["type"] == "end"]
            if not ends:
                if "there is no solution" not in run.stdout + run.stderr:
                    yield f"exit {run.returncode} after {seconds} s: {run.stderr[-500:]}"
                return
            told = ends[0]
            best, bound = (None if x is None else sign * x for x in (told["cost"], told["bound"]))
            out = Outcome([] if best is None else [best], bound, "EXHAUSTED" if told["complete"] else "LIMIT", 0, 0)
            wrong = disagreement(out, known)
            if wrong is not None:
                yield f"after {seconds} s: {wrong}"
            if told["complete"]:
                return


def many(minutes: float, seed: int, families: Sequence[str], **how: Any) -> Tally:
    """Models of all families in turns, for so many minutes."""
    tally = Tally()
    end = time.monotonic() + 60 * minutes
    told = time.monotonic()
    while time.monotonic() < end:
        for family in families:
            try:
                try_model(family, seed, tally, **how)
            except Exception as error:
                tally.tell(family, f"--family {family} --seed {seed}", f"{type(error).__name__}: {error}")
            if time.monotonic() > end:
                break
        seed += 1
        if time.monotonic() - told > 300:
            told = time.monotonic()
            print(tally.table, flush=True)
    return tally


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1, help="the first one; one model of it alone with --family")
    parser.add_argument("--family", choices=FAMILIES)
    parser.add_argument("--most", type=int, default=MOST, help="options of the largest models, about")
    parser.add_argument("--every", action="store_true", help="each engine with every limit and number of threads")
    words = parser.parse_args()
    if words.family is not None:
        tally = Tally()
        try_model(words.family, words.seed, tally, most=words.most, every=words.every)
    else:
        tally = many(words.minutes, words.seed, tuple(FAMILIES), most=words.most, every=words.every)
    print(tally.table)


if __name__ == "__main__":
    main()
