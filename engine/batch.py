"""Thousands of instances of one problem, which is prepared only once. An instance is a set of options to take first.

A batch goes to the kernel (_batch.py) in chunks. The kernel finds how many answers each instance has, up to a limit (2
is enough to tell unique answers from others), and what they are. If several cores may be used, chunks are solved in
parallel; the results come in the order of the instances. Ctrl-C is checked every few milliseconds.

Problems that the kernel can't solve (bounds other than 1, 1 and 0, 1, options without a primary item, masks larger than
`MASKS_MEMORY`, limits so high that the answers of one instance could fill the memory) are searched one instance after
another, with the same results.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain, islice, pairwise
from threading import Event, local
from typing import TYPE_CHECKING, Any

from attrs import evolve, field

from covr.engine.base.alone import threads
from covr.engine.base.limits import ENDLESS, QUICK, Limits, Status, whole
from covr.engine.checks import Checks
from covr.engine.kernels.loading import load
from covr.engine.prepare.masks import MASKS_MEMORY, build_masks, masks_memory, take_given
from covr.engine.problem import Problem
from covr.frozen import frozen

if TYPE_CHECKING:
    from concurrent.futures import Future

Answer = tuple[int, ...]

CHUNK = 256  # instances: so many that the overhead per chunk does not matter, so few that progress can be shown
CHUNK_SPACE = 1 << 22  # option numbers that all answers of a chunk may hold
MOST_KEPT = 1 << 26  # option numbers that all answers of one instance may hold
UNKNOWN = -1  # the count of an instance whose budget of nodes was too small


@frozen
class BatchResult:
    """The results, instance by instance, in flat arrays, because an object for each instance would take longer.

    counts: per instance, how many answers there are, up to the limit asked for; `UNKNOWN` if the budget of nodes was
    too small to tell. Instances that were not reached before a stop are missing.
    ends: per answer, the index in `options` at which it ends; the answers of one instance follow each other in the
    documented order, and the instances in theirs.  options: the answers, each an increasing run of option numbers, the
    given ones included.  nodes: how many nodes were searched.
    """

    counts: Sequence[int]
    ends: Sequence[int] = field(repr=False)
    options: Sequence[int] = field(repr=False)
    nodes: int = 0

    def __len__(self) -> int:
        return len(self.counts)

    def __iter__(self) -> Iterator[list[Answer]]:
        """The answers of each instance, as lists."""
        at = begin = 0
        for count in self.counts:
            found = []
            for end in self.ends[at : at + max(count, 0)]:
                found.append(tuple(self.options[begin:end]))
                begin = end
            at += len(found)
            yield found

    @staticmethod
    def join(parts: Iterable[BatchResult]) -> BatchResult:
        """Join several results into one, in this order."""
        counts, ends, options = array("i"), array("q"), array("i")
        nodes = 0
        for part in parts:
            shift = len(options)
            counts.extend(part.counts)
            ends.extend(end + shift for end in part.ends)
            options.extend(part.options)
            nodes += part.nodes
        return BatchResult(counts, ends, options, nodes)


class _Own(local):
    """The objects that each thread has for itself.

    kernel: a `Batch` of the module `_batch`; None until the thread needs it.  checks: checks the answers that it finds.
    """

    kernel: Any = None
    checks: Checks


class BatchTemplate:
    """A problem prepared for many instances. Threads may share it.

    limit: the most answers to look for in an instance.  budget: the most nodes per instance; if it is used up, the
    instance is abandoned, with the count `UNKNOWN`.  interpreted: run the kernel's source; for tests.
    """

    def __init__(
        self, problem: Problem, *, limit: int = 1, budget: int | None = None, interpreted: bool = False
    ) -> None:
        """Builds the masks once; see prepare/masks.py for time and space. Raises ValueError for a limit below 1, and
        for an argument that is not a whole number."""
        limit = whole(limit, "limit", 1)
        budget = None if budget is None else whole(budget, "budget", 0)
        self.problem, self.limit, self.budget = problem, limit, budget
        self._module = load("_batch", interpreted)
        self._masks = None
        self._own = _Own()
        if not problem.is_pure:
            return
        residual = take_given(problem)
        memory = masks_memory(problem, residual) if problem.is_exact and residual.feasible else None
        if memory is None or memory > MASKS_MEMORY:
            return
        masks = build_masks(problem, residual, interpreted)
        if masks.free < masks.options or limit * masks.items > MOST_KEPT:
            return
        renumber = [-1] * problem.options
        for o in problem.given:
            renumber[o] = -2
        for b, o in enumerate(masks.numbers):
            renumber[o] = b
        self._masks, self._renumber = masks, renumber

    @property
    def native(self) -> bool:
        """Whether the kernel solves a whole chunk in one call."""
        return self._masks is not None

    @property
    def chunk(self) -> int:
        """How many instances a chunk should have."""
        if self._masks is None:
            return 1
        return max(1, min(CHUNK, CHUNK_SPACE // (self.limit * max(self._masks.items, 1))))

    def solve(
        self, givens: Iterable[Sequence[int]], stop: Event | None = None, budget: int | None = None
    ) -> BatchResult:
        """Solve one chunk in this thread. givens: per instance, its option numbers; those below 0 are blanks.

        stop, budget: see `solve_flat`. Raises IndexError for a number that no option has, and ValueError for a budget
        that is not a whole number from 0.
        """
        flat, begin = _joined(givens)
        if (self._kernel().largest(flat) if self.native else max(flat, default=-1)) >= self.problem.options:
            raise IndexError("there is no option of that number")
        return self.solve_flat(flat, begin, stop, None if budget is None else whole(budget, "budget", 0))

    def solve_flat(
        self, givens: array[int], begin: array[int], stop: Event | None = None, budget: int | None = None
    ) -> BatchResult:
        """Solve one chunk, in which instance k takes the options givens[begin[k]:begin[k+1]].

        The order of an instance's options does not matter, nor do repetitions; numbers below 0 are blanks. The numbers
        are not checked: the caller must see to it that they are less than the number of options.  stop: when this is
        set, the work ends early and the result is incomplete.  budget: the most nodes for each of these instances;
        None for that of the template.
        """
        budget = self.budget if budget is None else budget
        if self._masks is None:
            return self._one_by_one(givens, begin, stop, budget)
        kernel = self._limited(budget)
        before = kernel.visited
        kernel.load(givens, begin)
        while kernel.run(QUICK):
            if stop is not None and stop.is_set():
                break
        counts, ends, options = kernel.results()
        return self._checked(BatchResult(counts, ends, options, kernel.visited - before), givens, begin)

    def _kernel(self) -> Any:
        """The kernel of this thread. Only if `native`."""
        own = self._own
        if own.kernel is None:
            own.checks = Checks(self.problem)
            own.kernel = self._module.Batch(self._masks, self._renumber, self.limit, ENDLESS)
        return own.kernel

    def _limited(self, budget: int | None) -> Any:
        """That kernel, with a budget of nodes for each instance; None for no limit."""
        kernel = self._kernel()
        kernel.set_budget(ENDLESS if budget is None else min(budget, ENDLESS))
        return kernel

    def draw(self, seed: int, nodes: int) -> BatchResult:
        """A random answer of the problem, or none if it has none: the first of a search in which the ways at each node
        are shuffled. Only if `native`.

        seed: from 1; the same one draws the same answer.  nodes: if so many are used up, the count is `UNKNOWN`.
        """
        kernel = self._kernel()
        before = kernel.visited
        counts, ends, options = kernel.draw(seed, nodes)
        return self._checked(
            BatchResult(counts, ends, options, kernel.visited - before), array("i"), array("i", [0, 0])
        )

    def thin(
        self, units: Sequence[Sequence[int]], together: int, stop: Event | None = None
    ) -> tuple[list[int] | None, int, int]:
        """Leave out units of options, in their order, wherever the others left have one answer only. Only if `native`,
        and for limits from 2.

        units: all together, with what the problem gives, they have one answer.  together: how many are left out at
        once, at most; where that does not go well, each half is left out by itself, so that what is kept is the same
        as if they were left out one by one.  stop: as for `solve_flat`.
        Returns the numbers of the units kept, increasing, or None if it was stopped or the budget did not suffice for
        a question; how many questions were asked; and how many nodes were searched. That each unit is needed is
        checked: two answers without it are.
        """
        found, nodes = self._ask("thin", units, together, stop)
        if found is None:
            return None, 0, nodes
        kept, asked, ends, options = found
        given, given_from = _joined([o for other in kept if other != u for o in units[other]] for u in kept)
        self._checked(BatchResult(array("i", [2] * len(kept)), ends, options), given, given_from)
        return kept, asked, nodes

    def nearest(
        self, units: Sequence[Sequence[int]], order: Sequence[int], stop: Event | None = None
    ) -> tuple[list[int] | None, int, int]:
        """Find an answer that lacks as few as possible of an answer's units: no answer lacks only some of those that it
        lacks. Only if `native`, and for limits from 2.

        units: of options of that answer; no other answer takes all of them.  order: the units that some other answer
        lacks, in the order in which it is tried to keep them.  stop: as for `solve_flat`.
        Returns the units that are lacking at the end, in that order, or None if it was stopped or the budget did not
        suffice for a question; how many questions were asked; and how many nodes were searched. That there is an answer
        which takes all other units is checked.
        """
        given_always = set(self.problem.given)
        own = [[o for o in unit if o not in given_always] for unit in units]
        found, nodes = self._ask("nearest", own, order, stop)
        if found is None:
            return None, 0, nodes
        left, asked, other = found
        if other is not None:
            given = array("i", [o for u in set(range(len(units))).difference(left) for o in units[u]])
            ends, reach = array("q", [len(other)]), array("i", [0, len(given)])
            self._checked(BatchResult(array("i", [1]), ends, other), given, reach)
        return left, asked, nodes

    def _ask(self, method: str, units: Sequence[Sequence[int]], what: Any, stop: Event | None) -> tuple[Any, int]:
        """What the kernel's `thin` or `nearest` finds about units of options, within the budget, and how many nodes it
        searched."""
        flat, begin = _joined(units)
        kernel = self._limited(self.budget)
        before = kernel.visited
        found = getattr(kernel, method)(flat, begin, what, QUICK, stop)
        return found, kernel.visited - before

    def _checked(self, result: BatchResult, givens: array[int], begin: array[int]) -> BatchResult:
        """The result with what the problem gives; all answers are checked."""
        result = self._with_given(result) if self.problem.given else result
        self._own.checks.batch(result.options, result.ends, result.counts, givens, begin)
        return result

    def stream(
        self, givens: Iterable[Sequence[int]], *, jobs: int | None = 1, chunk: int | None = None
    ) -> Iterator[BatchResult]:
        """Yields the results chunk by chunk, in order, while instances are still being read.

        jobs: threads, as in alone.py.  chunk: instances per chunk, if not `chunk` of this template.
        Raises ValueError for jobs that are not a whole number from 1.
        Ctrl-C raises KeyboardInterrupt after the current slice; results yielded before remain valid.
        """
        size = chunk or self.chunk
        source = iter(givens)
        chunks = iter(lambda: list(islice(source, size)), [])
        workers = threads(None if jobs is None else whole(jobs, "jobs", 1))
        if workers == 1:
            yield from map(self.solve, chunks)
            return
        yield from ordered(self.solve, chunks, workers)

    def _one_by_one(self, givens: array[int], begin: array[int], stop: Event | None, budget: int | None) -> BatchResult:
        from covr.engine.dispatch import search

        counts, ends, options = array("i"), array("q"), array("i")
        nodes = 0
        for first, last in pairwise(begin):
            taken = {o for o in givens[first:last] if o >= 0}.union(self.problem.given)
            limits = Limits(answers=self.limit, nodes=budget)
            run = search(evolve(self.problem, given=tuple(sorted(taken))), limits=limits)
            first_option, first_end = len(options), len(ends)
            for answer in run:
                options.extend(answer)
                ends.append(len(options))
                if stop is not None and stop.is_set():
                    return BatchResult(counts, ends, options, nodes + run.counters.nodes)
            found = len(ends) - first_end
            if run.status is Status.LIMIT:
                found = UNKNOWN
                del options[first_option:], ends[first_end:]
            counts.append(found)
            nodes += run.counters.nodes
        return BatchResult(counts, ends, options, nodes)

    def _with_given(self, result: BatchResult) -> BatchResult:
        """The result with the options that every instance takes added to each answer, in increasing order."""
        ends, options = array("q"), array("i")
        for found in result:
            for answer in found:
                options.extend(sorted([*answer, *self.problem.given]))
                ends.append(len(options))
        return BatchResult(result.counts, ends, options, result.nodes)


def _joined(lists: Iterable[Sequence[int]]) -> tuple[array[int], array[int]]:
    """Lists of numbers one after the other, and where each begins; in the end, where the last one ends."""
    lists = [*lists]
    return array("i", [*chain.from_iterable(lists)]), array("i", [*accumulate(map(len, lists), initial=0)])


def ordered(work: Any, chunks: Iterator[Any], jobs: int) -> Iterator[Any]:
    """Yields `work(chunk, stop)` for each chunk, computed on `jobs` threads, in the order of the chunks.

    At most two chunks per thread are read ahead. When the caller stops iterating or is interrupted, `stop` is set.
    """
    from concurrent.futures import ThreadPoolExecutor

    stop = Event()
    waiting: deque[Future[Any]] = deque()
    with ThreadPoolExecutor(jobs) as pool:
        try:
            for chunk in islice(chunks, 2 * jobs):
                waiting.append(pool.submit(work, chunk, stop))
            while waiting:
                result = waiting.popleft().result()
                for chunk in islice(chunks, 1):
                    waiting.append(pool.submit(work, chunk, stop))
                yield result
        finally:
            stop.set()
            for future in waiting:
                future.cancel()


def batch(problem: Problem, givens: Iterable[Sequence[int]], *, limit: int = 1, jobs: int | None = 1) -> BatchResult:
    """Solve the problem once for each instance.

    problem: validated; its own given options are taken in every instance.  givens: option numbers per instance, in
    any order; numbers below 0 are blanks.  limit: the most answers to look for in an instance; 2 shows whether an
    answer is the only one.  jobs: threads, as in alone.py; the result does not depend on it.
    Raises ValueError for a limit or jobs below 1 and IndexError for a number that no option has.
    """
    return BatchResult.join(BatchTemplate(problem, limit=limit).stream(givens, jobs=jobs))
