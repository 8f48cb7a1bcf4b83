"""Laws of the formats: what is written and read again is the same; nothing makes a reader do worse than complain."""

from __future__ import annotations

import re

import attrs
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from covr.compiler.evaluate.limits import CompileLimits
from covr.compiler.formats import FORMATS, READABLE, WRITABLE, FormatFault, draft, format_of, set_lists
from covr.compiler.formats import dlx as xcc
from covr.compiler.formats import draft as placed_words
from covr.compiler.formats.draft import listening
from covr.engine import Problem, build, search
from tests.compiler.formats_kept import parts, reachable
from tests.engine.problems import brute, coloured_path, queens
from tests.engine.strategies import problems
from tests.shared import examples


def write(name: str, problem: Problem) -> str:
    return "".join(FORMATS[name].writer(problem))


def read(name: str, text: str) -> Problem:
    form = FORMATS[name]
    return form.reader(text.encode("utf-8", "surrogatepass") if form.binary else text)  # type: ignore[arg-type]


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
@example(build([(0, 0)], []))
@example(build([(0, 0), (0, 1), (0, 0)], []))
@settings(max_examples=examples(300))
def test_dlx_is_the_identity(problem: Problem) -> None:
    for name in (named, bare):
        assert parts(read("dlx", write("dlx", name(problem)))) == parts(reachable(name(problem)))


def bare(problem: Problem) -> Problem:
    """Named as a file names what has no names."""
    items = tuple(f"i{i + 1}" for i in range(problem.items))
    words = (
        " ".join(
            f"{items[i]}:{c}" if c else items[i]
            for i, c in zip(problem.option(o), problem.option_colours(o), strict=True)
        )
        for o in range(problem.options)
    )
    return attrs.evolve(problem, item_names=items, option_names=tuple(words))


def plain(text: str) -> str:
    """A dlx file without its comments, which is what other programs read of it."""
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith("|"))


@given(problems())
@settings(max_examples=examples(300))
def test_dlx_says_the_same_without_its_comments(problem: Problem) -> None:
    """Other programs see more items, and an option more if some items may not be covered, but the same answers."""
    text = write("dlx", named(problem))
    back = read("dlx", plain(text))
    closed = "n1" in back.item_names or any(line.endswith(" never") for line in text.splitlines())
    answers = sorted(tuple(o for o in answer if o < problem.options) for answer in brute(back))
    assert back.options == problem.options + closed
    assert answers == sorted(brute(problem))
    assert tuple(back.costs or [0] * back.options)[: problem.options] == tuple(problem.costs or [0] * problem.options)


@given(problems(), st.data())
@settings(max_examples=examples(200))
def test_a_dlx_file_edited_by_hand_stays_what_it_says(problem: Problem, data: st.DataObject) -> None:
    """Whatever lines are left out or doubled, its comments change no answer: they only leave out what is made up."""
    lines = write("dlx", named(problem)).splitlines(keepends=True)
    at = data.draw(st.integers(1, len(lines) - 1))
    lines[at : at + 1] = data.draw(st.sampled_from([[], [lines[at]] * 2, [lines[-1]]]))
    try:
        back = read("dlx", "".join(lines))
    except FormatFault:
        with pytest.raises(FormatFault):
            read("dlx", plain("".join(lines)))
        return
    assert len(brute(back)) == len(brute(read("dlx", plain("".join(lines)))))


KNUTHS = re.compile(r"(\|.*|[!-~]{1,8}(:[!-~])?( [!-~]{1,8}(:[!-~])?)*( \|\d+)?)\n")


