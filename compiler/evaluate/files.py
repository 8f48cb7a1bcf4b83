"""Reading the files that a model or the command line names, compressed or not."""

from __future__ import annotations

import codecs
import io
import os
import re
import stat
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, cast

from covr.compiler.evaluate.blocks import DataBlock, sections
from covr.compiler.evaluate.limits import Budget, EvalFault
from covr.dsl.diagnostics import Source, Span, shorten
from covr.dsl.load import permit, recall, record

if TYPE_CHECKING:
    import lzma
    import zlib

# --- unpack ----------------------------------------------------------------------------------------------------------
# Reading files that may be compressed with gzip or xz, and that may be UTF-8 or, with a byte order mark, UTF-16.
#
# The format is recognised by the first bytes and not by the file's name, so that a pipe is read in the same way. No
# more is decompressed than was asked for, because a small compressed file can expand to any size.


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
    """A text file, decompressed and decoded while it is read. Reading raises Damaged and UnicodeDecodeError. This waits
    for a pipe only until its first bytes have arrived."""
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


# --- files -----------------------------------------------------------------------------------------------------------
# Reading the files that a model or the command line names.
#
# A model may come from a stranger, so `file("…")` reaches only ordinary files inside the folder of the file that
# contains it, after following links. A file on the command line, `-D clue=@path`, may be anywhere. Both must be text of
# at most `CompileLimits.data` bytes, in UTF-8, or in UTF-16 with a byte order mark; they may be compressed. A bare name
# without a file beside the model may be that of a table that ships with covr.


BOOK: Final = re.compile(r"(?P<file>.+?\.(?:xlsx|xlsm|xlsb|xls|ods))(?:#(?P<sheet>.+))?", re.IGNORECASE)
MODELS: Final = Path(__file__).parents[2] / "models"  # the gallery, in a checkout and where covr is installed
TABLE: Final = re.compile(r"\w+\.csv")  # a name that a table of the gallery may have
LOOKED_AT: Final = 10_000  # characters of a file by which is told what it seems to be
ZIP = b"PK\x03\x04"  # how a book of sheets begins
_SHEETS = 'the sheets of a book are read by `table("name.xlsx")`, each by `table("name.xlsx#sheet")`'


def names_book(name: str) -> bool:
    """Whether a text is the name of a file of sheets, with or without `#` and the name of a sheet."""
    return "\n" not in name and BOOK.fullmatch(name) is not None


def read_beside(path: str, span: Span, budget: Budget) -> Source:
    """The file that `file(path)` names. Raises EvalFault E330 to E333 at `span`."""
    return _read(_beside(path, span), path, span, budget)


def read_named(path: str, span: Span | None, budget: Budget) -> Source:
    """A file that a person named. Raises EvalFault E330 to E332."""
    return _read(path, path, span, budget)


def bytes_beside(path: str, span: Span | None, budget: Budget) -> bytes:
    """The bytes of a file that is no text, beside the model where `span` is. Raises EvalFault E330, E331 and E333."""
    assert span is not None
    return _raw(_beside(path, span), shorten(path, 80), span, budget)


def bytes_named(path: str, span: Span | None, budget: Budget) -> bytes:
    """The bytes of a file that is no text and that a person named. Raises EvalFault E330 and E331."""
    return _raw(path, shorten(path, 80), span, budget)


def _beside(path: str, span: Span) -> str:
    """Where a file is that a model names. Raises EvalFault E333 for one that is not beside the model."""
    home = span.source.path
    if TABLE.fullmatch(path) and not (home and (Path(home).parent / path).exists()):
        shipped = sorted(MODELS.glob(f"*/{path}"))
        if shipped:
            return str(shipped[0])
    if not home:
        raise EvalFault.at(
            span,
            "E333",
            f"`file` has no folder to look in, since {span.source.name} is no file",
            help="give the data from outside: -D name=@path",
        )
    folder = Path(home).parent
    try:
        inside = not Path(path).is_absolute() and (folder / path).resolve().is_relative_to(folder.resolve())
    except (OSError, ValueError, RuntimeError):
        inside = True
    if not inside:
        raise EvalFault.at(
            span,
            "E333",
            f"`{shorten(path, 80)}` is outside the folder of {span.source.name}",
            help="a model reads only files beside it; others are given from outside: -D name=@path",
        )
    return str(folder / path)


def _raw(path: str, shown: str, span: Span | None, budget: Budget) -> bytes:
    """The bytes of a file, which the budget notes. Raises EvalFault E330 for one that cannot be read, E331 for one that
    is too large."""
    budget.files.add(os.path.abspath(path))
    try:
        old = recall(path)
        if old is None:
            permit(path)
        raw = record(path, _bytes(path, budget.limits.data + 1)) if old is None else old
    except FileNotFoundError:
        raise EvalFault.at(span, "E330", f"there is no file `{shown}`") from None
    except IsADirectoryError:
        raise EvalFault.at(span, "E330", f"`{shown}` is a folder, not a file") from None
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise EvalFault.at(span, "E330", f"the file `{shown}` cannot be read: {why}") from None
    _check_size(raw, shown, span, budget)
    return raw


