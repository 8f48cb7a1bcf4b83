"""`covr fmt`: files, folders and standard input."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from covr.cli.group import cli

UNTIDY, TIDY = "let  a=1\n", "let a = 1\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def fmt(*words: str, input: str | None = None) -> Result:
    return CliRunner().invoke(cli, ["fmt", *words], input=input)


def test_files_are_laid_out_in_place_and_keep_their_mode() -> None:
    Path("a.cover").write_text(UNTIDY)
    Path("a.cover").chmod(0o640)
    Path("b.cover").write_text(TIDY)
    Path("link.cover").symlink_to("a.cover")
    result = fmt("link.cover", "b.cover")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "link.cover: formatted\n")
    assert Path("a.cover").read_text() == TIDY and Path("link.cover").is_symlink()
    assert Path("a.cover").stat().st_mode & 0o777 == 0o640
    assert sorted(p.name for p in Path().iterdir()) == ["a.cover", "b.cover", "link.cover"]


def test_check_names_what_is_laid_out_otherwise_and_writes_nothing() -> None:
    Path("sub").mkdir()
    Path("sub/a.cover").write_text(UNTIDY)
    result = fmt("--check", "sub")
    assert (result.exit_code, result.stderr) == (1, "sub/a.cover: `covr fmt` would change the layout\n")
    assert Path("sub/a.cover").read_text() == UNTIDY
    Path("sub/a.cover").write_text(TIDY)
    assert fmt("--check", "sub").exit_code == 0


def test_diff_changes_no_file() -> None:
    Path("a.cover").write_text(UNTIDY)
    result = fmt("--diff", "a.cover")
    assert result.exit_code == 0
    assert "-let  a=1\n+let a = 1\n" in result.stdout
    assert Path("a.cover").read_text() == UNTIDY


def test_standard_input_is_laid_out() -> None:
    assert fmt("-", input=UNTIDY).stdout == TIDY


def test_a_file_with_errors_is_not_touched() -> None:
    Path("a.cover").write_text("let  = 1\n")
    Path("b.cover").write_text(UNTIDY)
    result = fmt("a.cover", "b.cover", "c.cover")
    assert result.exit_code == 2
    assert "E001" in result.stderr and "E502" in result.stderr
    assert Path("a.cover").read_text() == "let  = 1\n" and Path("b.cover").read_text() == TIDY


def test_windows_newlines_are_exchanged() -> None:
    Path("a.cover").write_bytes(b"let a = 1\r\n")
    assert fmt("--check", "a.cover").exit_code == 1
    fmt("a.cover")
    assert Path("a.cover").read_bytes() == b"let a = 1\n"
