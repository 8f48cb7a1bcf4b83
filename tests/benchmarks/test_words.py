"""A word that a benchmark does not know is one message and exit code 2, never a traceback."""

from __future__ import annotations

import sys

import pytest

from benchmarks.__main__ import main


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["growth", "--only", "WRONG"], "'WRONG' is not one of"),
        (["exact", "--nothing"], "No such option"),
        (["large", "--seconds", "soon"], "'soon' is not a valid"),
        (["none"], "usage: python -m benchmarks"),
        ([], "usage: python -m benchmarks"),
    ],
)
def test_wrong_words(
    words: list[str], said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if words[:1] == ["growth"]:
        pytest.importorskip("resource")
    monkeypatch.setattr(sys, "argv", ["benchmarks", *words])
    assert main() == 2
    out, complaint = capsys.readouterr()
    assert out == "" and said in complaint and "Traceback" not in complaint
