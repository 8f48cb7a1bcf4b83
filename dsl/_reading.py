# cython: boundscheck=True
"""Reads a text without faults in one loop: cuts it into words and signs, parses these by the tables, and builds nodes.

The file is Python, and is also compiled, which makes it several times faster. See parser.py for what it may do.

**Cutting.** cover.lark alone says what words and signs look like; tables.py says which of its regular expressions are
of the forms that are cut by hand here (spaces, comments, numbers, names, texts, blocks, phrases, signs, and what must
follow words such as `at` and `total`), and finds no table for a grammar with any other.

**Parsing.** The table has a short number for each state and each symbol: a state to go to, ~n to reduce by rule n, or
NONE. Symbols are numbered.

**Building.** Names, and nodes that consist of their parts as they stand, are built here without calling the class, in a
fifth of the steps. Methods of TreeBuilder build all other nodes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

try:
    import cython
except ImportError:
    from covr import uncompiled as cython

if cython.compiled:
    from cython.cimports.covr.dsl.objects import _room
    from cython.cimports.cpython.object import PyObject_GenericSetAttr

COMPILED = cython.compiled

NONE = cython.declare(cython.int, -32768)  # in the table: nothing fits
ROOM = cython.declare(cython.int, 256)  # for entries on the parser's stack, which has less than 250

# What must follow a word that is not always more than a name: the numbers of FOLLOWS, in this order (`_follows` in
# tables.py).
NO_PARENTHESIS = cython.declare(cython.int, 0)
NO_END = cython.declare(cython.int, 1)
NO_TEXT = cython.declare(cython.int, 2)
A_CLUE = cython.declare(cython.int, 3)
A_SHAPE = cython.declare(cython.int, 4)
FOLLOWS = ("(", "end", "text", "clue", "shape")
SHAPES = frozenset(("tree", "forest", "path", "paths", "loops"))  # words of SHAPE in cover.lark

# How the node of a rule is made: the numbers of HOW, in this order.
BY_METHOD = cython.declare(cython.int, 1)
NAME = cython.declare(cython.int, 2)
NUMBER = cython.declare(cython.int, 3)
PARTS = cython.declare(cython.int, 4)
LIST = cython.declare(cython.int, 5)
CALL = cython.declare(cython.int, 6)
INDEX = cython.declare(cython.int, 7)
SIGNED = cython.declare(cython.int, 8)
COMPARED = cython.declare(cython.int, 9)
TUPLE = cython.declare(cython.int, 10)
FEW = cython.declare(cython.int, 11)
FIRST = cython.declare(cython.int, 12)
BINDING = cython.declare(cython.int, 13)
HOW = ("method", "name", "number", "parts", "list", "call", "index", "signed", "compared", "tuple", "few", "first",
       "binding")  # fmt: skip
"""method: by the method of TreeBuilder. name: of a word. number: of digits. parts: from its parts, one after another.
list: from all its parts as a tuple. call: of a word with the parts of the second. index: from its first part, and the
others as a tuple. signed: a sign before or between its parts. compared: a first part, and then signs with parts.
tuple, few, binding: no node, but all its parts as a tuple; `few` of them, or binding few names. first: its first part
itself."""


class Faulty(Exception):
    """Something is wrong with the text, or it must be read with more care."""


@cython.final
@cython.freelist(256)
@cython.cclass
class Tree:
    """What a rule of the grammar made of a text.

    data: the name of the rule, or of its alternative. children: what it consists of, without the signs; None where a
    node was built at once.
    start_pos, end_pos: the place where it was made; None if it is empty. outer_start, outer_end: the place of what it
    was made from since, which the parentheses around it belong to.
    value: the node that was built of it (tree/), once it is. height: how many levels of expressions lie below it.

    Within this file a word or sign is a Tree, too, with the number of its terminal as its `kind`, and its text, if it
    is a word, as its `value`. Its height is -1, like that of whatever has no node. Of places, -1 stands for None.
    """

    data = cython.declare(object, visibility="public")
    children = cython.declare(object, visibility="public")
    value = cython.declare(object, visibility="public")
    height = cython.declare(cython.int, visibility="public")
    kind: cython.int  # -1 for what is no word or sign
    start: cython.int
    end: cython.int
    outer: cython.int
    outer_stop: cython.int

    def __init__(self, data: object, children: object, start: int = -1, end: int = -1) -> None:
        self.data = data
        self.children = children
        self.value = None
        self.height = self.kind = -1
        self.start = self.outer = start
        self.end = self.outer_stop = end

    @property
    def start_pos(self) -> int | None:
        return None if self.start < 0 else self.start

    @property
    def end_pos(self) -> int | None:
        return None if self.end < 0 else self.end

    @property
    def outer_start(self) -> int | None:
        return None if self.outer < 0 else self.outer

    @property
    def outer_end(self) -> int | None:
        return None if self.outer_stop < 0 else self.outer_stop

    def stretch(self, start: int, end: int) -> None:
        """Let it have been made from what lies between two offsets; if it has no place yet, this is its place."""
        if self.start < 0:
            self.start, self.end = start, end
        self.outer, self.outer_stop = start, end

    def nodes(self) -> tuple[Any, ...]:
        """The node of every subtree that is not a word, in order."""
        return tuple([child.value for child in self.children if type(child) is Tree])

    def find(self, rule: object) -> Any:
        """The node of the first subtree of this name; None if there is none."""
        for child in self.children:
            if type(child) is Tree and child.data == rule:
                return child.value
        return None

    def __repr__(self) -> str:
        return f"Tree({self.data!r}, {self.children!r})"


@cython.final
@cython.cclass
class Production:
    """A rule of the grammar: how many symbols it takes, and the number of the one in their place; whether it does
    nothing else; the name of its tree, whether a single child stands for it, and which symbols become children: 2 · the
    position, + 1 if its own children take its place, or None for all of them.

    how: see HOW; 0 for no node. node, fields: the class of its node and its fields, or the method. flat: whether its
    node is no level of its own.
    """

    size: cython.int
    origin: cython.int
    unit: cython.bint
    name: Any
    single: cython.bint
    kept: list
    how: cython.int
    node: Any
    fields: tuple
    flat: cython.bint

    def __init__(self, size: int, origin: int, name: str, single: bool, kept: Any, flat: bool) -> None:
        self.size, self.origin, self.name, self.single, self.flat = size, origin, name, single, flat
        self.kept = None if kept is None else [2 * at + inlined for at, inlined in kept]  # type: ignore[assignment]
        self.unit = size == 1 and single and kept is None
        self.how, self.node, self.fields = 0, None, ()

    def makes(self, how: str, node: object, fields: tuple[str, ...]) -> None:
        """Say how its node is made."""
        self.how, self.node, self.fields = HOW.index(how) + 1, node, fields


@cython.final
@cython.cclass
class ReadingTables:
    """What texts are read by: the tables, and what words and signs look like.

    rows: for each state how many symbols lead on, columns: their numbers, and leads: where they lead, two bytes each,
    the lower first; all one after another. width: how many symbols there are.
    words: what a word may be besides a name: its terminal (-1 if it is the beginning of phrases only), whether it is
    never a name, what must follow it or None, and the phrases that it begins: the words after it, and the terminal.
    signs: text → terminal, of one or two characters. span: the class of places and its fields. token: makes a word or
    sign of the name of its terminal, its text and its place. limits: MAX_DEPTH, MOST and MAX_DIGITS (dsl/tree.py).
    """

    table: cython.p_short
    held: Any  # the table
    lazy: list  # without a compiler: its rows, each once it is needed
    width: cython.int
    rules: list
    words: dict
    ones: list
    pairs: list
    end: cython.int
    name: cython.int
    number: cython.int
    text: cython.int
    block: cython.int
    terminals: list
    span: Any
    span_fields: tuple
    token: Any
    word_node: Any
    word_fields: tuple
    deepest: cython.int
    most: cython.int
    digits: cython.int

    def __init__(
        self,
        symbols: list[str],
        rows: bytes,
        columns: bytes,
        leads: bytes,
        rules: list[Production],
        words: dict[str, Any],
        signs: dict[str, int],
        span: tuple[type, tuple[str, ...]],
        word: tuple[type, tuple[str, ...]],
        token: Callable[..., Any],
        limits: tuple[int, int, int],
    ) -> None:
        at: cython.int
        row: cython.int
        k: cython.int
        to: cython.int
        self.terminals, self.rules, self.words, self.token = symbols, rules, words, token
        self.width = len(symbols)
        self.span, self.span_fields = span
        self.word_node, self.word_fields = word
        self.deepest, self.most, self.digits = limits
        self.end, self.name, self.number, self.text, self.block = map(
            symbols.index, ("$END", "NAME", "NUMBER", "STRING", "BLOCK")
        )
        self.ones = [signs.get(chr(c), -1) for c in range(128)]
        self.pairs = [{s[1]: n for s, n in signs.items() if len(s) == 2 and s[0] == chr(c)} for c in range(128)]
        at = 0
        if cython.compiled:
            sizes: cython.pointer(cython.const_uchar) = rows  # type: ignore[valid-type]
            column: cython.pointer(cython.const_uchar) = columns  # type: ignore[valid-type]
            bytes_: cython.pointer(cython.const_uchar) = leads  # type: ignore[valid-type]
            self.held = bytearray(2 * len(rows) * self.width)
            whole: cython.p_char = self.held
            self.table = cython.cast(cython.p_short, whole)
            for k in range(len(rows) * self.width):
                self.table[k] = NONE
            for row in range(len(rows)):
                for k in range(at, at + sizes[row]):
                    to = bytes_[2 * k] | (bytes_[2 * k + 1] << 8)
                    self.table[row * self.width + column[k]] = to - 65536 if to >= 32768 else to
                at += sizes[row]
        else:
            self.held = (rows, columns, leads)
            self.lazy = [None] * len(rows)

    @cython.cfunc
    @cython.inline
    def leads(self, state: cython.int, symbol: cython.int) -> cython.int:
        """Where a symbol leads from a state."""
        if cython.compiled:
            return self.table[state * self.width + symbol]
        return (self.lazy[state] or self.row(state)).get(symbol, NONE)

    def row(self, state: int) -> dict[int, int]:
        """Without a compiler: where the symbols lead from a state."""
        rows, columns, leads = self.held
        at = sum(rows[:state])
        found = {
            columns[k]: int.from_bytes(leads[2 * k : 2 * k + 2], "little", signed=True)
            for k in range(at, at + rows[state])
        }
        self.lazy[state] = found
        return found


@cython.cfunc
@cython.inline
def _wordly(c: cython.Py_UCS4) -> cython.bint:
    r"""Whether a character is one of a word: `\w`."""
    return (
        "a" <= c <= "z" or "A" <= c <= "Z" or c == "_" or "0" <= c <= "9" or (c > "\x7f" and c.isalnum())
    )  # fmt: skip


@cython.cfunc
@cython.inline
def _blank(c: cython.Py_UCS4) -> cython.bint:
    return c == " " or c == "\n" or c == "\t" or c == "\r"


@cython.cfunc
def _word_end(text: str, at: cython.int, end: cython.int) -> cython.int:
    """Where the word ends that begins at an offset; that offset if there is none."""
    if at >= end or "0" <= text[at] <= "9" or not _wordly(text[at]) or (text[at] > "\x7f" and text[at].isdecimal()):
        return at
    at += 1
    while at < end and _wordly(text[at]):
        at += 1
    return at


@cython.cfunc
def _gap_end(text: str, at: cython.int, end: cython.int) -> cython.int:
    """Where spaces and comments end that begin at an offset. A comment that no other line follows is none of them."""
    line: cython.int
    while at < end:
        if _blank(text[at]) or text[at] == "\f":
            at += 1
        elif text[at] == "#":
            line = text.find("\n", at, end)
            if line < 0:
                break
            at = line + 1
        else:
            break
    return at


@cython.cfunc
def _bracket(text: str, at: cython.int, end: cython.int) -> cython.bint:
    """Whether the next sign is `[`."""
    at = _gap_end(text, at, end)
    return at < end and text[at] == "["


@cython.cfunc
def _at_or_along(text: str, at: cython.int, end: cython.int) -> cython.bint:
    """Whether families joined by `or` have ended, and `at` or `along` follows."""
    p: cython.int
    q: cython.int
    while True:
        p = _gap_end(text, at, end)
        q = _word_end(text, p, end)
        if p == at or q == p:
            return False
        if text[p:q] == "along":
            return True
        if text[p:q] == "at":
            p = q
            while p < end and _blank(text[p]):
                p += 1
            return p == q or text[p : _word_end(text, p, end)] not in ("least", "most")
        at = _gap_end(text, q, end)
        if text[p:q] != "or" or at == q:
            return False
        q = _word_end(text, at, end)
        if q == at:
            return False
        at = q


@cython.cfunc
def _begins_shape(text: str, at: cython.int, end: cython.int) -> cython.bint:
    """Whether a name follows, and then `at`, `along` or `or`."""
    p: cython.int = _gap_end(text, at, end)
    q: cython.int = _word_end(text, p, end)
    if p == at or q == p:
        return False
    at = _gap_end(text, q, end)
    return at > q and text[at : _word_end(text, at, end)] in ("along", "at", "or")


@cython.ccall
def follows(wanted: tuple, text: str, at: cython.int, end: cython.int) -> cython.bint:
    """Whether behind a word, from `at` on, stands what must follow it, so that it is no name."""
    how: cython.int = wanted[0]
    p: cython.int = _gap_end(text, at, end)
    q: cython.int
    c: cython.Py_UCS4
    if how >= A_CLUE:
        q = _word_end(text, p, end)
        if p == at or q == p or text[p:q] in wanted[1]:
            return False
        return _bracket(text, q, end) if how == A_CLUE else _at_or_along(text, q, end)
    if p >= end:
        return how == NO_PARENTHESIS
    c = text[p]
    if how == NO_PARENTHESIS:
        return c != "("
    if c == "#" or (how == NO_TEXT and c == '"'):  # a comment up to the end
        return False
    q = _word_end(text, p, end)
    word = text[p:q]
    if word in wanted[1]:
        return False
    others = wanted[2].get(word)
    p = q
    if others is not None:
        while p < end and _blank(text[p]):
            p += 1
        if p > q and text[p : _word_end(text, p, end)] in others:
            return False
    if word in SHAPES:
        return not _begins_shape(text, q, end)
    if word != "clue":
        return True
    p = _gap_end(text, q, end)
    return p == q or _word_end(text, p, end) == p or not _bracket(text, _word_end(text, p, end), end)


@cython.final
@cython.cclass
class Reading:
    """A text that is read. source: where it stands. most: how many words and signs it may have. tokens: how many it
    had, with those of its templates and the end of each."""

    reader: ReadingTables
    source: Any
    most: cython.int
    tokens = cython.declare(cython.int, visibility="public")
    names: dict  # each name once
    begin: cython.int  # of the word or sign that was read last
    stop: cython.int
    word: Any  # its text, if it is a word

    def __init__(self, reader: ReadingTables, source: object, most: int) -> None:
        self.reader, self.source, self.most, self.tokens = reader, source, most, 0
        self.names = {}

    # --- cutting -------------------------------------------------------------------------------------------

    @cython.cfunc
    def cut(self, text: str, at: cython.int, end: cython.int, state: cython.int) -> cython.int:
        """Read the next word or sign, and return its terminal; -1 if none fits."""
        c: cython.Py_UCS4
        stop: cython.int
        found: cython.int
        reader: ReadingTables = self.reader
        self.word = None
        while at < end:
            c = text[at]
            if _blank(c) or c == "\f":
                at += 1
            elif c == "#":
                while at < end and text[at] != "\n":
                    at += 1
            else:
                break
        else:
            self.begin = self.stop = end
            return reader.end
        self.begin = at
        if "0" <= c <= "9":
            stop = at + 1
            while stop < end and "0" <= text[stop] <= "9":
                stop += 1
            self.stop = stop
            return reader.number
        if _wordly(c):
            if c > "\x7f" and c.isdecimal():
                return -1
            self.stop = stop = _word_end(text, at, end)
            self.word = word = text[at:stop]
            known = reader.words.get(word)
            return reader.name if known is None else self.known(known, text, at, end, state)
        if c == '"':
            return self.quoted(text, at, end)
        if c > "\x7f":
            return -1
        if at + 1 < end:
            pair: dict = reader.pairs[_code(c)]
            if pair:
                two = pair.get(text[at + 1])
                if two is not None:
                    self.stop = at + 2
                    return two
        self.stop = at + 1
        found = reader.ones[_code(c)]
        return found

    @cython.cfunc
    def known(self, known: tuple, text: str, at: cython.int, end: cython.int, state: cython.int) -> cython.int:
        """The terminal of a word that may be more than a name."""
        p: cython.int
        q: cython.int
        terminal: cython.int = known[0]
        reader: ReadingTables = self.reader
        for rest, phrase in known[3]:
            p = self.stop
            for other in rest:
                q = p
                while q < end and _blank(text[q]):
                    q += 1
                if q == p or not text.startswith(other, q, end):
                    break
                p = q + len(other)
            else:
                if p >= end or not _wordly(text[p]):
                    self.stop = p
                    return phrase
        if terminal < 0 or not (known[1] or reader.leads(state, terminal) != NONE):
            return reader.name
        if known[2] is not None and not follows(known[2], text, self.stop, end):
            return reader.name
        return terminal

    @cython.cfunc
    def quoted(self, text: str, at: cython.int, end: cython.int) -> cython.int:
        """The terminal of what begins with quotes; -1 if it does not end."""
        c: cython.Py_UCS4
        p: cython.int
        if at + 2 < end and text[at + 1] == '"' and text[at + 2] == '"':
            p = text.find('"""', at + 3, end)
            self.stop = p + 3
            return self.reader.block if p >= 0 else -1
        p = at + 1
        while p < end:
            c = text[p]
            if c == '"':
                self.stop = p + 1
                return self.reader.text
            if c == "\n":
                return -1
            if c == "\\":
                p += 1
                if p >= end or text[p] == "\n":
                    return -1
            p += 1
        return -1

    # --- parsing -------------------------------------------------------------------------------------------

    def tree(self, start: cython.int, last: cython.int, text: str, at: cython.int, end: cython.int, builder, offsets):
        """The tree of a text between two offsets, its parts built. start, last: the states where it begins and ends.
        builder: the TreeBuilder. offsets: see there. Raises Faulty."""
        top: cython.int = 0
        kind: cython.int
        to: cython.int
        size: cython.int
        before: cython.int
        stack: cython.int[256]
        reader: ReadingTables = self.reader
        values: list = []
        rule: Production
        leaf: Tree
        if not cython.compiled:
            stack = [0] * ROOM
        stack[0] = start
        while True:
            kind = self.cut(text, at, end, stack[top])
            if kind < 0:
                raise Faulty
            at = self.stop
            leaf = _tree(None, self.begin, at)
            leaf.kind = kind
            leaf.value = self.word
            while True:
                to = reader.leads(stack[top], kind)
                if to >= 0:
                    top += 1
                    stack[top] = to
                    values.append(leaf)
                    break
                if to == NONE:
                    raise Faulty
                rule = reader.rules[-1 - to]
                if rule.unit:
                    stack[top] = reader.leads(stack[top - 1], rule.origin)
                else:
                    size = rule.size
                    if rule.how == NAME:  # a leaf, which becomes the tree
                        self.named(values[len(values) - 1], rule, offsets)
                    else:
                        before = len(values) - size
                        children: list = values[before:]
                        del values[before:]
                        values.append(
                            self.built(rule, children, text, builder, offsets) if rule.how else _made(rule, children)
                        )
                    top += 1 - size
                    if top >= ROOM - 1:
                        raise Faulty
                    stack[top] = reader.leads(stack[top - 1], rule.origin)
                if kind == reader.end and stack[top] == last:
                    self.tokens += 1
                    return values[len(values) - 1]
            self.tokens += 1
            if top >= reader.deepest or self.tokens > self.most:
                raise Faulty

    @cython.cfunc
    def named(self, leaf: Tree, rule: Production, offsets) -> cython.int:
        """Make a name of a word."""
        word = leaf.value
        leaf.kind = -1
        leaf.data = rule.name
        leaf.height = 0
        leaf.value = _node2(
            rule.node, rule.fields, self.names.setdefault(word, word), self.place(leaf.start, leaf.end, offsets)
        )
        return 0

    @cython.cfunc
    def place(self, start: cython.int, end: cython.int, offsets):
        """The span of a part of the text."""
        if offsets is None:
            return _node3(self.reader.span, self.reader.span_fields, self.source, start, end)
        return _node3(self.reader.span, self.reader.span_fields, self.source, offsets[start], offsets[end])

    @cython.cfunc
    def built(self, rule: Production, children: list, text: str, builder, offsets) -> Tree:
        """The tree of a rule that makes a node, with the node."""
        first: Tree = children[0]
        last: Tree = children[len(children) - 1]
        made: Tree = _tree(rule.name, first.outer, last.outer_stop)
        inner: list = children if rule.kept is None else _inner(rule.kept, children)
        height: cython.int = -1
        child: Tree
        parts: list = []
        for child in inner:
            if child.kind < 0:
                parts.append(child.value)
                if child.height > height:
                    height = child.height
        if height >= self.reader.deepest:
            raise Faulty
        made.height = 0 if height < 0 else height + (not rule.flat)
        how: cython.int = rule.how
        if how == BY_METHOD:
            made.children = [self.worded(child, text) for child in inner]
            made.value = rule.node(builder, made, self.place(made.start, made.end, offsets))
        elif how == TUPLE:
            made.value = tuple(parts)
        elif how == FIRST:
            made.value = parts[0]
        elif how == FEW:
            if len(parts) > self.reader.most:
                raise Faulty
            made.value = tuple(parts)
        elif how == BINDING:
            size: cython.int = 0
            for generator in parts:
                for pattern in generator.patterns:
                    size += 1 if type(pattern) is self.reader.word_node else _binds(pattern, self.reader.word_node)
            if size > self.reader.most:
                raise Faulty
            made.value = tuple(parts)
        else:
            made.value = self.node(rule, how, inner, parts, text, self.place(made.start, made.end, offsets), offsets)
        return made

    @cython.cfunc
    def node(self, rule: Production, how: cython.int, inner: list, parts: list, text: str, span, offsets):
        """The node of a rule. inner: its children, parts: the nodes of those that have any."""
        child: Tree
        size: cython.int = len(parts)
        if how == LIST:
            return _node2(rule.node, rule.fields, tuple(parts), span)
        child = inner[0]
        if how == NUMBER:
            digits = text[child.start : child.end]
            if len(digits) > self.reader.digits:
                raise Faulty
            return _node2(rule.node, rule.fields, int(digits), span)
        if how == PARTS:
            if size == 2:
                return _node3(rule.node, rule.fields, parts[0], parts[1], span)
            return _node4(rule.node, rule.fields, parts[0], parts[1], parts[2], span)
        if how == CALL:
            word = child.value if child.value is not None else text[child.start : child.end]
            name = _node2(
                self.reader.word_node,
                self.reader.word_fields,
                self.names.setdefault(word, word),
                self.place(child.start, child.end, offsets),
            )
            return _node3(rule.node, rule.fields, name, parts[0], span)
        if how == INDEX:
            return _node3(rule.node, rule.fields, parts[0], tuple(parts[1:]), span)
        if how == SIGNED:
            if size == 1:
                return _node3(rule.node, rule.fields, text[child.start : child.end], parts[0], span)
            child = inner[1]
            return _node4(rule.node, rule.fields, text[child.start : child.end], parts[0], parts[1], span)
        rest: list = []  # COMPARED
        for child in inner:
            if child.kind >= 0:
                rest.append((" ".join(text[child.start : child.end].split()), parts[len(rest) + 1]))
        return _node3(rule.node, rule.fields, parts[0], tuple(rest), span)

    @cython.cfunc
    def worded(self, child: Tree, text: str):
        """A child as the methods of TreeBuilder know it: a word or sign is a token."""
        if child.kind < 0:
            return child
        return self.reader.token(
            self.reader.terminals[child.kind], text[child.start : child.end], child.start, child.end
        )  # fmt: skip


