"""The boards of _board_drawn.py as answer set programs for clingo, written as its users write them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

from benchmarks._board_puzzles import Board, Cell, box, near

DRAWN = {
    "numberlink": """
1 { number(X, K) : clue(_, K) } 1 :- cell(X).
:- clue(X, K), not number(X, K).
{ line(A, B) : pair(A, B) }.
at(A, B) :- line(A, B).   at(B, A) :- line(A, B).
:- line(A, B), number(A, K), not number(B, K).
:- clue(X, _), not 1 { at(X, _) } 1.
:- cell(X), not clue(X, _), not 2 { at(X, Y) : near(X, Y) } 2.
seen(X) :- first(X).   seen(Y) :- seen(X), at(X, Y).
:- cell(X), not seen(X).
#show line/2.   #show number/2.
""",
    "fillomino": """
1 { is(X, D) : D = 1..k } 1 :- cell(X).
:- clue(X, D), not is(X, D).
seen(X, X) :- cell(X).
seen(X, Z) :- seen(X, Y), near(Y, Z), is(Y, D), is(Z, D).
:- is(X, D), not D { seen(X, Y) } D.
#show is/2.
""",
    "battleships": """
N { ship(S) : spot(S, K) } N :- fleet(K, N).
:- corner(_, X), 2 { ship(S) : corner(S, X) }.
part(X) :- ship(S), square(S, X).
:- line(L, K), not K { part(X) : on(L, X) } K.
:- water(X), part(X).
#show ship/1.
""",
    "skyscrapers": """
1 { place(X, D) : D = 1..m } 1 :- cell(X).
1 { place(X, D) : run(G, X) } 1 :- run(G, _), D = 1..m.
hidden(L, K) :- at(L, K, X), at(L, J, Y), J < K, place(X, D), place(Y, E), E > D.
:- clue(L, S), not S { not hidden(L, K) : at(L, K, _) } S.
#show place/2.
""",
    "tents": """
1 { tent(T, X) : beside(T, X) } 1 :- tree(T).
at(X) :- tent(_, X).
:- tent(T, X), tent(U, X), T < U.
:- at(X), at(Y), close(X, Y).
:- line(L, K), not K { at(X) : on(L, X) } K.
#show tent/2.
""",
    "dominosa": """
{ lay(A, B) : pair(A, B) }.
:- cell(X), not 1 { lay(X, B) : pair(X, B) ; lay(A, X) : pair(A, X) } 1.
:- domino(D), not 1 { lay(A, B) : same(A, B, D) } 1.
#show lay/2.
""",
    "star_battle": """
k { star(X) : group(G, X) } k :- group(G, _).
:- star(X), star(Y), close(X, Y).
#show star/1.
""",
    "jigsaw": """
