"""Chooses the kernel for an exact cover problem (bounds 1, 1 and 0, 1), to list every answer or to count them.

Bit sets (masks.py, _bits.py) are chosen if they are compiled and the masks are not too large, otherwise links
(_exact.py). Bit sets are two to ten times as fast on tilings, designs and sudoku, and not much faster where nodes are
tiny. When both run interpreted, links need no preparation and do not count every item at every node: 300 nodes of a
16×16 sudoku take an eleventh of the time, of a domino tiling two thirds. Where nodes are costly for links, though, bit
sets are faster even then: 8 times on the soma cube, 11 times on pentominoes. Problems with other bounds have their own
sets; see multiplicity.py.

Links remain for problems whose masks would be too large: with them, 50 000 options of 5 items take 70 MB. Sparse sets
instead of links (the "dancing cells" of Knuth's SSXCC, with early abort, and options sorted into the documented order)
were tried. They gave the same answers and nodes, but as written they were slower, so they were left out. Over a million
nodes links are 1.3 times as fast on queens 100 × 100, 1.4 times on social golfers with 71 920 options, 4.6 times on a
random cover with 60 022, and 2.7 times on a 16×16 sudoku, where cells spent three quarters of their time choosing the
item by a scan of all counts. Over 50 000 nodes of a 25×25 sudoku, cells were 1.3 times as fast.
"""

from __future__ import annotations

from typing import Any

from covr.engine.base.heed import look
from covr.engine.kernels.loading import Gatherer, Measured, Memo, load
from covr.engine.prepare.masks import Masks, build_masks, masks_fit
from covr.engine.prepare.residual import Residual, take_given
from covr.engine.problem import Problem
from covr.engine.settings import Settings
from covr.frozen import frozen

MASKS_MEMORY = 1 << 28  # bytes; larger masks cost more than they save


@frozen
class Lister:
    """A kernel that gives answers one by one.

    name: what messages call it.  gatherer: the same kernel, if it can gather answers; else None.
    """

    kernel: Measured
    name: str
    gatherer: Gatherer | None = None


class ExactCover:
    """A problem prepared for whichever kernel is asked for; its masks are built once."""

    def __init__(self, problem: Problem, settings: Settings):
        """Takes time linear in the total length of the options, and in the size of the masks if they are built."""
        self.problem, self.settings = problem, settings
        self.interpreted = settings.interpreted
        self.residual: Residual = take_given(problem)
        self.masks: Masks | None = self._masks()

    def _masks(self) -> Masks | None:
        engine = self.settings.engine
        if engine not in ("bits", "memo", "auto"):
            return None
        if engine == "auto" and not load("_bits", self.interpreted).COMPILED:
            return None
        if not masks_fit(self.problem, self.residual, MASKS_MEMORY):
            return None
        return build_masks(self.problem, self.residual, self.interpreted)

    def lister(self) -> Lister:
        """A kernel that lists every answer; the one on bit sets can also gather them."""
        if self.masks is None:
            module = load("_exact", self.interpreted)
            return Lister(
                module.Exact(self.problem, self.residual, look), f"dancing links, exact cover ({speed(module)})"
            )
        return self.named(load("_bits", self.interpreted).Bits(self.masks, self.residual.feasible))

    def named(self, bits: Any) -> Lister:
        """The lister of a kernel that runs on the masks, which must exist."""
        return Lister(bits, f"bit sets, exact cover ({speed(load('_bits', self.interpreted))})", bits)

    def counter(self) -> tuple[Memo, str] | None:
        """A kernel that only counts answers, and its name; None if a lister counts as well, and without memory."""
        if self.masks is None or self.settings.engine == "bits" or not self.settings.memory:
            return None
        module = load("_bits", self.interpreted)
        kernel = module.Bits(self.masks, self.residual.feasible, self.settings.memory)
        return kernel, f"bit sets with a memo, exact cover ({speed(module)})"


def speed(module: Any) -> str:
    """'compiled' or 'interpreted': how a kernel's module runs."""
    return "compiled" if module.COMPILED else "interpreted"
