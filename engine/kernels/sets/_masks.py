"""Makes the sets of options that masks.py describes, as words of 64 bits: arrays when compiled, lists otherwise; and
arranges the options for it."""

from __future__ import annotations

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.shared._kernel import LOOK_OPTIONS, LOOK_STEPS
    from cython.cimports.covr.engine.kernels.shared.arrays import _words, _zero_ints, _zeros
else:
    from covr.engine.kernels.header import LOOK_OPTIONS, LOOK_STEPS
    from covr.engine.kernels.shared.arrays import _words, _zero_ints, _zeros

COMPILED = cython.compiled
BEHIND = 8  # words behind the last set: whoever reads 8 words at once may read 7 of them (_lanes.h)


def _grown(size: cython.Py_ssize_t, look):
    """As `_zeros`, with looks in between."""
    some = min(size, LOOK_STEPS)
    result = _zeros(some)
    while len(result) < size:
        result.extend(_zeros(min(some, size - len(result))))
        if look is not None:
            look()
    return result


def arranged(
    items: cython.int, primary: cython.int, starts: list, members: list, colours: list, need: list, live, look=None
):
    """The live options, those with an unmet item first, both kinds increasing; how many there are of the first kind;
    `begin` and `members` of masks.py; per item, the new numbers of the options that hold it, increasing, and the
    colours that they show there.

    starts, members, colours: of the problem.  need: per item, whether it is unmet; only the first `primary` can be.
    live: per option, whether it may still be taken.  look: as in `holders`. Time linear in the length of the options.
    """
    hold: list = []  # what the C pointers point to; needed until this returns
    new: cython.p_int = _zero_ints(items, hold)
    count: cython.int = len(starts) - 1
    coloured: cython.bint = len(colours) > 0
    unmet: cython.int = 0
    o: cython.int
    i: cython.int
    b: cython.int
    k: cython.int
    first: cython.int
    last: cython.int
    meets: cython.bint
    numbers: list = []
    free: list = []
    begin: list = [0]
    own: list = []
    rows: list = [[] for _ in range(items)]
    shades: list = [[] for _ in range(items)]
    row: list
    shade: list
    for i in range(items):
        new[i] = -1
        if i < primary and need[i]:
            new[i] = unmet
            unmet += 1
    for o in range(count):
        if o % LOOK_OPTIONS == 0 and look is not None:
            look()
        if not live[o]:
            continue
        meets = False
        first = starts[o]
        last = starts[o + 1]
        for k in range(first, last):
            i = members[k]
            if new[i] >= 0:
                meets = True
                break
        if meets:
            numbers.append(o)
        else:
            free.append(o)
    size = len(numbers)
    numbers.extend(free)
    for b in range(len(numbers)):
        if b % LOOK_OPTIONS == 0 and look is not None:
            look()
        o = numbers[b]
        first = starts[o]
        last = starts[o + 1]
        for k in range(first, last):
            i = members[k]
            row = rows[i]
            row.append(b)
            if coloured:
                shade = shades[i]
                shade.append(colours[k])
            if new[i] >= 0:
                own.append(new[i])
        begin.append(len(own))
    return numbers, size, begin, own, rows, shades


def holders(words: cython.Py_ssize_t, rows: list, look=None):
    """Per item, the set of the options in its row, in `words` words.

    rows: per item, its options.  look: a function that is called every few milliseconds, and may raise an exception to
    stop. Bit b % 64 of word b // 64 of a set stands for option b.
    """
    hold: list = []  # what the C pointers point to; needed until this returns
    result = _grown(words * len(rows) + BEHIND, look)
    sets: cython.p_ulonglong = _words(result, hold)
    b: cython.int
    at: cython.Py_ssize_t = 0
    done: cython.Py_ssize_t = 0
    one: cython.ulonglong = 1
    for row in rows:
        for b in row:
            sets[at + (b >> 6)] |= one << (b & 63)
        at += words
        done += words + len(row)
        if done > LOOK_STEPS:
            done = 0
            if look is not None:
                look()
    return result


def compatible(options: cython.int, words: cython.Py_ssize_t, rows: list, shades: list, look=None):
    """Per option, the set of the other options that it can be taken with: in every item that both hold, both show the
    same colour, which is not 0.

    rows: per item, its options, increasing within a colour.  shades: per item, the colours of these options,
    increasing; may be empty if all are 0.  look: as in `holders`.
    """
    hold: list = []  # what the C pointers point to; needed until this returns
    result = _grown(options * words + BEHIND, look)
    scratch_held = _zeros(words)
    scratch_group = _zeros(words)
    scratch_others = _zeros(words)
    sets: cython.p_ulonglong = _words(result, hold)
    held: cython.p_ulonglong = _words(scratch_held, hold)
    group: cython.p_ulonglong = _words(scratch_group, hold)
    others: cython.p_ulonglong = _words(scratch_others, hold)
    one: cython.ulonglong = 1
    full: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
    last: cython.ulonglong = full >> ((64 - (options & 63)) & 63)
    b: cython.int
    w: cython.int
    k: cython.int
    first: cython.int
    until: cython.int
    size: cython.int
    low: cython.int
    high: cython.int
    at: cython.Py_ssize_t
    done: cython.Py_ssize_t = 0
    for b in range(options):
        at = b * words
        done += words
        if done > LOOK_STEPS:
            done = 0
            if look is not None:
                look()
        for w in range(words - 1):
            sets[at + w] = full
        sets[at + words - 1] = last
        sets[at + (b >> 6)] ^= one << (b & 63)
    for row, shade in zip(rows, shades, strict=True):
        size = len(row)
        if size < 2 or (shade and shade[0] and shade[0] == shade[size - 1]):
            continue
        low = min(row) >> 6
        high = (max(row) >> 6) + 1
        for b in row:
            held[b >> 6] |= one << (b & 63)
        first = 0
        while first < size:
            until = first + 1
            if shade:
                while until < size and shade[until] == shade[first]:
                    until += 1
                if shade[first]:
                    for k in range(first, until):
                        b = row[k]
                        group[b >> 6] |= one << (b & 63)
            else:
                until = size
            for w in range(low, high):
                others[w] = ~held[w] | group[w]
            for k in range(first, until):
                b = row[k]
                at = b * words
                for w in range(low, high):
                    sets[at + w] &= others[w]
                done += high - low + 8
                if done > LOOK_STEPS:
                    done = 0
                    if look is not None:
                        look()
            for w in range(low, high):
                group[w] = 0
            first = until
        for w in range(low, high):
            held[w] = 0
    return result
