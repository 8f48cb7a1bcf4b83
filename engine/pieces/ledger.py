"""The pieces of a search: which are open, taken and done, and what came of each."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, Protocol

from attrs import define, evolve, field

from covr.engine.base.limits import ENDLESS
from covr.engine.pieces.class_pieces import ClassPieces
from covr.engine.pieces.split import Prefix
from covr.engine.search import Answer
from covr.engine.settings import Settings
from covr.frozen import frozen

# --- piece values ----------------------------------------------------------------------------------------------------
# What is asked of a piece of a long search, how much it may take, what comes of it, and who watches it.


ASKS: Final = {"list": "every answer", "count": "how many there are", "minimum": "a cheapest one"}
# What is added to the name of an engine that searches for one answer of each class.
UP_TO: Final = ", up to symmetry"


@frozen
class Ask:
    """The question asked of a problem, the same for all its pieces. It can be pickled if `keep` can.

    goal: 'list', 'count' or 'minimum'.  settings: as for a search on one thread, including `ceiling`.
    keep: says whether an answer counts; None if all do.
    classes: for 'list' and 'count' without a seed, the parts of a search for one answer of each class, the smallest,
    for which `keep` is then asked; None if all answers are wanted.
    """

    goal: str
    settings: Settings = field(factory=Settings)
    keep: Callable[[Answer], bool] | None = None
    classes: ClassPieces | None = None


@frozen
class PieceBudget:
    """How much a piece should take, so that it lasts about a second. nodes: nodes of search.  answers: listed answers.

    far: how many budgets the piece may take before it is cut; None for `FAR`.
    """

    nodes: int
    answers: int = 50_000
    far: float | None = None


@frozen
class PieceResult:
    """The result of searching a piece. Frozen, small, and easily pickled.

    done: whether the whole piece was searched. If not, it was either cut into `children` (in documented order, with
    their shares of the piece in `weights`), or stopped from outside; then it has no children, and the result must not
    be kept.
    count: the number of answers, for 'list' and 'count' if the piece is done.  answers: packed (piece_work.py), for
    'list'.
    best, answer: for 'minimum', the cheapest answer found and its cost, if any, whether or not the piece is done.
    bound: for 'minimum', a lower bound on the cost of the answers in the piece; None means that there are no answers if
    the piece is done, and that nothing is known if it is not.
    nodes, updates: the work; for a piece that is cut, only that of the nodes above its children.  wasted: how many
    nodes will be searched again.  seconds: the time spent.  engine: the engine in words.
    """

    done: bool
    count: int = 0
    answers: bytes | None = field(default=None, repr=False)
    best: int | None = None
    answer: Answer | None = None
    bound: int | None = None
    nodes: int = 0
    updates: int = 0
    wasted: int = 0
    seconds: float = 0.0
    engine: str = ""
    children: tuple[Prefix, ...] = field(default=(), repr=False)
    weights: tuple[float, ...] = field(default=(), repr=False)

    @property
    def is_cut(self) -> bool:
        """Whether the piece was cut into smaller ones."""
        return bool(self.children)


class Watch(Protocol):
    """Watches a piece while it is searched. Its methods are called every few milliseconds by the searching thread."""

    def goes_on(self, nodes: int, fraction: float | None) -> bool:
        """Called with the nodes searched so far, and the share of the piece that is done; returns False to stop the
        piece."""

    def proved(self, bound: int) -> None:
        """For 'minimum': called before `goes_on` with a lower bound on the cost of the answers in the piece, if it is
        a new one."""

    def ceiling(self) -> int | None:
        """For 'minimum': the most that an answer may cost by now to be wanted; None for no limit."""

    def found(self, best: int, answer: Answer) -> None:
        """For 'minimum': called with a better answer as soon as it is found."""


class Nobody:
    """A watch for pieces that run by themselves: it never stops them, and only keeps the best cost."""

    def __init__(self, ceiling: int | None = None) -> None:
        self._ceiling = ceiling

    def goes_on(self, nodes: int, fraction: float | None) -> bool:
        return True

    def proved(self, bound: int) -> None:
        pass

    def ceiling(self) -> int | None:
        return self._ceiling

    def found(self, best: int, answer: Answer) -> None:
        self._ceiling = best - 1


# --- ledger ----------------------------------------------------------------------------------------------------------
# Keeps track of the pieces of a search: which are open, taken and done, and what is known so far.
#
# Pieces form a tree. The name of the first piece is empty. Each child of a piece that was cut is named by its parent's
# name and four hexadecimal digits, in documented order; so sorting the names of pieces gives the documented order. A
# piece is *open*, *done* or *cut*. An open piece may be *taken* by a worker; if the worker is lost, the piece is open
# as before (`give_back`).
#
#     settle      enter a worker's result: the piece is done, or it is cut and its children are open. A piece counts
# only                 once: a second result for it is ignored
#     improve     enter a better answer, in a search for a minimum
#     learn       enter a lower bound that a worker has proved for a piece that is not done, in a search for a minimum
#     flush       write everything that was settled or improved since the last time to the store, in one step; only then
#                 is it reported to the reader
#
# Only one thread may use the ledger. What the ledger knows outlives the process only if it has a store.


DIGITS = 4  # hexadecimal digits that the name of a piece adds to its parent's
MOST_CHILDREN = 16**DIGITS  # pieces that one piece may be cut into


@frozen
class Task:
    """An open piece. weight: its estimated share of the tree, from 0 to 1.  bound: a proved lower bound on the cost of
    its answers, or None.  lost: how many workers were lost while they searched it."""

    name: str
    prefix: Prefix
    weight: float = 1.0
    bound: int | None = None
    lost: int = 0


@frozen
class Settled:
    """A piece that is done or cut. children: how many, 0 if it is done."""

    task: Task
    result: PieceResult
    children: tuple[Task, ...] = ()


@frozen
class Improved:
    """An answer that is better than any before."""

    best: int
    answer: Answer


@frozen
class Learned:
    """An open piece of which a better bound is known."""

    task: Task


Change = Settled | Improved | Learned


class Store(Protocol):
    """Keeps what a ledger knows, so that it outlives the process."""

    def write(self, changes: Sequence[Change], totals: Totals) -> None:
        """Store all of the changes or none, and the new totals."""


@frozen
class Totals:
    """The totals of all settled pieces.

    pieces, cuts: how many are done, and how many were cut.  count: answers found.  weight: the share of the tree that
    is done, from 0 to 1.  nodes, updates, wasted: the work; `wasted` nodes must be searched again and are not part of
    `nodes`.  seconds: the working time of all threads together.  best: the cost of the cheapest answer.
    bound: a lower bound on the cost of all answers in finished pieces; None if they have no answers.
    """

    pieces: int = 0
    cuts: int = 0
    count: int = 0
    weight: float = 0.0
    nodes: int = 0
    updates: int = 0
    wasted: int = 0
    seconds: float = 0.0
    best: int | None = None
    bound: int | None = None

    def plus(self, task: Task, result: PieceResult) -> Totals:
        """The totals once one more piece is settled."""
        bounds = [b for b in (self.bound, result.bound if result.done else None) if b is not None]
        return evolve(
            self,
            pieces=self.pieces + result.done,
            cuts=self.cuts + (not result.done),
            count=self.count + result.count,
            weight=self.weight + task.weight * (1 - sum(result.weights)),  # for a cut, the share outside the children
            nodes=self.nodes + result.nodes,
            updates=self.updates + result.updates,
            wasted=self.wasted + result.wasted,
            seconds=self.seconds + result.seconds,
            bound=min(bounds, default=None),
        )


@define
class Ledger:
    """The pieces of one search.

    minimum: whether a cheapest answer is wanted. Then pieces with the least bound are taken first, and those that can't
    have a better answer are done without being searched.
    """

    minimum: bool = False
    store: Store | None = None
    totals: Totals = field(factory=Totals)
    budget: PieceBudget | None = None
    answer: Answer | None = None
    engine: str = ""
    _open: dict[str, Task] = field(factory=lambda: {"": Task("", Prefix())})
    _taken: dict[str, Task] = field(factory=dict)
    _cut: dict[str, int] = field(factory=dict)  # per name of a piece that was cut, how many children
    _heap: list[tuple[int, str]] = field(factory=list)
    _changes: list[Change] = field(factory=list)
    _unwritten: set[str] = field(factory=set)
    _learned: set[str] = field(factory=set)  # open pieces whose bounds were raised since the last write

    def __attrs_post_init__(self) -> None:
        for task in self._open.values():
            self._push(task)

    @classmethod
    def restore(
        cls, minimum: bool, store: Store, totals: Totals, budget: PieceBudget | None, answer: Answer | None,
        open: Iterable[Task], cut: Iterable[tuple[str, int]],
    ) -> Ledger:  # fmt: skip
        """A ledger with the contents of a store."""
        return cls(
            minimum=minimum,
            store=store,
            totals=totals,
            budget=budget,
            answer=answer,
            open={t.name: t for t in open},
            cut=dict(cut),
        )

    def _push(self, task: Task) -> None:
        rank = (-ENDLESS if task.bound is None else task.bound) if self.minimum else 0
        heapq.heappush(self._heap, (rank, task.name))

    # --- for workers ---

    @property
    def over(self) -> bool:
        """Whether no piece is open or taken, and nothing waits to be written."""
        return not self._open and not self._changes

    @property
    def waiting(self) -> int:
        """How many open pieces are not taken."""
        return len(self._open) - len(self._taken)

    @property
    def open_ones(self) -> Sequence[Task]:
        """The pieces that are open, taken or not."""
        return tuple(self._open.values())

    @property
    def taken(self) -> Sequence[Task]:
        """The pieces that workers have."""
        return tuple(self._taken.values())

    def take(self) -> Task | None:
        """The next piece for a worker; None if all open pieces are taken."""
        while self._heap:
            _, name = heapq.heappop(self._heap)
            task = self._open.get(name)
            if task is None or name in self._taken:
                continue
            if self._is_idle(task):
                self._settle(task, PieceResult(True, bound=task.bound))
                continue
            self._taken[name] = task
            return task
        return None

    def _is_idle(self, task: Task) -> bool:
        best = self.totals.best
        return self.minimum and best is not None and task.bound is not None and task.bound >= best

    def give_back(self, name: str) -> None:
        """Make a piece available again because its worker was lost or stopped."""
        task = self._taken.pop(name, None)
        if task is not None and name in self._open:
            self._open[name] = task = evolve(task, lost=task.lost + 1)
            self._push(task)

    def settle(self, name: str, result: PieceResult) -> bool:
        """Enter a worker's result. Returns False if the piece had a result already; the new one is then ignored."""
        task = self._open.get(name)
        if task is None or not (result.done or result.is_cut):
            return False
        if result.best is not None and result.answer is not None:
            self.improve(result.best, result.answer)
        self.engine = result.engine or self.engine
        self._settle(task, result)
        return True

    def _settle(self, task: Task, result: PieceResult) -> None:
        children = []
        for k, (prefix, weight) in enumerate(zip(result.children, result.weights, strict=True)):
            bounds = [b for b in (task.bound, result.bound) if b is not None]
            child = Task(f"{task.name}{k:0{DIGITS}x}", prefix, task.weight * weight, max(bounds, default=None))
            children.append(child)
        assert len(children) < MOST_CHILDREN
        self._unwritten.add(task.name)
        if children:
            self._cut[task.name] = len(children)
        del self._open[task.name]  # last: `is_done` may be asked from another thread
        self._taken.pop(task.name, None)
        for child in children:
            self._open[child.name] = child
            self._push(child)
        self.totals = self.totals.plus(task, result)
        self._changes.append(Settled(task, result, tuple(children)))

    def improve(self, best: int, answer: Answer) -> bool:
        """Enter a better answer. Returns whether it is better than the best so far; if not, it is ignored."""
        if self.totals.best is not None and best >= self.totals.best:
            return False
        self.totals = evolve(self.totals, best=best)
        self.answer = answer
        self._changes.append(Improved(best, answer))
        return True

    def learn(self, name: str, bound: int | None) -> None:
        """Enter what was proved of a piece that is open or taken: all its answers cost at least this."""
        task = self._open.get(name)
        if task is None or bound is None or (task.bound is not None and bound <= task.bound):
            return
        self._open[name] = task = evolve(task, bound=bound)
        if name in self._taken:
            self._taken[name] = task
        else:
            self._push(task)
        self._learned.add(name)

    # --- for the reader ---

    def __len__(self) -> int:
        """How many pieces are not done."""
        return len(self._open)

    @property
    def ceiling(self) -> int | None:
        """For a minimum, the most that an answer may cost to be of interest; None for no limit."""
        return None if self.totals.best is None else self.totals.best - 1

    @property
    def bound(self) -> int | None:
        """For a minimum, a proved lower bound on the cost of all answers; None if none is known, or if there are no
        answers."""
        if any(task.bound is None for task in self._open.values()):
            return None
        known = [task.bound for task in self._open.values() if task.bound is not None]
        known += [b for b in (self.totals.bound, self.totals.best) if b is not None]
        return min(known, default=None)

    def flush(self) -> bool:
        """Write all changes to the store. Returns whether there were any."""
        self._changes += [Learned(self._open[name]) for name in sorted(self._learned) if name in self._open]
        self._learned.clear()
        if not self._changes:
            return False
        if self.store is not None:
            self.store.write(self._changes, self.totals)
        self._changes = []
        self._unwritten.clear()
        return True

    def is_done(self, name: str) -> bool:
        """Whether the piece is neither open nor cut, and the store has it. May be asked from any thread."""
        return name not in self._open and name not in self._cut and name not in self._unwritten

    def leaf(self, name: str) -> str:
        """The first leaf of a piece, in documented order; the piece itself if it is not cut."""
        while name in self._cut:
            name += "0" * DIGITS
        return name

    def after(self, name: str) -> str | None:
        """The leaf after this one, in documented order; None after the last."""
        while name:
            parent, k = name[:-DIGITS], int(name[-DIGITS:], 16) + 1
            if k < self._cut[parent]:
                return self.leaf(f"{parent}{k:0{DIGITS}x}")
            name = parent
        return None

    def leaves(self) -> Iterator[str]:
        """All present leaves, in documented order."""
        name: str | None = self.leaf("")
        while name is not None:
            yield name
            name = self.after(name)
