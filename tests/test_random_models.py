"""Random small models of every kind of rule have the answers that trying every set of choices finds."""

from __future__ import annotations

from itertools import chain, combinations
from typing import Any

from attrs import frozen
from hypothesis import given, settings
from hypothesis import strategies as st

from covr.compiler import Compiled, compile_model
from covr.compiler.evaluate.scope import Scope
from covr.dsl.syntax import Expr
from covr.engine import Settings, search
from tests.compiler.lowering import model_of, truth
from tests.shared import examples

SETS: dict[str, Any] = {"r": range(1, 3), "c": range(1, 4), "x": range(3)}
FAMILIES = {"a": ("r", "c"), "b": ("c",)}
HEAD = "cells r in 1..2, c in 1..3, x in 0..2 choose a(r, c) choose b(c)\n"
CHOICES = [("a", (r, c)) for r in SETS["r"] for c in SETS["c"]] + [("b", (c,)) for c in SETS["c"]]

Answer = frozenset[tuple[str, tuple[int, ...]]]


@frozen
class RandomRule:
    kind: str
    low: int
    high: int
    families: tuple[str, ...]
    keys: tuple[str, ...]
    where: str

    def __str__(self) -> str:
        quantity = f"{self.low}..{self.high}" if self.kind == "exactly" else str(self.low)
        keys = f" per {', '.join(self.keys)}" if self.keys else ""
        where = f" where {self.where}" if self.where else ""
        return f"{self.kind} {quantity} {' or '.join(self.families)}{keys}{where}"

    def holds(self, answer: Answer, scope: Scope, condition: Expr | None) -> bool:
        """Read literally: for every value of the keys, count the choices that match them and the condition."""
        for key in product_of(self.keys):
            own = [choice for choice in answer if choice[0] in self.families]
            count = sum(self._belongs(choice, key, scope, condition) for choice in own)
            if self.kind == "exactly" and not self.low <= count <= self.high:
                return False
            if self.kind == "at least" and count < self.low:
                return False
            if self.kind == "at most" and count > self.low:
                return False
        return True

    def _belongs(
        self, choice: tuple[str, tuple[int, ...]], key: dict[str, int], scope: Scope, condition: Expr | None
    ) -> bool:
        own = dict(zip(FAMILIES[choice[0]], choice[1], strict=True))
        if any(own[name] != value for name, value in key.items() if name in own):
            return False
        return condition is None or truth(scope, condition, {**key, **own})


def product_of(names: tuple[str, ...]) -> list[dict[str, int]]:
    found: list[dict[str, int]] = [{}]
    for name in names:
        found = [{**env, name: value} for env in found for value in SETS[name]]
    return found


PARTS = [
    "c != 2",
    "c <= 2 and c > 0",
    "x = c or x = c - 1",
    "x <= c <= x + 1",
    "x in {c, 0}",
    "r = c",
    "r + c = x + 2",
    "r < c or c = 1",
    "x != 1",
]


def names_in(part: str) -> set[str]:
    return {n for n in "rcx" if n in part.replace("or", "").replace("and", "")}


@st.composite
def rules(draw: st.DrawFn) -> RandomRule:
    kind = draw(st.sampled_from(["exactly", "at least", "at most"]))
    low = draw(st.integers(0, 2))
    high = low + draw(st.integers(0, 1))
    families = draw(st.sampled_from([("a",), ("b",), ("a", "b")]))
    alone = [("r",), ("r", "c")] if families == ("a",) else []
    keys = draw(st.sampled_from([(), ("c",), ("x",), ("c", "x"), *alone]))
    known = {"c", *keys, *(["r"] if families == ("a",) else [])}
    usable = [""] + [part for part in PARTS if names_in(part) <= known]
    return RandomRule(kind, low, high, families, keys, draw(st.sampled_from(usable)))


def narrowing_matters(rule: RandomRule) -> bool:
    """Whether the condition speaks of keys only: then it narrows the items, which `holds` must not check."""
    return bool(rule.where) and names_in(rule.where) <= set(rule.keys)


def expected(drawn: list[RandomRule], taken: list[int], forbidden: list[int]) -> set[Answer]:
    compiled_rules = []
    for rule in drawn:
        (statement,) = model_of(HEAD + str(rule)).statements[-1:]
        compiled_rules.append((rule, statement.where))  # type: ignore[union-attr]
    scope = Scope(())
    found = set()
    for subset in chain.from_iterable(combinations(CHOICES, k) for k in range(len(CHOICES) + 1)):
        answer = frozenset(subset)
        if any(CHOICES[i] not in answer for i in taken) or any(CHOICES[i] in answer for i in forbidden):
            continue
        if all(rule.holds(answer, scope, condition) for rule, condition in compiled_rules):
            found.add(answer)
    return found


def named(i: int) -> str:
    family, args = CHOICES[i]
    return f"{family}({', '.join(map(str, args))})"


def answers(c: Compiled, settings_: Settings) -> list[Answer]:
    return [frozenset((x.family, x.args) for x in c.choices(a)) for a in search(c.problem, settings=settings_)]


@settings(max_examples=examples(120), deadline=None)
@given(
    drawn=st.lists(rules().filter(lambda rule: not narrowing_matters(rule)), min_size=1, max_size=3),
    taken=st.lists(st.integers(0, 8), max_size=1),
    forbidden=st.lists(st.integers(0, 8), max_size=2),
)
def test_a_model_has_the_answers_that_trying_everything_finds(
    drawn: list[RandomRule], taken: list[int], forbidden: list[int]
) -> None:
    forbidden = [i for i in forbidden if i not in taken]
    lines = [str(rule) for rule in drawn]
    lines += [f"given {named(i)}" for i in taken] + [f"forbid {named(i)}" for i in forbidden]
    c = compile_model(model_of(HEAD + "\n".join(lines)))
    wanted = expected(drawn, taken, forbidden)
    by_reference = answers(c, Settings(engine="reference"))
    found = answers(c, Settings())
    assert found == by_reference
    assert set(found) == wanted
    assert len(found) == len(wanted)


@settings(max_examples=examples(80), deadline=None)
@given(
    drawn=st.lists(rules().filter(lambda rule: not narrowing_matters(rule)), min_size=1, max_size=2),
    goal=st.sampled_from(["count of a", "r of a, c of b", "c - 2 of a", "3 - c of b where c < 3, count of a"]),
    kind=st.sampled_from(["minimize", "maximize"]),
)
def test_a_goal_is_reached_by_the_best_of_all_answers(drawn: list[RandomRule], goal: str, kind: str) -> None:
    c = compile_model(model_of(HEAD + "\n".join(map(str, drawn)) + f"\n{kind} {goal}"))
    worth = {
        "count of a": lambda f, v: int(f == "a"),
        "r of a, c of b": lambda f, v: v[0],
        "c - 2 of a": lambda f, v: v[1] - 2 if f == "a" else 0,
        "3 - c of b where c < 3, count of a": lambda f, v: 1 if f == "a" else max(3 - v[0], 0),
    }[goal]
    values = [sum(worth(f, v) for f, v in answer) for answer in expected(drawn, [], [])]
    *_, best = [None, *search(c.problem, goal="minimum")]
    found = None if best is None else c.objective(best)
    assert found == ((min if kind == "minimize" else max)(values) if values else None)
