"""What a method is, and the one scheduler of everything that shares time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from covr.engine.base.limits import ENDLESS, check_limits
from covr.engine.kernels.header import DONE, FOUND, SLICE
from covr.engine.kernels.loading import Gatherer, Kernel
from covr.engine.priors import SHARES
from covr.engine.settings import USUAL_PACE, Pace
from covr.engine.witness import hold_end
from covr.frozen import evolve, frozen

if TYPE_CHECKING:
    from covr.engine.prepare.masks import ExactCover

# --- method ----------------------------------------------------------------------------------------------------------
# Says what a method is: anything that can be given time, as a kernel that is ready to run and functions around it.
#
# A search runs one method (search.py). Where several take turns (turns.py), they are one method together, so
# turns can be nested. A method is a record of functions and no class to inherit from: methods differ from each other in
# two or three of these functions, and most kernels are compiled classes that need nothing around them.
#
# Time is measured in work, so that the same question takes the same turns on every machine: one unit is what takes
# about a nanosecond. Most methods say how much work one of their nodes is; one whose nodes differ says what it has done
# (`works`), and how many nodes make a slice. Methods are given nodes rather than work, because a limit of nodes is kept
# exactly.


NODE = 1000  # work of a node, where nothing else is said
ENTRY = 5  # work of an entry of the problem that a walk or a climb reads


@frozen(eq=False)
class Method:
    """A kernel, and the functions through which a search or a scheduler uses it.

    name: the engine in words.  naming: returns the present name, for engines whose name changes as they run; else None.
    run: goes on for at most so many nodes and answers; returns a result code (kernels/header.py).
    answer: the last answer, in the caller's option numbers.
    bound: the lower bound on the cost of every answer that is proved so far, once one is known.
    lower: lowers the ceiling, so that only answers of at most this cost are found from then on; may be called between
    slices when the goal is 'minimum'.
    counting: makes a method for the same problem that only counts; None if this one counts just as well.
    exact: what was prepared for exact cover, from which more kernels for the same problem can be made.
    gatherer: the kernel, if it gathers answers; else None.  whole: turns a gathered answer into the caller's numbers.
    fraction: how much of the tree is done, from 0 to 1; None if the kernel can't tell.
    looks: whether a slice itself checks the limits (limits.py), and may raise LimitReached.
    even: whether all nodes take about the same time.
    spared: how many nodes a memo has saved.  stop: stops anything that runs on its own, such as a solver in a thread.
    node: the work of one node.  works: the work so far, where nodes do not measure it.  slice: how many nodes the next
    slice has, where turns may end between slices only.
    """

    name: str
    kernel: Kernel
    run: Callable[[int, int], int]
    answer: Callable[[], tuple[int, ...]]
    bound: Callable[[], int | None] = lambda: None
    counting: Callable[[], Method | None] = lambda: None
    lower: Callable[[int], None] = lambda ceiling: None
    exact: ExactCover | None = None
    gatherer: Gatherer | None = None
    whole: Callable[[Sequence[int]], tuple[int, ...]] = tuple
    fraction: Callable[[], float | None] = lambda: None
    spared: Callable[[], int] = lambda: 0
    stop: Callable[[], None] = lambda: None
    looks: bool = False
    even: bool = True
    naming: Callable[[], str] | None = None
    node: int = NODE
    works: Callable[[], int] | None = None
    slice: Callable[[], int] | None = None

    @property
    def title(self) -> str:
        """The present name."""
        return self.name if self.naming is None else self.naming()

    @property
    def work(self) -> int:
        """The work so far."""
        return self.kernel.nodes * self.node if self.works is None else self.works()


class StepKernel:
    """A kernel (see loading.py) in Python that goes on step by step: `_search`, of a subclass, yields after each node.

    bound: the proved lower bound; None while unknown.  over: whether it has given up.  work: in nanoseconds.
    """

    def __init__(self, ceiling: int | None) -> None:
        """ceiling: the most that an answer may cost."""
        self._ceiling = ceiling
        self._answer: list[int] = []
        self._steps: Iterator[object] | None = None
        self._ended = False  # set by the search, as an exception ends the steps, too
        self.over = False
        self.bound: int | None = None
        self.work = self.nodes = self.updates = self.answers = 0
        self.code = -1

    def _search(self) -> Iterator[object]:
        """The whole search. It sets `_ended` when it is over."""
        raise NotImplementedError

    def run(self, nodes: int, answers: int) -> int:
        """Go on for at most so many nodes, up to an answer."""
        if self._steps is None:
            self._steps = self._search()
        end, found = self.nodes + nodes, self.answers
        self.code = DONE if self._ended else SLICE
        while self.code == SLICE and self.nodes < end and not self.over:
            check_limits()
            self.nodes += 1
            next(self._steps, None)
            self.code = FOUND if self.answers > found else DONE if self._ended else SLICE
        return self.code

    def lower(self, ceiling: int) -> None:
        """From now on, only an answer of at most this cost is wanted."""
        self._ceiling = ceiling if self._ceiling is None else min(self._ceiling, ceiling)

    def answer(self) -> list[int]:
        """The last answer."""
        return self._answer

    def method(self, name: str, whole: Callable[[Sequence[int]], tuple[int, ...]], slice: int) -> Method:
        """The kernel as a method. whole: turns an answer into one in the caller's numbers.  slice: how many nodes."""
        return Method(
            name, self, self.run, lambda: whole(self._answer), lambda: self.bound,
            lower=self.lower, looks=True, even=False, works=lambda: self.work, slice=lambda: slice,
        )  # fmt: skip


