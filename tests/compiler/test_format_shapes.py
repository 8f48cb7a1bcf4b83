"""Matrices in all the shapes in which people keep them: graphs, files of numpy, comments, sizes and stars. A text is
recognised as one of them, or as a model."""

from __future__ import annotations

import struct
from collections.abc import Iterable
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covr.compiler.formats import FORMATS, FormatFault
from covr.compiler.formats.draft import listening
from covr.compiler.formats.table import is_model, recognise, recognise_bytes
from covr.engine import Problem
from covr.engine.reference import answers
from covr.inputs.library import gallery
from tests.each import each

pytestmark = pytest.mark.long

Edges = frozenset[tuple[int, int]]


def read(name: str, text: str | bytes) -> Problem:
    return FORMATS[name].reader(text)  # type: ignore[arg-type]


def npy(rows: list[list[int]], kind: str = "|b1", fortran: bool = False, version: int = 1) -> bytes:
    """What numpy.save writes for these rows."""
    width = len(rows[0]) if rows else 3
    header = repr({"descr": kind, "fortran_order": fortran, "shape": (len(rows), width)})
    raw = header.encode().ljust(117) + b"\n"
    entries = [row[k] for k in range(width) for row in rows] if fortran else [x for row in rows for x in row]
    letter = {"b1": "?", "i1": "b", "u2": "H", "i4": "i", "i8": "q", "f4": "f", "f8": "d", "f2": "e"}[kind[1:]]
    size = struct.pack("<H" if version == 1 else "<I", len(raw))
    order = ">" if kind[0] == ">" else "<"
    return b"\x93NUMPY" + bytes([version, 0]) + size + raw + struct.pack(f"{order}{len(entries)}{letter}", *entries)


MATRICES = st.integers(1, 6).flatmap(
    lambda width: st.lists(st.lists(st.integers(0, 1), min_size=width, max_size=width), min_size=1, max_size=6)
)
KINDS = ["|b1", "|i1", "<u2", ">i4", "<i8", ">f4", "<f8", "<f2"]


def minimum(problem: Problem) -> int:
    return min(sum(problem.costs[o] for o in answer) for answer in answers(problem))


def written(rows: list[list[int]], separator: str = ",") -> str:
    return "".join(separator.join(map(str, row)) + "\n" for row in rows)


@given(MATRICES, st.sampled_from(KINDS), st.booleans(), st.sampled_from([1, 2, 3]))
def test_what_numpy_saves_is_the_matrix(rows: list[list[int]], kind: str, fortran: bool, version: int) -> None:
    data = npy(rows, kind, fortran, version)
    assert read("npy", data) == read("csv", written(rows))
    assert recognise_bytes(data) is FORMATS["npy"]


@given(MATRICES)
def test_what_savetxt_writes_is_the_matrix(rows: list[list[int]]) -> None:
    wanted = read("csv", written(rows))
    floats = "".join(" ".join(f"{x:.18e}" for x in row) + "\n" for row in rows)
    for head in ("", "# made by hand\n", "// a comment\n#\n"):
        assert read("csv", head + floats) == read("csv", head + written(rows)) == wanted
    if len(rows[0]) != 2 or len(rows) > 1:
        assert read("csv", f"{len(rows)} {len(rows[0])}\n" + written(rows, " ")) == wanted
        assert read("csv", f"{len(rows)} {len(rows[0])}\n" + written(rows, "")) == wanted


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (npy([[0, 2]], "|i1"), "2 in row 1, column 2 is neither 0 nor 1"),
        (npy([[0, 1]])[:-1], "want 2 bytes, and 1 follow"),
        (npy([[0, 1]]).replace(b"|b1", b"|O8"), "only matrices"),
        (npy([[0, 1]]).replace(b"(1, 2)", b"(2,)  "), "only matrices"),
        (npy([[0, 1]]).replace(b"(1, 2)", b"(9, 9)"), "want 81 bytes"),
        (npy([[0, 1]]).replace(b"(1, 2)}   ", b"(1e999,2)}"), "only matrices"),
        (npy([[0, 1]]).replace(b"(1, 2)} ", b"(1.5,2)}"), "only matrices"),
        (npy([[0, 1]]).replace(b"(1, 2)}" + b" " * 29, b"(" + b"9" * 30 + b", 2)}"), "damaged"),
        (npy([[0, 1]])[:9], "no file that numpy saved"),
        (npy([[0, 1]])[:40], "cut"),
        (b"\x93NUMPY\x01\x00\xff\xff", "cut"),
        (b"hello", "no file that numpy saved"),
    ],
)
def test_damaged_numpy_files_are_refused(data: bytes, what: str) -> None:
    with pytest.raises(FormatFault, match=what):
        read("npy", data)


@given(st.binary(max_size=200), st.integers(0, 130))
def test_no_bytes_are_worse_than_a_fault(data: bytes, at: int) -> None:
    whole = npy([[0, 1], [1, 0]])
    for damaged in (data, whole[:at] + data + whole[at:], whole[:at] + data + whole[at + len(data) :]):
        try:
            read("npy", damaged)
        except FormatFault as fault:
            assert fault.line == 1


