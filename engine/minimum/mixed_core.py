"""The core of any problem with costs: what is left of it, and its cliques."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from functools import cached_property
from itertools import chain, repeat
from math import gcd

from attrs import evolve

from covr.engine.base.limits import with_limit_checks
from covr.engine.kernels.header import MIXED_UNBOUNDED as UNBOUNDED
from covr.engine.prepare.bitsets import bit_set, few_members_of, members_of
from covr.engine.prepare.masks import Residual, take_given
from covr.engine.problem import Problem
from covr.engine.witness import carried, exchanged, hold_core
from covr.frozen import frozen

# --- mixed cliques ---------------------------------------------------------------------------------------------------
# Stronger rows for the linear program: cliques of options that exclude each other, whatever the items involved.
#
# Two options *conflict* where an item has room for only one of them, or where they show different colours of an item.
# Conflicts form a graph. In a clique, every two options conflict, so at most one of them is taken; an option that
# conflicts with all of them can be added to it.
#
# - An option that conflicts with every option of an item that needs one is in no answer, and is removed.
# - A row "at most one" is extended as far as possible, which improves the linear program's bound. A row that is then
#   part of another is removed: three edges that form a triangle leave one row.
# - Colours, which the linear program would otherwise not see, become rows as well: the options of an item to be met
#   exactly once that show one colour, with whatever conflicts with all of them, such as the neighbours' options that
#   show other colours.
#
# Each row is extended once, by the first options that fit; the largest cliques are not sought. Measured: the bound for
# a largest independent set of 60 vertices falls from 30 to 20 (the true value is 17), that for 25 edge-matching squares
# with costs rises from 57 to 149 (true: 156); set partitioning gains little. Source: clique merging, as in Achterberg
# and others (2020), "Presolve reductions in mixed integer programming".


MOST_ROWS = 2000  # rows of a linear program; the inverse of its basis takes 8 · rows² bytes
WIDEST = 1 << 31  # options times items, at most, for a tree: building it needs that many bits
WHOLE = 1e-6  # how far a value of a linear program may be from 0 or 1 to be read as such
EFFORT = 1 << 29  # options times members, or bits, compared at most to improve rows: a fraction of a second
COLOURED = 600  # rows for colours; if there would be more, none are added


@frozen(eq=False)
class CliqueRows:
    """lows, highs: bounds per row.  options: per option that stays, its rows, increasing.  kept: the options that stay,
    by their old numbers.  rows: the old numbers of the first rows, those that are no cliques."""

    lows: list[int]
    highs: list[int]
    options: list[list[int]]
    kept: list[int]
    rows: list[int]


def strengthen(
    lows: Sequence[int],
    highs: Sequence[int],
    rows: int,
    options: Sequence[Sequence[int]],
    shades: Sequence[Sequence[int]] | None,
) -> CliqueRows | None:
    """Better rows for the first `rows` items; the items after them, which show colours, stay as they are and are not
    part of the result. None where there is nothing to gain, or it would take long. Time O(members · options / 64)."""
    n = len(options)
    if n * sum(map(len, options)) > EFFORT:
        return None
    held: list[list[int]] = [[] for _ in lows]
    for o, option in enumerate(with_limit_checks(options)):
        for i in option:
            held[i].append(o)
    sets = [bit_set(row) for row in with_limit_checks(held, 64)]
    tints = _tints(rows, options, shades) if shades is not None else {}
    conflicts = _conflicts(highs, rows, options, shades, sets, tints)
    gone = 0
    for i in with_limit_checks(range(rows), 16):
        if lows[i] > 0:
            gone |= _common(held[i], conflicts, (1 << n) - 1 & ~sets[i])
    alive = (1 << n) - 1 & ~gone
    single = [i for i in range(rows) if highs[i] == 1]
    found = [sets[i] & alive for i in single if lows[i] == 1]  # these rows say "exactly one", and stay
    new: list[int] = []
    for i in with_limit_checks(single, 16):
        if lows[i] == 0:
            new.append(_grown(sets[i] & alive, conflicts, alive))
    tinted = [
        _grown(seed & alive, conflicts, alive)
        for seed in with_limit_checks(_seeds(lows, highs, rows, options, held, tints), 16)
    ]
    if len(tinted) <= COLOURED:
        new += tinted
    new = _maximal(found, [row for row in new if row & (row - 1)]) if new else new
    if not gone and len(new) == sum(lows[i] == 0 for i in single) and set(new) == {sets[i] for i in single}:
        return None
    kept = members_of(alive)
    place = {o: k for k, o in enumerate(kept)}
    stay = [i for i in range(rows) if not (lows[i] == 0 and highs[i] == 1)]
    own: list[list[int]] = [[] for _ in kept]
    for k, i in enumerate(stay):
        for o in held[i]:
            if o in place:
                own[place[o]].append(k)
    for k, row in enumerate(new, len(stay)):
        for o in few_members_of(row):
            own[place[o]].append(k)
    least, most = [lows[i] for i in stay], [highs[i] for i in stay]
    return CliqueRows([*least, *(0 for _ in new)], [*most, *(1 for _ in new)], own, kept, stay)


def _tints(rows: int, options: Sequence[Sequence[int]], shades: Sequence[Sequence[int]]) -> dict[int, dict[int, int]]:
    """For each item with colours, and each colour of it, the set of the options that show it; 0 is no colour."""
    shown: dict[int, dict[int, list[int]]] = {}
    for o, option in enumerate(options):
        for i, shade in zip(option, shades[o], strict=True):
            if i >= rows:
                shown.setdefault(i, {}).setdefault(shade, []).append(o)
    return {i: {shade: bit_set(row) for shade, row in by.items()} for i, by in shown.items()}


def _conflicts(
    highs: Sequence[int],
    rows: int,
    options: Sequence[Sequence[int]],
    shades: Sequence[Sequence[int]] | None,
    sets: Sequence[int],
    tints: dict[int, dict[int, int]],
) -> list[int]:
    """For each option, the set of the other options that it excludes."""
    found = []
    for o, option in enumerate(with_limit_checks(options, 64)):
        barred = 0
        for k, i in enumerate(option):
            if i >= rows:
                assert shades is not None
                shade = shades[o][k]
                barred |= sets[i] & ~tints[i][shade] if shade else sets[i]
            elif highs[i] == 1:
                barred |= sets[i]
        found.append(barred and barred & ~(1 << o))
    return found


def _common(row: Sequence[int], conflicts: Sequence[int], among: int) -> int:
    """Those options of the set `among` that conflict with every option of a row."""
    for o in row:
        if not among:
            break
        among &= conflicts[o]
    return among


def _grown(row: int, conflicts: Sequence[int], alive: int) -> int:
    """A row extended by options that conflict with all it holds, one after another, the lowest first."""
    among = _common(few_members_of(row), conflicts, alive)
    while among:
        o = (among & -among).bit_length() - 1
        row |= 1 << o
        among &= conflicts[o]
    return row


def _seeds(
    lows: Sequence[int],
    highs: Sequence[int],
    rows: int,
    options: Sequence[Sequence[int]],
    held: Sequence[Sequence[int]],
    tints: dict[int, dict[int, int]],
) -> list[int]:
    """Sets of options that hold one item to be met exactly once, and show one colour of another item."""
    exact = [i for i in range(rows) if lows[i] == highs[i] == 1]
    sets = {i: bit_set(held[i]) for i in exact}
    seeds: dict[int, None] = {}
    for by in tints.values():
        for shade, shown in by.items():
            if not shade:
                continue
            first = options[(shown & -shown).bit_length() - 1]
            rest = shown
            for i in [*(i for i in first if i in sets), *exact]:
                if not rest:
                    break
                if part := rest & sets[i]:
                    seeds[part] = None
                    rest &= ~sets[i]
            if len(seeds) > COLOURED:
                return list(seeds)
    return list(seeds)


def _maximal(found: Sequence[int], new: Sequence[int]) -> list[int]:
    """Those of the new rows that are contained in no other new row and in none of `found`."""
    having: dict[int, list[int]] = {}  # per option, the rows that were accepted and hold it
    for row in found:
        for o in few_members_of(row):
            having.setdefault(o, []).append(row)
    kept = []
    for row in sorted(dict.fromkeys(new), key=lambda row: -row.bit_count()):
        first = (row & -row).bit_length() - 1
        if any(row & other == row for other in having.get(first, ())):
            continue
        kept.append(row)
        for o in few_members_of(row):
            having.setdefault(o, []).append(row)
    return kept


# --- mixed core ------------------------------------------------------------------------------------------------------
# The core: what is left of any problem once the obvious is settled, and the units in which its bounds are computed.
#
# - Given options are taken, and the options they exclude are removed.
# - An option whose cost is 0 or more and that holds no item with a need is removed: answers can do without it.
# - Where all options that hold one item also hold another, and taking as many as the first item needs fills the other,
#   the remaining options of the other item are removed (in set partitioning: one row's options are among another's).
# - Of several items that are held by the same options, one stays, with the bounds of all of them.
# - Of several options with the same items and colours, of which only one can be taken, the cheapest stays.
#
# Costs are divided by their greatest common divisor. Bounds are whole multiples of 1 / `unit` of a cost of 1 after that
# division.


FINEST, COARSEST = 1 << 20, 1 << 6  # the largest and the smallest `unit` that are used
FINER = 1 << 32  # the largest `unit` where rows have coefficients
ROOM = 1 << 61  # sums of prices and costs stay below this, in units
MOST = 1 << 36  # sums of absolute costs stay below this


@frozen
class HeavyRow:
    """The coefficients of the taken options add up to a number from low to high.

    terms: (option, coefficient), options increasing, coefficients not 0; with signs left out they add up to less than
    `UNBOUNDED`.  high: `UNBOUNDED` for no bound; low: as low as the sum can be, for none.
    """

    low: int
    high: int
    terms: Sequence[tuple[int, int]]

    @cached_property
    def steepest(self) -> int:
        """The greatest coefficient, signs left out. Kept, as it is asked for again with each row that is added."""
        return max([abs(weight) for _, weight in self.terms])


@frozen(eq=False)
class MixedCore:
    """A problem reduced to what is still open.

    lows, highs: per item, how many options it still needs and how many it has room for; the first `rows` items show no
    colours.  options: per option its items, increasing.  shades: the colours beside them, or None.  costs: per option,
    divided by `gcd`.  numbers: per option, its number in the problem.  base: what the given options cost, undivided.
    unit, most: see `_mixed.py`.  feasible: False where it is already known that there is no answer.  heavy: rows with
    coefficients (sided_tree.py), which come after the first `rows` items.  witness: see `Problem`, in these numbers.
    sources: for each of the first `rows` items, the two items of the problem whose lower and upper bound it has, which
    are mostly the same one; none where it is a clique of options.
    """

    lows: Sequence[int]
    highs: Sequence[int]
    rows: int
    options: Sequence[Sequence[int]]
    shades: Sequence[Sequence[int]] | None
    costs: Sequence[int]
    numbers: Sequence[int]
    base: int
    gcd: int
    unit: int
    most: int
    feasible: bool
    heavy: Sequence[HeavyRow] = ()
    witness: frozenset[int] | None = None
    sources: Sequence[tuple[int, int] | None] = ()

    @property
    def members(self) -> int:
        """How many items the options hold, all together."""
        return sum(map(len, self.options))

    @property
    def dearest(self) -> int:
        """No answer costs more than this."""
        return sum(max(cost, 0) for cost in self.costs)

    @property
    def worth(self) -> int:
        """What the witness costs in the core."""
        return sum(self.costs[o] for o in self.witness or ())

    def whole(self, cost: int) -> int:
        """The cost in the problem of an answer that costs this in the core."""
        return self.base + self.gcd * cost

    def ceiling(self, cost: int) -> int:
        """The most an answer may cost in the core if it may cost at most this in the problem; never above `dearest`
        or below -`MOST`."""
        return min(max((cost - self.base) // self.gcd, -MOST), self.dearest)

    def barrier(self, ceiling: int) -> int:
        """The bound, in units, from which on no answer of at most this cost (in the core) is possible."""
        return ceiling * self.unit + 1

    def least(self, bound: int) -> int:
        """A bound in units as a cost in the core, rounded up."""
        return -(-bound // self.unit)


def core(problem: Problem) -> MixedCore:
    """The core of a problem. Time linear in the length of the options, except for comparing sets of items."""
    residual = take_given(problem)
    costs = problem.costs
    needed = [n > 0 for n in with_limit_checks(residual.need)]
    live = [
        o
        for o in with_limit_checks(range(problem.options))
        if residual.live[o] and (costs[o] < 0 or True in map(needed.__getitem__, problem.option(o)))
    ]
    live = _without_doubles(problem, _without_implied(problem, residual, live))
    if problem.witness is not None:
        problem = _exchanged(problem, live)
    return _core_of(problem, residual, live)


def sided_core(problem: Problem, out: Collection[int], rows: Sequence[HeavyRow]) -> MixedCore:
    """The core of a problem with sides, from which no option is removed because another one is as good.

    problem: without its sides; given are all options that every answer takes.  out: options that no answer takes.
    rows: what its totals demand of the other options, in the problem's numbers.
    """
    residual = take_given(problem)
    live = [o for o in with_limit_checks(range(problem.options)) if residual.live[o] and o not in out]
    return _core_of(problem, residual, live, rows)


def _core_of(problem: Problem, residual: Residual, live: list[int], heavy: Sequence[HeavyRow] = ()) -> MixedCore:
    """The core with these options. Time as for `core`."""
    costs, need, room = problem.costs, residual.need, residual.room
    needed = [n > 0 for n in with_limit_checks(need)]
    holders = Counter(chain.from_iterable(map(problem.option, with_limit_checks(live))))
    tinted = set()
    if problem.colours:
        for o in with_limit_checks(live):
            tinted |= {i for i, c in zip(problem.option(o), problem.option_colours(o), strict=True) if c}
    low, high = list(need), list(room)
    kept = [
        i for i in with_limit_checks(range(problem.items)) if i not in tinted and (needed[i] or room[i] < holders[i])
    ]
    merged = _merged(problem, live, kept, low, high)
    kept, sources = list(merged), list(merged.values())
    rows = len(kept)
    kept += sorted(tinted)
    place = [-1] * problem.items
    for k, i in enumerate(with_limit_checks(kept)):
        place[i] = k
    options: list[Sequence[int]] = []
    shades: list[list[int]] = []
    for o in with_limit_checks(live):
        if tinted:
            pairs = sorted(
                (place[i], colour)
                for i, colour in zip(problem.option(o), problem.option_colours(o), strict=True)
                if place[i] >= 0 and not (colour and residual.fixed[i] == colour)
            )
            options.append([k for k, _ in pairs])
            shades.append([colour for _, colour in pairs])
        else:
            options.append(tuple([k for k in map(place.__getitem__, problem.option(o)) if k >= 0]))
    lows = [low[i] for i in kept]
    highs = [high[i] if high[i] < holders[i] else UNBOUNDED for i in kept]
    better = strengthen(lows, highs, rows, options, shades if tinted else None)
    if better is not None:
        later = len(better.lows) - rows
        first = [sum(i < rows for i in options[o]) for o in better.kept]  # of the items that show colours
        if tinted:
            parts = zip(better.kept, better.options, first, strict=True)
            shades = [[0] * len(held) + shades[o][k:] for o, held, k in parts]
        parts = zip(better.kept, better.options, first, strict=True)
        options = [[*held, *(i + later for i in options[o][k:])] for o, held, k in with_limit_checks(parts)]
        live = [live[o] for o in better.kept]
        sources = [sources[i] for i in better.rows]
        lows, highs, rows = [*better.lows, *lows[rows:]], [*better.highs, *highs[rows:]], len(better.lows)
    divisor = gcd(*(costs[o] for o in with_limit_checks(live))) or 1
    own = [costs[o] // divisor for o in with_limit_checks(live)]
    if heavy:
        number = {o: k for k, o in enumerate(live)}
        heavy = [
            evolve(row, terms=[(number[o], a) for o, a in row.terms if o in number]) for row in with_limit_checks(heavy)
        ]
        heavy = [row for row in heavy if row.terms]
    unit, most = units(own, highs, options, heavy)
    made = MixedCore(
        lows,
        highs,
        rows,
        options,
        shades if tinted else None,
        own,
        live,
        sum(costs[o] for o in with_limit_checks(problem.given)),
        divisor,
        unit,
        most,
        residual.feasible,
        heavy,
        sources=[*sources, *repeat(None, rows - len(sources))],
    )
    return made if problem.witness is None else _witnessed(made, problem)


def _witnessed(made: MixedCore, problem: Problem) -> MixedCore:
    """The core with the problem's witness, to which its rows are held."""
    taken = carried(problem, made.numbers, problem.given, "the core")
    made = evolve(made, witness=frozenset(taken or ()))
    hold_core(made)
    return made


