"""Words and signs: how a text is cut into them and parsed, and what stands between quotes."""

from __future__ import annotations

import re
import sys
from array import array
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate, chain
from typing import TYPE_CHECKING, Any, TypeAlias

from covr.dsl import syntax as s
from covr.dsl.diagnostics import Diagnostic, Source, Span

if TYPE_CHECKING:
    from covr.dsl.grammar import Grammar

# --- tokens ----------------------------------------------------------------------------------------------------------
# The data of the parser: words and signs of a text with their places, and the trees that are made of them. These are
# Lark's Token and Tree with what covr uses of them: importing Lark takes longer than parsing a model.


_text = str.__new__


class Token(str):
    """A word or sign. type: its terminal. start_pos, end_pos: offsets in the text, the end behind its last character.
    Two tokens are equal if their texts are."""

    __slots__ = ("end_pos", "outer_end", "outer_start", "start_pos", "type")

    type: str
    start_pos: int
    end_pos: int
    outer_start: int  # the same as of a tree
    outer_end: int

    def __new__(cls, type: str, value: str, start_pos: int, end_pos: int) -> Token:
        made = _text(cls, value)
        made.type = type
        made.start_pos = made.outer_start = start_pos
        made.end_pos = made.outer_end = end_pos
        return made

    def __reduce__(self) -> tuple[object, tuple[str, str, int, int]]:
        return Token, (self.type, str(self), self.start_pos, self.end_pos)

    def __repr__(self) -> str:
        return f"Token({self.type!r}, {str(self)!r})"


class Tree:
    """What a rule of the grammar made of a text.

    data: the name of the rule, or of its alternative. children: what it consists of, without the signs.
    start_pos, end_pos: the place where it was made; None if it is empty. outer_start, outer_end: the place of what it
    was made from since, which the parentheses around it belong to.
    value: the node that was built of it (tree.py), once it is.
    """

    __slots__ = ("children", "data", "end_pos", "outer_end", "outer_start", "start_pos", "value")

    def __init__(self, data: str, children: list[Child], start: int | None = None, end: int | None = None) -> None:
        self.data = data
        self.children = children
        self.start_pos = self.outer_start = start
        self.end_pos = self.outer_end = end
        self.value: Any = None

    def __repr__(self) -> str:
        return f"Tree({self.data!r}, {self.children!r})"


Child: TypeAlias = "Tree | Token"


class Unexpected(Exception):
    """A token that does not fit where it stands."""

    def __init__(self, token: Token) -> None:
        super().__init__(repr(token))
        self.token = token


# --- text ------------------------------------------------------------------------------------------------------------
# The text between quotes: escapes, templates with holes, and the dedented blocks of readers.


BRACE = re.compile(r"[{}]")
SIMPLE_HOLE = re.compile(r'\{[^"{}]*\}')
ESCAPES = {'"': '"', "\\": "\\", "n": "\n"}


def unescape(raw: str, fault: Callable[[int, str], None]) -> str:
    """The text that `raw` means. raw: the characters between the quotes. fault(at, what) is called for every backslash
    that does not begin an escape; it then stands for itself."""
    if "\\" not in raw:
        return raw
    return "".join(char for char, _ in characters(raw, fault))


def characters(raw: str, fault: Callable[[int, str], None]) -> list[tuple[str, int]]:
    """The characters that `raw` means, each with the offset in `raw` at which it begins."""
    found = []
    at = 0
    while at < len(raw):
        char, width = raw[at], 1
        if char == "\\" and at + 1 < len(raw):
            if raw[at + 1] in ESCAPES:
                char, width = ESCAPES[raw[at + 1]], 2
            else:
                fault(at, raw[at : at + 2])
        found.append((char, at))
        at += width
    return found


def dedent(raw: str) -> tuple[str, tuple[int, ...]]:
    """The text of a block, and for each of its lines the offset in `raw` at which that line begins.

    raw: the characters between the triple quotes. The rest of the opening line, and the closing line, are dropped if
    they are blank. White space that all other lines (blank ones apart) begin with is removed from them. A first line
    that follows the quotes directly keeps its spaces and does not affect how much is removed.
    """
    lines = [line.rstrip("\r") for line in raw.split("\n")]
    starts = [0]
    for line in raw.split("\n")[:-1]:
        starts.append(starts[-1] + len(line) + 1)
    inner = [line[: len(line) - len(line.lstrip(" \t"))] for line in lines[1:] if line.strip()]
    margin = common(inner)
    rows = [(lines[0], starts[0])]
    for line, start in zip(lines[1:], starts[1:], strict=True):
        cut = min(margin, len(line)) if line.strip() else len(line)
        rows.append((line[cut:], start + cut))
    if len(rows) > 1 and not rows[-1][0].strip():
        rows.pop()
    if not rows[0][0].strip():
        rows.pop(0)
    return "\n".join(line for line, _ in rows), tuple(start for _, start in rows)


