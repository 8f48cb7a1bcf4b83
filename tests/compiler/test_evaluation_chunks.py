"""Wrong models and wrong data, each with its exact fault on the faulty line: see `tests/chunks.py`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.chunks import Chunk, assert_expected, read_chunks
from tests.compiler.evaluation import faults, scope

CHUNKS = read_chunks(Path(__file__).with_name("evaluation.chunks"))


@pytest.mark.parametrize("chunk", CHUNKS, ids=[chunk.name for chunk in CHUNKS])
def test_faults_stand_on_the_faulty_line(chunk: Chunk) -> None:
    assert_expected(chunk, faults(lambda: scope(chunk.text)))
