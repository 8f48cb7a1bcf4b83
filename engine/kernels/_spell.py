# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# mypy: disable-error-code="untyped-decorator, no-untyped-def, no-untyped-call, type-arg, no-redef"
"""Characters to options and back, for thousands of grids at once: one step a character.

In Python the two take as long as solving an easy puzzle; this way a tenth of that.
"""

from __future__ import annotations

from array import array

try:
    import cython  # type: ignore[import-untyped, import-not-found, unused-ignore]
except ImportError:
    from covr.engine.kernels import _shim as cython

COMPILED = cython.compiled

CODES = cython.declare(cython.int, 128)  # characters that are looked up: those of ASCII


def read(text: bytes, places: cython.int, table):
    """Grids of so many characters each, one behind another → an option for each, and the grids that can't be read.

    table: an array of `i`; place p has its options by character in table[128 p : 128 p + 128], -1 for none and less
    for a character that is not known there.
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
    """Answers, as batch.py has them, on one line each, and the answers that can't be written so.

    place_of: per option where in the line its letter stands, less than 0 if that is not known; an array of `i`.
    letter_of: per option its letter, an array of `B`. blank: the line of no option, with its newline.
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
