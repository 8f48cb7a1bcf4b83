"""`python -m benchmarks compile`: how long it takes to compile models, by itself and beside another version of covr.

With `--beside FOLDER`, the models are compiled by turns with the covr in that folder, such as a checkout of an older
version: each by a process of its own, and both in the same minutes, so that the ratio can be trusted on a machine that
does other work as well. The matrices must be of the same size.
"""

from __future__ import annotations

import datetime
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
from attrs import field, frozen

from benchmarks import document
from benchmarks._board_puzzles import written
from benchmarks.measure import geometric_mean, processor

COMPILE = """
import ast, json, sys, time
from covr.compiler import compile_model
from covr.dsl.syntax import Param
from covr.inputs.library import checked, find_source
name, overrides, least = ast.literal_eval(sys.argv[1])
best, begun, rounds = 1e9, time.process_time(), 0
while rounds < 2 or (time.process_time() - begun < least and rounds < 50):
    start = time.process_time()
    model = checked(find_source(name))
    known = {param.name.id for param in model.definitions if isinstance(param, Param)}
    made = compile_model(model, {key: value for key, value in overrides.items() if key in known})
    best = min(best, time.process_time() - start)
    rounds += 1
sides = sum(len(getattr(s, "terms", ())) for s in made.problem.sides)
print(json.dumps([made.problem.options, len(made.problem.members), sides, best]))
"""
HOME = Path(__file__).parents[1]
WHOLE = ("solve", "sudoku")  # the command whose time as a process is told, too


@frozen
class CompiledInstance:
    """A model of the gallery with its parameters. former: those that it had besides in older versions of covr."""

    name: str
    model: str
    parameters: dict[str, Any] = field(factory=dict)
    former: dict[str, Any] = field(factory=dict)


NURIKABE = {(1, 1): 7, (1, 9): 6, (3, 4): 8, (4, 8): 7, (6, 2): 7, (7, 6): 8, (9, 9): 6, (10, 3): 7}
INSTANCES = [
    CompiledInstance("social golfers 8-4-2", "social_golfers"),
    CompiledInstance("kirkman 21", "kirkman", {"girls": 21}),
    CompiledInstance("queens 200", "queens", {"n": 200}),
    CompiledInstance("queens 100", "queens", {"n": 100}),
    CompiledInstance("sudoku 25 × 25", "sudoku", {"box": 5, "clue": {}}),
    CompiledInstance("sudoku 16 × 16", "sudoku", {"box": 4, "clue": {}}),
    CompiledInstance("bedlam", "bedlam_cube"),
    CompiledInstance("soma", "soma"),
    CompiledInstance("pentominoes", "pentominoes"),
    CompiledInstance("graceful", "graceful"),
    CompiledInstance("langford 40", "langford", {"n": 40}),
    CompiledInstance("crossword", "crossword"),
    CompiledInstance("nonogram", "nonogram"),
    CompiledInstance("kakuro", "kakuro"),
    CompiledInstance("nurikabe 10 × 10", "nurikabe", {"clue": written(NURIKABE, 10)}, {"n": 10}),
    CompiledInstance("sudoku", "sudoku"),
]

OTHER = (
    " `before` is another version of covr, measured by turns. `*`: the model was rewritten in between, and its matrix "
    "has another number of entries."
)


@frozen
class CompileTime:
    """seconds: CPU time from text to matrix, the least of the rounds. The other fields count what the matrix has."""

    options: int
    entries: int
    terms: int
    seconds: float


