"""The cell magic, what notebooks draw, and the notebook of the docs, run from top to bottom."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest

import covr
from covr.api.notebook import NotebookPicture, register, run_cell

pytestmark = pytest.mark.long

TOUR = Path(__file__).parents[3] / "docs" / "tour.ipynb"
MODEL = """
param n = 4
title "{n} queens"
cells r, c in 1..n
choose queen(r, c)
exactly one queen per r
exactly one queen per c
at most one queen per r + c
at most one queen per r - c
show "Q" of queen at r, c
"""


@pytest.fixture
def shell() -> Iterator[Any]:
    """An IPython without a terminal, with the extension loaded."""
    interactive = pytest.importorskip("IPython.core.interactiveshell", reason="IPython is not installed")
    made = interactive.InteractiveShell.instance()
    made.run_cell("%load_ext covr")
    yield made
    made.history_manager.end_session()
    interactive.InteractiveShell.clear_instance()


def test_what_answers_and_models_look_like() -> None:
    model = covr.load("sudoku")
    answer = model.solve()
    assert answer is not None
    assert answer._repr_svg_() == answer.svg()
    ElementTree.fromstring(answer._repr_svg_())
    assert "<svg" in model._repr_html_() and "<b>Sudoku</b> (324 items, 729 options)" in model._repr_html_()
    listed = covr.load("crew")._repr_html_()
    assert covr.load("crew")._repr_svg_() is None and model._repr_svg_() == model.svg()
    assert "<br>" not in answer._repr_html_()
    cheapest = covr.load("crew").solve()
    assert cheapest is not None and cheapest._repr_html_().endswith("<br>18, proved</div>")
    assert "<svg" not in listed and "<b>Crew pairing" in listed
    assert "no solution; " not in covr.loads(MODEL, n=3)._repr_html_()
    hopeless = covr.loads("choose f(i) for i in 1..2\nexactly one f per k in 1..3 where k = i")
    assert "no solution: " in hopeless._repr_html_()


def test_a_cell_runs_without_ipython() -> None:
    done = run_cell("-D n=6 found", MODEL, {})
    assert done.name == "found" and isinstance(done.value, covr.Answer)
    assert isinstance(done.shown, NotebookPicture) and "6 queens" in done.shown.svg
    assert repr(done.shown) == str(done.value)
    assert run_cell("-D n=$size --count", MODEL, {"size": 5}).shown == 10
    both = run_cell("--all -D n=4 --theme dark", MODEL, {})
    assert repr(both.shown) == "2 answers"
    assert repr(run_cell("-n 1 -D n=3", MODEL, {}).shown) == repr(run_cell("-D n=3", MODEL, {}).shown) == "no solution"
    puzzle = run_cell("--puzzle p", MODEL, {})
    assert isinstance(puzzle.value, covr.Model)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("-n 0", "from 1"),
        ("-n 2 --all", "not allowed with"),
        ("-D n", "sets nothing"),
        ("-D n=$nope", "no variable 'nope'"),
        ("--theme dusk", "invalid choice"),
        ("3x", "no name of a variable"),
    ],
)
def test_what_is_wrong_with_a_line(line: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        run_cell(line, MODEL, {})


def test_the_magic_solves_the_model_of_its_cell(shell: Any, capsys: pytest.CaptureFixture[str]) -> None:
    result = shell.run_cell(f"%%cover -D n=5 got\n{MODEL}")
    assert result.success and isinstance(result.result, NotebookPicture)
    assert isinstance(shell.user_ns["got"], covr.Answer)
    assert "_repr_svg_" in dir(result.result)
    capsys.readouterr()
    assert shell.run_cell("%%cover\nchose f(i)").result is None
    assert "error[E0" in capsys.readouterr().err
    assert shell.run_cell("%%cover -n x\nchoose f(i)").result is None
    assert "usage: %%cover" in capsys.readouterr().err


def cells() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(TOUR.read_text(encoding="utf-8"))["cells"]
    return found


def test_the_tour_holds_no_outputs() -> None:
    for cell in cells():
        assert not cell.get("outputs") and cell.get("execution_count") is None
    assert len({cell["id"] for cell in cells()}) == len(cells())


def test_the_tour_runs(shell: Any) -> None:
    for cell in cells():
        if cell["cell_type"] == "code":
            source = "".join(cell["source"])
            result = shell.run_cell(source)
            assert result.success, source
    assert shell.user_ns["cheapest"].cost == 6
    assert len(shell.user_ns["tilings"]) == 6
    assert shell.user_ns["first"].as_tuples()[0] == ("queen", 1, 2)


def test_cells_are_coloured_while_they_are_typed_in_a_terminal() -> None:
    ptutils = pytest.importorskip("IPython.terminal.ptutils", reason="IPython is not installed")
    document = pytest.importorskip("prompt_toolkit.document")
    lexer = ptutils.IPythonPTLexer()
    shell = SimpleNamespace(pt_app=SimpleNamespace(lexer=lexer), register_magic_function=lambda *a, **k: None)
    register(shell)
    line = lexer.lex_document(document.Document("%%cover -n 2\nchoose f(i) for i in 1..2\n"))
    assert ("class:pygments.comment.preproc", "%%cover -n 2") in line(0)
    assert ("class:pygments.keyword", "choose") in line(1)
    assert ("class:pygments.literal.number.integer", "2") in line(1)
    python = lexer.lex_document(document.Document("choose = 1"))(0)
    assert python[0] == ("class:pygments.name", "choose")
