"""The sparse 0/1 matrix that every engine searches.

Items are columns, options are rows. An *answer* is any set of options such that every item `i` is in at least
`low[i]` and at most `high[i]` of them, options that share an item show the same colour there, and every side condition
holds (sides.py; most problems have none). A problem may name the options that tell answers apart (`projection`);
answers that take the same of these count as one. Nothing else is assumed: an option that no item needs (`low = 0` for
all its items) may be taken or left out, and the two cases are different answers.

In Knuth's terms (TAOCP 7.2.2.1), an item with bounds 1, 1 is *primary*, as in Algorithm X; one with bounds 0, 1 is
*secondary*, and may have colours, as in Algorithm C; other bounds are the multiplicities of Algorithm M. We call an
item primary if `low > 0`, whatever `high` is. Primary items come first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise, repeat

from attrs import field

from covr.engine.base.heed import heeded
from covr.engine.base.whole import whole
from covr.engine.sides import Side, validate_sides
from covr.frozen import evolve, frozen


@frozen
class Problem:
    """A matrix in compressed form. Items and options are numbered from 0.

    low, high: per item, the least and the greatest number of options of an answer that may hold it; `high` may exceed
        the number of options.
    primary: how many items have low > 0; they are the items 0 … primary-1.
    starts: option o holds members[starts[o]:starts[o+1]], strictly increasing item numbers; options+1 entries.
    members: the item numbers of all options, one option after another.
    colours: parallel to `members`: the colour that the option shows in that item, from 1, or 0 for none; empty if the
        problem has no colours. Options that share an item with bounds (0, 1) exclude each other, unless both show the
        same colour there, which is not 0. As with Knuth, a coloured item counts once: its `high` is 1, however many
        options of one colour hold it.
    costs: per option, whole numbers whose absolute values add up to less than MAX_COST, so that every sum that a
        search can form fits into 63 bits; empty if no option costs anything.
    given: options that every answer takes, increasing.
    sides: conditions that no matrix expresses; an answer must meet each of them, too (sides.py).
    projection: the options that tell answers apart, increasing; None if all do. Answers that take the same of these
        count as one, and a search finds one of them; which one is not promised.
    witness: for tests, an answer known beforehand to be cheapest, increasing: no step of a search for a minimum may
    exclude it before an answer as cheap is found (witness.py); None otherwise.  item_names, option_names: sequences of
        text, one for each item and option, or empty; they may be lazy.
    """

    low: tuple[int, ...]
    high: tuple[int, ...]
    primary: int
    starts: Sequence[int]
    members: Sequence[int]
    colours: Sequence[int] = ()
    costs: Sequence[int] = ()
    given: tuple[int, ...] = ()
    sides: tuple[Side, ...] = ()
    projection: tuple[int, ...] | None = None
    witness: tuple[int, ...] | None = field(default=None, eq=False, repr=False)
    item_names: Sequence[str] = field(default=(), eq=False, repr=False)
    option_names: Sequence[str] = field(default=(), eq=False, repr=False)

    @property
    def items(self) -> int:
        return len(self.low)

    @property
    def options(self) -> int:
        """How many options there are."""
        return len(self.starts) - 1

    def option(self, o: int) -> Sequence[int]:
        """The items of option o, increasing. Time linear in their number."""
        return self.members[self.starts[o] : self.starts[o + 1]]

    def option_colours(self, o: int) -> Sequence[int]:
        """The colours of option o, parallel to `option(o)`; all 0 if the problem has none."""
        if not self.colours:
            return [0] * (self.starts[o + 1] - self.starts[o])
        return self.colours[self.starts[o] : self.starts[o + 1]]

    @cached_property
    def holders(self) -> tuple[tuple[int, ...], ...]:
        """Per item, the options that hold it, increasing. Computed on first use in linear time, and kept."""
        found: list[list[int]] = [[] for _ in range(self.items)]
        members = self.members
        for o, (start, end) in enumerate(heeded(pairwise(self.starts))):
            for i in members[start:end]:
                found[i].append(o)
        return tuple([tuple(row) for row in heeded(found)])

    @cached_property
    def shades(self) -> tuple[tuple[int, ...], ...]:
        """Parallel to `holders`: the colours that those options show there; empty if the problem has none."""
        if not self.colours:
            return ()
        found: list[list[int]] = [[] for _ in range(self.items)]
        for o in heeded(range(self.options)):
            for i, colour in zip(self.option(o), self.option_colours(o), strict=True):
                found[i].append(colour)
        return tuple([tuple(row) for row in heeded(found)])

    def column(self, i: int) -> Iterator[tuple[int, int]]:
        """The options that hold item i, increasing, each with its colour there."""
        return zip(self.holders[i], self.shades[i] if self.colours else repeat(0), strict=False)

    @property
    def is_pure(self) -> bool:
        """Whether the matrix says everything: there are no sides, and every option tells answers apart."""
        return not self.sides and self.projection is None

    def by_all(self) -> Problem:
        """The same problem, in which every option tells answers apart. It has an answer if this one has, and the same
        minimum."""
        return self if self.projection is None else evolve(self, projection=None)

    def projected(self, answer: Sequence[int]) -> tuple[int, ...]:
        """The options of an answer that tell it apart from others; equal for answers that count as one."""
        return tuple(answer) if self.projection is None else tuple([o for o in answer if o in self._telling])

    @cached_property
    def _telling(self) -> frozenset[int]:
        return frozenset(self.projection or ())

    @property
    def is_exact(self) -> bool:
        """Whether every item has bounds 1, 1 or 0, 1, as Algorithms X and C require, and the problem is
        pure."""
        return self.is_pure and all(h == 1 and lo <= 1 for lo, h in heeded(zip(self.low, self.high, strict=True)))

    @property
    def is_cover(self) -> bool:
        """Whether every item is bounded only from below, as in a covering problem, and the problem is pure."""
        n = self.options
        return self.is_pure and not self.colours and all(h >= n for h in heeded(self.high))


def build(
    bounds: Sequence[tuple[int, int]],
    options: Iterable[Sequence[int | tuple[int, int]]],
    *,
    costs: Sequence[int] = (),
    given: Sequence[int] = (),
    sides: Sequence[Side] = (),
    projection: Sequence[int] | None = None,
) -> Problem:
    """A Problem from (low, high) per item, and from options as lists of items or (item, colour) pairs in any order.

    Primary items must come first; items keep the numbers that the caller gave them. Raises ValueError if this or
    anything else that a Problem promises does not hold, or if a number is not a whole number (see whole.py). Time
    linear in the length of the options.
    """
    starts, members, colours = [0], [], []
    for option in options:
        pairs = sorted([(e, 0) if type(e) is int else _pair(e) for e in option])
        members += [i for i, _ in pairs]
        colours += [c for _, c in pairs]
        starts.append(len(members))
    low = tuple([whole(lo, "the lower bound of an item") for lo, _ in bounds])
    problem = Problem(
        low=low,
        high=tuple([whole(h, "the upper bound of an item") for _, h in bounds]),
        primary=sum(lo > 0 for lo in low),
        starts=starts,
        members=members,
        colours=colours if any(colours) else (),
        costs=tuple([whole(c, "the cost of an option") for c in costs]),
        given=tuple(sorted([whole(o, "a given option") for o in given])),
        sides=tuple(sides),
        projection=None if projection is None else tuple(sorted([whole(o, TELLING) for o in projection])),
    )
    validate(problem)
    return problem


def _pair(entry: object) -> tuple[int, int]:
    """The item and the colour of an entry, which is an item or an (item, colour) pair; the colour is 0 if none is
    given."""
    if isinstance(entry, tuple | list) and len(entry) == 2:
        return whole(entry[0], "an item of an option"), whole(entry[1], "the colour of an item")
    return whole(entry, "an item of an option"), 0


TELLING = "an option that tells answers apart"  # what messages call it
MAX_COST = 2**62  # units of cost: the absolute values of all costs add up to less than this, so that sums fit 63 bits
MOST_COLOURS = 2**31  # every colour's number is below this, because kernels keep it in 32 bits


def too_dear(total: int) -> str:
    """The message for costs whose sum is too large. total: the sum of their absolute values."""
    return f"the costs add up to {total}, signs left out; they must stay below 2^62, which is {MAX_COST}"


def validate(problem: Problem) -> None:
    """Check everything that `Problem` promises, because compiled kernels rely on it. Linear time. Raises ValueError
    with the first fault."""
    p = problem
    n, m = p.items, p.options
    for name, numbers in (
        ("low", p.low),
        ("high", p.high),
        ("costs", p.costs),
        ("given", p.given),
        ("projection", p.projection or ()),
    ):
        for number in numbers:
            if type(number) is not int:
                raise ValueError(f"{name} holds {number!r}, which is no int")
    if len(p.high) != n:
        raise ValueError("low and high differ in length")
    if any(lo < 0 or h < 0 for lo, h in zip(p.low, p.high, strict=True)):
        raise ValueError("an item's bounds are negative")
    if any((lo > 0) != (i < p.primary) for i, lo in enumerate(p.low)):
        raise ValueError("primary items (low > 0) must come first")
    if m < 0 or p.starts[0] != 0 or p.starts[m] != len(p.members):
        raise ValueError("starts does not fit members")
    if p.colours and len(p.colours) != len(p.members):
        raise ValueError("colours does not fit members")
    for o in range(m):
        run = p.option(o)
        if any(b <= a for a, b in pairwise(run)) or (run and not 0 <= run[0] <= run[-1] < n):
            raise ValueError(f"option {o} is not an increasing run of item numbers")
        for i, c in zip(run, p.option_colours(o), strict=True):
            if c < 0 or (c and (p.low[i], p.high[i]) != (0, 1)):
                raise ValueError(f"option {o} has a colour in item {i}, whose bounds are not 0, 1")
            if c >= MOST_COLOURS:
                raise ValueError(f"option {o} has the colour {c} in item {i}; colours must be below {MOST_COLOURS}")
    if p.costs and len(p.costs) != m:
        raise ValueError("costs does not fit the options")
    total = sum(map(abs, p.costs))
    if total >= MAX_COST:
        raise ValueError(too_dear(total))
    for name, numbers in (("given", p.given), ("projection", p.projection or ())):
        if any(not 0 <= o < m for o in numbers) or list(numbers) != sorted(set(numbers)):
            raise ValueError(f"{name} is not an increasing run of option numbers")
    validate_sides(p.sides, m)
