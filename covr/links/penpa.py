"""Addresses of penpa-edit ↔ a board."""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import unquote

from covr.links.address_parts import On
from covr.links.codes import BITS, DECIMALS, FULL, NUMBERS, SPARSE, TRIPLES, shortened
from covr.links.places import (
    LONGEST,
    SECRET,
    Board,
    BoardDraft,
    LinkFault,
    Place,
    Value,
    borders,
    cells,
    corners,
    is_cell,
    room_numbers,
    rooms,
)
from covr.links.table import Kind, border_at, find_kind

# --- Addresses of penpa-edit: `https://swaroopg92.github.io/penpa-edit/#m=solve&p=BASE64` → a board -------------------
# What stands behind `p=` is base64 of raw deflate of lines: the size, the margins, …, in the fourth line what is drawn
# as the puzzle, as JSON with short names, and in the eighteenth a list of tags, of which one may say the kind of
# puzzle. Where none does, such an address is a drawing alone, and the kind must be given. Only what the kind has a
# meaning for is read, and anything else that is drawn is refused by name: numbers in squares and on corners, borders,
# white and black circles, and black squares of akari are read. An answer that is drawn is not. What is read is also
# written.
#
# An index counts the points of the page row by row: first the middles of all squares, with two more rows and columns on
# each side of the board, then as many lower right corners.


_ADDRESS = re.compile(r"(?=[\w./:-]*penpa)[\w./:-]+[#?]", re.ASCII)
MOST_UNPACKED = 4_000_000  # bytes: a full page of 100 by 100 squares has fewer
AROUND = 2  # rows and columns of the page on each side of the board
SHORT = {
    "zN": "number", "zS": "surface", "zE": "edge", "zY": "symbol", "zL": "line", "zW": "wall", "zC": "cage",
    "z1": "sudoku", "zT": "thermo", "z3": "arrows", "zD": "direction", "z0": "squareframe", "z5": "polygon",
    "z4": "deleteedge", "z6": "killercages", "z7": "nobulbthermo", "zF": "freeline", "z2": "freeedge",
    "zP": "special",
}  # fmt: skip
_LITERAL = {"zZ": "z", "zO": "null"}
_SHORTENED = re.compile("z[0-9A-Z_]", re.ASCII)
DRAWN = {
    "number": "numbers", "surface": "colours of squares", "edge": "borders", "symbol": "symbols", "line": "lines",
    "wall": "walls", "cage": "cages", "sudoku": "small numbers", "thermo": "thermometers", "arrows": "arrows",
    "direction": "directions", "squareframe": "frames", "polygon": "polygons", "deleteedge": "erased lines",
    "killercages": "cages", "nobulbthermo": "thermometers", "freeline": "free lines", "freeedge": "free borders",
}  # fmt: skip
CANDIDATES = "7"  # the way of writing small digits, which are notes
BLACK = 4  # the colour of a square
RINGED = (5, 6, 7, 11)  # the styles of numbers that have a circle round them
COUNTED = (NUMBERS, DECIMALS, SPARSE, FULL)
TAGS_LINE = 17  # the line, from 0, with the list of tags
# The tags of penpa-edit, by kind, where they are not the kind's own name.
TAGS = {
    "balance": "balanceloop", "battleship": "battleships", "canal": "canal view", "castle": "castlewall",
    "cbanana": "choco banana", "country": "country road", "dotchi": "dotchi-loop", "doubleback": "double back",
    "easyasabc": "easy as abc", "gokigen": "slant (gokigen)", "hashikake": "hashiwokakero (hashi/bridges)",
    "lightup": "akari", "mashu": "masyu", "meander": "meandering numbers", "mines": "minesweeper",
    "moonsun": "moon or sun", "nawabari": "territory (nawabari)", "numlin": "numberlink",
    "renban": "renban (renban-madoguchi)", "ripple": "ripple effect", "shimaguni": "shimaguni (islands)",
    "simpleloop": "simple loop", "slither": "slitherlink", "sudoku": "classic", "symmarea": "symmetry area",
    "tentaisho": "spiralgalaxies", "yajikazu": "yajikazu (yajisan-kazusan)", "yajilin-regions": "regional yajilin",
    "yinyang": "yin-yang",
}  # fmt: skip
_KINDS = {tag: name for name, tag in TAGS.items()}
# Tags of its own that are called as another kind is: sudokus in which ships are hidden.
_OTHER_KINDS = ("battleship",)
# Tags that say how its page checks an answer, or what a puzzle is for.
_IDLE_TAGS = ("noconflict", "non-alphanumeric", "puzzlehunt")


def is_penpa(text: str) -> bool:
    """Whether a text is such an address, judging by its beginning."""
    return _ADDRESS.match(text.strip()[:200]) is not None


class KindUnsaid(LinkFault):
    """A drawing does not say which kind of puzzle it is."""

    help = "`--as KIND` reads it as a puzzle of that kind, such as `--as slither`"


