"""The syntax of all modules of the house, parsed once for all tests that look at it."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

from covr.dsl.parser import gc_paused

ROOT = Path(__file__).parents[1]


@cache
def syntax_of(path: Path) -> ast.Module:
    """The syntax of a file. To parse all files takes seconds."""
    with gc_paused():
        return ast.parse(path.read_text(encoding="utf-8"))
