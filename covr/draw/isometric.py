"""A solid seen from a corner, first whole and then with its pieces moved apart.

Every cell is a cube. The pieces are moved away from the middle of the solid, as far as no two cubes collide; if they
are interlocked so that they can't be moved at all, only the whole solid is drawn. Cubes are painted from back to
front: of two cubes on the same line of sight, one is behind the other along some axis, which gives the order.

Axes: the first coordinate (layer) runs downwards, so that layer 1 is the top; rows come towards the reader on the left,
columns on the right.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations

from covr.draw.elements import DrawnBlock, Point, path, tag
from covr.draw.pieces import Place
from covr.draw.themes import Theme, mixed

# Cubes. Every pair of them is compared, so a solid with more cells is shown only in layers.
MOST_CUBES = 500
SIDE = 30.0  # pixels: the side of a cube
SPREADS = (1.4, 1.2, 1.0, 0.8, 0.65, 0.5, 0.4, 0.3, 0.2)  # how far apart pieces are drawn, in cubes, tried in turn
COS, SIN = 0.8660254, 0.5  # of 30 degrees

Vector = tuple[float, float, float]
STEPS = ((-1, 0, 0), (0, 1, 0), (0, 0, 1))  # towards the reader: up, down-left, down-right


def draw_isometric(owner: Mapping[Place, int], fill: Mapping[int, str], theme: Theme) -> list[DrawnBlock]:
    """The solid, and its pieces moved apart if they can be; nothing if it has too many cells, or none."""
    if not 0 < len(owner) <= MOST_CUBES:
        return []
    whole = {at: (float(at[0]), float(at[1]), float(at[2])) for at in owner}
    apart = _apart(owner)
    return [_seen(where, owner, fill, theme) for where in (whole, apart) if where is not None]


def _seen(
    where: Mapping[Place, Vector], owner: Mapping[Place, int], fill: Mapping[int, str], theme: Theme
) -> DrawnBlock:
    """Cubes at these positions, as they are seen from the corner."""
    cubes = _back_to_front(where)
    faces = [face for at in cubes for face in _faces(at, where[at], owner, fill[owner[at]], theme)]
    points = [p for at in where for p in _extent(where[at])]
    left, top = min(x for x, _ in points), min(y for _, y in points)
    right, bottom = max(x for x, _ in points), max(y for _, y in points)
    moved = tag("g", "\n", *(f"{f}\n" for f in faces), class_="solid", transform=_shift(2 - left, 2 - top))
    return DrawnBlock(right - left + 4, bottom - top + 4, (moved,))


def _shift(x: float, y: float) -> str:
    return f"translate({x:.2f} {y:.2f})"


def _project(v: Vector) -> Point:
    z, r, c = v
    return (c - r) * COS * SIDE, (c + r) * SIN * SIDE + z * SIDE


# --- moving apart ---


def _apart(owner: Mapping[Place, int]) -> dict[Place, Vector] | None:
    """Where each cell is drawn when pieces are moved apart: the position of its corner with the least coordinates. None
    if they can't be moved, as where all have one middle."""
    cells: dict[int, list[Place]] = {}
    for at, piece in owner.items():
        cells.setdefault(piece, []).append(at)
    middle = [sum(axis) / len(owner) for axis in zip(*owner, strict=True)]
    away = {
        piece: [sum(axis) / len(members) - m for axis, m in zip(zip(*members, strict=True), middle, strict=True)]
        for piece, members in cells.items()
    }
    if not any(abs(step) > 1e-9 for steps in away.values() for step in steps):
        return None
    for spread in SPREADS:
        where = {
            at: (at[0] + spread * a[0], at[1] + spread * a[1], at[2] + spread * a[2])
            for at, piece in sorted(owner.items())
            for a in [away[piece]]
        }
        if not _collide(where, owner):
            return where
    return None


