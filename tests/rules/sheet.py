"""A board on which something is drawn, as the checks of rules look at it: squares, rooms, lines, regions, runs.

It shares nothing with covr's models: it is written for the checks, with sets and loops over all squares.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from functools import cached_property

from covr.links.places import SECRET, Board, Cell, Value
from tests.rules.drawn import Filling

Pair = tuple[Cell, Cell]
WAYS = ((0, 1), (1, 0), (0, -1), (-1, 0))
AHEAD = {"^": (-1, 0), "v": (1, 0), "<": (0, -1), ">": (0, 1)}


def beside(x: Cell) -> list[Cell]:
    """The four squares beside one, also those off the board."""
    return [(x[0] + i, x[1] + j) for i, j in WAYS]


def corners(x: Cell) -> list[Cell]:
    """The four squares that touch one at a corner only."""
    return [(x[0] + i, x[1] + j) for i in (-1, 1) for j in (-1, 1)]


def around(x: Cell) -> list[Cell]:
    """All eight."""
    return [*beside(x), *corners(x)]


def pair(x: Cell, y: Cell) -> Pair:
    """Two squares in order, as links tell the border or the line between them."""
    return (x, y) if x < y else (y, x)


def areas(squares: Collection[Cell], walls: Collection[object] = (), touch: object = beside) -> list[set[Cell]]:
    """What hangs together of some squares, where no wall parts them."""
    left, found = set(squares), []
    while left:
        area, waiting = set(), [left.pop()]
        while waiting:
            x = waiting.pop()
            area.add(x)
            for y in touch(x):  # type: ignore[operator]
                if y in left and pair(x, y) not in walls:
                    left.remove(y)
                    waiting.append(y)
        found.append(area)
    return found


def joined(squares: Collection[Cell], touch: object = beside) -> bool:
    """Whether squares hang together; none do."""
    return len(areas(squares, (), touch)) <= 1


def apart(squares: Collection[Cell]) -> bool:
    """Whether no two of them are beside each other."""
    return not any((r + 1, c) in squares or (r, c + 1) in squares for r, c in squares)


def box(squares: Collection[Cell]) -> tuple[int, int]:
    """How high and wide the smallest rectangle around squares is."""
    rows, columns = [r for r, _ in squares], [c for _, c in squares]
    return max(rows) - min(rows) + 1, max(columns) - min(columns) + 1


def rectangle(squares: Collection[Cell]) -> bool:
    """Whether squares fill a rectangle."""
    high, wide = box(squares)
    return len(squares) == high * wide


def shape(squares: Collection[Cell], turned: bool = True) -> tuple[Cell, ...]:
    """A name of the shape of squares, the same however they are turned and turned over (or not, unless `turned`)."""
    ways = (lambda r, c: (r, c), lambda r, c: (c, r)) if turned else (lambda r, c: (r, c),)
    signs = [(i, j) for i in (1, -1) for j in (1, -1)] if turned else [(1, 1)]
    found = []
    for way in ways:
        for i, j in signs:
            moved = [way(i * r, j * c) for r, c in squares]
            top, left = min(r for r, _ in moved), min(c for _, c in moved)
            found.append(tuple(sorted((r - top, c - left) for r, c in moved)))
    return min(found)


def runs(line: Iterable[Cell], squares: Collection[Cell]) -> list[list[Cell]]:
    """The parts of a line of squares that lie among some squares, without a gap."""
    found: list[list[Cell]] = [[]]
    for x in line:
        if x in squares:
            found[-1].append(x)
        elif found[-1]:
            found.append([])
    return found if found[-1] else found[:-1]


def lengths(line: Iterable[Cell], squares: Collection[Cell]) -> list[int]:
    """The lengths of these parts."""
    return [len(run) for run in runs(line, squares)]


def ends(lines: Iterable[Pair]) -> Counter[Cell]:
    """How many lines end at each place."""
    return Counter(x for line in lines for x in line)


def one_loop(lines: Collection[Pair]) -> bool:
    """Whether lines make one closed loop: at each place two of them end, and they hang together."""
    count = ends(lines)
    return bool(lines) and set(count.values()) == {2} and len(linked(lines)) == 1


def linked(lines: Collection[Pair]) -> list[set[Cell]]:
    """What lines join."""
    there = set(lines)
    walls = {pair(x, y) for x in ends(lines) for y in beside(x) if pair(x, y) not in there}
    return areas(ends(lines), walls)


class Sheet:
    """A board without what is drawn on it."""

    def __init__(self, board: Board) -> None:
        self.board, self.high, self.wide, self.flag = board, board.height, board.width, board.flag
        self.cells = frozenset((r, c) for r in range(1, self.high + 1) for c in range(1, self.wide + 1))
        self.rows = [[(r, c) for c in range(1, self.wide + 1)] for r in range(1, self.high + 1)]
        self.columns = [[(r, c) for r in range(1, self.high + 1)] for c in range(1, self.wide + 1)]
        self.lines = [*self.rows, *self.columns]
        self.pairs = [pair(x, y) for x in self.cells for y in beside(x) if y in self.cells and x < y]
        self.fours = [
            {(r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)} for r in range(1, self.high) for c in range(1, self.wide)
        ]

    def layer(self, name: str) -> dict[Cell, Value]:
        """What is printed in a layer."""
        return dict(self.board.layer(name))  # type: ignore[arg-type]

    @cached_property
    def clue(self) -> dict[Cell, Value]:
        """The clues."""
        return self.layer("clue")

    @cached_property
    def told(self) -> dict[Cell, int]:
        """The clues that are numbers."""
        return {x: n for x, n in self.clue.items() if isinstance(n, int)}

    @cached_property
    def holes(self) -> frozenset[Cell]:
        """The squares that are none."""
        return frozenset(self.layer("hole"))

    @cached_property
    def rooms(self) -> list[set[Cell]]:
        """The squares of each room; holes part rooms."""
        return areas(self.cells - self.holes, self.board.layer("border"))

    @cached_property
    def room(self) -> dict[Cell, int]:
        """The room of each square."""
        return {x: k for k, room in enumerate(self.rooms) for x in room}

    def asked(self) -> Iterator[tuple[set[Cell], int]]:
        """The rooms that are told a number."""
        for x, n in self.told.items():
            yield self.rooms[self.room[x]], n

    def touching(self) -> set[Pair]:
        """The rooms that lie beside each other, two by two, by their numbers."""
        return {
            tuple(sorted((self.room[x], self.room[y])))  # type: ignore[misc]
            for x, y in self.pairs
            if x in self.room and y in self.room and self.room[x] != self.room[y]
        }

    def ray(self, x: Cell, way: tuple[int, int]) -> list[Cell]:
        """The squares that lie ahead of one."""
        found = []
        while (x := (x[0] + way[0], x[1] + way[1])) in self.cells:
            found.append(x)
        return found

    def seen(self, x: Cell, squares: Collection[Cell]) -> int:
        """How many of some squares are seen from one, as far as the next other square."""
        count = 0
        for way in WAYS:
            for y in self.ray(x, way):
                if y not in squares:
                    break
                count += 1
        return count

    def on_rim(self, x: Cell) -> bool:
        """Whether a square lies at the edge of the board."""
        return x[0] in (1, self.high) or x[1] in (1, self.wide)

    def margin(self, line: int, layer: str = "margin") -> Value | None:
        """The number beside line k of `lines`, to the left of a row or above a column."""
        place = (line + 1, 0) if line < self.high else (0, line - self.high + 1)
        return self.board.layer(layer).get(place)

    def margins(self, line: int) -> list[Value]:
        """The numbers there, where there are several, in reading order."""
        at = line + 1 if line < self.high else line - self.high + 1
        most = self.high + self.wide
        places = [(at, -k) if line < self.high else (-k, at) for k in reversed(range(most))]
        layer = self.board.layer("margin")
        return [layer[place] for place in places if place in layer]

    def solid(self, squares: Collection[Cell]) -> bool:
        """Whether they fill some square of 2 by 2."""
        return any(four <= set(squares) for four in self.fours)

    def regions(self, walls: Collection[object]) -> list[set[Cell]] | None:
        """The regions that walls make; None where a wall ends inside of one."""
        found = areas(self.cells - self.holes, walls)
        of = {x: k for k, region in enumerate(found) for x in region}
        return None if any(of.get(x, -1) == of.get(y, -2) for x, y in walls) else found  # type: ignore[misc,attr-defined]


def marks(filling: Filling) -> frozenset[object]:
    """What is drawn as one value."""
    return frozenset((layer, place, value) for layer, found in filling.items() for place, value in found.items())


__all__ = ["AHEAD", "SECRET", "WAYS", "Cell", "Filling", "Pair", "Sheet"]
