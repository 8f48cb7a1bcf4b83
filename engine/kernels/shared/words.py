"""Functions on 64-bit words for interpreted kernels; compiled ones get the same from words.pxd."""

from __future__ import annotations


def lowest(word: int) -> int:
    """The number, from 0, of the lowest set bit. The word must not be 0."""
    return (word & -word).bit_length() - 1


def bits(word: int) -> int:
    """How many bits of the word are set."""
    return word.bit_count()
