"""Files of other people that some tests read: they lie beside the checkout, and are no part of the repository."""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED = Path(__file__).parents[1].parent / "shared"
MISSING = "../shared is not here"  # what the summary counts
needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason=MISSING)

# What takes seconds and is left to `--slow`: models, and single promises of models with their line.
SLOW = {
    "social_golfers", "social_golfers:17", "tetrasticks", *(f"tetrasticks:{line}" for line in range(22, 29)),
    "onesided_pentominoes:22", "aztec_diamond:19", "aztec_diamond:20", "pentominoes_8x8:25", "pentomino_tube:21",
    "graceful:25", "covering_design:16", "critical_set:22", "dissections:16", "motley:21", "pairs:10", "tetrominoes:15",
    "set_partition:12", "solid_pentominoes:20", "steiner_cover:22", "steiner_cover:23", "y_pentacubes:16",
    "bedlam_cube:14", "tetris_cube:14", "conway_cube:18",
}  # fmt: skip


def slowly(name: str, *values: object) -> object:
    """A parameter set of that name, marked slow if it is one of `SLOW`."""
    return pytest.param(*values, id=name, marks=[pytest.mark.slow] if name in SLOW else [])
