"""Runs in files are continued, looked at while they run, and refused where something is wrong."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from covr.cli.asking import kept_run
from covr.dsl import ModelErrors
from covr.engine import Status
from covr.engine.pieces import piece_search as pieced
from covr.engine.pieces import piece_work
from covr.questions.options import Options
from covr.runs import contents as schema
from covr.runs import record as records
from covr.runs.contents import Lock
from covr.runs.question import RecordedQuestion
from covr.runs.record import unwritable
from tests.constants import Constants, constants_of
from tests.covr.command import run
from tests.runs.killing import killed, said
from tests.shared import examples

pytestmark = pytest.mark.long

QUEENS = ("queens", "-D", "n=7")


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def small(constants: Constants) -> None:
    """Pieces of a few nodes."""
    constants(
        pieced, ALONE=dict.fromkeys(pieced.ALONE, 0.0), SECONDS=dict.fromkeys(pieced.SECONDS, 0.0), BRIEF=40, BATCH=0.0
    )
    constants(piece_work, BRIEF=10)


def status(file: str = "a.run") -> dict[str, object]:
    found: dict[str, object] = json.loads(run("status", file, "--json").stdout)
    return found


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("file", ["a.run", None])
def test_after_an_interrupt_only_a_file_keeps_answers_back(file: str | None) -> None:
    with kept_run(file, "queens", ("n=7",), RecordedQuestion("solve", None, listed=True), Options(jobs=1)) as asked:
        answers = asked.answers()
        given = [next(answers) for _ in range(3)]
        while asked.fraction != 1.0:  # every piece is found, and few were read
            time.sleep(0.01)
        asked.interrupt()
        given += answers
        assert len(given) == (40 if file is None else 3)
        assert asked.status is (Status.EXHAUSTED if file is None else Status.INTERRUPTED)
    if file is not None:
        assert len(run("answers", file, "--format", "line").stdout.split()) == 40
        assert "done; " in run("status", file).stdout


QUESTIONS = [
    ("count", *QUEENS),
    ("solve", *QUEENS, "--all", "--format", "line"),
    ("solve", *QUEENS, "-n", "5", "--format", "csv"),
    ("solve", *QUEENS),
    ("solve", "queens", "-D", "n=3"),
    ("solve", "queens", "-D", "n=6", "--unique"),
    ("solve", "sudoku", "--unique"),
    ("solve", "queens", "-D", "n=8", "--seed", "3", "--all", "--format", "line"),
    ("solve", "queen_domination", "-D", "n=6"),
    ("solve", "queen_domination", "-D", "n=4", "--all", "--format", "line"),
    ("count", "queen_domination", "-D", "n=4"),
    ("solve", "set_partition"),
]


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("words", QUESTIONS, ids=" ".join)
def test_the_same_is_said_with_and_without_a_file(words: tuple[str, ...]) -> None:
    plain = run(*words)
    for again in ((*words, "--run", "a.run"), ("resume", "a.run"), (*words, "--run", "a.run")):
        result = run(*again, *(words[-2:] if again[0] == "resume" and "--format" in words else ()))
        assert result.stdout == plain.stdout or "queen_domination" in words
        assert result.stdout.splitlines()[-1:] == plain.stdout.splitlines()[-1:]
        assert result.exit_code == plain.exit_code
    assert os.listdir() == ["a.run"], "no lock and no log is left"


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    "words",
    [("solve", "knight_tour", "--all", "--format", "line"), ("solve", "hitori", "--unique"),
     ("count", "magic_square", "-D", "n=3"), ("solve", "knapsack"), ("solve", "cheapest_network")],
    ids=" ".join,
)  # fmt: skip
def test_totals_connections_and_loops_are_kept_in_files(words: tuple[str, ...], constants: Constants) -> None:
    """The answers are those without a file, in an order that no cut changes."""
    constants(piece_work, MOST_FIRST=64)
    constants(pieced, BRIEF=300)
    plain = run(*words)
    form = words[-2:] if "--format" in words else ()
    kept = [run(*words, "--run", "a.run"), run("resume", "a.run", *form)]
    constants(pieced, BRIEF=3000)
    kept.append(run(*words, "--run", "b.run", "--jobs", "1", "--engine", "sides"))
    assert {result.exit_code for result in kept} == {plain.exit_code}
    for result in kept:
        assert result.stdout == kept[0].stdout or "knapsack" in words or "cheapest_network" in words
        if form or words[0] == "count":
            assert sorted(result.stdout.splitlines()) == sorted(plain.stdout.splitlines())
        else:
            assert result.stdout.splitlines()[-1:] == plain.stdout.splitlines()[-1:]


def test_an_engine_that_knows_no_totals_begins_no_run() -> None:
    refused = run("count", "knapsack", "--engine", "links", "--run", "a.run")
    assert refused.exit_code == 2
    assert "error[E505]: the engine `links` can't hold what this statement says" in refused.stderr
    assert os.listdir() == []


@pytest.mark.usefixtures("small")
def test_a_run_goes_on_where_a_limit_stopped_it() -> None:
    first = run("count", "queens", "-D", "n=9", "--run", "a.run", "--limit-nodes", "1500")
    assert first.exit_code == 3 and "go on with `covr resume a.run`" in first.stderr
    before = status()
    assert before["state"] == "limit" and 0 < before["fraction"] < 1
    sessions = 1
    while run("resume", "a.run", "--limit-nodes", "1500").exit_code == 3:
        sessions += 1
    after = status()
    assert (after["state"], after["answers"], after["fraction"], after["sessions"]) == ("done", 352, 1, sessions + 1)
    assert run("resume", "a.run").stdout == "352\n"
    nodes = json.loads(run("count", "queens", "-D", "n=9", "--engine", "bits", "--json", "-q").stdout.splitlines()[-1])
    assert after["nodes"] == nodes["nodes"] or after["wasted"]


@pytest.mark.parametrize("words", [("count", "scott"), ("solve", "scott", "--all", "--format", "line")])
def test_answers_that_count_as_one(words: tuple[str, ...]) -> None:
    """The same answers in the same order, with and without a file."""
    kept, plain = (run(*words, *more).stdout.splitlines() for more in (("--run", "a.run"), ()))
    assert kept and kept == plain


def test_answers_that_count_as_one_take_a_fraction() -> None:
    """The nodes of a run are those of the search part by part, an eighth of those for all answers."""
    run("solve", "scott", "--all", "--format", "line", "--run", "a.run")
    assert (status()["answers"], status()["nodes"]) == (65, 36864)


CLASSES = """
cells r, c in 1..7
choose queen(r, c)
exactly one queen per r
exactly one queen per c
at most one queen per r + c
at most one queen per r - c
up to queen(r, c) -> queen(c, 8 - r), queen(r, c) -> queen(r, 8 - c)
"""
VARIANTS = {
    "plain": "",
    "a given breaks most": "given queen(4, 4)\n",
    "a given breaks all": "given queen(1, 2)\n",
    "a goal": "minimize abs(2 * r - 8) * abs(2 * c - 8) of queen\n",
    "more than exact": "choose spare(r)\nat most 2 spare\n",
}


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("kind", VARIANTS)
def test_many_sessions_find_the_classes_in_order(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Sessions of few nodes find the classes in the order of an undisturbed search, and as many as those of all
    answers."""
    Path("m.cover").write_text(CLASSES + VARIANTS[kind], encoding="utf-8")
    plain = run("solve", "m.cover", "--all", "--format", "line").stdout
    words = ("solve", "m.cover", "--all", "--format", "line", "--jobs", "1")
    result = run(*words, "--run", "a.run", "--limit-nodes", "30")
    while result.exit_code == 3:
        result = run("resume", "a.run", "--format", "line", "--limit-nodes", "200")
    result = run("resume", "a.run", "--format", "line")
    assert result.stdout == plain
    assert run("answers", "a.run", "--format", "line").stdout == plain
    counted = run("count", "m.cover", "--run", "b.run", "--limit-nodes", "30")
    while counted.exit_code == 3:
        counted = run("resume", "b.run", "--limit-nodes", "200")
    assert int(counted.stdout) == len(plain.splitlines())


