"""Pictures as text: one golden picture for each kind."""

from __future__ import annotations

import io
from textwrap import dedent

import pytest

from covr.compiler.display.prints import Inscription, Mark, Picture
from covr.draw.canvas import (  # fmt: skip
    BASIC,
    EIGHT_BIT,
    PIECES,
    TRUE_COLOUR,
    Part,
    Surface,
    clean,
    escaped,
    pad,
    palette_of,
    plain,
    style,
    surface_of,
    width,
    write,
)
from covr.draw.pieces import colours, neighbours, pieces, told_apart
from covr.draw.text import as_text, draw, one_line

TERMINAL = Surface(unicode=True, colour=True)


def grid(rows: str, option: dict[str, int] | None = None, **more: object) -> Picture:
    """A picture of letters; `.` is an empty place and a blank a hole. option: letter → option number."""
    lines = dedent(rows).strip("\n").split("\n")
    places = [(r, c) for r, line in enumerate(lines, 1) for c, x in enumerate(line, 1) if x != " "]
    numbers = option if option is not None else {}
    marks = [
        Mark((r, c), lines[r - 1][c - 1], numbers.get(lines[r - 1][c - 1], 100 * r + c))
        for r, c in places
        if lines[r - 1][c - 1] != "."
    ]
    return Picture(
        2,
        low=(1, 1),
        high=(len(lines), max(map(len, lines))),
        places=tuple(places),
        marks=tuple(marks),
        **more,  # type: ignore[arg-type]
    )


def regions(rows: str) -> dict[tuple[int, ...], int]:
    lines = dedent(rows).strip("\n").split("\n")
    return {(r, c): ord(x) for r, line in enumerate(lines, 1) for c, x in enumerate(line, 1) if x != " "}


def shown(picture: Picture, unicode: bool = False) -> str:
    return "\n" + plain(draw([picture], Surface(unicode=unicode))) + "\n"


def golden(text: str) -> str:
    return dedent(text)


def test_a_grid_may_have_empty_places_and_holes() -> None:
    assert shown(grid("Q..\n. .\n..Q")) == golden("""
        Q . .
        .   .
        . . Q
        """)


def test_cells_of_several_characters_are_aligned() -> None:
    picture = Picture(
        2, (1, 1), (2, 2), ((1, 1), (1, 2), (2, 1), (2, 2)),
        (Mark((1, 1), "5", 1), Mark((1, 2), "12", 2), Mark((2, 1), "-3", 3)),
    )  # fmt: skip
    assert shown(picture) == golden("""
         5 12
        -3  .
        """)
    words = Picture(2, (1, 1), (2, 1), ((1, 1), (2, 1)), (Mark((1, 1), "ann", 1), Mark((2, 1), "jo", 2)))
    assert shown(words) == golden("""
        ann
        jo
        """)


BOXES = """
    aabb
    aabb
    ccdd
    ccdd
    """


def test_regions_have_lines_between_them() -> None:
    picture = grid("1234\n3412\n2143\n4321", regions=regions(BOXES))
    assert shown(picture) == golden("""
        +-----+-----+
        | 1 2 | 3 4 |
        | 3 4 | 1 2 |
        +-----+-----+
        | 2 1 | 4 3 |
        | 4 3 | 2 1 |
        +-----+-----+
        """)
    assert shown(picture, unicode=True) == golden("""
        ┌─────┬─────┐
        │ 1 2 │ 3 4 │
        │ 3 4 │ 1 2 │
        ├─────┼─────┤
        │ 2 1 │ 4 3 │
        │ 4 3 │ 2 1 │
        └─────┴─────┘
        """)


def test_crooked_regions_are_outlined() -> None:
    picture = grid("123\n231\n312", regions=regions("aab\nabb\nccc"))
    assert shown(picture, unicode=True) == golden("""
        ┌───────┬───┐
        │ 1   2 │ 3 │
        │   ┌───┘   │
        │ 2 │ 3   1 │
        ├───┴───────┤
        │ 3   1   2 │
        └───────────┘
        """)


