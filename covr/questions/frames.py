"""Answers as pandas DataFrames. pandas is imported only here, and only when a frame is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from covr.questions.values import plain

if TYPE_CHECKING:
    from pandas import DataFrame

    from covr.compiler import Choice, Compiled


def answer_frame(compiled: Compiled, choices: Sequence[Choice]) -> DataFrame:
    """One row for each choice: `family`, then a column for each index of any family; None if the choice's family has no
    such index."""
    families = compiled.lowered.families
    indices = list(dict.fromkeys(index for family in families.values() for index in family.indices))
    rows = []
    for choice in choices:
        values = dict(zip(families[choice.family].indices, map(plain, choice.args), strict=True))
        rows.append([choice.family, *(values.get(index) for index in indices)])
    return frame(rows, ["family", *indices])


def frame(rows: Iterable[Sequence[Any]], columns: Sequence[str]) -> DataFrame:
    """A DataFrame of these rows and column names; values of any kind stay as they are. Raises ImportError without
    pandas."""
    from pandas import DataFrame

    found = list(rows)
    return DataFrame({name: [row[i] for row in found] for i, name in enumerate(columns)}, columns=list(columns))
