"""The rules of clues in the engine's words: options numbered one after the other, items, and sides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from covr.engine.base.heed import heeded
from covr.engine.outside.clingo_switched import SwitchedItem
from covr.engine.problem import Problem, build
from covr.engine.sides import Circuit, Connection, Side, Total
from covr.questions.clue_rows import CIRCUIT, CONNECTION, ITEM, RowContent

if TYPE_CHECKING:
    from covr.questions.clue_switches import SwitchedRules


class RuleWords:
    """Puts rules about some options into words. wide: the options, in order.  local: their numbers in that order."""

    def __init__(self, wide: Sequence[int]) -> None:
        self.wide = wide
        self.local = {o: k for k, o in enumerate(self.wide)}

    def always(self, rules: SwitchedRules) -> Problem:
        """What holds with any clues."""
        rows = [content.among(self.local) for content, cause in rules.rows.values() if not cause.switched]
        items = sorted((row for row in rows if row.shape[0] == ITEM), key=lambda row: not row.shape[1])
        options: list[list[int | tuple[int, int]]] = [[] for _ in self.wide]
        for i, row in enumerate(heeded(items)):
            for o, colour in row.terms.items():
                options[self.local[o]].append((i, colour) if colour else i)
        bounds = [(row.shape[1], row.shape[2]) for row in items]
        return build(bounds, options, sides=[self._side(row) for row in rows if row.shape[0] != ITEM])

    def rule(self, row: RowContent) -> SwitchedItem | Side:
        """What a row says, of these options."""
        row = row.among(self.local)
        if row.shape[0] != ITEM:
            return self._side(row)
        column = tuple(sorted((self.local[o], colour) for o, colour in row.terms.items()))
        return SwitchedItem(row.shape[1], row.shape[2], column)

    def _side(self, row: RowContent) -> Side:
        terms = sorted((self.local[o], what) for o, what in row.terms.items())
        if row.shape[0] == CONNECTION:
            return Connection(tuple([(o, v) for o, places in terms for v in places]), row.edges)
        if row.shape[0] == CIRCUIT:
            return Circuit(tuple([(o, u, v) for o, (u, v) in terms]))
        return Total(tuple(terms), row.shape[1])


__all__ = ["RuleWords"]
