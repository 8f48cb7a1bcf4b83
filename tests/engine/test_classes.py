"""One answer of each class of a group, compared with sorting all answers into classes, on random problems and planted
groups."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from attrs import evolve
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from covr.engine import Limits, Problem, Settings, Status, build, count, search
from covr.engine.dispatch import search_classes
from covr.engine.kernels.loading import is_compiled, load
from covr.engine.pieces import class_pieces as class_cut
from covr.engine.pieces import piece as piece_module
from covr.engine.pieces import piece_work
from covr.engine.pieces.class_pieces import ClassCount, conjugates, cut_by_group, digest_of_group, fixed_by, pieces_of
from covr.engine.pieces.class_search import ClassSearch, begin_classes
from covr.engine.pieces.ledger import Ask, Ledger, PieceBudget
from covr.engine.pieces.piece import Pieces, Threads
from covr.engine.pieces.piece_search import PiecedSearch
from covr.engine.pieces.split import Prefix, subproblem
from covr.engine.prepare.bitsets import from_words
from covr.engine.prepare.masks import ExactCover, build_masks, take_given
from covr.engine.settings import Pace, ThreadPace
from covr.engine.symmetries import automorphisms, inverted, multiplied
from tests.constants import Constants
from tests.engine.back_ends import ALL
from tests.engine.in_pieces import Memory, in_pieces
from tests.engine.problems import dominoes, latin, queens
from tests.engine.symmetric import boards, by_hand, closure, smallest, turned
from tests.shared import examples

pytestmark = pytest.mark.long

Image = tuple[int, ...]


@settings(max_examples=examples(150), deadline=None)
@given(boards())
def test_pieces_on_boards_have_the_smallest_answers_of_classes(made: tuple[Problem, list[Image]]) -> None:
    problem, images = made
    run = classes(problem, images, Settings())
    assert sorted(run) == sorted({smallest(answer, images) for answer in search(problem)})
    assert classes(problem, images, Settings()).count() == run.counters.answers


def test_parts_that_are_cut_again_leave_out_what_was_left_out_above() -> None:
    """Seven queens: a part begins with a queen in the middle of its row, which a mirror image fixes."""
    problem = queens(7)
    images = closure(automorphisms(problem).generators, problem.options)
    assert images is not None
    parts = cut_by_group(problem, images)
    deep = [part.prefix for part in parts if len(part.prefix.taken) > 1]
    assert deep and any(prefix.excluded for prefix in deep)
    assert len(list(classes(problem, images, Settings()))) == 6


def classes(problem: Problem, images: Sequence[Image], how: Settings, limits: Limits | None = None) -> ClassSearch:
    run = begin_classes(problem, images, limits or Limits(), how)
    if run is None:
        assume(False)
    assert run is not None
    return run


@settings(max_examples=examples(150), deadline=None)
@given(turned(), st.sampled_from(["auto", "links", "bits"]))
def test_each_class_is_given_once_by_its_smallest_member(made: tuple[Problem, list[Image]], engine: str) -> None:
    problem, images = made
    run = classes(problem, images, Settings(engine=engine))
    found = list(run)
    assert sorted(found) == by_hand(problem, images)
    assert run.status is Status.EXHAUSTED
    assert run.counters.answers == len(found)
    again = classes(problem, images, Settings(engine=engine))
    assert again.count() == len(found)
    assert list(classes(problem, images, Settings(engine=engine))) == found


@settings(max_examples=examples(60), deadline=None)
@given(turned(), st.integers(0, 6))
def test_a_ceiling_hides_dearer_classes(made: tuple[Problem, list[Image]], ceiling: int) -> None:
    problem, images = made
    assume(problem.costs)
    run = classes(problem, images, Settings(ceiling=ceiling))
    assert sorted(run) == by_hand(problem, images, ceiling)


@settings(max_examples=examples(60), deadline=None)
@given(turned())
def test_parts_meet_every_class_and_no_answer_twice(made: tuple[Problem, list[Image]]) -> None:
    problem, images = made
    parts = cut_by_group(problem, images)
    assume(parts)
    met: list[tuple[int, ...]] = []
    for part in parts:
        own = list(search(subproblem(problem, part.prefix), settings=Settings(engine="reference")))
        if part.alone:
            assert len({smallest(answer, images) for answer in own}) == len(own)
        met += own
    assert len(set(met)) == len(met)
    assert sorted({smallest(answer, images) for answer in met}) == by_hand(problem, images)


@pytest.fixture
def small(constants: Constants) -> None:
    """Pieces of a few nodes."""
    constants(piece_work, COMPILED_STEPS=3, FAR=0.5)


@pytest.mark.usefixtures("small")
@settings(max_examples=examples(150), deadline=None)
@given(
    st.one_of(turned(), boards()), st.integers(1, 12), st.integers(0, 99), st.sampled_from(["auto", "links", "bits"])
)
def test_pieces_in_any_order_find_them(made: tuple[Problem, list[Image]], nodes: int, seed: int, engine: str) -> None:
    """Tiny pieces, searched in a random order by workers that get lost: the same list as in one go."""
    problem, images = made
    how = Settings(engine=engine)
    parts = pieces_of(problem, images, how)
    assume(parts)
    assert parts is not None
    whole = list(classes(problem, images, how))
    assert sorted(whole) == by_hand(problem, images)
    ledger, store = in_pieces(problem, Ask("list", how, classes=parts), nodes, seed)
    assert [answer for name in ledger.leaves() for answer in store.read(name)] == whole
    assert abs(ledger.totals.weight - 1) < 1e-9
    ledger, _ = in_pieces(problem, Ask("count", how, classes=parts), nodes, seed)
    assert ledger.totals.count == len(whole)


@pytest.mark.usefixtures("small")
@settings(max_examples=examples(60), deadline=None)
@given(turned(), st.integers(1, 12), st.integers(0, 6))
def test_pieces_heed_a_ceiling(made: tuple[Problem, list[Image]], nodes: int, ceiling: int) -> None:
    problem, images = made
    assume(problem.costs)
    how = Settings(ceiling=ceiling)
    parts = pieces_of(problem, images, how)
    assume(parts)
    for goal in ("list", "count"):
        ledger, _ = in_pieces(problem, Ask(goal, how, classes=parts), nodes)
        assert ledger.totals.count == len(by_hand(problem, images, ceiling))
    kept, _ = in_pieces(problem, Ask("count", how, keep=is_odd, classes=parts), nodes)
    assert kept.totals.count == sum(map(is_odd, by_hand(problem, images, ceiling)))


def is_odd(answer: tuple[int, ...]) -> bool:
    return len(answer) % 2 == 1 and answer[0] % 2 == 1


def test_pieces_go_on_after_limits() -> None:
    """Sessions of some nodes on two threads, each with a new search on the same ledger."""
    problem = queens(11)
    images = closure(automorphisms(problem).generators, problem.options)
    assert images is not None and len(images) == 7
    parts = pieces_of(problem, images, Settings())
    store = Memory()
    ledger = Ledger(store=store, budget=PieceBudget(100))
    ask = Ask("list", classes=parts)
    for _ in range(2):
        run = PiecedSearch(problem, ask, ledger, Threads(2), Limits(nodes=1000), store.read)
        run.step(10**9)
        run.halt()
        for task in ledger.taken:  # what a new session would find open in the store
            ledger.give_back(task.name)
    run = PiecedSearch(problem, ask, ledger, Threads(2), read=store.read)
    assert list(run) == list(classes(problem, images, Settings(jobs=1))) and run.counters.answers == 341
    assert "up to symmetry" in run.engine


def test_the_nodes_of_pieces_are_those_of_one_search() -> None:
    problem = queens(10)
    images = closure(automorphisms(problem).generators, problem.options)
    assert images is not None
    whole = classes(problem, images, Settings(jobs=1))
    assert len(list(whole)) == 92
    ledger, _ = in_pieces(problem, Ask("list", classes=pieces_of(problem, images, Settings())), 200)
    assert ledger.totals.nodes == whole.counters.nodes and ledger.totals.cuts > 1


def test_the_digest_is_that_of_the_group() -> None:
    problem = queens(5)
    images = closure(automorphisms(problem).generators, problem.options)
    assert images is not None
    assert digest_of_group(images) == digest_of_group(images[::-1]) != digest_of_group(images[1:])


@pytest.mark.skipif(not is_compiled("_bits"), reason="only compiled kernels count with a memo by themselves")
def test_a_piece_whose_memo_pays_is_not_cut() -> None:
    """The tilings of 8 × 8 squares are counted in the first piece."""
    problem = dominoes(8, 8)
    images = closure(automorphisms(problem).generators, problem.options)
    assert images is not None
    result = Pieces(problem, Ask("count", classes=pieces_of(problem, images, Settings()))).search(Prefix())
    assert result.done and result.count == 1_629_189 and result.nodes < 200_000


def test_a_piece_whose_memo_does_not_pay_is_cut(constants: Constants) -> None:
    """Queens are not counted in the first piece, where that would take longer than the trial."""
    constants(piece_module, QUICK=100)
    problem = queens(9)
    images = closure(automorphisms(problem).generators, problem.options)
    assert images is not None
    result = Pieces(problem, Ask("count", classes=pieces_of(problem, images, Settings()))).search(Prefix())
    assert result.is_cut and 0 < result.wasted <= 200 and result.nodes == 0


@settings(max_examples=examples(60), deadline=None)
@given(turned(), st.integers(1, 5), st.integers(1, 20))
def test_limits_cut_the_list_short(made: tuple[Problem, list[Image]], answers: int, nodes: int) -> None:
    """What is given up to a limit is the beginning of the list."""
    problem, images = made
    whole = list(classes(problem, images, Settings()))
    few = classes(problem, images, Settings(), Limits(answers=answers))
    assert list(few) == whole[:answers]
    assert few.status is (Status.SOLVED if len(whole) >= answers else Status.EXHAUSTED)
    short = classes(problem, images, Settings(), Limits(nodes=nodes))
    found = list(short)
    assert found == whole[: len(found)]
    assert short.counters.nodes <= nodes
    assert short.status in (Status.LIMIT, Status.EXHAUSTED)
    if short.status is Status.EXHAUSTED:
        assert found == whole


@settings(max_examples=examples(80), deadline=None)
@given(turned(), st.data())
def test_the_kernel_runs_interpreted_as_it_does_compiled(
    made: tuple[Problem, list[Image]], data: st.DataObject
) -> None:
    problem, images = made
    parts = cut_by_group(problem, images)
    assume(parts)
    told = [(part.prefix.taken, part.prefix.excluded, part.sort) for part in parts]
    kernels = [load("_classes", slow).Classes(problem.options, images, told) for slow in (False, True)]
    answer = sorted(data.draw(st.sets(st.integers(0, problem.options - 1), max_size=6)))
    part = data.draw(st.integers(0, len(parts) - 1))
    assert kernels[0].smallest(answer) == kernels[1].smallest(answer) == smallest(answer, images)
    assert kernels[0].is_first(answer, part) == kernels[1].is_first(answer, part)
    for kernel in kernels:
        first = kernel.firsts([answer], part)
        assert kernel.chosen([answer], part, False) == [kernel.smallest(one) for one in first]
        assert kernel.chosen([answer[::-1]], part, True) == [smallest(answer, images)]


@settings(max_examples=examples(60), deadline=None)
@given(st.one_of(turned(), boards()))
def test_parts_are_the_same_interpreted(made: tuple[Problem, list[Image]]) -> None:
    """Together the parts meet every class: see `test_pieces_on_boards_have_the_smallest_answers_of_classes`."""
    problem, images = made
    residual = take_given(problem)
    met = [need <= 0 for need in residual.need[: problem.primary]]
    limits = (class_cut.DEPTH, class_cut.COMPILED_STEPS, class_cut.MOST_PARTS, 3)
    found = []
    for slow in (False, True):
        flat = load("_classes", slow).flattened(images, problem.options)
        cut = load("_class_cut", slow).ClassCut(problem, flat, len(images))
        found.append(cut.parts_of(residual.live, met, limits, problem.is_exact))
    assert found[0] == found[1]


def test_a_cut_looks_at_the_limits() -> None:
    problem = queens(6)
    images = closure(automorphisms(problem).generators, problem.options)
    assert images is not None
    looks: list[int] = []
    many = images * 30_000  # so long that images must be copied in several goes
    load("_classes").flattened(many, problem.options, lambda: looks.append(1))
    assert looks


@settings(max_examples=examples(80), deadline=None)
@given(turned(), st.data())
def test_given_options_need_not_be_compared(made: tuple[Problem, list[Image]], data: st.DataObject) -> None:
    """Options that the group carries to each other, and that are in all answers."""
    problem, images = made
    some = data.draw(st.integers(0, problem.options - 1))
    common = sorted({some, *(image[some] for image in images)})
    rest = [o for o in range(problem.options) if o not in common]
    answer = [*data.draw(st.sets(st.sampled_from(rest), max_size=5) if rest else st.just(set())), *common]
    for slow in (False, True):
        kernel = load("_classes", slow).Classes(problem.options, images, [], None, common)
        assert kernel.smallest(answer) == smallest(answer, images)


@settings(max_examples=examples(80), deadline=None)
@given(st.one_of(turned(), boards()), st.data())
def test_a_kernel_descends_to_a_prefix(made: tuple[Problem, list[Image]], data: st.DataObject) -> None:
    """Against a search of the problem that is left there, on every back end, and interpreted."""
    problem = evolve(made[0], costs=())
    exact = ExactCover(problem, Settings(engine="bits"))
    assume(problem.is_exact and exact.residual.feasible and exact.masks is not None)
    live = [o for o in range(problem.options) if exact.residual.live[o]]
    assume(live)
    taken = (data.draw(st.sampled_from(live)),)
    excluded = tuple(sorted(data.draw(st.sets(st.integers(0, problem.options - 1), max_size=4)) - {*taken}))
    below = search(subproblem(problem, Prefix(taken, tuple(o for o in excluded if exact.residual.live[o]))))
    expected = [tuple(o for o in answer if o not in (*problem.given, *taken)) for answer in below]
    for slow, wide in (*((False, width) for width in ALL), (True, 0)):
        masks = build_masks(problem, exact.residual, slow)
        kernel = load("_bits", slow).Bits(masks, True, None, wide)
        for _ in range(2):
            kernel.descend(taken, excluded)
            kernel.gather(10**9, 10**9)
            assert [tuple(sorted(answer)) for answer in kernel.gathered()] == expected
            assert kernel.answers == len(expected)


@settings(max_examples=examples(80), deadline=None)
@given(turned())
def test_masks_are_those_of_the_definition(made: tuple[Problem, list[Image]]) -> None:
    problem = evolve(made[0], costs=())
    assume(problem.is_exact)
    residual = take_given(problem)
    for slow in (False, True):
        masks = build_masks(problem, residual, slow)
        unmet = [i for i in range(problem.primary) if residual.need[i] > 0]
        held = {o: [i for i in problem.option(o) if i in unmet] for o in range(problem.options) if residual.live[o]}
        assert list(masks.numbers) == [o for o in held if held[o]] + [o for o in held if not held[o]]
        assert masks.free == sum(map(bool, held.values()))
        for b, o in enumerate(masks.numbers):
            assert [unmet[i] for i in masks.members[masks.begin[b] : masks.begin[b + 1]]] == held[o]
            shown = dict(zip(problem.option(o), problem.option_colours(o), strict=True))
            fits = 0
            for c, other in enumerate(masks.numbers):
                theirs = dict(zip(problem.option(other), problem.option_colours(other), strict=True))
                if c != b and all(shown[i] == theirs[i] != 0 for i in shown.keys() & theirs.keys()):
                    fits |= 1 << c
            assert from_words(masks.compatible[b * masks.words : (b + 1) * masks.words]) == fits


@settings(max_examples=examples(80), deadline=None)
@given(turned())
def test_where_items_are_moved(made: tuple[Problem, list[Image]]) -> None:
    """Against the definition: an item whose options are the images of the item's options."""
    problem, images = made
    high = [min(h, 2) for h in problem.high]
    kernels = []
    for slow in (False, True):
        flat = load("_classes", slow).flattened(images, problem.options)
        kernels.append(load("_class_cut", slow).ClassCut(problem, flat, len(images)))
    for g, image in enumerate(images):
        for item in range(problem.primary):
            if not problem.holders[item]:
                continue
            there = sorted(image[o] for o in problem.holders[item])
            alike = [
                j
                for j in range(problem.items)
                if sorted(problem.holders[j]) == there and (j == item or high[j] == high[item])
            ]
            expected = item if item in alike else min(alike, default=-1)
            assert [kernel.moved(item, g) for kernel in kernels] == [expected] * 2


