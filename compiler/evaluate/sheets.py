"""`table("rota.xlsx")`, `table("rota.xlsx#Wishes")`: a sheet of a book, read by openpyxl, as a list of records.

The first row that is not blank names the columns. Cells mean what they mean in `csv`, and may be true or false; a date
is a text as ISO 8601 writes it. What would be read wrongly in silence is a fault that names its cell: merged cells; a
formula whose value was not stored; a value beside the columns.

A book is a zip of XML, and may come from a stranger. Its parts are unpacked here, in pieces and no further than the
limit `data`, and handed to openpyxl in a new zip without compression, since a zip's claims of its sizes need not be
true. Parts with a DTD, which no book has, are refused. Rows are counted one by one, as openpyxl fills the gaps between
them.
"""

from __future__ import annotations

import datetime
import io
import math
import re
import warnings
import zipfile
from collections.abc import Iterator
from typing import Any, Final

from covr.compiler.evaluate.blocks import scalar
from covr.compiler.evaluate.calls import Site
from covr.compiler.evaluate.files import BOOK, bytes_beside, bytes_named, doctype_place
from covr.compiler.evaluate.limits import EvalFault, did_you_mean
from covr.compiler.evaluate.table_readers import unguarded
from covr.compiler.evaluate.values import Record, Seq, Value, truth
from covr.dsl.diagnostics import Span
from covr.frozen import frozen

_READ: Final = (".xlsx", ".xlsm")
_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # how old books begin, and new ones that a password protects
_ENCRYPTED: Final = "EncryptedPackage".encode("utf-16-le")  # the name of the content of a book with a password
_CHUNK: Final = 1 << 16  # how many bytes are unpacked at a time
_MERGED: Final = re.compile(rb"<(?:\w+:)?mergeCell\s[^<>]*?\bref\s*=\s*[\"']([^\"']*)")
_FORMULA: Final = re.compile(rb"<(?:\w+:)?f[\s/>]")
_NAMES: Final = "the first row that is not blank names the columns"


def read_sheet(site: Site, name: str, span: Span | None, *, named: bool = False) -> Seq:
    """The records of a sheet: of the one after `#`, or of the first. named: a person named the file, not a model.
    Raises EvalFault at `span`: E330, E331 or E333 for the file, E334 for a book or sheet that cannot be read as a
    table."""
    found = BOOK.fullmatch(name)
    assert found is not None, name
    file, sheet = found["file"], found["sheet"]
    book = _Book(site, span, file)
    if not file.lower().endswith(_READ):
        raise book.fault("E334", f"the file `{file}` cannot be read: of sheets, covr reads .xlsx", "save it as .xlsx")
    raw = (bytes_named if named else bytes_beside)(file, span, site.budget)
    parts = book.parts(raw)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # openpyxl tells what it cannot keep, such as pictures; nothing is kept here
        return _records(book, parts, sheet)


@frozen
class _Book:
    """What is read, for messages. span: their place. file: as it was named."""

    site: Site
    span: Span | None
    file: str

    def fault(self, code: str, message: str, help: str = "") -> EvalFault:
        return EvalFault.at(self.span, code, message, help)

    def damaged(self, error: Exception) -> EvalFault:
        why = str(error).strip().partition("\n")[0] or type(error).__name__
        message = f"the file `{self.file}` cannot be read: it is no book of sheets, or damaged ({why[:100]})"
        return self.fault("E334", message, "open it in a spreadsheet program and save it as .xlsx")

    def parts(self, raw: bytes) -> dict[str, bytes]:
        """The parts that are XML, by their names. Takes no more memory than the limit `data` allows."""
        if raw.startswith(_OLE) and _ENCRYPTED in raw:
            raise self.fault("E334", f"the file `{self.file}` is protected by a password", "save it without one")
        if raw.startswith(_OLE):
            message = f"the file `{self.file}` is a book of the old form .xls, whatever its name"
            raise self.fault("E334", message, "save it as .xlsx")
        left = most = self.site.budget.limits.data
        found: dict[str, bytes] = {}
        try:
            archive = zipfile.ZipFile(io.BytesIO(raw))
            for info in archive.infolist():
                if info.filename.endswith((".xml", ".rels")):
                    part = _unpacked(archive, info, left)
                    if len(part) > left:
                        break
                    left -= len(part)
                    if (place := doctype_place(part)) is not None:
                        raise ValueError(f"{info.filename} has a DTD in line {place[0]}")
                    found[info.filename] = part
            else:
                return found
        except Exception as error:  # zipfile and its decompressors raise many kinds for what is damaged
            raise self.damaged(error) from None
        raise self.fault("E331", f"the file `{self.file}` has more than {most:,} bytes when it is unpacked")

    def opened(self, parts: dict[str, bytes], *, values: bool) -> Any:
        """openpyxl's workbook. values: with the values of formulas instead of their texts."""
        try:
            import openpyxl  # type: ignore[import-untyped, import-not-found, unused-ignore]
        except ImportError:
            what = f"`{self.file}` needs openpyxl, which is not installed"
            raise self.fault("E334", what, "pip install 'covr[sheets]'") from None
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
            for name, part in parts.items():
                archive.writestr(name, part)
        try:
            return openpyxl.load_workbook(packed, read_only=True, data_only=values, keep_links=False)
        except Exception as error:  # openpyxl takes the XML for granted: a damaged one raises anything
            raise self.damaged(error) from None

    def rows(self, sheet: Any) -> Iterator[tuple[Any, ...]]:
        """The rows of a sheet from the first, those that are missing as well. Counts them."""
        try:
            sheet.reset_dimensions()  # the size that a sheet says it has need not be so
            walk = iter(sheet.iter_rows())
        except Exception as error:
            raise self.damaged(error) from None
        while True:
            try:
                row = next(walk, None)
            except Exception as error:
                raise self.damaged(error) from None
            if row is None:
                return
            self.site.budget.step(len(row) + 1, self.site.span)
            yield row


