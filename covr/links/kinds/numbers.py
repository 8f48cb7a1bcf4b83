"""Numbers to be written into squares."""

from __future__ import annotations

from covr.links.kind import Kind

KINDS: tuple[Kind, ...] = ()
