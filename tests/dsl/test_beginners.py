"""Mistakes of people who come from other languages, from spreadsheets and from plain English: of each the place, and
the cure. Every cure is applied; the model then compiles, and has as many answers as what was meant.

The models are about a board of 2 x 2 squares, each of which holds 1 or 2: 16 answers, if nothing else is asked for. The
counts below are worked out by hand.
"""

from __future__ import annotations

import re

import pytest

import covr
from covr.dsl import ModelErrors
from covr.dsl.diagnostics import Diagnostic
from covr.dsl.service.complete import applied, fixes
from covr.dsl.service.document import Document
from covr.inputs.library import Libraries
from tests.each import each

BOARD = """\
param n = 2
cells r, c in 1..n
values d in 1..n
choose place(r, c, d)
exactly one place per r, c
"""
CLUES = BOARD + 'param clue = grid(2, 2) """\n1.\n..\n"""\n'
ROWS, ALL = 4, 16  # answers if each row holds 1 and 2, and of the board alone
INSTEAD = re.compile(r"(?:write|did you mean) `([^`…]+)`")

# A line of a model, the part of it that is marked, what the cure puts there (None: nothing), and the number of answers.
Mistake = tuple[str, str, str | None, int]

RANGES: list[Mistake] = [
    ("let s = range(1, 5)", "range(1, 5)", "1..4", ALL),
    ("let s = range(n)", "range(n)", "0..n - 1", ALL),
    ("values v in 1 to 4", "1 to 4", "1..4", ALL),
    ("values v from 1 to n", "from 1 to n", "in 1..n", ALL),
    ("values v in 1...4", "1...4", "1..4", ALL),
    ("values v in 1…4", "1…4", "1..4", ALL),
    ("values v in 1:4", "1:4", "1..4", ALL),
    ("values v in [1..4]", "[1..4]", "1..4", ALL),
    ("values v in {1..4}", "{1..4}", "1..4", ALL),
    ("values v in 1, 2, 3", "values v in 1, 2, 3", "values v in {1, 2, 3}", ALL),
    ("values v = 1..4", "values v = 1..4", "values v in 1..4", ALL),
    ("values v: 1..4", "values v: 1..4", "values v in 1..4", ALL),
    ("values v w in 1..4", "v w", "v, w", ALL),
    ("values v in 1..2 and w in 1..3", "1..2 and w in 1..3", "1..2, w in 1..3", ALL),
    ("choose mark(v) for v in 1-4 exactly one mark", "1-4", "1..4", 4 * ALL),
    ("choose mark(v) for v in 4 exactly one mark", "4", "1..4", 4 * ALL),
]
WORDS: list[Mistake] = [
    ('let s = list "a b"', 'list "a b"', 'list("a b")', ALL),
    ("let s = {red, blue}", "red", '"red"', ALL),
    ("let s = {green}", "green", '"green"', ALL),
    ("let s = [red]", "red", '"red"', ALL),
    ("let s = ann, bob", "let s = ann, bob", 'let s = {"ann", "bob"}', ALL),
    ("values v in red, green", "values v in red, green", 'values v in {"red", "green"}', ALL),
    ("let s = ['red']", "'red'", '"red"', ALL),
    ("let s = “red”", "“red”", '"red"', ALL),
    ('let s = {"red" "blue"}', '"red" "blue"', '"red", "blue"', ALL),
    ("let s = {a = 1, b = 2}", "{a = 1, b = 2}", '{"a": 1, "b": 2}', ALL),
    ("assert True", "True", "true", ALL),
    ("let s = FALSE", "FALSE", "false", ALL),
    ("title Small squares", "title Small squares", 'title "Small squares"', ALL),
    ('title: "Small"', 'title: "Small"', 'title "Small"', ALL),
    ("use std/pentominoes", "use std/pentominoes", 'use "std/pentominoes"', ALL),
    ("import std/pentominoes", "import std/pentominoes", 'use "std/pentominoes"', ALL),
]
DEFINITIONS: list[Mistake] = [
    ("m = 4", "m = 4", "let m = 4", ALL),
    ("let m := 4", "let m := 4", "let m = 4", ALL),
    ("int m = 4", "int m = 4", "let m = 4", ALL),
    ("int: m = 4;", "int: m = 4;", "let m = 4", ALL),
    ("const m = 4", "const", "let", ALL),
    ("let int m = 4", "let int m = 4", "let m = 4", ALL),
    ("set of int: S = 1..4", "set of int: S = 1..4", "let S = 1..4", ALL),
    ("enum Colour = {red, green}", "enum Colour = {red, green}", 'let Colour = {"red", "green"}', ALL),
    ("def f(x): return x + 1", "def f(x): return x + 1", "let f(x) = x + 1", ALL),
    ("let f x = x + 1", "let f x = x + 1", "let f(x) = x + 1", ALL),
    ("f(x) = x + 1", "f(x) = x + 1", "let f(x) = x + 1", ALL),
    ("parameter k = 3", "parameter k = 3", "param k = 3", ALL),
    ("param k: int = 3", "param k: int = 3", "param k = 3", ALL),
    ("param k 3", "param k 3", "param k = 3", ALL),
    ("let m = 4;", ";", None, ALL),
    ("choose mark[v] for v in 1..2", "choose mark[v] for v in 1..2", "choose mark(v) for v in 1..2", 4 * ALL),
    ("choose mark(v in 1..2)", "choose mark(v in 1..2)", "choose mark(v) for v in 1..2", 4 * ALL),
    ("choose mark(v: 1..2)", "choose mark(v: 1..2)", "choose mark(v) for v in 1..2", 4 * ALL),
    ("choose mark(1..2)", "choose mark(1..2)", "choose mark(i) for i in 1..2", 4 * ALL),
    ("choose mark(v) for all v in 1..2", "choose mark(v) for all v in 1..2", "choose mark(v) for v in 1..2", 4 * ALL),
    ("choose mark(v) for v = 1..2", "for v =", "for v in", 4 * ALL),
    ("choose mark r", "choose mark r", "choose mark(r)", 4 * ALL),
    ("var mark(r)", "var mark(r)", "choose mark(r)", 4 * ALL),
    ("var bool: wet", "var bool: wet", "choose wet()", 2 * ALL),
]
RULES: list[Mistake] = [
    (
        "forall r, d: exactly one place per r, d",
        "forall r, d: exactly one place per r, d",
        "exactly one place per r, d",
        4,
    ),
    ("for all r, d exactly one place", "for all r, d exactly one place", "exactly one place per r, d", ROWS),
    (
        "forall r in 1..n: exactly one place per d",
        "forall r in 1..n: exactly one place per d",
        "exactly one place per r, d",
        ROWS,
    ),
    ("each r, d has exactly one place", "each r, d has exactly one place", "exactly one place per r, d", ROWS),
    ("one place per r, d", "one place per r, d", "exactly one place per r, d", ROWS),
    ("there is exactly one place per r, d", "there is", None, ROWS),
    ("constraint exactly one place per r, d", "constraint", None, ROWS),
    ("exactly one place(r, c, d) per r, d", "place(r, c, d)", "place", ROWS),
    ("exactly one d per r, d", "d", "place", ROWS),
    ("exactly one of place per r, d", "of place", "place", ROWS),
    ("exactly one place for each r, d", "for each", "per", ROWS),
    ("exactly one place in each r, d", "in each", "per", ROWS),
    ("exactly one place per r d", "r d", "r, d", ROWS),
    ("exactly one place per r and d", "r and d", "r, d", ROWS),
    ("no more than one place per r, d", "no more than", "at most", ROWS),
    ("not more than 1 place per r, d", "not more than", "at most", ROWS),
    ("no less than 1 place per r, d", "no less than", "at least", ROWS),
    ("less than 2 place per r, d", "less than 2", "at most 1", ROWS),
    ("more than 0 place per r, d", "more than 0", "at least 1", ROWS),
    ("max 1 place per r, d", "max 1", "at most 1", ROWS),
    ("up to 1 place per r, d", "up to 1", "at most 1", ROWS),
    ("exactly one place per r per d", "r per d", "r, d", ROWS),
    ("exactly one place per r where d is odd", "d is odd", "d mod 2 = 1", ROWS),
    ("exactly one place per r where d in 1, 3", "d in 1, 3", "d in {1, 3}", ROWS),
    ("exactly one place per r where d between 1 and 1", "d between 1 and 1", "1 <= d <= 1", ROWS),
    ("atmost one place per r, d", "atmost", "at most", ROWS),
    ("only one place per r, d", "only one place per r, d", "exactly one place per r, d", ROWS),
    ("no two place per r, d", "no two place per r, d", "at most one place per r, d", ROWS),
    ("no place where r = 1 and d = 2", "no place where r = 1 and d = 2", "exactly 0 place where r = 1 and d = 2", ROWS),
    ("between 1 and 2 place per d", "between 1 and 2", "exactly 1..2", 6),
    ("at least 1 and at most 2 place per d", "at least 1 and at most 2", "exactly 1..2", 6),
    ("exactly 1 to 3 place per d", "1 to 3", "1..3", 14),
    ("exactly 1 or 3 place per d", "1 or 3", "{1, 3}", 8),
    ("exactly 1-3 place per d", "1-3", "1..3", 14),
    ("sum(d of place per r) = 3", "sum(d of place per r) = 3", "exactly 3 total d of place per r", ROWS),
    ("sum(d) of place per r <= 3", "sum(d) of place per r <= 3", "at most 3 total d of place per r", 9),
    ("exactly 3 sum d of place per r", "sum d of place", "total d of place", ROWS),
    ("exactly 3 total sum(d) of place per r", "sum(d)", "d", ROWS),
    ("count(place) = 4", "count(place) = 4", "exactly 4 place", ALL),
    ("count of place per d > 1", "count of place per d > 1", "at least 2 place per d", 6),
    ("place per r, d = 1", "place per r, d = 1", "exactly 1 place per r, d", ROWS),
    ("exactly one place per r, d;", ";", None, ROWS),
    ("exactly one place where d = 1 per r", "where d = 1 per r", "per r where d = 1", ROWS),
    ("exactly one place per r, where d = 1", "r, where", "r where", ROWS),
    ("exactly one place per r if d = 1", "if", "where", ROWS),
    ("exactly one place per r such that d = 1", "such that", "where", ROWS),
    ("exactly one place per r where d == 1", "==", "=", ROWS),
    ("exactly one place per r where d = 1 or 3", "d = 1 or 3", "d in {1, 3}", ROWS),
    ("exactly one place per d where r = 1, c < 3", "where r = 1, c < 3", "where r = 1 and c < 3", 8),
    ("exactly one place per r, d 'row {r}'", "'row {r}'", '"row {r}"', ROWS),
    ('exactly one place per r, d: "row {r}"', 'd: "row {r}"', 'd "row {r}"', ROWS),
    ('exactly one place per r, d as "row {r}"', 'as "row {r}"', '"row {r}"', ROWS),
    ("exactly one place per r, d // rows", "// rows", "# rows", ROWS),
    ("exactly one place per r, d -- rows", "-- rows", "# rows", ROWS),
]
CHOICES: list[Mistake] = [
    ("not place(1, 1, 1)", "not place(1, 1, 1)", "forbid place(1, 1, 1)", 8),
    (
        "constraint place(1, 1, 1) -> place(2, 2, 1)",
        "constraint place(1, 1, 1) -> place(2, 2, 1)",
        "if place(1, 1, 1) then place(2, 2, 1)",
        12,
    ),
    (
        "Or(place(1, 1, 1), place(2, 2, 1))",
        "Or(place(1, 1, 1), place(2, 2, 1))",
        "if not place(1, 1, 1) then place(2, 2, 1)",
        12,
    ),
    (
        "place(1, 1, 1) + place(2, 2, 1) <= 1",
        "place(1, 1, 1) + place(2, 2, 1) <= 1",
        "if place(1, 1, 1) then not place(2, 2, 1)",
        12,
    ),
    ("given not place(1, 1, 1)", "given not place(1, 1, 1)", "forbid place(1, 1, 1)", 8),
    (
        "if place(1, 1, 1) and 1 < 2 then place(2, 2, 1)",
        "if place(1, 1, 1) and 1 < 2 then place(2, 2, 1)",
        "if place(1, 1, 1) then place(2, 2, 1) where 1 < 2",
        12,
    ),
    ("place(1, 1, 1)", "place(1, 1, 1)", "given place(1, 1, 1)", 8),
    ("place(1, 1) = 2", "place(1, 1) = 2", "given place(1, 1, 2)", 8),
    ("place[1, 1] = 2", "place[1, 1] = 2", "given place(1, 1, 2)", 8),
    ("place(1, 1, 1) = true", "place(1, 1, 1) = true", "given place(1, 1, 1)", 8),
    ("given place(1, 1) = 2", "given place(1, 1) = 2", "given place(1, 1, 2)", 8),
    ("given place 1 1 1", "given place 1 1 1", "given place(1, 1, 1)", 8),
    (
        "given place(1, 1, 1), place(1, 2, 1)",
        "given place(1, 1, 1), place(1, 2, 1)",
        "given place(1, 1, 1) given place(1, 2, 1)",
        4,
    ),
    (
        "place(1, 1, 1) or place(2, 2, 1)",
        "place(1, 1, 1) or place(2, 2, 1)",
        "if not place(1, 1, 1) then place(2, 2, 1)",
        12,
    ),
    (
        "not place(1, 1, 1) or place(2, 2, 1)",
        "not place(1, 1, 1) or place(2, 2, 1)",
        "if place(1, 1, 1) then place(2, 2, 1)",
        12,
    ),
    (
        "place(1, 1, 1) -> place(2, 2, 1)",
        "place(1, 1, 1) -> place(2, 2, 1)",
        "if place(1, 1, 1) then place(2, 2, 1)",
        12,
    ),
    (
        "place(1, 1, 1) <-> place(2, 2, 1)",
        "place(1, 1, 1) <-> place(2, 2, 1)",
        "if and only if place(1, 1, 1) then place(2, 2, 1)",
        8,
    ),
    (
        "place(1, 1, 1) xor place(2, 2, 1)",
        "place(1, 1, 1) xor place(2, 2, 1)",
        "if and only if not place(1, 1, 1) then place(2, 2, 1)",
        8,
    ),
    (
        ":- place(1, 1, 1), place(2, 2, 1).",
        ":- place(1, 1, 1), place(2, 2, 1).",
        "if place(1, 1, 1) then not place(2, 2, 1)",
        12,
    ),
    (
        "place(2, 2, 1) :- place(1, 1, 1).",
        "place(2, 2, 1) :- place(1, 1, 1).",
        "if place(1, 1, 1) then place(2, 2, 1)",
        12,
    ),
    (
        "if place(1, 1, 1): place(2, 2, 1)",
        "if place(1, 1, 1): place(2, 2, 1)",
        "if place(1, 1, 1) then place(2, 2, 1)",
        12,
    ),
    (
        "if place(1, 1, 1) then forbid place(2, 2, 1)",
        "if place(1, 1, 1) then forbid place(2, 2, 1)",
        "if place(1, 1, 1) then not place(2, 2, 1)",
        12,
    ),
    ("if r = c then place(r, c, 1)", "if r = c then place(r, c, 1)", "given place(r, c, 1) where r = c", 4),
    (
        "if r = 1 then exactly one place per d",
        "if r = 1 then exactly one place per d",
        "exactly one place per d where r = 1",
        8,
    ),
    ("if place(r, c, 1) then r < 2", "if place(r, c, 1) then r < 2", "forbid place(r, c, 1) where not (r < 2)", 4),
    ("forbid place if r = d", "if", "where", 1),
    ("exclude place(1, 1, 1)", "exclude place(1, 1, 1)", "forbid place(1, 1, 1)", 8),
]
GOALS: list[Mistake] = [
    ("minimize place", "minimize place", "minimize count of place", ALL),
    ("minimise count of place", "minimise", "minimize", ALL),
    ("minimize sum(d) of place", "sum(d)", "d", 1),
    ("minimize sum(d of place)", "minimize sum(d of place)", "minimize d of place", 1),
    ("solve maximize sum d of place", "solve maximize sum d of place", "maximize d of place", 1),
    ("minimize number of place", "number", "count", ALL),
    ("min count of place", "min count of place", "minimize count of place", ALL),
    ("solve satisfy;", "solve satisfy;", None, ALL),
    ("expect 16", "expect 16", "expect 16 solutions", ALL),
    ("expect unique solution", "expect unique solution", "expect unique", ALL),
    ("show d of place in r, c", "show d of place in r, c", "show d of place at r, c", ALL),
]
EXPRESSIONS: list[Mistake] = [
    ("let k = len({1, 2})", "len({1, 2})", "size({1, 2})", ALL),
    ("let k = |{1, 2}|", "|{1, 2}|", "size({1, 2})", ALL),
    ("let k = [1, 2].length", "[1, 2].length", "size([1, 2])", ALL),
    ("let k = set([1, 2])", "set([1, 2])", "{1, 2}", ALL),
    ("let k = product(1..2, 1..3)", "product(1..2, 1..3)", "{(a, b) for a in 1..2, b in 1..3}", ALL),
    ("let k = combinations(1..4, 2)", "combinations(1..4, 2)", "subsets(1..4, 2)", ALL),
    ("let k = neighbors((1, 1))", "neighbors((1, 1))", "neighbours((1, 1))", ALL),
    ("let k = IF(n = 2, 1, 0)", "IF(n = 2, 1, 0)", "if n = 2 then 1 else 0", ALL),
    ("let k = SUM([1, 2])", "SUM([1, 2])", "sum([1, 2])", ALL),
    ("let k = MOD(7, 2)", "MOD(7, 2)", "(7) mod (2)", ALL),
    ("let k = n == 2 ? 1 : 0", "==", "=", -1),
    ("let k = n > 2 ? 1 : 0", "n > 2 ? 1 : 0", "if n > 2 then 1 else 0", ALL),
    ("let k = 1 if n = 2 else 0", "1 if n = 2 else 0", "if n = 2 then 1 else 0", ALL),
    ("let k = max(x * x for x in 1..3)", "max(x * x for x in 1..3)", "max([x * x for x in 1..3])", ALL),
    ("let k = {x | x in 1..3}", "{x | x in 1..3}", "{x for x in 1..3}", ALL),
    ("let k = [x * x | x in 1..3 where x > 1]", "[x * x | x in 1..3 where x > 1]",
     "[x * x for x in 1..3 where x > 1]", ALL),
    ("let k = 1,000", "1,000", "1000", ALL),
    ("let k = 3²", "²", "^2", ALL),
    ("let k = sum(i in 1..3)(i * i)", "sum(i in 1..3)(i * i)", "sum([i * i for i in 1..3])", ALL),
    ("let k = range(1, n + 1)", "range(1, n + 1)", "1..n", ALL),
    ("let k = {v in 1..3 : v > 1}", "{v in 1..3 : v > 1}", "{v for v in 1..3 where v > 1}", ALL),
    ("let k = 7 // 2", "//", "div", ALL),
    ("let k = 2 ** 3", "**", "^", ALL),
    ("assert n = 2 && n > 1", "&&", "and", ALL),
    ("assert any(x > 1 for x in 1..n)", "any(x > 1 for x in 1..n)", "some(x in 1..n where x > 1)", ALL),
    ("given place(r, c, clue[r][c]) for (r, c) in clue", "clue[r][c]", "clue[r, c]", 8),
]  # fmt: skip
TABLE = [*RANGES, *WORDS, *DEFINITIONS, *RULES, *CHOICES, *GOALS, *EXPRESSIONS]
# A line, and what its help says, where that is the form of what is meant and no text to be put there.
TOLD = [
    ("let w = windows(4, 4)", "it reads `windows(area, h, w)`"),
    ("let w = box(4)", "it reads `box(h, w)`, or `box(d, h, w)`"),
    ("alldifferent(place)", "at most one f per"),
    ("forall r", "exactly one f per KEYS"),
    ("loop place", "it reads `loop f along ENDS"),
    ("show place", "it reads `show VALUES of f at PLACE"),
    ("exactly one place per", ""),
]


