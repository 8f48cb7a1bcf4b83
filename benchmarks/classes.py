"""`python -m benchmarks classes`: listing one answer of each class beside listing every answer.

With a group of k symmetries, classes could at best take 1/k of the time. Both are measured from a compiled problem to
the end, preparation included, by turns in one process. In the first round every answer is put to the test of whether it
is the one given for its class, and exactly those must have been listed.
"""

from __future__ import annotations

import datetime
import sys
import time
from collections.abc import Callable

import click
from attrs import field, frozen

from benchmarks import document
from benchmarks.measure import geometric_mean, processor
from covr.compiler import compile_model
from covr.compiler.compiled import Compiled
from covr.dsl.diagnostics import Source
from covr.engine import Search, Settings, search
from covr.engine.dispatch import search_classes
from covr.inputs.library import checked, find_source

QUEENS = """
cells r, c in 1..n
choose queen(r, c)
exactly one queen per r
exactly one queen per c
at most one queen per r + c
at most one queen per r - c
up to queen(r, c) -> queen(c, n + 1 - r), queen(r, c) -> queen(r, n + 1 - c)
"""
GOLFERS = """
param groups = 4
param size = 3
param weeks = 3
choose play(week, g) for week in 1..weeks, g in subsets(1..groups * size, size)
exactly one play per week, p in 1..groups * size where p in g
at most one play per pair in subsets(g, 2)
given play(1, {size * (k - 1) + i for i in 1..size}) for k in 1..groups
let next(p) = if p > size * (groups - 1) then p - size * (groups - 1) else p + size
let other(p) = if p <= size then p + size else if p <= 2 * size then p - size else p
up to play(week, g) -> play(week, {next(p) for p in g}),
      play(week, g) -> play(week, {other(p) for p in g})
"""
QUICK = 0.5  # seconds: what takes less is measured in more rounds


@frozen
class ClassInstance:
    """text: a model, or the name of one in the gallery, that has an `up to`.  parameters: as in the model."""

    name: str
    text: str
    parameters: dict[str, object] = field(factory=dict)

    def compiled(self) -> Compiled:
        """The model, compiled."""
        source = Source("<benchmark>", self.text) if "\n" in self.text else find_source(self.text)
        return compile_model(checked(source), self.parameters)


INSTANCES = [
    ClassInstance("pentominoes 6 × 10", "pentominoes"),
    ClassInstance("pentominoes 5 × 12", "pentominoes", {"h": 5, "w": 12}),
    ClassInstance("scott", "scott"),
    ClassInstance("soma", "soma"),
    ClassInstance("macmahon", "macmahon"),
    ClassInstance("queens 8", "let n = 8" + QUEENS),
    ClassInstance("queens 13", "let n = 13" + QUEENS),
    ClassInstance("social golfers 4-3-3", GOLFERS),
    ClassInstance("social golfers 4-3-4", GOLFERS, {"weeks": 4}),
    ClassInstance("polyhexes", "polyhexes"),
    ClassInstance("solid pentominoes 2 × 5 × 6", "solid_pentominoes", {"deep": 2, "high": 5, "wide": 6}),
    ClassInstance("solid pentominoes 3 × 4 × 5", "solid_pentominoes", {"deep": 3, "high": 4, "wide": 5}),
    ClassInstance("queens 15", "let n = 15" + QUEENS),
]


def timed(begin: Callable[[], Search | None]) -> tuple[float, int, list[tuple[int, ...]]]:
    """CPU seconds of preparing a search and listing its answers, its nodes, and the answers."""
    start = time.process_time()
    run = begin()
    assert run is not None, "the benchmark's models can be searched class by class"
    found = list(run)
    return time.process_time() - start, run.counters.nodes, found


def measure(instance: ClassInstance, rounds: int) -> tuple[list[str], float]:
    """A row of the table, and the last figure in it: how many times the best possible time the classes take."""
    model = instance.compiled()
    problem, symmetry = model.problem, model.symmetry
    assert symmetry is not None
    images = symmetry.keeping()
    how = Settings(jobs=1)
    times: tuple[list[float], list[float]] = ([], [])
    nodes = [0, 0]
    sizes = [0, 0]
    while len(times[0]) < rounds * (4 if times[0] and times[0][0] < QUICK else 1):
        seconds, nodes[0], answers = timed(lambda: search(problem, settings=how))
        times[0].append(seconds)
        seconds, nodes[1], classes = timed(lambda: search_classes(problem, images, settings=how))
        times[1].append(seconds)
        if len(times[0]) == 1:
            sizes = [len(answers), len(classes)]
            if sorted(classes) != sorted(filter(symmetry.is_canonical, answers)):
                raise AssertionError(f"{instance.name}: the classes are not those of all answers")
    every, first = map(min, times)
    k = len(images) + 1
    ratio, by_nodes = (k * b / a for a, b in ((every, first), nodes))
    row = [
        instance.name, f"{k}", f"{sizes[0]}", f"{sizes[1]}", f"{every:.4f}", f"{first:.4f}",
        f"{first / every:.3f}", f"{by_nodes:.2f}", f"{ratio:.2f}",
    ]  # fmt: skip
    return row, ratio


@click.command("classes")
@click.option("--only", "names", multiple=True, help="Instances that begin so; may be repeated.")
@click.option("--rounds", default=3, show_default=True, help="Runs of each; four times as many where they are short.")
def command(names: tuple[str, ...], rounds: int) -> int:
    """Compare listing classes with listing all answers, and write benchmarks/results.md."""
    rows, ratios = [], []
    for instance in INSTANCES:
        if names and not instance.name.startswith(names):
            continue
        row, ratio = measure(instance, rounds)
        rows.append(row)
        ratios.append(ratio)
        print(*row, file=sys.stderr, flush=True)
    heads = [
        "", "symmetries", "answers", "classes", "all, s", "classes, s", "classes ÷ all", "· symmetries, nodes",
        "· symmetries, time",
    ]  # fmt: skip
    mean = geometric_mean(ratios)
    text = "\n\n".join([
        "## Up to symmetry",
        f"{datetime.date.today()}, {processor()}, one thread. CPU seconds for listing every answer, and for listing "
        "one of each class, from a compiled problem to the end, preparation included; the least of the rounds. The "
        "last two columns are the ratio times the number of symmetries, in nodes and in time: 1 would be the best "
        "possible, except that the search for classes may begin with a better item. Both must prepare the problem, "
        "which takes about a millisecond, and the search for classes must choose its parts as well: where all answers "
        "take less than a tenth of a second, this shows in the last column.",
        document.table(heads, rows),
        "" if mean is None else f"Geometric mean of the last column: {mean:.2f}.",
    ])  # fmt: skip
    print(text)
    if not names:
        document.replace("classes", text)
    return 0


def main(arguments: list[str]) -> int:
    """Run the benchmark."""
    return int(command.main(args=arguments, prog_name="python -m benchmarks classes", standalone_mode=False) or 0)
