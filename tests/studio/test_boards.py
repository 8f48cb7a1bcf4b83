"""What of a text can be drawn, and the edits that strokes make: what is written is read by the language itself."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("starlette", reason="needs covr[studio]")

from covr.compiler.evaluate.values import Map
from covr.dsl.diagnostics import Source
from covr.dsl.service.document import Analysis, Document
from covr.inputs.library import Libraries, gallery_names
from covr.live.review import TextUnits, opened
from covr.studio.boards.changes import SYMMETRIES, drawn, layer_fields, motions, written
from covr.studio.boards.resize import fresh, sizes
from covr.studio.boards.sketch import Sketch, Undrawable, read_sketch, write_sketch
from covr.studio.body import Bad
from covr.studio.work.answers import geometry, signs
from tests.dsl.models import SOME
from tests.each import each
from tests.shared import examples

MODELS = sorted((Path(__file__).parents[2] / "models").glob("*/*.cover"))
EMOJI = "🂡 "  # of two units in the page's count, so that places are told apart from characters


def analysis_of(text: str, name: str = "m.cover") -> Analysis:
    """What is known of a text."""
    return Document(name, lambda source: Libraries(source, MODELS[0].parents[1]), name).change(text)


def after(text: str, *strokes: Mapping[str, Any], **more: Any) -> str:
    """The text with the edits of some strokes."""
    found = changed(text, *strokes, **more)
    assert "refused" not in found, found
    raw = text.encode("utf-16-le")
    for edit in sorted(found["edits"], key=lambda edit: -edit["start"]):
        raw = raw[: 2 * edit["start"]] + edit["text"].encode("utf-16-le") + raw[2 * edit["end"] :]
    return raw.decode("utf-16-le")


def changed(text: str, *strokes: Mapping[str, Any], data: Mapping[str, str] | None = None, **more: Any) -> Any:
    """What is answered to some strokes."""
    return drawn(analysis_of(text), data or {}, {"strokes": list(strokes), **more}, TextUnits(text))


def layer(text: str, name: str) -> Any:
    """A layer as the page is told it."""
    return next(x for x in layer_fields(analysis_of(text), {})["layers"] if x["name"] == name)


def value(text: str, name: str) -> Any:
    """What the language reads."""
    return opened(Source("m.cover", text)).scope.value(name)


def entries(text: str, name: str) -> dict[Any, Any]:
    """What the language reads in a grid."""
    found = value(text, name)
    assert isinstance(found, Map)
    return {tuple(key): entry for key, entry in found.entries.items()}


def grid(*lines: str, name: str = "g", head: str = "grid") -> str:
    """A model with one grid."""
    block = "\n".join("  " + line for line in lines)
    return f'title "{EMOJI}"\nparam {name} = {head} """\n{block}\n"""\nlet n = 1\nchoose pick(i) for i in 1..2\n'


@each("path", SOME)
def test_what_is_written_again_is_the_same_to_read(path: Path) -> None:
    """Every layer of the gallery, written as the drawing writes it, is read as before."""
    from covr.studio.boards.layers import layers

    text = path.read_text()
    for one in reversed(layers(analysis_of(text), {})):
        assert not isinstance(one, tuple), one
        text = text[: one.home.start] + one.home.text(one.lines()) + text[one.home.end :]
    before, now = (layer_fields(analysis_of(each), {}) for each in (path.read_text(), text))
    assert before == now


SIGNS = st.sampled_from([".", "1", "7", "12", "a", "#", "?", "1,1"])


@given(
    st.integers(1, 6), st.integers(2, 6), st.lists(st.tuples(st.integers(1, 6), st.integers(1, 6), SIGNS), max_size=8)
)
def test_clues_are_read_as_they_are_drawn(high: int, wide: int, puts: list[tuple[int, int, str]]) -> None:
    text = grid(*["." * wide] * high)
    kept: dict[tuple[int, int], str] = {}
    for r, c, sign in puts:
        text = after(text, {"do": "put", "layer": "g", "at": [[r, c]], "value": sign})
        if r <= high and c <= wide:
            kept[r, c] = sign
    found = entries(text, "g")
    assert found == {at: int(sign) if sign.isdigit() else sign for at, sign in kept.items() if sign != "."}
    assert value(text, "g").shape == (high, wide)


@settings(max_examples=examples(40))
@given(
    st.sampled_from(["square", "hex", "triangle"]),
    st.lists(st.tuples(st.integers(1, 5), st.integers(1, 8), st.booleans()), max_size=12),
)
def test_areas_are_read_as_they_are_drawn(lattice: str, puts: list[tuple[int, int, bool]]) -> None:
    """A cell that is switched is on or off, whatever the lattice; what would move the board is refused."""
    rows = ["# . . # ", " . # . .", ". . . . "] if lattice == "hex" else ["#.......", "........", "...#...."]
    text = grid(*rows, head="area" if lattice == "square" else f"area({lattice})")
    cells = {tuple(at) for at in value(text, "g")}
    for r, c, on in puts:
        stroke = {"do": "put", "layer": "g", "at": [[r, c]], "value": "." if on else None}
        found = changed(text, stroke)
        if "refused" in found:
            continue
        text = after(text, stroke)
        held = r <= len(rows) and c <= 8 and (lattice != "hex" or (r + c) % 2 == 0)
        cells = cells | {(r, c)} if held and on else cells - {(r, c)}
        assert {tuple(at) for at in value(text, "g")} == cells


@given(
    st.sampled_from(sorted(SYMMETRIES)),
    st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5), st.sampled_from(["1", "#", "."])), max_size=6),
)
def test_a_symmetry_is_kept(name: str, puts: list[tuple[int, int, str]]) -> None:
    """A board that is drawn with a symmetry is carried into itself by it."""
    text = grid(*["....."] * 5)
    for r, c, sign in puts:
        text = after(text, {"do": "put", "layer": "g", "at": [[r, c]], "value": sign}, symmetry=name)
    found = entries(text, "g")
    for move in motions(name, 5, 5):
        assert {move(r, c, 5, 5): sign for (r, c), sign in found.items()} == found


def test_arrows_turn_with_a_symmetry() -> None:
    text = after(
        grid("...", "...", "..."), {"do": "put", "layer": "g", "at": [[1, 2]], "value": ">"}, symmetry="quarter turn"
    )
    assert entries(text, "g") == {(1, 2): ">", (2, 3): "v", (3, 2): "<", (2, 1): "^"}
    text = after(
        grid("...", "...", "..."), {"do": "put", "layer": "g", "at": [[1, 1]], "value": "^"}, symmetry="top to bottom"
    )
    assert entries(text, "g") == {(1, 1): "^", (3, 1): "v"}


ROOMS = """let k = 1
param room = grid \"\"\"
  aaaa
  aaaa
  aaaa
  aaaa
