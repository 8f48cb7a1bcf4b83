"""Hovers, signatures, outlines, folds, colours and fixes: what they say, and that no text breaks them."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from covr.dsl.service.cursor import cursor
from covr.dsl.service.document import Analysis, Document
from covr.dsl.service.fixes import Fix, applied, fixes
from covr.dsl.service.folding import folds
from covr.dsl.service.hover import hover, signature
from covr.dsl.service.names import NameTable
from covr.dsl.service.semantic import KINDS, coloured
from covr.dsl.service.symbols import symbols
from covr.inputs.library import Libraries, read_source
from tests.dsl.models import MODELS
from tests.dsl.service.edits import TEXTS, edited
from tests.dsl.service.fuzz import edit

TEXT = '''\
title "A test"
use "std/pentominoes"
# One comment,
# and another.
param n = 3
cells r, c in 1..n
let room = area """
##
##
"""
let twice(a, b) = a + b
choose q(r, c)
exactly one q per r
  where size(room) = twice(2, 2)   "row {r}"
expect 6 solutions
'''


def fresh() -> Document:
    return Document("m.cover", Libraries)


def opened(text: str) -> tuple[Analysis, NameTable]:
    analysis = fresh().change(text)
    return analysis, NameTable(analysis)


def pointed(word: str, within: str) -> tuple[str, str, str]:
    """What is said of a word in `TEXT`: the word, the code, the text."""
    analysis, names = opened(TEXT)
    found = hover(analysis, names, TEXT.index(within) + within.rindex(word))
    assert found is not None
    return found.span.text, found.code, found.text


def test_hovers_say_what_a_word_is() -> None:
    assert pointed("n", "1..n") == ("n", "param n = 3", "a param")
    assert pointed("twice", "= twice") == ("twice", "let twice(a, b) = a + b", "a function")
    assert pointed("a", "a + b") == ("a", "let twice(a, b) = a + b", "a name within `twice`")
    assert pointed("q", "one q") == ("q", "choose q(r, c)", "a family of choices")
    assert pointed("r", "per r") == ("r", "cells r, c in 1..n", "a declared index")
    assert pointed("r", "{r}") == ("r", "cells r, c in 1..n", "a declared index")
    assert pointed("size", "size(") == (
        "size",
        "size(…)   takes 1 value",
        "how many members a set, list, text or grid has",
    )
    assert pointed("area", "area")[2].startswith("the set of cells of a picture")
    assert pointed("choose", "choose q")[1] == "choose f(x, y) for x in SET where CONDITION"


def test_nothing_is_said_of_comments_signs_and_texts() -> None:
    analysis, names = opened(TEXT)
    for word in ("One comment", "A test", "= 3", "##"):
        assert hover(analysis, names, TEXT.index(word) + 1) is None


@pytest.mark.parametrize(
    "typed, label, active",
    [
        ("let x = twice(1, ", "twice(a, b)", 1),
        ("let x = twice((1, 2), max(3, 4), ", "twice(a, b)", 2),
        ("given q(", "q(r, c)", 0),
        ("let x = box(2, ", "box(…)   takes 2 to 3 values", 1),
        ("let x = [twice(1, 2), ", None, 0),
        ("let x = twice(1, 2) + ", None, 0),
        ("let x = (1, ", None, 0),
    ],
)
def test_signatures(typed: str, label: str | None, active: int) -> None:
    analysis, _ = opened(TEXT + typed)
    found = signature(analysis, cursor(analysis.fragments, len(TEXT + typed)))
    assert (None if found is None else found.label) == label
    assert found is None or found.active == active


def test_an_outline_names_every_part() -> None:
    analysis, _ = opened(TEXT)
    assert [(one.name, one.kind) for one in symbols(analysis)] == [
        ("A test", "title"),
        ("n", "param"),
        ("r", "index"),
        ("c", "index"),
        ("room", "value"),
        ("twice", "function"),
        ("q", "family"),
        ("row {r}", "rule"),
        ("expect 6 solutions", "promise"),
    ]
    assert all(one.span.start <= one.at.start < one.at.end <= one.span.end for one in symbols(analysis))


def test_folds() -> None:
    analysis, _ = opened(TEXT)
    assert [(f.first, f.last, f.kind) for f in folds(analysis)] == [
        (3, 4, "comment"),
        (7, 10, "block"),
        (7, 10, "statement"),
        (13, 14, "statement"),
    ]


def test_colours() -> None:
    analysis, names = opened(TEXT)
    found = {(TEXT[c.start : c.start + c.length], c.kind, c.binds) for c in coloured(analysis, names)}
    wanted = {
        ("title", "keyword", False), ('"A test"', "text", False), ("# One comment,", "comment", False),
        ("n", "param", True), ("n", "param", False), ("r", "index", False), ("room", "value", True),
        ("area", "reader", False), ("##", "text", False), ("twice", "function", True), ("a", "local", True),
        ("q", "family", False), ("size", "function", False), ('"row {', "text", False), ('}"', "text", False),
        ("6", "number", False), ("solutions", "keyword", False), ("..", "operator", False),
    }  # fmt: skip
    assert wanted <= found


def test_words_of_clauses_are_coloured_as_names_where_they_are_names() -> None:
    text = "let line = 2\nlet no = line\nchoose plain()\nexactly one plain\n"
    analysis, names = opened(text)
    words = {text[c.start : c.start + c.length] for c in coloured(analysis, names) if c.kind == "keyword"}
    assert words == {"let", "choose", "exactly"}


def test_reserved_words_are_coloured_as_names_where_they_are_names() -> None:
    text = "let a = cells(b.per)\ncells (x, y) in a\nvalues z in 1..2 cells w in {1} & cells(a)\n"
    analysis, names = opened(text)
    words = [(text[c.start : c.start + c.length], c.kind) for c in coloured(analysis, names)]
    assert [kind for word, kind in words if word == "cells"] == ["function", "keyword", "keyword", "function"]
    assert ("per", "property") in words


def mended(text: str, number: int = 0) -> list[str]:
    """The text after each fix of its fault of that number."""
    analysis, _ = opened(text)
    return [applied(text, fix) for fix in fixes(fresh, analysis, analysis.faults[number])]


HEAD = "cells r in 1..3\nchoose q(r)\nexactly one q\nexpect 3 solutions\n"


@pytest.mark.parametrize(
    "wrong, right",
    [
        (
            "exactly one p per r\nchoose qqq(r)\nexactly one qqqq\n",
            "exactly one p per r\nchoose qqq(r)\nexactly one qqq\n",
        ),
        ("let a = siez({1})\n", "let a = size({1})\n"),
        ("exactli one q\n", "exactly one q\n"),
        ('use "std/pentominos"\n', 'use "std/pentominoes"\n'),
        ("let a = (1 + 2\n", "let a = (1 + 2)\n"),
        ("exactly one q per (r + 1\n", "exactly one q per (r + 1)\n"),
        ("let a = two\n", "let a = 2\n"),
    ],
)
def test_a_fault_is_mended(wrong: str, right: str) -> None:
    analysis, _ = opened(HEAD + wrong)
    found = [applied(HEAD + wrong, f) for fault in analysis.faults for f in fixes(fresh, analysis, fault)]
    assert HEAD + right in found


def test_what_is_never_used_is_removed_or_allowed() -> None:
    text = HEAD + "let a = 1   # a remark\n"
    assert mended(text) == [HEAD, HEAD + "# covr: allow W101\n" + text[len(HEAD) :]]


def test_a_fix_is_offered_only_if_it_helps() -> None:
    """`did you mean` is right about the word, but the statement stays broken in another way."""
    analysis, _ = opened(HEAD + "exactly one q per (r +\n")
    assert fixes(fresh, analysis, analysis.faults[0]) == []


@pytest.mark.parametrize("path", MODELS, ids=lambda p: p.stem)
def test_colours_of_models_cover_every_word_once(path: Path) -> None:
    source = read_source(path, path.name)
    analysis = Document(source.name, Libraries, source.path).change(source.text)
    at = 0
    for one in coloured(analysis, NameTable(analysis)):
        assert one.start >= at and one.length > 0 and one.kind in KINDS
        between = source.text[at : one.start]
        assert not [char for char in between if char.isalnum() or char == '"']
        assert "\n" not in source.text[one.start : one.start + one.length]
        at = one.start + one.length
    assert not source.text[at:].strip(" \n()[]{},")


@pytest.mark.parametrize("seed", range(20))
def test_no_text_breaks_anything(seed: int) -> None:
    rng = Random(seed)
    text = rng.choice(TEXTS)
    document = fresh()
    for _ in range(4):
        text = edited(text, rng)
        analysis = document.change(text)
        names = NameTable(analysis)
        ends = [c.start + c.length for c in coloured(analysis, names)]
        assert ends == sorted(ends)
        assert all(1 <= f.first < f.last <= text.count("\n") + 1 for f in folds(analysis))
        symbols(analysis)
        for at in rng.sample(range(len(text) + 1), 10):
            hover(analysis, names, at)
            signature(analysis, cursor(analysis.fragments, at))
        for fault in analysis.faults[:2]:
            offered: list[Fix] = fixes(fresh, analysis, fault)
            assert all(0 <= f.span.start <= f.span.end <= len(text) for f in offered)


def test_edits_one_after_another() -> None:
    rng = Random(5)
    document, text = fresh(), rng.choice(TEXTS)
    for _ in range(40):
        text = edit(document, text, rng)
