"""An answer as the user sees it: choices with names, a picture, values as Python, JSON and DataFrames."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Any

from covr.compiler.evaluate.values import Map, Record, Seq, Set, Truth, Value, show_value
from covr.faults import usage_error

if TYPE_CHECKING:
    from pandas import DataFrame

    from covr.compiler import Choice, Compiled
    from covr.compiler.compiled import Broken
    from covr.compiler.display.prints import Picture
    from covr.draw.book import Shown

# --- digits ----------------------------------------------------------------------------------------------------------
# Python refuses to write an int of more than 4300 digits, a guard against numbers from strangers. The number of answers
# is our own result, and is always written in full. Reading stays limited.


@contextmanager
def all_digits() -> Iterator[None]:
    """Within this context, whole numbers are written in full, however long. Holds for all threads."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(before)


def digits(number: int) -> str:
    """A whole number in full."""
    try:
        return str(number)
    except ValueError:
        with all_digits():
            return str(number)


# --- values ----------------------------------------------------------------------------------------------------------


def plain(value: Value) -> Any:
    """A value as plain Python: tuples and lists become tuples, sets frozensets, grids and records dicts, pieces text.

    A set whose members Python can't hash (records, grids) becomes a tuple, in documented order."""
    if isinstance(value, Truth):
        return bool(value)
    if isinstance(value, str):
        return str(value)
    if isinstance(value, tuple | Seq):
        return tuple(plain(v) for v in value)
    if isinstance(value, Set):
        members = tuple(plain(v) for v in value)
        try:
            return frozenset(members)
        except TypeError:
            return members
    if isinstance(value, Map):
        return {plain(k): plain(v) for k, v in value.entries.items()}
    if isinstance(value, Record):
        return {name: plain(v) for name, v in zip(value.names, value.items, strict=True)}
    return value if isinstance(value, int) else show_value(value)


def jsonable(value: Value) -> Any:
    """A value for `json`: tuples, lists and sets become arrays, records objects, grids arrays of pairs."""
    if isinstance(value, Truth):
        return bool(value)
    if isinstance(value, tuple | Seq | Set):
        return [jsonable(v) for v in value]
    if isinstance(value, Map):
        return [[jsonable(k), jsonable(v)] for k, v in value.entries.items()]
    if isinstance(value, Record):
        return {name: jsonable(v) for name, v in zip(value.names, value.items, strict=True)}
    return value if isinstance(value, int) else show_value(value)


def choice_fields(choice: Choice) -> dict[str, Any]:
    """A choice for `json`: its family, and its arguments."""
    return {"family": choice.family, "args": [jsonable(v) for v in choice.args]}


# --- frames ----------------------------------------------------------------------------------------------------------


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


# --- own files -------------------------------------------------------------------------------------------------------


def spare_own_files(compiled: Compiled, path: str | os.PathLike[str]) -> None:
    """Raises ModelErrors E508 for a path of something that the model was read from: its text, a library, a table, a
    file that `-D name=@file` or `--near` names. Links are followed."""
    for file in _files(compiled):
        with suppress(OSError, ValueError):
            if os.path.samefile(file, path):
                what = "the model is read from it" if file in _texts(compiled) else "it is read for the model's data"
                help = "write to another file"
                raise usage_error("E508", f"`{os.fspath(path)}` can't be written: {what}", help=help)


def _texts(compiled: Compiled) -> set[str]:
    model = compiled.model
    sources = {model.source, *(part.span.source for part in (*model.definitions, *model.statements))}
    return {source.path or source.name for source in sources}


def _files(compiled: Compiled) -> set[str]:
    return _texts(compiled) | compiled.scope.budget.files


class Boards:
    """What is drawn on the boards of a model, with marks: as SVG, and so in notebooks."""

    __slots__ = ()
    compiled: Compiled

    def pictures(self) -> tuple[Picture, ...]:
        """The boards; empty for a model that has none."""
        raise NotImplementedError

    def svg(self, theme: str = "light") -> str:
        """The boards as an SVG document."""
        from covr.draw.book import Shown, draw_svg

        return draw_svg([Shown(self.pictures())], self.compiled.title, theme)

    def _repr_svg_(self) -> str | None:
        return self.svg() if self.pictures() else None


# --- answer ----------------------------------------------------------------------------------------------------------


