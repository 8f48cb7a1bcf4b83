"""Finds the option of a choice that the user names, such as `place(3, 4, 7)`.

The text is read by the language's parser and evaluated with the model's names. The form in which covr prints a choice
is understood as well, even if it is no expression.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from covr.dsl.diagnostics import Diagnostic, ModelErrors
from covr.frozen import frozen

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.compiler.lower.families import Family
    from covr.dsl.diagnostics import Span
    from covr.dsl.syntax import Expr

NAME = "the choice"  # what messages call the text
MOST_NAMES = 50_000  # how many choices may be searched for a printed name


@frozen
class Asked:
    """A choice that was asked about. name: as covr prints it.  option: its number; None if the statement `removed`
    removes it."""

    name: str
    option: int | None
    removed: Span | None = None


def find_choice(compiled: Compiled, text: str) -> Asked:
    """The choice that `text` names. Raises ModelErrors (E0xx for its syntax, E509) if it names none."""
    found = _printed(compiled, text)
    if found is not None:
        return found
    tree = _parse(text)
    name, args = _head(compiled, tree)
    family = compiled.lowered.families.get(name.id)
    if family is None:
        raise _refusal(f"`{name.id}` is not a family of choices", name.span, name.id, compiled.lowered.families)
    if len(args) != len(family.indices):
        form = f"{family.name}({', '.join(family.indices)})"
        raise ModelErrors([Diagnostic("E509", f"a choice of `{family.name}` is written {form}", tree.span)])
    return _evaluated(compiled, family, args, text, tree)


def _parse(text: str) -> Expr:
    from covr.dsl.diagnostics import Source
    from covr.dsl.parser import Parser, unreadable

    source = Source(NAME, text)
    fault = unreadable(source)
    if fault is not None:
        raise ModelErrors([fault])
    parser = Parser(source)
    tree = parser.hole(text, range(len(text) + 1))
    if parser.faults or tree is None:
        raise ModelErrors(parser.faults or [Diagnostic("E509", "this names no choice")])
    return tree


def _head(compiled: Compiled, tree: Expr) -> tuple[Any, tuple[Any, ...]]:
    from covr.dsl.syntax import Call, Name

    if isinstance(tree, Call):
        return tree.function, tree.args
    if isinstance(tree, Name):
        return tree, ()
    family = next(iter(compiled.lowered.families.values()), None)
    form = f"write it as {family.name}({', '.join(family.indices)})" if family else ""
    raise ModelErrors([Diagnostic("E509", "this names no choice", tree.span, form)])


def _evaluated(compiled: Compiled, family: Family, args: tuple[Any, ...], text: str, tree: Expr) -> Asked:
    from covr.compiler.evaluate import EvalFault
    from covr.compiler.evaluate.values import show_value

    _check_names(compiled, args)
    try:
        values = tuple(compiled.scope.evaluate(arg) for arg in args)
    except EvalFault as fault:
        raise ModelErrors([fault.diagnostic]) from None
    meant = [] if family.number(values) is not None else family.meant(values)
    values = meant[0] if len(meant) == 1 else values
    number = family.number(values)
    name = family.name_of(values)
    if number is not None:
        return _asked(compiled, name, number)
    wrong = [
        f"`{index}` is {show_value(value)}, which no choice of `{family.name}` has"
        for at, (index, value) in enumerate(zip(family.indices, values, strict=True))
        if all(choice[at] != value for choice in family.choices)
    ]
    known = [family.name_of(choice) for choice in family.choices[:MOST_NAMES]]
    raise _refusal(f"there is no choice `{name}`", tree.span, text, known, wrong[:1])


def _check_names(compiled: Compiled, args: tuple[Any, ...]) -> None:
    """Check the names in the arguments, because evaluation relies on that. Raises ModelErrors."""
    from covr.compiler.evaluate.expressions import free_names
    from covr.compiler.evaluate.limits import did_you_mean
    from covr.dsl.scope import operands, walk
    from covr.dsl.syntax import Name

    scope = compiled.scope
    for arg in args:
        loose = free_names(arg)
        for part in walk(arg, operands):
            if isinstance(part, Name) and part.id in loose and not scope.defines(part.id):
                help = did_you_mean(part.id, sorted(scope.global_names))
                raise ModelErrors([Diagnostic("E101", f"`{part.id}` is not defined", part.span, help)])


def _asked(compiled: Compiled, name: str, number: int) -> Asked:
    option = compiled.lowered.choice_options[number]
    return Asked(name, option) if option >= 0 else Asked(name, None, compiled.lowered.dropped[number].span)


def _printed(compiled: Compiled, text: str) -> Asked | None:
    """The choice that covr prints in this way; else the only one that it does apart from spaces, or with each record by
    its first field. None if there is none."""
    from covr.compiler.lower.families import choice_name

    wanted = "".join(text.split())
    if not compiled.lowered.origins and text in compiled.problem.option_names:  # an option of a matrix
        return Asked(text, compiled.problem.option_names.index(text))
    left = MOST_NAMES
    alike: dict[int, str] = {}
    for family in compiled.lowered.families.values():
        if wanted.partition("(")[0] == family.name:
            for at, choice in enumerate(family.choices[:left], family.first):
                name = family.name_of(choice)
                if name == text:
                    return _asked(compiled, name, at)
                if wanted in ("".join(name.split()), "".join(choice_name(family.name, choice).split())):
                    alike[at] = name
        left -= len(family.choices)
        if left <= 0:
            break
    spaced = {at: name for at, name in alike.items() if "".join(name.split()) == wanted} or alike
    if len(spaced) == 1:
        ((at, name),) = spaced.items()
        return _asked(compiled, name, at)
    return None


def _refusal(
    message: str, span: Span | None, word: str, known: Iterable[str], notes: Sequence[str] = ()
) -> ModelErrors:
    from covr.dsl import suggest

    names = list(known)
    close = suggest(word, names)
    help = f"did you mean `{close}`?" if close else f"such as `{names[0]}`" if names else ""
    return ModelErrors([Diagnostic("E509", message, span, help, tuple(notes))])
