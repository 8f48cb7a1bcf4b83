"""Shapes: taken choices whose places are connected or form no ring, and what all shapes have in common.

They are read like rules: there is one shape for each value of the keys after `per`, and the condition says which
choices count. The places of a `connected` and its `per` together are treated as the keys of one rule. Places touch if
their whole numbers differ by 1 in one coordinate and in no other, or if their lattice says so; with `along`, if the set
has the pair, in either order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, product, repeat
from operator import add, itemgetter
from typing import Any

from covr.compiler.evaluate import EvalFault, Scope
from covr.compiler.evaluate.expressions import free_in_template, replace
from covr.compiler.evaluate.limits import CHOICE, met
from covr.compiler.evaluate.values import Map, Seq, Set, abbreviate, kind_of, show_value
from covr.compiler.lattices import SQUARE, Lattice, LatticeCell
from covr.compiler.lower.families import Family, Lowering
from covr.compiler.lower.groups import allow_only, components
from covr.compiler.lower.keys import KeyPlan, head, key_values, plan_keys
from covr.compiler.lower.lowered import ConnectionDraft, StatedItems
from covr.compiler.lower.rules import RuleItems, reached_by, rule_items
from covr.dsl.diagnostics import Diagnostic
from covr.dsl.syntax import Area, AreaRule, Connected, Divide, Expr, Key, Loop, Name, Number, Rule
from covr.engine.problem import Forest
from covr.frozen import evolve

Place = tuple[Any, ...]


def connections(statement: Connected, lowering: Lowering) -> Iterator[ConnectionDraft]:
    """One `Connection`, as a draft, for each value of the keys that has a place. Raises EvalFault.

    Its vertices are the places of the board, by their positions there. Connections over most of the board share its
    edges. Cost: linear in choices, places and values of the keys if all keys are indices; else in places times values
    of the keys.
    """
    families, scope, declared = lowering.of(statement.families), lowering.scope, lowering.declared
    per = plan_keys(statement.keys, families[0], declared)
    board: dict[Place, None] = {}
    for family in families:
        board.update(key_values(plan_keys(statement.at, family, declared), scope))
    touching = Touching(statement, board, scope)
    keys = (*statement.at, *statement.keys)
    plans = [plan_keys(keys, family, declared) for family in families]
    if statement.where is None and all(map(_are_indices, plans, families, repeat(len(statement.at)))):
        values, met = _at_indices(statement, families, lowering, plans)
    else:
        items = rule_items(as_rule(statement, families, keys), families, lowering)
        values, met = _at_keys(items, families, len(plans[0].names) - len(per.names), lowering)
    standing: dict[Place, list[tuple[int, int]]] = {of: [] for of in values}  # choices, and where they stand
    source = StatedItems(statement, tuple(stated_names(statement, per, standing, scope)))
    ranks = touching.ranks
    before: Place | None = None  # choices that follow one another often stand at the very same place: it is not hashed
    rank = 0
    for number, place, of in met:
        if number not in lowering.dropped:
            if place != before:
                before, rank = place, ranks[place]
            standing[of].append((number, rank))
    for at, stands in enumerate(standing.values()):
        vertices = sorted({rank for _, rank in stands})
        yield ConnectionDraft(source, at, stands, touching.edges(vertices, shared=len(standing) > 1))


Met = Iterable[tuple[int, Place, Place]]
"""Choices, by number, each with a place where it stands and the values of the keys after `per`."""


def _are_indices(plan: KeyPlan, family: Family, places: int) -> bool:
    """Whether all keys are indices of the family, and those of the places range apart from those after `per`. places:
    how many keys stand for the places."""
    parts = components([groups for _, groups in plan.parts], plan.local)
    apart = all(part[-1] < places or part[0] >= places for part in parts)
    return apart and set(plan.names) <= {*family.indices} and not (plan.computed or plan.free)


def _at_indices(
    statement: Connected, families: Sequence[Family], lowering: Lowering, plans: Sequence[KeyPlan]
) -> tuple[Iterable[Place], Met]:
    """The values of the keys, and what stands where, if all keys are indices: each choice stands at one place, and no
    place needs to be looked at with every value of the keys."""
    values: dict[Place, None] = {}
    for family in families:
        values.update(key_values(plan_keys(statement.keys, family, lowering.declared), lowering.scope))
        lowering.scope.budget.step(CHOICE * len(family.choices), statement.span)
    width = len(plan_keys(statement.at, families[0], lowering.declared).names)
    met: list[Met] = []
    for family, plan in zip(families, plans, strict=True):
        index = {name: at for at, name in enumerate(family.indices)}
        columns = [[args[index[name]] for args in family.choices] for name in plan.names]
        numbers = range(family.first, family.first + len(family.choices))
        of: Iterable[Place] = zip(*columns[width:], strict=True) if columns[width:] else repeat(())
        met.append(zip(numbers, zip(*columns[:width], strict=True), of, strict=False))
    return values, chain.from_iterable(met)


def _at_keys(
    items: RuleItems, families: Sequence[Family], width: int, lowering: Lowering
) -> tuple[Iterable[Place], Met]:
    """The same as the keys of a rule. width: how many of the keys' names stand for the place."""
    keys = items.keys
    met = (
        (number, keys[at][:width], keys[at][width:])
        for family in families
        for number, reached in reached_by(items, family, lowering.scope)
        for at in reached
    )
    return map(itemgetter(slice(width, None)), keys), met


