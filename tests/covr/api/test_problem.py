"""Problems from rows: what may be a row, what bounds, colours and costs mean, and what is refused."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from collections.abc import Hashable
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import covr
from tests.shared import examples

TOY = {"A": [1, 4, 7], "B": [1, 4], "C": [4, 5, 7], "D": [3, 5, 6], "E": [2, 3, 6, 7], "F": [2, 7]}


def test_rows_with_names() -> None:
    answer = covr.Problem.from_rows(TOY).solve()
    assert answer is not None
    assert answer.rows == ("B", "D", "F") == tuple(answer) and len(answer) == 3
    assert answer.as_dict() == {"B": [1, 4], "D": [5, 3, 6], "F": [7, 2]}
    assert answer.as_tuples() == [("B", 1, 4), ("D", 5, 3, 6), ("F", 7, 2)]
    assert (answer.cost, answer.proved) == (None, True)


def test_rows_without_names_are_numbered() -> None:
    problem = covr.Problem.from_rows([("x", "y"), ("z",), {"x": None}, ["y", "z"]])
    assert [tuple(a) for a in problem.solutions()] == [(0, 1), (2, 3)]
    assert problem.count() == 2
    assert problem.solve(seed=3) is not None


def test_items_nobody_holds() -> None:
    assert covr.Problem.from_rows([[1]], items=[1, 2]).solve() is None
    assert covr.Problem.from_rows([[1]], items=[1], secondary=[2]).count() == 1


def test_secondary_items_and_colours_have_their_meaning() -> None:
    rows: list[dict[Hashable, Hashable]] = [{"x": None, "c": "red"}, {"y": None, "c": "red"}, {"y": None, "c": "blue"}]
    assert [a.rows for a in covr.Problem.from_rows(rows, secondary=["c"]).solutions()] == [(0, 1)]
    queens = {(r, c): [f"r{r}", f"c{c}", f"up{r + c}", f"down{r - c}"] for r in range(6) for c in range(6)}
    diagonals = {x for row in queens.values() for x in row if x.startswith(("up", "down"))}
    assert covr.Problem.from_rows(queens, secondary=diagonals).count() == 4


def test_bounds_limit_how_often_an_item_is_covered() -> None:
    rows = [["a"], ["a"], ["a", "b"]]
    assert covr.Problem.from_rows(rows, bounds={"a": 2}).count() == 2
    assert covr.Problem.from_rows(rows, bounds={"a": (1, None)}).count() == 4
    assert covr.Problem.from_rows(rows, bounds={"a": (0, 1), "b": (0, 1)}).count() == 4


def test_costs_and_goals() -> None:
    costs = {"A": 1, "B": 5, "C": 1, "D": 5, "E": 1, "F": 5}
    answer = covr.Problem.from_rows(TOY, costs=costs).solve()
    assert answer is not None and (answer.cost, answer.proved) == (15, True)
    cover = dict.fromkeys(range(1, 8), (1, None))
    assert min(a.cost or 0 for a in covr.Problem.from_rows(TOY, bounds=cover, goal="minimize").solutions()) == 3
    most = covr.Problem.from_rows([["x"], ["x"], ["x"]], costs=[3, 9, 4], goal="maximize").solve()
    assert most is not None and (most.rows, most.cost) == ((1,), 9)


def test_given_rows_are_in_every_answer() -> None:
    assert [a.rows for a in covr.Problem.from_rows([[1], [1]], given=[1]).solutions()] == [(1,)]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"rows": [[1, 1]]}, "holds 1 twice"),
        ({"rows": [[1]], "items": [2]}, "holds 1, which is not among the items"),
        ({"rows": [[1]], "items": [1, 1]}, "listed twice"),
        ({"rows": [[1]], "bounds": {2: 1}}, "not among the items"),
        ({"rows": [[1]], "bounds": {1: (2, 1)}}, "2 to 1 times"),
        ({"rows": [[1]], "secondary": [1], "bounds": {1: 1}}, "is secondary"),
        ({"rows": [[1]], "costs": [1, 2]}, "1 rows and 2 costs"),
        ({"rows": [[1]], "costs": [1.5]}, r"costs\[0\] must be a whole number, not 1\.5"),
        ({"rows": [[1]], "costs": [2.0]}, r"costs\[0\] must be a whole number, not 2.0"),
        ({"rows": [[1]], "costs": [True]}, r"costs\[0\] must be a whole number, not True"),
        ({"rows": {"a": [1], "b": [1]}, "costs": {"a": 2.9, "b": 2.1}}, "cost of row 'a' in costs .* not 2.9"),
        ({"rows": [[1]] * 2, "costs": [2**61, 2**61]}, f"add up to {2**62}"),
        ({"rows": [[1]], "bounds": {1: 1.0}}, "the bound of 1 in bounds must be a whole number, not 1.0"),
        ({"rows": [[1]], "bounds": {1: True}}, "the bound of 1 in bounds must be a whole number, not True"),
        ({"rows": [[1]], "bounds": {1: (0.5, 2)}}, "the bound of 1 in bounds must be a whole number, not 0.5"),
        ({"rows": [[1]], "bounds": {1: (0, 2.5)}}, "the bound of 1 in bounds must be a whole number, not 2.5"),
        ({"rows": [[1]], "bounds": {1: (0, 1, 2)}}, r"the bound of 1 in bounds .* \(least, most\), not \(0, 1, 2\)"),
        ({"rows": {"a": [1]}, "costs": {"b": 1}}, "'a' has no cost"),
        ({"rows": [[1]], "goal": "best"}, "`minimize` or `maximize`"),
        ({"rows": [[1]], "given": [4]}, "no row 4"),
        ({"rows": [{1: "red"}]}, "colour"),
    ],
)
def test_what_does_not_fit_together(words: dict[str, object], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        covr.Problem.from_rows(**words)  # type: ignore[arg-type]


@pytest.mark.parametrize("least", [2**31 - 1, 2**31, 2**63, 10**30])
@pytest.mark.parametrize("most", [None, 10**40])
def test_what_no_number_of_rows_can_do(least: int, most: int | None) -> None:
    for costs in (None, [1, 2], [2**60, 2**60 - 1]):
        problem = covr.Problem.from_rows([["x"], ["x", "y"]], bounds={"x": (least, most)}, costs=costs)
        assert problem.solve() is None and problem.count() == 0


def test_numbers_of_numpy_are_taken() -> None:
    np = pytest.importorskip("numpy")
    problem = covr.Problem.from_rows(
        [["x"], ["x"], ["x"]], costs=np.array([3, 1, 2]), bounds={"x": (np.int64(1), np.uint8(2))}
    )
    best = problem.solve(limit_nodes=np.int64(1000), seed=np.int32(1), jobs=np.uint8(1))
    assert best is not None and (best.cost, type(best.cost)) == (1, int)


@pytest.mark.parametrize("value", [1.5, 2.0, True, "3"])
@pytest.mark.parametrize("name", ["limit_nodes", "limit_answers", "seed", "jobs"])
def test_options_that_are_no_whole_numbers(name: str, value: object) -> None:
    """A search with `limit_nodes=1.5` never came back: nodes were compared with a number they never equal."""
    problem = covr.Problem.from_rows([[1]])
    for ask in (problem.solve, problem.count, lambda **words: list(problem.solutions(**words))):
        with pytest.raises(ValueError, match=f"{name} must be a whole number"):
            ask(**{name: value})


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -1, "3", True])
def test_times_that_are_none(value: object) -> None:
    with pytest.raises(ValueError, match="limit_time must be "):
        covr.Problem.from_rows([[1]]).count(limit_time=value)  # type: ignore[arg-type]


def test_a_number_of_answers_must_be_whole() -> None:
    model = covr.loads("choose a(i) for i in 1..3\nexactly one a")
    for ask in (lambda: model.solutions(1.5), lambda: model.sample(2.0), lambda: model.size(1.5)):  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="must be a whole number"):
            ask()


@pytest.mark.parametrize("rows", [["abc"], [7], {"a": "abc"}])
def test_what_is_no_row(rows: object) -> None:
    with pytest.raises(TypeError, match="is a list of items"):
        covr.Problem.from_rows(rows)  # type: ignore[arg-type]


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(st.frozensets(st.sampled_from("abcde"), min_size=1), max_size=8), st.frozensets(st.sampled_from("de")))
def test_equals_brute_force(rows: list[frozenset[str]], secondary: frozenset[str]) -> None:
    expected = set()
    for taken in product([False, True], repeat=len(rows)):
        covered = [x for t, row in zip(taken, rows, strict=True) if t for x in row]
        needed = {x for row in rows for x in row} - secondary
        if len(set(covered)) == len(covered) and needed <= set(covered):
            expected.add(tuple(i for i, t in enumerate(taken) if t))
    problem = covr.Problem.from_rows(map(sorted, rows), secondary=sorted(secondary))
    assert {a.rows for a in problem.solutions()} == expected
    assert problem.count() == len(expected)


def test_arrays_of_numpy_become_rows() -> None:
    numpy = pytest.importorskip("numpy", reason="numpy is not installed")
    matrix = numpy.array([[1, 0, 1], [0, 1, 0], [0, 1, 1], [1, 0, 0]])
    for kind in (int, bool, float):
        assert [a.rows for a in covr.Problem.from_rows(matrix.astype(kind)).solutions()] == [(0, 1), (2, 3)]
    with pytest.warns(UserWarning, match="2 rows hold nothing and are left out: 0, 1"):
        assert covr.Problem.from_rows(numpy.zeros((2, 3))).solve() is None
    assert covr.Problem.from_rows(matrix, costs=numpy.array([5, 5, 1, 1])).solve() is not None
    with pytest.raises(ValueError, match="two dimensions"):
        covr.Problem.from_rows(numpy.zeros(3))


def test_sparse_matrices_of_scipy_become_rows() -> None:
    sparse = pytest.importorskip("scipy.sparse", reason="scipy is not installed")
    dense = [[1, 0, 1], [0, 1, 0], [0, 1, 1], [1, 0, 0]]
    for kind in (sparse.csr_array, sparse.csc_array, sparse.coo_array, sparse.csr_matrix):
        assert [a.rows for a in covr.Problem.from_rows(kind(dense)).solutions()] == [(0, 1), (2, 3)]


def test_answers_become_data_frames() -> None:
    pytest.importorskip("pandas", reason="pandas is not installed")
    problem = covr.Problem.from_rows([("x", "y"), ("z",), ("x",), ("y", "z")])
    assert problem.frame().to_numpy().tolist() == [[True, True, False, False], [False, False, True, True]]
    answer = problem.solve()
    assert answer is not None
    assert answer.frame().to_dict("list") == {"row": [0, 0, 1], "item": ["x", "y", "z"]}
    queens = covr.load("queens", n=4).solve()
    assert queens is not None
    assert queens.frame().to_dict("list") == {"family": ["queen"] * 4, "r": [1, 2, 3, 4], "c": [2, 4, 1, 3]}


def test_nothing_heavy_is_imported() -> None:
    """Drawing, rows and answers work where numpy and pandas are not, and start without them."""
    code = (
        "import sys, covr; covr.Problem.from_rows([[1]]).solve(); covr.load('queens').solve().svg();"
        "print(sorted({'numpy', 'scipy', 'pandas', 'IPython', 'cairosvg'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_one_model_may_be_searched_in_several_threads() -> None:
    """Each thread has its own search; one model may be searched by several at once."""
    model = covr.load("queens", n=8)
    counts: list[int] = []
    threads = [threading.Thread(target=lambda: counts.append(sum(1 for _ in model.solutions()))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts == [92, 92, 92]


def test_an_event_loop_goes_on_beside_a_search() -> None:
    async def ask() -> tuple[int, int]:
        ticks = 0
        search = asyncio.create_task(asyncio.to_thread(covr.load("queens", n=9).count))
        while not search.done():
            ticks += 1
            await asyncio.sleep(0)
        return await search, ticks

    count, ticks = asyncio.run(ask())
    assert count == 352 and ticks > 1


def test_a_search_is_interrupted_from_another_thread() -> None:
    solutions = covr.load("queens", n=20).solutions()
    next(solutions)
    timer = threading.Timer(0.05, solutions.interrupt)
    timer.start()
    assert sum(1 for _ in solutions) >= 0
    assert solutions.status == "interrupted" and not solutions.complete


def test_rows_that_hold_nothing_are_left_out_and_said() -> None:
    rows = {"A": [1, 2], "none": [], "B": [1], "C": [2], "nothing": {}}
    with pytest.warns(UserWarning, match="2 rows hold nothing and are left out: none, nothing"):
        problem = covr.Problem.from_rows(rows, costs={"A": 5, "B": 1, "C": 1, "none": -9, "nothing": -9})
    assert problem.rows == ("A", "B", "C")
    assert problem.count() == 1
    answer = problem.solve()
    assert answer is not None and (answer.rows, answer.cost) == (("B", "C"), 2)
    with pytest.warns(UserWarning, match="1 row holds nothing and is left out: 1"):
        problem = covr.Problem.from_rows([[1], [], [1]], costs=[3, 0, 2])
    assert problem.rows == (0, 2)
    assert [answer.rows for answer in problem.solutions()] == [(2,)]
    with pytest.warns(UserWarning), pytest.raises(ValueError, match="3 rows and 2 costs"):
        covr.Problem.from_rows([[1], [], [1]], costs=[3, 2])
    with pytest.warns(UserWarning), pytest.raises(ValueError, match="the row 1 holds nothing"):
        covr.Problem.from_rows([[1], []], given=[1])
    with pytest.warns(UserWarning):
        assert covr.Problem.from_rows([[1], [], [1]]).count() == 2


def test_no_row_is_left_out_in_silence_or_said_in_vain(recwarn: pytest.WarningsRecorder) -> None:
    assert covr.Problem.from_rows([[1], [2]]).count() == 1
    assert not recwarn.list
