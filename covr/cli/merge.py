"""`covr merge`: puts what a folder of pieces has found into the run of which it was made."""

from __future__ import annotations

from pathlib import Path

import click

from covr.cli.common.frame import json_faults
from covr.cli.common.help import command
from covr.cli.common.running import run_argument
from covr.cli.common.shared import json_option
from covr.cli.piece import folder_argument
from covr.cli.status import lines, missing_words
from covr.dsl.render import clean
from covr.output.exits import FOUND, UNKNOWN
from covr.output.report import remark


@command("merge")
@folder_argument
@run_argument
@json_option
@json_faults
def merge_command(folder: Path, file: Path, as_json: bool) -> int:
    """Put what FOLDER has found into the run in FILE, and say what is missing.

    It may be done while pieces are being answered, and again. The exit code is 0 if nothing is missing, and 3 if
    something is.

    \b
    Examples:
      covr merge queens.pieces queens.run
    """
    from covr.runs import state
    from covr.runs.folder.head import read_head
    from covr.runs.folder.merge import merge, roots_of

    head = read_head(folder)
    merged = merge(head, file)
    for name in merged.damaged:
        remark(f"`{name}` is damaged and was renamed to `{Path(name).name}.damaged`; its piece is to be answered again")
    found = state.standing(file)
    numbers = roots_of(head, merged.missing)
    if as_json:
        from covr.output.stream import emit

        fields = {"added": merged.added, "missing": numbers, "parts": len(merged.missing), "damaged": merged.damaged}
        emit("run", file=str(file), **state.as_json(found), merged=fields)
        return FOUND if merged.complete else UNKNOWN
    click.echo("\n".join(map(clean, lines(found))))
    if merged.complete:
        if found.state != "done":
            remark(
                f"the best value is found; `covr split {file} -o …` or `covr resume {file}` goes on with the answers"
            )
        elif found.question.command != "count":
            remark(f"`covr resume {file}` prints what was found")
        return FOUND
    if numbers:
        click.echo(missing_words(numbers, len(merged.missing) - merged.elsewhere))
    if merged.elsewhere:
        parts = "1 piece is" if merged.elsewhere == 1 else f"{merged.elsewhere} pieces are"
        remark(f"{parts} open in `{file}` that `{folder}` does not have; `covr resume {file}` searches them")
    return UNKNOWN
