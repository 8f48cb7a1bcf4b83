"""Limits of texts, recovery, and models damaged in every way: nothing but ModelErrors is ever raised."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covr.dsl import Diagnostic, ModelErrors, Source, load_model, parse, render
from covr.dsl.grammar import load
from covr.dsl.lexer import DEPENDENT
from covr.dsl.parser import MAX_TEXT, Parser, readable
from tests.dsl.models import FOLDER, MODELS, SOME
from tests.each import each

pytestmark = pytest.mark.long

TOKEN = re.compile(r'"""(?:[^"]|"(?!""))*"""|"[^"\n]*"|#[^\n]*|\w+|[^\w\s]')
FEW = 6  # places in a model; there are 250 models
_T = TypeVar("_T")
INSTEAD = ["", "per", "choose", "x", "3", '"', '"""', "(", ")", "}", "=", "§", "cells"]


def faults(text: str) -> tuple[Diagnostic, ...]:
    """What is wrong with a text, by parsing and by checking; every fault must render."""
    try:
        load_model(Source("m.cover", text), library)
    except ModelErrors as errors:
        assert all(render(d) for d in errors.diagnostics)
        assert list(errors.diagnostics) == sorted(errors.diagnostics, key=start)
        return errors.diagnostics
    return ()


def start(fault: Diagnostic) -> tuple[bool, int]:
    return (fault.span is not None and fault.span.source.name == "m.cover", fault.span.start if fault.span else 0)


def library(path: str, user: Source) -> Source | None:
    found = FOLDER / f"{path}.cover"
    return Source(path, found.read_text(encoding="utf-8")) if found.is_file() else None


def one(text: str) -> Diagnostic:
    with pytest.raises(ModelErrors) as caught:
        parse(Source("m.cover", text))
    (fault,) = caught.value.diagnostics
    return fault


@each("path", MODELS)
def test_every_model_is_read(path: Path) -> None:
    assert faults(path.read_text(encoding="utf-8")) == ()


def some(places: Sequence[_T], slow: bool) -> Sequence[_T]:
    """Places of a text that are damaged: `FEW` of them, at equal distances, or with `--slow` all."""
    return places if slow else places[len(places) % 7 :: 1 + len(places) // FEW]


@each("path", SOME)
def test_a_model_may_be_cut_off_anywhere(path: Path, slow: bool) -> None:
    text = path.read_text(encoding="utf-8")
    for end in some(range(len(text)), slow):
        faults(text[:end])


@each("path", SOME)
def test_any_token_of_a_model_may_be_replaced(path: Path, slow: bool) -> None:
    text = path.read_text(encoding="utf-8")
    for at, token in some(list(enumerate(TOKEN.finditer(text))), slow):
        other = INSTEAD[at % len(INSTEAD)]
        faults(text[: token.start()] + other + text[token.end() :])


@given(st.text(max_size=200))
def test_any_text_gives_only_faults(text: str) -> None:
    faults(text)


@given(st.lists(st.sampled_from(TOKEN.findall(" ".join(p.read_text("utf-8") for p in MODELS[:6])) or ["x"])))
def test_any_tokens_give_only_faults(tokens: list[str]) -> None:
    faults(" ".join(t if not t.startswith("#") else "\n" for t in tokens))


# --- limits -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("open_", ["(", "[", "{", "f(", "-", "not ", "if a then ", "if a then 1 else ", "1 + (", "2^"])
def test_deep_nesting_is_one_clear_error(open_: str) -> None:
    fault = one("let n = 3\nlet x = " + open_ * 5_000)
    assert fault.code == "E006"
    assert fault.message == "more than 200 levels of expressions in each other"
    assert fault.span is not None and fault.span.place[0] == 2


@pytest.mark.parametrize("chain", ["1 + ", "x or ", "x[1] - ", "1 * "])
def test_long_chains_are_deep(chain: str) -> None:
    assert one("let x = " + chain * 5_000 + "1").code == "E006"


def test_long_lists_are_not_deep() -> None:
    module = parse(Source("m.cover", "let x = {" + "1, " * 20_000 + "1}"))
    assert len(module.statements) == 1


def test_long_numbers_are_refused() -> None:
    assert one("let x = " + "9" * 5000).code == "E005"
    assert parse(Source("m.cover", "let x = " + "9" * 1000)).statements


def test_what_is_no_text_is_refused() -> None:
    assert one("let x = 3\0").code == "E007"
    assert one(" " * (MAX_TEXT + 1)).code == "E007"


def test_newlines_and_marks_of_other_systems_change_nothing() -> None:
    plain = 'title "a"\nparam g = grid """\n  12\n  34\n"""\nlet x = 3\n'
    wanted = parse(Source("m", plain)).statements
    assert parse(Source("m", plain.replace("\n", "\r\n"))).statements == wanted
    assert parse(Source("m", "\ufeff" + plain)).statements == wanted


def test_errors_end_somewhere() -> None:
    with pytest.raises(ModelErrors) as caught:
        parse(Source("m.cover", "let = 3\n" * 5000))
    assert len(caught.value.diagnostics) == 100


def test_a_statement_has_one_error() -> None:
    found = faults("let x = (3 + + 4] ) where\nlet y = 3\nexactly one two three four five\nlet z = y")
    assert [d.span.place[0] for d in found if d.span] == [1, 3]


def listed(number: int, before: str = "x") -> str:
    return ", ".join(f"{before}{i}" for i in range(number))


@pytest.mark.parametrize(
    "text",
    [
        "choose f(" + listed(101) + ")", "cells " + listed(101) + " in 1..2",
        "let a = {1 for " + listed(101) + " in 1..2}",
        "let f(" + listed(101) + ") = 1", "choose f(i) for i in 1..2 exactly one f per " + ", ".join(["i"] * 101),
        "choose f(i) for i in 1..2 exactly one " + " or ".join(["f"] * 101),
        "choose f(i) for i in 1..2, " + ", ".join(f"x{i} in 1..2" for i in range(100)),
        "\n".join(f"cells x{i} in 1..2" for i in range(1001)),
        "\n".join(f"choose f{i}(x) for x in 1..2" for i in range(1001)),
    ],
)  # fmt: skip
def test_too_many_parts_are_refused(text: str) -> None:
    with pytest.raises(ModelErrors) as caught:
        load_model(Source("x", text), lambda path, source: None)
    assert [d.code for d in caught.value.diagnostics] == ["E012"]


def test_a_hundred_are_allowed() -> None:
    text = "choose f(" + listed(50) + ") for " + listed(100) + " in 1..1 exactly one f per " + listed(50)
    assert len(load_model(Source("x", text), lambda path, source: None).statements) == 2


def test_faults_of_names_are_counted() -> None:
    with pytest.raises(ModelErrors) as caught:
        load_model(Source("x", "let a = 1\n" * 300), lambda path, source: None)
    assert len(caught.value.diagnostics) == 100


def test_a_long_line_is_shown_in_part_and_at_once() -> None:
    text = "let a = [" + "1, " * 20_000 + "?" + ", 1" * 1_000 + "]"
    with pytest.raises(ModelErrors) as caught:
        parse(Source("x", text))
    said = render(caught.value.diagnostics[0])
    line, carets = said.split("\n")[3:5]
    assert line[carets.index("^")] == "?" and len(line) < 140


def test_bad_escapes_are_counted() -> None:
    with pytest.raises(ModelErrors) as caught:
        parse(Source("x", 'use "' + "\\q" * 5000 + '"'))
    assert len(caught.value.diagnostics) == 100
    with pytest.raises(ModelErrors) as caught:
        parse(Source("x", 'title "' + "{}" * 5000 + '"'))
    assert len(caught.value.diagnostics) == 100


def test_what_stands_before_does_not_change_a_fault() -> None:
    """The word of the first statement was once taken for that of another one."""
    text = "exactly\ncells one f per x\n"
    alone, behind = Source("a", text), Source("b", "let a = 1\n" + text)
    with pytest.raises(ModelErrors) as first:
        parse(alone)
    with pytest.raises(ModelErrors) as second:
        parse(behind)
    assert [d.message for d in first.value.diagnostics] == [d.message for d in second.value.diagnostics]


# Parts of texts that begin, end or contain what is read in another way than words and signs.
PARTS = [
    "let n = ", "f(a, b)", "1..n", '"{a} and {b + 1}"', '"{{x}} {f({1, 2})}"', '"\\n {a}"', '"{ "}" }"', '"{}"',
    "per r, c", "choose f(r)", "exactly one f ", "at least", "at", "total", "not in", "where", "{x for x in s}",
    "grid(2) \"\"\"\n 1 2\n\"\"\"", "# text\n", "(", ")", "§", "\n", "if a then b else c", "-x", "as dark",
    "show r of f at ", "'", "9" * 1001,
    "at\tmost", "if and\nonly  if f(x) then", "then maximize", "not\r\n in", "up to", "answers by f",
    "all\tdifferent", "all alike f of", "at clue",
    "clue c[k] = 1 of f", "total 1 of f", "no f", "all", "{}", "[]", "()", "é1", "²", "٣", "x٣", "_a", "1x", "a.b",
    "->", "<=", "!=", "!", "a != b < c", "\f", '""', '""""', '"""x"y""z"""', '"a\\"b"', '"\\', "for x in s",
    "[x for x in s]", "(x,)", "{a: b}", "div",
    "at leastx", "at  least_", "#", "if f(x) and not g(x) then", "\u00a0", "'", "\x00",
]  # fmt: skip
DEEP = [(before, many) for before in ("(", "-", "[", "f(", "not ") for many in (199, 200, 201, 300)]
CLOSED = {"(": ")", "[": "]", "f(": ")"}


@given(st.lists(st.sampled_from(PARTS), max_size=12).map(" ".join))
def test_a_text_is_readable_if_parsing_it_finds_no_fault(text: str) -> None:
    parser = Parser(Source("m.cover", text))
    parser.statements()
    assert readable(Source("m.cover", text)) == (not parser.faults)


@pytest.mark.parametrize("text", ["let n = {}", 'title "{{{}}}"'])
def test_a_text_nests_as_deeply_as_is_allowed_and_no_deeper(text: str) -> None:
    for before, many in DEEP:
        deep = Source("m.cover", text.format(f"{before * many}1{CLOSED.get(before, '') * many}"))
        parser = Parser(deep)
        parser.statements()
        assert readable(deep) == (not parser.faults), (before, many)
        assert not parser.faults if many < 200 else parser.faults or many == 200
        assert all(fault.code == "E006" for fault in parser.faults)


GAPS = ["", " ", "\n", "\t", "\f", "# c", "# c\n", "#\n", " # c \n "]
NEXT = [
    "(",
    "[",
    '"',
    "9",
    "clue",
    "clue a",
    "clue a[",
    "clue # c\n a # c\n [",
    "clue(",
    "clue 1[",
    "a",
    "a[",
    "é [",
    "",
]


@given(st.data())
def test_a_plain_name_behind_a_word_makes_it_no_name(data: st.DataObject) -> None:
    """The lexer asks the grammar's expression only if another word stands there: both come to the same."""
    lexer = load().lexer
    word = data.draw(st.sampled_from(sorted(DEPENDENT)))
    parts = st.sampled_from([*NEXT, *lexer.words, *(text + "x" for text in lexer.words)])
    text = word + "".join(data.draw(st.lists(st.one_of(st.sampled_from(GAPS), parts), max_size=5)))
    end = data.draw(st.integers(len(word), len(text)))
    if re.match(r"\w+", text[:end])[0] == word:  # type: ignore[index]
        kind = DEPENDENT[word]
        state = next(state for state in range(len(load().made["rows"])) if kind in load().states[state])
        assert lexer.is_word(kind, text, 0, end, state) == bool(lexer.follows(kind).match(text, 0, end))