@given(problems())
def test_names_are_short_enough_for_knuth(problem: Problem) -> None:
    """At most eight characters a name and one a colour; the first line says which of his programs read the file."""
    text = write("dlx", named(problem))
    assert "there are" in text.splitlines()[0] or re.fullmatch(
        r".* Read by Knuth's DLX1, .* and XCCDC\.|.* Read by Knuth's DLX2, .*", text.splitlines()[0]
    )
    items, *options = plain(text).splitlines(keepends=True)
    for word in items.split():
        bounds, _, name = word.rpartition("|")
        assert len(name) <= 8 and all(len(bound) <= 7 for bound in bounds.split(":"))
    for line in options:
        assert KNUTHS.fullmatch(re.sub(r"\|-", "|", line)), line


def programs(problem: Problem) -> str:
    return write("dlx", problem).splitlines()[0].removeprefix("| Written by covr. ")


def test_the_first_line_says_which_of_knuths_programs_read_a_file() -> None:
    every = "DLX2, DLX3, DLX5, DLX6, SSXCC and XCCDC."
    costs = build([(1, 1)], [[0], [0]], costs=[1, 2])
    many = build([(1, 2), (0, 1)], [[0, (1, 1)], [0, (1, 1)]])
    assert programs(queens(5)) == "Read by Knuth's DLX1, " + every
    assert programs(coloured_path(3, 2)) == "Read by Knuth's " + every
    assert programs(costs) == "Only DLX5 of Knuth's programs reads it, because there are costs."
    assert programs(many) == "Only DLX3 of Knuth's programs reads it, because there are multiplicities."
    for problem, why in [
        (attrs.evolve(costs, costs=(1, -2)), "costs and costs below 0"),
        (attrs.evolve(costs, low=(1,), high=(2,)), "multiplicities and costs"),
        (shades(63, 1), "more than 62 colours of an item"),
        (build([(1, 1)] * 10**5, [[k] for k in range(10**5)]), "so many items"),
    ]:
        with listening() as noted:
            assert programs(problem) == f"None of Knuth's programs reads it, because there are {why}."
        assert noted == [f"None of Knuth's programs reads it, because there are {why}"]
    some = build([(1, 1)] * 20_000, [[k] for k in range(20_000)])
    assert programs(some) == "Read by Knuth's DLX1, DLX2, DLX5, DLX6 and SSXCC."


def shades(colours: int, items: int) -> Problem:
    """Many colours, spread over some secondary items."""
    options = [[0, (1 + c % items, c)] for c in range(1, colours + 1)]
    return build([(1, 1), *[(0, 1)] * items], options)


@pytest.mark.parametrize(("colours", "items"), [(9, 1), (10, 1), (62, 1), (63, 1), (63, 2), (200, 4), (200, 3)])
def test_colours_keep_their_numbers(colours: int, items: int) -> None:
    problem = shades(colours, items)
    text = write("dlx", problem)
    assert read("dlx", text) == problem
    assert (max(len(w.partition(":")[2]) for w in plain(text).split()) == 1) == (colours <= 62 * items)
    assert len(set(plain(text).splitlines())) == colours + 1


@pytest.mark.parametrize("problem", [queens(5), coloured_path(3, 2)])
def test_dlx_is_the_identity_without_comments_where_the_format_has_words_for_everything(problem: Problem) -> None:
    assert read("dlx", plain(write("dlx", problem))) == problem


@given(problems(kinds=("exact", "secondary", "colours"), costs=("none",), given=False))
def test_what_knuth_writes_is_written_as_he_does(problem: Problem) -> None:
    """Bounds 1, 1 and 0, 1 where every option has a primary item: no multiplicities, nothing made up."""
    if problem.primary and all(
        problem.option(o)[:1] and problem.option(o)[0] < problem.primary for o in range(problem.options)
    ):
        text = plain(write("dlx", problem))
        assert text.splitlines()[0].count("|") <= 1
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
    for module in (placed_words, set_lists, xcc):
        for limit in ("MOST_WORDS", "MOST_IN_A_LINE"):
            monkeypatch.setattr(module, limit, 10, raising=False)
    with pytest.raises(FormatFault):
        read(name, {"xcc": "< a > a; a; a; a; a; a;"}.get(name, "\n".join(["1 1 1 1"] * 20)))