def common(texts: Sequence[str]) -> int:
    """The length of the longest beginning that all the texts have in common."""
    if not texts:
        return 0
    low, high = min(texts), max(texts)
    at = 0
    while at < len(low) and low[at] == high[at]:
        at += 1
    return at


def split_template(
    source: Source,
    span: Span,
    hole: Callable[[str, Sequence[int]], s.Expr | None],
    faults: list[Diagnostic],
) -> tuple[str | s.Expr, ...]:
    """The parts of the template whose quotes are at the ends of `span`: texts and expressions in turn. hole(text,
    offsets) parses an expression; offsets are the places in the source of its characters and its end: a range if there
    are no escapes, so that it stands in the source as it is."""
    begin = span.start + 1
    text = source.text[begin : span.end - 1]
    if "{" not in text and "}" not in text and "\\" not in text:
        return (text,) if text else ()
    offsets: Sequence[int] = range(begin, span.end)

    def wrong(code: str, message: str, start: int, end: int, help: str = "") -> None:
        faults.append(Diagnostic(code, message, Span(source, start, end), help))

    def bad_escape(at: int, what: str) -> None:
        help = 'a text knows `\\"`, `\\\\` and `\\n`'
        wrong("E004", f"`{what}` means nothing in a text", begin + at, begin + at + len(what), help)

    if "\\" in text:
        chars = characters(text, bad_escape)
        text = "".join(char for char, _ in chars)
        offsets = [begin + at for _, at in chars] + [span.end - 1]
    parts: list[str | s.Expr] = []
    plain = ""
    at = 0
    while at < len(text):
        char = text[at]
        if char in "{}" and text[at : at + 2] == char * 2:
            plain += char
            at += 2
        elif char == "}":
            wrong("E004", "this `}` closes nothing", offsets[at], offsets[at] + 1, "write `}}` for a brace")
            at += 1
        elif char == "{":
            end = hole_end(text, at)
            if end is None:
                wrong("E002", "this `{` is never closed", offsets[at], offsets[at] + 1, "write `{{` for a brace")
                break
            parts += [plain] if plain else []
            plain = ""
            inside = text[at + 1 : end]
            if not inside.strip():
                wrong("E004", "nothing stands between these braces", offsets[at], offsets[end] + 1)
            elif (value := hole(inside, offsets[at + 1 : end + 1])) is not None:
                parts.append(value)
            at = end + 1
        else:
            found = BRACE.search(text, at)
            after = len(text) if found is None else found.start()
            plain += text[at:after]
            at = after
    return (*parts, plain) if plain else tuple(parts)


def hole_end(text: str, start: int) -> int | None:
    """The offset of the brace that closes the one at `start`; None if there is none. Braces inside, also those in
    texts, are skipped."""
    simple = SIMPLE_HOLE.match(text, start)
    if simple is not None:
        return simple.end() - 1
    depth = 0
    quoted = escaped = False
    for at in range(start, len(text)):
        char = text[at]
        if escaped:
            escaped = False
        elif quoted:
            quoted, escaped = char != '"', char == "\\"
        elif char == '"':
            quoted = True
        elif char == "{":
            depth += 1
        elif char == "}":
            depth -= 1
            if depth == 0:
                return at
    return None


# --- lexer -----------------------------------------------------------------------------------------------------------
# Cuts a text into words and signs: a contextual lexer like Lark's, with one regular expression for all states.
#
# Lark makes a scanner for every set of terminals that some state accepts. Here that would be two hundred, and compiling
# them would take longer than parsing a model. In this grammar the state only decides whether a word is the word of a
# clause or a name, so one expression cuts the text, and the state is asked about words. A test compares the tokens with
# Lark's. A character that no terminal matches becomes a token of type `STRAY`.


