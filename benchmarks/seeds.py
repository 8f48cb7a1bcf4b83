"""`python -m benchmarks seeds`: does a lucky seed matter? Nodes until a minimum is proved, by default and by ten seeds.

The problems are made here, as many of each kind, from the number of the problem alone:

- mixed: a random set of options is an answer by design; every item is met as often as that answer meets it, or at least
  or at most so often, or in a range around it. Costs are random;
- rotas: nurses, days and shifts with a demand for each shift, rest after nights, a range of days a nurse, and costs for
  days that they would rather not work;
- covers: every item is wanted so often at least, once to three times, and options have costs.

Problems that a median seed does not prove within `--nodes` are left out, and said to be. Nodes are the same on every
machine; a slice of a tree of linear programs, of up to a millisecond, counts as one, so the same is said of CPU time.
The numbers of the problems begin at `--first`.
"""

from __future__ import annotations

import datetime
import random
import statistics
import time

import click

from benchmarks import document
from covr.engine import Limits, Problem, Settings, Status, build, search

SEEDS = 10
TWICE = 2.0
SLOW = 20  # times the nodes of a median problem, after which the default is given up


def mixed(number: int) -> Problem:
    """Items met exactly, at least, at most or about so often, and options with costs."""
    rng = random.Random(f"mixed {number}")
    items, options = rng.randint(12, 32), rng.randint(40, 130)
    rows = [sorted(rng.sample(range(items), rng.randint(2, 6))) for _ in range(options)]
    taken = set(rng.sample(range(options), rng.randint(items // 4, items // 2)))
    met = [sum(i in rows[o] for o in taken) for i in range(items)]
    bounds = []
    for k in met:
        ranges = [(k, k), (k, k), (k, options), (0, k), (max(k - 1, 0), k + 1)]
        bounds.append(rng.choice(ranges))
    order = sorted(range(items), key=lambda i: bounds[i][0] == 0)
    place = {i: p for p, i in enumerate(order)}
    dearest = rng.choice([3, 20, 100])
    costs = [rng.randint(0, dearest) for _ in rows]
    return build([bounds[i] for i in order], [[place[i] for i in row] for row in rows], costs=costs)


def rota(number: int) -> Problem:
    """Who works when: as many as each shift asks for, never after a night, nobody too often."""
    rng = random.Random(f"rota {number}")
    nurses, days = rng.randint(5, 9), rng.randint(4, 7)
    need = rng.choice([[1, 1, 1], [2, 1, 1], [1, 1]])
    shifts = len(need)
    least = sum(need) * days // nurses
    bad = [{d for d in range(days) if rng.random() < 0.25} for _ in range(nurses)]
    night, dislike = rng.randint(1, 5), rng.randint(3, 12)
    bounds: dict[tuple[str, ...] | tuple[object, ...], tuple[int, int]] = {}
    for d in range(days):
        for s in range(shifts):
            bounds["shift", d, s] = (need[s], need[s])
    for p in range(nurses):
        bounds["days", p] = (least, least + 1)
    for p in range(nurses):
        for d in range(days):
            bounds["once", p, d] = (0, 1)
            bounds["rest", p, d] = (0, 1)
        bounds["nights", p] = (0, 2)
    names = sorted(bounds, key=lambda name: bounds[name][0] == 0)
    place = {name: i for i, name in enumerate(names)}
    rows, costs = [], []
    for p in range(nurses):
        for d in range(days):
            for s in range(shifts):
                last = s == shifts - 1
                row: list[tuple[object, ...]] = [("shift", d, s), ("days", p), ("once", p, d)]
                row += [("rest", p, d), ("nights", p)] if last else [("rest", p, d - 1)] if d else []
                rows.append([place[name] for name in row])
                costs.append((dislike if d in bad[p] else 0) + (night if last else 0))
    return build([bounds[name] for name in names], rows, costs=costs)


def cover(number: int) -> Problem:
    """Weighted and multiplied covers."""
    rng = random.Random(f"cover {number}")
    items, options, most = rng.randint(20, 60), rng.randint(60, 200), rng.choice([1, 2, 3])
    rows = [sorted(rng.sample(range(items), rng.randint(2, 7))) for _ in range(options)]
    while len({i for row in rows for i in row}) < items:
        rows.append(sorted(rng.sample(range(items), 4)))
    held = [sum(i in row for row in rows) for i in range(items)]
    dearest = rng.choice([1, 9, 99])
    costs = [rng.randint(1, dearest) for _ in rows]
    return build([(min(rng.randint(1, most), h), len(rows)) for h in held], rows, costs=costs)


KINDS = {"mixed": mixed, "rotas": rota, "covers": cover}


def proof(problem: Problem, seed: int | None, most: int) -> tuple[int, int | None, float]:
    """Nodes until the minimum is proved, the minimum, and CPU seconds; `most` and None where that is not enough."""
    begin = time.process_time()
    run = search(problem, goal="minimum", limits=Limits(nodes=most), settings=Settings(seed=seed))
    for _ in run:
        pass
    best = run.best if run.status is Status.EXHAUSTED else None
    return run.counters.nodes, best, time.process_time() - begin


def compare(problem: Problem, most: int) -> tuple[float, int, float] | None:
    """The median of the seeds' nodes, the nodes of the default, and its CPU time divided by the median of theirs; None
    where a median seed proves nothing in `most`."""
    found = [proof(problem, seed, most) for seed in range(1, SEEDS + 1)]
    median = statistics.median(nodes for nodes, _, _ in found)
    proved = {best for nodes, best, _ in found if nodes < most}
    if 2 * sum(nodes < most for nodes, _, _ in found) <= SEEDS:
        return None
    nodes, best, spent = proof(problem, None, max(int(SLOW * median), most))
    if len(proved) != 1 or (best is not None and {best} != proved):
        raise AssertionError(f"the minimum is {proved} by seeds, and {best} without")
    return median, nodes, spent / max(statistics.median(seconds for _, _, seconds in found), 1e-6)


@click.command("seeds")
@click.option("--problems", default=300, show_default=True, help="How many that can be compared.")
@click.option("--first", default=1000, show_default=True, help="The number of the first problem.")
@click.option("--nodes", default=100_000, show_default=True, help="What a median seed may take.")
def command(problems: int, nodes: int, first: int) -> int:
    """Compare the default with ten seeds and write benchmarks/results.md."""
    rows = []
    heads = [
        "", "problems", "median nodes of a seed", "default ÷ median: median", "9 of 10", "most", "within twice",
        "CPU time ÷ median: median", "9 of 10", "within twice",
    ]  # fmt: skip
    every: list[float] = []
    timed: list[float] = []
    for name, make in KINDS.items():
        ratios: list[float] = []
        medians: list[float] = []
        times: list[float] = []
        number, left = first, 0
        while len(ratios) < problems // len(KINDS):
            found = compare(make(number), nodes)
            number += 1
            if found is None:
                left += 1
                continue
            medians.append(found[0])
            ratios.append(found[1] / max(found[0], 1))
            times.append(found[2])
        every += ratios
        timed += times
        rows.append(_row(f"{name} ({left} left out)", ratios, medians, times))
        print(*rows[-1], flush=True)
    within, in_time = (sum(r <= TWICE for r in found) / len(found) for found in (every, timed))
    print(f"{within:.1%} of nodes, {in_time:.1%} of CPU time")
    text = "\n\n".join([
        "## No lucky seed",
        f"{datetime.date.today()}, nodes until the minimum is proved: the same on every machine. The default beside "
        f"the median of {SEEDS} seeds, on problems that a median seed proves within {nodes} nodes. The default is "
        f"within twice the median on {within:.1%}, and by CPU time on {in_time:.1%}.",
        document.table(heads, rows),
    ])  # fmt: skip
    document.replace("seeds", text)
    return 0


def _row(name: str, ratios: list[float], medians: list[float], times: list[float]) -> list[str]:
    tenth = statistics.quantiles(ratios, n=10)
    within = sum(r <= TWICE for r in ratios)
    return [
        name, f"{len(ratios)}", f"{statistics.median(medians):.0f}", f"{statistics.median(ratios):.2f}",
        f"{tenth[8]:.2f}", f"{max(ratios):.1f}", f"{within}",
        f"{statistics.median(times):.2f}", f"{statistics.quantiles(times, n=10)[8]:.2f}",
        f"{sum(t <= TWICE for t in times)}",
    ]  # fmt: skip


def main(arguments: list[str]) -> int:
    """Run the benchmark."""
    return int(command.main(args=arguments, prog_name="python -m benchmarks seeds", standalone_mode=False) or 0)
