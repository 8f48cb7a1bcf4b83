"""Diagnostics for faults in how covr is called: files that can't be read, unknown names, wrong usage."""

from __future__ import annotations

import os
from collections.abc import Iterable

from covr.dsl.diagnostics import Diagnostic, ModelErrors


def usage_error(code: str, message: str, *, help: str = "", word: str = "", known: Iterable[str] = ()) -> ModelErrors:
    """One error that has no place in a text.

    help: a line of advice.  word: the unknown name.  known: the names that exist; if given, the help suggests the one
    that is closest to `word`, or else lists them all.
    """
    names = list(known)
    if names and not help:
        from covr.dsl import suggest

        close = suggest(word, names)
        help = f"did you mean `{close}`?" if close else f"there are {', '.join(f'`{n}`' for n in names)}"
    return ModelErrors([Diagnostic(code, message, None, help)])


def unwritable_file(path: str | os.PathLike[str], error: OSError | ValueError) -> ModelErrors:
    """The error E508 for a file that can't be written."""
    reason = getattr(error, "strerror", None) or str(error)
    return usage_error("E508", f"`{os.fspath(path)}` can't be written: {reason[:1].lower()}{reason[1:]}")
