"""Faults of the front door as diagnostics: files that can't be read, names that mean nothing, usage."""

from __future__ import annotations

from collections.abc import Iterable

from covr.dsl.diagnostics import Diagnostic, ModelErrors


def usage_error(code: str, message: str, *, help: str = "", word: str = "", known: Iterable[str] = ()) -> ModelErrors:
    """One error without a place in a text. With `known` names: did you mean one of them, or which they are."""
    names = list(known)
    if names and not help:
        from covr.dsl import suggest

        close = suggest(word, names)
        help = f"did you mean `{close}`?" if close else f"there are {', '.join(f'`{n}`' for n in names)}"
    return ModelErrors([Diagnostic(code, message, None, help)])
