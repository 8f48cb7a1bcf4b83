"""Reading a text in one go (parser.py), and with care: both must come to the same trees, spans and faults."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import attrs

from covr.dsl.diagnostics import Source, Span
from covr.dsl.parser import Faultless, Parser

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
    return plain(statements), parser.faults


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
