"""One layout for every model: text goes in, and the same model comes out in the standard layout, with only white space
changed.

The layout:

- every statement begins on a line of its own, in the first column; at most one blank line stands between two
  statements;
- line breaks inside a statement are kept, and so is the indentation of its further lines, if it is at least two;
- one space stands between words and around signs; none inside brackets, around `..`, `.` and `^`, and none around a
  `*` that was written without spaces (`1..2*n`);
- the sets of consecutive `cells` and `values` statements are aligned;
- labels of consecutive rules are aligned if they fit into a hundred columns, and so are comments at the ends of
  consecutive lines.

Pictures and comments are not changed at all. Formatting a model twice gives the same text as formatting it once, and
never changes what the model says: the result is parsed again and compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from attrs import define

from covr.dsl.parser import parse
from covr.dsl.pieces import TWO_WORDS, FormatPiece, pieces, words_at
from covr.dsl.render import width
from covr.dsl.source import Source
from covr.dsl.syntax import (
    Agree,
    Alike,
    Assert,
    Connected,
    Declare,
    Given,
    Loop,
    Module,
    Needs,
    Prefer,
    Rule,
    Statement,
)

WIDEST = 100  # in how many columns labels and comments must fit to be aligned
GAP = 3  # how many spaces stand before a label, and before a comment at the end of a line
INDENT = 2  # by how many spaces the further lines of a statement are indented, at least

OPENING = frozenset(("LPAR", "LSQB", "LBRACE"))
CLOSING = frozenset(("RPAR", "RSQB", "RBRACE"))
TIGHT = frozenset((".", "..", "^"))
LABELLED = (Rule, Needs, Prefer, Connected, Loop, Agree, Alike, Given, Assert)


def format_model(source: Source) -> str:
    """The text of the model in the standard layout. Raises ModelErrors if it has a syntax error. Time O(length)."""
    module = parse(source)
    text = laid_out(pieces(source.text, words_at(source.text), begins(module)), module.statements)
    assert parse(Source(source.name, text)).statements == module.statements, "formatting must not change a model"
    return text


@define
class Line:
    """A line of the result: `head`, then `label` and `comment`, aligned with those of its neighbours.

    own: the number of the statement that it belongs to; -1 for a blank line or a comment between statements.
    statement: the statement, if this is its only line; otherwise None.
    """

    head: str
    label: str = ""
    comment: str = ""
    own: int = -1
    statement: Statement | None = None


def begins(module: Module) -> list[int]:
    """Where the statements of a module begin in its text."""
    return [statement.span.start for statement in module.statements]


def laid_out(found: Iterable[FormatPiece], statements: Sequence[Statement]) -> str:
    """The text in the standard layout. found: the words and comments of a text; statements: those it consists of."""
    return "".join(f"{line}\n" for line in layout(found, statements))


def layout(found: Iterable[FormatPiece], statements: Sequence[Statement]) -> list[str]:
    """The lines of a text in the standard layout, without newlines."""
    lines: list[Line] = []
    before: FormatPiece | None = None
    behind: FormatPiece | None = None
    shift = 0
    for piece in found:
        fresh = piece.first or (piece.breaks > 0 and before is not None) or before is None
        if piece.kind == "COMMENT" and before is not None and not piece.breaks:
            lines[-1].comment = (lines[-1].comment + " " + piece.text).strip()
        elif fresh:
            if before is not None and piece.breaks > 1 and (piece.first or piece.statement < 0):
                lines.append(Line(""))
            if piece.first:
                shift = piece.column
            inner = piece.statement >= 0 and not piece.first
            indent = max(INDENT, piece.column - shift) if inner else 0
            if piece.kind == "COMMENT":
                lines.append(Line("", "", " " * indent + piece.text, piece.statement))
            else:
                lines.append(Line(" " * indent + word(piece), own=piece.statement))
                lines[-1].statement = statements[piece.statement] if piece.first else None
            if inner:
                loosen(lines, piece.statement)
        else:
            assert before is not None
            add(lines[-1], before, piece, behind, statements[piece.statement])
        behind, before = before, piece
    align_sets(lines)
    align_labels(lines)
    return align_comments(lines)


def loosen(lines: Sequence[Line], statement: int) -> None:
    """Exclude a statement that takes several lines from alignment."""
    for line in reversed(lines):
        if line.own != statement:
            return
        line.statement = None
        if line.label:
            line.head, line.label = line.head + " " * GAP + line.label, ""


def add(line: Line, before: FormatPiece, piece: FormatPiece, behind: FormatPiece | None, own: Statement) -> None:
    """Put a token after the last one on the same line. own: the statement that it belongs to."""
    if piece.kind == "STRING" and isinstance(own, LABELLED) and operand(before):
        if line.statement is not None and "\n" not in line.head:
            line.label = piece.text
        else:
            line.head += " " * GAP + piece.text
        return
    line.head += " " * spaced(before, piece, behind) + word(piece)


def word(piece: FormatPiece) -> str:
    """The token as it is printed; `at  least` is one token of two words, printed with one space."""
    return " ".join(piece.text.split()) if piece.kind in TWO_WORDS else piece.text


def operand(piece: FormatPiece) -> bool:
    """Whether a value or name ends here, so that a sign after it stands between two operands."""
    return piece.kind in CLOSING or piece.kind in ("NAME", "NUMBER", "STRING", "BLOCK", "TRUE", "FALSE")


def spaced(before: FormatPiece, piece: FormatPiece, behind: FormatPiece | None) -> bool:
    """Whether a space stands between two tokens of a line. behind: the token before `before`."""
    a, b = before.kind, piece.kind
    if b in ("COMMA", "COLON") or b in CLOSING or a in OPENING or before.text in TIGHT or piece.text in TIGHT:
        return False
    if b == "LPAR" and (a == "NAME" or (a == "CELLS" and not before.first)):
        return False
    if b == "LSQB" and operand(before):
        return False
    if a == "MINUS" and (behind is None or not operand(behind) or before.first):
        return False
    if a == "STAR" or b == "STAR":
        return not (before.glued if a == "STAR" else piece.glued)
    return True


# --- alignment ----------------------------------------------------------------------------------------------


def runs(lines: Sequence[Line], broken: Sequence[bool]) -> Iterator[list[int]]:
    """The runs of consecutive lines, as their numbers, between the lines for which `broken` holds."""
    run: list[int] = []
    for at, cut in enumerate(broken):
        if cut:
            if run:
                yield run
            run = []
        else:
            run.append(at)
    if run:
        yield run


def align_sets(lines: Sequence[Line]) -> None:
    """Align the sets of consecutive declarations: `cells  r in …` above `values d in …`."""
    for run in runs(lines, [not isinstance(line.statement, Declare) for line in lines]):
        kinds = {line.statement.kind for at in run if isinstance((line := lines[at]).statement, Declare)}
        if len(kinds) == 2:
            for at in run:
                if lines[at].head.startswith("cells "):
                    lines[at].head = "cells  " + lines[at].head.removeprefix("cells ")


def align_labels(lines: Sequence[Line]) -> None:
    """Align the labels of consecutive rules, if they fit. Changes the lines."""
    for run in runs(lines, [not isinstance(line.statement, LABELLED) for line in lines]):
        labelled = [at for at in run if lines[at].label]
        column = fitting([(width(lines[at].head), width(lines[at].label)) for at in labelled])
        for at in labelled:
            line = lines[at]
            line.head += " " * max(GAP, column - width(line.head)) + line.label
            line.label = ""


def align_comments(lines: Sequence[Line]) -> list[str]:
    """The text of the lines, with the comments beside consecutive lines aligned if they fit."""
    done = [line.head or line.comment for line in lines]
    beside = [bool(line.head and line.comment) for line in lines]
    for run in runs(lines, [not b or "\n" in line.head for b, line in zip(beside, lines, strict=True)]):
        column = fitting([(width(lines[at].head), width(lines[at].comment)) for at in run])
        for at in run:
            done[at] += " " * max(GAP, column - width(lines[at].head)) + lines[at].comment
    for at, line in enumerate(lines):
        if beside[at] and "\n" in line.head:
            done[at] += " " * GAP + line.comment
    return done


def fitting(sizes: Sequence[tuple[int, int]]) -> int:
    """The column for what follows the heads. sizes: the widths of each head and of what follows it; the widest heads
    are left out until the rest fits."""
    left = sorted(sizes)
    while left and left[-1][0] + GAP + max(tail for _, tail in left) > WIDEST:
        left.pop()
    return left[-1][0] + GAP if left else 0


__all__ = ["format_model", "laid_out"]
