"""Random problems of the shapes for which clingo is told more than the problem itself: totals that share what they have
(clingo_shares.py), rows of windows (clingo_shares.py), costs beside totals (clingo_rules.py)."""

from __future__ import annotations

from random import Random

from covr.engine import Connection, Problem, Side, Total, build


def paths(rng: Random) -> Problem:
    """Lines of two or three kinds between corners, or beside one corner: so many at a corner, all of one kind. Some
    kinds are not told, some lines are forbidden or of no kind, and lines hang together or are vertices themselves."""
    if rng.random() < 0.5:
        lines, kinds = [(0, 1), (0, 2), (0, 3), (1, 2), (2, 3)], 2
    else:
        lines, kinds = [(0, k) for k in range(1, 4)], 3
    corners = range(4)
    choices = [(line, kind) for line in lines for kind in range(kinds)]
    own = rng.random() < 0.3  # an option more, which stands where a line does, or at a corner
    few = rng.choice((2, 2, 2, 3))
    bounds = [rng.choice(((few, few), (0, few), (0, 2 * few), (1, 3), (0, 9))) for _ in corners]
    dead = rng.randrange(len(choices)) if rng.random() < 0.3 else None
    as_items = [rng.random() < 0.7 for _ in corners]
    bounds = [b if as_item else (0, 99) for b, as_item in zip(bounds, as_items, strict=True)]
    bounds.append((0, 0))
    order = sorted(range(5), key=lambda k: bounds[k][0] == 0)
    place = {corner: at for at, corner in enumerate(order)}
    rows = [[place[w] for w in line] + ([place[4]] if o == dead else []) for o, (line, _) in enumerate(choices)]
    rows += [[place[0]] if rng.random() < 0.5 else []] if own else []
    sides: list[Side] = []
    for corner in corners:
        held = [o for o, (line, _) in enumerate(choices) if corner in line]
        if not as_items[corner]:
            sums = rng.choice((((0, 0), (few, few)), ((few, few),), ((0, few),)))
            sides.append(Total(tuple((o, 1) for o in held), sums))
        for kind in range(kinds):
            terms = tuple((o, 1) for o in held if choices[o][1] == kind)
            if rng.random() < 0.93:
                sides.append(Total(terms, ((0, 0), (few, few))))
    vertex = {line: k for k, line in enumerate(lines)}
    joints = tuple((vertex[a], vertex[b]) for a in lines for b in lines if a < b and set(a) & set(b))
    places = [(o, vertex[line]) for o, (line, _) in enumerate(choices)]
    if rng.random() < 0.2:  # two vertices to a line
        joints, places = tuple(lines), [(o, w) for o, (line, _) in enumerate(choices) for w in line]
    places += [(len(choices), 0)] if own and rng.random() < 0.7 else []
    sides += [Connection(tuple(places), joints)] if rng.random() < 0.8 else []
    rng.shuffle(sides)
    given = rng.sample(range(len(rows)), rng.choice((0, 0, 0, 1)))
    return build([bounds[k] for k in order], rows, given=given, sides=sides)


def cars(rng: Random, places: int, kinds: int) -> Problem:
    """Cars in a line, of kinds with other parts in them; each part in at most so many of some cars in a row. Some
    windows are left out or of another length, some kinds are not wanted, and places may stay empty."""
    parts = rng.randint(1, 2)
    needs = [[rng.random() < 0.6 for _ in range(parts)] for _ in range(kinds)]
    bounds, holds = [], [[list[int]() for _ in range(places)] for _ in range(kinds)]

    def item(low: int, high: int, options: list[tuple[int, int]]) -> None:
        bounds.append((low, high))
        for c, t in options:
            holds[c][t].append(len(bounds) - 1)

    full = rng.random() < 0.7
    windows = [rng.choice(((2, 1), (3, 1), (3, 2), (4, 2))) for _ in range(parts)]
    line: list[int] = []  # a line of cars that mostly keeps to the windows
    for t in range(places):
        kept = [
            c
            for c in range(kinds)
            if all(
                not needs[c][part] or sum(needs[d][part] for d in line[max(t - wide + 1, 0) :]) < most
                for part, (wide, most) in enumerate(windows)
            )
        ]
        line.append(rng.choice(kept or range(kinds)))
    for c in range(kinds):
        most = line.count(c) or 1
        item(rng.choice((most, max(most - 1, 1))), most, [(c, t) for t in range(places)])
    if full:
        for t in range(places):
            item(1, 1, [(c, t) for c in range(kinds)])
    single = rng.random() < 0.9
    if not full and single:
        for t in range(places):
            item(0, 1, [(c, t) for c in range(kinds)])
    for part in range(parts):
        wide, most = windows[part]
        for t in range(places - wide + 1):
            end = t + wide + (rng.random() < 0.1)
            held = [(c, s) for c in range(kinds) if needs[c][part] for s in range(t, min(end, places))]
            if held and rng.random() < 0.95:
                item(0, most, held)
    costs = [rng.randint(0, 3) for _ in range(kinds * places)]
    given = rng.sample(range(kinds * places), rng.choice((0, 0, 1)))
    order = sorted(range(len(bounds)), key=lambda i: bounds[i][0] == 0)
    new = {i: k for k, i in enumerate(order)}
    options = [sorted(new[i] for i in holds[c][t]) for c in range(kinds) for t in range(places)]
    return build([bounds[i] for i in order], options, costs=costs, given=given)


def balanced(rng: Random) -> Problem:
    """Few options with costs, and totals of one value in which most of them count for as much as they cost, or for
    the opposite, or for a part of it."""
    n = rng.randint(5, 9)
    part = rng.choice((1, 1, 2))
    costs = [part * rng.choice((-2, -1, -1, 1, 1, 2, 3)) for _ in range(n)]
    sides: list[Side] = []
    for _ in range(rng.choice((1, 1, 2))):
        held = [o for o in range(n) if rng.random() < 0.8]
        terms = [(o, costs[o] // part * rng.choice((1, 1, -1))) for o in held]
        terms = [(o, c if rng.random() < 0.9 else c + 4) for o, c in terms]
        value = sum(c for _, c in terms if rng.random() < 0.5)
        sides.append(Total(tuple(terms), ((value, value),)))
    bounds = [(0, rng.randint(1, 4)) for _ in range(3)]
    options = [sorted(rng.sample(range(3), rng.choice((0, 1, 1, 2)))) for _ in range(n)]
    given = rng.sample(range(n), rng.choice((0, 0, 1)))
    return build(bounds, options, costs=costs, given=given, sides=sides)
