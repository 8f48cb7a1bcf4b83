"""Published counts beside covr's: `python -m benchmarks counts [--limit-time SECONDS] [ROW …]`.

Measures the promises of the gallery that reproduce a published count (`_counts_rows.py` says which), all of them or
those of the rows named, and writes the table to benchmarks/counts.md, which the documentation's site
shows with the gallery. Figures that are not measured this time stay as they are. CPU seconds, one thread, compiling
included.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from benchmarks._counts_rows import FIGURES, Figure
from covr.compiler import compile_model
from covr.inputs.library import open_model
from covr.questions.options import Options
from covr.questions.proof_file import Verdict, run_expectation

TABLE = Path(__file__).parent / "counts.md"
HEAD = ["#", "puzzle", "published", "source", "covr", "CPU seconds", "measured", "model"]
OPEN = "–"


def main(arguments: Sequence[str]) -> int:
    """Measure, and write the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks counts")
    parser.add_argument("--limit-time", type=float, default=20.0, help="seconds for each figure")
    parser.add_argument("--new", action="store_true", help="only figures that have not been measured")
    parser.add_argument("rows", nargs="*", type=int, help="rows of the table; all by default")
    words = parser.parse_args(arguments)
    known = read()
    for figure in FIGURES:
        old = known.get(figure.key)
        if figure.model and (not words.rows or figure.row in words.rows) and not (words.new and old):
            found = measure(figure, words.limit_time)
            if found is not None:
                known[figure.key] = found
                TABLE.write_text(table(known), encoding="utf-8")
            print(figure.row, figure.puzzle, found or "open", flush=True)
    TABLE.write_text(table(known), encoding="utf-8")
    return 0


def measure(figure: Figure, limit: float) -> tuple[str, str, str] | None:
    """What covr finds, in how many CPU seconds, and the day; None if the limit left it open."""
    compiled = compile_model(open_model(figure.model))
    promises = [e for e in compiled.expectations if _promised(e.kind, e.value) == figure.promise]
    assert len(promises) == 1, f"{figure.model} promises {figure.promise} {len(promises)} times"
    begun = time.process_time()
    verdict: Verdict = run_expectation(compiled, promises[0], Options(jobs=1, limit_time=limit))
    spent = time.process_time() - begun
    if verdict.kept is None:
        return None
    found = figure.published if verdict.kept else verdict.found
    return found, f"{spent:.2f}" if spent < 10 else f"{spent:.0f}", date.today().isoformat()


def _promised(kind: str, value: int | None) -> int | None:
    """The number that a promise names: 1 if there is to be one answer, 0 if none."""
    return {"unique": 1, "none": 0}.get(kind, value)


def read() -> dict[tuple[int, str], tuple[str, str, str]]:
    """(row, puzzle) → covr's figure, seconds, day: what the table says now."""
    if not TABLE.exists():
        return {}
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in TABLE.read_text("utf-8").splitlines()]
    return {
        (int(row[0]), row[1]): (row[4], row[5], row[6])
        for row in rows
        if len(row) == len(HEAD) and row[0].isdigit() and row[6] != OPEN
    }


def table(known: dict[tuple[int, str], tuple[str, str, str]]) -> str:
    """The table as Markdown, with what is known of each figure."""
    lines = [HEAD, ["---:", "---", "---:", "---", "---:", "---:", "---", "---"]]
    for figure in FIGURES:
        found, seconds, day = known.get(figure.key, (OPEN, OPEN, OPEN))
        model = f"`{figure.model}`" if figure.model else OPEN
        note = f"{model}: {figure.note}" if figure.note else model
        lines.append([str(figure.row), figure.puzzle, figure.published, figure.source, found, seconds, day, note])
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
