"""The gallery page is up to date, and its pictures are made and can be read. Renew the page, once it has been read, by

python -m covr.api.gallery --page > docs/gallery.md
"""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from covr.api import gallery
from covr.inputs.library import gallery_names

PAGE = Path(__file__).parents[2] / "docs" / "gallery.md"


def test_the_page_is_what_the_models_give(capsys: pytest.CaptureFixture[str]) -> None:
    assert gallery.main(["--page"]) == 0
    assert capsys.readouterr().out == PAGE.read_text(encoding="utf-8")


def test_pictures_of_all_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    few = ["dominosa", "experts", "langford", "queens", "sudoku_x", "toy"]
    monkeypatch.setattr(gallery, "names", lambda: few)
    assert gallery.main([str(tmp_path / "out")]) == 0
    made = {path.name for path in (tmp_path / "out").iterdir()}
    assert made == {"index.html", *(f"{n}.svg" for n in few), *(f"{n}-puzzle.svg" for n in few)}
    for path in (tmp_path / "out").glob("*.svg"):
        ElementTree.parse(path)
    assert (tmp_path / "out" / "index.html").read_text(encoding="utf-8").count("<figure>") == len(few)


def test_every_model_is_there() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert [line[3:] for line in text.splitlines() if line.startswith("## ")] == gallery_names()


def test_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert gallery.main([]) == gallery.main(["--help"]) == 2
    assert "usage" in capsys.readouterr().err
