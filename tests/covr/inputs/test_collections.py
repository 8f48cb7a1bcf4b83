"""Collections of puzzles as people publish them: every shape is read, and said; faults are told once; solutions that
stand beside are compared."""

from __future__ import annotations

import gzip
import json
import lzma
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import covr as covr_
from covr.cli.each_faults import MOST_NUMBERS, MOST_SHOWN
from covr.compiler import FromText, compile_model
from covr.dsl.diagnostics import Source
from covr.inputs.collection import open_collection
from covr.inputs.library import checked
from tests.covr.command import Covr, covr, write
from tests.covr.inputs.collections_made import SHAPES, Made, Written, made, some, wrap_exactly
from tests.shared import IN_GATE, examples

pytestmark = pytest.mark.long

__all__ = ["covr"]

PIPED = [shape for shape in SHAPES if shape.name != "gz in two parts"]
BIG = {16: "sudoku -D box=4", 25: "sudoku -D box=5"}
ALPHABETS = {
    "1…9A…": (".123456789ABCDEFGHIJKLMNOP", "`A` means 10"),
    "0 is blank": ("0123456789abcdefghijklmnop", "`A` means 10"),
    "A…": (".ABCDEFGHIJKLMNOPQRSTUVWXY", "`A` means 1"),
    "a… and dashes": ("-abcdefghijklmnopqrstuvwxy", "`-` is blank; `A` means 1"),
    "0…9A…": (".0123456789ABCDEFGHIJKLMNO", "`0` means 1"),
}


def solved(covr: Covr, shape: Written, puzzles: list[Made], *options: str) -> tuple[list[str], str, int]:
    Path("puzzles").write_bytes(shape.bytes(puzzles))
    result = covr("solve", "sudoku", "--each", "clue=puzzles", *options)
    return result.stdout.splitlines(), result.stderr, result.exit_code


@pytest.mark.parametrize("shape", SHAPES, ids=lambda s: s.name)
def test_a_collection_is_read_and_said(covr: Covr, shape: Written) -> None:
    puzzles = some(4)
    lines, errors, code = solved(covr, shape, puzzles, "--unique")
    assert (lines, code) == ([p.answer for p in puzzles], 0)
    if shape.said:
        assert errors.startswith("puzzles: ") and shape.said in errors
    assert errors.endswith("4 records: 4 unique\n")
    assert len(errors.splitlines()) == 1 + bool(shape.said)


@pytest.mark.parametrize("shape", SHAPES[1::2] if IN_GATE else SHAPES, ids=lambda s: s.name)
def test_a_file_of_one_is_read_for_a_param(covr: Covr, shape: Written) -> None:
    puzzle = made(7)
    Path("one").write_bytes(shape.bytes([puzzle]))
    result = covr("solve", "sudoku", "-D", "clue=@one", "--format", "line")
    assert (result.stdout, result.stderr, result.exit_code) == (puzzle.answer + "\n", "", 0)


@pytest.mark.parametrize("shape", PIPED[::2] if IN_GATE else PIPED, ids=lambda s: s.name)
def test_a_pipe_is_read_as_a_file_is(covr: Covr, shape: Written) -> None:
    puzzles = some(2)
    result = covr("solve", "sudoku", "--each", "clue=-", input=shape.bytes(puzzles))
    assert result.stdout.splitlines() == [p.answer for p in puzzles]


@pytest.mark.parametrize("shape", SHAPES[::5], ids=lambda s: s.name)
def test_a_collection_is_read_in_python(tmp_path: Path, shape: Written) -> None:
    puzzles = some(3)
    (tmp_path / "puzzles").write_bytes(shape.bytes(puzzles))
    answers = covr_.load("sudoku").each("clue", tmp_path / "puzzles")
    assert [a and a.line for a in answers] == [p.answer for p in puzzles]


@pytest.mark.parametrize(
    ("name", "box", "in_blocks"),
    [*((name, 4, k % 2 > 0) for k, name in enumerate(ALPHABETS)), ("0 is blank", 5, True), ("A…", 5, False)],
)
def test_letters_that_mean_numbers(covr: Covr, name: str, box: int, in_blocks: bool) -> None:
    alphabet, said = ALPHABETS[name]
    side = box * box
    puzzles = [Made(tuple(n * (n != 2) for n in p.solution), p.solution) for p in some(2, box)]
    texts = ["".join(alphabet[n] for n in p.puzzle) for p in puzzles]
    if in_blocks:
        texts = ["\n".join(wrap_exactly(text, side)) + "\n" for text in texts]
    write("puzzles", "\n".join(texts) + "\n")
    result = covr("solve", "sudoku", "-D", f"box={box}", "--each", "clue=puzzles", "--unique")
    assert result.stdout.splitlines() == [" ".join(map(str, p.solution)) for p in puzzles]
    assert result.stderr == f"puzzles: {said}\n2 records: 2 unique\n"


