"""What is kept from edit to edit does not grow, however many edits there are."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable
from random import Random

import pytest

from covr.dsl.parser import settle
from covr.dsl.service.document import Document
from covr.dsl.service.names import NameTable
from covr.inputs.library import Libraries
from tests.dsl.service.edits import edited

pytestmark = pytest.mark.long

EDITS = 10
LEAK = 50_000  # bytes; so much is lost if a few statements are kept from every edit
TEXT = 'use "std/pentominoes"\nlet n = 9\n' + "".join(
    f"let f{i}(a) = a + {i} * n\nchoose q{i}(r) for r in 1..f{i}(n)\nexactly one q{i} per r\n" for i in range(12)
)


def document() -> Document:
    return Document("m.cover", Libraries)


def grown(edit: Callable[[str], object], text: str) -> int:
    """How many bytes memory grows by while somebody types a text and deletes it again."""

    def type_some(number: int) -> None:
        rng = Random(number)
        for _ in range(EDITS):
            edit(edited(text, rng))
            edit(text)

    tracemalloc.start()
    type_some(1)
    gc.collect()
    before, _ = tracemalloc.get_traced_memory()
    type_some(2)
    gc.collect()
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return after - before


def test_memory_stays_level() -> None:
    one = document()
    assert grown(lambda text: NameTable(one.change(text)), TEXT) < LEAK


def test_a_leak_would_be_found() -> None:
    one, leaked = document(), []
    assert grown(lambda text: leaked.append(one.change(text)), TEXT) > LEAK


def test_memory_of_the_server_stays_level() -> None:
    pytest.importorskip("lsprotocol.types", reason="needs covr[lsp]")
    from covr.lsp.open_model import OpenModel

    model = OpenModel("file:///nowhere/m.cover", "utf-16")
    settle()
    try:
        assert grown(lambda text: (model.change(text, 1), model.state.names, model.faults()), TEXT) < LEAK
    finally:
        gc.unfreeze()
