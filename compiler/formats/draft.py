"""A problem while it is being read: its items and options, in the order of the file.

How many entries it may have depends on the memory that a command may use (engine/base/memory.py): a file is as large as
it is, while a model that makes more than its limit of entries is taken for a mistake. Entries are kept in two arrays;
a list of pairs for each option took 80 bytes an entry.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from operator import ge

from attrs import field, mutable

from covr.compiler.evaluate.limits import CompileLimits
from covr.compiler.formats.fault import FormatFault
from covr.engine import MAX_COST, Problem, validate
from covr.engine.base.memory import usual
from covr.engine.sides import Side

LIMITS = CompileLimits()
ANY_TIMES = 2**31 - 1  # "no upper bound" of an item in a file
ENTRY = 400  # bytes: what an entry takes in the end, while it is searched, with the names of its option and item


@lru_cache(1)
def most_entries() -> int:
    """How many entries a matrix may have: as many as there is memory for, and not less than that of a model."""
    return max(LIMITS.entries, (usual() or 0) // ENTRY)


@mutable
class Draft:
    """A problem while it is being read. It must stay within the limits that hold for the matrix of a model.

    names, low, high: for each item.  members, colours: the items of all options, one option after another and in any
    order, with colours (0: none).  starts: where the options begin, and the end.
    costs: for each option, all 0 if nothing costs.  goal: whether there is a goal even if all costs are 0.
    """

    names: list[str] = field(factory=list)
    low: list[int] = field(factory=list)
    high: list[int] = field(factory=list)
    starts: array[int] = field(factory=lambda: array("q", [0]))
    members: array[int] = field(factory=lambda: array("q"))
    colours: array[int] = field(factory=lambda: array("q"))
    option_names: list[str] = field(factory=list)
    costs: list[int] = field(factory=list)
    given: list[int] = field(factory=list)
    goal: bool = False

    @property
    def options(self) -> int:
        """How many options there are so far."""
        return len(self.costs)

    def item(self, name: str, low: int, high: int) -> int:
        """Add an item and return its number. Raises FormatFault if there are too many."""
        if len(self.names) >= LIMITS.items:
            raise FormatFault(1, f"there are more than {LIMITS.items} items")
        self.names.append(name)
        self.low.append(low)
        self.high.append(high)
        return len(self.names) - 1

    def option(self, name: str, members: Iterable[tuple[int, int]], cost: int = 0) -> None:
        """Add an option. members: (item, colour). Raises FormatFault if there are too many options or entries."""
        for item, colour in members:
            self.members.append(item)
            self.colours.append(colour)
        self.starts.append(len(self.members))
        if self.options >= LIMITS.options:
            raise FormatFault(1, f"there are more than {LIMITS.options} options")
        if len(self.members) > most_entries():
            raise FormatFault(1, f"the options hold more than {most_entries()} items together")
        self.option_names.append(name)
        self.costs.append(cost)

    def rows(self) -> Iterator[Iterator[tuple[int, int]]]:
        """The items of each option, with their colours."""
        for start, end in pairwise(self.starts):
            yield zip(self.members[start:end], self.colours[start:end], strict=True)

    def problem(self, sides: Sequence[Side] = ()) -> Problem:
        """The Problem: primary items first, otherwise in the file's order. Raises FormatFault if costs are too
        large."""
        if (spent := sum(map(abs, self.costs))) >= MAX_COST:
            raise FormatFault(1, f"the costs add up to {spent}, and must stay below {MAX_COST}")
        order = sorted(range(len(self.names)), key=lambda i: self.low[i] == 0)
        place = [0] * len(order)
        for k, i in enumerate(order):
            place[i] = k
        members = list(map(place.__getitem__, self.members))  # so that equal numbers are one object
        colours = list(self.colours) if any(self.colours) else []
        for start, end in pairwise(self.starts):
            run = members[start:end]
            if any(map(ge, run, run[1:])):
                pairs = sorted(zip(run, self.colours[start:end], strict=True))
                members[start:end] = [i for i, _ in pairs]
                if colours:
                    colours[start:end] = [c for _, c in pairs]
        problem = Problem(
            low=tuple(self.low[i] for i in order),
            high=tuple(self.high[i] for i in order),
            primary=sum(lo > 0 for lo in self.low),
            starts=list(self.starts),
            members=members,
            colours=colours or (),
            costs=tuple(self.costs) if self.goal or any(self.costs) else (),
            given=tuple(sorted(self.given)),
            sides=tuple(sides),
            item_names=tuple(self.names[i] for i in order),
            option_names=tuple(self.option_names),
        )
        validate(problem)
        return problem
