"""Drawings of penpa-edit are read as the kind that is named, and nothing that is drawn is left out."""

from __future__ import annotations

import json
import zlib
from base64 import b64decode, b64encode
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

import covr
from covr.cli.group import cli
from covr.links.file import kind_name, read_address, read_linked, write_address
from covr.links.penpa import penpa_kind, read_penpa, write_penpa
from covr.links.places import Board, LinkFault, Place
from covr.links.table import kinds
from tests.each import each
from tests.links.published import published

KINDS = ("slither", "nurikabe", "heyawake", "mashu", "creek", "sudoku", "lits", "ripple", "kurodoko", "norinori")
# Kinds whose addresses hold more than such a drawing is read for.
NOT_DRAWN = {
    "aquarium", "barns", "batten", "battleship", "bosanowa", "box", "castle", "circuitwalk", "compass", "coral",
    "doppelblock", "dosufuwa", "easyasabc", "familyphoto", "icelom", "icelom2", "icewalk", "japanesesums", "kakuro",
    "kakuru", "kazunori", "kramma", "kropki", "magnets", "mejilink", "midloop", "minarism", "news", "nondango",
    "nonogram", "nothree", "numrope", "nurimaze", "orbital", "pentopia", "pipelink", "pipelinkr", "retroships",
    "sananko", "sashikabe", "simpleloop", "skyscrapers", "snake", "starbattle", "statuepark", "tapa", "tentaisho",
    "tents", "tetrochain", "tetrochaink", "toichika", "triplace", "vertigo", "voxas", "yajikazu", "yajilin",
    "yajitatami", "yosenabe",
}  # fmt: skip

SITE = "https://swaroopg92.github.io/penpa-edit/#m=solve&p="


def _packed(lines: list[str]) -> str:
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return SITE + b64encode(packer.compress("\n".join(lines).encode()) + packer.flush()).decode()


def _lines(high: int, wide: int, drawn: dict[str, Any], margins: tuple[int, ...] = (0, 0, 0, 0)) -> list[str]:
    above, below, left, right = margins
    head = f"square,{wide + left + right},{high + above + below},38,0,1,1"
    return [head, json.dumps(margins), "{}", json.dumps(drawn).replace('"number"', "zN").replace('"edge"', "zE"), "{}"]


def _drawn(board: Board, margins: tuple[int, ...] = (0, 0, 0, 0)) -> dict[str, Any]:
    """What a person would draw: numbers, borders and circles. Written from the format's description alone."""
    above, below, left, right = margins
    across, down = board.width + left + right + 4, board.height + above + below + 4

    def index(r: int, c: int, sort: int = 0) -> str:
        return str(sort * across * down + (r + above + 1 - sort) * across + c + left + 1 - sort)

    numbers, edges, symbols = {}, {}, {}
    kind = kinds()[board.kind]
    on_corners = board.kind == "creek"
    for place, value in board.layer("clue").items():
        numbers[index(place[0], place[1], int(on_corners))] = [str(value), 1, "1"]
    for place, value in board.layer("pearl").items():
        symbols[index(*place)] = [1 if value == "w" else 2, "circle_L", 2]
    for pair in board.layer("border"):
        edges[",".join(index(*corner, 1) for corner in _ends(pair))] = 2
    assert kind is not None
    return {"number": numbers, "edge": edges, "symbol": symbols, "surface": {}, "line": {}}


def _ends(pair: Place) -> list[tuple[int, int]]:
    (r, c), (i, _) = pair
    return [(r, c + 1), (r + 1, c + 1)] if r == i else [(r + 1, c), (r + 1, c + 1)]


@pytest.mark.parametrize("name", KINDS)
def test_a_drawing_is_the_board_that_was_drawn(name: str) -> None:
    kind = kinds()[name]
    board = read_address(kind_name(f"https://puzz.link/p?{name}/{published()[name]['url']}")[1], kind)
    for margins in ((0, 0, 0, 0), (1, 0, 2, 3)):
        text = _packed(_lines(board.height, board.width, _drawn(board, margins), margins))
        found = read_linked(text, name).board
        assert write_address(found, kind) == write_address(board, kind)


