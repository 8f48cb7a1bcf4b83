"""`covr make`: puzzles with one answer, and the lines, tables, booklets and sheets that they are written to."""

from __future__ import annotations

import csv
import errno
import io
import os
import stat
from collections.abc import Sequence
from time import monotonic
from typing import TYPE_CHECKING, Any

import click

from covr.cli import shared
from covr.cli.asking import interrupts
from covr.cli.group import command
from covr.cli.progress import following
from covr.cli.writing import draw_titled
from covr.dsl.syntax import Clue, Param
from covr.faults import usage_error
from covr.inputs.collection import MADE
from covr.inputs.library import find_source, open_model, shipped
from covr.output import writers
from covr.output.streams import FOUND, INTERRUPTED, NONE, UNKNOWN, known, remark, unbroken
from covr.output.writers import LineFile, cannot
from covr.questions.answer import spare_own_files
from covr.text import ends_in, quantity

if TYPE_CHECKING:
    from covr.draw.book import Shown
    from covr.puzzles.made_puzzle import MadePuzzle, PuzzleRun, Wish
    from covr.questions.options import Options

# Width and height in pixels, 96 to an inch, as SVG and PDF count them. The first one is the default.
PAPERS = {"a4": (793.7, 1122.5), "letter": (816.0, 1056.0)}
ON_A_PAGE = 4  # puzzles on a page of a booklet, if nothing else is asked for
MOST_ON_A_PAGE = 100
NAMES = "rotate, quarter, mirror, flip, cross, diagonal, antidiagonal or full"


class GradeRange(shared.ParamType):
    """A range of grades: `2..3.5`, `4..`, `..2`, or `3` for the one grade."""

    name = "range"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        low, dots, high = value.partition("..")
        try:
            found = float(low or 0), float((high or "inf") if dots else low)
        except ValueError:
            self.fail(f"`{value}` is no range of grades: write LOW..HIGH, such as 2..3.5.", param, ctx)
        if not 0 <= found[0] <= found[1]:
            self.fail(f"there is no grade from {low or 0} to {high}.", param, ctx)
        return found


