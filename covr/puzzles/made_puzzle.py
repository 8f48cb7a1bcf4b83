"""A puzzle that was made, its data as records, the runs that make puzzles, and which choices may be clues."""

from __future__ import annotations

import copy
import csv
import io
import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from attrs import evolve, field

from covr.compiler import Choice, Compiled, FromText
from covr.compiler.clues import (
    ClueReader,
    ClueSpot,
    clue_spots,
    clue_statements_of,
    columned,
    reader_of,
    standing_clues,
)
from covr.compiler.display.show import option_marks
from covr.compiler.evaluate.bind import rebind
from covr.compiler.evaluate.picture_readers import picture_of
from covr.compiler.evaluate.table_readers import guarded
from covr.compiler.evaluate.values import Map, Record, Seq, Value, abbreviate, show_value
from covr.compiler.evaluate.values.showing import show_exactly
from covr.compiler.lattices import LatticeCell
from covr.compiler.matrix_model import unsolved
from covr.dsl.diagnostics import Diagnostic, ModelErrors, Span
from covr.dsl.scope import walk
from covr.dsl.syntax import Given, Name, Number, Param
from covr.engine.base.limits import Counters, Deadline, Limits, Status, whole
from covr.engine.dispatch import search
from covr.engine.puzzles.clues import Uniqueness
from covr.engine.puzzles.puzzle_attempts import UnitPattern
from covr.faults import usage_error
from covr.frozen import frozen
from covr.inputs.collection import open_collection
from covr.questions.answer import Answer, choice_fields
from covr.questions.options import Options
from covr.questions.run import Progress, refuse_narrowed

if TYPE_CHECKING:
    from os import PathLike

    from covr.compiler import Compiled
    from covr.compiler.display.prints import Picture


@frozen
class MadePuzzle:
    """A puzzle that was made.
    clues: the choices that are given, in documented order; a clue that rules read is named after its param, with its
    place and what it says.  answer: the only answer.
    line: the clues on one line.  record: the clues as text: the line, or the rows of the board where they do not fit on
    one. If `readable`, `--each` reads it back as the param `param`, or as several params, each under its name.
    minimal: whether it is known that no clue can be left out (with a symmetry: none with its partners).
    bound: a proved bound below the number of clues; None if the fewest were not looked for.  proved: whether they are
    fewest.
    grade: as `covr grade` gives it; None unless a range of grades was asked for.
    data: where the clues stand in params that rules read, or a layout was drawn: each of these params as text."""

    compiled: Compiled = field(repr=False, eq=False)
    clues: tuple[Choice, ...]
    answer: Answer
    line: str
    record: str
    minimal: bool
    bound: int | None = None
    param: str | None = None
    grade: float | None = None
    data: Mapping[str, str] = field(factory=dict, eq=False, repr=False)

    @property
    def readable(self) -> bool:
        """Whether `--each` reads the record back."""
        return self.param is not None or bool(self.data)

    @property
    def named(self) -> bool:
        """Whether the params of the record stand under their names."""
        return self.param is None and bool(self.data)

    @property
    def with_clues(self) -> Compiled | None:
        """The model with the clues as its data; None if `--each` does not read them."""
        if self.data:
            return self.compiled
        if self.param is None:
            return None
        return self.compiled.with_data({self.param: FromText(self.record, "the puzzle", plain=True)})

    @property
    def proved(self) -> bool:
        return self.bound == len(self.clues)

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """The puzzle before it is solved."""
        return unsolved(self.compiled)

    def as_fields(self) -> dict[str, Any]:
        """For `json`: its clues, its record, and its answer."""
        return {
            "clues": list(map(choice_fields, self.clues)),
            "size": len(self),
            "text": self.record,
            "param": self.param,
            "data": dict(self.data) if self.named else None,
            "solution": self.answer.line,
            "minimal": self.minimal,
            "bound": self.bound,
            "proved": None if self.bound is None else self.proved,
            "grade": self.grade,
        }

    def as_text(self) -> str:
        """The puzzle as `covr make` prints it, without colours."""
        from covr.draw.text import as_text

        return as_text(self.pictures)

    __str__ = as_text

    def __len__(self) -> int:
        return len(self.clues)

    def svg(self, theme: str = "light") -> str:
        """The puzzle as an SVG document."""
        from covr.draw.book import Shown, draw_svg

        return draw_svg([Shown(self.pictures)], self.compiled.title, theme)

    def save(self, path: str | PathLike[str], theme: str = "light") -> None:
        """Draw it into a file: .svg, .html, .png or .pdf. Raises ModelErrors if that can't be done."""
        from covr.draw.book import Shown, save

        save(path, [Shown(self.pictures)], self.compiled.title, theme)

    def _repr_svg_(self) -> str:
        return self.svg()


