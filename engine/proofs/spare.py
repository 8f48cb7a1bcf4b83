"""Which constraints could be left out, and how each can be broken."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count, repeat

from attrs import evolve, field

from covr.engine.base.limits import ENDLESS, QUICK, LimitReached, with_limit_checks
from covr.engine.check import broken
from covr.engine.problem import AreaDemand, Areas, Circuit, Connection, Forest, Problem, Side, Total
from covr.engine.proofs.conflict import Answer, ConflictBudget, ConflictVerdict, Relaxing, Unit
from covr.frozen import frozen

# --- broken ----------------------------------------------------------------------------------------------------------
# How a constraint can be broken, as demands that a search can take: what leads from "this is spare" to "no answer".
#
# A constraint is numbered as in conflict.py. It is broken in one of a few ways (`Breach`), and the answers of a problem
# in which one of them holds are those that break it:
#
# - an item with the bounds low, high: fewer than low options hold it, or more than high;
# - an item with colours: two of its options are taken that don't show the same colour;
# - a given option: it is left out;
# - a total: the sum lies in none of its ranges;
# - a connection: its graph can be cut in two parts, each with a taken vertex, and no edge joins two taken vertices of
#   different parts;
# - a forest: some vertices have something taken, and each of them touches two of the others;
# - a circuit: nothing is taken; or a vertex is met once, or more than twice; or the taken options can be cut in two
#   parts that share no vertex;
# - areas: the sum of an area, or of those of a demand's anchors, lies in none of its ranges; or both sides of a wall
#   are in one area.
#
# What is cut, or which colours are shown, is told by options that are added for it: without items, numbered after the
# problem's own. They can be taken in several ways for one answer, which doesn't matter where one answer is enough.


Range = tuple[int, int]


@frozen
class Breach:
    """One way to break a constraint. left_out: options that are not taken.  bounds: of items, instead of their own.
    sides: further ones.  added: how many options there are besides the problem's."""

    left_out: frozenset[int] = frozenset()
    bounds: Mapping[int, Range] = field(factory=dict)
    sides: tuple[Side, ...] = ()
    added: int = 0


def breaches(problem: Problem, constraint: int) -> Iterator[Breach]:
    """The ways to break a constraint of a problem; none if it can't be broken. Time linear in its size."""
    first_side = problem.items + problem.options
    if constraint < problem.items:
        yield from _of_item(problem, constraint)
    elif constraint < first_side:
        yield Breach(left_out=frozenset((constraint - problem.items,)))
    else:
        side = problem.sides[constraint - first_side]
        if isinstance(side, Total):
            yield from _of_total(side)
        elif isinstance(side, Connection):
            yield from _of_connection(side, problem.options)
        elif isinstance(side, Areas):
            yield from _of_areas(side, problem.options)
        elif isinstance(side, Forest):
            yield from _of_forest(side, problem.options)
        else:
            yield from _of_circuit(side, problem.options)


def _of_item(problem: Problem, item: int) -> Iterator[Breach]:
    low, high = problem.low[item], problem.high[item]
    holders = problem.holders[item]
    if problem.colours and any(problem.shades[item]):
        yield from _of_colours(problem, item)
        return
    if low == 1:
        yield Breach(left_out=frozenset(holders))
    elif low > 1:
        yield Breach(bounds={item: (0, low - 1)})
    if len(holders) > high:
        yield Breach(bounds={item: (high + 1, len(holders))})


def _of_colours(problem: Problem, item: int) -> Iterator[Breach]:
    """Two things are shown: colours, for each of which an option is added that needs one that shows it, or options
    without a colour, which agree with none."""
    shown: dict[int, list[int]] = {}
    for option, colour in problem.column(item):
        shown.setdefault(colour, []).append(option)
    things = shown.pop(0, [])
    demands: list[Side] = []
    for number, options in enumerate(shown.values(), problem.options):
        things.append(number)
        demands.append(_at_least({**dict.fromkeys(options, 1), number: -1}, 0))
    if len(things) > 1:
        yield Breach(sides=(*demands, _at_least(dict.fromkeys(things, 1), 2)), added=len(shown))


