"""Models of the gallery take the size of their board from what is drawn, and count as brute force does."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import permutations, product

import pytest

import covr
from covr.dsl.diagnostics import ModelErrors

Square = tuple[tuple[int, ...], ...]


@cache
def squares(n: int) -> list[Square]:
    """All Latin squares of side n."""
    rows = [*permutations(range(1, n + 1))]
    whole = set(range(1, n + 1))
    return [
        found for found in product(rows, repeat=n) if all(whole == {*column} for column in zip(*found, strict=True))
    ]


def counted(n: int, holds: Callable[[Square], bool]) -> int:
    """How many Latin squares have a property."""
    return sum(map(holds, squares(n)))


def test_futoshiki_of_side_four_is_counted_right() -> None:
    model = covr.load("futoshiki", n=4, clue="....\n.2..\n....\n....", less="r,c,i,j\n1,1,1,2\n3,4,4,4\n")
    assert model.count() == counted(4, lambda s: s[1][1] == 2 and s[0][0] < s[0][1] and s[2][3] < s[3][3])


def test_kenken_of_side_four_is_counted_right_with_every_sign() -> None:
    sign = "/.*.\n+..-\n-.+.\n...."
    model = covr.load("kenken", cage="aabb\nccbd\nefgd\nefgh", clue="2.8.\n3..3\n3.5.\n....", sign=sign)

    def holds(s: Square) -> bool:
        pairs = {s[0][0], s[0][1]} in ({1, 2}, {2, 4})
        product_of_b = s[0][2] * s[0][3] * s[1][2] == 8
        return (
            pairs and product_of_b and s[1][0] + s[1][1] == 3 and abs(s[1][3] - s[2][3]) == 3
            and abs(s[2][0] - s[3][0]) == 3 and s[2][2] + s[3][2] == 5
        )  # fmt: skip

    assert model.count() == counted(4, holds)


def test_a_product_with_a_factor_that_no_digit_has_is_refused() -> None:
    with pytest.raises(ModelErrors, match="no such factors"):
        covr.load("kenken", cage="aab\nccb\nddd", clue="7..\n...\n...", sign="*..\n...\n...")


def test_skyscrapers_are_counted_right_with_a_height_given() -> None:
    seen = [{"name": "left", "seen": [2, ".", "."]}]
    model = covr.load("skyscrapers", clue="...\n.3.\n...", sides=seen)
    assert model.count() == counted(3, lambda s: s[1][1] == 3 and len({max(s[0][:k]) for k in (1, 2, 3)}) == 2)


def test_a_jigsaw_of_side_four_is_counted_right() -> None:
    region = ["aabb", "aabb", "ccdd", "ccdd"]
    model = covr.load("sudoku_jigsaw", region="\n".join(region), clue="1...\n....\n....\n....")
    boxes = [[(r, c) for r in (i, i + 1) for c in (j, j + 1)] for i in (0, 2) for j in (0, 2)]
    whole = counted(4, lambda s: s[0][0] == 1 and all(len({s[r][c] for r, c in box}) == 4 for box in boxes))
    assert model.count() == whole == 72


def test_star_battle_on_a_board_that_is_no_square() -> None:
    """Without regions of more than a row, one star in each row and column needs a square: a rectangle has no answer."""
    assert covr.load("star_battle", k=1, region="aaaa\nbbbb\ncccc").count() == 0
    assert covr.load("star_battle", k=1, region="aaaa\nbbbb\ncccc\ndddd").count() == 2


def test_battleships_with_parts_and_missing_counts() -> None:
    """Two boats of two squares on 3 × 3: they lie apart only in opposite rows or columns."""
    words = {"fleet": [0, 2], "across": ["."] * 3, "down": ["."] * 3}
    assert covr.load("battleships", clue="...\n...\n...", **words).count() == 8
    assert covr.load("battleships", clue="◖..\n...\n...", **words).count() == 2
    assert covr.load("battleships", clue="...\n.~.\n..?", **words).count() == 4
    assert covr.load("battleships", clue="■..\n...\n...", **words).count() == 0


def test_kakuro_with_a_run_without_a_clue() -> None:
    """Two by two: the first row adds up to 3, the columns to 4 and 6; the second row may add up to anything."""
    model = covr.load("kakuro", across="# # #\n3 . .\n# . .", down=". 4 6\n. . .\n. . .")
    fits = [s for s in product(range(1, 10), repeat=4) if s[0] + s[1] == 3 and s[0] + s[2] == 4 and s[1] + s[3] == 6]
    right = [s for s in fits if s[0] != s[1] and s[2] != s[3] and s[0] != s[2] and s[1] != s[3]]
    assert model.count() == len(right) == 1
