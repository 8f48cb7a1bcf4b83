"""What expressions mean, and which messages those without a meaning get."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covr.compiler.evaluate import CompileLimits
from covr.compiler.evaluate.bind import rebind
from covr.dsl import parse
from covr.dsl.diagnostics import Source
from covr.dsl.syntax import Let
from tests.compiler.evaluation import faults, scope, shown, told, value

MEANINGS = [
    ("2 + 3 * 4 ^ 2", "50"),
    ("-7 div 2", "-4"),
    ("-7 mod 2", "1"),
    ("7 mod -2", "-1"),
    ("0 ^ 0", "1"),
    ("-1 ^ 3", "-1"),
    ('"ab" + "c"', "abc"),
    ("[1] + [2, 3]", "[1, 2, 3]"),
    ("{1, 2} | {2, 3}", "{1, 2, 3}"),
    ("(1..5) & (3..9)", "3..5"),
    ("(1..5) - {2, 3}", "{1, 4, 5}"),
    ("{1, 2} * {3, 4}", "{(1, 3), (1, 4), (2, 3), (2, 4)}"),
    ("1 = true", "false"),
    ("(1, 2) = [1, 2]", "false"),
    ("1..3 = {3, 2, 1}", "true"),
    ('size({1, true, "1", (1,), [1], {1}})', "6"),
    ("1 < 2 < 3 <= 3 != 4", "true"),
    ("(1, 2) < (1, 3)", "true"),
    ("[1, 2] < [1, 2, 3]", "true"),
    ("{1} < {1, 2}", "true"),
    ("{1, 2} <= {1, 3}", "false"),
    ('"b" in "abc"', "true"),
    ("2 in [1, 2]", "true"),
    ("(1, 2) not in {(1, 2)}", "false"),
    ("2 in (1, 2)", "true"),
    ("if 1 = 1 then 2 else 1 div 0", "2"),
    ("1 = 2 and 1 div 0 = 1", "false"),
    ("1 = 1 or 1 div 0 = 1", "true"),
    ("[x * x for x in 1..4 where x != 2]", "[1, 9, 16]"),
    ("{(i, j) for i in 1..3, j in 1..i where i != j}", "{(2, 1), (3, 1), (3, 2)}"),
    ("[a + b for (a, b) in [(1, 2), (3, 4)]]", "[3, 7]"),
    ('[c for c in "abc"]', "[a, b, c]"),
    ("[10, 20][2]", "20"),
    ("(10, 20)[1]", "10"),
    ('"abc"[3]', "c"),
    ("{3, 1, 2}", "{1, 2, 3}"),
    ("()", "()"),
    ("(1,)", "(1,)"),
    ("4..1", "{}"),
    ("one", "1"),
    ("position(20, [10, 20, 20])", "2"),
    ("position(1, (true, 1))", "2"),
    ('position("b", {"c", "b", "a"})', "2"),
    ("position(7, 5..10 ^ 9)", "3"),
    ('position("bc", "abc")', "2"),
    ('position((1, 3), grid(1, 3, "5.7"))', "2"),
    ('[position(x, ["u", "v"]) for x in "vu"]', "[2, 1]"),
]


@pytest.mark.parametrize(("expression", "meaning"), MEANINGS)
def test_expressions_have_their_meaning(expression: str, meaning: str) -> None:
    assert shown(expression) == meaning


FAULTS = [
    ('"a" + 1', 'E201 at ""a" + 1": `+` wants two whole numbers, two texts or two lists, not text and a whole number'),
    ("{1} + {2}", 'E201 at "{1} + {2}": `+` wants two whole numbers, two texts or two lists, not a set and a set'),
    ("1 - [1]", 'E201 at "1 - [1]": `-` wants two whole numbers or two sets, not a whole number and a list'),
    ("true * 2", 'E201 at "true * 2": `*` wants two whole numbers or two sets, not true or false and a whole number'),
    ('-"a"', 'E201 at "-"a"": `-` wants a whole number, not text'),
    ('1 < "a"', 'E201 at "1 < "a"": `<` wants values of one kind, not a whole number and text'),
    ('(1, 2) < (1, "a")', 'E201 at "(1, 2) < (1, "a")": `<` wants values of one kind, not a whole number and text'),
    ("true < false", 'E201 at "true < false": `<` does not apply to true or false'),
    ("1 in 2", 'E201 at "1 in 2": `in` wants a set, list, tuple, grid or text on its right, not a whole number'),
    ('1 in "1"', 'E201 at "1 in "1"": only text can be in text, not a whole number'),
    ('1.."9"', 'E201 at "1.."9"": `..` wants two whole numbers, not a whole number and text'),
    ("if 1 then 2 else 3", 'E202 at "1": `if` wants true or false, not a whole number'),
    ("not 3", 'E202 at "3": `not` wants true or false, not a whole number'),
    ("1 = 1 and 5", 'E202 at "5": `and` wants true or false, not a whole number'),
    ("{x for x in 1..2 where x}", 'E202 at "x": this condition wants true or false, not a whole number'),
    ("1 div 0", 'E203 at "1 div 0": `div` by zero'),
    ("{1 mod (x - 1) for x in 1..2}", 'E203 at "1 mod (x - 1)": `mod` by zero'),
    ("2 ^ -1", 'E203 at "2 ^ -1": `^` wants an exponent of 0 or more, not -1'),
    ("[1, 2][3]", 'E204 at "[1, 2][3]": there is no position 3 in a list of 2'),
    ("[1, 2][0]", 'E204 at "[1, 2][0]": there is no position 0 in a list of 2'),
    ('[1]["a"]', 'E201 at "[1]["a"]": a position in a list is a whole number, not text'),
    ("{1}[1]", 'E201 at "{1}[1]": a set cannot be looked up by `[…]`'),
    ("1 .name", 'E205 at "1 .name": only a record has fields, and this is a whole number'),
    ("max({})", 'E206 at "{}": `max` of nothing'),
    ('min(1, "a")', 'E201 at "1": `min` wants values of one kind, not a whole number and text'),
    ("abs((1, 2))", 'E206 at "(1, 2)": what `abs` takes is a whole number, not a tuple'),
    ('sum(["a"])', 'E206 at "["a"]": what `sum` adds is a whole number, not text'),
    ("size(5)", 'E206 at "5": a whole number has no size'),
    ("subsets(1..3, -1)", 'E206 at "-1": how many are taken is 0 or more, not -1'),
    ("sorted(3)", 'E206 at "3": `sorted` wants a set or list, not a whole number'),
    ("position(3, [1, 2])", 'E206 at "3": 3 stands nowhere in this list'),
    ("position(5, 1..4)", 'E206 at "5": 5 stands nowhere in this set'),
    ("position(true, 1..4)", 'E206 at "true": true stands nowhere in this set'),
    ('position(1, "1")', 'E206 at "1": 1 stands nowhere in this text'),
    ("position(1, 1)", 'E206 at "1": `position` wants a set or list, not a whole number'),
    ("[a for (a, b) in 1..2]", 'E207 at "(a, b)": this wants tuples of 2, and 1 is a whole number'),
    ("[a for (a, b) in {(1, 2, 3)}]", 'E207 at "(a, b)": this wants tuples of 2, and (1, 2, 3) is a tuple of 3'),
    ("[x for x in 3]", 'E209 at "3": this is a whole number, not a set or list to walk'),
    ('placements("A", box(2, 2))', 'E206 at ""A"": this wants a piece or a set of cells, not text'),
    ("placements({1}, box(2, 2))", 'E206 at "{1}": a cell is (row, column) or (layer, row, column), and 1 is neither'),
    ("placements({(1, 1, 1)}, box(2, 2))", 'E206 at "box(2, 2)": the piece is in space and the area in the plane'),
    (
        'orientations({(1, 1)}, "any")',
        'E206 at ""any"": how a piece may lie is `fixed`, `onesided` or `free`, not "any"',
    ),
    ("shape(3)", 'E206 at "3": this wants a piece or a set of cells, not a whole number'),
    ('shape({(1, 1)}, "any")', 'E206 at ""any"": how a piece may lie is `fixed`, `onesided` or `free`, not "any"'),
    ("symmetries({})", 'E206 at "{}": an empty area has no symmetries'),
    ('file("x")', 'E333 at ""x"": `file` has no folder to look in, since m.cover is no file'),
]


@pytest.mark.parametrize(("expression", "message"), FAULTS)
def test_expressions_without_a_meaning_are_explained(expression: str, message: str) -> None:
    assert told(lambda: value(expression)) == [message]


LIMITS = [
    ("9 ^ 9 ^ 9", "E212"),
    ("2 ^ 9000 * 2 ^ 9000", "E212"),
    ("subsets(1..100, 50)", "E210"),
    ("subsets(1..10 ^ 9, 2)", "E210"),
    ("tuples(1..10, 20)", "E210"),
    ("tuples({1}, 10 ^ 9)", "E210"),
    ("permutations(1..1000)", "E210"),
    ("box(10 ^ 6, 10 ^ 6)", "E210"),
    ("(1..10 ^ 5) * (1..10 ^ 5)", "E210"),
    ("(1..10 ^ 9) | {0}", "E210"),
    ("sorted(1..10 ^ 12)", "E210"),
    ("[x for x in 1..10 ^ 9]", "E211"),
    ("max({x for x in 1..10 ^ 12})", "E211"),
]


@pytest.mark.parametrize(("expression", "code"), LIMITS)
def test_limits_stop_at_once(expression: str, code: str) -> None:
    assert [d.code for d in faults(lambda: value(expression))] == [code]


RECURSION = [
    ("let f(n) = f(n + 1)\nlet it = f(1)", "E214"),
    ("let f(n) = if n < 2 then n else f(n - 1) + f(n - 2)\nlet it = f(60)", "E211"),
    ("let f(x, n) = if n = 0 then x else f((x, x), n - 1)\nlet it = {f(1, 100)}", "E217"),
    ("let f(x, n) = if n = 0 then x else f([x], n - 1)\nlet it = {f(1, 500)}", "E217"),
    ('let f(x, n) = if n = 0 then x else f(x + x, n - 1)\nlet it = f("ab", 500)', "E213"),
    ("let f(x, n) = if n = 0 then x else f(x + x, n - 1)\nlet it = f([1], 500)", "E210"),
    ("let f(x, n) = if n = 0 then x else f(x * x, n - 1)\nlet it = f(3, 500)", "E212"),
]


@pytest.mark.parametrize(("text", "code"), RECURSION)
def test_endless_recursion_is_stopped(text: str, code: str) -> None:
    assert [d.code for d in faults(lambda: scope(text, limits=CompileLimits(values=200_000, steps=200_000)))] == [code]


def test_recursion_may_go_deep() -> None:
    text = "let f(n) = if n = 0 then 0 else n + f(n - 1)\nlet it = f(1000)"
    assert scope(text).value("it") == 500500


@pytest.mark.parametrize("body", ["[x for x in [f(n - 1)]]", "(n, f(n - 1))", "if f(n - 1) = 1 then 1 else 2"])
def test_deep_recursion_of_any_shape_ends_in_a_fault(body: str) -> None:
    text = f"let f(n) = {body}\nlet it = f(1)"
    assert [d.code for d in faults(lambda: scope(text))] == ["E214"]


def test_a_fault_in_a_function_says_which_call_led_there() -> None:
    text = "let half(n) = 6 div n\nlet both(n) = half(n) + 1\nlet it = both(0)"
    (fault,) = faults(lambda: scope(text))
    assert fault.span is not None and fault.span.text == "6 div n"
    assert fault.notes == (
        "in `half(n)`, called at m.cover:2:15",
        "in `both(0)`, called at m.cover:3:10",
    )


def test_what_follows_from_a_fault_is_not_told() -> None:
    assert told(lambda: scope("let a = 1 div 0\nlet b = a + 1\nlet c = {1}[1]")) == [
        'E203 at "1 div 0": `div` by zero',
        'E201 at "{1}[1]": a set cannot be looked up by `[…]`',
    ]


def test_local_names_hide_global_ones() -> None:
    assert shown("[x for x in 1..2, x in {x + 10}]") == "[11, 12]"
    bound = scope("let x = 5\nlet f(x) = x * 2\nlet it = (f(3), x, [x for x in 1..2])")
    assert bound.value("it") == (6, 5, bound.value("it")[2])  # type: ignore[index]


@given(st.integers(-50, 50), st.integers(-50, 50))
def test_div_and_mod_round_down(a: int, b: int) -> None:
    if b == 0:
        return
    x, y = scope(f"let it = ({a} div {b}, {a} mod {b})").value("it")  # type: ignore[misc]
    assert x * b + y == a
    assert 0 <= y < b or b < y <= 0


def test_values_and_functions_have_names_apart() -> None:
    assert scope("param box = 3\nlet it = size(box(box, box))").value("it") == 9


def test_depends_goes_through_functions_and_values() -> None:
    bound = scope("param n = 3\nparam m = 4\nlet f(i) = i + n\nlet a = f(1)\nlet b = a * 2")
    assert bound.depends("b") == {"a", "f", "n"}
    assert bound.depends("m") == frozenset()
    (let,) = parse(Source("t", "let it = b + x")).statements
    assert isinstance(let, Let)
    assert bound.depends(let.value) == {"b", "a", "f", "n"}


def test_rebinding_changes_what_depends_on_it() -> None:
    bound = scope("param n = 3\nlet a = n + 1\nlet b = {1, 2}")
    other = rebind(bound, {"n": 10})
    assert other.value("a") == 11
    assert other.value("b") is bound.value("b")
    assert bound.value("a") == 4
