"""What is drawn of a model without a `show`, so that two answers never look alike.

A family with cells among its indices is shown at these cells; one that reaches cells through a rule (`exactly one put
per x where x in s`) at the cells that the rule gives it. Written are the values that the place does not tell, or the
initial of the family's name; the whole name where families on one board could be mistaken for each other. Where even
that leaves two answers alike, as with pieces that overlap, the choices are listed, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from math import prod
from operator import itemgetter
from typing import Any, Final

from covr.compiler.display.prints import LARGEST_BOX, Coordinates, Place
from covr.compiler.evaluate.expressions import conjuncts, free_names
from covr.compiler.evaluate.values import show_value
from covr.compiler.lattices import BALLS, STICKS, Lattice
from covr.compiler.lower.families import Family, Lowering, choice_name
from covr.compiler.lower.groups import groups_of
from covr.compiler.lower.keys import plan_keys
from covr.compiler.lower.rules import split_condition
from covr.dsl.syntax import Binary, CheckedModel, Declare, Expr, Generator, Name, Number, Rule, Show, Text
from covr.frozen import evolve, frozen

Env = dict[str, Any]
Marks = Sequence[tuple[Place, str]]

MOST_PIECES: Final = 1 << 14  # choices that cover places, up to which it is looked whether their pictures differ
LONGEST: Final = 12  # characters of a text for which a hexagon with lines round it has room
OPEN, CLOSE = "([{", ")]}"


@frozen
class Default:
    """The `show` that a family gets if the model has none.

    written: the indices whose values are written.  piece: whether its places are those that a rule gives it.
    apart: whether that rule lets no two choices have a place in common.  alone: whether a rule lets no two choices have
    the same text.  named: whether the family's name is written, too.
    """

    show: Show
    family: Family
    written: tuple[str, ...]
    piece: bool = False
    apart: bool = False
    alone: bool = False
    named: bool = False

    def text(self, env: Mapping[str, Any]) -> str:
        """What is written for the choice with these values of its indices."""
        family, shown = self.family, [env[name] for name in self.written]
        at = [family.indices.index(name) for name in self.written]
        forms = [family.forms[i] if family.forms else show_value for i in at]
        if self.named:
            return choice_name(family.name, tuple(shown), forms)
        written = " ".join(form(value) for form, value in zip(forms, shown, strict=True))
        return written if shown else family.name[:1].upper()

    def texts(self) -> dict[tuple[Any, ...], str]:
        """What is written for each combination of the values that are written."""
        values = _projected(self.family, self.written)
        return {some: self.text(dict(zip(self.written, some, strict=True))) for some in values}


def default_show(family: Family, lowering: Lowering) -> Default:
    """What a family shows if the model has no `show`."""
    model = lowering.model
    cells, values = _declared_names(model, "cells"), _declared_names(model, "values")
    span = family.statement.span
    name = family.statement.name
    own = tuple(n for n in family.statement.indices if n.id in cells)
    keys: tuple[Name, ...] = own
    where, style, shown_by_place, apart = None, None, {n.id for n in own}, False
    if not own:
        for rule in model.statements:
            if isinstance(rule, Rule) and any(f.id == family.name for f in rule.families):
                keys = tuple(k for k in rule.keys if isinstance(k, Name) and k.id in cells)
                if keys and len(keys) == len(rule.keys):
                    where, style, apart = _own_condition(rule, family, lowering), "outline", _is_single(rule)
                    shown_by_place = set() if where is None else {i for i in family.indices if i in free_names(where)}
                    break
        else:
            return Default(Show((), name, (), None, None, None, span), family, ())
    beside = [i for i in family.indices if not any(n.id == i for n in own)]
    written = tuple(i for i in beside if i in values)
    if not _tell_all(family, {*shown_by_place, *written}):
        written = tuple(i for i in beside if i in values or i not in shown_by_place)
    shown: tuple[Expr, ...] = tuple(n for n in family.statement.indices if n.id in written)
    show = Show(shown or (Text(family.name[:1].upper(), span),), name, keys, where, None, style, span)
    alone = any(isinstance(rule, Rule) and _sets_apart(rule, family, written) for rule in model.statements)
    return Default(show, family, written, not own, apart, alone)


def _sets_apart(rule: Rule, family: Family, written: Sequence[str]) -> bool:
    """Whether a rule lets no two choices of a family be taken with the same values of these indices."""
    keys = [k.id if isinstance(k, Name) else None for k in rule.keys]
    of_family = any(f.id == family.name for f in rule.families)
    return of_family and rule.where is None and _is_single(rule) and {*keys} <= {*written}


def listed(show: Show) -> Show:
    """The list of all choices of a family that is shown in another way."""
    return evolve(show, values=(), at=(), where=None, style=None)


def _tell_all(family: Family, names: Iterable[str]) -> bool:
    """Whether the values of these indices tell all choices of a family apart."""
    known = [i for i in family.indices if i in names]
    return len(known) == len(family.indices) or len(_projected(family, known)) == len(family.choices)


def _projected(family: Family, names: Sequence[str]) -> dict[tuple[Any, ...], None]:
    """The combinations of the values of these indices, each once, in the order of the choices."""
    at = [family.indices.index(name) for name in names]
    if len(at) < 2:
        return dict.fromkeys([tuple([choice[i] for i in at]) for choice in family.choices])
    return dict.fromkeys(map(itemgetter(*at), family.choices))


def _is_single(rule: Rule) -> bool:
    """Whether a rule lets at most one choice have each of its keys."""
    one = rule.quantity
    single = (isinstance(one, Name) and one.id == "one") or (isinstance(one, Number) and one.value == 1)
    return single and not rule.weights and rule.kind in ("exactly", "at most")


def _own_condition(rule: Rule, family: Family, lowering: Lowering) -> Expr | None:
    """The parts of a rule's condition that speak of this family, joined by `and`; None if there is none."""
    views = {f.id: plan_keys(rule.keys, lowering.families[f.id], lowering.declared) for f in rule.families}
    own = [part for parts in split_condition(rule, views, family.name) for part in parts]
    written = [part for part in conjuncts(rule.where) if part in own]  # in this order one may guard the next
    return reduce(lambda one, other: Binary("and", one, other, one.span), written) if written else None


