"""A board as a drawing of penpa-edit: the way back of penpa.py, for what is read there.

Such an address holds what the page's editor keeps: lines of text, of which the first says the size, the fourth what is
drawn as the puzzle, the sixth which squares belong to the board, and the eighteenth the kind of puzzle, as a list of
tags; then raw deflate and base64. All lines up to the version are written, since the editor trusts that they are there;
those between it and the tags may be empty. Words that it often needs have short names of two letters, which begin with
a `z`; so a `z` in a text is written `zZ`.
"""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from collections.abc import Mapping
from typing import Any

from covr.links.address_parts import On
from covr.links.board import SECRET, Board, LinkFault, Place, Value
from covr.links.codes import BITS, TRIPLES
from covr.links.kind import Kind
from covr.links.penpa import AROUND, BLACK, COUNTED, TAGS, TAGS_LINE, penpa_kind, read_penpa
from covr.links.places import borders, cells, corners, rooms

SITE = "https://swaroopg92.github.io/penpa-edit/#m=edit&p="
SIZE = 38  # pixels of a square
VERSION = [3, 2, 3]  # of the editor that these lines are written for
INK, WHITE_INK = 1, 4  # colours of a number
THICK = 2  # a border
# What the editor keeps for each of its layers; those with a short name are written by it.
KEPT = (
    "zS", "zN", "z1", "zY", "zF", "z2", "zT", "z7", "z3", "zD", "z0", "zL", "zE", "zW", "zC", "z4", "z6",
)  # fmt: skip
STACKS = ("zR", "zU", "z8")  # what may be taken back, which is nothing

Drawing = dict[str, dict[str, Any]]  # a short name → an index → what is drawn there


def write_penpa(board: Board, kind: Kind) -> str:
    """The address of a board. Raises LinkFault for a kind that such a drawing can't hold, and for a board of which it
    would say too little."""
    high, wide = board.height, board.width
    page = _PageOut(board)
    for part in kind.address:
        page.draw(part, kind)
    across = wide + 2 * AROUND
    inside = [(r + AROUND) * across + c + AROUND for r in range(high) for c in range(wide)]
    steps = [here - before for here, before in zip(inside, [0, *inside], strict=False)]
    # The page is centred on a square, a corner, or the border below or to the right of a square.
    sort = {(1, 1): 0, (0, 0): 1, (0, 1): 2, (1, 0): 3}[high % 2, wide % 2]
    middle = ((sort * page.high) + (high - 1) // 2 + AROUND) * across + (wide - 1) // 2 + AROUND
    head = ["square", wide, high, SIZE, 0, 1, 1, (wide + 1) * SIZE, (high + 1) * SIZE, middle, middle, 0, 0, 0, 0]
    lines = [
        ",".join(map(str, [*head, "Title: ", "Author: ", "", "", "OFF", "false"])),
        "[0,0,0,0]",
        '{zG:["1","2","1"]}',
        _layers(page.drawing),
        _layers({}),
        _compact(steps),
        "",
        "{}",
        "",
        "",
        _compact(VERSION),
    ]
    lines += [""] * (TAGS_LINE - len(lines)) + [_compact([TAGS.get(kind.name, kind.name)]).replace("z", "zZ")]
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = packer.compress("\n".join(lines).encode()) + packer.flush()
    address = SITE + b64encode(packed).decode()
    if penpa_kind(address) is not kind or read_penpa(address, kind) != board:
        raise LinkFault(f"a drawing can't hold all of it (`{kind.name}`)")
    return address


def _compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def _layers(drawing: Mapping[str, Any]) -> str:
    """What is drawn, as JSON whose names are the short ones."""
    parts = [f"{name}:{_compact(drawing.get(name, {}))}" for name in KEPT]
    parts += [f"{name}:{{z_:[]}}" for name in STACKS]
    return "{" + ",".join([*parts, "z5:[]"]) + "}"


class _PageOut:
    """What is drawn on a page."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.wide, self.high = board.width + 2 * AROUND, board.height + 2 * AROUND
        self.drawing: Drawing = {}

    def draw(self, part: object, kind: Kind) -> None:
        """Draw what a part of the kind's addresses says. Raises LinkFault if it can't be drawn."""
        if isinstance(part, On):
            layer = self.board.layer(part.layer)
            if part.code in COUNTED and part.places in (cells, corners, rooms) and not part.words:
                return self._numbers(layer, int(part.places is corners), kind.name == "lightup")
            if part.places is borders and part.code is BITS:
                return self._borders(layer)
            if part.code is TRIPLES and part.places is cells and len(part.words) == 2:
                return self._circles(layer, part.words)
            if part.optional and not layer:
                return None
        raise LinkFault(f"a drawing does not say enough for the kind `{kind.name}`")

    def _on(self, name: str) -> dict[str, Any]:
        return self.drawing.setdefault(name, {})

    def _index(self, place: Place, sort: int = 0) -> int:
        """A square (sort 0), or the corner (1) at the upper left of a square."""
        r, c = int(place[0]) - 1 - sort + AROUND, int(place[1]) - 1 - sort + AROUND
        return sort * self.wide * self.high + r * self.wide + c

    def _numbers(self, layer: Mapping[Place, Value], sort: int, black: bool) -> None:
        for place, value in sorted(layer.items()):
            at = str(self._index(place, sort))
            if black:
                self._on("zS")[at] = BLACK
            if not (black and value == SECRET):
                self._on("zN")[at] = ["?" if value == SECRET else str(value), WHITE_INK if black else INK, "1"]

    def _borders(self, layer: Mapping[Place, Value]) -> None:
        for (r, c), (below, _) in sorted(layer):
            ends = ((r, c + 1), (r + 1, c + 1)) if below == r else ((r + 1, c), (r + 1, c + 1))
            self._on("zE")[",".join(str(self._index(end, 1)) for end in ends)] = THICK

    def _circles(self, layer: Mapping[Place, Value], words: tuple[str, ...]) -> None:
        for place, word in sorted(layer.items()):
            self._on("zY")[str(self._index(place))] = [words.index(str(word)) + 1, "circle_L", 2]
