"""Random models with totals, `if … then`, `connected`, `loop`, `agree` and `answers by` have the answers of a literal
reading."""

from __future__ import annotations

import random

import pytest

from tests.statements import cheapest, difference, random_model

pytestmark = pytest.mark.long


def test_a_random_model_has_the_answers_of_a_literal_reading() -> None:
    for seed in range(200):
        model = random_model(random.Random(seed))
        assert difference(model, "reference") == "", model.text


def test_the_engine_that_answers_finds_the_same() -> None:
    for seed in range(200, 260):
        model = random_model(random.Random(seed))
        assert difference(model) == "", model.text


def test_linear_programs_find_the_least_of_a_literal_reading() -> None:
    for seed in range(260, 400):
        model = random_model(random.Random(seed))
        assert cheapest(model, random.Random(seed)) == "", model.text
