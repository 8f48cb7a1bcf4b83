"""Random models with `up to` of any maps, kept by the rules and the costs or not, and what brute force says of them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import combinations

from attrs import frozen

Taken = tuple[int, ...]  # the numbers of the choices of an answer, from 1, increasing
Map = tuple[int, ...]  # where each choice goes; that of choice k is at k - 1

WORSE = """
cells r, c in 1..3
choose q(r, c)
exactly one q per r
exactly one q per c
minimize r * r * c of q
up to q(r, c) -> q(4 - r, c)
"""
LARGEST = """
choose q(c) for c in 1..3
exactly one q
maximize c of q
up to q(c) -> q(4 - c)
"""
LOST = """
let w = [0, 0, 5, 0]
choose q(c) for c in 1..4
minimize w[c] of q
up to q(c) -> q(5 - c)
"""


@frozen
class Rule:
    """least, most: how many of these choices are taken, each of them counting for its weight; None: for 1."""

    least: int
    most: int
    among: frozenset[int]
    weights: tuple[int, ...] | None

    def holds(self, taken: Taken) -> bool:
        total = sum(1 if self.weights is None else self.weights[k - 1] for k in taken if k in self.among)
        return self.least <= total <= self.most

    def line(self) -> str:
        least, most = self.least, self.most
        bounds = "exactly one" if least == most == 1 else f"exactly {least}" if least == most else ""
        if not bounds:
            bounds = (
                f"at least {least}"
                if most >= 99
                else f"at most {most}"
                if not least and self.weights is None
                else f"exactly {least}..{most}"
            )
        what = "q" if self.weights is None else f"total {list(self.weights)}[i] of q"
        return f"{bounds} {what} where i in {{{', '.join(map(str, sorted(self.among)))}}}"


@frozen
class Drawn:
    """A model of n choices.  costs: what each counts, or None for no goal.  maps: the symmetries it names."""

    n: int
    rules: tuple[Rule, ...]
    costs: tuple[int, ...] | None
    largest: bool
    maps: tuple[Map, ...]
    given: Taken
    forbidden: Taken

    def text(self) -> str:
        """The model in covr's language, with what it promises."""
        lines = [f"choose q(i) for i in 1..{self.n}", *(rule.line() for rule in self.rules)]
        lines += [f"forbid q({k})" for k in self.forbidden] + [f"given q({k})" for k in self.given]
        if self.costs is not None:
            goal = "maximize" if self.largest else "minimize"
            lines.append(f"{goal} count of q" if set(self.costs) == {1} else f"{goal} {list(self.costs)}[i] of q")
        lines += [f"up to q(i) -> q({list(one)}[i])" for one in self.maps]
        lines.append(f"expect {len(self.classes)} solutions" if self.classes else "expect no solution")
        if self.best is not None:
            lines.append(f"expect {'maximum' if self.largest else 'minimum'} {self.best}")
        return "\n".join(lines) + "\n"

    def value(self, taken: Taken) -> int:
        """What an answer counts for the goal."""
        return 0 if self.costs is None else sum(self.costs[k - 1] for k in taken)

    @cached_property
    def every(self) -> tuple[Taken, ...]:
        """All sets that meet the rules, whatever they cost."""
        free = [k for k in range(1, self.n + 1) if k not in self.forbidden]
        sets = (taken for size in range(len(free) + 1) for taken in combinations(free, size))
        return tuple(t for t in sets if set(self.given) <= set(t) and all(rule.holds(t) for rule in self.rules))

    @cached_property
    def best(self) -> int | None:
        """The best value; None without a goal or an answer."""
        if self.costs is None or not self.every:
            return None
        return (max if self.largest else min)(map(self.value, self.every))

    @cached_property
    def classes(self) -> tuple[Taken, ...]:
        """The smallest answer of each class, increasing. The answers are the best ones where there is a goal."""
        left = {t for t in self.every if self.costs is None or self.value(t) == self.best}
        group = list(self._group())
        found = []
        while left:
            one = next(iter(left))
            alike = {tuple(sorted(member[k - 1] for k in one)) for member in group} & left
            found.append(min(alike))
            left -= alike
        return tuple(sorted(found))

    @property
    def broken(self) -> bool:
        """Whether a map sends a choice to one of another cost, neither of them forbidden."""
        costs, free = self.costs, set(range(1, self.n + 1)) - set(self.forbidden)
        return costs is not None and any(
            costs[k - 1] != costs[one[k - 1] - 1] for one in self.maps for k in free if one[k - 1] in free
        )

    def _group(self) -> Iterator[Map]:
        seen, fresh = set(), [tuple(range(1, self.n + 1))]
        while fresh:
            one = fresh.pop()
            if one not in seen:
                seen.add(one)
                yield one
                fresh += [tuple(image[k - 1] for k in one) for image in self.maps]


def drawn(seed: int, most: int = 6) -> Drawn:
    """The model of a seed, of at most so many choices."""
    rng = random.Random(seed)
    n = rng.randint(2, most)
    low, high = rng.choice([(1, 1), (0, 1), (1, 2), (0, 3), (-2, 2)])
    costs = tuple(rng.randint(low, high) for _ in range(n))
    kind = rng.choice(["exact", "cover", "any", "any"])
    rules = tuple(_rule(rng, n, kind) for _ in range(rng.randint(0 if kind == "any" else 1, 4)))
    maps = tuple(_map(rng, n) for _ in range(rng.randint(1, 2)))
    if rng.random() < 0.3:  # rules and costs that the maps keep, mostly
        costs = _spread(costs, maps)
        rules = tuple(
            Rule(r.least, r.most, frozenset(one[k - 1] for k in r.among), None if r.weights is None else r.weights)
            for r in rules
            for one in (tuple(range(1, n + 1)), *maps)
        )
    given = (rng.randint(1, n),) if rng.random() < 0.15 else ()
    forbidden = (rng.randint(1, n),) if rng.random() < 0.2 else ()
    goal = None if rng.random() < 0.1 else costs
    return Drawn(n, rules, goal, rng.random() < 0.5, maps, given, tuple(k for k in forbidden if k not in given))


def _rule(rng: random.Random, n: int, kind: str) -> Rule:
    among = frozenset(rng.sample(range(1, n + 1), rng.randint(min(2, n), n)))
    if kind == "cover":
        return Rule(1, 99, among, None)
    if kind == "exact":
        return Rule(rng.randint(0, 1), 1, among, None)
    least = rng.randint(0, 2)
    weights = tuple(rng.randint(-1, 2) for _ in range(n)) if rng.random() < 0.3 else None
    return Rule(least, rng.choice([least, least + 1, 99]), among, weights)


def _map(rng: random.Random, n: int) -> Map:
    image = list(range(1, n + 1))
    if rng.random() < 0.3:
        return tuple(reversed(image))
    some = rng.sample(image, rng.randint(min(2, n), n))
    moved = dict(zip(some, some[1:] + some[:1], strict=True))
    return tuple(moved.get(k, k) for k in image)


def _spread(costs: Sequence[int], maps: Sequence[Map]) -> tuple[int, ...]:
    """Costs that the maps keep: each orbit gets the cost of its first choice."""
    root = list(range(len(costs) + 1))
    for _ in costs:
        for one in maps:
            for k, image in enumerate(one, 1):
                root[k] = root[image] = min(root[k], root[image])
    return tuple(costs[root[k] - 1] for k in range(1, len(costs) + 1))
