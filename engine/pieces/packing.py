"""Answers as bytes: option numbers, packed and compressed, for a file or for another process.

    kind      one byte: how wide a number is, `H` (16 bits) or `I` (32 bits), little-endian
    size      eight bytes: how many answers
    numbers   zlib: per answer its length, then the answers' options one after another

Compression uses zlib's fastest level: a tiling with 12 pieces takes 5 to 8 bytes. The slowest level saves another fifth
but takes ten times as long.
"""

from __future__ import annotations

import sys
import zlib
from array import array
from collections.abc import Iterator, Sequence
from itertools import chain

LEVEL = 1  # of zlib's compression: the fastest
WIDTHS = "HI"  # the widths of numbers, narrowest first, as codes of `struct` and `array`


def pack(answers: Sequence[Sequence[int]]) -> bytes:
    """Answers, each an increasing run of option numbers from 0, as bytes. Linear time."""
    lengths = list(map(len, answers))
    largest = max(chain(lengths, (a[-1] for a in answers if a)), default=0)
    kind = "H" if largest < 1 << 16 else "I"
    numbers = array(kind, chain(lengths, chain.from_iterable(answers)))
    if sys.byteorder == "big":
        numbers.byteswap()
    return kind.encode() + len(answers).to_bytes(8, "little") + zlib.compress(numbers.tobytes(), LEVEL)


def unpack(data: bytes) -> Iterator[tuple[int, ...]]:
    """The answers, in the order in which they were packed. Raises ValueError if the bytes were not made by `pack`."""
    kind = data[:1].decode("latin-1")
    if kind not in WIDTHS or len(data) < 9:
        raise ValueError("these are no packed answers")
    numbers = array(kind)
    try:
        numbers.frombytes(zlib.decompress(data[9:]))
    except zlib.error as error:
        raise ValueError(f"these are no packed answers: {error}") from None
    if sys.byteorder == "big":
        numbers.byteswap()
    size = int.from_bytes(data[1:9], "little")
    end = size
    if len(numbers) < size or len(numbers) != size + sum(numbers[:size]):
        raise ValueError("packed answers are cut off")
    for length in numbers[:size]:
        yield tuple(numbers[end : end + length])
        end += length
