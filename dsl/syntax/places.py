"""The place of a node in its source."""

from __future__ import annotations

from attrs import field

from covr.dsl.source import Span


def span_field() -> Span:
    """The field for the span that a node was read from, which is ignored when nodes are compared."""
    return field(eq=False, repr=False)  # type: ignore[no-any-return]
