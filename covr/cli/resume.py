"""`covr resume`: continues a run that is kept in a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from covr.cli.common.asking import Question
from covr.cli.common.frame import json_faults
from covr.cli.common.help import command
from covr.cli.common.running import cluster_option, resumed_run, run_argument
from covr.cli.common.shared import options_from, session_options, telling_options
from covr.cli.common.writing import answer_options, destination_from
from covr.cli.count import count_compiled
from covr.cli.solve import solve_compiled


@command("resume")
@run_argument
@answer_options
@session_options
@cluster_option
@telling_options
@json_faults
def resume_command(
    file: Path, output: str | None, theme: str, form: str | None, cluster: str | None, as_json: bool, progress: bool,
    **words: Any,
) -> int:  # fmt: skip
    """Continue the run in FILE, and print what its command prints.

    FILE holds the model, its data and the question. What is finished is not searched again. The limits given
    here hold for this session only.

    \b
    Examples:
      covr resume tilings.run
      covr resume tilings.run --limit-time 3600 --jobs 4
      covr resume tilings.run --format csv
    """
    where = destination_from(form, as_json, output, theme)
    with resumed_run(file, options_from(words).alone(), cluster) as (run, asked):
        if asked.command == "count":
            if where.output is not None or where.form not in (None, "json"):
                raise click.UsageError(f"`{file}` counts: there are no answers to write.")
            return count_compiled(run.compiled, run.options, where.as_json, progress, run)
        question = Question(asked.limit, asked.unique, asked.listed)
        return solve_compiled(run.compiled, question, run.options, where, progress, run)
