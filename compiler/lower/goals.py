"""Goals in order, wishes with a price, and which options tell answers apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from covr.compiler.evaluate import EvalFault, Scope
from covr.compiler.evaluate.expressions import free_names, replace
from covr.compiler.evaluate.values import kind_of
from covr.compiler.lower.add import NOTHING, AtMostOne, Block, MatrixDraft, sums_of
from covr.compiler.lower.demands import StatedDemand, broken_if
from covr.compiler.lower.families import OwnChoices
from covr.compiler.lower.groups import allow_only
from covr.compiler.lower.lowered import Lowered, LoweredWish, StatedItems, TotalDraft, WishState
from covr.compiler.lower.needs import NeedsResult, remarks, wishes_of
from covr.compiler.lower.rules import RuleItems, Wanted, check_size, rule_items
from covr.dsl.diagnostics import Diagnostic
from covr.dsl.syntax import AnswersBy, CheckedModel, Expr, Needs, Prefer, Rule, UpTo
from covr.frozen import evolve

# --- answers by ------------------------------------------------------------------------------------------------------
# `answers by`: which options tell answers apart.


# Statements that can't stand in one model with `up to`: what they are called, the code of the fault, and what to do.
NOT_UP_TO = {
    AnswersBy: ("answers by", "E427", "helpers of which every answer has just one set need no `answers by`"),
    Prefer: ("prefer", "E428", "wishes seldom look the same from all sides"),
}


def refuse_symmetries(draft: MatrixDraft) -> None:
    """Report a model that says both `up to` and `answers by` or `prefer`."""
    symmetric = next((s for s in draft.model.statements if isinstance(s, UpTo)), None)
    for statement in draft.model.statements:
        if symmetric is not None and isinstance(statement, AnswersBy | Prefer):
            called, code, why = NOT_UP_TO[type(statement)]
            help = f"leave out one of them{';' if code == 'E427' else ':'} {why}"
            note = f"`up to` stands on line {symmetric.span.place[0]}"
            message = f"a model can't say both `{called}` and `up to`"
            draft.faults.found.append(Diagnostic(code, message, statement.span, help, (note,)))


def with_projection(model: CheckedModel, lowered: Lowered) -> Lowered:
    """The same with the options that tell answers apart, if the model says `answers by`."""
    named = [name.id for s in model.statements if isinstance(s, AnswersBy) for name in s.families]
    if not named:
        return lowered
    projection: set[int] = set()
    for name in named:
        family = lowered.families[name]
        projection.update(lowered.choice_options[family.first : family.first + len(family.choices)])
    projection.discard(-1)
    return evolve(lowered, problem=evolve(lowered.problem, projection=tuple(sorted(projection))))


# --- wishes ----------------------------------------------------------------------------------------------------------
# `prefer RULE cost PRICE`: a rule that may be broken, at a price for each unit.
#
# Choices of covr's own, *states*, say how far a wish is broken. Every answer has exactly those that its other choices
# lead to, so nothing is listed or counted twice, and prices are costs like any other.
#
# - A rule that counts has, for each of its items, one state for each sum that its choices can have; a total makes the
#   right one be taken: sum - value of the state = 0. Its price is that of the distance between the sum and the nearest
#   wanted number. Sums that rules exclude because they have at most one of some choices (add.py) have no state. So what
#   leaves out rules must let go of wishes, too: `CompiledModel.rules_alone`.
# - An `if … then` has, for each of its demands (needs.py), one state that is taken exactly if the demand is broken.
#   Where a binding makes several demands, one more is taken if any is broken, as a wish is broken once.


MOST_STATES = 10_000  # sums of one item: as many choices of covr's own, of which one is taken


def add_wishes(draft: MatrixDraft) -> tuple[LoweredWish, ...]:
    """Add every `prefer` to the matrix; its choices come after those of all families. Warns of those that can't be
    kept."""
    found: list[LoweredWish] = []
    exclusions = AtMostOne(draft)
    for statement in draft.model.statements:
        if isinstance(statement, Prefer):
            with draft.faults.of(statement):
                if isinstance(statement.rule, Rule):
                    wish, hopeless = _add_counted(statement, draft, exclusions)
                else:
                    wish, hopeless = _add_stated(statement, draft)
                if hopeless:
                    draft.warned.append(_never_kept(wish, hopeless, draft.scope))
                draft.choices += len(wish.states)
                _check_number(draft.choices, statement, draft.scope)
                found.append(wish)
    return tuple(found)


def _check_number(choices: int, statement: Prefer, scope: Scope) -> None:
    most = scope.budget.limits.options
    if choices > most:
        message = f"with this wish, the model has more than {most:,} choices, those that tell how it is broken included"
        raise EvalFault(Diagnostic("E420", message, statement.span))


# --- exactly, at least, at most ---


def _add_counted(statement: Prefer, draft: MatrixDraft, exclusions: AtMostOne) -> tuple[LoweredWish, list[int]]:
    """The wish, and which of its items can't be kept."""
    rule, scope = statement.rule, draft.scope
    assert isinstance(rule, Rule)
    own = draft.of(rule.families)
    items = rule_items(rule, own, draft)
    block = draft.begin(statement)
    sums = sums_of(items, own, draft, block)
    prices = _prices(statement.price, items, scope)
    states: list[WishState] = []
    hopeless: list[int] = []
    for at, (terms, want, price) in enumerate(zip(sums, items.wants, prices, strict=True)):
        check_size(terms, rule.span)
        reached = _sums([frozenset([terms[c] for c in group]) for group in exclusions.groups(terms)], statement, scope)
        offs = [_off(value, want) for value in reached]
        if not any(offs):
            block.item(NOTHING)
            continue
        if all(offs):
            hopeless.append(at)
        first = draft.choices + len(states)
        states += [WishState(at, off, abs(off) * price) for off in offs]
        states_sum = {first + k: -value for k, value in enumerate(reached)}
        place = block.item((1, 1))
        for number in states_sum:
            block.place(number, place)
        block.count(2 * len(states_sum))
        draft.sides.append(TotalDraft(items, at, {**terms, **states_sum}, ((0, 0),)))
    draft.add(block, items)
    return LoweredWish(statement, items, draft.choices, tuple(states)), hopeless


