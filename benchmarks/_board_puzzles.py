"""Ten boards, the same every time, each made about a hidden answer; no solver is needed to make them.

The seeds are those of boards that turned out to have one answer. Squares are (row, column), counted from 1. What stands
in a square is a number or a text, by square, as the readers of the language give it.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, product
from typing import Any

from attrs import frozen

Cell = tuple[int, int]
Grid = dict[Cell, Any]
Path = frozenset[frozenset[Cell]]


@frozen
class Board:
    """A puzzle.

    model: of the gallery, or a file.  data: what the puzzle is about, by the model's params.  best: whether
    the best answer is asked for, and not whether there is another one.
    """

    name: str
    model: str
    data: Mapping[str, Any]
    best: bool = False

    def params(self) -> dict[str, Any]:
        """The data as values for the model's params: grids become text, which says how large the board is."""
        n = self.data.get("n", self.data.get("high", 1) * self.data.get("wide", 1))
        grids = any(isinstance(v, dict) for v in self.data.values())
        known = {"n"} if grids else set()
        return {k: written(v, n) if isinstance(v, dict) else v for k, v in self.data.items() if k not in known}


def written(grid: Grid, n: int) -> str:
    """A grid of n rows and columns as its reader takes it."""
    size = max(n, *(r for r, _ in grid)) if grid else n
    return "\n".join(" ".join(str(grid.get((r, c), ".")) for c in range(1, size + 1)) for r in range(1, size + 1))


def near(x: Cell) -> Iterator[Cell]:
    """The four squares that share a side with a square."""
    r, c = x
    yield from ((r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c))


def spread(x: Cell, step: Cell, held: Container[Cell]) -> list[Cell]:
    """The squares that follow one another from x on, x left out, as long as they are held."""
    found, (r, c) = [], (x[0] + step[0], x[1] + step[1])
    while (r, c) in held:
        found.append((r, c))
        r, c = r + step[0], c + step[1]
    return found


def box(n: int) -> list[Cell]:
    """The squares of a board, row by row."""
    return [(r, c) for r in range(1, n + 1) for c in range(1, n + 1)]


def connected(cells: Iterable[Cell]) -> bool:
    """Whether squares hang together."""
    left = set(cells)
    stack = [left.pop()] if left else []
    while stack:
        for y in near(stack.pop()):
            if y in left:
                left.discard(y)
                stack.append(y)
    return not left


def region(n: int, rng: random.Random, share: float) -> set[Cell]:
    """A region without holes that does not touch itself at corners, so that its border is one loop. share: of the
    squares that may be added, how many are."""
    inside = {(rng.randint(1, n), rng.randint(1, n))}
    left = box(n)
    rng.shuffle(left)
    left = left[: int(share * len(left))]
    grown = True
    while grown:
        grown = False
        for x in left:
            if x not in inside and _simple(x, inside):
                inside.add(x)
                grown = True
    return inside


def _simple(x: Cell, inside: set[Cell]) -> bool:
    """Whether the region stays one without holes when a square is added."""
    r, c = x
    ring = [
        (r - 1, c - 1),
        (r - 1, c),
        (r - 1, c + 1),
        (r, c + 1),
        (r + 1, c + 1),
        (r + 1, c),
        (r + 1, c - 1),
        (r, c - 1),
    ]
    held = [y in inside for y in ring]
    changes = sum(a != b for a, b in zip(held, held[1:] + held[:1], strict=True))
    return changes == 2 and any(held[1::2])


def border(inside: set[Cell]) -> Path:
    """The lines between a region and the rest, as pairs of corners; the corners of square (r, c) are (r, c) to
    (r + 1, c + 1)."""
    lines: set[frozenset[Cell]] = set()
    for r, c in inside:
        a, b, d, e = (r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)
        lines ^= {frozenset(pair) for pair in ((a, b), (a, d), (b, e), (d, e))}
    return frozenset(lines)


def slitherlink(n: int, seed: int, keep: float) -> Board:
    """Numbers in a share of the squares."""
    rng = random.Random(seed)
    lines = border(region(n, rng, 0.8))
    clue = {}
    for r, c in box(n):
        corners = {(r + i, c + j) for i, j in product((0, 1), repeat=2)}
        if rng.random() < keep:
            clue[r, c] = sum(line <= corners for line in lines)
    return Board("slitherlink", "slitherlink", {"n": n, "clue": clue})


def _ends(lines: Path) -> dict[Cell, list[Cell]]:
    """Per square on a loop, the two next to it."""
    ends: dict[Cell, list[Cell]] = {}
    for line in lines:
        a, b = line
        ends.setdefault(a, []).append(b)
        ends.setdefault(b, []).append(a)
    return ends


