"""A base for any group of automorphisms of a coloured graph: vertices such that who fixes them fixes all others.

Vertices of a range are individualised one after another, and the partition refined each time (_partition.py), until
every vertex of the range is a cell of its own. An automorphism that fixes the chosen vertices carries every cell to
itself, and so fixes all vertices of the range. This holds for every subgroup as well, whatever generates it.

Source: McKay, "Practical graph isomorphism" (1981).
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.groups._partition import Partition
else:
    from covr.engine.kernels.loading import load

    Partition = load("_partition", interpreted=True).Partition

COMPILED = cython.compiled


@cython.final
@cython.cclass
class Base(Partition):
    """A partition in which vertices are individualised until those of a range are single."""

    def points(self, first: cython.int, end: cython.int):
        """The vertices of the range first … end - 1 that were individualised: always the first that is not alone."""
        v: cython.int
        found = []
        for v in range(first, end):
            if self.length[self.cell[v]] > 1:
                found.append(v)
                self.read = 0
                self._single(v)
                self._refine()
        return found
