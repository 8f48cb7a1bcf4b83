"""Schedules for tests: what usually waits until a search has taken long begins at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from covr.engine import Limits, Problem, Settings, restarts, turns
from covr.engine.kernel_search import KernelSearch
from covr.engine.restarts import orders
from tests.constants import constants_of


def by_orders(problem: Problem, limits: Limits | None = None, settings: Settings | None = None) -> KernelSearch:
    settings = settings or Settings()
    return KernelSearch(orders(problem, settings), problem, "minimum", limits or Limits(), settings)


@contextmanager
def soon(patience: int, begin: int) -> Iterator[None]:
    """Other orders begin so early that problems small enough for brute force meet them."""
    with constants_of(restarts, PATIENCE=patience, BEGIN=begin, PER_MEMBER=0.0), constants_of(turns, LEAST=1):
        yield
