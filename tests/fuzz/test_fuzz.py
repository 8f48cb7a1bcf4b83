"""Nothing a model says makes covr raise anything but ModelErrors, hang, open what it may not, or write."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz.grown import models
from tests.fuzz.models import damaged
from tests.fuzz.run import STAGES, grown, many
from tests.fuzz.stages import lead
from tests.shared import examples, of_oracle

pytestmark = pytest.mark.long

QUICK = settings(max_examples=examples(60), suppress_health_check=list(HealthCheck), deadline=None)


@QUICK
@given(st.deferred(models))  # the grammar is read when the test runs
def test_what_the_grammar_allows(text: str) -> None:
    lead(text, Counter())


@settings(QUICK, max_examples=examples(250))
@given(st.integers(0, 2**32), st.booleans())
def test_a_damaged_gallery_leads_to_messages(seed: int, gentle: bool) -> None:
    lead(damaged(random.Random(seed), gentle=gentle), Counter())


@settings(QUICK, max_examples=examples(150))
@given(st.text(st.characters(codec="utf-8"), max_size=200))
def test_any_text_gives_only_model_errors(text: str) -> None:
    lead(text, Counter())


def test_what_the_grammar_allows_crossed() -> None:
    models = of_oracle(100)
    met, broken = grown(models, 1, 60)
    assert not broken, broken[0]
    assert met["review"] >= models // 2


@pytest.mark.slow
def test_fifty_thousand_models_of_the_grammar_reach_each_stage() -> None:
    met, broken = grown(50_000, 1, 7200)
    assert not broken, broken[0]
    assert min(met[stage] for stage in STAGES) >= 50_000


@pytest.mark.slow
def test_fifty_thousand_damaged_models_reach_each_stage() -> None:
    met, broken = many(50_000, 1, 7200)
    assert not broken, broken[0]
    assert min(met[stage] for stage in STAGES) >= 50_000
