"""The playground's clingo (studio/playground/clingo.py), with PyPI's program in place of npm's.

As a plugin of pytest it gives other tests this clingo: `pytest -p tests.engine.page_solvers`.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from types import ModuleType
from typing import Any

import pytest

SHIM = Path(__file__).parents[2] / "studio" / "playground" / "clingo.py"


def program_of(clingo: Any, folder: Path) -> Any:
    """What npm's program does, by that of PyPI's package: its number, and what it writes."""

    class Quiet(clingo.Application):  # type: ignore[misc]
        program_name = "clingo"

    def run(program: str, options: str) -> tuple[int, str]:
        (folder / "program").write_text(program)
        words = [str(folder / "program") if word == "/dev/stdin" else word for word in options.split()]
        with TemporaryFile() as written:
            sys.stdout.flush()
            kept = [os.dup(at) for at in (1, 2)]
            try:
                for at in (1, 2):
                    os.dup2(written.fileno(), at)
                code = clingo.clingo_main(Quiet(), words)
            finally:
                for at, was in enumerate(kept, 1):
                    os.dup2(was, at)
                    os.close(was)
            written.seek(0)
            return code, written.read().decode()

    return run


@contextmanager
def page_clingo() -> Iterator[Any]:
    """Within this context the engine has the playground's clingo."""
    import clingo

    from covr.engine.outside import clingo_shares

    npm = ModuleType("npm_clingo")
    spec = importlib.util.spec_from_file_location("clingo", SHIM)
    assert spec is not None and spec.loader is not None
    own = importlib.util.module_from_spec(spec)
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        npm.run = program_of(clingo, Path(folder))  # type: ignore[attr-defined]
        patch.setitem(sys.modules, "npm_clingo", npm)
        spec.loader.exec_module(own)
        patch.setitem(sys.modules, "clingo", own)
        patch.setattr(clingo_shares, "calls", lambda: None)
        yield npm


@pytest.fixture(autouse=True)
def own_clingo() -> Iterator[Any]:
    """The playground's clingo, for all tests where this is a plugin."""
    with page_clingo() as npm:
        yield npm
