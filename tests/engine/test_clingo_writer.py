"""Single rules for clingo allow what they say, whatever literals are true."""

from __future__ import annotations

from contextlib import nullcontext
from importlib.util import find_spec
from itertools import product
from random import Random

import pytest

from covr.engine.outside.clingo import control_of
from covr.engine.outside.clingo_shares import RuleWriter, new_atoms

pytestmark = pytest.mark.skipif(find_spec("clingo") is None, reason="clingo is not installed")

Rows = list[tuple[bool, ...]]


@pytest.mark.parametrize("first", range(0, 60, 20))
def test_numbers_and_weights_of_literals_lie_in_their_ranges(first: int) -> None:
    for seed in range(first, first + 20):
        for together in (False, True):
            found, expected = models_of_a_rule(seed, together)
            assert found == expected, seed


def models_of_a_rule(seed: int, together: bool) -> tuple[Rows, Rows]:
    """What clingo finds under a random rule about atoms that are chosen freely, and what it should. In two of three
    cases the rule holds only where another atom is true, or false. together: whether rules are handed over together."""
    rng = Random(seed)
    size = rng.randint(0, 6)
    signs = [rng.choice((1, -1)) for _ in range(size)]
    weights = [rng.choice((1, 1, 2, -1, 3)) for _ in range(size)]
    plain = rng.random() < 0.5
    low, high = sorted((rng.randint(-1, size + 1), rng.randint(-1, size + 1)))
    ranges = tuple([(x, x) for x in sorted(rng.sample(range(-6, 12), rng.randint(0, 3)))])
    switch = rng.choice((None, True, False))

    def allowed(row: tuple[bool, ...]) -> bool:
        truths = [told == (sign > 0) for told, sign in zip(row, signs, strict=False)]
        if switch is not None and row[-1] is not switch:
            return True
        if plain:
            return max(low, 0) <= sum(truths) <= max(high, 0)
        total = sum(weight for told, weight in zip(truths, weights, strict=True) if told)
        return any(one <= total <= other for one, other in ranges)

    control = control_of(["0"])
    new = new_atoms()
    atoms = [new() for _ in range(size + (switch is not None))]
    with control.backend() as backend:
        write = RuleWriter(backend, new)
        when = [] if switch is None else [atoms[-1] if switch else -atoms[-1]]
        with write.together() if together else nullcontext(), write.only_if(when):
            write.choose(atoms)
            literals = [sign * atom for sign, atom in zip(signs, atoms, strict=False)]
            if plain:
                write.many(max(low, 0), max(high, 0), literals)
            else:
                write.within(list(zip(literals, weights, strict=True)), ranges)
    found: Rows = []
    with control.solve(yield_=True) as call:
        found.extend(tuple([model.is_true(atom) for atom in atoms]) for model in call)
    return sorted(found), [row for row in product((False, True), repeat=len(atoms)) if allowed(row)]


def test_atoms_that_are_added_between_calls_are_new() -> None:
    """What a call makes for itself, as for weights, is not taken for an atom that is written later."""
    control, new = control_of(["0"]), new_atoms()
    atoms = [new() for _ in range(4)]
    with control.backend() as backend:
        write = RuleWriter(backend, new)
        write.choose(atoms)
        write.within([(atom, 1) for atom in atoms[:3]] + [(atoms[3], 2)], ((1, 1), (3, 3)))
    for kept in range(4, 0, -1):
        with control.solve(yield_=True) as call:
            found = [tuple([model.is_true(atom) for atom in atoms]) for model in call]
        expected = [
            row
            for row in product((False, True), repeat=4)
            if sum(row[:3]) + 2 * row[3] in (1, 3) and (kept == 4 or all(not told for told in row[kept:]))
        ]
        assert sorted(found) == expected
        with control.backend() as backend:
            write = RuleWriter(backend, new)
            some = write.one_of([atoms[kept - 1], write.reaching(2, [(atom, 1) for atom in atoms[kept - 1 :]]) or 0])
            write.forbid([some])
