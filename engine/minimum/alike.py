"""Columns that are alike, put in order: rolls, vans, teams, machines that nothing tells apart.

Where parts of a problem may change places, a proof meets every answer as often as there are orders of the parts. Any
number can be read off each part, say how much is cut from a roll; since the parts may change places, some cheapest
answer has these numbers falling. So totals that demand it leave the minimum as it is.

The parts are found, not declared: among the symmetries of the problem (engine/symmetries.py) those that exchange
two columns of options and, done twice, nothing. A family of them that hang together exchanges all columns with each
other. Only those options count as rows of a family of which each exchange moves none or two, so that a family may move
other options as well, in any way: teams are columns of `home(team, round)`, whatever becomes of `play(a, b, round)`.
A later family must leave the rows of the earlier ones alone. Then sorting it does not undo what was sorted before.

What is read off a column is written in digits: options of which an item takes one at most are one digit, since then few
numbers suffice. Numbers that are small are kind to linear programs, so digits end at `LARGEST`; columns that agree in
them are not told apart, which is as valid.

Measured, CPU: five kinds of pieces from seven rolls, of which six hold them by weight but not by shape: 4.7 s before,
and 0.3 s with this; CP-SAT takes 0.7 s. Eight teams with as few breaks as can be: 6.5 s before, 0.4 s with this; CP-SAT
takes 10.7 s. Problems that the walk ends in its first turn (mixed.py) never come here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import evolve

from covr.engine.problem import Problem, Total
from covr.engine.symmetries import MOST_EDGES, Move, graph_of, moves_of
from covr.engine.witness import exchanged
from covr.frozen import frozen

MOST = 100  # exchanges that are tried
LARGEST = 1 << 16  # what is read off a column is less than this


@frozen
class Columns:
    """Columns that may change places. rows: for each row, its option in each column, in the order of the first row's
    options."""

    rows: tuple[tuple[int, ...], ...]


def ordered(problem: Problem) -> Problem:
    """The same problem with totals that put columns that are alike in order; itself, if there are none. Its answers are
    answers of the problem, and the cheapest cost as much. Time: `MOST_EDGES`, and linear in what symmetries move."""
    moves, _, _ = moves_of(graph_of(problem), problem.options, MOST_EDGES)
    exchanges = exchanges_of(moves)
    found = families(exchanges)
    totals = [total for family in found for total in falling(problem, family)]
    if not totals:
        return problem
    made = evolve(problem, sides=(*problem.sides, *totals))
    return made if problem.witness is None else _with_image(made, found, exchanges)


def _with_image(problem: Problem, found: Sequence[Columns], exchanges: Sequence[Mapping[int, int]]) -> Problem:
    """The problem with an image of its witness whose columns are in order. Raises Lost if there is none: then the order
    excludes an answer for which there is no other."""
    taken = set(problem.witness or ())
    for columns in found:
        weights = _weights(problem, [row[0] for row in columns.rows])
        place = {o: k for row in columns.rows for k, o in enumerate(row)}
        swaps: dict[tuple[int, int], Mapping[int, int]] = {}
        for one in exchanges:
            pairs = {(place[o], place.get(other, -1)) for o, other in one.items() if o in place}
            if len(pairs) == 2 and all(one.get(row[a]) == row[b] for a, b in pairs for row in columns.rows):
                swaps.update(dict.fromkeys(pairs, one))
        size = len(columns.rows[0])
        for middle in range(size):  # exchanges of any two columns, by those of each with a third
            for a in range(size):
                for b in range(size):
                    if a != b and (a, b) not in swaps and (a, middle) in swaps and (middle, b) in swaps:
                        swaps[a, b] = _through(swaps[a, middle], swaps[middle, b])

        for first in range(size):
            read = [
                sum(w for row, w in zip(columns.rows, weights, strict=True) if row[column] in taken)
                for column in range(size)
            ]
            best = first + read[first:].index(max(read[first:]))
            if best != first and (first, best) in swaps:
                one = swaps[first, best]
                taken = {one.get(o, o) for o in taken}
    return exchanged(problem, taken, "columns that are alike, in order")


def _through(one: Mapping[int, int], other: Mapping[int, int]) -> dict[int, int]:
    """An exchange with a third column, one with that, and the first again: the exchange of the two others."""
    moved = {*one, *other}
    there = [other.get(one.get(o, o), one.get(o, o)) for o in moved]
    return dict(zip(moved, [one.get(o, o) for o in there], strict=True))


def exchanges_of(moves: Sequence[Move]) -> list[dict[int, int]]:
    """Symmetries that are their own inverses, as the images of the options they move: those among the generators, and
    what the generators make of them, so that all exchanges of two columns are there where one is. Up to `MOST`."""
    maps = [dict(zip(*move, strict=True)) for move in moves]
    found = {frozenset(one.items()): one for one in maps if all(one[other] == o for o, other in one.items())}
    begun = list(found.values())
    for one in begun:  # which grows
        for move in maps:
            if len(found) >= MOST:
                return begun
            image = {move.get(o, o): move.get(other, other) for o, other in one.items()}
            if found.setdefault(frozenset(image.items()), image) is image:
                begun.append(image)
    return begun


def families(exchanges: Sequence[Mapping[int, int]]) -> list[Columns]:
    """Families of columns. exchanges: symmetries that are their own inverses, as the images of the options they move.

    Each exchange is used once: it begins a family, or adds a column to one. Quadratic in their number.
    """
    found: list[Columns] = []
    sorted_already: set[int] = set()
    left = list(exchanges)
    while left:
        first, *left = left
        if any(o in sorted_already for o in first):
            continue
        rows = [[o, other] for o, other in first.items() if o < other]
        at = 0
        while at < len(left):
            longer = [] if any(o in sorted_already for o in left[at]) else _longer(rows, left[at])
            if longer:
                rows = longer
                del left[at]
                at = 0  # what did not fit before may fit now
            else:
                at += 1
        order = sorted(range(len(rows[0])), key=lambda column: rows[0][column])
        found.append(Columns(tuple(tuple(row[column] for column in order) for row in rows)))
        sorted_already.update(o for row in rows for o in row)
    return found


def _longer(rows: Sequence[Sequence[int]], exchange: Mapping[int, int]) -> list[list[int]]:
    """The rows with one column more, which the exchange adds: in each of them it moves a single option, always that of
    the same column. Rows in which it does something else are left out; empty if too few are left to tell the columns
    apart."""
    met: dict[int, list[list[int]]] = {}
    for row in rows:
        moved = [column for column, o in enumerate(row) if o in exchange]
        if len(moved) == 1:
            met.setdefault(moved[0], []).append([*row, exchange[row[moved[0]]]])
    best = max(met.values(), key=len, default=[])
    return best if best and 1 << len(best) >= len(best[0]) else []


def falling(problem: Problem, columns: Columns) -> list[Total]:
    """Totals that demand that what is read off the columns falls from each to the next."""
    weights = _weights(problem, [row[0] for row in columns.rows])
    most = sum(weights)
    totals = []
    for column in range(len(columns.rows[0]) - 1):
        terms = {row[column]: weight for row, weight in zip(columns.rows, weights, strict=True) if weight}
        terms |= {row[column + 1]: -weight for row, weight in zip(columns.rows, weights, strict=True) if weight}
        totals.append(Total(tuple(sorted(terms.items())), ((0, most),), "columns that are alike, in order"))
    return totals


def _weights(problem: Problem, column: Sequence[int]) -> list[int]:
    """What each option of a column counts; 0 for those that come after `LARGEST`. The first digits count most."""
    digits: list[list[int]] = []  # of places in the column
    shared: set[int] = set()  # items of which every option of the last digit is one, and that take one at most
    for place, option in enumerate(column):
        items = {i for i in problem.option(option) if problem.high[i] == 1}
        if digits and shared & items:
            digits[-1].append(place)
            shared &= items
        else:
            digits.append([place])
            shared = items
    kept, size = 0, 1
    while kept < len(digits) and size * (len(digits[kept]) + 1) <= LARGEST:
        size *= len(digits[kept]) + 1
        kept += 1
    weights = [0] * len(column)
    for digit in digits[:kept]:
        size //= len(digit) + 1
        for number, place in enumerate(digit, 1):
            weights[place] = number * size
    return weights
