"""The ten boards as answer set programs for clingo, written as its users write them, and what their answers say."""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from benchmarks._board_drawn_clingo import DRAWN, constants, rows
from benchmarks._board_puzzles import Board, ahead, box, near, spans

# A loop: lines between neighbours, none or two at each place, all reached from one of them.
LOOP = """
{ line(A, B) : pair(A, B) }.
at(A, B) :- line(A, B).   at(B, A) :- line(A, B).
on(A) :- at(A, _).
:- place(A), on(A), not 2 { at(A, B) : touch(A, B) } 2.
seen(B) :- seen(A), at(A, B).
:- on(A), not seen(A).
touch(A, B) :- pair(A, B).   touch(B, A) :- pair(A, B).
:- not on(_).
#show line/2.
"""
# The first place, in the order of places, that is on the loop.
FIRST = "past(B) :- on(A), next(A, B).   past(B) :- past(A), next(A, B).   seen(A) :- on(A), not past(A).\n"
# Squares that are not shaded hang together: (1, 1) is one of them, or (1, 2) is.
SHADE = """
{ shade(X) : cell(X) }.
:- shade(X), shade(Y), touch(X, Y).
seen((1, 1)) :- not shade((1, 1)).
seen((1, 2)) :- shade((1, 1)).
seen(Y) :- seen(X), touch(X, Y), not shade(Y).
:- cell(X), not shade(X), not seen(X).
#show shade/1.
"""
DIGITS = """
1 { place(X, D) : D = 1..m } 1 :- cell(X).
:- run(G, X), run(G, Y), X < Y, place(X, D), place(Y, D).
:- total(G, S), #sum { D, X : run(G, X), place(X, D) } != S.
#show place/2.
"""
PROGRAMS = {
    "slitherlink": LOOP + FIRST + ":- clue(C, K), not K { line(A, B) : around(C, A, B) } K.",
    "masyu": LOOP
    + """
:- pearl(X, _), not on(X).
seen(X) :- start(X).
straight(X) :- pair(Y, X), pair(X, Z), opposite(Y, X, Z), line(Y, X), line(X, Z).
:- pearl(X, b), straight(X).
:- pearl(X, b), at(X, Y), not straight(Y).
:- pearl(X, w), not straight(X).
:- pearl(X, w), at(X, Y), at(X, Z), Y < Z, straight(Y), straight(Z).
""",
    "yajilin": LOOP
    + FIRST
    + """
shade(A) :- place(A), not on(A).
:- shade(A), shade(B), touch(A, B).
:- clue(C, K), not K { shade(A) : ahead(C, A) } K.
#show shade/1.
""",
    "nurikabe": """
1 { sea(X) ; land(X, K) : may(X, K) } 1 :- cell(X).
:- land(X, K), land(Y, L), touch(X, Y), K != L.
:- clue(K, S), not S { land(X, K) : may(X, K) } S.
part(K, K) :- clue(K, _).
part(Y, K) :- part(X, K), touch(X, Y), land(Y, K).
:- land(X, K), not part(X, K).
past(Y) :- sea(X), next(X, Y).   past(Y) :- past(X), next(X, Y).   seen(X) :- sea(X), not past(X).
seen(Y) :- seen(X), touch(X, Y), sea(Y).
:- sea(X), not seen(X).
:- sea((R, C)), sea((R + 1, C)), sea((R, C + 1)), sea((R + 1, C + 1)).
#show land/2.
""",
    "heyawake": SHADE
    + """
:- clue(K, S), not S { shade(X) : room(X, K) } S.
:- span(L, _), not shade(X) : span(L, X).
""",
    "hitori": SHADE + ":- same(X, Y), not shade(X), not shade(Y).",
    "killer": DIGITS + "1 { place(X, D) : run(G, X) } 1 :- full(G), D = 1..m.",
    "kakuro": DIGITS,
    "nonogram": """
1 { start(L, K, S) : S = 1..n + 1 - B } 1 :- block(L, K, B).
:- start(L, K, S), start(L, K + 1, T), block(L, K, B), T <= S + B.
black(L, I) :- start(L, K, S), block(L, K, B), I = S..S + B - 1.
:- black((r, I), J), not black((c, J), I).
:- black((c, J), I), not black((r, I), J).
picture(I, J) :- black((r, I), J).
#show picture/2.
""",
    "rota": """
S { work(P, D, T) : person(P, _) } S :- staff(T, S), day(D).
:- person(P, _), day(D), not { work(P, D, T) } 1.
:- person(P, H), #sum { L, D, T : work(P, D, T), length(T, L) } > H.
:- person(P, _), day(D), day(D + 5), not { work(P, E, T) : E = D..D + 5 } 5.
:- work(P, D, T), work(P, D + 1, U), U < T.
#show work/3.
""",
}
BEST = "#minimize { 1, P, D, T : work(P, D, T), wish(P, D) }."


def _facts(name: str, rows: Iterable[tuple[Any, ...]]) -> str:
    return "".join(f"{name}({', '.join(str(x) for x in row)}).\n" for row in rows)


def _pairs(cells: Iterable[tuple[int, int]], name: str) -> str:
    held = set(cells)
    return _facts(name, [(x, y) for x in held for y in near(x) if y in held and (x < y or name == "touch")])


