"""The models that are there: the gallery's and its library's."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parents[2] / "models"
MODELS = sorted(FOLDER.rglob("*.cover"))
