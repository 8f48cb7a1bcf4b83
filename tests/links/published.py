"""The puzzles and boards of robx/pzprjs's tests, from the folder `shared` beside the checkout."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from covr.compiler import Compiled, compile_model
from covr.explain.drawn_answer import Drawn
from covr.inputs import library
from covr.links.file import file_kind, read_file
from covr.links.places import Board, Variant
from covr.links.table import Kind, find_kind, kinds
from covr.questions.options import Options
from covr.questions.run import Run
from tests.shared import MISSING, SHARED

PATH = SHARED / "data" / "pzpr.json"

# Wrong boards that are wrong for a reason that the model does not know: kind → codes. Each says why.
NOT_JUDGED: dict[str, frozenset[str]] = {
    "fillomino": frozenset({"ceNoNum"}),  # the lines are right, but no number stands in some square
    "symmarea": frozenset({"ceNoNum"}),  # the same
    "keywest": frozenset({"ceNoNum"}),  # the bridges are right, but the numbers that follow from them are not written
    "pentominous": frozenset({"nmShapeNe"}),  # the lines are right, but a wrong letter is written
}


@cache
def published() -> dict[str, Any]:
    """What is published, by kind: `url` and `boards`."""
    if not PATH.exists():
        pytest.skip(MISSING)
    found: dict[str, Any] = json.loads(PATH.read_text())
    return found


# Kinds whose models take seconds to compile: of their boards, the first right one and two wrong ones are judged without
# `--slow`.
HEAVY = {"fillomino", "symmarea", "renban"}


def some_boards(kind: Kind, slow: bool) -> list[tuple[str | None, Board]]:
    """The boards of a kind, or a few of them."""
    found = boards(kind)
    if slow or kind.name not in HEAVY:
        return found
    return [next(b for b in found if b[0] is None), *[b for b in found if b[0] is not None][-2:]]


def boards(kind: Kind) -> list[tuple[str | None, Board]]:
    """Each board of a kind with the code of the rule that it breaks, or None for a right one."""
    found = []
    for code, text in published()[kind.name]["boards"]:
        name, version, after = file_kind(text)
        assert find_kind(name) is kind
        try:
            found.append((code, read_file(version, after, kind)))
        except Variant:  # its rules are others
            continue
    return found


def each_kind(step: int = 1, first: int = 0) -> pytest.MarkDecorator:
    """A test of every kind, or of one in `step` from the `first` on. Those of one kind follow each other
    (tests/conftest.py), so that its model is compiled once."""
    of = [pytest.param(kind, id=name, marks=pytest.mark.gallery(kind.model)) for name, kind in kinds().items()]
    return pytest.mark.parametrize("kind", of[first::step])


_compiled: dict[str, tuple[Any, Compiled]] = {}


def compiled_for(kind: Kind, board: Board) -> Compiled:
    """The model of a kind with the params of a board; the last one is kept."""
    params = kind.params(board)
    kept = _compiled.get(kind.name)
    if kept is not None and kept[0] == (board.height, board.width, params):
        return kept[1]
    compiled = compile_model(library.open_model(kind.model), params)
    _compiled[kind.name] = ((board.height, board.width, params), compiled)
    return compiled


def answers(compiled: Compiled, most: int = 20) -> list[tuple[int, ...]]:
    """The answers of a model, up to so many."""
    return list(Run(compiled, Options()).answers(limit=most))


__all__ = ["NOT_JUDGED", "Drawn", "answers", "boards", "compiled_for", "each_kind", "kinds", "published", "some_boards"]
