"""Which kernel answers an exact cover problem: bounds 1, 1 and 0, 1, every answer or how many.

Bits (masks.py, _bits.py) wherever they are compiled and the masks are not too large, else links (_exact.py): two
to ten times as fast on tilings, designs and sudoku, not much faster where nodes are tiny. Interpreted, links win.
What has other bounds has sets of its own, see multiplicity.py.
Beyond masks links remain: 50 000 options of 5 items take 70 MB with them. Sparse sets instead of links (SSXCC's
"dancing cells", with early abort, and options sorted into the documented order) were written, agreed with links in
answers and nodes, and were left out, since as written they were slower. Links are faster, in a million nodes, 1.3
times on queens 100 × 100, 1.4 on social golfers of 71 920 options, 4.6 on a random cover of 60 022, 2.7 on a 16×16
sudoku, where three quarters of the cells' time went into choosing the item by a scan of every count. In 50 000
nodes of a 25×25 sudoku cells led by 1.3.
"""

from __future__ import annotations

from typing import Any

from attrs import frozen

from covr.engine.kernels.loading import Gatherer, Measured, Memo, load
from covr.engine.prepare.masks import Masks, build_masks, masks_memory
from covr.engine.prepare.residual import Residual, take_given
from covr.engine.problem import Problem
from covr.engine.settings import Settings

MASKS_MEMORY = 1 << 28  # bytes; beyond, masks cost more than they save


@frozen
class Lister:
    """A kernel that gives answers one by one. name: in words.  gatherer: the kernel, where it gathers answers."""

    kernel: Measured
    name: str
    gatherer: Gatherer | None = None


class ExactCover:
    """A problem made ready for whichever kernel is asked for; masks are built once."""

    def __init__(self, problem: Problem, settings: Settings):
        """Time linear in the length of the options, and in the size of the masks if there are any."""
        self.problem, self.settings = problem, settings
        self.interpreted = settings.interpreted or settings.engine == "interpreted"
        self.residual: Residual = take_given(problem)
        self.masks: Masks | None = self._masks()

    def _masks(self) -> Masks | None:
        engine = self.settings.engine
        compiled = load("_bits", self.interpreted).COMPILED
        if engine not in ("bits", "memo") and (engine != "auto" or not compiled):
            return None
        memory = masks_memory(self.problem, self.residual)
        if memory > MASKS_MEMORY:
            return None
        return build_masks(self.problem, self.residual, self.interpreted)

    def lister(self) -> Lister:
        """A kernel for every answer; sets of options gather them."""
        if self.masks is None:
            module = load("_exact", self.interpreted)
            return Lister(module.Exact(self.problem, self.residual), f"dancing links, exact cover ({speed(module)})")
        return self.named(load("_bits", self.interpreted).Bits(self.masks, self.residual.feasible))

    def named(self, bits: Any) -> Lister:
        """A kernel on the masks, which there are, as a lister."""
        return Lister(bits, f"bit sets, exact cover ({speed(load('_bits', self.interpreted))})", bits)

    def counter(self) -> tuple[Memo, str] | None:
        """A kernel that can do nothing but count, and its name; None where listing is as good."""
        if self.masks is None or self.settings.engine == "bits":
            return None
        module = load("_bits", self.interpreted)
        kernel = module.Bits(self.masks, self.residual.feasible, self.settings.memory)
        return kernel, f"bit sets with a memo, exact cover ({speed(module)})"


def speed(module: Any) -> str:
    """How a kernel runs, in a word."""
    return "compiled" if module.COMPILED else "interpreted"
