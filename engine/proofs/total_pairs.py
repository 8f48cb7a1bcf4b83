"""What a total forces together with one item, or with another total: every sum that can occur is tried.

Sets of sums are whole numbers in which bit s stands for the sum s, shifted so that the least sum is bit 0. Going
through the members forwards gives the sums that those before a member can reach, and going backwards those that those
after it may still use. A member can have a value if the two meet. So a pair takes time linear in its members, for the
width of its sums in words.

Items in which at most one option may still be taken are looked at, and totals that count every option they share alike.
With these, whether any two conditions force something is known for sure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from covr.engine.prepare.bitsets import few_members_of
from covr.engine.proofs.ground import Ground

BITS = 1 << 28  # bits that all pairs together may shift; about a tenth of a second

Values = list[tuple[int, bool]]
Terms = list[tuple[int, int]]


class TotalPairs:
    """What each pair of a total and another condition forces. Iterate to get the pairs that force anything.

    sure: whether nothing is missed: after iterating, false if there were conditions that are not looked at."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self.sure = not ground.shades and not ground.shapes
        self._spent = 0

    def __iter__(self) -> Iterator[tuple[int, int, Values]]:
        """Pairs of conditions, increasing, with the values that they force. Conditions must force nothing alone."""
        ground = self._ground
        for c in sorted(ground.terms):
            near = {d for o in ground.members[c] for d in ground.of[o] if d != c}
            for d in sorted(near):
                if d in ground.shades or d in ground.shapes or (d in ground.terms and d < c):
                    continue
                if not self._pays(c, d) or (d in ground.low and ground.high[d] > 1):
                    self.sure = False
                    continue
                found = self._with_total(c, d) if d in ground.terms else self._with_item(c, d)
                if found:
                    yield min(c, d), max(c, d), found

    def _pays(self, c: int, d: int) -> bool:
        """Whether there is work left for a pair."""
        ground = self._ground
        for k in (c, d):
            if k in ground.terms:
                least, most = ground.spans[k]
                self._spent += (most - least + 1) * 4 * len(ground.terms[k])
        return self._spent <= BITS

    def _with_item(self, c: int, i: int) -> Values:
        ground = self._ground
        here, low = ground.members[i], ground.low[i]
        terms, wanted = ground.terms[c], _wanted(ground, c)
        least, most = ground.spans[c]
        shared = [o for o in here if o in terms]
        beside = [o for o in here if o not in terms]
        rest = [(o, n) for o, n in terms.items() if o not in shared]
        sums = _reached(rest, least, most)
        none = wanted if beside or not low else 0  # sums of the rest, if no shared option is taken
        ways = {o: _moved(wanted, -terms[o], least, most) for o in shared}
        able = [o for o in shared if sums & ways[o]]
        found = [(o, False) for o in shared if o not in able]
        if not sums & none:
            found += [(o, False) for o in beside]
            if len(able) == 1:
                found.append((able[0], True))
        elif not able and low and len(beside) == 1:
            found.append((beside[0], True))
        target = none
        for o in shared:
            target |= ways[o]
        return found + _forced(rest, target, least, most)

    def _with_total(self, c: int, d: int) -> Values:
        ground = self._ground
        one, other = ground.terms[c], ground.terms[d]
        shared = [(o, n) for o, n in one.items() if o in other]
        if any(other[o] != n for o, n in shared):
            self.sure = False
            return []
        least, most = _span(shared)
        allowed = (1 << (most - least + 1)) - 1
        for k in (c, d):
            allowed &= self._left_for(k, dict(shared), least)
        found = _forced(shared, allowed, least, most)
        sums = [s + least for s in few_members_of(_reached(shared, least, most) & allowed)]
        for k in (c, d):
            span, wanted = ground.spans[k], _wanted(ground, k)
            target = 0
            for s in sums:
                target |= _moved(wanted, -s, *span)
            found += _forced([(o, n) for o, n in ground.terms[k].items() if o not in dict(shared)], target, *span)
        return found

    def _left_for(self, c: int, shared: dict[int, int], least: int) -> int:
        """The sums of some members of a total with which the others can meet it; bit 0 is the sum `least`."""
        ground = self._ground
        span = ground.spans[c]
        able = _wanted(ground, c)
        for o, n in ground.terms[c].items():
            if o not in shared:
                able |= _moved(able, -n, *span)
        return able >> (least - span[0])


def _wanted(ground: Ground, c: int) -> int:
    """The sums that a total allows."""
    least, most = ground.spans[c]
    found = 0
    for low, high in ground.sums[c]:
        low, high = max(low - least, 0), min(high, most) - least
        found |= (1 << max(high + 1, low)) - (1 << low)
    return found


def _span(terms: Terms) -> tuple[int, int]:
    return sum(min(n, 0) for _, n in terms), sum(max(n, 0) for _, n in terms)


def _moved(sums: int, by: int, least: int, most: int) -> int:
    """Sums with a number added; those that leave the range are dropped."""
    return (sums << by) & ((1 << (most - least + 1)) - 1) if by > 0 else sums >> -by


def _reached(terms: Iterable[tuple[int, int]], least: int, most: int) -> int:
    """The sums of all sets of these members."""
    sums = 1 << -least
    for _, n in terms:
        sums |= _moved(sums, n, least, most)
    return sums


def _forced(terms: Sequence[tuple[int, int]], target: int, least: int, most: int) -> Values:
    """The values of members that follow if their sum must be in the target, which some sum is."""
    after = [target]  # per member, from the last: the sums of those up to it, with it, that those after it complete
    for _, n in reversed(terms):
        after.append(after[-1] | _moved(after[-1], -n, least, most))
    after.pop()
    before = 1 << -least
    found = []
    for o, n in terms:
        complete = after.pop()
        with_it = _moved(before, n, least, most)
        if not with_it & complete:
            found.append((o, False))
        elif not before & complete:
            found.append((o, True))
        before |= with_it
    return found
