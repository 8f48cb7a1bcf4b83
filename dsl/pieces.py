"""A text as words, signs and comments, each with the white space before it: what a layout is made from (format.py)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from covr.dsl.grammar import Parsing, load
from covr.dsl.lexer import RESERVED
from covr.dsl.tokens import Token
from covr.frozen import frozen

TAB = 8  # columns
TWO_WORDS = (
    "AT_LEAST", "AT_MOST", "UP_TO", "ANSWERS_BY", "IF_AND_ONLY_IF", "NOT_IN", "THEN_MINIMIZE", "THEN_MAXIMIZE",
    "ALL_DIFFERENT", "ALL_ALIKE",
)  # fmt: skip

COMMENT = re.compile(r"#[^\n]*")  # between words, where no text or picture is

Place = tuple[int, int, str]
"""A word or sign: where it begins and ends, and its terminal."""


@frozen
class FormatPiece:
    """A token or a comment (`kind` COMMENT). breaks: the number of newlines before it.

    column: where it stood, if it begins a line or a statement; otherwise 0.
    glued: of a `*`, whether nothing stands between it and what is on both of its sides.
    statement: the number of the statement that it belongs to; -1 for a comment between statements.
    first: whether the statement begins with it.
    """

    kind: str
    text: str
    breaks: int
    column: int
    glued: bool
    statement: int
    first: bool = False


def tokens(text: str) -> Iterator[Token]:
    """The tokens of a text that parses, as the parser sees them."""
    parsing = Parsing(load(), text, "start", beginning(text))
    for token in parsing.tokens():
        if token is parsing.end:
            return
        parsing.feed(token)
        yield token


def beginning(text: str) -> int:
    """Where a text begins, behind the mark of its encoding."""
    return 1 if text.startswith("\ufeff") else 0


def words_at(text: str) -> Iterator[Place]:
    """The places of all words and signs of a text that parses."""
    return ((token.start_pos, token.end_pos, token.type) for token in tokens(text))


def pieces(text: str, words: Iterable[Place], begins: Sequence[int]) -> Iterator[FormatPiece]:
    """Words and comments in order, each with a description of the white space before it.

    words: all of the text. begins: where its statements begin. Time O(length).
    """
    statement, behind, after_dot = -1, beginning(text), False
    for begin, end, kind in words:
        first = statement + 1 < len(begins) and begin >= begins[statement + 1]
        for found in COMMENT.finditer(text, behind, begin):
            yield comment(text, behind, found, -1 if first else statement)
            behind = found.end()
        statement += first
        if after_dot and kind in RESERVED:
            kind = "NAME"
        breaks = text.count("\n", behind, begin)
        column = column_of(text, begin) if breaks or first else 0
        glued = kind == "STAR" and is_glued(text, begin, end)
        yield FormatPiece(kind, text[begin:end], breaks, column, glued, statement, first)
        after_dot = kind == "DOT"
        behind = end
    for found in COMMENT.finditer(text, behind):
        yield comment(text, behind, found, -1)
        behind = found.end()


def comment(text: str, behind: int, found: re.Match[str], statement: int) -> FormatPiece:
    """The piece of a comment. behind: where the piece before it ends."""
    breaks = text.count("\n", behind, found.start())
    return FormatPiece("COMMENT", found[0].rstrip(), breaks, column_of(text, found.start()), False, statement)


def column_of(text: str, at: int) -> int:
    """In which column of its line a place is, from 0."""
    return len(text[text.rfind("\n", 0, at) + 1 or beginning(text) : at].expandtabs(TAB))


def is_glued(text: str, begin: int, end: int) -> bool:
    """Whether a sign touches what stands on both of its sides."""
    return text[begin - 1 : begin].strip() != "" and text[end : end + 1].strip() not in ("", "#")
