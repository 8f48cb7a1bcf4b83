"""Answers as bytes: option numbers, packed and compressed, for a file or for another process.

    kind      one byte: how wide a number is, `H` (16 bits) or `I` (32 bits), little-endian
    size      eight bytes: how many answers
    numbers   zlib: per answer its length, then the answers' options one after another

What would have more than `MOST` bytes of numbers is packed in several such parts, one after another, and no part with
more is unpacked: a file that was made up can stand for a thousand times its size.

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
HEAD = 9  # bytes before the numbers of a part
MOST = (
    1 << 27
)  # bytes of numbers in a part: ten million answers of a tiling with 12 pieces, and no more memory than that


def pack(answers: Sequence[Sequence[int]]) -> bytes:
    """Answers, each an increasing run of option numbers from 0, as bytes. Linear time."""
    lengths = list(map(len, answers))
    largest = max(chain(lengths, (a[-1] for a in answers if a)), default=0)
    kind = "H" if largest < 1 << 16 else "I"
    most = MOST // array(kind).itemsize
    if len(lengths) + sum(lengths) <= most:
        return _part(kind, lengths, answers)
    parts, begin, held = [], 0, 0
    for end, length in enumerate(lengths):
        if held + 1 + length > most and end > begin:
            parts.append(_part(kind, lengths[begin:end], answers[begin:end]))
            begin, held = end, 0
        held += 1 + length
    return b"".join((*parts, _part(kind, lengths[begin:], answers[begin:])))


def _part(kind: str, lengths: list[int], answers: Sequence[Sequence[int]]) -> bytes:
    numbers = array(kind, chain(lengths, chain.from_iterable(answers)))
    if sys.byteorder == "big":
        numbers.byteswap()
    return kind.encode() + len(answers).to_bytes(8, "little") + zlib.compress(numbers.tobytes(), LEVEL)


def unpack(data: bytes) -> Iterator[tuple[int, ...]]:
    """The answers, in the order in which they were packed; one part is in memory at a time. Raises ValueError if the
    bytes were not made by `pack`."""
    while True:
        kind = data[:1].decode("latin-1")
        if kind not in WIDTHS or len(data) < HEAD:
            raise ValueError("these are no packed answers")
        raw, rest = inflated(data[HEAD:], MOST)
        numbers = array(kind)
        if len(raw) % numbers.itemsize:
            raise ValueError("packed answers are cut off")
        numbers.frombytes(raw)
        del raw
        if sys.byteorder == "big":
            numbers.byteswap()
        size = int.from_bytes(data[1:HEAD], "little")
        end = size
        if len(numbers) < size or len(numbers) != size + sum(numbers[:size]):
            raise ValueError("packed answers are cut off")
        for length in numbers[:size]:
            yield tuple(numbers[end : end + length])
            end += length
        if not rest:
            return
        data = rest


def inflated(data: bytes, most: int) -> tuple[bytes, bytes]:
    """What zlib has compressed, and what comes behind it. Raises ValueError for more than `most` bytes, of which no
    more are unpacked, and for what zlib has not made."""
    unpacker = zlib.decompressobj()
    try:
        found = unpacker.decompress(data, most)
        if not unpacker.eof and unpacker.decompress(unpacker.unconsumed_tail, 1):
            raise ValueError(f"a part unpacks to more than {most:,} bytes")
    except zlib.error as error:
        raise ValueError(f"these are no packed answers: {error}") from None
    if not unpacker.eof:
        raise ValueError("packed answers are cut off")
    return found, unpacker.unused_data
