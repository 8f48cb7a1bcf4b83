"""A reason of a hint in the model's names: its rules, what it rests on, and how it is followed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from typing import TYPE_CHECKING, Any

from attrs import evolve, field

from covr.dsl.diagnostics import Span
from covr.engine.problem import Total, options_of
from covr.engine.proofs.decide import Ground, HintChain, chain_of, shortest, strikers, struck, struck_by_item
from covr.engine.proofs.shapes import CLOSED_OFF, CUT_OFF, DEAD_END, ELSEWHERE, FORK, RING, TOO_EARLY, UNSAID
from covr.engine.proofs.way import Reason, WayStep, implied_by_circuits
from covr.explain.why import item_name
from covr.explain.why_text import Member, at, fields_of, labelled_spans, without_helpers
from covr.frozen import frozen

if TYPE_CHECKING:
    from covr.compiler import Choice, Compiled
    from covr.engine.problem import Problem


@frozen
class HelperMove:
    """A move about helpers alone, which is not shown.
    rules: of its reason.  values: of what it says.  facts: options known by other such moves, on which it rests."""

    rules: tuple[Member, ...]
    values: dict[int, bool]
    facts: frozenset[int]


class HelperMoves:
    """Values of helpers that no shown move names."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self.values: dict[int, bool] = {}
        self._moves: dict[int, HelperMove] = {}  # in the order in which they were made

    def learn(self, move: Reason, rules: tuple[Member, ...], facts: Iterable[int], known: Set[int]) -> None:
        """Keep what a move says, and what is out for free after it. known: the options whose values were known."""
        free = struck(self._problem, move.taken) - known if move.taken else set()
        values = {**dict.fromkeys(move.taken, True), **dict.fromkeys(move.out, False)}
        made = HelperMove(rules, values, frozenset(facts))
        for o in {**values, **dict.fromkeys(sorted(free))}:
            self._moves.setdefault(o, made)
            self.values.setdefault(o, values.get(o, False))

    def within(self, conditions: Iterable[int]) -> dict[int, bool]:
        """The values of those that these conditions concern."""
        if not self.values:
            return {}
        here = {o for c in conditions for o in concerned(self._problem, c)}
        return {o: self.values[o] for o in sorted(here & self.values.keys())}

    def moves_to(self, options: Iterable[int]) -> tuple[HelperMove, ...]:
        """The moves by which some options are known, and those on which these rest, in order."""
        needed: set[int] = set()
        todo = set(options)
        while todo:
            o = todo.pop()
            if o in self._moves and o not in needed:
                needed.add(o)
                todo |= self._moves[o].facts
        once = {id(move): move for o, move in self._moves.items() if o in needed}
        return tuple(once.values())

    def forget(self, moves: Iterable[HelperMove]) -> None:
        """Forget moves, because a shown one names their rules."""
        gone = {id(move) for move in moves}
        for o in [o for o, move in self._moves.items() if id(move) in gone]:
            del self._moves[o], self.values[o]


def concerned(problem: Problem, condition: int) -> Iterable[int]:
    """All options that an item or a side is about."""
    if condition < problem.items:
        return problem.holders[condition]
    return options_of(problem.sides[condition - problem.items])


# --- because ---------------------------------------------------------------------------------------------------------


# What would go wrong otherwise, where the reason is a connection or a loop alone.
OTHERWISE = {
    CLOSED_OFF: "otherwise this part would be closed off",
    CUT_OFF: "it would be cut off from the rest",
    DEAD_END: "otherwise a line would end there",
    TOO_EARLY: "otherwise the loop would close while more lies outside of it",
    FORK: "otherwise lines would meet where the loop already passes",
    ELSEWHERE: "the loop can't come there and back",
    RING: "otherwise a ring would close",
    UNSAID: "",
}
MOST_TRIED = 4  # conclusions of one reason for which a chain is looked for; the shortest is shown


