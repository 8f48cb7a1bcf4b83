"""Loops over cases: none is left out, fixtures are passed on, and the case that fails is named."""

from __future__ import annotations

from inspect import signature

import pytest

from tests.each import each


def test_every_case_is_run_with_every_other() -> None:
    seen = []

    @each("a", range(2))
    @each("b, c", [(3, 4), (5, 6)])
    def looped(a: int, b: int, c: int, fixture: str) -> None:
        seen.append((a, b, c, fixture))

    assert list(signature(looped).parameters) == ["fixture"]
    looped(fixture="x")
    assert seen == [(0, 3, 4, "x"), (0, 5, 6, "x"), (1, 3, 4, "x"), (1, 5, 6, "x")]


@pytest.mark.parametrize("fault", [AssertionError, ValueError, KeyboardInterrupt])
def test_the_case_that_fails_is_named(fault: type[BaseException]) -> None:
    @each("seed", range(9))
    def looped(seed: int) -> None:
        if seed == 7:
            raise fault("no")

    with pytest.raises(fault, match="no") as told:
        looped()
    assert told.value.__notes__ == ["seed = 7"]


def test_without_cases_it_is_a_fault() -> None:
    with pytest.raises(AssertionError, match="without cases"):
        each("seed", ())
