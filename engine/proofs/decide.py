"""Does a set of conditions force a choice? What is open, a proof, and the steps of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from types import MappingProxyType

from covr.engine.base.limits import ENDLESS
from covr.engine.problem import Areas, Circuit, Connection, Problem, Total
from covr.engine.proofs.area_shapes import AreasShape, Boards
from covr.engine.proofs.shapes import CircuitShape, ConnectionShape, ForestShape, ShapeRule
from covr.frozen import frozen

# --- ground ----------------------------------------------------------------------------------------------------------
# What is still open in a problem of which a part is known: the open options, and the conditions on them.
#
# A *condition* is an item, numbered as the item, or a side, numbered `items + k` for side k. What is known (options
# that are taken, options that are out) is subtracted from the conditions: an item of bounds 1, 1 that one known option
# holds needs no further one. A condition that says nothing more about the open options is left out.


SUMS = 1 << 26  # bits that may be shifted to find all values that a total forces by itself; about 10 milliseconds

Sums = tuple[tuple[int, int], ...]


class Ground:
    """The open part of a problem.

    members: per condition that still matters, the open options in it, increasing.  of: per open option, the conditions
    that it is in.  low, high: per item of these, how many of its members are still needed, and allowed.
    shades: per item with colours, the colour of each member.  terms, sums: per total, what each member counts for, and
    the sums that are still allowed.  spans: per total, the least and the greatest sum of its members.
    sizes: per total, how much each member counts without its sign, and the member, the greatest first.
    shapes: per connection, circuit and areas, what they still demand.
    """

    def __init__(self, problem: Problem, taken: Set[int], out: Set[int]) -> None:
        """problem: validated.  taken, out: what is known; it contradicts no condition by itself.
        Time linear in the problem."""
        self.items = problem.items
        self.members: dict[int, tuple[int, ...]] = {}
        self.of: dict[int, list[int]] = {}
        self.low: dict[int, int] = {}
        self.high: dict[int, int] = {}
        self.shades: dict[int, dict[int, int]] = {}
        self.terms: dict[int, dict[int, int]] = {}
        self.sums: dict[int, Sums] = {}
        self.spans: dict[int, tuple[int, int]] = {}
        self.sizes: dict[int, list[tuple[int, int]]] = {}
        self.shapes: dict[int, ShapeRule] = {}
        self.open = [o for o in range(problem.options) if o not in taken and o not in out]
        still = set(self.open)
        for i in range(problem.items):
            self._item(problem, i, taken, still)
        boards: Boards = {}
        for k, side in enumerate(problem.sides):
            if isinstance(side, Total):
                self._total(problem.items + k, side, taken, still)
                continue
            kinds = {Connection: ConnectionShape, Circuit: CircuitShape}
            if isinstance(side, Areas):
                shape: ShapeRule = AreasShape(side, taken, still, boards)
            else:
                shape = kinds.get(type(side), ForestShape)(side, taken, still)
            if shape.members:
                self.shapes[problem.items + k], self.members[problem.items + k] = shape, shape.members
        for o in self.open:
            self.of[o] = []
        for c, here in self.members.items():
            for o in here:
                self.of[o].append(c)

    def _item(self, problem: Problem, i: int, taken: Set[int], still: Set[int]) -> None:
        here = tuple(o for o in problem.holders[i] if o in still)
        if not here:
            return
        shades = {o: colour for o, colour in problem.column(i) if colour} if problem.colours else {}
        held = [o for o in problem.holders[i] if o in taken]
        if shades:
            if any(shades.get(o) for o in held):
                here = tuple(o for o in here if shades.get(o) != shades.get(held[0]))
                if not here:
                    return
                self.low[i], self.high[i] = 0, 0
            else:
                self.low[i], self.high[i] = 0, 1 - len(held)
                if not held and len({shades.get(o, -o - 1) for o in here}) == 1:
                    return
                if not held:
                    self.shades[i] = {o: shades.get(o, 0) for o in here}
        else:
            low, high = max(problem.low[i] - len(held), 0), problem.high[i] - len(held)
            if not low and high >= len(here):
                return
            self.low[i], self.high[i] = low, high
        self.members[i] = here

    def _total(self, c: int, total: Total, taken: Set[int], still: Set[int]) -> None:
        terms = {o: n for o, n in total.terms if o in still}
        if not terms:
            return
        sofar = sum(n for o, n in total.terms if o in taken)
        sums = tuple((low - sofar, high - sofar) for low, high in total.sums)
        least, most = sum(min(n, 0) for n in terms.values()), sum(max(n, 0) for n in terms.values())
        if any(low <= least and most <= high for low, high in sums):
            return
        self.members[c], self.terms[c], self.sums[c] = tuple(terms), terms, sums
        self.spans[c] = least, most
        self.sizes[c] = sorted(((abs(n), o) for o, n in terms.items()), key=lambda member: -member[0])

    def clash(self, i: int, one: int, other: int) -> bool:
        """Whether an item with colours keeps two of its members from being taken together."""
        shades = self.shades[i]
        return not shades[one] or shades[one] != shades[other]

    def spanned(self, c: int, span: tuple[int, int], option: int, taken: bool) -> tuple[int, int]:
        """The least and the greatest sum of a total, after one more of its members has a value."""
        n = self.terms[c][option]
        least, most = span
        if taken == (n > 0):
            return least + abs(n), most
        return least, most - abs(n)

    def allowed(self, c: int, span: tuple[int, int]) -> tuple[int, int] | None:
        """The least and the greatest number that a total still allows its sum to be, or may at the ends of a range that
        meets this one; None if it allows none from the least to the greatest sum of its members."""
        least, most = span
        able = [(low, high) for low, high in self.sums[c] if low <= most and least <= high]
        return (able[0][0], able[-1][1]) if able else None

    def narrowed(self, c: int, span: tuple[int, int], value: dict[int, bool]) -> list[tuple[int, bool]] | None:
        """The values of further members of a total that follow from the least and the greatest sum of its members;
        None if it can't be met. value: the members with a value, some of which may not have entered the sums yet.
        Takes time for the members whose values follow, mostly none."""
        allowed = self.allowed(c, span)
        if allowed is None:
            return None
        up, down = span[1] - allowed[0], allowed[1] - span[0]  # what counts more must count for all, or for nothing
        terms, found = self.terms[c], []
        for size, o in self.sizes[c]:
            if size <= up and size <= down:
                break
            if o not in value:
                found.append((o, (terms[o] > 0) == (size > up)))
        return found

    def settles(self, c: int, span: tuple[int, int], option: int | None) -> bool:
        """Whether a total gives a member its value, or can't be met (None), by the sums of its members alone."""
        allowed = self.allowed(c, span)
        if allowed is None or option is None:
            return allowed is None
        size = abs(self.terms[c][option])
        return span[1] - size < allowed[0] or span[0] + size > allowed[1]

    def forced_by_total(self, c: int) -> list[tuple[int, bool]] | None:
        """Every value that a total alone forces: each sum of its other members that can occur is tried. None if there
        are too many sums (see `SUMS`)."""
        terms, sums = self.terms[c], self.sums[c]
        least = sum(min(n, 0) for n in terms.values())
        width = sum(map(abs, terms.values())) + 1
        if width * len(terms) ** 2 > SUMS:
            return None
        wanted = 0  # bit s - least: whether the sum s is allowed; so are the bits of all sets of sums below
        for low, high in sums:
            low, high = max(low - least, 0), min(high - least, width - 1)
            wanted |= (1 << max(high + 1, low)) - (1 << low)
        found = []
        for o, n in terms.items():
            able = 1 << -least
            for other, m in terms.items():
                if other != o:
                    able |= able << m if m > 0 else able >> -m
            without, with_it = able & wanted, (able << n if n > 0 else able >> -n) & wanted
            if not without or not with_it:
                found.append((o, not without))
        return found

    def violated(self, c: int, taken: Set[int]) -> bool:
        """Whether a condition is not met if exactly these of its members are taken."""
        if c in self.shapes:
            return self.shapes[c].violated(taken)
        here = [o for o in self.members[c] if o in taken]
        if c in self.terms:
            total = sum(self.terms[c][o] for o in here)
            return not any(low <= total <= high for low, high in self.sums[c])
        if c in self.shades:
            return len(here) > 1 and any(self.clash(c, here[0], o) for o in here[1:])
        return not self.low[c] <= len(here) <= self.high[c]


