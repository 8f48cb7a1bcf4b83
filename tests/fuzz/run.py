"""Lead many models through all stages: `python -m tests.fuzz.run --models 50000 --seed 1`.

Runs until every stage has been entered by as many models, once with models of the gallery damaged and once with models
that the grammar makes; prints the figures, and every text that broke something.
"""

from __future__ import annotations

import argparse
import random
import resource
import time
from collections import Counter
from collections.abc import Callable

from tests.fuzz.grown import Garden, drawn
from tests.fuzz.models import damaged
from tests.fuzz.stages import lead

STAGES = ("parse", "format", "load", "bind", "lower", "review")
ENOUGH = 20  # texts that break something, after which no more are looked for

Found = tuple[Counter[str], list[str]]


def many(models: int, seed: int, longest: float) -> Found:
    """Damaged models until each stage has met `models` of them, or for `longest` seconds; what broke.

    Once the first stages have met enough, the damage is gentler, so that more models reach the last.
    """
    rng = random.Random(seed)
    met: Counter[str] = Counter()

    def make() -> str:
        return damaged(rng, gentle=rng.random() < (0.6 if met["parse"] < models else 0.95))

    return _lead(make, met, [], models, longest)


def grown(models: int, seed: int, longest: float) -> Found:
    """The same with models that the grammar makes: a tenth as many statements drawn, planted, and crossed."""
    end = time.monotonic() + longest
    rng = random.Random(seed)
    met: Counter[str] = Counter()
    garden = Garden()
    broken: list[str] = []
    for text in drawn(max(models // 10, 100), seed):
        try:
            garden.plant(text, met)
        except Exception as error:
            broken.append(_told(error, text))
    return _lead(lambda: garden.crossed(rng), met, broken, models, end - time.monotonic())


def _lead(make: Callable[[], str], met: Counter[str], broken: list[str], models: int, longest: float) -> Found:
    end = time.monotonic() + longest
    while min(met[stage] for stage in STAGES) < models and time.monotonic() < end and len(broken) < ENOUGH:
        text = make()
        try:
            lead(text, met)
        except Exception as error:
            broken.append(_told(error, text))
    return met, broken


def _told(error: Exception, text: str) -> str:
    return f"{type(error).__name__}: {str(error)[:2000]}\n--- in\n{text}"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--models", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=3600, help="at most, for each of the two")
    parser.add_argument("--only", choices=("damaged", "grown"))
    words = parser.parse_args()
    for name, run in (("damaged", many), ("grown", grown)):
        if words.only in (None, name):
            start = time.monotonic()
            report(name, start, *run(words.models, words.seed, words.seconds))


def report(name: str, start: float, met: Counter[str], broken: list[str]) -> None:
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{name}:", *(f"{stage} {met[stage]}" for stage in (*STAGES, "rest")))
    codes = sorted(code for code in met if code[0] in "EW")
    print(f"{len(codes)} codes met:", *codes)
    print(f"{time.monotonic() - start:.0f} s, {memory} MB, {len(broken)} broken", flush=True)
    for text in broken:
        print("=" * 100, text, sep="\n", flush=True)


if __name__ == "__main__":
    main()
