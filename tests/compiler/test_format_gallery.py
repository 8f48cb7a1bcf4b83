"""The gallery there and back: what is written in a format that covr reads is the same matrix, or has the same rows;
what is lost is named here.

dlx loses bounds that no answer reaches, and costs that are all 0; lp and mps lose names (comments have them), and say
colours and totals as rows with columns of their own. None of them says `up to`; `connected`, `loop` and `answers by`
are said by json alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

from covr.compiler.formats import FORMATS
from covr.compiler.formats.linear import Linear
from covr.engine import Problem
from covr.inputs.library import gallery_files
from tests.compiler.formats_kept import parts, reachable
from tests.shared import compiled_gallery

# What is tried in the gate: small models with everything that formats have words for, or have none.
GATE = {
    "toy", "crew", "experts", "langford", "queens", "akari", "toichika2", "crossword", "knapsack", "star_battle",
    "tents", "kramma", "dominosa", "slitherlink", "hashi", "instant_insanity", "latin_square",
}  # fmt: skip
NAMES = [
    pytest.param(name, id=name, marks=[pytest.mark.gallery(name), *([] if name in GATE else [pytest.mark.slow])])
    for name in gallery_files()
]
Said = tuple[tuple[tuple[int, int], ...], int]


def read(name: str, text: str) -> Problem:
    return FORMATS[name].reader(text)


def write(name: str, problem: Problem) -> str | None:
    """None if the format has no words for the problem."""
    form = FORMATS[name]
    if form.unsaid(problem) is not None or (problem.projection is not None and not form.tells):
        return None
    return "".join(form.writer(problem))


@pytest.mark.parametrize("name", NAMES)
def test_a_model_goes_there_and_back(name: str) -> None:
    problem = compiled_gallery(name).problem
    assert parts(read("json", str(write("json", problem)))) == parts(problem)
    if (text := write("dlx", problem)) is not None:
        assert parts(read("dlx", text)) == parts(reachable(problem))
    for form in ("lp", "mps"):
        if (text := write(form, problem)) is None:
            continue
        back = read(form, text)
        columns = [int(option[1:]) - 1 for option in back.option_names]
        costs = dict(zip(columns, back.costs or [0] * back.options, strict=True))
        assert [costs.get(o, 0) for o in range(problem.options)] == list(problem.costs or [0] * problem.options)
        assert rows(back, columns) == rows(problem, range(back.options + problem.options + 1))


def rows(problem: Problem, columns: Sequence[int]) -> Counter[Said]:
    """What is said, as sums that are at least something, each as often as it is said. columns: the number of each
    variable. Factors are as small as they can be, and what excludes nothing is left out."""
    said: list[Said] = []
    for row in Linear(problem).rows():
        terms = [(f, columns[v]) for f, v in row.terms]
        for bound, sign in ((row.low, 1), (row.high, -1)):
            if bound is not None:
                said += shortest([(sign * f, v) for f, v in terms], sign * bound)
    return Counter(said)


def shortest(terms: list[tuple[int, int]], least: int) -> list[Said]:
    factors = sorted(f for f, _ in terms)
    if sum(f for f in factors if f < 0) >= least:
        return []
    if len(set(map(abs, factors))) == 1:  # all equal, perhaps with signs
        by = abs(factors[0])
        terms, least = [(f // by, v) for f, v in terms], -(-least // by)
    elif factors[0] >= least > 0:  # at least one of them
        terms, least = [(1, v) for _, v in terms], 1
    elif factors[-1] < 0 and factors[-1] + factors[-2] < least <= factors[0]:  # at most one of them
        terms, least = [(-1, v) for _, v in terms], -1
    return [(tuple(sorted(terms, key=lambda t: t[1])), least)]


def test_what_the_gate_tries_is_there() -> None:
    assert set(gallery_files()) >= GATE
