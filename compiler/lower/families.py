"""Families of choices: index names, their sets, and every choice in documented order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from itertools import chain, islice, product, repeat
from typing import TYPE_CHECKING, Any

from attrs import field

from covr.compiler.evaluate import EvalFault, Scope
from covr.compiler.evaluate.expressions import conjuncts
from covr.compiler.evaluate.limits import FEW_HASHES, USED_UP, Budget
from covr.compiler.evaluate.values import Map, Record, Seq, Set, Value, show_exactly, show_value
from covr.compiler.evaluate.values.showing import Show, clear_form, of_numbers
from covr.compiler.lower.groups import Group, closure, declared_groups, groups_of
from covr.compiler.lower.query import Args, IndexValues, WalkQuery
from covr.compiler.lower.walk import Walk
from covr.dsl.diagnostics import Diagnostic, ModelErrors, Span
from covr.dsl.syntax import Agree, CheckedModel, Choose, Comprehension, Expr, Forbid, Given, Name, Statement
from covr.frozen import frozen

if TYPE_CHECKING:
    from covr.compiler.lower.lowered import Lowered

# --- comprehensions --------------------------------------------------------------------------------------------------
# Sets, lists and maps made by `for` at once in loops of Python source (loops.py), where they need no local names.
# Closures do it where there are few members, and where anything may fault.
#
# Conditions are tested as soon as their names have values, not always in the order in which they are written. What may
# fault is written only where that is the same, because otherwise faults were lost.


def items_of(expr: Comprehension, scope: Scope) -> list[Any] | None:
    """What the `for` of a comprehension comes to, binding by binding, with repeats; pairs for a map. None if the
    closures must do it."""
    groups = groups_of(expr.generators)
    names = [name for g in groups for name in g.names]
    if len(set(names)) < len(names):
        return None
    ordered = expr.kind != "set"
    query = WalkQuery(scope, groups, conjuncts(expr.where), (expr.item,), ordered=ordered, in_turn=True)
    found = query.at_once(scope.budget.left()[1])
    if found is None:
        return None
    items: list[Any]
    (items,) = found.rows
    scope.budget.count_values(len(items))
    return items


# --- choices ---------------------------------------------------------------------------------------------------------
# All choices of a family at once: where nothing can fault, as a product of sets, or by loops of Python source.
# Otherwise `choices_of` returns None, and the choices are found one by one.


@frozen
class Choices:
    """The arguments of each choice in documented order, and the position of each."""

    args: tuple[Args, ...]
    numbers: Mapping[Args, int]


class Positions(Mapping[Args, int]):
    """The position of each of some choices, which are all different. Made when it is first asked for."""

    def __init__(self, choices: tuple[Args, ...]) -> None:
        self._choices = choices

    @cached_property
    def _table(self) -> dict[Args, int]:
        return dict(zip(self._choices, range(len(self._choices)), strict=True))

    def __getitem__(self, args: Args) -> int:
        return self._table[args]

    def __iter__(self) -> Iterator[Args]:
        return iter(self._choices)

    def __len__(self) -> int:
        return len(self._choices)


class ProductPositions(Mapping[Args, int]):
    """The same for all combinations of members of some sets: it needs a table for each set only."""

    def __init__(self, choices: tuple[Args, ...], sets: Sequence[Sequence[Any]]) -> None:
        self._choices, self._sets = choices, sets

    @cached_property
    def _tables(self) -> list[dict[Any, int]]:
        return [dict(zip(members, range(len(members)), strict=True)) for members in self._sets]

    def distinct(self, indices: Sequence[int]) -> tuple[list[Any], list[int]]:
        """The combinations of some indices, increasing, and which of them each choice has. A combination of a single
        index is a value, and no tuple."""
        sets = [self._sets[at] for at in indices]
        which = [0]
        for at, members in enumerate(self._sets):
            size = len(members)
            if at in indices:
                which = list(chain.from_iterable([range(size * w, size * w + size) for w in which]))
            else:
                which = list(chain.from_iterable([repeat(w, size) for w in which]))
        return list(sets[0]) if len(sets) == 1 else list(product(*sets)), which

    def __getitem__(self, args: Args) -> int:
        if len(args) != len(self._sets):
            raise KeyError(args)
        at = 0
        for value, table in zip(args, self._tables, strict=True):
            at = at * len(table) + table[value]
        return at

    def __iter__(self) -> Iterator[Args]:
        return iter(self._choices)

    def __len__(self) -> int:
        return len(self._choices)


def choices_of(
    scope: Scope, groups: Sequence[Group], conditions: Sequence[Expr], indices: tuple[Name, ...], most: int
) -> Choices | None:
    """The choices with these indices that a walk over the groups finds. most: choices; None is also returned if there
    are more."""
    found = WalkQuery(scope, groups, conditions, indices, ordered=True).at_once(most) if indices else None
    if found is None:
        return None
    (listed,) = found.rows
    listed = zip(listed) if len(indices) == 1 else listed
    if found.loops is None:
        args = tuple(listed)
        return Choices(args, ProductPositions(args, found.sets))
    names = {name for g in groups for name in g.names}
    plain = found.loops.no_repeats() and names <= {index.id for index in indices}
    args = tuple(listed if plain else dict.fromkeys(listed))
    return Choices(args, Positions(args))


# --- meant choices ---------------------------------------------------------------------------------------------------
# Which choice is meant where a record is named by what is printed of it.
#
# The name of a choice has a record by its first field, `pick(ann)`, or whole, `pick((ann, 2))`. As there are no
# literals for records, a `given` may write the first field, or a tuple of all fields, in place of a record.


MOST = 1000  # combinations of values that one given may stand for before it counts as ambiguous


class MeantChoices:
    """The choices of a family, by what is printed of the records in them. Time and space: once, linear in the number of
    different values with records in them."""

    def __init__(self, choices: Sequence[Args], numbers: Mapping[Args, int]) -> None:
        """choices: all of a family.  numbers: the place of each among them."""
        self._choices, self._numbers = choices, numbers
        self._read = [
            _readings(dict.fromkeys([args[at] for args in choices])) for at in range(len(choices[0]) if choices else 0)
        ]

    def of(self, args: Args) -> list[Args]:
        """The choices that may be meant by such arguments, which are those of no choice; two are enough to see that it
        is not clear which."""
        if len(args) != len(self._read) or not any(self._read):
            return []
        each = [read.get(arg, [arg]) for read, arg in zip(self._read, args, strict=True)]
        return [*islice((c for c in islice(product(*each), MOST) if c in self._numbers), 2)]


def _readings(values: Mapping[Value, None]) -> dict[Value, list[Value]]:
    """The values that hold records, by how each may be written."""
    found: dict[Value, list[Value]] = {}
    if of_numbers(values.keys()):
        return found
    for value in values:
        for write in (_first, _items):
            written = _without_records(value, write)
            if written != value and value not in found.setdefault(written, []):
                found[written].append(value)
    return found


def _first(record: Record) -> Value:
    return record.items[0] if record.items else ()


def _items(record: Record) -> Value:
    return tuple(record.items)


def _without_records(value: Any, write: Callable[[Record], Value]) -> Any:
    """The value with each record in it replaced by what is written for it."""
    if isinstance(value, Record):
        return _without_records(write(value), write)
    if type(value) is tuple:
        return tuple([_without_records(v, write) for v in value])
    if isinstance(value, Seq):
        return Seq([_without_records(v, write) for v in value.items])
    if type(value) is Set:
        return Set([_without_records(v, write) for v in value])
    if isinstance(value, Map):
        return Map({_without_records(k, write): _without_records(v, write) for k, v in value.entries.items()})
    return value


# --- families --------------------------------------------------------------------------------------------------------
# Families of choices: `choose place(r, c, d)` and every choice in it, in documented order.
#
# Documented order: the index sets nested as their names appear in `choose` (the first slowest), each set in its own
# order, then the statement's own `for`, left to right. A choice that comes up twice keeps its first place.


@frozen(eq=False, slots=False)
class Family:
    """A family with all its choices. Choices are numbered from 0 over all families, in documented order.

    - choices: the arguments of every choice, in order; numbers: the position of each in `choices`
    - index_groups: the group of each index name; the statement's own `for` goes before `cells` and `values`
    - walked: the groups that a walk over the declared choices binds, in order
    - first: the number of this family's first choice
    """

    name: str
    statement: Choose = field(repr=False)
    indices: tuple[str, ...]
    index_groups: Mapping[str, Group] = field(repr=False)
    walked: tuple[Group, ...] = field(repr=False)
    first: int
    choices: tuple[Args, ...] = field(repr=False)
    numbers: Mapping[Args, int] = field(repr=False)

    def environments(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Every choice's number over all families, with its indices as local names."""
        for at, args in enumerate(self.choices, self.first):
            yield at, dict(zip(self.indices, args, strict=True))

    @cached_property
    def positions(self) -> dict[Args, int]:
        """The number, over all families, of the choice with these arguments."""
        return dict(zip(self.choices, range(self.first, self.first + len(self.choices)), strict=True))

    @cached_property
    def values(self) -> IndexValues:
        """The values of its indices, for all statements."""
        of_product = self.numbers.distinct if isinstance(self.numbers, ProductPositions) else None
        return IndexValues(self.indices, self.choices, of_product)

    @cached_property
    def forms(self) -> tuple[Show, ...]:
        """How the value of each index is written in names, so that choices have different names: shortly where that is
        enough, records whole where not, and exactly where even that is not. Empty where all are written shortly."""
        shows = [clear_form({choice[at] for choice in self.choices}) for at in range(len(self.indices))]
        if len(shows) > 1 and self._commas(shows):
            names = {choice_name(self.name, choice, shows) for choice in self.choices}
            if len(names) < len(self.choices):
                return (show_exactly,) * len(shows)
        return () if all(show is show_value for show in shows) else tuple(shows)

    def _commas(self, shows: Sequence[Show]) -> bool:
        """Whether a value may look like two."""
        return any(
            isinstance(value, str | Record) and "," in show(value)
            for at, show in enumerate(shows)
            for value in {choice[at] for choice in self.choices}
        )

    def name_of(self, args: Args) -> str:
        """The name of a choice, which no other of this family has. args: of a choice, or of what is none."""
        return choice_name(self.name, args, self.forms)

    def number(self, args: Args) -> int | None:
        """The number, over all families, of the choice with these arguments; None if there is no such choice."""
        at = self.numbers.get(args)
        return None if at is None else self.first + at

    def meant(self, args: Args) -> list[Args]:
        """The choices that these arguments, which are those of no choice, may mean: records as names print them."""
        return self._meant.of(args)

    @cached_property
    def _meant(self) -> MeantChoices:
        return MeantChoices(self.choices, self.numbers)


