"""What several tests share: files of other people, which lie beside the checkout and are no part of the repository; and
the models of the gallery, compiled and solved once for all tests that look at them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from covr.api import gallery
from covr.api.model import Model
from covr.compiler import Compiled, compile_model
from covr.inputs.library import open_model
from covr.questions.answer import Answer

SHARED = Path(__file__).parents[1].parent / "shared"
MISSING = "../shared is not here"  # what the summary counts
needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason=MISSING)

# What takes seconds and is left to `--slow`: models, and single promises of models with their line.
SLOW = {
    "social_golfers", "social_golfers:17", "tetrasticks", *(f"tetrasticks:{line}" for line in range(22, 29)),
    "onesided_pentominoes:22", "aztec_diamond:19", "aztec_diamond:20", "pentominoes_8x8:25", "pentomino_tube:21",
    "graceful:28", "covering_design:16", "critical_set:22", "dissections:16", "motley:21", "pairs:10", "tetrominoes:15",
    "set_partition:12", "solid_pentominoes:20", "steiner_cover:22", "steiner_cover:23", "y_pentacubes:16",
    "nurses:31", "bedlam_cube:14", "tetris_cube:14", "conway_cube:18", "magic_square:21", "magic_hexagon:21",
}  # fmt: skip


# Asked before pytest reads its options: the files of tests ask when they are imported.
THOROUGH = bool(os.environ.get("COVR_THOROUGH")) or "--thorough" in sys.argv
IN_GATE = not THOROUGH
INTERPRETED = bool(os.environ.get("COVR_INTERPRETED"))  # which takes ten times as long
FEW = 6  # examples of a law without `--thorough`: 323 laws draw them, and each more is 5 s of CPU in all


def examples(number: int) -> int:
    """How many examples hypothesis is to draw of a law: without `--thorough`, which tries new ones, `FEW`."""
    return min(number, FEW) if IN_GATE or INTERPRETED else number


def of_oracle(number: int) -> int:
    """The same for laws that compare whole models, or features in all ways, with brute force: a fifth of them in the
    gate, because what a law of a single file misses there is to be found by these."""
    return max(10, number // 10) if INTERPRETED else max(20, number // 5) if IN_GATE else number


def seeds(number: int) -> range:
    """The seeds of a law that draws its own problems: in the gate a fifth of them, but `FEW`."""
    return range(min(number, max(FEW, number // 5)) if IN_GATE or INTERPRETED else number)


def slowly(name: str, *values: object) -> object:
    """A parameter set named after a model, or a promise of one with its line; marked slow if it is one of `SLOW`."""
    marks = [pytest.mark.slow] if name in SLOW else []
    return pytest.param(*values, id=name, marks=[pytest.mark.gallery(name.partition(":")[0]), *marks])


def of_gallery(name: str) -> object:
    """A parameter set of a model that is never slow, because what is asked of it is small."""
    return pytest.param(name, id=name, marks=[pytest.mark.gallery(name)])


# Tests marked `gallery` follow each other model by model (conftest.py), so that no more models need to be kept.
@lru_cache(maxsize=2)
def compiled_gallery(name: str) -> Compiled:
    """A model of the gallery or a library with its own params, compiled."""
    return compile_model(open_model(name))


@lru_cache(maxsize=2)
def shown_gallery(name: str) -> tuple[Model, Answer]:
    """A model of the gallery and the answer that its page shows: with smaller params where they are `SMALLER`."""
    if name in gallery.SMALLER:
        return gallery.shown(name)
    model = Model(compiled_gallery(name))
    return model, gallery.first_answer(model, name)


def calls_of(run: Callable[[], Any], counted: tuple[str, ...] = ("call",)) -> int:
    """How many of Python's functions a call calls. counted: with "c_call", those that are written in C, too."""
    count = 0

    def called(_frame: FrameType, event: str, _argument: Any) -> None:
        nonlocal count
        count += event in counted

    before = sys.getprofile()
    sys.setprofile(called)
    try:
        run()
    finally:
        sys.setprofile(before)
    return count
