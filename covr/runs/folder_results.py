"""The files of a folder of pieces, and how its results go back into the run."""

from __future__ import annotations

import json
import os
import stat
import time
from base64 import b85decode, b85encode
from collections.abc import Container, Iterable
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory
from types import NoneType
from typing import Any

from attrs import define, evolve, field

from covr.dsl.diagnostics import ModelErrors
from covr.engine.check import check, cost
from covr.engine.pieces.ledger import DIGITS, MOST_CHILDREN, Ask, Ledger, PieceBudget, PieceResult, Task
from covr.engine.pieces.piece_search import SECONDS
from covr.engine.pieces.piece_work import pack, unpack
from covr.engine.pieces.split import Prefix
from covr.engine.problem import Problem
from covr.engine.search import Answer
from covr.faults import usage_error
from covr.frozen import frozen
from covr.runs import contents as schema
from covr.runs import record as classes
from covr.runs.contents import Contents, FoundBest
from covr.runs.question import model_of, question_of
from covr.runs.record import RunRecord, create, damaged, open_record, read_contents
from covr.text import reason_of

# --- Files that several machines write into one folder: each appears whole, and the first of a name stays -------------
# A file is written under a name of its own, brought to the disk, and then linked to its name, which fails if the name
# is taken. Where the file system knows no links, it is renamed; then the last of two that come at the same moment
# stays, which covr can bear: what two processes find of a piece is the same, or one of them is not used.


SIZE = 16  # bytes of a checksum
UNFINISHED = ".new-"  # how names of files begin that are being written


def sealed(kind: bytes, head: bytes, body: bytes = b"") -> bytes:
    """The bytes of a file: kind, checksum of the head, its length, the head (with the body's checksum) and the body."""
    length = len(head).to_bytes(8, "little")
    return kind + blake2b(length + head, digest_size=SIZE).digest() + length + head + body


def unsealed(kind: bytes, data: bytes) -> tuple[bytes, bytes]:
    """The head and the body of such a file. Raises ValueError if the kind or the checksum is another."""
    rest = data.removeprefix(kind)
    if len(rest) == len(data) or len(rest) < SIZE + 8:
        raise ValueError("it is cut off, or another file")
    length = int.from_bytes(rest[SIZE : SIZE + 8], "little")
    head = rest[SIZE + 8 : SIZE + 8 + length]
    if blake2b(rest[SIZE : SIZE + 8] + head, digest_size=SIZE).digest() != rest[:SIZE]:
        raise ValueError("it is not what was written")
    return head, rest[SIZE + 8 + length :]


def write_once(path: Path, data: bytes) -> bool:
    """Write a file that is never seen in part. Returns False, and changes nothing, if there is one. Raises OSError."""
    beside = _written(path, data)
    try:
        try:
            os.link(beside, path)
        except FileExistsError:
            return False
        except OSError:  # a file system without links
            if path.exists():
                return False
            os.rename(beside, path)
        _settle(path.parent)
        return True
    finally:
        with suppress(OSError):
            os.unlink(beside)


def write_over(path: Path, data: bytes) -> None:
    """Write a file in the place of one that is damaged. Raises OSError."""
    os.replace(_written(path, data), path)
    _settle(path.parent)


def read_whole(path: Path) -> bytes:
    """The bytes of a file. Raises OSError, also for a pipe or a device, of which reading might never end."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(f"`{path.name}` is no ordinary file")
        return file.read()


def names(folder: Path) -> list[str]:
    """The names of the files in a folder, without those that are being written; none if there is no folder."""
    with suppress(OSError):
        return [name for name in os.listdir(folder) if not name.startswith(UNFINISHED)]
    return []


def _written(path: Path, data: bytes) -> Path:
    beside = path.with_name(f"{UNFINISHED}{os.urandom(8).hex()}")
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(handle)
    except BaseException:
        with suppress(OSError):
            os.unlink(beside)
        raise
    return beside


def _settle(folder: Path) -> None:
    """Bring the names in a folder to the disk, where the system can do that."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


# --- What a folder of pieces is about: the question, the model and the pieces that it began with ----------------------
# It is a small run file, `pieces.run`, which is written once and never changed, so that any number of processes may
# read it without a lock. A row `folder` of its table `about` says how the pieces are to be searched.


HEAD = "pieces.run"
KEY = "folder"  # the key in the table `about`
CLAIMS, RESULTS, BESTS, HUNGRY = "claims", "results", "best", "hungry"
FOLDERS = (CLAIMS, RESULTS, BESTS, HUNGRY)
ASIDE = ".damaged"  # how the name of a file ends that was damaged, and put aside
MOST_ANSWERS = 10  # a piece lists at most this many times as many answers as one of a run file, as they are in memory


