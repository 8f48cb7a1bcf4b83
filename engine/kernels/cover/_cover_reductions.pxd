# What can be decided at a level in branch and bound for covers without a bound; see _cover_reductions.py.
cimport cython

from covr.engine.kernels.cover._cover_folds cimport Folds


cdef class Reductions(Folds):
    cdef unsigned long long *sets
    cdef bint _reduce(self) noexcept nogil
    @cython.final
    cdef void _gather(self, long long begin, long long members, int size, long long words) noexcept nogil
    @cython.final
    cdef inline bint _is_within(self, long long one, long long other, long long words) noexcept nogil
    cdef bint _dominated_options(self) noexcept nogil
    cdef bint _dominated_items(self) noexcept nogil
