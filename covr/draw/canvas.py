"""Text as an output: its styles and width, and a grid of cells with what stands beside it."""

from __future__ import annotations

import os
import sys
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import TextIO

from attrs import field

from covr.compiler.display.prints import Inscription, Picture
from covr.frozen import frozen

# --- styled ----------------------------------------------------------------------------------------------------------
# Styles are names; below stands what they look like. A part without a style has the empty style.


@frozen
class Part:
    """A part of a line, without newlines. style: "", `given`, `line`, `title`, `piece-N` or `piece-N given`."""

    text: str
    style: str = ""


Line = tuple[Part, ...]


def plain(lines: Iterable[Line]) -> str:
    """The lines as text, without styles and without blanks at their ends."""
    return "\n".join("".join(part.text for part in line).rstrip() for line in lines)


def width(text: str) -> int:
    """How many columns a text takes in a terminal: two for wide East Asian characters, none for combining ones."""
    if text.isascii():
        return len(text)
    return sum(_columns(c) for c in text)


def _columns(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def pad(text: str, columns: int, right: bool = False) -> str:
    """A text padded with blanks to so many columns; `right` aligns it to the right."""
    blanks = " " * (columns - width(text))
    return blanks + text if right else text + blanks


def clean(text: str) -> str:
    """A text from a model with nothing in it that moves a terminal's cursor or changes its colours."""
    return text if text.isprintable() else "".join(c if c.isprintable() else "?" for c in text)


def is_number(text: str) -> bool:
    """Whether the text is a whole number in digits, perhaps with a minus sign."""
    return text.removeprefix("-").isdecimal()


def line_width(line: Line) -> int:
    """The width of a line in columns of the terminal."""
    return sum(width(part.text) for part in line)


def beside(blocks: Sequence[Sequence[Line]], gap: int = 3) -> list[Line]:
    """Blocks of lines next to each other, their first lines level, `gap` blanks apart."""
    widths = [max((line_width(line) for line in block), default=0) for block in blocks]
    lines: list[Line] = []
    for row in range(max(map(len, blocks), default=0)):
        parts: list[Part] = []
        behind = 0
        for block, columns in zip(blocks, widths, strict=True):
            line = block[row] if row < len(block) else ()
            parts += [Part(" " * behind), *line] if behind else line
            behind = columns - line_width(line) + gap
        lines.append(tuple(parts))
    return lines


# --- surface ---------------------------------------------------------------------------------------------------------
# Colours and box-drawing characters are for terminals; a pipe or a file gets plain text. NO_COLOR switches colours off,
# FORCE_COLOR on (also into a pipe), TERM=dumb both off, COLUMNS sets the width.


Palette = Sequence[str]  # per piece, the parameters of the escape sequence that sets its background

# Okabe and Ito's colours without black, then some of Tol's light ones: colour-blind people can tell them apart.
PIECES = (
    "#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7",
    "#bbbbbb", "#99ddff", "#aaaa00", "#ffaabb", "#ddddaa",
)  # fmt: skip
TRUE_COLOUR = tuple(f"48;2;{int(c[1:3], 16)};{int(c[3:5], 16)};{int(c[5:], 16)}" for c in PIECES)
# The nearest of xterm's 256 colours.
EIGHT_BIT = tuple(f"48;5;{number}" for number in (178, 74, 36, 221, 25, 166, 175, 249, 117, 142, 217, 187))
# The same colours for terminals with sixteen colours, where some nearest colours would coincide: yellow, cyan, green,
# bright yellow, blue, red, magenta, white, bright cyan, bright green, bright magenta, bright red.
BASIC = ("43", "46", "42", "103", "44", "41", "45", "47", "106", "102", "105", "101")
BLACK, WHITE = "30", "97"  # letters; white is the bright one
# The indices in a palette of colours so dark that letters on them are white: with many colours, and with sixteen.
DARK = (frozenset({2, 4, 5}), frozenset({4, 5, 6}))
STYLES = {"given": "1", "line": "2", "title": "1"}  # bold, dim, bold
PLAIN_WIDTH = 80


@frozen
class Surface:
    """What an output can show.
    unicode: box-drawing characters may be used.  colour: styles are visible.  width: columns in a line."""

    unicode: bool = False
    colour: bool = False
    width: int = PLAIN_WIDTH


PAPER = Surface()


def surface_of(stream: TextIO) -> Surface:
    """The surface of a stream, according to its kind and to the environment."""
    dumb = os.environ.get("TERM") == "dumb"
    terminal = stream.isatty()
    forced = bool(os.environ.get("FORCE_COLOR")) and os.environ.get("FORCE_COLOR") != "0"
    colour = (terminal or forced) and not dumb and not os.environ.get("NO_COLOR")
    encoding = (stream.encoding or "ascii").lower().replace("_", "-")
    unicode = terminal and not dumb and encoding in ("utf-8", "utf8")
    columns = _terminal_width() if terminal or _columns_set() else PLAIN_WIDTH
    return Surface(unicode, colour, max(columns, 1))


def _terminal_width() -> int:
    import shutil  # takes three milliseconds, which a pipe need not wait for

    return shutil.get_terminal_size((PLAIN_WIDTH, 24)).columns


def _columns_set() -> bool:
    return os.environ.get("COLUMNS", "").isdecimal()


def write(lines: Iterable[Line], surface: Surface, stream: TextIO | None = None) -> None:
    """Write lines to a stream (standard output), with their styles where the surface and the terminal have colours."""
    stream = sys.stdout if stream is None else stream
    palette = palette_of(os.environ) if surface.colour else None
    if palette is None:
        stream.write(plain(lines) + "\n")
        return
    from click import echo  # on Windows it makes consoles that know no escape sequences show them (colorama)

    for line in lines:
        echo(escaped(line, palette), file=stream, color=True)


def palette_of(environment: Mapping[str, str], windows: bool = sys.platform == "win32") -> Palette | None:
    """The colours that a terminal supports, according to its environment; None for a terminal without colours."""
    term = environment.get("TERM", "").strip().lower()
    if term in ("dumb", "unknown"):
        return None
    if environment.get("COLORTERM", "").strip().lower() in ("truecolor", "24bit") or (
        windows and "WT_SESSION" in environment
    ):
        return TRUE_COLOUR
    return EIGHT_BIT if term.rpartition("-")[2] in ("256color", "kitty") else BASIC


def escaped(line: Line, palette: Palette) -> str:
    """A line with the escape sequences of its styles (ECMA-48, SGR), without blanks at its end."""
    left = len("".join(part.text for part in line).rstrip())
    found = []
    for part in line:
        text = part.text[:left]
        left -= len(text)
        if text:
            found.append(f"\x1b[{style(part.style, palette)}m{text}\x1b[0m" if part.style else text)
    return "".join(found)


def style(name: str, palette: Palette) -> str:
    """The parameters of the escape sequence that begins a style, such as `1;30;48;5;178`."""
    codes = [STYLES[word] for word in name.split() if word in STYLES]
    for word in name.split():
        if word not in STYLES:
            number = int(word.removeprefix("piece-")) % len(palette)
            codes += [WHITE if number in DARK[palette is BASIC] else BLACK, palette[number]]
    return ";".join(codes)


def list_rows(picture: Picture) -> list[tuple[str, ...]]:
    """A list as rows of equal length: a row for each choice, or for each mark with its place."""
    lines = picture.lines if picture.axes == 0 else [(*map(str, m.at), m.text) for m in picture.marks]
    rows = [tuple(map(clean, line)) for line in lines]
    columns = max(map(len, rows), default=0)
    return [row + ("",) * (columns - len(row)) for row in rows]


def number_columns(rows: Iterable[Sequence[str]]) -> list[bool]:
    """For each column of such rows, whether it has only numbers, which are aligned to the right."""
    return [all(is_number(text) or not text for text in column) for column in zip(*rows, strict=True)]


# --- canvas ----------------------------------------------------------------------------------------------------------
# Between two columns of cells is a *gutter*: three characters (` | `) if it has a line at any height, otherwise one
# blank. Between two rows there is a line of text only if it has a line to draw. Where lines meet, the character depends
# on which of its four arms are lines.


Cell = tuple[int, int]

# Indexed by arms: up 1, right 2, down 4, left 8.
BOX = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
ASCII = " |-+||++-+-+++++"


@frozen
class Canvas:
    """A grid to be drawn.
    rows, columns: the ranges of the cells that are drawn.
    text: what is written into a cell, padded to one width, for every cell that belongs to the board.  style: of some
    cells.
    region: which region a cell is in; None draws no lines. Cells off the board are in no region.
    joined: whether the style of two neighbours also fills the blank between them.  blank: blanks as wide as a cell.
    above: what is written above the text of a cell, at its left.  raised: rows that have room for that in any case.
    between: what is written between two cells that touch, the smaller one first: at most three characters.
    spaced: whether there is room between all cells, for lines from one to the next.
    wide: the gutters that are three characters wide, by the column to their right."""

    rows: range
    columns: range
    text: Mapping[Cell, str]
    style: Mapping[Cell, str]
    region: Mapping[Cell, int] | None
    joined: Callable[[Cell, Cell], bool]
    blank: str
    above: Mapping[Cell, str] = field(factory=dict)
    raised: frozenset[int] = frozenset()
    between: Mapping[tuple[Cell, Cell], str] = field(factory=dict)
    spaced: bool = False
    wide: frozenset[int] = field(init=False)

    @wide.default
    def _gutters_with_lines(self) -> frozenset[int]:
        """The columns to whose left a line runs at any height; one past the last column for the right edge."""
        edges = range(self.columns.start, self.columns.stop + 1)
        found = {c for c in edges if self.region is not None and any(self._right(r, c - 1) for r in self.rows)}
        found |= {b[1] for a, b in self.between if a[1] != b[1]} | {b[1] + 1 for a, b in self.between if a[1] > b[1]}
        return frozenset(found.union(edges[1:-1] if self.spaced else ()))

    def draw(self, unicode: bool) -> list[Line]:
        """The lines of text, top to bottom."""
        return [line for _, line in self.rows_drawn(unicode)]

    def rows_drawn(self, unicode: bool) -> list[tuple[int | None, Line]]:
        """The lines of text, top to bottom, each with its row; None for a line between rows."""
        lines: list[tuple[int | None, Line]] = []
        written = {b[0] for a, b in self.between if a[0] != b[0]}
        cornered = self.raised.union(r for r, _ in self.above)
        if self.spaced:
            written |= set(self.rows[1:])
        coloured = {r for r, _ in self.style}
        for row in range(self.rows.start, self.rows.stop + 1):
            walled = self.region is not None and any(self._below(row - 1, c) for c in self.columns)
            if row in written or walled:
                lines.append((None, _merged(self._rule(row, BOX if unicode else ASCII))))
            if row in cornered:
                lines.append((None, _merged(self._corners_of(row, "│" if unicode else "|"))))
            if row < self.rows.stop and (self.wide or row in coloured):
                lines.append((row, _merged(self._cells(row, "│" if unicode else "|"))))
            elif row < self.rows.stop:  # as those of a large board are
                lines.append((row, (Part(" ".join([self.text.get((row, c), self.blank) for c in self.columns])),)))
        return lines

    def starts(self) -> dict[int, int]:
        """Column → where its cells begin in a line."""
        found, at = {}, 0
        for column in self.columns:
            edge = column == self.columns.start
            at += (2 if edge else 3) if column in self.wide else (0 if edge else 1)
            found[column] = at
            at += len(self.blank)
        return found

    def _wall(self, one: Cell, other: Cell) -> bool:
        if self.region is None:
            return False
        return self.region.get(one, -1) != self.region.get(other, -1)

    def _right(self, row: int, column: int) -> bool:
        return self._wall((row, column), (row, column + 1))

    def _below(self, row: int, column: int) -> bool:
        return self._wall((row, column), (row + 1, column))

    def _cells(self, row: int, bar: str) -> list[Part]:
        parts: list[Part] = []
        for column in range(self.columns.start, self.columns.stop + 1):
            parts += self._gutter(row, column, bar)
            if column < self.columns.stop:
                at = (row, column)
                parts.append(Part(self.text.get(at, self.blank), self.style.get(at, "")))
        return parts

    def _corners_of(self, row: int, bar: str) -> list[Part]:
        parts: list[Part] = []
        for column in range(self.columns.start, self.columns.stop + 1):
            parts += self._gutter(row, column, bar, signs=False)
            if column < self.columns.stop:
                text = self.above.get((row, column), "")
                parts.append(Part(text + " " * (len(self.blank) - width(text)), "given" if text else ""))
        return parts

    def _gutter(self, row: int, column: int, bar: str, signs: bool = True) -> list[Part]:
        """What stands to the left of a cell. signs: what is written between two cells, too."""
        edge = column in (self.columns.start, self.columns.stop)
        left, right = (row, column - 1), (row, column)
        if column in self.wide:
            written = self.between.get((left, right))
            if written is not None and signs:
                return [Part(f"{written:^3}", "given" if written.strip("-─") else "line")]
            line = bar if self._right(row, column - 1) else " "
            before = [] if column == self.columns.start else [Part(" ")]
            after = [] if column == self.columns.stop else [Part(" ")]
            return [*before, Part(line, "line"), *after]
        if edge:
            return []
        return [Part(" ", self.style.get(left, "") if self.joined(left, right) else "")]

    def _rule(self, row: int, glyphs: str) -> list[Part]:
        text = ""
        for column in range(self.columns.start, self.columns.stop + 1):
            text += self._corner(row, column, glyphs)
            if column < self.columns.stop:
                text += self._side(row, column, glyphs)
        return [Part(text, "line")]

    def _side(self, row: int, column: int, glyphs: str) -> str:
        wide = len(self.blank)
        line = glyphs[10 if self._below(row - 1, column) else 0]
        written = self.between.get(((row - 1, column), (row, column)))
        if written is None:
            return line * wide
        before = (wide - len(written)) // 2
        return line * before + written + line * (wide - before - len(written))

    def _corner(self, row: int, column: int, glyphs: str) -> str:
        right = column < self.columns.stop and self._below(row - 1, column)
        left = column > self.columns.start and self._below(row - 1, column - 1)
        if column not in self.wide:
            edge = column in (self.columns.start, self.columns.stop)
            return "" if edge else glyphs[10 if left and right else 0]
        up = row > self.rows.start and self._right(row - 1, column - 1)
        down = row < self.rows.stop and self._right(row, column - 1)
        corner = glyphs[up + 2 * right + 4 * down + 8 * left]
        for pair in (((row - 1, column - 1), (row, column)), ((row - 1, column), (row, column - 1))):
            if pair in self.between:
                return f"{self.between[pair]:^3}"
        before = "" if column == self.columns.start else glyphs[10 if left else 0]
        after = "" if column == self.columns.stop else glyphs[10 if right else 0]
        return before + corner + after


def _merged(parts: list[Part]) -> Line:
    return tuple(Part("".join(p.text for p in group), style) for style, group in groupby(parts, key=lambda p: p.style))


# --- margins ---------------------------------------------------------------------------------------------------------
# Words above and below the board stand below each other, as the numbers of a nonogram do.


PLAIN: Mapping[str, str] = {sign: sign for sign in "+-*/"}  # signs of arithmetic, each written as it is


def margin(picture: Picture) -> tuple[list[Inscription], ...]:
    """What is printed to the left, to the right, above and below a board; not what is in its corners."""
    left: list[Inscription] = []
    right: list[Inscription] = []
    above: list[Inscription] = []
    below: list[Inscription] = []
    for p in picture.prints:
        if p.to is not None:
            continue
        (r, c), (top, start), (bottom, end) = p.at, picture.low, picture.high
        if r < top:
            above.append(p)
        elif r > bottom:
            below.append(p)
        elif c < start:
            left.append(p)
        elif c > end:
            right.append(p)
    return left, right, above, below


def tight(text: str, signs: Mapping[str, str] = PLAIN) -> str:
    """A text in a corner; a number and the sign of arithmetic after it stand together: `24*`. signs: how they are
    written."""
    number, _, sign = text.rpartition(" ")
    return clean(number + signs[sign] if sign in signs and is_number(number) else text)


def with_margins(canvas: Canvas, picture: Picture, unicode: bool) -> list[Line]:
    """The lines of a board with what is printed beside it."""
    left, right, above, below = margin(picture)
    before = _tracks(left, last=True)
    behind = _tracks(right, last=False)
    room = max(map(width, before.values()), default=0)
    indent = room + 1 if before else 0
    lines: list[Line] = []
    drawn = canvas.rows_drawn(unicode)
    longest = max((line_width(line) for _, line in drawn), default=0)
    for row, line in drawn:
        parts: list[Part] = []
        if indent:
            parts.append(Part(pad(before.get(row, ""), room, right=True) + " ", "given"))
        parts += line
        if row in behind:
            parts += [Part(" " * (longest - line_width(line) + 1)), Part(behind[row], "given")]
        lines.append(tuple(parts))
    starts = canvas.starts()
    return [*_stack(above, starts, indent, canvas, True), *lines, *_stack(below, starts, indent, canvas, False)]


def _tracks(found: list[Inscription], last: bool) -> dict[int | None, str]:
    """Row → its texts side by side, those of one column below each other. last: aligned to the right."""
    columns = sorted({p.at[1] for p in found})
    wide = {c: max(width(clean(p.text)) for p in found if p.at[1] == c) for c in columns}
    texts = {p.at: clean(p.text) for p in found}
    rows = {p.at[0] for p in found}
    return {r: " ".join(pad(texts.get((r, c), ""), wide[c], last) for c in columns).rstrip() for r in rows}


def depth(found: Sequence[Inscription]) -> int:
    """How many words stand below each other above or below a board."""
    words = Counter[int]()
    for p in found:
        words[p.at[1]] += len(clean(p.text).split())
    return max(words.values(), default=0)


def _stack(found: list[Inscription], starts: dict[int, int], indent: int, canvas: Canvas, above: bool) -> list[Line]:
    """The lines above or below a board: the words of each column below each other, next to the board."""
    words: dict[int, list[str]] = {}
    for p in sorted(found, key=lambda p: p.at):
        words.setdefault(p.at[1], []).extend(clean(p.text).split())
    deep = depth(found)
    lines: list[Line] = []
    for n in range(deep):
        text = ""
        for column, stack in sorted(words.items()):
            k = n - (deep - len(stack)) if above else n
            if column in starts and 0 <= k < len(stack):
                start = indent + starts[column] + max(len(canvas.blank) - width(stack[k]), 0)
                text = pad(text, max(start, width(text) + bool(text))) + stack[k]
        lines.append((Part(text, "given"),))
    return lines