@frozen
class OwnChoices:
    """Choices of covr's own, which tell how far wishes are broken (goals.py). They come after those of families."""

    name: str
    first: int
    choices: range


def choice_name(family: str, args: Args, forms: Sequence[Show] = ()) -> str:
    """`place(1, 2, 3)`; a choice without indices is its bare name. forms: how the value of each index is written, where
    that is not `show_value`."""
    if not forms:
        return f"{family}({', '.join(show_value(a) for a in args)})" if args else family
    return f"{family}({', '.join(show(a) for show, a in zip(forms, args, strict=True))})"


def of_choice(family: Family, number: int) -> str:
    """A note that names the choice of that number."""
    return f"for the choice {family.name_of(family.choices[number - family.first])}"


def enumerate_family(statement: Choose, lowering: Lowering) -> None:
    """Add every choice that a `choose` statement declares. Cost: linear in the bindings that the `where` leaves. Raises
    EvalFault."""
    scope, first = lowering.scope, lowering.choices
    own = groups_of(statement.generators)
    names = dict(lowering.declared)
    for g in own:
        names.update(dict.fromkeys(g.names, g))
    indices = tuple(n.id for n in statement.indices)
    wanted = [names[i] for i in indices if names[i] not in own]
    walked = closure([*wanted, *own], names)
    limit = scope.budget.limits.options - first
    found = choices_of(scope, walked, conjuncts(statement.where), statement.indices, limit)
    if found is None:
        found = _one_by_one(statement, scope, walked, indices, limit)
    else:
        scope.budget.apart(found.args)
    kept = {i: names[i] for i in indices}
    for g in walked:
        for name in g.names:
            kept.setdefault(name, g)
    family = Family(statement.name.id, statement, indices, kept, tuple(walked), first, found.args, found.numbers)
    lowering.families[family.name] = family
    lowering.choices += len(family.choices)


