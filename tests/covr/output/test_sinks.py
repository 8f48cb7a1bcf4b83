"""Answers in files: what the files hold, and what of it survives a kill."""

from __future__ import annotations

import csv
import json
import os
import re
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covr.compiler.evaluate.table_readers import guarded, unguarded
from tests.covr.command import Covr, covr, write

pytestmark = pytest.mark.long

__all__ = ["covr"]

# Two families, values that are no whole numbers, and an answer without choices.
PARTS = """
choose a(i, s) for i in 1..2, s in {"x, y", "z"}
choose b(t) for t in {(1, 2)}
at most one a per i
"""


def table(file: str, separator: str = ",") -> list[list[str]]:
    with open(file, newline="", encoding="utf-8") as lines:
        return list(csv.reader(lines, delimiter=separator))


def test_a_table_has_a_row_a_choice(covr: Covr) -> None:
    result = covr("solve", "queens", "-D", "n=4", "--all", "-o", "q.csv")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "wrote q.csv (2 answers)\n2 solutions\n"
    rows = table("q.csv")
    assert rows[:3] == [["answer", "choice", "r", "c"], ["1", "queen", "1", "2"], ["1", "queen", "2", "4"]]
    assert len(rows) == 9


def test_families_share_the_columns(covr: Covr) -> None:
    write("m.cover", PARTS)
    covr("solve", "m.cover", "--all", "--out", "m.tsv")
    rows = table("m.tsv", "\t")
    assert rows[0] == ["answer", "choice", "i", "s", "t"]
    assert ["1", "a", "1", "x, y", ""] in rows
    assert ["1", "b", "", "", "(1, 2)"] in rows
    assert [row[1:] for row in rows if row[1:] == [""] * 4] == [[""] * 4]  # the answer without choices


# Texts that a spreadsheet would run, and what they are written as.
RUN = {
    "=1+1": "'=1+1", "+x": "'+x", "-x": "'-x", "@x": "'@x", "-": "'-", "'=x": "''=x", "''@": "'" * 3 + "@", "=": "'=",
    "-5": "-5", "+5": "+5", "-1.5": "-1.5", "'": "'", "'x": "'x", "a=b": "a=b", "--5": "'--5", "-5+x": "'-5+x",
    "＝1+1": "'＝1+1", "＋x": "'＋x", "＠x": "'＠x", "a;=1+1": "a;'=1+1", "a;;-x;5": "a;;'-x;5", "a;-5;b": "a;-5;b",
    ";'=x": ";''=x", "a;b": "a;b", "x;＝1": "x;'＝1",
}  # fmt: skip


def written(texts: Iterable[str], file: str) -> str:
    """A model whose only answer has a choice for each text."""
    values = ", ".join(f'"{text}"' for text in texts)
    return write(file, f"choose a(s) for s in {{{values}}}\nexactly {values.count(',') + 1} a\n")


@pytest.mark.parametrize("ending", ["csv", "tsv"])
def test_no_cell_is_a_formula(covr: Covr, ending: str) -> None:
    written(RUN, "m.cover")
    covr("solve", "m.cover", "-o", f"m.{ending}")
    shown = covr("solve", "m.cover", "--format", ending).stdout
    assert Path(f"m.{ending}").read_text() == shown
    cells = [row[-1] for row in table(f"m.{ending}", "," if ending == "csv" else "\t")[1:]]
    assert sorted(cells) == sorted(RUN.values())


def test_a_model_reads_the_cells_as_they_were(covr: Covr) -> None:
    texts = [text for text, cell in RUN.items() if text != cell]
    covr("solve", written(texts, "m.cover"), "-o", "m.csv")
    same = "".join(f'assert "{text}" in {{r.s for r in t}}\n' for text in texts)
    write("r.cover", f'param t = csv """\n  s\n  x\n"""\n{same}choose b(i) for i in 1..1\nexactly one b\n')
    result = covr("solve", "r.cover", "-D", "t=@m.csv")
    assert (result.exit_code, result.stderr) == (0, "")


@given(text=st.text(st.sampled_from("'=+-@＝＠;\t\r\n1.x"), max_size=8))
def test_a_guarded_cell_reads_as_it_was(text: str) -> None:
    """And no part of it is run, wherever a program cuts it."""
    cell = guarded(text)
    assert unguarded(cell) == text
    assert cell.replace("'", "") == text.replace("'", "")
    parts = re.split("[;\t\r\n]", cell)
    runs = ("=", "+", "-", "@", "＝", "＠")
    assert all(not part.startswith(runs) or re.fullmatch(r"[+-]\d+(\.\d+)?", part) for part in parts)
    assert not cell.startswith(("\t", "\r", "\n"))


