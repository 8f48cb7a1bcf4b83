"""The command, called in this process in an empty folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from covr.cli.group import cli

Covr = Callable[..., Result]


def run(*args: str, input: str | bytes | None = None) -> Result:
    """Run the command where the test is; what it raises beside its exit code is raised."""
    result = CliRunner().invoke(cli, args, input=input)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.fixture
def covr(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Covr:
    """Run the command in an empty folder."""
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)

    return run


def write(name: str, text: str) -> str:
    """A file in that folder; returns its name."""
    Path(name).write_text(text, encoding="utf-8")
    return name
