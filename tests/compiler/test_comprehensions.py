"""Sets, lists and maps made by `for` at once come to what closures come to, with the same faults."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from covr.compiler import compile_model
from covr.compiler.evaluate import expressions as walks
from covr.compiler.lower import families as comprehensions
from covr.compiler.lower.as_python import closures_only
from covr.dsl.diagnostics import ModelErrors
from tests.compiler.outcomes import checked
from tests.constants import constants_of
from tests.shared import of_oracle

pytestmark = pytest.mark.long

SEEDS = of_oracle(600)

HEAD = """
let grid = {(r, c) for r, c in 1..4 where r != c}
let corners = {(1, 1), (1, 2), (2, 3), (4, 1)}
let rows = [[1, 2], [3], [2, 2, 1], []]
let sets = {{1, 2}, {3}, {2, 5}}
let way = ["<", ">", "^", "<"]
let half(i) = (i + 1) div 2
let step(x, k) = (x[1] + [0, 1, 0, -1][k], x[2] + [1, 0, -1, 0][k])
let near(i, j) = if i = j then j > 1 else if i < j then i + 1 = j else not (i - j = 2)
let around(x, y) = {(x + i, y + j) for i, j in 0..1}
let pairs(i) = {{x, step(x, i)} for x in corners}
let go(x, k) = if step(x, k) in grid then go(step(x, k), k) else x
let up(i) = if i in 1..2 then i + up(i + 1) else i
"""
# What is gone through, with the kinds of the names that it binds. What follows another may use its names.
OVER = [
    ("i in 1..4", {"i": "number"}), ("i, j in 1..4", {"i": "number", "j": "number"}), ("x in grid", {"x": "pair"}),
    ("(i, j) in grid", {"i": "number", "j": "number"}), ("s in sets", {"s": "set"}), ("i in rows[3]", {"i": "number"}),
    ("s in sets, i in s", {"s": "set", "i": "number"}),
    ("x in corners, y in neighbours(x)", {"x": "pair", "y": "pair"}),
    ("x in grid, k in 1..4", {"x": "pair", "k": "number"}), ("i in 1..4, j in rows[i]", {"i": "number", "j": "number"}),
    ("x in corners, (i, j) in neighbours(x)", {"x": "pair", "i": "number", "j": "number"}),
    ("i in 1..3, (j, k) in around(i, i)", {"i": "number", "j": "number", "k": "number"}),
    ("i in 1..4, x in neighbours((i, half(i)))", {"i": "number", "x": "pair"}), ("w in way", {"w": "text"}),
    ("x in corners, y in neighbours(x) & grid", {"x": "pair", "y": "pair"}),
    ("i in 1..3, s in pairs(i), x in s", {"i": "number", "s": "set", "x": "pair"}),
    ("i in 1..3, j in {i + k for k in 1..i where k != 2}", {"i": "number", "j": "number"}),
    ("i in 1..4, j in 1..sum([k for k in rows[i]])", {"i": "number", "j": "number"}),
]  # fmt: skip


class Text:
    """Random expressions over names of these kinds."""

    def __init__(self, rng: Random, kinds: dict[str, str]) -> None:
        self.rng, self.kinds = rng, kinds

    def name(self, kind: str, otherwise: str) -> str:
        return self.rng.choice([n for n, k in self.kinds.items() if k == kind] or [otherwise])

    def number(self) -> str:
        n, pair = self.name("number", "2"), self.name("pair", "(1, 3)")
        more = [f"{n} + 1", f"half({n})", f"{pair}[1]", f"rows[{n}][1]", f"up({n})", f"{n} mod 3", f"size(rows[{n}])"]
        return self.rng.choice([n, n, "2", *more])

    def pair(self) -> str:
        x = self.name("pair", "(1, 2)")
        return self.rng.choice(
            [x, f"step({x}, {self.number()})", f"go({x}, {self.number()})", f"({self.number()}, {self.number()})"]
        )

    def set(self) -> str:
        s, x = self.name("set", "{1, 3}"), self.pair()
        pairs = [f"{{{self.number()}, {self.number()}}}", f"{{{x}, {self.pair()}}}", f"around({self.number()}, 2)"]
        sums = f"{{i + j for i, j in 0..{self.rng.choice('12k')}}}"
        return self.rng.choice([s, *pairs, f"1..{self.number()}", sums])

    def value(self) -> str:
        return self.rng.choice([self.number, self.pair, self.set, lambda: self.name("text", '"a"')])()

    def condition(self) -> str:
        part = self.rng.choice([
            lambda: f"{self.pair()} in {self.rng.choice(['grid', 'corners'])}",
            lambda: f"{self.number()} = {self.number()}",
            lambda: f"{self.number()} {self.rng.choice(['<', '!=', '>='])} {self.number()}",
            lambda: f"near({self.number()}, {self.number()})", lambda: f"{self.number()} in {self.set()}",
            lambda: f"{self.pair()} = {self.pair()}", lambda: f"{self.pair()} in around({self.number()}, 1)",
            lambda: f"way[{self.number()}] = {self.name('text', chr(34) + '<' + chr(34))}",
        ])  # fmt: skip
        return f"{part()} {self.rng.choice(['and', 'or'])} {part()}" if self.rng.random() < 0.4 else part()


def model(seed: int) -> str:
    """A model whose `made` is made by `for`."""
    rng = Random(seed)
    over, kinds = rng.choice(OVER)
    text = Text(rng, kinds)
    where = f" where {text.condition()}" if rng.random() < 0.7 else ""
    if where and rng.random() < 0.2:
        asked = f"{over}{where}"
        same = rng.choice([f"some({asked}) = (size([1 for {asked}]) > 0)", f"no({asked}) = ([1 for {asked}] = [])"])
        return f"{HEAD}\nlet made = {{y for y in 1..3 where {same} and y > 1}}\nchoose c(x) for x in made"
    made = rng.choice(["{{{0}{1}}}", "{{{0}{1}}}", "[{0}{1}]", "{{{2}: {0}{1}}}"])
    value = made.format(text.value(), f" for {over}{where}", text.value())
    return f"{HEAD}\nlet made = {value}\nchoose c(x) for x in 1..2"


def came(text: Any) -> Any:
    """The value and what it counted, or the faults."""
    try:
        scope = compile_model(text).scope
    except ModelErrors as errors:
        return [(d.code, d.message, d.span and d.span.place, d.help, d.notes) for d in errors.diagnostics]
    value = scope.value("made")
    return type(value), value, str(value)


def test_what_is_made_at_once_is_what_closures_make() -> None:
    made = compiled = 0
    for seed in range(SEEDS):
        text = checked(model(seed))
        if text is None:
            continue
        with constants_of(walks, MANY=0):
            found = came(text)
            with closures_only():
                expected = came(text)
        assert found == expected, (seed, model(seed))
        if isinstance(found, tuple) and "y for y" in model(seed):
            assert list(found[1]) == [2, 3], (seed, model(seed))
        compiled += isinstance(found, tuple)
        scope = compile_model(text).scope if isinstance(found, tuple) else None
        let = next(d for d in text.definitions if d.name.id == "made")
        made += scope is not None and comprehensions.items_of(let.value, scope) is not None  # type: ignore[union-attr, arg-type]
    assert compiled > SEEDS / 3, "these are models"
    assert made > SEEDS / 6, "many were made at once"
