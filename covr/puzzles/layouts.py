"""Layouts of puzzles: the black squares, regions or trees of a puzzle, drawn from the answers of another model.

A layout is a model with params of the same names as the puzzle's. What its `clue` statements say of an answer becomes
the data of the puzzle's model, and so does every other param that both have. Puzzles are then made as with any other
data (making.py), one on each layout. A layout is thrown away if the puzzle's model refuses it, if it needs no clues, or
if all clues together leave several answers, for `AMBIGUOUS` answers in a row.

A model of which the regions are all there is, such as a star battle, has no clues: there the layout itself is the
puzzle, if it leaves one answer. The layouts and the puzzles depend on the seed and their numbers alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING

from attrs import evolve

from covr.compiler.clues import ClueReader, clue_spots, clue_statements_of, with_clues, without_clues
from covr.dsl.diagnostics import Diagnostic, ModelErrors
from covr.dsl.format import unmade
from covr.engine.base.limits import LimitReached, Limits, Status
from covr.engine.dispatch import search
from covr.engine.puzzles.clues import RandomAnswers, Uniqueness
from covr.faults import usage_error
from covr.puzzles.clue_choices import clue_statements
from covr.puzzles.made_puzzle import MadePuzzle, PuzzleRun, Wish, recorded, refuse_unfit
from covr.puzzles.making import TRIES, MakeRun, Patience
from covr.questions.answer import Answer
from covr.questions.options import Options
from covr.questions.run import Progress

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.compiler.evaluate.values import Value

REFUSED = 20  # layouts in a row that the puzzle's model refuses, after which it says why
AMBIGUOUS = 3  # answers in a row on one layout that all their clues don't leave the only one
REJECTED = 20  # puzzles on one layout that are thrown away because they are not as ordered
FRUITLESS = 60  # layouts in a row of which no puzzle came for a reason that the puzzle's model gives


class Layouts:
    """Random layouts.
    asked: holds the limits and the clock of what draws them.  names: the params of the puzzle's model that they are
    for.
    uniform: whether every layout has the same chance; known once one is drawn."""

    def __init__(self, layout: Compiled, model: Compiled, options: Options) -> None:
        """Raises ModelErrors E515 for a layout without the model's params, E510 for one of whose answers only some
        count."""
        refuse_unfit(layout)
        own = {name for name, *_ in model.parameters}
        shared = [name for name, *_ in layout.parameters if name in own]
        statements = {statement.param.id: statement for statement in clue_statements_of(layout)}
        if not set(shared) & set(statements):
            raise _says_nothing(layout, own)
        self.names = tuple(shared)
        self._spots = clue_spots(layout)
        self._blank = layout.with_data(without_clues(layout, self._spots))
        self._reader = ClueReader(self._blank, self._spots)
        problem = evolve(self._blank.problem, costs=(), item_names=(), option_names=())
        self.asked = Uniqueness(problem, options.limits(), evolve(options, seed=None, estimate="auto").settings())
        self._source = RandomAnswers(self.asked)

    @property
    def uniform(self) -> bool:
        return self._source.uniform

    def draw(self, rng: Random) -> Mapping[str, Value] | None:
        """A random layout, as data for the params in `names`; None if there is none. Raises LimitReached."""
        answer = self._source.draw(rng)
        if answer is None:
            return None
        data = with_clues(self._blank, self._spots, self._reader.clue_values(answer))
        return {name: data[name] if name in data else self._blank.scope.value(name) for name in self.names}


class LayoutRun(PuzzleRun):
    """Puzzles of one model on layouts that another one draws.
    status: `exhausted` if there is no layout.  tried: how many were drawn; rejected: of how many no puzzle came."""

    def __init__(
        self,
        compiled: Compiled,
        layout: Compiled,
        options: Options = Options(),  # noqa: B008
        wish: Wish = Wish(),  # noqa: B008
        number: int = 1,
    ) -> None:
        began = perf_counter()
        super().__init__(compiled, options, wish, number)
        self._layouts = Layouts(layout, compiled, options)
        self._asked = self._layouts.asked
        self._asked.clock.spend(perf_counter() - began)
        self._run: MakeRun | None = None  # on the layout whose turn it is
        self._interrupted = False
        self._uniform = True
        self._refused = self._fruitless = 0  # layouts since the last puzzle
        self._seen: set[str] = set()
        self._alone = True  # whether the data of the last puzzle are read without the name of their param

    # --- where it stands ---

    @property
    def uniform(self) -> bool:
        return self._uniform and self._layouts.uniform

    def interrupt(self) -> None:
        self._interrupted = True
        self._asked.interrupt()
        if self._run is not None:
            self._run.interrupt()

    def progress(self) -> Progress:
        run = self._run
        doing = "drawing a layout" if run is None else run.progress().doing
        return Progress(self.made / self.number, self.counters.nodes, self.made, None, None, self.tried, doing=doing)

    # --- making ---

    def puzzles(self) -> Iterator[MadePuzzle]:
        """Raises ModelErrors: why the model refuses the layouts, if it refuses `REFUSED` in a row, and why none of
        `FRUITLESS` in a row makes a puzzle, if the model says so."""
        self._allow()
        while self.made < self.number and self.status is Status.RUNNING:
            try:
                with self._asked:
                    found = self._next()
            except LimitReached as stopped:
                self.status = stopped.status
                break
            if found is not None:
                self.made += 1
                self._refused = self._fruitless = self._in_a_row = 0
                yield found
                self._allow()
            elif self.status is Status.RUNNING:
                self.rejected += 1
                self._in_a_row += 1
                if self._in_a_row == TRIES:
                    self.status, self.gave_up = Status.LIMIT, True
        if self.status is Status.RUNNING:
            self.status = Status.SOLVED

    def _next(self) -> MadePuzzle | None:
        self._asked.check_limits()
        rng = Random(f"{self.seed}/{self.tried}")
        data = self._layouts.draw(rng)
        if data is None:
            self.status = Status.EXHAUSTED
            return None
        self.tried += 1
        try:
            laid = self.compiled.with_data(data)
        except ModelErrors:
            self._refused += 1
            if self._refused == REFUSED:
                raise
            return None
        self._refused = 0
        puzzle = self._bare(laid) if self._is_bare(laid) else self._of(laid, rng)
        if puzzle is None:
            return None
        record = recorded(puzzle, self._layouts.names, not self._alone)
        if record.readable and self.made and (record.param is not None) is not self._alone:
            return None  # records of one file all have their names, or none has
        if record.record in self._seen or not (self.wish.fits is None or self.wish.fits(record)):
            return None
        self._seen.add(record.record)
        self._alone = record.param is not None
        return record

    def _is_bare(self, laid: Compiled) -> bool:
        if self.wish.family is not None or clue_statements_of(laid):
            return False
        return bool(unmade(laid.model.source)) or (not clue_statements(laid) and len(laid.lowered.families) != 1)

    def _bare(self, laid: Compiled) -> MadePuzzle | None:
        """The layout as a puzzle without clues, if it leaves one answer. Raises LimitReached."""
        asked = self._asked
        limits = Limits(answers=2, nodes=asked.nodes_left, seconds=asked.clock.left, memory=asked.limits.memory)
        asked.questions += 1
        run = search(evolve(laid.problem, costs=()), limits=limits, settings=asked.settings)
        with asked.watching(run):
            found = list(run)
        if run.status is Status.LIMIT or run.status is Status.INTERRUPTED:
            asked.check_limits()
            raise LimitReached(Status.LIMIT)
        if len(found) != 1:
            return None
        return MadePuzzle(compiled=laid, clues=(), answer=Answer(laid, found[0]), line="", record="", minimal=True)

    def _of(self, laid: Compiled, rng: Random) -> MadePuzzle | None:
        """A puzzle with clues on a layout; None if none comes soon. Raises as `puzzles` does, and LimitReached."""
        asked = self._asked
        seed = rng.getrandbits(32)
        options = evolve(
            self.options.alone(), seed=seed, limit_time=asked.clock.left, limit_nodes=asked.nodes_left, jobs=1
        )
        patience = Patience(tries=REJECTED, same=REJECTED, ambiguous=AMBIGUOUS)
        run = self._run = MakeRun(laid, options, evolve(self.wish, fits=None), 1, patience)
        if self._interrupted:
            run.interrupt()
        try:
            found = next(run.puzzles(), None)
        except ModelErrors as error:
            self._fruitless += 1
            if self._fruitless == FRUITLESS:
                raise _of_layouts(error) from None
            return None
        finally:
            self._run = None
            asked.nodes += run.counters.nodes
            asked.questions += run.questions
        self._uniform = self._uniform and run.uniform
        if found is None and not run.gave_up and run.status in (Status.LIMIT, Status.INTERRUPTED):
            raise LimitReached(run.status)
        return found


def _says_nothing(layout: Compiled, own: set[str]) -> ModelErrors:
    params = [statement.param for statement in clue_statements_of(layout)]
    listed = ", ".join(f"`{name}`" for name in sorted(own))
    help = f"a layout has a param of the same name, and `clue` says what stands in it; the model has {listed}"
    if not own:
        help = "the model has no params"
    message = "the layout tells nothing of the model's params"
    return ModelErrors([Diagnostic("E515", message, params[0].span if params else None, help)])


def _of_layouts(error: ModelErrors) -> ModelErrors:
    first = error.diagnostics[0]
    message = f"no puzzle came of {FRUITLESS} layouts in a row; of the last: {first.message}"
    return usage_error("E515", message, help=first.help)
