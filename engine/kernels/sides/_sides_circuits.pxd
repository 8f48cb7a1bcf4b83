# Circuits, checked by degrees, ends of paths and blocks; _sides_circuits.py describes the fields.
from covr.engine.kernels.sides._sides_connections cimport ConnectionSides


cdef class CircuitSides(ConnectionSides):
    cdef int circuits
    cdef int *corner_begin
    cdef int *meet_begin
    cdef int *meet
    cdef int *end_begin
    cdef int *line
    cdef int *one
    cdef int *other
    cdef int *degree
    cdef int *choices
    cdef int *mate
    cdef int *reached
    cdef int *lowest
    cdef int *from_end
    cdef int *onward
    cdef int *stack
    cdef int height
    cdef int clock
    cdef int blocks
    cdef int walked
    cdef int *block
    cdef int *size
    cdef int _far(self, int e, int v) noexcept nogil
    cdef void _count_degrees(self, int c) noexcept nogil
    cdef bint _look_at_degrees(self, int c) noexcept nogil
    cdef bint _settle_corner(self, int v) noexcept nogil
    cdef int _walk(self, int v, int e) noexcept nogil
    cdef bint _close_nothing_early(self, int c) noexcept nogil
    cdef void _search_blocks(self, int root) noexcept nogil
    cdef bint _keep_one_block(self, int c) noexcept nogil
    cdef bint _hold_circuit(self, int c) noexcept nogil
