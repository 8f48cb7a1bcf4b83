"""Reads a text in one go, as long as nothing is wrong with it.

A text without a fault needs no more than its tree: nobody asks what stood before a word, or what would have fitted in
its place. So it is cut, parsed and built in one loop, which is compiled (_reading.py), by the same tables and the same
methods of TreeBuilder; at the first thing that is wrong, everything is thrown away, and Parser (parser.py) reads the
text again and says what it is. A faulty text takes one more pass; all others are read in a fifth of the time.

Every open bracket has its place on the parser's stack, so that a stack of MAX_DEPTH entries holds no more of them; a
larger one is left to Parser, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from covr.dsl import syntax as s
from covr.dsl._reading import FOLLOWS, Faulty, Production, Reading, ReadingTables
from covr.dsl.diagnostics import Diagnostic
from covr.dsl.grammar import Grammar
from covr.dsl.source import Source, Span
from covr.dsl.tokens import Token, Tree
from covr.dsl.tree import MAX_DEPTH, MAX_DIGITS, MOST, TreeBuilder
from covr.dsl.tree.nodes import FLAT
from covr.frozen import names_of

# Rules whose nodes _reading.py makes, and how (HOW there). All others are left to the methods of TreeBuilder.
AT_ONCE: dict[str, tuple[str, type | None]] = {
    "name": ("name", s.Name), "word": ("name", s.Name), "number": ("number", s.Number), "call": ("call", s.Call),
    "index": ("index", s.Index), "unary": ("signed", s.Unary), "binary": ("signed", s.Binary),
    "compare": ("compared", s.Compare), "if_else": ("parts", s.IfElse), "interval": ("parts", s.Range),
    "generator": ("parts", s.Generator), "named": ("parts", s.NamedChoice), "tuple": ("list", s.TupleOf),
    "list": ("list", s.ListOf), "set": ("list", s.SetOf), "map": ("list", s.MapOf), "entry": ("list", s.TupleOf),
    "pattern_tuple": ("list", s.TuplePattern), "arguments": ("tuple", None), "expressions": ("tuple", None),
    "patterns": ("tuple", None), "places": ("tuple", None), "names": ("few", None), "families": ("few", None),
    "when": ("few", None), "together": ("few", None), "generators": ("binding", None), "for": ("first", None),
    "where": ("first", None), "price": ("first", None), "along": ("first", None),
}  # fmt: skip


class Faultless:
    """Reads one text. most: how many words and signs it may have."""

    def __init__(self, source: Source, grammar: Grammar, most: int) -> None:
        self.source, self.grammar = source, grammar
        self.faults: list[Diagnostic] = []
        self._reading = Reading(_reader(grammar), source, most)
        self._builder = TreeBuilder(source, self._hole, self.faults)

    @property
    def tokens(self) -> int:
        """How many words and signs the text had, with those of its templates and the end of each, as Parser counts
        them."""
        return self._reading.tokens  # type: ignore[no-any-return]

    def statements(self, at: int) -> list[s.Statement] | None:
        """The statements from `at` on; None if the text must be read with more care."""
        try:
            tree = self._read("start", self.source.text, at, len(self.source.text), None)
        except Faulty:
            return None
        return None if self.faults else [child.value for child in tree.children if type(child) is Tree]

    def _hole(self, text: str, offsets: Sequence[int]) -> s.Expr:
        """The expression in a hole of a template."""
        if isinstance(offsets, range):  # it stands in the source as it is
            tree = self._read("expr", self.source.text, offsets[0], offsets[-1], None)
        else:
            tree = self._read("expr", text, 0, len(text), offsets)
        return tree.value  # type: ignore[no-any-return]

    def _read(self, start: str, text: str, at: int, end: int, offsets: Sequence[int] | None) -> Tree:
        """The tree of a text, its parts built."""
        builder = self._builder
        if offsets is not None:
            builder = TreeBuilder(self.source, self._hole, self.faults, offsets)
        starts, ends = self.grammar.starts, self.grammar.ends
        return self._reading.tree(starts[start], ends[start], text, at, end, builder, offsets)  # type: ignore[no-any-return]


@lru_cache(1)
def _reader(grammar: Grammar) -> Any:
    """The tables in the form in which texts are read by them."""
    made = grammar.made
    symbols: list[str] = made["symbols"]
    numbers = {symbol: at for at, symbol in enumerate(symbols)}
    return ReadingTables(
        symbols,
        made["rows"],
        made["columns"],
        made["leads"],
        _rules(grammar, numbers),
        _words(grammar, numbers),
        {text: numbers[terminal] for terminal, texts in made["spelt"].items() for text in texts},
        (Span, names_of(Span)),
        (s.Name, names_of(s.Name)),
        Token,
        (MAX_DEPTH, MOST, MAX_DIGITS),
    )


def _rules(grammar: Grammar, numbers: dict[str, int]) -> list[Production]:
    """The rules of the grammar, and how the nodes are made of those that always make one."""
    own = {name[1:]: getattr(TreeBuilder, name) for name in dir(TreeBuilder) if name[0] == "_" != name[1]}
    rules = []
    for size, origin, name, single, kept in grammar.rules:
        rule = Production(size, numbers.get(origin, 0), name, single, kept, name in FLAT)
        if name in own and size and not single:
            how, node = AT_ONCE.get(name, ("method", own[name]))
            rule.makes(how, node, names_of(node) if isinstance(node, type) else ())
        rules.append(rule)
    return rules


def _words(grammar: Grammar, numbers: dict[str, int]) -> dict[str, Any]:
    """What a word may be besides a name, as ReadingTables wants it."""
    lexer = grammar.lexer
    phrases: dict[str, list[tuple[list[str], int]]] = {}
    for terminal, (first, *rest) in grammar.made["phrases"].items():
        phrases.setdefault(first, []).append((rest, numbers[terminal]))
    return {
        word: (
            numbers.get(lexer.words.get(word, ""), -1),
            lexer.words.get(word) in lexer.always,
            _wanted(grammar.made["follows"].get(lexer.words.get(word))),
            phrases.get(word, ()),
        )
        for word in {**lexer.words, **phrases}
    }


def _wanted(follows: tuple[str, list[str]] | None) -> Any:
    """What must follow a word, from `follows` in tables.py: its number, the words, and the phrases."""
    if follows is None:
        return None
    kind, listed = follows
    phrases: dict[str, set[str]] = {}
    for first, _, second in (words.partition(" ") for words in listed if " " in words):
        phrases.setdefault(first, set()).add(second)
    return FOLLOWS.index(kind), frozenset(words for words in listed if " " not in words), phrases


__all__ = ["Faultless"]
