"""How values are written where no two of them may look alike, as in the names of choices."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from itertools import chain
from typing import Any

from covr.compiler.evaluate.values.sets import Set
from covr.compiler.evaluate.values.showing import show_exactly, show_value, show_whole
from covr.compiler.lattices.lattice import LatticeCell

Show = Callable[[Any], str]


def clear_form(values: AbstractSet[Any]) -> Show:
    """The shortest of `show_value`, `show_whole` and `show_exactly` in which no two of these values look alike.

    Time linear in what the values hold; only those with text or records in them are written for it.
    """
    if set(map(type, values)) == {str} or of_numbers(values):
        return show_value
    for show in (show_value, show_whole):
        if len({show(value) for value in values}) == len(values):
            return show
    return show_exactly


def of_numbers(values: AbstractSet[Any]) -> bool:
    """Whether these are whole numbers or cells, or tuples and sets of such, to any depth: none of them look alike."""
    leaves = {int, LatticeCell}
    while values:
        kinds = set(map(type, values)) - leaves
        if not all(kind is tuple or issubclass(kind, Set) for kind in kinds):
            return False
        values = set(chain.from_iterable(value for value in values if type(value) not in leaves))
    return True
