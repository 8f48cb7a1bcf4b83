"""Writers of answers: one protocol, in which what is written in two places is in one order."""

from __future__ import annotations

import io
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, cast

import pytest

from covr.cli.writing import FORMATS, Destination, writer_for
from covr.draw import book as files
from covr.output import writers as pictures
from covr.output.writers import Both, Verdicts, Writer
from tests.covr.command import Covr, covr

__all__ = ["covr"]


class Told:
    """A writer that notes what it is told."""

    def __init__(self, name: str, notes: list[str]) -> None:
        self.name, self.notes = name, notes

    def begin(self) -> None:
        self.notes.append(f"{self.name} begin")

    def improved(self, best: Any) -> None:
        self.notes.append(f"{self.name} improved")

    def answer(self, answer: Any) -> None:
        self.notes.append(f"{self.name} answer")

    def end(self, run: Any, code: int, shown: int) -> None:
        self.notes.append(f"{self.name} end {code} {shown}")
        print(self.name)


def tell(writer: Writer) -> None:
    nothing = cast(Any, None)
    writer.begin()
    writer.improved(nothing)
    writer.answer(nothing)
    writer.end(nothing, 0, 1)


@pytest.mark.parametrize("passes", [True, False])
def test_a_file_has_an_answer_before_it_is_shown(passes: bool) -> None:
    notes: list[str] = []
    tell(Both(Told("file", notes), Told("shown", notes), passes))
    assert notes == [
        "shown begin",
        "file begin",
        "file improved",
        "shown improved",
        "file answer",
        *(["shown answer"] if passes else []),
        "file end 0 1",
        "shown end 0 1",
    ]


def test_verdicts_alone_go_to_standard_error() -> None:
    notes: list[str] = []
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        tell(Verdicts(Told("text", notes)))
    assert notes == ["text begin", "text end 0 1"]
    assert (out.getvalue(), err.getvalue()) == ("", "text\n")


@pytest.mark.parametrize("form", [None, *FORMATS])
@pytest.mark.parametrize("output", [None, "a.csv", "a.jsonl", "a.sqlite", "a.svg"])
def test_nothing_is_written_or_made_before_it_begins(
    form: str | None, output: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import covr as package
    from covr.cli.asking import Question

    monkeypatch.chdir(tmp_path)
    out = io.StringIO()
    monkeypatch.setattr(sys, "stdout", out)
    model = package.load("queens", n=4)
    writer = writer_for(model.compiled, Question(None, listed=True), Destination(form, output))
    assert (out.getvalue(), list(tmp_path.iterdir())) == ("", [])
    writer.begin()
    if output is not None and output != "a.svg":
        assert (tmp_path / output).exists()


@pytest.mark.parametrize(("limit", "drawn"), [(None, 40), (1000.0, 40), (20.5, 16), (3.0, 4)])
def test_a_picture_after_a_limit_of_time_holds_what_can_be_drawn(
    covr: Covr, monkeypatch: pytest.MonkeyPatch, limit: float | None, drawn: int
) -> None:
    """By the clock of this test, an answer takes a second to draw and nothing else takes any time."""
    now = [0.0]
    content = files.content_of

    def slow(path: Any, shown: Any, title: str, theme: str) -> bytes:
        now[0] += len(shown)
        return content(path, shown, title, theme)

    monkeypatch.setattr(files, "content_of", slow)
    monkeypatch.setattr(pictures, "perf_counter", lambda: now[0])
    asked = () if limit is None else ("--limit-time", str(limit))
    result = covr("solve", "queens", "-D", "n=7", "--all", "-o", "a.svg", *asked)
    assert f"wrote a.svg ({drawn} answers)" in result.stderr
    assert ("the picture holds the first" in result.stderr) == (drawn < 40)
    assert now[0] <= drawn + 4  # some are drawn twice, to know how long it takes


@pytest.mark.parametrize("model", ["queens", "experts"])
@pytest.mark.parametrize("form", ["csv", "tsv"])
def test_a_table_is_the_same_in_a_file_and_on_standard_output(covr: Covr, model: str, form: str) -> None:
    shown = covr("solve", model, "--all", "--format", form)
    both = covr("solve", model, "--all", "--format", form, "-o", f"t.{form}")
    assert shown.exit_code == both.exit_code == 0
    assert Path(f"t.{form}").read_text(encoding="utf-8") == shown.stdout == both.stdout
