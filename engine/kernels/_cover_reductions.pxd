# What can be decided at a level in branch and bound for covers without a bound; see _cover_reductions.py.
from covr.engine.kernels._cover_levels cimport Levels


cdef class Reductions(Levels):
    cdef unsigned long long *sets
    cdef bint _reduce(self) noexcept nogil
    cdef bint _dominated_options(self) noexcept nogil
    cdef bint _dominated_items(self) noexcept nogil
