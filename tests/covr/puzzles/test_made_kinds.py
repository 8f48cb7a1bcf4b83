"""Puzzles whose clues rules read, of every kind of the gallery: each has exactly one answer, and loses that when any
clue goes, by CP-SAT, which took no part in making it; and it reads back from its text."""

from __future__ import annotations

import pytest

import covr
from covr.compiler import Compiled, FromText
from covr.compiler.clues import ClueReader, clue_spots, standing_clues, with_clues, without_clues
from covr.dsl.diagnostics import ModelErrors, Source
from covr.dsl.format import unmade
from covr.engine.base.limits import Limits, Status
from covr.engine.dispatch import search
from covr.engine.settings import Settings
from covr.inputs.library import gallery_files
from covr.puzzles.clue_question import ClueQuestion
from covr.puzzles.made_puzzle import MadePuzzle, contradicted_clues
from tests.covr.puzzles.by_cpsat import answers_by_cpsat

pytest.importorskip("ortools", reason="the law is held by CP-SAT")
pytest.importorskip("clingo", reason="answers are drawn by clingo")

TEXTS = {name: path.read_text(encoding="utf-8") for name, path in gallery_files().items()}
LAYOUTS = {name for name, path in gallery_files().items() if path.parent.name == "layouts"}  # see test_layouts.py
TOLD = [name for name, text in TEXTS.items() if "\nclue " in text and name not in LAYOUTS]
QUICK = ("akari", "kakurasu", "tents")
AGREEING = ("mid_loop", "skyscrapers")  # once they did not
# Params without which the model without clues is too large, or has no end.
NEEDS = {"fillomino": {"most": 4}, "symmetry_area": {"most": 4}}
SEEDS = 50  # puzzles of each kind in the slow tests
SECONDS = 20.0  # for each puzzle


def hold(original: Compiled, puzzle: MadePuzzle) -> None:
    """The law for one puzzle."""
    made = puzzle.compiled
    assert answers_by_cpsat(made.problem) == 1
    spots = clue_spots(original)
    told = standing_clues(made, spots)
    assert len(puzzle) == sum(value is not None for value in told)
    for at, value in enumerate(told):
        if value is not None:
            fewer = [None if k == at else other for k, other in enumerate(told)]
            assert answers_by_cpsat(original.with_data(with_clues(original, spots, fewer)).problem) != 1, spots[at]
    assert not contradicted_clues(made)
    assert puzzle.data, "it reads back"
    again = original.with_data({name: FromText(text, name, plain=True) for name, text in puzzle.data.items()})
    assert again.problem == made.problem


@pytest.mark.parametrize("name", QUICK)
def test_a_made_puzzle_has_one_answer_and_no_clue_too_many(name: str) -> None:
    model = covr.load(name)
    (puzzle,) = model.make(1, seed=7)
    hold(model.compiled, puzzle)
    assert len(puzzle) > 0 and puzzle.minimal
    assert model.make(1, seed=7)[0].record == puzzle.record


@pytest.mark.slow
@pytest.mark.parametrize("name", TOLD)
def test_so_does_every_puzzle_of_every_kind(name: str) -> None:
    model = covr.load(name, **NEEDS.get(name, {}))
    for seed in range(SEEDS):
        try:
            for puzzle in model.make(1, seed=seed, limit_time=SECONDS):
                hold(model.compiled, puzzle)
        except ModelErrors as error:
            assert error.diagnostics[0].code == "E515"
            return


def test_most_kinds_can_be_made_and_the_others_say_why() -> None:
    assert len(TOLD) > 100
    reasons = {name: unmade(Source(name, text)) for name, text in TEXTS.items() if "covr: unmade" in text}
    refused = {name for name, reason in reasons.items() if reason}
    assert not refused & set(TOLD)
    for name in sorted(refused)[::4]:
        with pytest.raises(ModelErrors) as caught:
            covr.load(name).make(1)
        assert caught.value.diagnostics[0].code == "E515" and reasons[name] in caught.value.diagnostics[0].message


@pytest.mark.parametrize("name", ["akari", "yinyang"])
def test_clues_stand_symmetrically_if_they_are_to(name: str) -> None:
    model = covr.load(name)
    for puzzle in model.make(1, seed=3, symmetry="rotate"):
        places = {clue.args[:2] for clue in puzzle.clues}
        high, wide = max(model.compiled.scope.value("board" if name == "akari" else "clue").shape for _ in [0])
        assert places == {(high + 1 - r, wide + 1 - c) for r, c in places}


def test_a_limit_keeps_what_was_made() -> None:
    puzzles = covr.load("akari").make(300, seed=2, limit_nodes=3_000)
    assert 0 < len(puzzles) < 300


@pytest.mark.parametrize("name", [pytest.param(n, marks=() if n in AGREEING else pytest.mark.slow) for n in TOLD])
def test_an_answer_with_all_its_clues_as_data_is_still_one(name: str) -> None:
    """Else a `clue` says something else than the rule that reads it."""
    model = covr.load(name, **NEEDS.get(name, {})).compiled
    spots = clue_spots(model)
    blank = model.with_data(without_clues(model, spots))
    for seed in range(3):
        drawn = search(blank.problem, limits=Limits(answers=1), settings=Settings(engine="clingo", seed=seed))
        told = ClueReader(blank, spots).clue_values(next(drawn))
        whole = model.with_data(with_clues(model, spots, told))
        run = search(whole.problem, limits=Limits(answers=1, seconds=SECONDS))
        assert next(run, None) is not None or run.status is Status.LIMIT, seed


def test_what_switches_say_of_all_clues_is_asked_of_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """Switches that call every set of clues enough change nothing of what a puzzle is."""
    monkeypatch.setattr(ClueQuestion, "apart_switched", lambda *_: None)
    monkeypatch.setattr(ClueQuestion, "switched_out", lambda *_: [])
    model = covr.load("kakurasu")
    for puzzle in model.make(2, seed=1):
        hold(model.compiled, puzzle)
