"""The rules of clues, switched: what is thought of them is what compiling says; and an answer is the only one by
switches exactly if it is by the oracle, asked of the model compiled with these clues."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import covr
from covr.compiler.clues import clue_spots, standing_clues, with_clues, without_clues
from covr.puzzles.clue_question import ClueRivals
from covr.puzzles.clue_rules import ClueSingles
from covr.puzzles.clue_switches import CONFIRMATIONS, ClueSwitches, SwitchedRules
from tests.covr.puzzles.by_cpsat import answers_by_cpsat
from tests.covr.puzzles.clue_kinds import COUNTED, KINDS, MIXED, Kind, blank

pytest.importorskip("clingo", reason="switches are those of clingo")
pytest.importorskip("ortools", reason="the law is held by CP-SAT")


@pytest.mark.parametrize("name", KINDS)
def test_switches_say_what_compiling_says(name: str) -> None:
    kind, rng = Kind(name), Random(name)
    for seed in range(4):
        answer = kind.drawn(seed)
        told = kind.reader.clue_values(answer)
        rules = kind.switches.of(told)
        assert isinstance(rules, SwitchedRules)
        rivals = ClueRivals(rules, answer, kind.switches.names, lambda: False)
        clues = [at for at, value in enumerate(told) if value is not None]
        for _ in range(5):
            some = frozenset(rng.sample(clues, rng.randint(len(clues) // 2, len(clues))))
            given = [value if at in some else None for at, value in enumerate(told)]
            compiled = kind.with_clues(given)
            assert rules.predicts(some, kind.switches.names.read(compiled))
            only = answers_by_cpsat(compiled.problem) == 1
            rival = rivals.other(some, None)
            assert rivals.settled
            assert (rival is None) == only
            if rival is None:
                assert rivals.core <= some
                assert rivals.other(rivals.core, None) is None


@pytest.mark.parametrize("name", MIXED)
def test_single_clues_say_what_compiling_says_of_several(name: str) -> None:
    kind, rng = Kind(name), Random(name)
    singles = ClueSingles(kind.switches.blank, kind.switches.read)
    seen = set()
    for seed in range(16):
        answer = kind.drawn(seed)
        told = kind.reader.clue_values(answer)
        rivals = ClueRivals(singles.of(told), answer, kind.switches.names, lambda: False)
        clues = [at for at, value in enumerate(told) if value is not None]
        for _ in range(5):
            some = frozenset(rng.sample(clues, rng.randint(len(clues) // 3, len(clues))))
            compiled = kind.with_clues([value if at in some else None for at, value in enumerate(told)])
            rival = rivals.other(some, None)
            assert rivals.settled and (rival is None) == (answers_by_cpsat(compiled.problem) == 1)
            seen.add(rival is None)
        before = kind.compiled
        singles.of(told)
        assert kind.compiled == before, "each clue is compiled once"
    assert seen == {True, False}


def test_a_model_is_compiled_once_for_clues_that_are_known() -> None:
    kind = Kind("slitherlink")
    for seed in range(12):
        assert kind.switches.of(kind.reader.clue_values(kind.drawn(seed))) is not None
    before = kind.compiled
    told = kind.reader.clue_values(kind.drawn(3))
    assert kind.switches.of(told) is not None
    assert kind.compiled == before


def test_rows_whose_options_belong_to_clues_change_with_these_clues() -> None:
    kind, rng = Kind("nonogram", {"rows": ["?"] * 7, "columns": ["?"] * 7}), Random(0)
    several = [kind.reader.clue_values(kind.drawn(seed)) for seed in range(6)]
    counts = []
    for told in [*several, *several]:
        before = kind.compiled
        rules = kind.switches.of(told)
        assert isinstance(rules, SwitchedRules)
        counts.append(kind.compiled - before)
        for share in (1, 2, 3):
            some = frozenset(rng.sample(range(len(told)), len(told) // share))
            compiled = kind.with_clues([value if at in some else None for at, value in enumerate(told)])
            assert rules.predicts(some, kind.switches.names.read(compiled))
    assert counts[1:] == [1] * 5 + [0] * 6, "new values are seen in one model, and those that were met in none"


def test_a_clue_takes_away_the_choices_of_its_square_though_their_numbers_name_another() -> None:
    """`is((3, 1), 2)` names the squares (3, 1) and (1, 2); and "at least 0" ends where the choices that are left do."""
    kind, rng = Kind("fillomino", {"clue": blank(4, 4), "most": 4}), Random(0)
    for seed in range(3):
        told = kind.reader.clue_values(kind.drawn(seed))
        rules = kind.switches.of(told)
        assert isinstance(rules, SwitchedRules)
        for _ in range(4):
            some = frozenset(rng.sample(range(len(told)), rng.randint(0, len(told))))
            compiled = kind.with_clues([value if at in some else None for at, value in enumerate(told)])
            assert rules.predicts(some, kind.switches.names.read(compiled))
        assert any(cause.without for cause in rules.options.values())


def test_causes_that_foretell_a_model_are_not_looked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    kind, looks, apart = Kind("slitherlink"), [], ClueSwitches._apart

    def looked(self: ClueSwitches, *seen: Any) -> Any:
        looks.append(len(seen[0]))
        return apart(self, *seen)

    monkeypatch.setattr(ClueSwitches, "_apart", looked)
    assert kind.switches.of(kind.reader.clue_values(kind.drawn(0))) is not None
    assert kind.compiled == looks[-1] - 1 + CONFIRMATIONS


TANGLED = '''
param told = grid(2, 2) """...."""
cells r, c in 1..2
choose f(r, c)
choose g(r)
exactly {size(told) mod 2, 2} f per r where r <= 2
clue told[i, j] = count of f where r = i for i in 1..2, j in 1..2
'''


def test_rules_that_no_clues_own_have_no_switches_and_the_model_is_asked_itself() -> None:
    model = covr.loads(TANGLED)
    compiled = model.compiled
    spots = clue_spots(compiled)
    bare = compiled.with_data(without_clues(compiled, spots))
    switches = ClueSwitches(spots, bare, lambda told: compiled.with_data(with_clues(compiled, spots, told)))
    assert switches.of([2, 2, 2, 2]) is None


def test_what_only_all_clues_do_together_is_left_to_the_model() -> None:
    model = covr.loads(COUNTED)
    compiled, spots = model.compiled, clue_spots(model.compiled)
    puzzles = model.make(4, seed=1)
    assert len(puzzles) == 4
    for puzzle in puzzles:
        told = standing_clues(puzzle.compiled, spots)
        assert answers_by_cpsat(puzzle.compiled.problem) == 1
        for at, value in enumerate(told):
            fewer = [None if k == at else other for k, other in enumerate(told)]
            problem = compiled.with_data(with_clues(compiled, spots, fewer)).problem
            assert value is None or answers_by_cpsat(problem) != 1


def test_the_same_seed_makes_the_same_puzzles_again() -> None:
    model = covr.load("akari")
    assert [p.record for p in model.make(3, seed=5)] == [p.record for p in model.make(3, seed=5)]