\"\"\"
cells r, c in 1..4
choose x(r, c)
outline room[r, c]
"""


def test_regions_are_painted_with_letters_of_their_own() -> None:
    assert layer(ROOMS, "room")["role"] == "regions"
    text = after(ROOMS, {"do": "put", "layer": "room", "at": [[1, 1], [1, 2]], "value": "new"})
    assert layer(text, "room")["cells"][0] == ["b", "b", "a", "a"]
    text = after(text, {"do": "put", "layer": "room", "at": [[2, 1]], "value": "b"})
    assert [row[0] for row in layer(text, "room")["cells"]] == ["b", "b", "a", "a"]
    again = after(text, {"do": "put", "layer": "room", "at": [[2, 1]], "value": "new"})
    assert layer(again, "room")["cells"][1][0] == "c"


def test_the_image_of_a_region_is_another_region_unless_they_touch() -> None:
    text = after(ROOMS, {"do": "put", "layer": "room", "at": [[1, 1]], "value": "new"}, symmetry="half turn")
    assert [layer(text, "room")["cells"][at][at] for at in (0, 3)] == ["b", "c"]
    text = after(text, {"do": "put", "layer": "room", "at": [[1, 2]], "value": "b"}, symmetry="half turn")
    assert layer(text, "room")["cells"][3] == ["a", "a", "c", "c"]
    text = after(ROOMS, {"do": "put", "layer": "room", "at": [[2, 2], [2, 3]], "value": "new"}, symmetry="half turn")
    assert layer(text, "room")["cells"][1:3] == [["a", "b", "b", "a"]] * 2


PIECES = 'let bag = pieces """\n  AA  B\n  A   BB\n"""\nchoose x(i) for i in 1..2\n'


def test_pieces_are_drawn_beside_each_other_and_kept() -> None:
    text = after(PIECES, {"do": "put", "layer": "bag", "at": [[1, 9], [2, 9], [3, 9]], "value": "new"})
    found = {str(piece): len(piece.cells) for piece in value(text, "bag")}
    assert found == {"A": 3, "B": 3, "C": 3}
    assert text.splitlines()[1:4] == ["  AA  B   C", "  A   BB  C", "          C"]
    text = after(text, {"do": "put", "layer": "bag", "at": [[1, 1], [1, 2], [2, 1]], "value": "."})
    assert {str(piece) for piece in value(text, "bag")} == {"B", "C"}


@settings(max_examples=examples(12))
@given(st.sampled_from(["top", "bottom", "left", "right"]), st.integers(1, 3))
def test_rows_and_columns_come_and_go(side: str, many: int) -> None:
    """All layers together; and what was added is taken away again."""
    text = (MODELS[0].parents[1] / "latin" / "sudoku_variants.cover").read_text()
    more = after(text, {"do": "size", side: many})
    told, again = layer_fields(analysis_of(more), {}), after(more, {"do": "size", side: -many})
    assert (told["rows"], told["cols"]) == (
        6 + many * (side in ("top", "bottom")),
        6 + many * (side in ("left", "right")),
    )
    assert layer_fields(analysis_of(again), {}) == layer_fields(analysis_of(text), {})


def test_doubled_grids_grow_by_two() -> None:
    text = (MODELS[0].parents[1] / "latin" / "xv_sudoku.cover").read_text()
    more = after(text, {"do": "size", "bottom": 1, "right": -1})
    assert [(x["rows"], x["cols"]) for x in layer_fields(analysis_of(more), {})["layers"]] == [(13, 9), (7, 5)]
    text = (MODELS[0].parents[1] / "latin" / "kropki.cover").read_text()
    more = after(text, {"do": "size", "bottom": 1, "right": 1})
    assert (layer(more, "dot")["rows"], layer(more, "dot")["cols"]) == (13, 13)
    assert opened(Source("m.cover", more)).problem.options == 7**3


WALLS = """param wall = []
param clue = grid \"\"\"
  ....
  ....
