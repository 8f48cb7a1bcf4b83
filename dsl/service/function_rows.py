"""What each function and reader gives, how it is called, and an example: the rows of docs/values.md.

A test compares the functions' rows with the page, whose examples are computed by its own test.
"""

from __future__ import annotations

from covr.frozen import frozen


@frozen
class CallRow:
    """One function or reader. forms: how it is called. gives: what that is, in words; example: with its value."""

    forms: tuple[str, ...]
    gives: str
    example: str = ""


FUNCTION_ROWS = {
    "abs": CallRow(("abs(x)",), "a number without its sign", "abs(-3) → 3"),
    "min": CallRow(("min(a, b, …)", "min(S)"), "the least of some values of one kind", "min({4, 2, 7}) → 2"),
    "max": CallRow(("max(a, b, …)", "max(S)"), "the greatest", "max(1, 5) → 5"),
    "sum": CallRow(("sum(S)",), "the sum of the numbers in a set or list; 0 of nothing", "sum([1, 1, 2]) → 4"),
    "size": CallRow(
        ("size(x)",),
        "members of a set, list or tuple, keys of a grid, cells of a piece, characters of a text",
        "size(box(2, 3)) → 6",
    ),
    "sorted": CallRow(("sorted(S)",), "the members as a list in documented order", "sorted([3, 1, 3]) → [1, 3, 3]"),
    "position": CallRow(
        ("position(x, S)",),
        "where a value stands in a list, tuple or text, counted from 1; of a set, in documented order",
        'position("b", ["a", "b"]) → 2',
    ),
    "subsets": CallRow(("subsets(S, k)",), "the subsets of k members", "subsets(1..3, 2) → {{1, 2}, {1, 3}, {2, 3}}"),
    "tuples": CallRow(
        ("tuples(S, k)",),
        "the *lists* of k members, with repeats",
        "tuples({1, 2}, 2) → {[1, 1], [1, 2], [2, 1], [2, 2]}",
    ),
    "permutations": CallRow(
        ("permutations(S)",), "the members as lists, in every order", "permutations({1, 2}) → {[1, 2], [2, 1]}"
    ),
    "box": CallRow(("box(h, w)", "box(d, h, w)"), "the cells of a rectangle or block", "box(1, 2) → {(1, 1), (1, 2)}"),
    "hex": CallRow(("hex(r, c)",), "the hexagon in a line and column", "hex(1, 3)[2] → 3"),
    "triangle": CallRow(
        ("triangle(r, c)",),
        "the triangle there",
        "neighbours(triangle(1, 1)) → {triangle(1, 0), triangle(1, 2), triangle(2, 1)}",
    ),
    "sticks": CallRow(
        ("sticks(r, c)",), "the stick there; line + column is odd", "rotate(sticks(1, 2)) → sticks(2, -1)"
    ),
    "balls": CallRow(
        ("balls(z, r, c)",),
        "the ball in a layer, line and column, all even or all odd",
        "size(neighbours(balls(1, 1, 1))) → 12",
    ),
    "hexagon": CallRow(
        ("hexagon(n)", "hexagon(n, triangle)"),
        "a hexagon with n hexagons, or triangles, along each side",
        "size(hexagon(3)) → 19",
    ),
    "cells": CallRow(
        ("cells(g)",),
        "the places of a grid where something stands; the cells of a piece",
        'cells(grid(1, 3, "1.2")) → {(1, 1), (1, 3)}',
    ),
    "neighbours": CallRow(
        ("neighbours(x)",),
        "the cells that touch a cell; of a shape, those outside that touch it",
        "neighbours((2, 2)) → {(1, 2), (2, 1), (2, 3), (3, 2)}",
    ),
    "rotate": CallRow(
        ("rotate(x)", "rotate(x, k)"),
        "a shape after k quarter turns (sixths for `hex` and `triangle`) clockwise, moved to row and column 1; "
        "a single cell is turned about (0, 0)",
        "rotate({(1, 1), (1, 2), (1, 3)}) → {(1, 1), (2, 1), (3, 1)}",
    ),
    "reflect": CallRow(
        ("reflect(x)", "reflect(x, axis)"),
        "a shape turned over, columns from right to left (or along that coordinate), moved to 1",
        "reflect({(1, 1), (2, 1), (2, 2)}) → {(1, 2), (2, 1), (2, 2)}",
    ),
    "translate": CallRow(
        ("translate(x, step)",), "a shape or cell moved by (rows, columns)", "translate((1, 1), (2, 0)) → (3, 1)"
    ),
    "orientations": CallRow(
        ("orientations(x)", "orientations(x, how)"),
        "every way a shape may lie, each moved to 1",
        "orientations({(1, 1), (1, 2)}) → {{(1, 1), (1, 2)}, {(1, 1), (2, 1)}}",
    ),
    "shape": CallRow(
        ("shape(x)", "shape(x, how)"),
        "the first of its orientations: the same for shapes that are congruent",
        "shape({(3, 1), (4, 1)}) = shape({(2, 2), (2, 3)}) → true",
    ),
    "placements": CallRow(
        ("placements(x, area)", "placements(x, area, how)"),
        "every set of cells of the area that the shape can cover",
        "placements({(1, 1), (1, 2)}, box(1, 3)) → {{(1, 1), (1, 2)}, {(1, 2), (1, 3)}}",
    ),
    "symmetries": CallRow(
        ("symmetries(area)",),
        "the rotations and reflections that carry an area into itself, for `up to`",
        "symmetries(box(1, 2)) → {(2 - r, 3 - c), (2 - r, c), (r, 3 - c), (r, c)}",
    ),
    "rotations": CallRow(("rotations(area)",), "the rotations among them", "size(rotations(box(3, 3, 3))) → 24"),
    "frame": CallRow(
        ("frame(g)",), "every place of a grid's picture, blank or not", 'size(frame(grid(1, 3, "1.2"))) → 3'
    ),
    "runs": CallRow(
        ("runs(area)",),
        "the straight runs of two cells or more that cannot be made longer",
        "runs({(1, 1), (1, 2), (2, 2)}) → {{(1, 1), (1, 2)}, {(1, 2), (2, 2)}}",
    ),
    "edges": CallRow(
        ("edges(area)",),
        "the pairs of neighbours in an area, as sets of two",
        "edges({(1, 1), (1, 2)}) → {{(1, 1), (1, 2)}}",
    ),
    "windows": CallRow(
        ("windows(area, h, w)", "windows(area, d, h, w)"),
        "the rectangles or blocks of that size inside an area",
        "windows(box(1, 3), 1, 2) → {{(1, 1), (1, 2)}, {(1, 2), (1, 3)}}",
    ),
    "regions": CallRow(
        ("regions(area, k)",),
        "the sets of one to k cells of an area that hang together",
        "size(regions(box(2, 2), 3)) → 12",
    ),
    "rectangles": CallRow(
        ("rectangles(area)", "rectangles(area, k)"),
        "the rectangles inside an area, of all sizes or of k squares",
        "rectangles(box(2, 2), 2) → {{(1, 1), (1, 2)}, {(1, 1), (2, 1)}, {(1, 2), (2, 2)}, {(2, 1), (2, 2)}}",
    ),
    "parts": CallRow(
        ("parts(area)",),
        "the largest sets of cells of an area that hang together",
        "parts({(1, 1), (1, 2), (3, 1)}) → {{(1, 1), (1, 2)}, {(3, 1)}}",
    ),
    "border": CallRow(
        ("border(area)",),
        "where an area ends: the pairs of a cell of it and one outside that touch, as sets of two",
        "border({(1, 1)}) → {{(0, 1), (1, 1)}, {(1, 0), (1, 1)}, {(1, 1), (1, 2)}, {(1, 1), (2, 1)}}",
    ),
    "between": CallRow(
        ("between(a, b)",),
        "the cells between two cells on a straight line, also a diagonal of squares; none if they lie on no such line",
        "between((1, 1), (1, 4)) → {(1, 2), (1, 3)}",
    ),
    "touches": CallRow(
        ("touches(a, b)",),
        "whether two cells, or sets of cells, share an edge or face",
        "touches((1, 1), box(3, 3)) → true",
    ),
    "meets": CallRow(
        ("meets(a, b)",),
        "whether two sets or lists have a member in common",
        "meets(1..3, {3, 4}) → true",
    ),
    "some": CallRow(
        ("some(x in SET where COND)",),
        "whether COND holds for some value of the names that it binds, as a `for` does",
        "some(i, j in 1..3 where i * j = 6) → true",
    ),
    "no": CallRow(
        ("no(x in SET where COND)",),
        "whether it holds for none",
        "no(i, j in 1..3 where i * j = 5) → true",
    ),
    "map": CallRow(
        ('map(records, "key", "value")',),
        "a map from one field of each record to another",
        'map(table("k", "v", "a 3"), "k", "v")["a"] → 3',
    ),
    "columns": CallRow(
        ("columns(t)",),
        "the names of the fields of a record, or of a table, in order",
        'columns(table("k", "v", "a 3")) → [k, v]',
    ),
    "split": CallRow(
        ("split(x)", "split(x, sep)"),
        "the words of a text as a list; the parts between separators",
        'split("a; b", ";") → [a, b]',
    ),
    "days": CallRow(
        ('days("2026-12-01", n)',),
        "that day and those after it, n in all, as a list of texts",
        'days("2026-12-31", 2) → [2026-12-31, 2027-01-01]',
    ),
    "weekday": CallRow(
        ("weekday(day)",),
        "the day of the week of a date, from 1 for Monday to 7 for Sunday",
        'weekday("2026-12-01") → 2',
    ),
    "file": CallRow(('file("path")',), "the text of a file beside the model", ""),
    "section": CallRow(
        ('section(text, "NAME")',),
        "the part of a text under that name, for a reader",
        'list(section("N:\\n4\\nM:\\n5 6", "M")) → [5, 6]',
    ),
}

