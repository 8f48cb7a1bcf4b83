"""The witness (engine/witness.py): no step of a search for a minimum excludes an answer known to be cheapest, and a
step that does is caught and named. Each kind of step is once made wrong on purpose."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from benchmarks._side_instances import bin_packing, facility, round_trip
from covr.engine import Problem, Settings, Total, build, cost, search
from covr.engine.kernels.header import ASK, CLASSIC, DONE, PRICE, PYTHON
from covr.engine.kernels.header import MIXED_UNBOUNDED as UNBOUNDED
from covr.engine.kernels.loading import load
from covr.engine.minimum import alike, mixed_core, mixed_tree, sided_tree
from covr.engine.minimum import core as cores
from covr.engine.minimum.core import core as cover_core
from covr.engine.minimum.integer_program import ProgramKernel
from covr.engine.minimum.mixed_core import HeavyRow, core
from covr.engine.minimum.mixed_tree import BoundTree
from covr.engine.minimum.priced import Priced
from covr.engine.minimum.sweep import MinimumSweep, order_sweep
from covr.engine.pieces.split import Prefix, subproblem
from covr.engine.prepare.masks import take_given
from covr.engine.prepare.sides import side_arrays, side_names
from covr.engine.turns import CheapestTurns, Entrant, Method
from covr.engine.witness import Lost, carried, watch, watch_core, watch_sides
from tests.engine.problems import assignment, brute, domination, random_cover, random_packing, random_partition
from tests.engine.schedules import mixed_pace
from tests.engine.sided import sided
from tests.engine.strategies import covers, problems

COSTLY = ("one", "negative", "profit")
EARLY = mixed_pace(
    turn=2000, first=50, late=50, per_member=0, few=1, few_sided=1
)  # fmt: skip
MIXED, FAR = Settings(engine="mixed"), 1 << 40


# --- nothing that is right is called wrong ---


def witnessed(problem: Problem, source: random.Random) -> tuple[Problem, int | None]:
    """The problem with one of its cheapest answers as a witness, and what that costs."""
    answers = brute(problem)
    least = min((cost(problem, a) for a in answers), default=None)
    cheapest = [a for a in answers if cost(problem, a) == least]
    return evolve(problem, witness=source.choice(cheapest) if cheapest else None), least


def hold(problem: Problem, engines: Sequence[str], source: random.Random) -> None:
    """Ask for the minimum in one of many ways, with a witness. Raises Lost if something excludes it."""
    problem, least = witnessed(problem, source)
    how = Settings(
        engine=source.choice(engines), seed=source.choice((None, None, 1)), jobs=source.choice((1, 1, 2)),
        pace=source.choice((EARLY, EARLY, Settings().pace)), interpreted=source.random() < 0.1,
    )  # fmt: skip
    run = search(problem, goal="minimum", settings=how)
    for _ in run:
        pass
    assert run.best == least if problem.costs else True


@given(problems(costs=COSTLY), st.randoms(use_true_random=False))
def test_nothing_excludes_it(problem: Problem, source: random.Random) -> None:
    hold(problem, ("auto", "mixed", "links", "auto", "sides"), source)


@given(covers(), st.randoms(use_true_random=False))
def test_nothing_excludes_it_among_covers(problem: Problem, source: random.Random) -> None:
    hold(problem, ("auto", "cover", "mixed", "links"), source)


@given(st.integers(0, 2**40))
def test_nothing_excludes_it_under_sides(seed: int) -> None:
    source = random.Random(seed)
    hold(sided(source, costs=True), ("auto", "sides", "mixed"), source)


# --- and what is wrong is caught ---


def with_best(problem: Problem) -> Problem:
    """The problem with the answer that a search calls best as its witness."""
    return evolve(problem, witness=[*search(problem, goal="minimum")][-1])


DEPOTS = with_best(facility(12, 4))
VANS = with_best(bin_packing(6, 3))
TRIP = with_best(round_trip(15))
PARTS = with_best(random_partition(14, 60, 3))
PACKED = with_best(random_packing(14, 60, 3))
TASKS = with_best(assignment([[(7 * r + 5 * c * c + r * c) % 23 + 1 for c in range(6)] for r in range(6)]))
BOARD = with_best(domination(5))


def lost(problem: Problem, settings: Settings = MIXED) -> str:
    """What is said of the step that excludes the witness of the problem."""
    with pytest.raises(Lost) as told:
        list(search(problem, goal="minimum", settings=settings))
    return str(told.value)


def named(problem: Problem) -> int:
    """The first option of the witness that is not given."""
    return min(set(problem.witness or ()) - set(problem.given))


def without(problem: Problem) -> HeavyRow:
    """A row that this option breaks."""
    return HeavyRow(0, 0, [(named(problem), 1)])


def test_a_row_of_totals(monkeypatch: pytest.MonkeyPatch) -> None:
    right = sided_tree.total_rows
    monkeypatch.setattr(sided_tree, "total_rows", lambda *all: [*right(*all), without(DEPOTS)])
    assert lost(DEPOTS).startswith(f"linear programs, a row of the totals: the row 0 ≤ 1 x{named(DEPOTS)} ≤ 0 is 1")


def test_a_cut_of_a_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    other = max(set(range(TRIP.options)) - set(TRIP.witness or ()))
    monkeypatch.setattr(sided_tree, "cuts_of", lambda *_: [lambda x: iter([HeavyRow(1, UNBOUNDED, [(other, 1)])])])
    assert lost(TRIP).startswith("linear programs, a row of a connection or loop: the row 1 ≤ 1 x")


def test_a_clique(monkeypatch: pytest.MonkeyPatch) -> None:
    right = mixed_core.strengthen

    def wrong(*all: Any) -> Any:
        better = right(*all)
        assert better is not None
        for held in better.options:
            held.append(len(better.lows))
        return evolve(better, lows=[*better.lows, 0], highs=[*better.highs, 1])

    monkeypatch.setattr(mixed_core, "strengthen", wrong)
    assert "the core: its row " in lost(PACKED)


def test_a_reduction(monkeypatch: pytest.MonkeyPatch) -> None:
    one = named(PARTS)
    monkeypatch.setattr(mixed_core, "_without_implied", lambda problem, left, live: [o for o in live if o != one])
    assert lost(PARTS).startswith("the core: what is left in place of the witness is no answer")


def test_an_option_that_a_core_leaves_out(monkeypatch: pytest.MonkeyPatch) -> None:
    one = named(DEPOTS)
    right = sided_tree.sided_core
    monkeypatch.setattr(sided_tree, "sided_core", lambda problem, out, rows: right(problem, {*out, one}, rows))
    assert lost(DEPOTS) == f"the core leaves out option {one}"


def test_a_node_of_linear_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Costs that are too high make its bound too high, and its fixings wrong."""
    right = mixed_tree.kernel_of

    def wrong(own: Any, module: Any, ceiling: int) -> Any:
        held = right(own, module, ceiling)
        held._kernel = right(evolve(own, costs=[3 * c + 1 for c in own.costs], witness=None), module, ceiling)
        return held

    monkeypatch.setattr(mixed_tree, "kernel_of", wrong)
    told = lost(PARTS, evolve(MIXED, ceiling=cost(PARTS, PARTS.witness or ())))
    assert told.startswith("linear programs, a fixing by the reduced costs of a node")


