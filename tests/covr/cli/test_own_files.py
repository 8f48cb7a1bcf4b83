"""Whatever is written, a file that the model was read from stays as it is: its text, its libraries, its data."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

import covr as api
from covr.dsl.diagnostics import ModelErrors
from tests.covr.command import Covr, covr, write
from tests.each import each

__all__ = ["covr"]

MODEL = """
param team = table("team.csv")
choose work(p, d) for p in team, d in 1..2
exactly one work per d
given work(p, 1) for p in team where p.name = "ann"
show "x" of work at p.name, d
"""
TEAM = "name,shifts\nann,1\nben,2\n"
COMMANDS = (
    ("solve", "-o", "team.csv"),
    ("solve", "--all", "-o", "./team.csv"),
    ("solve", "-D", "team=@other.csv", "-o", "other.csv"),
    ("solve", "-o", "link.csv"),
    ("solve", "-o", "same.csv"),
    ("sample", "-o", "team.csv"),
    ("make", "-o", "team.csv"),
    ("compile", "-o", "team.csv"),
    ("compile", "-o", "rota.cover"),
    ("solve", "-o", "rota.svg"),
    ("solve", "--puzzle", "-o", "rota.svg"),
    ("candidates", "-o", "rota.svg"),
    ("hint", "-o", "rota.svg"),
    ("solve", "--unique", "--proof", "proof.pbp"),
    ("count", "--proof", "proof.pbp"),
)


@pytest.fixture
def files(covr: Covr) -> Callable[[], dict[str, bytes]]:
    """A model with its files; what they hold."""
    write("rota.cover", MODEL)
    write("team.csv", TEAM)
    write("other.csv", TEAM)
    os.symlink("team.csv", "link.csv")
    os.link("team.csv", "same.csv")
    os.symlink("rota.cover", "rota.svg")
    os.symlink("team.csv", "proof.opb")
    return lambda: {path.name: path.read_bytes() for path in sorted(Path().iterdir()) if path.is_file()}


@each("command", COMMANDS)
def test_a_command_refuses_to_write_over_them(
    command: tuple[str, ...], covr: Covr, files: Callable[[], dict[str, bytes]]
) -> None:
    before = files()
    said = covr(command[0], "rota.cover", *command[1:])
    assert said.exit_code == 2 and "error[E508]" in said.stderr and "write to another file" in said.stderr
    assert files() == before and Path("link.csv").is_symlink()


def test_another_file_may_be_written(covr: Covr, files: Callable[[], dict[str, bytes]]) -> None:
    before = files()
    assert covr("solve", "rota.cover", "-D", "team=@other.csv", "-o", "team.csv").exit_code == 0
    assert files()["other.csv"] == before["other.csv"]
    assert Path("team.csv").read_text(encoding="utf-8") != TEAM


def test_an_earlier_answer_and_a_library_are_kept(covr: Covr, files: Callable[[], dict[str, bytes]]) -> None:
    write("old.jsonl", covr("solve", "rota.cover", "--json").stdout)
    write("used.cover", 'use "rota"\nchoose mine(x) for x in 1..2\nexactly one mine\n')
    before = files()
    for command in (
        ("solve", "rota.cover", "--near", "old.jsonl", "-o", "old.jsonl"),
        ("solve", "used.cover", "-o", "rota.svg"),
    ):
        said = covr(*command)
        assert said.exit_code == 2 and "error[E508]" in said.stderr
    assert files() == before


@each("name", ["m.dlx", "m.csv"])
def test_a_matrix_is_kept(name: str, covr: Covr) -> None:
    write(name, "1,0\n0,1\n" if name == "m.csv" else "a b\na\nb\n")
    before = Path(name).read_bytes()
    command = ("solve", name, "-o", name) if name == "m.csv" else ("convert", name, name)
    assert covr(*command).exit_code == 2
    assert Path(name).read_bytes() == before


def test_python_keeps_them_too(covr: Covr, files: Callable[[], dict[str, bytes]]) -> None:
    pytest.importorskip("openpyxl", reason="needs covr[sheets]")
    import openpyxl  # type: ignore[import-untyped, import-not-found, unused-ignore]

    book = openpyxl.Workbook()
    for row in (("name", "shifts"), ("ann", 1), ("ben", 2)):
        book.active.append(row)
    book.save("team.xlsx")
    write("rota.cover", MODEL.replace("team.csv", "team.xlsx"))
    before = files()
    model = api.load("rota.cover")
    other = model.with_params(team=[{"name": "ann", "shifts": 1}])
    for answer in (model.solve(), other.solve()):
        assert answer is not None
        with pytest.raises(ModelErrors, match="it is read for the model's data"):
            answer.save("team.xlsx")
    assert files() == before
    assert covr("solve", "rota.cover", "-o", "team.xlsx").exit_code == 2
    assert files() == before
    answer.save("plan.xlsx")
    assert Path("plan.xlsx").exists()
