"""The gallery's plans: their tables, and their best values by CP-SAT, told from the tables, not from covr's matrix."""

from __future__ import annotations

import csv
import importlib.util
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from covr.api.gallery import SMALLER
from covr.api.model import load
from covr.inputs.library import gallery_files
from tests.covr.command import Covr, covr
from tests.plans import FILES, FOLDER, text_of

__all__ = ["covr"]

needs_cpsat = pytest.mark.skipif(importlib.util.find_spec("ortools") is None, reason="the second opinion is OR-Tools'")
PLANS = ("nurses", "exams", "timetable", "tournament", "stand_ins")
MOST_LINES = 25  # of a model, without comments


def rows(name: str) -> list[dict[str, str]]:
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


class Program:
    """A model of CP-SAT. cost: what is to be paid for broken wishes, or driven."""

    def __init__(self) -> None:
        from ortools.sat.python import cp_model

        self.cp, self.model = cp_model, cp_model.CpModel()
        self.cost: list[Any] = []

    def choices(self, keys: Any) -> dict[Any, Any]:
        return {key: self.model.new_bool_var("") for key in keys}

    def off(self, total: Any, low: int, high: int, price: int) -> None:
        """A sum that should lie between two numbers."""
        over = self.model.new_int_var(0, 99, "")
        self.model.add(total <= high + over)
        self.model.add(total >= low - over)
        self.cost.append(price * over)

    def best(self) -> int:
        self.model.minimize(sum(self.cost))
        solver = self.cp.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.linearization_level = 2
        solver.parameters.max_deterministic_time = 60  # not seconds of a clock, so that it ends alike everywhere
        assert solver.solve(self.model) == self.cp.OPTIMAL
        return round(solver.objective_value)


def shifts(p: Program, people: list[str], days: int, kinds: str, off: set[tuple[str, int]]) -> dict[Any, Any]:
    """What both rotas have: one shift a day, none sooner on the next day, five days of six."""
    work = p.choices((n, d, s) for n in people for d in range(1, days + 1) for s in kinds if (n, d) not in off)
    for n in people:
        for d in range(1, days + 1):
            p.model.add_at_most_one(work[n, d, s] for s in kinds if (n, d, s) in work)
            for s, t in ((s, t) for i, s in enumerate(kinds) for t in kinds[:i]):
                if (n, d, s) in work and (n, d + 1, t) in work:
                    p.model.add_at_most_one(work[n, d, s], work[n, d + 1, t])
            if d <= days - 5:
                p.model.add(sum(x for (m, e, _), x in work.items() if m == n and d <= e < d + 6) <= 5)
    return work


def nurses() -> int:
    p, people, days = Program(), {r["name"]: r for r in rows("nurses.csv")}, 7
    work = shifts(p, list(people), days, "eln", set())
    for d in range(1, days + 1):
        for s, wanted in zip("eln", (6, 5, 3), strict=True):
            p.model.add(sum(work[n, d, s] for n in people) == wanted - (d % 7 in (6, 0)))
            p.model.add_bool_or(work[n, d, s] for n in people if people[n]["grade"] == "senior")
    for n, row in people.items():
        p.model.add(sum(work[n, d, "n"] for d in range(1, days + 1)) <= 4)
        wanted = int(row["shifts"]) * days // 28
        p.off(sum(work[n, d, s] for d in range(1, days + 1) for s in "eln"), wanted, wanted, 2)
        for d in range(1, days - 1):
            p.off(work[n, d, "n"] + work[n, d + 2, "e"], 0, 1, 1)
    for wish in rows("nurses_wishes.csv"):
        if int(wish["day"]) <= days:
            p.cost += [int(wish["price"]) * work[wish["name"], int(wish["day"]), s] for s in "eln"]
    return p.best()


def stand_ins() -> int:
    p = Program()
    people = [r["name"] for r in rows("stand_ins.csv")]
    ill = {(r["name"], d) for r in rows("stand_ins_ill.csv") for d in range(int(r["first"]), int(r["last"]) + 1)}
    work = shifts(p, people, 14, "ELN", ill)
    for d in range(1, 15):
        for s, wanted in zip("ELN", (3, 3, 2), strict=True):
            p.model.add(sum(x for (_, e, t), x in work.items() if (e, t) == (d, s)) == wanted)
    for n in people:
        p.off(sum(x for (m, _, _), x in work.items() if m == n), 0, 8, 4)
        p.off(sum(x for (m, _, s), x in work.items() if m == n and s == "N"), 0, 2, 2)
    return p.best()


def timetable() -> int:
    p, lessons = Program(), rows("timetable_lessons.csv")
    hours = [(d, h) for d in range(1, 6) for h in range(1, 6)]
    teach = p.choices((k, *at) for k in range(len(lessons)) for at in hours)
    for k, lesson in enumerate(lessons):
        p.model.add(sum(teach[k, *at] for at in hours) == int(lesson["hours"]))
        for d in range(1, 6):
            p.model.add_at_most_one(teach[k, d, h] for h in range(1, 6))
    for at in hours:
        for what in ("class", "teacher"):
            for one in {lesson[what] for lesson in lessons}:
                own = [teach[k, *at] for k, lesson in enumerate(lessons) if lesson[what] == one]
                p.model.add(sum(own) <= 1)
                if what == "class":
                    p.model.add(sum(own) == 1)
        for subject, rooms in (("Sport", 2), ("Physics", 3), ("Biology", 3)):
            p.model.add(sum(teach[k, *at] for k, row in enumerate(lessons) if row["subject"] == subject) <= rooms)
    asked = {(w["teacher"], int(w["day"])) for w in rows("timetable_free.csv")}
    p.cost = [x for (k, d, _), x in teach.items() if (lessons[k]["teacher"], d) in asked]
    return p.best()


