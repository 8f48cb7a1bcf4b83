"""What is left of a problem between its bound and its best answer: the program that HiGHS is given in its place.

Once the linear program at the root is solved and an answer is known, an option whose reduced cost is as large as the
gap between them is in no cheaper answer (mixed_tree.py). Where few options remain, HiGHS is given these alone, and the
options of the best answer. That is cheapest among them if and only if it is cheapest of all: so bounds and answers
of the smaller program are those of the problem.

Measured in CPU seconds of one run each, on a busy machine (benchmarks/_airline_instances.py): 400 flights and 4000
pairings, seed 1: 9.0 by our tree alone, 5.6 with this, 4.7 by HiGHS alone. Where the best answer is far from the bound,
as with 800 flights, most options are left, and HiGHS is given the whole problem later (mixed.py).
"""

from __future__ import annotations

from collections.abc import Collection

from attrs import evolve

from covr.engine.base.heed import heeded
from covr.engine.minimum.mixed_core import MixedCore
from covr.engine.minimum.mixed_tree import Root
from covr.engine.problem import Problem
from covr.engine.witness import carried

SHARE = 4  # HiGHS is given what is left where that is at most one in so many options
FEWEST = 200  # options of the core, at least: smaller problems are soon solved as they are


def narrow(
    problem: Problem, core: MixedCore, root: Root, ceiling: int, best: Collection[int]
) -> tuple[Problem, list[int]] | None:
    """The problem of the options that matter, and their numbers in `problem`; None where too many matter.

    problem: one without sides.  core: its core, and what was proved at its root under a ceiling at which no answer
    cheaper than `best` was lost.  ceiling: the most, in the core, that a cheaper answer may cost.  best: the cheapest
    answer known, with the given options. Linear time.
    """
    gap = core.barrier(ceiling) - root.bound
    left = [*root.taken, *(o for o in heeded(root.free) if root.reduced[o] < gap)]
    if len(core.options) < FEWEST or SHARE * len(left) > len(core.options):
        return None
    kept = sorted({*best, *problem.given, *(core.numbers[o] for o in left)})
    witness = None
    if core.witness is not None and core.worth <= ceiling:
        own = evolve(problem, witness=tuple(sorted([*problem.given, *(core.numbers[o] for o in core.witness)])))
        witness = carried(own, kept, by="what is left between the bound and the best answer")
    starts: list[int] = [0]
    members: list[int] = []
    colours: list[int] = []
    for o in heeded(kept):
        members += problem.option(o)
        colours += problem.option_colours(o)
        starts.append(len(members))
    place = {o: k for k, o in enumerate(kept)}
    return (
        evolve(
            problem, starts=starts, members=members, colours=colours if problem.colours else (),
            costs=[problem.costs[o] for o in kept], given=tuple(place[o] for o in problem.given),
            item_names=(), option_names=(), projection=None, witness=witness,
        ),
        kept,
    )  # fmt: skip
