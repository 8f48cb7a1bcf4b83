"""Reads a text in one go, as long as nothing is wrong with it.

A text without a fault needs no more than its tree: nobody asks what stood before a word, or what would have fitted in
its place. So it is cut, parsed and built here in one loop, by the same tables, the same `made_of` and the same methods
of TreeBuilder; at the first thing that is wrong, everything is thrown away, and Parser (parser.py) reads the text again
and says what it is. A faulty text takes one more pass; all others are read in half the time.

Every open bracket has its place on the parser's stack, so that a stack of MAX_DEPTH entries holds no more of them; a
larger one is left to Parser, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from covr.dsl import syntax as s
from covr.dsl.diagnostics import Diagnostic
from covr.dsl.grammar import Grammar, made_of
from covr.dsl.source import Source, Span
from covr.dsl.tokens import Child, Token, Tree
from covr.dsl.tree import MAX_DEPTH, TreeBuilder
from covr.dsl.tree.nodes import FLAT

Method = Callable[[TreeBuilder, Tree, Span], Any]


class Faulty(Exception):
    """Something is wrong with the text, or it must be read with more care."""


class Faultless:
    """Reads one text. most: how many words and signs it may have. tokens: how many it had, with those of its templates
    and the end of each, as Parser counts them."""

    def __init__(self, source: Source, grammar: Grammar, most: int) -> None:
        self.source, self.grammar, self.most = source, grammar, most
        self.faults: list[Diagnostic] = []
        self.tokens = 0

    def statements(self, at: int) -> list[s.Statement] | None:
        """The statements from `at` on; None if the text must be read with more care."""
        try:
            tree = self._read("start", self.source.text, at, len(self.source.text), None)
        except Faulty:
            return None
        return None if self.faults else [child.value for child in tree.children if isinstance(child, Tree)]

    def _hole(self, text: str, offsets: Sequence[int]) -> s.Expr:
        """The expression in a hole of a template."""
        if isinstance(offsets, range):  # it stands in the source as it is
            tree = self._read("expr", self.source.text, offsets[0], offsets[-1], None)
        else:
            tree = self._read("expr", text, 0, len(text), offsets)
        return tree.value  # type: ignore[no-any-return]

    def _read(self, start: str, text: str, at: int, end: int, offsets: Sequence[int] | None) -> Tree:
        """The tree of a text, its parts built. What Parsing.feed does for a token is written out here."""
        grammar, lexer = self.grammar, self.grammar.lexer
        states, rules, units, above, known = (
            grammar.states, grammar.rules, grammar.units, grammar.above, grammar.known_above
        )  # fmt: skip
        kinds, signs, words = lexer.kinds, lexer.signs, lexer.words
        builder, methods = TreeBuilder(self.source, self._hole, self.faults, offsets), _methods(grammar)
        last = grammar.ends[start]
        stack = [grammar.starts[start]]
        values: list[Child] = []
        for found in lexer.gapless.finditer(text, at, end):
            group = found.lastindex or 0
            begin, stop = found.span(group) if group else (end, end)
            value = text[begin:stop]
            kind = kinds[group] or signs[value]
            if kind == "NAME" and value in words and lexer.is_word(words[value], text, begin, end, stack[-1]):
                kind = words[value]
            token = Token(kind, value, begin, stop)
            while True:
                to = states[stack[-1]].get(kind)
                if to is None:
                    raise Faulty
                if to >= 0:
                    stack.append(to)
                    values.append(token)
                    break
                if units[~to]:
                    key = stack[-2], stack[-1], kind
                    stack[-1] = known.get(key) or above(*key)
                else:
                    size, origin, name, single, kept = rules[~to]
                    children = values[-size:] if size else []
                    if size:
                        del stack[-size:], values[-size:]
                    method = methods.get(~to)
                    if method is None:
                        values.append(made_of(name, single, kept, children))
                    else:
                        values.append(self._built(name, kept, children, method, builder))
                    stack.append(states[stack[-1]][origin])
                if not group and stack[-1] == last:
                    self.tokens += 1
                    assert type(values[-1]) is Tree
                    return values[-1]
            self.tokens += 1
            if len(stack) > MAX_DEPTH or self.tokens > self.most:
                raise Faulty
        raise Faulty

    def _built(
        self,
        name: str,
        kept: list[tuple[int, bool]] | None,
        children: list[Child],
        method: Method,
        builder: TreeBuilder,
    ) -> Tree:
        """What `made_of` makes of parts that are built, with its node."""
        first, last = children[0], children[-1]
        inner = children
        if kept is not None:
            inner = []
            for at, inlined in kept:
                if inlined:
                    inner += children[at].children  # type: ignore[union-attr]
                else:
                    inner.append(children[at])
        tree = Tree(
            name,
            inner,
            first.start_pos if type(first) is Token else first.outer_start,  # type: ignore[union-attr]
            last.end_pos if type(last) is Token else last.outer_end,  # type: ignore[union-attr]
        )
        height = -1
        for child in inner:
            if type(child) is Tree and child.height > height:
                height = child.height
        tree.height = 0 if height < 0 else height + (name not in FLAT)
        if height >= MAX_DEPTH:
            raise Faulty
        tree.value = method(builder, tree, builder.span(tree))
        return tree


@lru_cache(1)
def _methods(grammar: Grammar) -> dict[int, Method]:
    """The methods for all rules that always make a node, by the numbers of the rules."""
    own = {name[1:]: getattr(TreeBuilder, name) for name in dir(TreeBuilder) if name[0] == "_" != name[1]}
    return {
        at: own[name]
        for at, (size, _, name, single, _) in enumerate(grammar.rules)
        if name in own and size and not single
    }


__all__ = ["Faultless"]
