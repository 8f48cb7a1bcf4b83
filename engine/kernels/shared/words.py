"""Functions on 64-bit words for interpreted kernels; compiled ones get the same from words.pxd."""

from __future__ import annotations

WORD = 64  # bits
FULL_WORD = (1 << WORD) - 1  # a word of ones


def lowest(word: int) -> int:
    """The number, from 0, of the lowest set bit. The word must not be 0."""
    return (word & -word).bit_length() - 1


def bits(word: int) -> int:
    """How many bits of the word are set."""
    return word.bit_count()


def next_random(word: int) -> int:
    """The number after this one in Marsaglia's xorshift64 ("Xorshift RNGs", 2003). The word must not be 0."""
    word ^= (word << 13) & FULL_WORD
    word ^= word >> 7
    return word ^ ((word << 17) & FULL_WORD)
