# Costs and lower bounds in the search with sides; _sides_prices.py describes the fields.
from covr.engine.kernels.sides._sides_areas cimport AreaSides


cdef class SidePrices(AreaSides):
    cdef bint bounded
    cdef bint priced
    cdef long long cutoff
    cdef long long lower_bound
    cdef long long *cost
    cdef long long *reduced
    cdef int *implied
    cdef long long *owed
    cdef long long *dear
    cdef bint weighable
    cdef long long summed
    cdef void _pay(self) noexcept nogil
    cdef long long _rest(self, int o) noexcept nogil
    cdef long long _price(self, int i, int need) noexcept nogil
    cdef void _price_total(self, int t) noexcept nogil
    cdef void _add_value(self, long long old, long long new, long long value, long long cost, long long width) noexcept nogil
    cdef void _charge(self, int t, long long row) noexcept nogil
    cdef bint _bound(self) noexcept nogil
