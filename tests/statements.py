"""Random small models with totals, sets of numbers, `if … then`, `connected`, `loop`, `agree`, `all
different`, `all alike` and `answers by`, and
their answers, found by reading docs/language.md literally and trying every set of choices.

`python -m tests.statements 100000 [SEED [ENGINE]]` compares that many models and prints the first that goes wrong.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, combinations, product
from typing import Any

from attrs import evolve, frozen

from covr.compiler import compile_model
from covr.dsl.diagnostics import ModelErrors
from covr.engine import Settings, check, search
from tests.models import model_of

SETS = {"r": range(1, 3), "c": range(1, 4), "x": range(3), "k": range(2)}
INDICES = {"a": ("r", "c"), "b": ("c",)}
HEAD = "cells r in 1..2, c in 1..3, x in 0..2 choose a(r, c) choose b(c)\n"
CHOICES = [("a", (r, c)) for r in SETS["r"] for c in SETS["c"]] + [("b", (c,)) for c in SETS["c"]]

Choice = tuple[str, tuple[int, ...]]
Answer = frozenset[Choice]
Env = dict[str, int]


@frozen
class Part:
    """A condition or a number: as covr reads it, and as Python does. names: those it speaks of."""

    text: str
    value: Callable[[Env], int]
    names: frozenset[str]


def part(text: str, python: str = "") -> Part:
    code = compile(python or text, "part", "eval")
    return Part(text, lambda env: eval(code, {**env}), frozenset(n for n in code.co_names if n in SETS))


WEIGHTS = [part(t) for t in ("c", "1", "2", "-c", "c - 2", "3 * c", "0", "-1", "7 - c * c", "{1: 4, 2: -1, 3: 2}[c]")]
OF_A = [part(t) for t in ("r", "r + c", "r - c", "10 * r + c")]
OF_X = [
    *(part(t) for t in ("x", "x - 1", "2 * x - c", "c * x", "10 - x * x", "{0: 2, 1: -3, 2: c}[x]")),
    part("{k: k - c for k in 0..2}[x]", "{k: k - c for k in range(3)}[x]"),
]  # what depends on the key x
PARTS = [
    part("c != 2"), part("x <= c"), part("x = c", "x == c"), part("x in {c, 0}"), part("c <= x + 1"),
    part("r != c"), part("r + c = x + 2", "r + c == x + 2"), part("r < c"), part("r <= x"), part("x != 1"),
    part("c in {1: 0, 3: 1}"), part("(r, c) in {(1, 2): 0, (2, 3): 0}"),
    part("some(i in 0..x where i = c)", "c <= x"), part("no(i, j in {r, c} where i + 1 < j)", "abs(r - c) < 2"),
    part("{(r, k): r = k for k in 1..3}[r, c]", "{(r, k): r == k for k in range(1, 4)}[r, c]"),
]  # fmt: skip
KEYS = [(), (), ("c",), ("x",), ("c", "x")]


def bindings(names: Sequence[str]) -> Iterator[Env]:
    for values in product(*(SETS[n] for n in names)):
        yield dict(zip(names, values, strict=True))


def chosen(rng: random.Random, parts: Sequence[Part], known: set[str], most: int = 2) -> list[Part]:
    usable = [p for p in parts if p.names <= known]
    return rng.sample(usable, min(len(usable), rng.choice([0, 0, 1, 1, most])))


def where(parts: Sequence[Part]) -> str:
    return " where " + " and ".join(p.text for p in parts) if parts else ""


def keyed(rng: random.Random, families: Sequence[str]) -> tuple[tuple[str, ...], set[str]]:
    """Keys, and the names that a condition may use."""
    keys = rng.choice([*KEYS, *([("r",), ("r", "x")] if tuple(families) == ("a",) else [])])
    return keys, {"c", *keys, *(["r"] if tuple(families) == ("a",) else [])}


def items(
    families: Sequence[str], keys: Sequence[str], parts: Sequence[Part]
) -> Iterator[tuple[Env, list[tuple[Choice, Env]]]]:
    """For each value of the keys that the condition leaves: the choices that belong to it, with their indices."""
    narrow = [p for p in parts if p.names <= set(keys)]
    rest = [p for p in parts if not p.names <= set(keys)]
    for key in bindings(keys):
        if not all(p.value(key) for p in narrow):
            continue
        members = []
        for choice in CHOICES:
            env = dict(zip(INDICES[choice[0]], choice[1], strict=True))
            meets = choice[0] in families and all(env.get(n, v) == v for n, v in key.items())
            if meets and all(p.value({**key, **env}) for p in rest):
                members.append((choice, env))
        yield key, members


Holds = Callable[[Answer], bool]
Made = tuple[str, list[Holds]]


def total(rng: random.Random) -> Made:
    families = rng.choice([("a",), ("b",), ("a", "b")])
    keys, known = keyed(rng, families)
    parts = chosen(rng, PARTS, known)
    weighed = rng.random() < 0.8
    of_key = OF_X if "x" in keys else []
    weights = {f: rng.choice(WEIGHTS + (OF_A if f == "a" else []) + of_key) for f in families}
    kind = rng.choice(["exactly", "exactly", "at least", "at most"])
    low = rng.randint(-3, 9) if weighed else rng.randint(0, 3)
    shift = rng.choice(["", "", *keys])
    form = rng.choice(["number", "range", "set"]) if kind == "exactly" or not weighed else "number"
    kind = "exactly" if form != "number" else kind
    wide = rng.randint(0, 4)
    numbers = {"number": [low], "range": range(low, low + wide + 1), "set": [low, low + 2, low + 3 + wide]}[form]
    plus = f" + {shift}" if shift else ""
    quantity = {
        "number": f"{low}{plus}",
        "range": f"{low}{plus}..{low + wide}{plus}",
        "set": "{" + ", ".join(f"{n}{plus}" for n in numbers) + "}",
    }[form]
    said = " or ".join(f"{weights[f].text} of {f}" if weighed else f for f in families)
    said = f"total {said}" if weighed else said
    text = f"{kind} {quantity} {said}" + (f" per {', '.join(keys)}" if keys else "") + where(parts)
    tests: list[Holds] = []
    for key, members in items(families, keys, parts):
        counts = [(c, weights[c[0]].value({**key, **env}) if weighed else 1) for c, env in members]
        allowed = {n + (key[shift] if shift else 0) for n in numbers}

        def holds(answer: Answer, counts: list[tuple[Choice, int]] = counts, allowed: set[int] = allowed) -> bool:
            got = sum(n for c, n in counts if c in answer)
            (only,) = allowed if kind != "exactly" else (0,)
            return {"exactly": got in allowed, "at least": got >= only, "at most": got <= only}[kind]

        tests.append(holds)
    return text, tests


ARGS = [part(t) for t in ("r", "c", "x", "1", "2", "c + 1", "x + 1", "3 - r", "r + 1", "c - x")]


def named(rng: random.Random) -> tuple[str, list[Part]]:
    family = rng.choice(["a", "a", "b"])
    return family, [rng.choice(ARGS) for _ in INDICES[family]]


Named = tuple[str, list[Part]]


def written(choice: Named) -> str:
    return f"{choice[0]}({', '.join(p.text for p in choice[1])})"


def of(choice: Named, env: Env) -> Choice:
    return choice[0], tuple(p.value(env) for p in choice[1])


def names_of(choices: Sequence[Named]) -> frozenset[str]:
    return frozenset().union(*(p.names for _, args in choices for p in args))


PER_CHOICE = [part(t) for t in ("1", "2", "-1", "3", "-2")]
OF_FIRST = [part(t) for t in ("r", "c", "c - 2", "x + 1", "-r")]  # of names that have a value before `then`


@frozen
class Counted:
    """A part of what stands after `then`. weights: beside the choices, of a total. numbers: of its count; a lone one is
    a bound after `at least` and `at most`. shift: a name that is added to each."""

    how: str
    choices: list[Named]
    weights: list[Part]
    numbers: list[int]
    shift: str
    quantity: str

    def text(self) -> str:
        if not self.quantity:
            return (
                " or ".join(map(written, self.choices))
                if not self.how
                else f"{self.how} " + " or ".join(map(written, self.choices))
            )
        said = (
            " or ".join(f"{w.text} of {written(c)}" for w, c in zip(self.weights, self.choices, strict=True))
            if self.weights
            else " or ".join(map(written, self.choices))
        )
        return f"{self.how} {self.quantity} {'total ' * bool(self.weights)}{said}"

    def holds(self, answer: Answer, reached: dict[Choice, int], exist: set[Choice], env: Env) -> bool:
        """reached: what the choices count that it reaches."""
        taken = {c: n for c, n in reached.items() if c in answer and c in exist}
        if self.how == "all":
            return all(c in answer for c in reached if c in CHOICES and c in exist)
        if not self.quantity:
            return bool(taken) != (self.how in ("not", "no"))
        got, plus = sum(taken.values()), env[self.shift] if self.shift else 0
        if self.how == "exactly":
            return got - plus in self.numbers
        (only,) = self.numbers
        return got >= only + plus if self.how == "at least" else got <= only + plus


def then(rng: random.Random, of_head: frozenset[str]) -> Counted:
    """A part of what stands after `then`. of_head: the names before it."""
    if rng.random() < 0.55:
        how = rng.choice(["", "", "", "some", "not", "not", "no", "all", "all"])
        choices = [named(rng) for _ in range(1 if how == "all" else rng.choice([1, 1, 2]))]
        return Counted(how, choices, [], [], "", "")
    choices = [named(rng) for _ in range(rng.choice([1, 1, 2]))]
    weighed = rng.random() < 0.4
    usable = PER_CHOICE + [p for p in OF_FIRST if p.names <= of_head]
    weights = [rng.choice(usable) for _ in choices] if weighed else []
    how = rng.choice(["exactly", "exactly", "at least", "at most"])
    low, wide = rng.randint(-2, 4) if weighed else rng.randint(0, 3), rng.randint(0, 2)
    shift = rng.choice(["", "", *sorted(of_head)])
    plus = f" + {shift}" if shift else ""
    if how != "exactly" or rng.random() < 0.5:
        return Counted(how, choices, weights, [low], shift, f"{low}{plus}")
    if rng.random() < 0.5:
        numbers = list(range(low, low + wide + 1))
        return Counted(how, choices, weights, numbers, shift, f"{low}{plus}..{low + wide}{plus}")
    numbers = [low, low + 2, low + 3 + wide]
    return Counted(how, choices, weights, numbers, shift, "{" + ", ".join(f"{n}{plus}" for n in numbers) + "}")


def needs(rng: random.Random, exist: Sequence[Choice] = CHOICES) -> Made:
    """Any `if … then` or `if and only if`. exist: the choices that the model has."""
    when = [[(named(rng), False)]]
    if rng.random() < 0.4:
        sizes = rng.choice([(1,), (2,), (2,), (1, 1), (2, 1)])
        when = [[(named(rng), rng.random() < 0.4) for _ in range(n)] for n in sizes]
    both = rng.random() < 0.3
    of_head = names_of([n for together in when for n, _ in together])
    every_part = [then(rng, of_head) for _ in range(rng.choice([1, 1, 2]))]
    if len(every_part) > 1:  # `or` beside `and` needs a word that says what it joins
        words = {"": "some", "not": "no"}
        every_part = [evolve(p, how=words.get(p.how, p.how)) if len(p.choices) > 1 else p for p in every_part]
    then_names = [names_of(p.choices) - of_head for p in every_part]
    some_names = frozenset().union(*then_names)
    parts = [
        p for p in chosen(rng, PARTS, {"r", "c", "x"})
        if not p.names & some_names or any(p.names & some_names <= own for own in then_names)
    ]  # fmt: skip
    bound = rng.choice(["", "", "x"])  # `for x in …`, which hides the declared x
    first = " or ".join(" and ".join("not " * no + written(n) for n, no in together) for together in when)
    generators = " for x in 0..2" if bound else ""
    said = f"then {' and '.join(p.text() for p in every_part)}{generators}{where(parts)}"
    text = f"if {'and only if ' * both}{first} {said}"
    shifts = frozenset(p.shift for p in every_part if p.shift)
    weighing = frozenset().union(*(w.names for p in every_part for w in p.weights))
    used = sorted(of_head.union(some_names, shifts, weighing, frozenset(bound), *(p.names for p in parts)))
    some = [n for n in used if n in some_names]
    every = [n for n in used if n not in some]
    alone = [p for p in parts if p.names <= set(every)]
    mixed = [p for p in parts if not p.names <= set(every)]
    tests: list[Holds] = []
    for env in bindings(every):
        if not all(p.value(env) for p in alone):
            continue
        met = [[(of(n, env), no) for n, no in together] for together in when]
        reached = [_reached(p, own, mixed, some, env) for p, own in zip(every_part, then_names, strict=True)]

        def holds(
            answer: Answer,
            met: list[list[tuple[Choice, bool]]] = met,
            reached: list[dict[Choice, int]] = reached,
            env: Env = env,
        ) -> bool:
            before = any(all((c in answer) != no for c, no in together) for together in met)
            pairs = zip(every_part, reached, strict=True)
            after = all(p.holds(answer, own, set(exist), env) for p, own in pairs)
            return before == after if both else after or not before

        tests.append(holds)
    return text, tests


def _reached(
    p: Counted, own: frozenset[str], conditions: Sequence[Part], some: Sequence[str], env: Env
) -> dict[Choice, int]:
    """What the choices count that a part after `then` reaches. own: the names that it finds values for."""
    found: dict[Choice, int] = {}
    asked = [c for c in conditions if c.names.intersection(some) <= own]
    weights = p.weights or [part("1")] * len(p.choices)
    for named_one, weight in zip(p.choices, weights, strict=True):
        reached = set()
        for more in bindings(sorted(own)):
            lead = {**env, **more}
            if all(c.value(lead) for c in asked):
                reached.add(of(named_one, lead))
        for choice in reached:
            count = weight.value(env)
            found[choice] = (found.get(choice, 0) if p.weights else 0) + count
    return found


AT = [
    ("r, c", ("a",)),
    ("c", ("a",)),
    ("c", ("a", "b")),
    ("c", ("b",)),
    ("x", ("a",)),
    ("r, c", ("a",)),
    ("(c, x)", ("b",)),
]


def connected(rng: random.Random) -> Made:
    at, families = rng.choice(AT)
    names = [n for n in "rcx" if n in at]
    keys = rng.choice(
        [(), (), ("r",) if families == ("a",) and "r" not in names else (), ("c",) if "c" not in names else ()]
    )
    known = {"c", *names, *keys, *(["r"] if families == ("a",) else [])}
    parts = chosen(rng, PARTS, known)
    places = [tuple(env[n] for n in names) for env in bindings(names)]
    pairs: set[frozenset[tuple[int, ...]]] = set()
    along = ""
    if rng.random() < 0.4:
        drawn = [rng.sample(places, 2) for _ in range(rng.randint(1, 5))]
        pairs = {frozenset(p) for p in drawn}
        shown = [[str(p[0]) if len(p) == 1 else str(p) for p in pair] for pair in drawn]
        along = " along {" + ", ".join(f"({a}, {b})" for a, b in shown) + "}"
    else:
        pairs = {
            frozenset((p, q)) for p in places for q in places if sum(abs(i - j) for i, j in zip(p, q, strict=True)) == 1
        }
    text = f"connected {' or '.join(families)} at {at}{along}"
    text += (f" per {', '.join(keys)}" if keys else "") + where(parts)
    tests: list[Holds] = []
    for key in bindings(keys):
        stands = []
        for place in bindings([n for n in names if n not in keys]):
            for choice in CHOICES:
                env = dict(zip(INDICES[choice[0]], choice[1], strict=True))
                both = {**key, **place, **env}
                fixed = {**key, **place}
                agrees = choice[0] in families and all(env.get(n, v) == v for n, v in fixed.items())
                if agrees and all(p.value(both) for p in parts):
                    stands.append((choice, tuple(both[n] for n in names)))

        def holds(answer: Answer, stands: list[tuple[Choice, tuple[int, ...]]] = stands) -> bool:
            left = {place for choice, place in stands if choice in answer}
            todo = [next(iter(left))] if left else []
            while todo:
                place = todo.pop()
                left.discard(place)
                todo += [q for q in left if frozenset((place, q)) in pairs]
            return not left

        tests.append(holds)
    return text, tests


WALL = "if c < 3 then ((r, c), (r, c + 1)) else ((1, r), (2, r))"  # between which squares of a 2 x 3 board `a` stands


def areas(rng: random.Random) -> Made:
    """A rule about areas of what is taken, or about those of a board that `a` divides."""
    divided = rng.random() < 0.35
    at = "r, c" if divided else rng.choice(("r, c", "r, c", "c"))
    names = [n for n in "rc" if n in at]
    formed: tuple[str, ...] = ("a",) if divided or at == "r, c" else rng.choice((("a",), ("b",), ("a", "b")))
    counts = rng.choice((("a",), ("b",), ("a", "b"), formed))
    keys = rng.choice(((), (), ("x",), ("x",), ("r",) if at == "c" and "a" in formed and counts != ("b",) else ()))
    known = {"c", *names, *keys, *(["r"] if counts == ("a",) else [])}
    parts = chosen(rng, PARTS, known)
    every = [tuple(env[n] for n in names) for env in bindings(names)]
    pairs = {frozenset((p, q)) for p in every for q in every if sum(abs(i - j) for i, j in zip(p, q, strict=True)) == 1}
    along = ""
    if not divided and rng.random() < 0.25:
        drawn = [rng.sample(every, 2) for _ in range(rng.randint(1, 6))]
        pairs = {frozenset(p) for p in drawn}
        shown = [[str(p[0]) if len(p) == 1 else str(p) for p in pair] for pair in drawn]
        along = " along {" + ", ".join(f"({a}, {b})" for a, b in shown) + "}"
    word = rng.choice(("", "", "holding", "touching"))
    first = part("x + 1") if "x" in keys else part(str(rng.randint(1, 3)))
    anchor = part(f"(2, {first.text})") if at == "r, c" else first
    weights = {f: rng.choice(WEIGHTS) for f in counts} if rng.random() < 0.3 else {}
    low = rng.choice((0, 1, 1, 1, 2, 2, 3)) - (2 if weights and rng.random() < 0.2 else 0)
    kind, high = rng.choice(
        (("exactly", low), ("exactly", low + rng.randint(1, 3)), ("at least", 99), ("at most", low))
    )
    least = -99 if kind == "at most" else low
    said = f"{low}..{high}" if kind == "exactly" and high > low else str(low)
    what = "total " + " or ".join(f"{weights[f].text} of {f}" for f in counts) if weights else " or ".join(counts)
    text = f"{kind} {said} {what} per area {'by' if divided else 'of'} {' or '.join(formed)} at {at}{along}"
    text += (f" {word} {anchor.text}" if word else "") + (f" per {', '.join(keys)}" if keys else "") + where(parts)
    if divided:
        text = f"divide box(2, 3) by a along {WALL}\n{text}"
    own = {n for f in counts for n in INDICES[f]}.union(names) - set(keys)
    narrow = [p for p in parts if own.isdisjoint(p.names)]

    def closed(answer: Answer) -> set[frozenset[tuple[int, ...]]]:
        taken = [of for f, of in answer if f == "a"] if divided else []
        return {frozenset(((r, c), (r, c + 1)) if c < 3 else ((1, r), (2, r))) for r, c in taken}

    def standing(choices: Iterable[Choice], families: Sequence[str], key: Env) -> Iterator[tuple[Choice, Env]]:
        for choice in choices:
            if choice[0] not in families:
                continue
            env = dict(zip(INDICES[choice[0]], choice[1], strict=True))
            for place in bindings(names):
                both = {**key, **place, **env}
                if all(env.get(n, v) == v for n, v in {**key, **place}.items()):
                    yield choice, both

    def parted(answer: Answer, key: Env) -> list[set[tuple[int, ...]]]:
        walls = closed(answer)
        left = set(every) if divided else {tuple(env[n] for n in names) for _, env in standing(answer, formed, key)}
        found = []
        while left:
            todo = [left.pop()]
            found.append(set(todo))
            while todo:
                at = todo.pop()
                near = {q for q in left if frozenset((at, q)) in pairs - walls}
                left -= near
                found[-1] |= near
                todo += near
        return found

    def holds(answer: Answer) -> bool:
        if any(wall <= area for wall in closed(answer) for area in parted(answer, {})):
            return False
        for key in bindings(keys):
            if not all(p.value(key) for p in narrow):
                continue
            own = parted(answer, key)
            if word:
                here = anchor.value(key)
                place = here if isinstance(here, tuple) else (here,)
                near = {place} if word == "holding" else {q for p in pairs if place in p for q in p if q != place}
                held = [area for area in own if area & near]
                own = [set().union(*held)] if held or word == "touching" else []
            for area in own:
                total = 0
                for choice, env in standing(answer, counts, key):
                    if tuple(env[n] for n in names) in area and all(p.value(env) for p in parts):
                        total += weights[choice[0]].value(env) if weights else 1
                if not least <= total <= high and not (kind == "at most" and total <= high):
                    return False
        return True

    return text, [holds]


ENDS = [
    ("a", part("(r, c)")), ("a", part("[r, c + 5]")), ("a", part("{r, c + 2}", "tuple(sorted((r, c + 2)))")),
    ("b", part("(c, c mod 3 + 1)", "(c, c % 3 + 1)")), ("a", part("(c, c mod 3 + 1)", "(c, c % 3 + 1)")),
]  # fmt: skip


def loop(rng: random.Random) -> Made:
    family, ends = rng.choice(ENDS)
    if ends.text.startswith("{"):  # a set of two: r = c + 2 would be one member
        assert all(r != c + 2 for r in SETS["r"] for c in SETS["c"])
    keys, known = keyed(rng, (family,)) if rng.random() < 0.4 else ((), {"c", *(["r"] if family == "a" else [])})
    parts = chosen(rng, PARTS, known)
    text = f"loop {family} along {ends.text}" + (f" per {', '.join(keys)}" if keys else "") + where(parts)
    tests: list[Holds] = []
    for _, members in items((family,), keys, parts):
        joins = [(choice, ends.value(env)) for choice, env in members]

        def holds(answer: Answer, joins: list[tuple[Choice, tuple[int, int]]] = joins) -> bool:  # type: ignore[assignment]
            taken = [pair for choice, pair in joins if choice in answer]
            met = [end for pair in taken for end in pair]
            if not taken or any(met.count(end) != 2 for end in met):
                return False
            reached = {met[0]}
            for _ in taken:
                reached |= {end for pair in taken if reached & set(pair) for end in pair}
            return reached == set(met)

        tests.append(holds)
    return text, tests


COLOURS = [*(part(t) for t in ("r", "c", "x", "1", "k")), part("c mod 2", "c % 2")]
MET = [part(t) for t in ("r", "c", "x", "(r, c)", "(1, c)", "r + c", "7", "(k, c)", "k", "(c, k)")]


def agree(rng: random.Random) -> Made:
    bound = ["k"] if rng.random() < 0.5 else []
    usable = [p for p in MET if bound or "k" not in p.text], [p for p in COLOURS if bound or "k" not in p.text]
    shown: list[tuple[str, list[tuple[Part, Part]]]] = []
    for _ in range(rng.choice([1, 2, 2, 3])):
        pairs = [(rng.choice(usable[0]), rng.choice(usable[1])) for _ in range(rng.choice([1, 1, 2]))]
        shown.append((rng.choice(["a", "b"]), pairs))
    families = sorted({f for f, _ in shown})
    indices = {n for f in families for n in INDICES[f]}
    mentions = {
        f: {n for g, pairs in shown for pair in pairs for p in pair for n in p.names if g == f}.union(INDICES[f], bound)
        for f in families
    }
    usual = [p for p in PARTS if any(p.names & indices <= mentions[f] for f in families)]
    parts = rng.sample(usual, rng.choice([0, 0, 1, 1, 2]))
    said = ", ".join(f"{f} on " + ", ".join(f"{k.text} = {c.text}" for k, c in pairs) for f, pairs in shown)
    text = f"agree {said}" + (" for k in 0..1" if bound else "") + where(parts)
    shows: dict[Choice, set[tuple[object, int]]] = {}
    for choice in CHOICES:
        family = choice[0]
        if family not in families:
            continue
        own = dict(zip(INDICES[family], choice[1], strict=True))
        concerning = [p for p in parts if p.names & indices <= mentions[family]]
        loose = sorted((mentions[family] - set(bound)).union(*(p.names for p in concerning)) - set(own))
        shows[choice] = set()
        for env in bindings([*loose, *bound]):
            both = {**env, **own}
            if all(p.value(both) for p in concerning):
                said_here = [pair for f, pairs in shown if f == family for pair in pairs]
                shows[choice] |= {(k.value(both), c.value(both)) for k, c in said_here}

    def holds(answer: Answer) -> bool:
        seen = {pair for choice in answer for pair in shows.get(choice, ())}
        return len({key for key, _ in seen}) == len(seen)

    return text, [holds]


SEEN = [part(t) for t in ("r", "c", "x", "r + c", "1", "c - x")] + [part("c mod 2", "c % 2")]


def alike(rng: random.Random) -> Made:
    """`all different` and `all alike`."""
    family = rng.choice(["a", "a", "a", "b"])
    own = INDICES[family]
    usable = [("c",), ("x",), ("c", "x"), *([("r",), ("r",), ("r", "c")] if family == "a" else [])]
    things = rng.choice(usable)
    keys = rng.choice([(), (), *(one for one in usable if len(one) == 1 and one[0] not in things)])
    known = {*own, *keys, *things}
    seen = rng.sample([p for p in SEEN if p.names <= known], rng.choice([1, 1, 2]))
    if set(things) <= set(own) and rng.random() < 0.6:
        seen = []
    shown = seen or [part(n) for n in own if n not in (*keys, *things)]
    parts = chosen(rng, PARTS, known)
    different = rng.random() < 0.6
    text = f"all {'different' if different else 'alike'} {', '.join(things)} of {family}"
    text += f" on {', '.join(p.text for p in seen)}" * bool(seen)
    text += f" per {', '.join(keys)}" * bool(keys) + where(parts)
    groups: dict[tuple[int, ...], list[list[tuple[Choice, tuple[int, ...]]]]] = {}
    for key, members in items((family,), (*keys, *things), parts):
        values = [(choice, tuple(p.value({**key, **env}) for p in shown)) for choice, env in members]
        groups.setdefault(tuple(key[n] for n in keys), []).append(values)
    tests: list[Holds] = []
    for every in groups.values():

        def holds(answer: Answer, every: list[list[tuple[Choice, tuple[int, ...]]]] = every) -> bool:
            seen_in = [tuple(sorted(value for choice, value in shown if choice in answer)) for shown in every]
            return len(set(seen_in)) == (len(seen_in) if different else min(1, len(seen_in)))

        tests.append(holds)
    return text, tests


def counted(rng: random.Random) -> Made:
    """An ordinary rule, so that the new statements meet items."""
    families = rng.choice([("a",), ("b",), ("a", "b")])
    keys, known = keyed(rng, families)
    parts = chosen(rng, PARTS, known)
    kind, low = rng.choice(["exactly", "at least", "at most"]), rng.randint(1, 2)
    text = f"{kind} {low} {' or '.join(families)}" + (f" per {', '.join(keys)}" if keys else "") + where(parts)
    tests: list[Holds] = []
    for _, members in items(families, keys, parts):
        own = {choice for choice, _ in members}

        def holds(answer: Answer, own: set[Choice] = own) -> bool:
            got = len(own & answer)
            return {"exactly": got == low, "at least": got >= low, "at most": got <= low}[kind]

        tests.append(holds)
    return text, tests


def _pieces(edges: Sequence[tuple[object, object]], vertices: Iterable[object]) -> tuple[int, bool]:
    """How many pieces a graph has, and whether one of its edges closes a ring."""
    part = {v: frozenset({v}) for v in vertices}
    ring = False
    for u, v in edges:
        ring = ring or part[u] == part[v]
        for w in (both := part[u] | part[v]):
            part[w] = both
    return len(set(part.values())), ring


def tree(rng: random.Random) -> Made:
    """`tree`, `forest` and `connected`, with corners or without."""
    word = rng.choice(["tree", "forest", "connected"])
    at, families = rng.choice(
        [("r, c", ("a",)), ("r, c", ("a",)), ("c", ("a", "b")), ("x", ("a",)), ("(c, x)", ("b",))]
    )
    names = [n for n in "rcx" if n in at]
    corners = len(names) == 2 and rng.random() < 0.4
    along = ""
    every = [tuple(env[n] for n in names) for env in bindings(names)]
    apart = [(p, q, [abs(i - j) for i, j in zip(p, q, strict=True)]) for p, q in combinations(every, 2)]
    pairs = {frozenset((p, q)) for p, q, steps in apart if (max(steps) == 1 if corners else sum(steps) == 1)}
    if not corners and rng.random() < 0.4:
        drawn = [rng.sample(every, 2) for _ in range(rng.randint(2, 7))]
        pairs = {frozenset(p) for p in drawn}
        shown = [[str(p[0]) if len(p) == 1 else str(p) for p in pair] for pair in drawn]
        along = " along {" + ", ".join(f"({a}, {b})" for a, b in shown) + "}"
    parts = chosen(rng, PARTS, {"c", *names, *(["r"] if families == ("a",) else [])})
    text = f"{word} {' or '.join(families)} at {at}{' with corners' * corners}{along}" + where(parts)
    stands = []
    for place in bindings(names):
        for choice in CHOICES:
            both = {**place, **dict(zip(INDICES[choice[0]], choice[1], strict=True))}
            agrees = choice[0] in families and all(both[n] == v for n, v in place.items())
            if agrees and all(p.value(both) for p in parts):
                stands.append((choice, tuple(both[n] for n in names)))

    def holds(answer: Answer) -> bool:
        met = {place for choice, place in stands if choice in answer}
        count, ring = _pieces([(p, q) for p, q in map(tuple, pairs) if p in met and q in met], met)
        return (word == "connected" or not ring) and (word == "forest" or count < 2)

    return text, [holds]


STOPS: list[tuple[str, Callable[[Env], list[set[int]]]]] = [
    ("from 1 to 2", lambda env: [{1}, {2}]),
    ("from 3 to {1, 2}", lambda env: [{3}, {1, 2}]),
    ("from {1, 6} to [2, 3, 5]", lambda env: [{1, 6}, {2, 3, 5}]),
]


def lines(rng: random.Random) -> Made:
    """`path`, `paths`, `loops`, and `tree` and `forest` along lines, in one direction or not."""
    word = rng.choice(["path", "path", "paths", "loops", "tree", "forest"])
    family, ends = rng.choice(ENDS)
    directed = word in ("path", "paths", "loops") and ends.text.startswith("(") and rng.random() < 0.4
    said = ends.text[1:-1].replace(",", " ->") if directed else ends.text
    keys, known = keyed(rng, (family,)) if rng.random() < 0.4 else ((), {"c", *(["r"] if family == "a" else [])})
    parts = chosen(rng, PARTS, known)
    stop, among = rng.choice(STOPS), set(rng.sample(range(1, 4), rng.choice([0, 2, 2, 3])))
    clause = {"path": f" {stop[0]}", "paths": " between {" + ", ".join(map(str, sorted(among))) + "}"}.get(word, "")
    anywhere = rng.random() < 0.3
    clause = "" if anywhere else clause
    ordered: list[int] = []
    if word == "path" and clause and rng.random() < 0.5:
        every = {v for _, members in items((family,), keys, ()) for _, env in members for v in ends.value(env)}
        free = sorted(every.difference(*(set().union(*stop[1](key)) for key in bindings(keys))))
        ordered = rng.sample(free, rng.randint(min(1, len(free)), min(3, len(free))))
        clause += f" through {ordered}"
    text = f"{word} {family} along {said}{clause}" + (f" per {', '.join(keys)}" if keys else "") + where(parts)
    tests: list[Holds] = []
    for key, members in items((family,), keys, parts):
        joins = [(choice, tuple(ends.value(env))) for choice, env in members]
        stops = [] if anywhere else stop[1](key) if word == "path" else [{v} for v in among] if word == "paths" else []

        def holds(answer: Answer, joins: Any = joins, stops: list[set[int]] = stops) -> bool:
            taken = [pair for choice, pair in joins if choice in answer]
            met = [end for pair in taken for end in pair]
            count, ring = _pieces(taken, met)
            if word in ("tree", "forest"):
                return not ring and (word == "forest" or count < 2)
            once = {v for v in met if met.count(v) == 1}
            if any(met.count(v) > 2 for v in met):
                return False
            if any(len(one & once) != 1 or len(one & set(met)) != 1 for one in stops):
                return False
            if (
                (once - set().union(*stops) and (word == "loops" or not anywhere))
                or (word != "loops" and ring)
                or (word == "path" and count != 1)
            ):
                return False
            if ordered and not _passes(ordered, taken, stops[0]):
                return False
            leaves, enters = [u for u, _ in taken], [v for _, v in taken]
            if directed and (len(set(leaves)) < len(leaves) or len(set(enters)) < len(enters)):
                return False
            return not (directed and word == "path" and stops) or bool(
                stops[0] & set(leaves) and stops[1] & set(enters)
            )

        tests.append(holds)
    return text, tests


SQUARES = list(product((1, 2), (1, 2, 3)))
LINES = [(p, q) for p, q in combinations(SQUARES, 2) if sum(abs(i - j) for i, j in zip(p, q, strict=True)) == 1]


def stretch(rng: random.Random) -> Made:
    """A rule about stretches of a `loops`, `paths` or `path` of six of the lines on a board of 2 x 3."""
    six = dict(zip([of for f, of in CHOICES if f == "a"], rng.sample(LINES, 6), strict=True))
    ends = ", ".join(f"{{{p}, {q}}}" for p, q in six.values())
    among = rng.sample(SQUARES, rng.choice((2, 2, 4)))
    word, clause, ended = rng.choice((
        ("loops", "", None), ("paths", "", None), ("path", f" from {among[0]} to {among[1]}", among[:2]),
        ("paths", f" between {{{', '.join(map(str, among))}}}", among),
    ))  # fmt: skip
    straight, within = rng.random() < 0.4, rng.sample(SQUARES, rng.choice((2, 3, 4, 5, 6)))
    limited, counted = rng.random() < 0.7, rng.choice(("places", "places", "a"))
    held = [x for x in rng.sample(within, rng.randint(0, 1)) if any(x in pair for pair in six.values())]
    low, (kind, more) = rng.randint(1, 3), rng.choice((("exactly", 0), ("exactly", 2), ("at least", 9), ("at most", 0)))
    allowed = range(0 if kind == "at most" else low, low + more + 1)
    text = f"{word} a along [{ends}][3 * r + c - 3]{clause}\n{kind} {low}{f'..{low + more}' * (kind == 'exactly')} "
    text += f"{counted} per {'straight ' * straight}stretch of a"
    text += f" in {{{', '.join(map(str, within))}}}" * limited + "".join(f" holding {x}" for x in held)

    def holds(answer: Answer) -> bool:
        taken = [six[of] for f, of in answer if f == "a"]
        met = [x for pair in taken for x in pair]
        once = {x for x in met if met.count(x) == 1}
        if any(met.count(x) > 2 for x in met) or (ended is not None and once != set(ended)):
            return False
        count, ring = _pieces(taken, met)
        if (word == "loops" and once) or (word != "loops" and ring) or (word == "path" and count != 1):
            return False
        # Each square that is passed, or each in one direction, and what hangs together with it.
        piece: dict[object, set[object]] = {}
        inner: list[object] = []
        for p, q in taken:
            own = [(x, p[0] == q[0] if straight else None) for x in (p, q) if x in within or not limited]
            together = set(own).union(*(piece.get(x, ()) for x in own))
            piece.update(dict.fromkeys(together, together))
            inner += own[:1] if len(own) == 2 else []
        for squares in {frozenset(part) for part in piece.values()}:
            many = len(squares) if counted == "places" else sum(x in squares for x in inner)
            if (not held or any(x == held[0] for x, _ in squares)) and many not in allowed:  # type: ignore[misc]
                return False
        return True

    return text, [holds]


def _passes(ordered: Sequence[int], taken: Sequence[tuple[int, int]], begins: set[int]) -> bool:
    """Whether a path passes these vertices in order, seen from where it begins."""
    left = [pair for pair in taken if pair[0] != pair[1]]
    (here,) = {v for pair in left for v in pair if v in begins}
    way = [here]
    while any(here in pair for pair in left):
        pair = next(pair for pair in left if here in pair)
        left.remove(pair)
        here = pair[1] if pair[0] == here else pair[0]
        way.append(here)
    return [v for v in way if v in ordered] == list(ordered)


KINDS = [total, total, needs, needs, connected, areas, areas, loop, tree, tree, lines, lines, stretch]
KINDS += [agree, agree, alike, alike, counted]


@frozen
class RandomModel:
    text: str
    tests: tuple[Holds, ...]
    taken: tuple[int, ...]
    forbidden: tuple[int, ...]
    by: tuple[str, ...] = ("a", "b")  # the families that tell answers apart

    def answers(self) -> set[Answer]:
        """Every set of choices that keeps everything."""
        found = set()
        must = {CHOICES[i] for i in self.taken}
        never = {CHOICES[i] for i in self.forbidden}
        free = [c for c in CHOICES if c not in never]
        for subset in chain.from_iterable(combinations(free, k) for k in range(len(free) + 1)):
            answer = frozenset(subset)
            if must <= answer and all(holds(answer) for holds in self.tests):
                found.add(self.part(answer))
        return found

    def part(self, answer: Answer) -> Answer:
        """What tells an answer apart."""
        return frozenset(choice for choice in answer if choice[0] in self.by)


def random_model(rng: random.Random) -> RandomModel:
    made = [rng.choice(KINDS)(rng) for _ in range(rng.randint(1, 3))]
    if any("stretch of" in text for text, _ in made):  # nothing else draws `a`
        made = [*(one for one in made if "stretch of" in one[0])][:1] + [one for one in made if " along " not in one[0]]
    agreed = [holds for text, tests in made for holds in tests if text.startswith("agree")]
    taken = tuple(
        i
        for i in rng.sample(range(len(CHOICES)), rng.choice([0, 0, 1]))
        if all(holds(frozenset({CHOICES[i]})) for holds in agreed)  # a choice that shows two colours can't be given
    )
    forbidden = tuple(i for i in rng.sample(range(len(CHOICES)), rng.choice([0, 0, 1, 2])) if i not in taken)
    lines = [text for text, _ in made]
    lines += [f"{word} {named_choice(i)}" for word, own in (("given", taken), ("forbid", forbidden)) for i in own]
    by = rng.choice([("a", "b"), ("a", "b"), ("a",), ("b",), ("b", "a")])
    if len(by) == 1 or by[0] == "b":
        lines.append(f"answers by {', '.join(by)}")
    rng.shuffle(lines)
    return RandomModel(HEAD + "\n".join(lines), tuple(t for _, tests in made for t in tests), taken, forbidden, by)


def named_choice(i: int) -> str:
    family, args = CHOICES[i]
    return f"{family}({', '.join(map(str, args))})"


def difference(model: RandomModel, engine: str = "auto") -> str:
    """What covr finds wrong of a model's answers; empty where nothing is."""
    try:
        compiled = compile_model(model_of(model.text))
    except ModelErrors as errors:
        return f"{errors}"
    found = []
    for answer in search(compiled.problem, settings=Settings(engine=engine)):
        fault = check(compiled.problem, answer)
        if fault is not None:
            return f"an answer is none: {fault}"
        found.append(model.part(frozenset((c.family, c.args) for c in compiled.choices(answer))))
    wanted = model.answers()
    if len(found) != len(set(found)):
        return "an answer comes twice"
    return "" if set(found) == wanted else f"missing {wanted - set(found)}, too many {set(found) - wanted}"


