"""Words of 64 bits for kernels that run interpreted; compiled ones have the same from _words.pxd."""

from __future__ import annotations


def lowest(word: int) -> int:
    """The number of the lowest bit of a word that is not 0."""
    return (word & -word).bit_length() - 1


def bits(word: int) -> int:
    """How many bits are set."""
    return word.bit_count()
