"""Keys that do not depend on the choices of their rule: every choice counts for each of their values.

`exactly one rook per r`, where a rook has no `r` and no condition says which rook belongs to which `r`, asks for the
same thing once for each `r`. It means something, but nobody means it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from covr.compiler.evaluate.names import free_names
from covr.compiler.evaluate.rewrite import conjuncts, replace
from covr.compiler.lower.families import Family
from covr.compiler.lower.groups import Group, closure
from covr.compiler.lower.keys import KeyPlan, plan_keys
from covr.dsl.diagnostics import Diagnostic
from covr.dsl.syntax import Expr, Key, Rule


def loose_keys(rule: Rule, families: Sequence[Family], declared: Mapping[str, Group]) -> Iterator[Diagnostic]:
    """A warning (W212) for each key of a rule on which no choice of any of its families depends."""
    plans = [(family, plan_keys(rule.keys, family, declared)) for family in families]
    for at, key in enumerate(rule.keys):
        if any(_depends(at, rule, family, plan) for family, plan in plans):
            continue
        names = " or ".join(f"`{family.name}`" for family in families)
        text = key.span.one_line
        bound = key.pattern.span.one_line if isinstance(key, Key) else text
        indices = ", ".join(f"`{n}`" for n in dict.fromkeys(n for family in families for n in family.indices))
        yield Diagnostic(
            "W212",
            f"no choice of {names} depends on this key: each counts for every value of `{bound}`",
            key.span,
            f"which choices belong to it? say `where …`, with {bound} and {indices}"
            if indices
            else "can it be left out?",
        )


def _depends(at: int, rule: Rule, family: Family, plan: KeyPlan) -> bool:
    """Whether it depends on the choice to which values of key number `at` it belongs, or what it counts there."""
    indices = frozenset(family.indices)
    names, groups = plan.parts[at]
    reached = frozenset(n for g in closure(groups, plan.local) for n in (*g.names, *g.uses)) | frozenset(names)
    if reached & indices:
        return True
    links = [_names(part, plan) for part in conjuncts(rule.where)]
    links += [frozenset((*g.names, *g.uses)) for g in plan.free]
    links += [_names(w, plan) for w, f in zip(rule.weights, rule.families, strict=False) if f.id == family.name]
    while True:
        more = reached.union(*(link for link in links if link & reached))
        if more & indices:
            return True
        if more == reached:
            return False
        reached = more


def _names(part: Expr, plan: KeyPlan) -> frozenset[str]:
    """The index names of a part of the condition, or of a weight; computed keys in it are taken by their own names."""
    return free_names(replace(part, plan.replacements())) & (plan.known | plan.local.keys())
