"""How a question ended: what those who write answers say of it after the last one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from covr.engine import Counters, Status
    from covr.questions.options import Options
    from covr.questions.run import Best
    from covr.questions.verify import Verified


class Ending(Protocol):
    """A `Run` is one, and so is what a run file says of a run that was (runs/listing.py)."""

    @property
    def options(self) -> Options:
        """How it was asked."""

    @property
    def status(self) -> Status:
        """As of `Run`."""

    @property
    def complete(self) -> bool:
        """Whether every answer was seen, so that what was not seen does not exist."""

    @property
    def reached(self) -> str | None:
        """Which limit ended it: `time`, `nodes`, `memory` or `answers`; None where none did."""

    @property
    def fraction(self) -> float | None:
        """How much of the tree was searched, 0 to 1; None where that is not known."""

    @property
    def best(self) -> Best | None:
        """The best answer found, where there is a goal."""

    @property
    def bound(self) -> int | None:
        """What no answer beats, as a value of the goal, as far as proved."""

    @property
    def verified(self) -> Verified | None:
        """How the answer was verified, where that was asked for."""

    @property
    def counters(self) -> Counters:
        """The work of all its searches."""

    @property
    def session_nodes(self) -> int:
        """The nodes that limits are held against."""

    @property
    def seconds(self) -> float:
        """Time spent inside its searches."""

    @property
    def engine(self) -> str:
        """Which engine answered, in words."""
