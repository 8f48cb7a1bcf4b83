"""Goals with a `for`: what a choice costs is what Python adds up, whichever way the bindings are found."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from itertools import product

import pytest

import covr
from covr.compiler import compile_model
from covr.compiler.lower.as_python import closures_only
from covr.dsl import Source
from covr.dsl.diagnostics import ModelErrors
from covr.engine import search
from covr.inputs.library import checked
from tests.models import model_of

HEAD = """cells p in list("ann bob cy"), d in 1..9
let rows = [("ann", 1, 3), ("ann", 2, 5), ("bob", 1, 2), ("bob", 1, 2), ("cy", 9, -4), ("eve", 3, 7)]
let likes = table("name", "day", "price") \"\"\"
  ann 1 3
  ann 2 5
  bob 1 2
  bob 1 2
  cy 9 -4
  eve 3 7
\"\"\"
let after = {1: {2, 3}, 2: {3}, 3: {1, 2, 3}}
choose work(p, d)
"""
ROWS = [("ann", 1, 3), ("ann", 2, 5), ("bob", 1, 2), ("bob", 1, 2), ("cy", 9, -4), ("eve", 3, 7)]
AFTER = {1: {2, 3}, 2: {3}, 3: {1, 2, 3}}
Cost = Callable[[str, int], int]

# What follows `minimize`, and what Python makes of it.
GOALS: list[tuple[str, Cost]] = [
    (
        "w.price of work for w in likes where w.name = p and w.day = d",
        lambda p, d: sum(c for n, e, c in ROWS if n == p and e == d),
    ),
    ("price of work for (p, d, price) in rows", lambda p, d: sum(c for n, e, c in ROWS if n == p and e == d)),
    (
        "price of work for (p, d, price) in {r for r in rows}",
        lambda p, d: sum(c for n, e, c in {*ROWS} if (n, e) == (p, d)),
    ),
    ("count of work for (p, e, price) in rows where e <= d", lambda p, d: sum(n == p and e <= d for n, e, _ in ROWS)),
    (
        "d * price of work for (n, e, price) in rows where n = p or e = d",
        lambda p, d: d * sum(c for n, e, c in ROWS if n == p or e == d),
    ),
    ("count of work for (n, e, c) in rows where p = \"bob\"", lambda p, d: len(ROWS) * (p == "bob")),
    ("x of work for x in 1..d", lambda p, d: sum(range(1, d + 1))),
    ("x of work for x in [d, d, 2] where x > 1", lambda p, d: sum(x for x in (d, d, 2) if x > 1)),
    ("x + y of work for d in 1..3, x in after[d], y in [x, x]", lambda p, d: sum(4 * x for x in AFTER.get(d, ()))),
    (
        "x * y of work for x, y in [1, 2, 2] where x <= y",
        lambda p, d: sum(x * y for x, y in product((1, 2, 2), repeat=2) if x <= y),
    ),
    ("size(p) of work for k in p where k = \"b\"", lambda p, d: len(p) * p.count("b")),
    ("1 of work for (a, b) in [(1, 2), hex(1, 2), (3, 4)] where a <= d", lambda p, d: 2 * (d >= 1) + (d >= 3)),
]  # fmt: skip


@pytest.mark.parametrize("closures", [False, True], ids=["at once", "closures"])
@pytest.mark.parametrize(("text", "cost"), GOALS, ids=[text for text, _ in GOALS])
def test_a_choice_costs_what_all_bindings_add_up(text: str, cost: Cost, closures: bool) -> None:
    for word, sign in (("minimize", 1), ("maximize", -1)):
        if closures:
            with closures_only():
                compiled = compile_model(model_of(f"{HEAD}{word} {text}"))
        else:
            compiled = compile_model(model_of(f"{HEAD}{word} {text}"))
        assert compiled.problem.costs is not None
        for option, found in enumerate(compiled.problem.costs):
            assert found == sign * cost(*compiled.choice(option).args), (word, compiled.choice(option))


def test_random_tables_add_up_whatever_they_repeat() -> None:
    """The least cost of a rota is that of trying everything, for tables with and without lines that are equal."""
    met: Counter[str] = Counter()
    for seed in range(40):
        rng = random.Random(f"goals/{seed}")
        rows = [(rng.randint(1, 3), rng.randint(1, 3), rng.randint(-3, 6)) for _ in range(rng.randint(0, 6))]
        met["repeated"] += len({*rows}) < len(rows)
        limit = rng.randint(0, 3)
        held = "price of work for (p, d, price) in rows"
        if rng.random() < 0.5:
            held = f"r[3] of work for r in rows where r[1] = p and r[2] = d and r[3] <= {limit}"
            rows = [(p, d, c if c <= limit else 0) for p, d, c in rows] if limit else rows
        text = f"let rows = [{', '.join(map(str, rows))}]\nchoose work(p, d) for p, d in 1..3\nexactly one work per d\n"
        model = covr.loads(f"{text}minimize count of work where p = 2, {held}")
        kept = [r for r in rows if "r[3]" not in held or r[2] <= limit]
        prices = {
            (p, d): (p == 2) + sum(c for q, e, c in kept if (q, e) == (p, d)) for p in (1, 2, 3) for d in (1, 2, 3)
        }
        best = min(sum(prices[p, d] for d, p in enumerate(plan, 1)) for plan in product((1, 2, 3), repeat=3))
        assert model.solve().cost == best, (rows, held)
    assert met["repeated"] > 3, met


@pytest.mark.parametrize(
    ("goal", "code", "message", "note"),
    [
        (
            "w.name of work for w in likes",
            "E415",
            'a cost is a whole number, and this is text: "ann"',
            "for w = ann",
        ),
        ("w.cost of work for w in likes", "E205", "this record has no field `cost`", "for w = ann"),
        ("x of work for x in p", "E415", "this is text", 'for x = "a"'),
        ("p of work for p in p", "E107", "`p`", ""),
        ("w of work for w in e", "E101", "`e` is not defined", ""),
        ("x of work for x in 5", "E209", "", ""),
        ("1 of work for x in 1..2, 1 of work", "E001", "", ""),
    ],
)
def test_what_is_wrong_is_told_with_its_binding(goal: str, code: str, message: str, note: str) -> None:
    with pytest.raises(ModelErrors) as caught:
        compile_model(checked(Source("goal.cover", f"{HEAD}minimize {goal}")))
    (said,) = caught.value.diagnostics
    assert (said.code, said.span is not None) == (code, True)
    assert message in said.message and (not note or note in said.notes), said


def test_a_large_table_is_looked_up_and_not_walked_for_every_choice() -> None:
    """Steps that compiling counts: some for each choice and each row, not for each pair of them."""
    rows = "\n".join(f"{i % 200} {i % 28 + 1} {i % 5}" for i in range(2000))
    text = f'let likes = table("n", "d", "price") """\n{rows}\n"""\nchoose work(p, d) for p in 0..199, d in 1..28\n'
    text += "minimize w.price of work for w in likes where w.n = p and w.d = d"
    compiled = compile_model(model_of(text))
    assert compiled.problem.costs is not None and sum(compiled.problem.costs) == sum(i % 5 for i in range(2000))
    assert compiled.scope.budget.steps < 1_000_000


def test_a_goal_of_a_search_counts_lines_that_are_equal() -> None:
    problem = compile_model(
        model_of(f"{HEAD}exactly one work\nmaximize price of work for (p, d, price) in rows")
    ).problem
    assert problem.costs is not None
    assert -min(sum(problem.costs[o] for o in answer) for answer in search(problem)) == 5
