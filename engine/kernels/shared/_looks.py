"""Limits and interrupts inside kernels whose single steps take long.

Most kernels pause after a given number of nodes, because a node takes little time. In a covering problem of 10⁵ options
a single node takes seconds: the first level is reduced, bounded and searched for good covers as a whole. So these
kernels count the array entries that they read, and from time to time call `ask`. If it raises an exception, they leave
their loops at a point where what they have done so far is valid, and return as at the end of a slice. The exception is
raised again, by `settle`, once they have returned.

    ask     the function to call, which raises an exception to stop the kernel; None for no function
    pulse   how many entries are read between two calls of `ask`
    left    how many entries are still to be read before the next call
    halted  whether `ask` has raised an exception that `settle` has not passed on yet
    fault   that exception, or None
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.shared._kernel import LOOK_STEPS
else:
    from covr.engine.kernels.header import LOOK_STEPS

COMPILED = cython.compiled


@cython.final
@cython.cclass
class Looks:
    """Tells the kernels of one search whether to stop. The module describes its fields."""

    def __init__(self, ask=None):
        """ask: called without arguments every few milliseconds; raises an exception to stop the kernel."""
        self.ask = ask
        self.fault = None
        self.halted = False
        self.pulse = self.left = LOOK_STEPS

    def set_pulse(self, entries: cython.longlong):
        """Call `ask` every `entries` array entries from now on; for tests."""
        self.pulse = self.left = entries

    def settle(self):
        """Raise the exception that stopped a kernel, if any, and forget it. Call it after the kernel has returned."""
        fault = self.fault
        self.fault = None
        self.halted = False
        if fault is not None:
            raise fault

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def tick(self, work: cython.longlong) -> cython.bint:
        """Count `work` more entries as read. Returns whether the kernel must stop."""
        self.left -= work
        if self.left <= 0 and not self.halted:
            with cython.gil:
                self._question()
        return self.halted

    @cython.cfunc
    @cython.exceptval(check=False)
    def _question(self) -> cython.void:
        self.left = self.pulse
        if self.ask is not None:
            try:
                self.ask()
            except BaseException as fault:
                self.fault = fault
                self.halted = True
