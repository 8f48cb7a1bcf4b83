"""The rules of squares to be shaded, each told anew: a board and what is shaded → whether that is right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import pairwise

from covr.links.inverse import cells_of
from tests.rules.sheet import (
    AHEAD,
    SECRET,
    WAYS,
    Cell,
    Filling,
    Sheet,
    apart,
    areas,
    around,
    beside,
    box,
    corners,
    joined,
    lengths,
    rectangle,
    runs,
    shape,
)  # fmt: skip

Dark = set[Cell]
Rule = Callable[[Sheet, Dark, Dark], bool]
SHADING: dict[str, Callable[[Sheet, Filling], bool]] = {}


def shaded(name: str) -> Callable[[Rule], Rule]:
    """A rule about the shaded squares and the others."""

    def entered(rule: Rule) -> Rule:
        def judged(s: Sheet, f: Filling) -> bool:
            dark = set(f["shaded"])
            return rule(s, dark, set(s.cells) - dark)

        SHADING[name] = judged
        return rule

    return entered


def _counted(s: Sheet, dark: Dark) -> bool:
    """Whether as many squares of each room are shaded as it says."""
    return all(len(room & dark) == n for room, n in s.asked())


def _no_clues(s: Sheet, dark: Dark) -> bool:
    return not dark & set(s.clue)


def _longest(s: Sheet, squares: Iterable[Cell]) -> int:
    kept = set(squares)
    return max([0, *[n for line in s.lines for n in lengths(line, kept)]])


def _straight_rooms(s: Sheet, light: Dark) -> bool:
    """Whether no straight run of squares reaches through three rooms."""
    found = [run for line in s.lines for run in runs(line, light)]
    return all(sum(s.room[x] != s.room[y] for x, y in pairwise(run)) < 2 for run in found)


def _ahead(s: Sheet, x: Cell, arrow: str) -> list[Cell]:
    return s.ray(x, AHEAD[arrow])


@shaded("aqre")
def _(s: Sheet, dark: Dark, light: Dark) -> bool:
    return _counted(s, dark) and joined(dark) and _longest(s, dark) < 4 and _longest(s, light) < 4


@shaded("aquapelago")
def _(s: Sheet, dark: Dark, light: Dark) -> bool:
    dark, light = dark | set(s.clue), light - set(s.clue)
    groups = {x: len(group) for group in areas(dark, (), corners) for x in group}
    return apart(dark) and joined(light) and not s.solid(light) and all(groups[x] == n for x, n in s.told.items())


@shaded("aquarium")
def _(s: Sheet, dark: Dark, light: Dark) -> bool:
    for x in dark:
        below = {y for y in s.rooms[s.room[x]] if y[0] >= x[0]}
        if "r" not in s.flag:
            below = next(area for area in areas(below) if x in area)
        if not below <= dark:
            return False
    return all(s.margin(k) in (None, SECRET, len(dark & set(line))) for k, line in enumerate(s.lines))


@shaded("bosnianroad")
def _(s: Sheet, dark: Dark, light: Dark) -> bool:
    near = {x: [y for y in beside(x) if y in dark] for x in dark}
    slanted = all(set(near[x]) & set(near[y]) for x in dark for y in corners(x) if y in dark)
    ring = bool(dark) and joined(dark) and all(len(ys) == 2 for ys in near.values())
    return ring and slanted and _no_clues(s, dark) and _around(s, dark)


def _around(s: Sheet, dark: Dark) -> bool:
    return all(sum(y in dark for y in around(x)) == n for x, n in s.told.items())


@shaded("mines")
def _(s: Sheet, dark: Dark, light: Dark) -> bool:
    return _no_clues(s, dark) and _around(s, dark)


@shaded("box")
def _(s: Sheet, dark: Dark, light: Dark) -> bool:
    sums = [sum(x[1 if k < s.high else 0] for x in line if x in dark) for k, line in enumerate(s.lines)]
    return bool(dark) and all(s.margin(k) in (None, total) for k, total in enumerate(sums))


@shaded("canal")
def _(s: Sheet, dark: Dark, light: Dark) -> bool:
    seen = all(s.seen(x, dark) == n for x, n in s.told.items())
    return _no_clues(s, dark) and joined(dark) and not s.solid(dark) and seen


@shaded("cave")
def _(s: Sheet, dark: Dark, light: Dark) -> bool:
    out = all(any(s.on_rim(x) for x in area) for area in areas(dark))
    return _no_clues(s, dark) and joined(light) and out and all(1 + s.seen(x, light) == n for x, n in s.told.items())


@shaded("cbanana")
def _(s: Sheet, dark: Dark, light: Dark) -> bool:
    both = areas(dark), areas(light)
    size = {x: len(area) for found in both for area in found for x in area}
    return (
        all(map(rectangle, both[0]))
        and not any(map(rectangle, both[1]))
        and all(size[x] == n for x, n in s.told.items())
    )


@shaded("chocona")
def _(s: Sheet, dark: Dark, light: Dark) -> bool:
    return _counted(s, dark) and all(map(rectangle, areas(dark)))


@shaded("context")
def _(s: Sheet, dark: Dark, light: Dark) -> bool:
    right = all(sum(y in dark for y in (corners(x) if x in dark else beside(x))) == n for x, n in s.told.items())
    return apart(dark) and joined(light) and right


@shaded("coral")
def _(s: Sheet, dark: Dark, light: Dark) -> bool:
    told = [(sorted(map(int, s.margins(k))), sorted(lengths(line, dark))) for k, line in enumerate(s.lines)]
    out = all(any(s.on_rim(x) for x in area) for area in areas(light))
    return joined(dark) and out and not s.solid(dark) and all(not asked or asked == found for asked, found in told)


@shaded("creek")
def _(s: Sheet, dark: Dark, light: Dark) -> bool:
    return joined(light) and _corners(s, dark)


def _corners(s: Sheet, dark: Dark) -> bool:
    """Whether numbers on corners count the shaded squares around them."""
    return all(sum((r - i, c - j) in dark for i in (0, 1) for j in (0, 1)) == n for (r, c), n in s.told.items())


@shaded("dominion")
def _(s: Sheet, dark: Dark, light: Dark) -> bool:
    if not all(len(area) == 2 for area in areas(dark)) or not _no_clues(s, dark):
        return False
    letters = [{s.told[x] for x in area & set(s.told)} for area in areas(light)]
    whole = Counter(n for found in letters for n in found)
    return all(len(found) == 1 for found in letters) and all(n == 1 for n in whole.values())


@shaded("heyawake")
def _(s: Sheet, dark: Dark, light: Dark) -> bool:
    return _counted(s, dark) and apart(dark) and joined(light) and _straight_rooms(s, light)


@shaded("heyablock")
def _(s: Sheet, dark: Dark, light: Dark) -> bool:
    zero = {min(room) for room, n in s.asked() if n == 0}
    blocks = all(joined(room & dark) and bool(room & dark) != (min(room) in zero) for room in s.rooms)
    foreign = any(x in dark and y in dark and s.room[x] != s.room[y] for x, y in s.pairs)
    return _counted(s, dark) and blocks and not foreign and joined(light) and _straight_rooms(s, light)


@shaded("hinge")
def _(s: Sheet, dark: Dark, light: Dark) -> bool:
    return _counted(s, dark) and all(_hinged(s, area) for area in areas(dark))


def _hinged(s: Sheet, area: Dark) -> bool:
    crossed = [(x, y) for x, y in s.pairs if x in area and y in area and s.room[x] != s.room[y]]
    upright = {(x[1], y[1]) for x, y in crossed if x[0] == y[0]}
    level = {(x[0], y[0]) for x, y in crossed if x[1] == y[1]}
    if len(upright) + len(level) != 1:
        return False
    along = sorted(x[0] if upright else x[1] for x, _ in crossed)
    if along != list(range(along[0], along[0] + len(along))):
        return False
    total = sum(next(iter(upright or level)))
    return area == ({(r, total - c) for r, c in area} if upright else {(total - r, c) for r, c in area})


@shaded("hitori")
def _(s: Sheet, dark: Dark, light: Dark) -> bool:
    left = [[s.clue[x] for x in line if x in light and x in s.clue] for line in s.lines]  # two `?` are equal, too
    return apart(dark) and joined(light) and all(len(found) == len(set(found)) for found in left)


def _beside_areas(s: Sheet, dark: Dark) -> bool:
    """Whether each number says how many squares the shaded areas beside it have together."""
    found = areas(dark)
    return all(sum(len(area) for area in found if area & set(beside(x))) == n for x, n in s.told.items())


@shaded("kurotto")
def _(s: Sheet, dark: Dark, light: Dark) -> bool:
    return bool(dark) and _no_clues(s, dark) and _beside_areas(s, dark)


@shaded("island")
def _(s: Sheet, dark: Dark, light: Dark) -> bool:
    return bool(dark) and _no_clues(s, dark) and _beside_areas(s, dark) and joined(dark | set(s.clue))


@shaded("kurochute")
def _(s: Sheet, dark: Dark, light: Dark) -> bool:
    hits = [[(r + n * i, c + n * j) for i, j in WAYS] for (r, c), n in s.told.items()]
    return _no_clues(s, dark) and apart(dark) and joined(light) and all(len(dark & set(shot)) == 1 for shot in hits)


@shaded("kurodoko")
def _(s: Sheet, dark: Dark, light: Dark) -> bool:
    seen = all(1 + s.seen(x, light) == n for x, n in s.told.items())
    return _no_clues(s, dark) and apart(dark) and joined(light) and seen


@shaded("lits")
def _(s: Sheet, dark: Dark, light: Dark) -> bool:
    parts = [room & dark for room in s.rooms]
    if not all(len(part) == 4 and joined(part) for part in parts) or s.solid(dark) or not joined(dark):
        return False
    shapes = [shape(part) for part in parts]
    return all(
        s.room[x] == s.room[y] or shapes[s.room[x]] != shapes[s.room[y]] for x, y in s.pairs if x in dark and y in dark
    )


@shaded("lookair")
def _(s: Sheet, dark: Dark, light: Dark) -> bool:
    found = areas(dark)
    if not all(rectangle(area) and box(area)[0] == box(area)[1] for area in found):
        return False
    size = {x: len(area) for area in found for x in area}
    facing = [pair for line in s.lines for pair in pairwise(x for x in line if x in dark)]
    seen = all(abs(x[0] - y[0]) + abs(x[1] - y[1]) == 1 or size[x] != size[y] for x, y in facing)
    return seen and all(sum(y in dark for y in (x, *beside(x))) == n for x, n in s.told.items())


@shaded("mannequin")
def _(s: Sheet, dark: Dark, light: Dark) -> bool:
    if not all(len(room & dark) == 2 for room in s.rooms) or not joined(light):
        return False
    between = [_steps(room, *sorted(room & dark)) - 1 for room in s.rooms]
    told = all(between[s.room[x]] == n for x, n in s.told.items())
    return told and all(between[i] != between[j] for i, j in s.touching())


def _steps(room: Dark, x: Cell, y: Cell) -> int:
    """How many steps lead from one square to another inside a room."""
    reached, count = {x}, 0
    while y not in reached:
        reached |= {z for w in reached for z in beside(w) if z in room}
        count += 1
    return count


def _rectangles(s: Sheet, dark: Dark, light: Dark) -> bool:
    """What mochikoro and mochinyoro have in common."""
    found = areas(light)
    told = all(
        len(area & set(s.clue)) <= 1 and all(s.told.get(x, len(area)) == len(area) for x in area) for area in found
    )
    return _no_clues(s, dark) and told and all(map(rectangle, found)) and joined(light, around) and not s.solid(dark)


@shaded("mochikoro")
def _(s: Sheet, dark: Dark, light: Dark) -> bool:
    return _rectangles(s, dark, light)


@shaded("mochinyoro")
def _(s: Sheet, dark: Dark, light: Dark) -> bool:
    return _rectangles(s, dark, light) and not any(map(rectangle, areas(dark)))


@shaded("nonogram")
def _(s: Sheet, dark: Dark, light: Dark) -> bool:
    told = [([n for n in s.margins(k) if n != 0], lengths(line, dark)) for k, line in enumerate(s.lines)]
    return all(asked in ([SECRET], found) for asked, found in told)


@shaded("norinori")
def _(s: Sheet, dark: Dark, light: Dark) -> bool:
    return all(len(room & dark) == 2 for room in s.rooms) and all(len(area) == 2 for area in areas(dark))


def _islands(s: Sheet, dark: Dark, light: Dark) -> bool:
    """Whether each area that is not shaded has one number, which says how many squares it has."""
    return _no_clues(s, dark) and all(
        len(area & set(s.clue)) == 1 and all(s.clue[x] in (SECRET, len(area)) for x in area & set(s.clue))
        for area in areas(light)
    )


@shaded("norinuri")
def _(s: Sheet, dark: Dark, light: Dark) -> bool:
    return all(len(area) == 2 for area in areas(dark)) and _islands(s, dark, light)


@shaded("nurikabe")
def _(s: Sheet, dark: Dark, light: Dark) -> bool:
    return _islands(s, dark, light) and joined(dark) and not s.solid(dark)


@shaded("nuribou")
def _(s: Sheet, dark: Dark, light: Dark) -> bool:
    found = areas(dark)
    size = {x: len(area) for area in found for x in area}
    slanted = all(size[x] != size[y] for x in dark for y in corners(x) if y in dark)
    return _islands(s, dark, light) and all(rectangle(area) and 1 in box(area) for area in found) and slanted


@shaded("nothree")
def _(s: Sheet, dark: Dark, light: Dark) -> bool:
    rows = [[x for x in line if x in dark] for line in s.lines]
    even = any(
        y[0] - x[0] + y[1] - x[1] == z[0] - y[0] + z[1] - y[1]
        for row in rows
        for x, y, z in zip(row, row[1:], row[2:], strict=False)
    )
    return (
        bool(dark)
        and apart(dark)
        and joined(light)
        and not even
        and all(len(dark & below(s, k)) == 1 for k in s.layer("circle"))
    )


def below(s: Sheet, k: Cell) -> Dark:
    """The squares that a mark at a place of half squares lies on."""
    return {(r, c) for r, c in s.cells if abs(2 * r - 1 - k[0]) <= 1 and abs(2 * c - 1 - k[1]) <= 1}


@shaded("nurimaze")
def _(s: Sheet, dark: Dark, light: Dark) -> bool:
    mark = s.layer("mark")
    whole = all(not room & dark or (room <= dark and not room & set(mark)) for room in s.rooms)
    between = [(x, y) for x, y in s.pairs if x in light and y in light]
    if not whole or not joined(light) or len(between) != len(light) - 1 or s.solid(dark) or s.solid(light):
        return False
    start, goal = sorted(x for x in mark if mark[x] in ("S", "G"))
    way = set(light)  # cut off dead ends until the way is left
    while dead := {x for x in way - {start, goal} if sum(y in way for y in beside(x)) < 2}:
        way -= dead
    return all((x in way) == (mark[x] == "o") for x in mark if mark[x] in ("o", "t"))


@shaded("nurimisaki")
def _(s: Sheet, dark: Dark, light: Dark) -> bool:
    near = {x: sum(y in light for y in beside(x)) for x in light}
    capes = all((near[x] == 1) == (x in s.clue) for x in light)
    seen = all(n > 1 and 1 + s.seen(x, light) == n for x, n in s.told.items())
    return _no_clues(s, dark) and joined(light) and capes and seen and not s.solid(dark) and not s.solid(light)


@shaded("shimaguni")
def _(s: Sheet, dark: Dark, light: Dark) -> bool:
    if not all(room & dark and joined(room & dark) for room in s.rooms) or not _counted(s, dark):
        return False
    foreign = any(x in dark and y in dark and s.room[x] != s.room[y] for x, y in s.pairs)
    return not foreign and all(len(s.rooms[i] & dark) != len(s.rooms[j] & dark) for i, j in s.touching())


@shaded("tapa")
def _(s: Sheet, dark: Dark, light: Dark) -> bool:
    return (
        _no_clues(s, dark)
        and joined(dark)
        and not s.solid(dark)
        and all(_tapa(dark, x, told) for x, told in s.clue.items())
    )


def _tapa(dark: Dark, x: Cell, told: object) -> bool:
    """Whether the runs of shaded squares around a clue are as long as it says."""
    ring = [(-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1)]
    places = [(x[0] + i, x[1] + j) for i, j in ring]
    gap = next((k for k, y in enumerate(places) if y not in dark), None)
    found = [8] if gap is None else lengths([*places[gap:], *places[:gap]], dark)
    asked = [n for n in told if n != 0]  # type: ignore[attr-defined]
    left = Counter(found)
    left.subtract([n for n in asked if n != SECRET])
    return len(asked) == len(found) and all(n >= 0 for n in left.values())


@shaded("tasquare")
def _(s: Sheet, dark: Dark, light: Dark) -> bool:
    found = areas(dark)
    some = all(any(y in dark for y in beside(x)) for x, n in s.clue.items() if n == SECRET)
    square = all(rectangle(area) and box(area)[0] == box(area)[1] for area in found)
    return _no_clues(s, dark) and square and joined(light) and some and _beside_areas(s, dark)


def _tetrominoes(s: Sheet, dark: Dark) -> bool:
    """Whether tetrominoes hang together by corners, with unlike shapes where two touch."""
    found = areas(dark)
    of = {x: shape(area) for area in found for x in area}
    number = {x: k for k, area in enumerate(found) for x in area}
    alike = any(of[x] == of[y] and number[x] != number[y] for x in dark for y in corners(x) if y in dark)
    return all(len(area) == 4 for area in found) and joined(dark, around) and not alike


@shaded("tetrochain")
def _(s: Sheet, dark: Dark, light: Dark) -> bool:
    told = [(x, *value) for x, value in s.clue.items()]  # type: ignore[misc]
    counted = all(not way or n == SECRET or sum(y in dark for y in _ahead(s, x, way)) == n for x, way, n in told)
    return _no_clues(s, dark) and _tetrominoes(s, dark) and counted


@shaded("tetrochaink")
def _(s: Sheet, dark: Dark, light: Dark) -> bool:
    marks = [(colour, len(below(s, k)), len(below(s, k) & dark)) for k, colour in s.layer("circle").items()]
    more = {"b": 1, "w": -1, "g": 0}
    return _tetrominoes(s, dark) and all((2 * n > m) - (2 * n < m) == more[str(colour)] for colour, m, n in marks)


@shaded("usoone")
def _(s: Sheet, dark: Dark, light: Dark) -> bool:
    if not _no_clues(s, dark) or not apart(dark) or not joined(light):
        return False
    wrong = {x for x, n in s.told.items() if sum(y in dark for y in beside(x)) != n}
    return all(len(room & wrong) == 1 for room in s.rooms)


@shaded("yajikazu")
def _(s: Sheet, dark: Dark, light: Dark) -> bool:
    told = [(x, *value) for x, value in s.clue.items() if x in light]  # type: ignore[misc]
    counted = all(not way or n == SECRET or sum(y in dark for y in _ahead(s, x, way)) == n for x, way, n in told)
    return apart(dark) and joined(light) and counted


@shaded("nondango")
def _(s: Sheet, dark: Dark, light: Dark) -> bool:
    circles = set(s.cells) - s.holes
    threes = [
        [(r + k * i, c + k * j) for k in range(3)] for r, c in circles for i, j in ((0, 1), (1, 0), (1, 1), (1, -1))
    ]
    alike = any(len(dark & set(three)) in (0, 3) for three in threes if set(three) <= circles)
    rooms = areas(s.cells, s.board.layer("border"))
    return all(len(room & dark) == 1 for room in rooms) and not alike and dark <= circles


def _nibunnogo(s: Sheet, f: Filling) -> bool:
    dark, light = [{x for x, v in f["shaded"].items() if v == k} for k in (1, 2)]
    if len(dark) + len(light) < len(s.cells):
        return False
    return all(len(area) <= 5 for area in (*areas(dark), *areas(light))) and _corners(s, dark)


def _juosan(s: Sheet, f: Filling) -> bool:
    bars = f["bar"]
    if len(bars) < len(s.cells):
        return False
    upright, level = [{x for x, v in bars.items() if v == k} for k in (1, 2)]
    long = [lengths(line, upright) for line in s.rows] + [lengths(line, level) for line in s.columns]
    counted = all(max(len(room & upright), len(room & level)) == n for room, n in s.asked())
    return counted and max([0, *[n for found in long for n in found]]) < 3


def _yinyang(s: Sheet, f: Filling) -> bool:
    printed = {x: "wb".index(str(v)) + 1 for x, v in s.clue.items()}
    of = {**printed, **f["number"]}
    white, black = [{x for x, v in of.items() if v == k} for k in (1, 2)]
    return len(of) == len(s.cells) and joined(white) and joined(black) and not s.solid(white) and not s.solid(black)


def _dosufuwa(s: Sheet, f: Filling) -> bool:
    up, down = [{x for x, v in f["ball"].items() if v == k} for k in (1, 2)]
    rises = all((r - 1, c) in up | s.holes or r == 1 for r, c in up)
    falls = all((r + 1, c) in down | s.holes or r == s.high for r, c in down)
    return rises and falls and all(len(room & up) == len(room & down) == 1 for room in s.rooms)


SHADING.update(nibunnogo=_nibunnogo, juosan=_juosan, yinyang=_yinyang, dosufuwa=_dosufuwa)


def _slanted(dark: Dark) -> bool:
    """Whether two squares that touch at a corner have a neighbour in common among them, each time."""
    return all(set(beside(x)) & set(beside(y)) & dark for x in dark for y in corners(x) if y in dark)


@shaded("snake")
def _(s: Sheet, dark: Dark, light: Dark) -> bool:
    near = {x: sum(y in dark for y in beside(x)) for x in dark}
    if not dark or not joined(dark) or max(near.values()) > 2 or min(near.values()) > 1 or not _slanted(dark):
        return False
    lines = all(s.margin(k) in (None, SECRET, len(dark & set(line))) for k, line in enumerate(s.lines))
    return lines and all(near.get(x) == {"w": 2, "b": 1}[str(m)] for x, m in s.clue.items())


@shaded("batten")
def _(s: Sheet, dark: Dark, light: Dark) -> bool:
    def chess(r: int, c: int) -> bool:
        a, b, d, e = ((r + i, c + j) in dark for i in (0, 1) for j in (0, 1))
        return a == e and b == d and a != b

    lines = all(s.margin(k) in (None, SECRET, len(dark & set(line))) for k, line in enumerate(s.lines))
    return lines and all(chess(*min(four)) == (max(four) in s.layer("mark")) for four in s.fours)


def _in_one(s: Sheet, dark: Dark) -> bool:
    """Whether what is shaded hangs together within each room, and by corners as a whole, but not across borders."""
    across = any(s.room[x] != s.room[y] for x, y in s.pairs if x in dark and y in dark)
    return not across and all(joined(room & dark) for room in s.rooms) and joined(dark, around)


@shaded("cocktail")
def _(s: Sheet, dark: Dark, light: Dark) -> bool:
    return _in_one(s, dark) and _counted(s, dark) and not s.solid(dark)


@shaded("martini")
def _(s: Sheet, dark: Dark, light: Dark) -> bool:
    white = {x for x, n in s.clue.items() if n != 0}
    counts = {x: len(area & white) for area in areas(light) for x in area}
    if dark & white or any(n == 0 and x not in dark for x, n in s.clue.items()):
        return False
    return _in_one(s, dark) and all(n in (0, SECRET, counts.get(x)) for x, n in s.clue.items())


def _bend(area: Dark) -> Cell | None:
    """Where an L bends; None for what is no L."""
    high, wide = box(area)
    found = [x for x in area if all(x[0] == y[0] or x[1] == y[1] for y in area)]
    return found[0] if len(area) == high + wide - 1 and min(high, wide) > 1 and len(found) == 1 else None


@shaded("sashikabe")
def _(s: Sheet, dark: Dark, light: Dark) -> bool:
    bends = {x: (_bend(area), len(area)) for area in areas(light) for x in area}
    if dark & set(s.clue) or not joined(dark) or s.solid(dark) or any(at is None for at, _ in bends.values()):
        return False
    for x, n in s.clue.items():
        if n in AHEAD:
            i, j = AHEAD[str(n)]
            if sum(y in light for y in beside(x)) != 1 or (x[0] + i, x[1] + j) not in light:
                return False
        elif n != SECRET and (bends[x][0] != x or n not in ("o", 0, bends[x][1])):
            return False
    return True


@shaded("anymino")
def _(s: Sheet, dark: Dark, light: Dark) -> bool:
    held = [room & dark for room in s.rooms]
    if s.solid(dark) or not joined(dark) or not all(part and joined(part) for part in held):
        return False
    touch = {k: {s.room[y] for x in part for y in beside(x) if y in dark} - {k} for k, part in enumerate(held)}
    alone = all(shape(held[k]) != shape(held[j]) for k, others in touch.items() for j in others)
    return alone and all(any(len(held[k]) == len(held[j]) for j in others) for k, others in touch.items())


def _retroships(s: Sheet, f: Filling) -> bool:
    dark = {*f["shaded"], *(x for x, n in s.clue.items() if n == SECRET)}
    ships = areas(dark)
    asked = sorted(shape(cells_of(piece)) for piece in s.board.layer("pieces")[()])  # type: ignore[union-attr]
    names = {0: 6, 1: 2, 2: 1, 4: 4, 8: 3, 5: 10, 9: 9, 6: 8, 10: 7}  # by the sides on which a ship goes on
    for x in dark:
        on = sum(1 << k for k, (i, j) in enumerate(((-1, 0), (1, 0), (0, -1), (0, 1))) if (x[0] + i, x[1] + j) in dark)
        if s.clue.get(x, SECRET) not in (SECRET, names.get(on, 5)):
            return False
    slanted = any(
        y in dark and not any(z in dark for z in ((x[0], y[1]), (y[0], x[1]))) for x in dark for y in corners(x)
    )
    return not slanted and sorted(map(shape, ships)) == asked


SHADING.update(retroships=_retroships)
