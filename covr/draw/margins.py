"""What is printed beside a board, as text: numbers and names to the left and right, above and below.

Words above and below the board stand below each other, as the numbers of a nonogram do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from covr.compiler.display.picture import Inscription, Picture
from covr.draw.canvas import Canvas
from covr.draw.styled import Line, Part, clean, is_number, line_width, pad, width

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
    """A text in a corner; a number and the sign of arithmetic after it stand together: `24 *` is written `24*`.

    signs: how the signs are written.
    """
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
