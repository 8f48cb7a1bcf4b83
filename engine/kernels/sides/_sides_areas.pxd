# Areas, checked by their least and greatest pieces; _sides_areas.py describes the fields.
from covr.engine.kernels.sides._sides_circuits cimport CircuitSides


cdef class AreaSides(CircuitSides):
    cdef int areas
    cdef int *spot_begin
    cdef int *stand_begin
    cdef int *stand
    cdef signed char *always
    cdef int *link_begin
    cdef int *link_to
    cdef int *link_edge
    cdef int *edge_begin
    cdef int *edge_one
    cdef int *edge_other
    cdef int *cut_begin
    cdef int *cut
    cdef int *demand_begin
    cdef int *slot
    cdef int *term_begin
    cdef int *term
    cdef long long *term_weight
    cdef int *sum_begin
    cdef long long *sum_low
    cdef long long *sum_high
    cdef int *anchor_begin
    cdef int *anchor
    cdef signed char *asks
    cdef signed char *adds
    cdef signed char *spot
    cdef signed char *door
    cdef int *core
    cdef int *hull
    cdef long long *base
    cdef long long *own
    cdef long long *plus
    cdef long long *minus
    cdef long long *inside
    cdef long long *around
    cdef long long *noted_at
    cdef long long stamp
    cdef long long tick
    cdef int group
    cdef long long group_sum
    cdef long long group_high
    cdef int _root(self, int *up, int v) noexcept nogil
    cdef void _look_at_spots(self, int a) noexcept nogil
    cdef void _look_at_doors(self, int a) noexcept nogil
    cdef bint _keep_walls(self, int a) noexcept nogil
    cdef bint _fits(self, int d, long long low, long long high) noexcept nogil
    cdef void _add_up(self, int a, int d) noexcept nogil
    cdef void _need_one(self, int *options, int begin, int end) noexcept nogil
    cdef void _leave(self, int *options, int begin, int end) noexcept nogil
    cdef bint _hold_each(self, int a, int d) noexcept nogil
    cdef bint _hold_together(self, int a, int d) noexcept nogil
    cdef void _keep_small(self, int a, int d) noexcept nogil
    cdef bint _grow(self, int a, int d) noexcept nogil
    cdef void _settle_terms(self, int a, int d) noexcept nogil
    cdef bint _hold_areas(self, int a) noexcept nogil
