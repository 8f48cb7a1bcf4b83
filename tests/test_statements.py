"""Random models with totals, `if … then`, `connected`, `loop`, `agree` and `answers by` have the answers of a literal
reading."""

from __future__ import annotations

import random

import pytest

from tests.statements import cheapest, difference, random_model


@pytest.mark.parametrize("seed", range(200))
def test_a_random_model_has_the_answers_of_a_literal_reading(seed: int) -> None:
    model = random_model(random.Random(seed))
    assert difference(model, "reference") == "", model.text


@pytest.mark.parametrize("seed", range(200, 260))
def test_the_engine_that_answers_finds_the_same(seed: int) -> None:
    model = random_model(random.Random(seed))
    assert difference(model) == "", model.text


@pytest.mark.parametrize("seed", range(260, 400))
def test_linear_programs_find_the_least_of_a_literal_reading(seed: int) -> None:
    model = random_model(random.Random(seed))
    assert cheapest(model, random.Random(seed)) == "", model.text
