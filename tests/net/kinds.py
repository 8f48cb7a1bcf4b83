"""Every kind of statement: a function adds one to a draft, as text and as what Python makes of it.

The rules over the families `a` and `b`, with their keys and conditions, are those of tests/statements.py.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable
from itertools import product

from attrs import define, field

from tests.statements import (
    CHOICES,
    INDICES,
    OF_A,
    WEIGHTS,
    Made,
    agree,
    alike,
    areas,
    connected,
    counted,
    lines,
    loop,
    needs,
    stretch,
    total,
    tree,
)

Choice = tuple[str, tuple[object, ...]]
Answer = frozenset[Choice]
Cell = tuple[int, int]

HEAD = ("cells r in 1..2, c in 1..3, x in 0..2", "let board = box(2, 2)")
DOMINOES: tuple[frozenset[Cell], ...] = tuple(
    map(frozenset, ({(1, 1), (1, 2)}, {(1, 1), (2, 1)}, {(1, 2), (2, 2)}, {(2, 1), (2, 2)}))  # in their own order
)
CLOSED: dict[str, Callable[[int, int], bool]] = {  # conditions of `choose a`
    "r != c": lambda r, c: r != c,
    "c != 2": lambda r, c: c != 2,
    "r + c in {3, 4}": lambda r, c: r + c in (3, 4),
    "c = 1 or r = 2 and c = 3": lambda r, c: c == 1 or (r == 2 and c == 3),
}


@define
class Draft:
    """A model while it is drawn.

    head: statements that come first, in this order.  body: the others.  tests: what an answer must keep.
    families: name → its choices, in documented order.  never, taken: what is forbidden, what is given.
    fixed: what is given by statements that read no data, which is part of every puzzle.
    goal: `minimize`, `maximize` or empty, with the cost of each choice.  wishes: what an answer pays for each `prefer`.
    then: further goals in order, each as its sense and its costs.  maps: the generators of `up to`.
    by: the families that tell answers apart, or None.  kinds: what was drawn.  refused: the kinds that may not meet.
    """

    rng: random.Random
    head: list[str] = field(factory=list)
    body: list[str] = field(factory=list)
    tests: list[Callable[[Answer], bool]] = field(factory=list)
    families: dict[str, list[Choice]] = field(factory=dict)
    never: set[Choice] = field(factory=set)
    taken: set[Choice] = field(factory=set)
    fixed: set[Choice] = field(factory=set)
    coloured: list[Callable[[Answer], bool]] = field(factory=list)
    goal: str = ""
    costs: dict[Choice, int] = field(factory=dict)
    wishes: list[Callable[[Answer], int]] = field(factory=list)
    then: list[tuple[str, dict[Choice, int]]] = field(factory=list)
    maps: list[dict[Choice, Choice]] = field(factory=list)
    by: tuple[str, ...] | None = None
    kinds: set[str] = field(factory=set)

    @property
    def choices(self) -> list[Choice]:
        return [choice for own in self.families.values() for choice in own]

    def rule(self, made: Made) -> None:
        self.body.append(made[0])
        self.tests += made[1]

    def count(self, text: str, groups: Iterable[set[Choice]], allowed: Callable[[int], bool]) -> None:
        """A rule that counts the taken choices of each group."""
        self.body.append(text)
        for group in groups:
            self.tests.append(lambda answer, group=group: allowed(len(group & answer)))  # type: ignore[misc]


def said(choice: Choice) -> str:
    """A choice as a model names it."""

    def value(of: object) -> str:
        return "{" + ", ".join(map(str, sorted(of))) + "}" if isinstance(of, frozenset) else str(of)

    return f"{choice[0]}({', '.join(map(value, choice[1]))})"


# --- choices ------------------------------------------------------------------------------------------------


def choose(d: Draft, kinds: set[str]) -> None:
    """The families that these kinds need, and as few choices that brute force can try all."""
    d.kinds = kinds
    narrow = "choose where" in kinds
    few = bool(kinds & {"values", "placements"})
    text = d.rng.choice(sorted(CLOSED)) if narrow else ""
    if few and not narrow:
        d.never |= {c for c in CHOICES if c[0] == "a" and c[1][1] == 2}
        d.body.append("forbid a where c = 2")
    d.head.append("choose a(r, c)" + (f" where {text}" if narrow else ""))
    d.families["a"] = [c for c in CHOICES if c[0] == "a" and (not narrow or CLOSED[text](*c[1]))]
    d.head.append("choose b(c)")
    d.families["b"] = [c for c in CHOICES if c[0] == "b"]
    if few:
        d.never.add(("b", (2,)))
        d.body.append("forbid b(2)")
    if {"values", "placements"} <= kinds:
        d.never |= {c for c in CHOICES if c[1][-1] == 3}
        d.body += ["forbid a where c = 3", "forbid b(3)"]
    if "values" in kinds:
        d.head += ["values v in 1..2", "choose e(r, v)"]
        d.families["e"] = [("e", (r, v)) for r in (1, 2) for v in (1, 2)]
        d.count("exactly one e per r", [{("e", (r, v)) for v in (1, 2)} for r in (1, 2)], lambda n: n == 1)
    if "placements" in kinds:
        d.head.append("choose p(s) for s in placements({(1, 1), (1, 2)}, board)")
        d.families["p"] = [("p", (s,)) for s in DOMINOES]
        kind = d.rng.choice(("exactly", "at most"))
        cells = [{("p", (s,)) for s in DOMINOES if y in s} for y in product((1, 2), repeat=2)]
        d.count(f"{kind} one p per y in board where y in s", cells, lambda n: n == 1 or (kind == "at most" and n == 0))
    if "no keys" in kinds:
        d.head.append("choose z()")
        d.families["z"] = [("z", ())]


# --- values -------------------------------------------------------------------------------------------------


def title(d: Draft) -> None:
    d.head.insert(0, f'title "Drawn {{1 + {d.rng.randint(0, 9)}}}"')


def use(d: Draft) -> None:
    d.head.insert(0, 'use "std/tetrominoes"')
    d.count("exactly 0..size(tetrominoes) - 3 a", [set(d.families["a"])], lambda n: n <= 2)


def param(d: Draft) -> None:
    most = d.rng.randint(0, 2)
    d.head.insert(0, f"param most = {most} where most >= 0")
    groups = [{c for c in CHOICES if c[1][-1] == k} for k in (1, 2, 3)]
    d.count("at most most + 1 a or b per c", groups, lambda n: n <= most + 1)


def let(d: Draft) -> None:
    d.head.insert(0, "let odd = {k for k in 1..3 where k mod 2 = 1}")
    d.count("at least 1 b or a where c in odd", [{c for c in CHOICES if c[1][-1] != 2}], lambda n: n >= 1)


def function(d: Draft) -> None:
    d.head.insert(0, "let far(i, j) = abs(i - j)")
    groups = [{c for c in CHOICES if c[0] == "a" and abs(c[1][0] - c[1][1]) == k} for k in range(3)]
    d.count("at most 2 a per far(r, c)", groups, lambda n: n <= 2)


def assertion(d: Draft) -> None:
    d.body.append('assert size(board) = 4 "the board has {size(board)} cells"')


# --- rules --------------------------------------------------------------------------------------------------

WHAT: dict[str, tuple[str, Callable[[int], bool]]] = {
    "exactly": ("exactly {k}", lambda n: n == 0),
    "at least": ("at least {k}", lambda n: n >= 0),
    "at most": ("at most {k}", lambda n: n <= 0),
    "range": ("exactly {k}..{k} + 1", lambda n: n in (0, 1)),
    "set": ("exactly {{{k}, {k} + 2}}", lambda n: n in (0, 2)),
}


def _groups(d: Draft) -> tuple[str, list[set[Choice]]]:
    """A rule's families, keys and condition, as text, and the choices of each item: all forms of a key."""
    rng = d.rng
    own = {"a": [c for c in CHOICES if c[0] == "a"], "b": [c for c in CHOICES if c[0] == "b"]}
    a = [(c, *c[1]) for c in own["a"]]
    cells = list(product((1, 2), repeat=2))
    forms: list[tuple[str, list[set[Choice]]]] = [
        ("a per r", [{k for k, r, _ in a if r == i} for i in (1, 2)]),
        ("a per c", [{k for k, _, c in a if c == i} for i in (1, 2, 3)]),
        ("a or b per c", [{k for k in CHOICES if k[1][-1] == i} for i in (1, 2, 3)]),
        ("b", [set(own["b"])]),
        ("a where r < c", [{k for k, r, c in a if r < c}]),
        ("a per r + c", [{k for k, r, c in a if r + c == i} for i in (2, 3, 4, 5)]),
        ("a per r, c mod 2", [{k for k, r, c in a if (r, c % 2) == i} for i in product((1, 2), (0, 1))]),
        ("a per y in {r, c}", [{k for k, r, c in a if y in (r, c)} for y in (1, 2, 3)]),
        ("a per (i, j) in board where r = i or c = j", [{k for k, r, c in a if r == i or c == j} for i, j in cells]),
        ("a per x where x < 2 and r = x + 1", [{k for k, r, _ in a if r == x + 1} for x in (0, 1)]),
    ]
    if "e" in d.families:
        e = [(c, *c[1]) for c in d.families["e"]]
        forms += [("e per v", [{k for k, _, v in e if v == i} for i in (1, 2)])] * 3
        forms.append(("e or a per r", [{k for k in d.families["e"] + own["a"] if k[1][0] == i} for i in (1, 2)]))
    if "p" in d.families:
        forms += [("p", [set(d.families["p"])])] * 2
    if "z" in d.families:
        forms += [("z or b", [{("z", ()), *own["b"]}])] * 2
    return rng.choice(forms)


