"""The limits at which a search stops before it is finished."""

from __future__ import annotations

from attrs import field, frozen

from covr.engine.whole import seconds_field, whole_field


@frozen
class Limits:
    """The first limit that is met ends the search; None is no limit.

    answers: stop after so many answers; the status is then `solved`.
    nodes: stop after exactly so many search nodes; the status is then `limit`.
    seconds: time spent in the search, without what the caller does between answers; met within a slice (about 20
    milliseconds).
    memory: bytes of memory that the process may use; checked every tenth of a second.

    Raises ValueError for a value that is not a whole number (whole.py), or a time that is negative or not finite.
    """

    answers: int | None = field(default=None, validator=whole_field(1))
    nodes: int | None = field(default=None, validator=whole_field(0))
    seconds: float | None = field(default=None, validator=seconds_field)
    memory: int | None = field(default=None, validator=whole_field(0))
