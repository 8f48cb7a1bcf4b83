"""Whole numbers of any length as text.

Python refuses to write an int of more than 4300 digits, because that takes quadratic time, which matters for numbers
that a stranger sent. The number of answers is our own result, and is always written in full: 20 000 digits take some
milliseconds, a million some seconds. Reading stays limited.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def all_digits() -> Iterator[None]:
    """Within this context, whole numbers are written in full, however long. Holds for all threads."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(before)


def digits(number: int) -> str:
    """A whole number in full."""
    try:
        return str(number)
    except ValueError:
        with all_digits():
            return str(number)
