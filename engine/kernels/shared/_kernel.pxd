# What all kernels share: the codes of _kernel.h under their own names, and the base class of _kernel.py.
cdef extern from "_kernel.h":
    enum:
        SLICE "COVR_SLICE"
        FOUND "COVR_FOUND"
        DONE "COVR_DONE"
        ASK "COVR_ASK"
        GROW "COVR_GROW"
        RECALL "COVR_RECALL"
        CLOSE "COVR_CLOSE"
        CLASSIC "COVR_CLASSIC"
        PRICE "COVR_PRICE"
        DUAL "COVR_DUAL"
        LAGRANGE "COVR_LAGRANGE"
        PYTHON "COVR_PYTHON"
        SCALE "COVR_SCALE"
        LOOK_OPTIONS "COVR_LOOK_OPTIONS"
        LOOK_STEPS "COVR_LOOK_STEPS"
        LISTED "COVR_LISTED"
        WALK_ONE "COVR_WALK_ONE"
        WALK_LEVELS "COVR_WALK_LEVELS"
    const double FAR "COVR_FAR"
    const long long HUGE "COVR_HUGE"


cdef class KernelBase:
    cdef long long _nodes
    cdef long long _updates
    cdef long long _answers
    cdef int _code
    cdef int state
    cdef int level
    cdef list _gathered
    cdef list hold
    cdef bint watched
    cdef int *witness
    cdef long long worth
    cdef int lost
    cdef object describe
    cdef int _run(self, long long end, long long until) noexcept nogil
