"""A question whose search is kept in a run file: a `Run` that can be continued, even after it was killed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import evolve

from covr.engine.base.limits import Status
from covr.engine.pieces.class_pieces import ClassPieces, pieces_of
from covr.engine.pieces.ledger import Ask
from covr.engine.pieces.piece import Threads, Workers
from covr.engine.pieces.piece_search import PiecedSearch
from covr.engine.search import Search
from covr.engine.settings import Settings
from covr.faults import usage_error
from covr.questions.options import Options
from covr.questions.run import Count, OptionNumbers, Run, listing_engine
from covr.runs import question as questions
from covr.runs import record as classes
from covr.runs.question import RecordedQuestion
from covr.runs.record import RunRecord, create, damaged, open_record

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.compiler.lower.symmetry import Symmetry

CEILING = "ceiling"  # the key in the table `about` of the cost that the listed answers have at most


class RecordedRun(Run):
    """One question whose searches are kept in a run file. Ask it once, then `close` it.

    A model with a goal has two stages: the search for the best value, and the search for the answers that have it.
    Stages are numbered in the order in which they begin, so that every session has the same ones.
    """

    def __init__(self, compiled: Compiled, options: Options, record: RunRecord, workers: Workers | None = None) -> None:
        """workers: what searches the pieces; None for `options.jobs` threads."""
        super().__init__(compiled, options)
        self.compiled = compiled
        self.record = record
        self.file = str(record.file)
        self.workers = workers or Threads(options.jobs)
        self._pieced: list[PiecedSearch] = []
        self._given = 0
        self._cut = False  # whether an interrupt came while answers were read
        record.begin()

    # --- questions ---

    def count(self) -> Count:
        """Like `Run.count`; if the search does not end, the number of answers in the finished pieces."""
        return self._counted()

    @property
    def status(self) -> Status:
        """Like `Run.status`; also `interrupted` if an interrupt kept some known answers from being returned."""
        return Status.INTERRUPTED if self._cut else super().status

    @property
    def fraction(self) -> float | None:
        """Like `Run.fraction`, but also known during the search for a minimum."""
        return self._pieced[-1].fraction if self._pieced else None

    @property
    def session_nodes(self) -> int:
        """The nodes searched in this session; `counters` has those of all sessions."""
        return sum(s.session_nodes for s in self._pieced)

    def close(self) -> None:
        """Write the state of the run to the file, and close it. Raises ModelErrors E706 if that can't be done."""
        for search in self._pieced:
            search.halt()
        try:
            self.record.end(str(super().status) if self._pieced else "new")
        finally:
            self.record.close()

    # --- searching ---

    def _listed(self, ceiling: int | None, limit: int | None) -> Iterator[OptionNumbers]:
        """The answers in documented order, with those of earlier sessions. After an interrupt, only those not in the
        file are returned."""
        for answer in self._search("list", ceiling, self._at_most(limit)):
            if self._stop and self.file is not None:
                self._pieced[-1].halt()
                self._cut = True
                return
            yield answer

    def _counting(self, ceiling: int | None) -> Search:
        return self._search("count", ceiling)

    def _verify_number(self, value: int, ceiling: int | None = None, listed: bool = True) -> None:
        if not self._cut:
            super()._verify_number(value, ceiling, listed)

    def _search(self, goal: str, ceiling: int | None = None, answers: int | None = None) -> Search:
        """Begin or continue the next stage. goal: `minimum`, `count`, or `list`, which `all` means here too."""
        number = len(self._pieced)
        self._same_ceiling(ceiling, number)
        ask = self._ask("list" if goal == "all" else goal, ceiling, number)
        store = self.record.stage(number, goal == "minimum")
        limits = self.options.limits(self.seconds, self.session_nodes)
        ledger = store.ledger()
        options = self.compiled.problem.options
        if any(o >= options for task in ledger.open_ones for o in (*task.prefix.taken, *task.prefix.excluded)):
            raise damaged(self.record.file, "a piece names choices that there are not")
        found = PiecedSearch(
            self.compiled.problem, ask, ledger, self.workers, evolve(limits, answers=answers), store.read
        )
        self._searches.append(found)
        self._pieced.append(found)
        if self._stop:
            found.interrupt()
        return found

    def _same_ceiling(self, ceiling: int | None, stage: int) -> None:
        """Keep the ceiling of a new stage in the file. Raises ModelErrors E709 if the stage has another one, as covr
        0.2.0 may have set with `up to`."""
        symmetry = self.compiled.symmetry
        if ceiling is None or symmetry is None or symmetry.faithful:
            return
        if stage not in self.record.contents.pieces:
            self.record.put({CEILING: str(ceiling)})
        elif self.record.contents.about.get(CEILING) != str(ceiling):
            what = f"`{self.file}` was begun by a covr that may have listed answers that are not the best ones"
            raise usage_error("E709", what, help="start again, in another file")

    def _ask(self, goal: str, ceiling: int | None, stage: int) -> Ask:
        settings = self.options.settings(ceiling)
        settings = evolve(settings, jobs=1, memory=settings.memory // max(self.workers.size, 1))
        symmetry = self.compiled.symmetry
        parts = None if symmetry is None or goal == "minimum" else self._classes(symmetry, settings, stage)
        return ask_of(self.compiled, goal, settings, parts)

    def _classes(self, symmetry: Symmetry, settings: Settings, stage: int) -> ClassPieces | None:
        """The parts of a search for one answer of each class, which a new stage writes; None where all answers are
        sorted out afterwards."""
        kept = self.record.contents.about.get(classes.KEY)
        if kept is not None:
            return classes.classes_of(kept, symmetry.group(), self.compiled.problem, self.record.file)
        if stage in self.record.contents.pieces:
            return None
        problem = self.compiled.problem
        found = pieces_of(problem, symmetry.group(), settings)
        if found is not None:
            self.record.put({classes.KEY: classes.text_of(found)})
        return found


def ask_of(compiled: Compiled, goal: str, settings: Settings, parts: ClassPieces | None) -> Ask:
    """What is asked of each piece of a stage. parts: those of a search for one answer of each class, or None."""
    symmetry = compiled.symmetry
    if goal != "minimum":
        settings = evolve(settings, engine=listing_engine(compiled, settings.engine))
    if symmetry is None or goal == "minimum":
        return Ask(goal, settings)
    if parts is not None and symmetry.faithful:
        return Ask(goal, settings, classes=parts)
    bare = evolve(symmetry.problem, item_names=(), option_names=())
    return Ask(goal, settings, evolve(symmetry, problem=bare, idle=()).is_canonical, parts)


def open_run(
    file: Path, compiled: Compiled, files: Mapping[str, bytes], question: RecordedQuestion, options: Options,
    workers: Workers | None = None,
) -> RecordedRun:  # fmt: skip
    """A run of this question kept in `file`, new or continued. files: those read for the model. Raises ModelErrors E701
    to E709."""
    how = how_of(options)
    if not is_there(file):
        questions.settle(compiled)
        return RecordedRun(compiled, options, create(file, questions.describe(compiled, question, how), files), workers)
    record = open_record(file)
    try:
        _same(file, record, compiled, question)
        return RecordedRun(compiled, options, record, workers)
    except BaseException:
        record.close()
        raise


def how_of(options: Options) -> dict[str, Any]:
    """The engine and estimate of a run. Raises ModelErrors E708 for an engine that can't search in pieces."""
    if options.engine not in questions.ENGINES:
        what = f"the engine `{options.engine}` can't search in pieces"
        raise usage_error("E708", what, help=f"with --run there are {', '.join(questions.ENGINES)}")
    return {"engine": options.engine, "estimate": options.estimate}


def is_there(file: Path) -> bool:
    """Whether the file exists; False if its name can't be looked up."""
    try:
        return file.exists()
    except (OSError, ValueError):
        return False


def _same(file: Path, record: RunRecord, compiled: Compiled, question: RecordedQuestion) -> None:
    """Raise ModelErrors E702 if a run file is about a different problem or question."""
    about = record.contents.about
    other = "give another name; nothing was changed"
    asked = questions.question_of(record.contents)
    if about["fingerprint"] != questions.fingerprint(compiled.problem, compiled.goal):
        name = questions.name_of(record.contents)
        raise usage_error("E702", f"`{file}` is a run of another problem, of `{name}`", help=other)
    if asked != question:
        raise usage_error("E702", f"`{file}` is a run of `{asked.words}`, not of `{question.words}`", help=other)
