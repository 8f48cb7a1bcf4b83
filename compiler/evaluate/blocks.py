"""Text that a reader reads, line by line, with the place of every character for messages."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import field

from covr.compiler.evaluate.faults import EvalFault
from covr.compiler.evaluate.values import FileText, Value
from covr.dsl import syntax as syn
from covr.dsl.source import Source, Span
from covr.frozen import frozen


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
        written = [line for line in lines if line.strip()]
        margin = len(_common([line[: len(line) - len(line.lstrip(" \t"))] for line in written]))
        return cls(
            Span(source, 0, len(source.text)),
            tuple(line[margin:] for line in lines),
            tuple(start + min(margin, len(line)) for start, line in zip(starts, lines, strict=True)),
        )

    @classmethod
    def of_value(cls, text: Value, span: Span) -> DataBlock:
        """The value of an expression. Raises EvalFault if it is not text."""
        if isinstance(text, FileText):
            return cls.of_source(text.source)
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
