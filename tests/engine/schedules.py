"""Paces for tests: what usually waits until a search has taken long begins at once (engine/settings.py)."""

from __future__ import annotations

from covr.engine.settings import FirstPace, MixedPace, Pace


def first_pace(least: int = 1, **fields: int) -> Pace:
    """A pace of first answers. fields: of `FirstPace`."""
    return Pace(least=least, first=FirstPace(**fields))


def mixed_pace(least: int = 1, **work: int) -> Pace:
    """A pace of linear programs and what searches beside them. work: fields of `MixedPace`."""
    return Pace(least=least, mixed=MixedPace(**work))
