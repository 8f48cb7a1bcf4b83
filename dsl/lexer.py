"""Lark's contextual lexer for this grammar, with one regular expression for all states.

Lark makes a scanner for every set of terminals that some state of the parser accepts. Here that would be two hundred,
and compiling their regular expressions would take longer than parsing a model. In this grammar the state only decides
whether a word is the word of a clause or a name. So one expression cuts the text into tokens, and the state is asked
about words. (Measured on sudoku.cover, including the time to load the grammar: 29 ms with Lark's own lexer, 17 ms with
this one; a test makes sure that both give the same tokens for every model.) A character that no terminal matches
becomes a token of type `STRAY`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Any

from lark import Token
from lark.lexer import Lexer, LexerState

STATEMENTS = (
    "TITLE", "USE", "PARAM", "LET", "ASSERT", "CELLS", "VALUES", "CHOOSE", "EXACTLY", "AT_LEAST", "AT_MOST",
    "IF", "CONNECTED", "LOOP", "AGREE", "GIVEN", "FORBID", "MINIMIZE", "MAXIMIZE", "UP_TO", "ANSWERS_BY", "SHOW",
    "PRINT", "OUTLINE", "EXPECT",
)  # fmt: skip
RESERVED = (
    *STATEMENTS, "PER", "WHERE", "FOR", "THEN", "ELSE", "AND", "OR", "NOT", "IN", "DIV", "MOD", "TRUE",
    "FALSE", "NAME",
)  # fmt: skip
DEPENDENT = {"total": "TOTAL", "at": "AT"}  # words that are names or not according to what follows them
CHOICE_FOLLOWS = re.compile(r"if[ \t]+[^\W\d]\w*[ \t]*\((?![^\n]*\belse\b)")  # an `if` that is no expression, mostly


class CoverLexer(Lexer):
    """Takes the place of Lark's ContextualLexer (the parameters are Lark's).

    scan: a regular expression with a named group for each terminal; NAME matches every word.
    words: what a word may be besides a name: its text → its terminal.
    followed: terminals of such words that depend on what follows them, with their regular expressions.
    accepts: state of the parser → the terminals that may come next.
    """

    def __init__(self, conf: Any, states: dict[int, Collection[str]], always_accept: Collection[str] = ()) -> None:
        terminals = conf.terminals_by_name
        name = re.compile(terminals["NAME"].pattern.to_regexp())
        self.followed = {t: re.compile(terminals[t].pattern.to_regexp()) for t in DEPENDENT.values() if t in terminals}
        signs = [t for t in terminals.values() if t.pattern.type == "re" or not name.fullmatch(t.pattern.value)]
        signs = [t for t in signs if t.name not in self.followed]
        signs.sort(key=lambda t: (-t.priority, t.pattern.type == "re", -len(t.pattern.value)))
        self.words = {
            t.pattern.value: t.name
            for t in terminals.values()
            if t.pattern.type == "str" and name.fullmatch(t.pattern.value)
        }
        self.words.update({word: t for word, t in DEPENDENT.items() if t in self.followed})
        self.scan = re.compile("|".join(f"(?P<{t.name}>{t.pattern.to_regexp()})" for t in signs))
        self.ignore = frozenset(conf.ignore)
        self.accepts = states
        self.always = frozenset(always_accept)

    def lex(self, lexer_state: LexerState, parser_state: Any) -> Iterator[Token]:
        text, at, end = lexer_state.text.text, lexer_state.text.start, lexer_state.text.end
        match = self.scan.match
        while at < end:
            found = match(text, at, end)
            if found is None:
                kind, value = "STRAY", text[at]
            else:
                kind, value = found.lastgroup or "", found[0]
                if kind == "NAME" and value in self.words:
                    word = self.words[value]
                    known = word in self.always or word in self.accepts[parser_state.position]
                    if known and (word not in self.followed or self.followed[word].match(text, at, end)):
                        kind = word
            start = at
            at += len(value)
            if kind not in self.ignore:
                yield Token(kind, value, start, end_pos=at)

    def statements(self, text: str, start: int, unclosed: list[int] | None = None) -> Iterator[int]:
        """The offsets, from `start` on, at which a line begins with the word of a statement, outside texts and
        comments. unclosed: to which the offsets of blocks without an end are added."""
        at = start
        fresh = not text[text.rfind("\n", 0, at) + 1 : at].strip()  # only blanks stand before `at` on its line
        while at < len(text):
            found = self.scan.match(text, at)
            if found is None:
                if unclosed is not None and text.startswith('"""', at):
                    unclosed.append(at)
                at += 1
                fresh = False
                continue
            kind = self.words.get(found[0], "") if found.lastgroup == "NAME" else found.lastgroup
            if kind in STATEMENTS and fresh and (kind != "IF" or CHOICE_FOLLOWS.match(text, at)):
                yield at
            blank = found.lastgroup == "SPACE"
            fresh = blank and (fresh or "\n" in found[0])
            at = found.end()
