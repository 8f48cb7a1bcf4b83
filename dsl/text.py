"""The text between quotes: escapes, templates with holes, and the dedented blocks of readers."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from covr.dsl import syntax as s
from covr.dsl.diagnostics import Diagnostic
from covr.dsl.source import Source, Span

BRACE = re.compile(r"[{}]")
SIMPLE_HOLE = re.compile(r'\{[^"{}]*\}')
ESCAPES = {'"': '"', "\\": "\\", "n": "\n"}


def unescape(raw: str, fault: Callable[[int, str], None]) -> str:
    """The text that `raw` means. raw: the characters between the quotes.

    fault(at, what) is called for every backslash that does not begin an escape; it then stands for itself.
    """
    if "\\" not in raw:
        return raw
    return "".join(char for char, _ in characters(raw, fault))


def characters(raw: str, fault: Callable[[int, str], None]) -> list[tuple[str, int]]:
    """The characters that `raw` means, each with the offset in `raw` at which it begins."""
    found = []
    at = 0
    while at < len(raw):
        char, width = raw[at], 1
        if char == "\\" and at + 1 < len(raw):
            if raw[at + 1] in ESCAPES:
                char, width = ESCAPES[raw[at + 1]], 2
            else:
                fault(at, raw[at : at + 2])
        found.append((char, at))
        at += width
    return found


def dedent(raw: str) -> tuple[str, tuple[int, ...]]:
    """The text of a block, and for each of its lines the offset in `raw` at which that line begins.

    raw: the characters between the triple quotes. The rest of the opening line, and the closing line, are dropped if
    they are blank. White space that all other lines (blank ones apart) begin with is removed from them. A first line
    that follows the quotes directly keeps its spaces and does not affect how much is removed.
    """
    lines = [line.rstrip("\r") for line in raw.split("\n")]
    starts = [0]
    for line in raw.split("\n")[:-1]:
        starts.append(starts[-1] + len(line) + 1)
    inner = [line[: len(line) - len(line.lstrip(" \t"))] for line in lines[1:] if line.strip()]
    margin = common(inner)
    rows = [(lines[0], starts[0])]
    for line, start in zip(lines[1:], starts[1:], strict=True):
        cut = min(margin, len(line)) if line.strip() else len(line)
        rows.append((line[cut:], start + cut))
    if len(rows) > 1 and not rows[-1][0].strip():
        rows.pop()
    if not rows[0][0].strip():
        rows.pop(0)
    return "\n".join(line for line, _ in rows), tuple(start for _, start in rows)


def common(texts: Sequence[str]) -> int:
    """The length of the longest beginning that all the texts have in common."""
    if not texts:
        return 0
    low, high = min(texts), max(texts)
    at = 0
    while at < len(low) and low[at] == high[at]:
        at += 1
    return at


def split_template(
    source: Source,
    span: Span,
    hole: Callable[[str, Sequence[int]], s.Expr | None],
    faults: list[Diagnostic],
) -> tuple[str | s.Expr, ...]:
    """The parts of the template whose quotes are at the ends of `span`: texts and expressions in turn.

    hole(text, offsets) parses an expression; offsets are the places in the source of its characters and its end: a
    range if there are no escapes, so that it stands in the source as it is.
    """
    begin = span.start + 1
    text = source.text[begin : span.end - 1]
    if "{" not in text and "}" not in text and "\\" not in text:
        return (text,) if text else ()
    offsets: Sequence[int] = range(begin, span.end)

    def bad_escape(at: int, what: str) -> None:
        here = Span(source, begin + at, begin + at + len(what))
        faults.append(
            Diagnostic("E004", f"`{what}` means nothing in a text", here, 'a text knows `\\"`, `\\\\` and `\\n`')
        )

    if "\\" in text:
        chars = characters(text, bad_escape)
        text = "".join(char for char, _ in chars)
        offsets = [begin + at for _, at in chars] + [span.end - 1]
    parts: list[str | s.Expr] = []
    plain = ""
    at = 0
    while at < len(text):
        char = text[at]
        if char in "{}" and text[at : at + 2] == char * 2:
            plain += char
            at += 2
        elif char == "}":
            here = Span(source, offsets[at], offsets[at] + 1)
            faults.append(Diagnostic("E004", "this `}` closes nothing", here, "write `}}` for a brace"))
            at += 1
        elif char == "{":
            end = hole_end(text, at)
            if end is None:
                here = Span(source, offsets[at], offsets[at] + 1)
                faults.append(Diagnostic("E002", "this `{` is never closed", here, "write `{{` for a brace"))
                break
            if plain:
                parts.append(plain)
            plain = ""
            inside = text[at + 1 : end]
            if inside.strip():
                value = hole(inside, offsets[at + 1 : end + 1])
                if value is not None:
                    parts.append(value)
            else:
                here = Span(source, offsets[at], offsets[end] + 1)
                faults.append(Diagnostic("E004", "nothing stands between these braces", here))
            at = end + 1
        else:
            found = BRACE.search(text, at)
            after = len(text) if found is None else found.start()
            plain += text[at:after]
            at = after
    if plain:
        parts.append(plain)
    return tuple(parts)


def hole_end(text: str, start: int) -> int | None:
    """The offset of the brace that closes the one at `start`; None if there is none. Braces inside, also those in
    texts, are skipped."""
    simple = SIMPLE_HOLE.match(text, start)
    if simple is not None:
        return simple.end() - 1
    depth = 0
    quoted = escaped = False
    for at in range(start, len(text)):
        char = text[at]
        if escaped:
            escaped = False
        elif quoted:
            quoted, escaped = char != '"', char == "\\"
        elif char == '"':
            quoted = True
        elif char == "{":
            depth += 1
        elif char == "}":
            depth -= 1
            if depth == 0:
                return at
    return None
