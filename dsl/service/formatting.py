"""The layout of a text that is being edited: by the words and statements that are known of it already.

Laying out a text of 2000 rules took 280 ms of processor time, most of it for reading: once for its statements, once
for its words, and once again to see that the result says the same. The fragments know the first two, and the third is
answered by words: a text has the statements that it has because of its words and signs in their order, and because of
what the few words that may be names are followed by.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from covr.dsl.format import format_model, laid_out
from covr.dsl.grammar import load
from covr.dsl.pieces import TWO_WORDS, Place, pieces
from covr.dsl.service.document import Analysis
from covr.dsl.service.semantic import words_of


def formatted_text(analysis: Analysis) -> str:
    """A text in the standard layout. Raises ModelErrors if it has a fault of syntax. Time O(length)."""
    if not analysis.fragments or any(fragment.faults for fragment in analysis.fragments):
        return format_model(analysis.source)
    text = analysis.source.text
    words = list(words_at(analysis))
    begins = [analysis.span(statement.span).start for statement in analysis.statements]
    made = laid_out(pieces(text, words, begins), analysis.statements)
    if not same_words(text, words, made):
        return format_model(analysis.source)
    return made


def words_at(analysis: Analysis) -> Iterator[Place]:
    """The places of all words and signs of a text without faults of syntax."""
    for fragment in analysis.fragments:
        by = fragment.source.where.offset
        for token in words_of(fragment):
            yield token.start_pos + by, token.end_pos + by, token.type


def same_words(text: str, words: Sequence[Place], made: str) -> bool:
    """Whether a text that was made of another one consists of the same words and signs, so that it says the same.

    What a word is depends on the parser's state, which the words before it lead to, and for some on what follows it.
    """
    lexer = load().lexer
    at = iter(words)
    for found in lexer.gapless.finditer(made):
        if not found.lastindex:
            break
        begin, end, terminal = next(at, (0, 0, ""))
        now, before = found[found.lastindex], text[begin:end]
        if now != before and (terminal not in TWO_WORDS or now.split() != before.split()):
            return False
        kind = lexer.words.get(now, "")
        if kind in lexer.followed:
            follows = lexer.follows(kind).match
            if (follows(made, found.start(found.lastindex)) is None) != (follows(text, begin) is None):
                return False
    return next(at, None) is None


__all__ = ["formatted_text"]
