"""`python -m benchmarks kinds`: each kind of puzzle that links hold, from its link to a proof that it has one answer.

The puzzles are others' work and not here: they are read from beside the project, or from `--data`. With `--noqx DIR`
and `--cspuz DIR`, folders with the solvers of these programs, their lines of rules stand beside covr's: of Python,
without blank lines, comments, docstrings, imports and examples. Both have helpers besides, which are not counted.
"""

from __future__ import annotations

import ast
import datetime
import json
import re
import time
from pathlib import Path
from typing import Any

import click

from benchmarks import document
from benchmarks.measure import processor
from benchmarks.published import BESIDE

FEWEST = 5  # the kinds that are named one by one: as many of the slowest
SLOW = 2.0  # seconds: what a kind may take


@click.command("kinds")
@click.option("--data", "file", type=click.Path(path_type=Path), default=BESIDE / "data" / "pzpr.json")
@click.option("--noqx", type=click.Path(path_type=Path, exists=True), help="The folder `solver` of T0nyX1ang/noqx.")
@click.option(
    "--cspuz", type=click.Path(path_type=Path, exists=True), help="The folder `cspuz/puzzle` of semiexp/cspuz."
)
@click.option("--only", default="", help="This kind alone; the page is then left as it is.")
def command(file: Path, noqx: Path | None, cspuz: Path | None, only: str) -> int:
    """Measure every kind and write benchmarks/results.md."""
    from covr.links.table import kinds

    published = json.loads(file.read_text(encoding="utf-8"))
    rows = []
    _ask("sudoku", published)  # so that the first kind does not pay for what is loaded
    for name, kind in sorted(kinds().items()):
        if name in published and only in ("", name):
            seconds, nodes, unique = _ask(name, published)
            found = {"noqx": noqx and noqx / f"{name}.py", "cspuz": cspuz and cspuz / f"{name}.py"}
            theirs = {peer: _lines_of_python(path) for peer, path in found.items() if path and path.exists()}
            rows.append((name, _lines_of_rules(kind.model), theirs, seconds, nodes, unique))
            print(*rows[-1], flush=True)
    if not only:
        document.replace("kinds", _page(rows))
    return 0


def _ask(name: str, published: dict[str, Any]) -> tuple[float, int, bool]:
    """CPU seconds, nodes, and whether the puzzle has one answer."""
    import covr
    from covr.questions.options import Options
    from covr.questions.run import Run

    start = time.process_time()
    run = Run(covr.load(f"https://puzz.link/p?{name}/{published[name]['url']}").compiled, Options())
    answers = sum(1 for _ in run.answers(limit=2))
    return time.process_time() - start, sum(s.counters.nodes for s in run._searches), answers == 1


def _lines_of_rules(model: str) -> int:
    """The lines of a model without its title, promises, comments, libraries, pictures and what is read as data."""
    from covr.inputs.library import gallery_files

    text = re.sub(r'"""(.*?)"""', '""', gallery_files()[model].read_text(encoding="utf-8"), flags=re.DOTALL)
    left = re.compile(r"\s*#|title|expect|use |show |print |outline ")
    return sum(1 for line in text.splitlines() if line.strip() and not left.match(line))


def _lines_of_python(path: Path) -> int:
    """The lines of a solver on which its functions have code."""
    numbers: set[int] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef) and node.name not in ("_main", "main", "problem_to_problem"):
            for part in node.body:
                if not (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant)):
                    numbers.update(inner.lineno for inner in ast.walk(part) if isinstance(inner, ast.expr | ast.stmt))
    return len(numbers)


def _page(rows: list[tuple[str, int, dict[str, int], float, int, bool]]) -> str:
    """The section of the page."""
    slowest = sorted(rows, key=lambda row: -row[3])[:FEWEST]
    line = [f"{name} {seconds:.1f} s" for name, _, _, seconds, _, _ in slowest]
    quick = sum(row[3] <= SLOW for row in rows)
    text = [
        "## Kinds of pencil puzzles",
        f"{datetime.date.today()}, {processor()}, one thread, CPU time of one process: the published puzzle of each of "
        f"{len(rows)} kinds, from its link to a proof that it has one answer. {quick} take at most {SLOW:.0f} s; the "
        f"slowest are {', '.join(line)}.",
    ]
    for peer in ("noqx", "cspuz"):
        pairs = [(own, theirs[peer]) for _, own, theirs, *_ in rows if peer in theirs]
        if pairs:
            own, other = (sum(side) / len(pairs) for side in zip(*pairs, strict=True))
            text.append(
                f"Of {len(pairs)} kinds that {peer} has: {own:.0f} lines on average, and {other:.0f} in {peer}."
            )
    table = [
        [name, f"{own}", *(str(theirs.get(p, "")) for p in ("noqx", "cspuz")), f"{seconds:.2f}", f"{nodes:,}",
         "one" if unique else "several"]
        for name, own, theirs, seconds, nodes, unique in rows
    ]  # fmt: skip
    heads = ["kind", "lines", "noqx", "cspuz", "seconds", "nodes", "answers"]
    return "\n\n".join([*text, document.table(heads, table)])


def main(arguments: list[str]) -> int:
    """Run the benchmark."""
    return int(command.main(args=arguments, prog_name="python -m benchmarks kinds", standalone_mode=False) or 0)
