"""The rules of clues with values that no model was compiled with: guessed from two other values of the same clue.

Where a clue says how many, or how much, its rule is the same with any value, but for the number. So if the numbers of
two rules differ as their values do, those of another value follow. That is a guess, for the rule may be any function of
the value: it serves to choose by, and the model itself is asked about what comes of it (clue_maker.py).

Measured, CPU, kakuro of 8 × 8 squares: the search for an answer meets 230 to 340 values of its 28 clues, and compiling
the model takes 45 ms each time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from covr.questions.clue_rows import Row, RowContent
from covr.questions.clue_switches import Cause, SwitchedRules

if TYPE_CHECKING:
    from covr.compiler.evaluate.values import Value

Told = Sequence["Value | None"]
Rows = dict[Row, tuple[RowContent, Cause]]


class GuessedRules:
    """Finds the rules of clues. known: the rules that compiling tells, or None."""

    def __init__(self, known: Callable[[Told], SwitchedRules | None]) -> None:
        self._known = known
        self._met: dict[int, dict[Value, Rows]] = {}  # per clue and value, the rules that this clue alone brings
        self._options: dict[int, Cause] = {}
        self._fixed: Rows = {}  # rules that no clue brings

    def of(self, told: Told) -> SwitchedRules | None:
        """The rules with these clues; None if they are not known and can't be guessed."""
        guessed = self._guessed(told)
        if guessed is not None:
            return guessed
        rules = self._known(told)
        if rules is not None:
            self._learn(told, rules)
        return rules

    def _learn(self, told: Told, rules: SwitchedRules) -> None:
        own: dict[int, Rows] = {at: {} for at, value in enumerate(told) if value is not None}
        fixed: Rows = {}
        for row, (content, cause) in rules.rows.items():
            if not cause.needs:
                fixed[row] = content, cause
            elif len(cause.needs) == 1:
                own[min(cause.needs)][row] = content, cause
        if any(len(cause.needs) > 1 for _, cause in rules.rows.values()) or any(
            cause.needs for cause in rules.options.values()
        ):
            self._met = {}
            return
        if rules.options.keys() != self._options.keys() or not _alike(fixed, self._fixed):
            self._met, self._options, self._fixed = {}, {}, {}
        # What a clue takes away is told only where there is one.
        self._options = {o: _both(cause, self._options.get(o)) for o, cause in rules.options.items()}
        before = self._fixed
        self._fixed = {
            row: (content, _both(cause, before[row][1] if row in before else None))
            for row, (content, cause) in fixed.items()
        }
        for at, rows in own.items():
            value = told[at]
            assert value is not None
            self._met.setdefault(at, {})[value] = rows

    def _guessed(self, told: Told) -> SwitchedRules | None:
        rows = dict(self._fixed)
        for at, value in enumerate(told):
            if value is None:
                continue
            own = self._met.get(at, {})
            found = own.get(value)
            if found is None:
                found = _between(own, value)
                if found is None:
                    return None
                own[value] = found
            rows.update(found)
        return SwitchedRules(self._options, rows) if self._options else None


def _alike(one: Rows, other: Rows) -> bool:
    return one.keys() == other.keys() and all(content == other[row][0] for row, (content, _) in one.items())


def _both(cause: Cause, other: Cause | None) -> Cause:
    return cause if other is None else Cause(without=cause.without | other.without)


def _between(own: dict[Value, Rows], value: Value) -> Rows | None:
    """The rules with this value; None if those with other values don't tell."""
    known = [other for other in own if type(other) is int]
    if type(value) is not int or len(known) != len(own) or len(known) < 2:
        return None
    one, other = known[0], known[1]
    if own[one].keys() != own[other].keys():
        return None
    rows: Rows = {}
    for row, (content, cause) in own[one].items():
        second = own[other][row][0]
        shape = _along(content.shape, second.shape, value - one, other - one)
        if not isinstance(shape, tuple) or content.terms != second.terms or content.edges != second.edges:
            return None
        rows[row] = RowContent(shape, content.terms, content.edges), cause
    return rows


def _along(first: object, second: object, steps: int, apart: int) -> object:
    """What is reached from `first` after so many steps, if `second` is reached after `apart`; None if nothing is."""
    if isinstance(first, tuple) and isinstance(second, tuple) and len(first) == len(second):
        parts = tuple([_along(a, b, steps, apart) for a, b in zip(first, second, strict=True)])
        return None if None in parts else parts
    if type(first) is int and type(second) is int:
        whole, rest = divmod((second - first) * steps, apart)
        return None if rest else first + whole
    return first if first == second else None


__all__ = ["GuessedRules"]
