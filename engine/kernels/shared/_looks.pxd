# Tells a kernel in the middle of a step whether to stop; _looks.py describes the fields.
cdef class Looks:
    cdef object ask
    cdef object fault
    cdef long long pulse
    cdef long long left
    cdef bint halted
    cdef bint tick(self, long long work) noexcept nogil
    cdef void _question(self) noexcept