@pytest.mark.parametrize("separator", [" ", ",", ";", "\t"])
@pytest.mark.parametrize("blank", ["0", ".", ""])
def test_numbers_of_two_digits_are_read(covr: Covr, separator: str, blank: str) -> None:
    if separator == " " and not blank:
        return
    puzzles = some(2, 4)
    for width in (16, 256) if not IN_GATE or separator == " " else (16,) if blank else (256,):
        rows = [[str(n or blank) for n in p.puzzle[k : k + width]] for p in puzzles for k in range(0, 256, width)]
        text = "".join(separator.join(row) + "\n" + "\n" * (width == 16 and k % 16 == 15) for k, row in enumerate(rows))
        write("puzzles", text)
        result = covr("solve", "sudoku", "-D", "box=4", "--each", "clue=puzzles")
        assert result.stdout.splitlines() == [" ".join(map(str, p.solution)) for p in puzzles], text[:300]


LETTERS = """
param clue = grid(3, 3) \"\"\"
  A..
  .x.
  ...
\"\"\"
cells r, c in 1..3
values v in {"A", "x", "*"}
choose put(r, c, v)
exactly one put per r, c
exactly one put per r, v
exactly one put per c, v
given put(r, c, clue[r, c]) for (r, c) in clue
"""


def test_what_the_model_takes_as_a_value_is_no_blank_and_no_number(covr: Covr) -> None:
    write("m.cover", LETTERS)
    write("letters", "AxAx*AAAA\nA*xxA**xA\n")
    result = covr("solve", "m.cover", "--each", "clue=letters")
    assert result.stdout.splitlines() == ["no solution", "A*xxA**xA"]
    assert result.stderr == "2 records: 1 without a solution, 1 solved\n"


def test_zero_is_blank_where_it_can_be_nothing_else(covr: Covr) -> None:
    text = Path(api_models("sudoku.cover")).read_text().replace(" where clue[r, c] != 0", "")
    write("m.cover", text)
    puzzles = some(2)
    write("zeros", "".join(p.text("0") + "\n" for p in puzzles))
    result = covr("solve", "m.cover", "--each", "clue=zeros")
    assert result.stdout.splitlines() == [p.answer for p in puzzles]
    assert "`0` is blank" in result.stderr
    write("both", "".join(p.text("0").replace("0", ".", 1) + "\n" for p in puzzles))
    assert covr("solve", "m.cover", "--each", "clue=both").exit_code == 2


def api_models(name: str) -> Path:
    from covr.inputs.library import gallery_files

    return gallery_files()[name.removesuffix(".cover")]


# --- columns ---


def test_a_column_is_asked_for_by_name_or_number(covr: Covr) -> None:
    a, b = made(1), made(2)
    write("two.csv", f"first,second\n{a.text()},{b.text()}\n")
    result = covr("solve", "sudoku", "--each", "clue=two.csv")
    assert result.stdout.strip() == a.answer
    for column in ("2", "second", "SECOND"):
        result = covr("solve", "sudoku", "--each", f"clue=two.csv:{column}")
        assert result.stdout.strip() == b.answer, result.stderr
    write("two.txt", f"{a.text()} {b.text()}\n")
    result = covr("solve", "sudoku", "--each", "clue=two.txt")
    assert "field 1 is taken; FILE:2 takes field 2" in result.stderr
    for column, made_ in (("1", a), ("2", b)):
        assert covr("solve", "sudoku", "--each", f"clue=two.txt:{column}").stdout.strip() == made_.answer
    for column in ("3", "0", "-1", "third"):
        result = covr("solve", "sudoku", "--each", f"clue=two.txt:{column}")
        assert result.exit_code == 2 and f"no column `{column}`" in result.stderr
    assert "no grid of known size" in covr("solve", "queens", "--each", "n=two.txt:2").stderr
    write("a:2", a.text())
    assert covr("solve", "sudoku", "--each", "clue=a:2").stdout.strip() == a.answer
    assert covr("solve", "sudoku", "--each", "clue=-:2", input=f"x,{b.text()}").stdout.strip() == b.answer


# --- solutions that stand beside ---