@frozen
class Head:
    """The head of a folder.

    mark: a checksum of everything that the result of a piece depends on; a run and its folders share it.
    stage, goal, ceiling: of the search (`Ask`).  cut_after: seconds; a piece that takes much longer is cut again.
    best: the best answer that was known when the folder was made.  tasks: the pieces, in documented order.
    """

    folder: Path
    contents: Contents
    mark: str
    stage: int
    goal: str
    ceiling: int | None
    cut_after: float
    best: FoundBest | None
    tasks: tuple[Task, ...]

    @property
    def minimum(self) -> bool:
        """Whether a cheapest answer is wanted."""
        return self.goal == "minimum"

    @property
    def budget(self) -> PieceBudget | None:
        """What a piece may take before it is cut; None if the pace of the search is not known."""
        text = self.contents.about.get(f"budget {self.stage}")
        if text is None:
            return None
        nodes, answers = map(int, text.split())
        times = self.cut_after / SECONDS[self.goal]
        return PieceBudget(max(int(nodes * times), 1), max(int(answers * min(times, MOST_ANSWERS)), 1))

    def key(self, task: Task) -> str:
        """The name of a piece's files: it stands for the question, the piece's name and its prefix."""
        return key_of(self.mark, task.name, task.prefix)


def key_of(mark: str, name: str, prefix: Prefix) -> str:
    """The name of the files of a piece."""
    what = repr((mark, name, tuple(prefix.taken), tuple(prefix.excluded)))
    return blake2b(what.encode(), digest_size=10).hexdigest()


def mark_of(contents: Contents, stage: int, goal: str, ceiling: int | None) -> str:
    """A checksum of everything that the result of a piece depends on."""
    about, question = contents.about, question_of(contents)
    parts = about.get(classes.KEY) if stage or goal != "minimum" else None
    what = repr((about["fingerprint"], question.seed, stage, goal, ceiling, parts))
    return blake2b(what.encode(), digest_size=16).hexdigest()


def make(folder: Path, contents: Contents, stage: int, ask: Ask, cut_after: float) -> int:
    """Make a folder of the open pieces of a run's stage; returns how many there are. Raises ModelErrors E711."""
    rows = sorted((p for p in contents.pieces[stage] if p.is_open), key=lambda p: p.name)
    ceiling = ask.settings.ceiling
    about = {**contents.about, KEY: json.dumps([stage, ask.goal, ceiling, cut_after])}
    try:
        if folder.exists():
            raise already(folder)
        folder.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=f".{folder.name}-", dir=folder.parent) as place, TemporaryDirectory() as local:
            made = Path(place) / "folder"  # renamed when it is whole, so that a kill leaves no half of it
            made.mkdir()
            for name in FOLDERS:
                (made / name).mkdir()
            record = create(Path(local) / HEAD, about, contents.files)
            try:
                with record._transaction() as to:
                    for row in rows:
                        to.add("pieces", row.row())
                    for found in contents.best.get(0, ())[-1:]:
                        fields = (0, found.cost, pack([found.answer]), found.seconds)
                        to.add("best", (*fields, schema.digest("best", *fields)))
            finally:
                record.close()
            write_once(made / HEAD, (Path(local) / HEAD).read_bytes())
            made.rename(folder)
    except OSError as error:
        raise unwritable(folder, error) from None
    return len(rows)


def read_head(folder: Path) -> Head:
    """The head of a folder. Raises ModelErrors E710 if it is no folder of pieces, and E701 to E704."""
    if not (folder / HEAD).is_file():
        raise usage_error(
            "E710", f"`{folder}` is no folder of pieces", help="`covr split FILE.run -n 1000` makes one of a run"
        )
    contents = read_contents(folder / HEAD)
    try:
        stage, goal, ceiling, cut_after = json.loads(contents.about[KEY])
    except (KeyError, ValueError):
        raise usage_error("E710", f"`{folder}` is no folder of pieces: `{HEAD}` in it is another run") from None
    question_of(contents)
    try:
        tasks = [p.task() for p in contents.pieces.get(stage, ())]
    except ValueError as error:
        raise damaged(folder / HEAD, str(error)) from None
    best = contents.best.get(0, ())
    return Head(
        folder, contents, mark_of(contents, stage, goal, ceiling), stage, goal, ceiling, cut_after,
        best[-1] if best and goal == "minimum" else None, tuple(sorted(tasks, key=lambda task: task.name)),
    )  # fmt: skip


