"""What an `if … then` demands of choices, against every set of them: conditions, parts, weights and both directions."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import chain, combinations

from hypothesis import given
from hypothesis import strategies as st

from covr.compiler.lower.demands import Literal, StatedDemand, StatedPart, broken_if, counted, demands, total_of
from covr.compiler.lower.rules import Wanted, merged
from covr.dsl import Source
from covr.dsl.diagnostics import Span

NOWHERE = Span(Source("m.cover", ""), 0, 0)
CHOICES = range(6)
OWN = 6  # a choice that tells whether a demand is broken
Taken = frozenset[int]


def condition(rng: random.Random) -> list[list[Literal]]:
    """A condition before `then`; a choice may be there twice, be negated, or not exist."""
    return [
        [(rng.choice([None, *CHOICES, *CHOICES]), rng.random() < 0.4) for _ in range(rng.choice([1, 1, 2]))]
        for _ in range(rng.choice([1, 1, 2]))
    ]


def a_part(rng: random.Random) -> tuple[StatedPart, Wanted, dict[int, int]]:
    """A part after `then`, and for a count what it wants of which terms."""
    own = sorted(rng.sample(CHOICES, rng.choice([0, 1, 2, 3, 4])))
    how = rng.choice(["all", "some", "no", "sum", "sum", "sum"])
    if how != "sum":
        return StatedPart(how, tuple(own), how == "all" and rng.random() < 0.2), (), {}
    terms = {choice: rng.choice([1, 1, 1, 2, -1, -3]) for choice in own}
    numbers = sorted({rng.randint(-4, 6) for _ in range(rng.choice([1, 2, 3]))})
    want: Wanted = tuple(merged((n, n + rng.choice([0, 0, 1])) for n in numbers))
    if len(want) == 1 and rng.random() < 0.5:
        low, high = want[0]
        want = ((None, high),) if rng.random() < 0.5 else ((low, None),)
    return counted(terms, want), want, terms


def within(value: int, want: Wanted) -> bool:
    return any((low is None or low <= value) and (high is None or value <= high) for low, high in want)


def holds(part: StatedPart, want: Wanted, terms: dict[int, int], taken: Taken) -> bool:
    if want:
        return within(sum(count for choice, count in terms.items() if choice in taken), want)
    own = set(part.choices)
    if part.how == "all":
        return own <= taken and not part.lost
    return bool(own & taken) == (part.how == "some")


def kept(demand: StatedDemand, taken: Taken) -> bool:
    """What the class says of a demand."""
    if demand.flag is not None:
        return (demand.flag in taken) != within(sum(c for o, c in demand.terms if o in taken), demand.want)
    if not demand.all_of <= taken or demand.one_of & taken:
        return True
    return within(sum(c for o, c in demand.terms if o in taken), demand.want)


def sets() -> Iterator[Taken]:
    return map(frozenset, chain.from_iterable(combinations(CHOICES, n) for n in range(len(CHOICES) + 1)))


@given(st.integers(0, 2**40))
def test_demands_say_what_the_statement_says(seed: int) -> None:
    rng = random.Random(seed)
    when, parts, both = condition(rng), [a_part(rng) for _ in range(rng.choice([1, 1, 2, 3]))], rng.random() < 0.5
    found = [*demands(when, [part for part, _, _ in parts], both, NOWHERE, apart=rng.random() < 0.3)]
    for taken in sets():
        before = any(all((n in taken) != negated for n, negated in together) for together in when)
        after = all(holds(*part, taken) for part in parts)
        assert all(kept(demand, taken) for demand in found) == (before == after if both else after or not before)
    for demand in found:
        spoken = [demand.all_of, demand.one_of, frozenset(choice for choice, _ in demand.terms)]
        assert sum(map(len, spoken)) == len(frozenset().union(*spoken))


@given(st.integers(0, 2**40))
def test_a_total_says_what_a_demand_says_and_another_tells_whether_it_is_broken(seed: int) -> None:
    rng = random.Random(seed)
    parts = [a_part(rng)[0] for _ in range(rng.choice([1, 2]))]
    both, apart = rng.random() < 0.5, rng.random() < 0.5
    for demand in demands(condition(rng), parts, both, NOWHERE, apart=apart):
        if not demand.terms:
            continue
        terms, want = total_of(demand)
        for taken in sets():
            assert within(sum(c for o, c in terms.items() if o in taken), want) == kept(demand, taken)
        if demand.flag is not None:
            continue
        terms, want = broken_if(OWN, demand)
        for taken in sets():
            for now in (taken, taken | {OWN}):
                told = within(sum(c for o, c in terms.items() if o in now), want)
                assert told == ((OWN in now) != kept(demand, taken))
