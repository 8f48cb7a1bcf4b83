"""What an estimate sees of a search node."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from covr.engine.problem import Problem


class View(Protocol):
    """The residual problem at a node. It is the search's own state: valid during the call, never to be kept.

    Item and option numbers are those of `problem`, the matrix that is being searched: the caller's own,
    except that a seed renumbers it and that costs may have been shifted by constants (see `engine/shift.py`).
    A *live* option has been neither taken nor excluded and conflicts with nothing taken.
    An item or option that the problem does not have raises IndexError, negative numbers too; a view that is read while
    its search goes on in another thread, RuntimeError. An item that is met needs 0 and has no options.
    """

    @property
    def problem(self) -> Problem:
        """The matrix that is being searched."""

    @property
    def paid(self) -> int:
        """The cost of all options taken so far."""

    @property
    def depth(self) -> int:
        """How many options were taken so far, beside the given ones."""

    @property
    def credit(self) -> int:
        """The sum of the negative costs of live options, at most 0: no more than that can still be
        collected."""

    def uncovered(self) -> Sequence[int]:
        """The items with a need, increasing."""

    def need(self, item: int) -> int:
        """How many more options the item must have; at least 1 for uncovered items."""

    def options(self, item: int) -> Sequence[int]:
        """The live options of an uncovered item, increasing."""

    def reach(self, option: int) -> Sequence[int]:
        """The uncovered items that a live option holds, increasing."""

    def cost(self, option: int) -> int:
        """What the option costs."""
