# Totals, checked by the sums that can still be reached; _sides_totals.py describes the fields.
from covr.engine.kernels.sides._sides_trail cimport Trail


cdef class TotalSides(Trail):
    cdef int *group_begin
    cdef int *group_item
    cdef long long *group_empty
    cdef int *value_begin
    cdef long long *value
    cdef int *option_begin
    cdef int *named
    cdef int *range_begin
    cdef long long *range_low
    cdef long long *range_high
    cdef long long *lowest_sum
    cdef int *bits
    cdef int *can
    cdef int *left
    cdef int *none
    cdef long long *least
    cdef long long *most
    cdef unsigned long long *reach
    cdef void _look_at_groups(self, int t) noexcept nogil
    cdef bint _is_met(self, int t, long long low, long long high) noexcept nogil
    cdef void _drop_value(self, int v) noexcept nogil
    cdef bint _settle_group(self, int g) noexcept nogil
    cdef bint _bound_total(self, int t) noexcept nogil
    cdef void _spread(self, long long source, long long target, long long by, long long words) noexcept nogil
    cdef void _gather(self, long long source, long long target, long long by, long long words) noexcept nogil
    cdef bint _meets(self, long long before, long long after, long long by, long long words) noexcept nogil
    cdef void _allow(self, int t, long long target, long long words) noexcept nogil
    cdef bint _reach_total(self, int t) noexcept nogil
    cdef bint _hold_total(self, int t) noexcept nogil
