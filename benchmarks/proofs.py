"""`python -m benchmarks proofs`: twenty questions with their proofs: how long they are, and how long it takes.

Beside each other stand the CPU seconds of covr's answer as always, of the search for the proof without a line being
written, of the same with its lines, of `covr verify`, and of VeriPB if `--veripb COMMAND` names it. `>` stands for a
proof that was not finished.
"""

from __future__ import annotations

import datetime
import os
import shlex
import subprocess
import tempfile
import time
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import click

from benchmarks import _best_instances, _cover_instances, document, instances, published
from benchmarks.measure import processor
from covr.compiler.formats import read_dlx
from covr.compiler.formats.linear import pseudo_boolean, write_opb
from covr.engine import Limits, Problem, search
from covr.engine.proofs.logged import ProofLog, PseudoBoolean
from covr.verify.checker import read_opb, verify

SIZE = 200_000_000  # characters of a proof at most
ROUNDS = 5  # of a search that takes less than a second


def exact(matrix: instances.Matrix) -> Problem:
    """A classic exact cover as a problem."""
    return read_dlx(matrix.dlx)


QUESTIONS: dict[str, Callable[[], Problem]] = {
    "Langford 7": lambda: exact(instances.langford(7)),
    "Langford 9 (none)": lambda: exact(instances.langford(9)),
    "Langford 10 (none)": lambda: exact(instances.langford(10)),
    "queens 8": lambda: exact(instances.queens(8)),
    "queens 10": lambda: exact(instances.queens(10)),
    "pentominoes 3 × 20": lambda: exact(instances.pentominoes(3, 20)),
    "pentominoes 4 × 15": lambda: exact(instances.pentominoes(4, 15)),
    "Soma cube": lambda: exact(instances.soma()),
    "dominoes 6 × 6": lambda: exact(instances.dominoes(6, 6)),
    "Latin squares 4": lambda: exact(instances.latin(4)),
    "sudoku 9 × 9": lambda: exact(instances.sudoku(3, 0.35, 1)),
    "covering C(8, 4, 3)": partial(_cover_instances.design, 8, 4, 3),
    "covering C(7, 4, 2)": partial(_cover_instances.design, 7, 4, 2),
    "Steiner 27": lambda: _cover_instances.steiner(_cover_instances.tripled(_cover_instances.steiner_9(), 9), 27),
    "queens that guard 7 × 7": partial(_cover_instances.queens, 7),
    "knights 6 × 6": partial(_cover_instances.knights, 6),
    "dominating a grid 8 × 8": partial(_cover_instances.grid, 8),
    "vertex cover, 40": partial(_cover_instances.vertex_cover, 40, 20, 1),
    "assignment 30": partial(_best_instances.assignment, 30),
    "crews 60 × 400": partial(_best_instances.crews, 60, 400),
}


def buses() -> dict[str, Callable[[], Problem]]:
    """The bus drivers of CSPLib 022, where they lie beside the project: duties that cover all pieces of work once."""
    files = [published.BESIDE / "instances" / f"bus-{name}.dlx" for name in ("r1", "c1", "c2")]
    return {f"bus drivers {file.stem[4:]}": partial(read_dlx, file.read_text()) for file in files if file.exists()}


def spent(act: Callable[[], object]) -> float:
    """The CPU seconds that it takes."""
    begin = time.process_time()
    act()
    return time.process_time() - begin


def measured(name: str, problem: Problem, seconds: float, veripb: str | None) -> list[str]:
    """The row of a question."""
    goal = "minimum" if any(problem.costs) else "all"
    found: list[tuple[int, ...]] = []
    answered = spent(lambda: found.extend(search(problem, goal=goal)))
    best = found[-1] if goal == "minimum" and found else None
    about = pseudo_boolean(problem)
    log, text, written, silent = _searched(about, best, seconds)
    row = [name, _result(goal, log), str(log.nodes), f"{log.lines_written}", f"{log.written / 1000:.0f}"]
    row += [f"{answered:.2f}", f"{silent:.3f}", f"{written:.3f}", f"{written / silent:.2f}"]
    if log.status != "exhausted":
        return [*row, ">", ">"]
    opb = "".join(write_opb(problem))
    checked = spent(lambda: verify(read_opb(opb.splitlines()), text.splitlines()))
    return [*row, f"{checked:.2f}", _other(veripb, opb, text)]


def _searched(about: PseudoBoolean, best: Sequence[int] | None, seconds: float) -> tuple[ProofLog, str, float, float]:
    """The search for a proof, the proof, and the least CPU seconds of some rounds: of the search with its lines, and of
    the same search in which no line is written. A search that takes long has one round."""
    with_lines, without = list[float](), list[float]()
    for _ in range(ROUNDS):
        silent = ProofLog(about, Limits(seconds=seconds), SIZE, silent=True)
        without.append(spent(lambda: deque(silent.lines(best), maxlen=0)))  # noqa: B023
        log, blocks = ProofLog(about, Limits(seconds=seconds), SIZE), list[str]()
        with_lines.append(spent(lambda: blocks.extend(log.lines(best))))  # noqa: B023
        if with_lines[-1] > 1:
            break
    return log, "".join(blocks), min(with_lines), min(without)


def _result(goal: str, log: ProofLog) -> str:
    if log.status != "exhausted":
        return ">"
    return f"minimum {log.best}" if goal == "minimum" else str(log.answers)


def _other(veripb: str | None, opb: str, text: str) -> str:
    """The CPU seconds of VeriPB, or nothing."""
    if veripb is None:
        return ""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / "problem.opb", Path(folder) / "proof.pbp"]
        for file, content in zip(files, (opb, text), strict=True):
            file.write_text(content, encoding="ascii")
        begin = os.times()
        done = subprocess.run([*shlex.split(veripb), *map(str, files)], capture_output=True, text=True, check=False)
        end = os.times()
        took = end.children_user - begin.children_user + end.children_system - begin.children_system
        return f"{took:.2f}" if done.returncode == 0 else "refused"


@click.command("proofs")
@click.option("--seconds", default=30.0, show_default=True, help="For each proof.")
@click.option("--veripb", metavar="COMMAND", help="Have VeriPB check the proofs, too.")
def command(seconds: float, veripb: str | None) -> int:
    """Measure proofs, and write benchmarks/results.md."""
    rows = []
    for name, make in {**QUESTIONS, **buses()}.items():
        rows.append(measured(name, make(), seconds, veripb))
        print(" | ".join(rows[-1]), flush=True)
    heads = ["question", "shown", "nodes", "lines", "kB", "answer, s", "search alone, s", "with its lines, s", "×"]
    heads += ["covr verify, s", "VeriPB, s"]
    text = "\n\n".join([
        "## Proofs",
        f"{datetime.date.today()}, {processor()}, CPU seconds: of covr's answer as always, of the search for the proof "
        "alone and with its lines (`×`: the ratio), and of the checkers. VeriPB takes 0.2 s to start. `>`: "
        "the proof was not finished.",
        document.table(heads, rows),
    ])  # fmt: skip
    print(text)
    document.replace("proofs", text)
    return 0


def main(arguments: list[str]) -> int:
    """Run the command; returns its exit code."""
    return int(command.main(args=arguments, prog_name="python -m benchmarks proofs", standalone_mode=False) or 0)
