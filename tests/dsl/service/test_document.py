"""After an edit a document knows exactly what it would know if it read the text for the first time."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path
from random import Random

import pytest

from covr.dsl import ModelErrors, Source, load_model
from covr.dsl.diagnostics import Diagnostic
from covr.dsl.parser import Parser
from covr.dsl.service.document import Analysis, Document
from covr.dsl.syntax import Statement
from covr.inputs.library import Libraries
from tests.dsl.models import MODELS
from tests.dsl.service.edits import TEXTS, edited
from tests.dsl.service.fuzz import meant
from tests.each import each
from tests.shared import seeds

LIBRARY = Libraries(Source("m.cover", ""))
MOST_FAULTS = 100  # so many faults of syntax end the reading of a text


def document(text: str = "") -> Document:
    made = Document("m.cover", Libraries)
    made.change(text)
    return made


def told(fault: Diagnostic) -> tuple[object, ...]:
    place = fault.span and (fault.span.source.name, fault.span.start, fault.span.end, *fault.span.place)
    return fault.code, fault.message, fault.help, fault.notes, place


def errors(text: str) -> list[tuple[object, ...]]:
    """The errors of a text that is read at once."""
    try:
        load_model(Source("m.cover", text), LIBRARY)
    except ModelErrors as raised:
        return [told(d) for d in raised.diagnostics]
    return []


def hold(found: Analysis, text: str) -> None:
    """Check an analysis against the text, read at once."""
    assert meant(found) == meant(document().change(text))
    parser = Parser(Source("m.cover", text))
    statements = parser.statements()
    if len(parser.faults) >= MOST_FAULTS:
        return
    assert found.statements == tuple(statements)
    spans = [(found.span(st.span), st.span.place) for st in found.statements]
    assert [(span.start, span.end, place) for span, place in spans] == [
        (st.span.start, st.span.end, st.span.place) for st in statements
    ]
    assert [told(d) for d in found.faults if d.is_error] == errors(text)


@each("seed", seeds(25))
def test_an_edited_document_is_what_its_text_is(seed: int) -> None:
    rng = Random(seed)
    text = rng.choice(TEXTS)
    edits = document(text)
    for _ in range(10):
        text = edited(text, rng)
        hold(edits.change(text), text)


@each("seed", seeds(25))
def test_what_is_tried_is_taken_back(seed: int) -> None:
    """What was known before holds again, places included, and the next edits end as their texts do."""
    rng = Random(seed)
    text = rng.choice(TEXTS)
    edits = document(text)
    for _ in range(5):
        text = edited(text, rng)
        before = edits.change(text)
        with edits.trying():
            other = edited(text, rng)
            hold(edits.change(other), other)
            edits.change(edited(other, rng))
        hold(before, text)
    text = edited(text, rng)
    hold(edits.change(text), text)


class Unwanted(Exception):
    pass


def test_a_change_that_nobody_waits_for_is_left_and_harms_nothing() -> None:
    many = "".join(f"let a{n} = {n}\n" for n in range(200))
    edits = document("let a = 1\n")

    def unwanted() -> None:
        raise Unwanted

    for text in (many, "let b = 2\n" + many):
        with pytest.raises(Unwanted):
            edits.change(text, unwanted)
    for text in ("let a = 1\nlet b = a\n", many.replace("a7 =", "a8 ="), many):
        hold(edits.change(text), text)


def test_a_text_that_is_too_long_is_not_read_again_at_each_edit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("covr.dsl.service.document.MAX_TOKENS", 500)
    many = "".join(f"let a{n} = {n}\n" for n in range(200))
    edits = document(many)
    parsed: list[str] = []
    statements = Parser.statements

    def noted(self: Parser) -> list[Statement]:
        parsed.append(self.source.text)
        return statements(self)

    monkeypatch.setattr(Parser, "statements", noted)
    assert [d.code for d in edits.change(many.replace("= 77", "= 78")).faults] == ["E007"]
    assert parsed == ["let a77 = 78\n"]


def test_a_model_may_be_typed_letter_by_letter() -> None:
    text = 'cells r, c in 1..3\nchoose q(r, c)\nexactly one q per r   "row {r}"\n'
    text += 'let g = area """\n##\n"""\nexpect unique\n'
    typed = document()
    for end in range(1, len(text) + 1):
        hold(typed.change(text[:end]), text[:end])


def test_a_block_is_closed_far_below() -> None:
    text = 'let g = area """\n##\nlet h = 1\nlet i = 2\n'
    edits = document(text)
    for more in ('"""\n', 'let j = 3\nlet k = area """\n"""\n'):
        hold(edits.change(text + more), text + more)
    hold(edits.change(text), text)


def test_a_word_that_depends_on_the_next_line() -> None:
    texts = (
        "cells x in 1..3\nchoose f(x)\nshow x of f at\n",
        "cells y in 1..2\n",
        "cells(3, 3)\n",
        "if f(1) then f(2)\n",
    )
    edits = document()
    for end in texts[1:]:
        hold(edits.change(texts[0] + end), texts[0] + end)
        hold(edits.change(texts[0]), texts[0])


