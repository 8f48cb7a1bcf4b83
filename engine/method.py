"""Says what a method is: anything that can be given time, as a kernel that is ready to run and functions around it.

A search runs one method (kernel_search.py). Where several take turns (turns.py), they are one method together, so turns
can be nested. A method is a record of functions and no class to inherit from: methods differ from each other in two or
three of these functions, and most kernels are compiled classes that need nothing around them.

Time is measured in work, so that the same question takes the same turns on every machine: one unit is what takes about
a nanosecond. Most methods say how much work one of their nodes is; one whose nodes differ says what it has done
(`works`), and how many nodes make a slice. Methods are given nodes rather than work, because a limit of nodes is kept
exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from covr.engine.kernels.loading import Gatherer, Kernel
from covr.frozen import frozen

if TYPE_CHECKING:
    from covr.engine.prepare.exact import ExactCover

NODE = 1000  # work of a node, where nothing else is said


@frozen(eq=False)
class Method:
    """A kernel, and the functions through which a search or a scheduler uses it.

    name: the engine in words.  naming: returns the present name, for engines whose name changes as they run; else None.
    run: goes on for at most so many nodes and answers; returns a result code (kernels/header.py).
    answer: the last answer, in the caller's option numbers.
    bound: the lower bound on the cost of every answer that is proved so far, once one is known.
    lower: lowers the ceiling, so that only answers of at most this cost are found from then on; may be called between
    slices when the goal is 'minimum'.
    counting: makes a method for the same problem that only counts; None if this one counts just as well.
    exact: what was prepared for exact cover, from which more kernels for the same problem can be made.
    gatherer: the kernel, if it gathers answers; else None.  whole: turns a gathered answer into the caller's numbers.
    fraction: how much of the tree is done, from 0 to 1; None if the kernel can't tell.
    looks: whether a slice itself checks the limits (heed.py), and may raise Stopped.
    even: whether all nodes take about the same time.
    spared: how many nodes a memo has saved.  stop: stops anything that runs on its own, such as a solver in a thread.
    node: the work of one node.  works: the work so far, where nodes do not measure it.  slice: how many nodes the next
    slice has, where turns may end between slices only.
    """

    name: str
    kernel: Kernel
    run: Callable[[int, int], int]
    answer: Callable[[], tuple[int, ...]]
    bound: Callable[[], int | None] = lambda: None
    counting: Callable[[], Method | None] = lambda: None
    lower: Callable[[int], None] = lambda ceiling: None
    exact: ExactCover | None = None
    gatherer: Gatherer | None = None
    whole: Callable[[Sequence[int]], tuple[int, ...]] = tuple
    fraction: Callable[[], float | None] = lambda: None
    spared: Callable[[], int] = lambda: 0
    stop: Callable[[], None] = lambda: None
    looks: bool = False
    even: bool = True
    naming: Callable[[], str] | None = None
    node: int = NODE
    works: Callable[[], int] | None = None
    slice: Callable[[], int] | None = None

    @property
    def title(self) -> str:
        """The present name."""
        return self.name if self.naming is None else self.naming()

    @property
    def work(self) -> int:
        """The work so far."""
        return self.kernel.nodes * self.node if self.works is None else self.works()