def _exchanged(problem: Problem, live: Sequence[int]) -> Problem:
    """The problem with a witness of the live options: one that is left out because another one holds the same is
    exchanged for that, and one that nothing needs is let be."""
    assert problem.witness is not None
    kept = {(*problem.option(o), -1, *problem.option_colours(o)): o for o in live}
    given, there = set(problem.given), set(live)
    taken = []
    for o in problem.witness:
        if o in given or o in there:
            taken.append(o)
            continue
        other = kept.get((*problem.option(o), -1, *problem.option_colours(o)))
        if other is not None:
            taken.append(other)
    return exchanged(problem, taken, "the core")


def units(
    costs: Sequence[int], highs: Sequence[int], options: Sequence[Sequence[int]], heavy: Sequence[HeavyRow] = ()
) -> tuple[int, int]:
    """`unit` and `most` such that every sum of prices and costs fits in 63 bits; a unit of 0 where none will do.

    The price of a heavy row counts once for every unit of a coefficient, and is therefore at most `most` divided by the
    greatest of them; units are so much finer, too.
    """
    unit = FINEST
    for row in with_limit_checks(heavy):
        unit = max(unit, min(FINEST * row.steepest, FINER))
    while unit >= COARSEST:
        most = most_of(costs, highs, options, heavy, unit)
        if most > 0:
            return unit, most
        unit //= 2
    return 0, 0