def struck(problem: Problem, taken: Iterable[int]) -> set[int]:
    """The options that single items exclude because the taken options in them leave no room for another."""
    held = set(taken)
    return set().union(*struck_by_item(problem, held).values())


def struck_by_item(problem: Problem, taken: Set[int]) -> dict[int, set[int]]:
    """The same for each item that excludes some."""
    found: dict[int, set[int]] = {}
    empty = {i for i in range(problem.items) if not problem.high[i]}
    for i in {i for o in taken for i in problem.option(o)} | empty:
        here = [o for o in problem.holders[i] if o in taken]
        if len(here) < problem.high[i]:
            continue
        shades = dict(problem.column(i)) if problem.colours else {}
        shade = shades.get(here[0], 0) if here else 0
        gone = {o for o in problem.holders[i] if not shade or shades[o] != shade} - taken
        if gone:
            found[i] = gone
    return found


def strikers(problem: Problem, taken: Set[int], out: Iterable[int]) -> tuple[int, ...]:
    """Few taken options that strike those of the options `out` that any strike: greedily those that strike most."""
    causes: dict[int, set[int]] = {}  # taken option → options that it strikes
    for o in out:
        for i in problem.option(o):
            held = [t for t in problem.holders[i] if t in taken]
            if held and len(held) >= problem.high[i]:
                for t in held:
                    causes.setdefault(t, set()).add(o)
    found = []
    left = set().union(*causes.values())
    while left:
        best = min(causes, key=lambda t: (-len(causes[t] & left), t))
        found.append(best)
        left -= causes[best]
    return tuple(sorted(found))


