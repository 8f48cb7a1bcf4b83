"""What makes the command pleasant: params, completion in shells, watching a file."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner

from covr.cli.group import COMMANDS, cli
from covr.cli.solve import answer_of
from covr.draw.elements import THEMES
from covr.dsl.codes import CODES
from covr.inputs.library import gallery_names
from covr.puzzles.made_puzzle import SYMMETRIES

PLAIN = 'title "{}"\nchoose a(i) for i in 1..2\nexactly one {}\n'


def run(*args: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli, args)
    return result.exit_code, result.stdout


def words(*args: str) -> list[str]:
    """What a shell offers for the last word."""
    found = ShellComplete(cli, {}, "covr", "_COVR_COMPLETE").get_completions(list(args[:-1]), args[-1])
    return [item.value for item in found]


def test_params_are_listed_with_values_and_conditions() -> None:
    assert run("params", "kirkman", "-D", "girls=9") == (
        0,
        "girls = 9  where girls >= 3 and girls mod 6 = 3  default 15\n",
    )
    code, out = run("params", "sudoku", "--json")
    rows = [json.loads(line) for line in out.splitlines()]
    assert (code, [row["name"] for row in rows], rows[0]["value"]) == (0, ["box", "clue"], 3)
    assert run("params", "toy") == (0, "")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_shell_has_a_script(shell: str) -> None:
    code, out = run("completion", shell)
    assert code == 0
    assert "_COVR_COMPLETE" in out


def test_commands_models_files_and_params_are_completed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.cover").write_text(PLAIN.format("mine", "a"))
    (tmp_path / "notes.txt").touch()
    (tmp_path / "more").mkdir()
    monkeypatch.chdir(tmp_path)
    assert words("so") == ["solve"]
    assert words("solve", "sudoku_") == ["sudoku_jigsaw", "sudoku_variants", "sudoku_x"]
    models = [name for name in gallery_names() if name.startswith("m")]
    assert "masyu" in models and words("solve", "m") == [*models, "mine.cover", "more/"]
    assert words("solve", f"{tmp_path}/mi") == [f"{tmp_path}/mine.cover"]
    assert words("solve", "sudoku", "-D", "") == ["box=", "clue="]
    assert words("solve", "sudoku", "-D", "box=2", "-D", "") == ["clue="]
    assert words("count", "nothing", "-D", "") == []
    assert words("help", "so") == ["solve"]
    for line in (("test",), ("check",), ("test", "queens"), ("new", "mine", "--like")):
        assert words(*line, "soma_") == ["soma_shapes"]


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        (("make", "sudoku", "--symmetry", "d"), ["diagonal"]),
        (("make", "sudoku", "--symmetry", ""), list(SYMMETRIES)),
        (("explain", "E1"), [code for code in CODES if code.startswith("E1")]),
        (("explain", "E101", "w20"), [code for code in CODES if code.startswith("W20")]),
        (("solve", "queens", "--engine", "cl"), ["clingo"]),
        (("solve", "queens", "--estimate", "price,d"), ["price,dual"]),
        (("solve", "queens", "--theme", ""), list(THEMES)),
        (("make", "queens", "--theme", "pr"), ["print"]),
        (("convert", "a", "--from", "np"), ["npy"]),
        (("convert", "a", "b", "--to", "wc"), ["wcnf"]),
    ],
)
def test_names_that_options_take_are_completed(line: tuple[str, ...], offered: list[str]) -> None:
    assert words(*line) == offered


def test_help_begins_with_the_commands_that_everybody_needs_and_tells_of_each() -> None:
    code, out = run("--help")
    assert code == 0 and run("help") == (0, out.replace("Usage: cli", "Usage: cli"))
    first = out[out.index("To begin with:") :].splitlines()[1:9]
    assert [line.split()[0] for line in first] == ["new", "gallery", "solve", "count", "check", "why", "make", "help"]
    assert out.index("To begin with:") < min(out.index(word) for word in ("Options:", "Exit codes:", "Files and runs:"))
    for name in COMMANDS:
        assert run("help", name)[1].splitlines()[2:] == run(name, "--help")[1].splitlines()[2:]
    assert run("-V") == run("--version")


def test_every_command_has_help_that_says_what_it_does() -> None:
    for name in COMMANDS:
        code, out = run(name, "--help")
        assert code == 0
        assert out.startswith(f"Usage: cli {name}")
        assert f"covr {name}" in out, "an example"


def test_a_model_is_solved_again_when_it_is_saved(tmp_path: Path) -> None:
    model = tmp_path / "mine.cover"
    model.write_text(PLAIN.format("first", "a"))
    process = subprocess.Popen(
        [sys.executable, "-m", "covr", "watch", str(model), "--interval", "0.05"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline() == "first\n"
    model.write_text(PLAIN.format("faulty", "b"))
    assert process.stderr.readline().startswith("error[E102]")
    model.write_text(PLAIN.format("the second", "a"))
    assert "the second\n" in iter(process.stdout.readline, "")
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 130
    process.stdout.close()
    process.stderr.close()


def test_ctrl_c_while_an_answer_is_written_ends_watching(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The search is over by then, so that there is nothing to stop but covr itself."""
    model = tmp_path / "mine.cover"
    model.write_text(PLAIN.format("first", "a"))

    def answered(*given: object) -> object:
        signal.raise_signal(signal.SIGINT)
        return answer_of(*given)  # type: ignore[arg-type]

    monkeypatch.setattr("covr.cli.solve.answer_of", answered)
    monkeypatch.setattr("covr.cli.show.time.sleep", lambda _: pytest.fail("it goes on watching"))
    assert run("watch", str(model))[0] == 130


