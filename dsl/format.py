"""One layout for every model: only white space changes; and what comments allow."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from attrs import define

from covr.dsl.diagnostics import Diagnostic, Source, Span, width
from covr.dsl.grammar import load
from covr.dsl.lexer import RESERVED, Parsing, Token
from covr.dsl.parser import parse
from covr.dsl.syntax import (
    Agree,
    Alike,
    AreaRule,
    Assert,
    Connected,
    Declare,
    Divide,
    Given,
    Loop,
    Module,
    Needs,
    Prefer,
    Rule,
    Statement,
)
from covr.frozen import frozen

# --- pieces ----------------------------------------------------------------------------------------------------------
# A text as words, signs and comments, each with the white space before it: what a layout is made from (format.py).


TAB = 8  # columns
TWO_WORDS = (
    "AT_LEAST", "AT_MOST", "UP_TO", "ANSWERS_BY", "IF_AND_ONLY_IF", "NOT_IN", "THEN_MINIMIZE", "THEN_MAXIMIZE",
    "ALL_DIFFERENT", "ALL_ALIKE", "PER_AREA_OF", "PER_AREA_BY", "PER_STRETCH_OF", "PER_STRAIGHT_STRETCH_OF",
)  # fmt: skip

COMMENT = re.compile(r"#[^\n]*")  # between words, where no text or picture is

Place = tuple[int, int, str]
"""A word or sign: where it begins and ends, and its terminal."""


@frozen
class FormatPiece:
    """A token or a comment (`kind` COMMENT). breaks: the number of newlines before it.

    column: where it stood, if it begins a line or a statement; otherwise 0.
    glued: of a `*`, whether nothing stands between it and what is on both of its sides.
    statement: the number of the statement that it belongs to; -1 for a comment between statements.
    first: whether the statement begins with it.
    """

    kind: str
    text: str
    breaks: int
    column: int
    glued: bool
    statement: int
    first: bool = False


def tokens(text: str) -> Iterator[Token]:
    """The tokens of a text that parses, as the parser sees them."""
    parsing = Parsing(load(), text, "start", beginning(text))
    for token in parsing.tokens():
        if token is parsing.end:
            return
        parsing.feed(token)
        yield token


def beginning(text: str) -> int:
    """Where a text begins, behind the mark of its encoding."""
    return 1 if text.startswith("\ufeff") else 0


def words_at(text: str) -> Iterator[Place]:
    """The places of all words and signs of a text that parses."""
    return ((token.start_pos, token.end_pos, token.type) for token in tokens(text))


def pieces(text: str, words: Iterable[Place], begins: Sequence[int]) -> Iterator[FormatPiece]:
    """Words and comments in order, each with a description of the white space before it. words: all of the text.
    begins: where its statements begin. Time O(length)."""
    statement, behind, after_dot = -1, beginning(text), False
    for begin, end, kind in words:
        first = statement + 1 < len(begins) and begin >= begins[statement + 1]
        for found in COMMENT.finditer(text, behind, begin):
            yield comment(text, behind, found, -1 if first else statement)
            behind = found.end()
        statement += first
        if after_dot and kind in RESERVED:
            kind = "NAME"
        breaks = text.count("\n", behind, begin)
        column = column_of(text, begin) if breaks or first else 0
        glued = kind == "STAR" and is_glued(text, begin, end)
        yield FormatPiece(kind, text[begin:end], breaks, column, glued, statement, first)
        after_dot = kind == "DOT"
        behind = end
    for found in COMMENT.finditer(text, behind):
        yield comment(text, behind, found, -1)
        behind = found.end()


def comment(text: str, behind: int, found: re.Match[str], statement: int) -> FormatPiece:
    """The piece of a comment. behind: where the piece before it ends."""
    breaks = text.count("\n", behind, found.start())
    return FormatPiece("COMMENT", found[0].rstrip(), breaks, column_of(text, found.start()), False, statement)


def column_of(text: str, at: int) -> int:
    """In which column of its line a place is, from 0."""
    return len(text[text.rfind("\n", 0, at) + 1 or beginning(text) : at].expandtabs(TAB))


def is_glued(text: str, begin: int, end: int) -> bool:
    """Whether a sign touches what stands on both of its sides."""
    return text[begin - 1 : begin].strip() != "" and text[end : end + 1].strip() not in ("", "#")


# --- comments --------------------------------------------------------------------------------------------------------
# The comments of a text, and what they allow: `# covr: allow W202` silences a warning.
#
#     at least one ask per x in exercises where x in e.solves   # covr: allow W202
#
# A comment applies to the statement beside it, or, if it is alone on a line, to the statement below it. Several codes
# are separated by spaces or commas; what follows after ` - ` is a reason, for people. `# covr: unmade - REASON` tells
# `covr make` why no puzzle can be made of a model, and `# covr: layout NAME` on which layout to make them.


ALLOW = re.compile(r"#\s*covr:\s*(?P<verb>\w*)(?P<codes>[^-]*)", re.IGNORECASE)
TITLED = re.compile(r"\s*title\s[^\n]*\Z")  # what stands before a comment that begins behind the title
TO_MAKE = re.compile(r"#\s*covr:\s*(?P<verb>unmade\s+-|layout)\s+(?P<what>.*\S)", re.IGNORECASE)
MOST = 500  # codes that the comments of a model may allow; further ones are not read
CODE = re.compile(r"[A-Za-z]\w*")


@frozen
class Comment:
    """A comment, from its `#` to the end of the line. alone: nothing else stands on its line."""

    span: Span
    alone: bool


@frozen
class Allowance:
    """A code that a comment allows, where the code stands, and for which lines (from 1, both included)."""

    code: str
    span: Span
    first: int
    last: int

    def covers(self, fault: Diagnostic) -> bool:
        """Whether the comment silences this diagnostic."""
        if fault.span is None or fault.span.source != self.span.source or fault.code != self.code:
            return False
        return self.first <= fault.span.place[0] <= self.last


def comments(source: Source) -> Iterator[Comment]:
    """Every comment, in order; `#` in texts and pictures begins none. Time O(length)."""
    inside = load().lexer.scan
    text, at = source.text, 0
    while at < len(text):
        found = inside.match(text, at)
        if found is None:
            at += 1
            continue
        if found.lastgroup == "COMMENT":
            start = text.rfind("\n", 0, at) + 1
            yield Comment(Span(source, at, found.end()), not text[start:at].strip())
        at = found.end()


def allowances(source: Source, statements: Sequence[Statement]) -> tuple[list[Allowance], list[Diagnostic]]:
    """What the comments of a model allow, and a W104 for every `# covr:` comment that allows nothing. statements: those
    of the source, in order."""
    ranges = [(s.span.place[0], source.place(max(s.span.start, s.span.end - 1))[0]) for s in statements]
    found: list[Allowance] = []
    faults: list[Diagnostic] = []
    for comment in comments(source):
        said = ALLOW.match(comment.span.text)
        if said is None:
            continue
        if len(found) + len(faults) >= MOST:
            break
        if TO_MAKE.match(comment.span.text):
            continue
        codes = list(islice(CODE.finditer(said["codes"]), MOST))
        if said["verb"].lower() != "allow" or not codes:
            help = "a comment to covr reads `# covr: allow W202`"
            faults.append(Diagnostic("W104", "this comment says nothing to covr", comment.span, help))
            continue
        line = comment.span.place[0]
        first, last = spoken_of(line, comment.alone, ranges)
        for code in codes:
            start = comment.span.start + said.start("codes") + code.start()
            span = Span(source, start, start + len(code[0]))
            found.append(Allowance(code[0].upper(), span, first, last))
    return found, faults


def spoken_of(line: int, alone: bool, ranges: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """The first and last line of the statements that a comment on `line` applies to."""
    if alone and not any(first < line <= last for first, last in ranges):
        return min(((first, last) for first, last in ranges if first > line), default=(line, line))
    beside = [r for r in ranges if r[0] <= line <= r[1]]
    return (min(r[0] for r in beside), max(r[1] for r in beside)) if beside else (line, line)


def silenced(faults: Sequence[Diagnostic], source: Source, statements: Sequence[Statement]) -> list[Diagnostic]:
    """The faults without the warnings that comments allow, and a W104 for each allowance that silences nothing. Errors
    cannot be allowed, but a W104 can: an allowance that silences nothing here may be needed with other data."""
    allowed, odd = allowances(source, statements)
    used: set[int] = set()
    kept = []
    for fault in faults:
        by = [at for at, a in enumerate(allowed) if not fault.is_error and a.covers(fault)]
        used.update(by)
        if not by:
            kept.append(fault)
    for at, a in enumerate(allowed):
        if at not in used and a.code not in ("W103", "W104"):  # W103 is said elsewhere, by `covr test`
            help = "errors can't be allowed" if a.code.startswith("E") else "leave the comment out"
            odd.append(Diagnostic("W104", f"there is no {a.code} here to allow", a.span, help))
    kept += [fault for fault in odd if not any(a.covers(fault) for a in allowed)]
    return kept


def unmade(source: Source) -> str:
    """Why no puzzle can be made of a model, as its comment says: `# covr: unmade - REASON`. Empty without one."""
    return _to_make(source, "unmade")


def usual_layout(source: Source) -> str:
    """The layout that puzzles are made on, as a model's comment says: `# covr: layout NAME`. Empty without one."""
    return _to_make(source, "layout")


