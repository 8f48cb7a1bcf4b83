"""What a page is told of a text while it is typed: places as a browser counts them, faults, params, edits."""

from __future__ import annotations

import asyncio
import json
import os
import signal
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
from covr.dsl.diagnostics import Source
from covr.dsl.format import format_model
from covr.dsl.syntax import Param
from covr.inputs.library import checked, find_source
from covr.live.job_process import all_gone
from covr.live.review import TextUnits
from covr.studio import about_texts
from covr.studio.asking import StudioLimits
from covr.studio.body import Bad, Body
from covr.studio.folder import StudioFolder
from covr.studio.job import Readers
from covr.studio.texts import StudioState, Superseded, Texts, as_grid, fitted, normal, rows_of
from covr.studio.work.answers import board

pytestmark = pytest.mark.long

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
    return Texts(StudioFolder(folder), 4).find("m.cover").state(text)


def edited(text: str, edits: list[dict[str, Any]]) -> str:
    """The text after some edits, made as JavaScript makes them: on units of UTF-16."""
    units = text.encode("utf-16-le")
    for edit in sorted(edits, key=lambda e: -e["start"]):
        units = units[: 2 * edit["start"]] + edit["text"].encode("utf-16-le") + units[2 * edit["end"] :]
    return units.decode("utf-16-le")


@given(st.text(st.sampled_from("ab\n𝄞😀é")))
def test_places_are_units_of_utf_16(text: str) -> None:
    places = TextUnits(text)
    for offset in range(len(text) + 1):
        units = len(text[:offset].encode("utf-16-le")) // 2
        assert places.units(offset) == units
        assert places.offset(units) == offset
    assert places.offset(10**6) == len(text) and places.offset(0) == 0
    for offset, sign in enumerate(text):
        if sign > "\uffff":  # half of it is all of it
            assert places.offset(places.units(offset) + 1) == offset