def _rule(kind: str) -> Callable[[Draft], None]:
    def add(d: Draft) -> None:
        text, groups = _groups(d)
        k = d.rng.choice((0, 1, 1, 1, 2))
        quantity, holds = WHAT[kind]
        label = d.rng.choice(("", ' "a rule, said {1 + 1} times"'))
        number = "one" if k == 1 and d.rng.random() < 0.5 and kind not in ("range", "set") else str(k)
        d.count(f"{quantity.format(k=number)} {text}{label}", groups, lambda n: holds(n - k))

    return add


def _until(make: Callable[[random.Random], Made], fits: Callable[[str], bool]) -> Callable[[Draft], None]:
    def add(d: Draft) -> None:
        made = make(d.rng)
        while not fits(made[0]) or unfit(made[0], d):
            made = make(d.rng)
        d.rule(made)
        if made[0].startswith("agree"):
            d.coloured += made[1]

    return add


def unfit(text: str, d: Draft) -> bool:
    """Whether the model has lines of `a` already, or lacks some that a stretch is to hold a place of (E434)."""
    if "stretch" in text:
        return " holding " in text and len(d.families["a"]) < sum(f == "a" for f, _ in CHOICES)
    return "stretch" in d.kinds and DRAWS_A.match(text) is not None


DRAWS_A = re.compile("(?:loops?|paths?) a ")  # what stands in no model beside a stretch of `a`
COUNTS = " (?:then|and) (?:exactly|at least|at most) "