def test_what_follows_from_a_decision() -> None:
    """A kernel that has one more row than its core."""
    own = core(PARTS)
    assert own.witness is not None
    other = evolve(own, highs=[0, *own.highs[1:]], lows=[0, *own.lows[1:]], witness=None)
    held = mixed_tree.kernel_of(own, load("_mixed"), own.dearest)
    held._kernel = mixed_tree.kernel_of(other, load("_mixed"), own.dearest)
    with pytest.raises(Lost, match="linear programs, what the rows force: option"):
        held.propagate()


def test_a_fixing_by_the_roots_reduced_costs() -> None:
    own = core(PARTS)
    tree = BoundTree(own, load("_mixed"), own.dearest)
    while tree.root is None:
        tree.step()
    tree._kernel.undo(tree._base)
    tree.root = evolve(tree.root, reduced=[FAR * FAR] * len(own.options))
    with pytest.raises(Lost, match="linear programs, a fixing by the root's reduced costs: option"):
        tree._settle()


def test_a_closed_node(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BoundTree, "_branch", lambda self, values: self._next())
    monkeypatch.setattr(BoundTree, "_offer", lambda self, options: False)
    assert lost(PARTS) == "linear programs: the node [] is closed"


def test_what_the_kernel_for_sides_makes_of_a_node(monkeypatch: pytest.MonkeyPatch) -> None:
    """The watch beside the tree knows one total too many."""
    right = side_arrays
    extra = Total(((named(DEPOTS), 1),), ((0, 0),), "not this one")
    wrong = evolve(DEPOTS, sides=(*DEPOTS.sides, extra))
    monkeypatch.setattr(sided_tree, "side_arrays", lambda problem: right(wrong))
    monkeypatch.setattr(sided_tree, "side_names", lambda problem: side_names(wrong))
    assert lost(DEPOTS).startswith("linear programs, beside them the search with sides, the total not this one: option")


