# Connections, checked by a flood; _sides_connections.py describes the fields.
from covr.engine.kernels.sides._sides_totals cimport TotalSides


cdef class ConnectionSides(TotalSides):
    cdef int connections
    cdef int plain
    cdef int *vertex_begin
    cdef int *place_begin
    cdef int *place
    cdef int *near_begin
    cdef int *near
    cdef signed char *stands
    cdef int *seen
    cdef int *early
    cdef int *above
    cdef int *under
    cdef int *next
    cdef int _look_at_vertices(self, int c) noexcept nogil
    cdef void _need_vertex(self, int v) noexcept nogil
    cdef void _flood(self, int c, int root) noexcept nogil
    cdef int _piece(self, int v) noexcept nogil
    cdef bint _closes(self, int base, int v) noexcept nogil
    cdef bint _hold_forest(self, int c) noexcept nogil
    cdef bint _hold_connection(self, int c) noexcept nogil