def facts(board: Board) -> str:
    """What a board is about, as facts."""
    data = board.data
    n = data.get("n", 0)
    if board.name == "slitherlink":
        corners = box(n + 1)
        text = _facts("place", [(x,) for x in corners]) + _pairs(corners, "pair") + _facts("next", pairwise(corners))
        for (r, c), k in data["clue"].items():
            a, b, d, e = (r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)
            text += _facts("clue", [((r, c), k)])
            text += _facts("around", [((r, c), *pair) for pair in ((a, b), (a, d), (b, e), (d, e))])
        return text
    if board.name == "masyu":
        opposite = [((r - i, c - j), (r, c), (r + i, c + j)) for r, c in box(n) for i, j in ((0, 1), (1, 0))]
        return (
            _facts("place", [(x,) for x in box(n)]) + _pairs(box(n), "pair") + _facts("pearl", data["pearl"].items())
            + _facts("opposite", opposite) + _facts("start", [(min(data["pearl"]),)])
        )  # fmt: skip
    if board.name == "yajilin":
        open_ = [x for x in box(n) if x not in data["arrow"]]
        seen = [(x, y) for x, a in data["arrow"].items() for y in ahead(x, a, n) if y in open_]
        return (
            _facts("place", [(x,) for x in open_]) + _pairs(open_, "pair") + _facts("clue", data["clue"].items())
            + _facts("ahead", seen) + _facts("next", pairwise(open_))
        )  # fmt: skip
    if board.name == "nurikabe":
        may = [(x, k) for k, s in data["clue"].items() for x in box(n) if abs(x[0] - k[0]) + abs(x[1] - k[1]) < s]
        given = "".join(f":- not land({k}, {k}).\n" for k in data["clue"])
        return (
            _facts("cell", [(x,) for x in box(n)]) + _pairs(box(n), "touch") + _facts("clue", data["clue"].items())
            + _facts("may", may) + given + _facts("next", pairwise(box(n)))
        )  # fmt: skip
    if board.name == "heyawake":
        room = data["room"]
        text = _facts("cell", [(x,) for x in room]) + _pairs(room, "touch") + _facts("room", room.items())
        text += _facts("clue", [(room[x], k) for x, k in data["clue"].items()])
        return text + _facts("span", [(k, x) for k, s in enumerate(spans(n, room)) for x in s])
    if board.name == "hitori":
        number = data["number"]
        same = [(x, y) for x in number for y in number
                if x < y and number[x] == number[y] and (x[0] == y[0] or x[1] == y[1])]  # fmt: skip
        return _facts("cell", [(x,) for x in number]) + _pairs(number, "touch") + _facts("same", same)
    if board.name in ("killer", "kakuro"):
        runs, full, m = digit_runs(board)
        text = f"#const m = {m}.\n" + _facts("cell", [(x,) for x in sorted({x for _, run in runs for x in run})])
        for k, (total, run) in enumerate(runs):
            text += _facts("run", [(k, x) for x in run]) + ("" if total is None else _facts("total", [(k, total)]))
        return text + _facts("full", [(k,) for k in range(len(runs)) if full[k]])
    if board.name == "nonogram":
        text = f"#const n = {len(data['rows'])}.\n"
        for side, lines in (("r", data["rows"]), ("c", data["columns"])):
            for i, line in enumerate(lines, 1):
                text += _facts("block", [(f"({side}, {i})", k, b) for k, b in enumerate(line.split(), 1)])
        return text
    return (
        _facts("person", enumerate(data["hours"], 1)) + _facts("staff", enumerate(data["staff"], 1))
        + _facts("length", enumerate((8, 8, 10), 1))
        + f"day(1..{data['days']}).\n" + _facts("wish", sorted(data["wishes"]))
    )  # fmt: skip


def digit_runs(board: Board) -> tuple[list[tuple[int | None, list[tuple[int, int]]]], list[bool], int]:
    """Of a killer sudoku or a kakuro, the squares that hold different digits, with their total or None; whether they
    hold all digits; and the largest digit."""
    data = board.data
    if board.name == "kakuro":
        runs = []
        for name, (i, j) in (("across", (0, 1)), ("down", (1, 0))):
            for (r, c), total in data[name].items():
                if total == "#":
                    continue
                run = [(r + i, c + j)]
                while (y := (run[-1][0] + i, run[-1][1] + j)) not in data["across"] and max(y) <= data["n"]:
                    run.append(y)
                runs.append((total, run))
        return runs, [False] * len(runs), 9
    high, wide, cage = data["high"], data["wide"], data["cage"]
    n = high * wide
    parts: dict[Any, list[tuple[int, int]]] = {}
    for r, c in box(n):
        for name in (("r", r), ("c", c), ("b", (r - 1) // high, (c - 1) // wide)):
            parts.setdefault(name, []).append((r, c))
    whole: list[tuple[int | None, list[tuple[int, int]]]] = [(None, run) for run in parts.values()]
    cages = [(total, [y for y in cage if cage[y] == cage[x]]) for x, total in data["clue"].items()]
    return [*whole, *cages], [True] * len(whole) + [False] * len(cages), n


def program(board: Board, best: bool) -> str:
    """The whole program. best: for the best answer, where a board has a goal."""
    if board.name in DRAWN:
        return DRAWN[board.name] + constants(board) + "".join(_facts(name, given) for name, given in rows(board))
    return PROGRAMS[board.name] + facts(board) + (BEST if best else "")


def atoms(shown: Iterable[str]) -> set[tuple[Any, ...]]:
    """The atoms of an answer as tuples: name, arguments."""
    found = set()
    for atom in shown:
        name, _, arguments = atom.partition("(")
        found.add((name, *literal_eval("(" + arguments[:-1] + ",)")))
    return found
