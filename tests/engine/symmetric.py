"""Problems with symmetries, and small groups of permutations written out: what the tests of symmetries share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

import pytest
from hypothesis import assume
from hypothesis import strategies as st

from covr.engine import Limits, Problem, Settings, build, count, search
from covr.engine.kernels.loading import is_compiled
from covr.engine.pieces.class_search import ClassSearch, begin_classes
from covr.engine.symmetries import ChainGroup, automorphisms, multiplied

Image = tuple[int, ...]  # of a permutation: where each point goes


@st.composite
def symmetric_problems(draw: st.DrawFn, most: int = 6) -> Problem:
    """Small problems with bounds, colours, costs and given options, often with some symmetry."""
    m, n = draw(st.integers(1, 6)), draw(st.integers(0, most))
    primary = draw(st.integers(0, m))
    bounds = [draw(st.sampled_from([(1, 1), (1, 2), (2, 3), (1, 99)])) for _ in range(primary)]
    bounds += [draw(st.sampled_from([(0, 1), (0, 2)])) for _ in range(m - primary)]
    options = []
    for _ in range(n):
        held = draw(st.sets(st.integers(0, m - 1), max_size=3))
        options.append([(i, draw(st.integers(0, 2)) if bounds[i] == (0, 1) else 0) for i in sorted(held)])
    costs = draw(st.just([]) | st.lists(st.integers(0, 1), min_size=n, max_size=n))
    taken = draw(st.sets(st.integers(0, n - 1), max_size=1)) if n else set()
    return build(bounds, options, costs=costs, given=sorted(taken))


def listed(generators: Sequence[Image], n: int, most: int = 2000) -> set[Image] | None:
    """All members; None where there are many."""
    found = {tuple(range(n))}
    frontier = list(found)
    while frontier:
        one = frontier.pop()
        for g in generators:
            product = multiplied(one, g)
            if product not in found:
                found.add(product)
                frontier.append(product)
        if len(found) > most:
            return None
    return found


MOST = 200  # members of a group that is written out


def closure(generators: Sequence[Image], options: int, most: int = MOST) -> list[Image] | None:
    """The group without the identity; None where it is large."""
    identity = tuple(range(options))
    members = {identity: None}
    frontier = [identity]
    while frontier:
        one = frontier.pop()
        for g in generators:
            product = multiplied(one, g)
            if product not in members:
                members[product] = None
                frontier.append(product)
                if len(members) > most:
                    return None
    del members[identity]
    return list(members)


def smallest(answer: Sequence[int], images: Sequence[Image]) -> tuple[int, ...]:
    """The smallest member of each class, worked out by hand."""
    return min([tuple(sorted(answer)), *(tuple(sorted(image[o] for o in answer)) for image in images)])


def by_hand(problem: Problem, images: Sequence[Image], ceiling: int | None = None) -> list[tuple[int, ...]]:
    """All answers, sorted out."""
    run = search(problem, settings=Settings(engine="reference", ceiling=ceiling))
    return sorted({smallest(answer, images) for answer in run})


@st.composite
def turned(draw: st.DrawFn) -> tuple[Problem, list[Image]]:
    """Rings of options that a turn carries round, mirrored now and then: items that must be met, and others; colours,
    costs, given options that break it; and the group that is left."""
    size = draw(st.integers(2, 5))
    fixed = draw(st.integers(0, 2))  # items that the turn leaves alone
    secondary = draw(st.booleans())
    bounds = [draw(st.sampled_from([(1, 1), (1, 1), (1, 2)]))] * size + [(1, 1)] * fixed
    m = len(bounds)
    if secondary:
        bounds += [(0, 1)] * size
    options: list[list[tuple[int, int]]] = []
    costs: list[int] = []
    for _ in range(draw(st.integers(1, 4))):
        ring = draw(st.sets(st.integers(0, size - 1), max_size=2))
        extra = draw(st.sets(st.integers(0, fixed - 1), max_size=1)) if fixed else set()
        shown = draw(st.dictionaries(st.integers(0, size - 1), st.integers(0, 2), max_size=2)) if secondary else {}
        price = draw(st.integers(0, 2))
        for k in range(size):
            options.append(
                [((i + k) % size, 0) for i in ring]
                + [(size + e, 0) for e in extra]
                + [(m + (i + k) % size, colour) for i, colour in shown.items()]
            )
            costs.append(price)
    given_option = draw(st.sets(st.integers(0, len(options) - 1), max_size=1)) if draw(st.booleans()) else set()
    problem = build(bounds, options, costs=costs if any(costs) else (), given=sorted(given_option))
    images = closure(automorphisms(problem).generators, problem.options)
    assume(images)
    assert images is not None
    return problem, images


@st.composite
def boards(draw: st.DrawFn) -> tuple[Problem, list[Image]]:
    """Shapes on a square board in all their orientations, each for any of some places or for one piece; the board's
    symmetries, or what one of them generates. Here parts are cut again, by items that the group moves."""
    n = draw(st.sampled_from([2, 3, 3, 4]))
    pieces = draw(st.integers(0, 2))
    shapes: set[tuple[tuple[int, ...], int]] = set()
    for _ in range(draw(st.integers(2, 5))):
        cells = draw(st.sets(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), min_size=1, max_size=3))
        piece = draw(st.integers(-1, pieces - 1))
        for turned_over in (False, True):
            for turns in range(4):
                now = [(c, r) if turned_over else (r, c) for r, c in cells]
                for _ in range(turns):
                    now = [(c, n - 1 - r) for r, c in now]
                shapes.add((tuple(sorted(r * n + c for r, c in now)), piece))
    if draw(st.booleans()):
        shapes |= {((square,), -1) for square in range(n * n)}
    options = [[*shape, *([n * n + piece] if piece >= 0 else [])] for shape, piece in sorted(shapes)]
    problem = build([(1, 1)] * (n * n + pieces), options)
    images = closure(automorphisms(problem).generators, problem.options)
    assume(images and count(problem, Limits(answers=1000)).value < 1000)
    assert images is not None
    if draw(st.booleans()):
        images = closure([draw(st.sampled_from(images))], problem.options)
        assert images is not None
    return problem, images


slow_kernels = pytest.mark.skipif(not is_compiled("_smallest"), reason="takes minutes without the compiled kernel")


def chained(problem: Problem, group: ChainGroup, how: Settings, limits: Limits | None = None) -> ClassSearch:
    run = begin_classes(problem, group, limits or Limits(), how)
    if run is None:
        assume(False)
    assert run is not None
    return run


def latin_squares(n: int) -> tuple[Problem, list[Image]]:
    """Latin squares of side n, and their isotopies: rows, columns and symbols permuted, each by themselves."""
    cells = [(r, c, v) for r in range(n) for c in range(n) for v in range(n)]
    at = {cell: o for o, cell in enumerate(cells)}
    square = [(r * n + c, n * n + r * n + v, 2 * n * n + c * n + v) for r, c, v in cells]
    generators = [
        tuple(at[tuple(f(x) if k == axis else x for k, x in enumerate(cell))] for cell in cells)  # type: ignore[index]
        for axis in range(3)
        for f in moves(n)
    ]
    return build([(1, 1)] * (3 * n * n), square), generators


def paratopies(n: int) -> list[Image]:
    """The roles of rows, columns and symbols exchanged."""
    cells = [(r, c, v) for r in range(n) for c in range(n) for v in range(n)]
    at = {cell: o for o, cell in enumerate(cells)}
    return [tuple(at[c, r, v] for r, c, v in cells), tuple(at[c, v, r] for r, c, v in cells)]


def moves(n: int) -> list[Callable[[int], int]]:
    """What generates all permutations of n points."""
    return [lambda x: (x + 1) % n, lambda x: {0: 1, 1: 0}.get(x, x)]


def weeks(n: int, size: int, rounds: int, pairs: tuple[int, int]) -> tuple[Problem, list[Image]]:
    """All n players meet in groups of some size in each of some rounds; how often two may meet is given by `pairs`. The
    players may be permuted, and the rounds."""
    blocks = list(combinations(range(n), size))
    ways = [(k, block) for k in range(rounds) for block in blocks]
    at = {way: o for o, way in enumerate(ways)}
    pair = {held: i for i, held in enumerate(combinations(range(n), 2))}
    met = 0 if pairs[0] else rounds * n
    first = len(pair) if pairs[0] else 0
    options = [
        [first + k * n + x for x in block] + [met + pair[two] for two in combinations(block, 2)] for k, block in ways
    ]
    bounds = (
        [pairs] * len(pair) + [(1, 1)] * (rounds * n) if pairs[0] else [(1, 1)] * (rounds * n) + [pairs] * len(pair)
    )
    generators = [tuple(at[k, tuple(sorted(map(f, block)))] for k, block in ways) for f in moves(n)]
    if rounds > 1:
        generators += [tuple(at[f(k), block] for k, block in ways) for f in moves(rounds)]
    return build(bounds, options), generators


def triples(v: int) -> tuple[Problem, list[Image]]:
    """Steiner triple systems: each pair of v points in exactly one triple."""
    blocks = list(combinations(range(v), 3))
    at = {block: o for o, block in enumerate(blocks)}
    pair = {held: i for i, held in enumerate(combinations(range(v), 2))}
    problem = build([(1, 1)] * len(pair), [[pair[two] for two in combinations(block, 2)] for block in blocks])
    return problem, [tuple(at[tuple(sorted(map(f, block)))] for block in blocks) for f in moves(v)]  # type: ignore[index]