def already(folder: Path) -> ModelErrors:
    """The error for a folder that is there already (E711)."""
    return usage_error("E711", f"`{folder}` is there already", help="name another folder with -o; nothing was changed")


def unwritable(folder: Path, error: Exception) -> ModelErrors:
    """The error for a folder that can't be written (E706)."""
    return usage_error(
        "E706", f"`{folder}` can't be written: {reason_of(error)}",
        help="what is in it already is kept",
    )  # fmt: skip


# --- The better answers of a search for a minimum: one file for each, named by its cost, which all processes read -----
# An answer is checked before anything is proved with its help: a damaged file only costs time.


BEST_KIND = b"covr best 1\n"
LOOK = 2.0  # seconds between two looks for what others have found


class Bests:
    """The best answer of a folder, as far as known here. problem: what answers are checked against; None to trust
    checksums."""

    def __init__(self, head: Head, problem: Problem | None) -> None:
        self._folder, self._problem = head.folder / BESTS, problem
        self.cost: int | None = None
        self.answer: Answer | None = None
        self.damaged: set[Path] = set()
        self._looked = float("-inf")
        self._seen: set[str] = set()
        if head.best is not None:
            self._take(head.best.cost, head.best.answer)

    def look(self, at_once: bool = False) -> None:
        """Take over what others have found, if some seconds are over since the last look."""
        now = time.monotonic()
        if now - self._looked < LOOK and not at_once:
            return
        self._looked = now
        for name in names(self._folder):
            if name not in self._seen and not name.endswith(ASIDE):
                self._seen.add(name)
                self._read(self._folder / name)

    def offer(self, value: int, answer: Answer) -> bool:
        """Write down an answer if it is better than what is known. Raises OSError."""
        if self.cost is not None and value >= self.cost:
            return False
        data = sealed(BEST_KIND, json.dumps([value, list(answer)]).encode())
        path = self._folder / str(value)
        if not write_once(path, data) and not self._read(path):
            write_over(path, data)
        self._take(value, answer)
        return True

    def _read(self, path: Path) -> bool:
        try:
            value, options = json.loads(unsealed(BEST_KIND, read_whole(path))[0])
            answer = tuple(options)
            if str(value) != path.name or not all(type(one) is int for one in (value, *answer)):
                raise ValueError("it has another's name")
            if self._problem is not None and (
                check(self._problem, answer) is not None or cost(self._problem, answer) != value
            ):
                raise ValueError("it is no answer of that cost")
        except FileNotFoundError:
            return False
        except (OSError, ValueError, TypeError, IndexError, OverflowError, RecursionError):
            self.damaged.add(path)
            return False
        with suppress(KeyError):
            self.damaged.remove(path)
        self._take(value, answer)
        return True

    def _take(self, value: int, answer: Answer) -> None:
        if self.cost is None or value < self.cost:
            self.cost, self.answer = value, answer


# --- What came of a piece, as a file: it is done, or it is cut into smaller pieces ------------------------------------
# The first result of a piece stays, so that everybody sees the same parts of a piece that was cut. A result of a search
# for a minimum holds the best answer that was known at its end, whoever found it: so what it proves needs no other
# file.


PIECE_KIND = b"covr piece 1\n"
NUMBERS = ("best", "bound", "nodes", "updates", "wasted", "seconds", "engine")  # fields of a result that JSON keeps


class DamagedResult(Exception):
    """A file of a folder that is not what was written. file: which."""

    def __init__(self, file: Path, why: str) -> None:
        super().__init__(f"`{file}` is damaged: {why}")
        self.file, self.why = file, why


@frozen
class PieceOutcome:
    """A result that was read. count: of answers.  children: the parts of a cut piece.  result: the rest, with answers
    if asked for."""

    result: PieceResult
    children: tuple[Task, ...]


def path_of(head: Head, task: Task) -> Path:
    """The file of a piece's result."""
    return head.folder / RESULTS / head.key(task)


def write(head: Head, task: Task, result: PieceResult) -> bool:
    """Write the result of a piece. Returns False if there was an undamaged one already. Raises OSError."""
    assert result.done or result.is_cut
    path, data = path_of(head, task), _data(task, result)
    if write_once(path, data):
        return True
    try:
        read(head, task, whole=True)
    except DamagedResult:
        write_over(path, data)
        return True
    return False


