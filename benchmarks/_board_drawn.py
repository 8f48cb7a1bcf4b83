"""More boards of published size, each drawn about a hidden answer like those of _board_puzzles.py: masyu, numberlink,
battleships, skyscrapers, kakuro, tents, dominosa, star battle, jigsaw sudoku and fillomino.

At these sizes, most boards that are drawn have more than one answer. So each kind takes a list of changes, which were
chosen one by one where two answers differed, until there was only one: squares for kinds that have clues to add, or
moves that keep the hidden answer.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from itertools import count, product

from benchmarks._board_puzzles import Board, Cell, Grid, border, box, connected, near, pearls, spread

HOLD = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"  # names of regions


def masyu(n: int, seed: int, flipped: Iterable[Cell]) -> Board:
    """All pearls of a loop about a tree, which passes all squares; n is even. flipped: squares that then go into what
    the loop encloses, or out of it."""
    rng = random.Random(seed)
    wide = box(n // 2)
    stack = [rng.choice(wide)]
    inside = {(2 * r - 1, 2 * c - 1) for r, c in stack}
    left = set(wide).difference(stack)
    while stack:
        x = rng.choice(stack[-3:])
        if not (beside := [y for y in near(x) if y in left]):
            stack.remove(x)
            continue
        y = rng.choice(beside)
        stack.append(y)
        left.discard(y)
        inside |= {(2 * y[0] - 1, 2 * y[1] - 1), (x[0] + y[0] - 1, x[1] + y[1] - 1)}
    for x in flipped:
        inside ^= {x}
    return Board("masyu", "masyu", {"n": n, "pearl": pearls(border(inside))})


def numberlink(n: int, seed: int, cuts: Iterable[Cell]) -> Board:
    """Paths that fill the board, each of at least three squares, and their ends. cuts: squares after which a path is
    cut in two."""
    paths = _paths(n, random.Random(seed))
    for x in cuts:
        path = next(p for p in paths if x in p)
        at = path.index(x) + 1
        paths.remove(path)
        paths += [path[:at], path[at:]]
    clue = {path[end]: k for k, path in enumerate(sorted(paths), 1) for end in (0, -1)}
    return Board("numberlink", "numberlink", {"n": n, "clue": clue})


def _paths(n: int, rng: random.Random) -> list[list[Cell]]:
    """Paths without a shortcut: two squares that touch follow one another, if they are of the same path. Dominoes and
    single squares are joined at their ends as long as that may be; single squares that are left end the attempt."""
    while True:
        paths = [[x] for x in box(n)]
        rng.shuffle(paths)
        of = {x: path for path in paths for x in path}
        joined = True
        while joined:
            joined = False
            for path in sorted(paths, key=len):
                if of[path[0]] is path and (new := _joined(path, of, rng)) is not None:
                    of |= dict.fromkeys(new, new)
                    joined = True
            paths = list({id(path): path for path in of.values()}.values())
            rng.shuffle(paths)
        if min(map(len, paths)) > 2:
            return paths


def _joined(path: list[Cell], of: dict[Cell, list[Cell]], rng: random.Random) -> list[Cell] | None:
    """A path with another one at one of its ends, chosen by chance; None if none can be there."""
    ways = []
    for own in (path, path[::-1]):
        for y in near(own[-1]):
            other = of.get(y, path)
            if other is path or y not in (other[0], other[-1]):
                continue
            on = other if y == other[0] else other[::-1]
            touching = sum(b in own for a in on for b in near(a))
            if touching == 1 and len(own) + len(on) < 3 * len(of) ** 0.5:
                ways.append(own + on)
    return rng.choice(ways) if ways else None


def battleships(n: int, seed: int, fleet: Sequence[int], water: Iterable[Cell]) -> Board:
    """A fleet, so many ships of each length, and what every row and column holds. water: squares that are told."""
    rng = random.Random(seed)
    ships: set[Cell] = set()
    taken: set[Cell] = set()  # squares of ships, and around them
    for k in range(len(fleet), 0, -1):
        for _ in range(fleet[k - 1]):
            while True:
                (r, c), across = rng.choice(box(n)), rng.random() < 0.5
                ship = [(r, c + i) if across else (r + i, c) for i in range(k)]
                if max(ship[-1]) <= n and taken.isdisjoint(ship):
                    break
            ships |= set(ship)
            taken |= {(r + i, c + j) for r, c in ship for i, j in product((-1, 0, 1), repeat=2)}
    data = {"n": n, "fleet": [*fleet], "clue": dict.fromkeys(water, "~")}
    return Board("battleships", "battleships", data | _margins(n, ships))


def _margins(n: int, held: Iterable[Cell]) -> dict[str, list[int]]:
    """How many of these squares every row and column holds."""
    rows, columns = ([x[i] for x in held] for i in (0, 1))
    return {"across": [rows.count(k) for k in range(1, n + 1)], "down": [columns.count(k) for k in range(1, n + 1)]}


def latin(n: int, rng: random.Random) -> Grid:
    """A Latin square: rows, columns and digits of a cyclic one in random order, then many small exchanges of two digits
    in two rows."""
    rows, columns, digits = (rng.sample(range(n), n) for _ in range(3))
    square = {(r, c): digits[(rows[r - 1] + columns[c - 1]) % n] + 1 for r, c in box(n)}
    for _ in range(40 * n):
        r, s = rng.sample(range(1, n + 1), 2)
        c = first = rng.randint(1, n)
        while True:  # along a cycle of the two rows
            square[r, c], square[s, c] = square[s, c], square[r, c]
            c = next((d for d in range(1, n + 1) if d != c and square[r, d] == square[r, c]), first)
            if c == first:
                break
    return square


def skyscrapers(n: int, seed: int) -> Board:
    """All numbers around a hidden Latin square."""
    square = latin(n, random.Random(seed))

    def seen(line: Iterable[Cell]) -> int:
        heights = [square[x] for x in line]
        return sum(h == max(heights[: k + 1]) for k, h in enumerate(heights))

    ways = range(1, n + 1)
    told = {
        "top": [seen((r, c) for r in ways) for c in ways],
        "left": [seen((r, c) for c in ways) for r in ways],
        "right": [seen((r, c) for c in reversed(ways)) for r in ways],
        "bottom": [seen((r, c) for r in reversed(ways)) for c in ways],
    }
    return Board(
        "skyscrapers",
        "skyscrapers",
        {"n": n, "clue": {}, "sides": [{"name": side, "seen": told[side]} for side in told]},
    )


def kakuro(n: int, seed: int, black: Iterable[Cell]) -> Board:
    """Digits in runs of at most six squares, and their totals. black: more black squares."""
    rng = random.Random(seed)
    while True:
        wall = {x for x in box(n) if 1 in x or rng.random() < 0.16}
        digit: Grid = {}
        for r, c in box(n):
            run = [*spread((r, c), (0, -1), digit), *spread((r, c), (-1, 0), digit)]
            left = sorted(set(range(1, 10)) - {digit[x] for x in run})
            if (r, c) not in wall and left and len(run) < 10:
                digit[r, c] = rng.choice(left)
        break
    for x in black:
        del digit[x]
    runs: dict[str, Grid] = {"across": {}, "down": {}}
    for name, step in (("across", (0, 1)), ("down", (1, 0))):
        for r, c in box(n):
            if (r, c) not in digit:
                total = sum(digit[x] for x in spread((r, c), step, digit))
                runs[name][r, c] = total or "#"
    return Board("kakuro", "kakuro", {"n": n, **runs})


def tents(n: int, seed: int, share: float) -> Board:
    """Tents with a tree each. share: of the tents that fit, how many there are."""
    rng = random.Random(seed)
    tent: set[Cell] = set()
    tree: set[Cell] = set()
    for r, c in rng.sample(box(n), n * n):
        around = {(r + i, c + j) for i, j in product((-1, 0, 1), repeat=2)}
        beside = sorted(x for x in near((r, c)) if 1 <= min(x) <= max(x) <= n and x not in tent | tree)
        if (r, c) not in tree and tent.isdisjoint(around) and beside and rng.random() < share:
            tent.add((r, c))
            tree.add(rng.choice(beside))
    return Board("tents", "tents", {"n": n, "tree": dict.fromkeys(sorted(tree), "^")} | _margins(n, tent))


def dominosa(m: int, seed: int, swaps: Iterable[tuple[int, int]]) -> Board:
    """A set of dominoes with numbers from 0 to m - 1, laid in m rows of m + 1 squares. swaps: pairs of places whose
    dominoes are exchanged."""
    rng = random.Random(seed)
    places = _tiling(m, m + 1, rng)
    pairs = [rng.sample((i, j), 2) for i in range(m) for j in range(i, m)]
    rng.shuffle(pairs)
    for i, j in swaps:
        pairs[i], pairs[j] = pairs[j], pairs[i][::-1]
    face = {x: d for place, pair in zip(places, pairs, strict=True) for x, d in zip(place, pair, strict=True)}
    return Board("dominosa", "dominosa", {"n": m + 1, "face": face})


def _tiling(high: int, wide: int, rng: random.Random) -> list[tuple[Cell, Cell]]:
    """Dominoes that fill a board: upright or flat ones, of which pairs side by side were turned many times."""
    one = set(product(range(1, high + 1), range(1, wide + 1)))
    mate: dict[Cell, Cell] = {}
    for r, c in sorted(one):
        if (r, c) not in mate:
            y = (r, c + 1) if wide % 2 == 0 else (r + 1, c)
            mate |= {(r, c): y, y: (r, c)}
    for _ in range(200 * len(one)):
        r, c = rng.randint(1, high - 1), rng.randint(1, wide - 1)
        a, b, d, e = (r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)
        if mate[a] == b and mate[d] == e:
            mate |= {a: d, d: a, b: e, e: b}
        elif mate[a] == d and mate[b] == e:
            mate |= {a: b, b: a, d: e, e: d}
    return [(x, mate[x]) for x in sorted(one) if x < mate[x]]


def star_battle(n: int, k: int, seed: int, moved: Iterable[tuple[Cell, Cell]]) -> Board:
    """k stars in every row, column and region. moved: squares that go over to the region of another square."""
    rng = random.Random(seed)
    stars = _stars(n, k, rng)
    room: Grid = {}
    # Regions grow about every k-th star, to other stars until they hold k, and then over what is left.
    while not room:
        room = _about(n, k, stars, rng)
    for x, y in moved:
        room[x] = room[y]
    return Board("star_battle", "star_battle", {"n": n, "k": k, "region": {x: HOLD[room[x]] for x in room}})


def _stars(n: int, k: int, rng: random.Random) -> set[Cell]:
    """Stars that do not touch, k in every row and column, row by row until it works."""
    while True:
        stars: list[Cell] = []
        room = dict.fromkeys(range(1, n + 1), k)
        for r in range(1, n + 1):
            for _ in range(k):
                near_ = {c for s, c in stars if s == r - 1 or s == r}
                free = [c for c in room if room[c] and near_.isdisjoint((c - 1, c, c + 1))]
                if not free:
                    break
                most = max(room[c] for c in free)
                c = rng.choice([c for c in free if room[c] >= most - 1])
                room[c] -= 1
                stars.append((r, c))
        if len(stars) == n * k:
            return set(stars)


def _about(n: int, k: int, stars: set[Cell], rng: random.Random) -> Grid:
    """Regions with k stars each; empty if the attempt fails."""
    room: Grid = {}
    for name in count():
        left = sorted(stars - set(room))
        if not left:
            break
        grown = {left[0]: left[0]}
        queue = [left[0]]
        ends = [left[0]]
        while queue and len(ends) < k:
            x = queue.pop(0)
            for y in rng.sample(list(near(x)), 4):
                if 1 <= min(y) <= max(y) <= n and y not in grown and y not in room:
                    grown[y] = x
                    if y in stars and len(ends) < k:
                        ends.append(y)
                    elif y not in stars:
                        queue.append(y)
        if len(ends) < k:
            return {}
        for x in ends:
            while x not in room:
                room[x] = name
                x = grown[x]
    return grow(n, room, rng)


def grow(n: int, room: Grid, rng: random.Random) -> Grid:
    """The regions, with all other squares added at their borders in random order."""
    while left := [x for x in box(n) if x not in room and any(y in room for y in near(x))]:
        x = rng.choice(left)
        room[x] = rng.choice([room[y] for y in near(x) if y in room])
    return room


def jigsaw(n: int, seed: int, told: Iterable[Cell]) -> Board:
    """Crooked regions in which a hidden Latin square has every digit once. told: squares with their digits."""
    rng = random.Random(seed)
    square = latin(n, rng)
    room = {(r, c): r - 1 for r, c in box(n)}
    for _ in range(20_000):
        # Two squares of the same digit change their regions, if all of them still hang together.
        x = rng.choice(box(n))
        y = rng.choice([y for y in box(n) if square[y] == square[x]])
        if room[x] != room[y]:
            room[x], room[y] = room[y], room[x]
            if not all(connected(z for z in room if room[z] == k) for k in (room[x], room[y])):
                room[x], room[y] = room[y], room[x]
    clue = {x: square[x] for x in told}
    return Board("jigsaw", "sudoku_jigsaw", {"n": n, "region": {x: HOLD[room[x] + 10] for x in room}, "clue": clue})


def fillomino(n: int, seed: int, share: float) -> Board:
    """Regions that grow at random, and are joined where two of one size touch. share: of the squares, how many have a
    number."""
    rng = random.Random(seed)
    of: dict[Cell, set[Cell]] = {}
    for start in rng.sample(box(n), n * n):
        region = {start} if start not in of else set()
        size = rng.randint(1, 7)
        while region and len(region) < size:
            edge = sorted({y for x in region for y in near(x) if 1 <= min(y) <= max(y) <= n} - region - of.keys())
            if not edge:
                break
            region.add(rng.choice(edge))
        of |= dict.fromkeys(region, region)
    todo = box(n)
    while todo:
        x = todo.pop()
        for y in near(x):
            if y in of and of[y] is not of[x] and len(of[y]) == len(of[x]):
                whole = of[x] | of[y]
                of |= dict.fromkeys(whole, whole)
                todo += whole
    kept = {x for x in box(n) if rng.random() < share}
    clue = {x: len(of[x]) for x in box(n) if x in kept}
    return Board("fillomino", "fillomino", {"n": n, "clue": clue, "most": max(map(len, of.values()))})
