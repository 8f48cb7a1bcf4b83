"""The rules of numbers and signs in squares, each told anew: a board and what is written → whether that is right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from itertools import pairwise
from math import prod
from typing import Any

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
    ends,
    joined,
    pair,
    runs,
)  # fmt: skip

Written = Mapping[Cell, int]
Rule = Callable[[Sheet, dict[Cell, int]], bool]
NUMBERS: dict[str, Callable[[Sheet, Filling], bool]] = {}


def written(*names: str, full: bool = True) -> Callable[[Rule], Rule]:
    """A rule about numbers, printed and written. full: a number stands in each square that is none without one."""

    def entered(rule: Rule) -> Rule:
        def judged(s: Sheet, f: Filling) -> bool:
            number = {**s.told, **f["number"]}  # type: ignore[dict-item]
            if full and len(number) < len(s.cells):
                return False
            return rule(s, number)  # type: ignore[arg-type]

        NUMBERS.update(dict.fromkeys(names, judged))
        return rule

    return entered


def _each_once(s: Sheet, number: Written) -> bool:
    """Whether each room of n squares holds 1 to n."""
    return all(sorted(number[x] for x in room) == [*range(1, len(room) + 1)] for room in s.rooms)


def _unlike(s: Sheet, number: Written, touch: Any = beside) -> bool:
    """Whether equal numbers do not touch."""
    return not any(number[x] == number.get(y) for x in number for y in touch(x))


def _latin(s: Sheet, number: Mapping[Cell, object]) -> bool:
    """Whether no line holds a number twice."""
    return all(len({number[x] for x in line if x in number}) == sum(x in number for x in line) for line in s.lines)


def _square(s: Sheet, number: Written) -> bool:
    """Whether numbers are a Latin square, or a part of one whose side is the longer side of the board."""
    return _latin(s, number) and set(number.values()) <= {*range(1, max(s.high, s.wide) + 1)}


@written("ripple")
def _(s: Sheet, number: Written) -> bool:
    far = all(abs(x[0] - y[0]) + abs(x[1] - y[1]) > number[x] for line in s.lines for x in line for y in line
              if x < y and number[x] == number[y])  # fmt: skip
    return _each_once(s, number) and far


@written("suguru")
def _(s: Sheet, number: Written) -> bool:
    return _each_once(s, number) and _unlike(s, number, around)


@written("meander")
def _(s: Sheet, number: Written) -> bool:
    steps = [sorted(room, key=number.__getitem__) for room in s.rooms]
    return (
        _each_once(s, number)
        and _unlike(s, number, around)
        and all(y in beside(x) for path in steps for x, y in pairwise(path))
    )


@written("cojun")
def _(s: Sheet, number: Written) -> bool:
    falls = all(number[x] > number[y] for x, y in s.pairs if x[1] == y[1] and s.room[x] == s.room[y])
    return _each_once(s, number) and _unlike(s, number) and falls


@written("kazunori")
def _(s: Sheet, number: Written) -> bool:
    twice = all(sorted(number[x] for x in room) == sorted([*range(1, len(room) // 2 + 1)] * 2) for room in s.rooms)
    if not twice or any(len({number[x] for x in four}) == 1 for four in s.fours):
        return False
    mates = all(any(number.get(y) == n and s.room[y] == s.room[x] for y in beside(x)) for x, n in number.items())
    return mates and all(n in (0, SECRET, number[x] + number[y]) for (x, y), n in s.layer("sum").items())


@written("renban")
def _(s: Sheet, number: Written) -> bool:
    if min(number.values()) < 1:
        return False
    in_order = all(
        sorted(number[x] for x in room) == [*range(low := min(number[x] for x in room), low + len(room))]
        for room in s.rooms
    )
    return in_order and all(abs(number[x] - number[y]) == _length(s, x, y) for x, y in s.board.layer("border"))


def _length(s: Sheet, x: Cell, y: Cell) -> int:
    """How long the straight line is of which the border between two squares is a part."""
    walls, i, j = s.board.layer("border"), y[1] - x[1], y[0] - x[0]  # the way along the line
    count = 1
    for sign in (1, -1):
        k = 1
        while ((x[0] + sign * k * i, x[1] + sign * k * j), (y[0] + sign * k * i, y[1] + sign * k * j)) in walls:
            k, count = k + 1, count + 1
    return count


@written("simplegako")
def _(s: Sheet, number: Written) -> bool:
    return all(sum(n == m for y, m in number.items() if x[0] == y[0] or x[1] == y[1]) == n for x, n in number.items())


@written("kropki")
def _(s: Sheet, number: Written) -> bool:
    dot = s.layer("dot")

    def fits(sign: object, a: int, b: int) -> bool:
        one, two = abs(a - b) == 1, a == 2 * b or b == 2 * a
        return one if sign == "o" else two if sign == "*" else not one and not two

    return _square(s, number) and all(fits(dot.get((x, y)), number[x], number[y]) for x, y in s.pairs)  # type: ignore[arg-type]


@written("minarism")
def _(s: Sheet, number: Written) -> bool:
    def fits(sign: object, a: int, b: int) -> bool:
        return a < b if sign == "less" else a > b if sign == "more" else sign in (0, SECRET, abs(a - b))

    signs = s.layer("sign")
    return _square(s, number) and all(fits(sign, number[x], number[y]) for (x, y), sign in signs.items())  # type: ignore[misc,index]


def _factors(s: Sheet, f: Filling) -> bool:
    number: Any = f["number"]
    if len(number) < len(s.cells):
        return False
    return _square(s, number) and all(prod(number[x] for x in room) == n for room, n in s.asked())


@written("sudoku")
def _(s: Sheet, number: Written) -> bool:
    box = {1: 1, 4: 2}[s.high]
    boxes = [
        {number[x] for x in s.cells if (x[0] - 1) // box == i and (x[1] - 1) // box == j}
        for i in range(box)
        for j in range(box)
    ]
    return _square(s, number) and all(len(found) == s.high for found in boxes)


SIDES = {"left": (0, 1), "top": (1, 0), "right": (0, -1), "bottom": (-1, 0)}


def _views(s: Sheet) -> list[tuple[list[Cell], Any]]:
    """Each line as it is seen from a side with a number there, and the number."""
    return [(s.ray(place, way), value) for place, value in s.layer("margin").items() for way in WAYS  # type: ignore[misc]
            if (place[0] + way[0], place[1] + way[1]) in s.cells and value != SECRET]  # fmt: skip


@written("skyscrapers")
def _(s: Sheet, number: Written) -> bool:
    def seen(line: list[Cell]) -> int:
        return sum(all(number[x] < number[y] for x in line[:k]) for k, y in enumerate(line))

    return _square(s, number) and all(seen(line) == n for line, n in _views(s))


@written("easyasabc", full=False)
def _(s: Sheet, number: Written) -> bool:
    most = s.layer("most")[()]  # type: ignore[index]
    once = all(sorted(number[x] for x in line if x in number) == [*range(1, most + 1)] for line in s.lines)  # type: ignore[operator]
    first = [(next((number[x] for x in line if x in number), None), n) for line, n in _views(s)]
    return once and all(found == n for found, n in first)


def _margins_between(s: Sheet, f: Filling) -> bool:
    number: Any = {**s.told, **f["number"]}
    dark = set(f["shaded"])
    if dark & set(number) or len(dark | set(number)) < len(s.cells) or dark & set(s.clue):
        return False
    for k, line in enumerate(s.lines):
        shaded = [at for at, x in enumerate(line) if x in dark]
        if len(shaded) != 2 or {number[x] for x in line if x in number} != {*range(1, len(line) - 1)}:
            return False
        if s.margin(k) not in (None, SECRET, sum(number[x] for x in line[shaded[0] + 1 : shaded[1]])):
            return False
    return True


def _sums(s: Sheet, f: Filling) -> bool:
    number: Any = {**s.told, **f["number"]}
    dark = set(f["shaded"])
    most: Any = s.layer("most")[()]  # type: ignore[index]
    if dark & set(number) or dark & set(s.clue) or len(dark | set(number)) < len(s.cells) or not _latin(s, number):
        return False
    told = [
        (s.margins(k), [sum(number[x] for x in run) for run in runs(line, number)]) for k, line in enumerate(s.lines)
    ]
    fits = all(not asked or (len(asked) == len(found) and all(n in (SECRET, m) for n, m in zip(asked, found)))  # noqa: B905
               for asked, found in told)  # fmt: skip
    return fits and set(number.values()) <= {*range(1, most + 1)}


def _kakuro(s: Sheet, f: Filling) -> bool:
    number: Any = f["number"]
    black = set(s.layer("black"))
    if set(number) != s.cells - black:
        return False
    for layer, lines, back in (("across", s.rows, (0, 1)), ("down", s.columns, (1, 0))):
        told = s.layer(layer)
        for run in [run for line in lines for run in runs(line, number)]:
            digits = [number[x] for x in run]
            start = (run[0][0] - back[0], run[0][1] - back[1])
            if len(set(digits)) < len(digits) or told.get(start, sum(digits)) != sum(digits):
                return False
    return True


def _clues_apart(s: Sheet, f: Filling) -> dict[Cell, int] | None:
    """What is written, if each square without a clue holds a number and no other does."""
    number: Any = dict(f["number"])
    return number if set(number) == s.cells - set(s.clue) else None


def _kakuru(s: Sheet, f: Filling) -> bool:
    number = _clues_apart(s, f)
    if number is None or not _unlike(s, number, around):
        return False
    told = {x: [number[y] for y in around(x) if y in number] for x, n in s.clue.items() if n != "#"}
    return all(len(set(found)) == len(found) and s.clue[x] in (SECRET, sum(found)) for x, found in told.items())


def _numrope(s: Sheet, f: Filling) -> bool:
    number = _clues_apart(s, f)
    if number is None or not _unlike(s, number) or not set(number.values()) <= {*range(1, 10)}:
        return False
    ropes = set(s.board.layer("rope"))
    count = ends(ropes)  # type: ignore[arg-type]
    for rope in areas(number, {pair(x, y) for x, y in s.pairs} - ropes):
        way = sorted(rope, key=number.__getitem__)
        if len(rope) > 1 and not all(number[y] == number[x] + 1 and pair(x, y) in ropes for x, y in pairwise(way)):
            return False
    return max(count.values(), default=0) < 3 and _beside_sums(s, number)


def _beside_sums(s: Sheet, number: Written) -> bool:
    return all(sum(number.get(y, 0) for y in beside(x)) == n for x, n in s.told.items())


def _sananko(s: Sheet, f: Filling) -> bool:
    number: Any = f["number"]
    groups = [areas({x for x in number if number[x] == n}) for n in (1, 2, 3)]
    three = all(len(group) == 3 for found in groups for group in found)
    return (
        not set(number) & set(s.clue)
        and three
        and sum(map(len, groups)) == len(areas(number))
        and _beside_sums(s, number)
    )


@written("bosanowa", full=False)
def _(s: Sheet, number: Written) -> bool:
    circles = s.cells - s.holes
    if set(number) != circles or 0 in number.values():
        return False
    return all(sum(abs(n - number[y]) for y in beside(x) if y in number) == n for x, n in number.items())


@written("nanro", full=False)
def _(s: Sheet, number: Written) -> bool:
    right = all(
        (n := {number[x] for x in room if x in number}) == {sum(x in number for x in room)} and n for room in s.rooms
    )
    unlike = not any(number.get(x) == number.get(y, -1) and s.room[x] != s.room[y] for x, y in s.pairs)
    return right and unlike and set(s.clue) <= set(number) and joined(number) and not s.solid(number)


def _neighbours(s: Sheet, number: Written) -> bool:
    """What sukoro and sukororoom have in common."""
    counts = all(sum(y in number for y in beside(x)) == n for x, n in number.items())
    right = set(number.values()) <= {1, 2, 3, 4}
    return bool(number) and right and counts and joined(number) and set(s.clue) <= set(number)


@written("sukoro", full=False)
def _(s: Sheet, number: Written) -> bool:
    return _neighbours(s, number) and _unlike(s, number)


@written("sukororoom", full=False)
def _(s: Sheet, number: Written) -> bool:
    full = all(
        len({number.get(x, -k) for k, x in enumerate(room)}) == len(room) or not room & set(number) for room in s.rooms
    )
    return _neighbours(s, number) and full and all(room <= set(number) or not room & set(number) for room in s.rooms)


@written("hakoiri", full=False)
def _(s: Sheet, number: Written) -> bool:
    each = all(sorted(number[x] for x in room if x in number) == [1, 2, 3] for room in s.rooms)
    return each and _unlike(s, number, around) and joined(number) and set(s.clue) <= set(number)


@written("view", full=False)
def _(s: Sheet, number: Written) -> bool:
    seen = all(s.seen(x, s.cells - set(number)) == n for x, n in number.items())
    return seen and joined(number) and _unlike(s, number) and set(s.clue) <= set(number)


@written("news", full=False)
def _(s: Sheet, number: Written) -> bool:
    cross = {x for x in s.clue if s.clue[x] == SECRET}
    if cross & set(number) or not _latin(s, number) or ("n" in s.flag and not joined(s.cells - set(number))):
        return False
    for room in s.rooms:
        here = sorted(room & set(number))
        if len(here) != 2:
            return False
        for x, y in (here, here[::-1]):
            if not (x[0] < y[0], x[0] > y[0], x[1] < y[1], x[1] > y[1])[number[x] - 1]:
                return False
    return True


def _magnets(s: Sheet, f: Filling) -> bool:
    pole: Any = {**s.clue, **f["number"]}
    if set(pole) & s.holes:
        return False
    for room in s.rooms:
        here = sorted(room & set(pole))
        if len(here) == len(room) == 1:
            continue  # a half of a magnet
        if here and not (len(here) == 2 and here[1] in beside(here[0]) and {pole[x] for x in here} == {"+", "-"}):
            return False
    if any(
        s.room[x] != s.room[y] and (pole[x] == pole[y]) == ("a" not in s.flag)
        for x, y in s.pairs
        if x in pole and y in pole
    ):
        return False
    margin = s.board.layer("margin")
    for (r, c), n in margin.items():
        line = [x for x in pole if (x[0] == r if c < 1 else x[1] == c)]
        sign = "+" if min(r, c) == -1 else "-"
        if n != SECRET and sum(pole[x] == sign for x in line) != n:
            return False
    return True


# --- arrows ---

ARROWS = {1: "^", 2: "v", 3: "<", 4: ">"}
BACK = {"^": "v", "v": "^", "<": ">", ">": "<"}


def _pairs(s: Sheet, arrow: Mapping[Cell, str], black: set[Cell]) -> list[tuple[Cell, Cell]] | None:
    """The pairs of arrows that look at each other over squares without one; None if some arrow has no partner."""
    found = []
    for x, way in arrow.items():
        y = next((y for y in s.ray(x, AHEAD[way]) if y in arrow or y in black), None)
        if y is None or y in black or arrow[y] != BACK[way]:
            return None
        found.append((x, y))
    return found


def _between(x: Cell, y: Cell) -> list[Cell]:
    """The squares between two of a line."""
    (r, c), (i, j) = sorted((x, y))
    return [(r, k) for k in range(c + 1, j)] if r == i else [(k, c) for k in range(r + 1, i)]


def _toichika(s: Sheet, f: Filling) -> bool:
    arrow = {x: ARROWS[int(n)] for x, n in {**s.told, **f["number"]}.items()}  # type: ignore[arg-type]
    found = _pairs(s, arrow, set())
    if found is None or set(s.clue) - set(arrow) or not all(len(room & set(arrow)) == 1 for room in s.rooms):
        return False
    touching = s.touching()
    return all(tuple(sorted((s.room[x], s.room[y]))) not in touching for x, y in found)


def _toichika2(s: Sheet, f: Filling) -> bool:
    number: Any = f["number"]
    if not all(len(room & set(number)) == 1 for room in s.rooms):
        return False
    if not all(number[next(iter(room & set(number)))] == n for room, n in s.asked()):
        return False
    touching, mates = s.touching(), Counter(x for x in number)
    for x, n in number.items():
        ahead = [s.ray(x, way) for way in WAYS]
        found = [ray[n] for ray in ahead if len(ray) > n and number.get(ray[n]) == n and not set(ray[:n]) & set(number)]
        found = [y for y in found if tuple(sorted((s.room[x], s.room[y]))) not in touching]
        if not found:
            return False
        mates[x] = len(found)
    return True


def _yajirushi(s: Sheet, f: Filling) -> bool:
    black = {x for x in s.clue if s.clue[x] == SECRET}
    arrow = {x: ARROWS[int(n)] for x, n in {**s.told, **f["number"]}.items()}  # type: ignore[arg-type]
    found = _pairs(s, arrow, black)
    if found is None or set(f["number"]) & black or not all(_between(x, y) for x, y in found):
        return False
    return s.cells - black == {*arrow, *(z for x, y in found for z in _between(x, y))}


def _yajirushi2(s: Sheet, f: Filling) -> bool:
    arrow = {x: ARROWS[int(n)] for x, n in f["number"].items()}  # type: ignore[arg-type]
    found = _pairs(s, arrow, set(s.clue))
    if found is None or set(arrow) & set(s.clue) or not all(_between(x, y) for x, y in found):
        return False
    counted = all(sum(y in arrow for y in beside(x)) == n for x, n in s.told.items())
    return counted and joined(s.cells - set(arrow) - set(s.clue))


def _roma(s: Sheet, f: Filling) -> bool:
    rome = {x for x, n in s.told.items() if n == 5}
    arrow = {x: ARROWS[int(n)] for x, n in {**s.told, **f["number"]}.items() if n != 5}  # type: ignore[arg-type]
    if set(arrow) | rome != s.cells or not all(
        len({arrow[x] for x in room - rome}) == len(room - rome) for room in s.rooms
    ):
        return False
    for x in arrow:
        for _ in s.cells:
            x = x if x in rome else (x[0] + AHEAD[arrow[x]][0], x[1] + AHEAD[arrow[x]][1])
            if x not in s.cells:
                return False
        if x not in rome:
            return False
    return True


NUMBERS.update(
    factors=_factors, doppelblock=_margins_between, japanesesums=_sums, kakuro=_kakuro, kakuru=_kakuru,
    numrope=_numrope,
    sananko=_sananko, magnets=_magnets, toichika=_toichika, toichika2=_toichika2, yajirushi=_yajirushi,
    yajirushi2=_yajirushi2, roma=_roma,
)  # fmt: skip


@written("lollipops", full=False)
def _(s: Sheet, number: Written) -> bool:
    for x, y in map(sorted, areas(number)) if all(len(area) == 2 for area in areas(number)) else [((0, 0), (0, 0))]:
        if sorted((number.get(x, 0), number.get(y, 0))) != [1, 2 if x[1] == y[1] else 3]:
            return False
    signs = [[number[x] for x in line if x in number] for line in s.lines]
    return not any(a == b for line in signs for a, b in pairwise(line))