def _goes_with(fits: Callable[[str], bool]) -> Callable[[Draft], None]:
    """An `if … then` whose text fits. A choice that the model does not have counts for nothing after `then`."""

    def add(d: Draft) -> None:
        _until(lambda rng: needs(rng, d.choices), fits)(d)

    return add


# --- given and forbidden ------------------------------------------------------------------------------------


def _give(d: Draft, choices: Iterable[Choice], text: str, fixed: bool = True) -> None:
    """Give choices, where all of them may be given; otherwise nothing at all."""
    own = set(choices)
    legal = own <= set(d.choices) and not own & d.never
    if legal and all(holds(frozenset({c})) for holds in d.coloured for c in own):
        d.taken |= own
        d.fixed |= own if fixed else set()
        d.body.append(text)
    else:
        d.body.append("given b(k) for k in {}")


def given(d: Draft) -> None:
    choice = d.rng.choice([c for c in d.choices if c not in d.never])
    label = said(choice).replace("{", "{{").replace("}", "}}")
    _give(d, [choice], f'given {said(choice)} "given {label}"')


def given_for(d: Draft) -> None:
    if "e" in d.families and d.rng.random() < 0.5:
        _give(d, [("e", (1, 2))], "given e(1, v) where v = 2")
    else:
        k = d.rng.choice((1, 3))
        _give(d, [("b", (k,))], f"given b(k) for k in {{{k}}}")


