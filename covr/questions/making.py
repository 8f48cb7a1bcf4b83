"""Makes puzzles: a random answer of a model, and clues of one family that leave it the only one.

Which choices may be clues. A model whose `given` reads a param that nothing else reads, such as the `clue` of a sudoku,
says by that which family its clues are of; other statements of `given` are rules of the puzzle. The choices that such
data give are dropped, and everything else stays. `family` names another family. A model with one family needs neither.

A puzzle is made in these steps, with one set of masks for all puzzles of a run: a random answer is drawn
(engine/random_answers.py); all its clues together must leave it the only one; then clues are left out one at a time
until none can be (engine/clues.py), or the fewest are looked for (engine/fewest_clues.py). A puzzle that is not as
asked for, or was made before, is thrown away, and another one is made. The same seed makes the same puzzles: only a
limit or Ctrl-C ends them earlier.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from attrs import evolve, field, frozen

from covr.compiler import FromText
from covr.compiler.unsolved import unsolved
from covr.dsl.diagnostics import ModelErrors
from covr.dsl.syntax import Given, Name, Param
from covr.dsl.walk import walk
from covr.engine.clues import Uniqueness, Unit, flat, thin
from covr.engine.fewest_clues import FewestSearch
from covr.engine.heed import Stopped
from covr.engine.random_answers import RandomAnswers
from covr.engine.status import Counters, Status
from covr.engine.whole import whole
from covr.faults import usage_error
from covr.questions.answer import Answer
from covr.questions.options import Options
from covr.questions.patterns import CluePattern
from covr.questions.run import Progress
from covr.questions.sided import refuse_narrowed

if TYPE_CHECKING:
    from os import PathLike

    from covr.compiler import Choice, Compiled
    from covr.compiler.display.picture import Picture
    from covr.engine import Problem

TRIES = 2000  # puzzles that are thrown away in a row before no more are made
SAME = 100  # puzzles in a row that were made before; then no other one is looked for
UNFIT = 50  # answers in a row that all their clues together don't leave the only one


@frozen
class MadePuzzle:
    """A puzzle that was made.

    clues: the choices that are given, in documented order.  answer: the only answer.
    line: the clues on one line.  record: the clues as text; if `readable`, `--each` reads it back as the param `param`.
    It is the line, or the rows of the board where the model's data do not fit on one line.
    minimal: whether it is known that no clue can be left out (with a symmetry: none with its partners).
    bound: no set of fewer clues leaves this answer the only one, as far as is proved; None if the fewest were not
    looked for.  proved: whether there are proved to be no fewer.
    """

    compiled: Compiled = field(repr=False, eq=False)
    clues: tuple[Choice, ...]
    answer: Answer
    line: str
    record: str
    minimal: bool
    bound: int | None = None
    param: str | None = None

    @property
    def readable(self) -> bool:
        """Whether `--each` reads the record back."""
        return self.param is not None

    @property
    def proved(self) -> bool:
        return self.bound == len(self.clues)

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """The puzzle before it is solved."""
        return unsolved(self.compiled)

    def as_text(self) -> str:
        """The puzzle as `covr make` prints it, without colours."""
        from covr.draw.text import as_text

        return as_text(self.pictures)

    __str__ = as_text

    def __len__(self) -> int:
        return len(self.clues)

    def svg(self, theme: str = "light") -> str:
        """The puzzle as an SVG document."""
        from covr.draw.svg import Shown, draw_svg

        return draw_svg([Shown(self.pictures)], self.compiled.title, theme)

    def save(self, path: str | PathLike[str], theme: str = "light") -> None:
        """Draw it into a file: .svg, .html, .png or .pdf. Raises ModelErrors if that can't be done."""
        from covr.draw.files import save
        from covr.draw.svg import Shown

        save(path, [Shown(self.pictures)], self.compiled.title, theme)

    def _repr_svg_(self) -> str:
        return self.svg()


@frozen
class Wish:
    """What a puzzle is to be like.

    family: of the clues; None for the one that the model's data speak of.  fewest: look for the fewest clues.
    symmetry: a name in patterns.py, or None.  at_most: the most clues, or None.
    minimal: with a symmetry, whether no single clue may be one too many, and not only none with its partners.
    fits: a further test of each puzzle, or None; those that fail it are thrown away.
    """

    family: str | None = None
    fewest: bool = False
    symmetry: str | None = None
    at_most: int | None = None
    minimal: bool = False
    fits: Callable[[MadePuzzle], bool] | None = None


