"""What totals, sets of numbers, `if … then`, `connected` and `loop` become: items where that is enough, else sides."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, product

import pytest

from covr.compiler.formats import FORMATS, FormatFault, Unwritable
from covr.compiler.formats.json_text import read_json, write_json
from covr.compiler.formats.linear import Linear
from covr.compiler.lower import areas
from covr.compiler.lower.as_python import closures_only
from covr.dsl.diagnostics import ModelErrors
from covr.engine import Circuit, Connection, Settings, Total, search
from covr.explain.why import explain
from tests.each import each
from tests.models import answers, compiled, fault
from tests.shared import calls_of, seeds
from tests.statements import HEAD, needs, random_model, total

SMALL = HEAD.replace("r in 1..2", "r in 1..1")
PER_PAIR = 20  # calls of Python functions; 57 where closures read each pair
THREE = "choose a(i) for i in 1..3 choose b(k) for k in 1..2\n"


# --- totals and sets of numbers ------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", ["exactly 2 {}a", "at least 1 {}a", "at most 1 {}a", "exactly 1..2 {}a per k in 1..2"])
def test_a_total_of_one_is_an_ordinary_item(rule: str) -> None:
    plain, weighed = compiled(THREE + rule.format("")), compiled(THREE + rule.format("total 1 of "))
    assert weighed.problem == plain.problem
    assert weighed.problem.is_pure


def test_a_total_is_a_side_with_a_coefficient_for_each_choice() -> None:
    c = compiled(THREE + 'exactly 3..4 total i of a or -k of b "sum"')
    assert c.problem.items == 0
    assert c.problem.sides == (Total(((0, 1), (1, 2), (2, 3), (3, -1), (4, -2)), ((3, 4),)),)
    assert c.problem.sides[0].name == "sum"


def test_choices_that_count_nothing_are_no_terms() -> None:
    (side,) = compiled(THREE + "exactly 3 total i - 1 of a").problem.sides
    assert side == Total(((1, 1), (2, 2)), ((3, 3),))


def test_a_family_that_is_named_twice_counts_both_weights() -> None:
    (side,) = compiled(THREE + "exactly 6 total i of a or 2 of a").problem.sides
    assert side == Total(((0, 3), (1, 4), (2, 5)), ((6, 6),))


def test_a_coefficient_may_depend_on_the_keys() -> None:
    """For each item the coefficient is the weight with the item's keys, whichever way a key is written."""
    lists = "let p = [[1, 0], [2, 5], [0, 3]]\n"
    sides = compiled(f"{THREE}{lists}exactly 3 total p[i][k] of a or k of b per k in 1..2").problem.sides
    assert [s.terms for s in sides if isinstance(s, Total)] == [((0, 1), (1, 2), (3, 1)), ((1, 5), (2, 3), (4, 2))]
    head = "values v in 1..2 choose a(i) for i in 1..3\n"
    for key in ("v", "v + 10", "(v, w) in {(1, 1), (2, 4)}"):
        weight = "i * (v + 10)" if key == "v + 10" else "i * v"
        factors = (11, 12) if key == "v + 10" else (1, 2)
        sides = compiled(f"{head}at most 3 total {weight} of a per {key}").problem.sides
        assert [s.terms for s in sides if isinstance(s, Total)] == [
            tuple((n, (n + 1) * factor) for n in range(3)) for factor in factors
        ], key


def test_a_coefficient_that_fails_says_for_which_choice_and_key() -> None:
    with pytest.raises(ModelErrors) as caught:
        compiled(THREE + "let p = [4]\nexactly 3 total p[i * j] of a per j in 1..2")
    (fault,) = caught.value.diagnostics
    assert fault.span is not None and fault.span.text == "p[i * j]"
    assert fault.notes == ("for the choice a(1)", "for j = 2")


def test_a_coefficient_speaks_of_keys_and_not_of_what_they_are_made_of() -> None:
    with pytest.raises(ModelErrors) as caught:
        compiled("values v in 1..2 choose a(i) for i in 1..3\nat most 3 total i * v of a per v mod 2")
    (fault,) = caught.value.diagnostics
    assert (fault.code, fault.message) == ("E414", "`v` is neither an index of `a` nor a key of this rule")


