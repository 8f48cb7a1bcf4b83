"""Knuth's format for exact cover, with colours (DLX2), multiplicities (DLX3) and costs (DLX5).

    | a line that begins with a bar is a comment
    A 2|B 2:3|C | X Y     the items; n| or low:high| before a name are its bounds; after | secondary ones
    A C X:red |5          an option; item:colour for secondary items; |n is a cost, several add up

Two secondary options meet without a colour as they meet in a primary item: one of them at most. As in Knuth's
programs an option that has no primary item — none named before the bar — is left out, silently, since their
solutions never hold one. A primary item of bounds 0:n may stay uncovered; it becomes an item with low = 0
here, which stands after those that must be covered. Names keep their order otherwise.

Source: D. E. Knuth, the introductions of DLX1, DLX2, DLX3 and DLX5 (cs.stanford.edu/~knuth/programs.html).
His limits on the length of names and lines are not ours; costs may be negative.
"""

from __future__ import annotations

from attrs import evolve, field, mutable

from covr.compiler.formats.fault import FormatFault
from covr.engine import Problem, validate

ANY_TIMES = 2**31 - 1


def read_dlx(text: str) -> Problem:
    """The problem that a .dlx file holds; items have their names, options the text of their lines.

    Raises FormatFault, a ValueError, with the number of the first wrong line. Time linear in the text.
    """
    reader = _Reader()
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if not words or line.startswith("|"):
            continue
        if not reader.names:
            reader.items(words, number)
        else:
            reader.option(words, number)
    if not reader.names:
        raise FormatFault(1, "there are no items")
    return reader.problem()


@mutable
class _Reader:
    """names, low, high, must: per item in file order; `must` as Knuth's primary. numbers: name → index
    there."""

    names: list[str] = field(factory=list)
    low: list[int] = field(factory=list)
    high: list[int] = field(factory=list)
    must: list[bool] = field(factory=list)
    numbers: dict[str, int] = field(factory=dict)
    colours: dict[str, int] = field(factory=dict)
    options: list[list[tuple[int, int]]] = field(factory=list)
    costs: list[int] = field(factory=list)
    option_names: list[str] = field(factory=list)

    def items(self, words: list[str], line: int) -> None:
        primary = True
        for word in words:
            if word == "|":
                if not primary:
                    raise FormatFault(line, "there are two bars among the items")
                primary = False
                continue
            low, high, name = _bounds(word, line)
            if not primary:
                if "|" in word:
                    raise FormatFault(line, f"the secondary item `{name}` has bounds")
                low = 0
            if not name or ":" in name or "|" in name:
                raise FormatFault(line, f"`{word}` is not an item's name")
            if name in self.numbers:
                raise FormatFault(line, f"the item `{name}` is named twice")
            self.numbers[name] = len(self.names)
            self.names.append(name)
            self.low.append(low)
            self.high.append(high)
            self.must.append(primary)

    def option(self, words: list[str], line: int) -> None:
        members: dict[int, int] = {}
        cost = 0
        for word in words:
            if word.startswith("|"):
                cost += _number(word[1:], line)
                continue
            name, mark, colour = word.partition(":")
            if name not in self.numbers:
                raise FormatFault(line, f"there is no item `{name}`")
            i = self.numbers[name]
            if i in members:
                raise FormatFault(line, f"the item `{name}` is in the option twice")
            if mark and (self.must[i] or not colour):
                what = "is primary and has no colours" if self.must[i] else "has an empty colour"
                raise FormatFault(line, f"the item `{name}` {what}")
            members[i] = self.colours.setdefault(colour, len(self.colours) + 1) if mark else 0
        if any(self.must[i] for i in members):
            self.options.append(list(members.items()))
            self.costs.append(cost)
            self.option_names.append(" ".join(w for w in words if not w.startswith("|")))

    def problem(self) -> Problem:
        order = sorted(range(len(self.names)), key=lambda i: self.low[i] == 0)
        place = {i: k for k, i in enumerate(order)}
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
            item_names=tuple(self.names[i] for i in order),
            option_names=tuple(self.option_names),
        )
        if any(self.costs):
            problem = evolve(problem, costs=tuple(self.costs))
        validate(problem)
        return problem


def _bounds(word: str, line: int) -> tuple[int, int, str]:
    """`low:high|name`, `n|name` or `name`."""
    bounds, bar, name = word.rpartition("|")
    if not bar:
        return 1, 1, name
    low, colon, high = bounds.partition(":")
    least = _number(low, line)
    most = _number(high, line) if colon else least
    if not 0 <= least <= most <= ANY_TIMES:
        raise FormatFault(line, f"`{bounds}` is not a range of multiplicities")
    return least, most, name


def _number(text: str, line: int) -> int:
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 18):
        raise FormatFault(line, f"`{text}` is not a whole number")
    return int(text)
