"""What `covr check` says without solving: see `tests/chunks.py`."""

from __future__ import annotations

from pathlib import Path

import pytest

import covr
from covr.compiler import compile_model
from covr.compiler.evaluate.operators import noting
from covr.compiler.review.review import review, settle
from covr.dsl import Source
from covr.dsl.codes import CODES
from covr.engine import Problem, search
from covr.inputs.library import checked, gallery, open_model
from covr.questions.run import remarks
from tests.chunks import Chunk, assert_expected, read_chunks
from tests.each import each
from tests.shared import calls_of, compiled_gallery, slowly
from tests.shown import Block, blocks, write_files

pytestmark = pytest.mark.long

# W217 is found by a search (covr/puzzles/made_puzzle.py), W103 by `covr test`: tests/covr/explain/test_explain.py.
ELSEWHERE = {"W103", "W217"}

CHUNKS = read_chunks(Path(__file__).with_name("review.chunks"))


@pytest.mark.parametrize("chunk", CHUNKS, ids=[chunk.name for chunk in CHUNKS])
def test_remarks_stand_on_their_line(chunk: Chunk) -> None:
    with noting() as noted:
        found = review(compile_model(checked(Source("chunk.cover", chunk.text))), noted)
    assert_expected(chunk, found)


def test_every_warning_is_met() -> None:
    met = {expected.code for chunk in CHUNKS for expected in chunk.expected}
    assert met == {code for code in CODES if code.startswith("W")} - ELSEWHERE


# Models whose symmetries alone take seconds.
LONG = {"bedlam_cube", "onesided_pentominoes", "pentominoes_8x8", "tetris_cube", "y_pentacubes"}


def of_review(path: Path) -> object:
    """A parameter set of a model's file, marked slow if its review takes seconds."""
    if path.stem in LONG:
        return pytest.param(path, id=path.stem, marks=[pytest.mark.gallery(path.stem), pytest.mark.slow])
    return slowly(path.stem, path)


@pytest.mark.parametrize("path", [of_review(path) for path in sorted(gallery().rglob("*.cover"))])
def test_nothing_is_said_of_the_gallery(path: Path) -> None:
    name = f"std/{path.stem}" if path.parent.name == "std" else path.stem
    assert review(compiled_gallery(name)) == ()


QUIET = read_chunks(Path(__file__).with_name("quiet.chunks"))


def said_of(text: str, name: str = "quiet.cover") -> list[str]:
    """The codes of what `covr check` says of a model."""
    with noting() as noted:
        compiled = compile_model(checked(Source(name, text)))
        return [said.code for said in remarks(compiled, noted)]


@pytest.mark.parametrize("chunk", QUIET, ids=lambda c: c.name)
def test_nothing_is_said_of_a_right_model(chunk: Chunk) -> None:
    """Models of many kinds, written as the documentation teaches; of half of them nobody knows the answers yet."""
    assert said_of(chunk.text) == []


def test_there_are_right_models_of_many_kinds() -> None:
    assert len(QUIET) >= 20


SHOWING_ONE = {"rooks.cover"}  # docs/command.md shows a warning about it


@each("block", blocks("cover"))
def test_nothing_is_said_of_what_the_documentation_shows(block: Block, tmp_path: Path) -> None:
    if block.file in SHOWING_ONE:
        return
    if block.file:
        write_files(block.page, tmp_path)
        assert [d.code for d in remarks(covr.load(tmp_path / block.file).compiled)] == []
    else:
        assert said_of(block.text) == [], block.id


def test_a_rule_about_nothing_is_told_all_the_same() -> None:
    """What no data decide: a set that is empty, and a condition that never holds, whatever a board looks like."""
    head = "cells r in 1..3\nchoose f(r)\nexactly one f\n"
    assert said_of(f"{head}param n = 3\nat most one f per r where r > n") == ["W204"]
    assert said_of(f"{head}let none = {{}}\nat most one f per k in none where k = r") == ["W204"]
    board = f'{head}param board = grid(1, 3, "ab.")\n'
    assert said_of(f'{board}at most one f per k in board where k[2] = r and board[k] = "c"') == []
    assert said_of(f'{board}let cs = {{k for k in board where board[k] = "c"}}\nat most one f per k in cs') == []


