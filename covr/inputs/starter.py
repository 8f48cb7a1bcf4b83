"""A small model to start from, with a word about each of its statements."""

from __future__ import annotations

from pathlib import Path

STARTER = """\
title "{title}"

# What may be chosen from outside: `covr solve {file} -D n=6`
param n = 8

# Where something stands, and what may be chosen: a rook on each square of a board
cells r, c in 1..n
choose rook(r, c)

# What an answer must obey; a label says it in words
exactly one rook per r      "one rook in row {{r}}"
exactly one rook per c      "one rook in column {{c}}"

# How an answer is drawn
show "R" of rook at r, c

# What this model promises; `covr test {file}` holds it to that
expect 6 solutions with n = 3
expect 24 solutions with n = 4
"""


def starter(file: Path, title: str = "") -> str:
    """The text of the model. file: where it is going to stand.  title: if it is not to be made of the file's name."""
    words = file.stem.replace("_", " ").replace('"', "").replace("{", "").replace("}", "").capitalize()
    return STARTER.format(title=title or words or "My model", file=file)
