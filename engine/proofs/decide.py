"""Does a set of conditions force a choice? A proof that says which conditions it needs, or a counterexample.

The question is put about an *assignment*: which open options are taken. One assignment is known that meets every
condition: an answer, called `truth` here. A choice is *forced* by some conditions if no assignment meets them in which
its option has the other value. What an option's forced value is, the truth says; so a choice is named by its option.

The option is given the wrong value, and what follows from single conditions is drawn, in the order of distance, so that
arguments are short. If this ends in a contradiction, the argument is followed back to the conditions that it used.
Otherwise every option without a value keeps that of the truth; if the conditions are met so, this is a counterexample,
near the truth; if not, a member of one that is not met is given the other value, and then its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set
from types import MappingProxyType

from covr.engine.proofs.ground import Ground
from covr.frozen import frozen

DECISION = -1  # the cause of a value that was assumed
CALL = 10  # units of work that each assumption costs
WIDE = 12  # conditions: from here on, cases are chosen to make a proof short, not to stay near the truth

Value = tuple[int, bool]


@frozen
class Forced:
    """The conditions that a proof used.  assumed: the options with assumed values that it used.

    line: of a proof without cases, the values that it drew, in order: each condition, the option and its value.
    broken: the condition that can't be met in the end; -1 for a proof by cases."""

    conditions: frozenset[int]
    assumed: frozenset[int]
    line: tuple[tuple[int, int, bool], ...] = ()
    broken: int = -1


@frozen
class Counterexample:
    """An assignment that meets the conditions asked about, though the option has the wrong value.

    flips: the options in which it differs from the truth."""

    flips: frozenset[int]


class Spent(Exception):
    """The work that was allowed is done."""


