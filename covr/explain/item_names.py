"""What an item is called where several items of one rule are listed: its label, and what distinguishes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.compiler.lower.lowered import ItemOrigin


def item_name(compiled: Compiled, item: int) -> str:
    """The item's label. If the label is the same for every item of the rule, the item's keys follow it."""
    name = compiled.problem.item_names[item]
    if not compiled.lowered.origins:  # a matrix from a file
        return name
    return name + own_keys(compiled.lowered.origins[item])


def own_keys(origin: ItemOrigin) -> str:
    """What follows the name of an item or side condition of a rule whose label is the same for all: its keys."""
    key = key_words(origin)
    return f" ({key})" if key else ""


def key_words(origin: ItemOrigin) -> str:
    """The keys of an item or side condition of a rule whose label is the same for all; empty for any other."""
    from covr.compiler.evaluate.values import show_value
    from covr.compiler.lower.rules import RuleItems

    source = origin.source
    if not isinstance(source, RuleItems) or source.rule.label is None or not source.keys[origin.at]:
        return ""
    if not all(isinstance(part, str) for part in source.rule.label.parts):
        return ""
    plan = source.key_plan
    keys = [plan.computed[n].span.one_line if n in plan.computed else n for n in plan.names]
    values = zip(keys, source.keys[origin.at], strict=True)
    return ", ".join(f"{key} = {show_value(value)}" for key, value in values)
