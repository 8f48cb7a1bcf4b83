"""What commands with `--run` have in common: the run's file, and the remarks at the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from covr.cli.common.compiling import compiling
from covr.cli.common.shared import block, open_from
from covr.output.report import remark
from covr.questions.options import Options

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.engine.pieces.workers import Workers
    from covr.questions.run import Run
    from covr.runs.question import RecordedQuestion
    from covr.runs.recorded import RecordedRun

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
    from covr.dsl.file_snapshot import recording
    from covr.questions.sided import refuse_engine, refuse_projection
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
