"""Solving by hand: what is said to clash, to be right or to be solved is so, by brute force."""

from __future__ import annotations

from itertools import chain, combinations
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("starlette", reason="needs covr[studio]")

from covr.dsl.diagnostics import Source
from covr.engine import Limits, search
from covr.engine.check import check
from covr.engine.problem import Circuit, Connection, Problem, Total, build
from covr.live.review import opened
from covr.studio.work.hand import Pencil, _shown, _solved, clashes, foremost, pencil_of, pencilled, settled

if TYPE_CHECKING:
    from tests.studio.client import StudioPage

SUDOKU = """param clue = grid \"\"\"
  1...
  ..3.
  .4..
  ...2
\"\"\"
let band(i) = (i - 1) div 2
cells  r, c in 1..4
values d in 1..4
choose place(r, c, d)
exactly one place per r, c                  "cell r{r}c{c}"
exactly one place per r, d                  "row {r} contains {d}"
exactly one place per c, d                  "column {c} contains {d}"
exactly one place per band(r), band(c), d   "box {band(r)},{band(c)} contains {d}"
given place(r, c, clue[r, c]) for (r, c) in clue
"""
LOOP = """let corners = box(3, 3)
let lines = {{a, b} for a in corners, b in neighbours(a) where b in corners}
choose draw(e) for e in lines
loop draw along e "one loop"
show "" of draw at x in corners where x in e as line
"""


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    """Small problems of all sorts: bounds, colours, totals, connections and loops."""
    items, options = draw(st.integers(0, 4)), draw(st.integers(1, 6))
    coloured = draw(st.booleans())
    most = 1 if coloured else 2
    lows = draw(st.lists(st.integers(0, most), min_size=items, max_size=items))
    bounds = [(low, 1 if coloured else low + draw(st.integers(0, 2))) for low in lows]
    bounds = sorted(((low, max(1, high)) for low, high in bounds), key=lambda bound: bound[0] == 0)
    members = [sorted(draw(st.sets(st.integers(0, items - 1)))) if items else [] for _ in range(options)]
    rows = [[(i, draw(st.integers(0, 2))) if coloured and bounds[i] == (0, 1) else i for i in row] for row in members]
    made = build(bounds, rows)
    sides: list[Total | Connection | Circuit] = []
    if draw(st.booleans()):
        terms = [(o, draw(st.integers(-2, 3))) for o in range(options)]
        low = draw(st.integers(-3, 4))
        sides.append(Total(tuple((o, c) for o, c in terms if c), ((low, low + draw(st.integers(0, 2))),), "total"))
    ends = [
        tuple(sorted(draw(st.lists(st.integers(0, 3), min_size=2, max_size=2, unique=True)))) for _ in range(options)
    ]
    kind = draw(st.sampled_from(["none", "loop", "connected"]))
    if kind == "loop":
        sides.append(Circuit(tuple((o, u, v) for o, (u, v) in enumerate(ends)), "loop"))
    if kind == "connected":
        edges = draw(st.sets(st.sampled_from([(0, 1), (1, 2), (2, 3), (0, 3)])))
        sides.append(Connection(tuple((o, u) for o, (u, _) in enumerate(ends)), tuple(sorted(edges)), "connected"))
    from attrs import evolve

    return evolve(made, sides=tuple(sides))


def answers(problem: Problem) -> list[frozenset[int]]:
    """All answers, by trying every set of options."""
    every = range(problem.options)
    sets = chain.from_iterable(combinations(every, k) for k in range(problem.options + 1))
    return [frozenset(some) for some in sets if check(problem, some) is None]