def _to_make(source: Source, verb: str) -> str:
    for comment in comments(source):
        said = TO_MAKE.match(comment.span.text)
        if said is not None and said["verb"].lower().startswith(verb):
            return said["what"]
    return ""


def rule_sheet(source: Source) -> str:
    """The first comment of a text, its lines joined: by custom the rules of the puzzle in words. It may begin behind
    the title. Empty if there is none, or if it stands behind something else."""
    found: list[str] = []
    last = 0
    for comment in comments(source):
        line = comment.span.place[0]
        titled = not found and TITLED.match(source.text[: comment.span.start])
        if not (comment.alone or titled) or (found and line != last + 1):
            break
        said = comment.span.text.lstrip("#").strip()
        if not ALLOW.match(comment.span.text):
            found.append(said)
        last = line
    return " ".join(filter(None, found))


# --- format ----------------------------------------------------------------------------------------------------------
# One layout for every model: the same model comes out in the standard layout, with only white space changed.
#
# - every statement begins on a line of its own, in the first column, with at most one blank line between two;
# - line breaks inside a statement are kept, and so is the indentation of its further lines, if it is at least two;
# - one space stands between words and around signs; none inside brackets, around `..`, `.` and `^`, and none around a
#   `*` that was written without spaces (`1..2*n`);
# - the sets of consecutive `cells` and `values` statements are aligned, and so are labels of consecutive rules if they
#   fit into a hundred columns, and comments at the ends of consecutive lines.
#
# Pictures and comments are not changed. Formatting twice gives the same text, and never changes what the model says:
# the result is parsed again and compared.


WIDEST = 100  # in how many columns labels and comments must fit to be aligned
GAP = 3  # how many spaces stand before a label, and before a comment at the end of a line
INDENT = 2  # by how many spaces the further lines of a statement are indented, at least

OPENING = frozenset(("LPAR", "LSQB", "LBRACE"))
CLOSING = frozenset(("RPAR", "RSQB", "RBRACE"))
TIGHT = frozenset((".", "..", "^"))
LABELLED = (Rule, AreaRule, Divide, Needs, Prefer, Connected, Loop, Agree, Alike, Given, Assert)


def format_model(source: Source) -> str:
    """The text of the model in the standard layout. Raises ModelErrors if it has a syntax error. Time O(length)."""
    module = parse(source)
    text = laid_out(pieces(source.text, words_at(source.text), begins(module)), module.statements)
    assert parse(Source(source.name, text)).statements == module.statements, "formatting must not change a model"
    return text


@define
class Line:
    """A line of the result: `head`, then `label` and `comment`, aligned with those of its neighbours. own: the number
    of the statement that it belongs to; -1 for a blank line or a comment between statements. statement: the statement,
    if this is its only line; otherwise None."""

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
