"""What a folder of pieces is about: the question, the model and the pieces that it began with.

It is a small run file, `pieces.run`, which is written once and never changed, so that any number of processes may read
it without a lock. A row `folder` of its table `about` says how the pieces are to be searched.
"""

from __future__ import annotations

import json
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from covr.dsl.diagnostics import ModelErrors
from covr.engine.pieces.ledger import Task
from covr.engine.pieces.packing import pack
from covr.engine.pieces.piece_search import SECONDS
from covr.engine.pieces.piece_values import PieceBudget
from covr.engine.pieces.split import Prefix
from covr.faults import usage_error
from covr.frozen import frozen
from covr.runs import classes, schema
from covr.runs.contents import Contents, FoundBest
from covr.runs.folder.files import write_once
from covr.runs.question import question_of
from covr.runs.reading import read_contents
from covr.runs.record import create
from covr.runs.record_faults import damaged

if TYPE_CHECKING:
    from covr.engine.pieces.piece_values import Ask

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


def is_folder(path: Path) -> bool:
    """Whether this may be a folder of pieces, and is no run file."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def already(folder: Path) -> ModelErrors:
    """The error for a folder that is there already (E711)."""
    return usage_error("E711", f"`{folder}` is there already", help="name another folder with -o; nothing was changed")


def unwritable(folder: Path, error: Exception) -> ModelErrors:
    """The error for a folder that can't be written (E706)."""
    reason: Any = getattr(error, "strerror", None) or str(error)
    return usage_error(
        "E706", f"`{folder}` can't be written: {reason[:1].lower() + reason[1:]}",
        help="what is in it already is kept",
    )  # fmt: skip
