"""Connections, forests and loops that clingo calls while it searches: every clause holds in all answers and blames no
more than it must, and every answer is found."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from itertools import product
from random import Random
from typing import Any

import pytest

from covr.engine import Areas, Circuit, Connection, Forest, Problem, Settings, Side, build, reference, search
from covr.engine.base.alone import Unsuited
from covr.engine.kernels.loading import load
from covr.engine.outside import clingo_graphs
from tests.engine.problems import brute
from tests.engine.side_puzzles import grid_edges
from tests.engine.sided import areas, circuit, connection, forest, sided

pytestmark = pytest.mark.skipif(
    not load("_graphs").COMPILED or find_spec("clingo") is None, reason="there is no compiled kernel, or no clingo"
)

CLINGO = Settings(engine="clingo")
SIDES = Settings(engine="sides")


# --- clauses ---------------------------------------------------------------------------------------------------------


def graphs(side: Side) -> Any:
    """A kernel that holds this side, each option at one vertex or at none: option o is literal o + 1."""
    kernel = load("_graphs").GraphSides()
    if isinstance(side, Connection | Forest):
        number = {v: o for o, v in side.places}
        ends = [number[w] for edge in side.edges if set(edge) <= number.keys() for w in edge]
        add = kernel.connection if isinstance(side, Connection) else kernel.forest
        add(array("i", [*range(1, len(side.places) + 1), 0]), array("i", ends))
    else:
        assert isinstance(side, Circuit)
        ends = [w for _, u, v in side.ends for w in (u, v)]
        kernel.circuit(max(ends, default=0) + 1, array("i", [*range(1, len(side.ends) + 1), 0]), array("i", ends))
    return kernel


def drawn(rng: Random) -> tuple[int, Side]:
    """A side about all of some options, each at a vertex of its own."""
    options = rng.randint(1, 8)
    kind = rng.choice((Circuit, Connection, Forest))
    if kind is Circuit:
        ends = [(rng.randrange(5), rng.randrange(5)) for _ in range(options)]
        return options, Circuit(tuple((o, u, v) for o, (u, v) in enumerate(ends)))
    edges = connection(rng, options + 3).edges
    return options, kind(tuple((o, o + 3) for o in range(options)), edges)


def values(rng: Random, options: int) -> list[int]:
    """Some options that are in, out, and open."""
    decided = rng.choice((0.3, 0.6, 0.9))
    return [rng.choice((1, -1)) if rng.random() < decided else 0 for _ in range(options)]


def cases(count: int) -> Iterator[tuple[Side, list[int], list[tuple[int, ...]], list[tuple[int, ...]]]]:
    """Sides, what is known, the clauses that follow, and all answers."""
    for seed in range(count):
        rng = Random(seed)
        options, side = drawn(rng)
        every = [tuple(o for o in range(options) if taken[o]) for taken in product((0, 1), repeat=options)]
        answers = [answer for answer in every if reference.holds(side, answer)]
        kernel = graphs(side)
        for _ in range(4):
            known = values(rng, options)
            yield side, known, kernel.clauses(array("i", [*known, 1])), answers


def implied(clause: Sequence[int], answers: Sequence[tuple[int, ...]]) -> bool:
    """Whether each answer makes one of these literals true."""
    return all(any((literal > 0) == (abs(literal) - 1 in answer) for literal in clause) for answer in answers)


def test_each_clause_holds_in_all_answers_and_tells_something_new() -> None:
    met = 0
    for side, known, clauses, answers in cases(800):
        for clause in clauses:
            met += 1
            assert implied(clause, answers), (side, known, clause)
            still = [literal for literal in clause if known[abs(literal) - 1] * literal >= 0]
            assert len(still) <= 1 and all(known[abs(literal) - 1] == 0 for literal in still)
    assert met > 2000


def test_a_clause_blames_no_more_than_it_must() -> None:
    """Without one vertex of its border, a clause of a connection is wrong, and the test above would see it. The edges
    that a clause of a circuit blames need not all be passed by one loop."""
    needed = {Connection: 0, Circuit: 0}
    for side, known, clauses, answers in cases(900):
        for clause in clauses:
            for literal in clause:
                if literal > 0 and known[literal - 1] < 0:
                    wrong = not implied([other for other in clause if other != literal], answers)
                    assert wrong or isinstance(side, Circuit), (side, known, clause, literal)
                    needed[type(side)] += wrong
    assert min(needed.values()) > 150


def test_all_that_a_connection_or_a_forest_says_is_found() -> None:
    for side, known, clauses, answers in cases(800):
        if isinstance(side, Circuit) or 1 not in known:
            continue
        fits = [a for a in answers if all(not value or (o in a) == (value > 0) for o, value in enumerate(known))]
        open_ = [literal for clause in clauses for literal in clause if not known[abs(literal) - 1]]
        if not fits:
            assert any(all(known[abs(literal) - 1] for literal in clause) for clause in clauses), (side, known)
            continue
        sure = {o + 1 for o, value in enumerate(known) if not value and all(o in a for a in fits)}
        sure |= {-o - 1 for o, value in enumerate(known) if not value and all(o not in a for a in fits)}
        assert set(open_) == sure, (side, known)


def test_a_loop_that_closes_too_early_is_refused() -> None:
    """Of a square and lines elsewhere: a loop apart from what is in is out, and so is what would close the square."""
    square = ((0, 0, 1), (1, 1, 2), (2, 2, 3), (3, 0, 3))
    apart = graphs(Circuit((*square, (4, 4, 5), (5, 4, 5)))).clauses(array("i", [1, 1, 1, 0, 0, 0, 1]))
    assert set(map(frozenset, apart)) == {frozenset({-1, -5}), frozenset({-1, -6})}
    closing = graphs(Circuit((*square, (4, 0, 4), (5, 2, 4)))).clauses(array("i", [1, 1, 0, 0, 0, 1, 1]))
    assert closing == []
    closing = graphs(Circuit((*square, (4, 4, 5), (5, 5, 0), (6, 2, 4)))).clauses(array("i", [1, 1, 1, 0, 1, 0, 0, 1]))
    assert set(map(frozenset, closing)) == {frozenset({-1, -2, -3, -4, -5})}


# --- answers ---------------------------------------------------------------------------------------------------------


def by_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on connections and loops are written as rules, as where there is no compiled kernel."""
    monkeypatch.setattr(clingo_graphs, "graph_sides", lambda control: None)


