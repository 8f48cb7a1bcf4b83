"""Sets of options with bounds, compiled and in the twin's words, against links: the same tree, the same answers."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings

from covr.engine import Limits, Problem, Settings, build, search
from covr.engine.kernels.header import DONE, FOUND
from covr.engine.kernels.loading import load
from covr.engine.prepare.masks import build_sets, take_given
from tests.constants import Constants
from tests.each import each
from tests.engine.back_ends import ALL
from tests.engine.strategies import problems
from tests.shared import examples

pytestmark = pytest.mark.long


def agree(problem: Problem, limits: Limits = Limits()) -> None:  # noqa: B008
    links = search(problem, limits=limits, settings=Settings(engine="links"))
    answers = list(links)
    for interpreted in (False, True):
        sets = search(problem, limits=limits, settings=Settings(engine="bits", interpreted=interpreted))
        assert list(sets) == answers
        assert sets.status is links.status
        assert sets.counters.nodes == links.counters.nodes
        assert sets.measure() == pytest.approx(
            links.measure()
        )  # not `fraction`, which is as old as a tenth of a second


@given(problems())
@settings(deadline=None)
def test_the_tree_is_that_of_links(problem: Problem) -> None:
    agree(problem)


@each("seed", range(4))
@pytest.mark.parametrize(("items", "options"), [(10, 30), (70, 130), (130, 600), (40, 900)], ids=str)
def test_every_width_agrees_with_links(seed: int, items: int, options: int) -> None:
    rng = random.Random(seed)
    rows: list[list[int | tuple[int, int]]] = []
    for _ in range(options):
        row: list[int | tuple[int, int]] = [*sorted(rng.sample(range(items), rng.randint(1, 4)))]
        if rng.random() < 0.3:
            row.append((items + rng.randrange(6), rng.randint(1, 3)))
        rows.append(row)
    bounds = [(low := rng.randint(0, 3), low + rng.randint(low == 0, 2)) for _ in range(items)]
    agree(build([*sorted(bounds, key=lambda b: b[0] == 0), *[(0, 1)] * 6], rows), Limits(nodes=4000, answers=50))


@pytest.mark.parametrize("width", ALL)
@given(problems())
@settings(deadline=None, max_examples=examples(50))
def test_twins_do_the_same_work_whatever_the_slices(width: int, problem: Problem) -> None:
    residual = take_given(problem)
    sets = build_sets(problem, residual)
    if sets is None:
        return
    modules = [load("_multiplicity", interpreted) for interpreted in (False, True)]
    kernels = [module.Multiplicity(sets, residual.feasible, width) for module in modules]
    if not all(kernel.ready for kernel in kernels):
        pytest.skip("a compiler without the back ends")
    assert kernels[0].lanes == (width if modules[0].COMPILED else 0)
    code, slices = FOUND, 0
    while code != DONE and slices < 300:
        slices += 1
        code = kernels[0].run(slices % 7, 1)
        assert code == kernels[1].run(slices % 7, 1)
        one, two = kernels
        assert (one.nodes, one.updates, one.answers, one.fraction()) == (
            two.nodes,
            two.updates,
            two.answers,
            two.fraction(),
        )
        if code == FOUND:
            assert one.answer() == two.answer()


def test_what_is_too_large_is_left_to_links(constants: Constants) -> None:
    many = build([(1, 2)], [[0]] * 255)
    assert build_sets(many, take_given(many)) is None
    run = search(many, limits=Limits(nodes=100), settings=Settings(engine="bits"))
    assert list(run)
    assert run.engine.startswith("dancing links")
    few = build([(1, 2)], [[0]] * 254)
    assert build_sets(few, take_given(few)) is not None
    constants("covr.engine.prepare.masks", MASKS_MEMORY=1000)
    assert build_sets(few, take_given(few)) is None