class MakeRun:
    """Puzzles of one model. Iterate over `puzzles` once.

    seed: makes the same puzzles again.  status: `solved` once all are made; `exhausted` if the model has no answer;
    `limit` or `interrupted`.  thrown: how many puzzles were thrown away in all.  in_vain: whether it ended because
    `TRIES` puzzles in a row were thrown away, or `SAME` were made before.
    """

    def __init__(self, compiled: Compiled, options: Options = Options(), wish: Wish = Wish(), number: int = 1) -> None:  # noqa: B008
        """Raises ModelErrors E510 for a model with a goal, `up to` or `answers by`, E515 where no clues are known, E505
        for an engine that can't answer this, and ValueError for numbers that are not whole numbers from 1."""
        _refuse(compiled)
        options.ask(False)
        if wish.at_most is not None:
            whole(wish.at_most, "at_most", 0)
        self.number = whole(number, "number", 1)
        self.compiled, self.options, self.wish = compiled, options, wish
        self.seed = random.SystemRandom().randrange(1 << 32) if options.seed is None else options.seed
        self._rng = random.Random(self.seed)
        self.family = wish.family if wish.family is not None else _family(compiled)
        if self.family not in compiled.lowered.families:
            known = list(compiled.lowered.families)
            raise usage_error("E515", f"the model has no family `{self.family}`", word=self.family, known=known)
        self._kept = _kept_givens(compiled, self.family)
        self._pattern = None if wish.symmetry is None else CluePattern(compiled, wish.symmetry)
        problem: Problem = evolve(compiled.problem, given=self._kept)
        settings = evolve(options, seed=None).settings()
        self._asked = Uniqueness(problem, options.limits(), settings)
        self._source = RandomAnswers(self._asked)
        self.status = Status.RUNNING
        self.made = self.thrown = 0
        self.in_vain = False
        self._fewest: FewestSearch | None = None
        self._seen: set[tuple[int, ...]] = set()
        self._again = 0  # puzzles since the last new one that were made before

    # --- where it stands ---

    @property
    def uniform(self) -> bool:
        """Whether every answer had the same chance; known once the first puzzle is made."""
        return self._source.uniform

    @property
    def counters(self) -> Counters:
        """The work so far; the answers are the puzzles made."""
        return Counters(nodes=self._asked.nodes, answers=self.made)

    @property
    def questions(self) -> int:
        """How often it was asked whether an answer is the only one, or random ones were looked for."""
        return self._asked.questions

    @property
    def seconds(self) -> float:
        """The time spent making puzzles."""
        return self._asked.clock.spent

    @property
    def others(self) -> tuple[str, ...]:
        """External solvers to suggest to the user; there are none for this question."""
        return ()

    def interrupt(self) -> None:
        """Ask to stop; may be called from any thread."""
        self._asked.interrupt()

    def progress(self) -> Progress:
        """The share of the puzzles that are made; while the fewest clues are looked for, their bounds. May be called
        from any thread."""
        fewest = self._fewest
        best, bound = (None, None) if fewest is None else (fewest.size, fewest.bound)
        return Progress(self.made / self.number, self._asked.nodes, self.made, best, bound)

    # --- making ---

    def puzzles(self) -> Iterator[MadePuzzle]:
        """Yields the puzzles as they are made: fewer than asked for if a limit or Ctrl-C ends the run. Raises
        ModelErrors E515 if the clues leave no answer that was drawn the only one."""
        while self.made < self.number and self.status is Status.RUNNING:
            found = None
            try:
                with self._asked:
                    found = self._make()
            except Stopped as stopped:
                self.status = stopped.status
            if found is not None:
                self.made += 1
                yield found
        if self.status is Status.RUNNING:
            self.status = Status.SOLVED

    def _make(self) -> MadePuzzle | None:
        """The next puzzle; None if there is none, with a status that says why."""
        unfit = 0
        for _ in range(TRIES):
            answer = self._source.draw(self._rng)
            if answer is None:
                self.status = Status.EXHAUSTED
                return None
            units = self._units(answer)
            rival = self._asked.other(answer, flat(units))
            if rival is not None:
                unfit += 1
                if unfit == UNFIT:
                    raise self._too_few(answer, rival)
                continue
            made = self._puzzle(answer, units)
            if made is not None or self.status is not Status.RUNNING:
                return made
            self.thrown += 1
            if self._again == SAME:
                break
        self.status, self.in_vain = Status.LIMIT, True
        return None

    def _units(self, answer: Sequence[int]) -> list[Unit]:
        family = self.compiled.lowered.families[self.family]
        numbers = range(family.first, family.first + len(family.choices))
        kept = set(self._kept)
        choices = self.compiled.lowered.option_choices
        clues = [o for o in answer if choices[o] in numbers and o not in kept]
        return [(o,) for o in clues] if self._pattern is None else self._pattern.units(clues)

    def _puzzle(self, answer: tuple[int, ...], units: list[Unit]) -> MadePuzzle | None:
        """A puzzle with that answer; None if it is not as asked for."""
        bound = None
        minimal = True
        if self.wish.fewest:
            self._fewest = FewestSearch(self._asked, answer, units, self._rng)
            found = self._fewest.run()
            clues, bound, minimal = flat(found.units), found.bound, found.minimal
            if not found.proved:
                self.status = found.status
            self._fewest = None
        else:
            clues = flat(thin(self._asked, answer, units, self._rng))
        clues = sorted(clues)
        key = tuple(clues)
        if key in self._seen:
            self._again += 1
            return None
        if self.wish.at_most is not None and len(clues) > self.wish.at_most:
            return None
        if self.wish.minimal and self.wish.symmetry is not None and not self._tight(answer, clues):
            return None
        puzzle = self._described(answer, clues, minimal, bound)
        if self.wish.fits is not None and not self.wish.fits(puzzle):
            return None
        self._seen.add(key)
        self._again = 0
        return puzzle

    def _tight(self, answer: tuple[int, ...], clues: list[int]) -> bool:
        """Whether no single clue can be left out."""
        return all(self._asked.other(answer, [o for o in clues if o != left]) is not None for left in clues)

    def _described(self, answer: tuple[int, ...], clues: list[int], minimal: bool, bound: int | None) -> MadePuzzle:
        from covr.draw.compact import one_line

        twin = given_as(self.compiled, [*self._kept, *clues])
        line = one_line(twin.puzzle())
        record, param = line, None
        for text in (line, _rows(twin.puzzle())):
            if self._param is not None and self._reads_back(self._param, text, twin.problem.given):
                record, param = text, self._param
                break
        return MadePuzzle(twin, twin.choices(clues), Answer(self.compiled, answer), line, record, minimal, bound, param)

    @cached_property
    def _param(self) -> str | None:
        """The param whose data are the clues; None if there isn't exactly one."""
        names = {name for _, params in _clue_statements(self.compiled, self.family) for name in params}
        return next(iter(names)) if len(names) == 1 else None

    def _reads_back(self, param: str, line: str, given: tuple[int, ...]) -> bool:
        with suppress(ModelErrors):
            return self.compiled.with_data({param: FromText(line, param, plain=True)}).problem.given == given
        return False

    def _too_few(self, answer: tuple[int, ...], rival: tuple[int, ...]) -> ModelErrors:
        many = "one answer" if UNFIT == 1 else f"each of {UNFIT} random answers"
        what = f"all clues of `{self.family}` together" if self._pattern is None else "all symmetric clues together"
        lacks = ", ".join(str(self.compiled.choice(o)) for o in answer if o not in set(rival))
        has = ", ".join(str(self.compiled.choice(o)) for o in rival if o not in set(answer))
        help = f"for example, {_cut(lacks)} can be exchanged for {_cut(has)}"
        if not lacks or not has:
            help = f"for example, {_cut(lacks or has)} can be taken or left out"
        return usage_error("E515", f"{what} leave more than one answer, for {many}", help=help)


