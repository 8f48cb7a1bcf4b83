"""Reading a text in one go (faultless.py) makes what reading it with care makes: the same trees, spans and faults."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any
from unittest.mock import patch

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from covr.dsl.faultless import Faultless
from covr.dsl.parser import Parser
from covr.dsl.source import Source, Span
from tests.dsl.models import SOME
from tests.each import each

# Parts of texts that begin, end or contain what is read in another way than words and signs.
PARTS = [
    "let n = ", "f(a, b)", "1..n", '"{a} and {b + 1}"', '"{{x}} {f({1, 2})}"', '"\\n {a}"', '"{ "}" }"', '"{}"',
    "per r, c", "choose f(r)", "exactly one f ", "at least", "at", "total", "not in", "where", "{x for x in s}",
    "grid(2) \"\"\"\n 1 2\n\"\"\"", "# text\n", "(", ")", "§", "\n", "if a then b else c", "-x", "as dark",
    "show r of f at ", "'", "9" * 1001,
]  # fmt: skip


def plain(node: Any) -> Any:
    """A tree with its spans, which are not compared otherwise."""
    if isinstance(node, Span):
        return node.start, node.end
    if isinstance(node, tuple | list):
        return [plain(part) for part in node]
    if attrs.has(type(node)) and not isinstance(node, Source):
        return type(node).__name__, [plain(getattr(node, a.name)) for a in attrs.fields(type(node))]
    return node


def read(text: str) -> tuple[Any, ...]:
    parser = Parser(Source("m.cover", text))
    statements = parser.statements()
    return plain(statements), parser.faults, parser.resumed, parser.unfinished, parser.tokens


def alike(text: str) -> bool:
    """Checks that both ways come to the same; returns whether the text was read in one go."""
    at_once: list[bool] = []
    own = Faultless.statements

    def noted(self: Faultless, at: int) -> Any:
        found = own(self, at)
        at_once.append(found is not None)
        return found

    with patch.object(Faultless, "statements", noted):
        found = read(text)
    with patch.object(Faultless, "statements", lambda self, at: None):
        assert found == read(text)
    assert not (at_once[0] and found[1])
    return at_once[0]


@each("path", SOME)
def test_every_model_is_read_in_one_go(path: Path) -> None:
    text = path.read_text("utf-8")
    assert alike(text)
    damaged = random.Random(path.stem)
    for _ in range(1):
        at = damaged.randrange(len(text))
        alike(text[:at] + damaged.choice(["", "(", '"', "}", "x", "\\"]) + text[at + 1 :])


@given(st.lists(st.sampled_from(PARTS), max_size=12).map(" ".join))
def test_any_text_is_read_alike(text: str) -> None:
    alike(text)


@pytest.mark.parametrize("many", [100, 199, 200, 201, 300])
@pytest.mark.parametrize("deep", ["let n = {0}1{1}", 'title "{{{0}1{1}}}"'])
@pytest.mark.parametrize("ends", [("(", ")"), ("-", ""), ("", " + 1"), ("[", "]"), ("f(", ")"), ("not ", "")])
def test_deep_texts_are_read_alike(deep: str, many: int, ends: tuple[str, str]) -> None:
    alike(deep.format(ends[0] * many, ends[1] * many))