def test_sums_out_of_reach_are_cut_off() -> None:
    (side,) = compiled(THREE + "at most 4 total i of a").problem.sides
    assert isinstance(side, Total) and side.sums == ((0, 4),)
    (side,) = compiled(THREE + "exactly 99 total i of a").problem.sides
    assert isinstance(side, Total) and side.sums == ()
    assert compiled(THREE + "at most 6 total i of a").problem.is_pure


def test_numbers_of_a_set_that_touch_are_one_range() -> None:
    assert compiled(THREE + "exactly {1, 2} a").problem.is_pure
    (side,) = compiled(THREE + "exactly {0, 1, 3} a").problem.sides
    assert isinstance(side, Total) and side.sums == ((0, 1), (3, 3))


def test_a_set_may_use_the_keys_and_be_a_value() -> None:
    text = "let s = {0, 2} cells r in 1..2, c in 1..3 choose a(r, c)\n"
    assert len(answers(text + "exactly s a per r")) == 16
    assert len(answers(text + "exactly {0, r + 1} a per r")) == (1 + 3) * (1 + 1)


def test_a_total_without_a_label_is_named_after_its_statement() -> None:
    (side, _) = compiled(THREE + "exactly 9 total 2 * i of a per k in 1..2").problem.sides
    assert side.name == "exactly 9 total 2 * i of a for k = 1"


# --- if … then -----------------------------------------------------------------------------------------------


def test_a_choice_needs_one_of_those_after_then() -> None:
    c = compiled(THREE + 'if a(i) then b(1) or b(i - 1) where i < 3 "{i} needs help"')
    assert c.problem.sides == (Total(((0, -1), (3, 1)), ((0, 1),)), Total(((1, -1), (3, 1)), ((0, 1),)))
    assert [s.name for s in c.problem.sides] == ["1 needs help", "2 needs help"]


def test_all_makes_a_demand_for_each_choice_and_some_makes_one() -> None:
    sides = {
        how: compiled(f"{THREE}if b(1) then {how} a(i) for i in 1..3").problem.sides for how in ("", "some", "all")
    }
    assert sides[""] == sides["some"] == (Total(((0, 1), (1, 1), (2, 1), (3, -1)), ((0, 3),)),)
    assert sides["all"] == tuple(Total(((i, 1), (3, -1)), ((0, 1),)) for i in range(3))
    no, none = (compiled(f"{THREE}if b(1) then {how} a(i) for i in 1..3").problem for how in ("no", "not"))
    assert no == none and no.is_pure


def test_a_condition_before_then_is_cut_into_demands_of_one_form() -> None:
    (side,) = compiled(f"{THREE}if a(1) and a(2) and not b(1) then a(3)").problem.sides
    assert side == Total(((0, -1), (1, -1), (2, 1), (3, 1)), ((-1, 2),))
    sides = compiled(f"{THREE}if a(1) or a(2) then a(3)").problem.sides
    assert sides == (Total(((0, -1), (2, 1)), ((0, 1),)), Total(((1, -1), (2, 1)), ((0, 1),)))
    either = compiled(f"{THREE}if not a(1) then a(3)").problem
    assert (either.is_pure, either.items, list(either.low)) == (True, 1, [1])
    assert compiled(f"{THREE}if a(1) and a(2) then not a(3)").problem.is_pure


def test_both_directions_are_demanded() -> None:
    sides = compiled(f"{THREE}if and only if b(1) then some a(i) for i in 1..2").problem.sides
    assert sides == (
        Total(((0, 1), (1, 1), (3, -1)), ((0, 2),)),
        Total(((0, -1), (3, 1)), ((0, 1),)),
        Total(((1, -1), (3, 1)), ((0, 1),)),
    )