def rows_of(pictures: Sequence[Picture]) -> str:
    """The rows of a board, one on each line; empty if there isn't one rectangular board."""
    from covr.draw.text import one_line

    if len(pictures) != 1 or pictures[0].axes != 2 or not pictures[0].low:
        return ""
    board = pictures[0]
    width = board.high[1] - board.low[1] + 1
    line = one_line(pictures)
    cells, between = (line.split(" "), " ") if " " in line else (list(line), "")
    if len(cells) % width:
        return ""
    return "\n".join(between.join(cells[at : at + width]) for at in range(0, len(cells), width))


def given_as(compiled: Compiled, options: Sequence[int]) -> Compiled:
    """The same model in which exactly these options are given."""
    compiled.pictures(())  # what is drawn once for all answers is kept, and shared with the copy
    twin = copy.copy(compiled)
    for name in ("impossible", "warnings", "symmetry"):
        twin.__dict__.pop(name, None)
    given = tuple(sorted(options))
    lowered = evolve(compiled.lowered, problem=evolve(compiled.lowered.problem, given=given), givens=())
    vars(twin).update(problem=evolve(compiled.problem, given=given), lowered=lowered)
    return twin


# --- puzzle records --------------------------------------------------------------------------------------------------
# The data of a puzzle as text that `--each` reads back (inputs/collection.py). One param is written under its name,
# too, where its text alone would be read otherwise, as a row of black squares is taken for a comment: the reader itself
# is asked.


BLANK = "."


def recorded(puzzle: MadePuzzle, names: Iterable[str], named: bool = False) -> MadePuzzle:
    """The same puzzle with its record, which holds these params, and those that hold its clues.
    named: whether each stands under its name, however it would be read without it."""
    compiled = puzzle.with_clues or puzzle.compiled
    own = [*puzzle.data, *([] if puzzle.param is None else [puzzle.param])]
    data = {name: written(compiled, name) for name in dict.fromkeys([*names, *own])}
    if puzzle.param is not None:
        data[puzzle.param] = puzzle.record
    unread = puzzle.record if puzzle.clues and not own else ""  # clues that are no data of the model
    record = named_record(data)
    readable = not unread and bool(data) and _read_from_file(compiled, record, dict.fromkeys(data))
    bare = readable and not named and len(data) == 1 and _stands_alone(compiled, data)
    if bare:
        (record,) = data.values()
    record += f"\n{unread}" if unread else ""
    return evolve(
        puzzle,
        compiled=compiled,
        line=" / ".join(record.split("\n")),
        record=record,
        param=next(iter(data)) if bare else None,
        data=data if readable else {},
    )


def named_record(data: Mapping[str, str]) -> str:
    """Params as one record, each under its name."""
    return "\n".join(f"{name}:\n{text}" if "\n" in text else f"{name}: {text}".rstrip() for name, text in data.items())


def written(compiled: Compiled, name: str) -> str:
    """The value of a param as text, as its reader or `-D` reads it."""
    value = compiled.scope.value(name)
    if isinstance(value, Map) and value.shape is not None:
        return _rows(value, value.shape)
    if isinstance(value, Map) and value.lattice is not None and value.places is not None:
        texts: dict[tuple[int, ...], str] = {}
        for cell in value.places:
            at: Any = cell.at if isinstance(cell, LatticeCell) else cell  # cubes are plain tuples
            texts[at] = show_value(value.entries[cell]) if cell in value.entries else BLANK
        return picture_of(value.lattice, texts)
    reader = reader_of(compiled, name)
    if isinstance(value, Seq) and reader in ("table", "csv") and all(isinstance(x, Record) for x in value.items):
        rows = [row for row in value.items if isinstance(row, Record)]
        return _table(rows, reader == "csv", columned(compiled, name))
    if isinstance(value, Seq) and reader == "list":
        return " ".join(map(show_value, value.items))
    return show_exactly(value)


