"""Optional packages: imported when they are needed, with a clear message if they are missing."""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any


class Unsuited(ValueError):
    """Raised when an engine or estimate can't do what it was asked to do; the message is a sentence for the user."""


def wanted(module: str, extra: str, what: str) -> Any:
    """Import an optional module. Raises Unsuited, which says how to install it or why it can't be loaded.

    extra: the name of covr's extra that brings it.  what: what needs it, in words.

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