def read(head: Head, task: Task, whole: bool = False) -> PieceOutcome | None:
    """The result of a piece, or None if there is none yet. whole: with its answers. Raises DamagedResult."""
    path = path_of(head, task)
    try:
        data = read_whole(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise DamagedResult(path, error.strerror or str(error)) from None
    try:
        text, body = unsealed(PIECE_KIND, data)
        kept = json.loads(text)
        if kept["name"] != task.name:
            raise ValueError("it is that of another piece")
        if len(body) != kept["size"] or (whole and body and schema.data_digest(body).hex() != kept["digest"]):
            raise ValueError("its answers are not those that were written")
        return _outcome(task, kept, body if whole and kept["listed"] else None)
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError) as error:
        raise DamagedResult(path, str(error)) from None


def _data(task: Task, result: PieceResult) -> bytes:
    body = result.answers or b""
    kept: dict[str, Any] = {name: getattr(result, name) for name in NUMBERS}
    kept |= {
        "name": task.name,
        "done": result.done,
        "count": str(result.count),
        "answer": None if result.answer is None else list(result.answer),
        "children": [b85encode(schema.prefix_bytes(p)).decode("ascii") for p in result.children],
        "weights": list(result.weights),
        "listed": result.answers is not None,
        "size": len(body),
        "digest": schema.data_digest(body).hex(),
    }
    return sealed(PIECE_KIND, json.dumps(kept).encode(), body)


LARGEST = 1 << 63  # a run file, into which results go, has no larger numbers; counts are kept as texts
# The kinds of the fields of a result, besides those that are read in a way of their own.
KINDS = {
    "done": (bool,), "best": (int, NoneType), "bound": (int, NoneType), "nodes": (int,), "updates": (int,),
    "wasted": (int,), "seconds": (int, float), "engine": (str,), "listed": (bool,), "size": (int,), "count": (str,),
}  # fmt: skip


def _check(kept: dict[str, Any]) -> None:
    """Raises ValueError for fields that no result has: what is merged is added up and believed."""
    wrong = [name for name, kinds in KINDS.items() if type(kept[name]) not in kinds]
    wrong += [name for name in KINDS if type(kept[name]) is int and not -LARGEST <= kept[name] < LARGEST]
    figures = [kept[name] for name in ("nodes", "updates", "wasted", "seconds") if name not in wrong]
    weights, answer = kept["weights"], kept["answer"]
    if wrong or not all(0 <= figure < float("inf") for figure in figures):
        raise ValueError("its figures make no sense")
    if not (kept["count"].isascii() and kept["count"].isdecimal()):
        raise ValueError("its count is no number of answers")
    if type(weights) is not list or not all(type(w) in (int, float) and 0 <= w < float("inf") for w in weights):
        raise ValueError("its weights make no sense")
    if not len(weights) == len(kept["children"]) < MOST_CHILDREN or kept["done"] == bool(weights):
        raise ValueError("it is neither done nor cut")
    if answer is not None and not (type(answer) is list and all(type(o) is int and o >= 0 for o in answer)):
        raise ValueError("its best answer is none")
    if (answer is None) != (kept["best"] is None):
        raise ValueError("it has a best value without an answer")


def _outcome(task: Task, kept: dict[str, Any], answers: bytes | None) -> PieceOutcome:
    _check(kept)
    result = PieceResult(
        kept["done"],
        count=int(kept["count"]),
        answers=answers,
        answer=None if kept["answer"] is None else tuple(kept["answer"]),
        children=tuple(schema.prefix_of(b85decode(text)) for text in kept["children"]),
        weights=tuple(kept["weights"]),
        **{name: kept[name] for name in NUMBERS},
    )
    return PieceOutcome(result, children_of(task, result))


def children_of(task: Task, result: PieceResult) -> tuple[Task, ...]:
    """The parts of a piece that was cut, named as the ledger of a run names them."""
    bounds = [b for b in (task.bound, result.bound) if b is not None]
    parts = zip(result.children, result.weights, strict=True)
    return tuple(
        evolve(
            task, name=f"{task.name}{k:0{DIGITS}x}", prefix=p, weight=task.weight * w, bound=max(bounds, default=None)
        )
        for k, (p, w) in enumerate(parts)
    )


# --- The results of a folder go back into the run that it was made of. It can be done at any time, and again ----------
# The run's own ledger (engine/pieces/ledger.py) is asked for its open pieces, and each is settled with its result, if
# the folder has one. A piece that is settled already is not asked for, so that each counts once, whoever answered it.


MANY = 200  # results between two writes: so many lists of answers are in memory


@define
class Merged:
    """What became of a merge. added: pieces that this merge settled.  missing: names of pieces without a result.
    elsewhere: how many of these are no part of the folder, since the run was cut in another way after it was made.
    damaged: files that are not what was written, and were put aside as `FILE.damaged`.  complete: whether nothing is
    missing of the stage that the folder is about."""

    added: int = 0
    missing: list[str] = field(factory=list)
    elsewhere: int = 0
    damaged: list[str] = field(factory=list)
    complete: bool = False


