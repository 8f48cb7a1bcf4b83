"""The numbers that Python and compiled kernels share, under their names in _kernel.h without `COVR_`.

SLICE, FOUND, DONE and ASK are what a kernel's `run` returns. CLASSIC, PRICE, DUAL, LAGRANGE and PYTHON stand for
estimates; a kernel is given the sum of those it is to use. SCALE is the number of binary places of a price. Names that
begin with MIXED_ are for the kernel of mixed problems and the tree above it; the rest are for interpreted kernels. The
numbers are written only in the header, because C can't read Python. This module reads the header once, when the first
number is used.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path


@cache
def _numbers() -> dict[str, int | float]:
    text = (Path(__file__).with_name("shared") / "_kernel.h").read_text(encoding="ascii")
    found = re.findall(r"^(?: *|#define )COVR_(\w+) (?:= )?(\d\S*?),?(?: |$)", text, re.MULTILINE)
    return {name: int(number) if number.isdecimal() else float(number) for name, number in found}


def real(name: str) -> float:
    """The number of that name, without `COVR_`, as a float. Raises KeyError if the header has no such name."""
    return float(_numbers()[name])


def __getattr__(name: str) -> int:
    """Make `from covr.engine.kernels.header import DONE` find the whole number of that name in the header."""
    number = _numbers().get(name)
    if not isinstance(number, int):
        raise AttributeError(f"_kernel.h has no whole number COVR_{name}")
    return number
