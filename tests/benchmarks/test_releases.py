"""The benchmark of releases: it asks each release by its own Python, and its table says who is slower."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from benchmarks.cover import text as scp
from benchmarks.instances import MAKERS
from benchmarks.measure import Runs
from benchmarks.releases import HERE, Question, measure, report
from covr.compiler.formats.json_text import write_json
from covr.engine import build

pytestmark = pytest.mark.long

COVER = build([(1, 3)] * 3, [[0, 1], [1, 2], [0, 2]], costs=[1, 1, 1])


@pytest.fixture
def questions(tmp_path: Path) -> list[Question]:
    """One of each kind, whose answers are known."""
    exact, cover, best = tmp_path / "soma.dlx", tmp_path / "cover.scp", tmp_path / "best.json"
    exact.write_text(MAKERS["soma"]().dlx)
    cover.write_text(scp(COVER))
    best.write_text("".join(write_json(COVER)))
    return [Question("how many", "count", exact), Question("cover", "cover", cover), Question("best", "best", best)]


def test_each_kind_is_asked_by_each_python(questions: list[Question]) -> None:
    table = measure(questions, {HERE: sys.executable}, 1, 60.0)
    assert [row[HERE].found for row in table.values()] == [11520, 2, 2]
    table = measure(questions[:1], {"other": sys.executable, HERE: sys.executable}, 1, 60.0)
    assert [(runs.found, len(runs.seconds)) for runs in table["how many"].values()] == [(11520, 1)] * 2


def test_a_release_without_covr_has_failed(questions: list[Question], tmp_path: Path) -> None:
    bare = tmp_path / "python"
    bare.write_text(f'#!/bin/sh\nexec {sys.executable} -S -I "$@"\n')
    bare.chmod(0o755)
    runs = measure(questions[1:2], {"bare": str(bare)}, 1, 60.0)["cover"]["bare"]
    assert runs.best is None and "covr" in runs.trouble


def test_what_takes_no_time_says_nothing() -> None:
    table = {
        "a": {"old": Runs(seconds=[2.0]), HERE: Runs(seconds=[1.0, 4.0])},
        "b": {"old": Runs(seconds=[0.001]), HERE: Runs(seconds=[0.004])},
        "c": {"old": Runs(trouble="timeout"), HERE: Runs(seconds=[1.0])},
    }
    lines = report(table, {"old": "0.1", HERE: "0.2"}, 20).splitlines()
    assert lines[-4:] == [
        "| geometric mean | ×2.00 (1) |  |",
        "| a | 2.000 (×2.00) | 1.000 |",
        "| b | 0.001 (×0.25) | 0.004 |",
        "| c | `>` | 1.000 |",
    ]