def several() -> Made:
    """A puzzle of two solutions: every place of two digits is blank."""
    whole = made(3)
    return Made(tuple(0 if n in (1, 2) else n for n in whole.solution), whole.solution)


def test_a_wrong_solution_in_the_file_is_reported(covr: Covr) -> None:
    puzzles = some(12)
    wrong = list(puzzles[4].solution)
    wrong[3], wrong[4] = wrong[4], wrong[3]
    rows = [f"{n},{p.text()},{p.answer}" for n, p in enumerate(puzzles)]
    rows[4] = f"4,{puzzles[4].text()},{''.join(map(str, wrong))}"
    write("p.csv", "\n".join(["id,puzzle,solution", *rows]))
    for option in ("--unique", "-n2", "--limit-nodes=10000"):
        result = covr("solve", "sudoku", "--each", "clue=p.csv", option)
        said = f"5 (row 1, column 4: {wrong[3]} for {wrong[4]})"
        assert f"the solution in the file is wrong in 1 record: {said}\n" in result.stderr, result.stderr
        assert result.exit_code == 1
        assert [line for line in result.stdout.splitlines() if line.isdecimal()] == [p.answer for p in puzzles]
    objects = [json.loads(s) for s in covr("solve", "sudoku", "--each", "clue=p.csv", "--json").stdout.splitlines()]
    assert [o["solution"] for o in objects if o["type"] == "record"] == ["same"] * 4 + ["wrong"] + ["same"] * 7
    assert objects[-1]["wrong"] == 1 and objects[-1]["exit"] == 1
    assert objects[-1]["reading"].startswith("each line: id, puzzle, solution")


def test_a_solution_that_changes_a_clue_is_wrong(covr: Covr) -> None:
    puzzles = some(12)
    rows = [f"{p.text()},{p.answer}" for p in puzzles]
    rows[2] = f"{puzzles[2].text()},{puzzles[3].answer}"
    write("p.csv", "\n".join(rows))
    assert "wrong in 1 record: 3 (" in covr("solve", "sudoku", "--each", "clue=p.csv").stderr


def test_another_solution_in_the_file_is_reported(covr: Covr) -> None:
    two = several()
    write("p", two.text())
    first, second = covr("solve", "sudoku", "--each", "clue=p", "-n", "2").stdout.split()
    for said, code, option in ((first, 0, "-n1"), (second, 0, "-n1"), (second, 0, "--all"), (first, 1, "--unique")):
        write("p.csv", f"{two.text()},{said}\n")
        result = covr("solve", "sudoku", "--each", "clue=p.csv", option)
        assert result.exit_code == code
        reported = "the file has another solution in 1 record: 1\n" in result.stderr
        assert reported == (said == second and option == "-n1")


def test_solutions_of_other_models_and_alphabets_are_recognised(covr: Covr) -> None:
    text = Path(api_models("sudoku.cover")).read_text()
    write("m.cover", text.replace("show d of", 'show "#" of') + "assert size(clue) >= 0\n")
    puzzles = some(3)
    write("p.csv", "".join(f"{p.text()},{p.answer}\n" for p in puzzles))
    result = covr("solve", "m.cover", "--each", "clue=p.csv")
    assert result.stderr == "p.csv: each line: puzzle, solution\n3 records: 3 solved\n"
    big = some(2, 4)
    for letters, said in ALPHABETS.values():
        if letters[0] != "0":
            lines = ("".join(letters[n] for n in p.puzzle) + "," + "".join(letters[n] for n in p.solution) for p in big)
            write("p.csv", "\n".join(lines))
            result = covr("solve", "sudoku", "-D", "box=4", "--each", "clue=p.csv", "--unique")
            assert result.stderr == f"p.csv: each line: puzzle, solution; {said}\n2 records: 2 unique\n"


# --- faults ---


def test_a_fault_is_told_once_and_counted(covr: Covr) -> None:
    good = made(1)
    short, sign = good.text()[:80], good.text().replace(".", "$", 1)
    write("p", "\n".join([good.text(), *[short] * 40, *[sign] * 30, good.text()]))
    result = covr("solve", "sudoku", "--each", "clue=p")
    assert result.exit_code == 2
    assert result.stdout.splitlines() == [good.answer, *["error"] * 70, good.answer]
    assert result.stderr.count("error[E302]:") == result.stderr.count("error[E401]:") == 1
    numbers = ", ".join(map(str, range(3, 3 + MOST_NUMBERS)))
    assert f"error[E302] also in 39 records: {numbers}, …\n" in result.stderr
    assert "error[E401] also in 29 records: 43, 44," in result.stderr
    assert "p:2:1\n" in result.stderr and "in record 2, line 2\n" in result.stderr and "p:42:" in result.stderr
    assert result.stderr.endswith("72 records: 2 solved, 70 faulty\n")