def _of_total(total: Total) -> Iterator[Breach]:
    gaps = _outside(total.sums, _reach(dict(total.terms)))
    if gaps:
        yield Breach(sides=(Total(total.terms, gaps),))


def _of_connection(connection: Connection, options: int) -> Iterator[Breach]:
    """For each vertex an option is added that puts it in the first part."""
    at: dict[int, list[int]] = {}
    for option, vertex in sorted(set(connection.places)):
        at.setdefault(vertex, []).append(option)
    if len(at) < 2:
        return
    added = count(options)
    first = {vertex: next(added) for vertex in at}
    sides: list[Side] = []
    for u, v in connection.edges:
        for here in at.get(u, ()):
            for there in at.get(v, ()):
                sides += _together({here, there}, first[u], first[v])
    sides += _two_parts([(o, first[v]) for v, held in at.items() for o in held], added)
    yield Breach(sides=tuple(sides), added=next(added) - options)


def _of_areas(areas: Areas, options: int) -> Iterator[Breach]:
    """Some area breaks a demand: one that holds a vertex, each in its turn; or both sides of a wall are in one area.
    Walls become vertices, met where no wall stands, so that no rule about walls is left."""
    free, sides = _without_walls(areas, options)
    doors = len(free.places) - len(areas.places)
    at: dict[int, dict[int, int]] = {}
    for o, v in areas.places:
        at.setdefault(v, {})[o] = 1
    for demand in areas.demands:
        weights = [weight for _, _, weight in demand.terms]
        gaps = _outside(demand.sums, (sum(min(w, 0) for w in weights), sum(max(w, 0) for w in weights)))
        anchors = [(v,) for v in {**at, **dict.fromkeys(areas.always)}] if demand.anchors is None else [demand.anchors]
        for here in anchors if gaps else ():
            wrong = evolve(free, demands=(AreaDemand(demand.terms, gaps, here),))
            met = {o: 1 for v in here for o in at.get(v, ())}
            sure = not set(here).isdisjoint(areas.always) or (demand.anchors is not None and not demand.waived)
            if sure or met:
                yield Breach(sides=(*sides, wrong, *([] if sure else [_at_least(met, 1)])), added=doors)
    for o, u, v in areas.cuts:
        number = options + doors
        shown = evolve(free, demands=(AreaDemand(((number, v, 1),), ((1, 1),), (u,)),))
        taken = [_at_least({o: 1}, 1), _at_least({number: 1}, 1)]
        yield Breach(sides=(*sides, shown, *taken), added=doors + 1)


def _without_walls(areas: Areas, options: int) -> tuple[Areas, list[Side]]:
    """The same areas, but that a wall may stand within one; and what holds of the options that are added for it."""
    cuts: dict[tuple[int, int], dict[int, int]] = {}
    for o, u, v in areas.cuts:
        cuts.setdefault((u, v), {})[o] = 1
    named = {*areas.always, *(v for pair in areas.edges for v in pair), *(v for _, v in areas.places)}
    first = 1 + max(named.union(*[one.anchors or () for one in areas.demands]), default=0)
    places, edges = [*areas.places], [edge for edge in areas.edges if edge not in cuts]
    sides: list[Side] = []
    for k, ((u, v), walls) in enumerate(cuts.items()):
        door, most = options + k, len(walls)
        sides.append(_at_least({**walls, door: 1}, 1))
        sides.append(Total((*sorted(walls.items()), (door, most)), ((0, most),)))
        places.append((door, first + k))
        edges += [(u, first + k), (v, first + k)]
    return evolve(areas, places=tuple(places), edges=tuple(edges), cuts=()), sides


