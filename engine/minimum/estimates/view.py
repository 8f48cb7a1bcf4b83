"""What an estimate sees of a search node."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from covr.engine.problem import Problem


class View(Protocol):
    """The residual problem at a node. It is the search's own state: valid only during the call, and not to be kept.

    Item and option numbers are those of `problem`, the matrix that is being searched. This is the caller's problem,
    except that a seed renumbers it, and that costs may be shifted by constants (see `engine/prepare/shift.py`).
    A *live* option has been neither taken nor excluded and conflicts with nothing taken.
    An item that is met needs 0 and has no options. Numbers of items or options that the problem does not have,
    including negative ones, raise IndexError; reading a view while its search goes on in another thread raises
    RuntimeError.
    """

    @property
    def problem(self) -> Problem:
        """The matrix that is being searched."""

    @property
    def paid(self) -> int:
        """The cost of all options taken so far."""

    @property
    def depth(self) -> int:
        """How many options were taken so far, not counting given ones."""

    @property
    def credit(self) -> int:
        """The sum of the negative costs of live options, at most 0. The cost of a completion is never less."""

    def uncovered(self) -> Sequence[int]:
        """The items that need more options, increasing."""

    def need(self, item: int) -> int:
        """How many more options must hold the item; at least 1 for uncovered items."""

    def options(self, item: int) -> Sequence[int]:
        """The live options of an uncovered item, increasing."""

    def reach(self, option: int) -> Sequence[int]:
        """The uncovered items that a live option holds, increasing."""

    def cost(self, option: int) -> int:
        """The cost of the option."""