def _sudoku(**drawn: Any) -> str:
    return _packed(_lines(4, 4, {"number": {"18": ["1", 1, "1"]}, **drawn}))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (_sudoku(thermo=[[18, 19]]), "thermometers"),
        (_sudoku(symbol={"18": [1, "circle_L", 1]}), "symbols"),
        (_sudoku(number={"18": ["A", 1, "1"]}), "`A` is no number"),
        (_sudoku(number={"3": ["1", 1, "1"]}), "outside its board"),
        (_sudoku(number={"99999999": ["1", 1, "1"]}), "neither in a square"),
        (_sudoku(number=[1]), "damaged"),
        (_packed(["hex,4,4", "[0,0,0,0]", "", "{}", ""]), "not made of squares"),
        (_packed(["square,1000000000,1000000000", "[0,0,0,0]", "", "{}", ""]), "not begin|too large"),
        (_packed(["square,4,4", "[0,0,0,9000]", "", "{}", ""]), "margins"),
        (_packed(["square,4,4", "[0,0,0,0]", "", "[" * 100_000, ""]), "damaged"),
        (_packed(["square,4,4", "[0,0,0,0]", "", " " * 40_000_000, ""]), "unpacks to more than"),
        (_sudoku()[:-8], "cut off|damaged"),
        (_sudoku().replace("p=", "p=%2525"), "twice"),
        (SITE + "A" * 2_000_000, "more than"),
        (SITE.removesuffix("p="), "no puzzle stands"),
    ],
)
def test_what_can_not_be_read_is_named(text: str, told: str) -> None:
    with pytest.raises(LinkFault, match=told):
        read_linked(text, "sudoku")


@pytest.mark.parametrize("name", ["starbattle", "tents", "nonogram", "kakuro", "battleship"])
def test_a_kind_that_a_drawing_does_not_tell_is_refused(name: str) -> None:
    with pytest.raises(LinkFault, match="can't be read from such an address"):
        read_linked(_sudoku(), name)


def test_damaged_drawings_are_faults() -> None:
    random, text = Random(34), _packed(_lines(5, 5, {"number": {"22": ["1", 1, "1"]}, "edge": {"1,2": 2}}))
    for _ in range(500):
        at = random.randrange(len(SITE), len(text))
        try:
            read_linked(text[:at] + random.choice("AZaz09+/=%\n{é") + text[at + random.randrange(3) :], "heyawake")
        except LinkFault as fault:
            assert len(str(fault)) < 300


def test_the_kind_is_asked_for(tmp_path: Path) -> None:
    numbers = {str(8 * r + c): [digit, 1, "1"] for (r, c), digit in {(2, 2): "1", (3, 4): "2", (4, 3): "3"}.items()}
    text = _packed(_lines(4, 4, {"number": {**numbers, "45": ["?", 1, "7"]}}))
    result = CliRunner().invoke(cli, ["solve", text])
    assert result.exit_code == 2 and "--as KIND" in result.stderr
    result = CliRunner().invoke(cli, ["convert", text, "--as", "sudoku", "--to", "puzz.link"])
    assert result.stdout == "https://puzz.link/p?sudoku/4/4/1k2h3l\n"
    out = tmp_path / "my.cover"
    assert CliRunner().invoke(cli, ["convert", text, str(out), "--as", "sudoku"]).exit_code == 0
    assert covr.load(out).params["clue"] == covr.link(text, kind="sudoku").load().params["clue"]
    assert CliRunner().invoke(cli, ["convert", text, str(out), "--as", "sudku"]).exit_code == 2
    assert CliRunner().invoke(cli, ["convert", "queens", "a.dlx", "--as", "sudoku"]).exit_code == 2
    for command in ("solve", "count", "show", "why", "grade", "candidates"):
        result, same = (CliRunner().invoke(cli, [command, *words]) for words in ([text, "--as", "sudoku"], [str(out)]))
        assert (result.exit_code, result.stdout) == (same.exit_code, same.stdout)
        assert result.exit_code < 2
    slither = "https://puzz.link/p?slither/5/5/cbcbcddad"
    for name, told in (("queens", "no link to a puzzle"), (slither, "`slither`, not")):
        result = CliRunner().invoke(cli, ["count", name, "--as", "sudoku"])
        assert result.exit_code == 2 and told in result.stderr


