"""CP-SAT, told the same matrix and side conditions in another way, agrees on what the gallery promises.

Rows are sums; a loop is CP-SAT's own circuit constraint, with an arc for each direction of a choice; that places hang
together is said by numbers that grow along a tree from one root.
"""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import pytest

from covr.api.model import load
from covr.compiler import compile_model
from covr.dsl.syntax import Expect
from covr.engine import Areas, Circuit, Connection, Problem, Total, check
from covr.inputs.library import gallery_files, open_model
from tests.covr.puzzles.by_cpsat import area_rules
from tests.each import each

cp_model = pytest.importorskip("ortools.sat.python.cp_model", reason="the second opinion is OR-Tools'")

pytestmark = pytest.mark.long

UNIQUE = [
    "killer_sudoku",
    "slitherlink",
    "nurikabe",
    "hitori",
    "futoshiki",
    "heyawake",
    "masyu",
    "yajilin",
    "kenken",
    "zebra",
    "kakuro",
    "nonogram",
    "numberlink",
    "skyscrapers",
    "star_clues",
    "battleships",
    "maze_rooms",
    "akari",
    "arrow_sudoku",
    "fillomino",
    "hashi",
    "kropki",
    "kuromasu",
    "minesweeper",
    "shikaku",
    "tentaisho",
    "thermometer_sudoku",
]
BEST = {
    "knapsack": 76,
    "facility_location": 158,
    "round_trip": 235,
    "cheapest_network": 14,
    "bin_packing": 3,
    "cutting_stock": 5,
    "rota": 0,
    "duties": 9,
}


COUNTED = ("magic_square", "knight_tour")  # what they promise is a published number of answers
MOST_LINES = 32  # what wraps is counted as often as it has lines; `clue` statements count, too


