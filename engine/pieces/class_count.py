"""Counts the classes of answers under a group by counting the answers that each of its members fixes.

By Burnside's lemma the number of classes is the mean, over the members of the group, of the number of answers that a
member carries to themselves. Conjugate members fix equally many answers, so one of each conjugacy class is enough. An
answer that a member fixes is a union of cycles of options. If the options of a cycle can be taken together, the cycle
becomes one option of a smaller problem; otherwise it is left out; the answers of that problem are counted. The identity
fixes all answers of the whole problem, which are counted with a memo. Where a memo saves much, this takes less than
visiting one answer of each class: dominoes on 8 × 8 squares, with 1 629 189 classes of 12 988 816 tilings, take 35 751
nodes. Where it saves nothing, this takes longer by a factor of the group's size. So a search for classes tries it
briefly and goes on with the quicker way (class_search.py).

Source: Burnside (1897), after Cauchy and Frobenius.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from attrs import evolve

from covr.engine.base.limits import Limits
from covr.engine.base.status import Status
from covr.engine.pieces.class_cut import Permutation
from covr.engine.problem import Problem, build
from covr.engine.search import Search
from covr.engine.settings import Settings
from covr.engine.single import begin

MOST = 512  # members of a group, at most, for its conjugacy classes to be worked out


class ClassCount:
    """A count of classes that proceeds step by step. value: the number of classes once it is done, None before."""

    def __init__(
        self,
        problem: Problem,
        images: Sequence[Permutation],
        settings: Settings,
        whole: Callable[[], Search | None] = lambda: None,
    ) -> None:
        """problem: exact (`is_exact`).  images: as for `cut_by_group`, fewer than `MOST`.  whole: returns a count of
        all answers of the problem that has not begun, or None if there is none to use."""
        self._whole = whole
        self._problem = problem
        self._settings = evolve(settings, jobs=1, seed=None)
        self._members = len(images) + 1
        self._left: Iterator[tuple[int, Permutation | None]] = iter([(1, None), *conjugates(images)])
        self._run: Search | None = None
        self._times = 0
        self._total = 0
        self._past = 0
        self.value: int | None = None

    @property
    def nodes(self) -> int:
        """The nodes of all problems counted so far."""
        return self._past + (0 if self._run is None else self._run.counters.nodes)

    def pays(self) -> bool:
        """Whether the memo has saved so much so far that this beats a search for one answer of each class."""
        return self._past > 0 or (self._run is not None and self._run.spared >= self._members * max(self.nodes, 1))

    def step(self, nodes: int) -> bool:
        """Go on for this many nodes. Returns whether there is more to do."""
        if self._run is None and not self._next():
            return False
        run = self._run
        assert run is not None
        if not run.step(nodes, False):
            assert run.status is Status.EXHAUSTED
            self._total += self._times * run.counters.answers
            self._past += run.counters.nodes
            self._run = None
        return True

    def _next(self) -> bool:
        """Begin the next problem; after the last, work out the mean. Returns whether there was a next one."""
        for times, image in self._left:
            problem = self._problem if image is None else fixed_by(self._problem, image)
            if problem is not None:
                self._times = times
                ready = self._whole() if image is None else None
                self._run = ready or begin(problem, "all", Limits(), self._settings)
                self._run.leave_unchecked()
                if ready is None:
                    self._run.only_count()
                return True
        assert self._total % self._members == 0, "the answers that a group fixes are a multiple of its size"
        self.value = self._total // self._members
        return False


def conjugates(images: Sequence[Permutation]) -> list[tuple[int, Permutation]]:
    """The conjugacy classes of a group: how many members each has, and one of them. The identity's is left out.

    Time: the square of the group's size.
    """
    if not images:
        return []
    degree = len(images[0])
    identity = tuple(range(degree))
    members = [identity, *images]
    base: list[int] = []  # points whose images distinguish the members
    groups: list[list[Permutation]] = [list(members)]
    while any(len(alike) > 1 for alike in groups):
        split: list[list[Permutation]] = []
        alike = next(g for g in groups if len(g) > 1)
        point = next(p for p in range(degree) if alike[0][p] != alike[1][p])
        base.append(point)
        for one in groups:
            by: dict[int, list[Permutation]] = {}
            for image in one:
                by.setdefault(image[point], []).append(image)
            split += by.values()
        groups = split
    number = {tuple(image[p] for p in base): k for k, image in enumerate(members)}
    back = []
    for image in members:
        inverse = [0] * degree
        for p, q in enumerate(image):
            inverse[q] = p
        back.append([inverse[p] for p in base])
    found: list[tuple[int, Permutation]] = []
    seen = {0}
    for k, image in enumerate(members):
        if k not in seen:
            own = {number[tuple(by[image[p]] for p in before)] for by, before in zip(members, back, strict=True)}
            seen |= own
            found.append((len(own), image))
    return found


def fixed_by(problem: Problem, image: Permutation) -> Problem | None:
    """The problem whose answers are those that a permutation carries to themselves; None where there are none.

    problem: exact, and carried to itself by the permutation `image`.  Linear time.
    """
    options: list[list[tuple[int, int]]] = []
    given: list[int] = []
    seen = [False] * problem.options
    taken = set(problem.given)
    for first in range(problem.options):
        if seen[first]:
            continue
        held: dict[int, int] | None = {}
        o = first
        while not seen[o]:
            seen[o] = True
            for i, colour in zip(problem.option(o), problem.option_colours(o), strict=True):
                if held is not None and held.setdefault(i, colour if colour else -1 - o) != (colour or -1 - o):
                    held = None
            o = image[o]
        if held is None:
            if first in taken:
                return None
            continue
        if first in taken:
            given.append(len(options))
        options.append([(i, max(colour, 0)) for i, colour in sorted(held.items())])
    return build(*_without_copies(problem, options), given=given)


def _without_copies(
    problem: Problem, options: Sequence[Sequence[tuple[int, int]]]
) -> tuple[list[tuple[int, int]], list[list[tuple[int, int]]]]:
    """Bounds and options, without items that repeat an earlier one: the same lower bound, held by the same options.
    Items with colours all stay."""
    rows: list[list[int]] = [[] for _ in range(problem.items)]
    coloured: set[int] = set()
    for o, held in enumerate(options):
        for i, colour in held:
            rows[i].append(o)
            if colour:
                coloured.add(i)
    number: dict[int, int] = {}
    known: set[tuple[object, ...]] = set()
    for i, row in enumerate(rows):
        key: tuple[object, ...] = (i,) if i in coloured else (problem.low[i], tuple(row))
        if key not in known:
            known.add(key)
            number[i] = len(number)
    bounds = [(problem.low[i], problem.high[i]) for i in number]
    return bounds, [[(number[i], colour) for i, colour in held if i in number] for held in options]
