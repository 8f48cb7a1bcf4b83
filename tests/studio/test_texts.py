"""What a page is told of a text while it is typed: places as a browser counts them, faults, params, edits."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.dsl.models import SOME_OF_GALLERY
from tests.each import each

pytest.importorskip("starlette", reason="needs covr[studio]")

from covr.compiler.evaluate.bind import bind
from covr.compiler.evaluate.values import Map
from covr.dsl.format import format_model
from covr.dsl.source import Source
from covr.dsl.syntax import Param
from covr.inputs.library import checked, find_source
from covr.studio import about_texts
from covr.studio.folder import StudioFolder
from covr.studio.params import as_grid, fitted, rows_of
from covr.studio.texts import StudioState, Texts, normal
from covr.studio.utf16 import Utf16
from covr.studio.work.pictures import board

ROOKS = """\
title "Rooks 𝄞"
param n = 3   # 𝄞𝄞 how many
cells r, c in 1..n
choose rook(r, c)
exactly one rook per r   "row {r} 𝄞"
exactly one rook per c   "column {c}"
show "R" of rook at r, c
expect 6 solutions
"""


def state_of(text: str, folder: Path = Path()) -> StudioState:
    return Texts(StudioFolder(folder), 4).find("p", "m.cover").state(text)


def edited(text: str, edits: list[dict[str, Any]]) -> str:
    """The text after some edits, made as JavaScript makes them: on units of UTF-16."""
    units = text.encode("utf-16-le")
    for edit in sorted(edits, key=lambda e: -e["start"]):
        units = units[: 2 * edit["start"]] + edit["text"].encode("utf-16-le") + units[2 * edit["end"] :]
    return units.decode("utf-16-le")


@given(st.text(st.sampled_from("ab\n𝄞😀é")))
def test_places_are_units_of_utf_16(text: str) -> None:
    places = Utf16(text)
    for offset in range(len(text) + 1):
        units = len(text[:offset].encode("utf-16-le")) // 2
        assert places.units(offset) == units
        assert places.offset(units) == offset
    assert places.offset(10**6) == len(text) and places.offset(0) == 0
    for offset, sign in enumerate(text):
        if sign > "\uffff":  # half of it is all of it
            assert places.offset(places.units(offset) + 1) == offset


@each("name", SOME_OF_GALLERY)
def test_what_is_told_of_a_text_lies_in_it(name: str) -> None:
    text = find_source(name).text
    state = state_of(text)
    found = about_texts.analysed(state, {})
    assert not found["broken"] and all(fault["severity"] == "warning" for fault in found["faults"])
    last, whole = 0, len(text.encode("utf-16-le")) // 2
    for start, length, _ in found["tokens"]:
        assert last <= start and length > 0
        last = start + length
    assert last <= whole
    for fold in found["folds"]:
        assert 0 <= fold["start"] < fold["end"] <= whole
    definitions = checked(find_source(name)).definitions
    assert {p["name"] for p in found["params"]} == {d.name.id for d in definitions if isinstance(d, Param)}


@pytest.mark.parametrize("name", [name for name in SOME_OF_GALLERY if "= grid" in find_source(name).text])
def test_a_grid_of_the_form_is_the_grid_that_is_compiled(name: str) -> None:
    text = find_source(name).text
    told = {p["name"]: p["grid"] for p in about_texts.analysed(state_of(text), {})["params"] if p["kind"] == "grid"}
    scope = bind(checked(find_source(name)))
    assert told
    for param, grid in told.items():
        value = scope.value(param)
        assert isinstance(value, Map)
        lattice = any(not (isinstance(k, tuple) and len(k) == 2) for k in value.entries)
        if grid is not None and not lattice:
            assert grid == board(value)


def test_a_grid_is_read_as_its_reader_reads_it() -> None:
    assert rows_of("12.\n4_6\n") == [["1", "2", "."], ["4", "_", "6"]]
    assert rows_of("10 . 3\n\n4 5 60") == [["10", ".", "3"], ["4", "5", "60"]]
    assert as_grid(rows_of("12\n3"))["cells"] == [["1", "2"], ["3", "."]]
    assert fitted(rows_of("123456"), rows_of("...\n...")) == [["1", "2", "3"], ["4", "5", "6"]]
    assert fitted(rows_of("12345"), rows_of("...\n...")) == [list("12345")]


def test_faults_have_places_helps_and_fixes_that_mend_them() -> None:
    text = ROOKS.replace("per c ", "per cc ")
    state = state_of(text)
    (fault,) = about_texts.analysed(state, {})["faults"]
    start = len(text[: text.index("cc ")].encode("utf-16-le")) // 2
    assert (fault["code"], fault["severity"], fault["start"], fault["end"]) == ("E101", "error", start, start + 2)
    assert fault["page"].startswith("E101:") and fault["placed"] and "did you mean `c`?" in fault["help"]
    (mended,) = about_texts.fixed(state)
    texts = [edited(text, fix["edits"]) for fix in mended["fixes"]]
    assert ROOKS in texts


def test_a_fault_in_a_library_is_told_at_the_top(tmp_path: Path) -> None:
    (tmp_path / "other.cover").write_text("let a = b\n")
    state = Texts(StudioFolder(tmp_path), 4).find("p", "m.cover").state(f'use "other"\n{ROOKS}')
    (fault, *_) = about_texts.analysed(state, {})["faults"]
    assert not fault["placed"] and (fault["start"], fault["end"]) == (0, 0) and "line 1" in fault["notes"][0]


def test_questions_about_a_place_are_answered() -> None:
    state = state_of(ROOKS)

    def at(words: str, behind: int = 0) -> int:
        return len(ROOKS[: ROOKS.index(words) + behind].encode("utf-16-le")) // 2

    found = about_texts.hovered(state, at("rook per r"))
    assert found is not None and found["code"] == "choose rook(r, c)" and found["end"] - found["start"] == 4
    completion = about_texts.completed(state, at("rook per r", 2))
    assert completion is not None and completion["start"] == at("rook per r")
    assert "rook" in [item["label"] for item in completion["items"]]
    signature = about_texts.signed(state, at("rook(r, c)", 8))
    assert signature is not None and (signature["label"], signature["active"]) == ("rook(r, c)", 1)
    (definition,) = about_texts.defined(state, at("rook per r"))
    assert (definition["start"], definition["file"]) == (at("rook(r, c)"), None)
    uses = about_texts.used(state, at("rook per r"))
    assert len(uses) == 4 and [u["binds"] for u in uses].count(True) == 1
    edits = about_texts.renamed(state, at("rook per r"), "tower")["edits"]
    assert edited(ROOKS, edits) == ROOKS.replace("rook", "tower")
    assert "refused" in about_texts.renamed(state, at("rook per r"), "choose")
    assert about_texts.hovered(state, 10**6) is None


def test_a_text_is_formatted_by_one_edit_that_leaves_the_rest_alone() -> None:
    untidy = ROOKS.replace("choose rook(r, c)", "choose   rook( r,c )")
    (edit,) = about_texts.formatted(state_of(untidy))["edits"]
    assert edited(untidy, [edit]) == format_model(Source("m.cover", untidy))
    assert edit["start"] >= len(untidy[: untidy.index("  rook(")].encode("utf-16-le")) // 2 - 1
    assert about_texts.formatted(state_of(format_model(Source("m", ROOKS)))) == {"edits": []}
    assert about_texts.formatted(state_of("choose choose"))["faults"]


def test_the_meaning_of_a_text_stays_when_only_comments_change() -> None:
    def meaning(text: str, **data: str) -> str:
        return about_texts.meaning(state_of(text), data)

    same = meaning(ROOKS)
    assert meaning(ROOKS.replace("how many", "so many")) == same
    assert meaning(ROOKS.replace("cells", "\n\n# a note\ncells")) == same
    assert meaning(ROOKS.replace("1..n", "1..n+1")) != same
    assert meaning(ROOKS.replace("row {r}", "row # {r}")) != same
    assert meaning("# covr: allow W101\n" + ROOKS) != same
    assert meaning(ROOKS, n="4") != same


@given(st.text(st.sampled_from('abn= 1\n#"{}𝄞()'), max_size=60))
def test_no_text_ends_the_analysis(text: str) -> None:
    state = state_of(text)
    found = about_texts.analysed(state, {})
    whole = len(text.encode("utf-16-le")) // 2
    for fault in found["faults"]:
        assert 0 <= fault["start"] <= fault["end"] <= whole
    for place in (0, whole // 2, whole):
        about_texts.completed(state, place)
        about_texts.hovered(state, place)
        about_texts.signed(state, place)


def test_lines_end_as_covr_knows_them_and_places_stay() -> None:
    assert normal("a\r\nb\rc\n") == "a \nb\nc\n"


def test_the_last_edit_wins(tmp_path: Path) -> None:
    async def test() -> list[str | None]:
        texts = Texts(StudioFolder(tmp_path), 4)
        asked = [texts.ask("p", "m", "x" * n, n, lambda state: state.text) for n in range(1, 6)]
        return list(await asyncio.gather(*asked))

    found = asyncio.run(test())
    assert found[-1] == "xxxxx" and set(found) <= {None, *("x" * n for n in range(1, 6))}
    assert None in found