\"\"\"
cells r, c in 1..2
choose x(r, c)
print "|" at (w[1], w[2]), (w[3], w[4]) for w in wall
"""
LESS = """param less = csv \"\"\"
  r,c,i,j
  1,1,1,2
\"\"\"
param clue = grid \"\"\"
  ...
  ...
\"\"\"
choose x(i) for i in 1..2
"""


def test_borders_are_drawn_and_read_back() -> None:
    text = after(WALLS, {"do": "wall", "layer": "wall", "between": [[1, 1], [1, 2]]}, symmetry="left to right")
    assert text.startswith("param wall = [[1, 1, 1, 2], [1, 3, 1, 4]]\n")
    text = after(text, {"do": "wall", "layer": "wall", "between": [[1, 2], [1, 1]], "on": False})
    assert text.startswith("param wall = [[1, 3, 1, 4]]\n")
    assert "refused" in changed(text, {"do": "wall", "layer": "wall", "between": [[1, 1], [2, 2]]})
    text = after(LESS, {"do": "wall", "layer": "less", "between": [[2, 2], [1, 2]]})
    assert [(tuple(x["a"]), tuple(x["b"])) for x in layer(text, "less")["pairs"]] == [
        ((1, 1), (1, 2)),
        ((2, 2), (1, 2)),
    ]
    text = after(text, {"do": "wall", "layer": "less", "between": [[1, 2], [2, 2]]})  # the other way round
    assert [(tuple(x["a"]), tuple(x["b"])) for x in layer(text, "less")["pairs"]][1] == ((1, 2), (2, 2))


def model(name: str) -> str:
    """The text of a model of the gallery."""
    return next(path for path in MODELS if path.stem == name).read_text()


def test_lines_and_cages_are_records() -> None:
    text = after(
        model("thermometer_sudoku"),
        {"do": "path", "layer": "tube", "at": [[1, 1], [1, 2], [2, 2]]},
        symmetry="half turn",
    )
    assert [x["squares"] for x in layer(text, "tube")["records"]][-2:] == [
        [(1, 1), (1, 2), (2, 2)], [(6, 6), (6, 5), (5, 5)],
    ]  # fmt: skip
    assert "\n  11 12 22\n  66 65 55\n" in text
    text = after(text, {"do": "cut", "layer": "tube", "record": 0})
    assert len(layer(text, "tube")["records"]) == 7
    assert "refused" in changed(text, {"do": "path", "layer": "tube", "at": [[1, 1]]})
    assert "refused" in changed(text, {"do": "path", "layer": "tube", "at": [[1, 6], [1, 7]]})
    text = after(model("sudoku_variants"), {"do": "path", "layer": "cage", "at": [[1, 1], [1, 2]], "fields": ["9"]})
    assert layer(text, "cage")["records"][-1] == {"fields": ["9"], "squares": [(1, 1), (1, 2)]}
    text = after(text, {"do": "fields", "layer": "cage", "record": 2, "fields": ["7"]})
    assert layer(text, "cage")["records"][-1]["fields"] == ["7"]


def test_marks_corners_and_what_stands_beside_the_board() -> None:
    text = model("sudoku_variants")
    text = after(text, {"do": "spot", "layer": "mark", "at": [2, 2], "fields": ["odd"]})
    text = after(text, {"do": "spot", "layer": "quadruple", "at": [1, 4], "fields": ["3 4"]})  # instead of 1 2
    text = after(text, {"do": "spot", "layer": "outside", "at": [3, 0], "fields": ["xsum", "8"]})
    assert {"fields": ["odd"], "at": (2, 2)} in layer(text, "mark")["records"]
    assert layer(text, "quadruple")["records"] == [{"fields": ["3 4"], "at": (1, 4)}]
    assert {"fields": ["xsum", "8"], "at": (3, 0)} in layer(text, "outside")["records"]
    text = after(text, {"do": "spot", "layer": "mark", "at": [2, 2], "fields": None})
    assert all(x["at"] != (2, 2) for x in layer(text, "mark")["records"])
    assert not analysis_of(text).broken


def test_clues_beside_the_board_are_written_into_the_text() -> None:
    text = after(model("tents"), {"do": "margin", "layer": "across", "side": "left", "index": 2, "value": ""})
    assert 'across = [1, ".", 2, 1, 1, 1, 2, 2]' in text
    text = after(model("nonogram"), {"do": "margin", "layer": "rows", "side": "left", "index": 1, "value": " 3  4 "})
    assert 'rows = ["3 4", "4", ' in text
    text = after(model("skyscrapers"), {"do": "margin", "layer": "sides", "side": "bottom", "index": 5, "value": "2"})
    assert "  bottom  4 . 2 . 2\n" in text  # the table keeps its columns
    text = after(model("sandwich_sudoku"), {"do": "margin", "layer": "rows", "side": "left", "index": 6, "value": "7"})
    assert '"""0 9 4 0 10 7"""' in text


def test_a_value_from_outside_is_drawn_in_instead_of_the_text() -> None:
    text = grid("...", "...")
    found = changed(text, {"do": "put", "layer": "g", "at": [[1, 1]], "value": "3"}, data={"g": "...\n..4"})
    assert (found["edits"], found["data"]) == ([], {"g": "3..\n..4"})
    found = layer_fields(analysis_of(text), {"g": "@file.txt"})
    assert (found["layers"], found["undrawn"]) == ([], [{"name": "g", "why": "its value is read from a file"}])


@pytest.mark.parametrize(
    ("reader", "lattice"),
    [("grid", "square"), ("area", "square"), ("area", "hex"), ("area", "triangle"), ("pieces", "square")],
)
def test_a_board_is_added_to_a_text(reader: str, lattice: str) -> None:
    text = after(
        'title "New"\nlet a = 1\nchoose x(i) for i in 1..2\n', {"do": "add", "reader": reader, "lattice": lattice}
    )
    assert text.startswith('title "New"\n')
    assert not [fault for fault in analysis_of(text).faults if fault.is_error]
    assert len(layer_fields(analysis_of(text), {})["layers"]) == 1
    opened(Source("m.cover", text))


def test_where_layers_lie_in_the_picture() -> None:
    """For every model of the gallery with a grid: what is printed at the middle of the places that are told."""
    lies = {}
    for name in ("slitherlink", "slant", "kropki", "mejilink", "heyawake", "sudoku", "number_rope", "kakuro"):
        lies[name] = {
            n: (x["scale"], x["down"]) for n, x in geometry(opened(Source(name, model(name))))["layers"].items()
        }
    assert lies == {
        "slitherlink": {"clue": (1, 0.5)}, "slant": {"clue": (1, -0.5)}, "kropki": {"dot": (0.5, 0.5)},
        "mejilink": {"board": (0.5, 0.5)}, "heyawake": {"room": (1, 0), "clue": (1, 0)}, "sudoku": {"clue": (1, 0)},
        "number_rope": {"clue": (1, 0), "rope": (0.5, 0.5)}, "kakuro": {"across": (1, 0), "down": (1, 0)},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("slitherlink", {"clue": "0 1 2 3"}),  # four lines would be a loop of their own
        ("sudoku", {"clue": "1 2 3 4 5 6 7 8 9"}),
        ("futoshiki", {"clue": "1 2 3 4 5"}),
        ("akari", {"board": "0 1 2 3 4"}),
        ("masyu", {}),
    ],
)
def test_what_clues_can_be(name: str, told: dict[str, str]) -> None:
    """Whether clues stand there or not, as the model tells and not as the text looks."""
    compiled = opened(Source(name, model(name)))
    assert {grid: " ".join(values) for grid, values in signs(compiled).items()} == told
    if name in ("slitherlink", "sudoku"):
        rows, cols = compiled.scope.value("clue").shape
        assert signs(opened(Source(name, _blanked(model(name), "clue", rows, cols)))) == signs(compiled)


def test_what_is_given_tells_what_clues_can_be() -> None:
    text = 'cells r, c in 1..4\nvalues d in 1..4\nparam clue = grid(4, 4) """\n1...\n....\n....\n....\n"""\n'
    text += "choose place(r, c, d)\nexactly one place per r, c\ngiven place(r, c, clue[r, c]) for (r, c) in clue\n"
    assert signs(opened(Source("plain", text))) == {"clue": ["1", "2", "3", "4"]}


def test_a_blank_board_lies_where_a_full_one_does() -> None:
    for name, param in (("slitherlink", "clue"), ("slant", "clue"), ("kropki", "dot")):
        full = opened(Source(name, model(name)))
        rows, cols = full.scope.value(param).shape
        blank = opened(Source(name, _blanked(model(name), param, rows, cols)))
        assert geometry(blank)["layers"] == geometry(full)["layers"]


def _blanked(text: str, param: str, rows: int, cols: int) -> str:
    at = [[r, c] for r in range(1, rows + 1) for c in range(1, cols + 1)]
    return after(text, {"do": "put", "layer": param, "at": at, "value": "."})


WORDS = st.sampled_from(["put", "clue", "room", "wall", "size", "top", "do", "layer", "at", "value"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 200) | st.text(max_size=4) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=5),
    max_leaves=12,
)
FIELDS = ("at", "value", "between", "record", "fields", "index", "side", "top", "left", "reader", "rows")
STROKES = st.fixed_dictionaries(
    {
        "do": st.sampled_from(["put", "wall", "path", "cut", "fields", "spot", "margin", "size", "add"]),
        "layer": st.sampled_from(["clue", "cage", "pair", "mark", "outside", "region", "across"]),
    },
    optional=dict.fromkeys(FIELDS, JSON),
)


@given(st.lists(STROKES, max_size=3))
def test_nonsense_is_refused(strokes: list[dict[str, Any]]) -> None:
    """Whatever a page sends, it is told edits, a refusal, or that the request is bad."""
    text = model("sudoku_variants")
    try:
        found = changed(text, *strokes)
    except Bad:
        return
    assert "edits" in found or "refused" in found
    if "edits" in found:
        after(text, *strokes)


@given(
    st.lists(st.text("AB.# +", max_size=6), min_size=1, max_size=5),
    st.sampled_from(["square", "hex", "triangle", "sticks"]),
)
def test_pictures_of_pieces_are_written_as_they_are_read(lines: list[str], lattice: str) -> None:
    canvas = read_sketch("\n".join(lines), "pieces", lattice)
    try:
        written = write_sketch(canvas)
    except Undrawable:
        return

    def letters(one: Sketch) -> set[tuple[int, int, str]]:
        return {(r, c, x) for r, row in enumerate(one.cells) for c, x in enumerate(row) if x not in (None, ".")}

    assert letters(read_sketch("\n".join(written), "pieces", lattice)) == letters(canvas)


@cache
def sized() -> list[dict[str, Any]]:
    """The models of which there are new puzzles of any size."""
    return [m for kind in sizes() for m in kind["models"] if m["rows"]]


FEW = (
    "sudoku",
    "heyawake",
    "kropki",
    "slitherlink",
    "slant",
    "skyscrapers",
    "thermometer_sudoku",
    "nonogram",
    "queens",
)


def test_most_kinds_have_a_size() -> None:
    assert len(sized()) > 140
    assert {m["name"] for m in sized()} >= set(FEW)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in FEW else [pytest.mark.slow]) for name in gallery_names()]
)
def test_new_puzzles_are_empty_boards_of_their_size(name: str) -> None:
    """An empty board of the model's own size, and of another one where it can have that, compiles and has a picture."""
    told = next((m for m in sized() if m["name"] == name), None)
    if told is None:
        pytest.skip("its size is not to be chosen")
    text = fresh(name, told["rows"], told["cols"])
    opened(Source(name, text)).puzzle()
    layers_now = layer_fields(analysis_of(text), {})
    assert all(_blank(x) for x in layers_now["layers"])
    if layers_now["layers"]:
        assert (layers_now["rows"], layers_now["cols"]) == (told["rows"], told["cols"])
        try:
            larger = fresh(name, told["rows"] + 2, told["cols"] + 2)
        except Undrawable:
            return
        again = layer_fields(analysis_of(larger), {})
        assert (again["rows"], again["cols"]) == (told["rows"] + 2, told["cols"] + 2)


