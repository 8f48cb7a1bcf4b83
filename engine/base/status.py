"""The status of a search, and counters of what it has done so far."""

from __future__ import annotations

from enum import StrEnum

from covr.frozen import frozen


class Status(StrEnum):
    """The status of a search. Only `exhausted` proves anything about answers that were not found."""

    RUNNING = "running"
    SOLVED = "solved"  # as many answers as were asked for; there may be more
    EXHAUSTED = "exhausted"  # every answer was found, or no other answer can be cheaper
    LIMIT = "limit"  # a limit of nodes, time or memory was reached: whether there are more answers is unknown
    INTERRUPTED = "interrupted"


@frozen
class Counters:
    """The work of a search so far.

    nodes: one for the root and one for each time an option is taken.  updates: how many links or options were changed,
    a measure of work that does not depend on the machine.  answers: answers found, whether or not they have been read.
    """

    nodes: int = 0
    updates: int = 0
    answers: int = 0
