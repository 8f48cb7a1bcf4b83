"""The walk over syntax trees visits every node once, parents first, in the order of the text."""

from __future__ import annotations

from pathlib import Path

import attrs

from covr.dsl import Source, Span, parse
from covr.dsl import syntax as s
from covr.dsl.scope import operands, parts, walk
from tests.dsl.models import SOME
from tests.each import each


def recursed(node: object) -> list[object]:
    """The same by plain recursion, as the definition says it."""
    if isinstance(node, tuple | list):
        return [found for part in node for found in recursed(part)]
    if not attrs.has(type(node)) or isinstance(node, Span):
        return []
    return [node, *(f for a in attrs.fields(type(node)) for f in recursed(getattr(node, a.name)))]


@each("path", SOME)
def test_every_node_is_met_once_parents_first(path: Path) -> None:
    statements = parse(Source(path.name, path.read_text(encoding="utf-8"))).statements
    found = list(walk(statements))
    assert [id(n) for n in found] == [id(n) for n in recursed(statements)]
    assert found


def expression(text: str) -> s.Expr:
    (statement,) = parse(Source("m", f"let x = {text}")).statements
    assert isinstance(statement, s.Let)
    return statement.value


def names(nodes: object) -> list[str]:
    return [n.id for n in walk(nodes, operands) if isinstance(n, s.Name)]


def test_operands_are_what_is_evaluated() -> None:
    expr = expression("if a and not b then f(c, d[e], {h for x in g where i < j}) else (l, m..n, o.p)")
    assert names(expr) == list("abcdeghijlmno")
    everything = [n.id for n in walk(expr) if isinstance(n, s.Name)]
    assert sorted(everything) == sorted("abcdeghijlmno" + "fx")  # the function and the bound name too


def test_a_comprehension_binds_names_and_so_has_no_parts() -> None:
    expr = expression("{d for e in g where h < i}")
    assert parts(expr) == ()
    assert names(expr) == ["g", "d", "h", "i"]


def test_deep_trees_are_no_matter() -> None:
    expr: s.Expr = s.Name("a", Span(Source("m", "a"), 0, 1))
    for _ in range(5000):
        expr = s.Unary("-", expr, Span(Source("m", "a"), 0, 1))
    assert sum(1 for _ in walk(expr)) == 5001
