"""The place of a node in its source."""

from __future__ import annotations

from attrs import field

from covr.dsl.source import Span


class Remembering:
    """What an expression is made of, where something is kept that was found out about it: its free names
    (compiler/evaluate/names.py) and its size (compiler/lower/local_scope.py), which are asked for again and again. It
    counts for nothing else."""

    __slots__ = ("_free", "_size")


def span_field() -> Span:
    """The field for the span that a node was read from, which is ignored when nodes are compared."""
    return field(eq=False, repr=False)  # type: ignore[no-any-return]
