"""The checker's table of built-in names and the compiler's functions are the same, and every code is explained."""

from __future__ import annotations

import re
from pathlib import Path

import covr.compiler.evaluate.scope
from covr.compiler.evaluate.functions import FUNCTIONS
from covr.compiler.evaluate.scope import READERS
from covr.dsl import scope as builtins
from covr.dsl.codes import CODES

ASKING = {"some", "no"}  # which bind names, and are evaluated as comprehensions are


def test_functions_and_readers_have_the_same_names() -> None:
    assert FUNCTIONS.keys() - READERS.keys() == builtins.FUNCTIONS.keys() - ASKING
    assert READERS.keys() == builtins.READERS.keys()


def test_functions_take_as_many_values() -> None:
    for name in builtins.FUNCTIONS.keys() - ASKING:
        known = builtins.FUNCTIONS[name]
        assert (FUNCTIONS[name].least, FUNCTIONS[name].most) == (known.low, known.high), name


def test_constants_are_the_same() -> None:
    predefined = covr.compiler.evaluate.scope.CONSTANTS.keys() - {"true", "false"}
    assert predefined == builtins.CONSTANTS.keys()


def test_every_code_of_evaluation_and_data_is_explained() -> None:
    folder = Path(covr.compiler.evaluate.scope.__file__).parent
    used = {
        code
        for path in [*folder.glob("*.py"), *(folder.parent / "grids").glob("*.py")]
        for code in re.findall(r'"(E[23]\d\d)"', path.read_text("utf-8"))
    }
    assert used <= CODES.keys()
    assert {code for code in CODES if code.startswith(("E2", "E3"))} == used
