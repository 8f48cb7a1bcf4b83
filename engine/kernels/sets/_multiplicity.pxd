# The states of the search on sets of options with bounds, and that search; see _kernel.h and _multiplicity.h.
cdef extern from "_kernel.h":
    enum:
        MULTIPLICITY_ENTER "COVR_MULTIPLICITY_ENTER"
        MULTIPLICITY_NEXT "COVR_MULTIPLICITY_NEXT"
        MULTIPLICITY_BACK "COVR_MULTIPLICITY_BACK"
        MULTIPLICITY_END "COVR_MULTIPLICITY_END"


cdef extern from "_multiplicity.h":
    void *multiplicity_open(int most, int options, int words, int items, const int *begin, const int *members,
                      const unsigned long long *holders, const unsigned long long *compatible,
                      const unsigned long long *held, const unsigned long long *narrow, const int *needs,
                      const int *rooms, int *path, double *weight)
    int multiplicity_lanes(void *state)
    void multiplicity_close(void *state)
    int multiplicity_run(void *state, long long end, long long until, long long *out) noexcept nogil
