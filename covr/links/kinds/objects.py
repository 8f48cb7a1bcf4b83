"""Things to be placed: stars, tents, ships."""

from __future__ import annotations

from covr.links.kind import Kind

KINDS: tuple[Kind, ...] = ()
