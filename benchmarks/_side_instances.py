"""Problems with totals, connections and loops whose minimum is asked for, from short generators."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import combinations, product

from attrs import frozen

from covr.engine import Circuit, Connection, Problem, Side, Total, build


@frozen
class SideInstance:
    """make: the problem."""

    name: str
    make: Callable[[], Problem]


def instances() -> list[SideInstance]:
    """The same every time."""
    return [
        SideInstance("rota 20/14", rota),
        *(SideInstance(f"knapsack {n}", lambda n=n: knapsack(n, 1)) for n in (40, 100)),  # type: ignore[misc]
        SideInstance("bin packing 20/8", lambda: bin_packing(20, 8)),
        SideInstance("facility 30/10", lambda: facility(30, 10)),
        SideInstance("facility 40/15", lambda: facility(40, 15)),
        SideInstance("network 5", lambda: network(5, 5)),
        SideInstance("network 7", lambda: network(7, 7)),
        SideInstance("round trip 15", lambda: round_trip(15)),
        SideInstance("round trip 25", lambda: round_trip(25)),
    ]


def rota() -> Problem:
    """The rota of the boards."""
    from benchmarks._boards import BOARDS
    from covr import load

    board = BOARDS["rota"]()
    return load(board.model, **board.params()).compiled.problem


def knapsack(things: int, seed: int) -> Problem:
    """Things whose worth grows with their weight, half of which can be carried: models/covers/knapsack.cover,
    larger."""
    rng = random.Random(seed)
    weights = [rng.randint(10, 100) for _ in range(things)]
    worth = [w + rng.randint(-8, 8) for w in weights]
    total = Total(tuple(enumerate(weights)), ((0, sum(weights) // 2),), "weight")
    return build([], [[] for _ in weights], costs=[-w for w in worth], sides=[total])


def bin_packing(boxes: int, vans: int) -> Problem:
    """Boxes in as few vans as possible, vans in order: models/covers/bin_packing.cover, larger."""
    rng = random.Random(1)
    size = sorted((rng.randint(10, 50) for _ in range(boxes)), reverse=True)
    put = {(b, v): k for k, (b, v) in enumerate(product(range(boxes), range(vans)))}
    hire = [len(put) + v for v in range(vans)]
    sides: list[Side] = [
        Total(tuple((put[b, v], size[b]) for b in range(boxes)), ((0, 100),), f"van {v}") for v in range(vans)
    ]
    sides += [Total(((put[b, v], -1), (hire[v], 1)), ((0, 1),)) for b, v in put]
    sides += [Total(((hire[v - 1], 1), (hire[v], -1)), ((0, 1),)) for v in range(1, vans)]
    options = [[b] for b, _ in put] + [[] for _ in hire]
    return build([(1, 1)] * boxes, options, costs=[0] * len(put) + [1] * vans, sides=sides)


def facility(shops: int, depots: int) -> Problem:
    """Which depots to open for shops in a plane, with capacities: models/covers/facility_location.cover, larger."""
    rng = random.Random(1)
    homes = [(rng.randint(0, 50), rng.randint(0, 50)) for _ in range(shops)]
    sites = [(rng.randint(0, 50), rng.randint(0, 50)) for _ in range(depots)]
    demand = [rng.randint(2, 9) for _ in range(shops)]
    room = [rng.randint(30, 60) for _ in range(depots)]
    serve = {(s, d): k for k, (s, d) in enumerate(product(range(shops), range(depots)))}
    opened = [len(serve) + d for d in range(depots)]
    costs = [demand[s] * (abs(homes[s][0] - sites[d][0]) + abs(homes[s][1] - sites[d][1])) for s, d in serve]
    costs += [rng.randint(300, 600) for _ in sites]
    sides: list[Side] = [Total(((serve[s, d], -1), (opened[d], 1)), ((0, 1),)) for s, d in serve]
    sides += [Total(tuple((serve[s, d], demand[s]) for s in range(shops)), ((0, room[d]),)) for d in range(depots)]
    return build([(1, 1)] * shops, [[s] for s, _ in serve] + [[] for _ in sites], costs=costs, sides=sides)


def network(size: int, towns: int) -> Problem:
    """The cheapest roads of a square grid that join some of its corners: models/covers/cheapest_network.cover,
    larger."""
    rng = random.Random(1)
    corners = list(product(range(size), repeat=2))
    roads = [(a, b) for a in corners for b in ((a[0] + 1, a[1]), (a[0], a[1] + 1)) if b in corners]
    joined = sorted(rng.sample(corners, towns))
    meet = [(j, k) for (j, one), (k, two) in combinations(enumerate(roads), 2) if set(one) & set(two)]
    side = Connection(tuple((k, k) for k in range(len(roads))), tuple(meet), "network")
    options = [[k for k, town in enumerate(joined) if town in road] for road in roads]
    return build([(1, 99)] * towns, options, costs=[rng.randint(3, 12) for _ in roads], sides=[side])


def round_trip(towns: int) -> Problem:
    """The shortest round trip of towns in a plane: models/loops/round_trip.cover, larger."""
    rng = random.Random(1)
    place = [(rng.randint(0, 300), rng.randint(0, 300)) for _ in range(towns)]
    roads = list(combinations(range(towns), 2))
    far = [round(((place[a][0] - place[b][0]) ** 2 + (place[a][1] - place[b][1]) ** 2) ** 0.5) for a, b in roads]
    side = Circuit(tuple((k, a, b) for k, (a, b) in enumerate(roads)), "round trip")
    return build([(2, 2)] * towns, [[a, b] for a, b in roads], costs=far, sides=[side])