def _check_size(raw: bytes, shown: str, span: Span | None, budget: Budget) -> None:
    if len(raw) > budget.limits.data:
        raise EvalFault.at(span, "E331", f"the file `{shown}` has more than {budget.limits.data:,} bytes")


def _read(path: str, name: str, span: Span | None, budget: Budget) -> Source:
    shown = shorten(name, 80)
    raw = _raw(path, shown, span, budget)
    try:
        if raw.startswith(PACKED):
            raw = unpacked(raw, budget.limits.data)
            _check_size(raw, shown, span, budget)
        text = decoded(raw)
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        what, cure = seems(raw)
        help = cure or (f"it seems to be {what}" if what else "")
        raise EvalFault.at(span, "E332", f"line {line} of the file `{shown}` is not UTF-8 text", help) from None
    except ValueError as error:
        raise EvalFault.at(span, "E330", f"the file `{shown}` cannot be read: {error}") from None
    return Source(name, normal(text), os.path.abspath(path))


def _bytes(path: str, most: int) -> bytes:
    """The first `most` bytes of an ordinary file. A device or a pipe is refused at once, without waiting for it."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        mode = os.fstat(handle).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(path)
        if not stat.S_ISREG(mode):
            raise OSError(0, "it is no ordinary file")
        with os.fdopen(handle, "rb", closefd=False) as file:
            return file.read(most)
    finally:
        os.close(handle)


# How files begin that are no text, and what they are.
_MAGIC: Final = {
    b"\x89PNG": "an image (PNG)", b"\xff\xd8\xff": "an image (JPEG)", b"GIF8": "an image (GIF)", b"%PDF": "a PDF",
    ZIP: "a book of sheets, or other files packed as zip", b"\xd0\xcf\x11\xe0": "an old file of Office (xls, doc)",
    b"SQLite format 3": "a database (SQLite)", b"PAR1": "a table (Parquet)", b"\x7fELF": "a program",
}  # fmt: skip
# What texts look like that are neither a model nor a matrix; the first that fits counts.
_LOOKS: Final = (
    (r"\A(<\?xml[^>]*>|<!--((?!-->).)*-->|<!DOCTYPE svg[^>]*>|\s)*<svg[\s>]", "an image (SVG)"),
    (r"\A(?i:<!doctype html|<html)", "a web page (HTML)"),
    (r"\A(<\?xml|<!DOCTYPE|<!--|<([A-Za-z][\w:.-]*)(\s[^<>]*)?(/>|>.*</\2\s*>)\s*\Z)", "XML"),
    (r'\A(\{\s*("([^"\\]|\\.)*"\s*:|\})|\[\s*(\[|\{|"|-?\d|\]))', "JSON"),
    (r"^[ \t]*(var |constraint |solve |output *\[|array *\[|int *:|set of )[^\n]*;", "a model of MiniZinc"),
    (r"^[ \t]*(:- |#(show|const|minimize|maximize|program)\b|[a-z{][^\n]*:- [^\n]*\.[ \t]*$)", "a program for clingo"),
    (r"^(import \w|from \w[\w.]* import |def \w+\([^\n]*:[ \t]*$)", "a program in Python"),
    (r"^\((set-logic|declare-const|declare-fun|assert|check-sat)\b", "a problem for an SMT solver (SMT-LIB)"),
)


def seems(content: bytes | str) -> tuple[str, str]:
    """What a file that is no model seems to be, and how a model reads it; empty texts where that is not known. Whether
    it is a matrix is another question (compiler/formats/table.py)."""
    if isinstance(content, bytes):
        found = next((what for mark, what in _MAGIC.items() if content.startswith(mark)), "")
        found = found or ("an image (WebP)" if content[:4] == b"RIFF" and content[8:12] == b"WEBP" else "")
        return found, _SHEETS if content.startswith(ZIP) else ""
    if (known := seems(content[:16].encode()))[0]:
        return known
    text = content[:LOOKED_AT].strip()
    for pattern, what in _LOOKS:
        if re.search(pattern, text, re.MULTILINE | re.DOTALL):
            return what, ""
    kinds = {section.kind for section in sections(DataBlock.of_source(Source("", text)))}
    if kinds - {"beside"}:
        what = "data for MiniZinc (.dzn)" if "=" in kinds else "data in sections"
        return what, '`section(file("name"), "NAME")` is a part of it, which `table` and other readers take'
    rows = [line for line in text.split("\n")[: -1 if len(content) > LOOKED_AT else None] if line.strip()]
    for sign, name in ((",", "commas"), (";", "semicolons"), ("\t", "tabs")):
        if len(rows) > 1 and rows[0].count(sign) and len({row.count(sign) for row in rows}) == 1:
            cure = '`table("name.csv")` reads it in a model' if sign == "," else ""
            return f"a table with {name} between its fields", cure
    return "", ""


def normal(text: str) -> str:
    """The text with `\\n` for every newline and without a byte order mark."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