@pytest.mark.parametrize("counting", [False, True])
@pytest.mark.parametrize("alone", [1, 300, 3000])
def test_threads_change_nothing(alone: int, counting: bool) -> None:
    problem = queens(8)
    images = closure(automorphisms(problem).generators, problem.options)
    assert images is not None and len(images) == 7
    one = list(classes(problem, images, Settings(jobs=1)))
    assert len(one) == 12
    quick = Settings(jobs=2, pace=Pace(threads=ThreadPace(alone=alone)))
    run = classes(problem, images, quick)
    if counting:
        assert run.count() == 12
    else:
        assert list(run) == one
    assert run.status is Status.EXHAUSTED and run.counters.answers == 12
    few = classes(problem, images, quick, Limits(answers=5))
    assert list(few) == one[:5]


@pytest.mark.parametrize("counting", [False, True])
def test_nothing_is_shared_out_when_nothing_is_left(counting: bool) -> None:
    """The last part may end in the slice after which several threads would have begun."""
    quick = Settings(jobs=2, pace=Pace(threads=ThreadPace(alone=1)))
    run = classes(build([(1, 1)] * 2, [[0], [1]]), [(1, 0)], quick)
    assert (run.count() if counting else len(list(run))) == 1
    assert run.status is Status.EXHAUSTED


