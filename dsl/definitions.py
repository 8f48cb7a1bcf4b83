"""The `param` and `let` statements of a model and its libraries: each name once, in an order for evaluating them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from covr.dsl import syntax as s
from covr.dsl.diagnostics import Diagnostic
from covr.dsl.scope import CONSTANTS, Definition, KnownNames, is_function


def merge(modules: Sequence[s.Module], faults: list[Diagnostic]) -> dict[str, Definition]:
    """Every definition by name, libraries first, as they are written. modules: the model is the last. A `param` of the
    model takes the place of a library's param; any other second definition is a fault."""
    found: dict[str, Definition] = {}
    for module in modules:
        for statement in module.statements:
            if not isinstance(statement, s.Param | s.Let):
                continue
            name = statement.name
            first = found.get(name.id)
            if name.id in CONSTANTS:
                message = f"`{name.id}` always means {CONSTANTS[name.id]}"
                faults.append(Diagnostic("E112", message, name.span, "choose another name"))
            elif first is None or replaces(statement, first, module is modules[-1]):
                found[name.id] = statement
            else:
                faults.append(twice(name, first.name))
    return found


def replaces(second: Definition, first: Definition, in_model: bool) -> bool:
    """Whether a param of the model replaces a param of the same name from a library."""
    elsewhere = first.span.source.whole is not second.span.source.whole
    return in_model and elsewhere and isinstance(first, s.Param) and isinstance(second, s.Param)


def twice(second: s.Name, first: s.Name) -> Diagnostic:
    """The fault that a name is defined twice. first: the earlier definition's name."""
    line, _ = first.span.place
    elsewhere = first.span.source.whole is not second.span.source.whole
    where = f"{first.span.source.name}:{line}" if elsewhere else f"on line {line}"
    return Diagnostic(
        "E104", f"`{second.id}` is defined twice", second.span, notes=(f"the first definition is {where}",)
    )


def check_definitions(
    modules: Sequence[s.Module],
    definitions: Mapping[str, Definition],
    check: Callable[[Definition, dict[str, Definition], set[str]], None],
) -> dict[str, set[str]]:
    """Check the names in every definition. Returns for each the names of the definitions that it uses. A definition may
    only use earlier ones, of its own file and of libraries; but a function may call functions that are defined later.
    definitions: by name. check: checks one, given those that come later, and adds those that it uses to a set."""
    uses: dict[str, set[str]] = {}
    for module in modules:
        own = [d for d in module.statements if isinstance(d, s.Param | s.Let)]
        later = {d.name.id: d for d in reversed(own) if definitions.get(d.name.id) is d}
        for definition in own:
            used: set[str] = set()
            if definitions.get(definition.name.id) is definition:
                later.pop(definition.name.id)
            check(definition, later, used)
            if definitions.get(definition.name.id) is definition:
                uses[definition.name.id] = used
    return uses


def check_definition(definition: Definition, scope: KnownNames) -> None:
    """Check the names in a definition."""
    if isinstance(definition, s.Param):
        scope.check(definition.value)
        scope.with_local([definition.name]).check(definition.where)
    elif definition.parameters is None:
        scope.check(definition.value)
    else:
        scope.distinct(definition.parameters, set())
        scope.with_local(definition.parameters).of_function().check(definition.value)


def order(
    definitions: Mapping[str, Definition], uses: Mapping[str, set[str]], faults: list[Diagnostic]
) -> tuple[Definition, ...]:
    """The definitions, each after those that it uses, otherwise as written. Functions may call each other in circles. A
    constant that depends on itself is a fault. Time O(uses · log); no recursion."""
    placed: dict[str, Definition] = {}
    rank = {name: at for at, name in enumerate(definitions)}
    for root in definitions:
        path: dict[str, None] = {}
        todo: list[tuple[str, bool]] = [(root, False)]
        while todo:
            name, done = todo.pop()
            if done:
                del path[name]
                placed[name] = definitions[name]
            elif name in path:
                circle = list(path)[list(path).index(name) :]
                if not all(is_function(definitions[n]) for n in circle):
                    faults.append(circular(circle, definitions))
            elif name not in placed:
                path[name] = None
                todo.append((name, True))
                used = [n for n in uses.get(name, ()) if n in rank]
                todo += [(n, False) for n in sorted(used, key=rank.__getitem__, reverse=True)]
    return tuple(placed.values())


def circular(circle: list[str], definitions: Mapping[str, Definition]) -> Diagnostic:
    """The fault that definitions depend on each other in a circle."""
    from covr.dsl.advice import LET_IN  # only a model with a fault needs it

    first = next(n for n in circle if not is_function(definitions[n]))
    at = circle.index(first)
    chain = " → ".join([*circle[at:], *circle[:at], first])
    value = definitions[first].value
    help = LET_IN if isinstance(value, s.Compare) and value.rest[0][0] == "in" else ""
    return Diagnostic("E109", f"`{first}` is defined by itself", definitions[first].name.span, help, (chain,))
