# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# mypy: disable-error-code="untyped-decorator, no-untyped-def, no-untyped-call, type-arg, no-redef"
"""Turns characters into options and back, for thousands of grids at once, in one step per character.

Doing this in Python takes as long as solving an easy puzzle; here it takes a tenth of that.
"""

from __future__ import annotations

from array import array

try:
    import cython  # type: ignore[import-untyped, import-not-found, unused-ignore]
except ImportError:
    from covr.engine.kernels import _shim as cython

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
    out: cython.int[::1] = result
    source: cython.int[::1] = table
    letters: cython.const_uchar[::1] = text
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
    result = bytearray(blank * len(ends))
    unwritten: list = []
    if not len(ends):
        return result, unwritten
    taken = bytearray(len(result))
    out: cython.uchar[::1] = result
    used: cython.uchar[::1] = taken
    source: cython.int[::1] = options
    places: cython.int[::1] = place_of
    letters: cython.const_uchar[::1] = letter_of
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
