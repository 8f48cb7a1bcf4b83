"""What a subcommand asks of a model, and what surrounds its work."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import click

from covr.cli.progress import Meter, Silence, compiling, following
from covr.cli.shared import Size, block, open_from
from covr.dsl.load import recording
from covr.engine import Limits
from covr.engine.base.limits import Status
from covr.frozen import frozen
from covr.output.streams import FOUND, INTERRUPTED, NONE, UNKNOWN, known, remark
from covr.questions.answer import Answer
from covr.questions.options import Options

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.engine.pieces.piece import Workers
    from covr.questions.run import Run
    from covr.runs.question import RecordedQuestion
    from covr.runs.recorded import RecordedRun

# --- Ctrl-C while a search runs, and SIGTERM, which `kill`, `timeout` and queues of batch jobs send -------------------
# The first of them asks the search to stop, so that what is known so far can still be printed; a Ctrl-C after that ends
# covr. Where no search runs, nothing is known yet, and SIGTERM ends the process as it ends any other.


class Stoppable(Protocol):
    """Anything that Ctrl-C and SIGTERM can stop."""

    def interrupt(self) -> None:
        """Ask to stop; must return at once, and may be called from any thread."""


class Interrupts:
    """Whether Ctrl-C was pressed or SIGTERM came, and which run it stops: the one that was last passed to `watch`."""

    def __init__(self) -> None:
        self.pressed = False
        self._run: Stoppable | None = None

    def watch(self, run: Stoppable | None) -> None:
        """Let a signal stop this run. None: no search is running, and a signal raises KeyboardInterrupt at once."""
        self._run = run
        if self.pressed and run is not None:
            run.interrupt()

    def press(self, number: int = signal.SIGINT, _: object = None) -> None:
        """The signal handler: the first signal asks the search to stop, a Ctrl-C after that raises KeyboardInterrupt.
        (`timeout` sends SIGTERM twice.)"""
        if self._run is None or (self.pressed and number == signal.SIGINT):
            raise KeyboardInterrupt
        self.pressed = True
        self._run.interrupt()


@contextmanager
def interrupts(run: Stoppable | None = None) -> Iterator[Interrupts]:
    """Within this context, Ctrl-C and SIGTERM go to the watched run, at first `run`; only in the main thread."""
    held = Interrupts()
    held.watch(run)
    if threading.current_thread() is not threading.main_thread():
        yield held
        return
    before = {number: signal.signal(number, held.press) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield held
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


# --- What surrounds the work of a subcommand: options that exclude each other, faults under `--json`, Ctrl-C ----------


F = TypeVar("F", bound=Callable[..., Any])


@contextmanager
def searching(run: Run, as_json: bool) -> Iterator[Meter | Silence]:
    """Within this context, Ctrl-C stops the run, and its progress is shown. as_json: show it as objects."""
    with interrupts(run), following(run, as_json) as meter:
        yield meter


def exclude(given: Mapping[str, bool]) -> None:
    """Raise UsageError if more than one of these options was given. given: whether each was."""
    if sum(given.values()) > 1:
        raise click.UsageError(f"{_listed(list(given), 'and')} exclude each other.")


def exclude_with(given: Mapping[str, bool], others: Mapping[str, bool]) -> None:
    """Raise UsageError if one of the first options was given together with one of the others."""
    if any(given.values()) and any(others.values()):
        go = "goes" if len(given) == 1 else "go"
        raise click.UsageError(f"{_listed(list(given), 'and')} {go} with neither {_listed(list(others), 'nor')}.")


def _listed(names: Sequence[str], last: str) -> str:
    """`a`, `a and b`, `a, b and c`. last: the word before the last one."""
    return f" {last} ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


# --- Says what `covr solve` and its kin ask of a model, and asks it ---------------------------------------------------


@frozen
class Question:
    """What is asked. limit: answers wanted, None for all.  unique: is there exactly one?  listed: answers are numbered,
    as there may be several."""

    limit: int | None
    unique: bool = False
    listed: bool = False

    @property
    def whole(self) -> bool:
        """Whether the question is about all answers."""
        return self.unique or self.limit is None


def question_from(number: int | None, every: bool, unique: bool) -> Question:
    """The question that these options ask. Raises UsageError if more than one of them is given."""
    exclude({"-n": number is not None, "--all": every, "--unique": unique})
    if unique:
        return Question(2, unique=True)
    if every:
        return Question(None, listed=True)
    return Question(1) if number is None else Question(number, listed=True)


def asked(question: Question, options: Options) -> RecordedQuestion:
    """The question for a run file."""
    from covr.runs.question import RecordedQuestion

    return RecordedQuestion("solve", question.limit, question.unique, question.listed, options.seed)


def answers(run: Run, question: Question, improved: Any = None) -> Any:
    """The answers that a question asks for, as they are found."""
    if question.limit == 1 and not question.listed:
        first = run.first(improved)
        return iter(() if first is None else (first,))
    return run.answers(improved, question.limit)


def answer_of(compiled: Compiled, run: Run, found: tuple[int, ...]) -> Answer:
    """The engine's answer as an `Answer` of the model."""
    if run.best is None:
        return Answer(compiled, found)
    return Answer(compiled, found, run.best.bound, run.best.proved)


