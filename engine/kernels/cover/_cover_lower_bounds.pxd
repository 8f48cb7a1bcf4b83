# Which lower bounds are worked out at a level in branch and bound for covers; see _cover_lower_bounds.py.
from covr.engine.kernels.cover._cover_climb cimport Climb

cdef extern from "_kernel.h":
    enum:
        GONE "COVR_COVER_GONE"
        OPEN "COVR_COVER_OPEN"
        ASKED "COVR_COVER_ASKED"
        AGAIN "COVR_COVER_AGAIN"


cdef class LowerBounds(Climb):
    cdef int estimates
    cdef int steps
    cdef int rounds
    cdef double gain
    cdef double hope
    cdef double gap
    cdef long long turn
    cdef long long least
    cdef long long *cut
    cdef int _bound(self) noexcept nogil
    cdef bint _thin(self, double total, double *rc) noexcept nogil