@settings(max_examples=examples(40), deadline=None)
@given(st.one_of(turned(), boards()), st.sampled_from([1, 5, 100]))
def test_neither_threads_nor_the_engine_change_the_order(made: tuple[Problem, list[Image]], alone: int) -> None:
    problem, images = made
    orders = []
    pace = Pace(threads=ThreadPace(alone=alone))
    for engine in ("auto", "links", "bits"):
        for jobs in (1, 2):
            how = Settings(engine=engine, jobs=jobs, pace=pace)
            run = begin_classes(problem, images, Limits(), how)
            assume(run)
            assert run is not None
            orders.append(list(run))
            again = begin_classes(problem, images, Limits(), how)
            assert again is not None and again.count() == len(orders[0])
    assert all(order == orders[0] for order in orders)
    assert sorted(orders[0]) == by_hand(problem, images)


@settings(max_examples=examples(100), deadline=None)
@given(turned())
def test_burnside_counts_as_many(made: tuple[Problem, list[Image]]) -> None:
    problem, images = made
    assume(problem.is_exact)
    problem = evolve(problem, costs=())
    images = closure(automorphisms(problem).generators, problem.options) or []
    counting = ClassCount(problem, images, Settings())
    while counting.step(7):
        pass
    assert counting.value == len(by_hand(problem, images))


