"""What the picture of an answer shows, before it is decided how to draw it.

The compiler turns `show` statements (or the cells and values of a model) into pictures; `covr.draw` turns pictures
into text and images. Coordinates are whole numbers here, counted as the model counts them.
"""

from __future__ import annotations

from attrs import field

from covr.compiler.lattices.lattice import Lattice
from covr.frozen import evolve, frozen


@frozen
class Mark:
    """A text that stands at a place.

    at: the coordinates, as many as the picture has axes.
    text: what is shown there; may be longer than one character.
    option: the option number of the choice that shows it, or -1 if no choice does (an `else` text).
    given: whether that choice was given, or the text is printed on the board of the puzzle.
    faint: whether it is a pencil mark: the choice is possible, and not certain.
    note: what is said of a pencil mark, such as how many answers hold the choice; or empty.
    heat: in how many of all answers the choice is, from 0 to 1; negative if that is not to be shown.
    role: what the choice is in a hint: `reason`, `taken` or `out` (what follows from the reason); or empty.
    look: how the model wants it drawn: `plain` (no lines round the choice), `dark` (a filled square), `line` (lines
        between the places of the choice), `lines` (as many side by side as the text says), `circle`, `square` or
        `diamond` (the shape it stands in), `printed` (by a `print`), `divided` (printed as `below\\above` on a square
        with a diagonal), or empty.
    """

    at: tuple[int, ...]
    text: str
    option: int = -1
    given: bool = False
    faint: bool = False
    note: str = ""
    role: str = ""
    heat: float = -1.0
    look: str = ""


@frozen
class Inscription:
    """A text printed beside what is chosen: small in the corner of a place, in the margin, or between two places.

    at: the place, or one outside the board, which is its margin; a heading above a strip is at (0, column).
    to: the other place, if it stands between two.
    look: `dark`, `circle`, `square` or `diamond`, where a `print` says so with `as`; `heading` of a row or column.
    """

    at: tuple[int, ...]
    text: str
    to: tuple[int, ...] | None = None
    look: str = ""


# Places in the smallest box around a picture; a picture with a larger box is written as a list.
LARGEST_BOX = 1_000_000
LINES = ("line", "lines")  # the looks of marks that are joined by lines

# The names of colours that fill a shape or colour a line, in place of a text.
COLOUR_NAMES = frozenset(
    {"red", "orange", "yellow", "green", "blue", "purple", "pink", "brown", "white", "grey", "black"}
)


@frozen
class Stroke:
    """A line printed through places. kind: `line`, `arrow` (a circle at its beginning, a head at its end) or `bulb` (a
    disc at its beginning).  colour: the name of one, of a broad `line`."""

    kind: str
    places: tuple[tuple[int, ...], ...]
    colour: str = ""


@frozen
class Picture:
    """One `show` statement applied to one answer.

    axes: 2 for a grid (row, column), 3 for layers (layer, row, column), 1 for a strip, 0 for a list.
    low, high: the smallest and largest coordinate of each axis, over all places whether marked or not.
    places: every place that belongs to the board, in order; places inside low..high that are missing are holes.
    marks: in order of place; two choices may mark one place.
    regions: place → region number, where the model outlines regions (boxes of a sudoku, a star battle's fields).
    outlines: place → class number, where `outline` asks for thin lines between places of unlike classes.
    prints: what is printed, except in the middle of places, where it is among the marks.
    strokes: lines printed through places.
    outline: whether pieces are drawn: neighbouring places of one option belong together (`as outline`, or derived).
    tiles: whether the choices shown have an `agree` statement, so that four letters or words may name the colours of
        the north, east, south and west edges.
    pencil: whether it shows what is possible, not an answer: marks may be faint, and several choices may share a place.
    lines: for a list, one tuple of texts for each choice.
    lattice: of the places, if they are not squares, cubes or a strip.
    """

    axes: int
    low: tuple[int, ...] = ()
    high: tuple[int, ...] = ()
    places: tuple[tuple[int, ...], ...] = field(default=(), repr=False)
    marks: tuple[Mark, ...] = ()
    regions: dict[tuple[int, ...], int] = field(factory=dict, repr=False)
    outlines: dict[tuple[int, ...], int] = field(factory=dict, repr=False)
    prints: tuple[Inscription, ...] = ()
    strokes: tuple[Stroke, ...] = ()
    outline: bool = False
    tiles: bool = False
    pencil: bool = False
    lines: tuple[tuple[str, ...], ...] = ()
    lattice: Lattice | None = None

    def layer(self, number: int) -> Picture:
        """One layer of a picture with three axes, as a picture of two."""
        return evolve(
            self,
            axes=2,
            low=self.low[1:],
            high=self.high[1:],
            places=tuple(at[1:] for at in self.places if at[0] == number),
            marks=tuple(evolve(mark, at=mark.at[1:]) for mark in self.marks if mark.at[0] == number),
            regions={at[1:]: region for at, region in self.regions.items() if at[0] == number},
            outlines={at[1:]: field_ for at, field_ in self.outlines.items() if at[0] == number},
            prints=tuple(evolve(p, at=p.at[1:], to=p.to and p.to[1:]) for p in self.prints if p.at[0] == number),
            strokes=tuple(
                evolve(s, places=tuple(at[1:] for at in s.places)) for s in self.strokes if s.places[0][0] == number
            ),
        )

    def as_row(self) -> Picture:
        """A strip as the grid that looks the same: it has a single row, number 1."""
        return evolve(
            self,
            axes=2,
            low=(1, *self.low),
            high=(1, *self.high),
            places=tuple((1, *place) for place in self.places),
            marks=tuple(evolve(mark, at=(1, *mark.at)) for mark in self.marks),
            regions={(1, *place): region for place, region in self.regions.items()},
            outlines={(1, *place): number for place, number in self.outlines.items()},
            prints=tuple(p if len(p.at) > 1 else evolve(p, at=(1, *p.at)) for p in self.prints),
            strokes=tuple(evolve(s, places=tuple((1, *at) for at in s.places)) for s in self.strokes),
        )
