"""What an `if … then` demands of choices, by their numbers, once its names have values.

Every demand has one form: if all of some choices are taken, and none of some others, then a sum is in one of some
ranges. Without a range, one of those others is taken. `not f(x)` before `then` is a choice of the second kind. Each
part after `then` makes a demand. For the way back of `if and only if`, the condition is multiplied out, and the counts
after it become one sum in which each has a digit of its own.

A sum with a condition becomes one total. If only one bound can be broken, each failing part of the condition gives way
by as much as the sum can miss the bound, which is the tightest linear row. Otherwise each part that holds adds more
than the sum can differ by, and the total has a gap, from which linear programs get the rows of both bounds
(engine/minimum/sided_tree.py). Where one choice holds exactly if a count does, both directions are one total.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, pairwise, product
from typing import NamedTuple

from covr.compiler.evaluate import EvalFault
from covr.compiler.lower.rules import Wanted, ends_of_sum, merged, within_reach
from covr.dsl.diagnostics import Diagnostic, Span

Literal = tuple[int | None, bool]
"""A choice before `then`, None if it can't be taken, and whether it is negated."""

Terms = tuple[tuple[int, int], ...]
"""Choices, increasing, and what each counts, which is not 0."""

MOST_RANGES = 10_000  # of sums in which several counts are as they are wanted: as many as a wish may have states


class StatedDemand(NamedTuple):
    """If all of `all_of` are taken and none of `one_of`, then the taken `terms` add up to a sum that is wanted.

    - want: the wanted ranges, within reach of the terms; if empty, one of `one_of` is to be taken, and there are no
      terms
    - flag: a further choice, which is taken exactly if the sum is not wanted; nothing else is demanded then

    No choice is in two of the three.
    """

    all_of: frozenset[int]
    one_of: frozenset[int]
    terms: Terms = ()
    want: Wanted = ()
    flag: int | None = None


class StatedPart(NamedTuple):
    """A part of what stands after `then`. how: `all`, `some` or `no` of the choices, or `sum`: what they count is
    wanted. lost: after `all`, whether some more of them exist, but can't be taken. want: within reach."""

    how: str
    choices: tuple[int, ...]
    lost: bool = False
    terms: Terms = ()
    want: Wanted = ()


def counted(terms: Mapping[int, int], want: Wanted) -> StatedPart:
    """What a count says, in the simplest words. terms: choice → what it counts."""
    terms = {choice: count for choice, count in terms.items() if count}
    choices = tuple(sorted(terms))
    reach = ends_of_sum(terms.values())
    left = within_reach(terms, want)
    if not left:
        return StatedPart("some", ())
    if left == (reach,):
        return StatedPart("all", ())
    if {*terms.values()} == {1}:
        plain = {(0, 0): "no", (1, reach[1]): "some", (reach[1], reach[1]): "all"}.get(left[0])
        if plain and len(left) == 1:
            return StatedPart(plain, choices)
    return StatedPart("sum", choices, terms=tuple([(choice, terms[choice]) for choice in choices]), want=left)


def demands(
    when: Sequence[Sequence[Literal]], parts: Sequence[StatedPart], both: bool, span: Span, *, apart: bool = False
) -> Iterator[StatedDemand]:
    """The demands of a statement. when: the condition before `then`, a disjunction of conjunctions. both: whether it
    says `if and only if`. apart: whether no demand may be for both directions. Raises EvalFault E419 for counts with
    too many ways."""
    if both and not apart:
        flag = _flagged(when, parts)
        if flag is not None:
            yield flag
            return
    for taken, free in _alternatives(when):
        if taken.isdisjoint(free):
            for part in parts:
                yield from _follows(taken, free, part)
    if both:
        yield from _back(when, parts, span)


def _flagged(when: Sequence[Sequence[Literal]], parts: Sequence[StatedPart]) -> StatedDemand | None:
    """Both directions at once, where a choice stands before `then` and a sum without it after."""
    match when, parts:
        case [[[int() as number, negated]]], [StatedPart(how="sum") as part] if number not in part.choices:
            want = part.want
            if not negated:
                want = tuple(_between(*_reach(part.terms, part.want)))
            return StatedDemand(frozenset(), frozenset(), part.terms, want, number)
    return None