@settings(max_examples=examples(100), deadline=None)
@given(turned(), st.data())
def test_what_a_member_fixes_is_counted_right(made: tuple[Problem, list[Image]], data: st.DataObject) -> None:
    problem, images = made
    assume(problem.is_exact)
    image = data.draw(st.sampled_from(images))
    every = search(evolve(problem, costs=()), settings=Settings(engine="reference"))
    fixed = sum(sorted(image[o] for o in answer) == sorted(answer) for answer in every)
    small = fixed_by(problem, image)
    assert fixed == (0 if small is None else count(small).value)


@settings(max_examples=examples(100), deadline=None)
@given(st.integers(1, 5).flatmap(lambda n: st.lists(st.permutations(range(n)), max_size=2)))
def test_conjugacy_classes_are_those_of_all_members(generators: list[list[int]]) -> None:
    assume(generators)
    images = closure([tuple(g) for g in generators], len(generators[0]))
    assert images is not None
    identity = tuple(range(len(generators[0])))
    members = [identity, *images]

    def conjugate(one: Image, by: Image) -> Image:
        return multiplied(multiplied(inverted(by), one), by)

    by_hand = {frozenset(conjugate(one, by) for by in members) for one in images}
    found = conjugates(images)
    assert sorted(size for size, _ in found) == sorted(map(len, by_hand))
    assert {next(own for own in by_hand if one in own) for _, one in found} == by_hand


