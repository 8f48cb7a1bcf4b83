"""Diagnostics as people read them: the sentence, the place, the line of the source, the span underlined.

    error[E102]: `queens` is not a family of choices
     --> queens.cover:4:13
      |
    4 | exactly one queens per r
      |             ^^^^^^
      = help: did you mean `queen`?

A span over several lines is underlined to the end of its first line. If a line is too wide for a terminal, only the
part around the span is shown. Tabs and wide characters are taken into account, so that the underline stands below the
span. Control characters of a text never reach the terminal.
"""

from __future__ import annotations

import unicodedata

from covr.dsl.diagnostics import Diagnostic
from covr.dsl.source import Span

WIDEST = 120  # how many columns of a source line are shown
BEFORE = 40  # how many columns before the span are kept when a line is cut
LONGEST = 4_000  # how many characters of a line are examined
TAB = 4

RED, YELLOW, BLUE, CYAN, BOLD, PLAIN = "\x1b[1;31m", "\x1b[1;33m", "\x1b[1;34m", "\x1b[1;36m", "\x1b[1m", "\x1b[0m"


def render(diagnostic: Diagnostic, *, colour: bool = False) -> str:
    """The diagnostic in the layout above, without a newline at the end. colour: with ANSI codes."""
    paint = painted if colour else plain
    word = diagnostic.word or ("error" if diagnostic.is_error else "warning")
    shade = RED if diagnostic.is_error else YELLOW
    head = paint(f"{word}[{diagnostic.code}]", shade) + paint(f": {clean(diagnostic.message)}", BOLD)
    lines = [head]
    margin = ""
    if diagnostic.span is not None:
        number, column = diagnostic.span.place
        margin = " " * len(str(number))
        bar = paint("|", BLUE)
        text, underline = excerpt(diagnostic.span)
        name = clean(diagnostic.span.source.name)
        lines += [
            f"{margin}{paint('-->', BLUE)} {name}:{number}:{column}",
            f"{margin} {bar}",
            f"{paint(str(number), BLUE)} {bar} {text}".rstrip(),
            f"{margin} {bar} {underline[0]}{paint(underline[1], shade)}",
        ]
    rest = [("note", note) for note in diagnostic.notes]
    if diagnostic.help:
        rest.append(("help", diagnostic.help))
    for kind, said in rest:
        first, *more = said.split("\n")
        lines.append(f"{margin} {paint('=', BLUE)} {paint(kind, CYAN)}: {clean(first)}")
        lines += [f"{margin}   {' ' * len(kind)}  {clean(line)}" for line in more]
    return "\n".join(lines)


def plain(text: str, shade: str) -> str:
    """The text without any colour."""
    return text


def painted(text: str, shade: str) -> str:
    """The text in a colour, as a terminal shows it. shade: an escape sequence."""
    return f"{shade}{text}{PLAIN}" if text else text


def excerpt(span: Span) -> tuple[str, tuple[str, str]]:
    """The source line of a span as shown, and the line below it: the spaces before the carets, and the carets."""
    text = span.source.text
    start = text.rfind("\n", 0, span.start) + 1
    end = text.find("\n", span.start)
    line = text[start : len(text) if end < 0 else end].rstrip("\r")
    first = min(span.start - start, len(line))
    last = max(first, min(span.end - start, len(line)))
    if span.end - start > len(line):
        last = max(first, len(line.rstrip()))
    if len(line) > LONGEST:  # what is far from the span is not looked at
        cut = max(0, first - LONGEST // 4)
        line = ("…" if cut else "") + line[cut : cut + LONGEST // 2] + "…"
        first, last = first - cut + (cut > 0), min(last - cut + (cut > 0), len(line) - 1)
    cells = [cell(char, at, line) for at, char in enumerate(line)]
    low, high = window(cells, first, last)
    before = ("…" if low > 0 else "") + "".join(cells[low:first])
    under = "".join(cells[first : min(last, high)])
    after = "".join(cells[max(first, min(last, high)) : high]) + ("…" if high < len(cells) else "")
    return before + under + after, (" " * width(before), "^" * max(1, width(under)))


def window(cells: list[str], first: int, last: int) -> tuple[int, int]:
    """The part of a line that is shown: all of it, or what is near the span."""
    if sum(map(width, cells[: WIDEST * 4])) <= WIDEST and len(cells) <= WIDEST * 4:
        return 0, len(cells)
    low = max(0, first - BEFORE)
    if last <= WIDEST - 10:
        low = 0
    high, used = low, 0
    while high < len(cells) and used + width(cells[high]) <= WIDEST:
        used += width(cells[high])
        high += 1
    return low, max(high, first)


def cell(char: str, at: int, line: str) -> str:
    """What is printed for a character of the source: spaces for a tab, and nothing that moves the cursor."""
    if char == "\t":
        return " " * TAB
    return char if char.isprintable() else "�"


def clean(text: str) -> str:
    """The text of a message without characters that control a terminal."""
    return "".join(c if c.isprintable() else " " if c in "\n\t" else "�" for c in text)


def width(text: str) -> int:
    """The columns a text takes on a terminal."""
    if text.isascii():
        return len(text)
    return sum(columns(char) for char in text)


def columns(char: str) -> int:
    """How many columns of a terminal a character takes: 0, 1 or 2."""
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
