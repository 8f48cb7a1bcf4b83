"""What is asked of a piece of a long search, how much it may take, what comes of it, and who watches it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

from attrs import field

from covr.engine.pieces.class_pieces import ClassPieces
from covr.engine.pieces.split import Prefix
from covr.engine.search import Answer
from covr.engine.settings import Settings
from covr.frozen import frozen

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
    count: the number of answers, for 'list' and 'count' if the piece is done.  answers: packed (packing.py), for
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
