"""Texts cut into words by `covr.highlight`, compared with the language service; and the lexer of Pygments."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from covr.dsl import Source, parse
from covr.dsl import syntax as s
from covr.dsl.scope import walk
from covr.highlight.pygments_lexer import pieces
from tests.covr.highlight.kinds import HOLE, WORDY, broken_texts, check_model, check_quoted, check_wordy, spread
from tests.dsl.models import MODELS, SOME
from tests.each import each

pytestmark = pytest.mark.long

KINDS = {
    "keyword": "keyword", "operator_word": "keyword", "truth": "keyword", "text": "text", "escape": "text",
    "block": "text", "comment": "comment", "number": "number",
}  # fmt: skip


def kinds(text: str) -> list[str]:
    """The kind of each character, after having checked that the pieces make up the text."""
    parts = []
    at = hole = 0
    for offset, kind, value in pieces(text):
        assert offset == at and value
        at += len(value)
        hole += (kind == "brace") * (1 if value == "{" else -1)
        parts.append((offset, len(value), HOLE if hole or kind == "brace" else KINDS.get(kind, "")))
    assert at == len(text) and hole == 0
    return spread(text, parts)


@each("path", SOME)
def test_models_are_coloured_as_the_language_service_does(path: Path) -> None:
    check_model(path, kinds(path.read_text(encoding="utf-8")))


def test_words_of_clauses_are_names_elsewhere() -> None:
    check_wordy(kinds(WORDY))
    assert HOLE not in kinds(WORDY)  # all its texts stand where an expression does


def test_broken_texts_are_cut_into_tokens(slow: bool) -> None:
    for text in broken_texts(18, 10_000 if slow else 300):
        check_quoted(text, kinds(text))


@pytest.mark.parametrize("rest", ["", " per r", "\nlet b = 1"])
def test_what_is_not_closed_ends(rest: str) -> None:
    found = kinds(f'exactly one f "row {{r{rest}\nlet a = 1')
    assert found[-1] == "number" and "text" in found
    assert set(kinds(f'let a = grid """\n{rest} # " 1')[9:]) <= {"text", ""}


HOLED = """
title "a {b} {{c}} {size({1, 2})} {n + 1}"
exactly one f per r "a \\"{r}\\" \\n {size(\\"x}\\")}"
assert true "{a}{b.at}"
show "{r}" of f at r, c else "{c}"
let x = ["{a}", "{b}"]
use "{x}"
"""


def test_holes_of_labels_are_expressions_and_other_texts_have_none() -> None:
    found = [(kind, value) for _, kind, value in pieces(HOLED)]
    assert sum(kind == "brace" and value == "{" for kind, value in found) == 7
    assert [value for kind, value in found if kind == "number"] == ["1", "2", "1"]
    assert [value for kind, value in found if kind == "field"] == ["at"]
    assert ("text", '\\"x}\\"') in found
    assert [value for kind, value in found if kind == "escape"] == ["{{", "}}", '\\"', '\\"', "\\n"]


@each("path", MODELS)
def test_every_hole_of_a_model_is_found(path: Path) -> None:
    source = Source("m.cover", path.read_text(encoding="utf-8"))
    templates = [node for st in parse(source).statements for node in walk(st) if isinstance(node, s.Template)]
    holes = sum(not isinstance(part, str) for template in templates for part in template.parts)
    assert sum(kind == "brace" and value == "{" for _, kind, value in pieces(source.text)) == holes


def test_definitions_are_told_from_what_covr_defines() -> None:
    text = 'param n = one let f(x) = size(x) let g = grid """\n1\n""" choose size(i) for i in cells(g) let grid = n'
    left_out = ("space", "bracket", "operator", "keyword")
    found = [(kind, value) for _, kind, value in pieces(text) if kind not in left_out]
    assert found == [
        ("variable", "n"), ("constant", "one"), ("function", "f"), ("name", "x"), ("built_in", "size"), ("name", "x"),
        ("variable", "g"), ("reader", "grid"), ("block", '"""\n1\n"""'), ("family", "size"), ("name", "i"),
        ("name", "i"), ("operator_word", "in"), ("built_in", "cells"), ("name", "g"), ("variable", "grid"),
        ("name", "n"),
    ]  # fmt: skip


def test_a_long_text_takes_time_in_proportion() -> None:
    """A thousand openings that nothing closes are read without trying each to the end again and again."""
    text = '"{' * 20_000 + "\n" + '"""' + '""' * 50_000
    assert sum(len(value) for _, _, value in pieces(text)) == len(text)


def test_pygments_finds_the_lexer() -> None:
    pygments = pytest.importorskip("pygments")
    lexers = pytest.importorskip("pygments.lexers")
    token = pytest.importorskip("pygments.token")
    assert [e.value for e in entry_points(group="pygments.lexers") if e.name == "cover"] == [
        "covr.highlight.pygments_lexer:ModelLexer"
    ]
    lexer = lexers.get_lexer_by_name("cover")
    assert type(lexers.get_lexer_for_filename("queens.cover")) is type(lexer)
    for path in MODELS:
        text = path.read_text(encoding="utf-8")
        found = list(lexer.get_tokens_unprocessed(text))
        assert "".join(value for _, _, value in found) == text
        assert not any(kind in token.Error for _, kind, _ in found)
        assert [offset for offset, kind, _ in found if kind in token.Comment] == [
            offset for offset, kind, _ in pieces(text) if kind == "comment"
        ]
    assert 'class="k">choose' in pygments.highlight("choose f(i)", lexer, pygments.formatters.HtmlFormatter())
    sudoku = next(path for path in MODELS if path.stem == "sudoku").read_text(encoding="utf-8")
    assert lexer.analyse_text(sudoku) > 0.5 and type(lexer).analyse_text("for x in range(3): print(x)") == 0


def test_the_lexer_imports_little() -> None:
    """Pygments imports every lexer that it may use, so this one brings no parser."""
    pytest.importorskip("pygments")
    code = "import sys, covr.highlight.pygments_lexer; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert {"covr.highlight.pygments_lexer", "covr.highlight"} <= loaded
    assert not {"lark", "attrs", "covr.dsl", "covr.compiler", "covr.engine"} & loaded


DOCS = sorted((Path(__file__).parents[3] / "docs").glob("*.md"))


@each("page", DOCS)
def test_models_in_the_docs_are_coloured_whole(page: Path) -> None:
    for text in re.findall(r"^```cover\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
        check_quoted(text, kinds(text))
        assert not any(kind == "stray" and value not in "…" for _, kind, value in pieces(text))