# --- What commands with `--run` have in common: the run's file, and the remarks at the end ----------------------------


run_option = click.option(
    "--run", "run_file", metavar="FILE",
    help="Keep the run in FILE, so that it can be continued. The same command, or `covr resume FILE`, continues it, "
    "even after it was killed.",
)  # fmt: skip
cluster_option = click.option(
    "--cluster", metavar="ADDRESS",
    help="Search on the Dask cluster with its scheduler at ADDRESS (tcp://HOST:8786), or `local`: with --jobs "
    "processes of this machine. Needs covr[cluster].",
)  # fmt: skip
kept_options = block(run_option, cluster_option)
run_argument = click.argument("file", metavar="FILE", type=click.Path(path_type=Path))


@contextmanager
def kept_run(
    file: str | None, model: str, defines: Sequence[str], question: RecordedQuestion, options: Options,
    cluster: str | None = None,
) -> Iterator[RecordedRun]:  # fmt: skip
    """The run of a model that is kept in a file; closed at the end. file: None for a temporary file."""
    from covr.questions.run import refuse_engine, refuse_projection
    from covr.runs.question import settle
    from covr.runs.recorded import how_of, open_run

    how_of(options)
    with recording() as files:
        compiled = open_from(model, defines, partial(options.ask, counting=question.command == "count"))
        settle(compiled)
    refuse_projection(compiled, "a run in a file or on a cluster")
    refuse_engine(compiled, options.engine, "all" if compiled.goal is None else "minimum")
    with place(file) as kept, workers(cluster, options) as crew:
        run = open_run(kept, compiled, files, question, options, crew)
        if file is None:
            run.file = None
        with closing(run):
            yield run


@contextmanager
def place(file: str | None) -> Iterator[Path]:
    """The file of a run; without one, a file in a temporary folder, which is removed at the end."""
    if file is not None:
        yield Path(file)
        return
    from tempfile import TemporaryDirectory

    with TemporaryDirectory(prefix="covr-") as folder:
        yield Path(folder) / "run"


@contextmanager
def workers(cluster: str | None, options: Options) -> Iterator[Workers | None]:
    """The workers of a cluster, connected while inside; None if no cluster is named."""
    if cluster is None:
        yield None
        return
    from covr.runs.cluster import Cluster

    crew = Cluster(cluster, options.jobs)
    if crew.is_empty:
        remark(f"there are no workers at {cluster} yet; the search waits for them")
    try:
        yield crew
    finally:
        crew.close()


@contextmanager
def resumed_run(
    file: Path, options: Options, cluster: str | None = None
) -> Iterator[tuple[RecordedRun, RecordedQuestion]]:
    """The run in a file, for the model that the file holds, and its question; closed at the end."""
    from attrs import evolve

    from covr.runs.question import how_of, model_of, question_of
    from covr.runs.record import open_record
    from covr.runs.recorded import RecordedRun

    record = open_record(file)
    with ExitStack() as stack:
        try:
            question, how = question_of(record.contents), how_of(record.contents)
            with compiling():
                compiled: Compiled = model_of(file, record.contents)
            crew = stack.enter_context(workers(cluster, options))
            run = RecordedRun(compiled, evolve(options, seed=question.seed, **how), record, crew)
        except BaseException:
            record.close()
            raise
        with closing(run):
            yield run, question


