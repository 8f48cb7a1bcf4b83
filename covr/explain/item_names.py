"""What an item is called where several items of one rule are listed: its label, and what distinguishes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from covr.compiler import Compiled


def item_name(compiled: Compiled, item: int) -> str:
    """The item's label. If the label is the same for every item of the rule, the item's keys follow it."""
    from covr.compiler.evaluate.values import show_value
    from covr.compiler.lower.rules import RuleItems

    name = compiled.problem.item_names[item]
    if not compiled.lowered.origins:  # a matrix from a file
        return name
    origin = compiled.lowered.origins[item]
    source = origin.source
    if not isinstance(source, RuleItems) or source.rule.label is None or not source.keys[origin.at]:
        return name
    if not all(isinstance(part, str) for part in source.rule.label.parts):
        return name
    plan = source.key_plan
    keys = [plan.computed[n].span.one_line if n in plan.computed else n for n in plan.names]
    values = zip(keys, source.keys[origin.at], strict=True)
    return f"{name} ({', '.join(f'{key} = {show_value(value)}' for key, value in values)})"