def test_a_region_is_drawn_around_a_hole() -> None:
    assert shown(grid("xxx\nx x\nxxx", regions=regions("aaa\na a\naaa"))) == golden("""
        +-----------+
        | x   x   x |
        |   +---+   |
        | x |   | x |
        |   +---+   |
        | x   x   x |
        +-----------+
        """)


def test_wide_cells_fit_between_lines() -> None:
    marks = (Mark((1, 1), "10", 1), Mark((1, 2), "9", 2))
    picture = Picture(2, (1, 1), (1, 2), ((1, 1), (1, 2)), marks, regions=regions("ab"))
    assert shown(picture) == golden("""
        +----+----+
        | 10 |  9 |
        +----+----+
        """)


TILING = "AAB\nACB\nCCB"
OPTIONS = {"A": 1, "B": 2, "C": 3}


def test_pieces_are_letters_where_there_are_no_colours() -> None:
    assert shown(grid(TILING, OPTIONS, outline=True)) == golden("""
        A A B
        A C B
        C C B
        """)


def test_pieces_whose_letters_do_not_tell_them_apart_have_lines_round_them() -> None:
    marks = [((1, 1), "1", 1), ((1, 2), "1", 1), ((2, 1), "1", 2), ((2, 2), "0", 2)]
    picture = Picture(2, (1, 1), (2, 2), tuple(m[0] for m in marks), tuple(Mark(*m) for m in marks), outline=True)
    assert shown(picture, unicode=True) == golden("""
        ┌─────┐
        │ 1 1 │
        ├─────┤
        │ 1 0 │
        └─────┘
        """)


def test_pieces_have_colours_on_a_terminal() -> None:
    lines = draw([grid(TILING, OPTIONS, outline=True)], TERMINAL)
    assert [[(p.text, p.style) for p in line] for line in lines] == [
        [("A A", "piece-0"), (" ", ""), ("B", "piece-1")],
        [("A", "piece-0"), (" ", ""), ("C", "piece-2"), (" ", ""), ("B", "piece-1")],
        [("C C", "piece-2"), (" ", ""), ("B", "piece-1")],
    ]


