"""The benchmark of large covers: what its table says, and what it takes for a contradiction."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks._large_instances import packing
from benchmarks._large_peers import SOLVERS, main
from benchmarks.large import BEST_KNOWN, KNOWN, Reached, Table, contradictions, report
from covr.engine import check, cost, reference

pytestmark = pytest.mark.long


def test_the_table_shows_covers_and_bounds() -> None:
    table: Table = {
        "stn81.scp": {"covr": Reached(61, 27, 20.0), "highs": Reached(None, 33, 20.0)},
        "scp41u.scp": {"covr": Reached(39, 38, 20.0), "highs": Reached(38, 38, 5.25)},
    }
    text = report(table, {"covr": "1", "highs": "2"}, ["rail507.rail is not at hand"], 20.0)
    assert "| stn81 | 61 | 61 / 27 | ? / 33 |" in text
    assert "| scp41u | ≤ 38 | 39 / 38 | 38 in 5.2 s |" in text
    assert "covr on 1 of 2, and none a better bound on 1 of 2." in text
    assert "rail507.rail is not at hand" in text
    assert not list(contradictions(table))


def test_contradictions_are_found() -> None:
    below = {"stn81.scp": {"covr": Reached(60, 27)}}
    above = {"scp41u.scp": {"covr": Reached(39, 37), "highs": Reached(40, 40)}}
    broken = {"x.scp": {"covr": Reached(trouble="not a cover")}}
    for table in (below, above, broken):
        assert len(list(contradictions(table))) == 1


def test_a_run(tmp_path: Path) -> None:
    path = tmp_path / "small.scp"
    path.write_text("3 4\n1 1 1 5\n2 1 4\n2 2 3\n2 3 4\n", encoding="utf-8")
    said = main("covr", path, 5.0)
    assert (said["found"], said["bound"], said["proved"], said["sound"]) == (2, 2, True, True)


@pytest.mark.parametrize("solver", SOLVERS)
def test_every_solver_is_told_that_options_of_a_packing_may_not_meet(solver: str) -> None:
    pytest.importorskip(SOLVERS[solver][0])
    problem = packing(30, 12, 3, 1)
    least = min(cost(problem, answer) for answer in reference.answers(problem))
    best, bound = SOLVERS[solver][1](problem, 5.0)
    assert best is not None and check(problem, best) is None
    assert cost(problem, best) == bound == least


def test_what_is_best_known_belongs_to_an_instance() -> None:
    assert set(KNOWN) >= BEST_KNOWN
