"""Which kernel runs, compiled or interpreted, and how a search talks to one.

The kernels are Cython in pure-Python mode: the same files run interpreted where there was no C compiler, or
where the environment variable COVR_INTERPRETED is set. Both can be loaded side by side, as the tests do.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from types import ModuleType
from typing import Protocol

SOURCES = (
    "_kernel", "_exact", "_general", "_masks", "_bits", "_multiplicity", "_batch", "_spell", "_cover_levels",
    "_cover_reductions", "_cover_prices", "_cover_climb", "_cover_lower_bounds", "_cover", "_descent",
    "_check", "_mixed", "_priced",
)  # fmt: skip

BASES = ("_kernel", "_cover_levels", "_cover_reductions", "_cover_prices", "_cover_climb", "_cover_lower_bounds")


class Kernel(Protocol):
    """A search that stands still between slices."""

    @property
    def nodes(self) -> int: ...

    @property
    def updates(self) -> int: ...

    @property
    def answers(self) -> int:
        """How many answers were found so far."""

    @property
    def code(self) -> int:
        """What the last `run` returned; -1 while it runs, and when it was torn out of it by an exception."""

    def run(self, nodes: int, answers: int) -> int:
        """Search on for at most so many nodes and answers; returns SLICE, FOUND, DONE or ASK."""

    def answer(self) -> list[int]:
        """The options taken, in the order they were taken, without given ones; valid after FOUND."""


class Measured(Kernel, Protocol):
    """A kernel that knows how much of its tree is done."""

    def fraction(self) -> float | None:
        """How much of the tree is done, 0 to 1, the ways of a node sharing alike."""


class Memo(Measured, Protocol):
    """A kernel that counts with a memo."""

    @property
    def spared(self) -> int:
        """How many nodes the memo has saved, by its own account."""


class Gatherer(Kernel, Protocol):
    """A kernel that goes on from answer to answer by itself."""

    def gather(self, nodes: int, answers: int) -> int:
        """`run` until so many nodes or answers more were seen, or the end; returns what the last one did."""

    def gathered(self) -> list[list[int]]:
        """What `answer` said after each, since this was asked last."""


def _is_built(name: str) -> bool:
    """Whether the C compiler has made that module; each is optional, and may have failed alone."""
    return any(Path(__file__).with_name(name + suffix).exists() for suffix in EXTENSION_SUFFIXES)


def _bases(name: str) -> tuple[str, ...]:
    """The modules with the classes that a compiled kernel inherits from: without them it can't be imported."""
    if name.startswith("_cover"):
        return BASES
    return BASES[:1] if name in ("_exact", "_general", "_bits", "_multiplicity") else ()


@cache
def load(name: str, interpreted: bool = False) -> ModuleType:
    """The kernel module of that name; `interpreted` runs its source even where it is compiled."""
    if interpreted or os.environ.get("COVR_INTERPRETED") or not all(map(_is_built, _bases(name))):
        path = Path(__file__).with_name(f"{name}.py")
        spec = importlib.util.spec_from_file_location(f"covr.engine.kernels.{name}_interpreted", path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        return module
    return importlib.import_module(f"covr.engine.kernels.{name}")


def is_compiled(name: str) -> bool:
    """Whether `load(name)` gives machine code."""
    return bool(load(name).COMPILED)


def kernel() -> str:
    """Which kernel runs here: 'compiled' or 'interpreted'."""
    return "compiled" if all(is_compiled(name) for name in SOURCES) else "interpreted"
