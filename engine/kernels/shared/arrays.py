"""Functions that make arrays for interpreted kernels, as lists. Compiled kernels get the same names from arrays.pxd,
which are written in C (_arrays.h): what Cython made of them was a third of the time to compile each of 43 kernels.

There, an array is C memory that lives as long as the list `hold`, which the kernel keeps; here `hold` is not used.
Arrays that are made from values have an extra 0 at the end, so that a loop may read one place beyond the last value
and no array is empty.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def _ints(values: Iterable[int], hold: list[object]) -> list[int]:
    """Whole numbers of 32 bits, followed by a 0."""
    return [*values, 0]


def _longs(values: Iterable[int], hold: list[object]) -> list[int]:
    """Whole numbers of 64 bits, followed by a 0."""
    return [*values, 0]


def _reals(values: Iterable[float], hold: list[object]) -> list[float]:
    """Doubles, followed by a 0."""
    return [*values, 0.0]


def _new_words(values: Iterable[int], hold: list[object]) -> list[int]:
    """Whole numbers of 64 bits without sign, followed by a 0."""
    return [*values, 0]


def _shared_ints(numbers: Sequence[int], hold: list[object]) -> Sequence[int]:
    """The caller's own array of `i`, not a copy."""
    return numbers


def _words(words: Sequence[int], hold: list[object]) -> Sequence[int]:
    """Words of 64 bits: the caller's own, which came from `_zeros`, not a copy."""
    return words


def _zeros(size: int) -> list[int]:
    """`size` words of 0, which Python and other kernels may use too: an array of `Q` where kernels are compiled."""
    return [0] * max(size, 1)


def _zero_shorts(size: int, hold: list[object]) -> list[int]:
    """`size` whole numbers of 16 bits, all 0."""
    return [0] * max(size, 1)


def _zero_bytes(size: int, hold: list[object]) -> list[int]:
    """`size` whole numbers of 8 bits, all 0."""
    return [0] * max(size, 1)


_zero_ints = _zero_longs = _zero_words = _zero_shorts  # the same for 32 bits, 64 bits, and 64 bits without sign


def _zero_reals(size: int, hold: list[object]) -> list[float]:
    """`size` doubles, all 0."""
    return [0.0] * max(size, 1)
