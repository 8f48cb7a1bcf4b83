"""Settings by the name of an engine, among them the links interpreted, which laws compare with all others."""

from __future__ import annotations

from typing import Any

from covr.engine import Settings

INTERPRETED = "interpreted"  # Dancing Links, interpreted even where they are compiled


def by(engine: str = "auto", **more: Any) -> Settings:
    """Settings for an engine, or for `INTERPRETED`. more: other settings."""
    if engine == INTERPRETED:
        return Settings(engine="links", **{**more, "interpreted": True})
    return Settings(engine=engine, **more)
