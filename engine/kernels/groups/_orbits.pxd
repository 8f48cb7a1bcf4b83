# Automorphisms and orbits of a graph's vertices; _orbits.py describes the fields.
cimport cython

from covr.engine.kernels.groups._partition cimport Partition


cdef class VertexOrbits(Partition):
    cdef int shifted
    cdef long long stamp
    cdef int *orbit
    cdef int *size
    cdef int *failed
    cdef int *image
    cdef int *moved
    cdef long long *seen
    cdef bint _maps(self, int since) noexcept nogil
    @cython.final
    cdef void _carry(self, int p) noexcept nogil
    @cython.final
    cdef bint _keeps(self, int u) noexcept nogil
    cdef void _forget(self) noexcept nogil
    cdef void _join(self, int level) noexcept nogil
    cdef int _root(self, int v) noexcept nogil
