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

from collections.abc import Iterator, Sequence

from attrs import define

from covr.dsl.comments import comments
from covr.dsl.grammar import Parsing, load
from covr.dsl.lexer import RESERVED
from covr.dsl.parser import parse
from covr.dsl.render import width
from covr.dsl.source import Source
from covr.dsl.syntax import Agree, Assert, Connected, Declare, Given, Loop, Module, Needs, Prefer, Rule, Statement
from covr.dsl.tokens import Token
from covr.frozen import frozen

WIDEST = 100  # in how many columns labels and comments must fit to be aligned
GAP = 3  # how many spaces stand before a label, and before a comment at the end of a line
INDENT = 2  # by how many spaces the further lines of a statement are indented, at least
TAB = 8

OPENING = frozenset(("LPAR", "LSQB", "LBRACE"))
CLOSING = frozenset(("RPAR", "RSQB", "RBRACE"))
TWO_WORDS = ("AT_LEAST", "AT_MOST", "UP_TO", "ANSWERS_BY", "IF_AND_ONLY_IF", "NOT_IN", "THEN_MINIMIZE", "THEN_MAXIMIZE")
TIGHT = frozenset((".", "..", "^"))
LABELLED = (Rule, Needs, Prefer, Connected, Loop, Agree, Given, Assert)


def format_model(source: Source) -> str:
    """The text of the model in the standard layout. Raises ModelErrors if it has a syntax error. Time O(length)."""
    module = parse(source)
    text = "".join(f"{line}\n" for line in layout(source, module))
    assert parse(Source(source.name, text)).statements == module.statements, "formatting must not change a model"
    return text


@frozen
class FormatPiece:
    """A token or a comment (`kind` COMMENT). breaks: the number of newlines before it; column: where it stood.

    glued: whether nothing stands between it and the piece before. statement: the number of the statement that it
    belongs to; -1 for a comment between statements.
    """

    kind: str
    text: str
    breaks: int
    column: int
    glued: bool
    statement: int
    first: bool = False


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


def layout(source: Source, module: Module) -> list[str]:
    """The lines of a module in the standard layout, without newlines."""
    lines: list[Line] = []
    before: FormatPiece | None = None
    behind: FormatPiece | None = None
    shift = 0
    for piece in pieces(source, module):
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
                lines[-1].statement = module.statements[piece.statement] if piece.first else None
            if inner:
                loosen(lines, piece.statement)
        else:
            assert before is not None
            add(lines[-1], before, piece, behind, module)
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


def add(line: Line, before: FormatPiece, piece: FormatPiece, behind: FormatPiece | None, module: Module) -> None:
    """Put a token after the last one on the same line."""
    statement = module.statements[piece.statement]
    if piece.kind == "STRING" and isinstance(statement, LABELLED) and operand(before):
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


# --- from text to pieces ------------------------------------------------------------------------------------


def tokens(source: Source) -> Iterator[Token]:
    """The tokens of a text that parses, as the parser sees them."""
    parsing = Parsing(load(), source.text, "start")
    for token in parsing.tokens():
        if token is parsing.end:
            return
        parsing.feed(token)
        yield token


def pieces(source: Source, module: Module) -> Iterator[FormatPiece]:
    """Tokens and comments in order, each with a description of the white space before it."""
    text = source.text
    start = 1 if text.startswith("\ufeff") else 0
    trimmed = Source(source.name, text[start:])
    found = [(t.start_pos or 0, t.end_pos or 0, t.type) for t in tokens(trimmed)]
    last_token = {}
    begins = [s.span.start - start for s in module.statements]
    at = -1
    for begin, end, _ in found:
        at += at + 1 < len(begins) and begin >= begins[at + 1]
        last_token[at] = end
    said = [(c.span.start, c.span.end, "COMMENT") for c in comments(trimmed)]
    statement, before, after_dot = -1, 0, False
    body = trimmed.text
    stars = star_glue(body, found)
    for begin, end, kind in sorted(found + said):
        first = kind != "COMMENT" and statement + 1 < len(begins) and begin >= begins[statement + 1]
        statement += first
        own = statement if kind != "COMMENT" or begin < last_token.get(statement, 0) else -1
        if after_dot and kind in RESERVED:
            kind = "NAME"
        line = body.rfind("\n", 0, begin) + 1
        column = len(body[line:begin].expandtabs(TAB))
        glued = stars.get(begin, False)
        yield FormatPiece(kind, body[begin:end].rstrip() if kind == "COMMENT" else body[begin:end],
                    body.count("\n", before, begin), column, glued, own, first)  # fmt: skip
        after_dot = kind == "DOT"
        before = end


def star_glue(text: str, found: Sequence[tuple[int, int, str]]) -> dict[int, bool]:
    """For the offset of each `*`, whether it touches what stands on both of its sides."""
    return {
        begin: text[begin - 1 : begin].strip() != "" and text[end : end + 1].strip() not in ("", "#")
        for begin, end, kind in found
        if kind == "STAR"
    }


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


__all__ = ["format_model"]