def _sums(groups: Iterable[frozenset[int]], statement: Prefer, scope: Scope) -> list[int]:
    """The sums, increasing, that numbers can have of which each group gives one at most. Groups of one number are taken
    together. Raises EvalFault E420 for too many sums, and E211 if they take too many steps."""
    found = {0}
    for group, times in Counter(groups).items():
        alone = len(group) == 1
        counts = [count * k for count in group for k in range(1, times + 1)] if alone else group
        for _ in range(1 if alone else times):
            scope.budget.step(len(found) * len(counts), statement.span)
            found |= {value + count for count in counts for value in found}
            if len(found) > MOST_STATES:
                message = f"what this wish adds up can have more than {MOST_STATES:,} values"
                raise EvalFault(Diagnostic("E420", message, statement.span, help="count in larger units"))
    return sorted(found)


def _off(value: int, want: Wanted) -> int:
    """How far a sum lies above (or, negative, below) the nearest number that is wanted; below counts where both are as
    near."""
    offs = [value - end for ends in want for end in ends if end is not None]
    if any((low is None or low <= value) and (high is None or value <= high) for low, high in want):
        return 0
    return min(offs, key=lambda off: (abs(off), off))


def _prices(price: Expr, items: RuleItems, scope: Scope) -> list[int]:
    """The price of each item of a rule."""
    plan = items.key_plan
    replaced = replace(price, plan.replacements())
    local = frozenset().union(*(view.local for view in items.views.values()))
    message = "{name} is not a key of this rule, and its price can only use keys"
    allow_only(plan.names, local, replaced, message, "name it after `per`")
    function = plan.within(scope).compile(replaced)
    used = free_names(replaced).intersection(plan.names)
    prices: list[int] = []
    for key in items.keys:
        try:
            prices.append(_price(function(dict(zip(plan.names, key, strict=True))), price))
        except EvalFault as fault:
            raise plan.met(fault, used, key) from None
    return prices


