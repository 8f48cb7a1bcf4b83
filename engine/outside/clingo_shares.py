"""What clingo is told of items and totals beside their own rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from functools import cache, lru_cache
from importlib import import_module
from itertools import accumulate, combinations, count, pairwise
from typing import Any

from covr.engine.base.limits import check_limits, with_limit_checks
from covr.engine.kernels.loading import load
from covr.engine.problem import Connection, Problem, Total
from covr.frozen import frozen

# --- clingo calls ----------------------------------------------------------------------------------------------------
# The addresses of clingo's functions that take a rule, and that tell whether an atom is true: for kernels/rules.
#
# clingo's own module for Python holds them, compiled, with their signatures. Where it is built otherwise, or where
# these are others, there are no addresses, and the methods of clingo's module are called one by one.


_BACKEND = "_Bool(*)(struct clingo_backend *, _Bool, uint32_t *, size_t, "
SIGNATURES = {
    "clingo_backend_rule": _BACKEND + "int32_t *, size_t)",
    "clingo_backend_weight_rule": _BACKEND + "int32_t, struct clingo_weighted_literal *, size_t)",
    "clingo_model_is_true": "_Bool(*)(struct clingo_model *, int32_t, _Bool *)",
}


@frozen
class Calls:
    """The addresses of functions. rule, weights: that take a rule, and a weight rule.  is_true: that tells whether an
    atom is true in a model."""

    rule: int
    weights: int
    is_true: int


@cache
def calls() -> Calls | None:
    """The addresses; None if they are not known, or if the kernel that calls them is not compiled."""
    found = addresses(SIGNATURES) if load("_rules").COMPILED else None
    return None if found is None else Calls(*found)


def addresses(signatures: Mapping[str, str], called_back: Mapping[str, str] | None = None) -> list[int] | None:
    """The addresses of these functions of clingo; None if one of them has another signature, or if clingo calls back
    otherwise."""
    try:
        inside = import_module("clingo._internal")
        lib, ffi = inside._lib, inside._ffi
        if called_back is not None:
            fields = [(name, field.type.cname) for name, field in ffi.typeof("struct clingo_propagator").fields]
            if fields != [*called_back.items()]:
                return None
        found = [ffi.addressof(lib, name) for name in signatures]
        if [ffi.typeof(function).cname for function in found] != [*signatures.values()]:
            return None
        return [int(ffi.cast("uintptr_t", function)) for function in found]
    except (AttributeError, TypeError, ValueError, ImportError):
        return None


def held_rules(backend: Any) -> Any:
    """Rules on their way to a backend of clingo, `HeldRules` of _rules.py; None if these are written one by one."""
    known = calls() if hasattr(backend, "_rep") else None
    return None if known is None else load("_rules").HeldRules(known.rule, known.weights, address(backend), refused)


def address(of: Any) -> int:
    """Where a thing of clingo's is in memory."""
    return int(import_module("clingo._internal")._ffi.cast("uintptr_t", of._rep))


def refused() -> None:
    """Raise what clingo says about the last call."""
    import_module("clingo._internal")._handle_error(False)


def true_atoms(model: Any, atoms: Sequence[int]) -> list[int]:
    """Which of these atoms are true in a model of clingo, by their places, increasing. atoms: an array of `i`."""
    known = calls()
    if known is not None:
        found: list[int] | None = load("_rules").true_atoms(known.is_true, address(model), atoms)
        if found is not None:
            return found
    return [k for k, atom in enumerate(atoms) if model.is_true(atom)]


# --- clingo writer ---------------------------------------------------------------------------------------------------
# Single rules for clingo's backend, and numbers of true literals that some ranges allow.
#
# That one of some literals is true is said by one rule, whose atom is true if none of them is: it has a body, where a
# rule for each of the literals would have as many bodies as there are literals.
#
# Atoms are numbered here: to ask clingo for each takes 2 µs. What some weights must not reach is forbidden by a weight
# rule without an atom of its own, and by a clause where only all literals together reach it, or none.
#
# What is allowed of at most `SHORT` literals of weight 1 is written as clauses, one for each set of literals that may
# not be the true ones.


