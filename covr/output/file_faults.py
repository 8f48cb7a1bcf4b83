"""Says that a file can't be made or written to, and how many answers it holds by then."""

from __future__ import annotations

from covr.dsl.diagnostics import ModelErrors
from covr.faults import usage_error


def cannot(file: str, what: str, error: Exception, help: str = "") -> ModelErrors:
    """The error for a file that can't be made or written to. what: what can't be done, such as "be made"."""
    reason = getattr(error, "strerror", None) or str(error)
    return usage_error("E605", f"`{file}` can't {what}: {reason[:1].lower() + reason[1:]}", help=help)


def holds(answers: int) -> str:
    """The line of help that says how many answers a file holds that can't be written to any more."""
    return f"it holds {answers} answer{'' if answers == 1 else 's'}"
