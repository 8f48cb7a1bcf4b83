"""Many random edits, one after another, as an editor sends them: nothing may be raised, and memory must stay level.

    python -m tests.dsl.service.fuzz EDITS [SEED]

After every edit all that an editor asks is asked.
"""

from __future__ import annotations

import resource
import sys
from random import Random

from covr.dsl.service.complete import complete, cursor
from covr.dsl.service.document import Document
from covr.dsl.service.hover import hover, signature
from covr.dsl.service.names import NameTable, coloured, folds, symbols
from covr.inputs.library import Libraries
from tests.dsl.service.edits import TEXTS, edited

LONGEST = 4000  # characters of a text; a longer one is replaced by another model
REPORTED = 1000  # edits between two reports


def edit(document: Document, text: str, rng: Random) -> str:
    """One edit of a text, and all questions about the result. Returns the new text."""
    text = edited(text, rng) if len(text) < LONGEST else rng.choice(TEXTS)
    analysis = document.change(text)
    names = NameTable(analysis)
    at = rng.randrange(len(text) + 1)
    coloured(analysis, names)
    folds(analysis)
    symbols(analysis)
    hover(analysis, names, at)
    if analysis.readable:
        here = cursor(analysis, at)
        complete(analysis, here)
        signature(analysis, here)
    return text


def main(edits: int, seed: int) -> None:
    """Make so many edits, and report how much memory that took."""
    rng = Random(seed)
    document = Document("m.cover", Libraries)
    text = rng.choice(TEXTS)
    for number in range(1, edits + 1):
        text = edit(document, text, rng)
        if number % REPORTED == 0:
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
            print(f"{number} edits, {memory} MB at most", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1)
