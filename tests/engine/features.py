"""Problems by features, whose answers are known without an engine.

A problem is a union of *blocks*, each on items and options of its own, so that its answers are the products of theirs:
their numbers multiply, the costs of cheapest ones add up, and so on. What is known of a block is known in closed form,
or by trying every subset of its options, if they are few. Items and options of all blocks are then shuffled together,
so that each block is spread over the words of every set.

Sizes are drawn so that options, items or those options that ask for something fall on either side of a machine word.
Nothing here is shared with the engine but `build`, which makes a Problem of it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations
from math import comb, factorial, prod

from attrs import evolve, frozen

from covr.engine import Problem, Settings, build, search

Bound = tuple[int, int]
Pair = tuple[int, int]  # an item and its colour
Option = tuple[Pair, ...]
Best = tuple[int, int] | None  # what a cheapest answer costs, and how many there are; None where there is no answer
Answer = tuple[int, ...]

STRADDLING = (63, 64, 65, 127, 128, 129, 255, 256, 257)
LARGER = (511, 512, 513, 1025)
HUGE = 65_537  # items
FEW, MANY = 10, 64  # options and items, up to which every subset is tried


@frozen
class Block:
    """kind: its feature.  bounds: per item.  options: pairs of item and colour.  given: options that are taken.
    count: how many answers it has.  best: from the costs of its options, all 0 perhaps."""

    kind: str
    bounds: tuple[Bound, ...]
    options: tuple[Option, ...]
    count: int
    best: Callable[[Sequence[int]], Best]
    given: tuple[int, ...] = ()


@frozen
class Case:
    """A problem, and what is known of it.

    count: its answers.  best: see `Best`.  answers: all of them, sorted, where the options are few.
    blocks, costs: what it was made of, the costs per block.  text: how to build it again.
    """

    problem: Problem
    count: int
    best: Best
    features: frozenset[str]
    answers: tuple[Answer, ...] | None = None
    blocks: tuple[Block, ...] = ()
    costs: tuple[tuple[int, ...], ...] = ()

    @property
    def least(self) -> int | None:
        return None if self.best is None else self.best[0]

    @property
    def parts(self) -> str:
        """What it was made of, in words."""
        return "; ".join(f"{b.kind}: {len(b.options)} options, {len(b.bounds)} items" for b in self.blocks)

    @property
    def text(self) -> str:
        """Python that builds it."""
        p = self.problem
        bounds = [*zip(p.low, p.high, strict=True)]
        options = [[(i, c) if c else i for i, c in zip(p.option(o), p.option_colours(o), strict=True)]
                   for o in range(p.options)]  # fmt: skip
        return f"build({bounds}, {options}, costs={list(p.costs)}, given={list(p.given)})"


# --- every subset ---


def subsets(bounds: Sequence[Bound], options: Sequence[Option], given: Sequence[int] = ()) -> list[Answer]:
    """Every answer, sorted, by trying every set of options; sums are packed, eight bits an item."""
    n = len(options)
    plain = [sum(1 << 8 * i for i, c in option if not c) for option in options]
    shades = sorted({pair for option in options for pair in option if pair[1]})
    shown = [sum(1 << shades.index(pair) for pair in option if pair[1]) for option in options]
    kinds = {i: sum(1 << k for k, (j, _) in enumerate(shades) if j == i) for i, _ in shades}
    lows = sum(min(low, 99) << 8 * i for i, (low, _) in enumerate(bounds))
    highs = sum(min(high, 99) << 8 * i for i, (_, high) in enumerate(bounds))
    top = sum(0x80 << 8 * i for i in range(len(bounds)))
    must = sum(1 << o for o in given)
    sums, seen = [0] * (1 << n), [0] * (1 << n)
    found = []
    for chosen in range(1 << n):
        if chosen:
            rest = chosen & (chosen - 1)
            o = (chosen ^ rest).bit_length() - 1
            sums[chosen] = sums[rest] + plain[o]
            seen[chosen] = seen[rest] | shown[o]
        if chosen & must != must:
            continue
        total = sums[chosen]
        for i, mask in kinds.items():
            total += (seen[chosen] & mask).bit_count() << 8 * i
        if ((total | top) - lows) & ((highs | top) - total) & top == top:
            found.append(tuple(o for o in range(n) if chosen >> o & 1))
    return sorted(found)


def best_of(answers: Sequence[Answer], costs: Sequence[int]) -> Best:
    """The least cost among answers, and how many have it."""
    paid = [sum(map(costs.__getitem__, answer)) for answer in answers]
    return (min(paid), paid.count(min(paid))) if paid else None


# --- blocks ---


def _some(costs: Sequence[int]) -> Best:
    """The least cost of any number of options, none included, and how many sets of them have it."""
    return sum(min(c, 0) for c in costs), 2 ** sum(c == 0 for c in costs)


def _least(found: Sequence[Best]) -> Best:
    """The least cost in several sets of answers, and how many answers have it."""
    known = [b for b in found if b is not None]
    low = min((b[0] for b in known), default=0)
    return (low, sum(b[1] for b in known if b[0] == low)) if known else None


def _times(costs: Sequence[int], low: int, high: int) -> Best:
    """Of `low` to `high` options: per number of options taken the best, one option after another."""
    rows: list[Best] = [(0, 1), *[None] * min(high, len(costs))]
    for c in costs:
        for k in range(len(rows) - 1, 0, -1):
            before = rows[k - 1]
            rows[k] = _least([rows[k], None if before is None else (before[0] + c, before[1])])
    return _least(rows[low:])


def one(n: int) -> Block:
    """Exactly one of n."""
    return Block("one of n", ((1, 1),), (((0, 0),),) * n, n, lambda costs: _least([(c, 1) for c in costs]))


def broad(n: int, items: int) -> Block:
    """Exactly one of n, each of which has all the items."""
    held = tuple((i, 0) for i in range(items))
    return Block("long options", ((1, 1),) * items, (held,) * n, n, lambda costs: _least([(c, 1) for c in costs]))


def at_most(n: int) -> Block:
    return Block(
        "at most one", ((0, 1),), (((0, 0),),) * n, n + 1, lambda costs: _least([(0, 1), *((c, 1) for c in costs)])
    )


def empty(n: int) -> Block:
    """Options without an item."""
    return Block("empty options", (), ((),) * n, 2**n, _some)


def flags(n: int) -> Block:
    """Options that have an item each, which nothing else has and which nobody asks for."""
    return Block("free options", ((0, 1),) * n, tuple(((i, 0),) for i in range(n)), 2**n, _some)


def forced(n: int) -> Block:
    """Items that have one option each."""
    return Block("forced options", ((1, 1),) * n, tuple(((i, 0),) for i in range(n)), 1, lambda costs: (sum(costs), 1))


def decided(n: int, rng: random.Random) -> Block:
    """One of n, given: the others are dead."""
    taken = rng.randrange(n)
    return Block("dead options", ((1, 1),), (((0, 0),),) * n, 1, lambda costs: (costs[taken], 1), (taken,))


def impossible(n: int, rng: random.Random) -> Block:
    """No answer: an item without options, given options that exclude one another, or bounds that nothing meets."""
    options = (((0, 0),),) * n
    none: Callable[[Sequence[int]], Best] = lambda costs: None  # noqa: E731
    ways = [
        Block("no answer", ((1, 1), (1, 1)), options, 0, none),
        Block("no answer", ((2, 1),), options, 0, none),
        Block("no answer", ((n + 1, n + 3),), options, 0, none),
    ]
    if n > 1:
        ways.append(Block("no answer", ((0, 1),), options, 0, none, (0, n - 1)))
    return rng.choice(ways)


def some(n: int, low: int, high: int) -> Block:
    """Between low and high of n."""
    count = sum(comb(n, k) for k in range(low, min(high, n) + 1))
    kind = "covering" if high >= n and low else "bounds"
    return Block(kind, ((low, high),), (((0, 0),),) * n, count, lambda costs: _times(costs, low, high))


def nearly(n: int, low: int) -> Block:
    """All of n, or all but one; low: n or n - 1."""
    left = n - low  # that may be missing
    return Block(
        "bounds", ((low, n),), (((0, 0),),) * n, 1 + left * n,
        lambda costs: _least([(sum(costs), 1), *((sum(costs) - c, 1) for c in costs if left)]),
    )  # fmt: skip


def shades(sizes: Sequence[int], plain: int) -> Block:
    """Options that show a colour in an item, and some that have it without one."""
    colours = [c for c, size in enumerate(sizes, 1) for _ in range(size)] + [0] * plain
    count = 1 + sum(2**size - 1 for size in sizes) + plain

    def best(costs: Sequence[int]) -> Best:
        ways: list[Best] = [(0, 1), *((c, 1) for c, colour in zip(costs, colours, strict=True) if not colour)]
        for colour in range(1, len(sizes) + 1):
            own = [c for c, its in zip(costs, colours, strict=True) if its == colour]
            ways += _not_none(own)
        return _least(ways)

    return Block("colours", ((0, 1),), tuple(((0, c),) for c in colours), count, best)


def _not_none(costs: Sequence[int]) -> list[Best]:
    """The least cost of one option or more, and how many sets of them have it; empty if there is no option."""
    if not costs:
        return []
    if min(costs) > 0:
        return [(min(costs), costs.count(min(costs)))]
    low, ways = sum(min(c, 0) for c in costs), 2 ** sum(c == 0 for c in costs)
    return [(low, ways - (min(costs) == 0))] if ways > 1 or min(costs) < 0 else []


def path(length: int, colours: int) -> Block:
    """Edges in a row, each with a colour at both ends, that agree where they meet."""
    options = tuple(
        ((e, 0), (length + e, a + 1), (length + e + 1, b + 1))
        for e in range(length) for a in range(colours) for b in range(colours)
    )  # fmt: skip

    def best(costs: Sequence[int]) -> Best:
        ends: list[Best] = [(0, 1)] * colours
        for e in range(length):
            at = e * colours * colours
            ends = [
                _least([None if end is None else (end[0] + costs[at + a * colours + b], end[1])
                        for a, end in enumerate(ends)])
                for b in range(colours)
            ]  # fmt: skip
        return _least(ends)

    bounds = ((1, 1),) * length + ((0, 1),) * (length + 1)
    return Block("paths of colours", bounds, options, colours ** (length + 1), best)


def random_block(rng: random.Random) -> Block:
    """Any small thing."""
    choices = rng.choice((
        ((1, 1),), ((1, 1), (0, 1)), ((1, 9), (2, 9), (1, 9)), ((0, 1),), ((0, 2), (1, 2), (2, 2)),
        ((1, 1), (0, 1), (1, 9), (2, 3), (0, 2), (0, 0), (1, 2), (3, 2)),
    ))  # fmt: skip
    bounds = tuple(sorted(rng.choices(choices, k=rng.randint(1, 5)), key=lambda b: b[0] == 0))
    tinted = rng.random() < 0.4
    options = []
    for _ in range(rng.randint(1, 8)):
        if options and rng.random() < 0.1:
            options.append(rng.choice(options))
            continue
        held = sorted(rng.sample(range(len(bounds)), rng.randint(0, min(3, len(bounds)))))
        options.append(tuple((i, rng.randint(0, 2) if tinted and bounds[i] == (0, 1) else 0) for i in held))
    given = tuple(sorted(rng.sample(range(len(options)), 1))) if rng.random() < 0.2 else ()
    answers = subsets(bounds, options, given)
    return Block(
        "doubled options" if len(set(options)) < len(options) else "any", bounds, tuple(options), len(answers),
        lambda costs: best_of(answers, costs), given,
    )  # fmt: skip


def structured(name: str, n: int) -> Block:
    """Exact covers whose number of answers is known: see `KNOWN`."""
    bounds, options, answers = _listed(name, n)
    assert len(answers) == KNOWN[name][n]
    return Block(name, bounds, options, len(answers), lambda costs: best_of(answers, costs))


KNOWN: dict[str, dict[int, int]] = {
    "matchings": {n: prod(range(1, 2 * n, 2)) for n in range(1, 5)},
    "permutations": {n: factorial(n) for n in range(1, 5)},
    "set partitions": dict(zip(range(1, 6), (1, 2, 5, 15, 52), strict=True)),
    "dominoes": {2: 2, 3: 3, 4: 5, 5: 8, 6: 13, 7: 21, 44: 36},  # 2 by n; 44 is 4 by 4
    "queens": {4: 2, 5: 10, 6: 4, 7: 40, 8: 92},
}


@cache
def _listed(name: str, n: int) -> tuple[tuple[Bound, ...], tuple[Option, ...], tuple[Answer, ...]]:
    held: list[list[int]]
    primary = n
    if name == "matchings":
        primary = 2 * n
        held = [[a, b] for a, b in combinations(range(2 * n), 2)]
    elif name == "permutations":
        primary = 2 * n
        held = [[r, n + c] for r in range(n) for c in range(n)]
    elif name == "set partitions":
        held = [list(s) for k in range(1, n + 1) for s in combinations(range(n), k)]
    elif name == "dominoes":
        rows, columns = divmod(n, 10) if n > 9 else (2, n)
        primary = rows * columns
        held = [[r * columns + c, r * columns + c + 1] for r in range(rows) for c in range(columns - 1)]
        held += [[r * columns + c, (r + 1) * columns + c] for r in range(rows - 1) for c in range(columns)]
    else:
        primary = 2 * n
        ends = 2 * n - 1
        held = [[r, n + c, 2 * n + r + c, 2 * n + ends + r - c + n - 1] for r in range(n) for c in range(n)]
    items = max(i for option in held for i in option) + 1
    bounds = tuple((1, 1) if i < primary else (0, 1) for i in range(items))
    return bounds, tuple(tuple((i, 0) for i in option) for option in held), tuple(_covers(primary, held))


def _covers(primary: int, held: Sequence[Sequence[int]]) -> Iterator[Answer]:
    """Every exact cover, item by item."""

    def go(met: int, taken: Answer) -> Iterator[Answer]:
        item = next((i for i in range(primary) if not met >> i & 1), None)
        if item is None:
            yield tuple(sorted(taken))
            return
        for o, mask in enumerate(masks):
            if mask >> item & 1 and not mask & met:
                yield from go(met | mask, (*taken, o))

    masks = [sum(1 << i for i in option) for option in held]
    return go(0, ())


# --- what changes nothing ---


def dressed(block: Block, rng: random.Random, items: int) -> Block:
    """The block with further items that leave its answers what they are: copies, items that only one option has, that
    have room for all, or none at all, and one where all options show the same colour."""
    bounds, options = list(block.bounds), [list(option) for option in block.options]
    own = range(len(bounds))
    for _ in range(items):
        new, kind = len(bounds), rng.randrange(5)
        if kind == 0 and own:
            item = rng.choice(own)
            bounds.append(bounds[item])
            for option in options:
                option += [(new, c) for i, c in option if i == item]
        elif kind == 1 and options:
            bounds.append((0, 1))
            rng.choice(options).append((new, 0))
        elif kind == 2:
            bounds.append((0, len(options) + 1))
            for option in options:
                option.append((new, 0))
        elif kind == 3:
            bounds.append((0, 1))
            for option in options:
                option.append((new, 7))
        else:
            bounds.append((0, rng.randint(0, 2)))
    return evolve(block, bounds=tuple(bounds), options=tuple(map(tuple, options)))


# --- problems ---


def union(blocks: Sequence[Block], rng: random.Random | None, costs: Sequence[Sequence[int]] = ()) -> Case:
    """All blocks side by side, shuffled together if there is an rng. costs: per block and option, or none."""
    bounds: list[Bound] = []
    options: list[Option] = []
    given: list[int] = []
    for block in blocks:
        base = len(bounds)
        given += [len(options) + o for o in block.given]
        bounds += block.bounds
        options += [tuple((base + i, c) for i, c in option) for option in block.options]
    paid = [c for own in costs for c in own]
    items, order = list(range(len(bounds))), list(range(len(options)))
    if rng is not None:
        rng.shuffle(items)
        rng.shuffle(order)
    items.sort(key=lambda i: bounds[i][0] == 0)
    place = {i: k for k, i in enumerate(items)}
    where = {o: k for k, o in enumerate(order)}
    problem = build(
        [bounds[i] for i in items],
        [[(place[i], c) for i, c in options[o]] for o in order],
        costs=[paid[o] for o in order] if costs else (),
        given=[where[o] for o in given],
    )
    count = prod(block.count for block in blocks)
    found = [block.best(costs[k] if costs else [0] * len(block.options)) for k, block in enumerate(blocks)]
    known = [b for b in found if b is not None]
    best = (sum(b[0] for b in known), prod(b[1] for b in known)) if len(known) == len(found) else None
    features = {block.kind for block in blocks} | ({"given"} if given else set())
    answers = None
    if len(options) <= FEW and len(bounds) <= MANY:
        told = [[(place[i], c) for i, c in options[o]] for o in order]
        answers = tuple(subsets([bounds[i] for i in items], [tuple(o) for o in told], problem.given))
        assert len(answers) == count, "the block's own count"
        assert best == best_of(answers, problem.costs or [0] * len(options))
    return Case(problem, count, best, frozenset(features), answers, tuple(blocks), tuple(map(tuple, costs)))


def tried(problem: Problem) -> Case:
    """A problem of a few options as it is, its answers by trying every subset."""
    options = [tuple(zip(problem.option(o), problem.option_colours(o), strict=True)) for o in range(problem.options)]
    answers = tuple(subsets([*zip(problem.low, problem.high, strict=True)], options, problem.given))
    best = best_of(answers, problem.costs or [0] * problem.options)
    return Case(problem, len(answers), best, frozenset(), answers)


def small_block(rng: random.Random) -> Block:
    """One of the kinds, with few options."""
    return rng.choice(SMALL)(rng)


SMALL: tuple[Callable[[random.Random], Block], ...] = (
    lambda rng: one(rng.randint(1, 4)),
    lambda rng: broad(rng.randint(1, 3), rng.randint(1, 4)),
    lambda rng: at_most(rng.randint(1, 4)),
    lambda rng: empty(rng.randint(1, 3)),
    lambda rng: flags(rng.randint(1, 4)),
    lambda rng: forced(rng.randint(1, 3)),
    lambda rng: decided(rng.randint(1, 4), rng),
    lambda rng: some(n := rng.randint(1, 5), low := rng.randint(0, 3), low + rng.randint(0, n)),
    lambda rng: some(n := rng.randint(1, 5), rng.randint(1, 2), n + rng.randint(0, 3)),
    lambda rng: shades([rng.randint(1, 2) for _ in range(rng.randint(1, 3))], rng.randint(0, 2)),
    lambda rng: path(rng.randint(1, 2), 2),
    lambda rng: structured("matchings", rng.randint(1, 2)),
    lambda rng: structured("permutations", rng.randint(1, 2)),
    lambda rng: structured("set partitions", rng.randint(1, 3)),
    lambda rng: structured("dominoes", rng.randint(2, 4)),
    random_block,
    random_block,
    random_block,
    random_block,
)
LARGE: tuple[Callable[[random.Random], Block], ...] = (
    lambda rng: structured("matchings", rng.randint(3, 4)),
    lambda rng: structured("permutations", rng.randint(3, 4)),
    lambda rng: structured("set partitions", rng.randint(4, 5)),
    lambda rng: structured("dominoes", rng.choice((5, 6, 7, 44))),
    lambda rng: structured("queens", rng.randint(4, 8)),
    lambda rng: path(rng.randint(2, 4), 3),
    lambda rng: some(rng.randint(6, 12), low := rng.randint(0, 2), low + rng.randint(0, 1)),
    lambda rng: shades([rng.randint(1, 4) for _ in range(rng.randint(1, 4))], rng.randint(0, 5)),
)


def tiny(rng: random.Random) -> list[Block]:
    """A few blocks of ten options at most, as far as that goes."""
    blocks, room = [], rng.randint(1, FEW)
    for _ in range(rng.randint(1, 4)):
        block = small_block(rng) if rng.random() > 0.02 else impossible(rng.randint(1, 3), rng)
        if len(block.options) <= room:
            room -= len(block.options)
            blocks.append(dressed(block, rng, rng.choice((0, 0, 0, 1, 2))))
    return blocks or [one(1)]


def filler(n: int, most: int, rng: random.Random) -> Block:
    """n options with at most so many answers."""
    if n > 1 and rng.random() < 0.2:
        if n * n <= most and rng.random() < 0.5:
            return some(n, rng.randint(0, 2), 2)
        if n < most:
            return rng.choice((nearly(n, n - 1), some(n, 1, 1), some(n, 0, 1)))
        return nearly(n, n)
    if n < most and rng.random() < 0.6:
        return rng.choice((one, at_most, lambda n: broad(n, rng.randint(2, 5))))(n)
    return forced(n) if rng.random() < 0.5 else decided(n, rng)


def straddling(rng: random.Random, size: int, most: int) -> list[Block]:
    """Blocks whose options, or those that ask for something, or whose items, are `size`, with about `most` answers at
    most."""
    blocks, count = [], 1
    what = rng.choice(("options", "options", "asking", "asking", "items"))
    free = rng.choice((0, 1, 2, 3, 5))
    for _ in range(rng.randint(0, 4)):
        block = rng.choice(LARGE)(rng) if rng.random() < 0.4 else small_block(rng)
        sized = _size(blocks, what) + _size([block], what)
        if count * block.count <= most >> free and sized <= size:
            blocks.append(dressed(block, rng, rng.choice((0, 0, 1, 3))))
            count *= max(block.count, 1)
    if free and count << free <= most:
        blocks.append((empty if what == "asking" or rng.random() < 0.5 else flags)(free))
        count <<= free
    if rng.random() < 0.3 and _size(blocks, what) + 3 <= size:  # no exact cover any more
        blocks.append(some(3, rng.randint(0, 1), 2))
        count *= blocks[-1].count
    rest = size - _size(blocks, what)
    if rest > 0 and what == "items":
        spare = max(most // count, 1)
        kind = rng.randrange(3)
        if kind == 0 and spare > 1:
            blocks.append(broad(rng.randint(2, min(spare, 4)), rest))
        elif kind == 1:
            blocks.append(forced(rest))
        else:
            blocks.append(dressed(one(1), rng, rest - 1))
    elif rest > 0:
        cut = rng.randint(0, rest) if rng.random() < 0.3 else 0
        for n in filter(None, (cut, rest - cut)):
            block = filler(n, most // count, rng)
            blocks.append(block)
            count *= block.count
    return blocks


def _size(blocks: Sequence[Block], what: str) -> int:
    if what == "items":
        return sum(len(block.bounds) for block in blocks)
    if what == "options":
        return sum(len(block.options) for block in blocks)
    return sum(any(block.bounds[i][0] > 0 for i, _ in option) for block in blocks for option in block.options)


def huge(rng: random.Random) -> list[Block]:
    """More items than 16 bits hold."""
    more = [small_block(rng), flags(rng.randint(0, 2))]
    kind = rng.randrange(3)
    if kind == 0:
        return [broad(2, HUGE), *more]
    if kind == 1:
        return [evolve(one(3), bounds=((1, 1), *[(0, rng.randint(0, 2))] * HUGE)), *more]
    return [broad(1, HUGE), *more]


def prices(blocks: Sequence[Block], rng: random.Random, largest: int) -> list[list[int]]:
    """Costs of either sign for every option, of at most `largest`, or none."""
    low, high = rng.choice((
        (0, 0), (1, 1), (0, 3), (1, 9), (-3, 4), (-5, -1), (6, 6), (1, largest), (-largest, largest), (-largest, 0),
    ))  # fmt: skip
    return [[rng.randint(low, high) for _ in block.options] for block in blocks] if high or low else []


def draw(rng: random.Random, largest: int = 10**6, size: str | None = None) -> Case:
    """A random case. largest: no option costs more.  size: one of SIZES; None for any, as often as WEIGHTS say."""
    size = size or rng.choices(SIZES, WEIGHTS)[0]
    if size == "tiny":
        blocks = tiny(rng)
    elif size == "words":
        blocks = straddling(rng, rng.choice(STRADDLING), rng.choice((30, 300, 1500)))
    elif size == "more words":
        blocks = straddling(rng, rng.choice(LARGER), rng.choice((5, 30)))
    else:
        blocks = huge(rng)
    case = union(blocks, rng if rng.random() < 0.8 else None, prices(blocks, rng, largest))
    return evolve(case, features=case.features | {size})


def tangle(rng: random.Random, largest: int = 10**6) -> Problem:
    """A problem that does not come apart, of 20 to 140 options round about hidden answers; nothing is known of it."""
    items, size = rng.randint(6, 40), rng.choice((rng.randint(20, 60), *STRADDLING[:6]))
    extra = rng.choice((0, 0, 3, 8))
    colours = rng.choice((0, 2)) if extra else 0
    held: list[list[Pair]] = []
    hidden = 0  # options of the first hidden answer
    while len(held) < size:
        order = rng.sample(range(items), items)
        while order and len(held) < size:
            take = rng.randint(1, 4)
            held.append([(i, 0) for i in order[:take]])
            del order[:take]
        hidden = hidden or len(held)
    for option in held:
        if extra and rng.random() < 0.3:
            option.append((items + rng.randrange(extra), rng.randint(0, colours)))
    free = rng.choice((0, 0, 1, 3))
    held += [[(items + rng.randrange(extra), 0)] if extra else [] for _ in range(free)]
    bounds = [(1, 1)] * items
    if rng.random() < 0.3:
        bounds = [rng.choice(((1, 1), (1, 1), (1, 2), (1, 200))) for _ in range(items)]
    scale = rng.choice((0, 1, 9, largest))
    return build(
        [*bounds, *[(0, 1)] * extra], held, costs=[rng.randint(-scale // 3, scale) for _ in held] if scale else (),
        given=[rng.randrange(hidden)] if rng.random() < 0.2 else (),
    )  # fmt: skip


SIZES = ("tiny", "words", "more words", "huge")
WEIGHTS = (0.95, 0.045, 0.005, 0.00004)


MOST = 3000  # answers that are listed to compare with


def answers_of(case: Case) -> list[tuple[int, ...]] | None:
    """All answers, not in the way that is tested: by brute force where the case has them, else by links."""
    if case.answers is not None:
        return list(case.answers)
    if case.count > MOST or case.count * (case.problem.options + case.problem.items) > 300_000:
        return None
    return list(search(evolve(case.problem, costs=()), settings=Settings(engine="links")))
