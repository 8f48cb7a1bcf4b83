"""What an exit code says does not depend on whether the rest could be said: see docs/command.md, "Outputs that can't be
written on". Every command, with every verdict, with standard output and error closed, full, or not read any more."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from tests.covr.cli.hostile import BOTH, ERR, OUT, WAYS
from tests.covr.command import Covr, covr

pytestmark = pytest.mark.long

__all__ = ["covr"]

ROOT = Path(__file__).parents[3]
BROKEN = "choose a(i) for i in 1..2\nexactly one a\nexpect 3 solutions\n"
SLIP = "choose a(i) for i in 1..2\nexactly one b\n"
LOOSE = "choose  a(i) for i in 1..2\nexactly one a\n"
HARD = ("queens", "-D", "n=14")

# Each: the arguments, the exit code, and the one where nobody reads the pipe, if that is another: what was known by the
# time of the first write.
Case = tuple[tuple[str, ...], int, int]


def case(*args: str, code: int, gone: int | None = None) -> Case:
    return args, code, code if gone is None else gone


CASES: dict[str, Case] = {
    "found": case("solve", "queens", code=0),
    "found, quiet": case("solve", "queens", "--all", "-q", "-D", "n=4", code=0),
    "found, in lines": case("solve", "queens", "--all", "--format", "line", code=0),
    "found, in a table": case("solve", "queens", "--all", "--format", "csv", code=0, gone=3),
    "found, json": case("solve", "queens", "--json", code=0, gone=3),
    "found, into a picture": case("solve", "queens", "-o", "queens.svg", code=0),
    "found, into a picture, quiet": case("solve", "queens", "-o", "queens.svg", "-q", code=0),
    "found, into a table": case("solve", "queens", "--all", "-o", "queens.csv", code=0),
    "found, into a run": case("solve", "queens", "--run", "queens.run", code=0),
    "best": case("solve", "experts", code=0),
    "best, json": case("solve", "experts", "--json", code=0, gone=3),
    "none": case("solve", "queens", "-D", "n=3", code=1),
    "none, quiet": case("solve", "queens", "-D", "n=3", "-q", code=1),
    "none, json": case("solve", "queens", "-D", "n=3", "--json", code=1, gone=3),
    "none, into a picture": case("solve", "queens", "-D", "n=3", "-o", "none.svg", code=1),
    "limit": case("solve", *HARD, "--limit-nodes", "3", code=3),
    "limit, quiet": case("solve", *HARD, "--limit-nodes", "3", "-q", code=3),
    "limit, json": case("solve", *HARD, "--limit-nodes", "3", "--json", code=3),
    "limit of all": case("solve", *HARD, "--all", "--limit-answers", "2", code=3, gone=0),
    "limit of a table": case("solve", *HARD, "--all", "--limit-answers", "2", "-o", "some.csv", code=3),
    "unique": case("solve", "sudoku", "--unique", code=0, gone=3),
    "unique, json": case("solve", "sudoku", "--unique", "--json", code=0, gone=3),
    "not unique": case("solve", "queens", "--unique", code=1, gone=3),
    "not unique, json": case("solve", "queens", "--unique", "--json", code=1, gone=3),
    "a model that is not there": case("solve", "nothing", code=2),
    "a model that is not there, json": case("solve", "nothing", "--json", code=2),
    "a fault": case("solve", "slip.cover", code=2),
    "a fault, json": case("solve", "slip.cover", "--json", code=2),
    "a wrong option": case("solve", "--wrong", code=2),
    "a wrong command": case("slove", code=2),
    "each": case("solve", "queens", "--each", "n=sizes", code=1, gone=3),
    "each, json": case("solve", "queens", "--each", "n=sizes", "--json", code=1, gone=3),
    "count": case("count", "queens", code=0),
    "count, json": case("count", "queens", "--json", code=0, gone=3),
    "count of none": case("count", "queens", "-D", "n=3", code=1),
    "count with a limit": case("count", *HARD, "--limit-nodes", "3", code=3),
    "count with a limit, json": case("count", *HARD, "--limit-nodes", "3", "--json", code=3),
    "count of a fault": case("count", "slip.cover", code=2),
    "count of a fault, json": case("count", "slip.cover", "--json", code=2),
    "check": case("check", "queens", code=0),
    "check a fault": case("check", "slip.cover", code=2),
    "check a fault, json": case("check", "slip.cover", "--json", code=2),
    "test": case("test", "queens", code=0, gone=3),
    "test what is broken": case("test", "broken.cover", code=1),
    "test with a limit": case("test", "queens", "--limit-nodes", "3", code=3),
    "test a fault": case("test", "slip.cover", code=2),
    "why": case("why", "queens", "-D", "n=3", code=0),
    "why, json": case("why", "queens", "-D", "n=3", "--json", code=0),
    "why with a limit": case("why", *HARD, "queen(1, 1)", "--limit-nodes", "0", code=3),
    "trace": case("trace", "toy", code=0),
    "trace, json": case("trace", "toy", "--json", code=0),
    "show": case("show", "queens", code=0),
    "params": case("params", "kirkman", code=0),
    "sample": case("sample", "queens", "--seed", "1", code=0),
    "sample of none": case("sample", "queens", "-D", "n=3", code=1),
    "size": case("size", "queens", "--probes", "5", code=0),
    "convert": case("convert", "toy", "-", "--to", "dlx", code=0),
    "explain": case("explain", "E102", code=0),
    "fmt of what is laid out otherwise": case("fmt", "--check", "loose.cover", code=1),
    "fmt and the difference": case("fmt", "--diff", "loose.cover", code=0),
    "completion": case("completion", "bash", code=0),
    "help": case("--help", code=0),
    "help of a command": case("solve", "--help", code=0),
    "version": case("--version", code=0),
}
Said = tuple[int, str, str]


Says = Callable[[str, Sequence[str]], dict[str, Said]]


@pytest.fixture(scope="module")
def says(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Says]:
    """What a case says in some ways, worked out when it is asked for."""
    folder = tmp_path_factory.mktemp("hostile")
    for name, text in (("slip", SLIP), ("broken", BROKEN), ("loose", LOOSE)):
        (folder / f"{name}.cover").write_text(text)
    (folder / "sizes").write_text("4\n3\n5\n")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [sys.executable, "-m", "tests.covr.cli.hostile"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        cwd=folder, env=environment,
    ) as process:  # fmt: skip
        assert process.stdin is not None and process.stdout is not None

        def ask(name: str, ways: Sequence[str]) -> dict[str, Said]:
            assert process.stdin is not None and process.stdout is not None
            print(json.dumps([CASES[name][0], ways]), file=process.stdin, flush=True)
            said: dict[str, Said] = json.loads(process.stdout.readline())
            return said

        yield ask


def timeless(text: str) -> str:
    """Without how long it took."""
    return re.sub(r'"seconds": [^,}]*|\([\d.]+ s\)|\d+ nodes/s.*|time .*', "", text)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full here")
@pytest.mark.parametrize("name", CASES)
def test_the_exit_code_is_that_of_the_verdict(says: Says, name: str, slow: bool) -> None:
    """In every way, or by turns in some: one of standard output or error, and for every fourth case one of both."""
    _, code, gone = CASES[name]
    turn = [*CASES].index(name)
    some = ("plain", (ERR if turn % 2 else OUT)[turn // 2 % 3], *BOTH[turn // 4 % 2 :][: turn % 4 == 3])
    ways = WAYS if slow else some
    said = says(name, ways)
    assert set(said) == set(ways)
    out = said["plain"][1]
    closed = "error: standard output is closed, so there is nowhere to write to\n"
    full = "error: standard output can't be written to: no space left on device\n"
    for way in ways:
        if way == "plain":
            assert said[way][0] == code, said[way]
        elif way in ERR:  # standard error changes nothing
            assert said[way][0] == code, way
            if name != "size":  # which measures
                assert timeless(said[way][1]) == timeless(out), way
        elif way == "out closed":
            assert said[way] == [2, "", closed]
        elif way == "all closed":
            assert said[way][0] == 2
        elif way == "out gone":
            assert said[way][0] == (gone if out else code)
        else:
            assert said[way][0] == (2 if out else code), way
            assert not out or way == "both full" or said[way][2].endswith(full)
        assert "Traceback" not in said[way][2]
        assert "mistake in covr" not in said[way][2]
        assert "Exception ignored" not in said[way][2]


FLAGS = {
    "no threads": (("solve", "queens", "--jobs", "0"), "`--jobs` wants"),
    "no answers": (("count", "queens", "--limit-answers", "0"), "`--limit-answers` wants"),
    "no time": (("solve", "queens", "--limit-time", "nan"), "`--limit-time` wants"),
    "no time to probe": (("size", "queens", "--limit-time", "nan"), "`--limit-time` wants"),
    "no time to say why": (("why", "queens", "--limit-time", "nan"), "`--limit-time` wants"),
    "sat does not count": (("count", "queens", "--engine", "sat"), "error[E505]: the engine `clingo` lists answers"),
    "sat does not test": (("test", "queens", "--engine", "sat"), "error[E505]: the engine `clingo` lists answers"),
    "highs without a goal": (("solve", "queens", "--engine", "highs"), "error[E505]: the engine `highs` looks for a"),
    "cpsat without a goal": (("count", "queens", "--engine", "cpsat"), "error[E505]: the engine `cpsat` looks for a"),
    "highs draws": (("sample", "queens", "--engine", "highs"), "error[E505]: the engine `highs` looks for a"),
    "kept": (("count", "queens", "--engine", "highs", "--run", "a.run"), "error[E708]: the engine `highs` can't"),
}


@pytest.mark.parametrize("name", FLAGS)
def test_a_question_that_has_no_answer_is_one_error(covr: Covr, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: True)  # whatever is installed
    args, message = FLAGS[name]
    result = covr(*args)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "mistake in covr" not in result.stderr


def test_it_is_refused_before_the_model_is_compiled(covr: Covr, monkeypatch: pytest.MonkeyPatch) -> None:
    def compiled(*_: object) -> None:
        raise AssertionError("compiled")

    monkeypatch.setattr("importlib.util.find_spec", lambda _: True)
    monkeypatch.setattr("covr.compiler.compile_model", compiled)
    assert covr("solve", "queens", "--engine", "highs").exit_code == 2
    assert covr("count", "queens", "--engine", "sat").exit_code == 2


def test_a_missing_package_is_one_error(covr: Covr, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    result = covr("solve", "experts", "--engine", "highs")
    assert result.exit_code == 2
    message = "error[E505]: the engine `highs` needs the package highspy\n = help: pip install 'covr[lp]'\n"
    assert result.stderr == message


@pytest.mark.parametrize("args", [("solve", "-"), ("fmt", "-"), ("solve", "queens", "--each", "n=-")])
def test_a_closed_standard_input_is_one_error(args: tuple[str, ...]) -> None:
    shell = ["sh", "-c", 'exec "$@" <&-', "sh", sys.executable, "-m", "covr", *args]
    done = subprocess.run(shell, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "error[E502]: standard input can't be read: it is closed\n"


def test_a_real_process_ends_with_the_verdict(tmp_path: Path) -> None:
    """What `tests.covr.cli.hostile` does with forks, once with what a shell does."""
    for redirection, code in (("2>/dev/full", 1), ("2>&-", 1), (">/dev/full", 2), (">&-", 2), (">&- 2>&- <&-", 2)):
        asked = [sys.executable, "-m", "covr", "solve", "queens", "-D", "n=3"]
        shell = ["sh", "-c", f'exec "$@" {redirection}', "sh", *asked]
        assert subprocess.run(shell, capture_output=True, check=False).returncode == code, redirection


def test_a_closed_standard_error_is_not_a_file_that_is_opened_later(tmp_path: Path) -> None:
    """Its number would be given to the run file, and the next thing said would be written into it."""
    shell = [
        "sh", "-c", 'exec "$@" 2>&-', "sh", sys.executable, "-m", "covr", "solve", "queens", "--all", "-o", "q.csv",
        "--limit-answers", "2",
    ]  # fmt: skip
    assert subprocess.run(shell, capture_output=True, check=False, cwd=tmp_path).returncode == 3
    lines = (tmp_path / "q.csv").read_text().splitlines()
    assert lines[0] == "answer,choice,r,c"
    assert len(lines) == 17


def test_a_pipe_that_does_not_wait_is_waited_for() -> None:
    """Some programs hand on a pipe where a write fails as long as it is full."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    process = subprocess.Popen(
        [sys.executable, "-m", "covr", "solve", "queens", "-D", "n=10", "--all", "--format", "line"], stdout=writer,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(writer)
    with open(reader, encoding="ascii") as lines:
        assert sum(1 for _ in lines) == 724
    assert process.wait(timeout=30) == 0
