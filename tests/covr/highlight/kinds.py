"""What the parts of a text are, told in two other ways than those under test: by the language service for texts without
faults, and by one regular expression for what is text, block or comment in any text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from random import Random

from covr.dsl.service.document import Document
from covr.dsl.service.names import NameTable, coloured
from covr.inputs.library import Libraries
from tests.dsl.service.edits import TEXTS, edited

COMPARED = ("keyword", "text", "comment", "number")
HOLE = "hole"
OTHER = ""
# An unclosed text ends with its line, an unclosed block with the whole text.
QUOTED = re.compile(
    r'(?P<comment>#[^\n]*)|(?P<block>"""[\s\S]*?(?:"""|\Z))|(?P<text>"(?:[^"\\\n]|\\.)*(?:"|\\?(?=\n|\Z)))'
)
# Words that may be names, as names and as words of clauses.
WORDY = """
let at(of) = of + 1
let total = at(2)
values on in 1..total, with in [as for as in 1..2], along in {answers for answers in 1..3}
cells r, c in 1..4
choose of(at) for at in 1..3
choose total(r) for r in 1..2
choose no(all) for all in 1..2
choose some(r) for r in 1..2
let all = 2
let some = 3
choose minimum(r, c)
exactly one at per at
exactly one total per r "once"
at most 7 total total of total or at(of) of of per at
at most one total
connected at at at along at
loop along along along where on.of = on.where
tree to or from at on with corners along along
forest tree at to per from "rings"
path from along from -> to from from to to crossing at at per at
path through along through from through to through through through per through
paths to along total between between
loops crossing along at crossing at between where from
exactly one path
tree tree at at
exactly one from per to
at most 2 to
paths no along crossing between crossing
at most one on
at least 1 crossing where at
exactly one between or on
at most 3 total
loops to along at
agree on on at = of, of on with = as for as in 1..2
all different at of at on at + 1, (on, as) per total where as = 3
all  alike as, on of of on of per at
exactly one total
all different on of total on r, with
if total(at) then not of(as)
if not total(at) and of(as) then no of(as)
if and only if total(at) then all of(as) for as in 1..2 where as = (if as then all else some)
if total(at) then some of(no) or some(all) for no, all in 1..2
if total(at) then no(all)
if total(at) then exactly 2 some(as) or of(as) and all of(as) and no(all) for as in 1..2
if not of(as) then at most of(1) total at of of(as) or of of at(as) and some of(as) for as in 1..2
if and only if at(1) then at least size({1}) no(1) and exactly 1..2 some(as) and no of(as) for as in 1..2
minimize count of of, as of total
show at, of of of at at, of for of in as else "{x} at" as line
show "{x}" of total as outline
outline as for as in 1..cells(as)
print "{of}" at at, of where dark = plain
expect no solutions with total = 3
expect unique with as = 2, with = unique
expect minimum no with no = 1
expect solutions answers
answers by at, of
expect 3 solutions
"""


def of_model(path: Path) -> list[str]:
    """The kind of each character of a model's file, of those that are compared."""
    return of_service(path.read_text(encoding="utf-8"), str(path))


def of_service(text: str, path: str = "") -> list[str]:
    """The kind of each character of a text without faults of syntax."""
    analysis = Document("m.cover", Libraries, path).change(text)
    assert all(fault.code != "E001" for fault in analysis.faults)
    return spread(text, ((c.start, c.length, c.kind) for c in coloured(analysis, NameTable(analysis))))


def spread(text: str, parts: Iterable[tuple[int, int, str]]) -> list[str]:
    """The kind of each character, from parts with their offsets and lengths."""
    kinds = [OTHER] * len(text)
    for start, length, kind in parts:
        kinds[start : start + length] = [kind if kind in (*COMPARED, HOLE) else OTHER] * length
    return kinds


def differences(text: str, found: list[str], expected: list[str]) -> list[tuple[str, str, str]]:
    """Where a kind is not the expected one, in holes and blanks left out: the line, what was found, and expected."""
    return [
        (text[text.rfind("\n", 0, at) + 1 : at] + "⟨" + text[at : text.find("\n", at)], one, other)
        for at, (one, other) in enumerate(zip(found, expected, strict=True))
        if one not in (other, HOLE) and not text[at].isspace()
    ]


def check_model(path: Path, found: list[str]) -> None:
    """A model's file is coloured as the language service does, and its texts are texts."""
    text = path.read_text(encoding="utf-8")
    assert differences(text, found, of_model(path)) == [], path
    check_quoted(text, found)


def check_wordy(found: list[str]) -> None:
    """Words of clauses are names where they are names."""
    assert differences(WORDY, found, of_service(WORDY)) == []


def check_quoted(text: str, found: list[str]) -> None:
    """Texts, blocks and comments are what they are, and nothing else is. Only labels have holes."""
    expected: list[str] = [OTHER] * len(text)
    for match in QUOTED.finditer(text):
        kind = "comment" if match.lastgroup == "comment" else match.lastgroup or ""
        expected[match.start() : match.end()] = [kind] * len(match[0])
    for at, (one, other) in enumerate(zip(found, expected, strict=True)):
        if text[at].isspace():
            continue
        here = (text[max(0, at - 60) : at] + "⟨" + text[at : at + 20], one, other)
        if other in ("comment", "block"):
            assert one == {"comment": "comment", "block": "text"}[other], here
        elif other == "text":
            assert one in ("text", HOLE), here
        else:
            assert one not in ("text", "comment", HOLE), here


def broken_texts(seed: int, count: int) -> list[str]:
    """Models with up to twenty random edits."""
    rng = Random(seed)
    found = []
    for _ in range(count):
        text = rng.choice(TEXTS)
        begin = rng.randrange(len(text))
        text = text[:begin] if rng.random() < 0.5 else text[begin:]
        for _ in range(rng.randrange(1, 20)):
            text = edited(text, rng)
        found.append(text)
    return found


ROOT = Path(__file__).parents[3]


TEXTMATE = ROOT / "editors" / "vscode" / "syntaxes" / "cover.tmLanguage.json"


TREE_SITTER = ROOT / "editors" / "tree-sitter-cover"
