"""The rules of clues, each seen by itself: what the model becomes with this one clue, set beside the model without any.

clue_switches.py finds out from a few sets of clues what each clue does, which needs that no two clues do something
together. Where that fails, this is asked of every clue alone. What a clue adds belongs to it, and what it takes away is
gone with it. What only two clues together do is not seen. So what is said here may be wrong of several clues, and
whoever asks has the model itself judge what comes of it (clue_maker.py): mostly it is right, because what two clues do
together follows from what each does.

Each clue with each value is compiled once. Measured, CPU, for the clues of one answer: kuromasu 7 × 7 0.9 s, easy as
ABC 0.5, doppelblock 4, balance loop 3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from covr.engine.base.heed import heeded
from covr.questions.clue_rows import ModelRows, Row, RowContent
from covr.questions.clue_switches import ALWAYS, SLOW, Cause, Clues, SwitchedRules

if TYPE_CHECKING:
    from covr.compiler.evaluate.values import Value

Told = Sequence["Value | None"]


class ClueSingles:
    """Finds the rules of clues, one by one. blank: the model without clues.  read: the model with these clues."""

    def __init__(self, blank: ModelRows, read: Callable[[Told], ModelRows]) -> None:
        self._blank, self._read = blank, read
        self._seen: dict[tuple[int, Value], ModelRows] = {}

    def of(self, told: Told) -> SwitchedRules:
        """The rules with these clues. Time: that of compiling the model with each clue that was not met before. Raises
        ModelErrors for data that the model refuses."""
        seen = {at: self._alone(told, at, value) for at, value in enumerate(told) if value is not None}
        return SwitchedRules(self._options(seen), self._rows(seen))

    def _alone(self, told: Told, at: int, value: Value) -> ModelRows:
        found = self._seen.get((at, value))
        if found is None:
            only = [value if k == at else None for k in range(len(told))]
            found = self._seen[at, value] = self._read(only)
        return found

    def _options(self, seen: Mapping[int, ModelRows]) -> dict[int, Cause]:
        blank = self._blank.options
        gone: dict[int, list[int]] = {}
        added: dict[int, list[int]] = {}
        for at, model in heeded(seen.items(), 1):
            for o in blank - model.options:
                gone.setdefault(o, []).append(at)
            for o in model.options - blank:
                added.setdefault(o, []).append(at)
        options = {o: Cause(without=frozenset(gone.get(o, ()))) for o in blank}
        for o, makers in added.items():  # one of several suffices: without any, such a helper stands in no other rule
            options[o] = Cause(needs=frozenset(makers)) if len(makers) == 1 else ALWAYS
        return options

    def _rows(self, seen: Mapping[int, ModelRows]) -> dict[Row, tuple[RowContent, Cause]]:
        versions: dict[Row, dict[int, RowContent]] = {}
        for at, model in heeded(seen.items(), 1):
            for row, content in model.rows.items():
                versions.setdefault(row, {})[at] = content
        rows: dict[Row, tuple[RowContent, Cause]] = {}
        for row, content in heeded(self._blank.rows.items(), SLOW):
            own = versions.pop(row, {})
            whole = _union([content, *own.values()])
            alike, unlike = self._alike(whole, content, own, seen)
            lost = {at for at, model in seen.items() if at not in own and not content.among(model.options).empty}
            kept = whole if whole is not None and alike else content
            rows[row] = kept, Cause(without=frozenset(lost | unlike))
            for at in unlike:
                rows[*row, at] = own[at], Cause(needs=frozenset([at]))
        for row, own in heeded(versions.items(), SLOW):
            whole = _union(list(own.values()))
            for at, content in own.items():
                right = whole is not None and content.same(whole.among(seen[at].options))
                rows[*row, at] = whole if whole is not None and right else content, Cause(needs=frozenset([at]))
        return rows

    def _alike(
        self,
        whole: RowContent | None,
        content: RowContent,
        own: Mapping[int, RowContent],
        seen: Mapping[int, ModelRows],
    ) -> tuple[bool, Clues]:
        """Whether the whole row stands for that of the blank model, and with which clues it is another one."""
        if whole is not None and content.same(whole.among(self._blank.options)):
            unlike = [at for at, version in own.items() if not version.same(whole.among(seen[at].options))]
            return True, frozenset(unlike)
        unlike = [at for at, version in own.items() if not version.same(content.among(seen[at].options))]
        return False, frozenset(unlike)


def _union(contents: Iterable[RowContent]) -> RowContent | None:
    """All that a row ever had; None if it is not the same row everywhere."""
    contents = list(contents)
    largest = max(contents, key=lambda content: len(content.terms))
    if any(content.shape != largest.shape for content in contents):
        return None
    terms = dict(largest.terms)
    for content in contents:
        for o, what in content.terms.items():
            terms.setdefault(o, what)
    if len(terms) == len(largest.terms):
        return largest
    return None if largest.edges else RowContent(largest.shape, terms)


__all__ = ["ClueSingles"]
