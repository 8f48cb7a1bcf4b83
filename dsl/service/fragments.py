"""A text cut into fragments, each parsed by itself, so that after an edit only what changed is parsed again.

A fragment reaches from a line that begins with the word of a statement to the next such line. Parsing fragments gives
the same statements and the same faults as parsing the whole text, because

- a fragment that is complete ends where its last statement ends: no statement can be continued by a word that begins
  one;
- a fragment that ends within a statement is joined with the next one, and parsed again;
- so is one after whose fault the parser reads on at a place that is not the beginning of a word for the rest of the
  text, as within a block that was not closed.

A test compares both ways after every one of thousands of edits.

A statement's span lies in its fragment. Where a fragment begins in the text is the only thing here that changes: text
that is inserted above moves it, and all its spans with it, without touching a node.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy

from attrs import define, field

from covr.dsl import syntax as s
from covr.dsl.diagnostics import Diagnostic, Source
from covr.dsl.grammar import load
from covr.dsl.lexer import CoverLexer, Token
from covr.dsl.parser import Parser, gc_paused
from covr.frozen import frozen

# A word whose meaning depends on whether `cells` or `if` follows, at the end of a fragment (cover.lark: AT, TOTAL).
OPEN_WORD = re.compile(r"(?:^|\W)(?:at|total)\s*(?:#[^\n]*(?:\n\s*|\Z))*\Z")


@define(eq=False)
class Position:
    """Where a fragment begins: characters and lines before it. text: stands for the text that it is a part of."""

    text: object
    offset: int = 0
    line: int = 0


@frozen(eq=False)
class FragmentSource(Source):
    """The text of a fragment. Its lines are counted in the whole text; offsets are counted in the fragment."""

    where: Position = field(kw_only=True, repr=False)

    @property
    def whole(self) -> object:
        return self.where.text

    def place(self, offset: int) -> tuple[int, int]:
        line, column = Source.place(self, offset)
        return line + self.where.line, column

    def line(self, number: int) -> str:
        return Source.line(self, number - self.where.line)


@frozen(eq=False)
class Fragment:
    """A part of a text, parsed.

    source: its text. first: the length of its text up to the first place where a fragment might have begun.
    statements: in order. faults: of syntax, their spans in `source`.
    lines: how many newlines it has. tokens: how many words and signs were read.
    follows: what it depends on besides its text: see `Cut.follows`. words: a place for the words of it, once somebody
    has found them (see `words_of` in names.py).
    """

    source: FragmentSource
    first: int
    statements: tuple[s.Statement, ...]
    faults: tuple[Diagnostic, ...]
    lines: int
    tokens: int
    follows: str
    words: list[Token] = field(factory=list, init=False, repr=False)


@frozen
class Cut:
    """Where a fragment may begin. start: the offset of its line. word: that of its first word.

    follows: the word, if one that stands before it may depend on it (`cells`, `if`); empty otherwise.
    """

    start: int
    word: int
    follows: str = ""


ASKED = 64  # fragments after which it is asked again whether the outcome is wanted
END = "end"  # what follows the last fragment


class Cutter:
    """Cuts a text that changes from edit to edit. Cuts before and behind an edit are kept, except those behind a block
    without an end: what is written anywhere below may close it.

    unclosed: the offset of the first such block, or None.
    """

    def __init__(self) -> None:
        self.lexer: CoverLexer = load().lexer
        self.text = ""
        self.cuts: list[Cut] = []
        self.unclosed: int | None = None

    def cut(self, text: str) -> list[Cut]:
        """The cuts of a text, in order. Time O(length of the edit and of the fragments around it), and two passes over
        the text in C."""
        before = common_start(self.text, text)
        after = common_end(self.text, text, before)
        # The word that begins the last cut before the edit may have changed, too.
        certain = before if self.unclosed is None else min(before, self.unclosed)
        cuts = self.cuts[: max(0, sum(1 for c in self.cuts if c.word < certain) - 1)]
        moved = len(text) - len(self.text)
        behind = {c.word + moved: at for at, c in enumerate(self.cuts) if c.start >= len(self.text) - after}
        unclosed: list[int] = []
        for word in self.lexer.statements(text, cuts[-1].word if cuts else 0, unclosed):
            if cuts and word == cuts[-1].word:
                continue
            cuts.append(cut_at(text, word))
            if word in behind:
                cuts += (Cut(c.start + moved, c.word + moved, c.follows) for c in self.cuts[behind[word] + 1 :])
                if self.unclosed is not None and self.unclosed + moved > word:
                    unclosed.append(self.unclosed + moved)
                break
        self.unclosed = unclosed[0] if unclosed else None
        self.text, self.cuts = text, cuts
        return cuts


def common_start(old: str, new: str) -> int:
    """How many characters at the beginning of two texts are the same."""
    low, high = 0, min(len(old), len(new))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if old[low:middle] == new[low:middle] else (low, middle - 1)
    return low


def common_end(old: str, new: str, before: int) -> int:
    """How many characters at the end of two texts are the same. before: how many at their beginnings, which do not
    count twice."""
    low, high = 0, min(len(old), len(new)) - before
    while low < high:
        middle = (low + high + 1) // 2
        same = old[len(old) - middle : len(old) - low] == new[len(new) - middle : len(new) - low]
        low, high = (middle, high) if same else (low, middle - 1)
    return low


def cut_at(text: str, word: int) -> Cut:
    """The cut before the statement that begins at `word`."""
    follows = next((w for w in ("cells", "if") if text.startswith(w, word)), "")
    return Cut(text.rfind("\n", 0, word) + 1, word, follows)


class Fragments:
    """The fragments of a text, kept from edit to edit. all: in order."""

    def __init__(self, name: str, path: str = "") -> None:
        self.name = name
        self.path = path
        self.all: list[Fragment] = []
        self.text = ""
        self._whole = object()
        self._cutter = Cutter()

    def change(self, text: str, wanted: Callable[[], None] = lambda: None) -> Sequence[Fragment]:
        """The fragments of a new text. Those of the earlier one are reused, moved to where they now stand.

        wanted: called now and then; it may raise, if nobody wants to know any more. The next change then parses again
        what was parsed so far.
        """
        cuts = self._cutter.cut(text)
        known: dict[str, list[Fragment]] = defaultdict(list)
        for fragment in reversed(self.all):
            known[fragment.source.text[: fragment.first]].append(fragment)
        starts = [0, *(c.start for c in cuts if c.start > 0)]
        words = [c for c in cuts if c.start > 0]
        found: list[Fragment] = []
        with gc_paused():
            at = line = 0
            while at < len(starts):
                fragment, at = self._fragment(text, starts, words, at, known, line)
                found.append(fragment)
                line += fragment.lines
                if not len(found) % ASKED:
                    wanted()
        self.all, self.text = found, text
        self._place()
        return found

    def _place(self) -> None:
        """Tell every fragment where it stands."""
        offset = line = 0
        for fragment in self.all:
            fragment.source.where.offset, fragment.source.where.line = offset, line
            offset += len(fragment.source.text)
            line += fragment.lines

    @contextmanager
    def trying(self) -> Iterator[None]:
        """Changes made in this context are taken back at its end, without parsing anything again."""
        fragments, text, cutter = self.all, self.text, self._cutter
        self._cutter = copy(cutter)
        try:
            yield
        finally:
            self.all, self.text, self._cutter = fragments, text, cutter
            self._place()

    def _fragment(
        self, text: str, starts: list[int], words: list[Cut], at: int, known: dict[str, list[Fragment]], line: int
    ) -> tuple[Fragment, int]:
        """The fragment that begins at the start number `at`, and the number of the start of the next one.

        line: how many lines stand before it. Messages name lines, so one with a fault is not used on another line.
        """
        begin = starts[at]
        first = text[begin : starts[at + 1] if at + 1 < len(starts) else len(text)]
        for place, old in enumerate(reversed(known.get(first, ()))):
            after = self._next(text, starts, words, at, old)
            if after is not None and (not old.faults or old.source.where.line == line):
                known[first].pop(len(known[first]) - 1 - place)
                return old, after
        last = at + 1
        while True:
            end = starts[last] if last < len(starts) else len(text)
            follows = words[last - 1].follows if last < len(starts) else END
            made = self._parse(text, begin, end, follows, len(first), line)
            if made is not None:
                return made, last
            last = max(last + 1, min(len(starts), 2 * last - at))

    def _next(self, text: str, starts: list[int], words: list[Cut], at: int, old: Fragment) -> int | None:
        """The number of the start behind an old fragment, if it stands at the start `at`; otherwise None."""
        end = starts[at] + len(old.source.text)
        if not text.startswith(old.source.text, starts[at]):
            return None
        last = at + 1
        while last < len(starts) and starts[last] < end:
            last += 1
        if last < len(starts):
            return last if starts[last] == end and words[last - 1].follows == old.follows else None
        return last if end == len(text) and old.follows == END else None

    def _parse(self, text: str, begin: int, end: int, follows: str, first: int, line: int) -> Fragment | None:
        """The fragment between two offsets; None if it can't be told apart from what follows it."""
        part = text[begin:end]
        if follows not in ("", END) and OPEN_WORD.search(part):
            return None
        source = FragmentSource(self.name, part, self.path, where=Position(self._whole, begin, line))
        parser = Parser(source)
        statements = tuple(parser.statements())
        if follows != END and (parser.unfinished or not self._aligned(text, begin, end, parser)):
            return None
        return Fragment(source, first, statements, tuple(parser.faults), part.count("\n"), parser.tokens, follows)

    def _aligned(self, text: str, begin: int, end: int, parser: Parser) -> bool:
        """Whether, wherever the parser went on after a fault, words are cut at the end of the fragment."""
        return all(self._cuts(text, begin + at, end) for where in parser.resumed for at in where.places())

    def _cuts(self, text: str, at: int, end: int) -> bool:
        """Whether reading words from `at` on stops at the end of a fragment, or at its blanks there."""
        match = self._cutter.lexer.scan.match
        while at < end:
            found = match(text, at)
            if found is None:
                if text.startswith('"""', at):
                    return False  # whatever is written below may close it
                at += 1
            elif found.end() > end:
                return found.lastgroup == "SPACE"
            else:
                at = found.end()
        return True


def statements_of(fragments: Sequence[Fragment]) -> Iterator[s.Statement]:
    """The statements of all fragments, in order."""
    for fragment in fragments:
        yield from fragment.statements
