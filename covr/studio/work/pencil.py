"""What somebody has pencilled in while solving by hand: choices that are taken, and choices that are crossed out.

They are options of a question (`taken` and `out`, choices as they are printed). What is taken counts as given; what is
crossed out is excluded by one condition beside the matrix, so that no number of an option or an item changes.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from attrs import evolve

from covr.dsl.source import Source, Span
from covr.engine.sides import Total
from covr.faults import usage_error
from covr.frozen import frozen

if TYPE_CHECKING:
    from covr.compiler import Compiled

NAME = "pencil"  # what messages call the place of what is pencilled in
CROSSED = "what is crossed out"
MOST = 20_000  # marks


@frozen
class Pencil:
    """What is pencilled in, as numbers of options: taken, and out."""

    taken: tuple[int, ...]
    out: tuple[int, ...]


def pencil_of(compiled: Compiled, options: Mapping[str, Any]) -> Pencil:
    """What a question says to be pencilled in. What is no choice any more, since the model has changed, is left out.
    Raises ModelErrors E502 for what is no list of texts."""
    number = {str(name): option for option, name in enumerate(compiled.problem.option_names)}
    taken, out = ({number[x] for x in _names(options, which) if x in number} for which in ("taken", "out"))
    return Pencil(tuple(sorted(taken)), tuple(sorted(out - taken)))


def _names(options: Mapping[str, Any], which: str) -> Sequence[str]:
    found = options.get(which) or []
    if not isinstance(found, list) or len(found) > MOST or not all(isinstance(x, str) for x in found):
        raise usage_error("E502", f"`{which}` is a list of choices")
    return found


def pencilled(compiled: Compiled, pencil: Pencil) -> Compiled:
    """The model with what is pencilled in."""
    if not pencil.taken and not pencil.out:
        return compiled
    compiled.pictures(())  # what is drawn once for all answers is kept, and shared with the copy
    twin = copy.copy(compiled)
    for name in ("impossible", "warnings", "symmetry"):
        twin.__dict__.pop(name, None)
    problem, lowered = compiled.problem, compiled.lowered
    given = tuple(sorted({*problem.given, *pencil.taken}))
    sides = (*problem.sides, *_crossed(pencil.out))
    new = [o for o in pencil.taken if o not in problem.given]
    givens = (*lowered.givens, *_as_givens(compiled, new))
    changed = evolve(lowered, problem=evolve(lowered.problem, given=given, sides=sides), givens=givens)
    vars(twin).update(problem=evolve(problem, given=given, sides=sides), lowered=changed)
    return twin


def _crossed(out: Sequence[int]) -> tuple[Total, ...]:
    return (Total(tuple((o, 1) for o in out), ((0, 0),), CROSSED),) if out else ()


def _as_givens(compiled: Compiled, options: Iterable[int]) -> list[Any]:
    """Given choices that stand in no text of the model."""
    from covr.compiler.lower.marks import GivenChoice

    found = []
    for option in options:
        choice = compiled.choice(option)
        family, name = compiled.lowered.families.get(choice.family), str(choice)
        if family is not None:
            span = Span(Source(NAME, name), 0, len(name))
            found.append(GivenChoice(compiled.lowered.option_choices[option], None, family, choice.args, span))
    return found
