"""Every puzzle that `covr make` writes is read back by `covr count`, in every form, and has one answer: of models with
random rules, boards, and formulas for their clues."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.constants import Constants
from tests.covr.command import Covr, write
from tests.covr.command import covr as command  # a fixture

__all__ = ["command"]

WORDS = [
    ".", "_", "", " ", "..", "?", "-", "*", "x", "X", "0", "5", "07", "-3", "#", "##", "# a", "a b", " a", "a,b", ":",
    "/", "|", "'", "é", "…", "日本", "board:", "A", "a", "b", "{x}",
]  # fmt: skip
FILLED = '{k for k in SPOTS where board[k].told != "?"}'
READERS = {
    "known": 'grid({r}, {c}) """\n{rows}\n"""',
    "unknown": 'grid """\n{rows}\n"""',
    "list": 'list """\n{words}\n"""',
    "value": "[{values}]",
}


# Boards that are no squares, and clues that stand elsewhere than in squares: how they are read, where clues stand, and
# where some do.
ELSEWHERE = {
    "hex": ('grid(hex) """\n   . .\n  . . .\n"""', "frame(board)", "board"),
    "triangle": ('grid(triangle) """\n  ...\n  ...\n"""', "frame(board)", "board"),
    "sticks": ('grid(sticks) """\n  +.+.+\n  . . .\n"""', "frame(board)", "board"),
    "balls": ('grid(balls) """\n  . ./\n     / .\n  . ./\n"""', "frame(board)", "board"),
    "cubes": ('grid(cubes) """\n  ../..\n  ../..\n"""', "frame(board)", "board"),
    "borders": ('{{(1, 1), (1, 2)}: "?"}', "edges(box(2, 2))", "board"),
    "corners": ('grid(3, 2) """\n  ..\n  ..\n  ..\n"""', "frame(board)", "board"),
    "map": ('{k: "?" for k in 1..0}', "1..4", "board"),
    "csv": ('csv """\nplace,told\n1,?\n2,?\n3,?\n"""', "1..3", FILLED),
    "table": ('table("place", "told") """\n  1 ?\n  2 ?\n  3 ?\n"""', "1..3", FILLED),
    "headed": ('table """\n  place told\n  1 ?\n  2 ?\n"""', "1..2", FILLED),
    "columns": ('table("told", "place") """\n  ? 1\n  ? 2\n"""', "1..2", FILLED),
}


class Made(NamedTuple):
    """A model whose clues are told by a formula. board: how its clues are read.  told: of each value, as written."""

    board: str
    size: tuple[int, int]
    told: tuple[str, ...]

    @property
    def text(self) -> str:
        if self.board in ELSEWHERE:
            return self.elsewhere
        r, c = self.size
        grid = "known" in self.board
        blanks = {"rows": "\n".join("." * c for _ in range(r)), "words": " ".join("?" * (r * c))}
        board = READERS[self.board].format(r=r, c=c, values=", ".join(['"?"'] * (r * c)), **blanks)
        spots = f"box({r}, {c})" if grid else f"1..{r * c}"
        filled = "board" if grid else f'{{k for k in {spots} where board[k] != "?"}}'
        value = f"[{', '.join(self.told)}][d]"
        return f"""
param board = {board}
choose put(x, d) for x in {spots}, d in 1..{len(self.told)}
exactly one put per x
exactly one put per k in {filled} where x = k and board[k] = {value}
clue board[k] = {value} of put where x = k for k in {spots}{"" if grid else ' else "?"'}
"""

    @property
    def elsewhere(self) -> str:
        """The model of a board that is none of squares."""
        board, spots, filled = ELSEWHERE[self.board]
        value, rows = f"[{', '.join(self.told)}][d]", filled == FILLED
        return f"""
