"""A hint: a step, or the part of a step that is one move, with the boards that show it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cached_property
from typing import TYPE_CHECKING

from attrs import evolve, field

from covr.compiler.display.alike import alike
from covr.compiler.display.picture import LINES, Mark, Picture
from covr.engine.proofs.way import WayStep
from covr.explain.because import Because, members_of
from covr.explain.hint_text import move_lines, step_lines
from covr.frozen import frozen

if TYPE_CHECKING:
    from covr.compiler import Choice, Compiled

MOST_DRAWN = 8  # rules of a reason whose open choices are marked in a picture; those of more are most of the board


@frozen
class Hint:
    """A step towards the answer.

    number: from 1.  size: how many rules each reason has.  reasons: one, or several if the size is 1.
    proved: whether it is proved that nothing new follows from fewer rules.
    struck: choices that are ruled out for free after the step, because no room is left for them.
    more: of a move, how many others follow from as few rules each; None for a whole step.
    """

    compiled: Compiled = field(repr=False, eq=False)
    step: WayStep = field(repr=False)
    number: int
    size: int
    proved: bool
    reasons: tuple[Because, ...]
    struck: tuple[Choice, ...]
    more: int | None = None

    @property
    def taken(self) -> tuple[Choice, ...]:
        """The choices that the step takes, reason by reason."""
        return tuple(choice for because in self.reasons for choice in because.taken)

    @property
    def out(self) -> tuple[Choice, ...]:
        """The choices that the step rules out, reason by reason."""
        return tuple(choice for because in self.reasons for choice in because.out)

    def pictures(self) -> tuple[Picture, ...]:
        """The boards of the model with what was known before, and the places of the reasons and of the conclusions
        marked; empty for a model that shows its answers as lists."""
        roles = self._roles
        known = self.step.before_taken
        shown = self.compiled.pictures(tuple(sorted(known | roles.keys())))
        found = []
        for picture in shown:
            if picture.axes and picture.low:
                lines = [m for m in picture.marks if m.look in LINES]
                marks = [_mark(here, roles, known) for here in alike([m for m in picture.marks if m.look not in LINES])]
                marks += [_mark([m], roles, known) for m in lines if m.option >= 0]
                busy = {m.at for m in marks}
                marks += [m for m in picture.marks if m.option < 0 and (m.given or m.at not in busy)]
                marks.sort(key=lambda m: m.at)
                found.append(evolve(picture, marks=tuple(marks), outline=False, tiles=False, pencil=True))
        return tuple(found)

    @cached_property
    def _roles(self) -> dict[int, str]:
        """Option → what it is in the picture: part of a reason, or a conclusion."""
        roles: dict[int, str] = {}
        for because in self.reasons:
            roles.update((choice.number, "reason") for choice in because.known)
            if because.ahead is not None:
                roles.update(
                    (choice.number, "reason") for part in because.ahead.parts for choice in part.taken + part.out
                )
        for reason in self.step.reasons if 1 < self.size <= MOST_DRAWN and not self._followed else ():
            for c in reason.conditions:
                members = members_of(self.compiled, c) or ()
                roles.update((o, "reason") for o in members if o not in self.step.before_out)
        for because in self.reasons:
            roles.update((choice.number, "out") for choice in because.out)
            roles.update((choice.number, "taken") for choice in because.taken)
        return roles

    @property
    def _followed(self) -> bool:
        """Whether it is said how the reason is followed, so that few choices show it."""
        return any(because.ahead is not None for because in self.reasons)

    def as_text(self) -> str:
        """What `covr hint` prints, without colours."""
        from covr.draw.text import as_text

        return "\n".join(filter(None, (*self.lines(), as_text(self.pictures()))))

    __str__ = as_text

    def lines(self) -> Iterator[str]:
        """The step, or the move, in words."""
        return step_lines(self) if self.more is None else move_lines(self, self.more)

    def svg(self, theme: str = "light") -> str:
        """The boards as an SVG document."""
        from covr.draw.svg import Shown, draw_svg

        return draw_svg([Shown(self.pictures())], self.compiled.title, theme)

    def _repr_svg_(self) -> str | None:
        """For notebooks; None where the model has no board."""
        return self.svg() if self.pictures() else None


def _mark(here: Sequence[Mark], roles: Mapping[int, str], known: Set[int]) -> Mark:
    """The mark of choices that show the same text at the same place. It is ruled out only if all of them are."""
    theirs = [roles.get(mark.option, "") for mark in here]
    others = [role for role in theirs if role != "out"]
    role = "taken" if "taken" in others else max(others, default="out")
    sure = next((mark for mark in here if mark.option in known), None)
    return evolve(sure or here[0], faint=sure is None, role=role)
