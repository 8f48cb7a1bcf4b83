"""An answer as rows of a table: one row for each choice, with the answer's number, the choice's family and its values.

    answer  choice  r  c  d
    1       place   1  1  5
    1       place   1  2  3

The columns after `choice` are the indices of the model's families; if a family has no such index, the field is empty. A
model with a goal has the columns `cost` and `proved` after `answer`: ever better answers with `proved` false (0), and
the best one again once it is proved. An answer without choices is one row that is empty after the number.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.questions.answer import Answer

Row = tuple[Any, ...]
LARGEST = 2**63


class Rows:
    """The table of a model's answers. columns: the names of all columns.  indices: those after `choice`."""

    def __init__(self, compiled: Compiled) -> None:
        families = compiled.lowered.families.values()
        names = list(dict.fromkeys(name for family in families for name in family.indices))
        self._goal = compiled.goal is not None
        head = ("answer", "cost", "proved", "choice") if self._goal else ("answer", "choice")
        self.indices = tuple(f"{name}_" if name in head else name for name in names)
        self.columns = (*head, *self.indices)
        self._places = {family.name: [names.index(i) for i in family.indices] for family in families}
        self._compiled = compiled

    def of(self, answer: Answer, number: int) -> Iterator[Row]:
        """The rows of an answer: whole numbers that fit 63 bits, text, and None for empty fields."""
        head = (number, field(answer.cost), int(answer.proved)) if self._goal else (number,)
        nothing = [None] * len(self.indices)
        if not answer.options:
            yield (*head, None, *nothing)
        for choice in answer.choices:
            values: list[Any] = nothing.copy()
            for place, value in zip(self._places[choice.family], choice.args, strict=True):
                values[place] = field(value)
            yield (*head, choice.family, *values)

    def whole_numbers(self) -> tuple[bool, ...]:
        """Per index, whether all its values are whole numbers that fit 63 bits."""
        whole = [True] * len(self.indices)
        for family in self._compiled.lowered.families.values():
            for args in family.choices:
                for place, value in zip(self._places[family.name], args, strict=True):
                    whole[place] = whole[place] and type(field(value)) is int
        return tuple(whole)


def field(value: Any) -> int | str | None:
    """A value as a field: a whole number that fits 63 bits, or text."""
    from covr.compiler.evaluate.values import show_value

    if value is None or (type(value) is int and -LARGEST <= value < LARGEST):
        return value
    return str(value) if isinstance(value, str) else show_value(value)
