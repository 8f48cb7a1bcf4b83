"""Convert Python values that are given to a model into values of the language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from covr.compiler.evaluate.faults import EvalFault
from covr.compiler.evaluate.values import Isometry, Map, Motion, Record, Rng, Seq, Set, Truth, Value, truth
from covr.compiler.lattices.lattice import LatticeCell

# Data nested deeper than this is surely a mistake, or refers to itself.
_DEEPEST = 50


def from_python(value: Any, depth: int = 0) -> Value:
    """bool, int, str and tuple as they are; list → list, set, frozenset and range → set, mapping → grid.

    Whole numbers of other libraries count as int, and values of the language stay as they are. Raises EvalFault E324
    for anything else (a float, None), and for values that are nested too deeply.
    """
    if depth > _DEEPEST:
        raise EvalFault.at(None, "E324", "this value is nested too deeply")
    if isinstance(value, bool):
        return truth(value)
    if isinstance(value, int | str):
        return value
    if isinstance(value, Truth | Seq | Set | Map | Record | Isometry | Motion | LatticeCell):
        return value
    if isinstance(value, range) and value.step == 1:
        return Rng(value.start, value.stop - 1)
    if isinstance(value, tuple):
        return tuple([from_python(item, depth + 1) for item in value])
    if isinstance(value, list):
        return Seq([from_python(item, depth + 1) for item in value])
    if isinstance(value, set | frozenset | range):
        return Set([from_python(item, depth + 1) for item in value])
    if isinstance(value, Mapping):
        return Map({from_python(k, depth + 1): from_python(v, depth + 1) for k, v in value.items()})
    index = getattr(type(value), "__index__", None)
    if index is not None:
        return int(index(value))
    raise EvalFault.at(
        None,
        "E324",
        f"a Python `{type(value).__name__}` is not a value of the language",
        help="whole numbers, text, true and false, tuples, lists, sets, ranges and mappings are",
    )
