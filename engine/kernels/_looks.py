# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# mypy: disable-error-code="untyped-decorator, no-untyped-def, no-untyped-call, type-arg, no-redef"
"""Limits and interrupts inside a kernel whose single steps are long.

Most kernels pause after so many nodes, and a node is soon done. In a covering problem of 10⁵ options one node takes
seconds: the first level is reduced, bounded and searched for good covers as a whole. So these kernels count the entries
of arrays that they look at, and ask from time to time whether to stop. They then leave their loops where what they have
done is sound by itself, and return as at the end of a slice; what asked them to stop is raised when they are out.

    ask     raises to stop; None where nobody is to be asked
    pulse   how many entries are looked at between two questions;  left: how many are before the next
    halted  whether it was raised, and is not yet told
    fault   what was raised
"""

from __future__ import annotations

try:
    import cython  # type: ignore[import-untyped, import-not-found, unused-ignore]
except ImportError:
    from covr.engine.kernels import _shim as cython

COMPILED = cython.compiled

PULSE = cython.declare(cython.longlong, 1 << 21)  # entries between two questions: 2 to 20 ms


@cython.final
@cython.cclass
class Looks:
    """Whom kernels of one search ask whether to stop. The module describes its fields."""

    def __init__(self, ask=None):
        """ask: called without arguments every few milliseconds; raises to stop."""
        self.ask = ask
        self.fault = None
        self.halted = False
        self.pulse = self.left = PULSE

    def set_pulse(self, entries: cython.longlong):
        """Ask after so many entries from now on; for tests."""
        self.pulse = self.left = entries

    def settle(self):
        """To be called when a kernel has left its loops: raises what made it do so, once."""
        fault = self.fault
        self.fault = None
        self.halted = False
        if fault is not None:
            raise fault

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def tick(self, work: cython.longlong) -> cython.bint:
        """So many entries were looked at. Returns whether to stop."""
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