def _rows(pictures: Sequence[Picture]) -> str:
    """The rows of a board, one on each line; empty if there isn't one rectangular board."""
    from covr.draw.compact import one_line

    if len(pictures) != 1 or pictures[0].axes != 2 or not pictures[0].low:
        return ""
    board = pictures[0]
    width = board.high[1] - board.low[1] + 1
    line = one_line(pictures)
    cells, between = (line.split(" "), " ") if " " in line else (list(line), "")
    if len(cells) % width:
        return ""
    return "\n".join(between.join(cells[at : at + width]) for at in range(0, len(cells), width))


def _cut(text: str) -> str:
    return text if len(text) <= 80 else text[:79] + "…"


def given_as(compiled: Compiled, options: Sequence[int]) -> Compiled:
    """The same model in which exactly these options are given."""
    twin = copy.copy(compiled)
    for name in ("impossible", "warnings", "symmetry"):
        twin.__dict__.pop(name, None)
    given = tuple(sorted(options))
    lowered = evolve(compiled.lowered, problem=evolve(compiled.lowered.problem, given=given), givens=())
    vars(twin).update(problem=evolve(compiled.problem, given=given), lowered=lowered)
    return twin


# --- which choices are clues ---


def _clue_statements(compiled: Compiled, family: str | None = None) -> list[tuple[Given, frozenset[str]]]:
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


def _family(compiled: Compiled) -> str:
    """The family that the model's data give clues of. Raises ModelErrors E515 if that is not clear."""
    named = list(dict.fromkeys(s.family.id for s, _ in _clue_statements(compiled)))
    families = named or list(compiled.lowered.families)
    if len(families) == 1:
        return families[0]
    help = f"name one with --clues: {', '.join(f'`{name}`' for name in families)}" if families else ""
    if named:
        raise usage_error("E515", "the model's data give clues of several families", help=help)
    raise usage_error("E515", "the model doesn't say which family its clues are of", help=help)


def _kept_givens(compiled: Compiled, family: str) -> tuple[int, ...]:
    """The given options that stay: all but those that data for clues of this family give."""
    spans = {id(s.span) for s, _ in _clue_statements(compiled, family)}
    options = compiled.lowered.choice_options
    dropped = {options[g.number] for g in compiled.givens if id(g.span) in spans}
    needed = {options[g.number] for g in compiled.givens if id(g.span) not in spans}
    return tuple(o for o in compiled.problem.given if o in needed or o not in dropped)


def _refuse(compiled: Compiled) -> None:
    refuse_narrowed(
        compiled,
        "a puzzle has one answer, not one best answer among others",
        "the answer of a puzzle is one answer, not a class",
        "the answer of a puzzle is one answer, not several that agree",
    )
