"""Phrases that messages share: numbers of things, reasons of the system, texts cut to a length."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path


def quantity(number: object, what: str, shown: object = None) -> str:
    """`1 rule`, `2 rules`. shown: the number as it is written, where it is not written plainly."""
    return f"{number if shown is None else shown} {what}{'' if number == 1 else 's'}"


def cut(text: str, most: int) -> str:
    """A text of at most so many characters, ending in `…` where something was left out."""
    return text if len(text) <= most else text[: most - 1] + "…"


def ends_in(file: str, endings: Sequence[str]) -> bool:
    """Whether a file's name has one of these endings, such as `.csv`, in letters of either size."""
    return Path(file).suffix.lower() in endings


def reason_of(error: Exception) -> str:
    """Why the system refused something, as the end of a sentence: `permission denied`."""
    reason: str = getattr(error, "strerror", None) or str(error)
    return reason[:1].lower() + reason[1:]
