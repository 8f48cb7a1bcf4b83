"""All models in the repository: those of the gallery and of its library."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parents[2] / "models"
MODELS = sorted(FOLDER.rglob("*.cover"))
