"""The classic exact cover problems, made afresh: no data of others is needed.

Each is a `Matrix` of names in Knuth's way: an option is a tuple of item names, `item:colour` in coloured items.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import permutations, product

from attrs import frozen

Option = tuple[str, ...]
Cell = tuple[int, ...]
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


@frozen
class Matrix:
    """primary, secondary: item names in order.  options: item names, with `:colour` where there is one."""

    primary: tuple[str, ...]
    secondary: tuple[str, ...]
    options: tuple[Option, ...]

    @property
    def dlx(self) -> str:
        """The matrix in Knuth's format."""
        head = " ".join([*self.primary, *(("|", *self.secondary) if self.secondary else ())])
        return "\n".join([head, *map(" ".join, self.options)]) + "\n"


# --- polyforms ---

PENTOMINOES = {
    "F": " ..\n..\n .", "I": ".....", "L": "....\n.", "N": "  ..\n...", "P": "..\n..\n.", "T": "...\n .\n .",
    "U": ". .\n...", "V": ".\n.\n...", "W": ".\n..\n ..", "X": " .\n...\n .", "Y": "....\n .", "Z": "..\n .\n ..",
}  # fmt: skip
SOMA = {
    "L": [(0, 0, 0), (0, 0, 1), (0, 0, 2), (0, 1, 0)],
    "T": [(0, 0, 0), (0, 0, 1), (0, 0, 2), (0, 1, 1)],
    "Z": [(0, 0, 0), (0, 0, 1), (0, 1, 1), (0, 1, 2)],
    "V": [(0, 0, 0), (0, 0, 1), (0, 1, 0)],
    "A": [(0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 0, 0)],
    "B": [(0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 1, 0)],
    "C": [(0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 0, 1)],
}  # fmt: skip


def _drawn(picture: str) -> list[Cell]:
    return [(r, c) for r, line in enumerate(picture.split("\n")) for c, mark in enumerate(line) if mark == "."]


def _orientations(cells: Iterable[Cell], mirrored: bool) -> list[list[Cell]]:
    """The shapes a piece takes under the rotations of the square or cube lattice, and reflections if `mirrored`."""
    cells = list(cells)
    size = len(cells[0])
    found: dict[tuple[Cell, ...], None] = {}
    for order in permutations(range(size)):
        for signs in product((1, -1), repeat=size):
            swaps = sum(order[i] > order[j] for j in range(size) for i in range(j))
            turn = (-1) ** swaps
            for sign in signs:
                turn *= sign
            if turn == 1 or mirrored:
                moved = [tuple(s * cell[o] for o, s in zip(order, signs, strict=True)) for cell in cells]
                least = [min(axis) for axis in zip(*moved, strict=True)]
                at_corner = [tuple(x - m for x, m in zip(cell, least, strict=True)) for cell in moved]
                found[tuple(sorted(at_corner))] = None
    return [list(shape) for shape in sorted(found)]


def _placements(cells: Iterable[Cell], board: set[Cell], mirrored: bool) -> Iterator[list[Cell]]:
    ends = [max(axis) for axis in zip(*board, strict=True)]
    for shape in _orientations(cells, mirrored):
        for shift in product(*(range(end + 1) for end in ends)):
            placed = [tuple(a + b for a, b in zip(cell, shift, strict=True)) for cell in shape]
            if board.issuperset(placed):
                yield placed


def _name(cell: Cell) -> str:
    return "".join(DIGITS[x] for x in cell)


def packing(pieces: Mapping[str, Iterable[Cell]], board: set[Cell], mirrored: bool = True) -> Matrix:
    """Every piece once, every cell of the board once."""
    options = [
        (piece, *map(_name, placed))
        for piece, cells in pieces.items()
        for placed in _placements(cells, board, mirrored)
    ]
    return Matrix((*pieces, *map(_name, sorted(board))), (), tuple(options))


def pentominoes(rows: int, columns: int, hole: Iterable[Cell] = ()) -> Matrix:
    """The twelve pentominoes in a rectangle, perhaps with a hole."""
    board: set[Cell] = set(product(range(rows), range(columns))) - set(hole)
    return packing({name: _drawn(picture) for name, picture in PENTOMINOES.items()}, board)


def soma() -> Matrix:
    """Piet Hein's seven pieces in a cube."""
    return packing(SOMA, set(product(range(3), repeat=3)), mirrored=False)


def y_pentominoes(size: int) -> Matrix:
    """A square tiled with Y-pentominoes."""
    board: set[Cell] = set(product(range(size), repeat=2))
    options = [tuple(map(_name, placed)) for placed in _placements(_drawn(PENTOMINOES["Y"]), board, True)]
    return Matrix(tuple(map(_name, sorted(board))), (), tuple(options))


def dominoes(rows: int, columns: int) -> Matrix:
    """A rectangle tiled with dominoes."""
    board: set[Cell] = set(product(range(rows), range(columns)))
    options = [tuple(map(_name, placed)) for placed in _placements([(0, 0), (0, 1)], board, True)]
    return Matrix(tuple(map(_name, sorted(board))), (), tuple(options))


# --- others ---


