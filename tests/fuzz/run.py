"""Lead many models through all stages: `python -m tests.fuzz.run --models 50000 --seed 1`.

Runs until every stage has been entered by as many models; prints the figures, and every text that broke something.
"""

from __future__ import annotations

import argparse
import random
import resource
import time
from collections import Counter

from tests.fuzz.models import damaged
from tests.fuzz.stages import lead

STAGES = ("parse", "format", "load", "bind", "lower", "review")


def many(models: int, seed: int, longest: float) -> tuple[Counter[str], list[str]]:
    """Damaged models until each stage has met `models` of them, or for `longest` seconds; what broke."""
    rng = random.Random(seed)
    met: Counter[str] = Counter()
    broken: list[str] = []
    end = time.monotonic() + longest
    while min(met[stage] for stage in STAGES) < models and time.monotonic() < end:
        text = damaged(rng, gentle=rng.random() < 0.6)
        try:
            lead(text, met)
        except Exception as error:
            broken.append(f"{type(error).__name__}: {str(error)[:2000]}\n--- in\n{text}")
            if len(broken) >= 20:
                break
    return met, broken


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--models", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=3600)
    words = parser.parse_args()
    start = time.monotonic()
    met, broken = many(words.models, words.seed, words.seconds)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(*(f"{stage} {met[stage]}" for stage in (*STAGES, "rest")), sep=", ")
    codes = sorted(code for code in met if code[0] in "EW")
    print(f"{len(codes)} codes met:", *codes)
    print(f"{time.monotonic() - start:.0f} s, {memory} MB, {len(broken)} broken")
    for text in broken:
        print("=" * 100, text, sep="\n")


if __name__ == "__main__":
    main()
