"""Pieces on a Dask cluster give the results of a single process, even when workers are killed."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from unittest.mock import patch

import pytest

import covr as package
from covr.compiler import compile_model
from covr.dsl import Source
from covr.dsl.diagnostics import ModelErrors
from covr.engine import Problem, search
from covr.engine.pieces import piece_search as pieced
from covr.engine.pieces.ledger import Ask, Ledger
from covr.engine.pieces.piece_search import PiecedSearch
from covr.engine.pieces.piece_work import unpack
from covr.inputs.library import checked
from covr.questions.options import Options
from covr.questions.run import Run
from covr.runs.cluster import Cluster, other_version
from covr.runs.question import RecordedQuestion
from covr.runs.recorded import open_run
from tests.constants import Constants
from tests.covr.command import Covr, covr
from tests.covr.questions.broken_goals import LARGEST, LOST, WORSE, drawn
from tests.engine.problems import domination, langford, queens
from tests.engine.side_puzzles import knapsack, knight

pytestmark = pytest.mark.long

__all__ = ["covr"]

HAS_DASK = importlib.util.find_spec("distributed") is not None
wants_dask = pytest.mark.skipif(not HAS_DASK, reason="distributed is not installed")


@pytest.fixture(scope="module")
def crew() -> Iterator[Cluster]:
    """Two processes, for all tests that only want somebody to search."""
    if not HAS_DASK:
        pytest.skip("distributed is not installed")
    found = Cluster("local", 2)
    yield found
    found.close()


@pytest.fixture
def hasty(constants: Constants) -> None:
    """Small pieces, so that a small problem has many."""
    constants(pieced, ALONE=dict.fromkeys(pieced.ALONE, 0.0), SECONDS=dict.fromkeys(pieced.SECONDS, 0.02))


def pids(crew: Cluster) -> list[int]:
    """The worker processes of a local cluster."""
    return [one.pid for one in crew._local.workers.values() if one.pid]


def test_words_that_mean_no_cluster(covr: Covr) -> None:
    result = covr("count", "queens", "--cluster", "somewhere:8786")
    assert result.exit_code == 2
    assert "E721" in result.stderr
    assert covr("solve", "sudoku", "--cluster", "local", "--puzzle").exit_code == 2
    with patch.dict(sys.modules, {"distributed": None}):
        result = covr("count", "queens", "--cluster", "local")
    assert result.exit_code == 2
    assert "E720" in result.stderr
    assert "pip install 'covr[cluster]'" in result.stderr


@wants_dask
def test_a_cluster_of_this_machine_lets_in_nobody_else(crew: Cluster) -> None:
    """Whoever reaches the port, which every user of the machine does, has code run by a scheduler that trusts them."""
    from distributed import Security
    from distributed.comm import connect

    address = crew._local.scheduler_address
    assert address.startswith("tls://127.0.0.1:")
    assert all(worker.address.startswith("tls://127.0.0.1:") for worker in crew._local.workers.values())
    ports = [int(worker.address.rpartition(":")[2]) for worker in crew._local.workers.values()]
    ports += [crew._local.scheduler.http_server.port]
    ports += [info["services"]["dashboard"] for info in crew._client.scheduler_info()["workers"].values()]
    for port, path in (
        (port, path) for port in ports for path in ("status", "info/main/workers.html", "metrics", "health")
    ):
        answer = b""
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 5) as one:
            one.settimeout(5)
            one.sendall(f"GET /{path} HTTP/1.0\r\n\r\n".encode())
            answer = one.recv(100)
        assert b" 200 " not in answer, f"nothing is told at {path}"

    async def identity(where: str, security: Security | None) -> object:
        """What the scheduler says to this client. Without a `Client`, which can wait for itself for ever when it is
        collected while another begins."""
        comm = await connect(where, timeout=1, **(security or Security()).get_connection_args("client"))
        await comm.write({"op": "identity", "reply": True})
        return await comm.read()

    others = (address.replace("tls", "tcp", 1), None), (address, None), (address, Security.temporary())
    for where, security in others:
        with pytest.raises((OSError, TimeoutError, TypeError)):
            asyncio.run(identity(where, security))
    assert asyncio.run(identity(address, crew._client.security)), "whom it knows it lets in"
    assert crew.size == 2, "whom it knows it lets in"


@wants_dask
def test_a_scheduler_that_is_not_there(covr: Covr, constants: Constants) -> None:
    constants("covr.runs.cluster", PATIENCE=0.2)
    result = covr("count", "queens", "--cluster", "tcp://127.0.0.1:9")
    assert result.exit_code == 2
    assert "can't be reached" in result.stderr


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize(
    ("problem", "seed"), [(queens(9), None), (queens(8), 3), (langford(8), None)], ids=["queens", "seed", "langford"]
)
def test_count_is_that_of_a_search(crew: Cluster, problem: Problem, seed: int | None) -> None:
    from covr.engine import Settings

    found = PiecedSearch(problem, Ask("count", Settings(seed=seed)), Ledger(), crew)
    assert found.count() == search(problem).count()
    assert found.status == "exhausted"


class Answers:
    """Keeps the answers of each piece that is done. kept: packed, by the name of the piece."""

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}

    def write(self, changes: object, totals: object) -> None:
        for change in changes:  # type: ignore[attr-defined]
            if getattr(change, "result", None) is not None and change.result.done:
                self.kept[change.task.name] = change.result.answers


@pytest.mark.usefixtures("hasty")
def test_every_answer_comes_in_order(crew: Cluster) -> None:
    problem = queens(8)
    store = Answers()
    found = PiecedSearch(problem, Ask("list"), Ledger(store=store), crew, read=lambda name: unpack(store.kept[name]))
    assert list(found) == list(search(problem))
    assert len(store.kept) > 10


@pytest.mark.usefixtures("hasty")
def test_one_answer_of_each_class_comes_in_order(crew: Cluster) -> None:
    """A board and its mirror image count as one."""
    from covr.engine import Settings
    from covr.engine.dispatch import search_classes
    from covr.engine.pieces.class_pieces import pieces_of

    problem = queens(9)
    mirror = [(o // 9 * 9) + 8 - o % 9 for o in range(81)]
    classes = pieces_of(problem, [mirror], Settings())
    store = Answers()
    found = PiecedSearch(
        problem, Ask("list", classes=classes), Ledger(store=store), crew, read=lambda name: unpack(store.kept[name])
    )
    alone = search_classes(problem, [mirror], settings=Settings(jobs=1))
    assert alone is not None
    assert list(found) == list(alone) and len(store.kept) > 5
    assert found.counters.answers == 352 / 2


@pytest.mark.usefixtures("hasty")
def test_totals_and_loops_are_searched_by_a_crew(crew: Cluster) -> None:
    assert PiecedSearch(knight(6), Ask("count"), Ledger(), crew).count() == 9862
    weights = [20 + 7 * k % 31 for k in range(22)]
    things = knapsack(weights, [w + k % 5 for k, w in enumerate(weights)], sum(weights) // 2)
    found = PiecedSearch(things, Ask("minimum"), Ledger(minimum=True), crew)
    list(found)
    alone = search(things, goal="minimum")
    list(alone)
    assert found.best == found.bound == alone.best


@pytest.mark.usefixtures("hasty")
def test_a_minimum_is_proved(crew: Cluster) -> None:
    found = PiecedSearch(domination(7), Ask("minimum"), Ledger(minimum=True), crew)
    *_, best = found
    assert len(best) == 4
    assert (found.best, found.bound, found.status) == (4, 4, "exhausted")


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("text", [WORSE, LARGEST, LOST, *(drawn(seed).text() for seed in (3, 8, 21))])
def test_best_answers_where_a_symmetry_breaks_the_goal(crew: Cluster, tmp_path: Path, text: str) -> None:
    """As they are found alone: each class once, and only best ones; also when the file is read again."""
    compiled = compile_model(checked(Source("<test>", text)))
    alone = Run(compiled, Options(jobs=1))
    expected = sorted(alone.answers())
    for session in range(2):
        for question in (RecordedQuestion("solve", listed=True), RecordedQuestion("count")):
            run = open_run(tmp_path / question.command, compiled, {}, question, Options(), crew)
            if question.command == "count":
                assert run.count().value == len(expected)
            else:
                assert sorted(run.answers()) == expected
            assert run.complete and (run.best is None) == (alone.best is None), session
            assert run.best is None or (run.best.value, run.best.proved) == (alone.best.value, True)
            run.close()


@pytest.mark.usefixtures("hasty")
def test_a_minimum_that_is_stopped_has_a_bound(crew: Cluster, constants: Constants) -> None:
    """What a piece that is not done has proved comes with its progress."""
    constants(pieced, ALONE=dict.fromkeys(pieced.ALONE, 60.0))
    problem = domination(13)
    found = PiecedSearch(problem, Ask("minimum"), Ledger(minimum=True), crew)
    answers = iter(found)
    next(answers)
    end = time.monotonic() + 60
    while found.bound is None and time.monotonic() < end:
        time.sleep(0.05)
    found.interrupt()
    list(answers)
    assert found.status == "interrupted"
    assert found.bound is not None and 0 < found.bound <= 7 <= (found.best or 0)


@pytest.mark.usefixtures("hasty")
def test_a_killed_worker_changes_nothing(crew: Cluster) -> None:
    found = PiecedSearch(queens(11), Ask("count"), Ledger(), crew)
    victim = Thread(target=lambda: (time.sleep(0.5), os.kill(pids(crew)[0], signal.SIGKILL)))
    victim.start()
    assert found.count() == 2680
    victim.join()


def test_a_worker_with_another_version_is_refused(crew: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("covr.runs.cluster.__version__", "0.0.9")
    with pytest.raises(ModelErrors) as refused:
        PiecedSearch(queens(6), Ask("count"), Ledger(), crew).count()
    assert refused.value.diagnostics[0].code == "E722"
    assert other_version("1", "a worker").diagnostics[0].code == "E722"


def test_it_stops_when_asked(crew: Cluster) -> None:
    found = PiecedSearch(queens(17), Ask("count"), Ledger(), crew)
    asker = Thread(target=lambda: (time.sleep(1.5), found.interrupt()))
    asker.start()
    begin = time.monotonic()
    found.count()
    asker.join()
    assert found.status == "interrupted"
    assert time.monotonic() - begin < 30
    # The workers are free again: what they were searching has been stopped, too.
    assert PiecedSearch(queens(6), Ask("count"), Ledger(), crew).count() == 4


# --- minutes ---


@contextmanager
def killing(crew: Cluster, seed: int, least: float = 0.3, most: float = 3.0) -> Iterator[list[int]]:
    """Kill a random worker every few seconds; gives how many were."""
    over, killed, rng = Event(), [0], random.Random(seed)

    def work() -> None:
        while not over.wait(rng.uniform(least, most)):
            alive = pids(crew)
            if alive:
                with suppress(ProcessLookupError):
                    os.kill(rng.choice(alive), signal.SIGKILL)
                    killed[0] += 1

    thread = Thread(target=work)
    thread.start()
    try:
        yield killed
    finally:
        over.set()
        thread.join()


@pytest.mark.slow
@wants_dask
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_random_workers_are_killed_while_it_counts(seed: int) -> None:
    crew = Cluster("local", 2)
    try:
        with killing(crew, seed, 0.5, 3.0) as killed:
            assert PiecedSearch(queens(16), Ask("count"), Ledger(), crew).count() == 14772512
        assert killed[0] > 2
    finally:
        crew.close()


@pytest.mark.slow
@wants_dask
def test_random_workers_are_killed_while_it_proves_a_minimum() -> None:
    problem = package.load("queen_domination", n=14).problem
    best = search(problem, goal="minimum")
    *_, last = best
    crew = Cluster("local", 2)
    try:
        with killing(crew, 4, 5.0, 12.0):
            found = PiecedSearch(problem, Ask("minimum"), Ledger(minimum=True), crew)
            *_, mine = found
        assert len(mine) == len(last)
        assert found.bound == best.bound
    finally:
        crew.close()


@pytest.mark.slow
@wants_dask
def test_the_scheduler_is_killed_and_the_run_goes_on(tmp_path: Path) -> None:
    """With real processes, as on several machines: an error that says so, and nothing that was finished is lost."""
    port, file = str(random.Random(os.getpid()).randrange(20000, 40000)), tmp_path / "q.run"
    address = f"tcp://127.0.0.1:{port}"
    dask = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--port", port, "--no-dashboard"]
    work = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--nthreads", "2", "--no-dashboard"]
    ask = [sys.executable, "-m", "covr", "count", "queens", "-D", "n=17", "--run", str(file), "--cluster", address]
    silent = subprocess.DEVNULL
    with subprocess.Popen(dask, stderr=silent) as scheduler, subprocess.Popen(work, stderr=silent) as worker:
        time.sleep(6)
        asker = subprocess.Popen(ask, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(10)
        scheduler.kill()
        out, said = asker.communicate(timeout=120)
        worker.terminate()
    assert (asker.returncode, out) == (2, "")
    assert "E723" in said
    rest = subprocess.run([sys.executable, "-m", "covr", "resume", str(file)], capture_output=True, text=True)
    assert (rest.returncode, rest.stdout) == (0, "95815104\n")
