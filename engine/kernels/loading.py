"""Loads kernels, compiled or interpreted, and defines the protocols that searches use.

The kernels are Cython in pure-Python mode: the same files run interpreted if there was no C compiler, or if the
environment variable COVR_INTERPRETED is set. Both forms can be loaded side by side, as the tests do.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from types import ModuleType
from typing import Protocol

FOLDER = Path(__file__).parent
SMALL = {"arm64": "NEON", "aarch64": "NEON", "wasm32": "SIMD128"}  # what registers of 128 bits are called, by processor


class Kernel(Protocol):
    """A search that is run in slices, and pauses between them.

    nodes: how many nodes were visited so far: as a rule, the root and one for every option taken.  updates: how many
    links or options were changed so far, a measure of work that is the same on every machine.
    """

    @property
    def nodes(self) -> int: ...

    @property
    def updates(self) -> int: ...

    @property
    def answers(self) -> int:
        """How many answers were found, or counted, so far."""

    @property
    def code(self) -> int:
        """What the last `run` returned; -1 while it runs, and after it ended with an exception."""

    def run(self, nodes: int, answers: int) -> int:
        """Search for at most `nodes` more nodes and `answers` more answers; returns SLICE, FOUND, DONE or ASK."""

    def answer(self) -> list[int]:
        """The options of the last answer, without given ones, in an order of the kernel's. Only valid after FOUND."""


class Measured(Kernel, Protocol):
    """A kernel that can tell how much of its tree is done."""

    def fraction(self) -> float | None:
        """How much of the tree is done, from 0 to 1, if the ways of every node share equally; None if unknown."""


class Memo(Measured, Protocol):
    """A kernel that counts with a memo."""

    @property
    def spared(self) -> int:
        """How many nodes the memo has saved: the sum of the worths of the entries found (see _bits.py)."""


class Gatherer(Kernel, Protocol):
    """A kernel that can go on from answer to answer by itself."""

    def gather(self, nodes: int, answers: int) -> int:
        """Call `run` for at most `nodes` more nodes and `answers` more answers; returns what the last call returned."""

    def gathered(self) -> list[list[int]]:
        """The answers gathered since the last call of this method, each as `answer` gave it."""


@cache
def _files() -> Sequence[tuple[str, str]]:
    """The files of kernels and of compiled families: their folder and their name."""
    ends = tuple(EXTENSION_SUFFIXES)
    found = []
    for place, folders, names in os.walk(FOLDER):
        folders[:] = [name for name in folders if not name.startswith("_")]
        found += [(place, name) for name in names if name.endswith(ends) or name[0] == "_" != name[1]]
    return sorted(found)


@cache
def sources() -> Mapping[str, Path]:
    """The kernels by name: every file in this folder whose name begins with one underscore and that is compiled."""
    return {name[:-3]: Path(place, name) for place, name in _files() if name.endswith(".py")}


@cache
def _built() -> frozenset[str]:
    """The families of which there are compiled modules for this Python, by their folders' names. Any single one may be
    missing because it failed to compile."""
    return frozenset([name.partition(".")[0] for _, name in _files() if name.endswith(tuple(EXTENSION_SUFFIXES))])


@cache
def load(name: str, interpreted: bool = False) -> ModuleType:
    """The kernel module of that name, or the compiled one of its whole family, which needs the one of `shared`.

    interpreted: load its Python source even if it is compiled.
    """
    path = sources()[name]
    family = path.parent.name
    if interpreted or os.environ.get("COVR_INTERPRETED") or not _built().issuperset({"shared", family}):
        spec = importlib.util.spec_from_file_location(f"covr.engine.kernels.{name}_interpreted", path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        return module
    return importlib.import_module(f"covr.engine.kernels.{family}.{family}")


def is_compiled(name: str) -> bool:
    """Whether `load(name)` loads a compiled module."""
    return bool(load(name).COMPILED)


def back_end() -> str:
    """What the searches on bit sets work with: the widest registers of this processor that compiled kernels can use."""
    import platform

    small = SMALL.get(platform.machine().lower(), "SSE 4.2")
    names = {512: "AVX-512", 256: "AVX2", 128: small, 64: "64-bit words", 0: "Python's own numbers"}
    return names[load("_bits").widest()]


def kernel() -> str:
    """Which kernels run here: 'compiled' or 'interpreted'."""
    return "compiled" if all(is_compiled(name) for name in sources()) else "interpreted"
