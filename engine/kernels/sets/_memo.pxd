# The memo of a search on sets of options; _memo.py describes the fields.
cdef class AnswerMemo:
    cdef list hold
    cdef list hold_table  # keeps the memory of the table
    cdef Py_ssize_t words
    cdef Py_ssize_t limbs
    cdef Py_ssize_t width  # words in an entry of the table
    cdef Py_ssize_t levels  # that may be framed
    cdef long long buckets  # in the table: a power of 2, or 0 without a memo
    cdef long long most_buckets
    cdef long long stored
    cdef long long spared
    cdef int account
    cdef int *frame
    cdef int *owner
    cdef unsigned long long *sums
    cdef unsigned long long *hash
    cdef unsigned long long *keys
    cdef unsigned long long *table
    cdef long long *since
    cdef long long *tried
    cdef long long *saved
    cdef long long *skip
    cdef long long *pause
    cdef object restart(self)
    cdef object counted(self, int accounts)
    cdef void grow(self)
    cdef bint recall(self, int level, int left, unsigned long long *alive, Py_ssize_t base, long long nodes, long long answers) noexcept nogil
    cdef bint close(self, int level, long long nodes, long long answers) noexcept nogil
    cdef long long _place(self, unsigned long long hash) noexcept nogil
    cdef long long _find(self, int level, unsigned long long *alive, Py_ssize_t base) noexcept nogil
    cdef void _add(self, int account, unsigned long long *source, long long at) noexcept nogil
    cdef void _settle(self, int account, long long answers) noexcept nogil