SHORT = 4  # literals of weight 1, at most, that are written as clauses

MOST_WEIGHT = 2**31 - 1  # what weights may add up to, signs left out: clingo's numbers have 32 bits

Literal = int  # an atom, or minus an atom
Ranges = tuple[tuple[int, int], ...]  # both ends included, increasing


def new_atoms() -> Callable[[], int]:
    """Gives the atoms of one clingo, each once. They are numbers from 1; clingo itself has none where nothing is
    grounded."""
    return count(1).__next__


class RuleWriter:
    """Writes rules. new: a new atom."""

    def __init__(self, backend: Any, new: Callable[[], int]) -> None:
        """new: as of `new_atoms`."""
        self._backend = backend
        self._held: Any = None  # rules that are to be handed over together
        self._rule, self._weights = backend.add_rule, backend.add_weight_rule
        self.new = new
        self.when: list[Literal] = []  # what is forbidden holds where these are true

    @contextmanager
    def together(self) -> Iterator[None]:
        """What is written within this context is handed over in a few calls, which takes a fifth of the time, if that
        can be done. After an exception some of it is not."""
        self._held = held_rules(self._backend)
        if self._held is None:
            yield
            return
        self._rule, self._weights = self._held.rule, self._held.weights
        try:
            yield
            self._held.hand_over()
        finally:
            self._held = None
            self._rule, self._weights = self._backend.add_rule, self._backend.add_weight_rule

    @contextmanager
    def only_if(self, literals: Sequence[Literal]) -> Iterator[None]:
        """What is forbidden within this context is forbidden where all of these literals are true."""
        before, self.when = self.when, [*self.when, *literals]
        try:
            yield
        finally:
            self.when = before

    def choose(self, atoms: Sequence[int]) -> None:
        """Each of these may be true or not."""
        if atoms:
            self._rule(atoms, [], True)

    def fact(self, atom: int) -> None:
        """The atom is true."""
        self._rule([atom])

    def forbid(self, body: Sequence[Literal]) -> None:
        """Not all of these literals are true."""
        self._rule([], [*self.when, *body])

    def implied(self, head: int, body: Sequence[Literal]) -> None:
        """The atom is true if all of these literals are."""
        self._rule([head], body)

    def one_of(self, literals: Sequence[Literal]) -> Literal:
        """A literal that is true if and only if one of these is."""
        if len(literals) == 1:
            return literals[0]
        none: int = self.new()
        self._rule([none], [-literal for literal in literals])
        return -none

    def one_of_each(self, groups: Sequence[Sequence[int]], atoms: Sequence[int]) -> list[Literal]:
        """For each of these groups of options, a literal that is true if and only if one of them is taken. atoms: per
        option, its atom."""
        if self._held is None or 1 in map(len, groups):
            return [self.one_of([atoms[o] for o in group]) for group in groups]
        none = [self.new() for _ in groups]
        self._held.none_of(none, groups, atoms)
        return [-atom for atom in none]

    def reaching(self, bound: int, weighted: Sequence[tuple[Literal, int]]) -> Literal | None:
        """A literal that is true if and only if the weights of the true literals add up to `bound`; None if they
        always do. Weights are above 0."""
        if bound <= 0:
            return None
        if bound <= min([c for _, c in weighted], default=0):
            return self.one_of([literal for literal, _ in weighted])
        return self._reached(bound, weighted)

    def _reached(self, bound: int, weighted: Sequence[tuple[Literal, int]]) -> int:
        """An atom that is true if and only if the weights of the true literals add up to `bound`."""
        atom = self.new()
        if bound <= sum([c for _, c in weighted]):  # clingo takes no bounds of 32 bits and more
            self._weights([atom], bound, weighted)
        return atom

    def at_least(self, bound: int, weighted: Sequence[tuple[Literal, int]]) -> None:
        """The weights of the true literals, which are above 0, add up to `bound` or more."""
        if bound <= 0:
            return
        if bound <= min([c for _, c in weighted], default=0):
            self.forbid([-literal for literal, _ in weighted])
        else:
            self.forbid([-self._reached(bound, weighted)])

    def at_most(self, bound: int, weighted: Sequence[tuple[Literal, int]]) -> None:
        """The weights of the true literals, which are above 0, add up to `bound` or less."""
        whole = sum([c for _, c in weighted])
        if bound >= whole:
            return
        if bound >= whole - min([c for _, c in weighted]):
            self.forbid([literal for literal, _ in weighted])
        elif bound < 0:
            self.forbid([])
        elif self.when:
            self.forbid([self._reached(bound + 1, weighted)])
        else:
            self._weights([], bound + 1, weighted)

    def many(self, low: int, high: int, literals: Sequence[Literal]) -> None:
        """At least `low` and at most `high` of these literals are true."""
        if low == 1:
            self.forbid([-literal for literal in literals])
        elif low > 1:
            self.at_least(low, [(literal, 1) for literal in literals])
        if high < len(literals):
            self.at_most(high, [(literal, 1) for literal in literals])

    def number(self, literals: Sequence[Literal], ranges: Ranges) -> None:
        """So many of these literals are true as lie in one of the ranges."""
        if len(ranges) == 1 and len(literals) > SHORT:
            self.many(*ranges[0], literals)
        else:
            self.within([(literal, 1) for literal in literals], ranges)

    def within(self, weighted: Sequence[tuple[Literal, int]], ranges: Ranges) -> None:
        """The weights of the true literals, which are not 0, add up to a number in one of the ranges."""
        if len(weighted) <= SHORT and all(c == 1 for _, c in weighted):
            for true, false in _wrong(len(weighted), ranges):
                self.forbid([*(weighted[k][0] for k in true), *(-weighted[k][0] for k in false)])
            return
        below = sum([c for _, c in weighted if c < 0])
        whole = sum([abs(c) for _, c in weighted])
        raised = [(literal, c) if c > 0 else (-literal, -c) for literal, c in weighted] if below else weighted
        # The sum lies in a range if it reaches its beginning and does not reach what follows its end.
        possible = [(low, high) for low, high in ranges if low - below <= whole and high >= below]
        if len(possible) == 1:
            self.at_least(possible[0][0] - below, raised)
            self.at_most(possible[0][1] - below, raised)
            return
        bodies: list[list[Literal]] = []
        for low, high in possible:
            body: list[Literal] = []
            if (least := self.reaching(low - below, raised)) is not None:
                body.append(least)
            if high - below < whole:
                beyond = self.reaching(high + 1 - below, raised)
                assert beyond is not None
                body.append(-beyond)
            bodies.append(body)
        allowed = []
        for body in bodies:
            if not body:
                return
            atom = self.new()
            self.implied(atom, body)
            allowed.append(atom)
        self.forbid([-atom for atom in allowed])