def _collide(where: Mapping[Place, Vector], owner: Mapping[Place, int]) -> bool:
    return any(
        owner[one] != owner[other] and all(abs(a - b) < 1 - 1e-9 for a, b in zip(u, v, strict=True))
        for (one, u), (other, v) in combinations(where.items(), 2)
    )


# --- painting ---


def _back_to_front(where: Mapping[Place, Vector]) -> list[Place]:
    """The cells in an order in which no cube is painted over one in front of it."""
    cells = sorted(where, key=lambda at: (_depth(where[at]), at))
    behind: dict[Place, list[Place]] = {at: [] for at in cells}
    for one, other in combinations(cells, 2):
        first, second = _is_behind(where[one], where[other]), _is_behind(where[other], where[one])
        if first and not second:
            behind[other].append(one)
        elif second and not first:
            behind[one].append(other)
    order: dict[Place, None] = {}
    for at in cells:
        _visit(at, behind, order)
    return list(order)


def _visit(start: Place, behind: Mapping[Place, Sequence[Place]], order: dict[Place, None]) -> None:
    """Put a cell into the order after all that lie behind it."""
    stack = [(start, iter(behind[start]))]
    open_ = {start}
    while stack:
        at, rest = stack[-1]
        further = next((n for n in rest if n not in order and n not in open_), None)
        if further is None:
            stack.pop()
            order[at] = None
        else:
            open_.add(further)
            stack.append((further, iter(behind[further])))


def _depth(v: Vector) -> float:
    return round(v[1] + v[2] - v[0], 6)


def _is_behind(one: Vector, other: Vector) -> bool:
    """Whether a cube lies wholly behind another along some axis."""
    tiny = 1e-9
    return one[0] >= other[0] + 1 - tiny or one[1] + 1 <= other[1] + tiny or one[2] + 1 <= other[2] + tiny


def _extent(v: Vector) -> list[Point]:
    return [_project((v[0] + a, v[1] + b, v[2] + c)) for a in (0, 1) for b in (0, 1) for c in (0, 1)]


def _faces(at: Place, v: Vector, owner: Mapping[Place, int], fill: str, theme: Theme) -> list[str]:
    """The visible faces of a cube, except where its piece continues, and lines where the piece ends or turns."""
    z, r, c = v
    corners: tuple[Callable[[float, float], Vector], ...] = (
        lambda a, b: (z, r + a, c + b),
        lambda a, b: (z + a, r + 1, c + b),
        lambda a, b: (z + a, r + b, c + 1),
    )
    plane = (((0, 1, 0), (0, 0, 1)), ((1, 0, 0), (0, 0, 1)), ((1, 0, 0), (0, 1, 0)))
    shade = (mixed(fill, "#ffffff", 0.18), mixed(fill, "#000000", 0.14), mixed(fill, "#000000", 0.32))
    mine = owner[at]

    def same(*steps: Sequence[int]) -> bool:
        there = tuple(x + sum(s[i] for s in steps) for i, x in enumerate(at))
        return owner.get(there) == mine

    drawn, lines = [], []
    for corner, (down, across), out, colour in zip(corners, plane, STEPS, shade, strict=True):
        if same(out):
            continue
        square = [_project(corner(a, b)) for a, b in ((0, 0), (0, 1), (1, 1), (1, 0))]
        drawn.append(tag("path", d=path([square]), fill=colour, stroke=colour, stroke_width=0.6))
        for (i, j), step in zip(((0, 1), (1, 2), (3, 2), (0, 3)), _around(down, across), strict=True):
            if not same(step) or same(step, out):
                lines.append([square[i], square[j]])
    if lines:
        drawn.append(
            tag("path", d=path(lines, closed=False), fill="none", stroke=theme.line, stroke_width=1.3,
                stroke_linecap="round")
        )  # fmt: skip
    return drawn


def _around(down: Sequence[int], across: Sequence[int]) -> tuple[Sequence[int], ...]:
    """The steps over the four sides of a face: up, right, down, left."""
    return tuple(-x for x in down), across, down, tuple(-x for x in across)
