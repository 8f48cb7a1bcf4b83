"""Proofs that the search writes, held to a checker that shares nothing with it, and to brute force."""

from __future__ import annotations

import random
import re
import runpy
import sys
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import combinations
from pathlib import Path

import pytest
from attrs import evolve

from covr.compiler.formats.linear import pseudo_boolean, write_opb
from covr.engine import Limits, Problem, build, reference, search
from covr.engine.check import cost
from covr.engine.kernels.loading import load
from covr.engine.problem import Total
from covr.engine.proofs import logged
from covr.engine.proofs import logged as node_bounds
from covr.engine.proofs import logged as priced_row
from covr.engine.proofs.logged import ProofLog
from covr.verify import checker
from covr.verify.checker import BadProof, read_opb, verify
from tests.engine.features import tiny, union
from tests.engine.logged_problems import (
    build_without_costs,
    covering,
    damaged,
    drawn,
    proof_of,
    shown,
    touched,
    with_costs,
)

pytestmark = pytest.mark.long


def test_proofs_show_all_answers() -> None:
    rng = random.Random(1)
    kinds = set()
    for _ in range(300):
        problem = drawn(rng)
        problem = build_without_costs(problem)
        count = sum(1 for _ in reference.answers(problem))
        log, lines = proof_of(problem)
        found = shown(problem, lines)
        assert (found.kind, found.answers) == (("all", count) if count else ("unsat", 0)), problem
        assert log.answers == count
        kinds.add(found.kind)
    assert kinds == {"all", "unsat"}


def test_proofs_show_a_minimum() -> None:
    rng = random.Random(2)
    kinds = set()
    for _ in range(300):
        problem = drawn(rng)
        if not any(problem.costs):
            problem = with_costs(problem, rng)
        best = [None, *reference.answers(problem, "minimum")][-1]  # the last is the cheapest
        known = best if rng.random() < 0.5 else None
        found = shown(problem, proof_of(problem, known)[1])
        least = None if best is None else cost(problem, best)
        assert (found.kind, found.least, found.most) == ("unsat" if best is None else "bounds", least, least), problem
        kinds.add(found.kind)
    assert kinds == {"bounds", "unsat"}


def test_proofs_hold_at_sizes_beside_machine_words() -> None:
    rng = random.Random(3)
    for _ in range(6):
        case = union(tiny(rng), rng)
        assert shown(case.problem, proof_of(build_without_costs(case.problem))[1]).answers == case.count
    for n in (1, 63, 64, 65, 127, 128, 129, 513):
        problem = build([(1, 1)], [[0]] * n)
        found = shown(problem, proof_of(problem)[1])
        assert (found.kind, found.answers, len(found.true)) == ("all", n, 1)


@pytest.mark.parametrize("seed", range(4))
def test_a_damaged_proof_shows_nothing_false(seed: int) -> None:
    """Whatever is changed, the checker refuses, or what it says is true."""
    rng = random.Random(seed)
    refused = 0
    for _ in range(40):
        problem = build_without_costs(drawn(rng)) if seed % 2 else with_costs(drawn(rng), rng)
        answers = [*reference.answers(build_without_costs(problem))]
        least = min((cost(problem, answer) for answer in answers), default=None)
        lines = proof_of(problem)[1]
        for _ in range(10):
            try:
                found = shown(problem, damaged(lines, rng))
            except BadProof:
                refused += 1
                continue
            assert (
                found.kind not in ("all", "unsat")
                or found.answers == len(answers)
                or found.answers == 0 == len(answers)
            )
            assert found.kind != "unsat" or not answers
            if found.kind == "bounds":
                assert found.least is None or least is None or found.least <= least
                assert found.most is None or (least is not None and found.most >= least)
    assert refused


@pytest.mark.parametrize("options", [1, 2, 63, 64, 65, 127, 128, 129])
def test_bounds_close_nodes_of_proofs(options: int) -> None:
    """Covers whose minimum is above that of the linear program, so that nodes are closed by prices of their own."""
    rng = random.Random(options)
    for _ in range(6):
        problem = covering(options, min(options, 24), rng)
        best = [*search(problem, goal="minimum")][-1]
        log, lines = proof_of(problem, best)
        found = shown(problem, lines)
        assert (found.kind, found.least, found.most) == ("bounds", cost(problem, best), cost(problem, best))
        assert log.nodes < 2000


