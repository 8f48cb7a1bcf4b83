"""Boards of each kind with every form that its address allows: nothing, secret numbers, the largest, black squares.

What a code may write is listed here by hand, and not read off the code.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from covr.links import codes
from covr.links.address_parts import AddressPart, CountBefore, On, Slash
from covr.links.inverse import Bank
from covr.links.kinds.objects import POTS
from covr.links.kinds.shading import CORNERS
from covr.links.places import SECRET, Board, BoardDraft, Value, cells, framed_border_rows, is_cell, margins
from covr.links.table import Kind

SMALL = (0, 1, 2, 3, 4)
LARGE = (5, 9, 10, 15, 16, 255, 256, 4095, 4096, 8191, 8192, 12239, 12240, 77775, 77776, 1126351)
WAYS = ("", "^", "v", "<", ">")
_lists = (
    (0,),
    (1,),
    (2,),
    (8,),
    (SECRET,),
    (1, 1),
    (3, 1),
    (SECRET, 2),
    (1, 1, 1),
    (SECRET, SECRET, SECRET),
    (1, 1, 1, 1),
)

# What each code may write: first what puzzles have, then what they hardly ever have.
FORMS: dict[Any, tuple[Sequence[Value], Sequence[Value]]] = {
    codes.NUMBERS: (SMALL, (SECRET, *LARGE)),
    codes.BYTES: (SMALL, (SECRET, 9, 15, 16, 255)),
    codes.DECIMALS: (SMALL, (SECRET, 5, 9)),
    codes.SPARSE: (SMALL, (SECRET,)),
    codes.FOURS: (SMALL[1:], (SECRET,)),
    codes.DIRECTIONS: (SMALL[1:], (SECRET,)),
    codes.SIGNS: (SMALL[1:], ()),
    codes.ARROWED: (
        [(way, number) for way in WAYS[1:] for number in SMALL],
        [(way, number) for way in WAYS for number in (0, 1, SECRET, 15, 16, 4095)],
    ),
    codes.COMPASSES: (
        ["#", (1, 0, SECRET, 2), (SECRET, SECRET, SECRET, 3)],
        [(SECRET,) * 4, (0, 0, 0, 0), (1126351, 16, 255, 4096)],
    ),
    codes.CASTLES: (
        [(colour, way, number) for colour in "gwb" for way in WAYS[1:] for number in SMALL],
        [(colour, way, number) for colour in "gwb" for way in WAYS for number in (0, 1, SECRET, 15, 16, 4095)],
    ),
    codes.RUN_LENGTHS: (_lists, ((5, 5), (3, 3, 3))),
    codes.COMPARED: (("less", "more", 1, 2), (SECRET, 0, 15, 16, 255)),
    codes.DOUBLES: (SMALL, (31, 32, 1023)),
    codes.PAIRED: ((1, 2, 3), ()),
    codes.DOTTED_NUMBERS: ((*SMALL, "#"), (SECRET, 19, 20, 45)),
    codes.TRIPLES: ((1, 2), ()),
    codes.DOTS: ((1, 2), ()),
    codes.FULL: ((*SMALL, 5), (SECRET, 35, 36, 1295)),
    CORNERS: ((*SMALL, "o", *WAYS[1:]), (SECRET, 15, 16, 255)),
    POTS: ((*SMALL, (0,), (1,), (3,)), (SECRET, 15, 16, 255, (SECRET,), (15,), (16,), (255,))),
    codes.LINE_PARTS: (("o", *codes.PARTS), (SECRET,)),
    **dict.fromkeys((codes.BITS, codes.GAPS, codes.MARKS_ONLY, codes.TREES), ((1,), ())),
}
SIZES = ((1, 1), (1, 2), (2, 1), (1, 4), (4, 1), (2, 2), (2, 3), (3, 2), (3, 3), (4, 4))
PIECES = ("11g", "21o", "12o", "22u", "23bg", "31s", "337k")


def boards_of(kind: Kind, random: Random, many: int, sizes: Sequence[tuple[int, int]] = SIZES) -> Iterator[Board]:
    """So many boards: the empty one of each size in turn, full ones, and those between; some with odd values."""
    for at in range(many):
        high, wide = sizes[at % len(sizes)]
        if kind.square:
            high = wide
        chance = random.choice((0, 0, 0.15, 0.5, 1))
        flag = "".join(letter for letter in kind.meant if random.random() < 0.3)
        draft = BoardDraft(kind.name, high, wide, flag)
        for part in kind.address:
            _fill(part, draft, random, chance, odd=random.random() < 0.3)
        yield draft.board()


def _fill(part: AddressPart, draft: BoardDraft, random: Random, chance: float, odd: bool) -> None:
    match part:
        case On():
            values = part.words or [value for some in FORMS[part.code][: 2 if odd else 1] for value in some]
            for place in part.places(draft):
                if random.random() < chance or part.code in (codes.DOUBLES,):
                    draft.layer(part.layer)[place] = random.choice(values)
        case CountBefore():
            draft.layer(part.layer)[()] = random.choice((1, 2, 3, *((0, 9) if odd else ())))
        case Bank():
            custom = tuple(random.choices(PIECES, k=random.randint(0, 3)))
            draft.layer(part.layer)[()] = random.choice([*part.sets.values(), custom])
        case Slash():
            pass
        case _ if hasattr(part, "parts"):
            for one in part.parts:
                _fill(one, draft, random, chance, odd)
        case _ if "black" in part.layers:
            _fill_black(draft, random, chance, odd)
        case _:
            assert part.layers == ("gap",), type(part).__name__
            places = [place for row in framed_border_rows(draft) for place in row]
            framed = random.random() < 0.5
            for x, y in places:
                if random.random() < chance and (framed or (is_cell(x, draft) and is_cell(y, draft))):
                    draft.layer("gap")[x, y] = 1


def _fill_black(draft: BoardDraft, random: Random, chance: float, odd: bool) -> None:
    """Black squares, and numbers in them and in the margins that say something about squares beside them."""
    black = draft.layer("black")
    for place in cells(draft):
        if random.random() < chance:
            black[place] = 1
    numbers = (3, 4, 6, *((1, 19, 20, 45) if odd else ()))
    for r, c in (*black, *margins(draft)):
        for name, seen in (("across", r > 0), ("down", c > 0)):
            beside = (r, c + 1) if name == "across" else (r + 1, c)
            if seen and beside not in black and random.random() < 0.6:
                draft.layer(name)[r, c] = random.choice(numbers)
