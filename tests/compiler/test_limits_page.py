"""docs/errors.md says what the code does."""

from __future__ import annotations

from pathlib import Path

import attrs

from covr.compiler import CompileLimits
from covr.compiler.evaluate.calls import CALL
from covr.compiler.evaluate.limits import CHOICE, COMPARED, FEW_HASHES, SEARCH
from covr.compiler.lower.needs import BINDING
from covr.dsl import bound_names, load, parser, scope, tree
from covr.dsl import format as comments
from covr.dsl.codes import CODES

PAGE = (Path(__file__).parents[2] / "docs" / "errors.md").read_text(encoding="utf-8")


def test_every_limit_stands_there() -> None:
    for limit in attrs.fields(CompileLimits):
        assert f"| `{limit.name}` | {limit.default:,} |" in PAGE, limit.name


def test_the_limits_of_text_stand_there() -> None:
    for what, value in (
        ("characters of a model or library", parser.MAX_TEXT), ("words and signs of a model", parser.MAX_TOKENS),
        ("libraries of a model", load.MAX_LIBRARIES), ("characters of all its libraries", parser.MAX_TEXT),
        ("digits of a number", tree.MAX_DIGITS), ("names that a statement or comprehension binds", tree.MOST),
        ("keys of a rule, families of a rule", tree.MOST), ("families of choices, declared indices", bound_names.MANY),
        ("expressions nested in each other", tree.MAX_DEPTH),
        ("errors reported in one run", tree.MAX_FAULTS), ("codes that comments allow", comments.MOST),
    ):  # fmt: skip
        assert f"| {what} | {value:,} |" in PAGE, what
    assert scope.MAX_FAULTS == tree.MAX_FAULTS
    assert f"a call counts as {CALL}, a choice that a statement looks at as {CHOICE}" in PAGE
    assert f"a condition leaves as {SEARCH}; a large expression, or many conditions together," in PAGE
    assert f"says for a binding of its names counts as {BINDING};" in PAGE
    assert f"of more than {FEW_HASHES:,} values" in PAGE and f"every {COMPARED} pairs count as 1 | E211" in PAGE


def test_the_codes_are_known() -> None:
    import re

    assert set(re.findall(r"\bE\d{3}\b", PAGE)) <= CODES.keys()
