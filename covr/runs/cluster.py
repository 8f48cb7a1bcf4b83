"""The pieces of a run on many machines, with Dask distributed (the extra `covr[cluster]`).

`Cluster` is one kind of workers (engine/pieces/piece.py). Dask transports pieces and results, knows which workers
exist, and runs the pieces of a lost worker again. The client process keeps track of which pieces there are, which are
done, and what is known.

- The problem is sent to the cluster once; each worker process builds its sets of options from it and keeps them.
- A worker is sent a prefix, a budget and the current ceiling, some hundred bytes in all, and returns what it found. As
  each task costs the client, the scheduler and the worker some milliseconds, short pieces are sent in bundles, so that
  a task takes about half a second. Pieces that a task has no time for are returned unsearched.
- A piece counts once, when its result reaches the client; a result that is no longer expected is dropped.
- In a search for a minimum, a better answer is sent to the client at once, as an event; the client then sends the new
  ceiling to every worker. So every ceiling that is used in a proof was on record before any other worker knew it.
- A worker notices within a slice when its task is no longer wanted, or when the client is gone, and stops.
- If a worker is killed, Dask runs its pieces elsewhere. If that happens several times to the same piece, the piece is
  given back to the ledger (KilledWorker).

A worker must have the same version of covr as the client, because the meaning of a prefix depends on the version; each
task checks that.

`Client.run` tells a new ceiling to all present workers, and later ones get it with their first piece.
"""

from __future__ import annotations

import importlib.util
import logging
import sys
import time
import uuid
import warnings
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any

from attrs import evolve

from covr import __version__
from covr.dsl.diagnostics import ModelErrors
from covr.engine import build
from covr.engine.base.alone import threads
from covr.engine.pieces.ledger import Improved, PieceBudget, PieceResult, Task
from covr.engine.pieces.piece import AHEAD, Finished, Going, Pieces, Report
from covr.engine.pieces.split import Prefix
from covr.engine.search import Answer
from covr.faults import usage_error
from covr.text import quantity

LOCAL = "local"  # the address that means a cluster on this machine
PATIENCE = 10  # seconds within which a scheduler must be reached
ASK_AGAIN = 2.0  # seconds between two checks of which workers there are
GIVEN_UP = 20.0  # seconds without a worker on this machine, after which another is started
FATAL = 3  # how often Dask may give up a piece, each time after four workers died with it
TELL = 1.0  # seconds between two progress reports of a worker
# Bytes. By default, Dask makes workers return memory at once, which costs a page fault for every page of every piece.
MALLOC = {"MALLOC_TRIM_THRESHOLD_": str(1 << 28), "MALLOC_MMAP_THRESHOLD_": str(1 << 25)}
# By default, Dask also profiles the workers, a hundred times a second.
QUIET = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "500ms",
    "distributed.admin.tick.limit": "30s",
    "distributed.admin.system-monitor.interval": "5s",
    "distributed.admin.system-monitor.gil.enabled": False,
    "distributed.worker.memory.monitor-interval": "5s",
}
# What is served at the ports of dashboards: figures, the names of tasks, logs.
UNSERVED: dict[str, list[str]] = {"distributed.scheduler.http.routes": [], "distributed.worker.http.routes": []}
BUNDLE = 0.5  # seconds that the pieces in a bundle should take together
MOST = 64  # pieces that are sent together at most
FORGET = 0.05  # the weight of the latest piece in the running mean of how long pieces take
KINDS = ("tcp://", "tls://", "ws://", "wss://", "ucx://", "inproc://")

PieceTask = tuple[str, Prefix, PieceBudget | None, float | None]

# --- at the workers ---

_ceilings: dict[str, int] = {}  # per run, the lowest ceiling that this process knows


def _lower(run: str, ceiling: int) -> None:
    _ceilings[run] = min(ceiling, _ceilings.get(run, ceiling))


async def _set_ceiling(run: str, ceiling: int | None) -> None:
    """Runs at every worker: sets a new ceiling, or with None forgets the run. `Client.run` with `wait=False` needs a
    coroutine."""
    if ceiling is None:
        _ceilings.pop(run, None)
    else:
        _lower(run, ceiling)


def _version() -> tuple[str, str]:
    return __version__, sys.version.split()[0]


