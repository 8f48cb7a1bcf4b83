"""The addresses of clingo's functions that take a rule, and that tell whether an atom is true: for kernels/rules.

clingo's own module for Python holds them, compiled, with their signatures. Where it is built otherwise, or where these
are others, there are no addresses, and the methods of clingo's module are called one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Any

from covr.engine.kernels.loading import load
from covr.frozen import frozen

_BACKEND = "_Bool(*)(struct clingo_backend *, _Bool, uint32_t *, size_t, "
SIGNATURES = {
    "clingo_backend_rule": _BACKEND + "int32_t *, size_t)",
    "clingo_backend_weight_rule": _BACKEND + "int32_t, struct clingo_weighted_literal *, size_t)",
    "clingo_model_is_true": "_Bool(*)(struct clingo_model *, int32_t, _Bool *)",
}


@frozen
class Calls:
    """The addresses of functions. rule, weights: that take a rule, and a weight rule.  is_true: that tells whether an
    atom is true in a model."""

    rule: int
    weights: int
    is_true: int


@cache
def calls() -> Calls | None:
    """The addresses; None if they are not known, or if the kernel that calls them is not compiled."""
    if not load("_rules").COMPILED:
        return None
    try:
        inside = import_module("clingo._internal")
        lib, ffi = inside._lib, inside._ffi
        found = [ffi.addressof(lib, name) for name in SIGNATURES]
        if [ffi.typeof(function).cname for function in found] != [*SIGNATURES.values()]:
            return None
        return Calls(*[int(ffi.cast("uintptr_t", function)) for function in found])
    except (AttributeError, TypeError, ValueError, ImportError):
        return None


def held_rules(backend: Any) -> Any:
    """Rules on their way to a backend of clingo, `HeldRules` of _rules.py; None if these are written one by one."""
    known = calls() if hasattr(backend, "_rep") else None
    return None if known is None else load("_rules").HeldRules(known.rule, known.weights, _address(backend), _refused)


def _address(of: Any) -> int:
    """Where a thing of clingo's is in memory."""
    return int(import_module("clingo._internal")._ffi.cast("uintptr_t", of._rep))


def _refused() -> None:
    """Raise what clingo says about the last call."""
    import_module("clingo._internal")._handle_error(False)


def true_atoms(model: Any, atoms: Sequence[int]) -> list[int]:
    """Which of these atoms are true in a model of clingo, by their places, increasing. atoms: an array of `i`."""
    known = calls()
    if known is not None:
        found: list[int] | None = load("_rules").true_atoms(known.is_true, _address(model), atoms)
        if found is not None:
            return found
    return [k for k, atom in enumerate(atoms) if model.is_true(atom)]


__all__ = ["Calls", "calls", "held_rules", "true_atoms"]
