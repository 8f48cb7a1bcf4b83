"""The keys of `per`: which items a rule has, and to which of them each choice belongs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, product, zip_longest
from typing import Any, Final, TypeAlias

from attrs import field

from covr.compiler.evaluate import EvalFault, Scope
from covr.compiler.evaluate.expressions import free_names, pattern_names
from covr.compiler.evaluate.limits import IN_SOURCE, met_for
from covr.compiler.evaluate.values import in_documented_order
from covr.compiler.lower.families import Family
from covr.compiler.lower.groups import Group, Within, closure, components, group
from covr.compiler.lower.query import WalkQuery
from covr.compiler.lower.walk import Walk
from covr.dsl import syntax as syn
from covr.engine.base.limits import check_limits
from covr.frozen import evolve, frozen

# --- default names ---------------------------------------------------------------------------------------------------
# What a statement without a label calls its items, and what is added where another statement would say the same.
#
# A default name is short: `exactly one place for r = 1`. Where two statements would give the same, each name goes on
# with what tells them apart: the condition, else the sets of its keys, else its other clauses, else several of these,
# else the number of the line.


NamedStatement = syn.Rule | syn.AreaRule | syn.Divide | syn.Agree | syn.Alike | syn.Needs | syn.Connected | syn.Loop


def head(statement: NamedStatement) -> str:
    """The part of a default name before the values of its keys, without what tells it from other statements."""
    if isinstance(statement, syn.Rule):
        families = " or ".join(f.id for f in statement.families)
        if statement.weights:
            pairs = zip(statement.weights, statement.families, strict=True)
            families = "total " + " or ".join(f"{weight.span.one_line} of {f.id}" for weight, f in pairs)
        return f"{statement.kind} {statement.quantity.span.one_line} {families}"
    if isinstance(statement, syn.AreaRule) and isinstance(statement.area, syn.Stretch):
        return statement.span.to(statement.area.family.span).one_line
    if isinstance(statement, syn.AreaRule):
        word = "by" if statement.of_areas.divided else "of"
        return f"{head(statement.rule)} per area {word} {' or '.join(f.id for f in statement.area.families)}"
    if isinstance(statement, syn.Divide):
        return f"divide {statement.places.span.one_line} by {statement.family.id}"
    if isinstance(statement, syn.Agree):
        return f"agree {', '.join(dict.fromkeys(part.family.id for part in statement.shown))}"
    if isinstance(statement, syn.Needs):
        return statement.span.to(statement.then[-1].span).one_line
    if isinstance(statement, syn.Loop):
        return f"{statement.word} {statement.family.id}"
    if isinstance(statement, syn.Alike):
        things = statement.things[0].span.to(statement.things[-1].span).one_line
        return f"all {'different' if statement.different else 'alike'} {things} of {statement.family.id}"
    return f"{statement.word} {' or '.join(f.id for f in statement.families)}"


def additions(statements: Iterable[syn.Statement]) -> Mapping[int, str]:
    """For statements whose default names would be those of another: what is added to each name, by the `id` of the
    statement. Statements with the same text have the same names. Quadratic only in how many have the same head."""
    alike: dict[tuple[str, ...], dict[str, list[NamedStatement]]] = {}
    for s in statements:
        if isinstance(s, NamedStatement) and s.label is None:
            alike.setdefault((head(s), *_key_names(s)), {}).setdefault(s.span.text, []).append(s)
    found: dict[int, str] = {}
    for texts in alike.values():
        if len(texts) > 1:
            for same, added in zip(texts.values(), _told_apart([same[0] for same in texts.values()]), strict=True):
                found.update(dict.fromkeys(map(id, same), added))
    return found


def _told_apart(statements: Sequence[NamedStatement]) -> list[str]:
    """The shortest additions that differ; with the numbers of lines where none do."""
    for size in range(1, len(_PARTS) + 1):
        for parts in combinations(_PARTS, size):
            added = ["".join(part(s) for part in sorted(parts, key=_SAID.index)) for s in statements]
            if len(set(added)) == len(added):
                return added
    return [f"{text} (line {s.span.place[0]})" for text, s in zip(added, statements, strict=True)]


def _condition(statement: NamedStatement) -> str:
    return "" if statement.where is None else f" where {statement.where.span.one_line}"


def _sets(statement: NamedStatement) -> str:
    """The sets that names of this statement alone range over."""
    if isinstance(statement, syn.Needs | syn.Agree):
        generators = statement.generators
        return f", {generators[0].span.to(generators[-1].span).one_line}" if generators else ""
    own = [key.span.one_line for key in statement.keys if isinstance(key, syn.Key)]
    return f", {', '.join(own)}" if own else ""


def _clauses(statement: NamedStatement) -> str:
    """What else it says that is not in its head."""
    if isinstance(statement, syn.Agree):
        return f" ({statement.shown[0].span.to(statement.shown[-1].span).one_line})"
    if isinstance(statement, syn.Loop | syn.Divide):
        return f" along {statement.ends.span.one_line}"
    if isinstance(statement, syn.AreaRule):
        area = statement.area
        first = area.family if isinstance(area, syn.Stretch) else area.at[0]
        said = first.span.to(area.span).one_line
        return said.removeprefix(area.family.id) if isinstance(area, syn.Stretch) else f" at {said}"
    if isinstance(statement, syn.Alike):
        return f" on {statement.seen[0].span.to(statement.seen[-1].span).one_line}" if statement.seen else ""
    if not isinstance(statement, syn.Connected):
        return ""
    at = f" at {statement.at[0].span.to(statement.at[-1].span).one_line}"
    return at if statement.along is None else f"{at} along {statement.along.span.one_line}"


_Part = Callable[[NamedStatement], str]
_PARTS: Final[tuple[_Part, ...]] = (_condition, _sets, _clauses)  # in the order in which they are tried
_SAID: Final[tuple[_Part, ...]] = (_clauses, _sets, _condition)  # in the order in which they are written


def _key_names(statement: NamedStatement) -> Sequence[str]:
    """The names before the values in a default name."""
    if isinstance(statement, syn.Needs | syn.Agree):
        return ()
    return [name for key in statement.keys for name in _written(key)]


def _written(key: syn.Expr | syn.Key) -> tuple[str, ...]:
    if isinstance(key, syn.Key):
        return pattern_names(key.pattern)
    return (key.id,) if isinstance(key, syn.Name) else (key.span.one_line,)


# --- keys ------------------------------------------------------------------------------------------------------------
# The keys of `per`: which items a rule has, and to which of them a choice belongs.
#
# Four forms (docs/language.md, "What a rule means"): an index or declared name; `x in SET`; `x in EXPR` over the
# choice's indices; any other expression. All are treated as one: a key is a function of some *groups* of index names,
# and the items of a rule are the tuples of key values over all bindings of these groups *as declared*, before `where`,
# `forbid` or `given` removes a choice. Keys that share a group, or whose sets depend on each other, range together; all
# others independently.
#
# A computed key is given a private name, which replaces the same expression in the rule's condition, quantity and
# label. So `per region[r, c] where region[r, c] != "A"` narrows the items.


Env = dict[str, Any]


@frozen(eq=False)
class KeyPlan:
    """The keys of a rule, as seen by one family.

    - names: the key's local names, in order: an index, the names of `x in …`, or a private name for a computed key
    - exprs: what each of them stands for: the name itself, or the computed key
    - computed: private name → the expression it stands for
    - free: groups that a choice does not determine; the condition says to which of their values a choice belongs
    - local: every index name that has a meaning for this family in this rule, with its group
    - known: the names that have a value when memberships of a choice are worked out
    - parts: for each key as written, its names and the groups that it depends on
    """

    names: tuple[str, ...]
    exprs: tuple[syn.Expr, ...] = field(repr=False)
    computed: Mapping[str, syn.Expr] = field(repr=False)
    free: tuple[Group, ...] = field(repr=False)
    local: Mapping[str, Group] = field(repr=False)
    known: frozenset[str] = field(repr=False)
    parts: tuple[tuple[tuple[str, ...], tuple[Group, ...]], ...] = field(repr=False)

    def within(self, scope: Scope) -> Within:
        """The scope as this rule's expressions see it."""
        return Within(scope, self.known | frozenset(self.local))

    @property
    def written(self) -> tuple[str, ...]:
        """The keys as the model writes them."""
        return tuple(self.computed[n].span.one_line if n in self.computed else n for n in self.names)

    def met(self, fault: EvalFault, used: Collection[str], key: tuple[Any, ...]) -> EvalFault:
        """The fault of an expression that uses these names, with the values that they have in `key`."""
        kept = [written for name, written in zip(self.names, self.written, strict=True) if name in used]
        return met_for(fault, kept, dict(zip(self.written, key, strict=True)))

    def of(self, names: Iterable[str]) -> tuple[syn.Expr, ...]:
        """What some key names stand for."""
        return tuple([self.exprs[self.names.index(name)] for name in names])

    def replacements(self) -> dict[syn.Expr, syn.Expr]:
        """For each computed expression, the local name that stands for it."""
        return {e: syn.Name(n, e.span) for n, e in self.computed.items()}


