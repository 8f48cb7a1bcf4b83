"""Packages that are no dependencies: imported when they are wanted, with a clear word where they are missing."""

from __future__ import annotations

import importlib
from typing import Any


def wanted(module: str, extra: str, what: str) -> Any:
    """The module. Raises ValueError that says how to install it."""
    try:
        return importlib.import_module(module)
    except ImportError as fault:
        raise ValueError(f"{what} needs the package {module.partition('.')[0]}: pip install 'covr[{extra}]'") from fault