def merge(head: Head, file: Path) -> Merged:
    """Settle the pieces of a run with the results of a folder. Better answers are checked with the model.

    Raises ModelErrors E713 if the folder is of another run, and those of a run file (E701 to E709).
    """
    record = open_record(file)
    try:
        _same(head, record, file)
        merged = Merged()
        record.begin()
        ledger = record.stage(head.stage, head.minimum).ledger()
        before = ledger.totals.seconds
        problem = model_of(file, record.contents).problem if head.minimum else None
        _add(head, ledger, merged, problem)
        record.spent(ledger.totals.seconds - before)
        merged.complete = ledger.over
        record.end(_status(record, head, ledger))
        return merged
    finally:
        record.close()


def _same(head: Head, record: RunRecord, file: Path) -> None:
    contents = record.contents
    same = head.stage in contents.pieces and question_of(contents) == question_of(head.contents)
    if not same or mark_of(contents, head.stage, head.goal, head.ceiling) != head.mark:
        raise usage_error(
            "E713", f"the pieces in `{head.folder}` are not of `{file}`",
            help="name the run of which `covr split` made them; nothing was changed",
        )  # fmt: skip


def _status(record: RunRecord, head: Head, ledger: Ledger) -> str:
    """How the run stands after a merge. After the best value may come the answers that have it."""
    asked = question_of(record.contents)
    if head.stage < max(record.contents.pieces):  # the run has gone on since
        return record.contents.seal.status
    more = head.minimum and ledger.answer is not None and (asked.listed or asked.command == "count")
    return "exhausted" if ledger.over and not more else "interrupted"


def _add(head: Head, ledger: Ledger, merged: Merged, problem: Problem | None) -> None:
    """problem: for a minimum, what better answers are checked against."""
    if problem is not None:
        bests = Bests(head, problem)
        bests.look(at_once=True)
        merged.damaged += map(_aside, sorted(bests.damaged))
        if bests.cost is not None and bests.answer is not None:
            ledger.improve(bests.cost, bests.answer)
    names = {task.name for task in head.tasks}
    waiting = 0
    while (task := ledger.take()) is not None:
        try:
            outcome = read(head, task, whole=True)
            if outcome is not None:
                _check_count(head, task, outcome.result)
            if outcome is not None and problem is not None:
                _merge_check(head, task, outcome.result, ledger, problem)
        except DamagedResult as fault:
            merged.damaged.append(_aside(fault.file))
            outcome = None
        if outcome is None:
            merged.missing.append(task.name)
            merged.elsewhere += root_of(task.name, names) is None
            continue
        ledger.settle(task.name, outcome.result)
        merged.added += 1
        waiting += 1
        if waiting == MANY:
            ledger.flush()
            waiting = 0
    ledger.flush()


def _check_count(head: Head, task: Task, result: PieceResult) -> None:
    """Raises DamagedResult if a result does not have the answers that it counts: the run would be damaged by it."""
    try:
        listed = None if result.answers is None else sum(1 for _ in unpack(result.answers))
    except ValueError as error:
        raise DamagedResult(path_of(head, task), str(error)) from None
    wanted = result.count if head.goal == "list" and result.done else None
    if listed != wanted or (result.count and (head.minimum or not result.done)):
        raise DamagedResult(path_of(head, task), "it does not have the answers that it counts")


def _merge_check(head: Head, task: Task, result: PieceResult, ledger: Ledger, problem: Problem) -> None:
    """Raises DamagedResult if a result has a better answer that is none."""
    best = ledger.totals.best
    if result.best is None or (best is not None and result.best >= best):
        return
    answer = result.answer or ()
    if check(problem, answer) is not None or cost(problem, answer) != result.best:
        raise DamagedResult(path_of(head, task), "its best answer is none")


def roots_of(head: Head, missing: Iterable[str]) -> list[int]:
    """The numbers, from 1, of the pieces of a folder of which these are parts."""
    numbers = {task.name: number for number, task in enumerate(head.tasks, 1)}
    return sorted({numbers[root] for name in missing if (root := root_of(name, numbers)) is not None})


def root_of(name: str, names: Container[str]) -> str | None:
    """The piece of a folder that this one is a part of; None if it is a part of none."""
    for end in range(0, len(name) + 1, DIGITS):
        if name[:end] in names:
            return name[:end]
    return None


def _aside(file: Path) -> str:
    """Put a damaged file aside, so that its piece is answered again."""
    file.replace(file.with_name(file.name + ASIDE))
    return str(file)
