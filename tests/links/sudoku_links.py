"""Small sudokus as f-puzzles and SudokuPad pack them, for tests of their links."""

from __future__ import annotations

import json
from typing import Any

from covr.links.fpuzzles import SITE, compress

PAD = "https://sudokupad.app/"
# A sudoku of side 4 as SudokuPad packs it: names shortened, empty objects left out.
OWN = (
    "{cs:50,ce:[[{v:1},,,],[,,,],[,,,],[,,{v:'2'},]],re:[[[0,0],[0,1],[1,0],[1,1]],[[0,2],[0,3],[1,2],[1,3]],"
    "[[2,0],[2,1],[3,0],[3,1]],[[2,2],[2,3],[3,2],[3,3]]],"
    "ca:[{ce:[[0,1],[1,1]],v:7,unique:t},{v:'title: It\\'s mine'}]}"
)


def puzzle(**more: Any) -> dict[str, Any]:
    """A puzzle of side 4."""
    return {"size": 4, "grid": [[{} for _ in range(4)] for _ in range(4)], **more}


def packed(found: Any) -> str:
    """It in an address."""
    return SITE + compress(found if isinstance(found, str) else json.dumps(found))
