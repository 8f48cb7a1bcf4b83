"""Links of sites that know sudokus alone: what is read of them, and what is said of those that can't be read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import covr
from covr.cli.group import cli
from covr.dsl.diagnostics import ModelErrors, Source
from covr.inputs import library
from covr.links.file import read_linked, read_sudokuwiki
from covr.links.fpuzzles import DIGITS, SITE, compress, decompress, read_fpuzzles, unzipped
from covr.links.places import LinkFault
from tests.links.sudoku_links import OWN, PAD, packed, puzzle
from tests.shared import examples

WIKI = "https://www.sudokuwiki.org/sudoku.htm?bd="
DIGITS_81 = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def bomb(codes: int) -> str:
    """So many numbers of which each stands for a text that is longer by one character."""
    bits = [0, 0, *(ord("a") >> k & 1 for k in range(8))]
    for size in range(4, codes + 4):
        bits += [size >> k & 1 for k in range(size.bit_length())]
    bits += [0] * (-len(bits) % 6)
    return "".join(DIGITS[int("".join(map(str, bits[at : at + 6])), 2)] for at in range(0, len(bits), 6))


@given(st.text(max_size=200) | st.text('{}[]",:R1C2é€', max_size=2_000))
def test_what_is_compressed_is_what_was_there(text: str) -> None:
    assert decompress(compress(text)) == text


def test_a_bomb_is_refused_before_it_grows() -> None:
    with pytest.raises(LinkFault, match="more than 1,000,000 characters"):
        decompress(bomb(3_000))
    with pytest.raises(LinkFault, match="cut off"):
        decompress(bomb(100))


def test_a_puzzle_is_read_from_every_site() -> None:
    link = packed(puzzle(title="Mine", author="me", ruleset="Usual\nrules", antiking=True))
    board = read_fpuzzles(link)
    name = link.removeprefix(SITE)
    for same in (
        f"f-puzzles.com/?load={name}",
        f"{PAD}fpuz{name}",
        f"{PAD}fpuzzles{name}",
        f"sudokupad.app/sudoku/fpuz{name.replace('+', '%2B').replace('/', '%2F')}",
        f"https://app.crackingthecryptic.com/sudoku/?puzzleid=fpuzzles{name}",
        name,
        f"fpuz{name}",
        f" fpuzzles{quote(name)}\n",
    ):
        assert read_linked(same).board == board
    assert covr.load(name).problem == covr.load(link).problem
    source = library.find_source(link)
    assert source.text.startswith("# title: Mine\n# author: me\n# rules: Usual\n# rules\ntitle ")
    assert covr.load(link).count() == 0, "no sudoku of side 4 keeps equal digits apart like this"


def test_sudokupads_own_form_is_read() -> None:
    link = f"{PAD}scl{compress(OWN)}"
    board = read_linked(link).board
    assert read_linked(link.removeprefix(PAD)).board == board
    assert board.layer("clue") == {(1, 1): 1, (4, 3): 2} and board.layer("said")["title",] == "It's mine"
    assert board.layer("cage") == {(1,): (7, ((1, 2), (2, 2)))}
    assert covr.load(link).count() == covr.load(packed(puzzle(
        grid=[[{"value": 1, "given": True}, {}, {}, {}], [{}] * 4, [{}] * 4, [{}, {}, {"value": 2, "given": True}, {}]],
        killercage=[{"cells": ["R1C2", "R2C2"], "value": "7"}],
    ))).count()  # fmt: skip
    assert unzipped('{"cells": []}') == {"cells": []}


def test_an_answer_is_written_and_no_link_leaves_constraints_out(tmp_path: Path) -> None:
    link = packed(puzzle(thermometer=[{"lines": [["R1C1", "R1C2", "R1C3", "R1C4"]]}], antiknight=True))
    listed = tmp_path / "links.txt"
    listed.write_text(f"{link}\n")
    solved = CliRunner().invoke(cli, ["solve", "--each", str(listed)])
    assert solved.exit_code == 0 and solved.stdout.startswith("1234"), solved.output
    for form in ("puzz.link", "pzprv3"):
        refused = CliRunner().invoke(cli, ["convert", link, "--to", form])
        assert refused.exit_code == 2 and "there are none of the kind `sudoku_variants`" in refused.stderr


def test_eighty_one_characters_are_read() -> None:
    board = read_sudokuwiki(DIGITS_81)
    clue = board.layer("clue")
    again = "".join(str(clue.get((r, c), ".")) for r in range(1, 10) for c in range(1, 10))
    assert read_sudokuwiki(WIKI + DIGITS_81.replace(".", "0")) == read_sudokuwiki(WIKI + again) == board
    for text in (DIGITS_81, WIKI + DIGITS_81, f"sudokuwiki.org/Sudoku.aspx?bd={DIGITS_81}&x=1"):
        assert covr.load(text).count() == covr.load("sudoku", clue=DIGITS_81).count() == 1


@pytest.mark.parametrize(
    ("link", "told"),
    [
        (packed(puzzle(skyscraper=[{"cell": "R0C1", "value": "2"}], fogofwar=["R1C1"])), "`skyscraper`, `fogofwar`"),
        (packed(puzzle(line=[{"lines": [["R1C1", "R1C2"]], "outlineC": "#f00"}])), "said in words alone: 1 `line`"),
        (packed(puzzle(thermometer=[{"lines": [["R1C1", "R1C5"]]}])), "square `R1C5`, which is not on the board"),
        (packed(puzzle(thermometer=[{"lines": ["R1C1"]}])), "where squares are named"),
        (packed(puzzle(thermometer=[3])), "entry 1 of its `thermometer` has no names"),
        (packed(puzzle(thermometer={"a": 1})), "is not a list"),
        (packed(puzzle(killercage=[{"cells": ["R1C1", "R1C1"]}])), "names a square twice"),
        (packed(puzzle(killercage=[{"cells": ["R1C1"], "value": "<9"}])), "`<9` in place of a number"),
        (packed(puzzle(xv=[{"cells": ["R1C1", "R1C2"], "value": "I"}])), "one of X, V"),
        (packed(puzzle(arrow=[{"cells": ["R1C2", "R1C1"], "lines": [["R1C1", "R2C1"]]}])), "in several ways"),
        (packed(puzzle(littlekillersum=[{"cell": "R0C1", "direction": "UR", "value": "5"}])), "does not point onto"),
        (packed(puzzle(antiknight=1)), "neither true nor false"),
        (packed(puzzle(negative=["whispers"])), "only `xv` and `ratio`"),
        (packed({**puzzle(), "size": 5}), "not a square of the size"),
        (packed({"grid": [[]] * 1000}), "board of 1000 rows"),
        (packed({**puzzle(), "grid": [[{"region": 0}] * 4] * 4}), "region 0 has 16 squares"),
        (packed({**puzzle(), "grid": [[{"c": "#ff0000"}] * 4] * 4}), "in words alone: 16 coloured squares"),
        (packed({**puzzle(), "grid": [[{"value": 5, "given": True}] * 4] * 4}), "where digits stand"),
        (packed("[" * 100_000), "no JSON"),
        (packed("[1]"), "no puzzle"),
        (packed('{"size":' + "9" * 5_000 + "}"), "no JSON"),
        (SITE + bomb(3_000), "stands for a text of more than"),
        (packed(puzzle())[:-9], "cut off"),
        (PAD + "scl" + compress("") + "=" * 40, "no JSON"),
        (SITE + "N4\n" + "a" * 60, "`\N{REPLACEMENT CHARACTER}` means nothing at letter 3"),
        (packed(puzzle()) + "%252F", "encoded twice"),
        (packed(puzzle()).replace("?load=N4", "?load=N!"), "`!` means nothing at letter 2"),
        ("https://www.f-puzzles.com/?id=yhkyz63b", "asks no server"),
        (PAD + "n1Q4fFp9LM", "asks no server"),
        (PAD + "fpuzzlesyhkyz63b", "asks no server"),
        (PAD + "scf" + "a" * 60, "`scf`"),
        (PAD + "scl" + compress(OWN[:-1] + ",l:[{wp:[[0,0],[1,1]]}]}"), "of SudokuPad whose meaning is said in words"),
        (PAD + "scl" + compress(OWN.replace("[0,1],[1,1]],v", "[0,9],[1,1]],v")), "no square of the board"),
        (packed(puzzle()).removeprefix(SITE)[:-9], "cut off"),
        (packed(puzzle()).removeprefix(SITE).replace("N4I", "N4I" + "A" * 40), "damaged"),
        ("scl" + compress(OWN)[:50], "cut off"),
        ("scf" + "a" * 60, "`scf`"),
        ("N4Ig" + "A" * 1_000_000, "more than 1,000,000"),
        (WIKI + DIGITS_81[1:], "80 characters in place of 81"),
        (WIKI + "S9B" + DIGITS_81, "are not the 81 digits"),
    ],
)  # fmt: skip
def test_a_sudoku_that_can_not_be_read_says_why(link: str, told: str) -> None:
    with pytest.raises(ModelErrors) as caught:
        library.open_model(link)
    (fault,) = caught.value.diagnostics
    assert fault.code == "E606" and told in fault.message
    assert len(fault.message) < 400


def _drawn(rows: str, **more: Any) -> dict[str, Any]:
    """A puzzle with given digits and drawings: two lines, of which a known rule drew one, a text and a colour."""
    digits = [[{} if d == "." else {"value": int(d), "given": True} for d in row] for row in rows.split("/")]
    digits[3][3]["c"] = "#ff0000"
    lines = [{"lines": [["R1C1", "R1C2"]]}, {"lines": [["R1C1", "R1C2"]], "fromConstraint": "Renban"}]
    return puzzle(grid=digits, line=lines, text=[{"cells": ["R1C1"], "value": "x"}, {"value": "words"}], **more)


ONE, MANY, NONE = "12../34../..1./..4.", "1.../..../..../....", "11../..../..../...."
PASSED = "1 `line`, 1 `text`, 1 coloured square"


@pytest.mark.parametrize(
    ("rows", "told"), [(ONE, "one answer"), (MANY, "more than one answer, so they"), (NONE, "no answer")]
)
def test_drawings_are_passed_over_where_that_is_asked_for(rows: str, told: str, tmp_path: Path) -> None:
    drawn, plain = packed(_drawn(rows)), packed({**_drawn(rows), "line": [], "text": []}).replace("#ff0000", "")
    refused = CliRunner().invoke(cli, ["solve", drawn])
    assert refused.exit_code == 2 and PASSED in refused.stderr and "`--ignore drawings` passes over" in refused.stderr
    link = covr.link(drawn, ignore="drawings")
    assert link.passed_over == {"line": 1, "text": 1, "coloured squares": 1}
    bare = covr.link(link.address)
    assert bare.passed_over == {} and covr.link(plain, ignore="drawings").params == bare.params
    for command in ("solve", "count"):
        asked = CliRunner().invoke(cli, [command, drawn, "--ignore", "drawings"])
        same = CliRunner().invoke(cli, [command, bare.address])
        assert (asked.exit_code, asked.stdout) == (same.exit_code, same.stdout)
        assert f"passed over: {PASSED}; the rest has {told}" in asked.stderr
    model = tmp_path / "my.cover"
    written = CliRunner().invoke(cli, ["convert", drawn, str(model), "--ignore", "drawings"])
    assert written.exit_code == 0 and told in written.stderr
    assert model.read_text().startswith(f"# passed over, which may have a meaning: {PASSED}\n")
    assert CliRunner().invoke(cli, ["convert", str(model), "--to", "f-puzzles"]).stdout.strip() == bare.address
    again = CliRunner().invoke(cli, ["convert", drawn, "--ignore", "drawings", "--to", "f-puzzles"])
    assert again.stdout.strip() == bare.address and told in again.stderr


def test_what_is_no_drawing_is_not_passed_over() -> None:
    for link, told in (
        (packed(_drawn(ONE, skyscraper=[{"cell": "R0C1", "value": "2"}])), "`skyscraper`"),
        (packed({**_drawn(ONE), "grid": [[{"z": 1}] * 4] * 4}), "`z`, which the model has not"),
        (f"{PAD}scl{compress(OWN[:-1] + ',foglight:[[0,0]],l:[{wp:[[0,0],[1,1]]}]}')}", "`foglight`"),
    ):
        refused = CliRunner().invoke(cli, ["solve", link, "--ignore", "drawings"])
        assert refused.exit_code == 2 and told in refused.stderr and "--ignore" not in refused.stderr
    own = f"{PAD}scl{compress(OWN[:-1] + ',l:[{wp:[[0,0],[1,1]]}],o:[{ct:[1,1]},{ct:[2,2]}]}')}"
    assert "2 `overlays`" in CliRunner().invoke(cli, ["solve", own]).stderr
    assert covr.link(own, ignore="drawings").passed_over == {"lines": 1, "overlays": 2}
    asked = CliRunner().invoke(cli, ["count", DIGITS_81, "--ignore", "drawings"])
    assert asked.stdout == "1\n" and "no drawings in this link" in asked.stderr
    asked = CliRunner().invoke(cli, ["count", packed(_drawn(ONE)), "--ignore", "drawings", "-q"])
    assert asked.stdout == "1\n" and asked.stderr == ""
    for words in (["count", "queens", "--ignore", "drawings"], ["count", own, "--ignore", "lines"],
                  ["count", "--each", "links.txt", "--ignore", "drawings"], ["count", "--each", "a", "--as", "lits"],
                  ["convert", own, "a.dlx", "--ignore", "drawings"]):  # fmt: skip
        refused = CliRunner().invoke(cli, words)
        assert (refused.exit_code == 2 and "--ignore" in refused.stderr) or "--as" in refused.stderr
    with pytest.raises(ValueError, match="drawings can be ignored"):
        covr.link(own, ignore="lines")  # type: ignore[arg-type]


WHOLE = [packed(puzzle(killercage=[{"cells": ["R1C1"], "value": "3"}])), f"{PAD}scl{compress(OWN)}", WIKI + DIGITS_81]


WHOLE += [WHOLE[0].removeprefix(SITE), WHOLE[1].removeprefix(PAD)]


@pytest.mark.parametrize("link", WHOLE, ids=lambda link: link[:12])
def test_a_sudoku_that_was_cut_or_doubled_is_a_model_or_one_fault(link: str) -> None:
    for at in range(len(link)):
        _is_told(link[:at])
    latin = link.encode().decode("latin-1") + "\xe9"
    for text in (link + link, f"{link}\r\n", f"{link}\r\n{link}", latin, link + "A" * 950_000, link + " " * 950_000):
        _is_told(text)
    assert read_linked(f"{link}\r\n") == read_linked(link)


@settings(max_examples=examples(60))
@given(st.sampled_from(WHOLE), st.integers(0, 300), st.integers(0, 5), st.text(DIGITS + "%&?=", max_size=5))
def test_a_damaged_sudoku_is_a_model_or_one_fault(link: str, at: int, less: int, more: str) -> None:
    at %= len(link)
    _is_told(link[:at] + more + link[at + less :])


PARTS = ["cells", "lines", "value", "cell", "values", "direction", "v"]
values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 12) | st.sampled_from(["R1C1", "R0C2", "X", "DR", "7", "", "t"]),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.sampled_from(PARTS), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip
NAMES = [
    "thermometer",
    "arrow",
    "clone",
    "xv",
    "quadruple",
    "xsum",
    "littlekillersum",
    "negative",
    "grid",
    "size",
    "cage",
]
NAMES += ["killercage", "even", "rowindexer", "whispers", "cells", "regions", "cages", "metadata", "title"]


@given(st.dictionaries(st.sampled_from(NAMES), values, max_size=3), st.booleans())
@settings(max_examples=examples(40))
def test_any_json_is_a_model_or_one_fault(more: dict[str, Any], own: bool) -> None:
    rows = [[{}, {}], [{}, {}]]
    if own:
        _is_told(f"{PAD}scl{compress(json.dumps({'cells': rows, 'regions': [], 'cs': 50, 'metadata': {}, **more}))}")
    _is_told(packed({"size": 2, "grid": rows, **more}))


def _is_told(link: str) -> None:
    try:
        found = library.unlinked(Source("<text>", link))
    except ModelErrors as errors:
        assert [fault.code for fault in errors.diagnostics] == ["E606"]
        return
    assert found.text == link or "title" in found.text
