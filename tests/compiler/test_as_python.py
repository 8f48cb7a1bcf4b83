"""Statements that are turned into Python source come to what closures come to, with the same faults."""

from __future__ import annotations

import ast
from itertools import islice, product
from random import Random
from typing import Any

import pytest

from covr.compiler import CompileLimits, compile_model
from covr.compiler.evaluate.limits import USED_UP
from covr.compiler.lower import query
from covr.compiler.lower.as_python import closures_only
from covr.dsl import Source, load_model
from covr.engine import validate
from tests.compiler.outcomes import checked, outcome
from tests.constants import constants_of
from tests.modules import ROOT, syntax_of
from tests.shared import of_oracle

pytestmark = pytest.mark.long

SEEDS = of_oracle(400)

HEAD = """
let limit = 3
let rows = [[1, 2], [3], [2, 2, 1], []]
let band(i) = (i - 1) div 2
let fit(i, j) = if i = 3 and j = 2 then [1, 2][i] else i * j
let far(s) = max(s) - min(s)
let near(i, j) = if i = j then j > 1 else if i < j then i + 1 = j else not (i - j = 2)
let both(i, j, k) = near(i, k) and band(j) = band(k)
let turned(c, r) = near(r, c) or both(c, 2, r)
let long(x, y) = size(rows[x]) > y and (y < 1 or rows[x][1] in {1, 3})
let down(i) = if i <= 0 then 0 else 1 + down(i - 2)
let under(s, i) = i in s and near(i, limit)
let told(i, j) = if i in {1, 3} and j in 1..2 then {rows[i][j]} else {}
let moved(s, i) = {x + i for x in s where x != i}
let steps(line, k) = {n + sum([line[j] for j in 1..k where j <= 2]) for n in 1..3 - size(line)}
let grid = {(r, c) for r, c in 1..3 where r != c}
let neighbour(x, k) = translate(x, ([0, 1, 0, -1][k mod 4 + 1], [1, 0, -1, 0][k mod 4 + 1]))
let names = {"a", "b", "c"}
let area = grid [BLOCK]
""".replace(
    "let area = grid [BLOCK]\n", 'let area = map(table("at", "kind") """\n  1 a\n  2 b\n  3 a\n""", "at", "kind")\n'
)

FAMILIES = {
    "p": ("p(r, c)", ["r", "c"]),
    "q": ("q(i, k) for i in 1..3, k in i..4", ["i", "k"]),
    "s": ("s(d, t) for d in 1..2, t in subsets(1..4, 2)", ["d", "t"]),
    "u": ("u(e, w) for e in grid, w in names", ["e", "w"]),
    "l": ("l(m) for m in [3, 1, 3, 2]", ["m"]),
    "g": ("g(a, b) for (a, b) in grid", ["a", "b"]),
    "h": ("h(v, o) for v in {{}, 1..2, {4}, {1, 2}}, o in 0..3", ["v", "o"]),
}

SORTS = {
    "number": {"r", "c", "i", "k", "d", "m", "a", "b", "o", "x", "y"},
    "set": {"t", "v", "pair"},
    "text": {"w"},
    "tuple": {"e"},
}
FREE = [
    ("x in 1..4", "x"), ("y in 0..2", "y"), ("(x, y) in grid", "x y"), ("pair in subsets(1..4, 2)", "pair"),
    ("x in {3, 1}", "x"), ("x in [2, 2, 5]", "x"), ("(x, y) in {(1, 2)}", "x y"), ("x in 1..150", "x"),
    ("pair in subsets(t, 2)", "pair"), ("x in t", "x"), ("x in 1..k", "x"), ("y in v", "y"), ("x in rows[r]", "x"),
    ("pair in subsets(v, 1)", "pair"), ("x in e", "x"), ("(x, y) in {e}", "x y"), ("x in told(r, c)", "x"),
    ("(x, y) in neighbours(e) & grid", "x y"), ("x in {m + j for j in 0..k}", "x"), ("x in moved(t, d)", "x"),
    ("x in [a, b, a]", "x"), ("(x, y) in {(a, b), (b, a)}", "x y"), ("x in t - {d}", "x"), ("x in rows[o] ", "x"),
    ("y in steps(rows[r], c)", "y"), ("(x, y) in neighbours((r, c))", "x y"), ("x in v | {o}", "x"),
]  # fmt: skip


