"""Every regular expression that looks at a link, or at what a file of records holds, takes time in proportion to it."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import covr
from covr.inputs.records import BEHIND
from covr.links.sudokupad import _TOKEN, unzipped
from tests.links.regex_steps import Steps

PACKAGE = Path(covr.__file__).parent
ROOMS = ("links", "inputs")
ALSO = ("covr.compiler.grids.games",)
CALLS = ("match", "fullmatch", "search", "sub", "split", "findall", "finditer")
ANCHORED = ("match", "fullmatch")
SHORT = 40  # characters of a text, and twice as many
MOST_GROWTH = 2.5  # steps for twice the length


def _sources() -> Iterator[tuple[str, Path]]:
    for room in ROOMS:
        for path in sorted((PACKAGE / room).glob("*.py")):
            yield f"covr.{room}.{path.stem}", path
    for name in ALSO:
        yield name, Path(str(import_module(name).__file__))


def _flags(call: ast.Call) -> int:
    words = [word.attr for arg in call.args[2:] for word in ast.walk(arg) if isinstance(word, ast.Attribute)]
    return sum({int(getattr(re, word)) for word in words})


def _patterns() -> dict[str, tuple[re.Pattern[str], bool]]:
    """Each pattern by its place, and whether it is tried at every place of a text."""
    found: dict[str, tuple[re.Pattern[str], bool]] = {}
    texts = {path: path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py")}
    texts |= {path: path.read_text(encoding="utf-8") for _, path in _sources()}
    for name, path in _sources():
        module = import_module(name)
        for variable, value in vars(module).items():
            if isinstance(value, re.Pattern) and re.search(rf"^{variable} = ", texts[path], re.MULTILINE):
                uses = {use for text in texts.values() for use in re.findall(rf"\b{variable}\.([a-z]+)\(", text)}
                found[f"{name}.{variable}"] = value, not uses <= set(ANCHORED)
        for node in ast.walk(ast.parse(texts[path])):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CALLS):
                continue
            if isinstance(node.func.value, ast.Name) and node.func.value.id == "re":
                (text, *_) = node.args
                assert isinstance(text, ast.Constant), f"{name}:{node.lineno}: a pattern that is made at each call"
                place = f"{name}:{node.func.attr}:{text.value[:20]!r}"
                found[place] = re.compile(str(text.value), _flags(node)), node.func.attr not in ANCHORED
    return found


PATTERNS = _patterns()


def _pieces(pattern: str) -> list[str]:
    """Signs and words of a pattern, and a sign of each sort that it names."""
    words = re.findall(r"[A-Za-z0-9]{2,}", re.sub(r"\\.|\[[^\]]*\]|\{[^}]*\}|\(\?[:P!<=]*", " ", pattern))[:2]
    signs = [sign for sign in "'\\# \n/.=a1-<%" if sign in pattern or re.search(r"\\[sw]|\[\^|\.[*+]", pattern)]
    sorts = {r"\s": " ", r"\w": "a", "0-9": "1", "a-z": "a", "A-Z": "A", "[^": "x"}
    return list(dict.fromkeys([*words, *signs, *(sign for sort, sign in sorts.items() if sort in pattern)]))[:9]


def _steps(pattern: re.Pattern[str], everywhere: bool, text: str) -> int:
    counted = Steps(pattern)
    if everywhere:
        counted.search(text)
    else:
        counted.match(text)
    return counted.steps


def _growth(pattern: re.Pattern[str], everywhere: bool) -> tuple[float, str]:
    """How much more steps the worst of the texts takes that are made to make it work, for twice the length."""
    pieces, worst = _pieces(pattern.pattern), (0.0, "")
    for one, two, last in product(pieces, ["", *pieces], ("", "\0")):
        unit = one + two
        small, large = ((unit * SHORT)[: SHORT * k] + last for k in (1, 2))
        growth = (_steps(pattern, everywhere, large) + 1) / (_steps(pattern, everywhere, small) + 30)
        worst = max(worst, (growth, unit))
    return worst


@pytest.fixture(autouse=True)
def _deep() -> Iterator[None]:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)
    yield
    sys.setrecursionlimit(before)


@pytest.mark.parametrize("place", PATTERNS)
def test_twice_the_text_takes_twice_the_steps(place: str) -> None:
    pattern, everywhere = PATTERNS[place]
    growth, unit = _growth(pattern, everywhere)
    assert growth <= MOST_GROWTH, f"{unit!r} again and again"


def test_the_law_finds_what_it_is_for() -> None:
    """The patterns as they were, and two that take several times as long with each sign."""
    for text, unit in ((r"""'(?:\\.|[^'\\])*'|[{}\[\],:]|[^{}\[\],:']+|'""", "'\\"), (r"\s+#.*$", " ")):
        few, many = (_steps(re.compile(text), True, unit * long) for long in (SHORT, 2 * SHORT))
        assert many > 3 * few
    for text in (r"(?:a|aa)*#", r"(?:a+)*#"):
        few, many = (_steps(re.compile(text), False, "a" * long) for long in (5, 10))
        assert many > 5 * few


@given(st.sampled_from(sorted(PATTERNS)), st.text("'\\#ab1 :/.=?\n{}[],-%z<N4Ipenwd\"&|", max_size=30))
def test_the_steps_are_those_of_a_matcher_that_finds_what_pythons_does(place: str, text: str) -> None:
    pattern, _ = PATTERNS[place]
    counted = Steps(pattern)
    assert counted.search(text)[:3] == [found.span() for found in pattern.finditer(text)][:3] or not text
    begins = pattern.match(text)
    assert counted.match(text) == (None if begins is None else begins.end())


@given(st.text(" \t#ab\n\x1c\u3000", max_size=30))
def test_what_stands_behind_a_record_is_what_it_was(line: str) -> None:
    assert BEHIND.sub("", line) == re.sub(r"\s+#.*$", "", line)


@given(st.text("'\\{}[],:ab1 \n", max_size=30))
def test_the_tokens_of_a_whole_text_are_what_they_were(text: str) -> None:
    before = re.findall(r"""'(?:\\.|[^'\\])*'|[{}\[\],:]|[^{}\[\],:']+|'""", text, re.DOTALL)
    found = _TOKEN.findall(text)
    assert "".join(found) == text
    if "'" not in before:
        assert found == before


def test_an_unclosed_text_is_one_token() -> None:
    assert len(_TOKEN.findall("{a:" + "'\\" * 100_000)) < 6 and len(_TOKEN.findall("'" + "\\'" * 500_000)) == 1
    assert unzipped("{a:'it\\'s',b:[,'']}") == {"a": "it's", "b": [{}, ""]}
