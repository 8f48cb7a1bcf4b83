"""Text → syntax tree by the LALR parser, and the way on after a fault."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from covr.dsl import syntax as s
from covr.dsl.diagnostics import Diagnostic, ModelErrors, Source, Span, without_echoes
from covr.dsl.grammar import load
from covr.dsl.lexer import STATEMENTS, Parsing, Token, Tree, Unexpected
from covr.dsl.scope import MAX_FAULTS
from covr.dsl.tree import MAX_DEPTH, Node, TreeBuilder, too_deep

if TYPE_CHECKING:
    from covr.dsl.complaints import Failure

# --- gc paused -------------------------------------------------------------------------------------------------------
# Keeps the garbage collector away from objects that will stay: while they are built, and for good afterwards.
#
# While a parse tree or a matrix of millions of objects is built, Python's collector visits all of them again and again
# and finds nothing to free: a large model would take two and a half times as long. Reference cycles are few and small,
# and are collected later.
#
# Afterwards the objects go to the oldest generation without a visit, by `gc.freeze()` and `gc.unfreeze()`. But scopes
# and functions refer to each other, and Python would not visit the oldest generation for them. So that is done here, by
# Python's own rule, when a quarter of all objects has come since the last visit; never for a command that compiles one
# model.


FEW = 500_000  # objects, of some 70 bytes each: so many more are never a reason to visit all


class _HandedOver:
    """What was handed over to the oldest generation. objects: how many since all were visited.  settled: whether there
    are objects that were frozen, by `settle` for instance, and that `gc.unfreeze()` must not bring back."""

    objects = 0
    settled = False


@contextmanager
def gc_paused() -> Iterator[None]:
    """A context in which the collector is off; afterwards it is as it was before. May be nested."""
    was = gc.isenabled()
    if was and _HandedOver.objects > FEW:
        _visit()
    gc.disable()
    try:
        yield
    finally:
        if was:
            _HandedOver.settled = _HandedOver.settled or gc.get_freeze_count() > 0
            if not _HandedOver.settled:
                _HandedOver.objects += gc.get_count()[0]
                gc.freeze()
                gc.unfreeze()
            gc.enable()


def _visit() -> None:
    """Visit all objects if a quarter of them was handed over."""
    if 4 * _HandedOver.objects > len(gc.get_objects()):
        _HandedOver.objects = 0
        gc.collect()


def settle() -> None:
    """Have the collector look at everything once more, and then no longer at what is left. Time O(objects).

    For a process that keeps a large tree and makes small changes to it, which would otherwise wait for a visit to the
    whole tree now and then. What is replaced is still freed at once, since trees have no cycles.
    """
    _HandedOver.settled = True
    gc.unfreeze()
    gc.collect()
    gc.freeze()


# --- parser ----------------------------------------------------------------------------------------------------------
# Text → Module: drives the LALR parser token by token, and continues after an error with the next statement.


MAX_STACK = 10 * MAX_DEPTH  # entries on the parser's stack
MAX_TEXT = 10_000_000  # characters of a model
MAX_TOKENS = 250_000  # words and signs of a model; those that are read twice after a syntax error count twice
PAIRS = {"LPAR": "RPAR", "LSQB": "RSQB", "LBRACE": "RBRACE"}  # brackets, as terminals
BEGINNINGS = frozenset(STATEMENTS)


def parse(source: Source) -> s.Module:
    """The syntax tree of a file, without looking up any name. Raises ModelErrors with the first hundred syntax faults,
    in source order: at most one for each statement, and those inside its texts. Time O(length of the text)."""
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


class Parser:
    """Parses one file. faults: those found so far."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.faults: list[Diagnostic] = []
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
        statements: list[s.Statement] = []
        while at is not None:
            tree, failure = self.run("start", text, at)
            again = None
            if failure is not None:
                fault, again = self.complain(self.source, failure)
                self.faults.append(fault)
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
                kind = token.type
                if kind in BEGINNINGS and start == "start" and begins(stack, first):
                    statement = token
                    first = stack[1] if len(stack) == 2 else first
                elif kind in PAIRS:
                    opened.append(token)
                elif opened and kind == PAIRS[opened[-1].type]:
                    opened.pop()
                deep = len(opened) > MAX_DEPTH or len(stack) > MAX_STACK
            except Unexpected:
                deep = None
            if deep is not False:
                from covr.dsl.complaints import Failure  # which a text without a fault does not need

                return None, Failure(token, last, second, before, earlier, statement, tuple(opened), bool(deep))
            last, second = token, last
        return tree, None


def readable(source: Source) -> bool:
    """Whether a text has no fault of syntax. Unlike `parse`, it does not work out what the fault is."""
    parser = Parser(source)
    tree, failure = parser.run("start", source.text, int(source.text.startswith("\ufeff")))
    if failure is None:
        parser.collect(tree, [])
    return failure is None and not parser.faults


def begins(stack: Sequence[int], first: int | None) -> bool:
    """Whether the word just read begins a statement. stack: the parser's states behind it: the start, the statements
    before it if there are any, and the word. first: the state behind the word of the first statement."""
    return len(stack) == 2 or (len(stack) == 3 and stack[1] != first)


def moved(fault: Diagnostic, source: Source, offsets: Sequence[int]) -> Diagnostic:
    """A fault found in the text of a hole, moved to its place in the source."""
    assert fault.span is not None
    start = offsets[fault.span.start]
    # The end is that of the last character in the span; the next character may begin later, after an escape.
    end = offsets[fault.span.end - 1] + 1 if fault.span.end > fault.span.start else start
    return Diagnostic(fault.code, fault.message, Span(source, start, max(start, end)), fault.help, fault.notes)


__all__ = ["MAX_TEXT", "parse", "readable", "too_deep"]
