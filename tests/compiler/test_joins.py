"""Rules whose choices are found by tables come to what closures come to, which go through all members."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from covr.compiler.lower import loops, query
from covr.compiler.lower.as_python import closures_only
from tests.compiler.outcomes import checked, outcome
from tests.constants import constants_of
from tests.shared import of_oracle

pytestmark = pytest.mark.long

SEEDS = of_oracle(400)

HEAD = """
let way = ["<", ">", "^", "<"]
let rows = [[1, 2], [3], [2, 2, 1], []]
let band(i) = (i - 1) div 2
let fit(i, j) = if i = 3 and j = 2 then j else i * j
let near(i, j) = if i = j then j > 1 else if i < j then i + 1 = j else not (i - j = 2)
let ahead(x, y, r, c) = if way[x] = "<" then r = x and c < y else if way[x] = ">" then r = y and c > x else c = y
let around(x, y) = {(x + i, y + j) for i, j in 0..1}
let reached(r, x) = r = x or near(r, x) and r > 1
let grid = {(x, y) for x, y in 1..4 where x != y}
let corners = {(1, 1), (2, 3), (4, 1)}
let square = {{(1, 2), (2, 2)}, {(3, 4)}, {}}
"""

# Families with expressions over their indices, by kind. A number may turn out to be a text, or no set a set: those are
# mistakes, which both ways tell alike.
FAMILIES = {
    "p(r, c) for r, c in 1..4": ("number", ["r", "c", "r + c", "band(r)", "fit(r, c)", "way[r]"]),
    "e(r, s) for r in 1..4, s in subsets(1..4, 2)": ("number", ["r", "band(r)", "min(s)", "r - 1"]),
    "g(a) for a in grid": ("pair", ["a", "(a[2], a[1])", "(1, a[1])"]),
    "s(d, t) for d in 1..2, t in subsets(1..4, 2)": ("set", ["t", "t | {d}", "t & {1, 2}", "{d}", "1..d"]),
    "h(v, r) for v in square, r in 1..2": ("set", ["v", "v & corners", "{(r, r)}"]),
    "u(v, w) for v in subsets(corners, 2), w in {1, 3}": ("set", ["v", "around(w, w)", "v | {(w, w)}"]),
}
KEYS = [
    "(x, y) in grid", "(x, y) in corners", "x in 1..4, y in 1..4", "(x, y) in [(1, 2), (1, 2), (2, 1)]",
    "x in 1..4, y in [3, 1, 3]", "y in 1..3, (x, z) in corners", "(z, y) in grid, x in 1..4",
]  # fmt: skip
KEPT = {
    "number": ["x", "y", "x + y", "band(x)", "fit(x, y)", "way[x]", "y - 1"],
    "pair": ["(x, y)", "(y, x)", "(y, 1)", "(x, band(y))"],
    "set": ["{x, y}", "rows[x]", "1..x", "{x, band(y)}", "{}"],
    "sets": ["around(x, y)", "{(x, y)}", "{(x, y), (y, x)}", "corners | {(x, x)}", "{(x, y), (1, x), (fit(y, 2), 1)}"],
}


def comparison(rng: Random, kind: str, sides: list[str]) -> str:
    """A comparison of what the choice knows with what the key says."""
    asked = rng.choice(sides)
    if kind == "set":
        pairs = "v" in asked or asked == "{(r, r)}"
        kept = rng.choice(KEPT["sets" if pairs else "set"] * 2 + KEPT["pair" if pairs else "number"])
        ways = ["{1} in {0}", "{0} <= {1}", "{1} >= {0}", "{0} = {1}", "{0} < {1}", "{0} in {{{1}, {{x}}, {{(y, x)}}}}"]
        return rng.choice(ways).format(asked, kept)
    if rng.random() < 0.5:
        kept = rng.choice(KEPT[kind])
        return f"{asked} {rng.choice(['=', '=', '=', '!=', '<', '>='])} {kept}"
    return f"{asked} in {rng.choice(KEPT['set' if kind == 'number' else 'sets'])}"


def condition(rng: Random, kind: str, sides: list[str]) -> str:
    """A condition with one comparison at least."""
    one = comparison(rng, kind, sides)
    guard = rng.choice(["x < y", "y != 2", 'way[x] = "<"', "size(rows[x]) > 1", "x in {1, 2, 4}"])
    other = comparison(rng, kind, sides)
    calls = ["ahead(x, y, {0}, {1})", "near({0}, x)", "reached({0}, y)", "near(y, {0}) and {1} = x", "not near({0}, x)"]
    call = rng.choice(calls).format(rng.choice(sides), rng.choice(sides))
    more = [
        f"{guard} and {one}", f"{one} or {other}", f"{one} and {other}", f"if {guard} then {one} else {other}",
        f"{one} and ({other} or {guard})", f"{guard} and ({one} or {other})", f"not ({one})",
    ]  # fmt: skip
    return rng.choice([one, one, *more, *([call, call, f"{one} or {call}"] if kind == "number" else [])])


def model(seed: int) -> str:
    """A model with one family and one rule."""
    rng = Random(seed)
    family = rng.choice(sorted(FAMILIES))
    kind, sides = FAMILIES[family]
    key, name = rng.choice(KEYS), family[0]
    least = rng.choice(["at most 1", "exactly 1", "exactly {0, 2}"])
    return f"{HEAD}\nchoose {family}\n{least} {name} per {key} where {condition(rng, kind, sides)}"


def test_tables_find_what_closures_find(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []
    joined = loops.joined

    def noted(*given: Any) -> Any:
        found = joined(*given)
        made.extend([found] if found is not None else [])
        return found

    monkeypatch.setattr(loops, "joined", noted)
    compiled = 0
    for seed in range(SEEDS):
        text = checked(model(seed))
        assert text is not None, seed
        with constants_of(query, FEWEST=1), constants_of(loops, FEWEST_JOINED=0, FEWEST_LOOKED_AT=0):
            found, one = outcome(text)
            with closures_only():
                expected, other = outcome(text)
        assert found == expected, (seed, model(seed))
        if one is not None and other is not None:
            compiled += 1
            assert one.scope.budget.steps <= 2 * other.scope.budget.steps + 2000, seed
    assert compiled > SEEDS / 2, "most are models"
    assert len(made) > SEEDS / 4, "tables were made"


def test_a_table_spares_going_through_all_members() -> None:
    """Squares and rooms: each square is looked up, where there are 400 rooms for each of 400 squares."""
    text = """
    let room = {((r - 1) div 2, (c - 1) div 2) for r, c in 1..40}
    cells r, c in 1..40
    choose shade(r, c)
    exactly one shade per (i, j) in room where ((r - 1) div 2, (c - 1) div 2) = (i, j)
    """
    made = outcome(checked(text) or pytest.fail())[1]
    assert made is not None
    assert made.scope.budget.steps < 20_000
