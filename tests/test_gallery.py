"""Every model of the gallery is a test: its `expect` lines are run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from covr.dsl.syntax import Expect
from covr.inputs.library import gallery, gallery_files, open_model
from covr.questions.options import Options
from covr.questions.proof_file import run_expectation
from tests.shared import SLOW, compiled_gallery, slowly

pytestmark = pytest.mark.long

MODELS = list(gallery_files().values())


def lines_of(path: Path) -> list[int]:
    """The lines of a model that begin with `expect`. Every process collects the tests, so the model is not parsed."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [number for number, line in enumerate(lines, 1) if re.match(r"expect\b", line)]


def promises() -> list[object]:
    """One parameter set for each promise of each model."""
    return [
        slowly(f"{path.stem}:{line}", path, number) for path in MODELS for number, line in enumerate(lines_of(path))
    ]


def test_there_are_models() -> None:
    assert len(MODELS) >= 20


def test_a_model_has_a_title_and_promises_and_none_is_left_out() -> None:
    """That `covr check` says nothing of it is held in tests/compiler/test_review.py."""
    for path in MODELS:
        model = open_model(str(path))
        assert [expect.span.place[0] for expect in model.all(Expect)] == lines_of(path) != [], path.stem
        assert model.title, path.stem


@pytest.mark.parametrize(("path", "number"), promises())
def test_a_promise_is_kept(path: Path, number: int) -> None:
    model = compiled_gallery(path.stem)
    verdict = run_expectation(model, model.expectations[number], Options())
    assert verdict.kept, (verdict.expected, verdict.found, verdict.fault)


def test_what_is_slow_is_there() -> None:
    lines = {f"{path.stem}:{line}" for path in MODELS for line in lines_of(path)}
    assert lines | {path.stem for path in MODELS} >= SLOW


@pytest.mark.parametrize("path", sorted((gallery() / "std").glob("*.cover")), ids=lambda p: p.stem)
def test_a_library_can_be_read(path: Path) -> None:
    assert open_model(str(path)).definitions
