"""What expressions evaluate to: the kinds of value, their order, and how they are printed.

A value is one of

    Truth    true or false: the two objects TRUE and FALSE. Python's own `True == 1` would make `{1, true}` a set of
             one, so Python's bool never stands for a value; conditions inside the compiler use it freely
    int      a whole number, a plain Python int
    str      text; `Piece`, a text that knows its cells, equals the text of its name
    tuple    `(r, c)`, a plain Python tuple of values; `LatticeCell`, a cell of a lattice, is never equal to one
    Seq      `[a, b]`
    Set      `{a, b}`; `Rng`, a range that is not written out, equals the set of its members
    Map      a grid: keys to values
    Record   a row of a table
    Isometry a motion of squares or cubes, what `symmetries(area)` holds (see geometry.py); `Motion`, one of a lattice

All of them are immutable and hashable, and Python's `==` between values is the language's `=`: values of different
kinds are never equal. `order_key` is a total order over all values, in the order of kinds above; a Set is visited in
this order. A hash is kept once it is computed, since sets of cells are indices of choices.

Reading order: members.py (the values: atoms, motions, lists, sets, ranges, grids, maps and rows, and their one order),
showing.py (values as messages, names and pictures print them, and how much work that is).
"""

from covr.compiler.evaluate.values.members import (
    FALSE,
    TRUE,
    FileText,
    Isometry,
    Map,
    Motion,
    Piece,
    Record,
    Rng,
    Seq,
    Set,
    Truth,
    Value,
    alike,
    in_documented_order,
    kind_of,
    order_key,
    size_of,
    truth,
)
from covr.compiler.evaluate.values.showing import (
    WORD,
    abbreviate,
    measure,
    set_of_copies,
    show_exactly,
    show_value,
    show_whole,
)

__all__ = [
    "FALSE",
    "TRUE",
    "WORD",
    "FileText",
    "Isometry",
    "Map",
    "Motion",
    "Piece",
    "Record",
    "Rng",
    "Seq",
    "Set",
    "Truth",
    "Value",
    "abbreviate",
    "alike",
    "in_documented_order",
    "kind_of",
    "measure",
    "order_key",
    "set_of_copies",
    "show_exactly",
    "show_value",
    "show_whole",
    "size_of",
    "truth",
]  # fmt: skip