def test_graphs_and_rules_have_the_same_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    problems = []
    for seed in range(150):
        rng = Random(seed)
        problem = sided(rng)
        more = [rng.choice((circuit, connection))(rng, problem.options) for _ in range(rng.randint(0, 2))]
        graph = [side for side in problem.sides if isinstance(side, Connection | Circuit)]
        problems.append(Problem(problem.low, problem.high, problem.primary, problem.starts, problem.members,
                                colours=problem.colours, given=problem.given, sides=(*graph, *more)))  # fmt: skip
    found = [sorted(search(problem, settings=CLINGO)) for problem in problems]
    assert found == [sorted(brute(problem)) for problem in problems]
    by_rules(monkeypatch)
    assert [sorted(search(problem, settings=CLINGO)) for problem in problems] == found
    assert sum(len(one) > 1 for one in found) > 20


def test_where_clingo_calls_nothing_other_engines_hold_forests_and_areas(monkeypatch: pytest.MonkeyPatch) -> None:
    by_rules(monkeypatch)
    for make in (areas, forest):
        problem = build([], [[] for _ in range(5)], sides=[make(Random(3), 5)])
        with pytest.raises(Unsuited, match=r"can't hold (a forest|areas) here: covr's kernels are not compiled"):
            list(search(problem, settings=CLINGO))
        assert sorted(search(problem)) == sorted(brute(problem))


def counted(problem: Problem, settings: Settings = CLINGO) -> int:
    """How many answers a search finds, none twice."""
    answers = list(search(problem, settings=settings))
    assert len(answers) == len(set(answers))
    return len(answers)