def _unpacked(archive: zipfile.ZipFile, info: zipfile.ZipInfo, most: int) -> bytes:
    """A part, or its first bytes, of which there are then more than `most`."""
    found = bytearray()
    with archive.open(info) as part:
        while len(found) <= most and (chunk := part.read(_CHUNK)):
            found += chunk
    return bytes(found)


@frozen
class _Sheet:
    """A sheet that is being read. merged: its merged cells, each as (range, first column, first row, last column, last
    row)."""

    book: _Book
    title: str
    merged: tuple[tuple[str, int, int, int, int], ...]

    def fault(self, message: str, help: str = "") -> EvalFault:
        return self.book.fault("E334", f"`{self.book.file}`, sheet `{self.title}`: {message}", help)

    def check_merged(self, row: int, columns: range) -> None:
        """Raises EvalFault E334 if cells are merged in one of these columns, in this row or below."""
        for name, left, _, right, bottom in self.merged:
            if bottom >= row and left < columns.stop and right >= columns.start:
                message = f"the cells {name} are merged, and all but the first of them are empty"
                raise self.fault(message, "undo the merge, and write into each cell what it means")


def _records(book: _Book, parts: dict[str, bytes], title: str | None) -> Seq:
    workbook = book.opened(parts, values=True)
    sheets = {sheet.title: sheet for sheet in workbook.worksheets}
    if not sheets or (title is not None and title not in sheets):
        what = f"`{book.file}` has no sheet" + (f" `{title}`" if sheets else "")
        help = did_you_mean(title, sheets) if title is not None else ""
        raise book.fault("E334", what, help or ("its sheets are " + ", ".join(sheets) if sheets else ""))
    if title is None:
        title = next(iter(sheets))
    plain = parts.get(sheets[title]._worksheet_path, b"").replace(b"\0", b"")
    sheet = _Sheet(book, title, _merged(book, plain))
    rows = _with_formulas(book, parts, sheets[title], title, has_formulas=_FORMULA.search(plain) is not None)
    return _table(sheet, rows)


def _merged(book: _Book, part: bytes) -> tuple[tuple[str, int, int, int, int], ...]:
    from openpyxl.utils import range_boundaries  # type: ignore[import-untyped, import-not-found, unused-ignore]

    names = [found.decode("ascii", "replace") for found in _MERGED.findall(part)]
    try:
        return tuple((name, *map(int, range_boundaries(name))) for name in names)
    except (ValueError, TypeError) as error:  # a range without numbers has no boundaries
        raise book.damaged(error) from None