def test_standard_input_cannot_be_watched() -> None:
    assert run("watch", "-")[0] == 2


@pytest.mark.parametrize(
    "text", ["", "# only a comment\n", "param n = 3\n", "let f(x) = x\nassert f(1) = 1\nexpect unique\n"]
)
@pytest.mark.parametrize("command", ["solve", "count", "sample", "why", "hint", "make"])
def test_a_model_with_nothing_to_choose_has_no_answer_to_tell(command: str, text: str, tmp_path: Path) -> None:
    """An empty answer is no success where nothing could be chosen; to look at such a file, as at a library, is none
    the less allowed."""
    file = tmp_path / "nothing.cover"
    file.write_text(text)
    code, said = run(command, str(file))
    assert (code, said) == (2, ""), said
    assert run("check", str(file))[0] == 0


def test_a_model_whose_data_leave_nothing_to_choose_is_a_fault(tmp_path: Path) -> None:
    file = tmp_path / "rooks.cover"
    file.write_text("param n = 3\nlet m = 1\ncells r, c in 1..n\nchoose rook(r, c)\nexactly one rook per r\n")
    assert run("count", str(file)) == (0, "27\n")
    assert run("count", str(file), "-D", "n=0") == (2, "")
    file.write_text("choose f(i) for i in 1..2\nforbid f\n")  # what is forbidden could have been chosen
    assert run("count", str(file)) == (0, "1\n")
    file.write_text("choose f(i) for i in 1..0\nexactly one f\n")  # what is wanted and can't be had is no solution
    assert run("count", str(file))[0] == 1


def test_a_number_in_the_gallery_says_which_values_it_may_have() -> None:
    """A param of the gallery that is a whole number refuses -3, before anything is compiled."""
    from covr.compiler import compile_model
    from covr.dsl import syntax
    from covr.dsl.diagnostics import ModelErrors
    from covr.inputs.library import gallery_names, open_model

    met = 0
    for name in gallery_names():
        model = open_model(name)
        for param in model.definitions:
            if isinstance(param, syntax.Param) and isinstance(param.value, syntax.Number):
                with pytest.raises(ModelErrors) as caught:
                    compile_model(model, {param.name.id: -3})
                assert caught.value.diagnostics[0].code == "E321", f"{name}: {param.name.id}"
                met += 1
    assert met > 100
