"""What a rule means: its items, their bounds and names, and which choices belong to them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covr.compiler.evaluate.expressions import conjuncts, free_names
from covr.dsl.diagnostics import ModelErrors
from covr.dsl.syntax import Rule
from covr.engine import search
from tests.compiler.lowering import naive_members, truth
from tests.models import answers, compiled, fault, model_of, scope_of
from tests.shared import of_oracle

pytestmark = pytest.mark.long


def items(text: str) -> dict[str, tuple[int, int, list[str]]]:
    """Item name → bounds and the names of the options in it."""
    problem = compiled(text).problem
    found: dict[str, tuple[int, int, list[str]]] = {
        problem.item_names[i]: (problem.low[i], problem.high[i], []) for i in range(problem.items)
    }
    for o in range(problem.options):
        for i in problem.option(o):
            found[problem.item_names[i]][2].append(problem.option_names[o])
    return found


# --- the four forms of a key -------------------------------------------------------------------------------


def test_an_index_has_an_item_for_every_member_of_its_set() -> None:
    assert items('cells r, c in 1..2 choose a(r, c) where r = 1 exactly one a per r "row {r}"') == {
        "row 1": (1, 1, ["a(1, 1)", "a(1, 2)"]),
        "row 2": (1, 1, []),
    }


def test_a_declared_name_that_is_no_index_has_an_item_for_every_member() -> None:
    text = 'cells x in 1..3 choose a(s) for s in {{1}, {1, 2}} exactly one a per x where x in s "x{x}"'
    assert items(text) == {
        "x1": (1, 1, ["a({1})", "a({1, 2})"]),
        "x2": (1, 1, ["a({1, 2})"]),
        "x3": (1, 1, []),
    }


def test_indices_bound_together_range_together() -> None:
    text = 'cells (r, c) in {(1, 1), (2, 2)} choose a(r, c) exactly one a per r, c "{r}{c}"'
    assert list(items(text)) == ["11", "22"]


def test_an_index_whose_set_depends_on_another_ranges_over_every_value_it_can_take() -> None:
    text = 'choose a(k, i) for k in 1..3, i in 1..k exactly one a per i "{i}"'
    assert {n: len(options) for n, (_, _, options) in items(text).items()} == {"1": 3, "2": 2, "3": 1}


def test_a_set_that_does_not_use_the_choice_has_an_item_for_every_member() -> None:
    text = 'choose a(i) for i in 1..2 exactly one a per x in 1..3 where x = i or x = i + 1 "{x}"'
    assert {n: options for n, (_, _, options) in items(text).items()} == {
        "1": ["a(1)"],
        "2": ["a(1)", "a(2)"],
        "3": ["a(2)"],
    }


def test_a_set_that_uses_the_choice_is_reached_at_each_member() -> None:
    text = 'choose a(s) for s in {{1, 2}, {2, 5}} exactly one a per x in s "{x}"'
    assert {n: len(options) for n, (_, _, options) in items(text).items()} == {"1": 1, "2": 2, "5": 1}


def test_any_other_expression_groups_choices_by_its_value() -> None:
    text = 'cells r, c in 1..2 choose a(r, c) at most one a per r + c "{r + c}"'
    assert {n: options for n, (_, _, options) in items(text).items()} == {
        "2": ["a(1, 1)"],
        "3": ["a(1, 2)", "a(2, 1)"],
        "4": ["a(2, 2)"],
    }


def test_values_of_a_key_are_those_of_choices_as_declared_before_any_is_removed() -> None:
    narrowed = 'cells r in 1..3 choose a(r) {} exactly one a per r mod 2 {} "{{r mod 2}}"'
    everything = {"0", "1"}
    assert set(items(narrowed.format("where r != 2", ""))) == everything
    assert set(items(narrowed.format("", "where r < 2"))) == everything
    assert set(items(narrowed.format("forbid a(2)", ""))) == everything
    assert answers("cells r in 1..3 choose a(r) where r != 2 exactly one a per r mod 2") == []


def test_a_computed_key_that_fails_where_there_is_no_choice_is_no_fault() -> None:
    text = 'choose a(i, j) for i in 1..2, j in 1..2 where i != j exactly one a per 2 div (i - j) "{2 div (i - j)}"'
    assert set(items(text)) == {"-2", "2"}


def test_a_computed_key_that_fails_for_a_choice_names_it() -> None:
    found = fault("choose a(i) for i in 0..1 exactly one a per 2 div i")
    code, message, notes = found.code, found.message, found.notes
    assert (code[:2], notes) == ("E2", ("for the choice a(0)",)), message


def test_a_rule_without_per_is_one_item() -> None:
    assert items('choose a(i) for i in 1..3 exactly 2 a "two"') == {"two": (2, 2, ["a(1)", "a(2)", "a(3)"])}


def test_independent_computed_keys_range_independently() -> None:
    text = "cells r, c in 1..4 values d in 1..2 choose a(r, c, d) exactly one a per r div 3, c div 3, d"
    assert len(items(text)) == 8


def test_keys_that_hang_together_range_together() -> None:
    text = "choose a(p, s) for p in 1..2, s in subsets(1..3, p) exactly one a per p, size(s)"
    assert len(items(text)) == 2


# --- conditions --------------------------------------------------------------------------------------------


def test_parts_of_a_condition_that_mention_only_keys_narrow_the_items() -> None:
    text = 'cells r, c in 1..2 choose a(r, c) exactly one a per r where r != 1 and c = 2 "{r}"'
    assert items(text) == {"2": (1, 1, ["a(2, 2)"])}


def test_a_computed_key_in_a_condition_is_the_key() -> None:
    text = 'cells r in 1..4 choose a(r) exactly one a per r div 2 where r div 2 > 0 "{r div 2}"'
    assert list(items(text)) == ["1", "2"]


def test_a_computed_key_may_stand_beside_other_indices() -> None:
    assert items("cells r, c in 1..3\nchoose f(r, c)\nexactly one f per r + c where r + c < 3 * r and r + c != 5") == {
        "exactly one f for r + c = 2": (1, 1, ["f(1, 1)"]),
        "exactly one f for r + c = 3": (1, 1, ["f(2, 1)"]),
        "exactly one f for r + c = 4": (1, 1, ["f(2, 2)", "f(3, 1)"]),
        "exactly one f for r + c = 6": (1, 1, ["f(3, 3)"]),
    }
    assert items("cells r in 1..3\nchoose f(r)\nexactly one f per r + 1, x in 1..3 where r + 1 < x and x < 4") == {
        "exactly one f for r + 1 = 2, x = 3": (1, 1, ["f(1)"]),
    }


def test_a_condition_on_choices_keeps_the_item() -> None:
    text = 'cells r, c in 1..2 choose a(r, c) exactly one a per r where c = 1 or r = 1 and c = 2 "{r}"'
    assert {n: len(o) for n, (_, _, o) in items(text).items()} == {"1": 2, "2": 1}


def test_an_item_nobody_can_reach_means_no_answer_and_says_which() -> None:
    c = compiled('cells x in 1..3 choose a(s) for s in {{1}} exactly one a per x where x in s "x{x}"')
    assert list(search(c.problem)) == []
    assert c.impossible is not None
    assert (c.impossible.code, c.impossible.message) == ("W203", 'nothing can satisfy "x2"')
    assert c.impossible.help == "0 choices reach it (and 1 more item like it)"


# --- quantities --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("head", "bounds"),
    [
        ("exactly one", (1, 1)),
        ("exactly 2", (2, 2)),
        ("exactly 1..2", (1, 2)),
        ("at least one", (1, 3)),
        ("at least 2", (2, 3)),
        ("at most one", (0, 1)),
        ("at most 1 + 1", (0, 2)),
        ("exactly 0", (0, 0)),
        ("exactly 0..2", (0, 2)),
    ],
)
def test_a_rule_gives_its_item_bounds(head: str, bounds: tuple[int, int]) -> None:
    (item,) = items(f'choose a(i) for i in 1..3 {head} a "it"').values()
    assert item[:2] == bounds


def test_a_quantity_may_use_the_keys() -> None:
    text = 'param want = list """\n3 1\n"""\ncells r, c in 1..2 choose a(r, c) at most want[r] a per r "{r}"'
    assert {n: high for n, (_, high, _) in items(text).items()} == {"1": 3, "2": 1}


def test_at_least_nothing_asks_nothing() -> None:
    assert items("choose a(i) for i in 1..3 at least 0 a") == {}


@pytest.mark.parametrize(
    ("head", "message"),
    [
        ("exactly -1", "a rule cannot want -1 choices"),
        ("exactly 3..2", "the range 3..2 is empty"),
        ("at most 1..2", "a range goes with `exactly`, not with `at most`"),
        ('exactly "two"', "how many choices a rule wants is a whole number, and this is text"),
    ],
)
def test_wrong_quantities_are_explained(head: str, message: str) -> None:
    assert fault(f"choose a(i) for i in 1..3 {head} a").message == message


# --- several families --------------------------------------------------------------------------------------


def test_a_rule_may_count_two_families() -> None:
    text = 'cells r in 1..2 choose a(r) choose b(r) exactly one a or b per r "{r}"'
    assert items(text) == {"1": (1, 1, ["a(1)", "b(1)"]), "2": (1, 1, ["a(2)", "b(2)"])}


def test_a_condition_on_an_index_of_one_family_narrows_that_family() -> None:
    families = "cells x in 1..2 choose put(s) for s in {{1, 2}} choose hole(x) "
    text = families + 'exactly one put or hole per x where x in s "{x}"'
    assert items(text) == {"1": (1, 1, ["put({1, 2})", "hole(1)"]), "2": (1, 1, ["put({1, 2})", "hole(2)"])}


def test_a_condition_no_family_understands_is_a_fault() -> None:
    found = fault("cells r, c in 1..2 choose a(r) exactly one a per r where c = 1")
    code, message = found.code, found.message
    assert (code, message) == ("E414", "`c` is neither an index of `a` nor a key of this rule")


@pytest.mark.parametrize(
    ("rule", "name", "what"),
    [
        ('exactly one a "x {i}"', "i", "label"),
        ('exactly one a or b "x {j}"', "j", "label"),
        ("exactly 1..i a", "i", "quantity"),
        ('exactly one a per z + i "x {z}"', "z", "label"),
        ('exactly one a per x in {i} "x {i}"', "i", "label"),
    ],
)
def test_a_label_and_a_quantity_speak_of_keys_only(rule: str, name: str, what: str) -> None:
    families = "cells z in 1..2 choose a(i) for i in 1..2 choose b(j) for j in 1..2 "
    found = fault(families + rule)
    code, message = found.code, found.message
    assert (code, message) == ("E414", f"`{name}` is not a key of this rule, and its {what} can only use keys")


# --- given, forbid, agree, goals ---------------------------------------------------------------------------


def test_forbidden_choices_are_no_options() -> None:
    c = compiled("cells r, c in 1..3 choose a(r, c) forbid a where r = c forbid a(1, 2) forbid a(3, c) where c < 2")
    assert [str(c.choice(o)) for o in range(c.problem.options)] == ["a(1, 3)", "a(2, 1)", "a(2, 3)", "a(3, 2)"]


def test_names_that_a_given_does_not_bind_range_over_their_sets() -> None:
    c = compiled("cells r in 1..3 choose a(r) given a(r) where r > 1")
    assert [c.problem.option_names[o] for o in c.problem.given] == ["a(2)", "a(3)"]


def test_a_label_of_a_given_speaks_of_the_choice() -> None:
    c = compiled('cells r in 1..3 choose a(r) given a(2) "row {r}" given a(k) for k in {3} "{k}, {r}"')
    assert [g.name for g in c.givens] == ["row 2", "3, 3"]
    assert fault('cells r, z in 1..3 choose a(r) given a(2) "{z}"').code == "E414"


def test_a_forbid_may_mention_a_declared_name_that_is_no_index() -> None:
    c = compiled("cells z in 2..3 choose a(i) for i in 1..3 forbid a where z = i")
    assert list(c.problem.option_names) == ["a(1)"]


def test_a_label_of_an_agree_speaks_of_no_index() -> None:
    assert fault('choose a(i) for i in 1..2 agree a on i = 1 "edge {i}"').code == "E414"
    assert fault('choose a(i) for i in 1..2 agree a on k = i for k in 1..2 "edge {k}"').code == "E414"


def test_a_given_that_is_no_choice_is_a_fault() -> None:
    found = fault("cells r in 1..3 choose a(r) given a(4)")
    code, message, notes = found.code, found.message, found.notes
    assert (code, message) == ("E401", "a(4) is given, but there is no such choice")
    assert notes == ("`r` is 4, which no choice of `a` has",)


def test_a_given_that_is_forbidden_is_a_fault() -> None:
    assert fault("cells r in 1..3 choose a(r) given a(1) forbid a(1)").code == "E402"


def test_choices_that_touch_one_key_agree_on_its_colour() -> None:
    text = 'choose a(i, k) for i in 1..2, k in ["x", "y"] exactly one a per i agree a on i div 3 = k'
    assert answers(text) == [["a(1, x)", "a(2, x)"], ["a(1, y)", "a(2, y)"]]


def test_a_choice_that_shows_two_colours_at_one_key_cannot_be_taken() -> None:
    assert answers("choose a(i) for i in 1..2 agree a on 1 = 1, 1 = i") == [[], ["a(1)"]]


WORDS = 'let w = ["ab", "ba"] choose a(i) for i in 1..2 choose d(i) for i in 1..2 exactly one a exactly one d '


def test_families_of_one_agree_meet_and_those_of_two_do_not() -> None:
    pairs = "a on 1 = w[i][1], d on 1 = w[i][1]"
    text = WORDS.replace('["ab", "ba"]', '[["x", "y"], ["y", "x"]]')
    assert answers(f"{text} agree {pairs}") == [["a(1)", "d(1)"], ["a(2)", "d(2)"]]
    assert len(answers(f"{text} agree a on 1 = w[i][1] agree d on 1 = w[i][1]")) == 4


def test_every_pair_belongs_to_the_family_named_last() -> None:
    text = "choose a(i) for i in 1..2 choose b(j) for j in 1..2 exactly one a exactly one b "
    assert answers(text + "agree a on 1 = i, 2 = 3 - i, b on 1 = j, 2 = 3 - j") == [["a(1)", "b(1)"], ["a(2)", "b(2)"]]
    assert answers(text + "agree a on 1 = i, b on 2 = j, a on 2 = i") == [["a(1)", "b(1)"], ["a(2)", "b(2)"]]


def test_a_condition_of_an_agree_may_concern_one_family() -> None:
    text = (
        "choose a(i) for i in 1..2 choose b(j) for j in 1..2 exactly one a exactly one b agree a on 1 = i, b on 1 = j"
    )
    assert len(answers(text + " where i = 1")) == 3
    assert len(answers(text + " where i = 1 and j = 2")) == 3
    assert fault(text + " where i = j").code == "E414"


def test_an_agree_is_named_after_its_families_and_its_key() -> None:
    c = compiled(
        "choose a(i) for i in 1..2 choose b(j) for j in 1..2 agree a on (i, 1) = 1, b on (1, j) = 2, a on 7 = 1"
    )
    assert c.problem.item_names[0] == "agree a, b on (1, 1)"


def test_answers_by_names_the_options_that_tell_answers_apart() -> None:
    text = "choose a(i) for i in 1..3 choose b(j) for j in 1..2 choose c() forbid a(2) "
    assert compiled(text).problem.projection is None
    assert compiled(text + "answers by b, a").problem.projection == (0, 1, 2, 3)
    assert compiled(text + "answers by c forbid c").problem.projection == ()
    assert fault(text + "answers by a up to a(i) -> a(4 - i)").code == "E427"


def test_a_given_that_shows_two_colours_is_a_fault() -> None:
    text = "choose a(i) for i in 1..2 choose b(i) for i in 1..2 agree a on 1 = i, b on 1 = 1, 1 = i given b(2)"
    assert fault(text).code == "E402"


def test_goals_add_up_and_maximize_is_the_other_way_round() -> None:
    text = "choose a(i) for i in 1..3 choose b(i) for i in 1..3 maximize i of a where i > 1, count of b"
    c = compiled(text)
    assert [-x for x in c.problem.costs] == [0, 2, 3, 1, 1, 1]
    assert c.objective(range(6)) == 8


def test_duplicate_choices_are_one_and_count_once() -> None:
    text = 'choose a(x) for x in [1, 1, 2], y in 1..2 exactly one a per z in {x, x} "{z}"'
    assert items(text) == {"1": (1, 1, ["a(1)"]), "2": (1, 1, ["a(2)"])}


def test_answers_are_sets_of_choices_and_nothing_is_assumed() -> None:
    rooks = "cells r, c in 1..3 choose rook(r, c) at most one rook per r at most one rook per c"
    assert len(answers(rooks)) == 34


def test_a_clue_that_is_no_choice_is_shown_where_it_stands() -> None:
    text = '''cells r, c in 1..2 values d in 1..2
        choose a(r, c, d)
        param clue = grid """
          1 .
          . 7
        """
        given a(r, c, clue[r, c]) for (r, c) in clue'''
    with pytest.raises(ModelErrors) as caught:
        compiled(text)
    (d,) = caught.value.diagnostics
    assert d.span is not None
    assert (d.code, d.span.text, d.span.place) == ("E401", "7", (5, 13))
    assert d.notes[0] == "`d` is 7, which no choice of `a` has"


# --- the law: the lowering is what the definition says, literally ------------------------------------------

conditions = st.sampled_from(
    [
        "i = r",
        "i <= r",
        "i = r or i = c",
        "r - c = i",
        "i <= r <= i + 1",
        "i in {r, c}",
        "r < c",
        "i != 2",
        "i + 1 = r and c != 2",
        "i = r or i = 1",
        "r = c",
        "r + c = i + j",
        "j = i",
        "j in {r, c} and i = 1",
    ]
)


@settings(max_examples=of_oracle(150), deadline=None)
@given(
    keys=st.lists(st.sampled_from(["r", "c", "i", "j"]), min_size=1, max_size=3, unique=True),
    parts=st.lists(conditions, max_size=2),
)
def test_a_rule_is_lowered_as_the_definition_says(keys: list[str], parts: list[str]) -> None:
    used = set(" ".join(parts)) & {"i", "j"}
    keys += [k for k in sorted(used) if k not in keys]
    where = f" where {' and '.join(f'({p})' for p in parts)}" if parts else ""
    label = " ".join("{" + k + "}" for k in keys)
    text = f'cells r, c in 1..3 cells i, j in 0..3 choose a(r, c) exactly one a per {", ".join(keys)}{where} "{label}"'
    model = model_of(text)
    (rule,) = model.all(Rule)
    assert isinstance(rule, Rule)
    expected = naive_members(model, rule, keys)
    found: dict[str, Any] = {n: set(options) for n, (_, _, options) in items(text).items()}
    scope = scope_of(text)
    narrowing = [p for p in conjuncts(rule.where) if free_names(p) <= set(keys)]
    wanted = {
        " ".join(map(str, key)): {f"a{args}" for args in members}
        for key, members in expected.items()
        if all(truth(scope, p, dict(zip(keys, key, strict=True))) for p in narrowing)
    }
    assert found == wanted
