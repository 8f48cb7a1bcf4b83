"""A rule is quoted whole, also where a text in it holds a quote, a `#` or a word of the language."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import covr
from covr.cli.group import cli

TEXTS = ('"#"', '"a # b"', '"say \\"no\\""', '"per \\" # x"')


def model(text: str) -> str:
    """Rules without labels that need their conditions to be told apart; two of them contradict each other."""
    return (
        "choose q(k) for k in [1, 2]\nexactly 2 q\n"
        f"at most one q where k != {text}  # a comment\nat most one q where k > 5\n"
    )


@pytest.mark.parametrize("text", TEXTS)
def test_why_quotes_the_text(text: str) -> None:
    said = str(covr.loads(model(text)).why())
    assert f"at most one q where k != {text}" in said
    assert "a comment" not in said


@pytest.mark.parametrize("text", TEXTS)
def test_show_quotes_the_text(text: str, tmp_path: Path) -> None:
    path = tmp_path / "m.cover"
    path.write_text(model(text), encoding="utf-8")
    shown = CliRunner().invoke(cli, ["show", str(path), "--items"])
    assert shown.exit_code == 0, shown.output
    assert f"at most one q where k != {text}\t" in shown.stdout
    assert "# a comment" not in shown.stdout
