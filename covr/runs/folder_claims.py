"""Who is at work on a piece of a folder, and how far the folder is."""

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
from typing import Any

from covr.compiler.lower.lowered import StageValue
from covr.frozen import frozen
from covr.runs import folder_results as results
from covr.runs.contents import process_number
from covr.runs.folder_results import CLAIMS, HUNGRY, UNFINISHED, Bests, Head, names, read_whole
from covr.runs.question import RecordedQuestion, goal_values, goals_of, name_of, question_of, value_of

# --- Who is at work on a piece. A claim is never waited for: if its process is gone, the next one takes the piece -----
# A claim is a file `PIECE.n`, made only if there is none of that name, so that one of several processes gets it. Its
# process touches it every `BEAT` seconds. A claim that was not touched for `STALE` seconds by the clock of the file
# system, or whose process is known to be gone, is *lost*: whoever wants the piece claims it as `PIECE.n+1`. Two
# processes that search the same piece only lose time, as its first result stays (results.py).
#
# What is written in a claim tells the machine, the process and the job.


BEAT = 15.0  # seconds between two signs of life
WAITING = 2  # beats for which a process counts as waiting for work after it has said so
STALE = 180.0  # seconds without one after which a claim is lost; NFS may show times that are a minute old
LONGEST = 200  # letters of what a claim tells: names of machines have 64, and jobs numbers
LONGEST_NUMBER = 6  # digits of the number of a claim: so many processes are never lost with a piece
JOBS = ("SLURM_ARRAY_JOB_ID", "SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "JOB_ID")  # what batch systems call a job


@frozen
class Claimed:
    """A claimed piece. lost: how many processes were lost with it before.  who: the last one.  alive: whether it is at
    work, if known."""

    lost: int
    who: str
    alive: bool


class Claim:
    """A claim that this process holds: touched inside of a `with`, and removed at its end. lost: processes lost with
    the piece before."""

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
    """The claims of a folder, by the names of their pieces; each is read only when it is asked for."""

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
    """What the numbers of processes are unique in: this start of this machine, and the part seen; "" if not known."""
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


# --- How far a folder of pieces is, read while others work on it ------------------------------------------------------


@frozen
class FolderStanding:
    """The progress of a folder.

    number: of pieces that it began with.  done, cut: how many are done, and how many were cut since, all parts counted.
    working: who is at work.  free: pieces at which nobody is.  over: how many of the first ones are done as a whole.
    lost: how often a process was lost with a piece that is still open.  fraction: how much of its tree is done, from 0
    to 1.  answers: counted or listed; None for a minimum.  best: as a value of the goal.  goals, stages: how many goals
    there are in order, and of several the value of each in the best answer, proved once all pieces are done.
    nodes, wasted, seconds: the work.  missing: numbers of the first pieces that are not done as a whole.
    damaged: files.
    """

    question: RecordedQuestion
    model: str
    stage: str
    number: int
    over: int
    done: int
    cut: int
    working: tuple[str, ...]
    free: int
    lost: int
    fraction: float
    answers: int | None
    best: int | None
    goals: int
    stages: tuple[StageValue, ...]
    nodes: int
    wasted: int
    seconds: float
    missing: tuple[int, ...]
    damaged: tuple[str, ...]


def folder_standing(head: Head) -> FolderStanding:
    """How far a folder is. Reads all of its results."""

    held = Claims(head.folder)
    done = cut = count = nodes = wasted = lost = free = 0
    seconds = rest = 0.0
    missing, damaged, working = [], [], []
    for number, root in enumerate(head.tasks, 1):
        pending, is_open = [root], False
        while pending:
            task = pending.pop()
            try:
                outcome = results.read(head, task, whole=True)
            except results.DamagedResult as fault:
                damaged.append(str(fault))
                outcome = None
            if outcome is None:
                is_open = True
                rest += task.weight
                holder = held.get(head.key(task))
                lost += 0 if holder is None else holder.lost + (not holder.alive)
                if holder is not None and holder.alive:
                    working.append(holder.who)
                else:
                    free += 1
                continue
            result = outcome.result
            done, cut, count = done + result.done, cut + (not result.done), count + result.count
            nodes, wasted, seconds = nodes + result.nodes, wasted + result.wasted, seconds + result.seconds
            pending += outcome.children
        if is_open:
            missing.append(number)
    bests = Bests(head, None)
    if head.minimum:
        bests.look(at_once=True)
        damaged += [f"`{file}` is damaged" for file in sorted(bests.damaged)]
    whole = sum(task.weight for task in head.tasks)
    question = question_of(head.contents)
    return FolderStanding(
        question=question,
        model=name_of(head.contents),
        stage="minimum" if head.minimum else ("count" if question.command == "count" else "list"),
        number=len(head.tasks),
        over=len(head.tasks) - len(missing),
        done=done,
        cut=cut,
        working=tuple(working),
        free=free,
        lost=lost,
        fraction=1.0 if not missing else max(min(1 - rest / whole, 1.0), 0.0) if whole else 0.0,
        answers=None if head.minimum else count,
        best=None if bests.cost is None else value_of(head.contents.about, bests.cost),
        goals=goals_of(head.contents.about) if head.minimum else 0,
        stages=goal_values(head.contents.about, bests.cost, None if missing else bests.cost),
        nodes=nodes,
        wasted=wasted,
        seconds=seconds,
        missing=tuple(missing),
        damaged=tuple(damaged),
    )


def as_json(standing: FolderStanding) -> dict[str, Any]:
    """The fields of `covr status FOLDER --json`."""
    from covr.output.writers import goal_fields

    return {
        "command": standing.question.words,
        "model": standing.model,
        "stage": standing.stage,
        "fraction": round(standing.fraction, 9),
        "answers": standing.answers,
        "best": standing.best,
        **goal_fields(standing.stages),
        "pieces": {
            "number": standing.number, "over": standing.over, "done": standing.done, "cut": standing.cut,
            "free": standing.free, "lost": standing.lost,
        },
        "working": list(standing.working),
        "missing": list(standing.missing),
        "damaged": list(standing.damaged),
        "nodes": standing.nodes,
        "wasted": standing.wasted,
        "seconds": round(standing.seconds, 3),
    }  # fmt: skip


def ranges(numbers: tuple[int, ...] | list[int]) -> str:
    """Increasing numbers as a list of ranges, such as `3,8-12`, which `sbatch --array` reads as well."""
    found: list[list[int]] = []
    for number in numbers:
        if found and number == found[-1][1] + 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return ",".join(f"{a}" if a == b else f"{a}-{b}" for a, b in found)
