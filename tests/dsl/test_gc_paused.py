"""What is built while the collector is off is kept without a visit, and is collected once it is garbage."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from covr.dsl import parser as paused
from covr.dsl.parser import gc_paused


@pytest.fixture
def nothing_frozen() -> Iterator[None]:
    """A collector as that of a command: conftest.py freezes the tests."""
    gc.unfreeze()
    paused._HandedOver.settled = False
    yield
    gc.freeze()
    paused._HandedOver.settled = True


class Circular:
    """Refers to itself, so that only the collector frees it."""

    alive = 0

    def __init__(self) -> None:
        Circular.alive += 1
        self.own = self

    def __del__(self) -> None:
        Circular.alive -= 1


@pytest.mark.usefixtures("nothing_frozen")
def test_garbage_does_not_pile_up() -> None:
    gc.collect()
    most = 2 * (len(gc.get_objects()) + paused.FEW)
    made = 0
    while Circular.alive == made and made < most:
        with gc_paused():
            made += len([Circular() for _ in range(20_000)])
    assert Circular.alive < made


@pytest.mark.usefixtures("nothing_frozen")
def test_what_was_built_is_not_visited_at_once() -> None:
    visits: list[int] = []

    def watch(phase: str, told: dict[str, int]) -> None:
        visits.append(told["generation"])

    gc.collect()
    gc.callbacks.append(watch)
    try:
        with gc_paused():
            kept = [[n] for n in range(5_000)]
        once = list(visits)
    finally:
        gc.callbacks.remove(watch)
    assert len(kept) == 5_000 and once == []


def test_frozen_objects_stay_frozen() -> None:
    frozen = gc.get_freeze_count()
    with gc_paused():
        kept = [[n] for n in range(1_000)]
    assert frozen > 1_000 == len(kept) and gc.get_freeze_count() >= frozen - 100