def masyu(n: int, seed: int, keep: float) -> Board:
    """Pearls on a share of the places where a hidden loop allows one."""
    rng = random.Random(seed)
    found = pearls(border(region(n - 1, rng, 0.8)))
    return Board("masyu", "masyu", {"n": n, "pearl": {x: kind for x, kind in found.items() if rng.random() < keep}})


def pearls(loop: Path) -> Grid:
    """A pearl wherever a loop allows one."""
    ends = _ends(loop)
    turns = {x: abs(a[0] - b[0]) == 1 for x, (a, b) in ends.items()}
    pearl = {}
    for x in sorted(ends):
        beside = [turns[y] for y in ends[x]]
        kind = "b" if turns[x] and not any(beside) else "w" if not turns[x] and any(beside) else ""
        if kind:
            pearl[x] = kind
    return pearl


STEPS = {"^": (-1, 0), "v": (1, 0), "<": (0, -1), ">": (0, 1)}


def ahead(x: Cell, arrow: str, n: int) -> list[Cell]:
    """The squares in the direction of an arrow, the nearest first."""
    dr, dc = STEPS[arrow]
    seen, (r, c) = [], (x[0] + dr, x[1] + dc)
    while 1 <= r <= n and 1 <= c <= n:
        seen.append((r, c))
        r, c = r + dr, c + dc
    return seen


def yajilin(n: int, seed: int) -> Board:
    """Squares off a hidden loop are shaded, or hold an arrow and how many shaded squares lie that way."""
    rng = random.Random(seed)
    loop = _ends(border(region(n - 1, rng, 1.0)))
    off = [x for x in box(n) if x not in loop]
    rng.shuffle(off)
    shaded: set[Cell] = set()
    for x in off:
        if rng.random() < 0.7 and shaded.isdisjoint(near(x)):
            shaded.add(x)
    arrow, clue = {}, {}
    for x in sorted(set(off) - shaded):
        arrow[x] = rng.choice([a for a in STEPS if len(ahead(x, a, n)) > 2])
        clue[x] = len(shaded.intersection(ahead(x, arrow[x], n)))
    return Board("yajilin", "yajilin", {"n": n, "arrow": arrow, "clue": clue})


def nurikabe(n: int, seed: int, most: int) -> Board:
    """Islands of at most `most` squares, put where the sea fills 2 by 2 squares, while it hangs together."""
    rng = random.Random(seed)
    cells = box(n)
    while True:
        island: dict[Cell, int] = {}
        sizes: list[int] = []
        for _ in range(30 * n * n):
            pools = [(r, c) for r, c in cells if r < n and c < n
                     and not any((r + i, c + j) in island for i, j in product((0, 1), repeat=2))]  # fmt: skip
            if not pools:
                break
            r, c = rng.choice(pools)
            x = (r + rng.randint(0, 1), c + rng.randint(0, 1))
            beside = {island[y] for y in near(x) if y in island}
            if len(beside) > 1 or (beside and sizes[min(beside)] == most):
                continue
            if connected(y for y in cells if y not in island and y != x):
                if not beside:
                    sizes.append(0)
                island[x] = min(beside, default=len(sizes) - 1)
                sizes[island[x]] += 1
        else:
            continue
        break
    clue = {}
    for k, size in enumerate(sizes):
        clue[rng.choice(sorted(x for x, i in island.items() if i == k))] = size
    return Board("nurikabe", "nurikabe", {"n": n, "clue": clue})


def shading(n: int, rng: random.Random) -> set[Cell]:
    """As many shaded squares as fit in a random order: no two touch, and the others hang together."""
    shaded: set[Cell] = set()
    cells = box(n)
    for x in rng.sample(cells, len(cells)):
        if shaded.isdisjoint(near(x)) and connected(y for y in cells if y not in shaded and y != x):
            shaded.add(x)
    return shaded


def hitori(n: int, seed: int) -> Board:
    """A Latin square in which every shaded square repeats a number of its row or column."""
    rng = random.Random(seed)
    rows, columns, digits = (rng.sample(range(n), n) for _ in range(3))
    number = {(r, c): digits[(rows[r - 1] + columns[c - 1]) % n] + 1 for r, c in box(n)}
    shaded = shading(n, rng)
    for r, c in sorted(shaded):
        line = [number[x] for x in number if x not in shaded and (x[0] == r or x[1] == c)]
        number[r, c] = rng.choice(sorted(line))
    return Board("hitori", "hitori", {"number": number})


