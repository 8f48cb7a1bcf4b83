"""`python -m benchmarks releases --beside 0.1.0=FOLDER --beside 0.2.0=FOLDER`: this covr beside its own releases.

The instances are those of the other tables: exact covers (every answer, how many, the first one), covers, and best
values of everything else. Each run is a process of its own that asks the Python interface of one release; releases take
turns, and the least time of the rounds counts. FOLDER has a virtual environment (`.venv`) with the release, or is a
revision, which is built (see guard.py, which compares more kinds of question, by whole processes).
"""

from __future__ import annotations

import datetime
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

import click
from attrs import frozen

from benchmarks import _best_instances, _cover_instances, _side_instances, document
from benchmarks.cover import text as scp
from benchmarks.exact import ALL, _paths
from benchmarks.guard import python_of
from benchmarks.measure import PEERS, ROOT, Runs, geometric_mean, installed, processor, run
from benchmarks.proved import SLACK, Table, contradictions, once
from covr.compiler.formats.json_text import write_json

COUNTED = ("domino-16x16", "match-24", "queens-13", "langford-12", "sudoku-16b", "rand-60-350", "macmahon-4x6")
FIRST = ("pent-3x20", "queens-100", "langford-40", "soma")
HERE = "now"
NOISE = 0.005  # seconds; what takes less in every release says nothing about any


@frozen
class Question:
    """name: in the table.  kind: which script asks it.  path: the instance."""

    name: str
    kind: str
    path: Path


@click.command("releases")
@click.option("--beside", "named", multiple=True, required=True, metavar="NAME=FOLDER", help="A release; repeated.")
@click.option("--only", default="", help="Only questions whose name begins so.")
@click.option("--rounds", default=3, show_default=True, help="Runs of each; the least time counts.")
@click.option("--timeout", default=20.0, show_default=True, help="Seconds a run may take.")
def command(named: tuple[str, ...], only: str, rounds: int, timeout: float) -> int:
    """Compare this covr with its own releases and write benchmarks/results.md."""
    with ExitStack() as stack:
        pythons: dict[str, str] = {}
        for each in named:
            name, mark, folder = each.partition("=")
            if not mark:
                raise click.BadParameter(f"`{each}`: say NAME=FOLDER", param_hint="--beside")
            pythons[name] = str(stack.enter_context(python_of(folder)))
        pythons[HERE] = sys.executable
        made = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        questions = [q for q in _questions(made) if q.name.startswith(only)]
        table = measure(questions, pythons, rounds, timeout)
    wrong = [*contradictions(table, [(q.name, None) for q in questions])]
    versions = {name: installed(python, {"covr"}).get("covr", "?") for name, python in pythons.items()}
    text = report(table, versions, timeout)
    print(text)
    for line in wrong:
        print(line, file=sys.stderr)
    if not only and not wrong:
        document.replace("releases", text)
    return bool(wrong)


def _questions(made: Path) -> Iterator[Question]:
    """All questions, whose instances are written into the folder `made`."""
    for kind, names in (("all", ALL), ("count", COUNTED), ("one", FIRST)):
        paths, _ = _paths(names, None, made)
        said = {"all": "every answer", "count": "how many", "one": "first answer"}[kind]
        yield from (Question(f"{said}: {name}", kind, path) for name, path in paths.items())
    instances = ROOT.parent / "shared" / "instances"
    for k, cover in enumerate([*_cover_instances.published(instances), *_cover_instances.generated()]):
        path = made / f"{k}.scp"
        path.write_text(scp(cover.make()), encoding="utf-8")
        yield Question(f"cover: {cover.name}", "cover", path)
    best: Sequence[_best_instances.BestInstance | _side_instances.SideInstance] = [
        *_best_instances.published(instances), *_best_instances.generated(), *_side_instances.instances()
    ]  # fmt: skip
    for k, instance in enumerate(best):
        path = made / f"{k}.json"
        path.write_text("".join(write_json(instance.make())), encoding="utf-8")
        yield Question(f"best: {instance.name}", "best", path)


def measure(questions: Sequence[Question], pythons: Mapping[str, str], rounds: int, timeout: float) -> Table:
    """question → release → Runs. What fails once, or is not done in time, is not asked again."""
    table: Table = {q.name: {name: Runs() for name in pythons} for q in questions}
    for turn in range(rounds):
        for question in questions:
            for name in list(pythons) if turn % 2 == 0 else reversed(list(pythons)):
                runs = table[question.name][name]
                if not runs.trouble:
                    ASK[question.kind](question, pythons[name], name != HERE, runs, timeout)
                    print(f"{question.name:32} {name:6} {runs.found} {runs.best} {runs.trouble}", file=sys.stderr)
    return table


def _ask_exact(question: Question, python: str, own: bool, runs: Runs, timeout: float) -> None:
    result = run(python, "covr", question.path, question.kind, timeout, own=own)
    if "trouble" in result:
        runs.trouble = result["trouble"]
    else:
        runs.found = result["found"]
        runs.seconds.append(result["seconds"])


def _ask_minimum(script: str) -> Callable[[Question, str, bool, Runs, float], None]:
    def ask(question: Question, python: str, own: bool, runs: Runs, timeout: float) -> None:
        line = [python, "-P", str(PEERS.with_name(script)), "covr", str(question.path), str(timeout)]
        once(line, timeout + SLACK, runs, "not an answer", own=own)

    return ask


ASK = {
    **dict.fromkeys(("all", "count", "one"), _ask_exact),
    "cover": _ask_minimum("_cover_peers.py"),
    "best": _ask_minimum("_best_peers.py"),
}


def report(table: Table, versions: Mapping[str, str], timeout: float) -> str:
    """The section of benchmarks/results.md."""
    rows: list[list[str]] = []
    ratios: dict[str, list[float]] = {name: [] for name in versions}
    for question, runs in table.items():
        mine = runs[HERE].best
        row = [question]
        for name in versions:
            best = runs[name].best
            row.append("`>`" if runs[name].trouble == "timeout" else "`!`" if best is None else f"{best:.3f}")
            if name != HERE and best is not None and mine is not None:
                if max(best, mine) >= NOISE:
                    ratios[name].append(max(best, NOISE / 10) / max(mine, NOISE / 10))
                row[-1] += f" (×{best / max(mine, 1e-6):.2f})"
        rows.append(row)
    means = {name: geometric_mean(values) for name, values in ratios.items()}
    told = ["" if (m := means[name]) is None else f"×{m:.2f} ({len(ratios[name])})" for name in versions]
    rows.insert(0, ["geometric mean", *told])
    return "\n\n".join([
        "## This covr and its releases",
        f"{datetime.date.today()}, {processor()}, one thread. CPU seconds from options in memory to the result, the "
        "least of the rounds, and in brackets how many times those of now: more than 1 is slower than now. `>`: not "
        f"within {timeout:.0f} s; `!`: failed. The mean leaves out what takes less than {NOISE * 1000:.0f} ms before "
        "and now. Asked for every answer, 0.2.0 counted by the frontier where that is narrow, although it was told to "
        "list (dominoes).",
        document.table(["", *(n if n == HERE else f"{n} ({v})" if v != n else n for n, v in versions.items())], rows),
    ])  # fmt: skip


def main(arguments: list[str]) -> int:
    """Run the benchmark; 1 when releases disagree."""
    return int(command.main(args=arguments, prog_name="python -m benchmarks releases", standalone_mode=False) or 0)
