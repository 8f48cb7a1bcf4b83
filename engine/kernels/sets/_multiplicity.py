"""The multiplicity kernel: all answers, in the documented order, to problems with bounds other than 1, 1.

It takes every problem that prepare/masks.py can turn into sets of options.

**Data.** A *level* is a node, with those of its ways that have not been tried yet. Everything is copied on the way
down, so nothing needs to be undone.

    alive    the set of the options that may still be taken
    counts   per item, how many alive options hold it
    needs    per item, how many more options it must have
    rooms    per item, how many more options it may have; kept only for the items in `narrow`, those whose upper bound
             can be reached
    item     the item to branch on: of the items that need options, the one with the fewest ways (counts - needs + 1),
             the lowest on ties. -1 if no item needs an option: then any alive option may be taken
    ways     how many of the item's ways are left
    starved  whether some item has fewer options left than it needs
    path     the option that was taken from the level
    weight   the level's share of the tree that is still to be searched, apart from what is below that option

At a node the lowest alive option that holds the item is *excluded* from the level and taken. The options that are
incompatible with it are removed, and if it fills an item, so are all others that hold this item. When everything below
is finished, the next option follows, while those before it stay excluded, until some item is starved. A node where no
item needs an option and no option is alive is an answer.

The compiled kernel is _multiplicity.h, on registers as wide as the processor has, or on plain words, with one byte per
count, need and room. Where a compiler can't make it (see _lanes.h) it is not `ready`, and links (_general.py) find the
same answers in the same order with the same number of nodes. The interpreted `Twin` is for the tests. `updates` counts
the options removed from alive sets.

Source: Knuth, TAOCP 7.2.2.1, Algorithm M, for the problem. Excluding options that were tried is from _general.py; bit
sets and counting are from _bits.py and _wide_bytes.h.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.sets._multiplicity import (
        MULTIPLICITY_BACK,
        MULTIPLICITY_END,
        MULTIPLICITY_ENTER,
        MULTIPLICITY_NEXT,
        multiplicity_close,
        multiplicity_lanes,
        multiplicity_open,
        multiplicity_run,
    )
    from cython.cimports.covr.engine.kernels.shared._kernel import DONE, FOUND, SLICE, KernelBase
    from cython.cimports.covr.engine.kernels.shared.arrays import _ints, _longs, _reals, _words, _zeros
else:
    from covr.engine.kernels.header import (
        DONE,
        FOUND,
        MULTIPLICITY_BACK,
        MULTIPLICITY_END,
        MULTIPLICITY_ENTER,
        MULTIPLICITY_NEXT,
        SLICE,
    )
    from covr.engine.kernels.loading import load
    from covr.engine.kernels.shared.arrays import _ints, _longs, _reals, _words, _zeros

    KernelBase = load("_kernel", interpreted=True).KernelBase

COMPILED = cython.compiled


@cython.final
@cython.cclass
class Multiplicity(KernelBase):
    """A kernel (see loading.py) for items that may be met more than once. It must only be run if it is `ready`."""

    able: cython.bint
    path: cython.p_int
    weight: cython.p_double
    where: cython.p_longlong  # nodes, updates, answers, level, state: what C reads and writes
    native: cython.p_void
    twin: object
    numbers: list

    def __init__(self, sets, feasible, widest=512):
        """sets: a BoundedSets of prepare/masks.py.  feasible: False if it is known that there are no answers.
        widest: how many bits the registers may have.

        Time and space linear in the size of the sets and the levels.
        """
        super().__init__()
        options: int = len(sets.numbers)
        items: int = len(sets.needs)
        across: int = max(1, (items + 63) // 64)
        hold: list = self.hold
        self.numbers = list(sets.numbers)
        self.path = _ints([0] * (options + 2), hold)
        self.weight = _reals([1.0] + [0.0] * (options + 2), hold)
        self.where = _longs([0] * 5, hold)
        self.state = MULTIPLICITY_ENTER if feasible else MULTIPLICITY_END
        self.twin = None
        self.able = True
        if cython.compiled:
            held = _zeros(options * across + 1)
            narrow = _zeros(across + 1)
            for b in range(options):
                for i in sets.members[sets.begin[b] : sets.begin[b + 1]]:
                    held[b * across + i // 64] |= 1 << i % 64
            for i in range(items):
                if sets.rooms[i]:
                    narrow[i // 64] |= 1 << i % 64
            self.native = multiplicity_open(
                widest,
                options,
                sets.words,
                items if items else 1,
                _ints(sets.begin, hold),
                _ints(sets.members, hold),
                _words(sets.holders if items else _zeros(sets.words + 8), hold),
                _words(sets.compatible, hold),
                _words(held, hold),
                _words(narrow, hold),
                _ints(sets.needs, hold),
                _ints(sets.rooms, hold),
                self.path,
                self.weight,
            )
            self.able = self.native != cython.NULL
        else:
            self.twin = Twin(sets)

    def __dealloc__(self):
        if cython.compiled:
            multiplicity_close(self.native)

    @property
    def ready(self):
        """Whether the kernel can run: its compiler was able to make it, and there was enough memory."""
        return self.able

    @property
    def lanes(self):
        """How many bits the registers have on which it searches; 0 if interpreted."""
        if cython.compiled:
            return multiplicity_lanes(self.native)
        return 0

    def fraction(self):
        """How much of the tree is done, from 0 to 1, if the ways of every node share equally."""
        if self.state == MULTIPLICITY_END:
            return 1.0
        rest = 0.0 if self.state == MULTIPLICITY_BACK else self.weight[self.level]
        for k in range(self.level):
            rest += self.weight[k]
        return min(max(1.0 - rest, 0.0), 1.0)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _run(self, end: cython.longlong, until: cython.longlong) -> cython.int:
        code: cython.int
        where: cython.p_longlong = self.where
        where[0] = self._nodes
        where[1] = self._updates
        where[2] = self._answers
        where[3] = self.level
        where[4] = self.state
        if cython.compiled:
            code = multiplicity_run(self.native, end, until, where)
        else:
            code = self.twin.run(end, until, where, self.path, self.weight)  # type: ignore[attr-defined]
        self._nodes = where[0]
        self._updates = where[1]
        self._answers = where[2]
        self.level = cython.cast(cython.int, where[3])
        self.state = cython.cast(cython.int, where[4])
        return code

    def answer(self):
        """The options taken, in the order they were taken."""
        return [self.numbers[self.path[k]] for k in range(self.level)]


class Twin:
    """The same search in Python, with whole numbers as sets and lists of counts: for tests, and for readers."""

    def __init__(self, sets):
        options, items, words = len(sets.numbers), len(sets.needs), sets.words
        self.options = [sets.members[sets.begin[b] : sets.begin[b + 1]] for b in range(options)]
        self.holders = [_whole(sets.holders, i, words) for i in range(items)]
        self.compatible = [_whole(sets.compatible, b, words) for b in range(options)]
        self.narrow = [room > 0 for room in sets.rooms]
        alive = (1 << options) - 1
        counts = [held.bit_count() for held in self.holders]
        self.levels = [(alive, counts, list(sets.needs), list(sets.rooms), *_choose(counts, sets.needs))]

    def run(self, end, until, where, path, weight):
        """Search until `end` nodes or `until` answers were counted in all; returns a code of header.py.

        where: nodes, updates, answers, level, state; read and written.  path, weight: per level; written.
        """
        nodes, updates, answers, level, state = where[:5]
        code = DONE
        while state != MULTIPLICITY_END:
            if state == MULTIPLICITY_NEXT:
                alive, counts, needs, rooms, item, ways, starved = self.levels[level]
                among = alive if item < 0 else alive & self.holders[item]
                if starved:
                    state = MULTIPLICITY_BACK
                    continue
                if not among:
                    state = MULTIPLICITY_BACK
                    answers += 1
                    if answers >= until:
                        code = FOUND
                        break
                    continue
                o = (among & -among).bit_length() - 1
                weight[level + 1] = weight[level] / (2 if item < 0 else ways)
                weight[level] -= weight[level + 1]
                alive ^= 1 << o
                for i in self.options[o]:
                    counts[i] -= 1
                starved = any(c < n for c, n in zip(counts, needs, strict=True))
                self.levels[level] = alive, counts, needs, rooms, item, ways - 1, starved
                rest = self._take(alive, needs, rooms, o)
                updates += 1 + (alive & ~rest[0]).bit_count()
                del self.levels[level + 1 :]
                self.levels.append(rest)
                path[level] = o
                level += 1
                state = MULTIPLICITY_ENTER
            elif state == MULTIPLICITY_ENTER:
                if nodes >= end:
                    code = SLICE
                    break
                nodes += 1
                state = MULTIPLICITY_BACK if self.levels[level][6] else MULTIPLICITY_NEXT
            else:
                if level == 0:
                    state = MULTIPLICITY_END
                    break
                level -= 1
                state = MULTIPLICITY_NEXT
        where[:5] = nodes, updates, answers, level, state
        return code

    def _take(self, alive, needs, rooms, o):
        rest = alive & self.compatible[o]
        needs, rooms = list(needs), list(rooms)
        for i in self.options[o]:
            needs[i] = max(needs[i] - 1, 0)
            if self.narrow[i]:
                rooms[i] -= 1
                if rooms[i] == 0:
                    rest &= ~self.holders[i]
        counts = [(rest & held).bit_count() for held in self.holders]
        return rest, counts, needs, rooms, *_choose(counts, needs)


def _whole(words, at, size):
    return sum(int(words[at * size + k]) << 64 * k for k in range(size))


def _choose(counts, needs):
    """The item to branch on, its ways, and whether an item is starved."""
    ways = [(c - n + 1, i) for i, (c, n) in enumerate(zip(counts, needs, strict=True)) if n > 0]
    if not ways:
        return -1, 0, False
    least, item = min(ways)
    return item, least, least <= 0
