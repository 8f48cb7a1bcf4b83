"""Boards of the gallery that are not square: a board and the same board turned over have as many answers."""

from __future__ import annotations

from typing import Any

import pytest

import covr

TURNED = {"^": "<", "<": "^", "v": ">", ">": "v"}  # arrows, once rows are columns

# Boards of 3 rows and more columns, with few answers but at least one.
BOARDS: dict[str, dict[str, Any]] = {
    "masyu": {"pearl": ["b w . . .", ". . . . w", ". . . . ."]},
    "slitherlink": {"clue": ["3 . . 2 .", ". 1 . . 2", ". . 3 . ."]},
    "numberlink": {"clue": ["1 . . 2 3", ". . . . .", "1 2 . . 3"], "full": 0},
    "yajilin": {"arrow": [". . . . .", ". > . ^ .", ". . . . ."], "clue": [". . . . .", ". 1 . 0 .", ". . . . ."]},
    "heyawake": {"room": ["a a b b c", "a a b b c", "d d d b c"], "clue": ["1 . . . .", ". . . . .", ". . . . ."]},
    "hitori": {"number": ["1 2 3 4 1", "2 2 4 1 5", "4 3 3 2 1"]},
    "nurikabe": {"clue": ["2 . . . .", ". . . 3 .", ". . . . ."]},
    "akari": {"board": [". . . # .", ". 2 . . .", ". . # . 1"]},
    "kuromasu": {"clue": ["3 . . . .", ". . . 4 .", ". . . . ."]},
    "minesweeper": {"clue": [". 2 . . .", ". . . 3 .", "1 . . . ."]},
    "shikaku": {"clue": ["4 . . . 3", ". . . . .", ". 6 . 2 ."]},
    "fillomino": {"clue": ["4 . . . 3", ". . . . .", ". 5 . 2 ."]},
    "tentaisho": {
        "star": [
            ". . . . o . . . .",
            ". . . . . . . . .",
            ". . . . . . . . .",
            ". o . . . . o . .",
            ". . . . . . . . .",
        ]
    },
    "hashi": {"clue": ["2 . 3 . 2", ". . . . .", "2 . 3 . 2"]},
    "tents": {"tree": [". ^ . . .", ". . . . ^", "^ . . . ."], "across": [1, 1, "."], "down": [1, ".", ".", 1, "."]},
    "battleships": {
        "clue": [". . ~ . .", ". . . . .", ". . . . ."],
        "across": [2, 1, 1],
        "down": [2, 0, 1, 0, 1],
        "fleet": [2, 1],
    },
}


SWAPPED = {"across": "down", "down": "across"}


def turned(board: dict[str, Any]) -> dict[str, Any]:
    """A board whose rows are the columns of another one, and the other way round."""
    return {SWAPPED.get(name, name): _turned(value) for name, value in board.items()}


def _turned(value: Any) -> Any:
    """A picture, given as its rows, turned over. Numbers in a margin stay as they are."""
    if not isinstance(value, list) or not isinstance(value[0], str) or " " not in value[0]:
        return value
    columns = zip(*(row.split() for row in value), strict=True)
    return [" ".join(TURNED.get(word, word) for word in column) for column in columns]


def loaded(name: str, board: dict[str, Any]) -> covr.Model:
    texts = {key: "\n".join(x) if isinstance(x, list) and " " in str(x[0]) else x for key, x in board.items()}
    return covr.load(name, **texts)


@pytest.mark.parametrize("name", BOARDS)
def test_a_board_and_the_board_turned_over_have_as_many_answers(name: str) -> None:
    count = loaded(name, BOARDS[name]).count()
    assert count > 0
    assert loaded(name, turned(BOARDS[name])).count() == count


def test_a_kakuro_and_the_kakuro_turned_over_have_as_many_answers() -> None:
    """What holds no number is `#` in one picture and blank in the other, so that this one is turned by hand."""
    wide = {"across": ["# # # #", "9 . . #", "7 . . ."], "down": [". 6 9 .", ". . . 1", ". . . ."]}
    high = {"across": ["# # #", "6 . .", "9 . .", "# 1 ."], "down": [". 9 7", ". . .", ". . .", ". . ."]}
    assert loaded("kakuro", wide).count() == loaded("kakuro", high).count() == 2
