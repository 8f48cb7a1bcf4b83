"""What comes out of a model, to compare two ways of compiling it."""

from __future__ import annotations

from typing import Any

from covr.compiler import Compiled, CompileLimits, compile_model
from covr.dsl import Source, load_model
from covr.dsl.diagnostics import ModelErrors
from covr.dsl.syntax import CheckedModel


def outcome(model: CheckedModel, limits: CompileLimits | None = None) -> tuple[Any, Compiled | None]:
    """All that can be told of a compiled model, or its faults."""
    try:
        made = compile_model(model, limits=limits)
    except ModelErrors as errors:
        return [(d.code, d.message, d.span and d.span.place, d.help, d.notes) for d in errors.diagnostics], None
    p = made.problem
    rows = [(list(p.option(o)), p.option_names[o]) for o in range(p.options)]
    families = [(f.choices, [f.number(c) for c in f.choices]) for f in made.lowered.families.values()]
    return (p.low, p.high, p.primary, p.colours, p.costs, p.sides, rows, [*p.item_names], families), made


def checked(text: str) -> CheckedModel | None:
    """The model, if its names and its syntax are in order."""
    try:
        return load_model(Source("random", text), lambda path, user: None)
    except ModelErrors:
        return None
