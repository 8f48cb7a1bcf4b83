"""A kernel that is ready to run, with the functions that surround it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import frozen

from covr.engine.kernels.loading import Gatherer, Kernel
from covr.engine.prepare.exact import ExactCover


@frozen
class Setup:
    """A kernel, and the functions through which a search uses it.

    name: the engine in words.  told: returns the present name, for engines whose name changes as they run; else None.
    run: searches one slice.  answer: the last answer, in the caller's option numbers.
    root_bound: the lower bound that was proved at the root, once it is known.
    lower: lowers the ceiling, so that only answers of at most this cost are found from then on; may be called between
    slices when the goal is 'minimum'.
    counting: makes a Setup for the same problem on a kernel that only counts; None if this kernel counts just as well.
    exact: what was prepared for exact cover, from which more kernels for the same problem can be made.
    gatherer: the kernel, if it gathers answers; else None.  whole: turns a gathered answer into the caller's numbers.
    fraction: how much of the tree is done, from 0 to 1; None if the kernel can't tell.
    looks: whether a slice itself checks the limits (heed.py), and may raise Stopped.
    even: whether all nodes take about the same time.
    spared: how many nodes a memo has saved.  stop: stops anything that runs on its own, such as a solver in a thread.
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
    looks: bool = False
    even: bool = True
    told: Callable[[], str] | None = None