# --- decide ----------------------------------------------------------------------------------------------------------
# Does a set of conditions force a choice? A proof that says which conditions it needs, or a counterexample.
#
# The question is put about an *assignment*: which open options are taken. One assignment is known that meets every
# condition: an answer, called `truth` here. A choice is *forced* by some conditions if no assignment meets them in
# which its option has the other value. What an option's forced value is, the truth says; so a choice is named by its
# option.
#
# The option is given the wrong value, and what follows from single conditions is drawn, in the order of distance, so
# that arguments are short. If this ends in a contradiction, the argument is followed back to the conditions that it
# used. Otherwise every option without a value keeps that of the truth; if the conditions are met so, this is a
# counterexample, near the truth; if not, a member of one that is not met is given the other value, and then its own.


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
        imply (way.py): these stand for them in proofs."""
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
            found = shape.forces(some, option)
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
            met = {d for d in {d for o in repairs for d in ground.of[o]} if not ground.violated(d, taken)}
            for o in repairs:
                spoilt, other = 0, taken ^ {o}
                for d in ground.of[o]:
                    if best is not None and (spoilt, o) >= best:
                        break
                    spoilt += d in met and ground.violated(d, other)
                best = min(best or (spoilt, o), (spoilt, o))
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


# --- chain -----------------------------------------------------------------------------------------------------------
# A reason as a person would follow it: suppose the opposite, and say step by step what follows until a rule breaks.
#
# A reason of several conditions says what a conclusion rests on, not how. Here it is told as a *chain*: the conclusion
# is given the wrong value, and each link draws, from one condition, values from those before it, until a condition
# can't be met. What is known is used without being named, apart from *facts*, of which is told which are used. Where
# conditions can't be followed one at a time, because cases have to be told apart, there is no chain.


@frozen
class ChainLink:
    """What one condition says of open options after those of the links before. taken, out: increasing."""

    condition: int
    taken: tuple[int, ...]
    out: tuple[int, ...]


@frozen
class HintChain:
    """An argument that ends in a contradiction.

    option, taken: what is supposed.  links: in order.  broken: the condition that can't be met then.
    facts: those that are used."""

    option: int
    taken: bool
    links: tuple[ChainLink, ...]
    broken: int
    facts: frozenset[int] = frozenset()


def chain_of(
    ground: Ground,
    conditions: Set[int],
    option: int,
    taken: bool,
    implied: Mapping[int, int],
    facts: Mapping[int, bool],
) -> HintChain | None:
    """Why an option that is open in `ground` has not the value `taken`, by these conditions; None if it takes cases.

    implied: conditions, and the one of these that may stand for each (way.py).  facts: open options whose values
    are known, to which the argument is held."""
    decider = Decider(ground, frozenset(), implied=implied)
    decider.most = ENDLESS
    found = decider.follow(conditions, [*facts.items(), (option, taken)])
    if found is None:
        return None
    return HintChain(option, taken, _links(found), found.broken, found.assumed - {option})


def shortest(chains: Sequence[HintChain | None]) -> HintChain | None:
    """The chain with the fewest facts, links and values, if there is any; the first on ties."""

    def length(chain: HintChain) -> tuple[int, int]:
        return len(chain.facts) + len(chain.links), sum(len(x.taken) + len(x.out) for x in chain.links)

    return min((chain for chain in chains if chain is not None), key=length, default=None)


def _links(found: Forced) -> tuple[ChainLink, ...]:
    """The values of a proof, those of one condition together where no other's lie between them."""
    links: list[ChainLink] = []
    for c, o, v in found.line:
        last = links.pop() if links and links[-1].condition == c else ChainLink(c, (), ())
        taken, out = ((o,), ()) if v else ((), (o,))
        links.append(ChainLink(c, tuple(sorted((*last.taken, *taken))), tuple(sorted((*last.out, *out)))))
    return tuple(links)