@given(MATRICES)
def test_rows_of_zeros_are_left_out_and_said(rows: list[list[int]]) -> None:
    filled = [row for row in rows if any(row)]
    empty = [f"row {n}" for n, row in enumerate(rows, 1) if not any(row)]
    with listening() as noted:
        problem = read("csv", written(rows))
    assert problem.options == len(filled)
    assert [f"row {n}" for n, row in enumerate(rows, 1) if any(row)] == list(problem.option_names)
    assert len(noted) == bool(empty)
    if empty:
        assert noted[0].startswith(f"{len(empty)} row") and f"left out: {empty[0]}" in noted[0]


@given(MATRICES, st.data())
def test_dlx_cpp_says_how_many_columns_are_secondary(rows: list[list[int]], data: st.DataObject) -> None:
    """`columns secondary` in the first line, or `columns` alone; the first columns are secondary."""
    width = len(rows[0])
    secondary = data.draw(st.integers(0, width))
    separator = data.draw(st.sampled_from([" ", ""]))
    head = f"{width} {secondary}\n" if secondary or data.draw(st.booleans()) else f"{width}\n"
    text = head + written(rows, separator)
    if (head.split() == [str(width)] and width == 1) or width == secondary:
        return  # a row, or the numbers of rows and columns
    problem = read("csv", text)
    kept = [row for row in rows if any(row[secondary:])]
    assert sorted(problem.low) == sorted([0] * secondary + [1] * (width - secondary)) and set(problem.high) == {1}
    held = [{int(problem.item_names[i][7:]) - 1 for i in problem.option(o)} for o in range(problem.options)]
    assert held == [{k for k, bit in enumerate(row) if bit} for row in kept]
    assert not any(problem.low[i] for i in range(problem.items) if int(problem.item_names[i][7:]) <= secondary)


def test_dlx_cpp_s_example() -> None:
    text = "3 1\n1 1 0\n0 1 1\n1 0 1\n1 0 0\n"
    assert recognise(text) is FORMATS["csv"]
    with listening() as noted:
        assert [*answers(read("csv", text))] == [(1,)]
    assert noted == ["the first line says that 1 of 3 columns, the first ones, may stay uncovered"]


def test_options_of_xcc_may_end_with_a_full_stop() -> None:
    plain = read("xcc", "< a b > [ x ]\na x:red;\nb x:red;\n")
    assert read("xcc", "< a b > [ x ]\na x:red .\nb x:red .\n") == plain
    assert read("xcc", "< a b > [ x ]\na x:red ;\nb x:red .\n") == plain
    assert read("xcc", "< . > \n. ;\n").item_names == (".",)


# --- graphs ---

GRAPHS = st.integers(1, 6).flatmap(
    lambda n: st.tuples(st.just(n), st.frozensets(st.sampled_from(list(combinations(range(1, n + 1), 2)) or [(1, 1)])))
)


def least(vertices: int, good: object) -> int:
    """The size of a smallest set of vertices that is good."""
    every = range(1, vertices + 1)
    sizes = (k for k in range(vertices + 1) for some in combinations(every, k) if good(set(some)))  # type: ignore[operator]
    return next(sizes)


def text(head: str, edges: Iterable[tuple[int, int]], mark: str = "") -> str:
    return f"c made by hand\n{head}\n" + "".join(f"{mark}{u} {v}\n" for u, v in edges)


@given(GRAPHS)
def test_graphs_become_least_covers_and_dominating_sets(graph: tuple[int, Edges]) -> None:
    n, edges = graph
    near = {v: {v} | {a + b - v for a, b in edges if v in (a, b)} for v in range(1, n + 1)}
    cover = least(n, lambda some: all(u in some or v in some for u, v in edges))
    dominating = least(n, lambda some: all(near[v] & some for v in near))
    size = f"{n} {len(edges)}"
    for name, head, mark, wanted in [
        ("gr", "p td", "", cover),
        ("gr", "p vc", "", cover),
        ("gr", "p ds", "", dominating),
        ("col", "p edge", "e ", cover),
        ("col", "p col", "e ", cover),
        ("vc", "p edge", "e ", cover),
        ("vc", "p ds", "", cover),
        ("ds", "p edge", "e ", dominating),
        ("ds", "p td", "", dominating),
    ]:
        problem = read(name, text(f"{head} {size}", sorted(edges), mark))
        assert minimum(problem) == wanted, (name, head)
    doubled = [*edges, *((v, u) for u, v in edges)]
    both = f"p col {n} {2 * len(edges)}"
    assert read("col", text(f"p edge {size}", doubled, "e ")) == read("vc", text(both, doubled, "e "))


