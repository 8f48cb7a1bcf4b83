"""A problem as rules for clingo: totals, connections, loops, areas, and a ceiling of costs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import combinations
from math import comb, gcd
from typing import Any

from covr.engine.base.alone import Unsuited
from covr.engine.base.limits import with_limit_checks
from covr.engine.outside.clingo_shares import Literal, Ranges, RuleWriter, Shared, Sums, rows, shared
from covr.engine.problem import AreaDemand, Areas, Circuit, Connection, Problem, Side, Total
from covr.frozen import frozen

# --- clingo sets -----------------------------------------------------------------------------------------------------
# Totals of different numbers, by the sets of numbers that may be the taken ones.
#
# Where a total adds up one option of each of some items, and no two with the same coefficient, as many coefficients as
# there are items are taken. Each set of so many is an atom, and so is each sum. Then a number that is in no set with
# the right sum is out at once, and what two sets have in common is known, where a weight rule only looks at the least
# and the greatest sum.
#
# Source: the way in which people solve kakuros.


MANY_SETS = 300  # sets of numbers, from which on a total is written as a weight rule

Terms = tuple[tuple[int, int], ...]


class NumberSets:
    """Writes totals of different numbers. atoms: per option of the problem, its atom."""

    def __init__(self, problem: Problem, atoms: Sequence[int]) -> None:
        self._problem, self._atoms = problem, atoms
        self._known: dict[Terms, dict[int, Literal] | None] = {}

    def sums(self, total: Total, write: RuleWriter) -> dict[int, Literal] | None:
        """For each sum that different numbers have, a literal that is true if and only if it is theirs; None if the
        numbers of this total may be alike, or if their sets are too many. To be called where nothing is written under
        conditions."""
        if total.terms not in self._known:
            self._known[total.terms] = self._written(total.terms, write)
        return self._known[total.terms]

    @staticmethod
    def within(sums: Mapping[int, Literal], ranges: Ranges, write: RuleWriter) -> None:
        """Forbid, under the conditions of `write`, the sums that lie in none of the ranges. sums: as of `sums`."""
        for whole, literal in sums.items():
            if not any(low <= whole <= high for low, high in ranges):
                write.forbid([literal])

    def _written(self, terms: Terms, write: RuleWriter) -> dict[int, Literal] | None:
        numbers: dict[int, list[int]] = {}
        for o, number in terms:
            numbers.setdefault(number, []).append(o)
        taken = self._taken([o for o, _ in terms])
        if taken is None or comb(len(numbers), taken) > MANY_SETS or not all(map(self._once, numbers.values())):
            return None
        met = {number: write.one_of([self._atoms[o] for o in options]) for number, options in numbers.items()}
        write.many(taken, taken, [*met.values()])
        holding: dict[int, list[int]] = {number: [] for number in numbers}
        making: dict[int, list[Literal]] = {}
        for chosen in combinations(sorted(numbers), taken):
            atom = write.new()
            write.implied(atom, [met[number] for number in chosen])
            making.setdefault(sum(chosen), []).append(atom)
            for number in chosen:
                holding[number].append(atom)
        for number, sets in holding.items():
            write.forbid([met[number], *(-atom for atom in sets)])
        return {whole: write.one_of(sets) for whole, sets in sorted(making.items())}

    def _taken(self, options: Sequence[int]) -> int | None:
        """How many of these are taken, if they are the options of some items met exactly once, and no two of them hold
        the same; None otherwise."""
        problem, own = self._problem, set(options)
        seen: set[int] = set()
        items = 0
        if problem.colours:
            return None
        for o in options:
            if o in seen:
                continue
            for i in problem.option(o):
                holders = problem.holders[i]
                if problem.low[i] == problem.high[i] == 1 and own.issuperset(holders) and seen.isdisjoint(holders):
                    seen.update(holders)
                    items += 1
                    break
            else:
                return None
        return items

    def _once(self, options: Sequence[int]) -> bool:
        """Whether no two of these are taken together, as an item says."""
        problem = self._problem
        shared = set(problem.option(options[0])).intersection(*map(problem.option, options[1:]))
        return len(options) == 1 or any(problem.high[i] <= 1 for i in shared)


# --- clingo graphs ---------------------------------------------------------------------------------------------------
# Writes connections and loops as rules for clingo: what can be reached from a root.
#
# "Hangs together" is said by rules that derive, from a root, what can be reached from it; a vertex that is met must be
# derived. Since clingo accepts only what has a foundation, vertices that hold each other up in a circle, away from the
# root, are found out (as unfounded sets) while it propagates, and it learns from them.
#
# The root is where every answer is known to stand: at a given option, or, where all options of an item that must be met
# stand in the graph, at the one that is taken; the item with the fewest such places is chosen. So a path of numberlink
# starts at its clue. If the item may be met more than once, the root is the first of these places that is met; if there
# is no such item, the first of all vertices, in the order of numbers.


# From a vertex to another one, and back: what must be true to get to the second, and to the first.
Edge = tuple[int, int, Literal, Literal]


class Graphs:
    """Writes the connections and loops of a problem."""

    def __init__(self, problem: Problem, writer: RuleWriter, atoms: Sequence[int]) -> None:
        """atoms: per option, its atom."""
        self._problem, self._write, self._atoms = problem, writer, atoms
        self._shared = Counter(id(side.edges) for side in problem.sides if isinstance(side, Connection))
        self._near: dict[int, dict[int, list[int]]] = {}  # per edges that are shared, the higher neighbours of vertices
        self._standing: dict[int, dict[int, list[int]]] = {}
        self._met: dict[int, dict[int, Literal]] = {}

    def standing(self, side: Connection) -> dict[int, list[int]]:
        """Per vertex, the options that stand there. Made once, in linear time."""
        if id(side) not in self._standing:
            found: dict[int, list[int]] = {}
            for o, v in with_limit_checks(side.places):
                if v in found:
                    found[v].append(o)
                else:
                    found[v] = [o]
            self._standing[id(side)] = found
        return self._standing[id(side)]

    def met(self, side: Connection) -> dict[int, Literal]:
        """Per vertex, a literal that says whether a taken option stands there. Written once, in linear time."""
        if id(side) not in self._met:
            self._met[id(side)] = self._meeting(self.standing(side))
        return self._met[id(side)]

    def connection(self, side: Connection) -> None:
        """What is met hangs together. Time linear in the length of the side."""
        met = self.met(side)
        self._reach(met, self._between(side.edges, met), self._roots(self.standing(side)))

    def circuit(self, side: Circuit) -> None:
        """The options that are taken form one loop. Time linear in the length of the side."""
        lines: dict[int, list[int]] = {}
        for o, u, v in with_limit_checks(side.ends):
            for w in (u, v):  # a line from a corner to itself meets it twice
                lines.setdefault(w, []).append(o)
        met = self._meeting(lines)
        for options in with_limit_checks(lines.values()):
            ends = Counter(options)
            self._write.within([(self._atoms[o], times) for o, times in ends.items()], ((0, 0), (2, 2)))
        self._write.forbid([-self._atoms[o] for o, _, _ in side.ends])
        lit = self._atoms
        edges = ((u, v, lit[o], lit[o]) for o, u, v in side.ends if u != v)
        self._reach(met, edges, self._roots(lines))

    def areas(self, side: Areas) -> None:
        """The areas of what is taken meet their demands. Time about linear in the rules: see `AreaRules`."""
        AreaRules(side, self._write, self._atoms).all()

    def _meeting(self, standing: Mapping[int, Sequence[int]]) -> dict[int, Literal]:
        return dict(zip(standing, self._write.one_of_each([*standing.values()], self._atoms), strict=True))

    def _between(self, edges: tuple[tuple[int, int], ...], met: Mapping[int, Literal]) -> Iterator[Edge]:
        """The edges between vertices that may be met. Where several connections share their edges, these are looked
        through once, and not for each of them."""
        if self._shared[id(edges)] == 1:
            yield from ((u, v, met[v], met[u]) for u, v in with_limit_checks(edges) if u in met and v in met)
            return
        if id(edges) not in self._near:
            near: dict[int, list[int]] = {}
            for u, v in with_limit_checks(edges):
                near.setdefault(u, []).append(v)
            self._near[id(edges)] = near
        near = self._near[id(edges)]
        for u in with_limit_checks(sorted(met)):
            yield from ((u, v, met[v], met[u]) for v in near.get(u, ()) if v in met)

    def _roots(self, standing: Mapping[int, Sequence[int]]) -> Roots | None:
        """Few vertices of which every answer meets one, as far as given options and single items tell; None if none are
        known. standing: per vertex, the options that meet it. Time linear in the length of those options."""
        problem = self._problem
        place: dict[int, int] = {}  # per option, its lowest vertex
        for v in with_limit_checks(sorted(standing, reverse=True)):
            place |= dict.fromkeys(standing[v], v)
        given = [place[o] for o in problem.given if o in place]
        if given:
            return Roots([(min(given), None)])
        whole = [
            i for i in with_limit_checks(range(problem.primary)) if all(map(place.__contains__, problem.holders[i]))
        ]
        whole = [i for i in whole if problem.holders[i]]
        if not whole:
            return None
        item = min(whole, key=lambda i: (len({place[o] for o in problem.holders[i]}), problem.high[i], i))
        at = sorted({place[o] for o in problem.holders[item]})
        if len(at) > 1 and problem.high[item] == 1 and not any(colour for _, colour in problem.column(item)):
            return Roots([(place[o], self._atoms[o]) for o in problem.holders[item]])
        return Roots([(v, None) for v in at])

    def _reach(self, met: Mapping[int, Literal], edges: Iterable[Edge], roots: Roots | None) -> None:
        """All vertices that are met can be reached from the root. met: per vertex, whether it is."""
        write = self._write
        reached = {v: write.new() for v in met}
        if roots is None:
            self._first(sorted(met), met, reached)
        elif roots.one:
            for v, atom in roots.places:
                write.implied(reached[v], [met[v] if atom is None else atom])
        else:
            self._first([v for v, _ in roots.places], met, reached)
        for v in with_limit_checks(met):
            write.forbid([met[v], -reached[v]])
        for u, v, there, back in with_limit_checks(edges):
            write.implied(reached[v], [reached[u], there])
            write.implied(reached[u], [reached[v], back])

    def _first(self, vertices: Sequence[int], met: Mapping[int, Literal], reached: Mapping[int, int]) -> None:
        """The first of these vertices that is met is the root."""
        before = 0  # the atom that is true if a vertex before this one is met
        for v in with_limit_checks(vertices):
            self._write.implied(reached[v], [met[v], -before] if before else [met[v]])
            now = self._write.new()
            self._write.implied(now, [met[v]])
            if before:
                self._write.implied(now, [before])
            before = now


@frozen
class Roots:
    """Vertices of which every answer meets one. places: each with the atom of an option that stands there, of which
    exactly one is true; or with None, if several of these vertices may be met."""

    places: Sequence[tuple[int, int | None]]

    @property
    def one(self) -> bool:
        """Whether exactly one of them becomes the root by itself."""
        return len(self.places) == 1 or self.places[0][1] is not None


# --- clingo areas ----------------------------------------------------------------------------------------------------
# Writes areas as rules for clingo: what lies in the area of a root.
#
# An area is the least set that holds its root and all that is met beside it. Of a demand for each area, the roots are
# the vertices of its terms: an area without a taken term adds up to 0, and where that is not allowed, every vertex that
# is met lies in the area of such a root. A demand with anchors has one set, that of all its anchors.
#
# Where each vertex of an area counts for 1 or more, the greatest sum says how many it has at most. Then only vertices
# nearer to the root than that are looked at, and none beyond may be reached.


class AreaRules:
    """Writes the rules of one `Areas`: as many as there are roots times the vertices in reach of each."""

    def __init__(self, side: Areas, writer: RuleWriter, atoms: Sequence[int]) -> None:
        """atoms: per option, its atom."""
        self._side, self._write, self._atoms = side, writer, atoms
        self._standing: dict[int, dict[int, None]] = {v: {} for v in side.always}
        for o, v in with_limit_checks(side.places):
            self._standing.setdefault(v, {})[o] = None
        self._met = {v: writer.one_of([atoms[o] for o in here]) for v, here in self._standing.items() if here}
        if side.always:
            true = writer.new()
            writer.fact(true)
            self._met |= dict.fromkeys(side.always, true)
        cuts: dict[tuple[int, int], dict[int, None]] = {}
        for o, u, v in side.cuts:
            cuts.setdefault((u, v), {})[o] = None
        self._closed = {edge: writer.one_of([atoms[o] for o in here]) for edge, here in cuts.items()}
        self._near: dict[int, list[tuple[int, list[Literal]]]] = {v: [] for v in self._met}
        for u, v in with_limit_checks(side.edges):
            if u in self._met and v in self._met:
                closed = [-self._closed[u, v]] if (u, v) in self._closed else []
                self._near[u].append((v, closed))
                self._near[v].append((u, closed))
        self._most = {v: len(self._met) for v in self._met}  # per vertex, how many vertices its area has at most
        for one in side.demands:
            if one.sums and self._counts_all(one):
                for v in self._met if one.anchors is None else one.anchors:
                    self._most[v] = min(self._most.get(v, 0), max(one.sums[-1][1], 0))
        # By its roots, and the options of which one must be taken: per vertex whether it is in their areas.
        self._areas: dict[tuple[tuple[int, ...], tuple[int, ...]], dict[int, int]] = {}

    def all(self) -> None:
        """Everything about the areas. Raises Unsuited for weights that are too large."""
        covering = [self._each(one) for one in self._side.demands if one.anchors is None]
        for one in self._side.demands:
            if one.anchors is not None:
                self._together(one)
        walls = {edge: closed for edge, closed in self._closed.items() if set(edge) <= self._met.keys()}
        areas = min((some for some in covering if some is not None), key=len, default=None)
        if areas is None or 2 * len(areas) > len({u for u, _ in walls}):
            for (u, v), closed in with_limit_checks(walls.items(), 16):
                if v in (area := self._area((u,))):
                    self._write.forbid([closed, area[v]])
            return
        for area in with_limit_checks(areas, 1):
            for (u, v), closed in walls.items():
                if u in area and v in area:
                    self._write.forbid([closed, area[u], area[v]])

    def _counts_all(self, one: AreaDemand) -> bool:
        """Whether every vertex that is met counts for 1 or more."""
        counted = {(o, v) for o, v, _ in one.terms}
        standing = all(counted.issuperset((o, v) for o in here) for v, here in self._standing.items())
        return not self._side.always and all(weight > 0 for _, _, weight in one.terms) and standing

    def _area(self, roots: tuple[int, ...], options: tuple[int, ...] = ()) -> dict[int, int]:
        """For each vertex in reach, an atom that is true if it is in the area of one of these that are met. options:
        if any, one of them must be taken, or the atoms are false."""
        if (roots, options) in self._areas:
            return self._areas[roots, options]
        write, near = self._write, self._near
        most = max([self._most[v] for v in roots], default=0)
        far = dict.fromkeys(roots if most else (), 0)  # per vertex in reach, how many edges lead there
        for v in (queue := [*far]):
            for u, _ in near[v]:
                if u not in far and far[v] + 1 < most:
                    far[u] = far[v] + 1
                    queue.append(u)
        area = self._areas[roots, options] = {v: write.new() for v in far}
        given = [write.one_of([self._atoms[o] for o in options])] if options else []
        for v in roots:
            if most:
                write.implied(area[v], [self._met[v], *given])
            else:
                write.forbid([self._met[v]])
        for v, atom in with_limit_checks(area.items()):
            for u, open in near[v]:
                if u in area:
                    write.implied(area[u], [atom, self._met[u], *open])
                else:
                    write.forbid([atom, self._met[u], *open])
        return area

    def _weighted(self, one: AreaDemand, area: Mapping[int, int]) -> list[tuple[Literal, int]]:
        """The terms of a demand that count in an area."""
        if sum([abs(weight) for _, _, weight in one.terms]) > MOST_WEIGHT:
            name = f"the areas `{self._side.name}`" if self._side.name else "areas"
            raise Unsuited(f"the engine `clingo` can't hold {name}, whose weights add up to 2^31 or more")
        found = []
        for o, v, weight in with_limit_checks(one.terms):
            if v in area:
                found.append((self._and(area[v], o, v), weight))
        return found

    def _and(self, literal: int, o: int, v: int) -> int:
        """Whether a literal, which says that v is met, and an option are true."""
        if [*self._standing[v]] == [o] and v not in self._side.always:
            return literal
        atom = self._write.new()
        self._write.implied(atom, [literal, self._atoms[o]])
        return atom

    def _each(self, one: AreaDemand) -> list[dict[int, int]] | None:
        """A demand for each area. Returns areas of which each vertex that is met is in one; None if they are not
        known."""
        write = self._write
        terms: dict[int, list[int]] = {}
        for o, v, _ in one.terms:
            if v in self._met:
                terms.setdefault(v, []).append(o)
        areas: list[dict[int, int]] = []
        holding: dict[int, list[Literal]] = {v: [] for v in self._met}
        for root, options in with_limit_checks(terms.items(), 1):
            known = {*options} >= self._standing[root].keys() and root not in self._side.always
            area = self._area((root,), () if known else tuple(options))
            areas.append(area)
            weighted = self._weighted(one, area)
            with write.only_if([area[root]] if root in area else [self._met[root]]):
                write.within(weighted, one.sums)
            for v, atom in area.items():
                holding[v].append(atom)
        if any(low <= 0 <= high for low, high in one.sums):
            return None
        for v, atoms in with_limit_checks(holding.items()):
            write.forbid([self._met[v], *(-atom for atom in atoms)])
        return areas

    def _together(self, one: AreaDemand) -> None:
        """A demand for the areas of its anchors together."""
        assert one.anchors is not None
        anchors = tuple(v for v in one.anchors if v in self._met)
        if one.waived and not anchors:
            return
        met = [self._write.one_of([self._met[v] for v in anchors])] if one.waived else []
        weighted = self._weighted(one, self._area(anchors))
        with self._write.only_if(met):
            self._write.within(weighted, one.sums)


# --- clingo rules ----------------------------------------------------------------------------------------------------
# Writes a problem as rules for clingo: items and totals as weight rules, connections and loops as reachability
# (clingo_rules.py), what is shared out by single literals (clingo_shares.py), and windows of a row by the sums of its
# places (clingo_shares.py).
#
# Every option is an atom that may be chosen.
#
# Source: Gebser, Kaminski, Kaufmann and Schaub, "Multi-shot ASP solving with clingo", TPLP 2019, for the interface,
# which takes rules as numbers: nothing is written as text or grounded. To write the rules to a file and load that
# (`load_aspif`) takes as long.


MOST_WEIGHT = 2**31 - 1  # what the coefficients of a total may add up to, signs left out: clingo's numbers have 32 bits


class Rules:
    """Writes the rules of a problem to clingo's backend. atoms: per option, its atom."""

    def __init__(self, problem: Problem, backend: Any, new: Callable[[], int]) -> None:
        """new: as of `new_atoms`. Time linear in the length of the options, and of the sides. Raises Unsuited for a
        total that is too large.
        """
        self._problem, self._backend = problem, backend
        self._write = write = RuleWriter(backend, new)
        self.atoms: list[int] = [new() for _ in with_limit_checks(range(problem.options))]
        self._graphs = Graphs(problem, write, self.atoms)
        self._told: dict[int, Literal] = {}  # by the number of a share, whether it is taken
        self._whole: set[int] = set()  # the identities of totals about which all is said
        with write.together():
            self._all()

    def _all(self) -> None:
        """Everything about the problem."""
        problem, write = self._problem, self._write
        given = set(problem.given)
        write.choose([self.atoms[o] for o in with_limit_checks(range(problem.options)) if o not in given])
        for o in problem.given:
            write.fact(self.atoms[o])
        items = set()
        for one in shared(problem):
            self._shared(one, self._graphs)
            if one.item is not None:
                items.add(one.item)
        for row in rows(problem):
            if items.isdisjoint(row.items):
                Sums(write, row, self.atoms)
                items.update(row.items)
        for i in with_limit_checks(range(problem.items), 64):
            if i not in items:
                self._item(i)
        for side in problem.sides:
            if id(side) not in self._whole:
                self.side(side)

    @classmethod
    def more(cls, problem: Problem, backend: Any, new: Callable[[], int], atoms: list[int]) -> Rules:
        """Writes more rules about options whose atoms there are, none of a problem. problem: whose options they are."""
        self = cls.__new__(cls)
        self._problem, self._backend, self.atoms = problem, backend, atoms
        self._write = RuleWriter(backend, new)
        self._graphs = Graphs(problem, self._write, atoms)
        self._told, self._whole = {}, set()
        return self

    def side(self, side: Side) -> None:
        """A side condition. Raises Unsuited for a total that is too large."""
        if isinstance(side, Total):
            self._total(side)
        elif isinstance(side, Connection):
            self._graphs.connection(side)
        elif isinstance(side, Circuit):
            self._graphs.circuit(side)
        else:
            self._graphs.areas(side)

    def untaken(self, option: int) -> None:
        """This option is not taken."""
        self._write.forbid([self.atoms[option]])

    @contextmanager
    def only_if(self, literals: Sequence[Literal]) -> Iterator[None]:
        """What is written within this context holds where all of these literals are true."""
        with self._write.only_if(literals):
            yield

    def cap(self, most: int) -> None:
        """Forbid answers that cost more than `most`. Raises Unsuited for costs that are too large."""
        terms = [(o, c) for o, c in enumerate(self._problem.costs) if c]
        lowest = sum(c for _, c in terms if c < 0)
        if most < lowest:
            self._write.forbid([])
        elif terms:
            self._total(Total(tuple(terms), ((lowest, most),), "the cost of an answer"))

    def at_most(self, backend: Any, terms: Sequence[tuple[int, int]], most: int) -> None:
        """The coefficients of the taken options come to no more than `most`. backend: what may be written to now."""
        write = RuleWriter(backend, self._write.new)
        lowest = sum([c for _, c in terms if c < 0])
        if most < lowest:
            write.forbid([])
        else:
            write.within([(self.atoms[o], c) for o, c in terms], ((lowest, most),))

    def minimize(self) -> int:
        """Look for the least cost. Returns what clingo's costs, none of which is below 0, are counted from. Raises
        Unsuited for costs that are too large."""
        costs = [(o, c) for o, c in enumerate(self._problem.costs) if c]
        if any(abs(c) > MOST_WEIGHT for _, c in costs):
            raise Unsuited("the engine `clingo` holds costs below 2^31")
        self._backend.add_minimize(0, [(self.atoms[o], c) if c > 0 else (-self.atoms[o], -c) for o, c in costs])
        return sum(c for _, c in costs if c < 0)

    def _item(self, i: int) -> None:
        problem = self._problem
        low, high = problem.low[i], problem.high[i]
        if problem.colours:
            self.item(low, high, problem.column(i))
        else:
            atoms = self.atoms
            self._write.many(low, high, [atoms[o] for o in problem.holders[i]])

    def item(self, low: int, high: int, column: Iterable[tuple[int, int]]) -> None:
        """An item with these bounds. column: its options, each with its colour."""
        plain: list[Literal] = []
        shades: dict[int, list[Literal]] = {}
        for o, colour in column:
            if colour:
                shades.setdefault(colour, []).append(self.atoms[o])
            else:
                plain.append(self.atoms[o])
        plain += [self._write.one_of(users) for users in shades.values()]
        self._write.many(low, high, plain)

    def _total(self, total: Total) -> None:
        if sum([abs(c) for _, c in total.terms]) > MOST_WEIGHT:
            name = f"the total `{total.name}`" if total.name else "a total"
            raise Unsuited(f"the engine `clingo` can't hold {name}, whose numbers add up to 2^31 or more")
        atoms = self.atoms
        self._write.within([(atoms[o], c) for o, c in total.terms], total.sums)

    def _shared(self, one: Shared, graphs: Graphs) -> None:
        """Say of each share whether it is taken, and how many of them are."""
        write, known = self._write, self._told
        new = [share for share in one.shares if share[0] not in known]
        literals = write.one_of_each([share[3] for share in new], self.atoms)
        known.update(zip([share[0] for share in new], literals, strict=True))
        if one.side is not None:
            self._whole.update([id(share[2]) for share in one.shares])
        write.number([known[share[0]] for share in one.shares], one.ranges)
        if one.total is not None:
            self._whole.add(id(one.total))
        if one.side is not None:
            met = graphs.met(one.side)
            wanted = [(n * one.times, n * one.times) for low, high in one.ranges for n in range(low, high + 1)]
            write.number([met[v] for v in one.places], tuple(wanted))


