"""The limits at which a search stops before it is finished."""

from __future__ import annotations

from typing import Any

from attrs import field

from covr.engine.base.memory import measurable
from covr.engine.base.whole import seconds_field, whole_field
from covr.frozen import frozen


def _memory_field(instance: Any, attribute: Any, value: Any) -> None:
    whole_field(0)(instance, attribute, value)
    if value is not None and not measurable():
        raise ValueError("the memory that a process takes can't be read on this system without psutil")


@frozen
class Limits:
    """The search stops at the first limit that it reaches; None means no limit.

    answers: stop after so many answers; the status is then `solved`.
    nodes: stop after exactly so many search nodes; the status is then `limit`.
    seconds: time spent inside the search, not counting what the caller does between answers; checked after each slice
    (about 20 milliseconds).
    memory: bytes of memory that the process may use; checked every tenth of a second.
    usual: the same where no limit is asked for, to spare the machine. It changes nothing about how a question is
    answered, whereas with `memory` some ways are left out (plan.py).

    Raises ValueError if a limit is not a whole number (see whole.py), or `seconds` not a finite number from 0, and for
    a limit of memory on a system where the memory in use can't be read (see memory.py).
    """

    answers: int | None = field(default=None, validator=whole_field(1))
    nodes: int | None = field(default=None, validator=whole_field(0))
    seconds: float | None = field(default=None, validator=seconds_field)
    memory: int | None = field(default=None, validator=_memory_field)
    usual: int | None = field(default=None, validator=_memory_field)
