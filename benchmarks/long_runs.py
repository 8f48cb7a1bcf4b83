"""What a run file costs, and that it changes nothing: a search in one go, the same in a file, the same with kills.

    python -m benchmarks.long_runs                        # overhead of --run: count and enumeration, one thread
    python -m benchmarks.long_runs --enumerate 16 --kills 20

The processor's time is compared, of both in turns, so that others on the machine matter little. An enumeration is
compared by a checksum of all answers in order.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

WORK = """
import hashlib, json, resource, sys, time
from pathlib import Path
from covr.cli.asking import kept_run
from covr.inputs.library import open_model
from covr.compiler import compile_model
from covr.questions.options import Options
from covr.questions.run import Run
from covr.runs.question import RecordedQuestion
what, n, file = sys.argv[1], sys.argv[2], sys.argv[3]

def ask(run):
    if what == "count":
        return run.count().value, ""
    seen, sum = 0, hashlib.sha256()
    for answer in run.answers():
        sum.update(bytes(answer) if answer[-1] < 256 else repr(answer).encode())
        seen += 1
    return seen, sum.hexdigest()

options = Options(jobs=int(sys.argv[4]), engine="bits")
began = time.perf_counter()
if file == "-":
    value = ask(Run(compile_model(open_model("queens"), {"n": int(n)}), options))
else:
    question = RecordedQuestion("count" if what == "count" else "solve", listed=True)
    with kept_run(file, "queens", ["n=" + n], question, options) as run:
        value = ask(run)
used = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps([*value, used.ru_utime + used.ru_stime, time.perf_counter() - began]))
"""


def work(what: str, n: int, file: str, jobs: int, kill: float | None = None) -> list[object] | None:
    """Ask in a process of its own; None where it was killed after so many seconds."""
    process = subprocess.Popen([sys.executable, "-c", WORK, what, str(n), file, str(jobs)], stdout=subprocess.PIPE)
    if kill is not None:
        try:
            process.wait(kill)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.communicate()
            return None
    found: list[object] = json.loads(process.communicate()[0])
    return found


def overhead(what: str, n: int, rounds: int, jobs: int) -> None:
    """Both in turns; the ratio of each pair, and their median."""
    ratios = []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            plain = work(what, n, "-", jobs)
            kept = work(what, n, str(Path(folder) / "a.run"), jobs)
        assert plain is not None and kept is not None and plain[:2] == kept[:2], (plain, kept)
        ratios.append(kept[2] / plain[2])  # type: ignore[operator]
        print(f"{what} {n}: {plain[2]:.2f} s alone, {kept[2]:.2f} s in a file: {ratios[-1]:.3f}", flush=True)
    print(f"{what} {n}: median {statistics.median(ratios):.3f}")


def enumerate_with_kills(n: int, kills: int, longest: float, jobs: int) -> None:
    """An enumeration in one go and one that is killed at random instants."""
    rng = random.Random(n)
    plain = work("list", n, "-", jobs)
    print("in one go:", plain, flush=True)
    with tempfile.TemporaryDirectory() as folder:
        file, hit = str(Path(folder) / "a.run"), 0
        began = time.perf_counter()
        while (found := work("list", n, file, jobs, rng.uniform(1, longest) if hit < kills else None)) is None:
            hit += 1
        size = Path(file).stat().st_size
        print(f"killed {hit} times: {found}, {time.perf_counter() - began:.0f} s in all, a file of {size / 1e6:.1f} MB")
    assert plain is not None and found[:2] == plain[:2]
    print("the same answers in the same order")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--enumerate", type=int, metavar="N", help="all answers of N queens, in one go and with kills")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--longest", type=float, default=60.0, help="seconds between two kills at most")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--count", type=int, default=17, help="queens that are counted")
    parser.add_argument("--list", type=int, default=14, help="queens that are enumerated")
    parser.add_argument("--jobs", type=int, default=1)
    words = parser.parse_args()
    if words.enumerate:
        enumerate_with_kills(words.enumerate, words.kills, words.longest, words.jobs)
        return
    overhead("count", words.count, words.rounds, words.jobs)
    overhead("list", words.list, words.rounds, words.jobs)


if __name__ == "__main__":
    main()
