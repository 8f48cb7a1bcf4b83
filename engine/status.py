"""How a search stands, and what it has done so far."""

from __future__ import annotations

from enum import StrEnum

from attrs import frozen


class Status(StrEnum):
    """`exhausted` alone proves something about answers that were not seen."""

    RUNNING = "running"
    SOLVED = "solved"  # as many answers as were asked for; there may be more
    EXHAUSTED = "exhausted"  # every answer was seen, or none can be cheaper
    LIMIT = "limit"  # nodes or time ran out: what was not seen is unknown
    INTERRUPTED = "interrupted"


@frozen
class Counters:
    """nodes: the root and every option taken.  updates: links changed, the machine-independent measure of
    work.
    answers: answers found, whether or not they were read yet."""

    nodes: int = 0
    updates: int = 0
    answers: int = 0
