"""The share of the time that each method of a table begins with, in turns of that table; 0 for a first turn only.

`python -m benchmarks tune` tries each at half and at twice as much, and writes this file.
"""

from __future__ import annotations

SHARES: dict[str, dict[str, float]] = {
    "first answers": {
        "documented order, on links": 0,
        "items weighed by dead ends": 1 / 30,
        "documented order": 2,
        "walk among packings": 0,
        "clingo": 4,
        "annealed packings": 4,
        "restarts in random order": 0.4,
    },
    "best values": {
        "one total": 1,
        "like bins": 32,
        "what comes first": 1024,
        "linear programs": 1,
        "prices of rows": 1,
        "annealing": 16,
        "integer program": 4,
        "HiGHS, as a mixed-integer program, in a process": 1,
        "item by item": 1 / 8,
        "parts of the answer anew": 1,
        "clingo": 1,
        "the walk": 1,
        "the search for covers": 8,
        "the hard rules first": 8,
    },
    "covers": {
        "local search": 1,
        "the root": 0,
        "branch and bound": 8,
        "local search in cores": 8,
        "vertex covers": 56,
        "branching on orbits": 64,
    },
}
