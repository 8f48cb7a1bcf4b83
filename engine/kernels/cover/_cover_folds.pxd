# Levels that are folded in branch and bound for covers; _cover_folds.py describes the fields.
from covr.engine.kernels.cover._cover_levels cimport Levels


cdef class Folds(Levels):
    cdef long long most
    cdef long long shrunk
    cdef int *base
    cdef long long *fold_at
    cdef unsigned long long *bits
    cdef long long bits_end
    cdef long long bits_room
    cdef list bits_hold
    cdef void _deeper(self, int d) noexcept nogil
    cdef void _fold(self, int d) noexcept nogil
    cdef void _unfold(self, int d) noexcept nogil
    cdef _grow_bits(self, long long words)
