"""The names that patterns bind."""

from __future__ import annotations

from collections.abc import Iterator

from covr.dsl import syntax as s


def bound_by(pattern: s.Pattern) -> Iterator[s.Name]:
    """The names of a pattern, from left to right."""
    if isinstance(pattern, s.Name):
        yield pattern
    else:
        for item in pattern.items:
            yield from bound_by(item)


def bound_by_all(generators: tuple[s.Generator, ...]) -> Iterator[s.Name]:
    """The names that these generators bind, in order."""
    for generator in generators:
        for pattern in generator.patterns:
            yield from bound_by(pattern)
