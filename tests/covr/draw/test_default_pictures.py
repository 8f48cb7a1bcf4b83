"""Without a `show`, two answers that differ never look alike: on random models without one, as text and as SVG."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

import covr
from tests.shared import examples

# What may be written, in sets of two or three: also what looks alike, or like two, or like nothing.
VALUES = [
    "{1, 2}", '{"a", "b"}', '{"1", 1}', '{"a", "a b", "b"}', '{"a,b", "a", "b"}', '{".", ""}', '{" ", "x"}',
    '{"|", "+"}', "{(1, 2), (2, 1)}", '{("a", 1), "a"}', '{"F", "G"}', "{-1, 12}", "{{1, 2}, {1, 2, 3}, {1}}",
    '{"(1", "2)", "(1,2)"}', '{"é", "日本"}', "{true, false}", 'list("Ann Bo tea")', "people", "{[1], [1, 1]}",
    '{"Ann Lee", "Bo", "Lee Bo"}',
]  # fmt: skip
HEXES, TRIANGLES = "{hex(1, 1), hex(1, 3)}", "{triangle(1, 1), triangle(1, 2), triangle(2, 2), triangle(2, 1)}"
STICKS, BALLS = "{sticks(1, 2), sticks(2, 1), sticks(2, 3)}", "{balls(1, 1, 1), balls(1, 1, 3), balls(2, 2, 2)}"
BOARDS = [
    ("r, c", "1..2"), ("p", "1..3"), ("x", "box(2, 2)"), ("x", HEXES), ("x", TRIANGLES), ("x", STICKS), ("x", BALLS),
    ("x", "box(2, 1, 2)"), ("p", '{"u", "v"}'), ("p", "{1, 2000000}"), ("x", '{(1, 1), (1, "a"), (2, 1)}'),
    ("w, x, y, z", "1..2"),
]  # fmt: skip
PIECES = [
    "{s for s in subsets(ROOM, 2)}", "{s for k in 1..2, s in subsets(ROOM, k)}",
    "{s for s in edges(ROOM)}", "{{x for x in ROOM where size(ROOM) = k} for k in {size(ROOM), 0}}",
]  # fmt: skip
ROOMS = ["box(2, 2)", "box(2, 3)", "hexagon(2)", TRIANGLES, STICKS, "box(2, 2, 1)", "box(1, 4)"]
PEOPLE = 'let people = table """\n  name n\n  Ann 1\n  Ann 2\n"""\n'
MOST = 60  # answers that are compared


@st.composite
def models(draw: st.DrawFn) -> str:
    names, over = draw(st.sampled_from(BOARDS))
    lines = [PEOPLE + f"cells {names} in {over}"]
    for name in draw(st.lists(st.sampled_from(["at", "add", "F", "g"]), min_size=1, max_size=2, unique=True)):
        more = draw(st.lists(st.sampled_from(VALUES), max_size=2))
        if more and draw(st.booleans()):
            lines.append(f"values v{name} in {more[0]}")
            own, for_ = [f"v{name}", *(f"k{n}" for n in range(1, len(more)))], list(enumerate(more))[1:]
        else:
            own, for_ = [f"k{n}" for n in range(len(more))], list(enumerate(more))
        bound = ", ".join(f"k{n} in {values}" for n, values in for_)
        keys = draw(st.permutations([*names.split(", "), *own]))
        lines.append(f"choose {name}({', '.join(keys)})" + (f" for {bound}" if bound else ""))
        if draw(st.booleans()):
            lines.append(f"{draw(st.sampled_from(['exactly', 'at most', 'at least']))} one {name} per {names}")
    return "\n".join(lines) + "\n"


@st.composite
def covers(draw: st.DrawFn) -> str:
    room = draw(st.sampled_from(ROOMS))
    pieces = draw(st.sampled_from(PIECES)).replace("ROOM", room)
    more = draw(st.sampled_from(["", "k", "v"]))
    lines = [f"cells x in {room}", *(['values v in {"A", "B"}'] if more == "v" else [])]
    lines.append(
        f"choose put({f'{more}, ' if more else ''}s) for s in {pieces}" + (", k in 1..2" if more == "k" else "")
    )
    lines.append(f"{draw(st.sampled_from(['exactly', 'at most', 'at least']))} one put per x where x in s")
    if more and draw(st.booleans()):
        lines.append(f"at most one put per {more}")
    if draw(st.booleans()):
        lines.append("choose dot(x)")
    return "\n".join(lines) + "\n"


def hold(model: str) -> int:
    """The law for one model; how many answers were compared."""
    texts: dict[str, str] = {}
    drawn: dict[str, str] = {}
    for answer in covr.loads(model).solutions(limit_answers=MOST):
        choices = ", ".join(sorted(map(str, answer)))
        text = str(answer)
        assert texts.setdefault(text, choices) == choices, f"{model}\n{text}"
        if len(drawn) < 6:
            svg = answer.svg()
            assert drawn.setdefault(svg, choices) == choices, f"{model}\n{choices}"
    return len(texts)


@settings(deadline=None, max_examples=examples(60))
@given(models() | covers())
def test_two_answers_that_differ_never_look_alike(model: str) -> None:
    hold(model)


def test_indices_that_are_neither_cells_nor_values_are_written() -> None:
    model = 'cells p in 1..2\nchoose at(w, p) for w in list("Ann Bo tea mate")\nexactly one at per w\n'
    assert hold(model) == 16
    assert str(covr.loads(model).solve()) == "Ann,Bo,tea,mate ."


def test_families_that_could_be_mistaken_are_named() -> None:
    model = "cells c in 1..2\nvalues d in 1..2\nchoose red(c, d)\nchoose blue(c, d)\n"
    model += "exactly one red\nexactly one blue\ngiven red(1, 2)\ngiven blue(1, 1)\n"
    assert str(covr.loads(model).solve()) == "red(2),blue(1) ."


def test_pieces_that_overlap_are_listed_too_and_others_are_not() -> None:
    model = "cells x in box(2, 2)\nchoose put(s) for s in edges(box(2, 2))\n{} one put per x where x in s\n"
    apart, over = (covr.loads(model.format(how)).solve() for how in ("exactly", "at least"))
    assert "put(" not in str(apart) and "put(" in str(over)
