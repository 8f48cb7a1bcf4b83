"""Every fault of syntax and names has its message, on the line where the fault stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from covr.dsl import ModelErrors, Source, load_model
from covr.dsl.codes import CODES
from tests.chunks import Chunk, assert_expected, read_chunks

HERE = Path(__file__).parent
CHUNKS = [c for name in ("syntax", "names") for c in read_chunks(HERE / f"{name}.chunks")]


@pytest.mark.parametrize("chunk", CHUNKS, ids=lambda c: c.name)
def test_a_wrong_model_is_told_what_is_wrong(chunk: Chunk) -> None:
    with pytest.raises(ModelErrors) as caught:
        load_model(Source("chunk.cover", chunk.text), lambda path, source: None)
    assert_expected(chunk, caught.value.diagnostics)


def test_every_code_is_explained_and_met() -> None:
    met = {expected.code for chunk in CHUNKS for expected in chunk.expected}
    assert met <= set(CODES)
    elsewhere = {"E005", "E006", "E007", "E010", "E011", "E012"}  # long texts or files
    assert {code for code in CODES if code.startswith(("E0", "E1"))} - met == elsewhere


def test_there_are_many() -> None:
    assert sum(len(chunk.expected) for chunk in CHUNKS) >= 150