def test_all_of_what_does_not_exist_and_of_what_is_forbidden() -> None:
    """What does not exist is none of all; what is forbidden can't be taken, and so nothing that needs it can."""
    assert len(answers(f"{THREE}if b(1) then all a(i + 1) for i in 1..3")) == 16 + 2 * 2
    assert len(answers(f"{THREE}if b(1) then all a(i) for i in 1..3 forbid a(2)")) == 8
    assert len(answers(f"{THREE}if b(1) then all a(i + 9)")) == 32
    assert len(answers(f"{THREE}if and only if b(1) then all a(i + 9) where i = 1")) == 16
    assert len(answers(f"{THREE}if and only if b(1) then some a(i + 9) where i = 1")) == 16
    assert answers(f"{THREE}if not b(7) then a(9)") == []


TWO = """cells i, k, m in 1..{n}
choose a(i) choose b(k) choose c(i, k) where i != k
forbid a(2)
if {when} then {then}"""


@pytest.mark.parametrize("when", ["a(i) and b(k)", "a(i) and a(k)", "c(i, k) and b(k - 1)", "a(k) and b(1) and b(i)"])
@pytest.mark.parametrize("then", ["all", "some", "no", "not"])
def test_several_choices_before_then_are_read_at_once_as_by_closures(when: str, then: str) -> None:
    """Also where one of them, or one after `then`, is forbidden, does not exist, or is named twice."""
    for after in ("c(i, m) where m <= k", "a(m) for m in {i - 1, k}"):
        text = TWO.format(n=7, when=when, then=f"{then} {after}")
        with closures_only():
            slow = compiled(text)
        fast = compiled(text)
        assert fast.problem == slow.problem
        assert [side.name for side in fast.problem.sides] == [side.name for side in slow.problem.sides]


def test_many_pairs_before_then_are_not_visited_one_by_one() -> None:
    """What each pair of choices costs is its total."""

    def calls(n: int) -> int:
        return calls_of(lambda: compiled(TWO.format(n=n, when="a(i) and b(k)", then="all c(i, k)")))

    calls(8)  # what is made only once
    assert calls(24) - calls(12) <= PER_PAIR * (24**2 - 12**2)


def test_a_label_before_which_several_choices_stand_uses_names_alone() -> None:
    text = 'choose a(i) for i in 1..3 choose b(k) for k in 1..2\nif a({}) and b(1) then b(2) for j in 1..2 "{{{}}}"'
    assert [side.name for side in compiled(text.format("j", "j")).problem.sides] == ["1", "2"]
    with pytest.raises(ModelErrors) as caught:
        compiled(text.format("j", "i"))
    assert caught.value.diagnostics[0].code == "E414"


def test_a_choice_that_needs_what_is_not_there_is_never_taken_and_a_warning_says_so() -> None:
    c = compiled(THREE + "forbid b(2) if a(i) then b(i)")
    assert [(d.code, d.span.place[0]) for d in c.warnings if d.span and d.code == "W210"] == [("W210", 2)]
    assert c.problem.high == (0, 0)
    assert len(c.problem.sides) == 1


def test_a_choice_that_needs_itself_needs_nothing() -> None:
    assert compiled(THREE + "if a(i) then a(j) for j in 1..3").problem == compiled(THREE).problem


def test_a_count_after_then_is_one_total() -> None:
    """With one bound it gives way where the condition fails; with two, the condition adds more than all others can."""
    choices = "choose a() choose b(k) for k in 1..4\n"
    assert compiled(choices + "if a() then at least 2 b(k)").problem.sides == (
        Total(((0, -2), (1, 1), (2, 1), (3, 1), (4, 1)), ((0, 4),)),
    )
    assert compiled(choices + "if not a() then at most 3 b(k)").problem.sides == (
        Total(((0, -1), (1, 1), (2, 1), (3, 1), (4, 1)), ((-1, 3),)),
    )
    inner = Total(((0, 5), (1, 1), (2, 1), (3, 1), (4, 1)), ((0, 4), (7, 8)))
    assert compiled(choices + "if a() then exactly 2..3 b(k)").problem.sides == (inner,)
    both = Total(((0, 5), (1, 1), (2, 1), (3, 1), (4, 1)), ((0, 1), (4, 4), (7, 8)))
    assert compiled(choices + "if and only if a() then exactly 2..3 b(k)").problem.sides == (both,)