param board = {board}
choose put(x, d) for x in {spots}, d in 1..{len(self.told)}
exactly one put per x
exactly one put per k in {filled.replace("SPOTS", spots)} where x = k and board[k]{".told" if rows else ""} = {value}
clue board[{'k, "told"' if rows else "k"}] = {value} of put where x = k for k in {spots}{' else "?"' if rows else ""}
"""


LATIN = '''
param board = grid(3, 3) """
...
...
...
"""
cells x in box(3, 3)
values d in 1..3
choose put(x, d)
exactly one put per x
exactly one put per x[1], d
exactly one put per x[2], d
exactly one put per k in board where x = k and board[k] = d
clue board[k] = d of put where x = k for k in box(3, 3)
'''

literals = st.one_of(
    st.integers(-3, 12).map(str),
    st.sampled_from(WORDS).map(lambda word: json.dumps(word, ensure_ascii=False)),
    st.lists(st.integers(-1, 3).map(str), min_size=1, max_size=2).map(lambda x: f"[{', '.join(x)}]"),
    st.just("(1, 2)"),
)
models = st.builds(
    Made,
    st.sampled_from([*sorted(READERS), *ELSEWHERE]),
    st.tuples(st.integers(2, 3), st.integers(2, 4)),
    st.lists(literals, min_size=2, max_size=3).map(tuple),
)


def made_of(command: Covr, model: str, seed: int, *more: str) -> list[dict[str, object]]:
    """The puzzles of the model, as JSON, also written to made.txt and made.csv; none if it says why there are none."""
    write("model.cover", model)
    words = ("make", "model.cover", "-n", "2", "--seed", str(seed), "--limit-nodes", "120", *more)
    ran = command(*words, "--json")
    if ran.exit_code == 2:
        assert "E515" in ran.output or "E445" in ran.output, ran.output
        return []
    for file in ("made.txt", "made.csv"):
        assert command(*words, "-o", file).exit_code == ran.exit_code
    return [told for line in ran.stdout.splitlines() if (told := json.loads(line))["type"] == "puzzle"]


def hold(command: Covr, model: str, *more: str) -> int:
    """The law for the puzzles of one model; how many there are. more: options of `covr make`."""
    puzzles = made_of(command, model, 1, *more)
    for puzzle in puzzles:
        name, text = puzzle["param"], str(puzzle["text"])
        if name is not None:
            write("data.txt", text)
            assert command("count", "model.cover", "-D", f"{name}={text}").stdout == "1\n", text
            assert command("count", "model.cover", "-D", f"{name}=@data.txt").stdout == "1\n", text
        else:
            data = puzzle["data"]
            assert isinstance(data, dict) and data, "what is written is read back"
            if not re.search(r"grid\(\d", model):  # where the size is known, `-D` guesses which signs are blanks
                defines = [word for name, text in data.items() for word in ("-D", f"{name}={text}")]
                assert command("count", "model.cover", *defines).stdout == "1\n", data
    if puzzles:
        name = puzzles[0]["param"]
        assert all(puzzle["param"] == name for puzzle in puzzles)
        with open("made.csv", encoding="utf-8", newline="") as file:
            assert [row["puzzle"] for row in csv.DictReader(file)] == [puzzle["text"] for puzzle in puzzles]
        for file in ("made.txt", "made.csv"):
            each = file if name is None else f"{name}={file}"
            ran = command("solve", "model.cover", "--each", each, "--unique", "--json")
            assert ran.exit_code == 0 and ran.stdout.count('"status": "unique"') == len(puzzles), (file, ran.output)
    return len(puzzles)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=3, deadline=None)
@given(models)
@example(Made("known", (2, 2), ('"."', "2")))
@example(Made("known", (3, 3), ('"_"', '"#"')))
@example(Made("known", (2, 2), ('"x"', '"-"')))
@example(Made("known", (1, 2), ('"A"', "2")))
@example(Made("unknown", (3, 4), ("1", "2")))
@example(Made("unknown", (2, 2), ('"board:"', '"7"')))
@example(Made("value", (1, 2), ('"a b"', '"c"')))
@example(Made("sticks", (1, 2), ('"-"', '"#"')))
@example(Made("csv", (1, 2), ('"a, \\"b\\""', "1")))
def test_what_make_writes_is_read_back_and_has_one_answer(command: Covr, constants: Constants, made: Made) -> None:
    constants("covr.puzzles.making", SAME=2, AMBIGUOUS=2)
    constants("covr.puzzles.clue_maker", MENDED=2)
    hold(command, made.text)


@pytest.mark.parametrize("made", [Made(kind, (2, 2), ("1", "2")) for kind in ("hex", "csv")])
def test_so_are_the_fewest_clues(command: Covr, made: Made) -> None:
    assert hold(command, made.text, "--fewest") == 2


@pytest.mark.parametrize("kind", ELSEWHERE)
def test_puzzles_of_every_kind_of_data_are_made_or_it_is_said_why_not(
    command: Covr, constants: Constants, kind: str
) -> None:
    """Of no lattice a grid without a clue was read, and no csv was written that is read."""
    constants("covr.puzzles.making", SAME=2, AMBIGUOUS=2)
    assert hold(command, Made(kind, (2, 2), ('"a"' if kind not in ("map", "borders") else '"\\""', "2")).text) == 2


def test_what_is_written_as_a_link_is_read_back_and_has_one_answer(command: Covr) -> None:
    for model in ("akari", "sudoku"):
        for link in command("make", model, "-n", "2", "--seed", "1", "--links").stdout.split():
            assert command("count", link).stdout == "1\n", link


def test_a_clue_that_says_something_else_than_the_rules_is_told_as_that(command: Covr) -> None:
    """And not as clues that leave too much open."""
    write("model.cover", Made("value", (2, 2), ("[1, 2]", "[3, 4]")).text)
    ran = command("make", "model.cover", "--seed", "1")
    assert ran.exit_code == 2 and "all clues together leave no answer" in ran.output
    assert "…" not in ran.output and ran.output.count("put(") == 4


def test_words_that_stand_in_no_grid_are_told_with_their_place(command: Covr) -> None:
    write("model.cover", Made("known", (2, 2), ('"a b"', "1")).text)
    ran = command("make", "model.cover", "--seed", "1")
    assert ran.exit_code == 2 and "E445" in ran.output and "model.cover:9:1" in ran.output and '"ab"' in ran.output


@pytest.mark.parametrize(
    ("show", "drawn"),
    [
        ("", ". 2 .\n. . .\n. . 3"),
        ("show d of put at x", ". 2 .\n. . .\n. . 3"),
        ("show d of put", "board[1, 2]  2\nboard[3, 3]  3"),
    ],
)
def test_clues_that_no_print_shows_are_drawn_at_their_places_or_listed(command: Covr, show: str, drawn: str) -> None:
    write("model.cover", LATIN + show)
    assert command("make", "model.cover", "--seed", "1").stdout.startswith(drawn + "\n\n2 clues")
    assert command("make", "model.cover", "--seed", "1", "-o", "made.svg").exit_code == 0
    drawing = Path("made.svg").read_text(encoding="utf-8")
    assert drawing.count(">2</text>") == drawing.count(">3</text>") == 4, "once in the puzzle, and in its solution"
    assert drawn not in command("solve", "model.cover", "--puzzle").stdout
    if "[" not in drawn:
        assert command("count", "model.cover", "-D", f"board={drawn}").stdout == "1\n", "the text of the picture, too"