class Decider:
    """Decides which conditions force which choices.

    work: the values drawn so far, the totals that they were entered in, and what connections and circuits cost, plus
    `CALL` for each time that some were assumed; a microsecond or a few each."""

    def __init__(
        self,
        ground: Ground,
        truth: Set[int],
        stopped: Callable[[], bool] = lambda: False,
        implied: Mapping[int, int] = MappingProxyType({}),
    ) -> None:
        """truth: the open options that are taken in an answer, or a superset of them.  implied: conditions that others
        imply (implied.py): these stand for them in proofs."""
        self.ground, self.truth, self.implied = ground, truth, implied
        self.work = 0
        self.most = 0  # the work after which `Spent` is raised
        self._stopped = stopped

    def decide(self, conditions: Set[int] | None, option: int, nodes: int) -> Forced | Counterexample | None:
        """Whether these conditions (None: all) force an open option to the value that it has in the truth.

        nodes: how many assumptions may be tried, in a tree of cases. None if they did not suffice. Raises Spent."""
        self._nodes = nodes
        return self._decide(conditions, [(option, option not in self.truth)])

    def follow(self, conditions: Set[int], assumed: Iterable[Value]) -> Forced | None:
        """How values contradict these conditions, if they do so without cases."""
        return self._propagate(conditions, assumed)[1]

    def violated(self, flips: Set[int]) -> frozenset[int]:
        """All conditions that an assignment does not meet."""
        taken = flips ^ self.truth
        return frozenset(
            c for c in {c for o in flips for c in self.ground.of[o]} if self.ground.violated(c, taken)
        )  # fmt: skip

    def _decide(self, conditions: Set[int] | None, assumed: list[Value]) -> Forced | Counterexample | None:
        if self.work >= self.most or self._stopped():
            raise Spent
        if not self._nodes:
            return None
        self._nodes -= 1
        value, found = self._propagate(conditions, assumed)
        self.work += CALL + len(value)
        if found is not None:
            return found
        flips = {o for o, v in value.items() if v != (o in self.truth)}
        branch = self._branch(conditions, value, flips)
        if branch is None:
            return Counterexample(frozenset(flips))
        first = self._decide(conditions, [*assumed, (branch, branch not in self.truth)])
        if not isinstance(first, Forced) or branch not in first.assumed:
            return first
        second = self._decide(conditions, [*assumed, (branch, branch in self.truth)])
        if not isinstance(second, Forced) or branch not in second.assumed:
            return second
        return Forced(first.conditions | second.conditions, (first.assumed | second.assumed) - {branch})

    # --- what follows ---

    def _propagate(
        self, conditions: Set[int] | None, assumed: Iterable[Value]
    ) -> tuple[dict[int, bool], Forced | None]:
        """The values that follow from those assumed, condition by condition; and the proof, if they contradict."""
        ground, implied = self.ground, self.implied
        members, of, low, high = ground.members, ground.of, ground.low, ground.high
        value: dict[int, bool] = dict(assumed)
        cause: dict[int, int] = dict.fromkeys(value, DECISION)
        trail = list(value)
        held: dict[int, int] = {}
        lost: dict[int, int] = {}
        spans = dict(ground.spans)
        waiting: set[int] = set()  # connections and circuits, which are looked at when nothing else follows
        head = 0
        while head < len(trail) or waiting:
            if head == len(trail):
                c = min(waiting)
                waiting.discard(c)
                self.work += ground.shapes[c].cost
                more = ground.shapes[c].forces(value)
                if more is None:
                    return value, self._traced(conditions, c, trail, value, cause)
                for o, v in more:
                    value[o] = v
                    cause[o] = c
                    trail.append(o)
                continue
            option = trail[head]
            head += 1
            taken = value[option]
            for c in of[option]:
                if conditions is not None and c not in conditions and implied.get(c) not in conditions:
                    continue
                if c in ground.shapes:
                    waiting.add(c)
                    new = []
                elif c in ground.terms:
                    self.work += 1
                    spans[c] = span = ground.spanned(c, spans[c], option, taken)
                    narrowed = ground.narrowed(c, span, value)
                    if narrowed is None:
                        return value, self._traced(conditions, c, trail, value, cause)
                    new = narrowed
                elif c in ground.shades:
                    new = []
                    for other in members[c] if taken else ():
                        if other != option and ground.clash(c, option, other):
                            if value.get(other):
                                return value, self._traced(conditions, c, trail, value, cause)
                            if other not in value:
                                new.append((other, False))
                elif taken:
                    held[c] = count = held.get(c, 0) + 1
                    if count < high[c]:
                        continue
                    if count > high[c]:
                        return value, self._traced(conditions, c, trail, value, cause)
                    new = [(o, False) for o in members[c] if o not in value]
                else:
                    lost[c] = count = lost.get(c, 0) + 1
                    spare = len(members[c]) - low[c]
                    if count < spare:
                        continue
                    if count > spare:
                        return value, self._traced(conditions, c, trail, value, cause)
                    new = [(o, True) for o in members[c] if o not in value]
                for o, v in new:
                    value[o] = v
                    cause[o] = c
                    trail.append(o)
        return value, None

    def _traced(
        self, allowed: Set[int] | None, conflict: int, trail: list[int], value: dict[int, bool], cause: dict[int, int]
    ) -> Forced:
        """Follow a contradiction back to what was assumed."""
        place = {o: at for at, o in enumerate(trail)}
        conditions, assumed = {self._name(conflict, allowed)}, set()
        todo = self._because(conflict, None, place, value)
        seen = set(todo)
        while todo:
            o = todo.pop()
            c = cause[o]
            if c == DECISION:
                assumed.add(o)
                continue
            conditions.add(self._name(c, allowed))
            for other in self._because(c, o, place, value):
                if other not in seen:
                    seen.add(other)
                    todo.append(other)
        line = tuple((cause[o], o, value[o]) for o in sorted(seen - assumed, key=place.__getitem__))
        return Forced(frozenset(conditions), frozenset(assumed), line, conflict)

    def _name(self, c: int, allowed: Set[int] | None) -> int:
        """The condition that stands for one in a proof from those that are allowed."""
        return c if allowed is not None and c in allowed else self.implied.get(c, c)

    def _because(self, c: int, option: int | None, place: dict[int, int], value: dict[int, bool]) -> list[int]:
        """The options whose values made a condition give `option` its value, or made it impossible to meet (None)."""
        ground = self.ground
        here = [o for o in ground.members[c] if o in place and o != option]
        if option is not None:
            here = [o for o in here if place[o] < place[option]]
        here.sort(key=place.__getitem__)
        if c in ground.shapes:
            return self._few(c, option, {o: value[o] for o in here}, value)
        if c in ground.terms:
            span = ground.spans[c]
            for n, o in enumerate(here):
                span = ground.spanned(c, span, o, value[o])
                if ground.settles(c, span, option):
                    return here[: n + 1]
            return here
        held = [o for o in here if value[o]]
        if c in ground.shades:
            if option is None:
                return next([a, b] for n, b in enumerate(held) for a in held[:n] if ground.clash(c, a, b))
            return [next(o for o in held if ground.clash(c, option, o))]
        more = option is None
        lost = [o for o in here if not value[o]]
        most, spare = ground.high[c] + more, len(ground.members[c]) - ground.low[c] + more
        if more:
            return held[:most] if len(held) >= most else lost[:spare]
        return lost[:spare] if option is not None and value[option] else held[:most]

    def _few(self, c: int, option: int | None, known: dict[int, bool], value: dict[int, bool]) -> list[int]:
        """Few of the known options with whose values a connection or a circuit gives `option` its value, or can't be
        met: none of them can be left out, or none of the pieces in which they were tried."""
        shape = self.ground.shapes[c]

        def suffices(some: dict[int, bool]) -> bool:
            self.work += shape.cost
            found = shape.forces(some)
            return found is None or (option is not None and (option, value[option]) in found)

        size = max(len(known) // 2, 1)
        while True:
            at = 0
            while at < len(known):
                names = list(known)
                fewer = {o: known[o] for o in names[:at] + names[at + size :]}
                if suffices(fewer):
                    known = fewer
                else:
                    at += size
            if size == 1:
                return list(known)
            size //= 2

    # --- cases ---

    def _branch(self, conditions: Set[int] | None, value: dict[int, bool], flips: set[int]) -> int | None:
        """An option without a value in a condition that is not met; None if all conditions are met.

        Of many conditions, one with the fewest such options is taken, which makes proofs short; of few, the first, and
        in it the option whose other value spoils the fewest conditions."""
        ground, truth = self.ground, self.truth
        taken = flips ^ truth
        wide = conditions is None or len(conditions) > WIDE
        best: tuple[int, int] | None = None
        for c in sorted({c for o in flips for c in ground.of[o]}):
            if conditions is not None and c not in conditions and self.implied.get(c) not in conditions:
                continue
            if not ground.violated(c, taken):
                continue
            repairs = self._repairs(c, value, taken)
            if wide:
                best = min(best or (1 << 30, 0), (len(repairs), repairs[0]))
                continue
            for o in repairs:
                spoilt = sum(ground.violated(d, taken ^ {o}) for d in ground.of[o] if not ground.violated(d, taken))
                if best is None or (spoilt, o) < best:
                    best = spoilt, o
            break
        return None if best is None else best[1]

    def _repairs(self, c: int, value: dict[int, bool], taken: Set[int]) -> list[int]:
        """The options without a value whose other value may help to meet a condition."""
        ground = self.ground
        free = [o for o in ground.members[c] if o not in value]
        if c in ground.terms or c in ground.shapes:
            return free
        few = c not in ground.shades and sum(o in taken for o in ground.members[c]) < ground.low[c]
        return [o for o in free if (o in taken) != few]