@pytest.mark.parametrize(
    ("count", "word"),
    [
        ("at least 1", "some b(k)"), ("exactly 1..4", "some b(k)"), ("exactly 0", "no b(k)"), ("at most 0", "no b(k)"),
        ("exactly 4", "all b(k)"), ("at least 4", "all b(k)"), ("exactly 5", "some b(9)"),
    ],
)  # fmt: skip
def test_a_count_that_a_word_can_say_makes_the_same_matrix(count: str, word: str) -> None:
    choices = "choose a() choose b(k) for k in 1..4\n"
    for begin in ("if a()", "if and only if not a()"):
        one, other = (compiled(f"{choices}{begin} then {said}").problem for said in (f"{count} b(k)", word))
        assert one == other


def test_both_directions_of_a_count_need_no_choice_of_their_own() -> None:
    """Two counts are two digits of one sum, so that models with many of them stay as small as they are."""
    text = "choose a() choose b(k) for k in 1..4 choose c(k) for k in 1..4\n"
    problem = compiled(text + "if and only if a() then exactly 2 b(k) and at most 1 c(k)").problem
    assert problem.options == 9 and len(problem.sides) == 3


def test_what_excludes_each_other_meets_in_an_item() -> None:
    c = compiled(THREE + "if a(i) then not b(i) or a(i + 1)")
    assert c.problem.is_pure
    assert c.problem.high == (1,) * 4
    assert [list(c.problem.holders[i]) for i in range(4)] == [[0, 1], [0, 3], [1, 2], [1, 4]]


def test_a_choice_that_excludes_itself_is_never_taken() -> None:
    text = "if a(i) then not a(j) for j in 1..3"
    c = compiled(THREE + text)
    assert c.problem.high == (0, 0, 0)
    assert any("excludes itself" in d.message for d in c.warnings)
    assert len(answers(THREE + text + " where i != j")) == 4 * 4


@pytest.mark.parametrize("order", ["(w, x, y) in related, e in 1..4", "e in 1..4, (w, x, y) in related"])
def test_a_pattern_on_both_sides_of_then_keeps_the_values_of_its_first_names(order: str) -> None:
    text = f"""
      cells q in 1..2
      values d in 1..4
      choose place(q, d)
      exactly one place per q
      let related = {{("far", 1, 2), ("grow", 1, 2)}}
      let clash(w, d, e) = if w = "far" then abs(d - e) < 2 else e <= d
      if place(x, d) then not place(y, e) for {order} where clash(w, d, e)
    """
    pairs = [(d, e) for d, e in product(range(1, 5), repeat=2) if abs(d - e) >= 2 and e > d]
    assert answers(text) == sorted([f"place(1, {d})", f"place(2, {e})"] for d, e in pairs)


def test_the_label_of_an_if_speaks_of_what_stands_before_then() -> None:
    found = fault(THREE + 'if a(1) then b(k) "{k}"')
    assert (found.code, found.message) == ("E414", "`k` has no value in this label")


# --- connected and loop --------------------------------------------------------------------------------------


def test_places_of_a_board_touch_their_neighbours() -> None:
    (side,) = compiled("cells r, c in 1..2 choose a(r, c) connected a at r, c").problem.sides
    assert side == Connection(((0, 0), (1, 1), (2, 2), (3, 3)), ((0, 1), (0, 2), (1, 3), (2, 3)))
    (side,) = compiled("cells r, c in 1..2 choose a(r, c) connected a at (r, c)").problem.sides
    assert isinstance(side, Connection) and len(side.edges) == 4


def test_places_of_a_graph_touch_along_its_pairs_in_either_order() -> None:
    text = 'let e = {{"x", "y"}, {"z", "y"}} choose a(t) for t in {"x", "y", "z"} connected a at t along e'
    (side,) = compiled(text).problem.sides
    assert side == Connection(((0, 0), (1, 1), (2, 2)), ((0, 1), (1, 2)))
    assert len(answers(text)) == 7


