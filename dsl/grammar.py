"""Loads cover.lark. Lark builds its tables once on each machine, and they are kept in the user's cache.

Building the tables takes a third of a second, loading them some milliseconds. The cache only saves time and is never
trusted: the file's name contains a digest of the grammar and of the versions that made it, the file is read without
running any code that it names, and if anything is wrong with it (missing, cut off, owned by another user, not
writable), the tables are built again.

Only this file uses Lark's private parts: how its tables are loaded and read, and how its parser is fed token by token.
It is written for Lark 1.3; pyproject.toml excludes 2.0, where these parts may differ.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import pickle
import sys
import tempfile
from collections.abc import Callable, Collection, Iterator
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

import lark
from lark import Lark, TextSlice, Token, Tree, UnexpectedToken
from lark.parsers.lalr_analysis import Shift

from covr.dsl.lexer import RESERVED, CoverLexer

GRAMMAR = Path(__file__).with_name("cover.lark")
STARTS = ["start", "expr"]


class Reserved:
    """Tells Lark which words are reserved, so that its lexer knows them in every state of the parser."""

    always_accept: Collection[str] = RESERVED

    def process(self, tokens: Iterator[Token]) -> Iterator[Token]:
        return tokens


def build(grammar: str, *, strict: bool = False) -> Lark:
    """The parser, from the text of the grammar. strict: conflicts are errors (needs `interegular`)."""
    return Lark(
        grammar,
        parser="lalr",
        lexer="contextual",
        strict=strict,
        start=STARTS,
        propagate_positions=True,
        maybe_placeholders=False,
    )


@lru_cache(maxsize=1)
def load() -> Lark:
    """The parser, from the cache if possible. Takes a few milliseconds, once in each process."""
    grammar = GRAMMAR.read_text(encoding="utf-8")
    path = cache_path(grammar)
    parser = None if path is None else read(path)
    if parser is None:
        stored = io.BytesIO()
        build(grammar).save(stored)
        if path is not None:
            write(path, stored.getvalue())
        parser = restore(stored.getvalue())
    return parser


def restore(data: bytes) -> Lark:
    """The parser that was saved. Raises all kinds of errors when the data is not what `Lark.save` wrote."""
    stored = Plain(io.BytesIO(data)).load()
    reader: Any = Lark  # Lark's stand-alone parsers load themselves in this way; it has no types
    parser: Lark = reader._load_from_dict(
        stored["data"],
        stored["memo"],
        postlex=Reserved(),
        propagate_positions=False,
        _plugins={"ContextualLexer": CoverLexer},
    )
    frontend: Any = parser.parser
    driver = frontend.parser.parser
    driver.callbacks.update({rule: Placed(make) for rule, make in driver.callbacks.items()})
    driver.reductions = {}
    return parser


class Placed:
    """Makes the tree of a rule, and notes where it begins and ends.

    This is Lark's `propagate_positions`, which takes a third of the time of parsing, without lines and columns. A tree
    keeps the place that it had when it was made, such as that of `x` in `(x)`; what contains it begins and ends where
    the parentheses do.
    """

    __slots__ = ("_make",)

    def __init__(self, make: Callable[[list[Any]], Any]) -> None:
        self._make = make

    def __call__(self, children: list[Any]) -> Any:
        made = self._make(children)
        if len(children) == 1 and made is children[0]:
            return made
        if isinstance(made, Tree):
            start = end = None
            for child in children:
                if isinstance(child, Token):
                    start = child.start_pos
                    break
                if not child.meta.empty:
                    start = child.meta.container_start_pos
                    break
            for child in reversed(children):
                if isinstance(child, Token):
                    end = child.end_pos
                    break
                if not child.meta.empty:
                    end = child.meta.container_end_pos
                    break
            if start is not None:
                meta: Any = made.meta
                if meta.empty:
                    meta.start_pos, meta.end_pos, meta.empty = start, end, False
                meta.container_start_pos, meta.container_end_pos = start, end
        return made


def lexer_of(parser: Lark) -> CoverLexer:
    """The lexer of a parser that `load` returned."""
    frontend: Any = parser.parser
    lexer: CoverLexer = frontend.lexer.lexer
    return lexer


Reduction = tuple[int, Callable[[list[Any]], Any], str]
"""Of a rule: how many symbols it takes from the stack, what makes its tree, and the symbol that takes their place."""


class Parsing:
    """A text that is being parsed. Each token of `tokens` must be fed before the next is read, because the lexer
    depends on the parser's state.

    stack: the states of the parser, the newest last; it changes with every token. end: the token after the last one,
    which `tokens` yields too. start: the rule of the grammar that the text is read as.
    """

    def __init__(self, parser: Lark, text: TextSlice[str], start: str) -> None:
        running: Any = parser.parse_interactive(text, start)
        frontend: Any = parser.parser
        self._state = running.parser_state
        self._lexer = running.lexer_thread
        self._reductions: dict[int, Reduction] = frontend.parser.parser.reductions
        self.stack: list[int] = self._state.state_stack
        self.end = Token("$END", "", text.end, end_pos=text.end)

    def tokens(self) -> Iterator[Token]:
        """The words and signs of the text, and then `end`."""
        return chain(self._lexer.lex(self._state), [self.end])

    def feed(self, token: Token) -> Tree[Token] | None:
        """Parse the next token. Returns the tree if the token is `end`, otherwise None. Raises Lark's UnexpectedToken
        if it does not fit; then no more can be fed."""
        # This is Lark's `feed_token`, which looks up a rule by its parts for each of the five reductions that a token
        # causes on average; here it is looked up by its identity.
        conf = self._state.parse_conf
        states, last = conf.states, conf.end_state
        stack, values, kind = self.stack, self._state.value_stack, token.type
        while kind in states[stack[-1]]:
            action, rule = states[stack[-1]][kind]
            if action is Shift:
                stack.append(rule)
                values.append(token)
                return None
            reduction = self._reductions.get(id(rule))
            if reduction is None:
                reduction = self._reductions[id(rule)] = len(rule.expansion), conf.callbacks[rule], rule.origin.name
            size, make, origin = reduction
            if size:
                children = values[-size:]
                del stack[-size:], values[-size:]
            else:
                children = []
            value = make(children)
            stack.append(states[stack[-1]][origin][1])
            values.append(value)
            if token is self.end and stack[-1] == last:
                tree: Tree[Token] = value
                return tree
        expected = {name for name in states[stack[-1]] if name.isupper()}
        fault: Any = UnexpectedToken  # which has no types
        raise fault(token, expected, state=self._state)


def acceptable(parser: Lark, stack: list[int]) -> set[str]:
    """The terminals that may come next when the parser's states are `stack`.

    Each is tried on a copy: an LALR(1) parser reduces before it notices an error, so the last state alone allows too
    many.
    """
    frontend: Any = parser.parser
    table = frontend.parser._parse_table
    ends = set(table.end_states.values())
    return {name for name in table.states[stack[-1]] if name.isupper() and shifts(table.states, ends, stack, name)}


def shifts(states: dict[int, dict[str, Any]], ends: set[int], stack: list[int], name: str) -> bool:
    """Whether a terminal is accepted after the reductions that it causes. ends: the states in which a text may end."""
    stack = list(stack)
    while name in states[stack[-1]]:
        action, rule = states[stack[-1]][name]
        if action is Shift:
            return True
        if rule.expansion:
            del stack[-len(rule.expansion) :]
        stack.append(states[stack[-1]][rule.origin.name][1])
        if name == "$END" and stack[-1] in ends:
            return True
    return False


class Plain(pickle.Unpickler):
    """An unpickler for numbers, texts, lists and dicts only, so that it never imports or runs anything."""

    def find_class(self, module: str, name: str) -> Any:
        raise pickle.UnpicklingError(f"{module}.{name} has no place in a parse table")


# --- the cache ----------------------------------------------------------------------------------------------


def cache_path(grammar: str) -> Path | None:
    """The file for the tables of this grammar; None if the user has no folder for it."""
    folder = cache_folder()
    if folder is None:
        return None
    versions = f"{lark.__version__} {sys.version_info[:3]} {sys.implementation.name}"
    digest = hashlib.sha256(f"{versions}\n{grammar}".encode()).hexdigest()[:24]
    return folder / f"grammar-{owner()}-{digest}.pickle"


def cache_folder(system: str = sys.platform) -> Path | None:
    """The user's cache folder: XDG_CACHE_HOME on every system, otherwise the usual place on the system.

    None if the user has no home. platformdirs knows the usual places, but importing it takes as long as parsing a small
    model, so on Linux it is not used.
    """
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


def read(path: Path) -> Lark | None:
    """The parser kept in `path`; None if there is none, or if the file is damaged or not the user's own."""
    try:
        with path.open("rb") as file:
            status = os.fstat(file.fileno())
            if hasattr(os, "getuid") and (status.st_uid != os.getuid() or status.st_mode & 0o022):
                return None
            return restore(file.read())
    except Exception:  # a damaged pickle may raise anything; the tables are then built again and overwrite it
        return None


def write(path: Path, data: bytes) -> None:
    """Write `data` to `path`, completely or not at all. If that is not allowed, nothing happens."""
    with contextlib.suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = path.parent.stat()
        if hasattr(os, "getuid") and (status.st_uid != os.getuid() or status.st_mode & 0o022):
            return
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".grammar-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            os.replace(name, path)
        except OSError:
            with contextlib.suppress(OSError):
                os.unlink(name)
            raise
