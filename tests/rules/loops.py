"""The rules of loops, paths and bridges, each told anew: a board and the lines on it → whether that is right."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from tests.rules.sheet import (
    AHEAD,
    SECRET,
    WAYS,
    Cell,
    Filling,
    Pair,
    Sheet,
    apart,
    areas,
    around,
    beside,
    box,
    ends,
    joined,
    linked,
    one_loop,
    pair,
    rectangle,
)  # fmt: skip

Rule = Callable[[Sheet, set[Pair], Filling], bool]
LOOPS: dict[str, Callable[[Sheet, Filling], bool]] = {}


def drawn(*names: str) -> Callable[[Rule], Rule]:
    """A rule about lines."""

    def entered(rule: Rule) -> Rule:
        for name in names:
            LOOPS[name] = lambda s, f: rule(s, set(f["line"]), f)
        return rule

    return entered


def looped(name: str) -> Callable[[Callable[[Sheet, Any], bool]], Any]:
    """A rule of a kind in which one closed loop is drawn through squares, none of them black: it gets the loop."""

    def entered(rule: Callable[[Sheet, Any], bool]) -> Any:
        def judged(s: Sheet, lines: set[Pair], f: Filling) -> bool:
            if not one_loop(lines) or ("f" in s.flag and set(ends(lines)) != set(s.cells)):
                return False
            return rule(s, Loop(s, lines))

        drawn(name)(judged)
        return rule

    return entered


class Loop:
    """A closed loop. passed: its squares.  bent: those on which it turns.  order: its squares one after another."""

    def __init__(self, s: Sheet, lines: Collection[Pair]) -> None:
        self.lines = set(lines)
        self.passed = set(ends(lines))
        self.next = {x: [y for y in beside(x) if pair(x, y) in self.lines] for x in self.passed}
        self.bent = {x for x, (y, z) in self.next.items() if y[0] != z[0] and y[1] != z[1]}

    def arm(self, x: Cell, way: Cell) -> int:
        """How far the loop goes straight on from a square in a direction."""
        count = 0
        while pair(x, (y := (x[0] + way[0], x[1] + way[1]))) in self.lines:
            x, count = y, count + 1
        return count

    def arms(self, x: Cell) -> list[int]:
        """How far it goes in the four directions: right, down, left, up."""
        return [self.arm(x, way) for way in WAYS]

    def inside(self, x: Cell) -> bool:
        """Whether a square that it does not pass lies inside of it."""
        crossed = [1 for k in range(x[0]) if pair((k, x[1]), (k, x[1] + 1)) in self.lines]
        return len(crossed) % 2 == 1

    def crossings(self, room: Collection[Cell]) -> int:
        """How often it comes into a room or leaves it."""
        return sum((x in room) != (y in room) for x, y in self.lines)


@looped("simpleloop")
def _(s: Sheet, loop: Loop) -> bool:
    return loop.passed == s.cells - s.holes


@looped("mashu")
def _(s: Sheet, loop: Loop) -> bool:
    pearl = s.layer("pearl")
    if not set(pearl) <= loop.passed:
        return False
    turns = {x: sum(y in loop.bent for y in loop.next[x]) for x in pearl}
    return all(
        (x in loop.bent and turns[x] == 0) if colour == "b" else (x not in loop.bent and turns[x] > 0)
        for x, colour in pearl.items()
    )


@looped("balance")
def _(s: Sheet, loop: Loop) -> bool:
    for x, value in s.layer("circle").items():
        total, black = divmod(int(value), 2)
        arms = [n for n in loop.arms(x) if n] if x in loop.passed else []
        if len(arms) != 2 or (arms[0] == arms[1]) == bool(black) or total not in (0, sum(arms)):
            return False
    return True


@looped("geradeweg")
def _(s: Sheet, loop: Loop) -> bool:
    for x, n in s.clue.items():
        if x not in loop.passed:
            return False
        right, down, left, up = loop.arms(x)
        long = {m for m in (right + left, down + up) if m}
        if len(long) != 1 or (n != SECRET and long != {n}):
            return False
    return True


@looped("midloop")
def _(s: Sheet, loop: Loop) -> bool:
    return all(_is_middle(loop, i, j) for i, j in s.layer("dot"))


def _is_middle(loop: Loop, i: int, j: int) -> bool:
    """Whether a place of half squares is the middle of a straight line of the loop."""
    if i % 2 and j % 2:
        x = (i + 1) // 2, (j + 1) // 2
        if x not in loop.passed or x in loop.bent:
            return False
        right, down, left, up = loop.arms(x)
        return right == left and down == up
    x, y = ((i + 1) // 2, (j + 1) // 2), (i // 2 + 1, j // 2 + 1)
    way = (y[0] - x[0], y[1] - x[1])
    return pair(x, y) in loop.lines and loop.arm(y, way) == loop.arm(x, (-way[0], -way[1]))


@looped("turnaround")
def _(s: Sheet, loop: Loop) -> bool:
    return set(s.clue) <= loop.passed and all(
        n == SECRET or sum(y in loop.bent for y in (x, *loop.next[x])) == n for x, n in s.clue.items()
    )


@looped("castle")
def _(s: Sheet, loop: Loop) -> bool:
    for x, (colour, arrow, n) in s.clue.items():  # type: ignore[misc]
        if x in loop.passed or (colour != "g" and loop.inside(x) != (colour == "w")):
            return False
        ahead = set(s.ray(x, AHEAD[str(arrow)])) if arrow else set()
        if arrow and n != SECRET and sum({*line} <= ahead for line in loop.lines) != n:
            return False
    return True


@looped("country")
def _(s: Sheet, loop: Loop) -> bool:
    once = all(loop.crossings(room) == 2 or len(s.rooms) == 1 for room in s.rooms)
    left = any(x not in loop.passed and y not in loop.passed and s.room[x] != s.room[y] for x, y in s.pairs)
    return once and not left and all(len(room & loop.passed) == n for room, n in s.asked())


@looped("detour")
def _(s: Sheet, loop: Loop) -> bool:
    return loop.passed == s.cells and all(len(room & loop.bent) == n for room, n in s.asked())


@looped("doubleback")
def _(s: Sheet, loop: Loop) -> bool:
    return loop.passed == s.cells - s.holes and all(loop.crossings(room) == 4 for room in s.rooms)


@looped("nothing")
def _(s: Sheet, loop: Loop) -> bool:
    visited = [room <= loop.passed and (loop.crossings(room) == 2 or len(s.rooms) == 1) for room in s.rooms]
    out = [not room & loop.passed for room in s.rooms]
    whole = all(one or other for one, other in zip(visited, out, strict=True))
    return whole and not any(out[i] and out[j] for i, j in s.touching())


@looped("moonsun")
def _(s: Sheet, loop: Loop) -> bool:
    mark, passed = s.layer("mark"), []
    for room in s.rooms:
        inside = {x for x in room if x in mark}
        moons, suns = [{x for x in inside if mark[x] == m} for m in "ms"]
        if not room & loop.passed or inside & loop.passed not in [each for each in (moons, suns) if each]:
            return False
        passed.append("m" if moons and inside & loop.passed == moons else "s")
    if not all(loop.crossings(room) == 2 or len(s.rooms) == 1 for room in s.rooms):
        return False
    return all(s.room[x] == s.room[y] or passed[s.room[x]] != passed[s.room[y]] for x, y in loop.lines)


@looped("dotchi")
def _(s: Sheet, loop: Loop) -> bool:
    circle = s.layer("circle")
    white, black = [{x for x in circle if circle[x] == m} for m in "o*"]
    alike = all(len({x in loop.bent for x in room & white}) <= 1 for room in s.rooms)
    return white <= loop.passed and not black & loop.passed and alike


@looped("dotchi2")
def _(s: Sheet, loop: Loop) -> bool:
    circle = s.layer("circle")
    white, black = [{x for x in circle if circle[x] == m} for m in "wb"]
    turns = black & loop.passed <= loop.bent and not white & loop.bent
    rooms = [(room & white, room & black, room & loop.passed) for room in s.rooms]
    return turns and all((w | b) & on in [each for each in (w, b) if each] for w, b, on in rooms)


def _through(s: Sheet, f: Filling) -> tuple[set[Cell], bool]:
    """The shaded squares, and whether one loop passes all the others but the clues, and no two shaded ones touch."""
    dark, lines = set(f["shaded"]), set(f["line"])
    rooms = s.board.kind == "yajilin-regions"
    free = set(s.cells) - dark - (set() if rooms else set(s.clue))
    return dark, one_loop(lines) and set(ends(lines)) == free and apart(dark) and (rooms or not dark & set(s.clue))


@drawn("yajilin")
def _(s: Sheet, lines: set[Pair], f: Filling) -> bool:
    dark, right = _through(s, f)
    told = [(x, *value) for x, value in s.clue.items()]  # type: ignore[misc]
    return right and all(
        not way or n == SECRET or sum(y in dark for y in s.ray(x, AHEAD[way])) == n for x, way, n in told
    )


@drawn("yajilin-regions")
def _(s: Sheet, lines: set[Pair], f: Filling) -> bool:
    dark, right = _through(s, f)
    return right and all(len(room & dark) == n for room, n in s.asked())


@drawn("koburin")
def _(s: Sheet, lines: set[Pair], f: Filling) -> bool:
    dark, right = _through(s, f)
    near = around if "m" in s.flag else beside
    return right and all(sum(y in dark for y in near(x)) == n for x, n in s.told.items())


@drawn("retsurin")
def _(s: Sheet, lines: set[Pair], f: Filling) -> bool:
    dark, right = _through(s, f)
    counts = [(n, sum(x[0] == y[0] for y in dark), sum(x[1] == y[1] for y in dark)) for x, n in s.told.items()]
    return right and all((row == n) != (column == n) for n, row, column in counts)


def _walls_of(x: Cell) -> list[Pair]:
    """The four borders of a square."""
    return [pair(x, y) for y in beside(x)]


def _posts(wall: Pair) -> Pair:
    """The corners between which a border runs."""
    (r, c), (i, _) = wall
    return ((r + 1, c), (r + 1, c + 1)) if i > r else ((r, c + 1), (r + 1, c + 1))


def _inside(walls: set[Pair], x: Cell) -> bool:
    return sum(((x[0], k), (x[0], k + 1)) in walls for k in range(x[1])) % 2 == 1


def edged(name: str) -> Callable[[Callable[[Sheet, set[Pair]], bool]], Any]:
    """A rule of a kind in which a loop is drawn along the lines: it gets the borders of squares that are on it."""

    def entered(rule: Callable[[Sheet, set[Pair]], bool]) -> Any:
        def judged(s: Sheet, walls: set[Pair], f: Filling) -> bool:
            lines = {_posts(wall) for wall in walls}
            count = ends(lines)
            whole = "f" not in s.flag or len(count) == (s.high + 1) * (s.wide + 1)
            return one_loop(lines) and whole and rule(s, walls)

        drawn(name)(judged)
        return rule

    return entered


@edged("slither")
def _(s: Sheet, walls: set[Pair]) -> bool:
    return all(sum(wall in walls for wall in _walls_of(x)) == n for x, n in s.told.items())


@edged("vslither")
def _(s: Sheet, walls: set[Pair]) -> bool:
    passed = set(ends(_posts(wall) for wall in walls))
    return all(sum((r + i, c + j) in passed for i in (0, 1) for j in (0, 1)) == n for (r, c), n in s.told.items())


@edged("tslither")
def _(s: Sheet, walls: set[Pair]) -> bool:
    loop = Loop(s, {_posts(wall) for wall in walls})
    ring = [min(loop.passed)]
    while len(ring) < len(loop.passed):
        ring.append(next(x for x in loop.next[ring[-1]] if x not in ring))
    for (r, c), n in s.told.items():
        at = [x in {(r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)} for x in ring]
        if (sum(now and not before for before, now in zip([at[-1], *at], at, strict=False)) or int(all(at))) != n:
            return False
    return True


@edged("swslither")
def _(s: Sheet, walls: set[Pair]) -> bool:
    sides = all(sum(wall in walls for wall in _walls_of(x)) == n for x, n in s.told.items() if n < 5)
    animals = all(_inside(walls, x) == (n == 5) for x, n in s.told.items() if n >= 5)
    return sides and animals


@drawn("mejilink")
def _(s: Sheet, walls: set[Pair], f: Filling) -> bool:
    gaps = set(s.board.layer("gap"))
    frame = {wall for x in s.cells for wall in _walls_of(x)}
    if not one_loop({_posts(wall) for wall in walls}) or walls & gaps:
        return False
    for area in areas(s.cells, frame - gaps):
        if any(not set(wall) <= area and wall in gaps for x in area for wall in _walls_of(x)):
            continue  # it is open to the outside
        unused = sum(wall not in gaps and wall not in walls for x in area for wall in _walls_of(x))
        if unused != len(area):
            return False
    return True


@drawn("hashikake")
def _(s: Sheet, lines: set[Pair], f: Filling) -> bool:
    many, count = f["line"], ends(f["line"])
    for x, n in count.items():
        if x in s.clue:
            continue
        crossed = [[many.get(pair(x, (x[0] + i * k, x[1] + j * k)), 0) for k in (1, -1)] for i, j in ((0, 1), (1, 0))]
        if n != 2 or not any(a == b and a for a, b in crossed):
            return False
    told = all(sum(many.get(pair(x, y), 0) for y in beside(x)) == n for x, n in s.told.items())  # type: ignore[misc]
    return told and len(linked(lines)) <= 1  # an island that tells no number may stay without a bridge


@drawn("numlin", "arukone")
def _(s: Sheet, lines: set[Pair], f: Filling) -> bool:
    count, paths = ends(lines), linked(lines)
    full = s.board.kind == "arukone" and "e" not in s.flag
    sides = all(count[x] == (1 if x in s.clue else 2) for x in count) and set(s.clue) <= set(count)
    if not sides or (full and set(count) != set(s.cells)):
        return False
    met = [[s.clue[x] for x in path & set(s.clue)] for path in paths]
    return all(len(found) == 2 and found[0] == found[1] for found in met) and _paired(s)


def _paired(s: Sheet) -> bool:
    """Whether each number stands twice."""
    return all(list(s.told.values()).count(n) == 2 for n in s.told.values())


@drawn("barns")
def _(s: Sheet, lines: set[Pair], f: Filling) -> bool:
    ice, count = set(s.layer("ice")), ends(lines)
    if lines & set(s.board.layer("border")) or set(count) != set(s.cells):
        return False
    if not all(n == 2 or (n == 4 and x in ice) for x, n in count.items()):
        return False
    straight = {x for x in ice if _goes_straight(lines, x)}
    return straight == ice and _single(lines)


def _goes_straight(lines: set[Pair], x: Cell) -> bool:
    on = [pair(x, y) in lines for y in beside(x)]
    return on[0] == on[2] and on[1] == on[3]


def _single(lines: set[Pair]) -> bool:
    """Whether lines are one closed way, if it goes straight on where it crosses itself."""
    if not lines:
        return False
    count = ends(lines)
    at, x = min(lines)
    first, seen = (at, x), 0
    while seen == 0 or (at, x) != first:
        seen += 1
        ahead = (2 * x[0] - at[0], 2 * x[1] - at[1])
        others = [y for y in beside(x) if y != at and pair(x, y) in lines]
        if not others:
            return False
        at, x = x, ahead if count[x] == 4 else others[0]
    return seen == len(lines)


PARTS = {"┼": "0123", "│": "13", "─": "02", "└": "03", "┘": "23", "┐": "12", "┌": "01"}  # by WAYS


@drawn("pipelink", "pipelinkr")
def _(s: Sheet, lines: set[Pair], f: Filling) -> bool:
    count = ends(lines)
    if set(count) != set(s.cells) or not set(count.values()) <= {2, 4} or not _single(lines):
        return False
    for x, part in s.clue.items():
        arms = "".join(str(k) for k, y in enumerate(beside(x)) if pair(x, y) in lines)
        if part in PARTS and arms != PARTS[str(part)]:
            return False
        if part == "o" and s.board.kind == "pipelinkr" and not _goes_straight(lines, x):
            return False
    free = {x for x in count if count[x] == 4} - {x for x in s.clue if s.clue[x] in ("o", "┼")}
    return s.board.kind == "pipelink" or not free


@drawn("keywest")
def _(s: Sheet, lines: set[Pair], f: Filling) -> bool:
    printed = {x: n for x, n in s.clue.items() if n != SECRET}
    number = {**f["number"], **printed}
    count = ends(lines)
    if any(value != 1 for value in f["line"].values()) or set(f["number"]) & set(s.clue):
        return False
    secret = {x: count[x] for x in s.clue if s.clue[x] == SECRET}
    number.update(secret)
    apart_ = not any(number.get(x, 0) == number.get(y, 0) for x, y in s.pairs)
    return bool(lines) and all(number.get(x, 0) == count[x] for x in s.cells) and apart_ and len(linked(lines)) <= 1


@drawn("wittgen")
def _(s: Sheet, lines: set[Pair], f: Filling) -> bool:
    bricks, stops = linked(lines), set(f["end"])
    covered = {x for brick in bricks for x in brick}
    straight = all(len(b) == 3 and (len({r for r, _ in b}) == 1 or len({c for _, c in b}) == 1) for b in bricks)
    right = (
        straight and stops == {x for brick in bricks for x in (min(brick), max(brick))} and not covered & set(s.clue)
    )
    return (
        right
        and all(sum(y in covered for y in beside(x)) == n for x, n in s.told.items())
        and joined(s.cells - covered)
    )


def _slashes(s: Sheet, f: Filling) -> bool:
    way = f["slash"]
    if len(way) < len(s.cells):
        return False
    lines = [((r, c), (r + 1, c + 1)) if way[r, c] == 1 else ((r, c + 1), (r + 1, c)) for r, c in s.cells]
    count = ends(lines)
    group = {x: x for x in count}

    def top(x: Cell) -> Cell:
        while group[x] != x:
            x = group[x]
        return x

    for x, y in lines:
        if top(x) == top(y):
            return False  # a ring
        group[top(x)] = top(y)
    return all(count[x] == n for x, n in s.told.items())


def _kramma(s: Sheet, f: Filling) -> bool:
    edges = set(f["edge"])
    rows = [k for k in range(1, s.high) if all(((k, c), (k + 1, c)) in edges for c in range(1, s.wide + 1))]
    columns = [k for k in range(1, s.wide) if all(((r, k), (r, k + 1)) in edges for r in range(1, s.high + 1))]
    if len(edges) != len(rows) * s.wide + len(columns) * s.high:
        return False
    return all(len({s.clue[x] for x in area & set(s.clue)}) == 1 for area in areas(s.cells, edges))


LOOPS.update(gokigen=_slashes, kramma=_kramma)


@looped("lring")
def _(s: Sheet, loop: Loop) -> bool:
    for x, arrow in s.clue.items():
        if x not in loop.bent:
            return False
        right, down, left, up = loop.arms(x)
        across, along = max(left, right), max(up, down)
        longer = {1: (up, across), 2: (down, across), 3: (left, along), 4: (right, along)}
        if abs(across - along) != 1 or (arrow != SECRET and longer[arrow][0] != longer[arrow][1] + 1):  # type: ignore[index]
            return False
    return True


def _ways(s: Sheet, lines: set[Pair]) -> dict[Cell, set[Cell]] | None:
    """The way of each thing that a clue stands for, from its square on; None if lines lead otherwise."""
    count, ways = ends(lines), {x: {x} for x in s.clue}
    for way in linked(lines):
        start = way & set(s.clue)
        alone = sum(count[x] for x in way) == 2 * (len(way) - 1)
        if len(start) != 1 or not alone or max(count[x] for x in way) > 2 or count[min(start)] != 1:
            return None
        ways[min(start)] = way
    told = all(len(ways[x]) == n + 1 for x, n in s.told.items())
    return ways if lines and told else None


def _stops(ways: dict[Cell, set[Cell]], lines: set[Pair]) -> set[Cell]:
    """Where they end."""
    return {next(y for y in way if way == {y} or (y != x and ends(lines)[y] == 1)) for x, way in ways.items()}


@drawn("timebomb")
def _(s: Sheet, lines: set[Pair], f: Filling) -> bool:
    ways = _ways(s, lines)
    if ways is None:
        return False
    bombs = {x: way for x, way in ways.items() if s.clue[x] != 0}
    owner = {y: x for x, way in bombs.items() for y in way}
    touch = any(owner[x] != owner[y] and not {x, y} <= set(s.clue) for x, y in s.pairs if x in owner and y in owner)
    stops = _stops(bombs, lines)
    return not touch and all(stops & set(around(x)) for x, n in s.clue.items() if n == 0)


@drawn("rectslider")
def _(s: Sheet, lines: set[Pair], f: Filling) -> bool:
    ways = _ways(s, lines)
    if ways is None or any(1 not in box(way) for way in ways.values()):
        return False
    return all(len(area) > 1 and rectangle(area) for area in areas(_stops(ways, lines)))


def _straightly(lines: set[Pair]) -> list[set[Pair]]:
    """Lines that go on in each other: straight on where four meet."""
    count = ends(lines)

    def touch(e: Pair) -> list[Pair]:
        found = []
        for (r, c), (i, j) in (e, e[::-1]):
            ahead = (2 * r - i, 2 * c - j)
            found += [pair((r, c), y) for y in beside((r, c)) if y != (i, j) and (count[r, c] < 4 or y == ahead)]
        return [e for e in found if e in lines]

    left, found = set(lines), []
    while left:
        part, waiting = set(), [left.pop()]
        while waiting:
            part.add(e := waiting.pop())
            waiting += [f for f in touch(e) if f in left]
            left -= set(waiting)
        found.append(part)
    return found


@drawn("orbital")
def _(s: Sheet, lines: set[Pair], f: Filling) -> bool:
    if not lines or not set(ends(lines).values()) <= {2, 4} or not set(s.layer("ice")) <= set(ends(lines)):
        return False
    held: dict[Cell, list[int]] = {x: [] for x in s.clue}
    for ring in _straightly(lines):
        passed = set(ends(ring))
        (top, left), (low, right) = (tuple(f(x[i] for x in passed) for i in (0, 1)) for f in (min, max))
        rim = all(r in (top, low) or c in (left, right) for r, c in passed)
        inside = [x for x in s.clue if top <= x[0] <= low and left <= x[1] <= right]
        if not rim or len(ring) != len(passed) or len(passed) != 2 * (low - top + right - left) or len(inside) > 1:
            return False
        for x in inside:
            held[x].append(len(passed & set(s.layer("ice"))))
    passed = set(ends(lines))
    return all(x not in passed and len(held[x]) == 1 and n in (SECRET, held[x][0]) for x, n in s.clue.items())


@drawn("icewalk")
def _(s: Sheet, lines: set[Pair], f: Filling) -> bool:
    ice, count = set(s.layer("ice")), ends(lines)
    if not lines or any(n not in ((2, 4) if x in ice else (2,)) for x, n in count.items()):
        return False
    bent = any(count[x] == 2 and len({i for i in (0, 1) for y in beside(x) if pair(x, y) in lines and y[i] != x[i]}) > 1
               for x in ice)  # fmt: skip
    if bent or len(_straightly(lines)) > 1 or not (set(s.cells) if "f" in s.flag else set(s.clue)) <= set(count):
        return False
    walls = {pair(x, y) for x in s.cells for y in beside(x) if pair(x, y) not in lines}
    size = {x: len(part) for part in areas(s.cells - ice, walls) for x in part}
    return all(x in ice or n in (0, SECRET, size.get(x)) for x, n in s.clue.items())


@drawn("onsen")
def _(s: Sheet, lines: set[Pair], f: Filling) -> bool:
    if set(ends(lines).values()) - {2} or not set(s.clue) <= set(ends(lines)):
        return False
    for loop in linked(lines):
        clues = [s.clue[x] for x in loop if x in s.clue]
        walls = {p for x in loop for y in beside(x) if (p := pair(x, y)) not in lines or s.room[x] != s.room.get(y)}
        parts = areas(loop, walls)
        sizes = {len(part) for part in parts}
        once = len({s.room[min(part)] for part in parts}) == len(parts)
        if len(clues) != 1 or not once or len(sizes) > 1 or clues[0] not in (SECRET, min(sizes)):
            return False
    return all(room & set(ends(lines)) for room in s.rooms)


def _crosswise(lines: set[Pair]) -> tuple[list[set[Pair]], dict[Cell, int]] | None:
    """Lines that go on in each other, and how many end at each place; None if one ends, branches or goes nowhere on."""
    count = ends(lines)
    return None if not lines or not set(count.values()) <= {2, 4} else (_straightly(lines), count)


@drawn("circuitwalk")
def _(s: Sheet, lines: set[Pair], f: Filling) -> bool:
    found, ice = _crosswise(lines), set(s.layer("ice"))
    if found is None or any((n == 4) != (x in ice) for x, n in found[1].items()):
        return False
    rings, count = found
    if any(n > 2 for ring in rings for n in ends(ring).values()) or len(linked(lines)) > 1:
        return False
    walls = {pair(x, y) for x in s.cells for y in beside(x) if pair(x, y) not in lines}
    size = {x: len(part) for part in areas(s.cells - ice, walls) for x in part}
    asked = set(s.cells) if "f" in s.flag else set(s.clue)
    return asked <= set(count) and all(x in ice or n in (0, SECRET, size.get(x)) for x, n in s.clue.items())


@drawn("vertigo")
def _(s: Sheet, lines: set[Pair], f: Filling) -> bool:
    found = _crosswise(lines)
    if found is None or len(found[0]) > 1 or set(found[1]) != s.cells - s.holes:
        return False
    line = min(lines)
    at, to = line
    turns = set()
    for _ in lines:
        way = (to[0] - at[0], to[1] - at[1])
        ahead = (to[0] + way[0], to[1] + way[1])
        after = ahead if pair(to, ahead) in lines else next(y for y in beside(to) if y != at and pair(to, y) in lines)
        turns.add(way[0] * (after[1] - to[1]) - way[1] * (after[0] - to[0]))
        at, to = to, after
    return len(turns - {0}) == 1


def _led(s: Sheet, lines: set[Pair]) -> list[Cell] | None:
    """The squares of a line over ice from outside to outside, in order; None if lines are something else."""
    high, wide = s.high, s.wide
    outside: list[Cell] = [(r, c) for r in (0, high + 1) for c in range(1, wide + 1)]
    outside += [(r, c) for c in (0, wide + 1) for r in range(1, high + 1)]
    enter, leave = [outside[int(str(s.board.layer(name)[()]))] for name in ("in", "out")]
    left, way = set(lines), [enter]
    while True:
        at = way[-1]
        ahead = (2 * at[0] - way[-2][0], 2 * at[1] - way[-2][1]) if len(way) > 1 else at
        on = [y for y in beside(at) if pair(at, y) in left and (at not in s.layer("ice") or y == ahead)]
        if len(on) != 1 or at == leave:
            return None if left or at != leave else way[1:-1]
        left.remove(pair(at, on[0]))
        way.append(on[0])


def _in_order(s: Sheet, way: list[Cell]) -> bool:
    passed = [s.clue[x] for x in way if x in s.clue]
    return set(s.clue) <= set(way) and all(n in (SECRET, at) for at, n in enumerate(passed, 1))


@drawn("icelom")
def _(s: Sheet, lines: set[Pair], f: Filling) -> bool:
    way = _led(s, lines)
    return way is not None and set(s.cells) - set(s.layer("ice")) <= set(way) and _in_order(s, way)


@drawn("icelom2")
def _(s: Sheet, lines: set[Pair], f: Filling) -> bool:
    way = _led(s, lines)
    return way is not None and all(set(way) & part for part in areas(set(s.layer("ice")))) and _in_order(s, way)


@drawn("yosenabe")
def _(s: Sheet, lines: set[Pair], f: Filling) -> bool:
    circles = {x: n for x, n in s.clue.items() if not isinstance(n, tuple)}
    count, ways = ends(lines), {x: {x} for x in circles}
    for way in linked(lines):
        start = way & set(circles)
        if (
            len(start) != 1
            or count[min(start)] != 1
            or 1 not in box(way)
            or len(way) != sum(p[0] in way for p in lines) + 1
        ):
            return False
        ways[min(start)] = way
    stop = {x: next(y for y in way if way == {x} or (y != x and count[y] == 1)) for x, way in ways.items()}
    pots = areas(set(s.layer("ice")))
    if not lines or any(not any(y in pot for pot in pots) for y in stop.values()):
        return False
    for pot in pots:
        if not any(y in pot for y in stop.values()):
            return False
    for x, said in s.clue.items():
        if isinstance(said, tuple) and said[0] != SECRET:
            held = [circles[k] for k, y in stop.items() if any({x, y} <= pot for pot in pots)]
            known = sum(int(n) for n in held if n != SECRET)  # type: ignore[call-overload]
            if known > said[0] or (known < said[0] and SECRET not in held):
                return False
    return True
