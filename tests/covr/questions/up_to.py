"""Models with `up to`, and what must hold of their answers."""

from __future__ import annotations

import pytest

from covr.compiler import compile_model
from covr.compiler.compiled import Compiled
from covr.dsl.diagnostics import Source
from covr.inputs.library import checked, find_source
from covr.questions.options import Options
from covr.questions.run import Run

QUEENS = """
cells r, c in 1..n
choose queen(r, c)
exactly one queen per r
exactly one queen per c
at most one queen per r + c
at most one queen per r - c
up to queen(r, c) -> queen(c, n + 1 - r), queen(r, c) -> queen(r, n + 1 - c)
"""


WEIGHTED = "minimize abs(2 * r - n - 1) * abs(2 * c - n - 1) of queen\n"


LOOSE = "choose spare(r)\nat most 2 spare\n"


DOMINOES = """
let room = box(6, 6)
cells x in room
choose put(s) for s in placements({(1, 1), (1, 2)}, room)
exactly one put per x where x in s
up to symmetries(room)
"""


MODELS = {
    "scott": "scott",
    "soma": "soma",
    "langford": "langford",
    "queens 7": "let n = 7" + QUEENS,
    "queens 8": "let n = 8" + QUEENS,
    "a queen is given, which breaks most": "let n = 8" + QUEENS + "given queen(1, 5)\n",
    "one on an axis": "let n = 7" + QUEENS + "given queen(4, 4)\n",
    "a queen is forbidden": "let n = 8" + QUEENS + "forbid queen(1, 1)\n",
    "the best": "let n = 8" + QUEENS + WEIGHTED,
    "more than exact": "let n = 6" + QUEENS + LOOSE,
    "dominoes": DOMINOES,
    "nobody": "let n = 3" + QUEENS,
    "several in a row": "let n = 4\ncells r, c in 1..n\nchoose on(r, c)\nexactly 2 on per r\nexactly 2 on per c\n"
    "up to on(r, c) -> on(c, r), on(r, c) -> on(n + 1 - r, c)\n",
    "nothing is asked": "choose f(i) for i in 1..4\nat most 2 f\nup to f(i) -> f(5 - i)\n",
}


def compiled(name: str) -> Compiled:
    text = MODELS[name]
    return compile_model(checked(Source("<test>", text) if "\n" in text else find_source(text)))


def sorted_out(model: Compiled, options: Options, monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, ...]]:
    """The old way: every answer is looked at."""
    with monkeypatch.context() as patch:
        patch.setattr(Run, "_search_classes", lambda *rest: None)
        return list(Run(model, options).answers())


def hold_that_answers_are_verified(model: Compiled) -> None:
    """Listed and counted, each answer is checked by code of its own."""
    run = Run(model, Options(jobs=1, verify=True))
    number = len(list(run.answers()))
    assert number and run.verified is not None and run.verified.done
    counting = Run(model, Options(jobs=1, verify=True))
    assert counting.count().value == number
    assert counting.verified is not None and counting.verified.done
