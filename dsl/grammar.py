"""cover.lark, loaded: built by Lark once on a machine and kept in the user's cache.

Building the tables takes a third of a second, loading them some milliseconds. The cache is a convenience and
never trusted: its name holds a digest of the grammar and the versions it was made with, it is read without running
any code that it names, and whatever is wrong with it (not there, cut off, another's, not writable) means that
the tables are built anew.

What Lark keeps to itself is touched in this file alone: how its tables are loaded and looked into, and how its
parser is fed token by token. Written for Lark 1.3; pyproject.toml keeps 2.0 out, which may arrange it differently.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import pickle
import sys
import tempfile
from collections.abc import Collection, Iterator
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

import lark
from lark import Lark, TextSlice, Token, Tree
from lark.parsers.lalr_analysis import Shift

from covr.dsl.lexer import RESERVED, CoverLexer

GRAMMAR = Path(__file__).with_name("cover.lark")
STARTS = ["start", "expr"]


class Reserved:
    """Tells Lark which words are reserved: known to its lexer in every state of the parser."""

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
    """The parser, from the cache where that is possible. A few milliseconds, once a process."""
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
    reader: Any = Lark  # what a stand-alone parser of Lark's loads itself with; it has no types
    parser: Lark = reader._load_from_dict(
        stored["data"],
        stored["memo"],
        postlex=Reserved(),
        propagate_positions=True,
        _plugins={"ContextualLexer": CoverLexer},
    )
    return parser


def lexer_of(parser: Lark) -> CoverLexer:
    """The lexer of a parser that `load` gave."""
    frontend: Any = parser.parser
    lexer: CoverLexer = frontend.lexer.lexer
    return lexer


class Parsing:
    """A text being parsed: whoever reads `tokens` feeds each one before the next, for the lexer asks for the state.

    stack: the states of the parser, the newest last; it changes with every token. end: the token after the last one,
    which `tokens` gives too. start: the rule of the grammar that the text is read as.
    """

    def __init__(self, parser: Lark, text: TextSlice[str], start: str) -> None:
        running: Any = parser.parse_interactive(text, start)
        self._state = running.parser_state
        self._lexer = running.lexer_thread
        self.stack: list[int] = self._state.state_stack
        self.end = Token("$END", "", text.end, end_pos=text.end)

    def tokens(self) -> Iterator[Token]:
        """The words and signs of the text, and the end."""
        return chain(self._lexer.lex(self._state), [self.end])

    def feed(self, token: Token) -> Tree[Token] | None:
        """Parse on with a token; the tree, once that is `end`. Raises Lark's UnexpectedToken for one that does not fit,
        after which nothing more can be fed."""
        tree: Tree[Token] | None = self._state.feed_token(token, token is self.end)
        return tree


def acceptable(parser: Lark, stack: list[int]) -> set[str]:
    """The terminals that may follow where the parser's states are `stack`.

    Every one is tried on a copy: LALR(1) reduces before it notices an error, so the last state alone knows too many.
    """
    frontend: Any = parser.parser
    table = frontend.parser._parse_table
    ends = set(table.end_states.values())
    return {name for name in table.states[stack[-1]] if name.isupper() and shifts(table.states, ends, stack, name)}


def shifts(states: dict[int, dict[str, Any]], ends: set[int], stack: list[int], name: str) -> bool:
    """Whether a terminal is taken in, after the reductions it calls for. ends: the states in which a text may end."""
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
    """Reads numbers, texts, lists and dicts, and nothing that would import or run anything."""

    def find_class(self, module: str, name: str) -> Any:
        raise pickle.UnpicklingError(f"{module}.{name} has no place in a parse table")


# --- the cache ----------------------------------------------------------------------------------------------


def cache_path(grammar: str) -> Path | None:
    """Where the tables of this grammar are kept; None where there is no directory of the user's own."""
    folder = cache_folder()
    if folder is None:
        return None
    versions = f"{lark.__version__} {sys.version_info[:3]} {sys.implementation.name}"
    digest = hashlib.sha256(f"{versions}\n{grammar}".encode()).hexdigest()[:24]
    return folder / f"grammar-{owner()}-{digest}.pickle"


def cache_folder(system: str = sys.platform) -> Path | None:
    """The user's folder for what may be made again: XDG_CACHE_HOME on every system, else where the system keeps that.

    None where the user has no home. Linux needs nobody to tell where that is; platformdirs, which knows it of every
    system, takes as long to import as parsing a small model.
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
    """The number of the user who must own a cached parse table; 0 where there are no such numbers."""
    return os.getuid() if hasattr(os, "getuid") else 0


def read(path: Path) -> Lark | None:
    """The parser kept in `path`; None where there is none, or none that is ours and whole."""
    try:
        with path.open("rb") as file:
            status = os.fstat(file.fileno())
            if hasattr(os, "getuid") and (status.st_uid != os.getuid() or status.st_mode & 0o022):
                return None
            return restore(file.read())
    except Exception:  # a damaged pickle may raise anything; it is built anew and written over
        return None


def write(path: Path, data: bytes) -> None:
    """Keep `data` in `path`, whole or not at all; quietly not, where that is not allowed."""
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