def test_a_search_without_lines_is_the_same_search() -> None:
    """`silent`, by which benchmarks tell what the lines cost."""
    rng = random.Random(8)
    for options in (1, 64, 65, 129):
        problem = covering(options, min(options, 24), rng)
        best = [*search(problem, goal="minimum")][-1]
        for case, known in ((problem, best), (problem, None), (build_without_costs(problem), None)):
            spoken, silent = (ProofLog(pseudo_boolean(case), Limits(nodes=200), silent=mute) for mute in (False, True))
            said, rest = ("".join(log.lines(known)) for log in (spoken, silent))
            assert (spoken.nodes, spoken.answers, spoken.best) == (silent.nodes, silent.answers, silent.best)
            assert not re.search("^(rup|solx|del|pol .*\n.*pol)", rest, re.MULTILINE) and len(rest) <= len(said)


def test_a_line_that_is_longer_than_the_room_for_lines() -> None:
    """The kernel has room for 65536 bytes at first; the line of this answer has more."""
    problem = build([(1, 1)] * 12_000, [[i] for i in range(12_000)])
    lines = proof_of(problem)[1]
    assert max(map(len, lines)) > 65_536
    found = shown(problem, lines)
    assert (found.kind, found.answers, found.true) == ("all", 1, tuple(range(12_000)))


def test_proofs_are_the_same_compiled_and_interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(7)
    cases: list[tuple[Problem, Sequence[int] | None]] = [(build_without_costs(drawn(rng)), None) for _ in range(20)]
    for options in (5, 64, 65, 128, 128, 129):
        problem = covering(options, min(options, 24), rng)
        cases.append((problem, [*search(problem, goal="minimum")][-1]))
    for vertices in (24, 25):
        problem = touched(vertices, rng)
        cases.append((problem, [*search(problem, goal="minimum")][-1]))
    compiled = [proof_of(*case)[1] for case in cases]
    assert sum(line.startswith("pol") for lines in compiled for line in lines) > 20
    for module in (logged, node_bounds, priced_row):
        monkeypatch.setattr(module, "load", partial(load, interpreted=True))
    assert [proof_of(*case)[1] for case in cases] == compiled


def test_the_checker_says_the_same_compiled_and_interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """And without Cython, for which _units.py has a stand-in."""
    rng = random.Random(5)
    cases = []
    for k in range(60):
        problem = build_without_costs(drawn(rng)) if k % 2 else with_costs(drawn(rng), rng)
        lines = proof_of(problem)[1]
        cases += [(problem, lines), (problem, damaged(lines, rng)), (problem, damaged(lines, rng))]
    compiled = [said(*case) for case in cases]
    monkeypatch.setitem(sys.modules, "cython", None)  # so that it can't be imported
    monkeypatch.setattr(checker, "Units", runpy.run_path(str(Path(checker.__file__).with_name("_units.py")))["Units"])
    assert [said(*case) for case in cases] == compiled


def said(problem: Problem, lines: Sequence[str]) -> object:
    try:
        return shown(problem, lines)
    except BadProof as fault:
        return fault.line, fault.what


def test_a_checker_with_rows_of_every_length_that_come_and_go() -> None:
    """Clauses, sums and rows that nothing or everything meets, beside code that tries all assignments."""
    rng = random.Random(6)
    for _ in range(150):
        variables = rng.randint(1, 7)
        units, rows = checker.Units(variables), dict[int, tuple[list[int], list[int], int]]()
        for number in range(1, 40):
            if rows and rng.random() < 0.4:
                gone = rng.choice(list(rows))
                del rows[gone]
                units.drop(gone)
            literals = [2 * v + rng.randint(0, 1) for v in rng.sample(range(variables), rng.randint(0, variables))]
            weights = [rng.choice((1, 1, 2, 5)) for _ in literals]
            rows[number] = literals, weights, rng.randint(-1, max(sum(weights), 1))
            units.add(number, *rows[number])
            assumed = [2 * v + rng.randint(0, 1) for v in rng.sample(range(variables), rng.randint(0, variables))]
            closure = by_hand(rows.values(), assumed)
            found = units.follows(assumed)
            assert (None if found is None else sorted(found)) == closure
            assert units.contradicts(assumed) == (closure is None)


