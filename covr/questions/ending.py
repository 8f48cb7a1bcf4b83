"""How a question ended: what writers report after the last answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from covr.engine import Counters, Status
    from covr.questions.found import Best
    from covr.questions.options import Options
    from covr.questions.verify import Verified


class Ending(Protocol):
    """How a question ended. A `Run` implements this, and so does a finished run that is read from its file
    (runs/listing.py)."""

    @property
    def options(self) -> Options:
        """The options with which it was asked."""

    @property
    def status(self) -> Status:
        """See `Run.status`."""

    @property
    def complete(self) -> bool:
        """Whether all answers were found, so that there are no others."""

    @property
    def reached(self) -> str | None:
        """Which limit ended it: `time`, `nodes`, `memory` or `answers`; None if none did."""

    @property
    def fraction(self) -> float | None:
        """How much of the tree was searched, from 0 to 1; None if that is not known."""

    @property
    def best(self) -> Best | None:
        """The best answer found; None without a goal, or if none was found."""

    @property
    def bound(self) -> int | None:
        """A value of the goal that no answer can beat, as far as is proved; None if nothing is."""

    @property
    def verified(self) -> Verified | None:
        """How the answer was verified; None unless the option `verify` was set."""

    @property
    def lacks_sat(self) -> bool:
        """See `Run.lacks_sat`."""

    @property
    def counters(self) -> Counters:
        """The work of all its searches."""

    @property
    def session_nodes(self) -> int:
        """The number of nodes that counts against `limit_nodes`."""

    @property
    def seconds(self) -> float:
        """Seconds spent inside its searches."""

    @property
    def engine(self) -> str:
        """The engine that answered, in words."""