@contextmanager
def closing(run: RecordedRun) -> Iterator[RecordedRun]:
    """Close a run at the end, and print how to continue it."""
    try:
        yield run
    finally:
        run.close()
    go_on(run)


def go_on(run: Run) -> None:
    """Print the command that continues a run that was stopped."""
    if run.file is not None and run.status in ("limit", "interrupted"):
        remark(f"go on with `covr resume {run.file}`")


# --- `--proof FILE`: after an answer, the proof that another program checks -------------------------------------------


DEFAULT = "1G"  # bytes of a proof, before it is compressed


def proof_options(command: F) -> F:
    """Add --proof and --limit-proof."""
    return block(
        click.option(
            "--proof", metavar="FILE.pbp",
            help="Also write a proof that `covr verify` and VeriPB check, and beside it the problem as FILE.opb. A "
            "name that ends with .pbp.gz has both compressed.",
        ),
        click.option(
            "--limit-proof", metavar="SIZE", type=Size(), default=DEFAULT, show_default=True,
            help="End a proof that becomes longer than this, before it is compressed; it then says that it is "
            "unfinished.",
        ),
    )(command)  # fmt: skip


def check_proof(path: str | None, others: Mapping[str, bool]) -> None:
    """Raise UsageError if --proof was given with one of the others, and ModelErrors E508 for another ending."""
    if path is None:
        return
    from covr.questions.proof_file import problem_file

    exclude_with({"--proof": True}, others)
    problem_file(path)


def prove(
    compiled: Compiled, path: str, size: int, options: Options, known: Sequence[int] | None = None,
    most: int | None = None, count: int | None = None,
) -> int:  # fmt: skip
    """Write the proof, and say so; returns the exit code. known: a best answer.  most: how many answers are enough.
    count: how many there are, which the proof must confirm."""
    from covr.compiler.formats.linear import pseudo_boolean
    from covr.engine.proofs.logged import ProofLog
    from covr.questions.proof_file import problem_file, write_proof

    log = ProofLog(pseudo_boolean(compiled.problem), _limits(options), size, most)
    with interrupts(log):
        write_proof(compiled, path, log, known)
    checks = "" if options.verify else "; `covr verify` checks them"
    remark(f"wrote {problem_file(path)} and {path}: {log.lines_written} lines{checks}")
    if log.status in (Status.LIMIT, Status.INTERRUPTED):
        reason = "it was interrupted" if log.status is Status.INTERRUPTED else "a limit was reached"
        remark(f"the proof is unfinished: {reason}")
        return INTERRUPTED if log.status is Status.INTERRUPTED else UNKNOWN
    agrees = count is None or log.status is not Status.EXHAUSTED or log.answers == count
    assert agrees, f"the proof has {log.answers} answers, and the search found {count}"
    if options.verify:
        from covr.questions.proof_file import check_proof_file, read_problem

        remark(check_proof_file(read_problem(problem_file(path)), path).in_words())
    return FOUND


def _limits(options: Options) -> Limits:
    return Limits(nodes=options.limit_nodes, seconds=options.limit_time)


# --- `covr solve --check-estimate`: tests whether estimates are admissible on residual problems of this model ---------


def try_estimates(compiled: Compiled, options: Options) -> int:
    """Test estimates on small residual problems of known minimum; returns 1 if a bound is too high, as it would lose
    answers."""
    from covr.engine import find_estimate
    from covr.engine.check_estimate import ROUNDS, check_estimate

    if compiled.goal is None:
        raise click.UsageError("--check-estimate is about a model with `minimize` or `maximize`.")
    names = options.estimate.split(",") if isinstance(options.estimate, str) else [options.estimate]
    code = FOUND
    for name in names:
        estimate = find_estimate(name.strip() if isinstance(name, str) else name)
        fault = check_estimate(estimate.bound, compiled.problem, seed=options.seed or 0)
        if fault is None:
            click.echo(f"{estimate.name}: no error found on {ROUNDS} residual problems")
        else:
            code = known(NONE)
            click.echo(f"{estimate.name}: {fault.what}")
    return code
