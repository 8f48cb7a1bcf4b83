"""A plan as a model of CP-SAT with goals in order, and the tables of the gallery's plans as rows."""

from __future__ import annotations

import csv
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "models" / "plans"
WORK = 60.0  # deterministic units of CP-SAT for each goal, where no seconds are given: some seconds each

Taken = tuple[Any, ...]  # a choice of covr's: its family and its arguments; a record is the tuple of its values
Value = Callable[[Any], int]  # of a variable in an answer


def rows(name: str) -> list[dict[str, str]]:
    """A table of the gallery's plans."""
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def record(row: Mapping[str, str]) -> Taken:
    """The values of a row as covr reads them: whole numbers are numbers."""
    return tuple(int(text) if text.isdigit() else text for text in row.values())


class Program:
    """A model of CP-SAT.

    goals: sums to be made as small as possible, in order; at first there is one, without terms.
    taken: the choices of covr's that some variables stand for.  told: others, of the values of an answer.
    """

    def __init__(self) -> None:
        from ortools.sat.python import cp_model

        self.cp, self.model = cp_model, cp_model.CpModel()
        self.goals: list[list[Any]] = [[]]
        self.taken: dict[Taken, Any] = {}
        self.told: Callable[[Value], Iterable[Taken]] = lambda value: ()

    @property
    def cost(self) -> list[Any]:
        """The terms of the first goal."""
        return self.goals[0]

    def choices(self, keys: Iterable[Any]) -> dict[Any, Any]:
        return {key: self.model.new_bool_var("") for key in keys}

    def off(self, total: Any, low: int, high: int, price: int) -> None:
        """A sum that should lie between two numbers."""
        over = self.model.new_int_var(0, 99, "")
        self.model.add(total <= high + over)
        self.model.add(total >= low - over)
        self.cost.append(price * over)

    def best(self, seconds: float | None = None) -> tuple[tuple[int, ...], bool, list[Taken]]:
        """The values of the goals, whether they are proved, and the answer. One goal after the other, on one thread.

        seconds: how long it may take, by the clock; None: `WORK`, so that it ends alike everywhere.
        """
        solver = self.cp.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.linearization_level = 2
        values: list[int] = []
        answer: list[Taken] = []
        begin = time.perf_counter()
        for goal in self.goals:
            self.model.minimize(sum(goal))
            if seconds is None:
                solver.parameters.max_deterministic_time = WORK
            else:
                solver.parameters.max_time_in_seconds = max(seconds - (time.perf_counter() - begin), 0.1)
            status = solver.solve(self.model)
            if status in (self.cp.OPTIMAL, self.cp.FEASIBLE):
                values.append(round(solver.objective_value))
                answer = [choice for choice, x in self.taken.items() if solver.value(x)] + list(self.told(solver.value))
            if status != self.cp.OPTIMAL:
                return tuple(values), False, answer
            self.model.add(sum(goal) == values[-1])
            self.model.clear_hints()
            for x in self.taken.values():
                self.model.add_hint(x, solver.value(x))
        return tuple(values), True, answer
