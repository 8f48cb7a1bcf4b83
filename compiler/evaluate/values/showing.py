"""Values as messages, names and pictures print them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from covr.compiler.evaluate.values.atoms import Truth
from covr.compiler.evaluate.values.kinds import Value, kind_of
from covr.compiler.evaluate.values.maps import Map, Record
from covr.compiler.evaluate.values.measures import measure
from covr.compiler.evaluate.values.motions import Isometry, Motion
from covr.compiler.evaluate.values.sets import Rng, Seq, Set
from covr.compiler.lattices.lattice import LatticeCell

Show = Callable[[Any], str]

# Python refuses to print an int with more digits than this; the limits of covr keep numbers below that.
_PRINTABLE_BITS: Final = 14_000


ESCAPED = str.maketrans({'"': r"\"", "\\": r"\\", "\n": r"\n"})  # how a text between quotes writes these


def show_value(value: Value) -> str:
    """A value as messages, names and pictures print it: text bare, `(2, 3)`, `{1, 2}`, a record by its first field.

    A range is printed as the model writes it. Text inside a list or set is bare too: `[a, b]`.
    """
    return _shown(value, show_value)


def show_whole(value: Value) -> str:
    """As `show_value`, but all fields of a record are printed: `(Ann, 2)`."""
    return f"({_row(value.items, show_whole)})" if isinstance(value, Record) else _shown(value, show_whole)


def show_exactly(value: Value) -> str:
    """As `show_whole`, but with quotes around text, and with the names of a record's fields, so that only equal values
    look alike."""
    if isinstance(value, str):
        return '"' + str(value).translate(ESCAPED) + '"'
    if isinstance(value, Record):
        pairs = zip(value.names, value.items, strict=True)
        return f"({', '.join(f'{name}: {show_exactly(item)}' for name, item in pairs)})"
    return _shown(value, show_exactly)


def _shown(value: Value, inner: Show) -> str:
    """A value, with what is in it written by `inner`."""
    if isinstance(value, str):
        return str(value)
    if isinstance(value, int):
        if value.bit_length() > _PRINTABLE_BITS:
            return f"a number of {value.bit_length()} bits"
        return str(value)
    if type(value) is LatticeCell:
        return f"{value.lattice.name}({_row(value.at, inner)})"
    if isinstance(value, tuple):
        return f"({inner(value[0])},)" if len(value) == 1 else f"({_row(value, inner)})"
    if isinstance(value, Seq):
        return f"[{_row(value.items, inner)}]"
    if isinstance(value, Rng) and value.size > 2:
        return f"{value.low}..{value.high}"
    if isinstance(value, Set):
        return f"{{{_row(value.ordered, inner)}}}"
    if isinstance(value, Map):
        return "{" + ", ".join(f"{inner(k)}: {inner(v)}" for k, v in value.entries.items()) + "}"
    return _SHOWN[type(value)](value)


def _row(values: Iterable[Value], inner: Show) -> str:
    return ", ".join(map(inner, values))


def _show_isometry(value: Isometry) -> str:
    terms = []
    for axis, sign, shift in zip(value.axes, value.signs, value.shift, strict=True):
        name = ("rc" if len(value.axes) == 2 else "zrc")[axis]
        if sign > 0:
            terms.append(name + (f" + {shift}" if shift > 0 else f" - {-shift}" if shift else ""))
        else:
            terms.append(f"{shift} - {name}" if shift else f"-{name}")
    return f"({', '.join(terms)})"


def _show_motion(value: Motion) -> str:
    """Which member of the point group it is, counted from 1 for the identity, and the step."""
    number = value.lattice.motions.index(value.matrix) + 1
    kind = "rotation" if value.matrix in value.lattice.rotations else "reflection"
    number -= 0 if kind == "rotation" else len(value.lattice.rotations)
    return f"{kind} {number} of {value.lattice.name} and step ({_row(value.step, show_value)})"


_SHOWN: dict[type, Callable[[Any], str]] = {
    Truth: lambda v: "true" if v.holds else "false",
    Record: lambda v: show_value(v.items[0]) if v.items else "()",
    Isometry: _show_isometry,
    Motion: _show_motion,
}


def abbreviate(value: Value, width: int = 60) -> str:
    """`show_value` for a message: long values cut short, text in quotes."""
    if isinstance(value, Set | Map | Seq | tuple) and measure(value)[0] > 10 * width:
        return f"{kind_of(value)} of {len(value)}"
    shown = show_value(value)
    if isinstance(value, str):
        shown = f'"{shown}"'
    return shown if len(shown) <= width else shown[: width - 1] + "…"
