"""Laws of the formats: what is written and read again is the same; nothing makes a reader do worse than complain."""

from __future__ import annotations

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covr.compiler.evaluate.limits import CompileLimits
from covr.compiler.formats import (
    FORMATS,
    READABLE,
    WRITABLE,
    FormatFault,
    draft,
    format_of,
    matrix_csv,
    placed_words,
    xcc,
)
from covr.engine import Problem, search
from tests.engine.problems import brute, coloured_path, queens
from tests.engine.strategies import problems
from tests.shared import examples


def write(name: str, problem: Problem) -> str:
    return "".join(FORMATS[name].writer(problem))


def read(name: str, text: str) -> Problem:
    form = FORMATS[name]
    return form.reader(text.encode("utf-8", "surrogatepass") if form.binary else text)  # type: ignore[arg-type]


def parts(problem: Problem) -> dict[str, object]:
    """Everything in a problem, names too, whatever kind of sequence holds it."""
    return {name: tuple(v) if hasattr(v, "__len__") else v for name, v in attrs.asdict(problem, recurse=False).items()}


def named(problem: Problem) -> Problem:
    return attrs.evolve(
        problem,
        item_names=tuple(f'item "{i}"\n|:é' for i in range(problem.items)),
        option_names=tuple(f"take({o}, x)" for o in range(problem.options)),
    )


@given(problems())
def test_json_is_the_identity(problem: Problem) -> None:
    assert parts(read("json", write("json", problem))) == parts(problem)
    assert parts(read("json", write("json", named(problem)))) == parts(named(problem))


@given(problems())
@settings(max_examples=examples(300))
def test_dlx_keeps_options_and_answers(problem: Problem) -> None:
    back = read("dlx", write("dlx", named(problem)))
    assert back.options == problem.options
    assert sorted(brute(back)) == sorted(brute(problem))
    assert tuple(back.costs or [0] * back.options) == tuple(problem.costs or [0] * problem.options)
    again = read("dlx", write("dlx", back))
    assert parts(attrs.evolve(again, option_names=back.option_names)) == parts(back)


@pytest.mark.parametrize("problem", [queens(5), coloured_path(3, 2)])
def test_dlx_is_the_identity_where_the_format_has_words_for_everything(problem: Problem) -> None:
    assert read("dlx", write("dlx", problem)) == problem


@given(problems(kinds=("exact", "secondary", "colours"), costs=("none",), given=False))
def test_what_knuth_writes_is_written_as_he_does(problem: Problem) -> None:
    """Bounds 1, 1 and 0, 1 where every option has a primary item: no multiplicities, nothing made up."""
    if problem.primary and all(
        problem.option(o)[:1] and problem.option(o)[0] < problem.primary for o in range(problem.options)
    ):
        text = write("dlx", problem)
        assert "free" not in text.splitlines()[0] and text.splitlines()[0].count("|") <= 1
        assert read("dlx", text) == attrs.evolve(problem, colours=read("dlx", text).colours)


@given(problems(), st.sampled_from(WRITABLE))
def test_every_writer_writes_everything(problem: Problem, name: str) -> None:
    text = write(name, named(problem))
    assert text.endswith("\n")
    assert name in ("json", "dlx") or text.isascii()


@given(st.text(max_size=60), st.sampled_from(READABLE))
def test_no_text_is_worse_than_a_fault(text: str, name: str) -> None:
    try:
        problem = read(name, text.replace("\r", ""))
    except FormatFault as fault:
        assert fault.line >= 1 and fault.column >= 1
        return
    assert list(search(problem, goal="all"))[:1] is not None


CHARACTERS = st.sampled_from(list('0123456789 \n|:<>[];,p-xcABhs%{}"#/*e.')) | st.sampled_from(
    ["p xcc ", "p hs ", "p ds ", "p edge ", "//", "6*A", "1.0e+00 ", '"items": [']
)


@given(st.lists(CHARACTERS, max_size=40).map("".join), st.sampled_from(READABLE))
@settings(max_examples=examples(400))
def test_nor_is_one_that_looks_like_a_format(text: str, name: str) -> None:
    try:
        problem = read(name, text)
    except FormatFault as fault:
        assert fault.line >= 1 and fault.column >= 1
        return
    assert problem.items < 2000 and problem.options < 2000


@given(problems(), st.data())
def test_nor_is_a_file_with_a_hole(problem: Problem, data: st.DataObject) -> None:
    text = write("json", problem)
    start = data.draw(st.integers(0, len(text)))
    text = text[:start] + text[start + data.draw(st.integers(1, 9)) :]
    try:
        read("json", text)
    except FormatFault as fault:
        assert fault.line >= 1 and fault.column >= 1


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("x.dlx", "dlx"), ("a/b.DLX", "dlx"), ("scp41.txt", "scp"), ("scp41", "scp"), ("rail507.txt", "rail"),
        ("x.mzn", "minizinc"), ("a.json", "json"), ("m.cover", None), ("sudoku", None), ("clues.txt", None),
    ],
)  # fmt: skip
def test_files_tell_their_format(file: str, name: str | None) -> None:
    found = format_of(file)
    assert (found and found.name) == name


@pytest.mark.parametrize(
    ("name", "text", "what"),
    [
        ("dlx", "A\n" + "A\n" * 30, "more than 20 options"),
        ("dlx", " ".join(map(str, range(30))), "more than 20 items"),
        ("sets", "\n".join("a b c d e" for _ in range(19)), "more than 50 items together"),
        ("scp", "19 19\n" + "1 " * 19 + "\n" + "3 1 2 3\n" * 19, "more than 50 items together"),
        ("hgr", "p hs 30 1\n1\n", "more than 20 options"),
        ("csv", "1," * 30, "more than 20 items"),
        ("xcc", "< a > " + "a; " * 30, "more than 20 options"),
        ("json", '{"items": [' + ", ".join(["{}"] * 30) + '], "options": []}', "more than 20 items"),
    ],
)  # fmt: skip
def test_matrices_from_files_have_limits(name: str, text: str, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draft, "LIMITS", CompileLimits(items=20, options=20))
    monkeypatch.setattr(draft, "most_entries", lambda: 50)
    with pytest.raises(FormatFault, match=what):
        read(name, text)


@pytest.mark.parametrize(("memory", "most"), [(None, 5_000_000), (10**9, 5_000_000), (2**34, 2**34 // draft.ENTRY)])
def test_entries_are_limited_by_memory(memory: int | None, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A million options of six items fit on a machine with 16 GB."""
    monkeypatch.setattr(draft, "usual", lambda: memory)
    assert draft.most_entries.__wrapped__() == most
    assert memory is None or memory < 2**33 or most > 6 * 10**6


@pytest.mark.parametrize("name", ["dlx", "sets", "scp", "rail", "hgr", "csv", "xcc"])
def test_words_are_counted(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (placed_words, matrix_csv, xcc):
        for limit in ("MOST_WORDS", "MOST_IN_A_LINE"):
            monkeypatch.setattr(module, limit, 10, raising=False)
    with pytest.raises(FormatFault):
        read(name, {"xcc": "< a > a; a; a; a; a; a;"}.get(name, "\n".join(["1 1 1 1"] * 20)))