def told(text: str) -> tuple[Diagnostic, ...]:
    """The errors of a model."""
    try:
        covr.loads(text)
    except ModelErrors as errors:
        return errors.diagnostics
    return ()


def cured(text: str, fault: Diagnostic) -> str:
    """The text with what the help of a fault says in the place of the fault."""
    assert fault.span is not None
    new = "" if fault.help.startswith("remove it") else INSTEAD.match(fault.help)
    assert new is not None, fault
    return text[: fault.span.start] + (new if isinstance(new, str) else new[1]) + text[fault.span.end :]


def test_there_are_many() -> None:
    assert len(TABLE) >= 80
    assert len({line for line, *_ in TABLE}) == len(TABLE)


@each("mistake", TABLE)
def test_a_mistake_is_cured(mistake: Mistake) -> None:
    line, place, cure, count = mistake
    text = f"{CLUES if 'clue' in line else BOARD}{line}\n"
    fault = next(iter(told(text)), None)
    assert fault is not None and fault.span is not None, line
    assert fault.span.text == place, (line, fault)
    assert fault.help.startswith("remove it" if cure is None else "write `" if cure not in fault.help else ""), (
        line,
        fault,
    )
    assert cure is None or f"`{cure}`" in fault.help, (line, fault)
    right = cured(text, fault)
    for _ in range(9):  # words in a set are told one by one
        faults = told(right)
        if not faults:
            break
        assert count < 0 or faults[0].code == fault.code, (right, faults)
        right = cured(right, faults[0])
    assert count < 0 or covr.loads(right).count() == count, right


