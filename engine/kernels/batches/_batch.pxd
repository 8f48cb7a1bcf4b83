# What many instances in one call are searched with; see _kernel.h and _batch.h.
cdef extern from "_kernel.h":
    enum:
        LOAD "COVR_BATCH_LOAD"
        END "COVR_BATCH_END"
        NODES "COVR_BATCH_NODES"
        INSTANCE "COVR_BATCH_INSTANCE"
        STATE "COVR_BATCH_STATE"
        KEPT "COVR_BATCH_KEPT"
        FILLED "COVR_BATCH_FILLED"
        WHERE "COVR_BATCH_WHERE"


cdef extern from "_batch.h":
    void *batch_open(int most, int options, int words, int items, const int *begin, const int *members, const int *sizes,
                     const unsigned long long *holders, const unsigned long long *compatible, const int *numbers,
                     const int *renumber)
    void batch_load(void *state, const int *givens, const int *given_from, int *found, int *answer_end, int *answers,
                    int instances, int limit, long long budget, unsigned long long random)
    void batch_run(void *state, long long end, long long *where) noexcept nogil
    void batch_close(void *state)
    int batch_lanes(void *state)
