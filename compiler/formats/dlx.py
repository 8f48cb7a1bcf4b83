"""Exact cover as Knuth's programs and as miniexact read it."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain, islice

from attrs import field, mutable

from covr.compiler.formats.draft import ANY_TIMES, MOST_WORDS, Draft, FormatFault, Word, brief, filled_lines, note
from covr.engine import Problem
from covr.frozen import frozen

# --- dlx -------------------------------------------------------------------------------------------------------------
# Knuth's format for exact cover, with colours (DLX2), multiplicities (DLX3) and costs (DLX5).
#
#     | a line that begins with a bar is a comment, and so is one that begins with // or #
#     A 2|B 2:3|C | X Y     the items; n|, low:high| or :high| before a name are its bounds; after | secondary ones
#     A 2*B 2:3*C           the same bounds, as others write them
#     A C X:red |5          an option; item:colour for secondary items; |n is a cost, and several costs add up
#
# Two options that meet in a secondary item without a colour exclude each other, as they would in a primary item. As in
# Knuth's programs, an option without a primary item (one named before the bar) is left out silently, because it is in
# none of their solutions. A primary item with bounds 0:n may stay uncovered; here it becomes an item with low = 0,
# which stands after those that must be covered. Apart from that, items keep their order. A colour on a primary item
# means nothing, as in SSXCC and XCCDC, which read it: the item is covered once, and so has one colour anyway.
#
# A problem is written so that Knuth's programs read it and find the same answers. An option without a primary item gets
# an additional one with bounds 0:n, and a given option one that no other option can cover; items that nothing may cover
# are secondary items of an additional option that is always taken. Names that are too long for those programs become
# short ones. What the file says in comments then, in front and over each option, is read back by covr, so that the
# problem is the one that was written:
#
#     | Written by covr. Read by Knuth's DLX3, because there are multiplicities.
#     | i1 = row 1 holds 3         the item i1 and its name; a name that is no plain text is a JSON string
#     | :A = 10                    the colour A is number 10; i1:A = 10 if that is so in i1 alone
#     | g1 given                   its only option is given, and there is no item g1
#     | f1 free                    there is no item f1
#     | n1 never                   its only option is none, and the items in it may not be covered
#     | put(3, 1)                  over an option: its name
#
# Each of these is read only where it means the same as the plain file: edited by hand, a file stays what it says.
#
# In his programs an item's name has at most eight characters and a colour exactly one, no bound more than seven digits,
# and no line, comments included, more than nine characters for each item that the program has room for. When files are
# read there are no such limits, and costs may be negative.
#
# Source: D. E. Knuth, dlx1.w, dlx2.w, dlx3.w, dlx5.w, dlx6.w, ssxcc.w and xccdc.w, as of 2025
# (cs.stanford.edu/~knuth/programs.html).


WRITTEN = "| Written by covr."  # how a file begins whose comments covr reads
NOT_IN_NAMES = re.compile(r"[\s|:]+")
SHORT = re.compile(r"[!-~]{1,8}")
STARRED = re.compile(r"\d+(:\d+)?\*\S")
COLOURS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0"
MOST_TIMES = 9_999_999  # the largest bound that DLX3 reads
LONGEST = 80_000  # bytes of a comment: DLX3 and XCCDC have room for lines of 90,002
NAMED = re.compile(r"\|\s*(?:([^\s:]*):)?(\S+) = (.*\S)\s*")  # `i1 = name`, `:A = 10` or `i1:A = 10`
MARKED = re.compile(r"\|\s*(\S+) (given|free|never)\s*")


@frozen
class Program:
    """One of Knuth's programs. knows: which of colours, multiplicities and costs.  items, entries: how many it has room
    for; an option counts as one entry more than it has items."""

    name: str
    knows: frozenset[str]
    items: int
    entries: int


PROGRAMS = tuple(
    Program(name, frozenset(knows.split()), items, entries)
    for name, knows, items, entries in (
        ("DLX1", "", 100_000, 25_000_000),
        ("DLX2", "colours", 100_000, 10_000_000),
        ("DLX3", "colours multiplicities", 10_000, 100_000_000),
        ("DLX5", "colours costs", 100_000, 10_000_000),
        ("DLX6", "colours", 100_000, 10_000_000),
        ("SSXCC", "colours", 100_000, 10_000_000),
        ("XCCDC", "colours", 10_000, 50_000_000),
    )
)


def read_dlx(text: str) -> Problem:
    """The problem that a .dlx file holds. Items keep their names; an option is named by the text of its line, unless
    covr wrote the file. Raises FormatFault, a ValueError, with the number of the first wrong line. Time linear in the
    text."""
    reader = _DlxReader(text, text.split("\n") if text.startswith(WRITTEN) else [])
    for words in filled_lines(text):
        if reader.is_comment(words):
            if reader.lines:
                reader.comment(reader.lines[words[0].line - 1].strip())
        elif not reader.draft.names:
            reader.items(words)
        else:
            reader.option(words)
    if not reader.draft.names:
        raise FormatFault(1, "there are no items")
    return reader.problem()


@mutable
class _DlxReader:
    """Reads a .dlx file.

    - text: the file; lines: its lines if covr wrote it, or empty; draft: items in file order
    - must: for each item, whether Knuth calls it primary
    - numbers: name → item; colours: word → number, or where covr wrote the file, for each item
    - named, marked: what its comments say, by the words of the file; `named` in the order of the problem's items
    - made_up: the items that are marked; above: the comment over the next option; painted: primary items with a colour
    """

    text: str
    lines: list[str]
    draft: Draft = field(factory=Draft)
    must: list[bool] = field(factory=list)
    numbers: dict[str, int] = field(factory=dict)
    colours: defaultdict[int, dict[str, int]] = field(factory=lambda: defaultdict(dict))
    named: dict[str, str] = field(factory=dict)
    marked: dict[str, str] = field(factory=dict)
    made_up: set[int] = field(factory=set)
    above: str | None = None
    painted: dict[str, None] = field(factory=dict)

    def is_comment(self, words: list[Word]) -> bool:
        """Whether a line is a comment. If an item is called `#1`, a line that begins with that name is an option."""
        first = words[0]
        if first.text.startswith("|"):
            return True
        if not first.text.startswith(("#", "//")) or first.text.partition(":")[0] in self.numbers:
            return False
        if self.draft.names or not first.text.strip("#/"):
            return True
        return not all(word.text.startswith((first.text[0], "|")) for word in words)

    def comment(self, line: str) -> None:
        """A comment of covr: in front of the items, or over an option."""
        if self.draft.names:
            self.above = _unquoted(line[1:].strip()) if line.startswith("|") else None
        elif found := MARKED.fullmatch(line):
            self.marked[found[1]] = found[2]
        elif found := NAMED.fullmatch(line):
            word = found[2] if found[1] is None else f"{found[1]}:{found[2]}"
            self.named[word] = _unquoted(found[3])

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
                    raise word.fault(f"the secondary item `{brief(name)}` has bounds")
                low = 0
            if not name or ":" in name or "|" in name:
                raise word.fault(f"`{brief(word.text)}` is not an item's name")
            if name in self.numbers:
                raise word.fault(f"the item `{brief(name)}` is named twice")
            self.numbers[name] = self.draft.item(self.named.get(name, name), low, high)
            self.must.append(primary)
            if name in self.marked:
                self.made_up.add(self.numbers[name])

    def option(self, words: list[Word]) -> None:
        members: dict[int, int] = {}
        cost = 0
        for word in words:
            if word.text.startswith("|"):
                cost += Word(word.text[1:], word.line, word.column + 1).number(signed=True)
                continue
            name, mark, colour = word.text.partition(":")
            if name not in self.numbers:
                raise word.fault(f"there is no item `{brief(name)}`")
            i = self.numbers[name]
            if i in members:
                raise word.fault(f"the item `{brief(name)}` is in the option twice")
            if mark and not colour:
                raise word.fault(f"the item `{brief(name)}` has an empty colour")
            if mark and self.must[i]:
                if self.draft.high[i] > 1:
                    what = "may be covered several times: what its colours mean then is not known"
                    raise word.fault(f"the item `{brief(name)}` {what}")
                self.painted[name] = None
                mark = ""
            members[i] = self._colour(name, i, colour) if mark else 0
        above, self.above = self.above, None
        if any(self.must[i] for i in members):
            said = (w.text for w in words if not w.text.startswith("|"))
            if self.lines:
                said = (_shown(self.draft.names[i], c) for i, c in members.items() if i not in self.made_up)
            self.draft.option(" ".join(said) if above is None else above, members.items(), cost)

    def _colour(self, name: str, item: int, word: str) -> int:
        """The number of a colour; different words of an item have different ones."""
        if not self.lines:
            return self.colours[0].setdefault(word, len(self.colours[0]) + 1)
        known = self.colours[item]
        if word not in known:
            said = self.named.get(f"{name}:{word}", self.named.get(f":{word}", word))
            number = int(said) if said.isascii() and said.isdecimal() and len(said) < 10 else 0
            known[word] = number if number and number not in known.values() else max(known.values(), default=0) + 1
        return known[word]

    def _bounds(self, word: Word, primary: bool) -> tuple[int, int, str]:
        """Low, high and name of `low:high|name`, `n|name`, the same with a star, or `name`. A star may also belong to
        the name, if options contain that name."""
        bounds, bar, name = word.text.rpartition("|")
        if primary and not bar and STARRED.match(word.text) and self.text.count(word.text) == 1:
            bounds, bar, name = word.text.partition("*")
        if not bar:
            return 1, 1, name or word.text
        low, colon, high = bounds.partition(":")
        least = Word(low, word.line, word.column).number() if low or not colon else 0
        most = Word(high, word.line, word.column + len(low) + 1).number() if colon else least
        if not 0 <= least <= most <= ANY_TIMES:
            raise word.fault(f"`{bounds}` is not a range of multiplicities")
        return least, most, name

    def problem(self) -> Problem:
        if self.painted:
            some = ", ".join([brief(name) for name in self.painted][:5]) + (", …" if len(self.painted) > 5 else "")
            note(f"colours of primary items mean nothing and are left out: {some}")
        return (self._restored() if self.lines else self.draft).problem()

    def _restored(self) -> Draft:
        """The draft as covr had it: its items in their order, without what was made up for Knuth's programs."""
        draft, size = self.draft, len(self.draft.names)
        options = [list(row) for row in draft.rows()]
        holders: dict[int, list[int]] = {self.numbers[name]: [] for name in self.marked if name in self.numbers}
        for o, row in enumerate(options):
            for i, _ in row:
                if i in holders:
                    holders[i].append(o)
        gone: set[int] = set()
        idle: set[int] = set()  # options that are none
        never: set[int] = set()
        given: set[int] = set()
        for name, mark in self.marked.items():
            if name not in self.numbers:
                continue
            i = self.numbers[name]
            held, one = holders[i], (draft.low[i], draft.high[i]) == (1, 1) and len(holders[i]) == 1
            if mark == "free" and draft.low[i] == 0 and self.must[i] and draft.high[i] >= len(held):
                gone.add(i)
            elif mark == "given" and one:
                gone.add(i)
                given.update(held)
            elif mark == "never" and one and not draft.costs[held[0]]:
                others = [(j, c) for j, c in options[held[0]] if j != i]
                if not any(self.must[j] or c for j, c in others):
                    gone.add(i)
                    idle.update(held)
                    never.update(j for j, _ in others)
        order = {self.numbers[name]: None for name in self.named if name in self.numbers}
        kept = [i for i in (*order, *(i for i in range(size) if i not in order)) if i not in gone]
        found = Draft(goal=draft.goal)
        places = {i: found.item(draft.names[i], draft.low[i], 0 if i in never else draft.high[i]) for i in kept}
        for o, row in enumerate(options):
            if o not in idle:
                if o in given:
                    found.given.append(found.options)
                found.option(draft.option_names[o], [(places[i], c) for i, c in row if i in places], draft.costs[o])
        return found


