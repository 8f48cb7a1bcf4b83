"""Instances that are read from elsewhere, because they are others' work or no generator of them is known."""

from __future__ import annotations

from pathlib import Path

BESIDE = Path(__file__).parents[2] / "shared"
READ = ("rand-60-350", "sudoku-16b")


def find(name: str, folder: Path | None = None) -> Path | None:
    """The .dlx file of that name in the folder, or beside the project; None where there is none."""
    for place in [folder] if folder else [BESIDE / "instances", BESIDE]:
        path = place / f"{name}.dlx"
        if path.exists():
            return path
    return None