def given_grid(d: Draft) -> None:
    place = d.rng.choice([c for c in d.families["a"] if c not in d.never])
    rows = ["".join("#" if place[1] == (r, c) else "." for c in (1, 2, 3)) for r in (1, 2)]
    d.head.insert(0, 'param clue = grid(2, 3) """\n  ' + "\n  ".join(rows) + '\n"""')
    _give(d, [place], "given a(r, c) for (r, c) in clue", fixed=False)


def forbid(d: Draft) -> None:
    left = [c for c in d.choices if c not in d.taken]
    choice = d.rng.choice(left)
    d.never.add(choice)
    d.body.append(f"forbid {said(choice)}")


def forbid_where(d: Draft) -> None:
    texts: list[tuple[str, Callable[[Choice], bool]]] = [
        ("b where c = 3", lambda k: k == ("b", (3,))),
        ("a where c = x and x != 1", lambda k: k[0] == "a" and k[1][1] == 2),
        ("a(i, j) for (i, j) in box(2, 3) where i = j", lambda k: k[0] == "a" and k[1][0] == k[1][1]),
        ("a(r, 3)", lambda k: k[0] == "a" and k[1][1] == 3),
    ]
    d.rng.shuffle(texts)
    for text, which in texts:
        own = {c for c in CHOICES if which(c)}
        if not own & d.taken:
            d.never |= own
            d.body.append(f"forbid {text}")
            return
    d.body.append("forbid b(9)")


# --- which answers ------------------------------------------------------------------------------------------


def _goal(sense: str) -> Callable[[Draft], None]:
    def add(d: Draft) -> None:
        d.goal = sense
        d.body.append(f"{sense} {_priced(d, d.costs)}")

    return add


def _then(sense: str) -> Callable[[Draft], None]:
    def add(d: Draft) -> None:
        if not (d.goal or d.wishes):
            _goal("minimize")(d)
        costs: dict[Choice, int] = {}
        d.body.append(f"then {sense} {_priced(d, costs)}")
        d.then.append((sense, costs))

    return add


def prefer(d: Draft) -> None:
    """Wishes about the family `a`, which is always there."""
    taken = {choice[1]: choice for choice in d.families["a"]}
    rng = d.rng
    kind, low, price = (
        rng.choice(("exactly", "at least", "at most")),
        rng.randint(0, 2),
        rng.choice(("0", "1", "r + 1")),
    )
    allowed = {"exactly": {low}, "at least": set(range(low, 9)), "at most": set(range(low + 1))}[kind]
    said = f"{kind} {low}"
    if rng.random() < 0.3:
        allowed, said = {0, 2}, "exactly {0, 2}"

    def rows(answer: Answer) -> int:
        cost = 0
        for r in sorted({r for r, _ in taken}):
            number = sum(taken[key] in answer for key in taken if key[0] == r)
            cost += min(abs(number - one) for one in allowed) * (r + 1 if price == "r + 1" else int(price))
        return cost

    def pairs(answer: Answer) -> int:
        return sum(2 * c for r, c in taken if taken[r, c] in answer and taken.get((r, c + 1)) in answer)

    def alone(answer: Answer) -> int:
        both = [(taken[r, c], taken.get((3 - r, c))) for r, c in taken]
        return sum(3 for here, there in both if here in answer and there not in answer)

    made = [
        (f'prefer {said} a per r cost {price} "row {{r}}"', rows),
        ("prefer if a(r, c) then not a(r, c + 1) cost 2 * c", pairs),
        ("prefer if a(r, c) then a(3 - r, c) cost 3", alone),
    ]
    for text, pays in rng.sample(made, rng.randint(1, 2)):
        d.body.append(text)
        d.wishes.append(pays)


