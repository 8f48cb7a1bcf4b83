"""What `covr why` says of a reason: rules with labels, once each; it is a reason with those that it leaves out."""

from __future__ import annotations

import re
from functools import cache
from itertools import combinations
from random import Random

import pytest

import covr
from covr.engine import Problem
from covr.explain.hints import HintRun
from covr.explain.why import Inquiry
from covr.explain.why_text import Why, lined, unsaid
from covr.explain.why_text import shown_of as said
from covr.questions.options import Options
from tests.constants import Constants

WRONG_ROOM = """
  1..2..
  ..1...
  2..3..
  ......
  ..11..
  ....1.
"""


@cache
def wrong_room() -> Why:
    return covr.load("heyawake", clue=WRONG_ROOM).why()


def test_rules_without_a_label_are_left_out_of_the_words_alone() -> None:
    why = wrong_room()
    assert why.verdict == "conflict" and why.minimal
    assert [m.name for m in why.told][:1] == ["room f has 3 shaded"]
    assert all("exactly" not in m.name and "if" not in m.name for m in why.told)
    hidden = len(unsaid(why.compiled, why.members))
    said_once = sum(m.name == "no shaded squares touch" for m in why.members)
    assert hidden == len(why.members) - len(why.told) - (said_once - 1) > 5
    assert said_once > 1
    lines = str(why).splitlines()
    apart = lines.index(f"  with {hidden} rules without a label:")
    (listed,) = [line for line in lines[apart + 1 :] if line.startswith("    ")]
    assert re.fullmatch(
        rf"    exactly one shade or keep for .*, and {hidden - 1} more like it   heyawake.cover:33", listed
    )
    assert f"these {len(why.told)} contradict each other" in str(why)


def test_a_long_label_widens_no_other_line() -> None:
    long = "a label that says " + "more and more " * 10 + "of it all"
    text = f"""
        choose put(r) for r in 1..3
        choose left(r) for r in 1..3
        if put(1) then left(2)          "if one, then two"
        if left(2) then not put(3)      "{long}"
        given put(1)
        given put(3)
    """
    lines = str(covr.loads(text).why()).splitlines()
    assert "  if one, then two   <text>:4" in lines
    assert f"  {long}   <text>:5" in lines


def test_a_move_of_many_choices_names_a_few() -> None:
    model = covr.loads('choose put(r) for r in 1..100\nexactly one put "one"\nat most 4 total r of put "small"\n')
    hint = model.hints().hints[0]
    assert len(hint.reasons[0].out) == 96
    assert "rule out put(5), put(6), put(7), put(8), and 92 more" in str(hint)
    (move, *_) = HintRun(model.compiled).moves()
    assert "rule out put(5), put(6), put(7), put(8), and 92 more" in str(move)


def test_a_wrong_clue_is_among_those_that_can_go() -> None:
    """Without the rule of one of these clues there is an answer; tried by leaving the clue out."""
    assert "room f has 3 shaded" in [m.name for m in wrong_room().cures]
    assert covr.load("heyawake", clue=WRONG_ROOM.replace("3", ".")).solve() is not None


def test_the_same_label_is_said_once_with_its_places() -> None:
    text = """
        cells r, c in 1..3
        choose put(r, c)
        at most one put per r  "one in a row"
        exactly 4 put          "four in all"
    """
    why = covr.loads(text).why()
    if why.verdict == "conflict":
        (rows,) = [m for m in why.told if "row" in m.name]
        assert rows.name == "one in a row (r = 1; r = 2; r = 3)"
    assert {m.name for m in said(why.compiled, why.members)} == {m.name for m in why.told}


def test_where_nothing_has_a_label_all_is_said() -> None:
    text = "cells x in 1..3\nchoose a(x)\nchoose b(x)\nexactly one a or b per x\nexactly 2 a\nexactly 2 b\n"
    why = covr.loads(text).why()
    assert set(why.told) == set(why.members) and not unsaid(why.compiled, why.members)


def test_reasons_are_told_while_shorter_ones_are_looked_for(constants: Constants) -> None:
    constants("covr.explain.why", SECOND=0)
    told: list[Why] = []
    model = covr.load("heyawake", clue=WRONG_ROOM)
    why = Inquiry(model.compiled, Options(), found=told.append).explain()
    assert told and all(one.verdict == why.verdict for one in told)
    assert told[-1].members == why.members
    ended = [one for one in told if one.minimal]
    assert [len(one.told) for one in ended] == sorted((len(one.told) for one in ended), reverse=True)


def drawn(random: Random) -> str:
    """A model of few choices, in which some rules have a label."""
    lines = ["cells x in 1..5", "choose a(x)", "choose b(x)"]
    for k in range(random.randint(3, 6)):
        few = ", ".join(map(str, sorted(random.sample(range(1, 6), random.randint(1, 4)))))
        label = random.choice(["", f'  "rule {k}"', '  "the same"'])
        want = random.choice(["exactly one", "at most one", "at least 2", "exactly 2", "exactly 3"])
        lines.append(
            f"{want} {random.choice(['a', 'b', 'a or b'])} per i in 1..1 where x in {{{few}}} and i = 1{label}"
        )
    lines.append("exactly one a or b per x" + random.choice(["", '  "{x} has one"', '  "each has one"']))
    return "\n".join(lines)


def contradictory(problem: Problem, constraints: set[int]) -> bool:
    """Whether no set of options keeps these items' bounds; all sets are tried."""
    for many in range(problem.options + 1):
        for taken in combinations(range(problem.options), many):
            held = [sum(o in problem.holders[i] for o in taken) for i in range(problem.items)]
            if all(problem.low[i] <= held[i] <= problem.high[i] for i in constraints):
                return False
    return True


@pytest.mark.parametrize("seed", range(4))
def test_what_is_said_and_left_out_is_a_minimal_reason(seed: int) -> None:
    """By brute force over all sets of choices."""
    random = Random(seed)
    met = 0
    while met < 3:
        model = covr.loads(drawn(random))
        inquiry = Inquiry(model.compiled, Options())
        why = inquiry.explain()
        if why.verdict != "conflict" or model.problem.sides:
            continue
        met += 1
        names = [inquiry.member(i) for i in range(model.problem.items)]
        items = {names.index(m) for m in why.members}
        assert why.minimal and len(items) == len(why.members)
        assert contradictory(model.problem, items)
        assert all(not contradictory(model.problem, items - {i}) for i in items)
        lines = lined(model.compiled, why.members)
        assert len(lines) <= len(why.told) <= len(why.members)
        assert len(unsaid(model.compiled, why.members)) + len(why.told) <= len(why.members)
