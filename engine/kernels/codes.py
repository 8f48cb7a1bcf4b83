"""The numbers that Python and compiled kernels both know, by their names in _kernel.h without `COVR_`.

SLICE, FOUND, DONE, ASK are what a kernel's `run` returns; CLASSIC, PRICE, DUAL, LAGRANGE and PYTHON are the estimates,
to be added up; SCALE is the number of binary places of a price; the rest are for kernels that run interpreted. The
header is the one place they stand in, as C can't read Python: it is read here, once, when the first is asked for.
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
    """So that `from covr.engine.kernels.codes import DONE` finds what the header names."""
    try:
        return _numbers()[name]
    except KeyError:
        raise AttributeError(f"_kernel.h has no COVR_{name}") from None
