"""BurrTools' puzzles (`.xmpuzzle`), and the model of covr that each becomes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import permutations, product
from xml.etree import ElementTree

from covr.compiler.evaluate.files import doctype_place
from covr.compiler.formats.draft import FormatFault, brief
from covr.frozen import frozen

# --- xmpuzzle --------------------------------------------------------------------------------------------------------
# BurrTools' puzzles (`.xmpuzzle`): XML, usually compressed with gzip. A file holds shapes made of cubes, how many of
# each a problem has, and the shape that they are to fill.
#
# Only grids of bricks (cubes) are read; other grids are refused. A voxel is `#` if it must be filled, `+` if it may
# stay empty, and `_` if it is outside; x varies fastest, z slowest. A number after it is a colour. If both a piece and
# the result have colours, the problem restricts which colours may lie on which; such problems are refused. Groups,
# which only say what may come apart, and saved solutions are ignored.
#
# Source: burrtools.sourceforge.net, "The xmpuzzle format", and what BurrTools writes.


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
        raise FormatFault(1, f"this is `{brief(root.tag)}`, no puzzle of BurrTools")
    found = root.find("gridType")
    grid = "0" if found is None else found.get("type", "0")
    if grid != "0":
        made = f"made of {GRIDS[grid]}" if grid in GRIDS else f"in a grid of type {brief(grid)}, which is not known"
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
        raise FormatFault(1, f"`{name}` is `{brief(text)}`, and no number")
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


# --- xmpuzzle model --------------------------------------------------------------------------------------------------
# A puzzle of BurrTools as a model of covr: its pieces as pictures, the frame layer by layer, and a picture of answers.
#
# Assemblies are counted, whether or not they can be taken apart. As in BurrTools, answers that are rotations of each
# other count as one, and so do mirror images that the pieces can make. If some numbers are free, that depends on the
# pieces that an assembly uses; a piece that is no mirror image of any other then gets one that is never used.
#
# Source: BurrTools, assembler_1.cpp and assembly.cpp, for what counts as one there.


LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
Map = Callable[[Cell], Cell]
FLIPS = {0: "({n} - z, r, c)", 1: "(z, {n} - r, c)", 2: "(z, r, {n} - c)"}


@frozen
class Mates:
    """of: the number of the mirror image of each piece that is not its own.  lone: the pieces that have none, whose
    images get the numbers after those of all pieces."""

    of: dict[int, int]
    lone: tuple[int, ...]


def model_of(puzzle: Puzzle) -> str:
    """The text of the model. Raises FormatFault if there are more pieces than letters. Time linear in the puzzle, apart
    from its symmetries."""
    if len(puzzle.pieces) > len(LETTERS):
        raise FormatFault(1, f"there are {len(puzzle.pieces)} kinds of pieces, and letters for {len(LETTERS)}")
    return "\n".join(_lines(puzzle)) + "\n"


def _lines(puzzle: Puzzle) -> Iterator[str]:
    frame, pieces = puzzle.frame, puzzle.pieces
    flip = next((k for k in range(3) if _flips(frame, k)), None)
    mates = None if flip is None else _mates(pieces)
    extra = [] if mates is None else [_mirrored(pieces[k].shape) for k in mates.lone]
    title = "".join(char if char.isprintable() and char not in '"{}\\' else " " for char in puzzle.title)[:100]
    which = f", problem {puzzle.number} of {puzzle.of}" if puzzle.of > 1 else ""
    yield f'title "{title.strip() or "A puzzle of BurrTools"}{which}"'
    yield "# Assemblies are counted: whether they can be taken apart is another question."
    yield ""
    yield 'let pieces = solids """'
    for number, shape in enumerate([*(piece.shape for piece in pieces), *extra]):
        yield from ([""] if number else [])
        yield from ("  " + row for row in picture(shape, LETTERS[number]))
    yield '"""'
    yield from _frame(frame)
    yield ""
    yield "cells  x in room"
    yield "values p in pieces"
    yield "# covr: allow W103, W205" if extra else "# covr: allow W103"
    yield "choose put(p, s) for s in placements(p, room)"
    yield ""
    yield from _counts(pieces, bool(extra))
    if extra:
        which = " or ".join(f'p = "{LETTERS[len(pieces) + k]}"' for k in range(len(extra)))
        yield "# Mirror images of pieces, which the puzzle does not have: an assembly with one of them is no answer"
        yield f"at most 0 put per p where {which}"
    if frame.must:
        inside = "x in s and x in must" if frame.may else "x in s"
        yield f'exactly one put per x where {inside}   "cell {{x}} is filled"'
    if frame.may:
        inside = "x in s and x in may" if frame.must else "x in s"
        yield f'at most one put per x where {inside}   "cell {{x}} may stay empty"'
    yield from _holes(puzzle)
    yield from _symmetry(frame, mates, flip)
    yield ""
    yield "show p of put at x where x in s"