@frozen
class Because:
    """A reason, and what follows from it.
    rules: none of which can be left out.  known: taken choices that the argument rests on.
    full: the rules by which taken choices leave no room for others, where the argument rests on that; `full_items` are
    their
    numbers.  taken, out: the choices that are in every answer, and in none.
    otherwise: what would go wrong if a conclusion did not hold, in a few words.
    before: the rules of moves about helpers that it rests on.
    ahead: how it is followed, if that was asked for and takes no cases."""

    rules: tuple[Member, ...]
    known: tuple[Choice, ...]
    taken: tuple[Choice, ...]
    out: tuple[Choice, ...]
    otherwise: str = ""
    before: tuple[Member, ...] = ()
    ahead: LookAhead | None = None
    full: tuple[Member, ...] = ()
    full_items: tuple[int, ...] = field(default=(), repr=False)

    def __str__(self) -> str:
        return f"{conclusion(self.taken, self.out)}: {', '.join(rule.name for rule in self.rules)}"

    def as_fields(self) -> dict[str, Any]:
        """For `json`: its rules, and the names of its choices."""
        return {
            "rules": fields_of(self.rules),
            "before": fields_of(self.before),
            "full": fields_of(self.full),
            "otherwise": self.otherwise,
            "ahead": None if self.ahead is None else self.ahead.as_fields(),
            "known": list(map(str, self.known)),
            "taken": list(map(str, self.taken)),
            "out": list(map(str, self.out)),
        }


@frozen
class LookAheadPart:
    """What one rule says after the parts before it, or what several say of helpers."""

    rules: tuple[Member, ...]
    taken: tuple[Choice, ...]
    out: tuple[Choice, ...]

    def as_fields(self) -> dict[str, Any]:
        """For `json`: its rules, and the names of its choices."""
        return {"rules": fields_of(self.rules), "taken": list(map(str, self.taken)), "out": list(map(str, self.out))}


@frozen
class LookAhead:
    """A look ahead: what would follow from the opposite of a conclusion, until a rule breaks.
    supposed: the choice; taken: whether it is supposed to be taken.  facts: what is known of helpers.
    parts: in order.  broken: the rule that can't be met then."""

    supposed: Choice
    taken: bool
    facts: tuple[LookAheadPart, ...]
    parts: tuple[LookAheadPart, ...]
    broken: Member
    chain: HintChain = field(repr=False, eq=False)

    def as_fields(self) -> dict[str, Any]:
        """For `json`: what is supposed, what each rule would give, and which breaks."""
        return {
            "supposed": {"taken" if self.taken else "out": str(self.supposed)},
            "parts": [part.as_fields() for part in (*self.facts, *self.parts)],
            "broken": self.broken.as_fields(),
        }


