"""What `covr check` says of models whose text is right and whose rules or pictures are not: see `tests/chunks.py`."""

from __future__ import annotations

from pathlib import Path

import pytest

from covr.cli.check import remarks
from covr.compiler import compile_model
from covr.dsl import ModelErrors, Source, load_model
from tests.chunks import Chunk, assert_expected, read_chunks

CHUNKS = read_chunks(Path(__file__).with_name("check.chunks"))


@pytest.mark.parametrize("chunk", CHUNKS, ids=[chunk.name for chunk in CHUNKS])
def test_chunk(chunk: Chunk) -> None:
    try:
        found = remarks(compile_model(load_model(Source("m.cover", chunk.text), lambda path, source: None)))
    except ModelErrors as errors:
        found = list(errors.diagnostics)
    assert_expected(chunk, found)
