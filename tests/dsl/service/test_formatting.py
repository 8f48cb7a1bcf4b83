"""The layout of a text that is being edited is that of `covr fmt`, which reads it all again."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covr.dsl import ModelErrors, Source
from covr.dsl.format import format_model, words_at
from covr.dsl.service.document import Document
from covr.dsl.service.names import formatted_text, same_words
from covr.inputs.library import Libraries
from tests.dsl.models import MODELS
from tests.dsl.service.edits import edited
from tests.dsl.spread import spread
from tests.shared import examples


@settings(max_examples=examples(20))
@given(st.integers(0, 2**32), st.sampled_from(MODELS))
def test_the_layout_while_editing_is_that_of_fmt(seed: int, path: object) -> None:
    """After each of some edits, most of which break the text."""
    rng = Random(seed)
    text = spread(path.read_text(encoding="utf-8"), rng)  # type: ignore[attr-defined]
    open_text = Document("m.cover", Libraries)
    for _ in range(3):
        found = open_text.change(text)
        try:
            wanted = format_model(Source("m.cover", text))
        except ModelErrors:
            with pytest.raises(ModelErrors):
                formatted_text(found)
        else:
            assert formatted_text(found) == wanted
        text = edited(text, rng) if rng.random() < 0.5 else spread(text, rng)


@pytest.mark.parametrize(("text", "made", "same"), [
    ("at   least 2 f per r", "at least 2 f per r", True),
    ("let a=1", "let a = 1", True),
    ("let a = 1", "let a = 2", False),
    ("let a = 1", "let a = 1 + 1", False),
    ("let a = 1 + 1", "let a = 1", False),
    ('let a = "x  y"', 'let a = "x y"', False),
    ("let a = 1 # b", "let a = 1", True),
    ("let at(x) = x let b = at(1)", "let at(x) = x\nlet b = at (1)", True),
])  # fmt: skip
def test_words_tell_whether_two_texts_say_the_same(text: str, made: str, same: bool) -> None:
    assert same_words(text, list(words_at(text)), made) is same
