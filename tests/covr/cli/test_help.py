"""The help of the command is in groups; that of a subcommand fits on a screen, and its long help leaves nothing out."""

from __future__ import annotations

import re
from inspect import cleandoc
from itertools import pairwise

import click
import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner

from covr.cli.group import COMMANDS, FURTHER, GROUPS, SCREEN, cli, in_short
from covr.dsl.syntax import Param
from covr.inputs.library import gallery_names, open_model

WIDTH = {"COLUMNS": "80"}


def told(*words: str) -> str:
    result = CliRunner().invoke(cli, words, env=WIDTH, terminal_width=80)
    assert result.exit_code == 0
    return result.stdout


def flat(text: str) -> str:
    """The text without line breaks, indents, and the hyphens at which click breaks long words."""
    return re.sub(r"\s+", "", text)


def options_of(name: str) -> list[click.Option]:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    return [param for param in command.params if isinstance(param, click.Option)]


def test_the_command_lists_its_subcommands_in_groups() -> None:
    sections = re.split(r"^(\S.*):\n", told("--help"), flags=re.MULTILINE)
    found = dict(zip(sections[1::2], sections[2::2], strict=True))
    for heading, lines in GROUPS.items():
        assert re.findall(r"^  (\S+) +(.*)$", found[heading], re.MULTILINE) == list(lines.items())
    assert len(COMMANDS) == sum(map(len, GROUPS.values())), "a subcommand is in one group"


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_subcommand_fits_on_a_screen(name: str) -> None:
    assert told(name, "--help").count("\n") <= SCREEN


@pytest.mark.parametrize("name", COMMANDS)
def test_the_long_help_has_every_option_and_every_word_about_it(name: str) -> None:
    command, said = cli.get_command(click.Context(cli), name), told(name, "--help-all")
    assert command is not None
    for option in options_of(name):
        assert all(word in said for word in option.opts)
        assert flat(option.help or "") in flat(said)
    assert all(flat(part) in flat(said) for part in re.split("[\b\f]", cleandoc(command.help or "")))


def test_examples_in_the_help_set_params_that_their_models_have() -> None:
    set_ = 0
    for name in COMMANDS:
        command = cli.get_command(click.Context(cli), name)
        assert command is not None
        for line in re.findall(r"^ *(covr .*)$", command.help or "", re.MULTILINE):
            words = line.split()
            models = [open_model(word) for word in words if word in gallery_names()]
            params = {d.name.id for model in models for d in model.definitions if isinstance(d, Param)}
            for define in (after for word, after in pairwise(words) if word == "-D" and models):
                assert define.partition("=")[0] in params, line
                set_ += 1
    assert set_ > 5


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_leaves_out_what_is_seldom_needed_and_says_where_it_is(name: str) -> None:
    short, long = told(name, "--help"), told(name, "--help-all")
    assert ("--help-all" in short.rpartition("Options:")[2]) == (short != long)
    if name != "convert":
        assert not any(f"  {option}" in short for option in FURTHER)


def test_a_shell_completes_the_options_that_the_help_leaves_out() -> None:
    def words(begun: str) -> set[str]:
        found = ShellComplete(cli, {}, "covr", "_COVR_COMPLETE").get_completions(["solve", "sudoku"], begun)
        return {item.value for item in found}

    assert words("--help") == {"--help", "--help-all"}
    assert words("--limit") == {"--limit-time", "--limit-nodes", "--limit-memory", "--limit-answers", "--limit-proof"}


@pytest.mark.parametrize(
    ("full", "short"),
    [
        ("Find K answers.  [x>=1]", "Find K answers."),
        ("Make K.  [default: 1; x>=1]", "Make K.  [default: 1; x>=1]"),
        ("Is there one? If not, show two.", "Is there one?"),
        ("Only these: 2..3.5, or 4.. for any. More.", "Only these: 2..3.5, or 4.. for any."),
    ],
)
def test_the_first_sentence_about_an_option_stands_in_short_help(full: str, short: str) -> None:
    assert in_short(full) == short
