"""The numbers that Python and compiled kernels share, under their names in _kernel.h without `COVR_`.

SLICE, FOUND, DONE and ASK are what a kernel's `run` returns. CLASSIC, PRICE, DUAL, LAGRANGE and PYTHON are the
estimates; a kernel is told their sum. SCALE is the number of binary places of a price. Names that begin with MIXED_
are for the kernel of mixed problems and the tree above it; the rest are for interpreted kernels. The header is the only
place where the numbers are written, since C can't read Python; this module reads it once, when the first number is
used.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path


@cache
def _numbers() -> dict[str, int | float]:
    text = Path(__file__).with_name("_kernel.h").read_text(encoding="ascii")
    found = re.findall(r"^(?: *|#define )COVR_(\w+) (?:= )?(\d\S*?),?(?: |$)", text, re.MULTILINE)
    return {name: int(number) if number.isdecimal() else float(number) for name, number in found}


def real(name: str) -> float:
    """The number of that name that is not whole."""
    return float(_numbers()[name])


def __getattr__(name: str) -> int:
    """Make `from covr.engine.kernels.codes import DONE` find the whole number of that name in the header."""
    number = _numbers().get(name)
    if not isinstance(number, int):
        raise AttributeError(f"_kernel.h has no whole number COVR_{name}")
    return number