def test_one_choice_may_stand_at_many_places_and_each_key_has_its_piece() -> None:
    text = "cells x in 1..4 choose put(s) for s in {{1, 2}, {4}} "
    (side,) = compiled(text + "connected put at x where x in s").problem.sides
    assert side == Connection(((0, 0), (0, 1), (1, 3)), ((0, 1),))
    both = compiled("cells r, c in 1..3 choose a(r, c) connected a at c per r").problem.sides
    assert [len(s.places) for s in both if isinstance(s, Connection)] == [3, 3, 3]


def test_connections_over_most_of_a_board_share_its_edges_and_small_ones_have_their_own() -> None:
    text = "cells x in 1..6 choose put(k, s) for k in 1..3, s in {1..k + 3} connected put at x per k where x in s"
    sides = [s for s in compiled(text.replace("k + 3", "2 * k")).problem.sides if isinstance(s, Connection)]
    small, middle, large = (s.edges for s in sides)
    assert small == ((0, 1),)
    assert middle is large
    assert large == tuple((i, i + 1) for i in range(5))


BOARD = "cells r, c in 1..3 values k in 1..2\n"


@pytest.mark.parametrize(
    "text",
    [
        BOARD + "choose a(r, c, k) where r + c > k connected a at r, c per k",
        BOARD + "choose a(r, c, k) where r != c connected a at c, r per k",
        BOARD + "choose a(k, c, r) choose b(r, c) connected a or b at r, c",
        BOARD + "choose a(k, c, r) choose b(c, k, r) where r < 3 connected a or b at r, c per k",
        BOARD + "choose a(r, c, j) for j in r..3 connected a at r, c per j",
        BOARD + "choose a(r, j) for j in [3, 1, 3, 5] connected a at r per j",
        BOARD + "choose a(r, c, k) connected a at r, c per k, r",
        BOARD + "choose a(e, k) for e in {{(x, y), (y, x)} for x in 1..3, y in 1..3} where k = 1 "
        "connected a at e along {({(1, 2), (2, 1)}, {(1, 3), (3, 1)})} per k",
        BOARD + "choose a(r, c) given a(1, 1) exactly 0 a where r = c connected a at r, c",
    ],
)
def test_connections_of_indices_are_what_a_condition_that_always_holds_makes_of_them(text: str) -> None:
    direct, asked = (compiled(text + where) for where in ("", " where 1 = 1"))
    assert direct.problem == asked.problem
    assert [side.name for side in direct.problem.sides] == [
        side.name.replace(" where 1 = 1", "") for side in asked.problem.sides
    ]
    assert any(side.places for side in direct.problem.sides if isinstance(side, Connection))


def test_a_loop_joins_the_ends_of_each_choice() -> None:
    text = "choose d(e) for e in {{1, 2}, {2, 3}, {1, 3}, {3, 4}} loop d along e"
    (side,) = compiled(text).problem.sides
    assert side == Circuit(((0, 0, 1), (1, 0, 2), (2, 1, 2), (3, 2, 3)))
    assert answers(text) == [["d({1, 2})", "d({1, 3})", "d({2, 3})"]]


def test_a_choice_whose_ends_are_one_is_a_loop_by_itself() -> None:
    assert answers("choose d(i) for i in 1..2 loop d along (i, i)") == [["d(1)"], ["d(2)"]]


@each("seed", seeds(20))
def test_a_weight_that_is_an_index_counts_what_the_index_is(seed: int) -> None:
    rng = random.Random(seed)
    numbers = sorted(rng.sample(range(-4, 9), rng.randint(2, 6)))
    wanted = rng.randint(-3, 12)
    text = f"choose a(i) for i in {{{', '.join(map(str, numbers))}}} exactly {wanted} total i of a"
    every = [s for size in range(len(numbers) + 1) for s in combinations(numbers, size)]
    adding_up = [sorted(f"a({i})" for i in s) for s in every if sum(s) == wanted]
    assert sorted(map(sorted, answers(text))) == sorted(adding_up)


def test_a_weight_that_is_an_index_must_be_a_whole_number() -> None:
    assert fault('choose a(i) for i in [1, "x"] exactly 3 total i of a').code == "E418"


# --- faults --------------------------------------------------------------------------------------------------