def test_faults_are_never_more_than_a_screenful(covr: Covr) -> None:
    good = made(1).text()
    many = [good[:k] for k in range(1, 81)] + [good.replace(".", c, 1) for c in "!$%&+=~^<>"] + [good + "1", good * 2]
    write("p", "\n".join([good, *many, "11" + good[2:]]))
    result = covr("solve", "sudoku", "--each", "clue=p")
    assert len(result.stderr.splitlines()) <= 40
    assert result.stderr.count("error[E") <= 2 * MOST_SHOWN
    write("q", "x\nab\n" * 4000)
    assert len(covr("solve", "sudoku", "--each", "clue=q").stderr.splitlines()) <= 40


def test_each_record_of_a_kind_is_an_object(covr: Covr) -> None:
    write("p", "12\n" * 5)
    objects = [json.loads(s) for s in covr("solve", "sudoku", "--each", "clue=p", "--json").stdout.splitlines()]
    errors = [o for o in objects if o["type"] == "error"]
    assert [o["line"] for o in errors] == [1, 2, 3, 4, 5]
    assert [o["type"] for o in objects].count("record") == 5


def test_faulty_records_are_not_evaluated_one_by_one(covr: Covr, monkeypatch: pytest.MonkeyPatch) -> None:
    from covr.compiler.compiled import CompiledModel

    calls = 0
    before = CompiledModel.with_data

    def counted(self: CompiledModel, overrides: dict[str, object]) -> CompiledModel:
        nonlocal calls
        calls += 1
        return before(self, overrides)

    monkeypatch.setattr(CompiledModel, "with_data", counted)
    good = made(1).text()
    write("p", "\n".join([good, *[good[:80]] * 1000, *[good.replace(".", "$", 1)] * 1000]))
    assert covr("solve", "sudoku", "--each", "clue=p").exit_code == 2
    assert calls < 20


def test_a_fault_in_a_block_is_told_with_its_place(covr: Covr) -> None:
    rows = made(1).rows()
    rows[3] = "12345678"
    boxed = [f"| {' '.join(row)} |" for row in made(2).rows()]
    boxed[2] = boxed[2].replace(". .", "! .", 1).replace("1", "!").replace("2", "!")
    write("p", "\n".join(["Grid 1", *made(1).rows(), "Grid 2", *rows, "Grid 3", *boxed]))
    result = covr("solve", "sudoku", "--each", "clue=p")
    assert "p:15:1\n" in result.stderr and "in record 2 (Grid 2), line 12" in result.stderr
    assert "p:24:" in result.stderr and "record 3 (Grid 3), line 22" in result.stderr
    assert result.exit_code == 2


def test_several_grids_where_one_is_wanted(covr: Covr) -> None:
    write("p", "".join(p.text() + "\n" for p in some(3)))
    result = covr("solve", "sudoku", "-D", "clue=@p")
    assert result.exit_code == 2
    assert "error[E307]: this holds 3 grids, and one is wanted" in result.stderr and "p:2:1" in result.stderr
    assert "--each" in result.stderr


def test_a_model_whose_default_does_not_fit(covr: Covr) -> None:
    write("p", ".\n4\n5\n")
    result = covr("solve", "sudoku", "-D", "box=1", "--each", "clue=p")
    assert result.stdout.splitlines()[0] == "1"
    assert "E302" in covr("solve", "sudoku", "-D", "box=2", "--each", "box=p").stderr


