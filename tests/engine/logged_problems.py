"""Problems about which proofs are written, the proofs, and what can be damaged in them."""

from __future__ import annotations

import random
from collections.abc import Sequence

from attrs import evolve

from covr.compiler.formats.linear import pseudo_boolean, write_opb
from covr.engine import Problem, build
from covr.engine.problem import only_totals
from covr.engine.proofs.logged import ProofLog
from covr.verify.checker import ProofResult, read_opb, verify
from tests.engine.features import tiny, union
from tests.engine.sided import sided


def proof_of(problem: Problem, known: Sequence[int] | None = None) -> tuple[ProofLog, list[str]]:
    """A proof about a problem, as lines."""
    log = ProofLog(pseudo_boolean(problem))
    return log, "".join(log.lines(known)).splitlines(keepends=True)


def shown(problem: Problem, lines: Sequence[str]) -> ProofResult:
    """What the checker says that a proof shows."""
    return verify(read_opb("".join(write_opb(problem)).splitlines()), lines)


def drawn(rng: random.Random) -> Problem:
    """A small problem without connections and loops."""
    if rng.random() < 0.5:
        return union(tiny(rng), rng).problem
    while True:
        problem = sided(rng)
        if only_totals(problem.sides):
            return problem


def build_without_costs(problem: Problem) -> Problem:
    """The same problem, in which nothing is minimised."""
    return evolve(problem, costs=())


def with_costs(problem: Problem, rng: random.Random) -> Problem:
    return evolve(problem, costs=tuple([rng.randint(-3, 9) for _ in range(problem.options)]))


def damaged(lines: Sequence[str], rng: random.Random) -> list[str]:
    """The lines with one left out, one twice, two exchanged, or a number changed."""
    changed = list(lines)
    k = rng.randrange(1, len(changed))
    match rng.randrange(4):
        case 0:
            del changed[k]
        case 1:
            changed.insert(k, changed[k])
        case 2:
            other = rng.randrange(1, len(changed))
            changed[k], changed[other] = changed[other], changed[k]
        case _:
            words = changed[k].split(" ")
            at = rng.randrange(len(words))
            words[at] = words[at].replace("1", rng.choice("023")) if "1" in words[at] else words[at].replace("~", "")
            changed[k] = " ".join(words)
    return changed


def covering(options: int, items: int, rng: random.Random) -> Problem:
    """A set cover, in which some items must be covered twice and every fifth needn't be."""
    sets = [set(rng.sample(range(items), rng.randint(0, min(items, 5)))) for _ in range(options)]
    for i in range(items):
        rng.choice(sets).add(i)
    often = [sum(i in chosen for chosen in sets) for i in range(items)]
    must = items - items // 5
    bounds = [(min(n, rng.choice((1, 1, 2))) if i < must else 0, n) for i, n in enumerate(often)]
    return build(bounds, [sorted(chosen) for chosen in sets], costs=[rng.randint(3, 5) for _ in sets])


def touched(vertices: int, rng: random.Random) -> Problem:
    """Vertices that touch every edge of a graph: half of each is enough for a linear program, so that bounds at nodes
    matter."""
    edges = sorted({tuple(sorted(rng.sample(range(vertices), 2))) for _ in range(2 * vertices)})
    holding = [[e for e, ends in enumerate(edges) if v in ends] for v in range(vertices)]
    return build([(1, 2)] * len(edges), holding, costs=[rng.randint(3, 5) for _ in range(vertices)])
