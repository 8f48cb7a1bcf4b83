"""cover.lark, loaded: built by Lark once on a machine and kept in the user's cache.

Building the tables takes a third of a second, loading them some milliseconds. The cache is a convenience and never
trusted: its name holds a digest of the grammar and the versions it was made with, it is read without running any code
that it names, and if anything is wrong with it (it is missing, incomplete, somebody else's or not writable), the tables
are built again.
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
from pathlib import Path
from typing import Any

import lark
from lark import Lark, Token

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
        grammar, parser="lalr", lexer="contextual", strict=strict, start=STARTS, propagate_positions=True,
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
        stored["data"], stored["memo"], postlex=Reserved(), propagate_positions=True,
        _plugins={"ContextualLexer": CoverLexer},
    )
    return parser


class Plain(pickle.Unpickler):
    """Reads numbers, texts, lists and dicts, and nothing that would import or run anything."""

    def find_class(self, module: str, name: str) -> Any:
        raise pickle.UnpicklingError(f"{module}.{name} has no place in a parse table")


# --- the cache ----------------------------------------------------------------------------------------------


def cache_path(grammar: str) -> Path | None:
    """Where the tables of this grammar are kept; None where there is no directory of the user's own."""
    home = os.environ.get("XDG_CACHE_HOME", "")
    try:
        folder = (Path(home) if os.path.isabs(home) else Path.home() / ".cache") / "covr"
    except RuntimeError:  # no home
        return None
    versions = f"{lark.__version__} {sys.version_info[:3]} {sys.implementation.name}"
    digest = hashlib.sha256(f"{versions}\n{grammar}".encode()).hexdigest()[:24]
    return folder / f"grammar-{owner()}-{digest}.pickle"


def owner() -> int:
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
