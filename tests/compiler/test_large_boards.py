"""Boards as large as published ones: none is refused, and the work grows as the board does."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from covr.api.model import loads
from covr.compiler import compile_model
from covr.compiler.evaluate.limits import CompileLimits
from covr.compiler.lower import lines as lowered_lines
from covr.compiler.lower.rules import RuleItems
from covr.dsl.diagnostics import ModelErrors
from covr.engine.problem import Connection, Total
from covr.inputs.library import open_model
from tests.shared import calls_of

pytestmark = pytest.mark.long

Cell = Callable[[int, int], object]


def picture(high: int, wide: int, cell: Cell) -> str:
    return "\n".join(" ".join(str(cell(r, c)) for c in range(wide)) for r in range(high))


def one_in(k: int, value: object) -> Cell:
    """A clue in one of k squares, spread evenly; blank elsewhere."""
    return lambda r, c: value if (5 * r + c) % k == 0 else "."


def room(r: int, c: int) -> int:
    """Rooms of two by three squares, by number."""
    return 1000 * (r // 2) + c // 3


# How many times as much work a board of twice as many rows and columns may be: four times, and a little for what hardly
# grows. A model that looks at every pair of squares needs sixteen times as much.
BOARDS: dict[str, dict[str, Cell]] = {
    "heyawake": {"room": room, "clue": lambda r, c: 1 if r % 4 == c % 6 == 0 else "."},
    "yajilin": {"arrow": one_in(14, ">"), "clue": one_in(14, 1)},
    "slitherlink": {"clue": one_in(2, 2)},
    "masyu": {"pearl": one_in(5, "w")},
    "hitori": {"number": lambda r, c: 1 + (3 * r + c) % 17},
    "nurikabe": {"clue": one_in(12, 3)},
}
MOST = 4.6


def compiled(name: str, high: int, wide: int) -> Any:
    board = {param: picture(high, wide, cell) for param, cell in BOARDS[name].items()}
    return compile_model(open_model(name), board)


@pytest.mark.parametrize("name", BOARDS)
def test_work_grows_as_the_board_does(name: str) -> None:
    compiled(name, 4, 6)  # what is made only once
    small, large = (calls_of(lambda n=n: compiled(name, 6 * n, 9 * n)) for n in (1, 2))  # type: ignore[misc]
    assert large <= MOST * small, large / small


def test_connections_take_no_work_for_places_where_no_choice_stands() -> None:
    """Of 4000 places and 4000 values of a key, no more pairs are looked at than there are choices."""
    text = "cells r in 1..4000 values k in 1..4000 choose a(r, k) where r = k connected a at r per k"
    sides = loads(text).compiled.problem.sides
    assert [len(side.places) for side in sides if isinstance(side, Connection)] == [1] * 4000
    with pytest.raises(ModelErrors, match="builds more than"):
        assert loads(text + " where r + k > 0").compiled


def test_long_lines_of_a_nonogram_are_as_quick_as_short_ones() -> None:
    def calls(n: int) -> int:
        lines = ["1 1"] * n
        return calls_of(lambda: compile_model(open_model("nonogram"), {"rows": lines, "columns": lines}))

    calls(10)  # what is made only once
    assert calls(44) <= MOST * calls(22)


@pytest.mark.parametrize("name", ["heyawake", "yajilin"])
def test_a_board_of_published_size_is_no_fault(name: str) -> None:
    assert compiled(name, 31, 45).problem.options > 31 * 45


def test_names_of_totals_are_written_when_somebody_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    name = RuleItems.name
    monkeypatch.setattr(RuleItems, "name", lambda self, at, scope: asked.append(at) or name(self, at, scope))
    made = compiled("slitherlink", 6, 9)
    totals = [side for side in made.problem.sides if isinstance(side, Total)]
    assert len(totals) > 50 and asked == []
    elsewhere = pickle.loads(pickle.dumps(totals))
    names = [origin.name(made.scope) for origin in made.lowered.side_origins]
    assert [side.name for side in totals] == [side.name for side in elsewhere]
    assert [side.name for side in made.problem.sides] == names


def test_boards_of_published_size_are_compiled() -> None:
    """E210 and E211 refused them; akari has a quarter of the squares of 100 by 100, and of the steps."""
    boards: dict[str, tuple[int, int, dict[str, Cell], CompileLimits]] = {
        "akari": (50, 50, {"board": one_in(5, "#")}, CompileLimits(steps=5_000_000)),
        "lits": (24, 36, {"room": lambda r, c: 100 * (r // 3) + c // 3}, CompileLimits(values=1_000_000)),
        "shikaku": (31, 45, {"clue": lambda r, c: (1, 3)[c % 4] if c % 4 < 2 else "."}, CompileLimits()),
    }
    for name, (high, wide, board, limits) in boards.items():
        given = {param: picture(high, wide, cell) for param, cell in board.items()}
        assert compile_model(open_model(name), given, limits=limits).problem.options


@pytest.mark.parametrize(
    "word", ["paths draw along e between {(1, 1), (9, 9)}", "paths draw along e", "loops draw along e"]
)
def test_the_places_of_lines_do_not_each_visit_all_lines(word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Walked(list[Any]):
        walks = 0

        def __iter__(self) -> Iterator[Any]:
            Walked.walks += 1
            return super().__iter__()

    count = lowered_lines._counts
    monkeypatch.setattr(lowered_lines, "_counts", lambda said, lines, stops: count(said, Walked(lines), stops))
    model = loads(f"choose draw(e) for e in edges(box(9, 9))\n{word}\n").compiled
    assert model.problem.options == 144 and 0 < Walked.walks < 5
