"""Loads kernels, compiled or interpreted, and defines the protocols that searches use.

The kernels are Cython in pure-Python mode: the same files run interpreted if there was no C compiler, or if the
environment variable COVR_INTERPRETED is set. Both forms can be loaded side by side, as the tests do.
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
    "_kernel", "_exact", "_general", "_masks", "_memo", "_bits", "_multiplicity", "_batch", "_spell", "_looks",
    "_cover_levels", "_cover_reductions", "_cover_prices", "_cover_climb", "_cover_lower_bounds", "_cover", "_descent",
    "_check", "_mixed_state", "_mixed_basis", "_mixed_simplex", "_mixed", "_priced",
    "_partition", "_orbits", "_automorphisms", "_base", "_chain", "_smallest", "_classes", "_class_cut", "_sides_trail",
    "_sides_totals", "_sides_connections", "_sides_circuits", "_sides_prices", "_sides", "_diagram", "_frontier",
    "_weighing",
)  # fmt: skip

# The modules whose classes a compiled kernel inherits from; it can't be imported without them.
_COVER = (
    "_kernel",
    "_looks",
    "_cover_levels",
    "_cover_reductions",
    "_cover_prices",
    "_cover_climb",
    "_cover_lower_bounds",
    "_cover",
)
_MIXED = ("_mixed_state", "_mixed_basis", "_mixed_simplex", "_mixed")
_SIDES = (
    "_kernel",
    "_sides_trail",
    "_sides_totals",
    "_sides_connections",
    "_sides_circuits",
    "_sides_prices",
    "_sides",
)
_AUTOMORPHISMS = ("_partition", "_orbits", "_automorphisms")
_SINGLE = ("_exact", "_general", "_multiplicity", "_priced", "_frontier")
BASES = {
    **{name: chain[:at] for chain in (_COVER, _MIXED, _SIDES, _AUTOMORPHISMS) for at, name in enumerate(chain)},
    **dict.fromkeys(_SINGLE, ("_kernel",)),
    "_bits": ("_kernel", "_memo"),
    "_descent": ("_looks",),
    "_base": ("_partition",),
    "_smallest": ("_chain",),
}


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
        """The options of the last answer, in the order they were taken, without given ones. Only valid after FOUND."""


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


def _is_built(name: str) -> bool:
    """Whether the compiled module of that name exists. Any single one may be missing because it failed to compile."""
    return any(Path(__file__).with_name(name + suffix).exists() for suffix in EXTENSION_SUFFIXES)


@cache
def load(name: str, interpreted: bool = False) -> ModuleType:
    """The kernel module of that name. interpreted: load its Python source even if it is compiled."""
    if interpreted or os.environ.get("COVR_INTERPRETED") or not all(map(_is_built, BASES.get(name, ()))):
        path = Path(__file__).with_name(f"{name}.py")
        spec = importlib.util.spec_from_file_location(f"covr.engine.kernels.{name}_interpreted", path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        return module
    return importlib.import_module(f"covr.engine.kernels.{name}")


def is_compiled(name: str) -> bool:
    """Whether `load(name)` loads a compiled module."""
    return bool(load(name).COMPILED)


def back_end() -> str:
    """What the searches on bit sets work with: the widest registers of this processor that compiled kernels can use."""
    import platform

    small = "NEON" if platform.machine().lower() in ("arm64", "aarch64") else "SSE 4.2"
    names = {512: "AVX-512", 256: "AVX2", 128: small, 64: "64-bit words", 0: "Python's own numbers"}
    return names[load("_bits").widest()]


def kernel() -> str:
    """Which kernels run here: 'compiled' or 'interpreted'."""
    return "compiled" if all(is_compiled(name) for name in SOURCES) else "interpreted"