@pytest.mark.usefixtures("small")
def test_parts_are_those_that_the_file_keeps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another version of covr may cut differently; a run goes on with the parts with which it began. One that began
    without parts goes on without."""
    from covr.engine.pieces import class_pieces as chain_pieces
    from covr.engine.pieces import class_pieces as class_cut
    from covr.runs import recorded

    Path("m.cover").write_text(CLASSES, encoding="utf-8")
    words = ("solve", "m.cover", "--all", "--format", "line", "--jobs", "1")
    plain = run(*words).stdout
    run(*words, "--run", "a.run", "--limit-nodes", "30")
    monkeypatch.setattr(recorded, "pieces_of", lambda *rest: None)
    run(*words, "--run", "b.run", "--limit-nodes", "30")

    def otherwise(problem: object, images: object, flat: object = None) -> tuple[class_cut.ClassPart, ...]:
        return tuple(reversed(class_cut.cut_by_group(problem, images)))  # type: ignore[arg-type]

    monkeypatch.setattr(chain_pieces, "cut_by_group", otherwise)
    monkeypatch.setattr(recorded, "pieces_of", chain_pieces.pieces_of)
    while status()["state"] != "done":
        run("resume", "a.run", "--format", "line", "--limit-nodes", "100")
    assert run("answers", "a.run", "--format", "line").stdout == plain
    old = run("resume", "b.run", "--format", "line").stdout
    assert old != plain and sorted(old.splitlines()) == sorted(plain.splitlines())


@pytest.mark.usefixtures("small")
def test_parts_of_another_group_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from covr.runs import record as classes

    Path("m.cover").write_text(CLASSES, encoding="utf-8")
    run("count", "m.cover", "--run", "a.run", "--limit-nodes", "1")
    monkeypatch.setattr(classes, "digest_of_group", lambda images: "another")
    result = run("resume", "a.run")
    assert result.exit_code == 2 and "E709" in result.stderr and "symmetries" in result.stderr


def test_a_memo_counts_classes_in_a_file() -> None:
    """The domino tilings of 8 × 8 squares: 1,629,189 classes, in fewer nodes than there are classes."""
    Path("m.cover").write_text(
        "let room = box(8, 8)\ncells x in room\nchoose put(s) for s in placements({(1, 1), (1, 2)}, room)\n"
        "exactly one put per x where x in s\nup to symmetries(room)\n",
        encoding="utf-8",
    )
    assert run("count", "m.cover", "--run", "a.run").stdout == "1629189\n"
    found = status()
    assert isinstance(found["nodes"], int) and found["nodes"] < 200_000


@pytest.mark.usefixtures("small")
def test_answers_while_a_run_is_not_over() -> None:
    every = run("solve", "queens", "-D", "n=8", "--all", "--format", "line").stdout.splitlines()
    run("solve", "queens", "-D", "n=8", "--all", "--format", "line", "--run", "a.run", "--limit-nodes", "700")
    while not status()["answers"]:
        run("resume", "a.run", "--format", "line", "--limit-nodes", "300")
    some = run("answers", "a.run", "--format", "line")
    assert 0 < len(some.stdout.splitlines()) <= len(every) and set(some.stdout.splitlines()) <= set(every)
    assert ("may be more" in some.stderr) == (status()["state"] != "done")
    run("resume", "a.run", "--format", "line")
    assert run("answers", "a.run", "--format", "line").stdout.splitlines() == every


@pytest.mark.usefixtures("small")
def test_answers_are_filtered_and_exported() -> None:
    run("solve", *QUEENS, "--all", "--format", "line", "--run", "a.run")
    plain = run("solve", *QUEENS, "--all", "--format", "csv").stdout
    assert run("answers", "a.run", "--format", "csv").stdout == plain
    assert run("answers", "a.run", "-o", "a.csv").exit_code == 0
    assert Path("a.csv").read_text(encoding="utf-8") == plain
    solutions = [json.loads(line) for line in run("answers", "a.run", "--json").stdout.splitlines()]
    assert solutions[-1]["answers"] == 40 and solutions[-1]["complete"]
    with_it = run("answers", "a.run", "--json", "--with", "queen(1, 4)").stdout.splitlines()
    without = run("answers", "a.run", "--json", "--without", "queen(1, 4)").stdout.splitlines()
    assert len(with_it) + len(without) - 4 == 40 and len(with_it) > 2
    assert all('"args": [1, 4]' in line for line in with_it[1:-1])
    assert run("answers", "a.run", "-n", "2", "--format", "line").stdout.count("\n") == 2
    none = run("answers", "a.run", "--with", "queen(1, 4)", "--with", "queen(1, 5)", "--format", "line")
    assert (none.exit_code, none.stdout) == (1, "")
    wrong = run("answers", "a.run", "--with", "queen(1, 44)")
    assert wrong.exit_code == 2 and "E509" in wrong.stderr


def test_the_best_answer_of_a_run() -> None:
    run("solve", "queen_domination", "-D", "n=6", "--run", "a.run")
    result = run("answers", "a.run")
    assert result.exit_code == 0 and "minimum 3, proved" in result.stdout
    assert (status()["best"], status()["bound"], status()["state"]) == (3, 3, "done")


def test_a_limited_run_tells_its_bound_and_keeps_it() -> None:
    """Although its first piece is not done, and none of its own answers tells a bound."""
    asked = ("solve", "queen_domination", "-D", "n=16", "--run", "a.run", "--limit-nodes", "1")
    for command in (asked, ("resume", "a.run", "--limit-nodes", "1")):
        end = json.loads(run(*command, "--json").stdout.splitlines()[-1])
        assert (end["status"], end["limit"]) == ("found", "nodes")
        assert 0 < end["bound"] <= 9 <= end["cost"]
        assert (status()["best"], status()["bound"], status()["state"]) == (end["cost"], end["bound"], "limit")
    shown = run("resume", "a.run", "--limit-nodes", "1").stdout
    assert f"best {end['cost']}, at least {end['bound']}" in shown


def test_a_file_knows_its_model(tmp_path: Path) -> None:
    (tmp_path / "m").mkdir()
    (tmp_path / "m" / "lib.cover").write_text('use "std/soma"\nlet twice = 2\n', encoding="utf-8")
    (tmp_path / "m" / "data.txt").write_text("1 2 3\n", encoding="utf-8")
    (tmp_path / "rows.txt").write_text("4 5\n", encoding="utf-8")
    text = """use "lib"
