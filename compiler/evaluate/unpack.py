"""Reading files that may be compressed with gzip or xz, and that may be UTF-8 or, with a byte order mark, UTF-16.

The format is recognised by the first bytes and not by the file's name, so that a pipe is read in the same way. No more
is decompressed than was asked for, because a small compressed file can expand to any size.
"""

from __future__ import annotations

import codecs
import io
from contextlib import suppress
from typing import TYPE_CHECKING, BinaryIO, cast

if TYPE_CHECKING:
    import lzma
    import zlib

GZIP, XZ = b"\x1f\x8b", b"\xfd7zXZ\x00"
PACKED = (GZIP, XZ)
UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
LONGEST_MARK = len(XZ)
CHUNK = 1 << 16  # how many bytes are decompressed at a time
XZ_MEMORY = 100_000_000  # how many bytes of memory decompression may use; files of `xz -9` need 65 million


class Damaged(ValueError):
    """A compressed file that cannot be decompressed; the text says why."""


def unpacked(data: bytes, most: int) -> bytes:
    """The content of a compressed file, or its first `most` + 1 bytes if it has more; other bytes unchanged. Raises
    Damaged."""
    if not data.startswith(PACKED):
        return data
    with opened(io.BytesIO(data)) as stream:
        return stream.read(most + 1)


def opened(stream: BinaryIO) -> io.BufferedReader:
    """The bytes of a stream, decompressed while they are read. Reading raises Damaged."""
    return io.BufferedReader(_Unpacking(stream), CHUNK)


def is_utf_16(start: bytes) -> bool:
    """Whether a text that begins with these bytes is UTF-16."""
    return start.startswith(UTF_16)


def decoded(data: bytes) -> str:
    """Bytes as text, without a byte order mark. Raises UnicodeDecodeError if they are neither UTF-8 nor UTF-16 with a
    byte order mark."""
    return data.decode("utf-16" if is_utf_16(data) else "utf-8-sig")


def lines_of(stream: BinaryIO) -> io.TextIOWrapper:
    """A text file, decompressed and decoded while it is read. Reading raises Damaged and UnicodeDecodeError.

    This waits for a pipe only until its first bytes have arrived.
    """
    bytes_ = opened(stream)
    return io.TextIOWrapper(bytes_, encoding="utf-16" if is_utf_16(bytes_.peek(2)[:2]) else "utf-8-sig")


class _Unpacking(io.RawIOBase):
    """A raw stream that decompresses another one if that begins like a compressed file. Several compressed parts, one
    after another, are read as one."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._coming = b""  # read but not yet decompressed
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
        """At least one byte and at most `size` bytes; no bytes at the end."""
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
        """Whether another compressed part follows. Padding, and anything that is not a compressed part, is dropped."""
        while len(self._coming) < LONGEST_MARK and (more := self._more()):
            self._coming += more
        return self._coming.startswith(self._mark)

    def _step(self, size: int) -> tuple[bytes, bool]:
        """The decompressed bytes that the next step yields, and whether more compressed bytes are needed."""
        coming, self._coming = self._coming, b""
        one = self._unpacker
        assert one is not None
        if self._mark == XZ:
            xz = cast("lzma.LZMADecompressor", one)
            return xz.decompress(coming, size), xz.needs_input
        gzip = cast("zlib._Decompress", one)
        found = gzip.decompress(gzip.unconsumed_tail + coming, size)
        return found, not gzip.unconsumed_tail


def doctype_place(data: bytes) -> tuple[int, int] | None:
    """The line and column, from 1, of the document type that XML declares, in whatever encoding; None if it declares
    none. What it declares, such as texts that stand for others, is not read."""
    from xml.parsers import expat

    found: list[tuple[int, int]] = []

    def declared(*_: object) -> None:
        found.append((parser.CurrentLineNumber, parser.CurrentColumnNumber + 1))
        raise ValueError

    def begun(*_: object) -> None:
        raise ValueError  # an element: a document type stands before it

    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler, parser.StartElementHandler = declared, begun
    with suppress(expat.ExpatError, ValueError, LookupError):  # the last two also of a declared encoding
        parser.Parse(data, True)
    return found[0] if found else None


def unpacker(mark: bytes) -> lzma.LZMADecompressor | zlib._Decompress:
    """The decompressor for a part that begins with this mark."""
    if mark == GZIP:
        import zlib

        return zlib.decompressobj(16 + zlib.MAX_WBITS)  # with the header and the checks of gzip
    import lzma

    return lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=XZ_MEMORY)
