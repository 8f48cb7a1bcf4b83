"""`covr compile`: all answers of a model in a file, as one diagram."""

from __future__ import annotations

from pathlib import Path

import click

from covr.cli.common.frame import json_faults
from covr.cli.common.help import command
from covr.cli.common.interrupt import interrupts
from covr.cli.common.shared import Seconds, Size, define_option, from_option, model_argument, open_from, quiet_option
from covr.cli.common.verdicts import solutions
from covr.output.exits import FOUND, INTERRUPTED, NONE, UNKNOWN
from covr.output.report import remark
from covr.output.streams import known
from covr.questions.options import CommandOptions


@command("compile")
@model_argument
@click.option(
    "-o", "--output", "--out", required=True, metavar="FILE", type=click.Path(path_type=Path),
    help="Write the diagram to FILE, which `covr answers FILE` reads.",
)  # fmt: skip
@define_option
@from_option
@click.option("--limit-time", type=Seconds(), metavar="SECONDS", help="Stop after this time.")
@click.option(
    "--limit-memory", type=Size(), metavar="SIZE", help="Stop if covr needs more memory than this, such as 500M or 2G."
)
@quiet_option
@json_faults
def compile_command(
    model: str, output: Path, defines: tuple[str, ...], limit_time: float | None, limit_memory: int | None
) -> int:
    """Keep all answers of MODEL in a file, as one decision diagram.

    However many answers there are, the diagram may be small; `covr answers FILE` then counts them, draws some at
    random, finds the best ones and those with certain choices, without a search.

    The exit code is 0, or 1 if there is no answer; 2 if the diagram does not fit in memory, and 3 after a limit of
    time. Then no file is written.

    \b
    Examples:
      covr compile queens -o queens.zdd
      covr answers queens.zdd --counts
    """
    from covr.api.answer_diagram import DiagramRun
    from covr.cli.common.progress import following
    from covr.engine.base.heed import Stopped
    from covr.questions.own_files import spare_own_files

    options = CommandOptions(limit_time=limit_time, limit_memory=limit_memory)
    compiled = open_from(model, defines, options=options)
    spare_own_files(compiled, output)
    run = DiagramRun(compiled, options)
    known(UNKNOWN)
    try:
        with interrupts(run), following(run, False):
            answers = run.make()
    except Stopped as stopped:
        remark(f"nothing was written to `{output}`: {'interrupted' if stopped.status == 'interrupted' else 'stopped'}")
        return known(INTERRUPTED if stopped.status == "interrupted" else UNKNOWN)
    answers.save(output)
    count = answers.count()
    click.echo(f"{solutions(count)} in {answers.nodes} node{'' if answers.nodes == 1 else 's'}: {output}")
    return known(FOUND if count else NONE)