STEPS = "choose s(e) for e in edges(box(2, 3)) loop s along e"


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ('exactly 3 total ("x") of a', "E418", "a total adds whole numbers, and this is text: \"x\""),
        ("exactly 3 total 2^61 * i of a", "E419", "what this total adds up is"),
        ("exactly 1 = 1 a", "E410", "how many choices a rule wants is a whole number, and this is"),
        ("exactly {1, true} a", "E410", "how many choices a rule wants is a whole number, and this is"),
        ("exactly [1] total i of a", "E410", "what a total is to be is a whole number, and this is a list"),
        ("exactly {-1} a", "E411", "a rule cannot want -1 choices"),
        ("at most {1, 2} total i of a", "E412", "a set of numbers goes with `exactly`, not with `at most`"),
        ("exactly {} a", "E413", "the set of numbers is empty"),
        ("exactly {k in 1..0 for k in 1..0} total i of a", "E413", "the set of numbers is empty"),
        ("connected a at {i}", "E423", "{1} is no place of a board, so that nothing says which places touch"),
        ("connected a at i along {(1, 2), (2, 9)}", "E426", "9 is an end in `along`, and no place of `at i`"),
        ("connected a at i along 1..3", "E425", "`along` names pairs of places, and 1 is a whole number"),
        ("connected a at i along {{1}}", "E425", "`along` names pairs of places, and {1} is a set of 1"),
        ("connected a at i along 3", "E209", "this is a whole number, not a set or list to walk"),
        ("if a(1) then exactly k b(k)", "E414", "`k` stands for the choices that are counted, so it has no value"),
        ("if a(1) then exactly -1 b(k)", "E411", "a rule cannot want -1 choices"),
        ("if a(1) then at most 1..2 b(k)", "E412", "a range goes with `exactly`, not with `at most`"),
        ("if a(1) then exactly 2..1 b(k)", "E413", "the range 2..1 is empty"),
        ("if a(1) then exactly {} b(k)", "E413", "the set of numbers is empty"),
        ('if a(i) then exactly "2" b(k)', "E410", "how many choices a rule wants is a whole number, and this is text"),
        ("if a(1) then exactly 2 total true of b(k)", "E418", "a total adds whole numbers, and this is true or false"),
        ("if a(1) then exactly 2 total 2^62 of b(k)", "E419", "what this total adds up is"),
        ("if a(1) then exactly 2 total k of b(k mod 2) for k in 1..3", "E418", "`b(1)` counts both 1 and 3 here"),
        ("if a(1) then b(k) and a(i) where i < k", "E414", "this part of the condition speaks of `i` and `k`"),
        ("if and only if a(1) then " + " and ".join(["exactly {1, 3, 5} total 9 of a(2) or 1 of b(k)"] * 12), "E419",
         "what stands after `then` can be so in too many ways"),
        ("if and only if a(1) then at least 1 total 9^15 of a(2) or 1 of b(k) and at least 2 total 9^15 of a(3)",
         "E419", "what stands after `then` can be so in too many ways"),
        ('all different i of a "{i}"', "E414", "`i` is not a key of this statement, and its label can only use keys"),
        ("choose c(x) for x in 1..130 all different p in 1..2 of c on x where p = x mod 2 + 1", "E419",
         "two of these things show too much"),
        ("loop a along i", "E424", "a choice of a loop joins two ends, and this is a whole number: 1"),
        ("loop a along (i, i, i)", "E424", "a choice of a loop joins two ends, and this is a tuple of 3: (1, 1, 1)"),
        ("path a along (i, i + 1) from 1 to 3 through {2}", "E448", "the places of a path are a list, and this is"),
        ("path a along (i, i + 1) from 1 to 3 through [2, 2]", "E448", "the path is to pass 2 twice"),
        ("path a along (i, i + 1) from 1 to 3 through [3]", "E448", "the path is to pass 3 where it begins or ends"),
        ("path a along (i, i + 1) from 1 to 3 through [9]", "E448", "the path is to pass 9 where no line ends"),
        ("path a along (i, i + 1) from 1 to 3 through [i]", "E414", "`i` is no key of this statement"),
        ("choose d(e) for e in edges(box(2, 3)) loop d along e crossing at {(1, 2), (7, 2)}", "E447",
         "no line ends at (7, 2), so that none cross"),
        ("choose d(e) for e in {{(1, 1, 1), x} for x in {(2, 1, 1), (1, 2, 1), (1, 1, 2)}} "
         "loops d along e crossing at {(1, 1, 1)}", "E447", "lines go on in 3 directions at (1, 1, 1), and two cross"),
        (f"{STEPS} exactly 2 places per stretch of s holding (3, 3)", "E434", "(3, 3) is no place of these stretches"),
        (f"{STEPS} exactly 2 places per stretch of s in box(1, 3) holding (2, 1)", "E434",
         "(2, 1) is no place of these stretches"),
        (f"{STEPS} exactly 2 places per stretch of s in e", "E414", "`e` is no key of this statement, and stretches"),
        (f"{STEPS} exactly 2 places per stretch of s in 3", "E209", "this is a whole number, not a set or list"),
        ("loops a along (i, 7) exactly 2 places per straight stretch of a", "E447",
         "a straight stretch may hold 1, and a line joins 1 and 7"),
        ("choose d(e) for e in edges(box(2, 3)) path d along e from (1, 1) to (2, 3) through [(1, 2)] "
         "crossing at {(1, 2)}", "E448", "the path is to pass (1, 2) where lines may cross"),
        ('connected a at i "{i}"', "E414", "`i` is no key of this statement, and its label can use keys only"),
    ],
)  # fmt: skip
def test_bad_input_is_one_clear_fault(text: str, code: str, message: str) -> None:
    found = fault(THREE + text)
    assert found.code == code
    assert found.message.startswith(message)


