"""Loads the tables of cover.lark from the user's cache, or has Lark build them (tables.py), and parses by them.

Building the tables takes a third of a second, loading them a millisecond. The cache is never trusted: the file's name
has a digest of the grammar and of the versions that made it, the file is read without running code that it names, and
if anything is wrong with it, the tables are built again.

Parsing is Lark's, token by token, without Lark itself, whose import would take a quarter of the start.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate, chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

try:  # pickle itself, which takes a millisecond to import, is needed only where tables are written
    from _pickle import Unpickler, UnpicklingError
except ImportError:  # another Python than CPython
    from pickle import Unpickler, UnpicklingError
try:  # of hashlib, whose other digests take milliseconds to import
    from _blake2 import blake2b
except ImportError:  # another Python than CPython
    from hashlib import blake2b

from covr.dsl.lexer import Child, CoverLexer, Token, Tree, Unexpected

if TYPE_CHECKING:
    from covr.dsl.tables import Tables

GRAMMAR = Path(__file__).with_name("cover.lark")
FORMAT = 3  # of the tables in the cache; to be raised whenever tables.py writes something else

Reduction = tuple[int, str, str, bool, "list[tuple[int, bool]] | None"]
"""See `Tables` in tables.py."""


class States(dict[int, dict[str, int]]):
    """For each state of the parser, what a symbol leads to: see `Tables` in tables.py. Each is made when it is needed:
    a text without faults is read by the numbers themselves (_reading.py)."""

    def __init__(self, symbols: list[str], rows: bytes, columns: bytes, leads: bytes) -> None:
        super().__init__()
        self._symbols, self._columns, self._leads = symbols, columns, leads
        self._begin = [0, *accumulate(rows)]

    def __missing__(self, state: int) -> dict[str, int]:
        begin, end = self._begin[state : state + 2]
        leads = self._leads
        found = self[state] = {
            self._symbols[self._columns[k]]: int.from_bytes(leads[2 * k : 2 * k + 2], "little", signed=True)
            for k in range(begin, end)
        }
        return found


class Grammar:
    """The tables that the parser works by, and the lexer. Raises all kinds of errors for tables that tables.py did not
    make.

    - made: these tables; starts, rules: as in `Tables` (tables.py)
    - states: see there; ends: the states in which a text may end
    - terminals: the names of all terminals; known_above: cache of `above`
    """

    def __init__(self, made: Tables) -> None:
        self.made = made
        self.states = States(made["symbols"], made["rows"], made["columns"], made["leads"])
        self.starts: dict[str, int] = made["starts"]
        self.ends: dict[str, int] = made["ends"]
        self.rules: list[Reduction] = made["rules"]
        self.units = [size == 1 and single and kept is None for size, _, _, single, kept in self.rules]
        self.known_above: dict[tuple[int, int, str], int] = {}
        self.terminals = frozenset(name for name, *_ in made["terminals"])
        self.lexer = CoverLexer(made["terminals"], made["ignore"], self.states)

    def above(self, below: int, top: int, kind: str) -> int:
        """The state that takes the place of `top` on top of `below` when `kind` comes next, after all reductions by
        which one symbol stands for another: `atom` for `postfix` for `power` … for `expr`. They are most of all
        reductions, and are worked out once."""
        key = below, top, kind
        found = self.known_above.get(key)
        if found is None:
            while (to := self.states[top].get(kind, 0)) < 0 and self.units[~to]:
                top = self.states[below][self.rules[~to][1]]
            found = self.known_above[key] = top
        return found


@lru_cache(maxsize=1)
def load() -> Grammar:
    """The grammar, from the cache if possible. Takes a few milliseconds, once in each process."""
    text = GRAMMAR.read_bytes()
    path = cache_path(text)
    grammar = None if path is None else read(path)
    if grammar is None:
        from covr.dsl.tables import tables

        made = tables(text.decode("utf-8"))
        if path is not None:
            import pickle

            write(path, pickle.dumps(made, protocol=4))
        grammar = Grammar(made)
    return grammar


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
        states, rules, units = grammar.states, grammar.rules, grammar.units
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
                stack[-1] = grammar.above(stack[-2], stack[-1], kind)
                if token is self.end and stack[-1] == self._last:
                    return self._made()
                continue
            size, origin, name, single, kept = rules[~to]
            children: list[Child] = []
            if size:
                children = values[-size:]
                del stack[-size:], values[-size:]
            values.append(made_of(name, single, kept, children))
            stack.append(states[stack[-1]][origin])
            if token is self.end and stack[-1] == self._last:
                return self._made()

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
    if single and len(inner) == 1:
        made = inner[0]
        if inner is children or not isinstance(made, Tree):
            return made
    else:
        made = Tree(name, inner)
    start = end = None
    for child in children:
        start = child.start_pos if isinstance(child, Token) else child.outer_start
        if start is not None:
            break
    for child in reversed(children):
        end = child.end_pos if isinstance(child, Token) else child.outer_end
        if end is not None:
            break
    if start is not None:
        made.stretch(start, end)  # type: ignore[arg-type]  # where something begins, something ends
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


class Plain(Unpickler):
    """An unpickler for numbers, texts, lists and dicts only, so that it never imports or runs anything."""

    def find_class(self, module: str, name: str) -> Any:
        raise UnpicklingError(f"{module}.{name} has no place in a parse table")


# --- the cache ----------------------------------------------------------------------------------------------


def cache_path(grammar: bytes) -> Path | None:
    """The file for the tables of this grammar; None if the user has no folder for it."""
    folder = cache_folder()
    if folder is None:
        return None
    versions = f"{FORMAT} {sys.version_info[:3]} {sys.implementation.name}"
    digest = blake2b(versions.encode() + grammar, digest_size=12).hexdigest()
    return folder / f"grammar-{owner()}-{digest}.pickle"


def cache_folder(system: str = sys.platform) -> Path | None:
    """The user's cache folder: XDG_CACHE_HOME on every system, otherwise the usual place on the system. None if the
    user has no home. platformdirs knows the usual places, but importing it takes as long as parsing a small model, so
    on Linux it is not used."""
    home = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(home):
        return Path(home) / "covr"
    if system != "linux":
        from platformdirs import user_cache_path

        folder = user_cache_path("covr", appauthor=False)
        if folder.is_absolute():
            return folder
    try:  # a relative XDG_CACHE_HOME is ignored, as its specification says
        return Path.home() / ".cache" / "covr"
    except RuntimeError:  # no home
        return None


def owner() -> int:
    """The number of the user who must own the cache file; 0 on systems without such numbers."""
    return os.getuid() if hasattr(os, "getuid") else 0


def read(path: Path) -> Grammar | None:
    """The grammar kept in `path`; None if there is none, or if the file is damaged or not the user's own."""
    try:
        with path.open("rb") as file:
            status = os.fstat(file.fileno())
            if hasattr(os, "getuid") and (status.st_uid != os.getuid() or status.st_mode & 0o022):
                return None
            return Grammar(Plain(io.BytesIO(file.read())).load())
    except Exception:  # a damaged pickle may raise anything; the tables are then built again and overwrite it
        return None


def write(path: Path, data: bytes) -> None:
    """Write `data` to `path`, completely or not at all. If that is not allowed, nothing happens."""
    with contextlib.suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = path.parent.stat()
        if hasattr(os, "getuid") and (status.st_uid != os.getuid() or status.st_mode & 0o022):
            return
        import tempfile

        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".grammar-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            os.replace(name, path)
        except OSError:
            with contextlib.suppress(OSError):
                os.unlink(name)
            raise
