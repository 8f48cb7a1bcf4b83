"""The matrix seen from its items, and the node of the exact-cover search in Python."""

from __future__ import annotations

import pickle

from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from covr.engine import Problem, build, reference
from covr.engine.prepare.bitsets import Node, OptionSets, few_members_of
from covr.engine.prepare.masks import build_masks, take_given
from tests.engine.strategies import problems


@given(problems())
def test_items_know_who_holds_them(problem: Problem) -> None:
    columns = [list(problem.column(i)) for i in range(problem.items)]
    held = {
        (o, i, c)
        for o in range(problem.options)
        for i, c in zip(problem.option(o), problem.option_colours(o), strict=True)
    }
    assert {(o, i, c) for i, column in enumerate(columns) for o, c in column} == held
    assert sum(map(len, columns)) == len(held)
    assert all(list(row) == sorted(row) for row in problem.holders)
    assert problem.holders == tuple(tuple(o for o, _ in column) for column in columns)


@given(problems())
def test_what_is_kept_belongs_to_one_problem_and_is_no_part_of_it(problem: Problem) -> None:
    plain, other = pickle.dumps(problem), pickle.loads(pickle.dumps(problem))
    assert problem.holders is problem.holders
    assert problem.shades is problem.shades
    assert pickle.dumps(problem) == plain
    assert problem == other and repr(problem) == repr(other)
    fewer = evolve(problem, starts=[0], members=[], colours=(), costs=(), given=())
    assert fewer.holders == ((),) * problem.items and not fewer.shades


@given(st.data())
def test_a_walk_over_option_sets_meets_every_answer(data: st.DataObject) -> None:
    items = data.draw(st.integers(1, 6))
    options = data.draw(st.lists(st.sets(st.integers(0, items - 1), min_size=1).map(sorted), max_size=12))
    problem = build([(1, 1)] * items, options)
    masks = build_masks(problem, take_given(problem))
    sets = OptionSets(masks)

    def answers(node: Node) -> list[list[int]]:
        if not node.active:
            return [[]]
        ways = few_members_of(node.alive & sets.holders[sets.choose(node)])
        return [[masks.numbers[b], *rest] for b in ways for rest in answers(sets.take(node, b))]

    assert sorted(tuple(sorted(found)) for found in answers(sets.root)) == sorted(reference.answers(problem))
