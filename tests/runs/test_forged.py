"""Run files and folders of strangers: whatever is in them leads to one error, in little time and memory."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import tracemalloc
import zlib
from array import array
from base64 import b85encode
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from covr.cli.group import cli
from covr.dsl import ModelErrors
from covr.engine.pieces import piece_work as packing
from covr.engine.pieces.piece_work import pack, unpack
from covr.runs import contents as schema
from covr.runs import folder_results as files
from covr.runs import folder_results as results
from covr.runs import folder_work as splitting
from covr.runs.contents import holder, process_number
from covr.runs.folder_claims import Claims, is_alive, now_of, who
from covr.runs.folder_results import CLAIMS, read_head
from covr.runs.record import read_contents
from tests.constants import Constants, constants_of
from tests.runs.forged import Idle, forge


def covr(*args: str, code: int | None = None) -> Result:
    result = CliRunner().invoke(cli, args)
    assert code is None or result.exit_code == code, result.output
    return result


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a finished run, one that was begun, and a folder of its pieces of which some are answered."""
    place = tmp_path_factory.mktemp("made")
    words = ("solve", "queens", "-D", "n=6", "--all", "-q")
    with pytest.MonkeyPatch.context() as patch, constants_of(splitting, TRIALS=0):
        patch.chdir(place)
        covr(*words, "--run", "whole.run", code=0)
        patch.setattr("covr.runs.recorded.Threads", Idle)
        covr(*words, "--run", "begun.run", "--limit-time", "0", code=3)
        covr("split", "begun.run", "-n", "4", "-o", "a.pieces", code=0)
        for number in "123":
            covr("piece", "a.pieces", number, code=0)
    return place


@pytest.fixture
def place(made: Path, tmp_path: Path) -> Path:
    """The same, to be changed."""
    return Path(shutil.copytree(made, tmp_path / "made"))


COMMANDS = (("status",), ("answers",), ("resume", "--limit-time", "1"))

ZEROS = zlib.compress(bytes(1 << 22))  # four megabytes in four kilobytes

FORGERIES: dict[str, tuple[str, tuple[Any, ...]]] = {
    "a count below 0": ("UPDATE pieces SET count = '-5' WHERE state = 1", ()),
    "a count that is none": ("UPDATE pieces SET count = 'many'", ()),
    "a text for a number": ("UPDATE pieces SET nodes = 'many'", ()),
    "a weight without end": ("UPDATE pieces SET weight = 9e999", ()),
    "a state that there is not": ("UPDATE pieces SET state = 7", ()),
    "a name that no piece has": ("UPDATE pieces SET name = 'zzzz' WHERE name = ''", ()),
    "bytes for a text": ("UPDATE about SET value = x'00' WHERE key = 'title'", ()),
    "no question": ("DELETE FROM about WHERE key = 'question'", ()),
    "another question": ("UPDATE about SET value = '{\"command\": 3}' WHERE key = 'question'", ()),
    "a deep question": ("UPDATE about SET value = ? WHERE key = 'question'", ("[" * 100_000,)),
    "goals without weights": ("INSERT INTO about VALUES ('stages', '[[\"minimize\", 0, 0, 0, 0]]', x'')", ()),
    "params that are none": ("UPDATE about SET value = '[1]' WHERE key = 'params'", ()),
}
FORGERIES |= {
    "no stages": ("UPDATE about SET value = '[[1]]' WHERE key = 'stages'", ()),
}


@pytest.mark.parametrize("what", FORGERIES)
def test_a_run_file_of_a_stranger_is_one_error(place: Path, what: str) -> None:
    statement, values = FORGERIES[what]
    if what == "goals without weights":
        statement = statement.replace("INSERT INTO", "INSERT OR REPLACE INTO")
    file = forge(place / "whole.run", statement, values=[values])
    for command, *more in COMMANDS:
        said = covr(command, str(file), *more, code=2)
        assert said.stderr.count("error[E704]") == 1, said.stderr
        assert isinstance(said.exception, SystemExit)


def test_pieces_that_do_not_fit_together_are_one_error(place: Path) -> None:
    file = forge(place / "begun.run", "UPDATE pieces SET name = '00010001' WHERE name = '0001'")
    assert "error[E704]" in covr("resume", str(file), code=2).stderr


def test_an_answer_that_is_none_is_one_error(place: Path) -> None:
    for answer in ([0, 1, 2], [10**6]):
        file = place / "whole.run"
        data = pack([answer] * 4)
        change = "UPDATE pieces SET digest = ?, count = '4' WHERE state = 1", "UPDATE answers SET data = ?"
        forge(file, *change, values=[(schema.data_digest(data),), (data,)])
        assert "error[E704]" in covr("answers", str(file), code=2).stderr