def by_hand(rows: Iterable[tuple[list[int], list[int], int]], assumed: Sequence[int]) -> list[int] | None:
    """What unit propagation settles, by looking at every row until nothing changes."""
    true = set(assumed)
    while True:
        before = len(true)
        for literals, weights, degree in rows:
            room = sum(c for literal, c in zip(literals, weights, strict=True) if literal ^ 1 not in true) - degree
            if room < 0:
                return None
            true.update(x for x, c in zip(literals, weights, strict=True) if c > room and x ^ 1 not in true)
        if len(true) == before:
            return sorted(true)


def test_limits_leave_a_proof_that_says_so() -> None:
    problem = build([(1, 1)] * 12, [[i, 12 - 1 - i] for i in range(6)] * 3)
    for limits in (Limits(nodes=1), Limits(seconds=0)):
        log = ProofLog(pseudo_boolean(problem), limits)
        lines = "".join(log.lines()).splitlines()
        assert log.status in ("limit", "exhausted")
        assert verify(read_opb("".join(write_opb(problem)).splitlines()), lines).kind in ("nothing", "all")
    stopped = ProofLog(pseudo_boolean(problem))
    stopped.interrupt()
    text = "".join(stopped.lines())
    assert stopped.status == "exhausted" or "% unfinished: interrupted" in text


def test_the_bound_of_a_linear_program_closes_a_proof_at_once() -> None:
    """A covering design, C(8, 4, 3) = 14: the linear program's value is 14, too."""
    triples = {triple: i for i, triple in enumerate(combinations(range(8), 3))}
    blocks = [[triples[triple] for triple in combinations(block, 3)] for block in combinations(range(8), 4)]
    design = build([(1, len(blocks))] * len(triples), blocks, costs=[1] * len(blocks))
    best = [*search(design, goal="minimum")][-1]
    log, lines = proof_of(design, best)
    assert (log.best, log.nodes, len(lines)) == (14, 1, 8)
    assert shown(design, lines).least == 14
    dearer = [line.replace("BOUNDS 14", "BOUNDS 15") for line in lines]
    with pytest.raises(BadProof):
        shown(design, dearer)


def test_nodes_are_pinned() -> None:
    """A change to the search that closes more nodes makes proofs longer; it should be seen."""
    squares = [(r, c) for r in range(7) for c in range(7)]
    queens = build(
        [(1, 1)] * 14 + [(0, 1)] * 26,
        [[r, 7 + c, 14 + r + c, 27 + r - c + 6] for r, c in squares],
    )
    log, lines = proof_of(queens)
    assert (log.answers, log.nodes, len(lines)) == (40, 102, 192)
    pairs = {pair: i for i, pair in enumerate(combinations(range(7), 2))}
    blocks = [[pairs[pair] for pair in combinations(block, 2)] for block in combinations(range(7), 4)]
    design = build([(1, len(blocks))] * len(pairs), blocks, costs=[1] * len(blocks))
    log, lines = proof_of(design, [*search(design, goal="minimum")][-1])
    assert (log.best, log.nodes, len(lines)) == (5, 88, 253)


@pytest.mark.parametrize(
    ("factors", "sums"),
    [
        ((1, 2, 3, 4, 5), ((3, 4), (9, 9))),
        ((1, 1, 1, 1, 1, 1), ((2, 2), (4, 4), (6, 6))),
        ((4, -3), ((-4, 1), (4, 19))),
        ((-2, -2, 3, 5), ((-9, -4), (-2, -1), (1, 1), (3, 3), (5, 99))),
    ],
)
def test_totals_with_several_ranges_are_proved(factors: Sequence[int], sums: Sequence[tuple[int, int]]) -> None:
    """The answer's options settle which range it is, by unit propagation alone."""
    terms = tuple([(o, c) for o, c in enumerate(factors)])
    problem = build([(0, 9)], [[0]] * len(factors), sides=[Total(terms, tuple(sums))])
    count = sum(1 for _ in reference.answers(problem))
    assert shown(problem, proof_of(problem)[1]).answers == count > 0
    priced = evolve(problem, costs=tuple(range(-1, len(factors) - 1)))
    best = [*reference.answers(priced, "minimum")][-1]
    for known in (None, best):
        assert shown(priced, proof_of(priced, known)[1]).least == cost(priced, best)
