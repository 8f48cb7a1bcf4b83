# The dual simplex method on the linear program of a mixed problem; _mixed_simplex.py describes the fields.
cimport cython

from covr.engine.kernels.shared._looks cimport Looks
from covr.engine.kernels.mixed._mixed_basis cimport MixedBasis

cdef extern from "_kernel.h":
    enum:
        WAIT "COVR_MIXED_WAIT"
        OPTIMAL "COVR_MIXED_OPTIMAL"
        BEYOND "COVR_MIXED_BEYOND"
        STUCK "COVR_MIXED_STUCK"


cdef class MixedSimplex(MixedBasis):
    cdef Looks looks
    cdef long long unit
    cdef double target
    cdef double *ray
    cdef bint far
    cdef double *alpha
    cdef double slope
    cdef int flips
    cdef long long steps
    @cython.final
    cdef int _solve(self, long long end) noexcept nogil
    @cython.final
    cdef void _begin(self) noexcept nogil
    @cython.final
    cdef int _step(self) noexcept nogil
    @cython.final
    cdef int _leaving(self) noexcept nogil
    @cython.final
    cdef int _sparse_row(self, int p) noexcept nogil
    @cython.final
    cdef int _candidates(self, int p, int dense, double side) noexcept nogil
    @cython.final
    cdef int _ratio_test(self, int found) noexcept nogil
    @cython.final
    cdef void _go_far(self, int p, double side) noexcept nogil
    @cython.final
    cdef void _exchange(self, int p, int enters, double side, int dense, double pivot) noexcept nogil
    @cython.final
    cdef void _flip(self, int flips) noexcept nogil