# --- packed, damaged, endless ---


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_damaged_archives_are_refused(covr: Covr, pack: object) -> None:
    whole = pack("".join(p.text() + "\n" for p in some(50)).encode())  # type: ignore[operator]
    for data in (whole[:-9], whole[: len(whole) // 2], whole[:7], whole[:40] + b"\xff" * 20 + whole[60:]):
        Path("p").write_bytes(data)
        for words in (("--each", "clue=p"), ("-D", "clue=@p")):
            result = covr("solve", "sudoku", *words)
            assert result.exit_code == 2 and "error[E" in result.stderr, data[:20]


def test_what_unpacks_to_no_end_is_refused(covr: Covr) -> None:
    Path("p").write_bytes(lzma.compress(b"0" * 30_000_000, preset=0))
    assert "has more than 20,000,000 bytes" in covr("solve", "sudoku", "-D", "clue=@p").stderr
    Path("p").write_bytes(lzma.compress(b"0" * 300_000))
    assert covr("solve", "sudoku", "--each", "clue=p").exit_code == 2


def test_a_model_and_a_matrix_may_be_packed(covr: Covr) -> None:
    Path("m.dlx").write_bytes(gzip.compress(b"a b\na b\n"))
    assert covr("count", "m.dlx").stdout == "1\n"
    Path("m.cover").write_bytes(lzma.compress(b"choose a()\nexactly one a\n"))
    assert covr("count", "m.cover").stdout == "1\n"


@settings(max_examples=examples(60), deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_damaged_collections_end_with_a_line_for_each_record(covr: Covr, data: st.DataObject) -> None:
    """Whatever is done to a file, it ends with a line a record and a code, and a puzzle that is whole is solved."""
    shape = data.draw(st.sampled_from(SHAPES), label="shape")
    raw = bytearray(shape.bytes(some(3)))
    for _ in range(data.draw(st.integers(0, 6), label="cuts")):
        at = data.draw(st.integers(0, len(raw)), label="at")
        if data.draw(st.booleans(), label="remove"):
            del raw[at : at + data.draw(st.integers(1, 100), label="how many")]
        else:
            raw[at:at] = data.draw(st.binary(min_size=1, max_size=5), label="put")
    Path("p").write_bytes(bytes(raw))
    for words in (("--each", "clue=p", "--limit-nodes", "2000"), ("-D", "clue=@p", "--limit-nodes", "2000")):
        result = covr("solve", "sudoku", *words)
        assert result.exit_code in (0, 1, 2, 3)
        assert len(result.stderr.splitlines()) <= 60


def test_what_is_typed_is_answered_at_once() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "covr", "solve", "sudoku", "--each", "clue=-"], text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdin and process.stdout
    for puzzle in some(3):
        process.stdin.write(puzzle.text() + "\n")
        process.stdin.flush()
        assert process.stdout.readline() == puzzle.answer + "\n"
    _, errors = process.communicate(timeout=30)
    assert errors == "3 records: 3 solved\n"


@pytest.mark.parametrize("before", [2, 5, 8])
def test_a_fault_behind_a_ruling_is_told_at_its_place(covr: Covr, before: int) -> None:
    """Lines of a grid that hold no places once shifted those behind them, and the last one was looked for in vain."""
    rows = ["53..7....", "6..195...", ".98....6.", "8...6...3", "4..8.3..1", "7...2...6", ".6....28.", "...419..5"]
    lines = ["\t".join(row) for row in [*rows, "....8..7\x01"]]
    lines.insert(before, "---+---+---")
    write("p", "\n".join([*lines, "", *lines]) + "\n")
    result = covr("solve", "sudoku", "--each", "clue=p")
    assert result.exit_code == 2
    assert "--> p:10:17" in result.stderr


# Models whose `given` alone uses the grid; the default is all blank, so that only the rest tells what it takes.
TAKEN = {
    "texts": 'list("x1-?o0")',
    "numbers": "1..4",
    "from 0": "0..4",
    "a rule": "1..4",
}
ANY = """param clue = grid(2, 2) \"\"\"
  ..
  ..
\"\"\"
cells x in box(2, 2)
values d in {values}
choose put(x, d)
given put(x, clue[x]) for x in clue
"""


@pytest.mark.parametrize("values", TAKEN.values(), ids=list(TAKEN))
@settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text("x1-?o0.2", min_size=4, max_size=4))
@example("x11x").via("all of these are taken, if there is a text `x`")
@example("0110").via("a blank where there is no 0")
def test_a_grid_is_read_alike_by_itself_and_as_a_record(tmp_path: Path, values: str, text: str) -> None:
    model = checked(Source("m", ANY.format(values=values)))
    path = tmp_path / "grid.txt"
    path.write_text(f"{text[:2]}\n{text[2:]}\n", encoding="utf-8")
    lines = iter(path.read_text("utf-8").splitlines())
    collection = open_collection(compile_model(model), "clue", str(path), lines, None, eager=False)
    [record] = collection.records

    def read(value: object) -> object:
        try:
            return compile_model(model, {"clue": value}).scope.value("clue")
        except covr_.ModelErrors as errors:
            return [d.code for d in errors.diagnostics]

    assert read(FromText(f"@{path}", "-D clue")) == read(collection.values(record)["clue"])
