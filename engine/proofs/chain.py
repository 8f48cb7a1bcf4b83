"""A reason as a person would follow it: suppose the opposite, and say step by step what follows until a rule breaks.

A reason of several conditions says what a conclusion rests on, not how. Here it is told as a *chain*: the conclusion is
given the wrong value, and each link draws, from one condition, values from those before it, until a condition can't
be met. What is known is used without being named, apart from *facts*, of which is told which are used. Where conditions
can't be followed one at a time, because cases have to be told apart, there is no chain.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

from covr.engine.proofs.decide import Decider, Forced
from covr.engine.proofs.ground import Ground
from covr.frozen import frozen

ENDLESS = 1 << 62  # units of work: there is no limit, since one chain takes a millisecond or a few


@frozen
class ChainLink:
    """What one condition says of open options after those of the links before. taken, out: increasing."""

    condition: int
    taken: tuple[int, ...]
    out: tuple[int, ...]


@frozen
class HintChain:
    """An argument that ends in a contradiction.

    option, taken: what is supposed.  links: in order.  broken: the condition that can't be met then.
    facts: those that are used."""

    option: int
    taken: bool
    links: tuple[ChainLink, ...]
    broken: int
    facts: frozenset[int] = frozenset()


def chain_of(
    ground: Ground,
    conditions: Set[int],
    option: int,
    taken: bool,
    implied: Mapping[int, int],
    facts: Mapping[int, bool],
) -> HintChain | None:
    """Why an option that is open in `ground` has not the value `taken`, by these conditions; None if it takes cases.

    implied: conditions, and the one of these that may stand for each (implied.py).  facts: open options whose values
    are known, to which the argument is held."""
    decider = Decider(ground, frozenset(), implied=implied)
    decider.most = ENDLESS
    found = decider.follow(conditions, [*facts.items(), (option, taken)])
    if found is None:
        return None
    return HintChain(option, taken, _links(found), found.broken, found.assumed - {option})


def shortest(chains: Sequence[HintChain | None]) -> HintChain | None:
    """The chain with the fewest facts, links and values, if there is any; the first on ties."""

    def length(chain: HintChain) -> tuple[int, int]:
        return len(chain.facts) + len(chain.links), sum(len(x.taken) + len(x.out) for x in chain.links)

    return min((chain for chain in chains if chain is not None), key=length, default=None)


def _links(found: Forced) -> tuple[ChainLink, ...]:
    """The values of a proof, those of one condition together where no other's lie between them."""
    links: list[ChainLink] = []
    for c, o, v in found.line:
        last = links.pop() if links and links[-1].condition == c else ChainLink(c, (), ())
        taken, out = ((o,), ()) if v else ((), (o,))
        links.append(ChainLink(c, tuple(sorted((*last.taken, *taken))), tuple(sorted((*last.out, *out)))))
    return tuple(links)