@command("make")
@shared.model_argument
@click.option(
    "-n", "number", type=click.IntRange(min=1), default=1, show_default=True, metavar="K", help="Make K puzzles."
)
@click.option("--clues", "family", metavar="FAMILY", help="The family of choices that clues give.")
@click.option(
    "--minimal", is_flag=True,
    help="No clue can be left out. This is always so; with --symmetry it then holds for each clue by itself, too.",
)  # fmt: skip
@click.option("--fewest", is_flag=True, help="As few clues as an answer can have, with proof.")
@click.option(
    "--symmetry", metavar="NAME", shell_complete=shared.complete_names("symmetry"),
    help=f"Clues in a symmetric pattern: {NAMES}.",
)  # fmt: skip
@click.option("--clues-at-most", "at_most", type=click.IntRange(min=0), metavar="K", help="At most K clues.")
@click.option(
    "--grade", type=GradeRange(), metavar="LOW..HIGH",
    help="Only puzzles with such a grade, as `covr grade` gives it: 2..3.5, or 4.. for any from 4 on.",
)  # fmt: skip
@click.option(
    "--layout", metavar="MODEL", shell_complete=shared.complete_models,
    help="Draw black squares, regions and the like from the answers of another model for each puzzle.",
)  # fmt: skip
@shared.data_options
@click.option(
    "-o", "--output", "--out", metavar="FILE",
    help="Write the puzzles to FILE (.txt, .csv, .pdf, .svg, .png or .html). In .txt each is a line, and in .csv it "
    "has its solution beside it; .pdf is a booklet, first the puzzles, then the solutions; the others are one sheet.",
)  # fmt: skip
@click.option(
    "--links", is_flag=True,
    help="Print each puzzle as a link to puzz.link, if it is of a kind that such links can hold. In a booklet, a code "
    "beside the puzzle opens it on a phone.",
)  # fmt: skip
@click.option(
    "--per-page", "per_page", type=click.IntRange(min=1, max=MOST_ON_A_PAGE), metavar="K",
    help=f"Puzzles on each page of a booklet.  [default: {ON_A_PAGE}]",
)  # fmt: skip
@click.option(
    "--paper", type=click.Choice(list(PAPERS)), default=next(iter(PAPERS)), show_default=True,
    help="The size of the pages of a booklet.",
)  # fmt: skip
@click.option("--author", metavar="NAME", help="Who made the puzzles, under the heading of a booklet's pages.")
@click.option(
    "--date", "when", metavar="TEXT",
    help='When they were made, beside the author.  [default: today; "" leaves it out]',
)  # fmt: skip
@click.option(
    "--theme", default="light", show_default=True, metavar="NAME", shell_complete=shared.complete_names("theme"),
    help="Colours of the picture: light, dark, print or mono.",
)  # fmt: skip
@shared.search_options
@shared.telling_options
def make_command(
    model: str, number: int, family: str | None, minimal: bool, fewest: bool, symmetry: str | None,
    at_most: int | None, grade: tuple[float, float] | None, layout: str | None, defines: tuple[str, ...],
    output: str | None,
    links: bool, per_page: int | None, paper: str, author: str | None, when: str | None, theme: str, as_json: bool,
    progress: bool, **words: Any,
) -> int:  # fmt: skip
    """Make puzzles: clues of MODEL that leave a random answer the only one.

    \b
    Examples:
      covr make sudoku --symmetry rotate
      covr make sudoku -n 100 -o puzzles.txt
      covr make sudoku -n 24 --grade 2..3 -o booklet.pdf
      covr make queens --fewest
    \f
      covr make akari --layout black_squares
      covr make sudoku -n 5 --links
      covr make sudoku_jigsaw --layout regions -D least=6 -D most=6

    Clues are choices of the family that the model's data give, such as the digits of a sudoku, or what its `clue`
    lines say, such as the numbers of slitherlink; --clues names another family. A model without clues, such as queens,
    will do, too. A model that has only one answer without clues is refused. A layout says with `clue` what stands in
    params of the same names in MODEL; -D sets its own params, too. Several puzzles are written as lines, or blocks of
    lines, that `covr solve --each` reads. The same --seed makes the same puzzles.

    The exit code is 0 if everything was made (with --fewest: and proved), 1 if MODEL has no answer, 2 if
    no puzzle can be made of it, and 3 if a limit was hit (if none is given, 60 seconds
    in which no puzzle came), or if puzzle after puzzle was not as asked for.
    """
    from covr.puzzles.made_puzzle import Wish

    options = shared.unverified_options_from(words)
    for flag, value in (("--per-page", per_page), ("--author", author), ("--date", when)):
        if value is not None and not is_booklet(output):
            raise click.UsageError(f"{flag} goes with -o FILE.pdf.")
    if links and as_json:
        raise click.UsageError("--links does not go with --json.")
    sheet = table = None
    if output is not None and not ends_in(output, TABLES):
        codes = links and is_booklet(output)
        sheet = Sheet(output, theme, per_page or ON_A_PAGE, paper, byline(author, when), codes)
    wish = Wish(family=family, fewest=fewest, symmetry=symmetry, at_most=at_most, minimal=minimal, grade=grade)
    run = _run(model, layout, defines, options, wish, number, output, links)
    known(UNKNOWN)
    if output is not None and sheet is None:
        table = PuzzleTable(output, graded=grade is not None)
    if as_json:
        writers.emit_start(run.compiled)
    made = _made(run, options, table, sheet, links, as_json, progress)
    code = known(_code(run, made))
    if table is not None and table.close():
        remark(f"wrote {output} ({quantity(len(made), 'puzzle')})")
    elif sheet is not None and made:
        with run.clock:
            sheet.save()
        remark(f"wrote {output} ({quantity(len(made), 'puzzle')}, then the solutions)")
    if as_json:
        _end(run, code)
    else:
        if number == 1 and made and output is None and not links:
            _show(made[0])
        _sum_up(run, made)
    return code


def _run(
    model: str, layout: str | None, defines: tuple[str, ...], options: Options, wish: Wish, number: int,
    output: str | None, links: bool,
) -> PuzzleRun:  # fmt: skip
    """What makes the puzzles. Raises ModelErrors if the output is a file that is read, or no link can hold them."""
    from covr.puzzles.making import MakeRun

    layout = layout or _usual(model, defines, wish)
    own, others = ((), defines) if layout is None else divided(layout, defines)
    compiled = shared.open_from(model, others, options=options)
    laid = None if layout is None else shared.open_from(layout, own, options=options)
    if output is not None:
        spare_own_files(compiled, output)
        if laid is not None:
            spare_own_files(laid, output)
    if links:
        from covr.inputs.as_link import linked_from

        linked_from(compiled)
    run: PuzzleRun
    if laid is None:
        run = MakeRun(compiled, options.alone(), wish, number)
    else:
        from covr.puzzles.layouts import LayoutRun

        run = LayoutRun(compiled, laid, options.alone(), wish, number)
    run.spend(options.elapsed(0.0) - run.seconds)
    return run