def picture(shape: Shape, letter: str) -> list[str]:
    """A shape as the reader `solids` takes it: a line for each row, with the layers side by side."""
    low = [min(cell[k] for cell in shape.must) for k in range(3)]
    high = [max(cell[k] for cell in shape.must) for k in range(3)]
    layers, rows, columns = (range(a, b + 1) for a, b in zip(low, high, strict=True))
    return [
        "/".join("".join(letter if (z, r, c) in shape.must else "." for c in columns) for z in layers) for r in rows
    ]


def _frame(frame: Shape) -> Iterator[str]:
    """The statements that define what is to be filled: a box if it is one, otherwise its layers below each other."""
    every = frame.must | frame.may
    high = tuple(max(cell[k] for cell in every) for k in range(3))
    if not frame.may and len(every) == high[0] * high[1] * high[2]:
        yield f"let room = box({high[0]}, {high[1]}, {high[2]})"
        return
    yield "# What is to be filled, layer by layer: `o` must be, `+` may stay empty"
    yield 'let plan = grid """'
    for z in range(1, high[0] + 1):
        yield from ([""] if z > 1 else [])
        for r in range(1, high[1] + 1):
            yield "  " + "".join(_sign(frame, (z, r, c)) for c in range(1, high[2] + 1))
    yield '"""'
    place = f"((r - 1) div {high[1]} + 1, (r - 1) mod {high[1]} + 1, c) for (r, c) in plan"
    yield f"let room = {{{place}}}"
    if frame.must and frame.may:
        yield f'let must = {{{place} where plan[r, c] = "o"}}'
        yield f'let may = {{{place} where plan[r, c] = "+"}}'


def _sign(frame: Shape, cell: Cell) -> str:
    return "o" if cell in frame.must else "+" if cell in frame.may else "."


def _counts(pieces: Iterable[XmPiece], more: bool) -> Iterator[str]:
    """Rules that say how many copies of each piece are used: one rule for each number. more: whether the model has
    pieces besides these."""
    wanted: dict[tuple[int, int], list[str]] = {}
    for number, piece in enumerate(pieces):
        wanted.setdefault((piece.least, piece.most), []).append(LETTERS[number])
    for (least, most), letters in wanted.items():
        which = " or ".join(f'p = "{letter}"' for letter in letters)
        where = f" where {which}" if len(wanted) > 1 or more else ""
        many = "one" if least == most == 1 else f"{least}" if least == most else f"{least}..{most}"
        yield f"exactly {many} put per p{where}"


def _holes(puzzle: Puzzle) -> Iterator[str]:
    """How many cells may stay empty: an assert if the number of pieces is fixed, otherwise only a comment."""
    if puzzle.holes is None or not puzzle.frame.may:
        return
    every = len(puzzle.frame.must) + len(puzzle.frame.may)
    volumes = [(piece.least * len(piece.shape.must), piece.most * len(piece.shape.must)) for piece in puzzle.pieces]
    least, most = (every - sum(v[k] for v in volumes) for k in (1, 0))
    if most <= puzzle.holes:
        return
    if least == most:
        yield f'assert {most} <= {puzzle.holes}   "{most} cells stay empty, and {puzzle.holes} may"'
    else:
        yield f"# Not said here: at most {puzzle.holes} cells stay empty."