class Successive:
    """A kernel (see loading.py) of methods that follow one another. now: the present one."""

    def __init__(self, first: Method) -> None:
        self.now = first
        self._past = (0, 0)  # nodes and updates of those before
        self.code = -1

    @property
    def nodes(self) -> int:
        """The nodes of all."""
        return self._past[0] + self.now.kernel.nodes

    @property
    def updates(self) -> int:
        """The updates of all."""
        return self._past[1] + self.now.kernel.updates

    def whole(self) -> tuple[int, ...]:
        """The last answer, in the caller's option numbers."""
        return self.now.answer()

    def answer(self) -> list[int]:
        """The same as a list."""
        return list(self.whole())

    def _follow(self, other: Method) -> None:
        """Another method takes the place of the present one."""
        self._past = self.nodes, self.updates
        self.now = other


# --- turns -----------------------------------------------------------------------------------------------------------
# The one scheduler: gives the methods of a table their turns, by what each gained lately for its work.
#
# Each method has a first turn, in the order of the table. After these, the next turn always goes to the method that
# would have the least work by its end, divided by its weight. A turn is as long as half of what the method did before,
# so what was in vain at last is a third of its work at most, and a method that begins late catches up in few turns.
#
# The weight is the row's own (`Entrant.work`, a prior), times a factor: twice as much after each turn that gained, half
# as much after each that did not. A turn gains if it brings what is asked for (`Turns.gains`), or does some of the
# method's own way (`Entrant.share`). The method that is furthest on its way has the greatest factor, unless by
# its own account its last turn has brought it no further.
#
# - A method that gains nothing sleeps longer and longer, as its turns do. It never starves: its weight stays above 0.
# - A turn that took longer than it was granted is paid for: the others come before the next one.
# - A method that takes long to prepare waits until all the others have done as much work (`Entrant.begins`).
# - A method that runs by itself, on another processor, has a turn as soon as it has found something (`Entrant.urgent`);
#   that ends the turn of another.
# - No turn is shorter than `Pace.least`. So no method is called for a node at a time, which once made counts 18 times
#   slower.
# - All is counted in work, never in seconds, and a turn ends at the same place wherever pauses fall: after so many
#   nodes, or at the end of a slice. So a question has the same turns on every machine, and limits change nothing.
#
# What the methods share depends on the question. `CountTurns` wants the number of answers, which the first to finish
# knows. `CheapestTurns` wants ever cheaper answers: a better one lowers the ceiling of all, every bound holds for all,
# and when they meet that is the proof. For the first answers see portfolio.py.


