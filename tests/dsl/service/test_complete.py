"""What is offered at a place: every word that may stand there, and none that may not."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from covr.dsl.format import tokens
from covr.dsl.service.complete import complete, cursor
from covr.dsl.service.document import Document
from covr.dsl.service.names import NameTable
from covr.inputs.library import Libraries, read_source, std_names
from tests.dsl.models import SOME
from tests.dsl.service.edits import TEXTS, edited
from tests.each import each
from tests.shared import seeds

WORDS = re.compile(r"\w+")

HEAD = """\
param n = 3
cells r, c in 1..n
let f(a) = a + 1
choose q(r, c)
choose k(x) for x in 1..n
"""


def offered(text: str) -> dict[str, str]:
    """The labels that are offered at the `|` of a text behind `HEAD`, with their kinds."""
    text = HEAD + text
    at = text.index("|")
    document = Document("m.cover", Libraries)
    analysis = document.change(text[:at] + text[at + 1 :])
    return {c.label: c.kind for c in complete(analysis, cursor(analysis, at), std_names())}


@pytest.mark.parametrize(
    "text, there, missing",
    [
        ("|", ("exactly", "at least", "show", "expect"), ("q", "per", "n")),
        ("exa|", ("exactly",), ()),
        ("exactly |", ("n", "one", "size", "f"), ("q", "per", "show")),
        ("exactly one |", ("q", "k", "total"), ("n", "r")),
        ("exactly one q |", ("per", "where", "or", "show"), ("n", "then")),
        ("exactly one q per |", ("r", "c", "n", "f", "sum"), ("q", "per")),
        ("exactly one k per |", ("x", "r"), ("k",)),
        ("exactly one q or |", ("k",), ("n",)),
        ('exactly one q per r   "row {|', ("r", "n"), ("q", "per")),
        ('exactly one q per r   "row |', (), ("r", "n", "q")),
        ("let |", (), ("n", "q", "show")),
        ("let y = |", ("n", "f", "area", "grid", "sum", "if"), ("q",)),
        ("let g(u, v) = |", ("u", "v", "n"), ()),
        ("let s = {a for a in 1..n where |", ("a", "n", "not"), ("q",)),
        ("choose z(|", ("r", "c"), ("n",)),
        ("choose z(r) |", ("for", "where"), ("n",)),
        ("given |", ("q", "k"), ("n",)),
        ("if q(1, 2) then |", ("k", "not"), ()),
        ("minimize count of |", ("q", "k"), ("n",)),
        ("minimize r of q |", ("for", "where"), ("at",)),
        ("minimize a of q for a in {1} where |", ("a", "r", "n"), ("q",)),
        ("show r of |", ("q", "k"), ("n",)),
        ("show r of q |", ("at", "where", "as", "for"), ()),
        ("show r of q as |", ("outline", "plain", "dark", "line"), ("n",)),
        ("expect |", ("unique", "no", "minimum"), ("q",)),
        ("expect unique with |", ("n",), ("q", "f")),
        ("answers by |", ("q", "k"), ("n",)),
        ('use "|', ("std/pentominoes",), ("n",)),
        ("# covr: |", ("allow", "W101"), ("n",)),
        ("# a remark |", (), ("n",)),
        ('let a = area """\n#|', (), ("n", "show")),
        ("exactly ) one |", ("q",), ()),
    ],
)
def test_what_is_offered(text: str, there: tuple[str, ...], missing: tuple[str, ...]) -> None:
    found = offered(text)
    assert set(there) <= found.keys()
    assert not set(missing) & found.keys()


@each("seed", seeds(20))
def test_every_place_of_a_broken_text_has_an_answer(seed: int) -> None:
    """Nothing is raised, whatever the text, and the words offered are those that the parser takes there."""
    rng = Random(seed)
    text = rng.choice(TEXTS)
    document = Document("m.cover", Libraries)
    for _ in range(4):
        text = edited(text, rng)
        analysis = document.change(text)
        for at in rng.sample(range(len(text) + 1), min(15, len(text) + 1)):
            here = cursor(analysis, at)
            assert here.start + len(here.word) == at and text[here.start : at] == here.word
            complete(analysis, here)


@each("path", SOME)
def test_what_an_author_wrote_is_offered(path: Path) -> None:
    """Before every word of a model that binds nothing, that word is among what is offered, if one deletes the rest."""
    source = read_source(path, path.name)
    document = Document(source.name, Libraries, source.path)
    analysis = document.change(source.text)
    names = NameTable(analysis)
    bound = {o.span.start for o in names if o.binds}
    used = [o.span.start for o in names if not o.binds]
    written = [token for token in tokens(source.text) if token.type not in ("NAME", "STRING") and token.isalpha()]
    words = [token.start_pos or 0 for token in written]
    rng = Random(path.stem)
    for at in rng.sample(used, min(12, len(used))) + rng.sample(words, min(12, len(words))):
        here = cursor(analysis, at)
        if at in bound or here.inside == "text":
            continue
        end = at + len(WORDS.match(source.text[at:])[0])  # type: ignore[index]
        labels = {c.label for c in complete(analysis, here)}
        word = source.text[at:end]
        assert word in labels | {label.split()[0] for label in labels}
