"""What a search by orbits (orbital.py) has left at a node, and which orbit it branches on."""

from __future__ import annotations

from collections.abc import Sequence

from covr.frozen import frozen


@frozen
class OpenCover:
    """What is left of a covering problem at a node.

    needs: per item, at least 1.  options: their items, by place in `needs`.  costs: per option, at least 1.
    numbers: per option, its number at the root.  taken, paid: the options taken so far, as at the root; their cost.
    """

    needs: Sequence[int]
    options: Sequence[Sequence[int]]
    costs: Sequence[int]
    numbers: Sequence[int]
    taken: tuple[int, ...]
    paid: int

    def without(self, gone: Sequence[int], taken: Sequence[int]) -> OpenCover:
        """What is left when some options (places here) are left out, and others taken."""
        need = list(self.needs)
        for o in taken:
            for i in self.options[o]:
                need[i] -= 1
        place: dict[int, int] = {}
        for i, k in enumerate(need):
            if k > 0:
                place[i] = len(place)
        decided = {*gone, *taken}
        options, costs, numbers = [], [], []
        for o, held in enumerate(self.options):
            kept = tuple([place[i] for i in held if i in place]) if o not in decided else ()
            if kept:
                options.append(kept)
                costs.append(self.costs[o])
                numbers.append(self.numbers[o])
        return OpenCover(
            [need[i] for i in place],
            options,
            costs,
            numbers,
            (*self.taken, *(self.numbers[o] for o in taken)),
            self.paid + sum(self.costs[o] for o in taken),
        )


@frozen
class Waiting:
    """A node that waits to be searched: `rest` without the options `gone`, and with those of `taken`.

    bound: no cover here costs less.  share: of the whole search.
    """

    rest: OpenCover
    gone: Sequence[int]
    taken: Sequence[int]
    bound: int
    share: float


def chosen(rest: OpenCover, among: Sequence[Sequence[int]], leaving: bool) -> Sequence[int]:
    """The orbit to branch on. leaving: whether one of its options is left out, or else taken. Of several, the first.

    Where one is left out, an orbit of many options whose items have few: the largest sum of need / holders over all
    items of all its options. Where one is taken, an orbit of options that hold many items, among them a scarce one: the
    largest product of their number with the largest need / holders; then the largest orbit.
    """
    held = [0] * len(rest.needs)
    for option in rest.options:
        for i in option:
            held[i] += 1
    pressure = [need / count for need, count in zip(rest.needs, held, strict=True)]
    if leaving:
        return max(among, key=lambda orbit: len(orbit) * sum(pressure[i] for i in rest.options[orbit[0]]))
    worth = {}
    for orbit in among:
        items = rest.options[orbit[0]]
        worth[orbit[0]] = (max(pressure[i] for i in items) * len(items), len(orbit))
    return max(among, key=lambda orbit: worth[orbit[0]])
