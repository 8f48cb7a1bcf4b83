"""An answer as the user sees it: choices with names, a picture, a value."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Any

from covr.questions.values import plain

if TYPE_CHECKING:
    from pandas import DataFrame

    from covr.compiler import Choice, Compiled
    from covr.compiler.compiled import Broken
    from covr.compiler.display.picture import Picture
    from covr.draw.svg import Shown


class Answer:
    """A set of choices that meets every rule of a model.

    `print(answer)` shows its picture. It is a sequence of its choices: `len(answer)`, `for choice in answer`.
    Two answers are equal when they consist of the same choices.

    options: the numbers of its choices in the matrix, increasing.
    cost: the value of the model's goal, the prices of broken wishes among it; None for a model without a goal.
    costs: the value of each goal, if there are several in order.
    bound: a value that no answer can beat, as far as is proved; None without a goal.
    proved: whether this is proved to be a best answer; always true without a goal.
    """

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

        A family without any taken choice has an empty list.
        """
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
        from covr.draw.svg import Shown, draw_svg

        return draw_svg([Shown(self.pictures)], self.title, theme)

    def save(self, path: str | PathLike[str], theme: str = "light") -> None:
        """Draw it into a file: .svg, .html, .png, .pdf or .xlsx. Raises ModelErrors if that can't be done, and for a
        file that the model itself was read from."""
        from covr.draw.files import save
        from covr.questions.own_files import spare_own_files

        spare_own_files(self._compiled, path)
        save(path, [self.shown()], self.title, theme)

    def shown(self, caption: str = "") -> Shown:
        """What `covr.draw` draws of it, with a caption."""
        from covr.draw.svg import Shown

        return Shown(self.pictures, caption, tuple((wish.name, wish.how, wish.cost) for wish in self.broken))

    def _repr_svg_(self) -> str:
        return self.svg()

    def _repr_html_(self) -> str:
        from covr.draw.html import answer_html

        return answer_html(self)

    def frame(self) -> DataFrame:
        """A pandas DataFrame with a row for each choice: its family, then a column for each index. Needs pandas."""
        from covr.questions.frames import answer_frame

        return answer_frame(self._compiled, self.choices)

    @property
    def line(self) -> str:
        """The answer on one line, as `covr solve --each` prints it."""
        from covr.draw.compact import one_line

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
