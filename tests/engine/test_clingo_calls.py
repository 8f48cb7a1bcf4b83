"""Rules that a kernel hands to clingo are those that clingo's own methods are given, and true atoms are those that
these tell, compiled and interpreted."""

from __future__ import annotations

from array import array
from importlib.util import find_spec
from random import Random
from typing import Any

import pytest

from covr.engine.kernels.loading import load
from covr.engine.outside import clingo_shares as clingo_calls
from covr.engine.outside.clingo import control_of

pytestmark = pytest.mark.skipif(find_spec("clingo") is None, reason="clingo is not installed")

FORMS = [False, True]


def rules(interpreted: bool, backend: Any, refused: Any) -> Any:
    """Rules on their way to clingo."""
    known = clingo_calls.calls()
    if known is None:
        pytest.skip("the addresses are not known")
    where = clingo_calls.address(backend)
    return load("_rules", interpreted=interpreted).HeldRules(known.rule, known.weights, where, refused)


def random_rules(rng: Random, atoms: int) -> list[tuple[str, tuple[Any, ...]]]:
    """Rules with heads of any length, as arguments of `rule`, `weights` and `none_of`."""
    found: list[tuple[str, tuple[Any, ...]]] = [("rule", ([*range(1, atoms + 1)], [], True))]
    for _ in range(rng.randint(1, 6)):
        head = rng.sample(range(1, atoms + 1), rng.choice((0, 0, 1, 1, 2)))
        body = [rng.choice((1, -1)) * a for a in rng.sample(range(1, atoms + 1), rng.randint(0, 3))]
        kind = rng.choice(("rule", "weights", "none_of"))
        if kind == "rule":
            found.append((kind, (head, body, bool(head) and rng.random() < 0.3)))
        elif kind == "weights":
            found.append((kind, (head, rng.randint(1, 6), [(literal, rng.randint(1, 3)) for literal in body])))
        else:
            found.append((kind, ([atoms + 1], [[abs(literal) for literal in body]], [*range(atoms + 1)])))
    return found


def models(write: Any) -> list[list[bool]]:
    """What clingo finds where the rules were written, as atoms from 1."""
    control = control_of(["0"])
    with control.backend() as backend:
        write(backend)
    with control.solve(yield_=True) as call:
        return sorted([model.is_true(atom) for atom in range(1, 8)] for model in call)


@pytest.mark.parametrize("interpreted", FORMS)
def test_rules_say_the_same(interpreted: bool) -> None:
    several = 0
    for seed in range(60):
        said = random_rules(Random(seed), 6)

        def by_kernel(backend: Any) -> None:
            held = rules(interpreted, backend, None)
            for kind, arguments in said:  # noqa: B023
                getattr(held, kind)(*arguments)
            held.hand_over()

        def one_by_one(backend: Any) -> None:
            for kind, arguments in said:  # noqa: B023
                if kind == "none_of":
                    backend.add_rule(arguments[0], [-atom for atom in arguments[1][0]])
                else:
                    (backend.add_rule if kind == "rule" else backend.add_weight_rule)(*arguments)

        found = models(by_kernel)
        assert found == models(one_by_one), seed
        several += len(found) > 1
    assert several > 20


@pytest.mark.parametrize("interpreted", FORMS)
def test_many_and_long_rules_are_handed_over(interpreted: bool) -> None:
    control = control_of(["0"])
    with control.backend() as backend:
        held = rules(interpreted, backend, None)
        held.rule(range(1, 200_001), [], True)
        held.rule([], range(1, 200_001))
        for atom in range(3, 20_001):
            held.rule([], [atom])
        held.rule([], [1, -2])
        held.rule([], [20_001, 20_002])
        for atom in range(20_003, 200_001):
            held.rule([atom], [])
        held.hand_over()
    with control.solve(yield_=True) as call:
        found = [[model.is_true(a) for a in (1, 2, 3, 20_000, 20_001, 20_002, 200_000)] for model in call]
    assert len(found) == len(set(map(tuple, found))) == 3 * 3
    assert all(one[2:4] == [False, False] and one[6] and one[:2] != [True, False] for one in found)


@pytest.mark.parametrize("interpreted", FORMS)
def test_true_atoms_are_those_that_clingo_tells(interpreted: bool) -> None:
    known = clingo_calls.calls()
    if known is None:
        pytest.skip("the addresses are not known")
    control = control_of(["0"])
    with control.backend() as backend:
        backend.add_rule([*range(1, 7)], [], True)
    module, met = load("_rules", interpreted=interpreted), 0
    with control.solve(yield_=True) as call:
        for model in call:
            atoms = array("i", [6, 1, 3, 9, -2])
            expected = [k for k, atom in enumerate(atoms) if model.is_true(atom)]
            assert module.true_atoms(known.is_true, clingo_calls.address(model), atoms) == expected
            assert clingo_calls.true_atoms(model, atoms) == expected
            met += 1
    assert met == 2**6


def test_other_signatures_are_not_called(monkeypatch: pytest.MonkeyPatch) -> None:
    other = {**clingo_calls.SIGNATURES, "clingo_backend_rule": "_Bool(*)(int)"}
    monkeypatch.setattr(clingo_calls, "SIGNATURES", other)
    assert clingo_calls.calls.__wrapped__() is None
    monkeypatch.setattr(clingo_calls, "SIGNATURES", {"clingo_no_such_function": ""})
    assert clingo_calls.calls.__wrapped__() is None
