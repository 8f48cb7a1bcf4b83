"""Moves to answers whose clues leave less open: what is open is what listing all answers with these clues tells;
guessed rules are those that compiling tells; and where moves lead to is the only answer, by CP-SAT."""

from __future__ import annotations

from random import Random

import pytest

import covr
from covr.compiler.clues import with_clues
from covr.engine.base.limits import Limits
from covr.engine.dispatch import search
from covr.engine.settings import Settings
from covr.puzzles.clue_maker import ClueMaker, ClueMoves
from covr.puzzles.clue_rules import GuessedRules
from covr.puzzles.made_puzzle import Wish
from tests.covr.puzzles.by_cpsat import answers_by_cpsat
from tests.covr.puzzles.clue_kinds import KINDS, MIXED, Kind

pytest.importorskip("clingo", reason="moves are made by clingo")
pytest.importorskip("ortools", reason="the law is held by CP-SAT")

KAKURO = {
    "across": "#####\n#..##\n#...#\n##...\n###..",
    "down": ".....\n.....\n.....\n.....\n.....",
}


def moves(kind: Kind) -> tuple[ClueMoves, GuessedRules]:
    guessed = GuessedRules(kind.rules)
    return ClueMoves(
        kind.blank.problem, guessed.of, kind.switches.names, kind.reader.clue_values, lambda: False
    ), guessed


@pytest.mark.parametrize("name", [name for name in [*KINDS, *MIXED] if name not in ("kakuro", "hashi")])
def test_what_is_open_is_what_some_answer_with_the_same_clues_takes(name: str) -> None:
    kind = Kind(name)
    asked, _ = moves(kind)
    for seed in range(3):
        answer = kind.drawn(seed)
        compiled = kind.with_clues(kind.reader.clue_values(answer))
        same = list(search(compiled.problem, limits=Limits(answers=20_000)))
        numbers = {name: o for o, name in enumerate(kind.switches.names.names)}
        taken = {numbers.get((c.family, c.args)) for own in same for c in compiled.choices(own)}
        found = asked.open(answer)
        assert found is not None
        assert found == {o for o in taken if o is not None and o < kind.blank.problem.options} - set(answer)


@pytest.mark.parametrize("name", ["kakuro", "minesweeper", "slitherlink", "akari"])
def test_guessed_rules_are_those_of_the_model(name: str) -> None:
    kind = Kind(name)
    guessed = GuessedRules(kind.rules)
    compiled = []
    for seed in range(12):
        told = kind.reader.clue_values(kind.drawn(seed))
        before = kind.compiled
        rules = guessed.of(told)
        assert rules is not None
        compiled.append(kind.compiled - before)
        clues = frozenset(at for at, value in enumerate(told) if value is not None)
        assert rules.predicts(clues, kind.switches.names.read(kind.with_clues(told)))
    if name != "minesweeper":  # whose mines have no clues, so that others are met each time
        assert sum(compiled[4:]) <= 4, "most values are guessed"


def test_moves_lead_to_an_answer_that_is_the_only_one() -> None:
    model = covr.load("kakuro", **KAKURO).compiled
    maker = ClueMaker(model, Limits(), Settings(), 1, Wish())
    reached = 0
    for seed in range(3):
        rules = maker._rules
        assert rules is not None
        rules.begin(0)
        assert rules.names is not None
        asked = ClueMoves(
            maker.asked.problem, GuessedRules(rules.of).of, rules.names, maker.reader.clue_values, lambda: False
        )
        first = next(search(maker.asked.problem, limits=Limits(answers=1)))
        answer = asked.only(first, Random(seed), 300)
        told = maker.reader.clue_values(answer)
        only = answers_by_cpsat(model.with_data(with_clues(model, maker.spots, told)).problem) == 1
        assert only == (asked.open(answer) == frozenset())
        reached += only
    assert reached >= 2


def test_the_same_seed_makes_the_same_kakuro() -> None:
    model = covr.load("kakuro", **KAKURO)
    made = [model.make(1, seed=4) for _ in range(2)]
    assert [p.record for p in made[0]] == [p.record for p in made[1]]
    for puzzle in made[0]:
        assert answers_by_cpsat(puzzle.compiled.problem) == 1
