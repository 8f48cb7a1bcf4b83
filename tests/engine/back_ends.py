"""The back ends of the wide searches that this processor has; docs/tour.md says what they are."""

from __future__ import annotations

from covr.engine.kernels.loading import load

# Bits of a register. Sets of options run on one of the first, and on words without a twin; sets with bounds on any.
WIDE = tuple(width for width in (512, 256, 128) if width <= load("_bits", False).widest())
ALL = (*WIDE, 64)
