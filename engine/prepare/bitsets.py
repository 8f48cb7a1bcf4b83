"""Sets of numbers, as the bits of a whole number and as the 64-bit words that kernels use."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Sequence

from covr.engine.base.heed import heeded
from covr.engine.prepare.masks import WORD

LITTLE = sys.byteorder == "little"
MANY = 8  # a set has many members if it holds more than one in so many numbers


def bit_set(members: Sequence[int]) -> int:
    """The set of these increasing numbers, from 0, as bits. Time linear in the largest."""
    bits = bytearray((members[-1] >> 3) + 1 if members else 0)
    for o in members:
        bits[o >> 3] |= 1 << (o & 7)
    return int.from_bytes(bits, "little")


def bits_of(members: Iterable[int]) -> int:
    """The set of these numbers, in any order, as bits; fast for few numbers that are not large."""
    found = 0
    for k in members:
        found |= 1 << k
    return found


def few_members_of(numbers: int) -> list[int]:
    """The members of a set, increasing; fast for sets with few members compared to the largest."""
    found = []
    while numbers:
        low = numbers & -numbers
        found.append(low.bit_length() - 1)
        numbers ^= low
    return found


def members_of(numbers: int) -> list[int]:
    """The members of a set, increasing; fast for sets with many members. Time linear in the largest."""
    return [at for at, bit in enumerate(heeded(reversed(f"{numbers:b}"))) if bit == "1"]


def some_members_of(numbers: int) -> list[int]:
    """The members of a set, increasing, in the way that is faster for so many."""
    return members_of(numbers) if MANY * numbers.bit_count() > numbers.bit_length() else few_members_of(numbers)


def from_words(words: Sequence[int]) -> int:
    """The set that these 64-bit words stand for; the first word holds the lowest numbers. Linear time."""
    return int.from_bytes(array("Q", words).tobytes() if LITTLE else b"".join(_bytes(w) for w in words), "little")


def _bytes(word: int) -> bytes:
    return int(word).to_bytes(WORD // 8, "little")


def to_words(numbers: int, size: int) -> list[int]:
    """The set as `size` 64-bit words, of which the first holds the lowest numbers. Linear time."""
    data = (numbers & (1 << WORD * size) - 1).to_bytes(WORD // 8 * size, "little")
    if LITTLE:
        return list(array("Q", data))
    return [int.from_bytes(data[k : k + WORD // 8], "little") for k in range(0, len(data), WORD // 8)]