def _table(rows: Sequence[Record], as_csv: bool, known: bool) -> str:
    """A table as its reader takes it: words, or csv where words are not enough.
    known: whether the reader knows the columns, which are else named in the first line."""
    names = rows[0].names if rows else ()
    head = [n + "…" * isinstance(value, Seq) for n, value in zip(names, rows[0].items, strict=True)] if rows else []
    lines = [[_field(value) for value in row.items] for row in rows]
    single = [field for row, line in zip(rows, lines, strict=True) for value, field in zip(row.items, line, strict=True)
              if not isinstance(value, Seq)]  # fmt: skip
    if as_csv or (not known and any(field.split() != [field] for field in single)):
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([names, *(map(guarded, line) for line in lines)])
        return text.getvalue().rstrip("\n")
    return "\n".join(" ".join(line) for line in ([] if known else [head]) + lines)


def _field(value: Value) -> str:
    return " ".join(map(show_value, value.items)) if isinstance(value, Seq) else show_value(value)


def _rows(grid: Map, shape: tuple[int, int]) -> str:
    high, wide = shape
    words = [
        [show_value(grid.entries[r, c]) if (r, c) in grid.entries else BLANK for c in range(1, wide + 1)]
        for r in range(1, high + 1)
    ]
    width = max((len(word) for row in words for word in row), default=1)
    if width == 1:
        return "\n".join("".join(row) for row in words)
    return "\n".join(" ".join(word.rjust(width) for word in row) for row in words)


def block(record: str, number: int, named: bool) -> str:
    """A record as a line, or as a block of lines; blank lines stand between blocks. number: from 1.
    named: whether its params stand under their names."""
    return ("\n" if number > 1 and (named or "\n" in record) else "") + record + "\n"


def _stands_alone(compiled: Compiled, data: Mapping[str, str]) -> bool:
    """Whether the text of the only param is read as it is, as `-D` gives it and in a file, alone and among others."""
    ((name, text),) = data.items()
    if "#" in text:  # in another puzzle of the same run it may begin a line, which is then a comment
        return False
    return (
        _reads(compiled, {name: FromText(text, name)})
        and _read_from_file(compiled, text, {name: None}, name)
        and _read_from_file(compiled, text, {name: None}, name, 2)
    )


def _read_from_file(compiled: Compiled, record: str, names: Iterable[str], name: str = "", copies: int = 1) -> bool:
    """Whether a file of so many copies of a record holds as many records of these params. name: as of
    `open_collection`."""
    lines = "".join(block(record, number, not name) for number in range(1, copies + 1)).split("\n")[:-1]
    with suppress(ModelErrors):
        collection = open_collection(compiled, name, "the puzzle", lines, None, eager=False)
        found = [collection.values(each) for each in collection.records]
        return len(found) == copies and all(given.keys() == set(names) and _reads(compiled, given) for given in found)
    return False


def _reads(compiled: Compiled, given: Mapping[str, object]) -> bool:
    with suppress(ModelErrors):
        again = rebind(compiled.scope, given)
        return all(_same(compiled.scope.value(name), again.value(name)) for name in given)
    return False


def _same(value: Value, found: Value) -> bool:
    if isinstance(value, Map) and isinstance(found, Map):
        return value == found and (value.shape, value.places) == (found.shape, found.places)
    return bool(value == found)


# --- puzzle run ------------------------------------------------------------------------------------------------------


SECONDS = 60.0  # that may pass without a puzzle where no limit is given and not the fewest clues are looked for


def _range(_: object, __: object, grade: tuple[float, float] | None) -> None:
    if grade is not None and not 0 <= grade[0] <= grade[1]:
        raise ValueError(f"no grade lies from {grade[0]} to {grade[1]}")


@frozen
class Wish:
    """What a puzzle is to be like.
    family: of the clues; None for the one that the model's data speak of.  fewest: look for the fewest clues.
    symmetry: a name in `SYMMETRIES`, or None.  at_most: the most clues, or None.
    minimal: with a symmetry, whether no single clue may be one too many, and not only none with its partners.
    fits: a further test of each puzzle, or None.
    grade: the least and the greatest grade (as `covr grade` gives it), or None. ValueError for an empty range."""

    family: str | None = None
    fewest: bool = False
    symmetry: str | None = None
    at_most: int | None = None
    minimal: bool = False
    fits: Callable[[MadePuzzle], bool] | None = None
    grade: tuple[float, float] | None = field(default=None, validator=_range)


