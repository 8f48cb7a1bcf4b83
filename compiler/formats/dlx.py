"""Knuth's format for exact cover, with colours (DLX2), multiplicities (DLX3) and costs (DLX5).

    | a line that begins with a bar is a comment, and so is one that begins with // or #
    A 2|B 2:3|C | X Y     the items; n| or low:high| before a name are its bounds; after | secondary ones
    A 2*B 2:3*C           the same bounds, as others write them
    A C X:red |5          an option; item:colour for secondary items; |n is a cost, and several costs add up

Two options that meet in a secondary item without a colour exclude each other, as they would in a primary item. As in
Knuth's programs, an option without a primary item (one named before the bar) is left out silently, because it is in
none of their solutions. A primary item with bounds 0:n may stay uncovered; here it becomes an item with low = 0, which
stands after those that must be covered. Apart from that, items keep their order.

A problem is written so that Knuth's programs find the same answers: an option without a primary item gets an additional
one with bounds 0:1, and a given option gets one that no other option can cover. If no item is added or moved, reading
gives back exactly the problem that was written; otherwise, one with the same options and answers. Names lose what the
format cannot express: spaces, bars and colons become `_`, and equal names are numbered.

Source: D. E. Knuth, the introductions of DLX1, DLX2, DLX3 and DLX5 (cs.stanford.edu/~knuth/programs.html).
We do not have his limits on the length of names and lines, and costs may be negative.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from attrs import field, mutable

from covr.compiler.formats.draft import ANY_TIMES, Draft
from covr.compiler.formats.fault import FormatFault
from covr.compiler.formats.placed_words import Word, filled_lines, shorten
from covr.engine import Problem

NOT_IN_NAMES = re.compile(r"[\s|:]+")
STARRED = re.compile(r"\d+(:\d+)?\*\S")


def read_dlx(text: str) -> Problem:
    """The problem that a .dlx file holds. Items keep their names; an option is named by the text of its line.

    Raises FormatFault, a ValueError, with the number of the first wrong line. Time linear in the text.
    """
    reader = _DlxReader(text)
    for words in filled_lines(text):
        if reader.is_comment(words):
            continue
        if not reader.draft.names:
            reader.items(words)
        else:
            reader.option(words)
    if not reader.draft.names:
        raise FormatFault(1, "there are no items")
    return reader.draft.problem()


@mutable
class _DlxReader:
    """Reads a .dlx file. text: the file.  draft: items in file order.  must: for each item, whether Knuth calls it
    primary.  numbers: name → item."""

    text: str
    draft: Draft = field(factory=Draft)
    must: list[bool] = field(factory=list)
    numbers: dict[str, int] = field(factory=dict)
    colours: dict[str, int] = field(factory=dict)

    def is_comment(self, words: list[Word]) -> bool:
        """Whether a line is a comment. If an item is called `#1`, a line that begins with that name is an option."""
        first = words[0]
        if first.column == 1 and first.text.startswith("|"):
            return True
        if not first.text.startswith(("#", "//")) or first.text.partition(":")[0] in self.numbers:
            return False
        if self.draft.names or not first.text.strip("#/"):
            return True
        return not all(word.text.startswith((first.text[0], "|")) for word in words)

    def items(self, words: list[Word]) -> None:
        primary = True
        for word in words:
            if word.text == "|":
                if not primary:
                    raise word.fault("there are two bars among the items")
                primary = False
                continue
            low, high, name = self._bounds(word, primary)
            if not primary:
                if "|" in word.text:
                    raise word.fault(f"the secondary item `{shorten(name)}` has bounds")
                low = 0
            if not name or ":" in name or "|" in name:
                raise word.fault(f"`{shorten(word.text)}` is not an item's name")
            if name in self.numbers:
                raise word.fault(f"the item `{shorten(name)}` is named twice")
            self.numbers[name] = self.draft.item(name, low, high)
            self.must.append(primary)

    def option(self, words: list[Word]) -> None:
        members: dict[int, int] = {}
        cost = 0
        for word in words:
            if word.text.startswith("|"):
                cost += Word(word.text[1:], word.line, word.column + 1).number(signed=True)
                continue
            name, mark, colour = word.text.partition(":")
            if name not in self.numbers:
                raise word.fault(f"there is no item `{shorten(name)}`")
            i = self.numbers[name]
            if i in members:
                raise word.fault(f"the item `{shorten(name)}` is in the option twice")
            if mark and (self.must[i] or not colour):
                what = "is primary and has no colours" if self.must[i] else "has an empty colour"
                raise word.fault(f"the item `{shorten(name)}` {what}")
            members[i] = self.colours.setdefault(colour, len(self.colours) + 1) if mark else 0
        if any(self.must[i] for i in members):
            named = " ".join(w.text for w in words if not w.text.startswith("|"))
            self.draft.option(named, members.items(), cost)

    def _bounds(self, word: Word, primary: bool) -> tuple[int, int, str]:
        """Low, high and name of `low:high|name`, `n|name`, the same with a star, or `name`. A star may also belong to
        the name, if options contain that name."""
        bounds, bar, name = word.text.rpartition("|")
        if primary and not bar and STARRED.match(word.text) and self.text.count(word.text) == 1:
            bounds, bar, name = word.text.partition("*")
        if not bar:
            return 1, 1, name or word.text
        low, colon, high = bounds.partition(":")
        least = Word(low, word.line, word.column).number()
        most = Word(high, word.line, word.column).number() if colon else least
        if not 0 <= least <= most <= ANY_TIMES:
            raise word.fault(f"`{bounds}` is not a range of multiplicities")
        return least, most, name


def write_dlx(problem: Problem) -> Iterator[str]:
    """The lines of a .dlx file. Time linear in the length of the options."""
    names = plain_names(problem.item_names, problem.items)
    secondary, lonely = _secondary(problem) if problem.options or problem.primary else (set(), set())
    taken = set(names)
    extra = _unused("free", taken)
    claims = {o: _unused(f"given_{o + 1}", taken) for o in problem.given}
    heads = [_head(problem, i, names[i]) for i in range(problem.items) if i not in secondary]
    heads += [f"0:{len(lonely)}|{extra}"] if lonely else []
    heads += claims.values()
    behind = [names[i] for i in sorted(secondary)]
    if not heads:  # the format cannot express a problem without items
        heads = [f"0:1|{extra}"]
    yield " ".join([*heads, "|", *behind] if behind else heads) + "\n"
    for o in range(problem.options):
        pairs = zip(problem.option(o), problem.option_colours(o), strict=True)
        words = [f"{names[i]}:{c}" if c else names[i] for i, c in pairs]
        words += [extra] if o in lonely else []
        words += [claims[o]] if o in claims else []
        words += [f"|{problem.costs[o]}"] if problem.costs and problem.costs[o] else []
        yield " ".join(words) + "\n"


def _secondary(problem: Problem) -> tuple[set[int], set[int]]:
    """The items that stand after the bar, and the options that cover no item before it."""
    coloured = {i for i, c in zip(problem.members, problem.colours, strict=True) if c} if problem.colours else set()
    secondary = {i for i in range(problem.primary, problem.items) if problem.high[i] == 1}
    lonely: set[int] = set()
    given = set(problem.given)
    for o in range(problem.options):
        run = problem.option(o)
        if o in given or any(i not in secondary for i in run):
            continue
        plain = next((i for i in run if i not in coloured), None)
        if plain is None:
            lonely.add(o)
        else:
            secondary.remove(plain)
    return secondary, lonely


def _head(problem: Problem, item: int, name: str) -> str:
    low, high = problem.low[item], min(problem.high[item], ANY_TIMES)
    if low > high:  # no answer satisfies this; Knuth's format has no such range
        low = high = problem.options + 1
    if low == high == 1:
        # A name that would begin a comment, or look like a bound, gets a bound before it.
        return f"1|{name}" if name.startswith(("#", "//")) or STARRED.match(name) else name
    return f"{low}|{name}" if low == high else f"{low}:{high}|{name}"


def plain_names(names: Sequence[str], size: int, letter: str = "i") -> list[str]:
    """A name for each item that the format can express, all different; `i1`, `i2` … for items without names."""
    if not names:
        return [f"{letter}{i + 1}" for i in range(size)]
    taken: set[str] = set()
    plain = (NOT_IN_NAMES.sub("_", name).strip("_") for name in names)
    return [_unused(name or f"{letter}{i + 1}", taken) for i, name in enumerate(plain)]


def _unused(name: str, taken: set[str]) -> str:
    """The name, or the name with a number, that is not taken yet. It is added to `taken`."""
    found, n = name, 1
    while found in taken:
        n += 1
        found = f"{name}~{n}"
    taken.add(found)
    return found
