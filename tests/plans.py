"""The data of the gallery's plans, models/plans/*.csv: invented, most of it by dice that always fall the same way.

`python -m tests.plans` writes the files anew. They are meant to look like what a ward, an office of examinations, a
school or a league would have, and to leave a plan that is worth looking at: most wishes can be kept, not all.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from math import hypot
from pathlib import Path
from random import Random

FOLDER = Path(__file__).parents[1] / "models" / "plans"

Rows = Iterable[Sequence[object]]

NAMES = """
Ada Ben Caro Dan Elsa Finn Gina Hugo Ida Jan Kim Lars Mia Nils Olga Paul Rosa Sam Tina Udo Vera Will Xenia Yann Zoe
Anton Berta Clara David Emma
"""
NURSES = NAMES.split()
DAYS = 28


def nurses(rng: Random) -> Rows:
    """Thirty nurses: every third is a senior; half-time, part-time or full-time."""
    yield ("name", "grade", "shifts")
    for at, name in enumerate(NURSES):
        yield name, "senior" if at % 3 == 0 else "junior", rng.choice((9, 12, 12, 13, 13, 14))


def nurses_wishes(rng: Random) -> Rows:
    """Days off that they ask for: weekends more often, and most of them the last Sunday, for a fair that everybody goes
    to. A price of 3 stands for a wedding, 1 for a lie-in."""
    yield ("name", "day", "price")
    loved = [day for day in range(1, DAYS + 1) for _ in range(3 if day % 7 in (6, 0) else 1)]
    for name in NURSES:
        fair = [DAYS] if rng.random() < 0.8 else []
        for day in sorted({*rng.choices(loved, k=rng.randint(1, 4)), *fair}):
            yield name, day, rng.choice((1, 1, 2, 3))


COURSES = "History Law Physics Maths Biology Music Medicine Chemistry Economics Geology Letters Computing"
PROGRAMMES = COURSES.split()
EACH = 10  # courses of a programme


def exams_students(rng: Random) -> Rows:
    """Students of twelve programmes, with four or five courses each: three of the first year's or the later ones of
    their own programme, the others beside it or of the next. History 3 is `History-3`."""
    yield ("student", "exams")
    number = 100
    for at, own in enumerate(PROGRAMMES):
        for _ in range(rng.randint(22, 28)):
            number += rng.randint(1, 9)
            half = rng.choice(((1, 2, 3, 4, 5), (6, 7, 8, 9, 10)))
            taken = {f"{own}-{k}" for k in rng.sample(half, 3)}
            while len(taken) < 4:
                taken.add(f"{rng.choice((own, PROGRAMMES[(at + 1) % 12]))}-{rng.randint(1, EACH)}")
            if rng.random() < 0.3:
                taken.add(f"{rng.choice(PROGRAMMES)}-{rng.randint(1, EACH)}")
            yield f"s{number}", " ".join(sorted(taken))


def exams_rooms(rng: Random) -> Rows:
    """Seven rooms of three kinds."""
    yield from (("room", "seats", "number"), ("hall", 30, 2), ("lecture room", 14, 3), ("seminar room", 10, 4))


def exams_absent(rng: Random) -> Rows:
    """When lecturers of a third of the exams are away: some slots in a row; two of them are on leave."""
    yield from (("exam", "first", "last"), ("Law-1", 1, 20), ("Maths-2", 1, 20))
    for own in PROGRAMMES:
        for k in sorted(rng.sample(range(1, EACH + 1), 3)):
            first = rng.randint(1, 17)
            yield f"{own}-{k}", first, first + rng.randint(1, 3)


SUBJECTS = {"Maths": 4, "English": 4, "French": 3, "History": 2, "Geography": 2, "Biology": 2, "Physics": 2, "Art": 2,
            "Music": 2, "Sport": 2}  # hours a week: 25, so that a class is never idle for an hour  # fmt: skip
STAFF = """
Abel Bauer Cohen Diaz Evans Faure Garcia Hahn Ito Jensen Kowal Lindt Moser Novak Olsen Perez Quinn Rossi Sato Toth Urban
Vogel Weber Young
"""
TEACHERS = iter(STAFF.split())
CLASSES = [f"{year}{letter}" for year in range(5, 11) for letter in "ab"]
SHARED = {subject: [next(TEACHERS) for _ in range(3 if hours > 2 else 2)] for subject, hours in SUBJECTS.items()}


def timetable_lessons(rng: Random) -> Rows:
    """What twelve classes learn, and from whom: two or three teachers share a subject, and keep to neighbouring
    classes."""
    yield ("class", "subject", "teacher", "hours")
    for at, name in enumerate(CLASSES):
        for subject, hours in SUBJECTS.items():
            own = SHARED[subject]
            yield name, subject, own[at * len(own) // 12], hours


def timetable_free(rng: Random) -> Rows:
    """Days that teachers would like to have free: most of them one, some two."""
    yield ("teacher", "day")
    for teacher in sorted(teacher for own in SHARED.values() for teacher in own):
        for day in sorted(rng.sample(range(1, 6), rng.choice((0, 1, 1, 1, 2)))):
            yield teacher, day


TOWNS = {"Aarfurt": (10, 80), "Birkheim": (90, 95), "Celsach": (60, 40), "Dornau": (140, 60)}


def tournament_roads(rng: Random) -> Rows:
    """Kilometres between four towns: as the crow flies, and a little more where roads bend."""
    yield ("from", "to", "km")
    for one, (x, y) in TOWNS.items():
        for other, (u, v) in TOWNS.items():
            if one < other:
                yield one, other, round(hypot(x - u, y - v) * (1 + rng.random() / 4))


TURNUS = "EEE.LLL..NN..."  # each begins it a day after the last


def stand_ins(rng: Random) -> Rows:
    """Fourteen people who work in turns, each a day after the one before: three early, three late, two at night."""
    yield ("name", "plan")
    for at, name in enumerate(NURSES[:14]):
        yield name, TURNUS[14 - at :] + TURNUS[: 14 - at]


def stand_ins_ill(rng: Random) -> Rows:
    """Two of them, and the days on which they are ill."""
    yield from (("name", "first", "last"), ("Caro", 4, 9), ("Jan", 5, 12))


FILES: dict[str, Callable[[Random], Rows]] = {
    "nurses.csv": nurses,
    "nurses_wishes.csv": nurses_wishes,
    "exams_students.csv": exams_students,
    "exams_rooms.csv": exams_rooms,
    "exams_absent.csv": exams_absent,
    "timetable_lessons.csv": timetable_lessons,
    "timetable_free.csv": timetable_free,
    "tournament_roads.csv": tournament_roads,
    "stand_ins.csv": stand_ins,
    "stand_ins_ill.csv": stand_ins_ill,
}

BY_HAND = ("duties.csv", "duties_drivers.csv", "duties_asked.csv")


def text_of(name: str) -> str:
    """What the file holds."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(FILES[name](Random(name)))
    return out.getvalue()


if __name__ == "__main__":
    for name in FILES:
        (FOLDER / name).write_text(text_of(name), encoding="utf-8")
