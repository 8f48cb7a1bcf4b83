# The basis of the linear program of a mixed problem; _mixed_basis.py describes the fields.
cimport cython

from covr.engine.kernels.mixed._mixed_state cimport MixedState

cdef extern from "_kernel.h":
    enum:
        REFRESH "COVR_MIXED_REFRESH"
    const double ENDLESS "COVR_MIXED_ENDLESS"
    const double PIVOT "COVR_MIXED_PIVOT"
    const double ZERO "COVR_MIXED_ZERO"


cdef class MixedBasis(MixedState):
    cdef int *head_of
    cdef int *place
    cdef int *upper
    cdef int *held
    cdef double *inverse
    cdef double *weight
    cdef double *xb
    cdef double *lb
    cdef double *ub
    cdef double *y
    cdef double *scaled
    cdef double *shrink
    cdef double *slack_least
    cdef double *slack_most
    cdef double *d
    cdef double *c
    cdef int *free
    cdef int frees
    cdef bint exact
    cdef int since
    cdef int moves
    cdef double value
    cdef double scale
    cdef double *column
    cdef double *sums
    cdef int *where
    cdef int *among
    cdef int *later
    cdef _perturb(self, costs)
    cdef _scale_rows(self)
    @cython.final
    cdef double _lean(self, int o, double *row) noexcept nogil
    @cython.final
    cdef void _press(self, int o, double x) noexcept nogil
    @cython.final
    cdef void _add_heavy(self, int o) noexcept nogil
    cdef void _reduce_costs(self) noexcept nogil
    cdef double _least(self, int v) noexcept nogil
    cdef double _most(self, int v) noexcept nogil
    cdef void _work_out(self) noexcept nogil
    cdef bint _move(self) noexcept nogil
    @cython.final
    cdef void _add_up(self) noexcept nogil
    cdef double _column(self, int v, int p) noexcept nogil
    cdef void _pivot(self, int p, int dense, double pivot) noexcept nogil
    @cython.final
    cdef void _weigh(self, int i, long long at) noexcept nogil
    cdef double _drift(self) noexcept nogil
    cdef void _invert(self) noexcept nogil