def shapes_of(word: str, connection: ConnectionDraft) -> list[ConnectionDraft]:
    """What a `connected`, `tree` or `forest` asks for: one piece, no ring, or both."""
    one = [connection] if word not in ("forest", "paths") else []
    return one if word == "connected" else [*one, evolve(connection, kind=Forest)]


# --- names and edges -------------------------------------------------------------------------------------------------


def as_rule(statement: Connected | Loop, families: Sequence[Family], keys: tuple[Expr | Key, ...]) -> Rule:
    """A rule over the same choices with these keys; its quantity is never used."""
    names = tuple(Name(f.name, statement.span) for f in families)
    return Rule("exactly", Number(1, statement.span), names, keys, statement.where, None, span=statement.span)


def stated_names(
    statement: Connected | Loop | AreaRule | Divide, plan: KeyPlan, keys: Mapping[Place, object], scope: Scope
) -> Iterator[str]:
    """The statement's label for each value of the keys; without one, the statement's head and those values."""
    label = statement.label
    text = None
    if label is not None:
        label = replace(label, plan.replacements())
        message = "{name} is no key of this statement, and its label can use keys only"
        allow_only(plan.names, frozenset(plan.local), label, message, "name it after `per`")
        text = plan.within(scope).template(label)
    said = head(statement)
    for key in keys:
        if text is not None and label is not None:
            try:
                yield str(text(dict(zip(plan.names, key, strict=True))))
            except EvalFault as fault:
                raise plan.met(fault, free_in_template(label), key) from None
        else:
            pairs = ", ".join(f"{n} = {show_value(v)}" for n, v in zip(plan.written, key, strict=True))
            yield f"{said} for {pairs}" if pairs else said


