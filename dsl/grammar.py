"""Loads the tables of cover.lark from the user's cache, or has Lark build them (tables.py).

Building the tables takes a third of a second, loading them a millisecond. The cache is never trusted: the file's name
has a digest of the grammar and of the versions that made it, the file is read without running code that it names, and
if anything is wrong with it, the tables are built again.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from functools import lru_cache
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

from covr.dsl.lexer import CoverLexer, States

if TYPE_CHECKING:
    from covr.dsl.tables import Tables

GRAMMAR = Path(__file__).with_name("cover.lark")
FORMAT = 4  # of the tables in the cache; to be raised whenever tables.py writes something else

Reduction = tuple[int, str, str, bool, "list[tuple[int, bool]] | None"]
"""See `Tables` in tables.py."""


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
