"""What can be said about a compiled model without solving it: every warning, and the faults of what is evaluated only
for an answer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from covr.dsl.diagnostics import Diagnostic, ModelErrors

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.compiler.evaluate.unlike import Notes


def remarks(compiled: Compiled, noted: Notes | None = None) -> list[Diagnostic]:
    """Every warning about a model. Also evaluates what is otherwise evaluated only for an answer, so that its errors
    are found here. noted: what was noted of its comparisons."""
    from covr.compiler.clues import ClueReader, clue_spots
    from covr.compiler.review.review import review

    if compiled.is_matrix:
        return [] if compiled.impossible is None else [compiled.impossible]
    faults: list[Diagnostic] = []
    for part in ("title", "symmetry", "expectations", "drawings"):
        with collecting(faults):
            getattr(compiled, part)
    with collecting(faults):
        compiled.try_drawings()
    with collecting(faults):
        ClueReader(compiled, clue_spots(compiled))
    return sorted(dict.fromkeys(faults), key=Diagnostic.order) or list(review(compiled, noted))


def refuse_nothing(compiled: Compiled) -> None:
    """Raises ModelErrors E523 for a model that has nothing to choose and nothing that is wanted: its only answer would
    be empty, whatever was meant."""
    from covr.dsl.syntax import Choose

    if compiled.is_matrix:
        return
    statements = compiled.model.statements
    first = next((st for st in statements if isinstance(st, Choose)), None)
    if first is None:
        help = "say what may be chosen: `choose f(x) for x in SET`"
        if not statements and not compiled.model.definitions:
            help = "`covr new FILE` writes a model to begin with"
        raise ModelErrors([Diagnostic("E523", f"`{compiled.model.source.name}` has nothing to choose", None, help)])
    lowered = compiled.lowered
    if lowered.own or compiled.problem.items or compiled.problem.sides:
        return
    help = "the sets of its indices are empty, or its condition never holds: is a param too small, or data missing?"
    raise ModelErrors(
        [Diagnostic("E523", "there is nothing to choose here, and no rule wants anything", first.span, help)]
    )


def reasons(compiled: Compiled) -> list[Diagnostic]:
    """What is said beside "no solution" without a search: the item that nothing can satisfy, or else the choices that
    an `if … then` excludes by itself, which may be why."""
    if compiled.impossible is not None:
        return [compiled.impossible]
    return [d for d in compiled.warnings if d.code == "W210"]


@contextmanager
def collecting(faults: list[Diagnostic]) -> Iterator[None]:
    """Adds the faults that are raised inside to `faults`."""
    try:
        yield
    except ModelErrors as errors:
        faults += errors.diagnostics
