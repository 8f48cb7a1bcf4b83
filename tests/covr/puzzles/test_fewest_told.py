"""The fewest clues that rules read, against all sets of clues of small boards: no smaller one leaves one answer, by
CP-SAT, asked of the model compiled with these clues; and by every way in which they are looked for."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from random import Random
from typing import Any

import pytest

import covr
from covr.compiler import Compiled
from covr.compiler.clues import ClueReader, clue_spots, standing_clues, with_clues, without_clues
from covr.compiler.evaluate.values import Value
from covr.engine.base.limits import Limits, Status
from covr.engine.puzzles.puzzle_attempts import Attempt, AttemptOutcome
from covr.puzzles import clue_maker
from covr.puzzles.clue_maker import ClueMaker
from covr.puzzles.clue_question import ClueQuestion, FewestDataClues
from covr.puzzles.made_puzzle import Wish
from covr.puzzles.making import MakeRun
from covr.questions.options import Options
from tests.covr.puzzles.by_cpsat import answers_by_cpsat
from tests.covr.puzzles.clue_kinds import COUNTED, blank

pytest.importorskip("ortools", reason="the law is held by CP-SAT")
pytest.importorskip("clingo", reason="answers are drawn by clingo")


def board(seed: int) -> str:
    """A small akari with random black squares."""
    rng = Random(seed)
    return "\n".join("".join(rng.choice("...#") for _ in range(4)) for _ in range(3))


SMALL: dict[str, tuple[str, dict[str, Any]]] = {
    "slitherlink": ("slitherlink", {"clue": blank(2, 3)}),
    "akari 1": ("akari", {"board": board(1)}),
    "akari 2": ("akari", {"board": board(2)}),
    "nonogram": ("nonogram", {"rows": ["?"] * 4, "columns": ["?"] * 3}),
    "kuromasu": ("kuromasu", {"clue": blank(3, 3)}),
    "minesweeper": ("minesweeper", {"clue": blank(3, 3)}),
    "tapa": ("tapa", {"clue": blank(3, 3)}),
}


def fewest(compiled: Compiled, number: int, symmetry: str | None = None) -> Attempt:
    """An attempt at a puzzle with the fewest clues."""
    maker = ClueMaker(compiled, Limits(), Options().settings(), 11, Wish(fewest=True, symmetry=symmetry))
    return maker.attempt(number)


class Sets:
    """All sets of clues of an answer."""

    def __init__(self, compiled: Compiled, made: Attempt) -> None:
        self._compiled, self._spots = compiled, clue_spots(compiled)
        reader = ClueReader(compiled.with_data(without_clues(compiled, self._spots)), self._spots)
        self.told: Sequence[Value | None] = reader.clue_values(made.answer)
        self.clues = [at for at, value in enumerate(self.told) if value is not None]

    def enough(self, clues: Sequence[int]) -> bool:
        told = [value if at in clues else None for at, value in enumerate(self.told)]
        return answers_by_cpsat(self._compiled.with_data(with_clues(self._compiled, self._spots, told)).problem) == 1

    def least(self) -> int:
        """How many clues are enough."""
        return next(n for n in range(len(self.clues) + 1) if any(map(self.enough, combinations(self.clues, n))))


def hold(compiled: Compiled, number: int) -> None:
    """The law for one attempt."""
    made = fewest(compiled, number)
    if made.outcome is not AttemptOutcome.MADE:
        return
    sets = Sets(compiled, made)
    assert made.status is Status.SOLVED and made.minimal
    assert sets.enough(made.clues)
    assert len(made.clues) == made.bound == sets.least()


@pytest.mark.parametrize("name", SMALL)
def test_no_smaller_set_of_clues_leaves_one_answer(name: str) -> None:
    kind, data = SMALL[name]
    hold(covr.load(kind, **data).compiled, 0)


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_nor_does_any_of_many(name: str) -> None:
    kind, data = SMALL[name]
    compiled = covr.load(kind, **data).compiled
    for number in range(1, 6):
        hold(compiled, number)


@pytest.mark.parametrize("name", ["slitherlink", "nonogram", "kuromasu"])
def test_nor_without_switches(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clue_maker.clingo, "INSTALLED", False)
    kind, data = SMALL[name]
    hold(covr.load(kind, **data).compiled, 0)


@pytest.mark.parametrize("name", ["slitherlink", "minesweeper"])
def test_nor_where_switches_call_everything_enough(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ClueQuestion, "_other", lambda *_: None)
    monkeypatch.setattr(ClueQuestion, "switched_out", lambda *_: [])
    kind, data = SMALL[name]
    hold(covr.load(kind, **data).compiled, 0)


@pytest.mark.parametrize("name", ["slitherlink", "akari 1", "tapa"])
def test_nor_where_the_model_alone_is_asked(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FewestDataClues, "_plain", property(lambda _: True, lambda *_: None), raising=False)
    kind, data = SMALL[name]
    hold(covr.load(kind, **data).compiled, 0)


TOGETHER = """
param told = grid(1, 5, ".....")
let many = size(told)
choose f(i, k) for i in 1..5, k in 1..3
exactly one f per i in 1..5
at most (if many >= 2 then 0 else 5) f per k in {3}
at most (if many >= 3 then 1 else 5) f per k in {2}
exactly one f per (r, i) in told where k = told[r, i]
clue told[r, i] = k of f for (r, i) in frame(told)
"""


@pytest.mark.parametrize("text", [COUNTED, TOGETHER])
def test_nor_where_clues_say_more_together_than_each_by_itself(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = covr.loads(text).compiled
    plain = []
    run = FewestDataClues.run
    monkeypatch.setattr(FewestDataClues, "run", lambda search: (run(search), plain.append(search._plain))[0])
    for number in range(40):  # of the answers that are drawn, few are answers with all of their clues
        hold(compiled, number)
        if len(plain) == 2:
            break
    assert True in plain or text == COUNTED


def test_symmetric_clues_are_the_fewest_of_their_pattern() -> None:
    compiled = covr.load("minesweeper", clue=blank(3, 3)).compiled
    for number in range(4):
        made = fewest(compiled, number, "rotate")
        if made.outcome is not AttemptOutcome.MADE:
            continue
        sets = Sets(compiled, made)
        pairs = {tuple(sorted({at, 8 - at})) for at in sets.clues if 8 - at in sets.clues}
        enough = [
            size
            for many in range(len(pairs) + 1)
            for some in combinations(sorted(pairs), many)
            if (size := sum(map(len, some))) <= len(made.clues) and sets.enough([at for pair in some for at in pair])
        ]
        assert min(enough) == len(made.clues) == made.bound


def test_such_puzzles_say_what_is_proved_and_a_limit_keeps_the_best() -> None:
    model = covr.load("slitherlink", clue=blank(4, 4))
    run = MakeRun(model.compiled, Options(seed=3, jobs=1), Wish(fewest=True), 2)
    puzzles = list(run.puzzles())
    assert run.status is Status.SOLVED and len(puzzles) == 2
    for puzzle in puzzles:
        assert puzzle.proved and answers_by_cpsat(puzzle.compiled.problem) == 1
        spots = clue_spots(model.compiled)
        told = standing_clues(puzzle.compiled, spots)
        for at in [at for at, value in enumerate(told) if value is not None]:
            fewer = [None if k == at else value for k, value in enumerate(told)]
            assert answers_by_cpsat(model.compiled.with_data(with_clues(model.compiled, spots, fewer)).problem) != 1
    assert model.make(2, seed=3, fewest=True)[1].record == puzzles[1].record
    nodes = run.counters.nodes
    stopped = set()
    for share in range(1, 20, 3):
        run = MakeRun(model.compiled, Options(seed=3, limit_nodes=nodes * share // 40), Wish(fewest=True), 1)
        for puzzle in run.puzzles():
            assert answers_by_cpsat(puzzle.compiled.problem) == 1
            assert puzzle.bound is not None and puzzle.bound <= len(puzzles[0]) <= len(puzzle)
            stopped.add(puzzle.proved)
    assert False in stopped