@lru_cache(maxsize=256)
def _wrong(count: int, ranges: Ranges) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]:
    """Literals, by number, of which not all of the first are true while all of the second are false."""
    wrong = [not any(low <= held <= high for low, high in ranges) for held in range(count + 1)]
    if all(wrong):
        return (((), ()),)
    first, last = wrong.index(False), count - wrong[::-1].index(False)
    # Where fewer are wrong as well, only those that are false matter, and the other way round.
    found: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
    if first:
        found += [((), false) for false in combinations(range(count), count - first + 1)]
    for held in (h for h in range(first, last) if wrong[h]):
        for true in combinations(range(count), held):
            found.append((true, tuple([k for k in range(count) if k not in true])))
    if last < count:
        found += [(true, ()) for true in combinations(range(count), last + 1)]
    return tuple(found)


# --- clingo shares ---------------------------------------------------------------------------------------------------
# Items and totals whose options are shared out among other totals, each of which takes all or nothing.
#
# In numberlink, two lines meet at a square, each of a path: `exactly 2 draw per x`, and `exactly {0, 2} draw per x, k`.
# Clauses about lines alone do not say that a square has one path; a solver has to learn so at each square. So each
# share, the lines of a path at a square, gets a literal that tells whether it is taken, and of these the item has one.
#
# Where the options stand in a graph, one of each share at a vertex and none of other items, the shares need nothing
# else: as many vertices about the square are met as lines are wanted (`places`). Then a total for each square and path
# becomes one literal.