STATEMENTS = (
    "TITLE", "USE", "PARAM", "LET", "ASSERT", "CELLS", "VALUES", "CHOOSE", "EXACTLY", "AT_LEAST", "AT_MOST",
    "IF", "IF_AND_ONLY_IF", "DIVIDE", "CONNECTED", "LOOP", "SHAPE", "PREFER", "AGREE", "ALL_DIFFERENT", "ALL_ALIKE",
    "GIVEN", "FORBID", "CLUE", "MINIMIZE", "MAXIMIZE",
    "THEN_MINIMIZE", "THEN_MAXIMIZE", "UP_TO", "ANSWERS_BY", "SHOW", "PRINT", "OUTLINE", "EXPECT",
)  # fmt: skip
RESERVED = (
    *STATEMENTS, "PER", "WHERE", "FOR", "THEN", "ELSE", "AND", "OR", "NOT", "IN", "DIV", "MOD", "TRUE",
    "FALSE", "NAME",
)  # fmt: skip
# Words that are names or not according to what follows them.
DEPENDENT = {
    "total": "TOTAL", "at": "AT", "on": "ON", "no": "NO", "all": "ALL", "some": "SOME", "clue": "CLUE", "from": "FROM",
    "to": "TO", "between": "BETWEEN", "crossing": "CROSSING",
    "tree": "SHAPE", "forest": "SHAPE", "path": "SHAPE", "paths": "SHAPE", "loops": "SHAPE",
}  # fmt: skip
# An `if` that is no expression, mostly.
CHOICE_FOLLOWS = re.compile(r"if[ \t]+(?:not[ \t]+)?[^\W\d]\w*[ \t]*\((?![^\n]*\belse\b)")

NAME_BEHIND = re.compile(r"\w+[ \t]+([^\W\d]\w*)")


def is_word(text: str) -> bool:
    """Whether a text is what NAME matches."""
    return text.replace("_", "a").isalnum() and not text[0].isdecimal()


class CoverLexer:
    """Cuts texts. terminals, ignore: see `Tables` in tables.py; accepts: state of the parser → what may come next.

    scan: a regular expression with a named group for each terminal; NAME matches every word.
    signs: the text of each terminal that is no regular expression and no word → its terminal.
    words: what a word may be besides a name: its text → its terminal.  phrases: the first words of others.
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
        self.phrases = {head for _, _, _, pattern, _ in terminals if is_word(head := pattern.partition("[ ")[0])}
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
        Its groups are those of `kinds`; at the end of the text none of them matches."""
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
        match, kinds, words, signs = self.gapless.match, self.kinds, self.words, self.signs
        while True:
            found = match(text, at, end)
            group = found.lastindex  # type: ignore[union-attr]  # it matches everywhere
            if group is None:
                return
            value = found[group]  # type: ignore[index]
            start, at = found.span(group)  # type: ignore[union-attr]
            kind = kinds[group]
            if not kind:
                kind = signs[value]
            elif kind == "NAME" and value in words and self.is_word(words[value], text, start, end, stack[-1]):
                kind = words[value]
            token = _text(Token, value)  # as `Token` does, without a call
            token.type = kind
            token.start_pos = token.outer_start = start
            token.end_pos = token.outer_end = at
            yield token

    def is_word(self, word: str, text: str, at: int, end: int, state: int) -> bool:
        """Whether the word at `at`, which may be this terminal, is it in this state of the parser, and no name."""
        if word not in self.always and word not in self.accepts[state]:
            return False
        if word not in self.followed:
            return True
        if word not in ("CLUE", "SHAPE"):  # these want something behind them, the others forbid it: never a plain name
            behind = NAME_BEHIND.match(text, at, end)
            if behind is not None and behind[1] not in self.words and behind[1] not in self.phrases:
                return True
        return self.follows(word).match(text, at, end) is not None

    def statements(self, text: str, start: int) -> Iterator[int]:
        """The offsets, from `start` on, at which a line begins with the word of a statement, outside texts and
        comments."""
        at = start
        fresh = not text[text.rfind("\n", 0, at) + 1 : at].strip()  # only blanks stand before `at` on its line
        while at < len(text):
            found = self.scan.match(text, at)
            if found is None:
                at += 1
                fresh = False
                continue
            kind = self.words.get(found[0], "") if found.lastgroup == "NAME" else found.lastgroup
            begins = kind in STATEMENTS and fresh and (kind != "IF" or CHOICE_FOLLOWS.match(text, at))
            if begins and (kind not in ("CLUE", "SHAPE") or self.follows(kind).match(text, at)):
                yield at
            blank = found.lastgroup == "SPACE"
            fresh = blank and (fresh or "\n" in found[0])
            at = found.end()


# --- parsing ---------------------------------------------------------------------------------------------------------
# Lark's LALR parser, word by word, without Lark itself, whose import would take a quarter of the start.


class States(dict[int, dict[str, int]]):
    """For each state of the parser, what a symbol leads to: see `Tables` in tables.py. Each is made when needed."""

    def __init__(self, symbols: list[str], rows: bytes, columns: bytes, leads: bytes) -> None:
        super().__init__()
        self._symbols, self._columns, self._leads = symbols, columns, array("h", leads)
        if sys.byteorder == "big":
            self._leads.byteswap()
        self._begin = [0, *accumulate(rows)]

    def __missing__(self, state: int) -> dict[str, int]:
        begin, end = self._begin[state : state + 2]
        names = map(self._symbols.__getitem__, self._columns[begin:end])
        found = self[state] = dict(zip(names, self._leads[begin:end], strict=True))
        return found


