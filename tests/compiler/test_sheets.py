"""Sheets mean what they mean as csv, and what would be read wrongly is a fault that names its cell."""

from __future__ import annotations

import csv
import datetime
import io
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import covr
from covr.compiler import FromText
from covr.compiler.evaluate import CompileLimits, bind
from covr.compiler.evaluate.values import FALSE, TRUE, show_value
from covr.dsl.load import recording, replaying
from tests.compiler.evaluation import faults, model, value
from tests.shared import examples

openpyxl = pytest.importorskip("openpyxl", reason="needs covr[sheets]")

XLSX = Path("rota.xlsx")


def saved(path: Path, *rows: tuple[Any, ...], after: Callable[[Any, Any], None] = lambda book, sheet: None) -> Path:
    """A book with one sheet of these rows. after: what is done to it before it is written."""
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    after(book, book.active)
    book.save(path)
    return path


def read(folder: Path, name: str = "rota.xlsx", limits: CompileLimits | None = None) -> Any:
    return bind(model(f'let it = table("{name}")', folder / "m.cover"), limits=limits).value("it")


def fault(folder: Path, name: str = "rota.xlsx", limits: CompileLimits | None = None) -> tuple[str, str, str]:
    """The one fault of reading a sheet, which stands at the name of the file: its code, message and help."""
    (found,) = faults(lambda: read(folder, name, limits))
    assert found.span is not None and found.span.text == f'"{name}"'
    return found.code, found.message.replace("`rota.xlsx`, sheet `Sheet`: ", ""), found.help


def values(folder: Path) -> list[tuple[Any, ...]]:
    return [record.items for record in read(folder)]


plain = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Zl", "Zp", "Zs"]), min_size=1, max_size=6)
cells = st.one_of(st.none(), st.integers(-(10**14), 10**14), plain, st.just("'=1"), st.just("007"), st.just("a b"))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(60), deadline=None)
@given(
    st.lists(plain, min_size=1, max_size=4, unique=True).flatmap(
        lambda names: st.tuples(st.just(names), st.lists(st.tuples(*[cells] * len(names)), max_size=5))
    ),
    st.integers(0, 2),
    st.integers(0, 2),
)
@example((["a"], [(None,), (2,)]), 0, 0)
@example((["007", "'=1"], [(1, "007"), ("'=1", None)]), 1, 2)
def test_a_sheet_means_what_its_csv_means(
    tmp_path: Path, table: tuple[list[str], list[tuple[Any, ...]]], above: int, left: int
) -> None:
    """Wherever the table begins in the sheet."""
    names, rows = table
    book = openpyxl.Workbook()
    for r, row in enumerate([tuple(names), *rows], above + 1):
        for c, content in enumerate(row, left + 1):
            if content is not None:
                cell = book.active.cell(r, c)
                cell.value = content
                if isinstance(content, str):
                    cell.data_type = "s"  # also where openpyxl would take it for a formula
    book.save(tmp_path / XLSX)
    text = io.StringIO()
    csv.writer(text, quoting=csv.QUOTE_ALL).writerows([names, *rows])
    (tmp_path / "rota.csv").write_text(text.getvalue(), "utf-8")
    assert show_value(read(tmp_path)) == show_value(read(tmp_path, "rota.csv"))
    assert read(tmp_path) == read(tmp_path, "rota.csv")


CELLS = [
    (3.0, 3),
    (2.5, "2.5"),
    (0.1 + 0.2, "0.3"),
    (True, TRUE),
    (False, FALSE),
    (datetime.date(2026, 12, 1), "2026-12-01"),
    (datetime.datetime(2026, 12, 1, 8, 30), "2026-12-01 08:30"),
    (datetime.datetime(2026, 12, 1, 8, 30, 5), "2026-12-01 08:30:05"),
    (datetime.time(22, 0), "22:00"),
    (datetime.timedelta(hours=38, minutes=30), "38:30"),
    ("  ann ", "ann"),
    ("   ", ""),
]


@pytest.mark.parametrize(("content", "meaning"), CELLS)
def test_what_a_cell_means(tmp_path: Path, content: object, meaning: object) -> None:
    saved(tmp_path / XLSX, ("n", "x"), (1, content))
    assert values(tmp_path) == [(1, meaning)]


@given(st.dates(datetime.date(1900, 3, 1)))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(20), deadline=None)
def test_a_date_of_a_sheet_is_a_day_of_the_calendar(tmp_path: Path, day: datetime.date) -> None:
    saved(tmp_path / XLSX, ("day",), (day,))
    assert values(tmp_path) == [(value(f'days("{day}", 1)[1]'),)]


