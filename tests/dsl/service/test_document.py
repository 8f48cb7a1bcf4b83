"""An editor knows of a text what a command says of it."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from random import Random
from types import FrameType

import pytest

from covr.dsl import ModelErrors, Source, load_model
from covr.dsl.diagnostics import Diagnostic
from covr.dsl.parser import Parser
from covr.dsl.service.complete import fixes
from covr.dsl.service.document import Analysis, Document
from covr.inputs.library import Libraries
from tests.dsl.models import MODELS
from tests.dsl.service.edits import TEXTS, edited
from tests.each import each
from tests.shared import seeds

LIBRARY = Libraries(Source("m.cover", ""))
MOST_FAULTS = 100  # so many faults of syntax end the reading of a text


def document(text: str = "") -> Document:
    made = Document("m.cover", Libraries)
    made.change(text)
    return made


def seen(fault: Diagnostic) -> tuple[object, ...]:
    place = fault.span and (fault.span.source.name, fault.span.start, fault.span.end, *fault.span.place)
    return fault.code, fault.message, fault.help, fault.notes, place


def errors(text: str) -> list[tuple[object, ...]]:
    """The errors of a text that is read at once."""
    try:
        load_model(Source("m.cover", text), LIBRARY)
    except ModelErrors as raised:
        return [seen(d) for d in raised.diagnostics]
    return []


def hold(found: Analysis, text: str) -> None:
    """Check an analysis against the text, read as a command reads it."""
    parser = Parser(Source("m.cover", text))
    statements = parser.statements()
    if len(parser.faults) >= MOST_FAULTS:
        return
    assert found.statements == tuple(statements)
    assert [st.span for st in found.statements] == [st.span for st in statements]
    assert [seen(d) for d in found.faults if d.is_error] == errors(text)
    assert "".join(text[part.start : part.stop] for part in found.parts) == text
    for st in found.statements:
        part = found.part_at(st.span.start)
        assert part.start <= st.span.start and st.span.end <= part.stop


@each("seed", seeds(25))
def test_an_edited_document_is_what_its_text_is(seed: int) -> None:
    rng = Random(seed)
    text = rng.choice(TEXTS)
    edits = document(text)
    for _ in range(10):
        text = edited(text, rng)
        hold(edits.change(text), text)


class Unwanted(Exception):
    pass


def test_a_change_that_is_no_longer_wanted_is_left_and_harms_nothing() -> None:
    edits = document("let a = 1\n")

    def unwanted() -> None:
        raise Unwanted

    for text in ("let b = 2\n", "let a = 1\nlet b = a\n"):
        with pytest.raises(Unwanted):
            edits.change(text, unwanted)
        hold(edits.change(text), text)


def test_a_text_that_is_too_long_is_one_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("covr.dsl.parser.MAX_TOKENS", 500)
    found = document().change("".join(f"let a{n} = {n}\n" for n in range(200)))
    assert [d.code for d in found.faults] == ["E007"]
    assert not found.readable and found.parts == ()


def test_a_model_may_be_typed_letter_by_letter() -> None:
    text = 'cells r, c in 1..3\nchoose q(r, c)\nexactly one q per r   "row {r}"\n'
    text += 'let g = area """\n##\n"""\nexpect unique\n'
    typed = document()
    for end in range(1, len(text) + 1):
        hold(typed.change(text[:end]), text[:end])


@each("path", MODELS)
def test_models_have_no_faults(path: Path) -> None:
    assert not Document(path.name, Libraries, str(path)).change(path.read_text(encoding="utf-8")).broken


def test_warnings_are_told_and_may_be_allowed() -> None:
    text = "let a = 1\ncells x in 1..3\nchoose f(x)\nexactly one f\nexpect unique\n"
    edits = document(text)
    assert [d.code for d in edits.change(text).faults] == ["W101"]
    assert not edits.change("# covr: allow W101\n" + text).faults
    assert [d.code for d in edits.change("\n" + text).faults] == ["W101"]


