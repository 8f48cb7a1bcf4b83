"""What a picture is written on: whether there are colours, box-drawing characters, and how many columns.

Colours and box-drawing characters are for terminals; a pipe or a file gets plain text. NO_COLOR switches colours
off, FORCE_COLOR on (also into a pipe), TERM=dumb both off, COLUMNS sets the width. rich does the writing where
there are colours, and is imported only there: it takes a fifth of the start-up time.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Sequence
from typing import TextIO

from attrs import frozen

from covr.draw.styled import Line, plain

# Okabe and Ito's colours without black, then light ones of Tol's, which colour-blind people can tell apart.
PIECES = (
    "#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7",
    "#bbbbbb", "#99ddff", "#aaaa00", "#ffaabb", "#ddddaa",
)  # fmt: skip
# The same in order for terminals with sixteen colours, where several of these would become the same colour.
BASIC = (
    "yellow", "cyan", "green", "bright_yellow", "blue", "red", "magenta",
    "white", "bright_cyan", "bright_green", "bright_magenta", "bright_red",
)  # fmt: skip
DARK = frozenset({"#0072b2", "#009e73", "#d55e00", "blue", "red", "magenta"})  # colours on which text must be light
STYLES = {"given": "bold", "line": "dim", "title": "bold"}  # per style of ours, that of rich
PLAIN_WIDTH = 80  # columns, where the output is not a terminal


@frozen
class Surface:
    """unicode: box-drawing characters may be used.  colour: styles are seen.  width: columns in a line."""

    unicode: bool = False
    colour: bool = False
    width: int = PLAIN_WIDTH


PAPER = Surface()


def surface_of(stream: TextIO) -> Surface:
    """What `stream` is, as its nature and the environment say."""
    dumb = os.environ.get("TERM") == "dumb"
    terminal = stream.isatty()
    forced = bool(os.environ.get("FORCE_COLOR")) and os.environ.get("FORCE_COLOR") != "0"
    colour = (terminal or forced) and not dumb and not os.environ.get("NO_COLOR")
    encoding = (stream.encoding or "ascii").lower().replace("_", "-")
    unicode = terminal and not dumb and encoding in ("utf-8", "utf8")
    columns = shutil.get_terminal_size((PLAIN_WIDTH, 24)).columns if terminal or _columns_set() else PLAIN_WIDTH
    return Surface(unicode, colour, max(columns, 1))


def _columns_set() -> bool:
    return os.environ.get("COLUMNS", "").isdecimal()


def write(lines: Iterable[Line], surface: Surface, stream: TextIO | None = None) -> None:
    """Write lines to a stream (standard output), with their styles where the surface has colours."""
    stream = sys.stdout if stream is None else stream
    if not surface.colour:
        stream.write(plain(lines) + "\n")
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(file=stream, force_terminal=True, highlight=False, width=10_000)
    palette = BASIC if console.color_system == "standard" else PIECES
    for line in lines:
        text = Text.assemble(*((part.text, style(part.style, palette)) for part in line))
        text.rstrip()
        console.print(text, soft_wrap=True)


def style(name: str, palette: Sequence[str] = PIECES) -> str:
    """What rich calls a style of ours."""
    words = []
    for word in name.split():
        if word.startswith("piece-"):
            colour = palette[int(word.removeprefix("piece-")) % len(palette)]
            words.append(f"{'bright_white' if colour in DARK else 'black'} on {colour}")
        else:
            words.append(STYLES[word])
    return " ".join(words)
