"""What all kernels of loading.py share: their counters, their state between slices, and how slices are run.

    _nodes, _updates, _answers  how many nodes, updates and answers were counted since the search began
    _code       what the last `run` returned; -1 while it runs
    state       what the search does next, in the kernel's own numbers
    level       how deep the search is
    hold        the C arrays that the kernel's pointers point into; see arrays.py
    watched     whether the kernel knows a witness (engine/witness.py), as in tests; else the next three mean nothing
    witness     per option, 1 if the witness takes it
    worth       what the witness costs, as the kernel counts costs
    lost        what excluded the witness, in the kernel's own numbers; 0 for nothing so far
    describe    says it in words

Every kernel has its own `_run`, which continues at `state` and `level` until the given number of nodes or answers since
the search began is reached. Interpreted kernels get this class by `load("_kernel", interpreted=True)`, because a
compiled base class would not let them have attributes of their own.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.shared._kernel import DONE, FOUND
    from cython.cimports.covr.engine.kernels.shared.arrays import _ints
else:
    from covr.engine.kernels.header import DONE, FOUND
    from covr.engine.kernels.shared.arrays import _ints

COMPILED = cython.compiled


def _unwatched(what, option):
    """What `describe` is without a witness."""
    return f"{what}: {option}"


@cython.cclass
class KernelBase:
    """The base class of kernels; the protocol `Kernel` of loading.py says what they promise."""

    def __init__(self):
        self._nodes = self._updates = self._answers = 0
        self._code = -1
        self.state = self.level = 0
        self._gathered = []
        self.hold = []
        self.watched = False
        self.worth = 0
        self.lost = 0
        self.describe = _unwatched

    def watch(self, witness, worth: cython.longlong, describe):
        """Hold every node to a witness. witness: per option, 1 if it takes it.  worth: what it costs.  describe: makes
        a sentence of what `told` returns."""
        self.witness = _ints(witness, self.hold)
        self.worth = worth
        self.watched = True
        self.describe = describe

    def told(self):
        """What excluded the witness, and which option was decided otherwise, -1 for none. Every kernel that looks after
        a witness defines its own."""
        return "a node", -1

    @property
    def nodes(self):
        """How many nodes were visited since the search began."""
        return self._nodes

    @property
    def updates(self):
        """How many changes were made since the search began; every kernel says what it counts."""
        return self._updates

    @property
    def answers(self):
        """How many answers were found since the search began."""
        return self._answers

    @property
    def code(self):
        """What the last `run` returned; -1 while it runs."""
        return self._code

    def run(self, nodes: cython.longlong, answers: cython.longlong):
        """Search for at most `nodes` more nodes and `answers` more answers; returns a code of header.py."""
        code: cython.int
        self._code = -1
        with cython.nogil:
            code = self._run(self._nodes + nodes, self._answers + answers)
        self._code = code
        if self.lost != 0:
            from covr.engine.witness import Lost

            raise Lost(self.describe(*self.told()))
        return code

    def answer(self):
        """The options taken, in the order they were taken. Every kernel defines its own."""
        raise NotImplementedError

    def gather(self, nodes: cython.longlong, answers: cython.longlong):
        """Call `run` repeatedly, for at most `nodes` more nodes and `answers` more answers in all; keep each answer.

        Returns the code of the last call.
        """
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
        """The answers gathered since the last call of this method."""
        found = self._gathered
        self._gathered = []
        return found

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _run(self, end: cython.longlong, until: cython.longlong) -> cython.int:
        """Search until `_nodes` is `end` or `_answers` is `until`; returns a code. Every kernel defines its own."""
        return DONE
