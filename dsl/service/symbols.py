"""What a model consists of, for an editor's outline: its definitions, choices, rules and promises."""

from __future__ import annotations

from covr.dsl import syntax as s
from covr.dsl.names import bound_by_all
from covr.dsl.service.complete import one_line
from covr.dsl.service.document import Analysis
from covr.dsl.source import Span
from covr.frozen import frozen

WIDEST = 60  # characters of a rule that has no label


@frozen
class Symbol:
    """A part of a model. span: its statement; at: its name in it.

    kind: `title`, `param`, `value`, `function`, `index`, `family`, `rule` (named by its label, or its first words) or
    `promise`.
    """

    name: str
    kind: str
    span: Span
    at: Span


def symbols(analysis: Analysis) -> list[Symbol]:
    """The parts of a model, in source order."""
    found: list[Symbol] = []

    def add(name: str, kind: str, statement: s.Statement, at: Span) -> None:
        found.append(Symbol(name, kind, analysis.span(statement.span), analysis.span(at)))

    for st in analysis.statements:
        match st:
            case s.Title():
                add(st.text.span.text[1:-1], "title", st, st.text.span)
            case s.Param():
                add(st.name.id, "param", st, st.name.span)
            case s.Let():
                add(st.name.id, "value" if st.parameters is None else "function", st, st.name.span)
            case s.Declare():
                for name in bound_by_all(st.generators):
                    add(name.id, "index", st, name.span)
            case s.Choose():
                add(st.name.id, "family", st, st.name.span)
            case s.Rule() | s.Needs() | s.Connected() | s.Loop() | s.Agree() | s.Alike() | s.Prefer():
                label = st.span.one_line if st.label is None else st.label.span.text[1:-1]
                add(one_line(label, WIDEST), "rule", st, st.span)
            case s.Expect():
                add(one_line(st.span.text, WIDEST), "promise", st, st.span)
    return found
