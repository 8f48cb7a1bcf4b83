# The climb to better prices, and the covers found on the way; see _cover_climb.py.
from covr.engine.kernels.cover._cover_prices cimport Prices


cdef class Climb(Prices):
    cdef bint fresh
    cdef double *y_best
    cdef double *lack
    cdef int *best
    cdef int bested
    cdef int *trial
    cdef void _record(self, int size) noexcept nogil
    cdef void _complete(self) noexcept nogil
    cdef void _sort_trial(self, int size) noexcept nogil
    cdef double _climb(self, int steps, int patience, double pace) noexcept nogil
