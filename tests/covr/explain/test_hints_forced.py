"""Each reason of a hint forces its step: by clingo, told the conditions of the reason and what is known alone.

The encoding is written anew here and shares nothing with the search for steps."""

from __future__ import annotations

from itertools import islice

import pytest
from attrs import evolve

import covr
from covr.engine import Problem
from covr.engine.problem import Areas, Circuit, Connection, Total
from covr.engine.proofs.decide import ChainLink
from covr.engine.proofs.way import Reason, WayStep
from covr.explain.because import ahead_text, ahead_with_helpers
from covr.explain.hints import HintRun
from covr.explain.why_text import helpers
from covr.questions.options import Options

clingo = pytest.importorskip("clingo", reason="clingo is not installed")

pytestmark = pytest.mark.long

QUICK = ("masyu", "hitori", "hashi")
PART = 3  # without `--slow` every third step of a puzzle is held to clingo: they are alike, and each costs ten calls
SLOW = (
    "akari", "creek", "dominosa", "heyawake", "kakuro", "lits", "minesweeper", "nonogram", "numberlink", "nurikabe",
    "shikaku", "slitherlink", "suguru", "tents", "yajilin",
)  # fmt: skip


@pytest.mark.parametrize("name", [*QUICK, *(pytest.param(name, marks=pytest.mark.slow) for name in SLOW)])
def test_every_reason_forces_its_step(name: str, slow: bool) -> None:
    path = covr.load(name).hints()
    assert path.whole and path.hints
    problem = path.compiled.problem
    for hint in path.hints if slow else path.hints[::PART]:
        for reason in hint.step.reasons:
            assert reason.taken or reason.out
            assert not possible(problem, hint.step, reason, fails=True), (hint.number, reason)
            assert possible(problem, hint.step, reason, fails=False), (hint.number, reason)


COLUMN = """
cells r, c in 1..3
choose track(r, c)
exactly one track per r "row {r}"
exactly one track per c "column {c}"
given track(1, 1)
given track(2, 2)
show "#" of track at r, c
"""


@pytest.mark.parametrize(
    "name", ["column", "sudoku", *QUICK, *(pytest.param(name, marks=pytest.mark.slow) for name in SLOW)]
)
def test_every_step_follows_from_the_rules_that_it_names(name: str, slow: bool) -> None:
    """With what is taken, and with what steps before ruled out. What taken choices leave no room for is not known
    without the rule by which they do."""
    model = covr.loads(COLUMN) if name == "column" else covr.load(name)
    path = model.hints()
    assert path.whole and path.hints
    problem = path.compiled.problem
    told: set[int] = set()
    full = 0
    for hint in path:
        told_now = frozenset(told)
        told.update(o for reason in hint.step.reasons for o in reason.out)
        if not slow and name != "column" and hint.number % PART:
            continue
        known = evolve(hint.step, before_out=told_now)
        for reason, because in zip(hint.step.reasons, hint.reasons, strict=True):
            named = tuple(sorted({*reason.conditions, *because.full_items}))
            assert not possible(problem, known, evolve(reason, conditions=named), fails=True), (hint.number, reason)
            full += len(because.full)
            for at in range(len(because.full)) if name == "column" else ():
                fewer = tuple(c for c in named if c != because.full_items[at])
                assert possible(problem, known, evolve(reason, conditions=fewer), fails=True)
    assert full
    if name == "column":
        assert "where others are ruled out by" in str(path)


@pytest.mark.parametrize(
    "name", ["nurikabe", *(pytest.param(name, marks=pytest.mark.slow) for name in (*QUICK, *SLOW))]
)
def test_every_part_of_a_look_ahead_is_forced(name: str) -> None:
    """By its rule alone, with what is known, what is supposed, and the parts before it; and in the end a rule fails."""
    run = HintRun(covr.load(name).compiled)
    problem = run.compiled.problem
    looks = 0
    for move in run.moves():
        ahead = move.reasons[0].ahead
        if ahead is None:
            continue
        looks += 1
        chain, taken, out = ahead.chain, set(move.step.before_taken), set(move.step.before_out)
        (taken if chain.taken else out).add(chain.option)
        for link in (*chain.links, ChainLink(chain.broken, (), ())):
            known = evolve(move.step, before_taken=frozenset(taken), before_out=frozenset(out))
            reason = Reason((link.condition,), link.taken, link.out)
            if link.condition == chain.broken and not link.taken and not link.out:
                assert not possible(problem, known, reason, fails=False), (move.number, link)
            else:
                assert not possible(problem, known, reason, fails=True), (move.number, link)
            taken.update(link.taken)
            out.update(link.out)
    assert looks or name != "nurikabe"


@pytest.mark.parametrize("name", ["nurikabe", pytest.param("heyawake", marks=pytest.mark.slow), "cave"])
def test_what_is_told_of_a_look_ahead_is_all_that_it_says_of_choices_that_are_drawn(name: str) -> None:
    """In its order, by rules of the reason alone, each of which is told if it has a label and something rests on it."""
    run = HintRun(covr.load(name).compiled, Options(limit_time=20.0))
    quiet = helpers(run.compiled)
    looks = 0
    for move in islice(run.moves(), 12):
        (because,) = move.reasons
        if because.ahead is None:
            continue
        looks += 1
        told = ahead_text(run.compiled, because.ahead)
        said = [c for part in told.parts for c in part.taken + part.out]
        links = [c for part in because.ahead.parts for c in part.taken + part.out]
        assert said == [c for c in links if c.number not in quiet]
        rules = {*because.rules, *because.before}
        assert all(part.rules and rules.issuperset(part.rules) for part in told.parts)
        assert told.broken and rules.issuperset(told.broken)
        plain = ahead_with_helpers(run.compiled, because.ahead)
        assert set(plain.parts) <= set(because.ahead.parts) and set(plain.facts) <= set(because.ahead.facts)
    assert looks


