"""Warnings that need no data: what a model defines and never uses, and what it should say and does not.

A name counts as used if it is mentioned anywhere outside its own definition, whatever it means there. So an unused name
may be taken for a used one, but never the other way round. A file that only defines things is a library, whose
definitions are for other files.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from covr.dsl import syntax as s
from covr.dsl.comments import allowances
from covr.dsl.diagnostics import Diagnostic
from covr.dsl.names import bound_by
from covr.dsl.source import Source
from covr.dsl.walk import attributes, walk


def unused(
    statements: Sequence[s.Statement],
    mentioned: Callable[[s.Statement], Counter[str]] | None = None,
    uses: Counter[str] | None = None,
) -> Iterator[Diagnostic]:
    """W101, W102 and W105 for the statements of a model's own file. Time O(size of the tree).

    mentioned: the mentions in a statement, and uses: those in all statements together, from whoever keeps them.
    """
    mentioned = mentioned or mentions
    if not any(isinstance(st, s.Choose) for st in statements):
        others = [st for st in statements if not isinstance(st, LIBRARY)]
        if not statements:
            yield Diagnostic("W105", "this model is empty", None, "`covr new FILE` writes a model to begin with")
            return
        if not others:
            return
        yield Diagnostic(
            "W105",
            "this model has nothing to choose, so its only answer is empty",
            others[0].span,
            "say what may be chosen: `choose f(x) for x in SET`",
        )
    if uses is None:
        uses = Counter()
        for st in statements:
            uses.update(mentioned(st))
    for st in statements:
        match st:
            case s.Param() | s.Let():
                yield from _definition(st, uses, mentioned(st))
            case s.Declare():
                yield from _indices(st, uses)
            case s.Choose():
                yield from _generators(st)
    yield from _families(statements)


def unpromised(source: Source, statements: Sequence[s.Statement]) -> list[Diagnostic]:
    """W103, unless a comment allows it, for a model without `expect`. Only `covr test` says so: while a model is being
    written nobody knows yet what it could promise."""
    last = next((st for st in reversed(statements) if isinstance(st, s.Choose)), None)
    if last is None or any(isinstance(st, s.Expect) for st in statements):
        return []
    help = "say what is known of its answers: `expect unique`, `expect N solutions` or `expect minimum N`"
    found = Diagnostic("W103", "this model promises nothing, so there is nothing to test", last.span, help)
    allowed, _ = allowances(source, statements)
    return [] if any(allowance.covers(found) for allowance in allowed) else [found]


def _definition(definition: s.Param | s.Let, uses: Counter[str], own: Counter[str]) -> Iterator[Diagnostic]:
    name = definition.name
    if uses[name.id] <= own[name.id]:
        what = "param" if isinstance(definition, s.Param) else "name"
        if isinstance(definition, s.Let) and definition.parameters is not None:
            what = "function"
        yield Diagnostic("W101", f"the {what} `{name.id}` is never used", name.span, "remove it")
    if isinstance(definition, s.Let) and definition.parameters is not None:
        for parameter in definition.parameters:
            if not own[parameter.id]:
                message = f"`{name.id}` never uses its `{parameter.id}`"
                yield Diagnostic("W101", message, parameter.span, "remove it, here and in every call")


def _indices(declare: s.Declare, uses: Counter[str]) -> Iterator[Diagnostic]:
    """A warning for declared indices that are never used. Of names that are bound together, one use is enough."""
    for pattern in (p for g in declare.generators for p in g.patterns):
        names = list(bound_by(pattern))
        if not any(uses[name.id] for name in names):
            listed = " and ".join(f"`{name.id}`" for name in names)
            verb = "is" if len(names) == 1 else "are"
            yield Diagnostic("W101", f"the ind{'ex' if len(names) == 1 else 'ices'} {listed} {verb} never used",
                             pattern.span, "remove it" if len(names) == 1 else "remove them")  # fmt: skip


def _generators(choose: s.Choose) -> Iterator[Diagnostic]:
    """A warning for a name after `for` that is not an index and is used nowhere else: it only repeats the choices."""
    used = {n.id for n in choose.indices} | set(mentions([g.over for g in choose.generators]))
    used |= set(mentions([choose.where]))
    for pattern in (p for g in choose.generators for p in g.patterns):
        names = list(bound_by(pattern))
        if names and not any(n.id in used for n in names):
            message = f"`{names[0].id}` is not an index of `{choose.name.id}` and is never used"
            yield Diagnostic("W101", message, pattern.span, "remove it")


def _families(statements: Sequence[s.Statement]) -> Iterator[Diagnostic]:
    """A warning for each family that no rule, `given` or `forbid` mentions."""
    goal = any(isinstance(statement, s.Optimize) for statement in statements)
    asked: set[str] = set()
    for statement in statements:
        st: object = statement.rule if isinstance(statement, s.Prefer) else statement
        if isinstance(st, s.Given | s.Forbid):
            asked.add(st.family.id)
        elif isinstance(st, s.Rule | s.Connected):
            asked |= {f.id for f in st.families}
        elif isinstance(st, s.Needs):
            asked |= {c.family.id for c in (*st.before, *st.after)}
        elif isinstance(st, s.Agree):
            asked |= {shown.family.id for shown in st.shown}
        elif isinstance(st, s.Loop | s.Alike):
            asked.add(st.family.id)
    for choose in statements:
        if isinstance(choose, s.Choose) and choose.name.id not in asked:
            yield Diagnostic(
                "W102",
                f"no rule mentions `{choose.name.id}`" + ("" if goal else ": any of its choices may be taken or left"),
                choose.name.span,
                f"is one missing, such as `exactly one {choose.name.id} per …`?",
            )


def mentions(nodes: object) -> Counter[str]:
    """How often every name is mentioned as a value, an index or a function; the places that bind it do not count."""
    return Counter(node.id for node in walk(nodes, _used_in) if isinstance(node, s.Name))


def _used_in(node: object) -> Iterable[object]:
    """The parts of a node in which names are used, and not bound or set."""
    if isinstance(node, s.Expect):
        return (node.value, *(value for _, value in node.settings))
    bound = BOUND.get(type(node), ())
    return [getattr(node, name) for name in attributes(type(node)) if name not in bound]


LIBRARY = (s.Title, s.Use, s.Param, s.Let, s.Assert)  # what a library consists of
BOUND: dict[type, tuple[str, ...]] = {
    s.Param: ("name",),
    s.Let: ("name", "parameters"),
    s.Generator: ("patterns",),
    s.Key: ("pattern",),
    s.SymmetryMap: ("parameters",),
}

__all__ = ["mentions", "unused"]
