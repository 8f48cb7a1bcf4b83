"""The gallery is sorted by kind, its page is up to date, and its pictures are made and can be read.

Renew the page, once it has been read, by

python -m covr.api.gallery --page > docs/gallery.md
"""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import pytest

from benchmarks import counts
from benchmarks._counts_rows import FIGURES, Figure
from covr.api import gallery
from covr.dsl.syntax import Expect
from covr.inputs.kinds import kinds
from covr.inputs.library import gallery as models
from covr.inputs.library import gallery_files, gallery_names, open_model
from tests.covr.command import Covr, covr
from tests.shared import of_gallery, shown_gallery

__all__ = ["covr"]

PAGE = Path(__file__).parents[2] / "docs" / "gallery.md"


def sections() -> dict[str, str]:
    """By model, its part of the page: from its heading to the end of its table."""
    part = re.compile(r"^### (\w+)\n.*?^</td></tr></table>\n", re.DOTALL | re.MULTILINE)
    return {found[1]: found[0] for found in part.finditer(PAGE.read_text(encoding="utf-8"))}


@pytest.mark.parametrize("name", [of_gallery(name) for name in gallery_names()])
def test_the_page_is_what_the_models_give(name: str) -> None:
    assert sections()[name] == gallery.section(name, *shown_gallery(name))


def test_the_page_is_its_sections_and_nothing_else(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gallery, "shown", lambda name: ())
    monkeypatch.setattr(gallery, "section", lambda name: sections()[name])
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
    assert (tmp_path / "out" / "index.html").read_text(encoding="utf-8").count("<figure id=") == len(few)


def test_every_model_is_there() -> None:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    assert [line[4:] for line in lines if line.startswith("### ")] == [n for models in kinds().values() for n in models]
    assert [line[3:] for line in lines if line.startswith("## ")] == [*kinds(), "Published counts"]


def test_every_link_of_the_contents_leads_somewhere() -> None:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    there = {gallery.anchor(line.lstrip("# ")) for line in lines if line.startswith("#")}
    links = [link for line in lines if line.startswith("- [") for link in re.findall(r"\(#([^)]+)\)", line)]
    assert len(links) > len(gallery_names())
    assert set(links) <= there


def test_the_index_names_every_model_once_and_no_other() -> None:
    index = tomllib.loads((models() / "index.toml").read_text(encoding="utf-8"))
    named = [name for lines in index.values() for name in lines]
    assert sorted(named) == gallery_names()
    assert all(line and not line.endswith(".") for lines in index.values() for line in lines.values())


def test_a_model_that_the_index_leaves_out_comes_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("covr.inputs.kinds.gallery_names", lambda: ["queens", "unheard_of"])
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


def test_the_rules_of_a_model_are_short() -> None:
    """At most 25 lines, not counting title, promises, comments, libraries and what is read as data."""
    for name in gallery_names():
        text = re.sub(r'"""(.*?)"""', '""', gallery_files()[name].read_text(encoding="utf-8"), flags=re.DOTALL)
        lines = [line for line in text.splitlines() if line and not re.match(r"\s*#|title|expect|use ", line)]
        assert 1 < len(lines) <= 25, name


@pytest.mark.parametrize("figure", [figure for figure in FIGURES if figure.model], ids=lambda f: f"{f.row} {f.puzzle}")
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


def test_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert gallery.main([]) == gallery.main(["--help"]) == 2
    assert "usage" in capsys.readouterr().err