@each("name", [name for name in kinds() if name not in NOT_DRAWN])
def test_what_is_written_is_read_again(name: str) -> None:
    kind = kinds()[name]
    board = read_address(kind_name(f"https://puzz.link/p?{name}/{published()[name]['url']}")[1], kind)
    assert read_penpa(write_penpa(board, kind), kind) == board


@pytest.mark.parametrize("name", ["kramma", "tents", "starbattle", "yajilin"])
def test_a_kind_that_a_drawing_can_not_hold_is_refused(name: str) -> None:
    kind = kinds()[name]
    assert name in NOT_DRAWN
    board = read_address(kind_name(f"https://puzz.link/p?{name}/{published()[name]['url']}")[1], kind)
    with pytest.raises(LinkFault, match=name):
        write_penpa(board, kind)


@pytest.mark.parametrize(("high", "wide"), [(1, 1), (2, 3), (3, 2), (4, 4), (7, 5)])
def test_the_page_has_all_its_squares_and_is_centred(high: int, wide: int) -> None:
    """As the editor counts its points: squares, corners, then the middles of borders below, then of those beside."""
    address = write_penpa(Board("slither", high, wide, "", {}), kinds()["slither"])
    lines = zlib.decompress(b64decode(address.partition("p=")[2]), -zlib.MAX_WBITS).decode().split("\n")
    head = lines[0].split(",")
    assert head[:3] == ["square", str(wide), str(high)] and json.loads(lines[10]) == [3, 2, 3]
    assert json.loads(lines[17]) == ["slitherlink"] and not any(lines[11:17])
    inside = list(accumulate(json.loads(lines[5])))
    across, down = wide + 4, high + 4
    assert inside == [(r + 2) * across + c + 2 for r in range(high) for c in range(wide)]
    sort, at = divmod(int(head[9]), across * down)
    y, x = divmod(at, across)
    assert (y + (0.5, 1, 1, 0.5)[sort], x + (0.5, 1, 0.5, 1)[sort]) == (down / 2, across / 2)


def test_a_model_is_written_as_a_drawing() -> None:
    done = CliRunner().invoke(cli, ["convert", "masyu", "--to", "penpa"])
    assert done.exit_code == 0, done.stderr
    assert covr.link(done.stdout.strip(), "mashu").load().count() == covr.load(done.stdout.strip()).count() == 1
    refused = CliRunner().invoke(cli, ["convert", "star_battle", "--to", "penpa-edit"])
    assert refused.exit_code == 2 and "a drawing does not say enough" in refused.stderr


def _tagged(*tags: object, drawn: dict[str, Any] | None = None, line: str | None = None) -> str:
    """A drawing with tags, which stand in its eighteenth line. line: that line itself."""
    lines = _lines(4, 4, {"number": {"18": ["1", 1, "1"]}} if drawn is None else drawn)
    lines += [""] * (17 - len(lines))
    return _packed([*lines, json.dumps(tags).replace("z", "zZ") if line is None else line, "false"])


# What penpa-edit calls these kinds in its own list of tags.
TAGGED = {
    "classic": "sudoku", "slitherlink": "slither", "masyu": "mashu", "akari": "lightup", "kuromasu": "kurodoko",
    "battleships": "battleship", "numberlink": "numlin", "yajikazu (yajisan-kazusan)": "yajikazu",
    "regional yajilin": "yajilin-regions", "renban (renban-madoguchi)": "renban", "yin-yang": "yinyang",
    "hashiwokakero (hashi/bridges)": "hashikake", "nurikabe": "nurikabe", "moon or sun": "moonsun",
}  # fmt: skip


@pytest.mark.parametrize("tag", TAGGED)
def test_a_tag_says_which_kind_it_is(tag: str) -> None:
    for tags in ([tag], [tag, "noconflict"], ["non-alphanumeric", tag, tag]):
        assert penpa_kind(_tagged(*tags)).name == TAGGED[tag]


