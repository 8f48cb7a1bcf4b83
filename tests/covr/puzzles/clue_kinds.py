"""Kinds whose clues rules read, on small boards, ready for questions about what their clues do."""

from __future__ import annotations

from typing import Any

import covr
from covr.compiler import Compiled
from covr.compiler.clues import ClueReader, clue_spots, with_clues, without_clues
from covr.engine.base.limits import Limits
from covr.engine.dispatch import search
from covr.engine.settings import Settings
from covr.puzzles.clue_rules import ClueSingles
from covr.puzzles.clue_switches import ClueSwitches, SwitchedRules


def blank(rows: int, columns: int) -> str:
    return "\n".join(["." * columns] * rows)


# Kinds whose clues count, take choices away, make helpers, and take helpers of others away; and their data.
KINDS: dict[str, dict[str, Any]] = {
    "slitherlink": {"clue": blank(3, 3)},
    "akari": {"board": ".#..\n....\n#.#.\n...#"},
    "minesweeper": {"clue": blank(4, 4)},
    "nonogram": {"rows": ["?"] * 4, "columns": ["?"] * 4},
    "kakuro": {},
    "hashi": {},
}


# Kinds of which two clues do something together, so that each is looked at alone.
MIXED: dict[str, dict[str, Any]] = {
    "masyu": {"pearl": blank(4, 4)},
    "kuromasu": {"clue": blank(4, 4)},
    "yinyang": {"clue": blank(4, 4)},
}

# The more clues, the fewer twos there may be: clues say more together than each by itself.
COUNTED = """
param told = grid(1, 4, "....")
let many = size(told)
choose f(i, k) for i in 1..4, k in 1..3
exactly one f per i in 1..4
exactly one f per (r, i) in told where k = told[r, i]
at most 6 - many f per k in {2}
clue told[r, i] = k of f for (r, i) in frame(told)
"""


class Kind:
    """A kind, ready for questions."""

    def __init__(self, name: str, data: dict[str, Any] | None = None) -> None:
        self.own: Compiled = covr.load(name, **({**KINDS, **MIXED}[name] if data is None else data)).compiled
        self.spots = clue_spots(self.own)
        self.blank = self.own.with_data(without_clues(self.own, self.spots))
        self.reader = ClueReader(self.blank, self.spots)
        self.compiled = 0
        self.switches = ClueSwitches(self.spots, self.blank, self.with_clues)

    def with_clues(self, told: Any) -> Compiled:
        self.compiled += 1
        return self.own.with_data(with_clues(self.own, self.spots, told))

    def rules(self, told: Any) -> SwitchedRules:
        """By switches; where there are none, by single clues."""
        return self.switches.of(told) or ClueSingles(self.switches.blank, self.switches.read).of(told)

    def drawn(self, seed: int) -> tuple[int, ...]:
        settings = Settings(engine="clingo", seed=seed)
        return next(search(self.blank.problem, limits=Limits(answers=1), settings=settings))