def _of_forest(forest: Forest, options: int) -> Iterator[Breach]:
    """For each vertex an option is added that says that it lies on a ring: something is taken there, and two others on
    a ring touch it."""
    at: dict[int, list[int]] = {}
    for option, vertex in sorted(set(forest.places)):
        at.setdefault(vertex, []).append(option)
    ring = {vertex: options + number for number, vertex in enumerate(at)}
    beside: dict[int, list[int]] = {vertex: [] for vertex in at}
    for u, v in forest.edges:
        if u in at and v in at:
            beside[u].append(ring[v])
            beside[v].append(ring[u])
    sides: list[Side] = [_at_least(dict.fromkeys(ring.values(), 1), 1)]
    for vertex, held in at.items():
        sides.append(_at_least({**dict.fromkeys(held, 1), ring[vertex]: -1}, 0))
        sides.append(_at_least({**dict.fromkeys(beside[vertex], 1), ring[vertex]: -2}, 0))
    yield Breach(sides=tuple(sides), added=len(ring))


def _of_circuit(circuit: Circuit, options: int) -> Iterator[Breach]:
    yield Breach(left_out=frozenset(o for o, _, _ in circuit.ends))
    met: dict[int, dict[int, int]] = {}
    for o, u, v in circuit.ends:
        for vertex in (u, v):
            at = met.setdefault(vertex, {})
            at[o] = at.get(o, 0) + 1
    yield from _of_vertices(met, options)
    if len(met) > 1:
        added = count(options)
        first = {vertex: next(added) for vertex in met}
        sides = [s for o, u, v in circuit.ends if u != v for s in _together({o}, first[u], first[v])]
        sides += _two_parts([(o, first[u]) for o, u, _ in circuit.ends], added)
        yield Breach(sides=tuple(sides), added=next(added) - options)


def _of_vertices(met: Mapping[int, Mapping[int, int]], options: int) -> Iterator[Breach]:
    """A vertex is met once, or more than twice: for each an option is added, one of which is taken, and where it is
    that must hold: it counts so much that no sum with it is one without it."""
    sides: list[Side] = []
    for number, terms in enumerate(met.values(), options):
        most = sum(terms.values())
        wrong = [(1 - 3 * most, 1 - 3 * most)] + ([(3 - 3 * most, -2 * most)] if most > 2 else [])
        sides.append(Total((*sorted(terms.items()), (number, -3 * most)), (*wrong, (0, most))))
    sides.append(_at_least(dict.fromkeys(range(options, options + len(met)), 1), 1))
    yield Breach(sides=tuple(sides), added=len(met))


def _together(taken: set[int], one: int, other: int) -> Iterator[Side]:
    """Where these options are taken, their two vertices are in the same part."""
    for a, b in ((one, other), (other, one)):
        yield _at_least({**dict.fromkeys(taken, -1), a: -1, b: 1}, -len(taken))


def _two_parts(held: Sequence[tuple[int, int]], added: Iterator[int]) -> Iterator[Side]:
    """Something is taken in either part. held: options, each with the option that puts its vertex in the first part.
    For each of them two options are added: it is taken and stands in the first part, or not there."""
    inside: list[int] = []
    outside: list[int] = []
    for option, first in held:
        inside.append(next(added))
        yield _at_least({option: 1, first: 1, inside[-1]: -2}, 0)
        outside.append(next(added))
        yield _at_least({option: 1, first: -1, outside[-1]: -2}, -1)
    yield _at_least(dict.fromkeys(inside, 1), 1)
    yield _at_least(dict.fromkeys(outside, 1), 1)


def _at_least(terms: Mapping[int, int], low: int) -> Total:
    """The sum is no less than this."""
    high = _reach(terms)[1]
    return Total(tuple(sorted(terms.items())), ((low, high),) if low <= high else ())


def _reach(terms: Mapping[int, int]) -> Range:
    """The least and the greatest sum."""
    return sum(c for c in terms.values() if c < 0), sum(c for c in terms.values() if c > 0)


