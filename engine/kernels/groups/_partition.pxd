# A partition of a graph's vertices; _partition.py describes the fields.
cimport cython


cdef class Partition:
    cdef int n
    cdef int splits
    cdef int head
    cdef int tail
    cdef int queued
    cdef int strangers
    cdef long long work
    cdef long long hash
    cdef long long read
    cdef bint following
    cdef int *colour
    cdef int *start
    cdef int *near
    cdef int *elem
    cdef int *spot
    cdef int *cell
    cdef int *length
    cdef int *made
    cdef int *parent
    cdef int *queue
    cdef int *waits
    cdef int *count
    cdef int *hit
    cdef int *touched
    cdef int *leaf
    cdef int *stood
    cdef int *apart
    cdef long long *trace
    cdef list hold
    cdef void _single(self, int v) noexcept nogil
    @cython.final
    cdef inline void _move(self, int v, int e) noexcept nogil
    @cython.final
    cdef inline void _enqueue(self, int c) noexcept nogil
    cdef bint _refine(self) noexcept nogil
    @cython.final
    cdef bint _split(self, int c, int a, int e) noexcept nogil
    @cython.final
    cdef bint _record(self, long long value) noexcept nogil
    @cython.final
    cdef void _by_count(self, int first, int end) noexcept nogil
    cdef void _undo(self, int height) noexcept nogil
    @cython.final
    cdef inline void _look(self, int p) noexcept nogil
    @cython.final
    cdef inline void _mind(self, int v) noexcept nogil