def plan_keys(keys: Sequence[syn.Expr | syn.Key], family: Family, declared: Mapping[str, Group]) -> KeyPlan:
    """Work out what the keys of a rule mean for one family."""
    local = {**declared, **family.index_groups}
    names: list[str] = []
    exprs: list[syn.Expr] = []
    computed: dict[str, syn.Expr] = {}
    free: list[Group] = []
    parts: list[tuple[tuple[str, ...], tuple[Group, ...]]] = []
    for at, key in enumerate(keys):
        if not isinstance(key, syn.Key):
            exprs.append(key)
        if isinstance(key, syn.Key):
            own = group(key.pattern, key.over)
            local.update(dict.fromkeys(own.names, own))
            names += own.names
            exprs += [syn.Name(name, key.span) for name in own.names]
            free.append(own)
            parts.append((own.names, (own,)))
        elif isinstance(key, syn.Name) and key.id in local:
            names.append(key.id)
            parts.append(((key.id,), (local[key.id],)))
            if key.id not in family.indices:
                free.append(local[key.id])
        else:
            private = f"key {at + 1}"
            names.append(private)
            computed[private] = key
            used = [local[n] for n in sorted(free_names(key)) if n in local]
            parts.append(((private,), tuple(dict.fromkeys(used))))
            free += [local[n] for n in sorted(free_names(key)) if n in local and n not in family.indices]
    bound = frozenset(n for g in closure(free, local) for n in g.names)
    known = frozenset(names) | frozenset(family.indices) | bound
    return KeyPlan(tuple(names), tuple(exprs), computed, tuple(dict.fromkeys(free)), local, known, tuple(parts))


