"""One answer of each class where the group is not listed: against the search for listed groups, against sorting all
answers out, and against published numbers of classes."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence

import pytest
from attrs import evolve
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from covr.engine import Limits, Problem, Settings, Status, build, count, search
from covr.engine.dispatch import search_classes
from covr.engine.pieces import class_pieces as chain_cut
from covr.engine.pieces import piece_work
from covr.engine.pieces.class_pieces import ChainPieces, cut_by_chain, digest_of_chain, pieces_of
from covr.engine.pieces.class_search import begin_classes
from covr.engine.pieces.ledger import Ask, Ledger, PieceBudget
from covr.engine.pieces.piece import Threads
from covr.engine.pieces.piece_search import PiecedSearch
from covr.engine.pieces.split import subproblem
from covr.engine.settings import Pace, ThreadPace
from covr.engine.symmetries import ChainGroup, automorphisms, group_of
from tests.constants import Constants, constants_of
from tests.engine.in_pieces import Memory, in_pieces
from tests.engine.symmetric import (
    boards,
    by_hand,
    chained,
    closure,
    latin_squares,
    paratopies,
    slow_kernels,
    smallest,
    triples,
    turned,
    weeks,
)
from tests.shared import examples

pytestmark = pytest.mark.long

Image = tuple[int, ...]


@pytest.fixture(params=[(4096, 12, 1000), (4096, 0, 10**9), (4096, 0, 0), (3, 0, 5), (1, 0, 0)])
def cut(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, constants: Constants) -> None:
    """Parts of all kinds: as they are; as many as there can be; not compared with their images; few; one."""
    most, small, images = request.param
    monkeypatch.setattr(chain_cut.cut_by_chain, "__defaults__", (most,))
    constants(chain_cut, SMALL=small, MOST_IMAGES=images)


def group_by(problem: Problem, images: Sequence[Image]) -> ChainGroup:
    """The same group, not listed."""
    group = group_of(problem, images)
    assert group.order == len(images) + 1
    return group


@pytest.mark.usefixtures("cut")
@settings(max_examples=examples(60), deadline=None)
@given(st.one_of(turned(), boards()), st.sampled_from(["auto", "links", "bits"]))
def test_each_class_is_given_once_by_its_smallest_member(made: tuple[Problem, list[Image]], engine: str) -> None:
    problem, images = made
    group = group_by(problem, images)
    run = chained(problem, group, Settings(engine=engine, jobs=1))
    found = list(run)
    assert sorted(found) == by_hand(problem, images)
    assert run.status is Status.EXHAUSTED and run.counters.answers == len(found)
    assert chained(problem, group, Settings(engine=engine)).count() == len(found)
    assert list(chained(problem, group, Settings(engine=engine))) == found
    # By the orders of their stabilisers, the classes have as many answers as there are.
    free = [sorted(set(answer).difference(problem.given)) for answer in found]
    assert sum(group.order // group.kept(own) for own in free) == count(problem).value


@pytest.mark.usefixtures("cut")
@settings(max_examples=examples(40), deadline=None)
@given(st.one_of(turned(), boards()))
def test_parts_meet_every_smallest_answer_once(made: tuple[Problem, list[Image]]) -> None:
    problem, images = made
    parts = cut_by_chain(problem, group_by(problem, images))
    assume(parts)
    assert [part.prefix.taken for part in parts] == sorted(part.prefix.taken for part in parts)
    met: list[Image] = []
    for part in parts:
        own = list(search(subproblem(problem, part.prefix), settings=Settings(engine="reference")))
        assert all(
            tuple(sorted(set(a).difference(problem.given)))[: len(part.prefix.taken)] == part.prefix.taken for a in own
        )
        met += own
    assert len(set(met)) == len(met)
    assert [a for a in sorted(met) if smallest(a, images) == a] == by_hand(problem, images)


@settings(max_examples=examples(60), deadline=None)
@given(turned(), st.integers(0, 6))
def test_a_ceiling_hides_dearer_classes(made: tuple[Problem, list[Image]], ceiling: int) -> None:
    problem, images = made
    if not problem.costs:  # then every option costs the same, which any symmetry keeps
        problem = evolve(problem, costs=(1,) * problem.options)
    run = chained(problem, group_by(problem, images), Settings(ceiling=ceiling))
    assert sorted(run) == by_hand(problem, images, ceiling)


@settings(max_examples=examples(60), deadline=None)
@given(turned(), st.integers(1, 5), st.integers(1, 20))
def test_limits_cut_the_list_short(made: tuple[Problem, list[Image]], answers: int, nodes: int) -> None:
    """What is given up to a limit is the beginning of the list."""
    problem, images = made
    group = group_by(problem, images)
    whole = list(chained(problem, group, Settings()))
    few = chained(problem, group, Settings(), Limits(answers=answers))
    assert list(few) == whole[:answers]
    short = chained(problem, group, Settings(), Limits(nodes=nodes))
    found = list(short)
    assert found == whole[: len(found)] and short.counters.nodes <= nodes
    assert short.status is Status.LIMIT or found == whole


@settings(max_examples=examples(60), deadline=None)
@given(st.one_of(turned(), boards()), st.integers(1, 12), st.integers(0, 99))
def test_pieces_in_any_order_find_them(made: tuple[Problem, list[Image]], nodes: int, seed: int) -> None:
    """Tiny pieces, searched in a random order by workers that get lost: the same list as in one go."""
    problem, images = made
    group = group_by(problem, images)
    parts = pieces_of(problem, group, Settings())
    assume(parts)
    assert parts is not None
    whole = list(chained(problem, group, Settings()))
    again = pickle.loads(pickle.dumps(parts))
    assert isinstance(again, ChainPieces) and again.parts == parts.parts and again.digest == parts.digest
    with constants_of(piece_work, COMPILED_STEPS=3, FAR=0.5):
        ledger, store = in_pieces(problem, Ask("list", classes=again), nodes, seed)
        counted, _ = in_pieces(problem, Ask("count", classes=parts), nodes, seed)
    assert [answer for name in ledger.leaves() for answer in store.read(name)] == whole
    assert ledger.totals.count == counted.totals.count == len(whole)


# Latin squares: McKay, Meynert and Myrvold (2007). Triple systems: Colbourn and Rosa (1999); there are 80 on 15 points.
# One-factorizations of complete graphs: Dickson and Safford (1906), Wallis. Two rounds of golfers in groups as many as
# they are large are orthogonal partitions; three are Latin squares up to paratopy. Two rounds of five groups of three
# are cubic bipartite graphs on five and five points, of which there are two.
KNOWN: dict[str, tuple[Callable[[], tuple[Problem, list[Image]]], int, int]] = {
    "latin squares 3": (lambda: latin_squares(3), 216, 1),
    "latin squares 4": (lambda: latin_squares(4), 13_824, 2),
    "latin squares 5": (lambda: latin_squares(5), 1_728_000, 2),
    "triples on 7": (lambda: triples(7), 5040, 1),
    "triples on 9": (lambda: triples(9), 362_880, 1),
    "matchings of 12": (lambda: weeks(12, 2, 1, (0, 1)), 479_001_600, 1),
    "one-factorizations of 6": (lambda: weeks(6, 2, 5, (1, 1)), 86_400, 1),
    "golfers 3-3-2": (lambda: weeks(9, 3, 2, (0, 1)), 725_760, 1),
    "golfers 3-3-3": (lambda: weeks(9, 3, 3, (0, 1)), 2_177_280, 1),
    "golfers 3-3-4": (lambda: weeks(9, 3, 4, (0, 1)), 8_709_120, 1),
    "golfers 3-3-5": (lambda: weeks(9, 3, 5, (0, 1)), 43_545_600, 0),
    "golfers 5-3-2": (lambda: weeks(15, 3, 2, (0, 1)), 2_615_348_736_000, 2),
}
KNOWN_SLOWER = {
    "latin squares 6": (lambda: latin_squares(6), 373_248_000, 22),
    "one-factorizations of 8": (lambda: weeks(8, 2, 7, (1, 1)), 203_212_800, 6),
    "triples on 13": (lambda: triples(13), 6_227_020_800, 2),
    "golfers 4-4-2": (lambda: weeks(16, 4, 2, (0, 1)), 41_845_579_776_000, 1),
    "golfers 4-4-3": (lambda: weeks(16, 4, 3, (0, 1)), 125_536_739_328_000, 2),
}


def check_known(made: Callable[[], tuple[Problem, list[Image]]], order: int, classes: int) -> None:
    problem, generators = made()
    group = group_of(problem, generators)
    assert group.order == order
    assert chained(problem, group, Settings(jobs=1)).count() == classes
    found = list(chained(problem, group, Settings(jobs=2)))
    assert len(set(found)) == classes and all(group.smallest(answer) == answer for answer in found)


@slow_kernels
@pytest.mark.parametrize("name", KNOWN)
def test_classes_are_as_many_as_published(name: str) -> None:
    check_known(*KNOWN[name])


@slow_kernels
@pytest.mark.parametrize("name", KNOWN_SLOWER)
def test_more_published_numbers_are_met(name: str) -> None:
    check_known(*KNOWN_SLOWER[name])


@slow_kernels
def test_main_classes_of_latin_squares_are_as_many_as_published() -> None:
    """The roles of rows, columns and symbols exchanged as well: 2 classes for side 5, 12 for side 6."""
    for n, classes in [(4, 2), (5, 2), (6, 12)]:
        problem, generators = latin_squares(n)
        group = group_of(problem, [*generators, *paratopies(n)])
        assert chained(problem, group, Settings()).count() == classes


@slow_kernels
def test_all_answers_are_counted_by_their_classes() -> None:
    """161 280 Latin squares of side 5, and 6240 one-factorizations of K8, each in 7! orders."""
    for (problem, generators), answers in [(latin_squares(5), 161_280), (weeks(8, 2, 7, (1, 1)), 6240 * 5040)]:
        group = group_of(problem, generators)
        found = list(chained(problem, group, Settings()))
        assert sum(group.order // group.kept(answer) for answer in found) == answers


def test_nodes_are_pinned() -> None:
    problem, generators = latin_squares(5)
    run = chained(problem, group_of(problem, generators), Settings(jobs=1))
    assert (run.count(), run.counters.nodes) == (2, 24)


@pytest.mark.parametrize("alone", [1, 5])
def test_threads_change_nothing(alone: int, constants: Constants) -> None:
    constants(chain_cut, SMALL=60, MOST_IMAGES=0)
    problem, generators = latin_squares(4)
    group = group_of(problem, generators)
    one = list(chained(problem, group, Settings(jobs=1)))
    assert len(one) == 2
    quick = Settings(jobs=2, pace=Pace(threads=ThreadPace(alone=alone)))
    assert list(chained(problem, group, quick)) == one
    assert chained(problem, group, quick).count() == 2


def test_pieces_go_on_after_limits() -> None:
    problem, generators = latin_squares(5)
    group = group_of(problem, generators)
    store = Memory()
    ledger = Ledger(store=store, budget=PieceBudget(5))
    ask = Ask("list", classes=pieces_of(problem, group, Settings()))
    run = PiecedSearch(problem, ask, ledger, Threads(2), Limits(nodes=3), store.read)
    run.step(10**9)
    run.halt()
    for task in ledger.taken:
        ledger.give_back(task.name)
    run = PiecedSearch(problem, ask, ledger, Threads(2), read=store.read)
    assert list(run) == list(chained(problem, group, Settings(jobs=1))) and run.counters.answers == 2


def test_the_digest_is_that_of_the_group() -> None:
    problem, generators = latin_squares(4)
    group = group_of(problem, generators)
    other = group_of(problem, group.generators()[::-1])
    assert digest_of_chain(group) == digest_of_chain(other)
    assert digest_of_chain(group) != digest_of_chain(group_of(problem, generators[1:]))


def test_a_limit_of_time_while_it_is_made_ready() -> None:
    problem, generators = latin_squares(5)
    group = group_of(problem, generators)
    run = search_classes(problem, group, limits=Limits(seconds=0))
    assert run is not None
    assert list(run) == [] and run.status is Status.LIMIT


def test_it_is_refused_where_settings_or_givens_forbid_it() -> None:
    problem, generators = latin_squares(3)
    group = group_of(problem, generators)
    assert begin_classes(problem, group, Limits(), Settings(seed=1)) is None
    assert begin_classes(problem, group, Limits(), Settings(engine="reference")) is None
    assert begin_classes(evolve(problem, given=(0, 1)), group, Limits(), Settings()) is None


@pytest.mark.usefixtures("cut")
@settings(max_examples=examples(30), deadline=None)
@given(st.integers(1, 6), st.integers(0, 3))
def test_subsets_of_equals(n: int, most: int) -> None:
    """Nothing has to be taken: one class for each number of options."""
    problem = build([(0, most)], [[0]] * n)
    group = group_of(problem, automorphisms(problem).generators)
    run = chained(problem, group, Settings())
    assert sorted(map(len, run)) == list(range(min(n, most) + 1))
    images = closure(automorphisms(problem).generators, n, 1000)
    assert images is not None and len(images) + 1 == group.order
