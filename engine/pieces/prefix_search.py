"""Searches many prefixes of one exact cover problem with masks that are built once.

To make a problem of a prefix (split.py) and build its masks takes some milliseconds, in which tens of thousands of
nodes could be searched. So one kernel is kept, and reused for one prefix after another.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from covr.engine.kernel_search import KernelSearch
from covr.engine.method import Method
from covr.engine.pieces.split import Prefix
from covr.engine.prepare.exact import ExactCover
from covr.engine.prepare.masks import Masks
from covr.engine.problem import Problem
from covr.engine.search import Search
from covr.engine.settings import Settings


class Below:
    """Searches below prefixes of a problem, one after another. Every thread needs one of its own."""

    def __init__(
        self, problem: Problem, settings: Settings, exact: ExactCover, masks: Masks, kernel: Any = None
    ) -> None:
        """See `below`, which checks that the problem has masks. kernel: one of this problem that nobody else uses;
        None to make one."""
        self._problem, self._settings = problem, settings
        lister = exact.lister() if kernel is None else exact.named(kernel)
        self._kernel: Any = lister.kernel
        self._name = lister.name

    def search(self, prefix: Prefix, ordered: bool = True) -> Search:
        """A search for every answer of the problem below a prefix. Its counters begin at 0. It ends the search that was
        begun before.

        ordered: whether the options of each answer are to increase."""
        self._kernel.descend(prefix.taken, prefix.excluded)
        before = [*self._problem.given, *prefix.taken]

        def whole(options: Sequence[int]) -> tuple[int, ...]:
            return tuple(sorted([*before, *options])) if ordered else (*before, *options)

        kernel = self._kernel

        def answer() -> tuple[int, ...]:
            return whole(kernel.answer())

        method = Method(self._name, kernel, kernel.run, answer, gatherer=kernel, whole=whole, fraction=kernel.fraction)
        return KernelSearch(method, self._problem, settings=self._settings)


def below(problem: Problem, settings: Settings, exact: ExactCover | None = None) -> Callable[[], Below] | None:
    """A function that makes a `Below` for each thread; None if the problem has no masks. Time and space: see
    prepare/masks.py.

    exact: the problem as prepared for exact cover, if that is done already.
    """
    if not problem.is_exact:
        return None
    exact = exact or ExactCover(problem, settings)
    if exact.masks is None or not exact.residual.feasible:
        return None
    return partial(Below, problem, settings, exact, exact.masks)
