"""Lines on a grid of cells: between cells that differ, and round sets of cells.

Corners are points (row, column) of the grid of corners: the cell (r, c) lies between the corners (r, c) and
(r + 1, c + 1).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

Cell = tuple[int, int]
Segment = tuple[Cell, Cell]
Near = Callable[[Cell], Iterable[Cell]]


def segments(cells: Collection[Cell], runs: Callable[[Cell, Cell], bool]) -> list[Segment]:
    """The straight lines, as long as possible, along those sides of cells where `runs(one, other)` is true for the
    cells on the two sides.

    At least one of the two belongs to `cells`. Horizontal lines come first, from the top, then vertical ones, from the
    left.
    """
    across, down = set(), set()
    for r, c in cells:
        for row in (r, r + 1):
            if (row, c) not in across and runs((row - 1, c), (row, c)):
                across.add((row, c))
        for column in (c, c + 1):
            if (column, r) not in down and runs((r, column - 1), (r, column)):
                down.add((column, r))
    found = [((row, start), (row, end)) for row, start, end in _stretches(across)]
    return found + [((start, column), (end, column)) for column, start, end in _stretches(down)]


def _stretches(sides: set[Cell]) -> Iterator[tuple[int, int, int]]:
    """Sides (line, position) joined end to end: (line, start, end)."""
    start: Cell | None = None
    last: Cell | None = None
    for side in sorted(sides):
        if last is None or side != (last[0], last[1] + 1):
            if start is not None and last is not None:
                yield start[0], start[1], last[1] + 1
            start = side
        last = side
    if start is not None and last is not None:
        yield start[0], start[1], last[1] + 1


def loops(cells: Collection[Cell]) -> list[list[Cell]]:
    """The closed lines round a set of cells. The cells are to the right of each line, so lines round holes run the
    other way.

    Each line is given by the corners where it turns, beginning with the smallest. Where cells meet only in a corner,
    the lines separate, so that each piece has its own.
    """
    ways: dict[Cell, list[Cell]] = {}
    for r, c in cells:
        for cell, start, end in (
            ((r - 1, c), (r, c), (r, c + 1)),
            ((r, c + 1), (r, c + 1), (r + 1, c + 1)),
            ((r + 1, c), (r + 1, c + 1), (r + 1, c)),
            ((r, c - 1), (r + 1, c), (r, c)),
        ):
            if cell not in cells:
                ways.setdefault(start, []).append(end)
    found = []
    for start in sorted(ways):
        while ways.get(start):
            found.append(_turns(_walk(start, ways)))
    return found


def _walk(start: Cell, ways: dict[Cell, list[Cell]]) -> list[Cell]:
    """One loop, taken out of `ways`."""
    corners = [start]
    before = start
    here = ways[start].pop(0)
    while here != start:
        corners.append(here)
        onward = ways[here]
        # At a corner where two loops touch, turn right, to stay at the same cell.
        right = (here[0] + (here[1] - before[1]), here[1] - (here[0] - before[0]))
        onward.sort(key=lambda end: end != right)
        before, here = here, onward.pop(0)
    return corners


def _turns(corners: list[Cell]) -> list[Cell]:
    """Only the corners where the line turns."""
    around = zip([corners[-1], *corners[:-1]], corners, [*corners[1:], corners[0]], strict=True)
    return [b for a, b, c in around if not (a[0] == b[0] == c[0] or a[1] == b[1] == c[1])]


def beside(at: Cell) -> tuple[Cell, ...]:
    """The four cells that share a side with a cell."""
    r, c = at
    return (r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)


def parts(owner: Mapping[Cell, int], near: Near = beside) -> list[list[Cell]]:
    """The connected parts of the cells of each number, where cells are connected if they touch; in order of first cell,
    each part sorted."""
    found = []
    seen: set[Cell] = set()
    for start in sorted(owner):
        if start not in seen:
            part = flood(start, lambda at, number=owner[start]: owner.get(at) == number, near)  # type: ignore[misc]
            seen |= part
            found.append(sorted(part))
    return found


def holes(cells: Collection[Cell]) -> set[Cell]:
    """The places that are not among the cells but are enclosed by them. Time linear in the box around the cells."""
    if not cells:
        return set()
    rows, columns = [r for r, _ in cells], [c for _, c in cells]
    top, bottom, left, right = min(rows) - 1, max(rows) + 1, min(columns) - 1, max(columns) + 1

    def outside(at: Cell) -> bool:
        return top <= at[0] <= bottom and left <= at[1] <= right and at not in cells

    out = flood((top, left), outside, beside)
    box = ((r, c) for r in range(top, bottom + 1) for c in range(left, right + 1))
    return {at for at in box if at not in cells and at not in out}


def flood(start: Cell, inside: Callable[[Cell], bool], near: Near) -> set[Cell]:
    """The cells that are reached from one, each from one that it touches."""
    seen, stack = {start}, [start]
    while stack:
        for at in near(stack.pop()):
            if at not in seen and inside(at):
                seen.add(at)
                stack.append(at)
    return seen