class Text:
    """Random expressions over the names that are known at a place."""

    def __init__(self, rng: Random, names: set[str]) -> None:
        self.rng, self.names = rng, names

    def name(self, sort: str, otherwise: str) -> str:
        fitting = sorted(self.names & SORTS[sort])
        return self.rng.choice(fitting) if fitting and self.rng.random() < 0.9 else otherwise

    def number(self, depth: int = 2) -> str:
        rng, n = self.rng, self.number
        if depth == 0 or rng.random() < 0.5:
            return self.name("number", str(rng.randint(-1, 4)))
        return rng.choice([
            lambda: f"({n(depth - 1)} {rng.choice('+-*')} {n(depth - 1)})",
            lambda: f"({n(depth - 1)} {rng.choice(['div', 'mod'])} {rng.choice(['2', '3', '1', n(0)])})",
            lambda: f"{rng.choice(['band', 'abs', '-'])}({n(depth - 1)})",
            lambda: f"fit({n(0)}, {n(0)})",
            lambda: f"down({n(0)})",
            lambda: f"rows[{n(0)}][{n(0)}]",
            lambda: f"(if {self.comparison()} then {n(0)} else {n(0)})",
            lambda: f"{self.name('tuple', '(1, 2)')}[{rng.choice('112')}]",
            lambda: f"{rng.choice(['far', 'size', 'min'])}({self.name('set', '{2, 4}')})",
            lambda: f"{rng.choice(['sum', 'size', 'size'])}([{n(0)} * h for h in {n(0)}..{n(0)}])",
            lambda: f"{rng.choice(['size', 'size', 'min'])}({{h mod 2 for h in {self.set()} where h != {n(0)}}})",
            lambda: f"sorted([{n(0)}, {n(0)}])[{rng.choice('112')}]",
            lambda: f"neighbour(({n(0)}, {n(0)}), {n(0)})[{rng.choice('112')}]",
        ])()  # fmt: skip

    def text(self) -> str:
        return self.rng.choice([self.name("text", '"a"'), '"b"', f"area[{self.number(0)}]"])

    def set(self) -> str:
        rng = self.rng
        return rng.choice([
            self.name("set", "1..3"), "{1, 4}", "grid", "names", "{}", f"subsets({self.name('set', '1..4')}, 2)",
            f"{{{self.number(1)}, {self.number(0)}}}", f"{self.number(0)}..{self.number(1)}",
            f"moved({self.name('set', '1..3')}, {self.number(0)})", f"told({self.number(0)}, {self.number(0)})",
            f"neighbours({self.name('tuple', '(1, 2)')}) {rng.choice('&-|')} grid",
            f"{{{self.number(0)}, 2}} {rng.choice('&-|')} {self.name('set', '1..2')}",
        ])  # fmt: skip

    def value(self) -> str:
        pair = f"({self.number(1)}, {self.number(0)})"
        return self.rng.choice([self.number(), self.number(), self.text(), self.set(), self.name("tuple", pair), pair])

    def comparison(self) -> str:
        rng, n = self.rng, self.number
        x = self.name("number", "1")
        return rng.choice([
            lambda: f"{n(1)} {rng.choice(['=', '!=', '<', '<=', '>', '>='])} {n(1)}",
            lambda: f"{n(0)} <= {x} < {n(1)}",
            lambda: f"{x} in {self.set()}",
            lambda: f"{self.name('set', '{1}')} {rng.choice(['in', '<=', '='])} {self.set()}",
            lambda: f"{x} = {n(1)} or {x} = {n(1)}",
            lambda: f"{self.text()} {rng.choice(['=', '!='])} {self.text()}",
            lambda: f"{self.name('tuple', '(1, 2)')} = ({n(0)}, {n(0)})",
            lambda: f"{self.name('tuple', '(1, 2)')} in grid",
            lambda: f"{self.name('tuple', '(1, 2)')} {rng.choice(['<', '<=', '>'])} ({n(0)}, {n(0)})",
            lambda: f"sorted([{n(0)}, {n(0)}]) {rng.choice(['=', '=', '<'])} [{n(0)}, {n(0)}]",
            lambda: f"{self.value()} {rng.choice(['=', '!=', 'in', 'not in', '<'])} {self.value()}",
            lambda: f"{rng.choice(['near', 'turned', 'long'])}({n(0)}, {n(rng.choice([0, 0, 1]))})",
            lambda: f"both({x}, {n(0)}, {self.name('number', '2')})",
            lambda: f"under({self.set()}, {x})",
            lambda: f"x in {self.name('set', '{1}')}" if "x" in self.names else f"{n(1)} = {n(1)}",
        ])()  # fmt: skip

    def condition(self) -> str:
        parts = [self.comparison() for _ in range(self.rng.choice([1, 1, 1, 2, 3]))]
        joined = f" {self.rng.choice(['and', 'and', 'or'])} ".join(f"({p})" for p in parts)
        return f"not ({joined})" if self.rng.random() < 0.1 else joined

    def where(self) -> str:
        return f" where {self.condition()}" if self.rng.random() < 0.5 else ""


