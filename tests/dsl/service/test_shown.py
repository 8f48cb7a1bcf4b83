"""Hovers, signatures, outlines, folds, colours and fixes: what they say, and that no text breaks them."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from random import Random

import pytest

import covr
from covr.compiler.evaluate import bind
from covr.compiler.evaluate.values.members import Isometry, Map, Piece, Record, Seq, Set, Truth
from covr.dsl import Source, parse
from covr.dsl import syntax as s
from covr.dsl.complaints import TWO_WORDS
from covr.dsl.format import tokens
from covr.dsl.grammar import load
from covr.dsl.scope import CONSTANTS, FUNCTIONS, READERS
from covr.dsl.service.complete import Fix, applied, cursor, fixes
from covr.dsl.service.document import Analysis, Document
from covr.dsl.service.function_rows import FUNCTION_ROWS, READER_ROWS, CallRow
from covr.dsl.service.hover import KindFinder, ValueKind, hover, signature
from covr.dsl.service.meanings import meaning, meanings
from covr.dsl.service.names import KINDS, NameTable, coloured, folds, symbols
from covr.inputs.library import Libraries, open_model, read_source
from tests.dsl.models import SOME
from tests.dsl.service.edits import TEXTS, edited
from tests.dsl.service.fuzz import edit
from tests.each import each
from tests.shared import seeds

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
    assert pointed("n", "1..n") == ("n", "param n = 3", "a param: a number")
    assert pointed("twice", "= twice") == ("twice", "let twice(a, b) = a + b", "a function")
    assert pointed("a", "a + b") == ("a", "let twice(a, b) = a + b", "a name within `twice`")
    assert pointed("q", "one q") == ("q", "choose q(r, c)", "a family of choices")
    assert pointed("r", "per r") == ("r", "cells r, c in 1..n", "a declared index: a number")
    assert pointed("r", "{r}") == ("r", "cells r, c in 1..n", "a declared index: a number")
    assert pointed("room", "size(room")[2] == "a value: a set of cells"
    assert pointed("size", "size(") == (
        "size",
        "size(x)",
        "members of a set, list or tuple, keys of a grid, cells of a piece, characters of a text\n\n"
        "For example: `size(box(2, 3)) → 6`",
    )
    assert pointed("area", "area")[1:] == (
        'area """…"""\narea(lattice) """…"""',
        'the set of cells of a picture; `#` and space are outside\n\nFor example: `size(area("..#.")) → 3`',
    )
    assert pointed("choose", "choose q")[1] == "choose f(x, y) for x in SET where CONDITION"


def test_hovers_say_what_the_words_of_the_language_mean() -> None:
    assert pointed("per", "q per") == (
        "per",
        "… per KEYS",
        "A rule holds for each value of the keys. A key is an index, `x in SET`, or an expression over the indices, by "
        "whose value the choices are grouped.\n\nFor example: `exactly one place per band(r), band(c), d`",
    )
    assert pointed("exactly", "exactly")[2].startswith("A rule: for each value of the keys, exactly so many")
    assert pointed("one", "one q")[2].startswith("The number 1.")
    assert pointed("where", "where")[2].startswith("Only what makes the condition true counts")
    assert pointed("solutions", "solutions")[2].startswith("How many answers there are.")


def test_every_word_has_a_meaning_with_an_example_that_has_the_word() -> None:
    shapes = {word for word, terminal in load().lexer.words.items() if terminal == "SHAPE"}  # words of one terminal
    for word in shapes:
        found = meaning("SHAPE", word)
        assert found is not None and found.text.endswith(".") and found.example.startswith(f"{word} "), word
        assert next(token.type for token in tokens(found.example)) == "SHAPE" and word in found.form
    terminals = {*load().lexer.words.values(), *TWO_WORDS, "NOT_IN"} - {"SHAPE"}
    for terminal in terminals:
        found = meaning(terminal, "")
        assert found is not None and found.text.endswith((".", "is -4")), terminal
        kinds = {token.type for token in tokens(found.example)}
        assert terminal in kinds or terminal == "TRUE", (terminal, found.example)
        assert terminal.lower().replace("_", " ") in found.form, terminal
    assert meanings().keys() == {t.lower().replace("_", " ") for t in terminals} | shapes | {*CONSTANTS, "count"}
    for one in meanings().values():
        assert len(parse(Source("example", one.example)).statements) == 1


def test_the_functions_are_explained_as_in_the_definition() -> None:
    """Word for word, but for `file`, whose row leads to another part of the page."""
    page = (Path(__file__).parents[3] / "docs" / "values.md").read_text(encoding="utf-8")
    assert FUNCTION_ROWS.keys() == FUNCTIONS.keys() and READER_ROWS.keys() == READERS.keys()
    for name, row in FUNCTION_ROWS.items():
        calls, example = ", ".join(f"`{form}`" for form in row.forms), f"`{row.example}`" if row.example else "see"
        assert f"| {calls} | {row.gives} | {example}" in page, name
        parameters = [form.partition("(")[2].removesuffix(")").split(", ") for form in row.forms]
        counts = [len(p) for p in parameters if not p[-1].endswith("…")]
        assert all(FUNCTIONS[name].takes(count) for count in counts), name


@pytest.mark.parametrize("row", READER_ROWS.values(), ids=READER_ROWS.keys())
def test_the_examples_of_readers_are_right(row: CallRow) -> None:
    expression, value = row.example.split(" → ")
    text = f"let it = {expression}\nchoose show_it()\nexactly one show_it\nshow it of show_it"
    assert str(covr.loads(text).solve()) == value


@pytest.mark.parametrize(
    "text, kind",
    [
        ("let it = 1 + 2", "a number"),
        ('let it = "a"', "a text"),
        ("let it = 1 < 2 < 3", "true or false"),
        ("let it = {(i, j) for i in 1..3, j in 1..3}", "a set of tuples of 2 numbers"),
        ("let a = box(2, 2)\nlet it = {x for x in a}", "a set of cells"),
        ("let a = box(2, 2)\nlet it = [r + c for (r, c) in a]", "a list of numbers"),
        ("let it = placements({(1, 1)}, box(2, 2))", "a set of sets of cells"),
        ('let it = (1, "a")', "a tuple of 2 values"),
        ('let p = (1, "a")\nlet it = p[2]', "a text"),
        ('let it = table("name") "ann"', None),
        ("let f(x) = if x > 1 then 2 else 3\nlet it = f(1)", "a number"),
        ("let f(x) = f(x)\nlet it = f(1)", None),
        ("let it = it", None),
        ('let g = grid """\n12\n"""\nlet it = g', "a grid"),
        ('let g = grid """\n12\n"""\nlet it = g[1, 1]', None),
        ("let it = (1..2) * (1..3)", "a set of tuples of 2 numbers"),
        ('use "std/pentominoes"\nlet it = pentominoes', "a set of pieces"),
        ("let it = max(1..3)", "a number"),
        ("let it = subsets(1..3, 2)", "a set of sets of numbers"),
    ],
)
def test_what_kind_of_value_a_name_has(text: str, kind: str | None) -> None:
    analysis, names = opened(text)
    found = next((o for o in names if o.name.id == "it" and o.binds), None)
    if found is not None:
        known = KindFinder(analysis).name(found.name)
        assert (None if known is None else known.one) == kind
    else:
        assert kind is None


def is_of(value: object, kind: ValueKind | None) -> bool:
    """Whether a value is of a kind, and so are its parts."""
    if kind is None:
        return True
    types = {"number": int, "text": str, "truth": Truth, "cell": tuple, "piece": Piece, "record": Record, "set": Set,
             "list": Seq, "tuple": tuple, "grid": Map, "map": Map, "symmetry": Isometry}  # fmt: skip
    if not isinstance(value, types[kind.word]):
        return False
    if kind.word == "tuple":
        assert isinstance(value, tuple)
        return len(value) == len(kind.of) and all(is_of(part, of) for part, of in zip(value, kind.of, strict=True))
    parts = value if isinstance(value, Set | Seq) and kind.of else ()
    return all(is_of(part, kind.of[0]) for part in islice(parts, 100))


@each("path", SOME)
def test_kinds_of_constants_are_those_of_their_values(path: Path) -> None:
    """What is said without evaluating anything is so: the constants of every model, evaluated, are of that kind."""
    source = read_source(path, path.name)
    analysis = Document(source.name, Libraries, source.path).change(source.text)
    finder = KindFinder(analysis)
    values = bind(open_model(str(path))).known_values
    for statement in analysis.statements:
        if isinstance(statement, s.Param | s.Let) and statement.name.id in values:
            kind = finder.name(statement.name)
            assert kind is None or is_of(values[statement.name.id], kind), (statement.name.id, kind)


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
        ("let x = box(2, ", "box(h, w)", 1),
        ("let x = box(2, 3, ", "box(d, h, w)", 2),
        ("let x = min(2, 3, 4, ", "min(a, b, …)", 3),
        ("let x = grid(", "grid(rows, columns)", 0),
        ("let x = solids(", 'solids("…")', 0),
        ("let x = table(1, ", 'table("name", "name…")', 1),
        ("let x = [twice(1, 2), ", None, 0),
        ("let x = twice(1, 2) + ", None, 0),
        ("let x = (1, ", None, 0),
    ],
)
def test_the_argument_being_typed_is_known(typed: str, label: str | None, active: int) -> None:
    analysis, _ = opened(TEXT + typed)
    found = signature(analysis, cursor(analysis, len(TEXT + typed)))
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


def test_statements_and_comments_can_be_folded() -> None:
    analysis, _ = opened(TEXT)
    assert [(f.first, f.last, f.kind) for f in folds(analysis)] == [
        (3, 4, "comment"),
        (7, 10, "block"),
        (7, 10, "statement"),
        (13, 14, "statement"),
    ]


def test_words_are_coloured_by_what_they_mean() -> None:
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
    return [applied(text, fix) for fix in every_fix(text)[number]]


def every_fix(text: str) -> list[list[Fix]]:
    """The fixes of each of its faults."""
    document = fresh()
    analysis = document.change(text)
    return [fixes(document, analysis, fault) for fault in analysis.faults]


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
    found = [applied(HEAD + wrong, fix) for found in every_fix(HEAD + wrong) for fix in found]
    assert HEAD + right in found


def test_what_is_never_used_is_removed_or_allowed() -> None:
    text = HEAD + "let a = 1   # a remark\n"
    assert mended(text) == [HEAD, HEAD + "# covr: allow W101\n" + text[len(HEAD) :]]


def test_a_fix_is_offered_only_if_it_helps() -> None:
    """`did you mean` is right about the word, but the statement stays broken in another way."""
    assert every_fix(HEAD + "exactly one q per (r +\n")[0] == []


@each("path", SOME)
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


@each("seed", seeds(20))
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
            signature(analysis, cursor(analysis, at))
        for fault in analysis.faults[:2]:
            offered: list[Fix] = fixes(document, analysis, fault)
            assert all(0 <= f.span.start <= f.span.end <= len(text) for f in offered)


def test_edits_one_after_another_end_as_the_text_does() -> None:
    rng = Random(5)
    document, text = fresh(), rng.choice(TEXTS)
    for _ in range(40):
        text = edit(document, text, rng)
