"""Items that ask for at most so many in each window of a row of places, as sums from the row's beginning.

Of each five cars in a row, at most two have a sunroof, and 40 of all cars have one. No single item says how few of the
first fifty have one at least: as many as are left when the windows of the other fifty are full. A solver that learns
from single items has to find out such bounds again and again. So the windows of such a row (`WindowRow`) share the sums
`S(t)` of what is taken at its first t places. What bounds S(t) follows from the windows and from how many are wanted
in all, by shortest paths; each sum is written in unary, one atom for each number between its bounds.

A row is found by its shape. The primary items are parted into sets of which each takes no option twice: for cars, one
for each kind of car, and one for each place in the line. Windows that take options of the same items of such a set are
a family; the items that lie within the family say how many are wanted. Its places are the options that are in the same
windows; of each place at most one may be taken.

Measured, conflicts and CPU with ground and search: 100 cars of 19 kinds, each window with a capacity that is used by
four fifths and more (41/66 of CSPLib), open after 1 500 000 conflicts, 36 s; with the bounds only, as weight rules,
25 160 conflicts; with sums in unary 2044, and 139 where the sums at both ends of a window are compared as well.
Sums that are free, and held to the places by clauses in both directions, take ten times as long as sums that are
derived by rules.

Source: Mayer-Eichberger and Walsh, "SAT encodings for the car sequencing problem", Pragmatics of SAT 2013, for sums in
unary with bounds from both ends; Brand, Narodytska, Quimper, Stuckey and Walsh, "Encodings of the sequence constraint",
CP 2007, for differences of sums.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from itertools import accumulate, pairwise

from covr.engine.base.heed import heeded
from covr.engine.outside.clingo_writer import Literal, RuleWriter
from covr.engine.problem import Problem
from covr.frozen import frozen

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
        for i in heeded(windows):
            if i not in used and i not in relied:
                families.setdefault((high[i], frozenset([part[o] for o in holders[i]])), []).append(i)
        for (most, key), found in heeded(families.items(), 1):
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
    for i in heeded(range(problem.primary), 64):
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
        for first, end in heeded(row.spans, 64):
            write.many(0, row.most, self._taken[first:end])
        for t in heeded(range(len(row.places) + 1), 64):
            self._sum(t)
        for first, end in heeded(row.spans, 64):
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


__all__ = ["Sums", "WindowRow", "rows"]