@given(problems(), st.data())
def test_what_clashes_is_in_no_answer(problem: Problem, data: st.DataObject) -> None:
    taken = data.draw(st.sets(st.integers(0, problem.options - 1)))
    out = data.draw(st.sets(st.integers(0, problem.options - 1))) - taken
    found = clashes(problem, taken, out)
    if found:
        assert not any(taken <= answer and not out & answer for answer in answers(problem))
        assert {o for clash in found for o in clash.options} <= taken
        assert list(foremost(found))
    else:
        everything = set(range(problem.options)) - taken
        complete = clashes(problem, taken, everything)
        empty_loop = any(isinstance(s, Circuit) and not any(o in taken for o, _, _ in s.ends) for s in problem.sides)
        open_loop = any(isinstance(s, Circuit) for s in problem.sides)  # a way that is not closed yet is no clash
        assert bool(complete) == (check(problem, sorted(taken)) is not None) or empty_loop or open_loop


@given(problems(), st.data())
def test_what_the_givens_settle_is_in_all_answers_or_in_none(problem: Problem, data: st.DataObject) -> None:
    from attrs import evolve

    known = data.draw(st.sets(st.integers(0, problem.options - 1)))
    found = settled(evolve(problem, given=tuple(sorted(known))))
    assert known <= found
    for answer in answers(problem):
        assert not known <= answer or found & answer == known


@given(problems(), st.data())
def test_what_is_pencilled_in_is_as_good_as_given(problem: Problem, data: st.DataObject) -> None:
    """The answers with it are those answers of the problem that have what is taken and nothing that is crossed out."""
    taken = data.draw(st.sets(st.integers(0, problem.options - 1)))
    out = data.draw(st.sets(st.integers(0, problem.options - 1))) - taken
    from attrs import evolve

    from covr.studio.work.hand import _crossed

    twin = evolve(problem, given=tuple(sorted(taken)), sides=(*problem.sides, *_crossed(sorted(out))))
    assert answers(twin) == [a for a in answers(problem) if taken <= a and not out & a]


def test_givens_of_the_pencil_have_names() -> None:
    compiled = opened(Source("m.cover", SUDOKU))
    pencil = pencil_of(
        compiled,
        {"taken": ["place(1, 2, 3)", "no choice", "place(1, 1, 1)"], "out": ["place(1, 3, 2)", "place(1, 2, 3)"]},
    )
    names = compiled.problem.option_names
    assert [str(names[o]) for o in pencil.taken] == ["place(1, 1, 1)", "place(1, 2, 3)"]
    assert [str(names[o]) for o in pencil.out] == ["place(1, 3, 2)"]
    twin = pencilled(compiled, pencil)
    assert [g.name for g in twin.givens][-1] == "given place(1, 2, 3)" and len(twin.givens) == 5
    assert pencilled(compiled, Pencil((), ())) is compiled
    assert compiled.problem.given != twin.problem.given


def hand(page: StudioPage, text: str, **options: object) -> dict[str, object]:
    """What is told of some marks, by the names of the events."""
    return dict(page.ask("hand", text, options=options))


def test_a_clash_is_told_with_its_rules_in_words(shared_studio: StudioPage) -> None:
    found = hand(shared_studio, SUDOKU, taken=["place(1, 2, 3)", "place(1, 3, 3)"])
    rules = [clash["rule"] for clash in found["clashes"]["clashes"]]  # type: ignore[index]
    assert rules == ["row 1 contains 3", "column 3 contains 3", "box 0,1 contains 3"]
    assert found["hand"]["solved"] is False  # type: ignore[index]
    assert "3 3" in found["picture"]["text"] or "3 | 3" in found["picture"]["text"]  # type: ignore[index]


def test_a_rule_that_nothing_can_keep(shared_studio: StudioPage) -> None:
    found = hand(shared_studio, SUDOKU, out=[f"place(1, 2, {d})" for d in (1, 2, 3, 4)])
    assert {"rule": "cell r1c2", "how": "nothing that is left can keep it", "choices": []} in found["clashes"][
        "clashes"
    ]  # type: ignore[index]