def _unquoted(text: str) -> str:
    """A name from a comment."""
    if text.startswith('"'):
        try:
            return str(json.loads(text))
        except ValueError:
            pass
    return text


def write_dlx(problem: Problem) -> Iterator[str]:
    """The lines of a .dlx file. A remark says which of Knuth's programs read it, where not all that know colours do.
    Time linear in the length of the options."""
    return _DlxWriter(problem).lines()


class _DlxWriter:
    """A problem in words that Knuth's programs read.

    names: of the items.  never: the items that nothing may cover.  behind: those that stand after the bar.  lonely: the
    options that cover no item before it.  common: colours → their words; if there are not enough words, `apart` has
    them for each item.  marks: what is said of items that are made up: `claims` of the options that are given, `free`
    and `closed`, which are empty if there is none.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.names = _short_names(problem.item_names, problem.items)
        self.never = [i for i in range(problem.primary, problem.items) if problem.high[i] < 1]
        held = problem.options or problem.primary or self.never
        self.behind, self.lonely = _secondary(problem) if held else (set(), set())
        taken = set(self.names)
        self.marks: dict[str, str] = {}
        self.claims = {o: self._made_up("g", "given", taken) for o in problem.given}
        needed = self.lonely or not (len(self.behind) < problem.items or self.claims or self.never)
        self.free = self._made_up("f", "free", taken) if needed else ""
        self.closed = self._made_up("n", "never", taken) if self.never else ""
        colours = sorted({*problem.colours} - {0})
        self.common = _colour_words(colours)
        self.apart: dict[int, dict[int, str]] = {}
        if len(colours) > len(COLOURS):
            for i in range(problem.items):
                self.apart[i] = _colour_words(sorted({c for _, c in problem.column(i)} - {0}))

    def _made_up(self, letter: str, mark: str, taken: set[str]) -> str:
        """A new item's name."""
        found = next(name for k in range(len(self.marks) + 1, len(taken) + 2) if (name := f"{letter}{k}") not in taken)
        taken.add(found)
        self.marks[found] = mark
        return found

    def lines(self) -> Iterator[str]:
        problem = self.problem
        head = self._head()
        yield f"{WRITTEN} {self._readers(len(head))}\n"
        yield from self._legend()
        yield head
        full = problem.item_names or self.names
        for o in range(problem.options):
            pairs = list(zip(problem.option(o), problem.option_colours(o), strict=True))
            if problem.option_names and problem.option_names[o] != " ".join(_shown(full[i], c) for i, c in pairs):
                yield from _comment(_quoted(problem.option_names[o]))
            words = [self.names[i] + (f":{self.apart.get(i, self.common)[c]}" if c else "") for i, c in pairs]
            words += [self.free] if o in self.lonely else []
            words += [self.claims[o]] if o in self.claims else []
            words += [f"|{problem.costs[o]}"] if problem.costs and problem.costs[o] else []
            yield " ".join(words) + "\n"
        if self.never:
            yield " ".join([self.closed, *(self.names[i] for i in self.never)]) + "\n"

    def _head(self) -> str:
        """The line of the items."""
        heads = [self._item(i) for i in range(self.problem.items) if i not in self.behind]
        heads += [f"0:{max(len(self.lonely), 1)}|{self.free}"] if self.free else []
        heads += [*self.claims.values(), *([self.closed] if self.closed else [])]
        behind = [self.names[i] for i in sorted(self.behind)]
        return " ".join([*heads, "|", *behind] if behind else heads) + "\n"

    def _item(self, item: int) -> str:
        low, high = self.problem.low[item], min(self.problem.high[item], MOST_TIMES)
        if low > high:  # no answer satisfies this; Knuth's format has no such range
            low = high = min(self.problem.options + 1, MOST_TIMES)
        bounds = "" if low == high == 1 else f"{low}|" if low == high else f"{low}:{high}|"
        return bounds + self.names[item]

    def _legend(self) -> Iterator[str]:
        """What the words of the file stand for."""
        problem = self.problem
        order = [*(i for i in range(problem.items) if i not in self.behind), *sorted(self.behind)]
        order.sort(key=lambda i: problem.low[i] > 0, reverse=True)
        full = problem.item_names or self.names
        if list(full) != self.names or order != list(range(problem.items)):
            for short, name in zip(self.names, full, strict=True):
                yield from _comment(f"{short} = {_quoted(name)}")
        if self.apart:
            for i, words in self.apart.items():
                yield from (f"| {self.names[i]}:{word} = {c}\n" for c, word in words.items() if word != str(c))
        else:
            yield from (f"| :{word} = {c}\n" for c, word in self.common.items() if word != str(c))
        yield from (f"| {name} {mark}\n" for name, mark in self.marks.items())

    def _readers(self, head: int) -> str:
        """Which of Knuth's programs read the file. head: the length of the line of the items. The same is remarked."""
        problem = self.problem
        needs = {
            "colours": bool(self.common),
            "multiplicities": any(
                (problem.low[i], problem.high[i]) != (1, 1) for i in range(problem.items) if i not in self.behind
            )
            or bool(self.free),
            "costs": any(problem.costs),
            "costs below 0": any(cost < 0 for cost in problem.costs),
            f"more than {len(COLOURS)} colours of an item": any(
                len(words) > len(COLOURS) for words in self.apart.values()
            ),
        }
        wanted = {need for need, there in needs.items() if there}
        items = problem.items + len(self.marks)
        entries = len(problem.members) + 2 * problem.options + items + len(self.never) + 2
        # An option has each item at most once: its name, a space and a colour; and a cost has at most 19 digits.
        line = max(head, LONGEST, 11 * max(map(len, map(problem.option, range(problem.options))), default=0) + 30)
        fit = [p for p in PROGRAMS if items < p.items and entries < p.entries and line < 9 * p.items]
        able = [p.name for p in fit if wanted <= p.knows]
        why = _listed([need for need, there in needs.items() if there and need != "colours"])
        if able and not why:
            return f"Read by Knuth's {_listed(able)}."
        if not why:
            why = "colours, and so many items" if wanted else "so many items"
        which = f"Only {_listed(able)} of Knuth's programs" if able else "None of Knuth's programs"
        said = f"{which} {'read' if len(able) > 1 else 'reads'} it, because there are {why}."
        note(said.rstrip("."))
        return said


