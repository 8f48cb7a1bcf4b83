"""What may be written is understood by every command that explains: `why`, `trace`, JSON and conversions agree on it.

Each form of a rule stands alone in a small model, so that its answers are found by trying every set of choices, and
whatever is no answer contradicts this rule and nothing else.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from tests.covr.command import run

HEAD = "cells x in 1..3\nchoose a(x)\nchoose b(x)\n"
CHOICES = [(family, x) for family in "ab" for x in (1, 2, 3)]
TABLE = 'let t = table """\n  x k\n  1 2\n  2 1\n  3 3\n"""\n'

Taken = frozenset[tuple[str, int]]


def some(taken: Taken, family: str, *numbers: int) -> int:
    """How many of these choices are taken."""
    return sum((family, x) in taken for x in numbers)


# What is written, and what it means.
FORMS: dict[str, tuple[str, Callable[[Taken], bool]]] = {
    "a total whose coefficients depend on the key": (
        'at least 2 * k total x * k of a per k in 1..2 "told"',
        lambda taken: sum(x for f, x in taken if f == "a") >= 2,
    ),
    "a map of quantities": (
        'exactly {1: 2, 2: 0, 3: 1}[x] a or b per x "told"',
        lambda taken: [some(taken, "a", x) + some(taken, "b", x) for x in (1, 2, 3)] == [2, 0, 1],
    ),
    "a map that is made": (
        'let m = {x: 4 - x for x in 1..3 where x != 2}\nat most 3 total m[x] of a where x in m "told"',
        lambda taken: 3 * some(taken, "a", 1) + some(taken, "a", 3) <= 3,
    ),
    "fields by name": (
        TABLE + 'at most t["k"][3] total {e["x"]: e["k"] for e in t}[x] of a "told"',
        lambda taken: 2 * some(taken, "a", 1) + some(taken, "a", 2) + 3 * some(taken, "a", 3) <= 3,
    ),
    "then all": (
        'if a(1) then all b(x) for x in 2..3 "told"',
        lambda taken: not some(taken, "a", 1) or some(taken, "b", 2, 3) == 2,
    ),
    "then some": (
        'if a(1) then some b(x) for x in 2..3 "told"',
        lambda taken: not some(taken, "a", 1) or some(taken, "b", 2, 3) > 0,
    ),
    "then no": (
        'if a(1) then no b(x) for x in 2..3 "told"',
        lambda taken: not some(taken, "a", 1) or some(taken, "b", 2, 3) == 0,
    ),
    "several choices before then": (
        'if a(1) and not a(2) or a(3) then b(1) "told"',
        lambda taken: (
            not ((some(taken, "a", 1) and not some(taken, "a", 2)) or some(taken, "a", 3)) or some(taken, "b", 1) == 1
        ),
    ),
    "if and only if": (
        'if and only if a(x) then b(4 - x) for x in 1..3 "told"',
        lambda taken: all(some(taken, "a", x) == some(taken, "b", 4 - x) for x in (1, 2, 3)),
    ),
    "a count after then": (
        'if a(x) then exactly 1..2 b(y) or a(y) for y in 1..3 where y != x "told"',
        lambda taken: all(
            1 <= some(taken, "a", *{1, 2, 3} - {x}) + some(taken, "b", *{1, 2, 3} - {x}) <= 2
            for x in (1, 2, 3)
            if some(taken, "a", x)
        ),
    ),
    "a total after then, in both directions": (
        'if and only if a(1) then at least 2 total y - 2 of b(y) or 2 of a(2) for y in 1..3 "told"',
        lambda taken: some(taken, "a", 1) == (some(taken, "b", 3) - some(taken, "b", 1) + 2 * some(taken, "a", 2) >= 2),
    ),
    "parts after then": (
        'if a(x) then not b(x) and at most 1 a(y) for y in 1..3 "told"',
        lambda taken: all(
            not some(taken, "b", x) and some(taken, "a", 1, 2, 3) <= 1 for x in (1, 2, 3) if some(taken, "a", x)
        ),
    ),
    "all alike": (
        'all alike x of a per k in 1..2 where x != k "told"',
        lambda taken: len({some(taken, "a", x) for x in (1, 2, 3)}) == 1,
    ),
    "all alike, of things with several choices": (
        'all alike k in 1..2 of b on 1 where x in {k, k + 1} "told"',
        lambda taken: some(taken, "b", 1, 2) == some(taken, "b", 2, 3),
    ),
    "all different": (
        'all different k in 1..2 of a on x mod 2 where x in {k, k + 1} "told"',
        lambda taken: some(taken, "a", 1) != some(taken, "a", 3),
    ),
    "two counts in both directions": (
        'if and only if a(1) then exactly {0, 2} b(y) and some a(y + 1) for y in 1..3 "told"',
        lambda taken: some(taken, "a", 1) == (some(taken, "b", 1, 2, 3) in (0, 2) and some(taken, "a", 2, 3) > 0),
    ),
}
SETS = [frozenset(c for c, here in zip(CHOICES, bits, strict=True) if here) for bits in product((0, 1), repeat=6)]
ENDINGS = {"json": "json", "dlx": "dlx", "lp": "lp", "mps": "mps"}  # formats that are written and read


def fixed(taken: Taken) -> str:
    """Statements that leave no choice open."""
    return "".join(f"{'given' if c in taken else 'forbid'} {c[0]}({c[1]})\n" for c in CHOICES)


@pytest.mark.parametrize("form", FORMS)
def test_its_answers_are_listed_and_traced(form: str) -> None:
    text, holds = FORMS[form]
    wanted = {taken for taken in SETS if holds(taken)}
    listed = run("solve", "-", "--all", "--json", input=HEAD + text)
    assert listed.exit_code == 0, listed.output
    answers = [line["choices"] for line in map(json.loads, listed.stdout.splitlines()) if "choices" in line]
    found = [frozenset((c["family"], c["args"][0]) for c in answer) for answer in answers]
    assert len(found) == len(wanted) and set(found) == wanted
    traced = run("trace", "-", input=HEAD + text)
    assert traced.exit_code == 0 and traced.stderr.startswith(f"{len(wanted)} solution"), traced.output


@pytest.mark.parametrize("form", FORMS)
def test_what_breaks_it_is_told_why(form: str) -> None:
    """Everything else is a given or a choice that is forbidden, so the rule is always part of the reason."""
    text, holds = FORMS[form]
    wrong = [taken for taken in SETS if not holds(taken)]
    assert wrong
    for taken in random.Random(form).sample(wrong, min(3, len(wrong))):
        said = run("why", "-", input=HEAD + text + "\n" + fixed(taken))
        assert said.exit_code == 0 and "told" in said.stdout, said.output


@pytest.mark.parametrize("form", FORMS)
def test_it_is_converted_or_refused(form: str, tmp_path: Path) -> None:
    """What is written has as many answers when it is read again; what can't be is one clear fault."""
    text, holds = FORMS[form]
    for name, ending in ENDINGS.items():
        target = tmp_path / f"out.{ending}"
        done = run("convert", "-", str(target), input=HEAD + text)
        if done.exit_code:
            assert done.exit_code == 2 and done.stderr.count("error") == 1 and not target.exists(), (name, done.output)
            continue
        counted = run("count", str(target))
        assert counted.stdout.strip() == str(sum(map(holds, SETS))), (name, counted.output)
