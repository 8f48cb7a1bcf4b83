"""Values from outside: the command line and Python."""

from __future__ import annotations

import pytest

from covr.compiler import CompileLimits, compile_model
from covr.compiler.evaluate import FromText
from covr.compiler.evaluate.values import FALSE, TRUE, Map, Record, Seq, Set, show_value
from covr.dsl import ModelErrors, load_model
from covr.dsl.diagnostics import Source
from tests.compiler.evaluation import faults, scope, told

PARAMS = '''
param n = 4 where n > 0 and n < 100
param rim = "a"
param area = {(1, 1), (1, 2)}
param sizes = [1, 2]
param on = true
param clue = grid(2, 2) """
  1.
  .2
"""
param rows = table("name", "items…") """
  a 1 2
"""
let twice = 2 * n
'''

TEXTS = [
    ("n", "7", "7"),
    ("n", " 2 * 3 ", "6"),
    ("n", "if 1 < 2 then 3 else 4", "3"),
    ("rim", "b c", "b c"),
    ("rim", '"b"', "b"),
    ("area", "box(1, 3)", "{(1, 1), (1, 2), (1, 3)}"),
    ("area", "1..3", "1..3"),
    ("sizes", "[x * x for x in 1..3]", "[1, 4, 9]"),
    ("on", "false", "false"),
    ("clue", "12\n34\n", "{(1, 1): 1, (1, 2): 2, (2, 1): 3, (2, 2): 4}"),
    ("clue", "1..4", "{(1, 1): 1, (2, 2): 4}"),
    ("rows", "b 3\nc", "[b, c]"),
]


@pytest.mark.parametrize(("name", "text", "meaning"), TEXTS)
def test_text_from_the_command_line_has_its_meaning(name: str, text: str, meaning: str) -> None:
    assert show_value(scope(PARAMS, {name: FromText(text)}).value(name)) == meaning


PYTHON = [
    ("n", 7, 7),
    ("rim", "b", "b"),
    ("area", {(1, 1)}, Set([(1, 1)])),
    ("area", range(1, 4), Set([1, 2, 3])),
    ("area", frozenset(), Set()),
    ("sizes", [1, [2], (3,)], Seq([1, Seq([2]), (3,)])),
    ("on", False, FALSE),
    ("on", True, TRUE),
    ("clue", "1..4", Map({(1, 1): 1, (2, 2): 4})),
    ("clue", {(1, 1): 3}, Map({(1, 1): 3})),
    ("clue", [[1, None], [".", 4]], Map({(1, 1): 1, (2, 2): 4})),
    ("rows", [{"name": "b", "items": [1]}], Seq([Record(("name", "items"), ("b", Seq([1])))])),
    ("rows", "b 1", Seq([Record(("name", "items"), ("b", Seq([1])))])),
]


@pytest.mark.parametrize(("name", "given", "meaning"), PYTHON)
def test_values_of_python_become_values_of_params(name: str, given: object, meaning: object) -> None:
    assert scope(PARAMS, {name: given}).value(name) == meaning


def test_definitions_see_what_is_given() -> None:
    assert scope(PARAMS, {"n": 10}).value("twice") == 20


def test_data_that_has_been_read_already() -> None:
    (fault,) = faults(lambda: scope(PARAMS, {"clue": Source("puzzles.txt", "12\n345\n")}))
    assert fault.span is not None
    assert (fault.code, fault.span.source.name, fault.span.place) == ("E302", "puzzles.txt", (2, 3))


FAULTS: list[tuple[str, object, str]] = [
    ("m", 1, "E320: this model has no param `m`"),
    ("twice", 1, "E320: this model has no param `twice`"),
    ("n", FromText("0"), 'E321 at "n > 0 and n < 100": `n` is 0, and `n > 0 and n < 100` does not hold'),
    ("n", 100, 'E321 at "n > 0 and n < 100": `n` is 100, and `n > 0 and n < 100` does not hold'),
    ("n", FromText('"a"'), 'E322 at ""a"": `n` wants a whole number, and is given text'),
    ("n", FromText("1..3"), 'E322 at "1..3": `n` wants a whole number, and is given a set'),
    ("n", FromText("four"), 'E323 at "four": `four` means nothing here'),
    ("n", FromText("1 div 0"), 'E203 at "1 div 0": `div` by zero'),
    ("n", FromText("2 param x = 3"), 'E323 at "2 param x = 3": this is not one value'),
    ("n", FromText(""), 'E323 at "": this is not one value'),
    ("n", FromText("@no/such"), "E330: `n`: there is no file `no/such`"),
    ("n", "7", 'E322 at "4": `n` wants a whole number, and is given text'),
    ("n", True, 'E322 at "4": `n` wants a whole number, and is given true or false'),
    ("n", 1.5, "E324: `n`: a Python `float` is not a value of the language"),
    ("n", None, "E324: `n`: a Python `NoneType` is not a value of the language"),
    ("clue", FromText("12\n3"), 'E302 at "3": row 2 has 1 place, and 2 are wanted'),
    ("clue", FromText("123"), 'E302 at "123": this line has 3 places, and a grid of 2 rows of 2 has 4'),
    ("clue", 5, "E322 at …: `clue` wants what `grid` reads, and is given a whole number"),
    ("rows", {1}, "E322 at …: `rows` wants what `table` reads, and is given a set"),
]