1 { place(X, D) : D = 1..m } 1 :- cell(X).
1 { place(X, D) : run(G, X) } 1 :- run(G, _), D = 1..m.
:- clue(X, D), not place(X, D).
#show place/2.
""",
}


def spots(board: Board) -> Iterator[tuple[int, list[Cell]]]:
    """Where ships may lie: their length and their squares."""
    n = board.data["n"]
    for k in range(1, len(board.data["fleet"]) + 1):
        for (r, c), across in product(box(n), (True, False)):
            ship = [(r, c + i) if across else (r + i, c) for i in range(k)]
            if max(ship[-1]) <= n and (across or k > 1):
                yield k, ship


def corners(ship: Iterable[Cell]) -> set[Cell]:
    """The corners of the squares of a ship."""
    return {(r + i, c + j) for r, c in ship for i, j in product((0, 1), repeat=2)}


def lines(n: int) -> Iterator[tuple[tuple[str, int], list[Cell]]]:
    """The rows and columns, from the left and from the top, by name."""
    for k in range(1, n + 1):
        yield ("r", k), [(k, c) for c in range(1, n + 1)]
        yield ("c", k), [(r, k) for r in range(1, n + 1)]


def groups(board: Board) -> Iterator[list[Cell]]:
    """The rows and columns and, where there are some, the regions."""
    yield from (line for _, line in lines(board.data["n"]))
    region = board.data.get("region", {})
    for name in sorted(set(region.values())):
        yield [x for x in region if region[x] == name]


def margins(board: Board) -> Iterator[tuple[int, list[Cell]]]:
    """What is told of every row and column, and its squares."""
    for (side, k), line in lines(board.data["n"]):
        yield board.data["across" if side == "r" else "down"][k - 1], line


def views(board: Board) -> Iterator[tuple[int, list[Cell]]]:
    """How many buildings of a line are seen, and its squares, the nearest first."""
    seen = {side["name"]: side["seen"] for side in board.data["sides"]}
    for (side, k), line in lines(board.data["n"]):
        first, last = ("left", "right") if side == "r" else ("top", "bottom")
        yield seen[first][k - 1], line
        yield seen[last][k - 1], line[::-1]


def close(cells: Iterable[Cell]) -> Iterator[tuple[Cell, Cell]]:
    """Squares that touch, at a side or a corner, each pair once."""
    held = set(cells)
    for r, c in held:
        for i, j in ((0, 1), (1, -1), (1, 0), (1, 1)):
            if (r + i, c + j) in held:
                yield (r, c), (r + i, c + j)


def beside(board: Board) -> Iterator[tuple[Cell, Cell]]:
    """A tree, and where its tent may be."""
    data = board.data
    for t in data["tree"]:
        for x in near(t):
            if 1 <= min(x) <= max(x) <= data["n"] and x not in data["tree"]:
                yield t, x


def layings(board: Board) -> Iterator[tuple[Cell, Cell, tuple[int, int]]]:
    """Two squares side by side, and the domino that they make."""
    face = board.data["face"]
    for a in face:
        for b in near(a):
            if b in face and a < b:
                yield a, b, (min(face[a], face[b]), max(face[a], face[b]))


def rows(board: Board) -> Iterator[tuple[str, Iterable[tuple[Any, ...]]]]:
    """What a board is about: names, and the rows of each."""
    data, n = board.data, board.data["n"]
    if board.name in ("numberlink", "skyscrapers", "jigsaw", "fillomino"):
        yield "cell", [(x,) for x in box(n)]
    if board.name == "fillomino":
        yield "near", [(x, y) for x in box(n) for y in near(x) if 1 <= min(y) <= max(y) <= n]
        yield "clue", data["clue"].items()
    if board.name == "numberlink":
        clue = data["clue"]
        yield "pair", [(x, y) for x in box(n) for y in near(x) if 1 <= min(y) <= max(y) <= n and x < y]
        yield "near", [(x, y) for x in box(n) for y in near(x) if 1 <= min(y) <= max(y) <= n]
        yield "clue", clue.items()
        yield "first", [(min(x for x in clue if clue[x] == k),) for k in set(clue.values())]
    elif board.name == "battleships":
        ships = list(enumerate(spots(board)))
        yield "fleet", enumerate(data["fleet"], 1)
        yield "spot", [(s, k) for s, (k, _) in ships]
        yield "square", [(s, x) for s, (_, ship) in ships for x in ship]
        yield "corner", [(s, x) for s, (_, ship) in ships for x in corners(ship)]
        yield "water", [(x,) for x in data["clue"]]
    elif board.name == "skyscrapers":
        yield "at", [(k, i, x) for k, (_, line) in enumerate(views(board)) for i, x in enumerate(line)]
        yield "clue", [(k, seen) for k, (seen, _) in enumerate(views(board))]
    elif board.name == "tents":
        yield "tree", [(x,) for x in data["tree"]]
        yield "beside", beside(board)
        yield "close", close(x for _, x in beside(board))
    elif board.name == "dominosa":
        found = list(layings(board))
        yield "cell", [(x,) for x in data["face"]]
        yield "pair", [(a, b) for a, b, _ in found]
        yield "same", found
        yield "domino", [(d,) for d in {d for _, _, d in found}]
    elif board.name == "star_battle":
        yield "group", [(k, x) for k, group in enumerate(groups(board)) for x in group]
        yield "close", close(box(n))
    elif board.name == "jigsaw":
        yield "clue", data["clue"].items()
    if board.name in ("skyscrapers", "jigsaw"):
        yield "run", [(k, x) for k, group in enumerate(groups(board)) for x in group]
    if board.name in ("battleships", "tents"):
        yield "line", [(k, told) for k, (told, _) in enumerate(margins(board))]
        yield "on", [(k, x) for k, (_, line) in enumerate(margins(board)) for x in line]


def constants(board: Board) -> str:
    """The numbers that a program names."""
    return f"#const m = {board.data['n']}.\n#const k = {board.data.get('k', board.data.get('most', 1))}.\n"


def chosen(board: Board, by: dict[str, list[tuple[Any, ...]]]) -> Iterator[str]:
    """The atoms of an answer, by name, as choices of covr's model."""
    if board.name == "numberlink":
        number = dict(by["number"])
        yield from (f"draw({{{min(pair)}, {max(pair)}}}, {number[pair[0]]})" for pair in by["line"])
    elif board.name == "fillomino":
        size = dict(by["is"])
        yield from (f"is({x}, {size[x]})" for x in size)
        yield from (f"wall({{{x}, {y}}})" for x in size for y in near(x) if x < y and size[x] != size.get(y, size[x]))
    elif board.name == "battleships":
        ships = [list(spots(board))[s] for (s,) in by["ship"]]
        yield from (f"ship({k}, {{{', '.join(map(str, ship))}}})" for k, ship in ships)
        parts = {x for _, ship in ships for x in ship}
        yield from (f"free({r}, {c})" for r, c in box(board.data["n"]) if (r, c) not in parts)
    elif board.name == "skyscrapers":
        height = dict(by["place"])
        names = [name for side in (("left", "right"), ("top", "bottom")) for name in side]
        for k, (_, line) in enumerate(views(board)):
            tall = 0
            for at, x in enumerate(line, 1):
                if height[x] > tall:
                    tall = height[x]
                    yield f"see({names[k % 4]}, {k // 4 + 1}, {at}, {tall})"
    elif board.name == "tents":
        yield from (f"tent({t}, {r}, {c})" for t, (r, c) in by["tent"])
    elif board.name == "dominosa":
        yield from (f"lay({a}, {b})" for a, b in by["lay"])
    elif board.name == "star_battle":
        yield from (f"star({r}, {c})" for ((r, c),) in by["star"])
