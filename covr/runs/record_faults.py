"""The errors for a file that is no run file, is damaged, or can't be written."""

from __future__ import annotations

from pathlib import Path

from covr.dsl.diagnostics import ModelErrors
from covr.faults import usage_error


def foreign(file: Path) -> ModelErrors:
    """The error for a file that is not a run file (E701)."""
    return usage_error("E701", f"`{file}` is no run file", help="give another name; nothing was changed")


def damaged(file: Path, why: str) -> ModelErrors:
    """The error for a damaged run file (E704). why: the damage in words."""
    return usage_error(
        "E704", f"`{file}` is damaged: {why}",
        help="nothing was changed; go on with a copy that is whole, or begin again with another file",
    )  # fmt: skip


def unwritable(file: Path, error: Exception) -> ModelErrors:
    """The error for a run file that can't be written. What the file holds is not damaged by this."""
    reason = getattr(error, "strerror", None) or str(error)
    help = f"it holds what was finished before; go on with `covr resume {file}` when there is room"
    if "full" not in reason and "space" not in reason:
        help = ""
    return usage_error("E706", f"`{file}` can't be written: {reason[:1].lower() + reason[1:]}", help=help)
