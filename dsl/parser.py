"""Text → Module: drives Lark's LALR parser token by token, and goes on after an error with the next statement."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from lark import Token, Tree, UnexpectedToken
from lark.utils import TextSlice

from covr.dsl import syntax as s
from covr.dsl.diagnostics import Diagnostic, ModelErrors
from covr.dsl.grammar import load
from covr.dsl.lexer import STATEMENTS
from covr.dsl.source import Source, Span
from covr.dsl.tree import Node, TreeBuilder

MAX_DEPTH = 200  # levels of expressions in each other
MAX_STACK = 10 * MAX_DEPTH  # entries on the parser's stack
MAX_TEXT = 10_000_000  # characters of a model


def parse(source: Source) -> s.Module:
    """What a file says, nothing looked up.

    Raises ModelErrors with every syntax fault, in source order: at most one a statement, besides those inside
    its texts. Time O(length of the text).
    """
    return Parser(source).module()


class Parser:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.faults: list[Diagnostic] = []
        self.grammar = load()

    def module(self) -> s.Module:
        text = self.source.text
        at = 1 if text.startswith("\ufeff") else 0
        statements: list[s.Statement] = []
        tree = self.run("start", TextSlice(text, at, len(text)))
        if tree is not None:
            statements += self.statements(tree)
        if self.faults:
            raise ModelErrors(sorted(self.faults, key=Diagnostic.order))
        return s.Module(self.source, tuple(statements))

    def statements(self, tree: Node) -> Iterator[s.Statement]:
        builder = TreeBuilder(self.source, self.hole, self.faults)
        for child in tree.children:
            assert isinstance(child, Tree)
            yield builder.build(child)

    def hole(self, text: str, offsets: Sequence[int]) -> s.Expr | None:
        tree = self.run("expr", TextSlice(text, 0, len(text)), offsets)
        if tree is None:
            return None
        return TreeBuilder(self.source, self.hole, self.faults, offsets).build(tree)  # type: ignore[no-any-return]

    def run(self, start: str, text: TextSlice[str], offsets: Sequence[int] | None = None) -> Any:
        parser = self.grammar.parse_interactive(text, start)
        state = parser.parser_state
        last = None
        try:
            for token in parser.lexer_thread.lex(state):
                state.feed_token(token)
                last = token
            return parser.feed_eof(last)
        except UnexpectedToken as error:
            token = error.token
            begin, end = token.start_pos or 0, token.end_pos or 0
            if offsets is not None:
                begin, end = offsets[begin], offsets[end]
            self.faults.append(Diagnostic("E001", f"unexpected `{token}`", Span(self.source, begin, end)))
            return None


__all__ = ["STATEMENTS", "parse"]
