"""The command, called in this process: what it prints, where, and with which exit code."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import attrs
import click
import pytest
from click.testing import Result

from covr.cli.group import COMMANDS, cli
from covr.cli.new import _opening
from covr.dsl.codes import CODES
from covr.engine import back_end, kernel
from covr.engine.base import limits as memory
from covr.engine.kernels import loading
from covr.inputs.as_link import starter
from covr.questions.options import Options
from tests.covr.command import Covr, covr, write
from tests.shared import SHARED, needs_shared

__all__ = ["covr"]

DATA = SHARED / "data"

EMPTY = 'cells i in 1..3\nchoose f(i) where i < 3\nexactly one f per i   "{i} is met"\n'
# A model whose parameter is a grid and whose answers copy it.
ROW = """
title "Row"
param clue = grid(1, 4) "1..."
cells c in 1..4
values d in 1..4
choose put(c, d)
exactly one put per c
exactly one put per d
given put(c, clue[1, c]) for c in 1..4 where (1, c) in clue and clue[1, c] != 0
show d of put at 1, c
""".replace('"1..."', '"""\n  1...\n"""')


def objects(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


# --- solve --------------------------------------------------------------------------------------------------


def test_solve_prints_title_and_picture(covr: Covr) -> None:
    result = covr("solve", "queens", "-D", "n=4")
    assert result.exit_code == 0
    assert result.stdout == "N queens\n\n. Q . .\n. . . Q\nQ . . .\n. . Q .\n"
    assert result.stderr == ""


def test_solve_draws_the_sudoku(covr: Covr) -> None:
    result = covr("solve", "sudoku")
    assert result.stdout.splitlines()[2:5] == [
        "+-------+-------+-------+",
        "| 5 3 4 | 6 7 8 | 9 1 2 |",
        "| 6 7 2 | 1 9 5 | 3 4 8 |",
    ]


def test_solve_all_numbers_the_answers(covr: Covr) -> None:
    result = covr("solve", "queens", "-D", "n=4", "--all")
    assert result.exit_code == 0
    assert result.stdout.count("N queens (answer ") == 2
    assert result.stderr == "2 solutions\n"


def test_solve_gives_as_many_answers_as_are_asked_for(covr: Covr) -> None:
    result = covr("solve", "queens", "-n", "3")
    assert result.stdout.count("(answer ") == 3
    assert "(answer 3)" in result.stdout
    assert covr("solve", "queens", "-D", "n=4", "-n", "3").stdout.count("(answer ") == 2


def test_solve_proves_that_there_is_none(covr: Covr) -> None:
    result = covr("solve", "queens", "-D", "n=3")
    assert (result.exit_code, result.stdout) == (1, "no solution\n")


def test_solve_says_why_there_is_none(covr: Covr) -> None:
    result = covr("solve", write("m.cover", EMPTY))
    assert (result.exit_code, result.stdout) == (1, "no solution\n")
    assert "no solution[W203]" in result.stderr
    assert '"3 is met"' in result.stderr


def test_solve_says_that_an_answer_is_unique(covr: Covr) -> None:
    result = covr("solve", "sudoku", "--unique")
    assert result.exit_code == 0
    assert result.stdout.endswith("\nunique\n")


def test_solve_not_unique_shows_two(covr: Covr) -> None:
    result = covr("solve", "queens", "--unique")
    assert result.exit_code == 1
    assert result.stdout.count("N queens") == 2
    assert result.stdout.endswith("\nnot unique\n")


def test_solve_unique_says_that_there_is_no_answer(covr: Covr) -> None:
    result = covr("solve", "queens", "-D", "n=3", "--unique")
    assert (result.exit_code, result.stdout) == (1, "no solution\n")


LARGE = "choose f(i) for i in 1..60000\nexactly one f per i div 2\n"
ASKING = ("solve", "count", "sample", "make", "candidates", "hint", "grade", "why", "spare", "size", "trace")


@pytest.mark.parametrize("command", ASKING)
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_limit_ends_compiling(covr: Covr, command: str, form: tuple[str, ...]) -> None:
    write("large.cover", LARGE)
    result = covr(command, "large.cover", "--limit-time", "0.001", *form)
    assert result.exit_code == 3
    assert result.stderr == "stopped after 0.001 s, while the model was compiled: nothing is known yet\n"
    if not form:
        assert result.stdout == ""
        return
    [end] = map(json.loads, result.stdout.splitlines())
    assert (end["type"], end["status"], end["exit"], end["limit"]) == ("end", "unknown", 3, "time")


def test_a_limit_of_memory_ends_compiling(covr: Covr) -> None:
    write("large.cover", LARGE)
    result = covr("count", "large.cover", "--limit-memory", "1M")
    assert (result.exit_code, result.stdout) == (3, "")
    assert result.stderr == "stopped at 1 MB of memory, while the model was compiled: nothing is known yet\n"


def test_half_of_the_memory_is_the_limit_where_none_is_asked_for(covr: Covr, monkeypatch: pytest.MonkeyPatch) -> None:
    write("large.cover", LARGE)
    monkeypatch.setattr(memory, "usual", lambda: 1_000_000)
    result = covr("count", "large.cover")
    assert (result.exit_code, result.stdout) == (3, "")
    assert result.stderr == "stopped at 1 MB of memory, while the model was compiled: nothing is known yet\n"
    result = covr("count", "queens", "-D", "n=12", "--jobs", "1")
    assert result.exit_code == 3 and "stopped at 1 MB of memory" in result.stderr
    assert covr("count", "queens", "--limit-memory", "8G").stdout == "92\n"


@pytest.mark.parametrize("option", [("--limit-nodes", "3"), ("--limit-time", "0")])
def test_a_limit_without_an_answer_is_not_none(covr: Covr, option: tuple[str, str]) -> None:
    result = covr("solve", "queens", "-D", "n=30", *option)
    assert result.exit_code == 3
    assert result.stdout == ""
    assert result.stderr.startswith("stopped after ")
    assert result.stderr.endswith(": whether there is a solution is not known\n")


def test_all_with_a_limit_is_open(covr: Covr) -> None:
    result = covr("solve", "queens", "--all", "--limit-nodes", "200")
    assert result.exit_code == 3
    assert "whether there are more is not known" in result.stderr


def test_minimum_is_proved(covr: Covr) -> None:
    result = covr("solve", "experts")
    assert result.exit_code == 0
    assert result.stdout.endswith("\nminimum 2, proved\n")


def test_every_best_answer_is_listed(covr: Covr) -> None:
    result = covr("solve", "experts", "--all")
    assert result.stdout.count("(answer ") == 2
    assert result.stdout.endswith("\nminimum 2, proved\n")
    assert result.stderr == "2 solutions\n"
    only = covr("solve", "experts", "-n", "1")
    assert (only.stdout.count("(answer "), only.stderr) == (1, "")
    assert covr("solve", "experts", "--unique").exit_code == 1


def test_a_minimum_that_is_not_proved(covr: Covr) -> None:
    result = covr("solve", "queen_domination", "-D", "n=9", "--limit-nodes", "60")
    assert result.exit_code == 0
    assert re.search(r"\nbest \d+, at least \d+\n$", result.stdout)
    assert "whether there is a better solution is not known" in result.stderr


@pytest.mark.parametrize("option", ["--estimate=lp", "--engine=interpreted"])
def test_a_name_of_an_earlier_version_is_answered_with_what_to_do(covr: Covr, option: str) -> None:
    result = covr("solve", "experts", option)
    assert result.exit_code == 2
    assert "E505" in result.stderr and "it went, because" in result.stderr


def test_an_estimate_is_chosen_by_name(covr: Covr) -> None:
    for estimate in ("classic", "none"):
        assert "minimum 2, proved" in covr("solve", "experts", "--estimate", estimate).stdout
    result = covr("solve", "experts", "--estimate", "clasic")
    assert result.exit_code == 2
    assert "did you mean `classic`?" in result.stderr


def test_seeds_change_the_order_and_nothing_else(covr: Covr) -> None:
    one, again = (covr("solve", "queens", "--seed", "3").stdout for _ in "ab")
    assert one == again
    assert covr("count", "queens", "--seed", "3").stdout == "92\n"


def test_one_answer_of_each_class_is_listed(covr: Covr) -> None:
    result = covr("solve", "langford", "--all")
    assert result.stderr == "26 solutions\n"
    first = covr("solve", "langford").stdout.splitlines()[2]
    assert first in result.stdout


# --- params -------------------------------------------------------------------------------------------------


def test_params_are_read_from_a_file(covr: Covr) -> None:
    write("clue.txt", "4321\n")
    assert "4 3 2 1" in covr("solve", write("row.cover", ROW), "-D", "clue=@clue.txt").stdout


@pytest.mark.parametrize(
    ("define", "message"),
    [
        ("n", "sets nothing"),
        ("=3", "sets nothing"),
        ("m=3", "no param `m`"),
        ("n=@nowhere", "nowhere"),
    ],
)
def test_params_that_are_wrong(covr: Covr, define: str, message: str) -> None:
    result = covr("solve", "queens", "-D", define)
    assert result.exit_code == 2
    assert message in result.stderr


def test_a_param_may_not_be_set_twice(covr: Covr) -> None:
    assert "`n` is set twice" in covr("solve", "queens", "-D", "n=4", "-D", "n=5").stderr


# --- each ---------------------------------------------------------------------------------------------------


def test_each_writes_a_line_for_every_record(covr: Covr) -> None:
    write("sizes", "# sizes\n4\n3\n5\n")
    result = covr("solve", "queens", "--each", "n=sizes")
    assert result.stdout.splitlines() == [".Q.....QQ.....Q.", "no solution", "Q......Q......Q.Q......Q."]
    assert result.stderr == "3 records: 2 solved, 1 without a solution\n"
    assert result.exit_code == 1


def test_each_tells_which_records_are_unique(covr: Covr) -> None:
    write("rows", "1234\n12..\n123.\n")
    result = covr("solve", write("row.cover", ROW), "--each", "clue=rows", "--unique")
    assert result.stdout.splitlines() == ["1234", "not unique", "1234"]
    assert result.exit_code == 1


def test_each_reports_a_faulty_record_and_goes_on(covr: Covr) -> None:
    write("rows", "# rows\n1234\n12345678\n123.\n")
    result = covr("solve", write("row.cover", ROW), "--each", "clue=rows")
    assert result.stdout.splitlines() == ["1234", "error", "1234"]
    assert "rows:3:5" in result.stderr
    assert "in record 2, line 3" in result.stderr
    assert result.exit_code == 2


def test_each_never_opens_what_a_record_names(covr: Covr) -> None:
    write("secret", "1234")
    write("rows", "@secret\n")
    result = covr("solve", write("row.cover", ROW), "--each", "clue=rows")
    assert result.exit_code == 2
    assert "1234" not in result.stdout


def test_each_tells_which_records_are_undecided(covr: Covr) -> None:
    write("sizes", "4\n30\n")
    result = covr("solve", "queens", "--each", "n=sizes", "--limit-nodes", "8")
    assert result.stdout.splitlines()[1] == "unknown"
    assert result.exit_code == 3


def test_each_reads_standard_input_and_gives_every_answer(covr: Covr) -> None:
    result = covr("solve", "queens", "--each", "n=-", "--all", input="4\n")
    assert result.stdout.splitlines() == [".Q.....QQ.....Q.", "..Q.Q......Q.Q.."]


@pytest.mark.parametrize(
    ("each", "message"),
    [
        ("n", "names no file"),
        ("m=sizes", "no param `m`"),
        ("n=nowhere", "can't be read"),
        ("n=empty", "holds no records"),
        ("n=.", "is a folder"),
        ("n=binary", "is not UTF-8 text"),
    ],
)
def test_each_refuses_a_wrong_file(covr: Covr, each: str, message: str) -> None:
    write("sizes", "4\n")
    write("empty", "# nothing\n")
    Path("binary").write_bytes(b"\xff\xfe\x00")
    result = covr("solve", "queens", "--each", each)
    assert result.exit_code == 2
    assert message in result.stderr


@needs_shared
def test_project_euler_96_is_solved(covr: Covr) -> None:
    result = covr("solve", "sudoku", "--each", f"clue={DATA / 'euler96.txt'}")
    lines = result.stdout.splitlines()
    assert len(lines) == 50
    assert sum(int(line[:3]) for line in lines) == 24702
    assert result.exit_code == 0


@needs_shared
@pytest.mark.parametrize("name", ["sudoku17_1000.txt", "hard11_1000.txt"])
def test_collections_are_unique(covr: Covr, name: str) -> None:
    result = covr("solve", "sudoku", "--unique", "--each", f"clue={DATA / name}")
    assert result.stderr == "1000 records: 1000 unique\n"
    assert all(re.fullmatch("[1-9]{81}", line) for line in result.stdout.splitlines())


# --- json ---------------------------------------------------------------------------------------------------


def test_solve_writes_json(covr: Covr) -> None:
    start, first, second, end = objects(covr("solve", "queens", "-D", "n=4", "--all", "--json"))
    assert (start["type"], start["title"], start["options"], start["goal"]) == ("start", "N queens", 16, None)
    assert (first["type"], first["number"], second["number"]) == ("solution", 1, 2)
    assert first["choices"][0] == {"family": "queen", "args": [1, 2]}
    assert first["text"] == ".Q.....QQ.....Q."
    assert (end["type"], end["status"], end["exit"], end["answers"], end["complete"]) == ("end", "found", 0, 2, True)
    assert end["nodes"] > 0


def test_json_of_a_minimum_gives_better_answers_as_they_are_found(covr: Covr) -> None:
    found = objects(covr("solve", "experts", "--json"))
    solutions = [o for o in found if o["type"] == "solution"]
    assert [o["proved"] for o in solutions] == [False] * (len(solutions) - 1) + [True]
    assert solutions[-1]["cost"] == found[-1]["cost"] == found[-1]["bound"] == 2
    assert solutions[-1]["choices"][0]["args"][0]["name"] == "ann"


def test_json_errors_have_places(covr: Covr) -> None:
    result = covr("solve", write("m.cover", "choose f(i)\nexactly one f per\n"), "--json")
    error, end = objects(result)
    assert result.exit_code == 2
    assert error["type"] == "error"
    assert (error["file"], error["line"]) == ("m.cover", 3) or error["line"] in (1, 2)
    assert end["status"] == "fault"


def test_json_tells_no_answer_from_an_open_question(covr: Covr) -> None:
    assert objects(covr("solve", "queens", "-D", "n=3", "--json"))[-1]["status"] == "none"
    end = objects(covr("solve", "queens", "-D", "n=30", "--limit-nodes", "2", "--json"))[-1]
    assert (end["status"], end["exit"], end["complete"]) == ("unknown", 3, False)
    assert objects(covr("solve", "queens", "--unique", "--json"))[-1]["status"] == "not unique"


def test_json_has_an_object_for_each_record(covr: Covr) -> None:
    write("sizes", "4\nx\n3\n")
    result = covr("solve", "queens", "--each", "n=sizes", "--json")
    found = objects(result)
    assert [o["type"] for o in found] == ["start", "solution", "record", "error", "record", "record", "end"]
    assert [o["status"] for o in found if o["type"] == "record"] == ["found", "fault", "none"]
    assert result.exit_code == found[-1]["exit"] == 2


def test_json_of_a_count(covr: Covr) -> None:
    assert objects(covr("count", "queens", "--json"))[-1]["answers"] == 92


# --- count --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "code", "out"),
    [
        (("queens",), 0, "92\n"),
        (("queens", "-D", "n=3"), 1, "0\n"),
        (("langford",), 0, "26\n"),
        (("experts",), 0, "2\n"),
    ],
)
def test_count_prints_the_number_of_answers(covr: Covr, args: tuple[str, ...], code: int, out: str) -> None:
    result = covr("count", *args)
    assert (result.exit_code, result.stdout) == (code, out)


def test_count_with_a_limit(covr: Covr) -> None:
    result = covr("count", "queens", "--limit-nodes", "500")
    assert (result.exit_code, result.stdout) == (3, "")
    assert re.fullmatch(r"stopped after 500 nodes: at least \d+ solutions; \d\.\d % of the tree\n", result.stderr)
    result = covr("count", "queen_domination", "--limit-nodes", "40")
    assert (result.exit_code, result.stdout) == (3, "")
    assert "nothing was counted" in result.stderr


# --- check, test, show, new ---------------------------------------------------------------------------------


def test_check_finds_no_faults_in_the_gallery(covr: Covr) -> None:
    result = covr("check", "sudoku", "queens")
    assert (result.exit_code, result.stdout) == (0, "sudoku: no errors\nqueens: no errors\n")


def test_check_reports_errors_and_exits_with_2(covr: Covr) -> None:
    result = covr("check", write("m.cover", "choose queen(r) for r in 1..2\nexactly one queens per r\n"), "queens")
    assert result.exit_code == 2
    assert result.stdout == "m.cover: 1 error\nqueens: no errors\n"
    assert "did you mean `queen`?" in result.stderr


def test_check_reports_warnings_and_exits_with_0(covr: Covr) -> None:
    result = covr("check", write("m.cover", EMPTY))
    assert result.exit_code == 0
    assert "W203" in result.stderr
    found = objects(covr("check", "m.cover", "--json"))
    assert found[0]["type"] == "warning"
    assert found[-1] == {"type": "end", "model": "m.cover", "errors": 0, "warnings": len(found) - 1}


ROOKS = "param n = 2\ncells r, c in 1..n\nchoose rook(r, c)\nexactly one rook per r\nexactly one rook per c\n"


def test_test_tells_kept_from_broken_promises(covr: Covr) -> None:
    write("rooks.cover", ROOKS + "expect 2 solutions\nexpect 6 solutions with n = 3\n")
    write("library.cover", "let x = 1\n")
    result = covr("test", ".")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0].startswith("✓ rooks.cover:6  2 solutions")
    assert lines[1].startswith("✓ rooks.cover:7  6 solutions with n = 3")
    assert lines[2] == "2 kept, 0 broken"


@pytest.mark.parametrize(
    ("expect", "found"),
    [
        ("expect 3 solutions", "found 2 solutions"),
        ("expect unique", "found more than one solution"),
        ("expect no solution", "found a solution"),
        ("expect minimum 2", "found a model without a goal"),
        ("expect no solution with n = 1", "found a solution"),
        ("minimize r of rook\nexpect minimum 4", "found minimum 3"),
    ],
)
def test_test_shows_expected_and_found(covr: Covr, expect: str, found: str) -> None:
    result = covr("test", write("rooks.cover", ROOKS + expect))
    assert result.exit_code == 1
    assert result.stdout.startswith("✗ rooks.cover:")
    assert found in result.stdout
    assert result.stdout.endswith("0 kept, 1 broken\n")


def test_test_with_a_limit_is_open(covr: Covr) -> None:
    result = covr("test", "queens", "--limit-nodes", "100")
    assert result.exit_code == 3
    assert "? queens:" in result.stdout


def test_test_refuses_a_faulty_model(covr: Covr) -> None:
    result = covr("test", write("m.cover", "choose f(i)\nexpect unique"))
    assert result.exit_code == 2
    assert "1 faulty model" in result.stdout


def test_test_says_that_nothing_is_promised(covr: Covr) -> None:
    assert "warning[W103]: this model promises nothing" in covr("test", write("m.cover", ROOKS)).stderr
    allowed = ROOKS.replace("choose", "# covr: allow W103\nchoose")
    assert covr("test", write("m.cover", allowed)).stderr == "m.cover: no `expect` lines\n"
    assert "W10" not in covr("check", write("m.cover", allowed)).stderr


def test_show_lists_the_items_of_each_rule(covr: Covr) -> None:
    result = covr("show", "sudoku")
    assert result.exit_code == 0
    assert "items     324  (324 primary, 0 secondary)" in result.stdout
    assert "options   729  (30 given)" in result.stdout
    assert "  exactly one place per r, c                 81 items" in result.stdout


def test_show_lists_items_and_options(covr: Covr) -> None:
    write("m.cover", EMPTY)
    assert covr("show", "m.cover", "--items").stdout == (
        "1 is met\texactly 1\t1\n2 is met\texactly 1\t1\n3 is met\texactly 1\t0\n"
    )
    assert covr("show", "m.cover", "--options").stdout == "f(1)\t1 is met\nf(2)\t2 is met\n"


def test_new_writes_a_model_that_can_be_solved(covr: Covr) -> None:
    assert covr("new", "my_rooks").exit_code == 0
    assert 'title "My rooks"' in Path("my_rooks.cover").read_text(encoding="utf-8")
    assert covr("check", "my_rooks.cover").stdout == "my_rooks.cover: no errors\n"
    assert covr("test", "my_rooks.cover").exit_code == 0
    assert covr("solve", "my_rooks").exit_code == 0


def test_the_studio_begins_with_the_same_model() -> None:
    _, opening = _opening(None)
    assert opening["text"] == starter(Path("untitled.cover"), "Rooks") and opening["model"] is None


def test_new_never_overwrites(covr: Covr) -> None:
    write("mine.cover", "precious")
    result = covr("new", "mine")
    assert result.exit_code == 2
    assert "exists already" in result.stderr
    assert Path("mine.cover").read_text(encoding="utf-8") == "precious"
    assert covr("new", "no/such/folder").exit_code == 2


# --- where models are found ---------------------------------------------------------------------------------


def test_a_model_is_read_from_standard_input(covr: Covr) -> None:
    result = covr("solve", "-", input=ROW)
    assert "1 2 3 4" in result.stdout
    assert "<stdin>:1:1" in covr("solve", "-", input="nonsense").stderr


def test_a_file_wins_over_the_gallery(covr: Covr) -> None:
    write("queens.cover", 'title "Mine"\n' + ROOKS)
    assert covr("solve", "queens").stdout.startswith("Mine\n")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("nowhere.cover", None, "E501"),
        ("sudoko", None, "did you mean `sudoku`?"),
        ("binary.cover", b"\x80\x81\xff", "is not UTF-8 text"),
        ("nul.cover", b"title\0", "is not a text file"),
        (".", None, "is a folder"),
        ("a\nb", None, "E501"),
        ("x" * 5000, None, "E501"),
        ("", None, "E50"),
    ],
)
def test_a_model_that_cannot_be_read(covr: Covr, name: str, content: bytes | None, message: str) -> None:
    if content is not None:
        Path(name).write_bytes(content)
    for command in ("solve", "count", "show"):
        result = covr(command, name)
        assert result.exit_code == 2
        assert message in result.stderr


def test_a_near_file_is_suggested(covr: Covr) -> None:
    write("garden.cover", ROOKS)
    assert "did you mean `garden.cover`?" in covr("solve", "gardn.cover").stderr


def test_a_model_that_may_not_be_read(covr: Covr, monkeypatch: pytest.MonkeyPatch) -> None:
    write("m.cover", ROOKS)

    def refuse(self: Path, *_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    result = covr("solve", "m.cover")
    assert result.exit_code == 2
    assert "`m.cover` can't be read: permission denied" in result.stderr


def test_newlines_and_byte_order_marks_mean_nothing(covr: Covr) -> None:
    Path("m.cover").write_bytes(b"\xef\xbb\xbf" + ROOKS.replace("\n", "\r\n").encode())
    assert covr("count", "m.cover").stdout == "2\n"


def test_libraries_read_nothing_outside_their_folder(covr: Covr) -> None:
    Path("lib").mkdir()
    write("lib/sizes.cover", 'use "more"\nlet n = m\n')
    write("lib/more.cover", "let m = 2\n")
    model = ROOKS.replace("param n = 2", 'use "lib/sizes.cover"')
    assert covr("count", write("m.cover", model)).stdout == "2\n"
    write("n.cover", "let m = 3\n")
    write("lib/more.cover", 'use "../n.cover"\n')
    assert covr("count", "m.cover").exit_code == 2, "a library reads nothing outside its folder"
    write("lib/more.cover", f'use "{Path("n.cover").resolve()}"\n')
    assert covr("count", "m.cover").exit_code == 2


# --- the command itself -------------------------------------------------------------------------------------


def test_version_names_the_kernel(covr: Covr) -> None:
    said = covr("--version").stdout
    assert re.fullmatch(r"covr \d+\.\d+\.\d+, kernel (compiled|interpreted), [^,]+, Python 3\.\d+\.\d+\n", said)
    assert f"kernel {kernel()}, {back_end()}," in said


@pytest.mark.parametrize(
    ("bits", "machine", "named"),
    [
        (512, "x86_64", "AVX-512"),
        (256, "AMD64", "AVX2"),
        (128, "x86_64", "SSE 4.2"),
        (128, "arm64", "NEON"),
        (64, "riscv64", "64-bit words"),
        (0, "x86_64", "Python's own numbers"),
    ],
)
def test_the_back_end_has_the_name_that_people_know(
    bits: int, machine: str, named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loading, "load", lambda name: SimpleNamespace(widest=lambda: bits))
    monkeypatch.setattr("platform.machine", lambda: machine)
    assert back_end() == named


def test_interpreted_kernels_have_no_registers() -> None:
    assert loading.load("_bits", interpreted=True).widest() == 0
    assert loading.load("_bits").widest() in ((64, 128, 256, 512) if loading.is_compiled("_bits") else (0,))


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(covr: Covr, name: str) -> None:
    result = covr(name, "--help")
    assert result.exit_code == 0
    assert result.stdout.startswith("Usage: ")
    assert COMMANDS[name] in covr("--help").stdout


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("slove", "queens"), "did you mean `solve`?"),
        (("queens.cover",), "did you mean `covr solve queens.cover`?"),
        (("queens",), "did you mean `covr solve queens`?"),
        (("help", "slove"), "did you mean `solve`?"),
        (("solve", "queens", "--uniqe"), "--unique"),
        (("solve",), "MODEL is missing"),
        (("solve", "queens", "-n", "0"), "-n"),
        (("solve", "queens", "--all", "--unique"), "exclude each other"),
        (("solve", "queens", "--limit-time", "soon"), "--limit-time"),
        (("count", "queens", "--limit-nodes", "-1"), "--limit-nodes"),
        ((), "Usage"),
    ],
)
def test_wrong_usage_is_explained(covr: Covr, args: tuple[str, ...], message: str) -> None:
    result = covr(*args)
    assert result.exit_code == 2
    assert message in result.stderr


@pytest.mark.parametrize(
    ("args", "told", "under", "cure"),
    [
        ("solve queens -n abc", "`-n` wants a whole number of at least 1, and `abc` is none", "abc", "--help"),
        ("solve queens -nabc", "`-n` wants a whole number of at least 1, and `abc` is none", "-nabc", "--help"),
        ("count queens --jobs=0", "`--jobs` wants a whole number of at least 1, and `0` is none", "--jobs=0", "--help"),
        (
            "why queens --limit-time nan",
            "`--limit-time` wants a number of at least 0, and `nan` is none",
            "nan",
            "--help",
        ),
        (
            "studio --port 70000",
            "`--port` wants a whole number from 0 to 65535, and `70000` is none",
            "70000",
            "--help",
        ),
        ("make sudoku --paper a5", "`--paper` can't be `a5`", "a5", "did you mean `a4`?"),
        ("make sudoku --grade high", "`--grade`: `high` is no range of grades", "high", "--help"),
        ("solve queens --limit-memory big", "`--limit-memory`: `big` is no size", "big", "--help"),
        ("completion tcsh", "`SHELL` can't be `tcsh`", "tcsh", "`bash`"),
        ("piece here first", "`N` wants a whole number of at least 1, and `first` is none", "first", "--help"),
        (
            "solve queens 'two words'",
            "`covr solve` has no use for",
            "'two words'",
            "write `covr solve [OPTIONS] MODEL`",
        ),
        ("solve queens --bogus", "`covr solve` has no option `--bogus`", "--bogus", "did you mean"),
        ("solve queens --all=3", "`--all` takes no value", "--all=3", "--help"),
        ("solve queens -o", "`-o` wants a value", "-o", "--help"),
        ("solve queens --all --unique", "-n, --all and --unique exclude each other", "--all", "--help"),
        ("solv queens", "there is no command `solv`", "solv", "did you mean `solve`?"),
        ("convert a.dlx", "OUT is missing", "", "write `covr convert [OPTIONS] IN [OUT]`"),
    ],
)
def test_a_wrong_command_line_is_told_as_a_wrong_model_is(
    covr: Covr, args: str, told: str, under: str, cure: str
) -> None:
    ran = covr(*shlex.split(args))
    assert ran.exit_code == 2 and not ran.stdout
    first, *rest = ran.stderr.splitlines()
    assert first.startswith(f"error[E524]: {told}")
    if under:
        place, _, line, carets, *rest = rest
        at = line.removeprefix("1 | ").index(f" {under}") + 1
        assert line == f"1 | covr {args}" and place == f" --> the command line:1:{at + 1}"
        assert carets == "  | " + " " * at + "^" * len(under)
    assert len(rest) == 1 and rest[0].lstrip().startswith("= help: ") and cure in rest[0]


def test_a_define_that_sets_nothing_is_shown_with_its_place(covr: Covr) -> None:
    for words in (("-D", "n"), ("-D", "n=5", "-D", "n=6")):
        assert "the command line:1:4" in covr("solve", "queens", *words).stderr


@pytest.mark.parametrize(
    "words",
    ["solve", "solve --all", "solve --unique", "solve --puzzle", "solve -o x.svg", "solve --json", "count", "make",
     "sample", "size", "why", "spare", "trace", "hint", "candidates", "grade", "compile -o x.zdd", "count --run x.run"],
)  # fmt: skip
def test_a_model_with_nothing_to_choose_is_a_fault_of_every_question(covr: Covr, words: str) -> None:
    none = "param n = 0\nchoose q(r) for r in 1..n\nexactly one q per r in 1..n\n"
    for text in ("", "# nothing\n", none):
        write("m.cover", text)
        ran = covr(*words.split(), "m.cover")
        assert ran.exit_code == 2 and "E523" in ran.output and "(nothing is chosen)" not in ran.output
    ran = covr(*words.split(), "queens", "-D", "n=-3")
    assert ran.exit_code == 2 and "`n` is -3, and `n >= 1` does not hold" in ran.output


def test_what_a_file_is_that_is_no_model_is_said(covr: Covr) -> None:
    files = {
        "a.svg": b'<?xml version="1.0"?>\n<svg/>', "b.svg": b"<svg/>", "c.html": b"<!DOCTYPE html>",
        "d.png": b"\x89PNG\r\n", "e.pdf": b"%PDF-1.7", "f.xlsx": b"PK\x03\x04", "g.xml": b'<?xml version="1.0"?>\n<a/>',
    }  # fmt: skip
    for name, data in files.items():
        Path(name).write_bytes(data)
        for word in ("solve", "count", "check", "convert"):
            ran = covr(word, name, *(["out.dlx"] if word == "convert" else []))
            assert ran.exit_code == 2 and "this seems to be " in ran.stderr
            assert "read as" not in ran.output


def test_a_name_that_lacks_a_joint_is_found(covr: Covr) -> None:
    ran = covr("new", "mine.cover", "--like", "sudokux")
    assert ran.exit_code == 2 and "did you mean `sudoku_x`?" in ran.stderr


def test_every_option_of_the_table_is_an_option_of_the_command() -> None:
    for name in ("solve", "count", "test"):
        command = cli.get_command(click.Context(cli), name)
        assert command is not None
        assert {f.name for f in attrs.fields(Options)} <= {p.name for p in command.params}


def test_a_control_character_in_a_model_is_not_printed(covr: Covr) -> None:
    text = 'title "\x1b[31mred"\ncells i in 1..1\nchoose f(i)\nexactly one f per i\nshow "\x07" of f\n'
    assert "\x1b" not in covr("solve", write("m.cover", text)).output


def test_the_codes_of_the_command_are_listed() -> None:
    package = Path(__file__).parents[3] / "covr"
    own = (p for p in package.rglob("*.py") if not any(folder.is_symlink() for folder in p.parents))
    texts = [p.read_text(encoding="utf-8") for p in own]
    used = {code for text in texts for code in re.findall(r'"(E5\d\d)"', text)}
    assert used == {code for code in CODES if code.startswith("E5")}


def test_a_model_cut_off_anywhere_is_a_fault_or_a_model(covr: Covr) -> None:
    text = ROW + "expect no solution with clue = {}\nup to put(c, d) -> put(5 - c, d)\n"
    for end in range(0, len(text), 5):
        result = covr("solve", "-", input=text[:end])
        assert result.exit_code in (0, 1, 2), text[:end]
        assert "Traceback" not in result.output
