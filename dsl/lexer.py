"""Cuts a text into words and signs: a contextual lexer like Lark's, with one regular expression for all states.

Lark makes a scanner for every set of terminals that some state of the parser accepts. Here that would be two hundred,
and compiling their regular expressions would take longer than parsing a model. In this grammar the state only decides
whether a word is the word of a clause or a name. So one expression cuts the text into tokens, and the state is asked
about words. (Measured on sudoku.cover, including the time to load the grammar: 29 ms with Lark's own lexer, 17 ms with
this one; a test makes sure that both give the same tokens for every model.) A character that no terminal matches
becomes a token of type `STRAY`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property

from covr.dsl.tokens import Token

STATEMENTS = (
    "TITLE", "USE", "PARAM", "LET", "ASSERT", "CELLS", "VALUES", "CHOOSE", "EXACTLY", "AT_LEAST", "AT_MOST",
    "IF", "IF_AND_ONLY_IF", "CONNECTED", "LOOP", "PREFER", "AGREE", "ALL_DIFFERENT", "ALL_ALIKE",
    "GIVEN", "FORBID", "CLUE", "MINIMIZE", "MAXIMIZE",
    "THEN_MINIMIZE", "THEN_MAXIMIZE", "UP_TO", "ANSWERS_BY", "SHOW", "PRINT", "OUTLINE", "EXPECT",
)  # fmt: skip
RESERVED = (
    *STATEMENTS, "PER", "WHERE", "FOR", "THEN", "ELSE", "AND", "OR", "NOT", "IN", "DIV", "MOD", "TRUE",
    "FALSE", "NAME",
)  # fmt: skip
# Words that are names or not according to what follows them.
DEPENDENT = {"total": "TOTAL", "at": "AT", "no": "NO", "all": "ALL", "some": "SOME", "clue": "CLUE"}
# An `if` that is no expression, mostly.
CHOICE_FOLLOWS = re.compile(r"if[ \t]+(?:not[ \t]+)?[^\W\d]\w*[ \t]*\((?![^\n]*\belse\b)")


def is_word(text: str) -> bool:
    """Whether a text is what NAME matches."""
    return text.replace("_", "a").isalnum() and not text[0].isdecimal()


class CoverLexer:
    """Cuts texts. terminals, ignore: see `Tables` in tables.py; accepts: state of the parser → what may come next.

    scan: a regular expression with a named group for each terminal; NAME matches every word.
    signs: the text of each terminal that is no regular expression and no word → its terminal.
    words: what a word may be besides a name: its text → its terminal.
    followed: terminals of such words that depend on what follows them; `follows` has their regular expressions.
    always: words that are never names, whatever the state.
    """

    def __init__(
        self,
        terminals: Sequence[tuple[str, bool, str, str, int]],
        ignore: Collection[str],
        accepts: Mapping[int, Collection[str]],
    ) -> None:
        regular = {name: pattern for name, _, _, pattern, _ in terminals}
        self.followed = frozenset(t for t in DEPENDENT.values() if t in regular)
        self.words = {text: name for name, is_regular, text, _, _ in terminals if not is_regular and is_word(text)}
        signs = [t for t in terminals if t[0] not in self.followed and (t[1] or not is_word(t[2]))]
        signs.sort(key=lambda t: (-t[4], t[1], -len(t[2])))
        self.words.update({text: t for text, t in DEPENDENT.items() if t in self.followed})
        self.signs = {text: name for name, is_regular, text, _, _ in signs if not is_regular}
        self.ignore = frozenset(ignore)
        self.accepts = accepts
        self.always = frozenset(RESERVED)
        self._ordered = [(name, pattern) for name, _, _, pattern, _ in signs]
        self._regular = regular
        self._follows: dict[str, re.Pattern[str]] = {}

    def follows(self, word: str) -> re.Pattern[str]:
        """What matches at a word of `followed` if it is no name. Compiling it takes most of a millisecond."""
        found = self._follows.get(word)
        if found is None:
            found = self._follows[word] = re.compile(self._regular[word])
        return found

    @cached_property
    def scan(self) -> re.Pattern[str]:
        """See above. Compiling it takes milliseconds, and a text without a fault does not need it."""
        return re.compile("|".join([f"(?P<{name}>{pattern})" for name, pattern in self._ordered]))

    @cached_property
    def gapless(self) -> re.Pattern[str]:
        """The same for one token with all that is ignored before it, so that matches follow each other without gaps.

        Its groups are those of `kinds`; at the end of the text none of them matches.
        """
        ignored = "|".join([pattern for name, pattern in self._ordered if name in self.ignore])
        signs = "|".join([pattern for name, pattern in self._ordered if name in self.signs.values()])
        regular = dict(self._ordered)
        parts = [f"({regular[name] if name else signs})" for name in self.kinds[1:-1]]
        return re.compile(rf"(?>(?:{ignored})*)(?:{'|'.join(parts)}|((?s:.))|\Z)")

    @cached_property
    def kinds(self) -> list[str]:
        """The terminals of the groups of `gapless`: the end of the text for no group, "" for the group of all
        `signs`, STRAY for what no terminal matches."""
        named = ["" if name in self.signs.values() else name for name, _ in self._ordered if name not in self.ignore]
        return ["$END", *dict.fromkeys(named), "STRAY"]

    def lex(self, text: str, at: int, end: int, stack: Sequence[int]) -> Iterator[Token]:
        """The tokens of a text between two offsets. stack: the states of the parser, which change meanwhile."""
        match, ignore, words = self.scan.match, self.ignore, self.words
        while at < end:
            found = match(text, at, end)
            if found is None:
                kind, value = "STRAY", text[at]
            else:
                kind, value = found.lastgroup or "", found[0]
                if kind == "NAME" and value in words and self.is_word(words[value], text, at, end, stack[-1]):
                    kind = words[value]
            start = at
            at += len(value)
            if kind not in ignore:
                yield Token(kind, value, start, at)

    def is_word(self, word: str, text: str, at: int, end: int, state: int) -> bool:
        """Whether the word at `at`, which may be this terminal, is it in this state of the parser, and no name."""
        known = word in self.always or word in self.accepts[state]
        return known and (word not in self.followed or self.follows(word).match(text, at, end) is not None)

    def statements(self, text: str, start: int, unclosed: list[int] | None = None) -> Iterator[int]:
        """The offsets, from `start` on, at which a line begins with the word of a statement, outside texts and
        comments. unclosed: to which the offsets of blocks without an end are added."""
        at = start
        fresh = not text[text.rfind("\n", 0, at) + 1 : at].strip()  # only blanks stand before `at` on its line
        while at < len(text):
            found = self.scan.match(text, at)
            if found is None:
                if unclosed is not None and text.startswith('"""', at):
                    unclosed.append(at)
                at += 1
                fresh = False
                continue
            kind = self.words.get(found[0], "") if found.lastgroup == "NAME" else found.lastgroup
            begins = kind in STATEMENTS and fresh and (kind != "IF" or CHOICE_FOLLOWS.match(text, at))
            if begins and (kind != "CLUE" or self.follows(kind).match(text, at)):
                yield at
            blank = found.lastgroup == "SPACE"
            fresh = blank and (fresh or "\n" in found[0])
            at = found.end()
