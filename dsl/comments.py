"""The comments of a text, and what they allow: `# covr: allow W202` silences a warning.

    at least one ask per x in exercises where x in e.solves   # covr: allow W202

A comment applies to the statement beside it, or, if it is alone on a line, to the statement below it. Several codes are
separated by spaces or commas; what follows after ` - ` is a reason, for people. `# covr: unmade - REASON` tells `covr
make` why no puzzle can be made of a model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from covr.dsl.diagnostics import Diagnostic
from covr.dsl.grammar import load
from covr.dsl.source import Source, Span
from covr.dsl.syntax import Statement
from covr.frozen import frozen

ALLOW = re.compile(r"#\s*covr:\s*(?P<verb>\w*)(?P<codes>[^-]*)", re.IGNORECASE)
UNMADE = "unmade"
TITLED = re.compile(r"\s*title\s[^\n]*\Z")  # what stands before a comment that begins behind the title
REASON = re.compile(r"#\s*covr:\s*unmade\s+-\s+(?P<reason>.*\S)", re.IGNORECASE)
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
    """What the comments of a model allow, and a W104 for every `# covr:` comment that allows nothing.

    statements: those of the source, in order.
    """
    ranges = [(s.span.place[0], source.place(max(s.span.start, s.span.end - 1))[0]) for s in statements]
    found: list[Allowance] = []
    faults: list[Diagnostic] = []
    for comment in comments(source):
        said = ALLOW.match(comment.span.text)
        if said is None:
            continue
        if len(found) + len(faults) >= MOST:
            break
        if said["verb"].lower() == UNMADE and REASON.match(comment.span.text):
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
    """The faults without the warnings that comments allow, and a W104 for each allowance that silences nothing.

    Errors cannot be allowed, but a W104 can: an allowance that silences nothing here may be needed with other data.
    """
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
    for comment in comments(source):
        said = REASON.match(comment.span.text)
        if said is not None:
            return said["reason"]
    return ""


__all__ = ["Allowance", "Comment", "allowances", "comments", "silenced", "unmade"]


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
