"""Who is at work on a piece. A claim is never waited for: if its process is gone, the next one takes the piece.

A claim is a file `PIECE.n`, made only if there is none of that name, so that one of several processes gets it. Its
process touches it every `BEAT` seconds. A claim that was not touched for `STALE` seconds by the clock of the file
system, or whose process is known to be gone, is *lost*: whoever wants the piece claims it as `PIECE.n+1`. Two processes
that search the same piece only lose time, as its first result stays (results.py).

What is written in a claim tells the machine, the process and the job.
"""

from __future__ import annotations

import json
import os
import socket
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import Event, Thread
from types import TracebackType

from covr.frozen import frozen
from covr.runs.folder.files import UNFINISHED, names, read_whole
from covr.runs.folder.head import CLAIMS, HUNGRY
from covr.runs.lock import process_number

BEAT = 15.0  # seconds between two signs of life
WAITING = 2  # beats for which a process counts as waiting for work after it has said so
STALE = 180.0  # seconds without one after which a claim is lost; NFS may show times that are a minute old
LONGEST = 200  # letters of what a claim tells: names of machines have 64, and jobs numbers
LONGEST_NUMBER = 6  # digits of the number of a claim: so many processes are never lost with a piece
JOBS = ("SLURM_ARRAY_JOB_ID", "SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "JOB_ID")  # what batch systems call a job


@frozen
class Claimed:
    """A piece that is claimed. lost: how many processes were lost with it before.  who: the last process in words.
    alive: whether that process is still at work, as far as can be known."""

    lost: int
    who: str
    alive: bool


class Claim:
    """A claim that this process holds. Used in a `with`, inside of which it is touched; at the end it is removed.

    lost: how many processes were lost with the piece before.
    """

    def __init__(self, path: Path, lost: int) -> None:
        self.path, self.lost = path, lost
        self.hungry = False  # whether another process waits for work
        self._over = Event()
        self._thread = Thread(target=self._beat, daemon=True)

    def __enter__(self) -> Claim:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._thread.join()
        with suppress(OSError):
            os.unlink(self.path)

    def _beat(self) -> None:
        while not self._over.wait(BEAT):
            with suppress(OSError):  # a file system that is away for a moment
                os.utime(self.path)
                self.hungry = bool(hungry_ones(self.path.parent.parent))


def take(folder: Path, key: str) -> Claim | None:
    """Claim a piece; None if a process is at work on it. Raises OSError if nothing can be written there."""
    claims = folder / CLAIMS
    last = -1
    for name in names(claims):
        if name.partition(".")[0] == key:
            last = max(last, _number(name))
    if last >= 0 and is_alive(claims / f"{key}.{last}", now_of(claims)):
        return None
    path = claims / f"{key}.{last + 1}"
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    except FileExistsError:
        return None
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(json.dumps(_self()))
    return Claim(path, last + 1)


def clear(folder: Path, key: str) -> None:
    """Remove all claims to a piece that is done or cut."""
    for name in names(folder / CLAIMS):
        if name.partition(".")[0] == key:
            with suppress(OSError):
                os.unlink(folder / CLAIMS / name)


class Claims:
    """The claims of a folder, by the names of their pieces. A claim itself is looked at only where it is asked for, so
    that a process reads few of those of thousands."""

    def __init__(self, folder: Path) -> None:
        """One look into the folder."""
        self._place = folder / CLAIMS
        self._last: dict[str, int] = {}
        for name in names(self._place):
            key = name.partition(".")[0]
            if (number := _number(name)) >= 0:
                self._last[key] = max(self._last.get(key, -1), number)
        self._now: float | None = None

    def get(self, key: str) -> Claimed | None:
        """Who has claimed a piece; None if nobody has."""
        last = self._last.get(key)
        if last is None:
            return None
        if self._now is None:
            self._now = now_of(self._place)
        path = self._place / f"{key}.{last}"
        return Claimed(last, who(path), is_alive(path, self._now))

    def is_held(self, key: str) -> bool:
        """Whether a process is at work on a piece, as far as can be known."""
        holder = self.get(key)
        return holder is not None and holder.alive


def is_alive(path: Path, now: float) -> bool:
    """Whether the process of a claim is still at work, as far as can be known. now: by the file system's clock."""
    try:
        touched = path.stat().st_mtime
    except OSError:
        return False
    if abs(now - touched) > STALE:  # a claim of tomorrow would be held until then
        return False
    holder = _read(path)
    here = _self()
    if holder.get("where") and holder["where"] == here["where"]:
        try:
            os.kill(process_number(holder.get("process", "")), 0)
        except ProcessLookupError:
            return False
        except (OSError, ValueError):
            return True
    return True


def who(path: Path) -> str:
    """The process of a claim in words."""
    holder = {name: value for name, value in _read(path).items() if type(value) is str and len(value) <= LONGEST}
    if not holder:
        return "a process that said nothing of itself"
    job = f", job {holder['job']}" if holder.get("job") else ""
    return f"process {holder.get('process')} of {holder.get('machine')}{job}"


def now_of(folder: Path) -> float:
    """The time by the clock of the file system, which may not be that of this machine."""
    path = folder / f"{UNFINISHED}{os.urandom(8).hex()}"
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
        return path.stat().st_mtime
    except OSError:  # a folder that may only be read
        return time.time()
    finally:
        with suppress(OSError):
            os.unlink(path)


# --- processes that wait for work ---


class Hungry:
    """Tells those at work that this process has nothing to do, so that they cut what is long."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / HUNGRY / f"{socket.gethostname()}-{os.getpid()}"

    def say(self) -> None:
        """Say so, or say it again."""
        with suppress(OSError):
            self._path.touch()
            os.utime(self._path)

    def unsay(self) -> None:
        """This process has work, or ends."""
        with suppress(OSError):
            os.unlink(self._path)


def hungry_ones(folder: Path) -> list[str]:
    """The processes that have said within the last `WAITING` beats that they wait for work."""
    place = folder / HUNGRY
    there = names(place)
    if not there:
        return []
    now, found = now_of(place), []
    for name in there:
        with suppress(OSError):
            if now - (place / name).stat().st_mtime <= WAITING * BEAT:
                found.append(name)
    return found


# --- what is written in a claim ---


def _self() -> dict[str, str]:
    job = next((os.environ[name] for name in JOBS if os.environ.get(name)), "")
    return {"machine": socket.gethostname(), "process": str(os.getpid()), "job": job, "where": _where()}


@cache
def _where() -> str:
    """What the numbers of processes are unique in: this start of this machine, and its part that this process sees.
    Empty where that is not known; then only time tells whether a process is gone."""
    with suppress(OSError):
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        return f"{boot} {os.readlink('/proc/self/ns/pid')}"
    return ""


def _read(path: Path) -> dict[str, str]:
    with suppress(OSError, ValueError, RecursionError):
        found = json.loads(read_whole(path).decode("utf-8"))
        if isinstance(found, dict):
            return found
    return {}


def _number(name: str) -> int:
    number = name.partition(".")[2]
    return int(number) if number.isascii() and number.isdecimal() and len(number) <= LONGEST_NUMBER else -1
