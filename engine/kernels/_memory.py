"""The makers of arrays for kernels that run interpreted: lists. Compiled ones have the same names from _memory.pxd.

There, an array is memory of C's that lives as long as the list `hold`, which the kernel keeps; here nothing is held.
Those made of values have a 0 behind them, so that a loop may look one further than the last, and none is empty.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def _ints(values: Iterable[int], hold: list[object]) -> list[int]:
    """Whole numbers of 32 bits, and a 0."""
    return [*values, 0]


def _longs(values: Iterable[int], hold: list[object]) -> list[int]:
    """Whole numbers of 64 bits, and a 0."""
    return [*values, 0]


def _reals(values: Iterable[float], hold: list[object]) -> list[float]:
    """Numbers with a fraction, and a 0."""
    return [*values, 0.0]


def _shared_ints(numbers: Sequence[int], hold: list[object]) -> Sequence[int]:
    """The very array of `i` that the caller has, not a copy of it."""
    return numbers


def _words(words: Sequence[int], hold: list[object]) -> Sequence[int]:
    """Words of 64 bits: the very ones that the caller has from `_zeros`."""
    return words


def _zeros(size: int) -> list[int]:
    """So many words of 0, to be handed to Python and to other kernels: an array of `Q` where kernels are compiled."""
    return [0] * max(size, 1)


def _zero_shorts(size: int, hold: list[object]) -> list[int]:
    """So many whole numbers of 16 bits, all 0."""
    return [0] * max(size, 1)


_zero_ints = _zero_longs = _zero_words = _zero_shorts  # of 32 and 64 bits, and 64 without sign


def _zero_reals(size: int, hold: list[object]) -> list[float]:
    """So many numbers with a fraction, all 0."""
    return [0.0] * max(size, 1)
