"""A kernel that is ready to run, and what surrounds it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import frozen

from covr.engine.kernels.loading import Gatherer, Kernel
from covr.engine.prepare.exact import ExactCover


@frozen
class Setup:
    """A kernel and what surrounds it.

    name: the engine in words.  told: the same as of now, where it changes.  run: one slice.  answer: the last answer in
    the caller's numbers.  heeds: whether a slice looks at limits by itself (heed.py), because it does what takes much
    longer than a node.
    root_bound: the proved lower bound from the root, once known.
    lower: from now on only answers of at most this cost; for the goal 'minimum', between slices.
    counting: the same problem on a kernel that only counts, or None where this one counts as well as any.
    exact: what was made ready for exact cover, for more kernels of the same problem.
    gatherer: the kernel, where it gathers answers.  whole: one of those in the caller's numbers.
    fraction: how much of the tree is done, 0 to 1; None where the kernel can't tell.
    spared: how many nodes a memo has saved.  stop: end what goes on by itself, such as a solver in a thread.
    """

    name: str
    kernel: Kernel
    run: Callable[[int, int], int]
    answer: Callable[[], tuple[int, ...]]
    root_bound: Callable[[], int | None] = lambda: None
    counting: Callable[[], Setup | None] = lambda: None
    lower: Callable[[int], None] = lambda ceiling: None
    exact: ExactCover | None = None
    gatherer: Gatherer | None = None
    whole: Callable[[Sequence[int]], tuple[int, ...]] = tuple
    fraction: Callable[[], float | None] = lambda: None
    spared: Callable[[], int] = lambda: 0
    stop: Callable[[], None] = lambda: None
    told: Callable[[], str] | None = None
    heeds: bool = False