READER_ROWS = {
    "grid": CallRow(
        ('grid """…"""', 'grid(rows, columns) """…"""'),
        "a map from (row, column) to what stands there; `.` and `_` are blanks, and absent",
        'grid(1, 3, "1.2")[1, 3] → 2',
    ),
    "area": CallRow(
        ('area """…"""', 'area(lattice) """…"""'),
        "the set of cells of a picture; `#` and space are outside",
        'size(area("..#.")) → 3',
    ),
    "pieces": CallRow(
        ('pieces """…"""', 'pieces(lattice) """…"""'),
        "a set of pieces from letter pictures; equal letters are one piece",
        'size(pieces("AA BBB")) → 2',
    ),
    "solids": CallRow(
        ('solids """…"""',),
        "pieces in space: each line holds a row of every layer, and `/` separates the layers",
        'size(solids("AA/A.")) → 1',
    ),
    "table": CallRow(
        ('table("name", "name…") """…"""',),
        "a list of records, one for each line, with the given fields; a last name with `…` takes the rest of its line",
        'table("name", "age", "ann 7")[1].age → 7',
    ),
    "csv": CallRow(
        ('csv """…"""', 'csv("name", "name…") """…"""'),
        "a list of records from comma-separated lines, with the given fields, or those of a header line",
        'csv("name,age\\nann,7")[1].age → 7',
    ),
    "list": CallRow(('list """…"""',), "the words of the text, as a list", 'list("1 2") → [1, 2]'),
    "text": CallRow(('text """…"""',), "the text itself", 'text("a b") → a b'),
}
