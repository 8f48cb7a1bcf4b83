"""`--each` with a file of links: a line for each, and a fault of one stops no other."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from covr.cli.each import compiled_link, drawn_line
from covr.cli.group import cli
from covr.compiler import compile_model
from covr.explain.drawn_answer import drawn_on
from covr.inputs import library
from covr.links.file import read_linked
from tests.links.published import answers, published

SUDOKU = "pzprv3/sudoku/4/. 1 . . /. . . 2 /3 . . . /. . {} . /. . . . /. . . . /. . . . /. . . . /"
LINKS = f"""# three links, and two that are none
https://puzz.link/p?slither/5/5/cbcbcddad

https://puzz.link/p?slither/5/5/cbcbcdda!
{SUDOKU.format(3)}
{SUDOKU.format(".")}
https://puzz.link/p?slitehr/5/5/cbcbcddad
pzprv3/sudoku/4/1 1 . . /. . . . /. . . . /. . . . /. . . . /. . . . /. . . . /. . . . /
"""


def _asked(tmp_path: Path, *args: str, text: str = LINKS) -> tuple[int, list[str], str]:
    path = tmp_path / "links.txt"
    path.write_text(text)
    result = CliRunner().invoke(cli, [args[0], "--each", str(path), *args[1:]])
    return result.exit_code, result.stdout.splitlines(), result.stderr


def test_every_link_has_a_line(tmp_path: Path) -> None:
    code, lines, told = _asked(tmp_path, "solve")
    assert code == 2
    assert [line.partition("/")[0] for line in lines] == [
        "pzprv3.1",
        "error",
        "pzprv3",
        "pzprv3",
        "error",
        "no solution",
    ]
    assert "line 4" in told and "line 7" in told and "did you mean `slither`?" in told
    assert told.endswith("6 links: 3 solved, 2 faulty, 1 without a solution\n")


def test_what_is_written_is_the_puzzle_with_an_answer(tmp_path: Path) -> None:
    _, lines, _ = _asked(tmp_path, "solve")
    for line in lines:
        if line.startswith("pzprv3"):
            assert CliRunner().invoke(cli, ["check", line]).stdout[-6:] == "right\n"


def test_the_answer_of_a_kind_is_drawn() -> None:
    for name in ("slither", "yajilin", "heyawake", "kakuro", "tents", "battleship", "shikaku", "nonogram", "hashikake"):
        linked, compiled = compiled_link(f"https://puzz.link/p?{name}/{published()[name]['url']}")
        again = read_linked(drawn_line(linked, compiled, answers(compiled, 1)[0]))
        assert drawn_on(again.board, again.kind)
        assert again.kind.params(again.board) == linked.kind.params(linked.board)


def test_a_link_is_compiled_as_its_text_is() -> None:
    link = "https://puzz.link/p?slither/5/5/cbcbcddad"
    assert compiled_link(link)[1].problem == compile_model(library.open_model(link)).problem


def test_links_are_counted_and_asked_for_uniqueness(tmp_path: Path) -> None:
    code, lines, _ = _asked(tmp_path, "count")
    assert (code, lines[:3], lines[4:]) == (2, ["1", "error", "1"], ["error", "0"])
    assert int(lines[3]) > 1
    code, lines, told = _asked(tmp_path, "solve", "--unique", text=f"{SUDOKU.format(3)}\n{SUDOKU.format('.')}\n")
    assert (code, lines[1], told) == (1, "not unique", "2 links: 1 unique, 1 not unique\n")
    code, lines, _ = _asked(tmp_path, "solve", "--limit-nodes", "0", text=LINKS.splitlines()[1])
    assert (code, lines) == (3, ["unknown"])


def test_json_has_a_record_for_each_link(tmp_path: Path) -> None:
    _, lines, _ = _asked(tmp_path, "solve", "--json")
    records = [entry for entry in map(json.loads, lines) if entry["type"] == "record"]
    assert [(entry["line"], entry["status"]) for entry in records] == [
        (2, "found"), (4, "fault"), (5, "found"), (6, "found"), (7, "fault"), (8, "none"),
    ]  # fmt: skip


def test_what_does_not_go_together_is_refused(tmp_path: Path) -> None:
    for args in (["solve"], ["count"], ["solve", "--each", "clue=x"], ["count", "queens", "--each", "x"]):
        assert CliRunner().invoke(cli, args).exit_code == 2
    assert _asked(tmp_path, "solve", "-D", "n=1")[0] == 2
    assert _asked(tmp_path, "solve", text="# nothing\n")[0] == 2
