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

Reading order: order.py (the order of all values), atoms.py (true and false, pieces, texts of files), sets.py (lists,
sets and ranges), maps.py (grids and rows of tables), motions.py (what `symmetries` holds), kinds.py (all the kinds, as
one type and in words), measures.py (how large a value is), showing.py (how it is printed),
unambiguous.py (how it is printed where no two may look alike).
"""

from covr.compiler.evaluate.values.atoms import FALSE, TRUE, FileText, Piece, Truth, truth
from covr.compiler.evaluate.values.kinds import Value, alike, kind_of
from covr.compiler.evaluate.values.maps import Map, Record
from covr.compiler.evaluate.values.measures import WORD, measure, set_of_copies
from covr.compiler.evaluate.values.motions import Isometry, Motion
from covr.compiler.evaluate.values.order import in_documented_order, order_key
from covr.compiler.evaluate.values.sets import Rng, Seq, Set, size_of
from covr.compiler.evaluate.values.showing import abbreviate, show_exactly, show_value, show_whole

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
