"""How large a model may be, as far as its text says."""

from __future__ import annotations

from typing import Final

from covr.dsl.source import Span

MAX_DIGITS: Final = 1000  # how many digits a number may have
MAX_DEPTH: Final = 200  # how many levels of expressions may be nested
MAX_FAULTS: Final = 100  # how many faults of a model are reported; after that, covr stops looking for more
MOST: Final = 100  # how many names a statement or comprehension may bind, and how many keys or families a rule may have


def too_deep(span: Span) -> tuple[str, str, Span, str]:
    """The parts of the diagnostic for an expression that nests too deeply."""
    return ("E006", f"more than {MAX_DEPTH} levels of expressions in each other", span, "name parts of it with `let`")