@pytest.mark.parametrize("trial", [1, 100, 10**9])
@pytest.mark.parametrize("jobs", [1, 2])
def test_classes_of_dominoes_are_as_many_as_published(trial: int, jobs: int) -> None:
    """Whichever way they are counted: 6728 tilings of 6 × 6 in 930 classes."""
    pace = Pace(threads=ThreadPace(alone=trial))
    problem = dominoes(6, 6)
    images = closure(automorphisms(problem).generators, problem.options)
    assert images is not None and len(images) == 7
    run = classes(problem, images, Settings(jobs=jobs, pace=pace))
    assert run.count() == 930
    assert run.status is Status.EXHAUSTED


@pytest.mark.skipif(not load("_bits").COMPILED, reason="takes minutes without the compiled kernel")
@pytest.mark.parametrize("alone", [100, 30_000])
def test_a_memo_is_taken_although_parts_are_shared_among_threads(alone: int) -> None:
    """10 × 10: the memo pays only at a later trial, when threads are at work. Shown by Burnside and by one thread."""
    problem = dominoes(10, 10)
    images = closure(automorphisms(problem).generators, problem.options)
    assert images is not None
    pace = Pace(threads=ThreadPace(alone=alone))
    run = classes(problem, images, Settings(jobs=3, pace=pace), Limits(seconds=60))
    assert run.count() == 32_324_350_352
    assert run.status is Status.EXHAUSTED
    assert run.fraction == 1


