"""How a search stands, and what it has done so far."""

from __future__ import annotations

from enum import StrEnum

from attrs import frozen


class Status(StrEnum):
    """How a search stands. Only `exhausted` proves something about answers that were not found."""

    RUNNING = "running"
    SOLVED = "solved"  # as many answers as were asked for; there may be more
    EXHAUSTED = "exhausted"  # every answer was seen, or none can be cheaper
    LIMIT = "limit"  # nodes or time ran out: what was not seen is unknown
    INTERRUPTED = "interrupted"


@frozen
class Counters:
    """The work of a search so far.

    nodes: the root and every option taken.  updates: links or options changed, a measure of work that does not depend
    on the machine.  answers: answers found, whether or not they were read yet.
    """

    nodes: int = 0
    updates: int = 0
    answers: int = 0
