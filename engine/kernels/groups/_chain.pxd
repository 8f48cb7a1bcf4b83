# A group of permutations as a base and strong generating set; _chain.py describes the fields.
cdef class Chain:
    cdef int n
    cdef int b
    cdef int count
    cdef int room
    cdef int length
    cdef int reach
    cdef int target
    cdef int spread
    cdef int seeds
    cdef int at_level
    cdef int at_point
    cdef int at_one
    cdef bint verified
    cdef long long spent
    cdef unsigned long long dice
    cdef int *base
    cdef int *forward
    cdef int *back
    cdef int *fixes
    cdef int *label
    cdef int *reached
    cdef int *size
    cdef int *img
    cdef int *word
    cdef int *fresh
    cdef int *low
    cdef int *step
    cdef int *queue
    cdef list hold
    cdef list hold_moves
    cdef list hold_word
    cdef void _carry(self, int *points, int first, int end, int point)
    cdef int _random(self, int below) noexcept
    cdef void _push(self, int g)
    cdef int _divide(self, int l)
    cdef void _write(self, Chain source)
    cdef void _keep(self, int l)
    cdef void _grow(self, int l)
    cdef void _schreier(self, int l, int q, int g)
    cdef void _shuffle(self, Chain child)
    cdef void _inherit(self, Chain source, int g)
    cdef void _toward(self, Chain child)
    cdef int _divided_after(self, Chain source)
