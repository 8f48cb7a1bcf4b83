"""Sections of a text, comments in csv, and what files that are no model seem to be."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from covr.compiler.evaluate import FromText, bind
from covr.compiler.evaluate.blocks import DataBlock, section_of, sections
from covr.compiler.evaluate.files import seems
from covr.compiler.evaluate.values import Map, Record, Seq, Value
from covr.dsl.diagnostics import Source
from covr.studio.boards.sketch import Undrawable, read_table
from tests.compiler.evaluation import faults, model, told, value

NRP = """# Comments start with #
SECTION_HORIZON
# in days:
14

SECTION_SHIFTS
# id, minutes, what may not follow
D,480,
N,600,D|E

SECTION_STAFF
A,D=14|N=3,4320
B,D=14,4320

SECTION_DAYS_OFF
# who, which days
A,0,5
B,
C
"""
CTT = """Name: Toy
Courses: 2
Days: 5

COURSES:
SceCosC Ocra 3 3 30
ArcTec Indaco 3 2 42

CURRICULA:
Cur1 2 SceCosC ArcTec
Cur2 1 ArcTec

UNAVAILABILITY_CONSTRAINTS:

END.
"""
DZN = """% of a warehouse
n = 5; m = -3;
names = ["Ann Lee", "Bo"];   /* two
of them */
cap = [10, 20,
       30, ];
cost = [| 1, 2, 3
        | 4, 50, 6 |];
flat = [|1,2|3,4|];
two = array2d(1..2, 0..2, [1, 2, 3, 4,
  5, 6]);
S = {red, green};
none = []
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (("nrp.txt", NRP), ("toy.ctt", CTT), ("w.dzn", DZN), ("i.ini", "[a b]\n1 2\n\n[c]\nEND\n")):
        (tmp_path / name).write_text(text)
    return tmp_path


def read(folder: Path, expression: str) -> Value:
    return bind(model(f"let it = {expression}", folder / "m.cover")).value("it")


def rows(table: Value) -> list[tuple[Value, ...]]:
    assert isinstance(table, Seq)
    return [tuple(record.items) for record in table if isinstance(record, Record)]


def section(file: str, name: str) -> str:
    return f'section(file("{file}"), "{name}")'


@pytest.mark.parametrize(
    ("reader", "part", "found"),
    [
        ('csv("days", {})', section("nrp.txt", "HORIZON"), [(14,)]),
        ('csv("id", "minutes", "not", {})', section("nrp.txt", "SECTION_SHIFTS"), [("D", 480, ""), ("N", 600, "D|E")]),
        ('csv("id", "most…", {})', section("nrp.txt", "STAFF"), [
            ("A", Seq(["D=14|N=3", 4320])), ("B", Seq(["D=14", 4320])),
        ]),
        ('csv("id", "days...", {})', section("nrp.txt", "DAYS_OFF"), [
            ("A", Seq([0, 5])), ("B", Seq()), ("C", Seq()),
        ]),
        ('table("course", "teacher", "n…", {})', section("toy.ctt", "COURSES"), [
            ("SceCosC", "Ocra", Seq([3, 3, 30])), ("ArcTec", "Indaco", Seq([3, 2, 42])),
        ]),
        ('table("id", "n", "of…", {})', section("toy.ctt", "CURRICULA"), [
            ("Cur1", 2, Seq(["SceCosC", "ArcTec"])), ("Cur2", 1, Seq(["ArcTec"])),
        ]),
        ('table("a", {})', section("toy.ctt", "UNAVAILABILITY_CONSTRAINTS"), []),
        ('table("a", {})', section("toy.ctt", "Courses"), [(2,)]),
        ('table("a", "b", "c", {})', section("w.dzn", "cost"), [(1, 2, 3), (4, 50, 6)]),
        ('table("a", "b", {})', section("w.dzn", "flat"), [(1, 2), (3, 4)]),
        ('table("a", "b", "c", {})', section("w.dzn", "two"), [(1, 2, 3), (4, 5, 6)]),
        ('table("a", {})', section("w.dzn", "m"), [(-3,)]),
        ('table("a", "b", {})', section("i.ini", "a b"), [(1, 2)]),
        ('table("a", {})', section("i.ini", "c"), [("END",)]),
    ],
)  # fmt: skip
def test_a_reader_reads_a_section(folder: Path, reader: str, part: str, found: list[tuple[Value, ...]]) -> None:
    assert rows(read(folder, reader.format(part))) == found


