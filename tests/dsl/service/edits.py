"""Random edits of models, as tests of the language service make them."""

from __future__ import annotations

from random import Random

from tests.dsl.models import MODELS

TEXTS = [path.read_text(encoding="utf-8") for path in MODELS]
# What opens, closes, begins or ends something, and words whose meaning depends on what follows them.
BITS = (
    '"', '"""', "\n", "\nlet x = ", "\ncells", "(", ")", "{", "#", " at", "\nat most one", "as\noutline", "total",
    "\nif f(x) then g(x)\n", " if ", ".", "\n  ", "let", "x", "1", "per", "where", "\nshow", "//", "\\",
    'use "std/pentominoes"\n', "~", " at\ncells(g)", "or", "\nexpect unique", '\n"""\n', '"""\nlet a = 1\n',
    "# covr: allow W101\n",
)  # fmt: skip


def edited(text: str, rng: Random) -> str:
    """The text with one random change: a bit inserted, some characters deleted, or a part of another model inserted."""
    at = rng.randrange(len(text) + 1)
    kind = rng.random()
    if kind < 0.4:
        return text[:at] + rng.choice(BITS) + text[at:]
    if kind < 0.7:
        return text[:at] + text[at + rng.choice([1, 1, 1, 3, 10, 60, 200]) :]
    other = rng.choice(TEXTS)
    begin = rng.randrange(len(other) + 1)
    return text[:at] + other[begin : begin + rng.randrange(80)] + text[at:]
