"""The comparison of files with other programs: what it asks, and how it reads what they say."""

from __future__ import annotations

from benchmarks.formats import SMALL, Reading, agrees, answered, cheapest, counted, said, small, valued
from covr.compiler.formats.dlx import write_dlx
from covr.engine import Total
from tests.engine.problems import brute


def test_the_small_problems_need_every_word_of_the_formats() -> None:
    problems = [small(seed) for seed in range(SMALL)]
    assert sum(bool(p.colours) for p in problems) > 5 and sum(bool(p.given) for p in problems) > 2
    assert sum(bool(p.costs) for p in problems) > 20 and sum(max(p.high) > 1 for p in problems) > 5
    assert sum(any(isinstance(side, Total) for side in p.sides) for p in problems) == SMALL // 5
    assert sum("DLX2" in next(iter(write_dlx(p))) for p in problems if not p.sides) > 8
    assert 2 < sum(not brute(p) for p in problems if not p.sides) < 30


def test_what_programs_say_is_understood() -> None:
    assert counted(r"Altogether (\d+) solution")("Altogether 12 solutions, 3 mems") == Reading(answers=12)
    assert counted(r"Altogether (\d+) solution")("Item name too long!") is None
    assert cheapest("Altogether 1 solution\nThe optimum cost is $5") == Reading(value=5)
    assert cheapest("Altogether 0 solutions") == Reading(value=None)
    assert said("a banner\nfound 7.0\n") == Reading(value=7) and said("found none") == Reading(value=None)
    assert said("found refused RuntimeError()") is None and said("") is None
    assert answered("{1}\n----------\n{2}\n----------\n==========") == Reading(answers=2)
    assert answered("=====UNSATISFIABLE=====") == Reading(0, None)
    objective = valued(r"Objective:\s+\S+ = (-?[\d.]+)")
    assert objective("Objective:  obj = 11 (MINimum)") == Reading(value=11)
    assert objective("PROBLEM HAS NO INTEGER FEASIBLE SOLUTION") == Reading(value=None)


def test_what_is_not_known_agrees_and_no_answer_is_known() -> None:
    wanted = Reading(3, 5)
    assert agrees(Reading(answers=3), wanted, 0) and not agrees(Reading(answers=2), wanted, 0)
    assert agrees(Reading(value=4.0), wanted, 1) and not agrees(Reading(value=None), wanted, 0)
    assert agrees(Reading(0, None), Reading(0, None), 0) and not agrees(Reading(value=0), Reading(0, None), 0)