def test_a_sheet_is_chosen_by_its_name(tmp_path: Path) -> None:
    def two(book: Any, _: Any) -> None:
        book.create_sheet("Wishes of #1").append(("b",))
        book["Wishes of #1"].append((2,))

    saved(tmp_path / XLSX, ("a",), (1,), after=two)
    assert show_value(read(tmp_path)) == show_value(read(tmp_path, "rota.xlsx#Sheet"))
    assert [r.items for r in read(tmp_path, "rota.xlsx#Wishes of #1")] == [(2,)]
    assert fault(tmp_path, "rota.xlsx#Wish") == (
        "E334", "`rota.xlsx` has no sheet `Wish`", "its sheets are Sheet, Wishes of #1",
    )  # fmt: skip
    assert fault(tmp_path, "rota.xlsx#Shet")[2] == "did you mean `Sheet`?"


def test_merged_cells_are_explained_where_they_touch_the_table(tmp_path: Path) -> None:
    def merged(*ranges: str) -> None:
        saved(
            tmp_path / XLSX, (None, "n", "x"), (None, 1, "early"), (None, 2, None),
            after=lambda _, sheet: [sheet.merge_cells(one) for one in ranges],
        )  # fmt: skip

    merged()
    assert values(tmp_path) == [(1, "early"), (2, "")]
    merged("A1:A3", "D1:E2")
    assert values(tmp_path) == [(1, "early"), (2, "")]
    for where in ("C2:C3", "A2:B2", "C1:D1"):
        merged(where)
        assert fault(tmp_path) == (
            "E334",
            f"the cells {where} are merged, and all but the first of them are empty",
            "undo the merge, and write into each cell what it means",
        )


def test_a_formula_without_its_value_is_not_taken_for_an_empty_cell(tmp_path: Path) -> None:
    saved(tmp_path / XLSX, ("n", "x"), (1, "=1+1"))
    assert fault(tmp_path)[:2] == ("E334", "the cell B2 is a formula, and the file does not hold its value")
    change(tmp_path / XLSX, b"<v></v>", b"<v>2</v>", b"<v />", b"<v>2</v>", b"<v/>", b"<v>2</v>")
    assert values(tmp_path) == [(1, 2)]


def test_a_formula_may_give_an_empty_text(tmp_path: Path) -> None:
    saved(tmp_path / XLSX, ("n", "x"), (1, '=IF(A2,"","x")'))
    change(tmp_path / XLSX, b'<c r="B2">', b'<c r="B2" t="str">')
    assert values(tmp_path) == [(1, "")]


def change(path: Path, *pairs: bytes, part: str = "xl/worksheets/sheet1.xml") -> None:
    """Replace bytes in a part of a book, which must change."""
    with zipfile.ZipFile(path) as archive:
        parts = {info.filename: archive.read(info) for info in archive.infolist()}
    before = parts[part]
    for old, new in zip(pairs[::2], pairs[1::2], strict=True):
        parts[part] = parts[part].replace(old, new)
    assert parts[part] != before
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)


NO_TABLES = [
    ([], "it has no row that names the columns"),
    ([(None, None)], "it has no row that names the columns"),
    ([("a", None, "b")], "the columns in row 1 must have different names, and none of them may be empty"),
    ([("a", "a")], "the columns in row 1 must have different names, and none of them may be empty: `a` stands twice"),
    ([(1, "1")], "the columns in row 1 must have different names, and none of them may be empty: `1` stands twice"),
    ([("Rota of December",), ("n", "x"), (1, 2)], "the cell B2 stands under no name of a column"),
    ([("n",), ("#N/A",)], "the cell A2 holds the error #N/A"),
]


@pytest.mark.parametrize(("rows", "message"), NO_TABLES)
def test_what_is_no_table(tmp_path: Path, rows: list[tuple[Any, ...]], message: str) -> None:
    saved(tmp_path / XLSX, *rows)
    assert fault(tmp_path)[:2] == ("E334", message)


def test_a_file_that_is_no_book(tmp_path: Path) -> None:
    assert fault(tmp_path)[:2] == ("E330", "there is no file `rota.xlsx`")
    assert fault(tmp_path, "../rota.xlsx")[0] == "E333"
    assert fault(tmp_path, "rota.ods")[::2] == ("E334", "save it as .xlsx")
    ole = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(100)
    (tmp_path / XLSX).write_bytes(ole)
    assert fault(tmp_path)[:2] == ("E334", "the file `rota.xlsx` is a book of the old form .xls, whatever its name")
    (tmp_path / XLSX).write_bytes(ole + "EncryptedPackage".encode("utf-16-le"))
    assert fault(tmp_path)[:2] == ("E334", "the file `rota.xlsx` is protected by a password")
    (tmp_path / XLSX).write_bytes(b"n,x\n1,2\n")
    assert fault(tmp_path)[1].startswith("the file `rota.xlsx` cannot be read: it is no book of sheets, or damaged (")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("book")
    return saved(folder / XLSX, ("n", "x"), (1, "early"), (2, datetime.date(2026, 12, 1))).read_bytes()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(80), deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 255), st.booleans())