# --- trees ------------------------------------------------------------------------------------------------------


@cython.cfunc
@cython.inline
def _tree(data, start: cython.int, end: cython.int) -> Tree:
    """What `Tree` makes, without its children."""
    tree: Tree = Tree.__new__(Tree)
    tree.data = data
    tree.children = tree.value = None
    tree.height = tree.kind = -1
    tree.start = tree.outer = start
    tree.end = tree.outer_stop = end
    return tree


@cython.cfunc
def _inner(kept: list, children: list) -> list:
    """The children that are kept, with those of the ones in whose place they stand."""
    code: cython.int
    child: Tree
    inner: list = []
    for code in kept:
        child = children[code >> 1]
        if code & 1:
            inner += child.children
        else:
            inner.append(child)
    return inner


@cython.cfunc
def _made(rule: Production, children: list) -> Tree:
    """The tree of a rule without a node: what `made_of` in grammar.py makes."""
    code: cython.int
    child: Tree
    made: Tree
    inner: list = children
    if rule.kept is not None:
        inner = []
        for code in rule.kept:
            child = children[code >> 1]
            if not code & 1:
                inner.append(child)
            elif inner:
                inner += child.children
            else:
                inner = child.children
    if rule.single and len(inner) == 1:
        made = inner[0]
        if inner is children or made.kind >= 0:
            return made
    else:
        made = _tree(rule.name, -1, -1)
        made.children = inner
    for child in children:
        if child.outer >= 0:
            if made.start < 0:
                made.start = child.outer
            made.outer = child.outer
            break
    for child in reversed(children):
        if child.outer_stop >= 0:
            if made.end < 0:
                made.end = child.outer_stop
            made.outer_stop = child.outer_stop
            break
    return made