def _usual(model: str, defines: Sequence[str], wish: Wish) -> str | None:
    """The layout that the comment of a model file names, if neither what it says nor a family of clues is set."""
    from covr.dsl.format import usual_layout

    if wish.family is not None or not (model.endswith(".cover") or shipped(model)):
        return None
    name = usual_layout(find_source(model))
    if not name:
        return None
    says = {statement.param.id for statement in open_model(name).statements if isinstance(statement, Clue)}
    return None if any(define.partition("=")[0].strip() in says for define in defines) else name


def _made(
    run: PuzzleRun, options: Options, table: PuzzleTable | None, sheet: Sheet | None, links: bool, as_json: bool,
    progress: bool,
) -> list[MadePuzzle]:  # fmt: skip
    """The puzzles, each written as it is made."""
    made: list[MadePuzzle] = []
    lines = table is None and sheet is None and run.number > 1 and not links
    with run.clock, interrupts(run), following(run, progress and as_json) as meter:
        for puzzle in run.puzzles():
            made.append(puzzle)
            known(FOUND if run.made == run.number else UNKNOWN)
            with meter.aside():
                _write(puzzle, len(made), table, as_json, lines)
                link = _link(puzzle) if links else ""
                if links:
                    click.echo(link, nl=False)
                if sheet is not None:
                    left = None if options.limit_time is None else options.limit_time - run.seconds
                    sheet.add(puzzle, left, link.strip() if sheet.links else "")
                    run.reserve(sheet.needs)
    return made


def _code(run: PuzzleRun, made: list[MadePuzzle]) -> int:
    if run.status == "interrupted":
        return INTERRUPTED
    if run.status == "exhausted" and not made:
        return NONE
    whole = len(made) == run.number and (not run.wish.fewest or all(p.proved for p in made))
    return FOUND if whole else UNKNOWN


def divided(layout: str, defines: Sequence[str]) -> tuple[list[str], list[str]]:
    """The `-D` that set params of the layout, and the others, which are for the puzzle's model."""
    known = {d.name.id for d in open_model(layout).definitions if isinstance(d, Param)}
    own = [define for define in defines if define.partition("=")[0].strip() in known]
    return own, [define for define in defines if define not in own]


# --- where puzzles go ---


def _write(puzzle: MadePuzzle, number: int, table: PuzzleTable | None, as_json: bool, lines: bool) -> None:
    """Write a puzzle at once, wherever puzzles go as they are made."""
    if table is not None:
        table.add(puzzle, number)
    if as_json:
        writers.emit("puzzle", number=number, **puzzle.as_fields())
    elif lines:
        from covr.puzzles.made_puzzle import block

        click.echo(block(puzzle.record, number, puzzle.named), nl=False)


def _link(puzzle: MadePuzzle) -> str:
    from covr.inputs.as_link import linked_from, usual_form, written

    if puzzle.with_clues is None:
        raise usage_error("E603", "the puzzle can't be written as a link: its clues are no data of the model")
    linked = linked_from(puzzle.with_clues)
    return written(linked, usual_form(linked))


def byline(author: str | None, when: str | None) -> str:
    """What stands under the heading of a booklet: the author and the date, by default today's if there is an author."""
    from datetime import date

    if when is None:
        when = date.today().isoformat() if author else ""
    return " · ".join(part for part in (author or "", when) if part)


# --- what is said ---


def _show(puzzle: MadePuzzle) -> None:
    draw_titled(puzzle.compiled.title, puzzle.pictures)
    if puzzle.readable and "\n" not in puzzle.record:
        click.echo(f"\n{puzzle.record}")
    click.echo(f"\n{sentence(puzzle)}")


def sentence(puzzle: MadePuzzle) -> str:
    """`24 clues; none can be left out`, or with --fewest `19 clues, at least 17 are needed`; and the grade."""
    graded = "" if puzzle.grade is None else f"; grade {puzzle.grade:.2f}"
    return _counted(puzzle) + graded


