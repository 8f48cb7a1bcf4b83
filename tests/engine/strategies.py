"""Random problems of every kind, small enough for brute force."""

from __future__ import annotations

from hypothesis import strategies as st

from covr.engine import Problem, build

BOUNDS = {
    "exact": st.just((1, 1)),
    "secondary": st.sampled_from([(1, 1), (0, 1)]),
    "colours": st.sampled_from([(1, 1), (0, 1)]),
    "ranges": st.tuples(st.integers(0, 2), st.integers(0, 2)).map(lambda b: (b[0], b[0] + b[1])),
    "cover": st.sampled_from([(1, 99), (1, 99), (2, 99), (0, 99)]),
    "mixed": st.sampled_from([(1, 1), (0, 1), (1, 9), (2, 3), (0, 2), (0, 0), (1, 2), (3, 2)]),
}
COSTS = {"none": None, "zero": (0, 4), "one": (1, 1), "negative": (-3, 4), "profit": (-5, -1)}


@st.composite
def problems(
    draw: st.DrawFn,
    kinds: tuple[str, ...] = tuple(BOUNDS),
    costs: tuple[str, ...] = tuple(COSTS),
    given: bool = True,
) -> Problem:
    """Up to 6 items and 7 options; `mixed` ones have colours too, and bounds that can't be met."""
    kind = draw(st.sampled_from(kinds))
    bounds = sorted(draw(st.lists(BOUNDS[kind], max_size=6)), key=lambda b: b[0] == 0)
    tinted = kind in ("colours", "mixed")
    members = [
        st.tuples(st.just(i), st.integers(0, 2) if tinted and bounds[i] == (0, 1) else st.just(0))
        for i in range(len(bounds))
    ]
    run = st.lists(st.one_of(members), max_size=4, unique_by=lambda e: e[0]) if members else st.just([])
    options = draw(st.lists(run, max_size=7))
    scale = COSTS[draw(st.sampled_from(costs))]
    n = len(options)
    prices = draw(st.lists(st.integers(*scale), min_size=n, max_size=n)) if scale else []
    taken = draw(st.sets(st.integers(0, n - 1), max_size=2)) if given and n else set()
    return build(bounds, options, costs=prices, given=sorted(taken))


@st.composite
def covers(draw: st.DrawFn, most: int = 6) -> Problem:
    """Up to 9 items and 10 options, with needs above 1, and costs among which are 0 and negative ones."""
    needs = draw(st.lists(st.integers(1, 2), min_size=1, max_size=9))
    item = st.integers(0, len(needs) - 1)
    options = draw(st.lists(st.sets(item, min_size=1, max_size=5).map(sorted), min_size=3, max_size=10))
    low, high = draw(st.sampled_from([(1, 1), (1, most), (0, most), (-2, most), (4, 4), (1, 2)]))
    costs = draw(st.lists(st.integers(low, high), min_size=len(options), max_size=len(options)))
    return build([(need, 99) for need in needs], options, costs=costs)


@st.composite
def pair_packings(draw: st.DrawFn) -> Problem:
    """Packings of up to 8 options that are at most one of two, again and again, some of which cost something."""
    n = draw(st.integers(2, 8))
    pairs = draw(
        st.lists(st.lists(st.integers(0, n - 1), min_size=2, max_size=2, unique=True), min_size=1, max_size=14)
    )
    costs = draw(st.lists(st.integers(-4, 1), min_size=n, max_size=n))
    options = [[k for k, both in enumerate(pairs) if o in both] for o in range(n)]
    return build([(0, 1)] * len(pairs), options, costs=costs)
