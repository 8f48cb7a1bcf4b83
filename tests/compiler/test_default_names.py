"""What items without a label are called: two rules of a model are told apart, and no name is longer than that takes."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

import covr
from covr.compiler import Compiled
from covr.dsl.diagnostics import ModelErrors
from tests.net.drawn import draw
from tests.net.pairs import chances

pytestmark = pytest.mark.long

GALLERY = Path(__file__).parents[2] / "models"
HEAD = "cells r, c in 1..3\nchoose q(r, c)\nchoose p(r, c)\n"
SHAPES = (  # two statements, and what the names of their items end with
    ("exactly one q per r where c < 2", "exactly one q per r where c > 1", " where c < 2", " where c > 1"),
    ("exactly one q per x in {1} where r = x", "exactly one q per x in {2} where r = x", ", x in {1}", ", x in {2}"),
    ("exactly one q per r", "exactly one q per r where c = r", "for r = 1", " where c = r"),
    ("at most 2 q per r", "exactly one q per r", "for r = 1", "for r = 1"),
    ("at most one q per r", "at most one q per c", "for r = 1", "for c = 1"),
    ("if q(r, c) then p(c, r) where c < 2", "if q(r, c) then p(c, r) where c > 2", " where c < 2", " where c > 2"),
    (
        "if q(r, c) then p(a, r) for a in 1..2",
        "if q(r, c) then p(a, r) for a in 2..3",
        ", a in 1..2",
        ", a in 2..3",
    ),
    ("connected q at r, c", "connected q at c, r", " at r, c", " at c, r"),
    ("connected q at r, c", "connected q at r, c where c < 2", "connected q", " where c < 2"),
    ("agree q on r = c", "agree q on c = r", " (q on r = c)", " (q on c = r)"),
    ("agree q on r = c", "agree q on r = c where r < 3", "agree q on 1", " where r < 3"),
    ("all different r of q", "all different r of q where c < 2", "all different r of q: 1 and 2", " where c < 2"),
    ("all alike r of q on c", "all alike r of q on c mod 2", ": 1 on c", " on c mod 2"),
    ("loop q along (r, c)", "loop q along (c, r + 3)", " along (r, c)", " along (c, r + 3)"),
    ("exactly 1..2 total r of q", "exactly 1..2 total r of q where c < 2", "total r of q", " where c < 2"),
    ("exactly one q per r # a", "exactly one q # b\n per r", " (line 4)", " (line 5)"),
)


def called(compiled: Compiled) -> Iterator[tuple[str, str]]:
    """The default name of each item and side condition, and the text of its statement."""
    lowered = compiled.lowered
    sides = [side.name for side in compiled.problem.sides]
    for name, origin in zip(
        [*compiled.problem.item_names, *sides], (*lowered.origins, *lowered.side_origins), strict=True
    ):
        if origin.statement.label is None:
            yield name, origin.statement.span.text


def ambiguous(compiled: Compiled) -> dict[str, set[str]]:
    """The names that items of several different statements have, with those statements."""
    texts: dict[str, set[str]] = {}
    for name, text in called(compiled):
        texts.setdefault(name, set()).add(text)
    return {name: said for name, said in texts.items() if len(said) > 1}


@pytest.mark.parametrize(("one", "other", "ends", "others_end"), SHAPES)
def test_two_statements_are_told_apart(one: str, other: str, ends: str, others_end: str) -> None:
    compiled = covr.loads(HEAD + one + "\n" + other).compiled
    names: dict[str, list[str]] = {}
    for name, text in called(compiled):
        names.setdefault(text, []).append(name)
    first, second = names.values()
    assert not set(first) & set(second)
    assert first[0].endswith(ends) and second[0].endswith(others_end)


def test_a_rule_alone_has_a_short_name() -> None:
    for one, *_ in SHAPES:
        compiled = covr.loads(HEAD + one).compiled
        for origin in (*compiled.lowered.origins, *compiled.lowered.side_origins):
            assert origin.added == ""


def test_a_label_is_never_longer() -> None:
    compiled = covr.loads(HEAD + 'exactly one q per r "row {r}"\nexactly one q per r where c > 1').compiled
    assert list(compiled.problem.item_names)[:4] == ["row 1", "row 2", "row 3", "exactly one q for r = 1"]


def test_the_same_statement_twice_has_the_same_name() -> None:
    compiled = covr.loads(HEAD + "exactly one q per r\n" * 2).compiled
    assert list(compiled.problem.item_names)[:3] == list(compiled.problem.item_names)[3:]


def test_statements_of_random_models_share_no_name() -> None:
    """Statements with the same head, keys and all, are met among them; no two different ones share a name."""
    rng = random.Random(7)
    longer = 0
    for seed, pair in rng.sample(chances(), 150):
        drawn = draw(seed, pair)
        text = drawn.text()
        unlabelled = [
            s for s in drawn.body if s.startswith(("exactly", "at ", "agree", "all ", "if ", "connected", "loop"))
        ]
        text += "".join(f"{s.split(' where ')[0]} where 1 < 2\n" for s in unlabelled[:2] if '"' not in s)
        try:
            compiled = covr.loads(text).compiled
        except ModelErrors:
            continue
        assert not ambiguous(compiled), text
        longer += any(origin.added for origin in (*compiled.lowered.origins, *compiled.lowered.side_origins))
    assert longer > 20


@pytest.mark.parametrize("path", sorted(GALLERY.rglob("*.cover")), ids=lambda path: path.stem)
def test_no_model_of_the_gallery_has_an_ambiguous_name(path: Path) -> None:
    assert not ambiguous(covr.load(path).compiled)


def test_why_has_no_two_equal_lines() -> None:
    model = covr.loads(
        "choose q(r) for r in 1..4\nexactly one q where r < 3\nexactly one q where r > 2\nat most one q where r != 5\n"
    )
    names = [member.name for member in model.why().members]
    assert names == ["exactly one q where r < 3", "exactly one q where r > 2", "at most one q"]


@pytest.mark.parametrize(
    ("label", "filled"),
    [
        ("{n} line(s) around", ["0 lines around", "1 line around", "2 lines around"]),
        ("line(s): {n}", ["line(s): 0", "line(s): 1", "line(s): 2"]),
        ("{n} or {m} line(s)", ["0 or 0 lines", "1 or -1 lines", "2 or -2 lines"]),
        ("{t} line(s)", ["a0 line(s)", "a1 line(s)", "a2 line(s)"]),
        ("{n} big line(s)", ["0 big line(s)", "1 big line(s)", "2 big line(s)"]),
    ],
)
def test_a_label_counts_its_noun(label: str, filled: list[str]) -> None:
    text = 'let name = {0: "a0", 1: "a1", 2: "a2"}\nchoose x(k) for k in 0..2\n'
    label = label.replace("{m}", "{-n}").replace("{t}", "{name[n]}")
    compiled = covr.loads(f'{text}at most 1 x per n in 0..2 where k = n "{label}"\n').compiled
    assert list(compiled.problem.item_names) == filled
