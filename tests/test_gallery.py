"""Every model of the gallery is a test: its `expect` lines are run."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from covr.compiler import Compiled, compile_model
from covr.dsl.syntax import Expect
from covr.inputs.library import gallery, open_model
from covr.questions.expectations import run_expectation
from covr.questions.options import Options
from tests.shared import SLOW, slowly

MODELS = sorted(gallery().glob("*.cover"))


@cache
def compiled(path: Path) -> Compiled:
    return compile_model(open_model(str(path)))


def promises() -> list[object]:
    """One parameter set for each `expect` line of each model; the models are only parsed for this."""
    return [
        slowly(f"{path.stem}:{expect.span.place[0]}", path, number)
        for path in MODELS
        for number, expect in enumerate(open_model(str(path)).all(Expect))
    ]


def test_there_are_models() -> None:
    assert len(MODELS) >= 20


@pytest.mark.parametrize(("path", "number"), promises())
def test_a_promise_is_kept(path: Path, number: int) -> None:
    expectation = compiled(path).expectations[number]
    verdict = run_expectation(compiled(path), expectation, Options())
    assert verdict.kept, (verdict.expected, verdict.found, verdict.fault)


def test_what_is_slow_is_there() -> None:
    lines = {f"{path.stem}:{expect.span.place[0]}" for path in MODELS for expect in open_model(str(path)).all(Expect)}
    assert lines | {path.stem for path in MODELS} >= SLOW


@pytest.mark.parametrize("path", [slowly(p.stem, p) for p in MODELS])
def test_a_model_promises_something_has_a_title_and_no_warnings(path: Path) -> None:
    model = compiled(path)
    assert model.expectations
    assert model.title
    assert model.warnings == ()


@pytest.mark.parametrize("path", sorted((gallery() / "std").glob("*.cover")), ids=lambda p: p.stem)
def test_a_library_can_be_read(path: Path) -> None:
    assert open_model(str(path)).definitions
