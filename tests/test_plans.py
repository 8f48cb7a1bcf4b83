"""The gallery's plans: their tables, and their best values by CP-SAT, told from the tables, not from covr's matrix."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from benchmarks import _work_cpsat as programs
from covr.api.gallery import SMALLER
from covr.api.model import load
from covr.inputs.library import gallery_files
from tests.covr.command import Covr, covr
from tests.plans import BY_HAND, FILES, FOLDER, text_of

__all__ = ["covr"]

needs_cpsat = pytest.mark.skipif(importlib.util.find_spec("ortools") is None, reason="the second opinion is OR-Tools'")
PLANS = ("nurses", "exams", "timetable", "duties", "tournament", "stand_ins")
MOST_LINES = 25  # of a model, without comments
QUICK = ("tournament", "stand_ins", "duties")  # CP-SAT takes seconds for the others, and minutes on a busy machine


@needs_cpsat
@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in PLANS]
)
def test_the_best_value_is_that_of_a_program_written_from_the_tables(name: str) -> None:
    model = load(name, **SMALLER.get(name, {}))
    answer = model.solve(jobs=1)
    assert answer is not None and answer.proved
    assert {e.value for e in model.compiled.expectations if e.settings == SMALLER.get(name, {})} == {answer.cost}
    program = getattr(programs, name)(**SMALLER.get(name, {}))
    values, proved, _ = program.best()
    assert proved and values == (answer.costs or (answer.cost,))


@pytest.mark.parametrize("name", FILES)
def test_a_table_is_what_its_generator_writes(name: str) -> None:
    assert (FOLDER / name).read_text(encoding="utf-8") == text_of(name)


def test_every_table_is_read_by_a_plan() -> None:
    files = [*FILES, *BY_HAND]
    assert sorted(path.name for path in FOLDER.glob("*.csv")) == sorted(files)
    text = "".join(gallery_files()[name].read_text(encoding="utf-8") for name in PLANS)
    assert all(f'table("{name}")' in text for name in files)


@pytest.mark.parametrize("name", PLANS)
def test_a_plan_is_short(name: str) -> None:
    lines = gallery_files()[name].read_text(encoding="utf-8").splitlines()
    assert sum(bool(line.strip()) and not line.startswith("#") for line in lines) < MOST_LINES


def test_a_copy_of_a_plan_brings_its_tables_and_overwrites_none(covr: Covr) -> None:
    Path("tournament_roads.csv").write_text("mine", encoding="utf-8")
    assert covr("new", "cup", "--like", "tournament").exit_code == 0
    assert Path("tournament_roads.csv").read_text(encoding="utf-8") == "mine"
    said = covr("new", "mine", "--like", "stand_ins").stdout
    assert "wrote stand_ins.csv, a table that it reads\n" in said
    assert Path("stand_ins.csv").read_bytes() == (FOLDER / "stand_ins.csv").read_bytes()
    assert covr("check", "mine.cover").stdout == "mine.cover: no errors\n"


def test_the_text_of_a_plan_needs_no_folder(covr: Covr) -> None:
    """In the studio, or from a pipe, there is none: tables that ship with covr are found by their names alone."""
    text = gallery_files()["stand_ins"].read_text(encoding="utf-8")
    assert covr("check", "-", input=text).exit_code == 0
    assert "E333" in covr("check", "-", input=text.replace("stand_ins.csv", "nobody.csv")).stderr