def test_a_damaged_book_is_a_fault_or_what_it_was(tmp_path: Path, whole: bytes, at: int, byte: int, cut: bool) -> None:
    at %= len(whole)
    (tmp_path / XLSX).write_bytes(whole[:at] if cut else whole[:at] + bytes([byte]) + whole[at + 1 :])
    found = faults(lambda: read(tmp_path))
    if found:
        assert [one.code for one in found] == ["E334"]
    else:
        assert values(tmp_path) == [(1, "early"), (2, "2026-12-01")]


DAMAGES = [
    (b"<sheetData>", b"<sheetData"),
    (b'r="A2"', b'r="ZZZZZZZZZ2"'),
    (b'r="A2"', b'r="2"'),
    (b"<v>1</v>", b"<v>one</v>"),
    (b"<worksheet ", b'<!DOCTYPE a [<!ENTITY b "c">]><worksheet '),
    (b"</sheetData>", b'</sheetData><mergeCells><mergeCell ref="A:A"/></mergeCells>'),
]


@pytest.mark.parametrize(("old", "new"), DAMAGES)
def test_xml_that_is_damaged(tmp_path: Path, whole: bytes, old: bytes, new: bytes) -> None:
    (tmp_path / XLSX).write_bytes(whole)
    change(tmp_path / XLSX, old, new)
    assert fault(tmp_path)[0] == "E334"


def test_what_a_book_claims_of_its_size_is_not_believed(tmp_path: Path, whole: bytes) -> None:
    """A bomb of a hundred million bytes, packed in a thousandth, whose directory says that it has a hundred."""
    limits = CompileLimits(data=200_000)
    (tmp_path / XLSX).write_bytes(whole)
    assert len(read(tmp_path, limits=limits)) == 2
    change(tmp_path / XLSX, b"</sheetData>", b"</sheetData>" + b" " * 10**8)
    raw = (tmp_path / XLSX).read_bytes()
    assert len(raw) < 200_000
    too_large = ("E331", "the file `rota.xlsx` has more than 200,000 bytes when it is unpacked", "")
    assert fault(tmp_path, limits=limits) == too_large
    with zipfile.ZipFile(tmp_path / XLSX) as archive:
        size = archive.getinfo("xl/worksheets/sheet1.xml").file_size.to_bytes(4, "little")
    (tmp_path / XLSX).write_bytes(raw.replace(size, (100).to_bytes(4, "little")))
    assert fault(tmp_path, limits=limits)[0] == "E334"


def test_cells_far_away_are_counted(tmp_path: Path, whole: bytes) -> None:
    (tmp_path / XLSX).write_bytes(whole)
    change(tmp_path / XLSX, *(b for old in (b'<row r="3', b'"A3', b'"B3') for b in (old, old + b"0000000000")))
    (found,) = faults(lambda: read(tmp_path, limits=CompileLimits(steps=10_000)))
    assert found.code == "E211"


def test_sheets_need_openpyxl(tmp_path: Path, whole: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / XLSX).write_bytes(whole)
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    needed = ("E334", "`rota.xlsx` needs openpyxl, which is not installed", "pip install 'covr[sheets]'")
    assert fault(tmp_path) == needed


def test_a_text_that_is_read_from_a_book_is_a_fault(tmp_path: Path, whole: bytes) -> None:
    (tmp_path / XLSX).write_bytes(whole)
    (found,) = faults(lambda: bind(model('let it = csv(file("rota.xlsx"))', tmp_path / "m.cover")))
    assert found.code == "E332" and 'table("name.xlsx")' in found.help


def test_a_sheet_is_given_from_outside(tmp_path: Path, whole: bytes) -> None:
    (tmp_path / XLSX).write_bytes(whole)
    text = 'param it = table("n x\\n7 none")\nchoose f(n) for n in it["n"]\nexactly 2 f\n'
    given_ = covr.loads(text, it=FromText(f"@{tmp_path / XLSX}#Sheet"))
    assert given_.count() == 1
    (found,) = faults(lambda: covr.loads(text, it=FromText(f"@{tmp_path / XLSX}#Shet")))
    assert found.code == "E334" and found.message.startswith("`it`: ")


def test_a_model_is_made_again_without_its_book(tmp_path: Path, whole: bytes) -> None:
    (tmp_path / XLSX).write_bytes(whole)
    with recording() as files:
        before = read(tmp_path)
    (tmp_path / XLSX).unlink()
    with replaying(files):
        assert read(tmp_path) == before