def _counted(puzzle: MadePuzzle) -> str:
    if not puzzle.clues:
        return "its layout leaves one answer"
    many = quantity(len(puzzle), "clue")
    if puzzle.bound is not None:
        return f"{many}; fewer are not enough" if puzzle.proved else f"{many}; at least {puzzle.bound} are needed"
    return f"{many}; none can be left out"


def _sum_up(run: PuzzleRun, made: list[MadePuzzle]) -> None:
    from covr.puzzles.made_puzzle import SECONDS

    if not made and run.status == "exhausted":
        click.echo("no solution")
        return
    if made:
        drawn = "uniformly at random" if run.uniform else "at random, not uniformly"
        sizes = sorted({len(p) for p in made})
        size = f"{sizes[0]}" if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
        tried = f", {run.tried} tried" if run.tried > len(made) else ""
        clues = f" of {quantity(sizes[-1], 'clue', size)}" if sizes[-1] else ""
        what = f"{quantity(len(made), 'puzzle')}{clues} in {run.seconds:.1f} s{tried}"
        remark(f"{what}; answers drawn {drawn} (seed {run.seed})")
    if run.gave_up:
        left = "no other puzzle" if made else "no puzzle"
        remark(f"stopped: {left} was as asked for, of {run.rejected} that were made")
    elif run.status == "interrupted":
        remark(f"interrupted after {run.seconds:.1f} s: {quantity(len(made), 'puzzle')} of {run.number}")
    elif run.status == "limit":
        remark(f"a limit was hit after {run.seconds:.1f} s: {quantity(len(made), 'puzzle')} of {run.number}")
        if run.own_limit:
            remark(f"without --limit-time it ends after {SECONDS:.0f} seconds in which no puzzle is made")
        if not made and run.ambiguous:
            from covr.puzzles.making import without_partner

            answers = "1 answer that was" if run.ambiguous == 1 else f"each of {run.ambiguous} answers that were"
            symmetric = "symmetric " if run.wish.symmetry else ""
            leave = f"all {symmetric}clues together leave more than one answer, for {answers} drawn at random"
            remark(leave + without_partner(run))


def _end(run: PuzzleRun, code: int) -> None:
    writers.emit_ending(
        code,
        puzzles=run.made,
        asked=run.number,
        tried=run.tried,
        thrown=run.rejected,
        uniform=run.uniform,
        seed=run.seed,
        questions=run.questions,
        nodes=run.counters.nodes,
        seconds=round(run.seconds, 6),
    )


# --- Writes the puzzles of `covr make` as lines of text or of csv, each as soon as it is made -------------------------
# The file is created, or emptied, when there is a puzzle to put into it. Until then nothing is changed: where no puzzle
# can be made, or a limit comes first, a file of that name is left as it was.


TABLES = (".txt", ".csv")  # endings of files that hold puzzles as lines, rather than pictures of them


class PuzzleTable:
    """A file of puzzles as lines."""

    def __init__(self, file: str, graded: bool) -> None:
        """graded: whether puzzles have grades. Raises ModelErrors E605 if it is plain that no such file can be made."""
        self._file, self._graded = file, graded
        self._csv = ends_in(file, (".csv",))
        self._lines: LineFile | None = None
        try:
            _try(file)
        except (OSError, ValueError) as error:
            raise cannot(file, "be made", error) from None

    def add(self, puzzle: MadePuzzle, number: int) -> None:
        """Write a puzzle. number: which one it is, from 1. Raises ModelErrors E605 if that fails."""
        from covr.puzzles.made_puzzle import block

        lines = self._lines or self._open()
        lines.add(_table_row(puzzle) if self._csv else block(puzzle.record, number, puzzle.named), 1)

    def close(self) -> bool:
        """Close the file; whether there is one."""
        if self._lines is not None:
            self._lines.close()
        return self._lines is not None

    def _open(self) -> LineFile:
        lines = LineFile(self._file)
        try:
            lines.open()
        except (OSError, ValueError) as error:
            raise cannot(self._file, "be made", error) from None
        self._lines = lines
        if self._csv:
            lines.add(_row(*MADE, *(["grade"] if self._graded else [])))
        return lines


def _try(file: str) -> None:
    """Raise OSError or ValueError if a file can't be written, without changing it. A pipe is not opened, as its reader
    would take that for the end."""
    try:
        there = os.stat(file)
    except FileNotFoundError:
        folder = os.path.dirname(file) or "."
        os.stat(folder)
        if not os.access(folder, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), file) from None
        return
    if stat.S_ISREG(there.st_mode) or stat.S_ISDIR(there.st_mode):
        os.close(os.open(file, os.O_WRONLY))