def _price(value: Any, price: Expr) -> int:
    if type(value) is not int:
        raise EvalFault(Diagnostic("E429", f"a price is a whole number, and this is {kind_of(value)}", price.span))
    if value < 0:
        help = "what is to be broken rather than kept is a wish for the opposite"
        raise EvalFault(Diagnostic("E429", f"a price can't be negative, and this is {value}", price.span, help=help))
    return value


# --- if … then ---


def _add_stated(statement: Prefer, draft: MatrixDraft) -> tuple[LoweredWish, list[int]]:
    """The wish, and for which of its bindings it can't be kept."""
    assert isinstance(statement.rule, Needs)
    names: list[str] = []
    source = StatedItems(statement.rule, names)
    block = draft.begin(statement)
    states: list[WishState] = []
    hopeless: list[int] = []
    said = NeedsResult([], [])
    for name, value, demands in wishes_of(statement.rule, statement.price, draft, said):
        cost = _price(value, statement.price)
        names.append(name)
        block.item(NOTHING)
        at = len(names) - 1
        if StatedDemand(frozenset(), frozenset()) in demands:
            hopeless.append(at)
        first = draft.choices + len(states)
        broken = range(first, first + len(demands))
        for number, demand in zip(broken, demands, strict=True):
            _is_broken(number, demand, source, at, block, draft)
        if len(demands) == 1:
            states.append(WishState(at, 1, cost))
            continue
        states += [WishState(at, 0, 0)] * len(demands)
        states.append(WishState(at, 1, cost))
        _is_any(broken.stop, broken, source, at, block, draft)
    draft.add(block, source)
    draft.warned += remarks(statement.rule, said, draft.families, wish=True)
    return LoweredWish(statement, source, draft.choices, tuple(states)), hopeless


def _never_kept(wish: LoweredWish, hopeless: Sequence[int], scope: Scope) -> Diagnostic:
    """A warning about the items of a wish that are broken whatever is taken."""
    more = f" (and {len(hopeless) - 1} more like it)" if len(hopeless) > 1 else ""
    return Diagnostic(
        "W218",
        f'nothing can keep "{wish.source.name(hopeless[0], scope)}"{more}',
        wish.statement.span,
        "its price is paid in every answer: does it say what is meant?",
    )


def _is_broken(
    number: int, demand: StatedDemand, source: StatedItems, at: int, block: Block, draft: MatrixDraft
) -> None:
    """Let a state be taken exactly if a demand is broken: its first choices are taken, and none of the second, and its
    sum is not what it wants."""
    all_of, one_of, terms, *_ = demand
    if terms:
        weights, want = broken_if(number, demand)
        check_size(weights, source.statement.span)
        block.count(len(weights))
        draft.sides.append(TotalDraft(source, at, weights, want))
        return
    yes, no = dict.fromkeys(sorted(all_of), 1), dict.fromkeys(sorted(one_of), 1)
    block.count(2 * (len(all_of) + len(one_of) + 1))
    minus = dict.fromkeys(all_of, -1)
    draft.sides.append(TotalDraft(source, at, {**no, **minus, number: 1}, ((1 - len(all_of), None),)))
    if yes:
        draft.sides.append(TotalDraft(source, at, {**yes, number: -len(yes)}, ((0, None),)))
    if no:
        draft.sides.append(TotalDraft(source, at, {**no, number: len(no)}, ((None, len(no)),)))


def _is_any(number: int, others: Sequence[int], source: StatedItems, at: int, block: Block, draft: MatrixDraft) -> None:
    """Let a state be taken exactly if one of the others is."""
    block.count(2 * (len(others) + 1))
    draft.sides.append(TotalDraft(source, at, {**dict.fromkeys(others, 1), number: -1}, ((0, None),)))
    draft.sides.append(TotalDraft(source, at, {**dict.fromkeys(others, 1), number: -len(others)}, ((None, 0),)))


def own_choices(total: int, draft: MatrixDraft) -> tuple[OwnChoices, ...]:
    """The choices of all wishes, which come after `total` others; none without a wish."""
    return (OwnChoices("prefer", total, range(draft.choices - total)),) if draft.choices > total else ()