class Parsing:
    """A text that is being parsed, from `at` to `end`. Each token of `tokens` must be fed before the next is read,
    because the lexer depends on the parser's state.

    stack: the states of the parser, the newest last; it changes with every token. end: the token after the last one,
    which `tokens` yields too. start: the rule of the grammar that the text is read as.
    """

    def __init__(self, grammar: Grammar, text: str, start: str, at: int = 0, end: int | None = None) -> None:
        self._grammar = grammar
        self._last = grammar.ends[start]
        self._values: list[Child] = []
        self._text = text
        self._at, self._stop = at, len(text) if end is None else end
        self.stack: list[int] = [grammar.starts[start]]
        self.end = Token("$END", "", self._stop, self._stop)

    def tokens(self) -> Iterator[Token]:
        """The words and signs of the text, and then `end`."""
        return chain(self._grammar.lexer.lex(self._text, self._at, self._stop, self.stack), [self.end])

    def feed(self, token: Token) -> Tree | None:
        """Parse the next token. Returns the tree if the token is `end`, otherwise None. Raises Unexpected if it does
        not fit; then no more can be fed."""
        grammar = self._grammar
        states, rules, units, above = grammar.states, grammar.rules, grammar.units, grammar.known_above
        stack, values, kind = self.stack, self._values, token.type
        while True:
            to = states[stack[-1]].get(kind)
            if to is None:
                raise Unexpected(token)
            if to >= 0:
                stack.append(to)
                values.append(token)
                return None
            if units[~to]:
                stack[-1] = above.get((stack[-2], stack[-1], kind)) or self._above(stack[-2], stack[-1], kind)
            else:
                size, origin, name, single, kept = rules[~to]
                children: list[Child] = []
                if size:
                    children = values[-size:]
                    del stack[-size:], values[-size:]
                values.append(made_of(name, single, kept, children))
                stack.append(states[stack[-1]][origin])
            if token is self.end and stack[-1] == self._last:
                return self._made()

    def _above(self, below: int, top: int, kind: str) -> int:
        """The state that takes the place of `top` on top of `below` when `kind` comes next, after all reductions by
        which one symbol stands for another: `atom` for `postfix` for `power` … for `expr`. They are most of all
        reductions, and are worked out once."""
        grammar, key = self._grammar, (below, top, kind)
        while (to := grammar.states[top].get(kind, 0)) < 0 and grammar.units[~to]:
            top = grammar.states[below][grammar.rules[~to][1]]
        grammar.known_above[key] = top
        return top

    def _made(self) -> Tree:
        made = self._values[-1]
        assert isinstance(made, Tree)
        return made


def made_of(name: str, single: bool, kept: list[tuple[int, bool]] | None, children: list[Child]) -> Child:
    """The tree of a rule for what it took, or the only child that stands for it, with its place. A tree keeps the place
    that it had when it was made, such as that of `x` in `(x)`; what contains it begins and ends where the parentheses
    do. This is Lark's `propagate_positions` without lines and columns."""
    inner = children
    if kept is not None:
        inner = []
        for at, inlined in kept:
            child = children[at]
            if not inlined:
                inner.append(child)
            elif inner:
                inner += child.children  # type: ignore[union-attr]  # a symbol whose name begins with _ is a tree
            else:
                inner = child.children  # type: ignore[union-attr]
    alone = single and len(inner) == 1
    if alone:
        made = inner[0]
        if inner is children or type(made) is Token:
            return made
    start = end = None
    for child in children:
        start = child.outer_start
        if start is not None:
            break
    for child in reversed(children):
        end = child.outer_end
        if end is not None:
            break
    if not alone:
        return Tree(name, inner, start, end)
    if start is not None:
        made.outer_start, made.outer_end = start, end
    return made


def acceptable(grammar: Grammar, stack: list[int]) -> set[str]:
    """The terminals that may come next when the parser's states are `stack`. Each is tried on a copy: an LALR(1) parser
    reduces before it notices an error, so the last state alone allows too many."""
    return {name for name in grammar.states[stack[-1]] if name.isupper() and shifts(grammar, stack, name)}


def shifts(grammar: Grammar, stack: list[int], name: str) -> bool:
    """Whether a terminal is accepted after the reductions that it causes."""
    stack, ends = list(stack), set(grammar.ends.values())
    while name in grammar.states[stack[-1]]:
        to = grammar.states[stack[-1]][name]
        if to >= 0:
            return True
        size, origin, *_ = grammar.rules[~to]
        if size:
            del stack[-size:]
        stack.append(grammar.states[stack[-1]][origin])
        if name == "$END" and stack[-1] in ends:
            return True
    return False


__all__ = ["Child", "Token", "Tree", "Unexpected"]
