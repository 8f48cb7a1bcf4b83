"""Hints: the command that explains a message further."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from covr.inputs.library import STDIN

if TYPE_CHECKING:
    from covr.compiler import Compiled

LONGEST = 100  # characters: a longer value of a param is not repeated in a hint


def why_command(compiled: Compiled, choice: str = "") -> str:
    """The command `covr why MODEL` for this model, with the values that were set for its params."""
    from covr.compiler import FromText

    name = compiled.model.source.name
    words = ["covr", "why", STDIN if name == "<stdin>" else shlex.quote(name)]
    for param, value in compiled.scope.overrides.items():
        if isinstance(value, FromText):
            short = len(value.text) <= LONGEST and value.text.isprintable()
            words += ["-D", shlex.quote(f"{param}={value.text}") if short else f"{param}=…"]
    return " ".join([*words, f'"{choice}"'] if choice else words)
