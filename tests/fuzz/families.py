"""Thirteen families of models of working size, some hundred to some thousand options each, drawn by a seed.

Each maker writes the whole text of a model with its data. size: about how many options it is to have.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from math import isqrt

Maker = Callable[[random.Random, int], str]


def _numbers(rng: random.Random, count: int, low: int, high: int) -> list[int]:
    return [rng.randint(low, high) for _ in range(count)]


def _near(rng: random.Random, rows: int, columns: int) -> list[list[int]]:
    """Distances between places of two kinds, drawn in a square."""
    here, there = ([(rng.randint(0, 100), rng.randint(0, 100)) for _ in range(n)] for n in (rows, columns))
    return [[isqrt((a - c) ** 2 + (b - d) ** 2) + 1 for c, d in there] for a, b in here]


def depots(rng: random.Random, size: int) -> str:
    sites = rng.randint(5, max(6, isqrt(size) // 2))
    towns = max(size // sites, 4)
    demand = _numbers(rng, towns, 5, 30)
    room = [max(sum(demand) * rng.randint(15, 60) // (10 * sites) // rng.randint(1, 2), 30) for _ in range(sites)]
    room[0] = max(room[0], sum(demand) - sum(room) + 40, 30)
    return f"""
        let dist = {_near(rng, sites, towns)}
        let dem = {demand}
        let cap = {room}
        let fix = {_numbers(rng, sites, 50, 400)}
        cells k in 1..size(dem)
        values f in 1..size(cap)
        choose serve(f, k)
        choose open(f)
        exactly one serve per k
        at most cap[f] total dem[k] of serve per f
        if serve(f, k) then open(f)
        minimize dist[f][k] of serve, fix[f] of open
    """


def assignments(rng: random.Random, size: int) -> str:
    agents = rng.randint(4, max(5, isqrt(size) // 3))
    jobs = max(size // agents, 4)
    weight = [_numbers(rng, jobs, 5, 25) for _ in range(agents)]
    tight = rng.choice((80, 90, 110))
    room = [sum(row) * tight // (100 * agents) + 5 for row in weight]
    worth = [[rng.randint(10, 50) if rng.random() < 0.5 else 60 - w for w in row] for row in weight]
    return f"""
        let worth = {worth}
        let w = {weight}
        let cap = {room}
        cells j in 1..{jobs}
        values i in 1..size(cap)
        choose do(i, j)
        exactly one do per j
        at most cap[i] total w[i][j] of do per i
        minimize worth[i][j] of do
    """


def bins(rng: random.Random, size: int) -> str:
    many = max(isqrt(2 * size), 8)
    weights = sorted(_numbers(rng, many, 10, 60), reverse=True)
    room = rng.choice((100, 120, 150))
    boxes = -(-sum(weights) // room) + 2 + many // 12
    extra = f"at most {rng.randint(3, 5)} put per b" if rng.random() < 0.4 else ""
    return f"""
        let w = {weights}
        cells k in 1..size(w)
        values b in 1..{boxes}
        choose put(k, b)
        choose used(b)
        exactly one put per k
        at most {room} total w[k] of put per b
        {extra}
        if put(k, b) then used(b)
        minimize count of used
    """


def knapsacks(rng: random.Random, size: int) -> str:
    ways = rng.randint(1, 6)
    weights = [_numbers(rng, size, 5, 100) for _ in range(ways)]
    rooms = [sum(row) * rng.randint(20, 60) // 100 for row in weights]
    worth = [sum(column) // ways + rng.randint(0, 40) for column in zip(*weights, strict=True)]
    extra = f"at most {rng.randint(1, 2)} take per g in 0..{size // 5} where j div 5 = g" if rng.random() < 0.4 else ""
    return f"""
        let v = {worth}
        let w = {weights}
        let cap = {rooms}
        cells j in 1..size(v)
        choose take(j)
        at most cap[i] total w[i][j] of take per i in 1..size(cap)
        {extra}
        maximize v[j] of take
    """


def packings(rng: random.Random, size: int) -> str:
    if rng.random() < 0.5:
        many = max(min(size // 3, 220), 60)
        edges = sorted({tuple(sorted(rng.sample(range(1, many + 1), 2))) for _ in range(many * rng.randint(2, 5))})
        goal = f"{_numbers(rng, many, 1, 9)}[v] of pick" if rng.random() < 0.5 else "count of pick"
        return f"""
            let edges = {[[*pair] for pair in edges]}
            choose pick(v) for v in 1..{many}
            at most one pick per e in edges where v in e
            maximize {goal}
        """
    items = rng.randint(20, 60)
    held = [sorted(rng.sample(range(1, items + 1), rng.randint(2, 5))) for _ in range(size)]
    return f"""
        let held = {held}
        let worth = {[10 * len(one) + rng.randint(0, 20) for one in held]}
        cells o in 1..size(held)
        choose lay(o)
        at most one lay per i in 1..{items} where i in held[o]
        maximize worth[o] of lay
    """


def rotas(rng: random.Random, size: int) -> str:
    days = rng.choice((7, 14))
    people = max(size // (3 * days), 6)
    need = [[max(people * rng.randint(15, 25) // 100, 1) for _ in range(3)] for _ in range(days)]
    hours = 8 * (sum(map(sum, need)) // people + 2)
    return f"""
        let need = {need}
        let pay = {[_numbers(rng, days, 1, 9) for _ in range(people)]}
        cells p in 1..{people}, d in 1..{days}
        values s in 1..3
        choose work(p, d, s)
        at most one work per p, d
        at least need[d][s] work per d, s
        if work(p, d, 3) then not work(p, e, s) for e in 2..{days}, s in 1..2 where e = d + 1
        at most {hours} total 7 + s of work per p
        at least {hours // 2} total 7 + s of work per p
        minimize pay[p][d] + s of work
    """


def exams(rng: random.Random, size: int) -> str:
    slots = rng.randint(5, 9)
    many = max(min(size, 1500) // slots, 10)  # its implications take long to compile
    pairs = sorted({tuple(sorted(rng.sample(range(1, many + 1), 2))) for _ in range(many * 3)})
    both = [[a, b, rng.randint(1, 9)] for a, b in pairs]
    return f"""
        let rows = {{{", ".join(f"({a}, {b}, {n})" for a, b, n in both)}}}
        cells e in 1..{many}
        values s in 1..{slots}
        choose at(e, s)
        choose close(a, b, n) for (a, b, n) in rows
        exactly one at per e
        at most {-(-many // slots) + rng.randint(1, 3)} at per s
        at most one at per (a, b, n) in rows, s where e in {{a, b}}
        if at(a, s) and at(b, t) then close(a, b, n) for (a, b, n) in rows, s in 1..{slots}, t in {{s - 1, s + 1}}
        minimize n of close
    """


def courses(rng: random.Random, size: int) -> str:
    rooms, periods = rng.randint(2, 4), rng.choice((8, 12, 15))
    many = max(size // (rooms * periods), 4)
    many = min(many, rooms * periods // 2)
    groups = [sorted(rng.sample(range(1, many + 1), min(rng.randint(2, 4), many))) for _ in range(many // 2 + 1)]
    seats = sorted(_numbers(rng, rooms, 20, 60))
    return f"""
        let cur = {groups}
        let te = {_numbers(rng, many, 1, many // 2 + 1)}
        let siz = {_numbers(rng, many, 10, seats[-1])}
        let room = {seats}
        let lect = {_numbers(rng, many, 1, 2)}
        cells c in 1..size(te), r in 1..size(room), p in 1..{periods}
        choose hold(c, r, p) where siz[c] <= room[r]
        exactly lect[c] hold per c
        at most one hold per r, p
        at most one hold per te[c], p
        prefer at most one hold per u in 1..size(cur), p where c in cur[u] cost {rng.randint(1, 3)}
        choose used(c, r)
        if hold(c, r, p) then used(c, r)
        prefer at most one used per c cost 1
        prefer exactly 0 hold per c, p where p mod 3 = 0 cost 1
    """


def leagues(rng: random.Random, size: int) -> str:
    teams = 6 if size < 700 else rng.choice((6, 8))
    far = _near(rng, teams, teams)
    goal = "count of break" if rng.random() < 0.5 else "far[a][b] * (d mod 3) of play, 20 of break"
    return f"""
        let far = {far}
        cells t in 1..{teams}, d in 1..{teams - 1}
        choose play(a, b, d) for a in 1..{teams}, b in 1..{teams} where a != b
        choose home(t, d)
        exactly one play per x in 1..{teams}, d where x in {{a, b}}
        exactly one play per q in subsets(1..{teams}, 2) where q = {{a, b}}
        if and only if home(t, d) then some play(t, b, d) for b in 1..{teams}
        choose break(t, d) where d > 1
        if home(t, d) and home(t, e) then break(t, e) for e in 2..{teams - 1} where e = d + 1
        if not home(t, d) and not home(t, e) then break(t, e) for e in 2..{teams - 1} where e = d + 1
        minimize {goal}
    """


def covers(rng: random.Random, size: int) -> str:
    items = rng.randint(25, 80)
    held = [sorted(rng.sample(range(1, items + 1), rng.randint(2, 7))) for _ in range(size - items)]
    held += [[i] for i in range(1, items + 1)]
    kinds = rng.randint(3, 6)
    weights = _numbers(rng, size, 1, 9)
    pay = [len(one) * rng.randint(2, 5) + rng.randint(1, 6) for one in held]
    extra = rng.choice((
        "",
        f"at most {items // 2} total {weights}[o] of take per k in 1..2 where o mod {kinds} = k",
        f"at most {items // 4} take per k in 0..{kinds - 1} where o mod {kinds} = k",
        "if take(o) then not take(p) for p in 1..40 where p = o + 1 and o < 40",
    ))  # fmt: skip
    return f"""
        let held = {held}
        let pay = {pay}
        cells o in 1..size(held)
        choose take(o)
        at least {rng.choice(("one", "one", "2"))} take per i in 1..{items} where i in held[o] or o mod 50 = i
        {extra}
        minimize pay[o] of take
    """


def tours(rng: random.Random, size: int) -> str:
    places = min(max(isqrt(2 * size), 20), 45)
    spots = [[rng.randint(0, 100), rng.randint(0, 100)] for _ in range(places)]
    away = [[isqrt((a - c) ** 2 + (b - d) ** 2) + 1 for c, d in spots] for a, b in spots]
    extra = f"at most {places // 2} total (a + b) mod 3 of go" if rng.random() < 0.3 else ""
    return f"""
        let away = {away}
        choose go(a, b) for a in 1..{places}, b in 1..{places} where a < b
        exactly 2 go per x in 1..{places} where x in {{a, b}}
        loop go along (a, b)
        {extra}
        minimize away[a][b] of go
    """


def wishes(rng: random.Random, size: int) -> str:
    days = 7
    people = max(size // (2 * days), 8)
    need = [[max(people * rng.randint(20, 35) // 100, 1) for _ in range(2)] for _ in range(days)]
    asked = sorted({(rng.randint(1, people), rng.randint(1, days), rng.randint(1, 2)) for _ in range(2 * people)})
    goal = rng.choice((
        "minimize count of wish\nthen minimize pay[p][d] of work",
        "minimize pay[p][d] of work\nthen maximize s of work\nthen minimize count of wish",
        "minimize pay[p][d] of work, 7 of wish",
    ))  # fmt: skip
    return f"""
        let need = {need}
        let pay = {[_numbers(rng, days, 1, 9) for _ in range(people)]}
        let asked = {{{", ".join(map(str, asked))}}}
        cells p in 1..{people}, d in 1..{days}
        values s in 1..2
        choose work(p, d, s)
        choose wish(p, d, s) for (p, d, s) in asked
        at most one work per p, d
        at least need[d][s] work per d, s
        at most 5 work per p
        if work(p, d, 2) then not work(p, e, 1) for e in 2..{days} where e = d + 1
        if not work(p, d, s) then wish(p, d, s) for (p, d, s) in asked
        {goal}
    """


def shops(rng: random.Random, size: int) -> str:
    jobs, machines = rng.randint(3, 6), rng.randint(2, 4)
    until = max(size // (jobs * machines), 10)
    takes = max(2 * until // (3 * max(jobs, machines)), 1)
    op = [[[m, rng.randint(1, takes)] for m in rng.sample(range(machines), machines)] for _ in range(jobs)]
    if rng.random() < 0.5:
        after = (
            f"if start(j, k, t) then some start(j, l, u) for l in 2..{machines}, u in 0..{until} where l = k + 1 and "
        )
        after = f"{after}k < {machines} and u >= t + op[j][k][2]"
    else:
        after = f"at least op[i][l][2] total (2 * (k - l) - 1) * t of start per i in 1..{jobs}, l in 1..{machines - 1} "
        after = f"{after}where j = i and l <= k <= l + 1"
    return f"""
        let op = {op}
        cells j in 1..{jobs}, k in 1..{machines}, t in 0..{until}
        choose start(j, k, t) where t + op[j][k][2] <= {until}
        choose end(u) for u in 0..{until}
        exactly one start per j, k
        exactly one end
        at most one start per m in 0..{machines - 1}, x in 0..{until} where op[j][k][1] = m and t <= x < t + op[j][k][2]
        {after}
        if start(j, k, t) then some end(u) for u in 0..{until} where k = {machines} and u >= t + op[j][k][2]
        minimize u of end
    """


FAMILIES: dict[str, Maker] = {
    one.__name__: one
    for one in (
        depots, assignments, bins, knapsacks, packings, rotas, exams, courses, leagues, covers, tours, wishes,
        shops,
    )
}  # fmt: skip
LEAST, MOST = 300, 5000  # options, about


def text_of(family: str, seed: int, most: int = MOST) -> str:
    """The model of a family and a seed: always the same one. Small ones are drawn more often."""
    rng = random.Random(f"{family}/{seed}")
    size = int(LEAST * (most / LEAST) ** (rng.random() ** 1.5))
    lines: Sequence[str] = FAMILIES[family](rng, size).strip().splitlines()
    return "\n".join([f'title "{family} {seed}"', *(line.strip() for line in lines if line.strip())]) + "\n"