def compiled(instance: CompiledInstance, folder: Path, least: float) -> CompileTime:
    """Compile a model again and again in a process of its own. folder: of the covr to use; least: seconds of work."""
    asked = repr((instance.model, {**instance.former, **instance.parameters}, least))
    done = subprocess.run(
        [sys.executable, "-c", COMPILE, asked],
        env=_environment(folder),
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return CompileTime(*json.loads(done.stdout))


def whole_process(folder: Path, rounds: int) -> float:
    """CPU seconds of `covr solve sudoku` as a process, start-up included: the least of the rounds."""
    best = float("inf")
    for _ in range(rounds + 1):  # the first writes what Python keeps of the sources
        before = os.times()
        subprocess.run(
            [sys.executable, "-m", "covr", *WHOLE],
            env=_environment(folder),
            cwd=folder,  # where `-m` looks first
            capture_output=True,
            check=True,
        )
        after = os.times()
        used = after.children_user + after.children_system - before.children_user - before.children_system
        best = min(best, used)
    return best


def _environment(folder: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPATH": str(folder)}


def measure(instance: CompiledInstance, folders: list[Path], rounds: int) -> list[CompileTime]:
    """The best time of each covr, by turns. Each compiles the model of its own gallery, which may have been rewritten
    but has the same choices."""
    found: list[list[CompileTime]] = [[] for _ in folders]
    for _ in range(rounds):
        for times, folder in zip(found, folders, strict=True):
            times.append(compiled(instance, folder, 0.3))
    best = [min(times, key=lambda t: t.seconds) for times in found]
    if len({t.options for t in best}) > 1:
        raise AssertionError(f"{instance.name}: the choices differ")
    return best


@click.command("compile")
@click.option("--beside", type=click.Path(exists=True, path_type=Path), help="The folder of another covr.")
@click.option("--only", "names", multiple=True, help="Instances that begin so; may be repeated.")
@click.option("--rounds", default=3, show_default=True, help="Processes for each model.")
def command(beside: Path | None, names: tuple[str, ...], rounds: int) -> int:
    """Measure how long compiling takes, and write benchmarks/results.md."""
    folders = [HOME] if beside is None else [beside.resolve(), HOME]
    rows, ratios = [], []
    for instance in INSTANCES:
        if names and not instance.name.startswith(names):
            continue
        times = measure(instance, folders, rounds)
        now = times[-1]
        size = now.entries + now.terms
        sizes = [t.entries + t.terms for t in times]
        star = " *" if len(set(sizes)) > 1 else ""
        row = [instance.name + star, f"{now.options}", f"{size}", *(f"{t.seconds:.4f}" for t in times)]
        row += [f"{t.seconds / max(own, 1) * 1e6:.2f}" for t, own in zip(times, sizes, strict=True)]
        if beside is not None:
            ratios.append(times[0].seconds / now.seconds)
            row.append(f"{ratios[-1]:.1f}")
        rows.append(row)
        print(*row, file=sys.stderr, flush=True)
    whole = [whole_process(folder, 2 * rounds) for folder in folders]
    labels = ["before", "now"] if beside is not None else ["now"]
    heads = ["", "options", "entries", *(f"{x}, s" for x in labels), *(f"{x}, µs an entry" for x in labels)]
    mean = geometric_mean(ratios)
    text = "\n\n".join([
        "## Compiling",
        f"{datetime.date.today()}, {processor()}. CPU seconds from the text of a model to its matrix, the least of the "
        "rounds, each model in a process of its own, which has compiled it before. Entries are those of the matrix and "
        "of its totals." + (OTHER if beside is not None else ""),
        document.table([*heads, *(["before ÷ now"] if beside is not None else [])], rows),
        "" if mean is None else f"Geometric mean of the ratios: {mean:.1f}.",
        f"`covr {' '.join(WHOLE)}` as a process, start-up included: "
        + ", ".join(f"{label} {seconds:.2f} s" for label, seconds in zip(labels, whole, strict=True))
        + " of CPU time.",
    ])  # fmt: skip
    print(text)
    if not names:
        document.replace("compile", text)
    return 0


def main(arguments: list[str]) -> int:
    """Run the benchmark."""
    return int(command.main(args=arguments, prog_name="python -m benchmarks compile", standalone_mode=False) or 0)
