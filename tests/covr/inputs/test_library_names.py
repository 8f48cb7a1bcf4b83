"""Names of libraries that are suggested: none that lies outside the folder that may be read."""

from __future__ import annotations

from pathlib import Path

from covr.dsl.diagnostics import Source
from covr.inputs.library import Libraries


def test_no_name_outside_the_folder_is_told(tmp_path: Path) -> None:
    for name in ("in/near.cover", "out/secret.cover"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text("let a = 1\n")
    model = Source("m.cover", "", str(tmp_path / "in" / "m.cover"))
    confined, free = Libraries(model, tmp_path / "in"), Libraries(model)
    assert not [n for n in confined.known("../out/secre", model) if "secret" in n]
    assert "near" in confined.known("nea", model)
    assert "../out/secret" in free.known("../out/secre", model)
