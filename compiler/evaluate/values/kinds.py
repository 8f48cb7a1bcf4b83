"""All the kinds of value, and how messages name them."""

from __future__ import annotations

from typing import Any, TypeAlias, Union

from covr.compiler.evaluate.values.atoms import FileText, Piece, Truth
from covr.compiler.evaluate.values.maps import Map, Record
from covr.compiler.evaluate.values.motions import Isometry, Motion
from covr.compiler.evaluate.values.sets import Rng, Seq, Set
from covr.compiler.lattices.lattice import LatticeCell

Value: TypeAlias = Union["Truth", int, str, tuple[Any, ...], "Seq", "Set", "Map", "Record", "Isometry", "Motion"]

_KINDS: dict[type, str] = {
    Truth: "true or false",
    int: "a whole number",
    str: "text",
    Piece: "a piece",
    FileText: "text",
    tuple: "a tuple",
    LatticeCell: "a cell of a lattice",
    Seq: "a list",
    Set: "a set",
    Rng: "a set",
    Map: "a grid",
    Record: "a record",
    Isometry: "a symmetry",
    Motion: "a symmetry",
}


def kind_of(value: Value) -> str:
    """The kind of a value, as messages name it: `a whole number`, `text`, `a set` …"""
    if isinstance(value, Map) and not value.pictured:
        return "a map"
    return _KINDS[type(value)]


def alike(left: Value, right: Value) -> bool:
    """Whether two values are of the same kind; a piece counts as text and a range as a set."""
    return _kind(left) is _kind(right)


def _kind(value: Value) -> type:
    kind = type(value)
    if isinstance(value, str):
        return str
    return Set if kind is Rng else kind
