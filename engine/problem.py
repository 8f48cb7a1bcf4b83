"""The sparse 0/1 matrix that every engine searches, and its side conditions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, pairwise, repeat
from operator import ge

from attrs import field

from covr.engine.base.alone import Unsuited
from covr.engine.base.limits import whole, with_limit_checks
from covr.frozen import evolve, frozen

# --- sides -----------------------------------------------------------------------------------------------------------
# Side conditions: demands on an answer that a matrix of 0 and 1 cannot express.
#
# A `Total` bounds a sum of whole numbers, one for each taken option; a `Connection` demands that the taken options be
# connected in a graph, a `Forest` that they form no ring there, a `Circuit` that they form one closed loop; `Areas` are
# the connected pieces of what is taken, for each of which a sum is bounded. A problem with sides is searched by the
# engine `sides` (prepare/sides.py, kernels/sides/_sides.py), by clingo (outside/clingo.py), and by the oracle
# (reference.py); for a minimum also by covr's own linear programs (minimum/sided_tree.py) and, if its sides are all
# totals, by HiGHS and CP-SAT. Every other engine and helper calls `refuse_sides`, so that none ignores a side.
#
# Where an item is enough, no side should be made: a total whose coefficients are all 1 and whose `sums` are one range
# is an item. Options and vertices are numbered from 0. `name` is for messages; it may be empty. It may be given as a
# `LateName`: of the 60 000 totals of a large board, messages name hardly any, and to write all of them takes a tenth of
# compiling it.


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


class Named:
    """What messages call a side by."""

    __slots__ = ()
    _name: str | LateName

    @property
    def name(self) -> str:
        """What messages call it."""
        return str(self._name)


@frozen
class Total(Named):
    """The coefficients of the taken options add up to a number in one of the ranges `sums`.

    terms: (option, coefficient), options strictly increasing, coefficients whole and never 0; options that are not
    named count as 0.  sums: closed ranges (low, high), increasing and with a gap between any two; if there are no
    ranges, there is no answer.
    """

    terms: tuple[tuple[int, int], ...]
    sums: tuple[tuple[int, int], ...]
    _name: str | LateName = field(default="", eq=False)

    @property
    def exact(self) -> int | None:
        """The only sum that it allows; None if it allows several, or none."""
        if len(self.sums) != 1:
            return None
        low, high = self.sums[0]
        return low if low == high else None


@frozen
class Connection(Named):
    """The vertices where taken options stand form one connected piece of the graph, or there are no such vertices.

    places: (option, vertex), in any order: a taken option stands at all of its vertices, and several options may stand
    at one vertex.  edges: (u, v) with u < v, none twice. A vertex without edges is connected to no other.
    """

    places: tuple[tuple[int, int], ...]
    edges: tuple[tuple[int, int], ...]
    _name: str | LateName = field(default="", eq=False)


@frozen
class Forest(Named):
    """The vertices where taken options stand, with the edges between them, form no ring.

    places, edges: as in `Connection`.
    """

    places: tuple[tuple[int, int], ...]
    edges: tuple[tuple[int, int], ...]
    _name: str | LateName = field(default="", eq=False)


@frozen
class Circuit(Named):
    """The taken options among `ends` form exactly one closed loop.

    ends: (option, u, v), options strictly increasing: the option joins the vertices u and v. At least one of them is
    taken, those taken meet each of their vertices exactly twice, and all are connected. An option with u = v is a loop
    by itself; two options with the same two ends form a loop.
    """

    ends: tuple[tuple[int, int, int], ...]
    _name: str | LateName = field(default="", eq=False)


@frozen
class AreaDemand:
    """The weights in an area add up to a number in one of the ranges `sums`.

    terms: (option, vertex, weight), strictly increasing, weights never 0: a taken option adds its weight to the sum of
    the area that holds the vertex, and nothing where the vertex is met by no option.  sums: as those of a `Total`.
    anchors: None if the demand is for each area by itself. Else vertices, increasing, and it is for all areas together
    that hold one of them; if none of them is met, the sum is 0.  waived: whether a demand with anchors is dropped where
    none of them is met.
    """

    terms: tuple[tuple[int, int, int], ...]
    sums: tuple[tuple[int, int], ...]
    anchors: tuple[int, ...] | None = None
    waived: bool = False


@frozen
class Areas(Named):
    """The areas of what is taken meet every demand, and no wall lies within an area.

    A vertex is met if it is one of `always`, or if a taken option stands there. An edge is open if both its vertices
    are met and no taken option cuts it; the areas are the connected pieces of the met vertices under open edges.
    A taken option that cuts an edge has different areas on its two sides, unless one of these is not met.

    places, edges: as in `Connection`.  always: vertices, increasing.  cuts: (option, u, v) with (u, v) one of the
    edges, in any order.
    """

    places: tuple[tuple[int, int], ...]
    edges: tuple[tuple[int, int], ...]
    demands: tuple[AreaDemand, ...]
    always: tuple[int, ...] = ()
    cuts: tuple[tuple[int, int, int], ...] = ()
    _name: str | LateName = field(default="", eq=False)

    def with_options(self, new: Mapping[int, int]) -> Areas:
        """The same areas after option o has got the number new[o]; options that are not in `new` are removed."""
        return evolve(
            self,
            places=tuple((new[o], v) for o, v in self.places if o in new),
            demands=tuple(
                evolve(one, terms=tuple(sorted((new[o], v, w) for o, v, w in one.terms if o in new)))
                for one in self.demands
            ),
            cuts=tuple((new[o], u, v) for o, u, v in self.cuts if o in new),
        )


Side = Total | Connection | Forest | Circuit | Areas


def word_for(side: Side) -> str:
    """What a user calls its kind."""
    other = {Circuit: "loop", Areas: "area rule"}
    return other.get(type(side), type(side).__name__.lower())


def gathered(sides: Sequence[Side]) -> list[Side]:
    """The same sides. Areas of the same places, edges and walls are one with the demands of all, and come last."""
    kept: list[Side] = [side for side in sides if not isinstance(side, Areas)]
    alike: dict[tuple[object, ...], list[Areas]] = {}
    for side in with_limit_checks([side for side in sides if isinstance(side, Areas)], 16):
        alike.setdefault((side.places, id(side.edges), side.always, side.cuts), []).append(side)
    for same in alike.values():
        every = tuple([demand for one in same for demand in one.demands])
        kept.append(same[0] if len(same) == 1 else evolve(same[0], demands=every))
    return kept


def only_totals(sides: Sequence[Side]) -> bool:
    """Whether all sides are totals, so that a mixed-integer program can hold them."""
    return all(isinstance(side, Total) for side in sides)


def with_areas(sides: Sequence[Side]) -> bool:
    """Whether there are areas among the sides."""
    return any(isinstance(side, Areas) for side in sides)


def refuse_projection(problem: Problem, who: str) -> None:
    """Raises Unsuited if only some options tell answers apart. who: what cannot handle that, as the beginning of a
    sentence."""
    if problem.projection is not None:
        raise Unsuited(f"{who} can't tell answers apart by some of their options; the engines `sides` and `clingo` can")


def refuse_sides(problem: Problem, who: str) -> None:
    """Raises Unsuited if a problem has sides, or if only some options tell answers apart. who: what cannot handle them,
    as the beginning of a sentence."""
    refuse_projection(problem, who)
    if problem.sides:
        raise Unsuited(f"{who} can't hold totals, connections, loops and areas; the engine `sides` can")


def validate_sides(sides: Sequence[Side], options: int) -> None:
    """Check everything that the classes promise. options: how many there are. Raises ValueError for the first fault.
    Linear time."""
    graphs: set[int] = set()  # what connections share is looked at once
    for side in sides:
        if isinstance(side, Total):
            _validate_total(side, options)
        elif isinstance(side, Connection | Forest):
            _validate_graph(side, options, id(side.edges) in graphs)
            graphs.add(id(side.edges))
        elif isinstance(side, Circuit):
            _validate_circuit(side, options)
        elif isinstance(side, Areas):
            _validate_areas(side, options, id(side.edges) in graphs)
            graphs.add(id(side.edges))
        else:
            known = "Total, Connection, Forest, Circuit or Areas"
            raise ValueError(f"a problem's sides hold {side!r}, which is no {known}")


def _validate_total(total: Total, options: int) -> None:
    _whole(total, total.terms, 2)
    _whole(total, total.sums, 2)
    _options(total, [o for o, _ in total.terms], options)
    counts = [c for _, c in total.terms]
    if 0 in counts:
        raise ValueError(f"{_said(total)} has a coefficient 0")
    if sum(map(abs, counts)) >= MOST_TOTAL:
        raise ValueError(f"the coefficients of {_said(total)} add up to 2^62 or more, signs left out")
    _sums(total, total.sums)


def _sums(side: Side, sums: Sequence[tuple[int, int]]) -> None:
    if any(low > high for low, high in sums) or any(a[1] + 1 >= b[0] for a, b in pairwise(sums)):
        raise ValueError(f"the sums of {_said(side)} are not increasing ranges with gaps between them")


def _validate_graph(connection: Connection | Forest | Areas, options: int, known: bool) -> None:
    """The places and edges of a side. known: whether its edges are those of another one that is valid."""
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


def _validate_areas(areas: Areas, options: int, known: bool) -> None:
    """known: as of `_validate_graph`."""
    _validate_graph(areas, options, known)
    said = _said(areas)
    _whole(areas, areas.cuts, 3)
    for vertices in (areas.always, *(one.anchors or () for one in areas.demands)):
        _whole(areas, [(v,) for v in vertices], 1)
        if any(map(ge, vertices, vertices[1:])) or (vertices and vertices[0] < 0):
            raise ValueError(f"{said} does not name increasing vertices")
    if any(not 0 <= o < options for o, _, _ in areas.cuts):
        raise ValueError(f"{said} names an option that there is not")
    if not {(u, v) for _, u, v in areas.cuts} <= set(areas.edges):
        raise ValueError(f"an option of {said} cuts what is no edge")
    for one in areas.demands:
        _whole(areas, one.terms, 3)
        _whole(areas, one.sums, 2)
        if any(not 0 <= o < options or v < 0 or not w for o, v, w in one.terms):
            raise ValueError(f"a demand of {said} names an option or a vertex that there is not, or a weight 0")
        if any(map(ge, [term[:2] for term in one.terms], [term[:2] for term in one.terms[1:]])):
            raise ValueError(f"the terms of a demand of {said} are not increasing")
        if sum([abs(w) for _, _, w in one.terms]) >= MOST_TOTAL:
            raise ValueError(f"the weights of a demand of {said} add up to 2^62 or more, signs left out")
        _sums(areas, one.sums)


def _validate_circuit(circuit: Circuit, options: int) -> None:
    _whole(circuit, circuit.ends, 3)
    _options(circuit, [o for o, _, _ in circuit.ends], options)
    if any(u < 0 or v < 0 for _, u, v in circuit.ends):
        raise ValueError(f"{_said(circuit)} names a vertex below 0")


def _said(side: Side) -> str:
    """What a message calls a side."""
    kind = type(side).__name__.lower()
    return f"the {kind} `{side.name}`" if side.name else kind if isinstance(side, Areas) else f"a {kind}"


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
    return restricted_sides(sides, dict(enumerate(new)))


def options_of(side: Side) -> tuple[int, ...]:
    """The options that a side mentions; those of all but totals and circuits in any order, some possibly twice."""
    if isinstance(side, Total):
        return tuple(o for o, _ in side.terms)
    if isinstance(side, Areas):
        terms = [o for one in side.demands for o, _, _ in one.terms]
        return tuple(dict.fromkeys([*(o for o, _ in side.places), *(o for o, _, _ in side.cuts), *terms]))
    return tuple(o for o, *_ in (side.ends if isinstance(side, Circuit) else side.places))


def restricted_sides(sides: Sequence[Side], new: Mapping[int, int]) -> tuple[Side, ...]:
    """The sides of a problem from which options that no answer takes were removed: option o now has the number
    new[o]; an option that is not in `new` was removed."""
    kept: list[Side] = []
    for side in sides:
        if isinstance(side, Total):
            terms = tuple(sorted((new[o], c) for o, c in side.terms if o in new))
            kept.append(Total(terms, side.sums, side._name))
        elif isinstance(side, Connection | Forest):
            places = tuple((new[o], v) for o, v in side.places if o in new)
            kept.append(type(side)(places, side.edges, side._name))
        elif isinstance(side, Areas):
            kept.append(side.with_options(new))
        else:
            ends = tuple(sorted((new[o], u, v) for o, u, v in side.ends if o in new))
            kept.append(Circuit(ends, side._name))
    return tuple(kept)


class UnionFind:
    """Numbers that are joined (union and find)."""

    def __init__(self) -> None:
        self._up: dict[int, int] = {}

    def copy(self) -> UnionFind:
        """The same parts, which may be joined apart from these."""
        other = UnionFind()
        other._up = {**self._up}
        return other

    def of(self, v: int) -> int:
        """The number that stands for all that are joined to this one."""
        while (up := self._up.get(v, v)) != v:
            self._up[v] = self._up.get(up, up)
            v = up
        return v

    def every(self) -> set[int]:
        """All numbers that were joined."""
        return {*self._up, *self._up.values()}

    def join(self, u: int, v: int) -> bool:
        """Join two numbers; False if they were joined before."""
        u, v = self.of(u), self.of(v)
        self._up[u] = v
        return u != v


# --- problem ---------------------------------------------------------------------------------------------------------
# The sparse 0/1 matrix that every engine searches.
#
# Items are columns, options are rows. An *answer* is any set of options such that every item `i` is in at least
# `low[i]` and at most `high[i]` of them, options that share an item show the same colour there, and every side
# condition holds (problem.py; most problems have none). A problem may name the options that tell answers apart
# (`projection`); answers that take the same of these count as one. Nothing else is assumed: an option that no item
# needs (`low = 0` for all its items) may be taken or left out, and the two cases are different answers.
#
# In Knuth's terms (TAOCP 7.2.2.1), an item with bounds 1, 1 is *primary*, as in Algorithm X; one with bounds 0, 1 is
# *secondary*, and may have colours, as in Algorithm C; other bounds are the multiplicities of Algorithm M. We call an
# item primary if `low > 0`, whatever `high` is. Primary items come first.


@frozen
class Problem:
    """A matrix in compressed form. Items and options are numbered from 0.

    low, high: per item, the least and the greatest number of options of an answer that may hold it; `high` may exceed
        the number of options.
    primary: how many items have low > 0; they are the items 0 … primary-1.
    starts: option o holds members[starts[o]:starts[o+1]], strictly increasing item numbers; options+1 entries.
    members: the item numbers of all options, one option after another.
    colours: parallel to `members`: the colour that the option shows in that item, from 1, or 0 for none; empty if the
        problem has no colours. Options that share an item with bounds (0, 1) exclude each other, unless both show the
        same colour there, which is not 0. As with Knuth, a coloured item counts once: its `high` is 1, however many
        options of one colour hold it.
    costs: per option, whole numbers whose absolute values add up to less than MAX_COST, so that every sum that a
        search can form fits into 63 bits; empty if no option costs anything.
    given: options that every answer takes, increasing.
    sides: conditions that no matrix expresses; an answer must meet each of them, too (problem.py).
    projection: the options that tell answers apart, increasing; None if all do. Answers that take the same of these
        count as one, and a search finds one of them; which one is not promised.
    witness: for tests, an answer known beforehand to be cheapest, increasing: no step of a search for a minimum may
    exclude it before an answer as cheap is found (witness.py); None otherwise.  item_names, option_names: sequences of
        text, one for each item and option, or empty; they may be lazy.
    """

    low: tuple[int, ...]
    high: tuple[int, ...]
    primary: int
    starts: Sequence[int]
    members: Sequence[int]
    colours: Sequence[int] = ()
    costs: Sequence[int] = ()
    given: tuple[int, ...] = ()
    sides: tuple[Side, ...] = ()
    projection: tuple[int, ...] | None = None
    witness: tuple[int, ...] | None = field(default=None, eq=False, repr=False)
    item_names: Sequence[str] = field(default=(), eq=False, repr=False)
    option_names: Sequence[str] = field(default=(), eq=False, repr=False)

    @property
    def items(self) -> int:
        return len(self.low)

    @property
    def options(self) -> int:
        """How many options there are."""
        return len(self.starts) - 1

    def option(self, o: int) -> Sequence[int]:
        """The items of option o, increasing. Time linear in their number."""
        return self.members[self.starts[o] : self.starts[o + 1]]

    def option_colours(self, o: int) -> Sequence[int]:
        """The colours of option o, parallel to `option(o)`; all 0 if the problem has none."""
        if not self.colours:
            return [0] * (self.starts[o + 1] - self.starts[o])
        return self.colours[self.starts[o] : self.starts[o + 1]]

    @cached_property
    def holders(self) -> tuple[tuple[int, ...], ...]:
        """Per item, the options that hold it, increasing. Computed on first use in linear time, and kept."""
        found: list[list[int]] = [[] for _ in range(self.items)]
        members = self.members
        for o, (start, end) in enumerate(with_limit_checks(pairwise(self.starts))):
            for i in members[start:end]:
                found[i].append(o)
        return tuple([tuple(row) for row in with_limit_checks(found)])

    @cached_property
    def shades(self) -> tuple[tuple[int, ...], ...]:
        """Parallel to `holders`: the colours that those options show there; empty if the problem has none."""
        if not self.colours:
            return ()
        found: list[list[int]] = [[] for _ in range(self.items)]
        for o in with_limit_checks(range(self.options)):
            for i, colour in zip(self.option(o), self.option_colours(o), strict=True):
                found[i].append(colour)
        return tuple([tuple(row) for row in with_limit_checks(found)])

    def column(self, i: int) -> Iterator[tuple[int, int]]:
        """The options that hold item i, increasing, each with its colour there."""
        return zip(self.holders[i], self.shades[i] if self.colours else repeat(0), strict=False)

    @property
    def is_pure(self) -> bool:
        """Whether the matrix says everything: there are no sides, and every option tells answers apart."""
        return not self.sides and self.projection is None

    def by_all(self) -> Problem:
        """The same problem, in which every option tells answers apart. It has an answer if this one has, and the same
        minimum."""
        return self if self.projection is None else evolve(self, projection=None)

    def projected(self, answer: Sequence[int]) -> tuple[int, ...]:
        """The options of an answer that tell it apart from others; equal for answers that count as one."""
        return tuple(answer) if self.projection is None else tuple([o for o in answer if o in self._telling])

    @cached_property
    def _telling(self) -> frozenset[int]:
        return frozenset(self.projection or ())

    @property
    def is_exact(self) -> bool:
        """Whether every item has bounds 1, 1 or 0, 1, as Algorithms X and C require, and the problem is pure."""
        return self.is_pure and all(
            h == 1 and lo <= 1 for lo, h in with_limit_checks(zip(self.low, self.high, strict=True))
        )

    @property
    def is_cover(self) -> bool:
        """Whether every item is bounded only from below, as in a covering problem, and the problem is pure."""
        n = self.options
        return self.is_pure and not self.colours and all(h >= n for h in with_limit_checks(self.high))

    @property
    def joins_pairs(self) -> bool:
        """Whether at most one of two options is taken for each item, and that is all: what an answer leaves out covers
        all items. Linear time."""
        if not self.is_pure or self.given or self.colours or any(self.low) or {*self.high} != {1}:
            return False
        return sorted(self.members) == [i // 2 for i in with_limit_checks(range(2 * self.items))]


def build(
    bounds: Sequence[tuple[int, int]],
    options: Iterable[Sequence[int | tuple[int, int]]],
    *,
    costs: Sequence[int] = (),
    given: Sequence[int] = (),
    sides: Sequence[Side] = (),
    projection: Sequence[int] | None = None,
) -> Problem:
    """A Problem from (low, high) per item, and from options as lists of items or (item, colour) pairs in any order.

    Primary items must come first; items keep the numbers that the caller gave them. Raises ValueError if this or
    anything else that a Problem promises does not hold, or if a number is not a whole number (see limits.py). Time
    linear in the length of the options.
    """
    starts, members, colours = [0], [], []
    for option in options:
        pairs = sorted([(e, 0) if type(e) is int else _pair(e) for e in option])
        members += [i for i, _ in pairs]
        colours += [c for _, c in pairs]
        starts.append(len(members))
    low = tuple([whole(lo, "the lower bound of an item") for lo, _ in bounds])
    problem = Problem(
        low=low,
        high=tuple([whole(h, "the upper bound of an item") for _, h in bounds]),
        primary=sum(lo > 0 for lo in low),
        starts=starts,
        members=members,
        colours=colours if any(colours) else (),
        costs=tuple([whole(c, "the cost of an option") for c in costs]),
        given=tuple(sorted([whole(o, "a given option") for o in given])),
        sides=tuple(sides),
        projection=None if projection is None else tuple(sorted([whole(o, TELLING) for o in projection])),
    )
    validate(problem)
    return problem


def _pair(entry: object) -> tuple[int, int]:
    """The item and the colour of an entry, which is an item or an (item, colour) pair; the colour is 0 if none is
    given."""
    if isinstance(entry, tuple | list) and len(entry) == 2:
        return whole(entry[0], "an item of an option"), whole(entry[1], "the colour of an item")
    return whole(entry, "an item of an option"), 0


TELLING = "an option that tells answers apart"  # what messages call it
MAX_COST = 2**62  # units of cost: the absolute values of all costs add up to less than this, so that sums fit 63 bits
MOST_COLOURS = 2**31  # every colour's number is below this, because kernels keep it in 32 bits


def too_dear(total: int) -> str:
    """The message for costs whose sum is too large. total: the sum of their absolute values."""
    return f"the costs add up to {total}, signs left out; they must stay below 2^62, which is {MAX_COST}"


def validate(problem: Problem) -> None:
    """Check everything that `Problem` promises, because compiled kernels rely on it. Linear time. Raises ValueError
    with the first fault."""
    p = problem
    n, m = p.items, p.options
    for name, numbers in (
        ("low", p.low),
        ("high", p.high),
        ("costs", p.costs),
        ("given", p.given),
        ("projection", p.projection or ()),
    ):
        for number in numbers:
            if type(number) is not int:
                raise ValueError(f"{name} holds {number!r}, which is no int")
    if len(p.high) != n:
        raise ValueError("low and high differ in length")
    if any(lo < 0 or h < 0 for lo, h in zip(p.low, p.high, strict=True)):
        raise ValueError("an item's bounds are negative")
    if any((lo > 0) != (i < p.primary) for i, lo in enumerate(p.low)):
        raise ValueError("primary items (low > 0) must come first")
    if m < 0 or p.starts[0] != 0 or p.starts[m] != len(p.members):
        raise ValueError("starts does not fit members")
    if p.colours and len(p.colours) != len(p.members):
        raise ValueError("colours does not fit members")
    for o in range(m):
        run = p.option(o)
        if any(b <= a for a, b in pairwise(run)) or (run and not 0 <= run[0] <= run[-1] < n):
            raise ValueError(f"option {o} is not an increasing run of item numbers")
        for i, c in zip(run, p.option_colours(o), strict=True):
            if c < 0 or (c and (p.low[i], p.high[i]) != (0, 1)):
                raise ValueError(f"option {o} has a colour in item {i}, whose bounds are not 0, 1")
            if c >= MOST_COLOURS:
                raise ValueError(f"option {o} has the colour {c} in item {i}; colours must be below {MOST_COLOURS}")
    if p.costs and len(p.costs) != m:
        raise ValueError("costs does not fit the options")
    total = sum(map(abs, p.costs))
    if total >= MAX_COST:
        raise ValueError(too_dear(total))
    for name, numbers in (("given", p.given), ("projection", p.projection or ())):
        if any(not 0 <= o < m for o in numbers) or list(numbers) != sorted(set(numbers)):
            raise ValueError(f"{name} is not an increasing run of option numbers")
    validate_sides(p.sides, m)
