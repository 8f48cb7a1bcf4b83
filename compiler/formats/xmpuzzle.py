"""BurrTools' puzzles (`.xmpuzzle`): XML, usually compressed with gzip. A file holds shapes made of cubes, how many of
each a problem has, and the shape that they are to fill.

Only grids of bricks (cubes) are read; other grids are refused. A voxel is `#` if it must be filled, `+` if it may stay
empty, and `_` if it is outside; x varies fastest, z slowest. A number after it is a colour. If both a piece and the
result have colours, the problem restricts which colours may lie on which; such problems are refused. Groups, which only
say what may come apart, and saved solutions are ignored.

Source: burrtools.sourceforge.net, "The xmpuzzle format", and what BurrTools writes.
"""

from __future__ import annotations

import re
from xml.etree import ElementTree

from covr.compiler.evaluate.unpack import doctype_place
from covr.compiler.formats.fault import FormatFault
from covr.compiler.formats.placed_words import shorten
from covr.frozen import frozen

Cell = tuple[int, int, int]  # layer, row, column, from 1
LARGEST = 200_000  # how many voxels a shape may have
MOST_SHAPES = 10_000
GRIDS = {"1": "triangular prisms", "2": "spheres", "3": "rhombic tetrahedra", "4": "tetrahedra and octahedra"}
VOXEL = re.compile(r"([#+_])(\d*)")


@frozen
class Shape:
    """A shape. must, may: the cells that are filled, and those that may be.  colours: whether any cell has a colour.
    name: the shape's name, or empty."""

    name: str
    must: frozenset[Cell]
    may: frozenset[Cell]
    colours: bool


@frozen
class XmPiece:
    """A piece of a problem. least, most: how many copies of it are used."""

    shape: Shape
    least: int
    most: int


@frozen
class Puzzle:
    """A problem of a file.  number: its number, from 1.  of: how many problems the file has.  holes: how many cells may
    stay empty; None: any number."""

    title: str
    number: int
    of: int
    pieces: tuple[XmPiece, ...]
    frame: Shape
    holes: int | None


def read_xmpuzzle(data: bytes, number: int = 1) -> Puzzle:
    """A problem of a decompressed BurrTools file. Raises FormatFault, a ValueError. Time linear in the file."""
    data = _in_utf8(data)
    if (place := doctype_place(data)) is not None:
        raise FormatFault(place[0], "BurrTools writes no document types or entities", place[1])
    try:
        root = ElementTree.fromstring(data)
    except ElementTree.ParseError as error:
        line, column = error.position
        raise FormatFault(line, f"this is no XML: {str(error).partition(':')[0]}", column + 1) from None
    except (ValueError, LookupError) as error:
        raise FormatFault(1, f"this is no XML: {error}") from None
    if root.tag != "puzzle":
        raise FormatFault(1, f"this is `{shorten(root.tag)}`, no puzzle of BurrTools")
    found = root.find("gridType")
    grid = "0" if found is None else found.get("type", "0")
    if grid != "0":
        made = f"made of {GRIDS[grid]}" if grid in GRIDS else f"in a grid of type {shorten(grid)}, which is not known"
        line = 1 + data.partition(b"<gridType")[0].count(b"\n")
        raise FormatFault(line, f"the puzzle is {made}; covr reads puzzles made of cubes")
    shapes = [_shape(found, at) for at, found in enumerate(root.findall("shapes/voxel"), 1)]
    problems = root.findall("problems/problem")
    if not problems:
        raise FormatFault(1, "there is no problem in this puzzle")
    if not 1 <= number <= len(problems):
        raise FormatFault(1, f"there is no problem {number}: there are {len(problems)}")
    return _problem(root, problems[number - 1], shapes, number, len(problems))


def _in_utf8(data: bytes) -> bytes:
    """The file in UTF-8. BurrTools writes what people type, in whatever encoding that is, and declares none; what is no
    UTF-8 is taken for ISO 8859-1."""
    if b"encoding" in data[: data.find(b">")] or data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("iso-8859-1").encode()
    return data


def _problem(
    root: ElementTree.Element, problem: ElementTree.Element, shapes: list[Shape], number: int, of: int
) -> Puzzle:
    result = problem.find("result")
    frame = None if result is None else _known(shapes, result, "the result")
    if frame is None or not (frame.must or frame.may):
        raise FormatFault(1, f"problem {number} has no shape to fill")
    pieces = []
    for part in problem.findall("shapes/shape"):
        shape = _known(shapes, part, "a piece")
        count = part.get("count")
        least = _number(part, "min", 1) if count is None else _number(part, "count", 1)
        most = _number(part, "max", least) if count is None else least
        if least > most:
            raise FormatFault(1, f"of a piece at least {least} and at most {most} are wanted")
        if shape.may:
            raise FormatFault(1, "a piece has voxels that may stay empty")
        if shape.colours and frame.colours:
            raise FormatFault(1, "colours that say where a piece may lie are not read")
        if most and shape.must:
            pieces.append(XmPiece(shape, least, most))
    if not pieces:
        raise FormatFault(1, f"problem {number} has no pieces")
    holes = _number(problem, "maxHoles", -1) if problem.get("maxHoles") else None
    return Puzzle(_title(root, problem), number, of, tuple(pieces), frame, holes)


def _title(root: ElementTree.Element, problem: ElementTree.Element) -> str:
    comment = root.find("comment")
    text = (comment.text or "").strip().split("\n")[0] if comment is not None else ""
    name = problem.get("name", "")
    return ": ".join(part for part in (text, name) if part)


def _known(shapes: list[Shape], where: ElementTree.Element, what: str) -> Shape:
    at = _number(where, "id", -1)
    if not 0 <= at < len(shapes):
        raise FormatFault(1, f"{what} is shape {at}, and there are {len(shapes)}")
    return shapes[at]


def _number(where: ElementTree.Element, name: str, default: int) -> int:
    text = where.get(name)
    if text is None:
        return default
    if not (text.isascii() and text.isdigit() and len(text) < 7):
        raise FormatFault(1, f"`{name}` is `{shorten(text)}`, and no number")
    return int(text)


def _shape(found: ElementTree.Element, at: int) -> Shape:
    if at > MOST_SHAPES:
        raise FormatFault(1, f"there are more than {MOST_SHAPES} shapes")
    x, y, z = (_number(found, name, 0) for name in "xyz")
    if not 0 < x * y * z <= LARGEST:
        raise FormatFault(1, f"shape {at} has {x * y * z} voxels")
    text = re.sub(r"\s", "", found.text or "")
    voxels = VOXEL.findall(text)
    if len(voxels) != x * y * z or sum(len(sign) + len(colour) for sign, colour in voxels) != len(text):
        raise FormatFault(1, f"shape {at} of {x} by {y} by {z} has {len(voxels)} voxels")
    cells: dict[str, set[Cell]] = {"#": set(), "+": set(), "_": set()}
    for k, (sign, _) in enumerate(voxels):
        cells[sign].add((k // (x * y) + 1, k // x % y + 1, k % x + 1))
    colours = any(sign != "_" and colour.strip("0") for sign, colour in voxels)
    return Shape(found.get("name", ""), frozenset(cells["#"]), frozenset(cells["+"]), colours)
