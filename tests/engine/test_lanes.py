"""The rows of _lanes.h: every back end that this processor has, against the same done byte by byte."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from covr.engine.kernels import loading
from tests.engine.back_ends import ALL

KERNELS = Path(loading.__file__).parent
CHECK = Path(__file__).with_name("lanes_check.c")
COMPILER = os.environ.get("CC") or "cc"  # with CC and COVR_RUN, a cross compiler and an emulator
RUN = os.environ.get("COVR_RUN", "").split()


@pytest.mark.skipif(shutil.which(COMPILER) is None, reason=f"there is no C compiler {COMPILER}")
def test_every_operation_of_every_back_end(tmp_path: Path) -> None:
    program = tmp_path / "lanes_check"
    sources = [f"-I{KERNELS / 'sets'}", f"-I{CHECK.parent}", str(CHECK)]
    subprocess.run([COMPILER, "-O2", "-static" if RUN else "-O2", *sources, "-o", str(program)], check=True)
    done = subprocess.run([*RUN, str(program)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert done.stdout.endswith("64 alike\n")
    if not RUN and ALL != (64,):
        assert done.stdout == f"{' '.join(map(str, ALL))} alike\n"