@pytest.mark.skipif(not load("_bits").COMPILED, reason="takes minutes without the compiled kernel")
def test_a_memo_is_taken_where_it_pays() -> None:
    """12 988 816 tilings of 8 × 8: 1 629 189 classes, as meeting one of each tells as well, in 25 million nodes."""
    problem = dominoes(8, 8)
    images = closure(automorphisms(problem).generators, problem.options)
    assert images is not None
    run = classes(problem, images, Settings(jobs=1))
    assert run.count() == 1_629_189
    assert run.counters.nodes < 200_000


def test_nodes_are_pinned() -> None:
    """With a group of eight symmetries, the search takes a sixth of the nodes."""
    problem = queens(8)
    images = closure(automorphisms(problem).generators, problem.options)
    assert images is not None
    run = classes(problem, images, Settings(jobs=1))
    assert len(list(run)) == 12
    whole = search(problem, settings=Settings(jobs=1))
    assert len(list(whole)) == 92
    assert (run.counters.nodes, whole.counters.nodes) == (217, 1199)


def test_a_large_group_with_stabilisers_gives_the_same_classes() -> None:
    """Latin squares of side 4: 576 of them; the rows may be permuted, columns and values turned."""
    problem = latin(4)

    def moved(row: Sequence[int], column: Sequence[int], value: Sequence[int]) -> Image:
        return tuple(row[o // 16] * 16 + column[o // 4 % 4] * 4 + value[o % 4] for o in range(64))

    still, turn, change = (0, 1, 2, 3), (1, 2, 3, 0), (1, 0, 2, 3)
    generators = [moved(turn, still, still), moved(still, turn, still), moved(still, still, turn)]
    generators += [moved(change, still, still)]
    images = closure(generators, 64, 10_000)
    assert images is not None and len(images) == 24 * 4 * 4 - 1
    run = classes(problem, images, Settings())
    answers = list(search(problem))
    assert len(answers) == 576
    kernel = load("_classes").Classes(64, images, [])
    assert sorted(run) == sorted({kernel.smallest(answer) for answer in answers})


def test_a_limit_of_time_while_it_is_made_ready() -> None:
    problem = queens(8)
    images = closure(automorphisms(problem).generators, problem.options)
    assert images is not None
    run = search_classes(problem, images, limits=Limits(seconds=0))
    assert run is not None
    assert list(run) == [] and run.status is Status.LIMIT
    whole = search_classes(problem, images)
    assert whole is not None and len(list(whole)) == 12


def test_it_is_refused_where_settings_or_givens_forbid_it() -> None:
    problem = queens(6)
    images = closure(automorphisms(problem).generators, problem.options)
    assert images is not None
    assert begin_classes(problem, images, Limits(), Settings(seed=1)) is None
    assert begin_classes(problem, images, Limits(), Settings(engine="reference")) is None
    assert begin_classes(problem, [], Limits(), Settings()) is None
    free = build([(0, 1)] * 2, [[0], [1]])
    assert begin_classes(free, [(1, 0)], Limits(), Settings()) is None
    barred = evolve(problem, given=(0, 1))
    assert begin_classes(barred, images, Limits(), Settings()) is None


@settings(max_examples=examples(60), deadline=None)
@given(turned(), st.integers(1, 5))
def test_a_step_has_no_more_nodes_than_it_may(made: tuple[Problem, list[Image]], nodes: int) -> None:
    """The nodes of a search in parts are those of all parts, and not of the kernel that searches one of them."""
    problem, images = made
    run = classes(problem, images, Settings(jobs=1))
    more = True
    while more:
        before = run.nodes
        more = run.step(nodes)
        assert run.nodes == run.counters.nodes <= before + nodes
    assert sorted(run) == by_hand(problem, images)