def _one_by_one(
    statement: Choose, scope: Scope, groups: Sequence[Group], indices: tuple[str, ...], limit: int
) -> Choices:
    """The choices as a walk finds them. limit: how many there may be."""
    numbers: dict[Args, int] = {}
    next_look = FEW_HASHES  # how many there are when it is next asked what it costs to tell them apart
    for env in Walk(scope, groups, conjuncts(statement.where), frozenset())({}):
        args = tuple([env[i] for i in indices])
        if args not in numbers:
            numbers[args] = len(numbers)
            if len(numbers) == next_look:
                scope.budget.apart(tuple(numbers), doubled=True)
                next_look *= 2
            if len(numbers) > limit:
                raise EvalFault(
                    Diagnostic(
                        "E420",
                        f"`{statement.name.id}` has more than {scope.budget.limits.options:,} choices",
                        statement.span,
                        help="narrow the sets of its indices, or add a `where`",
                    )
                )
    return Choices(tuple(numbers), numbers)


# --- lowering --------------------------------------------------------------------------------------------------------
# What statements are lowered with: the model, its data, and what the statements before have made.


class FaultCollector:
    """Collects the faults of independent statements, so that one run reports them all. budget: learns which statement
    is being compiled."""

    def __init__(self, budget: Budget | None = None) -> None:
        self.found: list[Diagnostic] = []
        self._budget = budget
        self._span: Span | None = None

    def of(self, statement: Statement) -> FaultCollector:
        """Use as `with faults.of(statement)`: a fault without a place of its own is shown at the statement."""
        self._span = statement.span
        if self._budget is not None:
            self._budget.begin(statement.span)
        return self

    def __enter__(self) -> FaultCollector:
        return self

    def __exit__(self, _type: object, fault: BaseException | None, _trace: object) -> bool:
        if isinstance(fault, EvalFault):
            placed = fault if self._span is None else fault.placed(self._span)
            self.found.append(placed.diagnostic)
            if placed.diagnostic.code in USED_UP:
                self.raise_if_any()
            return True
        return False

    def raise_if_any(self) -> None:
        """Raise ModelErrors with the faults found, if there are any, in source order and without repeats."""
        if self.found:
            from covr.dsl.advice import mended  # only a model with a fault needs it

            raise ModelErrors(sorted(map(mended, dict.fromkeys(self.found)), key=Diagnostic.order))

    @staticmethod
    @contextmanager
    def raising() -> Iterator[None]:
        """Turns an EvalFault that is raised inside into ModelErrors, which callers of the compiler expect."""
        try:
            yield
        except EvalFault as fault:
            from covr.dsl.advice import mended

            raise ModelErrors([mended(fault.diagnostic)]) from None


class Lowering:
    """What each statement of a model is lowered with.

    - model, scope: the model, and a scope in which its data is bound
    - declared: the group of each name that `cells` and `values` declare
    - families: by name, in source order
    - choices: how many there are so far, covr's own included
    - dropped: the choices that do not become options, each with the statement that removes it
    - faults: those found so far
    - divided: by the family of its walls, the ground of each `divide` that was read (areas.py)
    """

    def __init__(self, model: CheckedModel, scope: Scope, lowered: Lowered | None = None) -> None:
        """lowered: what the model was lowered to before, for what is looked up in that."""
        self.model, self.scope = model, scope
        self.declared = declared_groups(model) if lowered is None else lowered.declared
        self.families = {} if lowered is None else dict(lowered.families)
        self.choices = 0
        self.dropped: dict[int, Forbid | Agree | Given] = {}
        self.faults = FaultCollector(scope.budget)
        self.divided: dict[str, Any] = {}

    def of(self, names: Iterable[Name]) -> list[Family]:
        """The families of these names, each once."""
        return [self.families[name] for name in dict.fromkeys(name.id for name in names)]