# --- what other programs are told ----------------------------------------------------------------------------


@each("seed", seeds(60))
def test_linear_rows_have_as_many_solutions_as_there_are_answers(seed: int) -> None:
    rng = random.Random(seed)
    made = [rng.choice([total, needs])(rng) for _ in range(2)]
    problem = compiled("\n".join([SMALL, *(text for text, _ in made)])).problem
    if not problem.options:
        return
    linear = Linear(problem)
    rows = list(linear.rows())
    if linear.variables > 12:
        return
    kept = 0
    for values in product((0, 1), repeat=linear.variables):
        sums = [(row, sum(f * values[v] for f, v in row.terms)) for row in rows]
        kept += all((r.low is None or r.low <= s) and (r.high is None or s <= r.high) for r, s in sums)
    assert kept == len(list(search(problem, settings=Settings(engine="reference"))))


@each("seed", seeds(30))
def test_json_holds_every_side(seed: int) -> None:
    problem = compiled(random_model(random.Random(seed)).text).problem
    again = read_json("".join(write_json(problem)))
    assert again == problem
    assert [s.name for s in again.sides] == [s.name for s in problem.sides]


def test_a_format_that_cannot_say_a_side_names_it() -> None:
    problem = compiled('choose a(i) for i in 1..3 connected a at i "one run"').problem
    for name in ("lp", "cnf", "dlx"):
        with pytest.raises(Unwritable, match=f'the format {name} has no words for the connection "one run"'):
            FORMATS[name].writer(problem)
    with pytest.raises(FormatFault, match="a total has a coefficient 0"):
        read_json('{"items": [], "options": [{}], "sides": [{"kind": "total", "terms": [[0, 0]], "sums": [[0, 0]]}]}')


def test_a_total_that_nothing_reaches_is_why_there_is_no_answer() -> None:
    found = compiled(THREE + 'exactly 99 total i of a "far"').impossible
    assert found is not None
    assert (found.code, found.message) == ("W203", 'nothing can satisfy "far"')
    assert found.help == "what its choices count adds up to 0 at least and 6 at most"
    assert compiled("choose d(i) for i in 1..3 where i > 3 loop d along (i, i)").impossible is not None


