"""Text that a reader reads, line by line, with the place of every character for messages; and its sections."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from attrs import field

from covr.compiler.evaluate.limits import EvalFault, did_you_mean
from covr.compiler.evaluate.values import FileText, Value
from covr.dsl import syntax as syn
from covr.dsl.diagnostics import Source, Span
from covr.frozen import evolve, frozen


@frozen
class DataBlock:
    """The lines that a reader is given.

    whole: a span for faults of the block as a whole. lines: without newlines and without their common indentation.
    starts: the offset in the source at which each line begins; None if the text is the value of an expression, so that
    a message can only show the expression.
    """

    whole: Span
    lines: tuple[str, ...]
    starts: tuple[int, ...] | None = field(default=None, repr=False)

    @classmethod
    def in_model(cls, expr: syn.ReaderBlock) -> DataBlock:
        """The `\"\"\"` block of a reader in a model."""
        return cls(expr.span, tuple(expr.block.split("\n")), expr.block_start)

    @classmethod
    def of_source(cls, source: Source) -> DataBlock:
        """A whole file, or text from the command line."""
        lines = source.text.split("\n")
        starts = [0]
        for line in lines[:-1]:
            starts.append(starts[-1] + len(line) + 1)
        lines = [line.removesuffix("\r") for line in lines]
        if lines and lines[0].startswith("\ufeff"):
            lines[0], starts[0] = lines[0][1:], 1
        return cls._without_margin(Span(source, 0, len(source.text)), lines, starts)

    @classmethod
    def _without_margin(cls, whole: Span, lines: Sequence[str], starts: Sequence[int]) -> DataBlock:
        written = [line for line in lines if line.strip()]
        margin = len(_common([line[: len(line) - len(line.lstrip(" \t"))] for line in written]))
        return cls(
            whole,
            tuple(line[margin:] for line in lines),
            tuple(start + min(margin, len(line)) for start, line in zip(starts, lines, strict=True)),
        )

    @classmethod
    def of_value(cls, text: Value, span: Span) -> DataBlock:
        """The value of an expression. Raises EvalFault if it is not text."""
        if isinstance(text, FileText):
            if text.starts is None:
                return cls.of_source(text.source)
            lines = str(text).split("\n")
            whole = Span(text.source, text.starts[0], text.starts[-1] + len(lines[-1]))
            return cls._without_margin(whole, lines, text.starts)
        if isinstance(text, str):
            return cls(span, tuple(str(text).split("\n")))
        raise EvalFault.at(span, "E206", 'a reader wants text, such as `file("name")`')

    def at(self, line: int, column: int = 0, length: int = 1) -> Span:
        """The span of characters of a line, both counted from 0."""
        if self.starts is None:
            return self.whole
        start = self.starts[line] + column
        return Span(self.whole.source, start, max(start + length, start))

    def row(self, line: int) -> Span:
        """The span of what is written on a line."""
        text = self.lines[line]
        begin = len(text) - len(text.lstrip())
        return self.at(line, begin, max(len(text.rstrip()) - begin, 1))

    def fault(self, span: Span, code: str, message: str, help: str = "") -> EvalFault:
        """An EvalFault at `span`, to be raised."""
        return EvalFault.at(span, code, message, help)

    def written(self) -> Iterator[tuple[int, str]]:
        """The lines that are not blank, with their numbers."""
        return ((i, line) for i, line in enumerate(self.lines) if line.strip())

    def tokens(self, line: int) -> list[tuple[str, int]]:
        """The words of a line, each with the column where it begins."""
        text = self.lines[line]
        found: list[tuple[str, int]] = []
        at = 0
        for word in text.split():
            at = text.index(word, at)
            found.append((word, at))
            at += len(word)
        return found

    @property
    def text(self) -> str:
        """The whole text, without the blank lines at both ends."""
        lines = list(self.lines)
        while lines and not lines[0].strip():
            del lines[0]
        while lines and not lines[-1].strip():
            del lines[-1]
        return "\n".join(lines)


# --- sections -------------------------------------------------------------------------------------------------


@frozen
class Section:
    """A part of a text under a name. line: where the name stands, from 0. kind: a key of `_HEADS`; `beside`, for a
    value on the line of its name; or `=`, for an assignment. lines, starts: its own lines, and where each begins in the
    text that it is a part of: (line, column)."""

    name: str
    line: int
    kind: str
    lines: tuple[str, ...] = ()
    starts: tuple[tuple[int, int], ...] = ()


_NAME: Final = r"[^\W\d][\w.-]*(?: [\w.-]+)*"
# What may stand above a section, alone on its line; each kind of section ends where the next of its kind begins.
_HEADS: Final = {
    "SECTION": re.compile(r"\A(SECTION_\w+|\w+_SECTION)(?:\s*:)?", re.IGNORECASE),
    "[]": re.compile(rf"\A\[\s*({_NAME})\s*\]"),
    ":": re.compile(rf"\A({_NAME})\s*:"),
}
_BESIDE: Final = re.compile(rf"\s*({_NAME})\s*:\s+(?=\S)")  # a name with its value on the same line
_END: Final = re.compile(r"(END|EOF)(\s*\.)?")
_AFFIX: Final = re.compile(r"SECTION_|_SECTION", re.IGNORECASE)
LISTED: Final = 12  # how many names of sections a message lists


def section_of(block: DataBlock, name: str, span: Span) -> Value:
    """The section of a text with this name, as `section(text, name)` gives it. Raises EvalFault E313 at `span`, or at
    the place in the text that is at fault. Time linear in the text."""
    found = sections(block)
    called = "this text" if block.starts is None else f"`{block.whole.source.name}`"
    own = [s for s in found if s.name == name] or [s for s in found if _AFFIX.sub("", s.name) == name]
    if not own:
        names = list(dict.fromkeys(s.name for s in found if s.kind != "beside")) or [s.name for s in found]
        more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
        if not names:
            help = "a section begins with its name: `STAFF:`, `[STAFF]` or `SECTION_STAFF` on a line, or `staff = …;`"
        else:
            near = did_you_mean(name, [*names, *(_AFFIX.sub("", n) for n in names)])
            help = f"{near} its sections are {', '.join(names[:LISTED])}{more}".strip()
        raise EvalFault.at(span, "E313", f"{called} has no section `{name}`", help)
    if len(own) > 1:
        lines = " and ".join(str(block.at(s.line).place[0] if block.starts else s.line + 1) for s in own)
        raise EvalFault.at(span, "E313", f"{called} has {len(own)} sections `{name}`, on the lines {lines}")
    part = own[0] if own[0].kind != "=" else _assigned(block, own[0])
    if block.starts is None or not part.lines:
        return "\n".join(part.lines)
    starts = [block.starts[line] + column for line, column in part.starts]
    return FileText(block.whole.source, part.lines, starts)


def sections(block: DataBlock) -> list[Section]:
    """The sections of a text, in order; of a text of assignments, `name = value;`, those."""
    assigned = _assignments(block)
    if assigned:
        return assigned
    heads: list[tuple[str, int, str, int]] = []  # name, line, kind, and where on the line a value begins
    for line, text in block.written():
        kinds = [(kind, m[1]) for kind, head in _HEADS.items() if (m := head.fullmatch(text.strip()))]
        if kinds:
            heads.append((kinds[0][1], line, kinds[0][0], 0))
        elif _END.fullmatch(text.strip()):
            heads.append(("", line, "", 0))
        elif m := _BESIDE.match(text):
            heads.append((m[1], line, "beside", m.end()))
    found = []
    ends = dict.fromkeys(_HEADS, len(block.lines))  # for each kind of head where a section above this line ends
    for name, line, kind, at in reversed(heads):
        if kind in _HEADS:
            own = range(line + 1, ends[kind])
            ends[kind] = line
            lines = block.lines[own.start : own.stop]
            found.append(Section(name, line, kind, lines, tuple([(i, 0) for i in own])))
        elif kind:
            found.append(Section(name, line, kind, (block.lines[line][at:],), ((line, at),)))
        else:
            ends |= dict.fromkeys(("SECTION", ":"), line)
    return found[::-1]


# Words, signs and comments of MiniZinc's data.
_TOKEN: Final = re.compile(
    r'"(?:[^"\\\n]|\\[^\n])*"?|%[^\n]*|/\*.*?(?:\*/|\Z)|[;\[\]{}(),|=]|[^\s;\[\]{}(),|="%]+', re.DOTALL
)

_REMARK: Final = re.compile(r"%|/\*")


def _assignments(block: DataBlock) -> list[Section]:
    """The assignments of a text that consists of them, each with the words and signs of its value as lines."""
    text = "\n".join(block.lines)
    first = list(islice((m[0] for m in _TOKEN.finditer(text) if not _REMARK.match(m[0])), 2))
    if not (len(first) == 2 and first[0].isidentifier() and first[1] == "=" and ";" in text):
        return []
    places, begins = [], 0
    for line in block.lines:
        places.append(begins)
        begins += len(line) + 1
    found, words = [], list[tuple[str, tuple[int, int]]]()
    for token in (*_TOKEN.finditer(text), None):
        if token is not None and token[0] != ";":
            if not _REMARK.match(token[0]):
                on = bisect_right(places, token.start()) - 1
                words.append((token[0], (on, token.start() - places[on])))
            continue
        if len(words) > 1 and words[1][0] == "=":
            value = words[2:]
            found.append(
                Section(words[0][0], words[0][1][0], "=", tuple(w for w, _ in value), tuple(p for _, p in value))
            )
        words = []
    return found


def _assigned(block: DataBlock, value: Section) -> Section:
    """An assignment's value as lines that readers read: each row of a table is a line, and so is each value that stands
    in no table. Raises EvalFault E313 for a value of another form."""
    words = list(zip(value.lines, value.starts, strict=True))
    wide = 0
    if words and (m := re.fullmatch(r"array(\dd?)", words[0][0])):
        opened = next((at for at, (word, _) in enumerate(words) if word == "["), len(words))
        ends = [re.fullmatch(r"(\d+)\.\.(\d+)", word) for word, _ in words[1:opened] if word not in "(,"]
        last = ends[-1] if ends else None
        if m[1] != "1d" and last is None:
            raise _unread(block, words[0], "its columns are no range of numbers")
        wide = 0 if m[1] == "1d" or last is None else int(last[2]) - int(last[1]) + 1
        words = words[opened:]
    is_table = wide > 0 or any(word == "|" for word, _ in words)
    rows: list[list[tuple[str, tuple[int, int]]]] = [[]]
    deep = 0
    for word, place in words:
        if word in "[{":
            deep += 1
            if deep > 1:
                raise _unread(block, (word, place), "it has sets or lists in a list")
        elif word in "(":
            raise _unread(block, (word, place), "it has tuples or calls")
        elif word == "|" or (wide and len(rows[-1]) == wide):
            rows.append([])
        deep -= word in "]}"
        if word in "[]{}|,)":
            continue
        if word[0] == '"' and (len(word) == 1 or word[-1] != '"'):
            raise _unread(block, (word, place), "a text has no end")
        bare = word[1:-1] if word[0] == '"' else word
        if is_table and (not bare or any(c.isspace() for c in bare)):
            raise _unread(block, (word, place), "a text in a table has blanks")
        rows[-1].append((bare, (place[0], place[1] + (bare is not word))))
        if not is_table:
            rows.append([])
    lines, starts = [], []
    for row in filter(None, rows):
        text, (line, column) = "", row[0][1]
        for word, (at, begins) in row:
            text = (
                text.ljust(begins - column)
                if at == line and len(text) < begins - column
                else f"{text} "
                if text
                else ""
            )
            text += word
        lines.append(text)
        starts.append((line, column))
    return evolve(value, lines=tuple(lines), starts=tuple(starts))


def _unread(block: DataBlock, word: tuple[str, tuple[int, int]], why: str) -> EvalFault:
    text, (line, column) = word
    help = "numbers, words and texts are read, in a list, a set, or a table `[| 1, 2 | 3, 4 |]`"
    return EvalFault.at(block.at(line, column, len(text)), "E313", f"this value is not read: {why}", help)


def _common(texts: list[str]) -> str:
    """The longest beginning that all the texts have in common."""
    first, last = min(texts, default=""), max(texts, default="")
    same = 0
    while same < len(first) and same < len(last) and first[same] == last[same]:
        same += 1
    return first[:same]


# Longer runs of digits than this stay text; Python refuses to read numbers of more than 4300 digits.
_DIGITS = 1000


def scalar(word: str) -> Value:
    """The value of a word in data: digits, with or without a `-` before them, are a number, everything else is text."""
    digits = word[1:] if word.startswith("-") else word
    if digits.isascii() and digits.isdigit() and len(digits) <= _DIGITS:
        return int(word)
    return word
