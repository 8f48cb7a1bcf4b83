"""Side conditions: demands on an answer that a matrix of 0 and 1 cannot express.

A `Total` bounds a sum of whole numbers, one for each taken option; a `Connection` demands that the taken options be
connected in a graph; a `Circuit` demands that they form one closed loop. A problem with sides is searched by the engine
`sides` (prepare/sides.py, kernels/sides/_sides.py), for any answers by a SAT solver (outside/sat_sides.py), and by the
oracle (reference.py); for a minimum also by covr's own linear programs (minimum/sided_tree.py) and, if its sides are
all totals, by HiGHS and CP-SAT. Every other engine and helper calls `refuse_sides`, so that none ignores a side.

Where an item is enough, no side should be made: a total whose coefficients are all 1 and whose `sums` are one range is
an item. Options and vertices are numbered from 0. `name` is for messages; it may be empty. It may be given as a
`LateName`: of the 60 000 totals of a large board, messages name hardly any, and to write all of them takes a tenth of
compiling it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain, pairwise
from operator import ge
from typing import TYPE_CHECKING

from attrs import field

from covr.engine.base.extras import Unsuited
from covr.frozen import frozen

if TYPE_CHECKING:
    from covr.engine.problem import Problem

MOST_TOTAL = 2**62  # the absolute values of a total's coefficients add up to less, so that sums fit in 63 bits


class LateName:
    """A name that is written when somebody asks for it, by `str`."""

    __slots__ = ("_name",)

    def __init__(self, name: Callable[[], str]) -> None:
        self._name: str | Callable[[], str] = name

    def __str__(self) -> str:
        if not isinstance(self._name, str):
            self._name = self._name()
        return self._name

    def __repr__(self) -> str:
        return repr(str(self))

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        """For another process it is a text."""
        return str, (str(self),)


@frozen
class Total:
    """The coefficients of the taken options add up to a number in one of the ranges `sums`.

    terms: (option, coefficient), options strictly increasing, coefficients whole and never 0; options that are not
    named count as 0.  sums: closed ranges (low, high), increasing and with a gap between any two; if there are no
    ranges, there is no answer.
    """

    terms: tuple[tuple[int, int], ...]
    sums: tuple[tuple[int, int], ...]
    _name: str | LateName = field(default="", eq=False)

    @property
    def name(self) -> str:
        """What messages call it."""
        return str(self._name)

    @property
    def exact(self) -> int | None:
        """The only sum that it allows; None if it allows several, or none."""
        if len(self.sums) != 1:
            return None
        low, high = self.sums[0]
        return low if low == high else None


@frozen
class Connection:
    """The vertices where taken options stand form one connected piece of the graph, or there are no such vertices.

    places: (option, vertex), in any order: a taken option stands at all of its vertices, and several options may stand
    at one vertex.  edges: (u, v) with u < v, none twice. A vertex without edges is connected to no other.
    """

    places: tuple[tuple[int, int], ...]
    edges: tuple[tuple[int, int], ...]
    _name: str | LateName = field(default="", eq=False)

    @property
    def name(self) -> str:
        """What messages call it."""
        return str(self._name)


@frozen
class Circuit:
    """The taken options among `ends` form exactly one closed loop.

    ends: (option, u, v), options strictly increasing: the option joins the vertices u and v. At least one of them is
    taken, those taken meet each of their vertices exactly twice, and all are connected. An option with u = v is a loop
    by itself; two options with the same two ends form a loop.
    """

    ends: tuple[tuple[int, int, int], ...]
    _name: str | LateName = field(default="", eq=False)

    @property
    def name(self) -> str:
        """What messages call it."""
        return str(self._name)


Side = Total | Connection | Circuit


def only_totals(sides: Sequence[Side]) -> bool:
    """Whether there are no connections and no circuits among the sides, so that a mixed-integer program can hold
    them."""
    return all(isinstance(side, Total) for side in sides)


def refuse_projection(problem: Problem, who: str) -> None:
    """Raises Unsuited if only some options tell answers apart. who: what cannot handle that, as the beginning of a
    sentence."""
    if problem.projection is not None:
        raise Unsuited(f"{who} can't tell answers apart by some of their options; the engines `sides` and `sat` can")


def refuse_sides(problem: Problem, who: str) -> None:
    """Raises Unsuited if a problem has sides, or if only some options tell answers apart. who: what cannot handle them,
    as the beginning of a sentence."""
    refuse_projection(problem, who)
    if problem.sides:
        raise Unsuited(f"{who} can't hold totals, connections and loops; the engine `sides` can")


def validate_sides(sides: Sequence[Side], options: int) -> None:
    """Check everything that the classes promise. options: how many there are. Raises ValueError for the first fault.
    Linear time."""
    graphs: set[int] = set()  # what connections share is looked at once
    for side in sides:
        if isinstance(side, Total):
            _validate_total(side, options)
        elif isinstance(side, Connection):
            _validate_connection(side, options, id(side.edges) in graphs)
            graphs.add(id(side.edges))
        elif isinstance(side, Circuit):
            _validate_circuit(side, options)
        else:
            raise ValueError(f"a problem's sides hold {side!r}, which is no Total, Connection or Circuit")


def _validate_total(total: Total, options: int) -> None:
    _whole(total, total.terms, 2)
    _whole(total, total.sums, 2)
    _options(total, [o for o, _ in total.terms], options)
    counts = [c for _, c in total.terms]
    if 0 in counts:
        raise ValueError(f"{_said(total)} has a coefficient 0")
    if sum(map(abs, counts)) >= MOST_TOTAL:
        raise ValueError(f"the coefficients of {_said(total)} add up to 2^62 or more, signs left out")
    if any(low > high for low, high in total.sums) or any(a[1] + 1 >= b[0] for a, b in pairwise(total.sums)):
        raise ValueError(f"the sums of {_said(total)} are not increasing ranges with gaps between them")


def _validate_connection(connection: Connection, options: int, known: bool) -> None:
    """known: whether its edges are those of another connection that is valid."""
    _whole(connection, connection.places, 2)
    if any(not 0 <= o < options for o, _ in connection.places):
        raise ValueError(f"{_said(connection)} names an option that there is not")
    if any(v < 0 for _, v in connection.places):
        raise ValueError(f"{_said(connection)} names a vertex below 0")
    if known:
        return
    _whole(connection, connection.edges, 2)
    if any(not 0 <= u < v for u, v in connection.edges):
        raise ValueError(f"an edge of {_said(connection)} is no pair of vertices u < v")
    if len(set(connection.edges)) < len(connection.edges):
        raise ValueError(f"{_said(connection)} has an edge twice")


def _validate_circuit(circuit: Circuit, options: int) -> None:
    _whole(circuit, circuit.ends, 3)
    _options(circuit, [o for o, _, _ in circuit.ends], options)
    if any(u < 0 or v < 0 for _, u, v in circuit.ends):
        raise ValueError(f"{_said(circuit)} names a vertex below 0")


def _said(side: Side) -> str:
    """What a message calls a side."""
    kind = "total" if isinstance(side, Total) else "connection" if isinstance(side, Connection) else "circuit"
    return f"the {kind} `{side.name}`" if side.name else f"a {kind}"


def _whole(side: Side, rows: Sequence[tuple[int, ...]], width: int) -> None:
    if set(map(len, rows)) <= {width} and set(map(type, chain.from_iterable(rows))) <= {int}:
        return
    for row in rows:
        if len(row) != width or any(type(number) is not int for number in row):
            raise ValueError(f"{_said(side)} holds {row!r}, which is not {width} whole numbers")


def _options(side: Side, named: Sequence[int], options: int) -> None:
    if any(map(ge, named, named[1:])) or (named and not 0 <= named[0] <= named[-1] < options):
        raise ValueError(f"{_said(side)} does not name increasing options")


def renumbered_sides(sides: Sequence[Side], new: Sequence[int]) -> tuple[Side, ...]:
    """The same sides after option o has got the number new[o]; vertices keep theirs. Linear time, apart from
    sorting."""
    moved: list[Side] = []
    for side in sides:
        if isinstance(side, Total):
            moved.append(Total(tuple(sorted((new[o], c) for o, c in side.terms)), side.sums, side._name))
        elif isinstance(side, Connection):
            moved.append(Connection(tuple((new[o], v) for o, v in side.places), side.edges, side._name))
        else:
            moved.append(Circuit(tuple(sorted((new[o], u, v) for o, u, v in side.ends)), side._name))
    return tuple(moved)


def options_of(side: Side) -> tuple[int, ...]:
    """The options that a side mentions; those of a connection in any order, possibly with repeats."""
    if isinstance(side, Total):
        return tuple(o for o, _ in side.terms)
    return tuple(o for o, *_ in (side.places if isinstance(side, Connection) else side.ends))


def restricted_sides(sides: Sequence[Side], new: Mapping[int, int]) -> tuple[Side, ...]:
    """The sides of a problem from which options that no answer takes were removed: option o now has the number
    new[o]; an option that is not in `new` was removed."""
    kept: list[Side] = []
    for side in sides:
        if isinstance(side, Total):
            terms = tuple(sorted((new[o], c) for o, c in side.terms if o in new))
            kept.append(Total(terms, side.sums, side._name))
        elif isinstance(side, Connection):
            places = tuple((new[o], v) for o, v in side.places if o in new)
            kept.append(Connection(places, side.edges, side._name))
        else:
            ends = tuple(sorted((new[o], u, v) for o, u, v in side.ends if o in new))
            kept.append(Circuit(ends, side._name))
    return tuple(kept)
