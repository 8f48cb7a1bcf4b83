"""Matrices in other programs' formats, asked like models; `covr convert`."""

from __future__ import annotations

import gzip
import json
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest

import covr as api
from covr.dsl.diagnostics import ModelErrors
from tests.covr.command import Covr, covr, write

__all__ = ["covr"]

TEXT = "A B C | X\nA B X:0\nC X:0\nC X:1\nB A\n"


def test_a_matrix_is_solved_like_a_model(covr: Covr) -> None:
    write("m.dlx", TEXT)
    assert covr("solve", "m.dlx").stdout == "A B X:0\nC X:0\n"
    assert covr("count", "m.dlx").stdout == "3\n"
    assert "items     4  (3 primary, 1 secondary)" in covr("show", "m.dlx").stdout
    assert covr("show", "m.dlx", "--options").stdout.splitlines()[0] == "A B X:0\tA; B; X:1"
    solution = json.loads(covr("solve", "m.dlx", "--json").stdout.splitlines()[1])
    assert solution["choices"][0] == {"family": "option", "args": ["A B X:0"]}


def test_costs_are_minimised(covr: Covr) -> None:
    write("m.sets", "ann: 1 2\nbob: 4\ncho: 2 3 4\ndee: 1 3 |5\n")
    result = covr("solve", "m.sets")
    assert result.stdout == "ann\ncho\n\nminimum 2, proved\n"


def test_an_impossible_matrix_says_why(covr: Covr) -> None:
    result = covr("solve", write("m.dlx", "A B\nA\n"))
    assert (result.exit_code, result.stdout) == (1, "no solution\n")
    assert "nothing can satisfy the item `B`" in result.stderr


def test_twin_names_are_numbered(covr: Covr) -> None:
    write("m.dlx", "A\nA\nA\n")
    assert covr("solve", "m.dlx", "--json").stdout.count('"args": ["A", 1]') == 1
    assert covr("count", "m.dlx").stdout == "2\n"


@pytest.mark.parametrize(
    ("name", "text", "what"),
    [
        ("m.dlx", "A B\nA Q\n", ["error[E602]: there is no item `Q`", "m.dlx:2:3", "    |   ^"]),
        ("m.scp", "1 1\n1\n1 7\n", ["there is no column 7: there are 1", "m.scp:3:3"]),
        ("m.rail", "1 1\n1 1", ["the file ends before", "m.rail:2:3"]),
        ("m.csv", "a,b\n1,0\n1,x\n", ["`x` in column 2 is neither 0 nor 1", "m.csv:3:1"]),
        ("m.hgr", "p hs 2 1\n3\n", ["there is no vertex 3: there are 2", "m.hgr:2:1"]),
        ("m.json", '{"items": [\n{"low": -1}], "options": []}', ["a bound is negative", "m.json:2:1"]),
        ("m.json", "{", ["m.json:1:2"]),
        ("m.xcc", "< a > b;", ["there is no item `b`", "m.xcc:1:7"]),
        ("m.sets", "a: 1 1\n", ["`1` is in the set twice", "m.sets:1:6"]),
    ],
)  # fmt: skip
def test_faults_are_told_with_their_place(covr: Covr, name: str, text: str, what: list[str]) -> None:
    result = covr("solve", write(name, text))
    assert result.exit_code == 2
    assert result.stdout == ""
    for part in what:
        assert part.strip() in result.stderr


def test_a_fault_on_a_long_line_is_told_without_it(covr: Covr) -> None:
    result = covr("solve", write("m.dlx", "A" + " B" * 1000))
    assert result.stderr.startswith("error[E602]: m.dlx, line 1, column 5: the item `B` is named twice")


def test_binary_and_missing_files_are_refused(covr: Covr) -> None:
    Path("m.dlx").write_bytes(bytes(range(256)))
    assert "E503" in covr("solve", "m.dlx").stderr
    assert "E502" in covr("count", "none.dlx").stderr


@pytest.mark.parametrize("command", ["params"])
def test_where_a_model_is_wanted_a_matrix_is_refused(covr: Covr, command: str) -> None:
    result = covr(command, write("m.dlx", TEXT))
    assert result.exit_code == 2
    assert "E604" in result.stderr


