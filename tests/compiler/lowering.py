"""A second, naive lowering: what docs/language.md says of rules, written down literally, for tests to compare with.

It walks the product of all sets and checks every condition on every combination; only evaluation itself is shared
with the compiler.
"""

from __future__ import annotations

from itertools import product
from typing import Any

from covr.compiler.evaluate.scope import Scope
from covr.dsl import parse
from covr.dsl.diagnostics import Source
from covr.dsl.syntax import CheckedModel, Choose, Declare, Expr, Let, Name, Param, Rule


def model_of(text: str) -> CheckedModel:
    """A model from text without names being checked, so that tests may do without `title` and the like."""
    module = parse(Source("test.cover", text))
    definitions = tuple(s for s in module.statements if isinstance(s, Param | Let))
    rest = tuple(s for s in module.statements if not isinstance(s, Param | Let))
    return CheckedModel(module.source, None, definitions, rest)


def scope_of(text: str) -> Scope:
    return Scope(model_of(text).definitions)


def naive_members(
    model: CheckedModel, rule: Rule, item_names: list[str]
) -> dict[tuple[Any, ...], set[tuple[Any, ...]]]:
    """Per key value of a rule over one family the arguments of the choices that belong to it.

    Only for rules whose keys are declared names or names bound by `x in SET`, and families over declared names.
    """
    scope = Scope(model.definitions)
    sets: dict[str, Any] = {}
    for statement in model.statements:
        if isinstance(statement, Declare):
            for generator in statement.generators:
                for pattern in generator.patterns:
                    assert isinstance(pattern, Name)
                    sets[pattern.id] = scope.evaluate(generator.over)
    choose = next(s for s in model.statements if isinstance(s, Choose))
    indices = [n.id for n in choose.indices]
    names = list(dict.fromkeys([*indices, *item_names]))
    found: dict[tuple[Any, ...], set[tuple[Any, ...]]] = {}
    for key in product(*(sets[n] for n in item_names)):
        found[key] = set()
    for values in product(*(sets[n] for n in names)):
        env = dict(zip(names, values, strict=True))
        if rule.where is None or truth(scope, rule.where, env):
            found[tuple(env[n] for n in item_names)].add(tuple(env[n] for n in indices))
    return found


def truth(scope: Scope, expr: Expr, env: dict[str, Any]) -> bool:
    return scope.truth(expr, env)(env)
