"""Files of other people that some tests read: they lie beside the checkout, and are no part of the repository."""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED = Path(__file__).parents[1].parent / "shared"
MISSING = "../shared is not here"  # what the summary counts
needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason=MISSING)