def model(seed: int) -> str:
    """A model with some of the families, and rules over them."""
    rng = Random(seed)
    own = rng.sample(sorted(FAMILIES), rng.choice([1, 1, 2]))
    lines = [HEAD, "cells r, c in 1..4"]
    lines += [f"choose {FAMILIES[f][0]}{Text(rng, set(FAMILIES[f][1])).where()}" for f in own]
    if rng.random() < 0.3:
        lines.append(f"forbid {own[0]} where {Text(rng, set(FAMILIES[own[0]][1])).condition()}")
    for _ in range(rng.randint(1, 3)):
        families = rng.sample(own, rng.randint(1, len(own)))
        known = (
            set.intersection(*(set(FAMILIES[f][1]) for f in families))
            if rng.random() < 0.9
            else set(FAMILIES[own[0]][1])
        )
        keys: list[str] = []
        for _ in range(rng.randint(0, 3)):
            kind = rng.random()
            if kind < 0.4 and known:
                keys.append(rng.choice(sorted(known)))
            elif kind < 0.7:
                key, bound = rng.choice(FREE)
                if not any(bound == " ".join(b.split()) for k, b in FREE if k in keys):
                    keys.append(key)
                    known |= set(bound.split())
            else:
                keys.append(Text(rng, known).value())
        text = Text(rng, known)
        kind = rng.choice(["exactly 1", "at least 1", "at most 2", "exactly {0, 2}", "exactly 0"])
        weight = rng.random() < 0.2
        said = " or ".join(
            f"{'total ' if not at else ''}{text.number(1)} of {f}" if weight else f for at, f in enumerate(families)
        )
        lines.append(f"{kind} {said}{' per ' + ', '.join(keys) if keys else ''}{text.where()}")
    if rng.random() < 0.5:
        lines.append(agree(rng, own))
    if rng.random() < 0.3:
        lines.append(goal(rng, own[0]))
    if rng.random() < 0.5:
        lines.append(needs(rng, own))
    if rng.random() < 0.2:
        lines.append(connected(rng, own))
    return "\n".join(lines)


def agree(rng: Random, own: list[str]) -> str:
    """An `agree` of some families, some of which show several colours at a key."""
    free, bound = rng.choice([*FREE, ("", "")])
    shown = []
    for family in own:
        text = Text(rng, set(FAMILIES[family][1]) | set(bound.split()))
        pairs = [f"{text.value()} = {text.value()}" for _ in range(rng.choice([1, 1, 2]))]
        shown.append(f"{family} on {', '.join(pairs)}")
    text = Text(rng, set.intersection(*(set(FAMILIES[f][1]) for f in own)) | set(bound.split()))
    return f"agree {', '.join(shown)}{f' for {free}' if free else ''}{text.where()}"


def goal(rng: Random, family: str) -> str:
    """A goal whose costs depend on the choice."""
    text = Text(rng, set(FAMILIES[family][1]))
    return f"minimize {rng.choice([text.number(), text.number(), text.value()])} of {family}{text.where()}"


def needs(rng: Random, own: list[str]) -> str:
    """An `if … then` between choices of the families, or between choices of one. The names after `then` may be others,
    which get their sets from the families, or be bound by `for`."""
    free, bound = rng.choice([*FREE, ("", ""), ("", "")])
    head, *then = [rng.choice(own) for _ in range(rng.choice([2, 2, 3]))]
    text = Text(rng, set(FAMILIES[head][1]) | set(bound.split()))
    named = [f"{f}({', '.join(named_value(rng, text, name) for name in FAMILIES[f][1])})" for f in then]
    first = f"{head}({', '.join(FAMILIES[head][1])})"
    forbids = rng.random() < 0.4
    said = f"not {named[0]}" if forbids else " or ".join(named)
    return f"if {first} then {said}{f' for {free}' if free else ''}{text.where()}"


def named_value(rng: Random, text: Text, name: str) -> str:
    """An argument of a choice after `then`."""
    if rng.random() < 0.5:
        return name
    sort = next(sort for sort, names in SORTS.items() if name in names)
    return {"number": lambda: text.number(1), "set": text.set, "text": text.text}.get(
        sort, lambda: text.name("tuple", "(1, 2)")
    )()


def connected(rng: Random, own: list[str]) -> str:
    """A `connected` whose places are pairs of numbers."""
    names = set(FAMILIES[own[0]][1])
    text = Text(rng, names)
    return f"connected {own[0]} at {text.number(1)}, {text.number(0)}{text.where()}"


@pytest.fixture(autouse=True, scope="module")
def always() -> Any:
    """However few choices there are, rules are turned into source."""
    with constants_of(query, FEWEST=1):
        yield