def exams() -> int:
    """Rooms are told by how many exams of a size or more there may be in a slot."""
    p = Program()
    sits = {r["student"]: r["exams"].split() for r in rows("exams_students.csv")}
    size = {e: sum(e in own for own in sits.values()) for own in sits.values() for e in own}
    rooms = [(int(r["seats"]), int(r["number"])) for r in rows("exams_rooms.csv")]
    hold = p.choices((e, t) for e in size for t in range(1, 21))
    for e in size:
        p.model.add_exactly_one(hold[e, t] for t in range(1, 21))
    for t in range(1, 21):
        for seats in (0, *(seats for seats, _ in rooms)):
            larger = [hold[e, t] for e in size if size[e] > seats]
            p.model.add(sum(larger) <= sum(number for other, number in rooms if other > seats))
    for own in sits.values():
        for d in range(1, 20, 2):
            p.model.add_at_most_one(hold[e, t] for e in own for t in (d, d + 1))
    away = {(r["exam"], t) for r in rows("exams_absent.csv") for t in range(int(r["first"]), int(r["last"]) + 1)}
    p.cost = [2 * x for key, x in hold.items() if key in away]
    p.cost += [x for (e, t), x in hold.items() if size[e] > 14 and t > 10]
    return p.best()


def tournament() -> int:
    """Each team as a walk from town to town, a town for each round."""
    p, roads = Program(), rows("tournament_roads.csv")
    km = {pair: int(r["km"]) for r in roads for pair in ((r["from"], r["to"]), (r["to"], r["from"]))}
    towns = sorted({a for a, _ in km})
    last = 2 * len(towns) - 2
    at = p.choices((t, x, r) for t in towns for x in towns for r in range(1, last + 1))
    for t in towns:
        for r in range(1, last + 1):
            p.model.add_exactly_one(at[t, x, r] for x in towns)
            guests = sum(at[u, t, r] for u in towns if u != t)
            p.model.add(guests == at[t, t, r])
            if r <= last - 2:
                p.model.add(sum(at[t, t, r + k] for k in range(3)) <= 2)
                p.model.add(sum(at[t, t, r + k] for k in range(3)) >= 1)
        for x in towns:
            if x != t:
                p.model.add_exactly_one(at[t, x, r] for r in range(1, last + 1))
                for r in range(1, last):
                    p.model.add_at_most_one(at[a, b, q] for a, b in ((t, x), (x, t)) for q in (r, r + 1))
        for a, b in permutations(towns, 2):
            for r in range(1, last):
                goes = p.model.new_bool_var("")
                p.model.add_bool_or(at[t, a, r].negated(), at[t, b, r + 1].negated(), goes)
                p.cost.append(km[a, b] * goes)
        p.cost += [km[t, x] * at[t, x, r] for x in towns if x != t for r in (1, last)]
    return p.best()


QUICK = ("tournament", "stand_ins")  # CP-SAT takes seconds for the others, and minutes on a busy machine


@needs_cpsat
@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in PLANS]
)
def test_the_best_value_is_that_of_a_program_written_from_the_tables(name: str) -> None:
    model = load(name, **SMALLER.get(name, {}))
    answer = model.solve(jobs=1)
    assert answer is not None and answer.proved
    assert {e.value for e in model.compiled.expectations if e.settings == SMALLER.get(name, {})} == {answer.cost}
    assert globals()[name]() == answer.cost


@pytest.mark.parametrize("name", FILES)
def test_a_table_is_what_its_generator_writes(name: str) -> None:
    assert (FOLDER / name).read_text(encoding="utf-8") == text_of(name)


def test_every_table_is_read_by_a_plan() -> None:
    assert {path.name for path in FOLDER.glob("*.csv")} == set(FILES)
    text = "".join(gallery_files()[name].read_text(encoding="utf-8") for name in PLANS)
    assert all(f'table("{name}")' in text for name in FILES)


@pytest.mark.parametrize("name", PLANS)
def test_a_plan_is_short(name: str) -> None:
    lines = gallery_files()[name].read_text(encoding="utf-8").splitlines()
    assert sum(bool(line.strip()) and not line.startswith("#") for line in lines) < MOST_LINES


def test_a_copy_of_a_plan_brings_its_tables_and_overwrites_none(covr: Covr) -> None:
    Path("tournament_roads.csv").write_text("mine", encoding="utf-8")
    assert covr("new", "cup", "--like", "tournament").exit_code == 0
    assert Path("tournament_roads.csv").read_text(encoding="utf-8") == "mine"
    said = covr("new", "mine", "--like", "stand_ins").stdout
    assert "wrote stand_ins.csv, a table that it reads\n" in said
    assert Path("stand_ins.csv").read_bytes() == (FOLDER / "stand_ins.csv").read_bytes()
    assert covr("check", "mine.cover").stdout == "mine.cover: no faults\n"


def test_the_text_of_a_plan_needs_no_folder(covr: Covr) -> None:
    """In the studio, or from a pipe, there is none: tables that ship with covr are found by their names alone."""
    text = gallery_files()["stand_ins"].read_text(encoding="utf-8")
    assert covr("check", "-", input=text).exit_code == 0
    assert "E333" in covr("check", "-", input=text.replace("stand_ins.csv", "nobody.csv")).stderr