def queens(n: int) -> Matrix:
    """n queens that do not attack each other; rows and columns from the middle outwards, as Knuth advises."""
    middle = [n // 2 + (k + 1) // 2 * (-1 if k % 2 else 1) for k in range(n)]
    middle = [x for x in middle if 0 <= x < n]
    diagonals = [f"{kind}{d}" for kind in "ab" for d in range(1, 2 * n - 2)]
    known = set(diagonals)
    options = [
        (f"r{r}", f"c{c}", *(d for d in (f"a{r + c}", f"b{n - 1 - r + c}") if d in known))
        for r in middle
        for c in middle
    ]
    return Matrix(tuple(f"{kind}{x}" for x in middle for kind in "rc"), tuple(diagonals), tuple(options))


def langford(n: int) -> Matrix:
    """Two of each of 1 … n in a row, the two of k with k others between; mirror images count apart."""
    options = [(f"n{k}", f"s{s}", f"s{s + k + 1}") for k in range(1, n + 1) for s in range(1, 2 * n - k)]
    return Matrix((*(f"n{k}" for k in range(1, n + 1)), *(f"s{s}" for s in range(1, 2 * n + 1))), (), tuple(options))


def latin(n: int) -> Matrix:
    """Latin squares."""
    cells = list(product(range(n), repeat=2))
    options = [(f"p{r}{c}", f"r{r}{v}", f"c{c}{v}") for r, c in cells for v in range(n)]
    return Matrix(tuple(f"{kind}{a}{b}" for kind in "prc" for a, b in cells), (), tuple(options))


def matchings(n: int) -> Matrix:
    """Perfect matchings of the complete graph."""
    options = [(f"i{a}", f"i{b}") for a in range(n) for b in range(a)]
    return Matrix(tuple(f"i{k}" for k in range(n)), (), tuple(options))


def macmahon(rows: int = 4, columns: int = 6) -> Matrix:
    """MacMahon's 24 squares of three colours; edges that meet agree, the border has the first colour."""
    patterns = list(product("abc", repeat=4))
    turns = [lambda p, k=k: p[k:] + p[:k] for k in range(4)]
    tile = {p: "".join(min(turn(p) for turn in turns)) for p in patterns}
    tiles = list(dict.fromkeys(sorted(tile.values())))
    options = []
    for r, c in product(range(rows), range(columns)):
        edges = (f"h{r}{c}", f"v{r}{c + 1}", f"h{r + 1}{c}", f"v{r}{c}")
        border = (r == 0, c == columns - 1, r == rows - 1, c == 0)
        for p in patterns:
            if all(colour == "a" for colour, outside in zip(p, border, strict=True) if outside):
                options.append((tile[p], f"{r}{c}", *(f"{e}:{x}" for e, x in zip(edges, p, strict=True))))
    horizontal = [f"h{r}{c}" for r in range(rows + 1) for c in range(columns)]
    vertical = [f"v{r}{c}" for r in range(rows) for c in range(columns + 1)]
    cells = [f"{r}{c}" for r in range(rows) for c in range(columns)]
    return Matrix((*tiles, *cells), (*horizontal, *vertical), tuple(options))


def random_exact(items: int, options: int, seed: int) -> Matrix:
    """Random options of two to five items, among them one hidden answer."""
    rng = random.Random(seed)
    names = [f"i{k}" for k in range(items)]
    rest = rng.sample(names, items)
    rows: list[Option] = []
    while rest:
        size = min(rng.randint(2, 5), len(rest))
        rows.append(tuple(sorted(rest[:size])))
        rest = rest[size:]
    while len(rows) < options:
        rows.append(tuple(sorted(rng.sample(names, rng.randint(2, 5)))))
    rng.shuffle(rows)
    return Matrix(tuple(names), (), tuple(rows))


def sudoku(box: int, share: float, seed: int) -> Matrix:
    """A sudoku of side box² with about that share of its cells given, which has one or more answers.

    The full grid is the cyclic one with rows, columns, bands and digits shuffled. Options that the given cells
    exclude are left out.
    """
    side = box * box
    rng = random.Random(seed)

    def lines() -> list[int]:
        return [b * box + k for b in rng.sample(range(box), box) for k in rng.sample(range(box), box)]

    rows, columns, digits = lines(), lines(), rng.sample(range(side), side)
    full = {
        (r, c): digits[(rows[r] % box * box + rows[r] // box + columns[c]) % side]
        for r, c in product(range(side), repeat=2)
    }
    given = set(rng.sample(sorted(full), round(share * side * side)))
    met = {name for cell in given for name in _sudoku_option(*cell, full[cell], box)}
    every = [_sudoku_option(r, c, d, box) for r, c, d in product(range(side), repeat=3)]
    options = [option for option in every if met.isdisjoint(option)]
    items = dict.fromkeys(name for kind in range(4) for option in every for name in option[kind : kind + 1])
    return Matrix(tuple(name for name in items if name not in met), (), tuple(options))


def _sudoku_option(r: int, c: int, d: int, box: int) -> Option:
    b = r // box * box + c // box
    x, y, z, w = DIGITS[r], DIGITS[c], DIGITS[d], DIGITS[b]
    return (f"p{x}{y}", f"r{x}{z}", f"c{y}{z}", f"b{w}{z}")


MAKERS: Mapping[str, Callable[[], Matrix]] = {
    "pent-8x8c": lambda: pentominoes(8, 8, product((3, 4), repeat=2)),
    "pent-6x10": lambda: pentominoes(6, 10),
    "soma": soma,
    "queens-12": lambda: queens(12),
    "queens-13": lambda: queens(13),
    "queens-100": lambda: queens(100),
    "langford-12": lambda: langford(12),
    "langford-40": lambda: langford(40),
    "latin-5": lambda: latin(5),
    "domino-8x8": lambda: dominoes(8, 8),
    "domino-16x16": lambda: dominoes(16, 16),
    "match-24": lambda: matchings(24),
    "macmahon-4x6": macmahon,
    "ypent-10x10": lambda: y_pentominoes(10),
    "pent-3x20": lambda: pentominoes(3, 20),
}