class _Watch:
    """The `Watch` (engine/pieces/ledger.py) of a piece that a worker searches."""

    def __init__(self, run: str, key: str, name: str) -> None:
        from distributed import get_worker

        self._worker = get_worker()
        self._run, self._key, self._name = run, key, name
        self._sent_at = time.monotonic()
        self._own: int | None = None
        self._bound: int | None = None

    def goes_on(self, nodes: int, fraction: float | None) -> bool:
        now = time.monotonic()
        if now - self._sent_at >= TELL:
            self._sent_at = now
            going = {"name": self._name, "nodes": nodes, "fraction": fraction or 0.0, "bound": self._bound}
            self._worker.log_event(self._run, going)
        task = self._worker.state.tasks.get(self._key)
        return task is not None and task.state == "executing"

    def proved(self, bound: int) -> None:
        self._bound = bound

    def ceiling(self) -> int | None:
        shared, own = _ceilings.get(self._run), self._own
        return shared if own is None else own if shared is None else min(shared, own)

    def found(self, best: int, answer: Answer) -> None:
        """Send a better answer to the client. Other pieces here use it only after the client has put it on record."""
        self._own = best - 1
        self._worker.log_event(self._run, {"best": best, "answer": list(answer)})


def _ready(pieces: bytes) -> Pieces:
    """Unpack the problem, once per worker, and load the kernels, so that the first piece's time, which sizes all
    others, does not include that."""
    import pickle

    found = pickle.loads(pieces)
    assert isinstance(found, Pieces)
    Pieces(build([(1, 1)], [[0]], costs=[1]), evolve(found.ask, keep=None, classes=None)).search(Prefix())
    return found


def _search(
    pieces: Pieces, bundle: Sequence[PieceTask], ceiling: int | None, run: str, key: str, version: str
) -> list[tuple[str, PieceResult]] | str:
    """Search pieces until `BUNDLE` seconds are over; returns their results, or the version of covr here if it is
    another."""
    if version != __version__:
        return __version__
    if ceiling is not None:
        _lower(run, ceiling)
    found = []
    begin = time.monotonic()
    for name, prefix, budget, alone in bundle:
        result = pieces.search(prefix, budget, _Watch(run, key, name), alone)
        if not (result.done or result.is_cut):
            break
        found.append((name, result))
        if time.monotonic() - begin >= BUNDLE:
            break
    return found


# --- at the client ---