Share = tuple[int, int, Total, tuple[int, ...]]  # its number; how many options it has, if any; the total; its options


@frozen
class Shared:
    """An item or a total, whose options are those of disjoint totals, of which each has `times` of its options or none.

    item: the item; None for a total.  total: the total; None for an item.  shares: the totals.
    times: how many options each of them has.  ranges: how many of the shares may be taken.  side, places: vertices of
    the connection such that as many options are taken as vertices are met, if no more than one share is; None and empty
    if there are none.
    """

    item: int | None
    total: Total | None
    shares: tuple[Share, ...]
    times: int
    ranges: Ranges
    side: Connection | None
    places: tuple[int, ...]


def shared(problem: Problem) -> Iterator[Shared]:
    """What is shared out. None is found where there are colours. Time about linear in the length of totals and of
    their options."""
    if problem.colours:
        return
    module = load("_shares")
    check_limits()
    halves: list[Share] = module.all_or_none([side for side in problem.sides if isinstance(side, Total)])
    if not halves:
        return
    dead = {o for i, high in enumerate(problem.high) if not high for o in problem.holders[i]}
    sharing = module.Sharing(problem.starts, problem.members, halves, dead, problem.options)
    check_limits()
    yield from _shared_out([*_items(problem, sharing, dead)], problem, sharing, halves)
    yield from _shared_out([*_totals(problem, halves, dead)], problem, sharing, halves)


@frozen(eq=False)
class _Whole:
    """An item or a total, as in `Shared`. live: its options that an answer may take.  ranges: how many of these may be
    taken.  shares: the numbers of the shares all of whose options are among its options."""

    item: int | None
    total: Total | None
    live: list[int]
    ranges: Ranges
    shares: list[int]


def _items(problem: Problem, sharing: Any, dead: Set[int]) -> Iterator[_Whole]:
    holders = problem.holders
    for i, shares in with_limit_checks(sharing.within(SHORT + 1, [len(held) for held in holders]).items()):
        if problem.high[i]:
            live = [o for o in holders[i] if o not in dead] if dead else [*holders[i]]
            yield _Whole(i, None, live, ((problem.low[i], problem.high[i]),), shares)


def _totals(problem: Problem, halves: Sequence[Share], dead: Set[int]) -> Iterator[_Whole]:
    long = [side for side in with_limit_checks(problem.sides) if isinstance(side, Total) and len(side.terms) > SHORT]
    around: dict[int, list[tuple[Total, set[int]]]] = {}  # per option, the long totals in which it counts
    for side in with_limit_checks(long):
        own = {o for o, c in side.terms if c == 1}
        for o in own if len(own) == len(side.terms) else ():
            around.setdefault(o, []).append((side, own))
    among: dict[int, list[int]] = {}  # per long total, by its identity, the shares
    for k, _, _, options in with_limit_checks(halves) if around else ():
        for side, own in around.get(options[0], ()):
            if len(options) < len(own) and own.issuperset(options):
                among.setdefault(id(side), []).append(k)
    for side in long:
        if id(side) in among:
            yield _Whole(None, side, [o for o, _ in side.terms if o not in dead], side.sums, among[id(side)])