def _blank(one: Any) -> bool:
    """Whether nothing is drawn on a layer."""
    if one["kind"] == "picture":
        letters = {cell for row in one["cells"] for cell in row}
        return one["role"] in ("pieces", "cells") or letters <= {".", "a"}
    if one["kind"] == "margin":
        return not any(clue for side in one["sides"] for clue in side["clues"])
    return not one.get("pairs") and not one.get("records")


def test_new_puzzles_that_are_none() -> None:
    with pytest.raises(Undrawable):
        fresh("sudoku", 5, 5)
    with pytest.raises(Undrawable):
        fresh("queens", 3, 4)
    with pytest.raises(Undrawable):
        fresh("heyawake", 0, 4)
    with pytest.raises(Bad):
        fresh("../../etc/passwd", 4, 4)
    assert "param high = 2 where high >= 1\nparam wide = 4 where wide >= 1" in fresh("thermometer_sudoku", 8, 8)


QUEENS = "param n = 5\ncells r, c in 1..n\nchoose queen(r, c)\nexactly one queen per r\n"


def test_a_choice_is_given_and_taken_back() -> None:
    text = after(QUEENS, {"do": "given", "choice": "queen(2, 3)"})
    assert text == QUEENS + "given queen(2, 3)\n"
    assert opened(Source("m.cover", text)).problem.given == (7,)
    assert after(text, {"do": "given", "choice": "queen(2,3)"}) == QUEENS
    again = after(text, {"do": "given", "choice": "queen(2, 4)", "instead": ["queen(2, 3)", "queen(2, 1)"]})
    assert again == QUEENS + "given queen(2, 4)\n"


@pytest.mark.parametrize(
    ("printed", "said"),
    [
        ("place(1, 2, 3)", "place(1, 2, 3)"), ("put(A, {(1, 1), (1, 2)})", 'put("A", {(1, 1), (1, 2)})'),
        ("pole(1, 2, +)", 'pole(1, 2, "+")'), ("lit(hex(1, 3))", "lit(hex(1, 3))"), ("move(-1)", "move(-1)"),
    ],
)  # fmt: skip
def test_choices_are_written_as_the_language_has_them(printed: str, said: str) -> None:
    assert written(printed) == said


def test_what_is_no_choice_is_not_given() -> None:
    assert "refused" in changed(QUEENS, {"do": "given", "choice": "3 + 4"})
    for nonsense in (None, 3, ["a"]):
        with pytest.raises(Bad):
            changed(QUEENS, {"do": "given", "choice": nonsense})