def colourful() -> Problem:
    """Item 0 wants one of options 0, 1; item 1 shows colour 1 for 0 and 2, colour 2 for 3."""
    return Problem(
        low=(1, 0), high=(1, 1), primary=1, starts=(0, 2, 3, 4, 5), members=(0, 1, 0, 1, 1), colours=(0, 1, 0, 1, 2),
        given=(0,),
    )  # fmt: skip


def test_options_of_one_colour_do_not_exclude_each_other() -> None:
    settled = settle(colourful(), (0,))
    assert list(settled.dead) == [0, 1, 0, 1]
    assert settled.broken is None


def test_what_is_dead_is_in_no_answer() -> None:
    for name in ("sudoku_jigsaw", "dominosa", "latin_square"):
        problem = compile_model(open_model(name)).problem
        settled = settle(problem, problem.given)
        used = {o for answer in search(problem) for o in answer}
        assert not any(settled.dead[o] for o in used)
        assert all(settled.taken[o] <= (o in used) for o in range(problem.options))


def test_the_budget_ends_it() -> None:
    problem = compile_model(open_model("sudoku")).problem
    settled = settle(problem, problem.given, budget=100)
    assert not settled.whole and settled.broken is None


PAIRS = """let exams = 1..{n}
let pairs = {{(a, b, (a * b) mod 3) for a in exams, b in exams where a < b and (a * 7 + b) mod 11 = 1}}
cells x in exams
values s in 0..{n}
choose at(x, s) where (x + s) mod 5 < 3
exactly one at per x
at most one at per e in 0..{n}, (a, b, k) in pairs where (x = a and s = e) or (x = b and e <= s <= e + k)
"""
TEXTS = """let names = ["a", "b", "c", 4]
cells i, j in 1..40
choose x(i, j) where names[i mod 4 + 1] != names[j mod 4 + 1]
at most one x per k in 1..40 where names[k mod 4 + 1] = names[i mod 4 + 1] and k = j
"""


@pytest.mark.parametrize("name", ["pairs", "texts", "sudoku", "slitherlink", "nonogram"])
def test_checking_compiles_no_longer_than_solving(name: str) -> None:
    """What `check` notes of comparisons it reads off what their source knows, instead of evaluating each anew."""
    text = {"pairs": PAIRS.format(n=24), "texts": TEXTS}.get(name)
    model = open_model(name) if text is None else checked(Source("m", text))
    compile_model(model)
    plain = calls_of(lambda: compile_model(model))
    with noting():
        noted = calls_of(lambda: compile_model(model))
    assert noted <= 1.2 * plain


@pytest.mark.parametrize("condition", ['i = "3"', 'i != "3"', "k = [1]", "(i, j) = [i, j]", 'k = "7" and i = j'])
def test_unlike_values_are_noted_of_many_choices_too(condition: str) -> None:
    text = f"cells i, j in 1..40\nchoose x(i, j)\nat most one x per k in 1..40 where {condition} and k >= i\n"
    with noting() as noted:
        found = review(compile_model(checked(Source("m", text))), noted)
    assert "W213" in [remark.code for remark in found]


MANY_RULES = {
    "equal": ("cells i in 1..3\nchoose x(i)\n", "at most one x per i\n"),
    "parts of one": ("cells i in 1..3\nchoose x(i)\nat most one x per i\n", "at most one x per i where i = 1\n"),
    "each its own": ("cells i in 1..400\nchoose x(i)\n", "at most one x where i = {n} or i = {n} + 1\n"),
}


@pytest.mark.parametrize(("head", "rule"), MANY_RULES.values(), ids=list(MANY_RULES))
def test_a_review_takes_as_much_longer_as_there_are_more_rules(head: str, rule: str) -> None:
    def calls(many: int) -> int:
        compiled = compile_model(checked(Source("m", head + "".join(rule.format(n=n + 1) for n in range(many)))))
        return calls_of(lambda: review(compiled), ("call", "c_call"))

    calls(20)  # what is made only once
    assert calls(200) <= 2.2 * calls(100)
