"""All models in the repository: those of the gallery and of its library."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

from tests.shared import IN_GATE

FOLDER = Path(__file__).parents[2] / "models"
GRAMMAR = Path(__file__).parents[2] / "dsl" / "cover.lark"
MODELS = sorted(FOLDER.rglob("*.cover"))

TEXT = re.compile(r'"""[^"]*"""|"[^"\n]*"|#[^\n]*')
PART = re.compile(r"[A-Za-z_]\w*|\d+|\S")


def few(paths: Iterable[Path]) -> list[Path]:
    """Models in which every word of the language stands before all that it stands before in any of these models.

    What is no word of the language counts as a name, a number, or the sign that it is. A fifth of the gallery is
    enough, because most models of one genre are alike; the shorter ones are preferred.
    """
    words = set(re.findall(r'"([a-z]+)"', GRAMMAR.read_text(encoding="utf-8")))

    def kind(part: str) -> str:
        return part if part in words or not part[0].isalnum() else "a number" if part[0].isdigit() else "a name"

    left, sizes = {}, {}
    for path in paths:
        text = path.read_text(encoding="utf-8")
        parts = map(kind, PART.findall(TEXT.sub('"', text)))
        left[path] = {pair for pair in pairwise(parts) if pair[0] in words}
        sizes[path] = len(text)
    chosen = []
    wanted = set().union(*left.values())
    while wanted:
        best = max(left, key=lambda path: len(left[path] & wanted) / sizes[path] ** 0.7)
        wanted -= left.pop(best)
        chosen.append(best)
    return sorted(chosen)


# Laws of single models are tried on these in the gate; all other runs try all models.
SOME = few(MODELS) if IN_GATE else MODELS
SOME_OF_GALLERY = [path.stem for path in SOME if path.parent.name != "std"]