def penpa_kind(text: str) -> Kind:
    """The kind of puzzle that the tags of a drawing name. Raises LinkFault."""
    lines = _unpacked(text).split("\n")
    found = _json(_in_full(lines[TAGS_LINE])) if len(lines) > TAGS_LINE and lines[TAGS_LINE].strip() else []
    if not isinstance(found, list) or not all(isinstance(tag, str) for tag in found):
        raise LinkFault(f"its line {TAGS_LINE + 1} is no list of tags")
    tags = [tag for tag in found if tag not in _IDLE_TAGS]
    kinds: dict[str, Kind] = {}
    for tag in tags:
        with suppress(LinkFault):
            kind = find_kind(_KINDS.get(tag, tag) if tag not in _OTHER_KINDS else "")
            kinds[tag] = kind
    if len(kinds) == len(set(tags)) and len({kind.name for kind in kinds.values()}) == 1:
        return next(iter(kinds.values()))
    if not tags:
        raise KindUnsaid("this drawing of penpa-edit has no tag that says which kind of puzzle it is")
    named = ", ".join(f"`{shortened(tag)}`" for tag in tags[:5])
    raise KindUnsaid(f"the tags of this drawing, {named}, do not say one kind of puzzle that covr knows")


def read_penpa(text: str, kind: Kind) -> Board:
    """The board of a kind in such an address. Raises LinkFault."""
    lines = _unpacked(text).split("\n")
    head = lines[0].split(",")
    if len(lines) < 5 or len(head) < 3 or not all(re.fullmatch("[0-9]{1,9}", x) for x in head[1:3]):
        raise LinkFault("it does not begin with the size of a board")
    if head[0] not in ("square", "sudoku", "kakuro"):
        raise LinkFault(f"its board is not made of squares, but of `{shortened(head[0])}`")
    margins = _json(lines[1])
    if not (isinstance(margins, list) and len(margins) == 4 and all(type(x) is int and 0 <= x < 100 for x in margins)):
        raise LinkFault("its second line does not say what its margins are")
    drawn = _json(_in_full(lines[3]))
    if not isinstance(drawn, dict):
        raise LinkFault("its fourth line does not say what is drawn")
    above, below, left, right = margins
    draft = BoardDraft(kind.name, int(head[2]) - above - below, int(head[1]) - left - right)
    return _Page(draft, kind, drawn, above, left, int(head[1]) + 2 * AROUND, int(head[2]) + 2 * AROUND).board()


def _unpacked(text: str) -> str:
    """The text behind `p=`. Bounded in time and memory."""
    if len(text) > LONGEST:
        raise LinkFault(f"it has more than {LONGEST:,} letters")
    fields = dict(field.partition("=")[::2] for field in re.split("[#?&]", text.strip()))
    if "p" not in fields:
        raise LinkFault("no puzzle stands after `p=`")
    packed = unquote(fields["p"])
    if "%" in packed:
        raise LinkFault("it is encoded twice")
    try:
        data = b64decode(packed + "=" * (-len(packed) % 4), validate=True)
        reading = zlib.decompressobj(-zlib.MAX_WBITS)
        found = reading.decompress(data, MOST_UNPACKED)
        if reading.unconsumed_tail:
            raise LinkFault(f"it unpacks to more than {MOST_UNPACKED:,} bytes")
        if not reading.eof:
            raise LinkFault("it ends too early: something was cut off")
        return found.decode("utf-8")
    except (ValueError, zlib.error):  # ValueError: letters that base 64 or UTF-8 has not
        raise LinkFault("what stands after `p=` is damaged") from None


def _in_full(line: str) -> str:
    """A line with its short names written in full: each is a word in quotes, but `zO` null and `zZ` a z."""
    return _SHORTENED.sub(lambda found: _LITERAL.get(found[0]) or f'"{SHORT.get(found[0], found[0])}"', line)


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise LinkFault("what stands after `p=` is damaged") from None


