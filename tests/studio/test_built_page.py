"""Where the studio's page is looked for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from covr.studio import app as built_page
from covr.studio.app import find_page, installed_from, newest, not_built
from tests.constants import Constants


def page(folder: Path, when: int) -> Path:
    folder.mkdir(parents=True)
    (folder / "index.html").write_text("")
    os.utime(folder / "index.html", (when, when))
    return folder


def test_the_page_that_was_built_last_is_taken(tmp_path: Path) -> None:
    missing, old, new = tmp_path / "c", page(tmp_path / "a", 1000), page(tmp_path / "b", 2000)
    assert newest([old, new]) == newest([new, old]) == newest([missing, new]) == new
    assert newest([missing, old]) == old
    assert newest([missing, tmp_path]) == missing


@pytest.mark.parametrize("noted", [None, "", "{}", "[]", "3", '{"url": "https://x/covr.whl"}', '{"url": 3}', "no json"])
def test_what_names_no_folder(noted: str | None) -> None:
    assert installed_from(noted) is None


def test_a_page_in_the_clone_that_covr_was_installed_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, constants: Constants
) -> None:
    """The package is elsewhere than the clone, as after `pip install .`."""
    clone = tmp_path / "a clone"
    assert installed_from(f'{{"url": "{clone.as_uri()}", "dir_info": {{}}}}') == clone
    constants(built_page, PACKAGE=tmp_path / "site-packages" / "covr" / "studio")
    monkeypatch.setattr(built_page, "clones", lambda: (clone,))
    assert not (find_page() / "index.html").exists()
    where = f"'{clone / 'studio'}'"
    assert f"`npm ci --ignore-scripts --prefix {where} && npm run build --prefix {where}`" in not_built()
    built = page(clone / "covr" / "studio" / "page", 1000)
    assert find_page() == built
    monkeypatch.setattr(built_page, "clones", lambda: ())
    assert "npm" not in not_built()