def _follows(taken: frozenset[int], free: frozenset[int], part: StatedPart) -> Iterator[StatedDemand]:
    """What a part demands if all of the first choices are taken and none of the second."""
    if part.how == "sum":
        yield from _guarded(taken, free, part.terms, part.want)
    elif part.how == "all":
        if part.lost:
            yield StatedDemand(taken, free)
        for other in part.choices:
            if other not in taken:
                yield StatedDemand(taken, free | {other})
    elif part.how == "some":
        if taken.isdisjoint(part.choices):
            yield StatedDemand(taken, free.union(part.choices))
    elif taken.isdisjoint(part.choices):
        for other in part.choices:
            if other not in free:
                yield StatedDemand(taken | {other}, free)
    else:
        yield StatedDemand(taken, free)


def _guarded(taken: frozenset[int], free: frozenset[int], terms: Terms, want: Wanted) -> Iterator[StatedDemand]:
    """The demands of a sum under a condition, which settles what its own choices count."""
    if not taken.isdisjoint(free):
        return
    settled = sum([count for choice, count in terms if choice in taken])
    left = {choice: count for choice, count in terms if choice not in taken and choice not in free}
    ends = [(None if low is None else low - settled, None if high is None else high - settled) for low, high in want]
    part = counted(left, tuple(ends))
    if part.how == "sum":
        yield StatedDemand(taken, free, part.terms, part.want)
    else:
        yield from _follows(taken, free, part)


def _alternatives(when: Sequence[Sequence[Literal]]) -> Iterator[tuple[frozenset[int], frozenset[int]]]:
    """The ways in which a condition can hold: the choices that are taken, and those that are not."""
    for together in when:
        if (None, False) not in together:
            yield (
                frozenset([n for n, negated in together if not negated and n is not None]),
                frozenset([n for n, negated in together if negated and n is not None]),
            )


def _back(when: Sequence[Sequence[Literal]], parts: Sequence[StatedPart], span: Span) -> Iterator[StatedDemand]:
    """What is demanded if every part holds: the condition before `then`."""
    if any(part.lost for part in parts):
        return
    choosing = [part for part in parts if part.how == "some" and len(part.choices) > 1]
    sums = [(part.terms, part.want) for part in parts if part.how == "sum"]
    plain = [part for part in parts if part.how != "sum"]
    if len(choosing) > 1:  # to multiply them out would be a demand for each combination
        sums += [(tuple([(c, 1) for c in part.choices]), ((1, len(part.choices)),)) for part in choosing]
        plain = [part for part in plain if part not in choosing]
    terms, others = _not_all(sums, span) if sums else ((), ())
    broken = [*_alternatives([[(n, not negated) for n, negated in literals] for literals in product(*when)])]
    for ways in product(*map(_ways, plain)):
        taken = frozenset(chain.from_iterable([yes for yes, _ in ways]))
        free = frozenset(chain.from_iterable([no for _, no in ways]))
        for yes, no in broken:
            gone, one_of = taken | yes, free | no
            if sums:
                yield from _guarded(gone, one_of, terms, others)
            elif gone.isdisjoint(one_of):
                yield StatedDemand(gone, one_of)


