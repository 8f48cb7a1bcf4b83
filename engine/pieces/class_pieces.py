"""Classes of answers in pieces: cut by a group, and counted by what its members fix."""

from __future__ import annotations

import heapq
from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from hashlib import blake2b
from threading import Lock
from typing import Any

from attrs import evolve, field

from covr.engine.base.limits import COMPILED_STEPS, Limits, Status, check_limits, with_limit_checks
from covr.engine.kernels.loading import load
from covr.engine.pieces.split import WIDEST, Prefix, Splitter, members
from covr.engine.plan import CLASSES, Query
from covr.engine.prepare.bitsets import bit_set
from covr.engine.prepare.masks import take_given
from covr.engine.problem import Problem, build
from covr.engine.search import Answer, Search
from covr.engine.settings import Settings
from covr.engine.single import begin
from covr.engine.symmetries import ChainGroup
from covr.frozen import frozen

# --- class cut -------------------------------------------------------------------------------------------------------
# A search cut by a group of symmetries: parts that together meet at least one answer of every class, and few more.
#
# First an item is chosen that every answer covers exactly once. Options of the item that are carried into each other by
# members of the group that leave the item in place need not all be tried: one of each such set is taken at the start of
# a part. If the group moves the item to others, an answer has one option at each of them, and the first of these in the
# order of the parts decides: a part excludes every option, at whatever item, that a member of the group carries to an
# option taken by an earlier part. The group of a part consists of the members that fix the option taken. If it has more
# members than the identity, the part is cut again by it, as far as `DEPTH`.
#
# The best item is the one with the fewest parts; among equals, the one whose parts leave the fewest options.
#
# All this is compiled (_class_cut.py).
#
# Source: solvers of packing puzzles such as BurrTools do this with one piece, where no symmetry moves a piece to
# another.


Permutation = Sequence[int]

DEPTH = 3  # options that a part takes, at most
MOST_PARTS = 4096  # parts, at most
MOST_BARRED = 1 << 25  # parts times options, at most
TIED = 6  # items with equally few parts that are compared by the options they leave, at most


@frozen
class ClassPart:
    """A part of the search.

    prefix: the options taken and excluded.
    sort: parts with the same first option have the same number; the images of an answer are met only in these.
    alone: whether no other image of its answers is met in any part, so that each is the only one met of its class.
    """

    prefix: Prefix
    sort: int
    alone: bool


def cut_by_group(problem: Problem, images: Sequence[Permutation], flat: Any = None) -> tuple[ClassPart, ...]:
    """The parts, in order; none where no item is suitable, or the group is too large to be worthwhile.

    images: a group of permutations that carry the problem to itself, without the identity.  flat: `flat_images` of
    them, if that was worked out already.
    """
    residual = take_given(problem)
    if not images or not residual.feasible:
        return ()
    if flat is None:
        flat = flat_images(problem, images)
    met = [need <= 0 for need in with_limit_checks(residual.need[: problem.primary])]
    cut = load("_class_cut").ClassCut(problem, flat, len(images), check_limits)
    limits = DEPTH, COMPILED_STEPS, MOST_PARTS, TIED
    found = cut.parts_of(residual.live, met, limits, problem.is_exact)
    if len(found) > MOST_PARTS or len(found) * problem.options > MOST_BARRED:
        return ()
    return tuple([ClassPart(Prefix(taken, excluded), sort, alone) for taken, excluded, sort, alone in found])


def flat_images(problem: Problem, images: Sequence[Permutation]) -> Any:
    """The images of a group in the form in which kernels read them. Time and space: the size of the group times the
    number of options."""
    return load("_classes").flattened(images, problem.options, check_limits)


# --- chain cut -------------------------------------------------------------------------------------------------------
# A search for one answer of each class of a group that is too large to be listed, cut into parts.
#
# The answer that is wanted of each class is its smallest member, where answers are compared as increasing lists. If an
# answer is the smallest of its images, so is every beginning of its list: a smaller image of the first k options would
# begin a smaller image of the answer. So the beginnings form a tree, and everything below one that is not the smallest
# of its images may be left out. A part is a beginning that is: it takes these options and no other that is less than
# the last of them. No two parts share an answer, and no answer that is wanted is outside all parts. Whether an answer
# is wanted can be told from the answer alone (`ChainGroup.is_smallest`); parts need not know of each other.
#
# A beginning goes on with an option c only if c is the least of its orbit under the members of the group that fix the
# beginning, option by option; then no option whose orbit has a smaller least member can be in any answer below, and all
# of these are excluded. That costs little and leaves short searches. That an option of some item has to be taken bounds
# c from above.
#
# Beginnings are extended, those with the most options left first, while their number and the work stay within limits.
# So the parts depend on nothing but the problem and the generators of the group. What is small is not extended, because
# a search of it takes less than cutting it. A beginning is compared with a limited number of images: some could take
# seconds, and one that is kept for nothing costs only time.
#
# Source: orderly generation, Faradžev (1978) and Read (1978); orbits of stabilisers as in Kaski and Östergård,
# "Classification Algorithms for Codes and Designs" (2006); the comparison with all images is Linton's (2004). Canonical
# augmentation (McKay 1998) would not need the smallest member, but that is the one that is promised.