def cheapest(model: RandomModel, rng: random.Random, engine: str = "mixed") -> str:
    """What covr finds wrong of the least value of a goal that is added to a model, and of the bounds that it reports on
    the way; empty where nothing is, and where only some families tell answers apart."""
    if "answers by" in model.text:
        return ""
    weights = {"a": rng.choice([*WEIGHTS, *OF_A]), "b": rng.choice(WEIGHTS)}
    goal = "minimize " + ", ".join(f"({part.text}) of {family}" for family, part in weights.items())
    try:
        problem = compile_model(model_of(f"{model.text}\n{goal}")).problem
    except ModelErrors as errors:
        return f"{errors}"
    costs = {c: weights[c[0]].value(dict(zip(INDICES[c[0]], c[1], strict=True))) for c in CHOICES}
    least = min((sum(costs[choice] for choice in answer) for answer in model.answers()), default=None)
    run = search(problem, goal="minimum", settings=Settings(engine=engine))
    while run.step(1):
        if run.bound is not None and least is not None and run.bound > least:
            return f"{goal}: a bound of {run.bound}, but the least is {least}"
    return "" if run.best == least and run.bound == least else f"{goal}: {run.best}, {run.bound}, not {least}"


def main() -> None:
    count, seed = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0
    engine = sys.argv[3] if len(sys.argv) > 3 else "auto"
    for at in range(seed, seed + count):
        model = random_model(random.Random(at))
        wrong = difference(model, engine) or cheapest(model, random.Random(at), "mixed" if engine == "auto" else engine)
        if wrong:
            print(f"seed {at}: {wrong}\n{model.text}")
            sys.exit(1)
        if at % 1000 == 999:
            print(at + 1, flush=True)


if __name__ == "__main__":
    main()