@given(st.text(st.sampled_from("ab\n𝄞😀é€")))
def test_places_are_units_of_whatever_encoding_an_editor_counts_in(text: str) -> None:
    for encoding, codec, size in (("utf-8", "utf-8", 1), ("utf-16", "utf-16-le", 2), ("utf-32", "utf-32-le", 4)):
        places = TextUnits(text, encoding)
        begins = [len(text[:offset].encode(codec)) // size for offset in range(len(text) + 1)]
        assert [places.units(offset) for offset in range(len(text) + 1)] == begins
        for units in range(-1, begins[-1] + 2):  # a part of a character is all of it
            assert places.offset(units) == max(at for at, begin in enumerate(begins) if begin <= max(units, 0))


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
    state = Texts(StudioFolder(tmp_path), 4).find("m.cover").state(f'use "other"\n{ROOKS}')
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


READS = about_texts.ABOUT


def reading(*asked: dict[str, Any], folder: Path, limits: StudioLimits | None = None) -> list[str | Bad | None]:
    """What is answered to questions about texts of one page that come at the same time."""

    async def work() -> list[str | Bad | None]:
        readers = Readers(StudioFolder(folder), limits or StudioLimits())
        try:
            wanted = [readers.ask(one.get("about", "uses"), "p", Body({"name": "m.cover", **one})) for one in asked]
            found = await asyncio.gather(*wanted, return_exceptions=True)
            assert all(one is None or isinstance(one, str | Bad) for one in found), found
            return found  # type: ignore[return-value]
        finally:
            readers.close()
            await all_gone()

    return asyncio.run(work())


def test_the_last_edit_wins(tmp_path: Path) -> None:
    found = reading(*({"text": "x" * n, "version": n, "offset": 0} for n in range(1, 6)), folder=tmp_path)
    assert found == [None, None, None, None, "[]"]


def test_what_is_asked_about_an_earlier_version_is_given_up(tmp_path: Path) -> None:
    """In the process that reads: what is under way about a text ends when it hears of a later version."""
    reader = about_texts.TextReader(tmp_path)
    fields = {"name": "m.cover", "text": "cells r in 1..2\n" * 50, "version": 1}
    assert "answer" in reader.answer("analyse", fields)
    reader.hear({"name": "m.cover", "version": 3})
    text = reader.texts[False].find("m.cover")
    text.asked = 2
    with pytest.raises(Superseded):
        text.wanted()
    assert reader.answer("analyse", {**fields, "version": 2, "text": "cells r in 1..3\n" * 50}) == {"stale": True}
    assert "answer" in reader.answer("analyse", {**fields, "version": 3, "text": "cells r in 1..3\n" * 50})


def test_a_text_that_takes_too_long_or_too_much_ends_with_its_process(tmp_path: Path) -> None:
    """And the next question about another text is answered."""
    asked = {"text": "(" * 1000, "about": "analyse"}
    for limits, words in (
        (StudioLimits(reading=0.0), "more than 0 seconds"),
        (StudioLimits(read_memory=1000), "of memory"),
        (StudioLimits(text=999), "at most 999 letters"),
    ):
        (found,) = reading(asked, folder=tmp_path, limits=limits)
        assert isinstance(found, Bad) and words in str(found) and found.status == 413


def test_a_process_that_was_killed_is_begun_again(tmp_path: Path) -> None:
    async def work() -> str | None:
        readers = Readers(StudioFolder(tmp_path), StudioLimits())
        body = Body({"name": "m.cover", "text": "cells r in 1..2\n", "offset": 7})
        try:
            assert await readers.ask("uses", "p", body) != "[]"
            process = readers._pages["p"].process
            assert process is not None
            os.kill(process.pid, signal.SIGKILL)
            return await readers.ask("uses", "p", body)
        finally:
            readers.close()
            await all_gone()

    assert asyncio.run(work()) not in (None, "[]")


def test_of_many_pages_few_processes_are_kept(tmp_path: Path) -> None:
    async def work() -> tuple[int, int]:
        readers = Readers(StudioFolder(tmp_path), StudioLimits(readers=1, pages=3))
        try:
            for page in "abcde":
                await readers.ask("uses", page, Body({"text": "", "offset": 0}))
            return len(readers._pages), sum(one.process is not None for one in readers._pages.values())
        finally:
            readers.close()
            await all_gone()

    pages, processes = asyncio.run(work())
    assert pages == 3
    assert processes <= 2, "one that is kept, and the one that was asked last"


DEEP = "cells r in 1..3\nchoose x(r)\nexactly one x where " + " and ".join(["1 = 1"] * 250) + "\n"


@pytest.mark.parametrize("text", [DEEP, "word " * 3000, "(" * 5000, "let a = " + "(" * 300, "{" * 3000, '"{' * 900])
def test_no_text_is_a_mistake(tmp_path: Path, text: str) -> None:
    """Whatever a text says, each question about it is answered, or refused in words."""
    reader = about_texts.TextReader(tmp_path)
    for about in READS:
        fields = {"text": text, "offset": min(len(text), 70), "to": "other", "strokes": []}
        found = reader.answer(about, fields)
        assert "answer" in found or "refused" in found


def test_fixes_for_which_there_is_no_time_are_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "cells r in 1..2\nchoose queen(r)\nexactly one quen per r\n"
    for seconds, some in ((60.0, True), (0.0, False)):
        monkeypatch.setattr(about_texts, "FIXING", seconds)
        faults = json.loads(about_texts.TextReader(tmp_path).answer("fixes", {"text": text})["answer"])["faults"]
        assert any(fault["fixes"] for fault in faults) == some
        assert all(fault["fixes"] is not None for fault in faults), "nobody asks for them again"


def test_what_is_said_of_a_text_is_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It grows with the text no longer than up to a limit; edits are never cut, which would damage the text."""
    monkeypatch.setattr(about_texts, "LIMITS", StudioLimits(tokens=100, answer=100_000))
    reader = about_texts.TextReader(tmp_path)
    told = json.loads(reader.answer("details", {"text": "word " * 300})["answer"])
    assert len(told["tokens"]) == 100
    many = "cells r in 1..3\nchoose x(r)\n" + "exactly one x per r\n" * 20
    edits = {"text": many, "offset": 6, "to": "other"}
    assert reader.answer("rename", edits)["answer"].count('"text"') == 22
    monkeypatch.setattr(about_texts, "LIMITS", StudioLimits(answer=500))
    assert reader.answer("rename", edits)["status"] == 413
