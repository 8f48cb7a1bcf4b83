# Options that are open, taken or out, and what follows for items; _sides_trail.py describes the fields.
from covr.engine.kernels.shared._kernel cimport KernelBase

cdef extern from "_kernel.h":
    enum:
        OPEN "COVR_SIDES_OPEN"
        TAKEN "COVR_SIDES_TAKEN"
        OUT "COVR_SIDES_OUT"


cdef class Trail(KernelBase):
    cdef int options
    cdef int items
    cdef int totals
    cdef int sides
    cdef bint coloured
    cdef signed char *mark
    cdef int *starts
    cdef int *members
    cdef int *colours
    cdef int *begin
    cdef int *holders
    cdef int *shades
    cdef int *low
    cdef int *high
    cdef int *met
    cdef int *open
    cdef int *shown
    cdef int *showing
    cdef int *trail
    cdef int length
    cdef int head
    cdef bint failed
    cdef int culprit
    cdef int *of_begin
    cdef int *of
    cdef signed char *waits
    cdef int *queue
    cdef int first
    cdef int waiting
    cdef int *graphs
    cdef int graph_waiting
    cdef void _set(self, int o, int way) noexcept nogil
    cdef void _wake(self, int k) noexcept nogil
    cdef void _undo(self, int length) noexcept nogil
    cdef bint _react(self) noexcept nogil
    cdef bint _follow(self, int o) noexcept nogil
    cdef bint _drop_rest(self, int i) noexcept nogil
    cdef bint _take_rest(self, int i) noexcept nogil
    cdef bint _check_items(self) noexcept nogil
