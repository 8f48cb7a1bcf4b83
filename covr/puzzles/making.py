"""Makes puzzles: a random answer of a model, and clues that leave it the only one.

The engine makes attempts (engine/puzzles/puzzle_attempts.py), each of which depends on the seed and its number alone.
Here they are put in order, and each becomes a puzzle with names, unless it is not as asked for or was made before. So
the same seed makes the same puzzles, however many processes make them. Other processes start after `ALONE` seconds, as
`jobs` says; with a limit on nodes there are none, because nodes are counted in order.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from queue import Empty
from threading import Lock, Timer
from time import perf_counter
from typing import TYPE_CHECKING

from attrs import evolve, field

from covr.compiler import Compiled, FromText
from covr.compiler.clues import clue_statements_of
from covr.dsl.diagnostics import ModelErrors
from covr.dsl.format import unmade
from covr.engine.base.alone import threads
from covr.engine.base.limits import LimitReached, Limits, Status
from covr.engine.puzzles import puzzle_attempts
from covr.faults import usage_error
from covr.frozen import frozen
from covr.puzzles import made_puzzle
from covr.puzzles.clue_maker import ClueMaker, clue_order, data_puzzle
from covr.questions.answer import Answer
from covr.questions.options import Options
from covr.questions.run import Progress

if TYPE_CHECKING:
    from covr.puzzles.puzzle_batches import PuzzleLines, Quick

TRIES = 2000  # puzzles that are thrown away in a row before no more are made
SAME = 100  # puzzles in a row that were made before; then no other one is looked for
AMBIGUOUS = 50  # answers in a row that all their clues together don't leave the only one
ALONE = 1.0  # seconds for which one process works alone
AHEAD = 4  # attempts for each process that may be under way or waiting, where puzzles may be thrown away
MOST_AHEAD = 1000  # attempts in all that may be under way or waiting: to name what waits takes about a second
OVERTIME = 0.5  # seconds, when it is stopped, for what other processes have made: to hand it over, and to name it
LOOK = 0.05  # seconds between two looks at the limits while other processes work


@frozen
class Patience:
    """How many attempts in a row may fail.
    tries: puzzles that are thrown away before no more are made.  same: puzzles that were made before; then no other is
    looked for.  ambiguous: answers that all their clues together don't leave the only one."""

    tries: int = field(factory=lambda: TRIES)
    same: int = field(factory=lambda: SAME)
    ambiguous: int = field(factory=lambda: AMBIGUOUS)


