"""What the output of a picture can show: whether colours and box-drawing characters, and how many columns.

Colours and box-drawing characters are for terminals; a pipe or a file gets plain text. NO_COLOR switches colours
off, FORCE_COLOR on (also into a pipe), TERM=dumb both off, COLUMNS sets the width.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TextIO

from covr.draw.styled import Line, plain
from covr.frozen import frozen

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
    """What an output can show. unicode: box-drawing characters may be used.  colour: styles are visible.  width:
    columns in a line."""

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
    """The colours that a terminal supports, according to its environment; None for a terminal without colours.

    If COLORTERM is `truecolor` or `24bit`, the terminal supports all colours; so does Windows' own terminal, which sets
    WT_SESSION. The ending of TERM says whether there are 256 colours. Any other terminal has sixteen.
    """
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
