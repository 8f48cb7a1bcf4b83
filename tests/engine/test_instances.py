"""Published problems in Knuth's and the OR-Library's formats; the files are no part of the repository."""

from __future__ import annotations

from functools import cache

import pytest

from covr.compiler.formats import read_dlx, read_scp
from covr.compiler.formats.json_text import read_json
from covr.engine import Limits, Problem, Settings, Status, check, cost, count, search
from tests.engine.engines import by
from tests.shared import SHARED, needs_shared

FILES = SHARED / "instances"
pytestmark = [pytest.mark.long, needs_shared]

SOLUTIONS = {
    "pent-8x8c": 520,
    "pent-3x20": 8,
    "soma": 11520,
    "queens-12": 14200,
    "queens-13": 73712,
    "langford-12": 216288,
    "latin-5": 161280,
    "domino-8x8": 12988816,
    "rand-60-350": 178,
    "mcc-queendom8": 4860,
    "pent-6x10": 9356,
    "sudoku-16b": 685665,
    "ypent-10x10": 350,
    "macmahon-4x6": 106624,
}
COUNTED = {"domino-16x16": 2444888770250892795802079170816, "match-24": 316234143225}  # nobody lists these
LONG = {"macmahon-4x6", "ypent-10x10", "sudoku-16b", "rand-60-350", "langford-12"}
BEST = {
    "bus-t1.dlx": 7,
    "bus-t2.dlx": 19,
    "bus-r1.dlx": 11,
    "bus-r2.dlx": 14,
    "bus-r4.dlx": 25,
    "bus-c1.dlx": 26,
    "bus-c2.dlx": 29,
    "packing-64-129.json": -20856,
    "packing-100-400.json": -37464,
    "costs-pent4x15.dlx": 216,
    "costs-pent6x10.dlx": 298,
    "costs-queens13.dlx": 122,
}
COMPILED_ONLY = set(SOLUTIONS) - {"pent-3x20"}
CHEAPEST = {"scp41": 429, "scp42": 512, "scp49": 641, "scp51": 253, "scp61": 138, "scpa1": 253}


@cache
def read(name: str) -> Problem:
    path = FILES / name
    if not path.exists():
        pytest.skip(f"{name} is not at hand")
    text = path.read_text()
    if name.endswith(".json"):
        return read_json(text)
    return read_dlx(text) if name.endswith(".dlx") else read_scp(text)


@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.slow) if n in LONG else n for n in SOLUTIONS])
def test_every_solution_is_counted(name: str) -> None:
    if name in COMPILED_ONLY and "interpreted" in search(read("pent-3x20.dlx")).engine:
        pytest.skip("too slow without the compiled kernel")
    counted = count(read(f"{name}.dlx"))
    assert (counted.value, counted.status) == (SOLUTIONS[name], Status.EXHAUSTED)


@pytest.mark.parametrize("name", COUNTED)
def test_a_memo_counts_what_nobody_lists(name: str) -> None:
    if "interpreted" in search(read("pent-3x20.dlx")).engine:
        pytest.skip("too slow without the compiled kernel")
    counted = count(read(f"{name}.dlx"))
    assert (counted.value, counted.status) == (COUNTED[name], Status.EXHAUSTED)


@pytest.mark.parametrize("name", ["domino-8x8", "match-24"])
def test_a_memo_without_room_for_it_counts_right(name: str) -> None:
    """A table of 16 kB, on the part of the search that a node limit allows, and whole where it is small."""
    settings = Settings(engine="memo", memory=1 << 14)
    counted = count(read(f"{name}.dlx"), Limits(nodes=3_000_000), settings)
    known = (SOLUTIONS | COUNTED)[name]
    assert counted.value == known if counted.status is Status.EXHAUSTED else counted.value < known


@pytest.mark.parametrize("name", ["soma", "pent-8x8c", "macmahon-4x6", "mcc-queendom8", "sudoku-16b"])
def test_first_answers_are_answers(name: str) -> None:
    problem = read(f"{name}.dlx")
    answers = list(search(problem, limits=Limits(answers=20)))
    assert len(answers) == 20
    assert all(check(problem, a) is None for a in answers)


@pytest.mark.parametrize("name", CHEAPEST)
def test_known_minima_lie_between_bound_and_best(name: str) -> None:
    problem = read(f"{name}.scp")
    run = search(problem, goal="minimum", limits=Limits(nodes=2000))
    answers = list(run)
    assert all(check(problem, a) is None for a in answers)
    assert run.bound is not None and run.best is not None
    assert run.bound <= CHEAPEST[name] <= run.best == cost(problem, answers[-1])


@pytest.mark.parametrize("name", BEST)
def test_known_minima_of_mixed_problems_are_proved(name: str) -> None:
    """Where Dancing Links alone take minutes, or longer than anybody has waited."""
    problem = read(name)
    run = search(problem, goal="minimum", limits=Limits(nodes=300_000), settings=Settings(engine="mixed"))
    if "interpreted" in run.engine:
        pytest.skip("too slow without the compiled kernel")
    answers = list(run)
    assert all(check(problem, a) is None for a in answers)
    assert run.status is Status.EXHAUSTED
    assert run.bound == run.best == cost(problem, answers[-1]) == BEST[name]


def test_both_kernels_agree_on_a_published_problem() -> None:
    problem = read("pent-3x20.dlx")
    limits = Limits(nodes=3000)
    runs = [search(problem, limits=limits, settings=by(e)) for e in ("interpreted", "links")]
    assert list(runs[0]) == list(runs[1])
    assert runs[0].counters == runs[1].counters
    bits = [search(problem, limits=limits, settings=Settings(engine="bits", interpreted=i)) for i in (True, False)]
    assert list(bits[0]) == list(bits[1])
    assert bits[0].counters == bits[1].counters
    assert bits[0].counters.nodes == runs[0].counters.nodes
