"""A link to a puzzle as other programs share it: `covr.link`."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, Unpack

from covr.api.model import Model
from covr.compiler import compile_model
from covr.faults import usage_error
from covr.inputs.as_link import PZPRV3, linked_from, usual_form, written
from covr.inputs.library import find_linked, open_model
from covr.questions.options import Options, OptionWords

if TYPE_CHECKING:
    from covr.explain.drawn_answer import Judgement
    from covr.links.opened import Linked


class Link:
    """A puzzle that a link or file holds, perhaps with an answer that is drawn in it. It never changes."""

    def __init__(self, linked: Linked) -> None:
        self._linked = linked

    @property
    def kind(self) -> str:
        """What links call such a puzzle: `slither`."""
        return self._linked.kind.name

    @property
    def size(self) -> tuple[int, int]:
        """Its rows and columns."""
        return self._linked.board.height, self._linked.board.width

    @property
    def passed_over(self) -> dict[str, int]:
        """What was drawn in it and passed over, with the number of each: lines, texts and colours of a sudoku."""
        return {str(place[0]): int(str(many)) for place, many in self._linked.board.layer("passed").items()}

    @property
    def params(self) -> dict[str, Any]:
        """The params of its model: grids as rows, with None for a blank. Raises ModelErrors for a puzzle that the model
        can't hold."""
        from covr.inputs.library import unreadable_link
        from covr.links.board import LinkFault

        try:
            return dict(self._linked.kind.params(self._linked.board))
        except LinkFault as fault:
            raise unreadable_link(self.kind, fault) from None

    def load(self) -> Model:
        """The gallery's model with this board."""
        return Model(compile_model(open_model(self._linked.kind.model), self.params))

    @property
    def address(self) -> str:
        """The puzzle as an address of puzz.link, or of f-puzzles for a sudoku that has none. Raises ModelErrors if it
        can't be one."""
        return written(self._linked, usual_form(self._linked)).strip()

    @property
    def file(self) -> str:
        """The puzzle, and what is drawn in it, as a file of pzpr. Raises ModelErrors if it can't be one."""
        return written(self._linked, PZPRV3)

    @property
    def remark(self) -> str:
        """What is odd about the link: that it ended too early, or has more than its board; mostly ""."""
        return self._linked.board.remark

    @property
    def is_drawn(self) -> bool:
        """Whether there is an answer in it, finished or not."""
        from covr.links.answers import drawn_on

        return bool(drawn_on(self._linked.board, self._linked.kind))

    def check(self, **words: Unpack[OptionWords]) -> Judgement:
        """The answer that is drawn, held against the rules: `.verdict` is `right`, `wrong`, `unfinished`, or `unknown`
        if a limit was hit; `.places` and `.rules` say what is wrong. Takes at most 30 seconds unless limit_time says
        otherwise."""
        from covr.explain.drawn_answer import judge

        return judge(self.load().compiled, self._linked.board, self._linked.kind, Options(**words))

    def __str__(self) -> str:
        return self.address

    def __repr__(self) -> str:
        high, wide = self.size
        return f"<Link {self.kind}: {high} rows, {wide} columns>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Link) and self._linked.board == other._linked.board

    __hash__ = None  # type: ignore[assignment]  # a board holds dicts


def link(
    source: str | PathLike[str] | Model, /, kind: str | None = None, ignore: Literal["drawings"] | None = None
) -> Link:
    """The puzzle in a link, in a file of pzpr, given by its path or as text, or in a model.

    kind: for links that do not say it, those of penpa-edit without a tag.  ignore: "drawings" passes over what the
    setter of a sudoku drew freely (`Link.passed_over`). Nothing is fetched. Raises ModelErrors for a link that can't be
    read, and for a model of which there are no links; ValueError for anything else that is to be ignored.
    """
    if ignore not in (None, "drawings"):
        raise ValueError(f"drawings can be ignored, and not {ignore!r}")
    if isinstance(source, Model):
        return Link(linked_from(source.compiled))
    found = find_linked(str(source), kind, ignore is not None)
    if found is None:
        raise usage_error("E606", f"`{str(source)[:60]}` can't be read: it is no link to a puzzle, and no file of one")
    return Link(found)