MOST_IMAGES = 1000  # images that a beginning is compared with, at most, before it counts as the smallest
SMALL = 12  # options left: with fewer a beginning is not extended


@frozen
class _Beginning:
    """A beginning. taken: its options besides the given ones, increasing.  live: the set of the options that may follow
    it.  open: the same, with those that are excluded.  need, room: per item, see masks.py."""

    taken: tuple[int, ...]
    live: int = field(repr=False)
    open: int = field(repr=False)
    need: tuple[int, ...] = field(repr=False)
    room: tuple[int, ...] = field(repr=False)
    ended: bool = False  # whether nothing may follow

    @property
    def prefix(self) -> Prefix:
        """The beginning as a prefix of the search."""
        left = self.open if self.ended else self.open & ~self.live
        return Prefix(self.taken, tuple(members(left)))


def cut_by_chain(problem: Problem, group: ChainGroup, most: int = MOST_PARTS) -> tuple[ClassPart, ...]:
    """The parts, increasing; none where the given options contradict each other.

    group: of symmetries of the problem, all of which carry the given options to given options.  most: how many parts
    there may be, about. Raises LimitReached where a limit of the calling search is met.
    """
    cutter = _Cutter(problem, group)
    root = cutter.root()
    if root is None:
        return ()
    most = min(most, MOST_BARRED // max(problem.options, 1))
    tried = WIDEST // max(problem.options, 1)
    heap = [(-root.live.bit_count(), root.taken, root)]
    final: list[_Beginning] = []
    while heap and len(heap) + len(final) < most and cutter.tried < tried:
        _, _, one = heapq.heappop(heap)
        for longer in cutter.longer(one):
            if longer.ended or longer.live.bit_count() < SMALL:
                final.append(longer)
            else:
                heapq.heappush(heap, (-longer.live.bit_count(), longer.taken, longer))
    final += [one for _, _, one in heap]
    final.sort(key=lambda one: (one.taken, one.ended))
    return tuple(ClassPart(one.prefix, 0, False) for one in final)


class _Cutter:
    """Extends beginnings. tried: how many were compared with their images."""

    def __init__(self, problem: Problem, group: ChainGroup) -> None:
        self._problem, self._group = problem, group
        self._sets = Splitter(problem)
        self.tried = 0

    def root(self) -> _Beginning | None:
        """The empty beginning; None where there is no answer."""
        residual = take_given(self._problem)
        if not residual.feasible:
            return None
        live = bit_set([o for o in range(self._problem.options) if residual.live[o]])
        return _Beginning((), live, live, tuple(residual.need[: self._problem.primary]), tuple(residual.room))

    def longer(self, one: _Beginning) -> Iterator[_Beginning]:
        """The beginnings that are longer by one option and the smallest of their images, increasing; if nothing more is
        needed, the beginning itself comes first, to which nothing may be added."""
        unmet = [i for i, need in enumerate(one.need) if need > 0]
        last = self._problem.options
        for i in unmet:
            held = one.live & self._sets.holders(i)
            if held.bit_count() < one.need[i]:
                return
            last = min(last, held.bit_length() - 1)
        if not unmet:
            yield _Beginning(one.taken, one.live, one.open, one.need, one.room, True)
        lows = self._group.lows(one.taken)
        orbits: dict[int, list[int]] = {}
        for o in members(one.live):
            orbits.setdefault(lows[o], []).append(o)
        live = one.live
        for head, orbit in sorted(orbits.items()):
            if head > last:
                return
            if orbit[0] == head:
                left = self._taken(one, live & ~(1 << head), head)
                if left is not None and self._is_smallest(left.taken):
                    yield left
            live &= ~bit_set(orbit)

    def _is_smallest(self, taken: tuple[int, ...]) -> bool:
        self.tried += 1
        check_limits()
        return self._group.is_smallest(taken, MOST_IMAGES)

    def _taken(self, one: _Beginning, live: int, option: int) -> _Beginning | None:
        """What is left once an option is taken; None if some item can't be met any more."""
        need, room = list(one.need), list(one.room)
        open_ = one.open & ~(1 << option)
        sets, problem = self._sets, self._problem
        for i, colour in zip(problem.option(option), problem.option_colours(option), strict=True):
            if i < len(need) and need[i] > 0:
                need[i] -= 1
            gone = 0
            if colour:
                gone = sets.holders(i) & ~sets.shade(i, colour)
            else:
                room[i] -= 1
                if room[i] <= 0:
                    gone = sets.holders(i)
            live &= ~gone
            open_ &= ~gone
        for i, n in enumerate(need):
            if n > 0 and (live & sets.holders(i)).bit_count() < n:
                return None
        return _Beginning((*one.taken, option), live, open_, tuple(need), tuple(room))


# --- class count -----------------------------------------------------------------------------------------------------
# Counts the classes of answers under a group by counting the answers that each of its members fixes.
#
# By Burnside's lemma the number of classes is the mean, over the members of the group, of the number of answers that a
# member carries to themselves. Conjugate members fix equally many answers, so one of each conjugacy class is enough. An
# answer that a member fixes is a union of cycles of options. If the options of a cycle can be taken together, the cycle
# becomes one option of a smaller problem; otherwise it is left out; the answers of that problem are counted. The
# identity fixes all answers of the whole problem, which are counted with a memo. Where a memo saves much, this takes
# less than visiting one answer of each class: dominoes on 8 × 8 squares, with 1 629 189 classes of 12 988 816 tilings,
# take 35 751 nodes. Where it saves nothing, this takes longer by a factor of the group's size. So a search for classes
# tries it briefly and goes on with the quicker way (class_search.py).
#
# Source: Burnside (1897), after Cauchy and Frobenius.


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


# --- class pieces ----------------------------------------------------------------------------------------------------
# A search for one answer of each class, in pieces: what they need to tell which answers represent their classes.
#
# The first piece is cut at once into the parts of class_pieces.py, each of which becomes a piece; pieces that take long
# are cut further, like those of any other search (piece.py). A piece passes an answer on if it is the smallest of those
# of its images that are met in any part, and gives the smallest image of all, as class_search.py does. This depends on
# the parts and on nothing else, so it does not matter in which session, process or order the pieces are searched. But
# the parts must be the same throughout: whoever keeps pieces for later has to keep the parts as well.
#
# A count first tries the other way (class_pieces.py) for `QUICK` nodes, and goes on with it to the end where that pays.
# Like a piece whose memo pays, it is not cut.


@frozen(eq=False)
class ClassPieces:
    """The parts of a search for one answer of each class. Threads may share it; it can be pickled.

    images: a group of permutations of the options that carry the problem to itself, the identity left out; not empty.
    parts: what `cut_by_group` returned for them.  given: the options that the problem takes anyway.
    """

    images: Sequence[Permutation] = field(repr=False)
    parts: tuple[ClassPart, ...] = field(repr=False)
    given: tuple[int, ...] = field(default=(), repr=False)
    _flat: Any = field(default=None, repr=False)
    _lock: Lock = field(factory=Lock, repr=False, init=False)  # the kernel has room for one answer at a time

    def __reduce__(self) -> tuple[type[ClassPieces], tuple[Any, ...]]:
        return ClassPieces, (self.images, self.parts, self.given)

    @property
    def digest(self) -> str:
        """A checksum of the group."""
        return digest_of_group(self.images)

    @property
    def prefixes(self) -> tuple[Prefix, ...]:
        """The pieces into which the first one is cut, in order."""
        return tuple(part.prefix for part in self.parts)

    def part_of(self, prefix: Prefix) -> int | None:
        """The number of the part to which a piece belongs; None for the first piece."""
        for size in range(1, len(prefix.taken) + 1):
            number = self._numbers.get(prefix.taken[:size])
            if number is not None:
                return number
        return None

    def representatives(self, answers: Sequence[Answer], part: int, smallest: bool) -> list[Answer]:
        """Those of a part's answers that are first of their classes, in the order given; or, if asked, the smallest
        members of these classes. Time: the size of the group for each answer."""
        alone = self.parts[part].alone
        with self._lock:
            if smallest:
                found: list[Answer] = self.kernel.chosen(answers, part, alone)
            else:
                found = list(answers) if alone else self.kernel.firsts(answers, part)
        return found

    def counting(self, problem: Problem, settings: Settings) -> ClassCount | None:
        """The other way to count, which has not begun; None where it does not suit."""
        plain = problem.is_exact and settings.ceiling is None and settings.engine in ("auto", "memo")
        return ClassCount(problem, self.images, settings) if plain and len(self.images) < MOST else None

    @cached_property
    def _numbers(self) -> dict[tuple[int, ...], int]:
        return {part.prefix.taken: number for number, part in enumerate(self.parts)}

    @cached_property
    def kernel(self) -> Any:
        """What compares answers with their images; only one thread at a time may use it."""
        told = [(part.prefix.taken, part.prefix.excluded, part.sort) for part in self.parts]
        return load("_classes").Classes(len(self.images[0]), self.images, told, self._flat, self.given)


def digest_of_group(images: Sequence[Permutation]) -> str:
    """A checksum of a group, the same for equal groups in whatever order. Time and space: its size times the number of
    options."""
    sum = blake2b(digest_size=20)
    for image in sorted(array("q", image).tobytes() for image in images):
        sum.update(image)
    return sum.hexdigest()


# --- chain pieces ----------------------------------------------------------------------------------------------------
# A search for one answer of each class, in pieces, where the group is too large to be listed.
#
# As class_pieces.py, but with the parts of class_pieces.py. An answer represents its class if it is the smallest of all
# its images, whatever part it is found in. So pieces may be searched in any order, and cut further in any way.


@frozen
class ChainComparer:
    """Tells which answers represent their classes, as the kernel `Classes` does for small groups. given: the options
    that every answer has, and that every symmetry carries to each other."""

    group: ChainGroup = field(repr=False)
    given: frozenset[int]

    def is_first(self, answer: Sequence[int], part: int) -> bool:
        """Whether an answer is the smallest of its class."""
        check_limits()
        return self.group.is_smallest(sorted(o for o in answer if o not in self.given))

    def firsts(self, answers: Sequence[Answer], part: int) -> list[Answer]:
        """Those answers that are the smallest of their classes, in the order given."""
        return [answer for answer in answers if self.is_first(answer, part)]

    def chosen(self, answers: Sequence[Answer], part: int, alone: bool) -> list[Answer]:
        """The same, each as an increasing tuple."""
        return [tuple(sorted(answer)) for answer in self.firsts(answers, part)]

    def smallest(self, answer: Sequence[int]) -> Answer:
        """The smallest of the class of an answer for which `is_first` is true."""
        return tuple(sorted(answer))


@frozen(eq=False)
class ChainPieces(ClassPieces):
    """The parts of a search for one answer of each class. Threads may share it; it can be pickled.

    images: not used.  parts: what `cut_by_chain` returned.  group, given: as in `ChainComparer`.
    """

    group: ChainGroup = field(kw_only=True, repr=False)

    def __reduce__(self) -> tuple[object, tuple[ChainGroup, tuple[ClassPart, ...], tuple[int, ...]]]:  # type: ignore[override]
        return _pieces, (self.group, self.parts, self.given)

    def part_of(self, prefix: Prefix) -> int | None:
        return None if prefix == Prefix() != self.parts[0].prefix else 0

    def representatives(self, answers: Sequence[Answer], part: int, smallest: bool) -> list[Answer]:
        return self.kernel.chosen(answers, part, False) if smallest else self.kernel.firsts(answers, part)

    @property
    def kernel(self) -> ChainComparer:
        return ChainComparer(self.group, frozenset(self.given))

    def counting(self, problem: Problem, settings: Settings) -> ClassCount | None:
        """None: the members of the group are not listed, so that Burnside's lemma does not help."""
        return None

    @property
    def digest(self) -> str:
        return digest_of_chain(self.group)


def _pieces(group: ChainGroup, parts: tuple[ClassPart, ...], given: tuple[int, ...]) -> ChainPieces:
    return ChainPieces((), parts, given, group=group)


def pieces_of(problem: Problem, group: Sequence[Permutation] | ChainGroup, settings: Settings) -> ClassPieces | None:
    """The parts of a search for one answer of each class; None where it can't handle this problem or these settings, so
    that the caller has to sort the answers into classes.

    group: of permutations of the options that carry the problem to itself: all but the identity, or, where there are
    too many to be listed, as a chain. Raises LimitReached where a limit of the calling search is met.
    """
    if not group or CLASSES.against(Query(problem, "all", Limits(), settings)) is not None:
        return None
    if isinstance(group, ChainGroup):
        parts = cut_by_chain(problem, group)
        return _pieces(group, parts, problem.given) if parts else None
    flat = flat_images(problem, group)
    parts = cut_by_group(problem, group, flat)
    return ClassPieces(group, parts, problem.given, flat) if parts else None


def digest_of_chain(group: ChainGroup) -> str:
    """A checksum of a group: of its order and of the least points of its orbits under the members that fix 0, 1, … of
    the first points, until nothing moves. Equal groups have equal checksums, whatever their generators."""
    sum = blake2b(str(group.order).encode("ascii"), digest_size=20)
    fixed: list[int] = []
    while group.order_fixing(fixed) > 1:
        lows = group.lows(fixed)
        sum.update(repr(lows).encode("ascii"))
        fixed.append(next(p for p in range(group.degree) if p not in fixed and lows.count(lows[p]) > 1))
    return sum.hexdigest()