def most_of(
    costs: Sequence[int],
    highs: Sequence[int],
    options: Sequence[Sequence[int]],
    heavy: Sequence[HeavyRow],
    unit: int,
) -> int:
    """The greatest price, in this unit, with which no sum overflows; 0 if it would be too low to be of use."""
    total = sum(map(abs, with_limit_checks(costs)))
    dearest = max(map(abs, with_limit_checks(costs)), default=0)
    places = (
        sum(high for high in highs if high < UNBOUNDED) + 2 * sum(map(len, with_limit_checks(options))) + len(highs) + 1
    )
    for row in with_limit_checks(heavy):
        bound = max(abs(row.low), abs(row.high) if row.high < UNBOUNDED else 0)
        places += 2 * len(row.terms) + bound // row.steepest + 2
    most = (ROOM - total * unit) // places
    return most if most >= max(dearest, 1) * unit else 0


def _without_implied(problem: Problem, residual: Residual, live: list[int]) -> list[int]:
    """The live options, without those of an item that is always filled by the options of another item."""
    if problem.colours:
        return live
    need, room = residual.need, residual.room
    bits = [1 << i for i in range(problem.items)]
    sets = [sum(map(bits.__getitem__, problem.option(o))) for o in with_limit_checks(live)]
    common: dict[int, int] = {}  # for each item with a need, the items that all its options hold
    for o, held in with_limit_checks(zip(live, sets, strict=True)):
        for i in problem.option(o):
            if need[i] > 0:
                common[i] = common.get(i, held) & held
    tests = [
        (bits[k], bits[i])
        for i, shared in with_limit_checks(common.items(), 64)
        if shared != bits[i]
        for k in members_of(shared)
        if k != i and room[k] <= need[i] and common.get(k) != shared
    ]
    if not tests:
        return live
    if len(live) * len(tests) * problem.items > EFFORT:
        return live
    lacking: dict[int, int] = {}  # for each item that is filled, the items whose options fill it
    for has, lacks in with_limit_checks(tests):
        lacking[has] = lacking.get(has, 0) | lacks
    every = sum(lacking)
    return [
        o
        for o, held in with_limit_checks(zip(live, sets, strict=True))
        if not held & every or all(held & lacks == lacks for has, lacks in lacking.items() if held & has)
    ]