def test_a_matrix_is_traced_as_its_model_is(covr: Covr) -> None:
    covr("convert", "toy", "toy.dlx")
    modelled = covr("trace", "toy").stdout.split("\n\n", 1)[1]
    assert covr("trace", "toy.dlx").stdout == modelled
    assert covr("trace", "toy.dlx", "--json").exit_code == 0


def test_why_a_matrix_has_no_answer(covr: Covr) -> None:
    write("m.dlx", "a b c d\na b\nb c\nc d\na d\na\n")
    assert covr("why", "m.dlx").stdout.startswith("there is an answer")
    result = covr("why", write("n.dlx", "a b c\na b\nb c\n"))
    assert result.exit_code == 0 and result.stdout.startswith("no solution: it doesn't add up")
    write("o.dlx", "a b c d e\na b e\na c e\nb c d\nd e a\n")
    result = covr("why", "o.dlx")
    assert result.stdout.startswith("no solution"), result.stdout
    assert "can satisfy" in covr("why", write("p.dlx", "a b\na\n")).stdout
    objects = [json.loads(line) for line in covr("why", "o.dlx", "--json").stdout.splitlines()]
    assert objects[1]["type"] == "why" and all(m["line"] is None for m in objects[1]["members"])


def test_why_an_option_is_in_every_answer_or_none(covr: Covr) -> None:
    write("m.dlx", "a b c\na b\nc\na c\nb\na\n")
    assert covr("why", "m.dlx", "a b").stdout.startswith("a b is in some answers and not in others")
    write("n.dlx", "a b c\na b\nc\na\n")
    assert "must" in covr("why", "n.dlx", "c").stdout or "in every answer" in covr("why", "n.dlx", "c").stdout
    assert "m.dlx" not in covr("why", "n.dlx", "a").stdout
    assert covr("why", "n.dlx", "x").exit_code == 2
    write("g.json", '{"items": [{"name": "a"}, {"name": "b"}], "options": [{"name": "x", "items": [0]}, '
          '{"name": "y", "items": [0, 1]}, {"name": "z", "items": [1]}], "given": [0, 1]}')  # fmt: skip
    assert covr("why", "g.json").exit_code == 0


def test_a_matrix_promises_nothing(covr: Covr) -> None:
    result = covr("test", write("m.dlx", TEXT))
    assert (result.exit_code, result.stdout) == (0, "0 kept, 0 broken\n")
    assert result.stderr == "m.dlx: a matrix, which promises nothing\n"
    assert covr("test", write("n.dlx", "a\nb\n")).exit_code == 2


@pytest.mark.parametrize("command", ["solve", "count", "show", "why", "test", "trace", "check"])
def test_a_format_is_named(covr: Covr, command: str) -> None:
    write("m.foo", TEXT)
    write("n.foo", "1 1\n1\n1 1\n")
    assert covr(command, "m.foo").exit_code == 0  # recognised
    assert covr(command, "m.foo", "--from", "dlx").exit_code == 0
    assert covr(command, "-", "--from", "dlx", input=TEXT).exit_code == 0
    assert covr(command, "n.foo", "--from", "scp").exit_code == 0
    assert "there is no format `dxl`" in covr(command, "m.foo", "--from", "dxl").stderr
    assert "E602" in covr(command, "m.foo", "--from", "scp").stderr


def test_a_matrix_on_standard_input_is_recognised(covr: Covr) -> None:
    result = covr("count", "-", input=TEXT)
    assert (result.stdout, result.stderr) == ("3\n", "<stdin>: read as dlx, Knuth's exact cover\n")
    assert covr("count", "-", "-q", input=TEXT).stderr == ""
    assert covr("count", "-", input="101\n010\n000\n").stderr.splitlines() == [
        "<stdin>: read as csv, a 0/1 matrix",
        "-: 1 row holds nothing and is left out: row 3",
    ]
    assert covr("count", "-", input="choose a()\nexactly one a\n").stdout == "1\n"
    result = covr("count", "-", input="what is this\n")
    assert result.exit_code == 2
    assert "is this a matrix? name the format with --from" in result.stderr
    assert "is this a matrix" not in covr("count", "-", input="choose a(\n").stderr