def refuse_unfit(compiled: Compiled) -> None:
    """Raises ModelErrors E510 for a model of whose answers only some count."""
    refuse_narrowed(
        compiled,
        "a puzzle has one answer, not one best answer among others",
        "the answer of a puzzle is one answer, not a class",
        "the answer of a puzzle is one answer, not several that agree",
    )


class PuzzleRun(ABC):
    """Puzzles of one model. Iterate over `puzzles` once.
    seed: makes the same puzzles again.  status: `solved` once all are made; `exhausted` if there is nothing to make
    them of; `limit` or `interrupted`.  made, tried, rejected: how many puzzles there are, how many attempts were made,
    and how many of these were thrown away.  gave_up: whether it ended because too many in a row were.
    ambiguous: answers since the last puzzle that all their clues leave not alone.
    unpaired: how many places of clues have no partner under the symmetry.  others: external solvers to suggest: none.
    """

    others: tuple[str, ...] = ()
    _asked: Uniqueness  # holds the limits and the clock; set by whoever inherits from this

    def __init__(self, compiled: Compiled, options: Options, wish: Wish, number: int) -> None:
        """Raises ModelErrors E510 for a model of whose answers only some count, E505 for an engine that can't answer
        this, and ValueError for numbers that are not whole numbers from 1."""
        refuse_unfit(compiled)
        options.ask(False)
        if wish.at_most is not None:
            whole(wish.at_most, "at_most", 0)
        self.number = whole(number, "number", 1)
        self.compiled, self.options, self.wish = compiled, options, wish
        self.seed = random.SystemRandom().randrange(1 << 32) if options.seed is None else options.seed
        self.status = Status.RUNNING
        self.made = self.tried = self.rejected = 0
        self.gave_up = False
        self.ambiguous = self.unpaired = 0
        self._in_a_row = 0  # attempts since the last puzzle
        self._nodes = self._questions = 0  # of attempts made by other processes

    @abstractmethod
    def puzzles(self) -> Iterator[MadePuzzle]:
        """Yields the puzzles as they are made: fewer than asked for if a limit or Ctrl-C ends the run."""

    @abstractmethod
    def progress(self) -> Progress:
        """The share of the puzzles that are made. May be called from any thread."""

    @abstractmethod
    def interrupt(self) -> None:
        """Ask to stop; may be called from any thread."""

    @property
    def own_limit(self) -> bool:
        """Whether the run ends after `SECONDS` without a puzzle, as no other limit was given."""
        return self.options.limit_time is None and self.options.limit_nodes is None and not self.wish.fewest

    def _allow(self) -> None:
        """Let `SECONDS` pass from now on until the next puzzle, if there is no other limit."""
        if self.own_limit:
            self.clock.most = self.clock.spent + SECONDS

    @property
    @abstractmethod
    def uniform(self) -> bool:
        """Whether every answer had the same chance; known once the first puzzle is made."""

    @property
    def counters(self) -> Counters:
        """The work so far; the answers are the puzzles made."""
        return Counters(nodes=self._asked.nodes + self._nodes, answers=self.made)

    @property
    def questions(self) -> int:
        """How often it was asked whether an answer is the only one, or random ones were looked for."""
        return self._asked.questions + self._questions

    @property
    def seconds(self) -> float:
        """The time spent making puzzles, with what `spend` and `clock` added."""
        return self._asked.clock.spent

    @property
    def clock(self) -> Deadline:
        """The clock of the limit of time. Whoever lets it run has the time between two puzzles counted as well."""
        return self._asked.clock

    def spend(self, seconds: float) -> None:
        """Add time that the caller spent on a puzzle, if the limit of time is to cover both."""
        self._asked.clock.spend(seconds)

    def reserve(self, seconds: float) -> None:
        """Leave so many seconds of the limit of time, if there is one, to the caller, who needs them at the end."""
        if self.options.limit_time is not None:
            self._asked.clock.most = max(self.options.limit_time - seconds, 0.0)