def _binds(pattern: Any, word: type) -> int:
    """How many names a pattern binds."""
    return 1 if type(pattern) is word else sum([_binds(item, word) for item in pattern.items])


@cython.cfunc
@cython.inline
def _code(c: cython.Py_UCS4) -> cython.int:
    return cython.cast(cython.int, c) if cython.compiled else ord(c)


# --- nodes ------------------------------------------------------------------------------------------------------


@cython.cfunc
def _node2(kind, fields: tuple, a, b):
    """A node of this class with two fields. Without a compiler, as with the next two, a call of the class."""
    if not cython.compiled:
        return kind(a, b)
    node = _room(kind)
    PyObject_GenericSetAttr(node, fields[0], a)
    PyObject_GenericSetAttr(node, fields[1], b)
    return node


@cython.cfunc
def _node3(kind, fields: tuple, a, b, c):
    if not cython.compiled:
        return kind(a, b, c)
    node = _room(kind)
    PyObject_GenericSetAttr(node, fields[0], a)
    PyObject_GenericSetAttr(node, fields[1], b)
    PyObject_GenericSetAttr(node, fields[2], c)
    return node


@cython.cfunc
def _node4(kind, fields: tuple, a, b, c, d):
    if not cython.compiled:
        return kind(a, b, c, d)
    node = _room(kind)
    PyObject_GenericSetAttr(node, fields[0], a)
    PyObject_GenericSetAttr(node, fields[1], b)
    PyObject_GenericSetAttr(node, fields[2], c)
    PyObject_GenericSetAttr(node, fields[3], d)
    return node