@pytest.mark.parametrize(
    ("name", "text", "seems"),
    [
        (
            "a.dzn",
            "n = 5;\nw = [1, 2];\n",
            'data for MiniZinc (.dzn): `section(file("a.dzn"), "NAME")` is a part of it',
        ),
        ("a.txt", "# x\nSECTION_DAYS\n14\n", 'data in sections: `section(file("a.txt"), "NAME")` is a part of it'),
        ("a.xml", '<?xml version="1.0"?>\n<a/>\n', "XML"),
        ("a.svg", '<svg width="3">\n</svg>\n', "an image (SVG)"),
        ("a.py", "import os\n", "a program in Python"),
        ("a.csv", "name,x\nann,4\n", 'a table with commas between its fields: `table("a.csv")` reads it in a model'),
        ("a.lp", "a(1..3).\nb(X) :- a(X).\n", "a program for clingo"),
        ("a.png", "\x89PNG\r\n", "an image (PNG)"),
    ],
)
def test_a_file_of_another_kind_is_named(covr: Covr, name: str, text: str, seems: str) -> None:
    Path(name).write_bytes(text.encode("latin-1"))
    for command in ("solve", "count", "check", "hint"):
        result = covr(command, name)
        assert result.exit_code == 2, result.stdout
        if command != "hint" or name not in ("a.csv", "a.lp"):  # it takes no matrix, whatever is in the file
            assert f"this seems to be {seems}" in result.stderr
            assert "is this a matrix" not in result.stderr
        assert result.stderr.count("error[") == 1


def test_a_run_of_a_matrix_of_unknown_ending_goes_on(covr: Covr) -> None:
    write("m.foo", TEXT)
    assert covr("count", "m.foo", "--run", "m.run").stdout == "3\n"
    assert covr("resume", "m.run").stdout == "3\n"


def test_a_matrix_is_checked(covr: Covr) -> None:
    assert covr("check", write("m.dlx", TEXT)).stdout == "m.dlx: no errors\n"
    result = covr("check", write("n.dlx", "a b c\na b\n"))
    assert result.exit_code == 0 and "nothing can satisfy the item `c`" in result.stderr
    assert covr("check", write("o.dlx", "a b\na d\n")).exit_code == 2


def test_a_matrix_has_no_params(covr: Covr) -> None:
    assert "E604" in covr("solve", write("m.dlx", TEXT), "-D", "n=1").stderr


def test_convert_goes_through_pipes(covr: Covr) -> None:
    text = covr("convert", "queens", "-", "-D", "n=6", "--to", "dlx").stdout
    result = covr("convert", "-", "-", "--from", "dlx", "--to", "json", input=text)
    write("q.json", result.stdout)
    assert covr("count", "q.json").stdout == "4\n"


def test_convert_says_which_programs_of_knuth_read_a_file(covr: Covr) -> None:
    """On the first line of the file, and where it is not as usual in the terminal."""
    for name, said in [
        ("toy", ""),
        ("toichika2", ""),
        ("crew", "Only DLX5 of Knuth's programs reads it, because there are costs\n"),
        ("star_battle", "Only DLX3 of Knuth's programs reads it, because there are multiplicities\n"),
        ("experts", "None of Knuth's programs reads it, because there are multiplicities and costs\n"),
    ]:
        result = covr("convert", name, "m.dlx")
        assert (result.exit_code, result.stderr) == (0, said)
        first = Path("m.dlx").read_text().splitlines()[0]
        assert first.startswith("| Written by covr. ") and said.rstrip() in first


def test_a_model_written_as_dlx_keeps_its_names(covr: Covr) -> None:
    assert covr("convert", "toichika2", "m.dlx").exit_code == 0
    assert covr("show", "m.dlx", "--items").stdout == covr("show", "toichika2", "--items").stdout
    assert covr("solve", "m.dlx").stdout.splitlines()[0].startswith("pair((")


def test_convert_says_what_is_lost(covr: Covr) -> None:
    assert "`up to` can't be expressed" in covr("convert", "scott", "scott.dlx").stderr
    assert "a CNF has no goal" in covr("convert", "experts", "experts.cnf").stderr
    assert Path("scott.dlx").exists()


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (("queens", "q.lp", "--to", "nothing"), "E601"),
        (("queens", "q.scp"), "E601"),
        (("x.cnf", "q.dlx"), "E601"),
        (("queens", "folder/q.lp"), "E508"),
        (("nowhere", "q.lp"), "E501"),
    ],
)
def test_convert_refuses_what_it_cannot_do(covr: Covr, args: tuple[str, ...], code: str) -> None:
    result = covr("convert", *args)
    assert result.exit_code == 2
    assert code in result.stderr


