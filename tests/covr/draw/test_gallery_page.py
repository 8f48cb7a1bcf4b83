"""The gallery is sorted by kind, its index is whole, and its pictures are made, can be read and stay as they are.

`python -m tests.covr.draw.test_gallery_page` writes the checksums of the pictures anew, once the pictures have been
looked at (`covr solve NAME`, or all of them in a folder: `python -m covr.api.gallery OUT`).
"""

from __future__ import annotations

import json
import re
import tomllib
from hashlib import sha256
from pathlib import Path
from xml.etree import ElementTree

import pytest

from benchmarks import counts
from benchmarks._counts_rows import FIGURES, Figure
from covr.api import gallery
from covr.draw.text import as_text
from covr.dsl.syntax import Expect
from covr.inputs.as_link import kinds
from covr.inputs.library import gallery as models
from covr.inputs.library import gallery_files, gallery_names, open_model
from tests.covr.command import Covr, covr
from tests.each import each
from tests.shared import of_gallery, shown_gallery

pytestmark = pytest.mark.long

__all__ = ["covr"]

PAGE = Path(__file__).parents[3] / "docs" / "gallery.md"


PINS = Path(__file__).parent / "golden" / "gallery.toml"
PINNED: dict[str, str] = tomllib.loads(PINS.read_text(encoding="utf-8"))


def checksum(picture: str) -> str:
    return sha256(picture.encode()).hexdigest()[:12]


FIRST = [name for name in gallery_names() if name not in gallery.SOLVED]  # shown with their first answer


@pytest.mark.parametrize("name", [of_gallery(name) for name in FIRST])
def test_the_first_answer_of_a_model_and_its_picture_stay_as_they_are(name: str) -> None:
    _, answer = shown_gallery(name)
    drawn = as_text(answer.pictures)
    assert checksum(drawn) == PINNED[name], f"{name} is now drawn like this:\n{drawn}"


def test_only_models_of_the_gallery_are_pinned() -> None:
    assert list(PINNED) == FIRST


def test_every_model_has_its_pictures_on_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    few = ["dominosa", "experts", "langford", "queens", "sudoku_x", "toy"]
    monkeypatch.setattr(gallery, "names", lambda: few)
    assert gallery.main([str(tmp_path / "out")]) == 0
    made = {path.name for path in (tmp_path / "out").iterdir()}
    assert made == {"index.html", *(f"{n}.svg" for n in few), *(f"{n}-puzzle.svg" for n in few)}
    for path in (tmp_path / "out").glob("*.svg"):
        ElementTree.parse(path)
    assert (tmp_path / "out" / "index.html").read_text(encoding="utf-8").count("<figure id=") == len(few)


def test_the_page_lists_every_model_with_its_file_and_what_the_index_says() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert re.findall("^## (.*)$", text, re.MULTILINE) == [*kinds(), "Published counts"]
    listed = re.findall(r"^- \[(\w+)\]\((\S+)\): (.*)$", text, re.MULTILINE)
    assert {name: about for name, _, about in listed} == {n: about for m in kinds().values() for n, about in m.items()}
    assert [name for name, _, _ in listed] == [name for lines in kinds().values() for name in lines]
    for name, link, _ in listed:
        assert (PAGE.parent / link).resolve() == gallery_files()[name].resolve()


def test_the_index_names_every_model_once_and_no_other() -> None:
    index = tomllib.loads((models() / "index.toml").read_text(encoding="utf-8"))
    named = [name for lines in index.values() for name in lines]
    assert sorted(named) == gallery_names()
    assert all(line and not line.endswith(".") for lines in index.values() for line in lines.values())


def test_a_model_that_the_index_leaves_out_comes_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("covr.inputs.as_link.gallery_names", lambda: ["queens", "unheard_of"])
    assert {kind: dict(lines) for kind, lines in kinds().items() if lines} == {
        "Queens, knights and numbers": {"queens": "queens that do not attack each other"},
        "Others": {"unheard_of": ""},
    }


