"""A problem while it is being read: its items and options, in the order of the file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import field, mutable

from covr.compiler.evaluate.limits import CompileLimits
from covr.compiler.formats.fault import FormatFault
from covr.engine import MAX_COST, Problem, validate
from covr.engine.sides import Side

LIMITS = CompileLimits()
ANY_TIMES = 2**31 - 1  # "no upper bound" of an item in a file


@mutable
class Draft:
    """A problem while it is being read. It must stay within the limits that hold for the matrix of a model.

    names, low, high: for each item.  options: for each option its items with colours (0: none), in any order.
    costs: for each option, all 0 if nothing costs.  goal: whether there is a goal even if all costs are 0.
    entries: how many items all options have together.
    """

    names: list[str] = field(factory=list)
    low: list[int] = field(factory=list)
    high: list[int] = field(factory=list)
    options: list[list[tuple[int, int]]] = field(factory=list)
    option_names: list[str] = field(factory=list)
    costs: list[int] = field(factory=list)
    given: list[int] = field(factory=list)
    goal: bool = False
    entries: int = 0

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
        self.options.append(list(members))
        self.entries += len(self.options[-1])
        if len(self.options) > LIMITS.options:
            raise FormatFault(1, f"there are more than {LIMITS.options} options")
        if self.entries > LIMITS.entries:
            raise FormatFault(1, f"the options hold more than {LIMITS.entries} items together")
        self.option_names.append(name)
        self.costs.append(cost)

    def problem(self, sides: Sequence[Side] = ()) -> Problem:
        """The Problem: primary items first, otherwise in the file's order. Raises FormatFault if costs are too
        large."""
        if (spent := sum(map(abs, self.costs))) >= MAX_COST:
            raise FormatFault(1, f"the costs add up to {spent}, and must stay below {MAX_COST}")
        order = sorted(range(len(self.names)), key=lambda i: self.low[i] == 0)
        place = [0] * len(order)
        for k, i in enumerate(order):
            place[i] = k
        starts, members, colours = [0], [], []
        for option in self.options:
            run = sorted((place[i], c) for i, c in option)
            members += [i for i, _ in run]
            colours += [c for _, c in run]
            starts.append(len(members))
        problem = Problem(
            low=tuple(self.low[i] for i in order),
            high=tuple(self.high[i] for i in order),
            primary=sum(lo > 0 for lo in self.low),
            starts=starts,
            members=members,
            colours=colours if any(colours) else (),
            costs=tuple(self.costs) if self.goal or any(self.costs) else (),
            given=tuple(sorted(self.given)),
            sides=tuple(sides),
            item_names=tuple(self.names[i] for i in order),
            option_names=tuple(self.option_names),
        )
        validate(problem)
        return problem