def test_known_numbers_of_connected_sets_and_of_loops() -> None:
    """Connected sets of squares are A059525 in the OEIS, here with the empty set; loops on a grid are A140517."""
    for n, sets, loops in ((1, 2, 0), (2, 14, 1), (3, 219, 13), (4, 11507, 213)):
        edges = grid_edges(n)
        places = tuple((k, k) for k in range(n * n))
        assert counted(build([], [[] for _ in places], sides=[Connection(places, edges)])) == sets
        lines = Circuit(tuple((o, u, v) for o, (u, v) in enumerate(edges)))
        assert counted(build([], [[] for _ in edges], sides=[lines])) == (loops if edges else 0)


@pytest.mark.parametrize("n", [63, 64, 65, 511, 512, 513])
def test_long_graphs(n: int) -> None:
    """A ring with two given vertices has one way or the other; a ring of edges with one chord has three loops."""
    ring = (*((v, v + 1) for v in range(n - 1)), (0, n - 1))
    places = tuple((v, v) for v in range(n))
    one = [(1, 1), (1, 1)]
    ways = [[*([0] if 0 < v < n // 2 else []), *([1] if n // 2 < v < n else [])] for v in range(n)]
    around = build([], [[] for _ in places], given=[0, n // 2], sides=[Connection(places, ring)])
    first = next(iter(search(around, settings=CLINGO)))
    assert {0, n // 2} <= set(first) and (set(range(n // 2)) <= set(first) or set(range(n // 2, n)) <= set(first))
    tight = build(one, ways, given=[0, n // 2], sides=[Connection(places, ring)])
    assert counted(tight) == counted(tight, SIDES) == 0
    lines = (*((o, u, v) for o, (u, v) in enumerate(ring)), (n, 0, n // 2))
    assert counted(build([], [[] for _ in lines], sides=[Circuit(lines)])) == 3


def test_larger_boards_have_the_answers_of_the_engine_sides() -> None:
    met = 0
    for seed in range(4):
        rng = Random(seed)
        edges = grid_edges(5)
        vertices = rng.sample(range(25), 20)
        places = tuple((k, v) for k, v in enumerate(vertices)) + tuple((k, rng.randrange(25)) for k in range(6))
        bounds = [(2, 3), (2, 2), (3, 4), (2, 3)]
        options = [[k % 4] for k in range(20)]
        board = build(bounds, options, given=rng.sample(range(20), 2), sides=[Connection(places, edges)])
        lines = [edges[k] for k in sorted(rng.sample(range(len(edges)), 31))]
        ends = tuple((o, u, v) for o, (u, v) in enumerate(lines))
        loops = build([(4, 16)], [[0] if o % 2 else [] for o in range(31)], sides=[Circuit(ends)])
        for problem in (board, loops):
            found = sorted(search(problem, settings=CLINGO))
            assert found == sorted(search(problem, settings=SIDES))
            met += len(found) > 5
    assert met > 4


def test_where_clingo_calls_back_otherwise_there_are_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    assert clingo_graphs.propagator_calls() is not None
    for name, table in (("CALLED_BACK", {"init": "_Bool(*)(int)"}), ("PROPAGATOR", {"clingo_no_such_function": ""})):
        with monkeypatch.context() as patched:
            patched.setattr(clingo_graphs, name, table)
            assert clingo_graphs.propagator_calls.__wrapped__() is None


def test_searches_that_are_given_up_leave_nothing_behind() -> None:
    """clingo may still be searching when its answers are no longer wanted, and end after its graphs are forgotten."""
    places = tuple((k, k) for k in range(100))
    problem = build([], [[] for _ in places], sides=[Connection(places, grid_edges(10))])
    for _ in range(30):
        run = search(problem, settings=CLINGO)
        assert next(run) is not None
        del run


# --- areas -----------------------------------------------------------------------------------------------------------


class Writer:
    """Stands in for a `RuleWriter`: knows what each atom that is not an option's means."""

    def __init__(self, options: int) -> None:
        self.atoms = options
        self.meaning: dict[int, tuple[int, ...] | None] = {}  # the literals of which one is true; None: it is a fact

    def new(self) -> int:
        """A new atom, which is a fact."""
        self.atoms += 1
        self.meaning[self.atoms] = None
        return self.atoms

    def fact(self, atom: int) -> None:
        assert self.meaning[atom] is None

    def one_of(self, literals: Sequence[int]) -> int:
        if len(literals) == 1:
            return literals[0]
        self.meaning[self.new()] = tuple(literals)
        return self.atoms

    def value(self, literal: int, known: Sequence[int]) -> int:
        """Whether a literal is true (1), false (-1) or open (0). known: the same of each option."""
        if literal < 0:
            return -self.value(-literal, known)
        if literal <= len(known):
            return known[literal - 1]
        meaning = self.meaning[literal]
        return 1 if meaning is None else max(self.value(one, known) for one in meaning)


class AreaKernel:
    """The kernel of one `Areas`, and the literals of its items."""

    def __init__(self, side: Areas, options: int) -> None:
        self.writer = Writer(options)
        self.kernel = load("_graphs").GraphSides()
        self.demand, self.terms = self.kernel.demand, self.kernel.terms
        clingo_graphs.AreaGraph(side, self.writer, range(1, options + 1)).hand_over(self, 0)  # type: ignore[arg-type]

    def areas(self, vertices: int, literals: Any, ends: Any, doors: Any) -> None:
        self.literals = literals[:-1]
        self.kernel.areas(vertices, literals, ends, doors)

    def clauses(self, known: Sequence[int]) -> list[tuple[int, ...]]:
        """What follows from the values of options."""
        found = [self.writer.value(literal, known) for literal in self.literals]
        return self.kernel.clauses(array("i", [*found, 1]))  # type: ignore[no-any-return]


def area_cases(count: int) -> Iterator[tuple[AreaKernel, list[int], list[list[int]]]]:
    """Areas, what is known, and all answers that fit, as the values of options."""
    for seed in range(count):
        rng = Random(seed)
        options = rng.randint(1, 7)
        side = areas(rng, options)
        kernel = AreaKernel(side, options)
        every = [list(one) for one in product((1, -1), repeat=options)]
        answers = [one for one in every if reference.holds(side, tuple(o for o in range(options) if one[o] > 0))]
        for _ in range(3):
            decided = rng.choice((0.3, 0.6, 0.9, 1))
            yield kernel, [rng.choice((1, -1)) if rng.random() < decided else 0 for _ in range(options)], answers


def test_each_clause_of_areas_holds_in_all_answers() -> None:
    """And where all is decided, or nearly all wrong, one is broken."""
    whole = wrong = seen = met = 0
    for kernel, known, answers in area_cases(700):
        value = kernel.writer.value
        broken = False
        for clause in kernel.clauses(known):
            met += 1
            left = {literal for literal in clause if not value(literal, known)}
            broken |= not left
            assert len(left) <= 1 and all(value(literal, known) <= 0 for literal in clause)
            assert all(any(value(literal, answer) > 0 for literal in clause) for answer in answers)
        fits = any(all(a == b or not a for a, b in zip(known, answer, strict=True)) for answer in answers)
        assert not (broken and fits)
        if 0 not in known:
            whole += 1
            assert broken is not fits
        elif not fits:
            wrong += 1
            seen += broken
    assert met > 1000 and whole > 500 and 10 * seen > 9 * wrong > 1000


def test_a_literal_less_and_a_clause_of_areas_is_often_wrong() -> None:
    """A planted fault in a reason is seen by the test above."""
    more = wrong = 0
    for kernel, known, answers in area_cases(200):
        value = kernel.writer.value
        for clause in kernel.clauses(known):
            for literal in set(clause):
                left = [other for other in clause if other != literal]
                more += 1
                wrong += not all(any(value(other, answer) > 0 for other in left) for answer in answers)
    assert wrong > more // 6 > 100