def _secondary(problem: Problem) -> tuple[set[int], set[int]]:
    """The items that stand after the bar, and the options that cover no item before it."""
    coloured = {i for i, c in zip(problem.members, problem.colours, strict=True) if c} if problem.colours else set()
    secondary = {i for i in range(problem.primary, problem.items) if problem.high[i] <= 1}
    lonely: set[int] = set()
    given = set(problem.given)
    for o in range(problem.options):
        run = problem.option(o)
        if o in given or any(i not in secondary for i in run):
            continue
        plain = next((i for i in run if i not in coloured and problem.high[i] == 1), None)
        if plain is None:
            lonely.add(o)
        else:
            secondary.remove(plain)
    return secondary, lonely


def _short_names(names: Sequence[str], size: int) -> list[str]:
    """A name for each item that Knuth's programs read, all different; `i1`, `i2` … for items without names, and for
    those whose names are too long."""
    plain = [NOT_IN_NAMES.sub("_", name).strip("_") for name in names] or [f"i{i + 1}" for i in range(size)]
    taken: set[str] = set()
    kept: list[str] = []
    for name in plain:
        fits = SHORT.fullmatch(name) and not name.startswith(("#", "//")) and not STARRED.match(name)
        kept.append(name if fits and name not in taken else "")
        taken.add(kept[-1])
    free = (name for k in range(1, 2 * size + 2) if (name := f"i{k}") not in taken)
    return [name or next(free) for name in kept]


