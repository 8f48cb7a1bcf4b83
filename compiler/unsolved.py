"""What to show of a puzzle: its board or, if it has none, its givens in words.

A model that shows only lists has nothing to draw before it is solved, unless its lists show what is given. Then the
given choices are listed by their names; if there are none, one line says so.
"""

from __future__ import annotations

from covr.compiler.compiled import Compiled
from covr.compiler.display.picture import Picture


def unsolved(compiled: Compiled) -> tuple[Picture, ...]:
    """The pictures of the unsolved puzzle without lists that show nothing; never empty."""
    drawn = tuple(p for p in compiled.puzzle() if p.places or p.lines)
    if drawn:
        return drawn
    given = [(str(compiled.choice(option)),) for option in compiled.problem.given]
    return (Picture(0, lines=tuple(given) or ((_none_given(compiled.problem.options),),)),)


def _none_given(choices: int) -> str:
    """The line for a puzzle without givens. choices: how many there are."""
    if choices < 2:
        return "the only choice is not given" if choices else "there are no choices"
    return f"none of the {choices:,} choices is given"
