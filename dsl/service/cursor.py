"""What stands before a place in a text: the words of its statement, and what the grammar takes next.

The statement is read up to the place as the parser reads it, so what it accepts there is exact. If something before the
place does not fit, the grammar says nothing, and the words alone must do.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from attrs import evolve

from covr.dsl.grammar import Parsing, acceptable, load
from covr.dsl.lexer import DEPENDENT
from covr.dsl.service.fragments import Fragment
from covr.dsl.tokens import Token, Unexpected
from covr.frozen import frozen

WORD = re.compile(r"(?<!\w)\w*\Z")


@frozen
class Cursor:
    """A place in a text, seen from the word that ends there.

    word: what is written of it so far; start: its offset. tokens: what stands before it in its statement, or, within
    the hole of a text, in the hole. accepted: the terminals that may stand there; empty if what stands before does not
    fit. inside: `""` for the model itself, `text` for a text in quotes, `block`, `comment`, or `hole`.
    statement: the terminal of the statement's first word, empty if there is none yet.
    around: every word and sign of the text between the beginnings of two statements.
    begun: the text, up to the place, of the text, block or comment that it lies in.
    """

    word: str
    start: int
    tokens: tuple[Token, ...]
    accepted: frozenset[str]
    inside: str
    statement: str
    around: tuple[Token, ...]
    begun: str = ""


def cursor(fragments: Sequence[Fragment], offset: int) -> Cursor:
    """The cursor at an offset of the text that the fragments make up. Time O(length of its fragment)."""
    fragment, begin = fragment_at(fragments, offset)
    text = fragment.source.text[: offset - begin]
    inside, at = lexical(text)
    around, _ = words(fragment.source.text, 0)
    if inside == "text":
        hole = open_hole(text[at + 1 :])
        if hole is not None:
            return evolve(read(text, at + 1 + hole, begin, "expr", "hole"), around=around)
    if inside:
        tokens, statement = words(text[:at], 0)
        word = word_of(text)
        return Cursor(word, begin + len(text) - len(word), tokens, frozenset(), inside, statement, around, text[at:])
    return evolve(read(text, 0, begin, "start", ""), around=around)


def fragment_at(fragments: Sequence[Fragment], offset: int) -> tuple[Fragment, int]:
    """The fragment that an offset lies in, and where that begins. At a border it is the earlier one if the offset is at
    the end of its last line, which cannot be, so the later one."""
    found = fragments[0]
    for fragment in fragments:
        if fragment.source.where.offset > offset:
            break
        found = fragment
    return found, found.source.where.offset


def read(text: str, start: int, begin: int, rule: str, inside: str) -> Cursor:
    """The cursor at the end of a text, of which what stands from `start` on is read as `rule`."""
    word = word_of(text[start:])
    end = len(text) - len(word)
    tokens, statement = words(text[:end], start)
    accepted: frozenset[str] = frozenset()
    # `at` and `total` are words only if something follows, so a number is put behind them, which is not read.
    last = str(tokens[-1]) if tokens else ""
    before = f"{text[:end]} 0" if last in DEPENDENT else text[:end]
    parsing = Parsing(load(), before, rule, start)
    try:
        for token in parsing.tokens():
            if token is parsing.end or (token.start_pos or 0) >= end:
                accepted = frozenset(acceptable(load(), parsing.stack))
                break
            parsing.feed(token)
    except Unexpected:
        pass
    return Cursor(word, begin + end, tokens, accepted, inside, statement, ())


def word_of(text: str) -> str:
    """The word that a text ends with; empty if it ends with none."""
    found = WORD.search(text)
    return found[0] if found else ""


def words(text: str, start: int) -> tuple[tuple[Token, ...], str]:
    """The words and signs of a text from `start` on, whether or not they fit, and the terminal of the statement that it
    is in."""
    lexer = load().lexer
    found: list[Token] = []
    statement, at = "", start
    begins = set(lexer.statements(text, start))
    while at < len(text):
        match = lexer.scan.match(text, at)
        if match is None:
            at += 1
            continue
        kind = match.lastgroup or ""
        if kind == "NAME":
            kind = lexer.words.get(match[0], kind)
        if kind not in lexer.ignore:
            if at in begins or (not found and start == 0):
                statement, found = kind, []
            found.append(Token(kind, match[0], at, match.end()))
        at = match.end()
    return tuple(found), statement


def lexical(text: str) -> tuple[str, int]:
    """What a text ends within (`text`, `block`, `comment` or nothing), and the offset where that begins."""
    scan = load().lexer.scan
    at = 0
    while at < len(text):
        found = scan.match(text, at)
        if found is None:
            if text.startswith('"""', at):
                return "block", at
            if text[at] == '"' and "\n" not in text[at:]:
                return "text", at
            at += 1
        elif found.end() == len(text) and found.lastgroup == "COMMENT":
            return "comment", at
        elif found.end() == len(text) and found[0] == '""' and text.endswith('"""'):
            return "block", at
        else:
            at = found.end()
    return "", at


def open_hole(text: str) -> int | None:
    """The offset behind the brace of a hole that is open at the end of a template's text; None if there is none."""
    at, hole = 0, None
    while at < len(text):
        if text.startswith(("{{", "}}"), at) and hole is None:
            at += 2
            continue
        if text[at] == "{" and hole is None:
            hole = at + 1
        elif text[at] == "}":
            hole = None
        at += 1
    return hole