def _colour_words(colours: Sequence[int]) -> dict[int, str]:
    """Colours → words of one character, if there are enough; a colour from 1 to 9 is its digit where it can be."""
    if len(colours) > len(COLOURS):
        return {c: str(c) for c in colours}
    if colours and colours[-1] > len(COLOURS):
        return dict(zip(colours, COLOURS, strict=False))
    return {c: COLOURS[c - 1] for c in colours}


def _shown(name: str, colour: int) -> str:
    return f"{name}:{colour}" if colour else name


def _listed(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _comment(text: str) -> Iterator[str]:
    """A line with a comment, unless it is too long for Knuth's programs."""
    if len(text.encode("utf-8", "surrogatepass")) < LONGEST:
        yield f"| {text}\n"


def _quoted(name: str) -> str:
    """A name as it stands in a comment."""
    plain = name and name.isprintable() and name == name.strip() and not name.startswith('"')
    return name if plain else json.dumps(name)


# --- xcc -------------------------------------------------------------------------------------------------------------
# Exact cover as miniexact reads it: its notation with angle brackets, and its numeric one, which is made for tools.
#
#     < a b c:2 d:1;3 > [ x y ]        p xcc 2 1
#     a x:red c;                       2 3 -1 0
#     b d;                             1 3 -1 0
#
# On the left: primary items in angle brackets, each with its multiplicity or `low;high` after a colon, secondary ones
# in square brackets, then options that end with a semicolon, or with a full stop that stands alone. On the right: the
# numbers of primary and of secondary items, then options, which consist of item numbers from 1 and end with 0; a
# negative number is the colour of the secondary item before it. `p xc` is the same without colours. A text that begins
# with neither is read in Knuth's format, as miniexact does.
#
# Source: the grammar in miniexact's description (github.com/miniexact/miniexact).


COMMENTS = re.compile(r"\A(\s*(#|//|c\s).*\n)+")
TOKEN = re.compile(r"[<>\[\];]|[^\s<>\[\];]+")


def read_xcc(text: str) -> Problem:
    """The problem. Items are named by their names or numbers, options by their text. Time linear in the text. Raises
    FormatFault, a ValueError, with the place of the first wrong word."""
    start = COMMENTS.sub("", text).lstrip()
    if start.startswith("<"):
        return _Angles(text).problem()
    if re.match(r"p\s+xcc?\s", start):
        return _numbered(text)
    return read_dlx(text)


class _Angles:
    """Reads the notation with angle brackets, token by token."""

    def __init__(self, text: str) -> None:
        found = (
            Word(match.group(), number, match.start() + 1)
            for number, line in enumerate(text.split("\n"), 1)
            if not line.lstrip().startswith(("#", "//"))
            for match in TOKEN.finditer(line)
        )
        self.left = chain(islice(found, MOST_WORDS), self._too_many(found))
        self.word = next(self.left, None)  # the next one
        self.last = Word("", 1, 1)
        self.draft = Draft()
        self.numbers: dict[str, int] = {}
        self.must: list[bool] = []
        self.colours: dict[str, int] = {}

    def problem(self) -> Problem:
        self.next("the items")
        while (word := self.next("`>`")).text != ">":
            self.primary(word)
        if self.word is not None and self.word.text == "[":
            self.next("the secondary items")
            while (word := self.next("`]`")).text != "]":
                self.item(word, word.text, 0, 1, False)
        while self.word is not None:
            self.option()
        return self.draft.problem()

    def next(self, what: str) -> Word:
        if self.word is None:
            raise self.last.fault(f"the file ends before {what}")
        self.last, self.word = self.word, next(self.left, None)
        return self.last

    @staticmethod
    def _too_many(more: Iterator[Word]) -> Iterator[Word]:
        """What comes after the most words: nothing, or a fault. Raises FormatFault."""
        for word in more:
            raise word.fault(f"there are more than {MOST_WORDS} words")
        yield from ()

    def primary(self, word: Word) -> None:
        name, colon, bound = word.text.partition(":")
        low = high = 1
        if colon:
            low = high = Word(bound, word.line, word.column + len(name) + 1).number()
            if self.word is not None and self.word.text == ";":
                self.next("`;`")
                high = self.next("a multiplicity").number()
            if not low <= high <= ANY_TIMES:
                raise word.fault(f"{low} to {high} is not a range of multiplicities")
        self.item(word, name, low, high, True)

    def item(self, word: Word, name: str, low: int, high: int, must: bool) -> None:
        if not name or ":" in name or name in "<>[];":
            raise word.fault(f"`{brief(word.text)}` is not an item's name")
        if name in self.numbers:
            raise word.fault(f"the item `{brief(name)}` is named twice")
        self.numbers[name] = self.draft.item(name, low, high)
        self.must.append(must)

    def option(self) -> None:
        members: dict[int, int] = {}
        words = []
        while (word := self.next("`;`")).text != ";" and (word.text != "." or "." in self.numbers):
            name, colon, colour = word.text.partition(":")
            if name not in self.numbers:
                raise word.fault(f"there is no item `{brief(name)}`")
            i = self.numbers[name]
            if i in members:
                raise word.fault(f"the item `{brief(name)}` is in the option twice")
            if colon and (self.must[i] or not colour):
                what = "is primary and has no colours" if self.must[i] else "has an empty colour"
                raise word.fault(f"the item `{brief(name)}` {what}")
            members[i] = self.colours.setdefault(colour, len(self.colours) + 1) if colon else 0
            words.append(word.text)
        if any(self.must[i] for i in members):
            self.draft.option(" ".join(words), members.items())


def _numbered(text: str) -> Problem:
    lines = filled_lines(text, ("c ", "#", "//"))
    head = next(lines)
    if len(head) < 4:
        raise head[0].fault(f"after `p {head[1].text}` come the numbers of primary and of secondary items")
    primary, secondary = (word.number() for word in head[2:4])
    if primary + secondary > len(text):
        raise head[2].fault(f"{primary + secondary} items are more than the file has room for")
    draft = Draft()
    for i in range(primary + secondary):
        draft.item(str(i + 1), int(i < primary), 1)
    members: dict[int, int] = {}
    last: int | None = None
    word = head[0]
    for word in (w for words in (head[4:], *lines) for w in words):
        number = word.number(signed=True)
        if number == 0:
            if any(i < primary for i in members):
                draft.option(" ".join(f"{i + 1}:{c}" if c else str(i + 1) for i, c in members.items()), members.items())
            members, last = {}, None
        elif number < 0:
            if last is None or last < primary or head[1].text == "xc":
                raise word.fault(f"the colour {-number} follows no secondary item")
            members[last], last = -number, None
        else:
            if number > primary + secondary:
                raise word.fault(f"there is no item {number}: there are {primary + secondary}")
            last = number - 1
            if last in members:
                raise word.fault(f"the item {number} is in the option twice")
            members[last] = 0
    if members:
        raise word.fault("the last option does not end with 0")
    return draft.problem()
