"""What counts as a whole number in arguments: one rule for costs, bounds, limits, seeds and the rest.

Whole numbers are `int`, and integers of other libraries such as numpy: whatever Python accepts as an index. `True` and
`False` are refused, and so are floats, even 2.0, because a number computed in floats may have lost its last digits
without anybody noticing. The language makes the same distinctions (compiler/evaluate/convert.py).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from numbers import Real
from operator import index
from typing import Any


def whole(value: object, name: str, least: int | None = None) -> int:
    """The value as an int. Raises ValueError, which names the argument, if the value is not a whole number or is below
    `least`."""
    number = value if type(value) is int else _index(value, name)
    if least is not None and number < least:
        raise ValueError(f"{name} must be at least {least}, not {_shown(number)}")
    return number


def seconds(value: object, name: str) -> float:
    """A time in seconds: any finite number from 0. Raises ValueError, which names the argument, for anything else."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise ValueError(f"{name} must be a number of seconds, not {_shown(value)}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise ValueError(f"{name} must be a finite number of seconds, not {_shown(value)}; None is no limit")
    if number < 0:
        raise ValueError(f"{name} must be at least 0, not {_shown(value)}")
    return number


def whole_field(least: int | None = None, optional: bool = True) -> Callable[[Any, Any, Any], None]:
    """An attrs validator that turns the field into an int as `whole` does; if `optional`, None is allowed too. Messages
    name the field."""

    def settle(instance: Any, field: Any, value: Any) -> None:
        if value is not None or not optional:
            object.__setattr__(instance, field.name, whole(value, field.name, least))

    return settle


def seconds_field(instance: Any, field: Any, value: Any) -> None:
    """An attrs validator that does the same with `seconds`."""
    if value is not None:
        object.__setattr__(instance, field.name, seconds(value, field.name))


def _index(value: Any, name: str) -> int:
    # numpy's bool_ is not a subclass of bool; the types are compared by name because numpy is not imported here.
    if type(value).__name__ not in ("bool", "bool_"):
        try:
            return index(value)
        except TypeError:  # not a whole number: raised below
            pass
    raise ValueError(f"{name} must be a whole number, not {_shown(value)}")


def _shown(value: object) -> str:
    """A value as a message shows it: on one line of readable length."""
    if isinstance(value, int) and value.bit_length() > 200:
        return f"a number of {value.bit_length()} binary digits"
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"
