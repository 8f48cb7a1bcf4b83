"""`up to` in a search for a minimum: the engine is handed the model's own symmetries, which join what it finds."""

from __future__ import annotations

import pytest

from covr.compiler import compile_model
from covr.compiler.compiled import Compiled
from covr.dsl.diagnostics import Source
from covr.engine.minimum import core as symmetry
from covr.engine.symmetries import Automorphisms
from covr.inputs.library import checked
from covr.questions.options import Options
from covr.questions.run import Run

GUARDED = """
let area = box(8, 8)
cells x in area
choose queen(x)
at least one queen per y in area
    where x[1] = y[1] or x[2] = y[2] or x[1] + x[2] = y[1] + y[2] or x[1] - x[2] = y[1] - y[2]
minimize count of queen
"""


def compiled(text: str) -> Compiled:
    return compile_model(checked(Source("<test>", text)))


def nodes(text: str) -> tuple[int | None, int]:
    """The minimum, proved, and how many nodes it took."""
    run = Run(compiled(text), Options(estimate="classic", jobs=1))
    assert run.first() is not None
    assert run.best is not None and run.best.proved
    return run.best.value, run.counters.nodes


def test_they_save_nodes_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing else is found in time."""
    monkeypatch.setattr(symmetry, "explore", lambda graph, options, work: Automorphisms(options, (), 1, False, 0))
    plain, declared = nodes(GUARDED), nodes(GUARDED + "up to symmetries(area)\n")
    assert plain[0] == declared[0] == 5
    assert declared[1] < plain[1]
    # A given breaks most of them: those that are left at a node are told from the others there.
    corner = GUARDED + "given queen((1, 1))\n"
    assert nodes(corner)[0] == nodes(corner + "up to symmetries(area)\n")[0]


def test_they_are_handed_to_the_search_for_the_best() -> None:
    """They are handed to a search for a minimum and to no other search."""
    model = compiled(GUARDED + "up to symmetries(area)\n")
    assert len(Run(model, Options()).settings("minimum", None).symmetries) == 7
    assert Run(model, Options()).settings("all", None).symmetries == ()