# --- clue check ------------------------------------------------------------------------------------------------------
# Where a clue in the data contradicts its `clue` statement, one of both is wrong, or the rule that reads the clue.
# Where the answer is not the only one, or not found within `NODES`, nothing is said.


SECRET = "?"  # what stands for a clue, or a part of one, that is not told, as everywhere in the gallery
NODES = 20_000  # of the search for the only answer
MOST = 20  # clues that are reported, at most


def contradicted_clues(compiled: Compiled) -> list[Diagnostic]:
    """A warning W217 for each clue in the data that contradicts the model's only answer. Raises ModelErrors for a
    `clue` that can't be evaluated."""
    if compiled.is_matrix or not clue_statements_of(compiled) or compiled.goal is not None or compiled.has_symmetry:
        return []
    spots = clue_spots(compiled)
    reader = ClueReader(compiled, spots)
    problem = evolve(compiled.problem, costs=(), item_names=(), option_names=())
    run = search(problem, limits=Limits(answers=2, nodes=NODES))
    answers = list(run)
    if run.status is not Status.EXHAUSTED or len(answers) != 1:
        return []
    found = []
    standing = standing_clues(compiled, spots)
    for spot, stands, wanted in zip(spots, standing, reader.every(answers[0]), strict=True):
        if stands is not None and SECRET not in str(stands) and wanted and stands not in wanted:
            found.append(_warning(compiled, spot, stands, wanted[0]))
    return found[:MOST]


def _warning(compiled: Compiled, spot: ClueSpot, stands: Value, wanted: Value) -> Diagnostic:
    statement = spot.statements[0][0]
    key = ", ".join(map(abbreviate, spot.key)) if isinstance(spot.key, tuple) else abbreviate(spot.key)
    message = f"`{spot.param}[{key}]` is {abbreviate(stands)}, and "
    message += f"would be {abbreviate(wanted)}"
    place = _origin(compiled, spot)
    notes = () if place is None else (f"so says `{statement.span.one_line}`",)
    help = "the answer is the only one; look at the clue, at the rule that reads it, and at the `clue`"
    return Diagnostic("W217", f"{message} for the model's answer", place or statement.span, help, notes)


def _origin(compiled: Compiled, spot: ClueSpot) -> Span | None:
    table = compiled.scope.value(spot.param)
    return table.origin(spot.key) if isinstance(table, Map) and table.origin is not None else None


# --- clue choices ----------------------------------------------------------------------------------------------------
# A `given` that reads a param which nothing else reads, such as the `clue` of a sudoku, says by that which family the
# clues are of. The choices that such data give are dropped; everything else stays. A model with one family needs no
# such data.


def clue_statements(compiled: Compiled, family: str | None = None) -> list[tuple[Given, frozenset[str]]]:
    """The `given` statements (of one family) that read params which nothing else reads, with these params."""
    params = {d.name.id for d in compiled.model.definitions if isinstance(d, Param)}
    found = []
    for statement in compiled.model.statements:
        if isinstance(statement, Given) and family in (None, statement.family.id):
            names = {node.id for node in walk(statement) if isinstance(node, Name)}
            read = names.union(*(compiled.scope.depends(name) for name in names)) & params
            own = frozenset(name for name in read if compiled.only_givens_use(frozenset([name])))
            if own:
                found.append((statement, own))
    return found


def clue_family(compiled: Compiled) -> str:
    """The family that the model's data give clues of. Raises ModelErrors E515 if that is not clear."""
    named = list(dict.fromkeys(s.family.id for s, _ in clue_statements(compiled)))
    families = named or list(compiled.lowered.families)
    if len(families) == 1:
        return families[0]
    help = f"name one with --clues: {', '.join(f'`{name}`' for name in families)}" if families else ""
    if not named:
        help += rules_of(compiled)
    if named:
        raise usage_error("E515", "the model's data give clues of several families", help=help)
    raise usage_error("E515", "the model doesn't say which family its clues are of", help=help)


