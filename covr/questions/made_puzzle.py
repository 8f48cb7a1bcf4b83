"""A puzzle that was made: its clues, its answer, and how it is written and drawn."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from attrs import evolve, field

from covr.compiler import FromText
from covr.compiler.unsolved import unsolved
from covr.frozen import frozen
from covr.questions.answer import Answer

if TYPE_CHECKING:
    from os import PathLike

    from covr.compiler import Choice, Compiled
    from covr.compiler.display.picture import Picture


@frozen
class MadePuzzle:
    """A puzzle that was made.

    clues: the choices that are given, in documented order.  answer: the only answer.
    line: the clues on one line.  record: the clues as text; if `readable`, `--each` reads it back as the param `param`,
    or as several params, each under its name (puzzle_records.py).
    It is the line, or the rows of the board where the model's data do not fit on one line.
    minimal: whether it is known that no clue can be left out (with a symmetry: none with its partners).
    bound: no set of fewer clues leaves this answer the only one, as far as is proved; None if the fewest were not
    looked for.  proved: whether there are proved to be no fewer.
    grade: as `covr grade` gives it; None unless a range of grades was asked for.
    data: where the clues stand in params that rules read, or a layout was drawn, each of these params as text. A clue
    that rules read is named after its param, with its place and what it says.
    """

    compiled: Compiled = field(repr=False, eq=False)
    clues: tuple[Choice, ...]
    answer: Answer
    line: str
    record: str
    minimal: bool
    bound: int | None = None
    param: str | None = None
    grade: float | None = None
    data: Mapping[str, str] = field(factory=dict, eq=False, repr=False)

    @property
    def readable(self) -> bool:
        """Whether `--each` reads the record back."""
        return self.param is not None or bool(self.data)

    @property
    def named(self) -> bool:
        """Whether the params of the record stand under their names."""
        return self.param is None and bool(self.data)

    @property
    def with_clues(self) -> Compiled | None:
        """The model with the clues as its data; None if `--each` does not read them."""
        if self.data:
            return self.compiled
        if self.param is None:
            return None
        return self.compiled.with_data({self.param: FromText(self.record, "the puzzle", plain=True)})

    @property
    def proved(self) -> bool:
        return self.bound == len(self.clues)

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """The puzzle before it is solved."""
        return unsolved(self.compiled)

    def as_text(self) -> str:
        """The puzzle as `covr make` prints it, without colours."""
        from covr.draw.text import as_text

        return as_text(self.pictures)

    __str__ = as_text

    def __len__(self) -> int:
        return len(self.clues)

    def svg(self, theme: str = "light") -> str:
        """The puzzle as an SVG document."""
        from covr.draw.svg import Shown, draw_svg

        return draw_svg([Shown(self.pictures)], self.compiled.title, theme)

    def save(self, path: str | PathLike[str], theme: str = "light") -> None:
        """Draw it into a file: .svg, .html, .png or .pdf. Raises ModelErrors if that can't be done."""
        from covr.draw.files import save
        from covr.draw.svg import Shown

        save(path, [Shown(self.pictures)], self.compiled.title, theme)

    def _repr_svg_(self) -> str:
        return self.svg()


def rows_of(pictures: Sequence[Picture]) -> str:
    """The rows of a board, one on each line; empty if there isn't one rectangular board."""
    from covr.draw.compact import one_line

    if len(pictures) != 1 or pictures[0].axes != 2 or not pictures[0].low:
        return ""
    board = pictures[0]
    width = board.high[1] - board.low[1] + 1
    line = one_line(pictures)
    cells, between = (line.split(" "), " ") if " " in line else (list(line), "")
    if len(cells) % width:
        return ""
    return "\n".join(between.join(cells[at : at + width]) for at in range(0, len(cells), width))


def given_as(compiled: Compiled, options: Sequence[int]) -> Compiled:
    """The same model in which exactly these options are given."""
    compiled.pictures(())  # what is drawn once for all answers is kept, and shared with the copy
    twin = copy.copy(compiled)
    for name in ("impossible", "warnings", "symmetry"):
        twin.__dict__.pop(name, None)
    given = tuple(sorted(options))
    lowered = evolve(compiled.lowered, problem=evolve(compiled.lowered.problem, given=given), givens=())
    vars(twin).update(problem=evolve(compiled.problem, given=given), lowered=lowered)
    return twin
