"""Names across a text: where they are bound and used, and that renaming one changes no meaning."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from covr.dsl import Source, parse
from covr.dsl.service.document import Analysis, Document
from covr.dsl.service.names import NameTable, Refused, name_kinds, rename, replaced, shape
from covr.inputs.library import Libraries, read_source
from tests.dsl.models import SOME
from tests.each import each

pytestmark = pytest.mark.long

TEXT = """\
param n = 3
cells r, c in 1..n
let twice(a) = a + a
choose q(r, c)
choose k(r) for r in 1..twice(n)
exactly one q per r   "row {r} of {n}"
at most one k
let own = {r for r in 1..n}
expect 6 solutions with n = 3
"""


def open_text(text: str, path: Path | None = None) -> tuple[Document, Analysis]:
    source = Source("m.cover", text) if path is None else read_source(path, path.name)
    document = Document(source.name, Libraries, source.path)
    return document, document.change(source.text)


def lines(text: str, word: str, at: str) -> list[tuple[int, int]]:
    """The places of the name `word` that begins in the text `at`, as line and column."""
    _, analysis = open_text(text)
    names = NameTable(analysis)
    found = names.at(text.index(at) + at.index(word))
    assert found is not None and found.name.id == word
    return [o.span.place for o in names.same(found)]


def test_a_param_is_found_in_labels_and_promises() -> None:
    assert lines(TEXT, "n", "n = 3") == [(1, 7), (2, 18), (5, 31), (6, 36), (8, 26), (9, 25)]


def test_an_index_is_one_with_what_declares_it() -> None:
    assert lines(TEXT, "r", "r, c in") == [(2, 7), (4, 10), (6, 19), (6, 29)]


def test_a_name_that_is_bound_again_is_another_one() -> None:
    assert lines(TEXT, "r", "r) for") == [(5, 10), (5, 17)]
    assert lines(TEXT, "r", "r for r") == [(8, 12), (8, 18)]


def test_a_name_that_nothing_uses_is_known_where_it_is_defined() -> None:
    text = "let a = 1\nlet f(x) = 2\ncells r in 1..2\nchoose q(r)\n"
    for word in ("a", "f", "x", "q"):
        assert len(lines(text, word, f" {word}" if word != "x" else "f(x")) == 1
    document, analysis = open_text(text)
    renamed = rename(document, analysis, text.index("a = 1"), "b")
    assert isinstance(renamed, list) and replaced(analysis.source, renamed, "b") == text.replace("a = 1", "b = 1")


def test_families_that_a_rule_mentions_together_share_their_index() -> None:
    text = "choose f(x) for x in 1..3\nchoose g(x) for x in 1..3\nexactly one f or g per x\n"
    assert lines(text, "x", "x) for") == [(1, 10), (1, 17), (2, 10), (2, 17), (3, 24)]


def test_a_name_of_a_library_leads_there() -> None:
    text = 'use "std/pentominoes"\nlet many = size(pentominoes)\n'
    _, analysis = open_text(text)
    names = NameTable(analysis)
    found = names.at(text.index("pentominoes)"))
    assert found is not None
    (where,) = names.definitions(found)
    assert where.source.name == "std/pentominoes.cover" and where.text == "pentominoes"
    refused = rename(open_text(text)[0], analysis, text.index("pentominoes)"), "all")
    assert isinstance(refused, Refused) and "std/pentominoes.cover" in refused.why


@pytest.mark.parametrize(
    "new, why",
    [
        ("c", "already means"),
        ("n", "already means"),
        ("per", "`per` is a word of the language and can't be a name"),
        ("one", "`one` always means 1"),
        ("1a", "`1a` can't be a name: names begin with a letter or `_`"),
        ("a b", "`a b` can't be a name: there are no spaces in names"),
        ("at least", "`at least` can't be a name: there are no spaces in names"),
        ("a\n", "`a\n` can't be a name: there are no spaces in names"),
        ("a-b", "`a-b` can't be a name: `-` may not stand in one"),
        ("a\0", "`a\0` can't be a name: the character U+0000 may not stand in one"),
        ("", "a name has at least one letter"),
        (" ", "a name has at least one letter"),
    ],
)
def test_a_name_that_would_change_a_meaning_is_refused(new: str, why: str) -> None:
    document, analysis = open_text(TEXT)
    refused = rename(document, analysis, TEXT.index("r, c in"), new)
    assert isinstance(refused, Refused) and why in refused.why


def test_nothing_is_renamed_in_a_broken_model() -> None:
    text = TEXT + "exactly one qq\n"
    document, analysis = open_text(text)
    assert isinstance(rename(document, analysis, text.index("n = 3"), "size_of"), Refused)
    assert isinstance(rename(document, analysis, text.index("param"), "x"), Refused)


@each("path", SOME)
def test_renaming_keeps_a_model_but_for_the_name(path: Path) -> None:
    """Three names of each model get a name that nothing has; what is left is the same model, but for that name."""
    _, analysis = open_text("", path)
    names = list(NameTable(analysis))
    rng = Random(path.stem)
    for found in rng.sample(names, min(3, len(names))):
        spans = rename(open_text("", path)[0], analysis, found.span.start, "quite_new")
        if isinstance(spans, Refused):
            assert "is defined in" in spans.why
            continue
        after = replaced(analysis.source, spans, "quite_new")
        # What a record's fields and the readers' columns are called is text, and may be called like the name.
        old = found.name.id
        back = parse(Source("m", after.replace("quite_new", old)))
        assert back.statements == parse(analysis.source).statements
        assert len(spans) == after.count("quite_new")


def test_each_symbol_is_asked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """To ask for each name takes time quadratic in how often one is used: 5 s at 2000 rules."""
    _, document = open_text("choose f(x) for x in 1..3\n" + "exactly one f\n" * 5)
    names = NameTable(document)
    kinds, shapes = name_kinds(document, names), shape(names)
    monkeypatch.setattr(NameTable, "same", lambda *_: pytest.fail("asked for a name"))
    assert (name_kinds(document, names), shape(names)) == (kinds, shapes)
    assert len(kinds) == 8 and [len(places) for places in shapes] == [6, 2]