class ReasonNames:
    """Puts reasons of one model's steps into its names."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        self._ground: tuple[WayStep, Ground, Mapping[int, bool]] | None = None
        self._ruled_out: set[int] = set()  # options that steps have ruled out
        self._full: tuple[WayStep, Ground, dict[int, set[int]]] | None = None

    @cached_property
    def _implied(self) -> Mapping[int, int]:
        return implied_by_circuits(self.compiled.problem)

    def because(self, reason: Reason, step: WayStep) -> Because:
        """A reason without its look ahead."""
        problem, choice = self.compiled.problem, self.compiled.choice
        members = {o for c in reason.conditions for o in members_of(self.compiled, c) or ()}
        known = set(strikers(problem, step.before_taken, sorted(members & step.before_out)))
        known |= members & step.before_taken
        full = self._full_items(reason, step)
        because = Because(
            rules=tuple(rule_of(self.compiled, c) for c in reason.conditions),
            known=tuple(map(choice, sorted(known))),
            taken=tuple(map(choice, reason.taken)),
            out=tuple(map(choice, reason.out)),
            full=tuple(rule_of(self.compiled, i) for i in full),
            full_items=full,
        )
        return self._shaped(because, reason, step)

    def learn(self, step: WayStep) -> None:
        """What a step rules out is known from now on without another reason."""
        self._ruled_out.update(o for reason in step.reasons for o in reason.out)

    def _full_items(self, reason: Reason, step: WayStep) -> tuple[int, ...]:
        """The items, beside the conditions of a reason, in which taken choices leave no room for others that the reason
        needs to be out and that no step has ruled out: greedily those that rule out most."""
        problem = self.compiled.problem
        if self._full is None or self._full[0] is not step:
            by_item = struck_by_item(problem, step.before_taken)
            gone = set().union(*by_item.values()) - self._ruled_out
            opened = {i: here & gone for i, here in by_item.items() if here & gone}
            self._full = step, Ground(problem, step.before_taken, step.before_out - gone), opened
        _, ground, by_item = self._full
        near = {o for c in reason.conditions for o in concerned(problem, c)}
        left = self._needed(ground, reason, near & set().union(*by_item.values()))
        left -= set().union(*(by_item.get(c, set()) for c in reason.conditions))
        found = []
        while left:
            by_item = {i: here & left for i, here in by_item.items() if not here.isdisjoint(left)}
            best = min(by_item, key=lambda i: (-len(by_item[i]), i))
            found.append(best)
            left = left - by_item[best]
        return tuple(sorted(found))

    def _needed(self, ground: Ground, reason: Reason, out: set[int]) -> set[int]:
        """Of options that are out, those that the conclusions of a reason rest on; all, if that takes cases."""
        facts = dict.fromkeys(sorted(out), False)
        conditions = frozenset(reason.conditions)
        needed: set[int] = set()
        for o, wrong in [*((o, False) for o in reason.taken), *((o, True) for o in reason.out)] if out else ():
            found = chain_of(ground, conditions, o, wrong, self._implied, facts)
            if found is None:
                return out
            needed |= found.facts
        return needed

    def chain(
        self, reason: Reason, step: WayStep, facts: Mapping[int, bool], quiet: Mapping[int, bool]
    ) -> HintChain | None:
        """The shortest chain for one of the conclusions; None for a reason of one rule that rests on no helpers.
        quiet: what is known of helpers by moves that were not shown; facts: of these, what the reason may rest on."""
        if len(reason.conditions) == 1 and not facts:
            return None
        if self._ground is None or self._ground[0] is not step:
            taken, out = step.before_taken - quiet.keys(), step.before_out - quiet.keys()
            self._ground = step, Ground(self.compiled.problem, taken, out), dict(quiet)
        _, ground, opened = self._ground
        facts = {o: v for o, v in facts.items() if o in opened}
        wrong = [*((o, False) for o in reason.taken), *((o, True) for o in reason.out)][:MOST_TRIED]
        conditions = frozenset(reason.conditions)
        return shortest([chain_of(ground, conditions, o, v, self._implied, facts) for o, v in wrong])

    def is_winding(self, reason: Reason) -> bool:
        """Whether a person needs to see how a reason is followed: three rules, or two with a connection or a loop."""
        count = len(reason.conditions)
        return count > 2 or (count == 2 and any(members_of(self.compiled, c) is None for c in reason.conditions))

    def ahead(self, chain: HintChain, moves: Iterable[HelperMove]) -> LookAhead:
        """A chain in the model's names. moves: those about helpers on which it rests."""
        choice = self.compiled.choice
        parts = [
            LookAheadPart(
                (rule_of(self.compiled, k.condition),), tuple(map(choice, k.taken)), tuple(map(choice, k.out))
            )
            for k in chain.links
        ]
        return LookAhead(
            supposed=choice(chain.option),
            taken=chain.taken,
            facts=tuple(LookAheadPart(move.rules, *map(tuple, self._values(move))) for move in moves),
            parts=tuple(parts),
            broken=rule_of(self.compiled, chain.broken),
            chain=chain,
        )

    def _values(self, move: HelperMove) -> Iterator[list[Choice]]:
        for value in (True, False):
            yield [self.compiled.choice(o) for o, v in sorted(move.values.items()) if v == value]

    def _shaped(self, because: Because, reason: Reason, step: WayStep) -> Because:
        """The same, with what a connection or a loop would do otherwise, if that alone is the reason."""
        if len(reason.conditions) > 1 or members_of(self.compiled, reason.conditions[0]) is not None:
            return because
        ground = Ground(self.compiled.problem, step.before_taken, step.before_out)
        shape = ground.shapes[reason.conditions[0]]
        seen = [shape.why(o, o in reason.taken) for o in (*reason.taken, *reason.out)]
        kinds = {kind for kind, _ in seen}
        known = sorted({o for _, shown in seen for o in shown})
        words = OTHERWISE[kinds.pop()] if len(kinds) == 1 else ""
        return evolve(because, known=tuple(map(self.compiled.choice, known)), otherwise=words)


