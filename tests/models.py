"""Models from texts whose names are not checked, so that tests may do without `title` and the like."""

from __future__ import annotations

import pytest

from covr.compiler import Compiled, CompileLimits, compile_model
from covr.compiler.evaluate.scope import Scope
from covr.dsl import parse
from covr.dsl.diagnostics import Diagnostic, ModelErrors, Source
from covr.dsl.syntax import CheckedModel, Let, Param
from covr.engine import Settings, search


def model_of(text: str) -> CheckedModel:
    """The statements of a text."""
    module = parse(Source("test.cover", text))
    definitions = tuple(s for s in module.statements if isinstance(s, Param | Let))
    rest = tuple(s for s in module.statements if not isinstance(s, Param | Let))
    return CheckedModel(module.source, None, definitions, rest)


def scope_of(text: str) -> Scope:
    """What a text defines."""
    return Scope(model_of(text).definitions)


def compiled(text: str, limits: CompileLimits | None = None, **data: object) -> Compiled:
    """A text with values for its params."""
    return compile_model(model_of(text), data, limits=limits)


def fault(text: str) -> Diagnostic:
    """The only fault of a text."""
    with pytest.raises(ModelErrors) as caught:
        compiled(text)
    (found,) = caught.value.diagnostics
    return found


def answers(text: str) -> list[list[str]]:
    """The names of the choices of each answer, in alphabetical order, by the engine that tries everything."""
    model = compiled(text)
    found = search(model.problem, settings=Settings(engine="reference"))
    return sorted(sorted(map(str, model.choices(answer))) for answer in found)
