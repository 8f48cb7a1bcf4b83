"""The back ends of the searches on sets of options that this processor has; ARCHITECTURE.md says what they are."""

from __future__ import annotations

from covr.engine.kernels.loading import load

# Bits of a register; 64 is plain C. Interpreted kernels take no notice of it.
WIDE = tuple(width for width in (512, 256, 128) if width <= load("_bits", False).widest())
ALL = (*WIDE, 64)