param more = list \"\"\"
1
\"\"\"
let few = list(file("data.txt"))
choose take(x, k) for x in few, k in 1..twice
exactly 1 take per x
choose also(y) for y in more
"""
    model = tmp_path / "m" / "m.cover"
    model.write_text(text, encoding="utf-8")
    plain = run("count", str(model), "-D", "more=@rows.txt")
    assert plain.exit_code == 0, plain.stderr
    kept = run("count", str(model), "-D", "more=@rows.txt", "--run", "a.run")
    assert kept.stdout == plain.stdout
    shutil.rmtree(tmp_path / "m")
    (tmp_path / "rows.txt").unlink()
    assert run("resume", "a.run").stdout == plain.stdout


def test_a_matrix_has_runs_as_well(tmp_path: Path) -> None:
    assert run("convert", "queens", "q.dlx", "-D", "n=6").exit_code == 0
    plain = run("solve", "q.dlx", "--all", "--format", "line")
    assert run("solve", "q.dlx", "--all", "--format", "line", "--run", "a.run").stdout == plain.stdout
    (tmp_path / "q.dlx").unlink()
    assert run("answers", "a.run", "--format", "line").stdout == plain.stdout


# --- what is refused ---


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("count", "queens", "-D", "n=8", "--run", "a.run"), "E702"),
        (("solve", *QUEENS, "--all", "--run", "a.run"), "E702"),
        (("count", *QUEENS, "--run", "a.run", "--seed", "1"), "E702"),
        (("count", *QUEENS, "--run", "no.run", "--engine", "sat"), "E708"),
        (("answers", "a.run"), "E708"),
        (("status", "none.run"), "E707"),
        (("resume", "none.run"), "E707"),
        (("resume", "text.run"), "E701"),
        (("count", *QUEENS, "--run", "text.run"), "E701"),
        (("count", *QUEENS, "--run", "other.run"), "E701"),
        (("count", *QUEENS, "--run", "none/a.run"), "E706"),
        (("count", *QUEENS, "--run", "."), "E707"),
    ],
)
def test_what_is_no_run_is_refused_and_left_alone(words: tuple[str, ...], said: str) -> None:
    run("count", *QUEENS, "--run", "a.run")
    Path("text.run").write_text("no database", encoding="utf-8")
    other = sqlite3.connect("other.run")
    other.execute("CREATE TABLE t (x)")
    other.close()
    before = {name: Path(name).read_bytes() for name in os.listdir()}
    result = run(*words)
    assert result.exit_code == 2 and f"error[{said}]" in result.stderr, result.output
    assert {name: Path(name).read_bytes() for name in os.listdir()} == before, "nothing is overwritten"


def test_two_processes_cannot_share_a_run() -> None:
    run("count", *QUEENS, "--run", "a.run")
    lock = Lock(Path("a.run"))
    for words in (("resume", "a.run"), ("count", *QUEENS, "--run", "a.run")):
        result = run(*words)
        assert result.exit_code == 2 and f"error[E705]: process {os.getpid()}" in result.stderr
    assert status()["state"] == "running" and status()["process"] == os.getpid()
    lock.release()
    assert status()["state"] == "done"
    assert run("resume", "a.run").stdout == "40\n"


def test_a_lock_dies_with_its_process() -> None:
    code = "import os; from pathlib import Path; from covr.runs.contents import Lock; Lock(Path('a.run')); os._exit(1)"
    subprocess.run([sys.executable, "-c", code], check=False)
    assert Path("a.run.lock").exists()
    Lock(Path("a.run")).release()
    assert not Path("a.run.lock").exists()


def test_on_windows_a_lock_is_removed_once_it_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows removes no file that is open."""
    opened: set[int] = set()
    unlink, close, open_file = os.unlink, os.close, os.open

    def note(*arguments: Any) -> int:
        opened.add(handle := open_file(*arguments))
        return handle

    def refuse(path: Path) -> None:
        if opened:
            raise PermissionError(13, "it is used by another process")
        unlink(path)

    def forget(handle: int) -> None:
        close(handle)
        opened.discard(handle)

    locked = SimpleNamespace(LK_NBLCK=2, locking=lambda *_: None)
    monkeypatch.setitem(sys.modules, "msvcrt", locked)
    monkeypatch.setattr("covr.runs.contents.fcntl", None)
    with monkeypatch.context() as windows:
        windows.setattr(os, "open", note)
        windows.setattr(os, "unlink", refuse)
        windows.setattr(os, "close", forget)
        Lock(Path("a.run")).release()
    assert not Path("a.run.lock").exists()