def test_a_drawing_with_a_tag_is_opened_without_being_told_its_kind() -> None:
    text = _tagged("classic")
    assert read_linked(text) == read_linked(text, "sudoku")
    assert (
        CliRunner()
        .invoke(cli, ["convert", text, "--to", "puzz.link"])
        .stdout.startswith("https://puzz.link/p?sudoku/4")
    )
    assert read_linked(text, "nurikabe").kind.name == "nurikabe", "who says the kind knows better than a tag"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (_tagged(), "has no tag"),
        (_tagged("puzzlehunt"), "has no tag"),
        (_tagged("classic", "thermo"), "`classic`, `thermo`, do not say one kind"),
        (_tagged("battleship"), "`battleship`, do not say one kind"),
        (_tagged("classic", "nurikabe"), "do not say one kind"),
        (_tagged("bricks"), "`bricks`, do not say one kind"),
        (_tagged(["classic"]), "line 18 is no list of tags"),
        (_tagged(line="{}"), "line 18 is no list of tags"),
        (_tagged(line='["classic"'), "damaged"),
        (_tagged(line="[" * 100_000), "damaged"),
        (_tagged("a" * 1_000_000), "do not say one kind"),
        (_tagged("starbattle"), "can't be read from such an address"),
    ],
    ids=lambda text: text[-20:],
)
def test_tags_that_say_no_kind_are_named(text: str, told: str) -> None:
    result = CliRunner().invoke(cli, ["solve", text])
    assert result.exit_code == 2 and told in result.stderr and len(result.stderr) < 800
    assert ("--as KIND" in result.stderr) == ("no tag" in told or "one kind" in told)


def test_an_empty_text_is_no_number_but_an_empty_circle_is_a_clue() -> None:
    """penpa-edit keeps an entry without a text where a number was taken away; a number that is hidden has a circle."""
    numbers = {"18": ["1", 1, "1"], "19": ["", 1, "1"], "20": [" ", 4, "1"], "21": ["", 1, "7"], "26": ["  ", 1]}
    assert read_linked(_tagged("classic", drawn={"number": numbers})) == read_linked(_tagged("classic"))
    for style in (5, 6, 7, 11):
        board = read_linked(_tagged("kurodoko", drawn={"number": {**numbers, "27": [" ", style, "1"]}})).board
        assert board.layer("clue") == {(1, 1): 1, (2, 2): "?"}


def test_short_names_and_a_z_are_written_in_full() -> None:
    line = '{zN:{"18":["zZ",1,"1"]}}'
    lines = _lines(4, 4, {})
    lines[3] = line
    with pytest.raises(LinkFault, match="`z` is no number"):
        read_linked(_packed(lines), "sudoku")
    lines[3] = '{zN:{"18":["1",zO,"1"]},"szZ":zO}'
    assert read_linked(_packed(lines), "sudoku").board.layer("clue") == {(1, 1): 1}


@each("name", [name for name in kinds() if name not in NOT_DRAWN])
def test_a_drawing_that_is_written_says_its_kind(name: str) -> None:
    assert read_linked(write_penpa(Board(name, 4, 4, "", {}), kinds()[name])).kind.name == name


def test_a_drawing_that_was_cut_or_changed_is_read_or_one_fault() -> None:
    whole = _tagged("classic")
    lines = zlib.decompress(b64decode(whole.partition("p=")[2]), -zlib.MAX_WBITS).decode()
    changed = [whole[:at] for at in range(len(SITE), len(whole))]
    changed += [_packed([lines[:at]]) for at in range(len(lines))]
    changed += [whole * 2, "\ufeff" + whole, whole + "\r\n", _packed([lines.replace("\n", "\r\n")]), whole + "\xe9"]
    changed += [_packed([lines * 2]), _packed(["\ufeff" + lines]), whole + "A" * 900_000]
    read = 0
    for text in changed:
        try:
            covr.link(text)
            read += 1
        except covr.ModelErrors as errors:
            (fault,) = errors.diagnostics
            assert fault.code == "E606" and len(fault.message) < 400 and "\n" not in fault.message
    assert read >= 4, "one that ends behind its tags, with a line end of any sort, is whole"