def _priced(d: Draft, costs: dict[Choice, int]) -> str:
    """Goals, whose costs are added."""
    rng, parts = d.rng, []
    for family in rng.sample(sorted(d.families), rng.randint(1, len(d.families))):
        if family in INDICES:
            weight = rng.choice([*WEIGHTS, *(OF_A if family == "a" else [])])
            limit = rng.choice(("", "", " where c < 3"))
            parts.append(f"{weight.text} of {family}{limit}")
            for choice in d.families[family]:
                env = dict(zip(INDICES[family], choice[1], strict=True))
                if not limit or env["c"] < 3:  # type: ignore[operator]
                    costs[choice] = costs.get(choice, 0) + weight.value(env)  # type: ignore[arg-type]
        else:
            text, value = {"e": ("r * v - 2", lambda r, v: r * v - 2), "p": ("count", lambda s: 1),
                           "z": ("-2", lambda: -2)}[family]  # fmt: skip
            parts.append(f"{text} of {family}")
            for choice in d.families[family]:
                costs[choice] = costs.get(choice, 0) + value(*choice[1])  # type: ignore[operator]
    walked = [family for family in d.families if {*INDICES.get(family, ())} >= {"r", "c"}]
    if walked and rng.random() < 0.4:
        family, (text, adds) = rng.choice(walked), rng.choice(SUMMED)
        parts.append(text.format(family))
        for choice in d.families[family]:
            env = dict(zip(INDICES[family], choice[1], strict=True))
            costs[choice] = costs.get(choice, 0) + adds(env["r"], env["c"])  # type: ignore[arg-type]
    return ", ".join(parts)


# Goals with a `for`, for families with the indices r and c, and what a choice costs.
SUMMED: list[tuple[str, Callable[[int, int], int]]] = [
    ("t of {} for (r, t) in [(1, 2), (1, 2), (2, -1)]", lambda r, c: {1: 4, 2: -1}.get(r, 0)),
    ("t of {} for (c, t) in {{(1, 2), (3, -1)}}, r in 1..2", lambda r, c: {1: 2, 3: -1}.get(c, 0) * (r in (1, 2))),
    ("v * c - r of {} for v in {{1, 3}} where v <= c", lambda r, c: sum(v * c - r for v in (1, 3) if v <= c)),
    (
        "count of {} for v in [1, 1, 2], w in 1..v where w != r",
        lambda r, c: sum(w != r for v in (1, 1, 2) for w in range(1, v + 1)),
    ),
    ("x - 1 of {} for x in {{r, c}} where x + r > 2", lambda r, c: sum(x - 1 for x in {r, c} if x + r > 2)),
]


MAPS: list[tuple[str, str, Callable[..., tuple[object, ...]]]] = [
    ("a(r, c) -> a(3 - r, c)", "a", lambda r, c: (3 - r, c)),
    ("a(r, c) -> a(r, 4 - c)", "a", lambda r, c: (r, 4 - c)),
    ("a(r, c) -> a(r, c mod 3 + 1)", "a", lambda r, c: (r, c % 3 + 1)),
    ("a(r, c) -> a(3 - r, 4 - c)", "a", lambda r, c: (3 - r, 4 - c)),
    ("b(c) -> b(4 - c)", "b", lambda c: (4 - c,)),
    ("b(c) -> b(c mod 3 + 1)", "b", lambda c: (c % 3 + 1,)),
    ("e(r, v) -> e(3 - r, v)", "e", lambda r, v: (3 - r, v)),
    ("e(r, v) -> e(r, 3 - v)", "e", lambda r, v: (r, 3 - v)),
    ("p(s) -> p({(3 - i, j) for (i, j) in s})", "p", lambda s: (frozenset((3 - i, j) for i, j in s),)),
]


def _map(d: Draft, family: str, move: Callable[..., tuple[object, ...]]) -> dict[Choice, Choice]:
    return {c: (family, move(*c[1])) if c[0] == family else c for c in d.choices}


def up_to_map(d: Draft) -> None:
    fit = []
    for text, family, move in MAPS:
        if family in d.families:
            moved = _map(d, family, move)
            if set(moved.values()) == set(d.choices):
                fit.append((text, moved))
    drawn = d.rng.sample(fit, min(len(fit), d.rng.choice((1, 1, 2))))
    d.maps += [moved for _, moved in drawn]
    d.body.append("up to " + ", ".join(text for text, _ in drawn))


def up_to_area(d: Draft) -> None:
    """The symmetries of the board act on the dominoes, if there are any, and on nothing else."""
    word = d.rng.choice(("symmetries", "rotations"))
    d.body.append(f"up to {word}(board)")
    moves: list[Callable[..., tuple[object, ...]]] = [lambda s: (frozenset((j, 3 - i) for i, j in s),)]
    if word == "symmetries":
        moves.append(lambda s: (frozenset((j, i) for i, j in s),))
    d.maps += [_map(d, "p", move) for move in moves]


def answers_by(d: Draft) -> None:
    d.by = tuple(d.rng.sample(sorted(d.families), d.rng.randint(1, len(d.families))))
    d.body.append(f"answers by {', '.join(d.by)}")