# --- clingo ceiling --------------------------------------------------------------------------------------------------
# What a ceiling of the costs says together with totals that have one value.
#
# If as many white queens as black ones are wanted, and more than 14 in all, then there are 8 white ones at least, and 8
# black ones. A solver that learns from either condition alone does not see that: the cost and such a total are added
# up, or subtracted, so that many options no longer count, and what is left is divided by what divides all coefficients.
#
# Source: Gomory's cutting planes; Chvátal, "Edmonds polytopes and a hierarchy of combinatorial problems", Discrete
# Mathematics 4, 1973.


TRIED = 2  # multiples of a total
MOST_SUMS = 20


@frozen
class CostSum:
    """A sum of options that is low where an answer is cheap. terms: options, each with its coefficient.
    shift, divisor: where an answer costs no more than c, the sum is at most (c + shift) / divisor."""

    terms: tuple[tuple[int, int], ...]
    shift: int
    divisor: int

    def most(self, ceiling: int) -> int:
        """The most that the sum comes to in an answer that costs no more than `ceiling`."""
        return (ceiling + self.shift) // self.divisor


def cost_sums(problem: Problem) -> list[CostSum]:
    """Sums of few options that costs and totals give. Time linear in the options for each total that has one value."""
    found: dict[CostSum, None] = {}
    if any(problem.costs):
        for side in with_limit_checks(problem.sides):
            if isinstance(side, Total) and side.exact is not None:
                found |= dict.fromkeys(_of(problem, side, side.exact))
                if len(found) >= MOST_SUMS:
                    break
    return list(found)[:MOST_SUMS]


def _of(problem: Problem, total: Total, value: int) -> Iterator[CostSum]:
    costs = problem.costs
    paid = sum(map(bool, costs))
    multiples = Counter([-costs[o] // c for o, c in total.terms if costs[o] and costs[o] % c == 0])
    for times, _ in sorted(multiples.items(), key=lambda pair: (-pair[1], pair[0]))[:TRIED]:
        added = dict(total.terms)
        sums = [(o, cost + times * added.get(o, 0)) for o, cost in enumerate(costs)]
        terms = tuple([(o, c) for o, c in sums if c])
        if terms and 4 * len(terms) <= 3 * paid and sum([abs(c) for _, c in terms]) <= MOST_WEIGHT:
            divisor = gcd(*[c for _, c in terms])
            yield CostSum(tuple([(o, c // divisor) for o, c in terms]), times * value, divisor)