def test_the_oracle_tells_a_step_that_is_not_forced() -> None:
    """Of a reason without one of its conditions, with another conclusion, or without what is known."""
    path = covr.load("masyu").hints()
    problem = path.compiled.problem
    weakened = 0
    for hint in path.hints[::PART]:
        for reason in hint.step.reasons:
            turned = Reason(reason.conditions, reason.out, reason.taken)
            assert possible(problem, hint.step, turned, fails=True)
            if len(reason.conditions) == 2 and hint.proved:
                for c in reason.conditions:
                    weakened += 1
                    assert possible(problem, hint.step, Reason((c,), reason.taken, reason.out), fails=True)
    assert weakened


def possible(problem: Problem, step: WayStep, reason: Reason, fails: bool) -> bool:
    """Whether what is known and the conditions of a reason can hold where some conclusion fails, or where none does."""
    wrong = [f"not t({o})" for o in reason.taken] + [f"t({o})" for o in reason.out]
    lines = [
        f"{{t(0..{problem.options - 1})}}.",
        *(f":- not t({o})." for o in step.before_taken),
        *(f":- t({o})." for o in step.before_out),
        *(f"wrong :- {each}." for each in wrong),
        ":- not wrong." if fails else ":- wrong.",
    ]
    for c in reason.conditions:
        lines += _item(problem, c) if c < problem.items else _side(problem.sides[c - problem.items], c)
    control = clingo.Control(["--warn=none"])
    control.add("base", [], "\n".join(lines))
    control.ground([("base", [])])
    return bool(control.solve().satisfiable)


def _item(problem: Problem, i: int) -> list[str]:
    held = [(o, colour) for o in problem.holders[i] for at, colour in zip(
        problem.option(o), problem.option_colours(o), strict=True) if at == i]  # fmt: skip
    if any(colour for _, colour in held):
        return [
            f":- t({a}), t({b})."
            for n, (a, x) in enumerate(held) for b, y in held[:n] if not x or x != y
        ]  # fmt: skip
    return [
        f":- not {problem.low[i]} <= #count {{{'; '.join(f'{o} : t({o})' for o, _ in held)}}} <= {problem.high[i]}."
    ]


def _areas(side: Areas, c: int) -> list[str]:
    lines = [f"met({c},{v}) :- t({o})." for o, v in side.places] + [f"met({c},{v})." for v in side.always]
    for o, u, v in side.cuts:
        lines += [f"cut({c},{u},{v}) :- t({o}). cut({c},{v},{u}) :- t({o}).", f":- t({o}), one({c},{u},{v})."]
    for u, v in side.edges:
        lines += [
            f"open({c},{a},{b}) :- met({c},{a}), met({c},{b}), not cut({c},{a},{b})." for a, b in ((u, v), (v, u))
        ]
    lines += [f"one({c},V,V) :- met({c},V).", f"one({c},U,W) :- one({c},U,V), open({c},V,W)."]
    for k, demand in enumerate(side.demands):
        if demand.anchors is None:
            lines += [f"of({c},{k},U,V) :- one({c},U,V).", f"asked({c},{k},U) :- met({c},U)."]
        else:
            lines += [f"of({c},{k},0,V) :- one({c},{v},V). asked({c},{k},0) :- met({c},{v})." for v in demand.anchors]
            lines += [] if demand.waived else [f"asked({c},{k},0)."]
        held = "; ".join(f"{w},{o},{v} : t({o}), of({c},{k},U,{v})" for o, v, w in demand.terms)
        for low, high in demand.sums:
            lines += [f"fits({c},{k},U) :- asked({c},{k},U), {low} <= #sum {{{held}}} <= {high}."]
        lines += [f":- asked({c},{k},U), not fits({c},{k},U)."]
    return lines


def _side(side: Total | Connection | Circuit | Areas, c: int) -> list[str]:
    if isinstance(side, Areas):
        return _areas(side, c)
    if isinstance(side, Total):
        total = f"#sum {{{'; '.join(f'{n},{o} : t({o})' for o, n in side.terms)}}}"
        allowed = [f"fits({c}) :- {low} <= {total} <= {high}." for low, high in side.sums]
        return [*allowed, f":- not fits({c})."]
    if isinstance(side, Connection):
        lines = [f"at({c},{v}) :- t({o})." for o, v in side.places]
        lines += [f"edge({c},{u},{v}). edge({c},{v},{u})." for u, v in side.edges]
    else:
        lines = [f"at({c},{w}) :- t({o})." for o, u, v in side.ends for w in {u, v}]
        lines += [f"edge({c},{u},{v}) :- t({o}). edge({c},{v},{u}) :- t({o})." for o, u, v in side.ends]
        lines += [f"end({c},{u},{o},1). end({c},{v},{o},2)." for o, u, v in side.ends]
        lines += [f":- at({c},V), #count {{O,K : end({c},V,O,K), t(O)}} != 2.", f":- not at({c},_)."]
    return [
        *lines,
        f"{{root({c},V) : at({c},V)}} = 1 :- at({c},_).",
        f"met({c},V) :- root({c},V).",
        f"met({c},V) :- met({c},U), edge({c},U,V), at({c},V).",
        f":- at({c},V), not met({c},V).",
    ]