def heyawake(n: int, seed: int, alone: Iterable[Cell]) -> Board:
    """Rooms with numbers. Rooms are joined where an unshaded line passes three. alone: squares that are rooms."""
    rng = random.Random(seed)
    room, shaded = _rooms(n, rng), shading(n, rng)
    while joined := [s for s in spans(n, room) if shaded.isdisjoint(s)]:
        pairs = [(room[a], room[b]) for s in joined for a, b in (s[:2], s[-2:])]
        size = Counter(room.values())
        old, new = min(pairs, key=lambda pair: size[pair[0]] + size[pair[1]])
        room = {x: new if k == old else k for x, k in room.items()}
    for x in alone:
        room[x] = max(room.values()) + 1
    assert not any(shaded.isdisjoint(s) for s in spans(n, room))
    clue = {}
    for k in sorted(set(room.values())):
        squares = [x for x in box(n) if room[x] == k]
        clue[squares[0]] = len(shaded.intersection(squares))
    return Board("heyawake", "heyawake", {"n": n, "room": room, "clue": clue})


def _rooms(n: int, rng: random.Random) -> Grid:
    room: Grid = {}
    for r, c in box(n):
        if (r, c) in room:
            continue
        h, w = rng.choice(((1, 2), (2, 1), (2, 2), (2, 3), (3, 2), (1, 3), (3, 1)))
        name = len(set(room.values())) + 1
        for i, j in product(range(h), range(w)):
            x, above, left = (r + i, c + j), (r + i - 1, c + j), (r + i, c + j - 1)
            free = max(x) <= n and x not in room
            if free and (i == 0 or above in room) and (j == 0 or room.get(left) == name):
                room[x] = name
    return room


def spans(n: int, room: Mapping[Cell, Any]) -> Iterator[list[Cell]]:
    """The shortest straight lines that reach into three rooms."""
    for line in [*([(r, c) for c in range(1, n + 1)] for r in range(1, n + 1)),
                 *([(r, c) for r in range(1, n + 1)] for c in range(1, n + 1))]:  # fmt: skip
        runs = [list(run) for _, run in groupby(line, lambda x: room[x])]
        for before, middle, after in zip(runs, runs[1:], runs[2:], strict=False):
            yield [before[-1], *middle, after[0]]


def killer(high: int, wide: int, seed: int, sizes: Sequence[int], alone: Iterable[Cell]) -> Board:
    """Cages of these sizes about a hidden sudoku in boxes of high by wide. alone: squares that are cages."""
    rng, n = random.Random(seed), high * wide
    digits = rng.sample(range(n), n)
    rows = [g + r for g in rng.sample(range(0, n, high), n // high) for r in rng.sample(range(high), high)]
    columns = [g + c for g in rng.sample(range(0, n, wide), n // wide) for c in rng.sample(range(wide), wide)]
    hidden = {(i + 1, j + 1): digits[(wide * (r % high) + r // high + c) % n] + 1
              for i, r in enumerate(rows) for j, c in enumerate(columns)}  # fmt: skip
    cage: Grid = {x: k for k, x in enumerate(alone, 1)}
    clue = {x: hidden[x] for x in cage}
    for x in box(n):
        if x in cage:
            continue
        squares = [x]
        cage[x] = len(clue) + 1
        for _ in range(rng.choice(sizes) - 1):
            shown = {hidden[y] for y in squares}
            more = sorted(
                {z for y in squares for z in near(y) if z in hidden and z not in cage and hidden[z] not in shown}
            )
            if more:
                squares.append(rng.choice(more))
                cage[squares[-1]] = cage[x]
        clue[x] = sum(hidden[y] for y in squares)
    return Board("killer", "killer_sudoku", {"high": high, "wide": wide, "cage": cage, "clue": clue})


def nonogram(n: int, seed: int) -> Board:
    """A random picture, smoothed so that its blocks are long."""
    rng = random.Random(seed)
    black = {x for x in box(n) if rng.random() < 0.53}
    for _ in range(2):
        around = {(r, c): [(r + i, c + j) in black for i, j in product((-1, 0, 1), repeat=2)] for r, c in box(n)}
        black = {x for x in box(n) if sum(around[x]) + rng.random() > 4.9}

    def told(line: list[Cell]) -> str:
        return " ".join(str(len(list(run))) for held, run in groupby(line, black.__contains__) if held)

    rows = [told([(r, c) for c in range(1, n + 1)]) for r in range(1, n + 1)]
    columns = [told([(r, c) for r in range(1, n + 1)]) for c in range(1, n + 1)]
    return Board("nonogram", "nonogram", {"rows": rows, "columns": columns})