def _outside(sums: Sequence[Range], reach: Range) -> tuple[Range, ...]:
    """What ranges leave of a range."""
    gaps: list[Range] = []
    start, end = reach
    for low, high in sums:
        if start < low:
            gaps.append((start, min(low - 1, end)))
        start = max(start, high + 1)
    if start <= end:
        gaps.append((start, end))
    return tuple(gap for gap in gaps if gap[0] <= gap[1])


# --- spare -----------------------------------------------------------------------------------------------------------
# Which constraints of a problem could be left out without a change to its answers.
#
# Units of constraints (conflict.py) are left out together. A unit is *spare* where others are left out if the problem
# without all of them has the same answers; that is so if none of these answers breaks the unit (spare.py). Where only
# some options tell answers apart, an answer that breaks it changes nothing if the whole problem has one that counts as
# the same.
#
# What is spare where some units are left out is spare where fewer are. So only units that are spare by themselves are
# tried together, and one pass over them, in which each is left out if it still can be, leaves nothing more that can go.
#
# An answer that breaks some units is kept: wherever all but one of them are left out, that one is not spare.


COMPARED = 200  # answers that are compared, for one unit, with those that only some options tell apart
OPEN = ConflictVerdict(None, False)


@frozen
class SpareUnits:
    """What is spare among some units, by their numbers. alone: those that are spare by themselves.  open: those of
    which that was not decided.  together: those of a set that can be left out together.  minimal: whether it is proved
    that nothing more of what then remains can be left out."""

    alone: tuple[int, ...]
    open: tuple[int, ...]
    together: tuple[int, ...]
    minimal: bool


