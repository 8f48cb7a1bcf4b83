"""The hash table of a layer's states, for interpreted kernels. Compiled kernels get the same names from states.pxd.

A state is a word. The table has 1 + the number of a state at a place that its word gives, or at the next that is free
(open addressing, linear); 0 where there is none. Its size is a power of 2, and `mask` that size less 1.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

FIRST_ROOM = 1 << 10  # states of a layer, nodes or frames for which there is room at first; a power of 2
MOST_ROOM = 1 << 29  # states of a layer, at most: twice as many have 32 bits
WORD = 0xFFFFFFFFFFFFFFFF  # a word of 64 ones
MIX = 0x9E3779B97F4A7C15  # the hash's odd multiplier: 2**64 over the golden ratio


def slot_of(table: Sequence[int], keys: Sequence[int], mask: int, key: int) -> int:
    """Where in the table a state stands, or would be entered. At least one place must be free."""
    mixed = (key * MIX) & WORD
    slot = (mixed ^ (mixed >> 32)) & mask
    while table[slot] != 0 and keys[table[slot] - 1] != key:
        slot = (slot + 1) & mask
    return slot


def enter_all(table: MutableSequence[int], keys: Sequence[int], mask: int, count: int) -> None:
    """Clear the table, and enter the first `count` states, no two of which are the same."""
    for slot in range(mask + 1):
        table[slot] = 0
    for k in range(count):
        table[slot_of(table, keys, mask, keys[k])] = k + 1