class Touching:
    """Which places touch: neighbours on the board, or the pairs of `along`. ranks: per place of the board, its position
    in documented order, from 0."""

    def __init__(self, statement: Connected | Area, board: Mapping[Place, object], scope: Scope) -> None:
        self.statement = statement
        self.ranks = {place: at for at, place in enumerate(board)}
        self._corners = isinstance(statement, Connected) and statement.corners
        self._pairs: list[tuple[Place, Place]] | None = None
        if statement.along is not None:
            self._pairs = self._read(statement.along, scope)
        elif any(not _is_square(place) for place in board):
            place = next(p for p in board if not _is_square(p))
            shown = abbreviate(place[0] if len(place) == 1 else place)
            message = f"{shown} is no place of a board, so that nothing says which places touch"
            span = statement.at[0].span.to(statement.at[-1].span)
            raise EvalFault(Diagnostic("E423", message, span, "name the pairs that touch: `along PAIRS`"))
        elif self._corners and not _lattice(next(iter(board), ())).plain:
            message = (
                f"{abbreviate(next(iter(board))[0])} has no corners that `with corners` speaks of: it is no square"
            )
            raise EvalFault(
                Diagnostic("E423", message, statement.at[0].span, "name the pairs that touch: `along PAIRS`")
            )
        elif len(lattices := sorted({_lattice(place) for place in board})) > 1:
            one, other = lattices[:2]
            message = f"some of these places are of the lattice `{one.name}` and some of `{other.name}`"
            span = statement.at[0].span.to(statement.at[-1].span)
            raise EvalFault(Diagnostic("E423", message, span, "name the pairs that touch: `along PAIRS`"))

    def _read(self, along: Expr, scope: Scope) -> list[tuple[Place, Place]]:
        """The pairs of `along`, as places. They are sorted only if something is wrong, which is then told of the first
        one."""
        members = scope.members(along)({})
        every = members.keys if isinstance(members, Map) else members
        if type(every) is Set:
            found = [known for pair in every.parts if (known := self._known(pair))]
            if len(found) == len(every):
                return found
        return list(self._placed(every, along))

    def _known(self, pair: Any) -> tuple[Place, Place] | None:
        """A set or tuple of two places as these places; None if it is anything else."""
        if type(pair) is not Set and type(pair) is not tuple:
            return None
        ends: list[Any] = [
            (end,) if (end,) in self.ranks else end for end in (pair.parts if type(pair) is Set else pair)
        ]
        known = len(ends) == 2 and all(isinstance(end, tuple) and end in self.ranks for end in ends)
        return (ends[0], ends[1]) if known else None

    def _placed(self, every: Iterable[Any], along: Expr) -> Iterator[tuple[Place, Place]]:
        """The same in order, which tells what is wrong with one of them."""
        for pair in every:
            ends = list(pair) if isinstance(pair, Set | Seq | tuple) else []
            if len(ends) != 2:
                message = f"`along` names pairs of places, and {abbreviate(pair)} is {kind_of(pair)}"
                if ends:
                    message += f" of {len(ends)}"
                raise EvalFault(Diagnostic("E425", message, along.span, "write pairs `(a, b)`, or sets of two"))
            yield self._place(ends[0], along), self._place(ends[1], along)

    def _place(self, end: Any, along: Expr) -> Place:
        """An end in `along` as a place, which is the tuple of the values after `at`, even if there is only one."""
        for place in ((end,), end):
            if isinstance(place, tuple) and place in self.ranks:
                return place
        text = ", ".join(k.span.one_line for k in self.statement.at)
        message = f"{abbreviate(end)} is an end in `along`, and no place of `at {text}`"
        raise met(EvalFault(Diagnostic("E426", message, along.span)), f"the places are {self._some_places()}")

    def _some_places(self) -> str:
        places = [show_value(p[0] if len(p) == 1 else p) for p in list(self.ranks)[:4]]
        return ", ".join(places) + (", …" if len(self.ranks) > 4 else "") if places else "none"

    def edges(self, vertices: Sequence[int], shared: bool) -> tuple[tuple[int, int], ...]:
        """The pairs of vertices that touch, each once, the lower number first, in order. shared: the same tuple, with
        all pairs of the board, for all connections over at least half of its places."""
        if len(vertices) == len(self.ranks) or (shared and 2 * len(vertices) >= len(self.ranks)):
            return self._edges
        own = frozenset(vertices)
        return tuple([(u, v) for u in vertices for v in self._higher.get(u, ()) if v in own])

    @cached_property
    def _edges(self) -> tuple[tuple[int, int], ...]:
        ranks = self.ranks
        if self._pairs is not None:
            pairs = [(ranks[a], ranks[b]) for a, b in self._pairs]
            return tuple(sorted({(min(p), max(p)) for p in pairs if p[0] != p[1]}))
        flat = {_flat(place): v for place, v in ranks.items()}
        lattice = _lattice(next(iter(ranks), ()))
        if not lattice.plain:
            near = {(min(v, flat[n]), max(v, flat[n])) for at, v in flat.items() for n in lattice.near(at) if n in flat}
            return tuple(sorted(near))
        found = []
        steps: dict[int, list[tuple[int, ...]]] = {}  # to half of the places that touch one, by its coordinates
        for size in {*map(len, flat)}:
            every = [s for s in product((-1, 0, 1), repeat=size) if s > (0,) * size]
            steps[size] = [s for s in every if self._corners or sum(map(abs, s)) == 1]
        for place, v in flat.items():
            for step in steps[len(place)]:
                other = flat.get(tuple(map(add, place, step)))
                if other is not None:
                    found.append((min(v, other), max(v, other)))
        return tuple(sorted(found))

    @cached_property
    def _higher(self) -> Mapping[int, Sequence[int]]:
        """Per place, those that touch it and come after it, in order."""
        higher: dict[int, list[int]] = {}
        for u, v in self._edges:
            higher.setdefault(u, []).append(v)
        return higher


def _flat(place: Place) -> tuple[int, ...]:
    return tuple(x for part in place for x in (part if isinstance(part, tuple) else (part,)))


def _lattice(place: Place) -> Lattice:
    """The lattice of a place; squares stand for all places that are whole numbers and their tuples."""
    return place[0].lattice if len(place) == 1 and type(place[0]) is LatticeCell else SQUARE


def _is_square(place: Place) -> bool:
    """Whether a place is one that a board can have: one to three whole numbers, or one cell of a lattice."""
    if len(place) > 1 and any(type(part) is LatticeCell for part in place):
        return False
    flat = _flat(place)
    return 1 <= len(flat) <= 3 and all(type(x) is int for x in flat)


__all__ = ["Place", "Touching", "as_rule", "connections", "shapes_of", "stated_names"]
