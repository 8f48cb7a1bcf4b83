"""Where a fault occurred: notes that name the choice, or the values that the names had at the time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from covr.compiler.evaluate.faults import EvalFault
from covr.compiler.evaluate.limits import USED_UP
from covr.compiler.evaluate.values import abbreviate
from covr.frozen import evolve


def met(fault: EvalFault, note: str) -> EvalFault:
    """The same fault with a note before its others."""
    return EvalFault(evolve(fault.diagnostic, notes=(note, *fault.diagnostic.notes)))


def met_for(fault: EvalFault, names: Iterable[str], env: Mapping[str, Any]) -> EvalFault:
    """The same fault with the values of these names: `for r = 3, d = 7`.

    If a limit was exceeded, all values together have done so, and the fault is returned unchanged.
    """
    shown = [f"{name} = {abbreviate(env[name])}" for name in names if name in env]
    return met(fault, f"for {', '.join(shown)}") if shown and fault.diagnostic.code not in USED_UP else fault