def rules_of(compiled: Compiled) -> str:
    """The end of a sentence of help: which params hold no clues, because rules read them; "" if there are none.
    Numbers, such as the side of a board, are not named."""
    params = [d for d in compiled.model.definitions if isinstance(d, Param)]
    names = [d.name.id for d in params if not isinstance(d.value, Number)]
    rules = [name for name in names if not compiled.only_givens_use(frozenset([name]))]
    if not rules:
        return ""
    listed = ", ".join(f"`{name}`" for name in rules)
    return f"; {listed} {'is' if len(rules) == 1 else 'are'} part of the rules here, and no clues of them can be made"


def kept_givens(compiled: Compiled, family: str) -> tuple[int, ...]:
    """The given options that stay: all but those that data for clues of this family give."""
    spans = {id(s.span) for s, _ in clue_statements(compiled, family)}
    options = compiled.lowered.choice_options
    dropped = {options[g.number] for g in compiled.givens if id(g.span) in spans}
    needed = {options[g.number] for g in compiled.givens if id(g.span) not in spans}
    return tuple(o for o in compiled.problem.given if o in needed or o not in dropped)


# --- patterns --------------------------------------------------------------------------------------------------------
# A symmetry is that of a board with two coordinates, or of the layers of one with three. The partners of a choice are
# those drawn at the images of its places; one with an image where no clue could stand is in no symmetric pattern.


Place = tuple[int, ...]
Image = Callable[[int, int, int, int], tuple[int, int]]

# For each name, the maps that generate it. Row and column count from 0; h and w are the last row and column.
SYMMETRIES: Mapping[str, tuple[Image, ...]] = {
    "rotate": (lambda r, c, h, w: (h - r, w - c),),
    "quarter": (lambda r, c, h, w: (c, h - r),),
    "mirror": (lambda r, c, h, w: (r, w - c),),
    "flip": (lambda r, c, h, w: (h - r, c),),
    "cross": (lambda r, c, h, w: (r, w - c), lambda r, c, h, w: (h - r, c)),
    "diagonal": (lambda r, c, h, w: (c, r),),
    "antidiagonal": (lambda r, c, h, w: (w - c, h - r),),
    "full": (lambda r, c, h, w: (c, h - r), lambda r, c, h, w: (r, w - c)),
}
TURNED = frozenset({"quarter", "diagonal", "antidiagonal", "full"})  # those that exchange rows and columns


def clue_pattern(compiled: Compiled, name: str, options: Sequence[int]) -> UnitPattern:
    """Which of these options are given together. name: one of SYMMETRIES.
    Raises ModelErrors E515 for an unknown symmetry, or if there is no single board that has it."""
    if name not in SYMMETRIES:
        raise usage_error("E515", f"there is no symmetry `{name}`", word=name, known=list(SYMMETRIES))
    boards = [p for p in compiled.pictures(()) if p.axes]
    if len(boards) != 1 or boards[0].axes < 2 or not boards[0].low:
        help = "leave out --symmetry, or add a `show … at` that draws one board"
        raise usage_error("E515", "the model has no single board that could be symmetric", help=help)
    board = boards[0]
    if board.lattice is not None:
        raise usage_error("E515", "symmetric patterns are for boards of squares", help="leave out --symmetry")
    number: dict[Place, int] = {}
    stands: dict[int, tuple[int, ...]] = {}
    images: dict[int, tuple[int, ...]] = {}
    if not _is_symmetric(board, name):
        raise usage_error("E515", f"the board does not have the symmetry `{name}`")
    for o in options:
        places = [at for at, _ in option_marks(compiled.drawings, compiled.lowered.option_choices[o])]
        mapped = [_image(board, image, place) for image in SYMMETRIES[name] for place in places]
        stands[o] = tuple(number.setdefault(place, len(number)) for place in places)
        images[o] = tuple(number.setdefault(place, len(number)) for place in mapped)
    return UnitPattern(stands, images)


def _image(board: Picture, image: Image, place: Place) -> Place:
    (top, left), (bottom, right) = board.low[-2:], board.high[-2:]
    r, c = image(place[-2] - top, place[-1] - left, bottom - top, right - left)
    return (*place[:-2], r + top, c + left)


def _is_symmetric(board: Picture, name: str) -> bool:
    (top, left), (bottom, right) = board.low[-2:], board.high[-2:]
    if name in TURNED and bottom - top != right - left:
        return False
    places = set(board.places)
    return all(_image(board, each, place) in places for each in SYMMETRIES[name] for place in places)