def _shared_out(wholes: Sequence[_Whole], problem: Problem, sharing: Any, halves: Sequence[Share]) -> Iterator[Shared]:
    """Those whose shares are disjoint, leave out no option, and want the same number."""
    found: list[tuple[_Whole, Ranges]] = []
    for whole in with_limit_checks(wholes):
        each = halves[whole.shares[0]][1]
        if all(halves[k][1] == each for k in whole.shares) and sharing.part(whole.shares, whole.live):
            bounds = [(-(-low // each), high // each) for low, high in whole.ranges]
            found.append((whole, tuple([(low, high) for low, high in bounds if low <= high])))
    single = [whole for whole, few in found if not few or few[-1][1] <= 1]
    standing = _standing(problem, sharing, single)
    for whole, few in found:
        side, places = standing.get(id(whole), (None, ()))
        shares = tuple([halves[k] for k in whole.shares])
        yield Shared(whole.item, whole.total, shares, shares[0][1], few, side, places)


def _standing(
    problem: Problem, sharing: Any, wholes: Sequence[_Whole]
) -> dict[int, tuple[Connection | None, tuple[int, ...]]]:
    """Per item or total, by its identity, the first connection and its vertices where its options stand, one option at
    one vertex and no others; of each share, no two at the same."""
    found: dict[int, tuple[Connection | None, tuple[int, ...]]] = {}
    left = list(wholes)
    for side in with_limit_checks(problem.sides):
        if not isinstance(side, Connection) or not left:
            continue
        check_limits()
        sharing.stand(side.places, max([v for _, v in side.places], default=0) + 1)
        for whole in left:
            places = sharing.places(whole.shares, whole.live)
            if places is not None:
                found[id(whole)] = (side, tuple(places))
        sharing.leave(side.places)
        left = [whole for whole in left if id(whole) not in found]
    return found


# --- clingo windows --------------------------------------------------------------------------------------------------
# Items that ask for at most so many in each window of a row of places, as sums from the row's beginning.
#
# Of each five cars in a row, at most two have a sunroof, and 40 of all cars have one. No single item says how few of
# the first fifty have one at least: as many as are left when the windows of the other fifty are full. A solver that
# learns from single items has to find out such bounds again and again. So the windows of such a row (`WindowRow`) share
# the sums `S(t)` of what is taken at its first t places. What bounds S(t) follows from the windows and from how many
# are wanted in all, by shortest paths; each sum is written in unary, one atom for each number between its bounds.
#
# A row is found by its shape. The primary items are parted into sets of which each takes no option twice: for cars, one
# for each kind of car, and one for each place in the line. Windows that take options of the same items of such a set
# are a family; the items that lie within the family say how many are wanted. Its places are the options that are in the
# same windows; of each place at most one may be taken.
#
# Source: Mayer-Eichberger and Walsh, "SAT encodings for the car sequencing problem", Pragmatics of SAT 2013, for sums
# in unary with bounds from both ends; Brand, Narodytska, Quimper, Stuckey and Walsh, "Encodings of the sequence
# constraint", CP 2007, for differences of sums.


FEWEST = 3  # windows of a row
SHORTEST = 10  # places of a row; what single windows of shorter rows say is soon learned
PARTS = 4  # sets of items, at most, into which the primary items are parted
MOST_SUMS = 50_000  # atoms of the sums of a row


@frozen
class WindowRow:
    """Windows of a row of places. items: the windows.  places: the options of each place, of which one may be taken.
    spans: of each window, its first place, and the one after its last.  most: how many each window may have.
    least, greatest: bounds of the sum of the first t places, for t from 0; without an answer if they cross."""

    items: tuple[int, ...]
    places: tuple[tuple[int, ...], ...]
    spans: tuple[tuple[int, int], ...]
    most: int
    least: tuple[int, ...]
    greatest: tuple[int, ...]


def rows(problem: Problem) -> Iterator[WindowRow]:
    """The rows of a problem; no window is in two. None is found where there are colours. Time about linear in the
    length of the options, apart from sorting."""
    if problem.colours:
        return
    low, high, holders = problem.low, problem.high, problem.holders
    windows = [i for i in range(problem.primary, problem.items) if 1 <= high[i] < len(holders[i])]
    if len(windows) < FEWEST:
        return
    used: set[int] = set()  # windows of rows
    relied: set[int] = set()  # items because of which a place of a row is taken once
    for part in _parts(problem):
        families: dict[tuple[int, frozenset[int]], list[int]] = {}
        for i in with_limit_checks(windows):
            if i not in used and i not in relied:
                families.setdefault((high[i], frozenset([part[o] for o in holders[i]])), []).append(i)
        for (most, key), found in with_limit_checks(families.items(), 1):
            for family in () if -1 in key else _alike(problem, found):
                if len(family) < FEWEST:
                    continue
                whole = {o for i in family for o in holders[i]}
                wanted = sum([low[i] for i in key if whole.issuperset(holders[i])])
                row = _row(problem, family, most, wanted, sum([high[i] for i in key])) if wanted else None
                single = None if row is None or not relied.isdisjoint(family) else _single(problem, row, used)
                if row is not None and single is not None:
                    used.update(family)
                    relied.update(single)
                    yield row
                    break


def _alike(problem: Problem, family: Sequence[int]) -> Iterator[Sequence[int]]:
    """The family, and then its windows by how many options they have: some may be no windows, but single places."""
    yield family
    lengths: dict[int, list[int]] = {}
    for i in family:
        lengths.setdefault(len(problem.holders[i]), []).append(i)
    if len(lengths) > 1:
        yield from sorted(lengths.values(), key=len, reverse=True)


def _parts(problem: Problem) -> Iterator[list[int]]:
    """Sets of primary items without a common option, each set as the item of every option, or -1."""
    parts: list[list[int]] = []
    for i in with_limit_checks(range(problem.primary), 64):
        column = problem.holders[i]
        for part in parts:
            if all(part[o] < 0 for o in column):
                break
        else:
            if len(parts) == PARTS:
                continue
            part = [-1] * problem.options
            parts.append(part)
        for o in column:
            part[o] = i
    yield from parts


def _row(problem: Problem, family: Sequence[int], most: int, wanted: int, allowed: int) -> WindowRow | None:
    """The row of these windows; None if they do not overlap in order, or if the bounds of its sums say little.
    wanted, allowed: the least and the greatest number of its options that are taken."""
    spans: dict[int, list[int]] = {}  # per option, the first and the last of its windows, and how many these are
    for k, i in enumerate(family):
        for o in problem.holders[i]:
            span = spans.setdefault(o, [k, k, 0])
            span[1] = k
            span[2] += 1
    if any(last - first + 1 != count for first, last, count in spans.values()):
        return None
    found: dict[tuple[int, int], list[int]] = {}
    for o in sorted(spans):
        found.setdefault((spans[o][0], spans[o][1]), []).append(o)
    order = sorted(found)
    if len(order) < SHORTEST or any(a[1] > b[1] for a, b in pairwise(order)) or all(a == b for a, b in order):
        return None
    places = tuple([tuple(found[key]) for key in order])
    ends = [[t for t, (first, last) in enumerate(order) if first <= k <= last] for k in range(len(family))]
    cut = tuple([(at[0], at[-1] + 1) for at in ends])
    least, greatest = _bounds(len(places), cut, most, wanted, allowed)
    sums = sum([max(b - a, 0) for a, b in zip(least, greatest, strict=True)])
    if sums > MOST_SUMS or 4 * sum(least) < sum(greatest):
        return None
    return WindowRow(tuple(family), places, cut, most, tuple(least), tuple(greatest))


def _single(problem: Problem, row: WindowRow, used: Set[int]) -> set[int] | None:
    """Items because of which at most one option of each place is taken; None if there are none but windows. used: the
    windows of other rows."""
    found, own = set(), set(row.items)
    for place in row.places:
        if len(place) > 1:
            shared = set(problem.option(place[0])).intersection(*[problem.option(o) for o in place[1:]])
            item = min((i for i in shared if problem.high[i] <= 1 and i not in used and i not in own), default=None)
            if item is None:
                return None
            found.add(item)
    return found


def _bounds(
    places: int, spans: Sequence[tuple[int, int]], most: int, wanted: int, allowed: int
) -> tuple[list[int], list[int]]:
    """The least and the greatest sums of the first places, by what each place, each window, and all of them allow."""
    starts: dict[int, int] = {end: begin for begin, end in spans}
    ends: dict[int, int] = dict(spans)
    greatest = [0]
    for t in range(1, places + 1):
        within = greatest[starts[t]] + most if t in starts else t
        greatest.append(min(greatest[-1] + 1, within, allowed))
    least = [wanted]
    for t in range(places - 1, -1, -1):
        within = least[places - ends[t]] - most if t in ends else 0
        least.append(max(least[-1] - 1, within, 0))
    # No sum is above the next one.
    return list(accumulate(least[::-1], max)), list(accumulate(greatest[::-1], min))[::-1]


class Sums:
    """Writes the sums of a row."""

    def __init__(self, write: RuleWriter, row: WindowRow, atoms: Sequence[int]) -> None:
        """atoms: per option, its atom. Time linear in the atoms of the sums and in the length of windows."""
        self._write, self._row = write, row
        self._at: list[dict[int, int]] = []  # per t, the atoms that S(t) is so much at least
        self._taken = [write.one_of([atoms[o] for o in place]) for place in row.places]
        if any(a > b for a, b in zip(row.least, row.greatest, strict=True)):
            write.forbid([])
            return
        for first, end in with_limit_checks(row.spans, 64):
            write.many(0, row.most, self._taken[first:end])
        for t in with_limit_checks(range(len(row.places) + 1), 64):
            self._sum(t)
        for first, end in with_limit_checks(row.spans, 64):
            for k in range(row.most + 1, row.greatest[end] + 1):  # what was there before the window
                self._not_both(end, k, first, k - row.most)

    def _reaches(self, t: int, k: int) -> Literal | bool:
        """That S(t) is k at least."""
        if k <= self._row.least[t]:
            return True
        return self._at[t][k] if k <= self._row.greatest[t] else False

    def _sum(self, t: int) -> None:
        write, row = self._write, self._row
        self._at.append({k: write.new() for k in range(row.least[t] + 1, row.greatest[t] + 1)})
        if not t:
            return
        here = self._taken[t - 1]
        for k, atom in self._at[t].items():
            self._derive(atom, self._reaches(t - 1, k), [])
            self._derive(atom, self._reaches(t - 1, k - 1), [here])
        if row.greatest[t] == row.greatest[t - 1]:
            self._forbid(self._reaches(t - 1, row.greatest[t]), here)
        if row.least[t] > row.least[t - 1]:
            before = self._reaches(t - 1, row.least[t])
            write.forbid([-here] if before is False else [-here, -before])

    def _derive(self, atom: int, before: Literal | bool, also: list[Literal]) -> None:
        if before is True:
            self._write.implied(atom, also)
        elif before is not False:
            self._write.implied(atom, [before, *also])

    def _forbid(self, before: Literal | bool, here: Literal) -> None:
        if before is not False:
            self._write.forbid([here] if before is True else [before, here])

    def _not_both(self, end: int, k: int, first: int, least: int) -> None:
        """Where S(end) is k at least, S(first) is `least` at least."""
        reached, before = self._reaches(end, k), self._reaches(first, least)
        if before is True or reached is False:
            return
        body = [] if reached is True else [reached]
        self._write.forbid(body if before is False else [*body, -before])
