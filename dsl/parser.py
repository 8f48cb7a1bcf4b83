"""Text → Module: drives the LALR parser token by token, and continues after an error with the next statement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from covr.dsl import syntax as s
from covr.dsl.diagnostics import Diagnostic, ModelErrors
from covr.dsl.echoes import without_echoes
from covr.dsl.faultless import Faultless
from covr.dsl.gc_paused import gc_paused
from covr.dsl.grammar import Parsing, load
from covr.dsl.lexer import STATEMENTS
from covr.dsl.source import Source, Span
from covr.dsl.tokens import Token, Tree, Unexpected
from covr.dsl.tree import MAX_DEPTH, MAX_FAULTS, Node, TreeBuilder, too_deep
from covr.frozen import frozen

if TYPE_CHECKING:
    from covr.dsl.complaints import Failure

MAX_STACK = 10 * MAX_DEPTH  # entries on the parser's stack
MAX_TEXT = 10_000_000  # characters of a model
MAX_TOKENS = 250_000  # words and signs of a model; those that are read twice after a syntax error count twice
PAIRS = {"(": ")", "[": "]", "{": "}"}


def parse(source: Source) -> s.Module:
    """The syntax tree of a file, without looking up any name.

    Raises ModelErrors with the first hundred syntax faults, in source order: at most one for each statement, and those
    inside its texts. Time O(length of the text).
    """
    fault = unreadable(source)
    if fault is not None:
        raise ModelErrors([fault])
    with gc_paused():
        return Parser(source).module()


def unreadable(source: Source) -> Diagnostic | None:
    """The fault of a text that cannot be a model at all, whatever its syntax; None if there is none."""
    text = source.text
    if len(text) > MAX_TEXT:
        return Diagnostic("E007", f"a model has at most {MAX_TEXT} characters, and this one {len(text)}")
    at = text.find("\0")
    if at >= 0:
        return Diagnostic("E007", "this is not text: it contains a zero byte", Span(source, at, at + 1))
    return None


@frozen
class Resumed:
    """A fault of syntax in a text. failed: the offset of what did not fit. again: that at which parsing went on, None
    if nowhere."""

    text: str
    failed: int
    again: int | None

    def places(self) -> tuple[int, ...]:
        """The offset where parsing went on; if nowhere, those from which a place may have been looked for."""
        if self.again is not None:
            return (self.again,)
        line = self.text.find("\n", self.failed)
        end = len(self.text)
        return (min(self.failed + 1, end), min(self.failed + 3, end), line if line >= 0 else end)


class Parser:
    """Parses one file. faults: those found so far.

    resumed: for each fault of syntax, where it was and where parsing went on.
    unfinished: whether the text ended within a statement.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.faults: list[Diagnostic] = []
        self.resumed: list[Resumed] = []
        self.unfinished = False
        self.grammar = load()
        self.tokens = 0

    def module(self) -> s.Module:
        """The tree of the whole text. Raises ModelErrors with all faults."""
        statements = self.statements()
        if self.faults:
            raise ModelErrors(without_echoes(sorted(self.faults, key=Diagnostic.order))[:MAX_FAULTS])
        return s.Module(self.source, tuple(statements))

    def statements(self) -> list[s.Statement]:
        """The statements of the whole text; faults are collected, and parsing goes on after each."""
        text = self.source.text
        at: int | None = 1 if text.startswith("\ufeff") else 0
        at_once = Faultless(self.source, self.grammar, MAX_TOKENS)
        found = at_once.statements(at or 0)
        if found is not None:
            self.tokens = at_once.tokens
            return found
        statements: list[s.Statement] = []
        while at is not None:
            tree, failure = self.run("start", text, at)
            again = None
            if failure is not None:
                fault, again = self.complain(self.source, failure)
                self.faults.append(fault)
                self.resumed.append(Resumed(text, failure.token.start_pos or 0, again))
                self.unfinished |= failure.token.type == "$END"
                begun = failure.statement.start_pos if failure.statement is not None else failure.token.start_pos
                tree, _ = self.run("start", text, at, max(at, begun or 0))
            if tree is not None:
                self.collect(tree, statements)
            at = again if len(self.faults) < MAX_FAULTS else None
        return statements

    def too_long(self) -> Diagnostic:
        """The fault that the text has too many words and signs (E007)."""
        message = f"this model has more than {MAX_TOKENS:,} words and signs"
        return Diagnostic("E007", message, Span(self.source, 0, 0), "put data into a picture or a file")

    def collect(self, tree: Node, statements: list[s.Statement]) -> None:
        """Add the statements of a tree to the list, without those that nest too deeply to be built."""
        builder = TreeBuilder(self.source, self.hole, self.faults)
        for child in tree.children:
            if isinstance(child, Tree) and (built := builder.build(child)) is not None:
                statements.append(built)

    def hole(self, text: str, offsets: Sequence[int]) -> s.Expr | None:
        """The expression in a hole of a template; None, with a fault reported, if it is not one."""
        tree, failure = self.run("expr", text)
        if failure is not None:
            fault, _ = self.complain(Source(self.source.name, text), failure)
            self.faults.append(moved(fault, self.source, offsets))
            return None
        return TreeBuilder(self.source, self.hole, self.faults, offsets).build(tree)  # type: ignore[no-any-return]

    def complain(self, source: Source, failure: Failure) -> tuple[Diagnostic, int | None]:
        """The fault for a point where parsing failed, and where to go on."""
        from covr.dsl.complaints import complain

        return complain(source, self.grammar, failure)

    def run(self, start: str, text: str, at: int = 0, end: int | None = None) -> tuple[Any, Failure | None]:
        """The tree of a text from `at` to `end`, or the point where parsing failed."""
        from covr.dsl.complaints import Failure  # a text without a fault is not read here

        parsing = Parsing(self.grammar, text, start, at, end)
        stack = parsing.stack
        last = second = statement = None
        before: list[int] = []
        opened: list[Token] = []
        first: int | None = None
        tree = None
        for token in parsing.tokens():
            self.tokens += 1
            if self.tokens > MAX_TOKENS:
                raise ModelErrors([*self.faults, self.too_long()])
            earlier, before = before, list(stack)
            try:
                tree = parsing.feed(token)
            except Unexpected:
                return None, Failure(token, last, second, before, earlier, statement, tuple(opened))
            if token.type in STATEMENTS and start == "start" and begins(stack, first):
                statement = token
                first = stack[1] if len(stack) == 2 else first
            if token in PAIRS:
                opened.append(token)
            elif opened and token == PAIRS[opened[-1]]:
                opened.pop()
            if len(opened) > MAX_DEPTH or len(stack) > MAX_STACK:
                return None, Failure(token, last, second, before, earlier, statement, tuple(opened), deep=True)
            last, second = token, last
        return tree, None


def begins(stack: Sequence[int], first: int | None) -> bool:
    """Whether the word just read begins a statement.

    stack: the parser's states behind it: the start, the statements before it if there are any, and the word.
    first: the state behind the word of the first statement.
    """
    return len(stack) == 2 or (len(stack) == 3 and stack[1] != first)


def moved(fault: Diagnostic, source: Source, offsets: Sequence[int]) -> Diagnostic:
    """A fault found in the text of a hole, moved to its place in the source."""
    assert fault.span is not None
    start = offsets[fault.span.start]
    # The end is that of the last character in the span; the next character may begin later, after an escape.
    end = offsets[fault.span.end - 1] + 1 if fault.span.end > fault.span.start else start
    return Diagnostic(fault.code, fault.message, Span(source, start, max(start, end)), fault.help, fault.notes)


__all__ = ["MAX_TEXT", "parse", "too_deep"]
