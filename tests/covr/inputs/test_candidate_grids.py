"""Grids of candidates, and the files of OpenSudoku, wherever a file with a sudoku may stand."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import covr
from covr.cli.group import cli
from covr.compiler.grids.blocks import without_xml
from covr.links.file import is_candidates
from tests.shared import examples

pytestmark = pytest.mark.long

DIGITS = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
OTHER = ".........64975382.8.2964573.25849367498637.523765.2489253.9874698.4762357643259.8"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


def _candidates(digits: str) -> list[str]:
    """What may stand in each square, judging by its row, column and box."""
    found = []
    for k, digit in enumerate(digits):
        seen = {
            d for j, d in enumerate(digits)
            if j // 9 == k // 9 or j % 9 == k % 9 or (j // 27, j % 9 // 3) == (k // 27, k % 9 // 3)
        }  # fmt: skip
        found.append(digit if digit != "." else "".join(d for d in "123456789" if d not in seen))
    return found


def _boxed(groups: list[str], corner: str = ".", side: str = ":") -> str:
    """Groups as programs write them that help with sudokus."""
    wide = max(map(len, groups)) + 1
    rows = [groups[k : k + 9] for k in range(0, 81, 9)]
    bars = [
        "| " + "| ".join("".join(word.ljust(wide) for word in row[k : k + 3]) for k in (0, 3, 6)) + "|" for row in rows
    ]
    rule = "-" * (3 * wide + 1)
    edges = [f"{corner}{rule}{corner}{rule}{corner}{rule}{corner}", f"{side}{rule}+{rule}+{rule}{side}"]
    return "\n".join([edges[0], *bars[:3], edges[1], *bars[3:6], edges[1], *bars[6:], edges[0].replace(".", "'")])


GROUPS = _candidates(DIGITS)
WAYS = {
    "boxed": _boxed(GROUPS),
    "starred": _boxed(GROUPS, "*", "|"),
    "rows": "\n".join(" ".join(GROUPS[k : k + 9]) for k in range(0, 81, 9)),
    "one line": " ".join(GROUPS),
}


def _answer(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli, list(words))
    return result.exit_code, result.stdout


@pytest.mark.parametrize("way", WAYS)
def test_candidates_are_what_may_stand_there(way: str, tmp_path: Path) -> None:
    path = tmp_path / "candidates.txt"
    path.write_text(WAYS[way] + "\n")
    assert _answer("solve", "sudoku", "--each", f"clue={path}", "--unique") == (0, SOLVED + "\n")
    assert _answer("count", "sudoku", "-D", f"clue=@{path}") == (0, "1\n")
    for text in (WAYS[way], str(path)):
        assert covr.link(text).load().unique()
        assert _answer("count", text) == (0, "1\n")


def test_a_candidate_that_is_taken_away_is_no_answer_any_more(tmp_path: Path) -> None:
    """Each candidate of the answer is needed: without it there is none; what is not of the answer changes nothing."""
    for at in (2, 40, 80):
        groups = list(GROUPS)
        place = next(k for k in [*range(at, 81), *range(at)] if len(groups[k]) > 2)
        for left, count in ((groups[place].replace(SOLVED[place], ""), "0\n"), (SOLVED[place], "1\n")):
            path = tmp_path / "one.txt"
            path.write_text(_boxed([*groups[:place], left, *groups[place + 1 :]]))
            assert _answer("count", "sudoku", "-D", f"clue=@{path}")[1] == count
            assert covr.link(path).load().count() == int(count)


@st.composite
def around_an_answer(draw: st.DrawFn) -> list[list[int]]:
    """Candidates for a sudoku of side 4, most of which leave an answer; of some squares only one, of some all."""
    more = draw(st.lists(st.sets(st.integers(1, 4)), min_size=16, max_size=16))
    answer = draw(st.sampled_from([*_every(), None]))
    return [sorted({*some, *(() if answer is None else (int(answer[k]),))}) or [1] for k, some in enumerate(more)]


@cache
def _every() -> list[str]:
    return [answer.line for answer in covr.load("sudoku", box=2, clue="." * 16).solutions()]


@given(around_an_answer())
@settings(max_examples=examples(30), deadline=None)
def test_sets_are_what_the_rules_say_of_sets(few: list[list[int]]) -> None:
    """Sets in `given` and trying all answers agree."""
    right = sum(all(int(text[k]) in digits for k, digits in enumerate(few)) for text in _every())
    clue = {(k // 4 + 1, k % 4 + 1): digits[0] if len(digits) == 1 else set(digits) for k, digits in enumerate(few)}
    assert covr.load("sudoku", box=2, clue=clue).count() == right


def test_a_collection_may_hold_candidates_beside_whole_and_faulty_grids(tmp_path: Path) -> None:
    path = tmp_path / "many.txt"
    wrong = list(GROUPS)
    wrong[2] = "44"
    path.write_text("\n\n".join([_boxed(GROUPS), _boxed(list(SOLVED)), _boxed(wrong), _boxed(_candidates(OTHER))]))
    result = CliRunner().invoke(cli, ["solve", "sudoku", "--each", f"clue={path}", "--unique"])
    lines = result.stdout.splitlines()
    assert lines[:3] == [SOLVED, SOLVED, "error"] and len(lines[3]) == 81 and result.exit_code == 2
    assert "several digits are what may stand there" in result.stderr
    assert "many.txt:30:" in result.stderr, "the place of the word that is no group"


def test_numbers_of_several_digits_stay_numbers(tmp_path: Path) -> None:
    """A model that has such numbers, and one whose grid is larger than its digits."""
    path = tmp_path / "numbers.txt"
    path.write_text(" ".join(["12"] * 5))
    model = tmp_path / "model.cover"
    model.write_text(
        'param a = grid(1, 5) """12 7 3 1 2"""\nchoose x(c, d) for c in 1..5, d in 1..12\nexactly one x per c\n'
        "given x(c, a[r, c]) for (r, c) in a\n"
    )
    for words in (["-D", f"a=@{path}"], ["--each", f"a={path}"]):
        assert "x(1, 12)" in _answer("solve", str(model), *words)[1]


XML = """<?xml version="1.0" encoding="UTF-8"?>
<opensudoku>
  <name>Mine</name>
  <author>me</author>
  <level>easy</level>
  <game data="{}" />
  <folder name="More"><game created="1" state="0" data='{}' note=""/><game data="{}"/></folder>