def test_convert_needs_a_format(covr: Covr) -> None:
    result = covr("convert", "queens", "somewhere")
    assert result.exit_code == 2
    assert "give --to FORMAT" in result.stderr


def test_convert_leaves_nothing_half_written(covr: Covr, monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    write("q.lp", "old")
    monkeypatch.setattr(os, "replace", full)
    result = covr("convert", "queens", "q.lp")
    assert "E508" in result.stderr and "no space left" in result.stderr
    assert [p.name for p in Path().iterdir()] == ["q.lp"]
    assert Path("q.lp").read_text() == "old"


def test_python_loads_matrices(tmp_path: Path) -> None:
    path = tmp_path / "m.dlx"
    path.write_text(TEXT)
    model = api.load(path)
    assert model.count() == 3
    answer = model.solve()
    assert answer is not None
    assert answer.as_tuples() == [("option", "A B X:0"), ("option", "C X:0")]
    with pytest.raises(ModelErrors):
        api.load(path, n=3)


def test_a_number_of_too_many_digits_is_told_with_its_place(covr: Covr) -> None:
    text = '{"items": [\n{"name": "a", "low": ' + "7" * 5000 + '}], "options": []}'
    result = covr("solve", write("m.json", text))
    assert result.exit_code == 2
    assert result.stderr.startswith("error[E602]")
    assert "a whole number has too many digits" in result.stderr


KNAPSACK = """Maximize
 v: 3 a + 2 b + 4 c
Subject To
 w: 3 a + 2 b + 3 c <= 5
 one: a + c <= 1
Binary
 a b c
End
"""


def test_a_linear_program_keeps_its_goal(covr: Covr) -> None:
    """Also in a run that is kept, and from a pipe."""
    write("m.lp", KNAPSACK)
    assert covr("solve", "m.lp").stdout == "b\nc\n\nmaximum 6, proved\n"
    assert covr("solve", "-", input=KNAPSACK).stdout.endswith("maximum 6, proved\n")
    assert covr("solve", "m.lp", "--run", "m.run").stdout.endswith("maximum 6, proved\n")
    assert covr("resume", "m.run").stdout.endswith("maximum 6, proved\n")
    assert covr("convert", "m.lp", "m.mps").exit_code == 0
    assert covr("solve", "m.mps").stdout.endswith("minimum -6, proved\n")


def test_a_matrix_with_totals_is_shown(covr: Covr) -> None:
    result = covr("show", write("m.lp", KNAPSACK))
    assert (result.exit_code, result.stderr) == (0, "") and "beside    1 total" in result.stdout


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_every_format_may_be_packed(covr: Covr, pack: Callable[[bytes], bytes]) -> None:
    """By its name, and by its content; what expands without end is refused."""
    texts = {"m.lp": KNAPSACK, "spp1.txt": "1 2\n5 1 1\n4 1 1\n", "m.dlx": TEXT, "m.sets": "a: 1 2\nb: 2\n"}
    for name, text in texts.items():
        plain = covr("solve", write(name, text)).stdout
        for packed in (f"{name}.gz", f"{name}.xz"):
            Path(packed).write_bytes(pack(text.encode()))
            assert covr("solve", packed).stdout == plain != "", packed
    Path("bomb.mps.gz").write_bytes(pack(b"*" * 50_000_001))
    result = covr("solve", "bomb.mps.gz")
    assert result.exit_code == 2 and result.stderr.startswith("error[E50")
    Path("cut.mps.gz").write_bytes(pack(b"NAME x\n" * 1000)[:-5])
    assert covr("solve", "cut.mps.gz").exit_code == 2


def test_a_column_that_does_not_fit_is_named(covr: Covr) -> None:
    result = covr("solve", write("m.lp", KNAPSACK.replace("Binary", "General")))
    assert result.exit_code == 2 and "the column `a` is a whole number from 0 to infinity" in result.stderr
    assert "m.lp:2:7" in result.stderr
