# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# mypy: disable-error-code="untyped-decorator, no-untyped-def, no-untyped-call, type-arg, no-redef"
"""What every kernel of loading.py is made of: its counters, its state between slices, and how slices are run.

    _nodes, _updates, _answers  what was counted since the search began
    _code       what the last `run` returned; -1 while it runs
    state       where the search stands between two slices: a number of the kernel's own
    level       how deep it stands
    hold        the arrays of C that the kernel's addresses lead to; see _memory.py

A kernel has a `_run` of its own, which searches until so many nodes or answers were counted in all, from where `state`
and `level` say. Interpreted kernels get this class by `load("_kernel", interpreted=True)`: a compiled base class would
not let them have attributes of their own.
"""

from __future__ import annotations

try:
    import cython  # type: ignore[import-untyped, import-not-found, unused-ignore]
except ImportError:
    from covr.engine.kernels import _shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels._kernel import DONE, FOUND  # type: ignore[import-untyped, import-not-found, unused-ignore]
else:
    from covr.engine.kernels.codes import DONE, FOUND

COMPILED = cython.compiled


@cython.cclass
class KernelBase:
    """The base class of kernels; see loading.py for what they promise."""

    def __init__(self):
        self._nodes = self._updates = self._answers = 0
        self._code = -1
        self.state = self.level = 0
        self._gathered = []
        self.hold = []

    @property
    def nodes(self):
        return self._nodes

    @property
    def updates(self):
        return self._updates

    @property
    def answers(self):
        return self._answers

    @property
    def code(self):
        return self._code

    def run(self, nodes: cython.longlong, answers: cython.longlong):
        """Search on for at most so many nodes and answers."""
        code: cython.int
        self._code = -1
        with cython.nogil:
            code = self._run(self._nodes + nodes, self._answers + answers)
        self._code = code
        return code

    def answer(self):
        """The options taken, in the order they were taken. Every kernel has its own."""
        raise NotImplementedError

    def gather(self, nodes: cython.longlong, answers: cython.longlong):
        """`run` again and again, for so many nodes and answers in all; what `answer` said each time is kept."""
        end: cython.longlong = self._nodes + nodes
        until: cython.longlong = self._answers + answers
        code: cython.int = self.run(nodes, 1)
        while code == FOUND:
            self._gathered.append(self.answer())
            if self._nodes >= end or self._answers >= until:
                break
            code = self.run(end - self._nodes, 1)
        return code

    def gathered(self):
        """The answers that were gathered since this was asked last."""
        found = self._gathered
        self._gathered = []
        return found

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _run(self, end: cython.longlong, until: cython.longlong) -> cython.int:
        """Search until `end` nodes or `until` answers were counted in all; returns a code. Every kernel has its own."""
        return DONE