class Sparing:
    """A search for what is spare.

    problem: its given options and sides are constraints, too.  units: no constraint is in two of them; what is in none
    stays.  silent: constraints that change no answer, so that they need not be looked at.
    """

    def __init__(
        self, problem: Problem, units: Sequence[Unit], budget: ConflictBudget, silent: Iterable[int] = ()
    ) -> None:
        self.problem, self.units, self.budget = problem, units, budget
        left_out = frozenset(silent)
        self._everything = tuple(c for c in Relaxing(problem, budget).everything if c not in left_out)
        self._unit_of = {c: number for number, unit in enumerate(units) for c in unit}
        self._witnesses: list[frozenset[int]] = []  # for each answer that was kept, the units that it breaks

    def find(self) -> SpareUnits:
        """What is spare. If the budget runs out, what is known by then."""
        alone: list[int] = []
        asked: Sequence[int] = range(len(self.units))
        for self.budget.each in (QUICK, ENDLESS):
            left: list[int] = []
            for number in asked:
                verdict = self.is_spare(number, frozenset())
                if verdict is None:
                    left.append(number)
                elif verdict:
                    alone.append(number)
            asked = left
        alone.sort()
        together, decided = self._together(alone)
        if len(together) < len(alone) and not self.budget.spent:
            other, other_decided = self._together(alone[::-1])
            if len(other) > len(together):
                together, decided = other, other_decided
        return SpareUnits(tuple(alone), tuple(asked), tuple(sorted(together)), decided and not asked)

    def all_spare(self, numbers: Iterable[int]) -> bool | None:
        """Whether these units can all be left out together; None if that is not known."""
        gone: frozenset[int] = frozenset()
        for number in numbers:
            verdict = self.is_spare(number, gone)
            if not verdict:
                return verdict
            gone |= {number}
        return True

    def is_spare(self, number: int, left_out: frozenset[int]) -> bool | None:
        """Whether a unit is spare where others, which are spare together, are left out; None if that is not known."""
        free = left_out | {number}
        if any(number in wrong and wrong <= free for wrong in self._witnesses):
            return False
        if self.budget.spent:
            return None
        try:
            return self._is_spare(number, free)
        except LimitReached:
            return None

    def _together(self, order: Sequence[int]) -> tuple[list[int], bool]:
        """The units that are left out if each is, in this order, where it still can be; and whether all was decided."""
        gone: list[int] = []
        decided = True
        for number in order:
            verdict = self.is_spare(number, frozenset(gone))
            if verdict:
                gone.append(number)
            decided = decided and verdict is not None
        return gone, decided

    def _is_spare(self, number: int, free: frozenset[int]) -> bool | None:
        kept = [c for c in with_limit_checks(self._everything) if self._unit_of.get(c) not in free]
        known = True
        for constraint in self.units[number]:
            for breach in breaches(self.problem, constraint):
                verdict = self._breaking(breach, kept)
                if verdict.answer is not None:
                    if self.problem.projection is None:
                        self._witnesses.append(self._broken_by(verdict.answer, free))
                    return False
                known = known and verdict.none
        return True if known else None

    def _breaking(self, breach: Breach, kept: Sequence[int]) -> ConflictVerdict:
        """Whether there is an answer of what is kept in which this holds, and which the problem has not."""
        if self.problem.projection is None:
            return self._solve(breach, kept)
        seen: list[Total] = []
        for _ in range(COMPARED):
            verdict = self._solve(evolve(breach, sides=(*breach.sides, *seen)), kept)
            if verdict.answer is None:
                return verdict
            taken = self.problem.projected(verdict.answer)
            same = self._same(taken)
            if same.none:
                return verdict
            if same.open:
                return OPEN
            seen.append(_other_than(taken, self.problem.projection))
        return OPEN

    def _same(self, taken: Sequence[int]) -> ConflictVerdict:
        """Whether the whole problem has an answer that counts as one in which these options are taken."""
        left_out = frozenset(self.problem.projection or ()).difference(taken)
        return Relaxing(self.problem, self.budget, taken=taken, left_out=left_out).solve(self._everything)

    def _solve(self, breach: Breach, kept: Sequence[int]) -> ConflictVerdict:
        """Whether there is an answer of what is kept in which this holds. Its options are the problem's."""
        problem, added = self.problem, breach.added
        first_side = problem.items + problem.options
        constraints: Iterable[int] = kept
        if added:
            problem = _with_options(problem, added)
            constraints = (c + added if c >= first_side else c for c in kept)
        relaxing = Relaxing(problem, self.budget, left_out=breach.left_out, bounds=breach.bounds, sides=breach.sides)
        verdict = relaxing.solve(constraints)
        if verdict.answer is None or not added:
            return verdict
        return ConflictVerdict(tuple(o for o in verdict.answer if o < self.problem.options), False)

    def _broken_by(self, answer: Answer, free: Iterable[int]) -> frozenset[int]:
        """Which of these units an answer breaks."""
        taken = frozenset(answer)
        return frozenset(u for u in free if any(self._breaks(taken, c) for c in self.units[u]))

    def _breaks(self, taken: frozenset[int], constraint: int) -> bool:
        problem = self.problem
        first_side = problem.items + problem.options
        if problem.items <= constraint < first_side:
            return constraint - problem.items not in taken
        if constraint >= first_side:
            return broken(problem.sides[constraint - first_side], taken) is not None
        held = [colour for o, colour in problem.column(constraint) if o in taken]
        times = len([c for c in held if not c]) + len({c for c in held if c})
        return not problem.low[constraint] <= times <= problem.high[constraint]


def _with_options(problem: Problem, added: int) -> Problem:
    """The same with further options that no item knows."""
    starts = (*problem.starts, *repeat(problem.starts[problem.options], added))
    return evolve(problem, starts=starts, costs=(), option_names=())


def _other_than(taken: Iterable[int], telling: Sequence[int]) -> Total:
    """Of the options that tell answers apart, not just these are taken."""
    own = frozenset(taken)
    if not telling:
        return Total((), ())
    terms = tuple((o, 1 if o in own else -1) for o in telling)
    return Total(terms, ((len(own) - len(terms), len(own) - 1),))
