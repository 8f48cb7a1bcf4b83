"""What is written into a run file is read again, and the run goes on from there."""

from __future__ import annotations

import sqlite3
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covr.dsl import ModelErrors
from covr.engine import Problem, search
from covr.engine.pieces import piece_work
from covr.engine.pieces.ledger import Ask, Ledger, Nobody, PieceBudget, PieceResult, Task
from covr.engine.pieces.piece import Pieces
from covr.engine.pieces.split import Prefix
from covr.runs import contents as schema
from covr.runs import record as record_module
from covr.runs.record import RunRecord, create, open_record, read_answers, read_contents
from tests.constants import constants_of
from tests.engine.problems import least
from tests.engine.strategies import problems
from tests.shared import examples

pytestmark = pytest.mark.long


def session(record: RunRecord, pieces: Pieces, most: int) -> Ledger:
    """Do at most so many pieces of a run, one transaction each, and leave one more half done."""
    record.begin()
    ledger = record.stage(0, pieces.ask.goal == "minimum").ledger()
    for _ in range(most):
        task = ledger.take()
        if task is None:
            break
        assert ledger.settle(task.name, pieces.search(task.prefix, PieceBudget(3, 2), Nobody(ledger.ceiling)))
        ledger.flush()
    ledger.take()
    ledger.flush()
    return ledger


@given(problems(), st.sampled_from(["list", "count", "minimum"]), st.lists(st.integers(0, 4), max_size=6))
@settings(max_examples=examples(25))
def test_sessions_add_up(problem: Problem, goal: str, sessions: list[int]) -> None:
    """Whatever is done in a session, and however it ends: in the end it is what the whole search says."""
    pieces = Pieces(problem, Ask(goal))
    with constants_of(piece_work, COMPILED_STEPS=2, FAR=0.5), tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "a.run"
        create(file, {"what": "a test"}, {"data": b"1"}).close()
        for most in [*sessions, 10**6]:
            record = open_record(file)
            ledger = session(record, pieces, most)
            if most % 2:
                record._base.close()  # as if the process had died: nothing is said at the end
                record._lock.release()
            else:
                record.end("interrupted")
                record.close()
        contents = read_contents(file, thorough=True)
        expected = list(search(problem))
        assert ledger.over and len(ledger) == 0
        assert (contents.about["what"], contents.files) == ("a test", {"data": b"1"})
        totals = contents.totals(0)
        told = ledger.totals
        assert (totals.count, totals.best, totals.nodes) == (told.count, told.best, told.nodes)
        if goal == "list":
            leaves = [p.name for p in contents.pieces[0] if p.state == schema.DONE]
            assert leaves == sorted(leaves) == list(ledger.leaves())
            assert [a for name in leaves for a in read_answers(file, 0, name)] == expected
        if goal == "minimum":
            assert totals.best == least(problem)
        else:
            assert totals.count == len(expected)


@given(st.lists(st.integers(0, 10**6)), st.lists(st.integers(0, 10**6)))
def test_prefixes_come_back(taken: list[int], excluded: list[int]) -> None:
    prefix = Prefix(tuple(taken), tuple(excluded))
    assert schema.prefix_of(schema.prefix_bytes(prefix)) == prefix


def test_a_transaction_is_whole_or_not_at_all(tmp_path: Path) -> None:
    file = tmp_path / "a.run"
    record = create(file, {}, {})
    store = record.stage(0, False)
    before = read_contents(file)
    ledger = store.ledger()
    task = ledger.take()
    assert task == Task("", Prefix())
    record._base.execute("CREATE TEMP TRIGGER t BEFORE INSERT ON seal BEGIN SELECT raise(ABORT, 'no seal'); END")
    ledger.settle("", PieceResult(True, count=3))
    with pytest.raises(ModelErrors, match="no seal"):
        ledger.flush()
    assert read_contents(file) == before
    record._base.execute("DROP TRIGGER t")
    ledger.flush()
    assert read_contents(file).totals(0).count == 3
    record.close()


def test_a_kill_in_a_change_with_a_journal_is_undone(tmp_path: Path) -> None:
    """The file is as a kill leaves it between its first change and the end of its journal."""
    whole, left = tmp_path / "a.run", tmp_path / "b.run"
    create(whole, {"what": "a test"}, {"data": b"1"}).close()
    base = sqlite3.connect(whole, isolation_level=None)
    base.execute("PRAGMA journal_mode = DELETE")
    base.execute("PRAGMA cache_size = 1")
    base.execute("BEGIN")
    base.execute("UPDATE about SET value = 'damaged'")
    base.execute("CREATE TABLE more (a)")
    for _ in range(200):  # so many that the file is changed before the transaction ends
        base.execute("INSERT INTO more VALUES (zeroblob(4000))")
    left.write_bytes(whole.read_bytes())
    (tmp_path / "b.run-journal").write_bytes((tmp_path / "a.run-journal").read_bytes())
    base.close()
    record = open_record(left)
    assert (record.contents.about, record.contents.files) == ({"what": "a test"}, {"data": b"1"})
    record.close()
    assert not (tmp_path / "b.run-journal").exists()


def test_a_new_file_has_its_kind_of_log_before_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So a kill leaves no journal beside it, and what an earlier kill has left is removed."""
    for ending in ("", "-journal", "-wal", "-shm"):
        (tmp_path / f"a.run.new{ending}").write_bytes(b"left")
    moved = []

    def move(new: Path, file: Path) -> None:
        moved.append(new.read_bytes()[18:20])
        new.rename(file)

    monkeypatch.setattr(record_module.os, "replace", move)
    create(tmp_path / "a.run", {}, {}).close()
    assert moved == [b"\x02\x02"], "the header says WAL"
    assert [path.name for path in tmp_path.iterdir()] == ["a.run"]


def test_counts_beyond_sixty_four_bits(tmp_path: Path) -> None:
    record = create(tmp_path / "a.run", {}, {})
    ledger = record.stage(0, False).ledger()
    ledger.take()
    ledger.settle("", PieceResult(True, count=10**40))
    ledger.flush()
    record.close()
    assert read_contents(tmp_path / "a.run").totals(0).count == 10**40


def test_the_file_says_what_it_is(tmp_path: Path) -> None:
    create(tmp_path / "a.run", {}, {}).close()
    base = sqlite3.connect(tmp_path / "a.run")
    assert base.execute("PRAGMA application_id").fetchone() == (schema.APPLICATION,)
    assert base.execute("PRAGMA user_version").fetchone() == (schema.VERSION,)
    assert base.execute("PRAGMA journal_mode").fetchone() == ("wal",)