class MakeRun(made_puzzle.PuzzleRun):
    """Puzzles of one model, whose data are as they are.
    status: `exhausted` if the model has no answer."""

    def __init__(
        self,
        compiled: Compiled,
        options: Options = Options(),  # noqa: B008
        wish: made_puzzle.Wish = made_puzzle.Wish(),  # noqa: B008
        number: int = 1,
        patience: Patience | None = None,
    ) -> None:
        """Raises ModelErrors E510 for a model with a goal, `up to` or `answers by`, E515 where no clues are known, E505
        for an engine that can't answer this, and ValueError for numbers that are not whole numbers from 1."""
        began = perf_counter()
        super().__init__(compiled, options, wish, number)
        self._patience = Patience() if patience is None else patience
        reason = "" if wish.family is not None or compiled.is_matrix else unmade(compiled.model.source)
        if reason:
            raise usage_error(
                "E515", f"no puzzle can be made: {reason}", help="or name a family of choices with --clues"
            )
        self._settings = evolve(options, seed=None, estimate="auto").settings()
        self._maker: puzzle_attempts.PuzzleMaker | ClueMaker
        if wish.family is None and clue_statements_of(compiled):
            self._maker = ClueMaker(compiled, options.limits(), self._settings, self.seed, wish)
            self.unpaired = self._maker.unpaired
            self._ordered: puzzle_attempts.Order = clue_order(compiled, self.seed, wish)
        else:
            self.family = wish.family if wish.family is not None else made_puzzle.clue_family(compiled)
            self._kept = made_puzzle.kept_givens(compiled, self.family)
            order = self._ordered = self._order()
            self._maker = puzzle_attempts.PuzzleMaker(order, options.limits(), self._settings)
        self._asked = self._maker.asked
        self._asked.clock.spend(perf_counter() - began)
        self._numbers = puzzle_attempts.AttemptNumbers()
        self._processes: puzzle_attempts.PuzzleProcesses | None = None
        self._timer: Timer | None = None
        self._lock = Lock()  # for starting the processes, which a timer does
        self._ended = False
        self._uniform = False
        self._waiting: dict[int, puzzle_attempts.Attempt] = {}  # attempts that came before their turn, by number
        self._lines: PuzzleLines | None = None
        self._spelled: bool | None = None  # whether `_lines` spells puzzles; None before the first puzzle
        self._seen: set[tuple[object, ...]] = set()
        self._again = 0  # old puzzles since the last new one
        self._alone = True  # whether the data of the last puzzle are read without the name of their param

    def _order(self) -> puzzle_attempts.PuzzleOrder:
        wish, families = self.wish, self.compiled.lowered.families
        if self.family not in families:
            raise usage_error(
                "E515", f"the model has no family `{self.family}`", word=self.family, known=list(families)
            )
        numbers = range(families[self.family].first, families[self.family].first + len(families[self.family].choices))
        kept = set(self._kept)
        choices = self.compiled.lowered.option_choices
        clues = frozenset(o for o, choice in enumerate(choices) if choice in numbers and o not in kept)
        return puzzle_attempts.PuzzleOrder(
            problem=evolve(self.compiled.problem, given=self._kept, costs=(), item_names=(), option_names=()),
            clues=clues,
            seed=self.seed,
            pattern=None
            if wish.symmetry is None
            else made_puzzle.clue_pattern(self.compiled, wish.symmetry, sorted(clues)),
            fewest=wish.fewest,
            at_most=wish.at_most,
            tight=wish.minimal and wish.symmetry is not None,
            grade=wish.grade,
        )

    # --- where it stands ---

    @property
    def uniform(self) -> bool:
        return self._uniform

    def interrupt(self) -> None:
        self._maker.interrupt()

    def progress(self) -> Progress:
        fewest = self._maker.fewest
        best, bound = (None, None) if fewest is None else (fewest.size, fewest.bound)
        tried = self.tried + len(self._waiting)
        doing = self._maker.doing if isinstance(self._maker, ClueMaker) and best is None else ""
        return Progress(self.made / self.number, self.counters.nodes, self.made, best, bound, tried, doing=doing)

    # --- making ---

    def puzzles(self) -> Iterator[made_puzzle.MadePuzzle]:
        """Raises ModelErrors E515 if the clues leave no answer that was drawn the only one, and if the model has only
        one answer without clues."""
        self._begin()
        self._allow()
        try:
            while self.made < self.number and self.status is Status.RUNNING:
                try:
                    attempt = self._next()
                except LimitReached as stopped:
                    self.status = stopped.status
                    break
                with self._asked.clock:
                    found = self._judged(attempt)
                if found is not None:
                    yield found
                    self._allow()
            if self.status in (Status.LIMIT, Status.INTERRUPTED) and not self.gave_up:
                yield from self._drain()
        finally:
            self._end()
        if self.status is Status.RUNNING:
            self.status = Status.SOLVED

    def _next(self) -> puzzle_attempts.Attempt:
        """The attempt whose turn it is, made here or by another process. Raises LimitReached."""
        self._numbers.allow(self.tried + self._useful())
        while (attempt := self._waiting.pop(self.tried, None)) is None:
            processes = self._processes
            if processes is not None and processes.alive:
                self._receive(processes)
                continue
            number = self._numbers.take_now()
            if number is None:  # processes that are just being started may take it before they are known here
                with self._lock:
                    lost = "the number whose turn it is has not been handed out, or was handed back"
                    assert self._processes is not processes, lost
                continue
            self._waiting[number] = self._maker.attempt(number)
        self.tried += 1
        return attempt

    def _judged(self, attempt: puzzle_attempts.Attempt) -> made_puzzle.MadePuzzle | None:
        """The puzzle of an attempt; None if it has none that was asked for. Sets `status` if the run is over."""
        self._uniform = attempt.uniform
        if attempt.outcome is puzzle_attempts.AttemptOutcome.NOTHING:
            self.status = Status.EXHAUSTED
            return None
        if attempt.outcome is puzzle_attempts.AttemptOutcome.ALONE or (
            attempt.outcome is puzzle_attempts.AttemptOutcome.MADE and not attempt.clues
        ):
            raise self._no_clues()
        if attempt.status is not Status.SOLVED and self.status is Status.RUNNING:
            self.status = attempt.status
        if attempt.outcome is puzzle_attempts.AttemptOutcome.AMBIGUOUS:
            self.ambiguous += 1
            if self.ambiguous == self._patience.ambiguous:
                if isinstance(self._maker, ClueMaker):
                    raise self._never_enough(attempt.answer)
                raise self._too_few(attempt.answer, attempt.rival)
        else:
            found = self._fitting(attempt) if attempt.outcome is puzzle_attempts.AttemptOutcome.MADE else None
            if found is not None:
                self.made += 1
                self._in_a_row = self._again = self.ambiguous = 0
                return found
            self.rejected += 1
        self._in_a_row += 1
        if self._in_a_row == self._patience.tries or self._again == self._patience.same:
            self.status, self.gave_up = Status.LIMIT, True
        return None

    def _fitting(self, attempt: puzzle_attempts.Attempt) -> made_puzzle.MadePuzzle | None:
        which = (attempt.clues, *(self._maker.values(attempt) if isinstance(self._maker, ClueMaker) else ()))
        if which in self._seen:
            self._again += 1
            return None
        puzzle = self._described(attempt)
        alone = puzzle.param is not None
        if puzzle.readable and self.made and alone is not self._alone:
            return None  # records of one file all have their names, or none has
        if self.wish.fits is not None and not self.wish.fits(puzzle):
            return None
        self._seen.add(which)
        self._alone = alone
        return puzzle

    # --- other processes ---

    def _useful(self) -> int:
        """How many attempts may be under way or waiting at once."""
        if self._maker.throws or self.wish.fits is not None:
            return AHEAD * threads(self.options.jobs)
        return min(self.number - self.made, MOST_AHEAD)

    def _begin(self) -> None:
        if threads(self.options.jobs) > 1 and self.options.limit_nodes is None and sys.executable:
            self._timer = Timer(ALONE, self._start)
            self._timer.daemon = True
            self._timer.start()

    def _start(self) -> None:
        many = min(threads(self.options.jobs), self._useful())
        with self._lock:
            if self._ended or many < 2:
                return
            memory = self.options.limit_memory
            limits = Limits(memory=None if memory is None else memory // (many + 1))
            self._processes = puzzle_attempts.PuzzleProcesses(
                self._ordered, limits, self._settings, self._numbers, many
            )

    def _receive(self, processes: puzzle_attempts.PuzzleProcesses) -> None:
        """Wait for what a process sends, and keep it. Raises LimitReached."""
        with self._asked:
            while True:
                self._asked.check_limits()
                try:
                    came = processes.found.get(timeout=LOOK)
                except Empty:
                    continue
                break
        self._keep(processes, came)
        if isinstance(came, Status):
            raise LimitReached(came)

    def _keep(self, processes: puzzle_attempts.PuzzleProcesses, came: puzzle_attempts.Attempt | Status | None) -> None:
        if came is None:
            processes.alive -= 1
        elif isinstance(came, puzzle_attempts.Attempt):
            self._waiting[came.number] = came
            self._nodes += came.nodes
            self._questions += came.questions

    def _drain(self) -> Iterator[made_puzzle.MadePuzzle]:
        """What other processes have made when the run is stopped, also where attempts before are missing. At a limit of
        time, as much as there is time for; a search for the fewest clues is waited for, because its best set so far is
        kept."""
        clock = self._asked.clock
        late = clock.over
        with self._lock:
            processes = self._processes
        if processes is not None:
            with clock:
                processes.stop(puzzle_attempts.PATIENCE if self.wish.fewest and not late else OVERTIME)
            while not processes.found.empty():
                self._keep(processes, processes.found.get())
        end = clock.spent + OVERTIME
        for number in sorted(self._waiting):
            if self.made == self.number or (late and clock.spent >= end):
                return
            self.tried += 1
            with clock:
                found = self._judged(self._waiting.pop(number))
            if found is not None:
                yield found

    def _end(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        with self._lock:
            self._ended = True
            if self._processes is not None:
                self._processes.kill()

    # --- from options to choices ---

    def _described(self, attempt: puzzle_attempts.Attempt) -> made_puzzle.MadePuzzle:
        if isinstance(self._maker, ClueMaker):
            return data_puzzle(self._maker, attempt, not self._alone)
        twin = made_puzzle.given_as(self.compiled, [*self._kept, *attempt.clues])
        line = self._line(twin)
        record, param = line, None
        if self._param is not None:
            given = twin.problem.given
            if self._reads_back(self._param, line, given):
                param = self._param
            elif self._reads_back(self._param, rows := made_puzzle.rows_of(twin.puzzle()), given):
                record, param = rows, self._param
        made = made_puzzle.MadePuzzle(
            compiled=twin,
            clues=twin.choices(attempt.clues),
            answer=Answer(twin, attempt.answer),
            line=line,
            record=record,
            minimal=attempt.minimal,
            bound=attempt.bound,
            param=param,
            grade=attempt.grade,
        )
        if param is None or self._reader is not None:
            return made
        puzzle = made_puzzle.recorded(made, (param,), not self._alone)
        return made if puzzle.param is not None else puzzle

    def _line(self, twin: Compiled) -> str:
        """The clues on one line: spelled from the table of letters for collections if that gives the same line for the
        first puzzle, else as it is drawn."""
        from covr.draw.text import one_line
        from covr.puzzles.puzzle_batches import PuzzleLines

        if self._spelled is None:
            drawn = one_line(twin.puzzle())
            self._lines = PuzzleLines(self.compiled)
            self._spelled = self._lines.of(Answer(self.compiled, twin.problem.given)) == drawn
            return drawn
        if self._spelled and self._lines is not None:
            return self._lines.of(Answer(self.compiled, twin.problem.given))
        return one_line(twin.puzzle())

    @cached_property
    def _param(self) -> str | None:
        names = {name for _, params in made_puzzle.clue_statements(self.compiled, self.family) for name in params}
        return next(iter(names)) if len(names) == 1 else None

    @cached_property
    def _reader(self) -> Quick | None:
        """Reads records of the param a hundred times faster than the compiler, where that is possible."""
        from covr.puzzles.puzzle_batches import find_quick

        return None if self._param is None else find_quick(self.compiled, self._param, 2, Options())

    def _reads_back(self, param: str, line: str, given: tuple[int, ...]) -> bool:
        if self._reader is not None and (read := self._reader.gives(line)) is not None:
            return read.union(self._kept) == set(given)
        with suppress(ModelErrors):
            return self.compiled.with_data({param: FromText(line, param, plain=True)}).problem.given == given
        return False

    def _no_clues(self) -> ModelErrors:
        if isinstance(self._maker, ClueMaker):
            help = "what its data say beside the clues, such as regions, leaves one answer: other data are wanted"
            return usage_error(
                "E515", "no puzzle can be made: the model has only one answer without any clue", help=help
            )
        what = f"no puzzle can be made: the model has only one answer without any clue of `{self.family}`"
        help = "puzzles can be made whose clues are choices, as in `sudoku` and `queens`" + made_puzzle.rules_of(
            self.compiled
        )
        return usage_error("E515", what, help=help)

    def _never_enough(self, answer: tuple[int, ...]) -> ModelErrors:
        assert isinstance(self._maker, ClueMaker)
        every = "all clues" if self.wish.symmetry is None else "all symmetric clues"
        what = f"{every} together leave more than one answer, for {self._answers}"
        taken = ", ".join(str(self._maker.blank.choice(o)) for o in answer)
        if self._maker.contradicted(answer):
            what = f"{every} together leave no answer: a `clue` says something else than the rules that read it"
            return usage_error("E515", what, help=f"for example, of the answer {taken}")
        return usage_error("E515", what + without_partner(self), help=f"for example, for the answer {taken}")

    @property
    def _answers(self) -> str:
        ambiguous = self._patience.ambiguous
        return "one answer" if ambiguous == 1 else f"each of {ambiguous} random answers"

    def _too_few(self, answer: Sequence[int], rival: Sequence[int]) -> ModelErrors:
        many = self._answers
        what = (
            f"all clues of `{self.family}` together" if self.wish.symmetry is None else "all symmetric clues together"
        )
        lacks = ", ".join(str(self.compiled.choice(o)) for o in answer if o not in set(rival))
        has = ", ".join(str(self.compiled.choice(o)) for o in rival if o not in set(answer))
        help = f"for example, {lacks} can be exchanged for {has}"
        if not lacks or not has:
            help = f"for example, {lacks or has} can be taken or left out"
        return usage_error("E515", f"{what} leave more than one answer, for {many}", help=help)


def without_partner(run: made_puzzle.PuzzleRun) -> str:
    """How many places can't have a clue in the symmetric pattern that is asked for, as the end of a message."""
    if not run.unpaired:
        return ""
    many = "1 place of a clue has" if run.unpaired == 1 else f"{run.unpaired} places of clues have"
    return f"; {many} no partner under `{run.wish.symmetry}`"
