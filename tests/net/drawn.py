"""A model of several kinds of statements, and its answers: every set of choices is tried, without any of covr."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import combinations

from attrs import define, field

from tests.net.kinds import HEAD, KINDS, LATE, Answer, Choice, Draft, choose
from tests.net.pairs import REFUSED, Pair, pairs_of

MORE = 6  # kinds of statements that are drawn beside those that are asked for, at most


@define(slots=False)
class Drawn:
    """A drawn model. seed: draws it again.  promises: texts of `expect`, each with whether it is kept."""

    seed: int
    draft: Draft
    kinds: frozenset[str]
    promises: list[tuple[str, bool]] = field(factory=list)

    @property
    def pairs(self) -> set[Pair]:
        return pairs_of(self.kinds)

    @property
    def refusals(self) -> set[str]:
        """The codes with which covr may refuse this model: at least one of them, if there are any."""
        return {REFUSED[pair] for pair in self.pairs if pair in REFUSED}

    @cached_property
    def body(self) -> list[str]:
        """The statements in any order, but for goals in order."""
        later = [line for line in self.draft.body if line.startswith("then ")]
        lines = [line for line in self.draft.body if line not in later]
        random.Random(self.seed).shuffle(lines)
        return lines + later

    def text(self, promises: Iterable[str] = ()) -> str:
        """The model. promises: the `expect` lines."""
        d = self.draft
        choosing = [line for line in d.head if line.startswith(("choose", "values"))]
        first = [line for line in d.head if line not in choosing]
        return "\n".join([*first, *HEAD, *choosing, *self.body, *(f"expect {p}" for p in promises)]) + "\n"

    # --- brute force ---

    def tried(self, given: frozenset[Choice] | None = None) -> Iterator[Answer]:
        """Every set of choices that keeps the rules. given: what is taken, if not what the model gives."""
        d = self.draft
        must = frozenset(d.taken) if given is None else given
        free = [c for c in d.choices if c not in d.never and c not in must]
        for k in range(len(free) + 1):
            for some in combinations(free, k):
                answer = must.union(some)
                if all(holds(answer) for holds in d.tests):
                    yield answer

    @cached_property
    def every(self) -> frozenset[Answer]:
        """The answers of the rules, whatever the goal."""
        return frozenset(self.tried())

    def cost(self, answer: Answer) -> int:
        """The value of the first goal, the prices of wishes among it."""
        d = self.draft
        sign = -1 if d.goal == "maximize" else 1
        return sum(d.costs.get(c, 0) for c in answer) + sign * sum(pays(answer) for pays in d.wishes)

    def badness(self, answer: Answer) -> tuple[int, ...]:
        """The values of all goals in order, where less is better."""
        senses = [self.draft.goal, *(sense for sense, _ in self.draft.then)]
        return tuple(-v if s == "maximize" else v for s, v in zip(senses, self.values(answer), strict=True))

    def values(self, answer: Answer) -> tuple[int, ...]:
        """The values of all goals in order."""
        return (self.cost(answer), *(sum(own.get(c, 0) for c in answer) for _, own in self.draft.then))

    @cached_property
    def best(self) -> int | None:
        if not self.draft.goal or not self.every:
            return None
        return (min if self.draft.goal == "minimize" else max)(map(self.cost, self.every))

    @cached_property
    def wanted(self) -> frozenset[Answer]:
        """The answers: the best ones, if there is a goal."""
        if self.best is None:
            return self.every
        least = min(map(self.badness, self.every))
        return frozenset(a for a in self.every if self.badness(a) == least)

    def rank(self, answer: Answer) -> list[int]:
        order = {c: n for n, c in enumerate(self.draft.choices)}
        return sorted(order[c] for c in answer)

    def key(self, answer: Answer) -> Answer:
        """What counts as one answer: the smallest of its class, or the part that tells it apart."""
        d = self.draft
        if d.by is not None:
            return frozenset(c for c in answer if c[0] in d.by)
        if not d.maps:
            return answer
        orbit, todo = {answer}, [answer]
        while todo:
            here = todo.pop()
            for image in (frozenset(m[c] for c in here) for m in d.maps):
                if image not in orbit:
                    orbit.add(image)
                    todo.append(image)
        return min(orbit & self.wanted, key=self.rank)

    @cached_property
    def keys(self) -> frozenset[Answer]:
        """The answers, each class once."""
        return frozenset(map(self.key, self.wanted))

    @property
    def uneven(self) -> bool:
        """Whether `up to` carries some answer to one of another value, or of none."""
        d = self.draft
        goals = [d.costs, *(costs for _, costs in d.then)]
        return bool(d.goal and d.maps) and any(
            costs.get(c, 0) != costs.get(m[c], 0) for m in d.maps for c in m for costs in goals
        )


def draw(seed: int, kinds: Iterable[str] = ()) -> Drawn:
    """A model with these kinds of statements, and up to `MORE` more at random."""
    rng = random.Random(seed)
    wanted = list(kinds)
    possible = sorted(KINDS)
    clean = not any(p in REFUSED for p in pairs_of(wanted))
    for _ in range(rng.randint(1, MORE)):
        more = rng.choice(possible)
        together = pairs_of([*wanted, more])
        if more not in wanted and not (clean and any(p in REFUSED for p in together)):
            wanted.append(more)
    if "up to area" in wanted and "placements" not in wanted:
        wanted.append("placements")  # which it acts on
    d = Draft(rng)
    choose(d, set(wanted))
    for kind in sorted(wanted, key=lambda k: (k in LATE, LATE.index(k) if k in LATE else 0)):
        KINDS[kind](d)
    if d.wishes and not d.goal:
        d.goal = "minimize"
    drawn = Drawn(seed, d, frozenset(wanted))
    if "expect" in wanted and not drawn.refusals:
        drawn.promises = promised(drawn, rng)
    return drawn


def promised(drawn: Drawn, rng: random.Random) -> list[tuple[str, bool]]:
    """Promises, some of them kept."""
    count = len(drawn.keys)
    made = [(f"{count} solutions", True), (f"{count + 1} answers", False), ("unique", count == 1)]
    made.append(("no solution", count == 0))
    if drawn.best is not None:
        word = "minimum" if drawn.draft.goal == "minimize" else rng.choice(("minimum", "maximum"))
        made += [(f"{word} {drawn.best}", True), (f"{word} {drawn.best - 1}", False)]
    return rng.sample(made, rng.randint(1, len(made)))