def test_the_command_lists_what_the_index_says(covr: Covr) -> None:
    told = covr("gallery")
    assert told.exit_code == 0
    lines = told.stdout.splitlines()
    assert [line for line in lines if line and not line.startswith(" ")] == list(kinds())
    assert [line.split()[0] for line in lines if line.startswith(" ")] == [n for m in kinds().values() for n in m]
    rows = [json.loads(line) for line in covr("gallery", "--json").stdout.splitlines()]
    assert [(r["kind"], r["name"], r["about"]) for r in rows] == [
        (kind, name, about) for kind, models in kinds().items() for name, about in models.items()
    ]


def test_the_command_lists_the_models_that_have_all_words(covr: Covr) -> None:
    """In their name, their kind or their line, large letters or small."""
    about = {name: f"{name} {kind} {line}".lower() for kind, m in kinds().items() for name, line in m.items()}
    for words in (["sudoku"], ["KNIGHT", "tour"], ["words and riddles"], ["so many queens"]):
        rows = [json.loads(line) for line in covr("gallery", *words, "--json").stdout.splitlines()]
        wanted = [name for name, text in about.items() if all(word.lower() in text for word in words)]
        assert [row["name"] for row in rows] == wanted != []
        assert [line.split()[0] for line in covr("gallery", *words).stdout.splitlines() if line[:1] == " "] == wanted
    told = covr("gallery", "sudoku", "unicorn")
    assert (told.exit_code, told.stdout) == (2, "")
    assert "no model of the gallery has `sudoku` and `unicorn`" in told.stderr


def test_a_file_that_is_not_there_is_named(covr: Covr, monkeypatch: pytest.MonkeyPatch) -> None:
    """As where covr was installed without its index."""
    monkeypatch.setattr("covr.inputs.as_link.INDEX", "nowhere.toml")
    told = covr("gallery")
    assert (told.exit_code, told.stdout) == (2, "")
    assert re.fullmatch(r"error: `\S+nowhere\.toml`: No such file or directory\n", told.stderr)


# The rules of some forty constraints, each with its picture, so that a link with any of them opens.
LONG = {"sudoku_variants": 80, "symmetry_area": 30}


def test_the_rules_of_a_model_are_short() -> None:
    """At most 25 lines, not counting title, promises, comments, libraries, what is read as data and what clues are."""
    for name in gallery_names():
        text = re.sub(r'"""(.*?)"""', '""', gallery_files()[name].read_text(encoding="utf-8"), flags=re.DOTALL)
        text = "\n\n".join(part for part in text.split("\n\n") if not re.search("^clue ", part, re.MULTILINE))
        lines = [line for line in text.splitlines() if line and not re.match(r"\s*#|title|expect|use ", line)]
        assert 1 < len(lines) <= LONG.get(name, 25), name


@each("figure", [figure for figure in FIGURES if figure.model])
def test_a_published_count_is_promised(figure: Figure) -> None:
    """The number that a row of the table names stands in an `expect` of its model, once."""
    model = open_model(figure.model)
    promised = [{"unique": 1, "none": 0}.get(e.kind, getattr(e.value, "value", None)) for e in model.all(Expect)]
    assert promised.count(figure.promise) == 1
    digits = figure.published.replace(" ", "")
    assert digits == str(figure.promise) or figure.note


def test_the_table_has_every_figure() -> None:
    known = counts.read()
    text = counts.TABLE.read_text(encoding="utf-8")
    assert counts.table(known) == text
    assert {figure.row for figure in FIGURES} == set(range(1, 41))
    wrong = [f for f in FIGURES if f.key in known and known[f.key][0] != f.published]
    assert wrong == []


def test_wrong_usage_prints_the_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert gallery.main([]) == gallery.main(["--help"]) == 2
    assert "usage" in capsys.readouterr().err


if __name__ == "__main__":
    pins = {name: checksum(as_text(shown_gallery(name)[1].pictures)) for name in FIRST}
    PINS.write_text("".join(f'{name} = "{pin}"\n' for name, pin in pins.items()), encoding="utf-8")
