"""All models in the repository: those of the gallery and of its library."""

from __future__ import annotations

from pathlib import Path

from tests.shared import IN_GATE

FOLDER = Path(__file__).parents[2] / "models"
MODELS = sorted(FOLDER.rglob("*.cover"))

# Of laws that take a second for every twenty models, the gate tries a third of them; all other runs try all.
SOME = MODELS[::3] if IN_GATE else MODELS
