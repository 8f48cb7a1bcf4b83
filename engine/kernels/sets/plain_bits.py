"""The search of _wide_body.h in Python, for a kernel that runs interpreted: whole numbers as sets, a method per state.

It visits the same nodes, and counts the same answers and updates. Levels, ways, forced moves, free options and the memo
are as _bits.py describes them. What differs is that no counts are kept: the options of each item are counted at each
node, and nothing is given up early.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from covr.engine.kernels.header import BITS_BACK as BACK
from covr.engine.kernels.header import BITS_END as END
from covr.engine.kernels.header import BITS_ENTER as ENTER
from covr.engine.kernels.header import BITS_FREE as FREE
from covr.engine.kernels.header import BITS_HIDE as HIDE
from covr.engine.kernels.header import BITS_NEXT as NEXT
from covr.engine.kernels.header import BITS_OPEN as OPEN
from covr.engine.kernels.header import BITS_START as START
from covr.engine.kernels.header import CLOSE, DONE, FOUND, RECALL, SLICE
from covr.engine.kernels.shared.words import WORD


class PlainBits:
    """The search of an interpreted `Bits`, in whose arrays it keeps what both need.

    Per level: alive, active and dead, sets; item and least, the item to branch on and how many options it has; size,
    how many options are alive after its ways were hidden. above: that of the level from which the node's way was taken.
    """

    def __init__(self, bits: Any) -> None:
        """bits: the kernel. Takes time linear in the size of its sets."""
        words: int = bits.words
        self.bits = bits
        self.holders = [_whole(bits.holders, i * words, words) for i in range(bits.items)]
        self.compatible = [_whole(bits.compatible, b * words, words) for b in range(bits.options)]
        self.held: list[int] = [
            sum(1 << i for i in bits.members[bits.begin[b] : bits.begin[b + 1]]) for b in range(bits.options)
        ]
        self.sizes = [held.bit_count() for held in self.held]
        self.smallest = min(self.sizes, default=0)
        self.any_free: bool = bits.free < bits.options
        levels = bits.items + bits.options - bits.free + 2
        self.alive, self.active, self.dead, self.item, self.least, self.size = ([0] * levels for _ in range(6))
        self.steps = {
            START: self._start, ENTER: self._enter, HIDE: self._hide, NEXT: self._next, BACK: self._back,
            OPEN: self._open, FREE: self._free,
        }  # fmt: skip

    def begin(self) -> None:
        """Choose the item at the root, whose sets the kernel has."""
        bits = self.bits
        self.alive[0] = _whole(bits.alive, 0, bits.words)
        self.active[0] = _whole(bits.active, 0, bits.across)
        self.above = self.alive[0].bit_count()
        if self.active[0]:
            self._choose(0)

    def run(self, end: int, until: int, where: list[int]) -> int:
        """Search until `end` nodes or `until` answers were counted in all; returns a code of header.py.

        where: nodes, updates, answers, level, depth, state; read and written.
        """
        self.end, self.until = end, until
        self.counting = self.bits.counting and self.bits.memo.buckets > 0
        self.nodes, self.updates, self.answers, self.level, self.depth, self.state = where[:6]
        code = None
        while self.state != END and code is None:
            code = self.steps[self.state]()
        where[:6] = self.nodes, self.updates, self.answers, self.level, self.depth, self.state
        return DONE if code is None else code

    # One method for each state. Each returns a code if the search is to pause, and sets `state` otherwise.

    def _start(self) -> int | None:
        if self.nodes >= self.end:
            return SLICE
        self.nodes += 1
        self.state = END if self.bits.left[0] and not self.least[0] else ENTER if self.bits.left[0] else OPEN
        return None

    def _enter(self) -> int | None:
        level, least, left = self.level, self.least[self.level], self.bits.left[self.level]
        if least == 1:
            if self.nodes >= self.end:
                return SLICE
            self.nodes += 1
            self.state = BACK
            return self._take(_lowest(self.alive[level] & self.holders[self.item[level]]), level)
        if left <= self.smallest and self._counted(least):
            self.state = BACK
            return None
        self.bits.memo.frame[level] = 0
        self.state = HIDE
        return self._ask(left) if left > self.smallest else None

    def _hide(self) -> None:
        """List the ways of the level's item, and remove them from the level."""
        bits, level = self.bits, self.level
        self.state = NEXT
        if bits.left[level] == 0:
            self.state = FREE
            return
        item = self.item[level]
        ways = self.alive[level] & self.holders[item]
        self._list(level, ways)
        self.size[level] = (self.alive[level] ^ ways).bit_count()
        if bits.left[level] > self.smallest:
            self.updates += self.above - self.size[level]
        bits.share[level] = bits.weight[level] / self.least[level]
        self.alive[level] ^= ways
        self.active[level] ^= 1 << item
        alive, active = self.alive[level], self.active[level]
        self.dead[level] = sum(1 << i for i in _members(active) if not alive & self.holders[i])

    def _next(self) -> int | None:
        """Take the next way of the level."""
        bits, level = self.bits, self.level
        r = bits.next[level]
        if r == bits.end[level]:
            if self.counting and bits.memo.frame[level]:
                return CLOSE
            self.state = BACK
            return None
        if self.nodes >= self.end:
            return SLICE
        self.nodes += 1
        bits.next[level] = r + 1
        self.depth = bits.mark[level]
        b = bits.rows[r]
        target = level + 1 if r + 1 < bits.end[level] or bits.memo.frame[level] else level
        ends = bits.left[level] == self.sizes[b] and not self.any_free
        if not ends and self.dead[level] & ~self.held[b]:
            return None
        if not ends:
            self.above = self.size[level]
            bits.weight[target] = bits.share[level]
            if target == level:
                self.state = BACK
        return self._take(b, target)

    def _back(self) -> None:
        if self.level == 0:
            self.state = END
            return
        self.level -= 1
        self.state = NEXT
        if self.bits.left[self.level] == 0:
            self.depth = self.bits.mark[self.level]
            self.state = FREE

    def _open(self) -> int | None:
        """Every item is covered."""
        self.bits.memo.frame[self.level] = 0
        self.state = FREE
        return self._ask(0)

    def _free(self) -> int | None:
        """Take the first free option, and remove it from the level; if there is none, this is an answer."""
        bits, level = self.bits, self.level
        if not self.alive[level]:
            self.state = BACK
            self.answers += 1
            if self.counting and bits.memo.frame[level]:
                return CLOSE
            return FOUND if self.answers >= self.until else None
        if self.nodes >= self.end:
            return SLICE
        self.nodes += 1
        b = _lowest(self.alive[level])
        self.alive[level] ^= 1 << b
        self._list(level, 0)
        bits.path[self.depth] = b
        self.depth += 1
        self.alive[level + 1] = self.alive[level] & self.compatible[b]
        bits.weight[level] *= 0.5
        bits.weight[level + 1] = bits.weight[level]
        bits.left[level + 1] = 0
        self.level += 1
        self.state = OPEN
        return None

    # What they have in common.

    def _take(self, b: int, target: int) -> int | None:
        """Take option b, and go to level `target`, if every item then still has an option."""
        bits, level = self.bits, self.level
        bits.path[self.depth] = b
        self.depth += 1
        after = bits.left[level] - self.sizes[b]
        if after == 0 and not self.any_free:
            self.answers += 1
            return FOUND if self.answers >= self.until else None
        alive = self.alive[level] & self.compatible[b]
        active = self.active[level] & ~self.held[b]
        if 0 < after <= self.smallest:
            # Every option that holds one of the remaining items holds all of them.
            ways = alive & self.holders[_lowest(active)]
            if not self._counted(ways.bit_count()):
                self._list(target, ways)
                bits.left[target] = after
                bits.memo.frame[target] = 0
                bits.share[target] = bits.weight[target] / ways.bit_count()
                self.level = target
                self.state = NEXT
            return None
        self.alive[target], self.active[target] = alive, active
        if after and not self._choose(target):
            return None
        self.level = target
        bits.left[target] = after
        self.state = ENTER if after else OPEN
        return None

    def _choose(self, level: int) -> int:
        """Find the item with the fewest options alive, the lowest on ties. Returns their number."""
        alive, holders = self.alive[level], self.holders
        counts = [((alive & holders[i]).bit_count(), i) for i in _members(self.active[level])]
        self.least[level], self.item[level] = min(counts)
        return self.least[level]

    def _counted(self, ways: int) -> bool:
        """Count so many answers, each a node, if that many may be counted at once."""
        if self.nodes + ways > self.end or self.answers + ways >= self.until:
            return False
        self.nodes += ways
        self.answers += ways
        return True

    def _list(self, level: int, ways: int) -> None:
        """Write the level's ways."""
        bits = self.bits
        listed = _members(ways)
        first = bits.end[level - 1] if level > 0 else 0
        bits.next[level], bits.end[level] = first, first + len(listed)
        bits.rows[first : first + len(listed)] = listed
        bits.mark[level] = self.depth

    def _ask(self, left: int) -> int | None:
        """Pause, so that the node is looked up in the memo, if there is one and it is not switched off for now."""
        bits, level = self.bits, self.level
        if not self.counting:
            return None
        if bits.memo.skip[left] > 0:
            bits.memo.skip[left] -= 1
            return None
        data = self.alive[level].to_bytes(WORD // 8 * bits.words, "little")
        bits.alive[level * bits.words : (level + 1) * bits.words] = [
            int.from_bytes(data[k : k + WORD // 8], "little") for k in range(0, len(data), WORD // 8)
        ]
        return RECALL


def _whole(words: Sequence[int], at: int, size: int) -> int:
    return int.from_bytes(b"".join(word.to_bytes(WORD // 8, "little") for word in words[at : at + size]), "little")


def _lowest(numbers: int) -> int:
    return (numbers & -numbers).bit_length() - 1


def _members(numbers: int) -> list[int]:
    found = []
    while numbers:
        low = numbers & -numbers
        found.append(low.bit_length() - 1)
        numbers ^= low
    return found