def _symmetry(frame: Shape, mates: Mates | None, flip: int | None) -> Iterator[str]:
    """The `up to` statement, if turning the frame also carries the cells that must be filled into themselves."""
    every = frame.must | frame.may
    turns = [turn for turn in _turns(1) if _carries(turn, every)]
    if not all(_carries(turn, every, frame.must) for turn in turns):
        yield "# Answers that are rotations of each other are counted apart: not every rotation of the room keeps what"
        yield "# must be filled."
        return
    said = ["rotations(room)"] if len(turns) > 1 else []
    if mates is not None and flip is not None:
        pairs = "".join(f'if p = "{LETTERS[a]}" then "{LETTERS[b]}" else ' for a, b in mates.of.items())
        low, high = (f(cell[flip] for cell in every) for f in (min, max))
        image = FLIPS[flip].format(n=low + high)
        mate = "mate(p)" if pairs else "p"
        if pairs:
            yield f"let mate(p) = {pairs}p"
        said.append(f"put(p, s) -> put({mate}, {{{image} for (z, r, c) in s}})")
    if said:
        yield "up to " + ", ".join(said)


def _turns(sign: int) -> Iterator[Map]:
    """The 24 rotations of space; with sign -1 the 24 motions that also mirror."""
    for axes in permutations(range(3)):
        odd = sum(axes[a] > axes[b] for a in range(3) for b in range(a + 1, 3)) % 2
        for signs in product((1, -1), repeat=3):
            if signs[0] * signs[1] * signs[2] * (-1 if odd else 1) == sign:
                yield lambda cell, axes=axes, signs=signs: (  # type: ignore[misc]
                    signs[0] * cell[axes[0]], signs[1] * cell[axes[1]], signs[2] * cell[axes[2]],
                )  # fmt: skip


def _moved(turn: Map, cells: Iterable[Cell], by: Iterable[Cell]) -> frozenset[Cell]:
    """The cells turned, then moved by the step that brings the turned `by` back to the least coordinates of `by`."""
    kept = list(by)
    turned = list(map(turn, kept))
    shift = [min(c[k] for c in kept) - min(c[k] for c in turned) for k in range(3)]
    images = map(turn, cells)
    return frozenset((c[0] + shift[0], c[1] + shift[1], c[2] + shift[2]) for c in images)


def _carries(turn: Map, every: frozenset[Cell], some: frozenset[Cell] | None = None) -> bool:
    """Whether a turn and a move carry all cells onto themselves, and `some` of them onto themselves as well."""
    part = every if some is None else some
    return not part or _moved(turn, part, every) == part


def _flips(frame: Shape, axis: int) -> bool:
    def flip(cell: Cell) -> Cell:
        turned = list(cell)
        turned[axis] = -turned[axis]
        return turned[0], turned[1], turned[2]

    every = frame.must | frame.may
    return _carries(flip, every) and _carries(flip, every, frame.must)


def _form(cells: frozenset[Cell], sign: int) -> tuple[Cell, ...]:
    """A form of a shape that is the same however the shape is turned; with sign -1, that of its mirror image."""
    forms = []
    for turn in _turns(sign):
        turned = [turn(cell) for cell in cells]
        low = [min(c[k] for c in turned) for k in range(3)]
        forms.append(tuple(sorted((c[0] - low[0], c[1] - low[1], c[2] - low[2]) for c in turned)))
    return min(forms)


def _mirrored(shape: Shape) -> Shape:
    """The mirror image of a shape."""
    return Shape(shape.name, frozenset((-z, r, c) for z, r, c in shape.must), frozenset(), shape.colours)


def _mates(pieces: tuple[XmPiece, ...]) -> Mates | None:
    """Which pieces are mirror images of each other; None if no mirror images count as one: if two pieces are alike, if
    there are not letters enough, or if all numbers are fixed and a piece lacks its image, in the same number."""
    forms = [_form(p.shape.must, 1) for p in pieces]
    if len(set(forms)) < len(forms):
        return None
    place = {form: k for k, form in enumerate(forms)}
    of: dict[int, int] = {}
    lone: list[int] = []
    short = False  # BurrTools looks for no partner any more once a copy of a piece has found none
    for k, piece in enumerate(pieces):
        other = place.get(_form(piece.shape.must, -1))
        if other == k:
            continue
        if k not in of and (other is None or short):
            of[k], of[len(pieces) + len(lone)] = len(pieces) + len(lone), k
            lone.append(k)
        elif other is not None and k not in of:
            of[k], of[other] = other, k
        short = short or other is None or piece.most > pieces[other].most
    fixed = all(p.least == p.most for p in pieces)
    unlike = any(b < len(pieces) and pieces[a].most != pieces[b].most for a, b in of.items() if a < len(pieces))
    if (fixed and (lone or unlike)) or len(pieces) + len(lone) > len(LETTERS):
        return None
    return Mates(of, tuple(lone))
