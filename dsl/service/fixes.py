"""What can be done about a fault with one click: each change is tried, and offered only if the fault is gone after it.

What to try comes from the help that the fault gives (`did you mean …`, `write …`, `remove it`), and, for brackets, from
the words around it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from covr.dsl import syntax as s
from covr.dsl.diagnostics import Diagnostic
from covr.dsl.service.cursor import fragment_at, words
from covr.dsl.service.document import Analysis, Document
from covr.dsl.source import Span
from covr.frozen import frozen

# What a help says stands in the place of the fault, and the alternatives that it names with `or`.
WRITE = re.compile(r"(?:did you mean|write) `([^`…]+)`(?:(?:, or| or|,) `([^`…]+)`)*(?=[?,;:]|$)")
FORM = re.compile(r"\b[A-Z]{4,}\b")  # a word that stands for something else: `per KEYS`
ADD = re.compile(r"(?:.*[,;:] )?add `([^`…]+)`")
LINE_END = re.compile(r"[ \t]*(?:#[^\n]*)?(?:\n|\Z)")
CLOSING = {"(": ")", "[": "]", "{": "}"}
MOST_TRIED = 80  # places of parentheses that are tried for one fault


@frozen
class Fix:
    """A change of the text. title: what it does; span: what is replaced; text: by what.

    sure: whether it is what the fault's help says, and not one of several things that might be meant.
    """

    title: str
    span: Span
    text: str
    sure: bool = True


def fixes(
    document: Document, analysis: Analysis, fault: Diagnostic, wanted: Callable[[], None] = lambda: None
) -> list[Fix]:
    """The changes that mend a fault of the analysed text, the surest first.

    document: the one that was analysed, as it still is; changes are tried in it, and taken back. wanted: called before
    each of them; it may raise, if nobody wants to know any more. Time: for every change, that of reading its statement.
    """
    if fault.span is None or fault.span.source is not analysis.source:
        return []
    errors = sum(d.is_error for d in analysis.faults)
    found: list[Fix] = []
    for fix in [*_tried(analysis, fault)]:
        wanted()
        with document.trying():
            after = document.change(applied(analysis.source.text, fix)).faults
        gone = not any((d.code, d.message) == (fault.code, fault.message) for d in after)
        if gone and sum(d.is_error for d in after) <= max(0, errors - fault.is_error):
            found.append(fix)
            if not fix.sure:
                break
    if not fault.is_error:
        found += _allowed(analysis, fault.span, fault.code)
    return found


def applied(text: str, fix: Fix) -> str:
    """The text with a fix."""
    return text[: fix.span.start] + fix.text + text[fix.span.end :]


def _tried(analysis: Analysis, fault: Diagnostic) -> Iterator[Fix]:
    span = fault.span
    assert span is not None
    said = WRITE.match(fault.help)
    for text in re.findall("`([^`…]+)`", said[0]) if said is not None else ():
        if FORM.search(text):
            continue
        quoted = re.search(r'"[^"\n]*"', span.text) if fault.code == "E009" else None
        if quoted is not None:
            span = Span(span.source, span.start + quoted.start() + 1, span.start + quoted.end() - 1)
        yield Fix(f"write `{text}`", span, text)
    added = ADD.match(fault.help)
    if added is not None:
        yield from _added(analysis, span, added[1])
    if fault.help.startswith("remove it") or fault.help == "leave the comment out":
        yield from _removed(analysis, span)
    if fault.code == "E002" and span.text in CLOSING:
        yield from _closed(analysis, span)
    if fault.help.startswith("put it in parentheses"):
        yield from _wrapped(analysis, span)


def _added(analysis: Analysis, span: Span, text: str) -> Iterator[Fix]:
    """Words at the end of the statement around a span, before its label."""
    for statement in analysis.statements:
        whole = analysis.span(statement.span)
        label = getattr(statement, "label", None)
        if not isinstance(statement, s.Param | s.Let) and whole.start <= span.start <= whole.end:
            end = whole.end if label is None else analysis.span(label.span).start
            end = whole.start + len(analysis.source.text[whole.start : end].rstrip())
            yield Fix(f"add `{text}`", Span(span.source, end, end), f" {text}")


def _removed(analysis: Analysis, span: Span) -> Iterator[Fix]:
    """The statement around a span left out, with its line if nothing else stands there; or only the span."""
    text = analysis.source.text
    for statement in analysis.statements:
        whole = analysis.span(statement.span)
        if isinstance(statement, s.Param | s.Let) and analysis.span(statement.name.span) == span:
            line = LINE_END.match(text, whole.end)
            end = line.end() if line else whole.end
            yield Fix(f"remove `{span.text}`", Span(span.source, whole.start, end), "")
            return
    yield Fix("remove it", span, "")


def _closed(analysis: Analysis, span: Span) -> Iterator[Fix]:
    """The bracket at the span closed behind some word after it; those at the ends of lines first."""
    sign = CLOSING[span.text]
    fragment, begin = fragment_at(analysis.fragments, span.start)
    tokens = [t for t in words(fragment.source.text, 0)[0] if begin + (t.start_pos or 0) > span.start]
    ends = [begin + (t.end_pos or 0) for t in tokens]
    lines = [end for end in ends if LINE_END.match(analysis.source.text, end)]
    for end in list(dict.fromkeys([*lines, *ends]))[:MOST_TRIED]:
        yield Fix(f"close it with `{sign}`", Span(span.source, end, end), sign, sure=False)


def _wrapped(analysis: Analysis, span: Span) -> Iterator[Fix]:
    """Parentheses around the words that a span lies between: the fewest words first."""
    fragment, begin = fragment_at(analysis.fragments, span.start)
    tokens = [(begin + (t.start_pos or 0), begin + (t.end_pos or 0)) for t in words(fragment.source.text, 0)[0]]
    at = next((n for n, (start, _) in enumerate(tokens) if start >= span.start), len(tokens))
    ranges = [(first, last) for first in range(at, -1, -1) for last in range(at, len(tokens)) if last > first]
    for first, last in sorted(ranges, key=lambda r: (r[1] - r[0], r))[:MOST_TRIED]:
        whole = Span(span.source, tokens[first][0], tokens[last][1])
        yield Fix("put it in parentheses", whole, f"({whole.text})", sure=False)


def _allowed(analysis: Analysis, span: Span, code: str) -> Iterator[Fix]:
    """A comment that silences a warning, above its statement."""
    start = analysis.source.text.rfind("\n", 0, span.start) + 1
    for statement in analysis.statements:
        whole = analysis.span(statement.span)
        if whole.start <= span.start < whole.end:
            start = analysis.source.text.rfind("\n", 0, whole.start) + 1
    yield Fix(f"allow {code} here", Span(analysis.source, start, start), f"# covr: allow {code}\n")
