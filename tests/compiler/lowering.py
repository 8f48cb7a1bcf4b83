"""A second, naive lowering: what docs/language.md says of rules, written down literally, for tests to compare with.

It walks the product of all sets and checks every condition on every combination; only evaluation itself is shared
with the compiler.
"""

from __future__ import annotations

from itertools import product
from typing import Any

from covr.compiler.evaluate.scope import Scope
from covr.dsl.syntax import CheckedModel, Choose, Declare, Expr, Name, Rule


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
