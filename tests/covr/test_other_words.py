"""An unknown option that other tools have names the one of covr's that means the same."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from covr.cli.common.group import COMMANDS, cli
from covr.cli.other_words import MEANT


@pytest.mark.parametrize(
    "words, said",
    [
        ("solve sudoku --timeout 3", "No such option '--timeout'. Did you mean '--limit-time'?"),
        ("solve sudoku --time-limit=3", "No such option '--time-limit'. Did you mean '--limit-time'?"),
        ("solve sudoku --threads 3", "No such option '--threads'. Did you mean '--jobs'?"),
        ("solve sudoku -a", "No such option '-a'. Did you mean '--all'?"),
        ("solve sudoku --all-solutions", "No such option '--all-solutions'. Did you mean '--all'?"),
        ("count sudoku --random-seed 1", "No such option '--random-seed'. Did you mean '--seed'?"),
        ("solve sudoku --verbose", "No such option '--verbose'. Did you mean '--progress'?"),
        ("why sudoku --timeout 3", "No such option '--timeout'. Did you mean '--limit-time'?"),
        ("solve sudoku --alll", "No such option '--alll'. (Did you mean one of: '--all', '--as'?)"),
        ("fmt x --timeout", "No such option '--timeout'."),
    ],
)
def test_what_is_meant(words: str, said: str) -> None:
    done = CliRunner().invoke(cli, words.split(), prog_name="covr")
    assert done.exit_code == 2
    assert said in done.output.splitlines()[-1]


def test_what_is_suggested_is_there_and_what_is_there_is_not_translated() -> None:
    """Every suggestion is an option of some command, and no command that has a word itself suggests another."""
    every = set()
    for name in COMMANDS:
        command = cli.get_command(None, name)  # type: ignore[arg-type]
        assert command is not None
        every |= {option for param in command.params for option in param.opts if option.startswith("-")}
    assert {ours for found in MEANT.values() for ours in found} <= every
