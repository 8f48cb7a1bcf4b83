"""`covr resume`: go on with a run that is kept in a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from covr.cli.count import count_compiled
from covr.cli.picture import output_options
from covr.cli.running import cluster_option, resumed_run, run_argument
from covr.cli.shared import json_option, options_from, progress_option, quiet_option, session_options
from covr.cli.solve import Question, solve_compiled
from covr.dsl.diagnostics import ModelErrors
from covr.output.exits import FAULT
from covr.output.writers import format_option


@click.command("resume")
@run_argument
@output_options
@format_option
@session_options
@cluster_option
@json_option
@progress_option
@quiet_option
def resume_command(
    file: Path, output: str | None, theme: str, form: str | None, cluster: str | None, as_json: bool, progress: bool,
    **words: Any,
) -> int:  # fmt: skip
    """Continue the run in FILE, and print what its command prints.

    FILE holds the model, its data and the question. What is finished is not searched again; limits are those given
    here, and hold for this session.

    \b
    Examples:
      covr resume tilings.run
      covr resume tilings.run --limit-time 3600 --jobs 4
      covr resume tilings.run --format csv
    """
    if as_json and form not in (None, "json"):
        raise click.UsageError(f"--json and --format {form} exclude each other.")
    as_json = as_json or form == "json"
    try:
        with resumed_run(file, options_from(words), cluster) as (run, asked):
            if asked.command == "count":
                if output is not None or form not in (None, "json"):
                    raise click.UsageError(f"`{file}` counts: there are no answers to write.")
                return count_compiled(run.compiled, run.options, as_json, progress, run)
            question = Question(asked.limit, asked.unique, asked.listed)
            shape = "json" if as_json else form
            return solve_compiled(run.compiled, question, run.options, shape, output, theme, progress, run)
    except ModelErrors as errors:
        if not as_json:
            raise
        from covr.output.stream import emit_fault

        emit_fault(errors.diagnostics)
        return FAULT
