# The options of a mixed problem and which of them are settled; _mixed_state.py describes the fields.
cimport cython

cdef extern from "_kernel.h":
    enum:
        FREE "COVR_MIXED_FREE"
        TAKEN "COVR_MIXED_TAKEN"
        DROPPED "COVR_MIXED_DROPPED"
        UNBOUNDED "COVR_MIXED_UNBOUNDED"


cdef class MixedState:
    cdef int n
    cdef int m
    cdef int rows
    cdef int plain
    cdef int *start
    cdef int *mid
    cdef int *past
    cdef int *inn
    cdef long long *coefficient
    cdef long long *weights
    cdef long long *lowest
    cdef long long *highest
    cdef int *shade
    cdef int *row
    cdef int *by
    cdef int *low
    cdef int *high
    cdef long long *cost
    cdef int *state
    cdef int *took
    cdef int *live
    cdef int *setter
    cdef int *trail
    cdef int size
    cdef int head
    cdef long long paid
    cdef int *mark
    cdef int stamp
    cdef bint begun
    cdef long long cutoff
    cdef long long work
    cdef list hold
    cdef bint _set(self, int o, int state) noexcept nogil
    cdef bint _propagate(self) noexcept nogil
    @cython.final
    cdef bint _part(self, int one, int other, bint both) noexcept
    @cython.final
    cdef void _count_sums(self, int o, int state, int times) noexcept nogil
    @cython.final
    cdef bint _balance(self, int i) noexcept nogil
    @cython.final
    cdef bint _look(self, int i) noexcept nogil
    @cython.final
    cdef bint _tint(self, int o, int i, int shade) noexcept nogil