def key_values(plan: KeyPlan, scope: Scope) -> dict[tuple[Any, ...], None]:
    """Every tuple of key values, in documented order: the items of the rule, before its condition is applied."""
    found = _key_values(plan, scope, ordered=True)
    many = len(found) > IN_SOURCE
    if many:
        check_limits()
    scope.budget.apart(found)
    values = dict.fromkeys(found)
    if many:
        check_limits()
    return values


def key_values_as_met(plan: KeyPlan, scope: Scope) -> list[tuple[Any, ...]]:
    """The same, in the order in which the declared sets and lists are visited."""
    return list(_key_values(plan, scope, ordered=False))


def _key_values(plan: KeyPlan, scope: Scope, ordered: bool) -> Sequence[Any]:
    """Every tuple of key values. ordered: whether they are to come in documented order. Cost: the product of the sizes
    of the components (keys that range together), and for each component a walk over its groups."""
    tables: list[tuple[list[int], Sequence[Any]]] = []  # the positions of some keys, and their values as tuples
    slots = _slots(plan)
    for members in components([groups for _, groups in plan.parts], plan.local):
        wanted = [g for m in members for g in plan.parts[m][1]]
        at = [slot for m in members for slot in slots[m]]
        found = _component(plan, [plan.names[i] for i in at], wanted, scope)
        tables.append((at, in_documented_order(found) if ordered else found))
    total = 1
    for _, table in tables:
        total *= len(table)
    scope.budget.count_values(total)
    order = [at for positions, _ in tables for at in positions]
    back = [order.index(i) for i in range(len(order))]
    if len(tables) == 1 and back == list(range(len(back))):
        return tables[0][1]
    if all(len(positions) == 1 for positions, _ in tables):
        keys: list[tuple[Any, ...]] = list(product(*(chain.from_iterable(table) for _, table in tables)))
    elif len(tables) == 2:
        (_, ones), (_, others) = tables
        keys = [one + other for one in ones for other in others]
    else:
        keys = [tuple(chain.from_iterable(parts)) for parts in product(*(table for _, table in tables))]
    if back == list(range(len(back))):
        return keys  # what is made of sorted tables is sorted
    keys = [tuple([key[i] for i in back]) for key in keys]
    return in_documented_order(keys) if ordered else keys


