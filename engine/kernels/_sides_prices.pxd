# Costs, bounded from below; _sides_prices.py describes the fields.
from covr.engine.kernels._sides_circuits cimport CircuitSides


cdef class SidePrices(CircuitSides):
    cdef bint bounded
    cdef bint priced
    cdef long long cutoff
    cdef long long lower_bound
    cdef long long *cost
    cdef long long *reduced
    cdef void _pay(self) noexcept nogil
    cdef long long _price(self, int i, int need) noexcept nogil
    cdef bint _bound(self) noexcept nogil
