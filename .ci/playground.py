"""What the studio without a server needs of Python, for studio/playground/build.mjs: models, pictures, packed files.

    python .ci/playground.py draw FOLDER WHEELS
    python .ci/playground.py pack FILE RESULT

`draw` writes what the page opens with, worked out by the same code that answers a page (covr/studio/in_page.py),
and the gallery with its pictures in both looks; and into WHEELS what covr needs beside its own wheel. `pack` packs a
file by xz.
"""

from __future__ import annotations

import importlib.metadata
import json
import lzma
import re
import sys
import tempfile
import tomllib
import zipfile
from functools import lru_cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
OPENING = "sudoku"  # the model of the gallery that the page opens with
LOOKS = ("light", "dark")


def draw(folder: Path, wheels: Path) -> None:
    """Write opening.json, gallery.json and the pictures of the gallery into a folder."""
    from covr import __version__
    from covr.draw.elements import THEMES
    from covr.inputs.library import gallery_names
    from covr.studio import in_page
    from covr.studio.shelves import new_kinds, shelf, text_of

    with tempfile.TemporaryDirectory() as empty:
        in_page.FOLDER = Path(empty)
        told: list[dict[str, Any]] = []
        studio = in_page.PageStudio(lambda text: told.append(json.loads(text)))

        def events(kind: str, text: str, **options: str) -> list[dict[str, Any]]:
            told.clear()
            asked = {"name": f"{OPENING}.cover", "kind": kind, "text": text, "data": {}, "options": options}
            studio.ask(json.dumps(asked))
            return list(told)

        text = text_of(OPENING)
        about = studio.about("analyse", json.dumps({"name": f"{OPENING}.cover", "text": text, "data": {}}))
        start = {
            "version": __version__, "folder": "", "name": f"{OPENING}.cover", "model": None, "text": text,
            "limits": in_page.LIMITS.as_dict(), "themes": sorted(THEMES),
        }  # fmt: skip
        puzzle = {look: events("puzzle", text, theme=look) for look in LOOKS}
        write(folder / "opening.json", {"start": start, "analysis": json.loads(about), "puzzle": puzzle})
        texts = {name: text_of(name) for name in gallery_names()}
        write(folder / "gallery.json", {"kinds": shelf(), "fresh": new_kinds(), "texts": texts})
        (folder / "gallery").mkdir()
        for name in gallery_names():
            for look in LOOKS:
                (folder / "gallery" / f"{name}.{look}.svg").write_text(picture(name, look), "utf-8")
    for name in needed():
        gather(name, wheels / f"{name}.zip")


def picture(name: str, look: str) -> str:
    """The first answer of a model of the gallery, drawn as the studio draws it on its shelf."""
    from covr.draw.book import Shown, draw_svg

    model, answer = answered(name)
    return draw_svg([Shown(answer.pictures)], model.title, look, title_shown=False)


@lru_cache(maxsize=1)
def answered(name: str) -> tuple[Any, Any]:
    """A model of the gallery and its first answer; the last one is kept, for both looks."""
    from covr.api.gallery import shown

    return shown(name)


def needed() -> list[str]:
    """What covr needs that is Python alone: clingo and HiGHS are for processors that have wheels of them."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return [re.match(r"[\w-]+", line)[0] for line in project["dependencies"] if ";" not in line]  # type: ignore[index]


def gather(distribution: str, archive: Path) -> None:
    """What is installed of a package that is Python alone, as a zip file."""
    with zipfile.ZipFile(archive, "w") as target:
        for file in importlib.metadata.files(distribution) or ():
            if file.parts[0] != ".." and "__pycache__" not in file.parts:
                target.write(file.locate(), str(file))


def write(path: Path, what: object) -> None:
    """Write JSON without blanks."""
    path.write_text(json.dumps(what, ensure_ascii=False, separators=(",", ":")), "utf-8")


def pack(source: Path, result: Path) -> None:
    """Pack a file as small as xz can."""
    result.write_bytes(lzma.compress(source.read_bytes(), check=lzma.CHECK_CRC32, preset=9 | lzma.PRESET_EXTREME))


if __name__ == "__main__":
    {"draw": draw, "pack": pack}[sys.argv[1]](Path(sys.argv[2]), Path(sys.argv[3]))
