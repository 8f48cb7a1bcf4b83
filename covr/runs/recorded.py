"""A run kept in a file: a `Run` that is continued even after it was killed, how far it is, and its answers."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import define, evolve, field

from covr.compiler.lower.lowered import StageValue
from covr.engine.base.limits import Counters, Status
from covr.engine.pieces.class_pieces import ClassPieces, pieces_of
from covr.engine.pieces.ledger import Ask, Totals
from covr.engine.pieces.piece import Threads, Workers
from covr.engine.pieces.piece_search import PiecedSearch
from covr.engine.search import Search
from covr.engine.settings import Settings
from covr.faults import usage_error
from covr.frozen import frozen
from covr.questions.options import Options
from covr.questions.run import Count, Run, listing_engine
from covr.runs import question as questions
from covr.runs import record as classes
from covr.runs.contents import Contents, OptionNumbers, PieceRow, holder, is_held
from covr.runs.question import RecordedQuestion, goal_values, goals_of, name_of, question_of, value_of
from covr.runs.record import RunRecord, create, damaged, open_record, read_answers, read_contents

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.compiler.lower.symmetry import Symmetry
    from covr.questions.run import Best
    from covr.questions.verify import Verified

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


# --- The answers in a run file, in documented order: those of the finished pieces, or the best one --------------------


@define
class Listing:
    """The answers of a run that are in its file.

    complete: whether these are all.  best: whether this is the best one so far, and proved: whether none is better.
    """

    file: Path
    contents: Contents
    complete: bool
    best: bool = False
    proved: bool = False
    bound: int | None = None
    _leaves: Sequence[PieceRow] = field(factory=tuple)
    _stage: int = 0

    def __iter__(self) -> Iterator[OptionNumbers]:
        if self.best:
            yield from (found.answer for found in self.contents.best.get(0, ())[-1:])
            return
        for piece in self._leaves:
            if piece.count:
                yield from read_answers(self.file, self._stage, piece.name)


def listing(file: Path, contents: Contents) -> Listing:
    """The answers in a run file. Raises ModelErrors E708 for a run that only counts."""
    question = question_of(contents)
    if question.command == "count":
        raise usage_error(
            "E708", f"`{file}` counts: it holds no answers", help="`covr solve MODEL --all --run FILE` keeps them"
        )
    goal = json.loads(contents.about["goal"])
    stage = 0 if goal is None else 1
    pieces = contents.pieces.get(stage, ())
    if goal is not None and not any(p.count for p in pieces):
        totals = contents.totals(0)
        over = bool(contents.pieces.get(0)) and not any(p.is_open for p in contents.pieces[0])
        return Listing(file, contents, over and not question.listed, True, over, totals.best if over else None)
    leaves = sorted((p for p in pieces if not p.is_open and not p.children), key=lambda p: p.name)
    complete = bool(pieces) and not any(p.is_open for p in pieces)
    return Listing(file, contents, complete, False, True, leaves=leaves, stage=stage)


@define
class ListedRun:
    """A run that is read from its file, as an `Ending` for writers. whole: whether it has all answers."""

    options: Options = field(factory=Options)
    best: Best | None = None
    whole: bool = False
    bound: int | None = None
    reached: str | None = None
    fraction: float | None = None
    verified: Verified | None = None
    lacks_clingo: bool = False
    methods: Sequence[tuple[str, int, int]] = ()
    counters: Counters = field(factory=Counters)
    session_nodes: int = 0
    seconds: float = 0.0
    engine: str = ""

    @property
    def status(self) -> Status:
        return Status.EXHAUSTED if self.whole else Status.SOLVED

    @property
    def complete(self) -> bool:
        return self.whole


# --- The progress of a run, read from its file, even while another process works on it --------------------------------


@frozen
class Standing:
    """The progress of a run.

    state: `running`; `done`; `new`; or what ended its last session: `limit`, `interrupted`, `solved` (as many answers
        as were wanted), `killed`.
    process: the number of the process that runs it, or None.  sessions, seconds: how many sessions there were, and how
    long they took together.  stage: the current search: `minimum`, `list` or `count`.  fraction: how much of its tree
    is done, from 0 to 1.  best, bound: for a model with a goal, as values of the goal.  answers: how many are counted
    or listed; None for a minimum.
    goals, stages: how many goals there are in order, and of several the value of each in the best answer, with what is
    proved of it.
    done, open, cuts: how many pieces are finished, open and cut.  nodes, wasted: the nodes searched so far, and those
    that had to be searched again.
    left: seconds, at the pace so far.  written: when the last piece was written, in seconds since 1970.
    """

    question: RecordedQuestion
    model: str
    title: str
    state: str
    process: int | None
    sessions: int
    seconds: float
    stage: str
    fraction: float
    answers: int | None
    best: int | None
    bound: int | None
    goals: int
    stages: tuple[StageValue, ...]
    done: int
    open: int
    cuts: int
    nodes: int
    wasted: int
    left: float | None
    written: float

    @property
    def rate(self) -> float:
        """Nodes per second, over all sessions."""
        return (self.nodes + self.wasted) / self.seconds if self.seconds > 0 else 0.0


def standing(file: Path) -> Standing:
    """The progress of the run in a file, as of its last transaction. Raises ModelErrors E701, E703, E704, E707."""
    import json

    running = is_held(file)
    contents = read_contents(file)
    question, seal = question_of(contents), contents.seal
    goal = json.loads(contents.about["goal"])
    number = max(contents.pieces, default=0)
    totals = contents.totals(number)
    pieces = contents.pieces.get(number, ())
    minimum = goal is not None and number == 0
    best = contents.best.get(0, ())
    bound = _bound(contents, totals) if minimum else (best[-1].cost if best else None)
    every = [contents.totals(k) for k in contents.pieces]
    seconds = seal.seconds + (max(time.time() - seal.written, 0.0) if running else 0.0)
    left = None
    if 0.001 <= totals.weight < 1 and seconds > 0:
        left = seconds * (1 - totals.weight) / totals.weight
    return Standing(
        question=question,
        model=name_of(contents),
        title=contents.about["title"],
        state=_state(seal.status, running),
        process=holder(file) if running else None,
        sessions=seal.sessions,
        seconds=seconds,
        stage="minimum" if minimum else ("count" if question.command == "count" else "list"),
        fraction=min(totals.weight, 1.0) if any(p.is_open for p in pieces) or not pieces else 1.0,
        answers=None if minimum else totals.count,
        best=value_of(contents.about, best[-1].cost) if best else None,
        bound=None if bound is None else value_of(contents.about, bound),
        goals=goals_of(contents.about),
        stages=goal_values(contents.about, best[-1].cost if best else None, bound),
        done=totals.pieces,
        open=sum(p.is_open for p in pieces) if pieces else 1,
        cuts=totals.cuts,
        nodes=sum(t.nodes for t in every),
        wasted=sum(t.wasted for t in every),
        left=left,
        written=seal.written,
    )


def _state(status: str, running: bool) -> str:
    if running:
        return "running"
    return {"running": "killed", "exhausted": "done"}.get(status, status)


def _bound(contents: Contents, totals: Totals) -> int | None:
    """The proved lower bound, like `Ledger.bound`."""
    open_ones = [piece.bound for piece in contents.pieces.get(0, ()) if piece.is_open]
    known = [b for b in (*open_ones, totals.bound, totals.best) if b is not None]
    return None if None in open_ones or not contents.pieces.get(0) else min(known, default=None)


def as_json(standing: Standing) -> dict[str, Any]:
    """The fields of `covr status --json`."""
    from covr.output.writers import goal_fields

    return {
        "command": standing.question.words,
        "model": standing.model,
        "title": standing.title,
        "state": standing.state,
        "process": standing.process,
        "sessions": standing.sessions,
        "seconds": round(standing.seconds, 3),
        "stage": standing.stage,
        "fraction": round(standing.fraction, 9),
        "answers": standing.answers,
        "best": standing.best,
        "bound": standing.bound,
        **goal_fields(standing.stages),
        "pieces": {"done": standing.done, "open": standing.open, "cut": standing.cuts},
        "nodes": standing.nodes,
        "wasted": standing.wasted,
        "rate": round(standing.rate),
        "left": None if standing.left is None else round(standing.left, 1),
        "written": round(standing.written, 3),
    }