@pytest.mark.parametrize("kind", ["a view", "a trigger", "a table of others"])
def test_tables_that_covr_does_not_make_are_refused(place: Path, kind: str) -> None:
    """A view may have rows without end; a trigger would run when the file is written."""
    file = place / "whole.run"
    with closing(sqlite3.connect(file, isolation_level=None)) as base:
        base.execute("PRAGMA journal_mode = DELETE")
        if kind == "a view":
            columns = "key, value, sum"
            endless = "WITH RECURSIVE n(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n) SELECT k, k, k FROM n"
            base.execute("DROP TABLE about")
            base.execute(f"CREATE VIEW about ({columns}) AS {endless}")
        elif kind == "a trigger":
            base.execute("CREATE TRIGGER t AFTER INSERT ON seal BEGIN DELETE FROM pieces; END")
        else:
            base.execute("CREATE TABLE more (a)")
    for command, *more in COMMANDS:
        assert "other tables" in covr(command, str(file), *more, code=2).stderr


def test_rows_that_take_more_than_the_file_are_refused(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As of a page that many others link to; here by a file that says that it is small."""
    monkeypatch.setattr("covr.runs.record.os.path.getsize", lambda _: 100)
    with pytest.raises(ModelErrors, match="more than the file"):
        read_contents(place / "whole.run")


# --- what is unpacked ---


def spent(work: Callable[[], object]) -> int:
    """The bytes that some work has had in memory at most."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def refused(data: bytes, read: Callable[[bytes], object]) -> None:
    with pytest.raises(ValueError, match="unpacks to more"):
        read(data)


def test_a_prefix_is_not_unpacked_beyond_what_one_can_be() -> None:
    """Of numbers that differ, zlib makes a third at best: so no prefix that covr writes is refused."""
    assert spent(lambda: refused(ZEROS, schema.prefix_of)) < 400_000
    for numbers in (range(100_000), range(0, 200_000, 2), range(0, 1 << 31, 1 << 16), [7], []):
        raw = array("I", [0, *numbers]).tobytes()
        assert schema.TIMES * len(zlib.compress(raw, 1)) + schema.SHORTEST >= 2 * len(raw)
        assert schema.prefix_of(zlib.compress(raw, 1)).excluded == tuple(numbers)


def test_answers_are_packed_and_read_in_parts(constants: Constants) -> None:
    constants(packing, MOST=1000)
    answers = [tuple(range(k, k + 20)) for k in range(300)]
    data = pack(answers)
    assert list(unpack(data)) == answers
    assert list(unpack(pack([tuple(range(100_000, 100_240))] * 3))) == [tuple(range(100_000, 100_240))] * 3
    one = b"H" + (1).to_bytes(8, "little")
    numbers = array("H", [600, *range(600)]).tobytes()
    with pytest.raises(ValueError, match="unpacks to more"):
        list(unpack(one + zlib.compress(numbers)))


def test_answers_that_unpack_without_end_are_refused(constants: Constants) -> None:
    constants(packing, MOST=100_000)
    data = b"H" + (1 << 20).to_bytes(8, "little") + ZEROS
    assert spent(lambda: refused(data, lambda d: list(unpack(d)))) < 1_000_000


def test_pieces_in_a_run_file_are_not_unpacked_without_end(place: Path) -> None:
    bombs = ("UPDATE pieces SET prefix = ? WHERE state = 0",)
    file = forge(place / "begun.run", *bombs, values=[(ZEROS,)])
    assert "error[E704]" in covr("resume", str(file), code=2).stderr
    data = b"H" + (4).to_bytes(8, "little") + zlib.compress(array("H", [1, 1, 1, 1, 0, 1, 2, 3]).tobytes())[:-3]
    file = place / "whole.run"
    change = "UPDATE pieces SET digest = ?, count = '4' WHERE state = 1", "UPDATE answers SET data = ?"
    forge(file, *change, values=[(schema.data_digest(data),), (data,)])
    assert "error[E704]" in covr("answers", str(file), code=2).stderr


# --- folders ---


def result_of(folder: Path) -> tuple[Path, dict[str, Any], bytes]:
    """A result in a folder: its file, its fields, its answers."""
    for path in sorted((folder / "results").iterdir()):
        head, body = files.unsealed(results.PIECE_KIND, path.read_bytes())
        if (kept := json.loads(head))["done"] and int(kept["count"]):
            return path, kept, body
    raise AssertionError("no result with answers")


WRONG: dict[str, dict[str, Any]] = {
    "a count below 0": {"count": "-3"},
    "another count": {"count": "77"},
    "a count of another kind": {"count": 3},
    "figures below 0": {"nodes": -5},
    "figures that no run file holds": {"updates": 1 << 63},
    "a time without end": {"seconds": float("inf")},
    "neither done nor cut": {"done": False},
    "done and cut": {"children": [b85encode(schema.prefix_bytes(schema.Prefix())).decode()], "weights": [1.0]},
    "weights below 0": {"done": False, "children": ["x"], "weights": [-1.0]},
    "a prefix without end": {"done": False, "children": [b85encode(ZEROS).decode()], "weights": [1.0], "count": "0"},
    "a best value without an answer": {"best": 3},
    "an answer that is none": {"best": 3, "answer": ["x"]},
}


@pytest.mark.parametrize("what", WRONG)
def test_a_result_of_a_stranger_is_put_aside(place: Path, what: str) -> None:
    folder = place / "a.pieces"
    path, kept, body = result_of(folder)
    path.write_bytes(files.sealed(results.PIECE_KIND, json.dumps({**kept, **WRONG[what]}).encode(), body))
    covr("status", str(folder), code=0)
    said = covr("merge", str(folder), str(place / "begun.run"), code=3)
    assert f"`{path}` is damaged" in said.stderr
    assert path.with_name(path.name + ".damaged").exists()
    assert int(json.loads(covr("status", str(place / "begun.run"), "--json").stdout)["answers"]) >= 0


def test_a_choice_that_there_is_not_is_one_error(place: Path) -> None:
    """Not a traceback: of a piece in a run, and of one in a folder."""
    prefix = schema.prefix_bytes(schema.Prefix((10**6,)))
    file = forge(place / "begun.run", "UPDATE pieces SET prefix = ? WHERE state = 0", values=[(prefix,)])
    assert "error[E704]" in covr("resume", str(file), code=2).stderr
    head = forge(place / "a.pieces" / "pieces.run", "UPDATE pieces SET prefix = ?", values=[(prefix,)])
    assert "error[E704]" in covr("piece", str(head.parent), "2", code=2).stderr


@pytest.fixture
def pipes() -> Iterator[Callable[[Path], None]]:
    if not hasattr(os, "mkfifo"):
        pytest.skip("this system has no named pipes")

    def make(path: Path) -> None:
        path.unlink(missing_ok=True)
        os.mkfifo(path)

    yield make


def test_pipes_in_a_folder_are_not_waited_for(place: Path, pipes: Callable[[Path], None]) -> None:
    folder = place / "a.pieces"
    head = read_head(folder)
    path, *_ = result_of(folder)
    pipes(path)
    assert f"{path}" in covr("status", str(folder), code=0).stdout
    claim = folder / CLAIMS / f"{head.key(head.tasks[-1])}.0"
    pipes(claim)
    assert is_alive(claim, now_of(claim.parent)), "it says nothing of itself, and is fresh"
    assert "said nothing" in who(claim)
    covr("status", str(folder), code=0)
    for ending in ("", ".lock", "-wal"):
        file = place / "begun.run"
        pipes(Path(f"{file}{ending}"))
        assert covr("status", str(file)).exit_code in (0, 2)
        os.unlink(f"{file}{ending}")
        shutil.copy(place / "whole.run", file)


@pytest.mark.parametrize("number", ["9" * 30, "-1", "0", "", "１", "x", None, [1]])
def test_a_process_has_a_number_that_one_can_have(place: Path, number: object) -> None:
    with pytest.raises(ValueError, match="no number"):
        process_number(number)
    claim = place / "a.0"
    from covr.runs.folder_claims import _self

    claim.write_text(json.dumps({**_self(), "process": number}), encoding="utf-8")
    assert is_alive(claim, now_of(place)), "nothing is known of it, but that it is fresh"
    (place / "whole.run.lock").write_text(str(number), encoding="utf-8")
    assert holder(place / "whole.run") is None


def test_claims_of_tomorrow_and_of_giants_are_none(place: Path) -> None:
    folder = place / "a.pieces"
    head = read_head(folder)
    key = head.key(head.tasks[-1])
    (folder / CLAIMS / f"{key}.{'9' * 60}").touch()
    assert Claims(folder).get(key) is None
    claim = folder / CLAIMS / f"{key}.0"
    claim.touch()
    later = claim.stat().st_mtime + 86_400
    os.utime(claim, (later, later))
    found = Claims(folder).get(key)
    assert found is not None
    assert not found.alive