class Cluster:
    """The workers of a Dask cluster (see engine/pieces/piece.py).

    address: that of its scheduler, or `local` for worker processes on this machine.  jobs: how many of these, as in
    engine/base/alone.py. Raises ModelErrors E720–E723 if they can't be used.
    """

    def __init__(self, address: str, jobs: int | None = None) -> None:
        """Connect, within some seconds, and check the versions of the workers."""
        if address != LOCAL and not address.startswith(KINDS):
            raise usage_error(
                "E721", f"`{address}` is no address of a cluster",
                help="write --cluster tcp://HOST:8786, as `dask scheduler` says it, or --cluster local",
            )  # fmt: skip
        self._distributed = _distributed(address)
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # covr itself reports what users must know
        self._address, self._jobs = address, threads(jobs)
        self._local: Any = None
        self._client: Any = None
        self._run = ""
        self._queue: SimpleQueue[Any] = SimpleQueue()
        self._events: SimpleQueue[Report] = SimpleQueue()
        self._waiting: deque[PieceTask] = deque()
        self._futures: dict[str, tuple[list[PieceTask], Any]] = {}
        self._each = BUNDLE  # running mean of the seconds that a piece takes
        self._killed: dict[str, int] = {}  # per piece, how often Dask gave it up because workers died with it
        self._going: dict[str, Going] = {}
        self._ceiling: int | None = None
        self._asked = self._full = time.monotonic()
        self._threads = 1
        self._attempts = 0
        self._pieces: Any = None
        if address == LOCAL:
            self._begin_locally()
        else:
            self._connect(address)
        self._check_versions()
        self._look_around()

    def _begin_locally(self) -> None:
        import dask

        # Whoever reaches the port of a scheduler can have code run. Every user of the machine reaches it, and so each
        # side shows a certificate that is made here and forgotten. There is no dashboard: Dask opens its port all the
        # same, where nothing is served then, and the scheduler's is closed again.
        with dask.config.set({**QUIET, **UNSERVED}), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # another program may have the port that is closed
            self._local = self._distributed.LocalCluster(
                n_workers=self._jobs, threads_per_worker=1, processes=True, memory_limit=0, env=MALLOC,
                host="127.0.0.1", security=self._distributed.Security.temporary(), dashboard_address=None,
                worker_dashboard_address=None, silence_logs=logging.CRITICAL,
            )  # fmt: skip
        self._local.loop.add_callback(self._local.scheduler.http_server.stop)
        self._client = self._distributed.Client(self._local, set_as_default=False)

    def _connect(self, address: str) -> None:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # warnings about versions, which are checked below
                self._client = self._distributed.Client(address, timeout=PATIENCE, set_as_default=False)
        except (OSError, TimeoutError, ValueError) as fault:
            reason = str(fault).split("\n")[0]
            raise usage_error(
                "E721", f"the scheduler at `{address}` can't be reached ({reason})",
                help="start one with `dask scheduler`, and workers with `dask worker ADDRESS`",
            ) from fault  # fmt: skip

    def _check_versions(self) -> None:
        """Check that all present workers have this version of covr; later ones are checked with their first piece."""
        try:
            found = self._client.run(_version)
        except Exception as fault:
            self.close()
            raise usage_error(
                "E722", f"a worker of the cluster can't load covr ({type(fault).__name__}: {str(fault)[:100]})",
                help=f"install covr {__version__} where the workers run: pip install 'covr[cluster]=={__version__}'",
            ) from fault  # fmt: skip
        for where, (version, _) in found.items():
            if version != __version__:
                self.close()
                raise other_version(version, where)

    # --- workers ---

    @property
    def size(self) -> int:
        """How many workers there are, but at least 1: pieces submitted while there are none wait for the first."""
        return max(self._threads, 1)

    @property
    def ahead(self) -> int:
        return AHEAD * self.size * self._many

    @property
    def is_empty(self) -> bool:
        """Whether there are no workers."""
        return not self._threads

    @property
    def name(self) -> str:
        many = quantity(self._threads, "worker")
        return f"{many} of this machine" if self._local else f"{many} of {self._address}"

    def start(self, pieces: Pieces) -> None:
        import pickle

        self._run = f"covr-{uuid.uuid4().hex[:12]}"
        self._ceiling, self._each = None, BUNDLE
        self._killed.clear()
        self._client.subscribe_topic(self._run, self._receive)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a warning that the problem is large, although it is sent only once
            # A task rather than scattered data, because it can be computed again if all workers that have it are lost.
            self._pieces = self._client.submit(_ready, pickle.dumps(pieces, 5), key=f"{self._run}-problem", pure=False)

    def submit(self, task: Task, budget: PieceBudget | None, alone: float | None) -> None:
        self._waiting.append((task.name, task.prefix, budget, alone))

    def lower(self, ceiling: int) -> None:
        self._ceiling = ceiling if self._ceiling is None else min(self._ceiling, ceiling)
        self._client.run(_set_ceiling, self._run, self._ceiling, wait=False)

    def reports(self, seconds: float) -> list[Report]:
        self._send()
        if time.monotonic() - self._asked >= ASK_AGAIN:
            self._look_around()
        done = _drained(self._queue, seconds)
        # Better answers first: finished pieces may have been proved with their help.
        found: list[Report] = _drained(self._events, 0.0)
        known = [self._futures.pop(key) for key in done if key in self._futures]
        fine = [future for _, future in known if future.status == "finished"]
        values = self._client.gather(fine, errors="skip") if fine else []
        if len(values) < len(fine):  # some were lost on the way, so each is fetched by itself
            values = [None] * len(fine)
        results = dict(zip([future.key for future in fine], values, strict=True))
        for bundle, future in known:
            found += self._finished(bundle, future, results.get(future.key))
        self._send()
        return found

    def _send(self) -> None:
        """Send the waiting pieces in bundles. Towards the end bundles are smaller, so that every worker has work."""
        while self._waiting and len(self._futures) < AHEAD * self.size:
            many = min(self._many, -(-len(self._waiting) // self.size))
            bundle = [self._waiting.popleft() for _ in range(many)]
            self._attempts += 1
            key = f"{self._run}-{self._attempts}"
            future = self._client.submit(
                _search, self._pieces, bundle, self._ceiling, self._run, key, __version__, key=key, pure=False
            )
            self._futures[key] = (bundle, future)
            future.add_done_callback(partial(_tell, self._queue, key))

    def going(self) -> list[Going]:
        return list(self._going.values())

    def stop(self) -> None:
        futures = [future for _, future in self._futures.values()]
        self._waiting.clear()
        with suppress(Exception):
            self._client.cancel([*futures, self._pieces], force=True)
            self._client.unsubscribe_topic(self._run)
            self._client.run(_set_ceiling, self._run, None, wait=False)
        self._futures.clear()
        self._going.clear()
        self._pieces = None

    def close(self) -> None:
        """Leave the cluster; ends the workers that were started on this machine."""
        for one in (self._client, self._local):
            if one is not None:
                with suppress(Exception):
                    one.close(timeout=PATIENCE)
        self._client = self._local = None

    # --- events and results ---

    def _receive(self, event: tuple[float, Any]) -> None:
        """Handle an event from a worker; called in a thread of Dask's client."""
        _, said = event
        if "best" in said:
            self._events.put(Improved(said["best"], tuple(said["answer"])))
        else:
            self._going[said["name"]] = Going(said["name"], said["nodes"], said["fraction"], said["bound"])

    def _finished(self, bundle: list[PieceTask], future: Any, result: Any) -> list[Finished]:
        """The results of the pieces of a bundle. Pieces that were not begun go back to those that wait."""
        lost = [Finished(name, None) for name, *_ in bundle]
        for piece in bundle:
            self._going.pop(piece[0], None)
        if future.status == "error":
            fault = future.exception()
            if isinstance(fault, self._distributed.KilledWorker):
                for name, *_ in bundle:
                    self._killed[name] = self._killed.get(name, 0) + 1
                    if self._killed[name] == FATAL:
                        return [Finished(name, None, fatal())]
                return lost
            return [Finished(bundle[0][0], None, fault)]
        if future.status == "finished" and result is None:
            try:
                result = future.result(timeout=PATIENCE)
            except (OSError, TimeoutError, self._distributed.CancelledError):
                return lost
        if isinstance(result, str):
            return [Finished(bundle[0][0], None, other_version(result, "a worker"))]
        if not result:
            return lost
        found = dict(result)
        self._waiting.extendleft(reversed([piece for piece in bundle if piece[0] not in found]))
        for one in found.values():
            self._each += (one.seconds - self._each) * FORGET
        return [Finished(name, one) for name, one in result]

    @property
    def _many(self) -> int:
        """How many pieces to put in a bundle, judging by how long recent ones took."""
        return int(min(max(BUNDLE / max(self._each, 1e-6), 1), MOST))

    def _look_around(self) -> None:
        """Update the list of workers. Raises ModelErrors E723 if the scheduler is gone."""
        self._asked = time.monotonic()
        try:
            if self._client.status not in ("running", "connecting"):
                raise OSError(f"the connection is {self._client.status}")
            self._threads = sum(self._client.nthreads().values())
        except (OSError, TimeoutError) as fault:
            raise gone(self._address) from fault
        if self._local is None or self._threads >= self._jobs:
            self._full = self._asked
        elif self._asked - self._full > GIVEN_UP:
            # Dask restarts a worker that was killed, but may give up one that is killed while it starts.
            self._full = self._asked
            self._local.scale(len(self._local.worker_spec) + self._jobs - self._threads)


def _tell(queue: SimpleQueue[str], key: str, _: Any) -> None:
    queue.put(key)


def _drained(queue: SimpleQueue[Any], seconds: float) -> list[Any]:
    """Everything in a queue; waits at most so many seconds for the first."""
    found = []
    try:
        found.append(queue.get(timeout=seconds) if seconds else queue.get_nowait())
        while True:
            found.append(queue.get_nowait())
    except Empty:
        return found


def _distributed(address: str) -> Any:
    for package in ("distributed", "cryptography") if address == LOCAL else ("distributed",):
        if importlib.util.find_spec(package) is None:
            raise usage_error("E720", f"--cluster needs the package {package}", help="pip install 'covr[cluster]'")
    return importlib.import_module("distributed")


def gone(address: str) -> ModelErrors:
    """The error for a scheduler that is gone (E723). address: the scheduler's."""
    return usage_error(
        "E723", f"the scheduler at `{address}` is gone",
        help="what was finished is kept in the file of --run, if there is one: `covr resume FILE` goes on",
    )  # fmt: skip


def fatal() -> ModelErrors:
    """The error for too many workers that died with the same piece (E724)."""
    return usage_error(
        "E724", "one worker after another has died with the same piece",
        help="they may have too little memory, or be ended by their machine; what was finished is kept with --run",
    )  # fmt: skip


def other_version(version: str, where: str) -> ModelErrors:
    """The error for workers with another version of covr (E722). version: theirs.  where: what has it, in words."""
    return usage_error(
        "E722", f"{where} has covr {version}, and this is covr {__version__}",
        help=f"install the same where the workers run: pip install 'covr[cluster]=={__version__}'",
    )  # fmt: skip