def _merged(
    problem: Problem, live: list[int], kept: list[int], low: list[int], high: list[int]
) -> dict[int, tuple[int, int]]:
    """The first of each set of items that are held by the same options, with those of the set that have the highest
    lower and the lowest upper bound; `low` and `high` get these bounds."""
    rows: dict[int, list[int]] = {i: [] for i in kept}
    for o in with_limit_checks(live):
        for i in problem.option(o):
            if i in rows:
                rows[i].append(o)
    first: dict[tuple[int, ...], int] = {}
    sources: dict[int, tuple[int, int]] = {}
    for i, row in with_limit_checks(rows.items(), 64):
        k = first.setdefault(tuple(row), i)
        needing, limiting = sources.get(k, (i, i))
        sources[k] = (i if low[i] > low[k] else needing, i if high[i] < high[k] else limiting)
        low[k], high[k] = max(low[k], low[i]), min(high[k], high[i])
    return sources


def _without_doubles(problem: Problem, live: list[int]) -> list[int]:
    """The live options, keeping only the cheapest of those that hold the same where only one of them may be taken."""
    best: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}
    kept = []
    for o in with_limit_checks(live):
        held = tuple(problem.option(o))
        if not any(problem.high[i] == 1 for i in held):
            kept.append(o)
            continue
        shown = tuple(problem.option_colours(o)) if problem.colours else ()
        if problem.colours and not any(problem.high[i] == 1 and not c for i, c in zip(held, shown, strict=True)):
            kept.append(o)
            continue
        other = best.get((held, shown))
        if other is None or problem.costs[o] < problem.costs[other]:
            best[held, shown] = o
    if len(kept) + len(best) == len(live):
        return live
    return sorted([*kept, *best.values()])