def test_solved_is_what_is_an_answer(shared_studio: StudioPage) -> None:
    whole = next(data for name, data in shared_studio.ask("solve", SUDOKU) if name == "answer")["choices"]
    assert hand(shared_studio, SUDOKU, taken=whole)["hand"]["solved"] is True  # type: ignore[index]
    less = [choice for choice in whole if choice != "place(1, 2, 3)"]
    assert hand(shared_studio, SUDOKU, taken=less)["hand"]["solved"] is False  # type: ignore[index]
    ring = [f"draw({{(1, {c}), (1, {c + 1})}})" for c in (1,)] + [
        "draw({(1, 1), (2, 1)})",
        "draw({(1, 2), (2, 2)})",
        "draw({(2, 1), (2, 2)})",
    ]
    assert hand(shared_studio, LOOP, taken=ring)["hand"]["solved"] is True  # type: ignore[index]
    more = [*ring, "draw({(3, 1), (3, 2)})"]
    assert [c["rule"] for c in hand(shared_studio, LOOP, taken=more)["clashes"]["clashes"]] == ["one loop"]  # type: ignore[index]


def test_candidates_beside_what_is_pencilled_in(shared_studio: StudioPage) -> None:
    assert hand(shared_studio, SUDOKU, taken=["place(1, 2, 3)"], candidates=True)["left"] == {"solvable": True}


@pytest.mark.parametrize(
    ("marks", "verdict", "wrong"),
    [
        ({"taken": ["place(1, 2, 3)"]}, "right", []),
        ({"taken": ["place(1, 2, 2)", "place(1, 3, 2)"]}, "wrong", ["place(1, 2, 2)"]),
        ({"taken": ["place(1, 3, 2)"], "out": ["place(1, 2, 3)"]}, "wrong", ["place(1, 2, 3)"]),
        ({}, "nothing", []),
    ],
)
def test_what_is_pencilled_in_is_checked(
    shared_studio: StudioPage, marks: dict[str, list[str]], verdict: str, wrong: list[str]
) -> None:
    found = shared_studio.one("checked", "check", SUDOKU, options=marks)
    assert (found["verdict"], found["wrong"]) == (verdict, wrong)


def test_hints_begin_where_the_pencil_is(shared_studio: StudioPage) -> None:
    whole = next(data for name, data in shared_studio.ask("solve", SUDOKU) if name == "answer")["choices"]
    end = shared_studio.end("hint", SUDOKU, options={"taken": whole})
    assert end["words"] == "nothing is left to find"


def test_marks_that_are_no_lists_are_refused(shared_studio: StudioPage) -> None:
    for marks in ("place(1, 1, 1)", [1], [["a"]], {"a": 1}, ["x"] * 20_001):
        assert shared_studio.end("hand", SUDOKU, options={"taken": marks})["status"] == "refused"
    assert shared_studio.end("hand", SUDOKU, options={"taken": ["nonsense", "place(9, 9, 9)"]})["status"] == "done"


MODELS = sorted((Path(__file__).parents[2] / "models").glob("*/*.cover"))
FEW = ("slitherlink", "heyawake", "nurikabe", "pentominoes", "star_battle", "fillomino")


@pytest.mark.parametrize(
    "path",
    [pytest.param(p, marks=[] if p.stem in FEW else [pytest.mark.slow]) for p in MODELS],
    ids=lambda p: p.stem,
)
def test_an_answer_that_is_pencilled_in_is_solved(path: Path) -> None:
    """For the gallery: what an answer shows clashes nowhere, and is said to be solved."""
    compiled = opened(Source(path.name, path.read_text(), str(path)))
    answer = next(iter(search(compiled.problem, limits=Limits(seconds=5, answers=1))), None)
    if answer is None:
        pytest.skip("it has no answer, or none is found in time")
    shown = _shown(compiled)
    taken = tuple(o for o in answer if o in shown)
    assert clashes(compiled.problem, {*compiled.problem.given, *taken}, ()) == []
    assert not taken or _solved(compiled, Pencil(taken, ()))
