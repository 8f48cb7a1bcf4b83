"""Paces for tests: what usually waits until a search has taken long begins at once (engine/settings.py)."""

from __future__ import annotations

from attrs import evolve

from covr.engine import Limits, Problem, Settings
from covr.engine.restarts import orders
from covr.engine.search import KernelSearch
from covr.engine.settings import FirstPace, MixedPace, OrdersPace, Pace

EAGER = Pace(least=1)  # turns may be as short as they like


def by_orders(problem: Problem, limits: Limits | None = None, settings: Settings | None = None) -> KernelSearch:
    settings = settings or Settings()
    return KernelSearch(orders(problem, settings), problem, "minimum", limits or Limits(), settings)


def soon(patience: int, begin: int) -> Pace:
    """Other orders begin so early that problems small enough for brute force meet them."""
    return evolve(EAGER, orders=OrdersPace(patience=patience, begin=begin, per_member=0))


def first_pace(least: int = 1, **nodes: int) -> Pace:
    """A pace of first answers. nodes: fields of `FirstPace`."""
    return Pace(least=least, first=FirstPace(**nodes))


def mixed_pace(least: int = 1, **work: int) -> Pace:
    """A pace of linear programs and what searches beside them. work: fields of `MixedPace`."""
    return Pace(least=least, mixed=MixedPace(**work))
