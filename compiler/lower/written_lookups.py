"""`a[b]` as Python: a part of a tuple, an item of a list, what a grid or map has at a place.

What is asked for may not be there. Then Python raises KeyError or IndexError, and closures do the whole statement,
which tell what is wrong. Where that is not allowed, look-ups are tabulated (as_python.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from covr.compiler.evaluate.names import free_names
from covr.compiler.evaluate.values import Map, Seq
from covr.compiler.lower.facts import Fact, Lists, PlainValues, WholeNumbers, equated, fact_of
from covr.compiler.lower.written import Written
from covr.dsl import syntax as syn
from covr.dsl.syntax import Expr


class WrittenLookups(Written):
    """Writes look-ups."""

    def index(self, expr: syn.Index) -> tuple[str, Fact] | None:
        """`a[b]`, `a[b, c]`."""
        if not free_names(expr) & self.within.names:
            return None  # it is looked up once
        text, fact = self.value(expr.of)
        if isinstance(fact, PlainValues):
            return self._part(text, fact, expr.args)
        if isinstance(fact, Lists):
            return self._item(text, fact, expr.args)
        grid = self.space.get(text)
        return self._entry(grid, expr.args) if type(grid) is Map else None

    def _part(self, text: str, fact: PlainValues, args: Sequence[Expr]) -> tuple[str, Fact] | None:
        """A part of a tuple, at a place that is always the same."""
        if fact.parts is None or len(args) != 1:
            return None
        _, at = self.value(args[0])
        if not isinstance(at, WholeNumbers) or at.low != at.high or not 1 <= at.low <= len(fact.parts):
            return None
        k = at.low - 1
        written = self.tuples.get(text)
        return f"{text}[{k}]" if written is None else written[k], fact.parts[k]

    def _item(self, text: str, fact: Lists, args: Sequence[Expr]) -> tuple[str, Fact] | None:
        """An item of a list."""
        if len(args) != 1:
            return None
        position, at = self.value(args[0])
        if not isinstance(at, WholeNumbers) or at.low < 1 or not fact.most:
            return None
        if at.high > fact.least:
            if not self.guesses:
                return None
            self.doubt()
        listed = self.space.get(text)
        if type(listed) is not Seq:
            return f"{text}.items[{position} - 1]", fact.of
        every = at.low == 1 and at.high >= len(listed.items)
        of = fact.of if every else fact_of(listed.items[at.low - 1 : at.high])
        return f"{self.constant(self.noted('padded', listed, _padded))}[{position}]", of

    def _entry(self, grid: Map, args: Sequence[Expr]) -> tuple[str, Fact] | None:
        """What a grid has at a place."""
        if not self.guesses:
            return None
        keys = [self.value(arg) for arg in args]
        if not all(equated(fact) for _, fact in keys):
            return None
        self.doubt()
        texts = [text for text, _ in keys]
        key = texts[0] if len(texts) == 1 else f"({', '.join(texts)})"
        return f"{self.constant(grid.entries)}[{key}]", self.noted("entries", grid, _of_entries)


def _padded(of: Seq) -> tuple[Any, ...]:
    """The items of a list, to be looked up by positions that count from 1."""
    return (None, *of.items)


def _of_entries(of: Map) -> Fact:
    return fact_of(list(of.entries.values()))


__all__ = ["WrittenLookups"]
