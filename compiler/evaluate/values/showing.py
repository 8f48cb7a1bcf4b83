"""Values as messages, names and pictures print them, and how much work that is."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from collections.abc import Set as AbstractSet
from itertools import chain
from typing import Any, Final

from covr.compiler.evaluate.values.members import Isometry, Map, Motion, Record, Rng, Seq, Set, Truth, Value, kind_of
from covr.compiler.lattices import LatticeCell
from covr.dsl.diagnostics import shorten

# --- measures --------------------------------------------------------------------------------------------------------
# How much work it is to hash, compare or print a value.


_NUMBERS: Final[frozenset[type]] = frozenset({int})
_SETS: Final[frozenset[type]] = frozenset({Set})
_TUPLES: Final[frozenset[type]] = frozenset({tuple})
WORD: Final = 64  # bits of a number, or characters of a text, that count as much as one value


def measure(value: Value) -> tuple[int, int, int]:
    """How much work it is to hash, compare or print a value: its parts counted as a tree, how deep they nest, and how
    long its texts are, in WORDs. Parts may be shared (`let b = (a, a)`, `let c = (b, b)` …), so the tree can be far
    larger than what is stored. Lists and sets keep their measure, so that a value made of them is cheap to measure."""
    if type(value) is LatticeCell:
        return 1 + len(value), 1, 0
    if isinstance(value, tuple):
        return _measured(value)
    if isinstance(value, Seq | Set):
        if value._measure is None:
            value._measure = _measured(value.items if isinstance(value, Seq) else value.parts)
        return value._measure
    if isinstance(value, Map):
        return 2 * len(value) + 1, 2, 0
    if isinstance(value, Record):
        return _measured(value.items)
    return 1, 0, len(value) // WORD if isinstance(value, str) else 0


def _measured(parts: Collection[Value]) -> tuple[int, int, int]:
    kinds = set(map(type, parts))
    if kinds <= _NUMBERS:
        return 1 + len(parts), 1, 0
    if kinds == _TUPLES and set(map(type, chain.from_iterable(parts))) <= _NUMBERS:  # type: ignore[arg-type]  # cells
        return 1 + len(parts) + sum(map(len, parts)), 2, 0  # type: ignore[arg-type]
    if kinds == _SETS:
        weights, depths, lengths = zip(*[p._measure or measure(p) for p in parts], strict=True)  # type: ignore[union-attr]
        return 1 + sum(weights), 1 + max(depths), sum(lengths)
    weight, depth, length = 1, 0, 0
    for part in parts:
        if type(part) is int:
            weight += 1
        elif type(part) is str:
            weight += 1
            length += len(part) // WORD
        else:
            more, below, words = measure(part)
            weight += more
            depth = max(depth, below)
            length += words
    return weight, depth + 1, length


def set_of_copies(sets: tuple[Set, ...]) -> Set:
    """A set of sets that are in order, all different, and all of the same measure, which is taken once."""
    made = Set.in_order(sets)
    if sets:
        weight, depth, length = measure(sets[0])
        for one in sets:
            one._measure = weight, depth, length
        made._measure = 1 + len(sets) * weight, depth + 1, len(sets) * length
    return made


# --- showing ---------------------------------------------------------------------------------------------------------
# Values as messages, names and pictures print them.


Show = Callable[[Any], str]

# Python refuses to print an int with more digits than this; the limits of covr keep numbers below that.
_PRINTABLE_BITS: Final = 14_000


ESCAPED = str.maketrans({'"': r"\"", "\\": r"\\", "\n": r"\n"})  # how a text between quotes writes these


def show_value(value: Value) -> str:
    """A value as messages, names and pictures print it: text bare, `(2, 3)`, `{1, 2}`, a record by its first field. A
    range is printed as the model writes it. Text inside a list or set is bare too: `[a, b]`."""
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
    return shorten(shown, width)


# --- unambiguous -----------------------------------------------------------------------------------------------------
# How values are written where no two of them may look alike, as in the names of choices.


def clear_form(values: AbstractSet[Any]) -> Show:
    """The shortest of `show_value`, `show_whole` and `show_exactly` in which no two of these values look alike. Time
    linear in what the values hold; only those with text or records in them are written for it."""
    if set(map(type, values)) == {str} or of_numbers(values):
        return show_value
    for show in (show_value, show_whole):
        if len({show(value) for value in values}) == len(values):
            return show
    return show_exactly


def of_numbers(values: AbstractSet[Any]) -> bool:
    """Whether these are whole numbers or cells, or tuples and sets of such, to any depth: none of them look alike."""
    leaves = {int, LatticeCell}
    while values:
        kinds = set(map(type, values)) - leaves
        if not all(kind is tuple or issubclass(kind, Set) for kind in kinds):
            return False
        values = set(chain.from_iterable(value for value in values if type(value) not in leaves))
    return True
