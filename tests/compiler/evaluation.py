"""Short ways to evaluate text in tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from covr.compiler.evaluate import CompileLimits, EvalFault, Scope, bind
from covr.compiler.evaluate.values import Value, show_value
from covr.dsl import parse
from covr.dsl.diagnostics import Diagnostic, ModelErrors, Source
from covr.dsl.syntax import Assert, CheckedModel, Let, Param


def model(text: str, path: Path | None = None) -> CheckedModel:
    """A model of definitions and asserts, its names not checked."""
    source = Source("m.cover", text, str(path) if path else "")
    statements = parse(source).statements
    definitions = tuple(s for s in statements if isinstance(s, Param | Let))
    return CheckedModel(source, None, definitions, tuple(s for s in statements if isinstance(s, Assert)))


def scope(text: str, overrides: dict[str, object] | None = None, limits: CompileLimits | None = None) -> Scope:
    return bind(model(text), overrides, limits=limits)


def value(expression: str, limits: CompileLimits | None = None) -> Value:
    return scope(f"let it = {expression}", limits=limits).value("it")


def shown(expression: str) -> str:
    return show_value(value(expression))


def faults(run: Callable[[], object]) -> list[Diagnostic]:
    """The faults that something ends with."""
    try:
        run()
    except ModelErrors as errors:
        return list(errors.diagnostics)
    except EvalFault as fault:
        return [fault.diagnostic]
    return []


def told(run: Callable[[], object]) -> list[str]:
    """The faults as `E201 at "what is underlined": message`."""
    return [f'{d.code} at "{d.span.text}": {d.message}' if d.span else f"{d.code}: {d.message}" for d in faults(run)]
