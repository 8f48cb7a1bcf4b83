"""How a constraint can be broken, as demands that a search can take: what leads from "this is spare" to "no answer".

A constraint is numbered as in conflict.py. It is broken in one of a few ways (`Breach`), and the answers of a problem
in which one of them holds are those that break it:

- an item with the bounds low, high: fewer than low options hold it, or more than high;
- an item with colours: two of its options are taken that don't show the same colour;
- a given option: it is left out;
- a total: the sum lies in none of its ranges;
- a connection: its graph can be cut in two parts, each with a taken vertex, and no edge joins two taken vertices of
  different parts;
- a circuit: nothing is taken; or a vertex is met once, or more than twice; or the taken options can be cut in two parts
  that share no vertex.

What is cut, or which colours are shown, is told by options that are added for it: without items, numbered after the
problem's own. They can be taken in several ways for one answer, which doesn't matter where one answer is enough.
Tried: going through the answers without a connection until one breaks it. Where all keep it, that sees all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count

from attrs import field

from covr.engine.problem import Problem
from covr.engine.sides import Circuit, Connection, Side, Total
from covr.frozen import frozen

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


__all__ = ["Breach", "breaches"]