@pytest.mark.parametrize("first", range(0, SEEDS, 100))
def test_source_comes_to_what_closures_come_to(first: int) -> None:
    compiled = 0
    for seed in range(first, first + 100):
        text = checked(model(seed))
        if text is None:
            continue
        found, made = outcome(text)
        with closures_only():
            expected, reference = outcome(text)
        assert found == expected, seed
        compiled += made is not None
        if made is not None and reference is not None:
            assert made.scope.budget.steps <= 2 * reference.scope.budget.steps + 100, seed
            assert made.scope.budget.values <= 2 * reference.scope.budget.values + 100, seed
    assert compiled > 15, "these are models"


@pytest.mark.parametrize("first", range(0, SEEDS // 2, 100))
def test_limits_hold_in_source_as_in_closures(first: int) -> None:
    """Source mostly counts less than closures, so that it may go further; what it leaves to them, they tell."""
    for seed in range(first, first + 100):
        rng = Random(seed)
        text = checked(model(seed))
        if text is None:
            continue
        entries = rng.randint(2, 60)
        limits = CompileLimits(
            steps=2 ** rng.randint(5, 12),
            values=2 ** rng.randint(4, 11),
            entries=entries,
            items=2 * entries,
            options=4 * entries,
        )
        found, made = outcome(text, limits)
        with closures_only():
            expected, reference = outcome(text, limits)
        if not any(
            code in USED_UP
            for faults, made in ((found, made), (expected, reference))
            if made is None
            for code, *_ in faults
        ):
            assert found == expected, seed
        elif made is not None and reference is not None:
            assert made.scope.budget.steps <= limits.steps and made.scope.budget.values <= limits.values, seed


def test_one_place_decides_what_is_written() -> None:
    """Only a query makes a writer of its own, but for the tables of `joins.py`; and only what puts several queries
    together asks `attempt` for them besides."""
    made: dict[str, set[str]] = {"SourceWriter": set(), "attempt": set(), "Loops": set()}
    for path in (ROOT / "compiler").rglob("*.py"):
        for node in ast.walk(syntax_of(path)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in made:
                made[node.func.id].add(path.name)
    assert made["SourceWriter"] == {"query.py", "as_python.py"}
    assert made["Loops"] == {"query.py"}
    assert made["attempt"] == {"query.py", "needs.py", "marks.py"}


def test_calls_are_written_as_their_bodies() -> None:
    """A yajilin asks `ahead` for each square and each arrow: no closure is called for each."""
    text = """
    let arrow = ["<", ">", "^"]
    let ahead(i, j, r, c) = if arrow[i] = "<" then r = i and c < j else if arrow[i] = ">" then r = i and c > j
        else c = j and r < i
    cells r, c in 1..9
    choose shade(r, c)
    at most 1 shade per (i, j) in {(1, 1), (2, 2), (3, 3)} where ahead(i, j, r, c)
    """
    made = outcome(load_model(Source("arrows", text), lambda path, user: None))[1]
    with closures_only():
        reference = outcome(load_model(Source("arrows", text), lambda path, user: None))[1]
    assert made is not None and reference is not None
    assert made.problem == reference.problem
    function = made.scope.function("ahead")
    assert function is not None and not function.kept


# What brings the items of a choice together in the matrix: items whose numbers do not increase with their keys, that
# are left out, of choices that reach none or several, with colours or dropped.
COLUMNS = {
    "bounds": (
        "exactly r mod 2 f per r",
        "at least c mod 3 f per c",
        "at most one f per r, c",
        "at least 0 f per r + c",
    ),
    "reach": ("", "at most one f per x in 1..6 where x > r and x <= c", "at least one f per c where r != c"),
    "colours": (
        "",
        "agree f on r = c",
        "agree f on c = r, f on 10 + r = r where c > 2",
        "agree f on {(r, c), x} = r for x in neighbours((r, c)) & box(6, 6)",
        "agree f on {r, x} = c for x in {(r + c) mod 4} | {k for k in 1..2 where k < r}",
    ),
    "dropped": ("", "forbid f(2, c) for c in 1..6", "if f(r, c) then f(c, r) where r < c"),
}


@pytest.mark.parametrize("first", range(4))
def test_all_choices_at_once_come_to_the_same_options(first: int) -> None:
    for at, (second, reach, colours, dropped) in enumerate(islice(product(*COLUMNS.values()), first, None, 4)):
        lines = [COLUMNS["bounds"][at % 4], second, reach, colours, dropped]
        text = "cells r, c in 1..6\nchoose f(r, c)\nchoose g(r)\nat most one g or f per r\n" + "\n".join(lines)
        at_once = compile_model(load_model(Source("m.cover", text), lambda *_: None))
        with closures_only():
            one_by_one = compile_model(load_model(Source("m.cover", text), lambda *_: None))
        assert at_once.problem == one_by_one.problem, text
        assert list(at_once.problem.item_names) == list(one_by_one.problem.item_names), text
        validate(at_once.problem)
