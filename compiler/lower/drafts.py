"""Drafts of side conditions: they refer to choices by number, until it is known which choices become options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import field

from covr.compiler.evaluate import Scope
from covr.compiler.lower.rules import RuleItems
from covr.compiler.lower.sums import Wanted, within_reach
from covr.dsl.syntax import Alike, Connected, Loop, Needs
from covr.engine.sides import Circuit, Connection, LateName, Side, Total
from covr.frozen import frozen


@frozen(eq=False)
class StatedItems:
    """The items and side conditions of one `if … then`, `all different`, `all alike`, `connected` or `loop`.

    names: what messages call each of them."""

    statement: Needs | Alike | Connected | Loop
    names: Sequence[str | LateName] = field(repr=False)

    def name(self, at: int, scope: Scope) -> str:
        """The name of the item or condition number `at`."""
        return str(self.names[at])


@frozen(eq=False)
class TotalDraft:
    """A `Total` in the making. source, at: the statement, and which of its items or conditions this is.  terms: for
    each choice its coefficient, which may be 0.  want: the ranges in which the sum may lie."""

    source: RuleItems | StatedItems
    at: int
    terms: Mapping[int, int] = field(repr=False)
    want: Wanted

    def side(self, options: Sequence[int] | None, name: str | LateName) -> Side:
        """The side condition. options: for each choice the number of its option, or -1 if it is none; None if these
        numbers are the same.  name: what messages call the condition."""
        terms = self.terms
        if options is not None:
            terms = {options[c]: w for c, w in terms.items() if w and options[c] >= 0}
        elif 0 in terms.values():
            terms = {c: w for c, w in terms.items() if w}
        return Total(tuple(sorted(terms.items())), within_reach(terms, self.want), name)


@frozen(eq=False)
class ConnectionDraft:
    """A `Connection` in the making. source, at: as in `TotalDraft`.  places: (choice, vertex).  edges: as in
    `Connection`."""

    source: StatedItems
    at: int
    places: Sequence[tuple[int, int]] = field(repr=False)
    edges: Sequence[tuple[int, int]] = field(repr=False)

    def side(self, options: Sequence[int] | None, name: str | LateName) -> Side:
        """As `TotalDraft.side`."""
        places = self.places
        if options is not None:
            places = [(options[c], v) for c, v in places if options[c] >= 0]
        return Connection(tuple(sorted(places)), tuple(self.edges), name)


@frozen(eq=False)
class CircuitDraft:
    """A `Circuit` in the making. source, at: as in `TotalDraft`.  ends: (choice, vertex, vertex)."""

    source: StatedItems
    at: int
    ends: Sequence[tuple[int, int, int]] = field(repr=False)

    def side(self, options: Sequence[int] | None, name: str | LateName) -> Side:
        """As `TotalDraft.side`."""
        ends = self.ends
        if options is not None:
            ends = [(options[c], u, v) for c, u, v in ends if options[c] >= 0]
        return Circuit(tuple(sorted(ends)), name)


SideDraft = TotalDraft | ConnectionDraft | CircuitDraft
