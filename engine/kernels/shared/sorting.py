"""Shell's sort for interpreted kernels. Compiled kernels get the same names from sorting.pxd.

It is written out, because numbers whose keys are equal must end up in the same order in both.
"""

from __future__ import annotations

from collections.abc import Callable, MutableSequence, Sequence


def sort(numbers: MutableSequence[int], first: int, end: int) -> None:
    """Sort the numbers at positions first … end - 1."""
    _shell_sort(numbers, int, first, end)


def sort_by(numbers: MutableSequence[int], keys: Sequence[int], first: int, end: int) -> None:
    """Sort the numbers at positions first … end - 1 by the key of each. Equal keys need not keep their order."""
    _shell_sort(numbers, keys.__getitem__, first, end)


def _shell_sort(numbers: MutableSequence[int], key: Callable[[int], int], first: int, end: int) -> None:
    gap = 1
    while gap < (end - first) // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for a in range(first + gap, end):
            x = numbers[a]
            b = a
            while b >= first + gap and key(numbers[b - gap]) > key(x):
                numbers[b] = numbers[b - gap]
                b -= gap
            numbers[b] = x
        gap //= 3
