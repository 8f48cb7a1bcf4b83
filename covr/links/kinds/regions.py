"""Boards to be cut into regions."""

from __future__ import annotations

from covr.links.kind import Kind

KINDS: tuple[Kind, ...] = ()