def test_why_names_the_sides_that_contradict_each_other() -> None:
    text = THREE + 'exactly 2 a\nexactly 6 total i of a "sum"\nif a(1) then b(1)\n'
    why = explain(compiled(text))
    assert why.verdict == "conflict"
    assert [m.name for m in why.members] == ["exactly 2 a", "sum"]
    assert [m.line for m in why.members] == [2, 3]
    forced = explain(compiled(THREE + 'exactly 1 a\nexactly 3 total i of a "sum"'), "a(1)")
    assert forced.verdict == "excluded"
    assert {m.name for m in forced.members} <= {"exactly 1 a", "sum"}


@pytest.mark.parametrize("crossing", [{(2, 2)}, {(2, 2), (1, 2)}, {(2, 1), (2, 2), (2, 3)}, set()])
@pytest.mark.parametrize("word", ["loop", "loops"])
def test_lines_cross_straight_on(word: str, crossing: set[tuple[int, int]]) -> None:
    """Every set of the lines on a board of 3 x 3 is followed from line to line, straight on where they cross."""
    board = list(product((1, 2, 3), repeat=2))
    lines = [(a, b) for a, b in combinations(board, 2) if abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1]
    wanted = 0
    for taken in product((False, True), repeat=len(lines)):
        ends: dict[object, list[int]] = {}
        for k, (a, b) in enumerate(lines):
            for x in (a, b) if taken[k] else ():
                ends.setdefault((x, a[0] == b[0]) if x in crossing else x, []).append(k)
        if all(len(met) == 2 for met in ends.values()):
            left, loops = {k for k, on in enumerate(taken) if on}, 0
            while left:
                todo, loops = [left.pop()], loops + 1
                while todo:
                    k = todo.pop()
                    near = {other for met in ends.values() if k in met for other in met} & left
                    left -= near
                    todo += near
            wanted += word == "loops" or loops == 1
    said = "{" + ", ".join(map(str, sorted(crossing))) + "}"
    text = f"choose draw(e) for e in edges(box(3, 3)) {word} draw along e crossing at {said}"
    assert len(answers(text)) == wanted


def test_a_board_is_divided_once_for_all_rules_about_its_areas(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    divided = areas._divided
    monkeypatch.setattr(areas, "_divided", lambda *args: made.append(args) or divided(*args))
    rules = [f"at most {k} dot per area by wall at x" for k in (2, 3, 4)]
    text = "let b = box(2, 2) cells x in b choose dot(x) choose wall(e) for e in edges(b) divide b by wall along e "
    assert compiled(text + " ".join(rules)).problem.sides
    assert len(made) == 1


@pytest.mark.parametrize("straight", [False, True])
@pytest.mark.parametrize("most", [1, 2, 3])
def test_each_way_over_a_crossing_is_a_stretch_of_its_own(straight: bool, most: int) -> None:
    """All loops on a board of 3 x 3 whose lines may cross in the middle, with their pieces within some squares."""
    board = list(product((1, 2, 3), repeat=2))
    lines = [(a, b) for a, b in combinations(board, 2) if abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1]
    within = {(1, 2), (2, 2), (3, 2), (2, 1), (3, 3)}
    wanted = 0
    for taken in product((False, True), repeat=len(lines)):
        drawn = [line for line, on in zip(lines, taken, strict=True) if on]
        met = Counter((x, a[0] == b[0] and x == (2, 2)) for a, b in drawn for x in (a, b))
        if any(count != 2 for count in met.values()):
            continue
        squares = {(x, a[0] == b[0] if straight or x == (2, 2) else None) for a, b in drawn for x in (a, b)}
        piece = {x: {x} for x in squares if x[0] in within}
        for a, b in drawn:
            ends = [(x, a[0] == b[0] if straight or x == (2, 2) else None) for x in (a, b)]
            if all(x in piece for x in ends):
                both = piece[ends[0]] | piece[ends[1]]
                piece.update(dict.fromkeys(both, both))
        wanted += all(len(part) <= most for part in piece.values())
    said = "{" + ", ".join(map(str, sorted(within))) + "}"
    text = "choose draw(e) for e in edges(box(3, 3)) loops draw along e crossing at {(2, 2)} "
    text += f"at most {most} places per {'straight ' * straight}stretch of draw in {said}"
    assert len(answers(text)) == wanted