def _table_row(puzzle: MadePuzzle) -> str:
    """A puzzle with its solution. What is read back stands there as it is, line after line within quotes."""
    grade = [] if puzzle.grade is None else [f"{puzzle.grade:.2f}"]
    return _row(puzzle.record if puzzle.readable else puzzle.line, puzzle.answer.line, len(puzzle), *grade)


def _row(*fields: object) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(fields)
    return text.getvalue()


# --- Draws the puzzles of `covr make` into a file: a booklet of pages as PDF, or one sheet in another format ----------
# The file is written anew from time to time, and always completely, so that not even a kill loses more than the last
# few puzzles.


SHARE = 20  # between two times the file is written lie so many times as many seconds as that takes
LEAST = 5.0  # seconds between two times at least
MARGIN = 1.2  # how many times as long the next time is taken to be as it was for each puzzle the last time


def is_booklet(file: str | None) -> bool:
    """Whether a file of that name is a booklet."""
    return file is not None and ends_in(file, (".pdf",))


class Sheet:
    """A file of pictures that puzzles are added to."""

    def __init__(self, file: str, theme: str, each: int, paper: str, byline: str = "", links: bool = False) -> None:
        """each: puzzles on a page of a booklet.  byline: under the heading of its pages.  links: whether puzzles have
        codes for cameras. Raises ModelErrors."""
        from covr.draw.book import check_target

        check_target(file, theme)
        if links:
            from covr.draw.booklet import check_segno

            check_segno()
        self._file, self._theme, self._each, self._paper, self._byline = file, theme, each, paper, byline
        self.links = links
        self._puzzles: list[Shown] = []
        self._solutions: list[Shown] = []
        self._title = self._rules = ""
        self._due = monotonic() + LEAST
        self._next = 1  # how many puzzles it must hold to be written, where time is limited
        self._each_takes = 0.0  # seconds for each puzzle when it was last written

    @property
    def needs(self) -> float:
        """How many seconds it will take to write the file, with one more puzzle, as far as is known."""
        return MARGIN * self._each_takes * (len(self._puzzles) + 1)

    def add(self, puzzle: MadePuzzle, left: float | None = None, link: str = "") -> None:
        """Add a puzzle, and write the file if it is time.

        left: the seconds that are left in all, if they are limited. Then it is also written whenever it holds twice as
        many puzzles as before, so that `needs` is known; and only while there is time to write it once more.  link:
        what a booklet shows as a code for cameras, or ""."""
        from covr.draw.book import Shown
        from covr.dsl.format import rule_sheet

        number = len(self._puzzles) + 1
        self._title = puzzle.compiled.title
        self._rules = rule_sheet(puzzle.compiled.model.source)
        booklet = is_booklet(self._file)
        caption = _caption(puzzle, number) if booklet else str(number)
        self._puzzles.append(Shown(puzzle.pictures, caption, link=link))
        self._solutions.append(Shown(puzzle.answer.pictures, str(number) if booklet else f"solution {number}"))
        due = monotonic() >= self._due
        if left is not None:
            due = (due or number >= self._next) and 2 * self.needs <= left
        if due:
            begin = monotonic()
            self.save()
            took = monotonic() - begin
            self._due = monotonic() + max(LEAST, SHARE * took)
            self._next, self._each_takes = 2 * number, took / number

    @unbroken
    def save(self) -> None:
        """Write the file. Raises ModelErrors."""
        from attrs import evolve

        from covr.draw.book import save, save_pages
        from covr.draw.booklet import booklet

        if is_booklet(self._file):
            pages = booklet(
                self._puzzles, self._solutions, self._title, self._theme, self._each, PAPERS[self._paper], self._rules,
                self._byline,
            )  # fmt: skip
            save_pages(self._file, pages)
        elif len(self._puzzles) == 1:
            one, other = self._puzzles[0], self._solutions[0]
            save(
                self._file, [evolve(one, caption="puzzle"), evolve(other, caption="solution")], self._title, self._theme
            )
        else:
            save(self._file, [*self._puzzles, *self._solutions], self._title, self._theme)


def _caption(puzzle: MadePuzzle, number: int) -> str:
    grade = "" if puzzle.grade is None else f" · grade {puzzle.grade:.2f}"
    many = len(puzzle)
    return f"{number} · {quantity(many, 'clue')}{grade}"