@pytest.mark.parametrize("file", ["q.csv", "q.svg", "q.jsonl"])
def test_quiet_says_nothing_of_a_file(covr: Covr, file: str) -> None:
    assert covr("solve", "queens", "-n", "2", "-o", file).stderr.startswith("wrote ")
    assert covr("solve", "queens", "-n", "2", "-o", file, "-q").stderr == ""


def test_standard_output_takes_the_same_table(covr: Covr) -> None:
    covr("solve", "experts", "-o", "e.csv")
    result = covr("solve", "experts", "--format", "csv")
    assert result.stdout == Path("e.csv").read_text()
    assert result.stdout.splitlines()[0] == "answer,cost,proved,choice,e"
    assert result.stdout.splitlines()[-1].startswith("2,2,1,ask,")
    assert result.stderr == "minimum 2, proved\n"


def test_every_line_is_an_answer(covr: Covr) -> None:
    result = covr("solve", "queens", "-D", "n=4", "--all", "--format", "line")
    assert result.stdout == ".Q.....QQ.....Q.\n..Q.Q......Q.Q..\n"
    assert result.stderr == "2 solutions\n"


def test_lines_of_json_are_those_of_the_command(covr: Covr) -> None:
    shown = covr("solve", "queens", "-D", "n=5", "--all", "--json", "-o", "q.jsonl").stdout.splitlines()
    written = Path("q.jsonl").read_text().splitlines()
    untimed = [[{**json.loads(line), "seconds": 0} for line in lines] for lines in (shown, written)]
    assert [o for o in untimed[0] if o["type"] != "warning"] == untimed[1]


def test_a_database_holds_the_run_and_its_choices(covr: Covr) -> None:
    base = sqlite3.connect("q.db")
    base.execute("CREATE TABLE mine (x)")
    base.close()
    for _ in range(2):
        assert covr("solve", "queens", "-D", "n=6", "--all", "-o", "q.db").exit_code == 0
    base = sqlite3.connect("q.db")
    assert base.execute("SELECT status, complete, answers FROM run").fetchall() == [("found", 1, 4)]
    assert base.execute("SELECT count(*), max(answer) FROM choices").fetchone() == (24, 4)
    assert base.execute("SELECT typeof(r) FROM choices LIMIT 1").fetchone() == ("integer",)
    assert base.execute("SELECT count(*) FROM mine").fetchone() == (0,)
    assert sorted(p.name for p in Path().iterdir()) == ["q.db"]


def test_a_parquet_file_has_typed_columns(covr: Covr) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    assert covr("solve", "queens", "-D", "n=6", "--all", "-o", "q.parquet").exit_code == 0
    found = parquet.read_table("q.parquet")
    assert [(f.name, str(f.type)) for f in found.schema] == [
        ("answer", "int64"), ("choice", "string"), ("r", "int64"), ("c", "int64"),
    ]  # fmt: skip
    assert found.num_rows == 24
    assert [p.name for p in Path().iterdir()] == ["q.parquet"]
    write("m.cover", PARTS)
    covr("solve", "m.cover", "--all", "-o", "m.parquet")
    assert parquet.read_table("m.parquet").column("t").to_pylist()[0] in (None, "(1, 2)")


def test_a_parquet_file_may_hold_no_answers(covr: Covr) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    assert covr("solve", "queens", "-D", "n=3", "--all", "-o", "q.parquet").exit_code == 1
    assert parquet.read_table("q.parquet").num_rows == 0


def test_the_journal_of_a_killed_run_is_not_written_over(covr: Covr) -> None:
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    write("q.parquet.part", "precious")
    result = covr("solve", "queens", "-o", "q.parquet")
    assert result.exit_code == 2
    assert "E605" in result.stderr and "q.parquet.part" in result.stderr
    assert Path("q.parquet.part").read_text() == "precious"


@pytest.mark.parametrize("file", ["none/q.csv", "none/q.jsonl", "none/q.db", "none/q.parquet"])
def test_a_file_that_cannot_be_made_is_told_before_the_search(covr: Covr, file: str) -> None:
    if file.endswith("parquet"):
        pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    result = covr("solve", "queens", "-D", "n=30", "--all", "-o", file)
    assert result.exit_code == 2
    assert "error[E605]" in result.stderr


