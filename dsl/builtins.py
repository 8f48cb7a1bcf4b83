"""The names that covr itself defines: constants, functions and readers, with the number of values that each takes.

The compiler defines what they do; the checker and the help texts know them from this table.
"""

from __future__ import annotations

from covr.frozen import frozen

# How a piece may lie (`placements(p, area, fixed)`) is text in the language.
CONSTANTS: dict[str, int | str] = {"one": 1, "fixed": "fixed", "onesided": "onesided", "free": "free"}

# The lattices that readers take (`area(hex)`), which are text, too. A model may give these names another meaning.
LATTICES: dict[str, str] = {name: name for name in ("square", "cubes", "hex", "triangle", "sticks", "balls")}


@frozen
class Builtin:
    """A built-in function or reader. low, high: how many values it takes (high None: any number). help: one line."""

    name: str
    low: int
    high: int | None
    help: str

    def takes(self, count: int) -> bool:
        """Whether it can be called with `count` arguments."""
        return self.low <= count and (self.high is None or count <= self.high)


def _table(*rows: Builtin) -> dict[str, Builtin]:
    return {row.name: row for row in rows}


FUNCTIONS = _table(
    Builtin("abs", 1, 1, "a number without its sign"),
    Builtin("min", 1, None, "the least of its values, or of the members of one set or list"),
    Builtin("max", 1, None, "the greatest of its values, or of the members of one set or list"),
    Builtin("sum", 1, 1, "the sum of the numbers in a set or list"),
    Builtin("size", 1, 1, "how many members a set, list, text or grid has"),
    Builtin("sorted", 1, 1, "the members of a set or list, as a list in order"),
    Builtin("position", 2, 2, "where a value stands in a list, tuple or text, counted from 1"),
    Builtin("subsets", 2, 2, "the subsets of S with k members"),
    Builtin("tuples", 2, 2, "the lists of k members of S"),
    Builtin("permutations", 1, 1, "the members of S as lists, in every order"),
    Builtin("box", 2, 3, "the cells (row, column) or (layer, row, column) of a rectangle or box"),
    Builtin("cells", 1, 1, "the places of a grid where something stands"),
    Builtin("hex", 2, 2, "the hexagon in a line and column"),
    Builtin("triangle", 2, 2, "the triangle in a line and column"),
    Builtin("sticks", 2, 2, "the stick in a line and column, whose sum is odd"),
    Builtin("balls", 3, 3, "the ball in a layer, line and column"),
    Builtin("hexagon", 1, 2, "the cells of a hexagon with n of them along each side"),
    Builtin("neighbours", 1, 1, "the cells that share an edge or face with a cell"),
    Builtin("rotate", 1, 2, "a cell or set of cells, turned by a right angle, or by a sixth of a turn"),
    Builtin("reflect", 1, 2, "a cell or set of cells, turned over"),
    Builtin("translate", 2, 2, "a cell or set of cells, moved by a tuple"),
    Builtin("orientations", 1, 2, "the shapes a piece takes when it is turned"),
    Builtin("placements", 2, 3, "the sets of cells a piece covers in an area, in every orientation and position"),
    Builtin("symmetries", 1, 1, "the rotations and reflections that carry an area into itself"),
    Builtin("rotations", 1, 1, "the rotations that carry an area into itself"),
    Builtin("frame", 1, 1, "every place of a grid's picture, blank or not"),
    Builtin("runs", 1, 1, "the straight runs of an area, as long as they can be, each a set of two cells or more"),
    Builtin("edges", 1, 1, "the pairs of neighbours in an area, each a set of two cells"),
    Builtin("windows", 3, 4, "the rectangles of h by w cells inside an area, each a set of cells"),
    Builtin("regions", 2, 2, "the sets of up to k cells of an area that hang together"),
    Builtin("map", 3, 3, "a map from one column of a table to another"),
    Builtin("columns", 1, 1, "the names of the fields of a record, or of a table"),
    Builtin("split", 1, 2, "the words of a text, as a list"),
    Builtin("days", 2, 2, "a day and those after it, n in all, as a list of texts like 2026-12-01"),
    Builtin("weekday", 1, 1, "the day of the week of a date: 1 for Monday to 7 for Sunday"),
    Builtin("file", 1, 1, "the text of a file, its path relative to the model"),
    Builtin("section", 2, 2, "the part of a text under a name, for a reader"),
)

# How many values each takes before its block, or before the text it reads when it is called without one.
READERS = _table(
    Builtin("grid", 0, 2, "a map from (row, column) to what stands there"),
    Builtin("area", 0, 1, "the set of cells of a picture; `#` and space are outside"),
    Builtin("pieces", 0, 1, "letter pictures in the plane; equal letters are one piece"),
    Builtin("solids", 0, 0, "letter pictures whose layers are separated by `/`"),
    Builtin(
        "table", 0, None, "lines of fields, under the given names or those of the first line; the last with … is a list"
    ),
    Builtin("csv", 0, None, "comma-separated fields, under the given names or those of the first line"),
    Builtin("list", 0, 0, "the words of the text"),
    Builtin("text", 0, 0, "the text itself"),
)
