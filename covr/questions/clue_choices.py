"""Which choices of a model may be the clues of a puzzle, and which of its given choices stay.

A model whose `given` reads a param that nothing else reads, such as the `clue` of a sudoku, says by that which family
its clues are of; other statements of `given` are rules of the puzzle. The choices that such data give are dropped, and
everything else stays. A model with one family needs no such data.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from covr.dsl.syntax import Given, Name, Number, Param
from covr.dsl.walk import walk
from covr.faults import usage_error
from covr.questions.sided import refuse_narrowed

if TYPE_CHECKING:
    from covr.compiler import Compiled


def clue_statements(compiled: Compiled, family: str | None = None) -> list[tuple[Given, frozenset[str]]]:
    """The `given` statements (of one family) that read params which nothing else reads, with these params."""
    params = {d.name.id for d in compiled.model.definitions if isinstance(d, Param)}
    found = []
    for statement in compiled.model.statements:
        if isinstance(statement, Given) and family in (None, statement.family.id):
            names = {node.id for node in walk(statement) if isinstance(node, Name)}
            read = names.union(*(compiled.scope.depends(name) for name in names)) & params
            own = frozenset(name for name in read if compiled.only_givens_use(frozenset([name])))
            if own:
                found.append((statement, own))
    return found


def clue_family(compiled: Compiled) -> str:
    """The family that the model's data give clues of. Raises ModelErrors E515 if that is not clear."""
    named = list(dict.fromkeys(s.family.id for s, _ in clue_statements(compiled)))
    families = named or list(compiled.lowered.families)
    if len(families) == 1:
        return families[0]
    help = f"name one with --clues: {', '.join(f'`{name}`' for name in families)}" if families else ""
    if not named:
        help += rules_of(compiled)
    if named:
        raise usage_error("E515", "the model's data give clues of several families", help=help)
    raise usage_error("E515", "the model doesn't say which family its clues are of", help=help)


def rules_of(compiled: Compiled) -> str:
    """The end of a sentence of help: which params hold no clues, because rules read them. Empty if there are none.
    Numbers, such as the side of a board, are not named, since nobody takes them for clues."""
    params = [d for d in compiled.model.definitions if isinstance(d, Param)]
    names = [d.name.id for d in params if not isinstance(d.value, Number)]
    rules = [name for name in names if not compiled.only_givens_use(frozenset([name]))]
    if not rules:
        return ""
    listed = ", ".join(f"`{name}`" for name in rules)
    return f"; {listed} {'is' if len(rules) == 1 else 'are'} part of the rules here, and no clues of them can be made"


def kept_givens(compiled: Compiled, family: str) -> tuple[int, ...]:
    """The given options that stay: all but those that data for clues of this family give."""
    spans = {id(s.span) for s, _ in clue_statements(compiled, family)}
    options = compiled.lowered.choice_options
    dropped = {options[g.number] for g in compiled.givens if id(g.span) in spans}
    needed = {options[g.number] for g in compiled.givens if id(g.span) not in spans}
    return tuple(o for o in compiled.problem.given if o in needed or o not in dropped)


def refuse_unfit(compiled: Compiled) -> None:
    """Raises ModelErrors E510 for a model of whose answers only some count."""
    refuse_narrowed(
        compiled,
        "a puzzle has one answer, not one best answer among others",
        "the answer of a puzzle is one answer, not a class",
        "the answer of a puzzle is one answer, not several that agree",
    )
