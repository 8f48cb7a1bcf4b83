"""Answers as sheets: every place is a cell with its text, equal texts have equal colours; faults overwrite nothing."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import covr
from covr.cli.group import cli
from covr.compiler.display.prints import Inscription, Mark, Picture
from covr.draw import book
from covr.draw import book as files
from covr.draw.book import Shown, draw_book
from covr.draw.elements import THEMES
from covr.dsl.diagnostics import ModelErrors
from tests.each import each

openpyxl = pytest.importorskip("openpyxl", reason="needs covr[sheets]")


def sheets(content: bytes) -> list[Any]:
    return list(openpyxl.load_workbook(io.BytesIO(content)))


def sheet(*pictures: Picture) -> Any:
    (only,) = sheets(draw_book([Shown(pictures)], "a rota", "light"))
    return only


def rows(found: Any) -> list[tuple[Any, ...]]:
    return list(found.iter_rows(values_only=True))


def filled(cell: Any) -> str:
    return cell.fill.fgColor.rgb[2:] if cell.fill.fill_type else ""


texts = st.sampled_from(["e", "l", "night", "=1+1", "@x", "#N/A", "-", "a\x1bb", "7", "007", "-3", "9" * 16, ""])
boards = st.dictionaries(st.tuples(st.integers(-2, 3), st.integers(-2, 3)), texts, min_size=1, max_size=12)


def board(marks: dict[tuple[int, int], str], **more: Any) -> Picture:
    low, high = (tuple(f(at[axis] for at in marks) for axis in (0, 1)) for f in (min, max))
    shown = tuple(Mark(at, text, n) for n, (at, text) in enumerate(sorted(marks.items())))
    return Picture(2, low, high, tuple(sorted(marks)), shown, **more)


@settings(deadline=None)
@given(boards)
def test_every_place_is_a_cell_with_its_text(marks: dict[tuple[int, int], str]) -> None:
    picture = board(marks)
    found = sheet(picture)
    cells = {
        (cell.row - 1 + picture.low[0], cell.column - 1 + picture.low[1]): cell
        for row in found.iter_rows()
        for cell in row
        if cell.value is not None
    }
    wanted = {at: text.replace("\x1b", "?") for at, text in marks.items() if text}
    assert {at: str(cell.value) for at, cell in cells.items()} == wanted
    for at, cell in cells.items():
        whole = marks[at] in ("7", "-3")
        assert cell.data_type == ("n" if whole else "s")
        assert isinstance(cell.value, int) is whole
    # There are fewer texts than colours, so that each has its own.
    looks = {(text, filled(cells[at])) for at, text in wanted.items()}
    assert len(looks) == len({text for text, _ in looks}) == len({look for _, look in looks})
    assert all(look for _, look in looks)


def test_what_is_printed_beside_a_board_stands_beside_it() -> None:
    prints = (
        Inscription((0, 1), "mon"),
        Inscription((0, 2), "tue"),
        Inscription((1, 0), "ann"),
        Inscription((1, 1), "5+"),
    )
    found = sheet(board({(1, 1): "e", (1, 2): "l"}, prints=prints))
    assert rows(found) == [(None, "mon", "tue"), ("ann", "5+\ne", "l")]
    assert found["B1"].font.b and not found["B2"].font.b and not filled(found["B1"])


def test_pieces_have_the_colours_of_images() -> None:
    marks = tuple(Mark((1, c), "x", n) for n, c in ((0, 1), (0, 2), (1, 3), (1, 4)))
    places = tuple((1, c) for c in range(1, 5))
    a, b, c, d = map(filled, sheet(Picture(2, (1, 1), (1, 4), places, marks, outline=True))[1])
    assert a == b != c == d and {f"#{a}".lower(), f"#{c}".lower()} <= set(THEMES["light"].pieces)


def test_regions_have_thick_lines_between_them() -> None:
    found = sheet(board({(1, 1): "e", (1, 2): "l", (1, 3): "l"}, regions={(1, 1): 0, (1, 2): 0, (1, 3): 1}))
    assert [cell.border.right.style for cell in found[1]] == ["thin", "medium", "medium"]
    assert [cell.border.left.style for cell in found[1]] == ["medium", "thin", "medium"]


def test_pictures_stand_below_each_other_and_lists_are_rows() -> None:
    strip = Picture(1, (1,), (2,), ((1,), (2,)), (Mark((1,), "a", 0), Mark((2,), "b", 1)))
    listed = Picture(0, lines=(("ann", "3"), ("bob", "x")))
    assert rows(sheet(strip, listed)) == [("a", "b"), (None, None), ("ann", 3), ("bob", "x")]
    far = board({(1, 1): "a", (3, 10**6): "b"})
    assert rows(sheet(far)) == [(1, 1, "a"), (3, 10**6, "b")]
    layers = Picture(
        3, (1, 1, 1), (2, 1, 1), ((1, 1, 1), (2, 1, 1)), (Mark((1, 1, 1), "a", 0), Mark((2, 1, 1), "b", 1))
    )
    assert rows(sheet(layers)) == [("a",), (None,), ("b",)]
    assert rows(sheet(Picture(0))) == [("(nothing)",)]
    assert rows(sheet()) == []


@each("name", ["tetrahexes", "sudoku", "killer_sudoku", "queens", "slitherlink", "soma", "crew"])
def test_models_of_the_gallery_fill_a_sheet(name: str) -> None:
    (only,) = sheets(draw_book([Shown(covr.load(name).solve().pictures)], "", "print"))
    assert any(value is not None for row in rows(only) for value in row)


def test_what_is_larger_than_a_sheet_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(book, "COLUMNS", 2)
    with pytest.raises(ModelErrors, match="larger than a sheet"):
        sheet(board({(1, 1): "a", (1, 3): "b"}))


def test_answers_are_sheets(tmp_path: Path) -> None:
    model = covr.loads('choose f(n) for n in 1..3\nexactly one f "one"\nshow n of f at n\n')
    answers = list(model.solutions())
    files.save(tmp_path / "a.xlsx", [Shown(answer.pictures) for answer in answers], "Rota")
    found = openpyxl.load_workbook(tmp_path / "a.xlsx")
    assert found.sheetnames == ["answer 1", "answer 2", "answer 3"] and found.properties.title == "Rota"
    answers[0].save(tmp_path / "b.xlsx")
    assert openpyxl.load_workbook(tmp_path / "b.xlsx").sheetnames == ["answer"]


def test_a_rota_is_written_by_the_command_and_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is written can be read again, once the corner has a name."""
    monkeypatch.chdir(tmp_path)
    Path("m.cover").write_text(
        'let dates = days("2026-12-01", 2)\nchoose work(p, d) for p in list("ann bob"), d in dates\n'
        'exactly one work per p\nexactly one work per d\ngiven work("ann", dates[1])\nshow "x" of work at p, d\n'
    )
    done = CliRunner().invoke(cli, ["solve", "m.cover", "-o", "rota.xlsx"])
    assert done.exit_code == 0 and "wrote rota.xlsx" in done.stderr
    (found,) = sheets(Path("rota.xlsx").read_bytes())
    assert rows(found) == [(None, "2026-12-01", "2026-12-02"), ("ann", "x", None), ("bob", None, "x")]
    found["A1"] = "name"
    found.parent.save("rota.xlsx")
    Path("again.cover").write_text(
        'let rota = table("rota.xlsx")\nassert rota["2026-12-02"] = ["", "x"]\nchoose f(n) for n in rota["name"]\n'
    )
    assert covr.load("again.cover").count() == 4


