"""The rules of regions and of things to be placed, each told anew: a board and what is drawn → whether it is right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from covr.links.codes import BITS, Letters
from tests.rules.sheet import (
    AHEAD,
    SECRET,
    WAYS,
    Cell,
    Filling,
    Sheet,
    areas,
    around,
    beside,
    box,
    joined,
    linked,
    rectangle,
    shape,
)  # fmt: skip

Regions = list[set[Cell]]
REGIONS: dict[str, Callable[[Sheet, Filling], bool]] = {}


def cut(name: str, holes: Callable[[Sheet], set[Cell]] = lambda s: set(), printed: str = "") -> Any:
    """A rule about the regions that drawn lines make, and printed ones; no line may end inside a region."""

    def entered(rule: Callable[[Sheet, Regions], bool]) -> Any:
        def judged(s: Sheet, f: Filling) -> bool:
            walls = {*f["edge"], *(s.board.layer(printed) if printed else ())}
            none = holes(s)
            regions = areas(s.cells - none, walls)
            of = {x: k for k, region in enumerate(regions) for x in region}
            if any(x in of and y in of and of[x] == of[y] for x, y in walls):
                return False
            return rule(s, regions)

        REGIONS[name] = judged
        return rule

    return entered


def _touch(s: Sheet, regions: Regions) -> set[tuple[int, int]]:
    """The regions beside each other, two by two."""
    of = {x: k for k, region in enumerate(regions) for x in region}
    return {(of[x], of[y]) for x, y in s.pairs if x in of and y in of and of[x] != of[y]}


def _no_cross(s: Sheet, regions: Regions) -> bool:
    """Whether four regions never meet at a point."""
    return all(sum(bool(four & region) for region in regions) < 4 for four in s.fours)


def _one_clue(s: Sheet, regions: Regions) -> list[tuple[set[Cell], Any]] | None:
    """Each region with its only clue; None where one has none or more."""
    found = [(region, region & set(s.clue)) for region in regions]
    return None if any(len(x) != 1 for _, x in found) else [(region, s.clue[min(x)]) for region, x in found]


@cut("shikaku")
def _(s: Sheet, regions: Regions) -> bool:
    told = _one_clue(s, regions)
    return told is not None and all(rectangle(region) and n in (SECRET, len(region)) for region, n in told)


@cut("tatamibari")
def _(s: Sheet, regions: Regions) -> bool:
    told = _one_clue(s, regions)
    if told is None or not all(map(rectangle, regions)) or not _no_cross(s, regions):
        return False
    sign = [(box(region), n) for region, n in told]
    return all(n == SECRET or n == (1 if high > wide else 2 if wide > high else 3) for (high, wide), n in sign)


@cut("squarejam")
def _(s: Sheet, regions: Regions) -> bool:
    square = all(rectangle(region) and box(region)[0] == box(region)[1] for region in regions)
    return (
        square and _no_cross(s, regions) and all(box(r)[0] == n for r in regions for x, n in s.told.items() if x in r)
    )


def _sizes(s: Sheet, regions: Regions) -> bool:
    """What fillomino and its kin ask of sizes."""
    told = all(s.told.get(x, len(region)) == len(region) for region in regions for x in region)
    alike = any(len(regions[i]) == len(regions[j]) for i, j in _touch(s, regions))
    return told and not alike and ("t" not in s.flag or all(len(region) <= 3 for region in regions))


@cut("fillomino")
def _(s: Sheet, regions: Regions) -> bool:
    return _sizes(s, regions)


@cut("symmarea")
def _(s: Sheet, regions: Regions) -> bool:
    turned = all(region == _half_turn(region) for region in regions)
    return _sizes(s, regions) and turned


def _half_turn(region: set[Cell]) -> set[Cell]:
    rows, columns = [r for r, _ in region], [c for _, c in region]
    high, wide = min(rows) + max(rows), min(columns) + max(columns)
    return {(high - r, wide - c) for r, c in region}


@cut("araf")
def _(s: Sheet, regions: Regions) -> bool:
    for region in regions:
        told: list[Any] = [s.clue[x] for x in region & set(s.clue)]
        if len(told) != 2:
            return False
        a, b = told
        ways = [(low, high) for low, high in ((a, b), (b, a)) if low in (SECRET,) or low < len(region)]
        if not any(high == SECRET or len(region) < high for _, high in ways):
            return False
    return True


def _sevens(s: Sheet) -> set[Cell]:
    return {x for x, n in s.clue.items() if n == 7}


def _sides(s: Sheet, regions: Regions) -> bool:
    """Whether numbers count the lines round their squares."""
    of = {x: k for k, region in enumerate(regions) for x in region}
    return all(n == 7 or sum(of.get(y, -1) != of[x] for y in beside(x)) == n for x, n in s.told.items())


@cut("nawabari", _sevens)
def _(s: Sheet, regions: Regions) -> bool:
    clues = set(s.clue) - _sevens(s)
    return all(rectangle(region) and len(region & clues) == 1 for region in regions) and _sides(s, regions)


@cut("fourcells", _sevens)
def _(s: Sheet, regions: Regions) -> bool:
    return all(len(region) == 4 for region in regions) and _sides(s, regions)


@cut("fivecells", _sevens)
def _(s: Sheet, regions: Regions) -> bool:
    return all(len(region) == 5 for region in regions) and _sides(s, regions)


@cut("compass", lambda s: {x for x, n in s.clue.items() if n == "#"})
def _(s: Sheet, regions: Regions) -> bool:
    compasses = {x for x, n in s.clue.items() if n != "#"}
    for region in regions:
        if len(region & compasses) != 1:
            return False
        r, c = min(region & compasses)
        parts = [sum(test) for test in ([i < r for i, _ in region], [i > r for i, _ in region],
                                        [j < c for _, j in region], [j > c for _, j in region])]  # fmt: skip
        if any(n not in (SECRET, m) for n, m in zip(s.clue[r, c], parts, strict=True)):  # type: ignore[arg-type]
            return False
    return True


@cut("familyphoto")
def _(s: Sheet, regions: Regions) -> bool:
    told, circle = _one_clue(s, regions), set(s.layer("circle"))
    if told is None or not all(rectangle(region) and n in (SECRET, len(region & circle)) for region, n in told):
        return False
    return all(any({x, y} <= region for region in regions) for x, y in s.pairs if x in circle and y in circle)


@cut("fillmat")
def _(s: Sheet, regions: Regions) -> bool:
    mats = all(
        rectangle(region) and 1 in box(region) and len(region) <= 4 and len(region & set(s.clue)) <= 1
        for region in regions
    )
    told = all(s.told.get(x, len(region)) == len(region) for region in regions for x in region)
    return (
        mats
        and told
        and _no_cross(s, regions)
        and all(len(regions[i]) != len(regions[j]) for i, j in _touch(s, regions))
    )


@cut("heteromino", lambda s: set(s.layer("black")))
def _(s: Sheet, regions: Regions) -> bool:
    alike = any(shape(regions[i], False) == shape(regions[j], False) for i, j in _touch(s, regions))
    return all(len(region) == 3 for region in regions) and not alike


LETTERS = {"tetrominous": "ILOST", "pentominous": "FILNPTUVWXYZ"}
DRAWN = {
    "tetrominous": ("aaaa", "aaa a..", "aa aa", "aa. .aa", "aaa .a."),
    "pentominous": (
        ".aa aa. .a.", "aaaaa", "aaaa a...", "aaa. ..aa", "aa aa a.", "aaa .a. .a.", "a.a aaa", "a.. a.. aaa",
        "a.. aa. .aa",
        ".a. aaa .a.", "..a. aaaa", "aa. .a. .aa",
    ),
}  # fmt: skip
SHAPES = {
    name: {
        shape({(r, c) for r, row in enumerate(text.split()) for c, x in enumerate(row) if x == "a"}): letter
        for letter, text in zip(LETTERS[name], texts, strict=True)
    }
    for name, texts in DRAWN.items()
}


def _lettered(name: str, many: int) -> None:
    @cut(name, lambda s: {x for x, n in s.clue.items() if n == 12}, "border")
    def _(s: Sheet, regions: Regions) -> bool:
        if not all(len(region) == many for region in regions):
            return False
        names = [SHAPES[name][shape(region)] for region in regions]
        told = all(
            n == 12 or LETTERS[name][n] == names[k]
            for k, region in enumerate(regions)
            for x, n in s.told.items()
            if x in region
        )
        return told and all(names[i] != names[j] for i, j in _touch(s, regions))


_lettered("tetrominous", 4)
_lettered("pentominous", 5)


@cut("tentaisho", lambda s: {((i + 1) // 2, (j + 1) // 2) for i, j in s.layer("hole")})
def _(s: Sheet, regions: Regions) -> bool:
    stars = s.layer("star").keys() - s.layer("hole").keys()  # a star in the middle of a hole is none, as on puzz.link
    for region in regions:
        inside = [
            k
            for k in stars
            if {(r, c) for r, c in s.cells if abs(2 * r - 1 - k[0]) <= 1 and abs(2 * c - 1 - k[1]) <= 1} & region
        ]
        if len(inside) != 1:
            return False
        i, j = inside[0]
        if {(i + 1 - r, j + 1 - c) for r, c in region} != region:
            return False
    under = [{(r, c) for r, c in s.cells if abs(2 * r - 1 - i) <= 1 and abs(2 * c - 1 - j) <= 1} for i, j in stars]
    return all(any(squares <= region for region in regions) for squares in under)


@cut("voxas", printed="mark")
def _(s: Sheet, regions: Regions) -> bool:
    of = {x: region for region in regions for x in region}
    if not all(rectangle(region) and 1 in box(region) and 2 <= len(region) <= 3 for region in regions):
        return False
    for (x, y), mark in s.board.layer("mark").items():
        size, way = len(of[x]) == len(of[y]), (box(of[x])[0] == 1) == (box(of[y])[0] == 1)
        if mark != 0 and (size, way).count(True) != {1: 0, 2: 1, 3: 2}[mark]:  # type: ignore[index]
            return False
    return "t" not in s.flag or _no_cross(s, regions)


@cut("yajitatami", printed="border")
def _(s: Sheet, regions: Regions) -> bool:
    if not all(rectangle(region) and 1 in box(region) and len(region) > 1 for region in regions) or not _no_cross(
        s, regions
    ):
        return False
    of = {x: k for k, region in enumerate(regions) for x in region}
    for x, (arrow, n) in s.clue.items():  # type: ignore[misc]
        if n == SECRET:
            continue
        way = [x, *s.ray(x, AHEAD[str(arrow)])] if arrow else []
        if len(regions[of[x]]) != n or (arrow and sum(of[y] != of[z] for y, z in pairwise(way)) != n):
            return False
    return True


@cut("patchwork")
def _(s: Sheet, regions: Regions) -> bool:
    return all(rectangle(region) and box(region)[0] == box(region)[1] for region in regions)


_squares = REGIONS["patchwork"]


def _patchwork(s: Sheet, f: Filling) -> bool:
    dark = set(f["shaded"])
    if not _squares(s, f) or dark & set(s.clue):
        return False
    regions = areas(s.cells, set(f["edge"]))
    unlike = all(x in s.clue or y in s.clue or (x in dark) != (y in dark) for x, y in f["edge"])
    return unlike and all(len(region & dark) == n for region in regions for x, n in s.told.items() if x in region)


@cut("triplace", lambda s: set(s.layer("black")))
def _(s: Sheet, regions: Regions) -> bool:
    if not all(len(region) == 3 for region in regions):
        return False
    black = set(s.layer("black"))
    straight = [region for region in regions if 1 in box(region)]
    for layer, way in (("across", (0, 1)), ("down", (1, 0))):
        for place, n in s.layer(layer).items():
            run = []
            for x in s.ray(place, way):
                if x in black:
                    break
                run.append(x)
            if run and sum(bool(region & set(run)) for region in straight) != n:
                return False
    return True


# --- things ---


def _aligned(s: Sheet, f: Filling) -> bool:
    star = set(f["shaded"])
    k: Any = s.layer("stars")[()]  # type: ignore[index]
    parts = [set(line) for line in s.lines] + s.rooms
    return all(len(star & part) == k for part in parts) and not any(y in star for x in star for y in around(x))


def _tents(s: Sheet, f: Filling) -> bool:
    tent, tree = set(f["tent"]), set(s.layer("tree"))
    if len(tent) != len(tree) or tent & tree or any(y in tent for x in tent for y in around(x)):
        return False
    if any(s.margin(k) not in (None, SECRET, len(tent & set(line))) for k, line in enumerate(s.lines)):
        return False
    return _matched(sorted(tree), tent)


def _matched(trees: list[Cell], tents: set[Cell]) -> bool:
    """Whether each tree can have a tent of its own."""
    if not trees:
        return True
    return any(_matched(trees[1:], tents - {x}) for x in beside(trees[0]) if x in tents)


SHIP_PARTS = ("~", "up", "down", "left", "right", "middle", "whole")


def _pieces(s: Sheet) -> Counter[object]:
    """The pieces that are asked for, by their shapes."""
    found = []
    for piece in s.layer("pieces")[()]:  # type: ignore[index,union-attr]
        wide, high = int(piece[0], 36), int(piece[1], 36)
        bits = BITS.read(Letters(piece[2:]), wide * high)
        found.append(shape({divmod(k, wide) for k, bit in enumerate(bits) if bit}))
    return Counter(found)


def _battleship(s: Sheet, f: Filling) -> bool:
    dark = set(f["shaded"]) | {x for x, n in s.clue.items() if n != 0}
    if dark & {x for x, n in s.clue.items() if n == 0}:
        return False
    ships = areas(dark, (), around)
    if not all(rectangle(ship) and 1 in box(ship) for ship in ships) or Counter(map(shape, ships)) != _pieces(s):
        return False
    for x, n in s.told.items():
        near = [y in dark for y in ((x[0] - 1, x[1]), (x[0] + 1, x[1]), (x[0], x[1] - 1), (x[0], x[1] + 1))]
        up, down, left, right = near
        part = {
            (0, 1, 0, 0): 1,
            (1, 0, 0, 0): 2,
            (0, 0, 0, 1): 3,
            (0, 0, 1, 0): 4,
            (1, 1, 0, 0): 5,
            (0, 0, 1, 1): 5,
            (0, 0, 0, 0): 6,
        }
        if n and part.get((int(up), int(down), int(left), int(right))) != n:
            return False
    return all(s.margin(k) in (None, SECRET, len(dark & set(line))) for k, line in enumerate(s.lines))


def _statues(s: Sheet, f: Filling) -> bool:
    dark = set(f["shaded"])
    white, black = [{x for x, n in s.clue.items() if n == m} for m in "wb"]
    return (
        Counter(map(shape, areas(dark))) == _pieces(s) and joined(s.cells - dark) and black <= dark and not white & dark
    )


def _pentopia(s: Sheet, f: Filling) -> bool:
    dark = set(f["shaded"])
    found = areas(dark, (), around)
    if any(n > _pieces(s)[name] for name, n in Counter(map(shape, found)).items()) or not all(map(joined, found)):
        return False
    for x, n in s.told.items():
        if "t" not in s.flag and x in dark:
            return False
        far = [next((k for k, y in enumerate(s.ray(x, AHEAD[way]), 1) if y in dark), 99) for way in "^v<>"]
        if n and {k for k in range(4) if far[k] == min(far) < 99} != {k for k in range(4) if n >> k & 1}:
            return False
    return "t" in s.flag or not dark & set(s.clue)


def _lamps(s: Sheet, f: Filling) -> bool:
    lamp, black = set(f["shaded"]), set(s.clue)
    lit: set[Cell] = set()
    for x in lamp:
        for way in WAYS:
            for y in s.ray(x, way):
                if y in black:
                    break
                if y in lamp:
                    return False
                lit.add(y)
    counted = all(sum(y in lamp for y in beside(x)) == n for x, n in s.told.items())
    return counted and not lamp & black and lit | lamp == s.cells - black


# Each square as four triangles: up, right, down, left; the halves that are black, by their signs.
HALVES = {"◣": {"left", "down"}, "◢": {"right", "down"}, "◥": {"right", "up"}, "◤": {"left", "up"}}
TURNS = ("up", "right", "down", "left")


def _shakashaka(s: Sheet, f: Filling) -> bool:
    half: Any = f["half"]
    if set(half) & set(s.clue) or not all(sum(y in half for y in beside(x)) == n for x, n in s.told.items()):
        return False
    white = {(x, t) for x in s.cells - set(s.clue) for t in TURNS if x not in half or t not in HALVES[half[x]]}
    left = set(white)
    while left:
        part, waiting = set(), [left.pop()]
        while waiting:
            x, t = at = waiting.pop()
            part.add(at)
            k = TURNS.index(t)
            r, c = x
            over = {"up": (r - 1, c), "right": (r, c + 1), "down": (r + 1, c), "left": (r, c - 1)}[t]
            for other in ((x, TURNS[k - 1]), (x, TURNS[(k + 1) % 4]), (over, TURNS[(k + 2) % 4])):
                if other in left:
                    left.remove(other)
                    waiting.append(other)
        if not _white_rectangle(part):
            return False
    return True


def _white_rectangle(part: set[tuple[Cell, str]]) -> bool:
    """Whether triangles fill a rectangle, upright or tilted: as many as the smallest one around them holds."""
    corner = {"up": ((0, 0), (0, 2)), "right": ((0, 2), (2, 2)), "down": ((2, 2), (2, 0)), "left": ((2, 0), (0, 0))}
    points = {(2 * r + i, 2 * c + j) for (r, c), t in part for i, j in (*corner[t], (1, 1))}
    upright = [[p[k] for p in points] for k in (0, 1)]
    tilted = [[p[0] + p[1] for p in points], [p[0] - p[1] for p in points]]
    # A triangle has one unit of area in these coordinates, and a square of one by one two in the tilted ones.
    areas_ = [(max(a) - min(a)) * (max(b) - min(b)) for a, b in (upright, tilted)]
    return len(part) in (areas_[0], areas_[1] / 2)


REGIONS.update(
    patchwork=_patchwork, starbattle=_aligned, tents=_tents, battleship=_battleship, statuepark=_statues,
    pentopia=_pentopia,
    lightup=_lamps, shakashaka=_shakashaka,
)  # fmt: skip


def _tachibk(s: Sheet, f: Filling) -> bool:
    wide = s.wide // 2
    middle = {p for p in s.pairs if p[0][1] == wide and p[1][1] == wide + 1}
    regions = s.regions(set(f["edge"]) | middle)
    if middle & set(f["edge"]) or regions is None:
        return False
    told = all(s.clue.get(x, SECRET) in (SECRET, len(region)) for region in regions for x in region)
    blocks = [sorted(shape(region) for region in regions if (min(c for _, c in region) > wide) == k) for k in (0, 1)]
    size = {x: len(region) for region in regions for x in region}
    apart = all(size[r, c] != size[r, c + wide] for r, c in s.cells if c <= wide)
    return told and blocks[0] == blocks[1] and apart


def _edamame(s: Sheet, f: Filling) -> bool:
    circles, lines = set(f["circle"]), set(f["line"])
    bars = linked(lines)
    long = all(1 in box(bar) and len(bar & circles) == 3 for bar in bars)
    tips = {x for bar in bars for x in (min(bar), max(bar))}
    under = {x for bar in bars for x in bar}
    counted = all(sum(y in circles for y in beside(x)) == n for x, n in s.told.items())
    apart = not under & set(s.clue) and circles <= under and tips <= circles and set(f["end"]) == tips
    return long and counted and apart and joined(s.cells - under)


REGIONS.update(tachibk=_tachibk, edamame=_edamame)