GAIN = 0.05  # share of the gap by which an answer is better, or of a method's own way; less is no reason to prefer it
RISE = 0.01  # the same for the bound, which is harder to raise, and for the method that is furthest, of what is left
PAST = 2  # a turn is this part of all that the method has done before
FAVOUR = 8  # the greatest factor of a weight, and the inverse of the least


Reasons = Mapping[str, str]  # per row of a table, what it is good for


@frozen(eq=False)
class Entrant:
    """A row of a table: a method that has turns.

    name: who has the turn; no other row has it.  method: makes the method when its first turn has come, or finds it;
    asked anew for each turn, so it may be another one each time. None if there is none for this problem: the row then
    has no turn.
    work: of a turn, before it grows; the method's share of the time is as much. 0 if it has its first turn only.
    first: the work of its first turn, where that is not `work`.  may: whether it has a turn now.
    holds: whether a turn goes on although its work is done.  begins: the work of all others before its first turn.
    urgent: whether the turn of another ends for it, as it runs by itself and has found something.
    share: how much of its way it has done, from 0 to 1; as its method says, unless given here.
    most: how many times its share of the time it may earn.
    why: in a sentence, what it is good for.
    """

    name: str
    method: Callable[[], Method | None]
    work: int
    why: str
    first: Callable[[], int] | int | None = None
    may: Callable[[], bool] = lambda: True
    holds: Callable[[], bool] = lambda: False
    begins: Callable[[], int] = lambda: 0
    urgent: Callable[[], bool] | None = None
    share: Callable[[], float] | None = None
    most: float = FAVOUR

    @property
    def opening(self) -> int:
        """The work of its first turn, as things stand."""
        return self.work if self.first is None else self.first if isinstance(self.first, int) else self.first()


def entrant(
    table: str, reasons: Reasons, turn: int, name: str, method: Callable[[], Method | None], **conditions: Any
) -> Entrant:
    """A row of a table, with its prior (priors.py). turn: work.  conditions: fields of `Entrant`."""
    return Entrant(name, method, int(turn * SHARES[table][name]), reasons[name], **conditions)


def once(make: Callable[[], Method | None], ready: Callable[[], bool] = lambda: True) -> Callable[[], Method | None]:
    """Makes a method when `ready` holds for the first time, and finds the same one from then on; None before that."""
    made: list[Method | None] = []

    def method() -> Method | None:
        if not made and ready():
            made.append(make())
        return made[0] if made else None

    return method


class Turn:
    """The turn of a method: so much work, up to the end of a slice. before: how things stood when it began."""

    def __init__(self, row: Entrant, method: Method, work: int, before: tuple[Any, float]) -> None:
        self.row, self.method, self.before = row, method, before
        self._began, self._end = method.work, method.work + work
        self._slice = 0  # nodes that are left of its slice

    @property
    def work(self) -> int:
        """What the method has done in this turn."""
        return self.method.work - self._began

    def step(self, most: int, room: int, answers: int) -> int:
        """Call the method; returns a result code (header.py). most: work.  room: how many nodes it may have."""
        method = self.method
        if method.slice is None:
            nodes = min(max(self._end - method.work, 0), most) // method.node
            return method.run(min(max(nodes, 1), room), answers)
        if self._slice <= 0 and room > 0:
            self._slice = method.slice()
        before = method.kernel.nodes
        code = method.run(max(min(self._slice, room), 0), answers)
        self._slice -= method.kernel.nodes - before
        if code == FOUND:
            self._slice = 0
        return code

    def is_over(self) -> bool:
        """Whether it ends here."""
        if not self.row.may():
            return True
        if self.method.slice is None:
            return self._end - self.method.work < self.method.node
        return self._slice <= 0 and self.method.work >= self._end and not self.row.holds()


