"""Different choices of a model have different names, and a name is understood where a choice is asked about."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import covr
from covr.compiler import Compiled
from covr.compiler.evaluate.values import Record, Set, show_exactly, show_value
from covr.dsl.diagnostics import ModelErrors
from covr.explain.choice_words import ChoiceWords, find_choice
from tests.net.drawn import draw
from tests.net.pairs import chances
from tests.shared import examples

GALLERY = Path(__file__).parents[3] / "models"
PEOPLE = 'let t = table("name", "n") """\n{rows}\n"""\nchoose pick(x) for x in t\n'


def names_of(compiled: Compiled) -> list[str]:
    return [family.name_of(args) for family in compiled.lowered.families.values() for args in family.choices]


def unambiguous(compiled: Compiled, ask: int = 5) -> None:
    """No two names are equal, and some of them are read back."""
    names = names_of(compiled)
    assert len(set(names)) == len(names)
    options = compiled.lowered.option_choices
    asked = [option for option in range(len(options)) if not compiled.is_own(option)]
    for option in random.Random(1).sample(asked, min(ask, len(asked))):
        name = names[options[option]]
        assert str(compiled.choice(option)) == name
        assert find_choice(compiled, name).option == option


@given(
    st.lists(st.tuples(st.sampled_from(("ann", "bob", "1")), st.sampled_from(("1", "2", "x"))), min_size=1, max_size=6)
)
@settings(max_examples=examples(40), deadline=None)
def test_records_are_named_by_as_little_as_tells_them_apart(rows: list[tuple[str, str]]) -> None:
    rows = list(dict.fromkeys(rows))
    compiled = covr.loads(PEOPLE.format(rows="\n".join(map(" ".join, rows)))).compiled
    unambiguous(compiled, 6)
    first = [name for name, _ in rows]
    if len(set(first)) == len(first):
        assert names_of(compiled) == [f"pick({name})" for name in first]
    else:
        assert names_of(compiled) == [f"pick(({name}, {n}))" for name, n in rows]


@pytest.mark.parametrize(
    ("values", "names"),
    [
        ('["1", 1, 2]', ['f("1")', "f(1)", "f(2)"]),
        ('["true", true]', ['f("true")', "f(true)"]),
        ('["(1, 2)", (1, 2)]', ['f("(1, 2)")', "f((1, 2))"]),
        ('["a", "b"]', ["f(a)", "f(b)"]),
        ("[{1, 2}, (1, 2), [1, 2]]", ["f((1, 2))", "f([1, 2])", "f({1, 2})"]),
    ],
)
def test_values_that_look_alike(values: str, names: list[str]) -> None:
    compiled = covr.loads(f"choose f(x) for x in {values}").compiled
    assert sorted(names_of(compiled)) == sorted(names)
    unambiguous(compiled)


def test_texts_with_commas_and_spaces_are_told_apart() -> None:
    for sets in ('a in ["x", "x, y"], b in ["z", "y, z"]', 'a in ["x y", "xy"], b in [1, 2]'):
        unambiguous(covr.loads(f"choose f(a, b) for {sets}").compiled)


def test_givens_answers_and_reasons_name_the_record() -> None:
    text = PEOPLE.format(rows="ann 1\nann 2\nbob 3") + "exactly one pick\n"
    model = covr.loads(text + 'given pick(x) for x in t where x.name = "ann"')
    assert [g.name for g in model.compiled.givens] == ["given pick((ann, 1))", "given pick((ann, 2))"]
    assert {"given pick((ann, 1))", "given pick((ann, 2))"} < {member.name for member in model.why().members}
    assert [str(answer).strip() for answer in covr.loads(text).solutions()] == [
        "pick((ann, 1))",
        "pick((ann, 2))",
        "pick((bob, 3))",
    ]


def literal(value: Any, show: Any) -> str:
    """A value as `given` reads it: as `show` prints it, with quotes around texts."""
    if isinstance(value, Record):
        fields = [literal(item, show) for item in value.items]
        return fields[0] if show is show_value else f"({', '.join(fields)}{',' * (len(fields) == 1)})"
    if type(value) is tuple:
        return f"({', '.join(literal(v, show) for v in value)})"
    if isinstance(value, Set):
        return f"{{{', '.join(literal(v, show) for v in value)}}}"
    if isinstance(value, str):
        return f'"{value}"'
    return str(value)


RECORDS = """let t = table("name", "n") \"\"\"
{rows}
\"\"\"
choose pick(x, k) for x in {set}, k in 1..2
exactly one pick per k
"""
SETS = ("t", "{(x, 7) for x in t}", "subsets({x for x in t}, 2)", "{(x.name, x) for x in t}", '["ann", 5, (1, 2)]')


@given(
    st.lists(st.tuples(st.sampled_from(("ann", "bob", "1")), st.sampled_from(("1", "2", "x"))), min_size=2, max_size=5),
    st.sampled_from(SETS),
    st.randoms(use_true_random=False),
)
@settings(max_examples=examples(60), deadline=None)
def test_printed_choices_read_back_as_givens_leave_the_same_answer(
    rows: list[tuple[str, str]], which: str, rng: random.Random
) -> None:
    text = RECORDS.format(rows="\n".join(map(" ".join, dict.fromkeys(rows))), set=which)
    model = covr.loads(text)
    answers = list(model.solutions())
    if not answers:
        return
    family = model.compiled.lowered.families["pick"]
    answer = rng.choice(answers)
    lines = []
    for choice in (model.compiled.choice(option) for option in answer.options):
        shows = family.forms or (show_value, show_value)
        args = ", ".join(literal(arg, show) for arg, show in zip(choice.args, shows, strict=True))
        lines.append(f"given pick({args})")
        if show_exactly not in shows:
            assert lines[-1].replace('"', "") == f"given {choice}", "but for the quotes, it is what is printed"
        without = covr.loads(text + f"forbid pick({args})\n")
        assert without.count() == sum(str(choice) not in str(other).split("\n") for other in answers)
    found = list(covr.loads(text + "\n".join(lines)).solutions())
    assert [str(one) for one in found] == [str(answer)]


def test_a_record_that_is_not_clear_is_refused() -> None:
    text = PEOPLE.format(rows="ann 1\nann 2\nbob 3") + "exactly one pick\n"
    for word in ("given", "forbid"):
        with pytest.raises(ModelErrors) as errors:
            covr.loads(text + f'{word} pick("ann")').count()
        [fault] = errors.value.diagnostics
        assert (fault.code, fault.notes) == ("E401", ("it could be pick((ann, 1)) or pick((ann, 2))",))
    assert covr.loads(text + 'given pick("bob")').count() == 1
    assert covr.loads(text + 'forbid pick("bob")').count() == 2
    assert find_choice(covr.loads(text).compiled, 'pick(("ann", 2))').option == 1
    with pytest.raises(ModelErrors):
        covr.loads(text + 'given pick("eve")').count()


def test_a_first_field_is_enough_where_it_is_unique() -> None:
    compiled = covr.loads(PEOPLE.format(rows="ann 1\nann 2\nbob 3")).compiled
    assert find_choice(compiled, "pick(bob)").option == 2
    with pytest.raises(ModelErrors):
        find_choice(compiled, "pick(ann)")


def test_choices_of_random_models_have_names_of_their_own() -> None:
    for seed, pair in random.Random(3).sample(chances(), 60):
        try:
            unambiguous(covr.loads(draw(seed, pair).text()).compiled, 2)
        except ModelErrors:
            continue


@pytest.mark.parametrize("path", sorted(GALLERY.rglob("*.cover")), ids=lambda path: path.stem)
def test_choices_of_the_gallery_have_names_of_their_own(path: Path) -> None:
    unambiguous(covr.load(path).compiled, 1)


@pytest.mark.parametrize(
    "name",
    ["slitherlink", "masyu", "sudoku", "nurikabe", "dominosa", "hashi", "numberlink", "shikaku", "zebra", "exams"],
)
def test_words_mean_one_choice(name: str) -> None:
    """What a hint says of a choice names no other of its family, or is the choice's name."""
    compiled = covr.load(name).compiled
    words = ChoiceWords(compiled)
    for value in (True, False):
        choices = [compiled.choice(o) for o in range(compiled.problem.options) if not compiled.is_own(o)]
        said = [(c.family, words.conclusion((c,), ()) if value else words.conclusion((), (c,))) for c in choices]
        assert len(set(said)) == len(said)


