"""An unknown option that other tools have names the one of covr's that means the same."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from covr.cli.group import COMMANDS, MEANT, cli


@pytest.mark.parametrize(
    "words, said, cure",
    [
        ("solve sudoku --timeout 3", "has no option `--timeout`", "did you mean `--limit-time`?"),
        ("solve sudoku --time-limit=3", "has no option `--time-limit`", "did you mean `--limit-time`?"),
        ("solve sudoku --threads 3", "has no option `--threads`", "did you mean `--jobs`?"),
        ("solve sudoku -a", "has no option `-a`", "did you mean `--all`?"),
        ("solve sudoku --all-solutions", "has no option `--all-solutions`", "did you mean `--all`?"),
        ("count sudoku --random-seed 1", "has no option `--random-seed`", "did you mean `--seed`?"),
        ("solve sudoku --verbose", "has no option `--verbose`", "did you mean `--progress`?"),
        ("why sudoku --timeout 3", "has no option `--timeout`", "did you mean `--limit-time`?"),
        ("solve sudoku --alll", "has no option `--alll`", "did you mean `--all`?"),
        ("solve sudoku --tiem 3", "has no option `--tiem`", "did you mean `--limit-time`?"),
        ("solve sudoku --limit-tme 3", "has no option `--limit-tme`", "did you mean `--limit-time`?"),
        ("solve sudoku --job 3", "has no option `--job`", "did you mean `--jobs`?"),
        ("solve sudoku --tread 3", "has no option `--tread`", "did you mean `--jobs`?"),
        ("solve sudoku --hlep", "has no option `--hlep`", "did you mean `--help`?"),
        ("solve sudoku --sede 3", "has no option `--sede`", "did you mean `--seed`?"),
        ("fmt x --timeout", "has no option `--timeout`", "`covr fmt --help` lists the usual options"),
    ],
)
def test_what_is_meant(words: str, said: str, cure: str) -> None:
    done = CliRunner().invoke(cli, words.split(), prog_name="covr")
    assert done.exit_code == 2
    assert said in done.output.splitlines()[0] and cure in done.output.splitlines()[-1]


def test_what_is_suggested_is_there_and_what_is_there_is_not_translated() -> None:
    """Every suggestion is an option of some command, and no command that has a word itself suggests another."""
    every = set()
    for name in COMMANDS:
        command = cli.get_command(None, name)  # type: ignore[arg-type]
        assert command is not None
        every |= {option for param in command.params for option in param.opts if option.startswith("-")}
    assert {ours for found in MEANT.values() for ours in found} <= every