def _with_formulas(
    book: _Book, parts: dict[str, bytes], sheet: Any, title: str, *, has_formulas: bool
) -> Iterator[tuple[Any, ...]]:
    """The rows of a sheet. Raises EvalFault E334 for a formula whose value the file does not hold."""
    if not has_formulas:
        yield from book.rows(sheet)
        return
    texts = book.rows(book.opened(parts, values=False)[title])
    for row, written in zip(book.rows(sheet), texts, strict=True):
        for cell, formula in zip(row, written, strict=True):
            # A formula that gives an empty text has the type "str" and no value.
            if formula.data_type == "f" and cell.value is None and cell.data_type != "str":
                message = f"the cell {cell.coordinate} is a formula, and the file does not hold its value"
                help = "open the file in a spreadsheet program and save it"
                raise _Sheet(book, title, ()).fault(message, help)
        yield row


def _table(sheet: _Sheet, rows: Iterator[tuple[Any, ...]]) -> Seq:
    budget, span = sheet.book.site.budget, sheet.book.site.span
    numbered = enumerate(rows, 1)
    header = next(((at, row) for at, row in numbered if not _is_blank(row)), None)
    if header is None:
        raise sheet.fault("it has no row that names the columns")
    at, row = header
    filled = [column for column, cell in enumerate(row) if not _is_empty(cell)]
    columns = range(filled[0], filled[-1] + 1)
    sheet.check_merged(at, range(columns.start + 1, columns.stop + 1))
    names = _names(sheet, at, [row[column] for column in columns])
    records = []
    for _, row in numbered:
        if _is_blank(row):
            continue
        for column, cell in enumerate(row):
            if column not in columns and not _is_empty(cell):
                message = f"the cell {cell.coordinate} stands under no name of a column"
                raise sheet.fault(message, f"{_NAMES}: " + ", ".join(names))
        budget.count_values(len(names) + 1, span)
        records.append(Record(names, tuple(_value(sheet, row, column) for column in columns)))
    return Seq(records)


def _names(sheet: _Sheet, at: int, cells: list[Any]) -> tuple[str, ...]:
    names = [
        cell.value.strip() if isinstance(cell.value, str) and cell.data_type != "e" else _value(sheet, cells, column)
        for column, cell in enumerate(cells)
    ]
    known = [str(name) for name in names if isinstance(name, str | int) and name != ""]
    if len(set(known)) < len(names):
        twice = next((f": `{name}` stands twice" for name in known if known.count(name) > 1), "")
        message = f"the columns in row {at} must have different names, and none of them may be empty{twice}"
        raise sheet.fault(message, _NAMES)
    return tuple(known)


def _is_empty(cell: Any) -> bool:
    return cell.value is None or (isinstance(cell.value, str) and not cell.value.strip())


def _is_blank(row: tuple[Any, ...]) -> bool:
    return all(map(_is_empty, row))


def _value(sheet: _Sheet, row: Any, column: int) -> Value:
    """What a cell holds, as a value of the language. Raises EvalFault E334 for a cell that holds an error."""
    if column >= len(row) or _is_empty(row[column]):
        return ""
    cell = row[column]
    budget, span = sheet.book.site.budget, sheet.book.site.span
    value = cell.value
    if cell.data_type == "e":
        raise sheet.fault(f"the cell {cell.coordinate} holds the error {value}")
    if isinstance(value, bool):
        return truth(value)
    if isinstance(value, int):
        budget.number(value.bit_length(), span)
        return value
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, datetime.datetime | datetime.date | datetime.time | datetime.timedelta):
        return _time(value)
    text = str(value)
    budget.count_values(len(text) // 64, span)  # a text may be shared by many cells
    return scalar(unguarded(text.strip()))


def _number(value: float) -> Value:
    """A number of a cell; text, as in `csv`, if it is not whole. Spreadsheets show up to fifteen digits."""
    if math.isfinite(value) and value.is_integer():
        return int(value)
    return scalar(f"{value:.15g}")


def _time(value: datetime.datetime | datetime.date | datetime.time | datetime.timedelta) -> str:
    """A date as `2026-12-01`, with its time, if it has one, as `2026-12-01 08:30`; a time, or hours, as `08:30`."""
    if isinstance(value, datetime.timedelta):
        seconds = round(value.total_seconds())
        sign, seconds = "-" * (seconds < 0), abs(seconds)
        hours = f"{sign}{seconds // 3600:02}:{seconds // 60 % 60:02}"
        return f"{hours}:{seconds % 60:02}" if seconds % 60 else hours
    if isinstance(value, datetime.datetime):
        day = value.date().isoformat()
        return day if value.time() == datetime.time() else f"{day} {_time(value.time())}"
    if isinstance(value, datetime.time):
        return value.isoformat("seconds" if value.second or value.microsecond else "minutes")
    return value.isoformat()