class Answer:
    """A set of choices that meets every rule of a model.

    `print(answer)` shows its picture. It is a sequence of its choices: `len(answer)`, `for choice in answer`.
    Two answers are equal when they consist of the same choices.

    options: the numbers of its choices in the matrix, increasing.
    cost: the value of the model's goal, the prices of broken wishes among it; None for a model without a goal.
    costs: the value of each goal, if there are several in order.
    bound: a value that no answer can beat, as far as is proved; None without a goal.
    proved: whether this is proved to be a best answer; always true without a goal."""

    def __init__(
        self, compiled: Compiled, options: tuple[int, ...], bound: int | None = None, proved: bool = True
    ) -> None:
        self.options = options
        self.cost = compiled.objective(options)
        self.costs = tuple(stage.value for stage in compiled.stages(compiled.cost(options))) if compiled.goal else ()
        self.bound = bound
        self.proved = proved
        self._compiled = compiled

    @cached_property
    def choices(self) -> tuple[Choice, ...]:
        """Its choices in documented order; each has `.family`, `.args` and reads `place(1, 2, 3)`."""
        return self._compiled.choices(self.options)

    @property
    def has_wishes(self) -> bool:
        """Whether its model has a `prefer`."""
        return bool(self._compiled.lowered.wishes)

    @cached_property
    def broken(self) -> tuple[Broken, ...]:
        """The wishes (`prefer`) that it breaks; each has `.name`, `.off` and `.cost`, and says so as text."""
        return self._compiled.broken(self.options)

    @cached_property
    def changed(self) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        """The choices that it has and the earlier answer had not, and the other way round; None if `near` was not asked
        for."""
        return self._compiled.changed(self.options)

    def as_tuples(self) -> list[tuple[Any, ...]]:
        """The choices as tuples of Python values: `[("place", 1, 1, 5), …]`."""
        return [(choice.family, *map(plain, choice.args)) for choice in self.choices]

    def as_dict(self) -> dict[str, list[tuple[Any, ...]]]:
        """For each family, the arguments of its choices as Python values: `{"place": [(1, 1, 5), …]}`.

        A family without any taken choice has an empty list."""
        chosen: dict[str, list[tuple[Any, ...]]] = {name: [] for name in self._compiled.lowered.families}
        for choice in self.choices:
            chosen[choice.family].append(tuple(map(plain, choice.args)))
        return chosen

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """Its pictures, as values that `draw` turns into text or images."""
        return self._compiled.pictures(self.options)

    @property
    def title(self) -> str:
        """The title of its model."""
        return self._compiled.title

    def svg(self, theme: str = "light") -> str:
        """Its picture as an SVG document; themes are light, dark, print and mono."""
        from covr.draw.book import Shown, draw_svg

        return draw_svg([Shown(self.pictures)], self.title, theme)

    def save(self, path: str | PathLike[str], theme: str = "light") -> None:
        """Draw it into a file: .svg, .html, .png, .pdf or .xlsx. Raises ModelErrors, also for a file of the model
        itself."""
        from covr.draw.book import save

        spare_own_files(self._compiled, path)
        save(path, [self.shown()], self.title, theme)

    def shown(self, caption: str = "") -> Shown:
        """What `covr.draw` draws of it, with a caption."""
        from covr.draw.book import Shown

        return Shown(self.pictures, caption, tuple((wish.name, wish.how, wish.cost) for wish in self.broken))

    def _repr_svg_(self) -> str:
        return self.svg()

    def _repr_html_(self) -> str:
        below = ""
        if self.cost is not None:
            bound = "" if self.bound is None else f"; none beats {self.bound}"
            below = f"<br>{self.cost}, " + ("proved" if self.proved else f"not proved{bound}")
        return f"<div>{self.svg()}{below}</div>"

    def frame(self) -> DataFrame:
        """A pandas DataFrame with a row for each choice: its family, then a column for each index. Needs pandas."""

        return answer_frame(self._compiled, self.choices)

    @property
    def line(self) -> str:
        """The answer on one line, as `covr solve --each` prints it."""
        from covr.draw.text import one_line

        return one_line(self.pictures)

    def __str__(self) -> str:
        from covr.draw.text import as_text

        return as_text(self.pictures)

    def __repr__(self) -> str:
        worth = "" if self.cost is None else f", cost {self.cost}"
        return f"<Answer: {len(self)} choices{worth}>"

    def __iter__(self) -> Iterator[Choice]:
        return iter(self.choices)

    def __len__(self) -> int:
        return len(self.choices)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Answer):
            return NotImplemented
        return self.as_tuples() == other.as_tuples()

    def __hash__(self) -> int:
        return hash(tuple(map(str, self.choices)))
