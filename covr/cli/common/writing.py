"""`-o`, `--theme`, `--format` and `--json`: where answers go, how they are written, and the writer that does it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from covr.cli.common.frame import exclude
from covr.cli.common.shared import block, complete_names
from covr.frozen import frozen

if TYPE_CHECKING:
    from covr.cli.common.asking import Question
    from covr.compiler import Compiled
    from covr.output.writers import Writer

FORMATS = {
    "text": "pictures, with the title over each",
    "line": "an answer a line",
    "csv": "a table, a row a choice",
    "tsv": "the same with tabs",
    "json": "the same as --json",
}
SEPARATORS = {"csv": ",", "tsv": "\t"}

output_options = block(
    click.option(
        "-o", "--output", "--out", metavar="FILE",
        help="Draw the answers into FILE (.svg, .png, .html, .pdf, .xlsx) or list them in it (.csv, .sqlite, …). "
        "Tables end with .csv, .tsv, .jsonl, .db, .sqlite or .parquet, and are written as answers are found.",
    ),
    click.option(
        "--theme", default="light", show_default=True, metavar="NAME", shell_complete=complete_names("theme"),
        help="Colours of the picture: light, dark, print or mono.",
    ),
)  # fmt: skip
format_option = click.option(
    "--format", "form", type=click.Choice(list(FORMATS)), metavar="FORMAT",
    help="Write answers as text, line, csv, tsv or json. The default is text.",
)  # fmt: skip
answer_options = block(output_options, format_option)


@frozen
class Destination:
    """Where answers go. form: a name in FORMATS; None if no option names one.
    output: a file for the answers, None for standard output.  theme: the colours of a picture."""

    form: str | None = None
    output: str | None = None
    theme: str = "light"

    @property
    def as_json(self) -> bool:
        """Whether answers are written as JSON objects."""
        return self.form == "json"


def destination_from(form: str | None, as_json: bool, output: str | None, theme: str) -> Destination:
    """Where answers go, according to the options. Raises UsageError if `--json` and `--format` contradict each
    other."""
    exclude({"--json": as_json, f"--format {form}": form not in (None, "json")})
    return Destination("json" if as_json else form, output, theme)


def writer_for(compiled: Compiled, question: Question, where: Destination) -> Writer:
    """The writer for the answers to a question about a model."""
    shown = _shown_by(compiled, question, where.form)
    if where.output is None:
        return shown
    from covr.questions.own_files import spare_own_files

    spare_own_files(compiled, where.output)
    from covr.output.answer_files import AnswerFile, is_table
    from covr.output.writers import Both

    if is_table(where.output):
        filed: Writer = AnswerFile(where.output, compiled, question.unique)
    else:
        from covr.output.pictures import PictureWriter

        filed = PictureWriter(where.output, where.theme, question.listed or question.unique)
    return Both(filed, shown, passes=where.form is not None)


def _shown_by(compiled: Compiled, question: Question, form: str | None) -> Writer:
    """The writer for standard output."""
    if form == "json":
        from covr.output.lines import JsonOutput

        return JsonOutput(compiled, question.unique)
    from covr.cli.common.text import TextWriter

    text = TextWriter(compiled, question)
    if form in (None, "text"):
        return text
    from covr.output.writers import Both, LineWriter, Verdicts

    if form == "line":
        return Both(LineWriter(compiled), Verdicts(text))
    from covr.output.lines import Standard, TableWriter

    return Both(TableWriter(compiled, Standard(), SEPARATORS[form]), Verdicts(text))
