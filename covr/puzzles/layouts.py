"""Layouts of puzzles: the black squares, regions or trees of a puzzle, drawn from the answers of another model.

A layout is a model with params of the same names as the puzzle's. What its `clue` statements say of an answer becomes
the data of the puzzle's model, and so does every other param that both have. Puzzles are then made as with any other
data (making.py), one on each layout. A layout is thrown away if the puzzle's model refuses it, if it needs no clues, or
if all clues together leave several answers, for `AMBIGUOUS` answers in a row.

A model of which the regions are all there is, such as a star battle, has no clues: there the layout itself is the
puzzle, if it leaves one answer. If it leaves several, one option of the layout after the other is changed where two of
them differ, and the longer in vain, the more often elsewhere; a change stays if no more answers are left than before.
The layouts and the puzzles depend on the seed and their numbers alone.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING, Any

from attrs import evolve

from covr.compiler.clues import ClueReader, clue_spots, clue_statements_of, standing_clues, with_clues, without_clues
from covr.compiler.evaluate.values import Set
from covr.dsl.diagnostics import Diagnostic, ModelErrors
from covr.dsl.format import unmade
from covr.engine.base.limits import LimitReached, Status
from covr.engine.check import check
from covr.engine.puzzles.clues import RandomAnswers, Uniqueness, learns
from covr.engine.search import Answer as OptionNumbers
from covr.faults import usage_error
from covr.puzzles.clue_maker import COUNTING, LISTED
from covr.puzzles.made_puzzle import MadePuzzle, PuzzleRun, Wish, clue_statements, recorded, refuse_unfit
from covr.puzzles.making import TRIES, MakeRun, Patience
from covr.questions.answer import Answer
from covr.questions.options import Options
from covr.questions.run import Progress

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.compiler.evaluate.values import Value

Named = frozenset[tuple[str, tuple[Any, ...]]]  # an answer, as the families and the arguments of its choices
REFUSED = 20  # layouts in a row that the puzzle's model refuses, after which it says why
AMBIGUOUS = 3  # answers in a row on one layout that all their clues don't leave the only one
REJECTED = 20  # puzzles on one layout that are thrown away because they are not as ordered
LOOSE = 0.05  # the share of a layout that is drawn anew beside what a new option replaces
NEAR_NODES = 2000  # nodes of a search for a layout near another
IN_VAIN = 100  # layouts near the best so far that leave no fewer answers, after which one is drawn afresh
MOST_LEFT = 100  # answers of a layout that are looked at, at most
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
        self._source = RandomAnswers(self.asked, COUNTING, LISTED)
        self._places = [_places(self._blank.choice(o).args) for o in range(problem.options)]

    @property
    def uniform(self) -> bool:
        return self._source.uniform

    def draw(self, rng: Random) -> OptionNumbers | None:
        """A random layout; None if there is none. Raises LimitReached."""
        return self._source.draw(rng)

    def near(
        self, layout: OptionNumbers, places: frozenset[Any] | None, tried: Container[OptionNumbers], rng: Random
    ) -> OptionNumbers | None:
        """Another layout that was not tried, with another option at one of these places, or at any; if there is none,
        one that keeps most of this one. None if none is found soon. Raises LimitReached."""
        asked, problem = self.asked, self.asked.problem
        at: dict[Any, list[int]] = {}
        for o in layout:
            for place in self._places[o]:
                at.setdefault(place, []).append(o)
        others = sorted(set(range(problem.options)).difference(layout))
        if places is not None:
            others = [o for o in others if not places.isdisjoint(self._places[o])]
        for new in rng.sample(others, len(others)):
            asked.check_limits()
            swapped = {o for place in self._places[new] for o in at.get(place, ())}
            if len(swapped) == 1:
                found = tuple(sorted({new, *layout} - swapped))
                if found not in tried and check(problem, found) is None:
                    return found
        if not others:
            return None
        new = rng.choice(others)
        own = set(problem.option(new))
        kept = [o for o in layout if own.isdisjoint(problem.option(o)) and rng.random() >= LOOSE]
        given = tuple(sorted({*problem.given, new, *kept}))
        return asked.first_at_random(evolve(problem, given=given), rng, NEAR_NODES, learns(asked))

    def data(self, layout: OptionNumbers) -> Mapping[str, Value]:
        """A layout as data for the params in `names`."""
        data = with_clues(self._blank, self._spots, self._reader.clue_values(layout))
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
        self._best: tuple[OptionNumbers, list[Named]] | None = None  # with the answers it leaves; the next are near it
        self._near = set[OptionNumbers]()  # layouts near it that were tried
        self._in_vain = 0  # layouts near it that leave no fewer
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
        layout = None
        if self._best is not None:
            best, left = self._best
            one, other = rng.sample(left, 2)
            where = frozenset[Any]().union(*(_places(args) for _, args in one ^ other))
            anywhere = rng.random() * IN_VAIN < self._in_vain
            layout = self._layouts.near(best, None if anywhere else where, self._near, rng)
        if layout is None:
            self._best, layout = None, self._layouts.draw(rng)
            self._near.clear()
        if layout is None:
            self.status = Status.EXHAUSTED
            return None
        self.tried += 1
        self._near.add(layout)
        try:
            laid = self.compiled.with_data(self._layouts.data(layout))
        except ModelErrors:
            self._refused += 1
            if self._refused == REFUSED:
                raise
            return None
        self._refused = 0
        puzzle = self._bare(laid, layout) if self._is_bare(laid) else self._of(laid, rng)
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
        """Whether the layout is all that there is of a puzzle: it says what all clues are, or there are none."""
        if self.wish.family is not None:
            return False
        if clue_statements_of(laid):
            standing = standing_clues(laid, clue_spots(laid))
            return bool(standing) and None not in standing
        return bool(unmade(laid.model.source)) or (not clue_statements(laid) and len(laid.lowered.families) != 1)

    def _bare(self, laid: Compiled, layout: OptionNumbers) -> MadePuzzle | None:
        """The layout as a puzzle without clues, if it leaves one answer; otherwise the next layouts are near to it, if
        it leaves no more answers than the best so far. Raises LimitReached."""
        asked = self._asked
        asked.questions += 1
        best = MOST_LEFT if self._best is None else len(self._best[1])
        found = asked.several(evolve(laid.problem, costs=()), min(best + 1, MOST_LEFT))
        if len(found) == 1:
            self._best = None
            return MadePuzzle(compiled=laid, clues=(), answer=Answer(laid, found[0]), line="", record="", minimal=True)
        if 0 < len(found) <= best:
            self._in_vain = 0 if len(found) < best else self._in_vain + 1
            self._best = layout, [frozenset((c.family, c.args) for c in laid.choices(answer)) for answer in found]
        else:
            self._in_vain += 1
        if self._in_vain > IN_VAIN:
            self._best, self._in_vain = None, 0
        return None

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


def _places(args: tuple[Any, ...]) -> frozenset[Any]:
    """What a choice may be about: the pairs among its arguments, the first two of them, and the members of sets."""
    members = [part for arg in args if isinstance(arg, Set) for part in arg]
    return frozenset(part for part in (args[:2], *args, *members) if isinstance(part, tuple) and len(part) == 2)


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