class Turns:
    """A kernel (see loading.py) that gives the methods of a table their turns."""

    counting = False  # whether answers are only counted, and not taken one by one
    outside: tuple[str, ...] = ()  # the external solvers that run beside it

    def __init__(self, table: Sequence[Entrant], pace: Pace = USUAL_PACE) -> None:
        """No method is made before its first turn."""
        self.table, self._pace = table, pace
        self._urgent = [row.urgent for row in table if row.urgent is not None]
        self.code = -1
        self.now: Method | None = None  # whose turn it is, or was last
        self.methods: list[Method] = []  # all that have had a turn
        self.spent: dict[str, int] = {}  # the work of each row that has had a turn
        self.gave: dict[str, int] = {}  # how many answers each row has found, where answers are taken
        self._factors: dict[str, float] = {}
        self._inner: dict[str, Turns] = {}  # per row that is a table itself, that table
        self._stuck: set[str] = set()  # rows whose last turn has brought them no further
        self._shares: dict[str, Callable[[], float | None]] = {r.name: r.share for r in table if r.share is not None}
        self._turn: Turn | None = None  # None between two turns
        self._answers = 0
        self._ended = False

    @property
    def answers(self) -> int:
        """How many answers were found."""
        return self._answers

    @property
    def nodes(self) -> int:
        """The nodes of all methods together."""
        return sum([method.kernel.nodes for method in self.methods])

    @property
    def updates(self) -> int:
        """The updates of all methods together."""
        return sum([method.kernel.updates for method in self.methods])

    @property
    def work(self) -> int:
        """The work of all methods together."""
        return sum([method.work for method in self.methods])

    def run(self, nodes: int, answers: int) -> int:
        """Go on for at most this many nodes and answers. Returns a result code (header.py). It may return before, after
        about `Pace.call` work. Raises LimitReached."""
        self.code = -1
        # To ask a count with a memo how many there are adds up big numbers all the way down.
        self.code = self._run(self.nodes + nodes, None if answers >= ENDLESS else self.answers + answers)
        return self.code

    def _run(self, end: int, until: int | None) -> int:
        left = self._pace.call
        while True:
            if self._ended or self.proved():
                return DONE
            if self._turn is None or self._turn.is_over() or self._calls():
                if self.nodes >= end:
                    return SLICE
                self._turn = self._next()
                self.now = self._turn.method
            method, before = self._turn.method, self._turn.work
            code, found = self._call(self._turn, end - self.nodes, until)
            self._ended = code == DONE
            if self._ended:
                self.finish(method)
            if found and self.take(method):
                self._credit(self._turn.row)
                if until is not None and self.answers >= until:
                    return FOUND
            if self._ended:
                return DONE
            left -= max(self._turn.work - before, 1)
            # Whoever has found an answer may also end, without another node.
            if code != FOUND and (self.nodes >= end or left <= 0):
                return SLICE

    def _calls(self) -> bool:
        """Whether a row wants its turn at once."""
        return any(urgent() for urgent in self._urgent)

    def _call(self, turn: Turn, room: int, until: int | None) -> tuple[int, bool]:
        """A call of a method, and whether it has found an answer, which it may have although its time is up. If it was
        stopped (limits.py) with an answer, that is taken before the exception goes on."""
        kernel = turn.method.kernel
        met = kernel.answers
        try:
            code = turn.step(self._pace.call, room, 1)
        except BaseException:
            if kernel.answers > met and self.take(turn.method):
                self._credit(turn.row)
                self.code = FOUND
            raise
        return code, code == FOUND or kernel.answers > met

    def _credit(self, row: Entrant) -> None:
        """An answer was found in the turn of this row."""
        if not self.counting:
            self.gave[row.name] = self.gave.get(row.name, 0) + 1

    def _next(self) -> Turn:
        """End the turn, and begin the next one."""
        if self._turn is not None:
            self._settle(self._turn)
        self._turn = None
        for row in self._due():
            method = row.method() if row.may() else None
            if method is None:
                continue
            if method not in self.methods:
                self.methods.append(method)
                self.enter(method)
            self._shares.setdefault(row.name, method.fraction)
            work = max(row.work, self.spent[row.name] // PAST) if row.name in self.spent else row.opening
            work = max(work, self._pace.least, method.node)
            return Turn(row, method, work, (self.standing(), self._progress(row)))
        raise AssertionError("nobody may have a turn")

    def _due(self) -> list[Entrant]:
        """The rows that may have the next turn, the first choice first."""
        rows = [row for row in self.table if row.work or row.name not in self.spent]
        furthest, done = max(rows, key=self._progress), self.work

        def rank(row: Entrant) -> tuple[bool, float]:
            spent = self.spent.get(row.name)
            if row.urgent is not None and row.urgent():
                return False, -1.0
            if spent is None:
                return row.begins() > done, 0.0  # such rows come only if no other has a turn
            ahead = row is furthest and self._progress(row) > GAIN and row.name not in self._stuck
            factor = FAVOUR if ahead else self.factor(row.name)
            return row.begins() > done, (spent + max(row.work, spent // PAST)) / (row.work * factor)

        return sorted(rows, key=rank)

    def _progress(self, row: Entrant) -> float:
        """How much of its way the method of a row has done."""
        return self._shares.get(row.name, float)() or 0.0

    def factor(self, name: str) -> float:
        """The factor of a row's weight that its last turns have earned."""
        return self._factors.get(name, 1.0)

    def account(self) -> Sequence[tuple[str, int, int]]:
        """The rows that have had a turn: their names, their work, and how many answers they found; in place of one that
        is a table itself, its rows."""
        works = dict(self.spent)
        if self._turn is not None:
            works[self._turn.row.name] = works.get(self._turn.row.name, 0) + self._turn.work
        told: list[tuple[str, int, int]] = []
        for name, work in works.items():
            inner = self._inner.get(name)
            told += [(name, work, self.gave.get(name, 0))] if inner is None else inner.account()
        return told

    @property
    def timetable(self) -> Sequence[Entrant]:
        """The rows as they begin; in place of one that is a table itself, its rows, which share its work."""
        rows: list[Entrant] = []
        for row in self.table:
            inner = self._inner.get(row.name)
            if inner is None:
                rows.append(row)
            else:
                whole = sum([one.work for one in inner.timetable])
                rows += [evolve(one, work=one.work * row.work // whole) for one in inner.timetable]
        return rows

    def _settle(self, turn: Turn) -> None:
        """Count a turn that is over, and set the weight by what it gained."""
        row, (before, share) = turn.row, turn.before
        self.spent[row.name] = self.spent.get(row.name, 0) + turn.work
        progress = self._progress(row)
        self._stuck.discard(row.name)
        if row.share is None and progress - share < RISE * (1 - share):
            self._stuck.add(row.name)
        factor, gained = self.factor(row.name), progress - share > GAIN or self.gains(before)
        self._factors[row.name] = min(max(2 * factor, 1), row.most) if gained else max(min(factor / 2, 1), 1 / FAVOUR)

    # --- what the methods share ---

    def standing(self) -> Any:
        """What turns gain, as things stand."""
        return self._answers

    def gains(self, before: Any) -> bool:
        """Whether something was gained since things stood so."""
        return bool(self.standing() != before)

    def enter(self, method: Method) -> None:
        """A method is about to have its first turn."""

    def take(self, method: Method) -> bool:
        """A method has found an answer. Returns whether it is new."""
        raise NotImplementedError

    def proved(self) -> bool:
        """Whether what the methods know together ends the search."""
        return False

    def finish(self, method: Method) -> None:
        """A method has ended the search."""


class CountTurns(Turns):
    """Turns of methods that count all answers. answers: what the first to finish has counted; before that, the most
    that one of them has met."""

    counting = True

    @property
    def answers(self) -> int:
        return max([method.kernel.answers for method in self.methods], default=0)

    def answer(self) -> list[int]:
        return []

    def standing(self) -> None:
        """Nothing: only the end is asked for."""

    def run(self, nodes: int, answers: int) -> int:
        until = None if answers >= ENDLESS else self.answers + answers
        if super().run(nodes, answers) == DONE and until is not None and until < self.answers:
            self.code = FOUND  # more than were asked for
        return self.code

    def _call(self, turn: Turn, room: int, until: int | None) -> tuple[int, bool]:
        code = turn.step(self._pace.call, room, ENDLESS if until is None else until - self.answers)
        return code, code == FOUND

    def take(self, method: Method) -> bool:
        return True

    def fraction(self) -> float | None:
        """How much the one that is furthest has done."""
        fractions = [method.fraction() for method in self.methods]
        return max([f for f in fractions if f is not None], default=None)


class CheapestTurns(Turns):
    """Turns of methods that look for ever cheaper answers.

    ceiling: the most that an answer may cost from now on; None for any cost.
    hero: what found the last answer, or ended the search.
    """

    def __init__(
        self,
        table: Sequence[Entrant],
        paid: Callable[[tuple[int, ...]], int],
        ceiling: int | None,
        pace: Pace = USUAL_PACE,
    ) -> None:
        """paid: what an answer costs.  ceiling: the most that one may cost."""
        super().__init__(table, pace)
        self.ceiling = ceiling
        self.hero: Method | None = None
        self._paid = paid
        self._best: tuple[int, ...] = ()
        self._cost: int | None = None  # of the best answer
        self._bound: int | None = None  # what was proved at the last pause, or better
        self.worth: int | None = None  # what the witness costs, where there is one (witness.py)

    def run(self, nodes: int, answers: int) -> int:
        try:
            return super().run(nodes, answers)
        finally:
            if self.code != DONE:
                self._prove()
            elif self.ceiling is not None:
                self._bound = self.ceiling + 1
            if self.code == DONE and self.worth is not None and self.hero is not None:
                hold_end(self.hero.title, True, None, self.worth, self.ceiling)

    def answer(self) -> list[int]:
        """The best answer, in the caller's numbers, given options included."""
        return list(self._best)

    def whole(self) -> tuple[int, ...]:
        """The best answer as a tuple; see `answer`."""
        return self._best

    def bound(self) -> int | None:
        """The proved lower bound, as it was at the last pause between two slices; None before the first node, or where
        there is no answer. Another thread may ask for it."""
        return self._bound

    def lower(self, ceiling: int) -> None:
        """Find only answers of at most this cost from now on."""
        if self.ceiling is None or ceiling < self.ceiling:
            self.ceiling = ceiling
            for method in self.methods:
                method.lower(ceiling)

    def standing(self) -> tuple[int | None, int | None]:
        return self._cost, self._bound

    def gains(self, before: tuple[int | None, int | None]) -> bool:
        best, bound = before
        if best is None or bound is None or self._cost is None or self._bound is None:
            return self.standing() != before
        gap = best - bound
        return best - self._cost > GAIN * gap or self._bound - bound > RISE * gap

    def enter(self, method: Method) -> None:
        if self.ceiling is not None:
            method.lower(self.ceiling)

    def take(self, method: Method) -> bool:
        answer = method.answer()
        paid = self._paid(answer)
        if self.ceiling is not None and paid > self.ceiling:
            return False  # it was told the ceiling too late
        self._best, self._cost = answer, paid
        self._answers += 1
        self.hero = method
        self.lower(self._cost - 1)
        return True

    def proved(self) -> bool:
        self._prove()
        if self._cost is None or self._bound != self._cost:
            return False
        self.hero = self.now
        return True

    def finish(self, method: Method) -> None:
        self.hero = method

    def _prove(self) -> None:
        """Take the highest of all bounds; a method may take its own back. One that looked only for answers cheaper than
        the best may have proved no more than that there is none, so the best answer's cost is the highest that
        counts."""
        if self.worth is not None:
            for method in self.methods:
                hold_end(method.title, False, method.bound(), self.worth, self.ceiling)
        known = [b for b in [method.bound() for method in self.methods] if b is not None]
        most = max(known, default=None)
        self._bound = most if most is None or self._cost is None else min(most, self._cost)