def parts_of(reason: Reason) -> Iterator[Reason]:
    """A reason as moves: each choice that is taken, then all that are out together."""
    for o in reason.taken:
        yield evolve(reason, taken=(o,), out=())
    if reason.out:
        yield evolve(reason, taken=())


def conclusion(taken: Sequence[object], out: Sequence[object]) -> str:
    """What follows, in words."""
    words = [f"take {', '.join(map(str, taken))}"] if taken else []
    words += [f"rule out {', '.join(map(str, out))}"] if out else []
    return "; ".join(words)


def members_of(compiled: Compiled, condition: int) -> tuple[int, ...] | None:
    """The options in an item or a total; None for a connection or a loop, which may concern all of them."""
    problem = compiled.problem
    if condition < problem.items:
        return problem.holders[condition]
    side = problem.sides[condition - problem.items]
    return tuple(o for o, _ in side.terms) if isinstance(side, Total) else None


def rule_of(compiled: Compiled, condition: int) -> Member:
    """An item or a side as a rule with its label."""
    problem, lowered = compiled.problem, compiled.lowered
    at = condition - problem.items
    name = problem.sides[at].name if at >= 0 else item_name(compiled, condition)
    origins = lowered.side_origins if at >= 0 else lowered.origins
    number = at if at >= 0 else condition
    if number >= len(origins):
        return Member("rule", name, Span(compiled.model.source, 0, 0))
    return Member("rule", name, origins[number].statement.span)


# --- ahead text -----------------------------------------------------------------------------------------------------
# A link that says something of helpers alone is left out; where a later one rests on it, its rule is named there: "take
# shade((6, 1)): (6, 2) sees 3 squares". Rules without a label are named where no other is. Where all links say
# something of helpers alone, and their rules are too many to be named, the links stand with what they say.


@frozen
class AheadText:
    """How a look ahead is shown.
    facts: what is said of helpers beforehand.  parts: in order.  broken: the rules of what can't be met then."""

    parts: tuple[LookAheadPart, ...]
    broken: tuple[Member, ...]
    facts: tuple[LookAheadPart, ...] = ()


def ahead_text(compiled: Compiled, ahead: LookAhead) -> AheadText:
    """How a look ahead is shown without helpers."""
    spans = labelled_spans(compiled)
    known: dict[int, tuple[Member, ...]] = {}  # helper → the rules by which its value is known

    def rules_of(condition: int, own: Iterable[Member]) -> tuple[Member, ...]:
        rules = [rule for o in concerned(compiled.problem, condition) for rule in known.get(o, ())]
        rules += [rule for rule in own if at(rule.span) in spans]
        return tuple(dict.fromkeys(rules))

    for fact in ahead.facts:
        rules = tuple(rule for rule in fact.rules if at(rule.span) in spans)
        known.update((choice.number, rules) for choice in fact.taken + fact.out)
    parts = []
    for part, link in zip(ahead.parts, ahead.chain.links, strict=True):
        rules = rules_of(link.condition, part.rules)
        taken, out = (without_helpers(compiled, some) for some in (part.taken, part.out))
        known.update((c.number, rules) for c in part.taken + part.out if c not in taken + out)
        if taken or out:
            parts.append(evolve(part, rules=rules or part.rules, taken=taken, out=out))
    broken = rules_of(ahead.chain.broken, (ahead.broken,))
    return AheadText(tuple(parts), broken or (ahead.broken,))


def ahead_with_helpers(compiled: Compiled, ahead: LookAhead) -> AheadText:
    """A look ahead with what it says of helpers, but for what rules that have no label say of them alone."""
    spans = labelled_spans(compiled)

    def is_shown(part: LookAheadPart) -> bool:
        labelled = any(at(rule.span) in spans for rule in part.rules)
        return labelled or bool(without_helpers(compiled, part.taken + part.out))

    facts, parts = (tuple(filter(is_shown, some)) for some in (ahead.facts, ahead.parts))
    return AheadText(parts, (ahead.broken,), facts)
