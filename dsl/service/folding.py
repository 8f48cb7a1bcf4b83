"""Which lines of a text an editor may fold: statements of several lines, pictures in them, and groups of comments."""

from __future__ import annotations

from collections.abc import Iterator

from covr.dsl.comments import comments
from covr.dsl.service.cursor import words
from covr.dsl.service.document import Analysis
from covr.frozen import frozen


@frozen
class Fold:
    """Lines that belong together, from 1, both included. kind: `statement`, `block` or `comment`."""

    first: int
    last: int
    kind: str


def folds(analysis: Analysis) -> list[Fold]:
    """The folds of a text, by their first lines. Of several that begin on one line the longest comes first."""
    found = {*_statements(analysis), *_blocks(analysis), *_comments(analysis)}
    return sorted(found, key=lambda fold: (fold.first, -fold.last, fold.kind))


def _statements(analysis: Analysis) -> Iterator[Fold]:
    for statement in analysis.statements:
        span = analysis.span(statement.span)
        first, last = span.place[0], analysis.source.place(max(span.start, span.end - 1))[0]
        if first < last:
            yield Fold(first, last, "statement")


def _blocks(analysis: Analysis) -> Iterator[Fold]:
    for fragment in analysis.fragments:
        if '"""' not in fragment.source.text:
            continue
        for token in words(fragment.source.text, 0)[0]:
            if token.type == "BLOCK" and "\n" in token:
                first = fragment.source.place(token.start_pos or 0)[0]
                yield Fold(first, first + token.count("\n"), "block")


def _comments(analysis: Analysis) -> Iterator[Fold]:
    first = last = -1
    for comment in comments(analysis.source):
        if not comment.alone:
            continue
        line = comment.span.place[0]
        if line != last + 1:
            if last > first:
                yield Fold(first, last, "comment")
            first = line
        last = line
    if last > first:
        yield Fold(first, last, "comment")
