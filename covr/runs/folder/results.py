"""What came of a piece, as a file: it is done, or it is cut into smaller pieces.

The first result of a piece stays, so that everybody sees the same parts of a piece that was cut. A result of a search
for a minimum holds the best answer that was known at its end, whoever found it: so what it proves needs no other file.
"""

from __future__ import annotations

import json
from base64 import b85decode, b85encode
from pathlib import Path
from types import NoneType
from typing import Any

from attrs import evolve

from covr.engine.pieces.ledger import DIGITS, MOST_CHILDREN, Task
from covr.engine.pieces.piece_values import PieceResult
from covr.frozen import frozen
from covr.runs import schema
from covr.runs.folder.files import read_whole, sealed, unsealed, write_once, write_over
from covr.runs.folder.head import RESULTS, Head

KIND = b"covr piece 1\n"
NUMBERS = ("best", "bound", "nodes", "updates", "wasted", "seconds", "engine")  # fields of a result that JSON keeps


class DamagedResult(Exception):
    """A file of a folder that is not what was written. file: which."""

    def __init__(self, file: Path, why: str) -> None:
        super().__init__(f"`{file}` is damaged: {why}")
        self.file, self.why = file, why


@frozen
class PieceOutcome:
    """A result as it was read. count: of the answers, for 'list' and 'count'.  children: the parts of a piece that was
    cut.  result: everything else; without the answers, unless they were asked for."""

    result: PieceResult
    children: tuple[Task, ...]


def path_of(head: Head, task: Task) -> Path:
    """The file of a piece's result."""
    return head.folder / RESULTS / head.key(task)


def write(head: Head, task: Task, result: PieceResult) -> bool:
    """Write the result of a piece. Returns False if there was one already, which then stays unless it is damaged.

    Raises OSError.
    """
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
    """The result of a piece, or None if there is none yet. whole: with its answers.

    Raises DamagedResult if the file is not what was written; answers are checked only where they are read.
    """
    path = path_of(head, task)
    try:
        data = read_whole(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise DamagedResult(path, error.strerror or str(error)) from None
    try:
        text, body = unsealed(KIND, data)
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
    return sealed(KIND, json.dumps(kept).encode(), body)


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
