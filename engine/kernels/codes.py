"""The numbers that Python and compiled kernels share, under their names in _kernel.h without `COVR_`.

SLICE, FOUND, DONE and ASK are what a kernel's `run` returns. CLASSIC, PRICE, DUAL, LAGRANGE and PYTHON are the
estimates; a kernel is told their sum. SCALE is the number of binary places of a price. The rest are for interpreted
kernels. The header is the only place where the numbers are written, since C can't read Python; this module reads it
once, when the first number is used.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path


@cache
def _numbers() -> dict[str, int]:
    text = Path(__file__).with_name("_kernel.h").read_text(encoding="ascii")
    found = re.findall(r"^(?: *|#define )COVR_(\w+) (?:= )?(\d+)", text, re.MULTILINE)
    return {name: int(number) for name, number in found}


def __getattr__(name: str) -> int:
    """Make `from covr.engine.kernels.codes import DONE` find the number of that name in the header."""
    try:
        return _numbers()[name]
    except KeyError:
        raise AttributeError(f"_kernel.h has no COVR_{name}") from None