def test_a_run_of_a_newer_covr_is_refused() -> None:
    run("count", *QUEENS, "--run", "a.run")
    base = sqlite3.connect("a.run")
    base.execute(f"PRAGMA user_version = {schema.VERSION + 1}")
    base.close()
    result = run("resume", "a.run")
    assert result.exit_code == 2 and "error[E703]" in result.stderr


def test_another_problem_of_the_same_model_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    run("count", *QUEENS, "--run", "a.run")
    monkeypatch.setattr("covr.runs.question.fingerprint", lambda *_: "another")
    result = run("resume", "a.run")
    assert result.exit_code == 2 and "error[E709]" in result.stderr


# --- damage ---


@pytest.fixture(scope="module")
def half(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that is half done, with answers."""
    file = tmp_path_factory.mktemp("runs") / "half.run"
    with (
        constants_of(
            pieced,
            ALONE=dict.fromkeys(pieced.ALONE, 0.0),
            SECONDS=dict.fromkeys(pieced.SECONDS, 0.0),
            BRIEF=40,
            LOOK=0.001,
        ),
        constants_of(piece_work, BRIEF=10),
    ):
        run("solve", *QUEENS, "--all", "--format", "line", "--run", str(file), "--limit-nodes", "100", "--jobs", "1")
    assert 0 < json.loads(run("status", str(file), "--json").stdout)["fraction"] < 1
    return file


@given(st.data())
@settings(max_examples=examples(40), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_damage_is_found_or_harmless(half: Path, data: st.DataObject) -> None:
    """Bytes that change, and files that are cut off: the answers are exact, or there is an error."""
    expected = run("solve", *QUEENS, "--all", "--format", "line").stdout
    good = half.read_bytes()
    bad = bytearray(good)
    if data.draw(st.booleans(), label="cut off"):
        del bad[data.draw(st.integers(0, len(bad) - 1), label="at") :]
    else:
        for at in data.draw(st.lists(st.integers(0, len(bad) - 1), min_size=1, max_size=3), label="at"):
            bad[at] ^= data.draw(st.integers(1, 255), label="bits")
    file = half.with_name("bad.run")
    for name in os.listdir(half.parent):
        if name.startswith("bad.run"):
            (half.parent / name).unlink()
    file.write_bytes(bad)
    result = run("resume", str(file), "--format", "line")
    assert (result.exit_code, result.stdout) == (0, expected) or "error[E70" in result.stderr
    if result.exit_code == 0:
        assert run("answers", str(file), "--format", "line").stdout == expected


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE pieces SET count = count + 1 WHERE state = 1",
        "DELETE FROM pieces WHERE state = 0",
        "UPDATE pieces SET state = 1 WHERE state = 0",
        "UPDATE about SET value = value || ' '",
        "DELETE FROM seal",
        "UPDATE seal SET rows = rows + 1",
        "UPDATE files SET data = x'00'",
        "DELETE FROM answers",
        "UPDATE answers SET data = x'00'",
        "DROP TABLE answers",
        "DROP TABLE best",
    ],
)
def test_changes_by_others_are_found(half: Path, change: str) -> None:
    shutil.copy(half, "bad.run")
    base = sqlite3.connect("bad.run")
    hit = base.execute(change).rowcount
    base.commit()
    base.close()
    result = run("resume", "bad.run", "--format", "line")
    assert hit == 0 or (result.exit_code == 2 and re.search(r"error\[E70[46]\]", result.stderr))


def test_a_full_disk_loses_nothing(monkeypatch: pytest.MonkeyPatch, constants: Constants) -> None:
    """SQLite says so when there is no room, here because the file may have no more pages."""
    connect = records._connect

    def little(file: Path) -> sqlite3.Connection:
        base = connect(file)
        (pages,) = base.execute("PRAGMA page_count").fetchone()
        base.execute(f"PRAGMA max_page_count = {pages + 2}")
        return base

    words = ("solve", "queens", "-D", "n=8", "--all", "--format", "line")
    for name, value in (("ALONE", 0.0), ("SECONDS", 0.0)):
        monkeypatch.setattr(pieced, name, dict.fromkeys(pieced.ALONE, value))
    constants(pieced, BRIEF=40, BATCH=0.0)
    with monkeypatch.context() as patch:
        patch.setattr(records, "_connect", little)
        result = run(*words, "--run", "a.run")
        assert result.exit_code == 2 and "error[E706]" in result.stderr and "full" in result.stderr
    assert status()["state"] in ("killed", "interrupted")
    assert run("resume", "a.run", "--format", "line").stdout == run(*words).stdout


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may mount a tmpfs")
def test_a_small_disk_that_fills(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=200k", "tmpfs", str(disk)], capture_output=True)
    if mounted.returncode:
        pytest.skip("a tmpfs can't be mounted here")
    try:
        words = ["solve", "queens", "-D", "n=12", "--all", "--format", "line"]
        file = disk / "a.run"
        with pytest.raises(AssertionError, match=r"E706.*full"):
            said(*words, "--run", str(file))
        assert json.loads(run("status", str(file), "--json").stdout)["state"] in ("killed", "interrupted")
        subprocess.run(["mount", "-o", "remount,size=8m", str(disk)], check=True)
        assert said("resume", str(file), "--format", "line") == said(*words)
    finally:
        subprocess.run(["umount", str(disk)], check=True)


# --- kills ---

KILLED = {
    "enumeration": ("solve", "queens", "-D", "n=11", "--all", "--format", "line"),
    "count": ("count", "queens", "-D", "n=13", "--engine", "bits"),
    "minimum": ("solve", "queen_domination", "-D", "n=11"),
    "classes": ("solve", "pentominoes", "--all", "--format", "line"),
    "loops": ("solve", "knight_tour", "--all", "--format", "line"),
}


SOONER = {**KILLED, "classes": ("solve", "pentominoes", "-D", "h=4", "-D", "w=15", "--all", "--format", "line")}


@pytest.mark.parametrize("kind", list(SOONER))
def test_a_run_killed_twice_ends_as_an_undisturbed_one(kind: str, tmp_path: Path) -> None:
    expected = last_line(kind, undisturbed(kind, SOONER[kind], tmp_path))
    out, _ = killed(SOONER[kind], tmp_path / "a.run", 2, random.Random(kind), 1.2)
    assert last_line(kind, out) == expected


@pytest.mark.slow
@pytest.mark.parametrize("kind", list(KILLED))
def test_a_run_killed_fifty_times_ends_as_an_undisturbed_one(kind: str, tmp_path: Path) -> None:
    expected = last_line(kind, undisturbed(kind, KILLED[kind], tmp_path))
    rng = random.Random(kind)
    hits = rounds = 0
    while hits < 50:
        out, hit = killed(KILLED[kind], tmp_path / f"{rounds}.run", 10, rng, 1.5)
        assert last_line(kind, out) == expected
        hits, rounds = hits + hit, rounds + 1


def undisturbed(kind: str, words: Sequence[str], tmp_path: Path) -> str:
    """Without a file; but a loop's answers have another order there than in a file."""
    return said(*words, *(("--run", str(tmp_path / "whole.run")) if kind == "loops" else ()))


def last_line(kind: str, out: str) -> str:
    """The last line that a run prints; for a minimum any best answer will do."""
    return out.splitlines()[-1] if kind == "minimum" else out


def test_errors_of_the_store_reach_the_one_who_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    from covr.engine import Settings
    from covr.engine.pieces.ledger import Ask
    from covr.engine.pieces.piece import Threads
    from tests.engine.problems import queens

    def fail(*_: object) -> None:
        raise unwritable(Path("a.run"), OSError(28, "No space left on device"))

    from covr.engine.pieces.ledger import Ledger

    class Broken:
        write = staticmethod(fail)

    search = pieced.PiecedSearch(queens(6), Ask("count", Settings()), Ledger(store=Broken()), Threads(1))
    with pytest.raises(ModelErrors, match="no space left"):
        search.count()


@pytest.mark.usefixtures("small")
def test_threads_find_a_minimum_without_a_file() -> None:
    alone, shared = (run("solve", "queen_domination", "-D", "n=7", "--jobs", jobs) for jobs in ("1", "3"))
    assert shared.stdout.splitlines()[-1] == alone.stdout.splitlines()[-1] == "minimum 4, proved"
    end = json.loads(run("solve", "queen_domination", "-D", "n=7", "--jobs", "3", "--json").stdout.splitlines()[-1])
    assert end["engine"].endswith("on 3 threads") and (end["cost"], end["bound"]) == (4, 4)
