"""The calls of _rules.h in Python, for interpreted kernels: the same arguments, the same calls of clingo."""

from __future__ import annotations

import ctypes
from collections.abc import MutableSequence, Sequence

_SIZED = ctypes.c_void_p, ctypes.c_size_t
_RULE = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_bool, *_SIZED, *_SIZED)
_WEIGHTS = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_bool, *_SIZED, ctypes.c_int32, *_SIZED)
_TRUE = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_int32, ctypes.c_void_p)


def covr_rules(rule: int, weights: int, backend: int, flat: Sequence[int], size: int) -> int:
    """See _rules.h."""
    plain, weighted = _RULE(rule), _WEIGHTS(weights)
    at = 0
    while at < size:
        choice, count = flat[at], flat[at + 1]
        body = at + 2 + count
        bound, length = flat[body], flat[body + 1]
        end = body + 2 + length * (1 if bound < 0 else 2)
        head, held = _ints(flat[at + 2 : body]), _ints(flat[body + 2 : end])
        if bound < 0:
            done = plain(backend, bool(choice), head, count, held, length)
        else:
            done = weighted(backend, bool(choice), head, count, bound, held, length)
        if not done:
            break
        at = end
    return at


def covr_true(is_true: int, model: int, atoms: Sequence[int], size: int, found: MutableSequence[int]) -> int:
    """See _rules.h."""
    ask, truth = _TRUE(is_true), ctypes.c_bool()
    count = 0
    for k in range(size):
        if not ask(model, atoms[k], ctypes.byref(truth)):
            return -1
        if truth.value:
            found[count] = k
            count += 1
    return count


def _ints(numbers: Sequence[int]) -> ctypes.Array[ctypes.c_int32]:
    return (ctypes.c_int32 * len(numbers))(*numbers)
