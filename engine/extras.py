"""Packages that are no dependencies: imported when they are wanted, with a clear word where they are missing."""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any


class Unsuited(ValueError):
    """An engine or estimate that can't do what it is asked for here, in a sentence for whoever asked."""


def wanted(module: str, extra: str, what: str) -> Any:
    """The module. Raises Unsuited that says how to install it, or why it can't be loaded.

    highspy 1.15 and ortools 9.15 each bring a library of HiGHS by the same name, so that a process can load only one
    of them.
    """
    package = module.partition(".")[0]
    if not importlib.util.find_spec(package):
        raise Unsuited(f"{what} needs the package {package}: pip install 'covr[{extra}]'")
    try:
        return importlib.import_module(module)
    except ImportError as fault:
        raise Unsuited(
            f"{what} can't load {package} ({fault}); highspy and ortools can't be used in one process"
        ) from fault
