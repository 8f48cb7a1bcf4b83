"""The boards of _board_drawn.py as models of CP-SAT, written as its users write them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from benchmarks._board_cpsat import CpModel
from benchmarks._board_drawn_clingo import beside, close, corners, groups, layings, margins, spots, views
from benchmarks._board_puzzles import Board, Cell, box, near


class DrawnModel(CpModel):
    """A board of either kind as a model."""

    def _data(self, board: Board) -> Any:
        return board if board.name in DRAWN else super()._data(board)

    def numberlink(self, board: Board) -> None:
        """One circuit through all squares, which goes from the end of a path to the beginning of the next; squares that
        follow one another have the same number."""
        clue = board.data["clue"]
        at = {x: k for k, x in enumerate(box(board.data["n"]))}
        ends = [sorted(x for x in clue if clue[x] == k) for k in sorted(set(clue.values()))]
        number = {x: self.model.new_int_var(1, len(ends), "") for x in at}
        for x, k in clue.items():
            self.model.add(number[x] == k)
        arcs = []
        for (_, last), (first, _) in zip(ends, ends[1:] + ends[:1], strict=True):
            arcs.append((at[last], at[first], self.model.new_constant(1)))
        for x in at:
            for y in near(x):
                if y in at and x < y:
                    there, back = self.model.new_bool_var(""), self.model.new_bool_var("")
                    arcs += [(at[x], at[y], there), (at[y], at[x], back)]
                    line = self._new("line", x, y)
                    self.model.add(line == there + back)
                    self.model.add(number[x] == number[y]).only_enforce_if(line)
        for x, v in number.items():
            for k in range(1, len(ends) + 1):
                held = self._new("number", x, k)
                self.model.add(v == k).only_enforce_if(held)
                self.model.add(v != k).only_enforce_if(~held)
        self.model.add_circuit(arcs)

    def battleships(self, board: Board) -> None:
        at: dict[Cell, list[Any]] = {x: [] for x in box(board.data["n"])}
        touched: dict[Cell, list[Any]] = {}
        of: dict[int, list[Any]] = {}
        for s, (k, ship) in enumerate(spots(board)):
            here = self._new("ship", s)
            of.setdefault(k, []).append(here)
            for x in ship:
                at[x].append(here)
            for x in corners(ship):
                touched.setdefault(x, []).append(here)
        for k, many in enumerate(board.data["fleet"], 1):
            self.model.add(sum(of[k]) == many)
        for some in touched.values():
            self.model.add_at_most_one(some)
        for told, line in margins(board):
            self.model.add(sum(here for x in line for here in at[x]) == told)
        for x in board.data["clue"]:
            self.model.add(sum(at[x]) == 0)

    def _squares(self, board: Board) -> None:
        """A number in every square; all of a group differ."""
        n = board.data["n"]
        self.digits = {x: self.model.new_int_var(1, n, "") for x in box(n)}
        for group in groups(board):
            self.model.add_all_different([self.digits[x] for x in group])

    def skyscrapers(self, board: Board) -> None:
        self._squares(board)
        n = board.data["n"]
        for told, line in views(board):
            seen = [self.model.new_constant(1)]
            for k in range(1, n):
                before, here = self.model.new_int_var(1, n, ""), self.model.new_bool_var("")
                self.model.add_max_equality(before, [self.digits[x] for x in line[:k]])
                self.model.add(self.digits[line[k]] > before).only_enforce_if(here)
                self.model.add(self.digits[line[k]] < before).only_enforce_if(~here)
                seen.append(here)
            self.model.add(sum(seen) == told)

    def jigsaw(self, board: Board) -> None:
        self._squares(board)
        for x, d in board.data["clue"].items():
            self.model.add(self.digits[x] == d)

    def _apart(self, at: Mapping[Cell, Iterable[Any]]) -> None:
        """No two of these touch."""
        for x, y in close(at):
            self.model.add_at_most_one([*at[x], *at[y]])

    def tents(self, board: Board) -> None:
        at: dict[Cell, list[Any]] = {}
        of: dict[Cell, list[Any]] = {}
        for t, x in beside(board):
            here = self._new("tent", t, x)
            at.setdefault(x, []).append(here)
            of.setdefault(t, []).append(here)
        for some in of.values():
            self.model.add_exactly_one(some)
        self._apart(at)
        for told, line in margins(board):
            self.model.add(sum(here for x in line for here in at.get(x, ())) == told)

    def dominosa(self, board: Board) -> None:
        sets: dict[Any, list[Any]] = {}
        for a, b, d in layings(board):
            here = self._new("lay", a, b)
            for one in (a, b, ("domino", d)):
                sets.setdefault(one, []).append(here)
        for some in sets.values():
            self.model.add_exactly_one(some)

    def star_battle(self, board: Board) -> None:
        at = {x: [self._new("star", x)] for x in box(board.data["n"])}
        for group in groups(board):
            self.model.add(sum(at[x][0] for x in group) == board.data["k"])
        self._apart(at)


DRAWN = ("numberlink", "battleships", "skyscrapers", "jigsaw", "tents", "dominosa", "star_battle")