def _declared_names(model: CheckedModel, kind: str) -> frozenset[str]:
    generators: list[Generator] = []
    for statement in model.statements:
        if isinstance(statement, Declare) and statement.kind == kind:
            generators += statement.generators
    return frozenset(n for g in groups_of(generators) for n in g.names)


def mistakable(together: Sequence[Default]) -> bool:
    """Whether a text on a board may be that of several families."""
    texts = [set(default.texts().values()) for default in together]
    return len(frozenset().union(*texts)) < sum(map(len, texts))


def is_told(
    default: Default,
    together: Sequence[Default],
    board: Coordinates,
    keys: Iterable[tuple[Any, ...]],
    marks: Callable[[Env], Iterable[tuple[Place, str]]],
    parted: bool,
) -> bool:
    """Whether a board tells which choices of a family are taken, whatever the answer is.

    together: all that is drawn on the board.  keys: of the board's places.  marks: what a choice shows there.
    parted: whether the lines on the board are those of regions.
    """
    texts = default.texts()
    every = [text for other in together for text in other.texts().values()]
    if len(set(every)) < len(every) or not all(map(_stands_alone, texts.values())):
        return False
    if board.lattice is STICKS and (len(every) > 1 or default.piece):  # one text is drawn as a line, whatever it is
        return False
    if not default.piece:
        known = list(dict.fromkeys(keys))
        return len({board.place(key) for key in known}) == len(known)
    if len(default.family.choices) > MOST_PIECES or board.lattice is BALLS:
        return False
    shown = [list(marks(env)) for _, env in default.family.environments()]
    if not all(shown):
        return False
    if _marked_alone(shown) and board.lattice is None:
        return True
    if default.alone and len({frozenset(marks) for marks in shown}) == len(shown):
        return True
    return default.apart and len(together) == 1 and not parted and _are_pieces(shown, board.lattice, board.count)


def _stands_alone(text: str) -> bool:
    """Whether a text is not mistaken for two at one place, for none, or for a line."""
    depth = 0
    for character in text:
        depth += (character in OPEN) - (character in CLOSE)
        if depth < 0 or (character in ",|" and not depth):
            return False
    return not depth and text.isprintable() and bool(text) and text == text.strip() and not {*text} <= {*".+-_/\\"}


def _marked_alone(shown: Sequence[Marks]) -> bool:
    """Whether each choice shows something that no other choice shows there."""
    found = Counter(mark for marks in shown for mark in set(marks))
    return all(any(found[mark] == 1 for mark in marks) for marks in shown)


def _are_pieces(shown: Sequence[Marks], lattice: Lattice | None, axes: int) -> bool:
    """Whether the lines round the pieces of choices that do not overlap tell which choices they are."""
    near = _beside if lattice is None else lattice.near
    places = {at for marks in shown for at, _ in marks}
    box = [max(axis) - min(axis) + 1 for axis in zip(*places, strict=True)]
    if axes > 2 or prod(box) > LARGEST_BOX or any(len(text) > LONGEST for marks in shown for _, text in marks):
        return False
    pieces = [(frozenset(at for at, _ in marks), marks[0][1]) for marks in shown]
    return len(set(pieces)) == len(pieces) and all(_hangs_together(places, near) for places, _ in pieces)


def _beside(place: Place) -> list[Place]:
    """The places next to a place of a grid or a strip."""
    return [(*place[:axis], at + step, *place[axis + 1 :]) for axis, at in enumerate(place) for step in (-1, 1)]


def _hangs_together(places: frozenset[Place], near: Callable[[Place], Iterable[Place]]) -> bool:
    """Whether every place of a piece is reached from every other one."""
    found, stack = set(), [next(iter(places))]
    while stack:
        at = stack.pop()
        if at in places and at not in found:
            found.add(at)
            stack += near(at)
    return len(found) == len(places)
