"""The readers: what they read, and where they say that data is wrong."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from covr.compiler.evaluate import FromText, bind
from covr.compiler.evaluate.table_readers import csv_fault
from covr.compiler.evaluate.values import Map, Piece, Record, Seq, Set, show_value
from covr.compiler.formats.draft import FormatFault
from covr.compiler.formats.set_lists import read_csv
from covr.studio.boards.sketch import Undrawable, read_table
from tests.compiler.evaluation import faults, model, scope, value

GRID = {(1, 1): 5, (1, 3): "a", (2, 2): 0}


def block(reader: str, *lines: str) -> str:
    return f'let it = {reader} """\n' + "\n".join("  " + line for line in lines) + '\n"""'


def read(reader: str, *lines: str) -> object:
    return scope(block(reader, *lines)).value("it")


def places(reader: str, *lines: str) -> list[str]:
    """The faults of a block as `E302 2:3-5: message`: line and columns of what is underlined, in the block."""
    found = []
    for d in faults(lambda: scope(block(reader, *lines))):
        assert d.span is not None
        line, column = d.span.place
        found.append(f"{d.code} {line - 1}:{column - 2}-{column - 3 + d.span.end - d.span.start}: {d.message}")
    return found


@pytest.mark.parametrize("lines", [("5.a", ".0."), ("5 . a", "_ 0 _"), ("5.a", "", ".0.")])
@pytest.mark.parametrize("reader", ["grid", "grid(2, 3)"])
def test_a_grid_is_read(reader: str, lines: tuple[str, ...]) -> None:
    assert read(reader, *lines) == Map(GRID)  # type: ignore[arg-type]


@pytest.mark.parametrize("line", ["5.a.0.", "5 . a . 0 .", "5.a .0."])
def test_one_line_may_hold_a_whole_grid_of_known_size(line: str) -> None:
    assert read("grid(2, 3)", line) == Map(GRID)  # type: ignore[arg-type]


def test_spaces_may_stand_between_characters_of_a_grid_of_known_size() -> None:
    assert read("grid(2, 4)", "12 3.", "..  45") == Map({(1, 1): 1, (1, 2): 2, (1, 3): 3, (2, 3): 4, (2, 4): 5})


def test_words_of_a_grid_may_be_long() -> None:
    assert read("grid", "10 -2", ".  red") == Map({(1, 1): 10, (1, 2): -2, (2, 2): "red"})


def test_an_area_is_read() -> None:
    assert read("area", "..#", ". x") == Set([(1, 1), (1, 2), (2, 1), (2, 3)])


def test_pieces_wherever_they_stand() -> None:
    found = read("pieces", ".FF  L", "FF.  L", ".F.  LL", "", "1.1")
    assert isinstance(found, Set)
    cells = {str(p): [*p.cells] for p in found if isinstance(p, Piece)}
    assert cells == {
        "1": [(1, 1), (1, 3)],
        "F": [(1, 2), (1, 3), (2, 1), (2, 2), (3, 2)],
        "L": [(1, 1), (2, 1), (3, 1), (3, 2)],
    }


def test_solids_are_read_in_layers_and_side_by_side() -> None:
    found = read("solids", "VV", "V.", "", "AA/.A  BB / ..", "A./..  B. / B.")
    assert isinstance(found, Set)
    cells = {str(p): [*p.cells] for p in found if isinstance(p, Piece)}
    assert cells == {
        "A": [(1, 1, 1), (1, 1, 2), (1, 2, 1), (2, 1, 2)],
        "B": [(1, 1, 1), (1, 1, 2), (1, 2, 1), (2, 2, 1)],
        "V": [(1, 1, 1), (1, 1, 2), (1, 2, 1)],
    }


def test_table_gives_its_last_column_the_rest_of_the_line() -> None:
    found = read('table("name", "cost", "legs…")', "a1  6  1 2 x", "b   7")
    names = ("name", "cost", "legs")
    assert found == Seq([Record(names, ("a1", 6, Seq([1, 2, "x"]))), Record(names, ("b", 7, Seq([])))])
    assert read('table("items…")', "c e", "d") == Seq(
        [Record(("items",), (Seq(["c", "e"]),)), Record(("items",), (Seq(["d"]),))]
    )


def test_csv_is_read() -> None:
    found = read("csv", "name, n, words", '"Ann, A", 3, x y 2', "", "Bob,,")
    names = ("name", "n", "words")
    assert found == Seq([Record(names, ("Ann, A", 3, "x y 2")), Record(names, ("Bob", "", ""))])
    text = block("csv", "a, b", "1, x 2") + "\nlet s = [split(row.b) for row in it]"
    assert show_value(scope(text).value("s")) == "[[x, 2]]"


def test_list_splits_at_blanks_and_text_does_not() -> None:
    assert read("list", "ann bob", "3") == Seq(["ann", "bob", 3])
    assert read("text", "a  b", "", " c") == "a  b\n\n c"


def test_split_cuts_a_text_at_blanks() -> None:
    assert show_value(value('split("a 1  b")')) == "[a, 1, b]"
    assert show_value(value('split("a; b c;", ";")')) == "[a, b c, ]"
    assert show_value(value("split(5)")) == "[5]"


@pytest.mark.parametrize("lines", [("a,b", "1," + "x" * 131_073), ("a,b", '1,"' + "x" * 131_073 + '"')])
def test_a_field_that_is_too_long_is_told_in_covrs_words(lines: tuple[str, ...]) -> None:
    """Wherever fields are separated by commas: in data, in a matrix, and on a board of the studio."""
    (said,) = places("csv", *lines)
    assert said.startswith("E312 2:") and said.endswith("this is not csv: a field has more than 131,072 characters")
    with pytest.raises(FormatFault, match=r"^line 2: this is not csv: a field has more than 131,072 characters$"):
        read_csv("\n".join(lines))
    with pytest.raises(Undrawable, match=r"^this is not csv: a field has more than 131,072 characters$"):
        read_table("\n".join(lines), (), True)
    assert csv.field_size_limit() == 131_072  # of the whole process, and not covr's to change


@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
@pytest.mark.parametrize("text", ['"a"b', '"a', 'a"b', '"a""', "a\rb", "\0", "x" * 131_073])
def test_nothing_that_csv_complains_of_is_told_in_pythons_words(sign: str, text: str) -> None:
    try:
        [*csv.reader([f"{text}{sign}1"], delimiter=sign, strict=True)]
    except csv.Error as error:
        said = csv_fault(error)
        assert said != str(error) and said.split()[0] in ("a", "after"), said


DATA_FAULTS = [
    ("grid(2, 3)", ("1.2", "..", ".3."), "E302 2:1-2: row 2 has 2 places, and 3 are wanted"),
    ("grid(2, 3)", ("1.2", "..345"), "E302 2:4-5: row 2 has 5 places, and 3 are wanted"),
    ("grid(2, 3)", ("1.2", "...", "..4"), "E301 3:1-3: this grid has 3 rows, and 2 are wanted"),
    ("grid(3, 3)", ("1.2", "..."), "E301 2:1-3: this grid has 2 rows, and 3 are wanted"),
    ("grid(3, 3)", ("1.23", "....", "...."), "E302 1:4-4: row 1 has 4 places, and 3 are wanted"),
    ("grid(3, 3)", ("12345678",), "E302 1:1-8: this line has 8 places, and a grid of 3 rows of 3 has 9"),
    ("grid", ("1 22 3", "4 5"), "E302 2:1-3: row 2 has 2 places, and 3 are wanted"),
    ("grid", ("123", "12345"), "E302 2:4-5: row 2 has 5 places, and 3 are wanted"),
    ("area", ("..", ".\t."), "E303 2:2-2: a tab has no width in a picture"),
    ("pieces", ("AA/A", "BB"), "E305 1:3-3: `/` separates the layers of a solid"),
    ("solids", ("AA", "", "BA"), "E305 3:2-2: `A` stands in two pictures"),
    ("solids", ("AA/A.", "A."), "E306 2:1-2: every line of a solid has the same number of layers, separated by `/`"),
    ('table("a", "b", "c")', ("1 2 3", "  4"), "E310 2:3-3: this line has no `b`"),
    ("csv", ("a,b", "1,2,3"), "E311 2:1-5: this line has 3 fields, and there are 2 columns"),
    ("csv", ("a,a", "1,2"), "E312 1:1-3: the columns must have different names, and none of them may be empty"),
]


@pytest.mark.parametrize(("reader", "lines", "message"), DATA_FAULTS)
def test_data_faults_stand_where_the_data_is_wrong(reader: str, lines: tuple[str, ...], message: str) -> None:
    assert places(reader, *lines) == [message]


@pytest.mark.parametrize(
    ("reader", "code"),
    [("grid", "E301"), ("grid(2, 2)", "E301"), ("area", "E304"), ("pieces", "E304"), ("solids", "E304"),
     ("csv", "E312"), ("grid(0, 1)", "E206"), ("grid(1)", "E208"), ("table", "E310"), ('table("a", "a")', "E206"),
     ("list(1)", "E208"), ("csv(1)", "E206")],
)  # fmt: skip
def test_empty_blocks_and_wrong_arguments_are_refused(reader: str, code: str) -> None:
    assert [d.code for d in faults(lambda: scope(block(reader, "  ")))] == [code]


# --- files ------------------------------------------------------------------------------------------------


def test_files_are_read_beside_the_model(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "g.txt").write_bytes(b"\xef\xbb\xbf12\r\n.3\r\n")
    text = 'let a = grid(file("data/g.txt"))\nlet b = grid(2, 2, file("data/../data/g.txt"))'
    bound = bind(model(text, tmp_path / "m.cover"))
    assert bound.value("a") == bound.value("b") == Map({(1, 1): 1, (1, 2): 2, (2, 2): 3})


def test_faults_in_a_file_stand_in_the_file(tmp_path: Path) -> None:
    (tmp_path / "g.txt").write_text("123\n45\n")
    (fault,) = faults(lambda: bind(model('let a = grid(2, 3, file("g.txt"))', tmp_path / "m.cover")))
    assert fault.span is not None
    assert (fault.code, fault.span.source.name, fault.span.place, fault.span.text) == ("E302", "g.txt", (2, 1), "45")


@pytest.mark.parametrize(
    ("name", "code", "message"),
    [
        ("none.txt", "E330", "there is no file `none.txt`"),
        ("folder", "E330", "`folder` is a folder, not a file"),
        ("../m.cover", "E333", "`../m.cover` is outside the folder of m.cover"),
        ("/etc/passwd", "E333", "`/etc/passwd` is outside the folder of m.cover"),
        ("link", "E333", "`link` is outside the folder of m.cover"),
        ("bytes", "E332", "line 2 of the file `bytes` is not UTF-8 text"),
        ("pipe", "E330", "the file `pipe` cannot be read: it is no ordinary file"),
    ],
)
def test_files_that_cannot_be_read(tmp_path: Path, name: str, code: str, message: str) -> None:
    import os

    home = tmp_path / "home"
    (home / "folder").mkdir(parents=True)
    (tmp_path / "secret").write_text("x")
    (home / "link").symlink_to(tmp_path / "secret")
    (home / "bytes").write_bytes(b"ab\n\xff\n")
    os.mkfifo(home / "pipe")
    (fault,) = faults(lambda: bind(model(f'let a = text(file("{name}"))', home / "m.cover")))
    assert (fault.code, fault.message) == (code, message)


def test_data_from_outside_may_stand_anywhere(tmp_path: Path) -> None:
    (tmp_path / "g.txt").write_text("12\n34\n")
    bound = scope('param g = grid(2, 2, file("nowhere"))', {"g": FromText(f"@{tmp_path / 'g.txt'}")})
    assert bound.value("g") == Map({(1, 1): 1, (1, 2): 2, (2, 1): 3, (2, 2): 4})