WISHES = """
cells p, d in 1..3
choose work(p, d)
exactly one work per d
given work(1, d) for d in 1..2
prefer at most one work per p cost 4 "=person {p}"
prefer if work(1, d) then not work(1, d + 1) for d in 1..2 cost d "rest after {d}"
"""


def test_broken_wishes_have_a_sheet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("m.cover").write_text(WISHES)
    assert CliRunner().invoke(cli, ["solve", "m.cover", "-o", "rota.xlsx"]).exit_code == 0
    plan, wishes = sheets(Path("rota.xlsx").read_bytes())
    assert (plan.title, wishes.title) == ("answer", "Broken wishes")
    broken = [("=person 1", "1 too many", 4), ("rest after 1", "broken", 1)]
    assert rows(wishes) == [("wish", "by how much", "cost"), *broken, ("total", None, 5)]
    assert wishes["A2"].data_type == "s"
    best = covr.load("m.cover").solve()
    assert best is not None and [(b.name, b.how, b.cost) for b in best.broken] == broken and best.cost == 5
    best.save("one.xlsx")
    assert [rows(s) for s in sheets(Path("one.xlsx").read_bytes())] == [rows(plan), rows(wishes)]


def test_broken_wishes_of_several_answers_have_their_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("m.cover").write_text(WISHES)
    assert CliRunner().invoke(cli, ["solve", "m.cover", "--all", "-o", "rota.xlsx"]).exit_code == 0
    *plans, wishes = sheets(Path("rota.xlsx").read_bytes())
    assert [s.title for s in plans] == ["answer 1", "answer 2"]
    assert [row[0] for row in rows(wishes)] == ["answer", 1, 1, 1, 2, 2, 2]
    assert [row for row in rows(wishes) if row[1] == "total"] == [(1, "total", None, 5), (2, "total", None, 5)]


def test_where_no_wish_is_broken_there_is_no_such_sheet(tmp_path: Path) -> None:
    (tmp_path / "m.cover").write_text(WISHES.replace("given", "given work(1, 1)\n#"))
    kept = covr.load(tmp_path / "m.cover").solve()
    assert kept is not None and not kept.broken
    kept.save(tmp_path / "a.xlsx")
    assert [s.title for s in sheets((tmp_path / "a.xlsx").read_bytes())] == ["answer"]


def test_no_fault_touches_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.xlsx"
    path.write_bytes(b"old")
    monkeypatch.setattr(book, "ROWS", 0)
    with pytest.raises(ModelErrors, match="larger than a sheet"):
        files.save(path, [Shown((board({(1, 1): "a"}),))])
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    with pytest.raises(ModelErrors, match="needs openpyxl") as missing:
        files.check_target(path, "light")
    assert [fault.help for fault in missing.value.diagnostics] == ["pip install 'covr[sheets]'"]
    assert [(p.name, p.read_bytes()) for p in tmp_path.iterdir()] == [("a.xlsx", b"old")]