@each("path", MODELS)
def test_models_have_no_faults(path: Path) -> None:
    assert not Document(path.name, Libraries, str(path)).change(path.read_text(encoding="utf-8")).broken


def test_warnings_are_told_and_may_be_allowed() -> None:
    text = "let a = 1\ncells x in 1..3\nchoose f(x)\nexactly one f\nexpect unique\n"
    edits = document(text)
    assert [d.code for d in edits.change(text).faults] == ["W101"]
    assert not edits.change("# covr: allow W101\n" + text).faults
    assert [d.code for d in edits.change("\n" + text).faults] == ["W101"]


def test_only_the_statement_that_is_typed_is_parsed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "cells x in 1..3\nchoose f(x)\n" + "".join(f"exactly {n} f where x > {n}\n" for n in range(400))
    edits = document(text)
    read: list[str] = []
    parse = Parser.statements

    def noted(self: Parser) -> list[Statement]:
        read.append(self.source.text)
        return parse(self)

    monkeypatch.setattr(Parser, "statements", noted)
    at = text.index("exactly 200 f")
    edits.change(text[:at] + "exactly 7 f where x = 9\n" + text[at:])
    assert len(read) <= 3
    assert sum(map(len, read)) < 200


LARGE = "param n = 9\ncells r, c in 1..n\nchoose q(r, c)\n" + "".join(
    f"let f{i}(a, b) = a + {i} * b - n\nexactly one q per r, c where f{i}(r, c) = {i} and n > 1\n" for i in range(60)
)


@pytest.mark.parametrize(
    "typed, instead, again",
    [
        ("let f7(a, b) = a + 7", "let f7(a, b) = a * b + 7", 1),  # nothing else can tell
        ("where f7(r, c) = 7", "where f8(r, c) = 7", 1),
        ("let f7(a, b)", "let f7(b)", 2),  # and the one call of it
        ("choose q(r, c)\n", "choose q(r, c)\nlet z = 3\n", 1),
        ("param n = 9", "param n = 8 + 1", 1),  # 121 statements name it, and still may
        ("cells r, c in 1..n", "cells r, c in 1..n + 1", 0),  # always looked at, and not counted
        (
            "exactly one q per r, c where f7",
            "# a remark\nexactly one q per r, c where f7",
            1,
        ),  # above it, so it belongs to `f7`
    ],
)
def test_only_what_an_edit_concerns_is_checked_again(typed: str, instead: str, again: int) -> None:
    edits = document(LARGE)
    assert edits.memory.again == 122
    text = LARGE.replace(typed, instead, 1)
    assert text != LARGE
    hold(edits.change(text), text)
    assert edits.memory.again <= again
    hold(edits.change(LARGE), LARGE)
    assert edits.memory.again <= again


def test_what_a_name_was_is_forgotten_once_it_is_something_else() -> None:
    """A family, a function or a declared index takes the place of a param of the same name, and goes again."""
    rest = "cells x in 1..3\nchoose g(x)\nlet b = size({p})\nexactly p g\nat most one g per x where f(x) > 0\n"
    heads = (
        "param p = 1\nlet f(x) = x\n", "let p = 2\nlet f(x, y) = x\n", "let f(x) = x\nvalues p in 1..2\n",
        "let p(x) = x\n", "choose p(x)\nlet f(x) = x\n", "values p in 1..2\nlet p = 4\nlet f(x) = x\n", "",
    )  # fmt: skip
    edits = document()
    for first in heads:
        for second in heads:
            for text in (first + rest, rest + second, second + rest + first):
                hold(edits.change(text), text)


def test_definitions_change_places() -> None:
    first, second, third = "let a = 1\n", "let b = a + 1\n", "let f(x) = g(x) + b\nlet g(x) = f(x)\n"
    edits = document()
    for parts in permutations((first, second, third, "cells k in 1..b\nchoose h(k)\nexactly a h\n")):
        hold(edits.change("".join(parts)), "".join(parts))


def test_libraries_are_read_once() -> None:
    text = 'use "std/pentominoes"\nlet a = 1\n'
    edits = document(text)
    first = edits.change(text + "let b = 2\n").libraries
    assert [id(m) for m in edits.change(text + "let b = 3\n").libraries] == [id(m) for m in first]
    assert [m.source.name for m in first] == ["std/pentominoes.cover"]


def test_meanings_name_what_binds_them() -> None:
    text = 'let n = 3\ncells r, c in 1..n\nchoose q(r, c)\nexactly one q per r   "{r}"\nlet f(a) = {b for b in 1..a}\n'
    found = document().change(text)
    places = {
        (found.span(name.span).start, tuple(found.span(b.span).start for b in bound)) for name, bound in found.meanings
    }
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