def sides_kernel(problem: Problem, wrong: Problem) -> Any:
    """The kernel for sides of a wrong problem, held to the witness of the right one."""
    kernel = load("_sides").Sides(wrong, side_arrays(wrong), True, True, FAR)
    watch_sides(kernel, problem, side_names(wrong))
    return kernel


def test_sides_and_costs_of_the_search_with_sides() -> None:
    one = named(DEPOTS)
    extra = Total(((one, 1),), ((0, 0),), "not this one")
    kernel = sides_kernel(DEPOTS, evolve(DEPOTS, sides=(*DEPOTS.sides, extra)))
    with pytest.raises(Lost, match=f"with sides, the total not this one: option {one} is decided otherwise"):
        kernel.run(FAR, FAR)
    kernel = sides_kernel(DEPOTS, evolve(DEPOTS, low=(*DEPOTS.low[:3], 9, *DEPOTS.low[4:])))
    with pytest.raises(Lost, match="with sides, an item: "):
        kernel.run(FAR, FAR)
    kernel = sides_kernel(DEPOTS, evolve(DEPOTS, costs=[c + FAR // 8 * (o == one) for o, c in enumerate(DEPOTS.costs)]))
    kernel.lower(cost(DEPOTS, DEPOTS.witness or ()))
    with pytest.raises(Lost, match="with sides, the costs: "):
        kernel.run(FAR, FAR)


def links_kernel(problem: Problem, wrong: Problem, interpreted: bool = False, estimate: int = CLASSIC) -> Any:
    """Dancing Links of a wrong problem, held to the witness of the right one."""
    cutoff = cost(problem, problem.witness or ()) + 1
    kernel = load("_general", interpreted).General(wrong, take_given(wrong), True, estimate, 0, cutoff)
    watch(kernel, problem, "dancing links")
    return kernel


@pytest.mark.parametrize("interpreted", [False, True])
def test_a_node_of_dancing_links(interpreted: bool) -> None:
    kernel = links_kernel(PARTS, evolve(PARTS, costs=[9 * c for c in PARTS.costs]), interpreted)
    with pytest.raises(Lost, match="dancing links, the bound: a node is closed"):
        kernel.run(FAR, FAR)
    kernel = links_kernel(PARTS, evolve(PARTS, low=(9, *PARTS.low[1:]), high=(9, *PARTS.high[1:])), interpreted)
    with pytest.raises(Lost, match="dancing links, an item: a node is closed"):
        kernel.run(FAR, FAR)


def test_what_an_estimate_excludes_and_forces() -> None:
    one = named(PARTS)
    other = next(o for o in range(PARTS.options) if o not in (PARTS.witness or ()))
    for told in ({"exclude": [one]}, {"force": [other]}):
        kernel = links_kernel(PARTS, PARTS, estimate=PYTHON)
        kernel.run(1, 1)
        kernel.tell(0, **told)
        with pytest.raises(Lost, match=rf"dancing links, .*option {one if 'exclude' in told else other}"):
            kernel.run(1, 1)


def test_sets_in_the_order_of_reduced_costs() -> None:
    own = core(TASKS)
    tree = BoundTree(own, load("_mixed"), own.dearest)
    while tree.root is None and not tree.done:
        tree.step()
    root = tree.root
    assert root is not None and own.witness is not None
    free = sorted(set(range(len(own.options))))
    none = evolve(root, bound=0, taken=[], free=free, reduced=[0] * len(free))
    assert Priced(own, none, own.worth).kernel.run(FAR, FAR) == DONE
    far = [FAR if o in own.witness else 0 for o in free]
    with pytest.raises(Lost, match=r"reduced costs, reduced costs: option \d+ is not tried"):
        Priced(own, evolve(none, reduced=far), own.worth).kernel.run(FAR, FAR)
    with pytest.raises(Lost, match="what the root has settled"):
        Priced(own, evolve(none, free=[o for o in free if o not in own.witness]), own.worth)


def cover_kernel(problem: Problem, wrong: Callable[[Any], Any]) -> Any:
    """The kernel for covers of a wrong core, held to the witness of the right one."""
    right = cover_core(problem)
    own = wrong(right)
    kernel = load("_cover").Cover(own.needs, own.options, own.costs, right.worth + 1, PRICE)
    watch_core(kernel, right, "covers")
    return kernel


def searched(kernel: Any) -> None:
    kernel.reduce()
    kernel.run(FAR, FAR)


def test_levels_of_covers() -> None:
    right = cover_core(BOARD)
    assert right.witness is not None
    some, rest = min(right.witness), set(range(len(right.options))) - right.witness
    searched(cover_kernel(BOARD, lambda own: own))
    wrong = evolve(right, costs=[9 * c for c in right.costs])
    with pytest.raises(Lost, match=r"covers, (what is forced|the bound)"):
        searched(cover_kernel(BOARD, lambda own: wrong))
    empty = evolve(right, options=[() if o == some else held for o, held in enumerate(right.options)])
    with pytest.raises(Lost, match="covers, "):
        searched(cover_kernel(BOARD, lambda own: empty))
    kernel = cover_kernel(BOARD, lambda own: own)
    kernel.reduce()
    kernel.tell(0, None, [some], [])
    with pytest.raises(Lost, match=f"covers, an estimate: option {right.numbers[some]}"):
        kernel.run(1, 1)
    kernel = cover_kernel(BOARD, lambda own: own)
    kernel.reduce()
    kernel.tell(0, None, [], [min(rest)])
    with pytest.raises(Lost, match="covers, an estimate"):
        kernel.run(1, 1)


def test_an_orbit_of_covers() -> None:
    """Options that are called equivalent to one that was tried, and are not."""
    caught = 0
    for seed in range(30):
        problem = with_best(random_cover(20, 40, (3, 5), 9, seed))
        right = cover_core(problem)
        kernel = cover_kernel(problem, lambda own: own)
        kernel.set_symmetric(1)
        if kernel.reduce() and kernel.run(FAR, FAR) == ASK:
            known = kernel.local()[2]
            kernel.exclude([k for k, o in enumerate(known) if o in (right.witness or ())])
            try:
                kernel.run(FAR, FAR)
            except Lost as told:
                caught += "covers, an orbit: option" in str(told)
    assert caught


def test_an_implied_item(monkeypatch: pytest.MonkeyPatch) -> None:
    own = cover_core(BOARD)
    some = sorted(own.witness or ())
    with pytest.raises(Lost, match="triangles: 2 of the options"):
        cores.narrow(own, [], range(len(own.needs)), own.needs, range(len(own.options)), own.options, [(2, some[:1])])


def test_a_sweep(monkeypatch: pytest.MonkeyPatch) -> None:
    own = core(TASKS)
    order = order_sweep(own)
    assert order is not None
    sweep = MinimumSweep(own, order, [0] * own.rows, own.dearest, 1 << 24)

    class Nothing:
        value = None
        nodes = updates = 1

        def run(self, nodes: int) -> int:
            return DONE

    sweep._kernel, sweep._last = Nothing(), own.worth
    with pytest.raises(Lost, match=f"item by item: the sweep up to {own.worth} has proved {own.worth + 1}"):
        sweep.step()


def test_the_order_of_columns_that_are_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    order = [s for s in VANS.sides if isinstance(s, Total) and len(s.terms) == 2 and s.terms[0][1] == 1]
    free = evolve(VANS, sides=tuple(s for s in VANS.sides if s not in order))
    put = alike.ordered(free)
    assert len(put.sides) > len(free.sides) and put.witness is not None
    right = alike.falling

    def wrong(problem: Problem, columns: alike.Columns) -> list[Total]:
        return [evolve(total, sums=((-9, -9),)) for total in right(problem, columns)]

    monkeypatch.setattr(alike, "falling", wrong)
    with pytest.raises(Lost, match="columns that are alike, in order: what is left in place of the witness"):
        alike.ordered(free)


def test_the_rows_of_an_integer_program() -> None:
    from covr.engine.outside.solvers import SolverRow

    with pytest.raises(Lost, match="what it is given: the row None ≤ 1 x"):
        ProgramKernel(
            TASKS, lambda: None, None, lambda costs, rows: None,  # type: ignore[arg-type, return-value]
            (TASKS.options, [SolverRow(None, 0, ((named(TASKS), 1),))]),
        )  # fmt: skip


class Told:
    """A kernel that says what it is told to."""

    nodes = updates = answers = 0
    code = -1

    def __init__(self, code: int) -> None:
        self.end = code

    def run(self, nodes: int, answers: int) -> int:
        self.nodes += nodes
        return self.end

    def answer(self) -> list[int]:
        return []


@pytest.mark.parametrize(("bound", "code", "said"), [(6, 0, "has proved 6"), (None, DONE, "has ended")])
def test_a_method_that_takes_turns(bound: int | None, code: int, said: str) -> None:
    kernel = Told(code)
    method = Method("a method", kernel, kernel.run, tuple, lambda: bound)
    turns = CheapestTurns([Entrant("a method", lambda: method, 1, "is wrong")], len, None)
    turns.worth = 5
    with pytest.raises(Lost, match=f"a method {said}, but there is an answer that costs 5"):
        turns.run(10, 1)


def test_a_part_of_a_search_has_it_or_not() -> None:
    taken, other = named(TASKS), next(o for o in range(TASKS.options) if o not in (TASKS.witness or ()))
    assert subproblem(TASKS, Prefix((taken,), (other,))).witness == TASKS.witness
    assert subproblem(TASKS, Prefix((other,))).witness is None
    assert subproblem(TASKS, Prefix((), (taken,))).witness is None
    numbers = [o for o in range(TASKS.options) if o != other]
    assert [numbers[o] for o in carried(TASKS, numbers) or ()] == list(TASKS.witness or ())
    with pytest.raises(Lost, match=f"a test leaves out option {taken}"):
        carried(TASKS, [o for o in numbers if o != taken], by="a test")


def test_a_whole_search() -> None:
    """A witness that is better than any answer there is: whoever ends first is held to it."""
    problem = build([(1, 1)], [[0], [0]], costs=[3, 5])
    assert lost(evolve(problem, witness=(0,), costs=[3, 5], low=(2,), high=(2,)), Settings(engine="reference"))
