# The levels in branch and bound for covers; _cover_levels.py describes the fields.
from covr.engine.kernels.shared._kernel cimport KernelBase
from covr.engine.kernels.shared._looks cimport Looks


cdef class Levels(KernelBase):
    cdef Looks looks
    cdef int depth  # how many levels there is room for
    cdef bint fewer_items
    cdef bint fewer_options
    cdef int *shrunk_option
    cdef int *shrunk_item
    cdef long long cutoff
    cdef long long *at_item
    cdef long long *at_need
    cdef long long *at_option
    cdef long long *at_cost
    cdef long long *at_start
    cdef long long *at_in
    cdef long long *at_row
    cdef long long *at_by
    cdef long long *at_price
    cdef long long *at_rc
    cdef long long *int_end
    cdef long long *real_end
    cdef int *items
    cdef int *options
    cdef long long *paid
    cdef int *length
    cdef int *path
    cdef int *ints
    cdef double *reals
    cdef long long int_room
    cdef long long real_room
    cdef int *live
    cdef int *left
    cdef int *count
    cdef int *new
    cdef int *next
    cdef list arenas
    cdef int *tracks
    cdef int *swap_level
    cdef int *swap_from
    cdef int *swap_to
    cdef int *swap_gain
    cdef int swaps
    cdef int missed
    cdef void _room(self, int d, long long m, long long n, long long z) noexcept nogil
    cdef _grow(self, long long ints, long long reals)
    cdef void _rows(self, int d) noexcept nogil
    cdef void _open(self) noexcept nogil
    cdef void _drop(self, int o) noexcept nogil
    cdef void _take(self, int o, int t) noexcept nogil
    cdef void _settled(self) noexcept nogil
    cdef void _keep(self, int t) noexcept nogil
    cdef void _exchange(self, int o, int p) noexcept nogil
    cdef void _swap_back(self, int d) noexcept nogil
    cdef bint _hold(self, int what, bint gone) noexcept nogil
    cdef bint _lose(self, int what, int option) noexcept nogil
