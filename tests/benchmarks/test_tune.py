"""Shares are changed where they pay on both sets, and the data file keeps what was found."""

from __future__ import annotations

import pytest

from benchmarks import tune
from covr.engine import minimum, portfolio  # noqa: F401
from covr.engine.minimum import cover, mixed
from covr.engine.priors import SHARES

TABLES = {"first answers": portfolio.REASONS, "best values": mixed.REASONS, "covers": cover.REASONS}


def test_each_row_has_a_share_and_a_reason() -> None:
    assert {table: set(rows) for table, rows in SHARES.items()} == {name: set(why) for name, why in TABLES.items()}


def test_the_file_is_written_as_it_stands() -> None:
    text = tune.FILE.read_text("utf-8")
    assert tune.written(text, SHARES) == text
    changed = tune.written(text, {**SHARES, "covers": {**SHARES["covers"], "branch and bound": 1 / 16}})
    assert '"branch and bound": 1 / 16,' in changed and changed.count("\n") == text.count("\n")


class Asked(tune.Asked):
    """Questions whose work is a function of the shares."""

    def again(self) -> tuple[float, ...]:
        return tuple(b * WORKS[len(self.base)](SHARES["two"]) for b in self.base)


WORKS = {1: lambda rows: 8 / rows["a"], 2: lambda rows: 8 / rows["a"] if rows["a"] < 32 else 2}


@pytest.mark.parametrize("pays", [True, False])
def test_a_share_that_pays_on_both_sets_is_changed(monkeypatch: pytest.MonkeyPatch, pays: bool) -> None:
    monkeypatch.setitem(SHARES, "two", {"a": 8.0 if pays else 16.0, "b": 0.0})
    base = (1e9 * WORKS[1](SHARES["two"]),)
    said: list[str] = []
    learn, check = tune.tuned("two", Asked((), base), Asked((), base * 2), said.append)
    assert SHARES["two"] == {"a": 16.0, "b": 0.0}
    assert any("checked" in line for line in said)
    assert (learn.base < base) == (check.base < base * 2) == pays


def test_the_sets_share_no_question() -> None:
    learn, check = ({q.name for q in tune.questions(half)} for half in (0, 1))
    assert learn and check and not learn & check