def test_a_file_that_is_no_database(covr: Covr) -> None:
    write("q.db", "this is no database, but a text that somebody needs\n" * 20)
    result = covr("solve", "queens", "-o", "q.db")
    assert result.exit_code == 2 and "file is not a database" in result.stderr
    assert "somebody needs" in Path("q.db").read_text()


# --- what survives ------------------------------------------------------------------------------------------


def start(folder: Path, *args: str, **more: Any) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "covr", *args], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more
    )


def answers_in(file: Path) -> int:
    """How many whole answers of 12 queens a file holds; fails where anything in it is broken."""
    if file.suffix == ".db":
        base = sqlite3.connect(file)
        assert base.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        counts = [n for (n,) in base.execute("SELECT count(*) FROM choices GROUP BY answer")]
        assert set(counts) == {12}
        assert base.execute("SELECT count(*) FROM answers").fetchone() == (len(counts),)
        return len(counts)
    lines = file.read_text().splitlines()
    if file.suffix == ".jsonl":
        return sum(len(json.loads(line)["choices"]) == 12 for line in lines[1:])
    rows = [json.loads(line) if file.suffix == ".part" else line.split(",") for line in lines[1:]]
    assert all(len(row) == 4 for row in rows)
    assert len(rows) % 12 == 0
    return len(rows) // 12


@pytest.mark.parametrize("file", ["q.csv", "q.jsonl", "q.db", "q.parquet"])
def test_kill_minus_nine_loses_nothing_that_was_reported(file: str, tmp_path: Path) -> None:
    if file.endswith("parquet"):
        pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    process = start(tmp_path, "solve", "queens", "-D", "n=12", "--all", "--json", "-o", file)
    assert process.stdout is not None
    reported = 0
    while reported < 300:
        reported += b'"solution"' in process.stdout.readline()
    process.send_signal(signal.SIGKILL)
    reported += process.stdout.read().count(b'"solution", "number"')
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    kept = tmp_path / (file + ".part" if file.endswith("parquet") else file)
    assert reported <= answers_in(kept) < 14200


@pytest.mark.parametrize("file", ["q.csv", "q.jsonl", "q.db", "q.parquet"])
def test_a_full_disk_is_one_error_and_what_is_there_stays_whole(file: str, tmp_path: Path) -> None:
    if file.endswith("parquet"):
        pytest.importorskip("pyarrow", reason="pyarrow is not installed")

    def small() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

    process = start(tmp_path, "solve", "queens", "-D", "n=12", "--all", "-o", file, preexec_fn=small)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (2, b"")
    assert err.count(b"error[") == 1 and b"error[E605]" in err and b"it holds" in err
    told = int(err.split(b"it holds ")[1].split()[0])
    kept = tmp_path / (file + ".part" if file.endswith("parquet") else file)
    assert answers_in(kept) == told > 0


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full here")
def test_no_room_at_all_is_one_error(covr: Covr) -> None:
    os.symlink("/dev/full", "q.csv")
    result = covr("solve", "queens", "--all", "-o", "q.csv")
    assert result.exit_code == 2
    assert "no space left on device" in result.stderr


@pytest.mark.parametrize("form", ["text", "line", "csv", "json"])
def test_a_closed_pipe_ends_a_long_run_at_once(form: str, tmp_path: Path) -> None:
    """14 queens have 365 596 answers."""
    process = start(tmp_path, "solve", "queens", "-D", "n=14", "--all", "--format", form)
    assert process.stdout is not None and process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    before = time.monotonic()
    assert process.stderr.read() == b""
    assert process.wait(timeout=30) == 0
    assert time.monotonic() - before < 5
    process.stderr.close()


def test_ctrl_c_finishes_the_file(tmp_path: Path) -> None:
    process = start(tmp_path, "solve", "queens", "-D", "n=13", "--all", "--json", "-o", "q.db")
    assert process.stdout is not None
    for _ in range(5):
        process.stdout.readline()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert process.returncode == 130
    base = sqlite3.connect(tmp_path / "q.db")
    status, complete, answers = base.execute("SELECT status, complete, answers FROM run").fetchone()
    assert (status, complete) == ("interrupted", 0)
    assert base.execute("SELECT count(*) FROM answers").fetchone() == (answers,)