def _slots(plan: KeyPlan) -> list[range]:
    """For each key as written, where its names stand in `plan.names`."""
    slots, at = [], 0
    for names, _ in plan.parts:
        slots.append(range(at, at + len(names)))
        at += len(names)
    return slots


def _component(plan: KeyPlan, names: Sequence[str], wanted: Sequence[Group], scope: Scope) -> Sequence[tuple[Any, ...]]:
    """The distinct values of keys that range together."""
    groups = closure(wanted, plan.local)
    found = WalkQuery(scope, groups, (), plan.of(names), ordered=True, once=True).at_once()
    if found is None:
        return _one_by_one(plan, names, groups, scope)
    (values,) = found.rows
    return list(zip(values)) if len(names) == 1 else list(values)


def _one_by_one(plan: KeyPlan, names: Sequence[str], groups: Sequence[Group], scope: Scope) -> list[tuple[Any, ...]]:
    getters = [key_getter(plan, name, scope) for name in names]
    found: dict[tuple[Any, ...], None] = {}
    computed = any(n in plan.computed for n in names)
    for env in Walk(scope, groups, (), frozenset())({}):
        try:
            found[tuple([get(env) for get in getters])] = None
        except EvalFault:
            # For a combination of indices that no choice has, the key need not make sense. If a choice has it, the
            # fault is raised again, with the choice named, when memberships are worked out.
            if not computed:
                raise
    return list(found)


def key_getter(plan: KeyPlan, name: str, scope: Scope) -> Callable[[Env], Any]:
    """How to get a key's value from the environment of a choice."""
    if name in plan.computed:
        expr = plan.computed[name]
        run = plan.within(scope).compile(expr)
        return _one_key(run, expr) if isinstance(expr, syn.Binary) and expr.op in ("and", "or") else run
    return lambda env: env[name]


def _one_key(run: Callable[[Env], Any], expr: syn.Binary) -> Callable[[Env], Any]:
    """A key `r and c`, whose fault says how several keys are written."""

    def key(env: Env) -> Any:
        try:
            return run(env)
        except EvalFault as fault:
            if fault.diagnostic.code != "E202":
                raise
            commas = expr.span.one_line.replace(" and ", ", ").replace(" or ", ", ")
            help = f"write `{commas}`: keys are separated by commas, not by `{expr.op}`"
            raise EvalFault(evolve(fault.diagnostic, span=expr.span, help=help)) from None

    return key


# --- memberships -----------------------------------------------------------------------------------------------------
# To which items of a rule each choice of a family belongs, for all choices at once.


Columns: TypeAlias = "list[tuple[Sequence[int], Sequence[int] | None]]"
"""For all choices an item each, or -1, and the colours of these items, None if they have none; as often as needed."""

MOST_PADDED: Final = 2
"""Times as many items as there are, if places without an item count, are written side by side."""


