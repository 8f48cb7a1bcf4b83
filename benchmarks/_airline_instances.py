"""Crew pairings, made: set partitioning with as many rows and columns, and of the same shape, as airlines have.

Flights are drawn in a network of airports and times. An airline has few bases and many outstations; its aircraft fly
out of a base and back for some days. A pairing is what a crew flies from its base until it is back: one duty a day, of
a legal length, with time to change aircraft between two flights and to rest between two duties. Its cost is what the
crew is paid for: of each duty the longest of the time in the air, a share of the time on duty, and a guarantee; and a
hotel for each night.

Pairings come from rosters, in which each flight is flown by a crew that happens to be there. So they fit together as
those do that column generation leaves: many partitions cost about the same, bounds of linear programs are nearly whole,
and their prices are degenerate. The first roster follows the aircraft, and is an answer.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from attrs import frozen

from covr.engine import Problem, build

DAY = 24 * 60  # minutes, as all times
CONNECT = (30, 150)  # between two flights of a duty
REST = 10 * 60  # between two duties, at least
DUTY = 11 * 60  # from the first departure of a duty to its last arrival, at most
DAYS = 3  # duties of a pairing, at most
LEGS = (3, 20)  # flights of a pairing
GUARANTEE = 4 * 60  # paid for a duty, at least
SHARE = (5, 8)  # of the time on duty, which is paid at least
HOTEL = 100  # minutes' pay, for a night
STAYS = 0.75  # how often a crew goes on with the aircraft that it came with, or the first that leaves
BASES = 3
OUTSTATIONS = 30
IDLE = 50  # rosters that bring nothing new, after which there is nothing new to be expected
SIZES = ((200, 2000), (400, 4000), (800, 8000))  # flights, pairings


@frozen
class Flight:
    """start, end: airports.  leaves, lands: minutes after the first midnight.  aircraft: which flies it."""

    start: int
    end: int
    leaves: int
    lands: int
    aircraft: int


def crew_pairings(flights: int, pairings: int, seed: int = 1) -> Problem:
    """Each flight exactly once, by one of the pairings, as cheaply as possible. Raises ValueError for an odd number of
    flights, since each goes out or back, for less than four, and where their rosters hold too few pairings."""
    if flights % 2 or flights < 4:
        raise ValueError(f"no even number of flights from 4 on: {flights}")
    draw = random.Random(seed)
    flown = _schedule(flights, draw)
    known: dict[tuple[int, ...], int] = {}
    first, idle = True, 0  # rosters in a row that brought nothing new
    while len(known) < pairings:
        before = len(known)
        for legs in _roster(flown, draw, first):
            paid = _paid([flown[f] for f in legs])
            if first or (LEGS[0] <= len(legs) <= LEGS[1] and len(known) < pairings):
                known.setdefault(legs, paid)
        first, idle = False, idle + 1 if len(known) == before else 0
        if idle > IDLE:
            raise ValueError(f"{flights} flights give {len(known)} pairings only")
    found = [*known.items()]
    draw.shuffle(found)
    return build([(1, 1)] * flights, [legs for legs, _ in found], costs=[paid for _, paid in found])


def _schedule(flights: int, draw: random.Random) -> list[Flight]:
    """The flights in the order in which they leave. Each aircraft flies from a base and back, each day until evening;
    what its crew then flies in up to `DAYS` days is legal."""
    far = {(b, o): draw.randrange(45, 150, 5) for b in range(BASES) for o in range(BASES, BASES + OUTSTATIONS)}
    made: list[Flight] = []
    aircraft = 0
    while len(made) < flights:
        base = draw.randrange(BASES)
        here, legs = base, []
        for day in range(draw.randint(1, DAYS)):
            begin = now = day * DAY + draw.randrange(6 * 60, 11 * 60, 5)
            while len(legs) < LEGS[1] - 1:
                hubs = [b for b in range(BASES) if here >= BASES]
                to = draw.choice(hubs) if hubs else draw.randrange(BASES, BASES + OUTSTATIONS)
                lands = now + far[min(here, to), max(here, to)]
                if lands > begin + DUTY - 2 * 60:
                    break
                legs.append(Flight(here, to, now, lands, aircraft))
                here, now = to, lands + draw.randrange(35, 60, 5)
        if here != base:  # home, from another base by an outstation
            legs = _cut(legs, base)
        if LEGS[0] <= len(legs) <= flights - len(made) and not 0 < flights - len(made) - len(legs) < LEGS[0]:
            made += legs
            aircraft += 1
    return sorted(made, key=lambda f: (f.leaves, f.aircraft))


def _cut(legs: list[Flight], base: int) -> list[Flight]:
    """The flights up to the last one that lands at the base."""
    while legs and legs[-1].end != base:
        legs.pop()
    return legs


def _roster(flown: list[Flight], draw: random.Random, follow: bool) -> Iterator[tuple[int, ...]]:
    """Pairings that share no flight. follow: whether each crew stays on its aircraft."""
    crews: list[list[int]] = []
    there: dict[int, list[list[int]]] = {}
    for number, flight in enumerate(flown):
        waiting = there.setdefault(flight.start, [])
        legal = [c for c in waiting if _may_fly(flown, c, flight)]
        own = [c for c in legal if flown[c[-1]].aircraft == flight.aircraft]
        if follow:
            crew = own[0] if own else None
        elif own and draw.random() < STAYS:
            crew = own[0]
        else:
            crew = draw.choice(legal) if legal and draw.random() < (STAYS + 1) / 2 else None
        if crew is None:
            if flight.start >= BASES:
                continue  # nobody is there: another roster has this flight
            crew = []
            crews.append(crew)
        else:
            waiting.remove(crew)
        crew.append(number)
        there.setdefault(flight.end, []).append(crew)
    for crew in crews:
        home = flown[crew[0]].start
        ends = [k + 1 for k, f in enumerate(crew) if flown[f].end == home]
        if ends:
            yield tuple(crew[: ends[-1]] if follow else crew[: draw.choice(ends[-2:])])


def _may_fly(flown: list[Flight], crew: list[int], flight: Flight) -> bool:
    """Whether a crew that is there may fly it next."""
    waits = flight.leaves - flown[crew[-1]].lands
    duties = list(_duties([flown[f] for f in crew]))
    if waits >= REST:
        return len(duties) < DAYS
    return CONNECT[0] <= waits <= CONNECT[1] and flight.lands - duties[-1][0].leaves <= DUTY


def _duties(legs: list[Flight]) -> Iterator[list[Flight]]:
    duty: list[Flight] = []
    for leg in legs:
        if duty and leg.leaves - duty[-1].lands >= REST:
            yield duty
            duty = []
        duty.append(leg)
    yield duty


def _paid(legs: list[Flight]) -> int:
    """What the crew is paid, in minutes."""
    total = -HOTEL
    for duty in _duties(legs):
        spent = duty[-1].lands - duty[0].leaves
        flown = sum(leg.lands - leg.leaves for leg in duty)
        total += HOTEL + max(GUARANTEE, flown, spent * SHARE[0] // SHARE[1])
    return total