class _Page:
    """What is drawn on a page, read as a kind's board. above, left: the margins; wide, high: the page's points."""

    def __init__(
        self, draft: BoardDraft, kind: Kind, drawn: Mapping[str, Any], above: int, left: int, wide: int, high: int
    ) -> None:
        self.draft, self.kind, self.drawn = draft, kind, drawn
        self.above, self.left, self.wide, self.high = above, left, wide, high
        self.used: set[str] = set()

    def board(self) -> Board:
        """The board. Raises LinkFault for what the kind can't have."""
        for part in self.kind.address:
            if not self._enter(part) and not (isinstance(part, On) and part.optional):
                raise LinkFault(f"puzzles of the kind `{self.kind.name}` can't be read from such an address")
        for name, what in DRAWN.items():
            if self.drawn.get(name) and name not in self.used:
                raise LinkFault(f"it has {what}, which the kind `{self.kind.name}` has no meaning for")
        return self.draft.board()

    def _enter(self, part: object) -> bool:
        """Enter what a part of the kind's addresses says; False for a part that is not read from a drawing."""
        if not isinstance(part, On):
            return False
        if part.code in COUNTED and part.places in (cells, corners, rooms) and not part.words:
            self._numbers(part)
        elif part.places is borders and part.code is BITS:
            self._borders(part.layer)
        elif part.code is TRIPLES and part.places is cells and len(part.words) == 2:
            self._circles(part.layer, part.words)
        else:
            return False
        return True

    def _numbers(self, part: On) -> None:
        layer = self.draft.layer(part.layer)
        if self.kind.name == "lightup":
            layer.update(dict.fromkeys(self._coloured(), SECRET))
        for place, entry in self._places("number", corner=part.places is corners):
            if str(entry[2:3]) != f"['{CANDIDATES}']" and (number := _number(entry)) is not None:
                layer[place] = number
        if part.places is rooms:
            self._at_home(layer)

    def _at_home(self, layer: dict[Place, Value]) -> None:
        """Move the number of each room to where links write it."""
        number = room_numbers(self.draft)
        first = {number[place[0], place[1]]: place for place in rooms(self.draft)}
        found = {first[number[place[0], place[1]]]: value for place, value in layer.items()}
        if len(found) < len(layer):
            raise LinkFault("one of its rooms has two numbers")
        layer.clear()
        layer.update(found)

    def _coloured(self) -> Iterator[Place]:
        for place, colour in self._places("surface"):
            if colour == [BLACK]:
                yield place

    def _circles(self, name: str, words: tuple[str, ...]) -> None:
        for place, entry in self._places("symbol"):
            style, shape = entry[0], str(entry[1]) if len(entry) > 1 else ""
            if not shape.startswith("circle") or style not in (1, 2):
                raise LinkFault(f"it has a symbol `{shortened(shape)}`, which is neither a white nor a black circle")
            self.draft.layer(name)[place] = words[style - 1]

    def _borders(self, name: str) -> None:
        self.used.add("edge")
        for key in self._entries("edge"):
            ends = key.split(",")
            if len(ends) != 2:  # a cross, which is a note
                continue
            a, b = sorted(self._point(end, 1) for end in ends)
            if (b[0] - a[0], b[1] - a[1]) not in ((0, 1), (1, 0)):
                raise LinkFault("it has a border that does not run along squares")
            pair = border_at(a, b)
            if all(is_cell(cell, self.draft) for cell in pair):
                self.draft.layer(name)[pair] = 1

    def _places(self, name: str, corner: bool = False) -> Iterator[tuple[Place, list[Any]]]:
        """The squares, or corners, at which something of this sort is drawn, and what."""
        self.used.add(name)
        for key, entry in self._entries(name).items():
            place = self._point(key, int(corner))
            high, wide = self.draft.height + corner, self.draft.width + corner
            if not (1 <= place[0] <= high and 1 <= place[1] <= wide):
                raise LinkFault(f"it has {DRAWN[name]} outside its board")
            found = entry if isinstance(entry, list) else [entry]
            if not found:
                raise LinkFault("what stands after `p=` is damaged")
            yield place, found

    def _entries(self, name: str) -> dict[str, Any]:
        found = self.drawn.get(name) or {}
        if not isinstance(found, dict):
            raise LinkFault("what stands after `p=` is damaged")
        return found

    def _point(self, key: str, sort: int) -> tuple[int, int]:
        """A square (sort 0) or corner (1) by its index."""
        if not re.fullmatch("[0-9]{1,9}", key):
            raise LinkFault("what stands after `p=` is damaged")
        found, at = divmod(int(key), self.wide * self.high)
        if found != sort:
            raise LinkFault("something of it stands neither in a square nor where this kind has it")
        r, c = divmod(at, self.wide)
        return r - AROUND - self.above + 1 + sort, c - AROUND - self.left + 1 + sort


def _number(entry: list[Any]) -> Value | None:
    """The number of an entry; None for an empty text, left where a number was removed, which in a circle is a clue
    without one."""
    said = str(entry[0]).strip()
    if not said:
        return SECRET if entry[1:2] in [[style] for style in RINGED] else None
    if said == "?":
        return SECRET
    if not re.fullmatch("[0-9]{1,6}", said):
        raise LinkFault(f"`{shortened(said)}` is no number")
    return int(said)


# --- A board as a drawing of penpa-edit: the way back of penpa.py, for what is read there -----------------------------
# Such an address holds what the page's editor keeps: lines of text, of which the first says the size, the fourth what
# is drawn as the puzzle, the sixth which squares belong to the board, and the eighteenth the kind of puzzle, as a list
# of tags; then raw deflate and base64. All lines up to the version are written, since the editor trusts that they are
# there; those between it and the tags may be empty. Words that it often needs have short names of two letters, which
# begin with a `z`; so a `z` in a text is written `zZ`.


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
    """The address of a board. Raises LinkFault for a kind or a board that such a drawing can't hold."""
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
