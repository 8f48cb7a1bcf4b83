"""Making puzzles stops soon wherever it is, and leaves nothing half done. The clock of these tests is how often limits
are looked at, and how many functions are called from one look to the next."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import pytest

import covr
from covr.engine.base.limits import LimitReached, Status, limits_checked_by
from covr.engine.puzzles.clues import Uniqueness
from covr.puzzles.clue_question import ClueRivals
from covr.puzzles.clue_rules import ClueSingles
from covr.puzzles.clue_switches import SwitchedRules
from covr.puzzles.made_puzzle import Wish
from covr.puzzles.making import MakeRun
from covr.questions.options import Options
from tests.covr.puzzles.clue_kinds import Kind, blank

pytest.importorskip("clingo", reason="switches are those of clingo")

CALLS = 150_000  # functions that are called between two looks at the limits, at most: a tenth of a second


class Looks:
    """Counts looks at the limits, and says to stop at one of them. longest: the most functions that were called from
    one look to the next."""

    def __init__(self, stop_at: int | None = None) -> None:
        self.many = self.calls = self.longest = 0
        self._stop_at = stop_at

    def __call__(self) -> Status | None:
        self.many += 1
        self.longest = max(self.longest, self.calls)
        self.calls = 0
        return Status.LIMIT if self._stop_at is not None and self.many >= self._stop_at else None

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Within this context calls of functions are counted."""

        def call(_: FrameType, event: str, __: object) -> None:
            self.calls += event in ("call", "c_call")

        sys.setprofile(call)
        try:
            yield
        finally:
            sys.setprofile(None)
            self.longest = max(self.longest, self.calls)


def rules_of(kind: Kind) -> Callable[[], SwitchedRules | None]:
    told = kind.reader.clue_values(kind.drawn(1))
    return lambda: kind.switches.of(told)


def singles_of(kind: Kind) -> Callable[[], SwitchedRules | None]:
    told = kind.reader.clue_values(kind.drawn(1))
    singles = ClueSingles(kind.switches.blank, kind.switches.read)
    return lambda: singles.of(told)


LARGE = {"slitherlink": {"clue": blank(6, 6)}, "kuromasu": {"clue": blank(5, 5)}, "hashi": {}}


@pytest.mark.parametrize("name", LARGE)
@pytest.mark.parametrize("of", [rules_of, singles_of])
def test_limits_are_looked_at_all_along(name: str, of: Callable[[Kind], Callable[[], SwitchedRules | None]]) -> None:
    kind, looks = Kind(name, LARGE[name]), Looks()
    told_rules, answer = of(kind), kind.drawn(1)
    with limits_checked_by(looks), looks.timed():
        rules = told_rules()
        if rules is not None:
            ClueRivals(rules, answer, kind.switches.names, lambda: False)
    assert looks.longest < CALLS


@pytest.mark.parametrize("name", ["slitherlink", "nonogram", "yinyang"])
def test_what_is_stopped_anywhere_leaves_nothing_half_done(name: str) -> None:
    looks = Looks()
    told_rules = rules_of(Kind(name))
    with limits_checked_by(looks):
        expected = told_rules()
    for stop_at in range(1, looks.many, max(looks.many // 5, 1)):
        told_rules = rules_of(Kind(name))
        with pytest.raises(LimitReached), limits_checked_by(Looks(stop_at)):
            told_rules()
        found = told_rules()
        if expected is None:
            assert found is None
            continue
        assert found is not None
        assert found.options == expected.options
        rows = [Counter((*c.terms, cause) for c, cause in rules.rows.values()) for rules in (found, expected)]
        assert rows[0] == rows[1]


MADE = {
    "slitherlink": {"clue": blank(4, 4)},
    "nonogram": {"rows": ["?"] * 5, "columns": ["?"] * 5},
    "sudoku": {"box": 2, "clue": "." * 16},
}


@pytest.mark.parametrize("name", MADE)
def test_puzzles_that_are_made_stay_wherever_it_is_stopped(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = covr.load(name, **MADE[name]).compiled
    stop = Uniqueness.stop
    looks = Looks()

    def counted(asked: Uniqueness) -> Status | None:
        return looks() or stop(asked)

    monkeypatch.setattr(Uniqueness, "stop", counted)
    made = [puzzle.record for puzzle in MakeRun(compiled, Options(seed=2, jobs=1), Wish(), 3).puzzles()]
    assert len(made) == 3
    kept = set()
    for stop_at in range(1, looks.many, max(looks.many // 8, 1)):
        looks = Looks(stop_at)
        run = MakeRun(compiled, Options(seed=2, jobs=1), Wish(), 3)
        some = [puzzle.record for puzzle in run.puzzles()]
        assert run.status is Status.LIMIT
        assert some == made[: len(some)]
        assert looks.many <= stop_at + 1, "nothing is done once it is to stop"
        kept.add(len(some))
    assert kept == {0, 1, 2}