@frozen
class FamilyRows:
    """For each choice of a family, in order, the items of a block that it belongs to.

    - rows: items, increasing; which: for each choice the row that is its own; None if that is the row of its number
    - colours: for each row the colours of its items, 0 for none; None if no item has any
    """

    rows: Sequence[Sequence[int]] = field(repr=False)
    which: Sequence[int] | None = field(repr=False)
    colours: Sequence[Sequence[int]] | None = field(default=None, repr=False)

    def _each(self, rows: Sequence[Sequence[int]]) -> Sequence[Sequence[int]]:
        return rows if self.which is None else list(map(rows.__getitem__, self.which))

    def numbered(self, first: int) -> Iterator[tuple[int, Sequence[int]]]:
        """Each choice's number over all families with its items. first: the number of the family's first choice."""
        return enumerate(self._each(self.rows), first)

    def entries(self, left_out: Iterable[int] = ()) -> int:
        """How many items all choices reach together, without those that are left out, counted from 0 in the family."""
        sizes = list(map(len, self.rows))
        each = sizes if self.which is None else list(map(sizes.__getitem__, self.which))
        return sum(each) - sum([each[choice] for choice in left_out])

    def side_by_side(self, numbering: Sequence[int]) -> Columns | None:
        """The first item of each choice, then the second of each, and so on, with -1 where there is none, by their
        numbers in the matrix; None if choices have very different numbers of items. numbering: as in `columns`."""
        widest = max(map(len, self.rows), default=0)
        if widest * len(self.rows) > MOST_PADDED * sum(map(len, self.rows)):
            return None
        number = [*numbering, -1].__getitem__
        made: Columns = []
        shades = zip_longest(*self.colours or (), fillvalue=0)
        for items in zip_longest(*self.rows, fillvalue=-1):
            own = self._of_choices(next(shades)) if self.colours else None
            made.append((self._of_choices(list(map(number, items))), own))
        return made

    def _of_choices(self, of_rows: Sequence[int]) -> Sequence[int]:
        return of_rows if self.which is None else list(map(of_rows.__getitem__, self.which))

    def columns(self, numbering: Sequence[int]) -> Sequence[Sequence[int]]:
        """The items of each choice by their numbers in the matrix. numbering: for each item of the block its number, or
        -1 for one that is left out. The numbers of a choice increase if those of the block do."""
        if isinstance(numbering, range) and numbering.start == 0:
            return self._each(self.rows)
        if -1 in numbering:
            return self._each([[n for n in map(numbering.__getitem__, row) if n >= 0] for row in self.rows])
        return self._each([list(map(numbering.__getitem__, row)) for row in self.rows])

    def coloured(self, numbering: Sequence[int], base: int) -> Sequence[Sequence[int]]:
        """The same with colours: each entry is the item's number times `base`, plus its colour."""
        colours = self.colours or [[0] * len(row) for row in self.rows]
        return self._each([
            [numbering[at] * base + colour for at, colour in zip(row, own, strict=True) if numbering[at] >= 0]
            for row, own in zip(self.rows, colours, strict=True)
        ])  # fmt: skip


@frozen
class SingleItems:
    """The same for choices that each belong to one item at most, as in most rules. item: for each choice its item, or
    -1."""

    item: Sequence[int] = field(repr=False)
    colours: None = field(default=None, init=False, repr=False)

    def numbered(self, first: int) -> Iterator[tuple[int, Sequence[int]]]:
        """As `FamilyRows.numbered`."""
        return ((number, (at,) if at >= 0 else ()) for number, at in enumerate(self.item, first))

    def entries(self, left_out: Iterable[int] = ()) -> int:
        """As `FamilyRows.entries`."""
        return len(self.item) - self.item.count(-1) - sum([self.item[choice] >= 0 for choice in left_out])

    def side_by_side(self, numbering: Sequence[int]) -> Columns:
        """As `FamilyRows.side_by_side`."""
        if isinstance(numbering, range) and numbering.start == 0:
            return [(self.item, None)]
        return [(list(map([*numbering, -1].__getitem__, self.item)), None)]

    def columns(self, numbering: Sequence[int]) -> Sequence[Sequence[int]]:
        """As `FamilyRows.columns`."""
        rows = [(number,) if number >= 0 else () for number in (*numbering, -1)]
        return list(map(rows.__getitem__, self.item))

    def coloured(self, numbering: Sequence[int], base: int) -> Sequence[Sequence[int]]:
        """As `FamilyRows.coloured`."""
        rows = [(number * base,) if number >= 0 else () for number in (*numbering, -1)]
        return list(map(rows.__getitem__, self.item))


WholeRows = FamilyRows | SingleItems