def test_assignments_hold_lists_and_texts(folder: Path) -> None:
    assert read(folder, f"list({section('w.dzn', 'cap')})") == Seq([10, 20, 30])
    assert read(folder, f"list({section('w.dzn', 'S')})") == Seq(["red", "green"])
    assert read(folder, f"list({section('w.dzn', 'none')})") == Seq()
    assert read(folder, f'split({section("w.dzn", "names")}, "\\n")') == Seq(["Ann Lee", "Bo"])
    assert read(folder, f"grid({section('w.dzn', 'cost')})") == Map(
        {(1, 1): 1, (1, 2): 2, (1, 3): 3, (2, 1): 4, (2, 2): 50, (2, 3): 6}
    )


def test_a_section_of_a_text_that_is_no_file() -> None:
    assert value('list(section("N:\\n4\\nM:\\n5 6", "M"))') == Seq([5, 6])
    assert value('section("N = 4;", "N")') == "4"


@pytest.mark.parametrize(
    ("part", "message", "help"),
    [
        (section("nrp.txt", "STAF"), "`nrp.txt` has no section `STAF`",
         "did you mean `STAFF`? its sections are SECTION_HORIZON, SECTION_SHIFTS, SECTION_STAFF, SECTION_DAYS_OFF"),
        (section("toy.ctt", "courses"), "`toy.ctt` has no section `courses`",
         "did you mean `COURSES`? its sections are COURSES, CURRICULA, UNAVAILABILITY_CONSTRAINTS"),
        (section("w.dzn", "x"), "`w.dzn` has no section `x`",
         "its sections are n, m, names, cap, cost, flat, two, S, none"),
        ('section("1 2", "x")', "this text has no section `x`",
         "a section begins with its name: `STAFF:`, `[STAFF]` or `SECTION_STAFF` on a line, or `staff = …;`"),
        ('section("[x]\\n1\\n[y]\\n[x]", "x")', "this text has 2 sections `x`, on the lines 1 and 4", ""),
        ('section(5, "x")', '`section` wants a text, such as `file("name")`, not a whole number', ""),
        ('section("[x]", 5)', "the name of a section is text, not a whole number", ""),
        ('section("s = [{1}, {}];", "s")', "this value is not read: it has sets or lists in a list",
         "numbers, words and texts are read, in a list, a set, or a table `[| 1, 2 | 3, 4 |]`"),
        ('section("s = [\\"a];", "s")', "this value is not read: a text has no end", None),
        ('section("s = f(1, 2);", "s")', "this value is not read: it has tuples or calls", None),
        ('section("s = array2d(A, B, [1, 2]);", "s")', "this value is not read: its columns are no range of numbers",
         None),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_section(folder: Path, part: str, message: str, help: str | None) -> None:
    (fault,) = faults(lambda: read(folder, part))
    assert fault.message == message and fault.span is not None
    assert fault.code == ("E206" if "wants" in message or "name of a section" in message else "E313")
    assert help is None or fault.help == help


@pytest.mark.parametrize(
    ("reader", "place"),
    [
        (f'csv("a", "b", {section("nrp.txt", "STAFF")})', ("nrp.txt", 12, 1, "A,D=14|N=3,4320")),
        (f'table("a", {section("toy.ctt", "COURSES")})', ("toy.ctt", 6, 9, "Ocra 3 3 30")),
        (f'table("a", "b", {section("w.dzn", "cost")})', ("w.dzn", 7, 17, "3")),
        (f'table("a", "b", {section("w.dzn", "two")})', ("w.dzn", 10, 34, "3")),
        (f"grid({section('w.dzn', 'names')})", ("w.dzn", 3, 22, "Bo")),
    ],
)
def test_a_fault_in_a_section_stands_in_the_file(folder: Path, reader: str, place: tuple[str, int, int, str]) -> None:
    (fault,) = faults(lambda: read(folder, reader))
    assert fault.span is not None
    assert (fault.span.source.name, *fault.span.place, fault.span.text) == place


def test_sections_of_random_tables_are_read_back(tmp_path: Path) -> None:
    """Whatever the names, the heads and the comments: each section holds its own lines, and no others."""
    for seed in range(60):
        rng = random.Random(f"sections/{seed}")
        head = rng.choice(["SECTION_{}", "{}_SECTION", "[{}]", "{}:"])
        names = rng.sample(["STAFF", "DAYS", "ROOM_X", "A1"], rng.randint(1, 4))
        tables = {name: [[rng.randint(-9, 99) for _ in "ab"] for _ in range(rng.randint(0, 3))] for name in names}
        lines = ["Name: 3", "# a table"] if rng.random() < 0.5 else []
        for name, table in tables.items():
            lines += [head.format(name), *([""] if rng.random() < 0.3 else [])]
            for a, b in table:
                lines += [f"{a}, {b}"] + (["# between"] if rng.random() < 0.3 else [])
        lines += rng.choice([[], ["END."], ["EOF"]]) if "[" not in head else []
        (tmp_path / "t.txt").write_text("\n".join(lines))
        for name, table in tables.items():
            said = rng.choice([name, head.format(name).strip("[:]")])
            found = rows(read(tmp_path, f'csv("a", "b", {section("t.txt", said)})'))
            assert found == [tuple(row) for row in table], (lines, name)


def test_random_assignments_are_read_back(tmp_path: Path) -> None:
    """Lists and tables as MiniZinc writes them, with any line breaks and comments."""
    for seed in range(60):
        rng = random.Random(f"assigned/{seed}")

        def gap() -> str:
            return rng.choice(["", "", " ", "\n  ", " % | ] ;\n", " /* , [ */ "])  # noqa: B023

        high, wide = rng.randint(1, 3), rng.randint(1, 3)
        table = [[rng.randint(-9, 99) for _ in range(wide)] for _ in range(high)]
        flat = [x for row in table for x in row]
        joined = f",{gap()}".join(map(str, flat))
        written = {
            "t": f"[|{gap()}{f'{gap()}|{gap()}'.join(f',{gap()} '.join(map(str, row)) for row in table)}{gap()}|]",
            "a": f"array2d(1..{high},{gap()}1..{wide}, [{joined}]{gap()})",
            "l": f"[{gap()}{joined}{rng.choice(['', ','])}]",
        }
        text = "".join(f"{name}{gap()}={gap()} {value};{gap()}\n" for name, value in written.items())
        (tmp_path / "t.dzn").write_text(text)
        columns = ", ".join(f'"c{at}"' for at in range(wide))
        for name in "ta":
            found = rows(read(tmp_path, f"table({columns}, {section('t.dzn', name)})"))
            assert found == [tuple(row) for row in table], text
        assert read(tmp_path, f"list({section('t.dzn', 'l')})") == Seq(flat), text


def test_data_from_outside_is_read_as_the_default_is(folder: Path) -> None:
    text = f'param t = csv("id", "most…", {section("nrp.txt", "STAFF")})\nparam all = file("nrp.txt")\n'
    text += 'let days = csv("n", section(all, "HORIZON"))[1].n'
    other = folder / "other.txt"
    other.write_text(NRP.replace("B,D=14", "Z,D=9").replace("\n14\n", "\n28\n"))
    whole = model(text, folder / "m.cover")
    assert bind(whole).value("days") == 14
    given = {name: FromText(f"@{other}") for name in ("t", "all")}
    scope = bind(whole, given)
    assert (rows(scope.value("t"))[1][0], scope.value("days")) == ("Z", 28)
    (folder / "rows.csv").write_text("# alone\nK,a\n")
    assert rows(bind(whole, {"t": FromText(f"@{folder / 'rows.csv'}")}).value("t")) == [("K", Seq(["a"]))]
    (folder / "ctt").write_text(CTT)
    (fault,) = faults(lambda: bind(whole, {"t": FromText(f"@{folder / 'ctt'}")}))
    assert fault.code == "E313" and "has no section `STAFF`" in fault.message
    (fault,) = faults(lambda: bind(whole, {"all": FromText(f"@{folder / 'ctt'}")}))
    assert fault.code == "E313" and "has no section `HORIZON`" in fault.message


def test_comments_between_the_rows_of_a_csv_change_nothing() -> None:
    plain = ["a,b", '1,"x', '# inside"', "2,#3", "#4,5", '"# quoted",6']
    for seed in range(30):
        rng = random.Random(f"comments/{seed}")
        lines = []
        for line in plain:
            if not line.startswith("# inside"):
                lines += rng.sample(["# one, two", "#", '  # "', ""], rng.randint(0, 2))
            lines.append(line)
        text = "\n".join(lines).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        found = rows(value(f'csv("{text}")'))
        assert found == [(1, "x# inside"), (2, "#3"), ("#4", 5), ("# quoted", 6)] or found == [
            (1, "x\n# inside"), (2, "#3"), ("#4", 5), ("# quoted", 6),
        ]  # fmt: skip


def test_a_fault_below_a_comment_stands_in_its_line(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text('# a\na,b\n# b\n1,2\n\n# c\n3\n4,"x" y\n')
    (fault,) = faults(lambda: read(tmp_path, 'csv(file("t.csv"))'))
    assert fault.span is not None and (fault.code, fault.span.place, fault.span.text) == ("E311", (7, 1), "3")
    (tmp_path / "t.csv").write_text('# a\na,b\n# b\n1,"x" y\n')
    (fault,) = faults(lambda: read(tmp_path, 'csv(file("t.csv"))'))
    assert fault.span is not None and (fault.code, fault.span.place) == ("E312", (4, 1))


def test_a_table_in_a_file_that_is_called_csv_may_begin_with_a_comment(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("# people\nname,x\nann,4\n")
    for table in ('table("t.csv")', 'table(file("t.csv"))', 'csv(file("t.csv"))'):
        assert rows(read(tmp_path, table)) == [("ann", 4)]
    whole = model('param t = table """\n  name x\n  bob 5\n"""')
    assert rows(bind(whole, {"t": FromText(f"@{tmp_path / 't.csv'}")}).value("t")) == [("ann", 4)]
    with pytest.raises(Undrawable):
        read_table("name,x\n# of them\nann,4", [], comma=True)


def test_columns_of_a_csv_may_be_named_in_the_model() -> None:
    assert rows(value('csv("a", "b…", "1,2,3\\n4")')) == [(1, Seq([2, 3])), (4, Seq())]
    assert rows(value('csv("a", "")')) == []
    assert told(lambda: value('csv("a", "a", "1,2")')) == ['E206 at ""a"": there are two columns `a`']
    assert told(lambda: value('csv("a", "b", "1")')) == [
        'E311 at ""1"": this line has 1 field, and there are 2 columns'
    ]
    assert told(lambda: value('csv("a…", "b", "1")')) == [
        'E206 at ""a…"": only the last column can take the rest of the line'
    ]


SEEN = {
    "an image (PNG)": b"\x89PNG\r\n\x1a\n", "a PDF": b"%PDF-1.7\n", "a book of sheets": b"PK\x03\x04\x14",
    "an image (WebP)": b"RIFF\x00\x00\x00\x00WEBPVP8", "an image (SVG)": '<?xml version="1.0"?>\n<svg width="2"/>',
    "a web page (HTML)": "<!DOCTYPE html>\n<p>", "XML": "<?xml version='1.0'?>\n<a/>", "JSON": '{"a": [1, 2.5]}\n',
    "a model of MiniZinc": "int: n = 3;\nvar 1..n: x;\nsolve satisfy;\n", "data for MiniZinc": DZN,
    "a program for clingo": "a(1..3).\nb(X) :- a(X).\n", "a program in Python": "import os\nprint(1)\n",
    "a problem for an SMT solver": "(set-logic QF_LIA)\n(check-sat)\n", "data in sections": CTT,
    "a table with commas": "name,x\nann,4\n", "a table with semicolons": "name;x\nann;4\n",
    "a table with tabs": "name\tx\nann\t4\n",
}  # fmt: skip


@pytest.mark.parametrize("what", SEEN)
def test_what_a_file_seems_to_be(what: str) -> None:
    assert seems(SEEN[what])[0].startswith(what)


HOSTILE = {
    "comments of XML": "<!---->" * 5000, "blank lines": "\n" * 60_000, "one word": "a" * 60_000,
    "brackets": "array [" + "]of " * 9000, "no end": "n = [" + ' /* "' * 90_000 + ";", "tags": "<a " * 9000,
    "quotes": 'n = "' + '\\"' * 90_000 + ";", "underlines": "_" * 60_000, "names": "a " * 60_000,
    "rules": "a:- " * 9000, "heads": "a:\n" * 12_000, "ends": "[a]\nEND\n" * 6000,
    "json": '{"' + "\\" * 60_000,
}  # fmt: skip


@pytest.mark.parametrize("kind", HOSTILE)
def test_no_text_takes_long(kind: str) -> None:
    """Each of these takes minutes, or for ever, where a pattern tries again what it has tried before."""
    text = HOSTILE[kind]
    assert seems(text) is not None
    block = DataBlock.of_source(Source("t", text))
    assert all(s.name for s in sections(block))
    assert faults(lambda: section_of(block, "no such", block.whole))


def test_nothing_is_guessed_of_other_texts() -> None:
    for text in ("", "what is this\n", "53..7\n6..1.\n", "1 2 3\n4 5\n", "ann: tea cake\nbob: tea\n", "a b\n", "<a b>"):
        assert seems(text) == ("", ""), text
    assert seems(b"\x00\xff") == ("", "")


def test_a_reader_says_what_it_was_given(tmp_path: Path) -> None:
    for name, text, wanted in (
        ("x.json", '{"a": 1,\n "b": [2, 3]}\n', "this seems to be JSON"),
        ("x.svg", '<svg>\n<g a="1"/></svg>\n', "this seems to be an image (SVG)"),
        ("w.dzn", DZN, 'this seems to be data for MiniZinc (.dzn): `section(file("w.dzn"), "NAME")` is a part of it'),
    ):
        (tmp_path / name).write_text(text)
        for reader in ("table", "grid"):
            (fault,) = faults(lambda: read(tmp_path, f'{reader}(file("{name}"))'))  # noqa: B023
            assert any(wanted in note for note in fault.notes), (name, reader, fault)
    (tmp_path / "x.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (fault,) = faults(lambda: read(tmp_path, 'table(file("x.png"))'))
    assert (fault.code, fault.help) == ("E332", "it seems to be an image (PNG)")