def test_neighbouring_pieces_have_different_colours() -> None:
    owner: dict[tuple[int, ...], int] = {(r, c): 10 * r + c // 2 for r in range(20) for c in range(20)}
    colour = colours(owner, len(PIECES))
    assert all(
        colour[owner[a]] != colour[owner[b]]
        for a in owner
        for b in neighbours(a)
        if b in owner and owner[a] != owner[b]
    )


def test_what_is_a_piece() -> None:
    assert pieces(grid("Q.\n.Q")) == {}
    assert pieces(grid("AA", {"A": 7})) == {(1, 1): 7, (1, 2): 7}
    assert not told_apart({(1, 1): 1, (1, 2): 2}, {(1, 1): "x", (1, 2): "x"})
    assert told_apart({(1, 1): 1, (1, 2): 2}, {(1, 1): "x", (1, 2): "y"})


def test_givens_are_distinct() -> None:
    marks = (Mark((1, 1), "5", 0, given=True), Mark((1, 2), "3", 1))
    picture = Picture(2, (1, 1), (1, 2), ((1, 1), (1, 2)), marks)
    assert [(p.text, p.style) for p in draw([picture], TERMINAL)[0]] == [("5", "given"), (" 3", "")]


def solid() -> Picture:
    places = tuple((z, r, c) for z in (1, 2) for r in (1, 2) for c in (1, 2))
    letters = dict(zip(places, "AABBABBA", strict=True))
    marks = tuple(Mark(at, letters[at], OPTIONS[letters[at]]) for at in places)
    return Picture(3, (1, 1, 1), (2, 2, 2), places, marks)


def test_layers_stand_side_by_side() -> None:
    assert shown(solid()) == golden("""
        A A   A B
        B B   B A
        """)


def test_layers_that_do_not_fit_stand_below() -> None:
    assert plain(draw([solid()], Surface(width=8))) == "A A\nB B\n\nA B\nB A"


def test_a_strip_is_drawn_in_one_row() -> None:
    marks = tuple(Mark((i,), t, i) for i, t in enumerate("23121", 1))
    assert as_text([Picture(1, (1,), (5,), tuple((i,) for i in range(1, 6)), marks)]) == "2 3 1 2 1"


def test_a_list_has_aligned_columns() -> None:
    lines = (("d1", "6", "1 2"), ("d10", "12", "3"))
    assert shown(Picture(0, lines=lines)) == golden("""
        d1    6  1 2
        d10  12  3
        """)
    assert as_text([Picture(0)]) == "(nothing)"


def test_several_pictures_and_marks_stand_together() -> None:
    marks = (Mark((1, 1), "a", 1), Mark((1, 1), "b", 2))
    picture = Picture(2, (1, 1), (1, 1), ((1, 1),), marks)
    assert as_text([picture, Picture(0, lines=(("x",),))]) == "a,b\n\nx"


def test_an_empty_board_is_drawn_as_nothing() -> None:
    assert as_text([Picture(2)]) == ""
    assert as_text([Picture(1)]) == ""
    assert as_text([Picture(3)]) == ""


def test_a_picture_of_places_far_apart_is_a_list() -> None:
    places = ((1, 1), (10**9, 10**9))
    marks = (Mark(places[0], "a", 1), Mark(places[1], "b", 2))
    assert as_text([Picture(2, *places, places, marks)]) == ("         1           1  a\n1000000000  1000000000  b")


def test_an_answer_fits_on_one_line() -> None:
    assert one_line([grid("12\n.4")]) == "12.4"
    marks = (Mark((1, 1), "10", 1),)
    assert one_line([Picture(2, (1, 1), (1, 2), ((1, 1), (1, 2)), marks)]) == "10 ."
    assert one_line([Picture(0, lines=(("d1", "6"), ("d2", "7")))]) == "d1 6; d2 7"


def test_nothing_in_a_model_reaches_the_terminal_as_a_command() -> None:
    assert clean("\x1b[31mred\n") == "?[31mred?"
    assert "\x1b" not in as_text([grid("\x1b.")])


def test_wide_characters_count_twice() -> None:
    assert width("ab") == 2
    assert width("日本") == 4
    assert width("e\u0301") == 1
    assert pad("日", 3) == "日 "
    assert pad("7", 3, right=True) == "  7"


class Stream(io.StringIO):
    def __init__(self, terminal: bool, encoding: str = "utf-8") -> None:
        super().__init__()
        self.terminal, self.given_encoding = terminal, encoding

    def isatty(self) -> bool:
        return self.terminal

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self.given_encoding


@pytest.mark.parametrize(
    ("terminal", "encoding", "environment", "unicode", "colour"),
    [
        (True, "utf-8", {}, True, True),
        (True, "ascii", {}, False, True),
        (True, "utf-8", {"NO_COLOR": "1"}, True, False),
        (True, "utf-8", {"TERM": "dumb"}, False, False),
        (False, "utf-8", {}, False, False),
        (False, "utf-8", {"FORCE_COLOR": "1"}, False, True),
        (False, "utf-8", {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False, False),
    ],
)
def test_what_a_stream_can_show(
    terminal: bool,
    encoding: str,
    environment: dict[str, str],
    unicode: bool,
    colour: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    surface = surface_of(Stream(terminal, encoding))
    assert (surface.unicode, surface.colour) == (unicode, colour)


def test_the_width_of_a_terminal_is_respected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "33")
    assert surface_of(Stream(False)).width == 33


def test_colours_are_written_with_escapes_and_without_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    lines = draw([grid("AB", OPTIONS, outline=True)], TERMINAL)
    coloured, plainly = io.StringIO(), io.StringIO()
    write(lines, TERMINAL, coloured)
    write(lines, Surface(), plainly)
    assert "\x1b[" in coloured.getvalue()
    assert plainly.getvalue() == "A B\n"


def test_palettes_are_told_apart() -> None:
    for palette in (TRUE_COLOUR, EIGHT_BIT, BASIC):
        assert len(set(palette)) == len(palette) == len(PIECES)
        for number in range(2 * len(palette)):
            codes = style(f"piece-{number} given", palette)
            assert codes.startswith("1;") and codes.endswith(palette[number % len(palette)])


def test_styles_are_the_codes_that_terminals_know() -> None:
    assert style("line", BASIC) == "2"
    assert style("title", BASIC) == "1"
    assert style("piece-0", TRUE_COLOUR) == "30;48;2;230;159;0"
    assert style("piece-4 given", EIGHT_BIT) == "1;97;48;5;25"
    assert style("piece-6", BASIC) == "97;45"
    assert style("piece-6", EIGHT_BIT) == "30;48;5;175"


@pytest.mark.parametrize(
    ("environment", "windows", "palette"),
    [
        ({"TERM": "xterm"}, False, BASIC),
        ({"TERM": "xterm-16color"}, False, BASIC),
        ({}, False, BASIC),
        ({"TERM": "xterm-256color"}, False, EIGHT_BIT),
        ({"TERM": "xterm-kitty"}, False, EIGHT_BIT),
        ({"TERM": "xterm", "COLORTERM": "truecolor"}, False, TRUE_COLOUR),
        ({"TERM": "xterm-256color", "COLORTERM": "24bit"}, False, TRUE_COLOUR),
        ({"TERM": "dumb"}, False, None),
        ({"TERM": "unknown", "COLORTERM": "truecolor"}, False, None),
        ({"WT_SESSION": "1"}, True, TRUE_COLOUR),
        ({"WT_SESSION": "1"}, False, BASIC),
        ({}, True, BASIC),
    ],
)
def test_the_colours_that_a_terminal_knows(
    environment: dict[str, str], windows: bool, palette: tuple[str, ...] | None
) -> None:
    assert palette_of(environment, windows) == palette


def test_escapes_surround_the_parts_that_have_a_style() -> None:
    line = (Part("a "), Part("B", "piece-0 given"), Part("", "line"), Part(" c", "line"), Part("  ", "piece-1"))
    assert escaped(line, BASIC) == "a \x1b[1;30;43mB\x1b[0m\x1b[2m c\x1b[0m"
    assert escaped((Part("x  ", "title"), Part("  ")), BASIC) == "\x1b[1mx\x1b[0m"
    assert escaped((), BASIC) == ""


# --- strips that are wider than the surface ---


def strip(texts: list[str], **more: object) -> Picture:
    places = tuple([(k,) for k in range(1, len(texts) + 1)])
    marks = tuple([Mark(at, text, 100 + at[0]) for at, text in zip(places, texts, strict=True) if text])
    return Picture(1, (1,), (len(texts),), places, marks, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("wide", [10, 30, 80])
@pytest.mark.parametrize("number", [1, 2, 7, 40, 101])
@pytest.mark.parametrize("text", ["x", "a,bb", "[1, 2, 3, 4]"])
def test_a_strip_is_broken_into_rows_that_fit(text: str, number: int, wide: int) -> None:
    """Each as long as the others, and of eight places or more, or else of one; the number of its first before it."""
    picture = strip([text if k % 3 else "" for k in range(1, number + 1)])
    whole = plain(draw([picture], Surface(width=10_000)))
    lines = plain(draw([picture], Surface(width=wide))).split("\n")
    assert "\n" not in whole and (lines == [whole]) == (len(whole) <= wide or number == 1)
    if len(lines) > 1:
        firsts, rows = zip(*(line.lstrip().split(": ", 1) for line in lines), strict=True)
        assert " ".join(rows).split() == whole.split()
        each = int(firsts[1]) - 1
        assert [int(first) for first in firsts] == [*range(1, number + 1, each)]
        assert each == 1 or (each >= 8 and all(len(line) <= wide for line in lines))
        one_row_less = -(-number // (len(lines) - 1)) * (len(text) + 1) - 1 + len(f"{number}: ")
        assert each == 1 or one_row_less > wide


def test_a_broken_strip_keeps_its_headings_and_lines() -> None:
    names = tuple([Inscription((0, k), f"day{k}", look="heading") for k in range(1, 5)])
    regions = {(1,): 1, (2,): 1, (3,): 1, (4,): 2}
    picture = strip(["Ann,Bob", "Cleo", "Dan,Eve", "Fay"], prints=names, regions=regions)
    assert plain(draw([picture], Surface(width=25))).split("\n") == [
        "     +---------+",
        "day1 | Ann,Bob |",
        "day2 | Cleo    |",
        "day3 | Dan,Eve |",
        "     +---------+",
        "day4 | Fay     |",
        "     +---------+",
    ]
