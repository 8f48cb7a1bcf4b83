"""`-o`, `--format`, `--json`, `--puzzle`: where answers go and how they are written."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import click

from covr.cli import progress
from covr.cli.asking import Question, exclude
from covr.cli.progress import why_command
from covr.cli.shared import block, complete_names
from covr.frozen import frozen
from covr.output.streams import FOUND, remark, report
from covr.questions.answer import Answer, spare_own_files
from covr.questions.run import reasons
from covr.text import ends_in

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.compiler.display.prints import Picture
    from covr.output.writers import Writer
    from covr.questions.run import Best
    from covr.questions.verify import Ending

# --- Writes answers as pictures in text, which is the default, with the verdict below them ----------------------------


class TextWriter:
    """Writes answers as pictures, with the title over each and the verdict below them."""

    def __init__(self, compiled: Compiled, question: Question) -> None:
        from covr.draw.canvas import surface_of

        self.compiled = compiled
        self.question = question
        self.surface = surface_of(sys.stdout)
        self.shown = 0

    def begin(self) -> None:
        """Nothing is written before the first answer."""

    def improved(self, best: Best) -> None:
        """Answers that are only the best so far are not shown."""

    def answer(self, answer: Answer) -> None:
        from covr.draw.canvas import Part, clean, write
        from covr.draw.text import draw

        self.shown += 1
        title = clean(self.compiled.title)
        if self.question.listed or (self.question.unique and self.shown > 1):
            title = f"{title} (answer {self.shown})" if title else f"answer {self.shown}"
        lines = draw(answer.pictures, self.surface) or [(Part("(nothing is chosen)"),)]
        if title:
            lines = [(Part(title, "title"),), (), *lines]
        if self.shown > 1:
            lines = [(), *lines]
        if answer.broken:
            lines = [*lines, (), *((Part(line),) for line in progress.broken_wishes(answer.broken))]
        if answer.changed is not None and any(answer.changed):
            lines = [*lines, (), *((Part(line),) for line in progress.changed_choices(answer.changed))]
        write(lines, self.surface)
        sys.stdout.flush()

    def end(self, run: Ending, code: int, shown: int) -> None:
        goal = self.compiled.goal
        gap = "\n" if self.shown else ""
        if run.best is not None and goal is not None:
            click.echo(gap + progress.optimum(run.best, goal))
        if self.question.unique and shown > 1:
            click.echo(f"{gap}not unique")
        elif self.question.unique and shown and run.complete:
            click.echo(f"{gap}unique")
        elif not shown and run.complete:
            click.echo("no solution")
            report(reasons(self.compiled))
            if self.compiled.impossible is None:
                remark(f"help: `{why_command(self.compiled)}` says why")
        elif self.question.listed and run.complete:
            remark(progress.solutions(shown))
        if run.verified is not None:
            remark(run.verified.words)
        if run.status in ("limit", "interrupted") or run.reached == "answers":
            remark(f"{progress.stopped(run)}{self._where(run)}: {self._unknown(run, shown)}{progress.share(run)}")
            if run.lacks_clingo and run.reached == "time":
                remark(f"help: {progress.WOULD_LEARN}")

    def _where(self, run: Ending) -> str:
        """At which of several goals the search was stopped, in words."""
        best = run.best
        return f", at {progress.at_goal(best.stages)}" if best is not None and best.stages and not best.proved else ""

    def _unknown(self, run: Ending, shown: int) -> str:
        """A sentence that says what is not known because the search was stopped."""
        if run.best is not None and not run.best.proved:
            return "whether there is a better solution is not known"
        if not shown:
            return "whether there is a solution is not known"
        if self.question.unique:
            return "whether there is another solution is not known"
        return f"{progress.solutions(shown)} so far; whether there are more is not known"


# --- `--puzzle`: the puzzle without its answer, as text or in a picture file ------------------------------------------


puzzle_option = click.option("--puzzle", is_flag=True, help="Show the unsolved puzzle instead of an answer.")


def draw_titled(title: str, pictures: tuple[Picture, ...], otherwise: Iterable[str] = ()) -> None:
    """Write pictures as text, below their title; lines of text where there are none."""
    from covr.draw.canvas import Part, clean, surface_of, write
    from covr.draw.text import draw

    surface = surface_of(sys.stdout)
    lines = draw(pictures, surface) or [(Part(clean(line)),) for line in otherwise]
    title = clean(title)
    write([(Part(title, "title"),), (), *lines] if title else lines, surface)


def save_drawn(
    compiled: Compiled, output: str, theme: str, shown: Sequence[tuple[tuple[Picture, ...], str]], no: str
) -> None:
    """Write pictures with their captions into a file; those without anything are left out. no: what is said if nothing
    is left."""
    from covr.draw.book import Shown
    from covr.output.writers import save_pictures

    drawn = [Shown(pictures, caption) for pictures, caption in shown if pictures]
    if drawn:
        save_pictures(output, drawn, compiled.title, theme)
    else:
        remark(f"there is nothing to draw: {no}")


def show_puzzle(compiled: Compiled, output: str | None, theme: str) -> int:
    """Draw a model as it is before it is solved. Returns the exit code."""
    from covr.compiler.matrix_model import unsolved

    if output is not None:
        from covr.draw.book import Shown, check_target
        from covr.output.writers import save_pictures

        spare_own_files(compiled, output)
        check_target(output, theme)
        save_pictures(output, [Shown(unsolved(compiled))], compiled.title, theme)
        return FOUND
    draw_titled(compiled.title, unsolved(compiled))
    return FOUND


# --- `-o`, `--theme`, `--format` and `--json`: where answers go, how they are written, and the writer that does it ----


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
    """Where answers go, by the options. Raises UsageError if `--json` and `--format` contradict each other."""
    exclude({"--json": as_json, f"--format {form}": form not in (None, "json")})
    return Destination("json" if as_json else form, output, theme)


def writer_for(compiled: Compiled, question: Question, where: Destination) -> Writer:
    """The writer for the answers to a question about a model."""
    shown = _shown_by(compiled, question, where.form)
    if where.output is None:
        return shown
    spare_own_files(compiled, where.output)
    from covr.output.answer_files import ENDINGS, AnswerFile
    from covr.output.writers import Both

    if ends_in(where.output, ENDINGS):
        filed: Writer = AnswerFile(where.output, compiled, question.unique)
    else:
        from covr.output.writers import PictureWriter

        filed = PictureWriter(where.output, where.theme, question.listed or question.unique, ENDINGS)
    return Both(filed, shown, passes=where.form is not None)


def _shown_by(compiled: Compiled, question: Question, form: str | None) -> Writer:
    if form == "json":
        from covr.output.writers import JsonOutput

        return JsonOutput(compiled, question.unique)

    text = TextWriter(compiled, question)
    if form in (None, "text"):
        return text
    from covr.output.writers import Both, LineWriter, Verdicts

    if form == "line":
        return Both(LineWriter(compiled), Verdicts(text))
    from covr.output.writers import Standard, TableWriter

    return Both(TableWriter(compiled, Standard(), SEPARATORS[form]), Verdicts(text))
