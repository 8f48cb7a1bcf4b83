"""What strangers send leads to a verdict or a message: a share of `tests.fuzz.hostile`, always the same one."""

from __future__ import annotations

import random

import pytest

from tests.fuzz import hostile
from tests.fuzz.hostile import KINDS, Found, lead, mixed, watch, wrong

pytestmark = pytest.mark.long

pytest.importorskip("openpyxl", reason="needs openpyxl")
pytest.importorskip("pygls", reason="needs pygls")
pytest.importorskip("starlette", reason="needs covr[studio]")

EACH = 5  # cases of each kind: a hundredth of what a minute of `tests.fuzz.hostile` leads


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_damaged_leads_to_a_verdict_or_a_message(kind: str) -> None:
    for number in range(EACH):
        lead(number, kind)


def test_what_must_not_be_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mistake in covr is a find, whether the command reports it or it is raised, and so is a process that ends."""

    def mistaken(*_: object) -> None:
        raise KeyError("not there")

    monkeypatch.setattr("covr.runs.recorded.read_contents", mistaken)
    with pytest.raises((Found, KeyError)):
        for number in range(9):
            lead(number, "run_file")
    monkeypatch.undo()
    monkeypatch.setattr(hostile.sys, "executable", "/bin/false")
    led, found = watch(0.05, 1, None)
    assert not led
    assert found[0].startswith("case 1000000: the process was ended")


def test_cases_can_be_made_again() -> None:
    data, value = bytes(range(100)), {"a": [1, {"b": None}], "c": "d"}
    for seed in range(50):
        assert mixed(random.Random(seed), data, data) == mixed(random.Random(seed), data, data)
        assert repr(wrong(random.Random(seed), value)) == repr(wrong(random.Random(seed), value))
    assert len({mixed(random.Random(seed), data, data) for seed in range(50)}) > 40
