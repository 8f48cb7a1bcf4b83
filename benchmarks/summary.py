"""`python -m benchmarks summary`: docs/benchmarks.md from benchmarks/results.md, a line for each table and peer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from statistics import geometric_mean

import click
from attrs import frozen

from benchmarks.document import DOCUMENT, marks, replace, table

PAGE = Path(__file__).parents[1] / "docs" / "benchmarks.md"
TABLES = ("exact all", "cover", "best", "sides", "airlines", "work", "boards", "loops", "diagrams")


@frozen
class Line:
    """One peer in one table: its time by covr's where both end, and the rows that only one of them ends."""

    title: str
    peer: str
    ratios: tuple[float, ...]
    only_covr: int
    only_peer: int

    def cells(self) -> list[str]:
        mean = f"{geometric_mean(self.ratios):.2f}" if self.ratios else "–"
        slower = sum(ratio < 1 for ratio in self.ratios)
        return [self.title, self.peer, *map(str, (len(self.ratios), mean, slower, self.only_covr, self.only_peer))]


@click.command()
def main() -> None:
    """Sum up benchmarks/results.md in docs/benchmarks.md."""
    replace("summary", whole(DOCUMENT.read_text(encoding="utf-8")), PAGE)


def whole(text: str) -> str:
    """The table of docs/benchmarks.md."""
    lines = [line for name in TABLES for line in summary(text, name)]
    head = ["table", "peer", "rows that both end", "its time ÷ covr's, geometric mean", "rows where it is faster"]
    rows = [line.cells() for line in lines]
    return table([*head, "rows that only covr ends", "only the peer"], rows)


def summary(text: str, name: str) -> Iterator[Line]:
    """The lines of one table, which names its programs in the head of its columns and has a row for each problem."""
    found = re.search(r"{}\n## ([^\n]*)\n(.*?){}".format(*marks(name)), text, re.DOTALL)
    assert found is not None, name
    written = [line for line in found[2].split("\n") if line.startswith("|")]
    head, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in written]
    ours = next(at for at, cell in enumerate(head) if cell.startswith("covr"))
    timed = head[ours].endswith(", s")
    for at in range(ours + 1, len(head)):
        if not head[at]:  # what follows are the same columns without the time to prepare
            break
        if head[at].startswith(("covr", "alone", "listing", "÷", "fastest")) or (", s" in head[at]) != timed:
            continue
        pairs = [(number(row[ours]), number(row[at])) for row in rows if row[ours] and row[at] and "mean" not in row[0]]
        ratios = tuple(theirs / our for our, theirs in pairs if our and theirs)
        if ratios:
            only_covr = sum(our is not None and theirs is None for our, theirs in pairs)
            only_peer = sum(our is None and theirs is not None for our, theirs in pairs)
            yield Line(found[1], head[at].removesuffix(", s"), ratios, only_covr, only_peer)


def number(cell: str) -> float | None:
    """The seconds of a cell. None where a program did not end."""
    found = re.match(r"[\d.]+", cell)
    return float(found[0]) if found else None