</opensudoku>
"""
SAVED = "version: {}&#10;" + "".join(
    f"{SOLVED[k] if k % 3 else digit.replace('.', '0')}|0|{int(digit == '.')}|" for k, digit in enumerate(DIGITS)
)
PLAIN = DIGITS.replace(".", "0")


def test_a_file_of_opensudoku_holds_sudokus_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "mine.opensudoku"
    later = SAVED.replace("|0|", "|0|0|")
    for text in (
        XML.format(PLAIN, SAVED.format(3), later.format(4)),
        XML.format(PLAIN, PLAIN, PLAIN).replace("\n", ""),
    ):
        path.write_text(text)
        result = CliRunner().invoke(cli, ["solve", "sudoku", "--each", f"clue={path}", "--unique"])
        assert (result.exit_code, result.stdout) == (0, f"{SOLVED}\n" * 3), result.stderr
    path.write_text(XML.format(PLAIN, "", "").replace('data="" ', "").replace("data=''", ""))
    path.write_text("<?xml version='1.0'?>\n<opensudoku><name>a</name>\n<game data='" + PLAIN + "' />\n</opensudoku>")
    assert _answer("count", "sudoku", "-D", f"clue=@{path}") == (0, "1\n")
    path.write_text(XML.format(PLAIN, PLAIN[1:], PLAIN.replace("5", "!", 1)))
    result = CliRunner().invoke(cli, ["solve", "sudoku", "--each", f"clue={path}"])
    assert result.stdout.splitlines() == [SOLVED, "error", "error"] and result.exit_code == 2
    path.write_text("<?xml version='1.0'?>\n<opensudoku>\n</opensudoku>\n")
    result = CliRunner().invoke(cli, ["solve", "sudoku", "--each", f"clue={path}"])
    assert result.exit_code == 2 and "holds no records" in result.stderr


def _told(path: Path, data: bytes, *words: str) -> None:
    """That a file is read, or that one kind of fault is told with its place."""
    path.write_bytes(data)
    result = CliRunner().invoke(cli, [*words[:2], *(word.format(path) for word in words[2:])])
    assert result.exit_code in (0, 1, 2) and "Traceback" not in result.output, result.output
    assert result.exit_code < 2 or "error" in result.stderr, result.output


@pytest.mark.parametrize("form", ["candidates", "xml"])
def test_a_damaged_file_is_read_or_one_fault(form: str, tmp_path: Path) -> None:
    path = tmp_path / "damaged.txt"
    text = _boxed(GROUPS) if form == "candidates" else XML.format(PLAIN, PLAIN, SAVED.format(3))
    whole = text.encode()
    damaged = [whole * 2, b"\xef\xbb\xbf" + whole, whole.replace(b"\n", b"\r\n"), whole + b"\xe9\n", b"\xe9" + whole]
    damaged += [whole.replace(b"\n", b" "), whole.replace(b"\n", b" ") * 2, whole.decode().encode("utf-16")]
    for data in damaged:
        _told(path, data, "solve", "sudoku", "--each", "clue={}")
        _told(path, data, "count", "sudoku", "-D", "clue=@{}")
    for at in range(0, len(whole), max(1, len(whole) // 12)):
        _told(path, whole[:at], "count", "sudoku", "-D", "clue=@{}")
    for mended in (b"\xef\xbb\xbf" + whole, whole.replace(b"\n", b"\r\n")):
        path.write_bytes(mended)
        assert _answer("solve", "sudoku", "--each", f"clue={path}", "--unique")[1].startswith(SOLVED)


def test_every_piece_of_a_file_of_opensudoku_is_lines_in_linear_size() -> None:
    text = XML.format(PLAIN, SAVED.format(3), PLAIN)
    for at in range(len(text)):
        lines = list(enumerate(text[:at].split("\n"), 1))
        found = list(without_xml(lines))
        assert sum(len(line) for _, line in found) <= 3 * at + 1 and {n for n, _ in found} <= {n for n, _ in lines}
    many = "<opensudoku>" + f'<game data="{PLAIN}"/>' * 10_000
    assert sum(len(line) for _, line in without_xml([(1, many)])) == 81 * 10_000
    for long in (
        "<opensudoku " + "data=" * 200_000,
        "<?xml" + " data" + " " * 1_000_000,
        "<?xml data='" + "1" * 1_000_000,
    ):
        assert sum(len(line) for _, line in without_xml([(1, long)])) <= len(long)


def test_every_piece_of_a_grid_of_candidates_is_a_link_or_none() -> None:
    text = _boxed(GROUPS)
    last = [found.start() for found in re.finditer("[1-9]+", text)][-1]
    assert [at for at in range(len(text)) if is_candidates(text[:at])] == list(range(last + 1, len(text)))
    for other in (text * 2, "\ufeff" + text, text + "\xe9", " ".join("1" * 81), " ".join(["12"] * 80), "12 " * 400_000):
        assert not is_candidates(other)
    assert is_candidates(text.replace("\n", "\r\n"))
