"""One answer of each class under a group that is too large to be listed.

The parts are those of chain_cut.py, and an answer is passed on if it is the smallest of all its images. Everything else
is as with small groups (class_search.py): one part after another, what takes long cut further and shared out among
threads, and the answers in the order of the parts and, within each, in the documented one. Counting visits one answer
of each class and those that the parts do not tell apart from it; it has no memo.
"""

from __future__ import annotations

from covr.engine.base.limits import Limits
from covr.engine.pieces.chain_pieces import chain_pieces
from covr.engine.pieces.class_search import ClassSearch
from covr.engine.problem import Problem
from covr.engine.settings import Settings
from covr.engine.symmetries.chain import ChainGroup


class ChainSearch(ClassSearch):
    """A `Search` for one answer of each class, the smallest, under a group of any size."""

    def _only_count(self) -> None:
        """Nothing is prepared: there is no other way to count."""


def begin_chain(problem: Problem, group: ChainGroup, limits: Limits, settings: Settings) -> ChainSearch | None:
    """The search for one answer of each class; None where it can't handle this problem or these settings, so that the
    caller has to sort the answers into classes.

    group: of permutations of the options that carry the problem to itself. Raises Stopped where a limit of the calling
    search is met.
    """
    found = chain_pieces(problem, group, settings)
    return None if found is None else ChainSearch(problem, found, limits, settings)
