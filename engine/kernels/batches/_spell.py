"""Turns characters into options and back, for thousands of grids at once, in one step per character.

Doing this in Python takes as long as solving an easy puzzle; here it takes a tenth of that.
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.shared.arrays import _shared_ints
else:
    from covr.engine.kernels.shared.arrays import _shared_ints

COMPILED = cython.compiled

CODES = cython.declare(cython.int, 128)  # how many characters can have a meaning: those of ASCII


def read(text: bytes, places: cython.int, table):
    """Read grids of `places` characters each, which follow one another in `text`.

    table: an array of `i`; table[128 p : 128 p + 128] has, by character, the option at place p: -1 for no option, and
    less than -1 for a character that is not allowed there.
    Returns the option of each character, and the numbers of the grids that can't be read.
    """
    size: cython.Py_ssize_t = len(text)
    result = array("i", bytes(4 * size))
    unread: list = []
    hold: list = []
    out: cython.p_int = _shared_ints(result, hold)
    source: cython.p_int = _shared_ints(table, hold)
    letters: cython.pointer(cython.const_uchar) = text  # type: ignore[valid-type]
    k: cython.Py_ssize_t
    place: cython.int = 0
    option: cython.int
    whole: cython.bint = True
    for k in range(size):
        option = source[CODES * place + letters[k]] if letters[k] < CODES else -2
        if option < -1:
            whole = False
        out[k] = option
        place += 1
        if place == places:
            if not whole:
                unread.append(k // places)
                whole = True
            place = 0
    return result, unread


def write(options, ends, place_of, letter_of, blank: bytes):
    """Write each answer of a batch (see batch.py) on a line, and return the lines and which answers don't fit one.

    place_of: an array of `i`: per option, the place of its letter in the line, below 0 if it has none.
    letter_of: an array of `B`: per option, its letter.  blank: the line of an answer without options, newline included.
    """
    width: cython.Py_ssize_t = len(blank)
    result: bytearray = bytearray(blank * len(ends))
    unwritten: list = []
    if not len(ends):
        return result, unwritten
    taken: bytearray = bytearray(len(result))
    marks: bytes = bytes(letter_of)
    hold: list = []
    out: cython.p_uchar = result
    used: cython.p_uchar = taken
    source: cython.p_int = _shared_ints(options, hold)
    places: cython.p_int = _shared_ints(place_of, hold)
    letters: cython.pointer(cython.const_uchar) = marks  # type: ignore[valid-type]
    k: cython.Py_ssize_t = 0
    at: cython.Py_ssize_t = 0
    end: cython.Py_ssize_t
    p: cython.Py_ssize_t
    number: cython.Py_ssize_t
    whole: cython.bint
    for number in range(len(ends)):
        end = ends[number]
        whole = True
        while k < end:
            p = places[source[k]]
            if p < 0 or used[at + p]:
                whole = False
            else:
                used[at + p] = 1
                out[at + p] = letters[source[k]]
            k += 1
        if not whole:
            unwritten.append(number)
        at += width
    return result, unwritten
