"""The plans of work.py as programs of CP-SAT, told from the tables and numbers, not from covr's matrix."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import combinations, pairwise, permutations, product
from typing import Any

from benchmarks._work_program import Program, record, rows


def shifts(p: Program, people: list[str], days: int, kinds: str, off: set[tuple[str, int]]) -> dict[Any, Any]:
    """What both rotas of the gallery have: one shift a day, none sooner on the next day, five days of six."""
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


def nurses(days: int = 28) -> Program:
    p, people = Program(), {r["name"]: r for r in rows("nurses.csv")}
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
            p.cost.extend(int(wish["price"]) * work[wish["name"], int(wish["day"]), s] for s in "eln")
    p.goals.append([x for (n, _, s), x in work.items() if s == "n" and people[n]["grade"] == "senior"])
    names = {"e": "early", "l": "late", "n": "night"}
    p.taken = {("work", record(people[n]), d, names[s]): x for (n, d, s), x in work.items()}
    return p


def stand_ins() -> Program:
    p, people = Program(), {r["name"]: r for r in rows("stand_ins.csv")}
    ill = {(r["name"], d) for r in rows("stand_ins_ill.csv") for d in range(int(r["first"]), int(r["last"]) + 1)}
    work = shifts(p, list(people), 14, "ELN", ill)
    for d in range(1, 15):
        for s, wanted in zip("ELN", (3, 3, 2), strict=True):
            p.model.add(sum(x for (_, e, t), x in work.items() if (e, t) == (d, s)) == wanted)
    for n in people:
        p.off(sum(x for (m, _, _), x in work.items() if m == n), 0, 8, 4)
        p.off(sum(x for (m, _, s), x in work.items() if m == n and s == "N"), 0, 2, 2)
    p.goals.append([x for (n, d, s), x in work.items() if people[n]["plan"][d - 1] != s])
    p.taken = {("work", record(people[n]), d, s): x for (n, d, s), x in work.items()}
    return p


def timetable() -> Program:
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
    p.goals = [[x for (k, d, _), x in teach.items() if (lessons[k]["teacher"], d) in asked]]
    p.taken = {("teach", record(lessons[k]), d, h): x for (k, d, h), x in teach.items()}
    return p


def exams() -> Program:
    """Rooms are told by how many exams of a size or more there may be in a slot: then the larger ones take theirs
    first."""
    p = Program()
    sits = {r["student"]: r["exams"].split() for r in rows("exams_students.csv")}
    size = {e: sum(e in own for own in sits.values()) for own in sits.values() for e in own}
    table = rows("exams_rooms.csv")
    rooms = [(int(r["seats"]), int(r["number"])) for r in table]
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
    p.goals = [[2 * x for key, x in hold.items() if key in away]]
    p.cost.extend(x for (e, t), x in hold.items() if size[e] > 14 and t > 10)

    def told(value: Any) -> Any:
        for t in range(1, 21):
            free = [record(r) for r in sorted(table, key=lambda r: -int(r["seats"])) for _ in range(int(r["number"]))]
            for e in sorted((e for e in size if value(hold[e, t])), key=lambda e: -size[e]):
                yield "hold", e, t, free.pop(0)

    p.told = told
    return p


def tournament() -> Program:
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
        p.cost.extend(km[t, x] * at[t, x, r] for x in towns if x != t for r in (1, last))

    def told(value: Any) -> Any:
        for t in towns:
            walk = [next(x for x in towns if value(at[t, x, r])) for r in range(1, last + 1)]
            for r, x in enumerate(walk, 1):
                if x != t and (r == 1 or walk[r - 2] == t):
                    away = walk[r - 1 : r + 1] if r < last and walk[r] != t else [x]
                    yield "tour", t, r, tuple(away)

    p.told = told
    return p


def rolls(number: int = 7, need: tuple[int, ...] = (1, 4, 2, 6, 5)) -> Program:
    """_work_rolls.cover: how many pieces of each kind each roll gives, as numbers."""
    p, length, own = Program(), (18, 22, 27, 32, 48), range(1, number + 1)
    cut = {(r, k): p.model.new_int_var(0, 100 // length[k], "") for r in own for k in range(5)}
    used = p.choices(own)
    for r in own:
        p.model.add(sum(length[k] * cut[r, k] for k in range(5)) <= 100 * used[r])
    for k in range(5):
        p.model.add(sum(cut[r, k] for r in own) >= need[k])
    p.goals = [list(used.values())]
    p.taken = {("used", r): x for r, x in used.items()}
    p.told = lambda value: [("cut", r, k + 1, value(x)) for (r, k), x in cut.items()]
    return p


def league(n: int = 8) -> Program:
    """_work_league.cover."""
    p, teams, rounds = Program(), range(1, n + 1), range(1, n)
    play = p.choices((i, j, r) for i, j in permutations(teams, 2) for r in rounds)
    home = p.choices(product(teams, rounds))
    for i, j in combinations(teams, 2):
        p.model.add_exactly_one(play[a, b, r] for a, b in ((i, j), (j, i)) for r in rounds)
    for t, r in product(teams, rounds):
        p.model.add_exactly_one(x for (i, j, q), x in play.items() if q == r and t in (i, j))
        if r < n - 1:
            breaks = p.model.new_bool_var("")
            p.model.add_bool_or(home[t, r].negated(), home[t, r + 1].negated(), breaks)
            p.model.add_bool_or(home[t, r], home[t, r + 1], breaks)
            p.cost.append(breaks)
    for (i, j, r), x in play.items():
        p.model.add_implication(x, home[i, r])
        p.model.add_implication(x, home[j, r].negated())
    p.taken = {("play", *key): x for key, x in play.items()} | {("home", *key): x for key, x in home.items()}
    return p


def duties() -> Program:
    p, drivers, lines = Program(), rows("duties_drivers.csv"), rows("duties.csv")
    dates = [date(2026, 12, 7) + timedelta(d) for d in range(14)]
    asked = {(r["name"], date.fromisoformat(r["day"])) for r in rows("duties_asked.csv")}
    drive = p.choices(
        (n, d, k)
        for n, driver in enumerate(drivers)
        for d in dates
        for k, duty in enumerate(lines)
        if duty["line"] in driver["lines"].split() and (d.isoweekday() < 6 or duty["weekend"] == "yes")
    )
    off = p.choices((n, d) for n in range(len(drivers)) for d in dates)
    pair = p.choices((n, d) for n in range(len(drivers)) for d in dates[:-1])
    for d, k in {(d, k) for _, d, k in drive}:
        p.model.add_exactly_one(x for (_, e, j), x in drive.items() if (e, j) == (d, k))
    for n, driver in enumerate(drivers):
        p.model.add(sum(off[n, d] for d in dates) >= 4)
        p.model.add_exactly_one(pair[n, d] for d in dates[:-1])
        hours = [int(lines[k]["hours"]) * x for (m, _, k), x in drive.items() if m == n]
        p.model.add(sum(hours) <= int(driver["hours"]))
        for d, following in pairwise(dates):
            p.model.add_implication(pair[n, d], off[n, d])
            p.model.add_implication(pair[n, d], off[n, following])
            late = [x for (m, e, k), x in drive.items() if (m, e) == (n, d) and lines[k]["shift"] == "late"]
            early = [x for (m, e, k), x in drive.items() if (m, e) == (n, following) and lines[k]["shift"] == "early"]
            p.model.add_at_most_one(late + early)
        for d in dates:
            p.model.add_exactly_one([off[n, d], *(x for (m, e, _), x in drive.items() if (m, e) == (n, d))])
    p.goals = [[x for (n, d, _), x in drive.items() if (drivers[n]["name"], d) in asked]]
    who = [record(r) for r in drivers]
    p.taken = {("drive", who[n], str(d), record(lines[k])): x for (n, d, k), x in drive.items()}
    p.taken |= {("off", who[n], str(d)): x for (n, d), x in off.items()}
    p.taken |= {("pair", who[n], str(d)): x for (n, d), x in pair.items()}
    return p


def fortnight(data: Any) -> Program:
    """_board_rota.cover. data: its params."""
    p, length = Program(), (8, 8, 10)
    people, days = range(1, len(data["hours"]) + 1), range(1, data["days"] + 1)
    work = p.choices((n, d, s) for n in people for d in days for s in (1, 2, 3))
    for d, s in product(days, (1, 2, 3)):
        p.model.add(sum(work[n, d, s] for n in people) == data["staff"][s - 1])
    for n in people:
        for d in days:
            p.model.add_at_most_one(work[n, d, s] for s in (1, 2, 3))
            if d + 5 in days:
                p.model.add(sum(work[n, e, s] for e in range(d, d + 6) for s in (1, 2, 3)) <= 5)
            for s, t in ((2, 1), (3, 1), (3, 2)):
                if d + 1 in days:
                    p.model.add_at_most_one(work[n, d, s], work[n, d + 1, t])
        p.model.add(sum(length[s - 1] * work[n, d, s] for d in days for s in (1, 2, 3)) <= data["hours"][n - 1])
    p.goals = [[work[n, d, s] for n, d in sorted(data["wishes"]) for s in (1, 2, 3)]]
    p.taken = {("work", *key): x for key, x in work.items()}
    return p


def rota(people: int) -> Program:
    """_work_rota.cover."""
    p, who, days, kinds = Program(), range(1, people + 1), range(1, 29), (1, 2, 3)
    work = p.choices(product(who, days, kinds))
    for d, s in product(days, kinds):
        p.model.add_linear_constraint(sum(work[n, d, s] for n in who), 8, 12)
    for n in who:
        p.model.add_linear_constraint(sum(work[n, d, s] for d in days for s in kinds), 18, 22)
        for d in days:
            p.model.add_at_most_one(work[n, d, s] for s in kinds)
            if d < 28:
                p.model.add_at_most_one([work[n, d, 3], work[n, d + 1, 1], work[n, d + 1, 2]])
    p.goals = [[(n * 7 + d * 5 + s * 11) % 13 * x for (n, d, s), x in work.items()]]
    p.taken = {("work", *key): x for key, x in work.items()}
    return p
