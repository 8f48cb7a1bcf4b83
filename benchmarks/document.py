"""benchmarks/results.md: each benchmark owns the part between its two marks, and replaces nothing else."""

from __future__ import annotations

from pathlib import Path

DOCUMENT = Path(__file__).parent / "results.md"
HEAD = """# Benchmarks

This page is written by `python -m benchmarks`. Seconds are CPU seconds on the machine named. Ratios within one run can
be compared between machines; seconds cannot.
"""


def marks(name: str) -> tuple[str, str]:
    """The lines before and after the part called `name`."""
    return f"<!-- {name}: begin -->", f"<!-- {name}: end -->"


def replace(name: str, text: str, path: Path = DOCUMENT) -> None:
    """Put `text` in place of the part called `name`, or at the end if there is none yet."""
    begin, end = marks(name)
    old = path.read_text(encoding="utf-8") if path.exists() else HEAD
    part = f"{begin}\n{text.strip()}\n{end}"
    if begin in old and end in old:
        before, _, rest = old.partition(begin)
        new = before + part + rest.partition(end)[2]
    else:
        new = old.rstrip() + "\n\n" + part + "\n"
    path.parent.mkdir(exist_ok=True)
    path.write_text(new, encoding="utf-8")


def table(head: list[str], rows: list[list[str]]) -> str:
    """A Markdown table, the first column to the left, the others to the right."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
