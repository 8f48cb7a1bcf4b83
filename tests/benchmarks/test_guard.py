"""The benchmark of the guard's pairs: what its table says, and that a run which fails is no quick one."""

from __future__ import annotations

import sys
from pathlib import Path

import click
import pytest

from benchmarks._guard_pairs import Pair
from benchmarks.guard import measure, python_of, report, seconds_of

pytestmark = pytest.mark.long

QUICK = Pair("quick", program="pass")
FAULTY = Pair("faulty", program="import covr.nowhere")
PYTHON = Path(sys.executable)


def test_the_slowest_come_first() -> None:
    found = {"a": ([1.0, 3.0, 2.0], [1.0, 1.0, 9.0]), "b": ([1.0] * 3, [8.0] * 3), "c": ([], [1.0])}
    lines = report(found, "v1", 3, 20).splitlines()
    assert lines[0] == "| question | v1, CPU s | now, CPU s | ratio |"
    assert lines[2:] == [
        "| geometric mean of 2 |  |  | ×2.00 |",
        "| `b` | 1.000 | 8.000 | ×8.00 |",
        "| `a` | 2.000 | 1.000 | ×0.50 |",
        "| `c` | failed | failed |  |",
    ]
    assert "`a`" not in report(found, "v1", 3, 1)


def test_a_fault_has_no_time() -> None:
    found = measure([QUICK, FAULTY], [PYTHON, PYTHON], 2, 60.0)
    assert [len(times) for times in found["faulty"]] == [0, 0]
    assert [len(times) for times in found["quick"]] == [2, 2]
    assert min(*found["quick"][0], *found["quick"][1]) > 0


def test_a_run_that_takes_too_long_is_ended() -> None:
    assert seconds_of(PYTHON, Pair("ever", program="while True: pass"), 1.0) is None


def test_a_folder_is_used_as_it_is_and_what_is_none_is_told(tmp_path: Path) -> None:
    python = tmp_path / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.touch()
    with python_of(str(tmp_path)) as found:
        assert found == python
    with pytest.raises(click.BadParameter, match="neither a folder"), python_of("no such revision"):
        pass
