# The states of the search on sets of options, and that search; see _kernel.h and _wide.h.
cdef extern from "_kernel.h":
    enum:
        START "COVR_BITS_START"
        ENTER "COVR_BITS_ENTER"
        NEXT "COVR_BITS_NEXT"
        OPEN "COVR_BITS_OPEN"
        FREE "COVR_BITS_FREE"
        BACK "COVR_BITS_BACK"
        END "COVR_BITS_END"
        HIDE "COVR_BITS_HIDE"


cdef extern from "_wide.h":
    void *wide_open(int most, int options, int first_free, int words, int items, int levels, int counting,
                    const int *begin, const int *members, const int *sizes, const unsigned long long *holders,
                    const unsigned long long *compatible, const unsigned long long *held, unsigned long long *active,
                    int *left, int *rows, int *next, int *end, int *mark, int *path, int *frame, long long *skip,
                    double *weight, double *share)
    unsigned long long *wide_alive(void *state)
    int wide_stride(void *state)
    void wide_begin(void *state)
    void wide_close(void *state)
    int wide_run(void *state, long long end, long long until, long long *out) noexcept nogil
    int wide_lanes(void *state)


cdef extern from "_lanes.h":
    int lanes_widest(int most)