@pytest.mark.parametrize(("name", "given", "message"), FAULTS)
def test_wrong_values_of_params_are_explained(name: str, given: object, message: str) -> None:
    (found,) = told(lambda: scope(PARAMS, {name: given}))
    begin, _, end = message.partition("…")
    assert found.startswith(begin) and found.endswith(end) and (end or found == message)


def test_names_from_the_command_line_are_known_by_their_param() -> None:
    (fault,) = faults(lambda: scope(PARAMS, {"n": FromText("  2 + four")}))
    assert fault.span is not None
    assert (fault.span.source.name, fault.span.source.text) == ("-D n", "  2 + four")


def test_unknown_params_are_met_with_a_guess() -> None:
    (fault,) = faults(lambda: scope(PARAMS, {"clues": 1}))
    assert fault.help == "did you mean `clue`?"


def test_a_failed_assert_shows_its_own_message() -> None:
    text = 'param h = 4\nassert h * 5 = 60 "h is {h}, and h times 5 must be 60"\nassert h in 1..9\nassert h > 4'
    assert told(lambda: scope(text)) == [
        'E220 at "h * 5 = 60": h is 4, and h times 5 must be 60',
        'E220 at "h > 4": `h > 4` does not hold',
    ]
    assert told(lambda: scope(text, {"h": 5})) == ['E220 at "h * 5 = 60": h is 5, and h times 5 must be 60']


def test_every_fault_is_told_in_order() -> None:
    assert [d.code for d in faults(lambda: scope(PARAMS + "\nassert 1 = 2", {"n": 0, "clue": FromText("1")}))] == [
        "E302", "E321", "E220",
    ]  # fmt: skip


def test_what_is_used_up_is_told_of_once() -> None:
    text = "choose f(i) for i in 1..3\n" + "assert size({i for i in 1..1000}) = 1000\n" * 50
    with pytest.raises(ModelErrors) as caught:
        compile_model(load_model(Source("x", text), lambda path, source: None), limits=CompileLimits(values=20_000))
    assert [d.code for d in caught.value.diagnostics] == ["E210"]


def test_looking_at_choices_again_and_again_is_counted() -> None:
    text = "choose f(i) for i in 1..1000\n" + "forbid f where i > 3\n" * 50 + "exactly one f"
    with pytest.raises(ModelErrors) as caught:
        compile_model(load_model(Source("x", text), lambda path, source: None), limits=CompileLimits(steps=100_000))
    assert [d.code for d in caught.value.diagnostics] == ["E211"]


def test_too_many_entries_are_met_before_they_are_built() -> None:
    text = "choose f(i) for i in 1..1000\nexactly one f per x in 1..900 where x != i"
    with pytest.raises(ModelErrors) as caught:
        compile_model(load_model(Source("x", text), lambda path, source: None), limits=CompileLimits(entries=5_000))
    assert [d.code for d in caught.value.diagnostics] == ["E422"]


def test_the_collector_is_left_as_it_was() -> None:
    import gc

    from covr.dsl.parser import gc_paused

    assert gc.isenabled()
    with pytest.raises(ValueError), gc_paused(), gc_paused():
        assert not gc.isenabled()
        raise ValueError
    assert gc.isenabled()


@pytest.mark.parametrize("statement", ["given f(r, c) for (r, n) in {(1, 1)}", "forbid f(r, c) for n in 1..2"])
def test_a_for_may_not_hide_what_the_set_of_an_index_uses(statement: str) -> None:
    text = f"param n = 3\ncells r, c in 1..n\nchoose f(r, c)\nexactly one f per r\n{statement}"
    with pytest.raises(ModelErrors) as caught:
        compile_model(load_model(Source("x", text), lambda path, source: None))
    assert [(d.code, d.span and d.span.place[0]) for d in caught.value.diagnostics] == [("E115", 5)]


def test_many_symmetries_of_a_large_area_are_counted() -> None:
    text = "cells x in box(9, 9)\nchoose f(x)\nexactly one f\n" + "up to symmetries(box(9, 9))\n" * 100
    with pytest.raises(ModelErrors) as caught:
        model = load_model(Source("x", text), lambda path, source: None)
        _ = compile_model(model, limits=CompileLimits(steps=99_999)).symmetry
    assert [d.code for d in caught.value.diagnostics] == ["E211"]


def test_large_pieces_are_met_before_they_are_placed() -> None:
    text = "choose f(s) for s in placements(box(30, 30) - {(7, 9)}, box(60, 60))\nexactly one f"
    with pytest.raises(ModelErrors) as caught:
        compile_model(load_model(Source("x", text), lambda path, source: None), limits=CompileLimits(values=99_999))
    assert [d.code for d in caught.value.diagnostics] == ["E210"]
