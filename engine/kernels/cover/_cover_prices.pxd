# The prices of items at a level in branch and bound for covers; see _cover_prices.py.
from covr.engine.kernels.cover._cover_reductions cimport Reductions


cdef class Prices(Reductions):
    cdef double eps
    cdef double mercy
    cdef double spent
    cdef int *order
    cdef int *tally
    cdef double *y
    cdef double *rc
    cdef long long _up(self, double value) noexcept nogil
    cdef void _margin(self) noexcept nogil
    cdef double _value(self) noexcept nogil
    cdef void _sorted(self) noexcept nogil
    cdef long long _classic(self) noexcept nogil
    cdef double _price(self) noexcept nogil
    cdef double _ascend(self) noexcept nogil