class Other:
    """A problem as a model of CP-SAT. options: its variables."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.model: Any = cp_model.CpModel()
        self.options = [self.model.new_bool_var(f"x{o}") for o in range(problem.options)]
        for i in range(problem.items):
            self.model.add_linear_constraint(sum(self.held(i)), problem.low[i], problem.high[i])
        for o in problem.given:
            self.model.add(self.options[o] == 1)
        for side in problem.sides:
            if isinstance(side, Total):
                self.total(side)
            elif isinstance(side, Connection):
                self.connection(side)
            elif isinstance(side, Areas):
                area_rules(self.model, self.options, side)
            else:
                self.circuit(side)

    def held(self, i: int) -> list[Any]:
        """What counts for an item: the options that hold it; those that show the same colour there count once."""
        plain = [self.options[o] for o, colour in self.problem.column(i) if not colour]
        shown: dict[int, list[Any]] = {}
        for o, colour in self.problem.column(i):
            if colour:
                shown.setdefault(colour, []).append(self.options[o])
        for options in shown.values():
            plain.append(self.model.new_bool_var(""))
            self.model.add_max_equality(plain[-1], options)
        return plain

    def total(self, side: Total) -> None:
        ends = [end for pair in side.sums for end in pair]
        domain = cp_model.Domain.from_flat_intervals(ends)
        self.model.add_linear_expression_in_domain(sum(c * self.options[o] for o, c in side.terms), domain)

    def circuit(self, side: Circuit) -> None:
        arcs, ends = [], {v for _, *pair in side.ends for v in pair}
        number = {v: at for at, v in enumerate(sorted(ends))}
        for o, u, v in side.ends:
            there, back = self.model.new_bool_var(""), self.model.new_bool_var("")
            self.model.add(there + back == self.options[o])
            arcs += [(number[u], number[v], there), (number[v], number[u], back)]
        arcs += [(at, at, self.model.new_bool_var("")) for at in number.values()]
        self.model.add_circuit(arcs)
        self.model.add_bool_or([self.options[o] for o, _, _ in side.ends])

    def connection(self, side: Connection) -> None:
        standing: dict[int, Any] = {}
        for v in {v for _, v in side.places}:
            standing[v] = self.model.new_bool_var("")
            self.model.add_max_equality(standing[v], [self.options[o] for o, p in side.places if p == v])
        root = {v: self.model.new_bool_var("") for v in standing}
        depth = {v: self.model.new_int_var(0, len(standing), "") for v in standing}
        parents: dict[int, list[Any]] = {v: [root[v]] for v in standing}
        for u, v in [*side.edges, *((v, u) for u, v in side.edges)]:
            if u in standing and v in standing:
                arc = self.model.new_bool_var("")
                self.model.add_implication(arc, standing[u])
                self.model.add(depth[v] == depth[u] + 1).only_enforce_if(arc)
                parents[v].append(arc)
        for v, arcs in parents.items():
            self.model.add(sum(arcs) == standing[v])
        self.model.add(sum(root.values()) <= 1)

    def solve(self) -> tuple[int, ...] | None:
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.max_time_in_seconds = 60
        status = solver.solve(self.model)
        assert status in (cp_model.OPTIMAL, cp_model.INFEASIBLE)
        if status == cp_model.INFEASIBLE:
            return None
        return tuple(o for o, x in enumerate(self.options) if solver.value(x))

    def differ(self, answer: tuple[int, ...]) -> None:
        self.model.add_bool_or([x.negated() if o in answer else x for o, x in enumerate(self.options)])


def problem_of(name: str) -> Problem:
    return compile_model(open_model(name)).problem


@pytest.mark.parametrize("name", UNIQUE)
def test_a_puzzle_has_one_answer_for_another_program_too(name: str) -> None:
    problem = problem_of(name)
    other = Other(problem)
    answer = other.solve()
    assert answer is not None
    assert check(problem, answer) is None
    other.differ(answer)
    assert other.solve() is None


@pytest.mark.parametrize("name", BEST)
def test_a_best_value_is_that_of_another_program(name: str) -> None:
    problem = problem_of(name)
    other = Other(problem)
    other.model.minimize(sum(c * x for c, x in zip(problem.costs, other.options, strict=True)))
    answer = other.solve()
    assert answer is not None
    assert check(problem, answer) is None
    assert abs(sum(problem.costs[o] for o in answer)) == BEST[name]


@each("name", [*UNIQUE, *BEST, *COUNTED])
def test_a_model_is_short(name: str) -> None:
    """Lines of the model, without comments and pictures."""
    text = re.sub(r'"""[^"]*"""', "", gallery_files()[name].read_text(encoding="utf-8"))
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    assert len(lines) < MOST_LINES


def test_knight_tours_are_counted_by_walking_them() -> None:
    """All open tours of a board of 5 by 5: twice as many as the model promises, which counts a tour and its reverse
    once. Squares are numbered from 0, and sets of squares are bits."""
    hops = [(a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b)]
    square = {(r, c): 5 * r + c for r in range(5) for c in range(5)}
    near = [[square[r + a, c + b] for a, b in hops if (r + a, c + b) in square] for r, c in square]

    def tours(at: int, left: int) -> int:
        if not left:
            return 1
        return sum([tours(x, left ^ 1 << x) for x in near[at] if left >> x & 1])

    # A tour begins on one of the 13 squares of the corners' colour: the four corners, four middles of sides, four more
    # that touch a corner, or the centre.
    starts = {(0, 0): 4, (0, 2): 4, (1, 1): 4, (2, 2): 1}
    found = sum(times * tours(square[x], (1 << 25) - 1 ^ 1 << square[x]) for x, times in starts.items())
    assert found == 1728
    (promise,) = open_model("knight_tour").all(Expect)
    assert promise.span.text == f"expect {found // 2} solutions"


def only_answer(model: Any, variables: dict[Any, Any]) -> set[Any]:
    """The keys of the variables that are true in the only solution of a model of CP-SAT."""
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    assert solver.solve(model) == cp_model.OPTIMAL
    found = {key for key, x in variables.items() if solver.value(x)}
    model.add_bool_or([x.negated() if key in found else x for key, x in variables.items()])
    assert solver.solve(model) == cp_model.INFEASIBLE
    return found


def test_battleships_have_the_answers_that_squares_without_ships_have() -> None:
    """A ship of k squares begins where a run of k squares with parts has water before and behind it."""
    covr_model = load("battleships")
    fleet, across, down, water = (covr_model.params[p] for p in ("fleet", "across", "down", "clue"))
    n = len(across)
    model: Any = cp_model.CpModel()
    part = {(r, c): model.new_bool_var("") for r in range(1, n + 1) for c in range(1, n + 1)}
    sea = model.new_constant(0)
    for i in range(1, n + 1):
        model.add(sum(part[i, c] for c in range(1, n + 1)) == across[i - 1])
        model.add(sum(part[r, i] for r in range(1, n + 1)) == down[i - 1])
    for at in water:
        model.add(part[at] == 0)
    for r, c in part:
        for corner in ((r + 1, c + 1), (r + 1, c - 1)):
            if corner in part:
                model.add_at_most_one(part[r, c], part[corner])
    lengths: dict[int, list[Any]] = {}
    for (r, c), (y, x) in product(part, ((0, 1), (1, 0))):
        for k in range(1, n + 1):
            places = [(r + y * i, c + x * i) for i in range(k)]
            if places[-1] not in part or (k == 1 and y):
                continue
            run = [part[at] for at in places]
            rim = [(r - y, c - x), (r + y * k, c + x * k)]
            rim += [(r - 1, c), (r + 1, c)] if k == 1 else []
            ship = model.new_bool_var("")
            wet = [part.get(at, sea).negated() for at in rim]
            model.add_bool_and([*run, *wet]).only_enforce_if(ship)
            model.add_bool_or([ship, *(p.negated() for p in run), *(w.negated() for w in wet)])
            lengths.setdefault(k, []).append(ship)
    for k, ships in lengths.items():
        model.add(sum(ships) == (fleet[k - 1] if k <= len(fleet) else 0))
    answer = covr_model.solve()
    assert answer is not None
    assert only_answer(model, part) == {x for _, s in answer.as_dict()["ship"] for x in s}


def test_edge_matching_has_the_answers_that_colours_of_edges_have() -> None:
    covr_model = load("edge_matching")
    tiles, n = covr_model.params["tiles"], covr_model.params["n"]
    model: Any = cp_model.CpModel()
    squares = [(r, c) for r in range(1, n + 1) for c in range(1, n + 1)]
    put = {(t, k, *at): model.new_bool_var("") for t in range(1, n * n + 1) for k in range(4) for at in squares}
    for t in range(1, n * n + 1):
        model.add_exactly_one(x for key, x in put.items() if key[0] == t)
    for at in squares:
        model.add_exactly_one(x for key, x in put.items() if key[2:] == at)

    def shows(at: tuple[int, int], side: int, colour: str) -> Any:
        """How many squares show a colour on a side of a place; beyond the board, all is grey."""
        if at not in squares:
            return int(colour == "-")
        return sum(
            x for (t, k, *here), x in put.items() if tuple(here) == at and tiles[t - 1][(side - k) % 4] == colour
        )

    for (r, c), colour in product(squares, sorted(set("".join(tiles)))):
        for side, (y, x) in enumerate(((-1, 0), (0, 1), (1, 0), (0, -1))):
            model.add(shows((r, c), side, colour) == shows((r + y, c + x), (side + 2) % 4, colour))
    model.add(put[1, 0, 1, 1] == 1)
    answer = covr_model.solve()
    assert answer is not None
    assert only_answer(model, put) == set(answer.as_dict()["put"])
