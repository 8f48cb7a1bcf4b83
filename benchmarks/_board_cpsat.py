"""The ten boards as models of CP-SAT, written as its users write them: circuits, all-different, automata.

That squares hang together is said by numbers that grow along a tree from one root. An answer is a set of atoms, as in
_board_clingo.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from benchmarks._board_clingo import digit_runs
from benchmarks._board_puzzles import Board, Cell, ahead, box, near, spans


class CpModel:
    """A board as a model. atoms: what an answer may hold, each with its variable; digits: squares with a variable."""

    def __init__(self, board: Board, best: bool) -> None:
        from ortools.sat.python import cp_model

        self.cp: Any = cp_model
        self.model: Any = cp_model.CpModel()
        self.atoms: dict[tuple[Any, ...], Any] = {}
        self.digits: dict[Cell, Any] = {}
        getattr(self, board.name)(self._data(board))
        if best:
            wishes = board.data["wishes"]
            self.model.minimize(sum(x for (_, p, d, _), x in self.atoms.items() if (p, d) in wishes))

    def _data(self, board: Board) -> Any:
        """What the function for a kind of board is given."""
        return board if board.name in ("killer", "kakuro") else board.data

    def solve(self, seconds: float) -> tuple[str, set[tuple[Any, ...]], int | None]:
        """`found` or `none`, or `late`; the answer's atoms and its value."""
        solver = self.cp.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.max_time_in_seconds = seconds
        status = solver.solve(self.model)
        if status == self.cp.INFEASIBLE:
            return "none", set(), None
        if status not in (self.cp.OPTIMAL, self.cp.FEASIBLE):
            return "late", set(), None
        found = {atom for atom, x in self.atoms.items() if solver.value(x)}
        found |= {("place", x, solver.value(v)) for x, v in self.digits.items()}
        goal = int(solver.objective_value) if self.model.has_objective() else None
        return "found" if goal is None or status == self.cp.OPTIMAL else "late", found, goal

    def differ(self, answer: set[tuple[Any, ...]]) -> None:
        """Ask for another answer."""
        others = [~x if atom in answer else x for atom, x in self.atoms.items()]
        for cell, v in self.digits.items():
            value = next(d for _, y, d in answer if y == cell)
            other = self.model.new_bool_var("")
            self.model.add(v != value).only_enforce_if(other)
            others.append(other)
        self.model.add_bool_or(others)

    def _new(self, *atom: Any) -> Any:
        self.atoms[atom] = x = self.model.new_bool_var("")
        return x

    def _loop(self, places: Sequence[Cell]) -> dict[Cell, Any]:
        """One loop along lines between neighbours; per place, whether the loop does not pass it."""
        number = {x: k for k, x in enumerate(places)}
        arcs, off = [], {}
        for x in places:
            off[x] = self.model.new_bool_var("")
            arcs.append((number[x], number[x], off[x]))
            for y in near(x):
                if y in number and x < y:
                    there, back = self.model.new_bool_var(""), self.model.new_bool_var("")
                    arcs += [(number[x], number[y], there), (number[y], number[x], back)]
                    self.model.add(self._new("line", x, y) == there + back)
        self.model.add_circuit(arcs)
        self.model.add_bool_or([~x for x in off.values()])
        return off

    def _lines(self, pairs: Iterable[tuple[Cell, Cell]]) -> list[Any]:
        """The variables of those lines that there are."""
        return [
            self.atoms["line", min(pair), max(pair)] for pair in pairs if ("line", min(pair), max(pair)) in self.atoms
        ]

    def _connect(self, standing: Mapping[Cell, Any], root: Cell | None = None) -> None:
        """The places whose variable is true hang together. root: one of them, if one is known."""
        depth = {x: self.model.new_int_var(0, len(standing), "") for x in standing}
        roots = []
        for x, here in standing.items():
            parents = []
            for y in near(x):
                if y in standing:
                    parent = self.model.new_bool_var("")
                    self.model.add_implication(parent, standing[y])
                    self.model.add(depth[x] == depth[y] + 1).only_enforce_if(parent)
                    parents.append(parent)
            if root is None or x == root:
                roots.append(self.model.new_bool_var(""))
                parents.append(roots[-1])
            self.model.add(sum(parents) == here)
        self.model.add_at_most_one(roots)

    def slitherlink(self, data: Mapping[str, Any]) -> None:
        self._loop(box(data["n"] + 1))
        for (r, c), k in data["clue"].items():
            a, b, d, e = (r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)
            self.model.add(sum(self._lines([(a, b), (a, d), (b, e), (d, e)])) == k)

    def masyu(self, data: Mapping[str, Any]) -> None:
        off = self._loop(box(data["n"]))
        straight = {}
        for r, c in box(data["n"]):
            straight[r, c] = self.model.new_bool_var("")
            ways = []
            for i, j in ((0, 1), (1, 0)):
                pair = self._lines([((r, c), (r + i, c + j)), ((r, c), (r - i, c - j))])
                if len(pair) == 2:
                    ways.append(self.model.new_bool_var(""))
                    self.model.add_bool_and(pair).only_enforce_if(ways[-1])
                    self.model.add_bool_or([ways[-1], *(~x for x in pair)])
            self.model.add(sum(ways) == straight[r, c])
        for x, kind in data["pearl"].items():
            self.model.add(off[x] == 0)
            self.model.add(straight[x] == (1 if kind == "w" else 0))
            lines = [(y, line) for y in near(x) for line in self._lines([(x, y)])]
            if kind == "b":
                for y, line in lines:
                    self.model.add_implication(line, straight[y])
            else:
                for k, (y, line) in enumerate(lines):
                    for z, other in lines[:k]:
                        self.model.add_bool_or([~line, ~other, ~straight[y], ~straight[z]])

    def yajilin(self, data: Mapping[str, Any]) -> None:
        shade = self._loop([x for x in box(data["n"]) if x not in data["arrow"]])
        for x, v in shade.items():
            self.atoms["shade", x] = v
            for y in near(x):
                if y in shade and x < y:
                    self.model.add_bool_or([~v, ~shade[y]])
        for x, arrow in data["arrow"].items():
            self.model.add(sum(shade[y] for y in ahead(x, arrow, data["n"]) if y in shade) == data["clue"][x])

    def nurikabe(self, data: Mapping[str, Any]) -> None:
        clue, n = data["clue"], data["n"]
        sea = {x: self.model.new_bool_var("") for x in box(n)}
        land: dict[Cell, dict[Cell, Any]] = {}
        for k, size in clue.items():
            land[k] = {x: self._new("land", x, k) for x in box(n) if abs(x[0] - k[0]) + abs(x[1] - k[1]) < size}
            self.model.add(sum(land[k].values()) == size)
            self.model.add(land[k][k] == 1)
            self._connect(land[k], k)
        for x in box(n):
            self.model.add_exactly_one([sea[x], *(held[x] for held in land.values() if x in held)])
            for y in near(x):
                for k in clue:
                    if x in land[k] and y in sea:
                        self.model.add_bool_or([~land[k][x], sea[y], *([land[k][y]] if y in land[k] else [])])
        self._connect(sea)
        for r, c in box(n - 1):
            self.model.add_bool_or([~sea[r + i, c + j] for i in (0, 1) for j in (0, 1)])

    def _shade(self, cells: Iterable[Cell]) -> dict[Cell, Any]:
        shade = {x: self._new("shade", x) for x in cells}
        for x, v in shade.items():
            for y in near(x):
                if y in shade and x < y:
                    self.model.add_bool_or([~v, ~shade[y]])
        self._connect({x: ~v for x, v in shade.items()})
        return shade

    def heyawake(self, data: Mapping[str, Any]) -> None:
        shade = self._shade(data["room"])
        for x, k in data["clue"].items():
            self.model.add(sum(shade[y] for y in shade if data["room"][y] == data["room"][x]) == k)
        for line in spans(data["n"], data["room"]):
            self.model.add_bool_or([shade[x] for x in line])

    def hitori(self, data: Mapping[str, Any]) -> None:
        number = data["number"]
        shade = self._shade(number)
        lines: dict[tuple[str, int, int], list[Any]] = {}
        for (r, c), d in number.items():
            lines.setdefault(("r", r, d), []).append(~shade[r, c])
            lines.setdefault(("c", c, d), []).append(~shade[r, c])
        for line in lines.values():
            self.model.add_at_most_one(line)

    def killer(self, board: Board) -> None:
        runs, _, m = digit_runs(board)
        self.digits = {x: self.model.new_int_var(1, m, "") for x in sorted({x for _, run in runs for x in run})}
        for total, run in runs:
            self.model.add_all_different([self.digits[x] for x in run])
            if total is not None:
                self.model.add(sum(self.digits[x] for x in run) == total)

    kakuro = killer

    def nonogram(self, data: Mapping[str, Any]) -> None:
        n = len(data["rows"])
        black = {x: self._new("picture", *x) for x in box(n)}
        for i in range(1, n + 1):
            self._blocks([black[i, j] for j in range(1, n + 1)], data["rows"][i - 1])
            self._blocks([black[j, i] for j in range(1, n + 1)], data["columns"][i - 1])

    def _blocks(self, line: list[Any], blocks: str) -> None:
        state, moves = 0, [(0, 0, 0)]
        for k, size in enumerate(map(int, blocks.split())):
            if k:
                moves += [(state, 0, state + 1), (state + 1, 0, state + 1)]
                state += 1
            for _ in range(size):
                moves.append((state, 1, state + 1))
                state += 1
        if blocks:
            moves.append((state, 0, state + 1))
            moves.append((state + 1, 0, state + 1))
        self.model.add_automaton(line, 0, [state, state + 1] if blocks else [0], moves)

    def rota(self, data: Mapping[str, Any]) -> None:
        people, days, shifts = range(1, len(data["hours"]) + 1), range(1, data["days"] + 1), (1, 2, 3)
        work = {(p, d, s): self._new("work", p, d, s) for p in people for d in days for s in shifts}
        for d in days:
            for s in shifts:
                self.model.add(sum(work[p, d, s] for p in people) == data["staff"][s - 1])
        for p in people:
            for d in days:
                self.model.add_at_most_one([work[p, d, s] for s in shifts])
                if d + 5 in days:
                    self.model.add(sum(work[p, e, s] for e in range(d, d + 6) for s in shifts) <= 5)
                for s in shifts:
                    for t in range(1, s):
                        if d + 1 in days:
                            self.model.add_bool_or([~work[p, d, s], ~work[p, d + 1, t]])
            hours = sum(length * work[p, d, s] for d in days for s, length in zip(shifts, (8, 8, 10), strict=True))
            self.model.add(hours <= data["hours"][p - 1])