@pytest.mark.parametrize(
    ("name", "choice", "taken", "out"),
    [
        ("slitherlink", "draw({(4, 6), (4, 7)})", "a line above the 1 in r4c6", "no line above the 1 in r4c6"),
        ("slitherlink", "draw({(7, 6), (7, 7)})", "a line below r6c6", "no line below r6c6"),
        ("masyu", "draw({(1, 4), (1, 5)})", "a line from r1c4 to r1c5", "no line from r1c4 to r1c5"),
        ("sudoku", "place(5, 5, 5)", "r5c5 is 5", "r5c5 is not 5"),
        ("sudoku_x", "place(5, 5, 5)", "r5c5 is 5", "r5c5 is not 5"),
        ("hashi", "bridge((1, 3), (1, 7), 2)", "a double line from r1c3 to r1c7", "no double line from r1c3 to r1c7"),
        ("numberlink", "draw({(1, 1), (1, 2)}, 2)", "a line of 2 from r1c1 to r1c2", "no line of 2 from r1c1 to r1c2"),
        ("slant", 'draw(1, 1, "╱")', "r1c1 is ╱", "r1c1 is not ╱"),
        ("tentaisho", "own((1, 1), (1, 3))", "r1c1 is in region (1, 3)", "r1c1 is not in region (1, 3)"),
        (
            "shikaku",
            "lay({(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3)}, (1, 2))",
            "r1c1 to r2c3 are one piece",
            "r1c1 to r2c3 are not one piece",
        ),
        ("toy", "take(6)", "take take(6)", "rule out take(6)"),
    ],
)
def test_a_choice_in_words(name: str, choice: str, taken: str, out: str) -> None:
    compiled = covr.load(name).compiled
    option = find_choice(compiled, choice).option
    assert option is not None
    one, words = compiled.choice(option), ChoiceWords(compiled)
    assert (words.conclusion((one,), ()), words.conclusion((), (one,))) == (taken, out)
    assert words.conclusion((one, "and 3 more"), (one,)) == f"{taken}, and 3 more; {out}"


def test_several_pieces_are_not_said_to_be_one() -> None:
    compiled = covr.load("statue_park").compiled
    said = ChoiceWords(compiled).conclusion((compiled.choice(0), compiled.choice(1)), ())
    assert said.endswith(" are one piece each")


def test_labels_of_the_gallery_count_their_nouns() -> None:
    """What some label counts with `(s)` no other counts without: `1 lines` is no English."""
    lines = [line for path in GALLERY.rglob("*.cover") for line in path.read_text("utf-8").splitlines()]
    labels = [text for line in lines if not line.startswith("title") for text in re.findall(r'"[^"]*"', line)]
    nouns = {noun for text in labels for noun in re.findall(r"\} ([a-z]+)\(s\)", text)}
    bad = [text for text in labels for noun in re.findall(r"\{[^}]*\} ([a-z]+)s\b", text) if noun in nouns]
    assert len(nouns) > 20 and bad == []