@each("mistake", TABLE)
def test_an_editor_offers_the_cure(mistake: Mistake) -> None:
    """With one click, where the fault is one of the text or of its names."""
    line = mistake[0]
    text = f"{CLUES if 'clue' in line else BOARD}{line}\n"
    document = Document("m.cover", Libraries)
    analysis = document.change(text)
    for fault in [fault for fault in analysis.faults if fault.is_error][:1]:
        offered = [applied(text, fix) for fix in fixes(document, analysis, fault)]
        assert cured(text, fault) in offered or mistake[3] < 0, (line, fault, offered)


@pytest.mark.parametrize(("line", "help"), TOLD)
def test_the_form_is_told(line: str, help: str) -> None:
    assert help in told(f"{BOARD}{line}\n")[0].help


def test_a_blank_that_is_written_as_0_is_told() -> None:
    text = f'param clue = grid(2, 2) """\n10\n00\n"""\n{BOARD}given place(r, c, clue[r, c]) for (r, c) in clue\n'
    (fault,) = told(text)
    assert fault.span is not None and fault.span.place == (2, 2)
    assert "`.`" in fault.help
    (added,) = re.findall("add `([^`]*)`", fault.help)
    assert covr.loads(f"{text.rstrip()} {added}").count() == 8
    assert covr.loads(text.replace("0", ".")).count() == 8


WHOLE_MODELS = [
    (
        """\
% queens, as somebody writes them who knows MiniZinc
int: n = 4;
array[1..n] of var 1..n: q;
constraint exactly one q(i, value) for each value;
for all value: at most one q;
solve satisfy;
""",
        24,
    ),
    (
        """\
import std/tetrominoes
n = 2
cells r, c in range(1, 3)
values d from 1 to n
choose place[r, c, d]
exactly one place(r, c, d) for each r, c
no more than one place per r d
at_most one place per c and d
if r = c then place(r, c, 1);
""",
        1,
    ),
    (
        """\
-- shifts
let people = {ann, bob, cid}
days = 1..3
choose work(p, d) for p in people, d in days;
forall d in days: exactly one work
each p has exactly one work
not work("ann", 1)
work("bob", 1) implies work("cid", 2)
expect 3
""",
        3,
    ),
]


@pytest.mark.parametrize(("text", "count"), WHOLE_MODELS)
def test_a_whole_model_is_cured_fault_by_fault(text: str, count: int) -> None:
    for _ in range(30):
        faults = told(text)
        if not faults:
            break
        text = cured(text, faults[0])
    assert covr.loads(text).count() == count, text