# --- pictures -----------------------------------------------------------------------------------------------


def _one(*texts: str) -> Callable[[Draft], None]:
    def add(d: Draft) -> None:
        d.body.append(d.rng.choice(texts))

    return add


def printed(d: Draft) -> None:
    """What is printed needs a board, which some of the `show` statements don't draw."""
    d.body.append(d.rng.choice(("print r + c at r, c", 'print "#" at 0, c', 'print ">" at (r, 1), (r, 2)')))
    d.body.append('show "o" of a at r, c')


def outlined(d: Draft) -> None:
    """What is outlined needs a board as well."""
    d.body.append(d.rng.choice(("outline i for (i, j) in box(2, 3)", "outline i + j for (i, j) in board")))
    d.body.append('show "o" of a at r, c')


def clue(d: Draft) -> None:
    """What a clue would be adds no rule."""
    d.head.insert(0, 'param told = grid(2, 3) """..1..."""')
    values = ("count of a where r = i", "total r + j of a where c != j", "r + c of a where r + c = i", "size(b)")
    text = d.rng.choice(values)
    d.body.append(
        f"clue told[i, j] = {text} for (i, j) in box(2, 3)" + d.rng.choice(("", " where i in b", ' else "?"'))
    )


def expect(d: Draft) -> None:
    """The promise is written when the answers are known."""


KINDS: dict[str, Callable[[Draft], None]] = {
    "choose where": lambda d: None, "values": lambda d: None, "placements": lambda d: None, "no keys": lambda d: None,
    "title": title, "use": use, "param": param, "let": let, "function": function, "assert": assertion,
    **{kind: _rule(kind) for kind in WHAT},
    "counted": lambda d: d.rule(counted(d.rng)),
    "total": _until(total, lambda text: " total " in text),
    "needs": _goes_with(lambda text: not re.search(" (?:not|no|all) ", text)),
    "excludes": _goes_with(lambda text: re.search(" then not? ", text) is not None),
    "needs all": _goes_with(lambda text: " then all " in text),
    "conditions": _goes_with(lambda text: re.search(r"(?:\bif not|\) (?:and|or)) .* then ", text) is not None),
    "if and only if": _goes_with(lambda text: text.startswith("if and only if ")),
    "count after then": _goes_with(lambda text: re.search(COUNTS, text) is not None and " total " not in text),
    "total after then": _goes_with(lambda text: " total " in text),
    "parts after then": _goes_with(lambda text: re.search(r" then .*\) and ", text.split(" where ")[0]) is not None),
    "all different": _until(alike, lambda text: text.startswith("all different ")),
    "all alike": _until(alike, lambda text: text.startswith("all alike ")),
    "connected": _until(connected, lambda text: " along " not in text),
    "along": _until(connected, lambda text: " along " in text),
    "loop": _until(loop, lambda text: True),
    "tree": _until(tree, lambda text: not text.startswith("connected")),
    "corners": _until(tree, lambda text: " with corners" in text),
    "path": _until(lines, lambda text: text.startswith("path")),
    "areas": _until(areas, lambda text: not text.startswith("divide")),
    "stretch": _until(stretch, lambda text: True),
    "divide": _until(areas, lambda text: text.startswith("divide")),
    "lines": _until(lines, lambda text: not text.startswith("path")),
    "agree": _until(agree, lambda text: True),
    "forbid": forbid, "forbid where": forbid_where, "given": given, "given for": given_for, "given grid": given_grid,
    "minimize": _goal("minimize"), "maximize": _goal("maximize"), "prefer": prefer,
    "then minimize": _then("minimize"), "then maximize": _then("maximize"),
    "up to map": up_to_map, "up to area": up_to_area, "answers by": answers_by,
    "show": _one('show "x" of a at r, c', "show c of b at 1, c as dark", "show r, c of a", "show c of b",
                 'show r of a at r, c else "-" as plain', 'show "L" of a at r, c as line'),
    "print": printed,
    "outline": outlined,
    "clue": clue,
    "expect": expect,
}  # fmt: skip
LATE = (
    "forbid",
    "forbid where",
    "given",
    "given for",
    "given grid",
    "then minimize",
    "then maximize",
)  # in this order, when the others are drawn
