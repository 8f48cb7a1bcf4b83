"""The fewest of bins that are alike: a lower bound from large things, first fit, and bins filled one by one.

Every thing is put in exactly one bin, a bin that holds something costs the same as any other, and what fits in one bin
fits in each: that is read off the rows of the problem, whatever the model calls them (`like_bins`). A row adds up at
most to a room, so a bin has one room for each row, and things that need as much of each room are of one kind.

The search is for a given number of bins, from the lower bound on. What may stay empty in a bin is what all bins that
are left hold beyond all things that are left. If few ways to fill a bin leave no more than that, the next bin is filled
around the thing that has the fewest. Else it holds the largest thing that is left and others, so that nothing else
fits: an answer with fewer in that bin can be changed into such a one, by moving things into it. Fullest bins come
first, and what is left of things is looked at once for each number of bins.

Sources: the lower bound is L2 of Martello and Toth, "Knapsack problems", 1990; bins are filled as by Korf, "A new
algorithm for optimal bin packing", 2002.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate

from covr.engine.base.limits import HEAVY, with_limit_checks
from covr.engine.problem import Problem, Total
from covr.engine.turns import NODE, Method, StepKernel
from covr.frozen import frozen

NAME = "like bins, one by one"
PATTERNS = 2000  # ways to fill a bin, up to which all of them are known beforehand; and that are put in order
MOST_THINGS = 500  # each in a bin is a call within a call
MOST = 1 << 16  # numbers of things of each kind that are remembered: some hundred bytes each

Row = tuple[tuple[tuple[int, int], ...], int, int]
"""Options with their coefficients, and the least and greatest sum."""

Size = tuple[int, ...]
"""What a thing takes of each room."""

Filling = tuple[int, ...]
"""The kinds of the things in a bin, increasing."""


@frozen
class Bins:
    """puts: per bin, the option of each thing.  used: per bin, the option that costs something.  sizes: of each thing.
    rooms: of a bin.  base: what all things cost, wherever they are.  price: of a bin."""

    puts: tuple[tuple[int, ...], ...]
    used: tuple[int, ...]
    sizes: tuple[Size, ...]
    rooms: Size
    base: int
    price: int


def like_bins(problem: Problem) -> Bins | None:
    """The bins, where a problem is about nothing else. Time linear in the rows, apart from sorting."""
    if problem.colours or problem.given or not problem.sides or not any(problem.costs):
        return None
    things = [i for i in range(problem.items) if problem.low[i] == problem.high[i] == 1]
    if not 0 < len(things) <= MOST_THINGS:
        return None
    place: dict[int, int] = {}
    for k, i in enumerate(things):
        for o in problem.holders[i]:
            if place.setdefault(o, k) != k:
                return None
    rows = _rows(problem, set(things))
    if rows is None:
        return None
    joins = [len(terms) > 1 and not any(o in place for o, _ in terms) for terms, _, _ in rows]
    joining, rows = ([row for row, yes in zip(rows, joins, strict=True) if yes == kind] for kind in (True, False))
    found = _bins(problem.options, rows)
    if any(len(own) != len(things) + 1 for own in found):
        return None
    members, shapes = [], []
    bin_of = {o: b for b, own in enumerate(found) for o in own}
    own_rows: list[list[Row]] = [[] for _ in found]
    for row in with_limit_checks(rows):
        own_rows[bin_of[row[0][0][0]]].append(row)
    for own, held in zip(found, own_rows, strict=True):
        by_place = {place.get(o, -1): o for o in own}
        if len(by_place) != len(own):
            return None
        members.append([by_place[k] for k in range(-1, len(things))])
        spot = {o: k for k, o in by_place.items()}
        named = [(tuple(sorted([(spot[o], c) for o, c in terms])), low, high) for terms, low, high in held]
        shapes.append((sorted(named), [problem.costs[o] for o in members[-1]]))
    shape = shapes[0]
    rooms = _rooms(shape[0], len(things)) if all(one == shape for one in shapes) else None
    ordered = _in_order(members, joining)
    if rooms is None or ordered is None or shape[1][0] <= 0:
        return None
    return Bins(
        tuple(tuple(own[1:]) for own in ordered), tuple(own[0] for own in ordered),
        tuple(zip(*[weights for weights, _ in rooms], strict=True)), tuple([room for _, room in rooms]),
        sum(shape[1][1:]), shape[1][0],
    )  # fmt: skip


def _in_order(members: list[list[int]], joining: Sequence[Row]) -> list[list[int]] | None:
    """The bins in an order in which any number of the first ones may be used alone; None if neither of two is one.

    members: per bin, its options, that which costs something first.  joining: rows of such options only.
    """
    for ordered in (members, members[::-1]):
        place = {own[0]: b for b, own in enumerate(ordered)}
        if all(_holds_always(row, place) for row in with_limit_checks(joining)):
            return ordered
    return None


def _holds_always(row: Row, place: Mapping[int, int]) -> bool:
    """Whether a row holds with any number of the first options. place: of each option."""
    terms, low, high = row
    sums = accumulate([c for _, c in sorted(terms, key=lambda term: place[term[0]])], initial=0)
    return all(low <= one <= high for one in sums)


def _rows(problem: Problem, things: set[int]) -> list[Row] | None:
    """The totals, and the items that are no things, as rows; None where there is something else."""
    found: list[Row] = []
    for side in with_limit_checks(problem.sides):
        if not isinstance(side, Total) or len(side.sums) != 1:
            return None
        found.append((side.terms, *side.sums[0]))
    for i in with_limit_checks(range(problem.items)):
        if i not in things:
            found.append((tuple([(o, 1) for o in problem.holders[i]]), problem.low[i], problem.high[i]))
    return [row for row in found if row[0]] if all(row[0] or row[1] <= 0 <= row[2] for row in found) else None


def _bins(options: int, rows: Sequence[Row]) -> list[list[int]]:
    """The options that rows join, in the order of the least."""
    root = list(range(options))

    def find(o: int) -> int:
        while root[o] != o:
            root[o] = o = root[root[o]]
        return o

    for terms, _, _ in with_limit_checks(rows):
        for o, _ in terms:
            root[find(o)] = find(terms[0][0])
    found: dict[int, list[int]] = {}
    for o in range(options):
        found.setdefault(find(o), []).append(o)
    return [*found.values()]


def _rooms(rows: Sequence[Row], things: int) -> list[tuple[list[int], int]] | None:
    """What each thing takes of each room of a bin, and the room; None where a bin is more than that, or does not cost
    something as soon as it holds one. rows: of things by number, and -1 for the option that costs something."""
    found, costly = [], [False] * things
    for terms, low, high in rows:
        weights = [0] * things
        sign = -1 if any(c < 0 for k, c in terms if k >= 0) else 1
        least, most = (low, high) if sign > 0 else (-high, -low)
        used = 0
        for k, c in terms:
            if k < 0:
                used = sign * c
            else:
                weights[k] = sign * c
        if min(weights) < 0 or not least <= 0 <= most or not least <= used <= most:
            return None
        costly = [known or w > most for known, w in zip(costly, weights, strict=True)]
        if sum(weights) > most - used:
            found.append((weights, most - used))
    return found if found and all(costly) else None


class BinsKernel(StepKernel):
    """A kernel that finds ever fewer bins. A node fills a bin, or begins to."""

    def __init__(self, bins: Bins, ceiling: int | None) -> None:
        """bins: see `like_bins`.  ceiling: the most that an answer may cost."""
        super().__init__(ceiling)
        self._bins = bins
        weight = {size: sum([w / (room + 1) for w, room in zip(size, bins.rooms, strict=True)]) for size in bins.sizes}
        self._kinds = sorted(weight, key=lambda size: (-weight[size], size))  # the largest first
        counted = Counter(bins.sizes)
        self._counts = tuple([counted[size] for size in self._kinds])
        self._failed: set[tuple[int, tuple[int, ...]]] = set()  # numbers of bins and of things that do not fit in these

    def _most(self) -> int:
        """The most bins that may be used."""
        bins = self._bins
        most = len(bins.used)
        return most if self._ceiling is None else min(most, (self._ceiling - bins.base) // bins.price)

    def _search(self) -> Iterator[bool]:
        """First fit, and then packings into as few bins as possible; it goes on after each node."""
        if all(_fits(size, self._bins.rooms) for size in self._kinds):
            self._take(self._first_fit())
            yield True
            number, found = self._least(), self.answers
            while number <= self._most() and self.answers == found:
                self.bound = self._bins.base + self._bins.price * number
                yield from self._pack(number)
                number += 1
        self._ended = True

    def _least(self) -> int:
        """A lower bound for the number of bins: of things above half a room, none shares a bin with another, and things
        of at least `small` do not fit beside those that leave less."""
        least = 1
        for d, room in enumerate(self._bins.rooms):
            sizes = [size[d] for size in self._bins.sizes]
            for small in {0, *[w for w in sizes if 2 * w <= room]}:
                large = [w for w in sizes if 2 * w > room]
                beside = [w for w in large if w <= room - small]
                rest = sum([w for w in sizes if small <= w and 2 * w <= room])
                more = -(-(rest - (room * len(beside) - sum(beside))) // room) if room else 0
                least = max(least, len(large) + max(more, 0))
        return least

    def _first_fit(self) -> list[Filling]:
        """Each thing, the largest first, into the first bin where it fits."""
        found: list[tuple[list[int], list[int]]] = []
        for kind, count in enumerate(self._counts):
            size = self._kinds[kind]
            for _ in range(count):
                held, left = next((one for one in found if _fits(size, one[1])), ([], list(self._bins.rooms)))
                if not held:
                    found.append((held, left))
                held.append(kind)
                left[:] = [room - w for room, w in zip(left, size, strict=True)]
        return [tuple(held) for held, _ in found]

    def _take(self, fillings: Sequence[Filling]) -> None:
        """Keep an answer, if it uses few enough bins."""
        if len(fillings) > self._most():
            return
        bins = self._bins
        things: dict[Size, list[int]] = {}
        for k, size in enumerate(bins.sizes):
            things.setdefault(size, []).append(k)
        puts = [bins.puts[b][things[self._kinds[kind]].pop()] for b, held in enumerate(fillings) for kind in held]
        self._answer = sorted([*puts, *bins.used[: len(fillings)]])
        self.answers += 1

    def _pack(self, number: int) -> Iterator[bool]:
        """Look for a packing into so many bins, depth first; it goes on after each node."""
        fillings: list[Filling] = []
        left = self._counts
        known: list[Filling] = []
        for one in self._filled([*left], (), 0, self._bins.rooms, self._spare(left, number), False):
            yield True
            if one:
                known.append(one)
            if len(known) > PATTERNS:
                break
        patterns = known if len(known) <= PATTERNS else None
        stack = [(patterns, iter(self._ways(left, number, patterns)))]
        while stack:
            filling = next(stack[-1][1], None)
            yield True
            if filling is None:
                stack.pop()
                if len(self._failed) < MOST:
                    self._failed.add((number - len(fillings), left))
                if fillings:
                    left = _changed(left, fillings.pop(), 1)
            elif filling:
                fillings.append(filling)
                left = _changed(left, filling, -1)
                if not any(left):
                    self._take(fillings)
                    return
                patterns = self._possible(stack[-1][0], left, number - len(fillings))
                stack.append((patterns, iter(self._ways(left, number - len(fillings), patterns))))

    def _spare(self, counts: Sequence[int], number: int) -> list[int]:
        """How much of each room may stay empty in so many bins, if they hold so many things of each kind."""
        rooms = self._bins.rooms
        return [
            number * rooms[d] - sum([n * size[d] for n, size in zip(counts, self._kinds, strict=True)])
            for d in range(len(rooms))
        ]

    def _possible(self, patterns: list[Filling] | None, counts: Sequence[int], number: int) -> list[Filling] | None:
        """Those of all ways to fill a bin that are left, if all are known."""
        if patterns is None:
            return None
        self.work += NODE * len(patterns)
        spare = self._spare(counts, number)
        return [
            one
            for one in patterns
            if all(counts[kind] >= one.count(kind) for kind in one)
            and all(room - w <= more for room, w, more in zip(self._bins.rooms, self._size(one), spare, strict=True))
        ]

    def _size(self, filling: Filling) -> Size:
        """What a bin's things take of each room."""
        return tuple([sum([self._kinds[kind][d] for kind in filling]) for d in range(len(self._bins.rooms))])

    def _ways(self, counts: tuple[int, ...], number: int, patterns: list[Filling] | None) -> Iterator[Filling]:
        """Ways to fill a bin around a thing that must be in one, the fullest first; empty ones now and then.

        number: bins that are left.  patterns: all ways, if they are known.
        """
        spare = self._spare(counts, number)
        if min(spare) < 0 or (number, counts) in self._failed:
            return
        first = next(kind for kind, count in enumerate(counts) if count)
        if patterns is not None:
            meets = [0] * len(counts)
            for one in patterns:
                for kind in {*one}:
                    meets[kind] += 1
            first = min((kind for kind, count in enumerate(counts) if count), key=lambda kind: (meets[kind], kind))
            yield from sorted([one for one in patterns if first in one], key=lambda one: (-sum(self._size(one)), one))
            return
        steps = self._filled([*counts], (first,), first, _less(self._bins.rooms, self._kinds[first]), spare, True)
        kept: list[Filling] = []
        for filling in steps:
            if filling:
                kept.append(filling)
            else:
                yield ()
            if len(kept) == PATTERNS:
                break
        yield from sorted(kept, key=lambda one: (-sum(self._size(one)), one))
        yield from steps

    def _filled(
        self, counts: list[int], held: Filling, start: int, left: Size, spare: Sequence[int], full: bool
    ) -> Iterator[Filling]:
        """Ways to fill what is left of a bin, so that no more than `spare` stays empty; empty ones now and then.

        counts: things of each kind, of which the last one that is held is still one.  start: the first kind that may be
        added.  full: whether nothing else may fit.
        """
        if held:
            counts[held[-1]] -= 1
        fitting = [kind for kind, count in enumerate(counts) if count and _fits(self._kinds[kind], left)]
        self.work += NODE * len(counts)
        if held and not (full and fitting) and _fits(left, spare):
            yield held
        added = [kind for kind in fitting if kind >= start]
        rest = [sum([counts[kind] * self._kinds[kind][d] for kind in added]) for d in range(len(left))]
        for kind in added:
            if any(room - w > more for room, w, more in zip(left, rest, spare, strict=True)):
                break  # all that could still be added leaves too much of a room empty
            size = self._kinds[kind]
            rest = [w - counts[kind] * own for w, own in zip(rest, size, strict=True)]
            if len(held) == 1:
                yield ()
            yield from self._filled(counts, (*held, kind), kind, _less(left, size), spare, full)
        if held:
            counts[held[-1]] += 1


def _fits(size: Size, left: Sequence[int]) -> bool:
    return all(w <= room for w, room in zip(size, left, strict=True))


def _less(left: Size, size: Size) -> Size:
    return tuple([room - w for room, w in zip(left, size, strict=True)])


def _changed(counts: tuple[int, ...], filling: Filling, by: int) -> tuple[int, ...]:
    """How many there are of each kind, after the things of a bin were added or taken away."""
    found = list(counts)
    for kind in filling:
        found[kind] += by
    return tuple(found)


def method(kernel: BinsKernel, whole: Callable[[Sequence[int]], tuple[int, ...]]) -> Method:
    """The kernel as a method. whole: turns options of the problem into an answer in the caller's numbers."""
    return kernel.method(NAME, whole, HEAVY)
