"""Models with other white space, and comments put in: what they say is the same."""

from __future__ import annotations

import random

PAIRS = ("up ", "at ", "answers ", "then ")  # first words of two between which no comment may stand


def spread(text: str, rng: random.Random) -> str:
    """The text with other white space between statements and clauses, and comments put in."""
    lines = []
    quoted = False
    for line in text.split("\n"):
        if not quoted and rng.random() < 0.3:
            line = rng.choice(("  ", "\t", "\n\n\n", "# a note\n", "")) + line
        plain = not quoted and '"' not in line and "#" not in line and not line.lstrip().startswith(PAIRS)
        if plain and rng.random() < 0.3:
            line = line.replace(" ", rng.choice(("  ", "\n   ", " # here\n ", "\t")), 1)
        quoted ^= line.count('"""') % 2 == 1
        lines.append(line)
    return "\n".join(lines)
