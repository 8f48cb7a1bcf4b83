"""A limit of memory acts, or is refused where nobody can tell how much memory there is."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import covr
from covr.dsl import ModelErrors
from covr.engine import Limits
from covr.engine.base import limits as memory
from covr.questions.options import size_of
from tests.constants import Constants

# A process that has no /proc, and psutil or not.
NOWHERE = """
import sys
from pathlib import Path
from covr.engine.base import limits
from covr.questions.options import size_of
limits.STATM = Path("/nonexistent")
limits.find_spec = lambda name: None
from covr.cli import main
sys.argv = ["covr", *sys.argv[1:]]
sys.exit(main())
"""


@pytest.fixture
def no_proc(constants: Constants, tmp_path: Path) -> None:
    constants(memory, STATM=tmp_path / "none")


@pytest.fixture
def no_psutil(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "find_spec", lambda name: None)


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_linux_tells_without_psutil(no_psutil: None) -> None:
    assert memory.measurable()
    assert 1_000_000 < memory.resident() < 1 << 40


def test_psutil_is_asked_elsewhere(no_proc: None) -> None:
    pytest.importorskip("psutil", reason="needs psutil")
    assert memory.measurable()
    small = memory.resident()
    block = bytearray(100_000_000)
    for at in range(0, len(block), 1024):
        block[at] = 1
    assert memory.resident() > small + 50_000_000
    before = memory.resident()
    del block
    assert memory.resident() < before - 50_000_000, "it falls again, which the most there ever was would not"


def test_without_either_the_limit_is_refused(no_proc: None, no_psutil: None) -> None:
    assert not memory.measurable()
    with pytest.raises(ValueError, match="psutil"):
        Limits(memory=1 << 30)
    with pytest.raises(ModelErrors) as refused:
        covr.load("queens").solve(limit_memory="1G")
    assert [d.code for d in refused.value.diagnostics] == ["E505"]
    assert covr.load("queens").count() == 92


@pytest.mark.parametrize("command", [["solve"], ["count"], ["solve", "--all"]])
def test_the_command_refuses_it_before_it_reads_the_model(command: list[str]) -> None:
    asked = [*command, "no such model", "--limit-memory", "1G"]
    done = subprocess.run([sys.executable, "-c", NOWHERE, *asked], capture_output=True, text=True)
    assert done.returncode == 2
    assert "E505" in done.stderr and "covr[memory]" in done.stderr and "Traceback" not in done.stderr
    assert "no such model" not in done.stderr


def test_the_usual_limit_is_half_of_the_machine_or_of_the_container(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    container = tmp_path / "memory.max"
    monkeypatch.setattr(memory, "CONTAINER", (container,))
    usual = memory.usual
    machine = usual()
    assert machine is not None and machine % memory.ROUND == 0
    container.write_text("max\n")
    assert usual() == machine
    container.write_text("1000000000\n")
    assert usual() == min(machine, 500_000_000)
    monkeypatch.setattr(memory, "measurable", lambda: False)
    assert usual() is None


SIZES = [
    ("1500", 1500), ("1.5k", 1500), ("2m", 2_000_000), ("2 MB", 2_000_000), ("1Ki", 1024), ("1gIB", 2**30),
    ("x", None), ("1q", None), ("-1", None),
]  # fmt: skip


@pytest.mark.parametrize(("said", "size"), SIZES)
def test_a_size_is_written_in_small_letters_or_large(said: str, size: int | None) -> None:
    if size is not None:
        assert size_of(said) == size_of(said.upper()) == size
    else:
        with pytest.raises(ValueError, match="is no size"):
            size_of(said)