def _ways(part: StatedPart) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The ways in which a part without a sum can hold: the choices that are taken, and those that are not."""
    if part.how == "all":
        return [(part.choices, ())]
    return [((), part.choices)] if part.how == "no" else [((choice,), ()) for choice in part.choices]


def _not_all(sums: Sequence[tuple[Terms, Wanted]], span: Span) -> tuple[Terms, Wanted]:
    """One sum for several, and its ranges for which not all of them are as they are wanted."""
    ordered = sorted(sums, key=lambda one: -sum(high - low for low, high in _closed(one[1])))  # fewer ranges
    terms: Counter[int] = Counter()
    kept: list[tuple[int, int]] = [(0, 0)]
    base, below = 1, 0
    for own, want in ordered:
        least, ranges, most = _reach(own, want)
        for choice, count in own:
            terms[choice] += base * count
        below += base * least
        if base == 1:
            kept = [(low - least, high - least) for low, high in ranges]
        else:
            if sum([high - low + 1 for low, high in ranges]) * len(kept) > MOST_RANGES:
                message = "what stands after `then` can be so in too many ways to be followed back"
                help = "make a family of choices for one of its counts, with an `if and only if` of its own"
                raise EvalFault(Diagnostic("E419", message, span, help))
            values = [value - least for low, high in ranges for value in range(low, high + 1)]
            kept = merged((value * base + low, value * base + high) for value in values for low, high in kept)
        base *= most - least + 1
    gaps = [(low + below, high + below) for low, high in _between(0, kept, base - 1)]
    return tuple(sorted((choice, count) for choice, count in terms.items() if count)), tuple(gaps)


def _reach(terms: Terms, want: Wanted) -> tuple[int, list[tuple[int, int]], int]:
    """The least sum, the ranges that are wanted, and the greatest sum."""
    least, most = ends_of_sum([count for _, count in terms])
    return least, _closed(want), most


def _closed(want: Wanted) -> list[tuple[int, int]]:
    """Ranges within reach of a sum, which have both ends."""
    return [(low, high) for low, high in want if low is not None and high is not None]


def total_of(demand: StatedDemand) -> tuple[dict[int, int], Wanted]:
    """The total that says what a demand with terms says: its coefficients, and what it wants."""
    if demand.flag is not None:
        return _switched(demand, demand.flag)
    if not (demand.all_of or demand.one_of):
        return dict(demand.terms), demand.want
    least, ranges, most = _reach(demand.terms, demand.want)
    low, high = ranges[0][0], ranges[-1][1]
    held = len(demand.all_of)
    if len(ranges) == 1 and high == most:
        return _giving_way(demand, least - low), ((low + held * (least - low), None),)
    if len(ranges) == 1 and low == least:
        return _giving_way(demand, most - high), ((None, high + held * (most - high)),)
    return _switched(demand)


def _giving_way(demand: StatedDemand, by: int) -> dict[int, int]:
    """The coefficients of a total to which each part of the condition adds so much where it holds."""
    return {**dict(demand.terms), **dict.fromkeys(demand.all_of, by), **dict.fromkeys(demand.one_of, -by)}


def broken_if(number: int, demand: StatedDemand) -> tuple[dict[int, int], Wanted]:
    """A total by which a choice is taken exactly if a demand with terms is broken."""
    return _switched(demand, number)


def _switched(demand: StatedDemand, number: int | None = None) -> tuple[dict[int, int], Wanted]:
    """A single total for a demand with terms; with a number, it says instead that this choice is taken exactly if the
    demand is broken. Each part of the condition that holds, and that choice, add more than all terms can differ by."""
    all_of, one_of = demand.all_of, demand.one_of
    least, ranges, most = _reach(demand.terms, demand.want)
    step = most - least + 1
    held = len(all_of) * step
    kept = [(held + low, held + high) for low, high in ranges]
    idle = [(least - len(one_of) * step, held + least - 1)] if all_of or one_of else []
    weights = _giving_way(demand, step)
    if number is None:
        return weights, tuple(merged([*idle, *kept]))
    switch = (len(all_of) + len(one_of) + 1) * step
    missed = [(low + switch, high + switch) for low, high in _between(held + least, kept, held + most)]
    return {**weights, number: switch}, tuple(merged([*idle, *kept, *missed]))


def _between(least: int, ranges: Sequence[tuple[int, int]], most: int) -> list[tuple[int, int]]:
    """The numbers from `least` to `most` that lie in none of the ranges, as ranges."""
    edges = [(least - 1, least - 1), *ranges, (most + 1, most + 1)]
    return [(one[1] + 1, other[0] - 1) for one, other in pairwise(edges) if one[1] + 1 < other[0]]


__all__ = ["Literal", "StatedDemand", "StatedPart", "broken_if", "counted", "demands", "total_of"]
