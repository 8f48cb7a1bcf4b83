"""Sets, lists and what is asked of them, as Python: `{x, y}`, `{x + 1 for x in s where x > 2}`, `1..k`, `s & t`,
`neighbours(x)`, `size(s)`, `sum(s)`.

What is written counts its members against the budget itself, as the closures do, by functions that the source calls.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import chain
from typing import Any, Final

from covr.compiler.evaluate.expressions import free_names, pattern_names
from covr.compiler.evaluate.limits import Budget
from covr.compiler.evaluate.operators import set_operator
from covr.compiler.evaluate.values import Rng, Seq, Set, in_documented_order, size_of
from covr.compiler.lattices import SQUARE
from covr.compiler.lower.facts import (
    ANYTHING,
    FEW_PARTS,
    GUESSED,
    LONG_RANGE,
    MOST_PARTS,
    NOTHING,
    BaseWriter,
    Fact,
    Lists,
    PlainValues,
    Sets,
    Unsuitable,
    WholeNumbers,
    comparable,
    depth_of,
    equated,
    fact_of,
    hull,
    near,
    ordered_alike,
    weight_of,
)
from covr.compiler.lower.groups import Within
from covr.dsl import syntax as syn
from covr.dsl.syntax import Expr

MOST_LISTED: Final = 64
"""Members of constant sets that are gone through inside an expression, all combinations together."""


class SetWriter(BaseWriter):
    """Writes sets, and what goes through them."""

    def range(self, expr: syn.Range) -> tuple[str, Fact] | None:
        """A range of a few numbers, as a set."""
        (low, one), (high, two) = self.value(expr.low), self.value(expr.high)
        if not (near(one) and near(two) and isinstance(one, WholeNumbers) and isinstance(two, WholeNumbers)):
            return None
        if two.high - one.low >= LONG_RANGE:
            return None
        return f"{self._helper(Rng)}({low}, {high})", Sets(of=WholeNumbers(one.low, max(two.high, one.low)))

    def set_of(self, expr: syn.SetOf) -> tuple[str, Fact] | None:
        """A set written out."""
        if not free_names(expr) & self.within.names:
            return None  # it is made once
        items = [self.value(item) for item in expr.items]
        facts = [fact for _, fact in items]
        if not all(map(equated, facts)) or self._too_deep(facts):
            return None
        return f"{self._counted(_maker)}([{', '.join(text for text, _ in items)}])", _set_of(facts)

    def list_of(self, expr: syn.ListOf) -> tuple[str, Fact] | None:
        """A list written out."""
        if not free_names(expr) & self.within.names:
            return None
        items = [self.value(item) for item in expr.items]
        facts = [fact for _, fact in items]
        if not all(map(equated, facts)) or self._too_deep(facts):
            return None
        weights = list(map(weight_of, facts))
        short = None not in weights and sum(w for w in weights if w is not None) < FEW_PARTS
        fact = Lists(_hull(facts), len(items), len(items), short)
        return f"{self._counted(_list_maker)}([{', '.join(text for text, _ in items)}])", fact

    def _too_deep(self, facts: Sequence[Fact]) -> bool:
        nested = [depth_of(fact) for fact in facts if isinstance(fact, Sets | Lists)]
        return 1 + max(nested, default=0) > self.deepest()

    def operator(self, expr: syn.Binary) -> tuple[str, Fact] | None:
        """`|`, `&` and `-` of sets."""
        listed = self._listed(expr)
        if listed is not None:
            return self.in_order(*listed)
        (a, one), (b, two) = self.value(expr.left), self.value(expr.right)
        if not (isinstance(one, Sets) and isinstance(two, Sets)):
            return None
        of = one.of if expr.op == "-" else hull(one.of, two.of)
        if expr.op == "&" and one.of != ANYTHING:
            of = one.of
        short = one.short and (expr.op == "-" or two.short) and expr.op != "|"
        fact = Sets(short, max(one.depth, two.depth) if short else 0, of)
        return f"{self.constant(set_operator(expr.op, expr.span, self.within.scope.budget))}({a}, {b})", fact

    def in_order(self, text: str, of: Fact) -> tuple[str, Fact]:
        """A set of members that are listed in order."""
        return f"{self._counted(_ordered_maker)}({text})", Sets(of=of)

    # --- what is made by `for` ----------------------------------------------------------------------------

    def comprehension(self, expr: syn.Comprehension) -> tuple[str, Fact] | None:
        """A set or list made by `for`."""
        made = self._members_of_for(expr) if expr.kind in ("set", "list") else None
        if made is None:
            return None
        text, fact = made
        if not equated(fact) or self._too_deep([fact]):
            return None
        if expr.kind == "set":
            return f"{self._counted(_maker)}({text})", Sets(of=fact)
        return f"{self._counted(_list_maker)}({text})", Lists(fact, 0, GUESSED, False)

    def _members_of_for(self, expr: syn.Comprehension) -> tuple[str, Fact] | None:
        """What the `for` of a comprehension comes to, as the source of a list."""
        names = [name for g in expr.generators for pattern in g.patterns for name in pattern_names(pattern)]
        own = free_names(expr) & self.within.names
        if not own or len(set(names)) < len(names) or self.within.names & set(names):
            return None
        loops: list[str] = []
        size = 1
        with self.inside() as before:
            for g in expr.generators:
                for pattern in g.patterns:
                    loop, count = self._loop(pattern, g.over, before.within, expr.kind == "list")
                    loops.append(loop)
                    size *= count
                inner = {name for pattern in g.patterns for name in pattern_names(pattern)}
                self.within = Within(before.within.scope, self.within.names | inner, before.within.late)
            if size > MOST_LISTED:
                return None
            test = "" if expr.where is None else f" if {self.condition(expr.where)}"
            text, fact = self.value(expr.item)
        return f"[{text} {' '.join(loops)}{test}]", fact

    def _loop(self, pattern: syn.Pattern, over: Expr, outside: Within, ordered: bool) -> tuple[str, int]:
        """A loop over the members of a set, and how many they are if they are always the same; else 1. Raises
        Unsuitable."""
        if free_names(over) & self.within.names:
            text, of, _ = self.members(over, ordered)
            return f"for {self._target(pattern, [of] if isinstance(pattern, syn.Name) else _parts(of))} in {text}", 1
        members = outside.members(over)({})
        if (type(members) is not Set and type(members) is not Rng) or size_of(members) > MOST_LISTED:
            raise Unsuitable
        listed = members.ordered
        if isinstance(pattern, syn.Name):
            facts = [fact_of(listed)]
        elif all(isinstance(m, tuple) and len(m) == len(pattern.items) for m in listed):
            facts = list(map(fact_of, zip(*listed, strict=True)))
        else:
            raise Unsuitable
        return f"for {self._target(pattern, facts)} in {self.constant(listed)}", len(listed)

    def _target(self, pattern: syn.Pattern, facts: Sequence[Fact]) -> str:
        """The variables of a pattern, for whose names these facts hold."""
        parts = [pattern] if isinstance(pattern, syn.Name) else list(pattern.items)
        if len(parts) != len(facts) or not all(isinstance(part, syn.Name) for part in parts):
            raise Unsuitable
        named = [(part.id, fact) for part, fact in zip(parts, facts, strict=True) if isinstance(part, syn.Name)]
        texts = [self.bind_inner(name, fact) for name, fact in named]
        return texts[0] if isinstance(pattern, syn.Name) else f"{', '.join(texts)},"

    def members(self, over: Expr, ordered: bool) -> tuple[str, Fact, bool]:
        """Source for the members of a set or list, which are counted; what holds for them; and whether they are all
        different. ordered: whether they come in the documented order. Raises Unsuitable."""
        if isinstance(over, syn.Range):
            (low, one), (high, two) = self.value(over.low), self.value(over.high)
            if not (isinstance(one, WholeNumbers) and isinstance(two, WholeNumbers) and near(one) and near(two)):
                raise Unsuitable
            fact = WholeNumbers(one.low, max(two.high, one.low))
            return f"{self._counted(_range)}({low}, {high})", fact, True
        listed = self._listed(over)
        if listed is not None:
            return *listed, True
        text, of = self.value(over)
        if isinstance(of, Sets):
            return f"{self._counted(_in_order if ordered else _in_any_order)}({text})", self._of(over, of), True
        if isinstance(of, Lists):
            return f"{self._counted(_items)}({text})", of.of, False
        raise Unsuitable

    def _of(self, over: Expr, fact: Sets) -> Fact:
        """What holds for the members of sets. Raises Unsuitable where that is not known."""
        if fact.of is not ANYTHING:
            return fact.of
        every = self.every((over.id,)) if isinstance(over, syn.Name) and over.id in self.within.names else None
        if every is None:
            raise Unsuitable
        sets = [one for (one,) in every]
        if sum(map(len, sets)) > MOST_PARTS:
            raise Unsuitable
        members = list(chain.from_iterable([one.parts for one in sets]))
        return fact_of(members) if members else NOTHING

    def _listed(self, over: Expr) -> tuple[str, Fact] | None:
        """Source for a few members in order, all different: the squares next to one, perhaps those in a set only."""
        match over:
            case syn.Call() if over.function.id == "neighbours" and len(over.args) == 1:
                if self.within.scope.function("neighbours") is not None:
                    return None
                text, fact = self.value(over.args[0])
                if not isinstance(fact, PlainValues) or not fact.pair or fact.parts is None:
                    return None
                beside = tuple([WholeNumbers(p.low - 1, p.high + 1) for p in fact.parts if isinstance(p, WholeNumbers)])
                return f"{self._helper(SQUARE.near)}({text})", PlainValues(1, parts=beside)
            case syn.Binary(op="&" | "-"):
                left = self._listed(over.left)
                if left is None:
                    return None
                text, fact = self.value(over.right)
                if not isinstance(fact, Sets) or not text.isidentifier():
                    return None
                self._inner += 1
                within = self.space.get(text)
                inside = self.constant(within.members) if type(within) is Set else text
                word = "in" if over.op == "&" else "not in"
                return f"[w{self._inner} for w{self._inner} in {left[0]} if w{self._inner} {word} {inside}]", left[1]
        return None

    # --- what is asked of sets and lists ------------------------------------------------------------------

    def asked_of(self, expr: syn.Call) -> tuple[str, Fact] | None:
        """The built-in functions of sets and lists that the source can do as well."""
        write = _FUNCTIONS.get(expr.function.id)
        if write is None or not free_names(expr) & self.within.names:
            return None
        return write(self, expr.args)

    def _size(self, args: Sequence[Expr]) -> tuple[str, Fact] | None:
        if len(args) != 1:
            return None
        if isinstance(args[0], syn.Comprehension) and args[0].kind == "set":
            made = self._members_of_for(args[0])
            if made is None or not equated(made[1]):
                return None
            return f"len({{{made[0][1:-1]}}})", WholeNumbers(0, GUESSED)
        text, fact = self.value(args[0])
        if isinstance(fact, Sets):
            return f"len({text}.parts)", WholeNumbers(0, GUESSED)
        if isinstance(fact, Lists):
            return f"len({text}.items)", WholeNumbers(fact.least, fact.most)
        return None

    def _sum(self, args: Sequence[Expr]) -> tuple[str, Fact] | None:
        if len(args) != 1:
            return None
        arg, most = args[0], self.within.scope.limits.values
        found = self._members_of_for(arg) if isinstance(arg, syn.Comprehension) and arg.kind == "list" else None
        text, of = found or self.members(arg, ordered=False)[:2]
        if of is NOTHING:
            return None
        if not near(of) or not isinstance(of, WholeNumbers):
            return None
        return f"{self._counted(_total)}({text})", WholeNumbers(min(0, of.low) * most, max(0, of.high) * most)

    def _extreme(self, args: Sequence[Expr], name: str) -> tuple[str, Fact] | None:
        if len(args) == 2:
            (a, one), (b, two) = map(self.value, args)
            if not (isinstance(one, WholeNumbers) and isinstance(two, WholeNumbers)):
                return None
            pick = min if name == "min" else max
            return f"{name}({a}, {b})", WholeNumbers(pick(one.low, two.low), pick(one.high, two.high))
        if len(args) != 1:
            return None
        text, fact = self.value(args[0])
        of = self._of(args[0], fact) if isinstance(fact, Sets) else ANYTHING
        if not ordered_alike(of, of):
            return None
        self.speculate()
        return f"{self._helper(_ordered)}({text})[{0 if name == 'min' else -1}]", of

    def _translate(self, args: Sequence[Expr]) -> tuple[str, Fact] | None:
        """A square moved."""
        if len(args) != 2:
            return None
        (a, one), (b, two) = map(self.value, args)
        if not (isinstance(one, PlainValues) and isinstance(two, PlainValues) and one.pair and two.pair):
            return None
        (r, c), (down, right) = self.tuples.get(a, (f"{a}[0]", f"{a}[1]")), self.tuples.get(b, (f"{b}[0]", f"{b}[1]"))
        parts = tuple([
            WholeNumbers(x.low + y.low, x.high + y.high)
            for x, y in zip(one.parts or (), two.parts or (), strict=True)
            if isinstance(x, WholeNumbers) and isinstance(y, WholeNumbers)
        ])  # fmt: skip
        text = f"({r} + {down}, {c} + {right},)"
        self.tuples[text] = (f"({r} + {down})", f"({c} + {right})")
        return text, PlainValues(1, parts=parts)

    def _sorted(self, args: Sequence[Expr]) -> tuple[str, Fact] | None:
        if len(args) != 1:
            return None
        text, fact = self.value(args[0])
        if not isinstance(fact, Lists) or not comparable(fact.of):
            return None
        return f"{self._counted(_sorted)}({text})", fact

    # --- what the source calls ----------------------------------------------------------------------------

    def _helper(self, of: Callable[..., Any]) -> str:
        """A name in the source for a function."""
        if of not in self._helpers:
            self._helpers[of] = self.constant(of)
        return self._helpers[of]

    def _counted(self, make: Callable[[Budget], Callable[..., Any]]) -> str:
        """The same for one that counts against the budget."""
        if make not in self._helpers:
            self._helpers[make] = self.constant(make(self.within.scope.budget))
        return self._helpers[make]


_FUNCTIONS: Final[dict[str, Callable[[Any, Sequence[Expr]], tuple[str, Fact] | None]]] = {
    "size": SetWriter._size,
    "sum": SetWriter._sum,
    "min": lambda writer, args: writer._extreme(args, "min"),
    "max": lambda writer, args: writer._extreme(args, "max"),
    "sorted": SetWriter._sorted,
    "translate": SetWriter._translate,
}


def _set_of(facts: Sequence[Fact]) -> Sets:
    """What holds for a set of values for which these facts hold."""
    weights = list(map(weight_of, facts))
    if None in weights or sum(w for w in weights if w is not None) >= FEW_PARTS:
        return Sets(of=_hull(facts))
    return Sets(True, 1 + max(map(depth_of, facts), default=0), _hull(facts))


def _hull(facts: Sequence[Fact]) -> Fact:
    found: Fact = NOTHING
    for fact in facts:
        found = hull(found, fact)
    return found


def _parts(fact: Fact) -> Sequence[Fact]:
    """What holds for the parts of tuples."""
    if not isinstance(fact, PlainValues) or fact.parts is None:
        raise Unsuitable
    return fact.parts


def _check(budget: Budget) -> None:
    if budget.values > budget.limits.values or budget.steps > budget.limits.steps:
        raise Unsuitable


def _maker(budget: Budget) -> Callable[[list[Any]], Set]:
    def made(members: list[Any]) -> Set:
        budget.values += len(members)
        _check(budget)
        return Set(members)

    return made


def _ordered_maker(budget: Budget) -> Callable[[Collection[Any]], Set]:
    def made(members: Collection[Any]) -> Set:
        budget.values += len(members)
        _check(budget)
        return Set.in_order(tuple(members))

    return made


def _list_maker(budget: Budget) -> Callable[[list[Any]], Seq]:
    def made(items: list[Any]) -> Seq:
        budget.values += len(items)
        _check(budget)
        return Seq(items)

    return made


def _range(budget: Budget) -> Callable[[int, int], range]:
    def numbers(low: int, high: int) -> range:
        found = range(low, high + 1)
        budget.steps += len(found)
        _check(budget)
        return found

    return numbers


def _in_order(budget: Budget) -> Callable[[Set], Sequence[Any]]:
    def members(of: Set) -> Sequence[Any]:
        budget.steps += len(of)
        _check(budget)
        return of.ordered

    return members


def _in_any_order(budget: Budget) -> Callable[[Set], Collection[Any]]:
    def members(of: Set) -> Collection[Any]:
        parts = of.parts
        budget.steps += len(parts)
        _check(budget)
        return parts

    return members


def _items(budget: Budget) -> Callable[[Seq], Sequence[Any]]:
    def members(of: Seq) -> Sequence[Any]:
        budget.steps += len(of.items)
        _check(budget)
        return of.items

    return members


def _total(budget: Budget) -> Callable[[Collection[int]], int]:
    def total(numbers: Collection[int]) -> int:
        budget.steps += len(numbers)
        _check(budget)
        return sum(numbers)

    return total


def _sorted(budget: Budget) -> Callable[[Seq], Seq]:
    def listed(of: Seq) -> Seq:
        budget.values += len(of.items)
        _check(budget)
        return Seq(in_documented_order(of.items))

    return listed


def _ordered(of: Set) -> Sequence[Any]:
    return of.ordered


__all__ = ["SetWriter"]