def test_what_the_editor_reads_grows_with_the_text() -> None:
    """A text of 400 statements is read once for an edit, whatever is typed in it: 130 ms, with a fault or without."""
    text = "cells x in 1..3\nchoose f(x)\n" + "".join(f"exactly {n} f where x > {n}\n" for n in range(400))
    edits, calls = document(text), Counter[str]()

    def counted(frame: FrameType, event: str, argument: object) -> None:
        calls[event] += event in ("call", "c_call")

    for at in ("exactly 7 f where x = 9\n", "exactly (7 f where x = 9\n"):
        sys.setprofile(counted)
        try:
            edits.change(text.replace("exactly 200 f", at + "exactly 200 f", 1))
        finally:
            sys.setprofile(None)
        assert calls.total() < 1_000_000


def test_a_bracket_left_open_in_a_long_text_is_closed() -> None:
    """What is tried is read alone first, so a click takes no longer for a long text than for its reading."""
    text = "".join(f"let f{i}(a, b) = a + (b * {i}) - 1\n" for i in range(100)).replace("(b * 50)", "(b * 50")
    edits = document(text)
    found = edits.change(text)
    read: list[str] = []
    change = edits.change
    edits.change = lambda text, wanted=lambda: None: (read.append(text), change(text, wanted))[1]  # type: ignore[method-assign]
    titles = [fix.title for fix in fixes(edits, found, found.faults[0])]
    assert titles == ["close it with `)`"] and len(read) < 5


def test_libraries_are_read_once() -> None:
    text = 'use "std/pentominoes"\nlet a = 1\n'
    edits = document(text)
    first = edits.change(text + "let b = 2\n").libraries
    assert [id(m) for m in edits.change(text + "let b = 3\n").libraries] == [id(m) for m in first]
    assert [m.source.name for m in first] == ["std/pentominoes.cover"]


def test_meanings_name_what_binds_them() -> None:
    text = 'let n = 3\ncells r, c in 1..n\nchoose q(r, c)\nexactly one q per r   "{r}"\nlet f(a) = {b for b in 1..a}\n'
    found = document().change(text)
    places = {(name.span.start, tuple(b.span.start for b in bound)) for name, bound in found.meanings}
    at = {
        word: [i for i in range(len(text)) if text.startswith(word, i)] for word in ("n\n", "1..n", "q", "r,", "per r")
    }
    assert (at["1..n"][0] + 3, (text.index("n ="),)) in places
    assert (at["per r"][0] + 4, (text.index("r, c)"),)) in places
    assert (text.index("q per"), (text.index("q(r"),)) in places


def test_a_model_uses_files_above_its_folder(tmp_path: Path) -> None:
    """A library may not, but the model itself may."""
    (tmp_path / "above.cover").write_text("let a = 1\n", encoding="utf-8")
    (tmp_path / "below").mkdir()
    path = tmp_path / "below" / "m.cover"
    found = Document("m.cover", Libraries, str(path)).change('use "../above"\nlet b = a\n')
    assert not found.broken and [m.source.text for m in found.libraries] == ["let a = 1\n"]
    assert found.libraries


@pytest.mark.parametrize(
    "text, codes",
    [
        ("choose f(x) for x in 1..3\n", ["W102"]),
        ("cells r, c in 1..3\nchoose f(r)\nexactly one f per r\n", ["W101"]),
        ("choose f(x) for x in 1..3\nexactly one f per\n", ["E001"]),
        ("choose f(x) for x in 1..3\nexactly one f\n", []),
        ("choose f(x) for x in 1..3\nexactly one f\nexpect 3 solutions\n", []),
    ],
)
def test_a_half_typed_model_is_not_asked_for_a_promise(text: str, codes: list[str]) -> None:
    told = Document("m.cover", lambda source: lambda path, user: None).change(text).faults
    assert [d.code for d in told] == codes
