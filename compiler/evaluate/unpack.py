"""Files as they lie on a disk: packed with gzip or xz, in UTF-8 or, where a byte order mark says so, in UTF-16.

What a file is, its first bytes say and not its name, so that a pipe is read in the same way. Nothing is unpacked
beyond what was asked for: a small file may unpack to any size.
"""

from __future__ import annotations

import codecs
import io
from typing import TYPE_CHECKING, BinaryIO, cast

if TYPE_CHECKING:
    import lzma
    import zlib

GZIP, XZ = b"\x1f\x8b", b"\xfd7zXZ\x00"
PACKED = (GZIP, XZ)
UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
LONGEST_MARK = len(XZ)
CHUNK = 1 << 16  # bytes unpacked at a time
XZ_MEMORY = 100_000_000  # bytes that unpacking may take; what `xz -9` writes takes 65 million


class Damaged(ValueError):
    """A packed file that can't be unpacked; the text says why."""


def unpacked(data: bytes, most: int) -> bytes:
    """What a packed file holds, or more than `most` bytes of it; other bytes as they are. Raises Damaged."""
    if not data.startswith(PACKED):
        return data
    with opened(io.BytesIO(data)) as stream:
        return stream.read(most + 1)


def opened(stream: BinaryIO) -> io.BufferedReader:
    """The bytes of a stream, unpacked while they are read. Reading raises Damaged."""
    return io.BufferedReader(_Unpacking(stream), CHUNK)


def is_utf_16(start: bytes) -> bool:
    """Whether a text that begins so is UTF-16."""
    return start.startswith(UTF_16)


def decoded(data: bytes) -> str:
    """Bytes as text, without a byte order mark. Raises UnicodeDecodeError where they are not UTF-8 or marked UTF-16."""
    return data.decode("utf-16" if is_utf_16(data) else "utf-8-sig")


def lines_of(stream: BinaryIO) -> io.TextIOWrapper:
    """A text file, line by line, unpacked and decoded as it comes. Reading raises Damaged and UnicodeDecodeError.

    A pipe is waited for only until its first bytes are there.
    """
    bytes_ = opened(stream)
    return io.TextIOWrapper(bytes_, encoding="utf-16" if is_utf_16(bytes_.peek(2)[:2]) else "utf-8-sig")


class _Unpacking(io.RawIOBase):
    """A raw stream that unpacks another one, if that begins as a packed file does; several packed parts one behind
    another are read as one."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._coming = b""  # read and not unpacked yet
        self._started = False
        self._mark = b""
        self._unpacker: lzma.LZMADecompressor | zlib._Decompress | None = None

    def readable(self) -> bool:
        return True

    def readinto(self, target: object) -> int:
        view = memoryview(cast("bytearray", target)).cast("B")
        data = self._next(len(view))
        view[: len(data)] = data
        return len(data)

    def _more(self) -> bytes:
        read1 = getattr(self._stream, "read1", None)
        found = self._stream.read(CHUNK) if read1 is None else read1(CHUNK)
        return cast("bytes", found or b"")

    def _start(self) -> None:
        self._started = True
        self._coming = self._more()
        while 0 < len(self._coming) < LONGEST_MARK and (GZIP + XZ).find(self._coming[:1]) in (0, len(GZIP)):
            more = self._more()
            if not more:
                break
            self._coming += more
        self._mark = next((mark for mark in PACKED if self._coming.startswith(mark)), b"")

    def _next(self, size: int) -> bytes:
        """At least one byte and at most `size`, nothing at the end."""
        if not self._started:
            self._start()
        if not self._mark:
            self._coming = self._coming or self._more()
            found, self._coming = self._coming[:size], self._coming[size:]
            return found
        import lzma
        import zlib

        try:
            return self._unpack(size)
        except (zlib.error, lzma.LZMAError) as error:
            raise Damaged(f"it is packed, and damaged: {error}") from None

    def _unpack(self, size: int) -> bytes:
        while True:
            if self._unpacker is None:
                if not self._begins_again():
                    return b""
                self._unpacker = unpacker(self._mark)
            found, wants = self._step(size)
            if self._unpacker.eof:
                self._coming = self._unpacker.unused_data
                self._unpacker = None
            if found:
                return found
            if self._unpacker is not None and wants:
                self._coming = self._more()
                if not self._coming:
                    raise Damaged("it is packed, and ends too soon")

    def _begins_again(self) -> bool:
        """Whether another packed part follows; padding, and what is no packed part, is left out."""
        while len(self._coming) < LONGEST_MARK and (more := self._more()):
            self._coming += more
        return self._coming.startswith(self._mark)

    def _step(self, size: int) -> tuple[bytes, bool]:
        """What some packed bytes give, and whether more of them are wanted."""
        coming, self._coming = self._coming, b""
        one = self._unpacker
        assert one is not None
        if self._mark == XZ:
            xz = cast("lzma.LZMADecompressor", one)
            return xz.decompress(coming, size), xz.needs_input
        gzip = cast("zlib._Decompress", one)
        found = gzip.decompress(gzip.unconsumed_tail + coming, size)
        return found, not gzip.unconsumed_tail


def unpacker(mark: bytes) -> lzma.LZMADecompressor | zlib._Decompress:
    """What unpacks a part that begins with that mark."""
    if mark == GZIP:
        import zlib

        return zlib.decompressobj(16 + zlib.MAX_WBITS)  # with the header and the checks of gzip
    import lzma

    return lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=XZ_MEMORY)