@pytest.mark.parametrize(
    ("what", "line", "words"),
    [
        ("", 1, "no graph"),
        ("c\n1 2\n", 2, "the first line must be"),
        ("p tw 3 1\n1 2\n", 1, "covr reads"),
        ("p ds 3 1\n1 4\n", 2, "no vertex 4"),
        ("p ds 3 2\n1 2\n", 1, "2 edges are announced, and there are 1"),
        ("p ds 3 1\n1 2 3\n", 2, "an edge is two vertices"),
        ("p ds 999999999 1\n1 2\n", 1, "room for"),
        ("p ds 3 1\n" + "1 2\n" * 3, 4, "more edges"),
    ],
)
def test_wrong_graphs_are_refused_on_their_line(what: str, line: int, words: str) -> None:
    with pytest.raises(FormatFault, match=words) as fault:
        read("gr", what)
    assert fault.value.line == line


# --- Knuth's formats ---


def test_comments_and_stars_of_dlx_files_are_read() -> None:
    plain = read("dlx", "A 2|B 1:3|C | X\nA B C\nB C X:1\nA C\n")
    for other in (
        "// made by hand\n# too\nA 2*B 1:3*C | X\n// here\nA B C\n  # and there\nB C X:1\nA C\n",
        "| made by hand\nA 2|B 1:3*C | X\nA B C\n| here\nB C X:1\nA C\n",
    ):
        assert read("dlx", other) == plain
    assert FORMATS["dlx"].suffixes == (".dlx", ".mcc")


def test_items_that_look_like_comments_or_stars() -> None:
    hashes = read("dlx", "5|# #1 6*Y | //\n# #1 //:red\n#1 6*Y\n# 6*Y\n")
    assert hashes.item_names == ("#", "#1", "6*Y", "//") and hashes.options == 3
    assert hashes.high[:3] == (5, 1, 1)
    for names in (["#1", "#2"], ["//", "b"], ["#", "b"], ["6*Y", "2*Z"]):
        problem = read("dlx", f"x {' '.join(names)}\n{' '.join(names)}\nx {names[0]}\n")
        moved = "".join(FORMATS["dlx"].writer(problem))
        assert read("dlx", moved) == problem
        first = "".join(FORMATS["dlx"].writer(read("dlx", f"1|{names[0]} {names[1]}\n{names[0]} {names[1]}\n")))
        assert read("dlx", first).item_names == tuple(names)


def test_comments_are_skipped_in_other_formats() -> None:
    for mark in ("# ", "// "):
        for name, body in [
            ("sets", "a: 1 2\nb: 3\n"), ("hgr", "p hs 2 1\n1 2\n"), ("scp", "1 1\n1\n1 1\n"), ("rail", "1 1\n1 1 1\n"),
            ("xcc", "< a > [ x ]\na x:red;\n"), ("xcc", "p xcc 1 1\n1 2 -1 0\n"), ("gr", "p ds 2 1\n1 2\n"),
        ]:  # fmt: skip
            lines = body.split("\n")
            other = "\n".join([f"{mark}one", lines[0], f"{mark}two", *lines[1:]])
            assert read(name, other) == read(name, body), (name, mark)


# --- what a text is ---


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("dlx", "A B C | X Y\nA B X:red\nC Y\n"),
        ("dlx", "| a comment\n2|A 1:3|B\nA B\nA\n"),
        ("dlx", "# note\nA 6*B\nA B\n"),
        ("dlx", "5|# a b\n# a\n# b\n"),
        ("xcc", "< a b > [ x ]\na x:1;\n"),
        ("xcc", "c note\np xcc 2 1\n2 3 -1 0\n"),
        ("gr", "c note\np ds 2 1\n1 2\n"),
        ("gr", "p td 2 1\n1 2\n"),
        ("col", "c note\np edge 2 1\ne 1 2\n"),
        ("hgr", "p hs 2 1\n1 2\n"),
        ("json", '{"format": "covr-problem", "version": 1, "items": [{}], "options": [{"items": [0]}]}'),
        ("csv", "1 0 1\n0 1 0\n"),
        ("csv", "101\n010\n"),
        ("csv", "2 3\n1 0 1\n0 1 0\n"),
        ("csv", "# saved\n1.0e+00 0.0e+00\n0.000e+00 1.000e+00\n"),
        ("csv", "1,0\n0,1\n"),
        ("sets", "# who\nann: 1 2\nbob: 3\n"),
        ("scp", "3 2\n4 5\n1 1\n1 2\n2 1 2\n"),
        ("rail", "3 2\n4 2 1 2\n5 2 2 3\n"),
    ],
)
def test_a_matrix_is_recognised(name: str, body: str) -> None:
    assert recognise(body) is FORMATS[name]
    assert read(name, body).options


@each("path", sorted(gallery().rglob("*.cover")))
def test_a_model_is_no_matrix(path: object) -> None:
    body = path.read_text(encoding="utf-8")  # type: ignore[attr-defined]
    assert recognise(body) is None
    assert is_model(body)


@given(st.text(alphabet="01 \n#/|:ABp<>ds{}*.eE+-,;\t", max_size=60))
def test_recognising_never_fails(body: str) -> None:
    found = recognise(body)
    assert found is None or found.reads


def test_knuth_s_answers_are_kept() -> None:
    assert len(list(answers(read("dlx", "// bounds\n2*A B\nA B\nA\nA\n")))) == 2
