"""`python -m tests.net COUNT [SEED] [CHECKS]`: draws so many models and shows each that goes wrong. CHECKS: how many of
the checks each goes through; all, if not said."""

from __future__ import annotations

import random
import sys

from tests.net.catching import some_checks, wrong_with
from tests.net.drawn import draw


def main() -> None:
    count, seed = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0
    number = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    faults = 0
    for at in range(seed, seed + count):
        drawn = draw(at)
        wrong = wrong_with(drawn, some_checks(random.Random(at), number) if number else None)
        if wrong:
            faults += 1
            print(f"--- seed {at}: {wrong}\n{drawn.text(p for p, _ in drawn.promises)}", flush=True)
        if at % 1000 == 999:
            print(f"{at + 1 - seed} models, {faults} faults", flush=True)
    sys.exit(faults > 0)


if __name__ == "__main__":
    import os

    os.environ["COVR_TRACEBACK"] = "1"
    main()
